//! The contact sheet of `idx show -o`, read back pixel by pixel.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use idx_tests::{file, gzip, real_data};

use crate::common::{Folder, each_format, outcome};

#[test]
fn sheets_of_any_format() {
    let folder = each_format();
    let sheet = |arguments: &[&str]| {
        folder.run(&[&["show", "-f", "-o", "sheet.png"], arguments].concat()).success();
        folder.read("sheet.png")
    };
    let (plain, labeled) = (sheet(&["a.idx"]), sheet(&["a.idx", "--labels", "l.idx"]));
    assert_ne!(plain, labeled);
    assert!(sheet(&["a.npy"]) == plain);
    assert!(sheet(&["a.csv"]) == labeled);
    folder.convert(&["a", "-o", "sorted.csv"]);
    assert!(sheet(&["a"]) == sheet(&["sorted.csv"]));
    assert!(sheet(&["-r", "1..", "a.csv"]) == sheet(&["-r", "1", "a.idx", "--labels", "l.idx"]));
}

/// Width, height, channels and samples of a PNG file.
fn decoded(bytes: &[u8]) -> (usize, usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut samples).unwrap();
    let size = |size: u32| usize::try_from(size).unwrap();
    (size(info.width), size(info.height), info.color_type.samples(), samples)
}

/// Three images of 4 x 20, with no pixel drawn like the paper or a number.
fn images() -> Vec<u8> {
    let pixels: Vec<u8> = (0..240).map(|index| index % 100 + 1).collect();
    file(0x08, &[3, 4, 20], &pixels)
}

/// The pixels of a gray sheet.
struct Sheet {
    width: usize,
    height: usize,
    samples: Vec<u8>,
}

impl Sheet {
    #[track_caller]
    fn read(folder: &Folder, arguments: &[&str]) -> Self {
        let arguments = [&["show"], arguments, &["-f", "-o", "sheet.png"]].concat();
        assert_eq!(folder.run(&arguments).success(), "");
        let (width, height, channels, samples) = decoded(&folder.read("sheet.png"));
        assert_eq!(channels, 1);
        Self { width, height, samples }
    }

    fn at(&self, x: usize, y: usize) -> u8 {
        self.samples[y * self.width + x]
    }

    fn count(&self, color: u8) -> usize {
        self.samples.iter().filter(|sample| **sample == color).count()
    }
}

#[test]
fn pictures_lie_in_even_rows() {
    let folder = Folder::new(&[("images", &images())]);
    let sheet = Sheet::read(&folder, &["images", "--records", "1.."]);
    // Three times as large, 60 of at most 64 pixels, one below the other.
    assert_eq!((sheet.width, sheet.height), (8 + 60 + 8, 8 + 2 * (12 + 8)));
    for record in 0..2 {
        for y in 0..12 {
            for x in 0..60 {
                let expected = (80 * (record + 1) + y / 3 * 20 + x / 3) % 100 + 1;
                assert_eq!(usize::from(sheet.at(8 + x, 8 + 20 * record + y)), expected);
            }
        }
    }
    let inverted = Sheet::read(&folder, &["images", "--records", "1..", "--invert"]);
    assert_eq!(inverted.at(8, 8), 255 - sheet.at(8, 8));

    let square = |count: u32| file(0x08, &[count, 28, 28], &vec![7; 784 * count as usize]);
    for (count, columns, rows) in [(40, 8, 5), (10, 5, 2), (100, 10, 10), (7, 4, 2), (1, 1, 1)] {
        folder.write("squares", &square(count));
        let sheet = Sheet::read(&folder, &["squares"]);
        assert_eq!((sheet.width, sheet.height), (8 + columns * 64, 8 + rows * 64), "{count}");
    }
}

#[test]
fn captions_are_labels_or_names_as_they_are_written() {
    let folder = Folder::new(&[
        ("images", &images()),
        ("labels", &file(0x09, &[3], &[0, 1, 2])),
        ("names", "Bag\n\u{E9}t\u{E9}\n2\n".as_bytes()),
        ("capitals", "BAG\n\u{E9}t\u{E9}\n2\n".as_bytes()),
        ("other", "Bag\n\u{72AC}\n2\n".as_bytes()),
    ]);
    let labeled = ["images", "--labels", "labels"];
    let with = |more: &[&str]| Sheet::read(&folder, &[&labeled[..], more].concat());
    let plain = Sheet::read(&folder, &["images"]);
    assert_eq!((plain.count(0), plain.count(112)), (0, 0));
    let labels = with(&[]);
    assert_eq!(labels.height, plain.height + 3 * 12);
    assert!(labels.count(0) > 20 && labels.count(112) == 0);
    let numbers = with(&["--numbers"]);
    assert_eq!(numbers.count(0), labels.count(0));
    assert!(numbers.count(112) > 20);
    let [names, capitals, other] =
        ["names", "capitals", "other"].map(|list| with(&["--classes", list]).count(0));
    assert!(names != capitals && names > labels.count(0));
    // The font lacks the second name, so its label is drawn.
    let bag = with(&["--classes", "names", "--only", "Bag"]).count(0);
    assert!(bag < other && other < names, "{bag} {other} {names}");
}

