//! Data sets as inputs of the commands: each part under its name, and the files next to an input.

use std::fs;
use std::process::Command;

use idx_tests::{data_set, file, gzip, has_strace, labels};

use super::common::{Folder, outcome};

fn images(count: u8) -> Vec<u8> {
    file(8, &[count.into(), 2, 2], &vec![count; usize::from(count) * 4])
}

/// A folder `mnist` with the four files, and one of three images with two labels.
fn folder() -> Folder {
    let folder = Folder::new(&[]);
    for (name, bytes) in data_set("", "t10k", images) {
        folder.write(&format!("mnist/{name}.gz"), &gzip(&bytes));
    }
    folder.write("own-images-idx3-ubyte", &images(3));
    folder.write("own-labels-idx1-ubyte", &labels(&[1, 2]));
    folder
}

/// Failed before: the words for the parts had to be in lower case.
#[test]
fn folders_of_parts_in_capitals() {
    let folder = folder();
    folder.convert(&["mnist/:train", "-o", "cut/Train"]);
    folder.convert(&["mnist/:test", "-o", "cut/TEST"]);
    assert_eq!(folder.run(&["check", "cut/"]).success().lines().count(), 2);
    folder.convert(&["cut/", "-o", "cut.npz"]);
    let text = folder.run(&["info", "cut.npz"]).success();
    let names: Vec<_> = text.lines().filter(|line| line.starts_with("cut.npz:")).collect();
    assert_eq!(names, ["cut.npz:train", "cut.npz:test"], "{text}");
}

/// Failed before: the advice left out the records as well, because they have the same name.
#[test]
fn labels_with_the_name_of_their_records_are_left_out_alone() {
    let folder = Folder::new(&[]);
    for part in ["train", "test"] {
        folder.write(&format!("set/images/{part}.csv"), b"label,a,b\n1,2,3\n0,4,5\n");
        folder.write(&format!("set/labels/{part}.csv"), b"label\n1\n0\n");
    }
    assert_eq!(
        folder.refused(&["set", "-o", "set.npz"]),
        "set/images/train.csv: these records have labels, and so does labels/train.csv next to them: `--skip \
         labels/train.csv` for their own"
    );
    let skipped = "labels/train.csv,labels/test.csv";
    folder.run(&["convert", "set", "--skip", skipped, "-qo", "set.npz"]).success();
    assert_eq!(folder.run(&["check", "set.npz"]).success().lines().count(), 2);
}

