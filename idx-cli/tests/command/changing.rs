//! Numbers scaled, normalized, transposed and converted to another type.

use idx_tests::{file, npy};

use crate::common::Folder;

#[test]
fn fractions_become_pictures() {
    let fractions = [0.5f64, 1.0].map(f64::to_be_bytes).concat();
    let folder = Folder::new(&[("f64.idx", &file(0x0E, &[1, 1, 2], &fractions))]);
    let refused = folder.refused(&["f64.idx", "-o", "digits/"]);
    assert_eq!(
        refused,
        "digits/: records of 1 x 2 f64 cannot be changed or written as pictures of u8; convert them first: `idx convert --as u8` or `idx convert --as u8 --scale MIN..MAX,0..255`"
    );
    let refused = folder.refused(&["f64.idx", "--as", "u8", "-o", "digits/"]);
    assert_eq!(
        refused,
        "f64.idx: record 0: 0.5 is not a whole number, as u8 needs; change the type, or give the range to scale from: `--as f32` or `--as u8 --scale MIN..MAX,0..255`"
    );
    let scaled = ["f64.idx", "--as", "u8", "--scale", "0..255", "-o"];
    folder.convert(&[&scaled[..], &["digits/"]].concat());
    folder.convert(&[&scaled[..], &["x.idx"]].concat());
    assert_eq!(folder.read("x.idx"), file(8, &[1, 1, 2], &[128, 255]));
    folder.convert(&["x.idx", "--scale", "0..1", "-o", "one.idx"]);
    let one = &folder.read("one.idx")[20..];
    assert_eq!(one, 1f32.to_be_bytes());
    folder.write("x.csv", b"0.5,1\n");
    folder.convert(&["x.csv", "--as", "u8", "--scale", "0..255", "-o", "z.idx"]);
    assert_eq!(folder.read("z.idx"), file(8, &[1, 2], &[128, 255]));
    // Decibels, and numbers in csv that are not bytes. Failed before: the only range to scale from was 0 to 1.
    let decibels = [-80f64, 0.0].map(f64::to_be_bytes).concat();
    folder.write("decibels.idx", &file(0x0E, &[1, 1, 2], &decibels));
    assert_eq!(
        folder.refused(&["decibels.idx", "--as", "u8", "--scale", "0..255", "-o", "d.idx"]),
        "decibels.idx: record 0: -80.0 is not between 0 and 1, the default range of f64; give the range to scale from with `--scale MIN..MAX,A..B`"
    );
    let whole = ["decibels.idx", "--as", "u8", "--scale", "-80..0,0..255", "-o"];
    folder.convert(&[&whole[..], &["d/"]].concat());
    folder.convert(&[&whole[..], &["d.idx"]].concat());
    assert_eq!(folder.read("d.idx"), file(8, &[1, 1, 2], &[0, 255]));
    // Failed before: all pixels became 0.5.
    folder.write("i32.idx", &file(0x0C, &[1, 2], &[0u32, 255].map(u32::to_be_bytes).concat()));
    assert_eq!(
        folder.refused(&["i32.idx", "--scale", "0..1", "-o", "half.npy"]),
        "i32.idx: numbers of i32 seldom use its whole range; give the range to scale from with `--scale MIN..MAX,A..B`"
    );
    folder.convert(&["i32.idx", "--scale", "0..255,0..1", "-o", "one.npy"]);
    // Pixels from 0 to 255, stored as floats. Failed before: they stayed as they were.
    folder.write("pixels.idx", &file(0x0D, &[1, 2], &[0f32, 255.0].map(f32::to_be_bytes).concat()));
    folder.write("pixels.csv", b"label,a,b\n1,0,255\n");
    for pixels in ["pixels.idx", "pixels.csv"] {
        let to_bits = ["--as", "u8", "--scale", "0..1", "-o", "bits.npy"];
        let refused = folder.refused(&[&[pixels], &to_bits[..]].concat());
        assert!(
            refused.contains("255.0 is not between 0 and 1, the default range of f"),
            "{refused}"
        );
        folder.convert(&[pixels, "--as", "u8", "--scale", "0..255,0..1", "-fo", "p.npy"]);
    }
    folder.write("d.csv", b"1.5,3\n");
    folder.convert(&["d.csv", "--as", "f32", "--scale", "0..3,0..1", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx")[12..], [0.5f32, 1.0].map(f32::to_be_bytes).concat());
    folder.write("n.csv", b"128,255\n");
    let normalize = ["--scale", "-1..1", "--normalize", "1,0.5", "-o", "w.idx"];
    folder.convert(&[&["n.csv"], &normalize[..]].concat());
    assert_eq!(folder.read("w.idx")[16..], 0f32.to_be_bytes());
    folder.convert(&[&["x.csv", "--normalize", "0.5,0.5", "-o", "v.idx"][..]].concat());
    assert_eq!(folder.read("v.idx")[16..], 1f32.to_be_bytes());
    let refused = folder.refused(&["x.idx", "--as", "u8", "--normalize", "0.5,0.5", "-o", "u.idx"]);
    assert_eq!(
        refused,
        "x.idx: normalized values are fractions, and u8 has only whole numbers; choose another element type with `--as`"
    );
    let usage = folder.run(&["show", "f64.idx", "--scale", "2"]);
    assert_eq!(usage.code, Some(2));
    assert!(usage.messages.contains("such as 0..1"), "{usage:?}");
    for (options, expected) in [
        (
            ["--scale", "3..3,0..1"],
            "x.idx: a range of one number cannot be scaled; give its least and its greatest number",
        ),
        (["--scale", "0..inf"], "x.idx: inf is not finite; scale and normalize by finite numbers"),
        (
            ["--normalize", "0,-0.5"],
            "x.idx: numbers cannot be divided by a deviation of -0.5; use one above 0",
        ),
    ] {
        assert_eq!(
            folder.refused(&[&["x.idx"], &options[..], &["-o", "u.idx"]].concat()),
            expected
        );
    }
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
            "1e300 is not between 0 and 1, the default range of f64; give the range to scale from with `--scale MIN..MAX,A..B`",
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

/// Scales the whole range of one type to that of another; either may start below 0.
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
fn a_type_holds_each_value_or_says_which_not() {
    let numbers: Vec<u8> = [0i16, 7, -1, 300].into_iter().flat_map(i16::to_be_bytes).collect();
    let folder = Folder::new(&[("a.idx", &file(0x0B, &[2, 2], &numbers))]);
    assert_eq!(
        folder.refused(&["a.idx", "--as", "u8", "-o", "b.idx"]),
        "a.idx: record 1: -1 does not fit u8; choose another element type with `--as`"
    );
    assert_eq!(
        folder.refused(&["a.idx", "a.idx", "--records", "3", "--as", "i8", "-o", "b.idx"]),
        "a.idx: record 1: 300 does not fit i8; choose another element type with `--as`"
    );
    for wider in ["i32", "f32", "f64"] {
        folder.convert(&["a.idx", "--as", wider, "--force", "-o", "b.idx"]);
        folder.convert(&["b.idx", "--as", "i16", "--force", "-o", "c.idx"]);
        assert_eq!(folder.read("c.idx"), folder.read("a.idx"));
    }
    folder.convert(&["a.idx", "--records", "0", "--as", "u8", "--force", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[1, 2], &[0, 7]));
}

#[test]
fn images_are_transposed() {
    let folder = Folder::new(&[]);
    for (sizes, transposed, elements) in [
        (&[1, 2, 3][..], &[1, 3, 2][..], [0, 3, 1, 4, 2, 5]),
        (&[1, 2, 1, 3], &[1, 1, 2, 3], [0, 1, 2, 3, 4, 5]),
        (&[1, 3, 1, 2], &[1, 3, 2, 1], [0, 1, 2, 3, 4, 5]),
        (&[1, 3, 2, 1], &[1, 3, 1, 2], [0, 1, 2, 3, 4, 5]),
    ] {
        let wide = |element: u8| [9, element];
        folder.write("a.idx", &file(0x0B, sizes, &(0..6).flat_map(wide).collect::<Vec<u8>>()));
        folder.convert(&["a.idx", "--transpose", "--force", "-o", "b.idx"]);
        let expected: Vec<u8> = elements.into_iter().flat_map(wide).collect();
        assert_eq!(folder.read("b.idx"), file(0x0B, transposed, &expected));
        folder.convert(&["b.idx", "--transpose", "--force", "-o", "c.idx"]);
        assert_eq!(folder.read("c.idx"), folder.read("a.idx"));
    }
    for (sizes, expected) in [
        (&[1][..], "a single element are not images; give the shape of a record with `--shape`"),
        (&[1, 4], "4 are not images; give the shape of a record with `--shape`"),
        (
            &[1, 1, 1, 2, 2],
            "1 x 1 x 2 x 2 are not images, so they cannot be transposed; give the order of the axes",
        ),
    ] {
        folder.write("l.idx", &file(8, sizes, &vec![0; sizes.iter().product::<u32>() as usize]));
        assert_eq!(
            folder.refused(&["l.idx", "--transpose", "-o", "x.idx"]),
            format!("l.idx: records of {expected}")
        );
    }
}

/// The axes are those of NumPy's `transpose`; without them, the option does not take the next word.
#[test]
fn axes_are_in_the_order_that_is_given() {
    let pixels: Vec<u8> = (0..12).collect();
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 2, 3], &pixels))]);
    let channels = file(8, &[1, 3, 2, 2], &[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
    for axes in [&["--transpose", "2,0,1"][..], &["--transpose=2,0,1"]] {
        folder.convert(&[axes, &["a.idx", "--force", "-o", "b.idx"]].concat());
        assert_eq!(folder.read("b.idx"), channels);
        let back = ["convert", "b.idx", "--transpose", "1,2,0", "-fo", "c.idx"];
        folder.run(&back).success();
        assert_eq!(folder.read("c.idx"), folder.read("a.idx"));
    }
    folder.convert(&["--transpose", "a.idx", "--force", "-o", "b.idx"]);
    assert_eq!(
        folder.read("b.idx"),
        file(8, &[1, 2, 2, 3], &[0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11])
    );
    assert_eq!(
        folder.refused(&["a.idx", "--transpose", "1,0", "-o", "x.idx"]),
        "a.idx: the axes are not those of records of 2 x 2 x 3; give each of 0,1,2 once"
    );
    let (code, message) = (Some(2), "write the axes from 0 with commas between, such as 2,0,1");
    let outcome = folder.run(&["convert", "a.idx", "--transpose=x", "-o", "x.idx"]);
    assert_eq!((outcome.code, outcome.messages.contains(message)), (code, true), "{outcome:?}");
}

/// Failed before: the pixels stayed where they were, so the pictures were silently scrambled.
#[test]
fn a_shape_that_scrambles_pictures_asks() {
    let pixels: Vec<u8> = (0..12).collect();
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 2, 3], &pixels))]);
    assert_eq!(
        folder.refused(&["a.idx", "--shape", "3x2x2", "-o", "x.idx"]),
        "a.idx: the shape 3 x 2 x 2 would scramble pictures of 2 x 2 x 3, because it does not move the numbers: \
         `--transpose 2,0,1` to move the numbers, too, or `--shape 12` and then the shape, if these are not their \
         sizes"
    );
    // Both pieces of advice can be followed.
    folder.convert(&["a.idx", "--transpose", "2,0,1", "-o", "b.idx"]);
    folder.convert(&["a.idx", "--shape", "12", "-o", "flat.idx"]);
    folder.convert(&["flat.idx", "--shape", "3x2x2", "-o", "c.idx"]);
    assert_eq!(folder.read("c.idx"), file(8, &[1, 3, 2, 2], &pixels));
    // Failed before: shapes with a size of 1 more or less.
    folder.write("gray.idx", &file(8, &[1, 2, 3, 1], &pixels[..6]));
    folder.write("flat.idx", &file(8, &[1, 2, 3], &pixels[..6]));
    for (input, shape, axes) in [("gray.idx", "3x2", "1,0,2"), ("flat.idx", "3x2x1", "1,0")] {
        let question = folder.refused(&[input, "--shape", shape, "-o", "x.idx"]);
        assert!(question.contains(&format!(": `--transpose {axes}` to move")), "{question}");
        folder.convert(&[input, "--transpose", axes, "--force", "-o", "e.idx"]);
        assert_eq!(folder.read("e.idx").last_chunk(), Some(&[0, 3, 1, 4, 2, 5]));
    }
    // Shapes that scramble nothing.
    for (input, shape) in
        [("gray.idx", "1x2x3"), ("gray.idx", "2x3"), ("a.idx", "2x2x3"), ("a.idx", "4x3")]
    {
        folder.convert(&[input, "--shape", shape, "--force", "-o", "d.idx"]);
    }
}
