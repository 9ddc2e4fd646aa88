//! A classifier of handwritten digits: integers only, nothing in RAM, every table in flash checked by
//! the compiler. idx-std's example `linear_classifier` trains it; both must answer the same.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use firmware::{Outcome, ensure, print};
use idx_core::{IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

/// The weights of one class, of the same shape as a digit.
#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Weights([[i8; 28]; 28]);

static WEIGHTS: Records<Weights> =
    Records::from_static(include_bytes!(concat!(env!("CLASSIFIER"), "/weights")));
static BIAS: Records<be::I32> =
    Records::from_static(include_bytes!(concat!(env!("CLASSIFIER"), "/bias")));
static IMAGES: Records<Digit> =
    Records::from_static(include_bytes!(concat!(env!("CLASSIFIER"), "/images")));
/// What the host takes the images for.
static ANSWERS: Records<u8> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/answers")));

// What the files have to do with each other is checked by the compiler, too.
const _: () = assert!(WEIGHTS.len() == 10 && BIAS.len() == 10);
const _: () = assert!(IMAGES.len() == 100 && ANSWERS.len() == 100);

firmware::program!(run);

fn run() -> Outcome {
    for (digit, answer) in IMAGES.as_slice().iter().zip(ANSWERS) {
        ensure(classify(digit) == answer, "an answer is not the host's")?;
    }
    print!("{} answers are the host's\n", ANSWERS.len());
    Ok(())
}

/// The class with the greatest score, and of equals the first. No sum leaves an `i32`: the products
/// of a digit are at most 784 x 255 x 127 together, a hundredth of it.
fn classify(digit: &Digit) -> u8 {
    let mut best = (i32::MIN, 0);
    for (class, (weights, bias)) in (0..).zip(WEIGHTS.as_slice().iter().zip(BIAS.as_slice())) {
        let pixels = digit.0.as_flattened().iter();
        let products = pixels
            .zip(weights.0.as_flattened())
            .map(|(pixel, weight)| i32::from(*pixel) * i32::from(*weight));
        let score = bias.get() + products.sum::<i32>();
        if score > best.0 {
            best = (score, class);
        }
    }
    best.1
}
