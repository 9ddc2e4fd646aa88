//! The name of a file of records or labels: its words, and its end.

use std::fmt;
use std::path::Path;

use crate::names::part::{Part, SEPARATORS, split_part_word, strip_suffix};
use idx_std::ElementType;

/// The words for the element types in names, as in Lush and the data sets.
const TYPE_WORDS: [(&str, ElementType); 6] = [
    ("ubyte", ElementType::U8),
    ("byte", ElementType::I8),
    ("short", ElementType::I16),
    ("int", ElementType::I32),
    ("float", ElementType::F32),
    ("double", ElementType::F64),
];

/// The content of a file of arrays, according to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FileKind {
    /// Pictures.
    Images,
    /// The classes of the pictures, as numbers.
    Labels,
}

impl FileKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Images => "images",
            Self::Labels => "labels",
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The name of a file of records or labels, such as `fashion-train-images.idx3-ubyte.gz`, `digits.npy` or `own.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    /// The start that the names of records, labels and classes share: `fashion-train`, `digits`.
    stem: &'a str,
    /// The text between the stem and the word `images` or `labels`.
    separator: &'a str,
    pub(crate) kind: Option<FileKind>,
    end: End<'a>,
    pub(crate) is_gzip: bool,
    /// True if its words are in upper case, as on an old disk.
    is_upper: bool,
}

/// The end of a name, without `.gz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End<'a> {
    /// `-idx3-ubyte` or `.idx3-ubyte`.
    Idx { separator: char, rank: usize, word: &'a str },
    /// `.idx` or `.npy`: one array, with its labels in another file.
    Array(&'a str),
    /// `.csv`, `.tsv` or `.parquet`: records with their labels.
    Table(&'a str),
    /// `.npz`: named arrays.
    Archive(&'a str),
}

impl<'a> End<'a> {
    /// Splits a name into its front and its end.
    fn parse(name: &'a str) -> Option<(&'a str, Self)> {
        Self::parse_idx(name).or_else(|| {
            let (front, end) = name.split_at_checked(name.rfind('.')?)?;
            Some((
                front,
                match &*end.to_ascii_lowercase() {
                    ".idx" | ".npy" => Self::Array(end),
                    ".csv" | ".tsv" | ".parquet" => Self::Table(end),
                    ".npz" => Self::Archive(end),
                    _ => return None,
                },
            ))
        })
    }

    fn parse_idx(name: &'a str) -> Option<(&'a str, Self)> {
        let at = name.to_ascii_lowercase().rfind("idx")?;
        let (front, format) = (name.get(..at)?, name.get(at + "idx".len()..)?);
        let (rank, word) = format.split_once('-')?;
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let rank = rank.parse().ok().filter(|_| is_word)?;
        let separator = front.chars().next_back().filter(|last| matches!(last, '-' | '.'))?;
        Some((front.strip_suffix(separator)?, Self::Idx { separator, rank, word }))
    }

    /// Returns whether a file with this end is one array.
    const fn is_array(self) -> bool {
        matches!(self, Self::Idx { .. } | Self::Array(_))
    }

    /// Returns the ends that the names of the labels may have, most likely first.
    fn of_labels(self) -> Vec<String> {
        let Self::Idx { separator, word, .. } = self else {
            return vec![self.to_string()];
        };
        let other = if separator == '-' { '.' } else { '-' };
        let mut ends = vec![format!("{separator}idx1-{word}")];
        let integers = TYPE_WORDS.iter().filter(|(_, known)| !known.is_float());
        ends.extend(integers.map(|(word, _)| format!("{separator}idx1-{word}")));
        ends.push(format!("{other}idx1-ubyte"));
        // QMNIST's labels have several columns.
        ends.extend([separator, other].map(|separator| format!("{separator}idx2-int")));
        ends
    }
}

impl fmt::Display for End<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idx { separator, rank, word } => write!(f, "{separator}idx{rank}-{word}"),
            Self::Array(end) | Self::Table(end) | Self::Archive(end) => f.write_str(end),
        }
    }
}

