//! Compares a checksum before using the records of external flash: if the header was written and some records were not,
//! the file looks complete, since the FF of erased flash are valid values.
//!
//!     cargo run -p idx-core --example checked_flash --features embedded-storage-v0.3

use core::convert::Infallible;
use embedded_storage::ReadStorage;
use idx_core::IdxRecord;
use idx_core::storage::{Located, StorageError};

#[derive(IdxRecord, Debug, PartialEq)]
struct Point {
    x: i16,
    y: i16,
}

#[derive(Debug, PartialEq)]
enum Failure<E> {
    File(StorageError<E>),
    CheckSum { expected: u32, found: u32 },
}

impl<E> From<StorageError<E>> for Failure<E> {
    fn from(error: StorageError<E>) -> Self {
        Self::File(error)
    }
}

/// Opens a file of points that follows the CRC-32 of its records, big-endian. Reads all records once.
fn open<S: ReadStorage>(flash: &mut S, offset: u32) -> Result<Located<Point>, Failure<S::Error>> {
    let mut expected = [0; 4];
    flash.read(offset, &mut expected).map_err(StorageError::Storage)?;
    let expected = u32::from_be_bytes(expected);

    let points = Located::<Point>::open(flash, offset + 4)?;
    let mut found = crc32fast::Hasher::new();
    let mut buffer = [0; Point::SIZE];
    for index in 0..points.len() {
        found.update(points.read_bytes(flash, index, &mut buffer)?);
    }
    match found.finalize() {
        found if found == expected => Ok(points),
        found => Err(Failure::CheckSum { expected, found }),
    }
}

fn main() -> Result<(), Failure<Infallible>> {
    let records = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6];
    let mut flash = Flash([0xFF; 64]);
    flash.write(8, &crc32fast::hash(&records).to_be_bytes());
    flash.write(12, &idx_core::header::<Point, { Point::HEADER_SIZE }>(3));
    flash.write(24, &records);
    let points = open(&mut flash, 8)?;
    assert_eq!(points.read(&mut flash, 2)?, Point { x: 5, y: 6 });

    // The same flash, as if the power had failed after the second record.
    flash.write(32, &[0xFF; 4]);
    let points = Located::<Point>::open(&mut flash, 12)?;
    assert_eq!(points.read(&mut flash, 2)?, Point { x: -1, y: -1 }); // it looks complete
    let torn = open(&mut flash, 8);
    assert!(matches!(torn, Err(Failure::CheckSum { .. })));
    println!("{torn:X?}");
    Ok(())
}

/// Stands in for the driver of a flash chip.
struct Flash([u8; 64]);

impl Flash {
    fn write(&mut self, offset: usize, bytes: &[u8]) {
        for (byte, written) in self.0.iter_mut().skip(offset).zip(bytes) {
            *byte = *written;
        }
    }
}

impl ReadStorage for Flash {
    type Error = Infallible;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
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
