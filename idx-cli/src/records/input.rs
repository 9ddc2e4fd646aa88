use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use idx_data::dataset::{self, KnownFile};
use idx_data::stats::{self, Summary};
use idx_data::{
    self, ClassNames, Column, Format, LabelColumn, Labels, OpenOptions, RecordSource, Source,
};
use idx_std::{Error, ErrorKind, HeaderBuf, Reader};

use crate::args::LabelArguments;
use crate::term::console::{is_standard_input, standard_input};
use crate::term::failure::Failure;
use crate::term::progress::Progress;

/// Images and labels that are part of the program, drawn by `sample/draw.rs`.
const SAMPLE_IMAGES: &[u8] = include_bytes!("../../sample/digits-images-idx3-ubyte");
const SAMPLE_LABELS: &[u8] = include_bytes!("../../sample/digits-labels-idx1-ubyte");

/// A file or folder by its content.
pub(crate) enum Input {
    Idx(Box<IdxFile>),
    Other(Format, Box<Source>),
}

/// A file of IDX, and its name for messages.
pub(crate) struct IdxFile {
    path: PathBuf,
    reader: Reader<Box<dyn Bytes>>,
}

/// The bytes of a file, or of a stream that can be read only once.
trait Bytes: Read + Seek {}

impl<B: Read + Seek> Bytes for B {}

/// Without positions: the bytes between are read instead.
struct Stream(Box<dyn Read + Send>);

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Seek for Stream {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

impl Input {
    /// Opens a file or folder of any format, or standard input if the path is `-`. `as_records` opens IDX as any other
    /// format.
    pub(crate) fn open(
        path: &Path,
        options: &OpenOptions,
        as_records: bool,
    ) -> Result<Self, Failure> {
        let open = || File::open(path).map_err(|error| Failure::io(path, error));
        let is_input = is_standard_input(path);
        let is_kept = path.is_file() || path.is_dir() || idx_data::names_array(path);
        let (format, stream) = match is_kept && !is_input {
            true => (options.detect(path)?, None),
            // A stream can be read only once.
            false => {
                let stream = match is_input {
                    true => standard_input()?,
                    false => Box::new(open()?),
                };
                let (format, stream) = options.detect_stream(path, stream)?;
                (format, Some(stream))
            }
        };
        let bytes: Box<dyn Bytes> = match (format, stream) {
            (Format::Idx | Format::IdxGz, Some(stream)) if !as_records => Box::new(Stream(stream)),
            (Format::Idx | Format::IdxGz, None) if !as_records => Box::new(open()?),
            (_, stream) => {
                let source = match stream {
                    Some(stream) => options.open_stream(path, stream),
                    None => options.open(path),
                };
                return Ok(Self::Other(format, Box::new(source?)));
            }
        };
        let reader = Reader::seekable(bytes).map_err(|error| error.with_path(path))?;
        let reader = reader.with_path(path);
        let path = path.to_path_buf();
        Ok(Self::Idx(Box::new(IdxFile { path, reader })))
    }
}

impl IdxFile {
    /// Opens a file of IDX, or standard input if the path is `-`.
    pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Self, Failure> {
        if path.is_dir() && !is_standard_input(path) {
            let error: Error = ErrorKind::IsADirectory.into();
            return Err(error.with_path(path).into());
        }
        match Input::open(path, options, false)? {
            Input::Idx(file) => Ok(*file),
            Input::Other(format, _) => Err(not_idx(path, format)),
        }
    }

    /// Rejects a file whose records have more bytes. An error of its length is reported first.
    pub(crate) fn limited(mut self, record_limit: u64) -> Result<Self, Failure> {
        self.check_length()?;
        let limited = self.reader.record_limit(record_limit);
        self.reader = limited.map_err(|error| error.with_path(&self.path))?;
        Ok(self)
    }

    pub(crate) fn header(&self) -> &HeaderBuf {
        self.reader.header()
    }

    pub(crate) fn is_gzip(&self) -> bool {
        self.reader.is_gzip()
    }

    /// Checks that a plain file has the size that its header says.
    pub(crate) fn check_length(&self) -> Result<(), Failure> {
        Ok(self.reader.check_length()?)
    }

    /// Reads the whole file and identifies it.
    pub(crate) fn identify(self) -> Result<Option<KnownFile>, Failure> {
        let mut progress = self.progress();
        let known = dataset::identify_reader(self.reader, |records| {
            progress.advance(records.len() as u64);
        });
        Ok(match known? {
            Some(known) => Some(known),
            None if is_standard_input(&self.path) => None,
            None => KnownFile::published(&self.path)?,
        })
    }

    /// Reads the whole file, and summarizes its elements.
    pub(crate) fn summary(self) -> Result<Summary, Failure> {
        let mut progress = self.progress();
        let summary = stats::summarize_reader(self.reader, |records| {
            progress.advance(records.len() as u64);
        });
        Ok(summary?)
    }

    /// Shows how far the file is read, if that takes long.
    fn progress(&self) -> Progress {
        Progress::new(&self.path, Some(self.header().payload_size()))
    }
}

/// The error of a command that reads only IDX.
pub(crate) fn not_idx(path: &Path, format: Format) -> Failure {
    let text = format!("the format is {format}, not IDX; convert it with `idx convert` first");
    Failure::file(path, text)
}

/// The images of the built-in sample with their labels.
pub(crate) fn sample() -> Result<Source, Failure> {
    let open = |bytes| {
        let stream = Box::new(Cursor::new(bytes));
        OpenOptions::new().open_stream("sample", stream)
    };
    let labels = LabelColumn::new(open(SAMPLE_LABELS)?, &Column::Index(0))?;
    Ok(open(SAMPLE_IMAGES)?.with_labels(labels)?)
}

impl LabelArguments {
    /// Opens the column of the labels, if a file of labels was given.
    pub(crate) fn open(&self, input: usize, header: bool) -> Result<Option<LabelColumn>, Failure> {
        let Some(path) = self.files.get(input) else {
            return Ok(None);
        };
        let column = self.column.clone();
        let options = OpenOptions::new().labels(Labels::Alone).header(header).label_column(column);
        let labels = open_records(path, &options)?;
        let column = self.column.as_ref().unwrap_or(&Column::Index(0));
        Ok(Some(LabelColumn::new(labels, column)?))
    }

    /// The names of the classes: those that are given, or of the records, or of the well-known file of labels.
    pub(crate) fn names(&self, source: &Source) -> Result<Option<ClassNames>, Failure> {
        Ok(match (&self.classes, source.classes(), self.files.first()) {
            (Some(path), ..) => Some(ClassNames::open(path)?),
            (None, Some(names), _) => Some(names.clone()),
            // Standard input can be read only once. What is wrong with a file, its reader says.
            (None, None, Some(labels)) if labels.is_file() && !is_standard_input(labels) => {
                ClassNames::identify(labels).ok().flatten()
            }
            _ => None,
        })
    }

    /// The records of an input with the labels of the file, if there is one. A header is that of csv.
    pub(crate) fn join(
        &self,
        input: usize,
        header: bool,
        source: Source,
    ) -> Result<Source, Failure> {
        Ok(match self.open(input, header)? {
            Some(labels) => source.with_labels(labels)?,
            None => source,
        })
    }
}

/// Opens a file or folder of any format, or standard input if the path is `-`.
pub(crate) fn open_records(path: &Path, options: &OpenOptions) -> Result<Source, Failure> {
    Ok(match is_standard_input(path) {
        true => options.open_stream(path, standard_input()?)?,
        false => options.open(path)?,
    })
}