impl<'a> Name<'a> {
    /// Parses the name of a file; `None` if it has no known end, or is not UTF-8.
    pub(crate) fn parse(path: &'a Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let plain = strip_suffix(name, ".gz").unwrap_or(name);
        let (front, end) = End::parse(plain)?;
        let is_gzip = plain.len() < name.len();
        let is_upper = matches!(end, End::Idx { word, .. } if word == word.to_ascii_uppercase());
        let mut kinds = [FileKind::Images, FileKind::Labels].into_iter().filter(|_| end.is_array());
        let said = kinds.find_map(|kind| Some((split_word(front, kind.word())?, Some(kind))));
        let ((stem, separator), kind) = said.unwrap_or(((front, "-"), None));
        let name = Self { stem, separator, kind, end, is_gzip, is_upper };
        (kind.is_some() || !front.is_empty()).then_some(name)
    }

    /// Returns whether the name of a file says that it has labels.
    pub(crate) fn is_of_labels(path: &Path) -> bool {
        Name::parse(path).is_some_and(|name| name.kind == Some(FileKind::Labels))
    }

    /// Returns the rank and the type in a name like `own-idx3-ubyte`; no type if its word does not name one.
    pub(crate) fn format(&self) -> Option<(usize, Option<ElementType>)> {
        let End::Idx { rank, word, .. } = self.end else {
            return None;
        };
        let known = TYPE_WORDS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        Some((rank, known.map(|(_, element_type)| element_type)))
    }

    /// Returns the prefix of the data set, and the part: `fashion-` and `train` for `fashion-train-images-idx3-ubyte`.
    pub(crate) fn part(&self) -> (&'a str, Part) {
        split_part_word(self.stem)
    }

    /// Returns the part and the kind of this IDX file; `None` if its name does not say both.
    pub(crate) fn part_and_kind(&self) -> Option<(Part, FileKind)> {
        let (_, part) = self.part();
        let is_named = self.format().is_some() && part != Part::None;
        self.kind.filter(|_| is_named).map(|kind| (part, kind))
    }

    /// Returns the names that the file of these records' labels may have, most likely first.
    pub(super) fn labels(&self) -> Vec<String> {
        if self.kind == Some(FileKind::Labels) || !self.end.is_array() {
            return Vec::new();
        }
        let ends = self.end.of_labels();
        self.with_gzip(ends.iter().map(|end| self.spelled(Some(FileKind::Labels), end)))
    }

    /// Returns the names that the file of these records' labels may have by other conventions: `y_train.npy` for
    /// `X_train.npy`, `labels-pca.idx1-double` for `images-pca.idx2-double`, `own_labels.npy` for `own.npy`,
    /// `own-labels-idx2-ubyte` with a column for each class, and `own-labels-idx1-float`, which may have other numbers
    /// than labels.
    pub(super) fn possible_labels(&self) -> Vec<String> {
        const MOST: usize = 16;
        const WORDS: [(&str, &str); 7] = [
            ("x", "y"),
            ("images", "labels"),
            ("imgs", "labels"),
            ("data", "labels"),
            ("data", "target"),
            ("features", "labels"),
            ("features", "target"),
        ];
        let gzip = if self.is_gzip { self.gzip() } else { "" };
        let ends = self.end.of_labels();
        let spell = |name: Self, end: &str| name.spelled(Some(FileKind::Labels), end) + gzip;
        let formats = match self.end {
            End::Idx { separator, word, .. } if self.kind == Some(FileKind::Images) => {
                let formats = [(2, word), (1, "float"), (1, "double")];
                formats.map(|(rank, word)| format!("{separator}idx{rank}-{word}")).to_vec()
            }
            _ => Vec::new(),
        };
        let of_other_formats = formats.iter().map(|end| spell(*self, end));
        let is_respelled =
            self.end.is_array() && self.kind != Some(FileKind::Labels) && !self.stem.is_empty();
        let separator = if self.separator == "_" { "-" } else { "_" };
        let respelled = ends.first().filter(|_| is_respelled);
        let respelled = respelled.map(|end| spell(Self { separator, ..*self }, end));
        let stem = self.stem.to_ascii_lowercase();
        let swapped = WORDS.iter().filter_map(|(records, labels)| {
            stem.match_indices(records).find_map(|(start, _)| {
                let (before, after) =
                    (self.stem.get(..start)?, self.stem.get(start + records.len()..)?);
                let is_word = !before.ends_with(char::is_alphanumeric)
                    && !after.starts_with(char::is_alphanumeric);
                is_word.then(|| [before, labels, after].concat())
            })
        });
        let with_other_words =
            swapped.flat_map(|stem| ends.iter().map(move |end| format!("{stem}{end}{gzip}")));
        of_other_formats.chain(respelled).chain(with_other_words).take(MOST).collect()
    }

