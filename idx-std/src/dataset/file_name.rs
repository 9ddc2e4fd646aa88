use super::table::{DataSet, FileKind, Split};

/// The parts of the name of a data set's file, such as `emnist-letters-train-images-idx3-ubyte.gz`.
///
/// The published archives contain the name with a dot, `train-images.idx3-ubyte`, and some programs restore
/// it: both spellings are common.
///
/// ```
/// use idx_std::dataset::{FileKind, FileName, Split};
///
/// let name = FileName::parse("fashion-t10k-labels.idx1-ubyte.gz").unwrap();
/// assert_eq!((name.prefix, name.split, name.kind), ("fashion-", Split::Test, FileKind::Labels));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileName<'a> {
    /// The part before the split: empty, or `emnist-letters-`.
    pub prefix: &'a str,
    /// For training or for the test.
    pub split: Split,
    /// Images or labels.
    pub kind: FileKind,
    /// The number of dimensions.
    pub rank: usize,
}

impl<'a> FileName<'a> {
    /// Parses the name of a file, without its folder; `None` if it is not like those of data sets.
    #[must_use]
    pub fn parse(name: &'a str) -> Option<Self> {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let (front, format) = name.rsplit_once("idx")?;
        let (rank, element_type) = format.split_once('-')?;
        if !element_type.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let front = front.strip_suffix(['-', '.'])?;
        let kinds = [("images", FileKind::Images), ("labels", FileKind::Labels)];
        let (front, kind) = strip_one_of(front, kinds)?;
        let front = front.strip_suffix('-')?;
        let splits = [("train", Split::Training), ("t10k", Split::Test), ("test", Split::Test)];
        let (prefix, split) = strip_one_of(front, splits)?;
        let is_whole_word = prefix.is_empty() || prefix.ends_with('-');
        is_whole_word.then_some(Self { prefix, split, kind, rank: rank.parse().ok()? })
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

/// The names of all files of the data set with this prefix, as archives have them.
#[cfg(feature = "fetch")]
pub(super) fn usual_compressed_names(prefix: &str) -> Vec<String> {
    let splits = [Split::Training, Split::Test];
    let kinds = [FileKind::Images, FileKind::Labels];
    let files = splits.into_iter().flat_map(|split| kinds.map(|kind| (split, kind)));
    let names = files.map(|(split, kind)| usual_names(prefix, split, kind));
    names.map(|[name, _]| name + ".gz").collect()
}
