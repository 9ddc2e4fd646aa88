//! MNIST, and the data sets that have its form: Fashion-MNIST, EMNIST, QMNIST.
//!
//! Pictures of 28 x 28 bytes: 0 is the background, white on paper, and 255 the foreground, black. Of
//! MNIST's own test digits the first 5,000 are cleaner than the others. MNIST is by Yann LeCun, Corinna
//! Cortes and Christopher Burges; its copyright is held by Yann LeCun and Corinna Cortes.

use std::ops::RangeInclusive;
use std::path::Path;

#[cfg(doc)]
use crate::ErrorKind;
use crate::data_set::Loaded;
use crate::image_layout::ImageLayout;
use crate::{DataSetFiles, Error, IdxBuf, IdxRecord, Labeled};

/// A picture: rows of pixels.
pub type Image = [[u8; 28]; 28];

/// What is on the picture; of a digit, the digit.
pub type Label = u8;

/// A label of QMNIST: class, series, writer, number of the digit of this writer, class of NIST, index
/// in NIST, whether it is there twice, and an unused column.
///
/// [`Mnist`] takes the first of them; all are to be had by `Labeled::<Image, QmnistLabel>::open`.
pub type QmnistLabel = [i32; 8];

/// The training and the test set of MNIST or of a data set that has its form.
///
/// ```no_run
/// use idx_std::Scale;
/// use idx_std::mnist::Mnist;
///
/// let mnist = Mnist::open("mnist")?;
/// let [training, validation] = mnist.training.shuffled(1).stratified().split([50_000, 10_000])?;
/// for epoch in 0..3 {
///     for batch in training.shuffled(epoch).batches(64) {
///         let pixels = batch.pixels(Scale::UNIT)?; // of 0 to 1, 784 for each image
///         let targets = batch.one_hot(mnist.classes())?; // 10 for each image
///     }
/// }
/// for (image, label) in mnist.test.iter() {
///     // ...
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mnist {
    /// To learn from.
    pub training: Labeled<Image, Label>,
    /// To measure with.
    pub test: Labeled<Image, Label>,
    classes: RangeInclusive<i32>,
}

/// Which data set of a folder is to be opened, and how.
///
/// ```no_run
/// use idx_std::mnist::{Mnist, MnistOptions};
///
/// let letters = MnistOptions::new().prefix("emnist-letters").transposed(true);
/// let letters = Mnist::open_with("emnist", letters)?;
/// assert_eq!(letters.classes(), 1..=26);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MnistOptions {
    prefix: Option<String>,
    transposed: bool,
}

impl MnistOptions {
    /// Those of [`Mnist::open`]: the only data set in the folder, as it is.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The data set whose files have names that start so: `emnist-letters`, or nothing for MNIST.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self {
            prefix: Some(prefix.into()),
            ..self
        }
    }

    /// Rows and columns are exchanged: EMNIST's pictures lie on their side, mirrored, and this rights
    /// them.
    #[must_use]
    pub fn transposed(self, transposed: bool) -> Self {
        Self { transposed, ..self }
    }

    fn find(&self, folder: &Path) -> Result<DataSetFiles, Error> {
        let Some(prefix) = &self.prefix else {
            return DataSetFiles::only(folder);
        };
        // With a hyphen or without.
        match prefix.trim_end_matches('-') {
            "" => DataSetFiles::named(folder, ""),
            prefix => DataSetFiles::named(folder, &format!("{prefix}-")),
        }
    }
}

