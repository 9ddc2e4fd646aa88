//! Lines of numbers, one for each record.

mod number;
mod lines;
mod header;
mod source;
mod sink;

#[cfg(feature = "pictures")]
pub(super) use lines::Lines;
pub(super) use sink::CsvSink;
pub(super) use source::CsvSource;
