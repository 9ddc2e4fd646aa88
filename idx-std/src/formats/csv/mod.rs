//! Lines of numbers, one for each record.

mod element;
mod lines;
mod source;
mod sink;

pub(super) use sink::CsvSink;
pub(super) use source::CsvSource;

/// The name of a column of labels.
const LABEL: &str = "label";
