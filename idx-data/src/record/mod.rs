//! A record with its label, the facts about records before they are read, and the options of reading and writing them.

pub(crate) mod axes;
pub(crate) mod image_layout;
pub(crate) mod value;
pub(crate) mod label;
#[macro_use]
mod option_macros;
pub(crate) mod picture_options;
pub(crate) mod options;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Hint};
use crate::known::file::KnownFile;
use crate::names::class_names::ClassNames;
use crate::reading::Reading;
use crate::reading::roles::Keys;
use crate::record::value::{DType, with_number};
use idx_std::__private::{byte_size, counted};
use idx_std::{ElementType, Shape};

/// A record and its label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The numbers, big-endian as in IDX.
    pub bytes: Vec<u8>,
    /// The label, if the record has one.
    pub label: Option<i128>,
    /// Its position in its input, counted from 0. Choosing, joining and shuffling keep it; reading sets it.
    pub index: u64,
    /// The number of records that were left out of the input just before this one, or at the end.
    pub(crate) left_out: u64,
}

impl Record {
    /// Makes a record with these numbers, big-endian as in IDX, and this label, if any: `3`, `None`, or `i128::from(label)`
    /// for a label of another type.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>, label: impl Into<Option<i128>>) -> Self {
        Self { bytes: bytes.into(), label: label.into(), ..Self::default() }
    }

    /// Checks that there is a label if and only if the output has labels.
    pub(crate) fn expect_label(&self, is_labeled: bool) -> Result<(), ErrorKind> {
        let (found, said) = match (self.label, is_labeled) {
            (Some(_), false) => ("a", "none"),
            (None, true) => ("no", "one"),
            _ => return Ok(()),
        };
        Err(ErrorKind::mismatch(format!(
            "a record has {found} label, but the facts of the output say that it has {said}; correct the facts"
        )))
    }

    /// Passes on each of the `count` records that this one holds one after the other.
    pub(crate) fn each<E>(
        &self,
        count: u64,
        mut take: impl FnMut(&Self) -> Result<(), E>,
    ) -> Result<(), E> {
        if count == 1 {
            return take(self);
        }
        let size =
            usize::try_from(count).ok().and_then(|count| self.bytes.len().checked_div(count));
        let mut one = Self::default();
        self.bytes.chunks_exact(size.unwrap_or(0).max(1)).try_for_each(|bytes| {
            one.set_bytes(bytes);
            take(&one)
        })
    }

    /// Replaces the bytes with a copy of these.
    pub(crate) fn set_bytes(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
    }
}

/// The element type and the shape of the records of a file.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::RecordLayout;
///
/// let layout = RecordLayout::new(ElementType::I16, &[60000, 28, 28]);
/// assert_eq!(layout.to_string(), "28 x 28 i16");
/// assert_eq!(layout.record_size(), Some(1568));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// The type of the numbers.
    pub dtype: DType,
    /// The sizes of all dimensions. The first is the number of records, or 0 if that is not known yet or has more
    /// than 32 bits; no sizes mean rank 0, a single number.
    pub dims: Vec<u32>,
}

impl RecordLayout {
    /// Makes a layout of this type and these sizes.
    #[must_use]
    pub fn new(dtype: impl Into<DType>, dims: &[u32]) -> Self {
        Self { dtype: dtype.into(), dims: dims.to_vec() }
    }

    /// Returns the layout of `count` records of a shape; the count becomes 0 if it is not known or too large.
    pub(crate) fn of_records(
        dtype: impl Into<DType>,
        count: Option<u64>,
        record_shape: &[u32],
    ) -> Self {
        let count = count.and_then(|count| u32::try_from(count).ok());
        let mut dims = vec![count.unwrap_or_default()];
        dims.extend(record_shape);
        Self { dtype: dtype.into(), dims }
    }

    /// Returns the sizes of a record: all but the first.
    #[must_use]
    pub fn record_shape(&self) -> &[u32] {
        self.dims.get(1..).unwrap_or_default()
    }

    /// Returns the number of elements of a record, if it fits 64 bits.
    pub(super) fn record_length(&self) -> Option<u64> {
        byte_size(1, self.record_shape().iter().copied().map(u64::from))
    }

