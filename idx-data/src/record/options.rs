//! The options for reading, writing and changing records.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;

use idx_std::ElementType;

use crate::answer::{Column, ReadingOption};
use crate::names::class_names::ClassNames;
use crate::names::format::Format;
use crate::reading::roles::{Keys, Known, Purpose};
use crate::reading::{InputReading, Reading};
use crate::record::Facts;
use crate::record::axes::Axes;
use crate::record::picture_options::PictureOptions;
use crate::record::value::DType;

options! {
    /// The options for opening inputs: facts that the inputs do not state, or that replace what they state.
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
        /// Reads labels and class names from the files next to the input that [`open_set`](crate::open_set) names. The
        /// default is `true`. The files in a folder belong to it, and are not next to it.
        beside: bool as bool = true,
        /// The columns of a table, and the files and folders of a tree, to leave out. An empty list leaves out nothing,
        /// not even row numbers; with `none` in it, a list leaves out only its other names.
        skip: Option<Vec<Column>> as impl Into<Option<Vec<Column>>> = None,
        /// The names of the classes. Labels that are words get the numbers of these names; without a list, they are
        /// numbered in their order.
        classes: Option<ClassNames> as impl Into<Option<ClassNames>> = None,
        /// The pattern for labels in the names of pictures, such as `{}_*`: `{}` is the label, `*` is anything, and the
        /// rest stands for itself; the extension is removed first. The first of `*` and `{}` takes as much as it can,
        /// so that `{}_*` takes `hot_dog` from `hot_dog_7.png`, and `{}_*_*` takes `hot`.
        labels_in_names: Option<String> as impl Into<Option<String>> = None,
        /// The element type of csv; the default is u8.
        element_type: ElementType as ElementType = ElementType::U8,
        /// True if the first line of csv names the columns. By default, a line with text does; it may also have numbers
        /// that count up by one. A line with only numbers that count up from 0 or 1 is an error.
        header: Option<bool> as impl Into<Option<bool>> = None,
        /// Reads labels and class names: those of the input, or else those in the files next to it that
        /// [`open_set`](crate::open_set) names. The default is `true`.
        labels: bool as bool = true,
    }
    by hand {
        raw: Option<DType>,
        shape: Option<Vec<u32>>,
        label_column: Option<Column>,
        column: Option<Column>,
        labels_of: Option<Arc<[PathBuf]>>,
        keys: Keys,
        may_lack: bool,
    }
}

/// The default of [`OpenOptions::record_limit`].
pub(crate) const RECORD_LIMIT: u64 = 64 << 20;

impl OpenOptions {
    /// Reads little-endian numbers of this type without a header, plain or gzip. Each row has the numbers of a record,
    /// and its label if the column of the labels is given. The shape of a record must be given.
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
    #[must_use]
    pub fn raw(mut self, dtype: impl Into<DType>) -> Self {
        self.raw = Some(dtype.into());
        self
    }

    /// Sets the sizes of a record, such as `[28, 28]`.
    #[must_use]
    pub fn shape(mut self, sizes: impl Into<Vec<u32>>) -> Self {
        self.shape = Some(sizes.into());
        self
    }

    /// Sets the column of the labels in csv, in Parquet, and in a file of labels with several columns: its name, or its
    /// position from 0. The default is the column named `label`, `class`, `target` or `y`, or else one-hot columns (a
    /// single 1, the rest 0) such as `label_0` and `label_1`, or the only column of words. A file of labels without
    /// such a column must have a single one, or one-hot rows, or the eight columns of QMNIST. Labels that are texts are
    /// classes, numbered in byte order. In a set, the tables of later parts may lack the column.
    #[must_use]
    pub fn label_column(mut self, column: impl Into<Column>) -> Self {
        self.label_column = Some(column.into());
        self
    }

    /// Sets the one column with the records: its name, or its position from 0. By default, csv takes all columns except
    /// the labels, and Parquet takes the column `record`, or the only one of pictures, lists or bytes, or else what csv
    /// takes. From IDX and npy, this takes a column of numbers, such as one of several labels.
    #[must_use]
    pub fn column(mut self, column: impl Into<Column>) -> Self {
        self.column = Some(column.into());
        self
    }

