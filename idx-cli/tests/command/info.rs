//! `idx info`: what the header says, as text, as JSON and in hex.

use std::fs;

use idx_std::{Reader, Shape};
use idx_tests::{file, gzip, odd_files, rank_255};
use serde_json::{Value, json};

use crate::common::{Folder, each_format, not_idx, two_images, with_raw};

#[test]
fn info_tells_what_the_header_says() {
    let zipped = gzip(&two_images());
    let folder = Folder::new(&[("images", &two_images()), ("images.gz", &zipped)]);
    let text = |file: &str, size: &str| {
        format!(
            "{file}\n  element type  u8\n  shape         2 x 2 x 3\n  records       2 of 6 bytes\n  \
             file          {size}\n"
        )
    };
    let output = folder.run(&["info", "images", "images.gz"]).success();
    let size = format!("{} bytes, gzip of 28 bytes", zipped.len());
    assert_eq!(output, text("images", "28 bytes") + &text("images.gz", &size));
    let output = folder.run_with(&["info", "-"], &zipped).success();
    assert_eq!(output, text("-", "a stream, gzip of 28 bytes"));
}

#[test]
fn info_as_json() {
    let scalar = file(0x0D, &[], &[0; 4]);
    let impossible = file(0x0E, &[0, 1 << 31, 1 << 31, 1 << 31], &[]);
    let no_bytes = file(0x08, &[1 << 31, 1 << 31, 0], &[]);
    let folder = Folder::new(&[
        ("i16.gz", &gzip(&file(0x0B, &[2, 3], &[0; 12]))),
        ("scalar", &scalar),
        ("impossible", &impossible),
        ("no \"bytes\"", &no_bytes),
        ("cut", &two_images()[..20]),
    ]);
    let size = |name: &str| fs::metadata(folder.0.path().join(name)).unwrap().len();
    let files = ["i16.gz", "cut", "scalar", "impossible", "missing", "no \"bytes\""];
    let outcome = folder.run(&[&["info", "--json"][..], &files].concat());
    assert_eq!(outcome.code, Some(1), "two are wrong, and the others are reported all the same");
    let lines: Vec<Value> =
        outcome.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let cut = "the payload is truncated: expected 12 bytes, found 4 (8 missing); download or copy the file again \
               (after 0 whole records)";
    assert_eq!(
        lines,
        [
            json!({"path": "i16.gz", "format": "idx", "element_type": "i16", "shape": [2, 3], "records": 2,
                "record_bytes": 6, "payload_bytes": 12, "decompressed_bytes": 24, "file_bytes": size("i16.gz"),
                "compression": "gzip"}),
            json!({"path": "cut", "error": cut, "kind": "truncated", "needed": 12, "found": 4, "records": 0}),
            json!({"path": "scalar", "format": "idx", "element_type": "f32", "shape": [], "records": 1,
                "record_bytes": 4, "payload_bytes": 4, "decompressed_bytes": 8, "file_bytes": 8, "compression": null}),
            json!({"path": "impossible", "format": "idx", "element_type": "f64",
                "shape": [0, 1u32 << 31, 1u32 << 31, 1u32 << 31], "records": 0,
                "record_bytes": null, "payload_bytes": 0, "decompressed_bytes": 20, "file_bytes": 20, "compression": null}),
            json!({"path": "missing", "error": "no such file; check the path", "kind": "not_found",
                "os_error": 2}),
            json!({"path": "no \"bytes\"", "format": "idx", "element_type": "u8",
                "shape": [1u32 << 31, 1u32 << 31, 0], "records": 1u32 << 31, "record_bytes": 0,
                "payload_bytes": 0, "decompressed_bytes": 16, "file_bytes": 16, "compression": null}),
        ]
    );
    let messages: Vec<&str> = outcome.messages.lines().collect();
    assert_eq!(
        messages,
        [&*format!("idx: cut: {cut}"), "idx: missing: no such file; check the path"]
    );
}

#[test]
fn info_tells_that_gzip_is_cut_off() {
    // Random bytes do not compress, so most of the file can be missing.
    let mut noise = 1u32;
    let payload: Vec<u8> = (0..1_000_000)
        .map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            noise.to_be_bytes()[0]
        })
        .collect();
    let zipped = gzip(&file(0x08, &[1_000_000], &payload));
    let folder = Folder::new(&[("cut.gz", &zipped[..200_000])]);
    let (output, message) = folder.run(&["info", "cut.gz"]).failure();
    assert!(output.contains("1,000,000 of 1 byte\n"), "{output}");
    assert!(message.starts_with("cut.gz: truncated: "), "{message}");
    let first = folder.run(&["show", "cut.gz", "--records", "..3"]).success();
    assert_eq!(first.lines().count(), 3);
}

