//! A new file next to older ones: each of them is read as before.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use idx_data::{
    ClassNames, CreateOptions, Error, Format, Outputs, Record, Sink, Source, Written, open,
    open_pair,
};
use idx_tests::{file, names, npy};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;

use crate::common::folder;

/// Three records with labels.
fn labeled(folder: &TempDir, labels: [u8; 3]) -> Source {
    let path = |name: &str| folder.path().join("in").join(name);
    fs::create_dir_all(path("")).unwrap();
    fs::write(path("a.idx"), file(8, &[3, 1, 2], &[10, 11, 20, 21, 30, 31])).unwrap();
    fs::write(path("l.idx"), file(8, &[3], &labels)).unwrap();
    open_pair(path("a.idx"), path("l.idx")).unwrap()
}

fn named(folder: &TempDir, names: [&str; 3]) -> Source {
    labeled(folder, [2, 0, 1]).with_classes(ClassNames::new(names).unwrap())
}

/// Expects an error about a file that would be read with older records, which names both.
#[track_caller]
fn expect_refused(result: Result<Written, Error>, file: &str, records: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.kind().code(), "mismatch", "{error}");
    let text = error.to_string();
    assert!(error.path().is_some_and(|path| path.ends_with(file)), "{text}");
    let named = text.replace('\\', "/");
    assert!(named.contains(&format!("{records} would be read with this new file")), "{text}");
}

#[test]
fn a_list_of_labels_does_not_appear_above_older_pictures() {
    for (picture, list) in [
        ("p/0.png", "p/labels.csv"),
        ("p/cat/0.png", "p/labels.csv"),
        ("p/0.png", "p/metadata.csv"),
    ] {
        let folder = folder(&[]);
        let path = folder.path().join(picture);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "known by its name").unwrap();
        let path = folder.path().join(list);
        for create_new in [true, false] {
            let options = CreateOptions::new().create_new(create_new);
            let written = labeled(&folder, [5, 6, 7]).write_with(&path, &options);
            expect_refused(written, list, picture);
            assert!(!path.exists());
        }
        let elsewhere = folder.path().join("labels.csv");
        fs::remove_dir_all(folder.path().join("p")).unwrap();
        labeled(&folder, [5, 6, 7]).write(&elsewhere).unwrap();
    }
}

#[test]
fn labels_do_not_appear_beside_older_records() {
    let images = file(8, &[3, 1, 2], &[7; 6]);
    let array = npy("|u1", false, &[3, 1, 2], &[7; 6]);
    for (older, content, new, labels) in [
        ("a-images.idx", &images, "a.idx", "a-labels.idx"),
        ("a-images.idx.gz", &idx_tests::gzip(&images), "a.idx", "a-labels.idx"),
        ("a-images.npy", &array, "a.npy", "a-labels.npy"),
        ("a.npy", &array, "a-images.npy", "a-labels.npy"),
        ("a-images-idx2-ubyte", &images, "a-images-idx3-ubyte", "a-labels-idx1-ubyte"),
        // A copy of the same records has no labels either.
        (
            "a.idx.gz",
            &idx_tests::gzip(&file(8, &[3, 1, 2], &[10, 11, 20, 21, 30, 31])),
            "a.idx",
            "a-labels.idx",
        ),
        ("a-idx3-float", &images, "a-images-idx3-ubyte.gz", "a-labels-idx1-ubyte.gz"),
    ] {
        let folder = folder(&[(older, content)]);
        let path = |name: &str| folder.path().join(name);
        for create_new in [true, false] {
            let options = CreateOptions::new().create_new(create_new);
            let written = labeled(&folder, [0, 1, 2]).write_with(path(new), &options);
            expect_refused(written, labels, older);
            let facts = labeled(&folder, [0, 1, 2]).facts().clone();
            expect_refused(
                Sink::create(path(new), &facts, &options).and_then(Sink::finish),
                labels,
                older,
            );
        }
        assert_eq!(names(folder.path()), [older, "in"]);
        // Without labels there is nothing to read.
        labeled(&folder, [0, 1, 2]).without_labels().write(path(new)).unwrap();
        assert!(!open(path(older)).unwrap().facts().has_labels);
    }
}

