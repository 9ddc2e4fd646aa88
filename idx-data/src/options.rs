use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use idx_std::ElementType;

use super::class_names::ClassNames;
#[cfg(feature = "pictures")]
use super::error::{ErrorKind, Setting};

/// Options for reading: what the input does not say itself, or overrides for it. The default reads no labels.
///
/// ```
/// use idx_data::{Labels, SourceOptions};
///
/// let options = SourceOptions { labels: Labels::Marked, ..SourceOptions::default() };
/// ```
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// The element type of csv; the default is u8.
    pub element_type: ElementType,
    /// The sizes of a record.
    pub shape: Option<Vec<u32>>,
    /// Whether the first line of csv names the columns.
    pub header: bool,
    /// Which labels to read.
    pub labels: Labels,
    /// How to read pictures, and how to change records that are pictures.
    pub pictures: PictureOptions,
    /// The column of the labels in csv, counted from 0; the default is the column with such a name, or the
    /// first.
    pub label_column: Option<usize>,
    /// The maximum number of bytes of a record, of which a few are in memory at a time, and of a line of csv;
    /// the default is 64 MiB. An array of NumPy in Fortran order is in memory as a whole, and counts as one
    /// record unless it is a plain file of that size.
    pub record_limit: u64,
    /// The maximum number of threads that decode pictures or Parquet, or parse csv; the default is one for each
    /// core. The records do not depend on it.
    pub threads: Option<NonZeroUsize>,
}

/// The default of [`SourceOptions::record_limit`].
pub const RECORD_LIMIT: u64 = 64 << 20;

impl Default for SourceOptions {
    fn default() -> Self {
        Self {
            element_type: ElementType::U8,
            shape: None,
            header: false,
            labels: Labels::default(),
            pictures: PictureOptions::default(),
            label_column: None,
            record_limit: RECORD_LIMIT,
            threads: None,
        }
    }
}

/// How to read pictures, and how to change them, in the order of the fields. Records of other formats that
/// are pictures are changed as well. Sizes are height and width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureOptions {
    /// The maximum number of pixels of a picture; the default is 2^27 (134 megapixels).
    pub max_pixels: u64,
    /// Leaves out pictures that are damaged or of another kind, and reports them as
    /// [`skipped`](super::RecordSource::skipped), instead of failing.
    pub skip_damaged: bool,
    /// The brightness behind transparent pixels, and around pictures that are padded. The default is white,
    /// 255, for files of pictures, and 0 for records of other formats.
    pub background: Option<u8>,
    /// Whether to read colors; the default is as the first picture.
    pub color: Option<Color>,
    /// Cuts out the middle of this size.
    pub crop: Option<[u32; 2]>,
    /// Puts the picture into the middle of one of this size.
    pub pad: Option<[u32; 2]>,
    /// Scales the picture to this size. Each new pixel is the weighted mean of those that it covers: the
    /// filter is a triangle, as that of Pillow's `BILINEAR`.
    pub size: Option<[u32; 2]>,
    /// How to fit a picture of another aspect ratio.
    pub fit: Fit,
    /// Inverts the brightness.
    pub invert: bool,
    /// Makes pixels of at least this brightness 255, and all others 0.
    pub threshold: Option<u8>,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            max_pixels: 1 << 27,
            skip_damaged: false,
            background: None,
            color: None,
            crop: None,
            pad: None,
            size: None,
            fit: Fit::default(),
            invert: false,
            threshold: None,
        }
    }
}

impl PictureOptions {
    /// Whether pictures are changed after they were read.
    pub(super) fn change_pictures(&self) -> bool {
        let read = Self {
            max_pixels: self.max_pixels,
            skip_damaged: self.skip_damaged,
            background: self.background,
            ..Self::default()
        };
        *self != read
    }

    /// Checks that pictures of these sizes are possible and allowed.
    #[cfg(feature = "pictures")]
    pub(super) fn check(&self) -> Result<(), ErrorKind> {
        for [height, width] in [self.crop, self.pad, self.size].into_iter().flatten() {
            let pixels = u64::from(height) * u64::from(width);
            if pixels == 0 {
                let message = "a picture has at least 1 row and 1 column; give a larger size";
                return Err(ErrorKind::mismatch(message));
            }
            self.check_pixels(pixels)?;
        }
        if matches!(self.fit, Fit::Contain | Fit::Cover) && self.size.is_none() {
            let message = "`contain` and `cover` fit pictures into a size; give that size, too";
            return Err(ErrorKind::mismatch(message));
        }
        Ok(())
    }

    /// Checks that a picture may have this many pixels.
    #[cfg(feature = "pictures")]
    pub(super) fn check_pixels(&self, pixels: u64) -> Result<(), ErrorKind> {
        if pixels <= self.max_pixels {
            return Ok(());
        }
        let message = format!(
            "the picture has {pixels} pixels, and the limit is {}; make it smaller",
            self.max_pixels
        );
        Err(ErrorKind::unsupported(message).advise(Setting::MaxPixels))
    }
}

/// The colors of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// The brightness alone, with the weights of ITU-R BT.601: 0.299 red, 0.587 green, 0.114 blue.
    Grey,
    /// Red, green and blue.
    Rgb,
}

impl FromStr for Color {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "grey" => Ok(Self::Grey),
            "rgb" => Ok(Self::Rgb),
            _ => Err("write grey or rgb"),
        }
    }
}

