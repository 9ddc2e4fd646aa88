use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

use super::error::{Error, ErrorKind};
use super::file_name::{FileName, usual_names};
use super::known::{KnownFile, identify_reader};
use super::labeled::check_count;
use super::table::{DataSet, FileKind, Split};
use crate::header::{HeaderBuf, Shape};
use crate::read::{IdxBuf, ReadOptions, Reader};

/// The files of one data set, found in a folder by their names.
///
/// There are four: images and labels, for training and for testing. Their names may have either spelling
/// (`train-images-idx3-ubyte`, `train-images.idx3-ubyte`), end in `.gz` or not, and start with a prefix, as
/// in `emnist-letters-train-images-idx3-ubyte.gz`.
///
/// ```no_run
/// use idx_std::dataset::DataSetFiles;
///
/// for data_set in DataSetFiles::find("mnist")? {
///     for file in data_set.check(|read| eprint!("\r{}: {} bytes", read.path.display(), read.bytes)) {
///         let file = file?;
///         println!("{}: {}, {:?}", file.path.display(), file.header, file.known);
///     }
/// }
/// # Ok::<(), idx_std::dataset::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSetFiles {
    folder: PathBuf,
    prefix: String,
    /// Sorted by the fields of `NamedFile`, in their order.
    files: Vec<NamedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NamedFile {
    split: Split,
    kind: FileKind,
    /// Plain before gzip.
    path: PathBuf,
    rank: usize,
}

/// A file of a data set that was read to its end and is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// For training or for testing, by its name.
    pub split: Split,
    /// Images or labels, by its name.
    pub kind: FileKind,
    /// The element type and the sizes.
    pub header: HeaderBuf,
    /// Which well-known file it is, if it is one.
    pub known: Option<KnownFile>,
}

/// The progress of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The path of the file.
    pub path: &'a Path,
    /// The number of bytes of its payload that have been read.
    pub bytes: u64,
    /// The size of its payload in bytes.
    pub size: u64,
}

/// A file of a data set in memory.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) checked: CheckedFile,
    pub(super) file: IdxBuf,
}

/// A label that is not one of its data set: the record, and the label.
type WrongLabel = (u64, f64);

/// Four files make a data set.
const PARTS: [(Split, FileKind); 4] = [
    (Split::Training, FileKind::Images),
    (Split::Training, FileKind::Labels),
    (Split::Test, FileKind::Images),
    (Split::Test, FileKind::Labels),
];

impl DataSetFiles {
    /// Finds the data sets in a folder; EMNIST, for example, has six.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoDataSet`] if there is no such file, and [`ErrorKind::File`].
    pub fn find(folder: impl AsRef<Path>) -> Result<Vec<Self>, Error> {
        let folder = folder.as_ref();
        let found = named_files(folder).map_err(|error| Error::from(error).with_path(folder))?;
        if found.is_empty() {
            return Err(Error::from(ErrorKind::NoDataSet).with_path(folder));
        }
        let data_sets = found.into_iter().map(|(prefix, mut files)| {
            files.sort();
            Self { folder: folder.to_path_buf(), prefix, files }
        });
        Ok(data_sets.collect())
    }

    /// The only data set in a folder.
    pub(super) fn only(folder: &Path) -> Result<Self, Error> {
        let mut data_sets = Self::find(folder)?;
        match (data_sets.pop(), data_sets.is_empty()) {
            (Some(data_set), true) => Ok(data_set),
            (last, _) => {
                let prefixes = data_sets.into_iter().chain(last).map(|set| set.prefix);
                let kind = ErrorKind::SeveralDataSets { prefixes: prefixes.collect() };
                Err(Error::from(kind).with_path(folder))
            }
        }
    }

