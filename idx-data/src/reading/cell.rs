//! Cells: numbers, words and missing values, and what the cells of a column have in common.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;

use crate::names::path;
use crate::reading::rows::Rows;

/// The texts that stand for a missing value, besides the empty one. NaN and inf are numbers.
const MISSING: [&str; 5] = ["?", "na", "n/a", "null", "none"];

/// The content of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Missing,
    /// A whole number in any notation, such as `5`, `5.0` or `5e+00`.
    Whole(i128),
    /// Any other number, including NaN and inf.
    Decimal,
    /// Several numbers between spaces, as in the `pixels` of FER2013.
    Numbers,
    Word,
}

/// The kind of the cells of a column, apart from missing ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All values are missing, or there are no rows.
    Empty,
    Whole,
    /// Numbers, some of which are not whole.
    Decimal,
    /// Several numbers in each cell.
    Numbers,
    Word,
    /// Numbers and words.
    Mixed,
}

impl Kind {
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Whole | Self::Decimal)
    }

    /// Returns whether the labels in this column are words: numbers among words are words, too.
    pub(crate) const fn has_words(self) -> bool {
        matches!(self, Self::Word | Self::Mixed)
    }

    /// Returns the kind of the column with one more cell.
    const fn with(self, cell: Cell) -> Self {
        match (self, cell) {
            (kind, Cell::Missing) => kind,
            (Self::Empty | Self::Whole, Cell::Whole(_)) => Self::Whole,
            (Self::Empty | Self::Whole | Self::Decimal, Cell::Decimal)
            | (Self::Decimal, Cell::Whole(_)) => Self::Decimal,
            (Self::Empty | Self::Word, Cell::Word) => Self::Word,
            // If the first cell has several numbers, a single number is a short list; the other way around, one is
            // wrong.
            (Self::Empty | Self::Numbers, Cell::Numbers)
            | (Self::Numbers, Cell::Whole(_) | Cell::Decimal) => Self::Numbers,
            _ => Self::Mixed,
        }
    }
}

/// Returns the content of a cell.
pub(crate) fn cell(text: &str) -> Cell {
    if is_digits(text) {
        let digits = text.bytes().map(|digit| i64::from(digit - b'0'));
        return Cell::Whole(digits.fold(0, |number, digit| 10 * number + digit).into());
    }
    if is_missing(text) {
        return Cell::Missing;
    }
    // A byte order mark within a text is not part of a word.
    let text = text.trim_start_matches('\u{FEFF}');
    if let Ok(number) = text.parse::<f64>() {
        return whole(text, number).map_or(Cell::Decimal, Cell::Whole);
    }
    let mut numbers = text.split_ascii_whitespace();
    let are_several = text.bytes().any(|byte| byte.is_ascii_whitespace());
    match are_several && numbers.all(|number| number.parse::<f64>().is_ok()) {
        true => Cell::Numbers,
        false => Cell::Word,
    }
}

/// Returns whether a text is only digits, few enough to fit an `i64`.
fn is_digits(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(crate) fn is_missing(text: &str) -> bool {
    text.is_empty() || MISSING.iter().any(|missing| text.eq_ignore_ascii_case(missing))
}

/// Returns the whole number in a text that parses as this float, if the float is exact.
#[expect(clippy::cast_possible_truncation, reason = "it is in range")]
fn whole(text: &str, number: f64) -> Option<i128> {
    const MAX: f64 = 9_007_199_254_740_992.0; // 2^53
    let is_exact = number.fract() == 0.0 && number.abs() <= MAX;
    text.parse().ok().or_else(|| is_exact.then_some(number as i128))
}

/// Returns the number of a whole cell.
pub(crate) fn whole_number(text: &str) -> Option<i128> {
    match cell(text) {
        Cell::Whole(number) => Some(number),
        _ => None,
    }
}

/// Parses a cell of one-hot labels: true for 1 and `True`, false for 0 and `False`, `None` for others.
pub(crate) fn bit(text: &str) -> Option<bool> {
    match whole_number(text) {
        Some(number) => [0, 1].contains(&number).then_some(number == 1),
        None => text.to_ascii_lowercase().parse().ok(),
    }
}

pub(crate) fn is_number(text: &str) -> bool {
    matches!(cell(text), Cell::Whole(_) | Cell::Decimal)
}

pub(crate) fn is_word(text: &str) -> bool {
    matches!(cell(text), Cell::Word | Cell::Numbers)
}

/// Returns whether a cell has the name of a picture.
pub(crate) fn is_picture(text: &str) -> bool {
    path::is_picture(Path::new(text))
}

pub(crate) fn kind<'a>(cells: impl IntoIterator<Item = &'a str>) -> Kind {
    cells.into_iter().fold(Kind::Empty, |kind, text| kind.with(cell(text)))
}