#[test]
fn records_do_not_become_the_labels_of_older_ones() {
    let folder = folder(&[("a.idx", &file(8, &[3, 1, 2], &[7; 6]))]);
    let path = |name: &str| folder.path().join(name);
    let labels = || labeled(&folder, [0, 1, 2]).into_labels_file();
    expect_refused(labels().write(path("a-labels.idx")), "a-labels.idx", "a.idx");
    // They do not become the labels of another output either.
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add(labeled(&folder, [0, 1, 2]).without_labels(), path("b.idx")).unwrap();
    outputs.add(labels(), path("b-labels.idx")).unwrap();
    let error = outputs.write().unwrap_err().to_string();
    assert!(error.contains("b.idx would be read with this new file"), "{error}");
    // Until they are dropped, outputs have files with hidden names on some systems.
    drop(outputs);
    assert_eq!(names(folder.path()), ["a.idx", "in"]);
}

/// Failed before: names were compared letter by letter, also where the system does not.
#[test]
fn names_that_differ_only_by_case_are_one_file() {
    let images = file(8, &[3, 1, 2], &[7; 6]);
    let folder = folder(&[("a.idx", &images), ("b.csv", b"label,x\n0,1\n1,2\n2,3\n")]);
    let path = |name: &str| folder.path().join(name);
    let labels = || labeled(&folder, [0, 1, 2]).into_labels_file();
    let classes = named(&folder, ["ant", "bee", "cow"]);
    if !path("A.IDX").exists() {
        // Here the names have nothing to do with each other.
        labels().write(path("A-labels.idx")).unwrap();
        classes.write(path("B.npy")).unwrap();
        idx_tests::skip("names_that_differ_only_by_case_are_one_file: they are two here");
        return;
    }
    expect_refused(labels().write(path("A-labels.idx")), "A-labels.idx", "a.idx");
    expect_refused(classes.write(path("B.npy")), "B-classes.txt", "b.csv");
    // Records that are replaced do not count as older ones.
    labeled(&folder, [0, 1, 2]).write(path("A.idx")).unwrap();
    labeled(&folder, [2, 1, 0]).write(path("a.idx")).unwrap();
    assert_eq!(fs::read(path("a-labels.idx")).unwrap(), file(8, &[3], &[2, 1, 0]));
}

#[test]
fn records_do_not_become_the_names_of_classes() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    let csv = || CreateOptions::new().format(Some(Format::Csv));
    labeled(&folder, [0, 1, 2]).write(path("a.idx")).unwrap();
    named(&folder, ["ant", "bee", "cow"]).write(path("b.npy")).unwrap();
    fs::create_dir_all(path("p/cat")).unwrap();
    fs::write(path("p/cat/0.png"), "known by its name").unwrap();
    for (list, records) in
        [("a-classes.txt", "a.idx"), ("b-classes.txt", "b.npy"), ("p/classes.txt", "0.png")]
    {
        let before = fs::read(path(list)).ok();
        let written = labeled(&folder, [0, 1, 2]).write_with(path(list), &csv());
        expect_refused(written, list, records);
        assert_eq!(fs::read(path(list)).ok(), before);
    }
    labeled(&folder, [0, 1, 2]).write_with(path("c-classes.txt"), &csv()).unwrap();
}

/// Records in a file that is named like labels.
trait IntoLabelsFile {
    fn into_labels_file(self) -> Self;
}

impl IntoLabelsFile for Source {
    fn into_labels_file(self) -> Self {
        let path = self.path().with_file_name("l.idx");
        open(path).unwrap()
    }
}

#[test]
fn labels_that_are_there_may_be_unpacked() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    labeled(&folder, [0, 1, 2]).write(path("a-images-idx3-ubyte.gz")).unwrap();
    open(path("a-images-idx3-ubyte.gz")).unwrap().write(path("a-images.idx3-ubyte")).unwrap();
    assert_eq!(names(folder.path()).len(), 5);
    open(path("a-labels.idx1-ubyte")).unwrap().write(path("a-labels-idx1-ubyte")).unwrap();
    assert_eq!(names(folder.path()).len(), 6);
    // Replaced with its own labels.
    labeled(&folder, [2, 1, 0]).write(path("b.npy")).unwrap();
    labeled(&folder, [0, 1, 2]).write(path("b.npy")).unwrap();
}

