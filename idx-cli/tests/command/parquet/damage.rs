//! Parquet that is damaged, or makes false claims.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt8Array};
use idx_tests::file;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;

use crate::common::Folder;
use crate::parquet::{images, picture};

#[test]
fn damage_is_one_message() {
    let records = images(&[6, 2, 2]);
    let folder =
        Folder::new(&[("a.idx", &records), ("l.idx", &file(8, &[6], &[1, 2, 3, 1, 2, 3]))]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "a.parquet"]);
    let whole = folder.read("a.parquet");
    let read = ["b.parquet", "-o", "b.csv", "--force"];
    for length in (4..whole.len()).step_by(23) {
        folder.write("b.parquet", &whole[..length]);
        assert!(
            folder
                .run(&[&["convert"][..], &read].concat())
                .failure()
                .1
                .contains("corrupt, truncated"),
            "{length}"
        );
    }
    for place in (4..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0xFF;
        folder.write("b.parquet", &damaged);
        let outcome = folder.run(&[&["convert"][..], &read].concat());
        // A changed number is still a number.
        if outcome.code != Some(0) {
            let (output, message) = outcome.failure();
            assert_eq!(output, "", "{place}");
            assert!(message.starts_with("b.parquet: "), "{place}: {message}");
        }
    }
}

const DAMAGED: &str =
    "the file is corrupt, truncated, or uses an unsupported feature; copy or rewrite it";

/// False claims at the end of a file are not believed, and cause no crash.
#[test]
fn claims_that_are_not_true() {
    let folder = Folder::new(&[("a.idx", &images(&[6]))]);
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    let pictures: Vec<Vec<u8>> = (0..3).map(|pixel| picture(3, &[pixel; 6])).collect();
    let pictures: Vec<Option<&[u8]>> = pictures.iter().map(|file| Some(file.as_slice())).collect();
    folder.write_pictures("p.parquet", &pictures, &[0, 1, 2]);
    for (name, message) in [
        ("a.parquet", "the file claims 7 records but has 6; copy it again"),
        ("p.parquet", "the file claims 4 records but has 3; copy it again"),
    ] {
        let copy = [name, "b.parquet"];
        folder.claim(copy, 1, |column| {
            let count = column.num_values() + 1;
            column.into_builder().set_num_values(count)
        });
        let message = format!("b.parquet: {message}");
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
        folder.claim(copy, 0, |column| column.into_builder().set_total_compressed_size(1 << 40));
        let message = format!("b.parquet: {DAMAGED}");
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
        // One wrong column suffices, and so does a compression that is not built in.
        folder.claim(copy, 0, |column| {
            let is_last = matches!(&*column.column_path().string(), "record" | "label");
            let compression = column.compression();
            column.into_builder().set_compression(if is_last {
                Compression::LZO
            } else {
                compression
            })
        });
        assert_eq!(
            folder.refused(&["b.parquet", "-o", "x.csv"]),
            "b.parquet: this compression of the columns is not supported; use zstd, snappy or gzip"
        );
        folder.claim(copy, -10, ColumnChunkMetaData::into_builder);
        let message = format!("b.parquet: {DAMAGED}");
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
        // The library panics at this offset.
        folder.claim(copy, 0, |column| column.into_builder().set_dictionary_page_offset(Some(-1)));
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
    }
}

