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

#[test]
fn labels_and_names_beside_the_images_are_shown() {
    let folder = folder();
    assert_eq!(captions(&folder, &[IMAGES, "-n", "2"]), ["0: label 0", "1: label 1"]);
    folder.write("classes.txt", b"ant\nbee\ncat\n");
    assert_eq!(captions(&folder, &[IMAGES, "-n", "2"]), ["0: 0 ant", "1: 1 bee"]);
    assert!(folder.run(&[IMAGES]).success().contains("2: 2 cat"));
    folder.write("classes.txt", b"ant\nbee\n");
    assert_eq!(captions(&folder, &[IMAGES, "-n", "2"]), ["0: label 0", "1: label 1"]);
    folder.write("classes.txt", b"ant\nbee\ncat\n");
    // One of the two may be compressed.
    folder.write(
        "train-labels-idx1-ubyte.gz",
        &idx_tests::gzip(&folder.read("train-labels-idx1-ubyte")),
    );
    std::fs::remove_file(folder.0.path().join("train-labels-idx1-ubyte")).unwrap();
    assert_eq!(captions(&folder, &[IMAGES, "-r", "2"]), ["2: 2 cat"]);
    // Labels of another count are those of other images.
    folder.write("train-labels-idx1-ubyte", &file(8, &[3], &[0, 1, 2]));
    assert_eq!(captions(&folder, &[IMAGES, "-r", "2"]), ["2"]);
    folder.write("own.idx", &folder.read(IMAGES));
    assert_eq!(captions(&folder, &["own.idx", "-n", "2"]), ["0", "1"]);
    folder.write("qmnist-test-images-idx3-ubyte", &folder.read(IMAGES));
    let labels: Vec<u8> = (0..12).flat_map(|number| [0, 0, 0, number, 0, 0, 0, 99]).collect();
    folder.write("qmnist-test-labels-idx2-int", &file(0x0C, &[12, 2], &labels));
    assert_eq!(captions(&folder, &["qmnist-test-images-idx3-ubyte", "-r", "7"]), ["7: label 7"],);
}

