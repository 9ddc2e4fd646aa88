use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use idx_core::{ElementType, Header};

use crate::sink::Sink;
use crate::source::{CHUNK_SIZE, to_usize};
use crate::target::Target;
use crate::{Error, ErrorKind};

/// How to write a file: gzip or not, and how hard to compress.
///
/// ```no_run
/// use idx_std::{WriteOptions, Writer};
///
/// let mut writer = Writer::<u8>::create_with("labels.gz", WriteOptions::new().level(9))?;
/// writer.push(&7)?;
/// writer.finish()?;
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    gzip: Option<bool>,
    level: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl WriteOptions {
    /// Gzip if the name of the file ends in `.gz`, of level 6.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            gzip: None,
            level: 6,
        }
    }

    /// Gzip or not, whatever the name.
    #[must_use]
    pub const fn gzip(self, gzip: bool) -> Self {
        Self {
            gzip: Some(gzip),
            ..self
        }
    }

    /// The level of gzip, from 0 (stored) to 9 (smallest); more is taken for 9.
    #[must_use]
    pub const fn level(self, level: u32) -> Self {
        Self {
            level: if level > 9 { 9 } else { level },
            ..self
        }
    }

    /// The level, if it is to be gzip.
    fn gzip_level(self, path: Option<&Path>) -> Option<u32> {
        let by_name = || {
            path.and_then(Path::extension)
                .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
        };
        self.gzip.unwrap_or_else(by_name).then_some(self.level)
    }
}

/// Writes records given as bytes; element type and shape are known at run time.
///
/// The number of records need not be known in advance. A file appears under its name only when
/// [`finish`](Self::finish) succeeds; until then a file of that name stays as it was.
///
/// ```
/// use std::io::Cursor;
/// use idx_std::{DynWriter, ElementType};
///
/// let mut writer = DynWriter::new(Cursor::new(Vec::new()), ElementType::I16, &[2])?;
/// writer.push_bytes(&[0, 1, 0xFF, 0xFF])?; // big-endian, as in the file: 1, -1
/// let file = writer.finish()?.into_inner();
/// assert_eq!(file, [0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0xFF, 0xFF]);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct DynWriter<W: Write = File> {
    sink: Sink<W>,
    /// The header, with a number of records that is not yet right.
    header: Vec<u8>,
    record_size: usize,
    record_count: u32,
    /// The most records that there can be.
    most: u32,
    /// Room for whole records, and how much of it is filled with those that the sink does not have.
    buffer: Vec<u8>,
    filled: usize,
    /// Whether a write failed, so that the file cannot be finished.
    failed: bool,
    target: Option<Target>,
    path: Option<PathBuf>,
}

impl DynWriter {
    /// Starts a file: gzip if its name ends in `.gz`.
    ///
    /// `record_shape` has the sizes of a record's dimensions; `&[]` makes a file of rank 1.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`], [`ErrorKind::Folder`], and those of [`DynWriter::new`].
    pub fn create(
        path: impl AsRef<Path>,
        element_type: ElementType,
        record_shape: &[u32],
    ) -> Result<Self, Error> {
        Self::create_with(path, element_type, record_shape, WriteOptions::new())
    }

    /// Starts a file with options.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::create`].
    pub fn create_with(
        path: impl AsRef<Path>,
        element_type: ElementType,
        record_shape: &[u32],
        options: WriteOptions,
    ) -> Result<Self, Error> {
        let header = header(element_type, Some(record_shape));
        Self::create_file(path.as_ref(), header, options)
    }

    /// Starts a file of rank 0, for a single element.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::create`].
    pub fn scalar(path: impl AsRef<Path>, element_type: ElementType) -> Result<Self, Error> {
        Self::scalar_with(path, element_type, WriteOptions::new())
    }

    /// Starts a file of rank 0 with options.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::create`].
    pub fn scalar_with(
        path: impl AsRef<Path>,
        element_type: ElementType,
        options: WriteOptions,
    ) -> Result<Self, Error> {
        let header = header(element_type, None);
        Self::create_file(path.as_ref(), header, options)
    }

    fn create_file(
        path: &Path,
        header: Result<Vec<u8>, ErrorKind>,
        options: WriteOptions,
    ) -> Result<Self, Error> {
        let create = || {
            let header = header?;
            let (file, target) = Target::create(path)?;
            let mut writer = Self::from_header(file, header, options.gzip_level(Some(path)))?;
            writer.target = Some(target);
            writer.path = Some(path.to_path_buf());
            Ok(writer)
        };
        create().map_err(|kind: ErrorKind| Error::from(kind).with_path(Some(path)))
    }
}

impl<W: Write + Seek> DynWriter<W> {
    /// Starts a file in a sink, at its current position; plain.
    ///
    /// Bytes are given to the sink in large pieces, it needs no buffer of its own. Without `finish`
    /// what is in it is no valid file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooManyDimensions`], [`ErrorKind::Format`] if a record does not fit in memory,
    /// and [`ErrorKind::Io`].
    pub fn new(sink: W, element_type: ElementType, record_shape: &[u32]) -> Result<Self, Error> {
        Self::new_with(sink, element_type, record_shape, WriteOptions::new())
    }

    /// Starts a file in a sink, with options.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::new`].
    pub fn new_with(
        sink: W,
        element_type: ElementType,
        record_shape: &[u32],
        options: WriteOptions,
    ) -> Result<Self, Error> {
        let header = header(element_type, Some(record_shape))?;
        Ok(Self::from_header(sink, header, options.gzip_level(None))?)
    }

