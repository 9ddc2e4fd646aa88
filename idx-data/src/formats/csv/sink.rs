//! Writes records as lines of numbers.

use std::array;
use std::fmt::Debug;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use crate::error::{At, Error, ErrorKind};
use crate::formats::RecordSink;
use crate::formats::csv::header;
use crate::record::options::CreateOptions;
use crate::record::{Facts, Record};
use idx_std::__private::Staged;
use idx_std::{AtomicFile, ElementType};

/// The number of bytes to write at a time.
const TEXT_SIZE: usize = 64 * 1024;

/// The number of bytes of elements to turn into text at a time: whole elements of each type.
const BATCH_SIZE: usize = 8 * 1024;

/// Writes each record as a line of numbers.
pub(crate) struct CsvSink {
    output: TextOutput,
    element_type: ElementType,
    /// The text that is not written yet. Each number has a comma after it; the last comma becomes the end of the line.
    text: Vec<u8>,
}

enum TextOutput {
    File(AtomicFile),
    Stream(Box<dyn Write + Send>),
}

impl CsvSink {
    /// Starts a file at this path, or a stream with this name.
    pub(crate) fn create(
        path: &Path,
        stream: Option<Box<dyn Write + Send>>,
        facts: &Facts,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let layout = &facts.layout;
        let element_type = layout.element_type().at(path)?;
        let Some(1..) = layout.record_length() else {
            let message = format!(
                "records of {} have no numbers, which csv cannot hold; write npy",
                layout.shape_text()
            );
            return Err(ErrorKind::unsupported(message)).at(path);
        };
        let mut sink = Self {
            output: match stream {
                Some(stream) => TextOutput::Stream(stream),
                None => TextOutput::File(AtomicFile::start(path, options.create_new)?),
            },
            element_type,
            text: Vec::new(),
        };
        if options.header {
            let label = facts.has_labels.then(|| "label".to_string());
            for name in label.into_iter().chain(header::names(layout.record_shape())) {
                sink.make_room()?;
                sink.text.extend([name.as_bytes(), b","].concat());
            }
            sink.end_line();
        }
        Ok(sink)
    }

    /// Writes the text if it is long.
    ///
    /// Do not call this after the last number of a line.
    fn make_room(&mut self) -> Result<(), Error> {
        if self.text.len() < TEXT_SIZE {
            return Ok(());
        }
        self.write()
    }

    fn write(&mut self) -> Result<(), Error> {
        let written = match &mut self.output {
            TextOutput::File(file) => file.write_all(&self.text).map_err(ErrorKind::from),
            TextOutput::Stream(stream) => stream
                .write_all(&self.text)
                .and_then(|()| stream.flush())
                .map_err(ErrorKind::output),
        };
        self.text.clear();
        Ok(written?)
    }

    fn end_line(&mut self) {
        if let Some(comma) = self.text.last_mut() {
            *comma = b'\n';
        }
    }
}

impl RecordSink for CsvSink {
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        records.each(count, |record| {
            if let Some(label) = record.label {
                self.make_room()?;
                append_integers(&mut self.text, [label]);
            }
            for elements in record.bytes.chunks(BATCH_SIZE) {
                self.make_room()?;
                append_elements(&mut self.text, elements, self.element_type);
            }
            self.end_line();
            Ok(())
        })
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        self.write()?;
        Ok(match self.output {
            TextOutput::File(file) => Some(file.stage()?),
            TextOutput::Stream(_) => None,
        })
    }
}

/// Appends the shortest decimals that read back as the same numbers.
fn append_elements(text: &mut Vec<u8>, elements: &[u8], element_type: ElementType) {
    fn numbers<const N: usize, T>(bytes: &[u8], from: fn([u8; N]) -> T) -> impl Iterator<Item = T> {
        bytes.as_chunks().0.iter().map(move |bytes| from(*bytes))
    }
    match element_type {
        ElementType::U8 => append_bytes(text, elements),
        ElementType::I8 => append_integers(text, numbers(elements, i8::from_be_bytes)),
        ElementType::I16 => append_integers(text, numbers(elements, i16::from_be_bytes)),
        ElementType::I32 => append_integers(text, numbers(elements, i32::from_be_bytes)),
        ElementType::F32 => append_floats(text, numbers(elements, f32::from_be_bytes)),
        ElementType::F64 => append_floats(text, numbers(elements, f64::from_be_bytes)),
    }
}

/// The text of each byte with a comma after it, and its length.
static BYTES: LazyLock<[([u8; 4], usize); 256]> = LazyLock::new(|| {
    array::from_fn(|byte| {
        let text = format!("{byte},");
        let mut padded = [0; 4];
        padded.iter_mut().zip(text.bytes()).for_each(|(padded, byte)| *padded = byte);
        (padded, text.len())
    })
});

/// Does what [`append_integers`] does, in a third of the time.
fn append_bytes(text: &mut Vec<u8>, bytes: &[u8]) {
    let texts = &*BYTES;
    let mut end = text.len();
    text.resize(end + 4 * bytes.len(), 0);
    for byte in bytes {
        let (padded, length) = texts.get(usize::from(*byte)).copied().unwrap_or_default();
        if let Some(room) = text.get_mut(end..).and_then(<[u8]>::first_chunk_mut) {
            *room = padded;
        }
        end += length;
    }
    text.truncate(end);
}

fn append_integers<I: itoa::Integer>(text: &mut Vec<u8>, numbers: impl IntoIterator<Item = I>) {
    let mut buffer = itoa::Buffer::new();
    for number in numbers {
        text.extend_from_slice(buffer.format(number).as_bytes());
        text.push(b',');
    }
}

fn append_floats(text: &mut Vec<u8>, numbers: impl Iterator<Item: Debug>) {
    for number in numbers {
        let written = write!(text, "{number:?},");
        debug_assert!(written.is_ok(), "a vector takes all text");
    }
}
