//! Reads records from a flash chip through its driver: one by one, and in batches.
//!
//!     cargo run -p idx-core --example external_flash --features embedded-storage-v0.3,heapless-v0.9

use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash, check_read};
use heapless::Vec;
use idx_core::IdxRecord;
use idx_core::storage::{Aligned, Storage, StorageError};

/// A measurement: three columns of i16, so 6 bytes, which is not a multiple of `READ_SIZE`.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Acceleration {
    x: i16,
    y: i16,
    z: i16,
}

/// The offset of the file in the chip.
const OFFSET: u32 = 0x100;

/// Returns the greatest sum of the columns and the number of measurements, for any driver.
fn peak<F: ReadNorFlash>(flash: &mut F) -> Result<(i32, u32), StorageError<F::Error>> {
    // The driver reads only multiples of its READ_SIZE; `Aligned` turns any request into such reads.
    let mut log = Storage::<_, Acceleration>::open(Aligned::new(flash), OFFSET)?;
    let mut batch = Vec::<_, 4>::new();
    let mut peak = i32::MIN;
    let mut next = 0;
    while next < log.len() {
        batch.clear();
        log.read_many(next, &mut batch)?;
        for Acceleration { x, y, z } in &batch {
            peak = peak.max(i32::from(*x) + i32::from(*y) + i32::from(*z));
            next += 1;
        }
    }
    Ok((peak, next))
}

fn main() -> Result<(), StorageError<NorFlashErrorKind>> {
    let mut chip = Chip::with_log();
    let (peak, count) = peak(&mut chip)?;
    println!("the peak of {count} measurements is {peak}");
    assert_eq!((peak, count), (60, 6));

    // A single record, at any index.
    let mut log = Storage::<_, Acceleration>::open(Aligned::new(&mut chip), OFFSET)?;
    let last = Acceleration { x: 6, y: -6, z: 0 };
    assert_eq!(log.read(5)?, last);
    assert_eq!(log.read(6), Err(StorageError::IndexOutOfRange { index: 6, len: 6 }));
    Ok(())
}

/// Stands in for the driver of a NOR flash.
struct Chip([u8; 0x200]);

impl Chip {
    /// Erased, except for the file.
    fn with_log() -> Self {
        let mut chip = Self([0xFF; 0x200]);
        let file = [
            0, 0, 0x0B, 2, 0, 0, 0, 6, 0, 0, 0, 3, // i16, 6 records of 3
            0, 1, 0, 2, 0, 3, //
            0, 2, 0, 4, 0, 6, //
            0, 10, 0, 20, 0, 30, //
            0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, // -1, -1, -1
            0, 5, 0, 5, 0, 5, //
            0, 6, 0xFF, 0xFA, 0, 0, // 6, -6, 0
        ];
        for (byte, written) in chip.0.iter_mut().skip(OFFSET as usize).zip(file) {
            *byte = written;
        }
        chip
    }
}

impl ErrorType for Chip {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?; // rejects unaligned reads
        let there = self.0.iter().skip(offset as usize);
        for (byte, there) in bytes.iter_mut().zip(there) {
            *byte = *there;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}
