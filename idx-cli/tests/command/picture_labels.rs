//! The classes of pictures: folders, tables of names, and lists.

use std::fs;

use idx_tests::file;
use image::GrayImage;

use crate::common::Folder;
use crate::pictures::{png, rgb};

#[test]
fn a_folder_without_pictures_has_no_empty_classes() {
    let folder = Folder::new(&[("notes.txt", b"mine")]);
    fs::create_dir(folder.0.path().join("m")).unwrap();
    let (_, message) = folder.run(&["stats", "."]).failure();
    assert!(message.starts_with(".: this folder has no pictures (.png"), "{message}");
}

#[test]
fn classes_that_are_refused() {
    let picture = png(&GrayImage::new(2, 2).into());
    let folder = Folder::new(&[]);
    folder.write("set/Cat/a.png", &picture);
    folder.write("set/dog/a.png", &picture);
    fs::create_dir(folder.0.path().join("set/empty")).unwrap();
    assert_eq!(
        folder.refused_set(&[]),
        "set: the folder empty has no pictures; add some, or leave it out: `--skip ./empty`"
    );
    fs::remove_dir(folder.0.path().join("set/empty")).unwrap();

    // The class is empty in one part, and has pictures in another.
    let parts = Folder::new(&[]);
    for path in ["set/train/cat/a.png", "set/train/dog/a.png", "set/test/cat/a.png"] {
        parts.write(path, &picture);
    }
    fs::create_dir(parts.0.path().join("set/test/dog")).unwrap();
    assert_eq!(
        parts.refused_set(&[]),
        "set: the folder test/dog has no pictures; add some, or leave it out: `--skip ./test/dog`"
    );
    let skipped = ["convert", "set", "--skip", "./test/dog", "-qo", "new", "--to", "idx"];
    parts.run(&skipped).success();
    assert_eq!(parts.read("new/classes.txt"), b"cat\ndog\n");

    // Next to a folder around the classes, other files are left out.
    for path in ["cub/images/cat/a.png", "cub/images/dog/a.png"] {
        parts.write(path, &picture);
    }
    parts.write("cub/attributes/all.txt", b"1 2\n");
    // Failed before: in such a folder, folders with the names of the classes.
    parts.write("cub/annotations/cat/a.xml", b"<a/>\n");
    let reading = parts.run(&["convert", "cub", "-o", "cub.idx"]);
    assert!(reading.readings.contains("; a.xml, all.txt left out"), "{reading:?}");

    folder.write("x-classes.txt", b"other\n");
    let message = folder.refused(&["set", "-o", "x.idx"]);
    assert!(message.starts_with("x-classes.txt: "), "{message}");
    // The list in the folder decides the order of the classes.
    folder.write("set/classes.txt", b"dog\nhorse\nCat\n");
    let messages = folder.convert_set(&[]);
    assert_eq!(messages, "idx: i-classes.txt: 0 dog, 1 horse, 2 Cat\n");
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[2, 0]));
    folder.write("set/classes.txt", b"dog\nhorse\n");
    assert_eq!(
        folder.refused_set(&[]),
        "set/classes.txt: the class Cat is not in the list of classes; add it: `--skip Cat` to leave it out, or \
         `--skip classes.txt` to number the classes by their order"
    );
}

/// On Hugging Face, folders of pictures have such lists.
#[test]
fn a_list_of_the_folder_without_labels_can_be_left_out() {
    let picture = png(&GrayImage::new(2, 2).into());
    let folder = Folder::new(&[]);
    for name in ["cat/0", "cat/1", "dog/2"] {
        folder.write(&format!("set/{name}.png"), &picture);
    }
    let captions = "file_name,text\ncat/0.png,a cat on grass\ncat/1.png,a cat in snow\ndog/2.png,one dog on sand\n";
    folder.write("set/metadata.csv", captions.as_bytes());
    assert_eq!(
        folder.refused_set(&[]),
        "set/metadata.csv: `text` may be the label, but it has another text for each picture, as captions and ids have: \
         `--label-column text` if `text` is the label, or `--skip metadata.csv` if the list has no labels"
    );
    let sizes = "file_name,width,height\ncat/0.png,2,2\ncat/1.png,2,2\ndog/2.png,2,2\n";
    folder.write("set/metadata.csv", sizes.as_bytes());
    let message = folder.refused_set(&[]);
    assert!(message.ends_with("or `--skip metadata.csv` if the list has no labels"), "{message}");
    let sizes = "file_name,width\ncat/0.png,2\ncat/1.png,3\ndog/2.png,2\n";
    folder.write("set/metadata.csv", sizes.as_bytes());
    assert_eq!(
        folder.refused_set(&[]),
        "set/metadata.csv: the folders cat, dog may be the classes, or column \"width\" in this list: \
         `--skip metadata.csv` if the folders are, or `--label-column width` if the list has the labels"
    );
    folder.convert_set(&["--skip", "metadata.csv"]);
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[3], &[0, 0, 1]));
}

#[cfg(unix)]
#[test]
fn names_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let picture = png(&GrayImage::new(2, 2).into());
    let folder = Folder::new(&[]);
    folder.write("set/a/a.png", &picture);
    let class = folder.0.path().join("set").join(OsStr::from_bytes(b"b\xFF"));
    fs::create_dir(&class).unwrap();
    fs::write(class.join(OsStr::from_bytes(b"\xFF.png")), &picture).unwrap();
    assert_eq!(
        folder.refused_set(&[]),
        "set/b\u{FFFD}: the name of this class is not UTF-8, or has control characters or spaces at its ends; \
         rename the folder"
    );
    let spaced = folder.0.path().join("set/ b");
    fs::rename(&class, &spaced).unwrap();
    let message = folder.refused_set(&[]);
    assert!(message.contains("control characters or spaces at its ends;"), "{message}");
    // A picture may have any name.
    fs::rename(&spaced, folder.0.path().join("set/b")).unwrap();
    // A folder that contains itself would have no end.
    symlink("..", folder.0.path().join("set/b/up")).unwrap();
    let messages = folder.convert_set(&[]);
    assert!(
        messages.contains("set/b/up: skipped: a link to a folder within a class"),
        "{messages}"
    );
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[0, 1]));
}