/// `info` reads the header and knows the length of a plain file; it does not see what lies deeper in gzip data, and
/// says nothing wrong about it.
#[test]
fn bad_files_are_told_by_their_header_and_length() {
    for bad in not_idx() {
        let is_deeper = bad.bytes.starts_with(&[0x1F, 0x8B]) && bad.message.contains("(after ");
        let folder = Folder::new(&[(bad.name, &bad.bytes)]);
        let info = folder.run(&["info", bad.name]);
        if is_deeper && !bad.message.contains("truncated") {
            assert!(info.output.contains(", gzip of "), "{}", bad.name);
            let said = format!("idx: {}: {}\n", bad.name, bad.message);
            let is_right = match info.code {
                Some(0) => info.messages.is_empty(),
                _ => info.messages == said,
            };
            assert!(is_right, "{}: {info:?}", bad.name);
            continue;
        }
        let (output, message) = info.failure();
        // What the header says comes first, if there is a header.
        let header = Reader::new(&bad.bytes[..]).map(|reader| reader.header().clone());
        let expected = header.map_or(String::new(), |header| {
            let shape = Shape(header.dims());
            let element_type = header.element_type();
            format!("{}\n  element type  {element_type}\n  shape         {shape}\n", bad.name)
        });
        assert!(output.starts_with(&expected), "{}: {output}", bad.name);
        assert_eq!(output.is_empty(), expected.is_empty(), "{}", bad.name);
        let message = message.strip_prefix(&format!("{}: ", bad.name)).unwrap();
        assert_eq!(message, with_raw(bad.message), "{}", bad.name);
    }
}

#[test]
fn odd_files_are_no_errors() {
    for odd in odd_files() {
        let folder = Folder::new(&[(odd.name, &odd.bytes)]);
        let info = folder.run(&["info", odd.name]).success();
        let [shape, records] = odd.info;
        assert!(info.contains(&format!("  shape         {shape}\n")), "{info}");
        assert!(info.contains(&format!("  records       {records}\n")), "{info}");
        for shown in [folder.run(&["show", odd.name]), folder.run_with(&["show", "-"], &odd.bytes)]
        {
            assert_eq!(shown.code, Some(0), "{}", shown.messages);
            assert_eq!(
                shown.messages.contains("no records"),
                records.starts_with("0 "),
                "{}",
                odd.name
            );
        }
    }
    let folder = Folder::new(&[("rank-255", &rank_255())]);
    let json = folder.run(&["info", "--json", "rank-255"]).success();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["shape"], json!(vec![1; 255]));
    folder.run(&["show", "rank-255"]).success();
}

#[test]
fn the_header_is_annotated_as_far_as_it_goes() {
    let whole = file(0x0B, &[1, 3], &[0, 1, 0, 2, 0, 3]);
    let folder = Folder::new(&[
        ("whole", &whole),
        ("whole.gz", &gzip(&whole)),
        ("archive", b"PK\x03\x04\x1B[31m of a stranger"),
        ("empty", b""),
    ]);
    let parts = |magic: &str| {
        format!(
            "00000000  00 00        {magic}\n00000002  0b           element type i16\n\
             00000003  02           2 dimensions\n00000004  00 00 00 01  1 record\n\
             00000008  00 00 00 03  3\n0000000c  00 01 00 02 00 03  payload\n"
        )
    };
    let hex = |name| folder.run(&["info", "--hex", name]);
    assert_eq!(hex("whole").success(), parts("magic number"));
    assert_eq!(hex("whole.gz").success(), parts("magic number (after gunzip)"));
    assert_eq!(
        hex("archive").success(),
        "00000000  50 4b 03 04 1b 5b 33 31  not IDX, but a zip archive\n"
    );
    assert!(hex("empty").success().ends_with("the file is empty\n"));
    let cut = folder.run_with(&["info", "--hex", "-"], &whole[..10]);
    assert!(cut.success().ends_with("00000008  00 00        truncated: 2 bytes of 4 missing\n"));
    let code = folder.run_with(&["info", "--hex", "-"], &[0, 0, 7, 1]);
    let code = code.success();
    assert!(code.contains("07           no element type: 08, 09, 0b, 0c, 0d or 0e\n"));
    assert!(code.ends_with("truncated: 4 bytes of 4 missing\n"));
    let several = folder.run(&["info", "--hex", "whole", "archive"]).success();
    let archive = hex("archive").success();
    assert_eq!(several, format!("whole\n{}archive\n{archive}", parts("magic number")));
    assert_eq!(hex("none").failure().1, "none: no such file; check the path");
}