/// Other programs write a checksum with each page, which finds a single wrong bit that no decompressor notices.
#[test]
fn checksums_of_pages_are_compared() {
    let folder = Folder::new(&[]);
    let numbers: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2, 3]));
    let batch = RecordBatch::try_from_iter([("value", numbers)]).unwrap();
    let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    folder.write("a.parquet", &bytes);
    folder.convert(&["a.parquet", "-o", "a.csv"]);

    // In Thrift's compact protocol: a data page, its two sizes of less than 64, and a structure, which is field 5.
    let size = usize::from(bytes[9] / 2);
    assert_eq!([&bytes[4..9], &bytes[10..11]].concat(), [0x15, 0, 0x15, bytes[7], 0x15, 0x2C]);
    let column = folder.row_group_metadata("a.parquet")[0].column(0).clone();
    let end = 4 + usize::try_from(column.compressed_size()).unwrap();
    // gzip ends with the same checksum, and then the size.
    let compressed = idx_tests::gzip(&bytes[end - size..end]);
    let checksum = *compressed[compressed.len() - 8..].first_chunk().unwrap();
    for (turned, is_right) in [(0, true), (1, false)] {
        // The checksum is field 4, and the structure is the next field.
        let sum = (u32::from_le_bytes(checksum) ^ turned).cast_signed();
        let mut rest = ((sum << 1) ^ (sum >> 31)).cast_unsigned();
        let mut field = vec![0x15];
        while rest >= 0x80 {
            field.push(rest.to_le_bytes()[0] | 0x80);
            rest >>= 7;
        }
        field.extend([rest.to_le_bytes()[0], 0x1C]);
        let more = i64::try_from(field.len()).unwrap() - 1;
        folder.write("b.parquet", &[&bytes[..10], &field, &bytes[11..]].concat());
        folder.claim(["b.parquet", "c.parquet"], 0, |column| {
            let (compressed, plain) = (column.compressed_size(), column.uncompressed_size());
            let column = column.into_builder().set_total_compressed_size(compressed + more);
            column.set_total_uncompressed_size(plain + more)
        });
        for command in [&["check", "c.parquet"][..], &["convert", "c.parquet", "-o", "c.csv"]] {
            let outcome = folder.run(command);
            match is_right {
                true => drop(outcome.success()),
                false => assert_eq!(outcome.failure().1, format!("c.parquet: {DAMAGED}")),
            }
        }
        if is_right {
            assert_eq!(folder.read("c.csv"), folder.read("a.csv"));
            fs::remove_file(folder.0.path().join("c.csv")).unwrap();
        }
    }
}

/// With fewer or more, nobody could say which record has which label.
#[test]
fn as_many_labels_as_records() {
    let folder = Folder::new(&[]);
    let numbers = |numbers: &[u8]| Arc::new(UInt8Array::from(numbers.to_vec())) as ArrayRef;
    let group = |rows: &[u8]| {
        RecordBatch::try_from_iter([("record", numbers(rows)), ("label", numbers(rows))]).unwrap()
    };
    let groups = [group(&[1, 2, 3]), group(&[4, 5])];
    folder.write_groups("a.parquet", &groups);
    let second = folder.row_group_metadata("a.parquet")[1].column(1).clone();
    folder.claim(["a.parquet", "b.parquet"], 0, |column| {
        let is_label = column.column_path().string() == "label";
        (if is_label { second.clone() } else { column }).into_builder()
    });
    assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), format!("b.parquet: {DAMAGED}"));
}

/// The library's own message may quote the file.
#[test]
fn damage_has_a_message_of_our_own() {
    let folder = Folder::new(&[("a.idx", &images(&[6, 2, 2]))]);
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    let mut bytes = folder.read("a.parquet");
    let zstd = [0x28, 0xB5, 0x2F, 0xFD];
    let start = bytes.windows(4).position(|bytes| bytes == zstd).unwrap();
    bytes[start] = 0;
    folder.write("b.parquet", &bytes);
    assert_eq!(folder.refused(&["b.parquet", "-o", "x.idx"]), format!("b.parquet: {DAMAGED}"));
}

/// An error is reported for each call that reads the file, even if the next call succeeds.
#[cfg(target_os = "linux")]
#[test]
fn an_error_of_the_disk_is_not_damage() {
    if !idx_tests::has_strace("errors of the disk") {
        return;
    }
    let folder = Folder::new(&[("a.idx", &images(&[6, 2, 2]))]);
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    let path = folder.0.path().join("a.parquet");
    for call in ["read", "lseek"] {
        let mut failed = 0;
        for when in 1.. {
            let mut command = idx_tests::strace();
            command
                .arg("-P")
                .arg(&path)
                .args(["-e", &format!("inject={call}:error=EIO:when={when}")])
                .arg(env!("CARGO_BIN_EXE_idx"))
                .args(["convert", "a.parquet", "-o", "x.idx", "--force"]);
            let output = command.current_dir(folder.0.path()).output().unwrap();
            if output.status.success() {
                break;
            }
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                message, "idx: a.parquet: Input/output error (os error 5)\n",
                "{call} {when}"
            );
            failed += 1;
        }
        // There are calls for the format, the metadata, and the records.
        assert!(failed >= 4, "{call}: {failed}");
    }
}
