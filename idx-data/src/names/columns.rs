//! The names of columns by which tables are compared.

/// Returns the names by which the columns of a table are compared with those of another; `None` for numbers that count
/// them from 0 or 1, and for the name of a single column, whose place is clear without it.
pub(crate) fn column_names(names: Vec<String>) -> Option<Vec<String>> {
    let count_from =
        |first: usize| names.iter().zip(first..).all(|(name, number)| *name == number.to_string());
    (names.len() > 1 && !count_from(0) && !count_from(1)).then_some(names)
}