/// The common properties of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) kind: Kind,
    /// The first row without a value, if its number fits this type, which is small because there may be millions of
    /// columns.
    pub(crate) missing: Option<u16>,
}

/// Returns the profile of each column from this row on.
pub(crate) fn profiles(rows: &Rows, from: usize) -> Vec<Profile> {
    let mut profiles = vec![Profile { kind: Kind::Empty, missing: None }; rows.width()];
    for row in from..rows.len() {
        for (profile, text) in profiles.iter_mut().zip(rows.row(row)) {
            // Most cells are only digits.
            if profile.kind == Kind::Whole && is_digits(text) {
                continue;
            }
            let cell = cell(text);
            profile.kind = profile.kind.with(cell);
            if cell == Cell::Missing {
                profile.missing = profile.missing.or_else(|| u16::try_from(row).ok());
            }
        }
    }
    profiles
}

/// Returns whether these are whole numbers, each one more than the one before.
pub(crate) fn counts_up<'a>(cells: impl IntoIterator<Item = &'a str>) -> bool {
    let mut before = None;
    cells.into_iter().all(|text| {
        let number = whole_number(text);
        let follows = before.is_none_or(|before: i128| number == before.checked_add(1));
        before = number;
        number.is_some() && follows
    })
}

/// Returns whether no two of these are the same.
pub(crate) fn are_distinct<T: Eq + Hash>(all: impl IntoIterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    all.into_iter().all(|one| seen.insert(one))
}

/// Returns whether the values of two columns match one to one, and there are at least two.
pub(crate) fn one_to_one<'a>(
    one: impl IntoIterator<Item = &'a str>,
    other: impl IntoIterator<Item = &'a str>,
) -> bool {
    let mut pairs = HashMap::new();
    let mut others = HashSet::new();
    let is_one_to_one = one.into_iter().zip(other).all(|(one, other)| {
        pairs.insert(one, other).map_or_else(|| others.insert(other), |before| before == other)
    });
    is_one_to_one && pairs.len() > 1
}

/// Returns whether a cell is a date or a time: numbers with marks between them, such as `10:00 AM`, the name of a month
/// between two numbers, or a year and a month.
pub(crate) fn is_date(text: &str) -> bool {
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let starts = |text: &str| text.starts_with(|digit: char| digit.is_ascii_digit());
    let is_month = |text: &str| text.len() > 2 && text.chars().all(char::is_alphabetic);
    let time = text.split_once(':');
    let mut parts = text.split(['-', '/', ':', '.', ' ']);
    let [first, second, third] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let is_year = first.len() == 4 && second.len() == 2 && third.is_empty();
    let is_in_year = is_year && matches!(second.parse(), Ok(1..=12));
    time.is_some_and(|(hours, rest)| are_digits(hours) && starts(rest))
        || are_digits(first) && is_in_year
        || are_digits(first) && (are_digits(second) || is_month(second)) && starts(third)
}

/// Returns whether a cell is an amount: a number with marks other than a point, such as `1,200`, `1 200`, `$5`, `10%`
/// or `12:30`.
pub(crate) fn is_amount(text: &str) -> bool {
    let is_mark =
        |letter: char| letter.is_whitespace() || ",:'\u{2019}%$\u{20AC}\u{A3}".contains(letter);
    let number = text.replace(is_mark, "");
    number.len() < text.len() && number.parse::<f64>().is_ok()
}

