use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

use idx_core::{ElementType, Header};
use sha2::{Digest, Sha256};

use crate::file_name::{FileName, usual_names};
use crate::{Content, DynReader, Error, ErrorKind, IdxBuf, KnownFile, Split, open};

/// The files of one data set, found in a folder by their names.
///
/// They are four: images and labels, for training and for the test. Found are both spellings
/// (`train-images-idx3-ubyte`, `train-images.idx3-ubyte`), gzip or not, and with what is put before
/// them, as in `emnist-letters-train-images-idx3-ubyte.gz`.
///
/// ```no_run
/// use idx_std::DataSetFiles;
///
/// for data_set in DataSetFiles::find("mnist")? {
///     for file in data_set.check() {
///         let file = file?;
///         println!("{}: {:?} {:?}", file.path.display(), file.shape, file.known);
///     }
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSetFiles {
    folder: PathBuf,
    prefix: String,
    /// In the order of their fields.
    files: Vec<NamedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NamedFile {
    split: Split,
    content: Content,
    /// Plain before gzip.
    path: PathBuf,
    rank: u8,
}

/// A file of a data set that was read to its end and is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedFile {
    /// Where it is.
    pub path: PathBuf,
    /// For training or for the test, by its name.
    pub split: Split,
    /// Images or labels, by its name.
    pub content: Content,
    /// The type of the elements.
    pub element_type: ElementType,
    /// The sizes of all dimensions, the number of records first.
    pub shape: Vec<u32>,
    /// Which well-known file it is, if it is one.
    pub known: Option<KnownFile>,
}

/// How far a file of a data set is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckProgress<'a> {
    /// Where the file is.
    pub path: &'a Path,
    /// The bytes of its payload that were read.
    pub bytes: u64,
    /// All bytes of its payload.
    pub size: u64,
}

/// A file of a data set in memory.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) checked: CheckedFile,
    pub(crate) file: IdxBuf,
}

/// Four files make a data set.
const PARTS: [(Split, Content); 4] = [
    (Split::Training, Content::Images),
    (Split::Training, Content::Labels),
    (Split::Test, Content::Images),
    (Split::Test, Content::Labels),
];

impl DataSetFiles {
    /// Finds the data sets in a folder; EMNIST alone is six.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoDataSet`] if there is not one such file, and [`ErrorKind::Io`].
    pub fn find(folder: impl AsRef<Path>) -> Result<Vec<Self>, Error> {
        let folder = folder.as_ref();
        let error = |kind: ErrorKind| Error::from(kind).with_path(Some(folder));
        let found = named_files(folder).map_err(|io| error(io.into()))?;
        if found.is_empty() {
            return Err(error(ErrorKind::NoDataSet));
        }
        let data_sets = found.into_iter().map(|(prefix, mut files)| {
            files.sort();
            Self {
                folder: folder.to_path_buf(),
                prefix,
                files,
            }
        });
        Ok(data_sets.collect())
    }

    /// The data set in a folder that has no other.
    pub(crate) fn only(folder: &Path) -> Result<Self, Error> {
        let mut data_sets = Self::find(folder)?;
        match (data_sets.pop(), data_sets.is_empty()) {
            (Some(data_set), true) => Ok(data_set),
            (last, _) => {
                let prefixes = data_sets.into_iter().chain(last).map(|set| set.prefix);
                let kind = ErrorKind::SeveralDataSets {
                    prefixes: prefixes.collect(),
                };
                Err(Error::from(kind).with_path(Some(folder)))
            }
        }
    }

    /// The data set of this prefix, without files if there is none.
    pub(crate) fn named(folder: &Path, prefix: &str) -> Result<Self, Error> {
        let data_sets = match Self::find(folder) {
            Err(error) if matches!(error.kind(), ErrorKind::NoDataSet) => Vec::new(),
            found => found?,
        };
        let named = data_sets.into_iter().find(|set| set.prefix == prefix);
        Ok(named.unwrap_or_else(|| Self {
            folder: folder.to_path_buf(),
            prefix: prefix.to_owned(),
            files: Vec::new(),
        }))
    }

