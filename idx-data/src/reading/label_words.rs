//! Words in a column of labels that may not be labels. All are read before the records.

use std::collections::{BTreeSet, HashMap};

use crate::answer::{Column, ReadingOption};
use crate::gather::Gather;
use crate::reading::cell::is_missing;
use crate::reading::question::Question;
use crate::reading::roles::Roles;
use crate::reading::spelling::{has_marks, shown, told_apart, without_accents};

/// The words for a last line with the sums of the others.
const TOTALS: [&str; 6] = ["total", "totals", "subtotal", "sum", "average", "mean"];

impl Roles {
    /// Checks the words of the column of labels, which no option names.
    pub(crate) fn expect_labels<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Question> {
        let words = words.into_iter().gather();
        let is_first = self.label == Some(0);
        self.said.label_column().map_or(Ok(()), |column| expect_labels(&words, column, is_first))
    }
}

/// Checks the different words of a column. `is_first` says that lines begin with it.
fn expect_labels(words: &BTreeSet<&str>, column: &Column, is_first: bool) -> Result<(), Question> {
    let option = ReadingOption::LabelColumn(column.clone());
    let is_number = |word: &str| word.parse::<i128>().is_ok();
    let are_numbers = words.iter().all(|word| is_number(word) || is_marked_number(word));
    if let Some(marked) = words.iter().find(|word| are_numbers && !is_number(word)) {
        let sentence = format!(
            "the label {} is a number with other characters; write the digits 0 to 9 alone",
            shown(marked)
        );
        return Err(Question::new(sentence).or(option, "if it is the name of a class"));
    }
    // Such as `2;cat`, where lines have two separators.
    let is_torn = |word: &&str| {
        let cells = word.split_once([';', '|', '\t', ',']);
        let is_number = |cell: &str| cell.parse::<f64>().is_ok();
        cells.is_some_and(|(one, other)| is_number(one) != is_number(other))
    };
    if let Some(torn) = words.first().filter(|_| words.iter().all(is_torn)) {
        let sentence = format!(
            "the label {} looks like several cells; put the same separator between all cells",
            shown(torn)
        );
        return Err(Question::new(sentence).or(option, "if it is the name of a class"));
    }
    // Such as words that were typed on macOS beside others.
    let (marked, plain): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| has_marks(word));
    let plain = plain.into_iter().filter(|_| !marked.is_empty());
    let plain: HashMap<String, &str> = plain.map(|word| (without_accents(word), word)).gather();
    let mut marked = marked.into_iter();
    let twins = marked.find_map(|word| Some([word, *plain.get(&without_accents(word))?]));
    if let Some(twins) = twins {
        let [one, other] = told_apart(twins);
        let sentence =
            format!("the labels {one} and {other} look the same; write them with the same letters");
        return Err(Question::new(sentence).or(option, "if they are two classes"));
    }
    let is_comment = |word: &str| word.starts_with('#') || word.starts_with("//");
    let are_comments = words.iter().all(|word| is_comment(word));
    // Several may be the classes of a set of symbols.
    let mut marks = words.iter().filter(|word| is_mark(word));
    let only_mark = marks.next().filter(|_| marks.next().is_none() && words.len() > 1);
    // Such as `cat|dog` beside `cat` and `dog`.
    let has_several = |word: &&&str| {
        let mut parts = word.split(['|', ';', ',', ' ']).filter(|part| !part.is_empty());
        parts.clone().nth(1).is_some() && parts.all(|part| words.contains(part))
    };
    if let Some(several) = words.iter().find(has_several) {
        let several = shown(several);
        let sentence =
            format!("the label {several} is several other labels; write one for each record");
        return Err(Question::new(sentence).or(option, "if it is the name of a class"));
    }
    let mut others = words.iter().filter(|word| word.parse::<f64>().is_err());
    let only_other = others.next().filter(|_| others.next().is_none() && words.len() > 2);
    // Such as -1 beside names.
    let mut numbers = words.iter().filter(|word| is_number(word));
    let only_number = numbers.next().filter(|_| numbers.next().is_none() && words.len() > 1);
    let is_negative = |word: &str| word.starts_with('-') && only_number == Some(&word);
    let doubt = |word: &str| match () {
        () if is_missing_label(word) || only_mark == Some(&word) || is_negative(word) => {
            Some("which marks a missing label")
        }
        () if TOTALS.iter().any(|total| word.eq_ignore_ascii_case(total)) => {
            Some("which marks a line of sums")
        }
        () if only_other == Some(&word) => Some("and all others are numbers"),
        () if word.starts_with('\u{FEFF}') => {
            Some("which begins with a byte order mark, as if two files were joined")
        }
        () if is_first && !are_comments && is_comment(word) => Some("which looks like a comment"),
        () => None,
    };
    let found = words.iter().find_map(|word| Some((word, doubt(word)?)));
    found.map_or(Ok(()), |(word, why)| {
        let sentence = format!("a line has the label {}, {why}; remove the line", shown(word));
        Err(Question::new(sentence).or(option, "if it is the name of a class"))
    })
}

/// Returns whether a word stands for a missing label, also as Excel, pandas, Julia and MATLAB write it: `#N/A`, `<NA>`,
/// `missing`, `<undefined>`.
fn is_missing_label(word: &str) -> bool {
    let is_other = ["nan", "missing", "<missing>", "<undefined>"].contains(&&*word.to_lowercase());
    is_missing(word.trim_matches(['#', '<', '>'])) || is_other
}

/// Returns whether a word is a mark such as `-`.
fn is_mark(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// Returns whether a word is a whole number in quotes or brackets, also as Python shows one (`b'3'`, `tensor(3)`), or with
/// a separator behind it; or one in the digits of another script, which spreadsheets have.
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
            let start = format!("the label {expected} is a number with other characters");
            let is_expected =
                if expected.is_empty() { found.is_empty() } else { found.starts_with(&start) };
            assert!(is_expected, "{words}: {found}");
        }
    }

    #[test]
    fn labels_that_look_the_same() {
        let column = Column::Index(0);
        for (words, expected) in [
            (["caf\u{e9}", "cafe\u{301}"], "the labels cafe\\u{301} and caf\\u{e9} look the same"),
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
            let start = format!("the label {} looks like several cells", words.first().unwrap());
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
            let start = format!("the label {expected} is several other labels");
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
