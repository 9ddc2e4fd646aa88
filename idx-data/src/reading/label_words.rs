//! The words of a column of labels, all of which are read before the records: those that may be no labels.

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
    let ask = |word: &str, why: &str| {
        let option = ReadingOption::LabelColumn(column.clone());
        let sentence = format!("a line has the label {}, {why}; remove the line", shown(word));
        Err(Question::new(sentence).or(option, "if it is the name of a class"))
    };
    for word in words {
        let is_total = || TOTALS.iter().any(|total| word.eq_ignore_ascii_case(total));
        if is_missing(word) || word.eq_ignore_ascii_case("nan") {
            return ask(word, "as lines without one have");
        }
        if is_total() {
            return ask(word, "as a line of sums has");
        }
        if word.starts_with('\u{FEFF}') {
            return ask(
                word,
                "whose first character stands at the start of a file, so that two files were joined",
            );
        }
    }
    let is_comment = |word: &&str| word.starts_with('#');
    match words.iter().find(|word| is_comment(word)) {
        Some(comment) if is_first && !words.iter().all(is_comment) => {
            ask(comment, "which begins as a comment does")
        }
        _ => Ok(()),
    }
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
