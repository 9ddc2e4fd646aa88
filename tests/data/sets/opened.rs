//! Data sets: their parts, and what belongs to records by the naming rules.

use std::fs;
use std::path::{MAIN_SEPARATOR_STR, Path};

use idx_data::{ClassNames, Column, Error, OpenOptions, Record, Set, Source, open, open_set};
use idx_tests::{Files, data_set, file, folder, gzip, labels, npy, spellings};

/// This many images of 2 x 2.
fn images(count: u8) -> Vec<u8> {
    file(8, &[count.into(), 2, 2], &vec![count; usize::from(count) * 4])
}

/// The labels of records; `None` where a record has none.
fn labels_of(mut source: Source) -> Result<Vec<Option<i128>>, Error> {
    let mut record = Record::default();
    let mut labels = Vec::new();
    while source.read(&mut record)? {
        labels.push(record.label);
    }
    Ok(labels)
}

/// The parts of a set in one line: `train 1 9 5, test 3 7`.
fn text(set: Set) -> Result<String, Error> {
    let part = |(name, source): (String, Source)| {
        let mut words = vec![name];
        let labels = labels_of(source)?;
        words
            .extend(labels.iter().map(|label| label.map_or("-".into(), |label| label.to_string())));
        Ok(words.join(" "))
    };
    let parts: Vec<String> =
        set.into_parts().into_iter().map(part).collect::<Result<_, Error>>()?;
    Ok(parts.join(", "))
}

fn opened(path: impl AsRef<Path>) -> String {
    text(open_set(path).unwrap()).unwrap()
}

fn refused(path: impl AsRef<Path>) -> String {
    match open_set(path) {
        Ok(set) => panic!("{:?}", text(set)),
        Err(error) => error.to_string(),
    }
}

const MNIST: &str = "train 1 9 5, test 3 7";

#[test]
fn a_folder_with_four_files_has_two_parts() {
    for (prefix, test) in [("", "t10k"), ("qmnist-", "test"), ("my_own_", "t10k")] {
        for files in spellings(&data_set(prefix, test, images)) {
            let folder = folder(&files);
            assert_eq!(opened(folder.path()), MNIST, "{files:?}");
            for (part, expected) in [("train", " 1 9 5"), ("t10k", " 3 7"), ("test", " 3 7")] {
                assert_eq!(opened(format!("{}/:{part}", folder.path().display())), expected);
                assert_eq!(opened(format!("{}:{part}", folder.path().display())), expected);
            }
            let error = refused(format!("{}:val", folder.path().display()));
            assert!(error.contains("there is no val in this folder; choose"), "{error}");
            let several = open(folder.path()).unwrap_err().to_string();
            assert!(several.contains("has several parts"), "{several}");
        }
    }
}

/// torchvision leaves each file plain and compressed, in `MNIST/raw`.
#[test]
fn the_folders_of_torchvision() {
    let top = tempfile::tempdir().unwrap();
    let raw = top.path().join("MNIST/raw");
    fs::create_dir_all(&raw).unwrap();
    let [plain, zipped, ..] = spellings(&data_set("", "t10k", images));
    for (name, bytes) in plain.iter().chain(&zipped) {
        fs::write(raw.join(name), bytes).unwrap();
    }
    // A download that did not begin.
    fs::create_dir_all(top.path().join("KMNIST/raw")).unwrap();
    for path in [raw.clone(), top.path().join("MNIST"), top.path().to_path_buf()] {
        assert_eq!(opened(&path), MNIST);
        assert_eq!(opened(format!("{}:test", path.display())), " 3 7");
    }
    let reading = open_set(top.path()).unwrap().reading();
    assert_eq!(reading.inputs()[0].to_string(), "KMNIST left out");
    // A part in a folder below the others.
    let inner = raw.join("more");
    fs::create_dir(&inner).unwrap();
    fs::create_dir(raw.join("notes")).unwrap();
    fs::write(inner.join("val-images-idx3-ubyte"), images(1)).unwrap();
    assert_eq!(open_set(&raw).unwrap().reading().inputs()[0].to_string(), "more left out");
    fs::remove_dir_all(inner).unwrap();
    // Another set in the same folder.
    let other = top.path().join("FashionMNIST/raw");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("train-images-idx3-ubyte"), images(1)).unwrap();
    let error = refused(top.path());
    assert!(error.contains("several data sets: FashionMNIST, MNIST; give one"), "{error}");
    assert_eq!(opened(top.path().join("MNIST")), MNIST);
    // A compressed file of another shape.
    fs::write(raw.join("t10k-labels-idx1-ubyte.gz"), gzip(&labels(&[1, 2, 3]))).unwrap();
    let error = refused(&raw);
    assert!(error.contains("either could be meant"), "{error}");
}

/// Failed before: the error listed the names of the parts, and there were none.
#[test]
fn a_part_of_a_set_without_parts() {
    let files = Files::from([("images-idx3-ubyte".into(), images(2))]);
    let folder = folder(&files);
    let error = refused(format!("{}/:train", folder.path().display()));
    let expected =
        "there is no train in this folder, and its only part has no name; give only the folder";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn a_folder_of_several_sets_names_them() {
    let mut files = Files::new();
    for prefix in ["emnist-letters-", "emnist-mnist-", "mnist-", ""] {
        files.extend(data_set(prefix, "test", images));
    }
    files.push(("xnist-images-idx3-ubyte".into(), images(2)));
    let folder = folder(&files);
    let at = |part: &str| format!("{}/:{part}", folder.path().display());
    let error = refused(folder.path());
    let all = ["train", "test", "emnist-letters", "emnist-mnist", "mnist", "xnist"];
    let all = all.map(|name| format!("`part(\"{name}\")`")).join(", or ");
    assert!(error.contains(&format!("several data sets; choose {all}")), "{error}");
    for set in ["letters", "emnist-letters", "emnist-mnist", "mnist"] {
        assert_eq!(opened(at(set)), MNIST, "{set}");
    }
    for part in ["letters-train", "emnist-letters-train", "mnist-training", "train"] {
        assert_eq!(opened(at(part)), " 1 9 5", "{part}");
    }
    // Failed before: messages named such parts, and they were refused.
    assert_eq!(opened(at("letters:train")), " 1 9 5");
    assert_eq!(opened(at("mnist:t10k")), " 3 7");
    let error = open(at("letters")).unwrap_err().to_string();
    let such = ["train", "test"].map(|part| at(&format!("letters:{part}")));
    assert!(error.ends_with(&format!("give one, such as {} or {}", such[0], such[1])), "{error}");
    assert_eq!(opened(at("xnist")), " - -");
    for wrong in ["ters", "fashion", "letters-val", "emnist"] {
        assert!(refused(at(wrong)).contains("; choose `part("), "{wrong}");
    }
    // A path as it stands comes first.
    fs::write(at("letters"), images(1)).unwrap();
    assert_eq!(opened(at("letters")), " -");
}

#[test]
fn folders_that_are_named_like_parts() {
    let top = tempfile::tempdir().unwrap();
    for (name, count) in [("training", 3), ("t10k", 2), ("valid", 1)] {
        fs::create_dir(top.path().join(name)).unwrap();
        fs::write(
            top.path().join(name).join("images.npy"),
            npy("|u1", false, &[count, 1], &[0; 3][..usize::try_from(count).unwrap()]),
        )
        .unwrap();
    }
    assert_eq!(opened(top.path()), "train - - -, test - -, val -");
    assert_eq!(opened(format!("{}:test", top.path().display())), " - -");
    fs::create_dir(top.path().join("testing")).unwrap();
    fs::write(top.path().join("testing/images.npy"), npy("|u1", false, &[1, 1], &[0])).unwrap();
    let error = refused(top.path());
    assert!(error.contains("may all be the records of test"), "{error}");
    fs::remove_dir_all(top.path().join("testing")).unwrap();
    // Next to pictures nothing is guessed.
    fs::write(top.path().join("x.png"), "a picture").unwrap();
    let error = refused(top.path());
    assert!(error.contains("and pictures, such as x.png"), "{error}");
    let arrays = OpenOptions::new().skip(vec!["x.png".into()]);
    assert_eq!(text(arrays.open_set(top.path()).unwrap()).unwrap(), "train - - -, test - -, val -");
}

#[test]
fn arrays_and_pictures_in_one_folder_are_refused() {
    for picture in ["sheet.png", "3/1.jpg"] {
        let picture = picture.replace('/', MAIN_SEPARATOR_STR);
        let folder = folder(&data_set("", "t10k", images));
        let path = folder.path().join(&picture);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"").unwrap();
        let error = refused(folder.path());
        assert!(error.contains(&format!("and pictures, such as {picture}")), "{error}");
    }
}

