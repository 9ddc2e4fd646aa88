//! The options for pictures.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use idx_data::{Color, Fit, PictureOptions};

use crate::args::values::{brightness, shape};

/// The maximum number of pixels of a picture, unless larger records are allowed.
const MAX_PIXELS: u64 = 1 << 27;

/// The options for reading and changing pictures.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Pictures (in this order)")]
pub(crate) struct PictureArguments {
    /// Leave out bad pictures with their labels, and list them at the end
    ///
    /// Pictures that --fit mnist would spoil also count as bad.
    #[arg(long, hide_short_help = true)]
    skip_bad: bool,

    /// Brightness behind transparent pixels and of padding
    ///
    /// By default, 255 for pictures and 0 for other formats.
    #[arg(long, value_name = "0..255", value_parser = brightness, hide_short_help = true)]
    background: Option<u8>,

    /// gray or rgb
    ///
    /// By default gray for *idx3-ubyte, else as the first picture. gray weighs colors by BT.601.
    #[arg(long, value_name = "CHANNELS", value_parser = color_parser())]
    #[arg(hide_possible_values = true)]
    pub(crate) channels: Option<Color>,

    /// Resize to HEIGHT x WIDTH, such as 28x28
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) size: Option<[u32; 2]>,

    /// fill, contain, cover, none or mnist
    ///
    /// fill stretches, contain pads, cover crops, none keeps the scale. mnist makes digits like MNIST's.
    #[arg(long, value_name = "FIT", value_parser = fit_parser(), ignore_case = true)]
    #[arg(hide_possible_values = true)]
    pub(crate) fit: Option<Fit>,

    /// Make black white and white black
    ///
    /// MNIST is bright on black, and paper is not.
    #[arg(long)]
    pub(crate) invert: bool,

    /// Set values of at least N to 255, others to 0
    #[arg(long, value_name = "N", value_parser = brightness, hide_short_help = true)]
    threshold: Option<u8>,
}

impl PictureArguments {
    /// Returns the options. A larger record limit also allows more pixels.
    pub(crate) fn options(&self, record_limit: u64) -> PictureOptions {
        PictureOptions::new()
            .max_pixels(record_limit.max(MAX_PIXELS))
            .skip_bad(self.skip_bad)
            .background(self.background)
            .color(self.channels)
            .size(self.size)
            .fit(self.fit)
            .invert(self.invert)
            .threshold(self.threshold)
    }
}

fn fit_parser() -> impl TypedValueParser<Value = Fit> {
    let values = ["fill", "contain", "cover", "none", "mnist"];
    PossibleValuesParser::new(values).try_map(|name| name.to_lowercase().parse::<Fit>())
}

fn color_parser() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new([PossibleValue::new("gray").alias("grey"), "rgb".into()])
        .try_map(|name| name.parse::<Color>())
}

fn size(text: &str) -> Result<[u32; 2], &'static str> {
    let sizes = shape(text).ok().and_then(|sizes| sizes.try_into().ok());
    sizes.ok_or("write height and width as whole numbers with x between them, such as 28x28")
}
