//! The chain from an input to an output, and its steps, which choose, label and change records.

mod label_numbers;
mod step;
mod input;
mod of_set;
mod source;
mod append;
mod memory;
mod labels;
mod selection;
mod select;
mod classes;
mod class_list;
mod transform;
mod each;
mod relabel;
mod random;
mod dealt;
mod deal;
mod chance;

pub use chance::Chance;
pub(crate) use chance::{expect_fraction, share_of, stratified};
pub(crate) use class_list::one_list;
pub(crate) use classes::Choice;
pub use classes::{Class, ClassSelection};
pub(crate) use input::{CHANGED, Input};
pub(crate) use label_numbers::Labels;
pub(crate) use of_set::OfSet;
pub use random::shuffle;
pub use relabel::Relabeling;
pub use selection::RecordSelection;
pub use source::Source;
pub(crate) use step::with_label;
