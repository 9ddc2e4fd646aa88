//! Sources written to files of records, of labels, and of class names.

use std::fs;
use std::path::Path;

use idx_data::{
    ClassNames, CreateOptions, Error, Facts, Format, Hint, OpenOptions, Outputs, PictureOptions,
    Record, RecordLayout, Sink, Source, open, open_pair, open_set,
};
use idx_std::ElementType;
use idx_tests::{file, gzip, names, npy};
use tempfile::TempDir;

use crate::common::{added, folder};

/// Three records with labels, and their class names.
fn named(folder: &TempDir) -> Source {
    without_names(folder).with_classes(ClassNames::new(["ant", "bee"]).unwrap())
}

fn without_names(folder: &TempDir) -> Source {
    let path = |name: &str| folder.path().join("in").join(name);
    fs::create_dir_all(path("")).unwrap();
    fs::write(path("a.idx"), file(8, &[3, 1, 2], &[10, 11, 20, 21, 30, 31])).unwrap();
    fs::write(path("l.idx"), file(8, &[3], &[1, 0, 1])).unwrap();
    open_pair(path("a.idx"), path("l.idx")).unwrap()
}

fn is_off(error: &Error) -> bool {
    error.kind().code() == "disabled"
}

/// Covers each format, with all files that it writes.
#[test]
fn labels_and_names_of_classes_go_along() {
    let folder = tempfile::tempdir().unwrap();
    for (records, written) in [
        ("b.idx", ["b-classes.txt", "b-labels.idx", "b.idx"].as_slice()),
        ("b.npy", &["b-classes.txt", "b-labels.npy", "b.npy"]),
        (
            "b-images-idx3-ubyte.gz",
            &["b-classes.txt", "b-images-idx3-ubyte.gz", "b-labels-idx1-ubyte.gz"],
        ),
        ("b.csv", &["b-classes.txt", "b.csv"]),
        ("b.npz", &["b.npz"]),
        ("b.parquet", &["b.parquet"]),
        ("b/", &["b"]),
    ] {
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        match named(&folder).write(out.join(records)) {
            Err(error) if is_off(&error) => {}
            result => {
                let result = result.unwrap();
                assert_eq!(names(&out), written);
                assert_eq!((result.records, &result.layout.dims[..]), (3, &[3, 1, 2][..]));
                assert_eq!(result.skipped, []);
                assert_eq!(result.path, out.join(records));
                let beside = result.labels.iter().chain(&result.classes).chain([&result.path]);
                assert_eq!(beside.count(), written.len());
                if let Some(list) = &result.classes {
                    assert_eq!(fs::read(list).unwrap(), b"ant\nbee\n");
                }
            }
        }
        fs::remove_dir_all(&out).unwrap();
    }
}

/// Labels and names that a format or a stream cannot hold are reported.
#[test]
fn dropped_labels_and_names_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (format, in_file, in_stream) in [
        (Format::Idx, [false, false], [true, true]),
        (Format::Npy, [false, false], [true, true]),
        (Format::Csv, [false, false], [false, true]),
        (Format::Npz, [false, true], [false, true]),
        (Format::Parquet, [false, false], [false, false]),
        (Format::Png, [false, false], [false, false]),
    ] {
        let options = CreateOptions::new().format(format);
        let mut outputs = Outputs::new(&options);
        let path = folder.path().join(format!("b.{format}"));
        match outputs.add(named(&folder), &path).and_then(|outputs| {
            if format != Format::Png {
                outputs.add_stream(named(&folder), "stream", Box::new(std::io::sink()))?;
            }
            outputs.write()
        }) {
            Err(error) if is_off(&error) => {}
            written => {
                for (written, expected) in written.unwrap().iter().zip([in_file, in_stream]) {
                    let found = [written.dropped_labels, written.dropped_classes];
                    assert_eq!(found, expected, "{format}: {}", written.path.display());
                }
            }
        }
    }
    // Without labels or names nothing is dropped.
    let mut outputs = Outputs::new(&CreateOptions::new().format(Format::Idx));
    let source = named(&folder).without_labels();
    outputs.add_stream(source, "stream", Box::new(std::io::sink())).unwrap();
    let written = outputs.write().unwrap();
    assert!(!written[0].dropped_labels && !written[0].dropped_classes);
}

