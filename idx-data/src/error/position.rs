//! The record, line and column of an error.

use std::fmt;

/// The position of a record in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The record, counted from 0.
    pub record: u64,
    /// The line of a text file, counted from 1.
    pub line: Option<u64>,
    /// The column of a line, counted from 0.
    pub column: Option<usize>,
}

impl From<u64> for Position {
    fn from(record: u64) -> Self {
        Self { record, line: None, column: None }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}", self.record)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        match self.column {
            Some(column) => write!(f, ", column {column}"),
            None => Ok(()),
        }
    }
}
