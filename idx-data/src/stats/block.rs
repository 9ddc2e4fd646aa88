//! Folds blocks of values in several parts at once.

use idx_std::__private::wide;

/// The number of elements to summarize at once: enough that the cost per block does not matter, and few enough to stay
/// in the cache.
pub(super) const BLOCK: usize = 2048;

/// Folds values in several parts, which a CPU computes at once. In a single part, each value would wait for the one
/// before.
pub(super) fn fold_in_parts<T: Copy, P: Copy>(
    values: &[T],
    start: P,
    fold: impl Fn(P, T) -> P,
) -> impl Iterator<Item = P> {
    let (rows, rest) = values.as_chunks();
    let parts = wide::fold(rows, start, &fold);
    parts.into_iter().chain(rest.iter().map(move |value| fold(start, *value)))
}

/// Returns the smallest and largest of these values.
pub(super) fn range<T: Copy + PartialOrd>(values: &[T], [low, high]: [T; 2]) -> [T; 2] {
    let smaller = |one: T, other: T| if other < one { other } else { one };
    let larger = |one: T, other: T| if other > one { other } else { one };
    [
        fold_in_parts(values, low, smaller).fold(low, smaller),
        fold_in_parts(values, high, larger).fold(high, larger),
    ]
}