#[test]
fn pictures_with_labels_have_a_folder_for_each_class() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let written = match named(&folder).write(path("b/")) {
        Err(error) if is_off(&error) => return,
        written => written.unwrap(),
    };
    assert_eq!((written.labels, written.classes), (None, None));
    assert_eq!(names(&path("b")), ["ant", "bee", "classes.txt"]);
    assert_eq!(names(&path("b/bee")), ["00000.png", "00002.png"]);
    let mut source = open(path("b")).unwrap();
    let set = source.next_batch::<[[u8; 2]; 1], u8>(usize::MAX).unwrap().unwrap();
    let expected = [([[20, 21]], 0), ([[10, 11]], 1), ([[30, 31]], 1)];
    assert_eq!(set.iter().collect::<Vec<_>>(), expected);
    assert_eq!(source.facts().classes, named(&folder).facts().classes);
    // A class without records has no folder. With a list, a single folder is a class.
    open_pair(path("in/a.idx"), path("in/l.idx"))
        .unwrap()
        .select(..1)
        .unwrap()
        .write(path("c/"))
        .unwrap();
    assert_eq!(names(&path("c")), ["1", "classes.txt"]);
    let one = open(path("c")).unwrap().next_batch::<[[u8; 2]; 1], u8>(9).unwrap().unwrap();
    assert!(one.labels().eq([1]));
    open(path("in/a.idx")).unwrap().write(path("d/")).unwrap();
    assert_eq!(names(&path("d")), ["00000.png", "00001.png", "00002.png"]);
}

#[test]
#[ignore = "makes 10,000 folders; `.ci/full` runs it"]
fn more_classes_than_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let count = 10_001_u32;
    fs::write(path("a.idx"), file(8, &[count, 1, 1], &vec![7; count as usize])).unwrap();
    let labels: Vec<u8> = (0..count).flat_map(u32::to_be_bytes).collect();
    fs::write(path("l.idx"), file(0x0C, &[count], &labels)).unwrap();
    let error = match open_pair(path("a.idx"), path("l.idx")).unwrap().write(path("b/")) {
        Err(error) if is_off(&error) => return,
        written => written.unwrap_err(),
    };
    assert!(error.to_string().contains("the labels have more than 10000 values"), "{error}");
    assert_eq!(names(folder.path()), ["a.idx", "l.idx"]);
}

#[test]
fn the_type_of_labels_is_chosen_and_widens() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    named(&folder);
    let source = || open_pair(path("in/a.idx"), path("in/l.idx")).unwrap();
    let written = |source: Source, options: &CreateOptions| {
        let written = source.write_with(path("b-images-idx3-ubyte"), options).unwrap();
        let labels = written.labels.unwrap();
        let code = fs::read(&labels).unwrap()[2];
        fs::remove_file(&labels).unwrap();
        (labels.file_name().unwrap().to_str().unwrap().to_string(), code)
    };
    let new = CreateOptions::new;
    for (source, options, name, code) in [
        (source(), new(), "b-labels-idx1-ubyte", 8),
        (source(), new().label_type(ElementType::I32), "b-labels-idx1-int", 12),
        (added(source(), -1), new(), "b-labels-idx1-short", 11),
        (added(source(), 100), new(), "b-labels-idx1-ubyte", 8),
        (added(source(), 100_000), new(), "b-labels-idx1-int", 12),
        (source().append(added(source(), -1)).unwrap(), new(), "b-labels-idx1-short", 11),
    ] {
        assert_eq!(written(source, &options), (name.to_string(), code));
    }
    let floats = source().write_with(path("c.idx"), &new().label_type(ElementType::F32));
    assert_eq!(floats.unwrap_err().kind().code(), "unsupported");
}

#[test]
fn outputs_are_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add(named(&folder), path("b.csv")).unwrap();
    outputs.add(named(&folder), path("c.npy")).unwrap();
    for name in ["b.csv", "./b.csv", "c-labels.npy"] {
        let added = outputs.add(open(path("in/a.idx")).unwrap(), path(name)).map(drop);
        assert_eq!(added.unwrap_err().kind().code(), "same_output", "{name}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("b.csv", path("link.csv")).unwrap();
        let added = outputs.add(open(path("in/a.idx")).unwrap(), path("link.csv")).map(drop);
        assert_eq!(added.unwrap_err().kind().code(), "same_output");
    }
    let written = outputs.write().unwrap();
    let written: Vec<&Path> = written.iter().map(|written| &*written.path).collect();
    assert_eq!(written, [path("b.csv"), path("c.npy")]);
}

