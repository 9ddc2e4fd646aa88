//! Untrusted text on the terminal: names and contents of files may hold anything.

use std::fmt;
use std::path::Path;

use idx_std::__private::escaped;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

/// The length above which a message is shortened, with an ellipsis in the middle.
const MAX_CHARACTERS: usize = 4096;

/// A path in a report. In JSON, a path that is not UTF-8 also has its bytes, so that its file can be found.
#[derive(Clone, Default, Serialize)]
pub(crate) struct PathText {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<Vec<u8>>,
}

impl<P: AsRef<Path> + ?Sized> From<&P> for PathText {
    fn from(path: &P) -> Self {
        let path = path.as_ref();
        Self { path: path.display().to_string(), path_bytes: bytes_unless_text(path) }
    }
}

/// Returns the bytes of a path that is not UTF-8.
pub(crate) fn bytes_unless_text(path: &Path) -> Option<Vec<u8>> {
    path.to_str().is_none().then(|| path.as_os_str().as_encoded_bytes().to_vec())
}

impl fmt::Display for PathText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.path))
    }
}

/// Escapes control and formatting characters, as Rust writes them, and shortens long text. Line breaks are escaped too:
/// the text after one would look like another line of the command.
pub(crate) fn printable(text: &str) -> String {
    shortened(idx_std::__private::printable(text))
}

/// Escapes the same characters in JSON, in one or two words of 16 bits. They occur only in strings.
pub(crate) fn printable_json(json: &str) -> String {
    escaped(json, |character| {
        character.encode_utf16(&mut [0; 2]).iter().map(|word| format!("\\u{word:04x}")).collect()
    })
}

/// Returns the number of columns that a text takes in a terminal: two for a Chinese character, for example.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Pads a text with spaces to this number of columns.
pub(crate) fn filled(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns the text, or as much of its start as fits in `most` columns, with an ellipsis.
pub(crate) fn fitted(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_string();
    }
    let starts = text.char_indices().map_while(|(end, _)| text.get(..end));
    let start = starts.take_while(|start| columns(start) < most).last().unwrap_or_default();
    format!("{start}\u{2026}")
}

fn shortened(text: String) -> String {
    let length = text.chars().count();
    if length <= MAX_CHARACTERS {
        return text;
    }
    let half = MAX_CHARACTERS / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(length - half).collect();
    format!("{start} ... {end}")
}
