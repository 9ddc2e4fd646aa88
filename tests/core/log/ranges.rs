//! The contents of a range: other things, a log of another type, a log that is full, cleared or damaged.

use embedded_storage::nor_flash::{NorFlash, NorFlashErrorKind};
use idx_core::log::Log;
use idx_core::storage::StorageError;
use idx_core::{ElementType, ErrorKind, IdxRecord};

use crate::log::chip::{Async, Chip, Nature, Twice};
use crate::log::histories::{Numbered, RANGE, SIZE, ready, repaired};

#[derive(IdxRecord, Debug, PartialEq)]
struct Entry {
    number: i32,
    #[idx(range = 0..=9)]
    state: i32,
}

#[test]
fn errors_say_what_to_do() {
    let mut chip = Chip::<4, 4, 64>::new(SIZE, Twice::Refused);
    let mut log = Log::<Entry, _>::open(&mut chip, 0..128).unwrap();
    assert_eq!((log.capacity(), log.is_full(), log.is_empty()), (8, false, true));
    let refused = log.push(&Entry { number: 0, state: 10 }).unwrap_err();
    let expected = ErrorKind::ValueNotAllowed { record: 0, value: 10 };
    assert!(matches!(refused, StorageError::Format(error) if error == expected), "{refused}");
    let entry = |number| Entry { number, state: 7 };
    for number in 0..8 {
        assert!(!log.is_full());
        log.push(&entry(number)).unwrap();
    }
    assert_eq!((log.is_full(), log.is_empty()), (true, false));
    let full = log.push(&entry(8)).unwrap_err();
    assert_eq!(full, StorageError::Full { len: 8 });
    assert_eq!(
        full.to_string(),
        "the log is full: 8 records; copy them, then start a new one with `Log::clear`"
    );
    assert!(log.iter().map(Result::unwrap).eq((0..8).map(entry)));
    assert_eq!(log.iter().len(), 8);
    let mut buffer = [0xAA; 10];
    assert_eq!(log.read_bytes(3, &mut buffer), Ok(&[0, 0, 0, 3, 0, 0, 0, 7][..]));
    assert_eq!(buffer[8..], [0xAA; 2]);
    let small = StorageError::BufferTooSmall { needed: 8, found: 7 };
    assert_eq!(log.read_bytes(3, &mut [0; 7]), Err(small));

    // The word in the middle of the third record.
    chip.bytes[24 + 2 * 12 + 6] ^= 1;
    let mut log = Log::<Entry, _>::open(&mut chip, 0..128).unwrap();
    let damaged = log.read(2).unwrap_err();
    assert_eq!(damaged, StorageError::Damaged { index: 2 });
    assert_eq!(
        damaged.to_string(),
        "a record of the log is damaged: record 2; the others can be read"
    );
    assert_eq!(log.iter().filter(Result::is_ok).count(), 7);

    let other = Log::<[i16; 3], _>::open(&mut chip, 0..128).unwrap_err();
    let expected =
        ErrorKind::ElementMismatch { expected: ElementType::I16, found: ElementType::I32 };
    assert!(matches!(other, StorageError::Format(error) if error == expected), "{other}");
    let other = Log::<[i32; 3], _>::open(&mut chip, 0..128).unwrap_err();
    assert_eq!(
        other.to_string(),
        "shape mismatch: dimension 1 is 2 in the file but 3 in the record type; change the record type"
    );
    let other = Log::<[[i32; 2]; 4], _>::open(&mut chip, 0..128).unwrap_err();
    let expected = ErrorKind::RankMismatch { expected: 3, found: 2 };
    assert!(matches!(other, StorageError::Format(error) if error == expected), "{other}");

    chip.fill(256, &[42; 70]);
    let other = Log::<Entry, _>::open(&mut chip, 256..512).unwrap_err();
    assert_eq!(
        other.to_string(),
        "neither a log nor erased flash: at offset 256; if you need nothing of it, erase it with `Log::clear`"
    );
    for range in [160..170, 170..170, 64..64 + 24 + 11] {
        let small = Log::<Entry, _>::open(&mut chip, range).unwrap_err();
        assert_eq!(small, StorageError::Full { len: 0 });
    }
    #[expect(clippy::reversed_empty_ranges, reason = "as a wrong partition table may have it")]
    let empty = Log::<Entry, _>::open(&mut chip, 170..160).unwrap_err();
    assert_eq!(empty, StorageError::Full { len: 0 });
}

