//! Drawn digits in flash: checked by the compiler, borrowed in place, drawn in the terminal.

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

/// The class of a digit.
#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Label(#[idx(range = 0..=9)] u8);

/// The project's sample. A file that does not hold such digits does not compile.
static DIGITS: Records<Digit> =
    Records::from_static(include_bytes!("../../idx/idx-cli/sample/digits-images-idx3-ubyte"));
static LABELS: Records<Label> =
    Records::from_static(include_bytes!("../../idx/idx-cli/sample/digits-labels-idx1-ubyte"));

#[entry]
fn main() -> ! {
    for (digit, label) in DIGITS.as_slice().iter().zip(LABELS.as_slice()).take(10) {
        println!("{}", label.0);
        // Two rows per line, since characters are about twice as tall as wide.
        for row in digit.0.iter().step_by(2) {
            for pixel in row {
                print!("{}", [' ', '.', '+', '#'][usize::from(pixel / 64)]);
            }
            println!();
        }
    }
    process::exit(0)
}
