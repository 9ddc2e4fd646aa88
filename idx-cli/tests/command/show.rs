//! `idx show`, and files without a command: which records are shown, with which labels.

use idx_tests::{file, gzip, labels, real_data};

use crate::common::{Folder, each_format, not_idx, two_images, with_raw};

/// Without a command, each file gets `info` and `show`.
#[test]
fn files_without_a_command() {
    let labels = file(0x08, &[3], &[7, 8, 9]);
    let folder = Folder::new(&[
        ("images", &two_images()),
        ("labels", &gzip(&labels)),
        ("cut", &two_images()[..25]),
        ("text", b"not IDX"),
    ]);
    let both = |name: &str| {
        let [info, show] = ["info", "show"].map(|command| folder.run(&[command, name]));
        assert_eq!(show.messages, info.messages);
        format!("{}\n{}", info.output, show.output)
    };
    let output = folder.run(&["images", "./labels"]).success();
    let labels = both("labels").replace("labels\n", "./labels\n");
    assert_eq!(output, format!("{}\n{labels}", both("images")));

    // The error is printed once, and the next file follows.
    let outcome = folder.run(&["cut", "text", "images"]);
    assert_eq!(outcome.output, format!("{}\n\n{}", both("cut"), both("images")));
    assert_eq!((outcome.code, outcome.messages.lines().count()), (Some(1), 2));

    // Failed before: nothing said how to show fractions.
    folder.write("fractions.csv", b"x,y\n0.5,1\n0.25,2\n");
    let (_, message) = folder.run(&["fractions.csv"]).failure();
    assert!(
        message.contains("range to scale from: `idx show --as f32` or `idx show --as u8"),
        "{message}"
    );

    for mistyped in [&["inf", "images"][..], &["inf"]] {
        let outcome = folder.run(mistyped);
        assert_eq!((outcome.code, outcome.output), (Some(2), String::new()));
        assert!(outcome.messages.contains("unrecognized subcommand"));
        assert!(outcome.messages.contains("'info'"));
    }
    let outcome = folder.run(&["missing", "images"]);
    assert_eq!((outcome.code, outcome.output), (Some(2), String::new()));
    let message = "idx: missing: no such file, and no command has this name\n";
    assert!(outcome.messages.starts_with(message), "{}", outcome.messages);
    for (name, expected) in [
        ("images.idx", "no such file; check the path"),
        ("t10k-images-idx3-ubyt", "no such file; check the path"),
        ("no/images", "there is no folder no; create it, or check the path"),
    ] {
        let (_, message) = folder.run(&[name]).failure();
        assert_eq!(message, format!("{name}: {expected}"));
    }
    let (output, message) = folder.run(&["images", "nope"]).failure();
    assert!(output.starts_with(&both("images")));
    assert_eq!(message, "nope: no such file; check the path");
}

#[test]
fn show_draws_pictures_with_labels() {
    let folder = Folder::new(&[
        ("images", &two_images()),
        ("labels", &file(0x0B, &[2], &[0, 7, 0xFF, 0xFE])),
        ("columns", &file(0x0C, &[2, 2], &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4])),
    ]);
    let plain = folder.run(&["show", "images"]).success();
    assert_eq!(plain, "0       1\n  ++@@  @@\n@@          @@\n");
    let labels = folder.run(&["show", "images", "--labels", "labels"]).success();
    assert_eq!(labels, "0: label 7  1: label -2\n  ++@@      @@\n@@              @@\n");
    let columns =
        ["show", "images", "--labels", "columns", "--label-column", "1", "--records", "1"];
    assert!(folder.run(&columns).success().starts_with("1: label 4\n"));
    let streamed =
        folder.run_with(&["show", "-", "--records", "1.."], &gzip(&two_images())).success();
    assert_eq!(streamed, "1\n@@\n    @@\n");
}

