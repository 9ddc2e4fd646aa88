//! Every parser on every input of a bounded set, some 25 million, compared with an oracle that is written only
//! from the description of the format.

use std::array;

use idx_core::stream::RecordDecoder;
use idx_core::{ElementType, Error, ErrorKind, Header, Idx, IdxRecord, Records};

// The oracle

fn element(code: u8) -> Option<(ElementType, u128)> {
    Some(match code {
        8 => (ElementType::U8, 1),
        9 => (ElementType::I8, 1),
        11 => (ElementType::I16, 2),
        12 => (ElementType::I32, 4),
        13 => (ElementType::F32, 4),
        14 => (ElementType::F64, 8),
        _ => return None,
    })
}

/// Size `dimension` of a header that has it.
fn size(bytes: &[u8], dimension: usize) -> u32 {
    let word = &bytes[4 + 4 * dimension..8 + 4 * dimension];
    u32::from_be_bytes(word.try_into().unwrap())
}

/// The size of the payload.
fn header(bytes: &[u8]) -> Result<u64, ErrorKind> {
    let found = bytes.len();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    match (found, at(0), at(1)) {
        (0, ..) => return Err(ErrorKind::Empty),
        (_, 0x1F, 0x8B) => return Err(ErrorKind::Gzip),
        (_, 0, 0) => {}
        _ => {
            return Err(ErrorKind::NotIdx { start: [at(0), at(1), at(2), at(3)] });
        }
    }
    if found < 3 {
        return Err(ErrorKind::HeaderTruncated { needed: 4, found });
    }
    let (_, element_size) = element(at(2)).ok_or(ErrorKind::UnknownElementType { code: at(2) })?;
    let rank = usize::from(at(3));
    let needed = 4 + 4 * rank;
    if found < 4 || found < needed {
        return Err(ErrorKind::HeaderTruncated { needed, found });
    }
    if (0..rank).any(|dimension| size(bytes, dimension) == 0) {
        return Ok(0);
    }
    let mut payload = element_size;
    for dimension in 0..rank {
        let size = size(bytes, dimension);
        payload *= u128::from(size);
        if payload > u128::from(u64::MAX) {
            return Err(ErrorKind::TooLarge { dimension, size });
        }
    }
    Ok(u64::try_from(payload).unwrap())
}

/// The size of the payload of a file that ends with it, or of one that something may follow. Only a stream can be longer
/// than the memory of this machine.
fn file(bytes: &[u8], is_prefix: bool, is_stream: bool) -> Result<u64, ErrorKind> {
    let needed = header(bytes)?;
    if usize::try_from(needed).is_err() && !is_stream {
        return Err(ErrorKind::Unaddressable { size: needed });
    }
    let header_size = 4 + 4 * u64::from(bytes[3]);
    let found = bytes.len() as u64 - header_size;
    if found < needed {
        Err(ErrorKind::Truncated { needed, found })
    } else if found > needed && !is_prefix {
        Err(ErrorKind::TrailingBytes { offset: header_size + needed, count: found - needed })
    } else {
        Ok(needed)
    }
}

/// The number of records of a type. A stream compares a size before it knows whether the next one comes.
fn records<T: IdxRecord>(bytes: &[u8], is_prefix: bool, is_stream: bool) -> Result<u64, ErrorKind> {
    let found = bytes.len();
    match found {
        0 => return Err(ErrorKind::Empty),
        1..4 => return Err(ErrorKind::HeaderTruncated { needed: 4, found }),
        _ => {}
    }
    match header(&bytes[..4]) {
        Ok(_) | Err(ErrorKind::HeaderTruncated { .. }) => {}
        Err(error) => return Err(error),
    }
    let (found_type, _) = element(bytes[2]).unwrap();
    if found_type != T::ELEMENT {
        return Err(ErrorKind::ElementMismatch { expected: T::ELEMENT, found: found_type });
    }
    let rank = usize::from(bytes[3]);
    if rank != T::SHAPE.len() + 1 && !(rank == 0 && T::SHAPE.is_empty()) {
        return Err(ErrorKind::RankMismatch { expected: T::SHAPE.len() + 1, found: rank });
    }
    let needed = 4 + 4 * rank;
    let truncated = ErrorKind::HeaderTruncated { needed, found };
    if found < needed && !is_stream {
        return Err(truncated);
    }
    for (dimension, expected) in (1..).zip(T::SHAPE) {
        if found < 8 + 4 * dimension {
            return Err(truncated);
        }
        if size(bytes, dimension) != *expected {
            return Err(ErrorKind::ShapeMismatch {
                dimension,
                expected: *expected,
                found: size(bytes, dimension),
            });
        }
    }
    if found < needed {
        return Err(truncated);
    }
    file(bytes, is_prefix, is_stream)?;
    Ok(if rank == 0 { 1 } else { size(bytes, 0).into() })
}

// The comparison

fn is_same(answer: Result<u64, Error>, expected: Result<u64, ErrorKind>, bytes: &[u8]) {
    let answer = answer.map_err(|error| error.kind());
    assert!(answer == expected, "{bytes:02X?}: {answer:?}, expected {expected:?}");
}

fn check(bytes: &[u8]) {
    check_untyped(bytes);
    check_records::<u8>(bytes);
    check_records::<i16>(bytes);
    check_records::<[u8; 1]>(bytes);
    check_records::<[[u8; 2]; 1]>(bytes);
    check_records::<[[u8; 0]; 1]>(bytes);
    check_stream::<u8, 1>(bytes);
    check_stream::<[u8; 1], 1>(bytes);
    check_stream::<[[u8; 2]; 1], 2>(bytes);
}

