//! The records that `idx convert` chooses by seed, compared with `tests/orders/command.txt`.

use std::thread;

use idx_tests::orders::{COUNTS, Labels, Orders, SEEDS, indices_file};

use crate::common::Folder;

/// Records whose values are their indices, with labels.
struct Set {
    folder: Folder,
    labels: Labels,
    count: u32,
}

impl Set {
    fn new(count: u32, labels: Labels) -> Self {
        let files = [("a.idx", indices_file(count)), ("l.idx", labels.file(count))];
        let folder = Folder::new(&files.each_ref().map(|(name, bytes)| (*name, &bytes[..])));
        Self { folder, labels, count }
    }

    /// Adds what these options choose, and the rest if there is one.
    #[track_caller]
    fn push(&self, orders: &mut Orders, options: &str) {
        let (count, labels) = (self.count, self.labels);
        let case = format!("{count} {labels:?} {options}");
        let mut outputs = vec!["-o", "b.idx"];
        let has_rest = options.contains("split") || options.contains("sample");
        if has_rest {
            outputs.extend(["--rest", "c.idx"]);
        }
        let options: Vec<&str> = options.split_whitespace().collect();
        let inputs = &["convert", "a.idx", "--labels", "l.idx", "--force"][..];
        let outcome = self.folder.run(&[inputs, &outputs, &options].concat());
        match outcome.code {
            Some(0) => {
                orders.push(&case, &self.indices("b.idx", "b-labels.idx"));
                if has_rest {
                    orders.push(format!("{case}, rest"), &self.indices("c.idx", "c-labels.idx"));
                }
            }
            Some(1) => orders.push_refused(case),
            _ => panic!("{outcome:?}"),
        }
    }

    /// Returns the indices in an output, and checks that each has its label.
    #[track_caller]
    fn indices(&self, records: &str, labels: &str) -> Vec<i32> {
        let (records, labels) = (self.folder.read(records), self.folder.read(labels));
        let records = records[8..].chunks_exact(4);
        let records: Vec<u32> =
            records.map(|bytes| u32::from_be_bytes(bytes.try_into().unwrap())).collect();
        let expected = records.iter().map(|index| self.labels.of(*index, self.count));
        assert!(expected.eq(labels[8..].iter().copied()), "labels of other records");
        records.into_iter().map(u32::cast_signed).collect()
    }
}

/// If this fails, users who chose records by a seed no longer get the same ones.
#[test]
fn a_seed_chooses_the_same_records_in_every_version() {
    // On threads, because most of the time is spent waiting for the disk.
    let found = thread::scope(|scope| {
        let threads = COUNTS.map(|count| scope.spawn(move || orders_of(count)));
        threads.map(|thread| thread.join().unwrap())
    });
    let orders: Orders = found.into_iter().collect();
    orders.expect(include_str!("../../../tests/orders/command.txt"));
}

fn orders_of(count: u32) -> Orders {
    let mut orders = Orders::default();
    for labels in Labels::ALL {
        let set = Set::new(count, labels);
        let mut push = |options: &str| set.push(&mut orders, options);
        for options in ["--split 0.8", "--per-class 1", "--split 0.25..0.75 --per-class 2"] {
            push(options);
        }
        for seed in SEEDS {
            let shuffle = format!("--shuffle {seed}");
            push(&format!("--split 0.8 {shuffle}"));
            if matches!(labels, Labels::One) {
                // The labels do not matter.
                push(&shuffle);
                push(&format!("--sample 7 {shuffle}"));
            }
        }
        push("--split 0.25..0.75 --shuffle 42");
        push("--split 0.5.. --sample 6 --shuffle 1");
        push("--only 0,3 --sample 12 --shuffle 42");
        push("--except 1,5 --per-class 1 --split 0.5 --sample 2 --shuffle 7");
        push("--records 2.. --split 0.6 --shuffle 3");
        push("--sample 5");
    }
    orders
}

/// Failed before: nothing said that a part was empty, or lacked a class.
#[test]
fn a_part_that_lacks_a_class_is_noted() {
    let lines: String = (0..10).map(|class| format!("{class},7\n")).collect();
    let folder = Folder::new(&[("t.csv", lines.as_bytes())]);
    let split = |share: &str| {
        let options = ["--no-header", "--label-column", "0", "--split", share, "-f"];
        let outputs = ["convert", "t.csv", "-o", "a.csv", "--rest", "b.csv"];
        folder.run(&[&outputs[..], &options].concat()).messages
    };
    assert_eq!(
        split("90%"),
        "idx: a.csv: note: this part has no record of class 9\n\
         idx: b.csv: note: this part has no record of 9 classes, such as 0\n"
    );
    assert_eq!(split("1%"), "idx: a.csv: note: no record was chosen\n");
    assert_eq!(split("50%..80%").lines().count(), 2);
    // Failed before: the note did not name the part of the set.
    for (name, classes) in [("set/train.csv", 0..4), ("set/test.csv", 0..2)] {
        let lines: String =
            classes.flat_map(|class| [class, class]).map(|class| format!("{class},7\n")).collect();
        folder.write(name, format!("label,a\n{lines}").as_bytes());
    }
    for (share, notes) in [
        (
            "25%",
            [
                "the part train has no record of 2 classes, such as ",
                "the part test has no record of class ",
            ],
        ),
        (
            "10%",
            [
                "the part train has no record of 3 classes, such as ",
                "no record of the part test was chosen",
            ],
        ),
    ] {
        let arguments = ["convert", "set", "--split", share, "-o", "set.npz", "-f"];
        let messages = folder.run(&arguments).messages;
        for note in notes {
            assert!(messages.contains(&format!("idx: set.npz: note: {note}")), "{messages}");
        }
    }
}

/// Failed before: only empty parts were mentioned.
#[test]
fn an_output_without_records_is_noted() {
    let folder = Folder::new(&[("t.csv", b"label,a\n3,7\n4,8\n")]);
    for choice in [&["--only", "3", "--except", "3"][..], &["--per-class", "0"], &["-n", "0"]] {
        let outcome = folder.run(&[&["convert", "t.csv", "-o", "a.csv", "-f"], choice].concat());
        let note = "idx: a.csv: note: no record was chosen\n";
        assert_eq!((outcome.code, outcome.messages.as_str()), (Some(0), note), "{choice:?}");
    }
}
