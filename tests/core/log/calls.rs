//! Counts the calls of the driver by the log: with `--nocapture`, the table in docs/firmware.md.

use std::cell::{Cell, RefCell};

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use idx_core::log::Log;
use idx_core::storage::StorageError;

use crate::log::histories::Numbered;

const SIZE: u32 = 1 << 20;

/// A chip of 1 MiB that counts its reads.
struct Chip<'a> {
    bytes: &'a RefCell<Vec<u8>>,
    reads: &'a Cell<u32>,
}

impl ErrorType for Chip<'_> {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Chip<'_> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        assert!(bytes.len() <= 256, "{}", bytes.len());
        self.reads.set(self.reads.get() + 1);
        bytes.copy_from_slice(&self.bytes.borrow()[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        SIZE as usize
    }
}

impl NorFlash for Chip<'_> {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 4096;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        self.bytes.borrow_mut()[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        self.bytes.borrow_mut()[from as usize..to as usize].fill(0xFF);
        Ok(())
    }
}

/// The reads that a row of the table took.
#[derive(Debug)]
struct Reads {
    records: u32,
    open: u32,
    /// The most of a push, but for the first one after a start.
    push: u32,
    /// The most of a record in any order.
    read: u32,
    /// The reads of a hundred records forwards, and backwards.
    forwards: u32,
    backwards: u32,
}

/// Fills a part of the chip, with a start after each `run` records.
fn reads<T: Numbered>(part: f64, run: u32) -> Reads {
    let (bytes, reads) = (RefCell::new(vec![0xFF; SIZE as usize]), Cell::new(0));
    let open = || Log::<T, _>::open(Chip { bytes: &bytes, reads: &reads }, 0..SIZE).unwrap();
    let places = open().capacity();
    if part > 0.0 {
        // Behind a header.
        Log::<T, _>::clear(Chip { bytes: &bytes, reads: &reads }, 0..SIZE).unwrap();
    }
    let count = (f64::from(places) * part) as u32;
    let (mut records, mut push) = (0, 0);
    while records < count {
        let mut log = open();
        for number in records..count.min(records.saturating_add(run)) {
            reads.set(0);
            let is_pushed = log.push(&T::numbered(number % 100)).is_ok();
            if number > records {
                push = push.max(reads.get());
            }
            if !is_pushed {
                break;
            }
        }
        if log.len() == records {
            break; // full
        }
        records = log.len();
    }
    reads.set(0);
    let mut log = open();
    let opened = reads.take();
    assert_eq!(log.len(), records, "what a full pass would count");
    let mut in_order = |indices: &mut dyn Iterator<Item = u32>| {
        let mut most = 0;
        reads.set(0);
        for index in indices {
            let before = reads.get();
            assert!(log.read(index).unwrap() == T::numbered(index % 100));
            most = most.max(reads.get() - before);
        }
        (most, reads.get())
    };
    let page = 100.min(records);
    let (read, _) = in_order(&mut (0..page).map(|step| (step * 7919) % records.max(1)));
    let (_, forwards) = in_order(&mut (records / 2..records.min(records / 2 + page)));
    let (_, backwards) = in_order(&mut (records - page..records).rev());
    Reads { records, open: opened, push, read, forwards, backwards }
}

fn row<T: Numbered>(part: f64, run: u32, most: Reads) {
    let found = reads::<T>(part, run);
    let Reads { records, open, push, read, forwards, backwards } = found;
    let starts = records.div_ceil(run).max(1);
    println!(
        "| {} | {starts} | {records} | {open} | {push} | {read} | {forwards} | {backwards} |",
        T::SIZE
    );
    let found = [open, push, read, forwards, backwards];
    let most = [most.open, most.push, most.read, most.forwards, most.backwards];
    assert!(
        found.iter().zip(most).all(|(found, most)| *found <= most),
        "{found:?} instead of {most:?}"
    );
}

/// A record that is written once more is checked before: of a copy that is damaged since `open`, the older one counts.
#[test]
fn a_bit_that_flips_after_open_is_not_copied() {
    let (bytes, reads) = (RefCell::new(vec![0xFF; SIZE as usize]), Cell::new(0));
    let open = || Log::<[i16; 3], _>::open(Chip { bytes: &bytes, reads: &reads }, 0..8192).unwrap();
    // Each place has 12 bytes from byte 24 on: of the mark, and of the record.
    open().push(&[1; 3]).unwrap();
    open().push(&[2; 3]).unwrap();
    let mut log = open();
    assert_eq!(log.len(), 2);
    bytes.borrow_mut()[24 + 2 * 12 + 5] ^= 1;
    assert_eq!(log.push(&[3; 3]), Err(StorageError::Damaged { index: 1 }));
    // As if the power had failed before the second record, but behind the copy of the first.
    bytes.borrow_mut()[24 + 2 * 12..].fill(0xFF);
    let mut log = open();
    assert_eq!(log.len(), 1);
    bytes.borrow_mut()[24 + 12 + 5] ^= 1;
    log.push(&[3; 3]).unwrap();
    assert!(open().iter().map(Result::unwrap).eq([[1; 3], [3; 3]]));
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn reads_are_few() {
    println!(
        "| record | starts | records | open | push | read | 100 forwards | 100 backwards |\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    let most = |open, push, read, forwards, backwards| Reads {
        records: 0,
        open,
        push,
        read,
        forwards,
        backwards,
    };
    const WHOLE: u32 = u32::MAX;
    row::<[i16; 3]>(0.0, WHOLE, most(4300, 0, 0, 0, 0));
    row::<[i16; 3]>(1e-9, WHOLE, most(24, 0, 0, 0, 0));
    row::<[i16; 3]>(0.5, WHOLE, most(24, 2, 1, 100, 100));
    row::<[i16; 3]>(1.0, WHOLE, most(24, 2, 1, 100, 100));
    row::<[i16; 3]>(0.5, 1000, most(24, 2, 10, 110, 1000));
    row::<[i16; 3]>(1.0, 10, most(24, 2, 20, 400, 2000));
    row::<[u8; 784]>(1e-9, WHOLE, most(200, 0, 0, 0, 0));
    row::<[u8; 784]>(0.5, WHOLE, most(200, 5, 4, 400, 400));
    row::<[u8; 784]>(1.0, 10, most(200, 5, 40, 800, 4000));
}
