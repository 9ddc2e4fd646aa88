//! A data set as one value: opens its parts, and writes them together.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::chain::{Chance, Source, united};
use crate::error::{At, Error, ErrorKind};
use crate::formats::npz;
use crate::known::file::start;
use crate::names::class_names::CLASSES;
use crate::names::class_names::ClassNames;
use crate::names::folder::{existing, is_file};
use crate::names::sets::{self, Sets};
use crate::names::{self, Part, classes_beside, labels_beside};
use crate::reading::members::{self, Member, Names};
use crate::reading::skip::{leaves_out, skip};
use crate::reading::words::listed;
use crate::reading::{Evidence, Reading, Statement, Subject};
use crate::record::options::OpenOptions;

/// A data set: its parts, such as `train` and `test`, or records without parts.
///
/// ```
/// use idx_data::{Labeled, open_set};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// # for part in ["train", "t10k"] {
/// #     idx_std::save(path(&format!("{part}-images-idx3-ubyte")), &[2, 2, 2], &[7_u8; 8])?;
/// #     idx_std::save(path(&format!("{part}-labels-idx1-ubyte")), &[2], &[5_u8, 0])?;
/// # }
///
/// let mnist = open_set(folder.path())?;
/// assert_eq!(mnist.parts().map(|(name, _)| name).collect::<Vec<_>>(), ["train", "test"]);
/// let training: Labeled<[[u8; 2]; 2], u8> = mnist.part("train")?.collect()?;
/// assert_eq!(training.get(1), Some(([[7, 7], [7, 7]], 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Set {
    path: PathBuf,
    /// In the order of the rule of names. Records without parts are one part without a name.
    parts: Vec<(String, Source)>,
}

/// Opens a data set: a file or folder of any format, with the labels and the names of classes that lie beside it.
///
/// | path | parts |
/// | --- | --- |
/// | a folder with MNIST's four files, plain or compressed, as they are or with one prefix | `train` and `test` |
/// | `MNIST/raw`, `MNIST` and its parent as torchvision leaves them | `train` and `test` |
/// | a folder with the folders `train`, `test` or `val`, of files or pictures | these |
/// | `train.csv` and `test.csv`; `x_train.npy` and `y_train.npy`; shards such as `train-00000-of-00002.parquet` | these |
/// | `mnist.npz` with `x_train`, `y_train`, `x_test` and `y_test`, or `train_images`, `train_labels` and so on | `train` and `test` |
/// | `mnist/:train`, `mnist.npz:test`, `emnist/:letters-train` | one without a name |
/// | any other file or folder | one without a name |
///
/// The labels of `own-images-idx3-ubyte` are in `own-labels-idx1-ubyte`, those of `digits.npy` in `digits-labels.npy`,
/// and the names of the classes in `own-classes.txt` and `digits-classes.txt`. [`OpenOptions::labels`] leaves both
/// out.
///
/// # Errors
///
/// The errors of [`open`](crate::open); a folder with several sets or ambiguous files, or another number of labels than
/// of records beside them ([`mismatch`](ErrorKind::code)).
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

impl From<Source> for Set {
    /// Makes a set of records without parts.
    fn from(source: Source) -> Self {
        let path = source.path().to_path_buf();
        Self { path, parts: vec![(String::new(), source)] }
    }
}

impl Set {
    /// Makes a set of these parts, each called `train`, `test` or `val`, such as those of a [`split`](Source::split).
    /// Labels that are words are numbered over all of them.
    ///
    /// ```
    /// use idx_data::{Set, open, open_set};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// # idx_std::save(path("own-images-idx3-ubyte"), &[10, 2, 2], &[7_u8; 40])?;
    /// # idx_std::save(path("own-labels-idx1-ubyte"), &[10], &[5_u8; 10])?;
    ///
    /// # #[cfg(feature = "npz")] {
    /// let [train, val] = open(path("own-images-idx3-ubyte"))?.split([0.8, 0.2], 1)?;
    /// Set::from_parts([("train", train), ("val", val)])?.write(path("all.npz"))?;
    /// assert_eq!(open_set(path("all.npz"))?.part("val")?.facts().count, Some(2));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another name, a name that is given twice, or no part at all ([`mismatch`](ErrorKind::code)); labels that are
    /// words in one part and numbers in another ([`question`](ErrorKind::code)).
    pub fn from_parts<N: AsRef<str>>(
        parts: impl IntoIterator<Item = (N, Source)>,
    ) -> Result<Self, Error> {
        let mut named: Vec<(String, Source)> = Vec::new();
        for (name, source) in parts {
            let (name, taken) =
                (name.as_ref(), |part: Part| named.iter().any(|(other, _)| other == part.name()));
            let part = Part::of(name).filter(|part| !taken(*part)).ok_or_else(|| {
                let message = format!(
                    "a set has the parts train, test and val, each once, and {name:?} is none that is left; choose another"
                );
                source.error(ErrorKind::mismatch(message))
            })?;
            named.push((part.name().to_string(), source));
        }
        match named.first().map(|(_, first)| first.path().to_path_buf()) {
            Some(path) => Self::of_parts(&path, named),
            None => Err(ErrorKind::mismatch("a set has at least one part; give one").into()),
        }
    }

