//! The log in flash, on a model of a chip that keeps to the words of embedded-storage and to nothing more: a word
//! is written once between two erasures, and what was written or erased when the power failed holds anything. Each
//! history of three starts is cut at each word of the first one and at each of the second; then the log goes on, and
//! `idx_std::repair` reads a copy. With `--nocapture` the test prints a table.

use std::collections::HashMap;
use std::future::Future;
use std::mem::take;
use std::ops::Range;
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
#[derive(Clone, Copy, PartialEq)]
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
trait Numbered: IdxRecord + PartialEq {
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

#[derive(IdxRecord, Debug, PartialEq)]
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
    /// Starts, and pushes `count` records with the numbers from `next` on; calls `each` with each number that is
    /// safe.
    fn run<T: Numbered, const W: usize>(
        chip: &mut Chip<W>,
        count: u32,
        next: &mut u32,
        acknowledged: &mut Vec<u32>,
    ) -> Result<(), StorageError<NorFlashErrorKind>>;

    /// The records that a program finds; `None` if the log does not start.
    fn read<T: Numbered, const W: usize>(chip: &mut Chip<W>) -> Option<Vec<T>>;
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
                let mut log = $ready(Log::<T, _>::$open($driver, RANGE))?;
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

            fn read<T: Numbered, const W: usize>($chip: &mut Chip<W>) -> Option<Vec<T>> {
                let mut log = $ready(Log::<T, _>::$open($driver, RANGE)).ok()?;
                // From the last to the first, and in order.
                let backwards: Vec<T> =
                    (0..log.len()).rev().map(|index| $ready(log.$read(index)).unwrap()).collect();
                let records: Vec<T> =
                    (0..log.len()).map(|index| $ready(log.$read(index)).unwrap()).collect();
                assert!(backwards.iter().rev().eq(&records), "in either order");
                let len = log.len();
                let beyond = StorageError::IndexOutOfRange { index: len, len };
                assert!($ready(log.$read(len)).is_err_and(|error| error == beyond));
                Some(records)
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
const RANGE: Range<u32> = 32..608;
const SIZE: usize = 640;

/// A row of the table: what happened to one kind of log.
struct Tally<T> {
    histories: u32,
    cuts: u32,
    /// The copies of the partition, and the records that a desktop makes of them; `None` if it refuses one.
    images: HashMap<Vec<u8>, Option<Vec<T>>>,
    /// How often a record was looked for whose push had returned, and how often it was not there.
    acknowledged: usize,
    lost: usize,
    /// The records that nobody pushed, or that are there twice.
    invented: usize,
}

/// Prints the row of a kind of log.
fn print_row<T: IdxRecord, const W: usize>(log: &str, tally: &Tally<T>) {
    let Tally { histories, cuts, acknowledged, lost, invented, .. } = tally;
    let (size, images) = (T::SIZE, tally.images.len());
    let refused = tally.images.values().filter(|records| records.is_none()).count();
    println!(
        "| {log} | {W} | {size} | {histories} | {cuts} | {images} | {refused} | {acknowledged} | {lost} | {invented} |"
    );
}

const COLUMNS: &str = "| log | WRITE_SIZE | record | histories | cuts | images | without a file | \
     acknowledged | lost | invented |\n\
     | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// Runs each history of two starts with up to two pushes each and a third with one: cut at each word of the first start
/// and at each of the second, with each content of the words that were torn first.
fn every_history<L: Logger, T: Numbered, const W: usize>(log: &str) -> Tally<T> {
    let mut tally = Tally {
        histories: 0,
        cuts: 0,
        images: HashMap::new(),
        acknowledged: 0,
        lost: 0,
        invented: 0,
    };
    for first in 0..3 {
        for (position, torn) in TORN.iter().enumerate() {
            let mut cut = 0;
            loop {
                let mut history = History::<W>::new();
                let was_cut = history.start::<L, T>(first, cut, *torn, &mut tally);
                for second in 0..3 {
                    history.go_on::<L, T>(second, position, &mut tally);
                }
                if !was_cut {
                    break;
                }
                cut += 1;
            }
        }
    }
    print_row::<T, W>(log, &tally);
    tally
}

/// What happened to a chip so far.
#[derive(Clone)]
struct History<const W: usize> {
    chip: Chip<W>,
    /// The number of the next record.
    next: u32,
    acknowledged: Vec<u32>,
}

impl<const W: usize> History<W> {
    fn new() -> Self {
        Self { chip: Chip::new(SIZE), next: 0, acknowledged: Vec::new() }
    }

    /// Cuts a second start at each word, and starts a third time.
    fn go_on<L: Logger, T: Numbered>(&self, pushes: u32, position: usize, tally: &mut Tally<T>) {
        let mut cut = 0;
        loop {
            let mut history = self.clone();
            let torn = TORN[(position + cut) % TORN.len()];
            let was_cut = history.start::<L, T>(pushes, cut, torn, tally);
            history.start::<L, T>(1, usize::MAX, torn, tally);
            tally.histories += 1;
            if !was_cut {
                break;
            }
            cut += 1;
        }
    }

    /// Starts with the power for so many words, and returns whether that failed.
    fn start<L: Logger, T: Numbered>(
        &mut self,
        pushes: u32,
        power: usize,
        torn: Torn,
        tally: &mut Tally<T>,
    ) -> bool {
        (self.chip.power, self.chip.torn) = (power, torn);
        let outcome =
            L::run::<T, W>(&mut self.chip, pushes, &mut self.next, &mut self.acknowledged);
        let was_cut = outcome.is_err() && self.chip.power == 0;
        tally.cuts += u32::from(was_cut);
        let mut images = take(&mut tally.images);
        let image = images.entry(self.chip.bytes.clone());
        let records = image.or_insert_with_key(|image| repaired(image).ok());
        self.compare(records.as_deref().unwrap_or_default(), tally);
        tally.images = images;
        // The program finds the same, after another start that may erase a torn header.
        let mut chip = Chip { power: usize::MAX, ..self.chip.clone() };
        self.compare(&L::read(&mut chip).unwrap_or_default(), tally);
        let (before, after) = (&chip.bytes[..32], &chip.bytes[608..]);
        assert!(before.iter().chain(after).all(|byte| *byte == 0xFF), "it left its partition");
        was_cut
    }

    /// What was acknowledged is there, in order, and nothing else but at most the last record of each start.
    fn compare<T: Numbered>(&self, records: &[T], tally: &mut Tally<T>) {
        let number = |record: &T| (0..self.next).find(|number| T::numbered(*number) == *record);
        let mut found: Vec<Option<u32>> = records.iter().map(number).collect();
        tally.acknowledged += self.acknowledged.len();
        tally.lost +=
            self.acknowledged.iter().filter(|safe| !found.contains(&Some(**safe))).count();
        let invented = found.iter().filter(|number| number.is_none()).count();
        found.retain(Option::is_some);
        tally.invented += invented + found.windows(2).filter(|pair| pair[0] >= pair[1]).count();
    }
}

/// The records that a desktop makes of a copy of the partition.
fn repaired<T: Numbered>(chip: &[u8]) -> Result<Vec<T>, idx_std::Error> {
    thread_local! {
        static FOLDER: tempfile::TempDir = in_memory();
    }
    FOLDER.with(|folder| {
        let (path, file) = (folder.path().join("log"), folder.path().join("file"));
        std::fs::write(&path, &chip[32..608]).unwrap();
        assert!(idx_std::open(&path).is_err(), "no reader takes it for a file");
        let _ = std::fs::remove_file(&file);
        idx_std::repair(&path)?.write_to(&file)?;
        idx_std::Reader::open(&file)?.records::<T>()?.collect()
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
        let records = chip.bytes[44..608].chunks_exact(Entry::SIZE);
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

    fn read<T: Numbered, const W: usize>(chip: &mut Chip<W>) -> Option<Vec<T>> {
        let records = chip.bytes[44..608].chunks_exact(Entry::SIZE);
        let written = records.take_while(|record| record.iter().any(|byte| *byte != 0xFF));
        Some(written.flat_map(T::decode).collect())
    }
}

/// A range that holds something else is left as it is; one that is full says so; a value that is not allowed is not
/// written.
#[test]
fn errors_say_what_to_do() {
    let mut chip = Chip::<4>::new(SIZE);
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
            let mut chip = Chip::<8> { torn, ..Chip::new(SIZE) };
            let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
            log.push(&[1; 3]).unwrap();
            let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
            // It has power again after the push that fails.
            log.push(&[2; 3]).unwrap();
            let mut chip = Chip { power: words, ..log.into_inner().clone() };
            let mut log = Log::<[i16; 3], _>::open(PowerReturns(&mut chip), RANGE).unwrap();
            let was_pushed = log.push(&[3; 3]).is_ok();
            log.push(&[4; 3]).unwrap();
            let found: Vec<_> = (0..log.len()).map(|index| log.read(index).unwrap()[0]).collect();
            assert!(found == [1, 2, 4] && !was_pushed || found == [1, 2, 3, 4], "{found:?}");
            assert_eq!(Blocking::read::<[i16; 3], 8>(&mut chip).unwrap().len(), found.len());
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

/// In one test, so that the rows of the table are in one place.
#[test]
#[cfg_attr(miri, ignore = "it has no files, and the histories take too long")]
fn no_record_is_lost_or_invented() {
    println!("{COLUMNS}");
    holds(&every_history::<Blocking, u8, 1>("blocking"));
    holds(&every_history::<Blocking, [i16; 3], 1>("blocking"));
    holds(&every_history::<Blocking, u8, 2>("blocking"));
    holds(&every_history::<Blocking, Entry, 4>("blocking"));
    holds(&every_history::<Blocking, [i16; 3], 8>("blocking"));
    holds(&every_history::<Asynchronous, Entry, 16>("async"));
    holds(&every_history::<Asynchronous, u8, 32>("async"));
    let control = every_history::<ByHand, Entry, 4>("control: without marks");
    assert!(control.lost > 0 && control.invented > 0, "the model is too kind");
}

fn holds<T>(tally: &Tally<T>) {
    assert!(tally.cuts > 200, "{}", tally.cuts);
    assert_eq!((tally.lost, tally.invented), (0, 0));
}

/// It is not the chip that fails the control: without a power failure all is there.
#[test]
#[cfg_attr(miri, ignore = "it has no files")]
fn the_control_works_while_there_is_power() {
    let (mut chip, mut next, mut acknowledged) = (Chip::<4>::new(SIZE), 0, Vec::new());
    ByHand::run::<Entry, 4>(&mut chip, 3, &mut next, &mut acknowledged).unwrap();
    let expected = [0, 1, 2].map(Entry::numbered);
    assert_eq!(ByHand::read::<Entry, 4>(&mut chip).unwrap(), expected);
    assert_eq!(repaired::<Entry>(&chip.bytes).unwrap(), expected);
}