#[test]
fn labels_in_csv_have_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.csv");
    named(&folder).write(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"label,1x1,1x2\n1,10,11\n0,20,21\n1,30,31\n");
    let set = open(&path).unwrap().collect::<[[u8; 2]; 1], u8>().unwrap();
    let expected = [([[10, 11]], 1), ([[20, 21]], 0), ([[30, 31]], 1)];
    assert_eq!(set.iter().collect::<Vec<_>>(), expected);
}

#[test]
fn files_that_are_left_out_are_returned() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    named(&folder).write(path("set/")).unwrap();
    fs::write(path("set/ant/00001.png"), "damaged").unwrap();
    let options = OpenOptions::new().pictures(PictureOptions::new().skip_bad(true));
    let written = options.open(path("set")).unwrap().write(path("b.idx")).unwrap();
    let skipped: Vec<_> = written.skipped.into_iter().map(|skipped| skipped.path).collect();
    assert_eq!(skipped, [path("set/ant/00001.png")]);
    let mut source = options.open(path("set")).unwrap();
    let batch = source.next_batch::<[[u8; 2]; 1], u8>(usize::MAX).unwrap().unwrap();
    assert_eq!(batch.len(), 2);
    assert_eq!(source.skipped().len(), 1);
}

#[test]
fn labels_without_a_name_of_their_own_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let options = CreateOptions::new().format(Format::Idx);
    for name in ["b", "b-labels-idx1-ubyte"] {
        let error = named(&folder).write_with(path(name), &options).unwrap_err();
        assert!(error.to_string().contains("so the labels would be lost"), "{error}");
        assert_eq!(error.kind().code(), "mismatch");
    }
    assert_eq!(names(folder.path()), ["in"]);
}

/// Old files are replaced as one, unless the options refuse it.
#[test]
fn writing_replaces_unless_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["b-images-idx3-ubyte", "b.npy", "b.csv", "b.npz", "b.parquet"] {
        let first = named(&folder).select(..1).unwrap();
        match first.write(path(name)) {
            Err(error) if is_off(&error) => continue,
            written => assert_eq!(written.unwrap().records, 1, "{name}"),
        }
        let options = CreateOptions::new().create_new(true);
        let error = named(&folder).write_with(path(name), &options).unwrap_err();
        assert_eq!(std::io::Error::from(error).kind(), std::io::ErrorKind::AlreadyExists, "{name}");
        let written = named(&folder).write(path(name)).unwrap();
        assert_eq!(written.records, 3);
    }
}

/// Tries an old file under each name that is read with the new one, with the same content and with other content.
#[test]
fn a_new_file_never_pairs_with_something_old() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let (labels, others) = (file(8, &[3], &[1, 0, 1]), file(8, &[3], &[1, 0, 0]));
    let longer = file(8, &[4], &[1, 0, 1, 1]);
    let rows = [1_i32, 0, 1].map(|class| [class, 9, 9, 9, 9, 9, 9, 0].map(i32::to_be_bytes));
    let wide = file(0x0C, &[3, 8], rows.as_flattened().as_flattened());
    let hot = npy("|u1", false, &[3, 2], &[0, 1, 1, 0, 0, 1]);
    let [labels_npy, others_npy] =
        [[1, 0, 1], [1, 0, 0]].map(|labels| npy("|u1", false, &[3], &labels));
    let (same, other) = (&b"ant\nbee\n"[..], &b"bee\nant\n"[..]);
    let idx = "b-images-idx3-ubyte";
    // The new file, an old one and its content, and true if the old one may stay.
    let table: &[(&str, &str, &[u8], bool)] = &[
        (idx, "b-labels-idx1-ubyte.gz", &gzip(&labels), true),
        (idx, "b-labels-idx1-ubyte.gz", &gzip(&others), false),
        (idx, "b-labels.idx1-ubyte", &labels, true),
        (idx, "b-labels.idx1-ubyte", &longer, false),
        (idx, "b-labels-idx1-int", &others, false),
        (idx, "b-labels-idx2-int", &wide, true),
        (idx, "b-labels-idx2-int.gz", b"damaged", false),
        (idx, "b-classes.txt", same, true),
        ("b-images-idx3-ubyte.gz", "b-labels-idx1-ubyte", &labels, true),
        ("b-images-idx3-ubyte.gz", "b-labels-idx1-ubyte", &others, false),
        ("train-images-idx3-ubyte", "classes.txt", same, true),
        // Its own list comes first, and is written.
        ("train-images-idx3-ubyte", "classes.txt", other, true),
        ("b.csv", "b-classes.txt.gz", b"not read", true),
        ("train-images-idx3-ubyte", "train-classes.txt", same, true),
        ("b.idx", "b-labels.idx.gz", &gzip(&others), false),
        ("b.npy", "b-labels.npy.gz", &gzip(&labels_npy), true),
        ("b.npy", "b-labels.npy.gz", &gzip(&others_npy), false),
        ("b.npy", "b-labels.npy.gz", &gzip(&hot), true),
        ("b.csv", "b-classes.txt", same, true),
        ("b.csv", "b-labels.csv", b"not read", true),
        ("b.npz", "b-classes.txt", b"not read", true),
        ("b.parquet", "b-classes.txt", b"not read", true),
    ];
    for (new, old, content, is_same) in table {
        for create_new in [true, false] {
            fs::create_dir(&out).unwrap();
            fs::write(out.join(old), content).unwrap();
            let options = CreateOptions::new().create_new(create_new);
            match named(&folder).write_with(out.join(new), &options) {
                Err(error) if is_off(&error) => {}
                Ok(written) => {
                    assert!(is_same, "{new} next to {old}");
                    assert_eq!(fs::read(out.join(old)).unwrap(), *content, "{new} next to {old}");
                    assert_eq!(written.records, 3);
                }
                Err(error) => {
                    assert!(!is_same, "{new} next to {old}: {error}");
                    assert_eq!(error.path(), Some(&*out.join(old)));
                    assert!(
                        error.to_string().contains("would be read with the new file"),
                        "{error}"
                    );
                    assert_eq!(names(&out), [*old], "{new} next to {old}");
                }
            }
            fs::remove_dir_all(&out).unwrap();
        }
    }
}

