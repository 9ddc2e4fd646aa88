//! The four files of an MNIST-like data set, found in a folder and checked.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::dataset::checked::CheckedFile;
use crate::error::{At, Error, ErrorKind, file_name};
use crate::known::data_set::{DataSet, Part, Split, named_part};
use crate::known::file::{KnownFile, start};
use crate::known::pair::mixed_data_sets;
use crate::names::FileKind;
use crate::names::folder::raw_folders;
use idx_std::{HeaderBuf, IdxBuf, ReadOptions, Reader, Shape};

/// The files of one data set, found in a folder by their names.
///
/// There are four: images and labels, for training and for testing. Their names may have either spelling
/// (`train-images-idx3-ubyte`, `train-images.idx3-ubyte`), end in `.gz` or not, and start with a prefix, as
/// in `emnist-letters-train-images-idx3-ubyte.gz`.
///
/// ```no_run
/// use idx_data::dataset::DataSetFiles;
///
/// for data_set in DataSetFiles::find("mnist")? {
///     for file in data_set.check(|path, bytes, _| eprint!("\r{}: {bytes} bytes", path.display())) {
///         let file = file?;
///         println!("{}: {}, {:?}", file.path.display(), file.header, file.known);
///     }
/// }
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSetFiles {
    folder: PathBuf,
    prefix: String,
    /// At most one for each part, in the order of `PARTS`.
    files: Vec<(Part, PathBuf)>,
    /// Other names of the same files: compressed, or with the other separator.
    twins: Vec<(Part, PathBuf)>,
}

/// A file of a data set in memory.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) checked: CheckedFile,
    pub(super) file: IdxBuf,
}

