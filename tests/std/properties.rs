//! Properties of all files: of any element type and shape, truncated anywhere, with any byte of the header
//! changed. The checks are those of the fuzzers, which compare with a reference.
//!
//! `PROPTEST_CASES` sets the number of cases of each property. A case that fails is kept in
//! `tests/regressions/properties.txt`, and tried first from then on.

use idx_core::{ElementType, ErrorKind, Idx};
use idx_std::{IdxBuf, Reader};
use idx_tests::checks::reference::{File, whole};
use idx_tests::checks::{
    Array, agreement, csv, gzip_damage, header, prefix, records, round_trip_of, seek, storage,
    stream_in_pieces,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The most elements of an array.
const MOST_ELEMENTS: usize = 400;

/// Sizes of rank 0 to 8, zeros among them, of few elements.
fn sizes() -> impl Strategy<Value = Vec<u32>> {
    let size = prop_oneof![1 => Just(0u32), 6 => 1u32..4, 1 => 4u32..100];
    vec(size, 0..=8).prop_map(|mut sizes| {
        // The last sizes that would make it too long are 1.
        let mut elements = 1;
        for size in &mut sizes {
            if elements * (*size as usize) > MOST_ELEMENTS {
                *size = 1;
            }
            elements *= *size as usize;
        }
        sizes
    })
}

/// Any array.
fn array() -> impl Strategy<Value = Array> {
    let element_type = select(&ElementType::ALL[..]);
    (element_type, sizes()).prop_flat_map(|(element_type, sizes)| {
        let elements = sizes.iter().product::<u32>() as usize;
        // Small values as well, which labels allow.
        let byte = prop_oneof![any::<u8>(), 0u8..4];
        vec(byte, elements * element_type.size()).prop_map(move |payload| Array {
            element_type,
            sizes: sizes.clone(),
            payload,
        })
    })
}

/// Starts of arbitrary bytes, so that they get past the first checks.
const STARTS: &[&[u8]] = &[&[], &[0, 0], &[0, 0, 0x08], &[0, 0, 0x0C, 2], &[0x1F, 0x8B]];

/// A good file with one byte changed in its header.
fn changed_header() -> impl Strategy<Value = Vec<u8>> {
    (array(), any::<prop::sample::Index>(), 1u8..).prop_map(|(array, offset, change)| {
        let mut file = array.file();
        let header_size = 4 + 4 * array.sizes.len();
        file[offset.index(header_size)] ^= change;
        file
    })
}

/// Runs the checks on a file, with three or more bytes that say where it is cut and how it is placed in flash.
fn check(file: &[u8], lengths: &[u8]) {
    header(file);
    records(file);
    prefix(file);
    agreement(file);
    stream_in_pieces(file, lengths);
    storage(&[&lengths[..3], file].concat());
}

proptest! {
    #![proptest_config(crate::cases::config())]

    #[test]
    fn arrays_are_read_as_they_were_written(array in array(), level in 0u32..=9) {
        round_trip_of(&array, level);
    }

    #[test]
    fn good_files_are_accepted_wherever_they_are_cut_into_pieces(
        array in array(),
        lengths in vec(any::<u8>(), 3..6),
    ) {
        let file = array.file();
        let idx = Idx::parse(&file).unwrap();
        prop_assert_eq!(idx.header().element_type(), array.element_type);
        prop_assert!(idx.header().dims().iter().eq(array.sizes.iter().copied()));
        prop_assert_eq!(idx.payload(), &array.payload[..]);
        check(&file, &lengths);
    }

    /// A cut file is never accepted, and all readers report the same.
    #[test]
    fn cut_files_are_refused(array in array(), end in any::<prop::sample::Index>()) {
        let file = array.file();
        let cut = &file[..end.index(file.len())];
        let error = Idx::parse(cut).unwrap_err();
        let expected = match cut.len() {
            0 => ErrorKind::Empty,
            found @ 1..4 => ErrorKind::HeaderTruncated { needed: 4, found },
            found => {
                let needed = 4 + 4 * array.sizes.len();
                match found.checked_sub(needed) {
                    None => ErrorKind::HeaderTruncated { needed, found },
                    Some(found) => ErrorKind::Truncated {
                        needed: array.payload.len() as u64,
                        found: found as u64,
                    },
                }
            }
        };
        prop_assert_eq!(error, expected);
        check(cut, &[1, 2, 3]);
    }

    /// A file with bytes left over is never accepted either.
    #[test]
    fn files_with_bytes_left_over_are_refused(array in array(), more in vec(any::<u8>(), 1..20)) {
        let file = array.file();
        let error = Idx::parse(&[&file[..], &more].concat()).unwrap_err();
        let (offset, count) = (file.len() as u64, more.len() as u64);
        prop_assert_eq!(error, ErrorKind::TrailingBytes { offset, count });
        check(&[&file[..], &more].concat(), &[4, 0, 9]);
    }

    /// A file that is accepted has what the changed header says.
    #[test]
    fn one_changed_byte_of_the_header(file in changed_header(), lengths in vec(any::<u8>(), 3..6)) {
        check(&file, &lengths);
    }

    #[test]
    fn any_bytes(start in select(STARTS), rest in vec(any::<u8>(), 0..60)) {
        let bytes = [start, &rest[..]].concat();
        check(&bytes, &[3, 1, 4]);
    }

    #[test]
    fn records_that_are_gone_to(array in array(), indices in vec(0u8..8, 5)) {
        seek(&[&[5], &indices[..], &array.file()].concat());
    }

    #[test]
    fn damaged_gzip(array in array(), damage in any::<[u8; 4]>(), cut in 0u8..40) {
        gzip_damage(&[&damage[..], &[cut], &array.file()].concat());
    }

    #[test]
    fn lines_of_csv(way in any::<[u8; 2]>(), lengths in vec(0u8..9, 2), text in vec(select(PARTS), 0..40)) {
        csv(&[&way[..], &[2], &lengths, text.concat().as_bytes()].concat());
    }
}

/// Parts of a text of numbers, and of a text that is not a number.
const PARTS: &[&str] = &[
    "0",
    "7",
    "255",
    "-3",
    "1.5",
    "1e2",
    "1e-400",
    "9007199254740993",
    "nan",
    "a",
    "b",
    ",",
    ",",
    ",",
    "\"",
    "\"\"",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\u{FEFF}",
];

/// Tries every value for each byte of the header of an empty file. Most values of the sizes are accepted.
#[test]
fn every_byte_of_a_header_with_every_value() {
    let good = Array { element_type: ElementType::I16, sizes: vec![2, 0, 3], payload: vec![] };
    let mut file = good.file();
    let mut successes = 0;
    for offset in 0..file.len() {
        let good = file[offset];
        for value in 0..=u8::MAX {
            file[offset] = value;
            header(&file);
            let expected = whole(&file).is_ok();
            assert_eq!(IdxBuf::from_bytes(&file[..]).is_ok(), expected);
            assert_eq!(Reader::new(&file[..]).is_ok(), File::parse(&file).is_ok());
            successes += usize::from(expected && value != good);
        }
        file[offset] = good;
    }
    // Accepted are the five other element types, and any value in the eight bytes of the sizes that are not 0.
    assert_eq!(successes, 5 + 8 * 255);
}