/// The files of the set are replaced with it, and no others.
#[test]
fn labels_and_names_of_an_old_set_are_replaced_with_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (new, labels, list) =
        (path("b-images-idx3-ubyte"), path("b-labels-idx1-ubyte"), path("b-classes.txt"));
    for (old, content) in
        [(&labels, &file(8, &[1], &[7])[..]), (&list, b"dog\ncat\n"), (&new, b"?")]
    {
        fs::write(old, content).unwrap();
        let options = CreateOptions::new().create_new(true);
        named(&folder).write_with(&new, &options).unwrap_err();
        assert_eq!(fs::read(old).unwrap(), content);
        named(&folder).write(&new).unwrap();
        assert_eq!(fs::read(&labels).unwrap(), file(8, &[3], &[1, 0, 1]));
        assert_eq!(fs::read(&list).unwrap(), b"ant\nbee\n");
        [&new, &labels, &list].into_iter().for_each(|path| fs::remove_file(path).unwrap());
    }
    // Records without labels, or without names, are not given those of others.
    for (old, content) in [(&labels, &file(8, &[3], &[1, 0, 1])[..]), (&list, b"ant\nbee\n")] {
        fs::write(old, content).unwrap();
        let unnamed = open_pair(path("in/a.idx"), path("in/l.idx")).unwrap();
        let source = if old == &labels { open(path("in/a.idx")).unwrap() } else { unnamed };
        let error = source.write(&new).unwrap_err();
        assert_eq!(error.path(), Some(&**old));
        fs::remove_file(old).unwrap();
    }
    // Without labels nobody reads a list.
    fs::write(&list, b"dog\ncat\n").unwrap();
    open(path("in/a.idx")).unwrap().write(&new).unwrap();
}

/// The most common job: unpacking MNIST's images next to their file and their labels.
#[test]
fn images_are_unpacked_beside_their_file_and_their_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (images, labels) = (file(8, &[2, 1, 1], &[7, 8]), file(8, &[2], &[1, 0]));
    let (packed, packed_labels) = ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz");
    fs::write(path(packed), gzip(&images)).unwrap();
    fs::write(path(packed_labels), gzip(&labels)).unwrap();
    let options = CreateOptions::new().create_new(true);
    let source = open_pair(path(packed), path(packed_labels)).unwrap();
    let written = source.write_with(path("train-images-idx3-ubyte"), &options).unwrap();
    assert_eq!(fs::read(&written.path).unwrap(), images);
    assert_eq!(fs::read(written.labels.unwrap()).unwrap(), labels);
    // Labels that were unpacked before stay.
    fs::remove_file(path("train-images-idx3-ubyte")).unwrap();
    let source = open_pair(path(packed), path(packed_labels)).unwrap();
    let written = source.write_with(path("train-images-idx3-ubyte"), &options).unwrap();
    assert_eq!((written.labels, fs::read(&written.path).unwrap()), (None, images));
    // A part of the images is not the same file.
    let source = open_pair(path(packed), path(packed_labels)).unwrap().select(..1).unwrap();
    let error = source.write(path("train-images-idx3-ubyte")).unwrap_err();
    assert!(error.path().unwrap().ends_with(packed), "{error}");
}

