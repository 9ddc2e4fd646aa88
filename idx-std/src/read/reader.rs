//! `Reader`: untyped records, one by one, in constant memory.

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::{Range, RangeBounds};
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::read::stream::RecordStream;

/// Reads records one by one as bytes, in constant memory; the type need not be known at compile time.
///
/// A truncated file yields its whole records, then one error, then nothing. So does a file with a wrong checksum or an
/// extra byte, which shows only after the last record: only after `None` do you know that a file is valid.
///
/// If the type is known, [`records`](Self::records) reads values.
///
/// ```
/// use idx_std::Reader;
///
/// let file = [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 2, 0xFF, 0xFF, 0, 4];
/// let mut reader = Reader::new(&file[..])?;
/// assert_eq!(reader.header().dims(), [2, 2]);
/// while let Some(record) = reader.next_record() {
///     println!("{:02X?}", record?);
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R: Read = File> {
    pub(super) header: HeaderBuf,
    pub(super) stream: RecordStream<R>,
}

impl Reader {
    /// Opens a file, plain or gzip by its content, and reads its header.
    ///
    /// ```no_run
    /// use idx_std::Reader;
    ///
    /// for image in Reader::open("train-images-idx3-ubyte.gz")?.records::<[[u8; 28]; 28]>()? {
    ///     println!("{:?}", image?[14]);
    /// }
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that cannot be read ([`ErrorKind::Io`]) or is not IDX ([`ErrorKind::NotIdx`]), and a truncated header
    /// ([`ErrorKind::Format`]). Damage after the header is an error of the record that it affects. The message contains
    /// the path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path.as_ref(), Source::open)
    }

    /// Opens a file as [`open`](Self::open) does, for a path found in a folder: opening a pipe there could block
    /// forever.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// # idx_std::save(folder.join("labels.idx"), &[2], &[7_u8, 2])?;
    /// use idx_std::Reader;
    ///
    /// for entry in folder.read_dir()? {
    ///     let reader = Reader::open_regular(entry?.path())?;
    ///     assert_eq!(reader.header().to_string(), "u8, 2");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `open`, and a pipe or device ([`ErrorKind::NotARegularFile`]).
    pub fn open_regular(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path.as_ref(), Source::open_regular)
    }

    /// Reads the header of a file that is already open.
    ///
    /// # Errors
    ///
    /// The errors of `open`, without a path.
    pub fn of_file(file: File) -> Result<Self, Error> {
        Ok(Source::of_file(file).and_then(Self::from_source)?)
    }

    fn open_with(
        path: &Path,
        open: fn(&Path) -> Result<Source<File>, ErrorKind>,
    ) -> Result<Self, Error> {
        match open(path).and_then(Self::from_source) {
            Ok(reader) => Ok(reader.with_path(path)),
            Err(kind) => Err(Error::from(kind).with_path(path)),
        }
    }

    /// Returns the bytes of any record of a plain file, big-endian. The records that come next stay the same.
    ///
    /// Several threads can share one reader for this. The bytes after the record are not checked.
    ///
    /// ```
    /// use std::thread;
    /// use idx_std::Reader;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = &folder.path().join("digits-images-idx3-ubyte");
    /// # idx_std::save(path, &[200, 28, 28], &[7_u8; 200 * 784]).unwrap();
    /// let reader = &Reader::open(path)?;
    /// let images = thread::scope(|scope| {
    ///     let threads = [7, 199, 0].map(|index| scope.spawn(move || reader.read_at(index)));
    ///     threads.map(|thread| thread.join().expect("no panic"))
    /// });
    /// for image in images {
    ///     assert_eq!(image?.len(), 28 * 28);
    /// }
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An index that is not below the number of records ([`index_out_of_range`](ErrorKind::code)), a file that ends
    /// before the record does ([`ErrorKind::Format`] with `Truncated`), an error of the system ([`ErrorKind::Io`]), and
    /// gzip data or a stream ([`cannot_seek`](ErrorKind::code)).
    pub fn read_at(&self, index: u64) -> Result<Vec<u8>, Error> {
        self.stream.read_at(index)
    }

    /// Replaces these bytes with as many of the next records as their capacity holds, read on several threads; `false`
    /// if these records have to be read in order.
    #[doc(hidden)]
    pub fn fill(&mut self, bytes: &mut Vec<u8>) -> bool {
        self.stream.fill(bytes)
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header of a file from any reader, plain or gzip by its content.
    ///
    /// It reads in large pieces, so `read` needs no buffer of its own. Any error of `read` ends the records, even
    /// `WouldBlock`; only `Interrupted` is retried.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Reader::open).
    pub fn new(read: R) -> Result<Self, Error> {
        Ok(Source::new(read).and_then(Self::from_source)?)
    }

    /// Reads a header, as [`new`](Self::new) does, from a reader that can seek: the size is then known, and
    /// [`select`](Self::select) does not read the records before the range.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Reader::open).
    pub fn seekable(read: R) -> Result<Self, Error>
    where
        R: Seek,
    {
        Ok(Source::seekable(read).and_then(Self::from_source)?)
    }

    fn from_source(mut source: Source<R>) -> Result<Self, ErrorKind> {
        let header = source.read_header()?;
        let stream = RecordStream::after(&header, source);
        Ok(Self { header, stream })
    }

    /// Rejects a file with records of more than `bytes` bytes, because a reader holds one record in memory.
    ///
    /// ```
    /// use idx_std::{ErrorKind, Reader};
    ///
    /// let upload = [0, 0, 0x08, 2, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF];
    /// let error = Reader::new(&upload[..])?.record_limit(1 << 20).unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::RecordLimitExceeded { needed: 0xFFFF_FFFF, .. }));
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Records over the limit ([`ErrorKind::RecordLimitExceeded`]).
    pub fn record_limit(self, bytes: u64) -> Result<Self, Error> {
        let (limit, needed) = (bytes, self.header.record_size().unwrap_or(0)); // then there are no records
        match needed > limit {
            true => Err(self.stream.error(ErrorKind::RecordLimitExceeded { limit, needed })),
            false => Ok(self),
        }
    }

    /// Adds this path to the errors of the reader.
    #[must_use]
    pub fn with_path(self, path: impl AsRef<Path>) -> Self {
        Self { stream: self.stream.with_path(path.as_ref()), ..self }
    }

    /// Returns the element type and the sizes.
    #[must_use]
    pub fn header(&self) -> &HeaderBuf {
        &self.header
    }

    /// Returns whether the bytes are compressed by gzip.
    #[must_use]
    pub fn is_gzip(&self) -> bool {
        self.stream.source.is_gzip()
    }

    /// Returns the stored size of the file in bytes; `None` for a stream.
    #[must_use]
    pub fn file_size(&self) -> Option<u64> {
        self.stream.source.file_size()
    }

    /// Checks the length of a plain file against its header, without reading the payload.
    ///
    /// The length of gzip data or of a stream is not known; for these the result is `Ok`.
    ///
    /// # Errors
    ///
    /// A truncated file ([`ErrorKind::Format`] with `Truncated`), and one with extra bytes
    /// ([`ErrorKind::TrailingBytes`]).
    pub fn check_length(&self) -> Result<(), Error> {
        let (false, Some(size)) = (self.is_gzip(), self.file_size()) else {
            return Ok(());
        };
        let checked = self.header.check_file_size(size);
        checked.map_err(|error| error.at(self.stream.path()))
    }

    /// Divides the records into `parts` ranges that cover them exactly; 0 counts as 1.
    ///
    /// Their lengths differ by at most one record, and some are empty if there are more parts than records. Several
    /// threads or processes that each [`select`](Self::select) one range with their own reader together read the whole
    /// file.
    ///
    /// ```
    /// use std::thread;
    /// use idx_std::{Error, Reader};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = &folder.path().join("digits-images-idx3-ubyte");
    /// # idx_std::save(path, &[200, 28, 28], &[7_u8; 200 * 784]).unwrap();
    ///
    /// let parts = Reader::open(path)?.partition(3);
    /// let ink = |part| -> Result<u64, Error> {
    ///     let mut reader = Reader::open(path)?;
    ///     reader.select(part)?;
    ///     let images = reader.records::<[[u8; 28]; 28]>()?;
    ///     images.map(|image| Ok(image?.as_flattened().iter().map(|pixel| u64::from(*pixel)).sum::<u64>())).sum()
    /// };
    /// let ink: u64 = thread::scope(|scope| {
    ///     let threads: Vec<_> = parts.map(|part| scope.spawn(move || ink(part))).collect();
    ///     threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<Result<_, Error>>()
    /// })?;
    /// # let all: u64 = idx_std::load::<u8>(path)?.iter().map(|pixel| u64::from(*pixel)).sum();
    /// # assert_eq!(ink, all);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn partition(
        &self,
        parts: usize,
    ) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + use<R> {
        let count = u64::from(self.header.record_count());
        let parts = parts.max(1);
        let (size, larger) = (count / parts as u64, count % parts as u64);
        let start = move |part: usize| part as u64 * size + larger.min(part as u64);
        (0..parts).map(move |part| start(part)..start(part + 1))
    }

    /// Selects the records that come next, and returns their number. In a plain file it seeks; in gzip data
    /// or a stream it reads up to the first of them.
    ///
    /// It replaces any earlier selection. The bytes after the range are not checked; a range that includes
    /// the last record also checks the end of the file.
    ///
    /// ```
    /// use idx_std::Reader;
    ///
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 5, 10, 20, 30, 40, 50];
    /// let mut reader = Reader::new(&file[..])?;
    /// assert_eq!(reader.select(1..3)?, 2);
    /// assert_eq!(reader.next_record().unwrap()?, [20]);
    /// assert_eq!(reader.next_record().unwrap()?, [30]);
    /// assert!(reader.next_record().is_none());
    /// reader.select(4..)?;
    /// assert_eq!(reader.next_record().unwrap()?, [50]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A range that ends before it starts ([`invalid_range`](ErrorKind::code)), one with records that do not exist
    /// ([`index_out_of_range`](ErrorKind::code)), and one that starts before the next record of gzip data or a stream
    /// ([`cannot_seek`](ErrorKind::code)), all of which leave the reader as it was; a file that ends before the range
    /// ([`ErrorKind::Format`] with `Truncated`), and an error of the system ([`ErrorKind::Io`]), after which the reader
    /// returns `None`.
    pub fn select(&mut self, records: impl RangeBounds<u64>) -> Result<u64, Error> {
        self.stream.select(records)
    }

    /// Skips the next `records` records of the [selection](Self::select), or the remaining ones if there are fewer, and
    /// returns how many it skipped.
    ///
    /// # Errors
    ///
    /// The first error of reading the records.
    pub fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.stream.skip(records)
    }

    /// Returns the bytes of the next record, big-endian; `None` after the last one, once the end of the file was
    /// checked.
    ///
    /// They are borrowed until the next call; to keep them, copy them with `to_vec`.
    ///
    /// # Errors
    ///
    /// A file that is damaged or ends before its last record does ([`ErrorKind::Format`], or a kind whose name starts
    /// with `Gzip`), bytes after that ([`ErrorKind::TrailingBytes`]), and an error of the system ([`ErrorKind::Io`]).
    /// After an error there are no more records.
    pub fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        self.stream.next_record()
    }

    /// Returns the bytes of the next records, several at a time; `None` after the last one. For small records this is
    /// much faster than [`next_record`](Self::next_record).
    ///
    /// # Errors
    ///
    /// The errors of [`next_record`](Self::next_record).
    pub fn next_records(&mut self) -> Option<Result<&[u8], Error>> {
        self.stream.next_records()
    }
}
