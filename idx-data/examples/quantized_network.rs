//! Trains a network of two layers that recognizes handwritten digits, quantizes it to bytes, and writes it as
//! IDX files, for a firmware without floating-point numbers (tests/firmware/src/bin/classify.rs):
//!
//! `IDX_DATA=folder cargo run --release -p idx-data --example quantized_network -- OUTPUT_FOLDER [IMAGES]`
//!
//! | file | records | |
//! | --- | --- | --- |
//! | `hidden` | 32 of 28 x 28 `i8` | the weights of the first layer, a picture for each hidden value |
//! | `hidden.scale` | 32 of 2 `f32` | scale and zero point of each picture |
//! | `hidden.bias` | 32 of `i32` | |
//! | `values.scale` | 1 of 2 `f32` | scale and zero point of the hidden values, which are `u8` |
//! | `output` | 10 of 32 `i8` | the weights of the second layer |
//! | `output.scale` | 1 of 2 `f32` | one scale for all, so that the scores can be compared |
//! | `output.bias` | 10 of `i32` | |
//! | `images` | 100 of 28 x 28 `u8` | the first test digits |
//! | `sums` | 100 of 32 `i32` | what the first layer finds, before it is rounded to a byte |
//! | `scores` | 100 of 10 `i32` | the score of each class; the greatest is the answer |
//!
//! The folder `IDX_DATA` holds `mnist/train-images-idx3-ubyte.gz` and so on. Without it, the training
//! digits are the first half of this project's sample, and the test digits the other half. IMAGES is a file with
//! other test digits, such as your own, and with its labels next to it.

#![forbid(unsafe_code)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "labels, pixels and classes are below the lengths; the casts are those of rounding"
)]

use std::array;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use idx_data::dataset::Mnist;
use idx_data::dataset::mnist::Image;
use idx_data::{IdxRecord, Labeled, Normalize, RecordWriter, open};

type Digits = Labeled<Image, u8>;

const PIXELS: usize = 28 * 28;
const HIDDEN: usize = 32;
const CLASSES: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = paths.next().filter(|folder| !folder.to_string_lossy().starts_with('-'));
    let folder = folder.ok_or("usage: quantized_network OUTPUT_FOLDER [IMAGES]")?;
    let [training, mut test] = read_digits()?;
    if let Some(images) = paths.next() {
        test = open(images)?.collect()?;
    }

    let start = Instant::now();
    let training: Vec<_> = inked(&training);
    let network = Network::train(&training);
    println!("trained on {} digits in {:.1} s", training.len(), start.elapsed().as_secs_f32());
    let right = inked(&test)
        .iter()
        .filter(|(ink, label)| greatest(&network.scores(&network.hidden(ink))) == *label)
        .count();
    println!("right about {right} in floating-point numbers");
    let quantized = Quantized::new(&network, &training);
    let right =
        test.iter().filter(|(image, label)| greatest(&quantized.scores(image)) == *label).count();
    println!("right about {right} of {} test digits", test.len());

    std::fs::create_dir_all(&folder)?;
    write(&folder.join("hidden"), &quantized.hidden.weights)?;
    write(&folder.join("hidden.scale"), &quantized.hidden.scales)?;
    write(&folder.join("hidden.bias"), &quantized.hidden.bias)?;
    write(&folder.join("values.scale"), &[quantized.values])?;
    write(&folder.join("output"), &quantized.output.weights)?;
    write(&folder.join("output.scale"), &quantized.output.scales[..1])?;
    write(&folder.join("output.bias"), &quantized.output.bias)?;
    let images: Vec<Image> = test.iter().take(100).map(|(image, _)| image).collect();
    write(&folder.join("images"), &images)?;
    let sums: Vec<_> = images.iter().map(|image| quantized.hidden.sums(&pixels(image))).collect();
    write(&folder.join("sums"), &sums)?;
    let scores: Vec<_> = images.iter().map(|image| quantized.scores(image)).collect();
    write(&folder.join("scores"), &scores)?;
    Ok(())
}

