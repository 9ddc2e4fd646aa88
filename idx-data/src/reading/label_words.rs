//! Words in a column of labels that may not be labels. All are read before the records.

use crate::answer::{Column, ReadingOption};
use crate::reading::cell::is_missing;
use crate::reading::question::Question;
use crate::reading::spelling::shown;

/// The words for a last line that has the sums of the others.
const TOTALS: [&str; 5] = ["total", "totals", "subtotal", "sum", "average"];

/// Checks the words of a column that no option names. `is_first` says that lines begin with it.
pub(crate) fn expect_labels(
    words: &[&str],
    column: &Column,
    is_first: bool,
) -> Result<(), Question> {
    let is_comment = |word: &str| word.starts_with('#');
    let are_comments = words.iter().all(|word| is_comment(word));
    let doubt = |word: &str| match () {
        () if is_missing(word) || word.eq_ignore_ascii_case("nan") => {
            Some("as lines without one have")
        }
        () if TOTALS.iter().any(|total| word.eq_ignore_ascii_case(total)) => {
            Some("as a line of sums has")
        }
        () if word.starts_with('\u{FEFF}') => Some(
            "whose first character stands at the start of a file, so that two files were joined",
        ),
        () if is_first && !are_comments && is_comment(word) => {
            Some("which begins as a comment does")
        }
        () => None,
    };
    let found = words.iter().find_map(|word| Some((word, doubt(word)?)));
    found.map_or(Ok(()), |(word, why)| {
        let option = ReadingOption::LabelColumn(column.clone());
        let sentence = format!("a line has the label {}, {why}; remove the line", shown(word));
        Err(Question::new(sentence).or(option, "if it is the name of a class"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_be_no_labels() {
        for (words, is_first, expected) in [
            ("cat dog", true, ""),
            ("0 1 total", true, "total, as a line of sums has"),
            ("Sum cat", false, "Sum, as a line of sums has"),
            ("cat NA", false, "NA, as lines without one have"),
            ("NaN cat", false, "NaN, as lines without one have"),
            ("#dog cat", true, "#dog, which begins as a comment does"),
            ("#dog cat", false, ""),
            ("#cat #dog", true, ""),
            ("cat \u{FEFF}cat", true, "\\u{feff}cat, whose first character .."),
        ] {
            let column = Column::Name("label".to_string());
            let found = expect_labels(&words.split(' ').collect::<Vec<_>>(), &column, is_first);
            let found = found.map_or_else(|question| question.sentence, |()| String::new());
            let start = format!("a line has the label {}", expected.trim_end_matches(" .."));
            let is_expected =
                if expected.is_empty() { found.is_empty() } else { found.starts_with(&start) };
            assert!(is_expected, "{words}: {found}");
        }
    }
}