/// On gray paper, the edges of black and of white pictures are visible.
#[test]
fn pictures_differ_from_the_paper() {
    let digit = [[0; 4], [0, 255, 255, 0], [0, 255, 255, 0], [0; 4]].concat();
    let folder = Folder::new(&[("digit", &file(0x08, &[1, 4, 4], &digit))]);
    let sheet = Sheet::read(&folder, &["digit"]);
    let inverted = Sheet::read(&folder, &["digit", "--invert"]);
    for (sheet, edge) in [(sheet, 0), (inverted, 255)] {
        assert_eq!((sheet.width, sheet.height), (80, 80));
        let corners = [(8, 8), (71, 8), (8, 71), (71, 71)];
        assert_eq!(corners.map(|(x, y)| sheet.at(x, y)), [edge; 4]);
        assert_eq!(sheet.at(40, 40), 255 - edge);
        assert_eq!(sheet.count(216), 80 * 80 - 64 * 64);
    }
}

#[test]
fn colors_and_what_is_not_a_number() {
    let floats: Vec<u8> = [0.0f32, f32::NAN].into_iter().flat_map(f32::to_be_bytes).collect();
    let folder = Folder::new(&[
        ("colors", &file(0x08, &[1, 1, 2, 3], &[1, 2, 3, 4, 5, 6])),
        ("floats", &file(0x0D, &[1, 1, 2], &floats)),
    ]);
    for (name, expected) in [("colors", [1, 2, 3, 4, 5, 6]), ("floats", [0, 0, 0, 255, 0, 0])] {
        let mut command = folder.command(&["show", name, "-o", "-"]);
        let output = command.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        let (width, _, channels, samples) = decoded(&output.stdout);
        assert_eq!((width, channels), (80, 3));
        let row = &samples[8 * width * 3..][8 * 3..];
        let pixel = |index: usize| &row[index * 32 * 3..][..3];
        assert_eq!([pixel(0), pixel(1)].concat(), expected);
    }
}

/// Failed before: nothing said that the sheet had become a record of the pictures next to it.
#[test]
fn a_sheet_in_a_folder_of_a_class_is_told() {
    let folder = Folder::new(&[("images", &images())]);
    let draw = |name: &str| {
        let drawn = folder.run(&["show", "images", "-fo", name]);
        assert_eq!(drawn.code, Some(0), "{drawn:?}");
        drawn.messages
    };
    for name in ["p/cat", "p/dog"] {
        fs::create_dir_all(folder.0.path().join(name)).unwrap();
    }
    // Several sheets in one folder are no classes.
    assert_eq!(["p/cat/0.png", "p/cat/1.png", "p/dog/0.png"].map(draw).concat(), "");
    assert_eq!(
        draw("p/cat/sheet.png"),
        "idx: p/cat/sheet.png: note: this folder has the pictures of a class, and the sheet is read as one of them, \
         unless `--skip sheet.png` leaves it out\n"
    );
    // The sheet was a picture of this folder before.
    assert_eq!(draw("p/cat/sheet.png"), "");
    let read = ["convert", "p", "--skip", "sheet.png", "-qo", "a.csv"];
    folder.run(&read).success();
    assert_eq!(folder.read("a.csv").split(|byte| *byte == b'\n').count(), 5);
}

#[test]
fn a_sheet_has_the_name_of_a_png() {
    let folder = Folder::new(&[("images", &images())]);
    for name in ["x.jpg", "x.idx", "x.png.gz", "x-images-idx3-ubyte"] {
        let outcome = folder.run(&["show", "images", "-o", name, "--force"]);
        let expected = "idx: a sheet is a PNG file; name it like sheet.png\n";
        assert_eq!((outcome.code, outcome.output.as_str()), (Some(2), ""));
        assert!(outcome.messages.starts_with(expected), "{outcome:?}");
    }
    for name in ["x.PNG", "x"] {
        folder.run(&["show", "images", "-o", name]).success();
        assert!(folder.read(name).starts_with(b"\x89PNG"));
        // Failed before: a name without an extension was not taken for a picture.
        assert!(folder.run(&["info", name]).success().contains("format        png"));
        folder.run(&["show", name]).success();
    }
    assert_eq!(folder.names(), ["images", "x", "x.PNG"]);
}

