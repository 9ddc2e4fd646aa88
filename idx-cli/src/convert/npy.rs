use std::io::Read;
use std::path::{Path, PathBuf};

use idx_std::{ElementType, NpyReader, NpyWriter};

use super::layout::Layout;
use super::sink::Sink;
use super::source::{Record, Source};
use crate::term::failure::Failure as Stop;

pub(crate) struct Npy {
    reader: NpyReader<Box<dyn Read>>,
    path: PathBuf,
    layout: Layout,
}

impl Npy {
    pub(crate) fn open(path: &Path, read: Box<dyn Read>) -> Result<Self, Stop> {
        let reader = NpyReader::new(read).map_err(|error| Stop::file(path, error.message()))?;
        let header = reader.header();
        let sizes = header.record_shape().iter().copied().map(u32::try_from);
        let sizes = sizes.collect::<Result<_, _>>().map_err(|_| {
            let message = "a size of the records is beyond the 32 bits of IDX; split the array";
            Stop::file(path, message)
        })?;
        Ok(Self {
            layout: Layout {
                number_type: header.number_type,
                record_shape: (!header.shape.is_empty()).then_some(sizes),
            },
            path: path.to_path_buf(),
            reader,
        })
    }
}

impl Source for Npy {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.reader.header().record_count())
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Stop> {
        let next = self.reader.next_record().transpose();
        let Some(bytes) = next.map_err(|error| Stop::file(&self.path, error.message()))? else {
            return Ok(false);
        };
        record.bytes.clear();
        record.bytes.extend_from_slice(bytes);
        Ok(true)
    }
}

pub(crate) struct NpySink {
    writer: NpyWriter,
    path: PathBuf,
}

impl NpySink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &Layout,
    ) -> Result<Self, Stop> {
        let writer = NpyWriter::create(path, element_type, layout.record_shape.as_deref());
        Ok(Self {
            writer: writer.map_err(|error| Stop::file(path, error.message()))?,
            path: path.to_path_buf(),
        })
    }
}

impl Sink for NpySink {
    fn push(&mut self, record: &Record) -> Result<(), Stop> {
        let pushed = self.writer.push_bytes(&record.bytes);
        pushed.map_err(|error| Stop::file(&self.path, error.message()))
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        let finished = self.writer.finish();
        finished.map_or_else(
            |error| Err(Stop::file(&self.path, error.message())),
            |_| Ok(()),
        )
    }
}
