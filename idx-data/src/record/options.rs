//! The options for reading, writing and changing records, which know whether they were used.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::Deref;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use idx_std::ElementType;

use crate::answer::Column;
use crate::error::{Error, ErrorKind};
use crate::names::class_names::ClassNames;
use crate::names::format::Format;
#[cfg(any(feature = "csv", feature = "parquet"))]
use crate::reading::roles::{Known, Skip};
use crate::record::Facts;
use crate::record::axes::Axes;

/// The value of an option, which knows whether something read it. Its copies know it, too: an option that one of
/// several files took had its effect.
#[derive(Default)]
pub(crate) struct Field<T> {
    value: T,
    is_read: Arc<AtomicBool>,
}

impl<T: PartialEq> Field<T> {
    /// Returns the name of an option that is not the default, and that nothing has read.
    fn unread(&self, default: &Self, name: &'static str) -> Option<&'static str> {
        (self != default && !self.is_read.load(Ordering::Relaxed)).then_some(name)
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self { value, is_read: Arc::default() }
    }
}

/// A reader takes an option only when it has its effect: otherwise an option without effect would not be found.
impl<T> Deref for Field<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.is_read.store(true, Ordering::Relaxed);
        &self.value
    }
}

// The following do not read it.

impl<T: Clone> Clone for Field<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), is_read: Arc::clone(&self.is_read) }
    }
}

impl<T: PartialEq> PartialEq for Field<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Field<T> {}

impl<T: fmt::Debug> fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Options: a value with private fields, and a method for each that changes it. Options that act only where a reader or
/// a writer takes them are fields that know it; `by hand` are the options whose method takes another type than theirs.
macro_rules! options {
    (
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $type:ty as $given:ty = $default:expr,)*
        }
        $(taken {
            $($(#[$taken_doc:meta])* $taken:ident: $taken_type:ty as $taken_given:ty = $taken_default:expr,)*
        }
        by hand {
            $($own:ident: $own_type:ty,)*
        })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $(pub(crate) $field: $type,)*
            $($(pub(crate) $taken: Field<$taken_type>,)* $(pub(crate) $own: Field<$own_type>,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($field: $default,)*
                    $($($taken: Field::from($taken_default),)* $($own: Field::default(),)*)?
                }
            }
        }

        impl $name {
            /// Returns the defaults.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $(
                $(#[$field_doc])*
                #[must_use]
                pub fn $field(mut self, $field: $given) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*

            $(
                $(
                    $(#[$taken_doc])*
                    #[must_use]
                    pub fn $taken(mut self, $taken: $taken_given) -> Self {
                        let value: $taken_type = $taken.into();
                        self.$taken = value.into();
                        self
                    }
                )*

                /// Returns the names of the fields that are not the default, and that nothing has taken.
                fn unread_fields(&self) -> Vec<&'static str> {
                    let default = Self::default();
                    let mut unread = Vec::new();
                    $(unread.extend(self.$taken.unread(&default.$taken, stringify!($taken)));)*
                    $(unread.extend(self.$own.unread(&default.$own, stringify!($own)));)*
                    unread
                }
            )?
        }
    };
}

