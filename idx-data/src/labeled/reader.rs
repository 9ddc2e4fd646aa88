use std::fs::File;
use std::io::Read;
use std::iter::FusedIterator;
use std::ops::RangeBounds;
use std::path::Path;

use idx_std::IdxRecord;

use super::Labeled;
use crate::Error;
#[cfg(doc)]
use crate::ErrorKind;
use crate::dataset::check_count;
use idx_std::HeaderBuf;
use idx_std::{IdxBuf, Reader, RecordReader};

/// Reads images with their labels, pair by pair, in constant memory: the streaming twin of
/// [`Labeled`], for sets that are larger than memory.
///
/// ```
/// use idx_data::LabeledReader;
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// # idx_std::save(folder.join("digits-images-idx3-ubyte"), &[200, 28, 28], &[7_u8; 200 * 784]).unwrap();
/// # idx_std::save(folder.join("digits-labels-idx1-ubyte"), &[200], &[7_u8; 200]).unwrap();
///
/// let images = folder.join("digits-images-idx3-ubyte");
/// let labels = folder.join("digits-labels-idx1-ubyte");
/// let mut pairs = LabeledReader::<[[u8; 28]; 28], u8>::open(images, labels)?;
/// let (image, label) = pairs.next().expect("there are 200")?;
/// while let Some(batch) = pairs.next_batch(64) {
///     let targets = batch?.one_hot(0..=9)?;
/// }
/// # Ok::<(), idx_data::Error>(())
/// ```
///
/// A set in plain files can also be mapped into memory and become a [`Labeled`], with all its methods.
#[derive(Debug)]
pub struct LabeledReader<I, L, R: Read = File> {
    images: RecordReader<I, R>,
    labels: RecordReader<L, R>,
    /// An error to report after a batch.
    fault: Option<Error>,
    ended: bool,
}

impl<I: IdxRecord, L: IdxRecord> LabeledReader<I, L> {
    /// Opens a file of images and the file of their labels.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::File`] and [`ErrorKind::LabelCount`].
    pub fn open(images: impl AsRef<Path>, labels: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(Reader::open(images)?.records()?, Reader::open(labels)?.records()?)
    }
}

impl<I: IdxRecord, L: IdxRecord, R: Read> LabeledReader<I, L, R> {
    /// Pairs two readers, which must be at the same record.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LabelCount`].
    pub fn new(images: RecordReader<I, R>, labels: RecordReader<L, R>) -> Result<Self, Error> {
        check_count((labels.path(), labels.header()), (images.path(), images.header()))?;
        Ok(Self { images, labels, fault: None, ended: false })
    }

    /// Selects the pairs that come next, and returns their number; see
    /// [`Reader::select`](crate::Reader::select).
    ///
    /// # Errors
    ///
    /// Those of [`Reader::select`](crate::Reader::select). An error that is known before either reader moves, such as
    /// a range beyond the end, leaves both where they were; after any other error the reader returns `None`.
    pub fn select(&mut self, pairs: impl RangeBounds<u64> + Clone) -> Result<u64, Error> {
        self.images.check_selection(pairs.clone())?;
        self.labels.check_selection(pairs.clone())?;
        self.ended = true;
        self.fault = None;
        let count = self.images.select(pairs.clone())?;
        self.labels.select(pairs)?;
        self.ended = false;
        Ok(count)
    }

    /// The next `size` pairs, or the remaining ones, as a set of their own; 0 counts as 1.
    ///
    /// `None` after the last one. An error comes after the pairs before it.
    pub fn next_batch(&mut self, size: usize) -> Option<Result<Labeled<I, L>, Error>> {
        self.collect(size.max(1)).transpose()
    }

    fn collect(&mut self, size: usize) -> Result<Option<Labeled<I, L>>, Error> {
        let (mut images, mut labels, mut count) = (Vec::new(), Vec::new(), 0);
        while count < size {
            match self.next_bytes() {
                Some(Ok((image, label))) => {
                    images.extend_from_slice(image);
                    labels.extend_from_slice(label);
                    count += 1;
                }
                None => break,
                Some(Err(error)) if count == 0 => return Err(error),
                Some(Err(error)) => {
                    self.fault = Some(error);
                    break;
                }
            }
        }
        if count == 0 {
            return Ok(None);
        }
        let images = file_of(self.images.header(), count, &images)?;
        let labels = file_of(self.labels.header(), count, &labels)?;
        Labeled::new(images, labels).map(Some)
    }

    /// The bytes of the next image and of its label, whose values were checked.
    fn next_bytes(&mut self) -> Option<Result<PairBytes<'_>, Error>> {
        if self.ended {
            return self.fault.take().map(Err);
        }
        // It ends here, unless both records arrive.
        self.ended = true;
        match (self.images.next_bytes(), self.labels.next_bytes()) {
            (Some(Ok(image)), Some(Ok(label))) => {
                self.ended = false;
                Some(Ok((image, label)))
            }
            (Some(Err(error)), _) | (_, Some(Err(error))) => Some(Err(error.into())),
            // There are as many labels as images, so both end at once.
            _ => None,
        }
    }
}

/// The bytes of an image and of its label.
type PairBytes<'a> = (&'a [u8], &'a [u8]);

/// A file of `count` records, with the type and shape of another file.
fn file_of(header: &HeaderBuf, count: usize, records: &[u8]) -> Result<IdxBuf, Error> {
    // At most as many as the other file has.
    let count = u32::try_from(count);
    debug_assert!(count.is_ok(), "a header counts with 32 bits");
    let count = count.unwrap_or(u32::MAX);
    let mut bytes = header.with_record_count(count).to_bytes();
    bytes.extend_from_slice(records);
    Ok(IdxBuf::from_bytes(bytes)?)
}

impl<I: IdxRecord, L: IdxRecord, R: Read> Iterator for LabeledReader<I, L, R> {
    type Item = Result<(I, L), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_bytes()?.map(|(image, label)| {
            let pair = I::decode(image).zip(L::decode(label));
            debug_assert!(pair.is_some(), "the values were checked");
            pair.unwrap_or((I::FILL, L::FILL))
        }))
    }
}

impl<I: IdxRecord, L: IdxRecord, R: Read> FusedIterator for LabeledReader<I, L, R> {}