    /// What comes before `train` and `t10k` in the names of the files: nothing, or
    /// `emnist-letters-`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Reads all files, and compares them with each other.
    ///
    /// Gives a result for each file that is there, and then an error for whatever is wrong between
    /// them: [`ErrorKind::MissingFile`], [`ErrorKind::LabelCount`], [`ErrorKind::LabelNotAllowed`],
    /// [`ErrorKind::Mixed`].
    #[must_use]
    pub fn check(&self) -> Vec<Result<CheckedFile, Error>> {
        self.check_with(|_| ())
    }

    /// As [`check`](Self::check); `listen` is told how far a file is read: at its start, and each time
    /// that bytes of it have come.
    ///
    /// ```no_run
    /// for data_set in idx_std::DataSetFiles::find("mnist")? {
    ///     let results = data_set.check_with(|read| {
    ///         eprint!("\r{}: {} of {} bytes", read.path.display(), read.bytes, read.size);
    ///     });
    ///     println!("{} files", results.iter().flatten().count());
    /// }
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    #[must_use]
    pub fn check_with(
        &self,
        mut listen: impl FnMut(CheckProgress<'_>),
    ) -> Vec<Result<CheckedFile, Error>> {
        let files = self.files.iter();
        let mut results: Vec<_> = files.map(|file| file.check(&mut listen)).collect();
        let files: Vec<&CheckedFile> = results.iter().flatten().collect();
        let labels = files.iter().filter(|file| file.content == Content::Labels);
        let faults: Vec<Error> = self
            .missing()
            .chain(
                labels
                    .clone()
                    .filter_map(|labels| labels.check_count(&files).err()),
            )
            .chain(labels.filter_map(|labels| self.check_labels(labels).err()))
            .chain(self.mixed(&files))
            .collect();
        results.extend(faults.into_iter().map(Err));
        results
    }

    /// The four files whole, in the order of `PARTS`, after everything that [`check`](Self::check)
    /// does but for the values of the labels.
    pub(crate) fn load(&self) -> Result<[Loaded; 4], Error> {
        if let Some(error) = self.missing().next() {
            return Err(error);
        }
        let [a, b, c, d] = PARTS.map(|(split, content)| self.load_part(split, content));
        let loaded = [a?, b?, c?, d?];
        let files: Vec<&CheckedFile> = loaded.iter().map(|file| &file.checked).collect();
        let labels = files.iter().filter(|file| file.content == Content::Labels);
        for labels in labels {
            labels.check_count(&files)?;
        }
        self.mixed(&files).map_or(Ok(loaded), Err)
    }

    fn load_part(&self, split: Split, content: Content) -> Result<Loaded, Error> {
        let part = |file: &&NamedFile| (file.split, file.content) == (split, content);
        match self.files.iter().find(part) {
            Some(file) => file.load(),
            None => Err(self.missing_part(split, content)),
        }
    }

    fn missing(&self) -> impl Iterator<Item = Error> {
        let missing = PARTS.into_iter().filter(|(split, content)| {
            !self
                .files
                .iter()
                .any(|file| (file.split, file.content) == (*split, *content))
        });
        missing.map(|(split, content)| self.missing_part(split, content))
    }

    fn missing_part(&self, split: Split, content: Content) -> Error {
        let kind = ErrorKind::MissingFile {
            split,
            content,
            names: usual_names(&self.prefix, split, content),
        };
        Error::from(kind).with_path(Some(&self.folder))
    }

    /// Files of two data sets: of two that are known, or images of two kinds.
    fn mixed(&self, files: &[&CheckedFile]) -> Option<Error> {
        let known = files
            .iter()
            .filter_map(|file| Some((*file, file.known?.data_set.to_string())));
        let images = files
            .iter()
            .filter(|file| file.content == Content::Images)
            .map(|file| {
                let sizes: Vec<String> = file.shape.iter().skip(1).map(u32::to_string).collect();
                (
                    *file,
                    format!("{} of {}", file.element_type, sizes.join(" x ")),
                )
            });
        let [first, second] = two_kinds(known).or_else(|| two_kinds(images))?;
        let kind = ErrorKind::Mixed { first, second };
        Some(Error::from(kind).with_path(Some(&self.folder)))
    }

    /// Checks that no label is one that the set does not have.
    fn check_labels(&self, labels: &CheckedFile) -> Result<(), Error> {
        // Those of a well-known file are right.
        let (None, Some(allowed)) = (labels.known, self.allowed_labels(labels)) else {
            return Ok(());
        };
        let least_and_most = f64::from(*allowed.start())..=f64::from(*allowed.end());
        let mut reader = DynReader::open(&labels.path)?;
        let mut record = 0;
        while let Some(bytes) = reader.next_record().transpose()? {
            // QMNIST has several columns, and the digit in the first.
            let label = bytes.get(..labels.element_type.size());
            if let Some(label) = label.and_then(|bytes| labels.element_type.value(bytes))
                && !least_and_most.contains(&label)
            {
                return Err(labels.label_not_allowed(record, label, &allowed));
            }
            record += 1;
        }
        Ok(())
    }

    /// The labels that the set has; `None` if that is not known.
    pub(crate) fn allowed_labels(&self, labels: &CheckedFile) -> Option<RangeInclusive<u8>> {
        // What a well-known file is, its hash says better than its name.
        let by_hash = labels.known.map(|known| known.data_set.labels());
        by_hash.or_else(|| labels_by_prefix(&self.prefix))
    }
}

/// The files in a folder whose names are those of a data set, by what the names start with.
fn named_files(folder: &Path) -> io::Result<BTreeMap<String, Vec<NamedFile>>> {
    let mut files = BTreeMap::<_, Vec<_>>::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if let Some(parsed) = name.to_str().and_then(FileName::parse) {
            let file = NamedFile {
                split: parsed.split,
                content: parsed.content,
                path: folder.join(&name),
                rank: parsed.rank,
            };
            files
                .entry(parsed.prefix.to_owned())
                .or_default()
                .push(file);
        }
    }
    Ok(files)
}

