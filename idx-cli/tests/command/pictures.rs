//! Folders of pictures as people have them.

use std::fs;
use std::io::Cursor;

use idx_tests::file;
use image::{DynamicImage, GrayImage, ImageFormat, RgbImage, RgbaImage};

use crate::common::Folder;

const TO_IDX: [&str; 3] = ["-o", "i-images-idx3-ubyte", "--force"];

/// A picture of 4 x 5 in one color.
fn rgb(color: [u8; 3]) -> DynamicImage {
    RgbImage::from_pixel(5, 4, image::Rgb(color)).into()
}

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn png(image: &DynamicImage) -> Vec<u8> {
    encoded(image, ImageFormat::Png)
}

impl Folder {
    /// Converts the folder `set` with its labels, and returns the messages.
    #[track_caller]
    fn convert_set(&self, options: &[&str]) -> String {
        let outcome = self.run(&[&["convert", "set"], options, &TO_IDX].concat());
        assert_eq!((outcome.code, outcome.output.as_str()), (Some(0), ""), "{outcome:?}");
        outcome.messages
    }

    /// The message of the folder `set` that is refused.
    #[track_caller]
    fn refused_set(&self, options: &[&str]) -> String {
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
    folder.write("set/.DS_Store", b"");
    assert_eq!(
        folder.convert_set(&[]),
        "idx: i-classes.txt: 0 cat, 1 dog, 2 eel\n\
         idx: set/.DS_Store: skipped: a hidden file\n\
         idx: set/cat/notes.txt: skipped: not named like a picture\n\
         idx: set/dog/x.heic: skipped: HEIC and AVIF are not supported, export it as JPEG\n\
         idx: files that were not read: 3\n"
    );
    // (200 * 0.299 + 100 * 0.587 + 50 * 0.114), in each format but JPEG exactly.
    let images = folder.read("i-images-idx3-ubyte");
    assert_eq!(images[..16], file(8, &[6, 4, 5], &[])[..]);
    assert!(images[16..].iter().all(|&grey| grey.abs_diff(124) <= 1), "{images:?}");
    assert_eq!(images[16 + 2 * 20..], [124; 80]);
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[6], &[0, 0, 1, 1, 1, 2]));
    assert_eq!(folder.read("i-classes.txt"), b"cat\ndog\neel\n");

    // In colors, as the first one has them.
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
    folder.write("set/0/a.png", &png(&half.into()));
    folder.convert_set(&[]);
    assert_eq!(folder.read("i-images-idx3-ubyte")[16..], [0, 204]);
    folder.convert_set(&["--background", "0"]);
    assert_eq!(folder.read("i-images-idx3-ubyte")[16..], [0, 0]);
    // Each color, onto a background of its own.
    let colors =
        RgbaImage::from_fn(3, 1, |x, _| image::Rgba([200, 100, 50, [255, 51, 0][x as usize]]));
    folder.write("colors/a.png", &png(&colors.into()));
    let onto = ["--background", "100", "-o", "c.idx"];
    folder.convert(&[&["colors"], &onto[..]].concat());
    let mixed = [200, 100, 50, 120, 100, 90, 100, 100, 100];
    assert_eq!(folder.read("c.idx"), file(8, &[1, 1, 3, 3], &mixed));

    // A JPEG that says that it lies on its side: Exif's orientation 6, in TIFF of big-endian numbers.
    let image = GrayImage::from_fn(16, 8, |x, _| image::Luma([if x < 8 { 0 } else { 255 }]));
    let jpeg = encoded(&image.into(), ImageFormat::Jpeg);
    let exif = b"Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    let turned = [&jpeg[..2], b"\xFF\xE1", &length, exif, &jpeg[2..]].concat();
    fs::remove_file(folder.0.path().join("set/0/a.png")).unwrap();
    folder.write("set/0/a.jpg", &turned);
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
    // Pixels follow, and not the end.
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
            "the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; remove it, or save it as one",
        ),
        ("empty.png", b"", "the file is empty; copy it again, or remove it"),
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
            "the picture has 16 bits for each color, and a record has 8; convert it to 8 bits first, so that \
             you see what becomes of dark and bright",
        ),
        (
            "animation.gif",
            &animation,
            "this GIF has more than one picture, as an animation or pages; save each as a file of its own",
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
        folder.write("set/0/0.png", &good);
        folder.write(&format!("set/1/{name}"), bytes);
        folder.write("set/1/z.png", &good);
        assert_eq!(folder.refused_set(&[]), format!("set/1/{name}: {message}"));

        let skipped = folder.convert_set(&["--skip-bad"]);
        let (first, _) = skipped.split_once("; ").unwrap();
        assert!(
            message
                .starts_with(first.strip_prefix(&format!("idx: set/1/{name}: skipped: ")).unwrap())
        );
        assert!(skipped.ends_with("\nidx: files that were not read: 1\n"), "{skipped}");
        assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[2, 4, 5], &[9; 40]));
        assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[0, 1]));
    }
}

