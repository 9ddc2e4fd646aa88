//! The log in flash, on a model of a chip that keeps to the words of embedded-storage and to nothing more: a word
//! is written once between two erasures, and what was written or erased when the power failed holds anything. Each
//! history of starts and pushes is cut at each of its words; then the log goes on, and `idx_std::repair` reads a copy.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};
use idx_core::log::Log;
use idx_core::storage::StorageError;
use idx_core::{ErrorKind, IdxRecord, header};

/// A chip with words of `W` bytes.
#[derive(Clone)]
struct Chip<const W: usize> {
    bytes: Vec<u8>,
    /// Whether each word was written since it was erased.
    is_written: Vec<bool>,
    /// How many words can be written before the power fails; erasing counts as one.
    power: usize,
    /// What a word holds whose writing was cut.
    torn: Torn,
    /// How many writes were refused because their words had been written.
    refused: usize,
}

/// What is in the words of a write that was cut.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Torn {
    /// What was there before.
    Erased,
    /// All that was to be written, but the write did not return.
    Whole,
    Zero,
    /// Half of the bits that were to be cleared.
    HalfProgrammed,
    Random(u64),
}

const TORN: [Torn; 6] =
    [Torn::Erased, Torn::Whole, Torn::Zero, Torn::HalfProgrammed, Torn::Random(1), Torn::Random(2)];

impl Torn {
    fn byte(self, position: usize, written: u8) -> u8 {
        match self {
            Self::Erased => 0xFF,
            Self::Whole => written,
            Self::Zero => 0,
            Self::HalfProgrammed => written | 0x0F,
            Self::Random(seed) => {
                let mixed =
                    (position as u64 + 1).wrapping_mul(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                (mixed >> 32) as u8
            }
        }
    }
}

impl<const W: usize> Chip<W> {
    fn new(size: usize) -> Self {
        let is_written = vec![false; size / W];
        Self {
            bytes: vec![0xFF; size],
            is_written,
            power: usize::MAX,
            torn: Torn::Erased,
            refused: 0,
        }
    }

    fn use_power(&mut self) -> bool {
        let is_on = self.power > 0;
        self.power = self.power.saturating_sub(1);
        is_on
    }
}

impl<const W: usize> ErrorType for Chip<W> {
    type Error = NorFlashErrorKind;
}

impl<const W: usize> ReadNorFlash for Chip<W> {
    // Some drivers read less freely than they write.
    const READ_SIZE: usize = if W < 4 { 4 } else { W };

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl<const W: usize> NorFlash for Chip<W> {
    const WRITE_SIZE: usize = W;
    const ERASE_SIZE: usize = 32;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        let words = offset as usize / W..(offset as usize + bytes.len()) / W;
        if self.is_written[words.clone()].contains(&true) {
            self.refused += 1;
            return Err(NorFlashErrorKind::NotAligned);
        }
        for (done, word) in words.clone().enumerate() {
            if !self.use_power() {
                // Of this write no word is certain, also of those that came before.
                self.is_written[words.start..=word].fill(true);
                for (position, byte) in bytes[..(done + 1) * W].iter().enumerate() {
                    let at = offset as usize + position;
                    self.bytes[at] = self.torn.byte(at, *byte);
                }
                return Err(NorFlashErrorKind::Other);
            }
        }
        self.is_written[words].fill(true);
        self.bytes[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        let (from, to) = (from as usize, to as usize);
        self.is_written[from / W..to / W].fill(false);
        if self.use_power() {
            self.bytes[from..to].fill(0xFF);
            return Ok(());
        }
        for at in from..to {
            self.bytes[at] = self.torn.byte(at, self.bytes[at]);
        }
        Err(NorFlashErrorKind::Other)
    }
}

/// A driver whose futures are ready at once.
struct Async<'a, const W: usize>(&'a mut Chip<W>);

impl<const W: usize> ErrorType for Async<'_, W> {
    type Error = NorFlashErrorKind;
}

