use std::io::Read;
use std::path::{Path, PathBuf};

use idx_std::{DynWriter, ElementType};

use super::layout::Layout;
use super::sink::Sink;
use super::source::{Record, Source};
use crate::records::input::Input;
use crate::term::failure::Failure as Stop;

pub(crate) struct Idx {
    input: Input,
    layout: Layout,
    count: u64,
    /// Whether records are found by position.
    is_plain_file: bool,
}

impl Idx {
    pub(crate) fn open(path: &Path, read: Box<dyn Read>) -> Result<Self, Stop> {
        let is_file = path.is_file();
        let input = match is_file {
            true => Input::open(path)?,
            false => Input::stream(path, read)?,
        };
        let header = input.header();
        let sizes = header.record_dims().iter().collect();
        Ok(Self {
            layout: Layout {
                number_type: header.element_type().into(),
                record_shape: (header.rank() > 0).then_some(sizes),
            },
            count: header.record_count().into(),
            is_plain_file: is_file && !input.is_gzip(),
            input,
        })
    }
}

impl Source for Idx {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.count)
    }

    fn skip(&mut self, most: u64) -> Result<u64, Stop> {
        if !self.is_plain_file {
            return Ok(0);
        }
        let skipped = most.min(self.count);
        self.input.skip_to(skipped)?;
        Ok(skipped)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Stop> {
        let Some(bytes) = self.input.next_record().transpose()? else {
            return Ok(false);
        };
        record.bytes.clear();
        record.bytes.extend_from_slice(bytes);
        Ok(true)
    }
}

pub(crate) struct IdxSink {
    writer: DynWriter,
    path: PathBuf,
}

impl IdxSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &Layout,
        gzip: bool,
    ) -> Result<Self, Stop> {
        let options = idx_std::WriteOptions::new().gzip(gzip);
        let writer = match &layout.record_shape {
            Some(shape) => DynWriter::create_with(path, element_type, shape, options),
            None => DynWriter::scalar_with(path, element_type, options),
        };
        Ok(Self {
            writer: writer.map_err(|error| Stop::file(path, error.message()))?,
            path: path.to_path_buf(),
        })
    }
}

impl Sink for IdxSink {
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
