//! The options that state a reading. Each answers a question.

use std::fmt;

use crate::answer::Column;

/// An option of [`OpenOptions`](crate::OpenOptions) that states part of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingOption {
    /// True if line 1 of a table names its columns, false if it is a record.
    Header(bool),
    /// The column of the labels; in a tree, the level of folders or files that names the classes, counted from 0 at the
    /// top.
    LabelColumn(Column),
    /// The column of the records.
    Column(Column),
    /// The columns, files and folders that are left out.
    Skip(Vec<Column>),
    /// No column, file or folder is left out.
    SkipNone,
    /// The labels, and the names of their classes, are not read.
    NoLabels,
    /// A file with the labels, or a pattern such as `{}_*` that finds them in the names of the pictures.
    LabelsFrom(String),
    /// A file with the names of the classes, or the list of a known data set; `None` if the user has to write one.
    Classes(Option<String>),
    /// The shape of a record.
    Shape(Vec<u32>),
    /// The order of the dimensions of a record, as in [`TransformOptions`](crate::TransformOptions).
    Transpose(Vec<usize>),
    /// One part, array or file of the input: the text after `:` in its path.
    Part(String),
}

impl ReadingOption {
    /// Returns the name of the option in [`OpenOptions`](crate::OpenOptions) and in Python.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Header(_) => "header",
            Self::LabelColumn(_) => "label_column",
            Self::Column(_) => "column",
            Self::Skip(_) | Self::SkipNone => "skip",
            Self::NoLabels | Self::LabelsFrom(_) => "labels",
            Self::Classes(_) => "classes",
            Self::Shape(_) => "shape",
            Self::Transpose(_) => "transpose",
            Self::Part(_) => "part",
        }
    }

    /// Returns its value as text; columns are separated by commas. `None` for [`Header`](Self::Header) and
    /// [`NoLabels`](Self::NoLabels), which are true or false.
    #[must_use]
    pub fn value(&self) -> Option<String> {
        let text = |column: &Column| match column {
            Column::Index(index) => index.to_string(),
            Column::Name(name) => name.clone(),
        };
        Some(match self {
            Self::Header(_) | Self::NoLabels => return None,
            Self::LabelColumn(column) | Self::Column(column) => text(column),
            Self::Skip(columns) => columns.iter().map(text).collect::<Vec<_>>().join(","),
            Self::SkipNone => "none".to_string(),
            Self::Classes(list) => list.clone().unwrap_or_else(|| "LIST".to_string()),
            Self::LabelsFrom(text) | Self::Part(text) => text.clone(),
            Self::Transpose(axes) => {
                axes.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
            }
            Self::Shape(sizes) => sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x"),
        })
    }
}

/// As a call: `label_column("species")`.
impl fmt::Display for ReadingOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.value()) {
            (Self::Header(is_header), _) => write!(f, "header({is_header})"),
            (Self::NoLabels, _) => f.write_str("labels(false)"),
            (Self::Transpose(axes), _) => write!(f, "transpose({axes:?})"),
            (_, value) => write!(f, "{}({:?})", self.name(), value.unwrap_or_default()),
        }
    }
}