/// An output cannot have the place of another's labels or names, whichever is added first.
#[test]
fn files_beside_outputs_are_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add(named(&folder).without_labels(), path("c-labels.npy")).unwrap();
    let error = outputs.add(named(&folder), path("c.npy")).map(drop).unwrap_err();
    assert_eq!(error.kind().code(), "same_output");
    // Equal lists are one file, and others are not.
    outputs.add(named(&folder), path("d.csv")).unwrap();
    outputs.add(named(&folder), path("d.npy")).unwrap();
    let others = named(&folder).with_classes(ClassNames::new(["asp", "bat"]).unwrap());
    let error = outputs.add(others, path("d.idx")).map(drop).unwrap_err();
    assert_eq!(error.kind().code(), "same_output");
    // Two spellings of a name are read as one file.
    let plain = || named(&folder).without_labels();
    outputs.add(plain(), path("e-images-idx3-ubyte")).unwrap();
    for twin in ["e-images-idx3-ubyte.gz", "e-images.idx3-ubyte"] {
        let error = outputs.add(plain(), path(twin)).map(drop).unwrap_err();
        assert!(error.to_string().contains("are read as one file"), "{error}");
    }
}

#[test]
fn folders_that_are_named_like_labels_need_no_list() {
    let folder = tempfile::tempdir().unwrap();
    let numbered = named(&folder).with_classes(ClassNames::new(["0", "1"]).unwrap());
    match numbered.write(folder.path().join("p/")) {
        Err(error) if is_off(&error) => {}
        written => {
            written.unwrap();
            assert_eq!(names(&folder.path().join("p")), ["0", "1"]);
        }
    }
}

/// Other records of the same shape are not a copy of these.
#[test]
fn what_lies_beside_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let numbers = [10, 11, 20, 21, 30, 31];
    let images = file(8, &[3, 1, 2], &numbers);
    let array = npy("|u1", false, &[3, 1, 2], &numbers);
    let idx = "a-images-idx3-ubyte";
    for (new, old, content, is_same) in [
        ("a.idx", "a.idx.gz", &gzip(&images), true),
        ("a.idx", "a.idx.gz", &gzip(&file(8, &[3, 1, 2], &[10, 11, 20, 21, 30, 99])), false),
        ("a.npy", "a.npy.gz", &gzip(&array), true),
        (idx, "a-images-idx3-ubyte.gz", &gzip(&images), true),
        (idx, "a-images-idx3-ubyte.gz", &gzip(&images[..images.len() - 1]), false),
        (idx, "a-images.idx3-ubyte", &file(8, &[3, 2, 1], &numbers), false),
    ] {
        fs::write(path(old), content).unwrap();
        match named(&folder).without_labels().write(path(new)) {
            Ok(written) => {
                assert!(is_same, "{new} next to {old}");
                fs::remove_file(written.path).unwrap();
            }
            Err(error) => {
                assert!(!is_same, "{new} next to {old}: {error}");
                assert_eq!(error.path(), Some(&*path(old)));
            }
        }
        assert_eq!(fs::read(path(old)).unwrap(), *content, "{new} next to {old}");
        fs::remove_file(path(old)).unwrap();
        assert_eq!(names(folder.path()), ["in"]);
    }
    // A folder is never read next to records, nor a list next to a folder that has its names.
    fs::create_dir(path("b.idx.gz")).unwrap();
    fs::write(path("p-classes.txt"), "asp\nbat\n").unwrap();
    named(&folder).write(path("b.idx")).unwrap();
    match named(&folder).write(path("p/")) {
        Err(error) if is_off(&error) => {}
        written => drop(written.unwrap()),
    }
    // A file of no labels has the labels of no records.
    fs::write(path("none"), file(8, &[0, 1, 2], &[])).unwrap();
    fs::write(path("d-labels.idx"), file(8, &[0], &[])).unwrap();
    let error = open(path("none")).unwrap().write(path("d.idx")).unwrap_err();
    assert_eq!(error.path(), Some(&*path("d-labels.idx")));
}

