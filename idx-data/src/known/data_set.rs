//! The known data sets, with their names, files, classes and mirrors.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::gather::Gather;
use crate::known::file::{Hashed, known_files};
use crate::names::class_names::ClassNames;
use crate::names::{self, SEPARATORS};

/// A well-known data set.
///
/// It displays as "Fashion-MNIST".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DataSet {
    /// Handwritten digits.
    Mnist,
    /// Pictures of clothes, with the names and sizes of MNIST.
    FashionMnist,
    /// Cursive Japanese characters (Kuzushiji), with the names and sizes of MNIST.
    Kmnist,
    /// The digits of MNIST with their writers, and 50,000 more test digits: the first 10,000 are those of
    /// MNIST's test.
    Qmnist,
    /// All 402,953 digits from which QMNIST was made, compressed by xz.
    QmnistNist,
    /// The digits of EMNIST.
    EmnistDigits,
    /// Digits of EMNIST, as many as in MNIST.
    EmnistMnist,
    /// Handwritten letters, labeled 1 to 26.
    EmnistLetters,
    /// Digits and letters, with similar ones merged and equally many of each.
    EmnistBalanced,
    /// Digits and letters, with similar ones merged.
    EmnistByMerge,
    /// Digits, and letters in upper and lower case.
    EmnistByClass,
}

/// A file on the mirrors of a data set: one of its files, or the archive that contains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteFile {
    /// The name.
    pub name: &'static str,
    /// The compressed size in bytes.
    pub size: u64,
    /// The SHA-256 of the compressed bytes, in hexadecimal.
    pub sha256: &'static str,
}

impl DataSet {
    /// All well-known data sets.
    pub const ALL: [Self; 11] = [
        Self::Mnist,
        Self::FashionMnist,
        Self::Kmnist,
        Self::Qmnist,
        Self::QmnistNist,
        Self::EmnistDigits,
        Self::EmnistMnist,
        Self::EmnistLetters,
        Self::EmnistBalanced,
        Self::EmnistByMerge,
        Self::EmnistByClass,
    ];

    /// Returns the range of the labels.
    pub(crate) fn labels(self) -> RangeInclusive<u8> {
        let first = self.facts().first_label;
        let last = (first..=u8::MAX).zip(self.facts().class_names.split(',')).last();
        first..=last.map_or(first, |(label, _)| label)
    }

    /// Returns the label and the name of each class.
    pub(crate) fn class_names(self) -> impl Iterator<Item = (i128, &'static str)> {
        (self.facts().first_label.into()..).zip(self.facts().class_names.split(','))
    }

    /// Returns the name for the command line, such as "fashion-mnist" or "emnist-letters".
    ///
    /// ```
    /// use idx_data::dataset::DataSet;
    ///
    /// let mut data_sets = DataSet::ALL.into_iter();
    /// let named = data_sets.find(|data_set| data_set.id() == "emnist-letters");
    /// assert_eq!(named, Some(DataSet::EmnistLetters));
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.facts().id
    }

    /// Returns the files to download: those of the data set, or the archive that contains them.
    ///
    /// ```
    /// use idx_data::dataset::DataSet;
    ///
    /// let files = DataSet::Mnist.remote_files();
    /// assert_eq!((files[0].name, files[0].size), ("train-images-idx3-ubyte.gz", 9_912_422));
    /// ```
    #[must_use]
    pub fn remote_files(self) -> Vec<RemoteFile> {
        match self.facts().archive {
            Some(archive) => vec![archive],
            None => self.published().collect(),
        }
    }

    /// Returns the files as they are published, compressed.
    pub(crate) fn published(self) -> impl Iterator<Item = RemoteFile> {
        let of_set = known_files().filter(move |known| known.file.data_set == self);
        of_set.filter(|known| known.hashed == Hashed::Published).map(|known| known.published)
    }

    /// Returns the list of class names, unless they only repeat the labels: the file name under which [`open_set`]
    /// finds the list next to the files, and its content.
    ///
    /// ```
    /// use idx_data::dataset::DataSet;
    ///
    /// let (name, text) = DataSet::FashionMnist.class_list().unwrap();
    /// assert_eq!((name.to_str(), text.lines().next()), (Some("classes.txt"), Some("T-shirt/top")));
    /// assert_eq!(DataSet::Mnist.class_list(), None);
    /// ```
    ///
    /// [`open_set`]: crate::open_set
    #[must_use]
    pub fn class_list(self) -> Option<(PathBuf, String)> {
        let names = ClassNames::from(self);
        let images = self.published().next().filter(|_| names.says_more())?;
        let text = names.to_text();
        debug_assert!(text.is_ok(), "known names are lines");
        Some((names::classes_name(images.name.as_ref(), true)?, text.ok()?))
    }

    /// Returns the addresses of folders with these files, the best first; each ends in `/`.
    #[must_use]
    pub const fn addresses(self) -> &'static [&'static str] {
        self.facts().addresses
    }

    /// Returns the authors of the data set, and the terms of its use.
    #[must_use]
    pub const fn terms(self) -> &'static str {
        self.facts().terms
    }

    /// Returns the data set whose file names have this prefix.
    pub(crate) fn from_prefix(prefix: &str) -> Option<Self> {
        let stem = prefix.strip_suffix(SEPARATORS).unwrap_or_default();
        Self::ALL.into_iter().find(|data_set| data_set.facts().stem == stem)
    }

    /// Returns the data set that this prefix names. An empty one names none: other data sets, and every set written as
    /// IDX, use MNIST's file names, too.
    pub(crate) fn said_by_prefix(prefix: &str) -> Option<Self> {
        Self::from_prefix(prefix).filter(|_| !prefix.is_empty())
    }
}

impl fmt::Display for DataSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.facts().name)
    }
}

impl From<DataSet> for ClassNames {
    fn from(data_set: DataSet) -> Self {
        Self(data_set.class_names().map(|(label, name)| (label, name.to_string())).gather())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_set_has_a_name_and_a_prefix_of_its_own() {
        let names: HashSet<_> = DataSet::ALL.map(|data_set| data_set.to_string()).into();
        assert_eq!(names.len(), DataSet::ALL.len());
        let mut ids = HashSet::new();
        for data_set in DataSet::ALL {
            assert!(ids.insert(data_set.id()), "{data_set}");
            let prefix = match data_set.facts().stem {
                "" => String::new(),
                stem => format!("{stem}-"),
            };
            assert_eq!(DataSet::from_prefix(&prefix), Some(data_set), "{prefix}");
        }
    }

    #[test]
    fn every_label_has_a_name_and_no_other() {
        for (data_set, labels) in [
            (DataSet::Mnist, 0..=9),
            (DataSet::FashionMnist, 0..=9),
            (DataSet::Kmnist, 0..=9),
            (DataSet::Qmnist, 0..=9),
            (DataSet::QmnistNist, 0..=9),
            (DataSet::EmnistDigits, 0..=9),
            (DataSet::EmnistMnist, 0..=9),
            (DataSet::EmnistLetters, 1..=26),
            (DataSet::EmnistBalanced, 0..=46),
            (DataSet::EmnistByMerge, 0..=46),
            (DataSet::EmnistByClass, 0..=61),
        ] {
            assert_eq!(data_set.labels(), labels, "{data_set}");
            let mut names = HashSet::new();
            let known = ClassNames::from(data_set);
            for label in 0..=u8::MAX {
                let name = known.name(label.into());
                assert_eq!(name.is_some(), labels.contains(&label), "{data_set} {label}");
                assert!(name.is_none_or(|name| names.insert(name)), "{data_set} {label}");
            }
        }
    }
}
