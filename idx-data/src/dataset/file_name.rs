use idx_std::ElementType;

use super::data_set::{DataSet, FileKind, Split};

/// The parts of the name of a data set's file, such as `emnist-letters-train-images-idx3-ubyte.gz`.
///
/// The published archives contain the name with a dot, `train-images.idx3-ubyte`, and some programs restore
/// it: both spellings are common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileName<'a> {
    /// The part before the split: empty, or `emnist-letters-`.
    pub(super) prefix: &'a str,
    pub(super) split: Split,
    pub(super) kind: FileKind,
}

impl<'a> FileName<'a> {
    /// Parses the name of a file, without its folder; `None` if it is not like those of data sets.
    pub(super) fn parse(name: &'a str) -> Option<Self> {
        let (front, _) = NamedFormat::parse(name)?;
        let kinds = [("images", FileKind::Images), ("labels", FileKind::Labels)];
        let (front, kind) = strip_one_of(front, kinds)?;
        let front = front.strip_suffix('-')?;
        let splits = [("train", Split::Training), ("t10k", Split::Test), ("test", Split::Test)];
        let (prefix, split) = strip_one_of(front, splits)?;
        let is_whole_word = prefix.is_empty() || prefix.ends_with('-');
        is_whole_word.then_some(Self { prefix, split, kind })
    }
}

/// The end of a name: `idx3-ubyte`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedFormat {
    pub(super) rank: usize,
    /// `None` if the word is not that of a type.
    pub(super) element_type: Option<ElementType>,
}

/// The words for the element types in names, as Lush and the data sets have them.
const TYPE_WORDS: [(&str, ElementType); 6] = [
    ("ubyte", ElementType::U8),
    ("byte", ElementType::I8),
    ("short", ElementType::I16),
    ("int", ElementType::I32),
    ("float", ElementType::F32),
    ("double", ElementType::F64),
];

impl NamedFormat {
    /// Parses the end of a name; also gives what is before it.
    pub(super) fn parse(name: &str) -> Option<(&str, Self)> {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let (front, format) = name.rsplit_once("idx")?;
        let (rank, word) = format.split_once('-')?;
        if !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let mut words = TYPE_WORDS.into_iter();
        let element_type = words.find(|(known, _)| *known == word).map(|(_, known)| known);
        Some((front.strip_suffix(['-', '.'])?, Self { rank: rank.parse().ok()?, element_type }))
    }

    /// The end of the name of a file of this type and rank.
    pub(super) fn text(element_type: ElementType, rank: usize) -> String {
        let word = TYPE_WORDS.into_iter().find(|(_, known)| *known == element_type);
        format!("idx{rank}-{}", word.map_or(element_type.name(), |(word, _)| word))
    }
}

fn strip_one_of<'a, T, const N: usize>(
    text: &'a str,
    words: [(&str, T); N],
) -> Option<(&'a str, T)> {
    let mut words = words.into_iter();
    words.find_map(|(word, meaning)| Some((text.strip_suffix(word)?, meaning)))
}

/// The usual names of a file of the data set with this prefix, without `.gz`.
pub(super) fn usual_names(prefix: &str, split: Split, kind: FileKind) -> [String; 2] {
    let data_set = DataSet::from_prefix(prefix).unwrap_or(DataSet::Mnist);
    let word = match split {
        Split::Training => "train",
        Split::Test => data_set.facts().test_word,
    };
    let suffix = match kind {
        FileKind::Images => "idx3-ubyte",
        FileKind::Labels => data_set.facts().labels_suffix,
    };
    ["-", "."].map(|separator| format!("{prefix}{word}-{kind}{separator}{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_data_sets() {
        for (name, prefix, split, kind) in [
            ("train-images-idx3-ubyte", "", Split::Training, FileKind::Images),
            ("train-labels.idx1-ubyte", "", Split::Training, FileKind::Labels),
            ("t10k-images.idx3-ubyte.gz", "", Split::Test, FileKind::Images),
            (
                "emnist-letters-test-labels-idx1-ubyte.gz",
                "emnist-letters-",
                Split::Test,
                FileKind::Labels,
            ),
            ("qmnist-test-labels-idx2-int.gz", "qmnist-", Split::Test, FileKind::Labels),
            ("fashion-t10k-labels-idx1-ubyte", "fashion-", Split::Test, FileKind::Labels),
        ] {
            assert_eq!(FileName::parse(name), Some(FileName { prefix, split, kind }), "{name}");
        }
        for other in [
            "",
            "idx",
            "images.idx",
            "idx3-ubyte",
            "images-idx3-ubyte",
            "-images-idx3-ubyte",
            "train-images-idx3",
            "train-images-idx-ubyte",
            "train-images-idx3-ubyte.tmp",
            "train-images-idx3-ubyte (1)",
            "train-images-idx3-ubyte.gz.part",
            "._train-images-idx3-ubyte",
            "retrain-images-idx3-ubyte",
            "train-images_idx3-ubyte",
            "train-pictures-idx3-ubyte",
            "qmnist-test-labels.tsv.gz",
        ] {
            assert_eq!(FileName::parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_format_in_a_name_and_back() {
        for (element_type, rank, end) in [
            (ElementType::U8, 3, "idx3-ubyte"),
            (ElementType::I8, 1, "idx1-byte"),
            (ElementType::I32, 2, "idx2-int"),
            (ElementType::F64, 255, "idx255-double"),
        ] {
            assert_eq!(NamedFormat::text(element_type, rank), end);
            let name = format!("own.{end}.gz");
            let format = NamedFormat { rank, element_type: Some(element_type) };
            assert_eq!(NamedFormat::parse(&name), Some(("own", format)));
        }
        let unknown = NamedFormat { rank: 1, element_type: None };
        assert_eq!(NamedFormat::parse("own-idx1-long"), Some(("own", unknown)));
    }
}
