//! Choosing records by their labels or by chance.

use std::collections::BTreeSet;

use idx_tests::file;

use crate::common::Folder;
#[cfg(target_os = "linux")]
use crate::common::outcome;

/// Twelve records that are their numbers, with labels 0, 1, 2, 0, ...
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
    /// The numbers and the labels of the records that are chosen.
    #[track_caller]
    fn chosen(&self, options: &[&str]) -> Vec<u8> {
        let inputs = ["a.idx", "--labels", "l.idx", "-o", "b.idx", "--labels-out", "m.idx"];
        let outcome = self.run(&[&["convert"], &inputs[..], &["--force"], options].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let numbers = self.read("b.idx")[12..].to_vec();
        let labels: Vec<u8> = numbers.iter().map(|number| number % 3).collect();
        assert_eq!(self.read("m.idx")[8..], labels);
        numbers
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
            "a.idx: the label 5 does not occur in the 12 records; choose labels that occur",
        ),
        (
            &["--only", "dog", "--classes", "names.txt"],
            "a.idx: `dog` is not the label or name of a class; some are ant, bee, cat; give one of the set, \
             or the file of names",
        ),
        (&["--per-class", "5"], "a.idx: label 0 has only 4 records; take 4 or fewer per class"),
    ] {
        let inputs = ["a.idx", "--labels", "l.idx", "-o", "x.idx", "--labels-out", "y.idx"];
        assert_eq!(folder.refused(&[&inputs[..], options].concat()), message);
    }
    // Labels that only choose are not missed.
    folder.write("b.csv", b"label,n\n1,5\n2,6\n");
    folder.convert(&["b.csv", "--header", "--only", "2", "-o", "b.npy"]);
    assert_eq!(
        folder.refused(&["a.idx", "--only", "1", "-o", "x.idx"]),
        "a.idx: --only needs labels; give them with --labels"
    );
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

/// One run gives both, each record is in one of them, and each class in both alike.
#[test]
fn a_split_has_its_rest() {
    let folder = folder();
    let input = ["a.idx", "--labels", "l.idx"];
    let split = ["-o", "b.idx", "--rest", "c.idx"];
    let labels = ["--labels-out", "bl.idx", "--rest-labels", "cl.idx"];
    folder.convert(&[&input[..], &split, &labels, &["--split", "0.75"]].concat());
    let (chosen, rest) = (folder.read("b.idx"), folder.read("c.idx"));
    assert_eq!(chosen[12..], folder.chosen(&["--split", "..0.75"]));
    assert_eq!(rest[12..], folder.chosen(&["--split", "0.75.."]));
    for (records, labels) in [(&chosen, "bl.idx"), (&rest, "cl.idx")] {
        let expected: Vec<u8> = records[12..].iter().map(|number| number % 3).collect();
        assert_eq!(folder.read(labels)[8..], expected);
    }

    let shuffled = ["--split", "0.5", "--shuffle", "3", "--force"];
    folder.convert(&[&input[..], &split, &labels, &shuffled].concat());
    let halves = [folder.read("b.idx")[12..].to_vec(), folder.read("c.idx")[12..].to_vec()];
    assert!(halves.iter().all(|half| half.len() == 6 && !half.is_sorted()));
    let all: BTreeSet<u8> = halves.concat().into_iter().collect();
    assert_eq!(all.len(), 12);

    // What a sample leaves; and folders.
    folder.convert(&["a.idx", "--sample", "5", "-o", "s.idx", "--rest", "r.idx"]);
    let (sample, rest) = (folder.read("s.idx"), folder.read("r.idx"));
    assert_eq!((sample.len(), rest.len()), (12 + 5, 12 + 7));
    let pixels = ["a.idx", "--shape", "1x1", "--split", "0.5", "--only", "0,1"];
    let folders = ["--labels", "l.idx", "-o", "train/", "--rest", "test/", "--by-class"];
    folder.convert(&[&pixels[..], &folders].concat());
    for name in ["train/0", "train/1", "test/0", "test/1"] {
        let files = std::fs::read_dir(folder.0.path().join(name)).unwrap();
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
        (
            &["-o", "b.csv", "--rest", "c.csv"][..],
            "--rest needs --split or --sample, which leave records for it",
        ),
        (
            &["-o", "b.idx", "--labels-out", "d.idx", "--rest", "c.idx", "--split", "0.5"],
            "--rest needs --labels-out FILE and --rest-labels FILE, so that no labels are lost",
        ),
        (
            &["-o", "-", "--to", "csv", "--rest", "c.csv", "--split", "0.5"],
            "--rest needs two names of files or folders, its own and that of -o",
        ),
        (
            &["-o", "b.idx", "--labels", "l.idx", "--labels-out", "d.idx"],
            "--labels needs one file for all inputs, or for each",
        ),
    ] {
        let messages = usage(options);
        assert!(messages.contains(message), "{messages}");
    }
    // Neither appears if one of them exists.
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
    assert_eq!(folder.run_with(&listed, b"7\n2,\n").success(), "2\n7\n");
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

#[cfg(target_os = "linux")]
#[test]
fn a_list_names_records_often() {
    let folder = folder();
    folder.write("list.txt", "0,2,".repeat(1 << 21).as_bytes());
    let script = format!(
        "ulimit -v 300000; exec {} convert a.idx --records @list.txt --to csv",
        env!("CARGO_BIN_EXE_idx")
    );
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.0.path());
    assert_eq!(outcome(&mut shell, &[]).success(), "0\n2\n");
}

#[test]
fn each_input_can_have_its_labels() {
    let folder = folder();
    folder.write("b.idx", &file(8, &[2, 1], &[20, 21]));
    folder.write("m.idx", &file(8, &[2], &[5, 6]));
    let inputs = ["a.idx", "b.idx", "--labels", "l.idx", "--labels", "m.idx"];
    let outputs = ["-o", "c.idx", "--labels-out", "n.idx"];
    folder.convert(&[&inputs[..], &outputs, &["--records", "10.."]].concat());
    assert_eq!(folder.read("c.idx")[12..], [10, 11, 20, 21]);
    assert_eq!(folder.read("n.idx")[8..], [1, 2, 5, 6]);
    // As many in total, but not in each file.
    let inputs = ["a.idx", "b.idx", "--labels", "m.idx", "--labels", "l.idx"];
    assert_eq!(
        folder.refused(&[&inputs[..], &["-o", "d.idx", "--labels-out", "e.idx"]].concat()),
        "m.idx: 2 labels but 12 records; give the label file of these records"
    );
}