/// Returns a number with a point in place of its decimal comma.
pub(crate) fn with_point(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once(',')?;
    let whole_digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let starts = fraction.bytes().next().is_some_and(is_digit);
    let is_decimal = starts && !whole_digits.is_empty() && whole_digits.bytes().all(is_digit);
    let point = is_decimal.then(|| format!("{whole}.{fraction}"))?;
    point.parse::<f64>().is_ok().then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_a_number_a_word_or_missing() {
        for (text, expected) in [
            ("0", Cell::Whole(0)),
            ("007", Cell::Whole(7)),
            ("-3", Cell::Whole(-3)),
            ("+3", Cell::Whole(3)),
            ("5.0", Cell::Whole(5)),
            ("5.000000000000000000e+00", Cell::Whole(5)),
            ("123456789012345678901", Cell::Whole(123_456_789_012_345_678_901)),
            ("1e300", Cell::Decimal),
            ("0.5", Cell::Decimal),
            ("-.5", Cell::Decimal),
            ("1e-3", Cell::Decimal),
            ("nan", Cell::Decimal),
            ("NaN", Cell::Decimal),
            ("-inf", Cell::Decimal),
            ("", Cell::Missing),
            ("?", Cell::Missing),
            ("NA", Cell::Missing),
            ("null", Cell::Missing),
            ("None", Cell::Missing),
            ("1 2 3", Cell::Numbers),
            ("0.5  -1", Cell::Numbers),
            ("1 2 cat", Cell::Word),
            ("cat", Cell::Word),
            ("4e", Cell::Word),
            ("1,5", Cell::Word),
            ("-", Cell::Word),
            ("größe", Cell::Word),
        ] {
            assert_eq!(cell(text), expected, "{text}");
        }
    }

    #[test]
    fn a_column_is_of_one_kind() {
        for (cells, expected) in [
            (&[][..], Kind::Empty),
            (&["", "NA"], Kind::Empty),
            (&["1", "", "3"], Kind::Whole),
            (&["1", "0.5"], Kind::Decimal),
            (&["0.5", "1", "nan"], Kind::Decimal),
            (&["cat", "?"], Kind::Word),
            (&["cat", "3"], Kind::Mixed),
            (&["30", "4e"], Kind::Mixed),
            (&["1 2", "5", "3 4"], Kind::Numbers),
            (&["1 2", "cat"], Kind::Mixed),
            (&["5", "1 2"], Kind::Mixed),
        ] {
            assert_eq!(kind(cells.iter().copied()), expected, "{cells:?}");
            let mut rows = Rows::default();
            cells.iter().for_each(|cell| rows.push([*cell]));
            let missing = cells.iter().position(|text| cell(text) == Cell::Missing);
            let missing = missing.map(|row| u16::try_from(row).unwrap());
            let profile = Profile { kind: expected, missing };
            assert_eq!(profiles(&rows, 0), vec![profile; rows.width()], "{cells:?}");
        }
    }

    #[test]
    fn columns_that_count_and_pairs_of_columns() {
        for (cells, expected) in [
            (&["0", "1", "2"][..], true),
            (&["7", "8"], true),
            (&["-1", "0.0", "1"], true),
            (&["1", "1"], false),
            (&["2", "1"], false),
            (&["1", "", "2"], false),
            (&["a"], false),
        ] {
            assert_eq!(counts_up(cells.iter().copied()), expected, "{cells:?}");
        }
        for (one, other, expected) in [
            (["0", "1", "0"], ["cat", "dog", "cat"], true),
            (["0", "1", "0"], ["cat", "dog", "eel"], false),
            (["0", "1", "2"], ["cat", "dog", "cat"], false),
            (["0", "0", "0"], ["cat", "cat", "cat"], false),
        ] {
            assert_eq!(one_to_one(one, other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn decimal_commas_and_dates() {
        for (text, expected) in [
            ("1,5", Some("1.5")),
            ("-0,25", Some("-0.25")),
            ("1,5e-3", Some("1.5e-3")),
            ("1,2,3", None),
            (",5", None),
            ("1,", None),
            ("1,-5", None),
            ("a,b", None),
            ("1,inf", None),
        ] {
            assert_eq!(with_point(text).as_deref(), expected, "{text}");
        }
        for (text, expected) in [
            ("2020-01-02", true),
            ("1/2/99 12:00", true),
            ("12:30:00", true),
            ("10:00 AM", true),
            ("5-Mar-20", true),
            ("5 March 2020", true),
            ("2020-01", true),
            ("2020/12", true),
            ("1990-95", false),
            ("10-12", false),
            ("2-red", false),
            ("3-ab-1", false),
            ("1.5", false),
            ("cat-1-2", false),
            ("cat:1", false),
            ("1:cat", false),
        ] {
            assert_eq!(is_date(text), expected, "{text}");
        }
    }

    #[test]
    fn amounts_are_numbers_with_marks() {
        for text in
            ["1,5", "1,200.50", "1'200", "1\u{202F}200,5", "1 200", "$5", "5 %", "-10%", "12:30"]
        {
            assert!(is_amount(text), "{text}");
        }
        for text in ["5", "-1.5", "10-20", "1/2", "5 cm", "4e", "<5", "A1", ",", ""] {
            assert!(!is_amount(text), "{text}");
        }
    }
}