#[test]
fn folders_are_as_deep_as_they_may_be() {
    let picture = png(&GrayImage::new(2, 2).into());
    for (depth, is_read) in [(64, true), (65, false)] {
        let folder = Folder::new(&[]);
        folder.write(&format!("set/{}a.png", "1/".repeat(depth)), &picture);
        folder.write("set/2/a.png", &picture);
        if is_read {
            folder.convert_set(&["--no-labels"]);
            continue;
        }
        let message = folder.refused_set(&[]);
        assert!(message.contains("more than 64 folders are nested in each other;"), "{message}");
    }
}

#[test]
fn labels_by_a_table_of_names() {
    let folder = Folder::new(&[]);
    for (name, grey) in [("a.png", 1), ("b.png", 2), ("deep/c.png", 3)] {
        let picture = GrayImage::from_pixel(1, 1, image::Luma([grey]));
        folder.write(&format!("set/{name}"), &png(&picture.into()));
    }
    folder.write("set/labels.csv", b"id,label\ndeep/c.png,ant\nb.png,cat\na.png,bee\n");
    assert_eq!(folder.convert_set(&[]), "idx: i-classes.txt: 0 ant, 1 bee, 2 cat\n");
    assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[3, 1, 1], &[1, 2, 3]));
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[3], &[1, 2, 0]));
    folder.write("set/labels.csv", b"id,label\na.png,1\na.png,2\n");
    assert_eq!(
        folder.refused_set(&[]),
        "set/labels.csv: two lines have a label for a.png; remove one of them"
    );
}

#[test]
fn names_in_a_table_have_the_numbers_of_the_list() {
    let folder = Folder::new(&[]);
    for (set, classes) in [("a", ["cat", "dog"]), ("b", ["bird", "dog"])] {
        for class in classes {
            folder.write(&format!("{set}/{class}.png"), &png(&GrayImage::new(1, 1).into()));
        }
        let [one, other] = classes;
        let table = format!("file,label\n{one}.png,{one}\n{other}.png,{other}\n");
        folder.write(&format!("{set}/labels.csv"), table.as_bytes());
        folder.write(&format!("{set}/classes.txt"), b"cat\ndog\nbird\n");
    }
    let pair = ["-f", "-o", "i.idx"];
    let joined = folder.run(&[&["convert", "a", "b"][..], &pair].concat());
    assert_eq!(
        (joined.code, &*joined.messages),
        (Some(0), "idx: i-classes.txt: 0 cat, 1 dog, 2 bird\n")
    );
    assert_eq!(folder.read("i-labels.idx"), file(8, &[4], &[0, 1, 2, 1]));
    folder.write("b/classes.txt", b"cat\ndog\n");
    assert_eq!(
        folder.refused(&[&["b"][..], &pair].concat()),
        "b/labels.csv: the class `bird` is not in classes.txt; add a line, or correct the label"
    );
}

#[test]
fn numbers_among_names_are_names() {
    let folder = Folder::new(&[]);
    for name in ["a", "b"] {
        folder.write(&format!("set/{name}.png"), &png(&rgb([1, 1, 1])));
    }
    // Numbers next to words are words.
    folder.write("set/labels.csv", b"file,label\na.png,cat\nb.png,1\n");
    assert!(folder.convert_set(&[]).ends_with("idx: i-classes.txt: 0 1, 1 cat\n"));
    // `NA` can stand for a missing label.
    folder.write("set/labels.csv", b"file,label\na.png,cat\nb.png,NA\n");
    let message = folder.refused_set(&[]);
    assert!(message.contains("record 1 has no label in `label`; add it"), "{message}");
}

#[test]
fn names_that_no_folder_can_have() {
    let long = "x".repeat(256);
    for name in ["..", "...", "labels.csv", "Classes.TXT", &long] {
        let folder = Folder::new(&[
            ("a.idx", &file(8, &[3, 1, 2], &[1, 2, 3, 4, 5, 6])),
            ("l.idx", &file(8, &[3], &[0, 1, 0])),
            ("names.txt", format!("{name}\ncat\n").as_bytes()),
        ]);
        let labels = ["--labels", "l.idx", "--classes", "names.txt"];
        folder.convert(&[&["a.idx", "-o", "d/"], &labels[..]].concat());
        for picture in ["0/00000", "1/00001", "0/00002"] {
            folder.read(&format!("d/{picture}.png"));
        }
        assert_eq!(folder.read("d/classes.txt"), folder.read("names.txt"));
    }
}

/// Failed before: the folder 1 became the class 2, and the command could not read what it had written.
#[test]
fn folders_of_classes_are_read_back() {
    for (names, labels, folders) in [
        ("1\n2\n3\nA\nB\n", &[0, 1, 2, 3, 4][..], &["1", "2", "3", "A", "B", "classes.txt"][..]),
        ("1\n2\n3\nA\nB\n", &[0, 2], &["1", "3", "classes.txt"]),
        ("1\n2\n3\n0\n", &[0, 1, 2, 3], &["0", "1", "2", "3", "classes.txt"]),
        // Labels without names.
        ("cat\ndog\n", &[0, 1, 2], &["2", "cat", "classes.txt", "dog"]),
        ("cat\n\ndog\n", &[0, 1, 2], &["1", "cat", "classes.txt", "dog"]),
        // A single class.
        ("cat\ndog\n", &[1, 1], &["classes.txt", "dog"]),
        ("", &[7, 7], &["7", "classes.txt"]),
    ] {
        let count = u32::try_from(labels.len()).unwrap();
        let folder = Folder::new(&[
            ("a.idx", &file(8, &[count, 1, 1], labels)),
            ("a-labels.idx", &file(8, &[count], labels)),
        ]);
        if !names.is_empty() {
            folder.write("a-classes.txt", names.as_bytes());
        }
        folder.run(&["convert", "a.idx", "-qo", "d/"]).success();
        assert_eq!(idx_tests::names(&folder.0.path().join("d")), folders, "{names:?}");
        folder.run(&["convert", "d", "-qo", "b.idx"]).success();
        assert_eq!(folder.read("b-labels.idx"), file(8, &[count], &folder.read("b.idx")[16..]));
    }
    // The folder of a label must not be that of a class whose name is this number.
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2, 1, 1], &[0, 2])),
        ("a-labels.idx", &file(8, &[2], &[0, 2])),
        ("a-classes.txt", b"2\ncat\n"),
    ]);
    let message = folder.refused(&["a.idx", "-o", "d/"]);
    assert!(message.contains("would be taken for the class 0, which has this name"), "{message}");
}

