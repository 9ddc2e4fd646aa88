//! Words in the column of labels that may not be labels. All of them are checked before the records are read.

use std::collections::BTreeSet;

use crate::answer::{Column, ReadingOption};
use crate::gather::Gather;
use crate::reading::cell::is_missing;
use crate::reading::question::Question;
use crate::reading::roles::Roles;
use crate::reading::spelling::{look_alike, shown};

/// The words for a last line with the sums of the others.
const TOTALS: [&str; 6] = ["total", "totals", "subtotal", "sum", "average", "mean"];

impl Roles {
    /// Checks the words of a column of labels that no option names.
    pub(crate) fn expect_labels<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Question> {
        let words = words.into_iter().gather();
        let is_first = self.label == Some(0);
        self.said.label_column().map_or(Ok(()), |column| expect_labels(&words, column, is_first))
    }
}

/// Checks the distinct words of a column. `is_first` is true if it is the first column.
fn expect_labels(words: &BTreeSet<&str>, column: &Column, is_first: bool) -> Result<(), Question> {
    let is_number = |word: &str| word.parse::<i128>().is_ok();
    let are_numbers = words.iter().all(|word| is_number(word) || is_marked_number(word));
    // As in lines with two separators.
    let are_torn = words.iter().all(|word| is_torn(word));
    let are_comments = words.iter().all(|word| is_comment(word));
    let twins = look_alike(words.iter().copied());
    let only = |is: &dyn Fn(&str) -> bool| {
        let mut found = words.iter().copied().filter(|word| is(word));
        found.next().filter(|_| found.next().is_none() && words.len() > 1)
    };
    // Several marks may be the classes of a set of symbols.
    let only_mark = only(&is_mark);
    // Such as -1 among names.
    let only_number = only(&is_number);
    let only_other = only(&|word| word.parse::<f64>().is_err()).filter(|_| words.len() > 2);
    // Such as `cat|dog` if `cat` and `dog` are labels.
    let has_several = |word: &str| {
        let mut parts = word.split(['|', ';', ',', ' ']).filter(|part| !part.is_empty());
        parts.clone().nth(1).is_some() && parts.all(|part| words.contains(part))
    };
    let doubt = |word: &str| {
        Some(match () {
            () if are_numbers && !is_number(word) => "which is a number with other characters",
            () if are_torn => "which looks like several cells",
            () if word.starts_with('\u{FEFF}') => "which begins with a byte order mark",
            () if twins.is_some_and(|[marked, _]| marked == word) => {
                "which looks the same as another label"
            }
            () if has_several(word) => "which is several other labels",
            () if is_missing_label(word) || only_mark == Some(word) => {
                "which marks a missing label"
            }
            () if only_number == Some(word) && word.starts_with('-') => {
                "which marks a missing label"
            }
            () if TOTALS.iter().any(|total| word.eq_ignore_ascii_case(total)) => {
                "which marks a line of sums"
            }
            () if only_other == Some(word) => "and all others are numbers",
            () if is_first && !are_comments && is_comment(word) => "which looks like a comment",
            () => return None,
        })
    };
    let found = words.iter().find_map(|word| Some((word, doubt(word)?)));
    found.map_or(Ok(()), |(word, why)| {
        let sentence =
            format!("a line has the label {}, {why}; correct it, or remove the line", shown(word));
        let option = ReadingOption::LabelColumn(column.clone());
        Err(Question::new(sentence).or(option, "if it is the name of a class"))
    })
}

/// Returns whether a word stands for a missing label, including those of Excel, pandas, Julia and MATLAB: `#N/A`,
/// `<NA>`, `missing`, `<undefined>`.
fn is_missing_label(word: &str) -> bool {
    let is_other = ["nan", "missing", "<missing>", "<undefined>"].contains(&&*word.to_lowercase());
    is_missing(word.trim_matches(['#', '<', '>'])) || is_other
}

/// Returns whether a word is two cells, a number and a word, such as `2;cat`.
fn is_torn(word: &str) -> bool {
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let cells = word.split_once([';', '|', '\t', ',']);
    cells.is_some_and(|(one, other)| is_number(one) != is_number(other))
}

fn is_comment(word: &str) -> bool {
    word.starts_with('#') || word.starts_with("//")
}

