//! Records from bytes that arrive in pieces, as from a UART or in the blocks of an SD card: with one record in RAM, and
//! the same result wherever the pieces are cut.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::convert::Infallible;

use firmware::{Outcome, ensure, print};
use idx_core::stream::{ReadError, RecordDecoder};
use idx_core::{ErrorKind, IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

/// The file that arrives in pieces.
static FILE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/images"));

/// The sum of each digit's pixels, as computed by the host.
static INK: Records<be::I32> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/ink")));

type Decoder = RecordDecoder<Digit, { Digit::SIZE }>;

firmware::program!(run);

fn run() -> Outcome {
    for size in [1, 7, 64, 512] {
        pushed(size)?;
        read(size)?;
    }
    cut()?;
    overrun()?;
    print!("{} digits in pieces of 1, 7, 64 and 512 bytes\n", INK.len());
    Ok(())
}

/// Pushes the pieces as they arrive.
fn pushed(size: usize) -> Outcome {
    let mut decoder = Decoder::new();
    let mut ink = INK.iter();
    let mut rest = FILE;
    while !rest.is_empty() {
        let (mut piece, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        rest = after;
        while let Some(digit) = decoder.push_bytes(&mut piece).map_err(|error| error.message())? {
            ensure(Some(sum(digit)) == ink.next(), "the ink of a digit differs from the host's")?;
        }
    }
    decoder.finish().map_err(|error| error.message())?;
    ensure(ink.next().is_none(), "digits are missing")
}

/// Lets the decoder read, at most `size` bytes at a time.
fn read(size: usize) -> Outcome {
    let mut decoder = Decoder::new();
    let mut uart = Uart { rest: FILE, size };
    let mut ink = INK.iter();
    let message = |error: ReadError<Infallible>| match error {
        ReadError::Format(error) => error.message(),
        ReadError::Read(never) => match never {},
        ReadError::Overrun => "the reader claims more bytes than there is room for",
    };
    while let Some(digit) = decoder.read_bytes(&mut uart).map_err(message)? {
        ensure(Some(sum(digit)) == ink.next(), "the ink of a digit differs from the host's")?;
    }
    decoder.read_to_end(&mut uart).map_err(message)?;
    ensure(ink.next().is_none(), "digits are missing")
}

/// Checks that a file that ends too early is detected.
fn cut() -> Outcome {
    let (mut piece, _) = FILE.split_at_checked(16 + 784 + 783).ok_or("the file is too short")?;
    let mut decoder = Decoder::new();
    let mut whole = 0;
    while decoder.push_bytes(&mut piece).map_err(|error| error.message())?.is_some() {
        whole += 1;
    }
    let expected = ErrorKind::Truncated { needed: 784 * INK.len() as u64, found: 784 + 783 };
    ensure(
        whole == 1 && decoder.finish().is_err_and(|error| error == expected),
        "the truncation was not detected",
    )
}

/// Checks that a driver that claims more bytes than it was given room for is detected, in the header and in a record.
fn overrun() -> Outcome {
    struct Liar;

    impl embedded_io::ErrorType for Liar {
        type Error = Infallible;
    }

    impl embedded_io::Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
            Ok(buffer.len() + 1)
        }
    }

    let mut decoder = Decoder::new();
    let in_header = decoder.read(&mut Liar).err();
    let (mut header, _) = FILE.split_at_checked(16).ok_or("the file is too short")?;
    decoder.push_bytes(&mut header).map_err(|error| error.message())?;
    let in_record = decoder.read(&mut Liar).err();
    ensure(
        in_header == Some(ReadError::Overrun) && in_record == Some(ReadError::Overrun),
        "a reader that claims too much was believed",
    )
}

fn sum(digit: &[u8]) -> be::I32 {
    be::I32::new(digit.iter().copied().map(i32::from).sum())
}

/// Delivers a few bytes at a time.
struct Uart {
    rest: &'static [u8],
    size: usize,
}

impl embedded_io::ErrorType for Uart {
    type Error = Infallible;
}

impl embedded_io::Read for Uart {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let count = self.size.min(buffer.len()).min(self.rest.len());
        if let (Some(target), Some((given, rest))) =
            (buffer.get_mut(..count), self.rest.split_at_checked(count))
        {
            for (byte, given) in target.iter_mut().zip(given) {
                *byte = *given;
            }
            self.rest = rest;
        }
        Ok(count)
    }
}
