//! The formats, and how the name of a file says its format.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::names::format_in_name;
use crate::names::path::{has_extension, has_extension_of, without_gz};

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
    /// A NumPy array, in a file of its own or, when read, in an archive.
    Npy,
    /// An archive of NumPy arrays, one for the records and one for the labels, without class names.
    Npz,
    /// One record per line.
    Csv,
    /// A folder of pictures.
    Png,
    /// A Parquet file, or a folder of them.
    Parquet,
    /// Numbers without a header, as [`OpenOptions::raw`](crate::OpenOptions::raw) describes them; never written.
    Raw,
}

impl Format {
    /// All formats that are written, in the order in which they are listed.
    pub const ALL: [Self; 7] =
        [Self::Idx, Self::IdxGz, Self::Npy, Self::Npz, Self::Csv, Self::Png, Self::Parquet];

    /// Returns the format that a path names: by its extension, by a name like `*-idx3-ubyte`, or as a folder.
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
            .or_else(|| format_in_name(path).map(|_| Self::Idx))
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

    /// Returns whether a file of this format is one array.
    pub(crate) const fn is_array(self) -> bool {
        matches!(self, Self::Idx | Self::IdxGz | Self::Npy)
    }

    /// Returns whether a file of this format can hold labels with the records.
    pub(crate) const fn holds_labels(self) -> bool {
        matches!(self, Self::Csv | Self::Npz | Self::Png | Self::Parquet)
    }

    /// Returns the error for a format whose feature is off.
    pub(crate) const fn disabled(self) -> ErrorKind {
        let feature = match self {
            Self::Png => "pictures",
            other => other.name(),
        };
        ErrorKind::Disabled { feature }
    }

    /// Returns whether a file or folder of this format can hold class names.
    pub(crate) const fn holds_classes(self) -> bool {
        matches!(self, Self::Png | Self::Parquet)
    }

    /// Returns whether a list of class names belongs next to a file of this format.
    pub(crate) const fn has_class_list(self) -> bool {
        self.is_array() || matches!(self, Self::Csv)
    }
}

/// Returns whether a name ends in `.csv` or `.tsv`, with or without `.gz`: only the content tells whether a file is
/// compressed, because browsers and servers decompress files without changing their names.
pub(crate) fn is_table(path: &Path) -> bool {
    has_extension_of(without_gz(path), &["csv", "tsv"])
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
