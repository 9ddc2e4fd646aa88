//! Messages that misled a user once: each names what is wrong, and the next step is one that can be done.

use idx_tests::{file, gzip, npy};

use crate::common::Folder;

/// Three images, their labels, an npy of fractions, pictures, and other things.
fn folder() -> Folder {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3, 2, 2], &[7; 12])),
        ("l.idx", &file(8, &[3], &[1, 2, 3])),
        ("one.idx", &file(8, &[1, 2], &[7; 2])),
        ("long.idx", &file(8, &[3, 2, 2], &[7; 14])),
        ("f64.idx", &file(0x0E, &[1, 1, 2], &[0.5f64, 1.0].map(f64::to_be_bytes).concat())),
        ("real.tsv", b"1\t2\n3\t4\n"),
        ("x.csv.gz", &gzip(b"1,2\n")),
    ]);
    folder.write("bad/a.png", b"no picture");
    folder.convert(&["a.idx", "-o", "jp/"]);
    folder
}

#[test]
fn what_is_wrong_with_a_file() {
    let folder = folder();
    let no_folder = "there is no folder nodir; create it, or check the path";
    let is_file = "a part of the path is a file, not a folder; check the path";
    for (arguments, expected) in [
        (&["convert", "a.idx", "-o", "nodir/x.idx"][..], format!("nodir/x.idx: {no_folder}")),
        (&["convert", "a.idx", "-o", "nodir/x.npy"], format!("nodir/x.npy: {no_folder}")),
        (&["convert", "a.idx", "-o", "nodir/x/"], format!("nodir/x/: {no_folder}")),
        (&["show", "a.idx", "-o", "nodir/x.png"], format!("nodir/x.png: {no_folder}")),
        (
            &["convert", "a.idx", "--labels", "l.idx", "-o", "x.idx", "--labels-out", "nodir/l.idx"],
            format!("nodir/l.idx: {no_folder}"),
        ),
        (&["info", "nodir/x.idx"], format!("nodir/x.idx: {no_folder}")),
        (
            &["convert", "jp/00000.png", "-o", "x.idx"],
            "jp/00000.png: this is a picture, not an IDX file; convert the folder that it is in with \
             `idx convert`"
                .to_string(),
        ),
        (
            &["convert", "bad", "-o", "x.idx"],
            "bad/a.png: the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; remove it, or save it \
             as one"
                .to_string(),
        ),
        (
            &["check", "long.idx"],
            "long.idx: extra bytes after the payload: 2 bytes from offset 28; remove them, or correct the \
             header if they belong to it (after 3 whole records)"
                .to_string(),
        ),
        (&["convert", "a.idx", "-o", "a.idx/x.idx"], format!("a.idx/x.idx: {is_file}")),
        (&["info", "a.idx/x"], format!("a.idx/x: {is_file}")),
        (
            &["show", "one.idx", "--records", "5"],
            "one.idx: the range goes beyond the last record; there is 1 record, counted from 0".to_string(),
        ),
    ] {
        let (_, message) = folder.run(arguments).failure();
        assert_eq!(message, expected);
    }
    if !cfg!(feature = "parquet") {
        let (_, message) =
            folder.run(&["convert", "a.idx", "--to", "parquet", "-o", "-"]).failure();
        assert!(message.starts_with("-: this program was built without"), "{message}");
    }
    // This was refused before.
    folder.convert(&["real.tsv", "-o", "x.idx"]);
    assert_eq!(folder.read("x.idx"), file(8, &[2, 2], &[1, 2, 3, 4]));
    folder.convert(&["x.csv.gz", "-o", "x.idx", "-f"]);
    assert_eq!(folder.read("x.idx"), file(8, &[1, 2], &[1, 2]));
}

/// A path can be longer than what anybody reads.
#[test]
fn long_messages_lack_their_middle() {
    let path = "x".repeat(3000) + &"y".repeat(3000);
    let outcome = Folder::new(&[]).run(&["info", &path]);
    let message = outcome.messages.trim_end().strip_prefix("idx: ").unwrap();
    let (start, end) = message.split_once(" ... ").unwrap();
    assert_eq!(start, "x".repeat(2048));
    assert_eq!(end.len(), 2048);
    assert!(end.starts_with("yyy") && end.ends_with("os error 36)"), "{end}");
}

#[test]
fn fractions_become_pictures() {
    let folder = folder();
    let refused = folder.refused(&["f64.idx", "-o", "digits/"]);
    assert_eq!(
        refused,
        "digits/: png holds u8, and these records are f64; choose another element type with `--as`"
    );
    let refused = folder.refused(&["f64.idx", "--as", "u8", "-o", "digits/"]);
    assert_eq!(
        refused,
        "f64.idx: record 0: 0.5 does not fit u8; choose another element type with `--as`"
    );
    let scaled = ["f64.idx", "--as", "u8", "--scale", "0..255", "-o"];
    folder.convert(&[&scaled[..], &["digits/"]].concat());
    folder.convert(&[&scaled[..], &["x.idx"]].concat());
    assert_eq!(folder.read("x.idx"), file(8, &[1, 1, 2], &[128, 255]));
    folder.convert(&["x.idx", "--scale", "0..1", "-o", "y.idx"]);
    let one = &folder.read("y.idx")[20..];
    assert_eq!(one, 1f32.to_be_bytes());
    folder.write("x.csv", b"0.5,1\n");
    folder.convert(&["x.csv", "--as", "u8", "--scale", "0..255", "-o", "z.idx"]);
    assert_eq!(folder.read("z.idx"), file(8, &[1, 2], &[128, 255]));
    folder.write("y.csv", b"128,255\n");
    let normalize = ["--scale", "-1..1", "--normalize", "1,0.5", "-o", "w.idx"];
    folder.convert(&[&["y.csv"], &normalize[..]].concat());
    assert_eq!(folder.read("w.idx")[16..], 0f32.to_be_bytes());
    folder.convert(&[&["x.csv", "--normalize", "0.5,0.5", "-o", "v.idx"][..]].concat());
    assert_eq!(folder.read("v.idx")[16..], 1f32.to_be_bytes());
    let refused = folder.refused(&["x.idx", "--as", "u8", "--normalize", "0.5,0.5", "-o", "u.idx"]);
    assert_eq!(
        refused,
        "x.idx: normalized values are fractions, and u8 has only whole numbers; choose another element type with `--as`"
    );
    let usage = folder.run(&["show", "a.idx", "--scale", "2"]);
    assert_eq!(usage.code, Some(2));
    assert!(usage.messages.contains("such as 0..1"), "{usage:?}");
}

