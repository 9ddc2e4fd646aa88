//! Folders of pictures: every kind of picture, damaged ones, and limits.

use std::fs;
use std::io::Cursor;

use idx_tests::file;
use image::{DynamicImage, GrayImage, ImageFormat, RgbImage, RgbaImage};

use crate::common::{Folder, outcome};

pub(crate) const TO_IDX: [&str; 3] = ["-o", "i-images-idx3-ubyte", "--force"];

/// A picture of 4 x 5 in one color.
pub(crate) fn rgb(color: [u8; 3]) -> DynamicImage {
    RgbImage::from_pixel(5, 4, image::Rgb(color)).into()
}

pub(crate) fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn png(image: &DynamicImage) -> Vec<u8> {
    encoded(image, ImageFormat::Png)
}

impl Folder {
    /// Converts the folder `set` with its labels, and returns the messages.
    #[track_caller]
    pub(crate) fn convert_set(&self, options: &[&str]) -> String {
        let outcome = self.run(&[&["convert", "set"], options, &TO_IDX].concat());
        assert_eq!((outcome.code, outcome.output.as_str()), (Some(0), ""), "{outcome:?}");
        outcome.messages
    }

    /// Returns the message with which the folder `set` is refused.
    #[track_caller]
    pub(crate) fn refused_set(&self, options: &[&str]) -> String {
        self.refused(&[&["set"], options, &TO_IDX].concat())
    }
}

#[test]
fn every_kind_of_picture_becomes_a_record_of_its_class() {
    let folder = Folder::new(&[]);
    let kinds = [
        ("cat/b.png", ImageFormat::Png),
        ("cat/c.JPG", ImageFormat::Jpeg),
        ("dog/2023/summer/a.bmp", ImageFormat::Bmp),
        ("dog/a.gif", ImageFormat::Gif),
        ("dog/b.png", ImageFormat::Png),
        ("eel/z.webp", ImageFormat::WebP),
    ];
    for (name, format) in kinds {
        folder.write(&format!("set/{name}"), &encoded(&rgb([200, 100, 50]), format));
    }
    folder.write("set/cat/notes.txt", b"");
    folder.write("set/dog/x.heic", b"");
    assert_eq!(
        folder.refused_set(&[]),
        "set: the format of x.heic is not read; export it as PNG or JPEG: `--skip '*.heic'` to leave them out"
    );
    fs::remove_file(folder.0.path().join("set/dog/x.heic")).unwrap();
    // Failed before: camera photos, drawings and pages were ignored.
    for name in ["x.dng", "x.CR2", "x.svg", "x.pdf", "x.tga", "x.psd"] {
        folder.write(&format!("set/dog/{name}"), b"");
        let message = folder.refused_set(&[]);
        assert!(
            message.starts_with(&format!("set: the format of {name} is not read")),
            "{message}"
        );
        let skipped = folder.convert_set(&["--skip-bad"]);
        let expected = format!(
            "set/dog/{name}: skipped: this format is not read; export it as PNG or JPEG\nidx: left out 1 picture\n"
        );
        assert!(skipped.ends_with(&expected), "{skipped}");
        fs::remove_file(folder.0.path().join("set/dog").join(name)).unwrap();
    }
    folder.write("set/dog/y.jpg", b"\0\0\0\x18ftypheic\0\0\0\0");
    let message = folder.refused_set(&[]);
    assert!(
        message.starts_with("set/dog/y.jpg: the content is a HEIC or AVIF picture, not"),
        "{message}"
    );
    for made in ["set/dog/y.jpg", "i-classes.txt"] {
        fs::remove_file(folder.0.path().join(made)).unwrap();
    }
    folder.write("set/.hidden.png", b"");
    for clutter in ["set/.DS_Store", "set/cat/Thumbs.db", "set/dog/desktop.ini"] {
        folder.write(clutter, b"");
    }
    assert_eq!(
        folder.convert_set(&[]),
        "idx: i-classes.txt: 0 cat, 1 dog, 2 eel\n\
         idx: set/.hidden.png: skipped: a hidden file\n\
         idx: left out 1 picture\n"
    );
    // 124 is 200 * 0.299 + 100 * 0.587 + 50 * 0.114, rounded; each format but JPEG is exact.
    let images = folder.read("i-images-idx3-ubyte");
    assert_eq!(images[..16], file(8, &[6, 4, 5], &[])[..]);
    assert!(images[16..].iter().all(|&grey| grey.abs_diff(124) <= 1), "{images:?}");
    assert_eq!(images[16 + 2 * 20..], [124; 80]);
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[6], &[0, 0, 1, 1, 1, 2]));
    assert_eq!(folder.read("i-classes.txt"), b"cat\ndog\neel\n");

    // In color, because the first picture is.
    let color = folder.run(&["convert", "set", "-o", "colors.idx"]);
    assert_eq!(color.code, Some(0), "{color:?}");
    assert_eq!(folder.read("colors.idx")[..20], file(8, &[6, 4, 5, 3], &[])[..]);
    let grey = folder.run(&["convert", "set", "--channels", "grey", "-o", "grey.idx"]);
    assert_eq!(grey.code, Some(0), "{grey:?}");
    assert_eq!(folder.read("grey.idx"), images);
}

