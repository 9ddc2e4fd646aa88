//! Histories of three and four starts, cut at each word, with each nature of torn words.
//!
//! With `--nocapture` the tests print the tables of docs/firmware.md.

use std::collections::{BTreeSet, HashSet};
use std::future::Future;
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_storage::nor_flash::{NorFlashErrorKind, ReadNorFlash};
use idx_core::IdxRecord;
use idx_core::log::Log;
use idx_core::storage::StorageError;

use crate::log::chip::{Async, Chip, Nature, Twice};

/// Records that can each be told from the others, from erased flash and from zeros.
pub trait Numbered: IdxRecord + PartialEq {
    fn numbered(number: u32) -> Self;
}

impl Numbered for u8 {
    fn numbered(number: u32) -> Self {
        number as Self + 1
    }
}

impl<const N: usize> Numbered for [u8; N] {
    fn numbered(number: u32) -> Self {
        [number as u8 + 1; N]
    }
}

impl Numbered for [i16; 3] {
    fn numbered(number: u32) -> Self {
        // The first equals erased flash: only its mark says that it is a record.
        if number == 0 { [-1; 3] } else { [number as i16, -1, 0x5A5A] }
    }
}

impl Numbered for [i32; 10] {
    fn numbered(number: u32) -> Self {
        let mut numbers = [-1; 10];
        (numbers[0], numbers[9]) = (number as i32, 0x5A5A_5A5A);
        numbers
    }
}

pub type Error = StorageError<NorFlashErrorKind>;

/// The work of a start.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub clears: bool,
    pub pushes: u32,
    /// The number of words after which the power fails.
    pub cut: usize,
    pub nature: Nature,
}

/// The partition, between words that belong to others.
pub const RANGE: Range<u32> = 256..768;
pub const SIZE: usize = 1024;

/// How a program logs.
pub trait Logger {
    /// Opens the log, or clears it; calls `each` with the number of each record that is safe.
    fn run<T: Numbered, const W: usize, const R: usize, const E: usize>(
        chip: &mut Chip<W, R, E>,
        start: Start,
        next: &mut u32,
        each: impl FnMut(u32),
    ) -> Result<(), Error>;

    /// The records that a program finds, from the first to the last and from the last to the first.
    fn read<T: Numbered, const W: usize, const R: usize, const E: usize>(
        chip: &mut Chip<W, R, E>,
    ) -> Result<[Vec<Option<T>>; 2], Error>;
}

pub struct Blocking;
pub struct Asynchronous;

macro_rules! logger {
    ($logger:ident, $chip:ident => $driver:expr, $ready:ident, $open:ident, $clear:ident, $push:ident, $read:ident) => {
        impl Logger for $logger {
            fn run<T: Numbered, const W: usize, const R: usize, const E: usize>(
                $chip: &mut Chip<W, R, E>,
                start: Start,
                next: &mut u32,
                mut each: impl FnMut(u32),
            ) -> Result<(), Error> {
                let opened = if start.clears {
                    $ready(Log::<T, _>::$clear($driver, RANGE))
                } else {
                    $ready(Log::<T, _>::$open($driver, RANGE))
                };
                let mut log = match opened {
                    Err(StorageError::Unfinished { .. }) => {
                        $ready(Log::<T, _>::$clear($driver, RANGE))?
                    }
                    opened => opened?,
                };
                for _ in 0..start.pushes {
                    let number = *next;
                    *next += 1;
                    $ready(log.$push(&T::numbered(number)))?;
                    each(number);
                }
                Ok(())
            }

            fn read<T: Numbered, const W: usize, const R: usize, const E: usize>(
                $chip: &mut Chip<W, R, E>,
            ) -> Result<[Vec<Option<T>>; 2], Error> {
                let mut log = $ready(Log::<T, _>::$open($driver, RANGE))?;
                let len = log.len();
                let forwards = (0..len).map(|index| $ready(log.$read(index)).ok()).collect();
                let backwards = (0..len).rev().map(|index| $ready(log.$read(index)).ok()).collect();
                let beyond = StorageError::IndexOutOfRange { index: len, len };
                assert!($ready(log.$read(len)).is_err_and(|error| error == beyond));
                Ok([forwards, backwards])
            }
        }
    };
}

fn as_it_is<T>(value: T) -> T {
    value
}

pub fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the driver is always ready"),
    }
}

logger!(Blocking, chip => &mut *chip, as_it_is, open, clear, push, read);
logger!(Asynchronous, chip => Async(&mut *chip), ready, open_async, clear_async, push_async, read_async);