#[test]
fn folders_by_class() {
    let fashion = "T-shirt/top\nTrouser\n";
    let images = file(8, &[3, 1, 2], &[1, 2, 3, 4, 5, 6]);
    let folder = Folder::new(&[
        ("a.idx", &images),
        ("l.idx", &file(8, &[3], &[1, 0, 1])),
        ("names.txt", fashion.as_bytes()),
    ]);
    let labeled = ["a.idx", "--labels", "l.idx"];
    folder.convert(&[&labeled[..], &["-o", "numbers/"]].concat());
    assert_eq!(idx_tests::names(&folder.0.path().join("numbers/1")), ["00000.png", "00002.png"]);
    folder.convert(&[&labeled[..], &["--classes", "names.txt", "-o", "named/"]].concat());
    assert!(folder.0.path().join("named/T-shirt_top/00001.png").exists());
    assert_eq!(folder.read("named/classes.txt"), fashion.as_bytes());
    for name in ["numbers", "named"] {
        let out = format!("{name}.idx");
        let outcome = folder.run(&["convert", name, "-o", &out]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(folder.read(&out), file(8, &[3, 1, 2], &[3, 4, 1, 2, 5, 6]), "{name}");
        assert_eq!(folder.read(&format!("{name}-labels.idx")), file(8, &[3], &[0, 1, 1]));
    }
    // No picture replaces another, or is written next to it.
    let again = [&labeled[..], &["-o", "numbers/", "--force"]].concat();
    folder.refused(&again);
    assert_eq!(idx_tests::names(&folder.0.path().join("numbers/1")), ["00000.png", "00002.png"]);
    #[cfg(unix)]
    {
        let piped = [&["convert"], &labeled[..], &["-o", "piped/", "--classes", "/dev/stdin"]];
        let outcome = folder.run_with(&piped.concat(), fashion.as_bytes());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
    // Without labels, or if they are left out, there are no folders.
    folder.convert(&["a.idx", "-o", "flat/"]);
    let expected = ["00000.png", "00001.png", "00002.png"];
    assert_eq!(idx_tests::names(&folder.0.path().join("flat")), expected);
}

#[test]
fn folders_as_people_keep_them() {
    let folder = Folder::new(&[("a.idx", &file(8, &[12, 1, 1], &(0..12).collect::<Vec<u8>>()))]);
    folder.convert(&["a.idx", "-o", "made/"]);
    for index in 0..12 {
        let picture = folder.read(&format!("made/{index:05}.png"));
        // Two labels, and numbers that are not padded.
        folder.write(&format!("set/{}/{index}.PNG", if index % 2 == 0 { 10 } else { 9 }), &picture);
    }
    folder.convert(&["set", "-o", "b.idx"]);
    let order = [1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10];
    assert_eq!(folder.read("b.idx"), file(8, &[12, 1, 1], &order));
    assert_eq!(folder.read("b-labels.idx"), file(8, &[12], &[[9; 6], [10; 6]].concat()));

    folder.write("set/cat/1.png", &folder.read("made/00001.png"));
    // Numbers next to words are words.
    let both = folder.run(&["convert", "set", "-o", "both.idx"]);
    assert_eq!(both.messages, "idx: both-classes.txt: 0 10, 1 9, 2 cat\n");
    folder.convert(&["set", "--no-labels", "-o", "without-labels.idx"]);
    folder.write("set/1.png", &folder.read("made/00001.png"));
    assert_eq!(
        folder.refused(&["set", "-o", "x.idx"]),
        "set: there are pictures next to the folder 10: `--skip 10,9,cat` if they are the records, or `--skip \
         './*.png'` if they are not, or `--no-labels` if all are, and have no labels"
    );
    folder.write("set/2.png", &folder.read("made/00001.png"));
    let below = folder.run(&["convert", "set", "--skip", "./*.png", "-o", "below.idx"]);
    assert_eq!(below.messages, "idx: below-classes.txt: 0 10, 1 9, 2 cat\n");
    assert_eq!(folder.read("below.idx"), folder.read("both.idx"));
    let said = folder.run(&["info", "set", "--skip", "./*.png"]).success();
    assert!(said.contains("--skip './*.png'"), "{said}");
    fs::create_dir(folder.0.path().join("none")).unwrap();
    assert_eq!(
        folder.refused(&["none", "-o", "x.idx"]),
        "none: this folder has no pictures (.png, .jpg ..), tables (.csv, .parquet) or arrays (.npy, -idx3-ubyte); \
         choose another, or give a file"
    );
    for (labels, message) in [
        (
            "file,label\n00000.png,1\n",
            "11 pictures, such as 00001.png, have no label here; add lines, or move them to another folder: `--no-labels` \
             for all pictures without labels",
        ),
        (
            "file,label\n00000.png,\n",
            "record 0 has no label in `label`; add it, or remove the record",
        ),
    ] {
        folder.write("made/labels.csv", labels.as_bytes());
        let refused = folder.refused(&["made", "-o", "x.csv"]);
        assert_eq!(refused, format!("made/labels.csv: {message}"));
    }
    folder.write("two/0.png", &folder.read("made/00000.png"));
    folder.write("two/labels.csv", b"file,label\n0.png,1\n1.png,1\n");
    assert_eq!(
        folder.refused(&["two", "-o", "x.csv"]),
        "two/labels.csv: there is no 1.png among the pictures; remove the line, or add the picture"
    );
    // A line of the list names the picture that is left out.
    folder.write("two/1.png", &folder.read("made/00000.png"));
    assert_eq!(
        folder.refused(&["two", "-o", "x.csv", "--skip", "1.png"]),
        "two/labels.csv: there is no 1.png among the pictures; remove the line, or add the picture"
    );
    // A list without labels, next to the folders of the classes.
    for name in ["cat/0.png", "cat/1.png", "dog/0.png", "dog/1.png"] {
        folder.write(&format!("kinds/{name}"), &folder.read("made/00000.png"));
    }
    let options = "`--classes kinds/labels.csv`, or `--skip labels.csv` to leave it out";
    let names = format!("this list may have class names, not labels: {options}");
    for (list, message) in [
        ("id,label\n0,cat\n1,dog\n", names.as_str()),
        (
            "file\ncat/0.png\ncat/1.png\ndog/0.png\ndog/1.png\n",
            "there is no column of labels next to the names; write lines like 0.png,7: `--skip labels.csv` if the list \
             has no labels",
        ),
    ] {
        folder.write("kinds/labels.csv", list.as_bytes());
        assert_eq!(
            folder.refused(&["kinds", "-o", "x.idx"]),
            format!("kinds/labels.csv: {message}")
        );
        folder.run(&["convert", "kinds", "--skip", "labels.csv", "-qfo", "kinds.idx"]).success();
        assert_eq!(folder.read("kinds-classes.txt"), b"cat\ndog\n");
    }
    // A list of the names of the classes.
    for name in ["0/a.png", "1/a.png"] {
        folder.write(&format!("named/{name}"), &folder.read("made/00000.png"));
    }
    folder.write("named/labels.csv", b"label,name\n0,cat\n1,dog\n");
    assert_eq!(
        folder.refused(&["named", "-o", "x.idx"]),
        "named/labels.csv: this list may have class names, not labels: `--classes named/labels.csv`, or \
         `--skip labels.csv` to leave it out"
    );
    let classes = ["--classes", "named/labels.csv"];
    folder.run(&[&["convert", "named", "-qo", "named.idx"], &classes[..]].concat()).success();
    assert_eq!(folder.read("named-labels.idx"), file(8, &[2], &[0, 1]));
    assert_eq!(folder.read("named-classes.txt"), b"cat\ndog\n");
    // Two spellings of a number.
    for name in ["0/a.png", "00/a.png", "1/a.png"] {
        folder.write(&format!("zeros/{name}"), &folder.read("made/00000.png"));
    }
    assert_eq!(
        folder.refused(&["zeros", "-o", "x.idx"]),
        "zeros: the classes 0 and 00 are one number; rename one of them: `--skip 00` to read only 0, or `--skip 0` to \
         read only 00, or `--label-column 0` if they are one class"
    );
    folder.run(&["convert", "zeros", "--label-column", "0", "-qfo", "zeros.idx"]).success();
    assert_eq!(folder.read("zeros-labels.idx"), file(8, &[3], &[0, 0, 1]));
    for skipped in ["0", "00"] {
        folder.run(&["convert", "zeros", "--skip", skipped, "-qfo", "zeros.idx"]).success();
        assert_eq!(folder.read("zeros-labels.idx"), file(8, &[2], &[0, 1]));
    }
}

/// Twelve pictures, each filled with its number.
fn twelve() -> Folder {
    let folder = Folder::new(&[]);
    for number in 1..=12 {
        let picture = GrayImage::from_pixel(1, 1, image::Luma([number]));
        folder.write(&format!("pics/{number}.png"), &png(&picture.into()));
    }
    folder
}

/// Failed before: the table was left out, and the pictures had no labels.
#[test]
fn a_table_beside_pictures_may_have_their_labels() {
    let folder = twelve();
    let table = |first: &str, line: &dyn Fn(u8) -> String| {
        (1..=12).fold(first.to_string(), |text, number| text + &line(number))
    };
    let list = table("", &|number| format!("pics/{number}.png {}\n", number % 2));
    folder.write("pics/train.txt", list.as_bytes());
    let options = "`--labels pics/train.txt`, or `--no-labels` if they have none";
    assert_eq!(
        folder.refused(&["pics", "-o", "x.idx"]),
        format!("pics: train.txt may have the labels of the pictures: {options}")
    );
    folder.run(&["convert", "pics", "--labels", "pics/train.txt", "-qo", "x.idx"]).success();
    assert_eq!(folder.read("x-labels.idx"), file(8, &[12], &[1, 0].repeat(6)));
    folder.run(&["convert", "pics", "--no-labels", "-qo", "y.idx"]).success();
    // A list of some pictures, as when train.txt and val.txt divide them.
    let (some, _) = list.split_at(list.find("pics/12.png").unwrap());
    folder.write("pics/train.txt", some.as_bytes());
    assert!(folder.refused(&["pics", "-o", "w.idx"]).ends_with(options));
    assert_eq!(
        folder.refused(&["pics", "--labels", "pics/train.txt", "-o", "w.idx"]),
        "pics/train.txt: 12.png has no label here; add a line: `--skip 12.png` to leave it out"
    );
    // Kaggle's sample submission and plain text have no labels.
    folder.write("pics/train.txt", b"These are pictures.\n");
    let labels = table("id,label\n", &|number| format!("{number},cat\n"));
    folder.write("pics/sampleSubmission.csv", labels.as_bytes());
    folder.run(&["convert", "pics", "-qo", "z.idx"]).success();
    // Labels of one part. Failed before: they were offered for both parts, whose pictures may have the same names.
    let labels = table("id,label\n", &|number| {
        format!("{number},{}\n", ["cat", "dog"][usize::from(number % 2)])
    });
    folder.write("parts/trainLabels.csv", labels.as_bytes());
    for number in 1..=12 {
        let picture = folder.read(&format!("pics/{number}.png"));
        folder.write(&format!("parts/train/{number}.png"), &picture);
        folder.write(&format!("parts/test/{}.png", number + 12), &picture);
    }
    let question = "parts: trainLabels.csv may have the labels of the pictures: `--labels parts/trainLabels.csv` with \
                    only train as input, or `--no-labels` if they have none";
    assert_eq!(folder.refused(&["parts", "-o", "parts.npz"]), question);
    // The pictures of the other part have other numbers.
    let test = ["convert", "parts/test", "--labels", "parts/trainLabels.csv", "-qo", "test.idx"];
    assert_eq!(
        folder.refused(&test[1..]),
        "parts/trainLabels.csv: `id` does not name the pictures (1); write their names, such as 13.png: `--skip id` if \
         the lines are in the order of the pictures"
    );
    folder.run(&[&test[..], &["--skip", "id"]].concat()).success();
    for number in 1..=12 {
        let picture = folder.read(&format!("pics/{number}.png"));
        folder.write(&format!("parts/test1/{number}.png"), &picture);
    }
    fs::remove_dir_all(folder.0.path().join("parts/test")).unwrap();
    assert_eq!(folder.refused(&["parts", "-o", "parts.npz"]), question);
    let train = ["convert", "parts/train", "--labels", "parts/trainLabels.csv", "-qo", "train.idx"];
    folder.run(&train).success();
    assert_eq!(folder.read("train-classes.txt"), b"cat\ndog\n");
    // Labels of all parts. Failed before: the advice was an option that gives labels to one part.
    let lines = |part: &str| table("", &|number| format!("{part}/{number}.png,{}\n", number % 2));
    folder.write("parts/all.csv", format!("{}{}", lines("train"), lines("test1")).as_bytes());
    fs::remove_file(folder.0.path().join("parts/trainLabels.csv")).unwrap();
    assert_eq!(
        folder.refused(&["parts", "-o", "parts.npz"]),
        "parts: all.csv may have the labels of all parts; rename it to parts/labels.csv: `--no-labels` \
         if they have none"
    );
    let [all, labels] =
        ["all", "labels"].map(|name| folder.0.path().join(format!("parts/{name}.csv")));
    fs::rename(all, labels).unwrap();
    folder.run(&["convert", "parts", "-qo", "parts.npz"]).success();
}

/// Failed before: the column of names was ignored, so 2.png got the label of 10.png. Failed before: nothing said how to
/// give labels that are in files of other formats.
#[test]
fn labels_in_other_files_are_told() {
    let picture = png(&GrayImage::new(2, 2).into());
    for (name, is_told) in
        [("0.cls", true), ("labels.json", true), ("metadata.jsonl", true), ("made-by.txt", false)]
    {
        let folder = Folder::new(&[]);
        folder.write("set/0.png", &picture);
        folder.write("set/1.png", &picture);
        folder.write(&format!("set/{name}"), b"1\n");
        let said = folder.run(&["info", "set"]).success();
        let advice = "; for labels, write lines like 0.png,7 into labels.csv";
        assert_eq!(said.contains(&format!("{name} left out{advice}")), is_told, "{said}");
    }
}

#[test]
fn a_list_that_an_option_names_is_no_table_of_records() {
    let picture = png(&GrayImage::new(2, 2).into());
    let folder = Folder::new(&[]);
    for path in ["set/pictures/0.png", "set/pictures/1.png"] {
        folder.write(path, &picture);
    }
    for fold in ["set/fold-1", "set/fold-2"] {
        for list in ["train.csv", "test.csv"] {
            folder.write(&format!("{fold}/{list}"), b"file,label\n0.png,4\n1.png,5\n");
        }
    }
    let question = folder.refused(&["set", "-o", "x.csv"]);
    assert!(
        question.contains("`--labels set/fold-1/train.csv` with only pictures as input"),
        "{question}"
    );
    // Failed before: the answer led to the same question.
    folder.run(&["convert", "set", "--labels", "set/fold-1/train.csv", "-o", "x.csv"]).success();
    assert_eq!(folder.read("x.csv"), b"label,1x1,1x2,2x1,2x2\n4,0,0,0,0\n5,0,0,0,0\n");
    folder.run(&["convert", "set", "--no-labels", "-o", "y.csv"]).success();
}

#[test]
fn labels_of_a_table_are_paired_by_names() {
    let folder = twelve();
    let mut names: Vec<String> = (1..=12).map(|number| number.to_string()).collect();
    names.sort(); // as text, as Python does
    let table = |header: &str, line: &dyn Fn(&str) -> String| {
        let lines: Vec<String> = names.iter().map(|name| line(name)).collect();
        format!("{header}{}", lines.concat())
    };
    let image = |name: &str| format!("{name}.png,1{name}\n");
    let label_first = |name: &str| format!("1{name},../x/pics\\{name}.png\n");
    let with_more = |name: &str| format!("5,{name},0.5,1{name}\n");
    for (header, line) in [
        ("filename,label\n", &image as &dyn Fn(&str) -> String),
        ("", &image),
        ("a,b\n", &image),
        ("", &label_first),
        ("size,id,score,label\n", &with_more),
    ] {
        folder.write("train.csv", table(header, line).as_bytes());
        let arguments = ["pics", "--labels", "train.csv", "-f", "-o", "p.csv"];
        folder.convert(&arguments);
        let records = (1..=12).map(|number| format!("1{number},{number}\n"));
        let expected = format!("label,1x1\n{}", records.collect::<String>());
        let found = String::from_utf8(folder.read("p.csv")).unwrap();
        assert_eq!(found, expected, "{header:?} {}", line("7"));
        let copied = table(header, line);
        folder.write("pics/labels.csv", copied.as_bytes());
        if header.split(',').count() < 4 {
            folder.convert(&["pics", "-f", "-o", "p.csv"]);
            assert_eq!(String::from_utf8(folder.read("p.csv")).unwrap(), expected);
        }
        fs::remove_file(folder.0.path().join("pics/labels.csv")).unwrap();
    }
    let lines = table("file,label\n", &image);
    for (lines, message) in [
        (
            lines.replace("7.png,17\n", ""),
            "7.png has no label here; add a line: `--skip 7.png` to leave it out",
        ),
        (
            lines.replace("7.png", "70.png"),
            "there is no 70.png among the pictures; remove the line, or add the picture",
        ),
        // Pictures that were saved in another format.
        (
            lines.replace(".png", ".jpg"),
            "there is no 1.jpg among the pictures; remove the line, or add the picture",
        ),
        (lines.replace("7.png", "8.png"), "two lines have a label for 8.png; remove one of them"),
        // Failed before: in lists of pictures, such labels were classes.
        (
            lines.replace("7.png,17", "7.png,total"),
            "a line has the label total, which marks a line of sums; correct it, or remove the line: `--label-column label` if it is \
             the name of a class",
        ),
        (
            lines.replace("7.png,17", "7.png,'17'"),
            "a line has the label '17', which is a number with other characters; correct it, or remove the line: \
             `--label-column label` if it is the name of a class",
        ),
    ] {
        folder.write("train.csv", lines.as_bytes());
        for command in [&["stats"][..], &["convert", "-o", "x.csv"], &["show"]] {
            let arguments = [command, &["pics", "--labels", "train.csv"]].concat();
            assert_eq!(folder.run(&arguments).failure().1, format!("train.csv: {message}"));
        }
    }
    // Words are classes, as in the folder's own table.
    folder.write(
        "train.csv",
        table("file,label\n", &|name| {
            format!("{name}.png,{}\n", if name < "2" { "owl" } else { "ant" })
        })
        .as_bytes(),
    );
    let message = folder.run(&["convert", "pics", "--labels", "train.csv", "-o", "w.idx"]).messages;
    assert_eq!(message, "idx: w-classes.txt: 0 ant, 1 owl\n");
    assert_eq!(folder.read("w-labels.idx"), file(8, &[12], &[1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]));
    assert_eq!(folder.read("w-classes.txt"), b"ant\nowl\n");
}

/// ISIC and Plant Pathology have such sets. Failed before: an error counted the names as a column of labels.
#[test]
fn one_hot_columns_beside_the_names_are_classes() {
    let folder = twelve();
    let row = |number: u8| match number % 3 {
        0 => "1.0,0.0,0.0",
        1 => "0.0,1.0,0.0",
        _ => "0.0,0.0,1.0",
    };
    let lines: String =
        (1..=12).rev().map(|number| format!("{number},{}\n", row(number))).collect();
    let expected: Vec<u8> = (1..=12).map(|number| number % 3).collect();
    for (header, classes) in [("image,MEL,NV,BCC\n", Some("MEL\nNV\nBCC\n")), ("", None)] {
        folder.write("truth.csv", format!("{header}{lines}").as_bytes());
        let arguments = ["convert", "pics", "--labels", "truth.csv", "-f", "-o", "p.idx"];
        assert_eq!(folder.run(&arguments).code, Some(0));
        assert_eq!(folder.read("p-labels.idx"), file(8, &[12], &expected), "{header}");
        let names = fs::read_to_string(folder.0.path().join("p-classes.txt")).ok();
        assert_eq!(names.as_deref(), classes);
        fs::remove_file(folder.0.path().join("p-classes.txt")).ok();
    }
    let not_hot = "`MEL` or `NV` or `BCC` may be the label, because record 7 is not one-hot, a single 1 and zeros";
    for (bad, expected) in [
        ("0.0,0.0,0.0", not_hot),
        ("1.0,0.0,1.0", not_hot),
        ("2.0,0.0,0.0", not_hot),
        ("1.0,0.0", "line 9 has 3 columns, and others have 4"),
    ] {
        let lines = lines.replace(&format!("5,{}", row(5)), &format!("5,{bad}"));
        folder.write("truth.csv", format!("image,MEL,NV,BCC\n{lines}").as_bytes());
        let message = folder.refused(&["pics", "--labels", "truth.csv", "-o", "x.idx"]);
        assert!(message.starts_with(&format!("truth.csv: {expected}")), "{message}");
    }
}

/// A name that two pictures share names neither, and the first column is not the label only because it is first.
#[test]
fn pictures_of_one_name_are_told_by_their_folders() {
    let folder = Folder::new(&[]);
    for (name, gray) in [("a/x/1.png", 1), ("b/x/1.png", 2)] {
        let picture = GrayImage::from_pixel(1, 1, image::Luma([gray]));
        folder.write(&format!("pics/{name}"), &png(&picture.into()));
    }
    let arguments = ["pics", "--labels", "l.csv", "-f", "-o", "p.csv"];
    folder.write("l.csv", b"file,label\nb/x/1.png,4\na/x/1.png,3\n");
    folder.convert(&arguments);
    assert_eq!(folder.read("p.csv"), b"label,1x1\n3,1\n4,2\n");
    folder.write("l.csv", b"file,label\nb/x/1.png,4\nx/1.png,3\n");
    assert!(folder.refused(&arguments).contains("several pictures are called x/1.png"));
    folder.write("l.csv", b"b/x/1.png,4,9\na/x/1.png,3,9\n");
    assert!(folder.refused(&arguments).contains("may be the label"));
}

/// If the numbers are not names, the lines are in the order of the pictures.
#[test]
fn labels_without_names_have_the_order_of_the_pictures() {
    let folder = twelve();
    let lines = |line: &dyn Fn(u8) -> String| (1..=12).map(line).collect::<String>();
    let expected: Vec<u8> = (1..=12).map(|number| (number + 1) % 3).collect();
    // The labels happen to be the numbers of all pictures.
    folder.write("train.csv", lines(&|number| format!("{}\n", 13 - number)).as_bytes());
    folder.convert(&["pics", "--labels", "train.csv", "-f", "-o", "p.idx"]);
    let reversed: Vec<u8> = (1..=12).rev().collect();
    assert_eq!(folder.read("p-labels.idx"), file(8, &[12], &reversed));
    for text in [
        lines(&|number| format!("{}\n", (number + 1) % 3)),
        format!("size,label\n{}", lines(&|number| format!("5,{}\n", (number + 1) % 3))),
        format!("size,label\n{}", lines(&|number| format!("{}.5,{}\n", number, (number + 1) % 3))),
    ] {
        folder.write("train.csv", text.as_bytes());
        folder.convert(&["pics", "--labels", "train.csv", "-f", "-o", "p.idx"]);
        assert_eq!(folder.read("p-labels.idx"), file(8, &[12], &expected), "{text}");
    }
    folder.write("train.csv", lines(&|number| format!("5,{}\n", (number + 1) % 3)).as_bytes());
    let message = folder.refused(&["pics", "--labels", "train.csv", "-o", "x.idx"]);
    assert!(message.starts_with("train.csv: column 0 or column 1 may be the label"), "{message}");
}

/// Failed before: the pictures of cats got the name dog, which was first in the list.
#[test]
fn a_list_of_names_numbers_the_classes_of_folders() {
    let folder = Folder::new(&[("list.txt", b"owl\ndog\ncat\n")]);
    let convert = |arguments: &[&str]| {
        let outcome = folder.run(&[&["convert"], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    };
    let picture = |level| png(&GrayImage::from_pixel(1, 1, image::Luma([level])).into());
    folder.write("photos/cat/1.png", &picture(1));
    folder.write("photos/dog/2.png", &picture(2));
    let names = ["photos", "--classes", "list.txt", "-f", "-o", "a.idx"];
    convert(&names);
    assert_eq!(folder.read("a.idx")[16..], [1, 2]);
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[2, 1]));
    assert_eq!(folder.read("a-classes.txt"), b"owl\ndog\ncat\n");
    convert(&[&names[..], &["--only", "cat"]].concat());
    assert_eq!(folder.read("a.idx")[16..], [1]);
    // The list also numbers the names in a table.
    folder.write("labels.csv", b"file,label\n1.png,dog\n2.png,cat\n");
    folder.write("flat/1.png", &picture(1));
    folder.write("flat/2.png", &picture(2));
    let table = ["flat", "-l", "labels.csv", "--classes", "list.txt", "-f", "-o", "a.idx"];
    convert(&table);
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[1, 2]));
    fs::copy(folder.0.path().join("labels.csv"), folder.0.path().join("flat/labels.csv")).unwrap();
    convert(&["flat", "--classes", "list.txt", "-f", "-o", "a.idx"]);
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[1, 2]));
    folder.write("list.txt", b"Dog\nCAT\n");
    convert(&names);
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[1, 0]));
    // A list that lacks a class is refused, and a list of only new names renames the classes.
    folder.write("list.txt", b"owl\ncat\n");
    assert_eq!(
        folder.refused(&names),
        "photos: record 1: the class `dog` is not in the list of names; add it, or correct it"
    );
    folder.write("list.txt", b"Katze\nHund\n");
    convert(&names);
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[0, 1]));
    assert_eq!(folder.read("a-classes.txt"), b"Katze\nHund\n");
    // Labels with a list next to them get new names.
    convert(&["a.idx", "-o", "b.idx"]);
    folder.write("list.txt", b"Hund\nKatze\n");
    convert(&["b.idx", "--classes", "list.txt", "-o", "c.idx"]);
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[0, 1]));
    assert_eq!(folder.read("c-classes.txt"), b"Hund\nKatze\n");
}

