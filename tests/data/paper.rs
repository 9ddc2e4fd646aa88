//! Digits on the kinds of paper that people use, fitted like MNIST's: each that comes out wrong is named.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use idx_data::dataset::mnist::Image;
use idx_data::{Fit, Hint, Labeled, OpenOptions, PictureOptions, Record};
use image::imageops::{FilterType, resize};
use image::{GrayImage, Luma};

/// The sides of a picture and of a digit on it.
const SIDE: u32 = 200;
const DIGIT: u32 = 112;

/// Returns the brightness of the paper at x and y, under this much ink, from 0 to 1.
type Paper = fn(x: f32, y: f32, ink: f32) -> f32;

fn on(paper: f32, stroke: f32, ink: f32) -> f32 {
    paper + (stroke - paper) * ink
}

/// Returns whether this place is on one of the lines that are this far apart.
fn is_line(at: f32, apart: f32, width: f32) -> bool {
    (at + apart / 2.0).rem_euclid(apart) < width
}

/// Returns a number from -1 to 1 that looks random.
fn noise(x: f32, y: f32) -> f32 {
    let number = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    let number = number.wrapping_mul(0xC2B2_AE3D) ^ number >> 15;
    (number >> 16 & 0xFF) as f32 / 127.5 - 1.0
}

/// The number of digits on each paper.
const COUNT: usize = 20;

/// The papers, and the most digits that may be left out and named: none on the first ones, which always worked.
const PAPERS: [(&str, usize, Paper); 20] = [
    ("white", 0, |_, _, ink| on(250.0, 20.0, ink)),
    ("shadow", 0, |x, y, ink| on(240.0 - 60.0 * (x + y) / 400.0, 45.0, ink)),
    ("pencil", 0, |x, y, ink| on(228.0, 140.0, ink) + 4.0 * noise(x, y)),
    ("chalk", 0, |x, y, ink| on(40.0, 220.0, ink) + 6.0 * noise(x, y)),
    ("faint pencil", 0, |x, y, ink| on(228.0, 190.0, ink) + 3.0 * noise(x, y)),
    ("bleed through", 0, |x, y, ink| {
        let behind = (x - 120.0).hypot(y - 70.0);
        on(if (20.0..32.0).contains(&behind) { 225.0 } else { 240.0 }, 40.0, ink)
    }),
    ("lines", COUNT, |_, y, ink| on(if is_line(y, 40.0, 2.0) { 190.0 } else { 245.0 }, 40.0, ink)),
    ("pale lines", 0, |_, y, ink| on(if is_line(y, 40.0, 2.0) { 215.0 } else { 245.0 }, 40.0, ink)),
    ("dark lines", COUNT, |_, y, ink| {
        on(if is_line(y, 50.0, 3.0) { 110.0 } else { 245.0 }, 40.0, ink)
    }),
    ("skewed lines", COUNT, |x, y, ink| {
        on(if is_line(y + 0.05 * x, 50.0, 2.0) { 160.0 } else { 245.0 }, 40.0, ink)
    }),
    ("one line", COUNT, |_, y, ink| {
        on(if (150.0..153.0).contains(&y) { 60.0 } else { 245.0 }, 40.0, ink)
    }),
    ("squares", COUNT, |x, y, ink| {
        let is_square = is_line(x, 25.0, 1.0) || is_line(y, 25.0, 1.0);
        on(if is_square { 170.0 } else { 245.0 }, 40.0, ink)
    }),
    ("dark squares", COUNT, |x, y, ink| {
        let is_square = is_line(x, 50.0, 2.0) || is_line(y, 50.0, 2.0);
        on(if is_square { 120.0 } else { 245.0 }, 40.0, ink)
    }),
    ("table at a side", COUNT, |x, _, ink| if x < 20.0 { 60.0 } else { on(235.0, 40.0, ink) }),
    (
        "brown table",
        COUNT,
        |x, y, ink| if x + 0.1 * y > 190.0 { 120.0 } else { on(235.0, 40.0, ink) },
    ),
    (
        "table in a corner",
        COUNT,
        |x, y, ink| if x + y < 14.0 { 50.0 } else { on(235.0, 40.0, ink) },
    ),
    ("torn paper", COUNT, |x, y, ink| {
        let border = 14.0 + 5.0 * (x / 7.0).sin() + 4.0 * (y / 5.0).cos();
        let is_paper = x.min(y).min(200.0 - x.max(y)) > border;
        if is_paper { on(235.0, 40.0, ink) } else { 70.0 }
    }),
    ("margin", COUNT, |x, _, ink| {
        on(if (22.0..24.0).contains(&x) { 150.0 } else { 245.0 }, 40.0, ink)
    }),
    ("strong bleed through", COUNT, |x, y, ink| {
        let behind = (x - 150.0).hypot(y - 50.0);
        on(if (20.0..32.0).contains(&behind) { 150.0 } else { 240.0 }, 40.0, ink)
    }),
    ("dot", COUNT, |x, y, ink| {
        on(if (x - 20.0).hypot(y - 20.0) < 4.0 { 90.0 } else { 240.0 }, 40.0, ink)
    }),
];

