//! A data set as one value: opens its parts, and writes them together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::chain::{Chance, Source};
use crate::error::{At, Error, ErrorKind, file_name};
use crate::formats::npz;
use crate::known::file::start;
use crate::names::class_names::CLASSES;
use crate::names::class_names::ClassNames;
use crate::names::folder::{Entries, LABELS, existing, is_picture};
use crate::names::sets::{self, Sets};
use crate::names::{self, ArrayPair, Part, classes_beside, labels_beside};
use crate::reading::Reading;
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
/// | a folder with the folders `train`, `test` or `val` | these |
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
/// Those of [`open`](crate::open), and [`mismatch`](ErrorKind::code) if a folder has several sets or ambiguous files,
/// or if the number of labels is not that of the records beside them.
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
    /// Records without parts.
    fn from(source: Source) -> Self {
        let path = source.path().to_path_buf();
        Self { path, parts: vec![(String::new(), source)] }
    }
}

impl Set {
    /// The parts, with their names.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.parts.iter().map(|(name, source)| (name.as_str(), source))
    }

    /// How the inputs of all parts were understood.
    #[must_use]
    pub fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        self.parts.iter().for_each(|(_, source)| reading.append(source.reading()));
        reading
    }

    /// The parts, with their names.
    #[must_use]
    pub fn into_parts(self) -> Vec<(String, Source)> {
        self.parts
    }

    /// The part with this name: `train`, `test` (also called `t10k`) or `val`.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if there is none.
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

    /// The only part.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if there are several.
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

    /// Appends the records of another set, part by part. A single part matches any name.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if the other set has other parts, and those of [`Source::append`].
    pub fn append(self, other: Self) -> Result<Self, Error> {
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
    /// Those of [`Source::divide`].
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
    /// Those of [`Source::choose`].
    pub fn choose(self, chance: &Chance) -> Result<Self, Error> {
        self.map(|source| source.choose(chance))
    }

    /// An error that names the parts.
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
    /// Those of [`open_set`].
    pub fn open_set(&self, path: impl AsRef<Path>) -> Result<Set, Error> {
        let path = path.as_ref();
        if path.is_dir() {
            return self.open_folder(path, None);
        }
        if path.symlink_metadata().is_ok() {
            return match npz::names(path)? {
                arrays if arrays.len() > 1 => self.open_archive(path, &arrays),
                _ => Ok(self.open_file(path)?.into()),
            };
        }
        if let Some((folder, part)) = names::split_part(path)
            && folder.is_dir()
        {
            return self.open_folder(folder, Some(part));
        }
        // The name of an array comes before that of a part.
        if let Some((archive, part)) = npz::split_array(path)
            && Part::of(part).is_some()
            && let arrays = npz::names(archive)?
            && arrays.len() > 1
            && !arrays.iter().any(|name| name == part)
        {
            return Ok(self.open_archive(archive, &arrays)?.part(part)?.into());
        }
        Ok(self.open_file(path)?.into())
    }

    /// Opens several inputs, and joins them part by part. Pictures, and folders of pictures without a table of labels,
    /// count as one input. Their folders are the classes if there are several below a common one: `photos/*/*.png`,
    /// `photos/*`.
    ///
    /// # Errors
    ///
    /// Those of [`open_set`] and of [`Set::append`], and [`mismatch`](ErrorKind::code) for no path.
    pub fn open_sets<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Set, Error> {
        let paths: Vec<PathBuf> =
            paths.into_iter().map(|path| path.as_ref().to_path_buf()).collect();
        let (Some(first), Some(last)) = (paths.first(), paths.last()) else {
            return Err(ErrorKind::mismatch("there is no input; give one").into());
        };
        if first != last && are_pictures(&paths)? {
            let is_common = |folder: &&Path| paths.iter().all(|path| path.starts_with(folder));
            let common = first.ancestors().skip(1).find(is_common).unwrap_or(Path::new(""));
            return Ok(self.open_pictures(common, &paths)?.into());
        }
        let mut sets = paths.iter().map(|path| self.open_set(path));
        let first = sets.next().unwrap_or_else(|| self.open_set(first))?;
        sets.try_fold(first, |all, set| all.append(set?))
    }

    /// The parts of an archive of NumPy: `x_train` with the labels `y_train`, and so on.
    fn open_archive(&self, path: &Path, arrays: &[String]) -> Result<Set, Error> {
        let array = |name: &str| PathBuf::from(format!("{}:{name}", path.display()));
        let mut parts = Vec::new();
        let pairs = names::pairs_of_arrays(arrays);
        let mut twice = pairs.iter().zip(pairs.iter().skip(1));
        if let Some((first, second)) = twice.find(|(first, second)| first.part == second.part) {
            let (first, second) = (first.records, second.records);
            let message = format!(
                "the arrays {first} and {second} could both be the records; choose one after the name of the file, as \
                 in `FILE:{first}`"
            );
            return Err(ErrorKind::mismatch(message)).at(path);
        }
        // Another array may have the labels.
        let lacks_labels = *self.labels && pairs.iter().any(|pair| pair.labels.is_none());
        let used = pairs.len() + pairs.iter().filter(|pair| pair.labels.is_some()).count();
        if pairs.is_empty() || lacks_labels && used < arrays.len() {
            return Ok(self.open_alone(path)?.into());
        }
        for ArrayPair { part, records, labels } in pairs {
            let records = self.open_alone(&array(records))?;
            let labels = labels.map(array).into_iter().collect();
            parts.push((part.name().to_string(), self.with_labels_of(records, labels)?));
        }
        Ok(Set { path: path.to_path_buf(), parts })
    }

    /// The records of a file, with what lies beside it.
    fn open_file(&self, path: &Path) -> Result<Source, Error> {
        self.with_neighbours(self.open_alone(path)?, path, true)
    }

    /// The records of a file, with the labels and the names of classes beside it. Beside several sets, a list without a
    /// prefix could be that of any of them.
    fn with_neighbours(
        &self,
        records: Source,
        path: &Path,
        is_only_set: bool,
    ) -> Result<Source, Error> {
        // Pictures have all in their folder.
        let has_neighbours = match fs::metadata(path) {
            Ok(found) => found.is_file() || found.is_dir() && !records.facts().are_pictures,
            // An array of an archive.
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(ErrorKind::from(error)).at(path),
        };
        if !has_neighbours || self.are_labels() || !*self.labels || !self.beside {
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
            Some(list) => Ok(records.with_classes(ClassNames::open(list)?)),
            None => Ok(records),
        }
    }

    /// Records with the labels of the first of these files, if there is one.
    fn with_labels_of(&self, records: Source, files: Vec<PathBuf>) -> Result<Source, Error> {
        if files.is_empty() || self.are_labels() || !*self.labels {
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

    /// Opens the first of several files of the same records, whose names are spelled in other ways. Their first bytes
    /// are compared.
    fn one_of(&self, files: Vec<PathBuf>) -> Result<Option<(PathBuf, Source)>, Error> {
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

    /// The set in a folder, or one part of it.
    fn open_folder(&self, path: &Path, part: Option<&str>) -> Result<Set, Error> {
        let entries = Entries::read(path).at(path)?;
        let sets = sets::of_records(&entries.files);
        if !sets.is_empty() {
            expect_no_pictures(&entries, path)?;
            return self.open_one_of(sets, path, part);
        }
        if let Some(folder) = sets::torchvision(path)? {
            return self.open_folder(&folder, part);
        }
        let set = match part_folders(&entries).at(path)? {
            folders if folders.is_empty() => self.open_file(path)?.into(),
            folders => {
                let open = |(name, folder): (Part, &PathBuf)| {
                    Ok((name.name().to_string(), self.open_folder(folder, None)?.only_part()?))
                };
                let parts = folders.into_iter().map(open).collect::<Result<_, Error>>()?;
                Set { path: path.to_path_buf(), parts }
            }
        };
        match part {
            Some(part) => Ok(set.part(part)?.into()),
            None => Ok(set),
        }
    }

    /// The wanted set, or the part of it that is wanted.
    fn open_one_of(
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
                let records = self.with_neighbours(records, &file, is_only_set)?;
                opened.push((name.to_string(), records));
            }
        }
        Ok(Set { path: path.to_path_buf(), parts: opened })
    }
}

/// Whether all of these are pictures, or folders of pictures without labels.
fn are_pictures(paths: &[PathBuf]) -> Result<bool, Error> {
    for path in paths {
        let is_one = match path.is_dir() {
            true => is_unlabeled(&Entries::read(path).at(path)?),
            false => is_picture(path) && path.is_file(),
        };
        if !is_one {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a folder has pictures, and neither their labels nor folders.
fn is_unlabeled(entries: &Entries) -> bool {
    let is_list = |path: &PathBuf| path.file_name() == Some(LABELS.as_ref());
    entries.picture().is_some() && entries.folders.is_empty() && !entries.files.iter().any(is_list)
}

/// Checks that a folder with files of arrays has no pictures, nor its folders.
fn expect_no_pictures(entries: &Entries, folder: &Path) -> Result<(), Error> {
    let mut picture = entries.picture().map(Path::to_path_buf);
    for folder in &entries.folders {
        if picture.is_none() {
            picture = Entries::read(folder).at(folder)?.picture().map(Path::to_path_buf);
        }
    }
    let Some(picture) = picture else {
        return Ok(());
    };
    let picture = picture.strip_prefix(folder).unwrap_or(&picture).display();
    let message = format!(
        "this folder has arrays of images and pictures, such as {picture}; give a file of it, or move one of the two \
         into a folder of its own"
    );
    Err(ErrorKind::mismatch(message)).at(folder)
}

/// The folders of a folder in which each has the name of a part.
fn part_folders(entries: &Entries) -> Result<BTreeMap<Part, &PathBuf>, ErrorKind> {
    let part = |folder: &PathBuf| Part::of(folder.file_name()?.to_str()?);
    let named: Option<Vec<_>> =
        entries.folders.iter().map(|folder| Some((part(folder)?, folder))).collect();
    let named = named.filter(|named| named.len() > 1 && entries.picture().is_none());
    let mut parts = BTreeMap::new();
    for (part, folder) in named.unwrap_or_default() {
        if let Some(other) = parts.insert(part, folder) {
            let message = format!(
                "{} and {} are the same part of a data set; join or rename them",
                file_name(other),
                file_name(folder)
            );
            return Err(ErrorKind::mismatch(message));
        }
    }
    Ok(parts)
}
