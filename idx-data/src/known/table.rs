//! The facts about each known data set; `known_files.txt` lists their files.

use crate::known::data_set::{DataSet, RemoteFile};

/// The facts about a data set.
pub(crate) struct DataSetFacts {
    pub(crate) name: &'static str,
    pub(crate) id: &'static str,
    /// The start of its file names, before a hyphen; Fashion-MNIST and KMNIST are published under MNIST's names, too.
    pub(crate) stem: &'static str,
    /// The word for the test set in its file names.
    pub(crate) test_word: &'static str,
    /// The end of the names of its label files.
    pub(crate) labels_suffix: &'static str,
    pub(crate) first_label: u8,
    /// The names of the classes, separated by commas.
    pub(crate) class_names: &'static str,
    /// The archive that has the files in a folder named `gzip`, if the mirrors have only that.
    pub(crate) archive: Option<RemoteFile>,
    /// Addresses of folders with the files or the archive, the best first; each ends in `/`. Most are those of
    /// torchvision's `mnist.py`.
    pub(crate) addresses: &'static [&'static str],
    pub(crate) terms: &'static str,
}

impl DataSet {
    pub(crate) const fn facts(self) -> &'static DataSetFacts {
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

const DIGITS: &str = "0,1,2,3,4,5,6,7,8,9";

/// Digits, upper-case letters, and the lower-case letters that look different from them.
const MERGED: &str = "0,1,2,3,4,5,6,7,8,9,A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P,Q,R,S,T,U,V,W,X,Y,Z,\
                      a,b,d,e,f,g,h,n,q,r,t";

const MNIST: DataSetFacts = DataSetFacts {
    name: "MNIST",
    id: "mnist",
    stem: "",
    test_word: "t10k",
    labels_suffix: "idx1-ubyte",
    first_label: 0,
    class_names: DIGITS,
    archive: None,
    addresses: &[
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
    ],
    terms: "MNIST is by Yann LeCun, Corinna Cortes and Christopher Burges, made from NIST data; Yann \
            LeCun and Corinna Cortes hold the copyright. Its page states no license.",
};

const FASHION_MNIST: DataSetFacts = DataSetFacts {
    name: "Fashion-MNIST",
    id: "fashion-mnist",
    stem: "fashion",
    class_names: "T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot",
    addresses: &[
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
    ],
    terms: "Fashion-MNIST is by Han Xiao, Kashif Rasul and Roland Vollgraf; Zalando SE publishes it \
            under the MIT license.",
    ..MNIST
};

const KMNIST: DataSetFacts = DataSetFacts {
    name: "KMNIST",
    id: "kmnist",
    stem: "kmnist",
    // The names in torchvision's `mnist.py`.
    class_names: "o,ki,su,tsu,na,ha,ma,ya,re,wo",
    addresses: &["http://codh.rois.ac.jp/kmnist/dataset/kmnist/"],
    terms: "KMNIST (Kuzushiji-MNIST) is by Tarin Clanuwat and others, made from the Kuzushiji Dataset of NIJL and \
            others; CODH publishes it under CC BY-SA 4.0.",
    ..MNIST
};

const QMNIST: DataSetFacts = DataSetFacts {
    name: "QMNIST",
    id: "qmnist",
    stem: "qmnist",
    test_word: "test",
    labels_suffix: "idx2-int",
    addresses: &["https://raw.githubusercontent.com/facebookresearch/qmnist/master/"],
    terms: "QMNIST is by Chhavi Yadav and Léon Bottou, made from NIST Special Database 19; Facebook publishes it \
            under a BSD license. The class is the first of the 8 columns of its labels.",
    ..MNIST
};

const QMNIST_NIST: DataSetFacts = DataSetFacts {
    name: "QMNIST NIST",
    id: "qmnist-nist",
    stem: "xnist",
    terms: "These digits are by Chhavi Yadav and Léon Bottou, made from NIST Special Database 19; Facebook publishes \
            them under a BSD license. Decompress the files with `xz -d` before use.",
    ..QMNIST
};

/// Describes a part of EMNIST. torchvision states the MD5 of the same archive, 58c8d27c78d21e728a6bc7b3cc06412e. The
/// first address is that of NIST's page, the second an earlier one, for which the hashes were published.
const fn emnist(name: &'static str, id: &'static str, class_names: &'static str) -> DataSetFacts {
    DataSetFacts {
        name,
        id,
        stem: id,
        test_word: "test",
        class_names,
        archive: Some(RemoteFile {
            name: "gzip.zip",
            size: 561_753_746,
            sha256: "fb9bb67e33772a9cc0b895e4ecf36d2cf35be8b709693c3564cea2a019fcda8e",
        }),
        addresses: &[
            "https://biometrics.nist.gov/cs_links/EMNIST/",
            "https://www.itl.nist.gov/iaui/vip/cs_links/EMNIST/",
        ],
        terms: "EMNIST is by Gregory Cohen, Saeed Afshar, Jonathan Tapson and André van Schaik; NIST publishes it, \
                made from NIST Special Database 19. Its page states no license. Its pictures are transposed: swap rows \
                and columns when you convert or open them. All six parts of EMNIST come out of gzip.zip, which you can \
                delete when you have those that you need.",
        ..MNIST
    }
}

const EMNIST_DIGITS: DataSetFacts = emnist("EMNIST digits", "emnist-digits", DIGITS);

const EMNIST_MNIST: DataSetFacts = emnist("EMNIST MNIST", "emnist-mnist", DIGITS);

const EMNIST_LETTERS: DataSetFacts = DataSetFacts {
    first_label: 1,
    ..emnist(
        "EMNIST letters",
        "emnist-letters",
        "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z",
    )
};

const EMNIST_BALANCED: DataSetFacts = emnist("EMNIST balanced", "emnist-balanced", MERGED);

const EMNIST_BY_MERGE: DataSetFacts = emnist("EMNIST by merge", "emnist-bymerge", MERGED);

const EMNIST_BY_CLASS: DataSetFacts = emnist(
    "EMNIST by class",
    "emnist-byclass",
    "0,1,2,3,4,5,6,7,8,9,A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P,Q,R,S,T,U,V,W,X,Y,Z,\
     a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z",
);
