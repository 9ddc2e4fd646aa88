//! A log in NOR flash: the header first, with FFFFFFFF for the number of records, then each record as it comes.
//!
//! The power fails after every half of a byte that is programmed, and again while the log recovers. After
//! each restart all records are there whose write had returned, and the log goes on. At the end the number is
//! programmed into the header, and it is a file like any other.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use firmware::{Outcome, ensure, print};
use idx_core::storage::{Aligned, Located};
use idx_core::{IdxRecord, header};

#[derive(IdxRecord, Clone, Copy, PartialEq)]
struct Entry {
    number: i32,
    celsius: i32,
    state: State,
}

/// The last bytes of an entry, which are programmed on their own, after the others. Erased flash is neither.
///
/// Programming only clears bits. On the way to `Void` bit 0 stays, so an entry that was torn while it was
/// declared void is never taken for a written one; and one that lacks bit 0 was complete before.
#[derive(IdxRecord, Clone, Copy, PartialEq)]
#[repr(i32)]
enum State {
    Written = 0,
    Void = 1,
}

const HEADER: [u8; Entry::HEADER_SIZE] = header::<Entry, { Entry::HEADER_SIZE }>(u32::MAX);
const HEADER_SIZE: u32 = HEADER.len() as u32;
/// Where in the header the number of records is.
const COUNT: u32 = 4;
const ENTRY_SIZE: u32 = Entry::SIZE as u32;
const STATE: u32 = ENTRY_SIZE - State::SIZE as u32;

struct Log<F> {
    flash: F,
    /// The number of entries, void ones included.
    len: u32,
    written: u32,
}

impl<F: NorFlash> Log<F> {
    /// Finds the end of the log in flash that was erased before the first start.
    fn start(mut flash: F) -> Result<Self, F::Error> {
        let mut found = [0; HEADER.len()];
        flash.read(0, &mut found)?;
        if found.iter().zip(HEADER).any(|(found, expected)| found & !expected != 0) {
            flash.write(0, &HEADER)?;
        }
        let mut log = Self { flash, len: 0, written: 0 };
        while let Some(offset) = log.offset(log.len) {
            let mut bytes = [0; Entry::SIZE];
            log.flash.read(offset, &mut bytes)?;
            if bytes == [0xFF; Entry::SIZE] {
                break;
            }
            let state = match (Entry::decode(&bytes), bytes) {
                (Some(entry), _) => entry.state,
                (None, [.., last]) => log.repair(offset, last)?,
            };
            log.len += 1;
            log.written += u32::from(state == State::Written);
        }
        Ok(log)
    }

    /// The write of this entry did not return. If its state lacks bit 0, all but the state is there.
    fn repair(&mut self, offset: u32, last: u8) -> Result<State, F::Error> {
        let state = if last & 1 == 0 { State::Written } else { State::Void };
        let mut bytes = [0; State::SIZE];
        let _ = state.encode(&mut bytes);
        self.flash.write(offset + STATE, &bytes)?;
        Ok(state)
    }

    /// When it returns, the entry is safe; `false` if the flash is full.
    fn append(&mut self, number: i32, celsius: i32) -> Result<bool, F::Error> {
        let Some(offset) = self.offset(self.len) else {
            return Ok(false);
        };
        let mut bytes = [0; Entry::SIZE];
        // It has no value that its type does not allow.
        let _ = Entry { number, celsius, state: State::Written }.encode(&mut bytes);
        if let Some((values, state)) = bytes.split_at_checked(STATE as usize) {
            self.flash.write(offset, values)?;
            self.flash.write(offset + STATE, state)?;
        }
        self.len += 1;
        self.written += 1;
        Ok(true)
    }

    /// Programs the number of entries.
    fn finish(mut self) -> Result<(), F::Error> {
        self.flash.write(COUNT, &self.len.to_be_bytes())
    }

    fn offset(&self, index: u32) -> Option<u32> {
        let offset = HEADER_SIZE + index * ENTRY_SIZE;
        let capacity = u32::try_from(self.flash.capacity()).ok()?;
        (offset + ENTRY_SIZE <= capacity).then_some(offset)
    }
}

firmware::program!(run);

const ENTRIES: u32 = 6;

fn run() -> Outcome {
    let mut cut = 0;
    loop {
        let mut flash = [0xFF; 256];
        let mut acknowledged = 0;
        let was_cut = fill(Nor { bytes: &mut flash, power: cut }, &mut acknowledged).is_err();
        // In the middle of the recovery, too.
        let _ = Log::start(Nor { bytes: &mut flash, power: cut % 17 });
        let log = Log::start(Nor { bytes: &mut flash, power: u32::MAX })
            .map_err(|_| "the log does not start again")?;
        ensure(log.written >= acknowledged, "an entry that was acknowledged is lost")?;
        fill(Nor { bytes: &mut flash, power: u32::MAX }, &mut acknowledged)
            .map_err(|_| "the log does not go on")?;
        check(Nor { bytes: &mut flash, power: 0 })?;
        if !was_cut {
            break;
        }
        cut += 1;
    }
    ensure(cut == 2 * (8 + ENTRIES * ENTRY_SIZE + 4), "not every half of a byte was cut")?;
    print!("the power failed {cut} times, and no entry was lost\n");
    Ok(())
}

/// Logs until there are all entries, then ends the log.
fn fill(flash: Nor<'_>, acknowledged: &mut u32) -> Result<(), NorFlashErrorKind> {
    let mut log = Log::start(flash)?;
    while log.written < ENTRIES {
        let number = log.written as i32;
        // The control says so too early.
        if cfg!(feature = "wrong-answer") {
            *acknowledged = log.written + 1;
        }
        log.append(number, number * 10)?;
        *acknowledged = log.written;
    }
    log.finish()
}

/// The file has all entries in order.
fn check(flash: Nor<'_>) -> Outcome {
    let mut flash = Aligned::new(flash);
    let entries = Located::<Entry>::open(&mut flash, 0).map_err(|error| error.message())?;
    let mut expected = 0;
    for index in 0..entries.len() {
        let entry = entries.read(&mut flash, index).map_err(|error| error.message())?;
        if entry.state == State::Written {
            let is_right = entry.number == expected && entry.celsius == expected * 10;
            ensure(is_right, "an entry is wrong")?;
            expected += 1;
        }
    }
    ensure(expected == ENTRIES as i32, "an entry is missing")
}

/// Flash of which words are programmed, until the power fails.
struct Nor<'a> {
    bytes: &'a mut [u8; 256],
    /// How many halves of bytes can be programmed.
    power: u32,
}

impl ErrorType for Nor<'_> {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Nor<'_> {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        for (byte, there) in bytes.iter_mut().zip(self.bytes.iter().skip(offset as usize)) {
            *byte = *there;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for Nor<'_> {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 256;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        for (there, byte) in self.bytes.iter_mut().skip(offset as usize).zip(bytes) {
            for half in [0x0F, 0xF0] {
                // What is FF needs no programming.
                if *byte != 0xFF {
                    self.power = self.power.checked_sub(1).ok_or(NorFlashErrorKind::Other)?;
                    *there &= byte | half;
                }
            }
        }
        Ok(())
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        self.bytes.fill(0xFF);
        Ok(())
    }
}
