//! The table of well-known data sets: all facts about them, each once.

use std::fmt;
use std::ops::RangeInclusive;

use super::mirrors::{Mirrors, RemoteFile};

/// A well-known data set.
///
/// It displays as "Fashion-MNIST".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataSet {
    /// Handwritten digits.
    Mnist,
    /// Pictures of clothes, with the names and sizes of MNIST.
    FashionMnist,
    /// Cursive Japanese characters (Kuzushiji), with the names and sizes of MNIST.
    Kmnist,
    /// The digits of MNIST with their writers, and 50,000 more test digits: the first 10,000 are those of
    /// MNIST's test.
    Qmnist,
    /// All 402,953 digits from which QMNIST was made, compressed by xz.
    QmnistNist,
    /// The digits of EMNIST.
    EmnistDigits,
    /// Digits of EMNIST, as many as in MNIST.
    EmnistMnist,
    /// Handwritten letters, whose labels are 1 to 26.
    EmnistLetters,
    /// Digits and letters, with similar ones merged and equally many of each.
    EmnistBalanced,
    /// Digits and letters, with similar ones merged.
    EmnistByMerge,
    /// Digits, capital and small letters.
    EmnistByClass,
}

/// The purpose of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// For training: `train` in file names.
    Training,
    /// For testing: `t10k` or `test` in file names.
    Test,
}

/// The kind of records in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// Pictures.
    Images,
    /// The classes of the pictures, as numbers.
    Labels,
}

use FileKind::{Images, Labels};
use Split::{Test, Training};

/// The facts about a data set.
pub(super) struct Facts {
    name: &'static str,
    id: &'static str,
    /// The prefix of the names of its files; Fashion-MNIST is published under MNIST's names, too.
    pub(super) prefix: &'static str,
    /// The word for the test set in the names of its files.
    pub(super) test_word: &'static str,
    /// The end of the names of its label files.
    pub(super) labels_suffix: &'static str,
    first_label: u8,
    class_names: &'static [&'static str],
    /// SHA-256 of decompressed files.
    pub(super) files: &'static [(Split, FileKind, &'static str)],
    /// SHA-256 of the first 64 KiB of decompressed files of images. They distinguish the data sets, and
    /// quickly: the hash of a whole file takes longer than reading it.
    pub(super) image_starts: &'static [(Split, &'static str)],
    mirrors: Mirrors,
}

/// The defaults of most data sets.
const COMMON: Facts = Facts {
    name: "",
    id: "",
    prefix: "",
    test_word: "test",
    labels_suffix: "idx1-ubyte",
    first_label: 0,
    class_names: &DIGITS,
    files: &[],
    image_starts: &[],
    mirrors: EMNIST_MIRRORS,
};

const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

const CLOTHES: [&str; 10] = [
    "T-shirt/top",
    "Trouser",
    "Pullover",
    "Dress",
    "Coat",
    "Sandal",
    "Shirt",
    "Sneaker",
    "Bag",
    "Ankle boot",
];

/// As torchvision's `mnist.py` writes them.
const KUZUSHIJI: [&str; 10] = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"];

const LETTERS: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z",
];

/// Digits, capital letters, and the small letters that look different from the capital ones.
const MERGED: [&str; 47] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "G", "H", "I",
    "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z", "a", "b",
    "d", "e", "f", "g", "h", "n", "q", "r", "t",
];

const BY_CLASS: [&str; 62] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "G", "H", "I",
    "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z", "a", "b",
    "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u",
    "v", "w", "x", "y", "z",
];

impl DataSet {
    /// All well-known data sets.
    pub const ALL: [Self; 11] = [
        Self::Mnist,
        Self::FashionMnist,
        Self::Kmnist,
        Self::Qmnist,
        Self::QmnistNist,
        Self::EmnistDigits,
        Self::EmnistMnist,
        Self::EmnistLetters,
        Self::EmnistBalanced,
        Self::EmnistByMerge,
        Self::EmnistByClass,
    ];

