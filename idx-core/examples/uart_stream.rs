//! Reads records from a line that delivers a few bytes at a time, with memory for one record.
//!
//!     cargo run -p idx-core --example uart_stream --features embedded-io-v0.7

use core::convert::Infallible;

use embedded_io::{ErrorType, Read};
use idx_core::IdxRecord;
use idx_core::stream::{ReadError, RecordDecoder};

/// A step of a motor; a position outside the range ends the stream with an error.
#[derive(IdxRecord, Debug, PartialEq)]
struct Step {
    #[idx(range = 0..=4095)]
    position: i16,
    milliseconds: i16,
}

/// Receives a file from any reader, and passes each record on as soon as its last byte has arrived.
fn receive<R: Read>(
    line: &mut R,
    mut execute: impl FnMut(Step),
) -> Result<u32, ReadError<R::Error>> {
    let mut decoder = RecordDecoder::<Step, { Step::SIZE }>::new();
    // No byte beyond the last record is read, so the next message on the line is not lost. Do not call
    // `read_to_end` here: the line never ends.
    while let Some(step) = decoder.read(line)? {
        execute(step);
    }
    Ok(decoder.records_read())
}

fn main() -> Result<(), ReadError<Infallible>> {
    let mut uart = Uart {
        sent: &[
            0, 0, 0x0B, 2, 0, 0, 0, 3, 0, 0, 0, 2, // i16, 3 records of 2
            0, 100, 0, 20, //
            0x0F, 0xFF, 0, 5, // 4095, 5
            0, 0, 1, 0,    // 0, 256
            b'!', // the next message
        ],
        piece: 0,
    };
    let mut positions = heapless::Vec::<i16, 8>::new();
    let count = receive(&mut uart, |step| {
        println!("to {} in {} ms", step.position, step.milliseconds);
        // It has room for eight.
        let _ = positions.push(step.position);
    })?;
    assert_eq!(count, 3);
    assert_eq!(positions, [100, 4095, 0]);
    assert_eq!(uart.sent, b"!");
    Ok(())
}

/// Stands in for the driver of a UART: it returns the bytes that have arrived, 1 to 3.
struct Uart<'a> {
    sent: &'a [u8],
    piece: usize,
}

impl ErrorType for Uart<'_> {
    type Error = Infallible;
}

impl Read for Uart<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        self.piece = self.piece % 3 + 1;
        let count = self.piece.min(bytes.len());
        match bytes.get_mut(..count) {
            Some(bytes) => self.sent.read(bytes),
            None => Ok(0),
        }
    }
}
