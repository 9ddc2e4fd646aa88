use crate::DataSet;

/// Where a data set is to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Published {
    /// The files, compressed by gzip.
    pub files: &'static [PublishedFile],
    /// Addresses of folders with these files, the best first; they end in `/`.
    pub mirrors: &'static [&'static str],
    /// Who made the data set, and on which terms it may be used.
    pub terms: &'static str,
}

/// A file of a data set as its mirrors have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedFile {
    /// The name.
    pub name: &'static str,
    /// The number of bytes, compressed as they are.
    pub size: u64,
    /// The SHA-256 of these bytes, in hexadecimal.
    pub sha256: &'static str,
}

impl DataSet {
    /// Where the data set is to be had; `None` if no mirror is known.
    ///
    /// ```
    /// let published = idx_std::DataSet::Mnist.published().unwrap();
    /// assert_eq!(published.files[0].name, "train-images-idx3-ubyte.gz");
    /// assert_eq!(published.files[0].size, 9_912_422);
    /// ```
    #[must_use]
    pub const fn published(self) -> Option<Published> {
        match self {
            Self::Mnist => Some(Published {
                files: &MNIST_FILES,
                mirrors: &[
                    "https://storage.googleapis.com/cvdf-datasets/mnist/",
                    "https://ossci-datasets.s3.amazonaws.com/mnist/",
                ],
                terms: "MNIST is by Yann LeCun, Corinna Cortes and Christopher Burges, made of data \
                        of NIST; Yann LeCun and Corinna Cortes hold the copyright. Its page states \
                        no licence.",
            }),
            Self::FashionMnist => Some(Published {
                files: &FASHION_MNIST_FILES,
                mirrors: &[
                    "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
                    "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
                ],
                terms: "Fashion-MNIST is by Han Xiao, Kashif Rasul and Roland Vollgraf; Zalando SE \
                        publishes it under the MIT licence.",
            }),
            Self::Qmnist | Self::EmnistLetters => None,
        }
    }
}

// The hashes are those that TensorFlow Datasets pins (`url_checksums`), the addresses those that
// torchvision's `mnist.py` uses.
const MNIST_FILES: [PublishedFile; 4] = [
    PublishedFile {
        name: "train-images-idx3-ubyte.gz",
        size: 9_912_422,
        sha256: "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    },
    PublishedFile {
        name: "train-labels-idx1-ubyte.gz",
        size: 28_881,
        sha256: "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    },
    PublishedFile {
        name: "t10k-images-idx3-ubyte.gz",
        size: 1_648_877,
        sha256: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    },
    PublishedFile {
        name: "t10k-labels-idx1-ubyte.gz",
        size: 4_542,
        sha256: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    },
];

const FASHION_MNIST_FILES: [PublishedFile; 4] = [
    PublishedFile {
        name: "train-images-idx3-ubyte.gz",
        size: 26_421_880,
        sha256: "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
    },
    PublishedFile {
        name: "train-labels-idx1-ubyte.gz",
        size: 29_515,
        sha256: "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
    },
    PublishedFile {
        name: "t10k-images-idx3-ubyte.gz",
        size: 4_422_102,
        sha256: "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
    },
    PublishedFile {
        name: "t10k-labels-idx1-ubyte.gz",
        size: 5_148,
        sha256: "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
    },
];
