//! Writes a `Labeled` to files, and joins several.

use std::path::Path;

use crate::error::{At, Error, ErrorKind};
use crate::labeled::{Labeled, bytes};
use crate::names::classes_name;
use crate::names::format::Format;
use idx_std::__private::{alloc, commit};
use idx_std::{ErrorKind as FileErrorKind, FormatError, HeaderBuf, IdxBuf, IdxRecord, Writer};

impl<I: IdxRecord, L: IdxRecord> Labeled<I, L> {
    /// Writes the images and labels to IDX files, in the order of the set, and with gzip if a name ends in `.gz`. Files
    /// with these names are replaced. The class names go to a list next to the images, such as `own-classes.txt` for
    /// `own-images-idx3-ubyte`. A list with other names is not replaced.
    ///
    /// All files appear together, or none does. Whenever the program is stopped, the old files are there, or the new
    /// ones, or no images. For other formats, see [`to_source`](Self::to_source).
    ///
    /// # Errors
    ///
    /// A file that cannot be written ([`ErrorKind::File`]); a name of another format, or a list of other class names
    /// next to the images ([`mismatch`](ErrorKind::code)).
    ///
    /// ```no_run
    /// use idx_data::Labeled;
    /// use idx_data::dataset::mnist::Image;
    ///
    /// let set = Labeled::<Image, u8>::open("train-images.gz", "train-labels.gz")?;
    /// set.shuffled(7).per_class(100)?.write("small-images.gz", "small-labels.gz")?;
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    pub fn write(&self, images: impl AsRef<Path>, labels: impl AsRef<Path>) -> Result<(), Error> {
        let (images, labels) = (images.as_ref(), labels.as_ref());
        let list = self.classes().zip(classes_name(images, false));
        for path in [images, labels] {
            if matches!(Format::from_path(path), Some(format) if !matches!(format, Format::Idx | Format::IdxGz))
            {
                let message = "this writes IDX; for another format use `to_source().write`";
                return Err(ErrorKind::mismatch(message)).at(path);
            }
        }
        let mut images = Writer::create(images, I::ELEMENT, &dims::<I>(0))?;
        let mut labels = Writer::create(labels, L::ELEMENT, &dims::<L>(0))?;
        for record in self.order.iter() {
            images.push_bytes(bytes(&self.images, record))?;
            labels.push_bytes(bytes(&self.labels, record))?;
        }
        let list = list.map(|(names, path)| names.stage(&path, true)).transpose()?.flatten();
        Ok(commit(images.stage()?, labels.stage()?.into_iter().chain(list))?)
    }

    /// Joins several sets into one, in this order. The images are copied, and the class names stay.
    ///
    /// # Errors
    ///
    /// Sets with different class names ([`mismatch`](ErrorKind::code)); not enough memory, or more images than a file
    /// can hold ([`ErrorKind::File`]).
    ///
    /// ```
    /// # use idx_std::IdxBuf;
    /// use idx_data::Labeled;
    /// # let images = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 1, 10, 20];
    /// # let labels = [0, 0, 8, 1, 0, 0, 0, 2, 0, 1];
    /// # let set = Labeled::<[u8; 1], u8>::new(
    /// #     IdxBuf::from_bytes(images)?,
    /// #     IdxBuf::from_bytes(labels)?,
    /// # )?;
    ///
    /// let twice = Labeled::join([&set, &set])?;
    /// assert_eq!(twice.len(), 2 * set.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "concat")]
    pub fn join<'a>(sets: impl IntoIterator<Item = &'a Self>) -> Result<Self, Error>
    where
        Self: 'a,
    {
        let sets: Vec<&Self> = sets.into_iter().collect();
        let mut names = sets.iter().filter_map(|set| set.classes.as_ref());
        let classes = names.next().cloned();
        if names.any(|other| Some(other) != classes.as_ref()) {
            let message = "the sets have different class names; give all the same list";
            return Err(ErrorKind::mismatch(message).into());
        }
        let count: usize = sets.iter().map(|set| set.len()).sum();
        let full = |_| FileErrorKind::TooManyRecords { max: u32::MAX.into() };
        let count = u32::try_from(count).map_err(full)?;
        let (mut images, mut labels) = (start_of::<I>(count)?, start_of::<L>(count)?);
        for set in sets {
            for record in set.order.iter() {
                images.extend_from_slice(bytes(&set.images, record));
                labels.extend_from_slice(bytes(&set.labels, record));
            }
        }
        let joined = Self::new(IdxBuf::from_bytes(images)?, IdxBuf::from_bytes(labels)?)?;
        Ok(Self { classes, ..joined })
    }
}

/// Returns the sizes of a file of `count` records.
fn dims<T: IdxRecord>(count: u32) -> Vec<u32> {
    [&[count], T::SHAPE].concat()
}

/// Returns the header of a file of `count` records, with memory for all of them.
fn start_of<T: IdxRecord>(count: u32) -> Result<Vec<u8>, Error> {
    let header = HeaderBuf::new(T::ELEMENT, &dims::<T>(count))?;
    let mut bytes = Vec::new();
    let size = header.file_size();
    let size = usize::try_from(size).map_err(|_| FormatError::Unaddressable { size });
    alloc::reserve(&mut bytes, size.map_err(FileErrorKind::from)?)?;
    bytes.extend(header.to_bytes());
    Ok(bytes)
}
