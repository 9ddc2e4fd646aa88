//! Errors as values, and the numbers that they keep, up to the largest ones.

use std::collections::HashSet;
use std::error::Error as _;
use std::fmt;

use idx_core::stream::ReadError;
use idx_core::{ErrorKind, IdxRecord, Records};

#[derive(IdxRecord, Debug)]
struct Letter(#[idx(range = 1..=26)] u8);

#[test]
fn errors_are_equal_if_they_mean_the_same() {
    let error = |bytes: &[u8]| Records::<u8>::parse(bytes).unwrap_err();
    let (empty, gzip) = (error(&[]), error(&[0x1F, 0x8B, 8, 0]));
    assert_eq!(empty, error(&[]));
    assert_eq!(gzip, ErrorKind::Gzip);
    assert_ne!(empty, gzip);
    assert_ne!(empty, ErrorKind::Gzip);
    // Found in different ways.
    assert_eq!(gzip, Records::<Letter>::parse(&[0x1F, 0x8B, 8, 4]).unwrap_err());

    let set = HashSet::from([empty, gzip, error(&[1; 4]), error(&[])]);
    assert_eq!(set.len(), 3);
    assert_eq!(format!("{empty:?} {gzip:?}"), "Empty Gzip");
}

#[test]
fn a_value_of_0_has_no_sign() {
    let error = Records::<Letter>::parse(&[0, 0, 8, 1, 0, 0, 0, 1, 0]);
    let sentence = error.err().unwrap().to_string();
    assert!(sentence.contains(" 0") && !sentence.contains("-0"), "{sentence}");
}

/// The dimension where the product of the sizes overflows, in a record type with a size that does not.
#[cfg(target_pointer_width = "64")]
#[test]
fn too_many_records_of_a_large_type() {
    fn kind<T: IdxRecord>() -> ErrorKind {
        let sizes = [&[u32::MAX], T::SHAPE].concat();
        let bytes = idx_tests::file(T::ELEMENT.code(), &sizes, &[]);
        Records::<T>::parse(&bytes).err().unwrap().kind()
    }
    let too_large = |dimension, size| ErrorKind::TooLarge { dimension, size };
    assert_eq!(kind::<[[f64; 1 << 10]; 1 << 28]>(), too_large(2, 1 << 10));
    assert_eq!(kind::<[[f64; 1 << 10]; 1 << 31]>(), too_large(1, 1 << 31));
    assert_eq!(kind::<[[u8; 1 << 10]; 1 << 31]>(), too_large(2, 1 << 10));
}

/// The memory is that of a few pages: what is never touched has none. Miri would take all of it.
#[cfg(all(target_pointer_width = "64", not(miri)))]
#[test]
fn numbers_of_more_than_32_bits() {
    use idx_core::Idx;

    const SIZE: usize = (3 << 32) + 100;
    let mut bytes = vec![0; SIZE];
    bytes[..12].copy_from_slice(&[0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 1]);
    let error = Records::<[u8; 1]>::parse(&bytes).unwrap_err();
    let (offset, count) = (13, SIZE as u64 - 13);
    assert_eq!(error, ErrorKind::TrailingBytes { offset, count });
    assert_eq!(error, Idx::parse(&bytes).unwrap_err());

    bytes[4..8].fill(0xFF);
    bytes[8..12].copy_from_slice(&[0, 0x10, 0, 0]);
    let error = Records::<[u8; 1 << 20]>::parse(&bytes).err().unwrap();
    let (needed, found) = (u64::from(u32::MAX) << 20, SIZE as u64 - 12);
    assert_eq!(error, ErrorKind::Truncated { needed, found });
    assert_eq!(error, Idx::parse(&bytes).unwrap_err());
}

/// An error of a driver, with another one behind it.
#[derive(Debug)]
struct Broken(fmt::Error);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cable is broken")
    }
}

impl std::error::Error for Broken {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn a_reader_error_keeps_its_source() {
    let error = ReadError::Read(Broken(fmt::Error));
    assert_eq!(error.to_string(), "the cable is broken");
    assert!(error.source().is_some());
    assert!(ReadError::<Broken>::Overrun.source().is_none());
}