#[test]
fn transparency_and_orientation() {
    let folder = Folder::new(&[]);
    let half =
        RgbaImage::from_fn(2, 1, |x, _| image::Rgba([0, 0, 0, if x == 0 { 255 } else { 51 }]));
    folder.write("set/a.png", &png(&half.into()));
    folder.convert_set(&[]);
    assert_eq!(folder.read("i-images-idx3-ubyte")[16..], [0, 204]);
    folder.convert_set(&["--background", "0"]);
    assert_eq!(folder.read("i-images-idx3-ubyte")[16..], [0, 0]);
    // Each color, onto its own background.
    let colors =
        RgbaImage::from_fn(3, 1, |x, _| image::Rgba([200, 100, 50, [255, 51, 0][x as usize]]));
    folder.write("colors/a.png", &png(&colors.into()));
    let onto = ["--background", "100", "-o", "c.idx"];
    folder.convert(&[&["colors"], &onto[..]].concat());
    let mixed = [200, 100, 50, 120, 100, 90, 100, 100, 100];
    assert_eq!(folder.read("c.idx"), file(8, &[1, 1, 3, 3], &mixed));

    // A JPEG that lies on its side: orientation 6 of Exif, in big-endian TIFF.
    let image = GrayImage::from_fn(16, 8, |x, _| image::Luma([if x < 8 { 0 } else { 255 }]));
    let jpeg = encoded(&image.into(), ImageFormat::Jpeg);
    let exif = b"Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let turned = [&jpeg[..2], b"\xFF\xE1", &length, exif, &jpeg[2..]].concat();
    fs::remove_file(folder.0.path().join("set/a.png")).unwrap();
    folder.write("set/a.jpg", &turned);
    folder.convert_set(&[]);
    let upright = [[0; 64], [255; 64]].concat();
    assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[1, 16, 8], &upright));
}

