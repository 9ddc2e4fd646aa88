//! Compares a check sum before it uses the records of external flash: a file whose header was written and whose
//! records were not, or not all, looks complete, as erased flash holds FF, which are values too.
//!
//!     cargo run -p idx-core --example checked_flash --features embedded-storage-v0.3

use embedded_storage::ReadStorage;
use idx_core::storage::{Located, StorageError};
use idx_core::{IdxRecord, header};

#[derive(IdxRecord, Debug, PartialEq)]
struct Point {
    x: i16,
    y: i16,
}

#[derive(Debug)]
enum Failure<E> {
    File(StorageError<E>),
    CheckSum { expected: u32, found: u32 },
}

/// Opens a file that is followed by its CRC-32, big-endian.
fn open<S: ReadStorage, T: IdxRecord>(
    flash: &mut S,
    offset: u32,
) -> Result<Located<T>, Failure<S::Error>> {
    let records = Located::<T>::open(flash, offset).map_err(Failure::File)?;
    // `open` checked that these bytes are there.
    let end = offset + T::HEADER_SIZE as u32 + records.len() * T::SIZE as u32;
    let mut found = crc32fast::Hasher::new();
    let mut buffer = [0; 64];
    for from in (offset..end).step_by(buffer.len()) {
        let piece = &mut buffer[..64.min((end - from) as usize)];
        flash.read(from, piece).map_err(|error| Failure::File(StorageError::Storage(error)))?;
        found.update(piece);
    }
    let found = found.finalize();
    let mut expected = [0; 4];
    flash.read(end, &mut expected).map_err(|error| Failure::File(StorageError::Storage(error)))?;
    match u32::from_be_bytes(expected) {
        expected if expected == found => Ok(records),
        expected => Err(Failure::CheckSum { expected, found }),
    }
}

fn main() {
    let mut file = header::<Point, { Point::HEADER_SIZE }>(3).to_vec();
    file.extend([0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]);
    let check_sum = crc32fast::hash(&file).to_be_bytes();

    let mut flash = Flash([0xFF; 64]);
    flash.0[8..][..file.len()].copy_from_slice(&file);
    flash.0[8 + file.len()..][..4].copy_from_slice(&check_sum);
    let points = open::<_, Point>(&mut flash, 8).expect("the file is complete");
    assert_eq!(points.read(&mut flash, 2), Ok(Point { x: 5, y: 6 }));

    // The power failed after the second record.
    flash.0[8 + file.len() - 4..].fill(0xFF);
    let points = Located::<Point>::open(&mut flash, 8).expect("it looks complete");
    assert_eq!(points.read(&mut flash, 2), Ok(Point { x: -1, y: -1 }));
    match open::<_, Point>(&mut flash, 8) {
        Err(Failure::CheckSum { expected, found }) => {
            println!("expected the check sum {expected:08X}, found {found:08X}");
        }
        other => panic!("the check sum is not compared: {other:?}"),
    }
}

/// In place of the driver of a flash chip.
struct Flash([u8; 64]);

impl ReadStorage for Flash {
    type Error = core::convert::Infallible;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}
