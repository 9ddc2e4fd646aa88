use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, iter};

use super::class_names::ClassNames;
use super::classes::Classes;
use super::error::{Error, ErrorKind, Position, Setting};
use super::format::Format;
use super::input::Input;
use super::options::{OpenOptions, TransformOptions};
use super::record::{Change, Record, RecordFacts, RecordLayout, RecordSource, Skipped};
use super::selection::{Ranges, RecordSelection, beyond_last_record};
use super::transform::Transform;
use idx_std::__private::counted;
use idx_std::ErrorKind as FileErrorKind;

/// Records of one input, or of several of the same type and shape one after the other; chosen and changed.
///
/// [`open`](super::open) makes it. Each method adds a stage, whose order is fixed: inputs, their labels, a selection
/// by position, classes, changes of the numbers. A call that comes too late for its stage is an error, because it
/// would pair records with the wrong labels. So is reading on after an error:
/// [`failed_earlier`](idx_std::ErrorKind::code).
///
/// ```
/// use idx_data::open;
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("images"), &[200, 2, 2], &[7_u8; 200 * 4])?;
/// # idx_std::save(path("labels"), &[200], &[3_u8; 200])?;
///
/// let images = open(path("images"))?.with_labels(open(path("labels"))?)?;
/// let some = images.select(2..5)?.only(["3"])?;
/// assert!(some.with_labels(open(path("labels"))?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Source {
    inputs: Vec<Input>,
    /// Of all inputs together, and the one that was read last.
    labels: Option<Box<(Source, Record)>>,
    /// What is known of the records that come out.
    facts: RecordFacts,
    /// Of each record that is read, in this order.
    changes: Vec<Change>,
    ranges: Option<Ranges>,
    classes: Option<Classes>,
    transform: Option<Transform>,
    /// The current input, and the number of records read from it and from all.
    current: usize,
    position: u64,
    next: u64,
    /// The number of records that were read and have neither elements nor labels.
    empty: u64,
    /// Whether an error has ended it: what comes next might be paired with labels of its neighbors.
    has_failed: bool,
}