#[test]
fn bad_pictures_are_refused_or_skipped() {
    let gray = GrayImage::from_pixel(5, 4, image::Luma([9]));
    let good = png(&gray.clone().into());
    let jpeg = encoded(&rgb([9, 9, 9]), ImageFormat::Jpeg);
    let mut huge = Vec::new();
    drop(png::Encoder::new(&mut huge, 20_000, 20_000).write_header().unwrap());
    // Pixels follow in place of the end.
    huge.truncate(huge.len() - 12);
    huge.extend(b"\0\0\0\x01IDAT\0");
    let mut animation = Vec::new();
    let frames =
        [1, 2].map(|color| image::Frame::new(RgbaImage::from_pixel(5, 4, image::Rgba([color; 4]))));
    image::codecs::gif::GifEncoder::new(&mut animation).encode_frames(frames).unwrap();
    let deep = image::ImageBuffer::from_pixel(5, 4, image::Luma([9_u16]));
    let other_size = png(&GrayImage::new(4, 4).into());
    for (name, bytes, message) in [
        (
            "text.png",
            &b"these are words"[..],
            "the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; save it as one",
        ),
        ("empty.png", b"", "the file is empty; copy it again"),
        (
            "cut.jpg",
            &jpeg[..jpeg.len() - 10],
            "the file ends before the picture does; not a valid JPEG file, or truncated; copy it again",
        ),
        (
            "cut.png",
            &good[..good.len() - 1],
            "the file ends before the picture does; not a valid PNG file, or truncated; copy it again",
        ),
        (
            "deep.png",
            &png(&deep.into()),
            "the picture is u16, the first in set is u8; save all with the same bits for each pixel",
        ),
        (
            "animation.gif",
            &animation,
            "this GIF has more than one picture, as an animation or pages; save each to its own file",
        ),
        (
            "huge.png",
            &huge,
            "the picture has 400000000 pixels, and the limit is 134217728; make it smaller, or raise the limit \
             with `--record-limit`",
        ),
        (
            "size.png",
            &other_size,
            "the picture is 4 x 4, the first in set is 4 x 5; scale the pictures to one size with \
             `--size`",
        ),
    ] {
        let folder = Folder::new(&[]);
        folder.write("set/0/a.png", &good);
        folder.write(&format!("set/1/{name}"), bytes);
        folder.write("set/1/z.png", &good);
        let skip = if message.contains('`') { "" } else { ", or leave it out with `--skip-bad`" };
        assert_eq!(folder.refused_set(&[]), format!("set/1/{name}: {message}{skip}"));

        let skipped = folder.convert_set(&["--skip-bad"]);
        let (first, _) = skipped.split_once("; ").unwrap();
        assert!(
            message
                .starts_with(first.strip_prefix(&format!("idx: set/1/{name}: skipped: ")).unwrap())
        );
        assert!(skipped.ends_with("\nidx: left out 1 picture\n"), "{skipped}");
        assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[2, 4, 5], &[9; 40]));
        assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[0, 1]));
    }
}

/// The colors of print: a library that writes CMYK inverts them, and Adobe's programs invert them back.
#[test]
fn pictures_for_print() {
    let folder = Folder::new(&[]);
    let mut jpeg = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut jpeg, 100);
    // No ink but half of the black.
    let pixels = [0, 0, 0, 128].repeat(8 * 8);
    encoder.encode(&pixels, 8, 8, jpeg_encoder::ColorType::Cmyk).unwrap();
    folder.write("set/a.jpg", &jpeg);
    folder.convert_set(&[]);
    let images = folder.read("i-images-idx3-ubyte");
    assert!(images[16..].iter().all(|&grey| grey.abs_diff(127) <= 2), "{images:?}");
}

#[test]
fn pictures_that_end_too_early() {
    for (format, name) in [
        (ImageFormat::Bmp, "BMP"),
        (ImageFormat::Jpeg, "JPEG"),
        (ImageFormat::Png, "PNG"),
        #[cfg(feature = "tiff")]
        (ImageFormat::Tiff, "TIFF"),
        (ImageFormat::WebP, "WebP"),
    ] {
        let whole = encoded(&rgb([9, 9, 9]), format);
        let folder = Folder::new(&[]);
        let path = format!("set/a.{}", format.extensions_str()[0]);
        folder.write(&path, &whole[..whole.len() / 2]);
        let message = folder.refused_set(&[]);
        assert_eq!(
            message,
            format!(
                "{path}: the file ends before the picture does; not a valid {name} file, or truncated; copy it again"
            )
        );
    }
}