/// Failed before: the first column named the pictures, although pandas writes it unless told otherwise.
#[test]
fn two_columns_may_name_the_pictures() {
    let folder = twelve();
    let table = |shift: u8| {
        let line = |number| format!("{number},{},{number}\n", (number + shift - 1) % 12 + 1);
        format!(",id,label\n{}", (1..=12).map(line).collect::<String>())
    };
    folder.write("train.csv", table(0).as_bytes());
    folder.convert(&["pics", "--labels", "train.csv", "-o", "p.idx"]);
    assert_eq!(folder.read("p-labels.idx"), file(8, &[12], &(1..=12).collect::<Vec<u8>>()));
    folder.write("train.csv", table(5).as_bytes());
    assert_eq!(
        folder.refused(&["pics", "--labels", "train.csv", "-o", "x.idx"]),
        "train.csv: column 0 and `id` both name the pictures, and differ: `--skip id` if column 0 names them, or \
         `--skip 0` if `id` names them"
    );
    // Row numbers from 0 do not name picture 12.
    let line = |number: u8| format!("{},{},{number}\n", 12 - number, number);
    let lines = (1..=12).map(line).collect::<String>();
    folder.write("train.csv", format!(",id,label\n{lines}").as_bytes());
    folder.convert(&["pics", "--labels", "train.csv", "-f", "-o", "p.idx"]);
    assert_eq!(folder.read("p-labels.idx"), file(8, &[12], &(1..=12).collect::<Vec<u8>>()));
}