options! {
    /// The options for opening inputs: facts that they do not state, or that override those that they state.
    ///
    /// ```
    /// use idx_data::{Labeled, OpenOptions};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("train.csv");
    /// # std::fs::write(&path, "label,pixel0,pixel1,pixel2,pixel3\n7,0,255,255,0\n3,9,9,9,9\n")?;
    ///
    /// # #[cfg(feature = "csv")] {
    /// let source = OpenOptions::new().label_column("label").shape([2, 2]).open(path)?;
    /// let digits: Labeled<[[u8; 2]; 2], u8> = source.collect()?;
    /// assert_eq!(digits.get(1), Some(([[9, 9], [9, 9]], 3)));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub struct OpenOptions {
        /// The options for reading pictures, and for changing records that are pictures.
        pictures: PictureOptions as PictureOptions = PictureOptions::default(),
        /// The maximum number of bytes of a record (a few are in memory at a time) and of a line of csv;
        /// the default is 64 MiB. An array of NumPy in Fortran order is in memory as a whole, and counts as one
        /// record unless it is a plain file of that size.
        record_limit: u64 as u64 = RECORD_LIMIT,
        /// The maximum number of threads that decode pictures, or read the lines of csv; 0, the default, is one for each core.
        /// The records do not depend on it.
        threads: usize as usize = 0,
        /// Reads labels, and names of classes, from the files beside the input that
        /// [`open_set`](crate::open_set) names. The default is `true`.
        beside: bool as bool = true,
        /// The columns of a table, and the files and folders of a tree, to leave out. An empty list leaves out none, not
        /// even row numbers.
        skip: Option<Vec<Column>> as impl Into<Option<Vec<Column>>> = None,
        /// The names of the classes. Labels that are words get the numbers of these names; without such a list, those of
        /// their order.
        classes: Option<ClassNames> as impl Into<Option<ClassNames>> = None,
        /// The pattern for labels in the names of pictures, such as `{}_*`: `{}` is the label, `*` is anything, and the
        /// rest stands for itself. The label is as short as the pattern allows; the ending of the name is removed
        /// before.
        labels_in_names: Option<String> as impl Into<Option<String>> = None,
    }
    taken {
        /// The element type of csv; the default is u8.
        element_type: ElementType as ElementType = ElementType::U8,
        /// Reads little-endian numbers of this type without a header, plain or gzip. Each row has the numbers of a
        /// record, whose shape must be given, and its label if the column of the labels is given.
        ///
        /// ```
        /// use idx_data::{ElementType, OpenOptions};
        /// # let folder = tempfile::tempdir()?;
        /// # let path = folder.path().join("data_batch_1.bin");
        /// # std::fs::write(&path, [7; 2 * 3073])?;
        ///
        /// let rows = OpenOptions::new().raw(ElementType::U8).shape([3, 32, 32]).label_column(0);
        /// assert_eq!(rows.open(path)?.facts().count, Some(2)); // of 3073 bytes, as in CIFAR-10
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        raw: Option<ElementType> as impl Into<Option<ElementType>> = None,
        /// True if the first line of csv names the columns. By default, a line with text does; it may also have numbers
        /// that count up by one. A line of numbers alone that count up from 0 or 1 is an error.
        header: Option<bool> as impl Into<Option<bool>> = None,
        /// Reads labels, and the names of their classes: those of the input, or else those in the files
        /// beside it that [`open_set`](crate::open_set) names. The default is `true`.
        labels: bool as bool = true,
    }
    by hand {
        shape: Option<Vec<u32>>,
        label_column: Option<Column>,
        column: Option<Column>,
        labels_of: Option<Arc<[PathBuf]>>,
    }
}

/// The default of [`OpenOptions::record_limit`].
pub(crate) const RECORD_LIMIT: u64 = 64 << 20;

impl OpenOptions {
    /// Sets the sizes of a record, such as `[28, 28]`.
    #[must_use]
    pub fn shape(mut self, sizes: impl Into<Vec<u32>>) -> Self {
        self.shape = Some(sizes.into()).into();
        self
    }

    /// Sets the column of the labels in csv, in Parquet, and in a file of labels with several columns: its name, or its
    /// position from 0. The default is the column named `label`, `class`, `target` or `y`. A file of labels without one
    /// must have a single column, or one-hot rows (a single 1, the rest 0), or the eight columns of QMNIST. Labels that
    /// are texts are classes, which are numbered in the order of their bytes.
    #[must_use]
    pub fn label_column(mut self, column: impl Into<Column>) -> Self {
        self.label_column = Some(column.into()).into();
        self
    }

    /// Sets the one column with the records: its name, or its position from 0. By default, csv takes all columns except
    /// the labels, and Parquet takes the column `record` or its only one. From IDX and npy, this takes a column of
    /// numbers, such as one of several labels.
    #[must_use]
    pub fn column(mut self, column: impl Into<Column>) -> Self {
        self.column = Some(column.into()).into();
        self
    }

