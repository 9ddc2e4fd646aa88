//! Sources that are written: files of records, of their labels, and of the names of classes.

use std::fs;

use idx_data::{
    ClassNames, CreateOptions, ErrorKind, Format, OpenOptions, Outputs, PictureOptions, Source,
    open, open_pair,
};
use idx_tests::{file, names};
use tempfile::TempDir;

/// Three records with labels, and the names of their classes.
fn named(folder: &TempDir) -> Source {
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.idx"), file(8, &[3, 1, 2], &[10, 11, 20, 21, 30, 31])).unwrap();
    fs::write(path("l.idx"), file(8, &[3], &[1, 0, 1])).unwrap();
    fs::write(path("list"), "ant\nbee\n").unwrap();
    let source = open_pair(path("a.idx"), path("l.idx")).unwrap();
    source.with_classes(ClassNames::open(path("list")).unwrap())
}

/// Failed before: nobody knew which number was which class.
#[test]
fn names_of_classes_are_written_beside_labels() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for (records, labels, written) in [
        ("b.idx", Some("b-labels.npy"), ["b-labels.npy", "b.idx", "classes.txt"].as_slice()),
        ("b.csv", None, &["b.csv", "classes.txt"]),
        ("b.parquet", None, &["b.parquet", "classes.txt"]),
    ] {
        fs::create_dir(&out).unwrap();
        let source = named(&folder);
        let skipped = match labels {
            Some(labels) => source.write_pair(out.join(records), out.join(labels)),
            None => source.write(out.join(records)),
        };
        let skipped = match skipped {
            Err(error) if error.kind().code() == "disabled" => {
                fs::remove_dir_all(&out).unwrap();
                continue; // its feature is off
            }
            skipped => skipped.unwrap(),
        };
        assert_eq!(skipped, []);
        assert_eq!(names(&out), written);
        assert_eq!(fs::read(out.join("classes.txt")).unwrap(), b"ant\nbee\n");
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn outputs_share_a_list_of_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let list = path("classes.txt");
    let options = || CreateOptions::new().classes(named(&folder).facts().classes.clone());
    let mut outputs = Outputs::default();
    for name in ["b.csv", "c.csv"] {
        let added = outputs.add(named(&folder), path(name), Format::Csv, None, None, &options());
        assert_eq!(added.unwrap(), Some(list.clone()));
    }
    let other = options().classes(ClassNames::open(path("list")).unwrap());
    for (name, options) in [("b.csv", options()), ("./b.csv", other), ("classes.txt", options())] {
        let added = outputs.add(named(&folder), path(name), Format::Csv, None, None, &options);
        assert_eq!(added.unwrap_err().kind().code(), "same_output", "{name}");
    }
    outputs.write(|_, _| |_| {}).unwrap();
    assert_eq!(fs::read(list).unwrap(), b"ant\nbee\n");
}

/// Failed before: the labels came back as numbers of the records.
#[test]
fn labels_in_csv_have_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.csv");
    named(&folder).write(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"label,0,1\n1,10,11\n0,20,21\n1,30,31\n");
    let again = OpenOptions::new().header(true).open(&path).unwrap();
    let set = again.collect::<[u8; 2], u8>().unwrap();
    assert_eq!(set.iter().collect::<Vec<_>>(), [([10, 11], 1), ([20, 21], 0), ([30, 31], 1)]);
    let unnamed = open(&path).unwrap().write(folder.path().join("c.npy"));
    assert!(unnamed.unwrap_err().to_string().contains("the first line names the columns"));
    // A file of labels alone is read without a word about its first line.
    let pair = ["d.idx", "d-labels.csv"].map(|name| folder.path().join(name));
    named(&folder).write_pair(&pair[0], &pair[1]).unwrap();
    let set = open_pair(&pair[0], &pair[1]).unwrap().collect::<[[u8; 2]; 1], u8>().unwrap();
    assert_eq!(set.get(0), Some(([[10, 11]], 1)));
}

/// Failed before: nobody could ask for them.
#[test]
fn files_that_are_left_out_are_returned() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    named(&folder).write(path("set/")).unwrap();
    fs::write(path("set/00001.png"), "damaged").unwrap();
    let options = OpenOptions::new().pictures(PictureOptions::new().skip_damaged(true));
    let skipped = options.open(path("set")).unwrap().write_pair(path("b.idx"), path("b-l.idx"));
    let skipped: Vec<_> = skipped.unwrap().into_iter().map(|skipped| skipped.path).collect();
    assert_eq!(skipped, [path("set/00001.png")]);
    let mut source = options.open(path("set")).unwrap();
    let batch = source.next_batch::<[[u8; 2]; 1], u8>(usize::MAX).unwrap().unwrap();
    assert_eq!(batch.len(), 2);
    assert_eq!(source.skipped().len(), 1);
}

#[test]
fn what_would_lose_labels_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let refused = |written: Result<_, idx_data::Error>| {
        let error = written.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid(_)), "{error}");
    };
    refused(named(&folder).write(path("b.npy")));
    refused(open(path("a.idx")).unwrap().write_pair(path("b.npy"), path("c.npy")));
    assert!(!path("b.npy").exists() && !path("c.npy").exists());
}
