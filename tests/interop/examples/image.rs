//! A record as a picture that can be turned, scaled and saved.

use image::GrayImage;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = idx_std::open("../../idx-cli/sample/digits-images-idx3-ubyte")?;
    let digit = file.as_idx().record_bytes(3).ok_or("no record 3")?.to_vec();
    let digit = GrayImage::from_raw(28, 28, digit).ok_or("not 28 x 28")?;
    image::imageops::rotate90(&digit).save(std::env::temp_dir().join("three.png"))?;
    Ok(())
}