    /// Returns the size of a record in bytes, if it fits 64 bits.
    #[must_use]
    pub fn record_size(&self) -> Option<u64> {
        self.record_length()?.checked_mul(self.dtype.size() as u64)
    }

    /// Returns the element type of the numbers; an error if IDX does not have it.
    pub(super) fn element_type(&self) -> Result<ElementType, ErrorKind> {
        self.dtype.element_type().ok_or_else(|| {
            let message = format!(
                "IDX does not have {}, the type of these numbers; choose another element type",
                self.dtype
            );
            ErrorKind::unsupported(message).advising(Hint::ElementType)
        })
    }

    /// Returns this layout with another record shape; `None` if the number of elements differs or overflows.
    pub(super) fn reshaped(&self, record_shape: &[u32]) -> Option<Self> {
        let count = self.dims.first().copied().unwrap_or(1);
        let reshaped = Self::of_records(self.dtype, Some(count.into()), record_shape);
        let length = self.record_length();
        (length.is_some() && length == reshaped.record_length()).then_some(reshaped)
    }

    /// Returns the shape of a record in words: "28 x 28".
    pub(super) fn shape_text(&self) -> String {
        Shape(self.record_shape()).to_string()
    }
}

impl fmt::Display for RecordLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.record_shape() {
            [] => write!(f, "single {}", self.dtype),
            _ => write!(f, "{} {}", self.shape_text(), self.dtype),
        }
    }
}

/// The facts about records that are known before they are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Their type and shape.
    pub layout: RecordLayout,
    /// Their number, if it is known.
    pub count: Option<u64>,
    /// True if they have labels.
    pub has_labels: bool,
    /// The element type of the labels, if it is known.
    pub label_type: Option<ElementType>,
    /// The names of the classes of the labels, if they have names.
    pub classes: Option<ClassNames>,
    /// True if the input has the names themselves, as folders of pictures do, and the labels only number them.
    pub(crate) have_names: bool,
    /// True if these are files of pictures, which reading has already changed as the options say.
    pub are_pictures: bool,
    /// The names of the columns that make up the records of a table, if they have names. Names that only count, from 0
    /// or 1, are left out.
    pub columns: Option<Arc<[String]>>,
    /// For a random part of a set: the classes of the set without a record in this part.
    pub absent_classes: BTreeSet<i128>,
    /// The named classes that earlier steps left out: a class that gets such a label keeps its own name.
    pub(crate) excluded_classes: BTreeSet<i128>,
    /// The columns that name the records of a table and are left out: their names, and their first cells.
    pub(crate) keys: Keys,
    /// The reading of the inputs.
    pub(crate) reading: Reading,
    /// The files of pictures, one for each record, in their order.
    pub(super) pictures: Option<Arc<[PathBuf]>>,
    /// The well-known file that starts like these records.
    pub(super) known: Option<KnownFile>,
    pub(super) left_out: LeftOut,
}

impl Facts {
    /// Creates the facts of records without labels.
    #[must_use]
    pub fn new(layout: RecordLayout, count: Option<u64>) -> Self {
        Self {
            layout,
            count,
            has_labels: false,
            label_type: None,
            classes: None,
            have_names: false,
            are_pictures: false,
            columns: None,
            absent_classes: BTreeSet::new(),
            excluded_classes: BTreeSet::new(),
            keys: Keys::default(),
            reading: Reading::default(),
            pictures: None,
            known: None,
            left_out: LeftOut::None,
        }
    }

    /// Checks that a record from a source or function of the caller has this size in bytes, and a label if and only if
    /// the facts say so.
    pub(crate) fn expect_record(
        &self,
        record: &Record,
        size: Option<u64>,
        maker: &str,
    ) -> Result<(), ErrorKind> {
        let found = (Some(record.bytes.len() as u64), record.label.is_some());
        if found == (size, self.has_labels) {
            return Ok(());
        }
        let expected = (self.layout.record_size(), self.has_labels);
        let [found, expected] = [found, expected].map(|(size, has_label)| {
            let label = if has_label { "a label" } else { "no label" };
            format!("{} and {label}", counted(size.unwrap_or(u64::MAX), "byte"))
        });
        let index = record.index;
        Err(ErrorKind::mismatch(format!(
            "record {index} has {found}, but the facts of its source say {expected}; correct the {maker}"
        )))
    }

