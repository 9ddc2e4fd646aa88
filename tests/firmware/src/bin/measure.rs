//! One use of idx-core at a time, for the size report: `size` sets `IDX_MEASURE` to its name, and
//! compares the program with the one for "nothing".

#![no_std]
#![no_main]
#![forbid(unsafe_code)]
#![allow(
    dead_code,
    unused_imports,
    reason = "each build has one use of what is here"
)]

use core::hint::black_box;

use firmware::Outcome;
use idx_core::{Error, Header, IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord)]
struct Acceleration {
    x: i16,
    y: i16,
    z: i16,
}

type File = &'static [u8];

static DIGITS: File = include_bytes!(concat!(env!("OUT_DIR"), "/images"));
static DIGITS_VIEW: Records<Digit> = Records::from_static(DIGITS);

/// Five records.
static ACCELERATIONS: File = &[
    0, 0, 0x0B, 2, 0, 0, 0, 5, 0, 0, 0, 3, //
    0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, //
    1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0,
];

/// Each use is a function of its own; `size` follows it from its first instruction to its return.
macro_rules! measured {
    ($($name:literal: |$file:pat_param, $index:pat_param| -> $answer:ty $use:block)+) => {$(
        #[cfg(measure = $name)]
        #[inline(never)]
        fn measured($file: File, $index: usize) -> $answer $use
    )+};
}

measured! {
    "nothing": |file, _| -> File { file }
    "view of a static": |_, _| -> &'static [Digit] { DIGITS_VIEW.as_slice() }
    "open, is_ok": |file, _| -> bool { Records::<Digit>::parse(file).is_ok() }
    "open, error handed on": |file, _| -> Result<Records<'static, Digit>, Error> {
        Records::parse(file)
    }
    "header of any file": |file, _| -> Option<u64> {
        let (header, _) = Header::parse(file).ok()?;
        Some(header.payload_size())
    }
    "get from a static": |_, index| -> Option<File> { DIGITS_VIEW.record_bytes(index) }
    "open and get": |file, index| -> Option<File> {
        Records::<Digit>::parse(file).ok()?.record_bytes(index)
    }
    "open and iterate 5 of 3 x i16": |file, _| -> i16 {
        let Ok(records) = Records::<Acceleration>::parse(file) else {
            return 0;
        };
        records.iter().fold(0, |sum, record| sum ^ record.x ^ record.y ^ record.z)
    }
}

firmware::program!(run);

fn run() -> Outcome {
    // All programs hold the same files, whether they use them or not.
    let (digits, accelerations) = (black_box(DIGITS), black_box(ACCELERATIONS));
    let file = if cfg!(measure = "open and iterate 5 of 3 x i16") {
        accelerations
    } else {
        digits
    };
    // The compiler knows neither what is called, nor the file, nor the index.
    let measured: fn(File, usize) -> _ = black_box(measured);
    let _ = black_box(measured(file, black_box(1)));
    Ok(())
}