#[test]
fn a_sheet_of_pictures_that_nobody_counted() {
    let folder = Folder::new(&[("labels", &file(0x08, &[2], &[0, 1]))]);
    let two = file(0x08, &[2, 2, 2], &[0; 8]);
    let only = ["show", "-", "--labels", "labels", "--only", "0", "-o", "x.png"];
    assert_eq!(
        folder.run_with(&only, &two).failure().1,
        "-: the number of these pictures is not known before they are read, and a pipe is read only once; give a file"
    );
    folder.run_with(&["show", "-", "-r", "0", "-o", "x.png"], &two).success();
    folder.write("two", &two);
    folder.run(&[&["show", "two"], &only[2..], &["-f"]].concat()).success();
}

#[test]
fn what_cannot_be_drawn_leaves_no_sheet() {
    let folder = Folder::new(&[
        ("images", &images()),
        ("cut.gz", &gzip(&images()[..200])),
        ("numbers", &file(0x08, &[2], &[1, 2])),
        ("none", &file(0x08, &[0, 28, 28], &[])),
        ("long", &file(0x08, &[100_001, 1, 1], &[0; 100_001])),
        ("sheet.png", b"mine"),
    ]);
    let sheet = folder.0.path().join("sheet.png");
    let show =
        |arguments: &[&str]| folder.run(&[&["show"], arguments, &["-o", "sheet.png"]].concat());
    let (_, message) = show(&["cut.gz", "--force"]).failure();
    assert!(message.ends_with(" or `idx convert FILE -r ..2 -o NEW` keeps 2 records"), "{message}");
    let (_, message) = show(&["numbers", "--force"]).failure();
    assert!(message.starts_with("numbers: the records are not images"), "{message}");
    for (name, range, count) in
        [("none", "..", "0"), ("images", "1..1", "0"), ("long", "..", "100001")]
    {
        let (_, message) = show(&[name, "--force", "--records", range]).failure();
        assert_eq!(
            message,
            format!(
                "{name}: a sheet has 1 to 100000 pictures, not {count}; choose the records with --records"
            )
        );
    }
    // The largest sheet is accepted, so the error is about the folder.
    let most = ["show", "long", "--records", "..100000", "-o", "no/sheet.png"];
    let (_, message) = folder.run(&most).failure();
    assert!(message.contains("there is no folder no;"), "{message}");
    assert_eq!(fs::read(&sheet).unwrap(), b"mine");
    let left = fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(left, 6, "no temporary file is left");

    assert_eq!(show(&["images", "--force"]).success(), "");
    assert!(fs::read(&sheet).unwrap().starts_with(b"\x89PNG"));
    let (_, message) = folder.run(&["show", "images", "-o", "no/sheet.png"]).failure();
    assert!(message.starts_with("no/sheet.png: there is no folder no;"), "{message}");
    assert_eq!(folder.run(&["show", "images", "--force"]).code, Some(2));
}

#[test]
fn what_a_header_promises_takes_no_memory() {
    // A record of 1 GiB, which 32 bits can count, without any of its bytes.
    let header = file(0x08, &[1, 1 << 15, 1 << 15], &[]);
    let folder = Folder::new(&[("promises.gz", &gzip(&header))]);
    let show = ["show", "promises.gz", "-o", "sheet.png", "--record-limit", "8G"];
    let (_, message) = folder.run(&show[..4]).failure();
    let limit = "promises.gz: a record has 1073741824 bytes, more than the limit of 67108864; if you trust \
                 the file, raise the limit with `--record-limit`";
    assert_eq!(message, limit);
    let (_, message) = outcome(&mut folder.command(&show), &[]).failure();
    assert!(message.contains("expected 1073741824 bytes, found 0"), "{message}");
}

#[test]
fn ten_thousand_real_digits() {
    let test = "ten_thousand_real_digits";
    let Some(images) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let folder = Folder::new(&[("digits.gz", &fs::read(images).unwrap())]);
    let arguments = ["show", "digits.gz", "--records", "..", "-o", "sheet.png"];
    assert_eq!(folder.run(&arguments).success(), "");
    let (pixels, sheet) = sum(&folder.0.path().join("sheet.png"));
    let digits = idx_std::open(folder.0.path().join("digits.gz")).unwrap();
    let digits: u64 = digits.as_idx().payload().iter().map(|value| u64::from(*value)).sum();
    // The rest is paper.
    assert_eq!(sheet - digits, (pixels - 10_000 * 28 * 28) * 216);
}

/// The number of pixels, and the sum of their values.
fn sum(path: &Path) -> (u64, u64) {
    let reader = BufReader::new(File::open(path).unwrap());
    let mut reader = png::Decoder::new(reader).read_info().unwrap();
    let (mut pixels, mut sum) = (0, 0);
    while let Some(row) = reader.next_row().unwrap() {
        pixels += row.data().len() as u64;
        sum += row.data().iter().map(|sample| u64::from(*sample)).sum::<u64>();
    }
    (pixels, sum)
}
