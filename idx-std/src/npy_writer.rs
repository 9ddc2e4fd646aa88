use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use idx_core::ElementType;

use crate::source::CHUNK_SIZE;
use crate::target::Target;
use crate::{Error, ErrorKind, NpyHeader};

/// Writes records given as their big-endian bytes into an npy file, NumPy's format, in C order.
///
/// The bytes of the file are those of `numpy.save`, little-endian. As with
/// [`DynWriter`](crate::DynWriter), the number of records need not be known in advance, and a file
/// appears under its name only when [`finish`](Self::finish) succeeds.
///
/// ```
/// use std::io::Cursor;
/// use idx_std::{ElementType, NpyReader, NpyWriter};
///
/// let mut writer = NpyWriter::new(Cursor::new(Vec::new()), ElementType::I16, Some(&[2]))?;
/// writer.push_bytes(&[0, 1, 0xFF, 0xFF])?; // 1, -1
/// let file = writer.finish()?.into_inner();
/// assert_eq!(NpyReader::new(&file[..])?.header().shape, [1, 2]);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct NpyWriter<W: Write + Seek = File> {
    sink: BufWriter<W>,
    /// Where the header is, whose number of records is not yet right.
    start: u64,
    header: NpyHeader,
    record_size: usize,
    record_count: u64,
    /// The record in little-endian order.
    swapped: Vec<u8>,
    /// Whether a write failed, so that the file cannot be finished.
    failed: bool,
    target: Option<Target>,
    path: Option<PathBuf>,
}

impl NpyWriter {
    /// Starts a file; `None` in place of the shape of a record is an array without dimensions, of one
    /// element.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`], [`ErrorKind::Folder`], and those of [`NpyWriter::new`].
    pub fn create(
        path: impl AsRef<Path>,
        element_type: ElementType,
        record_shape: Option<&[u32]>,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let create = || {
            let (file, target) = Target::create(path)?;
            let mut writer = Self::start(file, element_type, record_shape)?;
            writer.target = Some(target);
            writer.path = Some(path.to_path_buf());
            Ok(writer)
        };
        create().map_err(|kind: ErrorKind| Error::from(kind).with_path(Some(path)))
    }
}

impl<W: Write + Seek> NpyWriter<W> {
    /// Starts a file in a sink, at its current position.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Npy`] if a record does not fit in memory, and [`ErrorKind::Io`].
    pub fn new(
        sink: W,
        element_type: ElementType,
        record_shape: Option<&[u32]>,
    ) -> Result<Self, Error> {
        Ok(Self::start(sink, element_type, record_shape)?)
    }

    fn start(
        mut sink: W,
        element_type: ElementType,
        record_shape: Option<&[u32]>,
    ) -> Result<Self, ErrorKind> {
        let start = sink.stream_position()?;
        let mut shape = Vec::new();
        if let Some(record_shape) = record_shape {
            shape.push(0);
            shape.extend(record_shape.iter().copied().map(u64::from));
        }
        let header = NpyHeader::new(element_type, shape);
        let record_size = header.record_size().ok_or(crate::NpyError::TooLarge)?;
        let mut sink = BufWriter::with_capacity(CHUNK_SIZE, sink);
        sink.write_all(&header.to_bytes())?;
        Ok(Self {
            sink,
            start,
            record_size: crate::source::to_usize(record_size)?,
            header,
            record_count: 0,
            swapped: Vec::new(),
            failed: false,
            target: None,
            path: None,
        })
    }

    /// Appends a record, given as its big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::RecordSize`], and [`ErrorKind::TooManyRecords`] for a second element without
    /// dimensions, which leave the file as it was; [`ErrorKind::Io`], after which it cannot be
    /// finished.
    pub fn push_bytes(&mut self, record: &[u8]) -> Result<(), Error> {
        let (expected, found) = (self.record_size, record.len());
        if found != expected {
            return Err(self.error(ErrorKind::RecordSize { expected, found }));
        }
        if self.header.shape.is_empty() && self.record_count == 1 {
            return Err(self.error(ErrorKind::TooManyRecords { most: 1 }));
        }
        self.swapped.clear();
        self.swapped.extend_from_slice(record);
        let size = self.header.number_type.size();
        self.swapped
            .chunks_exact_mut(size)
            .for_each(<[u8]>::reverse);
        if let Err(error) = self.sink.write_all(&self.swapped) {
            self.failed = true;
            return Err(self.error(error.into()));
        }
        self.record_count += 1;
        Ok(())
    }

    /// Fills in the number of records and completes the file; one that was created by its path now
    /// has its name. Gives the sink back.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]; [`ErrorKind::Abandoned`] if a `push_bytes` had failed to write;
    /// [`ErrorKind::NoScalar`]. Then a file of the name, if there was one, is as it was.
    pub fn finish(mut self) -> Result<W, Error> {
        let path = self.path.take();
        self.complete()
            .map_err(|kind| Error::from(kind).with_path(path.as_deref()))
    }

    fn complete(mut self) -> Result<W, ErrorKind> {
        if self.failed {
            return Err(ErrorKind::Abandoned);
        }
        match self.header.shape.first_mut() {
            Some(count) => *count = self.record_count,
            None if self.record_count == 0 => return Err(ErrorKind::NoScalar),
            None => {}
        }
        let end = self.sink.stream_position()?;
        self.sink.seek(SeekFrom::Start(self.start))?;
        self.sink.write_all(&self.header.to_bytes())?;
        self.sink.seek(SeekFrom::Start(end))?;
        let sink = self
            .sink
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        if let Some(target) = self.target {
            target.commit()?;
        }
        Ok(sink)
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind)
            .with_path(self.path.as_deref())
            .with_records(self.record_count)
    }
}
