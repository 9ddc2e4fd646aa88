//! A log in NOR flash that loses no entry when the power fails.
//!
//! The power fails at each word that is written, and again while the log goes on, on chips with words of 1, 4, 8 and 32
//! bytes, each of which can be written only once; the word being written when the power fails is wrong. After each
//! start, the log has all entries whose `push` had returned, and no others except the one that was interrupted.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use firmware::{Outcome, ensure, print};
use idx_core::IdxRecord;
use idx_core::log::Log;
use idx_core::storage::StorageError;

#[derive(IdxRecord, Clone, Copy, PartialEq)]
struct Entry {
    number: i32,
    celsius: i32,
}

impl Entry {
    fn numbered(number: u32) -> Self {
        Self { number: number as i32, celsius: number as i32 * 10 }
    }
}

firmware::program!(run);

/// The number of entries that each start adds to the log.
const ENTRIES: u32 = 3;

fn run() -> Outcome {
    let cuts = every_cut::<1>()? + every_cut::<4>()? + every_cut::<8>()? + every_cut::<32>()?;
    print!("the power failed {cuts} times, and no entry was lost\n");
    Ok(())
}

/// Cuts the power of the first start at each word, and of the next one at some; returns the number of cuts.
fn every_cut<const W: usize>() -> Result<u32, &'static str> {
    let mut cuts = 0;
    loop {
        let mut chip = Chip::<W> { bytes: [0xFF; SIZE], is_written: [false; SIZE], power: cuts };
        let mut acknowledged = 0;
        let was_cut = fill(&mut chip, 0, &mut acknowledged).is_err();
        let kept = check(&chip, acknowledged)?;
        chip.power = cuts % 17;
        let _ = fill(&mut chip, kept, &mut acknowledged);
        let kept = check(&chip, acknowledged)?;
        chip.power = u32::MAX;
        fill(&mut chip, kept, &mut acknowledged).map_err(|_| "the log does not go on")?;
        check(&chip, acknowledged)?;
        if !was_cut {
            return Ok(cuts);
        }
        cuts += 1;
    }
}

/// Starts the log, and adds entries with the numbers from `first` on.
fn fill<const W: usize>(
    chip: &mut Chip<W>,
    first: u32,
    acknowledged: &mut u32,
) -> Result<(), StorageError<NorFlashErrorKind>> {
    let mut log = match Log::<Entry, _>::open(&mut *chip, RANGE) {
        // The power failed while the log was being started.
        Err(StorageError::Unfinished { .. }) => Log::clear(chip, RANGE)?,
        _ => Log::open(chip, RANGE)?,
    };
    for number in first..first + ENTRIES {
        // The control acknowledges each entry too early.
        if cfg!(feature = "wrong-answer") {
            *acknowledged = number + 1;
        }
        log.push(&Entry::numbered(number))?;
        *acknowledged = number + 1;
    }
    Ok(())
}

/// Checks that the log has the entries in order, with all that were acknowledged; returns their number.
fn check<const W: usize>(chip: &Chip<W>, acknowledged: u32) -> Result<u32, &'static str> {
    let mut chip = Chip { power: u32::MAX, ..*chip };
    let mut log = match Log::<Entry, _>::open(&mut chip, RANGE) {
        Err(StorageError::Unfinished { .. }) => Log::<Entry, _>::clear(&mut chip, RANGE),
        _ => Log::open(&mut chip, RANGE),
    }
    .map_err(|error| error.message())?;
    ensure(log.len() >= acknowledged, "an entry that was acknowledged is lost")?;
    ensure(log.len() <= log.capacity() && !log.is_full(), "there is room")?;
    for (index, entry) in (0..).zip(log.iter()) {
        let entry = entry.map_err(|error| error.message())?;
        ensure(entry == Entry::numbered(index), "an entry is wrong")?;
    }
    let mut buffer = [0; Entry::SIZE];
    for index in (0..log.len()).rev() {
        let bytes = log.read_bytes(index, &mut buffer).map_err(|error| error.message())?;
        ensure(Entry::decode(bytes) == Some(Entry::numbered(index)), "an entry is wrong")?;
    }
    Ok(log.len())
}

const SIZE: usize = 1088;
/// The partition of the log.
const RANGE: core::ops::Range<u32> = 64..SIZE as u32;

/// Flash whose words can be written once, until the power fails.
#[derive(Clone, Copy)]
struct Chip<const W: usize> {
    bytes: [u8; SIZE],
    is_written: [bool; SIZE],
    /// The number of words that can still be written; the last of them is torn.
    power: u32,
}

impl<const W: usize> ErrorType for Chip<W> {
    type Error = NorFlashErrorKind;
}

impl<const W: usize> ReadNorFlash for Chip<W> {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        for (byte, there) in bytes.iter_mut().zip(self.bytes.iter().skip(offset as usize)) {
            *byte = *there;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        SIZE
    }
}

impl<const W: usize> NorFlash for Chip<W> {
    const WRITE_SIZE: usize = W;
    const ERASE_SIZE: usize = 64;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        // As a driver with DMA requires.
        let address = bytes.as_ptr().addr();
        if !address.is_multiple_of(4) || !is_ram(address) {
            return Err(NorFlashErrorKind::Other);
        }
        let words = self.bytes.iter_mut().zip(&mut self.is_written).skip(offset as usize);
        for (position, ((there, is_written), byte)) in words.zip(bytes).enumerate() {
            if *is_written {
                return Err(NorFlashErrorKind::Other);
            }
            if position % W == 0 {
                self.power = self.power.checked_sub(1).ok_or(NorFlashErrorKind::OutOfBounds)?;
            }
            *is_written = true;
            *there = if self.power == 0 { !byte } else { *byte };
        }
        if self.power == 0 { Err(NorFlashErrorKind::OutOfBounds) } else { Ok(()) }
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        self.power = self.power.checked_sub(1).ok_or(NorFlashErrorKind::OutOfBounds)?;
        let words = self.bytes.iter_mut().zip(&mut self.is_written).take(to as usize);
        for (byte, is_written) in words.skip(from as usize) {
            (*byte, *is_written) = (0xFF, false);
        }
        Ok(())
    }
}

/// Returns whether an address is in RAM; the flash of these machines lies below it.
fn is_ram(address: usize) -> bool {
    if cfg!(target_arch = "riscv32") { address >= 0x8010_0000 } else { address >= 0x2000_0000 }
}
