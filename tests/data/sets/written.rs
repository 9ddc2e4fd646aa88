//! Sets written to each format, and from there to each other one.

use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

use idx_data::{
    ClassNames, CreateOptions, ElementType, Format, Outputs, Record, Set, open, open_set,
};
use idx_tests::{file, names};

use crate::common::added;

/// A set under MNIST's names, with names of its classes.
fn made(folder: &Path) -> Set {
    fs::create_dir_all(folder).unwrap();
    for (part, labels) in [("train", &[1, 0, 1, 0, 1][..]), ("t10k", &[0, 1])] {
        let count = u32::try_from(labels.len()).unwrap();
        let pixels: Vec<u8> = (0..).take(4 * labels.len()).collect();
        let path = |end: &str| folder.join(format!("{part}-{end}"));
        fs::write(path("images-idx3-ubyte"), file(8, &[count, 2, 2], &pixels)).unwrap();
        fs::write(path("labels-idx1-ubyte"), file(8, &[count], labels)).unwrap();
    }
    fs::write(folder.join("classes.txt"), "ant\nbee\n").unwrap();
    open_set(folder).unwrap()
}

/// The name of a part, the sizes and the names of its classes, and its records with their labels.
type Part = (String, Vec<u32>, Option<ClassNames>, Vec<(i128, Vec<u8>)>);

fn content(set: Set) -> Vec<Part> {
    let read = |(name, mut source): (String, idx_data::Source)| {
        let (mut record, mut pairs) = (Record::default(), Vec::new());
        while source.read(&mut record).unwrap() {
            pairs.push((record.label.unwrap(), record.bytes.clone()));
        }
        let facts = source.facts();
        (name, facts.layout.record_shape().to_vec(), facts.classes.clone(), pairs)
    };
    set.into_parts().into_iter().map(read).collect()
}

#[test]
fn a_set_goes_through_each_pair_of_formats() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let formats = [
        ("idx/", Format::Idx),
        ("gz/", Format::IdxGz),
        ("npy/", Format::Npy),
        ("csv/", Format::Csv),
        ("set.npz", Format::Npz),
        ("parquet/", Format::Parquet),
        ("pictures/", Format::Png),
    ];
    let options = |format: Format| CreateOptions::new().format(format).create_new(true);
    for (first, one) in formats {
        match made(&path("in")).write_with(path(first), &options(one)) {
            Err(error) if error.kind().code() == "disabled" => continue,
            written => assert_eq!(written.unwrap().len(), 2, "{first}"),
        }
        for (second, two) in formats {
            let to = path(&format!("second-{second}"));
            match open_set(path(first)).unwrap().write_with(&to, &options(two)) {
                Err(error) if error.kind().code() == "disabled" => continue,
                written => assert_eq!(written.unwrap().len(), 2, "{first} {second}"),
            }
            let mut expected = content(made(&path("in")));
            for (.., classes, pairs) in &mut expected {
                // Folders of classes are in the order of the classes, and an archive has no place for their names.
                if [one, two].contains(&Format::Png) {
                    pairs.sort_by_key(|(label, _)| *label);
                }
                classes.take_if(|_| [one, two].contains(&Format::Npz));
            }
            assert_eq!(content(open_set(&to).unwrap()), expected, "{first} {second}");
            match to.is_dir() {
                true => fs::remove_dir_all(&to).unwrap(),
                false => fs::remove_file(&to).unwrap(),
            }
        }
    }
}

/// Failed before: `records-labels.npy` was not taken for the labels of `records.npy`.
#[test]
fn a_set_of_one_part_without_a_name_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let one = || Set::from(made(&path("in")).part("train").unwrap());
    for format in [Format::Idx, Format::IdxGz, Format::Npy, Format::Csv, Format::Parquet] {
        let out = path(&format!("{format}/"));
        match one().write_with(&out, &CreateOptions::new().format(format)) {
            Err(error) if error.kind().code() == "disabled" => continue,
            written => assert_eq!(written.unwrap().len(), 1, "{format}"),
        }
        assert_eq!(content(open_set(&out).unwrap()), content(one()), "{format}");
    }
}

#[test]
fn the_only_part_of_a_set_has_no_folder_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let only = || Set::from_parts([("test", made(&path("in")).part("test").unwrap())]).unwrap();
    let shards = CreateOptions::new().format(Format::Parquet).shards(NonZeroU64::MIN);
    for (options, one, both) in [
        (
            CreateOptions::new().format(Format::Png),
            ["ant", "bee", "classes.txt"].as_slice(),
            ["test", "train"].as_slice(),
        ),
        (shards, &["part-00000-of-00001.parquet"], &["test", "train"]),
    ] {
        let (test, set) = (path("test"), path("set"));
        match only().write_with(&test, &options) {
            Err(error) if error.kind().code() == "disabled" => continue,
            written => assert_eq!(written.unwrap().len(), 1),
        }
        made(&path("in")).write_with(&set, &options).unwrap();
        assert_eq!((names(&test), names(&set)), (strings(one), strings(both)));
        fs::remove_dir_all(test).unwrap();
        fs::remove_dir_all(set).unwrap();
    }
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

