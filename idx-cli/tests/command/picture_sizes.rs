//! Pictures that are resized, and drawings that become digits.

use idx_tests::file;
use image::{DynamicImage, GrayImage, RgbImage};

use crate::common::Folder;
use crate::pictures::png;

#[test]
fn pictures_change_their_size() {
    let folder = Folder::new(&[]);
    // Left half black, right half white.
    let image = GrayImage::from_fn(8, 4, |x, _| image::Luma([if x < 4 { 0 } else { 255 }]));
    folder.write("set/a.png", &png(&image.into()));
    let pixels = |options: &[&str]| {
        folder.convert_set(options);
        let idx = folder.read("i-images-idx3-ubyte");
        let side = |at: usize| usize::from(idx[at]);
        (side(11), side(15), idx[16..].to_vec())
    };
    assert_eq!(pixels(&["--size", "1x2", "--fit", "none"]), (1, 2, vec![0, 255]));
    assert_eq!(pixels(&["--size", "1x2", "--fit", "none", "--invert"]), (1, 2, vec![255, 0]));
    let cut_and_padded = [7, 7, 0, 255, 0, 255, 0, 255, 0, 255, 7, 7];
    let size = ["--size", "6x2", "--fit", "none", "--background", "7"];
    assert_eq!(pixels(&size), (6, 2, cut_and_padded.to_vec()));
    let (height, width, halves) = pixels(&["--size", "2x2", "--threshold", "128"]);
    assert_eq!((height, width, halves), (2, 2, vec![0, 255, 0, 255]));
    let contain = pixels(&["--size", "4x4", "--fit", "contain", "--threshold", "128"]);
    let rows = [[255; 4], [0, 0, 255, 255], [0, 0, 255, 255], [255; 4]].concat();
    assert_eq!(contain, (4, 4, rows));
    let cover = pixels(&["--size", "2x2", "--fit", "cover", "--threshold", "128"]);
    assert_eq!(cover, (2, 2, vec![0, 255, 0, 255]));
    assert_eq!(
        folder.refused_set(&["--fit", "contain"]),
        "set: pictures are fitted into a size; give that size with `--size`"
    );
    assert_eq!(
        folder.refused_set(&["--size", "0x5"]),
        "set: a picture has at least 1 row and 1 column; give a larger size"
    );

    // Records of IDX change their size, too, as LeNet needs it for MNIST; the background of ink is 0.
    folder.write("a.idx", &file(8, &[2, 1, 1], &[7, 8]));
    folder.convert(&["a.idx", "--size", "1x3", "--fit", "none", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[2, 1, 3], &[0, 7, 0, 0, 8, 0]));
}

/// A picture is cropped or padded around its middle, in gray and in color.
#[test]
fn pictures_are_cropped_and_padded_in_the_middle() {
    const BACKGROUND: u8 = 9;
    let element = |x: u32, y: u32, channel: u8| u8::try_from(40 * y + 4 * x).unwrap() + channel;
    let grey = GrayImage::from_fn(8, 5, |x, y| image::Luma([element(x, y, 0)]));
    let color = RgbImage::from_fn(8, 5, |x, y| image::Rgb([0, 1, 2].map(|at| element(x, y, at))));
    for (image, channels) in [(DynamicImage::from(grey), 1), (color.into(), 3)] {
        let folder = Folder::new(&[]);
        folder.write("set/a.png", &png(&image));
        let run = |option: [&str; 4]| {
            let background = ["convert", "set", "--background", "9", "--force", "-o", "x.idx"];
            folder.run(&[&background[..], &option].concat())
        };
        for (option, height, width, top, left) in [
            (["--size", "2x3", "--fit", "none"], 2, 3, 1, 2),
            (["--size", "3x3", "--fit", "none"], 3, 3, 1, 2),
            (["--size", "1x3", "--fit", "none"], 1, 3, 2, 2),
            (["--size", "5x8", "--fit", "none"], 5, 8, 0, 0),
            (["--size", "5x8", "--fit", "none"], 5, 8, 0, 0),
            (["--size", "10x13", "--fit", "none"], 10, 13, -2, -2),
            (["--size", "3x10", "--fit", "none"], 3, 10, 1, -1),
        ] {
            let outcome = run(option);
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
            let mut expected = Vec::new();
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y + top, x + left))) {
                expected.extend((0..channels).map(|channel| {
                    match (u32::try_from(x), u32::try_from(y)) {
                        (Ok(x @ 0..8), Ok(y @ 0..5)) => element(x, y, channel),
                        _ => BACKGROUND,
                    }
                }));
            }
            let found = folder.read("x.idx");
            assert!(found.ends_with(&expected), "{option:?} {found:?}");
        }
    }
}

