//! Starts an output in the format that its name or an option chooses.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::error::{At, Error, ErrorKind, Hint};
use crate::formats::RecordSink;
use crate::formats::npy::NpySink;
use crate::names::format::Format;
use crate::names::format_in_name;
use crate::record::options::CreateOptions;
use crate::record::{Facts, Record};
use idx_std::__private::Staged;
use idx_std::{ElementType, WriteOptions};

#[cfg(feature = "csv")]
use crate::formats::csv::CsvSink;
#[cfg(feature = "npz")]
use crate::formats::npz::{NpzPart, NpzSink};
#[cfg(feature = "parquet")]
use crate::formats::parquet::ParquetSink;
#[cfg(feature = "pictures")]
use crate::formats::pictures::{PictureSink, PicturesSink};

/// The destination of an output.
pub(crate) enum To {
    /// A file or folder at the path.
    Path,
    /// A file or folder in the folder of a set. Its parts share one list of class names.
    Part,
    /// A stream. Messages use the path as its name.
    Stream(Box<dyn Write + Send>),
    /// An archive, shared with other parts of a set.
    #[cfg(feature = "npz")]
    Archive(NpzPart),
}

/// Starts a file, folder or stream for records with these facts. Facts with labels must have a label type.
pub(crate) fn start(
    path: &Path,
    to: To,
    format: Format,
    facts: &Facts,
    options: &CreateOptions,
) -> Result<Box<dyn RecordSink>, Error> {
    let layout = &facts.layout;
    Ok(match (format, to) {
        #[cfg(feature = "csv")]
        (Format::Csv, to) => {
            let stream = match to {
                To::Stream(stream) => Some(stream),
                _ => None,
            };
            Box::new(CsvSink::create(path, stream, facts, options)?)
        }
        #[cfg(feature = "pictures")]
        (Format::Png, To::Stream(stream)) => Box::new(PictureSink::create(path, stream, facts)?),
        (_, To::Stream(stream)) => Box::new(Spooled::create(path, stream, format, facts, options)?),
        #[cfg(feature = "npz")]
        (Format::Npz, to) => {
            let part = match to {
                To::Archive(part) => part,
                _ => NpzPart::create(path, options.create_new)?,
            };
            Box::new(NpzSink::create(path, part, facts)?)
        }
        (Format::Idx | Format::IdxGz, _) => {
            let element_type = layout.element_type().at(path)?;
            let write = WriteOptions::new().gzip(format == Format::IdxGz);
            let write = write.create_new(options.create_new);
            let threads = NonZeroUsize::new(options.threads);
            let write = threads.map_or(write, |threads| write.threads(threads));
            Box::new(write.create(path, element_type, &layout.dims)?)
        }
        (Format::Npy, _) => Box::new(NpySink::create(path, layout, options.create_new)?),
        #[cfg(feature = "pictures")]
        (Format::Png, _) => Box::new(PicturesSink::create(path, facts, options)?),
        #[cfg(feature = "parquet")]
        (Format::Parquet, _) => Box::new(ParquetSink::create(path, facts, options)?),
        (Format::Raw, _) => {
            let message =
                "raw numbers without a header are only read; write npy, which adds only a header";
            return Err(ErrorKind::unsupported(message)).at(path);
        }
        #[allow(unreachable_patterns, reason = "unless a feature is off")]
        (format, _) => return Err(format.disabled()).at(path),
    })
}

/// Returns the number of dimensions in the name of an IDX file: 3 for `own-images-idx3-ubyte.gz`, and `None` for
/// `own.idx`.
///
/// ```
/// assert_eq!(idx_data::rank_in_name("own-images.idx3-ubyte"), Some(3));
/// assert_eq!(idx_data::rank_in_name("photos_idx30/"), None);
/// ```
pub fn rank_in_name(path: impl AsRef<Path>) -> Option<usize> {
    format_in_name(path.as_ref()).map(|(rank, _)| rank)
}

/// Checks that this type of labels is an integer type, so that they can be read again.
pub(crate) fn expect_integers(label_type: ElementType) -> Result<(), ErrorKind> {
    if !label_type.is_float() {
        return Ok(());
    }
    let message = format!(
        "labels are integers, and {label_type} is for fractions; choose another label type"
    );
    Err(ErrorKind::unsupported(message).advising(Hint::LabelType))
}

/// A file without a name, copied to a stream when it is complete: its header is written last.
struct Spooled {
    sink: Box<dyn RecordSink>,
    stream: Box<dyn Write + Send>,
}

impl Spooled {
    fn create(
        name: &Path,
        stream: Box<dyn Write + Send>,
        format: Format,
        facts: &Facts,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        if options.shards.is_some() {
            let message = "a folder cannot go to a stream; write it under a name";
            return Err(ErrorKind::unsupported(message)).at(name);
        }
        let path = unused_name().map_err(Error::temporary)?;
        let sink = start(&path, To::Path, format, facts, options);
        Ok(Self { sink: sink.at(name).map_err(Error::temporary)?, stream })
    }
}

impl RecordSink for Spooled {
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        self.sink.push(records, count).map_err(Error::temporary)
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        if let Some(staged) = self.sink.stage().map_err(Error::temporary)? {
            let mut file = staged.into_content().map_err(Error::temporary)?;
            io::copy(&mut file, &mut self.stream).map_err(ErrorKind::output)?;
        }
        self.stream.flush().map_err(ErrorKind::output)?;
        Ok(None)
    }
}

/// Returns an unused name in the folder for temporary files.
fn unused_name() -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    let made = builder.disable_cleanup(true).make(|path| match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
    });
    Ok(made?.path().to_path_buf())
}
