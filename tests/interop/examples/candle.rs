//! A tensor of pixels from 0 to 1.

use candle_core::{Device, Tensor};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let images = idx_std::load::<u8>("../../idx-cli/sample/digits-images-idx3-ubyte")?;
    let pixels: Vec<f32> = images.iter().map(|pixel| f32::from(*pixel) / 255.0).collect();
    let images = Tensor::from_vec(pixels, images.shape(), &Device::Cpu)?;
    println!("{:?}, mean {}", images.shape(), images.mean_all()?);
    Ok(())
}