/// The labels that lie beside these images, by the names of both, after a look at their number.
///
/// `None` if there are no labels, or if the name is not that of images.
///
/// # Errors
///
/// [`ErrorKind::LabelCount`], with the path of the labels, if they are not `count`; and whatever is
/// wrong with their header.
///
/// ```no_run
/// let images = idx_std::open("t10k-images-idx3-ubyte.gz")?;
/// let count = images.as_idx().header().record_count();
/// if let Some(labels) = idx_std::labels_beside("t10k-images-idx3-ubyte.gz", count)? {
///     println!("{count} labels are in {}", labels.display());
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn labels_beside(images: impl AsRef<Path>, count: u32) -> Result<Option<PathBuf>, Error> {
    let images = images.as_ref();
    let name = images.file_name().and_then(|name| name.to_str());
    let Some((name, folder)) = name.and_then(FileName::parse).zip(images.parent()) else {
        return Ok(None);
    };
    if name.content != Content::Images {
        return Ok(None);
    }
    let here = folder.as_os_str().is_empty();
    let data_sets = DataSetFiles::find(if here { Path::new(".") } else { folder })?;
    let mut files = data_sets
        .iter()
        .filter(|data_set| data_set.prefix == name.prefix)
        .flat_map(|data_set| &data_set.files);
    let labels = files.find(|file| (file.split, file.content) == (name.split, Content::Labels));
    let Some(labels) = labels.and_then(|labels| labels.path.file_name()) else {
        return Ok(None);
    };
    let labels = images.with_file_name(labels);
    let label_count = DynReader::open(&labels)?.header().record_count();
    compare_counts((Some(&labels), label_count), (Some(images), count))?;
    Ok(Some(labels))
}

