//! The header expected of a file, given its record type.

use crate::error::Expected;
use crate::record::IdxRecord;

/// Returns the header expected of a file of `T`.
pub(crate) const fn expected<T: IdxRecord>() -> &'static Expected {
    const { &Expected { element_type: T::ELEMENT, shape: T::SHAPE, size: T::SIZE } }
}

/// Returns the header of a file of `count` records of type `T`, for firmware that writes files.
///
/// Write the records after it, each with [`encode`](IdxRecord::encode). `N` must be
/// [`T::HEADER_SIZE`](IdxRecord::HEADER_SIZE); any other size does not compile.
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
/// # Files of unknown length
///
/// In flash, use `idx_core::log`, which loses nothing when the power fails. For a stream or a file, write
/// `header::<T, { T::HEADER_SIZE }>(u32::MAX)`, then records as they come, and finally overwrite the four bytes of the
/// count with the number of records. Until then every reader rejects the file. On a desktop, `idx repair`
/// (`idx_std::repair`) completes such a file. It also completes a copy of flash: if nothing but FF follows the last
/// record, those bytes were never written. The last record may be torn, which cannot be detected unless its type has a
/// rule (a `range` or a label enum) for its *last* bytes that excludes FF.
///
/// To fill in the count later, flash must accept a second write without an erase (`MultiwriteNorFlash` in
/// embedded-storage), and have words of at most four bytes; the count can be written only once, over FFFFFFFF. STM32
/// L4, G4 and H7 refuse such a write.
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
