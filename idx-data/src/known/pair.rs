//! Checks that labels belong to images: their counts are equal, and they are not of two known data sets.

use std::fmt::Display;
use std::path::Path;

use crate::error::{At, Error, ErrorKind, file_name};
use crate::known::file::KnownFile;
use crate::names::FileKind;
use idx_std::{ElementType, HeaderBuf, IdxBuf, IdxRecord};

/// Checks that there is one label for each image. Each count comes with the path of its file, if there is one.
pub(crate) fn check_count(
    (labels_path, labels): (Option<&Path>, u64),
    (images_path, images): (Option<&Path>, u64),
) -> Result<(), Error> {
    if labels == images {
        return Ok(());
    }
    let images_path = images_path.map(Path::to_path_buf);
    Err(Error::from(ErrorKind::LabelCount { labels, images, images_path }).at(labels_path))
}

/// Returns the error for labels in the place of images, or the other way around.
pub(crate) fn swapped(found: FileKind) -> ErrorKind {
    let message = format!("this has the shape of {found}; are images and labels swapped?");
    ErrorKind::OtherDataSet(message)
}

/// Returns the error for two files that do not match, each with the name of its data set or the type of its images.
pub(crate) fn mixed_data_sets(
    first: (&Path, &dyn Display),
    second: (&Path, &dyn Display),
) -> ErrorKind {
    let [first, second] =
        [first, second].map(|(path, set)| format!("{} is {set}", file_name(path)));
    ErrorKind::OtherDataSet(format!("{first}, {second}; use the files of one set"))
}

/// Checks that images and labels are not of two different well-known data sets.
pub(crate) fn expect_one_set(
    (images_path, images): (&Path, Option<KnownFile>),
    (labels_path, labels): (&Path, Option<KnownFile>),
) -> Result<(), Error> {
    let are_pair = |(images, labels): &(KnownFile, KnownFile)| {
        images.kind == FileKind::Images && labels.kind == FileKind::Labels
    };
    match images.zip(labels).filter(are_pair) {
        Some((images, labels)) if !images.is_same_part(labels) => {
            let kind = mixed_data_sets((images_path, &images), (labels_path, &labels));
            Err(kind).at(labels_path)
        }
        _ => Ok(()),
    }
}

/// Checks that these are the labels of well-known images.
pub(crate) fn expect_labels_of(
    (labels_path, labels, known): (&Path, &HeaderBuf, Option<KnownFile>),
    (images_path, images): (&Path, KnownFile),
) -> Result<(), Error> {
    expect_one_set((images_path, Some(images)), (labels_path, known))?;
    // Written in another type, the same labels have another hash.
    let is_usual = labels.dims().len() > 1 || labels.element_type() == ElementType::U8;
    if known.is_some() || !images.has_known_labels() || !is_usual {
        return Ok(());
    }
    let kind = ErrorKind::OtherDataSet(format!(
        "these are not the labels of {}, which is {images}; use the matching files, or download both again",
        file_name(images_path)
    ));
    Err(kind).at(labels_path)
}

/// Checks that images and labels are not swapped, and that well-known images have their own labels.
pub(crate) fn expect_pair<I: IdxRecord, L: IdxRecord>(
    images: &IdxBuf,
    labels: &IdxBuf,
) -> Result<[Option<KnownFile>; 2], Error> {
    let (first, second) = (images.header(), labels.header());
    if first.check::<I>().is_err() && first.check::<L>().is_ok() {
        return Err(Error::from(swapped(FileKind::Labels)).at(images.path()));
    }
    if second.check::<L>().is_err() && second.check::<I>().is_ok() {
        return Err(Error::from(swapped(FileKind::Images)).at(labels.path()));
    }
    let path = |file: &IdxBuf| file.path().unwrap_or(Path::new("")).to_path_buf();
    let (images_path, labels_path) = (path(images), path(labels));
    let or_published = |known: Option<KnownFile>, path: &Path| {
        known.map_or_else(|| KnownFile::published(path), |known| Ok(Some(known)))
    };
    // Hashing all images would take longer than reading them.
    let known = or_published(KnownFile::from_image_start(images.bytes()), &images_path)?;
    let known_labels = or_published(KnownFile::from_content(labels.bytes()), &labels_path)?;
    if let Some(known) = known {
        expect_labels_of((&labels_path, second, known_labels), (&images_path, known))?;
    }
    Ok([known, known_labels])
}
