use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::iter::FusedIterator;
use std::ops::Range;
use std::path::Path;

use idx_core::IdxRecord;

#[cfg(doc)]
use crate::ErrorKind;
use crate::data_set::compare_counts;
use crate::{Error, IdxBuf, Labeled, Reader, Writer};

/// Reads images with their labels, pair by pair, in constant memory: the streaming twin of
/// [`Labeled`], for sets that are larger than memory.
///
/// ```
/// use idx_std::LabeledReader;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../idx-cli/sample");
///
/// let images = format!("{folder}/digits-images-idx3-ubyte");
/// let labels = format!("{folder}/digits-labels-idx1-ubyte");
/// let mut pairs = LabeledReader::<[[u8; 28]; 28], u8>::open(images, labels)?;
/// let (image, label) = pairs.next().expect("there are 200")?;
/// while let Some(batch) = pairs.next_batch(64) {
///     let targets = batch?.one_hot(0..=9)?;
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
///
/// A set in plain files can also be mapped into memory, and be a [`Labeled`] with all that this can.
#[derive(Debug)]
pub struct LabeledReader<I, L, R: Read = File, S: Read = File> {
    images: Reader<I, R>,
    labels: Reader<L, S>,
    /// An error that comes after a batch.
    fault: Option<Error>,
    ended: bool,
}

impl<I: IdxRecord, L: IdxRecord> LabeledReader<I, L> {
    /// Opens a file of images and the file of their labels.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`], and [`ErrorKind::LabelCount`].
    pub fn open(images: impl AsRef<Path>, labels: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(Reader::open(images)?, Reader::open(labels)?)
    }
}

impl<I: IdxRecord, L: IdxRecord, R: Read, S: Read> LabeledReader<I, L, R, S> {
    /// Puts a reader of images and one of labels together, which gave as many records yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LabelCount`].
    pub fn new(images: Reader<I, R>, labels: Reader<L, S>) -> Result<Self, Error> {
        compare_counts(
            (labels.path(), labels.header().record_count()),
            (images.path(), images.header().record_count()),
        )?;
        Ok(Self {
            images,
            labels,
            fault: None,
            ended: false,
        })
    }

    /// The next `size` pairs, or as many as are left, as a set of their own; 0 counts as 1.
    ///
    /// `None` after the last one. An error comes after the pairs before it.
    pub fn next_batch(&mut self, size: usize) -> Option<Result<Labeled<I, L>, Error>> {
        self.collect(size.max(1)).transpose()
    }

    fn collect(&mut self, size: usize) -> Result<Option<Labeled<I, L>>, Error> {
        let mut images = Writer::new(Cursor::new(Vec::new()))?;
        let mut labels = Writer::new(Cursor::new(Vec::new()))?;
        let mut count = 0;
        while count < size {
            match self.next().transpose() {
                Ok(Some((image, label))) => {
                    images.push(&image)?;
                    labels.push(&label)?;
                    count += 1;
                }
                Ok(None) => break,
                Err(error) if count == 0 => return Err(error),
                Err(error) => {
                    self.fault = Some(error);
                    break;
                }
            }
        }
        if count == 0 {
            return Ok(None);
        }
        let images = IdxBuf::from_bytes(images.finish()?.into_inner())?;
        let labels = IdxBuf::from_bytes(labels.finish()?.into_inner())?;
        Labeled::new(images, labels).map(Some)
    }
}

impl<I: IdxRecord, L: IdxRecord, R: Read + Seek, S: Read + Seek> LabeledReader<I, L, R, S> {
    /// Goes to the first of these pairs, and ends after the last; see
    /// [`DynReader::select`](crate::DynReader::select).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn select(&mut self, pairs: Range<u64>) -> Result<(), Error> {
        self.images.select(pairs.clone())?;
        self.labels.select(pairs)?;
        self.fault = None;
        self.ended = false;
        Ok(())
    }
}

impl<I: IdxRecord, L: IdxRecord, R: Read, S: Read> Iterator for LabeledReader<I, L, R, S> {
    type Item = Result<(I, L), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return self.fault.take().map(Err);
        }
        let last = match (self.images.next(), self.labels.next()) {
            (Some(Ok(image)), Some(Ok(label))) => return Some(Ok((image, label))),
            (Some(Err(error)), _) | (_, Some(Err(error))) => Some(Err(error)),
            // There are as many of both.
            _ => None,
        };
        self.ended = true;
        last
    }
}

impl<I: IdxRecord, L: IdxRecord, R: Read, S: Read> FusedIterator for LabeledReader<I, L, R, S> {}