/// How a picture of another aspect ratio gets its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fit {
    /// Stretches the picture.
    #[default]
    Fill,
    /// Keeps the aspect ratio, and fills the rest with the background.
    Contain,
    /// Keeps the aspect ratio, and crops the excess equally on both sides.
    Cover,
    /// Prepares a single letter or digit as MNIST's were: bright on black, its bounding box scaled into 20 x 20, and
    /// its center of mass in the middle of 28 x 28. The letter is whatever differs in brightness from the edge of the
    /// picture.
    Mnist,
}

impl FromStr for Fit {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "fill" => Ok(Self::Fill),
            "contain" => Ok(Self::Contain),
            "cover" => Ok(Self::Cover),
            "mnist" => Ok(Self::Mnist),
            _ => Err("write fill, contain, cover or mnist"),
        }
    }
}

/// Which labels of an input to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// No labels.
    #[default]
    Ignored,
    /// Labels that the input marks as such: a column named `label`, `class`, `target` or `y`, a file
    /// `labels.csv`, folders named by numbers.
    Marked,
    /// The same, or else the first column of csv.
    Expected,
    /// Of csv the same, and no other column: the records have no elements. Of other formats no labels.
    Alone,
}

#[cfg(any(feature = "parquet", feature = "pictures"))]
impl Labels {
    /// Whether records have the labels that their input marks as such.
    pub(super) fn come_with_records(self) -> bool {
        matches!(self, Self::Marked | Self::Expected)
    }
}

/// How to change records between reading and writing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TransformOptions {
    /// The element type of the results; the default is that of the source, and `f32` for numbers that are scaled
    /// or normalized. Numbers that are scaled to an integer type are rounded to the nearest one.
    pub element_type: Option<ElementType>,
    /// The range of numbers, such as 0 to 1.
    pub scale: Option<Scale>,
    /// What to subtract and to divide by, after numbers were scaled.
    pub normalization: Option<Normalization>,
    /// Whether to swap rows and columns of images.
    pub transpose: bool,
}

impl TransformOptions {
    /// The element type to read csv as, which does not have one: that of the results, unless numbers are scaled
    /// or normalized. Then numbers that become integers are fractions; numbers to scale are bytes otherwise.
    #[must_use]
    pub fn csv_type(&self) -> ElementType {
        let makes_integers = self.element_type.is_some_and(|to| !to.is_float());
        match (self.scale, self.normalization) {
            (Some(_), _) if !makes_integers => ElementType::U8,
            (None, None) => self.element_type.unwrap_or(ElementType::U8),
            _ => ElementType::F64,
        }
    }
}

/// A range of numbers, to which the range of the element type of the source is mapped: its least and its
/// greatest integer, or 0 and 1 of `f32` and `f64`. Numbers outside that range end up outside this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// What the least number becomes.
    pub low: f64,
    /// What the greatest number becomes.
    pub high: f64,
}

impl FromStr for Scale {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match two_numbers(text, "..") {
            Some([low, high]) => Ok(Self { low, high }),
            None => Err("write a range of numbers, such as 0..1"),
        }
    }
}

/// The mean that is subtracted from numbers, and the standard deviation by which they are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normalization {
    /// The mean.
    pub mean: f64,
    /// The standard deviation, which is not 0.
    pub deviation: f64,
}

impl FromStr for Normalization {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match two_numbers(text, ",") {
            Some([mean, deviation]) if deviation > 0.0 => Ok(Self { mean, deviation }),
            _ => Err("write the mean and the standard deviation, such as 0.1307,0.3081"),
        }
    }
}

fn two_numbers(text: &str, separator: &str) -> Option<[f64; 2]> {
    let (first, second) = text.split_once(separator)?;
    let numbers = [first.trim().parse().ok()?, second.trim().parse().ok()?];
    numbers.iter().all(|number: &f64| number.is_finite()).then_some(numbers)
}

/// How to write records.
#[derive(Clone, Debug, Default)]
pub struct SinkOptions {
    /// The element type of the labels, if the records have labels.
    pub label_type: Option<ElementType>,
    /// Whether the first line of csv names the columns.
    pub header: bool,
    /// The number of records, if it is known.
    pub count: Option<u64>,
    /// Whether replacing a file is an error, also in a folder of pictures or shards, at the start and at the
    /// end.
    pub create_new: bool,
    /// Whether pictures get a folder for each class, as torchvision's `ImageFolder` and Keras read them,
    /// instead of a file of labels. The folder has the name of the class, or its label if the class has no
    /// name.
    pub by_class: bool,
    /// The names of the classes, which a folder of pictures has in its `classes.txt`.
    pub classes: Option<ClassNames>,
    /// The maximum number of threads that encode pictures or Parquet, or format csv; the default is one for each
    /// core. The files do not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// How to write Parquet.
    pub parquet: ParquetOptions,
}

/// How to write Parquet.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParquetOptions {
    /// Whether a record is a string of bytes, with little-endian numbers, instead of a list of numbers.
    pub binary: bool,
    /// The maximum number of records in a row group, which also ends at 64 MiB. The default is 16384. Each thread
    /// has one in memory, of all threads at most 256 MiB, and another one is being filled.
    pub row_group_records: Option<NonZeroU64>,
    /// Writes a folder of several files instead of one file.
    pub shards: Option<Shards>,
}

/// How to distribute records over several files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shards {
    /// The number of files.
    Files(NonZeroU64),
    /// The number of records in each file.
    Records(NonZeroU64),
}