/// An archive of NumPy with these arrays, stored.
pub(crate) fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut zip, mut list) = (Vec::new(), Vec::new());
    for (name, bytes) in arrays {
        let name = format!("{name}.npy");
        let mut checksum = flate2::Crc::new();
        checksum.update(bytes);
        let size = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        let sum = checksum.sum().to_le_bytes();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let at = u32::try_from(zip.len()).unwrap().to_le_bytes();
        let facts = [&[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0], &sum[..], &size, &size, &length].concat();
        zip.extend([b"PK\x03\x04", &facts[..], &[0; 2], name.as_bytes(), bytes].concat());
        list.extend([b"PK\x01\x02\x14\0", &facts[..], &[0; 12], &at, name.as_bytes()].concat());
    }
    let count = u16::try_from(arrays.len()).unwrap().to_le_bytes();
    let [start, size] = [zip.len(), list.len()].map(|at| u32::try_from(at).unwrap().to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0", &count[..], &count, &size, &start, &[0; 2]].concat();
    [zip, list, end].concat()
}

#[test]
fn an_archive_of_numpy_has_the_parts_that_keras_gives_it() {
    let records =
        |count: u8| npy("|u1", false, &[count.into(), 2], &vec![count; usize::from(count) * 2]);
    let labels = |labels: &[u8]| npy("|u1", false, &[labels.len() as u64], labels);
    let arrays = [
        ("x_test", records(2)),
        ("x_train", records(3)),
        ("y_train", labels(&[1, 9, 5])),
        ("y_test", labels(&[3, 7])),
    ];
    let folder = folder(&[
        ("mnist.npz", npz(&arrays)),
        ("own.npz", npz(&[("y", labels(&[4])), ("x", records(1))])),
        ("one.npz", npz(&[("x", records(1))])),
        ("short.npz", npz(&[("x", records(2)), ("y", labels(&[4]))])),
        ("test.npz", npz(&[("x_test", records(2)), ("test", records(1))])),
        ("images.npz", npz(&[("labels", labels(&[4])), ("images", records(1))])),
        (
            "medmnist.npz",
            npz(&[
                ("train_images", records(2)),
                ("val_images", records(1)),
                ("train_labels", npy("|u1", false, &[2, 1], &[3, 7])),
                ("val_labels", npy("|u1", false, &[1, 1], &[5])),
            ]),
        ),
    ]);
    let at = |name: &str| folder.path().join(name);
    assert_eq!(opened(at("mnist.npz")), MNIST);
    assert_eq!(opened(at("mnist.npz:test")), " 3 7");
    assert_eq!(opened(at("mnist.npz:t10k")), " 3 7");
    assert_eq!(opened(at("mnist.npz:x_train")), " - - -");
    assert_eq!(opened(at("own.npz")), " 4");
    // The name of an array comes before that of a part.
    assert_eq!(opened(at("test.npz:test")), " -");
    let error = refused(at("mnist.npz:val"));
    assert!(error.contains("there is no part val"), "{error}");
    let error = refused(at("own.npz:val"));
    let text = "there is no part val; give the file or folder without a part";
    assert!(error.contains(text), "{error}");
    // A single array has no parts.
    assert!(!refused(at("one.npz:val")).contains("there is no part"));
    let stream = Box::new(fs::File::open(at("mnist.npz")).unwrap());
    let error = OpenOptions::new().open_stream("-", stream).unwrap_err().to_string();
    assert!(error.contains("save it in a file, and give one, such as set.npz:train or"), "{error}");
    let error = refused(at("short.npz"));
    assert!(error.contains("1 label for the 2"), "{error}");
    assert_eq!(opened(at("images.npz")), " 4");
    let reading = open_set(at("images.npz")).unwrap().reading();
    assert!(reading.inputs().iter().all(|input| input.options().is_empty()), "{reading:?}");
    // The name of an array may be longer than that of a file.
    let long = "a".repeat(300);
    fs::write(at("long.npz"), npz(&[(&long, records(1)), ("b", records(1))])).unwrap();
    assert_eq!(opened(at(&format!("long.npz:{long}"))), " -");
    assert_eq!(opened(at("medmnist.npz:train")), " 3 7");
    assert_eq!(opened(at("medmnist.npz:val")), " 5");
    let alone = OpenOptions::new().labels(false).open(at("short.npz")).unwrap();
    assert!(!alone.facts().has_labels);
}

/// Failed before: the parts that messages named were refused.
#[test]
fn the_parts_of_the_only_archive_in_a_folder() {
    let of = |count: u8| npy("|u1", false, &[count.into()], &vec![count; count.into()]);
    let parts =
        npz(&[("x_train", of(3)), ("y_train", of(3)), ("x_test", of(1)), ("y_test", of(1))]);
    let whole = npz(&[("x", of(2)), ("y", of(2))]);
    for (name, bytes, wanted, expected) in [
        ("pathmnist.npz", &parts, "", "train 3 3 3, test 1"),
        ("pathmnist.npz", &parts, ":train", " 3 3 3"),
        ("pathmnist.npz", &parts, ":t10k", " 1"),
        ("pathmnist.npz", &parts, ":pathmnist", "train 3 3 3, test 1"),
        ("pathmnist.npz", &parts, ":pathmnist:train", " 3 3 3"),
        ("train.npz", &parts, ":train", " 3 3 3"),
        ("train.npz", &whole, ":train", " 2 2"),
        ("digits.npz", &whole, ":digits", " 2 2"),
    ] {
        let folder = folder(&[(name, bytes.clone())]);
        let path = format!("{}{wanted}", folder.path().display());
        assert_eq!(opened(path), expected, "{name}{wanted}");
    }
    let folder = folder(&[("own.npz", parts)]);
    let error = refused(format!("{}:val", folder.path().display()));
    assert!(error.contains("there is no part val; give one, such as"), "{error}");
    assert!(error.contains("own.npz:train or"), "{error}");
}

