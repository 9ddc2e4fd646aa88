//! Checks of npy against a simple decoder.

use super::data::{Contents, contents, options, read_file};
use super::input::Input;

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array of NumPy has the numbers of its bytes, in C order and big-endian, and no byte is missing or left over;
/// the same plain and as gzip, from a file and from a stream, and if records are skipped.
///
/// Draws whether the array is compressed, and how many records are skipped. Input that does not start like an array is
/// used as one of version 1 without its first bytes.
///
/// # Panics
///
/// If not.
pub fn npy(input: &[u8]) {
    let mut input = Input::new(input);
    let (is_gzip, skipped) = (input.byte() & 1 == 1, u64::from(input.byte()));
    let rest = input.rest();
    let array = match rest.starts_with(MAGIC) {
        true => rest.to_vec(),
        false => [MAGIC, &[1, 0], rest].concat(),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("array.npy");
    let bytes = if is_gzip { crate::gzip(&array) } else { array.clone() };
    std::fs::write(&path, bytes).expect("a file");
    let Some(found) = read_file(&path, &options()) else {
        return;
    };
    if found.layout.record_size() == Some(0) {
        return; // a header can claim any number of them
    }
    let expected = expected(&array, &found);
    let records = found.records.iter().map(|record| &record.bytes);
    assert!(records.eq(&expected[..found.records.len()]));
    assert!(found.is_damaged || expected.len() == found.records.len());
    let behind = contents(options().open(&path), skipped).expect("it was opened before");
    let left = found.records.get(skipped as usize..).unwrap_or_default();
    assert!(found.is_damaged || behind == Contents { records: left.to_vec(), ..found });
}

/// The records of an array whose header was accepted, as far as all their numbers are there.
fn expected(array: &[u8], found: &Contents) -> Vec<Vec<u8>> {
    let text = match array[6] {
        1 => 10..10 + usize::from(u16::from_le_bytes([array[8], array[9]])),
        _ => {
            let length: [u8; 4] = array[8..12].try_into().expect("four bytes");
            12..12 + u32::from_le_bytes(length) as usize
        }
    };
    let payload = &array[text.end..];
    let text = std::str::from_utf8(&array[text]).expect("a text");
    // The last entry of a name counts.
    let value = |name: &str| {
        let (_, value) = text.rsplit_once(name).expect("an entry");
        value[1..].trim_start().strip_prefix(':').expect("a value").trim_start()
    };
    let descr = value("descr").trim_start_matches(['\'', '"']);
    let (order, name) = (&descr[..1], &descr[1..3]);
    let size = usize::from(name.as_bytes()[1] - b'0');
    let (sizes, _) = value("shape")[1..].split_once(')').expect("sizes");
    let sizes = sizes.split(',').map(|size| size.trim().trim_end_matches('L'));
    let shape: Vec<usize> =
        sizes.filter(|size| !size.is_empty()).map(|size| size.parse().expect("a size")).collect();
    let is_fortran = value("fortran_order").starts_with("True");

    let number = |position: usize| {
        let mut bytes = payload.get(position * size..(position + 1) * size)?.to_vec();
        if order == "<" {
            bytes.reverse();
        }
        Some(bytes)
    };
    let length: usize = shape.iter().skip(1).product();
    let count = shape.first().copied().unwrap_or(1);
    let mut records = vec![];
    for record in 0..count {
        let positions = (0..length).map(|element| match is_fortran {
            true => fortran(record * length + element, &shape),
            false => record * length + element,
        });
        let Some(numbers) = positions.map(number).collect::<Option<Vec<_>>>() else {
            assert!(found.is_damaged, "numbers are missing");
            break;
        };
        records.push(converted(name, &numbers.concat()));
    }
    assert!(found.is_damaged || payload.len() == count * length * size, "bytes are left over");
    records
}

/// Returns the position in Fortran order of the number at this position in C order.
fn fortran(mut position: usize, shape: &[usize]) -> usize {
    let mut indices: Vec<usize> = vec![];
    for size in shape.iter().rev() {
        indices.push(position % size);
        position /= size;
    }
    // The last dimension counts most.
    let dimensions = indices.iter().zip(shape.iter().rev());
    dimensions.fold(0, |position, (index, size)| position * size + index)
}

/// Numbers of a type that IDX does not have are read as they are, except 16-bit fractions, which are read as f32.
fn converted(name: &str, numbers: &[u8]) -> Vec<u8> {
    if name != "f2" {
        return numbers.to_vec();
    }
    let numbers = numbers.as_chunks().0.iter().map(|bits| half(u16::from_be_bytes(*bits)));
    numbers.flat_map(f32::to_be_bytes).collect()
}

/// The number with these bits: a sign, 5 bits of an exponent, and 10 of a fraction.
fn half(bits: u16) -> f32 {
    let fraction = f32::from(bits & 0x3FF) / 1024.0;
    let number = match i32::from(bits >> 10 & 0x1F) {
        0 => fraction * 2f32.powi(-14),
        31 if bits & 0x3FF == 0 => f32::INFINITY,
        31 => f32::NAN,
        exponent => (1.0 + fraction) * 2f32.powi(exponent - 15),
    };
    if bits & 0x8000 == 0 { number } else { -number }
}
