//! Ten handwritten digits in flash: checked by the compiler, borrowed where they lie, drawn in the terminal.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use cortex_m_rt::entry;
use idx_core::{IdxRecord, Records};
use semihosting::{print, println, process};

/// 0 is the background, 255 the ink.
#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

/// A file that does not hold such digits does not compile.
static DIGITS: Records<Digit> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/digits")));

#[entry]
fn main() -> ! {
    for (label, digit) in DIGITS.as_slice().iter().enumerate() {
        println!("{label}");
        // Two rows in a line, as characters are twice as high as wide.
        for row in digit.0.iter().step_by(2) {
            for pixel in row {
                print!("{}", [' ', '.', '+', '#'][usize::from(pixel / 64)]);
            }
            println!();
        }
    }
    process::exit(0)
}
