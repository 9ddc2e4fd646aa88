//! Choosing records: by position, by label, at random, and from a list.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use idx_tests::{file, npy};

use crate::common::{Folder, Outcome, outcome};

/// Part of the note on a range that goes beyond the last record.
const BEYOND: &str = "note: the range goes beyond the last record, so it has only ";

#[test]
fn ranges_of_records() {
    let folder = Folder::new(&[("five", &file(8, &[5], &[50, 51, 52, 53, 54]))]);
    for (range, expected) in [
        ("1..3", &[51, 52][..]),
        ("3..", &[53, 54]),
        ("..2", &[50, 51]),
        ("..", &[50, 51, 52, 53, 54]),
        ("4", &[54]),
        ("5..5", &[]),
        ("..9", &[50, 51, 52, 53, 54]),
        ("3..99", &[53, 54]),
        ("-2..", &[53, 54]),
        ("-2..-1", &[53]),
        ("-9..1", &[50]),
        ("1..-3", &[51]),
        ("-1", &[54]),
        ("0,2,4", &[50, 52, 54]),
        ("4, 0..2, 1..3", &[50, 51, 52, 54]),
        ("0,-1..", &[50, 54]),
    ] {
        let Outcome { code, output, messages, .. } =
            folder.run(&["show", "five", "--records", range]);
        assert_eq!(code, Some(0), "{messages}");
        assert_eq!(messages.contains("no records"), expected.is_empty(), "{messages}");
        // Failed before: fewer records than named were written silently.
        let is_cut = ["..9", "3..99", "-9..1"].contains(&range);
        assert_eq!(messages.contains(BEYOND), is_cut, "{range}: {messages}");
        let shown: Vec<u8> = output
            .lines()
            .map(|line| line.split_whitespace().last().unwrap().parse().unwrap())
            .collect();
        assert_eq!(shown, expected, "{range}");
    }
    for range in ["", "a", "3..1", "-1..-3", "1,,2", "1...3", "1..x", "18446744073709551616"] {
        let outcome = folder.run(&["show", "five", &format!("--records={range}")]);
        assert_eq!(outcome.code, Some(2), "{range}");
    }
    for range in ["6..", "5", "0,7", "-6"] {
        let (_, message) = folder.run(&["show", "five", "--records", range]).failure();
        let beyond =
            "five: the range starts beyond the last record; there are 5 records, counted from 0";
        assert_eq!(message, beyond, "{range}");
    }
    let (_, message) = folder.run(&["show", "five", "--records", "-1..3"]).failure();
    assert_eq!(
        message,
        "five: the range ends before it starts: from record 4 to before 3; give a later end"
    );
    let first = folder.run(&["show", "five", "-n", "2"]).success();
    assert_eq!(first, folder.run(&["show", "five", "--records", "..2"]).success());
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

/// Failed before: the first class that was too small was named, and in the next run another one.
#[test]
fn the_smallest_class_is_named() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[6, 1], &[0; 6])),
        ("l.idx", &file(8, &[6], &[0, 0, 0, 1, 2, 2])),
    ]);
    let options = ["--labels", "l.idx", "--per-class", "5", "-o", "b.npy"];
    assert_eq!(
        folder.refused(&[&["a.idx"][..], &options].concat()),
        "a.idx: class 1 has only 1 record, but 5 were requested; use fewer"
    );
}

