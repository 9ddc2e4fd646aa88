use std::io::Read;
use std::path::{Path, PathBuf};

use super::data_set::{FileKind, Split};
use super::file_name::{FileName, NamedFormat};
use super::files::DataSetFiles;
use super::known::{KnownFile, identify_reader, sha256_of};
use crate::error::{Error, ErrorKind, file_name};
use idx_std::{HeaderBuf, IdxBuf, IdxRecord, Reader};

/// A file that was read to its end, and is what its name says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The element type and the sizes.
    pub header: HeaderBuf,
    /// Which well-known file it is, if it is one.
    pub known: Option<KnownFile>,
}

impl CheckedFile {
    /// Compares the content of a file with its name. `train-images-idx3-ubyte` promises images for training, of bytes in
    /// three dimensions; a name of another form promises nothing.
    ///
    /// # Errors
    ///
    /// [`swapped`](ErrorKind::code) and [`name_mismatch`](ErrorKind::code).
    pub fn new(
        path: impl Into<PathBuf>,
        header: HeaderBuf,
        known: Option<KnownFile>,
    ) -> Result<Self, Error> {
        let checked = Self { path: path.into(), header, known };
        match checked.name_mismatch() {
            Some(kind) => Err(Error::from(kind).with_path(checked.path)),
            None => Ok(checked),
        }
    }

    fn name_mismatch(&self) -> Option<ErrorKind> {
        let name = self.path.file_name()?.to_str()?;
        let (_, named) = NamedFormat::parse(name)?;
        let (element_type, rank) = (self.header.element_type(), self.header.rank());
        let part = self.part();
        match part {
            Some((_, FileKind::Images)) if rank == 1 => {
                return Some(swapped(FileKind::Labels));
            }
            Some((_, FileKind::Labels)) if rank >= 3 => {
                return Some(swapped(FileKind::Images));
            }
            _ => {}
        }
        let named_type = named.element_type.unwrap_or(element_type);
        if (named_type, named.rank) != (element_type, rank) {
            let named = NamedFormat::text(named_type, named.rank);
            return Some(name_mismatch(&named, &NamedFormat::text(element_type, rank)));
        }
        let ((split, kind), known) = part.zip(self.known)?;
        ((known.split, known.kind) != (split, kind))
            .then(|| name_mismatch(&format!("{split} {kind}"), &known.to_string()))
    }

    /// Reads a file to its end.
    pub(super) fn read<R: Read>(
        path: &Path,
        reader: Reader<R>,
        on_records: impl FnMut(&[u8]),
    ) -> Result<Self, Error> {
        let header = reader.header().clone();
        let known = match identify_reader(reader, on_records)? {
            Some(known) => Some(known),
            None => KnownFile::published(path)?,
        };
        Self::new(path, header, known)
    }

    /// What the name says: for training or for testing, images or labels.
    #[must_use]
    pub fn part(&self) -> Option<(Split, FileKind)> {
        let name = FileName::parse(self.path.file_name()?.to_str()?)?;
        Some((name.split, name.kind))
    }

    pub(super) fn is(&self, kind: FileKind) -> bool {
        self.part().is_some_and(|part| part.1 == kind)
    }

    /// Checks that there is a label for each image, and that both belong together if one of them is well known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LabelCount`], [`mixed_data_sets`](ErrorKind::code) and [`other_labels`](ErrorKind::code), with the path
    /// of the labels.
    pub fn expect_labels(&self, labels: &Self) -> Result<(), Error> {
        self.expect_count(labels)?;
        self.expect_same_set(labels)
    }

    pub(super) fn expect_count(&self, labels: &Self) -> Result<(), Error> {
        check_count((Some(&labels.path), &labels.header), (Some(&self.path), &self.header))
    }

    pub(super) fn expect_same_set(&self, labels: &Self) -> Result<(), Error> {
        expect_same_set((&self.path, self.known), (&labels.path, labels.known))
    }