    /// Returns the names of the options that had no effect on inputs with this reading. Limits, numbers of threads,
    /// names of classes, and whether to read labels or the files next to the input are never among them.
    ///
    /// ```
    /// use idx_data::OpenOptions;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[3, 4], &[1_u8; 12])?;
    ///
    /// let options = OpenOptions::new().shape([2, 2]).header(true);
    /// let source = options.open(path)?;
    /// assert_eq!(options.unused(source.reading()), ["header"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unused(&self, reading: &Reading) -> Vec<&'static str> {
        let default = Self::default();
        let given = given!(
            self,
            default,
            [element_type, raw, header, shape, label_column, column, skip, labels_in_names]
        );
        let has_effect = |option: &&ReadingOption| {
            **option != ReadingOption::SkipNone || self.skip == Some(Vec::new())
        };
        let stated = reading.inputs().iter().flat_map(InputReading::options).filter(has_effect);
        let used = || reading.used().chain(stated.clone().map(ReadingOption::name));
        given
            .chain(self.pictures.given())
            .filter(|name| !used().any(|used| used == *name))
            .collect()
    }

    /// Reads only labels, for [`Source::with_labels`](crate::Source::with_labels): a column of csv or Parquet, by
    /// default the one named `label`, `class`, `target` or `y`; or the numbers of another format, as
    /// [`label_column`](Self::label_column) says. The records have no elements.
    #[must_use]
    pub fn as_labels(mut self) -> Self {
        self.labels_of = Some(Arc::default());
        self
    }

    /// Reads only labels, as [`as_labels`](Self::as_labels) does, for records with these facts. If the records are the
    /// pictures of a folder, and a column of csv names them, with or without their extension, each picture gets the
    /// label of its line. Otherwise the lines follow the order of the pictures: 2.png comes before 10.png.
    #[must_use]
    pub fn as_labels_of(mut self, records: &Facts) -> Self {
        self.labels_of = Some(records.pictures.clone().unwrap_or_default());
        self.keys = Arc::clone(&records.keys);
        self
    }

    /// Returns the options by which a table is understood.
    pub(crate) fn known(&self) -> Known<'_> {
        Known {
            header: self.header,
            label_column: self.label_column.as_ref(),
            column: self.column.as_ref(),
            skip: self.skip.as_deref(),
            no_labels: !self.labels,
            keys: &self.keys,
            shape: self.shape.as_deref(),
            may_lack: self.may_lack,
            ..Known::default()
        }
    }

    /// Returns the purpose for which a table is read.
    pub(crate) fn purpose(&self) -> Purpose {
        if self.are_labels() { Purpose::Labels } else { Purpose::Records }
    }

    /// Returns whether only labels are read.
    pub(crate) fn are_labels(&self) -> bool {
        self.labels_of.is_some()
    }
}

/// The form in which a column of Parquet holds a record that is not a single number; the column's metadata has the
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
    /// The options for changing records between reading and writing.
    pub struct TransformOptions {
        /// The element type of the results; the default is the type of the source, and `f32` for numbers that are
        /// scaled or normalized. Numbers that are scaled to an integer type are rounded to the nearest one.
        element_type: Option<ElementType> as impl Into<Option<ElementType>> = None,
        /// The range to scale to, such as 0 to 1. Numbers outside the old range end up outside the new one.
        scale: Option<[f64; 2]> as impl Into<Option<[f64; 2]>> = None,
        /// The range to scale from, such as -1 to 1; the default is the range of the source's integer type, of at most
        /// two bytes, or 0 to 1 for `f32` and `f64`, where other numbers are then an error.
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
        /// True if an existing file is an error and not replaced, also in a folder of pictures or shards. This is
        /// checked at the start and at the end.
        create_new: bool as bool = false,
        /// The maximum number of threads that encode pictures, row groups of Parquet, or gzip; 0, the default, is one
        /// for each core. The files do not depend on it.
        threads: usize as usize = 0,
        /// The element type of the labels; the default is the type that they have, or u8, or a wider one if many words
        /// are numbered.
        label_type: Option<ElementType> as impl Into<Option<ElementType>> = None,
        /// True if the first line of csv names the columns, so that it is read with its labels and its shape:
        /// `label,1x1,1x2` and so on, up to `28x28`. A single number has the name `value`.
        header: bool as bool = true,
        /// The form in which a column of Parquet holds a record that is not a single number; the default is a list.
        layout: Option<ColumnLayout> as impl Into<Option<ColumnLayout>> = None,
        /// Writes a folder with this number of Parquet files. The number of records must be known.
        shards: Option<NonZeroU64> as impl Into<Option<NonZeroU64>> = None,
    }
}

impl CreateOptions {
    /// Returns the names of the options that have no effect on a file of this format. `has_typed_labels` is true if its
    /// labels have an element type.
    pub(crate) fn unused(&self, format: Format, has_typed_labels: bool) -> Vec<&'static str> {
        let default = Self::default();
        let given = given!(self, default, [label_type, header, layout, shards]);
        let is_unused = |name: &&str| match *name {
            "label_type" => !has_typed_labels,
            "header" => format != Format::Csv,
            _ => format != Format::Parquet,
        };
        given.filter(is_unused).collect()
    }
}
