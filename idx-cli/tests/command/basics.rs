//! What the command prints, where, and with which exit code.

use std::fs;
use std::path::Path;

use crate::common::{Folder, not_idx};
use idx_std::{Reader, Shape};
use idx_tests::{file, gzip, odd_files, rank_255, real_data};
use serde_json::{Value, json};

#[path = "../../sample/draw.rs"]
mod draw;

/// Two images of 2 x 3 bytes.
fn images() -> Vec<u8> {
    file(0x08, &[2, 2, 3], &[0, 128, 255, 255, 0, 0, 255, 0, 0, 0, 0, 255])
}

#[test]
fn the_sample_is_what_the_code_draws() {
    let (images, labels): (Vec<_>, Vec<_>) =
        draw::sample().into_iter().map(|sample| (sample.image, sample.label)).unzip();
    assert_eq!(images.len(), draw::COUNT);
    let count = u32::try_from(draw::COUNT).unwrap();
    let pixels = images.as_flattened().as_flattened();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    let committed = |name| fs::read(sample.join(name)).unwrap();
    let images = file(0x08, &[count, 28, 28], pixels);
    assert!(committed("digits-images-idx3-ubyte") == images, "run the example `sample`");
    assert_eq!(committed("digits-labels-idx1-ubyte"), file(0x08, &[count], &labels));
}

#[test]
fn alone_it_shows_the_sample() {
    let folder = Folder::new(&[]);
    let alone = folder.run(&[]).success();
    for digit in 0..10 {
        assert!(alone.contains(&format!("{digit}: label {digit}")));
    }
    assert!(alone.ends_with("This is the built-in sample; for the rest see `idx -h`.\n"));
    let shown = folder.run(&["show"]).success();
    assert!(alone.starts_with(&shown));
    assert!(shown.lines().all(|line| line.len() <= 80), "a pipe has 80 columns");
    let last = folder.run(&["show", "--records", "199"]).success();
    assert!(last.starts_with("199: label "));
}

#[test]
fn info_tells_what_the_header_says() {
    let zipped = gzip(&images());
    let folder = Folder::new(&[("images", &images()), ("images.gz", &zipped)]);
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
        ("cut", &images()[..20]),
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

/// The names of files alone are `info` and `show` of each.
#[test]
fn files_without_a_command() {
    let labels = file(0x08, &[3], &[7, 8, 9]);
    let folder = Folder::new(&[
        ("images", &images()),
        ("labels", &gzip(&labels)),
        ("cut", &images()[..25]),
        ("text", b"not IDX"),
    ]);
    let both = |name: &str| {
        let [info, show] = ["info", "show"].map(|command| folder.run(&[command, name]));
        assert_eq!(show.messages, info.messages);
        format!("{}\n{}", info.output, show.output)
    };
    let output = folder.run(&["images", "./labels"]).success();
    let labels = both("labels").replace("labels\n", "./labels\n");
    assert_eq!(output, format!("{}\n{labels}", both("images")));

    // The error is printed once, and the next file follows.
    let outcome = folder.run(&["cut", "text", "images"]);
    assert_eq!(outcome.output, format!("{}\n\n{}", both("cut"), both("images")));
    assert_eq!((outcome.code, outcome.messages.lines().count()), (Some(1), 2));

    for mistyped in [&["inf", "images"][..], &["inf"]] {
        let outcome = folder.run(mistyped);
        assert_eq!((outcome.code, outcome.output), (Some(2), String::new()));
        assert!(outcome.messages.contains("unrecognized subcommand"));
        assert!(outcome.messages.contains("'info'"));
    }
    let outcome = folder.run(&["missing", "images"]);
    assert_eq!((outcome.code, outcome.output), (Some(2), String::new()));
    let message = "idx: missing: no such file, and no command has this name\n";
    assert!(outcome.messages.starts_with(message), "{}", outcome.messages);
    for name in ["images.idx", "t10k-images-idx3-ubyt", "no/images"] {
        let (_, message) = folder.run(&[name]).failure();
        let expected = format!("{name}: no such file, and no command has this name; see `idx -h`");
        assert_eq!(message, expected);
    }
    let (output, message) = folder.run(&["images", "nope"]).failure();
    assert!(output.starts_with(&both("images")));
    assert_eq!(message, "nope: no such file, and no command has this name; see `idx -h`");
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
    assert!(output.contains("1000000 of 1 byte\n"), "{output}");
    assert!(message.contains("the gzip data is truncated"), "{message}");
    let first = folder.run(&["show", "cut.gz", "--records", "..3"]).success();
    assert_eq!(first.lines().count(), 3);
}

#[test]
fn show_draws_pictures_with_labels() {
    let folder = Folder::new(&[
        ("images", &images()),
        ("labels", &file(0x0B, &[2], &[0, 7, 0xFF, 0xFE])),
        ("columns", &file(0x0C, &[2, 2], &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4])),
    ]);
    let plain = folder.run(&["show", "images"]).success();
    assert_eq!(plain, "0       1\n  ++@@  @@\n@@          @@\n");
    let labels = folder.run(&["show", "images", "--labels", "labels"]).success();
    assert_eq!(labels, "0: label 7  1: label -2\n  ++@@      @@\n@@              @@\n");
    let columns =
        ["show", "images", "--labels", "columns", "--label-column", "1", "--records", "1"];
    assert!(folder.run(&columns).success().starts_with("1: label 4\n"));
    let streamed = folder.run_with(&["show", "-", "--records", "1.."], &gzip(&images())).success();
    assert_eq!(streamed, "1\n@@\n    @@\n");
}