    /// Returns the same facts for another number of these records.
    pub(super) fn of_count(&self, count: Option<u64>) -> Self {
        let layout = &self.layout;
        Self {
            layout: match (&layout.dims[..], count) {
                // A single number of rank 0 stays one.
                ([], Some(1)) => layout.clone(),
                _ => RecordLayout::of_records(layout.dtype, count, layout.record_shape()),
            },
            count,
            absent_classes: BTreeSet::new(),
            keys: Keys::default(),
            pictures: None,
            left_out: match self.left_out {
                LeftOut::None => LeftOut::None,
                LeftOut::Told | LeftOut::Unknown => LeftOut::Unknown,
            },
            ..self.clone()
        }
    }

    /// Returns the type in which labels are written: their own, or one that fits the numbers of all words.
    pub(crate) fn written_label_type(&self) -> ElementType {
        let words = self.classes.iter().filter(|_| self.have_names).flat_map(ClassNames::iter);
        let numbers = words.map(|(label, _)| label);
        numbers.fold(self.label_type.unwrap_or(ElementType::U8), with_number)
    }

    /// Returns the same facts for records that get other labels.
    pub(crate) fn relabeled(self) -> Self {
        let (absent_classes, excluded_classes) = Default::default();
        Self { absent_classes, excluded_classes, ..self }
    }
}

/// The damaged records left out before a record, as far as they are known; they lower its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeftOut {
    None,
    /// Each record tells how many were left out before it.
    Told,
    /// Unknown, because some of the others were chosen.
    Unknown,
}

/// Returns the names by which the columns of two tables are compared, as in [`Facts::columns`]; `None` for a single
/// column, too, which needs no name.
pub(crate) fn column_names(names: Vec<String>) -> Option<Arc<[String]>> {
    let count_from =
        |first: usize| names.iter().zip(first..).all(|(name, number)| *name == number.to_string());
    (names.len() > 1 && !count_from(0) && !count_from(1)).then(|| names.into())
}

/// A change of a record, which may depend on the records before it.
pub(crate) type Change = Box<dyn FnMut(&mut Record) -> Result<(), ErrorKind> + Send>;

/// A source of records, one by one. To read a format of your own, implement it, and pass it to
/// [`Source::new`](crate::Source::new).
///
/// Each record has the bytes of the [layout](Facts::layout), and a label if and only if [the facts say
/// so](Facts::has_labels).
pub trait RecordSource: Send {
    /// Returns the facts about the records.
    fn facts(&self) -> &Facts;

    /// Returns the files and records that were left out so far and may belong to the data.
    fn skipped(&self) -> Vec<&Skipped> {
        Vec::new()
    }

    /// Skips the next `records` records, or the remaining ones if there are fewer. Returns their number.
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        skip_by_reading(records, |record| self.read(record))
    }

    /// Reads the next record; `false` after the last one, when the end was checked.
    ///
    /// # Errors
    ///
    /// An error in the record, or after the last one. A [`Source`](crate::Source) adds the path if it has none. The
    /// position after an error is unknown, so it reads no further: [`failed_earlier`](idx_std::ErrorKind::code).
    fn read(&mut self, record: &mut Record) -> Result<bool, Error>;

    /// Reads as many of the next records as are at hand, at least one, with their bytes one after the other; `false`
    /// after the last one. A [`Source`](crate::Source) calls it only for records with bytes and without labels. The
    /// default reads one.
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    fn read_many(&mut self, records: &mut Record) -> Result<bool, Error> {
        self.read(records)
    }
}

/// Skips records by reading them, where nothing else tells what comes next.
pub(super) fn skip_by_reading(
    records: u64,
    mut read: impl FnMut(&mut Record) -> Result<bool, Error>,
) -> Result<u64, Error> {
    let mut record = Record::default();
    for skipped in 0..records {
        if !read(&mut record)? {
            return Ok(skipped);
        }
    }
    Ok(records)
}

/// A file, folder or record that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The path of the file or folder, or of the file with the record.
    pub path: PathBuf,
    /// The reason why it was left out.
    pub reason: String,
}

impl Skipped {
    pub(super) fn new(path: PathBuf, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { path, reason }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: skipped: {}", self.path.display(), self.reason)
    }
}
