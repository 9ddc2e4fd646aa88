//! Takes all batches of an epoch, for the script `processes`: for each line of standard input, `pixels_into` or
//! `prepared_batches`, a tab and a folder with MNIST, it answers with the nanoseconds.
//!
//! This is not a part of `job`, because `job`'s memory is measured, including its code.

use std::hint::black_box;
use std::io;
use std::time::Instant;

use idx_bench::data::Digit;
use idx_data::dataset::Mnist;
use idx_data::{Error, Labeled, Normalize};

/// The number of digits in a batch, as in the other loaders.
const BATCH_SIZE: usize = 128;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lines() {
        let line = line?;
        let (name, folder) = line.split_once('\t').ok_or("NAME, a tab and FOLDER")?;
        let epoch = match name {
            "pixels_into" => pixels_into,
            "prepared_batches" => prepared_batches,
            _ => return Err(line.into()),
        };
        let set = Mnist::open(folder)?.training.shuffled(7);
        let start = Instant::now();
        epoch(&set)?;
        println!("{}", start.elapsed().as_nanos());
    }
    Ok(())
}

/// Takes the batches in one buffer.
fn pixels_into(set: &Labeled<Digit, u8>) -> Result<(), Error> {
    let mut pixels = Vec::new();
    for batch in set.batches(BATCH_SIZE) {
        batch.pixels_into(Normalize::UNIT, &mut pixels)?;
        black_box(&pixels);
    }
    Ok(())
}

/// Takes each batch from another thread, which prepares it while the one before is used.
fn prepared_batches(set: &Labeled<Digit, u8>) -> Result<(), Error> {
    let prepare = |batch: Labeled<_, _>| batch.pixels(Normalize::UNIT);
    for pixels in set.prepared_batches(BATCH_SIZE, prepare)? {
        black_box(pixels?);
    }
    Ok(())
}