/// Four files make a data set.
const PARTS: [Part; 4] = [
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
    /// [`no_folder`](ErrorKind::code), [`no_data_set`](ErrorKind::code) if there is no such file, and [`ErrorKind::File`].
    pub fn find(folder: impl AsRef<Path>) -> Result<Vec<Self>, Error> {
        let folder = folder.as_ref();
        match Self::all(folder)? {
            none if none.is_empty() => Err(ErrorKind::NoDataSet).at(folder),
            found => Ok(found),
        }
    }

    /// The data sets in a folder, in the order of their prefixes; or else those in the folders of torchvision in it.
    fn all(folder: &Path) -> Result<Vec<Self>, Error> {
        let mut sets = Self::within(folder)?;
        if sets.is_empty() {
            for raw in raw_folders(folder).at(folder)? {
                sets.extend(Self::within(&raw)?);
            }
        }
        Ok(sets)
    }

    fn within(folder: &Path) -> Result<Vec<Self>, Error> {
        let mut sets = BTreeMap::<String, Vec<(Part, PathBuf)>>::new();
        let entries = fs::read_dir(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ErrorKind::NoFolder,
            _ => error.into(),
        });
        for entry in entries.at(folder)? {
            let path = folder.join(entry.at(folder)?.file_name());
            if let Some((prefix, part)) = named_part(&path) {
                let prefix = prefix.to_owned();
                sets.entry(prefix).or_default().push((part, path));
            }
        }
        let sets = sets.into_iter().map(|(prefix, mut files)| {
            files.sort();
            let mut parts = BTreeSet::new();
            let (files, twins) = files.into_iter().partition(|(part, _)| parts.insert(*part));
            Self { folder: folder.to_path_buf(), prefix, files, twins }
        });
        Ok(sets.collect())
    }

    /// The only data set in a folder.
    pub(super) fn only(folder: &Path) -> Result<Self, Error> {
        let mut data_sets = Self::find(folder)?;
        match data_sets.pop() {
            Some(data_set) if data_sets.is_empty() => Ok(data_set),
            last => {
                let prefixes = data_sets.into_iter().chain(last).map(|set| set.prefix);
                let message = format!(
                    "this folder has several data sets, whose file names start with {:?}; specify one of these \
                     prefixes",
                    prefixes.collect::<Vec<_>>()
                );
                Err(ErrorKind::SeveralDataSets(message)).at(folder)
            }
        }
    }

    /// The data set of this prefix, without files if there is none.
    pub(super) fn named(folder: &Path, prefix: &str) -> Result<Self, Error> {
        let named = Self::all(folder)?.into_iter().find(|set| set.prefix == prefix);
        let folder = folder.to_path_buf();
        let none =
            || Self { folder, prefix: prefix.to_owned(), files: Vec::new(), twins: Vec::new() };
        Ok(named.unwrap_or_else(none))
    }

    /// The part before `train` and `t10k` in the names of the files: empty, or `emnist-letters-`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Reads all files, and compares them with each other; calls `on_progress` at the start of each file and
    /// whenever bytes of it have been read, with its path, the bytes of its payload so far, and all of them.
    ///
    /// Returns a result for each part that exists, training images, training labels, test images and test labels, then for
    /// each other name of such a file, plain or compressed, and then the errors between the files:
    /// [`missing_file`](ErrorKind::code), [`several_files`](ErrorKind::code), [`ErrorKind::LabelCount`],
    /// [`ErrorKind::LabelNotAllowed`], [`mixed_data_sets`](ErrorKind::code), [`other_labels`](ErrorKind::code).
    #[must_use]
    pub fn check(
        &self,
        mut on_progress: impl FnMut(&Path, u64, u64),
    ) -> Vec<Result<CheckedFile, Error>> {
        let mut wrong_labels = Vec::new();
        let check = |(part, path): &(Part, PathBuf)| {
            let (checked, wrong_label) = self.check_file(*part, path, &mut on_progress)?;
            wrong_labels.extend(wrong_label);
            Ok(checked)
        };
        let mut results: Vec<_> = self.files.iter().chain(&self.twins).map(check).collect();
        let files: Vec<&CheckedFile> = results.iter().flatten().collect();
        let counts = pairs(&files).filter_map(|(images, labels)| images.expect_count(labels).err());
        let missing = self.missing_parts().chain(self.different_twins(&files));
        let faults: Vec<Error> =
            missing.chain(counts).chain(wrong_labels).chain(self.mixed(&files)).collect();
        results.extend(faults.into_iter().map(Err));
        results
    }

    /// Reads the four files, in the order of `PARTS`, and checks all that [`check`](Self::check) does except
    /// the values of the labels.
    pub(super) fn load(&self, options: ReadOptions) -> Result<[Loaded; 4], Error> {
        self.missing_parts().next().map_or(Ok(()), Err)?;
        for (part, twin) in &self.twins {
            if let Some(path) = self.file(*part)
                && start(path)? != start(twin)?
            {
                return Err(self.doubled(*part, path, twin));
            }
        }
        let [a, b, c, d] = PARTS.map(|part| {
            let path = self.file(part).ok_or_else(|| self.missing(part))?;
            Loaded::read(part, path, options)
        });
        let loaded = [a?, b?, c?, d?];
        let files: Vec<&CheckedFile> = loaded.iter().map(|file| &file.checked).collect();
        for (images, labels) in pairs(&files) {
            images.expect_count(labels)?;
        }
        self.mixed(&files).map_or(Ok(loaded), Err)
    }

    /// The labels of the data set; `None` if they are not known. The hash says better than a name.
    pub(super) fn allowed_labels(&self, known: Option<KnownFile>) -> Option<RangeInclusive<u8>> {
        let by_hash = known.map(|known| known.data_set);
        by_hash.or_else(|| DataSet::from_prefix(&self.prefix)).map(DataSet::labels)
    }

    /// The first file of a part.
    fn file(&self, wanted: Part) -> Option<&Path> {
        let mut files = self.files.iter();
        files.find(|(part, _)| *part == wanted).map(|(_, path)| path.as_path())
    }

    /// The errors for parts without a file.
    fn missing_parts(&self) -> impl Iterator<Item = Error> {
        let missing = PARTS.into_iter().filter(|part| self.file(*part).is_none());
        missing.map(|part| self.missing(part))
    }

    /// The errors for two files of one part that have other bytes.
    fn different_twins(&self, files: &[&CheckedFile]) -> impl Iterator<Item = Error> {
        let content = |path: &Path| files.iter().find(|file| file.path == path)?.content.as_ref();
        self.twins.iter().filter_map(move |(part, twin)| {
            let path = self.file(*part)?;
            (content(path)? != content(twin)?).then(|| self.doubled(*part, path, twin))
        })
    }

    fn missing(&self, part @ (split, kind): Part) -> Error {
        let [name, other] = usual_names(&self.prefix, part);
        let message = format!(
            "the {split} {kind} are missing: neither {name} nor {other} exists, plain or .gz; download the file, \
             or correct its name"
        );
        Error::from(ErrorKind::MissingFile(message)).with_path(&self.folder)
    }

    /// The error for two files of one part that differ: nobody knows which of them is meant.
    fn doubled(&self, (split, kind): Part, first: &Path, second: &Path) -> Error {
        let [first, second] = [first, second].map(file_name);
        let message = format!(
            "there are two different files for the {split} {kind}: {first} and {second}; remove one of them"
        );
        Error::from(ErrorKind::SeveralFiles(message)).with_path(&self.folder)
    }

    /// The error for labels that are not those of their images, for files of two well-known data sets, or for
    /// images of two types or shapes.
    fn mixed(&self, files: &[&CheckedFile]) -> Option<Error> {
        let mut pairs_of_two = pairs(files).filter_map(|(a, b)| a.expect_same_set(b).err());
        if let Some(error) = pairs_of_two.next() {
            return Some(error);
        }
        // Labels were compared with their images; those of QMNIST may be MNIST's.
        let is_compared = |file: &CheckedFile| {
            pairs(files).any(|(images, labels)| labels == file && images.known.is_some())
        };
        let known = files.iter().filter(|file| !is_compared(file));
        let known = known.filter_map(|file| Some((*file, file.known?.data_set.to_string())));
        let images = files.iter().filter(|file| file.is(FileKind::Images)).map(|file| {
            let header = &file.header;
            let shape = Shape(header.record_shape());
            (*file, format!("{} of {shape}", header.element_type()))
        });
        let [first, second] = two_kinds(known).or_else(|| two_kinds(images))?;
        let kind = mixed_data_sets((first.0, &first.1), (second.0, &second.1));
        Some(Error::from(kind).with_path(&self.folder))
    }

    /// Reads a file in constant memory; also returns the error for the first of its labels that is not
    /// allowed.
    fn check_file(
        &self,
        part: Part,
        path: &Path,
        on_progress: &mut impl FnMut(&Path, u64, u64),
    ) -> Result<(CheckedFile, Option<Error>), Error> {
        let reader = Reader::open_regular(path)?;
        let header = reader.header().clone();
        let size = header.payload_size();
        let allowed = self.allowed_labels(None).filter(|_| part.1 == FileKind::Labels);
        let (mut bytes, mut wrong_label) = (0, None);
        on_progress(path, 0, size);
        let has_twin = self.twins.iter().any(|(twin, _)| *twin == part);
        let checked =
            CheckedFile::read_to_compare(path.to_path_buf(), reader, has_twin, |records| {
                if let (Some(allowed), None) = (&allowed, &wrong_label) {
                    let before = header.whole_records(bytes);
                    let wrong = first_wrong_label(&header, records, allowed);
                    wrong_label = wrong.map(|(record, label)| (before + record, label));
                }
                bytes += records.len() as u64;
                on_progress(path, bytes, size);
            })?;
        checked.expect_name()?;
        // The labels of a well-known file are correct.
        let wrong_label = wrong_label.zip(allowed).filter(|_| checked.known.is_none());
        let wrong_label = wrong_label
            .map(|((record, label), allowed)| label_not_allowed(path, record, label, allowed));
        Ok((checked, wrong_label))
    }
}

