//! Drawn digits in flash, shown over the debug probe; the LED blinks as often as the digit says.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use defmt::println;
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_rp::gpio::{Level, Output};
use embassy_time::Timer;
use idx_core::{IdxRecord, Records};
use panic_probe as _;

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

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let board = embassy_rp::init(Default::default());
    let mut led = Output::new(board.PIN_25, Level::Low);
    loop {
        for (digit, label) in DIGITS.as_slice().iter().zip(LABELS.as_slice()).take(10) {
            draw(*label, digit);
            for _ in 0..label.0 {
                led.set_high();
                Timer::after_millis(150).await;
                led.set_low();
                Timer::after_millis(150).await;
            }
            Timer::after_secs(1).await;
        }
    }
}

fn draw(label: Label, digit: &Digit) {
    println!("{=u8}", label.0);
    // Two rows per line, since characters are about twice as tall as wide.
    for row in digit.0.iter().step_by(2) {
        let line = row.map(|pixel| b" .+#"[usize::from(pixel / 64)]);
        println!("{=str}", str::from_utf8(&line).unwrap_or_default());
    }
}