    /// The table: a row for each data set.
    #[rustfmt::skip] // one line for each file
    pub(super) const fn facts(self) -> &'static Facts {
        match self {
            // The hashes of whole files were computed from files whose compressed forms have the MD5
            // that the publishers state.
            Self::Mnist => &Facts {
                name: "MNIST",
                id: "mnist",
                test_word: "t10k",
                files: &[
                    (Training, Images, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
                    (Training, Labels, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
                    (Test, Images, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
                    (Test, Labels, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
                ],
                image_starts: &[
                    (Training, "c4dbee65edd7cf0ad455ee19f7867e83c728c3d919a31f56c4a00ad60b612979"),
                    (Test, "aad20425e9c2d9069b958b0b4d8278e640bd8dee8b08f8d50aefac0f2901f430"),
                ],
                mirrors: MNIST_MIRRORS,
                ..COMMON
            },
            Self::FashionMnist => &Facts {
                name: "Fashion-MNIST",
                id: "fashion-mnist",
                prefix: "fashion-",
                test_word: "t10k",
                class_names: &CLOTHES,
                files: &[
                    (Training, Images, "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"),
                    (Training, Labels, "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"),
                    (Test, Images, "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"),
                    (Test, Labels, "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"),
                ],
                image_starts: &[
                    (Training, "8d1850e596b060b18c94b28c4d1cac7eb3cafcd4c17f40d227300579673b7f37"),
                    (Test, "ddf024bf27660e6f3ebd6fe689021b99d2cdf287b0480857aad4a478887c9d95"),
                ],
                mirrors: FASHION_MNIST_MIRRORS,
                ..COMMON
            },
            // Nobody publishes the hashes of the decompressed files.
            Self::Kmnist => &Facts {
                name: "KMNIST",
                id: "kmnist",
                prefix: "kmnist-",
                test_word: "t10k",
                class_names: &KUZUSHIJI,
                mirrors: KMNIST_MIRRORS,
                ..COMMON
            },
            // The first two have 8 columns, and their compressed forms the MD5 that torchvision states;
            // the third has one column, and is from a copy in a public repository.
            Self::Qmnist => &Facts {
                name: "QMNIST",
                id: "qmnist",
                prefix: "qmnist-",
                labels_suffix: "idx2-int",
                files: &[
                    (Training, Labels, "bb1b6e1ec7b04fd5696f1ed50b5f58f8ef195118edd5c93c81783df9740b8ac5"),
                    (Test, Labels, "92d0ccb8c25f9c6534270fb4be7e1d24a1c6d315edfc8a638bfbd31c70f362dd"),
                    (Test, Labels, "dbc433804379831d5aa1f78549bc9a1db7266c82d319f407d05246e3e45b6753"),
                ],
                mirrors: QMNIST_MIRRORS,
                ..COMMON
            },
            Self::QmnistNist => &Facts {
                name: "QMNIST NIST",
                id: "qmnist-nist",
                prefix: "xnist-",
                labels_suffix: "idx2-int",
                mirrors: QMNIST_NIST_MIRRORS,
                ..COMMON
            },
            Self::EmnistDigits => &Facts { name: "EMNIST digits", id: "emnist-digits", prefix: "emnist-digits-", ..COMMON },
            Self::EmnistMnist => &Facts { name: "EMNIST MNIST", id: "emnist-mnist", prefix: "emnist-mnist-", ..COMMON },
            // From copies in a public repository; the test labels are 800 of each letter, in order.
            Self::EmnistLetters => &Facts {
                name: "EMNIST letters",
                id: "emnist-letters",
                prefix: "emnist-letters-",
                first_label: 1,
                class_names: &LETTERS,
                files: &[
                    (Training, Labels, "e8e94c3f4353d5532fd9604b939cb4c76e7847945b9b0d9ff7884d881dead6bc"),
                    (Test, Labels, "22dbcde0a929a7f166bdac863b9195b2994d840a1e082f8f6daaeac5606376a6"),
                ],
                ..COMMON
            },
            Self::EmnistBalanced => &Facts { name: "EMNIST balanced", id: "emnist-balanced", prefix: "emnist-balanced-", class_names: &MERGED, ..COMMON },
            Self::EmnistByMerge => &Facts { name: "EMNIST by merge", id: "emnist-bymerge", prefix: "emnist-bymerge-", class_names: &MERGED, ..COMMON },
            Self::EmnistByClass => &Facts { name: "EMNIST by class", id: "emnist-byclass", prefix: "emnist-byclass-", class_names: &BY_CLASS, ..COMMON },
        }
    }

    /// The range of the labels.
    #[must_use]
    pub fn labels(self) -> RangeInclusive<u8> {
        let Facts { first_label, class_names, .. } = self.facts();
        let count = u8::try_from(class_names.len());
        debug_assert!(count.is_ok(), "a label is a byte");
        *first_label..=first_label.saturating_add(count.unwrap_or(u8::MAX)).saturating_sub(1)
    }

    /// The meaning of a label; `None` if it is out of range.
    ///
    /// ```
    /// use idx_std::dataset::DataSet;
    ///
    /// assert_eq!(DataSet::FashionMnist.class_name(9), Some("Ankle boot"));
    /// assert_eq!(DataSet::EmnistLetters.class_name(0), None);
    /// ```
    #[must_use]
    pub fn class_name(self, label: u8) -> Option<&'static str> {
        let facts = self.facts();
        let class = label.checked_sub(facts.first_label)?;
        facts.class_names.get(usize::from(class)).copied()
    }

    /// The name in a command, such as "fashion-mnist" or "emnist-letters".
    ///
    /// ```
    /// use idx_std::dataset::DataSet;
    ///
    /// let mut data_sets = DataSet::ALL.into_iter();
    /// let named = data_sets.find(|data_set| data_set.id() == "emnist-letters");
    /// assert_eq!(named, Some(DataSet::EmnistLetters));
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.facts().id
    }

    /// The mirrors of the data set.
    ///
    /// ```
    /// use idx_std::dataset::DataSet;
    ///
    /// let mirrors = DataSet::Mnist.mirrors();
    /// assert_eq!(mirrors.files[0].name, "train-images-idx3-ubyte.gz");
    /// assert_eq!(mirrors.files[0].size, 9_912_422);
    /// ```
    #[must_use]
    pub const fn mirrors(self) -> Mirrors {
        self.facts().mirrors
    }

    /// The data set whose file names have this prefix.
    pub(super) fn from_prefix(prefix: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|data_set| data_set.facts().prefix == prefix)
    }
}

