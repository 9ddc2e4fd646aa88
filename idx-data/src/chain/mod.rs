//! Records from an input to an output: where they come from, and the steps that choose, label and change them.

mod step;
mod input;
mod source;
mod labels;
mod selection;
mod select;
mod classes;
mod transform;
mod random;
mod chance;

pub use self::chance::Chance;
pub(crate) use self::chance::{invalid_fraction, stratified};
pub use self::classes::Class;
pub(crate) use self::classes::{does_not_occur, labels};
pub(crate) use self::input::{CHANGED, Input};
pub(crate) use self::random::SplitMix64;
pub use self::selection::RecordSelection;
pub use self::source::Source;
