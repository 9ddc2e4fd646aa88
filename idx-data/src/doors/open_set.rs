//! Opens data sets: the files of a folder, the arrays of an archive, and the labels and class names next to a file.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::answer::ReadingOption;
use crate::chain::Source;
use crate::doors::set::Set;
use crate::error::{At, Error, ErrorKind, file_name};
use crate::formats::npz;
use crate::gather::Gather;
use crate::known::file::start;
use crate::known::pair::check_count;
use crate::names::class_names::CLASSES;
use crate::names::folder::{existing, is_file};
use crate::names::sets::{self, Files, Sets};
use crate::names::{self, FileKind, Part, classes_beside, labels_beside, possible_labels};
use crate::reading::members::{self, Member, NamesOf};
use crate::reading::question::Question;
use crate::reading::skip::{leaves_out, skip};
use crate::reading::spelling::shown;
use crate::reading::words::{MOST_LISTED, listed};
use crate::reading::{Evidence, Reading, Said, Subject};
use crate::record::options::OpenOptions;
use idx_std::__private::access;

/// Opens a data set: a file or folder of any format, with the labels and class names next to it.
///
/// | path | parts |
/// | --- | --- |
/// | a folder with MNIST's four files, plain or compressed, as they are or with one prefix | `train` and `test` |
/// | `MNIST/raw`, `MNIST` and its parent as torchvision leaves them | `train` and `test` |
/// | a folder with the folders `train`, `test` or `val`, of files or pictures | these |
/// | `train.csv` and `test.csv`; `x_train.npy` and `y_train.npy`; shards such as `train-00000-of-00002.parquet` | these |
/// | `mnist.npz` with `x_train`, `y_train`, `x_test` and `y_test`, or `train_images`, `train_labels` and so on | `train` and `test` |
/// | `mnist/:train`, `mnist.npz:test`, `emnist/:letters-train` | one part without a name |
/// | any other file or folder | one part without a name |
///
/// The labels of `own-images-idx3-ubyte` are in `own-labels-idx1-ubyte`, those of `digits.npy` in `digits-labels.npy`,
/// and the class names in `own-classes.txt` and `digits-classes.txt`. [`labels(false)`](OpenOptions::labels) leaves
/// both out.
///
/// # Errors
///
/// The errors of [`open`](crate::open); a folder with several sets or ambiguous files ([`question`](ErrorKind::code));
/// a label count that differs from the record count ([`label_count`](ErrorKind::code)); different files under variants
/// of one name, such as with and without `.gz` ([`several_files`](ErrorKind::code)); a link to nothing under the name
/// of labels or class names ([`missing_file`](ErrorKind::code)).
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// # idx_std::save(path("own-images-idx3-ubyte"), &[2, 2, 2], &[7_u8; 8])?;
/// # idx_std::save(path("own-labels-idx1-ubyte"), &[2], &[5_u8, 0])?;
/// let set = idx_data::open_set(path("own-images-idx3-ubyte"))?;
/// assert!(set.only_part()?.facts().has_labels);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_set(path: impl AsRef<Path>) -> Result<Set, Error> {
    OpenOptions::new().open_set(path)
}

impl OpenOptions {
    /// Opens a data set, as the function [`open_set`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`open_set`].
    pub fn open_set(&self, path: impl AsRef<Path>) -> Result<Set, Error> {
        self.in_classes(self.open_words(path.as_ref())?)
    }

    /// Opens a data set from a stream, as [`open_stream`](Self::open_stream) does, with all parts of an npz archive.
    ///
    /// ```
    /// # #[cfg(feature = "npz")] {
    /// use idx_data::{OpenOptions, Set};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("digits.npz");
    /// # let part = || OpenOptions::new().open_bytes("a", b"\0\0\x08\x01\0\0\0\x02\x07\x02".to_vec());
    /// # Set::from_parts([("train", part()?), ("test", part()?)])?.write(&path)?;
    ///
    /// let upload = Box::new(std::fs::File::open(path)?);
    /// let digits = OpenOptions::new().open_set_stream("digits.npz", upload)?;
    /// assert_eq!(digits.parts().map(|(name, _)| name).collect::<Vec<_>>(), ["train", "test"]);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open_set`].
    pub fn open_set_stream(
        &self,
        name: impl AsRef<Path>,
        stream: Box<dyn Read + Send>,
    ) -> Result<Set, Error> {
        self.in_classes(self.open_stream_words(name.as_ref(), stream)?)
    }

