//! The format of an input, detected by its first bytes and its name.

use std::io::{self, Cursor, Read, Seek};
use std::mem::replace;
use std::path::Path;

use crate::error::{At, Error, ErrorKind};
use crate::formats::bytes::Bytes;
use crate::formats::npy::MAGIC as NPY_MAGIC;
use crate::formats::npz;
#[cfg(feature = "pictures")]
use crate::formats::pictures::is_picture as is_picture_content;
use crate::known::file::{KnownFile, START_SIZE};
use crate::names::format::{Format, is_table};
use crate::names::path::{has_extension, has_extension_of, is_picture, without_gz};
use crate::reading::roles::names::{is_label, is_y};
use crate::record::options::OpenOptions;
use idx_std::__private::Source as FileBytes;
use idx_std::{FileSignature, Header, is_gzip};

/// The first bytes of every Parquet file.
const PARQUET_MAGIC: &[u8] = b"PAR1";

impl OpenOptions {
    /// Detects the format of a stream, and returns the stream from its start. The name helps to detect csv and
    /// pictures.
    ///
    /// ```
    /// use idx_data::{Format, OpenOptions};
    ///
    /// let stream = Box::new(&b"7,0,255\n"[..]);
    /// let (format, stream) = OpenOptions::new().detect_stream("digits.csv", stream)?;
    /// assert_eq!(format, Format::Csv);
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A stream that cannot be read.
    pub fn detect_stream(
        &self,
        name: impl AsRef<Path>,
        stream: Box<dyn Read + Send>,
    ) -> Result<(Format, Box<dyn Read + Send>), Error> {
        let name = name.as_ref();
        let Content { format, bytes, .. } = Content::of(name, Bytes::Stream(stream), self)?;
        Ok((format, Box::new(bytes)))
    }
}

/// An input that is not a folder.
pub(super) struct Content {
    pub(super) format: Format,
    /// The first bytes.
    pub(super) start: Vec<u8>,
    /// The known IDX file that starts with these bytes.
    pub(super) known: Option<KnownFile>,
    pub(super) bytes: Bytes,
}

impl Content {
    pub(super) fn of(path: &Path, mut bytes: Bytes, options: &OpenOptions) -> Result<Self, Error> {
        // With this capacity, one call reads them all.
        let mut start = Vec::with_capacity(START_SIZE);
        let is_file = matches!(bytes, Bytes::File(_));
        match &mut bytes {
            Bytes::File(file) => {
                file.take(START_SIZE as u64).read_to_end(&mut start).at(path)?;
                file.rewind().at(path)?;
            }
            // The rest may arrive late.
            Bytes::Stream(stream) => {
                let length = FileSignature::START as u64;
                stream.take(length).read_to_end(&mut start).at(path)?;
                let rest = replace(stream, Box::new(io::empty()));
                *stream = Box::new(Cursor::new(start.clone()).chain(rest));
            }
        }
        if is_file && npz::split_array(path).is_some() && !npz::is_archive(&start) {
            let message =
                "only a NumPy archive (.npz) has named arrays; give only the name of the file";
            return Err(ErrorKind::mismatch(message)).at(path);
        }
        let inside = is_gzip(&start).then(|| decompressed(&start));
        let found = format_of(path, &start, inside.as_deref(), options);
        // Labels may have another format than their records.
        let is_other = || found != Format::Idx || Header::parse(&start).is_ok();
        let is_raw = options.raw.is_some() && !(options.are_labels() && is_other());
        let format = if is_raw { Format::Raw } else { found };
        let known = match format {
            Format::Idx | Format::IdxGz => {
                KnownFile::from_start(inside.as_deref().unwrap_or(&start))
            }
            _ => None,
        };
        Ok(Self { format, start, known, bytes })
    }
}