#[test]
fn numbers_that_are_too_large_are_refused() {
    let number = |number: f64| file(14, &[1], &number.to_be_bytes());
    let folder = Folder::new(&[
        ("large.idx", &number(1e300)),
        ("nan.idx", &number(f64::NAN)),
        ("u64.npy", &npy("<u8", false, &[1], &u64::MAX.to_le_bytes())),
    ]);
    for (name, options, expected) in [
        (
            "large.idx",
            &["--as", "f32"][..],
            "1e300 does not fit f32; choose another element type with `--as`",
        ),
        (
            "large.idx",
            &["--scale", "0..1"],
            "1e300 does not fit f32; choose another element type with `--as`",
        ),
        (
            "large.idx",
            &["--as", "f64", "--normalize", "0,1e-300"],
            "1e300 becomes too large for f64; scale to a smaller range, or divide by a larger deviation",
        ),
        (
            "nan.idx",
            &["--as", "u8"],
            "NaN does not fit u8; choose another element type with `--as`",
        ),
        (
            "u64.npy",
            &["--as", "f64"],
            "18446744073709551615 does not fit f64; IDX has no type for it, so round it first",
        ),
    ] {
        let refused = folder.refused(&[&[name], options, &["-o", "x.idx"]].concat());
        assert_eq!(refused, format!("{name}: record 0: {expected}"));
    }
}

/// From all numbers of a type to others, either of which may start below 0.
#[test]
fn ranges_below_zero_are_scaled() {
    let folder = Folder::new(&[
        ("i8.idx", &file(9, &[3], &[0x80, 0, 0x7F])),
        ("i16.idx", &file(11, &[2], &[0x80, 0, 0x7F, 0xFF])),
        ("u8.idx", &file(8, &[3], &[0, 51, 255])),
    ]);
    let bytes = ["--scale", "0..255", "--as", "u8", "-o"];
    folder.convert(&[&["i8.idx"][..], &bytes, &["x.idx"]].concat());
    assert_eq!(folder.read("x.idx"), file(8, &[3], &[0, 128, 255]));
    folder.convert(&[&["i16.idx"][..], &bytes, &["y.idx"]].concat());
    assert_eq!(folder.read("y.idx"), file(8, &[2], &[0, 255]));
    folder.convert(&["u8.idx", "--scale=-1..4", "-o", "z.idx"]);
    let scaled = [-1f32, 0.0, 4.0].map(f32::to_be_bytes).concat();
    assert_eq!(folder.read("z.idx"), file(13, &[3], &scaled));
}

#[test]
fn wrong_usage_is_that_of_its_command() {
    let folder = folder();
    let options = "idx: a.idx: options need a command, such as `idx show FILE`";
    let unset = "idx: a name is empty; a variable of the shell may be unset";
    for (arguments, expected) in [
        (&["show", "a.idx", "--records", "5..2"][..], "5..2 ends before it starts"),
        (&["stats", "a.idx", "a.idx", "--labels", "l.idx"], "Usage: idx stats "),
        (&["convert", "a.idx", "-o", "o.csv.gz"], "from \"o.csv.gz\""),
        (&["info", ""], unset),
        (&["info", ""], "Usage: idx info "),
        (&["convert", "", "-o", "x.idx"], unset),
        (&["convert", "a.idx", "-o", ""], "Usage: idx convert "),
        (&["show", "a.idx", "--labels", ""], unset),
        // What is wrong is not that name.
        (&["convert", "", "--bogus"], "unexpected argument '--bogus'"),
        (&["convert", "--to", "bmp", ""], "invalid value 'bmp'"),
        (&["convert", "a.idx", "--to"], "a value is required for '--to <FORMAT>'"),
        (&["convert"], "Usage: idx convert "),
        (
            &["convert", "a.idx", "--threads", "0"],
            "invalid value '0' for '--threads <N>': write a whole number above 0",
        ),
        (
            &["convert", "a.idx", "--shards", "0"],
            "invalid value '0' for '--shards <N>': write a whole number above 0",
        ),
        (&["a.idx", "-n", "2"], options),
        (&["missing", "a.idx"], "idx: missing: no such file, and no command has this name"),
        (&["shw", "a.idx"], "unrecognized subcommand 'shw'"),
    ] {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.messages.contains(expected), "{}", outcome.messages);
    }
}