    /// Numbers labels that are words by the classes in the options, except in a file of labels: these join their
    /// records first.
    fn in_classes(&self, set: Set) -> Result<Set, Error> {
        let list = self.classes.as_ref().filter(|_| !self.are_labels());
        set.map(|source| Ok(source.in_list(list)))
    }

    /// Opens a data set. Labels that are words are not yet numbered by the class names in the options.
    pub(super) fn open_words(&self, path: &Path) -> Result<Set, Error> {
        if path.is_dir() {
            return self.open_folder(path, None)?.of_folder(path);
        }
        if path.symlink_metadata().is_err()
            && let Some((folder, wanted)) = wanted_in_folder(path)
        {
            let set = self.open_folder(folder, Some(&wanted))?.of_folder(folder)?;
            return Ok(set.with_path(path));
        }
        let split = npz::split_array(path);
        let (archive, chosen) = split.map_or((path, None), |(archive, name)| (archive, Some(name)));
        match self.open_parts(archive, chosen)? {
            Some(set) => Ok(set),
            None => Ok(self.open_file(path)?.into()),
        }
    }

    /// Opens several inputs, and joins them part by part.
    ///
    /// Pictures, and folders of pictures without a table of labels, count as one input. If they are in several folders
    /// below a common one, these folders are the classes: `photos/*/*.png`, `photos/*`. A file with the labels of
    /// another input is read with that input, so a pattern such as `part*.idx` may match both.
    ///
    /// # Errors
    ///
    /// The errors of [`open_set`] and of [`Set::append`], and an empty list ([`mismatch`](ErrorKind::code)).
    pub fn open_sets<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Set, Error> {
        let mut paths: Vec<PathBuf> =
            paths.into_iter().map(|path| path.as_ref().to_path_buf()).collect();
        // A pattern such as `a*` also matches labels and class names, which are read with their records.
        if self.labels && self.beside && !self.are_labels() {
            let beside = |path: &PathBuf| [labels_beside(path), classes_beside(path)].concat();
            let beside: BTreeSet<PathBuf> = paths.iter().flat_map(beside).gather();
            paths.retain(|path| !beside.contains(path));
        }
        let several = paths.len() > 1;
        if let Some(set) = several.then(|| self.open_all_pictures(&paths)).transpose()?.flatten() {
            let mut folders = paths.iter().filter(|path| path.is_dir());
            let set = folders.try_fold(set, |set, folder| set.of_folder(folder))?;
            return self.in_classes(set);
        }
        // A column to leave out may be in other inputs only.
        let may_lack = self.may_lack || several && self.label_column.is_none();
        let options = Self { may_lack, ..self.clone() };
        let mut sets = Vec::new();
        for path in &paths {
            let mut set = options.open_words(path)?;
            // A program can open only some files at once.
            if several {
                set.parts.iter_mut().for_each(|(_, source)| source.close());
            }
            sets.push(set);
        }
        if let Some(first) = paths.first().filter(|_| self.labels && !self.are_labels()) {
            let has_labels = |set: &Set| set.parts().any(|(_, source)| source.facts().has_labels);
            let names = paths.iter().map(|path| file_name(path).to_string());
            let inputs: Vec<_> = names.zip(sets.iter().map(has_labels)).collect();
            members::expect_records(&inputs).at(first)?;
        }
        // Next to numbers, which are those of the list, words would be appended to it.
        let are_words = |set: &Set| set.parts().all(|(_, source)| source.facts().have_names);
        if !sets.iter().all(are_words) {
            sets = sets.into_iter().map(|set| self.in_classes(set)).collect::<Result<_, _>>()?;
        }
        self.in_classes(Set::joined(sets)?)
    }

    /// Opens the parts of an npz archive, as [`open_archive`](Self::open_archive) does. Returns `None` for any other
    /// file.
    pub(super) fn open_parts(
        &self,
        path: &Path,
        chosen: Option<&str>,
    ) -> Result<Option<Set>, Error> {
        let open = |options: &Self, name: &str| options.open_alone(&path_of_array(path, name));
        self.open_archive(path, npz::arrays(path)?, chosen, &open)
    }

