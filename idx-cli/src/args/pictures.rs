use clap::Args;
use idx_data::{Color, Fit, PictureOptions};

use super::shape;

/// How pictures are read and changed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Pictures (sizes are HEIGHTxWIDTH; in this order)")]
pub(crate) struct PictureArguments {
    /// Leave out damaged pictures, and name them at the end
    #[arg(long)]
    pub(super) skip_bad: bool,

    /// The maximum number of pixels of a picture [default: 134217728]
    #[arg(long, value_name = "N")]
    pub(super) max_pixels: Option<u64>,

    /// The brightness behind transparent pixels and around padding [default: 255 in pictures, else 0]
    #[arg(long, value_name = "0..255")]
    pub(super) background: Option<u8>,

    /// grey (0.299 red + 0.587 green + 0.114 blue) or rgb [default: as the first; grey if OUT has idx3]
    #[arg(long, value_name = "CHANNELS")]
    pub(super) channels: Option<Color>,

    /// Cut out the middle
    #[arg(long, value_name = "SIZE", value_parser = size)]
    crop: Option<[u32; 2]>,

    /// Put a background around it
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) pad: Option<[u32; 2]>,

    /// Scale with a triangle filter, as Pillow's BILINEAR
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) size: Option<[u32; 2]>,

    /// How other ratios get that size: fill, contain or cover; or mnist, digits as in MNIST [default: fill]
    #[arg(long, value_name = "FIT")]
    pub(super) fit: Option<Fit>,

    /// Make dark bright and bright dark, as MNIST is bright on black
    #[arg(long)]
    invert: bool,

    /// Make values from N on 255, and others 0
    #[arg(long, value_name = "N")]
    threshold: Option<u8>,
}

impl PictureArguments {
    /// The options; `grey` unless the arguments specify it.
    pub(crate) fn options(&self, grey: bool) -> PictureOptions {
        let options = PictureOptions::new()
            .skip_damaged(self.skip_bad)
            .background(self.background)
            .color(self.channels.or(grey.then_some(Color::Gray)))
            .crop(self.crop)
            .pad(self.pad)
            .size(self.size)
            .fit(self.fit.unwrap_or_default())
            .invert(self.invert)
            .threshold(self.threshold);
        match self.max_pixels {
            Some(pixels) => options.max_pixels(pixels),
            None => options,
        }
    }
}

fn size(text: &str) -> Result<[u32; 2], &'static str> {
    let sizes = shape(text).ok().and_then(|sizes| sizes.try_into().ok());
    sizes.ok_or("write height and width as whole numbers with x between them, such as 28x28")
}
