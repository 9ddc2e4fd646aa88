//! All rules about names: of files, of the parts of a set, of formats, and of the files next to records that have their
//! labels and class names. No other code knows a name.

mod part;
mod name;
mod neighbours;
pub(crate) mod path;
pub(crate) mod folder;
pub(crate) mod sets;
pub(crate) mod format;
pub(crate) mod class_names;

pub(crate) use name::{FileKind, Name, format_in_name, idx_end, idx_stem, images_of_part};
pub(crate) use neighbours::{
    Neighbours, classes_beside, classes_name, labels_beside, labels_name, neighbours,
    possible_labels,
};
pub(crate) use part::{Part, SEPARATORS, ends_with_words, split_part, split_part_word};