    /// Opens the parts of an npz archive, or the chosen one: `x_train` with the labels `y_train`, and so on. Returns
    /// `None` for a single array, or if the chosen name is not that of a part. `open` opens an array by its name.
    pub(super) fn open_archive(
        &self,
        path: &Path,
        arrays: Vec<npz::Array>,
        chosen: Option<&str>,
        open: &dyn Fn(&Self, &str) -> Result<Source, Error>,
    ) -> Result<Option<Set>, Error> {
        // An array takes precedence over a part of the same name.
        let is_part =
            |name: &str| Part::of(name).is_some() && !arrays.iter().any(|array| array.name == name);
        if arrays.len() < 2 || !chosen.is_none_or(is_part) {
            return Ok(None);
        }
        let (scalars, arrays): (Vec<_>, Vec<_>) =
            arrays.into_iter().partition(|array| array.is_scalar);
        let [scalars, arrays] = [scalars, arrays]
            .map(|arrays| arrays.into_iter().map(|array| array.name).collect::<Vec<_>>());
        let is_skipped = |name: &String| leaves_out(self.skip.as_deref(), Path::new(name));
        let (skipped, names): (Vec<_>, Vec<_>) = arrays.into_iter().partition(is_skipped);
        if names.is_empty() {
            return Err(no_arrays(&scalars, &skipped)).at(path);
        }
        let found = members::understand(&names, NamesOf::Arrays, None, self.labels);
        let (members, mut said) = found.at(path)?;
        said.leave_out(&scalars, Evidence::Content);
        if !skipped.is_empty() {
            said.leave_out(&skipped, Evidence::Option);
            said.options.push(skip(&skipped));
        }
        let name = |index: usize| names.get(index).map_or("", String::as_str);
        let mut parts = Vec::new();
        for Member { part, records, labels } in members.parts {
            let mut source = open(self, name(records.first().copied().unwrap_or_default()))?;
            if let Some(labels) = labels.filter(|_| self.labels && !self.are_labels()) {
                let labels = open(&self.for_labels(), name(labels))?;
                source = with_as_many(source, labels)?;
            }
            parts.push((part.name().to_string(), self.named(source)));
        }
        understood_parts(path, parts, said)?.wanted(chosen).map(Some)
    }

    /// Opens the records of a file, with the labels and class names next to it.
    fn open_file(&self, path: &Path) -> Result<Source, Error> {
        Ok(self.named(self.with_neighbours(self.open_alone(path)?, path, true)?))
    }

    /// Gives the records of a file the labels and class names next to it. Next to several sets, a list without a prefix
    /// is not read, because it could belong to any of them.
    pub(super) fn with_neighbours(
        &self,
        records: Source,
        path: &Path,
        is_only_set: bool,
    ) -> Result<Source, Error> {
        // An array in an archive is not a file, nor is a pipe. After any other error it may be one, and have labels.
        let is_file = access::found(path).at(path)?.is_some_and(|found| found.is_file());
        if !is_file || self.are_labels() || !self.labels || !self.beside {
            return Ok(records);
        }
        let beside = |error: Error| error.beside(path);
        let records = match records.facts().has_labels {
            true => records,
            false => {
                let labels = existing(labels_beside(path)).map_err(beside)?;
                self.with_labels_of(records, &labels).map_err(beside)?
            }
        };
        if !records.facts().has_labels {
            let name = path.file_name().unwrap_or_default();
            let may_have = || !labels_beside(Path::new(&*name.to_string_lossy())).is_empty();
            let text = match existing(possible_labels(path)).map_err(beside)?.first() {
                Some(labels) => {
                    format!("{} may have the labels, but is not read", shown_name(labels))
                }
                None if name.to_str().is_none() && may_have() => {
                    "no labels are read with it, because its name is not UTF-8".to_string()
                }
                None => return Ok(records),
            };
            return Ok(records.with_statement(Subject::LeftOut, Evidence::Name, &text));
        }
        let mut lists = classes_beside(path);
        lists.retain(|list| is_only_set || list.file_name() != Some(CLASSES.as_ref()));
        self.with_first_list(records, lists).map_err(beside)
    }

