//! Loops over many numbers, compiled twice: for any processor, and for AVX2; the program chooses at run time. Plain
//! x86-64 cannot reverse the bytes of numbers in a vector, so a swap takes up to twenty times as long as a copy.

use idx_core::{Element, IdxRecord};
use multiversion::multiversion;

/// The number of bytes below which choosing takes longer than the work itself.
const FEW: usize = 64;

/// Decodes elements that were already checked, and appends them as numbers.
#[multiversion(targets("x86_64+avx2"))]
pub fn append<E: Element, N: From<E>>(numbers: &mut Vec<N>, bytes: &[u8]) {
    // Both the number of elements and the size of each are known, so the compiler generates vector code.
    let elements = bytes.chunks_exact(E::SIZE).map(E::decode);
    numbers.extend(elements.map(|element| N::from(element.unwrap_or(E::FILL))));
}

/// Decodes one element from each `E::SIZE` bytes; `None` if the lengths do not match, or a value is not allowed.
#[multiversion(targets("x86_64+avx2"))]
pub fn decode<E: Element>(bytes: &[u8], elements: &mut [E]) -> Option<()> {
    E::decode_slice(bytes, elements)
}

/// Encodes all records; `None` if `bytes` has another length, or a value is not allowed.
#[inline]
pub(crate) fn encode<T: IdxRecord>(records: &[T], bytes: &mut [u8]) -> Option<()> {
    // For a single record, the compiler knows the answer.
    if size_of_val(records) < FEW {
        T::encode_slice(records, bytes)
    } else {
        encode_many(records, bytes)
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn encode_many<T: IdxRecord>(records: &[T], bytes: &mut [u8]) -> Option<()> {
    T::encode_slice(records, bytes)
}

/// Reverses the bytes of each number of `size` bytes.
#[multiversion(targets("x86_64+avx2"))]
pub fn reverse_each(numbers: &mut [u8], size: usize) {
    macro_rules! reverse {
        ($number:ty) => {
            for bytes in numbers.as_chunks_mut().0 {
                *bytes = <$number>::from_be_bytes(*bytes).to_le_bytes();
            }
        };
    }
    match size {
        2 => reverse!(u16),
        4 => reverse!(u32),
        8 => reverse!(u64),
        // A byte stays as it is, and there are no other sizes.
        _ => debug_assert!(size == 1, "{size}"),
    }
}

/// Appends the result of `function` for each value.
#[multiversion(targets("x86_64+avx2"))]
pub fn map<T: Copy, U>(values: &[T], function: impl Fn(T) -> U, results: &mut Vec<U>) {
    results.extend(values.iter().map(|value| function(*value)));
}

/// The number of columns that are folded: with these, the processor starts the next additions before the last ones are
/// complete.
const LANES: usize = 16;

/// Folds each column separately, so that the processor can compute several at once.
#[multiversion(targets("x86_64+avx2"))]
pub fn fold<T: Copy, P: Copy>(
    rows: &[[T; LANES]],
    start: P,
    with: impl Fn(P, T) -> P,
) -> [P; LANES] {
    let mut parts = [start; LANES];
    for row in rows {
        for (part, value) in parts.iter_mut().zip(row) {
            *part = with(*part, *value);
        }
    }
    parts
}
