//! `idx convert`: round trips between all formats.

use std::fs;

use idx_std::ElementType;
use idx_tests::{file, gzip, npy, real_data};

use crate::common::{Folder, byte_records, extreme_records};

#[test]
fn there_and_back_between_all_formats_with_all_types() {
    for element_type in ElementType::ALL {
        let idx = extreme_records(element_type);
        let folder = Folder::new(&[("start.idx", &idx)]);
        let mut formats = vec!["a.idx", "a.gz", "a.npy", "a.csv"];
        if element_type == ElementType::U8 {
            formats.push("a/");
        }
        let convert = |from: &str, to: &str| {
            // csv does not state its type and shape.
            let name = element_type.name();
            let csv = ["--as", name, "--shape", "2x3"];
            let options: &[&str] = if from.ends_with("csv") { &csv } else { &[] };
            if to.ends_with('/') {
                let _ = fs::remove_dir_all(folder.0.path().join(to));
            }
            folder.convert(&[&[from, "--force", "-o", to], options].concat());
        };
        for first in &formats {
            convert("start.idx", first);
            for second in &formats {
                let second = second.replace('a', "b");
                convert(first, &second);
                convert(&second, "end.idx");
                assert!(folder.read("end.idx") == idx, "{element_type} {first} {second}");
                if second.ends_with('/') {
                    continue;
                }
                // The file does not depend on the format that it was made from.
                let once = second.replace('b', "c");
                convert("start.idx", &once);
                assert!(folder.read(&once) == folder.read(&second), "{first} {second}");
            }
        }
    }
}

#[test]
fn all_ranks_and_shapes_that_a_format_holds() {
    for (sizes, count) in [
        (&[][..], 1),
        (&[3], 3),
        (&[0], 0),
        (&[3, 1], 3),
        (&[2, 0, 3], 0),
        (&[0, 28, 28], 0),
        (&[1, 1, 1, 2, 1, 1, 1, 1], 2),
        (&[1; 64], 1),
        (&[1; 255], 1),
    ] {
        let idx = file(0x0B, sizes, &vec![7; 2 * count]);
        let folder = Folder::new(&[("a.idx", &idx)]);
        for between in ["b.idx", "b.gz", "b.npy"] {
            if sizes.len() > 64 && between == "b.npy" {
                continue; // more than NumPy reads
            }
            folder.convert(&["a.idx", "-o", between]);
            folder.convert(&[between, "--force", "-o", "c.idx"]);
            assert_eq!(folder.read("c.idx"), idx, "{sizes:?} {between}");
        }
    }
    // A record without numbers would be a line without columns, which csv cannot have.
    let folder = Folder::new(&[
        ("none.idx", &file(8, &[0, 2, 3], &[])),
        ("empty.idx", &file(8, &[2, 0, 3], &[])),
    ]);
    folder.convert(&["none.idx", "-o", "none.csv"]);
    // The names of the columns state the shape.
    folder.convert(&["none.csv", "-o", "back.idx"]);
    assert_eq!(folder.read("back.idx"), folder.read("none.idx"));
    assert_eq!(
        folder.refused(&["empty.idx", "-o", "empty.csv"]),
        "empty.csv: records of 0 x 3 have no numbers, which csv cannot hold; write npy"
    );
}

#[test]
fn a_nan_keeps_its_bits_but_in_csv() {
    let signalling = file(0x0D, &[1], &[0xFF, 0x80, 0x12, 0x34]);
    let folder = Folder::new(&[("a.idx", &signalling)]);
    for between in ["b.gz", "b.npy"] {
        folder.convert(&["a.idx", "-o", between]);
        folder.convert(&[between, "--as", "f32", "--force", "-o", "c.idx"]);
        assert_eq!(folder.read("c.idx"), signalling);
    }
    folder.convert(&["a.idx", "-o", "b.csv"]);
    assert_eq!(folder.read("b.csv"), b"value\nNaN\n");
    folder.convert(&["b.csv", "--as", "f32", "-o", "d.idx"]);
    assert_eq!(folder.read("d.idx"), file(0x0D, &[1], &f32::NAN.to_be_bytes()));
}