impl<const W: usize> embedded_storage_async::nor_flash::ReadNorFlash for Async<'_, W> {
    const READ_SIZE: usize = Chip::<W>::READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.0.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl<const W: usize> embedded_storage_async::nor_flash::NorFlash for Async<'_, W> {
    const WRITE_SIZE: usize = W;
    const ERASE_SIZE: usize = Chip::<W>::ERASE_SIZE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        self.0.erase(from, to)
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        self.0.write(offset, bytes)
    }
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the driver is always ready"),
    }
}

/// Records of which each is told from the others, from erased flash and from zeros.
trait Numbered: IdxRecord + PartialEq + std::fmt::Debug {
    fn numbered(number: u32) -> Self;
}

impl Numbered for u8 {
    fn numbered(number: u32) -> Self {
        number as Self + 1
    }
}

impl Numbered for [i16; 3] {
    fn numbered(number: u32) -> Self {
        // The first is that of erased flash: the mark alone says that it is one.
        if number == 0 { [-1; 3] } else { [number as i16, -1, 0] }
    }
}

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Entry {
    number: i32,
    values: [i32; 9],
    #[idx(range = 0..=9)]
    state: i32,
}

impl Numbered for Entry {
    fn numbered(number: u32) -> Self {
        Self { number: number as i32, values: [-1; 9], state: 7 }
    }
}

/// How a program logs.
trait Logger {
    /// Starts, and pushes so many records with the numbers from `next` on; calls `each` with each number that is
    /// safe.
    fn run<T: Numbered, const W: usize>(
        chip: &mut Chip<W>,
        count: u32,
        next: &mut u32,
        acknowledged: &mut Vec<u32>,
    ) -> Result<(), StorageError<NorFlashErrorKind>>;

    /// The numbers of the records that a program finds.
    fn read<T: Numbered, const W: usize>(chip: &mut Chip<W>) -> Vec<T>;
}

struct Blocking;
struct Asynchronous;

macro_rules! logger {
    ($logger:ident, $chip:ident => $driver:expr, $ready:ident, $open:ident, $push:ident, $read:ident) => {
        impl Logger for $logger {
            fn run<T: Numbered, const W: usize>(
                $chip: &mut Chip<W>,
                count: u32,
                next: &mut u32,
                acknowledged: &mut Vec<u32>,
            ) -> Result<(), StorageError<NorFlashErrorKind>> {
                let range = RANGE.start..RANGE.start + $chip.bytes.len() as u32 - 64;
                let mut log = $ready(Log::<T, _>::$open($driver, range))?;
                for _ in 0..count {
                    let number = *next;
                    *next += 1;
                    let mut outcome = $ready(log.$push(&T::numbered(number)));
                    if outcome == Err(StorageError::Storage(NorFlashErrorKind::NotAligned)) {
                        // A word that looks erased was not. The next place is another one.
                        outcome = $ready(log.$push(&T::numbered(number)));
                    }
                    outcome?;
                    acknowledged.push(number);
                }
                Ok(())
            }

            fn read<T: Numbered, const W: usize>($chip: &mut Chip<W>) -> Vec<T> {
                let range = RANGE.start..RANGE.start + $chip.bytes.len() as u32 - 64;
                let mut log = $ready(Log::<T, _>::$open($driver, range)).unwrap();
                // From the last to the first, and in order.
                let backwards: Vec<T> =
                    (0..log.len()).rev().map(|index| $ready(log.$read(index)).unwrap()).collect();
                let records: Vec<T> =
                    (0..log.len()).map(|index| $ready(log.$read(index)).unwrap()).collect();
                assert!(backwards.iter().rev().eq(&records));
                let len = log.len();
                let beyond = StorageError::IndexOutOfRange { index: len, len };
                assert_eq!($ready(log.$read(len)), Err(beyond));
                records
            }
        }
    };
}