    /// Returns the name under which labels of this type are written with these records; `None` for labels, and for
    /// formats that hold labels themselves.
    pub(super) fn labels_of_type(&self, label_type: ElementType) -> Option<String> {
        if self.kind == Some(FileKind::Labels) || !self.end.is_array() {
            return None;
        }
        let end = match self.end {
            End::Idx { separator, .. } => format!("{separator}{}", idx_end(label_type, 1)),
            end => end.to_string(),
        };
        let gzip = if self.is_gzip { self.gzip() } else { "" };
        Some(format!("{}{gzip}", self.spelled(Some(FileKind::Labels), &end)))
    }

    /// Returns the stem that the records and their list of classes share; `None` for an archive, which has no list.
    pub(super) fn stem_of_classes(&self) -> Option<&'a str> {
        (!matches!(self.end, End::Archive(_))).then_some(self.stem)
    }

    /// Returns the names that the same array may have: with either separator, compressed or not.
    pub(super) fn twins(&self) -> Vec<String> {
        let ends = match self.end {
            End::Idx { rank, word, .. } => {
                ['-', '.'].map(|separator| End::Idx { separator, rank, word })
            }
            end => [end; 2],
        };
        if !self.end.is_array() {
            return Vec::new();
        }
        self.with_gzip(ends.into_iter().map(|end| self.spelled(self.kind, &end.to_string())))
    }

    /// Returns a file name with this stem. Its words are in upper case if those of this name are.
    fn spelled(&self, kind: Option<FileKind>, end: &str) -> String {
        let kind = kind.map(|kind| format!("{}{kind}", self.separator));
        let words = format!("{}{end}", kind.unwrap_or_default());
        match self.is_upper {
            true => format!("{}{}", self.stem, words.to_ascii_uppercase()),
            false => format!("{}{words}", self.stem),
        }
    }

    const fn gzip(&self) -> &'static str {
        if self.is_upper { ".GZ" } else { ".gz" }
    }

    /// Returns each name plain and compressed, without duplicates.
    fn with_gzip(&self, names: impl Iterator<Item = String>) -> Vec<String> {
        let mut all = Vec::new();
        for name in names {
            let mut pair = [name.clone(), format!("{name}{}", self.gzip())];
            if self.is_gzip {
                pair.reverse();
            }
            all.extend(pair.into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>());
        }
        all
    }
}

/// Returns the rank and the type in a name like `own-idx3-ubyte`, even if its start is not UTF-8.
pub(crate) fn format_in_name(path: &Path) -> Option<(usize, Option<ElementType>)> {
    let name = path.file_name()?.to_string_lossy();
    Name::parse(Path::new(&*name))?.format()
}

/// Returns the name of an IDX file without its end, such as `-idx3-ubyte.gz`.
pub(crate) fn idx_stem(name: &str) -> Option<&str> {
    End::parse_idx(strip_suffix(name, ".gz").unwrap_or(name)).map(|(front, _)| front)
}