#[test]
fn npy_in_each_order_and_of_each_type() {
    let idx = file(0x0B, &[2, 2, 3], &(1..=12).flat_map(|n| [0, n]).collect::<Vec<u8>>());
    // The elements in the order of the file.
    let fortran = [1, 7, 4, 10, 2, 8, 5, 11, 3, 9, 6, 12];
    let plain = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    let folder = Folder::new(&[]);
    for (elements, in_fortran_order) in [(plain, false), (fortran, true)] {
        for big_endian in [false, true] {
            let pair = |n| if big_endian { [0, n] } else { [n, 0] };
            let payload: Vec<u8> = elements.into_iter().flat_map(pair).collect();
            let descr = if big_endian { ">i2" } else { "<i2" };
            folder.write("a.npy", &npy(descr, in_fortran_order, &[2, 2, 3], &payload));
            folder.convert(&["a.npy", "--force", "-o", "a.idx"]);
            assert_eq!(folder.read("a.idx"), idx, "{descr} {in_fortran_order}");
        }
    }
    for (number_type, descr, size) in
        [("u16", "<u2", 2), ("u32", "<u4", 4), ("u64", "<u8", 8), ("i64", "<i8", 8)]
    {
        let wide = |n: u64| n.to_le_bytes().into_iter().take(size);
        let payload: Vec<u8> = plain.into_iter().map(u64::from).flat_map(wide).collect();
        folder.write("a.npy", &npy(descr, false, &[2, 2, 3], &payload));
        assert_eq!(
            folder.refused(&["a.npy", "-o", "b.idx"]),
            format!(
                "a.npy: IDX does not have {number_type}, the type of these numbers; choose another \
                 element type with `--as`"
            )
        );
        folder.convert(&["a.npy", "--as", "i16", "--force", "-o", "a.idx"]);
        assert_eq!(folder.read("a.idx"), idx);
    }
}

#[test]
fn colours_in_png() {
    let folder = Folder::new(&[]);
    let last = file(8, &[1, 1, 2, 3], &[1, 2, 3, 4, 5, 6]);
    let first = file(8, &[1, 3, 1, 2], &[1, 4, 2, 5, 3, 6]);
    for idx in [&last, &first] {
        folder.write("a.idx", idx);
        folder.convert(&["a.idx", "-o", "a/"]);
        folder.convert(&["a/", "--force", "-o", "b.idx"]);
        fs::remove_dir_all(folder.0.path().join("a")).unwrap();
        assert_eq!(folder.read("b.idx"), last, "png has the colours of a pixel side by side");
    }
    for (idx, message) in [
        (
            extreme_records(ElementType::I16),
            "records of 2 x 3 i16 cannot be changed or written as pictures of u8; convert them first: `idx convert --as u8` or `idx convert --as u8 --scale MIN..MAX,0..255`",
        ),
        (
            file(8, &[1, 4], &[0; 4]),
            "records of 4 are not images; give the shape of a record with `--shape`",
        ),
        // Failed before: the advice was to convert them to bytes, which are no images either.
        (
            file(0x0B, &[1, 2], &[0; 4]),
            "records of 2 are not images; give the shape of a record with `--shape`",
        ),
        (
            file(8, &[1, 0, 4], &[]),
            "records of 0 x 4 are not images; give the shape of a record with `--shape`",
        ),
    ] {
        folder.write("c.idx", &idx);
        assert_eq!(folder.refused(&["c.idx", "-o", "c/"]), format!("c/: {message}"));
    }
    let none = ["convert", "c.idx", "--records", "..0", "--shape", "0x4", "-o", "d.idx"];
    assert_eq!(folder.run(&none).messages, "idx: d.idx: note: no record was chosen\n");
}

#[test]
fn more_than_16_bits_of_records_and_8_of_sides() {
    let count = 70_000;
    let many = file(8, &[count, 1, 1], &[5; 70_000]);
    let large = file(8, &[1, 300, 257], &[3; 300 * 257]);
    let folder = Folder::new(&[("many.idx", &many), ("large.idx", &large)]);
    folder.convert(&["many.idx", "-o", "many.csv"]);
    folder.convert(&["many.csv", "--shape", "1x1", "-o", "b.npy"]);
    folder.convert(&["b.npy", "-o", "b.idx"]);
    assert!(folder.read("b.idx") == many);
    folder.convert(&["large.idx", "-o", "large/"]);
    folder.convert(&["large", "-o", "c.idx"]);
    assert!(folder.read("c.idx") == large);
}