/// Failed before: the questions named no array.
#[test]
fn an_archive_without_arrays_of_records() {
    let scalar = |bytes: &[u8]| npy("|u1", false, &[], bytes);
    let folder = folder(&[("a.npz", npz(&[("x", scalar(&[7])), ("y", scalar(&[3]))]))]);
    let path = folder.path().join("a.npz");
    let error = refused(&path);
    assert!(error.contains("each array (x, y) is a single value"), "{error}");
    assert_eq!(opened(format!("{}:x", path.display())), " -");
    fs::write(
        &path,
        npz(&[("x", npy("|u1", false, &[1], &[7])), ("y", npy("|u1", false, &[1], &[3]))]),
    )
    .unwrap();
    let error = OpenOptions::new().skip(vec!["*".into()]).open_set(&path).unwrap_err();
    assert!(error.to_string().contains("all arrays are left out"), "{error}");
}

/// Failed before: such labels were left out silently.
#[test]
fn labels_by_a_name_of_another_form_are_said() {
    let folder = folder(&[("train-images.idx", images(1)), ("train.labels.idx", labels(&[3]))]);
    let set = open_set(folder.path()).unwrap();
    let said = "train.labels.idx may have the labels, but is not read";
    assert_eq!(set.reading().inputs()[0].to_string(), said);
    assert_eq!(text(set).unwrap(), "train -");
}

/// Failed before: a table was left out if another part had an array of labels or none, and a text was not mentioned.
#[test]
fn a_table_has_the_labels_of_one_part() {
    let table = || ("t10k-labels.csv", b"label\n8\n".to_vec());
    let train = || ("train-images-idx3-ubyte", images(2));
    let arrays = || ("train-labels-idx1-ubyte", labels(&[3, 7]));
    let test = || ("t10k-images-idx3-ubyte", images(1));
    for (name, files, expected) in [
        ("two kinds", vec![train(), arrays(), test(), table()], "train 3 7, test 8"),
        (
            "compressed",
            vec![train(), arrays(), test(), ("t10k-labels.csv.gz", gzip(&table().1))],
            "train 3 7, test 8",
        ),
        ("one part", vec![train(), test(), table()], "train - -, test 8"),
        // MNIST's four files have priority over tables.
        ("both", vec![test(), ("t10k-labels-idx1-ubyte", labels(&[9])), table()], "test 9"),
    ] {
        assert_eq!(opened(folder(&files).path()), expected, "{name}");
    }
    let more = ("t10k-labels.csv", b"label\n8\n9\n".to_vec());
    let folder_of_more = folder(&[train(), arrays(), test(), more]);
    let error = refused(folder_of_more.path());
    assert!(error.contains("2 labels for the 1 record"), "{error}");
    let text = folder(&[train(), ("train_labels.txt", b"3\n7\n".to_vec())]);
    let reading = open_set(text.path()).unwrap().reading();
    assert!(reading.inputs()[0].to_string().contains("train_labels.txt left out"), "{reading:?}");
}

/// Failed before: the naming rules found only the images, and left the table out.
#[test]
fn a_table_of_labels_beside_images_of_any_name() {
    for (name, table, expected) in [
        ("images.npy", "labels.csv", " 3 7"),
        ("X.npy", "labels.csv", " 3 7"),
        ("train-images.npy", "train-labels.csv", "train 3 7"),
        // These may be other labels.
        ("a-images.npy", "labels.csv", " - -"),
    ] {
        let images = npy("|u1", false, &[2, 2, 2], &[5; 8]);
        let folder = folder(&[(name, images), (table, b"label\n3\n7\n".to_vec())]);
        assert_eq!(opened(folder.path()), expected, "{name}");
    }
}

#[test]
fn archives_of_numpy_are_the_parts_of_a_folder() {
    let archive = |labels: &[u8]| {
        let count = labels.len() as u64;
        npz(&[
            ("x", npy("|u1", false, &[count, 1], labels)),
            ("y", npy("|u1", false, &[count], labels)),
        ])
    };
    let folder = folder(&[("train.npz", archive(&[1, 9, 5])), ("test.npz", archive(&[3, 7]))]);
    assert_eq!(opened(folder.path()), MNIST);
    assert_eq!(opened(folder.path().join(":test")), " 3 7");
}

/// Failed before: the first was taken without labels, or both were parts of one name.
#[test]
fn arrays_of_an_archive_that_could_be_meant_are_named() {
    let records = || npy("|u1", false, &[2, 2], &[5; 4]);
    let labels = || npy("|u1", false, &[2], &[1, 2]);
    let folder = folder(&[
        ("other.npz", npz(&[("x", records()), ("other", labels())])),
        ("mixed.npz", npz(&[("x", records()), ("labels", labels())])),
        ("part.npz", npz(&[("x_train", records()), ("y_train", labels()), ("x_test", records())])),
        ("some.npz", npz(&[("x_train", records()), ("x_test", records()), ("t_test", labels())])),
        (
            "twice.npz",
            npz(&[("x_test", records()), ("y_test", labels()), ("x_testing", records())]),
        ),
    ]);
    let at = |name: &str| folder.path().join(name);
    for (name, sentence) in [
        ("other.npz", "x, other may all be the records; choose `part"),
        ("some.npz", "x_train, x_test, t_test may all be the records; choose `part"),
        ("twice.npz", "x_test, x_testing may all be the records; choose `part"),
    ] {
        let error = refused(at(name));
        assert!(error.contains(sentence), "{error}");
    }
    assert_eq!(opened(at("mixed.npz")), " 1 2");
    assert_eq!(opened(at("part.npz:train")), " 1 2");
    assert_eq!(opened(at("other.npz:x")), " - -");
    let alone = OpenOptions::new().labels(false).open(at("other.npz")).unwrap();
    assert_eq!(alone.facts().count, Some(2));
}

/// Four images of two classes.
fn two_classes() -> tempfile::TempDir {
    folder(&[
        ("own-images-idx3-ubyte", images(4)),
        ("own-labels-idx1-ubyte", labels(&[7, 3, 7, 3])),
    ])
}

/// Failed before: the folders were parts, no classes, or asked about, though the list of classes names them.
#[test]
fn folders_with_names_in_the_list_are_classes() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    for [one, other] in
        [["test", "train"], ["images", "masks"], ["cat", "cat (1)"], ["unknown", "unlabeled"]]
    {
        fs::write(at("own-classes.txt"), format!("3 {one}\n7 {other}\n")).unwrap();
        open(at("own-images-idx3-ubyte")).unwrap().write(at(&format!("{one}-set/"))).unwrap();
        assert_eq!(opened(at(&format!("{one}-set"))), " 3 3 7 7", "{one}");
    }
}

/// macOS and Windows give such names to files that nobody reads.
#[test]
fn no_class_has_a_folder_that_is_hidden() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("own-classes.txt"), "3 Thumbs.db\n7 __MACOSX\n").unwrap();
    open(at("own-images-idx3-ubyte")).unwrap().write(at("p/")).unwrap();
    assert_eq!(opened(at("p")), " 3 3 7 7");
}

#[test]
fn a_picture_of_one_of_several_folders_is_left_out() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    open(at("own-images-idx3-ubyte")).unwrap().write(at("p/")).unwrap();
    let options = OpenOptions::new().skip(vec!["00003.png".into()]);
    let inputs = ["p/3", "p/7"].map(at);
    assert_eq!(text(options.open_sets(&inputs).unwrap()).unwrap(), " 3 7 7");
    let inputs = ["p/3/00001.png", "p/3/00003.png", "p/7/00000.png"].map(at);
    assert_eq!(text(options.open_sets(&inputs).unwrap()).unwrap(), " 3 7");
}

