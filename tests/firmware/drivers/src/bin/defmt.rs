//! Sends an error over defmt: the target sends a few bytes, and the host has the text.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::hint::black_box;

// It provides the critical section that the logger needs.
use cortex_m as _;
use cortex_m_rt::entry;
use defmt_semihosting as _;
use idx_core::{Header, Records, be};
use semihosting::process;

/// One byte is missing.
static TRUNCATED: [u8; 11] = [0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3];

#[entry]
fn main() -> ! {
    let file = black_box(&TRUNCATED);
    if let Err(error) = Records::<u8>::parse(file) {
        defmt::error!("labels: {}", error);
    }
    if let Ok((header, _)) = Header::parse(file) {
        defmt::println!("{} of {}", header.dims(), header.element_type());
    }
    defmt::println!("{}", be::I16::new(-7));
    process::exit(0)
}
