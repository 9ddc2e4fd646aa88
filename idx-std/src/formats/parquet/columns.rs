use std::cell::Cell;
use std::fs::File;
use std::io::{self, Seek};
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;

use crate::formats::error::ErrorKind;
use crate::formats::ordered::{ended, thread_count};

/// The maximum number of batches that a thread decodes ahead, of which each takes some 100 KiB.
const AHEAD: usize = 4;

/// The columns of the records and of their labels, which are decoded by this thread or ahead by another.
pub(super) enum Columns {
    Here(Decoder),
    Ahead(DecoderThread),
}

impl Columns {
    /// Opens two columns, of which this many records are decoded at a time.
    pub(super) fn open(
        file: (File, ArrowReaderMetadata),
        columns: (usize, Option<usize>),
        records: u64,
        threads: Option<NonZeroUsize>,
    ) -> Result<Self, ErrorKind> {
        let decoder = Decoder::open(file, columns, records)?;
        Ok(match thread_count(threads) {
            NonZeroUsize::MIN => Self::Here(decoder),
            _ => Self::Ahead(DecoderThread::start(decoder)?),
        })
    }

    /// The next records; `None` after the last one.
    pub(super) fn next(&mut self) -> Decoded {
        match self {
            Self::Here(decoder) => decoder.next(),
            Self::Ahead(thread) => thread.next(),
        }
    }
}

pub(super) struct Decoder {
    reader: ParquetRecordBatchReader,
    file: File,
}

impl Decoder {
    fn open(
        (file, metadata): (File, ArrowReaderMetadata),
        (record, label): (usize, Option<usize>),
        records: u64,
    ) -> Result<Self, ErrorKind> {
        let roots = [record].into_iter().chain(label);
        let same_file = file.try_clone()?;
        let reader = guarded(|| {
            let mask = ProjectionMask::roots(metadata.parquet_schema(), roots);
            ParquetRecordBatchReaderBuilder::new_with_metadata(same_file, metadata)
                .with_projection(mask)
                .with_batch_size(usize::try_from(records)?)
                .build()
        })?;
        Ok(Self { reader, file })
    }

    fn next(&mut self) -> Decoded {
        let batch = guarded(|| Ok(self.reader.next().transpose()?));
        if batch.is_err() {
            // The library keeps only the text of an error of the disk; reading the file again returns that error.
            self.file.rewind()?;
            io::copy(&mut self.file, &mut io::sink())?;
        }
        batch
    }
}

type Decoded = Result<Option<RecordBatch>, ErrorKind>;

/// Another thread, which decodes ahead until the end or an error.
pub(super) struct DecoderThread {
    /// `None` when the thread has to end.
    batches: Option<Receiver<Decoded>>,
    thread: Option<JoinHandle<()>>,
}

impl DecoderThread {
    fn start(mut decoder: Decoder) -> io::Result<Self> {
        let (sender, batches) = sync_channel(AHEAD);
        let run = move || {
            loop {
                let decoded = decoder.next();
                let is_last = !matches!(decoded, Ok(Some(_)));
                if sender.send(decoded).is_err() || is_last {
                    return;
                }
            }
        };
        Ok(Self {
            batches: Some(batches),
            thread: Some(Builder::new().spawn(run)?),
        })
    }

    fn next(&mut self) -> Decoded {
        if let Some(Ok(decoded)) = self.batches.as_ref().map(Receiver::recv) {
            return decoded;
        }
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(_)) => Err(ended().into()),
            _ => Ok(None),
        }
    }
}

/// After this the thread has ended, and the file can be removed safely.
impl Drop for DecoderThread {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            // Its errors were reported with the batches.
            let _ = thread.join();
        }
    }
}

thread_local! {
    /// Whether this thread decodes, so that its panics are not printed.
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Runs a decoding function. The library panics on some corrupt files, such as those with a negative offset;
/// this turns the panic into an error, and prints nothing. It does not affect other threads, or a hook that
/// the program has set.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ErrorKind> {
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
    decoded
        .map_err(|_| damaged())?
        .map_err(|error| match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                // An error of the system, and not of a decompressor.
                Ok(error) if error.raw_os_error().is_some() => (*error).into(),
                _ => damaged(),
            },
            _ => damaged(),
        })
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
        let decoded = guarded::<()>(|| panic!("a negative offset"));
        assert!(matches!(decoded, Err(ErrorKind::Malformed { .. })));
        assert_eq!(guarded(|| Ok(7)).unwrap(), 7);
    }
}