fn as_it_is<T>(value: T) -> T {
    value
}

logger!(Blocking, chip => &mut *chip, as_it_is, open, push, read);
logger!(Asynchronous, chip => Async(chip), ready, open_async, push_async, read_async);

/// The partition, between words that belong to others.
const RANGE: std::ops::Range<u32> = 32..u32::MAX;

#[derive(Default, Debug)]
struct Tally {
    histories: u32,
    cuts: u32,
    images: u32,
    refused_images: u32,
}

/// Runs histories of up to three starts, each cut at each word, with each content of the torn words.
fn every_history<L: Logger, T: Numbered, const W: usize>(tally: &mut Tally) {
    let histories: &[&[u32]] =
        if cfg!(miri) { &[&[2, 1]] } else { &[&[0], &[1], &[3], &[0, 2], &[2, 0, 1], &[1, 2, 1]] };
    let torn = if cfg!(miri) { &TORN[..2] } else { &TORN[..] };
    for pushes in histories {
        tally.histories += 1;
        for &first in torn {
            for &second in if pushes.len() > 2 { torn } else { &torn[..1] } {
                // The power fails in the first start, and in the second after as many words.
                let mut cut = 0;
                while cut_history::<L, T, W>(pushes, cut, [first, second], tally) {
                    cut += 1;
                }
            }
        }
    }
}

/// Returns whether the power failed.
fn cut_history<L: Logger, T: Numbered, const W: usize>(
    pushes: &[u32],
    cut: usize,
    torn: [Torn; 2],
    tally: &mut Tally,
) -> bool {
    let mut chip = Chip::<W>::new(32 + 1024 + 32);
    let (mut next, mut acknowledged) = (0, Vec::new());
    let mut was_cut = false;
    for (run, count) in pushes.iter().enumerate() {
        // Every other start has the power that the first one had, the others all.
        chip.power = if run % 2 == 0 { cut } else { usize::MAX };
        chip.torn = torn[run / 2 % 2];
        let outcome = L::run::<T, W>(&mut chip, *count, &mut next, &mut acknowledged);
        was_cut |= outcome.is_err();
        if outcome.is_err() {
            tally.cuts += 1;
        }
        check::<L, T, W>(&chip, &acknowledged, next, outcome.err(), tally);
    }
    was_cut
}

/// What was acknowledged is there, in order, and nothing else but at most the last record of each start.
fn check<L: Logger, T: Numbered, const W: usize>(
    chip: &Chip<W>,
    acknowledged: &[u32],
    next: u32,
    error: Option<StorageError<NorFlashErrorKind>>,
    tally: &mut Tally,
) {
    if matches!(error, Some(StorageError::NotALog { .. })) {
        assert!(acknowledged.is_empty(), "an erasure was torn, before anything was logged");
        return;
    }
    tally.images += 1;
    match image::<T, W>(chip) {
        Ok(records) => compare(&records, acknowledged, next),
        Err(_) => {
            assert!(acknowledged.is_empty(), "the image is refused");
            tally.refused_images += 1;
        }
    }
    // The program finds the same, after another start that may erase a torn header.
    let mut chip = Chip { power: usize::MAX, ..chip.clone() };
    if Log::<T, _>::open(&mut chip, 32..1056).is_ok() {
        compare(&L::read::<T, W>(&mut chip), acknowledged, next);
    } else {
        assert!(acknowledged.is_empty(), "the log does not open");
    }
    assert!(chip.bytes[..32].iter().chain(&chip.bytes[1056..]).all(|byte| *byte == 0xFF));
}

#[track_caller]
fn compare<T: Numbered>(records: &[T], acknowledged: &[u32], next: u32) {
    let mut wanted = acknowledged.iter().map(|number| T::numbered(*number)).peekable();
    let mut pushed = (0..next).map(T::numbered);
    for record in records {
        assert!(pushed.any(|pushed| pushed == *record), "{record:?} was never pushed, or twice");
        wanted.next_if_eq(record);
    }
    assert_eq!(wanted.next(), None, "it was acknowledged, and is lost");
}

