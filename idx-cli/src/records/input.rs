use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::RangeBounds;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use idx_std::dataset::{self, KnownFile};
use idx_std::formats::{self, JoinedSource, LabelColumn, SourceOptions};
use idx_std::stats::{Stats, Summary};
use idx_std::{Error, ErrorKind, HeaderBuf, ImageLayout, Reader};

use crate::args::{LabelArguments, LimitArguments};
use crate::term::failure::Failure;
use crate::term::progress::Progress;

/// Images and labels that are part of the program, as `sample/draw.rs` draws them.
const SAMPLE_IMAGES: &[u8] = include_bytes!("../../sample/digits-images-idx3-ubyte");
const SAMPLE_LABELS: &[u8] = include_bytes!("../../sample/digits-labels-idx1-ubyte");

/// A file that is read record by record, and its name for messages.
pub(crate) struct Input {
    path: PathBuf,
    reader: Reader<Box<dyn Bytes>>,
    progress: Option<Progress>,
}

/// The bytes of a file, or of what can be read only once.
trait Bytes: Read + Seek {}

impl<B: Read + Seek> Bytes for B {}

/// Has no positions: what lies between is read instead.
struct Stream(Box<dyn Read>);

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
    /// Opens a file, or standard input if the path is `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Self::new(path, Box::new(Stream(standard_input()?)));
        }
        formats::check_interrupted(path)?;
        // First, as some systems answer that a folder may not be opened.
        if path.is_dir() {
            let error: Error = ErrorKind::IsADirectory.into();
            return Err(error.with_path(path).into());
        }
        let file = File::open(path).map_err(|error| Failure::io(path, error))?;
        Self::new(path, Box::new(file))
    }

    /// The images of the built-in sample.
    pub(crate) fn sample_images() -> Result<Self, Failure> {
        Self::new(Path::new("sample"), Box::new(Cursor::new(SAMPLE_IMAGES)))
    }

    fn new(path: &Path, bytes: Box<dyn Bytes>) -> Result<Self, Failure> {
        Ok(Self {
            path: path.to_path_buf(),
            reader: match Reader::seekable(bytes) {
                Ok(reader) => reader.with_path(path),
                Err(error) => return Err(error.with_path(path).into()),
            },
            progress: None,
        })
    }

    /// That something is wrong with this file.
    pub(crate) fn fail(&self, text: impl Into<String>) -> Failure {
        Failure::file(&self.path, text)
    }

    pub(crate) fn header(&self) -> &HeaderBuf {
        self.reader.header()
    }

    /// That these records cannot be selected.
    pub(crate) fn formats_error(&self, kind: formats::ErrorKind) -> Failure {
        formats::Error::from(kind).with_path(&self.path).into()
    }

    /// How the pixels of a record lie in it, if it is a picture.
    pub(crate) fn image_layout(&self) -> Option<ImageLayout> {
        ImageLayout::from_shape(self.header().record_shape())
    }

    pub(crate) fn is_gzip(&self) -> bool {
        self.reader.is_gzip()
    }

    /// The size of the file in bytes, if it is known.
    pub(crate) fn file_size(&self) -> Option<u64> {
        self.reader.file_size()
    }

    /// Checks that a plain file has the size that its header says.
    pub(crate) fn check_length(&self) -> Result<(), Failure> {
        Ok(self.reader.check_length()?)
    }

    /// Reads the whole file, and finds out which well-known one it is.
    pub(crate) fn identify(self) -> Result<Option<KnownFile>, Failure> {
        let Self { path, reader, .. } = self;
        let mut progress = Progress::new(&path, Some(reader.header().payload_size()));
        let known = dataset::identify_reader(reader, |records| {
            progress.advance(records.len() as u64);
        });
        Ok(known?)
    }

    /// Rejects a file with larger records.
    pub(crate) fn limited(mut self, limit: &LimitArguments) -> Result<Self, Failure> {
        let limited = self.reader.record_limit(limit.record_limit);
        self.reader = limited.map_err(|error| error.with_path(&self.path))?;
        Ok(self)
    }

    /// Reads these records and no others.
    pub(crate) fn select(&mut self, range: impl RangeBounds<u64>) -> Result<(), Failure> {
        self.reader.select(range)?;
        Ok(())
    }

    /// Shows from now on how far the records are read, if that takes long.
    pub(crate) fn with_progress(mut self) -> Self {
        let size = self.header().payload_size();
        self.progress = Some(Progress::new(&self.path, Some(size)));
        self
    }

    /// The next record; `None` once all were given and, after the last one of the file, the end was
    /// checked.
    pub(crate) fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        let record = self.reader.next_record();
        advance(&mut self.progress, record.as_ref());
        record
    }

    /// Reads the whole file, and summarizes its elements.
    pub(crate) fn summary(mut self) -> Result<Summary, Failure> {
        let mut stats = Stats::new(self.header().element_type());
        while let Some(records) = self.reader.next_records() {
            advance(&mut self.progress, Some(&records));
            stats.push_bytes(records?);
        }
        Ok(stats.summary())
    }
}

/// The labels of the built-in sample.
pub(crate) fn sample_labels() -> Result<LabelColumn, Failure> {
    let options = SourceOptions::default();
    let labels = formats::open_stream("sample", Box::new(SAMPLE_LABELS), &options)?;
    Ok(LabelColumn::new("sample", Box::new(labels), 0)?)
}

impl LabelArguments {
    /// Opens the column of the labels, if there is a file.
    pub(crate) fn open(&self) -> Result<Option<LabelColumn>, Failure> {
        let Some(path) = &self.file else {
            return Ok(None);
        };
        let labels = open_records(path, &SourceOptions::default())?;
        let column = self.column.unwrap_or(0);
        Ok(Some(LabelColumn::new(path, Box::new(labels), column)?))
    }
}

/// Opens a file or folder of any format, or standard input if the path is `-`.
pub(crate) fn open_records(path: &Path, options: &SourceOptions) -> Result<JoinedSource, Failure> {
    Ok(match path.as_os_str() == "-" {
        true => formats::open_stream(path, standard_input()?, options)?,
        false => formats::open(path, options)?,
    })
}

/// Standard input, which can be read only once.
fn standard_input() -> Result<Box<dyn Read>, Failure> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        let text = "standard input was read already; use `-` only once";
        return Err(Failure::file(Path::new("-"), text));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// Counts what was read, and removes the bar at the end or at an error.
fn advance(progress: &mut Option<Progress>, read: Option<&Result<&[u8], Error>>) {
    match (progress.as_mut(), read) {
        (None, _) => {}
        (Some(progress), Some(Ok(bytes))) => progress.advance(bytes.len() as u64),
        (Some(_), _) => *progress = None,
    }
}
