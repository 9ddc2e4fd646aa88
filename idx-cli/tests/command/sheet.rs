//! The contact sheet of `idx show -o`, read back pixel by pixel.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use crate::common::{Folder, outcome};
use idx_tests::{file, gzip, real_data};

/// Width, height, channels and samples of a PNG file.
fn decoded(bytes: &[u8]) -> (usize, usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut samples).unwrap();
    let size = |size: u32| usize::try_from(size).unwrap();
    (size(info.width), size(info.height), info.color_type.samples(), samples)
}

/// Three images of 4 x 20, none of whose pixels is drawn as the paper or a number is.
fn images() -> Vec<u8> {
    let pixels: Vec<u8> = (0..240).map(|index| index % 100 + 1).collect();
    file(0x08, &[3, 4, 20], &pixels)
}

/// The sheet with a character for each of its pixels.
fn drawn((width, _, channels, samples): &(usize, usize, usize, Vec<u8>)) -> Vec<String> {
    let character = |pixel: &[u8]| match pixel[0] {
        255 => ' ',
        144 => '+',
        0 => '#',
        _ => '.',
    };
    let rows = samples.chunks(width * channels);
    let rows = rows.map(|row| row.chunks(*channels).map(character).collect::<String>());
    rows.map(|row| row.trim_end().to_string()).collect()
}

#[test]
fn pictures_with_their_index_and_label() {
    let folder =
        Folder::new(&[("images", &images()), ("labels", &file(0x09, &[3], &[0xFE, 0, 13]))]);
    let arguments = ["show", "images", "--labels", "labels", "-o", "sheet.png", "--records", "1.."];
    assert_eq!(folder.run(&arguments).success(), "");
    let sheet = fs::read(folder.0.path().join("sheet.png")).unwrap();
    let sheet = decoded(&sheet);
    let (width, height, channels, samples) = &sheet;
    // Three times as large: 60 of at most 64 pixels.
    assert_eq!((*width, *height, *channels), (3 * 28, 3 * 32, 1));
    // Each pixel is a square of equal ones.
    let sample = |x: usize, y: usize| samples[y * width + x];
    for y in 0..*height {
        for x in 0..*width {
            assert_eq!(sample(x, y), sample(x / 3 * 3, y / 3 * 3));
        }
    }
    let small: Vec<u8> = (0..32).flat_map(|y| (0..28).map(move |x| sample(3 * x, 3 * y))).collect();
    let small = (28, 32, 1, small);
    assert_eq!(
        drawn(&small),
        [
            "",
            "",
            "",
            "",
            "     +     ###",
            "    ++     # #",
            "     +     # #",
            "     +     # #",
            "    +++    ###",
            "",
            "    ....................",
            "    ....................",
            "    ....................",
            "    ....................",
            "",
            "",
            "",
            "",
            "    +++     #  ###",
            "      +    ##    #",
            "    +++     #   ##",
            "    +       #    #",
            "    +++    ### ###",
            "",
            "    ....................",
            "    ....................",
            "    ....................",
            "    ....................",
            "",
            "",
            "",
            "",
        ]
    );
    // Ink on paper: the first value of the second image, and the last of the third.
    assert_eq!(small.3[10 * 28 + 4], 255 - 81);
    assert_eq!(small.3[27 * 28 + 23], 255 - 40);
}

#[test]
fn pictures_with_the_names_of_their_classes() {
    let folder = Folder::new(&[
        ("images", &images()),
        ("labels", &file(0x08, &[3], &[2, 1, 0])),
        ("names", "Bag\nété\nA name of more than 16 letters\n".as_bytes()),
    ]);
    let arguments = ["show", "images", "--labels", "labels", "--classes", "names"];
    let sheet = ["-o", "sheet.png", "--records", "1.."];
    let sheet = folder.run(&[&arguments[..], &sheet].concat());
    assert_eq!(sheet.success(), "");
    let (width, height, _, samples) = decoded(&folder.read("sheet.png"));
    let factor = height / 32;
    let small = samples.chunks(width * factor).map(|rows| rows[..width].iter().copied());
    let small: Vec<u8> = small.flat_map(|row| row.step_by(factor)).collect();
    let sheet = drawn(&(width / factor, 32, 1, small));
    // The second name has other letters than the font, so its label is drawn.
    assert_eq!(sheet[4], "     +      #");
    assert_eq!(sheet[18], "    +++    ##   #   ##");
    assert_eq!(sheet[19], "      +    # # # # #");
    assert_eq!(sheet[20], "    +++    ##  ### # #");
    assert_eq!(sheet[21], "    +      # # # # # #");
    assert_eq!(sheet[22], "    +++    ##  # #  ##");

    folder.run(&[&arguments[..], &["-o", "all.png"]].concat()).success();
    let (width, height, ..) = decoded(&folder.read("all.png"));
    // Three pictures below each other: the index, 16 letters, and the gaps.
    let factor = height / 46;
    assert_eq!(width / factor, 4 + 3 + 4 + 16 * 4 - 1 + 4);
}

