//! A realistic chip: its driver accepts only aligned reads into aligned memory, it holds several files, one of them too
//! long for its partition, and its capacity is odd.
//!
//! The control (feature `wrong-answer`) takes from each check what makes it pass; then all must fail.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
use firmware::{Outcome, ensure, print};
use idx_core::storage::{Aligned, Located, StorageError};
use idx_core::{ErrorKind, IdxRecord, header};

/// Records of 27 x 27 bytes, not a whole number of words.
type Image = [[u8; 27]; 27];

const IMAGES: u32 = 1;
const TOO_LONG: u32 = 3072;
const LABELS: u32 = 3100;
const CAPACITY: usize = LABELS as usize + 8 + 3;

static CHIP: [u8; CAPACITY] = {
    let mut chip = [0xFF; CAPACITY];
    put(&mut chip, IMAGES, &header::<Image, { Image::HEADER_SIZE }>(4));
    let mut index = 0;
    while index < 4 * Image::SIZE {
        chip[IMAGES as usize + Image::HEADER_SIZE + index] = pixel(index);
        index += 1;
    }
    // By its count it would continue in the partition of the labels.
    put(&mut chip, TOO_LONG, &header::<[u8; 3], 12>(6));
    put(&mut chip, LABELS, &[0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]);
    chip
};

const fn put(chip: &mut [u8; CAPACITY], offset: u32, bytes: &[u8]) {
    let mut index = 0;
    while index < bytes.len() {
        chip[offset as usize + index] = bytes[index];
        index += 1;
    }
}

const fn pixel(index: usize) -> u8 {
    (index % 251) as u8
}

const CONTROL: bool = cfg!(feature = "wrong-answer");

firmware::program!(run);

fn run() -> Outcome {
    let checks: [(&str, fn() -> Outcome); 4] = [
        ("aligned memory", aligned_memory),
        ("two files", two_files),
        ("the end of a partition", partition_end),
        ("an odd capacity", odd_capacity),
    ];
    let mut passed = 0;
    for (name, check) in checks {
        let outcome = check();
        print!("{name}: {}\n", outcome.err().unwrap_or("passed"));
        passed += u32::from(outcome.is_ok());
    }
    match passed {
        4 => Ok(()),
        0 => Err("all checks failed"),
        // Neither the program nor its control may end like this.
        _ => firmware::crash(),
    }
}

/// Reads every record into memory at every distance from an aligned address.
fn aligned_memory() -> Outcome {
    if CONTROL {
        // Aligned only in offset and length.
        every_record(&mut Aligned::<_, 32, u8>::with_buffer(Chip { capacity: CAPACITY }))
    } else {
        every_record(&mut Aligned::new(Chip { capacity: CAPACITY }))
    }
}

fn every_record(flash: &mut impl ReadStorage) -> Outcome {
    let images = Located::<Image>::open(flash, IMAGES).map_err(|error| error.message())?;
    let mut memory = [0; Image::SIZE + 3];
    for index in 0..images.len() {
        let first = index as usize * Image::SIZE;
        let is_right =
            |bytes: &[u8]| bytes.iter().zip(first..).all(|(byte, index)| *byte == pixel(index));
        let image = images.read(flash, index).map_err(|error| error.message())?;
        ensure(is_right(image.as_flattened()), "an image is wrong")?;
        for distance in 0..4 {
            let memory = memory.get_mut(distance..).unwrap_or_default();
            let bytes = images.read_bytes(flash, index, memory).map_err(|error| error.message())?;
            ensure(is_right(bytes), "the bytes of an image are wrong")?;
        }
    }
    Ok(())
}

/// Reads the images and the labels of a set, a pair at a time.
fn two_files() -> Outcome {
    let mut flash = Aligned::new(Chip { capacity: CAPACITY });
    ensure(Located::<u8>::open(&mut flash, 2000).is_err(), "there is a file where none is")?;
    let images = Located::<Image>::open(&mut flash, IMAGES).map_err(|error| error.message())?;
    let labels = Located::<u8>::open(&mut flash, LABELS).map_err(|error| error.message())?;
    for index in 0..labels.len() {
        // The control takes the image of the next label.
        let of = index + u32::from(CONTROL);
        let image = images.read(&mut flash, of).map_err(|error| error.message())?;
        let label = labels.read(&mut flash, index).map_err(|error| error.message())?;
        let first = image.as_flattened().first().copied();
        ensure(first == Some(pixel(index as usize * Image::SIZE)), "the image of another label")?;
        ensure(u32::from(label) == 7 + index, "a label is wrong")?;
    }
    Ok(())
}

/// Checks that a file that would run into the next partition does not open.
fn partition_end() -> Outcome {
    let mut flash = Aligned::new(Chip { capacity: CAPACITY });
    // The control opens it without an end.
    let opened = match CONTROL {
        true => Located::<[u8; 3]>::open(&mut flash, TOO_LONG),
        false => Located::<[u8; 3]>::open_within(&mut flash, TOO_LONG..LABELS),
    };
    let expected = ErrorKind::Truncated { needed: 18, found: 16 };
    let is_truncated = matches!(opened, Err(StorageError::Format(error)) if error == expected);
    ensure(is_truncated, "a file runs into the next partition")
}

/// Reads the last label, which ends at the end of the chip.
fn odd_capacity() -> Outcome {
    // The control rounds the capacity up, as some drivers do; the longer read then fails.
    let capacity = if CONTROL { CAPACITY.next_multiple_of(4) } else { CAPACITY };
    let mut flash = Aligned::new(Chip { capacity });
    let labels = Located::<u8>::open(&mut flash, LABELS).map_err(|error| error.message())?;
    let last = labels.read(&mut flash, 2).map_err(|error| error.message())?;
    ensure(last == 9, "the last label is wrong")
}

/// A chip that reads whole words into aligned memory.
struct Chip {
    capacity: usize,
}

impl ErrorType for Chip {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        let offset = usize::try_from(offset).map_err(|_| NorFlashErrorKind::OutOfBounds)?;
        let ends_with_chip = offset.wrapping_add(bytes.len()) == CHIP.len();
        let is_aligned = offset.is_multiple_of(4)
            && bytes.as_ptr().addr().is_multiple_of(4)
            && (bytes.len().is_multiple_of(4) || ends_with_chip);
        if !is_aligned {
            return Err(NorFlashErrorKind::NotAligned);
        }
        let there = CHIP.get(offset..).ok_or(NorFlashErrorKind::OutOfBounds)?;
        let there = there.get(..bytes.len()).ok_or(NorFlashErrorKind::OutOfBounds)?;
        for (byte, there) in bytes.iter_mut().zip(there) {
            *byte = *there;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.capacity
    }
}
