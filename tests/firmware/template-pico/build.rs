//! Cuts the first ten digits, one of each class, out of MNIST, as plain files for flash.

use std::error::Error;
use std::path::PathBuf;
use std::{array, env};

use idx_std::{Reader, RecordWriter};

const IMAGES: &str = "data/train-images-idx3-ubyte.gz";
const LABELS: &str = "data/train-labels-idx1-ubyte.gz";

fn main() {
    for file in [IMAGES, LABELS, "memory.x"] {
        println!("cargo::rerun-if-changed={file}");
    }
    if let Err(error) = cut() {
        // The message of idx-std names the file and says what to do.
        println!("cargo::error={error}");
    }
}

fn cut() -> Result<(), Box<dyn Error>> {
    let images = Reader::open(IMAGES)?.records::<[[u8; 28]; 28]>()?;
    let labels = Reader::open(LABELS)?.records::<u8>()?;
    let mut digits = array::from_fn::<_, 10, _>(|_| None);
    for (image, label) in images.zip(labels) {
        let digit = digits.get_mut(usize::from(label?)).ok_or("not a digit")?;
        digit.get_or_insert(image?);
        if digits.iter().all(Option::is_some) {
            break;
        }
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut writer = RecordWriter::create(out.join("digits"))?;
    for digit in digits {
        writer.push(&digit.ok_or("a class has no digit")?)?;
    }
    writer.finish()?;
    Ok(())
}