/// The results of all histories of a row of the table.
#[derive(Default)]
pub struct Tally {
    histories: u64,
    cuts: u64,
    /// How often a record was looked for after its push had returned, and how often it was not found.
    acknowledged: u64,
    lost: u64,
    /// Records that nobody pushed, or that are there twice or out of order.
    invented: u64,
    /// The number of reads that failed for an index less than `len`, or differed.
    unreadable: u64,
    /// The number of logs that `open` refused forever, though `clear` was called where `open` asked for it.
    stuck: u64,
    /// The number of starts with power that ended with an error, though the log was not full.
    silent: u64,
    /// The first history in which any of that happened.
    first: Option<String>,
    /// The copies of the partition that `idx_std::repair` has read.
    images: HashSet<Vec<u8>>,
}

impl Tally {
    fn failures(&self) -> [u64; 5] {
        [self.lost, self.invented, self.unreadable, self.stuck, self.silent]
    }
}

#[derive(Clone)]
struct History<const W: usize, const R: usize, const E: usize> {
    chip: Chip<W, R, E>,
    /// The number of the next record.
    next: u32,
    acknowledged: BTreeSet<u32>,
    /// The results so far.
    starts: Vec<Start>,
}

impl<const W: usize, const R: usize, const E: usize> History<W, R, E> {
    /// Runs a start, looks at what it left behind, and returns whether the power failed.
    fn start<L: Logger, T: Numbered>(&mut self, start: Start, tally: &mut Tally) -> bool {
        self.chip.start(start.cut, start.nature);
        self.starts.push(start);
        if start.clears {
            // From here on they may be gone.
            self.acknowledged.clear();
        }
        let acknowledged = &mut self.acknowledged;
        let run = L::run::<T, W, R, E>(&mut self.chip, start, &mut self.next, |number| {
            acknowledged.insert(number);
        });
        let is_silent = !self.chip.is_off
            && run.is_err_and(|error| !matches!(error, StorageError::Full { .. }));
        tally.silent += u64::from(is_silent);
        tally.cuts += u64::from(self.chip.is_off);
        assert_eq!(self.chip.misaligned, 0, "each call has aligned memory");
        self.look::<L, T>(tally);
        self.chip.is_off
    }

    /// Compares what a program finds at the next start.
    fn look<L: Logger, T: Numbered>(&self, tally: &mut Tally) {
        let mut chip = self.chip.clone();
        chip.start(usize::MAX, Nature::Untouched);
        let bytes = chip.bytes.clone();
        tally.acknowledged += self.acknowledged.len() as u64;
        match L::read::<T, W, R, E>(&mut chip) {
            Ok([forwards, backwards]) => {
                assert!(chip.bytes == bytes, "reading changes nothing");
                tally.unreadable +=
                    forwards.iter().filter(|record| record.is_none()).count() as u64;
                tally.unreadable += u64::from(!forwards.iter().eq(backwards.iter().rev()));
                let records: Vec<T> = forwards.into_iter().flatten().collect();
                self.compare(&records, tally);
                if self.chip.is_stable() {
                    self.compare_image(&bytes, &records, tally);
                }
            }
            // It says that nothing is there.
            Err(StorageError::Unfinished { .. }) => {
                tally.lost += self.acknowledged.len() as u64;
                let start = Start { clears: true, pushes: 1, cut: 0, nature: Nature::Untouched };
                let cleared = L::run::<T, W, R, E>(&mut chip, start, &mut self.next.clone(), drop);
                let is_open =
                    L::read::<T, W, R, E>(&mut chip).is_ok_and(|[found, _]| found.len() == 1);
                tally.stuck += u64::from(cleared.is_err() || !is_open);
            }
            Err(_) => {
                tally.lost += self.acknowledged.len() as u64;
                let is_refused =
                    |found| !matches!(found, Ok(_) | Err(StorageError::Unfinished { .. }));
                let is_stuck = (0..3).all(|_| is_refused(L::read::<T, W, R, E>(&mut chip)));
                tally.stuck += u64::from(is_stuck);
            }
        }
        let (before, after) = (&chip.bytes[..256], &chip.bytes[768..]);
        assert!(before.iter().chain(after).all(|byte| *byte == 0xFF), "it left its partition");
    }

