//! Shows the firmware's half: a hundred digits and their labels in flash, cut by `build.rs` when the
//! program is built, and checked by the compiler.

#![no_std]
#![forbid(unsafe_code)]

// `DIGITS` of `Digit` and `LABELS` of `Label`, as `build.rs` wrote them.
include!(concat!(env!("OUT_DIR"), "/data.rs"));

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
            assert!((10..400).contains(&ink.count()), "this is not a digit");
        }
        assert_eq!(counts, [10; 10]);
    }
}
