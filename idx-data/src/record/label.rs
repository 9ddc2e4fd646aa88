//! The labels that numbers stand for.

use crate::error::{ErrorKind, Hint};
use crate::record::value::{DType, Value};
use idx_std::ElementType;

/// Returns the number with these big-endian bytes as a label; an error if it is not a whole number.
pub(crate) fn label_of(bytes: &[u8], dtype: DType) -> Result<i128, ErrorKind> {
    let number = dtype.value(bytes);
    number.and_then(Value::to_integer).ok_or_else(|| {
        let number = number.map(|number| number.to_string()).unwrap_or_default();
        not_label(&number)
    })
}

/// Returns the error for a label that is not a whole number.
pub(crate) fn not_label(text: &str) -> ErrorKind {
    ErrorKind::malformed(format!(
        "{text} is not a label, a whole number; round it, choose another column, or leave the labels out"
    ))
    .advising(Hint::NoLabels)
}

/// Returns the number of columns of an array of labels with these sizes.
pub(crate) fn label_columns(dims: &[u32]) -> Result<u32, ErrorKind> {
    match *dims {
        [_] => Ok(1),
        [_, columns] => Ok(columns),
        _ => {
            let message = format!(
                "labels have 1 or 2 dimensions, and these have {}; choose a file of labels",
                dims.len()
            );
            Err(ErrorKind::unsupported(message))
        }
    }
}

/// Returns the error for a row of this many columns that is not one-hot.
pub(crate) fn not_one_hot(columns: u64) -> ErrorKind {
    let message = format!(
        "the labels have {columns} columns, and this row is not one-hot; choose the column of the labels"
    );
    ErrorKind::mismatch(message).advising(Hint::LabelColumn)
}

/// Reads labels from rows of numbers: single numbers, or several that are all one-hot or all QMNIST's.
#[derive(Default)]
pub(crate) struct LabelRows {
    /// True if the first row is one-hot; `None` before it.
    are_one_hot: Option<bool>,
}

impl LabelRows {
    /// Returns the label of the next row, which has these big-endian bytes.
    pub(crate) fn next(&mut self, row: &[u8], dtype: DType) -> Result<i128, ErrorKind> {
        if row.len() == dtype.size() {
            return label_of(row, dtype);
        }
        let hot = place_of_one(integers(row, dtype));
        let label = hot.or_else(|| qmnist_class(row, dtype));
        let is_like_first = *self.are_one_hot.get_or_insert(hot.is_some()) == hot.is_some();
        let columns = row.len().checked_div(dtype.size()).unwrap_or_default();
        label.filter(|_| is_like_first).ok_or_else(|| not_one_hot(columns as u64))
    }
}

/// Returns the position of the only 1 in a row of zeros; `None` in the row is neither.
pub(crate) fn place_of_one(numbers: impl Iterator<Item = Option<i128>>) -> Option<i128> {
    let mut others = (0..).zip(numbers).filter(|(_, number)| *number != Some(0));
    match (others.next(), others.next()) {
        (Some((position, Some(1))), None) => Some(position),
        _ => None,
    }
}

/// Returns the class in a row of QMNIST's labels: the first of eight columns, of which the last is unused and 0. A row
/// of zeros and ones is not QMNIST's, because one of its columns has NIST's code of the character, which is larger.
fn qmnist_class(row: &[u8], dtype: DType) -> Option<i128> {
    let is_of_type = dtype == ElementType::I32.into() && row.len() == 8 * dtype.size();
    let is_larger = |number| !matches!(number, Some(0 | 1));
    let is_qmnist = is_of_type
        && integers(row, dtype).any(is_larger)
        && integers(row, dtype).last() == Some(Some(0));
    integers(row, dtype).next().flatten().filter(|_| is_qmnist)
}

fn integers(row: &[u8], dtype: DType) -> impl Iterator<Item = Option<i128>> {
    row.chunks_exact(dtype.size()).map(move |bytes| dtype.value(bytes)?.to_integer())
}