    /// Returns the parts, with their names.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.parts.iter().map(|(name, source)| (name.as_str(), source))
    }

    /// Returns the reading of the inputs of all parts.
    #[must_use]
    pub fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        self.parts.iter().for_each(|(_, source)| reading.append(source.reading()));
        reading
    }

    /// Returns the parts, with their names.
    #[must_use]
    pub fn into_parts(self) -> Vec<(String, Source)> {
        self.parts
    }

    /// Returns the part with this name: `train`, `test` (also called `t10k`) or `val`.
    ///
    /// # Errors
    ///
    /// No such part ([`mismatch`](ErrorKind::code)).
    pub fn part(mut self, name: &str) -> Result<Source, Error> {
        let wanted = match Part::of(name) {
            Some(part) => part.name(),
            None => name,
        };
        match self.parts.iter().position(|(part, _)| part == wanted) {
            Some(position) => Ok(self.parts.swap_remove(position).1),
            None => Err(self.error(&format!("there is no part {name}"))),
        }
    }

    /// Returns the only part.
    ///
    /// # Errors
    ///
    /// Several parts ([`mismatch`](ErrorKind::code)).
    pub fn only_part(mut self) -> Result<Source, Error> {
        match self.parts.pop() {
            Some((_, source)) if self.parts.is_empty() => Ok(source),
            last => {
                self.parts.extend(last);
                Err(self.error("this set has several parts"))
            }
        }
    }

    /// Changes each part.
    ///
    /// # Errors
    ///
    /// The first error of `change`.
    pub fn map(
        self,
        mut change: impl FnMut(Source) -> Result<Source, Error>,
    ) -> Result<Self, Error> {
        let parts = self.parts.into_iter().map(|(name, source)| Ok((name, change(source)?)));
        Ok(Self { path: self.path, parts: parts.collect::<Result<_, Error>>()? })
    }

    /// Appends the records of another set, part by part. A single part matches any name. Labels that are words are numbered
    /// over all parts of both.
    ///
    /// # Errors
    ///
    /// Other parts in the other set ([`mismatch`](ErrorKind::code)), and the errors of [`Source::append`].
    pub fn append(self, other: Self) -> Result<Self, Error> {
        Self::joined(vec![self, other])
    }

    /// Joins all of these into one set; there is at least one.
    pub(super) fn joined(sets: Vec<Self>) -> Result<Self, Error> {
        let mut sets = with_one_list(sets, false)?.into_iter();
        let first =
            sets.next().ok_or_else(|| ErrorKind::mismatch("there is no input; give one"))?;
        sets.try_fold(first, Self::followed_by)
    }

    /// Appends the records of another set, which has the same classes, part by part.
    fn followed_by(self, other: Self) -> Result<Self, Error> {
        let names = |set: &Self| set.parts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let are_single = self.parts.len() == 1 && other.parts.len() == 1;
        if !are_single && names(&self) != names(&other) {
            let names = names(&self).join(", ");
            return Err(other.error(&format!("the inputs before have other parts: {names}")));
        }
        let mut others = other.parts.into_iter();
        self.map(|source| match others.next() {
            Some((_, other)) => source.append(other),
            None => Ok(source),
        })
    }

    /// Divides each part, as [`Source::divide`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Source::divide`].
    pub fn divide(self, chance: &Chance) -> Result<[Self; 2], Error> {
        let mut divided = [Vec::new(), Vec::new()];
        for (name, source) in self.parts {
            for (parts, source) in divided.iter_mut().zip(source.divide(chance)?) {
                parts.push((name.clone(), source));
            }
        }
        Ok(divided.map(|parts| Self { path: self.path.clone(), parts }))
    }

    /// Chooses records of each part, as [`Source::choose`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Source::choose`].
    pub fn choose(self, chance: &Chance) -> Result<Self, Error> {
        self.map(|source| source.choose(chance))
    }

    /// Returns the parts of one set: words that are labels have one number in all of them, and columns one order.
    pub(super) fn of_parts(path: &Path, parts: Vec<(String, Source)>) -> Result<Self, Error> {
        let (names, sources): (Vec<String>, Vec<Source>) = parts.into_iter().unzip();
        let first = sources.first().map(|first| first.facts().clone());
        let in_order = |source: Source| match &first {
            Some(first) => source.in_columns_of(first),
            None => source,
        };
        let sources = united(sources.into_iter().map(in_order).collect(), true)?;
        Ok(Self { path: path.to_path_buf(), parts: names.into_iter().zip(sources).collect() })
    }

    /// Returns the same parts, which are those of a folder.
    fn of_folder(self, folder: &Path) -> Result<Self, Error> {
        self.map(|source| source.of_folder(folder))
    }

    /// Returns an error that names the parts.
    fn error(&self, what: &str) -> Error {
        let named = self.parts().filter(|(name, _)| !name.is_empty());
        let named: Vec<_> =
            named.map(|(name, _)| format!("{}:{name}", self.path.display())).collect();
        let message = match named.is_empty() {
            true => format!("{what}; give the file or folder without a part"),
            false => format!("{what}; give one, such as {}", named.join(" or ")),
        };
        Error::from(ErrorKind::mismatch(message)).with_path(&self.path)
    }
}