    /// Returns the names of the options that had no effect: no input that was opened with these options, or with copies
    /// of them, has used them. Limits and numbers of threads are never among them.
    ///
    /// ```
    /// use idx_data::{OpenOptions, PictureOptions};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[3, 4], &[1_u8; 12])?;
    ///
    /// let options = OpenOptions::new().shape([2, 2]).header(true);
    /// options.open(path)?;
    /// assert_eq!(options.unread(), ["header"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unread(&self) -> Vec<&'static str> {
        [self.unread_fields(), self.pictures.unread_fields()].concat()
    }

    /// Reads labels alone, for [`Source::with_labels`](crate::Source::with_labels): a column of csv or Parquet, by
    /// default the one that is named `label`, `class`, `target` or `y`; or the numbers of another format, as
    /// [`label_column`](Self::label_column) says. The records have no elements.
    #[must_use]
    pub fn as_labels(mut self) -> Self {
        self.labels_of = Some(Arc::default()).into();
        self
    }

    /// Reads labels alone, as [`as_labels`](Self::as_labels) does, for records with these facts. If the records are the
    /// pictures of a folder, and a column of csv names them, with or without their extension, each picture gets the
    /// label of its line. Otherwise the lines follow the order of the pictures: 2.png comes before 10.png.
    #[must_use]
    pub fn as_labels_of(mut self, records: &Facts) -> Self {
        self.labels_of = Some(records.pictures.clone().unwrap_or_default()).into();
        self
    }

    /// Returns the options by which a table is understood.
    #[cfg(any(feature = "csv", feature = "parquet"))]
    pub(crate) fn known(&self) -> Known<'_> {
        Known {
            header: *self.header,
            label_column: self.label_column.as_ref(),
            column: self.column.as_ref(),
            skip: self.skipped(),
            no_labels: !*self.labels,
            shape: self.shape.as_deref(),
            ..Known::default()
        }
    }

    /// Returns the columns that are left out.
    #[cfg(any(feature = "csv", feature = "parquet"))]
    pub(crate) fn skipped(&self) -> Skip<'_> {
        match self.skip.as_deref() {
            None => Skip::NotGiven,
            Some([]) => Skip::None,
            Some(columns) => Skip::Columns(columns),
        }
    }

    /// Returns whether only labels are read.
    pub(crate) fn are_labels(&self) -> bool {
        self.labels_of.is_some()
    }
}

/// The form in which a column of Parquet holds a record that is not a single number; the metadata of the column has its
/// shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnLayout {
    /// A list of numbers, on which every engine computes.
    #[default]
    List,
    /// A tensor of Arrow (`arrow.fixed_shape_tensor`), which pyarrow reads as an array of the shape.
    Tensor,
    /// A string of bytes with little-endian numbers, which programs read several times as fast.
    Binary,
}