/// The records that a desktop makes of a copy of the partition.
fn image<T: Numbered, const W: usize>(chip: &Chip<W>) -> Result<Vec<T>, idx_std::Error> {
    let bytes = &chip.bytes[32..1056];
    if cfg!(miri) {
        return Ok(Vec::new());
    }
    thread_local! {
        static FOLDER: tempfile::TempDir = in_memory();
    }
    FOLDER.with(|folder| {
        let path = folder.path().join("log");
        std::fs::write(&path, bytes).unwrap();
        assert!(idx_std::open(&path).is_err(), "no reader takes it for a file");
        idx_std::repair(&path)?.write()?;
        idx_std::Reader::open(&path)?.records::<T>()?.collect()
    })
}

/// The control: a log without marks, whose end is where erased flash begins, and whose number is written at the end.
struct ByHand;

/// The header of a file of `Entry`.
const BY_HAND: [u8; Entry::HEADER_SIZE] = header::<Entry, { Entry::HEADER_SIZE }>(u32::MAX);

impl Logger for ByHand {
    fn run<T: Numbered, const W: usize>(
        chip: &mut Chip<W>,
        count: u32,
        next: &mut u32,
        acknowledged: &mut Vec<u32>,
    ) -> Result<(), StorageError<NorFlashErrorKind>> {
        let found = &chip.bytes[32..44];
        if found.iter().zip(BY_HAND).any(|(found, expected)| found & !expected != 0) {
            chip.write(32, &BY_HAND).map_err(StorageError::Storage)?;
        }
        let records = chip.bytes[44..1056].chunks_exact(Entry::SIZE);
        let len = records.take_while(|record| record.iter().any(|byte| *byte != 0xFF)).count();
        for index in (len..).take(count as usize) {
            let mut bytes = [0; Entry::SIZE];
            let number = *next;
            *next += 1;
            T::numbered(number).encode(&mut bytes).unwrap();
            let offset = 44 + (index * Entry::SIZE) as u32;
            chip.write(offset, &bytes).map_err(StorageError::Storage)?;
            acknowledged.push(number);
        }
        Ok(())
    }

    fn read<T: Numbered, const W: usize>(chip: &mut Chip<W>) -> Vec<T> {
        let records = chip.bytes[44..1056].chunks_exact(Entry::SIZE);
        let written = records.take_while(|record| record.iter().any(|byte| *byte != 0xFF));
        written.map(|record| T::decode(record).unwrap()).collect()
    }
}

#[test]
fn the_model_finds_what_a_log_without_marks_loses() {
    let run = || every_history::<ByHand, Entry, 4>(&mut Tally::default());
    assert!(std::panic::catch_unwind(run).is_err());
    // It is not the chip that fails: without a power failure all is there.
    let (mut chip, mut next, mut acknowledged) = (Chip::<4>::new(1088), 0, Vec::new());
    ByHand::run::<Entry, 4>(&mut chip, 3, &mut next, &mut acknowledged).unwrap();
    compare(&image::<Entry, 4>(&chip).unwrap(), &acknowledged, next);
}

