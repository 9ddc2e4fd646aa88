//! Shows the firmware's half: a hundred digits and their labels in flash, cut by `build.rs` when the
//! program is built, and checked by the compiler.

#![no_std]
#![forbid(unsafe_code)]

use idx_core::{IdxRecord, Records};

/// A picture: 0 is the background, 255 the ink.
#[derive(IdxRecord, Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Digit(pub [[u8; 28]; 28]);

/// Which digit it is.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(#[idx(range = 0..=9)] pub u8);

/// The pictures, ten of each digit.
pub static DIGITS: Records<Digit> = Records::from_static(include_bytes!(concat!(
    env!("OUT_DIR"),
    "/digits-images-idx3-ubyte"
)));

/// Their labels.
pub static LABELS: Records<Label> = Records::from_static(include_bytes!(concat!(
    env!("OUT_DIR"),
    "/digits-labels-idx1-ubyte"
)));

// They belong together; the compiler sees to that as well.
const _: () = assert!(DIGITS.len() == LABELS.len());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_of_each_digit() {
        let mut counts = [0; 10];
        for (digit, label) in DIGITS.as_slice().iter().zip(&LABELS) {
            counts[usize::from(label.0)] += 1;
            let ink = digit.0.as_flattened().iter().filter(|pixel| **pixel > 127);
            assert!((10..400).contains(&ink.count()), "this is no digit");
        }
        assert_eq!(counts, [10; 10]);
    }
}