#[test]
fn grey_pictures_get_three_channels_and_any_shape() {
    let folder = Folder::new(&[]);
    let grey = GrayImage::from_pixel(2, 1, image::Luma([5]));
    folder.write("set/a.png", &png(&grey.into()));
    folder.convert(&["set", "--channels", "rgb", "--size", "2x2", "--fit", "fill", "-o", "x.idx"]);
    assert_eq!(folder.read("x.idx"), file(8, &[1, 2, 2, 3], &[5; 12]));
    // The first picture decides if there are colors.
    folder.write("set/b.png", &png(&RgbImage::new(2, 1).into()));
    assert_eq!(
        folder.refused(&["set", "-o", "y.idx"]),
        "set/b.png: the picture is 1 x 2 x 3, the first in set is 1 x 2; choose whether pictures have colors with \
         `--channels`"
    );
}

#[test]
fn channels_stay_first() {
    let color = file(8, &[1, 3, 1, 2], &[1, 2, 3, 4, 5, 6]);
    let gray = file(8, &[1, 1, 1, 2], &[1, 2]);
    let folder = Folder::new(&[("color.idx", &color), ("gray.idx", &gray)]);
    for (name, options, sizes, expected) in [
        ("color.idx", &["--invert"][..], &[1, 3, 1, 2][..], &[254, 253, 252, 251, 250, 249][..]),
        ("color.idx", &["--size", "1x1", "--fit", "none"], &[1, 3, 1, 1], &[1, 3, 5]),
        ("color.idx", &["--channels", "gray"], &[1, 1, 2], &[3, 4]),
        ("gray.idx", &["--channels", "rgb"], &[1, 3, 1, 2], &[1, 2, 1, 2, 1, 2]),
    ] {
        folder.convert(&[&[name, "--force", "-o", "x.idx"], options].concat());
        assert_eq!(folder.read("x.idx"), file(8, sizes, expected), "{options:?}");
    }
}

/// Options for pictures do not turn labels into pictures.
#[test]
fn other_records_stay_as_they_are() {
    let labels = file(12, &[2], &[0, 0, 1, 0, 0, 0, 0, 7]);
    let folder = Folder::new(&[("l.idx", &labels)]);
    folder.convert(&["l.idx", "-o", "m.idx", "--record-limit", "100"]);
    assert_eq!(folder.read("m.idx"), labels);
    let invert = folder.refused(&["l.idx", "-o", "n.idx", "--invert"]);
    assert!(invert.contains("are not images"), "{invert}");
}

/// A picture keeps its aspect ratio, as exactly as whole pixels can.
#[test]
fn pictures_fit_into_a_size() {
    for (picture, size, part) in [
        ([6, 4], [9, 9], [9, 6]),
        ([4, 6], [9, 9], [6, 9]),
        ([7, 4], [8, 8], [8, 5]),
        ([4, 7], [8, 8], [5, 8]),
        ([3, 3], [6, 9], [6, 6]),
        ([3, 2], [6, 4], [6, 4]),
        ([1, 20], [5, 5], [1, 5]),
        ([20, 1], [5, 5], [5, 1]),
    ] {
        let folder = Folder::new(&[]);
        let black = GrayImage::from_pixel(picture[1], picture[0], image::Luma([0]));
        folder.write("set/a.png", &png(&black.into()));
        let [height, width] = size;
        let text = format!("{height}x{width}");
        folder.convert_set(&["--size", &text, "--fit", "contain"]);
        let [top, left] = [0, 1].map(|side| (size[side] - part[side]) / 2);
        let is_black = |y: u32, x: u32| {
            (top..top + part[0]).contains(&y) && (left..left + part[1]).contains(&x)
        };
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
        let expected: Vec<u8> = pixels.map(|(y, x)| if is_black(y, x) { 0 } else { 255 }).collect();
        assert_eq!(folder.read("i-images-idx3-ubyte")[16..], expected, "{picture:?} {size:?}");
    }
}

