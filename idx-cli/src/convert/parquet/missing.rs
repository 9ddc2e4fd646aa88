use std::io::Read;
use std::path::Path;

use idx_std::ElementType;

use crate::convert::layout::Layout;
use crate::convert::sink::{Sink, WriteOptions};
use crate::convert::source::{ReadOptions, Source};
use crate::term::failure::Failure as Stop;

/// What a program without the feature says.
fn missing(path: &Path) -> Stop {
    let message = "this program was built without the feature `parquet`; install it with \
                   `cargo install --path idx-cli --features parquet`";
    Stop::file(path, message)
}

pub(crate) struct Parquet;

impl Parquet {
    pub(crate) fn open(
        path: &Path,
        _: Box<dyn Read>,
        _: &ReadOptions<'_>,
    ) -> Result<Box<dyn Source>, Stop> {
        Err(missing(path))
    }
}

pub(crate) struct ParquetSink;

impl ParquetSink {
    pub(crate) fn create(
        path: &Path,
        _: ElementType,
        _: &Layout,
        _: &WriteOptions,
    ) -> Result<Box<dyn Sink>, Stop> {
        Err(missing(path))
    }
}
