use std::hint::black_box;

use idx_bench::data::{Data, Digit};
use idx_std::{Error, IdxBuf, IdxRecord, be};

use crate::limits::sum_words;
use crate::rounds::Group;

/// Big-endian to native, by what the library offers to those who have the file in memory.
pub(crate) fn swap(_: &Data, rounds: usize) -> Result<(), Error> {
    // A macro, as each of the four types has a `be` type of its own.
    macro_rules! swap {
        ($($element:ident $big_endian:ident),+) => {$({
            const LENGTH: usize = (256 << 20) / size_of::<$element>();
            const BORROWED: &str = "borrowed `be` elements, each `get`";
            const BY_VALUE: &str = "`elements`, by value";
            let mut file = vec![0, 0, <$element as IdxRecord>::ELEMENT.code(), 1];
            file.extend((LENGTH as u32).to_be_bytes());
            file.extend((0..LENGTH).flat_map(|value| (value as i16 as $element).to_be_bytes()));
            let buffer = IdxBuf::from_bytes(file)?;
            let payload = buffer.as_idx().payload();
            let borrowed = buffer.records::<be::$big_endian>()?.as_slice();
            let elements = buffer.as_idx().elements::<$element>().expect("of this type");
            let mut copy = payload.to_vec();
            let mut native = buffer.to_vec::<$element>()?;
            let mut also_native = native.clone();

            let title = concat!("swap: 256 MiB of ", stringify!($element));
            Group::new(format!("{title}, big-endian to native, warm memory to warm memory"))
                .case("memcpy", || copy.copy_from_slice(payload))
                .case(BORROWED, || {
                    for (native, element) in native.iter_mut().zip(borrowed) {
                        *native = element.get();
                    }
                })
                .case(BY_VALUE, || {
                    for (native, element) in also_native.iter_mut().zip(elements.iter()) {
                        *native = element;
                    }
                })
                .try_case("`to_vec`, fresh memory", || buffer.to_vec::<$element>())
                // At least 0.95 of the speed.
                .target(BORROWED, 1.05, "memcpy")
                .target(BY_VALUE, 1.05, "memcpy")
                .run(rounds);
        })+};
    }
    swap!(i16 I16, i32 I32, f32 F32, f64 F64);
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
        .case("the bare loop: chunks of 784 bytes", || {
            raw().map(sum_pixels).sum::<u64>()
        })
        .case(BORROWED, || digits.as_slice().iter().map(ink).sum::<u64>())
        .case("records by value, `iter`", || {
            digits.iter().map(|digit| ink(&digit)).sum::<u64>()
        })
        .case("records by value, `get`", || {
            let each = all.clone().filter_map(|index| digits.get(index));
            each.map(|digit| ink(&digit)).sum::<u64>()
        })
        // At least 0.55 of the speed.
        .target(BORROWED, 1.82, LIMIT)
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
    // As many as stay in the processor's cache.
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
