//! A column of lists of pixels, without a copy of the pixels.

use std::sync::Arc;

use arrow_array::{Array, FixedSizeListArray, UInt8Array};
use arrow_schema::{DataType, Field};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let images = idx_std::load::<u8>("../../idx-cli/sample/digits-images-idx3-ubyte")?;
    let pixels = Arc::new(UInt8Array::from(images.into_vec()));
    let pixel = Arc::new(Field::new("pixel", DataType::UInt8, false));
    let images = FixedSizeListArray::try_new(pixel, 28 * 28, pixels, None)?;
    println!("{} records of {}", images.len(), images.data_type());
    Ok(())
}