/// Failed before: the labels went to the records in the order of the lines, whatever their numbers.
#[test]
fn numbers_of_lines_rise() {
    let folder = Folder::new(&[("a.idx", &file(8, &[4], &[10, 11, 12, 13]))]);
    let arguments = ["a.idx", "-l", "train.csv", "-f", "-o", "b.idx"];
    for names in ["ImageId,Label", ",Label", "id,label", "Unnamed: 0,LABEL"] {
        let write = |numbers: [&str; 4]| {
            let lines = numbers.iter().zip(["7", "8", "0.9e1", "6"]);
            let lines = lines.map(|(number, label)| format!("{number},{label}\n"));
            let table = format!("{names}\n{}", lines.collect::<String>());
            folder.write("train.csv", table.as_bytes());
        };
        for rising in [["0", "1", "2", "3"], ["3", "10", "", "11"], ["b", "a", "x", "0"]] {
            write(rising);
            folder.convert(&arguments);
            assert_eq!(folder.read("b-labels.idx"), file(8, &[4], &[7, 8, 9, 6]), "{rising:?}");
        }
        let name = names.split(',').next().unwrap();
        let answer = match name {
            "" => ", or remove the column if they are in the same order".to_string(),
            "Unnamed: 0" => format!(": `--skip '{name}'` if they are in the same order"),
            _ => format!(": `--skip {name}` if they are in the same order"),
        };
        for (others, place) in [
            (["1", "3", "2", "4"], "2 follows 3"),
            (["1", "1", "2", "3"], "1 follows 1"),
            (["5", "6", "", "0"], "0 follows 6"),
        ] {
            write(others);
            let message = folder.refused(&arguments);
            let expected = format!(
                "{place}, so the lines may be in another order than the records; sort them by it{answer}"
            );
            assert!(message.ends_with(&expected), "{message}");
        }
        if !name.is_empty() {
            folder.convert(&[&arguments[..], &["--skip", name]].concat());
            assert_eq!(folder.read("b-labels.idx"), file(8, &[4], &[7, 8, 9, 6]));
        }
    }
    // The wrong line is beyond the sample.
    let lines = (0..2000).chain([5]).map(|number| format!("{number},7\n"));
    folder.write("long.csv", format!("id,label\n{}", lines.collect::<String>()).as_bytes());
    folder.write("long.idx", &file(8, &[2001], &[1; 2001]));
    let message = folder.refused(&["long.idx", "-l", "long.csv", "-o", "c.idx"]);
    let expected = "long.csv: record 2000 (line 2002), column 0: in `id`, 5 follows 1999, so the lines may be \
                    in another order than the records; sort them by it: `--skip id` if they are in the same order";
    assert_eq!(message, expected);
}

