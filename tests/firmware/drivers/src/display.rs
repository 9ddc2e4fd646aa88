//! A digit on a display: the pixels go from flash to the driver, without a copy in between.

use embedded_graphics::Drawable;
use embedded_graphics::draw_target::{DrawTarget, DrawTargetExt};
use embedded_graphics::image::{Image, ImageRaw};
use embedded_graphics::pixelcolor::{Gray8, PixelColor};
use embedded_graphics::prelude::Point;

use crate::Digit;

/// Draws a digit with its upper left corner at `corner`, in the colors of the display.
pub fn draw<D>(display: &mut D, digit: &Digit, corner: Point) -> Result<(), D::Error>
where
    D: DrawTarget<Color: PixelColor + From<Gray8>>,
{
    let picture = ImageRaw::<Gray8>::new(digit.0.as_flattened(), 28);
    Image::new(&picture, corner).draw(&mut display.color_converted())
}
