//! Trains a linear classifier of handwritten digits and writes it as IDX files, for a firmware that
//! has neither floating-point numbers nor RAM to spare (tests/firmware/src/bin/classify.rs):
//!
//! `IDX_DATA=folder cargo run --release -p idx-std --example linear_classifier -- OUTPUT_FOLDER`
//!
//! | file | records | |
//! | --- | --- | --- |
//! | `weights` | 10 of 28 x 28 `i8` | one picture per class |
//! | `bias` | 10 of `i32` | |
//! | `images` | 100 of 28 x 28 `u8` | the first test digits |
//! | `scores` | 100 of 10 `i32` | the score of each class; the greatest is the answer |
//!
//! The folder `IDX_DATA` holds `mnist/train-images-idx3-ubyte.gz` and so on. Without it the training
//! digits are the first half of this project's own sample, and the test digits the other.

#![forbid(unsafe_code)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "labels, pixels and classes are below the lengths; the casts are those of rounding"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use idx_std::dataset::mnist::Image;
use idx_std::dataset::{Labeled, Mnist, Normalize};
use idx_std::{IdxRecord, RecordWriter};

type Digits = Labeled<Image, u8>;

/// The weights of one class, of the same shape as a digit.
#[derive(IdxRecord)]
struct Weights([[i8; 28]; 28]);

/// What one class starts from before it sees the digit.
#[derive(IdxRecord)]
struct Bias(i32);

const CLASSES: usize = 10;
const PIXELS: usize = 28 * 28;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or("usage: linear_classifier OUTPUT_FOLDER")?;
    let [training, test] = read_digits()?;

    let start = Instant::now();
    let classifier = Classifier::from(&train(&training));
    println!(
        "trained on {} digits in {:.1} s",
        training.len(),
        start.elapsed().as_secs_f32()
    );
    let right = test
        .iter()
        .filter(|(image, label)| classifier.answer(image) == *label)
        .count();
    println!("right about {right} of {} test digits", test.len());

    std::fs::create_dir_all(&folder)?;
    write(&folder.join("weights"), &classifier.weights)?;
    write(&folder.join("bias"), &classifier.bias)?;
    let images: Vec<Image> = test.iter().take(100).map(|(image, _)| image).collect();
    write(&folder.join("images"), &images)?;
    let scores: Vec<[i32; CLASSES]> = images
        .iter()
        .map(|image| classifier.scores(image))
        .collect();
    write(&folder.join("scores"), &scores)?;
    Ok(())
}

/// The digits to train with, and those to test with.
fn read_digits() -> Result<[Digits; 2], idx_std::dataset::Error> {
    if let Some(data) = std::env::var_os("IDX_DATA") {
        let mnist = Mnist::open(Path::new(&data).join("mnist"))?;
        Ok([mnist.training, mnist.test])
    } else {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../idx-cli/sample");
        let digits = Digits::open(
            folder.join("digits-images-idx3-ubyte"),
            folder.join("digits-labels-idx1-ubyte"),
        )?;
        digits.split([0.5, 0.5])
    }
}

fn write<T: IdxRecord>(path: &Path, records: &[T]) -> Result<(), idx_std::Error> {
    let mut writer = RecordWriter::create(path)?;
    writer.push_all(records)?;
    writer.finish()?;
    Ok(())
}

/// What is learned: for each pixel its weight in the score of each class. The last one belongs to a
/// pixel that is always fully inked, and so is the bias.
struct Model([[f32; CLASSES]; PIXELS + 1]);

/// Softmax regression by stochastic gradient descent, one digit at a time in the order of the files,
/// so that it comes out the same each time.
fn train(digits: &Digits) -> Model {
    const EPOCHS: u16 = 8;
    // Four of five pixels are background, which neither adds to a score nor learns from it.
    let inked: Vec<(Vec<(u16, f32)>, u8)> = digits
        .iter()
        .map(|(image, label)| (ink(&image), label))
        .collect();
    let mut model = Model([[0.0; CLASSES]; PIXELS + 1]);
    for epoch in 0..EPOCHS {
        // Large steps first, small ones at the end.
        let rate = 0.02 * (1.0 - f32::from(epoch) / f32::from(EPOCHS));
        for (ink, label) in &inked {
            let mut step = probabilities(scores(&model, ink));
            step[usize::from(*label)] -= 1.0;
            for (pixel, value) in ink {
                let weights = &mut model.0[usize::from(*pixel)];
                for (weight, step) in weights.iter_mut().zip(step) {
                    *weight -= rate * step * value;
                }
            }
        }
    }
    model
}

/// The pixels that are not background, from 0 to 1, and the one for the bias.
fn ink(image: &Image) -> Vec<(u16, f32)> {
    let pixels = image.as_flattened().iter().chain([&u8::MAX]);
    (0..)
        .zip(pixels)
        .filter(|(_, value)| **value > 0)
        .map(|(pixel, value)| (pixel, Normalize::UNIT.apply(*value)))
        .collect()
}

fn scores(model: &Model, ink: &[(u16, f32)]) -> [f32; CLASSES] {
    let mut scores = [0.0; CLASSES];
    for (pixel, value) in ink {
        for (score, weight) in scores.iter_mut().zip(model.0[usize::from(*pixel)]) {
            *score += weight * value;
        }
    }
    scores
}

fn probabilities(scores: [f32; CLASSES]) -> [f32; CLASSES] {
    let greatest = scores.into_iter().fold(f32::MIN, f32::max);
    let exponentials = scores.map(|score| (score - greatest).exp());
    let sum: f32 = exponentials.iter().sum();
    exponentials.map(|exponential| exponential / sum)
}

/// The model in integers: pixels count 0 to 255, weights -127 to 127.
struct Classifier {
    weights: Vec<Weights>,
    bias: Vec<Bias>,
}

impl From<&Model> for Classifier {
    fn from(Model(weights): &Model) -> Self {
        let (pixels, bias) = (&weights[..PIXELS], &weights[PIXELS]);
        let greatest = pixels
            .as_flattened()
            .iter()
            .fold(0.0_f32, |greatest, weight| greatest.max(weight.abs()));
        let scale = 127.0 / greatest;
        Self {
            weights: (0..CLASSES)
                .map(|class| {
                    let mut picture = [[0; 28]; 28];
                    for (rounded, weights) in picture.as_flattened_mut().iter_mut().zip(pixels) {
                        *rounded = (weights[class] * scale).round() as i8;
                    }
                    Weights(picture)
                })
                .collect(),
            bias: bias
                .iter()
                .map(|bias| Bias((bias * scale * 255.0).round() as i32))
                .collect(),
        }
    }
}

impl Classifier {
    /// The class with the greatest score, and of equals the first.
    fn answer(&self, image: &Image) -> u8 {
        let mut best = (i32::MIN, 0);
        for (class, score) in (0..).zip(self.scores(image)) {
            if score > best.0 {
                best = (score, class);
            }
        }
        best.1
    }

    /// The score of each class. No sum leaves an `i32`: the products of a digit are at most
    /// 784 x 255 x 127 together, a hundredth of it.
    fn scores(&self, image: &Image) -> [i32; CLASSES] {
        std::array::from_fn(|class| {
            let weights = self.weights[class].0.as_flattened();
            let pairs = image.as_flattened().iter().zip(weights);
            let products = pairs.map(|(pixel, weight)| i32::from(*pixel) * i32::from(*weight));
            self.bias[class].0 + products.sum::<i32>()
        })
    }
}
