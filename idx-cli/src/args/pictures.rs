use clap::Args;
use idx_data::{Color, Fit, PictureOptions};

use super::shape;

/// How pictures are read and changed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Pictures (in this order; SIZE is HEIGHTxWIDTH)")]
pub(crate) struct PictureArguments {
    /// Skip damaged pictures, and list them at the end
    ///
    /// Labels of another file are refused, because they would go to the wrong pictures.
    #[arg(long, hide_short_help = true)]
    pub(super) skip_bad: bool,

    /// Reject pictures with more pixels [default: 134217728]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(super) max_pixels: Option<u64>,

    /// Brightness behind transparent pixels and around padding
    ///
    /// By default 255 in pictures, else 0.
    #[arg(long, value_name = "0..255", hide_short_help = true)]
    pub(super) background: Option<u8>,

    /// gray or rgb
    ///
    /// gray is 0.299 red + 0.587 green + 0.114 blue. By default pictures are like the first one, or gray if the name of
    /// OUT has idx3.
    #[arg(long, value_name = "CHANNELS")]
    pub(super) channels: Option<Color>,

    /// Crop to the center
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    crop: Option<[u32; 2]>,

    /// Pad to this size
    #[arg(long, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    pub(super) pad: Option<[u32; 2]>,

    /// Resize, such as to 28x28
    ///
    /// The filter is Pillow's BILINEAR.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) size: Option<[u32; 2]>,

    /// fill, contain, cover or mnist
    ///
    /// fill (stretch, the default), contain (pad) and cover (crop) are for pictures of another aspect ratio; mnist
    /// centers digits like MNIST.
    #[arg(long, value_name = "FIT")]
    pub(super) fit: Option<Fit>,

    /// Invert the brightness
    ///
    /// MNIST is white on black.
    #[arg(long)]
    invert: bool,

    /// Set values from N on to 255, others to 0
    #[arg(long, value_name = "N", hide_short_help = true)]
    threshold: Option<u8>,
}

impl PictureArguments {
    /// The options; gray pictures unless the arguments specify it.
    pub(crate) fn options(&self, gray: bool) -> PictureOptions {
        let options = PictureOptions::new()
            .skip_damaged(self.skip_bad)
            .background(self.background)
            .color(self.channels.or(gray.then_some(Color::Gray)))
            .crop(self.crop)
            .pad(self.pad)
            .size(self.size)
            .fit(self.fit)
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