/// The colors of print: a library that writes CMYK turns them, and Adobe's programs turn them back.
#[test]
fn pictures_for_print() {
    let folder = Folder::new(&[]);
    let mut jpeg = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut jpeg, 100);
    // No ink but half of the black.
    let pixels = [0, 0, 0, 128].repeat(8 * 8);
    encoder.encode(&pixels, 8, 8, jpeg_encoder::ColorType::Cmyk).unwrap();
    folder.write("set/0/a.jpg", &jpeg);
    folder.convert_set(&[]);
    let images = folder.read("i-images-idx3-ubyte");
    assert!(images[16..].iter().all(|&grey| grey.abs_diff(127) <= 2), "{images:?}");
}

#[test]
fn classes_that_are_refused() {
    let picture = png(&GrayImage::new(2, 2).into());
    let folder = Folder::new(&[]);
    folder.write("set/Cat/a.png", &picture);
    folder.write("set/dog/a.png", &picture);
    fs::create_dir(folder.0.path().join("set/empty")).unwrap();
    assert_eq!(
        folder.refused_set(&[]),
        "set/empty: this folder has no pictures; add some, or remove it"
    );
    fs::remove_dir(folder.0.path().join("set/empty")).unwrap();
    folder.write("set/cat/a.png", &picture);
    let message = folder.refused_set(&[]);
    assert!(
        message.ends_with("differ only by case, or by leading zeros; rename or join them"),
        "{message}"
    );
    fs::remove_dir_all(folder.0.path().join("set/cat")).unwrap();

    folder.write("x-classes.txt", b"other\n");
    let message = folder.refused(&["set", "-o", "x.idx"]);
    assert!(message.starts_with("x-classes.txt: "), "{message}");
    // The names in the folder decide, whichever their order.
    folder.write("set/classes.txt", b"dog\nhorse\nCat\n");
    let messages = folder.convert_set(&[]);
    assert_eq!(messages, "idx: i-classes.txt: 0 dog, 1 horse, 2 Cat\n");
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[2, 0]));
    folder.write("set/classes.txt", b"dog\nhorse\n");
    assert_eq!(
        folder.refused_set(&[]),
        "set/Cat: this class is not in classes.txt; add a line, or remove one of the two"
    );
}

#[cfg(unix)]
#[test]
fn names_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let picture = png(&GrayImage::new(2, 2).into());
    let folder = Folder::new(&[]);
    folder.write("set/a/a.png", &picture);
    let class = folder.0.path().join("set").join(OsStr::from_bytes(b"b\xFF"));
    fs::create_dir(&class).unwrap();
    fs::write(class.join(OsStr::from_bytes(b"\xFF.png")), &picture).unwrap();
    assert_eq!(
        folder.refused_set(&[]),
        "set/b\u{FFFD}: the name of this class is not UTF-8, or has control characters or spaces at its ends; \
         rename the folder"
    );
    let spaced = folder.0.path().join("set/ b");
    fs::rename(&class, &spaced).unwrap();
    let message = folder.refused_set(&[]);
    assert!(message.contains("control characters or spaces at its ends;"), "{message}");
    // A picture may have any name.
    fs::rename(&spaced, folder.0.path().join("set/b")).unwrap();
    // A folder that contains itself has no end.
    symlink("..", folder.0.path().join("set/b/up")).unwrap();
    let messages = folder.convert_set(&[]);
    assert!(
        messages.contains("set/b/up: skipped: a link to a folder within a class"),
        "{messages}"
    );
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[2], &[0, 1]));
}