/// Decompresses the first bytes of a file, up to their end or to damage, and at most to `START_SIZE` bytes: a few
/// compressed bytes may become many.
fn decompressed(start: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    let start = Bytes::Stream(Box::new(Cursor::new(start.to_vec())));
    let _ =
        FileBytes::new(start).and_then(|mut source| source.append(&mut content, START_SIZE as u64));
    content
}

/// Decides the format of an input that is not a folder; no other code does. What matches no other format is IDX.
fn format_of(path: &Path, start: &[u8], inside: Option<&[u8]>, options: &OpenOptions) -> Format {
    if is_picture(path) {
        return Format::Png;
    }
    if let Some(content) = inside {
        return match () {
            () if content.starts_with(NPY_MAGIC) => Format::Npy,
            () if may_be_csv(path, content) && (is_table(path) || is_spaced(content)) => {
                Format::Csv
            }
            () => Format::IdxGz,
        };
    }
    match start {
        _ if start.starts_with(NPY_MAGIC) => Format::Npy,
        _ if npz::is_archive(start) => Format::Npz,
        _ if start.starts_with(PARQUET_MAGIC) => Format::Parquet,
        _ if is_csv(path, start, options) => Format::Csv,
        #[cfg(feature = "pictures")]
        _ if is_picture_content(start) => Format::Png,
        _ => Format::Idx,
    }
}

/// Returns whether this may be csv: neither the name nor the first bytes, decompressed, are those of IDX, and the bytes
/// are not a web page, a server's message or the like.
fn may_be_csv(path: &Path, start: &[u8]) -> bool {
    let is_idx_name = matches!(Format::from_path(without_gz(path)), Some(Format::Idx));
    !is_idx_name && !start.starts_with(&[0, 0]) && FileSignature::detect(start).is_none()
}

/// Returns whether an uncompressed file that starts with these bytes is csv.
fn is_csv(path: &Path, start: &[u8], options: &OpenOptions) -> bool {
    // If an option or the name says that it is a table, any text is one.
    let is_said = options.header.is_some() || may_be_table(path);
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let has_text = || !without_mark(start).trim_ascii().is_empty();
    match () {
        () if !may_be_csv(path, start) => false,
        () if is_table(path) => true,
        () if has_extension(path, "gz") || !start.iter().all(is_text) => false,
        () => is_said && has_text() || is_spaced(start) || starts_with_cell(start),
    }
}

/// Returns whether a name is common for tables of text, although other files have it, too: `letter.data`, `labels.txt`,
/// `train.labels`.
fn may_be_table(path: &Path) -> bool {
    has_extension_of(without_gz(path), &["txt", "data", "dat", "tab", "labels", "label"])
}

/// Returns whether the first cell of a text is a number, or a column name that this library writes.
fn starts_with_cell(start: &[u8]) -> bool {
    let mut cells = without_mark(start).split(|byte| b",;\t\r\n".contains(byte));
    let first = String::from_utf8_lossy(cells.next().unwrap_or_default());
    let first = first.trim_matches([' ', '"']);
    let is_element = matches!(first, "value" | "x1") || first.starts_with("1x1");
    is_element || is_label(first) || is_y(first) || first.parse::<f64>().is_ok()
}

/// Returns whether the first line of a text is numbers separated by spaces, and perhaps tabs.
fn is_spaced(start: &[u8]) -> bool {
    let start = without_mark(start);
    let end = start.iter().position(|byte| b"\r\n".contains(byte));
    let line = start.get(..end.unwrap_or(start.len())).unwrap_or_default();
    let Ok(line) = str::from_utf8(line) else {
        return false;
    };
    let has_space = line.split('\t').any(|cell| cell.split_ascii_whitespace().nth(1).is_some());
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    // The start may end in the middle of a number.
    let is_part = |byte: u8| end.is_none() && b"0123456789+-.eE".contains(&byte);
    let mut words = line.split_ascii_whitespace();
    let last = words.next_back().unwrap_or_default();
    has_space && words.all(is_number) && (is_number(last) || last.bytes().all(is_part))
}

/// Strips the byte order mark of UTF-8 from a text.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}
