//! The files of an MNIST-like data set, found in a folder and checked.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::dataset::checked::CheckedFile;
use crate::error::{At, Error, ErrorKind};
use crate::gather::Gather;
use crate::known::data_set::DataSet;
use crate::known::pair::mixed_data_sets;
use crate::names::folder::{Entries, raw_folders};
use crate::names::sets::{self, Files};
use crate::names::{FileKind, Name, Part};
use idx_std::{Reader, Shape};

/// The files of one data set, found in a folder by their names.
///
/// There are four: images and labels, for training and for testing. Your own set may lack labels or a part. The names
/// may have either separator (`train-images-idx3-ubyte`, `train-images.idx3-ubyte`), may end in `.gz`, and may start
/// with a prefix, as in `emnist-letters-train-images-idx3-ubyte.gz`.
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
    /// The first file of a kind is used. The others, compressed or with the other separator, must have the same
    /// content.
    files: Files,
    others: Vec<PathBuf>,
}

/// The part of a data set that a file has, and whether it has images or labels.
type PartAndKind = (Part, FileKind);

const KINDS: [FileKind; 2] = [FileKind::Images, FileKind::Labels];

impl DataSetFiles {
    /// Finds the data sets in a folder; EMNIST, for example, has six. If there are none, looks in the folders that
    /// torchvision makes there, such as `MNIST/raw`.
    ///
    /// # Errors
    ///
    /// No data set ([`no_data_set`](ErrorKind::code)), or a folder that cannot be read ([`ErrorKind::File`]).
    pub fn find(folder: impl AsRef<Path>) -> Result<Vec<Self>, Error> {
        let folder = folder.as_ref();
        let mut sets = Self::within(folder)?;
        if sets.is_empty() {
            for raw in raw_folders(folder).at(folder)? {
                sets.extend(Self::within(&raw)?);
            }
        }
        match sets.is_empty() {
            true => Err(ErrorKind::NoDataSet).at(folder),
            false => Ok(sets),
        }
    }

    /// Returns the data sets whose files are in this folder, in the order of their prefixes.
    fn within(folder: &Path) -> Result<Vec<Self>, Error> {
        let files = Entries::read(folder).at(folder)?.files;
        let is_other =
            |path: &&PathBuf| Name::parse(path).is_some_and(|name| name.part_and_kind().is_none());
        let others: Vec<PathBuf> = files.iter().filter(is_other).cloned().collect();
        let sets = sets::by_prefix(&files, |name| name.part_and_kind().is_some())
            .into_values()
            .map(|files| {
                let name = files.values().flatten().find_map(|path| Name::parse(path));
                let prefix = name.map_or("", |name| name.part().0).to_string();
                Self { folder: folder.to_path_buf(), prefix, files, others: others.clone() }
            });
        Ok(sets.collect())
    }

    /// Returns what comes before `train` and `t10k` in the file names: nothing, or for instance `emnist-letters-`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the files next to them that are named like records but belong to no data set. These are not checked.
    #[must_use]
    pub fn others(&self) -> &[PathBuf] {
        &self.others
    }

    /// Reads all files, and compares them with each other. Calls `on_progress` at the start of each file, and whenever
    /// bytes of it have been read, with its path, the number of payload bytes so far, and their total.
    ///
    /// Returns a result for each file that exists, in the order training images, training labels, test images, test
    /// labels; then one for each further file of the same kind, plain or compressed; and then the errors between files:
    /// [`missing_file`](ErrorKind::code), [`several_files`](ErrorKind::code), [`ErrorKind::LabelCount`],
    /// [`other_data_set`](ErrorKind::code).
    #[must_use]
    pub fn check(
        &self,
        mut on_progress: impl FnMut(&Path, u64, u64),
    ) -> Vec<Result<CheckedFile, Error>> {
        let all = self.files.values();
        let firsts = all.filter_map(|files| Some((files.first()?, files.len() > 1)));
        let twins = self.twins().map(|(_, twin)| (twin, true));
        let check = |(path, has_twin): (&PathBuf, _)| check_file(path, has_twin, &mut on_progress);
        let mut results: Vec<_> = firsts.chain(twins).map(check).collect();
        let files: Vec<&CheckedFile> = results.iter().flatten().collect();
        let pairs = pairs(&files).filter_map(|(images, labels)| images.expect_labels(labels).err());
        let missing = self.missing_files(&files).chain(self.different_twins(&files));
        let faults: Vec<Error> = missing.chain(pairs).chain(self.mixed(&files)).collect();
        results.extend(faults.into_iter().map(Err));
        results
    }

    /// Returns each further file of a kind, after the first one.
    fn twins(&self) -> impl Iterator<Item = (&PathBuf, &PathBuf)> {
        let several = self.files.values().filter_map(|files| files.split_first());
        several.flat_map(|(first, twins)| twins.iter().map(move |twin| (first, twin)))
    }

