//! Reads a source into a `Labeled`, as a whole or batch by batch.

use std::sync::Arc;

use idx_std::__private::alloc;
use idx_std::{HeaderBuf, IdxBuf, IdxRecord};

use crate::ErrorKind;
use crate::Source;
use crate::chain::with_label;
use crate::error::{At, Error};
use crate::labeled::{Labeled, bytes};
use crate::record::value::append_label;
use crate::record::{Facts, Record, RecordLayout, RecordSource};

impl Source {
    /// Reads all records and their labels into memory, to train with them. To learn which files are left out, such as
    /// damaged pictures, read everything as one [batch](Self::next_batch) and then call [`skipped`](Self::skipped).
    ///
    /// # Errors
    ///
    /// The errors of reading; records of another type than `I` ([`ErrorKind::File`]); records without labels, or a type
    /// `L` with several elements, which only [`Labeled::open`] reads ([`mismatch`](ErrorKind::code)); a label that does
    /// not fit in `L` ([`out_of_range`](ErrorKind::code)); values that the types do not allow
    /// ([`malformed`](ErrorKind::code)).
    ///
    /// ```
    /// use idx_data::{Labeled, OpenOptions, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("digits.csv");
    /// # #[cfg(feature = "csv")] {
    ///
    /// std::fs::write(&path, "7,0,255,255,0\n3,9,9,9,9\n")?; // a label and 2 x 2 pixels
    /// let options = OpenOptions::new().label_column(0).shape([2, 2]);
    /// let set: Labeled<[[u8; 2]; 2], u8> = options.open(&path)?.collect()?;
    /// assert_eq!(set.get(1), Some(([[9, 9], [9, 9]], 3)));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn collect<I: IdxRecord, L: IdxRecord>(mut self) -> Result<Labeled<I, L>, Error> {
        self.gather(usize::MAX)
    }

    /// Reads the next `size` records with their labels, or the remaining ones if there are fewer, to train with a set
    /// that is larger than memory. A `size` of 0 counts as 1. Returns `None` after the last record.
    ///
    /// # Errors
    ///
    /// The errors of [`collect`](Self::collect). An error ends the source: the records read before it are in no batch,
    /// and the next call is the error [`failed_earlier`](idx_std::ErrorKind::code).
    ///
    /// ```
    /// use idx_data::{Labeled, open_pair};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// # idx_std::save(path("train-images-idx3-ubyte"), &[200, 28, 28], &[7_u8; 200 * 784])?;
    /// # idx_std::save(path("train-labels-idx1-ubyte"), &[200], &[7_u8; 200])?;
    ///
    /// let images = path("train-images-idx3-ubyte");
    /// let mut pairs = open_pair(images, path("train-labels-idx1-ubyte"))?;
    /// let mut lengths = Vec::new();
    /// while let Some(batch) = pairs.next_batch::<[[u8; 28]; 28], u8>(64)? {
    ///     let targets = batch.one_hot(0..=9)?;
    ///     lengths.push(batch.len());
    /// }
    /// assert_eq!(lengths, [64, 64, 64, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_batch<I: IdxRecord, L: IdxRecord>(
        &mut self,
        size: usize,
    ) -> Result<Option<Labeled<I, L>>, Error> {
        let batch = self.unless_failed(|source| source.gather(size.max(1)))?;
        Ok(Some(batch).filter(|batch| !batch.is_empty()))
    }

    /// Reads at most `max` records.
    fn gather<I: IdxRecord, L: IdxRecord>(&mut self, max: usize) -> Result<Labeled<I, L>, Error> {
        if !self.facts().has_labels {
            return Err(self.error(ErrorKind::no_labels()));
        }
        if !L::SHAPE.is_empty() {
            return self
                .mismatch("labels with several elements can only be read from their own file");
        }
        let element_type = self.facts().layout.element_type().map_err(|kind| self.error(kind))?;
        let dims = [&[0], self.facts().layout.record_shape()].concat();
        let mut images = HeaderBuf::new(element_type, &dims)?.to_bytes();
        let mut labels = HeaderBuf::new(L::ELEMENT, &[0])?.to_bytes();
        let (mut count, mut block, mut of_block) = (0_u32, Record::default(), Vec::new());
        if max == usize::MAX {
            self.reserve(&mut images, None)?;
        }
        while (count as usize) < max {
            of_block.clear();
            // A block may have more records than a batch.
            let read = match max {
                usize::MAX => self.read_some(&mut block, Some(&mut of_block))?,
                _ => with_label(self.read(&mut block)?, &block, &mut of_block),
            };
            let Some(size) = (block.bytes.len() as u64).checked_div(read) else {
                break;
            };
            let full = || idx_std::ErrorKind::TooManyRecords { max: u32::MAX.into() };
            let sum = u32::try_from(read).ok().and_then(|read| count.checked_add(read));
            count = sum.ok_or_else(full)?;
            alloc::grow(&mut images, block.bytes.len(), u64::MAX)?;
            alloc::grow(&mut labels, of_block.len() * L::SIZE, u64::MAX)?;
            images.extend_from_slice(&block.bytes);
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            for (place, label) in of_block.iter().enumerate() {
                let image = block.bytes.get(place * size..(place + 1) * size).unwrap_or_default();
                let start = labels.len();
                let allowed = append_label(*label, L::ELEMENT, &mut labels).and_then(|()| {
                    let number = labels.get(start..).unwrap_or_default();
                    expect_allowed::<I, L>(image, number, *label)
                });
                let index = block.index + place as u64;
                allowed.map_err(|kind| self.error(kind).with_position(index))?;
            }
        }
        for bytes in [&mut images, &mut labels] {
            // The first size, after the magic number.
            if let Some(records) = bytes.get_mut(4..8) {
                records.copy_from_slice(&count.to_be_bytes());
            }
        }
        let (images, labels) = (IdxBuf::from_bytes(images)?, IdxBuf::from_bytes(labels)?);
        let set = Labeled::new(images, labels).at(self.path())?;
        Ok(Labeled { classes: self.facts().classes.clone().map(Arc::new), ..set })
    }
}