options! {
    /// The options for reading pictures, and for changing them, in the order of the methods. Records of other formats
    /// that are pictures are changed as well. Sizes are height and width.
    pub struct PictureOptions {
        /// The maximum number of pixels of a picture; the default is 2^27 (134 megapixels).
        max_pixels: u64 as u64 = 1_u64 << 27,
        /// Reads the colors of pictures in files, if [`color`](Self::color) is not set. Records of other
        /// formats keep theirs.
        color_of_files: Option<Color> as impl Into<Option<Color>> = None,
    }
    taken {
        /// Leaves out pictures that are damaged or of another kind, and records that cannot be changed as pictures,
        /// each with its label, and reports them as [`skipped`](crate::RecordSource::skipped), instead of failing.
        skip_damaged: bool as bool = false,
        /// The brightness behind transparent pixels, and around pictures that are fitted into a larger size. The
        /// default is white, 255, for files of pictures, and 0 for records of other formats.
        background: Option<u8> as impl Into<Option<u8>> = None,
        /// Reads colors; by default, if the first picture has them.
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
    by hand {}
}

impl PictureOptions {
    /// Returns whether the changes need pictures of 8 bits.
    #[cfg(feature = "pictures")]
    pub(crate) fn need_bytes(&self) -> bool {
        let is_mnist = *self.fit == Some(Fit::Mnist);
        let is_other = *self.invert || self.threshold.is_some() || *self.color == Some(Color::Rgb);
        is_mnist || is_other
    }

    /// Returns whether pictures become gray.
    #[cfg(feature = "pictures")]
    pub(crate) fn are_gray(&self) -> bool {
        *self.fit == Some(Fit::Mnist) || *self.color == Some(Color::Gray)
    }

    /// Returns whether pictures are changed after they were read.
    pub(crate) fn change_pictures(&self) -> bool {
        let read = Self {
            max_pixels: self.max_pixels,
            color_of_files: self.color_of_files,
            skip_damaged: self.skip_damaged.clone(),
            background: self.background.clone(),
            ..Self::default()
        };
        *self != read
    }

    /// Checks that pictures of these sizes are possible and allowed.
    #[cfg(feature = "pictures")]
    pub(crate) fn check(&self) -> Result<(), ErrorKind> {
        if let Some([height, width]) = *self.size {
            let pixels = u64::from(height) * u64::from(width);
            if pixels == 0 {
                let message = "a picture has at least 1 row and 1 column; give a larger size";
                return Err(ErrorKind::mismatch(message));
            }
            self.check_pixels(pixels)?;
        }
        let is_other = || self.size.is_some() || *self.color == Some(Color::Rgb) || *self.invert;
        if *self.fit == Some(Fit::Mnist) && is_other() {
            let message = "`mnist` makes gray pictures of 28 x 28, bright on black; leave out the size, the colors and \
                           the inversion";
            return Err(ErrorKind::mismatch(message));
        }
        if !matches!(*self.fit, None | Some(Fit::Mnist)) && self.size.is_none() {
            let message = "pictures are fitted into a size; give that size, too";
            return Err(ErrorKind::mismatch(message));
        }
        Ok(())
    }

    /// Checks that a picture may have `pixels` pixels.
    #[cfg(feature = "pictures")]
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
    /// The brightness alone, with the weights of ITU-R BT.601: 0.299 red, 0.587 green, 0.114 blue.
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

/// The way in which a picture of another aspect ratio gets its size.
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

options! {
    /// The options for changing records between reading and writing.
    pub struct TransformOptions {
        /// The element type of the results; the default is that of the source, and `f32` for numbers that are scaled
        /// or normalized. Numbers that are scaled to an integer type are rounded to the nearest one.
        element_type: Option<ElementType> as impl Into<Option<ElementType>> = None,
        /// The range to scale to, such as 0 to 1. Numbers outside the old range end up outside the new one.
        scale: Option<[f64; 2]> as impl Into<Option<[f64; 2]>> = None,
        /// The range to scale from, such as -1 to 1; the default is that of the source's integer type, or 0 to 1 for `f32`
        /// and `f64`.
        scale_from: Option<[f64; 2]> as impl Into<Option<[f64; 2]>> = None,
        /// The mean to subtract and the standard deviation to divide by, after scaling.
        normalize: Option<[f64; 2]> as impl Into<Option<[f64; 2]>> = None,
        /// The order of the dimensions of a record: `transpose(true)` swaps the rows and the columns of images, and
        /// `transpose([2, 0, 1])` brings the channels of a pixel to the front, as in NumPy.
        transpose: Axes as impl Into<Axes> = Axes::Kept,
    }
}

options! {
    /// The options for writing records.
    pub struct CreateOptions {
        /// The format; by default, the name chooses it.
        format: Option<Format> as impl Into<Option<Format>> = None,
        /// True if an existing file is an error instead of being replaced, also in a folder of pictures or shards. This
        /// is checked at the start and at the end.
        create_new: bool as bool = false,
        /// The maximum number of threads that encode pictures, or row groups of Parquet; 0, the default, is one for
        /// each core. The files do not depend on it.
        threads: usize as usize = 0,
    }
    taken {
        /// The element type of the labels; the default is that of the records' labels, or u8.
        label_type: Option<ElementType> as impl Into<Option<ElementType>> = None,
        /// True if the first line of csv names the columns, so that it is read with its labels and its shape:
        /// `label,1x1,1x2` and so on, up to `28x28`. A single number has the name `value`.
        header: bool as bool = true,
        /// The form in which a column of Parquet holds a record that is not a single number.
        layout: ColumnLayout as ColumnLayout = ColumnLayout::List,
        /// Writes a folder with this number of Parquet files. The number of records must be known.
        shards: Option<NonZeroU64> as impl Into<Option<NonZeroU64>> = None,
    }
    by hand {}
}

impl CreateOptions {
    /// Returns the names of the options that had no effect: no output that was started with these options, or with
    /// copies of them, has used them. `create_new` and the number of threads are never among them.
    #[must_use]
    pub fn unread(&self) -> Vec<&'static str> {
        self.unread_fields()
    }
}