/// Returns whether a word is a mark such as `-`.
fn is_mark(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// Returns whether a word is a whole number in quotes or brackets, including those of Python (`b'3'`, `tensor(3)`),
/// with a separator after it, or in the digits of another script, as in spreadsheets.
fn is_marked_number(word: &str) -> bool {
    let is_python =
        |front: &str| ["b", "tensor", "array"].contains(&front) || front.starts_with("np.");
    let inside = word.split_once(['\'', '(']).filter(|(front, _)| is_python(front));
    let inside = inside.map_or(word, |(_, inside)| inside);
    let digits = inside.trim_matches(|letter| "=,;'`\"[]()".contains(letter));
    let is_plain = digits.parse::<i128>().is_ok() && digits.len() < word.len();
    is_plain || !word.is_ascii() && word.chars().all(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_words() {
        let column = Column::Index(0);
        for (words, expected) in [
            ("3, 7, 5", "3,"),
            ("0 '3' 7", "'3'"),
            ("=\"3\" =\"7\"", "=\"3\""),
            ("b'3' b'7'", "b'3'"),
            ("tensor(3) tensor(7)", "tensor(3)"),
            ("np.int64(3) np.int64(7)", "np.int64(3)"),
            ("b'cat' b'3'", ""),
            ("area(1) area(2)", ""),
            ("[3] [7]", "[3]"),
            ("\u{FF13} \u{FF17}", "\u{FF13}"),
            ("3, 7, cat", ""),
            ("0 1", ""),
            ("3a 7a", ""),
        ] {
            let found = expect_labels(&words.split(' ').gather(), &column, true);
            let found = found.map_or_else(|question| question.sentence, |()| String::new());
            let start =
                format!("a line has the label {expected}, which is a number with other characters");
            let is_expected =
                if expected.is_empty() { found.is_empty() } else { found.starts_with(&start) };
            assert!(is_expected, "{words}: {found}");
        }
    }

    #[test]
    fn labels_that_look_the_same() {
        let column = Column::Index(0);
        for (words, expected) in [
            (
                ["caf\u{e9}", "cafe\u{301}"],
                "a line has the label cafe\u{301}, which looks the same as another label;",
            ),
            (
                ["cat", "cat\u{200b}"],
                "a line has the label cat\\u{200b}, which looks the same as another label;",
            ),
            (["caf\u{e9}", "caff\u{e8}"], ""),
            (["cafe\u{301}", "cafe"], ""),
            (["A", "a"], ""),
        ] {
            let found = expect_labels(&words.into_iter().gather(), &column, false);
            let found = found.map_or_else(|question| question.sentence, |()| String::new());
            assert!(found.starts_with(expected), "{words:?}: {found}");
            assert_eq!(found.is_empty(), expected.is_empty(), "{words:?}: {found}");
        }
    }

    #[test]
    fn labels_that_are_two_cells() {
        let column = Column::Index(3);
        for (words, is_torn) in [
            (&["2;cat", "7;dog"][..], true),
            (&["cat,5", "dog,7"], true),
            (&["cat,5", "dog"], false),
            (&["cat;big", "dog;big"], false),
        ] {
            let found = expect_labels(&words.iter().copied().gather(), &column, false);
            assert_eq!(found.is_err(), is_torn, "{words:?}");
            let sentence = found.map_or_else(|question| question.sentence, |()| String::new());
            let start = format!(
                "a line has the label {}, which looks like several cells",
                words.first().unwrap()
            );
            assert_eq!(sentence.starts_with(&start), is_torn, "{sentence}");
        }
    }

    #[test]
    fn labels_that_are_several() {
        let column = Column::Index(0);
        for (words, expected) in [
            (&["cat", "cat|dog", "dog"][..], "cat|dog"),
            (&["0", "16", "16 0", "5"], "16 0"),
            (&["0", "0,7", "7"], "0,7"),
            (&["cat", "dog", "hot dog"], ""),
            (&["cat, big", "cat, small"], ""),
            (&["|", "||", "a"], ""),
        ] {
            let found = expect_labels(&words.iter().copied().gather(), &column, true);
            let found = found.map_or_else(|question| question.sentence, |()| String::new());
            let start = format!("a line has the label {expected}, which is several other labels");
            let is_expected =
                if expected.is_empty() { found.is_empty() } else { found.starts_with(&start) };
            assert!(is_expected, "{words:?}: {found}");
        }
    }

    #[test]
    fn words_that_may_be_no_labels() {
        for (words, is_first, expected) in [
            ("cat dog", true, ""),
            ("0 1 total", true, "total, which marks a line of sums"),
            ("Sum cat", false, "Sum, which marks a line of sums"),
            ("cat NA", false, "NA, which marks a missing label"),
            ("NaN cat", false, "NaN, which marks a missing label"),
            ("#dog cat", true, "#dog, which looks like a comment"),
            ("#dog cat", false, ""),
            ("#cat #dog", true, ""),
            ("//dog cat", true, "//dog, which looks like a comment"),
            ("cat - dog", false, "-, which marks a missing label"),
            ("cat -1 dog", false, "-1, which marks a missing label"),
            ("cat 1 dog", false, ""),
            ("cat -1 1", false, "cat, and all others are numbers"),
            ("cat #N/A", false, "#N/A, which marks a missing label"),
            ("<NA> cat", false, "<NA>, which marks a missing label"),
            ("cat missing", false, "missing, which marks a missing label"),
            ("<undefined> cat", false, "<undefined>, which marks a missing label"),
            ("+ - 0 1", false, ""),
            ("- +", false, ""),
            ("Mean cat", false, "Mean, which marks a line of sums"),
            ("0 1 \\N", false, "\\N, and all others are numbers"),
            ("0.0 1.0 x", false, "x, and all others are numbers"),
            ("0 a b", false, ""),
            ("cat \u{FEFF}cat", true, "\\u{feff}cat, which begins with a byte order mark .."),
        ] {
            let column = Column::Name("label".to_string());
            let found = expect_labels(&words.split(' ').gather(), &column, is_first);
            let found = found.map_or_else(|question| question.sentence, |()| String::new());
            let start = format!("a line has the label {}", expected.trim_end_matches(" .."));
            let is_expected =
                if expected.is_empty() { found.is_empty() } else { found.starts_with(&start) };
            assert!(is_expected, "{words}: {found}");
        }
    }
}