impl OpenOptions {
    /// Opens a data set, as the function [`open_set`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`open_set`].
    pub fn open_set(&self, path: impl AsRef<Path>) -> Result<Set, Error> {
        let path = path.as_ref();
        if path.is_dir() {
            return self.open_folder(path, None)?.of_folder(path);
        }
        if path.symlink_metadata().is_ok() {
            return match npz::arrays(path)? {
                arrays if arrays.len() > 1 => self.open_archive(path, arrays),
                _ => Ok(self.open_file(path)?.into()),
            };
        }
        if let Some((folder, part)) = names::split_part(path)
            && folder.is_dir()
        {
            return self.open_folder(folder, Some(part))?.of_folder(folder);
        }
        // The name of an array comes before that of a part.
        if let Some((archive, part)) = npz::split_array(path)
            && Part::of(part).is_some()
            && let arrays = npz::arrays(archive)?
            && arrays.len() > 1
            && !arrays.iter().any(|array| array.name == part)
        {
            return Ok(self.open_archive(archive, arrays)?.part(part)?.into());
        }
        Ok(self.open_file(path)?.into())
    }

    /// Opens several inputs, and joins them part by part. Pictures, and folders of pictures without a table of labels,
    /// count as one input. Their folders are the classes if there are several below a common one: `photos/*/*.png`,
    /// `photos/*`.
    ///
    /// # Errors
    ///
    /// The errors of [`open_set`] and of [`Set::append`], and a list without a path ([`mismatch`](ErrorKind::code)).
    pub fn open_sets<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Set, Error> {
        let paths: Vec<PathBuf> =
            paths.into_iter().map(|path| path.as_ref().to_path_buf()).collect();
        let several = paths.len() > 1;
        if let Some(set) = several.then(|| self.open_all_pictures(&paths)).transpose()?.flatten() {
            let folders = paths.iter().filter(|path| path.is_dir());
            return folders.into_iter().try_fold(set, |set, folder| set.of_folder(folder));
        }
        let mut sets = Vec::new();
        for path in &paths {
            let mut set = self.open_set(path)?;
            // A program can open only some files at once.
            if several {
                set.parts.iter_mut().for_each(|(_, source)| source.close());
            }
            sets.push(set);
        }
        Set::joined(sets)
    }

    /// Opens the parts of an archive of NumPy: `x_train` with the labels `y_train`, and so on.
    fn open_archive(&self, path: &Path, arrays: Vec<npz::Array>) -> Result<Set, Error> {
        let (scalars, arrays): (Vec<_>, Vec<_>) = arrays
            .into_iter()
            .map(|array| (array.is_scalar, array.name))
            .partition(|(is_scalar, _)| *is_scalar);
        let (skipped, names): (Vec<String>, Vec<String>) = arrays
            .into_iter()
            .map(|(_, name)| name)
            .partition(|name| leaves_out(self.skip.as_deref(), Path::new(name)));
        let found = members::understand(&names, Names::Arrays, None, self.labels);
        let mut found = found.map_err(ErrorKind::from).at(path)?;
        for (names, by) in [
            (scalars.into_iter().map(|(_, name)| name).collect(), Evidence::Content),
            (skipped, Evidence::Option),
        ] {
            let names: Vec<String> = names;
            if !names.is_empty() {
                let text = format!("{} left out", listed(names.iter().map(String::as_str), 4));
                found.statements.push(Statement::new(Subject::LeftOut, by, text));
            }
            if by == Evidence::Option && !names.is_empty() {
                found.options.push(skip(names.iter().map(String::as_str)));
            }
        }
        let reading = Reading::of(path, found.statements, found.options);
        let array = |index: usize| {
            let name = names.get(index).map_or("", String::as_str);
            PathBuf::from(format!("{}:{name}", path.display()))
        };
        let mut parts = Vec::new();
        for Member { part, records, labels } in found.found.parts {
            let records = self.open_alone(&array(records.first().copied().unwrap_or_default()))?;
            let labels = labels.map(array).into_iter().collect();
            let source = self.named(self.with_labels_of(records, labels)?);
            parts.push((part.name().to_string(), source.understood(&reading)));
        }
        Set::of_parts(path, parts)
    }