/// Failed before: the folder of a part, or one above all, was taken for the only class.
#[test]
fn the_folder_above_the_classes_is_no_class() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("above")).unwrap();
    open(at("own-images-idx3-ubyte")).unwrap().write(at("above/train/")).unwrap();
    assert_eq!(opened(at("above")), "train 3 3 7 7");
    assert_eq!(opened(at("above/train")), " 3 3 7 7");
    // A class may have folders next to its pictures.
    fs::rename(at("above/train/3"), at("above/train/7/more")).unwrap();
    let error = refused(at("above/train"));
    assert!(error.contains("all pictures are in the folder 7"), "{error}");
    let levels = OpenOptions::new().label_column(0);
    assert_eq!(text(levels.open_set(at("above/train")).unwrap()).unwrap(), " 7 7 7 7");
}

/// All that belongs to pictures is in their folder.
#[test]
fn no_list_of_classes_lies_beside_a_folder_of_pictures() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    open(at("own-images-idx3-ubyte")).unwrap().write(at("photos/")).unwrap();
    fs::write(at("photos-classes.txt"), "a\nb\nc\nd\ne\nf\ng\nh\n").unwrap();
    assert_eq!(open(at("photos")).unwrap().facts().classes, None);
}

/// A shell gives `photos/*/*.png` and `photos/*` like this.
#[test]
fn pictures_that_are_given_as_files_or_folders() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    open(at("own-images-idx3-ubyte")).unwrap().write(at("photos/")).unwrap();
    let mut files = Vec::new();
    for class in ["3", "7"] {
        let entries = fs::read_dir(at("photos").join(class)).unwrap();
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        files.extend(paths);
    }
    let options = OpenOptions::new();
    let all = |files: &[std::path::PathBuf]| text(options.open_sets(files).unwrap()).unwrap();
    assert_eq!(all(&files), " 3 3 7 7");
    let folders = [at("photos/3"), at("photos/7")];
    assert_eq!(all(&folders), " 3 3 7 7");
    assert_eq!(all(&[folders[0].clone(), files[2].clone()]), " 3 3 7");
    // Pictures in one folder, or a single picture, have no class.
    assert_eq!(all(&folders[..1]), " - -");
    assert_eq!(all(&[at("photos"), at("photos")]), " 3 3 7 7 3 3 7 7");
    assert_eq!(all(&files[..2]), " - -");
    assert_eq!(all(&files[..1]), " -");
    assert_eq!(opened(&files[0]), " -");
    // Labels come with their records, unless the options say that nothing does, or that all are labels.
    let with_labels = [at("own-images-idx3-ubyte"), at("own-labels-idx1-ubyte")];
    assert_eq!(all(&with_labels), " 7 3 7 3");
    for options in [options.clone().labels(false), options.clone().beside(false)] {
        assert!(options.open_sets(&with_labels).is_err());
    }
    idx_std::save(at("own.idx"), &[2], &[5_u8, 6]).unwrap();
    fs::copy(at("own-labels-idx1-ubyte"), at("own-labels.idx")).unwrap();
    let labels = options.clone().as_labels().open_sets([at("own.idx"), at("own-labels.idx")]);
    assert_eq!(text(labels.unwrap()).unwrap(), " 5 6 7 3 7 3");
    fs::copy(at("own-labels.idx"), at("other-labels.idx")).unwrap();
    let labels = [at("own.idx"), at("other-labels.idx")];
    let error = options.clone().beside(false).open_sets(&labels).map(drop).unwrap_err();
    assert!(
        error.to_string().contains("other-labels.idx may have the labels of own.idx"),
        "{error}"
    );
    let all_records = options.clone().labels(false).open_sets(&labels);
    assert_eq!(text(all_records.unwrap()).unwrap(), " - - - - - -");
    // Other inputs are joined.
    let twice = [at("own-images-idx3-ubyte"), at("own-images-idx3-ubyte")];
    assert_eq!(all(&twice), " 7 3 7 3 7 3 7 3");
    assert!(options.open_sets(Vec::<&Path>::new()).is_err());
}

#[test]
fn several_sets_are_joined_part_by_part() {
    let sets = [folder(&data_set("", "t10k", images)), folder(&data_set("own-", "test", images))];
    let joined = OpenOptions::new().open_sets(sets.iter().map(|set| set.path())).unwrap();
    assert_eq!(text(joined).unwrap(), "train 1 9 5 1 9 5, test 3 7 3 7");
    let part = format!("{}:test", sets[0].path().display());
    let error = OpenOptions::new().open_sets([sets[1].path(), Path::new(&part)]).unwrap_err();
    assert!(error.to_string().contains("is a single part; give one, such as"), "{error}");
    // Failed before: "the inputs before have other parts: ; give one".
    let error = OpenOptions::new().open_sets([Path::new(&part), sets[1].path()]).unwrap_err();
    assert!(error.to_string().contains("the inputs before have no parts; give one"), "{error}");
    // If two sets have one part each, the names of the parts do not matter.
    let test = open_set(sets[1].path()).unwrap().part("test").unwrap();
    let val = Set::from_parts([("val", test)]).unwrap();
    let joined = open_set(&part).unwrap().append(val).unwrap();
    assert_eq!(text(joined).unwrap(), " 3 7 3 7");
}

/// Each of several inputs may lack a column that another one has.
#[test]
fn a_column_that_no_option_finds_is_an_error() {
    let folder = folder(&[
        ("a.csv", b"x,y,z\n1,2,3\n4,5,6\n".to_vec()),
        ("b.csv", b"x,y\n7,8\n9,1\n".to_vec()),
    ]);
    let at = |name: &str| folder.path().join(name);
    let options = OpenOptions::new().skip(vec!["z".into()]);
    assert_eq!(text(options.open_sets([at("a.csv"), at("b.csv")]).unwrap()).unwrap(), " - - - -");
    let error = options.open_sets([at("b.csv")]).map(drop).unwrap_err();
    assert_eq!(error.path(), Some(&*at("b.csv")), "{error}");
}

/// Rows of several labels next to records: the given column has the labels.
#[test]
fn the_column_of_labels_beside_records() {
    let folder = folder(&[
        ("own-images-idx3-ubyte", images(2)),
        (
            "own-labels-idx2-int",
            file(12, &[2, 2], &[0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6]),
        ),
    ]);
    for (column, expected) in [(0, [3, 5]), (1, [4, 6])] {
        let options = OpenOptions::new().label_column(column);
        let source = options.open(folder.path().join("own-images-idx3-ubyte")).unwrap();
        assert_eq!(labels_of(source).unwrap(), expected.map(Some));
    }
}

#[test]
fn a_list_of_classes_without_a_prefix_is_that_of_the_only_set() {
    let mut files = data_set("", "t10k", images);
    files.push(("classes.txt".into(), b"zero\none".to_vec()));
    let folder = folder(&files);
    let named = |path: &str| {
        let source = open(path).unwrap();
        source.facts().classes.is_some()
    };
    let train = format!("{}:train", folder.path().display());
    assert!(named(&train));
    fs::write(folder.path().join("own-images-idx3-ubyte"), images(1)).unwrap();
    assert!(!named(&train));
    // The folder of a file is not listed.
    assert!(named(&folder.path().join("train-images-idx3-ubyte").display().to_string()));
}