#[test]
fn ranges_count_through_joined_inputs() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3], &[0, 1, 2])),
        ("b.npy", &npy("|u1", false, &[2], &[3, 4])),
        ("c.csv", b"5\n6\n"),
        ("d.idx", &file(8, &[1, 1], &[0])),
    ]);
    let all = ["a.idx", "b.npy", "c.csv"];
    for (range, expected) in [
        ("..", &[0, 1, 2, 3, 4, 5, 6][..]),
        ("2..4", &[2, 3]),
        ("4..", &[4, 5, 6]),
        ("..1", &[0]),
        ("6", &[6]),
        ("7..7", &[]),
        ("3..3", &[]),
        ("6..8", &[6]),
        ("1,3..5,6", &[1, 3, 4, 6]),
        ("..99", &[0, 1, 2, 3, 4, 5, 6]),
        ("-3..", &[4, 5, 6]),
        ("0,-1", &[0, 6]),
    ] {
        let options = ["--records", range, "--force", "-o", "out.csv"];
        let outcome = folder.run(&[&["convert"], &all[..], &options].concat());
        assert_eq!(outcome.code, Some(0), "{range}");
        assert_eq!(outcome.messages.contains("no record was chosen"), expected.is_empty());
        assert_eq!(outcome.messages.contains(BEYOND), ["6..8", "..99"].contains(&range), "{range}");
        let lines = String::from_utf8(folder.read("out.csv")).unwrap();
        let numbers: Vec<u8> = lines.lines().skip(1).map(|line| line.parse().unwrap()).collect();
        assert_eq!(numbers, expected, "{range}");
    }
    let beyond = "the range starts beyond the last record; there are";
    for range in ["8..", "1,8..9", "0..3,7"] {
        let options = ["--records", range, "-o", "x.idx"];
        let message = folder.refused(&[&all[..], &options].concat());
        assert_eq!(message, format!("a.idx: {beyond} 7 records, counted from 0"), "{range}");
    }
    let message = folder.refused(&["a.idx", "--records", "1,4", "-o", "x.idx"]);
    assert_eq!(message, format!("a.idx: {beyond} 3 records, counted from 0"));
    assert_eq!(
        folder.refused(&["a.idx", "d.idx", "-o", "x.idx"]),
        "d.idx: cannot join inputs: the records of this one are 1 u8, those before are single u8; give the \
         shape of a record with `--shape`"
    );
    folder.write("wide.idx", &file(0x0B, &[1], &[0, 0]));
    assert_eq!(
        folder.refused(&["a.idx", "wide.idx", "-o", "x.idx"]),
        "wide.idx: cannot join inputs: the records of this one are single i16, those before are single u8; \
         convert only this one to that type first with `--as`"
    );
    // `part*` gives the files in this order.
    folder.write("part-labels.idx", &file(8, &[1], &[7]));
    folder.write("part.idx", &file(8, &[1, 2], &[0, 0]));
    folder.convert(&["part-labels.idx", "part.idx", "-o", "part.csv"]);
    assert_eq!(folder.read("part.csv"), b"label,x1,x2\n7,0,0\n");
    folder.write("other-labels.idx", &file(8, &[1], &[7]));
    assert_eq!(
        folder.refused(&["other-labels.idx", "part.idx", "-o", "x.idx"]),
        "other-labels.idx: other-labels.idx may have the labels of part.idx; if so, give only part.idx as input: \
         `--labels other-labels.idx`, or `--no-labels` if all inputs are records"
    );
}

/// The number of records in csv is known only at its end.
#[test]
fn a_range_that_goes_beyond_the_records_is_said() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3], &[7, 8, 9])),
        ("a.csv", b"label,x1\n0,7\n1,8\n0,9\n"),
        ("list.txt", b"0\n2..9\n"),
    ]);
    for (arguments, said) in [
        (&["a.idx", "-r", "1..9"][..], "o.csv: note: the range goes beyond"),
        (&["a.csv", "-r", "1..9"], "so it has only 2 records\n"),
        (&["a.csv", "-r", "@list.txt"], "so it has only 2 records\n"),
        (&["a.idx", "-r", "-9.."], "so it has only 3 records\n"),
        (&["a.csv", "-r", "-9.."], "so it has only 3 records\n"),
        (&["a.idx", "-r", "2..9", "-n", "1"], "so it has only 1 record\n"),
        (&["a.idx", "-r", "1..3"], ""),
        (&["a.csv", "-r", "1..3"], ""),
        (&["a.csv", "-r", "1.."], ""),
        (&["a.csv", "-r", "-2.."], ""),
        (&["a.csv", "-r", "0..2", "-n", "1"], ""),
        (&["a.csv", "-r", "0..2", "--only", "0"], ""),
        (&["a.csv", "-n", "9"], ""),
    ] {
        let convert = [&["convert"], arguments, &["-f", "-o", "o.csv"]].concat();
        let show = [&["show"], arguments].concat();
        for command in [convert, show] {
            let outcome = folder.run(&command);
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
            let is_said = outcome.messages.contains(BEYOND);
            assert_eq!(is_said, !said.is_empty(), "{command:?}: {outcome:?}");
            let said = said.replace("o.csv: note", "note");
            assert!(outcome.messages.contains(&said), "{command:?}: {outcome:?}");
        }
        let quiet = folder.run(&[&["convert", "-q"], arguments, &["-f", "-o", "o.csv"]].concat());
        assert_eq!(quiet.messages, "");
    }
}

