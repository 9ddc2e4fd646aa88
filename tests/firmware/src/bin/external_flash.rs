//! Records from flash that the processor cannot address, one at a time: from a chip that requires aligned reads and
//! sometimes fails, and from a driver that accepts any read.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
use firmware::{Outcome, ensure, print};
use idx_core::storage::{Aligned, Storage, StorageError};
use idx_core::{ErrorKind, IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord, Debug, PartialEq)]
struct Step {
    x: i16,
    y: i16,
    z: i16,
}

/// The contents of the chip (`partition` in build.rs): a table, digits at an odd address, and FF before, between and
/// after them, as in erased flash.
static PARTITION: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/partition"));
const TABLE: u32 = 64;
const DIGITS: u32 = 257;

/// The sum of each digit's pixels, as computed by the host.
static INK: Records<be::I32> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/ink")));

firmware::program!(run);

fn run() -> Outcome {
    let mut chip = Chip { reads: 0 };
    digits(&mut chip)?;
    print!("{} digits in {} reads of the chip\n", INK.len(), chip.reads);
    batches(Chip { reads: 0 })?;
    any_address()
}

/// Reads one digit at a time, and reads it again where the chip failed.
fn digits(chip: &mut Chip) -> Outcome {
    let wrong = Storage::<_, [u8; 784]>::open(Aligned::new(&mut *chip), DIGITS);
    let expected = ErrorKind::RankMismatch { expected: 2, found: 3 };
    ensure(
        matches!(wrong, Err(StorageError::Format(error)) if error == expected),
        "digits are not rows of 784 bytes",
    )?;

    let mut digits = Storage::<_, Digit>::open(Aligned::new(&mut *chip), DIGITS)
        .map_err(|error| error.message())?;
    let mut buffer = [0; Digit::SIZE];
    let mut failures = 0;
    for (index, ink) in (0..digits.len()).zip(INK) {
        let bytes = match digits.read_bytes(index, &mut buffer) {
            Err(StorageError::Storage(NorFlashErrorKind::Other)) => {
                failures += 1;
                digits.read_bytes(index, &mut buffer)
            }
            result => result,
        };
        let bytes = bytes.map_err(|error| error.message())?;
        let sum: i32 = bytes.iter().copied().map(i32::from).sum();
        ensure(sum == ink.get(), "the ink of a digit differs from the host's")?;
    }
    ensure(failures > 0, "the chip never failed")?;
    let beyond = digits.read_bytes(digits.len(), &mut buffer);
    ensure(
        matches!(beyond, Err(StorageError::IndexOutOfRange { .. })),
        "there is a record beyond the last one",
    )
}

/// Reads small records, several at a time.
fn batches(chip: Chip) -> Outcome {
    let mut steps =
        Storage::<_, Step>::open(Aligned::new(chip), TABLE).map_err(|error| error.message())?;
    let mut batch = heapless::Vec::<Step, 3>::new();
    steps.read_many(1, &mut batch).map_err(|error| error.message())?;
    let step =
        |number: i16| Step { x: number * 5_461, y: (number + 1) * 5_461, z: (number + 2) * 5_461 };
    ensure(batch == [step(-3), step(0), step(3)], "a step is wrong")
}

/// Reads the same bytes from a driver that accepts any address and length.
fn any_address() -> Outcome {
    let mut digits = Storage::<_, Digit>::open(Memory, DIGITS).map_err(|error| error.message())?;
    let last = digits.len() - 1;
    let digit = digits.read(last).map_err(|error| error.message())?;
    let sum: i32 = digit.0.as_flattened().iter().copied().map(i32::from).sum();
    let ink = INK.iter().next_back().ok_or("there is no digit")?;
    ensure(sum == ink.get(), "the ink of the last digit differs from the host's")
}

/// A chip that reads multiples of four bytes, and fails now and then.
struct Chip {
    reads: u32,
}

impl ErrorType for Chip {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.reads += 1;
        if !offset.is_multiple_of(4) || !bytes.len().is_multiple_of(4) {
            return Err(NorFlashErrorKind::NotAligned);
        }
        if self.reads.is_multiple_of(31) {
            return Err(NorFlashErrorKind::Other);
        }
        copy(offset, bytes).ok_or(NorFlashErrorKind::OutOfBounds)
    }

    fn capacity(&self) -> usize {
        PARTITION.len()
    }
}

/// Memory that can be read anywhere.
struct Memory;

impl ReadStorage for Memory {
    type Error = ();

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), ()> {
        copy(offset, bytes).ok_or(())
    }

    fn capacity(&self) -> usize {
        PARTITION.len()
    }
}

fn copy(offset: u32, bytes: &mut [u8]) -> Option<()> {
    let from_here = PARTITION.get(usize::try_from(offset).ok()?..)?;
    let source = from_here.get(..bytes.len())?;
    for (byte, source) in bytes.iter_mut().zip(source) {
        *byte = *source;
    }
    Some(())
}
