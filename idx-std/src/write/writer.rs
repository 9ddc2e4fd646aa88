//! `Writer` and its options: untyped records, one by one.

use std::fs::File;
use std::io::{Seek, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use idx_core::{Element, ElementType};

use crate::atomic::{AtomicFile, Staged};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::write::file::{FileLayout, RecordFile};
use crate::write::gzip::GzipOptions;

/// Options for writing a file: gzip or plain, the level of compression, and the threads for it.
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
    threads: Option<NonZeroUsize>,
    create_new: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl WriteOptions {
    /// Creates the default options: gzip at level 6 if the name of the file ends in `.gz`, otherwise plain.
    #[must_use]
    pub const fn new() -> Self {
        Self { gzip: None, level: 6, threads: None, create_new: false }
    }

    /// Compresses the file, or leaves it plain, whatever its name is.
    #[must_use]
    pub const fn gzip(self, gzip: bool) -> Self {
        Self { gzip: Some(gzip), ..self }
    }

    /// Sets the level of gzip, from 0 (stored) to 9 (smallest); a larger one counts as 9. It has no effect on a plain
    /// file.
    #[must_use]
    pub const fn level(self, level: u32) -> Self {
        Self { level: if level > 9 { 9 } else { level }, ..self }
    }

    /// Compresses on at most `threads` threads, by default one for each core and at most 8. The result is the same.
    #[must_use]
    pub const fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Refuses to replace a file: a path that exists, at the start or when the file is finished, is an error. A sink has
    /// no path, so this changes nothing there.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("labels");
    /// use idx_std::{ElementType, ErrorKind, WriteOptions};
    ///
    /// let options = WriteOptions::new().create_new(true);
    /// let writer = options.create(&path, ElementType::U8, &[0])?;
    /// std::fs::write(&path, "of somebody else")?;
    /// let error = writer.finish().unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::AlreadyExists));
    /// assert_eq!(std::fs::read(&path)?, b"of somebody else");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn create_new(self, create_new: bool) -> Self {
        Self { create_new, ..self }
    }

    /// Starts a file, as [`Writer::create`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::create`].
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
            let target = AtomicFile::start(path, self.create_new)?;
            let file = RecordFile::create(target, &layout, self.compression(Some(path)))?;
            Ok(Writer { header, file })
        };
        create().map_err(|error: Error| error.with_path(path))
    }

    /// Starts a file in a sink, as [`Writer::new`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::new`].
    pub fn write_to<W: Write + Seek>(
        self,
        sink: W,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Writer<W>, Error> {
        let header = header_of_one(element_type, dims)?;
        let layout = FileLayout::of(&header);
        let file = RecordFile::start(sink, &layout, self.compression(None))?;
        Ok(Writer { header, file })
    }

    /// Returns the options of gzip, if the file is compressed.
    fn compression(self, path: Option<&Path>) -> Option<GzipOptions> {
        let by_name = || {
            path.and_then(Path::extension)
                .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
        };
        let Self { level, threads, .. } = self;
        self.gzip.unwrap_or_else(by_name).then_some(GzipOptions { level, threads })
    }
}

/// Returns the header of a file with one record, so that its payload size is that of a record.
pub(super) fn header_of_one(element_type: ElementType, dims: &[u32]) -> Result<HeaderBuf, Error> {
    let mut dims = dims.to_vec();
    if let Some(count) = dims.first_mut() {
        *count = 1;
    }
    HeaderBuf::new(element_type, &dims)
}

