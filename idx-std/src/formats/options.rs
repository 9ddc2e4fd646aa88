use std::num::NonZeroU64;

use idx_core::ElementType;

/// How to read inputs: facts that they do not state, or that override them. The default reads no labels.
///
/// ```
/// use idx_std::formats::{Labels, SourceOptions};
///
/// let options = SourceOptions { labels: Labels::Marked, ..SourceOptions::default() };
/// ```
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// The element type of csv; the default is u8.
    pub element_type: ElementType,
    /// The sizes of a record.
    pub shape: Option<Vec<u32>>,
    /// Whether the first line of csv names the columns.
    pub header: bool,
    /// Which labels to read.
    pub labels: Labels,
}

impl Default for SourceOptions {
    fn default() -> Self {
        Self {
            element_type: ElementType::U8,
            shape: None,
            header: false,
            labels: Labels::default(),
        }
    }
}

/// Which labels of an input to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// No labels.
    #[default]
    Ignored,
    /// Labels that are marked as such: a column named `label`, a file `labels.csv`, folders named by
    /// numbers.
    Marked,
    /// The same, and the first column of csv if no column is named `label`.
    Expected,
}

/// How to write records.
#[derive(Clone, Copy, Debug, Default)]
pub struct SinkOptions {
    /// The element type of the labels, if the records have labels.
    pub label_type: Option<ElementType>,
    /// Whether the first line of csv names the columns.
    pub header: bool,
    /// The number of records, if it is known.
    pub count: Option<u64>,
    /// Whether nothing may be replaced: neither a file, nor one in a folder of pictures or shards, now or
    /// when it is finished.
    pub create_new: bool,
    /// How to write Parquet.
    pub parquet: ParquetOptions,
}

/// How to write Parquet.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParquetOptions {
    /// Whether a record is a string of bytes, with little-endian numbers, instead of a list of numbers.
    pub binary: bool,
    /// The maximum number of records in a row group, which also ends at 64 MiB. The default is 16384.
    pub row_group_records: Option<NonZeroU64>,
    /// Writes a folder of several files instead of one file.
    pub shards: Option<Shards>,
}

/// How to distribute records over several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shards {
    /// The number of files.
    Files(NonZeroU64),
    /// The number of records in each file.
    Records(NonZeroU64),
}
