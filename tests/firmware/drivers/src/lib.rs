//! Digits from devices and on a display, and a log of measurements, with commonly used drivers.

#![no_std]
#![forbid(unsafe_code)]

pub mod display;
pub mod flash_chip;
pub mod sd_card;

use idx_core::IdxRecord;

/// 0 is the background, 255 the ink.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Digit(pub [[u8; 28]; 28]);

/// A measurement of a sensor.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    pub milliseconds: i32,
    pub millivolts: i32,
}
