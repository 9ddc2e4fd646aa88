//! A data set: its parts, which are chosen, joined and divided together.

use std::path::{Path, PathBuf};

use crate::chain::{Chance, OfSet, Source, one_list};
use crate::error::{Error, ErrorKind};
use crate::names::Part;
use crate::reading::Reading;

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
    /// In the order of [`Part`]. Records without parts are one part with an empty name.
    pub(super) parts: Vec<(String, Source)>,
}

impl From<Source> for Set {
    /// Makes a set of records without parts.
    fn from(source: Source) -> Self {
        let path = source.path().to_path_buf();
        Self { path, parts: vec![(String::new(), source)] }
    }
}

impl Set {
    /// Makes a set of parts named `train`, `test` or `val`, such as those of a [`split`](Source::split). Labels that
    /// are words are numbered over all parts.
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
    /// words in one part and numbers in another ([`question`](ErrorKind::code)); named columns that differ
    /// ([`mismatch`](ErrorKind::code)).
    pub fn from_parts<N: AsRef<str>>(
        parts: impl IntoIterator<Item = (N, Source)>,
    ) -> Result<Self, Error> {
        let mut named: Vec<(String, Source)> = Vec::new();
        for (name, source) in parts {
            let (name, taken) =
                (name.as_ref(), |part: Part| named.iter().any(|(other, _)| other == part.name()));
            let part = Part::of(name).filter(|part| !taken(*part)).ok_or_else(|| {
                let message = format!(
                    "parts are named train, test or val, each once, and {name:?} is not one of these or is taken; rename it"
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

    /// Returns the part with this name as a set without parts, or all of them if none is wanted.
    pub(super) fn wanted(self, part: Option<&str>) -> Result<Self, Error> {
        match part {
            Some(part) => Ok(self.part(part)?.into()),
            None => Ok(self),
        }
    }

    /// Sets the path that opens its parts, such as `emnist:letters`, if they have names.
    pub(super) fn with_path(mut self, path: &Path) -> Self {
        if self.parts.iter().any(|(name, _)| !name.is_empty()) {
            self.path = path.to_path_buf();
        }
        self
    }

    /// Adds the reading of the names of its parts.
    pub(super) fn with_reading(self, reading: &Reading) -> Result<Self, Error> {
        self.map(|source| Ok(source.with_reading(reading)))
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
    /// A class that [`only`](Source::only), [`except`](Source::except) or [`relabel`](Source::relabel) names must be in
    /// at least one part. If none has it, the error comes at the end of the last part, so to read a single part, choose
    /// it with [`part`](Self::part) first.
    ///
    /// # Errors
    ///
    /// The first error of `change`.
    pub fn map(
        self,
        mut change: impl FnMut(Source) -> Result<Source, Error>,
    ) -> Result<Self, Error> {
        let all = OfSet::of_parts(self.parts.len());
        let parts = self.parts.into_iter().map(|(name, source)| {
            Ok((name, change(source.in_set(all.clone()))?.in_set(OfSet::default())))
        });
        Ok(Self { path: self.path, parts: parts.collect::<Result<_, Error>>()? })
    }

    /// Appends the records of another set, part by part. If both have a single part, the names may differ. Labels that
    /// are words are numbered over all parts of both.
    ///
    /// # Errors
    ///
    /// Other parts in the other set ([`mismatch`](ErrorKind::code)), and the errors of [`Source::append`].
    pub fn append(self, other: Self) -> Result<Self, Error> {
        Self::joined(vec![self, other])
    }

    /// Joins these sets into one. An empty list is an error.
    pub(super) fn joined(sets: Vec<Self>) -> Result<Self, Error> {
        let list = one_list(sets.iter().flat_map(Self::parts).map(|(_, source)| source), false)?;
        let in_list = |source: Source| Ok(source.in_list(list.as_ref()));
        let mut sets = sets.into_iter().map(|set| set.map(in_list));
        let first =
            sets.next().ok_or_else(|| ErrorKind::mismatch("there is no input; give one"))?;
        sets.try_fold(first?, |before, set| before.followed_by(set?))
    }

    /// Appends the records of another set with the same classes, part by part.
    fn followed_by(self, other: Self) -> Result<Self, Error> {
        let names = |set: &Self| set.parts.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let are_single = self.parts.len() == 1 && other.parts.len() == 1;
        if !are_single && names(&self) != names(&other) {
            if names(&other).concat().is_empty() {
                let path = other.path.display();
                return Err(self.error(&format!("the input after it, {path}, is a single part")));
            }
            let names = names(&self).join(", ");
            let what = match names.is_empty() {
                true => "the inputs before have no parts".to_string(),
                false => format!("the inputs before have other parts: {names}"),
            };
            return Err(other.error(&what));
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

    /// Makes a set of parts. Adjacent parts of the same name are joined. A word gets the same number in all parts, and
    /// columns get the same order.
    pub(super) fn of_parts(path: &Path, parts: Vec<(String, Source)>) -> Result<Self, Error> {
        let mut set = Self { path: path.to_path_buf(), parts: Vec::new() };
        let Some(first) = parts.first().map(|(_, first)| first.facts().clone()) else {
            return Ok(set);
        };
        let in_order = |(name, source): (String, Source)| (name, source.in_columns_of(&first));
        let parts: Vec<(String, Source)> = parts.into_iter().map(in_order).collect();
        if let Some(((_, first), others)) = parts.split_first() {
            others.iter().try_for_each(|(_, other)| first.expect_columns_of(other))?;
        }
        let list = one_list(parts.iter().map(|(_, source)| source), true)?;
        for (name, source) in parts {
            let source = source.in_list(list.as_ref());
            let source = match set.parts.pop_if(|(before, _)| *before == name) {
                Some((_, before)) => before.append(source)?,
                None => source,
            };
            set.parts.push((name, source));
        }
        Ok(set)
    }

    /// Returns the parts in the order of [`Part`], with their names.
    pub(super) fn in_order(mut parts: Vec<(Part, Source)>) -> Vec<(String, Source)> {
        parts.sort_by_key(|(part, _)| *part);
        parts.into_iter().map(|(part, source)| (part.name().to_string(), source)).collect()
    }

    /// Notes that the parts are all the files in a folder.
    pub(super) fn of_folder(self, folder: &Path) -> Result<Self, Error> {
        self.map(|source| source.of_folder(folder))
    }

    /// Returns an error that names the parts.
    fn error(&self, what: &str) -> Error {
        // The path of standard input cannot name a part: a command takes `-:train` for an option.
        let is_unnamed = self.path.as_os_str() == "-";
        let path = if is_unnamed { Path::new("set.npz") } else { &self.path };
        let named = self.parts().filter(|(name, _)| !name.is_empty());
        let named: Vec<_> = named.map(|(name, _)| format!("{}:{name}", path.display())).collect();
        let message = match named.join(" or ") {
            one if one.is_empty() => format!("{what}; give the file or folder without a part"),
            one if is_unnamed => format!("{what}; save it in a file, and give one, such as {one}"),
            one => format!("{what}; give one, such as {one}"),
        };
        Error::from(ErrorKind::mismatch(message)).with_path(&self.path)
    }
}