#[test]
fn show_prints_records_that_are_no_images_as_numbers() {
    let floats: Vec<u8> =
        [0.1f32, -2.0, f32::NAN, f32::INFINITY].into_iter().flat_map(f32::to_be_bytes).collect();
    let folder = Folder::new(&[
        ("floats", &file(0x0D, &[2, 2], &floats)),
        ("scalar", &file(0x09, &[], &[0xFF])),
        ("nothing", &file(0x08, &[2, 0], &[])),
        ("none", &file(0x08, &[0, 28, 28], &[])),
        ("blocks", &file(0x08, &[1, 2, 2, 2], &[1, 2, 3, 4, 5, 6, 7, 8])),
        ("far", &file(0x0D, &[4], &[1e14f32, 1e16, 2e-4, 1e-5].map(f32::to_be_bytes).concat())),
    ]);
    assert_eq!(folder.run(&["show", "floats"]).success(), "0: 0.1  -2\n1: NaN inf\n");
    assert_eq!(
        folder.run(&["show", "far"]).success(),
        "0: 100000000000000\n1:            1e16\n2:          0.0002\n3:            1e-5\n"
    );
    assert_eq!(folder.run(&["show", "scalar"]).success(), "0: -1\n");
    assert_eq!(folder.run(&["show", "nothing"]).success(), "0:\n1:\n");
    let none = folder.run(&["show", "none"]);
    assert_eq!((none.code, none.output.as_str()), (Some(0), ""));
    assert_eq!(none.messages, "idx: none: note: no records to show\n");
    assert_eq!(folder.run(&["show", "blocks"]).success(), "0: 1 2 3 4 5 6 7 8\n");
    // Failed before: numbers and names were right-aligned together.
    folder.write("pairs", &file(0x08, &[2, 2], &[1, 2, 3, 4]));
    folder.write("labels", &file(0x08, &[2], &[7, 8]));
    folder.write("names.txt", b"7 ant\n8 horse\n");
    let named = ["show", "pairs", "--labels", "labels", "--classes", "names.txt"];
    assert_eq!(folder.run(&named).success(), "0: 7 ant   1 2\n1: 8 horse 3 4\n");
}

#[test]
fn show_refuses_what_does_not_go_together() {
    let folder = Folder::new(&[
        ("images", &two_images()),
        ("three", &file(0x08, &[3], &[1, 2, 3])),
        ("floats", &file(0x0D, &[2], &[0x3F, 0, 0, 0, 0, 0, 0, 0])),
        ("deep", &file(0x08, &[2, 1, 1], &[1, 2])),
        ("columns", &file(0x08, &[2, 2], &[1, 2, 3, 4])),
    ]);
    for (arguments, expected) in [
        (
            &["--records", "3.."][..],
            "images: the range starts beyond the last record; there are 2 records, counted from 0",
        ),
        (
            &["--records", "2"],
            "images: the range starts beyond the last record; there are 2 records, counted from 0",
        ),
        (
            &["--labels", "three"],
            "three: 3 labels but 2 records; give the label file of these records, or if dimension 2 counts the records, move it to the front with `numpy.moveaxis(array, 2, 0)`",
        ),
        (
            &["--labels", "floats"],
            "floats: record 0: 0.5 is not a label, a whole number; round it, choose another column, or leave the labels out with `--no-labels`",
        ),
        (
            &["--labels", "deep"],
            "deep: labels have 1 or 2 dimensions, and these have 3; choose a file of labels",
        ),
        (
            &["--labels", "columns", "--label-column", "2"],
            "columns: there is no column 2; the file has 2 columns, counted from 0",
        ),
        (&["--labels", "missing"], "missing: no such file; check the path"),
    ] {
        let (output, message) = folder.run(&[&["show", "images"], arguments].concat()).failure();
        assert_eq!((output.as_str(), message.as_str()), ("", expected));
    }
}

#[test]
fn the_number_of_a_record_is_not_a_file() {
    let folder = Folder::new(&[("images", &two_images())]);
    for range in ["1", "0..2", "0,1"] {
        let (_, message) = folder.run(&["show", "images", range]).failure();
        let expected = format!(
            "{range}: no such file; choose records with `--records {range}`, and write a list without spaces: 3,7"
        );
        assert_eq!(message, expected);
    }
    let (_, message) = folder.run(&["check", "1"]).failure();
    assert_eq!(message, "1: no such file; check the path");
}

#[test]
fn bad_files_are_one_line_each() {
    for bad in not_idx() {
        let folder = Folder::new(&[(bad.name, &bad.bytes)]);
        // All records, because the first ten of a long file may be good.
        let show = |name| ["show", name, "--records", "..", "--record-limit", "8G"];
        let (_, message) = folder.run(&show(bad.name)).failure();
        assert_eq!(message, format!("{}: {}", bad.name, with_raw(bad.message)));
        let (_, message) = folder.run_with(&show("-"), &bad.bytes).failure();
        // `idx repair` does not read standard input.
        let told =
            with_raw(bad.message).replace("`idx repair` keeps", "`gunzip -c FILE > NEW` keeps");
        assert_eq!(message, format!("-: {told}"));
    }
}

#[test]
fn whole_records_are_shown_before_the_error() {
    let folder = Folder::new(&[("cut", &two_images()[..27])]);
    let (output, message) = folder.run(&["show", "cut"]).failure();
    assert_eq!(output, "0\n  ++@@\n@@\n");
    assert!(message.ends_with(" or `idx convert FILE -r ..1 -o NEW` keeps 1 record"));
    assert_eq!(folder.run(&["show", "cut", "--records", "0"]).success(), output);
}