/// The maximum number of records without elements: a header of 20 bytes can claim 2^32 of them.
const MAX_EMPTY: u64 = 1 << 24;

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<&PathBuf> = self.inputs.iter().map(|input| &input.path).collect();
        f.debug_struct("Source")
            .field("inputs", &paths)
            .field("layout", &self.facts.layout)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl Source {
    /// Records of one input of the caller's own; the path is for messages. A record that is not what the facts of the
    /// source say is an error when it is read.
    #[must_use]
    pub fn new(path: impl AsRef<Path>, source: Box<dyn RecordSource>) -> Self {
        Self::of(Input::new(path.as_ref(), Vec::new(), source, None))
    }

    pub(super) fn of(input: Input) -> Self {
        Self {
            facts: input.facts.clone(),
            inputs: vec![input],
            labels: None,
            changes: Vec::new(),
            ranges: None,
            classes: None,
            transform: None,
            current: 0,
            position: 0,
            next: 0,
            empty: 0,
            has_failed: false,
        }
    }

    /// Limits the size of a record in bytes, as it is and as it may be changed; and says which column is the labels if
    /// the input itself has none.
    pub(super) fn limited(mut self, options: &OpenOptions) -> Result<Self, Error> {
        self.facts.record_limit = options.record_limit;
        self.facts.label_column = options.label_column.clone();
        self.expect_within_limit(&self.facts.layout)?;
        Ok(self)
    }

    fn expect_within_limit(&self, layout: &RecordLayout) -> Result<(), Error> {
        let limit = self.facts.record_limit;
        let needed = layout.record_size().unwrap_or(0); // then there are no records
        match needed > limit {
            true => Err(self.error(FileErrorKind::RecordLimitExceeded { limit, needed })),
            false => Ok(()),
        }
    }

    /// The records of this source, then those of another, each with its own labels and selection.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if they are of another type or shape, have other classes or columns of other names,
    /// or if only one of the two has labels.
    pub fn append(self, other: Self) -> Result<Self, Error> {
        let (found, expected) = (&other.facts.layout, &self.facts.layout);
        if found.dtype != expected.dtype || found.record_shape() != expected.record_shape() {
            return other.mismatch(format!(
                "cannot join inputs: the records of this one are {found}, those before are {expected}"
            ));
        }
        if other.facts.has_labels != self.facts.has_labels {
            let message = "some inputs have labels and some do not; convert them separately";
            return other.mismatch(message);
        }
        if other.facts.classes != self.facts.classes {
            let message = "the classes differ from those of the previous inputs; give all the same list of names, a \
                           classes.txt in each folder or beside the labels, or convert them separately";
            return other.mismatch(message);
        }
        let (columns, others) = (&self.facts.columns, &other.facts.columns);
        if let (Some(columns), Some(others)) = (columns, others)
            && let Some((index, (before, name))) =
                columns.iter().zip(others).enumerate().find(|(_, (before, name))| before != name)
        {
            let message = format!(
                "cannot join inputs: column {index} of these records is {name:?}, and was {before:?} before"
            );
            return Err(other.error(ErrorKind::mismatch(message).advise(Setting::ShapeOfColumns)));
        }
        let (mut joined, other) = (self.plain(), other.plain());
        let counts = joined.facts.count.zip(other.facts.count);
        let count = counts.map(|(sum, count)| sum.saturating_add(count));
        let may_skip = joined.facts.may_skip || other.facts.may_skip;
        let columns = joined.facts.columns.take().or(other.facts.columns);
        joined.facts = RecordFacts {
            may_skip,
            columns,
            leaves_labels: joined.facts.leaves_labels || other.facts.leaves_labels,
            ..joined.facts.of_count(count)
        };
        joined.inputs.extend(other.inputs.into_iter().map(|mut input| {
            input.close();
            input
        }));
        Ok(joined)
    }

    /// The same records as inputs alone, without a stage.
    fn plain(mut self) -> Self {
        if self.begun().is_none() && self.labels.is_none() && self.changes.is_empty() {
            return self;
        }
        if self.next > 0 {
            self.facts = self.facts.of_count(self.remaining());
        }
        let (path, formats) = self.origin();
        Self::of(Input::new(&path, formats, Box::new(self), None))
    }

    /// The same records with these facts, each of them changed.
    pub(super) fn mapped(self, facts: RecordFacts, change: Change) -> Self {
        // What was chosen before, was chosen by what it was.
        let mut source = if self.begun().is_some() { self.plain() } else { self };
        source.facts = match facts.count == source.facts.count {
            true => facts,
            false => facts.of_count(source.facts.count),
        };
        source.changes.push(change);
        source
    }

    pub(super) fn origin(&self) -> (PathBuf, Vec<Format>) {
        (self.path().to_path_buf(), self.formats().collect())
    }

    /// The formats of the inputs, as far as [`open`](super::open) made them.
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        self.inputs.iter().flat_map(|input| input.formats.iter().copied())
    }

    /// What was done to the records last, if they were chosen, changed or read.
    fn begun(&self) -> Option<&'static str> {
        match () {
            () if self.transform.is_some() => Some("changed"),
            () if self.classes.is_some() => Some("chosen by their classes"),
            () if self.ranges.is_some() => Some("selected"),
            () if self.next > 0 || self.has_failed => Some("read"),
            () => None,
        }
    }

    /// Changes the shape of the records.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if the shape has another number of elements.
    pub(super) fn reshaped(mut self, record_shape: &[u32]) -> Result<Self, Error> {
        let Some(layout) = self.facts.layout.reshaped(record_shape) else {
            let wanted = RecordLayout::of_records(self.facts.layout.dtype, None, record_shape);
            let message = format!(
                "a record of {} cannot have the shape {}, whose sizes multiply to another number",
                self.facts.layout.shape_text(),
                wanted.shape_text()
            );
            return Err(self.error(ErrorKind::mismatch(message).advise(Setting::Shape)));
        };
        self.facts = RecordFacts { layout, columns: None, ..self.facts };
        Ok(self)
    }

    /// Uses the labels of another source, one for each record of all inputs. If it has none, its records are the labels:
    /// integers, or the column of integers that [`label_column`](OpenOptions::label_column) names, by default the first.
    /// Names of their classes come with them.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if their number differs, if records were selected, changed or read before, or if
    /// damaged pictures are [skipped](super::PictureOptions::skip_damaged); [`unsupported`](ErrorKind::code) if they are
    /// not integers.
    pub fn with_labels(self, labels: Self) -> Result<Self, Error> {
        if let Some(begun) = self.begun() {
            let message =
                format!("records were {begun} before their labels; give the labels first");
            return self.mismatch(message);
        }
        if self.facts.may_skip || labels.facts.may_skip {
            let message = "damaged pictures are skipped, so labels of another file would go to the wrong pictures; \
                           remove the damaged ones and their labels, and skip none";
            return self.mismatch(message);
        }
        let labels = labels.into_labels()?;
        if let Some((found, records)) = labels.remaining().zip(self.facts.count)
            && found != records
        {
            let (found, records) = (counted(found, "label"), counted(records, "record"));
            return labels.miscounted(&format!("{found} but {records}"));
        }
        // The changes so far are not those of the new labels, nor are the names of the old ones.
        let mut labeled = if self.changes.is_empty() { self } else { self.plain() };
        let facts = &mut labeled.facts;
        let names = facts.classes.take().filter(|_| !facts.has_labels);
        facts.classes = labels.facts.classes.clone().or(names);
        (facts.has_labels, facts.label_type) = (true, labels.facts.label_type);
        labeled.labels = Some(Box::new((labels, Record::default())));
        Ok(labeled)
    }

    /// The error of so many labels for more records.
    fn too_few<T>(&self, count: u64) -> Result<T, Error> {
        self.miscounted(&format!("fewer labels than records, only {count}"))
    }

    /// The error of labels that are not as many as the records.
    fn miscounted<T>(&self, counts: &str) -> Result<T, Error> {
        self.mismatch(format!("{counts}; give the label file of these records"))
    }

    /// Gives names to the classes, by which [`only`](Self::only) and [`except`](Self::except) choose them.
    #[must_use]
    pub fn with_classes(mut self, names: ClassNames) -> Self {
        self.facts.classes = Some(names);
        self
    }

    /// Selects records by their positions.
    ///
    /// # Errors
    ///
    /// [`beyond_last_record`](ErrorKind::code) if a single record or the start of a range is beyond the last record;
    /// [`unsupported`](ErrorKind::code) for a record from the end if the number of records is not known, and for a
    /// range that ends before it starts; [`mismatch`](ErrorKind::code) if records were selected, changed or read before.
    pub fn select(mut self, records: impl Into<RecordSelection>) -> Result<Self, Error> {
        if let Some(begun) = self.begun() {
            return self.mismatch(format!(
                "records were {begun} before; select them once, before their classes and changes"
            ));
        }
        let ranges =
            Ranges::new(&records.into(), self.facts.count).map_err(|kind| self.error(kind))?;
        self.facts = self.facts.of_count(ranges.count());
        self.ranges = Some(ranges);
        // A range beyond the end is an error before anything is written.
        self.go_to_range()?;
        Ok(self)
    }

    /// Only the records of these classes, given by their labels or names; of no classes, none. Called again, it chooses
    /// among those before.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) for a class without a label, and for records without labels.
    pub fn only(self, classes: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, Error> {
        self.of_classes(|chosen, names| {
            chosen.only(Classes::labels(classes, names)?);
            Ok(())
        })
    }

    /// Without the records of these classes, given by their labels or names.
    ///
    /// # Errors
    ///
    /// As [`only`](Self::only).
    pub fn except(self, classes: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, Error> {
        self.of_classes(|chosen, names| {
            chosen.except(Classes::labels(classes, names)?);
            Ok(())
        })
    }

    /// Only the first records of each class, as many as this; fewer are an error when the end is reached.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) for records without labels.
    pub fn per_class(self, count: u64) -> Result<Self, Error> {
        self.of_classes(|chosen, _| {
            chosen.per_class(count);
            Ok(())
        })
    }

    fn of_classes(
        mut self,
        choose: impl FnOnce(&mut Classes, Option<&ClassNames>) -> Result<(), ErrorKind>,
    ) -> Result<Self, Error> {
        if !self.facts.has_labels {
            let message = "these records have no labels to choose by; give their labels";
            return self.mismatch(message);
        }
        let classes = self.classes.get_or_insert_default();
        choose(classes, self.facts.classes.as_ref()).map_err(|kind| self.error(kind))?;
        self.facts = self.facts.of_count(None);
        Ok(self)
    }

    /// Changes the numbers, or the order of rows and columns, of each record.
    ///
    /// # Errors
    ///
    /// [`unsupported`](ErrorKind::code) if IDX does not have the numbers of the source and no type is given, if
    /// normalized numbers would become integers, or if records to transpose are not images;
    /// [`mismatch`](ErrorKind::code) if the records are changed already, if a number to scale or normalize by is not
    /// finite, and for a deviation of 0.
    pub fn changed(mut self, changes: &TransformOptions) -> Result<Self, Error> {
        if self.transform.is_some() {
            let message = "these records are changed already; give all changes at once";
            return self.mismatch(message);
        }
        let transform =
            Transform::new(&self.facts.layout, changes).map_err(|kind| self.error(kind))?;
        self.expect_within_limit(transform.layout())?;
        self.facts.layout = transform.layout().clone();
        self.transform = Some(transform);
        Ok(self)
    }

    /// The index of the record that was read last, through all inputs; `None` before the first.
    #[must_use]
    pub fn last_index(&self) -> Option<u64> {
        self.next.checked_sub(1)
    }

    /// The one plain file of IDX that has these records as they are, if there is one.
    pub(super) fn plain_file(&self) -> Option<&Path> {
        let [Input { path, formats, open: Some(_), .. }] = &*self.inputs else {
            return None;
        };
        let is_changed = !self.changes.is_empty() || self.transform.is_some();
        (**formats == [Format::Idx] && !is_changed).then_some(path)
    }

    /// The selected records that are still to be read, as ranges. The end of the last may be [`u64::MAX`] if the
    /// number of records is not known.
    #[must_use]
    pub fn selected(&self) -> Vec<Range<u64>> {
        match &self.ranges {
            Some(ranges) => ranges.remaining(self.next),
            None => iter::once(self.next..self.facts.count.unwrap_or(u64::MAX)).collect(),
        }
    }

    /// The number of records that are still to be read, if it is known.
    pub(super) fn remaining(&self) -> Option<u64> {
        let lengths =
            self.selected().into_iter().map(|range| range.end.saturating_sub(range.start));
        self.facts.count.map(|_| lengths.fold(0, u64::saturating_add))
    }

    /// The current input, or the last one after the end.
    #[must_use]
    pub fn path(&self) -> &Path {
        let input = self.inputs.get(self.current).or(self.inputs.last());
        debug_assert!(input.is_some(), "there is at least one");
        input.map_or(Path::new(""), |input| &input.path)
    }

    /// An error about the current input.
    pub(super) fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        let kind: ErrorKind = kind.into();
        Error::from(kind).with_path(self.path())
    }

    /// The error of inputs, labels and options that do not match.
    pub(super) fn mismatch<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(self.error(ErrorKind::mismatch(message)))
    }

    /// An error about the current record.
    pub(super) fn record_error(&self, kind: impl Into<ErrorKind>) -> Error {
        let position = Position::from(self.position.saturating_sub(1));
        self.error(kind.into().at_position(position))
    }

    /// Reads the next record of the inputs, without the label from another file; `false` after the last input.
    fn read_input(&mut self, record: &mut Record) -> Result<bool, Error> {
        while let Some(input) = self.inputs.get_mut(self.current) {
            record.label = None;
            if input.source()?.read(record)? {
                self.position += 1;
                self.next += 1;
                if input.formats.is_empty() {
                    let expected = input.facts.expect(record, self.position - 1);
                    expected.map_err(|kind| self.error(kind))?;
                }
                if record.bytes.is_empty() && !self.facts.has_labels {
                    self.empty += 1;
                    if self.empty > MAX_EMPTY {
                        let message = format!(
                            "more than {MAX_EMPTY} records have no elements; check the sizes"
                        );
                        return Err(self.error(ErrorKind::unsupported(message)));
                    }
                }
                return Ok(true);
            }
            input.close();
            self.current += 1;
            self.position = 0;
        }
        Ok(false)
    }

    /// Reads the next record of the inputs with its label, changed; `false` after the last one, when the end was checked.
    fn read_any(&mut self, record: &mut Record) -> Result<bool, Error> {
        let is_read = self.read_labeled(record)?;
        if is_read {
            let changed = self.changes.iter_mut().try_for_each(|change| change(record));
            changed.map_err(|kind| self.record_error(kind))?;
        }
        Ok(is_read)
    }

    fn read_labeled(&mut self, record: &mut Record) -> Result<bool, Error> {
        let is_read = self.read_input(record)?;
        let Some((labels, label)) = self.labels.as_deref_mut() else {
            return Ok(is_read);
        };
        match (is_read, labels.read(label)?) {
            (true, true) => {
                record.label = label.label;
                Ok(true)
            }
            (false, false) => Ok(false),
            (true, false) => labels.too_few(self.next - 1),
            (false, true) => {
                let records = counted(self.next, "record");
                labels.miscounted(&format!("more labels than the {records}"))
            }
        }
    }

    /// Reads the next record of the selection; `false` after the last one.
    fn read_selected(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.ranges.as_ref().is_some_and(|ranges| ranges.is_at_end(self.next)) {
            let has_more = self.ranges.as_mut().is_some_and(Ranges::advance);
            if !has_more {
                return Ok(false);
            }
            self.go_to_range()?;
        }
        if self.read_any(record)? {
            return Ok(true);
        }
        match &self.ranges {
            Some(ranges) if self.next < ranges.required => {
                Err(self.error(beyond_last_record(self.next)))
            }
            _ => Ok(false),
        }
    }

    /// Skips the records before the current range.
    fn go_to_range(&mut self) -> Result<(), Error> {
        let Some(start) = self.ranges.as_ref().and_then(Ranges::start) else {
            return Ok(());
        };
        self.skip_any(start.saturating_sub(self.next))?;
        match self.next < start {
            true => Err(self.error(beyond_last_record(self.next))),
            false => Ok(()),
        }
    }

    /// Skips records of the inputs, and their labels.
    fn skip_any(&mut self, records: u64) -> Result<u64, Error> {
        let start = self.next;
        let end = start.saturating_add(records);
        let mut record = Record::default();
        while self.next < end {
            let Some(input) = self.inputs.get_mut(self.current) else {
                break;
            };
            let skipped = input.source()?.skip(end - self.next)?;
            self.next += skipped;
            self.position += skipped;
            // The end of an input is checked on the way to the next one.
            if self.next < end && !self.read_input(&mut record)? {
                break;
            }
        }
        let skipped = self.next - start;
        if let Some((labels, _)) = self.labels.as_deref_mut() {
            let of_these = labels.skip(skipped)?;
            if of_these < skipped {
                return labels.too_few(start + of_these);
            }
        }
        Ok(skipped)
    }

    /// Reads, unless an earlier error has ended this source; an error ends it.
    pub(super) fn unless_failed<T>(
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

    /// Reads the next record of the chosen classes, changed; `false` after the last one.
    fn read_chosen(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.read_selected(record)? {
            if self.classes.as_mut().is_none_or(|classes| classes.take(record.label)) {
                let changed =
                    self.transform.as_mut().map_or(Ok(()), |transform| transform.apply(record));
                return changed.map(|()| true).map_err(|error| self.record_error(error));
            }
        }
        let checked = self.classes.as_ref().map_or(Ok(()), Classes::check);
        checked.map(|()| false).map_err(|kind| self.error(kind))
    }
}

impl RecordSource for Source {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.inputs.iter().flat_map(Input::skipped).collect()
    }

    fn close(&mut self) {
        // The next record of the current input would be its first again.
        if self.next > 0 {
            return;
        }
        self.inputs.iter_mut().for_each(Input::close);
        if let Some((labels, _)) = self.labels.as_deref_mut() {
            labels.close();
        }
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        match self.ranges.is_some() || self.classes.is_some() {
            true => super::record::skip_by_reading(self, records),
            false => self.unless_failed(|source| source.skip_any(records)),
        }
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        self.unless_failed(|source| source.read_chosen(record))
    }
}