#[test]
fn colours_and_what_is_not_a_number() {
    let floats: Vec<u8> = [0.0f32, f32::NAN].into_iter().flat_map(f32::to_be_bytes).collect();
    let folder = Folder::new(&[
        ("colours", &file(0x08, &[1, 1, 2, 3], &[1, 2, 3, 4, 5, 6])),
        ("floats", &file(0x0D, &[1, 1, 2], &floats)),
    ]);
    for (name, expected) in
        [("colours", [1, 2, 3, 4, 5, 6]), ("floats", [255, 255, 255, 255, 0, 0])]
    {
        let mut command = folder.command(&["show", name, "-o", "-"]);
        let output = command.output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        let (width, _, channels, samples) = decoded(&output.stdout);
        assert_eq!(channels, 3);
        let factor = width / 11; // 3 for the index, at least, and the gaps on both sides
        let row = &samples[10 * factor * width * 3..][4 * factor * 3..];
        let pixel = |index: usize| &row[index * factor * 3..][..3];
        assert_eq!([pixel(0), pixel(1)].concat(), expected);
    }
}

/// Failed before: a PNG file was written under the name of another format.
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
    }
    assert_eq!(folder.names(), ["images", "x", "x.PNG"]);
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
    assert!(message.ends_with("(after 2 whole records)"), "{message}");
    let (_, message) = show(&["numbers", "--force"]).failure();
    assert!(message.starts_with("numbers: its records are not images"), "{message}");
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
    // The largest sheet: the next error is another one.
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
    // A record of 4 GiB, without any of its bytes.
    let header = file(0x08, &[1, 1 << 16, 1 << 16], &[]);
    let folder = Folder::new(&[("promises.gz", &gzip(&header))]);
    let show = ["show", "promises.gz", "-o", "sheet.png", "--record-limit", "8G"];
    let (_, message) = folder.run(&show[..4]).failure();
    let limit = "promises.gz: a record has 4294967296 bytes, more than the limit of 67108864; raise it with \
                 `--record-limit` if you trust the file";
    assert_eq!(message, limit);
    let (_, message) = outcome(&mut folder.command(&show), &[]).failure();
    assert!(message.contains("expected 4294967296 bytes, found 0"), "{message}");
}

#[test]
fn ten_thousand_real_digits() {
    let test = "ten_thousand_real_digits";
    let Some(images) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let images = images.canonicalize().unwrap();
    let folder = Folder::new(&[]);
    let arguments = ["show", images.to_str().unwrap(), "--records", "..", "-o", "sheet.png"];
    assert_eq!(folder.run(&arguments).success(), "");
    let sheet = ink(&folder.0.path().join("sheet.png"));
    let digits: u64 =
        idx_std::open(&images).unwrap().as_idx().payload().iter().map(|ink| u64::from(*ink)).sum();
    // The rest is the ink of the indices.
    let indices = sheet - digits;
    assert_eq!(indices % (255 - 144), 0);
    assert!(indices > 10_000 * 8 * (255 - 144));
}

/// The sum of all that is darker than the paper.
fn ink(path: &Path) -> u64 {
    let reader = BufReader::new(File::open(path).unwrap());
    let mut reader = png::Decoder::new(reader).read_info().unwrap();
    let mut sum = 0;
    while let Some(row) = reader.next_row().unwrap() {
        sum += row.data().iter().map(|sample| u64::from(255 - sample)).sum::<u64>();
    }
    sum
}
