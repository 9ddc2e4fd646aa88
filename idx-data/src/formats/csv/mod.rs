//! Lines of numbers, one for each record.

mod number;
mod lines;
mod header;
mod source;
mod texts;
mod sink;

#[cfg(feature = "pictures")]
pub(crate) use header::is_header;
#[cfg(feature = "pictures")]
pub(crate) use lines::Lines;
#[cfg(feature = "pictures")]
pub(crate) use number::parse_label;
pub(crate) use sink::CsvSink;
#[cfg(feature = "pictures")]
pub(crate) use source::column_index;
pub(crate) use texts::open;