#[test]
fn some_of_each_class() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[6], &[10, 11, 12, 13, 14, 15])),
        ("l.idx", &file(9, &[6], &[1, 0xFF, 1, 1, 0xFF, 0xFF])),
    ]);
    let cut = |count, more: &[&'static str]| {
        let options =
            ["a.idx", "--labels", "l.idx", "--per-class", count, "--force", "-o", "b.idx"];
        [&options[..], more].concat()
    };
    folder.convert(&cut("2", &[]));
    assert_eq!(folder.read("b.idx"), file(8, &[4], &[10, 11, 12, 14]));
    assert_eq!(folder.read("b-labels.idx"), file(9, &[4], &[1, 0xFF, 1, 0xFF]));
    folder.convert(&cut("1", &["--records", "3.."]));
    assert_eq!(folder.read("b.idx"), file(8, &[2], &[13, 14]));
    assert_eq!(
        folder.refused(&cut("4", &[])),
        "a.idx: class -1 has only 3 records, but 4 were requested; use fewer"
    );
}

// Linux has sparse files nearly everywhere.
#[cfg(target_os = "linux")]
#[test]
fn records_of_a_plain_file_are_found_by_position() {
    // Reading all 64 GiB would take too long.
    let (count, size) = (1_u32 << 26, 1_u32 << 10);
    let folder = Folder::new(&[("a.idx", &file(8, &[count, size], &[]))]);
    let path = folder.0.path().join("a.idx");
    let written = fs::OpenOptions::new().write(true).open(path);
    if let Err(error) = written.unwrap().set_len(12 + u64::from(count) * u64::from(size)) {
        idx_tests::skip(&format!("records by position: no sparse file here: {error}"));
        return;
    }
    let start = Instant::now();
    folder.convert(&["a.idx", "--records", "67108862..", "-o", "b.idx"]);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(folder.read("b.idx"), file(8, &[2, size], &[0; 2048]));
}

/// Only kept records that do not fit in memory go to the folder for temporary files.
#[cfg(unix)]
#[test]
fn what_fits_in_memory_needs_no_temporary_file() {
    let (count, size) = (100_000_u32, 1000_u32);
    let folder = Folder::new(&[("a.idx", &file(8, &[count, size], &[]))]);
    let path = folder.0.path().join("a.idx");
    let written = fs::OpenOptions::new().write(true).open(path).unwrap();
    written.set_len(12 + u64::from(count) * u64::from(size)).unwrap();
    let convert = |input: &str, options: &[&str]| {
        let arguments = [&["convert", input], options, &["-o", "b.idx", "-q"]].concat();
        let mut command = folder.command(&arguments);
        outcome(command.env("TMPDIR", "/nope"), &[])
    };
    for options in [&["--sample", "9", "--shuffle"][..], &["--split", "99.99%..100%"]] {
        convert("a.idx", options).success();
        fs::remove_file(folder.0.path().join("b.idx")).unwrap();
    }
    let (_, message) = convert("a.idx", &["--shuffle"]).failure();
    let expected = "/nope: temporary files cannot be kept here: No such file or directory (os error 2); free some space, or \
                    name another folder in TMPDIR";
    assert_eq!(message, expected);
    folder.convert(&["a.idx", "-n", "40000", "-o", "few.idx.gz"]);
    convert("few.idx.gz", &["--shuffle"]).success();
}

