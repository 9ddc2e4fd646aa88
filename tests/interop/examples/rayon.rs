//! All records at once, on all cores.

use rayon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let images = idx_std::load::<u8>("../../idx-cli/sample/digits-images-idx3-ubyte")?;
    let ink = |image: &[u8]| image.iter().map(|pixel| u64::from(*pixel)).sum::<u64>();
    let darkest = images.par_chunks(28 * 28).map(ink).max();
    println!("the darkest of {} digits has {darkest:?}", images.shape()[0]);
    Ok(())
}