#[test]
fn show_prints_records_that_are_no_images_as_numbers() {
    let floats: Vec<u8> =
        [0.1f32, -2.0, f32::NAN, f32::INFINITY].into_iter().flat_map(f32::to_be_bytes).collect();
    let folder = Folder::new(&[
        ("floats", &file(0x0D, &[2, 2], &floats)),
        ("scalar", &file(0x09, &[], &[0xFF])),
        ("nothing", &file(0x08, &[2, 0], &[])),
        ("none", &file(0x08, &[0, 28, 28], &[])),
        ("blocks", &file(0x08, &[1, 2, 2, 2], &[1, 2, 3, 4, 5, 6, 7, 8])),
        ("far", &file(0x0D, &[4], &[1e14f32, 1e16, 2e-4, 1e-5].map(f32::to_be_bytes).concat())),
    ]);
    assert_eq!(folder.run(&["show", "floats"]).success(), "0: 0.1  -2\n1: NaN inf\n");
    assert_eq!(
        folder.run(&["show", "far"]).success(),
        "0: 100000000000000\n1:            1e16\n2:          0.0002\n3:            1e-5\n"
    );
    assert_eq!(folder.run(&["show", "scalar"]).success(), "0: -1\n");
    assert_eq!(folder.run(&["show", "nothing"]).success(), "0:\n1:\n");
    assert_eq!(folder.run(&["show", "none"]).success(), "");
    assert_eq!(folder.run(&["show", "blocks"]).success(), "0: 1 2 3 4 5 6 7 8\n");
}

#[test]
fn show_refuses_what_does_not_go_together() {
    let folder = Folder::new(&[
        ("images", &images()),
        ("three", &file(0x08, &[3], &[1, 2, 3])),
        ("floats", &file(0x0D, &[2], &[0, 0, 0, 0, 0x3F, 0, 0, 0])),
        ("deep", &file(0x08, &[2, 1, 1], &[1, 2])),
        ("columns", &file(0x08, &[2, 2], &[1, 2, 3, 4])),
    ]);
    for (arguments, expected) in [
        (
            &["--records", "3.."][..],
            "images: the range goes beyond the last record; there are 2 records, counted from 0",
        ),
        (
            &["--records", "2"],
            "images: the range goes beyond the last record; there are 2 records, counted from 0",
        ),
        (
            &["--labels", "three"],
            "three: 3 labels but 2 records; give the label file of these records",
        ),
        (
            &["--labels", "floats"],
            "floats: record 1: 0.5 is not a label, a whole number; round it, or choose another column",
        ),
        (
            &["--labels", "deep"],
            "deep: labels have 1 or 2 dimensions, and these have 3; choose a file of labels",
        ),
        (
            &["--labels", "columns", "--label-column", "2"],
            "columns: there is no column 2; the labels have 2, counted from 0",
        ),
        (&["--labels", "missing"], "missing: no such file; check the path"),
    ] {
        let (output, message) = folder.run(&[&["show", "images"], arguments].concat()).failure();
        assert_eq!((output.as_str(), message.as_str()), ("", expected));
    }
}