#[test]
fn folders_are_as_deep_as_they_may_be() {
    let picture = png(&GrayImage::new(2, 2).into());
    for (depth, is_read) in [(64, true), (65, false)] {
        let folder = Folder::new(&[]);
        folder.write(&format!("set/{}a.png", "1/".repeat(depth)), &picture);
        if is_read {
            folder.convert_set(&[]);
            continue;
        }
        let message = folder.refused_set(&[]);
        assert!(message.contains("more than 64 folders are nested in each other;"), "{message}");
    }
}

#[test]
fn labels_by_a_table_of_names() {
    let folder = Folder::new(&[]);
    for (name, grey) in [("a.png", 1), ("b.png", 2), ("deep/c.png", 3)] {
        let picture = GrayImage::from_pixel(1, 1, image::Luma([grey]));
        folder.write(&format!("set/{name}"), &png(&picture.into()));
    }
    folder.write("set/labels.csv", b"id,label\ndeep/c.png,ant\nb.png,cat\na.png,bee\n");
    assert_eq!(folder.convert_set(&[]), "idx: i-classes.txt: 0 ant, 1 bee, 2 cat\n");
    assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[3, 1, 1], &[1, 2, 3]));
    assert_eq!(folder.read("i-labels-idx1-ubyte"), file(8, &[3], &[1, 2, 0]));
    folder.write("set/labels.csv", b"id,label\na.png,1\na.png,2\n");
    assert_eq!(
        folder.refused_set(&[]),
        "set/labels.csv: two lines have a label for a.png; remove one of them"
    );
}

#[test]
fn names_in_a_table_have_the_numbers_of_the_list() {
    let folder = Folder::new(&[]);
    for (set, classes) in [("a", ["cat", "dog"]), ("b", ["bird", "dog"])] {
        for class in classes {
            folder.write(&format!("{set}/{class}.png"), &png(&GrayImage::new(1, 1).into()));
        }
        let [one, other] = classes;
        let table = format!("file,label\n{one}.png,{one}\n{other}.png,{other}\n");
        folder.write(&format!("{set}/labels.csv"), table.as_bytes());
        folder.write(&format!("{set}/classes.txt"), b"cat\ndog\nbird\n");
    }
    let pair = ["-f", "-o", "i.idx"];
    let joined = folder.run(&[&["convert", "a", "b"][..], &pair].concat());
    assert_eq!(
        (joined.code, &*joined.messages),
        (Some(0), "idx: i-classes.txt: 0 cat, 1 dog, 2 bird\n")
    );
    assert_eq!(folder.read("i-labels.idx"), file(8, &[4], &[0, 1, 2, 1]));
    folder.write("b/classes.txt", b"cat\ndog\n");
    assert_eq!(
        folder.refused(&[&["b"][..], &pair].concat()),
        "b/labels.csv: the class `bird` is not in classes.txt; add a line, or correct the label"
    );
}

#[test]
fn pictures_change_their_size() {
    let folder = Folder::new(&[]);
    // Left half black, right half white.
    let image = GrayImage::from_fn(8, 4, |x, _| image::Luma([if x < 4 { 0 } else { 255 }]));
    folder.write("set/0/a.png", &png(&image.into()));
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
        "set: pictures are fitted into a size; give that size, too"
    );
    assert_eq!(
        folder.refused_set(&["--size", "0x5"]),
        "set: a picture has at least 1 row and 1 column; give a larger size"
    );

    // The records of IDX, as LeNet wants those of MNIST; the background of ink is 0.
    folder.write("a.idx", &file(8, &[2, 1, 1], &[7, 8]));
    folder.convert(&["a.idx", "--size", "1x3", "--fit", "none", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[2, 1, 3], &[0, 7, 0, 0, 8, 0]));
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
        let path = format!("set/0/a.{}", format.extensions_str()[0]);
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