#[test]
fn info_of_any_format() {
    let folder = each_format();
    let info = folder.run(&["info", "a.npy", "a", "a.csv"]).success();
    for expected in [
        "a.npy\n  format        npy\n  element type  u8\n  shape         2 x 2 x 2\n  records       2 of 4 bytes\n",
        "a\n  format        png\n  element type  u8\n  shape         2 x 2 x 2\n",
        "a.csv\n  format        csv\n  element type  u8 by default; for other numbers, use `--as`\n  shape         2 x 2 x 2\n  records       2 of 4 bytes\n",
    ] {
        assert!(info.contains(expected), "{info}");
    }
    // Too many lines for a sample to count them.
    folder.write("many.csv", "1,9,3,4\n".repeat(5_000).as_bytes());
    let many = ["many.csv", "--shape", "2x2"];
    let info = folder.run(&[&["info"], &many[..]].concat()).success();
    assert!(info.contains("  shape         ? x 2 x 2\n  records       ? of 4 bytes\n"), "{info}");
    let json = folder.run(&[&["info", "--json"], &many[..]].concat()).success();
    assert!(json.contains(r#""shape":[null,2,2],"records":null"#), "{json}");
    // Failed before: csv was recognized in a file, but not in standard input.
    let both = folder.run_with(&["info", "-", "a.npy"], &folder.read("a.csv"));
    assert!(both.success().contains("a.npy\n  format        npy\n"));
    // Failed before: the format of an archive was npy.
    folder.convert(&["a.npy", "-o", "b.npz"]);
    let archive = folder.run(&["info", "b.npz", "b.npz:x"]).success();
    assert_eq!(archive.matches("  format        npz\n").count(), 2, "{archive}");
    // Failed before: `show` read only one of its files.
    folder.run(&["show", "a.csv", "a.npy", "--shape", "2x2"]).success();
    let (_, message) = folder.run(&["info", "--identify", "a.npy"]).failure();
    assert_eq!(message, "a.npy: the format is npy, not IDX; convert it with `idx convert` first");
}

#[test]
fn info_of_records_that_are_changed() {
    let folder = each_format();
    for name in ["a.idx", "a.npy", "a.csv", "-"] {
        for (options, expected) in [
            (&["--as", "i16"][..], "  element type  i16\n  shape         2 x 2 x 2\n"),
            (&["--scale", "0..1"], "  element type  f32\n  shape         2 x 2 x 2\n"),
            (&["--normalize", "1,2"], "  element type  f32\n  shape         2 x 2 x 2\n"),
            (&["--shape", "4"], "  element type  u8\n  shape         2 x 4\n"),
        ] {
            let arguments = [&["info", name], options].concat();
            let info = folder.run_with(&arguments, &folder.read("a.idx")).success();
            assert!(info.contains(expected), "{arguments:?}: {info}");
        }
    }
}

/// A picture of 28 x 28 and its label are not a picture of 785 numbers.
#[test]
fn a_label_among_the_numbers_is_asked_about() {
    let line = format!("7{}\n", ",0".repeat(784));
    let named = format!("7{}\n", ",0".repeat(783));
    let folder = Folder::new(&[("a.csv", line.as_bytes()), ("b.csv", named.as_bytes())]);
    let (_, message) = folder.run(&["info", "a.csv"]).failure();
    assert_eq!(
        message,
        "a.csv: column 0 or column 784 may be the label, because there is one number more than a picture of 28 x 28 has: \
         `--label-column 0` if column 0 is the label, or `--label-column 784` if column 784 is the label, or \
         `--no-labels` if there is none"
    );
    let info = folder.run(&["info", "a.csv", "--label-column", "0"]).success();
    assert!(info.contains("1 x 28 x 28") && info.contains("label column 0"), "{info}");
    assert!(folder.run(&["info", "a.csv", "--no-labels"]).success().contains("1 x 785"));
    assert!(folder.run(&["info", "b.csv"]).success().contains("1 x 784"));
}
