//! Parquet, which the engines of clusters read: a column `record`, and a column `label` beside it.

#[cfg(feature = "parquet")]
mod columns;
#[cfg(feature = "parquet")]
mod values;
#[cfg(feature = "parquet")]
mod read;
#[cfg(feature = "parquet")]
mod write;
#[cfg(not(feature = "parquet"))]
mod missing;

use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::folder;
use super::source::stop;
use crate::term::failure::Failure as Stop;

#[cfg(not(feature = "parquet"))]
pub(crate) use missing::{Parquet, ParquetSink};
#[cfg(feature = "parquet")]
pub(crate) use read::Parquet;
#[cfg(feature = "parquet")]
pub(crate) use write::ParquetSink;

/// What every Parquet file starts with.
pub(crate) const MAGIC: &[u8] = b"PAR1";

/// How Parquet is written.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Parquet")]
pub(crate) struct ParquetArguments {
    /// How the column holds a record [default: list]
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<ColumnLayout>,

    /// Maximum records per row group (a group also ends at 64 MiB) [default: 16384]
    #[arg(long, value_name = "N")]
    pub(crate) row_group_records: Option<NonZeroU64>,

    /// Write a folder of N files, such as part-00000-of-00016.parquet
    #[arg(long, value_name = "N", conflicts_with = "shard_records")]
    shards: Option<NonZeroU64>,

    /// Write a folder of files with N records each
    #[arg(long, value_name = "N")]
    shard_records: Option<NonZeroU64>,
}

/// How a column holds a record that is not a single number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColumnLayout {
    /// Numbers, which Arrow knows as a tensor
    #[default]
    List,
    /// Bytes, each number little-endian
    Binary,
}

impl ParquetArguments {
    /// Whether a folder of shards is asked for.
    pub(crate) fn are_split(&self) -> bool {
        self.shards.is_some() || self.shard_records.is_some()
    }

    /// Whether something is asked for that only Parquet has.
    pub(crate) fn are_used(&self) -> bool {
        self.layout.is_some() || self.row_group_records.is_some() || self.are_split()
    }
}

pub(crate) fn is_parquet(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

/// The files of a folder of shards in the order of their names; none if it is no such folder.
pub(crate) fn shards(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut shards = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder).map_err(|error| stop(folder, error))? {
            let entry = entry.map_err(|error| stop(folder, error))?;
            // Engines pass over these names too, which are of what is not finished.
            let name = entry.file_name();
            let is_hidden = matches!(name.as_encoded_bytes(), [b'.' | b'_', ..]);
            let path = entry.path();
            if is_parquet(&path) && !is_hidden && path.is_file() {
                shards.push(path);
            }
        }
    }
    folder::sort(&mut shards);
    Ok(shards)
}