#[test]
fn what_appears_beside_meanwhile_is_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.idx.gz", "a-labels.idx.gz", "a-classes.txt"] {
        let mut outputs = Outputs::new(&CreateOptions::new());
        let source = match name {
            "a-classes.txt" => without_names(&folder),
            _ => named(&folder),
        };
        outputs.add(source, path("a.idx")).unwrap();
        let appears = |_: &Path, _: &Source| {
            fs::write(path(name), "another's").unwrap();
            |_| ()
        };
        let error = outputs.write_with(appears).unwrap_err();
        // The new labels would be read with the records that appeared.
        let shown = if name == "a.idx.gz" { "a-labels.idx" } else { name };
        assert_eq!(error.path(), Some(&*path(shown)));
        assert!(!path("a.idx").exists() && !path("a-labels.idx").exists());
        fs::remove_file(path(name)).unwrap();
    }
}

/// Files and new folders appear together, or none does.
#[test]
fn a_folder_that_cannot_appear_keeps_back_the_files_of_the_job() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add(named(&folder), path("new/a.idx")).unwrap();
    outputs.add(named(&folder), path("b.idx")).unwrap();
    let appears = |_: &Path, _: &Source| {
        fs::create_dir_all(path("new")).unwrap();
        fs::write(path("new/other"), "another's").unwrap();
        |_| ()
    };
    assert!(outputs.write_with(appears).is_err());
    assert!(!path("b.idx").exists() && !path("b-labels.idx").exists());
    assert_eq!(names(&path("new")), ["other"]);
}

#[test]
fn what_was_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.csv"), "7,8\n9,7\n5,5\n").unwrap();
    let written = open(path("a.csv")).unwrap().write(path("a.idx")).unwrap();
    assert_eq!(written.layout.dims, [3, 2]);
    // A list that is there with the same names is not written again.
    fs::write(path("b-classes.txt"), "ant\nbee\n").unwrap();
    let written = named(&folder).write(path("b.csv")).unwrap();
    assert_eq!(written.classes, None);
    // Labels without names have no names that could be dropped.
    assert!(!without_names(&folder).write(path("c.csv")).unwrap().dropped_classes);
    // An error in a new folder names that folder, not the hidden one.
    fs::write(path("f.idx"), file(0x0D, &[1, 1, 1], &[0; 4])).unwrap();
    let error = open(path("f.idx")).unwrap().write(path("new/p/")).unwrap_err();
    assert!(is_off(&error) || error.path() == Some(&*path("new/p")), "{error}");
}

/// The list is neither replaced if it is there at the start, nor if it appears meanwhile.
#[test]
fn another_list_of_classes_is_not_replaced_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for is_early in [true, false] {
        let mut outputs = Outputs::new(&CreateOptions::new().create_new(true));
        outputs.add(named(&folder), path("a.idx")).unwrap();
        let list = || fs::write(path("a-classes.txt"), "asp\nbat\n").unwrap();
        if is_early {
            list();
        }
        let error = outputs.write_with(|_, _| {
            assert!(!is_early, "nothing is written before");
            list();
            |_| ()
        });
        let error = error.unwrap_err();
        assert_eq!((error.kind().hint() == Some(Hint::Classes)), !is_early, "{error}");
        assert_eq!(error.path(), Some(&*path("a-classes.txt")));
        // Until then some systems have files with hidden names.
        drop(outputs);
        assert_eq!(names(folder.path()), ["a-classes.txt", "in"]);
        fs::remove_file(path("a-classes.txt")).unwrap();
    }
    // The same list is no conflict.
    let mut outputs = Outputs::new(&CreateOptions::new().create_new(true));
    outputs.add(named(&folder), path("a.idx")).unwrap();
    let appears = |_: &Path, _: &Source| {
        fs::write(path("a-classes.txt"), "ant\nbee\n").unwrap();
        |_| ()
    };
    outputs.write_with(appears).unwrap();
}

/// Failed before: the pipe was waited for without end.
#[cfg(unix)]
#[test]
fn a_pipe_beside_an_output_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a-classes.txt", "a.idx.gz", "a-labels.idx", "a-labels.idx.gz"] {
        idx_tests::named_pipe(&path(name));
        for create_new in [true, false] {
            let options = CreateOptions::new().create_new(create_new);
            let error = named(&folder).write_with(path("a.idx"), &options).unwrap_err();
            assert_eq!(error.path(), Some(&*path(name)));
            assert_eq!(names(folder.path()), [name, "in"]);
        }
        fs::remove_file(path(name)).unwrap();
    }
}