/// The contrast of ink and paper, in a drawing of 20 x 20 with a stroke along two sides.
fn amounts(drawing: u8) -> [[u8; 20]; 20] {
    let mut state = u32::from(drawing);
    let mut amounts = [[0; 20]; 20];
    for (row, amounts) in amounts.iter_mut().enumerate() {
        for (column, amount) in amounts.iter_mut().enumerate() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Ink everywhere, or so near one side that it cannot be centered.
            let is_drawn =
                [true, row < 4, row > 15, column < 4, column > 15][usize::from(drawing) % 5];
            *amount = match state >> 24 {
                0..60 if is_drawn => 100,
                60..80 if is_drawn => 60,
                80..240 if is_drawn => 50,
                _ => 0,
            };
        }
    }
    amounts.iter_mut().for_each(|row| row[0] = 100);
    amounts[19] = [100; 20];
    amounts
}

/// A page of 60 x 60 with the drawing, in dark or bright ink; it has dirt, and its edge is uneven.
fn page(amounts: &[[u8; 20]; 20], is_dark: bool, uneven: u8) -> DynamicImage {
    let page = GrayImage::from_fn(60, 60, |x, y| {
        let ink = amounts.get((y as usize).wrapping_sub(20));
        let ink = ink.and_then(|row| row.get((x as usize).wrapping_sub(15)));
        let amount = match (x, y) {
            // Too little to be ink.
            (40, 25) | (25, 45) => 24,
            (0 | 59, _) | (_, 0 | 59) if (x + y) % 5 == 0 => uneven,
            _ => *ink.unwrap_or(&0),
        };
        // Dirt differs more from the paper than the ink, but has few pixels.
        let is_dirt = x == 50 && (50..53).contains(&y);
        image::Luma([match (is_dark, is_dirt) {
            (true, false) => 128 - amount,
            (false, false) => 128 + amount,
            (true, true) => 255,
            (false, true) => 0,
        }])
    });
    page.into()
}

/// The drawing as ink of 0 to 255 on 28 x 28, with its center of mass at 14 if there is room.
fn digit(amounts: &[[u8; 20]; 20], uneven: u8) -> Vec<u8> {
    let range = u32::from(100 - uneven);
    let ink = amounts.map(|row| {
        row.map(|amount| {
            let amount = u32::from(amount.saturating_sub(uneven));
            u8::try_from((2 * 255 * amount + range) / (2 * range)).unwrap()
        })
    });
    let pixels = || (0..400).map(|at| (at / 20, at % 20, f64::from(ink[at / 20][at % 20])));
    let mass: f64 = pixels().map(|(_, _, ink)| ink).sum();
    let rows: f64 = pixels().map(|(row, _, ink)| row as f64 * ink).sum();
    let columns: f64 = pixels().map(|(_, column, ink)| column as f64 * ink).sum();
    let start = |sum: f64| {
        let mut starts = (0..=8u8).rev();
        let start = starts.find(|start| f64::from(*start) + sum / mass <= 14.5);
        usize::from(start.unwrap_or(0))
    };
    let mut digit = vec![0; 28 * 28];
    for (row, ink) in ink.iter().enumerate() {
        digit[(start(rows) + row) * 28 + start(columns)..][..20].copy_from_slice(ink);
    }
    digit
}

#[test]
fn drawings_become_digits_like_those_of_mnist() {
    let folder = Folder::new(&[]);
    let mut expected = Vec::new();
    for drawing in 0..20 {
        let (is_dark, uneven) = (drawing % 2 == 0, [0, 10][usize::from(drawing / 2 % 2)]);
        let amounts = amounts(drawing);
        let page = page(&amounts, is_dark, uneven);
        folder.write(&format!("set/{drawing:02}.png"), &png(&page));
        expected.extend(digit(&amounts, uneven));
    }
    // A bar that is scaled to 20 x 10, with just enough contrast.
    for (name, ink) in [("x", 0), ("y", 128 - 16)] {
        let bar = GrayImage::from_fn(70, 60, |x, y| {
            let is_ink = (30..50).contains(&x) && (15..55).contains(&y);
            image::Luma([if is_ink { ink } else { 128 }])
        });
        folder.write(&format!("set/{name}.png"), &png(&bar.into()));
        let is_ink = |at: usize| (5..25).contains(&(at / 28)) && (10..20).contains(&(at % 28));
        expected.extend((0..28 * 28).map(|at| if is_ink(at) { 255 } else { 0 }));
    }
    folder.convert_set(&["--fit", "mnist"]);
    let digits = folder.read("i-images-idx3-ubyte");
    assert_eq!(digits[..16], file(8, &[22, 28, 28], &[])[..]);
    let digits = digits[16..].chunks(28 * 28);
    for (number, (digit, expected)) in digits.zip(expected.chunks(28 * 28)).enumerate() {
        assert_eq!(digit, expected, "{number}");
    }

    for ink in [128, 128 - 15, 128 + 15] {
        let page = GrayImage::from_fn(40, 40, |x, y| {
            let is_ink = (10..30).contains(&x) && (10..30).contains(&y);
            image::Luma([if is_ink { ink } else { 128 }])
        });
        folder.write("set/00.png", &png(&page.into()));
        assert_eq!(
            folder.refused_set(&["--fit", "mnist"]),
            "set/00.png: nothing in this picture differs in brightness from its edge; remove it, or leave it out with \
             `--skip-bad`"
        );
    }
}