    fn from_header(sink: W, header: Vec<u8>, level: Option<u32>) -> Result<Self, ErrorKind> {
        let (parsed, _) = Header::parse(&header)?;
        let record_size = to_usize(parsed.payload_size())?; // of one record, as it stands
        let most = if parsed.rank() == 0 { 1 } else { u32::MAX };
        Ok(Self {
            sink: Sink::new(sink, &header, level)?,
            header,
            record_size,
            record_count: 0,
            most,
            buffer: Vec::new(),
            filled: 0,
            failed: false,
            target: None,
            path: None,
        })
    }

    /// Appends a record, given as its big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::RecordSize`] and [`ErrorKind::TooManyRecords`], which leave the file as it was;
    /// [`ErrorKind::Io`], after which it cannot be finished.
    pub fn push_bytes(&mut self, record: &[u8]) -> Result<(), Error> {
        let expected = self.record_size;
        if record.len() != expected {
            return Err(self.error(ErrorKind::RecordSize {
                expected,
                found: record.len(),
            }));
        }
        self.make_room()?;
        self.next_bytes(1).copy_from_slice(record);
        self.append(1);
        Ok(())
    }

    /// Makes room in the buffer for a record at least, if the file can have one more.
    #[inline]
    pub(crate) fn make_room(&mut self) -> Result<(), Error> {
        let room = self.buffer.len() - self.filled;
        if room < self.record_size || self.record_count == self.most {
            self.empty_buffer()
        } else {
            Ok(())
        }
    }

    // Apart, so that `push` is small enough to be inlined.
    #[cold]
    #[inline(never)]
    fn empty_buffer(&mut self) -> Result<(), Error> {
        if self.record_count == self.most {
            return Err(self.error(ErrorKind::TooManyRecords { most: self.most }));
        }
        self.flush().map_err(|kind| self.error(kind))?;
        self.buffer.resize(self.record_size.max(CHUNK_SIZE), 0);
        Ok(())
    }

    /// For how many records there is room.
    pub(crate) fn room(&self) -> u32 {
        let in_header = self.most - self.record_count;
        let in_buffer = (self.buffer.len() - self.filled).checked_div(self.record_size);
        let in_buffer = in_buffer.and_then(|room| u32::try_from(room).ok());
        in_buffer.map_or(in_header, |room| room.min(in_header))
    }

    /// The bytes that the next records will have, for which there is room.
    #[inline]
    pub(crate) fn next_bytes(&mut self, records: u32) -> &mut [u8] {
        let end = self.filled + records as usize * self.record_size;
        self.buffer.get_mut(self.filled..end).unwrap_or_default()
    }

    /// Appends the records whose bytes were written to [`next_bytes`](Self::next_bytes).
    #[inline]
    pub(crate) fn append(&mut self, records: u32) {
        self.filled += records as usize * self.record_size;
        self.record_count += records;
    }

    /// The error for the next record, which holds a value that its type does not allow.
    #[cold]
    #[inline(never)]
    pub(crate) fn refused(&self, value: i64) -> Error {
        let record = u64::from(self.record_count);
        self.error(idx_core::Error::ValueNotAllowed { record, value }.into())
    }

    /// Gives the buffered records to the sink.
    fn flush(&mut self) -> Result<(), ErrorKind> {
        if self.failed {
            return Err(ErrorKind::Abandoned);
        }
        let records = self.buffer.get(..self.filled).unwrap_or_default();
        let written = self.sink.write(records);
        self.filled = 0;
        if written.is_err() {
            self.failed = true;
            // Without room the next `push` comes here, too, and is told.
            self.buffer = Vec::new();
        }
        Ok(written?)
    }

    /// Fills in the number of records and completes the file; one that was created by its path now
    /// has its name. Gives the sink back.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]; [`ErrorKind::Abandoned`] if a `push` had failed to write;
    /// [`ErrorKind::NoScalar`]. Then a file of the name, if there was one, is as it was.
    pub fn finish(mut self) -> Result<W, Error> {
        let path = self.path.take();
        self.complete()
            .map_err(|kind| Error::from(kind).with_path(path.as_deref()))
    }

    fn complete(mut self) -> Result<W, ErrorKind> {
        self.flush()?;
        // A header of rank 0 has no place for the number.
        if let Some(count) = self.header.get_mut(4..8) {
            count.copy_from_slice(&self.record_count.to_be_bytes());
        } else if self.record_count == 0 {
            return Err(ErrorKind::NoScalar);
        }
        let sink = self.sink.finish(&self.header)?;
        if let Some(target) = self.target {
            target.commit()?;
        }
        Ok(sink)
    }

    #[cold]
    fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind)
            .with_path(self.path.as_deref())
            .with_records(u64::from(self.record_count))
    }
}

/// The header of a file with one record; `None` is rank 0.
fn header(element_type: ElementType, record_shape: Option<&[u32]>) -> Result<Vec<u8>, ErrorKind> {
    let mut sizes = Vec::new();
    if let Some(record_shape) = record_shape {
        sizes.push(1);
        sizes.extend_from_slice(record_shape);
    }
    let rank = u8::try_from(sizes.len()).map_err(|_| ErrorKind::TooManyDimensions {
        found: sizes.len() - 1,
    })?;
    let mut header = vec![0, 0, element_type.code(), rank];
    header.extend(sizes.into_iter().flat_map(u32::to_be_bytes));
    Ok(header)
}