    /// The data set of this prefix, without files if there is none.
    pub(super) fn named(folder: &Path, prefix: &str) -> Result<Self, Error> {
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

    /// The part before `train` and `t10k` in the names of the files: empty, or `emnist-letters-`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Reads all files, and compares them with each other; calls `on_progress` at the start of each file and
    /// whenever bytes of it have been read.
    ///
    /// Returns a result for each file that exists, and then the errors between the files:
    /// [`ErrorKind::MissingFile`], [`ErrorKind::LabelCount`], [`ErrorKind::LabelNotAllowed`],
    /// [`ErrorKind::MixedDataSets`].
    #[must_use]
    pub fn check(
        &self,
        mut on_progress: impl FnMut(Progress<'_>),
    ) -> Vec<Result<CheckedFile, Error>> {
        // The hash of a well-known file is more reliable than its name.
        let allowed = DataSet::from_prefix(&self.prefix).map(DataSet::labels);
        let mut wrong_labels = Vec::new();
        let check = |file: &NamedFile| {
            let (checked, wrong) = file.check(allowed.as_ref(), &mut on_progress)?;
            if let (Some((record, label)), Some(allowed)) = (wrong, &allowed) {
                wrong_labels.push(checked.label_not_allowed(record, label, allowed));
            }
            Ok(checked)
        };
        let mut results: Vec<_> = self.files.iter().map(check).collect();
        let files: Vec<&CheckedFile> = results.iter().flatten().collect();
        let labels = files.iter().filter(|file| file.kind == FileKind::Labels);
        let faults: Vec<Error> = self
            .missing()
            .chain(labels.filter_map(|labels| labels.check_count(&files).err()))
            .chain(wrong_labels)
            .chain(self.mixed(&files))
            .collect();
        results.extend(faults.into_iter().map(Err));
        results
    }

    /// Reads the four files, in the order of `PARTS`, and checks all that [`check`](Self::check) does except
    /// the values of the labels.
    pub(super) fn load(&self, options: ReadOptions) -> Result<[Loaded; 4], Error> {
        if let Some(error) = self.missing().next() {
            return Err(error);
        }
        let [a, b, c, d] = PARTS.map(|(split, kind)| self.load_part(split, kind, options));
        let loaded = [a?, b?, c?, d?];
        let files: Vec<&CheckedFile> = loaded.iter().map(|file| &file.checked).collect();
        for labels in files.iter().filter(|file| file.kind == FileKind::Labels) {
            labels.check_count(&files)?;
        }
        self.mixed(&files).map_or(Ok(loaded), Err)
    }

    /// The labels of the data set; `None` if they are not known.
    pub(super) fn allowed_labels(&self, labels: &CheckedFile) -> Option<RangeInclusive<u8>> {
        let by_hash = labels.known.map(|known| known.data_set);
        by_hash.or_else(|| DataSet::from_prefix(&self.prefix)).map(DataSet::labels)
    }

    fn load_part(
        &self,
        split: Split,
        kind: FileKind,
        options: ReadOptions,
    ) -> Result<Loaded, Error> {
        let part = |file: &&NamedFile| (file.split, file.kind) == (split, kind);
        match self.files.iter().find(part) {
            Some(file) => file.load(options),
            None => Err(self.missing_part(split, kind)),
        }
    }

    fn missing(&self) -> impl Iterator<Item = Error> {
        let is_here = |part| {
            let mut files = self.files.iter();
            files.any(|file| (file.split, file.kind) == part)
        };
        let missing = PARTS.into_iter().filter(move |part| !is_here(*part));
        missing.map(|(split, kind)| self.missing_part(split, kind))
    }

    fn missing_part(&self, split: Split, kind: FileKind) -> Error {
        let names = usual_names(&self.prefix, split, kind);
        Error::from(ErrorKind::MissingFile { split, kind, names }).with_path(&self.folder)
    }

    /// The error for files of two well-known data sets, or for images of two types or shapes.
    fn mixed(&self, files: &[&CheckedFile]) -> Option<Error> {
        let known = files.iter().filter_map(|file| Some((*file, file.known?.data_set.to_string())));
        let images = files.iter().filter(|file| file.kind == FileKind::Images).map(|file| {
            let header = &file.header;
            let shape = Shape(header.record_shape());
            (*file, format!("{} of {shape}", header.element_type()))
        });
        let [first, second] = two_kinds(known).or_else(|| two_kinds(images))?;
        let kind = ErrorKind::MixedDataSets { first, second };
        Some(Error::from(kind).with_path(&self.folder))
    }
}

/// The files in a folder that have names of a data set, by their prefix.
fn named_files(folder: &Path) -> io::Result<BTreeMap<String, Vec<NamedFile>>> {
    let mut files = BTreeMap::<_, Vec<_>>::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if let Some(parsed) = name.to_str().and_then(FileName::parse) {
            let file = NamedFile {
                split: parsed.split,
                kind: parsed.kind,
                path: folder.join(&name),
                rank: parsed.rank,
            };
            let prefix = parsed.prefix.to_owned();
            files.entry(prefix).or_default().push(file);
        }
    }
    Ok(files)
}

/// Finds the labels of these images in the same folder, by the names of both, compares their counts, and reads the
/// labels to their end.
///
/// `None` if there are no labels, or if the name is not one of images, such as `t10k-images-idx3-ubyte`.
///
/// # Errors
///
/// [`ErrorKind::LabelCount`], with the path of the labels, and whatever is wrong with them.
///
/// ```no_run
/// use idx_std::dataset;
///
/// let images = idx_std::open("t10k-images-idx3-ubyte.gz")?;
/// if let Some(labels) = dataset::find_labels("t10k-images-idx3-ubyte.gz", images.header())? {
///     println!("the labels are in {}", labels.display());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_labels(images: impl AsRef<Path>, header: &HeaderBuf) -> Result<Option<PathBuf>, Error> {
    let images = images.as_ref();
    let name = images.file_name().and_then(|name| name.to_str());
    let Some((name, folder)) = name.and_then(FileName::parse).zip(images.parent()) else {
        return Ok(None);
    };
    if name.kind != FileKind::Images {
        return Ok(None);
    }
    let here = folder.as_os_str().is_empty();
    let data_sets = DataSetFiles::find(if here { Path::new(".") } else { folder })?;
    let mut files = data_sets
        .iter()
        .filter(|data_set| data_set.prefix == name.prefix)
        .flat_map(|data_set| &data_set.files);
    let labels = files.find(|file| (file.split, file.kind) == (name.split, FileKind::Labels));
    let Some(labels) = labels.and_then(|labels| labels.path.file_name()) else {
        return Ok(None);
    };
    let labels = images.with_file_name(labels);
    let mut reader = Reader::open_regular(&labels)?;
    expect_count((&labels, reader.header()), (images, header))?;
    while reader.next_records().transpose()?.is_some() {}
    Ok(Some(labels))
}

