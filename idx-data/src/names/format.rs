//! The formats, and the signs of a format in the name or the first bytes of a file.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::names::Name;
use crate::names::columns::label_position;
use crate::names::folder::{has_extension, without_gz};

/// A format of records; [`Source::formats`](crate::Source::formats) tells that of an input.
///
/// ```
/// use idx_data::Format;
///
/// assert_eq!(Format::from_path("train-images-idx3-ubyte.gz".as_ref()), Some(Format::IdxGz));
/// assert_eq!("npy".parse::<Format>()?, Format::Npy);
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Plain IDX.
    Idx,
    /// IDX, compressed.
    IdxGz,
    /// An array of NumPy, in a file of its own or, to read it, in an archive.
    Npy,
    /// An archive of arrays of NumPy, one for the records and one for the labels, without the names of classes.
    Npz,
    /// One record per line.
    Csv,
    /// A folder of pictures.
    Png,
    /// A Parquet file, or a folder of them.
    Parquet,
    /// Numbers without a header, which [`OpenOptions::raw`](crate::OpenOptions::raw) describes. This is never written.
    Raw,
}

impl Format {
    /// All formats that are written, in the order in which they are listed.
    pub const ALL: [Self; 7] =
        [Self::Idx, Self::IdxGz, Self::Npy, Self::Npz, Self::Csv, Self::Png, Self::Parquet];

    /// Returns the format for the name of a path: by its extension, a name like `*-idx3-ubyte`, or the `/` of a folder.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        if path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir() {
            return Some(Self::Png);
        }
        if has_extension(path, "gz") {
            return match path.file_stem().map(Path::new).and_then(Self::from_path) {
                // Only IDX can be compressed.
                Some(Self::Npy | Self::Npz | Self::Parquet) => None,
                _ if is_table(path) => None,
                _ => Some(Self::IdxGz),
            };
        }
        if has_extension(path, "tsv") {
            return None; // read as csv, but not written
        }
        let mut by_extension =
            [Self::Idx, Self::Npy, Self::Npz, Self::Csv, Self::Parquet].into_iter();
        by_extension
            .find(|format| has_extension(path, format.name()))
            .or_else(|| Name::parse(path)?.format().map(|_| Self::Idx))
    }

    /// Returns the name of the format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idx => "idx",
            Self::IdxGz => "idx.gz",
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Csv => "csv",
            Self::Png => "png",
            Self::Parquet => "parquet",
            Self::Raw => "raw",
        }
    }

    /// Returns whether a file can hold labels with the records.
    pub(crate) const fn holds_labels(self) -> bool {
        matches!(self, Self::Csv | Self::Npz | Self::Png | Self::Parquet)
    }

    /// Returns whether no list of names of classes belongs beside a file.
    pub(crate) const fn holds_classes(self) -> bool {
        matches!(self, Self::Npz | Self::Png | Self::Parquet)
    }
}

/// Returns whether a name ends in `.csv` or `.tsv`, or in `.gz` after it: only the content tells whether it is
/// compressed, because browsers and servers decompress files without changing their names.
pub(crate) fn is_table(path: &Path) -> bool {
    let name = without_gz(path);
    has_extension(name, "csv") || has_extension(name, "tsv")
}

/// Returns whether a name is one that tables of text often have, which other files have as well: `letter.data`,
/// `labels.txt`.
pub(crate) fn may_be_table(path: &Path) -> bool {
    let name = without_gz(path);
    ["txt", "data", "dat", "tab"].into_iter().any(|extension| has_extension(name, extension))
}

/// Returns whether bytes are the start of a text whose first cell is a number or the name of a column that this program
/// writes or, if something else says that it is a table, any text.
pub(crate) fn starts_like_table(start: &[u8], is_named: bool) -> bool {
    let start = without_mark(start);
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let mut cells = start.split(|byte| b",;\t\r\n".contains(byte));
    let first = String::from_utf8_lossy(cells.next().unwrap_or_default());
    let first = first.trim_matches([' ', '"']);
    let is_name = || matches!(first, "value" | "x1") || first.starts_with("1x1");
    let is_cell =
        || is_name() || first.parse::<f64>().is_ok() || label_position(&[first]).is_some();
    let is_table = is_spaced(start) || !first.is_empty() && (is_named || is_cell());
    start.iter().all(is_text) && is_table
}

/// Returns whether the first line of a text that starts like this has numbers with spaces between them, and perhaps
/// tabs.
pub(crate) fn is_spaced(start: &[u8]) -> bool {
    let start = without_mark(start);
    let end = start.iter().position(|byte| b"\r\n".contains(byte));
    let line = start.get(..end.unwrap_or(start.len())).unwrap_or_default();
    let Ok(line) = str::from_utf8(line) else {
        return false;
    };
    let has_space = line.split('\t').any(|cell| cell.split_ascii_whitespace().nth(1).is_some());
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    // The start may end within a number.
    let is_part = |byte: u8| end.is_none() && b"0123456789+-.eE".contains(&byte);
    let mut words = line.split_ascii_whitespace();
    let last = words.next_back().unwrap_or_default();
    has_space && words.all(is_number) && (is_number(last) || last.bytes().all(is_part))
}

/// Returns a text without the byte order mark of UTF-8.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)
}

impl FromStr for Format {
    type Err = Error;

    /// Returns the format with this [`name`](Self::name); `gz` means `idx.gz`, too.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let name = if name == "gz" { Self::IdxGz.name() } else { name };
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            ErrorKind::malformed(format!(
                "`{name}` is not the name of a format; write one of {names}"
            ))
            .into()
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
