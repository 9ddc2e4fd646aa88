//! What hands guess works, and what they mistype is told.

use idx_tests::file;

use crate::common::Folder;

/// Twelve pictures of 2 x 2, the numbers 0 to 11 in their corners, with labels 0, 1, 2, 0, ... beside them.
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

/// The first ten of a class, not those among the first ten records.
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
fn pictures_are_turned_and_inverted() {
    let pixels = [0, 0, 255, 0, 0, 0];
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 3], &pixels))]);
    let show = |option: &[&str]| folder.run(&[&["show", "a.idx"], option].concat()).success();
    assert_eq!(show(&[]), "0\n    @@\n\n");
    assert_eq!(show(&["--transpose"]), "0\n\n\n@@\n");
    assert_eq!(show(&["--invert"]), "0\n@@@@\n@@@@@@\n");
}

/// Failed before: digits were drawn dark on white, and photographs bright on black.
#[test]
fn digits_and_photographs_are_drawn_as_they_are() {
    // A bright disk on dark, but nowhere black, and the same as a digit.
    let disk = |dark: u8| {
        let bright = |x: i32, y: i32| (x - 8) * (x - 8) + (y - 8) * (y - 8) < 30;
        let pixels = (0..17).flat_map(|y| (0..17).map(move |x| (x, y)));
        pixels.map(|(x, y)| if bright(x, y) { 250 } else { dark }).collect::<Vec<u8>>()
    };
    let folder = Folder::new(&[
        ("photograph", &file(8, &[1, 17, 17], &disk(20))),
        ("digit", &file(8, &[1, 17, 17], &disk(0))),
    ]);
    let middle = |name: &str, options: &[&str]| {
        let shown = folder.run(&[&["show", name], options].concat()).success();
        let line = shown.lines().nth(5).unwrap().to_string();
        (line.as_bytes()[0], line.as_bytes().get(8).copied().unwrap_or(b' '))
    };
    assert_eq!(middle("photograph", &[]), (b'.', b'@'));
    assert_eq!(middle("digit", &[]), (b' ', b'@'));
    assert_eq!(middle("digit", &["--invert"]), (b'@', b' '));
}

/// Failed before: a file that is not there, without a word on how to write it.
#[test]
fn an_output_without_its_option() {
    let folder = folder();
    let message = folder.refused(&[IMAGES, "out.npy"]);
    assert_eq!(message, "out.npy: no such file; to write it, add -o: `-o out.npy`");
    let message = folder.refused(&["missing.idx"]);
    assert_eq!(message, "missing.idx: no such file; check the path");
    let outcome = folder.run(&["convert", IMAGES, "-o", "out.png"]);
    assert_eq!(outcome.code, Some(2));
    let advice = "name a folder, such as out/, and for one of all use `idx show -o`";
    assert!(outcome.messages.contains(advice), "{}", outcome.messages);
}

/// Failed before: "records: 1 u8 and 1 f32", and nothing else.
#[test]
fn types_that_differ_are_named() {
    let folder = Folder::new(&[
        ("bytes", &file(8, &[1, 2], &[0, 1])),
        ("floats", &file(0x0D, &[1, 2], &[0.0f32, 1.0].map(f32::to_be_bytes).concat())),
    ]);
    let outcome = folder.run(&["diff", "bytes", "floats"]);
    let message = "the types differ: u8 and f32; --as f64 compares the numbers\n";
    assert_eq!((outcome.code, &*outcome.output), (Some(1), message));
    assert_eq!(folder.run(&["diff", "bytes", "floats", "--as", "f64"]).success(), "");
}

#[test]
fn records_without_labels_are_split_under_any_names() {
    let folder = Folder::new(&[("a.idx", &file(8, &[4, 1, 1], &[1, 2, 3, 4]))]);
    folder.convert(&[
        "a.idx",
        "--split",
        "75%",
        "-o",
        "out-images-idx3-ubyte",
        "--rest",
        "rest.idx",
    ]);
    let names = folder.names();
    assert_eq!(names, ["a.idx", "out-images-idx3-ubyte", "rest.idx"]);
}

/// Failed before: the first class was named, and then the next one.
#[test]
fn the_smallest_class_is_named() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[6, 1], &[0; 6])),
        ("l.idx", &file(8, &[6], &[0, 0, 0, 1, 2, 2])),
    ]);
    let options = ["--labels", "l.idx", "--per-class", "5", "-o", "b.npy"];
    assert_eq!(
        folder.refused(&[&["a.idx"][..], &options].concat()),
        "a.idx: label 1 has only 1 record; take 1 or fewer per class"
    );
}

#[test]
fn a_folder_without_pictures_has_no_empty_classes() {
    let folder = Folder::new(&[("a.idx", &file(8, &[1], &[0]))]);
    std::fs::create_dir(folder.0.path().join("m")).unwrap();
    let (_, message) = folder.run(&["stats", "."]).failure();
    assert!(message.starts_with(".: this folder has no pictures (PNG"), "{message}");
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
    folder.write("train-labels-idx1-ubyte.gz", &idx_tests::gzip(&labels));
    std::fs::remove_file(folder.0.path().join("train-labels-idx1-ubyte")).unwrap();
    assert_eq!(captions(&folder, &[IMAGES, "-r", "2"]), ["2: 2 cat"]);
    folder.write("own.idx", &folder.read(IMAGES));
    assert_eq!(captions(&folder, &["own.idx", "-n", "2"]), ["0", "1"]);
    // Labels of another count are those of other images.
    folder.write("train-labels-idx1-ubyte.gz", &file(8, &[3], &[0, 1, 2]));
    let (_, message) = folder.run(&["show", IMAGES]).failure();
    assert!(message.contains("3 labels for the 12 images"), "{message}");
    assert!(message.ends_with("leave the labels out with `--no-labels`"), "{message}");
    assert_eq!(captions(&folder, &[IMAGES, "--no-labels", "-r", "2"]), ["2"]);
    // QMNIST's labels have several columns, and another name.
    folder.write("qmnist-test-images-idx3-ubyte", &folder.read(IMAGES));
    let labels: Vec<u8> = (0..12).flat_map(|number| [0, 0, 0, number, 0, 0, 0, 99]).collect();
    folder.write("qmnist-test-labels-idx2-int", &file(0x0C, &[12, 2], &labels));
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
    assert_eq!(
        message,
        "own.idx: these records have no labels to choose by; give their labels with `--labels`"
    );
}
