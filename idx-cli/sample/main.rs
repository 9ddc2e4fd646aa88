//! Writes the built-in sample: `cargo run -p idx-cli --example sample`.

#![forbid(unsafe_code)]
#![expect(clippy::indexing_slicing, reason = "of tables that lie beside it")]

mod draw;

use std::path::Path;

use idx_std::{IdxRecord, RecordWriter};

#[derive(IdxRecord)]
struct Digit([[u8; draw::SIDE]; draw::SIDE]);

#[derive(IdxRecord)]
struct Label(#[idx(range = 0..=9)] u8);

fn main() -> Result<(), idx_std::Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    let mut images = RecordWriter::<Digit>::create(folder.join("digits-images-idx3-ubyte"))?;
    let mut labels = RecordWriter::<Label>::create(folder.join("digits-labels-idx1-ubyte"))?;
    for sample in draw::sample() {
        images.push(&Digit(sample.image))?;
        labels.push(&Label(sample.label))?;
    }
    images.finish()?;
    labels.finish()?;
    Ok(())
}