/// Checks that there are as many of these labels as of these images.
///
/// # Errors
///
/// [`ErrorKind::LabelCount`], with the path of the labels.
pub fn expect_count(
    (labels_path, labels): (&Path, &HeaderBuf),
    (images_path, images): (&Path, &HeaderBuf),
) -> Result<(), Error> {
    check_count((Some(labels_path), labels), (Some(images_path), images))
}

impl NamedFile {
    /// Reads the file in constant memory; also returns the first of its labels that is not allowed.
    fn check(
        &self,
        allowed: Option<&RangeInclusive<u8>>,
        on_progress: &mut impl FnMut(Progress<'_>),
    ) -> Result<(CheckedFile, Option<WrongLabel>), Error> {
        let reader = Reader::open_regular(&self.path)?;
        let header = reader.header().clone();
        let checked = self.check_header(&header)?;
        let mut progress = Progress { path: &self.path, bytes: 0, size: header.payload_size() };
        on_progress(progress);
        let allowed = allowed.filter(|_| self.kind == FileKind::Labels);
        let mut wrong_label = None;
        let known = identify_reader(reader, |records| {
            if let (Some(allowed), None) = (allowed, wrong_label) {
                let before = header.whole_records(progress.bytes);
                let wrong = first_wrong_label(&header, records, allowed);
                wrong_label = wrong.map(|(record, label)| (before + record, label));
            }
            progress.bytes += records.len() as u64;
            on_progress(progress);
        })?;
        // The labels of a well-known file are correct.
        let wrong_label = wrong_label.filter(|_| known.is_none());
        Ok((self.check_known(checked, known)?, wrong_label))
    }

    /// Reads the file into memory.
    fn load(&self, options: ReadOptions) -> Result<Loaded, Error> {
        let file = options.open_regular(&self.path)?;
        let checked = self.check_header(file.header())?;
        let known = match self.kind {
            FileKind::Images => KnownFile::from_image_start(file.bytes()),
            FileKind::Labels => KnownFile::from_sha256(&Sha256::digest(file.bytes())),
        };
        let checked = self.check_known(checked, known)?;
        Ok(Loaded { checked, file })
    }

    fn check_header(&self, header: &HeaderBuf) -> Result<CheckedFile, Error> {
        if header.rank() != self.rank {
            let ranks = [self.rank, header.rank()];
            return Err(self.name_mismatch(ranks.map(|rank| format!("idx{rank}"))));
        }
        Ok(CheckedFile {
            path: self.path.clone(),
            split: self.split,
            kind: self.kind,
            header: header.clone(),
            known: None,
        })
    }

    fn check_known(
        &self,
        checked: CheckedFile,
        known: Option<KnownFile>,
    ) -> Result<CheckedFile, Error> {
        match known {
            Some(known) if (known.split, known.kind) != (self.split, self.kind) => {
                let named = format!("{} {}", self.split, self.kind);
                Err(self.name_mismatch([named, known.to_string()]))
            }
            _ => Ok(CheckedFile { known, ..checked }),
        }
    }

    fn name_mismatch(&self, [named, found]: [String; 2]) -> Error {
        Error::from(ErrorKind::NameMismatch { named, found }).with_path(&self.path)
    }
}

impl CheckedFile {
    pub(super) fn label_not_allowed(
        &self,
        record: u64,
        label: f64,
        allowed: &RangeInclusive<u8>,
    ) -> Error {
        let kind = ErrorKind::LabelNotAllowed { record, label, allowed: allowed.clone() };
        Error::from(kind).with_path(&self.path)
    }

