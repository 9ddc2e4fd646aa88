use std::io::Write;
use std::mem::take;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use idx_core::ElementType;

use super::LABELS;
use super::element::Formatter;
use crate::formats::error::{At, Error, ErrorKind};
use crate::formats::options::SinkOptions;
use crate::formats::ordered::Ordered;
use crate::formats::record::{Record, RecordLayout, RecordSink};
use crate::io::{AtomicFile, Staged};

/// The number of bytes to write at a time, of text that no thread formats.
const TEXT_SIZE: usize = 64 * 1024;

/// The number of bytes of elements that a thread formats at a time: whole elements of each type, and enough that
/// waking the thread takes no time beside it.
const BATCH_SIZE: usize = 128 * 1024;

/// The maximum number of batches of a thread.
const DEPTH: usize = 4;

/// The maximum number of labels and line ends among them, for short lines.
const MAX_MARKS: usize = 4096;

/// Writes a line of numbers for each record.
pub(in crate::formats) struct CsvSink {
    target: Target,
    path: PathBuf,
    formatter: Arc<Formatter>,
    threads: Option<NonZeroUsize>,
    /// Started when there is more than one batch.
    formatting: Option<Ordered<Lines, Lines>>,
    record_size: u64,
    /// Whether lines have labels, by the first.
    are_labeled: Option<bool>,
    /// The lines that no thread has yet.
    lines: Lines,
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
            formatter: Arc::new(Formatter::new(element_type)),
            threads: options.threads,
            formatting: None,
            record_size: columns.saturating_mul(element_type.size() as u64),
            are_labeled: None,
            lines: Lines::default(),
        };
        if options.header {
            let [label, ..] = LABELS;
            let label = options.label_type.map(|_| label.to_string());
            sink.are_labeled = Some(label.is_some());
            sink.write_names(label, columns)?;
        }
        Ok(sink)
    }

    /// Writes the first line, which may be a long one.
    fn write_names(&mut self, label: Option<String>, columns: u64) -> Result<(), Error> {
        let columns = (0..columns).map(|column| column.to_string());
        let mut text = Vec::new();
        for name in label.into_iter().chain(columns) {
            if text.len() >= TEXT_SIZE {
                self.write(&text)?;
                text.clear();
            }
            text.extend([name.as_bytes(), b","].concat());
        }
        end_line(&mut text);
        self.write(&text)
    }

    /// Passes the lines to a thread if they are many.
    ///
    /// Do not call this after the last element of a line: its comma is replaced where it was written.
    fn make_room(&mut self) -> Result<(), Error> {
        if self.lines.elements.len() < BATCH_SIZE && self.lines.marks.len() < MAX_MARKS {
            return Ok(());
        }
        let formatter = Arc::clone(&self.formatter);
        let formatting = self.formatting.get_or_insert_with(|| {
            let formatting = Ordered::new(self.threads, move |mut lines: Lines| {
                lines.format(&formatter);
                lines
            });
            formatting.with_depth(DEPTH)
        });
        let given = formatting.give(take(&mut self.lines));
        if let Some(mut formatted) = given.map_err(ErrorKind::from).at(&self.path)? {
            self.write(&formatted.text)?;
            formatted.clear();
            self.lines = formatted;
        }
        Ok(())
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Error> {
        let written = match &mut self.target {
            Target::File(file) => file.write_all(text).map_err(ErrorKind::from),
            Target::Stream(stream) => {
                stream.write_all(text).and_then(|()| stream.flush()).map_err(ErrorKind::Output)
            }
        };
        written.at(&self.path)
    }
}

/// Lines of numbers, or parts of them, and their text once it is formatted.
///
/// They are used again: with new memory for each text, clearing its pages would take as long as formatting.
#[derive(Default)]
struct Lines {
    elements: Vec<u8>,
    /// A label or the end of a line, after this many bytes of elements.
    marks: Vec<(usize, Mark)>,
    text: Vec<u8>,
}

enum Mark {
    /// The label that a line starts with.
    Label(i128),
    EndOfLine,
}

impl Lines {
    fn mark(&mut self, mark: Mark) {
        self.marks.push((self.elements.len(), mark));
    }

    fn clear(&mut self) {
        self.elements.clear();
        self.marks.clear();
        self.text.clear();
    }

    fn format(&mut self, formatter: &Formatter) {
        let text = &mut self.text;
        // Enough for bytes, which are most of what is written.
        text.reserve(4 * (self.elements.len() + self.marks.len()));
        let mut start = 0;
        for (end, mark) in &self.marks {
            formatter.append(self.elements.get(start..*end).unwrap_or_default(), text);
            start = *end;
            match mark {
                Mark::Label(label) => {
                    text.extend_from_slice(itoa::Buffer::new().format(*label).as_bytes());
                    text.push(b',');
                }
                Mark::EndOfLine => end_line(text),
            }
        }
        formatter.append(self.elements.get(start..).unwrap_or_default(), text);
    }
}

/// Replaces the comma after the last number.
fn end_line(text: &mut [u8]) {
    if let Some(comma) = text.last_mut() {
        *comma = b'\n';
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
        self.make_room()?;
        if let Some(label) = record.label {
            self.lines.mark(Mark::Label(label));
        }
        for elements in record.bytes.chunks(BATCH_SIZE) {
            self.make_room()?;
            self.lines.elements.extend_from_slice(elements);
        }
        self.lines.mark(Mark::EndOfLine);
        Ok(())
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        if let Some(mut formatting) = self.formatting.take() {
            while let Some(lines) = formatting.take().map_err(ErrorKind::from).at(&self.path)? {
                self.write(&lines.text)?;
            }
        }
        let mut rest = take(&mut self.lines);
        rest.format(&self.formatter);
        self.write(&rest.text)?;
        Ok(match self.target {
            Target::File(file) => Some(file.stage()),
            Target::Stream(_) => None,
        })
    }
}
