//! A column of a table.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A column of csv or Parquet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Column {
    /// The position, counted from 0.
    Index(usize),
    /// The name.
    Name(String),
}

impl Column {
    /// Returns the column at this position: by its name if that is unique and cannot be mistaken, else by its position.
    pub(crate) fn of(names: &[impl AsRef<str>], position: usize) -> Self {
        let same = |name: &str| names.iter().filter(|other| other.as_ref() == name).count();
        let is_clear = |name: &&str| {
            let has_separator = name.contains([',', '`']) || name.contains(char::is_control);
            !name.is_empty()
                && !has_separator
                && name.parse::<f64>().is_err()
                && same(name) == 1
                && *name != "none"
        };
        let name = names.get(position).map(AsRef::as_ref).filter(is_clear);
        name.map_or(Self::Index(position), |name| Self::Name(name.to_string()))
    }
}

impl From<usize> for Column {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<&str> for Column {
    fn from(name: &str) -> Self {
        Self::Name(name.to_string())
    }
}

impl From<String> for Column {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl FromStr for Column {
    type Err = Infallible;

    /// Parses a number as a position, and any other text, such as `01`, as a name.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.parse().ok().filter(|number: &usize| number.to_string() == text);
        Ok(number.map_or_else(|| Self::Name(text.to_string()), Self::Index))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "column {index}"),
            Self::Name(name) => write!(f, "column {name:?}"),
        }
    }
}
