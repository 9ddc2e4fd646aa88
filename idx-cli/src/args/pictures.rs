use clap::{Args, ValueEnum};
use idx_std::formats::{Color, Fit, PictureOptions};

/// How pictures are read and changed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Pictures (sizes are HEIGHTxWIDTH; in this order)")]
pub(crate) struct PictureArguments {
    /// Leave out damaged pictures, and name them at the end
    #[arg(long)]
    skip_bad: bool,

    /// The maximum number of pixels of a picture [default: 134217728]
    #[arg(long, value_name = "N")]
    max_pixels: Option<u64>,

    /// The brightness behind transparent pixels and around padding [default: 255 in pictures, else 0]
    #[arg(long, value_name = "0..255")]
    background: Option<u8>,

    /// grey or rgb [default: as the first picture; grey for a folder to a name with idx3]
    #[arg(long, value_name = "CHANNELS")]
    channels: Option<Channels>,

    /// Cut out the middle
    #[arg(long, value_name = "SIZE", value_parser = size)]
    crop: Option<[u32; 2]>,

    /// Put a background around it
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pad: Option<[u32; 2]>,

    /// Scale with a triangle filter, as Pillow's BILINEAR
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<[u32; 2]>,

    /// How another aspect ratio gets that size, or to make digits as those of MNIST
    #[arg(long, value_name = "FIT")]
    fit: Option<FitName>,

    /// Make dark bright and bright dark, as MNIST is bright on black
    #[arg(long)]
    invert: bool,

    /// Make values from N on 255, and others 0
    #[arg(long, value_name = "N")]
    threshold: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Channels {
    /// Brightness: 0.299 red + 0.587 green + 0.114 blue
    Grey,
    /// Red, green and blue
    Rgb,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FitName {
    /// Stretch it (the default)
    Fill,
    /// Keep the ratio, with background where it is too narrow
    Contain,
    /// Keep the ratio, and cut off what is too wide
    Cover,
    /// A digit's ink into 20x20, its center of mass into the middle of 28x28
    Mnist,
}

impl PictureArguments {
    /// The options; `grey` unless the arguments say something else.
    pub(crate) fn options(&self, grey: bool) -> PictureOptions {
        let default = PictureOptions::default();
        let color = match self.channels {
            Some(Channels::Rgb) => Some(Color::Rgb),
            Some(Channels::Grey) => Some(Color::Grey),
            None => grey.then_some(Color::Grey),
        };
        PictureOptions {
            max_pixels: self.max_pixels.unwrap_or(default.max_pixels),
            skip_damaged: self.skip_bad,
            background: self.background,
            color,
            crop: self.crop,
            pad: self.pad,
            size: self.size,
            fit: match self.fit {
                None | Some(FitName::Fill) => Fit::Fill,
                Some(FitName::Contain) => Fit::Contain,
                Some(FitName::Cover) => Fit::Cover,
                Some(FitName::Mnist) => Fit::Mnist,
            },
            invert: self.invert,
            threshold: self.threshold,
        }
    }
}

fn size(text: &str) -> Result<[u32; 2], &'static str> {
    let (height, width) = text.split_once('x').unwrap_or((text, ""));
    match (height.trim().parse(), width.trim().parse()) {
        (Ok(height), Ok(width)) => Ok([height, width]),
        _ => Err("write height and width as whole numbers with x between them, such as 28x28"),
    }
}