/// After a start the last record is written once more, which takes a place.
#[test]
fn a_log_is_full_when_a_push_would_say_so() {
    let entry = |number| Entry { number, state: 7 };
    for records in 0..=8 {
        let mut chip = Chip::<4, 4, 64>::new(SIZE, Twice::Refused);
        let mut log = Log::<Entry, _>::open(&mut chip, 0..128).unwrap();
        (0..records).for_each(|number| log.push(&entry(number)).unwrap());
        assert_eq!(log.is_full(), records == 8);
        let mut log = Log::<Entry, _>::open(&mut chip, 0..128).unwrap();
        assert_eq!(log.is_full(), records >= 7, "{records}");
        assert_eq!(log.push(&entry(records)).is_err(), records >= 7, "{records}");
    }
    // A single place.
    let mut chip = Chip::<4, 4, 64>::new(SIZE, Twice::Refused);
    for record in 0..2 {
        let mut log = Log::<[u8; 80], _>::open(&mut chip, 0..128).unwrap();
        assert_eq!((log.capacity(), log.is_full()), (1, record > 0));
        assert_eq!(log.push(&[9; 80]).is_err(), record > 0);
        assert!(log.is_full());
    }
}

#[test]
fn a_sixth_place_in_a_row_that_refuses_is_an_error() {
    for refused in 0..8 {
        let mut chip = Chip::<4, 4, 128>::new(SIZE, Twice::Refused);
        Log::<Entry, _>::open(&mut chip, 0..256)
            .unwrap()
            .push(&Entry { number: 0, state: 0 })
            .unwrap();
        // It reads as erased.
        chip.write(24 + 12, &[0xFF; 84][..12 * refused]).unwrap();
        let mut log = Log::<Entry, _>::open(&mut chip, 0..256).unwrap();
        assert_eq!(log.push(&Entry { number: 1, state: 1 }).is_ok(), refused < 6, "{refused}");
    }
}

/// Six places in a row are tried, if there are so many.
#[test]
fn last_places_that_refuse_make_a_log_full() {
    let entry = |number| Entry { number, state: 7 };
    for kept in 2..8 {
        let mut chip = Chip::<4, 4, 64>::new(SIZE, Twice::Refused);
        let mut log = Log::<Entry, _>::open(&mut chip, 0..128).unwrap();
        (0..kept).for_each(|number| log.push(&entry(number)).unwrap());
        // They read as erased.
        let free = 24 + 12 * usize::try_from(kept).unwrap();
        chip.write(u32::try_from(free).unwrap(), &[0xFF; 96][..24 + 96 - free]).unwrap();
        for _ in 0..2 {
            let mut log = Log::<Entry, _>::open(&mut chip, 0..128).unwrap();
            let len = u32::try_from(kept).unwrap();
            for _ in 0..2 {
                assert_eq!(log.push(&entry(kept)), Err(StorageError::Full { len }));
            }
            assert!(log.is_full());
            assert!(log.iter().map(Result::unwrap).eq((0..kept).map(entry)));
        }
    }
}

#[test]
fn nothing_behind_a_range_that_ends_within_a_sector_is_erased() {
    let mut chip = Chip::<4, 4, 64>::new(SIZE, Twice::Refused);
    chip.fill(140, &[42; 48]);
    Log::<Entry, _>::clear(&mut chip, 0..164).unwrap();
    assert_eq!(chip.bytes[140..188], [42; 48]);
}

