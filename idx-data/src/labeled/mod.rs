//! Images with labels in memory: subsets, shuffles, splits and batches without copies.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::{Builder, JoinHandle};
use std::{fmt, iter};

use crate::chain::{Choice, ClassSelection, Labels, stratified};
use crate::error::{Error, ErrorKind};
use crate::known::pair::{check_count, expect_pair};
use crate::names::class_names::ClassNames;
use crate::record::label::LabelRows;
use crate::stats::{Stats, Summary};
use idx_std::__private::alloc;
use idx_std::{Element, ErrorKind as FileErrorKind, IdxBuf, IdxRecord, RecordsBuf, open};
pub use normalize::Normalize;
use order::Order;
pub use split_size::SplitSize;

mod order;
mod normalize;
mod split_size;
mod files;
mod collect;

/// Images with their labels, in an order: a data set, a part of one, or a batch.
///
/// The bytes of both files are shared and never copied: a subset, a shuffled set or a batch is a list of record
/// numbers, or a slice of one. So all of them have this type, are cheap to make and to clone, and can be shared by
/// threads.
///
/// The images are records of any type. A label is an integer, which is the class; or one-hot, with a single 1 among
/// zeros; or a label of QMNIST, with the class as the first of eight elements.
///
/// ```
/// use idx_std::IdxBuf;
/// use idx_data::{Labeled, Normalize};
///
/// // Five images of 1 x 2 bytes, of the classes 0 and 1.
/// let images = [0, 0, 8, 3, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 255];
/// let labels = [0, 0, 8, 1, 0, 0, 0, 5, 0, 0, 1, 0, 1];
/// let set = Labeled::<[[u8; 2]; 1], u8>::new(
///     IdxBuf::from_bytes(images)?,
///     IdxBuf::from_bytes(labels)?,
/// )?;
/// assert_eq!(set.get(4), Some(([[8, 255]], 1)));
/// assert_eq!(set.only([1])?.iter().map(|(image, _)| image[0][0]).collect::<Vec<_>>(), [4, 8]);
/// assert_eq!(set.labels().collect::<Vec<u8>>(), [0, 0, 1, 0, 1]);
/// assert_eq!(set.elements::<u8>()?.len(), 5 * 2);
///
/// let [training, validation] = set.shuffled(7).stratified().split([3, 2])?;
/// assert_eq!((training.len(), validation.len()), (3, 2));
/// for batch in training.batches(2) {
///     let pixels: Vec<f32> = batch.pixels(Normalize::UNIT)?; // from 0 to 1, two for each image
///     let targets: Vec<f32> = batch.one_hot(0..=1)?;
///     assert_eq!((pixels.len(), targets.len()), (2 * batch.len(), 2 * batch.len()));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Labeled<I, L> {
    images: Arc<RecordsBuf<I>>,
    labels: Arc<RecordsBuf<L>>,
    order: Order,
    classes: Option<Arc<ClassNames>>,
}

