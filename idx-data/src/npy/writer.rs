use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;

use idx_std::ElementType;

use super::error::NpyError;
use super::header::Header;
use crate::error::{Error, ErrorKind};
use idx_std::__private::wide;
use idx_std::__private::{AtomicFile, Staged};
use idx_std::__private::{FileLayout, RecordFile};

/// The maximum number of dimensions that NumPy reads.
const MAX_DIMENSIONS: usize = 64;

/// Writes records, given as their big-endian bytes, into an npy file, NumPy's format, in C order.
///
/// The bytes of the file are those of `numpy.save`, little-endian. As with
/// [`idx_std::Writer`](crate::Writer), the number of records, the first of `dims`, need not be known in
/// advance, and a file appears under its name only when [`finish`](Self::finish) succeeds.
///
/// ```
/// use std::io::Cursor;
/// use idx_std::ElementType;
/// use idx_data::npy::{Reader, Writer};
///
/// let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::I16, &[0, 2])?;
/// writer.push_bytes(&[0, 1, 0xFF, 0xFF])?; // 1, -1
/// let file = writer.finish()?.into_inner();
/// assert_eq!(Reader::new(&file[..])?.header().shape, [1, 2]);
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct Writer<W: Write = File> {
    header: Header,
    file: RecordFile<W>,
}

impl Writer {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// [`Io`](idx_std::ErrorKind::Io), [`IsADirectory`](idx_std::ErrorKind::IsADirectory), and those of [`Writer::new`].
    pub fn create(
        path: impl AsRef<Path>,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Self, Error> {
        Self::start(path.as_ref(), element_type, dims, false)
    }

    /// Starts a file that replaces nothing: it is an error if the path exists, now and when the file is
    /// finished.
    ///
    /// # Errors
    ///
    /// Those of [`Writer::create`].
    pub fn create_new(
        path: impl AsRef<Path>,
        element_type: ElementType,
        dims: &[u32],
    ) -> Result<Self, Error> {
        Self::start(path.as_ref(), element_type, dims, true)
    }

    fn start(
        path: &Path,
        element_type: ElementType,
        dims: &[u32],
        create_new: bool,
    ) -> Result<Self, Error> {
        let header = header_of_none(element_type, dims);
        let created = layout(&header).and_then(|layout| {
            let target = AtomicFile::start(path, create_new)?;
            Ok(RecordFile::create(target, &layout, None)?)
        });
        match created {
            Ok(file) => Ok(Self { header, file }),
            Err(kind) => Err(Error::from(kind).with_path(path)),
        }
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a file in a sink, at its current position.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Npy`] if a record does not fit in memory or there are too many dimensions, and
    /// [`Io`](idx_std::ErrorKind::Io).
    pub fn new(sink: W, element_type: ElementType, dims: &[u32]) -> Result<Self, Error> {
        let header = header_of_none(element_type, dims);
        let file = RecordFile::start(sink, &layout(&header)?, None)?;
        Ok(Self { header, file })
    }

    /// Appends a record, given as its big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`WrongLength`](idx_std::ErrorKind::WrongLength), and [`TooManyRecords`](idx_std::ErrorKind::TooManyRecords) for a second element without
    /// dimensions, which leave the file as it was; [`Io`](idx_std::ErrorKind::Io), after which it cannot be
    /// finished.
    pub fn push_bytes(&mut self, record: &[u8]) -> Result<(), Error> {
        let size = self.header.dtype.size();
        Ok(self.file.push_bytes(record, |bytes| wide::reverse_each(bytes, size))?)
    }

    /// Fills in the number of records and completes the file; a file created by its path now appears
    /// under its name. Returns the sink.
    ///
    /// # Errors
    ///
    /// [`Io`](idx_std::ErrorKind::Io); [`FailedEarlier`](idx_std::ErrorKind::FailedEarlier) if an earlier `push_bytes` failed to write;
    /// [`MissingElement`](idx_std::ErrorKind::MissingElement). An existing file of that name is then untouched.
    pub fn finish(mut self) -> Result<W, Error> {
        self.count();
        Ok(self.file.finish(&self.header.to_bytes())?)
    }

    /// As [`finish`](Self::finish), but a file gets its name only when it is committed.
    pub(crate) fn stage(mut self) -> Result<Option<Staged>, Error> {
        self.count();
        Ok(self.file.stage(&self.header.to_bytes())?.1)
    }

    fn count(&mut self) {
        if let Some(count) = self.header.shape.first_mut() {
            *count = self.file.record_count();
        }
    }
}

fn header_of_none(element_type: ElementType, dims: &[u32]) -> Header {
    let mut shape: Vec<u64> = dims.iter().copied().map(u64::from).collect();
    if let Some(count) = shape.first_mut() {
        *count = 0;
    }
    Header::new(element_type, shape)
}

fn layout(header: &Header) -> Result<FileLayout, ErrorKind> {
    let found = header.shape.len();
    if found > MAX_DIMENSIONS {
        return Err(NpyError::TooManyForNumpy { found }.into());
    }
    // Until it is finished no reader accepts it as an npy file; NumPy would ignore bytes after the array.
    let mut start = header.to_bytes();
    if let Some(first) = start.first_mut() {
        *first = 0xFF;
    }
    Ok(FileLayout {
        header: start,
        record_size: header.record_size().ok_or(NpyError::TooLarge)?,
        max_records: if header.shape.is_empty() { 1 } else { u64::MAX },
    })
}
