//! `Source`: the public chain of inputs and steps.

use std::fmt;
use std::path::{Path, absolute};

use crate::answer::Column;
use crate::chain::input::Input;
use crate::chain::of_set::OfSet;
use crate::chain::step::{Adapter, Joined, Map, Step, Then};
use crate::chain::transform::Transform;
use crate::error::{At, Error, ErrorKind};
use crate::names::format::Format;
use crate::reading::{Evidence, Reading, Said, Subject};
use crate::record::options::{OpenOptions, TransformOptions};
use crate::record::{Change, Facts, LeftOut, Record, RecordLayout, RecordSource, Skipped};
use idx_std::ErrorKind as FileErrorKind;

/// The records of one input, or of several with the same type and shape, and the steps that label, choose and change
/// them.
///
/// [`open`](crate::open) returns a source, and each method adds a step. Steps come in any order, and each does what it
/// would do to a list of the remaining records. Reading after an error is an error:
/// [`failed_earlier`](idx_std::ErrorKind::code).
///
/// A source is read once, by one thread, so it is neither `Clone` nor `Sync`. To read again, open the input again, or
/// [`collect`](Self::collect) the records, which threads can share.
///
/// ```
/// use idx_data::{Record, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("images"), &[200, 2, 2], &[7_u8; 200 * 4])?;
/// # idx_std::save(path("labels"), &[200], &[3_u8; 200])?;
///
/// let images = open(path("images"))?.with_labels(open(path("labels"))?)?;
/// let mut some = images.only(["3"])?.select(2..5)?;
/// let mut record = Record::default();
/// while some.read(&mut record)? {
///     println!("record {} has the label {:?}", record.index, record.label);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Source {
    pub(super) steps: Joined,
    /// The facts about the records after all steps.
    pub(super) facts: Facts,
    pub(super) formats: Vec<Format>,
    /// The size of the inputs in bytes, as far as it is known. No memory is reserved for records beyond it that a
    /// header only claims.
    pub(super) size: u64,
    /// The next step, while all parts of a set get the same steps.
    pub(super) of_set: OfSet,
    /// The column with the labels, if these records are used as labels. The default is the first.
    pub(super) label_column: Option<Column>,
    /// The maximum size of a record in bytes, before and after changes.
    pub(super) record_limit: u64,
    /// The number of records read or skipped since the last step was added.
    pub(super) taken: u64,
    /// The number of records read so far that have neither elements nor labels.
    pub(super) empty: u64,
    /// Memory for records that are read in batches.
    pub(super) block: Record,
    /// True if an error has ended it: the next record might get the label of another.
    pub(super) has_failed: bool,
}

/// The maximum number of records without elements and labels: a header of 20 bytes can claim 2^32 of them, and each
/// takes some memory when they are shuffled.
const MAX_EMPTY: u64 = 1 << 16;

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("path", &self.path())
            .field("layout", &self.facts.layout)
            .field("taken", &self.taken)
            .finish_non_exhaustive()
    }
}

impl Source {
    /// Creates a source from your own [`RecordSource`]. The path is for messages. A record that contradicts the facts
    /// of the source is an error when it is read.
    #[must_use]
    pub fn new(path: impl AsRef<Path>, source: impl RecordSource + 'static) -> Self {
        Self::of(Input::new(path.as_ref(), Box::new(source), None), Vec::new(), 0)
    }

    /// Creates a source from an input of this size in bytes, as far as it is known.
    pub(crate) fn of(input: Input, formats: Vec<Format>, size: u64) -> Self {
        let facts = input.facts.clone();
        Self { size, ..Self::of_step(input, facts, formats) }
    }

    pub(super) fn of_step(step: impl Step + 'static, facts: Facts, formats: Vec<Format>) -> Self {
        Self {
            steps: Joined::one(step),
            facts,
            formats,
            size: 0,
            of_set: OfSet::default(),
            label_column: None,
            record_limit: u64::MAX,
            taken: 0,
            empty: 0,
            block: Record::default(),
            has_failed: false,
        }
    }

    /// Limits the size of a record in bytes, before and after changes, and sets the column of labels for an input that
    /// has none of its own.
    pub(crate) fn limited(mut self, options: &OpenOptions) -> Result<Self, Error> {
        self.record_limit = options.record_limit;
        self.label_column.clone_from(&options.label_column);
        self.expect_within_limit(&self.facts.layout)?;
        Ok(self)
    }

    fn expect_within_limit(&self, layout: &RecordLayout) -> Result<(), Error> {
        let limit = self.record_limit;
        let needed = layout.record_size().unwrap_or(0); // then there are no records
        match needed > limit {
            true => Err(self.error(FileErrorKind::RecordLimitExceeded { limit, needed })),
            false => Ok(()),
        }
    }