#[test]
fn records_come_with_the_labels_beside_them() {
    let names = ["zero", "one", "two"];
    for (records, beside, list) in [
        ("own-images-idx3-ubyte", "own-labels-idx1-ubyte", "own-classes.txt"),
        ("own-images-idx3-ubyte", "own-labels.idx1-ubyte.gz", "own-classes.txt"),
        ("own_images.idx3-ubyte.gz", "own_labels.idx1-int", "own-classes.txt"),
        ("a.b.images-idx3-ubyte", "a.b.labels-idx2-int", "a.b-classes.txt"),
        ("images-idx3-ubyte", "labels-idx1-ubyte", "classes.txt"),
        (
            "fashion-train-images-idx3-ubyte",
            "fashion-train-labels-idx1-ubyte",
            "fashion-classes.txt",
        ),
        ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte", "classes.txt"),
        ("a:b.idx", "a:b-labels.idx", "a:b-classes.txt"),
        ("digits.idx", "digits-labels.idx.gz", "digits-classes.txt"),
        ("digits.npy", "digits-labels.npy", "digits-classes.txt"),
    ] {
        // Windows has no such names.
        if cfg!(windows) && records.contains(':') {
            continue;
        }
        let zipped = |name: &str, bytes: Vec<u8>| match name.ends_with(".gz") {
            true => gzip(&bytes),
            false => bytes,
        };
        let is_npy = records.ends_with(".npy");
        let (images, numbers) = match is_npy {
            true => (npy("|u1", false, &[2, 2], &[5; 4]), npy("|u1", false, &[2], &[2, 0])),
            false if beside.contains("idx2") => {
                let rows =
                    [2_i32, 0].map(|class| [class, 9, 9, 9, 9, 9, 9, 0].map(i32::to_be_bytes));
                (images(2), file(12, &[2, 8], rows.as_flattened().as_flattened()))
            }
            false if beside.ends_with("int") => {
                (images(2), file(12, &[2], &[0, 0, 0, 2, 0, 0, 0, 0]))
            }
            false => (images(2), labels(&[2, 0])),
        };
        let folder = folder(&[
            (records, zipped(records, images)),
            (beside, zipped(beside, numbers)),
            (list, names.join("\n").into_bytes()),
        ]);
        let path = folder.path().join(records);
        let source = open(&path).unwrap();
        assert_eq!(source.facts().classes.as_ref().unwrap().name(2), Some("two"), "{records}");
        assert_eq!(labels_of(source).unwrap(), [Some(2), Some(0)], "{records}");
        let alone = OpenOptions::new().labels(false).open(&path).unwrap();
        assert!(!alone.facts().has_labels && alone.facts().classes.is_none());
        // A file of labels that is opened by itself has records without labels.
        assert!(!open(folder.path().join(beside)).unwrap().facts().has_labels, "{beside}");
    }
}

#[test]
fn labels_of_another_count_are_refused_with_both_numbers() {
    let folder = folder(&[
        ("own-images-idx3-ubyte", images(3)),
        ("own-labels-idx1-ubyte.gz", gzip(&labels(&[1, 2]))),
    ]);
    let path = folder.path().join("own-images-idx3-ubyte");
    let error = open(&path).unwrap_err();
    assert_eq!(error.path(), Some(&*folder.path().join("own-labels-idx1-ubyte.gz")));
    let text = error.kind().to_string();
    assert!(text.starts_with("2 labels for the 3 records of own-images-idx3-ubyte"), "{text}");
    assert!(text.contains("leave the labels out"), "{text}");
    assert!(OpenOptions::new().labels(false).open(&path).is_ok());
}

