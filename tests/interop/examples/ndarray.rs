//! The mean of each column of pixels.

use ndarray::Axis;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = idx_std::open("../../idx-cli/sample/digits-images-idx3-ubyte")?;
    let images = file.to_ndarray::<u8>()?.mapv(f32::from);
    println!("{:?}", images.mean_axis(Axis(0)).map(|mean| mean.sum_axis(Axis(0))));
    Ok(())
}
