use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{DynReader, Error};

/// Tells which well-known file this is, by the SHA-256 of its decompressed bytes; `None` is another.
///
/// The name does not matter, nor does gzip, of which the same file has many forms. All is read, in
/// constant memory. For bytes that are no file there is [`DynReader::identify`].
///
/// # Errors
///
/// Whatever is wrong with the file, as when it is read record by record; see
/// [`ErrorKind`](crate::ErrorKind).
///
/// ```no_run
/// use idx_std::{Content, DataSet};
///
/// let known = idx_std::identify("train-images-idx3-ubyte.gz")?.expect("a well-known file");
/// assert_eq!(known.to_string(), "MNIST training images");
/// assert_eq!((known.data_set, known.content), (DataSet::Mnist, Content::Images));
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn identify(path: impl AsRef<Path>) -> Result<Option<KnownFile>, Error> {
    DynReader::open(path)?.identify()
}

/// A file that is the same everywhere.
///
/// As text it is what a person calls it: "MNIST training images".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KnownFile {
    /// The data set that it is of.
    pub data_set: DataSet,
    /// For training or for the test.
    pub split: Split,
    /// Images or their labels.
    pub content: Content,
}

/// A data set that people download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataSet {
    /// Handwritten digits.
    Mnist,
    /// Pictures of clothes, in the form of MNIST.
    FashionMnist,
    /// The digits of MNIST with their writers, and 50,000 more for the test.
    Qmnist,
    /// Handwritten letters, whose labels are 1 to 26.
    EmnistLetters,
}

/// What the records are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Split {
    /// To learn from: `train` in file names.
    Training,
    /// To measure with: `t10k` or `test`.
    Test,
}

/// What the records are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// Pictures.
    Images,
    /// Numbers that say what is on the pictures.
    Labels,
}

/// SHA-256 of a decompressed file, and what it is.
#[rustfmt::skip] // one line each
const KNOWN: [(&str, DataSet, Split, Content); 13] = {
    use Content::{Images, Labels};
    use DataSet::{EmnistLetters, FashionMnist, Mnist, Qmnist};
    use Split::{Test, Training};
    [
        // Computed from files whose compressed forms have the MD5 that the publishers state.
        ("ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", Mnist, Training, Images),
        ("65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", Mnist, Training, Labels),
        ("0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", Mnist, Test, Images),
        ("ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", Mnist, Test, Labels),
        ("c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888", FashionMnist, Training, Images),
        ("bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9", FashionMnist, Training, Labels),
        ("5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b", FashionMnist, Test, Images),
        ("0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34", FashionMnist, Test, Labels),
        // Of 8 columns; their compressed forms have the MD5 that torchvision states.
        ("bb1b6e1ec7b04fd5696f1ed50b5f58f8ef195118edd5c93c81783df9740b8ac5", Qmnist, Training, Labels),
        ("92d0ccb8c25f9c6534270fb4be7e1d24a1c6d315edfc8a638bfbd31c70f362dd", Qmnist, Test, Labels),
        // Of one column; from a copy in a public repository.
        ("dbc433804379831d5aa1f78549bc9a1db7266c82d319f407d05246e3e45b6753", Qmnist, Test, Labels),
        // From copies in a public repository; those of the test are 800 of each letter, in order.
        ("e8e94c3f4353d5532fd9604b939cb4c76e7847945b9b0d9ff7884d881dead6bc", EmnistLetters, Training, Labels),
        ("22dbcde0a929a7f166bdac863b9195b2994d840a1e082f8f6daaeac5606376a6", EmnistLetters, Test, Labels),
    ]
};

/// SHA-256 of the first 64 KiB of a decompressed file of images, and what it is: enough to tell data
/// sets apart, and done at once, where the hash of the whole file takes longer than reading it.
#[rustfmt::skip] // one line each
const STARTS: [(&str, DataSet, Split); 4] = {
    use DataSet::{FashionMnist, Mnist};
    use Split::{Test, Training};
    [
        ("c4dbee65edd7cf0ad455ee19f7867e83c728c3d919a31f56c4a00ad60b612979", Mnist, Training),
        ("aad20425e9c2d9069b958b0b4d8278e640bd8dee8b08f8d50aefac0f2901f430", Mnist, Test),
        ("8d1850e596b060b18c94b28c4d1cac7eb3cafcd4c17f40d227300579673b7f37", FashionMnist, Training),
        ("ddf024bf27660e6f3ebd6fe689021b99d2cdf287b0480857aad4a478887c9d95", FashionMnist, Test),
    ]
};

impl DataSet {
    /// The labels that there are.
    pub(crate) fn labels(self) -> RangeInclusive<u8> {
        match self {
            Self::EmnistLetters => 1..=26,
            Self::Mnist | Self::FashionMnist | Self::Qmnist => 0..=9,
        }
    }
}

impl KnownFile {
    /// The file of images that starts as these decompressed bytes do.
    pub(crate) fn of_images(bytes: &[u8]) -> Option<Self> {
        let hash = hexadecimal(&Sha256::digest(bytes.get(..64 << 10)?));
        let (_, data_set, split) = *STARTS.iter().find(|(known, ..)| *known == hash)?;
        Some(Self {
            data_set,
            split,
            content: Content::Images,
        })
    }

    /// The file whose decompressed bytes have this SHA-256.
    pub(crate) fn of_sha256(hash: &[u8]) -> Option<Self> {
        let hash = hexadecimal(hash);
        let (_, data_set, split, content) = *KNOWN.iter().find(|(known, ..)| *known == hash)?;
        Some(Self {
            data_set,
            split,
            content,
        })
    }
}

/// A hash as it is printed.
pub(crate) fn hexadecimal(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for KnownFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.data_set, self.split, self.content)
    }
}

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mnist => "MNIST",
            Self::FashionMnist => "Fashion-MNIST",
            Self::Qmnist => "QMNIST",
            Self::EmnistLetters => "EMNIST letters",
        })
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

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Images => "images",
            Self::Labels => "labels",
        })
    }
}
