//! Loops over many numbers, compiled twice: for every processor, and for those with the wide instructions of
//! AVX2; the program chooses when it runs. Without them x86-64 cannot reverse the bytes of numbers in a
//! vector, and a swap takes up to twenty times as long as a copy.

use idx_core::{Element, IdxRecord};
use multiversion::multiversion;

/// The number of bytes below which the choice takes more time than the work.
const FEW: usize = 64;

/// Appends the elements in these bytes, whose values were checked, as numbers.
#[multiversion(targets("x86_64+avx2"))]
pub fn append<E: Element, N: From<E>>(numbers: &mut Vec<N>, bytes: &[u8]) {
    // Both the number of elements and the size of each are known, so the compiler generates vector code.
    let elements = bytes.chunks_exact(E::SIZE).map(E::decode);
    numbers.extend(elements.map(|element| N::from(element.unwrap_or(E::FILL))));
}

/// Decodes one element for each `E::SIZE` bytes; `None` if there are more or fewer, or a value is not allowed.
#[multiversion(targets("x86_64+avx2"))]
pub fn decode<E: Element>(bytes: &[u8], elements: &mut [E]) -> Option<()> {
    E::decode_slice(bytes, elements)
}

/// Encodes all records; `None` if they have more or fewer bytes, or a value that is not allowed.
#[inline]
pub(crate) fn encode<T: IdxRecord>(records: &[T], bytes: &mut [u8]) -> Option<()> {
    // For one record this is known when the program is compiled.
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

/// Reverses the bytes of each number of this size.
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

/// Appends the result of `of` for each of these values.
#[multiversion(targets("x86_64+avx2"))]
pub fn map<T: Copy, U>(values: &[T], of: impl Fn(T) -> U, results: &mut Vec<U>) {
    results.extend(values.iter().map(|value| of(*value)));
}

/// The number of values that are folded side by side: enough that a processor starts the next additions before the
/// results of the last ones are ready.
const LANES: usize = 16;

/// Folds the values at each place of the groups: a processor computes several of them at once.
#[multiversion(targets("x86_64+avx2"))]
pub fn fold<T: Copy, P: Copy>(
    groups: &[[T; LANES]],
    start: P,
    with: impl Fn(P, T) -> P,
) -> [P; LANES] {
    let mut parts = [start; LANES];
    for group in groups {
        for (part, value) in parts.iter_mut().zip(group) {
            *part = with(*part, *value);
        }
    }
    parts
}
