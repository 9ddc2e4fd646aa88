//! The one rule of names, for reading and writing: the files next to records that have their labels and class names.

use std::path::{Path, PathBuf};

use crate::names::class_names::CLASSES;
use crate::names::name::Name;
use crate::names::part::{Part, split_part_word};
use idx_std::ElementType;

/// Returns the files next to these records that may have their labels, most likely first; at most 16.
pub(crate) fn labels_beside(records: &Path) -> Vec<PathBuf> {
    beside(records, Name::labels)
}

/// Returns the files that may have the labels of these records by other conventions, such as `y_train.npy` next to
/// `X_train.npy`. Nothing reads them unasked.
pub(crate) fn possible_labels(records: &Path) -> Vec<PathBuf> {
    beside(records, Name::possible_labels)
}

/// Returns the paths with these names next to a file.
fn beside<'a>(path: &'a Path, names: fn(&Name<'a>) -> Vec<String>) -> Vec<PathBuf> {
    let names = Name::parse(path).map(|name| names(&name)).unwrap_or_default();
    names.into_iter().map(|name| path.with_file_name(name)).collect()
}

/// Returns the files next to these records that may have their class names: `fashion-train-classes.txt`, or
/// `fashion-classes.txt` for all parts of the set.
pub(crate) fn classes_beside(records: &Path) -> Vec<PathBuf> {
    let Some(name) = records.file_name().and_then(|name| name.to_str()) else {
        return Vec::new();
    };
    // The name of a folder of shards has no end.
    let named = Name::parse(records).map_or(Some(name), |name| name.stem_of_classes());
    let Some(stem) = named else {
        return Vec::new();
    };
    let own = match stem {
        "" => CLASSES.to_string(),
        stem => format!("{stem}-{CLASSES}"),
    };
    let mut names = vec![own];
    if let (prefix, Part::Train | Part::Test | Part::Val) = split_part_word(stem) {
        names.push(format!("{prefix}{CLASSES}"));
    }
    names.into_iter().map(|name| records.with_file_name(name)).collect()
}

/// Returns the path at which the labels of these records are written; `None` for a name that the rule does not know.
pub(crate) fn labels_name(records: &Path, label_type: ElementType) -> Option<PathBuf> {
    let labels = Name::parse(records)?.labels_of_type(label_type)?;
    Some(records.with_file_name(labels))
}

/// Returns the path at which the class names of these records are written: for this file, or for all parts of its set.
/// `None` for an archive, and for a name that is not UTF-8.
pub(crate) fn classes_name(records: &Path, of_set: bool) -> Option<PathBuf> {
    let mut names = classes_beside(records);
    if of_set { names.pop() } else { (!names.is_empty()).then(|| names.swap_remove(0)) }
}

/// The files that the rule would read next to a new file, or instead of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Neighbours {
    /// The same array with the other separator, compressed or not.
    pub(crate) twins: Vec<PathBuf>,
    /// Its labels.
    pub(crate) labels: Vec<PathBuf>,
    /// The names of its classes.
    pub(crate) classes: Vec<PathBuf>,
}

