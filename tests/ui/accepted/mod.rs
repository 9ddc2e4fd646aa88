//! Programs that the derive accepts, as modules of one test, which is compiled once.

mod borrowed;
mod by_macro;
mod grouped;
mod inherent_names;
mod no_prelude;
mod other_paths;
mod records;
mod shadowed_names;
mod strict_lints;
mod through_data;