#[test]
fn bad_files_are_one_line_each() {
    for bad in not_idx() {
        let folder = Folder::new(&[(bad.name, &bad.bytes)]);
        // All records: ten of a long file are shown without meeting what is wrong.
        let show = |name| ["show", name, "--records", "..", "--record-limit", "8G"];
        let (_, message) = folder.run(&show(bad.name)).failure();
        assert_eq!(message, format!("{}: {}", bad.name, bad.message));
        let (_, message) = folder.run_with(&show("-"), &bad.bytes).failure();
        assert_eq!(message, format!("-: {}", bad.message));
    }
}

/// `info` reads the header and knows the length of a plain file; what lies deeper in gzip data it
/// does not see, and says nothing wrong of it.
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
        assert_eq!(message, bad.message, "{}", bad.name);
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
        folder.run(&["show", odd.name]).success();
        folder.run_with(&["show", "-"], &odd.bytes).success();
    }
    let folder = Folder::new(&[("rank-255", &rank_255())]);
    let json = folder.run(&["info", "--json", "rank-255"]).success();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["shape"], json!(vec![1; 255]));
    folder.run(&["show", "rank-255"]).success();
}

#[test]
fn whole_records_are_shown_before_the_error() {
    let folder = Folder::new(&[("cut", &images()[..27])]);
    let (output, message) = folder.run(&["show", "cut"]).failure();
    assert_eq!(output, "0\n  ++@@\n@@\n");
    assert!(message.ends_with("(after 1 whole record)"));
    assert_eq!(folder.run(&["show", "cut", "--records", "0"]).success(), output);
}

#[test]
fn real_digits_with_their_labels() {
    let test = "real_digits_with_their_labels";
    let Some(images) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let Some(labels) = real_data(test, "mnist/t10k-labels-idx1-ubyte.gz") else {
        return;
    };
    let folder = Folder::new(&[]);
    let paths = [images, labels].map(|path| path.canonicalize().unwrap());
    let [images, labels] = paths.each_ref().map(|path| path.to_str().unwrap());
    let output = folder.run(&["show", images, "--labels", labels, "--records", "0..3"]).success();
    let captions: Vec<&str> = output
        .lines()
        .filter(|line| line.contains("label"))
        .flat_map(|line| line.split("  ").filter(|caption| !caption.is_empty()))
        .map(str::trim)
        .collect();
    assert_eq!(captions, ["0: label 7", "1: label 2", "2: label 1"]);
    // The upper stroke of the seven, and the stem of the one.
    assert!(output.contains("+***#%%#%%%%%%#-"), "{output}");
    assert!(output.contains(":@#"), "{output}");
}

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
        ("4, 0..2, 1..3, 4", &[50, 51, 52, 54]),
        ("0,-1..", &[50, 54]),
    ] {
        let output = folder.run(&["show", "five", "--records", range]).success();
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
            "five: the range goes beyond the last record; there are 5 records, counted from 0";
        assert_eq!(message, beyond, "{range}");
    }
    let (_, message) = folder.run(&["show", "five", "--records", "-1..3"]).failure();
    assert_eq!(message, "five: the range ends before it starts: from record 4 to before 3");
    let first = folder.run(&["show", "five", "-n", "2"]).success();
    assert_eq!(first, folder.run(&["show", "five", "--records", "..2"]).success());
}