// The sizes and hashes are those that TensorFlow Datasets pins (`url_checksums/mnist.txt`, `fashion_mnist.txt`,
// `kmnist.txt`, `emnist.txt` and `qmnist.txt`), the addresses those that torchvision's `mnist.py` uses. Where
// other sources are used, they are named.
const MNIST_MIRRORS: Mirrors = Mirrors {
    files: &[
        RemoteFile {
            name: "train-images-idx3-ubyte.gz",
            size: 9_912_422,
            sha256: "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        },
        RemoteFile {
            name: "train-labels-idx1-ubyte.gz",
            size: 28_881,
            sha256: "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        },
        RemoteFile {
            name: "t10k-images-idx3-ubyte.gz",
            size: 1_648_877,
            sha256: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        },
        RemoteFile {
            name: "t10k-labels-idx1-ubyte.gz",
            size: 4_542,
            sha256: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        },
    ],
    archive_folder: None,
    addresses: &[
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
    ],
    terms: "MNIST is by Yann LeCun, Corinna Cortes and Christopher Burges, made from NIST data; Yann \
            LeCun and Corinna Cortes hold the copyright. Its page states no licence.",
};

const FASHION_MNIST_MIRRORS: Mirrors = Mirrors {
    files: &[
        RemoteFile {
            name: "train-images-idx3-ubyte.gz",
            size: 26_421_880,
            sha256: "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
        },
        RemoteFile {
            name: "train-labels-idx1-ubyte.gz",
            size: 29_515,
            sha256: "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
        },
        RemoteFile {
            name: "t10k-images-idx3-ubyte.gz",
            size: 4_422_102,
            sha256: "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
        },
        RemoteFile {
            name: "t10k-labels-idx1-ubyte.gz",
            size: 5_148,
            sha256: "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
        },
    ],
    archive_folder: None,
    addresses: &[
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
    ],
    terms: "Fashion-MNIST is by Han Xiao, Kashif Rasul and Roland Vollgraf; Zalando SE publishes it \
            under the MIT licence.",
};

const KMNIST_MIRRORS: Mirrors = Mirrors {
    files: &[
        RemoteFile {
            name: "train-images-idx3-ubyte.gz",
            size: 18_165_135,
            sha256: "51467d22d8cc72929e2a028a0428f2086b092bb31cfb79c69cc0a90ce135fde4",
        },
        RemoteFile {
            name: "train-labels-idx1-ubyte.gz",
            size: 29_497,
            sha256: "e38f9ebcd0f3ebcdec7fc8eabdcdaef93bb0df8ea12bee65224341c8183d8e17",
        },
        RemoteFile {
            name: "t10k-images-idx3-ubyte.gz",
            size: 3_041_136,
            sha256: "edd7a857845ad6bb1d0ba43fe7e794d164fe2dce499a1694695a792adfac43c5",
        },
        RemoteFile {
            name: "t10k-labels-idx1-ubyte.gz",
            size: 5_120,
            sha256: "20bb9a0ef54c7db3efc55a92eef5582c109615df22683c380526788f98e42a1c",
        },
    ],
    archive_folder: None,
    addresses: &["http://codh.rois.ac.jp/kmnist/dataset/kmnist/"],
    terms: "KMNIST (Kuzushiji-MNIST) is by Tarin Clanuwat and others, made from the Kuzushiji Dataset of NIJL and \
            others; CODH publishes it under CC BY-SA 4.0.",
};

const QMNIST_MIRRORS: Mirrors = Mirrors {
    files: &[
        RemoteFile {
            name: "qmnist-train-images-idx3-ubyte.gz",
            size: 9_704_059,
            sha256: "9e26a7bf1683614e065d7b76460ccd52807165b3f22561fb782bd9f38c52b51d",
        },
        RemoteFile {
            name: "qmnist-train-labels-idx2-int.gz",
            size: 463_024,
            sha256: "2c05dc77f6b916b38e455e97ab129a42a444f3dbef09b278a366f82904e0dd9f",
        },
        RemoteFile {
            name: "qmnist-test-images-idx3-ubyte.gz",
            size: 9_742_279,
            sha256: "43fc22bf7498b8fc98de98369d72f752d0deabc280a43a7bcc364ab19e57b375",
        },
        RemoteFile {
            name: "qmnist-test-labels-idx2-int.gz",
            size: 526_800,
            sha256: "9fbcbe594c3766fdf4f0b15c5165dc0d1e57ac604e01422608bb72c906030d06",
        },
    ],
    archive_folder: None,
    addresses: &[QMNIST_ADDRESS],
    terms: "QMNIST is by Chhavi Yadav and Léon Bottou, made from NIST Special Database 19; Facebook publishes it \
            under a BSD licence. The class is the first of the 8 columns of its labels.",
};

// The SHA-256 are those of torchvision's `prototype/datasets/_builtin/mnist.py`, the sizes those of the
// published files.
const QMNIST_NIST_MIRRORS: Mirrors = Mirrors {
    files: &[
        RemoteFile {
            name: "xnist-images-idx3-ubyte.xz",
            size: 51_325_860,
            sha256: "f075553993026d4359ded42208eff77a1941d3963c1eff49d6015814f15f0984",
        },
        RemoteFile {
            name: "xnist-labels-idx2-int.xz",
            size: 958_144,
            sha256: "db042968723ec2b7aed5f1beac25d2b6e983b9286d4f4bf725f1086e5ae55c4f",
        },
    ],
    archive_folder: None,
    addresses: &[QMNIST_ADDRESS],
    terms: "These digits are by Chhavi Yadav and Léon Bottou, made from NIST Special Database 19; Facebook publishes \
            them under a BSD licence. Decompress the files with `xz -d` before use.",
};

const QMNIST_ADDRESS: &str = "https://raw.githubusercontent.com/facebookresearch/qmnist/master/";

// torchvision states the MD5 of the same archive, 58c8d27c78d21e728a6bc7b3cc06412e. The first address is the
// one on NIST's page, the second the earlier one, to which the published hashes belong.
const EMNIST_MIRRORS: Mirrors = Mirrors {
    files: &[RemoteFile {
        name: "gzip.zip",
        size: 561_753_746,
        sha256: "fb9bb67e33772a9cc0b895e4ecf36d2cf35be8b709693c3564cea2a019fcda8e",
    }],
    archive_folder: Some("gzip/"),
    addresses: &[
        "https://biometrics.nist.gov/cs_links/EMNIST/",
        "https://www.itl.nist.gov/iaui/vip/cs_links/EMNIST/",
    ],
    terms: "EMNIST is by Gregory Cohen, Saeed Afshar, Jonathan Tapson and André van Schaik; NIST publishes it, made from \
            NIST Special Database 19. Its page states no licence. Its pictures are transposed: swap rows and columns when \
            you convert or open them. All six parts of EMNIST come out of gzip.zip, which you can delete when you have \
            those that you need.",
};

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().name)
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Training => "training",
            Self::Test => "test",
        })
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Images => "images",
            Self::Labels => "labels",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_set_has_a_name_and_a_prefix_of_its_own() {
        let names: HashSet<_> = DataSet::ALL.map(|data_set| data_set.to_string()).into();
        assert_eq!(names.len(), DataSet::ALL.len());
        let mut ids = HashSet::new();
        for data_set in DataSet::ALL {
            assert!(ids.insert(data_set.id()), "{data_set}");
            let prefix = data_set.facts().prefix;
            assert_eq!(DataSet::from_prefix(prefix), Some(data_set), "{prefix}");
            assert!(prefix.is_empty() || prefix.ends_with('-'), "{prefix}");
        }
    }

    #[test]
    fn no_hash_comes_twice() {
        let mut hashes = HashSet::new();
        for facts in DataSet::ALL.map(DataSet::facts) {
            let files = facts.files.iter().map(|(.., hash)| *hash);
            let starts = facts.image_starts.iter().map(|(_, hash)| *hash);
            // The parts of EMNIST are in one archive.
            let is_archive = facts.mirrors.archive_folder.is_some();
            let mirrors = facts.mirrors.files.iter().filter(|_| !is_archive);
            for hash in files.chain(starts).chain(mirrors.map(|file| file.sha256)) {
                let is_digit = |digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
                assert!(hash.len() == 64 && hash.bytes().all(is_digit), "{hash}");
                assert!(hashes.insert(hash), "{hash}");
            }
        }
    }

    #[test]
    fn every_label_has_a_name_and_no_other() {
        for (data_set, labels) in [
            (DataSet::Mnist, 0..=9),
            (DataSet::FashionMnist, 0..=9),
            (DataSet::Kmnist, 0..=9),
            (DataSet::Qmnist, 0..=9),
            (DataSet::QmnistNist, 0..=9),
            (DataSet::EmnistDigits, 0..=9),
            (DataSet::EmnistMnist, 0..=9),
            (DataSet::EmnistLetters, 1..=26),
            (DataSet::EmnistBalanced, 0..=46),
            (DataSet::EmnistByMerge, 0..=46),
            (DataSet::EmnistByClass, 0..=61),
        ] {
            assert_eq!(data_set.labels(), labels, "{data_set}");
            let mut names = HashSet::new();
            for label in 0..=u8::MAX {
                let name = data_set.class_name(label);
                assert_eq!(name.is_some(), labels.contains(&label), "{data_set} {label}");
                assert!(name.is_none_or(|name| names.insert(name)), "{data_set} {label}");
            }
        }
    }
}