/// Failed before: the labels of new records replaced a file that nobody had named.
#[test]
fn what_is_no_labels_is_not_replaced_by_some() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a-labels.idx"), "notes").unwrap();
    labeled(&folder, [0, 1, 2]).without_labels().write(path("labels-idx1-ubyte")).unwrap();
    for (new, file) in [("a.idx", "a-labels.idx"), ("images-idx3-ubyte", "labels-idx1-ubyte")] {
        let before = fs::read(path(file)).unwrap();
        let error = labeled(&folder, [0, 1, 2]).write(path(new)).unwrap_err();
        assert!(error.to_string().contains("this file has other content"), "{error}");
        assert_eq!(error.path(), Some(&*path(file)));
        assert_eq!(fs::read(path(file)).unwrap(), before);
    }
    // Labels without their records, which a killed writer may leave, are replaced.
    fs::write(path("b-labels-idx1-ubyte"), file(8, &[3], &[2, 1, 0])).unwrap();
    labeled(&folder, [0, 1, 2]).write(path("b-images-idx3-ubyte")).unwrap();
}

#[test]
fn names_of_classes_do_not_appear_beside_older_labels() {
    for (older, new) in [("own.csv", "own.npy"), ("own.npy", "own.csv"), ("own", "own.idx")] {
        let folder = folder(&[]);
        let path = |name: &str| folder.path().join(name);
        match older {
            // A file of any name, with its labels in it.
            "own" => fs::write(path(older), "label,a\n0,1\n1,3\n").unwrap(),
            _ => drop(labeled(&folder, [0, 1, 2]).write(path(older)).unwrap()),
        }
        let source = named(&folder, ["ant", "bee", "cow"]);
        let before = names(folder.path());
        let written = source.write(path(new));
        expect_refused(written, "own-classes.txt", older);
        assert_eq!(names(folder.path()), before);
    }
    // Other names cannot take the place of the old ones.
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    named(&folder, ["ant", "bee", "cow"]).write(path("own.csv")).unwrap();
    let written = named(&folder, ["cow", "bee", "ant"]).write(path("own.idx"));
    expect_refused(written, "own-classes.txt", "own.csv");
    named(&folder, ["ant", "bee", "cow"]).write(path("own.idx")).unwrap();
}

#[test]
fn names_of_classes_may_appear_beside_files_that_do_not_read_them() {
    let words = b"label,a\nant,1\nbee,3\n";
    let folder = folder(&[
        ("own.csv", words.as_slice()),
        ("own-images.npy", &npy("|u1", false, &[3, 1, 2], &[7; 6])),
        ("own", b"anything"),
    ]);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("own.idx")).unwrap();
    // `own.csv` has the same names; the other files have no labels, or are not records.
    open(path("own.csv")).unwrap().write(path("own.idx3-ubyte.idx")).unwrap();
    open(path("own.csv")).unwrap().write(path("own-t10k.npy")).unwrap();
    fs::remove_file(path("own-images.npy")).unwrap();
    open(path("own.csv")).unwrap().write(path("own.npy")).unwrap();
    assert!(path("own-classes.txt").is_file());
}

/// Without an option, the first table has no labels, and those of the second are a question.
#[test]
fn names_of_classes_do_not_appear_beside_tables_whose_labels_an_option_names() {
    let asked = "0,1,2.5\n1,3,2.5\n2,3,2.5\n";
    for (older, table) in
        [("own.csv", "x,y,kind\n1,2,0\n5,3,1\n"), ("own.csv", asked), ("own", asked)]
    {
        let folder = folder(&[(older, table.as_bytes())]);
        let path = |name: &str| folder.path().join(name);
        let written = named(&folder, ["ant", "bee", "cow"]).write(path("own.npy"));
        expect_refused(written, "own-classes.txt", older);
        named(&folder, ["ant", "bee", "cow"]).write(path("b.npy")).unwrap();
    }
}

/// Records that cannot be read may have labels.
#[cfg(target_os = "linux")]
#[test]
fn older_records_that_cannot_be_read_are_an_error() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("/proc/self/mem", path("own.csv")).unwrap();
    let error = named(&folder, ["ant", "bee", "cow"]).write(path("own.npy")).unwrap_err();
    assert_eq!((error.kind().code(), error.path()), ("io", Some(&*path("own.csv"))), "{error}");
    assert!(!path("own.npy").exists());
}