/// Failed before: the pictures that waited were lost, and the others appeared without them.
#[test]
fn a_sink_that_could_not_write_is_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    let facts = Facts::new(RecordLayout::new(ElementType::U8, &[0, 1, 1]), None);
    let mut sink = match Sink::create(folder.path().join("a/"), &facts, &CreateOptions::new()) {
        Err(error) if is_off(&error) => return,
        sink => sink.unwrap(),
    };
    // Pictures wait for each other in memory.
    let hidden = folder.path().join(names(folder.path()).remove(0));
    let elsewhere = folder.path().join("elsewhere");
    fs::rename(&hidden, &elsewhere).unwrap();
    let record = Record::new([7], None);
    let error = (0..10_000).find_map(|_| sink.push(&record).err()).unwrap();
    assert_eq!(error.kind().code(), "not_found", "{error}");
    fs::rename(&elsewhere, &hidden).unwrap();
    assert_eq!(sink.push(&record).unwrap_err().kind().code(), "failed_earlier");
    assert_eq!(sink.finish().unwrap_err().kind().code(), "failed_earlier");
    assert!(names(folder.path()).is_empty());
}

/// Failed before: the second time, the file next to the output was not checked, and was replaced.
#[test]
fn outputs_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a-classes.txt"), "asp\nbat\n").unwrap();
    let mut outputs = Outputs::new(&CreateOptions::new().create_new(true));
    outputs.add(named(&folder), path("a.idx")).unwrap();
    for _ in 0..2 {
        assert_eq!(outputs.write().unwrap_err().kind().code(), "mismatch");
        assert_eq!(names(folder.path()), ["a-classes.txt", "in"]);
    }
    // Outputs can be added again.
    fs::remove_file(path("a-classes.txt")).unwrap();
    outputs.add(named(&folder), path("a.idx")).unwrap();
    assert_eq!(outputs.write().unwrap().len(), 1);
    assert_eq!(outputs.write().unwrap_err().kind().code(), "mismatch");
}

/// A stream has its name only for messages, and the content of csv shows that its name is wrong.
#[test]
fn what_cannot_be_read_with_an_output_is_not_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a-labels.idx", "a-classes.txt", "a.idx.gz"] {
        fs::write(path(name), "another's").unwrap();
    }
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add_stream(named(&folder), path("a.idx"), Box::new(std::io::sink())).unwrap();
    assert_eq!(outputs.write().unwrap().len(), 1);
    let options = CreateOptions::new().format(Format::Csv);
    let source = named(&folder).without_labels();
    source.write_with(path("a.idx"), &options).unwrap();
    // A stream is no file of labels either, nor is a folder of pictures.
    let images = || open(path("in/a.idx")).unwrap();
    images().write(path("b.idx")).unwrap();
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add_stream(images(), path("b-labels.idx"), Box::new(std::io::sink())).unwrap();
    outputs.write().unwrap();
    let pictures =
        images().write_with(path("b-labels.idx"), &CreateOptions::new().format(Format::Png));
    assert!(pictures.map_or_else(|error| is_off(&error), |written| written.records == 3));
}