impl Mnist {
    /// Finds the four files of a data set in a folder and reads them.
    ///
    /// The names may have a hyphen or a dot (`train-images-idx3-ubyte`, `train-images.idx3-ubyte`),
    /// end in `.gz` or not, and start as those of EMNIST and QMNIST do. All files are compared: their
    /// counts, the labels with those that the data set has, and the files with those of MNIST and
    /// Fashion-MNIST, which have the same names and sizes. That every byte is the published one, only
    /// [`DataSetFiles::check`] finds out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoDataSet`], [`ErrorKind::MissingFile`] and [`ErrorKind::SeveralDataSets`], if
    /// there is not just one data set; [`ErrorKind::LabelCount`], [`ErrorKind::LabelNotAllowed`],
    /// [`ErrorKind::Mixed`] and [`ErrorKind::Misnamed`], if it is not right; and whatever is wrong
    /// with a file.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(folder, MnistOptions::new())
    }

    /// The same with options: which of several data sets it is, and whether to transpose the images.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    #[expect(
        clippy::needless_pass_by_value,
        reason = "as the crate's other options"
    )]
    pub fn open_with(folder: impl AsRef<Path>, options: MnistOptions) -> Result<Self, Error> {
        let files = options.find(folder.as_ref())?;
        let [training_images, training_labels, test_images, test_labels] = files.load()?;
        let known = files.allowed_labels(&training_labels.checked);
        let pairs = |images: Loaded, labels: Loaded| {
            let labels = classes(&labels, files.allowed_labels(&labels.checked))?;
            let images = match options.transposed {
                true => transposed(images.file)?,
                false => images.file,
            };
            Labeled::new(images, labels)
        };
        let training = pairs(training_images, training_labels)?;
        let test = pairs(test_images, test_labels)?;
        let classes = match known {
            Some(known) => i32::from(*known.start())..=i32::from(*known.end()),
            None => {
                let mut found = training.class_counts();
                found.extend(test.class_counts());
                let class = |entry: Option<(&i32, _)>| entry.map_or(0, |(class, _)| *class);
                class(found.first_key_value())..=class(found.last_key_value())
            }
        };
        Ok(Self {
            training,
            test,
            classes,
        })
    }

    /// The classes that the data set has, also those of which there may be no image: 0 to 9, or 1 to 26
    /// for EMNIST's letters.
    #[must_use]
    pub fn classes(&self) -> RangeInclusive<i32> {
        self.classes.clone()
    }
}

/// The classes as labels of one byte, checked to be among those that are allowed. They are copied, as
/// QMNIST's cannot be borrowed: its labels are wider, and the class is the first of their columns.
fn classes(labels: &Loaded, allowed: Option<RangeInclusive<u8>>) -> Result<IdxBuf, Error> {
    let Loaded { checked, file } = labels;
    let classes: Box<dyn Iterator<Item = i32>> = match checked.shape.len() {
        2 => Box::new(
            file.records::<QmnistLabel>()?
                .iter()
                .map(|[class, ..]| class),
        ),
        _ => Box::new(file.records::<Label>()?.iter().map(i32::from)),
    };
    let allowed = allowed.unwrap_or(0..=u8::MAX);
    let mut bytes = vec![0, 0, Label::ELEMENT.code(), 1];
    bytes.extend(checked.record_count().to_be_bytes());
    for (record, class) in (0..).zip(classes) {
        match Label::try_from(class) {
            Ok(label) if allowed.contains(&label) => bytes.push(label),
            _ => return Err(checked.label_not_allowed(record, class.into(), &allowed)),
        }
    }
    Ok(IdxBuf::from_bytes(bytes)?.named(&checked.path))
}

/// The images with rows and columns exchanged, each where it lies.
fn transposed(images: IdxBuf) -> Result<IdxBuf, Error> {
    images.records::<Image>()?;
    let start = images.as_idx().header().header_size();
    let Some(layout) = ImageLayout::from_shape(&[28, 28]) else {
        debug_assert!(false, "two dimensions are a picture");
        return Ok(images);
    };
    images.changed(|bytes| {
        let images = bytes.get_mut(start..).unwrap_or_default();
        let mut columns = Vec::new();
        for image in images.chunks_exact_mut(size_of::<Image>()) {
            columns.clear();
            layout.transpose(image, 1, &mut columns);
            image.copy_from_slice(&columns);
        }
    })
}