impl<I: IdxRecord, L: IdxRecord> Labeled<I, L> {
    /// Reads a file of images and the file of their labels into memory.
    ///
    /// For untrusted files, read both with a limit ([`ReadOptions`](crate::ReadOptions)) and pass them to
    /// [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// The errors of [`open`] and of [`new`](Self::new); files that are swapped, or other labels than those of
    /// well-known images ([`other_data_set`](ErrorKind::code)). To read corrected labels, use
    /// [`open_pair`](crate::open_pair) and [`Source::collect`](crate::Source::collect).
    ///
    /// ```no_run
    /// use idx_data::dataset::mnist::{Image, QmnistLabel};
    /// use idx_data::Labeled;
    ///
    /// let test = Labeled::<Image, QmnistLabel>::open(
    ///     "qmnist-test-images-idx3-ubyte.gz",
    ///     "qmnist-test-labels-idx2-int.gz",
    /// )?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(images: impl AsRef<Path>, labels: impl AsRef<Path>) -> Result<Self, Error> {
        let (images, labels) = (open(images)?, open(labels)?);
        expect_pair::<I, L>(&images, &labels)?;
        Self::new(images, labels)
    }

    /// Pairs images and labels that are already in memory.
    ///
    /// ```
    /// use idx_data::{IdxBuf, Labeled};
    ///
    /// let images = IdxBuf::from_records(&[[[0_u8, 255]; 2], [[255, 0]; 2]])?;
    /// let set = Labeled::<[[u8; 2]; 2], u8>::new(images, IdxBuf::from_records(&[3_u8, 7])?)?;
    /// assert_eq!(set.get(1), Some(([[255, 0]; 2], 7)));
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file whose element type, shape or values are not those of the record type ([`ErrorKind::File`]); a label count
    /// that differs from the image count ([`ErrorKind::LabelCount`]); labels with several elements that do not state a
    /// class ([`mismatch`](ErrorKind::code)).
    ///
    /// ```no_run
    /// use idx_std::ReadOptions;
    /// use idx_data::Labeled;
    /// use idx_data::dataset::mnist::Image;
    ///
    /// let read = ReadOptions::new().limit(100 << 20);
    /// let set = Labeled::<Image, u8>::new(read.open("images.gz")?, read.open("labels.gz")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(images: IdxBuf, labels: IdxBuf) -> Result<Self, Error> {
        const {
            assert!(
                L::SIZE > 0 && !(L::ELEMENT.is_float() && is_single::<L>()),
                "a label is its class, an integer, or one-hot; take labels of integers"
            );
        }
        let count = |file: &IdxBuf| file.header().record_count().into();
        check_count((labels.path(), count(&labels)), (images.path(), count(&images)))?;
        let len = images.as_idx().len();
        let labels = labels.into_records()?;
        expect_classes(&labels)?;
        Ok(Self {
            images: Arc::new(images.into_records()?),
            labels: Arc::new(labels),
            order: Order::of_file(len),
            classes: None,
        })
    }

    /// Names the classes. [`only`](Self::only) and [`except`](Self::except) choose by these names.
    /// `ClassNames::from(DataSet::FashionMnist)` has those of a known data set.
    #[must_use]
    pub fn with_classes(self, names: ClassNames) -> Self {
        Self { classes: Some(Arc::new(names)), ..self }
    }

    /// Returns the class names, if they are known.
    #[must_use]
    pub fn classes(&self) -> Option<&ClassNames> {
        self.classes.as_deref()
    }

    /// Returns the path of the images, which is empty if they were not read from a file.
    pub(crate) fn path(&self) -> &Path {
        self.images.path().unwrap_or(Path::new(""))
    }

    /// Returns the number of images.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns whether there are no images.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an image and its label; `None` beyond the last one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<(I, L)> {
        self.order.get(index).map(|record| self.pair(record))
    }

    /// Returns all images with their labels.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, L)> + ExactSizeIterator {
        self.order.iter().map(|record| self.pair(record))
    }

    /// Returns all labels, without their images.
    #[must_use]
    pub fn labels(&self) -> impl DoubleEndedIterator<Item = L> + ExactSizeIterator {
        self.order.iter().map(|record| value(&self.labels, record))
    }

    /// Returns the elements of all images, one image after the other: a matrix of [`len`](Self::len) rows.
    ///
    /// `E` must be the element type of the images; any other does not compile.
    ///
    /// # Errors
    ///
    /// Not enough memory ([`ErrorKind::File`]).
    pub fn elements<E: Element>(&self) -> Result<Vec<E>, Error> {
        const {
            assert!(
                I::ELEMENT.code() == E::ELEMENT.code(),
                "take the elements as the type that the images have"
            );
        }
        let mut elements = Vec::new();
        alloc::reserve(&mut elements, self.len().saturating_mul(I::SIZE / E::SIZE))?;
        for record in self.order.iter() {
            elements.extend(bytes(&self.images, record).chunks(E::SIZE).filter_map(E::decode));
        }
        Ok(elements)
    }

    /// Returns an image borrowed from the file's bytes; `None` beyond the last one.
    ///
    /// Only for records with the memory layout of the file; see [`ZeroCopy`](idx_std::ZeroCopy).
    #[cfg(feature = "zero-copy")]
    #[must_use]
    pub fn image(&self, index: usize) -> Option<&I>
    where
        I: idx_std::ZeroCopy,
    {
        self.images.as_records().get_ref(self.order.get(index)?)
    }

    /// Returns the index of an image in the files; `None` beyond the last one.
    #[must_use]
    pub fn file_index(&self, index: usize) -> Option<usize> {
        self.order.get(index)
    }

    /// Returns the number of images of each class that occurs.
    #[must_use]
    pub fn class_counts(&self) -> BTreeMap<i32, usize> {
        let mut counts = BTreeMap::new();
        for class in self.class_numbers() {
            *counts.entry(class).or_default() += 1;
        }
        counts
    }

    /// Returns the mean and the deviation of the pixels, and the other fields of [`Summary`].
    ///
    /// ```
    /// use idx_data::{IdxBuf, Labeled};
    ///
    /// let images = IdxBuf::from_records(&[[[0_u8, 255]; 2], [[255, 0]; 2]])?;
    /// let set = Labeled::<[[u8; 2]; 2], u8>::new(images, IdxBuf::from_records(&[3_u8, 7])?)?;
    /// assert_eq!(set.summary().mean, Some(127.5)); // `None` without images
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut stats = Stats::new(I::ELEMENT);
        for record in self.order.iter() {
            stats.push_bytes(bytes(&self.images, record));
        }
        stats.summary()
    }

    /// Returns the images at these indices, in their order; a repeated index repeats the image. To select a range:
    /// `subset(0..100)`.
    ///
    /// # Errors
    ///
    /// An index that is out of range ([`ErrorKind::File`]).
    #[doc(alias = "select")]
    pub fn subset(&self, indices: impl IntoIterator<Item = usize>) -> Result<Self, Error> {
        let record = |index| {
            let (record, count) = (index as u64, self.len() as u64);
            self.order.get(index).ok_or(FileErrorKind::IndexOutOfRange { record, count })
        };
        let records: Result<Vec<_>, _> = indices.into_iter().map(record).collect();
        Ok(self.with(Order::of_records(records?)))
    }

    /// Keeps the images of these classes, given by label or name. An empty list keeps none.
    ///
    /// # Errors
    ///
    /// A class that does not occur, or an unknown class name ([`mismatch`](ErrorKind::code)).
    pub fn only(&self, classes: impl Into<ClassSelection>) -> Result<Self, Error> {
        self.chosen(classes.into().labels(self.classes()).map(Choice::Only))
    }

    /// Removes the images of these classes, given by label or name.
    ///
    /// # Errors
    ///
    /// The errors of [`only`](Self::only).
    pub fn except(&self, classes: impl Into<ClassSelection>) -> Result<Self, Error> {
        self.chosen(classes.into().labels(self.classes()).map(Choice::Except))
    }

    fn chosen(&self, choice: Result<Choice, ErrorKind>) -> Result<Self, Error> {
        let labels = self.class_numbers().map(i128::from);
        let positions = choice.and_then(|choice| choice.positions(labels));
        let positions = positions.map_err(|kind| Error::from(kind).at(self.images.path()))?;
        Ok(self.in_order(&positions))
    }

    /// Returns the first `count` images of each class that occurs. After [`shuffled`](Self::shuffled), these are random
    /// ones.
    ///
    /// # Errors
    ///
    /// A class with fewer images ([`not_enough_records`](ErrorKind::code)).
    #[doc(alias = "balance")]
    pub fn per_class(&self, count: usize) -> Result<Self, Error> {
        self.chosen(Ok(Choice::PerClass(count as u64)))
    }

    /// Returns the same images in a random order. The same seed gives the same order on every machine and in every
    /// version of this crate.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Self {
        self.with(self.order.shuffled(seed))
    }

    /// Returns the same images in an order that spreads each class evenly.
    ///
    /// A [`split`](Self::split) of this order is stratified, like [`Source::split`](crate::Source::split): each part
    /// has its share of each class, to within two images if the classes are equally large. The order within a class
    /// does not change, so call [`shuffled`](Self::shuffled) before, to get random parts, and again after the split,
    /// for training. `split([0.2; 5])` makes folds for cross-validation; [`join`](Self::join) all but one to train.
    #[must_use]
    pub fn stratified(&self) -> Self {
        let labels = Labels::of(self.class_numbers().map(i128::from));
        let positions = stratified(self.len(), |record| labels.class(record), |_| {});
        self.in_order(&positions)
    }

    /// Splits the set into parts, by numbers of images (`[50_000, 10_000]`) or by fractions (`[0.8, 0.1, 0.1]`), in the
    /// order of the set.
    ///
    /// The remaining images are in no part. Fractions that add up to 1 leave none.
    ///
    /// # Errors
    ///
    /// Parts with more images in all than the set ([`not_enough_records`](ErrorKind::code)); a fraction below 0 or
    /// above 1 ([`mismatch`](ErrorKind::code)).
    #[doc(alias = "train_test_split")]
    pub fn split<const N: usize>(
        &self,
        sizes: [impl Into<SplitSize>; N],
    ) -> Result<[Self; N], Error> {
        let mut ranges = [const { 0..0 }; N];
        let mut end = SplitSize::default();
        for (range, size) in ranges.iter_mut().zip(sizes) {
            let start = end.of(self.len());
            end = end.plus(size.into())?;
            *range = start..end.of(self.len());
            if range.end > self.len() {
                let (wanted, found) = (range.end as u64, self.len() as u64);
                let kind = ErrorKind::NotEnoughRecords { class: None, wanted, found };
                return Err(Error::from(kind).at(self.images.path()));
            }
        }
        Ok(ranges.map(|range| self.slice(range)))
    }

    /// Returns all images in batches of `size`. The last batch may be smaller. A `size` of 0 counts as 1.
    ///
    /// Each batch is itself a set. [`pixels`](Self::pixels) and [`one_hot`](Self::one_hot) return what a model takes.
    #[doc(alias = "chunks")]
    #[must_use]
    pub fn batches(&self, size: usize) -> impl ExactSizeIterator<Item = Self> + use<I, L> {
        let size = size.max(1);
        let all = self.clone();
        (0..self.len().div_ceil(size)).map(move |batch| {
            let start = batch * size;
            all.slice(start..start.saturating_add(size).min(all.len()))
        })
    }

    /// Calls `prepare` for each of the [`batches`](Self::batches) and returns the results. Another thread prepares up
    /// to two batches ahead. A panic in `prepare` continues in the iterator.
    ///
    /// ```
    /// # use idx_std::IdxBuf;
    /// use idx_data::{Labeled, Normalize};
    /// # let images = [0, 0, 8, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 51, 255];
    /// # let labels = [0, 0, 8, 1, 0, 0, 0, 3, 0, 1, 1];
    /// # let set = Labeled::<[u8; 1], u8>::new(
    /// #     IdxBuf::from_bytes(images)?,
    /// #     IdxBuf::from_bytes(labels)?,
    /// # )?;
    ///
    /// let prepare = |batch: Labeled<_, _>| (batch.pixels(Normalize::UNIT), batch.one_hot(0..=1));
    /// for (pixels, targets) in set.prepared_batches(2, prepare)? {
    ///     assert_eq!(targets?.len(), 2 * pixels?.len());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A thread that cannot be started ([`ErrorKind::File`]).
    pub fn prepared_batches<B: Send + 'static, P: FnMut(Self) -> B + Send + 'static>(
        &self,
        size: usize,
        prepare: P,
    ) -> Result<impl Iterator<Item = B> + use<I, L, B, P>, Error>
    where
        I: 'static,
        L: 'static,
    {
        let (sender, prepared) = sync_channel(1);
        let mut batches = self.batches(size).map(prepare);
        // The thread ends when the receiver is dropped.
        let run = move || batches.try_for_each(|batch| sender.send(batch).ok());
        let mut thread = Some(Builder::new().spawn(run).map_err(FileErrorKind::from)?);
        Ok(iter::from_fn(move || {
            let batch = prepared.recv().ok();
            if batch.is_none()
                && let Some(Err(panic)) = thread.take().map(JoinHandle::join)
            {
                resume_unwind(panic);
            }
            batch
        }))
    }

    fn slice(&self, range: Range<usize>) -> Self {
        self.with(self.order.slice(range))
    }

    /// Returns the images at these positions, which exist.
    fn in_order(&self, positions: &[usize]) -> Self {
        let records = positions.iter().filter_map(|position| self.order.get(*position));
        self.with(Order::of_records(records.collect()))
    }

    fn with(&self, order: Order) -> Self {
        Self { order, ..self.clone() }
    }

    fn pair(&self, record: usize) -> (I, L) {
        (value(&self.images, record), value(&self.labels, record))
    }

    fn class_of(&self, record: usize) -> i32 {
        let label = LabelRows::default().next(bytes(&self.labels, record), L::ELEMENT.into());
        let class = label.ok().and_then(|label| label.try_into().ok());
        debug_assert!(class.is_some(), "checked by the type and by `new`");
        class.unwrap_or_default()
    }

    fn class_numbers(&self) -> impl Iterator<Item = i32> {
        self.order.iter().map(|record| self.class_of(record))
    }
}