/// A compression that is not what the file says does not mean that the file is truncated.
#[cfg(feature = "tiff")]
#[test]
fn wrong_compression_is_no_truncation() {
    let mut tiff = encoded(&rgb([9, 9, 9]), ImageFormat::Tiff);
    let stored = [3, 1, 3, 0, 1, 0, 0, 0, 1, 0];
    let compression = tiff.windows(10).position(|bytes| bytes == stored).unwrap() + 8;
    tiff[compression] = 8;
    let folder = Folder::new(&[]);
    folder.write("set/0/a.tif", &tiff);
    assert_eq!(
        folder.refused_set(&[]),
        "set/0/a.tif: corrupt deflate stream; not a valid TIFF file, or truncated; copy it again"
    );
}

#[test]
fn tiff_has_a_feature_of_its_own() {
    let folder = Folder::new(&[]);
    folder.write("set/0/a.tif", &encoded(&rgb([200, 100, 50]), ImageFormat::Tiff));
    if cfg!(feature = "tiff") {
        folder.convert_set(&[]);
        assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[1, 4, 5], &[124; 20]));
    } else {
        let message = folder.refused_set(&[]);
        assert!(message.starts_with("set/0/a.tif: "), "{message}");
        assert!(message.contains("the feature `tiff`"), "{message}");
    }
}

#[test]
fn pictures_are_within_the_limit_of_a_record() {
    let canvas = [&b"GIF89a"[..], &11_000_u16.to_le_bytes(), &11_000_u16.to_le_bytes(), &[0; 3]];
    let frame = b",\0\0\0\0\x01\0\x01\0\x80\0\0\0\xFF\xFF\xFF\x02\x02\x44\x01\0;";
    let folder = Folder::new(&[]);
    folder.write("set/0/a.gif", &[&canvas.concat()[..], frame].concat());
    assert_eq!(
        folder.refused_set(&[]),
        "set/0/a.gif: the picture of 11000 x 11000 takes 484000000 bytes, 4 for each pixel, more than the limit \
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
        folder.write("set/0/a.png", &png(&rgb([9, 9, 9])));
        let options = [&["--record-limit", limit, "--channels", "rgb"], options].concat();
        let is_refused = match is_within {
            true => folder.convert_set(&options).contains("limit"),
            false => {
                folder.refused_set(&options).contains(&format!("more than the limit of {limit}"))
            }
        };
        assert_ne!(is_within, is_refused, "{limit} {options:?}");
        // The records of other formats are pictures as well.
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
    // Of its runs, there is only the end.
    let mut runs = b"BM\0\0\0\0\0\0\0\0\x36\x04\0\0\x28\0\0\0".to_vec();
    runs.extend([11_000_u32.to_le_bytes(); 2].concat());
    runs.extend(b"\x01\0\x08\0\x01\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0");
    runs.extend([0; 4 * 256]);
    runs.extend([0, 1]);
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()]
            .concat()
    };
    // A picture of one pixel, whose strips would be millions.
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

/// `--skip-bad` skips what is wrong with a picture, and not what is wrong with the disk.
#[cfg(target_os = "linux")]
#[test]
fn an_error_of_the_disk_skips_no_picture() {
    if !idx_tests::has_strace("errors of the disk") {
        return;
    }
    let folder = Folder::new(&[]);
    for name in ["set/0/a.png", "set/0/b.png"] {
        folder.write(name, &png(&rgb([1, 1, 1])));
    }
    let picture = folder.0.path().join("set/0/b.png");
    let mut command = idx_tests::strace();
    command.args(["-e", "inject=read:error=EIO", "-P"]);
    command.arg(picture).arg(env!("CARGO_BIN_EXE_idx"));
    command.args(["convert", "set", "--skip-bad"]).args(TO_IDX);
    let output = command.current_dir(folder.0.path()).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    assert!(messages.starts_with("idx: set/0/b.png: "), "{messages}");
    assert!(messages.contains("os error 5"), "{messages}");
    assert_eq!(folder.names(), ["set"]);
}