/// The number has 16 bits, and one value is that of erased flash.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_log_counts_65_534_torn_places() {
    for (torn, fits) in [(65_533, true), (65_534, false)] {
        let mut chip = Chip::<1, 1, 4096>::new(81 * 4096, Twice::Anded);
        let range = 0..81 * 4096;
        Log::<u8, _>::open(&mut chip, range.clone()).unwrap().push(&7).unwrap();
        // Of each place the record, but not the mark before it.
        chip.bytes[17 + 5..].chunks_mut(5).take(torn).for_each(|place| place[4] = 0);
        let mut log = Log::<u8, _>::open(&mut chip, range.clone()).unwrap();
        assert_eq!((log.len(), log.is_full()), (1, !fits));
        assert_eq!(log.push(&8), if fits { Ok(()) } else { Err(StorageError::Full { len: 1 }) });
        let records: &[u8] = if fits { &[7, 8] } else { &[7] };
        assert!(log.iter().map(Result::unwrap).eq(records.iter().copied()));
        let mut log = Log::<u8, _>::open(&mut chip, range).unwrap();
        assert!(log.iter().map(Result::unwrap).eq(records.iter().copied()));
    }
}

/// Opens a range as logs of many types; none may be there, and nothing may change.
fn is_refused<const W: usize>(chip: &Chip<W, 1, 128>, what: &str) {
    fn open<T: IdxRecord, const W: usize>(chip: &Chip<W, 1, 128>, what: &str) {
        let mut copy = chip.clone();
        let opened = Log::<T, _>::open(&mut copy, RANGE).map(|log| log.len());
        assert!(opened.is_err(), "{what}, opened as records of {} bytes, W{W}", T::SIZE);
        assert_eq!((copy.writes, copy.erases), (chip.writes, chip.erases), "{what}");
        assert!(copy.bytes == chip.bytes);
    }
    open::<i8, W>(chip, what);
    open::<[u8; 0], W>(chip, what);
    open::<[i8; 2], W>(chip, what);
    open::<[f32; 3], W>(chip, what);
    open::<[[[u8; 1]; 2]; 3], W>(chip, what);
    open::<[i32; 10], W>(chip, what);
    open::<[u8; 100], W>(chip, what);
    open::<[u8; 400], W>(chip, what);
    open::<[u8; 4096], W>(chip, what);
}

