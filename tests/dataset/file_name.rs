//! Names of the files of data sets.

use idx_std::dataset::{FileKind, FileName, Split};

#[test]
fn names() {
    for (name, prefix, split, kind, rank) in [
        ("train-images-idx3-ubyte", "", Split::Training, FileKind::Images, 3),
        ("train-labels.idx1-ubyte", "", Split::Training, FileKind::Labels, 1),
        ("t10k-images.idx3-ubyte.gz", "", Split::Test, FileKind::Images, 3),
        (
            "emnist-letters-test-labels-idx1-ubyte.gz",
            "emnist-letters-",
            Split::Test,
            FileKind::Labels,
            1,
        ),
        ("qmnist-test-labels-idx2-int.gz", "qmnist-", Split::Test, FileKind::Labels, 2),
        ("fashion-t10k-labels-idx1-ubyte", "fashion-", Split::Test, FileKind::Labels, 1),
    ] {
        let parsed = FileName::parse(name).expect(name);
        let found = (parsed.prefix, parsed.split, parsed.kind, parsed.rank);
        assert_eq!(found, (prefix, split, kind, rank));
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
