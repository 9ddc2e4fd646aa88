use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{At, Error, ErrorKind};
use super::format::Format;
use super::npy::NpySink;
use super::options::CreateOptions;
use super::record::{Record, RecordLayout, RecordSink};
use idx_std::__private::{HiddenFolder, Staged};
use idx_std::{ElementType, WriteOptions};

#[cfg(feature = "csv")]
use super::csv::CsvSink;
#[cfg(feature = "parquet")]
use super::parquet::ParquetSink;
#[cfg(feature = "pictures")]
use super::pictures::PicturesSink;

/// Starts a file or folder for records of this layout. The number of records in the layout is ignored.
///
/// It appears when [`RecordSink::finish`] succeeds. IDX and npy hold no labels: those of the records are left out, and
/// go to an output of their own. csv takes any integer as a label; Parquet and pictures take labels if the options have
/// their type.
///
/// # Errors
///
/// [`unsupported`](ErrorKind::code) for a type or a shape that the format does not have, for an option of another format,
/// and for labels of floats; [`ErrorKind::Disabled`] without its
/// feature, and [`ErrorKind::File`] if the output cannot be written.
pub fn create(
    path: impl AsRef<Path>,
    format: Format,
    layout: &RecordLayout,
    options: &CreateOptions,
) -> Result<Box<dyn RecordSink>, Error> {
    start(path.as_ref(), None, format, (layout, None), options)
}

/// Starts a file or folder, or a stream with this name in messages, for records whose number may be known.
pub(super) fn start(
    path: &Path,
    stream: Option<Box<dyn Write + Send>>,
    format: Format,
    (layout, count): (&RecordLayout, Option<u64>),
    options: &CreateOptions,
) -> Result<Box<dyn RecordSink>, Error> {
    let element_type = layout.element_type().at(path)?;
    check(format, options).at(path)?;
    Ok(match (format, stream) {
        (Format::Csv, stream) => with_feature!(
            "csv",
            path,
            [options, stream],
            CsvSink::create(path, stream, element_type, layout, options)
        )?,
        (_, Some(stream)) => Box::new(Spooled::create(path, stream, format, layout, options)?),
        (Format::Idx | Format::IdxGz, None) => {
            let write = WriteOptions::new().gzip(format == Format::IdxGz);
            let write = write.create_new(options.create_new);
            Box::new(write.create(path, element_type, &layout.dims)?)
        }
        (Format::Npy, None) => {
            Box::new(NpySink::create(path, element_type, layout, options.create_new)?)
        }
        (Format::Png, None) => with_feature!(
            "pictures",
            path,
            [options],
            PicturesSink::create(path, element_type, layout, options)
        )?,
        (Format::Parquet, None) => with_feature!(
            "parquet",
            path,
            [options, count],
            ParquetSink::create(path, element_type, (layout, count), options)
        )?,
    })
}

/// Checks that the format takes all options, and that labels are of a type that can be read.
fn check(format: Format, options: &CreateOptions) -> Result<(), ErrorKind> {
    expect_integers(options.label_type)?;
    let of_one_format = [
        (options.shards.is_some(), "shards", Format::Parquet),
        (options.binary, "binary", Format::Parquet),
        (options.row_group_records.is_some(), "row_group_records", Format::Parquet),
        (options.by_class, "by_class", Format::Png),
    ];
    let mut wrong =
        of_one_format.into_iter().filter(|(is_given, _, of)| *is_given && *of != format);
    wrong.next().map_or(Ok(()), |(_, option, of)| {
        let message = format!("`{option}` is for {of}, and this is {format}; leave it out");
        Err(ErrorKind::unsupported(message))
    })
}

/// Checks that labels of this type can be read.
pub(super) fn expect_integers(label_type: Option<ElementType>) -> Result<(), ErrorKind> {
    let Some(label_type) = label_type.filter(|label_type| label_type.is_float()) else {
        return Ok(());
    };
    Err(ErrorKind::LabelType(label_type))
}

/// The name of a file that is not complete yet.
const SPOOLED: &str = "idx";

/// A file that must be complete before it goes to a stream, because its header is written last.
struct Spooled {
    sink: Box<dyn RecordSink>,
    /// Where the file is until it has gone to the stream.
    folder: HiddenFolder,
    stream: Box<dyn Write + Send>,
    name: PathBuf,
}

impl Spooled {
    fn create(
        name: &Path,
        stream: Box<dyn Write + Send>,
        format: Format,
        layout: &RecordLayout,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        if format == Format::Png || options.shards.is_some() {
            let message = "a folder cannot go to a stream; write it under a name";
            return Err(ErrorKind::unsupported(message)).at(name);
        }
        let temporary = std::env::temp_dir();
        let folder = HiddenFolder::create(&temporary.join(SPOOLED)).at(&temporary)?;
        let sink = create(folder.path().join(SPOOLED), format, layout, options);
        let sink = sink.map_err(|error| error.with_path(name))?;
        Ok(Self { sink, folder, stream, name: name.to_path_buf() })
    }
}

impl RecordSink for Spooled {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.sink.push(record).map_err(|error| error.with_path(&self.name))
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        let finished = self.sink.finish();
        finished.map_err(|error| error.with_path(&self.name))?;
        let mut file = File::open(self.folder.path().join(SPOOLED)).at(&self.name)?;
        io::copy(&mut file, &mut self.stream)
            .map(|_| None)
            .map_err(ErrorKind::output)
            .at(&self.name)
    }
}