    /// Returns the errors for missing files. Only a well-known set must have both parts, and labels.
    fn missing_files(&self, files: &[&CheckedFile]) -> impl Iterator<Item = Error> {
        let is_known = DataSet::said_by_prefix(&self.prefix).is_some()
            || files.iter().any(|file| file.known.is_some());
        let own = self.files.keys().map(|(part, _)| *part);
        let of_known = [Part::Train, Part::Test].into_iter().filter(|_| is_known);
        let parts: BTreeSet<Part> = of_known.chain(own).gather();
        let kinds = parts.into_iter().flat_map(|part| KINDS.map(|kind| (part, kind)));
        let are_missing = kinds.filter(move |named| {
            (is_known || named.1 == FileKind::Images) && !self.files.contains_key(named)
        });
        are_missing.map(|named| missing(&self.folder, &self.prefix, named))
    }

    /// Returns the errors for two files of one kind that differ.
    fn different_twins(&self, files: &[&CheckedFile]) -> impl Iterator<Item = Error> {
        let content =
            |path: &PathBuf| files.iter().find(|file| file.path == *path)?.content.as_ref();
        let differ =
            move |path, twin| content(path).zip(content(twin)).is_some_and(|(a, b)| a != b);
        let twins = self.twins().filter(move |(path, twin)| differ(path, twin));
        twins.map(|(path, twin)| {
            Error::from(ErrorKind::several_files(path, twin)).with_path(&self.folder)
        })
    }

    /// Returns the error for files of two well-known data sets, or for images of two types or shapes.
    fn mixed(&self, files: &[&CheckedFile]) -> Option<Error> {
        // Labels are already compared with their images.
        let is_compared = |file: &CheckedFile| {
            pairs(files).any(|(images, labels)| labels == file && images.known.is_some())
        };
        let known = files.iter().filter(|file| !is_compared(file));
        let known = known.filter_map(|file| Some((&*file.path, file.known?)));
        let images = files.iter().filter(|file| file.is(FileKind::Images)).map(|file| {
            let header = &file.header;
            let shape = Shape(header.record_shape());
            (&*file.path, format!("{} of {shape}", header.element_type()))
        });
        let of_two_sets = two_kinds(known, |one, other| one.is_same_set(*other));
        let kind = of_two_sets.or_else(|| two_kinds(images, |one, other| one == other))?;
        Some(Error::from(kind).with_path(&self.folder))
    }
}

/// Reads a file in constant memory.
fn check_file(
    path: &Path,
    has_twin: bool,
    on_progress: &mut impl FnMut(&Path, u64, u64),
) -> Result<CheckedFile, Error> {
    let reader = Reader::open_regular(path)?;
    let (mut bytes, size) = (0, reader.header().payload_size());
    on_progress(path, 0, size);
    let mut advance = |records: &[u8]| {
        bytes += records.len() as u64;
        on_progress(path, bytes, size);
    };
    let path = path.to_path_buf();
    let checked = CheckedFile::read_to_compare(path, reader, has_twin, &mut advance)?;
    checked.expect_name()?;
    Ok(checked)
}

/// Returns the error for a missing file of the data set with this prefix, with the usual names.
pub(super) fn missing(folder: &Path, prefix: &str, (part, kind): PartAndKind) -> Error {
    let data_set = DataSet::from_prefix(prefix).unwrap_or(DataSet::Mnist);
    let word = match part {
        Part::Test => data_set.facts().test_word,
        other => other.name(),
    };
    let suffix = match kind {
        FileKind::Images => "idx3-ubyte",
        FileKind::Labels => data_set.facts().labels_suffix,
    };
    let name = format!("{prefix}{word}-{kind}");
    let message = format!(
        "the {part} {kind} are missing: neither {name}-{suffix} nor {name}.{suffix} exists, plain or .gz; download the \
         file, or correct its name"
    );
    Error::from(ErrorKind::MissingFile(message)).with_path(folder)
}

/// Returns the images and labels of each part that has both.
fn pairs<'a>(
    files: &[&'a CheckedFile],
) -> impl Iterator<Item = (&'a CheckedFile, &'a CheckedFile)> {
    let pair = |part| {
        let file =
            |kind| files.iter().find(|file| file.part_and_kind() == Some((part, kind))).copied();
        file(FileKind::Images).zip(file(FileKind::Labels))
    };
    [Part::Train, Part::Test, Part::Val].into_iter().filter_map(pair)
}

/// Returns the error for a mixture of sets: it names the first of these files, and the first of another kind, with
/// their kinds.
fn two_kinds<'a, K: Display>(
    files: impl IntoIterator<Item = (&'a Path, K)>,
    are_one: impl Fn(&K, &K) -> bool,
) -> Option<ErrorKind> {
    let mut files = files.into_iter();
    let (first, kind) = files.next()?;
    let (second, other) = files.find(|(_, other)| !are_one(&kind, other))?;
    Some(mixed_data_sets((first, &kind), (second, &other)))
}