/// In words of `W` bytes: logs of other types, settings at either end, a program, a byte anywhere.
fn other_things_stay<const W: usize>() {
    fn with<T: Numbered, const W: usize>(count: u32) -> Chip<W, 1, 128> {
        let mut chip = Chip::new(SIZE, Twice::Refused);
        let mut log = Log::<T, _>::clear(&mut chip, RANGE).unwrap();
        let count = count.min(log.capacity());
        (0..count).for_each(|number| log.push(&T::numbered(number)).unwrap());
        chip
    }
    for count in [0, 1, 5] {
        is_refused(&with::<u8, W>(count), "a log of u8");
        is_refused(&with::<[i16; 3], W>(count), "a log of 3 x i16");
        is_refused(&with::<[u8; 33], W>(count), "a log of 33 x u8");
    }
    is_refused(&with::<[u8; 200], W>(1), "a log of 200 x u8");
    let empty = Chip::<W, 1, 128>::new(SIZE, Twice::Refused);
    for (offset, len) in [(256, 20), (256, 8), (748, 20), (256, 512), (256, 128), (500, 1)] {
        let mut chip = empty.clone();
        chip.fill(offset, &[42; 512][..len]);
        is_refused(&chip, &format!("{len} bytes at {offset}"));
    }
    // Any byte but one that a header that was torn there may have.
    for offset in 256..768 {
        let mut chip = empty.clone();
        chip.fill(offset, &[0]);
        let mut expected = Chip::<W, 1, 128>::new(SIZE, Twice::Refused);
        Log::<i8, _>::clear(&mut expected, RANGE).unwrap();
        if expected.bytes[offset] != 0 {
            let opened = Log::<i8, _>::open(&mut chip, RANGE).map(|log| log.len());
            assert!(opened.is_err(), "a byte at {offset}, W{W}");
            assert_eq!((chip.writes, chip.erases), (0, 0));
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn open_changes_nothing() {
    other_things_stay::<1>();
    other_things_stay::<2>();
    other_things_stay::<4>();
    other_things_stay::<8>();
    other_things_stay::<16>();
    other_things_stay::<32>();
}

#[test]
#[cfg_attr(miri, ignore = "it has no files")]
fn a_copy_that_no_log_made_is_refused() {
    for word in [0, 33, 255] {
        let mut copy = *b"\x89IDXLOG\0\0\0\x08\x01\xFF\xFF\xFF\xFF\0\0\0\0";
        copy[7] = word;
        let error = repaired::<u8>(&copy).unwrap_err().to_string();
        assert!(error.ends_with("copy the log from the flash again"), "{error}");
    }
}

/// A copy of a whole chip, and one of two ranges.
#[test]
#[cfg_attr(miri, ignore = "it has no files")]
fn a_log_within_a_copy_is_found() {
    let chip = idx_std::IdxBuf::from_bytes(vec![0xFF; 64]).unwrap_err().to_string();
    let advice = "look for a log in it with `idx repair --dry-run`";
    assert_eq!(chip, format!("this is erased flash, not an IDX file; {advice}"));

    let mut chip = Chip::<4, 4, 128>::new(200_000 / 128 * 128, Twice::Refused);
    // Behind the end of what is read at once, in each position to it.
    for offset in [128, 65_408, 65_536, 131_072, 131_200] {
        let mut log = Log::<[i16; 3], _>::clear(&mut chip, offset..offset + 512).unwrap();
        (0..3).for_each(|number| log.push(&Numbered::numbered(number)).unwrap());
        for shift in 0..70 {
            for first in [&[0xFF][..], b"a program", b"\0\0\0\x20"] {
                let range = first.len().max(shift)..(offset as usize + 512);
                let copy = [first, &chip.bytes[range.clone()]].concat();
                let error = repaired::<[i16; 3]>(&copy).unwrap_err();
                let found = offset as usize - range.start + first.len();
                let sentence = format!("a log from flash begins at byte {found}; copy the range");
                assert!(error.to_string().contains(&sentence), "{error}");
                assert!(error.to_string().contains(&format!("`tail -c +{} ", found + 1)));
                assert_eq!(error.kind().code(), "log_within");
            }
        }
        let log = &chip.bytes[offset as usize..][..512];
        let alone = repaired::<[i16; 3]>(log).unwrap();
        assert_eq!(alone, Vec::from_iter((0..3).map(<[i16; 3]>::numbered)));
        let two = repaired::<[i16; 3]>(&[log, log].concat()).unwrap_err();
        assert!(two.to_string().contains("begins at byte 512;"), "{two}");
        chip.bytes[offset as usize..][..512].fill(0xFF);
    }
}

/// A bit that fell over makes no record wrong, and no other record unreadable.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_flipped_bit_is_found() {
    let mut chip = Chip::<4, 4, 128>::new(SIZE, Twice::Refused);
    let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
    let records = Vec::from_iter((0..20).map(<[i16; 3]>::numbered));
    records.iter().for_each(|record| log.push(record).unwrap());
    let (mut damaged, mut missing, mut refused) = (0, 0, 0);
    for bit in 0..(32 + 20 * 12) * 8 {
        let mut chip = chip.clone();
        chip.bytes[256 + bit / 8] ^= 1 << (bit % 8);
        let Ok(mut log) = Log::<[i16; 3], _>::open(&mut chip, RANGE) else {
            refused += 1;
            continue;
        };
        missing += 20 - log.len();
        for index in 0..log.len() {
            match log.read(index) {
                Ok(found) => assert_eq!(found, records[index as usize]),
                Err(error) => {
                    assert_eq!(error, StorageError::Damaged { index });
                    damaged += 1;
                }
            }
        }
    }
    println!(
        "| damaged | one record fewer | refused |\n| --- | --- | --- |\n| {damaged} | {missing} | {refused} |"
    );
    assert!(damaged > 1000 && missing < 100 && refused < 250);
}

#[expect(dead_code, reason = "it has a `main` of its own")]
#[path = "../../../idx-core/examples/two_logs.rs"]
mod two_logs;

use two_logs::{Measurement, RANGES};

/// The newest measurements are there after each power failure: at least those of one range, but for what its starts took.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn two_ranges_alternate() {
    let measurement = |number| Measurement { number, millivolts: -number };
    let natures = [
        Nature::Untouched,
        Nature::Whole,
        Nature::Zero,
        Nature::Half,
        Nature::Random(3),
        Nature::Latent,
    ];
    let (mut cuts, mut most) = (0, 0);
    for power in 0..300 {
        let mut chip = Chip::<4, 4, 64>::new(512, Twice::Refused);
        let mut safe = -1;
        for (start, power) in [power, power % 37, power % 11, usize::MAX].into_iter().enumerate() {
            chip.start(power, natures[(power / 7 + start) % natures.len()]);
            let next = safe + 1;
            let run = two_logs::log(&mut chip, (next..next + 40).map(measurement), |measurement| {
                safe = measurement.number;
            });
            assert_eq!(run.is_err(), chip.is_off, "{power}: {run:?}");
            cuts += u32::from(chip.is_off);
            let mut chip = chip.clone();
            chip.start(usize::MAX, Nature::Untouched);
            let mut found = Vec::new();
            for range in RANGES {
                let mut log = two_logs::open(&mut chip, range).unwrap();
                found.extend(log.iter().map(|record| record.unwrap().number));
            }
            // A range has 18 places.
            let newest = (safe - 13).max(0)..=safe;
            assert!(
                newest.clone().all(|number| found.contains(&number)),
                "{power}: {safe} {found:?}"
            );
            most = most.max(safe);
        }
    }
    assert!(cuts > 300 && most > 60, "{cuts} {most}");
}

/// A start that ends at the first error of a push goes on logging, also where each word that was begun refuses.
#[test]
fn a_program_that_starts_again_goes_on() {
    let natures = [Nature::Untouched, Nature::Latent, Nature::Zero, Nature::Unreadable];
    for nature in natures {
        let mut chip = Chip::<4, 4, 128>::new(SIZE, Twice::Refused);
        let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
        log.push(&[1; 3]).unwrap();
        for number in 0..5 {
            // Those that refuse count, too.
            let cut = if nature == Nature::Untouched { number } else { number % 3 };
            chip.start(cut, nature);
            let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
            log.push(&[9; 3]).unwrap_err();
        }
        chip.start(usize::MAX, nature);
        let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
        log.push(&[2; 3]).unwrap();
        assert_eq!(log.read(log.len() - 1), Ok([2; 3]));
        assert_eq!(log.read(0), Ok([1; 3]));
    }
}

/// A driver that fails once, before or after it did its work, costs no record.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_driver_that_fails_once() {
    for twice in [Twice::Refused, Twice::Anded] {
        for (call, is_done) in (1..200).flat_map(|call| [(call, false), (call, true)]) {
            let mut chip = Chip::<4, 4, 128>::new(SIZE, twice);
            chip.fails_at = Some((call, is_done));
            let mut safe = Vec::new();
            for start in 0..3 {
                let Ok(mut log) = Log::<[i16; 3], _>::open(&mut chip, RANGE) else { continue };
                for number in start * 5..start * 5 + 5 {
                    if log.push(&[number; 3]).is_ok() {
                        safe.push([number; 3]);
                    }
                }
            }
            chip.fails_at = None;
            let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
            let found: Vec<_> = log.iter().map(Result::unwrap).collect();
            assert!(safe.iter().all(|record| found.contains(record)), "{call}: {safe:?} {found:?}");
            assert!(found.is_sorted() && safe.len() > 9, "{found:?}");
        }
    }
}