/// Returns the files that the rule would read next to a new file of records or labels, or instead of it, without the
/// file itself.
pub(crate) fn neighbours(path: &Path) -> Neighbours {
    let mut twins = beside(path, Name::twins);
    twins.retain(|twin| twin != path);
    Neighbours {
        twins,
        labels: labels_beside(path),
        classes: if Name::is_of_labels(path) { Vec::new() } else { classes_beside(path) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::FileKind;

    fn beside(path: &str) -> (Vec<String>, Vec<String>) {
        let text = |paths: Vec<PathBuf>| {
            paths.iter().map(|path| path.to_str().unwrap().to_string()).collect()
        };
        (text(labels_beside(path.as_ref())), text(classes_beside(path.as_ref())))
    }

    #[test]
    fn every_row_of_the_table() {
        for (records, labels, classes) in [
            ("own-images-idx3-ubyte", "own-labels-idx1-ubyte", "own-classes.txt"),
            ("d/own-images-idx3-ubyte.gz", "d/own-labels-idx1-ubyte.gz", "d/own-classes.txt"),
            ("own_images.idx4-float", "own_labels.idx1-float", "own-classes.txt"),
            ("own.images.idx2-int", "own.labels.idx1-int", "own-classes.txt"),
            ("own-images-idx3-uint8", "own-labels-idx1-uint8", "own-classes.txt"),
            ("own-images.idx", "own-labels.idx", "own-classes.txt"),
            ("own_images.npy.gz", "own_labels.npy.gz", "own-classes.txt"),
            ("images-idx3-ubyte", "labels-idx1-ubyte", "classes.txt"),
            ("images.npy", "labels.npy", "classes.txt"),
            ("a:b-images-idx3-ubyte", "a:b-labels-idx1-ubyte", "a:b-classes.txt"),
            ("C:/x/own-images-idx3-ubyte", "C:/x/own-labels-idx1-ubyte", "C:/x/own-classes.txt"),
            (r"C:\x\own-images-idx3-ubyte", r"C:\x\own-labels-idx1-ubyte", r"C:\x\own-classes.txt"),
            ("digits.idx", "digits-labels.idx", "digits-classes.txt"),
            ("digits.npy", "digits-labels.npy", "digits-classes.txt"),
            ("DIGITS.NPY", "DIGITS-labels.NPY", "DIGITS-classes.txt"),
            ("OWN-IMAGES-IDX3-UBYTE", "OWN-LABELS-IDX1-UBYTE", "OWN-classes.txt"),
            ("OWN-IMAGES.IDX3-UBYTE.GZ", "OWN-LABELS.IDX1-UBYTE.GZ", "OWN-classes.txt"),
            ("Own-Images-Idx3-ubyte", "Own-labels-idx1-ubyte", "Own-classes.txt"),
            ("digits-idx3-ubyte", "digits-labels-idx1-ubyte", "digits-classes.txt"),
            ("webimages-idx3-ubyte", "webimages-labels-idx1-ubyte", "webimages-classes.txt"),
            ("own.csv", "", "own-classes.txt"),
            ("own-images.csv", "", "own-images-classes.txt"),
            ("own-idx3-", "", "own-idx3--classes.txt"),
            ("own.csv.gz", "", "own-classes.txt"),
            ("own.parquet", "", "own-classes.txt"),
            ("shards/", "", "shards-classes.txt"),
            ("own.npz", "", ""),
            ("own-labels-idx1-ubyte", "", "own-classes.txt"),
            ("/", "", ""),
        ] {
            let found = beside(records);
            let first = [found.0, found.1].map(|names| names.first().cloned().unwrap_or_default());
            assert_eq!(first, [labels, classes], "{records}");
        }
    }

    /// The names of images in the known sets, each with that of its labels.
    #[test]
    fn every_spelling_of_the_known_sets() {
        for (images, labels, prefix, part) in [
            ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "", "train"),
            ("t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte", "", "test"),
            ("test-images-idx3-ubyte", "test-labels-idx1-ubyte", "", "test"),
            (
                "fashion-t10k-images-idx3-ubyte",
                "fashion-t10k-labels-idx1-ubyte",
                "fashion-",
                "test",
            ),
            ("qmnist-train-images-idx3-ubyte", "qmnist-train-labels-idx2-int", "qmnist-", "train"),
            ("xnist-images-idx3-ubyte", "xnist-labels-idx2-int", "xnist", ""),
            (
                "emnist-letters-train-images-idx3-ubyte",
                "emnist-letters-train-labels-idx1-ubyte",
                "emnist-letters-",
                "train",
            ),
            ("val_images.npy", "val_labels.npy", "", "val"),
            ("TRAIN-IMAGES-IDX3-UBYTE", "TRAIN-LABELS-IDX1-UBYTE", "", "train"),
            ("a.validation.images.idx3-ubyte", "a.validation.labels.idx1-ubyte", "a.", "val"),
            ("retrain-images-idx3-ubyte", "retrain-labels-idx1-ubyte", "retrain", ""),
        ] {
            assert!(beside(images).0.iter().any(|name| name == labels), "{images}");
            let part_of = |name: &str| {
                let (prefix, part) = Name::parse(name.as_ref()).unwrap().part();
                (prefix.to_string(), part.name())
            };
            assert_eq!(part_of(images), (prefix.to_string(), part), "{images}");
            assert_eq!(part_of(labels), (prefix.to_string(), part), "{labels}");
            let name = Name::parse(labels.as_ref()).unwrap();
            assert_eq!(name.kind, Some(FileKind::Labels));
        }
    }

    #[test]
    fn labels_are_tried_under_these_names() {
        let (labels, classes) = beside("train-images.idx3-ubyte.gz");
        let mut names = Vec::new();
        for end in [".idx1-ubyte", ".idx1-byte", ".idx1-short", ".idx1-int", "-idx1-ubyte"] {
            names.push(format!("train-labels{end}"));
        }
        names.extend(["train-labels.idx2-int", "train-labels-idx2-int"].map(String::from));
        let names = names.iter().flat_map(|name| [format!("{name}.gz"), name.clone()]);
        assert_eq!(labels, names.collect::<Vec<_>>());
        assert_eq!(classes, ["train-classes.txt", "classes.txt"]);
        assert_eq!(beside("own-images-idx3-uint8").0.len(), 16);
        assert_eq!(beside("digits.npy").0, ["digits-labels.npy", "digits-labels.npy.gz"]);
        assert_eq!(beside("fashion-t10k-x.csv").1, ["fashion-t10k-x-classes.txt"]);
        assert_eq!(
            beside("fashion-t10k.csv").1,
            ["fashion-t10k-classes.txt", "fashion-classes.txt"]
        );
    }

    #[test]
    fn labels_by_other_conventions() {
        for (records, labels) in [
            ("d/X_train.npy", &["d/X_train_labels.npy", "d/y_train.npy"][..]),
            ("x.npy.gz", &["x_labels.npy.gz", "y.npy.gz"]),
            ("X_test.csv", &["y_test.csv"]),
            ("kmnist-train-imgs.npz", &["kmnist-train-labels.npz"]),
            ("train_data.npy", &["train_data_labels.npy", "train_labels.npy", "train_target.npy"]),
            ("features.csv", &["labels.csv", "target.csv"]),
            ("max.npy", &["max_labels.npy"]),
            ("own_images.npy", &["own-labels.npy"]),
            ("images.npy", &[]),
            ("own_labels.npy", &[]),
            (
                "digits-images-idx3-ubyte",
                &[
                    "digits-labels-idx2-ubyte",
                    "digits-labels-idx1-float",
                    "digits-labels-idx1-double",
                    "digits_labels-idx1-ubyte",
                ],
            ),
            ("digits-idx3-ubyte", &["digits_labels-idx1-ubyte"]),
            ("y_train.npy", &["y_train_labels.npy"]),
        ] {
            let found = possible_labels(records.as_ref());
            assert_eq!(found, labels.iter().map(PathBuf::from).collect::<Vec<_>>(), "{records}");
        }
        let found = possible_labels("images-pca.idx2-double".as_ref());
        assert!(found.contains(&"labels-pca.idx1-ubyte".into()), "{found:?}");
        assert!(possible_labels("data-idx3-uint".as_ref()).len() <= 16);
    }

    /// Written names are read again.
    #[test]
    fn labels_and_classes_are_written_under_names_that_are_read() {
        for (images, label_type, labels, of_file, of_set) in [
            (
                "own-images-idx3-ubyte",
                ElementType::U8,
                "own-labels-idx1-ubyte",
                "own-classes.txt",
                "",
            ),
            ("own-images-idx3-float.gz", ElementType::I16, "own-labels-idx1-short.gz", "", ""),
            ("train-images.idx3-int", ElementType::I8, "train-labels.idx1-byte", "", "classes.txt"),
            ("a-t10k-images.npy", ElementType::I32, "a-t10k-labels.npy", "", "a-classes.txt"),
            ("digits.idx", ElementType::I32, "digits-labels.idx", "digits-classes.txt", ""),
            ("OWN-IMAGES-IDX3-FLOAT.GZ", ElementType::I16, "OWN-LABELS-IDX1-SHORT.GZ", "", ""),
        ] {
            let images = Path::new(images);
            let written = labels_name(images, label_type).unwrap();
            assert_eq!(written, Path::new(labels));
            assert!(labels_beside(images).contains(&written), "{labels}");
            for (is_set, expected) in [(false, of_file), (true, of_set)] {
                let written = classes_name(images, is_set).unwrap();
                assert!(expected.is_empty() || written == Path::new(expected), "{written:?}");
                assert!(classes_beside(images).contains(&written), "{written:?}");
            }
        }
        for path in ["own", "own.csv", "own.npz", "own-labels-idx1-ubyte", "shards/", "own.png"] {
            assert_eq!(labels_name(path.as_ref(), ElementType::U8), None, "{path}");
        }
        assert_eq!(classes_name("own.npz".as_ref(), false), None);
    }

    #[test]
    fn neighbours_are_all_that_is_read_beside_a_file() {
        let images = Path::new("d/train-images-idx3-ubyte");
        let found = neighbours(images);
        let twins = [
            "d/train-images-idx3-ubyte.gz",
            "d/train-images.idx3-ubyte",
            "d/train-images.idx3-ubyte.gz",
        ];
        assert_eq!(found.twins, twins.map(PathBuf::from));
        assert_eq!((found.labels, found.classes), (labels_beside(images), classes_beside(images)));
        let labels = neighbours("train-labels-idx1-ubyte.gz".as_ref());
        assert_eq!(labels.twins.len(), 3);
        assert_eq!((labels.labels.len(), labels.classes.len()), (0, 0));
        assert_eq!(neighbours("own.npy".as_ref()).twins, [PathBuf::from("own.npy.gz")]);
        let table = neighbours("own.csv".as_ref());
        let classes = vec![PathBuf::from("own-classes.txt")];
        assert_eq!(table, Neighbours { classes, ..Neighbours::default() });
        assert_eq!(neighbours("own.npz".as_ref()), Neighbours::default());
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf8_has_no_neighbours() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let path = Path::new(OsStr::from_bytes(b"\xFF-images-idx3-ubyte"));
        assert_eq!(neighbours(path), Neighbours::default());
        assert_eq!(labels_name(path, ElementType::U8), None);
        assert_eq!(classes_name(path, false), None);
        // The name of the folder does not matter.
        let path = Path::new(OsStr::from_bytes(b"\xFF/own-images-idx3-ubyte"));
        assert_eq!(labels_beside(path).len(), 14);
    }
}
