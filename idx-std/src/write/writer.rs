use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use idx_core::{ElementType, IdxRecord};

use super::records::RecordWriter;
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::sink::Sink;
use crate::io::{CHUNK_SIZE, Target, to_usize};

/// How to write a file: gzip or not, and how hard to compress.
///
/// ```no_run
/// use idx_std::{ElementType, WriteOptions};
///
/// let options = WriteOptions::new().level(9);
/// let mut labels = options.create("labels.gz", ElementType::U8, &[0])?.records::<u8>()?;
/// labels.push(&7)?;
/// labels.finish()?;
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
    /// Gzip of level 6 if the name of the file ends in `.gz`, otherwise plain.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            gzip: None,
            level: 6,
        }
    }

    /// Compresses or not, whatever the name.
    #[must_use]
    pub const fn gzip(self, gzip: bool) -> Self {
        Self {
            gzip: Some(gzip),
            ..self
        }
    }

    /// The level of gzip, from 0 (stored) to 9 (smallest); a larger one counts as 9.
    #[must_use]
    pub const fn level(self, level: u32) -> Self {
        Self {
            level: if level > 9 { 9 } else { level },
            ..self
        }
    }

    /// Starts a file, as [`Writer::create`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn create(
        self,
        path: impl AsRef<Path>,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Writer, Error> {
        let path = path.as_ref();
        let create = || {
            let header = header_of_one(element_type, dims)?;
            let layout = FileLayout::of(&header);
            let file = RecordFile::create(path, &layout, self.gzip_level(Some(path)))?;
            Ok(Writer { header, file })
        };
        create().map_err(|error: Error| error.with_path(path))
    }

    /// Starts a file in a sink, as [`Writer::new`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn write_to<W: Write + Seek>(
        self,
        sink: W,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Writer<W>, Error> {
        let header = header_of_one(element_type, dims)?;
        let layout = FileLayout::of(&header);
        let file = RecordFile::start(sink, &layout, self.gzip_level(None))?;
        Ok(Writer { header, file })
    }

    /// The level, if the file is compressed.
    fn gzip_level(self, path: Option<&Path>) -> Option<u32> {
        let by_name = || {
            path.and_then(Path::extension)
                .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
        };
        self.gzip.unwrap_or_else(by_name).then_some(self.level)
    }
}

/// The header of a file with one record, whose payload has the size of a record.
fn header_of_one(element_type: ElementType, dims: &[u32]) -> Result<HeaderBuf, Error> {
    let mut dims = dims.to_vec();
    if let Some(count) = dims.first_mut() {
        *count = 1;
    }
    HeaderBuf::new(element_type, &dims)
}

/// Writes records given as bytes; element type and shape are known at run time.
///
/// `dims` are the sizes of all dimensions. The first one, the number of records, need not be known in
/// advance: `finish` fills it in, whatever was given. `&[]` is a file of rank 0, of one element.
///
/// A file appears under its name only when [`finish`](Self::finish) succeeds; until then a file of that
/// name stays as it was.
///
/// ```
/// use std::io::Cursor;
/// use idx_std::{ElementType, Writer};
///
/// let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::I16, &[0, 2])?;
/// writer.push_bytes(&[0, 1, 0xFF, 0xFF])?; // big-endian, as in the file: 1, -1
/// let file = writer.finish()?.into_inner();
/// assert_eq!(file, [0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0xFF, 0xFF]);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct Writer<W: Write = File> {
    pub(super) header: HeaderBuf,
    pub(super) file: RecordFile<W>,
}

