use std::num::NonZeroU64;

use idx_core::ElementType;

/// What inputs do not say themselves, or need not. The default reads records without their labels.
///
/// ```
/// use idx_std::formats::{Labels, SourceOptions};
///
/// let options = SourceOptions { labels: Labels::Marked, ..SourceOptions::default() };
/// ```
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// The element type of csv, u8 by default.
    pub element_type: ElementType,
    /// The sizes of a record.
    pub shape: Option<Vec<u32>>,
    /// Whether the first line of csv names the columns.
    pub header: bool,
    /// Which labels are read.
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

/// Which labels of an input are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// None.
    #[default]
    Ignored,
    /// Those that are marked as such: a column named `label`, a file `labels.csv`, folders named by
    /// numbers.
    Marked,
    /// The same, and the first column of csv, whatever its name.
    Expected,
}

/// How records are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct SinkOptions {
    /// The element type of the labels, if the records have some.
    pub label_type: Option<ElementType>,
    /// Whether a first line of csv names the columns.
    pub header: bool,
    /// How many records there will be, if that is known.
    pub count: Option<u64>,
    /// How Parquet is written.
    pub parquet: ParquetOptions,
}

/// How Parquet is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParquetOptions {
    /// Whether a record is bytes, with its numbers little-endian, and not a list of numbers.
    pub binary: bool,
    /// At most so many records are a row group, which also ends at 64 MiB. The default is 16384.
    pub row_group_records: Option<NonZeroU64>,
    /// A folder of several files is written in place of one file.
    pub shards: Option<Shards>,
}

/// How records are spread over several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shards {
    /// Over so many files.
    Files(NonZeroU64),
    /// So many records in each file.
    Records(NonZeroU64),
}