#[test]
fn pictures_that_cannot_be_read() {
    let folder =
        Folder::new(&[("a.idx", &byte_records()), ("b.idx", &file(8, &[1, 3, 3], &[0; 9]))]);
    folder.convert(&["a.idx", "-o", "a/"]);
    folder.convert(&["b.idx", "-o", "b/"]);
    folder.write("mixed/0.png", &folder.read("a/00000.png"));
    folder.write("mixed/1.png", &folder.read("b/00000.png"));
    assert_eq!(
        folder.refused(&["mixed", "-o", "x.idx"]),
        "mixed/1.png: the picture is 3 x 3, the first in mixed is 2 x 3; scale the pictures to one \
         size with `--size`"
    );
    let whole = folder.read("a/00000.png");
    for length in 0..whole.len() {
        folder.write("cut/0.png", &whole[..length]);
        let message = folder.refused(&["cut", "-o", "x.idx"]);
        assert!(message.starts_with("cut/0.png: "), "{length} {message}");
    }
    // Only the header of a picture of 2^30 x 2^30 pixels, with a correct checksum.
    let start = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\x40\0\0\0\x40\0\0\0\x08\0\0\0\0\x7D\xFF\xB1\x62\0\0\0\x01IDAT\0";
    folder.write("cut/0.png", start);
    assert!(folder.refused(&["cut", "-o", "x.idx"]).starts_with("cut/0.png: "));
}

