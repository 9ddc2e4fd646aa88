//! Parquet with more records than are decoded or encoded at a time.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, DictionaryArray, Float32Array, Int32Array, StringArray, UInt8Array,
};
use idx_tests::file;
use parquet::basic::Compression;

use crate::common::Folder;
use crate::parquet::{images, lists, picture};

/// The number of small records that are decoded at a time.
const BATCH: usize = 8192;

/// A batch of equal rows, and then one that differs.
fn behind<T: Clone>(row: T, last: T) -> Vec<T> {
    let mut rows = vec![row; BATCH];
    rows.push(last);
    rows
}

#[test]
fn an_error_names_the_record_in_any_batch() {
    let folder = Folder::new(&[]);
    let numbers = |last| Arc::new(UInt8Array::from(behind(Some(1), last))) as ArrayRef;
    let good = numbers(Some(1));
    let bytes = |last: &[u8]| Arc::new(BinaryArray::from_vec(behind(&[1, 2], last))) as ArrayRef;
    let texts = |last| Arc::new(StringArray::from(behind(Some("a"), last))) as ArrayRef;
    let labels = |label| vec![("record", good.clone()), ("label", label)];
    // One-hot rows, and then one of QMNIST.
    let mut rows = ListBuilder::new(Int32Builder::new());
    for row in behind([0, 1, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 9]) {
        rows.append_value(row.map(Some));
    }
    let null = "is null; fill it or leave it out, IDX has only numbers";
    let one_shape = "IDX has records of one shape";
    let is_one_hot = "and this row is not one-hot; choose the column of the labels with \
                      `--label-column`";
    for (columns, message) in [
        (vec![("record", numbers(None))], format!("the record {null}")),
        (vec![("a", good.clone()), ("b", numbers(None))], format!("number 1 {null}")),
        (vec![("record", lists(&behind(Some(&[1, 2][..]), None)))], format!("the record {null}")),
        (
            vec![("record", lists(&behind(Some(&[1, 2][..]), Some(&[1]))))],
            format!("the record has 1 number, not 2 i16; {one_shape}"),
        ),
        (vec![("record", bytes(&[1]))], format!("the record has 1 byte, not 2 u8; {one_shape}")),
        (labels(numbers(None)), format!("the label {null}")),
        (labels(texts(None)), format!("the label {null}")),
        (labels(texts(Some(""))), format!("the label {null}")),
        (
            labels(Arc::new(Float32Array::from(behind(1.0, 1.5)))),
            "1.5 is not a label, a whole number; round it, choose another column, or leave the labels out with `--no-labels`".to_string(),
        ),
        (
            labels(lists(&behind(Some(&[0, 1][..]), Some(&[1, 1])))),
            format!("the labels have 2 columns, {is_one_hot}"),
        ),
        (labels(Arc::new(rows.finish())), format!("the labels have 8 columns, {is_one_hot}")),
        (labels(lists(&behind(Some(&[0, 1][..]), None))), format!("the record {null}")),
    ] {
        folder.write_parquet("a.parquet", &columns, Compression::SNAPPY);
        let shape: &[&str] = if message.contains("byte") { &["--shape", "2"] } else { &[] };
        let refused = folder.refused(&[&["a.parquet", "-o", "x.idx"], shape].concat());
        assert_eq!(refused, format!("a.parquet: record {BATCH}: {message}"));
    }

    let picture = picture(2, &[0; 4]);
    let mut pictures = vec![Some(&picture[..]); 64];
    pictures.push(None);
    folder.write_pictures("p.parquet", &pictures, &[0; 65]);
    assert_eq!(
        folder.refused(&["p.parquet", "-o", "x.idx"]),
        "p.parquet: record 64: the record has no picture file; remove it, or write it again"
    );
}

#[test]
fn the_classes_are_those_of_all_batches() {
    let folder = Folder::new(&[]);
    let label: ArrayRef = Arc::new(StringArray::from(behind("bee", "ant")));
    let record: ArrayRef = Arc::new(UInt8Array::from(behind(1, 2)));
    folder.write_parquet(
        "a.parquet",
        &[("record", record.clone()), ("label", label)],
        Compression::SNAPPY,
    );
    folder.run(&["convert", "a.parquet", "-o", "a.idx"]);
    assert_eq!(folder.read("a-classes.txt"), b"ant\nbee\n");
    let count = u32::try_from(BATCH).unwrap() + 1;
    assert_eq!(folder.read("a-labels.idx"), file(8, &[count], &behind(1, 0)));

    let names = (0..=BATCH).map(|number| format!("{number:0>128} x"));
    let label: ArrayRef = Arc::new(StringArray::from_iter_values(names));
    folder.write_parquet("b.parquet", &[("record", record), ("label", label)], Compression::SNAPPY);
    assert_eq!(
        folder.refused(&["b.parquet", "-o", "b.idx"]),
        "b.parquet: the labels have more than 1 MiB of different names; use numbers"
    );
}

#[test]
fn records_fill_row_groups() {
    let count = 2 * 16 * 1024 + 1;
    let (records, labels) = (images(&[count]), images(&[count]));
    let folder = Folder::new(&[("a.idx", &records), ("l.idx", &labels)]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "b.parquet"]);
    assert_eq!(folder.row_groups("b.parquet"), [16 * 1024, 16 * 1024, 1]);
    folder.convert(&["b.parquet", "-o", "c.idx"]);
    assert!(folder.read("c.idx") == records && folder.read("c-labels.idx") == labels);
}

/// A long text in every record is only once in the file, and in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_text_is_not_copied_for_each_record() {
    let folder = Folder::new(&[]);
    let text: ArrayRef = Arc::new(StringArray::from(vec!["a".repeat(200_000)]));
    let texts = DictionaryArray::new(Int32Array::from(vec![0; BATCH]), text);
    let numbers: ArrayRef = Arc::new(UInt8Array::from(vec![1; BATCH]));
    let columns = [("record", numbers), ("label", Arc::new(texts))];
    folder.write_parquet("texts.parquet", &columns, Compression::SNAPPY);
    for command in ["info", "stats"] {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -v 200000; exec \"$0\" {command} texts.parquet")]);
        let output = shell.arg(env!("CARGO_BIN_EXE_idx")).current_dir(folder.0.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