    /// Gives records the labels in the first of these files, if there is one.
    pub(super) fn with_labels_of(
        &self,
        records: Source,
        files: &[PathBuf],
    ) -> Result<Source, Error> {
        let Some(first) = files.first().filter(|_| !self.are_labels()) else {
            return Ok(records);
        };
        let options = Self { skip: self.skip.clone(), ..self.for_labels() };
        let (records, labels) = options.labels_of(records, |options| {
            let found = options.one_of(files.to_vec())?;
            found.map(|(_, labels)| labels).ok_or(ErrorKind::NoDataSet).at(first)
        })?;
        with_as_many(records, labels)
    }

    /// Returns these records, and their labels, which `open` opens. If the first line of a table may have column names
    /// or a label, the number of records decides.
    pub(super) fn labels_of(
        &self,
        records: Source,
        open: impl Fn(&Self) -> Result<Source, Error>,
    ) -> Result<(Source, Source), Error> {
        let options = self.clone().as_labels_of(records.facts());
        let error = match open(&options) {
            Err(error)
                if self.header.is_none() && matches!(error.kind(), ErrorKind::Question { .. }) =>
            {
                error
            }
            labels => return Ok((records, labels?)),
        };
        let records = records.counted()?;
        for has_names in [false, true] {
            if let Ok(labels) = open(&options.clone().header(has_names))
                && let Ok(labels) = labels.counted()
                && labels.facts().count == records.facts().count
            {
                return Ok((records, labels));
            }
        }
        Err(error)
    }

    /// Returns the options to open a file of labels.
    fn for_labels(&self) -> Self {
        Self { label_column: self.label_column.clone(), ..Self::new().as_labels() }
    }

    /// Opens the first of several files that hold the same records under different spellings of a name. Compares their
    /// first bytes.
    pub(super) fn one_of(&self, files: Vec<PathBuf>) -> Result<Option<(PathBuf, Source)>, Error> {
        // Opening a pipe in a folder would block. An array in an archive is not a file.
        for file in &files {
            is_file(file)?;
        }
        let mut files = files.into_iter();
        let Some(path) = files.next() else {
            return Ok(None);
        };
        let first = self.open_alone(&path)?;
        for other in files {
            let (one, two) =
                (&first.facts().layout, &self.open_alone(&other)?.facts().layout.clone());
            if one != two || start(&path)? != start(&other)? {
                return Err(ErrorKind::several_files(&path, &other)).at(&other);
            }
        }
        Ok(Some((path, first)))
    }

    /// Opens the wanted set, or the wanted part of it. Adds to the reading which files of labels have no images.
    pub(super) fn open_one_of(
        &self,
        mut sets: Sets<'_>,
        labels: &Sets<'_>,
        path: &Path,
        wanted: Option<&str>,
        mut said: Said,
    ) -> Result<Set, Error> {
        let parts_of = |files: &Files| files.keys().map(|(part, _)| *part).gather();
        let parts = sets.iter().map(|(prefix, files)| (*prefix, parts_of(files)));
        let (prefix, part) = sets::choose(&parts.gather(), wanted).at(path)?;
        let are_labels_wanted = self.labels && !self.are_labels();
        if are_labels_wanted && part == Part::None {
            let alone = labels_alone(labels, &sets, prefix);
            if !alone.is_empty() {
                let names = listed(alone.iter().map(String::as_str), MOST_LISTED);
                said.say(Subject::LeftOut, Evidence::Name, format!("{names} left out: no images"));
            }
        }
        let is_only_set = sets.len() == 1;
        let files_of_set = sets.remove(prefix).unwrap_or_default();
        // If all parts are opened, `understood_parts` reports those without labels.
        let mut beside = files_of_set.values().flatten().flat_map(|file| labels_beside(file));
        let has_set_labels = part != Part::None && beside.any(|labels| labels.is_file());
        let is_bare =
            |records: &Source| !records.facts().has_labels && records.reading().says_nothing();
        let mut opened = Vec::new();
        for ((of, _), files) in files_of_set {
            let name = match part {
                Part::None => of.name(),
                // The part that the caller names becomes the only one, without a name.
                part if part == of => "",
                _ => continue,
            };
            if let Some((file, records)) = self.one_of(files)? {
                let mut records = self.named(self.with_neighbours(records, &file, is_only_set)?);
                let own = labels
                    .get(prefix)
                    .and_then(|labels| labels.get(&(of, FileKind::Labels))?.first());
                if let Some(own) = own.filter(|_| are_labels_wanted && is_bare(&records)) {
                    let text = format!("{} may have the labels, but is not read", shown_name(own));
                    records = records.with_statement(Subject::LeftOut, Evidence::Name, &text);
                }
                opened.push((name.to_string(), records));
            }
        }
        if are_labels_wanted && opened.iter().all(|(_, records)| is_bare(records)) {
            if has_set_labels {
                let text = format!("{} without labels", part.name());
                said.say(Subject::Labels, Evidence::Content, text);
            } else {
                said.say(Subject::Labels, Evidence::Content, "no label");
                said.options.push(ReadingOption::NoLabels);
            }
        }
        understood_parts(path, opened, said)
    }
}

