//! The table of well-known data sets: all facts about them, each once.
//!
//! The sizes and hashes of published files are those that TensorFlow Datasets pins (`url_checksums/mnist.txt`,
//! `fashion_mnist.txt`, `kmnist.txt`, `emnist.txt` and `qmnist.txt`), the addresses those that torchvision's
//! `mnist.py` uses. Where another source is used, it is named.

use super::data_set::FileKind::{self, Images, Labels};
use super::data_set::Split::{self, Test, Training};
use super::data_set::{DataSet, RemoteFile};

/// The facts about a data set.
pub(super) struct Facts {
    pub(super) name: &'static str,
    pub(super) id: &'static str,
    /// The prefix of the names of its files; Fashion-MNIST and KMNIST are published under MNIST's names, too.
    pub(super) prefix: &'static str,
    /// The word for the test set in the names of its files.
    pub(super) test_word: &'static str,
    /// The end of the names of its label files.
    pub(super) labels_suffix: &'static str,
    pub(super) first_label: u8,
    pub(super) class_names: &'static [&'static str],
    /// The files as they are published, compressed.
    pub(super) files: &'static [Published],
    /// The archive that has the files, in a folder of the name `gzip`, if the mirrors have only that.
    pub(super) archive: Option<RemoteFile>,
    /// SHA-256 of decompressed files.
    pub(super) contents: &'static [(Split, FileKind, &'static str)],
    /// SHA-256 of the first 64 KiB of decompressed files of images. They distinguish the data sets, and
    /// quickly: the hash of a whole file takes longer than reading it.
    pub(super) image_starts: &'static [(Split, &'static str)],
    /// Addresses of folders with the files or the archive, the best first; each ends in `/`.
    pub(super) addresses: &'static [&'static str],
    pub(super) terms: &'static str,
}

/// A published file, and what is in it.
pub(super) struct Published {
    pub(super) split: Split,
    pub(super) kind: FileKind,
    pub(super) file: RemoteFile,
}

const fn file(
    split: Split,
    kind: FileKind,
    name: &'static str,
    size: u64,
    sha256: &'static str,
) -> Published {
    Published { split, kind, file: RemoteFile { name, size, sha256 } }
}

impl DataSet {
    pub(super) const fn facts(self) -> &'static Facts {
        match self {
            Self::Mnist => &MNIST,
            Self::FashionMnist => &FASHION_MNIST,
            Self::Kmnist => &KMNIST,
            Self::Qmnist => &QMNIST,
            Self::QmnistNist => &QMNIST_NIST,
            Self::EmnistDigits => &EMNIST_DIGITS,
            Self::EmnistMnist => &EMNIST_MNIST,
            Self::EmnistLetters => &EMNIST_LETTERS,
            Self::EmnistBalanced => &EMNIST_BALANCED,
            Self::EmnistByMerge => &EMNIST_BY_MERGE,
            Self::EmnistByClass => &EMNIST_BY_CLASS,
        }
    }
}