/// A wrong statement about compression does not mean that the file is truncated.
#[cfg(feature = "tiff")]
#[test]
fn wrong_compression_is_no_truncation() {
    let mut tiff = encoded(&rgb([9, 9, 9]), ImageFormat::Tiff);
    let stored = [3, 1, 3, 0, 1, 0, 0, 0, 1, 0];
    let compression = tiff.windows(10).position(|bytes| bytes == stored).unwrap() + 8;
    tiff[compression] = 8;
    let folder = Folder::new(&[]);
    folder.write("set/a.tif", &tiff);
    assert_eq!(
        folder.refused_set(&[]),
        "set/a.tif: corrupt deflate stream; not a valid TIFF file, or truncated; copy it again"
    );
}

#[test]
fn tiff_has_a_feature_of_its_own() {
    let folder = Folder::new(&[]);
    folder.write("set/a.tif", &encoded(&rgb([200, 100, 50]), ImageFormat::Tiff));
    if cfg!(feature = "tiff") {
        folder.convert_set(&[]);
        assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[1, 4, 5], &[124; 20]));
    } else {
        let message = folder.refused_set(&[]);
        assert!(message.starts_with("set/a.tif: "), "{message}");
        assert!(message.contains("the feature `tiff`"), "{message}");
    }
}

#[test]
fn pictures_are_within_the_limit_of_a_record() {
    let canvas = [&b"GIF89a"[..], &11_000_u16.to_le_bytes(), &11_000_u16.to_le_bytes(), &[0; 3]];
    let frame = b",\0\0\0\0\x01\0\x01\0\x80\0\0\0\xFF\xFF\xFF\x02\x02\x44\x01\0;";
    let folder = Folder::new(&[]);
    folder.write("set/a.gif", &[&canvas.concat()[..], frame].concat());
    assert_eq!(
        folder.refused_set(&[]),
        "set/a.gif: the picture of 11000 x 11000 takes 484000000 bytes, 4 for each pixel, more than the limit \
         of 67108864; if you trust the file, raise the limit with `--record-limit`"
    );
    for (limit, options, is_within) in [
        ("60", &[][..], true),
        ("59", &[], false),
        ("119", &["--size", "5x8"], false),
        ("120", &["--size", "5x8"], true),
        ("120", &["--size", "5x9", "--fit", "none"], false),
    ] {
        let folder = Folder::new(&[]);
        folder.write("set/a.png", &png(&rgb([9, 9, 9])));
        let options = [&["--record-limit", limit, "--channels", "rgb"], options].concat();
        let is_refused = match is_within {
            true => folder.convert_set(&options).contains("limit"),
            false => {
                folder.refused_set(&options).contains(&format!("more than the limit of {limit}"))
            }
        };
        assert_ne!(is_within, is_refused, "{limit} {options:?}");
        // The limit also holds for pictures from other formats.
        folder.write("a.idx", &file(8, &[1, 1, 1], &[7]));
        let large = folder.refused(&[
            "a.idx",
            "--record-limit",
            "9",
            "--size",
            "2x5",
            "--fit",
            "none",
            "-o",
            "b.idx",
        ]);
        assert!(large.contains("more than the limit of 9"), "{large}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_takes_no_more_memory_than_its_limit_explains() {
    let mut info = png::Info::with_size(1, 1);
    info.color_type = png::ColorType::Grayscale;
    info.icc_profile = Some(vec![0; 256 << 20].into());
    let mut profile = Vec::new();
    let mut writer = png::Encoder::with_info(&mut profile, info).unwrap().write_header().unwrap();
    writer.write_image_data(&[7]).unwrap();
    drop(writer);
    let gif = |canvas: u16, frame: u16| {
        let [canvas, frame] = [canvas, frame].map(|size| size.to_le_bytes().repeat(2));
        let colors = b"\x80\0\0\0\xFF\xFF\xFF\x02\x02\x44\x01\0;";
        [b"GIF89a", &*canvas, b"\0\0\0,\0\0\0\0", &*frame, colors].concat()
    };
    // A run-length encoded BMP that has only the mark of its end.
    let mut runs = b"BM\0\0\0\0\0\0\0\0\x36\x04\0\0\x28\0\0\0".to_vec();
    runs.extend([11_000_u32.to_le_bytes(); 2].concat());
    runs.extend(b"\x01\0\x08\0\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0");
    runs.extend([0; 4 * 256]);
    runs.extend([0, 1]);
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()]
            .concat()
    };
    // A picture of one pixel that would have millions of strips.
    let entries = [
        entry(256, 4, 1, 1),
        entry(257, 4, 1, 1),
        entry(258, 3, 1, 8),
        entry(259, 3, 1, 1),
        entry(262, 3, 1, 1),
        entry(273, 4, 7 << 20, 8),
        entry(279, 4, 1, 1),
    ];
    // A canvas of 4 x 3, and a frame as large as can be.
    let webp = b"RIFF\x2C\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\x03\0\0\x02\0\0VP8 \x0E\0\0\0\xD0\x01\0\x9D\x01\x2A\xFF\x3F\xFF\x3F\0\0\0\0".to_vec();
    let strips = [b"II\x2A\0\x08\0\0\0\x07\0", &*entries.concat(), &[0; 4]].concat();
    let strips = Some(("a.tif", strips, "the file ends before the picture does"));
    for (name, bytes, expected) in strips.into_iter().filter(|_| cfg!(feature = "tiff")).chain([
        ("a.png", profile, ""),
        ("a.gif", gif(1, u16::MAX), "more memory than three times its pixels"),
        ("a.gif", gif(11_000, 1), "takes 484000000 bytes, 4 for each pixel, more than the limit"),
        ("a.bmp", runs, "takes 363000000 bytes, 3 for each pixel, more than the limit"),
        ("a.webp", webp, "the picture has 268402689 pixels, and the limit is 134217728"),
    ]) {
        let folder = Folder::new(&[]);
        folder.write(&format!("set/{name}"), &bytes);
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -v 200000; exec \"$0\" convert set -o x.idx --threads 1"]);
        command.arg(env!("CARGO_BIN_EXE_idx")).current_dir(folder.0.path());
        let output = command.output().unwrap();
        let code = i32::from(!expected.is_empty());
        assert_eq!(output.status.code(), Some(code), "{name} {output:?}");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(messages.contains(expected), "{messages}");
    }
}

