//! The names of the columns of a table and some of its rows, which decide the roles of the columns.

use crate::reading::Said;
use crate::reading::rows::Rows;

/// The names of the columns of a table, and some of its rows.
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
    /// The columns that are records by their type (lists, pictures, bytes in Parquet); they have no cells here.
    pub(crate) records: Vec<usize>,
    /// The column that has lists of labels by its type; it has no cells here.
    pub(crate) list_of_labels: Option<usize>,
    /// True if the columns have types: then only an empty cell is a missing value in a column of texts.
    pub(crate) is_typed: bool,
}
