use crate::{Content, Split};

/// What the name of a data set's file says, such as `emnist-letters-train-images-idx3-ubyte.gz`.
///
/// The publishers' archives also hold the name with a dot, `train-images.idx3-ubyte`, which some
/// programs bring back: both spellings are common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileName<'a> {
    /// What comes before the split: nothing, or `emnist-letters-`.
    pub(crate) prefix: &'a str,
    pub(crate) split: Split,
    pub(crate) content: Content,
    /// The number of dimensions.
    pub(crate) rank: u8,
}

impl<'a> FileName<'a> {
    pub(crate) fn parse(name: &'a str) -> Option<Self> {
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
        let contents = [("images", Content::Images), ("labels", Content::Labels)];
        let (front, content) = strip_one_of(front, contents)?;
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
            content,
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

/// The names that a file of this data set usually has, without `.gz`.
pub(crate) fn usual_names(prefix: &str, split: Split, content: Content) -> [String; 2] {
    let word = match split {
        Split::Training => "train",
        Split::Test if prefix.starts_with("emnist-") || prefix == QMNIST => "test",
        Split::Test => "t10k",
    };
    let format = match content {
        Content::Images => "idx3-ubyte",
        Content::Labels if prefix == QMNIST => "idx2-int",
        Content::Labels => "idx1-ubyte",
    };
    ["-", "."].map(|separator| format!("{prefix}{word}-{content}{separator}{format}"))
}

/// What the names of QMNIST start with, whose labels have 8 columns.
const QMNIST: &str = "qmnist-";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, prefix, split, content, rank) in [
            (
                "train-images-idx3-ubyte",
                "",
                Split::Training,
                Content::Images,
                3,
            ),
            (
                "train-labels.idx1-ubyte",
                "",
                Split::Training,
                Content::Labels,
                1,
            ),
            (
                "t10k-images.idx3-ubyte.gz",
                "",
                Split::Test,
                Content::Images,
                3,
            ),
            (
                "emnist-letters-test-labels-idx1-ubyte.gz",
                "emnist-letters-",
                Split::Test,
                Content::Labels,
                1,
            ),
            (
                "qmnist-test-labels-idx2-int.gz",
                "qmnist-",
                Split::Test,
                Content::Labels,
                2,
            ),
            (
                "fashion-t10k-labels-idx1-ubyte",
                "fashion-",
                Split::Test,
                Content::Labels,
                1,
            ),
        ] {
            let expected = FileName {
                prefix,
                split,
                content,
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
            "train-images-idx256-ubyte",
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
                for content in [Content::Images, Content::Labels] {
                    for name in usual_names(prefix, split, content) {
                        let parsed = FileName::parse(&name).unwrap();
                        assert_eq!(
                            (parsed.prefix, parsed.split, parsed.content),
                            (prefix, split, content)
                        );
                    }
                }
            }
        }
    }
}