/// Returns the names of the files of labels without images, in the chosen set and in sets that have no images at all.
fn labels_alone(labels: &Sets<'_>, images: &Sets<'_>, chosen: &str) -> Vec<String> {
    let mut alone = Vec::new();
    for (prefix, files_of_set) in labels {
        for ((part, _), files) in files_of_set {
            let have_images = images.get(prefix).is_some_and(|images| {
                *prefix != chosen || images.contains_key(&(*part, FileKind::Images))
            });
            if !have_images {
                alone.extend(files.iter().map(|file| shown_name(file)));
            }
        }
    }
    alone
}

/// Makes a set of these parts, with this reading of their names. Reports the parts without labels if others have some.
pub(super) fn understood_parts(
    path: &Path,
    parts: Vec<(String, Source)>,
    mut said: Said,
) -> Result<Set, Error> {
    let (labeled, bare): (Vec<_>, Vec<_>) =
        parts.iter().partition(|(_, source)| source.facts().has_labels);
    if !labeled.is_empty() && !bare.is_empty() {
        let bare: Vec<&str> = bare.into_iter().map(|(name, _)| name.as_str()).collect();
        let text = format!("{} without labels", bare.join(", "));
        said.say(Subject::Labels, Evidence::Content, text);
    }
    Set::of_parts(path, parts)?.with_reading(&Reading::of(path, said))
}

/// Returns the name of a file as messages show it.
pub(super) fn shown_name(file: &Path) -> String {
    shown(&file_name(file).to_string()).into_owned()
}

/// Gives records their labels, and checks that there are as many.
fn with_as_many(records: Source, labels: Source) -> Result<Source, Error> {
    if let (Some(found), Some(count)) = (labels.facts().count, records.facts().count) {
        check_count((Some(labels.path()), found), (Some(records.path()), count))?;
    }
    records.with_labels(labels)
}

/// Asks about an archive whose arrays are single values or left out.
fn no_arrays(scalars: &[String], skipped: &[String]) -> Question {
    match (scalars, skipped) {
        ([scalar, ..], []) => {
            let names = listed(scalars.iter().map(String::as_str), MOST_LISTED);
            let option = ReadingOption::Part(scalar.clone());
            Question::new(format!("each array ({names}) is a single value"))
                .or(option, "to read one of them as a record")
        }
        _ => Question::new("all arrays are left out; leave out fewer"),
    }
}

/// Returns the folder in a path, and the wanted set or part in it: `mnist:train`, `emnist:letters`, and
/// `emnist:letters:train` for the part of the set.
fn wanted_in_folder(path: &Path) -> Option<(&Path, String)> {
    let (folder, name) = names::split_part(path)?;
    if folder.is_dir() {
        return Some((folder, name.to_string()));
    }
    let (folder, set) = names::split_part(folder).filter(|_| Part::of(name).is_some())?;
    folder.is_dir().then(|| (folder, format!("{set}-{name}")))
}

/// Returns the path of an array in an archive.
pub(super) fn path_of_array(archive: &Path, array: &str) -> PathBuf {
    PathBuf::from(format!("{}:{array}", archive.display()))
}