/// Failed before: such files could only be joined, without labels.
#[test]
fn arrays_that_are_named_after_their_classes() {
    let folder = Folder::new(&[]);
    folder.write("draw/dog.idx", &file(8, &[2, 2], &[1, 2, 3, 4]));
    folder.write("draw/cat.idx", &file(8, &[1, 2], &[5, 6]));
    assert_eq!(
        folder.refused(&["draw", "-o", "draw.idx"]),
        "draw: the files cat.idx, dog.idx are of no part; give them as inputs to join them, or only one of them: \
         `--label-column 0` if cat, dog are the classes"
    );
    folder.run(&["convert", "draw", "--label-column", "0", "-qo", "draw.idx"]).success();
    assert_eq!(folder.read("draw.idx"), file(8, &[3, 2], &[5, 6, 1, 2, 3, 4]));
    assert_eq!(folder.read("draw-labels.idx"), file(8, &[3], &[0, 1, 1]));
    assert_eq!(folder.read("draw-classes.txt"), b"cat\ndog\n");
    for name in ["train/7", "test/7", "test/3"] {
        folder.write(&format!("set/{name}.idx"), &file(8, &[1, 2], &[1, 2]));
    }
    folder.run(&["convert", "set", "--label-column", "1", "-qo", "set.npz"]).success();
    let counts = folder.run(&["stats", "set.npz:test", "--json"]).success();
    assert!(counts.contains(r#""labels":{"3":1,"7":1}"#), "{counts}");
    assert!(
        folder
            .refused(&["set", "--label-column", "2", "-o", "x.npz"])
            .contains("there is no level 2 in the path test/3.idx")
    );
}

/// Failed before: nothing said that the labels of a set are not there.
#[test]
fn images_alone_in_a_folder_have_no_labels() {
    let folder = Folder::new(&[]);
    folder.write("set/train-images-idx3-ubyte", &file(8, &[1, 1, 2], &[1, 2]));
    let said = folder.run(&["info", "set"]).success();
    assert!(said.contains("reading       no label (--no-labels)"), "{said}");
    let silent = folder.run(&["info", "set", "--no-labels"]).success();
    assert!(!silent.contains("reading"), "{silent}");
}

/// Programs that record gestures write a table for each one. If the tables can also be read otherwise, the option may
/// name a column.
#[test]
fn tables_that_are_named_after_their_classes() {
    let folder = Folder::new(&[]);
    folder.write("set/flex.csv", b"ax,ay\n5,6\n");
    folder.write("set/punch.csv", b"ax,ay\n1,2\n3,4\n");
    let question = folder.refused(&["set", "-o", "x.csv"]);
    // Failed before: no option gave the tables labels.
    assert!(question.ends_with("`--label-column 0` if flex, punch are the classes"), "{question}");
    folder.run(&["convert", "set", "--label-column", "0", "-qo", "x.csv"]).success();
    assert_eq!(folder.read("x.csv"), b"label,x1,x2\n0,5,6\n1,1,2\n1,3,4\n");
    folder.write("shards/train/0001.csv", b"7,9\n");
    folder.write("shards/train/0002.csv", b"8,6\n");
    let columns = ["convert", "shards", "--label-column", "1", "--no-header", "-qo", "y.csv"];
    let said = folder.run(&columns);
    assert_eq!((said.code, &said.messages[..]), (Some(0), ""));
    assert_eq!(folder.read("y.csv"), b"9,7\n6,8\n");
}

#[test]
fn info_and_stats_name_each_part() {
    let folder = folder();
    for command in ["info", "stats"] {
        let text = folder.run(&[command, "mnist"]).success();
        let names: Vec<&str> =
            text.lines().filter(|line| !line.starts_with(' ') && !line.is_empty()).collect();
        assert_eq!(names, ["mnist:train", "mnist:test"], "{text}");
        let json = folder.run(&[command, "mnist", "--json"]).success();
        assert_eq!(json.lines().count(), 2, "{json}");
        assert!(json.lines().next().unwrap().contains(r#""path":"mnist:train""#), "{json}");
        let part = folder.run(&[command, "mnist/:t10k"]).success();
        assert!(part.starts_with("mnist/:t10k\n"), "{part}");
    }
    let counts = folder.run(&["stats", "mnist", "--json"]).success();
    assert!(counts.contains(r#""labels":{"1":1,"5":1,"9":1}"#), "{counts}");
}

/// Failed before: `convert` silently left a part without labels.
#[test]
fn a_part_that_lacks_labels_is_told() {
    let folder = folder();
    fs::remove_file(folder.0.path().join("mnist/t10k-labels-idx1-ubyte.gz")).unwrap();
    let text = "test without labels";
    let converted = folder.run(&["convert", "mnist", "-o", "a.npz"]);
    assert_eq!(
        (converted.code, &*converted.messages),
        (Some(0), &*format!("idx: mnist: {text}\n"))
    );
    let info = folder.run(&["info", "mnist"]).success();
    let lines: Vec<&str> = info.lines().filter(|line| line.contains(text)).collect();
    assert_eq!(lines.len(), 2, "{info}");
    let checked = folder.run(&["check", "mnist"]).success();
    assert!(checked.contains(" test records, test without labels"), "{checked}");
    let quiet = folder.run(&["convert", "mnist", "--no-labels", "-o", "b.npz"]);
    assert_eq!((quiet.code, &*quiet.messages), (Some(0), ""));
}

#[test]
fn show_names_each_part() {
    let folder = folder();
    let text = folder.run(&["show", "mnist", "-n", "1"]).success();
    let train = text.find("mnist:train\n").unwrap();
    let test = text.find("mnist:test\n").unwrap();
    assert!(train < test && text.contains("0: label 1") && text.contains("0: label 3"), "{text}");
}

#[test]
fn a_part_is_shown_without_a_command() {
    let text = folder().run(&["mnist/:train"]).success();
    assert!(text.starts_with("mnist/:train\n") && text.contains("0: label 1"), "{text}");
}

#[test]
fn labels_beside_are_left_out_if_told() {
    let folder = folder();
    for command in ["show", "stats"] {
        let (_, message) = folder.run(&[command, "own-images-idx3-ubyte"]).failure();
        assert!(
            message.starts_with("own-labels-idx1-ubyte: 2 labels for the 3 records"),
            "{message}"
        );
        assert!(message.contains("--no-labels"), "{message}");
        folder.run(&[command, "own-images-idx3-ubyte", "--no-labels"]).success();
    }
    // `info` looks at no other file.
    folder.run(&["info", "own-images-idx3-ubyte"]).success();
}

/// Failed before: a link to nothing was taken for no labels, and no other error named the option. Text was to be read
/// with `--header`, which does not hold for labels.
#[cfg(unix)]
#[test]
fn neighbours_that_cannot_be_read_are_left_out_if_told() {
    use std::os::unix::fs::symlink;

    use idx_tests::named_pipe;

    /// The name of a file, what makes it unreadable, and the end of the message.
    type Case<'a> = (&'a str, &'a dyn Fn(&str), &'a str);

    let (labels, list) = ("own-labels-idx1-ubyte", "own-classes.txt");
    let write = |name: &str, bytes: &[u8]| fs::write(name, bytes).unwrap();
    let link = |target: &str, name: &str| symlink(target, name).unwrap();
    let dead =
        "this link leads to no file; restore the file or remove the link, or leave the labels out";
    let cases: &[Case<'_>] = &[
        (labels, &|path| link("/gone", path), dead),
        (list, &|path| link("/gone", path), dead),
        (labels, &|path| link(labels, path), "(os error 40); leave the labels out"),
        (labels, &|path| named_pipe(path.as_ref()), ", or leave the labels out"),
        (labels, &|path| write(path, b""), ", or leave the labels out"),
        (labels, &|path| write(path, b"5,7\n1,2\n"), ", or leave the labels out"),
        (labels, &|path| write(path, &[0xA5; 20]), ", or leave the labels out"),
        (list, &|path| write(path, b"a\0b\n"), ", or leave the labels out"),
    ];
    for (name, put, expected) in cases {
        let folder = Folder::new(&[("own-images-idx3-ubyte", &images(3))]);
        folder.write(labels, &file(8, &[3], &[0, 1, 0]));
        let path = folder.0.path().join(name);
        let _ = fs::remove_file(&path);
        put(path.to_str().unwrap());
        for command in [&["convert", "-o", "a.csv"][..], &["show"], &["stats"]] {
            let arguments = [command, &["own-images-idx3-ubyte"]].concat();
            let (_, message) = folder.run(&arguments).failure();
            assert!(message.starts_with(&format!("{name}: ")), "{message}");
            assert!(message.ends_with(&format!("{expected} with `--no-labels`")), "{message}");
            assert!(!message.contains("header`") && !message.contains("--raw"), "{message}");
            folder.run(&[&arguments[..], &["--no-labels"]].concat()).success();
        }
    }
}

/// The labels of 200 million records are opened at most twice, and hardly read.
#[test]
fn one_record_of_many_reads_little() {
    if !has_strace("one_record_of_many_reads_little") {
        return;
    }
    let folder = Folder::new(&[]);
    let count = 200_000_000_u32;
    for (name, sizes) in [("i-images.idx", &[count, 1][..]), ("i-labels.idx", &[count])] {
        let path = folder.0.path().join(name);
        let header = file(8, sizes, &[]);
        fs::write(&path, &header).unwrap();
        let sparse = fs::OpenOptions::new().write(true).open(&path).unwrap();
        sparse.set_len(header.len() as u64 + u64::from(count)).unwrap();
    }
    let log = folder.0.path().join("log");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=open,openat,read,pread64,readv,preadv", "-o"]).arg(&log);
    strace.arg(env!("CARGO_BIN_EXE_idx")).args(["show", "i-images.idx", "-n", "1"]);
    let shown = outcome(strace.current_dir(folder.0.path()), b"");
    assert!(shown.success().contains("label 0"));
    let log = fs::read_to_string(log).unwrap();
    for name in ["i-images.idx", "i-labels.idx"] {
        let opened = log.lines().filter(|line| line.contains(&format!("{name}\""))).count();
        assert!((1..=2).contains(&opened), "{opened} times {name}");
    }
    let bytes = |line: &str| line.rsplit("= ").next()?.trim().parse::<u64>().ok();
    let read: u64 = log.lines().filter(|line| line.contains("read")).filter_map(bytes).sum();
    assert!(read < 1 << 20, "{read} bytes");
}

/// Pairs are found among any number of files; a message says if the labels are those of other images.
#[test]
fn check_pairs_by_name() {
    let folder = folder();
    folder.write("a-images-idx3-ubyte", &images(2));
    folder.write("a-labels-idx1-ubyte", &labels(&[1, 2]));
    folder.write("b-labels.idx1-ubyte.gz", &gzip(&labels(&[1])));
    let files = ["a-images-idx3-ubyte", "a-labels-idx1-ubyte", "b-labels.idx1-ubyte.gz"];
    let text = folder.run(&[&["check"], &files[..]].concat()).success();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].ends_with("as many records in a-images-idx3-ubyte"), "{text}");
    assert!(lines[2].ends_with("without their records among these files"), "{text}");
    let wrong = ["own-labels-idx1-ubyte", "own-images-idx3-ubyte"];
    let (_, message) = folder.run(&[&["check"], &wrong[..], &files[..]].concat()).failure();
    assert!(message.starts_with("own-labels-idx1-ubyte: 2 labels for the 3 records"), "{message}");
    // Labels next to the images are found, too.
    let text = folder.run(&["check", files[0]]).success();
    assert!(text.ends_with("as many labels in a-labels-idx1-ubyte\n"), "{text}");
    folder.write("t.csv", b"label,1x1,1x2\n7,1,2\n");
    assert_eq!(
        folder.run(&["check", "t.csv"]).success(),
        "t.csv: ok: 1 record of 1 x 2 u8 with labels\n"
    );
    let part = folder.run(&["check", "mnist/:test"]).success();
    assert_eq!(part, "mnist/:test: ok: 2 records of 2 x 2 u8 with labels\n");
}

/// Failed before: `--labels`, `--skip` and `--no-labels` did not answer the question.
#[test]
fn labels_of_another_part_are_given_or_left_out() {
    let folder = Folder::new(&[("images", &images(2)), ("labels", &labels(&[7, 3]))]);
    folder.convert(&["images", "-o", "set/x_val.npy"]);
    folder.convert(&["labels", "-o", "set/y_test.npy"]);
    let convert = ["convert", "set", "-o", "out.csv", "--force"];
    let (_, message) = folder.run(&convert).failure();
    let question =
        "set: y_test.npy are labels without their records: `--skip y_test.npy` to leave them out";
    assert_eq!(message, question);
    for (options, expected) in [
        (&["--labels", "set/y_test.npy"][..], "label,1x1,1x2,2x1,2x2\n7,2,2,2,2\n3,2,2,2,2\n"),
        (&["--skip", "y_test.npy"], "1x1,1x2,2x1,2x2\n2,2,2,2\n2,2,2,2\n"),
        (&["--no-labels"], "1x1,1x2,2x1,2x2\n2,2,2,2\n2,2,2,2\n"),
    ] {
        let outcome = folder.run(&[&convert[..], options].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(String::from_utf8(folder.read("out.csv")).unwrap(), expected);
    }
}