#[test]
fn real_digits_with_their_labels() {
    let test = "real_digits_with_their_labels";
    let Some(images) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let Some(labels) = real_data(test, "mnist/t10k-labels-idx1-ubyte.gz") else {
        return;
    };
    let folder = Folder::new(&[]);
    let paths = [images, labels].map(|path| path.canonicalize().unwrap());
    let [images, labels] = paths.each_ref().map(|path| path.to_str().unwrap());
    let output = folder.run(&["show", images, "--labels", labels, "--records", "0..3"]).success();
    let captions: Vec<&str> = output
        .lines()
        .filter(|line| line.contains("label"))
        .flat_map(|line| line.split("  ").filter(|caption| !caption.is_empty()))
        .map(str::trim)
        .collect();
    assert_eq!(captions, ["0: label 7", "1: label 2", "2: label 1"]);
    // The upper stroke of the seven, and the stem of the one.
    assert!(output.contains("+***#%%#%%%%%%#-"), "{output}");
    assert!(output.contains(":@#"), "{output}");
}

/// Twelve pictures of 2 x 2, the numbers 0 to 11 in their corners, with labels 0, 1, 2, 0, ... next to them.
fn folder() -> Folder {
    let pixels: Vec<u8> = (0..12).flat_map(|number| [0, number * 20, 0, 0]).collect();
    let labels: Vec<u8> = (0..12).map(|number| number % 3).collect();
    Folder::new(&[
        ("train-images-idx3-ubyte", &file(8, &[12, 2, 2], &pixels)),
        ("train-labels-idx1-ubyte", &file(8, &[12], &labels)),
    ])
}

const IMAGES: &str = "train-images-idx3-ubyte";

/// The captions of what a command shows.
fn captions(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let shown = folder.run(&[&["show"], arguments].concat()).success();
    let lines = shown.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let lines = lines.flat_map(|line| line.split("  ")).map(str::trim);
    lines.filter(|caption| !caption.is_empty()).map(str::to_string).collect()
}

/// `show` takes the first ten records of a class, not those of the class among the first ten records.
#[test]
fn ten_of_a_class_are_shown() {
    let labels: Vec<u8> = (0..100).map(|number| u8::from(number >= 50)).collect();
    let folder = Folder::new(&[
        ("images-idx3-ubyte", &file(8, &[100, 1, 1], &[0; 100])),
        ("labels-idx1-ubyte", &file(8, &[100], &labels)),
    ]);
    let shown = captions(&folder, &["images-idx3-ubyte", "--only", "1"]);
    assert_eq!((shown.len(), &*shown[0], &*shown[9]), (10, "50: label 1", "59: label 1"));
    folder.run(&["show", "images-idx3-ubyte", "--only", "1", "-o", "sheet.png"]).success();
}

#[test]
fn labels_and_names_beside_the_images_are_shown() {
    let folder = folder();
    assert_eq!(captions(&folder, &[IMAGES, "-n", "2"]), ["0: label 0", "1: label 1"]);
    folder.write("classes.txt", b"ant\nbee\ncat\n");
    assert_eq!(captions(&folder, &[IMAGES, "-n", "2"]), ["0: 0 ant", "1: 1 bee"]);
    assert!(folder.run(&[IMAGES]).success().contains("2: 2 cat"));
    // The list of the part comes first, and a class without a name is a number.
    folder.write("train-classes.txt", b"wasp\nbee\n");
    assert_eq!(captions(&folder, &[IMAGES, "-n", "3"]), ["0: 0 wasp", "1: 1 bee", "2: label 2"]);
    std::fs::remove_file(folder.0.path().join("train-classes.txt")).unwrap();
    // One of the two may be compressed.
    let labels = folder.read("train-labels-idx1-ubyte");
    folder.write("train-labels-idx1-ubyte.gz", &gzip(&labels));
    std::fs::remove_file(folder.0.path().join("train-labels-idx1-ubyte")).unwrap();
    assert_eq!(captions(&folder, &[IMAGES, "-r", "2"]), ["2: 2 cat"]);
    folder.write("own.idx", &folder.read(IMAGES));
    assert_eq!(captions(&folder, &["own.idx", "-n", "2"]), ["0", "1"]);
    // If there are more or fewer labels than images, they belong to other images.
    folder.write("train-labels-idx1-ubyte.gz", &file(8, &[3], &[0, 1, 2]));
    let (_, message) = folder.run(&["show", IMAGES]).failure();
    assert!(message.contains("3 labels for the 12 records"), "{message}");
    assert!(message.ends_with("leave the labels out with `--no-labels`"), "{message}");
    assert_eq!(captions(&folder, &[IMAGES, "--no-labels", "-r", "2"]), ["2"]);
    // QMNIST's labels have several columns, and another name.
    folder.write("qmnist-test-images-idx3-ubyte", &folder.read(IMAGES));
    let rows = (0..12).flat_map(|number| [number, 4, 2424, 11, number + 30, 6, 0, 0]);
    let rows: Vec<u8> = rows.flat_map(i32::to_be_bytes).collect();
    folder.write("qmnist-test-labels-idx2-int", &file(0x0C, &[12, 8], &rows));
    assert_eq!(captions(&folder, &["qmnist-test-images-idx3-ubyte", "-r", "7"]), ["7: label 7"]);
}