/// `--skip-bad` skips bad pictures, but not errors of the disk.
#[cfg(target_os = "linux")]
#[test]
fn an_error_of_the_disk_skips_no_picture() {
    if !idx_tests::has_strace("errors of the disk") {
        return;
    }
    let folder = Folder::new(&[]);
    for name in ["set/a.png", "set/b.png"] {
        folder.write(name, &png(&rgb([1, 1, 1])));
    }
    let picture = folder.0.path().join("set/b.png");
    let mut command = idx_tests::strace();
    command.args(["-e", "inject=read:error=EIO", "-P"]);
    command.arg(picture).arg(env!("CARGO_BIN_EXE_idx"));
    command.args(["convert", "set", "--skip-bad"]).args(TO_IDX);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    assert!(messages.contains("idx: set/b.png: "), "{messages}");
    assert!(messages.contains("os error 5"), "{messages}");
    assert_eq!(folder.names(), ["set"]);
}

/// A preview within a JPEG has its own start and end.
#[test]
fn the_end_of_a_preview_is_not_that_of_the_picture() {
    let plain = encoded(&rgb([9, 9, 9]), ImageFormat::Jpeg);
    let (start, rest) = plain.split_at(2);
    let preview = [0xFF, 0xE1, 0, 8, 0xFF, 0xDA, 1, 2, 0xFF, 0xD9];
    // A marker may have any number of these before it.
    let fill = [0xFF; 3];
    let whole = [start, &fill, &preview, &fill, rest].concat();
    for (length, is_whole) in [(whole.len(), true), (whole.len() - 2, false)] {
        let folder = Folder::new(&[]);
        folder.write("set/a.jpg", &whole[..length]);
        if is_whole {
            folder.convert_set(&[]);
        } else {
            let message = folder.refused_set(&[]);
            assert!(message.contains("ends before the picture does"), "{message}");
        }
    }
}