#[test]
fn names_of_classes_go_with_their_labels() {
    let folder = folder();
    let labels = "train-labels-idx1-ubyte";
    folder.write("classes.txt", b"ant\nbee\ncat\n");
    folder.write("out/.keep", b"");
    let told = |arguments: &[&str]| {
        let outcome = folder.run(&[&["convert", IMAGES, "--labels", labels], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.messages
    };
    let names = "idx: out/classes.txt: 0 ant, 1 bee, 2 cat\n";
    assert_eq!(told(&["--only", "cat", "-o", "out/few-images-idx3-ubyte"]), names);
    assert_eq!(folder.read("out/classes.txt"), b"ant\nbee\ncat\n");
    let split = ["--split", "50%", "-o", "out/a.csv", "--rest", "./out/b.csv"];
    assert_eq!(told(&split), names);
    assert!(told(&["-o", "out/p/"]).is_empty());
    assert_eq!(folder.read("out/p/classes.txt"), b"ant\nbee\ncat\n");
    let back = folder.run(&["convert", "out/p", "-o", "out/back.csv"]);
    assert_eq!((back.code, &*back.messages), (Some(0), names));
    folder.convert(&["train-images-idx3-ubyte", "-o", "out/no-labels.idx"]);
    let bees = folder.run(&[
        "convert",
        IMAGES,
        "--labels",
        labels,
        "--add-to-labels",
        "1",
        "--only",
        "bee",
        "--to",
        "csv",
    ]);
    assert!(bees.success().starts_with("2,0,20,0,0\n2,0,80,0,0\n"));
    let own = folder.0.path().join("own");
    std::fs::create_dir(&own).unwrap();
    let renumbered = told(&["--add-to-labels", "1", "-o", "own/x.csv"]);
    assert_eq!(renumbered, "idx: own/classes.txt: 1 ant, 2 bee, 3 cat\n");
    let far = |output: &str| {
        let far = [IMAGES, "--labels", labels, "--add-to-labels", "2000000000", "--only", "bee"];
        folder.run(&[&["convert"], &far[..], &["--to", "csv", "-o", output]].concat())
    };
    assert!(far("-").success().starts_with("2000000001,0,20,0,0\n"));
    let (_, message) = far("own/far.csv").failure();
    assert!(message.contains("up to that of class 2000000000 take more than 1 MiB"), "{message}");
    // Nobody knows the names of labels whose list lacks one of them.
    folder.write("classes.txt", b"ant\nbee\n");
    assert_eq!(told(&["-o", "own/unnamed.csv"]), "");
    let others = "idx: out/classes.txt: these become the names of the labels in out/x-labels-idx1-ubyte; write the \
                  labels to another folder, or remove the list\n";
    assert_eq!(told(&["-o", "out/x-images-idx3-ubyte"]), others);
}

#[test]
fn lists_that_differ_are_not_joined() {
    let folder = folder();
    let labels = "train-labels-idx1-ubyte";
    folder.write("classes.txt", b"ant\nbee\ncat\n");
    folder.write("other/labels", &folder.read(labels));
    folder.write("other/classes.txt", b"eel\nbee\ncat\n");
    let joined = |labels: [&str; 2], more: &[&str]| {
        let pair = ["convert", IMAGES, IMAGES, "-l", labels[0], "-l", labels[1]];
        folder.run(&[&pair[..], more].concat())
    };
    let differ = [labels, "other/labels"];
    let (_, same) = joined(differ, &["--add-to-labels", "1,1", "-o", "x.csv"]).failure();
    let (_, message) = joined(differ, &["-o", "x.csv"]).failure();
    assert_eq!(same, message);
    assert_eq!(
        message,
        "train-images-idx3-ubyte: the classes differ from those of the previous inputs; give all the same list of names, a \
         classes.txt in each folder or beside the labels, or convert them separately"
    );
    // The same classes with other numbers are two classes each, as are those of labels without a list.
    let told = "idx: classes.txt: these names are not written, because they do not name the labels of all inputs; name \
                the written labels with --classes\n";
    let renumbered = ["--add-to-labels", "0,3", "-f", "-o", "x.csv"];
    for labels in [differ, [labels, labels]] {
        let outcome = joined(labels, &renumbered);
        assert_eq!((outcome.code, &*outcome.messages), (Some(0), told));
    }
    folder.write("six", b"ant\nbee\ncat\neel\nfox\ngnu\n");
    folder.write("out/.keep", b"");
    let named = ["--add-to-labels", "0,3", "--classes", "six", "-o", "out/x.csv"];
    let named = joined(differ, &named).messages;
    assert_eq!(named, "idx: out/classes.txt: 0 ant, 1 bee, 2 cat, 3 eel, 4 fox, 5 gnu\n");
    std::fs::remove_file(folder.0.path().join("other/classes.txt")).unwrap();
    let outcome = joined(differ, &["-f", "-o", "x.csv"]);
    assert_eq!((outcome.code, &*outcome.messages), (Some(0), told));
    // The same names are those of all.
    folder.write("other/classes.txt", &folder.read("classes.txt"));
    let outcome = joined(differ, &["-f", "-o", "x.csv"]);
    assert_eq!(
        (outcome.code, &*outcome.messages),
        (Some(0), "idx: classes.txt: 0 ant, 1 bee, 2 cat\n")
    );
}

#[test]
fn a_damaged_list_beside_the_labels_is_told() {
    let folder = folder();
    folder.write("classes.txt", "\u{FEFF}ant\r\nbee\r\ncat\r\n".as_bytes());
    assert_eq!(captions(&folder, &[IMAGES, "-n", "1"]), ["0: 0 ant"]);
    let labels = "train-labels-idx1-ubyte";
    for (list, reason) in [
        (&b"caf\xE9\nbee\ncat\n"[..], "not a list of class names;"),
        (b"ant\nant\ncat\n", "two classes have the name `ant`;"),
    ] {
        folder.write("classes.txt", list);
        for command in [
            &["show", IMAGES][..],
            &["stats", "-l", labels, IMAGES],
            &["convert", IMAGES, "-l", labels, "--only", "1", "--to", "csv"],
        ] {
            let outcome = folder.run(command);
            let note = format!("idx: classes.txt: not used: {reason}");
            assert!(outcome.messages.starts_with(&note), "{outcome:?}");
            assert_eq!((outcome.code, outcome.messages.lines().count()), (Some(0), 1));
        }
    }
}

#[test]
fn labels_beside_images_that_chance_chooses_are_told() {
    let folder = folder();
    let note = "idx: train-images-idx3-ubyte: the labels beside it are not written; add `--labels \
                train-labels-idx1-ubyte` to keep them\n";
    for (number, chance) in
        [["--split", "50%"], ["--sample", "5"], ["--shuffle", "1"]].iter().enumerate()
    {
        let output = format!("{number}-images-idx3-ubyte");
        let outcome = folder.run(&[&["convert", IMAGES, "-o", &output], &chance[..]].concat());
        assert_eq!((outcome.code, &*outcome.messages), (Some(0), note));
    }
    // These are still the labels of the first records.
    folder.convert(&[IMAGES, "-n", "3", "-o", "three.idx"]);
}

#[test]
fn labels_that_the_input_has_are_found() {
    let folder = folder();
    folder.convert(&[IMAGES, "--labels", "train-labels-idx1-ubyte", "-o", "p/", "--by-class"]);
    let classes = ["p/0", "p/1", "p/2"];
    assert_eq!(
        folder.refused(&[&classes[..], &["-o", "x.idx", "--labels-out", "l.idx"]].concat()),
        "p/0: --labels-out needs labels; give the folder above, p, whose folders are the classes"
    );
    folder.convert(&[IMAGES, "--labels", "train-labels-idx1-ubyte", "-o", "t.csv"]);
    assert_eq!(
        folder.refused(&["t.csv", "--shape", "2x2", "-o", "x.idx"]),
        "t.csv: the lines have one number more than 2 x 2, such as a label in column 0; choose the column of the labels \
         with `--label-column`"
    );
    folder.convert_without_labels(&[
        "t.csv",
        "--shape",
        "2x2",
        "--label-column",
        "0",
        "-o",
        "x.idx",
    ]);
    assert_eq!(folder.read("x.idx"), folder.read(IMAGES));
    // One attempt is enough.
    let split = ["convert", IMAGES, "--labels", "train-labels-idx1-ubyte", "--split", "50%"];
    let split = folder.run(&[&split[..], &["-o", "a.idx", "--rest", "b.idx"]].concat());
    let both =
        "--labels needs --labels-out FILE and --rest-labels FILE, so that no labels are lost";
    assert!(split.code == Some(2) && split.messages.contains(both), "{split:?}");
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
    assert_eq!(numbers(&["--only", "bee,2", "-n", "6"]), ["1", "2", "4", "5"]);
    assert_eq!(numbers(&["--except", "0,1"]), ["2", "5", "8", "11"]);
    assert_eq!(numbers(&["--per-class", "1"]), ["0", "1", "2"]);
    folder.write("own.idx", &folder.read(IMAGES));
    let (_, message) = folder.run(&["show", "own.idx", "--only", "2"]).failure();
    assert!(message.contains("--only needs labels; give them with --labels"), "{message}");
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

#[test]
fn photographs_are_the_right_way_round() {
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
    assert_eq!(middle("photograph", &[]), (b'%', b' '));
    assert_eq!(middle("digit", &[]), (b' ', b'@'));
    assert_eq!(middle("digit", &["--invert"]), (b'@', b' '));
    let help = folder.run(&["show", "--help"]).success();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("The content decides whether 0 is white"), "{help}");
}

#[test]
fn the_folder_of_a_data_set_is_checked() {
    let folder = folder();
    let set = "set";
    for (part, count) in [("train", 2), ("t10k", 1)] {
        let name = |kind: &str| format!("{set}/{part}-{kind}");
        folder
            .write(&name("images-idx3-ubyte"), &file(8, &[count, 1, 1], &vec![0; count as usize]));
        folder.write(&name("labels-idx1-ubyte"), &file(8, &[count], &vec![0; count as usize]));
    }
    let checked = folder.run(&["check", "set"]).success();
    assert!(checked.ends_with("2 training and 1 test records\n"), "{checked}");
    assert_eq!(folder.run(&["set"]).success(), checked);
    assert_eq!(folder.run(&["set/"]).success().lines().count(), 5);
    for command in ["info", "stats", "show"] {
        let (_, message) = folder.run(&[command, "set"]).failure();
        assert_eq!(
            message,
            "set: this folder has the files of a data set; name one of them, or check them with \
             `idx check set`"
        );
    }
}

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

#[test]
fn options_as_others_have_them() {
    let folder = folder();
    folder.convert(&[IMAGES, "-o", "a", "--format", "npy"]);
    folder.convert(&[IMAGES, "-o", "b.npy"]);
    assert!(folder.read("a") == folder.read("b.npy"));
    folder.write("own.idx", &folder.read(IMAGES));
    folder.convert(&["own.idx", "--count", "3", "-o", "three.idx"]);
    assert_eq!(folder.read("three.idx")[..8], [0, 0, 8, 3, 0, 0, 0, 3]);
    let split = |part: &str| {
        let split = ["--split", part, "--rest", "t.npy", "-f", "-o", "s.npy"];
        folder.convert(&[&["own.idx"][..], &split].concat());
        folder.read("s.npy")
    };
    assert!(split("75%") == split("0.75"));
    let outcome = folder.run(&["convert", IMAGES, "-o", "x.npy", "--split", "80/20"]);
    assert!(outcome.messages.contains("the others go to --rest"), "{}", outcome.messages);
    folder.convert(&["own.idx", "--shuffle", "-o", "c.npy"]);
    folder.convert(&["own.idx", "--shuffle", "0", "-o", "d.npy"]);
    assert!(folder.read("c.npy") == folder.read("d.npy"));
    for channels in ["gray", "grey"] {
        let convert = ["convert", IMAGES, "-o", "e.npy", "-f", "--channels", channels];
        let outcome = folder.run(&convert);
        assert!(!outcome.messages.contains("invalid value"), "{outcome:?}");
    }
}

#[test]
fn the_names_of_labels_follow_from_those_of_images() {
    let folder = folder();
    let labels = ["--labels", "train-labels-idx1-ubyte"];
    let split =
        ["--split", "50%", "-o", "own-images-idx3-ubyte", "--rest", "rest-images.idx3-ubyte.gz"];
    folder.convert(&[&[IMAGES][..], &labels, &split].concat());
    let counts = |name: &str| {
        let info = folder.run(&["info", "--json", name]).success();
        let info: serde_json::Value = serde_json::from_str(&info).unwrap();
        info["records"].as_u64().unwrap()
    };
    for (images, labels) in [
        ("own-images-idx3-ubyte", "own-labels-idx1-ubyte"),
        ("rest-images.idx3-ubyte.gz", "rest-labels.idx1-ubyte.gz"),
    ] {
        assert_eq!((counts(images), counts(labels)), (6, 6));
    }
    // Records without labels have none to write.
    folder.convert(&[IMAGES, "-o", "alone-images-idx3-ubyte"]);
    assert!(!folder.names().contains(&"alone-labels-idx1-ubyte".to_string()));
    folder.convert(&[&[IMAGES][..], &labels, &["-o", "p/", "--by-class"]].concat());
    folder.convert(&["p/", "-o", "pictures-images-idx3-ubyte"]);
    assert_eq!(counts("pictures-labels-idx1-ubyte"), 12);
    let named = ["-o", "x-images-idx3-ubyte", "--labels-out", "other.idx"];
    folder.convert(&[&[IMAGES][..], &labels, &named].concat());
    assert_eq!(counts("other.idx"), 12);
    assert!(!folder.names().contains(&"x-labels-idx1-ubyte".to_string()));
}

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

#[test]
fn the_folders_of_splits_are_no_classes() {
    let folder = folder();
    folder.convert(&[IMAGES, "-o", "p/"]);
    let picture = folder.read("p/00000.png");
    for name in ["train/cat/0.png", "train/dog/0.png", "val/cat/0.png", "val/dog/0.png"] {
        folder.write(&format!("data/{name}"), &picture);
    }
    let pair = ["-o", "i.idx", "--labels-out", "l.idx"];
    let message = folder.refused(&[&["data"][..], &pair].concat());
    let expected = "data: its folders have the same folders in them, such as cat, which are the classes; give one of \
                    its folders, such as data/train";
    assert_eq!(message, expected);
    folder.run(&["convert", "data/train", "-o", "i.idx", "--labels-out", "l.idx"]);
    assert_eq!(folder.read("classes.txt"), b"cat\ndog\n");
    // Folders that have not the same are those of classes.
    std::fs::rename(folder.0.path().join("data/val"), folder.0.path().join("other")).unwrap();
    folder.write("data/birds/2024/0.png", &picture);
    folder.run(&["convert", "data", "-o", "j.idx", "--labels-out", "other/l.idx"]);
    assert_eq!(folder.read("other/classes.txt"), b"birds\ntrain\n");
}

#[test]
fn labels_without_their_first_line() {
    let folder = folder();
    folder.convert(&[IMAGES, "-n", "1", "-o", "p/"]);
    folder.write("p/labels.csv", b"00000.png,7\n");
    assert_eq!(
        folder.refused(&["p", "-o", "i.idx", "--labels-out", "l.idx"]),
        "p/labels.csv: the first line is that of a picture, and must name the columns; put \
         `file,label` above it"
    );
}

#[test]
fn names_that_differ_from_the_format() {
    let folder = folder();
    for (arguments, message) in [
        (
            &["-o", "a.idx.gz", "--to", "idx"][..],
            "a.idx.gz: the format is idx, although the name says idx.gz",
        ),
        (&["-o", "a.npy", "--to", "csv"], "a.npy: the format is csv, although the name says npy"),
        (
            &["-o", "a-idx1-ubyte"],
            "a-idx1-ubyte: the file has 3 dimensions, although the name says 1",
        ),
    ] {
        let outcome = folder.run(&[&["convert", IMAGES], arguments].concat());
        assert_eq!((outcome.code, outcome.messages), (Some(0), format!("idx: {message}\n")));
    }
}

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