/// A preview within a JPEG has a start and an end of its own.
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
        folder.write("set/0/a.jpg", &whole[..length]);
        if is_whole {
            folder.convert_set(&[]);
        } else {
            let message = folder.refused_set(&[]);
            assert!(message.contains("ends before the picture does"), "{message}");
        }
    }
}

/// The middle of a picture stays, or it goes to the middle, in grey and in color.
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

/// Pictures that are their numbers, more than are decoded ahead, in one folder and in two.
#[test]
fn records_of_pictures_are_skipped() {
    let folder = Folder::new(&[]);
    for number in 0..200 {
        let picture = GrayImage::from_pixel(1, 1, image::Luma([number]));
        folder.write(&format!("set/0/{number:03}.png"), &png(&picture.into()));
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
    folder.write("set/0/a.png", b"no picture");
    folder.write("set/0/b.png", &png(&rgb([1, 1, 1])));
    let messages = folder.convert_set(&["--skip-bad"]);
    assert!(messages.contains("set/0/a.png: skipped: "), "{messages}");
    assert_eq!(folder.read("i-images-idx3-ubyte"), file(8, &[1, 4, 5], &[1; 20]));
    assert!(folder.refused_set(&[]).starts_with("set/0/a.png: "));
}

#[test]
fn numbers_and_names_as_labels_are_not_mixed() {
    let folder = Folder::new(&[]);
    for name in ["a", "b"] {
        folder.write(&format!("set/{name}.png"), &png(&rgb([1, 1, 1])));
    }
    folder.write("set/labels.csv", b"file,label\na.png,cat\nb.png,1\n");
    let message = folder.refused_set(&[]);
    assert!(message.contains("the label `cat` is not a number, and others are"), "{message}");
}

#[test]
fn grey_pictures_get_three_channels_and_any_shape() {
    let folder = Folder::new(&[]);
    let grey = GrayImage::from_pixel(2, 1, image::Luma([5]));
    folder.write("set/a.png", &png(&grey.into()));
    folder.convert(&["set", "--channels", "rgb", "--size", "2x2", "--fit", "fill", "-o", "x.idx"]);
    assert_eq!(folder.read("x.idx"), file(8, &[1, 2, 2, 3], &[5; 12]));
    // The first picture decides.
    folder.write("set/b.png", &png(&RgbImage::new(2, 1).into()));
    assert_eq!(
        folder.refused(&["set", "-o", "y.idx"]),
        "set/b.png: the picture is 1 x 2 x 3, the first in set is 1 x 2; choose whether pictures have colors with \
         `--channels`"
    );
}

/// What only says how to read pictures does not make pictures of labels.
#[test]
fn other_records_stay_as_they_are() {
    let labels = file(12, &[2], &[0, 0, 1, 0, 0, 0, 0, 7]);
    let folder = Folder::new(&[("l.idx", &labels)]);
    folder.convert(&["l.idx", "-o", "m.idx", "--record-limit", "100"]);
    assert_eq!(folder.read("m.idx"), labels);
    let invert = folder.refused(&["l.idx", "-o", "n.idx", "--invert"]);
    assert!(invert.contains("cannot be changed as pictures"), "{invert}");
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
        folder.write("set/0/a.png", &png(&black.into()));
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

/// How much the ink of a pixel differs from the paper, in a drawing of 20 x 20 that touches two corners.
fn amounts(drawing: u8) -> [[u8; 20]; 20] {
    let mut state = u32::from(drawing);
    let mut amounts = [[0; 20]; 20];
    for (row, amounts) in amounts.iter_mut().enumerate() {
        for (column, amount) in amounts.iter_mut().enumerate() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Everywhere, or near one side, where the middle of the ink cannot be that of the picture.
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
    amounts[0][0] = 50;
    amounts[19][19] = 50;
    amounts
}

/// A page of 60 x 60 with the drawing, whose ink is dark or bright; it has dirt, and its edge is uneven.
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
        // More different than the ink, but not many.
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

/// The drawing as ink of 0 to 255 on 28 x 28, where the mean of the positions of its ink is 14 if there is room.
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
        folder.write(&format!("set/0/{drawing:02}.png"), &png(&page));
        expected.extend(digit(&amounts, uneven));
    }
    // Scaled to 20 x 10, and a contrast that is just enough.
    for (name, ink) in [("x", 0), ("y", 128 - 16)] {
        let bar = GrayImage::from_fn(70, 60, |x, y| {
            let is_ink = (30..50).contains(&x) && (15..55).contains(&y);
            image::Luma([if is_ink { ink } else { 128 }])
        });
        folder.write(&format!("set/0/{name}.png"), &png(&bar.into()));
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
        folder.write("set/0/00.png", &png(&page.into()));
        assert_eq!(
            folder.refused_set(&["--fit", "mnist"]),
            "set/0/00.png: nothing in this picture differs in brightness from its edge; remove it"
        );
    }
}

#[test]
fn names_that_no_folder_can_have() {
    let long = "x".repeat(256);
    for name in ["..", "...", "labels.csv", "Classes.TXT", &long] {
        let folder = Folder::new(&[
            ("a.idx", &file(8, &[3, 1, 2], &[1, 2, 3, 4, 5, 6])),
            ("l.idx", &file(8, &[3], &[0, 1, 0])),
            ("names.txt", format!("{name}\ncat\n").as_bytes()),
        ]);
        let labels = ["--labels", "l.idx", "--classes", "names.txt"];
        folder.convert(&[&["a.idx", "-o", "d/"], &labels[..]].concat());
        for picture in ["0/00000", "1/00001", "0/00002"] {
            folder.read(&format!("d/{picture}.png"));
        }
        assert_eq!(folder.read("d/classes.txt"), folder.read("names.txt"));
    }
}

#[test]
fn folders_by_class() {
    let fashion = "T-shirt/top\nTrouser\n";
    let images = file(8, &[3, 1, 2], &[1, 2, 3, 4, 5, 6]);
    let folder = Folder::new(&[
        ("a.idx", &images),
        ("l.idx", &file(8, &[3], &[1, 0, 1])),
        ("names.txt", fashion.as_bytes()),
    ]);
    let labeled = ["a.idx", "--labels", "l.idx"];
    folder.convert(&[&labeled[..], &["-o", "numbers/"]].concat());
    assert_eq!(idx_tests::names(&folder.0.path().join("numbers/1")), ["00000.png", "00002.png"]);
    folder.convert(&[&labeled[..], &["--classes", "names.txt", "-o", "named/"]].concat());
    assert!(folder.0.path().join("named/T-shirt_top/00001.png").exists());
    assert_eq!(folder.read("named/classes.txt"), fashion.as_bytes());
    for name in ["numbers", "named"] {
        let out = format!("{name}.idx");
        let outcome = folder.run(&["convert", name, "-o", &out]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(folder.read(&out), file(8, &[3, 1, 2], &[3, 4, 1, 2, 5, 6]), "{name}");
        assert_eq!(folder.read(&format!("{name}-labels.idx")), file(8, &[3], &[0, 1, 1]));
    }
    // No picture takes the place of another, or comes beside it.
    let again = [&labeled[..], &["-o", "numbers/", "--force"]].concat();
    folder.refused(&again);
    assert_eq!(idx_tests::names(&folder.0.path().join("numbers/1")), ["00000.png", "00002.png"]);
    #[cfg(unix)]
    {
        let piped = [&["convert"], &labeled[..], &["-o", "piped/", "--classes", "/dev/stdin"]];
        let outcome = folder.run_with(&piped.concat(), fashion.as_bytes());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
    // Without labels, or if they are left out, there are no folders.
    folder.convert(&["a.idx", "-o", "flat/"]);
    let expected = ["00000.png", "00001.png", "00002.png"];
    assert_eq!(idx_tests::names(&folder.0.path().join("flat")), expected);
}