// The hashes of the contents were computed from files whose compressed forms have the MD5 that the publishers state.
#[rustfmt::skip] // one line for each file
const MNIST: Facts = Facts {
    name: "MNIST",
    id: "mnist",
    prefix: "",
    test_word: "t10k",
    labels_suffix: "idx1-ubyte",
    first_label: 0,
    class_names: &DIGITS,
    files: &[
        file(Training, Images, "train-images-idx3-ubyte.gz", 9_912_422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
        file(Training, Labels, "train-labels-idx1-ubyte.gz", 28_881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"),
        file(Test, Images, "t10k-images-idx3-ubyte.gz", 1_648_877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
        file(Test, Labels, "t10k-labels-idx1-ubyte.gz", 4_542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
    ],
    archive: None,
    contents: &[
        (Training, Images, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
        (Training, Labels, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
        (Test, Images, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
        (Test, Labels, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
    ],
    image_starts: &[
        (Training, "c4dbee65edd7cf0ad455ee19f7867e83c728c3d919a31f56c4a00ad60b612979"),
        (Test, "aad20425e9c2d9069b958b0b4d8278e640bd8dee8b08f8d50aefac0f2901f430"),
    ],
    addresses: &[
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
    ],
    terms: "MNIST is by Yann LeCun, Corinna Cortes and Christopher Burges, made from NIST data; Yann \
            LeCun and Corinna Cortes hold the copyright. Its page states no license.",
};

#[rustfmt::skip]
const FASHION_MNIST: Facts = Facts {
    name: "Fashion-MNIST",
    id: "fashion-mnist",
    prefix: "fashion-",
    class_names: &CLOTHES,
    files: &[
        file(Training, Images, "train-images-idx3-ubyte.gz", 26_421_880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"),
        file(Training, Labels, "train-labels-idx1-ubyte.gz", 29_515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"),
        file(Test, Images, "t10k-images-idx3-ubyte.gz", 4_422_102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"),
        file(Test, Labels, "t10k-labels-idx1-ubyte.gz", 5_148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"),
    ],
    contents: &[
        (Training, Images, "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"),
        (Training, Labels, "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"),
        (Test, Images, "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"),
        (Test, Labels, "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"),
    ],
    image_starts: &[
        (Training, "8d1850e596b060b18c94b28c4d1cac7eb3cafcd4c17f40d227300579673b7f37"),
        (Test, "ddf024bf27660e6f3ebd6fe689021b99d2cdf287b0480857aad4a478887c9d95"),
    ],
    addresses: &[
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
    ],
    terms: "Fashion-MNIST is by Han Xiao, Kashif Rasul and Roland Vollgraf; Zalando SE publishes it \
            under the MIT license.",
    ..MNIST
};

// The labels for training are what the published file decompresses to. The others are from the publisher's npz: the
// labels, compressed again, have the published hash; the images equal a copy from another source. The images for
// training are known by their compressed form alone.
#[rustfmt::skip]
const KMNIST: Facts = Facts {
    name: "KMNIST",
    id: "kmnist",
    prefix: "kmnist-",
    class_names: &KUZUSHIJI,
    files: &[
        file(Training, Images, "train-images-idx3-ubyte.gz", 18_165_135, "51467d22d8cc72929e2a028a0428f2086b092bb31cfb79c69cc0a90ce135fde4"),
        file(Training, Labels, "train-labels-idx1-ubyte.gz", 29_497, "e38f9ebcd0f3ebcdec7fc8eabdcdaef93bb0df8ea12bee65224341c8183d8e17"),
        file(Test, Images, "t10k-images-idx3-ubyte.gz", 3_041_136, "edd7a857845ad6bb1d0ba43fe7e794d164fe2dce499a1694695a792adfac43c5"),
        file(Test, Labels, "t10k-labels-idx1-ubyte.gz", 5_120, "20bb9a0ef54c7db3efc55a92eef5582c109615df22683c380526788f98e42a1c"),
    ],
    contents: &[
        (Training, Labels, "2a16eeae62da984b8bd24fa32e31d47291f01dac3fe84d5594f304f71e7d374b"),
        (Test, Images, "76fbd229ce87db80dd281af5e6670de4ad0e42fb30a7bd643972994c47c1f42e"),
        (Test, Labels, "a11dc742be8e781a40a92f53d6a4957e7b7d36df2faa097659131ebfd8fd60c6"),
    ],
    image_starts: &[
        (Test, "0459c057a5919a626453c7952a583c6397db5ff7c3ee4bff8bbc54487fd7ad72"),
    ],
    addresses: &["http://codh.rois.ac.jp/kmnist/dataset/kmnist/"],
    terms: "KMNIST (Kuzushiji-MNIST) is by Tarin Clanuwat and others, made from the Kuzushiji Dataset of NIJL and \
            others; CODH publishes it under CC BY-SA 4.0.",
    ..MNIST
};

// The first two contents have 8 columns, and their compressed forms the MD5 that torchvision states; the third has
// one column, and is from a copy in a public repository.
#[rustfmt::skip]
const QMNIST: Facts = Facts {
    name: "QMNIST",
    id: "qmnist",
    prefix: "qmnist-",
    test_word: "test",
    labels_suffix: "idx2-int",
    files: &[
        file(Training, Images, "qmnist-train-images-idx3-ubyte.gz", 9_704_059, "9e26a7bf1683614e065d7b76460ccd52807165b3f22561fb782bd9f38c52b51d"),
        file(Training, Labels, "qmnist-train-labels-idx2-int.gz", 463_024, "2c05dc77f6b916b38e455e97ab129a42a444f3dbef09b278a366f82904e0dd9f"),
        file(Test, Images, "qmnist-test-images-idx3-ubyte.gz", 9_742_279, "43fc22bf7498b8fc98de98369d72f752d0deabc280a43a7bcc364ab19e57b375"),
        file(Test, Labels, "qmnist-test-labels-idx2-int.gz", 526_800, "9fbcbe594c3766fdf4f0b15c5165dc0d1e57ac604e01422608bb72c906030d06"),
    ],
    contents: &[
        (Training, Labels, "bb1b6e1ec7b04fd5696f1ed50b5f58f8ef195118edd5c93c81783df9740b8ac5"),
        (Test, Labels, "92d0ccb8c25f9c6534270fb4be7e1d24a1c6d315edfc8a638bfbd31c70f362dd"),
        (Test, Labels, "dbc433804379831d5aa1f78549bc9a1db7266c82d319f407d05246e3e45b6753"),
    ],
    image_starts: &[],
    addresses: &["https://raw.githubusercontent.com/facebookresearch/qmnist/master/"],
    terms: "QMNIST is by Chhavi Yadav and Léon Bottou, made from NIST Special Database 19; Facebook publishes it \
            under a BSD license. The class is the first of the 8 columns of its labels.",
    ..MNIST
};

// The hashes are those of torchvision's `prototype/datasets/_builtin/mnist.py`, the sizes those of the published
// files. It has no test set.
#[rustfmt::skip]
const QMNIST_NIST: Facts = Facts {
    name: "QMNIST NIST",
    id: "qmnist-nist",
    prefix: "xnist-",
    files: &[
        file(Training, Images, "xnist-images-idx3-ubyte.xz", 51_325_860, "f075553993026d4359ded42208eff77a1941d3963c1eff49d6015814f15f0984"),
        file(Training, Labels, "xnist-labels-idx2-int.xz", 958_144, "db042968723ec2b7aed5f1beac25d2b6e983b9286d4f4bf725f1086e5ae55c4f"),
    ],
    contents: &[],
    terms: "These digits are by Chhavi Yadav and Léon Bottou, made from NIST Special Database 19; Facebook publishes \
            them under a BSD license. Decompress the files with `xz -d` before use.",
    ..QMNIST
};

// torchvision states the MD5 of the same archive, 58c8d27c78d21e728a6bc7b3cc06412e. The first address is the one on
// NIST's page, the second the earlier one, to which the published hashes belong. The hashes of the files in it are
// those under which a public repository keeps them (git-LFS); a program that extracts six of them pins the same.
#[rustfmt::skip]
const EMNIST_DIGITS: Facts = Facts {
    name: "EMNIST digits",
    id: "emnist-digits",
    prefix: "emnist-digits-",
    test_word: "test",
    files: &[
        file(Training, Images, "emnist-digits-train-images-idx3-ubyte.gz", 59_515_779, "f7c95004d14d81af89522e67d8f0c781dfb3bd544181c81bfe1eb6b41c35b726"),
        file(Training, Labels, "emnist-digits-train-labels-idx1-ubyte.gz", 113_859, "6638a6ff5fe2eefd9cca2471995b46c82986b8e4b2a70d2f5ce8e05d7edb319e"),
        file(Test, Images, "emnist-digits-test-images-idx3-ubyte.gz", 9_908_519, "20ebe43509264f7639d37c835a3f0b009e90b29e00a099a03101abe1644a3f63"),
        file(Test, Labels, "emnist-digits-test-labels-idx1-ubyte.gz", 19_960, "bad1834c45d5988e270b99d43b13edc3fd898f658ffbc2caf2846ef27f7b05b0"),
    ],
    archive: Some(RemoteFile {
        name: "gzip.zip",
        size: 561_753_746,
        sha256: "fb9bb67e33772a9cc0b895e4ecf36d2cf35be8b709693c3564cea2a019fcda8e",
    }),
    contents: &[],
    image_starts: &[],
    addresses: &[
        "https://biometrics.nist.gov/cs_links/EMNIST/",
        "https://www.itl.nist.gov/iaui/vip/cs_links/EMNIST/",
    ],
    terms: "EMNIST is by Gregory Cohen, Saeed Afshar, Jonathan Tapson and André van Schaik; NIST publishes it, made \
            from NIST Special Database 19. Its page states no license. Its pictures are transposed: swap rows and \
            columns when you convert or open them. All six parts of EMNIST come out of gzip.zip, which you can delete \
            when you have those that you need.",
    ..MNIST
};

#[rustfmt::skip]
const EMNIST_MNIST: Facts = Facts {
    name: "EMNIST MNIST",
    id: "emnist-mnist",
    prefix: "emnist-mnist-",
    files: &[
        file(Training, Images, "emnist-mnist-train-images-idx3-ubyte.gz", 14_873_795, "5f9942f441031c0f1f2e4d162059fd6e19ea808b34c328b6d16cab0ed24c78f2"),
        file(Training, Labels, "emnist-mnist-train-labels-idx1-ubyte.gz", 29_480, "00c6d3c2342fdffb1711e0b5656cac4ce5862d2826399d383a9bac07d612e9f8"),
        file(Test, Images, "emnist-mnist-test-images-idx3-ubyte.gz", 2_484_884, "b25640fa9e356c618132f5df347c95ef5bae6d9c2596be1de40f7e0ae1c3eac6"),
        file(Test, Labels, "emnist-mnist-test-labels-idx1-ubyte.gz", 5_144, "bcc5385d38f083dba046f5f756e99b32f5ea7fad122c6243c71c2239873065ca"),
    ],
    ..EMNIST_DIGITS
};

// The contents are from copies in a public repository; the test labels are 800 of each letter, in order.
#[rustfmt::skip]
const EMNIST_LETTERS: Facts = Facts {
    name: "EMNIST letters",
    id: "emnist-letters",
    prefix: "emnist-letters-",
    first_label: 1,
    class_names: &LETTERS,
    files: &[
        file(Training, Images, "emnist-letters-train-images-idx3-ubyte.gz", 30_804_864, "6288f418a917e007bf5fddb823a2dc7a5c6a35031401b93292a539cb12bd881f"),
        file(Training, Labels, "emnist-letters-train-labels-idx1-ubyte.gz", 79_283, "9759af91ea6bccdf07a6040fd085861f2ec88e37f7c3f5760f6feb57106fbe5c"),
        file(Test, Images, "emnist-letters-test-images-idx3-ubyte.gz", 5_039_157, "50f0e93d75b99b463e9760b8345866f22587fa2c2fba472730a5ba09c693412d"),
        file(Test, Labels, "emnist-letters-test-labels-idx1-ubyte.gz", 144, "924955c31fe7fd809b7303b5c0141282955f4b8390c74cdfd5d80435e0f4b4cb"),
    ],
    contents: &[
        (Training, Labels, "e8e94c3f4353d5532fd9604b939cb4c76e7847945b9b0d9ff7884d881dead6bc"),
        (Test, Labels, "22dbcde0a929a7f166bdac863b9195b2994d840a1e082f8f6daaeac5606376a6"),
    ],
    ..EMNIST_DIGITS
};

#[rustfmt::skip]
const EMNIST_BALANCED: Facts = Facts {
    name: "EMNIST balanced",
    id: "emnist-balanced",
    prefix: "emnist-balanced-",
    class_names: &MERGED,
    files: &[
        file(Training, Images, "emnist-balanced-train-images-idx3-ubyte.gz", 28_207_740, "74295e75e4e9fa2c102147460ee7eb763653d5132d883a84fb88932bfb8d2db4"),
        file(Training, Labels, "emnist-balanced-train-labels-idx1-ubyte.gz", 80_618, "b46d41e5156a0a8aaaa4d18979fdd1588850fa8571018acffd5d93b325a7d6ed"),
        file(Test, Images, "emnist-balanced-test-images-idx3-ubyte.gz", 4_714_707, "117fc12b015e37ea98bfb2cbba3f77c3782c056cdbd219b87abfc8661d7135db"),
        file(Test, Labels, "emnist-balanced-test-labels-idx1-ubyte.gz", 13_504, "a67cac948379b67270b9a4d0a01c8ec661598accf2f2b1964340b7c83cb175cd"),
    ],
    ..EMNIST_DIGITS
};

#[rustfmt::skip]
const EMNIST_BY_MERGE: Facts = Facts {
    name: "EMNIST by merge",
    id: "emnist-bymerge",
    prefix: "emnist-bymerge-",
    class_names: &MERGED,
    files: &[
        file(Training, Images, "emnist-bymerge-train-images-idx3-ubyte.gz", 173_375_281, "39bf8c68037dad40db35348895f7e4e056e8c0a005ab78869c9fbc2c96e947be"),
        file(Training, Labels, "emnist-bymerge-train-labels-idx1-ubyte.gz", 476_444, "2c47293b9e62d6abf6ad05fbf67e40baa32adfd380b8d7b44dcc35534b64e1f1"),
        file(Test, Images, "emnist-bymerge-test-images-idx3-ubyte.gz", 28_905_295, "5e5815ec1b522089134435f7c55e75a00960b58414793593ffff23efc0821683"),
        file(Test, Labels, "emnist-bymerge-test-labels-idx1-ubyte.gz", 79_351, "8bda1516255683ba9071e141947ca0c91a911176065cdd6259b0b4d8dc5b5f35"),
    ],
    ..EMNIST_DIGITS
};

#[rustfmt::skip]
const EMNIST_BY_CLASS: Facts = Facts {
    name: "EMNIST by class",
    id: "emnist-byclass",
    prefix: "emnist-byclass-",
    class_names: &BY_CLASS,
    files: &[
        file(Training, Images, "emnist-byclass-train-images-idx3-ubyte.gz", 173_367_313, "9e21987f03a6eb8b870187e785883ddad96947299587908f1a7ec2ca0f4be5f0"),
        file(Training, Labels, "emnist-byclass-train-labels-idx1-ubyte.gz", 491_603, "f7ef403d48dc18a89dae0d83d11ee69cecb6e1c12c3a961d03712e495c02a8fa"),
        file(Test, Images, "emnist-byclass-test-images-idx3-ubyte.gz", 28_908_322, "5ec835bd5d5b1a66378a132e727fef20fe994b3cc666899befcca5ac766f50cd"),
        file(Test, Labels, "emnist-byclass-test-labels-idx1-ubyte.gz", 81_839, "501e305eeeacb093b162592d80e8a2632040872360fa6d85cfcb2200d91ca92a"),
    ],
    ..EMNIST_DIGITS
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