impl Writer {
    /// Starts a file: gzip if its name ends in `.gz`; see [`WriteOptions`] for more.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`], [`ErrorKind::IsADirectory`], and those of [`Writer::new`].
    pub fn create(
        path: impl AsRef<Path>,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Self, Error> {
        WriteOptions::new().create(path, element_type, dims)
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a file in a sink, at its current position; plain.
    ///
    /// The sink receives large pieces and needs no buffer of its own. Without `finish` it does not hold
    /// a valid file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooManyDimensions`], [`ErrorKind::Format`] if a record does not fit in memory,
    /// and [`ErrorKind::Io`].
    pub fn new(sink: W, element_type: ElementType, dims: &[u32]) -> Result<Self, Error> {
        WriteOptions::new().write_to(sink, element_type, dims)
    }

    /// The same file for records of type `T`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type or shape is not that of `T`.
    pub fn records<T: IdxRecord>(self) -> Result<RecordWriter<T, W>, Error> {
        RecordWriter::from_parts(self.header, self.file)
    }

    /// The element type and the sizes, with the number of records so far.
    #[must_use]
    pub fn header(&self) -> HeaderBuf {
        self.file.header(&self.header)
    }

    /// Appends a record, given as its big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::RecordSize`] and [`ErrorKind::TooManyRecords`], which leave the file as it was;
    /// [`ErrorKind::Io`], after which it cannot be finished.
    pub fn push_bytes(&mut self, record: &[u8]) -> Result<(), Error> {
        self.file.push_bytes(record, |_| ())
    }

    /// Appends a record whose big-endian bytes `write` fills in, without a copy. Returns what `write`
    /// returns; `None` leaves the file as it was.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use idx_std::{ElementType, IdxRecord, Writer};
    ///
    /// let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::F32, &[0, 2])?;
    /// writer.push_with(|bytes| [0.5f32, 1.0].encode(bytes))?;
    /// assert_eq!(writer.finish()?.into_inner()[12..], [0x3F, 0, 0, 0, 0x3F, 0x80, 0, 0]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooManyRecords`] and [`ErrorKind::Io`], as [`push_bytes`](Self::push_bytes).
    pub fn push_with(
        &mut self,
        write: impl FnOnce(&mut [u8]) -> Option<()>,
    ) -> Result<Option<()>, Error> {
        self.file.push_with(1, write)
    }

    #[cfg(feature = "ndarray-v0.17")]
    pub(crate) fn value_not_allowed(&self, value: i64) -> Error {
        self.file.value_not_allowed(value)
    }

    /// Fills in the number of records and completes the file; a file created by its path now appears
    /// under its name. Returns the sink.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]; [`ErrorKind::WriteFailedEarlier`] if an earlier `push` failed to write;
    /// [`ErrorKind::MissingElement`]. An existing file of that name then stays as it was.
    pub fn finish(self) -> Result<W, Error> {
        let header = self.header();
        self.file.finish(&header.to_bytes())
    }
}

/// The start of a file of records, and how many of which size may follow.
pub(crate) struct FileLayout {
    /// The header, of the same length as the final one.
    pub(crate) header: Vec<u8>,
    pub(crate) record_size: u64,
    pub(crate) max_records: u64,
}

impl FileLayout {
    fn of(header: &HeaderBuf) -> Self {
        Self {
            header: header.to_bytes(),
            record_size: header.payload_size(), // of one record
            max_records: if header.rank() == 0 {
                1
            } else {
                u32::MAX.into()
            },
        }
    }
}

/// Records of equal size on their way into a file, whatever the format; the header comes last.
#[derive(Debug)]
pub(crate) struct RecordFile<W: Write> {
    sink: Sink<W>,
    record_size: usize,
    record_count: u64,
    max_records: u64,
    /// Room for whole records, and how much of it holds records that the sink does not have yet.
    buffer: Vec<u8>,
    filled: usize,
    /// Whether a write failed, so that the file cannot be finished.
    failed: bool,
    target: Option<Target>,
    path: Option<PathBuf>,
}

impl RecordFile<File> {
    /// Starts a file that appears under its name when it is finished.
    pub(crate) fn create(
        path: &Path,
        layout: &FileLayout,
        gzip_level: Option<u32>,
    ) -> Result<Self, ErrorKind> {
        let (file, target) = Target::create(path)?;
        Ok(Self {
            target: Some(target),
            path: Some(path.to_path_buf()),
            ..Self::start(file, layout, gzip_level)?
        })
    }
}

impl<W: Write + Seek> RecordFile<W> {
    /// Starts a file in a sink, at its current position.
    pub(crate) fn start(
        sink: W,
        layout: &FileLayout,
        gzip_level: Option<u32>,
    ) -> Result<Self, ErrorKind> {
        let record_size = to_usize(layout.record_size)?;
        Ok(Self {
            sink: Sink::new(sink, &layout.header, gzip_level)?,
            record_size,
            record_count: 0,
            max_records: layout.max_records,
            buffer: Vec::new(),
            filled: 0,
            failed: false,
            target: None,
            path: None,
        })
    }

    pub(crate) fn record_count(&self) -> u64 {
        self.record_count
    }

    /// The header of an IDX file with these records.
    pub(crate) fn header(&self, header: &HeaderBuf) -> HeaderBuf {
        let count = u32::try_from(self.record_count);
        debug_assert!(count.is_ok(), "an IDX file counts with 32 bits");
        header.with_record_count(count.unwrap_or(u32::MAX))
    }

    /// Appends a record whose bytes `order` brings into the order of the file.
    pub(crate) fn push_bytes(
        &mut self,
        record: &[u8],
        order: impl FnOnce(&mut [u8]),
    ) -> Result<(), Error> {
        let (expected, found) = (self.record_size, record.len());
        if found != expected {
            return Err(self.error(ErrorKind::RecordSize { expected, found }));
        }
        self.push_with(1, |bytes| {
            bytes.copy_from_slice(record);
            order(bytes);
            Some(())
        })
        .map(|_| ())
    }

    /// Appends this many records, whose bytes `write` fills in; nothing if it returns `None`.
    #[inline]
    pub(crate) fn push_with(
        &mut self,
        records: usize,
        write: impl FnOnce(&mut [u8]) -> Option<()>,
    ) -> Result<Option<()>, Error> {
        let size = records * self.record_size;
        let max = self.max_records - self.record_count;
        if self.buffer.len() - self.filled < size || max < records as u64 {
            self.make_room(records, size)?;
        }
        let bytes = self.buffer.get_mut(self.filled..self.filled + size);
        debug_assert!(bytes.is_some(), "there is room");
        let written = write(bytes.unwrap_or_default());
        if written.is_some() {
            self.filled += size;
            self.record_count += records as u64;
        }
        Ok(written)
    }

    pub(super) fn record_size(&self) -> usize {
        self.record_size
    }

    /// How many records are best pushed at a time.
    pub(crate) fn records_at_a_time(&self) -> usize {
        let records = CHUNK_SIZE.checked_div(self.record_size);
        records.unwrap_or(CHUNK_SIZE).max(1)
    }

    // Apart, so that `push` is small enough to be inlined.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, records: usize, size: usize) -> Result<(), Error> {
        if self.max_records - self.record_count < records as u64 {
            let max = self.max_records;
            return Err(self.error(ErrorKind::TooManyRecords { max }));
        }
        self.flush().map_err(|kind| self.error(kind))?;
        self.buffer.resize(size.max(CHUNK_SIZE), 0);
        Ok(())
    }

    /// The error for a value of the next record that its type does not allow.
    #[cold]
    #[inline(never)]
    pub(crate) fn value_not_allowed(&self, value: i64) -> Error {
        let record = self.record_count;
        self.error(idx_core::Error::ValueNotAllowed { record, value }.into())
    }

    /// Writes the buffered records to the sink.
    fn flush(&mut self) -> Result<(), ErrorKind> {
        if self.failed {
            return Err(ErrorKind::WriteFailedEarlier);
        }
        let records = self.buffer.get(..self.filled).unwrap_or_default();
        let written = self.sink.write(records);
        self.filled = 0;
        if written.is_err() {
            self.failed = true;
            // Without a buffer the next `push` comes here as well, and gets an error.
            self.buffer = Vec::new();
        }
        Ok(written?)
    }

    /// Writes the final header, and makes the file appear under its name.
    pub(crate) fn finish(mut self, header: &[u8]) -> Result<W, Error> {
        let path = self.path.take();
        self.complete(header)
            .map_err(|kind| Error::from(kind).at(path.as_deref()))
    }

    fn complete(mut self, header: &[u8]) -> Result<W, ErrorKind> {
        self.flush()?;
        if self.max_records == 1 && self.record_count == 0 {
            return Err(ErrorKind::MissingElement);
        }
        let sink = self.sink.finish(header)?;
        if let Some(target) = self.target {
            target.commit()?;
        }
        Ok(sink)
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        let error = Error::from(kind).with_records(self.record_count);
        error.at(self.path.as_deref())
    }
}