/// A word that can be neither written nor read costs its place, and nothing else.
#[test]
fn a_worn_word_costs_its_place() {
    let records = Vec::from_iter((0..8).map(<[i16; 3]>::numbered));
    for word in (256 + 24) / 4..(256 + 24 + 60) / 4 {
        let mut chip = Chip::<4, 4, 128>::new(SIZE, Twice::Refused);
        chip.weak = Some(word);
        let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
        records.iter().for_each(|record| log.push(record).unwrap());
        for _ in 0..2 {
            assert!(log.iter().map(Result::unwrap).eq(records.iter().copied()), "word {word}");
            let backwards = (0..8).rev().map(|index| log.read(index).unwrap());
            assert!(backwards.eq(records.iter().rev().copied()), "word {word}");
            log = Log::open(log.into_inner(), RANGE).unwrap();
        }
    }
}

/// A range that is not of whole sectors ends with its last whole one, and one sector is not enough.
#[test]
fn ranges_are_whole_sectors() {
    let mut chip = Chip::<4, 4, 128>::new(SIZE, Twice::Refused);
    let places = Log::<[i16; 3], _>::open(&mut chip, 256..512).unwrap().capacity();
    for end in [513, 600, 639] {
        let mut log = Log::<[i16; 3], _>::clear(&mut chip, 256..end).unwrap();
        assert_eq!(log.capacity(), places);
        (0..places).for_each(|number| log.push(&Numbered::numbered(number)).unwrap());
        assert_eq!(log.push(&[0; 3]), Err(StorageError::Full { len: places }));
        let log = Log::<[i16; 3], _>::open(&mut chip, 256..512).unwrap();
        assert_eq!(log.len(), places);
    }
    for range in [256..384, 256..511, 640..641] {
        let (writes, erases) = (chip.writes, chip.erases);
        let full = Err(StorageError::Full { len: 0 });
        assert_eq!(Log::<[i16; 3], _>::open(&mut chip, range.clone()).map(drop), full);
        assert_eq!(Log::<[i16; 3], _>::clear(&mut chip, range).map(drop), full);
        assert_eq!((chip.writes, chip.erases), (writes, erases));
    }
    // One that begins within a sector is refused by the driver, before it changed anything.
    let before = chip.bytes.clone();
    let mut log = Log::<[i16; 3], _>::open(&mut chip, 644..900).unwrap();
    let refused = Err(StorageError::Storage(NorFlashErrorKind::NotAligned));
    assert_eq!(log.push(&[1; 3]), refused);
    assert_eq!(Log::<[i16; 3], _>::clear(&mut chip, 644..900).map(drop), refused);
    assert!(chip.bytes == before);
}

/// A future that is dropped while a record is written leaves its place to that record.
#[test]
fn a_dropped_push_has_a_place_of_its_own() {
    let mut chip = Chip::<8, 8, 128>::new(SIZE, Twice::Refused);
    let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
    log.push(&[1; 3]).unwrap();
    for power in 0..2 {
        // What a dropped future leaves, as the driver fails from there on until the next push.
        let mut log = Log::<[i16; 3], _>::open(&mut chip, RANGE).unwrap();
        log.push(&[2; 3]).unwrap();
        let before = log.len();
        let chip = log.into_inner();
        chip.start(power, Nature::Half);
        let mut log = Log::<[i16; 3], _>::open(&mut *chip, RANGE).unwrap();
        let _ = log.push(&[3; 3]);
        let chip = log.into_inner();
        chip.start(usize::MAX, Nature::Half);
        let mut log = ready(Log::<[i16; 3], _>::open_async(Async(chip), RANGE)).unwrap();
        assert!(log.len() == before || log.len() == before + 1);
        ready(log.push_async(&[4; 3])).unwrap();
        assert_eq!(ready(log.read_async(log.len() - 1)), Ok([4; 3]));
    }
}