#[test]
fn two_outputs_meet_however_their_folder_is_written() {
    let folder = folder(&[]);
    fs::create_dir(folder.path().join("d")).unwrap();
    let path = |name: &str| folder.path().join(name);
    for (images, labels) in
        [("x.idx", "d/../x-labels.idx"), ("d/../x.idx", "x-labels.idx"), ("x.idx", "d/../x.idx.gz")]
    {
        let mut outputs = Outputs::new(&CreateOptions::new());
        let digits = |name: &str| open(path("in").join(name)).unwrap();
        labeled(&folder, [0, 1, 2]);
        let add = outputs.add(digits("a.idx"), path(images)).unwrap();
        let added = add.add(digits("l.idx"), path(labels)).map(drop);
        let error = added.and_then(|()| outputs.write().map(drop)).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch", "{error}");
        drop(outputs);
        assert_eq!(names(folder.path()), ["d", "in"]);
    }
}

/// The target of a link, and links to the file, have labels and names next to them.
#[cfg(unix)]
#[test]
fn files_that_are_written_through_links_are_not_read_otherwise() {
    use std::os::unix::fs::symlink;

    // The files that are there, with a link from the first name to the second; the output; and the file and the records
    // that the error names.
    for (files, [link, target], new, named_file, records) in [
        (&["d/b.idx", "d/b-labels.idx"][..], ["a.idx", "d/b.idx"], "a.idx", "b-labels.idx", ""),
        (&["b.idx", "c-labels.idx"], ["c.idx", "b.idx"], "b.idx", "c-labels.idx", ""),
        (
            &["c.idx", "c-labels.idx"],
            ["a-labels.idx", "c-labels.idx"],
            "a.idx",
            "a-labels.idx",
            "c.idx",
        ),
        (&["c.idx"], ["a-labels.idx", "c-labels.idx"], "a.idx", "a-labels.idx", "c.idx"),
        (
            &["a-labels.idx", "c.idx"],
            ["c-labels.idx", "a-labels.idx"],
            "a.idx",
            "a-labels.idx",
            "c.idx",
        ),
        (
            &["d/c.csv", "d/c-classes.txt"],
            ["a-classes.txt", "d/c-classes.txt"],
            "a.csv",
            "a-classes.txt",
            "d/c.csv",
        ),
        (&["d/b.csv", "d/b-classes.txt"], ["a.csv", "d/b.csv"], "a.csv", "b-classes.txt", ""),
    ] {
        let folder = folder(&[]);
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("d")).unwrap();
        for name in files {
            let content = match name {
                _ if name.ends_with("labels.idx") => file(8, &[3], &[5, 5, 5]),
                _ if name.ends_with(".idx") => file(8, &[3, 1, 2], &[7; 6]),
                _ if name.ends_with(".csv") => b"label,a\n0,1\n2,3\n".to_vec(),
                _ => b"x\ny\nz\n".to_vec(),
            };
            fs::write(path(name), content).unwrap();
        }
        symlink(target, path(link)).unwrap();
        let before = all(folder.path());
        let error = named(&folder, ["ant", "bee", "cow"]).write(path(new)).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch", "{error}");
        assert!(error.path().is_some_and(|path| path.ends_with(named_file)), "{new}: {error}");
        assert!(error.to_string().contains(records), "{new}: {error}");
        let mut after = all(folder.path());
        after.retain(|path, _| !path.starts_with(folder.path().join("in")));
        assert_eq!(before, after);
    }
}

/// The content of all files below a folder.
#[cfg(unix)]
fn all(folder: &Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(all(&path)),
            false => drop(found.insert(path.clone(), fs::read(&path).unwrap_or_default())),
        }
    }
    found
}

/// All files of a set may be links.
#[cfg(unix)]
#[test]
fn a_set_of_links_is_replaced_as_one() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("d")).unwrap();
    named(&folder, ["ant", "bee", "cow"]).write(path("d/b.idx")).unwrap();
    for (link, target) in [
        ("a.idx", "d/b.idx"),
        ("a-labels.idx", "d/b-labels.idx"),
        ("a-classes.txt", "d/b-classes.txt"),
    ] {
        symlink(target, path(link)).unwrap();
    }
    let new =
        || labeled(&folder, [1, 0, 2]).with_classes(ClassNames::new(["x", "y", "z"]).unwrap());
    new().write(path("a.idx")).unwrap();
    assert!(path("a.idx").is_symlink());
    let expected = new().facts().classes.clone();
    for name in ["a.idx", "d/b.idx"] {
        let (pairs, classes) = content(&path(name)).unwrap();
        assert_eq!(pairs.iter().map(|(_, label)| label.unwrap()).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!(classes, expected);
    }
}

