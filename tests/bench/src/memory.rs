//! Measures work on files that are already in memory.

use std::cell::RefCell;
use std::hint::black_box;

use bytemuck::{AnyBitPattern, NoUninit, cast_slice_mut};
use idx_bench::data::{Data, Digit};
use idx_std::{Element, Error, IdxBuf, IdxRecord, ZeroCopy, be};

use crate::limits::sum_words;
use crate::rounds::Group;

/// Converts big-endian to native with each function for files that are already in memory: with data that fits the first
/// cache of a processor, the second one, and neither.
pub(crate) fn swap(_: &Data, rounds: usize) -> Result<(), Error> {
    for (size, name) in [(16 << 10, "16 KiB"), (256 << 10, "256 KiB"), (256 << 20, "256 MiB")] {
        swap_typed::<i16, be::I16>(
            size,
            &format!("{name} of i16"),
            |n| n as i16,
            be::I16::get,
            rounds,
        )?;
        swap_typed::<i32, be::I32>(
            size,
            &format!("{name} of i32"),
            |n| n as i32,
            be::I32::get,
            rounds,
        )?;
        swap_typed::<f32, be::F32>(
            size,
            &format!("{name} of f32"),
            |n| n as f32,
            be::F32::get,
            rounds,
        )?;
        swap_typed::<f64, be::F64>(
            size,
            &format!("{name} of f64"),
            f64::from,
            be::F64::get,
            rounds,
        )?;
    }
    Ok(())
}

/// `size` bytes of native elements `E`, borrowed as `B`.
fn swap_typed<E: Element + Copy + NoUninit + AnyBitPattern, B: ZeroCopy>(
    size: usize,
    title: &str,
    element: fn(u16) -> E,
    get: impl Fn(B) -> E + Copy,
    rounds: usize,
) -> Result<(), Error> {
    const COPIED: &str = "`copy_into`";
    const WHOLE: usize = 256 << 20;
    let length = size / size_of::<E>();
    let mut file = vec![0, 0, E::ELEMENT.code(), 1];
    file.extend((length as u32).to_be_bytes());
    let values = (0..length).map(|index| element(index as u16));
    for value in values {
        let start = file.len();
        file.resize(start + E::SIZE, 0);
        value.encode(&mut file[start..]).expect("room for one");
    }
    let buffer = IdxBuf::from_bytes(file)?;
    let payload = buffer.as_idx().payload();
    let borrowed = buffer.records::<B>()?.as_slice();
    let elements = buffer.as_idx().elements::<E>().expect("of this type");
    // All cases share this memory, because its distance from the payload matters in the caches.
    let native = RefCell::new(buffer.to_vec::<E>()?);

    let repeat = (WHOLE / size).min(1000) as u32;
    Group::new(format!("swap: {title}, big-endian to native, warm memory to warm memory"))
        .repeat(repeat)
        .case("memcpy", || {
            cast_slice_mut(&mut native.borrow_mut()).copy_from_slice(black_box(payload));
        })
        .try_case(COPIED, || buffer.copy_into(&mut native.borrow_mut()))
        .case("borrowed `be` elements, each `get`", || {
            for (native, element) in native.borrow_mut().iter_mut().zip(black_box(borrowed)) {
                *native = get(*element);
            }
        })
        .case("`elements`, by value", || {
            for (native, element) in native.borrow_mut().iter_mut().zip(elements.iter()) {
                *native = element;
            }
        })
        .try_case("`to_vec`, fresh memory", || buffer.to_vec::<E>())
        .target(COPIED, 1.05, "memcpy")
        .run(rounds);
    Ok(())
}

pub(crate) fn sum(data: &Data, rounds: usize) -> Result<(), Error> {
    const LIMIT: &str = "the bytes in words of u64";
    const BORROWED: &str = "borrowed records, `as_slice`";
    let buffer = idx_std::open(data.images())?;
    let payload = buffer.as_idx().payload();
    let digits = buffer.records::<Digit>()?;
    let raw = || payload.chunks_exact(Digit::<u8>::SIZE);
    let all = 0..digits.len();
    Group::new("sum: all pixels of 47 MB in memory")
        .case(LIMIT, || sum_words(payload))
        .case("the bare loop: chunks of 784 bytes", || raw().map(sum_pixels).sum::<u64>())
        .case(BORROWED, || digits.as_slice().iter().map(ink).sum::<u64>())
        .case("records by value, `iter`", || digits.iter().map(|digit| ink(&digit)).sum::<u64>())
        .case("records by value, `get`", || {
            let each = all.clone().filter_map(|index| digits.get(index));
            each.map(|digit| ink(&digit)).sum::<u64>()
        })
        .target(BORROWED, 1.3, LIMIT)
        .run(rounds);
    Ok(())
}

fn ink(digit: &Digit) -> u64 {
    sum_pixels(digit.as_flattened())
}

fn sum_pixels(pixels: &[u8]) -> u64 {
    u64::from(pixels.iter().map(|pixel| u32::from(*pixel)).sum::<u32>())
}

pub(crate) fn record(data: &Data, rounds: usize) -> Result<(), Error> {
    // So few that they stay in the processor's cache.
    const COUNT: usize = 200;
    let buffer = idx_std::open(data.images())?;
    let payload = &buffer.as_idx().payload()[..COUNT * Digit::<u8>::SIZE];
    let records = || payload.chunks_exact(Digit::<u8>::SIZE);
    let digits: Vec<Digit> = records().filter_map(Digit::decode).collect();
    let mut bytes = [0; Digit::<u8>::SIZE];

    Group::new("record: 200 records of 784 bytes, to a value on the stack")
        .repeat(1000)
        .case("memcpy", || {
            for record in records() {
                let mut copy = [0; Digit::<u8>::SIZE];
                copy.copy_from_slice(record);
                black_box(&copy);
            }
        })
        .case("`decode`", || {
            for record in records() {
                black_box(&Digit::<u8>::decode(record));
            }
        })
        .target("`decode`", 1.0, "memcpy")
        .run(rounds);
    let mut copy = bytes;
    Group::new("record: 200 records of 784 bytes, from a value to bytes")
        .repeat(1000)
        .case("memcpy", || {
            for digit in &digits {
                copy.copy_from_slice(digit.as_flattened());
                black_box(&copy);
            }
        })
        .case("`encode`", || {
            for digit in &digits {
                black_box(digit.encode(&mut bytes));
                black_box(&bytes);
            }
        })
        .target("`encode`", 1.0, "memcpy")
        .run(rounds);
    Ok(())
}