/// Checks that the types of images and labels allow these values. It cannot be left to the batch, which does not know
/// the indices of its records.
fn expect_allowed<I: IdxRecord, L: IdxRecord>(
    image: &[u8],
    number: &[u8],
    label: i128,
) -> Result<(), ErrorKind> {
    let message = match I::CONSTRAINT.first_violation(I::ELEMENT, image) {
        Some((_, value)) => format!("the record contains {value}, which its type does not allow"),
        None if L::CONSTRAINT.allows(L::ELEMENT, number) => return Ok(()),
        None => format!("the type of the labels does not allow the label {label}"),
    };
    Err(ErrorKind::malformed(format!("{message}; correct it, or take a type that allows it")))
}

impl<I: IdxRecord + Send + Sync + 'static, L: IdxRecord + Send + Sync + 'static> Labeled<I, L> {
    /// Returns the images and their classes as a source, in the order of the set, for instance to write them in another
    /// format.
    #[must_use]
    pub fn to_source(&self) -> Source {
        let count = self.len() as u64;
        let layout = RecordLayout::of_records(I::ELEMENT, Some(count), I::SHAPE);
        let facts = Facts {
            has_labels: true,
            label_type: Some(L::ELEMENT).filter(|element_type| !element_type.is_float()),
            classes: self.classes().cloned(),
            ..Facts::new(layout, Some(count))
        };
        Source::new(self.path(), LabeledRecords { set: self.clone(), facts, next: 0 })
    }
}

/// The pairs of a set, read one after the other.
struct LabeledRecords<I, L> {
    set: Labeled<I, L>,
    facts: Facts,
    next: usize,
}

impl<I: IdxRecord + Send + Sync, L: IdxRecord + Send + Sync> RecordSource for LabeledRecords<I, L> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(index) = self.set.order.get(self.next) else {
            return Ok(false);
        };
        self.next += 1;
        record.set_bytes(bytes(&self.set.images, index));
        record.label = Some(self.set.class_of(index).into());
        Ok(true)
    }
}