/// Twelve records whose values are their numbers, with labels 0, 1, 2, 0, ...
fn folder() -> Folder {
    let numbers: Vec<u8> = (0..12).collect();
    let labels: Vec<u8> = numbers.iter().map(|number| number % 3).collect();
    Folder::new(&[
        ("a.idx", &file(8, &[12, 1], &numbers)),
        ("l.idx", &file(8, &[12], &labels)),
        ("names.txt", b"ant\nbee\ncat\n"),
    ])
}

impl Folder {
    /// The numbers and labels of the chosen records.
    #[track_caller]
    fn chosen(&self, options: &[&str]) -> Vec<u8> {
        let inputs = ["a.idx", "--labels", "l.idx", "-o", "b.idx"];
        let outcome = self.run(&[&["convert"], &inputs[..], &["--force"], options].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let numbers = self.read("b.idx")[12..].to_vec();
        let labels: Vec<u8> = numbers.iter().map(|number| number % 3).collect();
        assert_eq!(self.read("b-labels.idx")[8..], labels);
        numbers
    }
}

/// Failed before: each part had to have the class, and a list of names was needed.
#[test]
fn a_class_of_one_part_of_a_set() {
    let folder = Folder::new(&[]);
    folder.write("set/train.csv", b"label,a\n0,1\n1,2\n");
    folder.write("set/test.csv", b"label,a\n0,3\n1,4\n2,5\n");
    for (options, train, test) in [
        (["--only", "2"], "", r#""2":1"#),
        (["--except", "2"], r#""0":1,"1":1"#, r#""0":1,"1":1"#),
        (["--relabel", "2=5"], r#""0":1,"1":1"#, r#""0":1,"1":1,"5":1"#),
    ] {
        folder.run(&[&["convert", "set", "-qfo", "set.npz"], &options[..]].concat()).success();
        for (part, labels) in [("train", train), ("test", test)] {
            let counts = folder.run(&["stats", &format!("set.npz:{part}"), "--json"]).success();
            assert!(counts.contains(&format!(r#""labels":{{{labels}}}"#)), "{options:?}: {counts}");
        }
    }
    for options in [["--only", "7"], ["--except", "0,7"], ["--relabel", "7=5"]] {
        let refused = folder.refused(&[&["set", "-o", "x.npz"], &options[..]].concat());
        let all = "the label 7 does not occur in the 5 records; choose one of 0, 1, 2, or name all classes";
        assert!(refused.contains(all), "{refused}");
    }
}

#[test]
fn classes_by_label_and_by_name() {
    let folder = folder();
    assert_eq!(folder.chosen(&["--only", "1"]), [1, 4, 7, 10]);
    assert_eq!(folder.chosen(&["--only", "2,0", "--per-class", "2"]), [0, 2, 3, 5]);
    assert_eq!(folder.chosen(&["--except", "0,1", "--records", "3.."]), [5, 8, 11]);
    let named = ["--classes", "names.txt", "--only", "bee,cat", "--except", "cat"];
    assert_eq!(folder.chosen(&named), [1, 4, 7, 10]);
    for (options, message) in [
        (
            &["--only", "5"][..],
            "a.idx: the label 5 does not occur in the 12 records; choose one of 0, 1, 2, or name all \
         classes with `--classes`",
        ),
        (
            &["--only", "dog", "--classes", "names.txt"],
            "a.idx: `dog` is not the label or name of a class; some are ant, bee, cat; choose another, \
             or name the classes of the labels with `--classes`",
        ),
        (
            &["--only", "CAT", "--classes", "names.txt"],
            "a.idx: `CAT` is not the label or name of a class; some are cat, ant, bee; choose another, \
             or name the classes of the labels with `--classes`",
        ),
        (
            &["--per-class", "5"],
            "a.idx: class 0 has only 4 records, but 5 were requested; use fewer",
        ),
    ] {
        let inputs = ["a.idx", "--labels", "l.idx", "-o", "x.idx"];
        assert_eq!(folder.refused(&[&inputs[..], options].concat()), message);
    }
    // Labels that were only needed for the choice are left out without a note.
    folder.write("b.csv", b"label,n\n1,5\n2,6\n");
    folder.convert(&["b.csv", "--only", "2", "-o", "b.npy"]);
    let message = folder.refused(&["a.idx", "--only", "1", "-o", "x.idx"]);
    assert!(message.contains("labels"), "{message}");
}

#[test]
fn chance_is_the_same_for_ever() {
    let folder = folder();
    let shuffled = folder.chosen(&["--shuffle", "7"]);
    assert_eq!(shuffled, [8, 7, 11, 10, 6, 2, 1, 3, 5, 9, 0, 4]);
    assert_eq!(folder.chosen(&["--shuffle", "7"]), shuffled);
    assert_ne!(folder.chosen(&["--shuffle", "8"]), shuffled);
    let sample = folder.chosen(&["--sample", "5"]);
    assert!(sample.len() == 5 && sample.is_sorted(), "{sample:?}");
    assert_eq!(folder.chosen(&["--sample", "50"]), (0..12).collect::<Vec<u8>>());

    let parts = ["..0.75", "0.75.."].map(|part| folder.chosen(&["--split", part]));
    assert_eq!(parts.each_ref().map(Vec::len), [9, 3]);
    assert_eq!(parts[1].iter().map(|number| number % 3).collect::<BTreeSet<u8>>().len(), 3);
    let all: BTreeSet<u8> = parts.concat().into_iter().collect();
    assert_eq!(all.len(), 12);
}

#[test]
fn there_is_no_chance_among_records_without_elements() {
    let folder = Folder::new(&[("many", &file(8, &[u32::MAX, 0], &[]))]);
    assert_eq!(
        folder.refused(&["many", "--sample", "2", "-o", "x.idx"]),
        "many: more than 65536 records have no elements; check the sizes"
    );
}

/// One run writes both; each record is in one of them, and each class is in both, in the same proportion.
#[test]
fn a_split_has_its_rest() {
    let folder = folder();
    let input = ["a.idx", "--labels", "l.idx"];
    let split = ["-o", "b.idx", "--rest", "c.idx"];
    folder.convert(&[&input[..], &split, &["--split", "0.75"]].concat());
    let (chosen, rest) = (folder.read("b.idx"), folder.read("c.idx"));
    for (records, labels) in [(&chosen, "b-labels.idx"), (&rest, "c-labels.idx")] {
        let expected: Vec<u8> = records[12..].iter().map(|number| number % 3).collect();
        assert_eq!(folder.read(labels)[8..], expected);
    }
    assert_eq!(chosen[12..], folder.chosen(&["--split", "..0.75"]));
    assert_eq!(rest[12..], folder.chosen(&["--split", "0.75.."]));

    let shuffled = ["--split", "0.5", "--shuffle", "3", "--force"];
    folder.convert(&[&input[..], &split, &shuffled].concat());
    let halves = [folder.read("b.idx")[12..].to_vec(), folder.read("c.idx")[12..].to_vec()];
    assert!(halves.iter().all(|half| half.len() == 6 && !half.is_sorted()));
    let all: BTreeSet<u8> = halves.concat().into_iter().collect();
    assert_eq!(all.len(), 12);

    // The rest of a sample, and outputs that are folders.
    folder.convert(&["a.idx", "--sample", "5", "-o", "s.idx", "--rest", "r.idx"]);
    let (sample, rest) = (folder.read("s.idx"), folder.read("r.idx"));
    assert_eq!((sample.len(), rest.len()), (12 + 5, 12 + 7));
    let pixels = ["a.idx", "--shape", "1x1", "--split", "0.5", "--only", "0,1"];
    let folders = ["--labels", "l.idx", "-o", "train/", "--rest", "test/"];
    folder.convert(&[&pixels[..], &folders].concat());
    for name in ["train/0", "train/1", "test/0", "test/1"] {
        let files = fs::read_dir(folder.0.path().join(name)).unwrap();
        assert_eq!(files.count(), 2, "{name}");
    }
}

#[test]
fn a_rest_is_refused_where_it_would_lose_something() {
    let folder = folder();
    let usage = |options: &[&str]| {
        let outcome = folder.run(&[&["convert", "a.idx", "--labels", "l.idx"], options].concat());
        assert_eq!((outcome.code, &*outcome.output), (Some(2), ""));
        outcome.messages
    };
    for (options, message) in [
        (&["-o", "b.csv", "--rest", "c.csv"][..], "--split <PART>|--sample <N>"),
        (
            &["-o", "b.csv", "--rest", "c.csv", "--split", "0.5", "-n", "2"],
            "cannot be used with '--first <N>'",
        ),
        (
            &["-o", "-", "--to", "csv", "--rest", "c.csv", "--split", "0.5"],
            "--rest needs two names of files or folders, its own and that of -o",
        ),
        (
            &["-o", "b.idx", "--labels", "l.idx"],
            "--labels needs one file for each input, in their order",
        ),
        (&["-o", "b.idx", "--sample", "10%"], "a part of them is `--split 10%`"),
    ] {
        let messages = usage(options);
        assert!(messages.contains(message), "{messages}");
    }
    // Neither output appears if one of them exists.
    folder.write("c.csv", b"mine");
    let split = ["--split", "0.5", "-o", "b.csv", "--rest", "c.csv"];
    let message = folder.refused(&[&["a.idx"][..], &split].concat());
    assert_eq!(
        message,
        "c.csv: the file already exists; choose another name, or replace it with `--force`"
    );
    let message = folder.refused(&["a.idx", "--split", "0.5", "-o", "b.csv", "--rest", "./b.csv"]);
    assert_eq!(
        message,
        "./b.csv: two outputs cannot go to one file or folder; choose another name for one of them"
    );
}

#[test]
fn records_can_be_listed_in_a_file() {
    let folder = folder();
    folder.write("list.txt", b"\n7\n2,\r\n9..11\n\n\n0, 1\n");
    assert_eq!(folder.chosen(&["--records", "@list.txt"]), [0, 1, 2, 7, 9, 10]);
    folder.write("words.txt", b"7\nseven\n");
    folder.write("bytes.txt", b"\xFF");
    folder.write("empty.txt", b"\n");
    for (list, message) in [
        (
            "@words.txt",
            "words.txt: write numbers or ranges with commas between, such as 7, 0..10, 10.., -10.. or 5,9,12",
        ),
        (
            "@bytes.txt",
            "bytes.txt: write numbers or ranges with commas between, such as 7, 0..10, 10.., -10.. or 5,9,12",
        ),
        (
            "@empty.txt",
            "empty.txt: write numbers or ranges with commas between, such as 7, 0..10, 10.., -10.. or 5,9,12",
        ),
        ("@none.txt", "none.txt: no such file; check the path"),
    ] {
        let refused = folder.refused(&["a.idx", "-o", "b.idx", "--records", list]);
        assert_eq!(refused, message);
    }
}

#[cfg(unix)]
#[test]
fn a_list_of_records_can_be_a_pipe() {
    let folder = folder();
    folder.write("pictures", &file(8, &[3, 1, 1], &[0, 128, 255]));
    let list = ["show", "--records", "@/dev/stdin"];
    let files = [&list[..], &["a.idx", "l.idx"]].concat();
    let shown = folder.run_with(&files, b"5\n").success();
    assert_eq!(shown, "a.idx\n5: 5\n\nl.idx\n5: 2\n");
    let sheet = [&list[..], &["pictures", "-o", "sheet.png"]].concat();
    assert_eq!(folder.run_with(&sheet, b"1,2\n").success(), "");
    assert!(folder.read("sheet.png").starts_with(b"\x89PNG"));
}

#[test]
fn a_list_of_records_can_be_standard_input() {
    let folder = folder();
    let listed = ["convert", "a.idx", "--records", "@-", "--to", "csv"];
    assert_eq!(folder.run_with(&listed, b"7\n2,\n").success(), "x1\n2\n7\n");
    assert_eq!(
        folder.run_with(&listed, b"seven\n").failure().1,
        "-: write numbers or ranges with commas between, such as 7, 0..10, 10.., -10.. or 5,9,12"
    );
    let both = ["convert", "-", "--records", "@-", "--to", "csv"];
    assert_eq!(
        folder.run_with(&both, b"7\n").failure().1,
        "-: standard input was read already; use `-` only once"
    );
}

/// A folder that was fetched has the name of its set.
#[test]
fn a_known_set_is_not_the_folder_beside_it() {
    let folder = folder();
    folder.write("fashion-mnist/x.txt", b"ant\n");
    let trousers = ["--only", "Trouser", "--classes"];
    assert_eq!(folder.chosen(&[&trousers[..], &["fashion-mnist"]].concat()), [1, 4, 7, 10]);
    // If there is a file of this name, its names count.
    folder.write("kmnist", b"ant\ncat\nTrouser\n");
    assert_eq!(folder.chosen(&[&trousers[..], &["kmnist"]].concat()), [2, 5, 8, 11]);
    let unknown = ["convert", "a.idx", "-l", "l.idx", "-o", "x.idx", "--classes", "fashion"];
    let message = folder.run(&unknown).failure().1;
    let sets = "fashion: this is neither a file nor a known set; `idx help fetch` lists the sets";
    assert_eq!(message, sets);
    // Failed before: the answer to a list of names was the names of the known sets.
    let names = ["convert", "a.idx", "-l", "l.idx", "-o", "x.idx", "--classes", "cat,dog"];
    let advice = "cat,dog: this is neither a file nor a known set; write the names into a file, one per line";
    assert_eq!(folder.run(&names).failure().1, advice);
}

#[test]
fn a_record_is_named_once() {
    let folder = folder();
    folder.write("list.txt", b"3\n5\n3\n");
    let twice = "is named twice, but records come once, in the order of the file; name it once";
    let convert = ["convert", "a.idx", "-o", "x.idx", "--records"];
    let listed = folder.run(&[&convert[..], &["@list.txt"]].concat()).failure().1;
    assert_eq!(listed, format!("list.txt: record 3 {twice}"));
    let named = folder.run(&[&convert[..], &["5,3,3"]].concat());
    assert_eq!(named.code, Some(2));
    assert!(named.messages.contains(&format!("record 3 {twice}")), "{named:?}");
    // Ranges may overlap.
    assert_eq!(folder.chosen(&["--records", "0..3,1..4,2"]), [0, 1, 2, 3]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_list_repeats_itself() {
    let folder = folder();
    folder.write("list.txt", "0..1,2..3,".repeat(1 << 21).as_bytes());
    let script = format!(
        "ulimit -v 300000; exec '{}' convert a.idx --records @list.txt --to csv",
        env!("CARGO_BIN_EXE_idx")
    );
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.0.path());
    assert_eq!(outcome(&mut shell, &[]).success(), "x1\n0\n2\n");
}

#[test]
fn each_input_can_have_its_labels() {
    let folder = folder();
    folder.write("b.idx", &file(8, &[2, 1], &[20, 21]));
    folder.write("m.idx", &file(8, &[2], &[5, 6]));
    let inputs = ["a.idx", "b.idx", "--labels", "l.idx", "--labels", "m.idx"];
    let outputs = ["-o", "c.idx"];
    folder.convert(&[&inputs[..], &outputs, &["--records", "10.."]].concat());
    assert_eq!(folder.read("c.idx")[12..], [10, 11, 20, 21]);
    assert_eq!(folder.read("c-labels.idx")[8..], [1, 2, 5, 6]);
    // The same number in total, but not in each file.
    let inputs = ["a.idx", "b.idx", "--labels", "m.idx", "--labels", "l.idx"];
    assert_eq!(
        folder.refused(&[&inputs[..], &["-o", "d.idx"]].concat()),
        "m.idx: 2 labels but 12 records; give the label file of these records"
    );
}