/// Failed before: the labels went to the records in the order of the lines.
#[test]
fn columns_of_other_names_may_number_the_records() {
    let folder = Folder::new(&[("a.idx", &file(8, &[3], &[10, 11, 12]))]);
    for name in ["image", "n"] {
        for (first, is_read) in [(0, false), (1, false), (7, true)] {
            let lines = [(2, "c"), (0, "a"), (1, "b")];
            let lines = lines.map(|(number, label)| format!("{},{label}\n", number + first));
            folder.write("l.csv", format!("{name},label\n{}", lines.concat()).as_bytes());
            let arguments = ["a.idx", "-l", "l.csv", "-f", "-o", "b.idx"];
            if !is_read {
                let message = folder.refused(&arguments);
                let answer =
                    format!("sort them by it: `--skip {name}` if they are in the same order");
                assert!(message.ends_with(&answer), "{message}");
            }
            let skip: &[&str] = if is_read { &[] } else { &["--skip", name] };
            assert_eq!(folder.run(&[&["convert"], &arguments[..], skip].concat()).code, Some(0));
            assert_eq!(folder.read("b-labels.idx"), file(8, &[3], &[2, 0, 1]));
        }
    }
}

/// Failed before: fractions were names of classes.
#[test]
fn fractions_are_no_names_of_classes() {
    let folder = twelve();
    for (table, expected) in
        [("1.0", Ok(1)), ("2.000e+00", Ok(2)), ("0.5", Err("`label` has decimals"))]
    {
        let lines = (1..=12).map(|number| format!("{number}.png,{table}\n"));
        folder.write(
            "pics/labels.csv",
            format!("file,label\n{}", lines.collect::<String>()).as_bytes(),
        );
        match expected {
            Ok(label) => {
                folder.convert(&["pics", "-f", "-o", "p.idx"]);
                assert_eq!(folder.read("p-labels.idx"), file(8, &[12], &[label; 12]));
            }
            Err(part) => {
                let message = folder.refused(&["pics", "-f", "-o", "p.idx"]);
                assert!(message.contains(part), "{message}");
            }
        }
    }
}