    /// Finds the labels of these images in the same folder, by the names of both, reads them to their end, and
    /// [checks](Self::expect_labels) that they belong together.
    ///
    /// `None` if there are no labels, or if the name is not one of images, such as `t10k-images-idx3-ubyte`.
    ///
    /// # Errors
    ///
    /// [`several_files`](ErrorKind::code) if there are two files of labels, whatever is wrong with the labels, and the
    /// errors of [`expect_labels`](Self::expect_labels).
    ///
    /// ```no_run
    /// use idx_data::dataset::{self, CheckedFile};
    ///
    /// let path = "t10k-images-idx3-ubyte.gz";
    /// let header = idx_std::open(path)?.header().clone();
    /// let images = CheckedFile::new(path, header, dataset::identify(path)?)?;
    /// if let Some(labels) = images.find_labels()? {
    ///     println!("the labels are in {}", labels.path.display());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_labels(&self) -> Result<Option<Self>, Error> {
        let Some((split, FileKind::Images)) = self.part() else {
            return Ok(None);
        };
        let Some(name) = DataSetFiles::labels_beside(&self.path, split)? else {
            return Ok(None);
        };
        let path = self.path.with_file_name(name);
        let labels = Self::read(&path, Reader::open_regular(&path)?, |_| ())?;
        self.expect_labels(&labels)?;
        Ok(Some(labels))
    }
}

/// Checks that there are as many labels as images; each header comes with its path, if it has one.
pub(crate) fn check_count(
    (labels_path, labels): (Option<&Path>, &HeaderBuf),
    (images_path, images): (Option<&Path>, &HeaderBuf),
) -> Result<(), Error> {
    let (labels, images) = (labels.record_count(), images.record_count());
    if labels == images {
        return Ok(());
    }
    let images_path = images_path.map(Path::to_path_buf);
    Err(Error::from(ErrorKind::LabelCount { labels, images, images_path }).at(labels_path))
}

/// The error for a file of images that has labels, or the other way around.
fn swapped(found: FileKind) -> ErrorKind {
    let message = format!("this has the shape of {found}; are images and labels swapped?");
    ErrorKind::new("swapped", message)
}

fn name_mismatch(named: &str, found: &str) -> ErrorKind {
    let message = format!("the name says {named}, but the content is {found}; correct the name");
    ErrorKind::new("name_mismatch", message)
}

/// The error for two files, each with its data set or the type of its images.
pub(super) fn mixed_data_sets(first: &(PathBuf, String), second: &(PathBuf, String)) -> ErrorKind {
    let [first, second] = [first, second].map(|(path, is)| format!("{} is {is}", file_name(path)));
    let message = format!(
        "the files belong to two data sets: {first}, {second}; keep each data set in a folder of its own"
    );
    ErrorKind::new("mixed_data_sets", message)
}

/// Checks images and labels that were read: whether they are swapped, and if the images are well known, whether the
/// labels are theirs.
pub(crate) fn expect_pair<I: IdxRecord, L: IdxRecord>(
    images: &IdxBuf,
    labels: &IdxBuf,
) -> Result<(), Error> {
    let (first, second) = (images.header(), labels.header());
    let [images_path, labels_path] =
        [images, labels].map(|file| file.path().unwrap_or(Path::new("")));
    if first.check::<I>().is_err() && first.check::<L>().is_ok() && second.check::<I>().is_ok() {
        return Err(Error::from(swapped(FileKind::Labels)).with_path(images_path));
    }
    // The hash of all images would take longer than reading them.
    let known_images = KnownFile::from_image_start(images.bytes());
    let known_labels =
        known_images.and_then(|_| KnownFile::from_sha256(&sha256_of(labels.bytes())));
    expect_same_set((images_path, known_images), (labels_path, known_labels))
}

fn expect_same_set(
    (images_path, images): (&Path, Option<KnownFile>),
    (labels_path, labels): (&Path, Option<KnownFile>),
) -> Result<(), Error> {
    let file = |path: &Path, known: KnownFile| (path.to_path_buf(), known.to_string());
    let kind = match (images, labels) {
        (Some(images), Some(labels)) if !images.is_same_part(labels) => {
            mixed_data_sets(&file(images_path, images), &file(labels_path, labels))
        }
        (Some(images), None) if images.has_known_labels() => {
            let message = format!(
                "these are not the labels of {}, which is {images}; use the matching files, or download \
                 both again",
                file_name(images_path)
            );
            ErrorKind::new("other_labels", message)
        }
        _ => return Ok(()),
    };
    Err(Error::from(kind).with_path(labels_path))
}