/// The records of a file with their labels, and the names of its classes; `None` if it cannot be read.
type Content = Option<(Vec<(Vec<u8>, Option<i128>)>, Option<ClassNames>)>;

fn content(path: &Path) -> Content {
    let mut source = open(path).ok()?;
    let (mut record, mut pairs) = (Record::default(), Vec::new());
    while source.read(&mut record).ok()? {
        pairs.push((record.bytes.clone(), record.label));
    }
    Some((pairs, source.facts().classes.clone()))
}

/// A job of one or two outputs.
#[derive(Clone, Debug)]
struct Job {
    output: &'static str,
    rest: Option<&'static str>,
    has_labels: bool,
    labels: [u8; 3],
    names: Option<[&'static str; 3]>,
    count: u64,
    create_new: bool,
}

const OUTPUTS: [&str; 22] = [
    "a.idx",
    "a.idx.gz",
    "a.gz",
    "a.npy",
    "a.csv",
    "a-images.csv",
    "a-images-idx3-ubyte",
    "a-images-idx3-ubyte.gz",
    "a-images.idx3-ubyte",
    "a_images-idx3-ubyte",
    "a-images-idx2-ubyte",
    "a-images.idx",
    "a-images.npy",
    "a-labels.idx",
    "a-labels-idx1-ubyte",
    "a-train.csv",
    "a-train-images-idx3-ubyte",
    "train-images-idx3-ubyte",
    "train.csv",
    "images-idx3-ubyte",
    "labels-idx1-ubyte",
    "classes.csv",
];

fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let names = select(&[None, Some(["ant", "bee", "cow"]), Some(["cow", "bee", "ant"])][..]);
    let labels = select(&[[0, 1, 2], [2, 1, 0]][..]);
    let rest = proptest::option::weighted(0.2, select(&OUTPUTS[..]));
    let others = (any::<bool>(), 1..=3_u64, any::<bool>());
    let job = (select(&OUTPUTS[..]), rest, labels, names, others);
    let job = job.prop_map(|(output, rest, labels, names, (has_labels, count, create_new))| Job {
        output,
        rest,
        has_labels,
        labels,
        names,
        count,
        create_new,
    });
    vec(job, 2..10)
}

impl Job {
    fn source(&self, folder: &TempDir) -> Source {
        let source = match (self.has_labels, self.names) {
            (false, _) => labeled(folder, self.labels).without_labels(),
            (true, None) => labeled(folder, self.labels),
            (true, Some(names)) => {
                labeled(folder, self.labels).with_classes(ClassNames::new(names).unwrap())
            }
        };
        source.select(..self.count).unwrap()
    }

    fn run(&self, folder: &TempDir, target: &Path) -> Result<Vec<Written>, Error> {
        let mut outputs = Outputs::new(&CreateOptions::new().create_new(self.create_new));
        for output in [Some(self.output), self.rest].into_iter().flatten() {
            outputs.add(self.source(folder), target.join(output))?;
        }
        outputs.write()
    }
}

proptest! {
    // Each case waits for the disk many times.
    #![proptest_config(ProptestConfig { cases: crate::cases::config().cases.div_ceil(8), ..crate::cases::config() })]
    #[test]
    fn whatever_is_written_no_older_file_is_read_otherwise(jobs in jobs()) {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        fs::create_dir(&target).unwrap();
        let mut known: BTreeMap<&str, Content> = BTreeMap::new();
        for job in jobs {
            let before = names(&target);
            if let Err(error) = job.run(&folder, &target) {
                prop_assert_eq!(names(&target), before, "{}", error);
                continue;
            }
            for output in [Some(job.output), job.rest].into_iter().flatten() {
                let (mut source, mut pairs) = (job.source(&folder), Vec::new());
                let mut record = Record::default();
                while source.read(&mut record).unwrap() {
                    pairs.push((record.bytes.clone(), record.label));
                }
                let expected = (pairs, source.facts().classes.clone());
                known.insert(output, Some(expected));
            }
            for (name, expected) in &known {
                prop_assert_eq!(&content(&target.join(name)), expected, "{} after {:?}", name, &job);
            }
        }
    }
}
