//! Lines of numbers, one for each record.

mod number;
mod lines;
mod source;
mod sink;

#[cfg(feature = "pictures")]
pub(super) use lines::Lines;
pub(super) use sink::CsvSink;
pub(super) use source::CsvSource;

/// The names of a column of labels, the best first. `OpenML` and scikit-learn call it `class` and `target`.
const LABELS: [&str; 4] = ["label", "class", "target", "y"];