/// Pictures whose pixels are their numbers, more than are decoded ahead, in one folder and in two.
#[test]
fn records_of_pictures_are_skipped() {
    let folder = Folder::new(&[]);
    for number in 0..200 {
        let picture = GrayImage::from_pixel(1, 1, image::Luma([number]));
        folder.write(&format!("set/{number:03}.png"), &png(&picture.into()));
    }
    for (records, expected) in [
        ("0,2..4,7..9,90..93,197..", &[0, 2, 3, 7, 8, 90, 91, 92, 197, 198, 199][..]),
        ("197..", &[197, 198, 199]),
        ("0..2,4,6,8..9,150", &[0, 1, 4, 6, 8, 150]),
    ] {
        for options in [&[][..], &["--threads", "1"], &["--skip-bad"]] {
            folder.convert_set(&[&["--records", records], options].concat());
            assert_eq!(
                folder.read("i-images-idx3-ubyte")[16..],
                *expected,
                "{records} {options:?}"
            );
        }
    }
    let joined = ["convert", "set", "set", "--records", "0,202,398..", "-o", "x.idx"];
    assert_eq!(folder.run(&joined).code, Some(0));
    assert_eq!(folder.read("x.idx")[16..], [0, 2, 198, 199]);
}

#[test]
fn the_first_picture_can_be_damaged() {
    let folder = Folder::new(&[]);
    folder.write("set/a.png", b"no picture");
    folder.write("set/b.png", &png(&rgb([1, 1, 1])));
    let messages = folder.convert_set(&["--skip-bad"]);
    assert!(messages.contains("set/a.png: skipped: "), "{messages}");
    assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[1, 4, 5], &[1; 20]));
    assert!(folder.refused_set(&[]).starts_with("set/a.png: "));
}

/// Failed before: only the first part said what it left out.
#[test]
fn each_part_says_what_is_left_out() {
    let folder = Folder::new(&[]);
    for name in ["train/a/1", "train/b/2", "train/b/3", "test/a/4", "test/b/5", "test/b/6"] {
        let picture =
            if name.ends_with(['3', '6']) { b"damaged".to_vec() } else { png(&rgb([9; 3])) };
        folder.write(&format!("set/{name}.png"), &picture);
    }
    folder.write("set/train/a/.x.png", b"");
    // Both outputs of a split leave out the same files.
    for options in [&[][..], &["--split", "50%", "--rest", "rest/"]] {
        let arguments = ["convert", "set", "--skip-bad", "--to", "idx", "-o", "o/"];
        let outcome = folder.run(&[&arguments, options].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        for name in ["train/a/.x", "train/b/3", "test/b/6"] {
            let line = format!("idx: set/{name}.png: skipped: ");
            assert_eq!(outcome.messages.matches(&line).count(), 1, "{outcome:?}");
        }
        assert!(outcome.messages.contains("idx: left out 3 pictures\n"), "{outcome:?}");
        fs::remove_dir_all(folder.0.path().join("o")).unwrap();
    }
}

/// A picture that is left out takes its label with it, wherever the labels come from.
#[test]
fn skipped_pictures_take_their_labels_along() {
    let folder = Folder::new(&[
        ("few", &file(8, &[3], &[5, 6, 7])),
        ("labels", &file(8, &[4], &[5, 6, 7, 8])),
        ("named.csv", b"name,label\nd,8\nc,7\nb,6\na,5\n"),
        ("more", &file(8, &[5], &[5, 6, 7, 8, 9])),
    ]);
    for (name, good) in [("a", true), ("b", false), ("c", true), ("d", false)] {
        let picture = if good { png(&rgb([9, 9, 9])) } else { b"damaged".to_vec() };
        folder.write(&format!("set/{name}.png"), &picture);
    }
    for labels in ["labels", "named.csv"] {
        let messages = folder.convert_set(&["--skip-bad", "-l", labels]);
        assert!(messages.ends_with("\nidx: left out 2 pictures\n"), "{messages}");
        assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[2, 4, 5], &[9; 40]));
        assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[5, 7]), "{labels}");
    }
    let joined = ["convert", "set", "set", "-l", "labels", "-l", "labels", "--skip-bad"];
    assert_eq!(folder.run(&[&joined[..], &["-o", "j.idx", "-r", "1.."]].concat()).code, Some(0));
    assert_eq!(folder.read("j-labels.idx"), file(8, &[3], &[7, 5, 7]));
    for (labels, counts) in [("few", "fewer labels"), ("more", "more labels than the 4 records")] {
        let refused = folder.refused(&["set", "--skip-bad", "-l", labels, "-o", "n.idx"]);
        assert!(refused.contains(counts), "{refused}");
    }
}