    /// Opens the records of a file, with the labels and names beside it.
    fn open_file(&self, path: &Path) -> Result<Source, Error> {
        Ok(self.named(self.with_neighbours(self.open_alone(path)?, path, true)?))
    }

    /// Returns the records of a file, with the labels and the names of classes beside it. Beside several sets, a list
    /// without a prefix could be that of any of them.
    pub(super) fn with_neighbours(
        &self,
        records: Source,
        path: &Path,
        is_only_set: bool,
    ) -> Result<Source, Error> {
        // Pictures have all of it in their folder.
        let has_neighbours = match fs::metadata(path) {
            Ok(found) => found.is_file() || found.is_dir() && !records.facts().are_pictures,
            // An array of an archive.
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(ErrorKind::from(error)).at(path),
        };
        if !has_neighbours || self.are_labels() || !self.labels || !self.beside {
            return Ok(records);
        }
        let records = match records.facts().has_labels {
            true => records,
            false => self.with_labels_of(records, existing(labels_beside(path))?)?,
        };
        if !records.facts().has_labels || records.facts().classes.is_some() {
            return Ok(records);
        }
        let mut lists = classes_beside(path);
        lists.retain(|list| is_only_set || list.file_name() != Some(CLASSES.as_ref()));
        match existing(lists)?.first() {
            Some(list) => Ok(records.with_listed(ClassNames::open(list)?)),
            None => Ok(records),
        }
    }

    /// Gives records the labels of the first of these files, if there is one.
    pub(super) fn with_labels_of(
        &self,
        records: Source,
        files: Vec<PathBuf>,
    ) -> Result<Source, Error> {
        if files.is_empty() || self.are_labels() || !self.labels {
            return Ok(records);
        }
        let options = Self::new().labels(false);
        let options = Self { label_column: self.label_column.clone(), ..options };
        let Some((path, labels)) = options.one_of(files)? else {
            return Ok(records);
        };
        match (labels.facts().count, records.facts().count) {
            (Some(found), Some(count)) if found != count => {
                let images_path = Some(records.path().to_path_buf());
                Err(ErrorKind::LabelCount { labels: found, images: count, images_path }).at(&path)
            }
            _ => records.with_labels(labels),
        }
    }

    /// Opens the first of several files of the same records, whose names have different spellings. Compares their first
    /// bytes.
    pub(super) fn one_of(&self, files: Vec<PathBuf>) -> Result<Option<(PathBuf, Source)>, Error> {
        // Opening a pipe in a folder would block. An array of an archive is not a file.
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

    /// Opens the wanted set, or the part of it that is wanted.
    pub(super) fn open_one_of(
        &self,
        mut sets: Sets<'_, Part>,
        path: &Path,
        wanted: Option<&str>,
    ) -> Result<Set, Error> {
        let parts = sets.iter().map(|(prefix, files)| (*prefix, files.keys().copied().collect()));
        let (prefix, part) = sets::choose(&parts.collect(), path, wanted)?;
        let is_only_set = sets.len() == 1;
        let mut opened = Vec::new();
        for (of, files) in sets.remove(prefix).unwrap_or_default() {
            let name = match part {
                Part::None => of.name(),
                // A part that was asked for has no name.
                part if part == of => "",
                _ => continue,
            };
            if let Some((file, records)) = self.one_of(files)? {
                let records = self.named(self.with_neighbours(records, &file, is_only_set)?);
                opened.push((name.to_string(), records));
            }
        }
        Set::of_parts(path, opened)
    }
}

/// Numbers the words that are labels once, over all parts of these sets.
fn with_one_list(sets: Vec<Set>, of_one_set: bool) -> Result<Vec<Set>, Error> {
    let (mut heads, mut sources) = (Vec::new(), Vec::new());
    for Set { path, parts } in sets {
        let (names, of_parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        heads.push((path, names));
        sources.extend(of_parts);
    }
    let mut sources = united(sources, of_one_set)?.into_iter();
    let set = |(path, names): (PathBuf, Vec<String>)| {
        let parts = names.into_iter().zip(sources.by_ref()).collect();
        Set { path, parts }
    };
    Ok(heads.into_iter().map(set).collect())
}