/// Writes records given as bytes; element type and shape are known at run time.
///
/// `dims` has the sizes of all dimensions. The first one, the number of records, need not be known in advance: `finish`
/// fills it in, and ignores the given one. `&[]` is a file of rank 0, with one element.
///
/// A file appears under its name only when [`finish`](Self::finish) succeeds; an existing file is untouched until
/// then. [`append`](Self::append) continues a file that exists.
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
    /// Starts a file, gzip if its name ends in `.gz`; see [`WriteOptions`] for more.
    ///
    /// ```no_run
    /// use idx_std::{ElementType, Writer};
    ///
    /// let mut writer = Writer::create("digits-idx3-ubyte.gz", ElementType::U8, &[0, 28, 28])?;
    /// writer.push_bytes(&[0; 784])?;
    /// writer.finish()?;
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`]), and the errors of [`Writer::new`].
    pub fn create(
        path: impl AsRef<Path>,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Self, Error> {
        WriteOptions::new().create(path, element_type, dims)
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a plain file in a sink, at its current position.
    ///
    /// The sink receives large pieces and needs no buffer of its own. Without `finish` it holds a file that
    /// every reader refuses; the error says how many whole records it has, and [`repair`](crate::repair)
    /// keeps them. A file must not be open in append mode, which `finish` reports.
    ///
    /// # Errors
    ///
    /// Sizes that are too large ([`shape_too_large`](ErrorKind::code)), a record that does not fit in memory
    /// ([`ErrorKind::Format`]), and an error of the system ([`ErrorKind::Io`]).
    pub fn new(sink: W, element_type: ElementType, dims: &[u32]) -> Result<Self, Error> {
        WriteOptions::new().write_to(sink, element_type, dims)
    }

    /// Returns the element type and the sizes, with the number of records so far.
    #[must_use]
    pub fn header(&self) -> HeaderBuf {
        self.file.header(&self.header)
    }

    /// Appends a record, given as its big-endian bytes.
    ///
    /// # Errors
    ///
    /// Bytes that do not have the length of a record ([`wrong_length`](ErrorKind::code)), and a full file
    /// ([`too_many_records`](ErrorKind::code)), which leave the file as it was; an error of the system
    /// ([`ErrorKind::Io`]), after which it cannot be finished.
    pub fn push_bytes(&mut self, record: &[u8]) -> Result<(), Error> {
        let (expected, found) = (self.file.record_size(), record.len());
        match found == expected {
            true => self.file.push_bytes(record, |_| ()),
            false => Err(self.file.error(ErrorKind::record_size(expected as u64, found))),
        }
    }

    /// Appends any number of records, given as their big-endian bytes, as
    /// [`Reader::next_records`](crate::Reader::next_records) returns them. An empty slice appends nothing.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use idx_std::{ElementType, Reader, Writer};
    ///
    /// let file = [0, 0, 0x08, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6];
    /// let mut reader = Reader::new(&file[..])?;
    /// let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::U8, &[0, 3])?;
    /// while let Some(records) = reader.next_records() {
    ///     writer.push_records(records?)?;
    /// }
    /// assert_eq!(writer.finish()?.into_inner(), file);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`push_bytes`](Self::push_bytes).
    pub fn push_records(&mut self, records: &[u8]) -> Result<(), Error> {
        match records {
            [] => Ok(()),
            _ => self.file.push_bytes(records, |_| ()),
        }
    }

    /// Appends elements, which must be whole records.
    ///
    /// For code that knows the type of the elements, but not the shape of the records.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use idx_std::{ElementType, Writer};
    ///
    /// let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::F32, &[0, 2])?;
    /// writer.push_elements(&[0.5f32, 1.0, 2.0, 4.0])?;
    /// assert_eq!(writer.header().dims(), [2, 2]);
    /// assert!(writer.push_elements(&[0.5f64, 1.0]).is_err());
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file whose element type is not that of `E` ([`ErrorKind::Format`]), and elements that are not whole records
    /// ([`wrong_length`](ErrorKind::code)), which leave the file as it was; the errors of
    /// [`RecordWriter::push_all`](crate::RecordWriter::push_all).
    pub fn push_elements<E: Element>(&mut self, elements: &[E]) -> Result<(), Error> {
        let checked = self.header.check_element::<E>();
        checked.map_err(|kind| self.file.error(kind))?;
        let (expected, found) = (self.file.record_size() / E::SIZE, elements.len());
        match found.checked_rem(expected) {
            Some(0) => self.file.push_slice(elements, expected),
            None if found == 0 => Ok(()),
            _ => {
                let (expected, found) = (expected as u64, found as u64);
                let kind =
                    ErrorKind::WrongLength { of: "a record", unit: "element", expected, found };
                Err(self.file.error(kind))
            }
        }
    }

    /// Fills in the number of records and completes the file; a file created by its path now appears
    /// under its name. Returns the sink.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`]); an earlier `push` that failed to write
    /// ([`failed_earlier`](ErrorKind::code)); a file of rank 0 without its element ([`wrong_length`](ErrorKind::code)).
    /// An existing file of that name is then untouched.
    pub fn finish(self) -> Result<W, Error> {
        let header = self.header();
        self.file.finish(&header.to_bytes())
    }

    /// Completes the file as [`finish`](Self::finish) does, but it gets its name only when it is committed.
    #[doc(hidden)]
    pub fn stage(self) -> Result<Option<Staged>, Error> {
        let header = self.header();
        Ok(self.file.stage(&header.to_bytes())?.1)
    }
}
