//! Labels and ink of each digit as a data frame.

use polars::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let images = idx_std::load::<u8>("../../idx-cli/sample/digits-images-idx3-ubyte")?;
    let labels = idx_std::load::<u8>("../../idx-cli/sample/digits-labels-idx1-ubyte")?;
    let ink = images.chunks(28 * 28).map(|image| image.iter().map(|pixel| u32::from(*pixel)).sum());
    let labels = labels.iter().map(|label| u32::from(*label));
    println!(
        "{}",
        df!("label" => labels.collect::<Vec<u32>>(), "ink" => ink.collect::<Vec<u32>>())?
    );
    Ok(())
}
