use std::num::NonZeroUsize;

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::file::ParquetFile;
use crate::formats::error::ErrorKind;
use crate::threads::{self, Ahead, ended};

/// How many decoded batches wait, beside the one that the thread decodes; each takes some 100 KiB.
const DEPTH: usize = 4;

/// The columns of the records and of their labels, which are decoded by this thread or ahead by another.
pub(super) enum Columns {
    Here(Decoder),
    Ahead(Ahead<Decoded>),
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
        Ok(match threads::count(threads) {
            NonZeroUsize::MIN => Self::Here(decoder),
            _ => Self::Ahead(Ahead::start(decoder, DEPTH)?),
        })
    }

    /// The next records; `None` after the last one.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, ErrorKind> {
        let decoded = match self {
            Self::Here(decoder) => decoder.next(),
            Self::Ahead(decoded) => decoded.next().map_err(|_| ended())?,
        };
        decoded.transpose()
    }
}

pub(super) struct Decoder {
    /// `None` after the last records, or an error.
    reader: Option<ParquetRecordBatchReader>,
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
        Ok(Self { reader: Some(reader), file })
    }
}

type Decoded = Result<RecordBatch, ErrorKind>;

/// Ends after an error.
impl Iterator for Decoder {
    type Item = Decoded;

    fn next(&mut self) -> Option<Decoded> {
        let reader = self.reader.as_mut()?;
        let decoded = self.file.decode(|| Ok(reader.next().transpose()?));
        if !matches!(decoded, Ok(Some(_))) {
            self.reader = None;
        }
        decoded.transpose()
    }
}
