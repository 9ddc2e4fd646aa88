//! Lines of numbers, one for each record.

mod number;
mod lines;
mod header;
mod source;
mod sink;

#[cfg(feature = "pictures")]
pub(crate) use lines::Lines;
pub(crate) use sink::CsvSink;
pub(crate) use source::CsvSource;
