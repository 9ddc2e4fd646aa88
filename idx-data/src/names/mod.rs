//! The one rule of names, and the only code that knows a name: the files that have the labels of these records and the
//! names of their classes, and the set and part that they belong to. Nothing is opened or listed here.

pub(crate) mod columns;
pub(crate) mod folder;
pub(crate) mod sets;
pub(crate) mod format;
pub(crate) mod class_names;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::names::class_names::CLASSES;
use idx_std::ElementType;

/// A part of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// All of a set without parts.
    None,
    Train,
    Test,
    Val,
}

impl Part {
    const ALL: [Self; 3] = [Self::Train, Self::Test, Self::Val];

    /// Returns the words for it in names. The first is that of files that are written.
    const fn words(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Train => &["train", "training"],
            Self::Test => &["t10k", "test", "testing", "eval", "evaluation", "holdout"],
            Self::Val => &["val", "valid", "validation", "dev"],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Train => "train",
            Self::Test => "test",
            Self::Val => "val",
        }
    }

    /// Returns the part that a folder, or an array of an archive, is named after: `test`, and `Test`.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let is_named = |part: &Self| part.words().iter().any(|own| own.eq_ignore_ascii_case(word));
        Self::ALL.into_iter().find(is_named)
    }
}

/// In sentences: training images.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "",
            Self::Train => "training",
            Self::Test => "test",
            Self::Val => "validation",
        })
    }
}

/// The characters that may stand between the words of a name.
pub(crate) const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// The words for the element types in names, as Lush and the data sets have them.
const TYPE_WORDS: [(&str, ElementType); 6] = [
    ("ubyte", ElementType::U8),
    ("byte", ElementType::I8),
    ("short", ElementType::I16),
    ("int", ElementType::I32),
    ("float", ElementType::F32),
    ("double", ElementType::F64),
];

/// The records of a file of arrays, as its name says.
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
    /// The common part of the names of records, labels and classes: `fashion-train`, `digits`.
    stem: &'a str,
    /// The text between that and the word `images` or `labels`.
    separator: &'a str,
    pub(crate) kind: Option<FileKind>,
    end: End<'a>,
    pub(crate) is_gzip: bool,
    /// True if its words are in capitals, as an old disk has them.
    is_upper: bool,
}

