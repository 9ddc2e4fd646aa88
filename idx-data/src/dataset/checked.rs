use std::io::Read;
use std::path::{Path, PathBuf};

use crate::ImageLayout;
use crate::dataset::data_set::{Part, named_part};
use crate::dataset::known::{KnownFile, identify_reader};
use crate::error::{At, Error, ErrorKind, file_name};
use crate::formats::folder::existing;
use crate::formats::names::{FileKind, Name, idx_end, labels_beside};
use idx_std::{ElementType, HeaderBuf, IdxBuf, IdxRecord, Reader};

/// A file that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The element type and the sizes.
    pub header: HeaderBuf,
    /// Which well-known file it is, if it is one.
    pub known: Option<KnownFile>,
    /// The SHA-256 of the decompressed bytes, if all were read.
    pub(super) content: Option<String>,
}

impl CheckedFile {
    /// Reads a file to its end, in constant memory, and identifies it by the SHA-256 of its decompressed bytes, or as the
    /// compressed file that is published. It also passes the records to `on_records`, several at a time as
    /// [`Reader::next_records`] returns them.
    ///
    /// # Errors
    ///
    /// Those of reading the file record by record, and [`ErrorKind::File`] if records were read before and the reader
    /// cannot go back to the first.
    ///
    /// ```
    /// use idx_data::{Reader, dataset::CheckedFile};
    ///
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 2, 7, 3];
    /// let mut sum = 0;
    /// let checked = CheckedFile::read("upload", Reader::new(&file[..])?, |records| {
    ///     sum += records.iter().map(|label| u64::from(*label)).sum::<u64>();
    /// })?;
    /// assert_eq!((checked.known, sum), (None, 10));
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    pub fn read<R: Read>(
        path: impl Into<PathBuf>,
        reader: Reader<R>,
        on_records: impl FnMut(&[u8]),
    ) -> Result<Self, Error> {
        let (path, header) = (path.into(), reader.header().clone());
        let (known, content) = identify_reader(&path, reader, on_records)?;
        Ok(Self { path, header, known, content: Some(content) })
    }

    /// What the name says: for training or for testing, images or labels.
    pub(super) fn part(&self) -> Option<Part> {
        named_part(&self.path).map(|(_, part)| part)
    }

    pub(super) fn is(&self, kind: FileKind) -> bool {
        self.part().is_some_and(|part| part.1 == kind)
    }

    /// Compares the content of the file with its name. `train-images-idx3-ubyte` promises images for training, of bytes in
    /// three dimensions; a name of another form promises nothing.
    ///
    /// # Errors
    ///
    /// [`swapped`](ErrorKind::code) and [`name_mismatch`](ErrorKind::code).
    pub fn expect_name(&self) -> Result<(), Error> {
        self.name_mismatch().map_or(Ok(()), |kind| Err(Error::from(kind).with_path(&self.path)))
    }

    fn name_mismatch(&self) -> Option<ErrorKind> {
        let (named_rank, named_type) = Name::parse(&self.path)?.format()?;
        let part = self.part();
        let (element_type, rank) = (self.header.element_type(), self.header.dims().len());
        let named_type = named_type.unwrap_or(element_type);
        match (part, part.zip(self.known)) {
            (Some((_, FileKind::Images)), _) if rank == 1 => Some(swapped(FileKind::Labels)),
            (Some((_, FileKind::Labels)), _) if rank >= 3 => Some(swapped(FileKind::Images)),
            _ if (named_type, named_rank) != (element_type, rank) => {
                let named = idx_end(named_type, named_rank);
                Some(name_mismatch(&named, &idx_end(element_type, rank)))
            }
            (_, Some(((split, kind), known))) if (known.split, known.kind) != (split, kind) => {
                Some(name_mismatch(&format!("{split} {kind}"), &known.to_string()))
            }
            _ => None,
        }
    }

    /// Whether this file has labels and the other one images. Then there must be a label for each image, and both must
    /// belong together if one of them is well known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::LabelCount`], [`mixed_data_sets`](ErrorKind::code) and [`other_labels`](ErrorKind::code), with the path
    /// of the labels.
    pub fn are_labels_of(&self, images: &Self) -> Result<bool, Error> {
        let are_labels = match self.known {
            Some(known) => known.kind == FileKind::Labels,
            None => self.header.dims().len() == 1,
        };
        if !are_labels || ImageLayout::from_shape(images.header.record_shape()).is_none() {
            return Ok(false);
        }
        images.expect_labels(self).map(|()| true)
    }

    /// Finds the labels beside these records, as [`open_set`](crate::open_set) does, reads them to their end, and checks
    /// that they belong together, as [`are_labels_of`](Self::are_labels_of) does. `None` if there are none.
    ///
    /// # Errors
    ///
    /// [`several_files`](ErrorKind::code) if there are two files of labels that differ, whatever is wrong with the labels,
    /// and the errors of `are_labels_of`.
    ///
    /// ```no_run
    /// use idx_data::{Reader, dataset::CheckedFile};
    ///
    /// let path = "t10k-images-idx3-ubyte.gz";
    /// let images = CheckedFile::read(path, Reader::open(path)?, |_| ())?;
    /// if let Some(labels) = images.find_labels()? {
    ///     println!("the labels are in {}", labels.path.display());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_labels(&self) -> Result<Option<Self>, Error> {
        let mut found: Option<Self> = None;
        for path in existing(labels_beside(&self.path))? {
            let labels = Self::read(&path, Reader::open_regular(&path)?, |_| ())?;
            if let Some(first) = found.as_ref().filter(|first| first.content != labels.content) {
                return Err(ErrorKind::several_files(&first.path, &path)).at(&path);
            }
            labels.expect_name()?;
            self.expect_labels(&labels)?;
            found.get_or_insert(labels);
        }
        Ok(found)
    }

    fn expect_labels(&self, labels: &Self) -> Result<(), Error> {
        self.expect_count(labels)?;
        self.expect_same_set(labels)
    }

    pub(super) fn expect_count(&self, labels: &Self) -> Result<(), Error> {
        check_count((Some(&labels.path), &labels.header), (Some(&self.path), &self.header))
    }

    /// Checks that labels are those of these images, if the images are well known.
    pub(super) fn expect_same_set(&self, labels: &Self) -> Result<(), Error> {
        self.known.map_or(Ok(()), |known| labels.expect_labels_of(known, &self.path))
    }

    /// Checks that these are the labels of well-known images.
    fn expect_labels_of(&self, images: KnownFile, images_path: &Path) -> Result<(), Error> {
        // The same numbers may have been written in another type.
        let is_usual =
            self.header.dims().len() > 1 || self.header.element_type() == ElementType::U8;
        let kind = match self.known {
            Some(known) if !images.is_same_part(known) => mixed_data_sets(
                &(images_path.to_path_buf(), images.to_string()),
                &(self.path.clone(), known.to_string()),
            ),
            None if images.has_known_labels() && is_usual => {
                let message = format!(
                    "these are not the labels of {}, which is {images}; use the matching files, or download \
                     both again",
                    file_name(images_path)
                );
                ErrorKind::OtherLabels(message)
            }
            _ => return Ok(()),
        };
        Err(Error::from(kind).with_path(&self.path))
    }
}

