use std::fs::File;
use std::io;
use std::path::Path;

use idx_std::ElementType;
use tempfile::TempDir;

use super::csv::CsvSink;
use super::format::Format;
use super::idx::IdxSink;
use super::layout::Layout;
use super::npy::NpySink;
use super::parquet::{ParquetArguments, ParquetSink};
use super::png::PngSink;
use super::source::Record;
use crate::term::failure::Failure as Stop;

/// Where records go, one by one.
pub(crate) trait Sink {
    fn push(&mut self, record: &Record) -> Result<(), Stop>;

    /// Makes what was written appear under its name.
    fn finish(self: Box<Self>) -> Result<(), Stop>;
}

/// What is written besides the records.
#[derive(Clone, Copy, Default)]
#[cfg_attr(
    not(feature = "parquet"),
    expect(dead_code, reason = "some of it is for Parquet alone")
)]
pub(crate) struct WriteOptions {
    /// The element type of the labels, if there are some.
    pub(crate) labels: Option<ElementType>,
    /// A first line of csv that names the columns.
    pub(crate) header: bool,
    /// How many records there will be, if that is known.
    pub(crate) count: Option<u64>,
    pub(crate) parquet: ParquetArguments,
}

pub(crate) fn open(
    path: &Path,
    format: Format,
    layout: &Layout,
    options: WriteOptions,
) -> Result<Box<dyn Sink>, Stop> {
    let Some(element_type) = layout.number_type.element_type() else {
        return Err(Stop::file(
            path,
            format!("there is no IDX of {}", layout.number_type),
        ));
    };
    if path.as_os_str() == "-" && format != Format::Csv {
        return StandardOutput::open(format, layout, options);
    }
    Ok(match format {
        Format::Idx => Box::new(IdxSink::create(path, element_type, layout, false)?),
        Format::IdxGz => Box::new(IdxSink::create(path, element_type, layout, true)?),
        Format::Npy => Box::new(NpySink::create(path, element_type, layout)?),
        Format::Csv => Box::new(CsvSink::create(path, element_type, layout, options)?),
        Format::Png => {
            let labels = options.labels.is_some();
            Box::new(PngSink::create(path, element_type, layout, labels)?)
        }
        Format::Parquet => ParquetSink::create(path, element_type, layout, &options)?,
    })
}

/// A file that is complete before it goes to standard output: only then its header is.
struct StandardOutput {
    sink: Box<dyn Sink>,
    folder: TempDir,
}

impl StandardOutput {
    /// The name in the folder.
    const NAME: &str = "output";

    fn open(format: Format, layout: &Layout, options: WriteOptions) -> Result<Box<dyn Sink>, Stop> {
        let folder = tempfile::tempdir().map_err(temporary)?;
        let path = folder.path().join(Self::NAME);
        let sink = open(&path, format, layout, options)?;
        Ok(Box::new(Self { sink, folder }))
    }
}

impl Sink for StandardOutput {
    fn push(&mut self, record: &Record) -> Result<(), Stop> {
        self.sink.push(record)
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        self.sink.finish()?;
        let mut file = File::open(self.folder.path().join(Self::NAME)).map_err(temporary)?;
        io::copy(&mut file, &mut io::stdout().lock()).map_err(Stop::Output)?;
        Ok(())
    }
}

/// What the system refused to do with a temporary file.
#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn temporary(error: io::Error) -> Stop {
    // The words of the system without the name of the file, which nobody asked for.
    Stop::io(&std::env::temp_dir(), io::Error::from(error.kind()))
}