#[test]
fn one_class_is_shown() {
    let folder = folder();
    folder.write("classes.txt", b"ant\nbee\ncat\n");
    let numbers = |arguments: &[&str]| -> Vec<String> {
        let captions = captions(&folder, &[&[IMAGES], arguments].concat());
        captions.iter().map(|caption| caption.split(':').next().unwrap().to_string()).collect()
    };
    assert_eq!(numbers(&["--only", "2"]), ["2", "5", "8", "11"]);
    assert_eq!(numbers(&["--only", "bee,2", "-n", "6"]), ["1", "2", "4", "5", "7", "8"]);
    assert_eq!(numbers(&["--except", "0,1"]), ["2", "5", "8", "11"]);
    assert_eq!(numbers(&["--per-class", "1"]), ["0", "1", "2"]);
    folder.write("own.idx", &folder.read(IMAGES));
    let (_, message) = folder.run(&["show", "own.idx", "--only", "2"]).failure();
    assert_eq!(message, "own.idx: these records have no labels; give their labels with `--labels`");
}

#[test]
fn several_files_are_shown() {
    let folder = each_format();
    let one = |name: &str| folder.run(&["show", name]).success();
    let output = folder.run(&["show", "a.idx", "l.idx"]).success();
    assert_eq!(output, format!("a.idx\n{}\nl.idx\n{}", one("a.idx"), one("l.idx")));
    let (output, message) = folder.run(&["show", "nofile", "l.idx"]).failure();
    assert_eq!(output, format!("nofile\n\nl.idx\n{}", one("l.idx")));
    assert_eq!(message, "nofile: no such file; check the path");
    for more in [["--labels", "l.idx"], ["-o", "sheet.png"]] {
        let outcome = folder.run(&[&["show", "a.idx", "l.idx"][..], &more].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
    }
}

#[test]
fn records_of_any_format_are_shown() {
    let folder = each_format();
    let plain = folder.run(&["show", "a.idx"]).success();
    let labeled = folder.run(&["show", "a.idx", "--labels", "l.idx"]).success();
    assert_eq!(folder.run(&["show", "a.npy"]).success(), plain);
    assert_eq!(folder.run(&["show", "a.csv"]).success(), labeled);
    let stream = folder.run_with(&["show", "-"], &folder.read("a.npy"));
    assert_eq!(stream.success(), plain);
    // The pictures of a folder are in the order of their classes.
    folder.convert(&["a", "-o", "sorted.csv"]);
    let sorted = folder.run(&["show", "sorted.csv"]).success();
    assert!(sorted.starts_with("0: label 3  1: label 7"), "{sorted}");
    assert_eq!(folder.run(&["show", "a"]).success(), sorted);

    let stats = folder.run(&["stats", "a.idx", "--labels", "l.idx"]).success();
    for name in ["a", "a.csv"] {
        let found = folder.run(&["stats", name]).success();
        let (_, found) = found.split_once('\n').unwrap();
        assert_eq!(found, stats.split_once('\n').unwrap().1, "{name}");
    }
}

/// Failed before: characters two columns wide were counted as one.
#[test]
fn names_of_wide_letters_move_nothing() {
    let folder = Folder::new(&[
        ("x-images-idx3-ubyte", &file(8, &[2, 2, 2], &[255; 8])),
        ("x-labels-idx1-ubyte", &labels(&[1, 0])),
        ("x-classes.txt", "cat\n\u{732B}\u{5B50}\n".as_bytes()),
        ("row.idx", &file(8, &[2, 1], &[5, 6])),
        ("row-labels.idx", &labels(&[1, 0])),
        ("row-classes.txt", "cat\n\u{732B}\u{5B50}\n".as_bytes()),
    ]);
    let numbers = folder.run(&["show", "row.idx"]).success();
    assert_eq!(numbers, "0: 1 \u{732B}\u{5B50} 5\n1: 0 cat  6\n");
    let pictures = folder.run(&["show", "x-images-idx3-ubyte"]).success();
    let mut lines = pictures.lines();
    assert_eq!(lines.next(), Some("0: 1 \u{732B}\u{5B50}  1: 0 cat"));
    // The second picture begins in the column of its caption.
    assert_eq!(lines.next(), Some("@@@@       @@@@"), "{pictures}");
}
