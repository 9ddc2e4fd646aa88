//! Pictures: reads, decodes and adjusts them, and writes folders of them.

mod picture;
mod complete;
mod decode;
mod resize;
mod strokes;
mod fit_mnist;
mod adjust;
mod reader;
mod labels_file;
mod named_labels;
mod source;
mod sink;

pub(crate) use adjust::adjusted;
pub(crate) use decode::is_picture;
pub(crate) use labels_file::{ListedLabels, NamedPictures};
pub(crate) use named_labels::NamedLabels;
pub(crate) use reader::{LabeledFile, read_picture};
pub(crate) use sink::{PictureSink, PicturesSink};
pub(crate) use source::{Pictures, PicturesSource};
