use std::io::Write;
use std::path::{Path, PathBuf};

use idx_core::ElementType;

use super::LABELS;
use super::element::Formatter;
use crate::formats::error::{At, Error, ErrorKind};
use crate::formats::options::SinkOptions;
use crate::formats::record::{Record, RecordLayout, RecordSink};
use crate::io::{AtomicFile, Staged};

/// The number of bytes of text to write at a time.
const TEXT_SIZE: usize = 64 * 1024;

/// The number of bytes of elements to format at a time: whole elements of each type.
const PIECE: usize = 16 * 1024;

/// Writes a line of numbers for each record.
pub(in crate::formats) struct CsvSink {
    target: Target,
    path: PathBuf,
    formatter: Formatter,
    record_size: u64,
    /// Whether lines have labels, by the first.
    are_labeled: Option<bool>,
    /// Lines that are not written yet.
    text: Vec<u8>,
}

enum Target {
    File(AtomicFile),
    Stream(Box<dyn Write>),
}

impl CsvSink {
    /// Starts a file at this path, or a stream of this name.
    pub(in crate::formats) fn create(
        path: &Path,
        stream: Option<Box<dyn Write>>,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, Error> {
        let Some(columns @ 1..) = layout.record_length() else {
            let message = format!(
                "records of {} have no numbers, which csv cannot hold; write npy",
                layout.shape_text()
            );
            return Err(ErrorKind::unsupported(message)).at(path);
        };
        let mut sink = Self {
            target: match stream {
                Some(stream) => Target::Stream(stream),
                None if options.create_new => Target::File(AtomicFile::create_new(path)?),
                None => Target::File(AtomicFile::create(path)?),
            },
            path: path.to_path_buf(),
            formatter: Formatter::new(element_type),
            record_size: columns.saturating_mul(element_type.size() as u64),
            are_labeled: None,
            text: Vec::new(),
        };
        if options.header {
            let [label, ..] = LABELS;
            let label = options.label_type.map(|_| label.to_string());
            sink.are_labeled = Some(label.is_some());
            let names = label
                .into_iter()
                .chain((0..columns).map(|column| column.to_string()));
            for name in names {
                sink.append(|_, text| text.extend([name.as_bytes(), b","].concat()))?;
            }
            sink.end_line();
        }
        Ok(sink)
    }

    /// Appends a part of a line; writes the buffer before, if it is large.
    fn append(&mut self, append: impl FnOnce(&Formatter, &mut Vec<u8>)) -> Result<(), Error> {
        if self.text.len() >= TEXT_SIZE {
            self.write()?;
        }
        append(&self.formatter, &mut self.text);
        Ok(())
    }

    /// Replaces the comma after the last number.
    fn end_line(&mut self) {
        if let Some(comma) = self.text.last_mut() {
            *comma = b'\n';
        }
    }

    fn write(&mut self) -> Result<(), Error> {
        let written = match &mut self.target {
            Target::File(file) => file.write_all(&self.text).map_err(ErrorKind::from),
            Target::Stream(stream) => stream
                .write_all(&self.text)
                .and_then(|()| stream.flush())
                .map_err(ErrorKind::Output),
        };
        self.text.clear();
        written.at(&self.path)
    }
}

impl RecordSink for CsvSink {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        let (expected, found) = (self.record_size, record.bytes.len());
        if found as u64 != expected {
            let expected = usize::try_from(expected).unwrap_or(usize::MAX);
            let kind = crate::ErrorKind::RecordSize { expected, found };
            return Err(crate::Error::from(kind)).at(&self.path);
        }
        let is_labeled = record.label.is_some();
        if *self.are_labeled.get_or_insert(is_labeled) != is_labeled {
            let message = "some lines have a label and some do not; give each record one, or none";
            return Err(ErrorKind::mismatch(message)).at(&self.path);
        }
        if let Some(label) = record.label {
            self.append(|_, text| {
                text.extend_from_slice(itoa::Buffer::new().format(label).as_bytes());
                text.push(b',');
            })?;
        }
        for elements in record.bytes.chunks(PIECE) {
            self.append(|formatter, text| formatter.append(elements, text))?;
        }
        self.end_line();
        Ok(())
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        self.write()?;
        Ok(match self.target {
            Target::File(file) => Some(file.stage()),
            Target::Stream(_) => None,
        })
    }
}
