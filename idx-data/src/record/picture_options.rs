//! The options for reading and changing pictures.

use std::str::FromStr;

use crate::error::{Error, ErrorKind, Hint};

options! {
    /// The options for reading pictures, and for changing them, in the order of the methods. Records of other formats
    /// that are pictures are changed as well. Sizes are height and width.
    pub struct PictureOptions {
        /// The maximum number of pixels of a picture; the default is 2^27 (134 megapixels).
        max_pixels: u64 as u64 = 1_u64 << 27,
        /// Reads files of pictures in these colors, if [`color`](Self::color) is not set. Records of other formats keep
        /// theirs.
        color_of_files: Option<Color> as impl Into<Option<Color>> = None,
        /// Leaves out pictures that are damaged or of another kind, and records that cannot be changed as pictures,
        /// each with its label, and reports them as [`skipped`](crate::RecordSource::skipped), instead of failing.
        skip_bad: bool as bool = false,
        /// The brightness behind transparent pixels, and around pictures that are fitted into a larger size. The
        /// default is white, 255, for files of pictures, and 0 for records of other formats.
        background: Option<u8> as impl Into<Option<u8>> = None,
        /// The colors of all pictures; by default, those of the first.
        color: Option<Color> as impl Into<Option<Color>> = None,
        /// Scales the picture to this size. Each new pixel is the weighted mean of the pixels that it covers, with the
        /// triangle filter of Pillow's `BILINEAR`.
        size: Option<[u32; 2]> as impl Into<Option<[u32; 2]>> = None,
        /// The way to fit a picture of another aspect ratio; the default stretches it.
        fit: Option<Fit> as impl Into<Option<Fit>> = None,
        /// Inverts the brightness.
        invert: bool as bool = false,
        /// Makes pixels of at least this brightness 255, and all others 0.
        threshold: Option<u8> as impl Into<Option<u8>> = None,
    }
}

impl PictureOptions {
    /// Returns the names of the options that are not the default.
    pub(super) fn given(&self) -> impl Iterator<Item = &'static str> + use<> {
        let default = Self::default();
        given!(self, default, [skip_bad, background, color, size, fit, invert, threshold])
    }

    /// Returns the names of the options that change pictures, from files of pictures or from records of other formats.
    pub(crate) fn used(&self, are_files: bool) -> impl Iterator<Item = &'static str> + use<> {
        // Records are not transparent.
        let has_edges = self.size.is_some() && matches!(self.fit, Some(Fit::Contain | Fit::None));
        self.given().filter(move |name| *name != "background" || are_files || has_edges)
    }

    /// Returns whether the changes need pictures of 8 bits.
    pub(crate) fn need_bytes(&self) -> bool {
        let is_mnist = self.fit == Some(Fit::Mnist);
        let is_other = self.invert || self.threshold.is_some() || self.color == Some(Color::Rgb);
        is_mnist || is_other
    }

    /// Returns whether pictures become gray.
    pub(crate) fn are_gray(&self) -> bool {
        self.fit == Some(Fit::Mnist) || self.color == Some(Color::Gray)
    }

    /// Returns whether pictures are changed after they were read.
    pub(crate) fn change_pictures(&self) -> bool {
        self.given().any(|name| !matches!(name, "skip_bad" | "background"))
    }

    /// Checks that pictures of these sizes are possible and allowed.
    pub(crate) fn check(&self) -> Result<(), ErrorKind> {
        let pixels = self.size.map(|[height, width]| u64::from(height) * u64::from(width));
        let is_other = pixels.is_some() || self.color == Some(Color::Rgb) || self.invert;
        let message = match (self.fit, pixels) {
            (_, Some(0)) => "a picture has at least 1 row and 1 column; give a larger size",
            (Some(Fit::Mnist), _) if is_other => {
                "`mnist` makes gray pictures of 28 x 28, bright on black; leave out the size, the colors and the \
                 inversion"
            }
            (None | Some(Fit::Mnist), None) => return Ok(()),
            (_, Some(pixels)) => return self.check_pixels(pixels),
            (Some(_), None) => {
                let sentence = "pictures are fitted into a size; give that size";
                return Err(ErrorKind::mismatch(sentence).advising(Hint::PictureSize));
            }
        };
        Err(ErrorKind::mismatch(message))
    }

    /// Checks that a picture may have `pixels` pixels.
    pub(crate) fn check_pixels(&self, pixels: u64) -> Result<(), ErrorKind> {
        if pixels <= self.max_pixels {
            return Ok(());
        }
        let sentence = format!(
            "the picture has {pixels} pixels, and the limit is {}; make it smaller, or raise the limit",
            self.max_pixels
        );
        Err(ErrorKind::RecordLimitExceeded { sentence })
    }
}

/// The colors of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Color {
    /// Only the brightness, with the weights of ITU-R BT.601: 0.299 red, 0.587 green, 0.114 blue.
    Gray,
    /// Red, green and blue.
    Rgb,
}

impl FromStr for Color {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "gray" | "grey" => Ok(Self::Gray),
            "rgb" => Ok(Self::Rgb),
            _ => Err(unknown(name, "gray or rgb")),
        }
    }
}

/// Returns the error for a text that is not one of these names.
fn unknown(text: &str, names: &str) -> Error {
    ErrorKind::malformed(format!("`{text}` is not one of the names; write {names}")).into()
}

/// The way to fit a picture of another aspect ratio into a size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fit {
    /// Stretches the picture.
    #[default]
    Fill,
    /// Keeps the aspect ratio, and fills the rest with the background.
    Contain,
    /// Keeps the aspect ratio, and crops the excess equally on both sides.
    Cover,
    /// Does not scale: crops a larger picture, and pads a smaller one with the background, equally on both sides.
    None,
    /// Prepares a single letter or digit as MNIST's were: bright on black, its bounding box scaled into 20 x 20, and
    /// its center of mass in the middle of 28 x 28. The letter is everything that differs in brightness from the edge
    /// of the picture. Lines on the paper, something dark at the edge, spots, and strokes that become too dark to
    /// see without a [threshold](PictureOptions::threshold) are errors.
    Mnist,
}

impl FromStr for Fit {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "fill" => Ok(Self::Fill),
            "contain" => Ok(Self::Contain),
            "cover" => Ok(Self::Cover),
            "none" => Ok(Self::None),
            "mnist" => Ok(Self::Mnist),
            _ => Err(unknown(name, "fill, contain, cover, none or mnist")),
        }
    }
}
