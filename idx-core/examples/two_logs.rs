//! Logs forever in two ranges of flash: when one is full, the older one is cleared.
//!
//!     cargo run -p idx-core --example two_logs --features embedded-storage-v0.3

use core::ops::Range;

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use idx_core::IdxRecord;
use idx_core::log::Log;
use idx_core::storage::StorageError;

/// A measurement; its number tells which range is newer, and must not repeat.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measurement {
    pub(crate) number: i32,
    pub(crate) millivolts: i32,
}

/// The range of each log: whole sectors, at least two.
pub(crate) const RANGES: [Range<u32>; 2] = [0..256, 256..512];

/// Opens the log in a range, and first finishes clearing it if a power failure interrupted that.
pub(crate) fn open<F: NorFlash>(
    flash: &mut F,
    range: Range<u32>,
) -> Result<Log<Measurement, &mut F>, StorageError<F::Error>> {
    match Log::<Measurement, _>::open(&mut *flash, range.clone()) {
        Err(StorageError::Unfinished { .. }) => Log::clear(flash, range),
        _ => Log::open(flash, range),
    }
}

/// Returns the last measurement of a log.
fn last<F: NorFlash>(
    flash: &mut F,
    range: Range<u32>,
) -> Result<Option<Measurement>, StorageError<F::Error>> {
    let mut log = open(flash, range)?;
    log.len().checked_sub(1).map(|last| log.read(last)).transpose()
}

/// Appends measurements to the newer log, and calls `is_safe` after each.
pub(crate) fn log<F: NorFlash>(
    flash: &mut F,
    measurements: impl IntoIterator<Item = Measurement>,
    mut is_safe: impl FnMut(Measurement),
) -> Result<(), StorageError<F::Error>> {
    let [first, second] = RANGES;
    let numbers = [last(flash, first.clone())?, last(flash, second.clone())?]
        .map(|last| last.map(|measurement| measurement.number));
    let (mut newer, mut older) =
        if numbers[0] >= numbers[1] { (first, second) } else { (second, first) };
    let mut log = open(flash, newer.clone())?;
    for measurement in measurements {
        match log.push(&measurement) {
            Err(StorageError::Full { .. }) => {
                log = Log::clear(log.into_inner(), older.clone())?;
                (newer, older) = (older, newer);
                log.push(&measurement)?;
            }
            pushed => pushed?,
        }
        is_safe(measurement);
    }
    Ok(())
}

fn main() -> Result<(), StorageError<NorFlashErrorKind>> {
    let mut flash = Flash([0xFF; 512]);
    let measurements = (0..100).map(|number| Measurement { number, millivolts: 3300 - number });
    log(&mut flash, measurements, |_| {})?;
    let mut numbers = Vec::new();
    for range in RANGES {
        for measurement in open(&mut flash, range)?.iter() {
            numbers.push(measurement?.number);
        }
    }
    numbers.sort_unstable();
    println!("{} of 100 measurements are there, the last is {:?}", numbers.len(), numbers.last());
    assert!(numbers.len() > 19 && numbers.last() == Some(&99));
    Ok(())
}

/// Stands in for the driver of a flash.
struct Flash([u8; 512]);

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        for (byte, there) in bytes.iter_mut().zip(self.0.iter().skip(offset as usize)) {
            *byte = *there;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 64;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        if let Some(bytes) = self.0.get_mut(from as usize..to as usize) {
            bytes.fill(0xFF);
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        for (there, byte) in self.0.iter_mut().skip(offset as usize).zip(bytes) {
            *there = *byte;
        }
        Ok(())
    }
}