/// A picture has no place for a label, and a stream is one picture.
#[test]
fn the_picture_of_one_record_goes_to_a_stream() {
    let folder = folder(&[]);
    let path = folder.path().join("own-images-idx3-ubyte");
    idx_std::save(&path, &[2, 2, 2], &[1_u8, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    idx_std::save(folder.path().join("own-labels-idx1-ubyte"), &[2], &[7_u8, 3]).unwrap();
    let mut png = Vec::new();
    let one = open(&path).unwrap().select([1]).unwrap();
    let written = one.write_to(Format::Png, &mut png).unwrap();
    assert_eq!((written.records, written.dropped_labels), (1, true));
    let mut picture = OpenOptions::new().open_bytes("7.png", png.clone()).unwrap();
    let mut record = Record::default();
    assert!(picture.read(&mut record).unwrap());
    assert_eq!(record.bytes, [5, 6, 7, 8]);

    png.clear();
    for (records, text) in [(0..2, "and there are more records"), (0..0, "and there is no record")]
    {
        let some = open(&path).unwrap().select(records).unwrap();
        let error = some.write_to(Format::Png, &mut png).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
        assert!(png.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn a_device_has_no_files_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let options = CreateOptions::new().format(Format::Idx);
    let written = named(&folder).write_with("/dev/null", &options).unwrap();
    assert_eq!((written.records, written.labels, written.classes), (3, None, None));
}

#[test]
fn a_list_of_classes_has_labels_that_lists_can_have() {
    let folder = folder(&[("list", b"0 ant\n1 bee\n2000000 cat\n")]);
    let classes = ClassNames::open(folder.path().join("list")).unwrap();
    let source = without_names(&folder).with_classes(classes.clone());
    let written = source.write(folder.path().join("a.idx")).unwrap();
    // A list with a line for each label would be too long.
    assert_eq!(ClassNames::open(written.classes.unwrap()).unwrap(), classes);
    let below = ClassNames::of((-1..9).map(|label| (label, format!("c{label}")))).unwrap();
    let source = without_names(&folder).with_classes(below);
    let error = source.write(folder.path().join("b.idx")).unwrap_err();
    assert!(error.to_string().contains("class -1 has a name, and classes.txt names 0"), "{error}");
    let far = |label| {
        let names = [(0, "ant"), (1, "bee"), (label, "cat")];
        ClassNames::of(names.map(|(label, name)| (label, name.to_string()))).unwrap()
    };
    let source = without_names(&folder).with_classes(far(i64::MAX.into()));
    let error = source.write(folder.path().join("b.idx")).unwrap_err();
    assert!(error.to_string().contains("class 9223372036854775807 has a name"), "{error}");
    let source = without_names(&folder).with_classes(far(1 << 20));
    let error = source.write(folder.path().join("b.parquet")).unwrap_err();
    let text = "a place for each label from 0 to 1048575, and none for class 1048576";
    assert!(is_off(&error) || error.to_string().contains(text), "{error}");
}

/// The next time, the output would be read as a class or a part of the set.
#[test]
fn an_output_in_the_folder_of_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("set")).unwrap();
    for part in ["train", "t10k"] {
        let [images, labels] = ["images-idx3", "labels-idx1"]
            .map(|kind| path("set").join(format!("{part}-{kind}-ubyte")));
        fs::write(images, file(8, &[2, 2, 2], b"abcdefgh")).unwrap();
        fs::write(labels, file(8, &[2], &[1, 0])).unwrap();
    }
    open(path("set/train-images-idx3-ubyte")).unwrap().write(path("p/")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(path("p"), path("link")).unwrap();
    let expect = |result: Result<(), Error>, input: &str, output: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.kind().code(), "mismatch", "{output}: {error}");
        assert!(
            error.to_string().contains("this would become a part of the input"),
            "{output}: {error}"
        );
        assert!(error.to_string().contains(&*path(input).to_string_lossy()), "{error}");
        assert_eq!(error.path(), Some(&*path(output)));
    };
    let before = [names(&path("p")), names(&path("set"))];
    for output in ["p/small/", "p/b.idx", "p/0/b.idx", "p/../p/b.npy", "p/new/b.csv"] {
        expect(open(path("p")).unwrap().write(path(output)).map(drop), "p", output);
        let chosen = open(path("p")).unwrap().select(1..).unwrap().only([1]);
        expect(chosen.unwrap().write(path(output)).map(drop), "p", output);
        let sources = [path("set/train-images-idx3-ubyte"), path("p")].map(open);
        let [one, other] = sources.map(Result::unwrap);
        expect(one.append(other).unwrap().write(path(output)).map(drop), "p", output);
        let facts = open(path("p")).unwrap().facts().clone();
        let started = Sink::create(path(output), &facts, &CreateOptions::new());
        expect(started.map(drop), "p", output);
        #[cfg(unix)]
        expect(open(path("link")).unwrap().write(path(output)).map(drop), "link", output);
    }
    for output in ["set/b.idx", "set/all.npz", "set/new/"] {
        let options = CreateOptions::new().format(Format::Idx);
        expect(
            open_set(path("set")).unwrap().write_with(path(output), &options).map(drop),
            "set",
            output,
        );
        let part = open(path("set/:train")).unwrap();
        expect(part.write_with(path(output), &options).map(drop), "set", output);
    }
    assert_eq!([names(&path("p")), names(&path("set"))], before);
    // A set may be replaced by its own files, and an input of a single file does not bar its folder.
    let options = CreateOptions::new().format(Format::Idx);
    let halves = open_set(path("set")).unwrap().map(|part| part.select(..1)).unwrap();
    halves.write_with(path("set"), &options).unwrap();
    assert_eq!(open(path("set/:test")).unwrap().facts().count, Some(1));
    open(path("set/train-images-idx3-ubyte"))
        .unwrap()
        .write(path("set/other-images-idx3-ubyte"))
        .unwrap();
    open(path("p")).unwrap().write(path("p-small/")).unwrap();
}
