//! Parquet in several files, and in several groups of rows.

use std::fs;

use arrow_array::RecordBatch;
use idx_tests::file;
use parquet::basic::Compression;

use crate::common::Folder;
use crate::parquet::{images, lists};

#[test]
fn shards() {
    let (records, labels) = (images(&[10, 3]), file(8, &[10], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    let folder = Folder::new(&[("a.idx", &records), ("l.idx", &labels)]);
    let table: [(&[&str], &[i64]); 3] = [
        (&["--shards", "1"], &[10]),
        (&["--shards", "4"], &[3, 3, 2, 2]),
        (&["--shards", "10"], &[1; 10]),
    ];
    for (split, records_of_each) in table {
        let out = split.join("").replace("--", "");
        let out = out.as_str();
        folder.convert(&[&["a.idx", "--labels", "l.idx", "-o", out], split].concat());
        let count = records_of_each.len();
        let names: Vec<String> =
            (0..count).map(|number| format!("part-{number:05}-of-{count:05}.parquet")).collect();
        assert_eq!(folder.names_in(out), names);
        for (name, records) in names.iter().zip(records_of_each) {
            let groups = folder.row_groups(&format!("{out}/{name}"));
            assert_eq!(groups.iter().sum::<i64>(), *records, "{split:?} {name}");
        }
        folder.convert(&[out, "-o", "c.idx", "--force"]);
        assert_eq!(folder.read("c.idx"), records, "{split:?}");
        assert_eq!(folder.read("c-labels.idx"), labels, "{split:?}");
    }

    folder.write("none.idx", &file(8, &[0], &[]));
    folder.convert(&["none.idx", "-o", "none", "--shards", "1"]);
    assert_eq!(folder.row_groups("none/part-00000-of-00001.parquet"), [0; 0]);
    folder.convert(&["none", "-o", "none.idx", "--force"]);
    assert_eq!(folder.read("none.idx"), file(8, &[0], &[]));

    // Other files of an engine, and unfinished ones, are not shards.
    fs::rename(folder.0.path().join("shards4"), folder.0.path().join("s")).unwrap();
    folder.write("s/_SUCCESS", b"");
    folder.write("s/.part-1.parquet", b"half");
    folder.write("s/_temporary.parquet", b"half");
    folder.convert(&["s", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx"), records);
    assert_eq!(
        folder.refused(&["a.idx", "-o", "more", "--shards", "1000000"]),
        "more: the number of records is 10, which does not fill 1000000 files; write fewer files"
    );
    assert_eq!(
        folder.refused(&["a.idx", "-o", "s", "--shards", "2"]),
        "s: the folder is not empty; name a new folder in it"
    );
}

/// Row groups are encoded together, even those of several files.
#[test]
fn the_number_of_threads_changes_no_file() {
    let (records, labels) = (images(&[300, 3]), file(8, &[300], &[7; 300]));
    let folder = Folder::new(&[("a.idx", &records), ("l.idx", &labels)]);
    let convert = |threads: &str, rest: &[&str]| {
        let arguments = ["a.idx", "--labels", "l.idx", "--threads", threads];
        folder.convert(&[&arguments, rest].concat());
    };
    for threads in ["1", "2", "5"] {
        let (one, shards) = (format!("{threads}.parquet"), format!("{threads}/"));
        convert(threads, &["-o", &one]);
        assert!(folder.read(&one) == folder.read("1.parquet"), "{threads}");
        convert(threads, &["--shards", "4", "-o", &shards]);
        for name in folder.names_in("1") {
            let shard = folder.read(&format!("{shards}{name}"));
            assert!(shard == folder.read(&format!("1/{name}")), "{threads} {name}");
            assert_eq!(folder.row_groups(&format!("{shards}{name}")), [75]);
        }
        folder.convert(&[&shards, "-o", "b.idx", "--force"]);
        assert!(
            folder.read("b.idx") == records && folder.read("b-labels.idx") == labels,
            "{threads}"
        );
    }
}

#[test]
fn a_folder_as_spark_leaves_it() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.0.path().join("spark")).unwrap();
    for (part, rows) in [
        ("part-00000-6d5e", [Some(&[0, 1][..]), Some(&[2, 3])]),
        ("part-00001-6d5e", [Some(&[4, 5]), Some(&[6, 255])]),
    ] {
        let name = format!("spark/{part}-c000.snappy.parquet");
        folder.write_parquet(&name, &[("record", lists(&rows))], Compression::SNAPPY);
        folder.write(&format!("spark/.{part}-c000.snappy.parquet.crc"), b"crc\0");
    }
    folder.write("spark/_SUCCESS", b"");
    folder.write("spark/._SUCCESS.crc", b"crc\0");
    // A partition without records: nothing states the length of a record.
    folder.write_parquet(
        "spark/part-00002-6d5e-c000.snappy.parquet",
        &[("record", lists(&[]))],
        Compression::SNAPPY,
    );
    assert_eq!(
        folder.refused(&["spark", "--as", "u8", "-o", "a.idx"]),
        "spark/part-00002-6d5e-c000.snappy.parquet: the file does not say how long its records are; \
         give the shape of a record with `--shape`"
    );
    folder.convert(&["spark", "--shape", "1x2", "--as", "u8", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[4, 1, 2], &[0, 1, 2, 3, 4, 5, 6, 255]));
}

/// These groups together have as many numbers as lists of one length.
#[test]
fn row_groups_of_other_lengths() {
    let folder = Folder::new(&[]);
    let group = |row: &[i16]| RecordBatch::try_from_iter([("record", lists(&[Some(row)]))]);
    let groups = [group(&[1, 2, 3]).unwrap(), group(&[4]).unwrap()];
    folder.write_groups("a.parquet", &groups);
    assert_eq!(
        folder.refused(&["a.parquet", "-o", "a.idx"]),
        "a.parquet: record 1: the record has 1 number, not 3 i16; IDX has records of one shape"
    );
}

/// Only the end of csv tells the number of its records, in a file and in a pipe.
#[test]
fn what_is_not_counted_before_is_counted_for_shards_and_from_the_end() {
    let table: String = (0..50).map(|number| format!("{number},{}\n", number + 100)).collect();
    let table = ["x1,x2\n", &table].concat();
    let folder = Folder::new(&[("a.csv", table.as_bytes())]);
    folder.convert(&["a.csv", "-o", "s/", "--to", "parquet", "--shards", "3"]);
    assert_eq!(folder.names_in("s").len(), 3);
    for input in ["a.csv", "-"] {
        let options = [input, "--header", "-o", "last.csv", "--records", "-2..", "--force"];
        let run = folder.run_with(&[&["convert"][..], &options].concat(), table.as_bytes());
        run.success();
        assert_eq!(folder.read("last.csv"), b"x1,x2\n48,148\n49,149\n", "{input}");
    }
}