/// The digits to train with, and those to test with.
fn read_digits() -> Result<[Digits; 2], idx_data::Error> {
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

fn write<T: IdxRecord>(path: &Path, records: &[T]) -> Result<(), idx_data::Error> {
    let mut writer = RecordWriter::create(path)?;
    writer.push_all(records)?;
    writer.finish()?;
    Ok(())
}

/// The class with the greatest score, or the first of several.
fn greatest<T: PartialOrd>(scores: &[T; CLASSES]) -> u8 {
    let mut best = 0;
    for (class, score) in scores.iter().enumerate() {
        if *score > scores[best] {
            best = class;
        }
    }
    best as u8
}

/// The pixels of a digit that are not background, from 0 to 1. Four in five are background, which adds nothing to a
/// sum and learns nothing from it.
type Ink = Vec<(u16, f32)>;

fn inked(digits: &Digits) -> Vec<(Ink, u8)> {
    let ink = |image: Image| {
        (0..)
            .zip(image.as_flattened())
            .filter(|(_, value)| **value > 0)
            .map(|(pixel, value)| (pixel, Normalize::UNIT.apply(*value)))
            .collect()
    };
    digits.iter().map(|(image, label)| (ink(image), label)).collect()
}

/// The learned weights. The last one of each layer belongs to a value that is always 1: it is the bias.
struct Network {
    hidden: [[f32; HIDDEN]; PIXELS + 1],
    output: [[f32; CLASSES]; HIDDEN + 1],
}

impl Network {
    /// Stochastic gradient descent, one digit at a time in the order of the files, so that each run gives the
    /// same result.
    fn train(digits: &[(Ink, u8)]) -> Self {
        const EPOCHS: u16 = 12;
        let mut network = Self::new();
        for epoch in 0..EPOCHS {
            // Large steps first, small ones at the end.
            let rate = 0.015 * (1.0 - f32::from(epoch) / f32::from(EPOCHS));
            for (ink, label) in digits {
                network.step(ink, *label, rate);
            }
        }
        network
    }

    /// Small weights, different for each hidden value.
    fn new() -> Self {
        let mut state = 1_u32;
        let mut random = |range: f32| {
            // The constants of "Numerical Recipes".
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            range * (state as f32 / u32::MAX as f32 - 0.5)
        };
        Self {
            hidden: array::from_fn(|_| array::from_fn(|_| random(0.2))),
            output: array::from_fn(|_| array::from_fn(|_| random(0.6))),
        }
    }

    fn hidden(&self, ink: &Ink) -> [f32; HIDDEN] {
        let mut sums = self.hidden[PIXELS];
        for (pixel, value) in ink {
            for (sum, weight) in sums.iter_mut().zip(&self.hidden[usize::from(*pixel)]) {
                *sum += weight * value;
            }
        }
        sums.map(|sum| sum.max(0.0))
    }

    fn scores(&self, hidden: &[f32; HIDDEN]) -> [f32; CLASSES] {
        let mut scores = self.output[HIDDEN];
        for (value, weights) in hidden.iter().zip(&self.output) {
            for (score, weight) in scores.iter_mut().zip(weights) {
                *score += weight * value;
            }
        }
        scores
    }

    /// Goes a step towards the label, changing each weight by its part in the distance from it.
    fn step(&mut self, ink: &Ink, label: u8, rate: f32) {
        let hidden = self.hidden(ink);
        let mut distance = probabilities(self.scores(&hidden));
        distance[usize::from(label)] -= 1.0;

        let mut hidden_distance = [0.0; HIDDEN];
        let values = hidden.iter().chain([&1.0]).enumerate();
        for ((index, value), weights) in values.zip(&mut self.output) {
            let mut sum = 0.0;
            for (weight, distance) in weights.iter_mut().zip(distance) {
                sum += *weight * distance;
                *weight -= rate * distance * value;
            }
            if index < HIDDEN && *value > 0.0 {
                hidden_distance[index] = sum;
            }
        }
        for (pixel, value) in ink.iter().chain([&(PIXELS as u16, 1.0)]) {
            let weights = &mut self.hidden[usize::from(*pixel)];
            for (weight, distance) in weights.iter_mut().zip(hidden_distance) {
                *weight -= rate * distance * value;
            }
        }
    }
}

fn probabilities(scores: [f32; CLASSES]) -> [f32; CLASSES] {
    let greatest = scores.into_iter().fold(f32::MIN, f32::max);
    let exponentials = scores.map(|score| (score - greatest).exp());
    let sum: f32 = exponentials.iter().sum();
    exponentials.map(|exponential| exponential / sum)
}

/// The numbers that the bytes of a tensor stand for: `scale * (byte - zero_point)`.
#[derive(IdxRecord, Clone, Copy)]
struct Quantization {
    scale: f32,
    zero_point: f32,
}

impl Quantization {
    /// The scale and zero point of these weights as `i8`; 0 is one of the values.
    fn of(weights: &[f32]) -> Self {
        let least = weights.iter().copied().fold(0.0, f32::min);
        let greatest = weights.iter().copied().fold(0.0, f32::max);
        let scale = ((greatest - least) / 255.0).max(f32::MIN_POSITIVE);
        Self { scale, zero_point: (-128.0 - least / scale).round() }
    }

    fn byte(self, weight: f32) -> i8 {
        (weight / self.scale + self.zero_point).round() as i8
    }
}

fn pixels(image: &Image) -> [u8; PIXELS] {
    array::from_fn(|pixel| image.as_flattened()[pixel])
}

/// The network in integers: pixels and hidden values are `u8` with a zero point of 0.
struct Quantized {
    hidden: Layer<PIXELS, HIDDEN>,
    values: Quantization,
    output: Layer<HIDDEN, CLASSES>,
}

struct Layer<const INPUTS: usize, const OUTPUTS: usize> {
    weights: [[i8; INPUTS]; OUTPUTS],
    scales: [Quantization; OUTPUTS],
    /// In the unit of the sums: the unit of an input times that of the weights.
    bias: [i32; OUTPUTS],
}

/// A pixel of 255 is 1.
const PIXEL_SCALE: f32 = 1.0 / 255.0;

impl Quantized {
    fn new(network: &Network, digits: &[(Ink, u8)]) -> Self {
        let greatest = digits
            .iter()
            .flat_map(|(ink, _)| network.hidden(ink))
            .fold(f32::MIN_POSITIVE, f32::max);
        let values = Quantization { scale: greatest / 255.0, zero_point: 0.0 };
        let hidden_scales = array::from_fn(|index| {
            let weights: Vec<f32> =
                network.hidden[..PIXELS].iter().map(|weights| weights[index]).collect();
            Quantization::of(&weights)
        });
        let output_scale = Quantization::of(network.output[..HIDDEN].as_flattened());
        Self {
            hidden: Layer::new(&network.hidden, hidden_scales, PIXEL_SCALE),
            values,
            output: Layer::new(&network.output, [output_scale; CLASSES], values.scale),
        }
    }

    fn scores(&self, image: &Image) -> [i32; CLASSES] {
        let sums = self.hidden.sums(&pixels(image));
        let values = array::from_fn(|index| {
            let factor = PIXEL_SCALE * self.hidden.scales[index].scale / self.values.scale;
            // In units of 2^-32, so that it takes a product and a shift, and no floating-point numbers.
            let factor = (factor * 4_294_967_296.0 + 0.5) as i64;
            ((i64::from(sums[index]) * factor + (1 << 31)) >> 32).clamp(0, 255) as u8
        });
        self.output.sums(&values)
    }
}

impl<const INPUTS: usize, const OUTPUTS: usize> Layer<INPUTS, OUTPUTS> {
    fn new(weights: &[[f32; OUTPUTS]], scales: [Quantization; OUTPUTS], input_scale: f32) -> Self {
        Self {
            weights: array::from_fn(|output| {
                array::from_fn(|input| scales[output].byte(weights[input][output]))
            }),
            scales,
            bias: array::from_fn(|output| {
                (weights[INPUTS][output] / (input_scale * scales[output].scale)).round() as i32
            }),
        }
    }

    /// No sum leaves an `i32`: 784 x 255 x 255 is a fortieth of it.
    fn sums(&self, inputs: &[u8; INPUTS]) -> [i32; OUTPUTS] {
        let total: i32 = inputs.iter().copied().map(i32::from).sum();
        array::from_fn(|output| {
            let pairs = inputs.iter().zip(&self.weights[output]);
            let products = pairs.map(|(input, weight)| i32::from(*input) * i32::from(*weight));
            let zero_point = self.scales[output].zero_point as i32;
            products.sum::<i32>() - zero_point * total + self.bias[output]
        })
    }
}