fn check_untyped(bytes: &[u8]) {
    let parsed = Header::parse(bytes).map(|(header, _)| header.payload_size());
    is_same(parsed, header(bytes), bytes);
    let parsed = Idx::parse(bytes).map(|idx| idx.header().payload_size());
    is_same(parsed, file(bytes, false, false), bytes);
    let parsed = Idx::parse_prefix(bytes).map(|(idx, _)| idx.header().payload_size());
    is_same(parsed, file(bytes, true, false), bytes);
}

fn check_records<T: IdxRecord>(bytes: &[u8]) {
    let parsed = Records::<T>::parse(bytes).inspect(|records| {
        assert!(records.get(records.len()).is_none());
        if T::SIZE > 0 {
            assert_eq!(records.iter().count(), records.len());
        }
    });
    let parsed = parsed.map(|records| records.len() as u64);
    is_same(parsed, records::<T>(bytes, false, false), bytes);
    let prefix = Records::<T>::parse_prefix(bytes).map(|(records, _)| records.len() as u64);
    is_same(prefix, records::<T>(bytes, true, false), bytes);
}

fn check_stream<T: IdxRecord, const N: usize>(bytes: &[u8]) {
    let mut decoder = RecordDecoder::<T, N>::new();
    let mut rest = bytes;
    let end = loop {
        match decoder.push_bytes(&mut rest) {
            Ok(Some(_)) => {}
            Ok(None) => break decoder.finish(),
            Err(error) => break Err(error),
        }
    };
    let count = end.map(|()| u64::from(decoder.records_read()));
    is_same(count, records::<T>(bytes, false, true), bytes);
}

// The inputs

/// So few bytes end before a typed parse compares anything with the record type, so one type is enough.
fn of_three_bytes(firsts: impl Iterator<Item = u8>, lasts: &[u8]) {
    for first in firsts {
        for middle in 0..=255 {
            for last in lasts {
                let bytes = [first, middle, *last];
                check_untyped(&bytes);
                check_records::<u8>(&bytes);
            }
        }
    }
}

#[test]
fn all_of_up_to_two_bytes_and_more_of_three() {
    let check = |bytes: &[u8]| {
        check_untyped(bytes);
        check_records::<u8>(bytes);
        check_stream::<u8, 1>(bytes);
    };
    check(&[]);
    for last in 0..=255 {
        check(&[last]);
        for middle in 0..=255 {
            check(&[middle, last]);
        }
    }
    of_three_bytes([0, 0x1F].into_iter(), &array::from_fn::<_, 256, _>(|byte| byte as u8));
    of_three_bytes(0..=255, &[0, 8, 14, 0xFF]);
}

#[test]
#[ignore = "seventeen million inputs; `.ci/full` runs it"]
fn all_of_three_bytes() {
    of_three_bytes(0..=255, &array::from_fn::<_, 256, _>(|byte| byte as u8));
}

#[test]
fn four_bytes() {
    let starts = [[0, 0], [1, 0], [0, 1], [0x1F, 0x8B], [0x8B, 0x1F], [0xFF; 2]];
    for [first, second] in starts {
        for (code, rank) in (0..=255).flat_map(|code| (0..=255).map(move |rank| (code, rank))) {
            check(&[first, second, code, rank]);
        }
    }
}

#[test]
fn all_over_small_alphabets() {
    all_over::<5>(&[0, 1, 2, 8, 9, 11, 14, 0x1F, 0x8B, 0xFF]);
    all_over::<6>(&[0, 1, 2, 8, 14, 0xFF]);
    all_over::<7>(&[0, 1, 2, 8, 0xFF]);
    all_over::<8>(&[0, 1, 2, 8, 0xFF]);
    all_over::<9>(&[0, 1, 2, 8]);
    all_over::<12>(&[0, 1, 8]);
}

#[test]
#[ignore = "seven million inputs; `.ci/full` runs it"]
fn all_over_larger_alphabets() {
    all_over::<5>(&[0, 1, 2, 8, 9, 11, 14, 10, 0x1F, 0x8B, 0x80, 0xFF]);
    all_over::<6>(&[0, 1, 2, 8, 9, 11, 14, 0x80, 0xFF]);
    all_over::<7>(&[0, 1, 2, 8, 11, 14, 0xFF]);
    all_over::<8>(&[0, 1, 2, 8, 11, 0xFF]);
    all_over::<9>(&[0, 1, 2, 8, 11]);
    all_over::<10>(&[0, 1, 2, 8]);
    all_over::<12>(&[0, 1, 2]);
}

fn all_over<const N: usize>(alphabet: &[u8]) {
    let mut digits = [0; N];
    loop {
        check(&digits.map(|digit: usize| alphabet[digit]));
        let Some(next) = digits.iter().rposition(|digit| digit + 1 < alphabet.len()) else {
            return;
        };
        digits[next] += 1;
        digits[next + 1..].fill(0);
    }
}

/// Headers of rank 0 to 4 with these sizes: truncated by up to three bytes, whole, and with up to three bytes
/// more.
#[test]
fn headers() {
    const SIZES: [u32; 11] =
        [0, 1, 2, 3, 255, 256, 65_535, 65_536, 0x7FFF_FFFF, 0x8000_0000, u32::MAX];
    for code in [8, 9, 11, 12, 13, 14] {
        for rank in 0..=4_u8 {
            for number in 0..SIZES.len().pow(rank.into()) {
                let mut bytes = vec![0, 0, code, rank];
                let mut number = number;
                for _ in 0..rank {
                    bytes.extend(SIZES[number % SIZES.len()].to_be_bytes());
                    number /= SIZES.len();
                }
                let end = bytes.len();
                bytes.extend([1; 3]);
                for len in end - 3..=bytes.len() {
                    check(&bytes[..len]);
                }
            }
        }
    }
}