/// A range that holds something else is left as it is; one that is full says so; a value that is not allowed is not
/// written.
#[test]
fn errors_say_what_to_do() {
    let mut chip = Chip::<4>::new(1088);
    let mut log = Log::<Entry, _>::open(&mut chip, 32..160).unwrap();
    let refused = log.push(&Entry { state: 10, ..Entry::numbered(0) }).unwrap_err();
    let expected = ErrorKind::ValueNotAllowed { record: 0, value: 10 };
    assert!(matches!(refused, StorageError::Format(error) if error == expected), "{refused}");
    while log.push(&Entry::numbered(0)).is_ok() {}
    assert_eq!(log.len(), 2);
    assert!(!log.is_empty());
    let full = log.push(&Entry::numbered(0)).unwrap_err();
    assert_eq!(full, StorageError::Full { len: 2 });
    assert_eq!(
        full.to_string(),
        "the log is full: 2 records; copy them, then erase its range to start a new one"
    );
    let before = chip.bytes.clone();
    let other = Log::<[i16; 3], _>::open(&mut chip, 32..160).unwrap_err();
    assert_eq!(other, StorageError::NotALog { offset: 32 });
    assert_eq!(
        other.to_string(),
        "neither a log of this record type nor erased flash: at offset 32; erase the range if you need nothing of it"
    );
    assert_eq!(chip.bytes, before);
    let small = Log::<Entry, _>::open(&mut chip, 160..170).unwrap_err();
    assert_eq!(small, StorageError::Full { len: 0 });
    #[expect(clippy::reversed_empty_ranges, reason = "as a wrong partition table may have it")]
    let empty = Log::<Entry, _>::open(&mut chip, 170..160).unwrap_err();
    assert_eq!(empty, StorageError::Full { len: 0 });
}

/// After a push that failed or was dropped the log goes on without another start.
#[test]
fn a_push_that_failed_is_settled_by_the_next() {
    for torn in TORN {
        for words in 0..2 {
            let mut chip = Chip::<8> { torn, ..Chip::new(1088) };
            let mut log = Log::<[i16; 3], _>::open(&mut chip, 32..1056).unwrap();
            log.push(&[1; 3]).unwrap();
            let mut log = Log::<[i16; 3], _>::open(&mut chip, 32..1056).unwrap();
            // It has power again after the push that fails.
            log.push(&[2; 3]).unwrap();
            let mut chip = Chip { power: words, ..log.into_inner().clone() };
            let mut log = Log::<[i16; 3], _>::open(PowerReturns(&mut chip), 32..1056).unwrap();
            let was_pushed = log.push(&[3; 3]).is_ok();
            log.push(&[4; 3]).unwrap();
            let found: Vec<_> = (0..log.len()).map(|index| log.read(index).unwrap()[0]).collect();
            assert!(found == [1, 2, 4] && !was_pushed || found == [1, 2, 3, 4], "{found:?}");
            assert_eq!(Blocking::read::<[i16; 3], 8>(&mut chip).len(), found.len());
        }
    }
}

/// A chip that has power again after a write that failed.
struct PowerReturns<'a, const W: usize>(&'a mut Chip<W>);

impl<const W: usize> ErrorType for PowerReturns<'_, W> {
    type Error = NorFlashErrorKind;
}

impl<const W: usize> ReadNorFlash for PowerReturns<'_, W> {
    const READ_SIZE: usize = Chip::<W>::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.0.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl<const W: usize> NorFlash for PowerReturns<'_, W> {
    const WRITE_SIZE: usize = W;
    const ERASE_SIZE: usize = Chip::<W>::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        self.0.erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        let outcome = self.0.write(offset, bytes);
        if outcome.is_err() {
            self.0.power = usize::MAX;
        }
        outcome
    }
}

/// A folder that need not be synced to a disk, if the system has one.
fn in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn no_record_is_lost_or_invented() {
    let mut tally = Tally::default();
    every_history::<Blocking, u8, 1>(&mut tally);
    every_history::<Blocking, [i16; 3], 1>(&mut tally);
    every_history::<Blocking, [i16; 3], 2>(&mut tally);
    every_history::<Blocking, Entry, 4>(&mut tally);
    every_history::<Blocking, [i16; 3], 8>(&mut tally);
    every_history::<Asynchronous, Entry, 16>(&mut tally);
    every_history::<Asynchronous, u8, 32>(&mut tally);
    println!("{tally:?}");
    assert!(tally.cuts > 10_000 || cfg!(miri), "{tally:?}");
}