    /// Returns the facts about the records.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the reading of the inputs, made when they were opened.
    ///
    /// ```
    /// # #[cfg(feature = "csv")] {
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("iris.csv");
    /// # std::fs::write(&path, "length,width,species\n51,35,setosa\n64,32,virginica\n49,30,setosa\n")?;
    /// let iris = idx_data::open(&path)?;
    /// let line = iris.reading().inputs()[0].to_string();
    /// assert!(line.contains("3 records of 2 numbers; label `species` (2 names)"));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn reading(&self) -> &Reading {
        &self.facts.reading
    }

    /// Puts an earlier reading before the reading of these records.
    pub(crate) fn with_reading(mut self, before: &Reading) -> Self {
        if before.says_nothing() {
            return self.with_used_options(before.used());
        }
        let mut reading = before.clone();
        reading.append(&self.facts.reading);
        self.facts.reading = reading;
        self
    }

    /// Adds a statement to the reading of these records.
    pub(crate) fn with_statement(mut self, subject: Subject, by: Evidence, text: &str) -> Self {
        if self.facts.reading.says_nothing() {
            let mut said = Said::default();
            said.say(subject, by, text);
            let reading = Reading::of(self.path(), said);
            return self.with_reading(&reading);
        }
        self.facts.reading.say(subject, by, text);
        self
    }

    /// Notes that the options with these names have an effect on the records.
    pub(crate) fn with_used_options(
        mut self,
        options: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        self.facts.reading.uses(options);
        self
    }

    /// Notes that all parts of a set get the next steps.
    pub(crate) fn in_set(mut self, of_set: OfSet) -> Self {
        self.of_set = of_set;
        self
    }

    /// Notes that the records are all the files in a folder.
    pub(crate) fn of_folder(mut self, folder: &Path) -> Result<Self, Error> {
        self.facts.reading.add_folder(&absolute(folder).at(folder)?);
        Ok(self)
    }

    /// Returns the path of the current input or, after the end, of the last one.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.steps.path()
    }

    /// Returns the formats of the inputs. A [`RecordSource`] of your own has none.
    #[must_use]
    pub fn formats(&self) -> &[Format] {
        &self.formats
    }

    /// Returns the files and records that were left out so far, such as damaged pictures.
    #[must_use]
    pub fn skipped(&self) -> Vec<&Skipped> {
        self.steps.skipped()
    }

    /// Reads the next record. Returns `false` after the last one, when the end is checked.
    ///
    /// # Errors
    ///
    /// An error in the record, or after the last one. It ends the source:
    /// [`failed_earlier`](idx_std::ErrorKind::code).
    pub fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        Ok(self.read_some(record, None)? > 0)
    }

    /// Reads as many of the next records as are available at once, and returns their number; 0 after the last one, when
    /// the end is checked. This is faster than [`read`](Self::read) for records of a few bytes.
    ///
    /// The records follow each other in [`bytes`](Record::bytes), and [`index`](Record::index) is that of the first
    /// one. Records with labels come one at a time.
    ///
    /// ```
    /// use idx_data::{Record, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("points");
    /// # idx_std::save(&path, &[3, 2], &[1_u8, 2, 3, 4, 5, 6])?;
    ///
    /// let mut points = open(&path)?;
    /// let mut records = Record::default();
    /// assert_eq!(points.read_many(&mut records)?, 3);
    /// assert_eq!(records.bytes, [1, 2, 3, 4, 5, 6]);
    /// assert_eq!(points.read_many(&mut records)?, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    pub fn read_many(&mut self, records: &mut Record) -> Result<u64, Error> {
        match self.facts.has_labels {
            true => self.read(records).map(u64::from),
            false => self.read_some(records, Some(&mut Vec::new())),
        }
    }

    /// Reads the next record or, with a list for labels, as many as are available at once. Returns their number.
    pub(crate) fn read_some(
        &mut self,
        records: &mut Record,
        labels: Option<&mut Vec<i128>>,
    ) -> Result<u64, Error> {
        self.unless_failed(|source| {
            let count = source.steps.read_some(records, labels)?;
            source.taken += count;
            if records.bytes.is_empty() && records.label.is_none() {
                source.empty += count;
            }
            match source.empty > MAX_EMPTY {
                true => Err(source.error(ErrorKind::unsupported(format!(
                    "more than {MAX_EMPTY} records have no elements; check the sizes"
                )))),
                false => Ok(count),
            }
        })
    }

    /// Skips the next `records` records, or the remaining ones if there are fewer. Returns their number.
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    pub fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.unless_failed(|source| {
            let skipped = source.steps.skip(records)?;
            source.taken += skipped;
            Ok(skipped)
        })
    }

    /// Closes files until they are read, if they were not read yet and can be opened again: a process can have only so
    /// many open files.
    pub fn close(&mut self) {
        self.steps.close();
    }

    /// Changes the shape of the records.
    ///
    /// # Errors
    ///
    /// A shape with another number of elements ([`mismatch`](ErrorKind::code)).
    pub fn reshaped(mut self, record_shape: impl AsRef<[u32]>) -> Result<Self, Error> {
        let record_shape = record_shape.as_ref();
        let Some(layout) = self.facts.layout.reshaped(record_shape) else {
            let wanted = RecordLayout::of_records(self.facts.layout.dtype, None, record_shape);
            let message = format!(
                "a record of {} cannot have the shape {}, which has another number of elements; choose sizes with the \
                 same product",
                self.facts.layout.shape_text(),
                wanted.shape_text()
            );
            return self.mismatch(message);
        };
        self.facts = Facts { layout, columns: None, ..self.facts };
        Ok(self)
    }

    /// Changes the numbers, or the order of rows and columns, of each record.
    ///
    /// # Errors
    ///
    /// Numbers of a type that IDX does not have, if no element type is given; normalized numbers that would become
    /// integers; records to transpose that are not images, or have other axes ([`unsupported`](ErrorKind::code));
    /// scaling or normalizing by a number that is not finite, or by a deviation that is not above 0
    /// ([`mismatch`](ErrorKind::code)); records that become larger than the limit
    /// ([`record_limit_exceeded`](ErrorKind::code)).
    pub fn changed(self, changes: &TransformOptions) -> Result<Self, Error> {
        let facts = self.left();
        let mut transform =
            Transform::new(&facts.layout, changes).map_err(|kind| self.error(kind))?;
        self.expect_within_limit(&transform.layout)?;
        if !transform.changes_records() {
            return Ok(self);
        }
        let facts = Facts { layout: transform.layout.clone(), ..facts };
        let change = move |records: &mut Record| transform.apply(records);
        let map = Map { takes_many: true, ..Map::each(Box::new(change)) };
        Ok(self.then(facts, Box::new(map)))
    }

    /// Returns the facts about the remaining records.
    pub(crate) fn left(&self) -> Facts {
        match self.taken {
            0 => self.facts.clone(),
            _ => self.facts.of_count(self.remaining()),
        }
    }

    /// Returns the number of remaining records, if it is known.
    pub(crate) fn remaining(&self) -> Option<u64> {
        self.facts.count.map(|count| count.saturating_sub(self.taken))
    }

    /// Returns the same records with their number known. If it is known only at the end, all records are read now, and
    /// kept.
    pub(crate) fn counted(self) -> Result<Self, Error> {
        self.counted_last(u64::MAX).map(|(source, _)| source)
    }

    /// Adds a step. The remaining records then have these facts.
    pub(super) fn then(self, facts: Facts, adapter: Box<dyn Adapter>) -> Self {
        let steps = Joined::one(Then { before: self.steps, adapter });
        Self { steps, facts, taken: 0, ..self }
    }

    /// Changes each of the remaining records, which then have these facts.
    pub(crate) fn mapped(
        self,
        facts: Facts,
        change: impl FnMut(&mut Record) -> Result<(), ErrorKind> + Send + 'static,
    ) -> Self {
        self.then(facts, Box::new(Map::each(Box::new(change))))
    }

    /// Works like [`mapped`](Self::mapped), but leaves out records that cannot be changed.
    pub(crate) fn mapped_or_skipped(self, facts: &Facts, change: Change) -> Self {
        let left_out = facts.left_out.max(LeftOut::Told);
        let facts = Facts { left_out, ..facts.of_count(None) };
        self.then(facts, Box::new(Map { skipped: Some(Vec::new()), ..Map::each(change) }))
    }

    /// Calls `read`, unless an earlier error has ended this source. An error ends it.
    pub(crate) fn unless_failed<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.has_failed {
            return Err(self.error(FileErrorKind::FailedEarlier));
        }
        let found = read(self);
        self.has_failed = found.is_err();
        found
    }

    /// Returns an error about the current input.
    pub(crate) fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        self.steps.error(kind)
    }

    /// Returns an error about inputs, labels or options that do not match.
    pub(crate) fn mismatch<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(self.error(ErrorKind::mismatch(message)))
    }
}