/// Whether a file has a name like `train-labels-idx1-ubyte`, or `digits-labels.npy`.
#[must_use]
pub fn is_named_like_labels(path: impl AsRef<Path>) -> bool {
    Name::parse(path.as_ref()).is_some_and(|name| name.kind == Some(FileKind::Labels))
}

/// Whether a file has one of the names under which the labels of these records are looked for, in the same folder.
///
/// ```
/// use idx_data::dataset::are_labels_beside;
///
/// assert!(are_labels_beside("d/own-labels.idx1-ubyte.gz", "d/own-images-idx3-ubyte"));
/// assert!(!are_labels_beside("d/other-labels-idx1-ubyte", "d/own-images-idx3-ubyte"));
/// ```
#[must_use]
pub fn are_labels_beside(labels: impl AsRef<Path>, records: impl AsRef<Path>) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).ok();
    let labels = absolute(labels.as_ref());
    let mut names = labels_beside(records.as_ref()).into_iter();
    labels.is_some() && names.any(|name| absolute(&name) == labels)
}

/// Checks that there are as many labels as images; each header comes with its path, if it has one.
pub(crate) fn check_count(
    (labels_path, labels): (Option<&Path>, &HeaderBuf),
    (images_path, images): (Option<&Path>, &HeaderBuf),
) -> Result<(), Error> {
    let (labels, images) = (labels.record_count().into(), images.record_count().into());
    if labels == images {
        return Ok(());
    }
    let images_path = images_path.map(Path::to_path_buf);
    Err(Error::from(ErrorKind::LabelCount { labels, images, images_path }).at(labels_path))
}

/// The error for a file of images that has labels, or the other way around.
fn swapped(found: FileKind) -> ErrorKind {
    ErrorKind::Swapped(found.to_string())
}

fn name_mismatch(named: &str, found: &str) -> ErrorKind {
    ErrorKind::NameMismatch { named: named.to_string(), found: found.to_string() }
}

/// The error for two files, each with its data set or the type of its images.
pub(super) fn mixed_data_sets(first: &(PathBuf, String), second: &(PathBuf, String)) -> ErrorKind {
    let [first, second] = [first, second].map(|(path, is)| format!("{} is {is}", file_name(path)));
    ErrorKind::MixedDataSets(first, second)
}

/// Checks that labels are not those of another well-known data set than the images, whose first records are known.
pub(crate) fn expect_one_set(
    (images_path, images): (&Path, Option<KnownFile>),
    (labels_path, labels): (&Path, Option<KnownFile>),
) -> Result<(), Error> {
    let are_pair = |(images, labels): &(KnownFile, KnownFile)| {
        images.kind == FileKind::Images && labels.kind == FileKind::Labels
    };
    let known = images.zip(labels).filter(are_pair);
    let Some((images, labels)) = known.filter(|(images, labels)| !images.is_same_part(*labels))
    else {
        return Ok(());
    };
    let named = |path: &Path, known: KnownFile| (path.to_path_buf(), known.to_string());
    let kind = mixed_data_sets(&named(images_path, images), &named(labels_path, labels));
    Err(Error::from(kind).with_path(labels_path))
}

/// Checks images and labels that were read: whether they are swapped, and if the images are well known, whether the
/// labels are theirs.
pub(crate) fn expect_pair<I: IdxRecord, L: IdxRecord>(
    images: &IdxBuf,
    labels: &IdxBuf,
) -> Result<(), Error> {
    let (first, second) = (images.header(), labels.header());
    if first.check::<I>().is_err() && first.check::<L>().is_ok() && second.check::<I>().is_ok() {
        return Err(Error::from(swapped(FileKind::Labels)).at(images.path()));
    }
    // The hash of all images would take longer than reading them.
    let Some(known) = KnownFile::from_image_start(images.bytes()) else {
        return Ok(());
    };
    let path = |file: &IdxBuf| file.path().unwrap_or(Path::new("")).to_path_buf();
    let known_labels = KnownFile::from_content(labels.bytes());
    let (labels_path, header) = (path(labels), labels.header().clone());
    let labels = CheckedFile { path: labels_path, header, known: known_labels, content: None };
    labels.expect_labels_of(known, &path(images))
}