/// Records that are pictures are left out like files, with their labels.
#[test]
fn records_that_cannot_be_changed_are_skipped() {
    let mut pixels = vec![0; 3 * 784];
    for row in 5..20 {
        pixels[28 * row + 10..][..4].fill(255);
        pixels[2 * 784 + 28 * row + 12..][..4].fill(255);
    }
    let folder = Folder::new(&[
        ("x-images-idx3-ubyte", &file(8, &[3, 28, 28], &pixels)),
        ("x-labels-idx1-ubyte", &file(8, &[3], &[1, 2, 3])),
        ("blank.idx", &file(8, &[2, 28, 28], &[0; 2 * 784])),
        ("f.idx", &file(0x0D, &[1, 2, 2], &[0; 16])),
    ]);
    let blank = "nothing in this picture differs in brightness from its edge; remove it";
    let arguments = ["x-images-idx3-ubyte", "--fit", "mnist", "-o", "y.idx"];
    assert_eq!(folder.refused(&arguments), format!("x-images-idx3-ubyte: record 1: {blank}"));
    let outcome = folder.run(&[&["convert"], &arguments[..], &["--skip-bad"]].concat());
    assert_eq!(
        (outcome.code, outcome.messages),
        (
            Some(0),
            format!(
                "idx: x-images-idx3-ubyte: skipped: record 1: {blank}\nidx: left out 1 picture\n"
            )
        )
    );
    assert_eq!(folder.read("y-labels.idx"), file(8, &[2], &[1, 3]));
    assert_eq!(
        folder.refused(&["blank.idx", "--fit", "mnist", "--skip-bad", "-o", "z.idx"]),
        "blank.idx: none of 2 records can be changed; to see why, skip none"
    );
    assert_eq!(
        folder.refused(&["f.idx", "--size", "1x1", "-o", "z.idx"]),
        "f.idx: records of 2 x 2 f32 cannot be changed or written as pictures of u8; convert them first: \
         `idx convert --as u8` or `idx convert --as u8 --scale MIN..MAX,0..255`"
    );
}

/// Failed before: a picture was read only from a file.
#[test]
fn a_picture_in_a_pipe_is_read() {
    let folder = Folder::new(&[]);
    let picture = png(&GrayImage::from_pixel(5, 4, image::Luma([9])).into());
    for arguments in [&["convert", "-", "-o", "one.idx"][..], &["show", "-"], &["info", "-"]] {
        outcome(&mut folder.command(arguments), &picture).success();
    }
    assert_eq!(folder.read("one.idx"), file(8, &[1, 4, 5], &[9; 20]));
}

