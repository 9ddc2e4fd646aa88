//! Opens an existing file to append records.

use std::fs::{File, OpenOptions};
use std::path::{self, Path};
use std::time::Duration;
use std::{io, thread};

use idx_core::IdxRecord;

use crate::atomic::is_locked_by_another;
use crate::error::{Error, ErrorKind};
use crate::io::access;
use crate::io::source::Source;
use crate::write::file::{FileLayout, RecordFile};
use crate::write::in_place::InPlace;
use crate::write::records::RecordWriter;
use crate::write::writer::{Writer, header_of_one};

impl Writer {
    /// Opens an existing plain file to append records.
    ///
    /// At any time, the file is complete for all readers, with the records committed so far: by
    /// [`commit`](Self::commit), by [`finish`](Self::finish), and after each 256 KiB of records. A reader gets the
    /// records that the file had when it was opened. Only during a commit are there bytes that the header does not
    /// count yet; if the power fails just then, [`repair`](crate::repair) keeps or removes them, as you
    /// [choose](crate::Repair::keep_counted). If the writer is dropped or killed, the records since the last commit are
    /// lost.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("log.idx");
    /// use idx_std::{ElementType, Writer};
    ///
    /// Writer::create(&path, ElementType::I16, &[0, 2])?.finish()?; // no records yet
    ///
    /// let mut log = Writer::append(&path)?;
    /// log.push_bytes(&[0, 1, 0xFF, 0xFF])?;
    /// log.commit()?; // from now on it is safe
    /// assert_eq!(idx_std::load::<i16>(&path)?[..], [1, -1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An error of the system, and, except on Windows, another writer that appends to the file ([`ErrorKind::Io`]); a
    /// pipe or device ([`not_a_regular_file`](ErrorKind::code)); gzip data ([`cannot_append`](ErrorKind::code)); a file
    /// that a [`repair`](crate::repair) corrects ([`ErrorKind::Unfinished`], [`ErrorKind::TrailingBytes`] and
    /// `Truncated`); the errors of a header.
    pub fn append(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        open(path).map_err(|error| error.with_path(path))
    }

    /// Syncs all records to the disk, and then their number. Then they are safe, even if the power fails, and other
    /// programs can read them.
    ///
    /// It waits for the disk twice, which takes milliseconds.
    ///
    /// # Errors
    ///
    /// An error of the system, after which the file has the records of the last commit and this writer accepts no more
    /// ([`ErrorKind::Io`]); a file that was moved, removed, replaced or resized since the last commit, which stays as
    /// it is ([`changed_meanwhile`](ErrorKind::code)); a file that [`append`](Self::append) did not open
    /// ([`cannot_commit`](ErrorKind::code)).
    pub fn commit(&mut self) -> Result<(), Error> {
        self.file.commit()
    }
}

impl<T: IdxRecord> RecordWriter<T> {
    /// Opens an existing plain file of `T` records to append more; see [`Writer::append`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("log.idx");
    /// use idx_std::{IdxRecord, RecordWriter};
    ///
    /// #[derive(IdxRecord)]
    /// struct Reading { seconds: f64, volts: f64 }
    ///
    /// RecordWriter::<Reading>::create(&path)?.finish()?; // no records yet
    ///
    /// let mut log = RecordWriter::<Reading>::append(&path)?;
    /// log.push(&Reading { seconds: 0.5, volts: 3.3 })?;
    /// log.commit()?; // from now on it is safe
    /// assert_eq!(idx_std::load::<f64>(&path)?[..], [0.5, 3.3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::append`], and a file whose element type or shape is not that of `T`
    /// ([`ErrorKind::Format`]).
    pub fn append(path: impl AsRef<Path>) -> Result<Self, Error> {
        Writer::append(path)?.records()
    }

    /// Syncs all records to the disk; see [`Writer::commit`].
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::commit`].
    pub fn commit(&mut self) -> Result<(), Error> {
        self.writer.commit()
    }
}

fn open(path: &Path) -> Result<Writer, Error> {
    let file = open_locked(path, File::options().read(true).write(true))?;
    let mut source = Source::seekable(&file)?;
    if source.is_gzip() {
        return Err(ErrorKind::CannotAppend.into());
    }
    let header = source.read_header()?;
    header.check_file_size(source.file_size().unwrap_or(0))?;
    let layout = FileLayout::of(&header_of_one(header.element_type(), header.dims())?);
    // Absolute, because this process may change its folder.
    let name = path::absolute(path)?;
    let file = InPlace::new(file, name, header.file_size(), header.record_count());
    let count = header.record_count().into();
    let file = RecordFile::append(path, file, &layout, count)?;
    Ok(Writer { header, file })
}

/// Opens a regular file, and locks it against other writers.
pub(super) fn open_locked(path: &Path, options: &mut OpenOptions) -> Result<File, ErrorKind> {
    let file = access::open_regular_with(path, options)?;
    lock(&file)?;
    Ok(file)
}

/// Locks the file until it is closed: two writers would overwrite each other's records.
fn lock(file: &File) -> io::Result<()> {
    // A child process that is just being started holds this process's files for a moment, and with them the
    // lock of a file that was closed.
    for _ in 0..100 {
        if !is_locked_by_another(file) {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(10));
    }
    Err(io::Error::new(
        io::ErrorKind::ResourceBusy,
        "another writer appends to this file or repairs it; wait until it has finished",
    ))
}
