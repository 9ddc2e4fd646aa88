//! Folders of pictures: find them, decode and adjust each, and write them.

mod picture;
mod ending;
mod decode;
mod fit_mnist;
mod adjust;
mod labels_file;
mod find;
mod source;
mod adjusted;
mod sink;

pub(super) use adjusted::AdjustedSource;
pub(super) use sink::{PicturesSink, is_own};
pub(super) use source::PicturesSource;

/// The file of the labels in a folder of pictures, and that of the names of its classes.
const LABELS: &str = "labels.csv";
const CLASSES: &str = "classes.txt";