impl Loaded {
    fn read((_, kind): Part, path: &Path, options: ReadOptions) -> Result<Self, Error> {
        let file = options.open_regular(path)?;
        let known = match kind {
            // The hash of all images would take longer than reading them.
            FileKind::Images => KnownFile::from_image_start(file.bytes()),
            FileKind::Labels => KnownFile::from_content(file.bytes()),
        };
        let known = known.map_or_else(|| KnownFile::published(path), |known| Ok(Some(known)))?;
        let (path, header) = (path.to_path_buf(), file.header().clone());
        let checked = CheckedFile { path, header, known, content: None };
        checked.expect_name()?;
        Ok(Self { checked, file })
    }
}

/// The usual names of a file of the data set with this prefix, without `.gz`.
fn usual_names(prefix: &str, (split, kind): Part) -> [String; 2] {
    let data_set = DataSet::from_prefix(prefix).unwrap_or(DataSet::Mnist);
    let word = match split {
        Split::Training => "train",
        Split::Test => data_set.facts().test_word,
    };
    let suffix = match kind {
        FileKind::Images => "idx3-ubyte",
        FileKind::Labels => data_set.facts().labels_suffix,
    };
    ["-", "."].map(|separator| format!("{prefix}{word}-{kind}{separator}{suffix}"))
}

/// The images and the labels of each split that has both.
fn pairs<'a>(
    files: &[&'a CheckedFile],
) -> impl Iterator<Item = (&'a CheckedFile, &'a CheckedFile)> {
    let pair = |split| {
        let file = |kind| files.iter().find(|file| file.part() == Some((split, kind))).copied();
        file(FileKind::Images).zip(file(FileKind::Labels))
    };
    [Split::Training, Split::Test].into_iter().filter_map(pair)
}

/// The error for a label that is not one of its data set.
pub(super) fn label_not_allowed(
    path: &Path,
    record: u64,
    label: f64,
    allowed: RangeInclusive<u8>,
) -> Error {
    Error::from(ErrorKind::LabelNotAllowed { record, label, allowed }).with_path(path)
}

/// The first of these labels that is not allowed: its record, counted from 0, and its value.
///
/// QMNIST's labels have several columns; the first is the digit.
pub(super) fn first_wrong_label(
    header: &HeaderBuf,
    records: &[u8],
    allowed: &RangeInclusive<u8>,
) -> Option<(u64, f64)> {
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
) -> Option<[(&'a Path, String); 2]> {
    let mut files = files.into_iter().map(|(file, kind)| (&*file.path, kind));
    let first = files.next()?;
    let second = files.find(|(_, kind)| *kind != first.1)?;
    Some([first, second])
}