/// Gray of 16 bits becomes bytes only if the user asks for it.
#[test]
fn gray_of_16_bits_needs_a_type() {
    let folder = Folder::new(&[]);
    let numbers = [0, 1, 255, 256, 32768, 65535];
    let picture = image::ImageBuffer::from_vec(3, 2, numbers.to_vec());
    let picture: DynamicImage = picture.map(DynamicImage::ImageLuma16).unwrap();
    folder.write("set/0.png", &png(&picture));
    let integers: Vec<u8> = numbers.iter().flat_map(|n| u32::from(*n).to_be_bytes()).collect();
    let floats: Vec<u8> = numbers.iter().flat_map(|n| f32::from(*n).to_be_bytes()).collect();
    folder.convert(&["set", "--as", "i32", "-o", "i-images-idx3-int"]);
    assert_eq!(folder.read("i-images-idx3-int"), file(0x0C, &[1, 2, 3], &integers));
    folder.convert(&["set", "--as", "f32", "-o", "f.idx"]);
    assert_eq!(folder.read("f.idx"), file(0x0D, &[1, 2, 3], &floats));
    folder.convert(&["set", "--as", "u8", "--scale", "0..255", "-o", "u.idx"]);
    assert_eq!(folder.read("u.idx")[16..], [0, 0, 1, 1, 128, 255]);
    for (options, expected) in [
        (&[][..], "IDX does not have u16"),
        (&["--as", "u8"], "256"),
        (
            &["--as", "i32", "--fit", "mnist"],
            "pictures of u16 cannot be changed or written as pictures",
        ),
        (&["--as", "i32", "--invert"], "pictures of u16 cannot be changed or written as pictures"),
    ] {
        let refused = folder.refused(&[&["set", "-o", "r.idx"], options].concat());
        assert!(refused.contains(expected), "{refused}");
    }
}

/// Pictures of 16 bits are scaled before they become bytes.
#[test]
fn gray_of_16_bits_gets_another_size() {
    let folder = Folder::new(&[]);
    for (name, width, height) in [("set/a/0.png", 30, 50), ("set/b/1.png", 7, 3)] {
        let picture = image::ImageBuffer::from_pixel(width, height, image::Luma([40_000_u16]));
        folder.write(name, &png(&DynamicImage::ImageLuma16(picture)));
    }
    let scaled = ["set", "--as", "u8", "--scale", "0..255", "--size", "28x28"];
    folder.convert(&[&scaled[..], &["-q", "-o", "u-images-idx3-ubyte"]].concat());
    assert_eq!(folder.read("u-images-idx3-ubyte"), file(8, &[2, 28, 28], &[156; 2 * 784]));
    assert_eq!(folder.read("u-labels-idx1-ubyte"), file(8, &[2], &[0, 1]));
    let contained =
        ["set", "--as", "i32", "--size", "2x1", "--fit", "contain", "--channels", "gray"];
    folder.convert(
        &[&contained[..], &["--background", "1", "-r", "1", "-q", "-o", "i.idx"]].concat(),
    );
    let numbers = [40_000_u32, 257].map(u32::to_be_bytes).concat();
    assert_eq!(folder.read("i.idx"), file(0x0C, &[1, 2, 1], &numbers));
}

#[cfg(feature = "tiff")]
#[test]
fn tiff_of_16_bits_keeps_its_numbers() {
    let folder = Folder::new(&[]);
    let picture = image::ImageBuffer::from_vec(2, 1, vec![258_u16, 65535]);
    let picture: DynamicImage = picture.map(DynamicImage::ImageLuma16).unwrap();
    folder.write("set/0.tif", &encoded(&picture, ImageFormat::Tiff));
    folder.convert(&["set", "--as", "i32", "-o", "i.idx"]);
    assert_eq!(folder.read("i.idx")[16..], [0, 0, 1, 2, 0, 0, 255, 255]);
}
