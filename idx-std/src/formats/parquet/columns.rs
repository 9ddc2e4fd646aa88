use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::file::ParquetFile;
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
        file: (ParquetFile, ArrowReaderMetadata),
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
    file: ParquetFile,
}

impl Decoder {
    fn open(
        (file, metadata): (ParquetFile, ArrowReaderMetadata),
        (record, label): (usize, Option<usize>),
        records: u64,
    ) -> Result<Self, ErrorKind> {
        let roots = [record].into_iter().chain(label);
        let reader = file.decode(|| {
            let mask = ProjectionMask::roots(metadata.parquet_schema(), roots);
            ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), metadata)
                .with_projection(mask)
                .with_batch_size(usize::try_from(records)?)
                .build()
        })?;
        Ok(Self { reader, file })
    }

    fn next(&mut self) -> Decoded {
        let reader = &mut self.reader;
        self.file.decode(|| Ok(reader.next().transpose()?))
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
