//! Some rows of a table with the names of its columns, by which their roles are decided.

use crate::reading::Said;
use crate::reading::rows::Rows;

/// Some rows of a table, below the names of its columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) names: Option<Vec<String>>,
    /// The rows, without the header.
    pub(crate) rows: Rows,
    /// True if these are all rows.
    pub(crate) is_whole: bool,
    /// True if line 1, below comments, has the names.
    pub(crate) has_header_line: bool,
    pub(crate) said: Said,
    /// The columns that are records by their type (lists, pictures, bytes in Parquet), and have no cells.
    pub(crate) records: Vec<usize>,
    /// The column of labels that are lists by its type, and has no cells.
    pub(crate) list_of_labels: Option<usize>,
    /// True if the columns have types: then an empty cell is the only missing value of a column of texts.
    pub(crate) is_typed: bool,
}