/// The end of a name, without `.gz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End<'a> {
    /// `-idx3-ubyte`, or the same with a dot before it.
    Idx { separator: char, rank: usize, word: &'a str },
    /// `.idx` or `.npy`: one array, whose labels are another one.
    Array(&'a str),
    /// `.csv`, `.tsv` or `.parquet`: records with their labels.
    Table(&'a str),
    /// `.npz`: arrays with names.
    Archive(&'a str),
}

impl<'a> End<'a> {
    /// Splits a name into the text before its end, and its end.
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

    /// Returns the ends that the names of labels may have, the most likely one first.
    fn of_labels(self) -> Vec<String> {
        let Self::Idx { separator, word, .. } = self else {
            return vec![self.to_string()];
        };
        let other = if separator == '-' { '.' } else { '-' };
        let mut ends = vec![format!("{separator}idx1-{word}")];
        let integers = TYPE_WORDS.iter().filter(|(_, known)| !known.is_float());
        ends.extend(integers.map(|(word, _)| format!("{separator}idx1-{word}")));
        ends.push(format!("{other}idx1-ubyte"));
        // QMNIST's labels have columns.
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
    /// Parses the name of a file; `None` for a name without a known end, or that is not UTF-8.
    pub(crate) fn parse(path: &'a Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let plain = strip_suffix(name, ".gz").unwrap_or(name);
        let (front, end) = End::parse(plain)?;
        let is_gzip = plain.len() < name.len();
        let is_upper = matches!(end, End::Idx { word, .. } if word == word.to_ascii_uppercase());
        if matches!(end, End::Idx { .. } | End::Array(_)) {
            for kind in [FileKind::Images, FileKind::Labels] {
                if let Some((stem, separator)) = split_word(front, kind.word()) {
                    return Some(Self {
                        stem,
                        separator,
                        kind: Some(kind),
                        end,
                        is_gzip,
                        is_upper,
                    });
                }
            }
        }
        let named = Self { stem: front, separator: "-", kind: None, end, is_gzip, is_upper };
        (!front.is_empty()).then_some(named)
    }

    /// Returns the rank and the type in a name like `own-idx3-ubyte`; no type if its word does not name one.
    pub(crate) fn format(&self) -> Option<(usize, Option<ElementType>)> {
        let End::Idx { rank, word, .. } = self.end else {
            return None;
        };
        let mut words = TYPE_WORDS.into_iter();
        Some((
            rank,
            words.find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, known)| known),
        ))
    }

    /// Returns the prefix of the names of a data set and the part that this is: `fashion-` and `train` for
    /// `fashion-train-images-idx3-ubyte`.
    pub(crate) fn part(&self) -> (&'a str, Part) {
        split_part_word(self.stem)
    }

    /// Returns the part of a set, and the kind of records in this file of IDX; `None` for a name that does not say
    /// both.
    pub(crate) fn part_and_kind(&self) -> Option<(Part, FileKind)> {
        let (_, part) = self.part();
        let is_named = self.format().is_some() && part != Part::None;
        self.kind.filter(|_| is_named).map(|kind| (part, kind))
    }

    /// Returns the names of the files with the labels of these records, the most likely one first.
    fn labels(&self) -> Vec<String> {
        if self.kind == Some(FileKind::Labels) || !self.is_array() {
            return Vec::new();
        }
        let ends = self.end.of_labels();
        self.with_gzip(ends.iter().map(|end| self.spelled(Some(FileKind::Labels), end)))
    }

    /// Returns the other names of the same array: with the other separator, compressed or not.
    fn twins(&self) -> Vec<String> {
        let ends = match self.end {
            End::Idx { rank, word, .. } => {
                ['-', '.'].map(|separator| End::Idx { separator, rank, word })
            }
            end => [end; 2],
        };
        if !self.is_array() {
            return Vec::new();
        }
        self.with_gzip(ends.into_iter().map(|end| self.spelled(self.kind, &end.to_string())))
    }

    /// Returns the name of a file with this stem, in capitals, except for the stem, if this one is.
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

    const fn is_array(&self) -> bool {
        matches!(self.end, End::Idx { .. } | End::Array(_))
    }

    /// Returns each name plain and compressed, without those that were there before.
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

/// Returns the text before the end of the name of a file of IDX, such as `-idx3-ubyte.gz`.
pub(crate) fn idx_stem(name: &str) -> Option<&str> {
    End::parse_idx(strip_suffix(name, ".gz").unwrap_or(name)).map(|(front, _)| front)
}

/// Returns the text before these last letters, in any case.
fn strip_suffix<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    let (front, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(front)
}

/// Returns the text before a last word, and the separator between them.
fn split_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let front = strip_suffix(text, word)?;
    let stem = front.strip_suffix(SEPARATORS).unwrap_or("");
    let is_word = front.is_empty() || !stem.is_empty();
    Some((stem, front.get(stem.len()..)?)).filter(|_| is_word)
}

/// Returns the files that may have the labels of these records, beside them; the most likely one first. There are at
/// most 16.
pub(crate) fn labels_beside(records: &Path) -> Vec<PathBuf> {
    let names = Name::parse(records).map(|name| name.labels()).unwrap_or_default();
    names.into_iter().map(|name| records.with_file_name(name)).collect()
}

/// Returns the files that may have the names of the classes of these records, beside them: `fashion-train-classes.txt`,
/// or `fashion-classes.txt` for all parts of the set.
pub(crate) fn classes_beside(records: &Path) -> Vec<PathBuf> {
    let Some(name) = records.file_name().and_then(|name| name.to_str()) else {
        return Vec::new();
    };
    let stem = match Name::parse(records) {
        Some(Name { end: End::Archive(_), .. }) => return Vec::new(),
        Some(name) => name.stem,
        // A folder of shards has a name without an end.
        None => name,
    };
    let own = match stem {
        "" => CLASSES.to_string(),
        stem => format!("{stem}-{CLASSES}"),
    };
    let mut names = vec![own];
    if let (prefix, Part::Train | Part::Test | Part::Val) = split_part_word(stem) {
        names.push(format!("{prefix}{CLASSES}"));
    }
    names.into_iter().map(|name| records.with_file_name(name)).collect()
}

/// Returns the file of labels that is written with these records; `None` for a name that the rule does not know.
pub(crate) fn labels_name(records: &Path, label_type: ElementType) -> Option<PathBuf> {
    let name = Name::parse(records).filter(Name::is_array)?;
    let end = match name.end {
        End::Idx { separator, .. } => format!("{separator}{}", idx_end(label_type, 1)),
        end => end.to_string(),
    };
    let gzip = if name.is_gzip { name.gzip() } else { "" };
    let labels = format!("{}{gzip}", name.spelled(Some(FileKind::Labels), &end));
    (name.kind != Some(FileKind::Labels)).then(|| records.with_file_name(labels))
}

/// Returns the list of the names of classes that is written with these records: that of this file, or that of all parts
/// of its set. `None` for an archive, and for a name that is not UTF-8.
pub(crate) fn classes_name(records: &Path, of_set: bool) -> Option<PathBuf> {
    let mut names = classes_beside(records);
    if of_set { names.pop() } else { (!names.is_empty()).then(|| names.swap_remove(0)) }
}

/// The files that the rule would read beside a new file, or instead of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Neighbours {
    /// The same array with the other separator, compressed or not.
    pub(crate) twins: Vec<PathBuf>,
    /// Its labels.
    pub(crate) labels: Vec<PathBuf>,
    /// The names of its classes.
    pub(crate) classes: Vec<PathBuf>,
}

/// Returns the files that the rule would read beside a new file of records or labels, or instead of it, without the
/// file itself.
pub(crate) fn neighbours(path: &Path) -> Neighbours {
    let name = Name::parse(path);
    let twins = name.map(|name| name.twins()).unwrap_or_default();
    let twins = twins.into_iter().map(|name| path.with_file_name(name)).filter(|twin| twin != path);
    let are_labels = name.is_some_and(|name| name.kind == Some(FileKind::Labels));
    Neighbours {
        twins: twins.collect(),
        labels: labels_beside(path),
        classes: if are_labels { Vec::new() } else { classes_beside(path) },
    }
}

/// Splits a name into the text before the word of a part at its end, and that part.
pub(crate) fn split_part_word(text: &str) -> (&str, Part) {
    let split = |part: Part| {
        let mut prefixes = part.words().iter().filter_map(|word| strip_suffix(text, word));
        let is_word = |prefix: &&str| prefix.is_empty() || prefix.ends_with(SEPARATORS);
        Some((prefixes.find(is_word)?, part))
    };
    Part::ALL.into_iter().find_map(split).unwrap_or((text, Part::None))
}

/// Returns whether the last words of a name are these: `letters` of `emnist-letters`.
pub(crate) fn ends_with_words(name: &str, words: &str) -> bool {
    let front = name.strip_suffix(words);
    words.is_empty() || front.is_some_and(|front| front.is_empty() || front.ends_with(SEPARATORS))
}

/// Returns the name of a new file of IDX with the images of a part of a set, as MNIST has it: `t10k-images-idx3-ubyte`.
pub(crate) fn images_of_part(part: &str, element_type: ElementType, rank: usize) -> String {
    let words = Part::of(part).map(Part::words).unwrap_or_default();
    let word = words.first().map_or(part, |word| *word);
    let separator = if word.is_empty() { "" } else { "-" };
    format!("{word}{separator}images-{}", idx_end(element_type, rank))
}

/// Returns the end of the name of a file of this type and rank: `idx3-ubyte`.
pub(crate) fn idx_end(element_type: ElementType, rank: usize) -> String {
    let word = TYPE_WORDS.into_iter().find(|(_, known)| *known == element_type);
    format!("idx{rank}-{}", word.map_or(element_type.name(), |(word, _)| word))
}

/// Splits a path like `mnist/:train` at its last `:`. Text with a separator of paths, as in `C:\x`, is not the name of
/// a part.
pub(crate) fn split_part(path: &Path) -> Option<(&Path, &str)> {
    let (set, part) = path.to_str()?.rsplit_once(':')?;
    let is_name = !part.is_empty() && !part.contains(['/', '\\']) && !set.is_empty();
    is_name.then_some((Path::new(set), part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside(path: &str) -> (Vec<String>, Vec<String>) {
        let text = |paths: Vec<PathBuf>| {
            paths.iter().map(|path| path.to_str().unwrap().to_string()).collect()
        };
        (text(labels_beside(path.as_ref())), text(classes_beside(path.as_ref())))
    }

    #[test]
    fn every_row_of_the_table() {
        for (records, labels, classes) in [
            ("own-images-idx3-ubyte", "own-labels-idx1-ubyte", "own-classes.txt"),
            ("d/own-images-idx3-ubyte.gz", "d/own-labels-idx1-ubyte.gz", "d/own-classes.txt"),
            ("own_images.idx4-float", "own_labels.idx1-float", "own-classes.txt"),
            ("own.images.idx2-int", "own.labels.idx1-int", "own-classes.txt"),
            ("own-images-idx3-uint8", "own-labels-idx1-uint8", "own-classes.txt"),
            ("own-images.idx", "own-labels.idx", "own-classes.txt"),
            ("own_images.npy.gz", "own_labels.npy.gz", "own-classes.txt"),
            ("images-idx3-ubyte", "labels-idx1-ubyte", "classes.txt"),
            ("images.npy", "labels.npy", "classes.txt"),
            ("a:b-images-idx3-ubyte", "a:b-labels-idx1-ubyte", "a:b-classes.txt"),
            ("C:/x/own-images-idx3-ubyte", "C:/x/own-labels-idx1-ubyte", "C:/x/own-classes.txt"),
            (r"C:\x\own-images-idx3-ubyte", r"C:\x\own-labels-idx1-ubyte", r"C:\x\own-classes.txt"),
            ("digits.idx", "digits-labels.idx", "digits-classes.txt"),
            ("digits.npy", "digits-labels.npy", "digits-classes.txt"),
            ("DIGITS.NPY", "DIGITS-labels.NPY", "DIGITS-classes.txt"),
            ("OWN-IMAGES-IDX3-UBYTE", "OWN-LABELS-IDX1-UBYTE", "OWN-classes.txt"),
            ("OWN-IMAGES.IDX3-UBYTE.GZ", "OWN-LABELS.IDX1-UBYTE.GZ", "OWN-classes.txt"),
            ("Own-Images-Idx3-ubyte", "Own-labels-idx1-ubyte", "Own-classes.txt"),
            ("digits-idx3-ubyte", "digits-labels-idx1-ubyte", "digits-classes.txt"),
            ("webimages-idx3-ubyte", "webimages-labels-idx1-ubyte", "webimages-classes.txt"),
            ("own.csv", "", "own-classes.txt"),
            ("own-images.csv", "", "own-images-classes.txt"),
            ("own-idx3-", "", "own-idx3--classes.txt"),
            ("own.csv.gz", "", "own-classes.txt"),
            ("own.parquet", "", "own-classes.txt"),
            ("shards/", "", "shards-classes.txt"),
            ("own.npz", "", ""),
            ("own-labels-idx1-ubyte", "", "own-classes.txt"),
            ("/", "", ""),
        ] {
            let found = beside(records);
            let first = [found.0, found.1].map(|names| names.first().cloned().unwrap_or_default());
            assert_eq!(first, [labels, classes], "{records}");
        }
    }

    /// The names of the known sets, each with the first name that holds its labels.
    #[test]
    fn every_spelling_of_the_known_sets() {
        for (images, labels, prefix, part) in [
            ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "", "train"),
            ("t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte", "", "test"),
            ("test-images-idx3-ubyte", "test-labels-idx1-ubyte", "", "test"),
            (
                "fashion-t10k-images-idx3-ubyte",
                "fashion-t10k-labels-idx1-ubyte",
                "fashion-",
                "test",
            ),
            ("qmnist-train-images-idx3-ubyte", "qmnist-train-labels-idx2-int", "qmnist-", "train"),
            ("xnist-images-idx3-ubyte", "xnist-labels-idx2-int", "xnist", ""),
            (
                "emnist-letters-train-images-idx3-ubyte",
                "emnist-letters-train-labels-idx1-ubyte",
                "emnist-letters-",
                "train",
            ),
            ("val_images.npy", "val_labels.npy", "", "val"),
            ("TRAIN-IMAGES-IDX3-UBYTE", "TRAIN-LABELS-IDX1-UBYTE", "", "train"),
            ("a.validation.images.idx3-ubyte", "a.validation.labels.idx1-ubyte", "a.", "val"),
            ("retrain-images-idx3-ubyte", "retrain-labels-idx1-ubyte", "retrain", ""),
        ] {
            assert!(beside(images).0.iter().any(|name| name == labels), "{images}");
            let part_of = |name: &str| {
                let (prefix, part) = Name::parse(name.as_ref()).unwrap().part();
                (prefix.to_string(), part.name())
            };
            assert_eq!(part_of(images), (prefix.to_string(), part), "{images}");
            assert_eq!(part_of(labels), (prefix.to_string(), part), "{labels}");
            let name = Name::parse(labels.as_ref()).unwrap();
            assert_eq!(name.kind, Some(FileKind::Labels));
        }
    }

    #[test]
    fn labels_are_tried_under_these_names() {
        let (labels, classes) = beside("train-images.idx3-ubyte.gz");
        let mut names = Vec::new();
        for end in [".idx1-ubyte", ".idx1-byte", ".idx1-short", ".idx1-int", "-idx1-ubyte"] {
            names.push(format!("train-labels{end}"));
        }
        names.extend(["train-labels.idx2-int", "train-labels-idx2-int"].map(String::from));
        let names = names.iter().flat_map(|name| [format!("{name}.gz"), name.clone()]);
        assert_eq!(labels, names.collect::<Vec<_>>());
        assert_eq!(classes, ["train-classes.txt", "classes.txt"]);
        assert_eq!(beside("own-images-idx3-uint8").0.len(), 16);
        assert_eq!(beside("digits.npy").0, ["digits-labels.npy", "digits-labels.npy.gz"]);
        assert_eq!(beside("fashion-t10k-x.csv").1, ["fashion-t10k-x-classes.txt"]);
        assert_eq!(
            beside("fashion-t10k.csv").1,
            ["fashion-t10k-classes.txt", "fashion-classes.txt"]
        );
    }

    /// Written names are read again.
    #[test]
    fn labels_and_classes_are_written_under_names_that_are_read() {
        for (images, label_type, labels, of_file, of_set) in [
            (
                "own-images-idx3-ubyte",
                ElementType::U8,
                "own-labels-idx1-ubyte",
                "own-classes.txt",
                "",
            ),
            ("own-images-idx3-float.gz", ElementType::I16, "own-labels-idx1-short.gz", "", ""),
            ("train-images.idx3-int", ElementType::I8, "train-labels.idx1-byte", "", "classes.txt"),
            ("a-t10k-images.npy", ElementType::I32, "a-t10k-labels.npy", "", "a-classes.txt"),
            ("digits.idx", ElementType::I32, "digits-labels.idx", "digits-classes.txt", ""),
            ("OWN-IMAGES-IDX3-FLOAT.GZ", ElementType::I16, "OWN-LABELS-IDX1-SHORT.GZ", "", ""),
        ] {
            let images = Path::new(images);
            let written = labels_name(images, label_type).unwrap();
            assert_eq!(written, Path::new(labels));
            assert!(labels_beside(images).contains(&written), "{labels}");
            for (is_set, expected) in [(false, of_file), (true, of_set)] {
                let written = classes_name(images, is_set).unwrap();
                assert!(expected.is_empty() || written == Path::new(expected), "{written:?}");
                assert!(classes_beside(images).contains(&written), "{written:?}");
            }
        }
        for path in ["own", "own.csv", "own.npz", "own-labels-idx1-ubyte", "shards/", "own.png"] {
            assert_eq!(labels_name(path.as_ref(), ElementType::U8), None, "{path}");
        }
        assert_eq!(classes_name("own.npz".as_ref(), false), None);
    }

    #[test]
    fn neighbours_are_all_that_is_read_beside_a_file() {
        let images = Path::new("d/train-images-idx3-ubyte");
        let found = neighbours(images);
        let twins = [
            "d/train-images-idx3-ubyte.gz",
            "d/train-images.idx3-ubyte",
            "d/train-images.idx3-ubyte.gz",
        ];
        assert_eq!(found.twins, twins.map(PathBuf::from));
        assert_eq!((found.labels, found.classes), (labels_beside(images), classes_beside(images)));
        let labels = neighbours("train-labels-idx1-ubyte.gz".as_ref());
        assert_eq!(labels.twins.len(), 3);
        assert_eq!((labels.labels.len(), labels.classes.len()), (0, 0));
        assert_eq!(neighbours("own.npy".as_ref()).twins, [PathBuf::from("own.npy.gz")]);
        let table = neighbours("own.csv".as_ref());
        let classes = vec![PathBuf::from("own-classes.txt")];
        assert_eq!(table, Neighbours { classes, ..Neighbours::default() });
        assert_eq!(neighbours("own.npz".as_ref()), Neighbours::default());
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf8_has_no_neighbours() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let path = Path::new(OsStr::from_bytes(b"\xFF-images-idx3-ubyte"));
        assert_eq!(neighbours(path), Neighbours::default());
        assert_eq!(labels_name(path, ElementType::U8), None);
        assert_eq!(classes_name(path, false), None);
        // The name of the folder does not matter.
        let path = Path::new(OsStr::from_bytes(b"\xFF/own-images-idx3-ubyte"));
        assert_eq!(labels_beside(path).len(), 14);
    }

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

    #[test]
    fn a_part_follows_the_last_colon() {
        for (path, expected) in [
            ("mnist/:train", Some(("mnist/", "train"))),
            ("mnist.npz:test", Some(("mnist.npz", "test"))),
            ("C:/mnist/:t10k", Some(("C:/mnist/", "t10k"))),
            ("a:b/:letters-train", Some(("a:b/", "letters-train"))),
            (r"C:\x", None),
            ("C:/x", None),
            ("mnist:", None),
            (":train", None),
            ("mnist", None),
        ] {
            let expected = expected.map(|(set, part)| (Path::new(set), part));
            assert_eq!(split_part(path.as_ref()), expected, "{path}");
        }
        assert_eq!((Part::of("t10k"), Part::of("Test")), (Some(Part::Test), Some(Part::Test)));
        assert_eq!((Part::of("validation"), Part::of("x")), (Some(Part::Val), None));
        assert!(ends_with_words("emnist-letters", "letters") && ends_with_words("a", ""));
        assert!(!ends_with_words("emnist-letters", "ters"));
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
