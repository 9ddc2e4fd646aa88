//! MNIST, and the data sets with the same structure: Fashion-MNIST, KMNIST, EMNIST, QMNIST.
//!
//! The pictures have 28 x 28 bytes: 0 is the background, white on paper, and 255 the foreground, black. The first 5,000
//! test digits of MNIST are cleaner than the others. MNIST is by Yann LeCun, Corinna Cortes and Christopher Burges; its
//! copyright is held by Yann LeCun and Corinna Cortes.

use std::ops::RangeInclusive;
use std::path::Path;

use crate::chain::Source;
use crate::dataset::checked::first_wrong_label;
use crate::dataset::files::missing;
use crate::doors::open_set::open_set;
use crate::error::{At, Error, ErrorKind};
use crate::known::data_set::DataSet;
use crate::known::file::KnownFile;
use crate::known::pair::{expect_pair, mixed_data_sets};
use crate::labeled::Labeled;
use crate::names::folder::existing;
use crate::names::format::Format;
use crate::names::{FileKind, Name, Part, labels_beside};
use crate::record::axes::Permutation;
use idx_std::{ElementType, HeaderBuf, IdxBuf, ReadOptions};

/// A picture: rows of pixels.
pub type Image = [[u8; 28]; 28];

/// A label of QMNIST: class, series, writer, number of the digit among those of the writer, NIST class, index in NIST,
/// whether it is a duplicate, and an unused column.
///
/// [`Mnist`] has only the class; `Labeled::<Image, QmnistLabel>::open` reads all columns.
pub type QmnistLabel = [i32; 8];

/// The training and the test set of MNIST or of a data set with the same structure.
///
/// ```no_run
/// use idx_data::Normalize;
/// use idx_data::dataset::Mnist;
///
/// let mnist = Mnist::open("mnist")?;
/// let [training, validation] = mnist.training.shuffled(1).stratified().split([50_000, 10_000])?;
/// for epoch in 0..3 {
///     for batch in training.shuffled(epoch).batches(64) {
///         let pixels = batch.pixels(Normalize::UNIT)?; // from 0 to 1, 784 for each image
///         let targets = batch.one_hot(mnist.classes())?; // 10 for each image
///     }
/// }
/// for (image, label) in mnist.test.iter() {
///     // ...
/// }
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mnist {
    /// The training images, with their labels.
    pub training: Labeled<Image, u8>,
    /// The test images, with their labels.
    pub test: Labeled<Image, u8>,
    classes: RangeInclusive<i32>,
}

/// A part in memory; the well-known file that its images or else its labels are; and the labels of its data set.
type OpenedPart = (Labeled<Image, u8>, Option<KnownFile>, Option<RangeInclusive<u8>>);