    /// Acknowledged records are there, in order, and nothing else but records that were begun.
    fn compare<T: Numbered>(&self, records: &[T], tally: &mut Tally) {
        if T::SIZE == 0 {
            tally.lost += u64::from(records.len() < self.acknowledged.len());
            tally.invented += u64::from(records.len() > self.next as usize);
            return;
        }
        let number = |record: &T| (0..self.next).find(|number| T::numbered(*number) == *record);
        let found: Vec<_> = records.iter().map(number).collect();
        tally.lost +=
            self.acknowledged.iter().filter(|safe| !found.contains(&Some(**safe))).count() as u64;
        tally.invented += found.iter().filter(|number| number.is_none()).count() as u64;
        let known: Vec<u32> = found.into_iter().flatten().collect();
        tally.invented += known.windows(2).filter(|pair| pair[0] >= pair[1]).count() as u64;
    }

    /// A desktop makes the same records of a copy of the partition.
    fn compare_image<T: Numbered>(&self, chip: &[u8], records: &[T], tally: &mut Tally) {
        let image = &chip[256..768];
        if image.iter().any(|byte| *byte != 0xFF) && tally.images.insert(image.to_vec()) {
            match repaired::<T>(image) {
                Ok(found) => {
                    assert!(found == records, "{} instead of {}", found.len(), records.len())
                }
                Err(error) => assert!(records.is_empty(), "{error}"),
            }
        }
    }
}

/// The records that a desktop makes of a copy of the partition.
pub fn repaired<T: Numbered>(image: &[u8]) -> Result<Vec<T>, idx_std::Error> {
    thread_local! {
        static FOLDER: tempfile::TempDir = in_memory();
    }
    FOLDER.with(|folder| {
        let (path, file) = (folder.path().join("log"), folder.path().join("file"));
        std::fs::write(&path, image).unwrap();
        assert!(idx_std::open(&path).is_err(), "no reader takes it for a file");
        let _ = std::fs::remove_file(&file);
        idx_std::repair(&path)?.write_to(&file)?;
        idx_std::Reader::open(&file)?.records::<T>()?.collect()
    })
}

/// A folder that need not be synced to a disk, if the system has one.
fn in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Runs histories of four starts: all with the first two starts cut at each word and the third at some, or `some`
/// random ones of them.
fn histories<L: Logger, T: Numbered, const W: usize, const R: usize, const E: usize>(
    natures: &[Nature],
    twice: Twice,
    clears: bool,
    some: Option<u32>,
) -> Tally {
    let mut tally = Tally::default();
    let chip = Chip::<W, R, E>::new(SIZE, twice);
    let new = History { chip, next: 0, acknowledged: BTreeSet::new(), starts: Vec::new() };
    let mut random = 0x9E37_79B9_u32;
    let mut below = |max: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % max
    };
    for _ in 0..some.unwrap_or(0) {
        let mut start = |clears| {
            let pushes = below(3);
            // The erasing and the header of a first push, and the words of each record.
            let cut = below((T::SIZE + 4).div_ceil(W) * (pushes + 1) + 40_usize.div_ceil(W) + 6);
            Start { clears, pushes: pushes as u32, cut, nature: natures[below(natures.len())] }
        };
        let (first, second) = (start(false), start(clears));
        let mut history = new.clone();
        history.start::<L, T>(first, &mut tally);
        history.start::<L, T>(second, &mut tally);
        ends::<L, T, W, R, E>(&history, [second.nature, first.nature], &mut tally);
    }
    if some.is_some() {
        return tally;
    }
    for (position, nature) in natures.iter().enumerate() {
        for pushes in 0..3 {
            for cut in 0.. {
                let mut first = new.clone();
                let start = Start { clears: false, pushes, cut, nature: *nature };
                let was_cut = first.start::<L, T>(start, &mut tally);
                for (again, other) in
                    (0..3).flat_map(|again| natures.iter().map(move |other| (again, other)))
                {
                    for other_cut in 0.. {
                        let mut history = first.clone();
                        let start = Start { clears, pushes: again, cut: other_cut, nature: *other };
                        if !history.start::<L, T>(start, &mut tally) {
                            break;
                        }
                        let third = natures[(position + cut + other_cut) % natures.len()];
                        ends::<L, T, W, R, E>(&history, [third, *nature], &mut tally);
                    }
                }
                if !was_cut {
                    break;
                }
            }
        }
    }
    tally
}

/// Goes on with a third start that is cut, or not, and a fourth.
fn ends<L: Logger, T: Numbered, const W: usize, const R: usize, const E: usize>(
    history: &History<W, R, E>,
    [third, fourth]: [Nature; 2],
    tally: &mut Tally,
) {
    for (pushes, cut) in [(1, usize::MAX), (1, 0), (1, 1), (2, 2), (2, 4)] {
        let before = tally.failures();
        let mut history = history.clone();
        let start = Start { clears: false, pushes, cut, nature: third };
        history.start::<L, T>(start, tally);
        let last = Start { clears: false, pushes: 1, cut: usize::MAX, nature: fourth };
        history.start::<L, T>(last, tally);
        tally.histories += 1;
        if tally.failures() != before {
            tally.first.get_or_insert_with(|| format!("{:#?}", history.starts));
        }
    }
}

