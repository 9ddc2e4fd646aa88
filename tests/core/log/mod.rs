//! The log in flash, on a model of a chip.

mod calls;
mod chip;
mod histories;
mod ranges;