    /// Checks that there are as many of these labels as images.
    fn check_count(&self, files: &[&Self]) -> Result<(), Error> {
        let images =
            files.iter().find(|file| (file.split, file.kind) == (self.split, FileKind::Images));
        images.map_or(Ok(()), |images| {
            expect_count((&self.path, &self.header), (&images.path, &images.header))
        })
    }
}

/// The first of these labels that is not allowed: its record, counted from 0, and its value.
///
/// QMNIST's labels have several columns; the first is the digit.
pub(super) fn first_wrong_label(
    header: &HeaderBuf,
    records: &[u8],
    allowed: &RangeInclusive<u8>,
) -> Option<WrongLabel> {
    let element_type = header.element_type();
    let allowed = f64::from(*allowed.start())..=f64::from(*allowed.end());
    let record_size = header.record_size().and_then(|size| usize::try_from(size).ok())?;
    let labels = records.chunks_exact(record_size.max(1)).map(|record| {
        let label = record.get(..element_type.size());
        label.and_then(|bytes| element_type.value(bytes))
    });
    let mut labels = (0..).zip(labels);
    labels.find_map(|(record, label)| match label {
        Some(label) if !allowed.contains(&label) => Some((record, label)),
        _ => None,
    })
}

/// The first file of one data set and the first of another, each with its name or type.
fn two_kinds<'a>(
    files: impl IntoIterator<Item = (&'a CheckedFile, String)>,
) -> Option<[(PathBuf, String); 2]> {
    let mut files = files.into_iter().map(|(file, kind)| (file.path.clone(), kind));
    let first = files.next()?;
    let second = files.find(|(_, kind)| *kind != first.1)?;
    Some([first, second])
}
