//! The results of idx-core where `usize` has 16 bits.
//!
//! There is nothing to run: the compiler evaluates each constant as the target would, and a wrong
//! answer does not compile. At these numbers `size as usize` would silently truncate.

#![no_std]

use idx_core::{Error, ErrorKind, Header, Idx, IdxRecord, Records};

const _: () = assert!(usize::BITS == 16, "build it for msp430-none-elf");

/// 65,536 elements of one byte: truncated to 16 bits that is 0, and the file would be complete.
const ELEMENTS: &[u8] = &[0, 0, 0x08, 1, 0, 1, 0, 0];
/// 65,537 elements, but the file has one: truncated to 16 bits it would be complete.
const ONE_MORE: &[u8] = &[0, 0, 0x08, 1, 0, 1, 0, 1, 7];
/// 8,193 elements of 8 bytes are 65,544: each number fits, their product does not.
const PRODUCT: &[u8] = &[0, 0, 0x0E, 1, 0, 0, 0x20, 0x01, 0, 0, 0, 0, 0, 0, 0, 0];
/// 65,536 records of no bytes: the payload fits, their number does not.
const RECORDS: &[u8] = &[0, 0, 0x08, 2, 0, 1, 0, 0, 0, 0, 0, 0];
/// 65,535 elements, but the file has one: the largest number that fits.
const LARGEST: &[u8] = &[0, 0, 0x08, 1, 0, 0, 0xFF, 0xFF, 7];
/// 65,535 records of no bytes: a whole file.
const LARGEST_COUNT: &[u8] = &[0, 0, 0x08, 2, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0];

/// Returns whether a view, typed or not, refuses the file because of this number.
const fn refuses<T: IdxRecord>(bytes: &[u8], number: u64) -> bool {
    is_unaddressable(Idx::parse(bytes), number)
        && is_unaddressable(Records::<T>::parse(bytes), number)
        && is_unaddressable(Records::<T>::parse_prefix(bytes), number)
}

const fn is_unaddressable<T: Copy>(parsed: Result<T, Error>, number: u64) -> bool {
    match parsed {
        Ok(_) => false,
        Err(error) => {
            matches!(error.kind(), ErrorKind::Unaddressable { size } if size == number)
        }
    }
}

/// Returns whether it is truncated after one of 65,535 bytes.
const fn is_truncated<T: Copy>(parsed: Result<T, Error>) -> bool {
    let Err(error) = parsed else {
        return false;
    };
    matches!(error.kind(), ErrorKind::Truncated { needed: 65_535, found: 1 })
}

const _: () = assert!(refuses::<u8>(ELEMENTS, 65_536));
const _: () = assert!(refuses::<u8>(ONE_MORE, 65_537));
const _: () = assert!(refuses::<f64>(PRODUCT, 65_544));
const _: () = assert!(refuses::<[u8; 0]>(RECORDS, 65_536));

// A number that fits is not an error: the file is read, or found truncated.
const _: () = assert!(is_truncated(Idx::parse(LARGEST)));
const _: () = assert!(is_truncated(Records::<u8>::parse(LARGEST)));
const _: () = assert!(matches!(Idx::parse(LARGEST_COUNT), Ok(idx) if idx.len() == 65_535));
const _: () = assert!(matches!(
    Records::<[u8; 0]>::parse(LARGEST_COUNT),
    Ok(records) if records.len() == 65_535
));

// A header says its numbers in full: they have 32 and 64 bits on every machine.
const _: () = assert!(matches!(
    Header::parse(PRODUCT),
    Ok((header, _)) if header.record_count() == 8_193 && header.payload_size() == 65_544
));
