use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use idx_std::{DynReader, Error, ErrorKind, Header};

use crate::term::failure::Failure;
use crate::term::progress::Progress;

/// Images and labels that are part of the program, as `sample/draw.rs` draws them.
const SAMPLE_IMAGES: &[u8] = include_bytes!("../../sample/digits-images-idx3-ubyte");
const SAMPLE_LABELS: &[u8] = include_bytes!("../../sample/digits-labels-idx1-ubyte");

/// A file that is read record by record, and its name for messages.
pub(crate) struct Input {
    path: PathBuf,
    reader: DynReader<Bytes>,
    progress: Option<Progress>,
}

/// The bytes of a file, or of what can be read only once.
enum Bytes {
    File(File),
    Stream(Box<dyn Read>),
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(position),
            // What is refused here is read instead.
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

impl Input {
    /// Opens a file, or standard input if the path is `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Self::stream(path, standard_input()?);
        }
        // First, as some systems answer that a folder may not be opened.
        if path.is_dir() {
            return Err(Failure::data(path, ErrorKind::Folder));
        }
        let file = File::open(path).map_err(|error| Failure::io(path, error))?;
        Self::new(path, Bytes::File(file))
    }

    /// The images of the built-in sample.
    pub(crate) fn sample_images() -> Result<Self, Failure> {
        Self::stream(Path::new("sample"), Box::new(SAMPLE_IMAGES))
    }

    /// Their labels.
    pub(crate) fn sample_labels() -> Result<Self, Failure> {
        Self::stream(Path::new("sample"), Box::new(SAMPLE_LABELS))
    }

    /// Reads a stream; the path is for messages.
    pub(crate) fn stream(path: &Path, read: Box<dyn Read>) -> Result<Self, Failure> {
        Self::new(path, Bytes::Stream(read))
    }

    fn new(path: &Path, bytes: Bytes) -> Result<Self, Failure> {
        Ok(Self {
            path: path.to_path_buf(),
            reader: DynReader::new(bytes).map_err(|error| Failure::data(path, error))?,
            progress: None,
        })
    }

    /// That something is wrong with this file.
    pub(crate) fn fail(&self, text: impl Into<String>) -> Failure {
        Failure::file(&self.path, text)
    }

    pub(crate) fn header(&self) -> Header<'_> {
        self.reader.header()
    }

    pub(crate) fn is_gzip(&self) -> bool {
        self.reader.compression().is_some()
    }

    /// Reads all, and finds out which well-known file it is.
    pub(crate) fn identify(self) -> Result<Option<String>, Failure> {
        let Self { path, reader, .. } = self;
        let mut progress = Progress::new(&path, Some(reader.header().payload_size()));
        let known = reader.identify_with(|records| progress.advance(records.len() as u64));
        let known = known.map_err(|error| Failure::data(&path, error))?;
        Ok(known.map(|known| known.to_string()))
    }

    /// Goes forward to a record.
    pub(crate) fn skip_to(&mut self, index: u64) -> Result<(), Failure> {
        let skipped = self.reader.skip_to(index);
        skipped.map_err(|error| Failure::data(&self.path, error))
    }

    /// Reads these records and no others.
    pub(crate) fn select(&mut self, range: Range<u64>) -> Result<(), Failure> {
        let selected = self.reader.select(range);
        selected.map_err(|error| Failure::data(&self.path, error))
    }

    /// Shows from now on how far the records are read, if that takes long.
    pub(crate) fn with_progress(mut self) -> Self {
        let size = self.header().payload_size();
        self.progress = Some(Progress::new(&self.path, Some(size)));
        self
    }

    /// The next record; `None` once all were given and, after the last one of the file, the end was
    /// checked.
    pub(crate) fn next_record(&mut self) -> Option<Result<&[u8], Failure>> {
        let record = self.reader.next_record();
        advance(&mut self.progress, record.as_ref());
        record.map(|record| record.map_err(|error| Failure::data(&self.path, error)))
    }

    /// Several whole records, for those who do not look at each.
    pub(crate) fn next_records(&mut self) -> Option<Result<&[u8], Failure>> {
        let records = self.reader.next_records();
        advance(&mut self.progress, records.as_ref());
        records.map(|records| records.map_err(|error| Failure::data(&self.path, error)))
    }
}

/// Standard input, which can be read only once.
pub(crate) fn standard_input() -> Result<Box<dyn Read>, Failure> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        let text = "standard input was read already; use `-` only once";
        return Err(Failure::file(Path::new("-"), text));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// The size of a regular file in bytes, which has to be that of its header if the file is plain.
pub(crate) fn checked_size(path: &Path) -> Result<Option<u64>, Failure> {
    if !path.is_file() || path.as_os_str() == "-" {
        return Ok(None);
    }
    let checked = DynReader::open(path).and_then(|reader| {
        reader.check_length()?;
        Ok(reader.file_size())
    });
    checked.map_err(|error| Failure::data(path, error))
}

/// Counts what was read, and removes the bar at the end or at an error.
fn advance(progress: &mut Option<Progress>, read: Option<&Result<&[u8], Error>>) {
    match (progress.as_mut(), read) {
        (None, _) => {}
        (Some(progress), Some(Ok(bytes))) => progress.advance(bytes.len() as u64),
        (Some(_), _) => *progress = None,
    }
}
