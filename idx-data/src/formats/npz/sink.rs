//! Writes the parts of a set into one npz archive.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::error::{At, Error};
use crate::formats::RecordSink;
use crate::formats::npy::NpySink;
use crate::known::file::CHUNK_SIZE;
use crate::names::path::folder_of;
use crate::record::value::append_label;
use crate::record::{Facts, Record, RecordLayout};
use idx_std::__private::Staged;
use idx_std::AtomicFile;

type Archive = Arc<Mutex<ZipWriter<KeepsError>>>;

/// A part of a set in an archive: the arrays `x_train` and `y_train`, or `x` and `y` for a part without a name.
pub(crate) struct NpzPart {
    archive: Archive,
    name: String,
}

impl NpzPart {
    /// Starts the only part of a new archive, without a name.
    pub(crate) fn create(path: &Path, create_new: bool) -> Result<Self, Error> {
        let file = AtomicFile::start(path, create_new)?;
        let archive = ZipWriter::new(KeepsError { file, position: 0, error: None });
        Ok(Self { archive: Arc::new(Mutex::new(archive)), name: String::new() })
    }

    /// Starts another part of the same archive.
    pub(crate) fn named(&self, name: &str) -> Self {
        Self { archive: Arc::clone(&self.archive), name: name.to_string() }
    }
}

/// Writes the arrays of a part, each to its own file until the number of records is known. The last part completes the
/// archive.
pub(crate) struct NpzSink {
    part: NpzPart,
    records: NpySink,
    labels: Option<NpySink>,
    label: Vec<u8>,
}

impl NpzSink {
    pub(crate) fn create(path: &Path, part: NpzPart, facts: &Facts) -> Result<Self, Error> {
        let array = |layout: &RecordLayout| {
            let file = tempfile::tempfile_in(folder_of(path)).at(path)?;
            NpySink::in_file(file, layout).at(path)
        };
        let records = array(&facts.layout)?;
        let label_type = facts.label_type.filter(|_| facts.has_labels);
        let labels = label_type.map(|label_type| array(&RecordLayout::new(label_type, &[0])));
        Ok(Self { part, records, labels: labels.transpose()?, label: Vec::new() })
    }
}

impl RecordSink for NpzSink {
    fn push(&mut self, records: &Record, _: u64) -> Result<(), Error> {
        // First, so that a label that is refused leaves no record without one.
        self.label.clear();
        if let (Some(label), Some(labels)) = (records.label, &self.labels) {
            append_label(label, labels.element_type, &mut self.label)?;
        }
        self.records.push_bytes(&records.bytes)?;
        match &mut self.labels {
            Some(labels) => labels.push_bytes(&self.label),
            None => Ok(()),
        }
    }

    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error> {
        let Self { part, records, labels, .. } = *self;
        let separator = if part.name.is_empty() { "" } else { "_" };
        for (word, array) in [("x", Some(records)), ("y", labels)] {
            if let Some(array) = array {
                let (file, _) = array.complete()?;
                let mut archive = part.archive.lock().unwrap_or_else(PoisonError::into_inner);
                let name = format!("{word}{separator}{}.npy", part.name);
                append(&mut archive, &name, file)?;
            }
        }
        // The last part holds the last reference to the archive.
        let Some(archive) = Arc::into_inner(part.archive) else {
            return Ok(None);
        };
        let archive = archive.into_inner().unwrap_or_else(PoisonError::into_inner);
        let KeepsError { file, error, .. } = archive.finish().map_err(write_error)?;
        error.map_or(Ok(()), Err)?;
        Ok(Some(file.stage()?))
    }
}

/// Appends a file without compression, as `numpy.savez` does.
fn append(archive: &mut ZipWriter<KeepsError>, name: &str, mut file: File) -> io::Result<()> {
    let size = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let options = SimpleFileOptions::DEFAULT.compression_method(CompressionMethod::Stored);
    let is_large = u32::try_from(size).is_err();
    archive.start_file(name, options.large_file(is_large)).map_err(write_error)?;
    io::copy(&mut BufReader::with_capacity(CHUNK_SIZE, file), archive)?;
    Ok(())
}

/// A file that keeps its first error for the end, and accepts everything after it, because the writer of `zip` panics
/// if it is dropped after an error.
struct KeepsError {
    file: AtomicFile,
    position: u64,
    error: Option<io::Error>,
}

impl KeepsError {
    /// Returns the result of a call, or `otherwise` from the first error on. An interrupted call is an error, so that
    /// the caller repeats it.
    fn call<T>(
        &mut self,
        call: impl FnOnce(&mut AtomicFile) -> io::Result<T>,
        otherwise: T,
    ) -> io::Result<T> {
        if self.error.is_some() {
            return Ok(otherwise);
        }
        call(&mut self.file).or_else(|error| match error.kind() {
            io::ErrorKind::Interrupted => Err(error),
            _ => {
                self.error = Some(error);
                Ok(otherwise)
            }
        })
    }
}

impl Write for KeepsError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.call(|file| file.write(bytes), bytes.len())?;
        self.position += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call(Write::flush, ())
    }
}

impl Seek for KeepsError {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let otherwise = match to {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(distance) | SeekFrom::End(distance) => {
                self.position.saturating_add_signed(distance)
            }
        };
        self.position = self.call(|file| file.seek(to), otherwise)?;
        Ok(self.position)
    }
}

/// Returns the I/O error inside an error of the library. Its kind identifies a full disk.
fn write_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}