/// The pairs of a set, in its order.
impl<'a, I: IdxRecord, L: IdxRecord> IntoIterator for &'a Labeled<I, L> {
    type Item = (I, L);
    type IntoIter = Box<dyn Iterator<Item = (I, L)> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

/// Returns whether a label is one element.
const fn is_single<L: IdxRecord>() -> bool {
    L::SIZE == L::ELEMENT.size()
}

/// Checks that labels with several elements state a class.
fn expect_classes<L: IdxRecord>(labels: &RecordsBuf<L>) -> Result<(), Error> {
    let count = if is_single::<L>() { 0 } else { labels.as_records().len() };
    let mut rows = LabelRows::default();
    (0..count).try_for_each(|record| {
        let label = rows.next(bytes(labels, record), L::ELEMENT.into());
        let error = |kind| Error::from(kind).with_position(record as u64).at(labels.path());
        label.map(drop).map_err(error)
    })
}

/// Returns the bytes of a record that is in the file.
fn bytes<T: IdxRecord>(file: &RecordsBuf<T>, record: usize) -> &[u8] {
    let bytes = file.as_records().record_bytes(record);
    debug_assert!(bytes.is_some(), "the record is in the file");
    bytes.unwrap_or_default()
}

/// Returns a record that is in the file.
fn value<T: IdxRecord>(file: &RecordsBuf<T>, record: usize) -> T {
    let value = file.as_records().get(record);
    debug_assert!(value.is_some(), "the record is in the file");
    value.unwrap_or(T::FILL)
}

impl<I, L> Clone for Labeled<I, L> {
    fn clone(&self) -> Self {
        Self {
            images: Arc::clone(&self.images),
            labels: Arc::clone(&self.labels),
            order: self.order.clone(),
            classes: self.classes.clone(),
        }
    }
}

/// Shows the files and the number of images, because the images would be long.
impl<I, L> fmt::Debug for Labeled<I, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Labeled")
            .field("images", &self.images)
            .field("labels", &self.labels)
            .field("len", &self.order.len())
            .finish_non_exhaustive()
    }
}
