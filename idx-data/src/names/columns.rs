//! The names of columns: the one that has the labels, and the ones that only count.

/// The names of a column of labels, the best first. `OpenML` and scikit-learn call it `class` and `target`.
const LABELS: [&str; 4] = ["label", "class", "target", "y"];

/// Returns the position of the labels among columns of these names.
pub(crate) fn label_position(names: &[impl AsRef<str>]) -> Option<usize> {
    LABELS
        .iter()
        .find_map(|label| names.iter().position(|name| name.as_ref().eq_ignore_ascii_case(label)))
}

/// Returns the names by which the columns of a table are compared with those of another; `None` for numbers that count
/// them from 0 or 1, and for the name of a single column, whose place is clear without it.
pub(crate) fn column_names(names: Vec<String>) -> Option<Vec<String>> {
    (names.len() > 1 && !are_counted(&names.iter())).then_some(names)
}

/// Returns whether these names are the numbers of their columns, from 0 or 1.
pub(crate) fn are_counted(names: &(impl Iterator<Item: AsRef<str>> + Clone)) -> bool {
    let count_from = |first: usize| {
        names.clone().zip(first..).all(|(name, number)| name.as_ref() == number.to_string())
    };
    count_from(0) || count_from(1)
}
