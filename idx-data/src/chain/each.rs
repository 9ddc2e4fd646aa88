//! The caller's own functions for each record: to choose, to change, and to loop.

use std::{iter, mem};

use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step};
use crate::error::{Error, ErrorKind};
use crate::record::Record;

/// Keeps the records for which the function returns true.
struct Filter<F>(F);

impl<F: FnMut(&Record) -> bool + Send> Adapter for Filter<F> {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        while before.read(record)? {
            if self.0(record) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Source {
    /// Keeps the records for which `keep` returns true, with their labels.
    ///
    /// ```
    /// use std::collections::HashSet;
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("in.idx"), &[4, 2], &[1_u8, 2, 0, 0, 1, 2, 3, 4])?;
    ///
    /// // Without blanks and duplicates.
    /// let mut seen = HashSet::new();
    /// let clean = open(path("in.idx"))?.filter(move |record| {
    ///     record.bytes.iter().any(|byte| *byte > 0) && seen.insert(record.bytes.clone())
    /// });
    /// assert_eq!(clean.write(path("clean.idx"))?.records, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn filter(self, keep: impl FnMut(&Record) -> bool + Send + 'static) -> Self {
        let facts = self.facts().of_count(None);
        self.then(facts, Box::new(Filter(keep)))
    }

    /// Changes each record. Its type and shape stay; use [`changed`](Self::changed) and [`reshaped`](Self::reshaped)
    /// first for others. Reading is an error if `change` returns a record of another size, adds a label, or removes
    /// one.
    ///
    /// ```
    /// use idx_data::{ElementType, TransformOptions, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("in.idx"), &[2, 2], &[1_u8, 4, 9, 16])?;
    ///
    /// // The square root of each number.
    /// let floats = open(path("in.idx"))?.changed(&TransformOptions::new().element_type(ElementType::F32))?;
    /// let roots = floats.map(|mut record| {
    ///     for number in record.bytes.as_chunks_mut().0 {
    ///         *number = f32::from_be_bytes(*number).sqrt().to_be_bytes();
    ///     }
    ///     record
    /// });
    /// roots.write(path("roots.idx"))?;
    /// assert_eq!(idx_std::load::<f32>(path("roots.idx"))?[..], [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn map(self, mut change: impl FnMut(Record) -> Record + Send + 'static) -> Self {
        let facts = self.left().relabeled();
        let (size, like) = (facts.layout.record_size(), facts.clone());
        self.mapped(facts, move |record| {
            let (index, left_out) = (record.index, record.left_out);
            *record = Record { index, left_out, ..change(mem::take(record)) };
            like.expect_record(record, size, "function")
        })
    }

    /// Changes each label, for instance to merge classes. The class names stay with their numbers. If records have no
    /// labels, reading the first is an error. [`map`](Self::map) also gets the [index](Record::index) of the record.
    ///
    /// ```
    /// use idx_data::{Record, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 1], &[7_u8, 8, 9])?;
    /// # idx_std::save(path("a-labels.idx"), &[3], &[3_u8, 5, 2])?;
    ///
    /// let merged = open(path("a.idx"))?.map_labels(|label| if label == 5 { 3 } else { label });
    /// let labels: Result<Vec<_>, _> = merged.into_iter().map(|record| Ok(record?.label)).collect();
    /// assert_eq!(labels.map_err(|error: idx_data::Error| error)?, [Some(3), Some(3), Some(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn map_labels(self, mut change: impl FnMut(i128) -> i128 + Send + 'static) -> Self {
        let facts = self.left().relabeled();
        self.mapped(facts, move |record| {
            let label = record.label.ok_or_else(ErrorKind::no_labels)?;
            record.label = Some(change(label));
            Ok(())
        })
    }

    /// Returns an iterator over the remaining records. An error is the last item.
    ///
    /// ```
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[2, 2], &[1_u8, 2, 3, 4])?;
    /// # idx_std::save(path("b.idx"), &[2, 2], &[1_u8, 2, 3, 5])?;
    ///
    /// let (mut a, mut b) = (open(path("a.idx"))?, open(path("b.idx"))?);
    /// let mut equal = 0;
    /// for (a, b) in a.records().zip(b.records()) {
    ///     equal += u32::from(a?.bytes == b?.bytes);
    /// }
    /// assert_eq!(equal, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read).
    pub fn records(&mut self) -> impl Iterator<Item = Result<Record, Error>> + Send {
        let mut is_over = false;
        iter::from_fn(move || self.next_record(&mut is_over))
    }

    fn next_record(&mut self, is_over: &mut bool) -> Option<Result<Record, Error>> {
        if *is_over {
            return None;
        }
        let mut record = Record::default();
        let read = self.read(&mut record);
        *is_over = !matches!(read, Ok(true));
        read.map(|is_read| is_read.then_some(record)).transpose()
    }
}

/// Iterates over the remaining records, as [`records`](Source::records) does.
impl IntoIterator for Source {
    type Item = Result<Record, Error>;
    type IntoIter = Box<dyn Iterator<Item = Self::Item> + Send>;

    fn into_iter(mut self) -> Self::IntoIter {
        let mut is_over = false;
        Box::new(iter::from_fn(move || self.next_record(&mut is_over)))
    }
}
