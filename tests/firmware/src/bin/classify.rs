//! A classifier of handwritten digits: integers only, nothing in RAM, every table in flash checked by
//! the compiler. idx-std's example `linear_classifier` trains it; both must find the same scores.

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
/// The score of each class for each image, as the host found it: with the answers alone, most wrong
/// weights would not be noticed.
static SCORES: Records<[be::I32; 10]> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/scores")));

// What the files have to do with each other is checked by the compiler, too.
const _: () = assert!(WEIGHTS.len() == 10 && BIAS.len() == 10);
const _: () = assert!(IMAGES.len() == 100 && SCORES.len() == 100);

firmware::program!(run);

fn run() -> Outcome {
    for (digit, expected) in IMAGES.as_slice().iter().zip(SCORES.as_slice()) {
        for (score, expected) in scores(digit).zip(expected) {
            ensure(score == expected.get(), "a score differs from the host's")?;
        }
    }
    print!("the scores of {} digits are the host's\n", SCORES.len());
    Ok(())
}

/// The score of each class. No sum leaves an `i32`: the products of a digit are at most
/// 784 x 255 x 127 together, a hundredth of it.
fn scores(digit: &Digit) -> impl Iterator<Item = i32> {
    let classes = WEIGHTS.as_slice().iter().zip(BIAS.as_slice());
    classes.map(|(weights, bias)| {
        let pixels = digit.0.as_flattened().iter();
        let products = pixels
            .zip(weights.0.as_flattened())
            .map(|(pixel, weight)| i32::from(*pixel) * i32::from(*weight));
        bias.get() + products.sum::<i32>()
    })
}