/// Failed before: no message said that one part lacks the labels that the other has.
#[test]
fn a_part_that_lacks_labels_is_told() {
    let set = data_set("", "t10k", images);
    let [train, train_labels, test, test_labels] = &set[..] else { unreachable!() };
    let said = |files: &[&(String, Vec<u8>)], part: &str, options: &OpenOptions| {
        let files: Files = files.iter().map(|file| (*file).clone()).collect();
        let folder = folder(&files);
        let set = options.open_set(format!("{}/{part}", folder.path().display())).unwrap();
        let reading = set.reading();
        let lines = reading.inputs().iter().map(|input| {
            assert!(folder.path().starts_with(input.path()), "{input:?}");
            input.to_string()
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let options = OpenOptions::new();
    let three = [train, train_labels, test];
    for part in ["", ":test"] {
        assert_eq!(said(&three, part, &options), "test without labels");
        assert_eq!(said(&three, part, &options.clone().labels(false)), "");
    }
    assert_eq!(said(&three, ":train", &options), "");
    assert_eq!(said(&[train, test, test_labels], "", &options), "train without labels");
    for part in ["", ":test"] {
        assert_eq!(said(&[train, test], part, &options), "no label");
    }
    assert_eq!(said(&[train, train_labels, test, test_labels], "", &options), "");
}

/// Failed before: only IDX files had this message, not arrays and tables.
#[test]
fn a_part_of_arrays_or_tables_that_lacks_labels_is_told() {
    let records =
        |count: u8| npy("|u1", false, &[count.into(), 1, 2], &[7; 6][..usize::from(count) * 2]);
    let labels = || npy("|u1", false, &[3], &[1, 9, 5]);
    let (train, test) = ("label,a,b\n1,0,0\n9,0,0\n5,0,0\n", "a,b\n0,0\n0,0\n");
    let archive = [("X_train", records(3)), ("y_train", labels()), ("X_test", records(2))];
    let folder = folder(&[
        ("s.npz", npz(&archive)),
        ("arrays/X_train.npy", records(3)),
        ("arrays/y_train.npy", labels()),
        ("arrays/X_test.npy", records(2)),
        ("tables/train.csv", train.into()),
        ("tables/test.csv", test.into()),
    ]);
    for name in ["s.npz", "arrays", "tables"] {
        let path = folder.path().join(name);
        let set = open_set(&path).unwrap();
        let reading = set.reading().inputs().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(reading.join("; ").matches("; test without labels").count(), 1, "{reading:?}");
        assert_eq!(text(set).unwrap(), "train 1 9 5, test - -", "{name}");
        let set = OpenOptions::new().labels(false).open_set(&path).unwrap();
        let reading = set.reading().inputs().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(!reading.join("").contains("without labels"), "{reading:?}");
    }
}

/// Failed before: only joined inputs were compared, so another column silently passed.
#[test]
fn parts_of_other_columns_are_refused() {
    let folder = folder(&[
        ("s/train.csv", b"label,a,b\n1,2,3\n0,3,4\n".to_vec()),
        ("s/test.csv", b"label,a,c\n1,2,3\n0,3,5\n".to_vec()),
        ("more/train.csv", b"a,b,price\n1,2,3\n0,3,4\n".to_vec()),
        ("more/test.csv", b"a,b\n1,2\n3,4\n".to_vec()),
        ("less/train.csv", b"a,b\n1,2\n3,4\n".to_vec()),
        ("less/test.csv", b"a,b,price\n1,2,3\n0,3,4\n".to_vec()),
        ("bare/train.csv", b"7,9,2,3\n3,4,8,6\n".to_vec()),
        ("bare/test.csv", b"9,2,3\n4,5,1\n".to_vec()),
        ("half/train.csv", b"label,a,b\n7,2,3\n3,8,6\n".to_vec()),
        ("half/test.csv", b"9,2,3\n4,5,1\n".to_vec()),
    ]);
    for (name, expected) in [
        ("more", "`price` is a column of train.csv, but not of this part"),
        (
            "less",
            "`price` is a column of this part, but not of train.csv; give each file on its own",
        ),
    ] {
        let error = refused(folder.path().join(name));
        assert!(error.contains(expected), "{error}");
    }
    // The first pixel of the test part would be its label.
    let bare = OpenOptions::new().label_column(0).open_set(folder.path().join("bare"));
    let half = OpenOptions::new().open_set(folder.path().join("half"));
    for (set, expected) in [
        (bare, "the records of this part have 2 numbers, and those of train.csv 3 numbers; write"),
        (half, "the records of this part have 3 numbers, and those of train.csv 2 numbers; write"),
    ] {
        let error = set.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let options = OpenOptions::new().label_column("price");
    assert_eq!(
        text(options.open_set(folder.path().join("more")).unwrap()).unwrap(),
        "train 3 4, test - -"
    );
    let path = folder.path().join("s");
    let error = refused(&path);
    assert!(error.contains("column 1 is \"c\" here, and was \"b\" in train.csv"), "{error}");
    let set = OpenOptions::new().shape([2]).open_set(&path).unwrap();
    assert_eq!(text(set).unwrap(), "train 1 0, test 1 0");
    assert_eq!(opened(format!("{}:test", path.display())), " 1 0");
}

/// Failed before: the column that the question about the first part names had to be in all parts.
#[test]
fn a_later_part_may_lack_the_column_that_an_option_names() {
    let folder = folder(&[
        ("s/train.csv", b"digit,a,b\n1,2,3\n0,3,4\n".to_vec()),
        ("s/test.csv", b"a,b\n1,2\n3,4\n".to_vec()),
    ]);
    let path = folder.path().join("s");
    let error = refused(&path);
    assert!(error.contains("`digit` may be the label"), "{error}");
    let set = OpenOptions::new().label_column("digit").open_set(&path).unwrap();
    assert_eq!(text(set).unwrap(), "train 1 0, test - -");
    let set = OpenOptions::new().skip(vec![Column::from("digit")]).open_set(&path).unwrap();
    assert_eq!(text(set).unwrap(), "train - -, test - -");
    let error = OpenOptions::new().label_column("digits").open_set(&path).unwrap_err().to_string();
    assert!(error.contains("there is no column `digits`"), "{error}");
    let test = format!("{}:test", path.display());
    let error = OpenOptions::new().label_column("digit").open_set(test).unwrap_err().to_string();
    assert!(error.contains("there is no column `digit`"), "{error}");
}

/// Failed before: IDX files lost their labels, and other files did not.
#[test]
fn the_labels_in_a_folder_are_not_beside_it() {
    let sets = data_set("idx/", "t10k", images);
    let list =
        |folder: &str| (format!("{folder}/classes.txt"), b"a\nb\nc\nd\ne\nf\ng\nh\ni\nj".to_vec());
    let array = npy("|u1", false, &[3, 2], &[7; 6]);
    let labels = npy("|u1", false, &[3], &[1, 9, 5]);
    let table = b"label,a,b\n1,0,0\n9,0,0\n5,0,0\n";
    let others = [
        ("npy/x.npy".to_string(), array),
        ("npy/y.npy".to_string(), labels),
        ("csv/a.csv".to_string(), table.to_vec()),
    ];
    let folder = folder(&[&sets[..], &others[..], &["idx", "npy", "csv"].map(list)].concat());
    let options = OpenOptions::new().beside(false);
    for (name, expected) in [("idx", MNIST), ("npy", " 1 9 5"), ("csv", " 1 9 5")] {
        let set = options.open_set(folder.path().join(name)).unwrap();
        for (_, source) in set.parts() {
            assert!(source.facts().classes.is_some(), "{name}");
        }
        assert_eq!(text(set).unwrap(), expected, "{name}");
    }
    let images = options.open(folder.path().join("idx/train-images-idx3-ubyte")).unwrap();
    assert!(!images.facts().has_labels);
}

#[test]
fn what_lies_beside_records_is_a_file_that_can_be_read() {
    let folder = folder(&[("own-images-idx3-ubyte", images(2))]);
    let path = folder.path().join("own-images-idx3-ubyte");
    let beside = folder.path().join("own-labels-idx1-ubyte");
    // Kaggle's MNIST has folders of such names.
    fs::create_dir(&beside).unwrap();
    assert_eq!(opened(&path), " - -");
    fs::remove_dir(&beside).unwrap();
    fs::write(&beside, b"404: Not Found").unwrap();
    let error = open(&path).unwrap_err();
    assert_eq!(error.path(), Some(&*beside), "{error}");
    fs::write(&beside, labels(&[1, 2])).unwrap();
    fs::write(folder.path().join("own-classes.txt"), b"\xFF").unwrap();
    // A bad list is an error, even if an option gives names.
    let names = ClassNames::new(["zero", "one", "two"]).unwrap();
    for options in [OpenOptions::new(), OpenOptions::new().classes(names)] {
        let alone = OpenOptions::new().labels(false).open(&path).unwrap();
        for error in [options.open(&path), options.label(alone, &beside)].map(Result::unwrap_err) {
            assert_eq!(error.path(), Some(&*folder.path().join("own-classes.txt")), "{error}");
        }
    }
}

/// Arrays have no labels of their own, so an option says that their folders, or their files, are the classes. It
/// may say so of tables, too.
#[test]
fn classes_of_arrays_are_the_names_at_the_level_of_an_option() {
    let array = |count: u8| npy("|u1", false, &[count.into(), 1], &[7; 2][..count.into()]);
    let folder = folder(&[
        ("s/dog/a.npy", array(1)),
        ("s/cat/a.npy", array(2)),
        ("more/ant.npy", array(1)),
        ("more/dog.npy", array(1)),
        ("tables/cat.csv", b"a,b\n1,2\n3,4\n".to_vec()),
        ("tables/dog.csv", b"a,b\n5,6\n7,8\n".to_vec()),
    ]);
    let at = |name: &str| folder.path().join(name);
    let options = OpenOptions::new().label_column(0);
    let set = options.open_set(at("s")).unwrap();
    assert_eq!(options.unused(&set.reading()), [""; 0]);
    let classes = set.only_part().unwrap().facts().classes.clone();
    assert_eq!(classes, Some(ClassNames::new(["cat", "dog"]).unwrap()));
    assert_eq!(text(options.open_set(at("s")).unwrap()).unwrap(), " 0 0 1");
    // The names are words, which a list numbers, as do other inputs.
    let list = options.clone().classes(ClassNames::new(["dog", "cat"]).unwrap());
    assert_eq!(text(list.open_set(at("s")).unwrap()).unwrap(), " 1 1 0");
    let joined = options.open_sets(["s", "more"].map(at)).unwrap();
    assert_eq!(text(joined).unwrap(), " 1 1 2 0 2");
    // No input reports that its table has no label.
    let tables = options.open_set(at("tables")).unwrap();
    for input in tables.reading().inputs() {
        assert!(!input.to_string().contains("no label"), "{input}");
    }
    assert_eq!(text(tables).unwrap(), " 0 0 1 1");
}

/// If two files of labels have one shape, the first is taken; other shapes are an error.
#[test]
fn two_files_of_labels() {
    let folder = folder(&[
        ("own-images-idx3-ubyte", images(2)),
        ("own-labels-idx1-ubyte", labels(&[1, 2])),
        ("own-labels.idx1-ubyte.gz", gzip(&labels(&[1, 2]))),
    ]);
    let path = folder.path().join("own-images-idx3-ubyte");
    assert_eq!(opened(&path), " 1 2");
    let is_other = |name: &str, bytes: Vec<u8>| {
        fs::write(folder.path().join(name), bytes).unwrap();
        let error = open(&path).unwrap_err().to_string();
        assert!(error.contains(&format!("own-labels-idx1-ubyte and {name} differ")), "{error}");
    };
    is_other("own-labels-idx2-int", file(12, &[2, 1], &[0; 8]));
    is_other("own-labels.idx1-ubyte.gz", gzip(&labels(&[1, 3])));
}

#[cfg(unix)]
#[test]
fn neighbours_in_a_folder_that_cannot_be_listed_or_written() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let top =
        folder(&[("own-images-idx3-ubyte", images(2)), ("own-labels-idx1-ubyte", labels(&[1, 2]))]);
    let folder = top.path().join("folder");
    fs::create_dir(&folder).unwrap();
    for name in ["own-images-idx3-ubyte", "own-labels-idx1-ubyte"] {
        fs::rename(top.path().join(name), folder.join(name)).unwrap();
    }
    let mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    for bits in [0o555, 0o311] {
        mode(bits);
        let read = open_set(folder.join("own-images-idx3-ubyte")).and_then(text);
        mode(0o755);
        assert_eq!(read.unwrap(), " 1 2", "{bits:o}");
    }
    // A link to nothing is not a file; one to itself cannot be read.
    let labels = folder.join("own-labels.idx1-ubyte");
    // A link to nothing is not missing, because its file may be: failed before.
    let list = folder.join("own-classes.txt");
    for (link, target, code) in [
        (&labels, "own-labels.idx1-ubyte", "io"),
        (&labels, "nothing", "missing_file"),
        (&list, "nothing", "missing_file"),
    ] {
        symlink(target, link).unwrap();
        let records = folder.join("own-images-idx3-ubyte");
        let error = open(&records).unwrap_err();
        assert_eq!((error.path(), error.kind().code()), (Some(&**link), code), "{error}");
        let bare = OpenOptions::new().labels(false).open(&records).unwrap();
        assert_eq!(bare.facts().count, Some(2));
        let error = open_set(&folder).unwrap_err();
        assert_eq!(error.path(), Some(&**link), "{error}");
        fs::remove_file(link).unwrap();
    }
}

/// The classes of these pictures are on a disk that is not there.
#[cfg(unix)]
#[test]
fn a_list_of_pictures_that_is_a_link_to_nothing_is_not_missing() {
    let folder = two_classes();
    let pictures = folder.path().join("p");
    open(folder.path().join("own-images-idx3-ubyte")).unwrap().write(pictures.join("")).unwrap();
    for name in ["classes.txt", "labels.csv"] {
        let list = pictures.join(name);
        std::os::unix::fs::symlink("nothing", &list).unwrap();
        let error = open(&pictures).unwrap_err();
        assert_eq!((error.path(), error.kind().code()), (Some(&*list), "missing_file"), "{error}");
        OpenOptions::new().labels(false).open(&pictures).unwrap();
        fs::remove_file(&list).unwrap();
    }
    assert_eq!(opened(&pictures), " 3 3 7 7");
}

/// Without the list, the classes would have other numbers, or none.
#[cfg(unix)]
#[test]
fn a_list_of_pictures_that_cannot_be_looked_at_is_not_missing() {
    let folder = two_classes();
    let pictures = folder.path().join("p");
    open(folder.path().join("own-images-idx3-ubyte")).unwrap().write(pictures.join("")).unwrap();
    for name in ["classes.txt", "labels.csv"] {
        let list = pictures.join(name);
        std::os::unix::fs::symlink(name, &list).unwrap();
        let error = open(&pictures).unwrap_err();
        assert_eq!(error.path(), Some(&*list), "{error}");
        fs::remove_file(&list).unwrap();
    }
    assert_eq!(opened(&pictures), " 3 3 7 7");
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf8_has_no_neighbours() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let name =
        |end: &str| folder.path().join(OsStr::from_bytes(&[b"\xFF-", end.as_bytes()].concat()));
    fs::write(name("images-idx3-ubyte"), images(2)).unwrap();
    fs::write(name("labels-idx1-ubyte"), labels(&[1, 2])).unwrap();
    assert_eq!(opened(name("images-idx3-ubyte")), " - -");
    let said = |name| {
        let source = open(name).unwrap();
        source.reading().inputs().iter().map(|input| input.to_string()).collect::<Vec<_>>()
    };
    let text = "no labels are read with it, because its name is not UTF-8";
    assert_eq!(said(name("images-idx3-ubyte")), [text]);
    // A name outside the rule would have no labels in UTF-8 either.
    fs::rename(name("images-idx3-ubyte"), name("own")).unwrap();
    assert_eq!(said(name("own")), [""; 0]);
}

/// Kaggle's folders of MNIST as JPEG: the classes are in one part, and the other has none.
#[test]
fn a_part_without_classes_has_no_labels() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    let own = || open(at("own-images-idx3-ubyte")).unwrap();
    fs::create_dir_all(at("k/trainingSet")).unwrap();
    fs::create_dir_all(at("k/testSet")).unwrap();
    own().write(at("k/trainingSet/trainingSet/")).unwrap();
    own().without_labels().write(at("k/testSet/testSet/")).unwrap();
    assert_eq!(opened(at("k")), "train 3 3 7 7, test - - - -");
    assert_eq!(opened(at("k/trainingSet/trainingSet")), " 3 3 7 7");
}

/// Failed before: each part and each joined input numbered its own words, so a fox of the test part was a cat.
#[test]
fn words_have_one_number_in_all_parts_and_inputs() {
    let folder = folder(&[("a-images-idx3-ubyte", images(1))]);
    let at = |name: &str| folder.path().join(name);
    for class in ["s/train/cat", "s/train/fox", "s/test/fox", "more/ant", "more/fox"] {
        fs::create_dir_all(at(class)).unwrap();
        open(at("a-images-idx3-ubyte")).unwrap().write(at("one/")).unwrap();
        let picture = fs::read_dir(at("one")).unwrap().next().unwrap().unwrap().path();
        fs::rename(picture, at(class).join("0.png")).unwrap();
        fs::remove_dir_all(at("one")).unwrap();
    }
    let names = |set: &Set| {
        let classes = |source: &Source| {
            let classes = source.facts().classes.clone().unwrap();
            classes.iter().map(|(label, name)| format!("{label} {name}")).collect::<Vec<_>>()
        };
        set.parts().map(|(_, source)| classes(source).join(", ")).collect::<Vec<_>>()
    };
    let set = open_set(at("s")).unwrap();
    assert_eq!(names(&set), ["0 cat, 1 fox", "0 cat, 1 fox"]);
    assert_eq!(text(set).unwrap(), "train 0 1, test 1");
    // A single part has the numbers of the set.
    assert_eq!(opened(format!("{}/:test", at("s").display())), " 1");
    let train = format!("{}/:train", at("s").display());
    let joined = OpenOptions::new().open_sets([Path::new(&train), &at("more")]).unwrap();
    assert_eq!(names(&joined), ["0 ant, 1 cat, 2 fox"]);
    assert_eq!(text(joined).unwrap(), " 1 2 0 2");
    let joined = OpenOptions::new().open_sets([at("s/train"), at("more")]).unwrap();
    assert_eq!(text(joined).unwrap(), " 1 2 0 2");
    // A list above the parts holds for all.
    fs::write(at("s/classes.txt"), "fox\ncat\n").unwrap();
    assert_eq!(opened(at("s")), "train 1 0, test 0");
    // Tables of words.
    fs::create_dir(at("t")).unwrap();
    fs::write(at("t/train.csv"), "label,a\ncat,1\nfox,2\n").unwrap();
    fs::write(at("t/test.csv"), "label,a\nfox,2\nant,3\n").unwrap();
    assert_eq!(opened(at("t")), "train 1 2, test 2 0");
    assert_eq!(opened(format!("{}/:train", at("t").display())), " 1 2");
    // Numbers in one part may be those of any class.
    fs::write(at("t/test.csv"), "label,a\n1,2\n").unwrap();
    let error = open_set(at("t")).unwrap_err();
    assert_eq!(error.kind().code(), "question", "{error}");
    assert!(error.to_string().contains("those of test.csv are numbers"), "{error}");
    let list = OpenOptions::new().classes(ClassNames::new(["cat", "fox"]).unwrap());
    assert_eq!(text(list.open_set(at("t")).unwrap()).unwrap(), "train 0 1, test 1");
    let both = [at("t/train.csv"), at("t/test.csv")];
    assert_eq!(text(list.open_sets(&both).unwrap()).unwrap(), " 0 1 1");
    // Failed before: next to numbers, a word that the list lacks got a label without a name.
    fs::write(at("t/test.csv"), "label,a\n0,2\n").unwrap();
    let list = OpenOptions::new().classes(ClassNames::new(["cat"]).unwrap());
    let reversed = both.iter().rev();
    for set in [list.open_set(at("t")), list.open_sets(&both), list.open_sets(reversed)] {
        let error = text(set.unwrap()).unwrap_err();
        assert!(error.to_string().contains("class `fox` is not in the list of names"), "{error}");
    }
    // The list names the words of all inputs together: each input by itself would be renamed.
    fs::write(at("t/test.csv"), "label,a\nant,2\ndog,3\n").unwrap();
    let list = OpenOptions::new().classes(ClassNames::new(["x", "y"]).unwrap());
    for set in [list.open_set(at("t")).unwrap(), list.open_sets(&both).unwrap()] {
        let error = text(set).unwrap_err();
        assert!(error.to_string().contains("is not in the list of names"), "{error}");
    }
}

/// Failed before: all labels were lost if the first picture was given again at the end.
#[test]
fn a_picture_that_is_given_twice_keeps_its_label() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    open(at("own-images-idx3-ubyte")).unwrap().write(at("photos/")).unwrap();
    let picture = |class: &str| {
        let mut paths: Vec<_> =
            fs::read_dir(at(class)).unwrap().map(|found| found.unwrap().path()).collect();
        paths.sort();
        paths.remove(0)
    };
    let [three, seven] = ["photos/3", "photos/7"].map(picture);
    let set = OpenOptions::new().open_sets([&three, &seven, &three]).unwrap();
    assert_eq!(text(set).unwrap(), " 3 7 3");
}

/// Failed before: a pipe in a folder was waited for without end.
#[cfg(unix)]
#[test]
fn no_pipe_in_a_folder_is_waited_for() {
    for name in ["train-images-idx3-ubyte", "train.csv", "x.npy"] {
        let folder = folder(&[("notes", Vec::new())]);
        idx_tests::named_pipe(&folder.path().join(name));
        let error = open_set(folder.path()).unwrap_err();
        assert_eq!(error.kind().code(), "not_a_regular_file", "{error}");
    }
}

#[test]
fn labels_in_the_names_of_pictures_and_what_is_left_out() {
    let folder = two_classes();
    let at = |name: &str| folder.path().join(name);
    open(at("own-images-idx3-ubyte")).unwrap().without_labels().write(at("p/")).unwrap();
    let mut paths: Vec<_> =
        fs::read_dir(at("p")).unwrap().map(|found| found.unwrap().path()).collect();
    paths.sort();
    for (path, name) in paths.iter().zip(["dog_0", "cat_1", "dog_2", "cat_3"]) {
        fs::rename(path, at("p").join(format!("{name}.png"))).unwrap();
    }
    fs::write(at("p/README.md"), "# pets").unwrap();
    let said = |set: &Set| set.reading().inputs()[0].to_string();
    let plain = open_set(at("p")).unwrap();
    assert_eq!(
        said(&plain),
        "no label; the names of the files begin with cat, dog, which would be their labels by the pattern `{}_*`; \
         README.md left out"
    );
    assert_eq!(text(plain).unwrap(), " - - - -");
    let options = OpenOptions::new().labels_in_names("{}_*".to_string());
    let set = options.open_set(at("p")).unwrap();
    assert_eq!(said(&set), "labels are in the names of the files: cat, dog; README.md left out");
    assert_eq!(text(set).unwrap(), " 0 0 1 1");
    let other = OpenOptions::new().labels_in_names("{}-*".to_string());
    let error = other.open_set(at("p")).unwrap_err();
    assert!(error.to_string().contains("does not match the pattern"), "{error}");
    // Parts in which a class has other names.
    for (part, old, name) in [
        ("train", "dog_0", "dog"),
        ("train", "cat_1", "Cat"),
        ("test", "dog_2", "dog"),
        ("test", "cat_3", "cat"),
    ] {
        fs::create_dir_all(at("parts").join(part)).unwrap();
        let picture = at("parts").join(part).join(format!("{name}_0.png"));
        fs::copy(at("p").join(format!("{old}.png")), picture).unwrap();
    }
    let error = options.open_set(at("parts")).unwrap_err();
    assert!(error.to_string().contains("the classes Cat and cat may be one class"), "{error}");
    let listed = ClassNames::new(["Cat", "cat", "dog"]).unwrap();
    let set = options.clone().classes(listed).open_set(at("parts")).unwrap();
    assert_eq!(text(set).unwrap(), "train 0 2, test 1 2");
    // A picture in a format that is not read is an error, not clutter.
    fs::write(at("p/x.heic"), "").unwrap();
    let error = open_set(at("p")).unwrap_err();
    assert!(error.to_string().contains("the format of x.heic is not read"), "{error}");
    let skip = OpenOptions::new().skip(vec!["*.heic".into(), "dog_*".into()]);
    assert_eq!(text(skip.open_set(at("p")).unwrap()).unwrap(), " - -");
}

/// Failed before: the words of both columns were numbered as one list.
#[test]
fn labels_in_columns_of_other_names_are_asked_about() {
    let table = |label: &str, [one, other]: [&str; 2]| {
        format!("a,b,{label}\n5,6,{one}\n2,9,{other}\n4,1,{one}\n").into_bytes()
    };
    let animals = ["cat", "dog"];
    for (train, test, is_asked) in [
        (("species", animals), ("sex", ["f", "m"]), true),
        (("smoker", ["no", "yes"]), ("ill", ["no", "yes"]), true),
        (("species", animals), ("label", animals), true),
        (("label", animals), ("species", animals), true),
        (("species", animals), ("Species", ["cat", "eel"]), false),
        (("label", animals), ("target", animals), false),
    ] {
        let files = [("train.csv", table(train.0, train.1)), ("test.csv", table(test.0, test.1))];
        let folder = folder(&files);
        let inputs = ["train.csv", "test.csv"].map(|name| folder.path().join(name));
        for set in [open_set(folder.path()), OpenOptions::new().open_sets(&inputs)] {
            let asked = format!(
                "test.csv: the labels are in `{}`, and those of train.csv in `{}`, which may be different ones; name both \
                 columns `label` if they are the same",
                test.0, train.0
            );
            match set {
                Err(error) if is_asked => {
                    let error = error.to_string();
                    assert!(error.contains(&asked), "{error}\n{asked}");
                }
                set => assert!(!is_asked && set.is_ok(), "{asked}"),
            }
        }
    }
}