/// Failed before: the first picture was gray, so the color scan after it was an error.
#[test]
fn gray_pictures_and_color_scans_become_gray_together() {
    let paper = GrayImage::from_fn(4, 3, |x, _| image::Luma([if x == 2 { 0 } else { 230 }]));
    let folder = Folder::new(&[]);
    folder.write("set/a.png", &png(&paper.clone().into()));
    folder.write("set/b.png", &png(&DynamicImage::from(paper).into_rgb8().into()));
    folder.convert(&["set/", "--invert", "-o", "own-images-idx3-ubyte"]);
    let written = folder.read("own-images-idx3-ubyte");
    assert_eq!(written[..16], file(8, &[2, 3, 4], &[])[..16]);
    assert_eq!(written[16..28], written[28..]);
    // Under another name, colors stay, and the advice names a command that has the option.
    let advice =
        "the picture is 3 x 4 x 3, the first in set/ is 3 x 4; choose whether pictures have colors";
    let message = folder.refused(&["set/", "-o", "own.npy"]);
    assert_eq!(message, format!("set/b.png: {advice} with `--channels`"));
    let (_, message) = folder.run(&["stats", "set/"]).failure();
    assert_eq!(message, format!("set/b.png: {advice} with `idx convert --channels`"));
}

/// Failed before: digits on paper silently became a file that MNIST's classifiers cannot read.
#[test]
fn paper_and_large_pictures_are_noted() {
    let paper = GrayImage::from_fn(40, 30, |x, _| image::Luma([if x == 20 { 0 } else { 230 }]));
    let large = GrayImage::from_fn(900, 1200, |x, _| image::Luma([if x == 450 { 200 } else { 0 }]));
    let scan = DynamicImage::from(paper.clone()).into_rgb8();
    let folder = Folder::new(&[]);
    folder.write("gray/a.png", &png(&paper.into()));
    folder.write("color/a.png", &png(&scan.into()));
    folder.write("dark/a.png", &png(&GrayImage::from_pixel(40, 30, image::Luma([90])).into()));
    folder.write("large/a.png", &png(&large.into()));
    let notes = |arguments: &[&str]| {
        let outcome = folder.run(&[&["convert", "--force"], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let lines = outcome.messages.lines().filter(|line| line.contains(": note: "));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    let out = "own-images-idx3-ubyte";
    let light = "idx: own-images-idx3-ubyte: note: the pictures are dark on light, and MNIST is bright on black; \
                 use `--fit mnist` for letters and digits, or `--invert`";
    for input in ["gray/", "color/"] {
        assert_eq!(notes(&[input, "-o", out]), [light]);
        assert_eq!(notes(&[input, "-o", out, "--size", "28x28"]), [light]);
        for option in [
            &["--fit", "mnist"][..],
            &["--fit", "cover", "--size", "28x28"],
            &["--invert"],
            &["-q"],
        ] {
            assert!(notes(&[&[input, "-o", out], option].concat()).is_empty(), "{option:?}");
        }
        assert!(notes(&[input, "-o", "own.npy"]).is_empty());
    }
    assert!(notes(&["dark/", "-o", out]).is_empty());
    let large = "idx: large.npy: note: each picture has 1200 x 900 pixels; to make them smaller, use `--size` or `--fit mnist`";
    assert_eq!(notes(&["large/", "-o", "large.npy"]), [large]);
    assert!(notes(&["large/", "-o", "large.npy", "--size", "300x300"]).is_empty());
    assert!(notes(&["large/", "-o", "small.npy", "--fit", "mnist"]).is_empty());
    assert!(notes(&["large/", "-o", "pictures/"]).is_empty());
}
