//! Finds other files in a folder that would be read with those of a data set.

use std::path::{Path, PathBuf};

use crate::doors::older::{NewFile, Older};
use crate::error::{At, Error, ErrorKind};
use crate::known::data_set::DataSet;
use crate::known::file::{Hashed, KnownFile, identify};
use crate::names::class_names::ClassNames;
use crate::names::folder::existing;
use crate::names::{FileKind, Name, Neighbours, neighbours};

impl DataSet {
    /// Checks that a folder has no other file that would be read with those of the data set, or that would get its
    /// labels or class names. `fetch` calls this first.
    ///
    /// # Errors
    ///
    /// A file that would be ([`mismatch`](ErrorKind::code)); a folder or file that cannot be read
    /// ([`ErrorKind::File`]).
    pub fn expect_alone(self, folder: impl AsRef<Path>) -> Result<(), Error> {
        let folder = folder.as_ref();
        let conflict = |path: &Path| {
            let message = format!(
                "this file is not of {self}, and would be read with it; move it away, or name another folder"
            );
            Err(ErrorKind::mismatch(message)).at(path)
        };
        let published: Vec<_> = self.published().map(|file| folder.join(file.name)).collect();
        let own_list = self.class_list().map(|(name, _)| folder.join(name));
        for wanted in self.published() {
            let known = KnownFile::of(Hashed::Published, wanted.sha256);
            let Neighbours { twins, labels, classes } = neighbours(&folder.join(wanted.name));
            let known_labels = known.map(|known| KnownFile { kind: FileKind::Labels, ..known });
            for (others, expected) in [(twins, known), (labels, known_labels)] {
                let others = others.into_iter().filter(|other| !published.contains(other));
                for other in &existing(others.collect())? {
                    if expected.is_none() || identify(other).ok().flatten() != expected {
                        return conflict(other);
                    }
                }
            }
            // The data set's own list is compared when it is written.
            let earlier = classes.into_iter().take_while(|list| own_list.as_ref() != Some(list));
            if let Some(list) = existing(earlier.collect())?.first()
                && ClassNames::open_listed(list).ok() != Some(ClassNames::from(self))
            {
                return conflict(list);
            }
        }
        self.check_older(published, own_list)
    }

    /// Checks that no other records in the folder would be read with labels or class names that are not there yet.
    fn check_older(self, published: Vec<PathBuf>, list: Option<PathBuf>) -> Result<(), Error> {
        let names = ClassNames::from(self);
        let is_own = |path: &Path| {
            path.is_file()
                && identify(path).ok().flatten().is_some_and(|found| found.data_set == self)
        };
        let labels = published.iter().filter(|path| Name::is_of_labels(path) && !is_own(path));
        let list = list.filter(|path| ClassNames::open_listed(path).ok().as_ref() != Some(&names));
        let list = list.map(|path| NewFile::new(&path, &[], Some(names.clone())));
        let files = labels.map(|path| NewFile::new(path, &[], None)).chain(list).collect();
        // Other names of the same files are already compared.
        let twins: Vec<_> = published.iter().flat_map(|path| neighbours(path).twins).collect();
        Older::check(files, [published, twins].concat()).map(drop)
    }
}