const COLUMNS: &str = "| a word that was torn | a word written twice | WRITE_SIZE | record | `clear` | histories | power failures \
     | acknowledged | lost | invented | unreadable | stuck | silent |\n\
     | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// Prints a row, and returns what failed.
fn row<L: Logger, T: Numbered, const W: usize, const R: usize, const E: usize>(
    natures: (&str, &[Nature]),
    twice: Twice,
    clears: bool,
    some: Option<u32>,
) -> [u64; 5] {
    let tally = histories::<L, T, W, R, E>(natures.1, twice, clears, some);
    let Tally { histories, cuts, acknowledged, lost, invented, unreadable, stuck, silent, .. } =
        &tally;
    let clears = if clears { "yes" } else { "no" };
    println!(
        "| {} | {twice:?} | {W} | {} | {clears} | {histories} | {cuts} | {acknowledged} | {lost} | {invented} | {unreadable} | {stuck} | {silent} |",
        natures.0,
        T::SIZE
    );
    if let Some(first) = &tally.first {
        println!("first: {first}");
    }
    assert!(tally.cuts > 100, "{}", tally.cuts);
    tally.failures()
}

const STABLE: (&str, &[Nature]) = (
    "stays as it is",
    &[Nature::Untouched, Nature::Whole, Nature::Zero, Nature::Half, Nature::Random(1)],
);
const LATENT: (&str, &[Nature]) =
    ("reads FF until the next start", &[Nature::Latent, Nature::Whole, Nature::Untouched]);
const UNSTABLE: (&str, &[Nature]) =
    ("changes between reads", &[Nature::Unstable, Nature::Whole, Nature::Untouched]);
const DOUBTFUL: (&str, &[Nature]) =
    ("can be read at times", &[Nature::Doubtful, Nature::Whole, Nature::Untouched]);
const UNREADABLE: (&str, &[Nature]) =
    ("cannot be read", &[Nature::Unreadable, Nature::Whole, Nature::Untouched]);

/// The rows that docs/firmware.md promises.
fn promised(some: Option<u32>) {
    println!("{COLUMNS}");
    const NOTHING: [u64; 5] = [0; 5];
    use Twice::{Anded, Other, Refused};
    for clears in [false, true] {
        let all = [
            row::<Blocking, u8, 1, 1, 128>(STABLE, Refused, clears, some),
            row::<Blocking, [i16; 3], 2, 4, 128>(STABLE, Refused, clears, some),
            row::<Blocking, [i16; 3], 4, 4, 128>(STABLE, Refused, clears, some),
            row::<Blocking, [i16; 3], 4, 4, 128>(STABLE, Anded, clears, some),
            row::<Blocking, [i16; 3], 4, 4, 128>(STABLE, Other, clears, some),
            row::<Blocking, [u8; 0], 4, 1, 128>(STABLE, Refused, clears, some),
            row::<Asynchronous, [u8; 33], 8, 8, 128>(STABLE, Refused, clears, some),
            row::<Blocking, [i32; 10], 32, 32, 256>(STABLE, Refused, clears, some),
            row::<Blocking, [i16; 3], 4, 4, 128>(LATENT, Refused, clears, some),
            row::<Blocking, [i16; 3], 4, 4, 128>(LATENT, Anded, clears, some),
            row::<Asynchronous, [i16; 3], 32, 4, 128>(LATENT, Other, clears, some),
            row::<Blocking, [i16; 3], 8, 8, 128>(UNREADABLE, Refused, clears, some),
            row::<Blocking, [i16; 3], 8, 8, 128>(UNREADABLE, Anded, clears, some),
            row::<Blocking, [i16; 3], 8, 8, 128>(UNREADABLE, Other, clears, some),
        ];
        assert_eq!(all, [NOTHING; 14]);
    }
    let all = [
        row::<Blocking, [i16; 3], 4, 4, 128>(UNSTABLE, Anded, false, some),
        row::<Asynchronous, [i16; 3], 8, 8, 128>(UNSTABLE, Other, false, some),
        row::<Blocking, [i16; 3], 32, 4, 128>(UNSTABLE, Other, false, some),
    ];
    assert_eq!(all, [NOTHING; 3]);
    // Without a promise that each start can log: an erasing that was cut may leave a sector as it was, where each word
    // refuses, and a torn first record that is whole from then on keeps it from being erased again. A header that can be
    // read at times may be whole, and then fail.
    let all = [
        row::<Blocking, [i16; 3], 4, 4, 128>(UNSTABLE, Refused, false, some),
        row::<Blocking, [i16; 3], 8, 8, 128>(DOUBTFUL, Refused, false, some),
        row::<Blocking, [i16; 3], 4, 4, 128>(DOUBTFUL, Anded, false, some),
        row::<Asynchronous, u8, 1, 1, 128>(DOUBTFUL, Other, false, some),
    ];
    assert_eq!(all.map(|[kept @ .., _silent]| kept), [[0; 4]; 4]);
}