impl Mnist {
    /// Reads the parts `train` and `test`, as IDX files, that [`open_set`] finds in a folder such as `mnist` or
    /// `emnist/:letters`. Class names come from a list next to the files, if there is one; otherwise, add them with
    /// [`Labeled::with_classes`].
    ///
    /// Compares the number of labels with that of images, the labels with those of the data set, and the files with
    /// those of well-known data sets, because many have the same names and sizes. Only [`DataSetFiles::check`] verifies
    /// that every byte is the published one.
    ///
    /// # Errors
    ///
    /// The errors of [`open_set`]; missing files ([`missing_file`](ErrorKind::code)); an inconsistent data set
    /// ([`ErrorKind::LabelCount`], [`ErrorKind::LabelNotAllowed`], [`other_data_set`](ErrorKind::code)); and files that
    /// cannot be read ([`ErrorKind::File`]).
    ///
    /// [`DataSetFiles::check`]: crate::dataset::DataSetFiles::check
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read(folder.as_ref(), false)
    }

    /// Opens the four files, as [`open`](Self::open) does, and swaps the rows and columns of the pictures: EMNIST's are
    /// transposed.
    ///
    /// ```no_run
    /// use idx_data::dataset::Mnist;
    ///
    /// let letters = Mnist::open_transposed("emnist/:letters")?;
    /// assert_eq!(letters.classes(), 1..=26);
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open).
    pub fn open_transposed(folder: impl AsRef<Path>) -> Result<Self, Error> {
        Self::read(folder.as_ref(), true)
    }

    /// Returns the classes of the data set, including those without an image: 0 to 9, or 1 to 26 for EMNIST's letters.
    #[must_use]
    pub fn classes(&self) -> RangeInclusive<i32> {
        self.classes.clone()
    }

    fn read(folder: &Path, is_transposed: bool) -> Result<Self, Error> {
        let parts = open_set(folder)?.into_parts();
        let (training, known, allowed) =
            Self::open_part(folder, &parts, Part::Train, is_transposed)?;
        let (test, known_test, _) = Self::open_part(folder, &parts, Part::Test, is_transposed)?;
        if let Some((one, other)) = known.zip(known_test).filter(|(a, b)| !a.is_same_set(*b)) {
            let kind =
                mixed_data_sets((training.path(), &one.data_set), (test.path(), &other.data_set));
            return Err(kind).at(folder);
        }
        let classes = match allowed {
            Some(allowed) => i32::from(*allowed.start())..=i32::from(*allowed.end()),
            None => {
                let found = || training.labels().chain(test.labels()).map(i32::from);
                found().min().unwrap_or(0)..=found().max().unwrap_or(0)
            }
        };
        Ok(Self { training, test, classes })
    }

    /// Reads the files of a part that `open_set` found into memory. Reading them from the source would copy the
    /// records.
    fn open_part(
        folder: &Path,
        parts: &[(String, Source)],
        part: Part,
        is_transposed: bool,
    ) -> Result<OpenedPart, Error> {
        let name = parts.iter().find_map(|(_, source)| Name::parse(source.path()));
        let prefix = name.map_or("", |name| name.part().0);
        let missing = |kind| missing(folder, prefix, (part, kind));
        let source = parts.iter().find(|(name, _)| [part.name(), ""].contains(&name.as_str()));
        let (name, source) = source.ok_or_else(|| missing(FileKind::Images))?;
        if name.is_empty() || !matches!(source.formats(), [Format::Idx | Format::IdxGz]) {
            let message = "this needs the four files of one set in IDX; give a folder that has only these, or read other \
                           records with `open_set` and `collect`";
            return Err(ErrorKind::mismatch(message)).at(folder);
        }
        let labels = existing(labels_beside(source.path()))?;
        let labels = labels.first().ok_or_else(|| missing(FileKind::Labels))?;
        let read = ReadOptions::new();
        let images = read.open_regular(source.path())?;
        let labels = read.open_regular(labels)?;
        let [known, known_labels] = expect_pair::<Image, u8>(&images, &labels)?;
        // A hash is more reliable than a name.
        let data_set = known_labels.map(|known| known.data_set);
        let data_set = data_set.or_else(|| DataSet::from_prefix(prefix));
        let allowed = data_set.map(DataSet::labels);
        let images = if is_transposed { transposed(&images)? } else { images };
        let set = Labeled::new(images, classes(labels, allowed.clone())?)?;
        let set = match source.facts().classes.clone() {
            Some(names) => set.with_classes(names),
            None => set,
        };
        Ok((set, known.or(known_labels), allowed))
    }
}

/// Returns the classes as labels of one byte, and checks that they are allowed. Those of QMNIST are copied, because its
/// labels are wider, with the class in the first column.
fn classes(labels: IdxBuf, allowed: Option<RangeInclusive<u8>>) -> Result<IdxBuf, Error> {
    let header = labels.header();
    let classes = match header.dims() {
        // The last byte of the first column is the class, if it is an allowed one.
        [_, _] => {
            let rows = labels.records()?;
            let mut file = HeaderBuf::new(ElementType::U8, &[header.record_count()])?.to_bytes();
            file.extend(rows.iter().map(|[class, ..]: QmnistLabel| class.to_be_bytes()[3]));
            Some(file)
        }
        _ => labels.records::<u8>().map(|_| None)?,
    };
    let allowed = allowed.unwrap_or(0..=u8::MAX);
    let path = labels.path().unwrap_or(Path::new(""));
    if let Some((record, label)) = first_wrong_label(header, labels.as_idx().payload(), &allowed) {
        return Err(ErrorKind::LabelNotAllowed { record, label, allowed }).at(path);
    }
    match classes {
        None => Ok(labels),
        Some(classes) => Ok(IdxBuf::from_bytes(classes)?.with_path(path)),
    }
}

/// Returns the images with rows and columns swapped.
fn transposed(images: &IdxBuf) -> Result<IdxBuf, Error> {
    images.records::<Image>()?;
    let mut bytes = images.header().to_bytes();
    if let Some(permutation) = Permutation::new(images.header().record_shape(), &[1, 0], 1) {
        permutation.apply(images.as_idx().payload(), &mut bytes);
    }
    Ok(IdxBuf::from_bytes(bytes)?.with_path(images.path().unwrap_or(Path::new(""))))
}
