use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, Once, PoisonError};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::formats::error::ErrorKind;

/// A Parquet file, which remembers an error of the system: the library keeps only the text of some.
#[derive(Clone)]
pub(super) struct ParquetFile {
    file: Arc<File>,
    size: u64,
    fault: Arc<Mutex<Option<io::Error>>>,
}

impl ParquetFile {
    pub(super) fn new(file: File) -> io::Result<Self> {
        Ok(Self { size: file.metadata()?.len(), file: Arc::new(file), fault: Arc::default() })
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Runs a function of the library on this file. What goes wrong is an error of the system or damage.
    pub(super) fn decode<T>(
        &self,
        decode: impl FnOnce() -> Result<T, ParquetError>,
    ) -> Result<T, ErrorKind> {
        let decoded = without_panic(decode);
        let fault = self.lock_fault().take();
        decoded.ok_or_else(|| fault.map_or_else(damaged, ErrorKind::from))
    }

    /// The file, to be read from this position.
    fn at(&self, start: u64) -> io::Result<Self> {
        self.remember((&*self.file).seek(SeekFrom::Start(start)))?;
        Ok(self.clone())
    }

    fn remember<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                *self.lock_fault() = Some(error);
            }
            kind.into()
        })
    }

    fn lock_fault(&self) -> impl std::ops::DerefMut<Target = Option<io::Error>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for ParquetFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.remember((&*self.file).read(buffer))
    }
}

impl Length for ParquetFile {
    fn len(&self) -> u64 {
        self.size
    }
}

/// As that of `File`: readers share the position.
impl ChunkReader for ParquetFile {
    type T = BufReader<Self>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(self.at(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let needed = length as u64;
        let found = self.size.saturating_sub(start).min(needed);
        let mut bytes = Vec::with_capacity(usize::try_from(found)?);
        self.at(start)?.take(needed).read_to_end(&mut bytes)?;
        match bytes.len() == length {
            true => Ok(bytes.into()),
            false => Err(ParquetError::EOF("the file is too short".into())),
        }
    }
}

thread_local! {
    /// Whether this thread decodes, so that its panics are not printed.
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function of the library; `None` if it fails. It panics on some corrupt files, such as those with a negative
/// offset; nothing of that is printed. Other threads are not affected, nor is a hook that the program has set.
fn without_panic<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_DECODING.get() {
                before(panic);
            }
        }));
    });
    IS_DECODING.set(true);
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    IS_DECODING.set(false);
    decoded.ok()?.ok()
}

/// Our own message for an error: that of the library may quote the file, whose bytes must not reach a
/// terminal.
pub(super) fn damaged() -> ErrorKind {
    ErrorKind::malformed(
        "the file is corrupt, truncated, or uses an unsupported feature; copy or rewrite it",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_library_is_an_error() {
        let file = ParquetFile::new(tempfile::tempfile().unwrap()).unwrap();
        let decoded = file.decode::<()>(|| panic!("a negative offset"));
        assert!(matches!(decoded, Err(ErrorKind::Malformed { .. })));
        assert_eq!(file.decode(|| Ok(7)).unwrap(), 7);
    }
}
