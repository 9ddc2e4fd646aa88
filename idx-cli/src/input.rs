use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use idx_std::formats::{self, JoinedSource, LabelColumn, SourceOptions};
use idx_std::{Compression, DynReader, Error, Header, ImageLayout};

use crate::console::Stop;
use crate::progress::Progress;

/// Images and labels that are part of the program, as `sample/draw.rs` draws them.
const SAMPLE_IMAGES: &[u8] = include_bytes!("../sample/digits-images-idx3-ubyte");
const SAMPLE_LABELS: &[u8] = include_bytes!("../sample/digits-labels-idx1-ubyte");

/// A file that is read record by record, and its name for messages.
pub(crate) struct Input {
    path: PathBuf,
    reader: Reader,
    progress: Option<Progress>,
}

enum Reader {
    File(DynReader),
    /// Bytes that can only be read from their start.
    Stream(DynReader<Box<dyn Read>>),
}

impl Input {
    /// Opens a file, or standard input if the path is `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Stop> {
        if path.as_os_str() == "-" {
            return Self::stream(path, standard_input()?);
        }
        match DynReader::open(path) {
            Ok(reader) => Ok(Self {
                path: path.to_path_buf(),
                reader: Reader::File(reader),
                progress: None,
            }),
            Err(error) => Err(Stop::file(path, error.message())),
        }
    }

    /// The images of the built-in sample.
    pub(crate) fn sample_images() -> Result<Self, Stop> {
        Self::stream(Path::new("sample"), Box::new(SAMPLE_IMAGES))
    }

    /// Reads a stream; the path is for messages.
    pub(crate) fn stream(path: &Path, read: Box<dyn Read>) -> Result<Self, Stop> {
        match DynReader::new(read) {
            Ok(reader) => Ok(Self {
                path: path.to_path_buf(),
                reader: Reader::Stream(reader),
                progress: None,
            }),
            Err(error) => Err(Stop::file(path, error.message())),
        }
    }

    /// That something is wrong with this file.
    pub(crate) fn stop(&self, message: impl Into<String>) -> Stop {
        Stop::file(&self.path, message)
    }

    pub(crate) fn header(&self) -> Header<'_> {
        match &self.reader {
            Reader::File(reader) => reader.header(),
            Reader::Stream(reader) => reader.header(),
        }
    }

    /// How the pixels of a record lie in it, if it is a picture.
    pub(crate) fn image_layout(&self) -> Option<ImageLayout> {
        let shape: Vec<u32> = self.header().record_dims().iter().collect();
        ImageLayout::from_shape(&shape)
    }

    pub(crate) fn compression(&self) -> Option<Compression> {
        match &self.reader {
            Reader::File(reader) => reader.compression(),
            Reader::Stream(reader) => reader.compression(),
        }
    }

    /// The length of the file in bytes, if it is a regular one; plain, it is that of the header.
    pub(crate) fn checked_size(&self) -> Result<Option<u64>, Stop> {
        match &self.reader {
            Reader::File(reader) => match reader.check_length() {
                Ok(()) => Ok(reader.file_size()),
                Err(error) => Err(self.stop(error.message())),
            },
            Reader::Stream(_) => Ok(None),
        }
    }

    /// Reads all, and tells which well-known file it is.
    pub(crate) fn identify(self) -> Result<Option<String>, Stop> {
        let mut progress = Progress::new(&self.path, Some(self.header().payload_size()));
        let advance = |records: &[u8]| progress.advance(records.len() as u64);
        let known = match self.reader {
            Reader::File(reader) => reader.identify_with(advance),
            Reader::Stream(reader) => reader.identify_with(advance),
        };
        match known {
            Ok(known) => Ok(known.map(|known| known.to_string())),
            Err(error) => Err(Stop::file(&self.path, error.message())),
        }
    }

    /// Goes forward to a record.
    pub(crate) fn skip_to(&mut self, index: u64) -> Result<(), Stop> {
        let skipped = match &mut self.reader {
            Reader::File(reader) => reader.skip_to(index),
            Reader::Stream(reader) => (0..index).try_for_each(|_| match reader.next_record() {
                Some(Err(error)) => Err(error),
                _ => Ok(()),
            }),
        };
        skipped.map_err(|error| self.stop(error.message()))
    }

    /// Shows from now on how far the records are read, if that takes long.
    pub(crate) fn with_progress(mut self) -> Self {
        let size = self.header().payload_size();
        self.progress = Some(Progress::new(&self.path, Some(size)));
        self
    }

    pub(crate) fn next_record(&mut self) -> Option<Result<&[u8], Stop>> {
        let record = match &mut self.reader {
            Reader::File(reader) => reader.next_record(),
            Reader::Stream(reader) => reader.next_record(),
        };
        advance(&mut self.progress, record.as_ref());
        told(record, &self.path)
    }

    /// Several whole records, for those who do not look at each.
    pub(crate) fn next_records(&mut self) -> Option<Result<&[u8], Stop>> {
        let records = match &mut self.reader {
            Reader::File(reader) => reader.next_records(),
            Reader::Stream(reader) => reader.next_records(),
        };
        advance(&mut self.progress, records.as_ref());
        told(records, &self.path)
    }

    /// Checks that the file ends rightly after its last record, which was the one before.
    pub(crate) fn expect_end(&mut self) -> Result<(), Stop> {
        self.next_record()
            .map_or(Ok(()), |record| record.map(|_| ()))
    }
}

/// The labels of the built-in sample.
pub(crate) fn sample_labels() -> Result<LabelColumn, Stop> {
    let options = SourceOptions::default();
    let labels = formats::open_stream("sample", Box::new(SAMPLE_LABELS), &options)?;
    Ok(LabelColumn::new("sample", Box::new(labels), 0)?)
}

/// Opens a column of a file of labels, or of standard input if the path is `-`.
pub(crate) fn open_labels(path: &Path, column: usize) -> Result<LabelColumn, Stop> {
    let labels = open_records(path, &SourceOptions::default())?;
    Ok(LabelColumn::new(path, Box::new(labels), column)?)
}

/// Opens a file or folder of any format, or standard input if the path is `-`.
pub(crate) fn open_records(path: &Path, options: &SourceOptions) -> Result<JoinedSource, Stop> {
    Ok(match path.as_os_str() == "-" {
        true => formats::open_stream(path, standard_input()?, options)?,
        false => formats::open(path, options)?,
    })
}

/// Standard input, whose bytes come but once.
fn standard_input() -> Result<Box<dyn Read>, Stop> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        let message = "standard input was read already; name it once";
        return Err(Stop::file(Path::new("-"), message));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// Counts what was read; at the end, or at an error, there is no progress any more.
fn advance(progress: &mut Option<Progress>, read: Option<&Result<&[u8], Error>>) {
    match (progress.as_mut(), read) {
        (None, _) => {}
        (Some(progress), Some(Ok(bytes))) => progress.advance(bytes.len() as u64),
        (Some(_), _) => *progress = None,
    }
}

/// What was read, with the name of the file if it is an error.
fn told<'a>(read: Option<Result<&'a [u8], Error>>, path: &Path) -> Option<Result<&'a [u8], Stop>> {
    Some(read?.map_err(|error| Stop::file(path, error.message())))
}
