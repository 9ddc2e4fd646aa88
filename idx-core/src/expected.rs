//! The header that files of a record type have.

use crate::error::Expected;
use crate::record::IdxRecord;

/// Returns the header that files of records of type `T` have.
pub(crate) const fn expected<T: IdxRecord>() -> &'static Expected {
    const { &Expected { element_type: T::ELEMENT, shape: T::SHAPE, size: T::SIZE } }
}

/// Returns the header of a file of `count` records of type `T`, for firmware that writes one.
///
/// The records follow it, each as [`encode`](IdxRecord::encode) writes it. `N` is
/// [`T::HEADER_SIZE`](IdxRecord::HEADER_SIZE); another one does not compile.
///
/// ```
/// use idx_core::{IdxRecord, Records, header};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Acceleration { x: i16, y: i16, z: i16 }
///
/// const HEADER: [u8; Acceleration::HEADER_SIZE] = header::<Acceleration, { Acceleration::HEADER_SIZE }>(1);
///
/// let mut file = [0; HEADER.len() + Acceleration::SIZE];
/// let (start, record) = file.split_at_mut(HEADER.len());
/// start.copy_from_slice(&HEADER);
/// Acceleration { x: 1, y: -1, z: 256 }.encode(record).unwrap();
/// assert_eq!(Records::<Acceleration>::parse(&file)?.len(), 1);
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// # A log whose length is not known yet
///
/// In flash, use `idx_core::log`: it loses nothing when the power fails. For a stream or a file, write
/// `header::<T, { T::HEADER_SIZE }>(u32::MAX)`, then records as they come, and overwrite those four bytes with the
/// number of records at the end. Until then no reader takes the file, and on a desktop `idx repair` (`idx_std::repair`)
/// makes a whole file of it, also of a copy of flash, where bytes of FF alone behind the last record were never
/// written. The last record may be torn: nothing tells it from a whole one, unless its type has a rule (`range`, or an
/// enum of labels) in its *last* bytes that FF breaks.
///
/// Only flash that may be written twice without an erase (embedded-storage calls it `MultiwriteNorFlash`) takes the
/// number later, and only once, from FFFFFFFF, where words have at most four bytes. STM32 L4, G4 and H7 refuse it.
#[must_use]
pub const fn header<T: IdxRecord, const N: usize>(count: u32) -> [u8; N] {
    const {
        assert!(
            N == T::HEADER_SIZE,
            "the array has another size than the header: write `header::<T, {{ T::HEADER_SIZE }}>(count)`"
        );
    }
    let mut bytes = [0; N];
    write_header::<T>(count, &mut bytes);
    bytes
}

/// Writes the header of a file of `count` records.
pub(crate) const fn write_header<T: IdxRecord>(count: u32, bytes: &mut [u8]) {
    let (mut words, _) = bytes.as_chunks_mut();
    let mut next = expected::<T>().start();
    let mut sizes = T::SHAPE;
    let mut is_start = true;
    while let [word, after @ ..] = words {
        *word = next.to_be_bytes();
        if is_start {
            (next, is_start) = (count, false);
        } else if let [size, others @ ..] = sizes {
            (next, sizes) = (*size, others);
        }
        words = after;
    }
}
