/// Data sets that are published as IDX files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataSet {
    /// Handwritten digits.
    Mnist,
    /// Pictures of clothes.
    FashionMnist,
}

/// A file of a data set as its mirrors have it: compressed by gzip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download {
    /// The name of the file.
    pub name: &'static str,
    /// The number of bytes of the file, compressed as it is.
    pub size: u64,
    /// The SHA-256 of these bytes, in hexadecimal.
    pub sha256: &'static str,
}

impl DataSet {
    /// The files of the data set; none where no mirror and no hash is known.
    #[must_use]
    pub const fn downloads(self) -> &'static [Download] {
        match self {
            Self::Mnist => &MNIST,
            Self::FashionMnist => &FASHION_MNIST,
        }
    }

    /// Where the files are to be had, the best place first: addresses to which a name is added.
    #[must_use]
    pub const fn mirrors(self) -> &'static [&'static str] {
        match self {
            Self::Mnist => &[
                "https://storage.googleapis.com/cvdf-datasets/mnist/",
                "https://ossci-datasets.s3.amazonaws.com/mnist/",
            ],
            Self::FashionMnist => &[
                "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
                "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
            ],
        }
    }

    /// Who made the data set, and on which terms it may be used.
    #[must_use]
    pub const fn terms(self) -> &'static str {
        match self {
            Self::Mnist => {
                "MNIST is by Yann LeCun, Corinna Cortes and Christopher Burges, from data of NIST; \
                 the copyright is held by Yann LeCun and Corinna Cortes. Its page states no licence."
            }
            Self::FashionMnist => {
                "Fashion-MNIST is by Han Xiao, Kashif Rasul and Roland Vollgraf, (c) Zalando SE, \
                 under the MIT licence."
            }
        }
    }
}

// The hashes are those that TensorFlow Datasets pins (`url_checksums`), the addresses those that
// torchvision's `mnist.py` uses.
const MNIST: [Download; 4] = [
    Download {
        name: "train-images-idx3-ubyte.gz",
        size: 9_912_422,
        sha256: "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    },
    Download {
        name: "train-labels-idx1-ubyte.gz",
        size: 28_881,
        sha256: "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    },
    Download {
        name: "t10k-images-idx3-ubyte.gz",
        size: 1_648_877,
        sha256: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    },
    Download {
        name: "t10k-labels-idx1-ubyte.gz",
        size: 4_542,
        sha256: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    },
];

const FASHION_MNIST: [Download; 4] = [
    Download {
        name: "train-images-idx3-ubyte.gz",
        size: 26_421_880,
        sha256: "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
    },
    Download {
        name: "train-labels-idx1-ubyte.gz",
        size: 29_515,
        sha256: "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
    },
    Download {
        name: "t10k-images-idx3-ubyte.gz",
        size: 4_422_102,
        sha256: "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
    },
    Download {
        name: "t10k-labels-idx1-ubyte.gz",
        size: 5_148,
        sha256: "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
    },
];