#[test]
fn the_files_of_a_set_have_the_names_of_its_parts() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mnist = [
        "classes.txt",
        "t10k-images-idx3-ubyte",
        "t10k-labels-idx1-ubyte",
        "train-images-idx3-ubyte",
        "train-labels-idx1-ubyte",
    ];
    for (format, expected) in [
        (Format::Idx, &mnist[..]),
        (Format::Csv, &["classes.txt", "test.csv", "train.csv"]),
        (Format::Parquet, &["test.parquet", "train.parquet"]),
        (Format::Png, &["test", "train"]),
    ] {
        let out = path(&format!("{format}/"));
        match made(&path("in")).write_with(&out, &CreateOptions::new().format(format)) {
            Err(error) if error.kind().code() == "disabled" => continue,
            written => {
                let written = written.unwrap();
                assert_eq!(names(&out), expected);
                assert!(written.iter().all(|written| written.path.exists()), "{written:?}");
            }
        }
    }
    for name in &mnist {
        assert_eq!(
            fs::read(path("idx").join(name)).unwrap(),
            fs::read(path("in").join(name)).unwrap()
        );
    }
    let error = made(&path("in")).write(path("x.csv")).unwrap_err();
    assert!(
        error.to_string().contains("holds one part, and this set has train and test"),
        "{error}"
    );
    assert!(!path("x.csv").exists());
}

/// Only files of the set are replaced in a folder, all together.
#[test]
fn a_folder_with_the_files_of_the_set_alone_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let options = || CreateOptions::new().format(Format::Idx);
    made(&path("in")).write_with(path("out"), &options()).unwrap();
    let before = names(&path("out"));
    let fewer = made(&path("in")).map(|source| source.select(..1)).unwrap();
    fewer.write_with(path("out"), &options()).unwrap();
    assert_eq!(names(&path("out")), before);
    let found = content(open_set(path("out")).unwrap());
    assert!(found.iter().all(|(.., pairs)| pairs.len() == 1), "{found:?}");
    // Refused: `create_new`, and a folder with files that are not of the set.
    let error = made(&path("in")).write_with(path("out"), &options().create_new(true)).unwrap_err();
    assert_eq!(error.kind().code(), "folder_in_use", "{error}");
    let pictures = CreateOptions::new().format(Format::Png);
    let error = made(&path("in")).write_with(path("out"), &pictures).unwrap_err();
    assert_eq!(error.kind().code(), "folder_in_use", "{error}");
    fs::write(path("out/notes"), "mine").unwrap();
    let error = made(&path("in")).write_with(path("out"), &options()).unwrap_err();
    assert_eq!(error.path(), Some(&*path("out/notes")));
    assert_eq!(content(open_set(path("out")).unwrap()), found);
    // A failure in a part leaves all as it was, and no new folder.
    fs::remove_file(path("out/notes")).unwrap();
    let labels = path("in/t10k-labels-idx1-ubyte");
    let set = made(&path("in"));
    fs::write(&labels, file(8, &[2], &[0, 1])).unwrap();
    let broken = set.map(|source| Ok(added(source, 255))).unwrap();
    let narrow = options().label_type(ElementType::U8);
    let error = broken.write_with(path("out"), &narrow).unwrap_err();
    assert_eq!(error.kind().code(), "out_of_range", "{error}");
    assert_eq!(content(open_set(path("out")).unwrap()), found);
    assert_eq!(names(folder.path()), ["in", "out"]);
}

#[test]
fn two_sets_are_not_at_one_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut outputs = Outputs::new(&CreateOptions::new().format(Format::Idx));
    outputs.add_set(made(&path("in")), path("out")).unwrap();
    let error = outputs.add_set(made(&path("in")), path("out")).map(drop).unwrap_err();
    assert_eq!(error.kind().code(), "same_output");
    let error =
        outputs.add(open(path("in/t10k-images-idx3-ubyte")).unwrap(), path("out/a.idx")).map(drop);
    assert_eq!(error.unwrap_err().kind().code(), "same_output");
    outputs.add(open(path("in/t10k-images-idx3-ubyte")).unwrap(), path("new/a.idx")).unwrap();
    let error = outputs.add_set(made(&path("in")), path("new")).map(drop).unwrap_err();
    assert_eq!(error.kind().code(), "same_output");
    assert_eq!(outputs.write().unwrap().len(), 3);
    assert_eq!(names(folder.path()), ["in", "new", "out"]);
    let mut archives = Outputs::new(&CreateOptions::new());
    archives.add_set(made(&path("in")), path("x.npz")).unwrap();
    let error = archives.add_set(made(&path("in")), path("x.npz")).map(drop).unwrap_err();
    assert_eq!(error.kind().code(), "same_output");
}

/// A set that was refused is not written with other outputs, and leaves no folder.
#[test]
fn a_set_that_is_refused_is_not_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("full")).unwrap();
    fs::write(path("full/other"), "mine").unwrap();
    let options = CreateOptions::new().format(Format::Idx);
    for (options, name, code) in [
        (options.clone(), "full", "mismatch"),
        (options.label_type(ElementType::F32), "new", "unsupported"),
    ] {
        let mut outputs = Outputs::new(&options);
        let error = outputs.add_set(made(&path("set")), path(name)).unwrap_err();
        assert_eq!(error.kind().code(), code, "{error}");
        assert_eq!(outputs.write().unwrap_err().kind().code(), "mismatch");
    }
    assert_eq!(
        (names(folder.path()), names(&path("full"))),
        (["full", "set"].map(String::from).to_vec(), vec!["other".to_string()],)
    );
}