#[test]
#[cfg_attr(miri, ignore = "it has no files, and the histories take too long")]
fn no_record_is_lost_or_invented() {
    promised(Some(40));
}

/// All of them: some minutes.
#[test]
#[ignore = "takes minutes"]
fn no_record_is_lost_or_invented_in_any_history() {
    promised(None);
    println!("\nNot promised:\n{COLUMNS}");
    row::<Blocking, [i16; 3], 4, 4, 128>(UNSTABLE, Twice::Worn, false, None);
    row::<Blocking, [i16; 3], 8, 8, 128>(UNREADABLE, Twice::Worn, false, None);
    row::<Blocking, [i16; 3], 4, 4, 128>(UNSTABLE, Twice::Anded, true, None);
    row::<Blocking, [i16; 3], 4, 4, 128>(UNSTABLE, Twice::Refused, true, None);
}

/// The control: a log without marks, which ends where erased flash begins.
struct ByHand;

impl Logger for ByHand {
    fn run<T: Numbered, const W: usize, const R: usize, const E: usize>(
        chip: &mut Chip<W, R, E>,
        start: Start,
        next: &mut u32,
        mut each: impl FnMut(u32),
    ) -> Result<(), Error> {
        use embedded_storage::nor_flash::NorFlash;
        let records = chip.bytes[256..768].chunks_exact(T::SIZE);
        let len = records.take_while(|record| record.iter().any(|byte| *byte != 0xFF)).count();
        for index in (len..).take(start.pushes as usize) {
            let mut bytes = Aligned([0; 64]);
            let number = *next;
            *next += 1;
            T::numbered(number).encode(&mut bytes.0[..T::SIZE]).unwrap();
            let offset = 256 + (index * T::SIZE) as u32;
            chip.write(offset, &bytes.0[..T::SIZE]).map_err(StorageError::Storage)?;
            each(number);
        }
        Ok(())
    }

    fn read<T: Numbered, const W: usize, const R: usize, const E: usize>(
        chip: &mut Chip<W, R, E>,
    ) -> Result<[Vec<Option<T>>; 2], Error> {
        let mut bytes = Aligned([0; 512]);
        chip.read(256, &mut bytes.0).map_err(StorageError::Storage)?;
        let records = bytes.0.chunks_exact(T::SIZE);
        let written = records.take_while(|record| record.iter().any(|byte| *byte != 0xFF));
        let found: Vec<_> = written.map(T::decode).collect();
        Ok([found, Vec::new()])
    }
}

#[repr(align(4))]
struct Aligned<const N: usize>([u8; N]);

#[test]
#[cfg_attr(miri, ignore = "the histories take too long")]
fn the_model_fails_a_log_without_marks() {
    let mut tally = Tally::default();
    for (cut, nature) in (0..20).flat_map(|cut| STABLE.1.iter().map(move |nature| (cut, *nature))) {
        let chip = Chip::<4, 4, 128>::new(SIZE, Twice::Refused);
        let mut history =
            History { chip, next: 1, acknowledged: BTreeSet::new(), starts: Vec::new() };
        for cut in [cut, cut % 7, usize::MAX] {
            let start = Start { clears: false, pushes: 2, cut, nature };
            history.chip.start(start.cut, start.nature);
            let acknowledged = &mut history.acknowledged;
            let _ = ByHand::run::<[i32; 10], 4, 4, 128>(
                &mut history.chip,
                start,
                &mut history.next,
                |number| {
                    acknowledged.insert(number);
                },
            );
            let mut chip = history.chip.clone();
            chip.start(usize::MAX, Nature::Untouched);
            let [found, _] = ByHand::read::<[i32; 10], 4, 4, 128>(&mut chip).unwrap();
            history.compare(&found.into_iter().flatten().collect::<Vec<_>>(), &mut tally);
        }
    }
    assert!(tally.invented > 0, "the model is too kind");
}
