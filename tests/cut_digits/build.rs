//! An example of a build script that cuts data for flash out of a gzip file: ten pictures of each
//! digit of MNIST's training set, with their labels, and writes the Rust for them.
//!
//! `IDX_DATA` names the folder of the set. Without it the script uses the sample of this repository,
//! and compresses it first, so that both take the same path.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use idx_data::{IdxRecord, Reader, RecordReader, RecordWriter, rust_source};

// Arrays are records, too.
type Digit = [[u8; 28]; 28];
type Label = u8;

const OF_EACH: usize = 10;

fn main() {
    if let Err(error) = run() {
        // The message of idx-std names the file and says what to do.
        println!("cargo::error={error}");
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not set OUT_DIR")?);
    let (images, labels) = training_set(&out)?;
    // Plain files, as firmware does not decompress; `static` items include them with `include_bytes!`.
    let cut_images = out.join("digits-idx3-ubyte");
    let cut_labels = out.join("labels-idx1-ubyte");
    cut(
        Reader::open(images)?.records()?,
        Reader::open(labels)?.records()?,
        RecordWriter::create(&cut_images)?,
        RecordWriter::create(&cut_labels)?,
    )?;
    let source = format!("{}{}", rust_source(&cut_images, ".")?, rust_source(&cut_labels, ".")?);
    Ok(fs::write(out.join("data.rs"), source)?)
}

/// Copies the first ten digits of each class, and reads no further than the last of them.
fn cut(
    images: RecordReader<Digit>,
    labels: RecordReader<Label>,
    mut cut_images: RecordWriter<Digit>,
    mut cut_labels: RecordWriter<Label>,
) -> Result<(), Box<dyn Error>> {
    let mut missing = [OF_EACH; 10];
    for (image, label) in images.zip(labels) {
        let (image, label) = (image?, label?);
        let missing_of_class = missing
            .get_mut(usize::from(label))
            .ok_or_else(|| format!("{label} is not a digit; use the labels of MNIST"))?;
        if *missing_of_class > 0 {
            *missing_of_class -= 1;
            cut_images.push(&image)?;
            cut_labels.push(&label)?;
        }
        if missing == [0; 10] {
            cut_images.finish()?;
            cut_labels.finish()?;
            return Ok(());
        }
    }
    Err(format!("too few digits: of the classes 0 to 9, {missing:?} are missing").into())
}

/// Returns the paths of the images and the labels.
fn training_set(out: &Path) -> Result<(PathBuf, PathBuf), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=IDX_DATA");
    if let Some(folder) = env::var_os("IDX_DATA") {
        let folder = Path::new(&folder).join("mnist");
        let images = watched(folder.join("train-images-idx3-ubyte.gz"));
        let labels = watched(folder.join("train-labels-idx1-ubyte.gz"));
        return Ok((images, labels));
    }
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../idx-cli/sample");
    let images = watched(sample.join("digits-images-idx3-ubyte"));
    let labels = watched(sample.join("digits-labels-idx1-ubyte"));
    Ok((
        gzip::<Digit>(&images, out.join("sample-images-idx3-ubyte.gz"))?,
        gzip::<Label>(&labels, out.join("sample-labels-idx1-ubyte.gz"))?,
    ))
}

/// Tells cargo to run this script again when the file changes.
fn watched(path: PathBuf) -> PathBuf {
    println!("cargo::rerun-if-changed={}", path.display());
    path
}

fn gzip<T: IdxRecord>(from: &Path, to: PathBuf) -> Result<PathBuf, idx_data::Error> {
    let mut writer = RecordWriter::<T>::create(&to)?; // gzip by its name
    for record in Reader::open(from)?.records::<T>()? {
        writer.push(&record?)?;
    }
    writer.finish()?;
    Ok(to)
}