#[test]
fn a_list_may_have_other_capitals_in_endings() {
    let picture = png(&GrayImage::new(2, 2).into());
    let lists =
        [("l.csv", &b"name,label\nb.png,1\na.png,2\n"[..]), ("m.csv", b"image,dx\na,x\nb,y\n")];
    let folder = Folder::new(&lists);
    folder.write("set/a.PNG", &picture);
    folder.write("set/b.PNG", &picture);
    folder.convert(&["set", "-l", "l.csv", "-o", "x.idx"]);
    assert_eq!(folder.read("x-labels.idx"), file(8, &[2], &[2, 1]));
    // There are as many lines as pictures, and the first line names no picture.
    folder.write("set/c.PNG", &picture);
    let message = folder.refused(&["set", "-l", "m.csv", "-o", "y.idx"]);
    assert!(message.contains("line 1 (image, dx) may name the columns"), "{message}");
    let message = folder.refused(&["set", "-l", "m.csv", "-o", "y.idx", "--header"]);
    assert!(message.contains("c.PNG has no label here"), "{message}");
}

/// Failed before: only text said so.
#[test]
fn labels_without_names_are_in_the_order_of_the_pictures() {
    let folder = Folder::new(&[]);
    let labels: Vec<u8> = (1..=12).collect();
    for label in &labels {
        let picture = png(&GrayImage::from_pixel(2, 2, [*label].into()).into());
        folder.write(&format!("pics/{label}.png"), &picture);
    }
    folder.write("l.idx", &file(8, &[12], &labels));
    folder.convert(&["l.idx", "-o", "l.npy"]);
    let lines: String = labels.iter().map(|label| format!("{label}\n")).collect();
    folder.write("l.txt", lines.as_bytes());
    for (list, expected) in [
        ("l.idx", "l.idx: a label for each picture, in the order 1, 2, 10"),
        ("l.npy", "l.npy: a label for each picture, in the order 1, 2, 10"),
        ("l.txt", "a line for each picture, in the order 1, 2, 10"),
    ] {
        let outcome = folder.run(&["convert", "pics", "-l", list, "-f", "-o", "a.csv"]);
        assert!(outcome.readings.contains(expected), "{outcome:?}");
        let table = String::from_utf8(folder.read("a.csv")).unwrap();
        assert!(table.ends_with("\n12,12,12,12,12\n"), "{table}");
    }
    // An array that is no folder of pictures has its own order.
    folder.convert(&["pics", "--no-labels", "-o", "p.idx"]);
    let outcome = folder.run(&["convert", "p.idx", "-l", "l.npy", "-o", "b.csv"]);
    assert!(!outcome.readings.contains("in the order"), "{outcome:?}");
}

/// Failed before: the question was about the tables, not about the pictures.
#[test]
fn lists_beside_pictures_that_are_not_read() {
    let folder = Folder::new(&[]);
    for class in ["00000", "00001"] {
        folder.write(&format!("signs/{class}/0.ppm"), b"P6 1 1 255 abc");
        folder.write(&format!("signs/{class}/GT-{class}.csv"), b"Filename;ClassId\n0.ppm;0\n");
    }
    assert_eq!(
        folder.refused(&["signs", "-o", "x.idx"]),
        "signs: the format of 0.ppm is not read; export it as PNG or JPEG: `--skip '*.ppm'` to leave \
         them out"
    );
}