/// A digit in the size that it has on a paper.
fn large(digit: &Image) -> GrayImage {
    let digit = GrayImage::from_raw(28, 28, digit.as_flattened().to_vec()).unwrap();
    resize(&digit, DIGIT, DIGIT, FilterType::CatmullRom)
}

/// A digit somewhere on a paper.
fn drawn(digit: &GrayImage, number: usize, paper: Paper) -> GrayImage {
    let shift = |step: usize| 30 + (number * step % 29) as u32;
    let (left, top) = (shift(7), shift(11));
    GrayImage::from_fn(SIDE, SIDE, |x, y| {
        let within = |at: u32, start: u32| at.checked_sub(start).filter(|&at| at < DIGIT);
        let ink = match (within(x, left), within(y, top)) {
            (Some(x), Some(y)) => f32::from(digit.get_pixel(x, y).0[0]) / 255.0,
            _ => 0.0,
        };
        Luma([paper(x as f32, y as f32, ink) as u8])
    })
}

/// Returns the digits of a folder that are not left out, fitted, by number.
fn fitted(folder: &Path) -> BTreeMap<usize, Vec<u8>> {
    let pictures = PictureOptions::new().fit(Fit::Mnist).skip_bad(true);
    let Ok(source) = OpenOptions::new().labels(false).pictures(pictures).open(folder) else {
        return BTreeMap::new();
    };
    let mut source = source;
    let (mut record, mut read) = (Record::default(), Vec::new());
    while source.read(&mut record).unwrap() {
        read.push(record.bytes.clone());
    }
    let skipped = source.skipped();
    let is_read = |number: &usize| {
        let name = format!("{number}.png");
        !skipped.iter().any(|skipped| skipped.path.ends_with(&name))
    };
    let digits: BTreeMap<_, _> = (0..COUNT).filter(is_read).zip(read).collect();
    assert_eq!(digits.len() + skipped.len(), COUNT);
    digits
}

/// Returns the label of the digit that is nearest to this one.
fn nearest(digits: &BTreeMap<usize, Vec<u8>>, labels: &[u8], image: &[u8]) -> u8 {
    let distance = |other: &[u8]| -> u64 {
        let pairs = image.iter().zip(other);
        pairs.map(|(one, other)| u64::from(one.abs_diff(*other)).pow(2)).sum()
    };
    labels[*digits.iter().min_by_key(|(_, other)| distance(other)).unwrap().0]
}

/// Failed before: lines, tables and spots silently became a part of the digit.
#[test]
fn each_digit_that_its_paper_spoils_is_named() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../idx-cli/sample");
    let [images, labels] = ["digits-images-idx3-ubyte", "digits-labels-idx1-ubyte"];
    let all = Labeled::<Image, u8>::open(sample.join(images), sample.join(labels)).unwrap();
    let labels: Vec<u8> = all.labels().take(COUNT).collect();
    let all: Vec<GrayImage> = all.iter().take(COUNT).map(|(image, _)| large(&image)).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut white = BTreeMap::new();
    for (name, most_named, paper) in PAPERS {
        let inside = folder.path().join(name);
        fs::create_dir(&inside).unwrap();
        for (number, digit) in all.iter().enumerate() {
            drawn(digit, number, paper).save(inside.join(format!("{number}.png"))).unwrap();
        }
        let digits = fitted(&inside);
        if white.is_empty() {
            white = digits.clone();
        }
        let misread: Vec<usize> = digits
            .iter()
            .filter(|(number, image)| nearest(&white, &labels, image) != labels[**number])
            .map(|(number, _)| *number)
            .collect();
        println!("{name}: {} of {COUNT} named, {misread:?} misread", COUNT - digits.len());
        assert!(misread.is_empty(), "{name}: {misread:?}");
        assert!(COUNT - digits.len() <= most_named, "{name}");
    }
}

/// Failed before: the strokes of a fine pen on a large picture silently became nearly black.
#[test]
fn thin_strokes_are_named_and_kept_by_a_threshold() {
    let folder = tempfile::tempdir().unwrap();
    let seven = GrayImage::from_fn(500, 500, |x, y| {
        let is_bar = (100..104).contains(&y) && (150..350).contains(&x);
        let is_leg = (104..400).contains(&y) && (350 - (y - 104) / 2).abs_diff(x) < 2;
        Luma([if is_bar || is_leg { 30 } else { 245 }])
    });
    seven.save(folder.path().join("7.png")).unwrap();
    let open = |pictures: PictureOptions| {
        OpenOptions::new().pictures(pictures.fit(Fit::Mnist)).open(folder.path())
    };
    let error = open(PictureOptions::new()).unwrap_err();
    assert_eq!(error.kind().hint(), Some(Hint::Threshold));
    let sentence = error.sentence();
    assert!(
        sentence.starts_with("the strokes are so thin that the brightest pixel has "),
        "{sentence}"
    );
    let mut source = open(PictureOptions::new().threshold(40)).unwrap();
    let mut record = Record::default();
    assert!(source.read(&mut record).unwrap());
    assert!(record.bytes.iter().filter(|pixel| **pixel == 255).count() > 20, "{:?}", record.bytes);
}