impl NamedFile {
    /// Reads the file in constant memory.
    fn check(&self, listen: &mut impl FnMut(CheckProgress<'_>)) -> Result<CheckedFile, Error> {
        let reader = DynReader::open(&self.path)?;
        let checked = self.check_header(&reader.header())?;
        let mut progress = CheckProgress {
            path: &self.path,
            bytes: 0,
            size: reader.header().payload_size(),
        };
        listen(progress);
        let known = reader.identify_with(|records| {
            progress.bytes += records.len() as u64;
            listen(progress);
        })?;
        self.check_known(checked, known)
    }

    /// Reads the file into memory.
    fn load(&self) -> Result<Loaded, Error> {
        let file = open(&self.path)?;
        let checked = self.check_header(&file.as_idx().header())?;
        let known = match self.content {
            Content::Images => KnownFile::of_images(file.bytes()),
            Content::Labels => KnownFile::of_sha256(&Sha256::digest(file.bytes())),
        };
        let checked = self.check_known(checked, known)?;
        Ok(Loaded { checked, file })
    }

    fn check_header(&self, header: &Header<'_>) -> Result<CheckedFile, Error> {
        if header.rank() != self.rank {
            let ranks = [self.rank, header.rank()];
            return Err(self.misnamed(ranks.map(|rank| format!("idx{rank}"))));
        }
        Ok(CheckedFile {
            path: self.path.clone(),
            split: self.split,
            content: self.content,
            element_type: header.element_type(),
            shape: header.dims().iter().collect(),
            known: None,
        })
    }

    fn check_known(
        &self,
        checked: CheckedFile,
        known: Option<KnownFile>,
    ) -> Result<CheckedFile, Error> {
        match known {
            Some(known) if (known.split, known.content) != (self.split, self.content) => {
                let named = format!("{} {}", self.split, self.content);
                Err(self.misnamed([named, known.to_string()]))
            }
            _ => Ok(CheckedFile { known, ..checked }),
        }
    }

    fn misnamed(&self, [named, found]: [String; 2]) -> Error {
        Error::from(ErrorKind::Misnamed { named, found }).with_path(Some(&self.path))
    }
}

impl CheckedFile {
    /// The number of records.
    #[must_use]
    pub fn record_count(&self) -> u32 {
        self.shape.first().copied().unwrap_or(1)
    }

    pub(crate) fn label_not_allowed(
        &self,
        record: u64,
        label: f64,
        allowed: &RangeInclusive<u8>,
    ) -> Error {
        let kind = ErrorKind::LabelNotAllowed {
            record,
            label,
            allowed: allowed.clone(),
        };
        Error::from(kind).with_path(Some(&self.path))
    }

    /// Checks that there are as many of these labels as images.
    fn check_count(&self, files: &[&Self]) -> Result<(), Error> {
        let images = files
            .iter()
            .find(|file| (file.split, file.content) == (self.split, Content::Images));
        images.map_or(Ok(()), |images| {
            compare_counts(
                (Some(&self.path), self.record_count()),
                (Some(&images.path), images.record_count()),
            )
        })
    }
}

/// Checks that there are as many labels as images, each given with its file if that has a name.
pub(crate) fn compare_counts(
    labels: (Option<&Path>, u32),
    images: (Option<&Path>, u32),
) -> Result<(), Error> {
    if labels.1 == images.1 {
        return Ok(());
    }
    let kind = ErrorKind::LabelCount {
        labels: labels.1,
        images: images.1,
        images_path: images.0.map(Path::to_path_buf),
    };
    Err(Error::from(kind).with_path(labels.0))
}

/// The first file of a data set and the first of another, each with what tells them apart.
fn two_kinds<'a>(
    files: impl IntoIterator<Item = (&'a CheckedFile, String)>,
) -> Option<[(PathBuf, String); 2]> {
    let mut files = files
        .into_iter()
        .map(|(file, kind)| (file.path.clone(), kind));
    let first = files.next()?;
    let second = files.find(|(_, kind)| *kind != first.1)?;
    Some([first, second])
}

/// The labels of the data sets whose files have names that start so; `None` if that is not known.
fn labels_by_prefix(prefix: &str) -> Option<RangeInclusive<u8>> {
    match prefix {
        "" | "fashion-" | "qmnist-" | "emnist-digits-" | "emnist-mnist-" => Some(0..=9),
        "emnist-letters-" => Some(1..=26),
        "emnist-balanced-" | "emnist-bymerge-" => Some(0..=46),
        "emnist-byclass-" => Some(0..=61),
        _ => None,
    }
}
