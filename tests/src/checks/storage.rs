//! Checks of external flash against the same bytes in memory.

use std::fmt::Debug;

use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::NorFlashErrorKind;
use heapless::Vec;
use idx_core::ErrorKind;
use idx_core::storage::{Aligned, Storage, StorageError};

use super::flash::{AnyChip, Flash};
use super::input::Input;
use super::reference::{File, compared_header, first, refused};
use super::sample::Sample;

/// The maximum number of records to read one by one.
const MOST_READ: u64 = 40;

/// Records read from flash are those of the same bytes in memory, and all requests are within the chip and
/// aligned as it requires.
///
/// Draws the kind of the chip, the offset of the file, and how many bytes are after it.
///
/// # Panics
///
/// If that fails.
pub fn storage(input: &[u8]) {
    let mut input = Input::new(input);
    let (kind, offset, padding) = (input.byte(), input.byte(), input.byte());
    let mut chip = vec![0xFF; usize::from(offset)];
    chip.extend(input.rest());
    chip.resize(chip.len() + usize::from(padding), 0xFF);
    let offset = u32::from(offset);
    match kind % 8 {
        0 => in_storage(&mut Flash::<1>(&chip), &chip, offset),
        1 => in_flash::<1, 1>(chip, offset),
        2 => in_flash::<2, 32>(chip, offset),
        3 => in_flash::<3, 3>(chip, offset),
        4 => in_flash::<4, 32>(chip, offset),
        5 => in_flash::<8, 48>(chip, offset),
        6 => in_flash::<32, 32>(chip, offset),
        _ => in_flash::<256, 256>(chip, offset),
    }
}

/// A chip that is read in pieces of `READ_SIZE`, through a buffer of `N` bytes.
fn in_flash<const READ_SIZE: usize, const N: usize>(mut chip: std::vec::Vec<u8>, offset: u32) {
    chip.resize(chip.len().next_multiple_of(READ_SIZE), 0xFF);
    let flash = Flash::<READ_SIZE>(&chip);
    in_storage(&mut Aligned::<_, N>::with_buffer(flash), &chip, offset);
}

fn in_storage(storage: &mut dyn ReadStorage<Error = NorFlashErrorKind>, chip: &[u8], offset: u32) {
    for_each_sample!(storage_of(AnyChip(storage), chip, offset));
}

fn storage_of<T: Sample, const SIZE: usize>(storage: AnyChip<'_>, chip: &[u8], offset: u32) {
    // What is after the file is padding. The values are checked with each record.
    let expected = compared_header(&T::KIND, &chip[offset as usize..])
        .and_then(|file| first([file.cut()]).map(|()| file));
    let (mut storage, file) = match (Storage::<_, T>::open(storage, offset), expected) {
        (Ok(storage), Ok(file)) => (storage, file),
        (Err(StorageError::Format(error)), Err(expected)) => {
            return assert_eq!(error.kind(), expected);
        }
        (storage, expected) => panic!("{:?}, expected {expected:?}", storage.err()),
    };
    let len = storage.len();
    assert_eq!(u64::from(len), file.record_count());
    assert_eq!(storage.is_empty(), len == 0);
    let beyond = Some(StorageError::IndexOutOfRange { index: len, len });
    assert_eq!(storage.read(len).err(), beyond);

    let mut buffer = [0; SIZE];
    for (index, bytes) in (0..MOST_READ).zip(file.records()) {
        let allowed = refused(&T::KIND, index, bytes).map_or(Ok(bytes), Err);
        let index = u32::try_from(index).expect("there are few");
        let by_value = storage.read(index).map(|record| record.elements());
        let by_value = by_value.map_err(format);
        assert_eq!(by_value, allowed.map(<[u8]>::to_vec));
        let in_buffer = storage.read_bytes(index, &mut buffer);
        assert_eq!(in_buffer.map_err(format), allowed);
        if let Some(small) = SIZE.checked_sub(1) {
            let error = StorageError::BufferTooSmall { needed: SIZE, found: small };
            let read = storage.read_bytes(index, &mut buffer[..small]);
            assert_eq!(read.err(), Some(error));
        }
        read_many(&mut storage, index, &file);
    }
}

/// A batch has the records from `start` on, up to the first one with a value that is not allowed.
fn read_many<T: Sample>(storage: &mut Storage<AnyChip<'_>, T>, start: u32, file: &File<'_>) {
    let mut batch = Vec::<T, 5>::new();
    let result = storage.read_many(start, &mut batch);
    let start = u64::from(start);
    let mut expected = (start..).zip(file.records().skip(start as usize)).take(5);
    for record in &batch {
        let (index, bytes) = expected.next().expect("no more records than there are");
        assert_eq!(refused(&T::KIND, index, bytes), None);
        assert_eq!(record.elements(), bytes);
    }
    let error = expected.next().map(|(index, bytes)| refused(&T::KIND, index, bytes));
    let error =
        error.map(|error| error.expect("a batch ends where it is full or a value is wrong"));
    assert_eq!(result.err().map(format), error);
}

fn format<E: Debug>(error: StorageError<E>) -> ErrorKind {
    match error {
        StorageError::Format(error) => error.kind(),
        other => panic!("{other:?}"),
    }
}
