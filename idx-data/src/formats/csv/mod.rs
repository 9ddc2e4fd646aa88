//! Lines of numbers, one per record.

mod number;
mod digits;
mod header;
mod sample;
mod source;
mod plan;
mod sink;

pub(crate) use plan::open;
pub(crate) use sink::CsvSink;
#[cfg(feature = "pictures")]
pub(crate) use {number::parse_label, sample::check_text};
