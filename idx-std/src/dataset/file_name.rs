use super::table::{DataSet, FileKind, Split};

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
    /// The number of dimensions.
    pub(super) rank: usize,
}

impl<'a> FileName<'a> {
    pub(super) fn parse(name: &'a str) -> Option<Self> {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let (front, format) = name.rsplit_once("idx")?;
        let (rank, element_type) = format.split_once('-')?;
        if !element_type
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric())
        {
            return None;
        }
        let front = front.strip_suffix(['-', '.'])?;
        let kinds = [("images", FileKind::Images), ("labels", FileKind::Labels)];
        let (front, kind) = strip_one_of(front, kinds)?;
        let front = front.strip_suffix('-')?;
        let splits = [
            ("train", Split::Training),
            ("t10k", Split::Test),
            ("test", Split::Test),
        ];
        let (prefix, split) = strip_one_of(front, splits)?;
        let is_whole_word = prefix.is_empty() || prefix.ends_with('-');
        is_whole_word.then_some(Self {
            prefix,
            split,
            kind,
            rank: rank.parse().ok()?,
        })
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
    fn names() {
        for (name, prefix, split, kind, rank) in [
            (
                "train-images-idx3-ubyte",
                "",
                Split::Training,
                FileKind::Images,
                3,
            ),
            (
                "train-labels.idx1-ubyte",
                "",
                Split::Training,
                FileKind::Labels,
                1,
            ),
            (
                "t10k-images.idx3-ubyte.gz",
                "",
                Split::Test,
                FileKind::Images,
                3,
            ),
            (
                "emnist-letters-test-labels-idx1-ubyte.gz",
                "emnist-letters-",
                Split::Test,
                FileKind::Labels,
                1,
            ),
            (
                "qmnist-test-labels-idx2-int.gz",
                "qmnist-",
                Split::Test,
                FileKind::Labels,
                2,
            ),
            (
                "fashion-t10k-labels-idx1-ubyte",
                "fashion-",
                Split::Test,
                FileKind::Labels,
                1,
            ),
        ] {
            let expected = FileName {
                prefix,
                split,
                kind,
                rank,
            };
            assert_eq!(FileName::parse(name), Some(expected));
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
    fn usual_names_are_understood() {
        for prefix in ["", "fashion-", "emnist-byclass-", "qmnist-"] {
            for split in [Split::Training, Split::Test] {
                for kind in [FileKind::Images, FileKind::Labels] {
                    for name in usual_names(prefix, split, kind) {
                        let parsed = FileName::parse(&name).unwrap();
                        assert_eq!(
                            (parsed.prefix, parsed.split, parsed.kind),
                            (prefix, split, kind)
                        );
                    }
                }
            }
        }
    }
}
