//! MNIST, and the data sets with the same structure: Fashion-MNIST, KMNIST, EMNIST, QMNIST.
//!
//! Pictures of 28 x 28 bytes: 0 is the background, white on paper, and 255 the foreground, black. The first
//! 5,000 test digits of MNIST are cleaner than the others. MNIST is by Yann LeCun, Corinna
//! Cortes and Christopher Burges; its copyright is held by Yann LeCun and Corinna Cortes.

use std::ops::RangeInclusive;
use std::path::Path;

use idx_std::ElementType;

use crate::dataset::files::{DataSetFiles, Loaded, first_wrong_label, label_not_allowed};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::labeled::Labeled;
use crate::record::axes::Permutation;
use idx_std::{HeaderBuf, IdxBuf, ReadOptions};

/// A picture: rows of pixels.
pub type Image = [[u8; 28]; 28];

/// A label of QMNIST: class, series, writer, number of the digit of this writer, class of NIST, index
/// in NIST, whether it is a duplicate, and an unused column.
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
#[non_exhaustive]
pub struct Mnist {
    /// For training.
    pub training: Labeled<Image, u8>,
    /// For testing.
    pub test: Labeled<Image, u8>,
    classes: RangeInclusive<i32>,
}

/// Options to open a data set.
///
/// ```no_run
/// use idx_data::dataset::MnistOptions;
///
/// let letters = MnistOptions::new().transposed(true).open("emnist/:letters")?;
/// assert_eq!(letters.classes(), 1..=26);
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MnistOptions {
    transposed: bool,
    read: ReadOptions,
}

impl MnistOptions {
    /// Returns the options of [`Mnist::open`]: not transposed, of any size.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Swaps rows and columns, which corrects the transposed pictures of EMNIST.
    #[must_use]
    pub fn transposed(self, transposed: bool) -> Self {
        Self { transposed, ..self }
    }

    /// Rejects files of more than `bytes` bytes each, as [`ReadOptions::limit`] does.
    #[must_use]
    pub fn limit(self, bytes: u64) -> Self {
        Self { read: self.read.limit(bytes), ..self }
    }

    /// Finds the four files in a folder and reads them with these options, as [`Mnist::open`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Mnist::open`].
    pub fn open(&self, folder: impl AsRef<Path>) -> Result<Mnist, Error> {
        let files = DataSetFiles::only(folder.as_ref())?;
        Mnist::from_files(&files, self.transposed, self.read)
    }
}

impl Mnist {
    /// Finds the four files of a data set in a folder, such as `mnist` or `emnist/:letters`, and reads them.
    ///
    /// The names may have a hyphen or a dot (`train-images-idx3-ubyte`, `train-images.idx3-ubyte`),
    /// end in `.gz` or not, and start as those of EMNIST and QMNIST do. This compares the number of labels
    /// with that of images, the labels with those of the data set, and the files with those of the well-known
    /// data sets, and many have the same names and sizes. Only [`DataSetFiles::check`] verifies that
    /// every byte is the published one.
    ///
    /// # Errors
    ///
    /// A folder without a data set ([`no_data_set`](ErrorKind::code)), with missing files
    /// ([`missing_file`](ErrorKind::code)), or with several sets or files that differ
    /// ([`several_files`](ErrorKind::code)); a data set that is not consistent ([`ErrorKind::LabelCount`],
    /// [`ErrorKind::LabelNotAllowed`], [`other_data_set`](ErrorKind::code)); and files that cannot be read
    /// ([`ErrorKind::File`]).
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        MnistOptions::new().open(folder)
    }

    fn from_files(files: &DataSetFiles, transpose: bool, read: ReadOptions) -> Result<Self, Error> {
        let [training_images, training_labels, test_images, test_labels] = files.load(read)?;
        let allowed = files.allowed_labels(training_labels.checked.known);
        let pair = |images: Loaded, labels: Loaded| {
            let known = files.allowed_labels(labels.checked.known);
            let images = match transpose {
                true => transposed(&images.file)?,
                false => images.file,
            };
            Labeled::new(images, classes(labels, known)?)
        };
        let training = pair(training_images, training_labels)?;
        let test = pair(test_images, test_labels)?;
        let classes = match allowed {
            Some(allowed) => i32::from(*allowed.start())..=i32::from(*allowed.end()),
            None => {
                let mut found = training.class_counts();
                found.extend(test.class_counts());
                let class = |entry: Option<(&i32, _)>| entry.map_or(0, |(class, _)| *class);
                class(found.first_key_value())..=class(found.last_key_value())
            }
        };
        Ok(Self { training, test, classes })
    }

    /// Returns the classes of the data set, including those without an image: 0 to 9, or 1 to 26 for EMNIST's letters.
    #[must_use]
    pub fn classes(&self) -> RangeInclusive<i32> {
        self.classes.clone()
    }
}

/// Returns the classes as labels of one byte, checked to be allowed. Those of QMNIST are copied: its labels are wider,
/// and the class is the first of their columns.
fn classes(labels: Loaded, allowed: Option<RangeInclusive<u8>>) -> Result<IdxBuf, Error> {
    let Loaded { checked, file } = labels;
    let classes: Option<Vec<u8>> = match checked.header.dims() {
        // The last byte of the first column, which has the value if that is allowed.
        [_, _] => Some(
            file.records()?.iter().map(|[class, ..]: QmnistLabel| class.to_be_bytes()[3]).collect(),
        ),
        _ => file.records::<u8>().map(|_| None)?,
    };
    let allowed = allowed.unwrap_or(0..=u8::MAX);
    let payload = file.as_idx().payload();
    if let Some((record, label)) = first_wrong_label(&checked.header, payload, &allowed) {
        return Err(label_not_allowed(&checked.path, record, label, allowed));
    }
    let Some(classes) = classes else {
        return Ok(file);
    };
    let header = HeaderBuf::new(ElementType::U8, &[checked.header.record_count()])?;
    Ok(IdxBuf::from_bytes([header.to_bytes(), classes].concat())?.with_path(checked.path))
}

/// Returns the images with rows and columns swapped.
fn transposed(images: &IdxBuf) -> Result<IdxBuf, Error> {
    images.records::<Image>()?;
    let mut bytes = images.header().to_bytes();
    if let Some(permutation) = Permutation::new(images.header().record_shape(), &[1, 0], 1) {
        permutation.apply(images.as_idx().payload(), &mut bytes);
    }
    let transposed = IdxBuf::from_bytes(bytes)?;
    Ok(match images.path() {
        Some(path) => transposed.with_path(path),
        None => transposed,
    })
}
