//! Takes an epoch from the loader of burn, 128 digits at a time, for each line of standard input, which is a folder
//! with MNIST; answers with the nanoseconds. For the benchmark `tests/bench/processes training`.

#![forbid(unsafe_code)]

use std::error::Error;
use std::hint::black_box;
use std::io;
use std::time::Instant;

use burn::data::dataloader::DataLoaderBuilder;
use burn::tensor::Device;
use idx_data::Normalize;
use idx_data::dataset::Mnist;
use learn_with_burn::data::{Digits, Normalized};

fn main() -> Result<(), Box<dyn Error>> {
    for folder in io::stdin().lines() {
        let digits = Digits(Mnist::open(folder?)?.training);
        let loader = DataLoaderBuilder::new(Normalized(Normalize::UNIT))
            .batch_size(128)
            .shuffle(7)
            .set_device(Device::flex())
            .build(digits);
        let start = Instant::now();
        for batch in loader.iter() {
            black_box(batch?);
        }
        println!("{}", start.elapsed().as_nanos());
    }
    Ok(())
}