/// Splits off a last word: returns the text before it, and the separator between them.
fn split_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let front = strip_suffix(text, word)?;
    let stem = front.strip_suffix(SEPARATORS).unwrap_or("");
    let is_word = front.is_empty() || !stem.is_empty();
    Some((stem, front.get(stem.len()..)?)).filter(|_| is_word)
}

/// Returns the name of a new IDX file for the images of a part, as in MNIST: `t10k-images-idx3-ubyte`.
pub(crate) fn images_of_part(part: &str, element_type: ElementType, rank: usize) -> String {
    let words = Part::of(part).map(Part::words).unwrap_or_default();
    let word = words.first().map_or(part, |word| *word);
    let separator = if word.is_empty() { "" } else { "-" };
    format!("{word}{separator}images-{}", idx_end(element_type, rank))
}

/// Returns the end of a file name for this type and rank: `idx3-ubyte`.
pub(crate) fn idx_end(element_type: ElementType, rank: usize) -> String {
    let word = TYPE_WORDS.into_iter().find(|(_, known)| *known == element_type);
    format!("idx{rank}-{}", word.map_or(element_type.name(), |(word, _)| word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_in_a_name_and_back() {
        for (element_type, rank, end) in [
            (ElementType::U8, 3, "idx3-ubyte"),
            (ElementType::I8, 1, "idx1-byte"),
            (ElementType::I32, 2, "idx2-int"),
            (ElementType::F64, 255, "idx255-double"),
        ] {
            assert_eq!(idx_end(element_type, rank), end);
            let name = format!("own.{end}.gz");
            let name = Name::parse(name.as_ref()).unwrap();
            assert_eq!(name.format(), Some((rank, Some(element_type))));
        }
        let unknown = Name::parse("own-idx1-long".as_ref()).unwrap();
        assert_eq!(unknown.format(), Some((1, None)));
        for other in [
            "",
            "idx",
            "idx3-ubyte",
            "train-images-idx3",
            "train-images-idx-ubyte",
            "train-images-idx3-ubyte.tmp",
            "train-images-idx3-ubyte (1)",
            "train-images-idx3-ubyte.gz.part",
            "train-images_idx3-ubyte",
            "qmnist-test-labels.tsv.gz",
            "images.idx",
            ".idx",
        ] {
            let name = Name::parse(other.as_ref());
            assert_eq!(name.and_then(|name| name.format()), None, "{other}");
        }
    }

    /// Failed before: such an output became a folder of pictures.
    #[cfg(unix)]
    #[test]
    fn the_format_in_a_name_that_is_not_utf8() {
        use crate::names::format::Format;
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        for (name, format, rank) in [
            (&b"x\xFF-images-idx3-ubyte"[..], Some(Format::Idx), Some(3)),
            (b"\xFFlabels.idx1-ubyte.gz", Some(Format::IdxGz), Some(1)),
            (b"images-idx3\xFF-ubyte", None, None),
            (b"images-idx3-ubyte\xFF", None, None),
        ] {
            let path = Path::new(OsStr::from_bytes(name));
            let found = format_in_name(path).map(|(rank, _)| rank);
            assert_eq!((Format::from_path(path), found), (format, rank), "{path:?}");
        }
    }

    #[test]
    fn parts_are_written_under_the_names_of_mnist() {
        for (part, expected) in [
            ("train", "train-images-idx3-ubyte"),
            ("test", "t10k-images-idx3-ubyte"),
            ("val", "val-images-idx3-ubyte"),
            ("", "images-idx3-ubyte"),
        ] {
            let name = images_of_part(part, ElementType::U8, 3);
            assert_eq!(name, expected);
            let (prefix, found) = Name::parse(name.as_ref()).unwrap().part();
            assert_eq!((prefix, found.name()), ("", part));
        }
    }
}
