//! Logistic regression of handwritten digits with linfa:
//!
//! `cargo run --release --manifest-path tests/learning/linfa/Cargo.toml -- FOLDER`
//!
//! The folder holds the four files of MNIST. The model trains on 10,000 of the training digits and is tested on all
//! test digits. An accuracy below 90 % is an error.
//!
//! linfa takes arrays of ndarray 0.16, but idx-std's feature is for ndarray 0.17, so this program passes the pixels as
//! a `Vec`, which becomes the array without a copy. They are `f64`: with `f32` the same solver may end with a model
//! that knows only one class.

#![forbid(unsafe_code)]

use std::error::Error;
use std::time::Instant;

use idx_data::dataset::Mnist;
use idx_data::dataset::mnist::Image;
use idx_data::{Labeled, Normalize};
use linfa::Dataset;
use linfa::prelude::*;
use linfa_logistic::MultiLogisticRegression;
use ndarray::{Array1, Array2, Ix1};

type Label = u8;
type Digits = Labeled<Image, Label>;

const PIXELS: usize = 28 * 28;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1);
    let folder = folder.ok_or("usage: learn-with-linfa FOLDER")?;
    let start = Instant::now();
    let mnist = Mnist::open(folder)?;
    let [learned] = mnist.training.shuffled(1).split([10_000])?;
    println!("read {} digits in {:.2} s", mnist.training.len() + mnist.test.len(), seconds(start));

    let start = Instant::now();
    let model = MultiLogisticRegression::default().max_iterations(50).fit(&dataset(&learned)?)?;
    println!("learned {} digits in {:.1} s", learned.len(), seconds(start));

    let answers = model.predict(&dataset(&mnist.test)?);
    let right = mnist.test.labels().zip(&answers).filter(|(label, answer)| label == *answer);
    let (right, all) = (right.count(), mnist.test.len());
    println!("right about {right} of {all} test digits");
    if right < all * 90 / 100 {
        return Err("these are fewer than 90 %".into());
    }
    Ok(())
}

/// A row of pixels from 0 to 1 for each digit, and its label.
fn dataset(digits: &Digits) -> Result<Dataset<f64, Label, Ix1>, Box<dyn Error>> {
    let pixels = digits.pixels(Normalize::UNIT)?.into_iter().map(f64::from).collect();
    let labels: Array1<Label> = digits.iter().map(|(_, label)| label).collect();
    Ok(Dataset::new(Array2::from_shape_vec((digits.len(), PIXELS), pixels)?, labels))
}

fn seconds(start: Instant) -> f32 {
    start.elapsed().as_secs_f32()
}