#[test]
fn mnist_there_and_back() {
    let Some(images) = real_data("mnist_there_and_back", "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let labels = images.with_file_name("t10k-labels-idx1-ubyte.gz");
    let (images, labels) = (images.to_str().unwrap(), labels.to_str().unwrap());
    let folder = Folder::new(&[]);
    folder.convert(&[images, "-o", "images.idx"]);
    folder.convert(&[images, "-o", "images.npy"]);
    folder.convert(&["images.npy", "-o", "back.idx"]);
    assert!(folder.read("back.idx") == folder.read("images.idx"));
    folder.convert(&[images, "--labels", labels, "--per-class", "10", "-o", "few/"]);
    folder.convert(&["few", "-o", "few.idx"]);
    let mut counts = [0; 10];
    for label in &folder.read("few-labels.idx")[8..] {
        counts[usize::from(*label)] += 1;
    }
    assert_eq!(counts, [10; 10]);
}

#[test]
fn the_number_of_threads_changes_no_picture() {
    // Several whole batches, and a part of one.
    let pixels: Vec<u8> = (0..300u32 * 784).map(|pixel| (pixel / 5 % 251) as u8).collect();
    let images = file(8, &[300, 28, 28], &pixels);
    let labels: Vec<u8> = (0..300u32).map(|record| (record % 7) as u8).collect();
    let labels = file(8, &[300], &labels);
    let folder = Folder::new(&[("a.idx", &images), ("l.idx", &labels)]);
    for threads in ["1", "2", "5"] {
        let out = format!("{threads}/");
        folder.convert(&["a.idx", "--labels", "l.idx", "--threads", threads, "-o", &out]);
        let again = format!("{threads}.idx");
        folder.convert(&[&out, "--only", "0", "-o", &again]);
        assert_eq!(folder.read(&again).len(), 16 + 43 * 784);
        for record in 0..300 {
            let name = format!("{}/{record:05}.png", record % 7);
            let of_one = folder.read(&format!("1/{name}"));
            assert_eq!(folder.read(&format!("{out}{name}")), of_one);
        }
    }
}

/// `--threads` holds for writing as well as for reading.
#[cfg(target_os = "linux")]
#[test]
fn pictures_are_written_by_as_many_threads_as_asked() {
    if !idx_tests::has_strace("pictures_are_written_by_as_many_threads_as_asked") {
        return;
    }
    let folder = Folder::new(&[("a.idx", &file(8, &[64, 8, 8], &[7; 64 * 64]))]);
    let started = |threads: &str| {
        let mut command = std::process::Command::new("strace");
        command.current_dir(folder.0.path());
        command.args(["-f", "-qq", "-e", "trace=clone,clone3", "-o", "calls"]);
        command.arg(env!("CARGO_BIN_EXE_idx")).args(["convert", "a.idx", "--threads", threads]);
        crate::common::outcome(command.args(["-o", &format!("{threads}/")]), &[]).success();
        let calls = String::from_utf8(folder.read("calls")).unwrap();
        calls.lines().filter(|call| call.contains("clone")).count()
    };
    assert!(started("3") > started("1"));
}

/// CIFAR-10 and programs in C write such rows.
#[test]
fn numbers_without_a_header() {
    let rows = [[7, 1, 2, 3, 4, 5, 6], [9, 10, 11, 12, 13, 14, 15]].concat();
    let folder = Folder::new(&[
        ("batch.bin", &rows),
        ("batch.bin.gz", &gzip(&rows)),
        ("cut.bin", &rows[..13]),
        ("cut.bin.gz", &gzip(&rows[..13])),
        ("little.bin", &[0, 1, 255, 255]),
    ]);
    let rows_of = ["--raw", "u8", "--shape", "3x2x1", "--label-column"];
    let images = file(8, &[2, 3, 2, 1], &[1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15]);
    for input in ["batch.bin", "batch.bin.gz"] {
        folder.convert(&[&[input, "-o", "a.idx", "-f"], &rows_of[..], &["0"]].concat());
        assert_eq!(folder.read("a.idx"), images, "{input}");
        assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[7, 9]), "{input}");
    }
    let last = ["batch.bin", "-o", "b.idx"];
    folder.convert(&[&last, &rows_of[..], &["6"]].concat());
    let images = file(8, &[2, 3, 2, 1], &[7, 1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14]);
    assert_eq!(folder.read("b.idx"), images);
    assert_eq!(folder.read("b-labels.idx"), file(8, &[2], &[6, 15]));
    // CIFAR-100 has two labels in a row.
    let two = ["batch.bin", "-o", "e.idx", "--raw", "u8", "--shape", "5", "--skip", "0"];
    let fine = folder.run(&[&["convert"], &two[..], &["--label-column", "1"]].concat());
    assert_eq!(fine.readings, "idx: batch.bin: 1 number of each row left out (--skip 0)\n");
    let rest = [2, 3, 4, 5, 6, 11, 12, 13, 14, 15];
    assert_eq!(folder.read("e.idx"), file(8, &[2, 5], &rest));
    assert_eq!(folder.read("e-labels.idx"), file(8, &[2], &[1, 10]));
    folder.convert(&["little.bin", "-o", "c.idx", "--raw", "i16", "--shape", "1"]);
    assert_eq!(folder.read("c.idx"), file(0x0B, &[2, 1], &[1, 0, 255, 255]));

    let advice = "correct the type, the shape or the column of the labels, or copy the file again";
    for (input, label, message) in [
        ("cut.bin", "0", format!("cut.bin: 13 bytes are not a whole number of rows of 7 bytes; {advice}")),
        (
            "cut.bin.gz",
            "0",
            format!("cut.bin.gz: record 1: 6 bytes are not a whole number of rows of 7 bytes; {advice}"),
        ),
        (
            "batch.bin",
            "x",
            "batch.bin: numbers without a header have no names; give the position of the column in a row, from 0"
                .to_string(),
        ),
    ] {
        let found = folder.refused(&[&[input, "-o", "d.idx"], &rows_of[..], &[label]].concat());
        assert_eq!(found, message);
    }
    // The message names the option if the command has it.
    let message = "numbers without a header are read with `--raw`";
    for command in ["info", "show", "stats", "check"] {
        let found = folder.run(&[command, "batch.bin"]).failure().1;
        assert_eq!(found.ends_with(message), command != "check", "{found}");
    }
    let message = folder.refused(&["batch.bin", "-o", "d.idx", "--raw", "u8"]);
    assert!(message.ends_with("with `--shape`"), "{message}");
}

/// Keras and MNIST-C have arrays of N x 28 x 28 x 1.
#[test]
fn one_channel_is_no_dimension_under_a_name_of_three() {
    let folder = Folder::new(&[("a.npy", &npy("|u1", false, &[2, 2, 2, 1], &[1; 8]))]);
    folder.convert(&["a.npy", "-o", "own-images-idx3-ubyte"]);
    assert_eq!(folder.read("own-images-idx3-ubyte"), file(8, &[2, 2, 2], &[1; 8]));
    folder.run(&["check", "own-images-idx3-ubyte"]).success();
    folder.convert(&["a.npy", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[2, 2, 2, 1], &[1; 8]));
}
