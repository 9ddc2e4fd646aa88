//! Bad files: each is refused for the right reason, typed, untyped, as a stream and from external flash. And a good
//! one, whose sizes are all different.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::convert::Infallible;
use core::hint::black_box;

use embedded_storage::ReadStorage;
use firmware::{Outcome, ensure, print};
use idx_core::storage::Storage;
use idx_core::stream::RecordDecoder;
use idx_core::{Idx, IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy, PartialEq)]
struct Block(#[idx(range = 0..=59)] [[[u8; 5]; 3]; 2]);

/// The header of two blocks.
const HEADER: [u8; 20] = [0, 0, 8, 4, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 5];

/// Two blocks that count from 0 to 59.
const GOOD: [u8; 80] = {
    let mut file = [0; 80];
    let (header, mut payload) = file.split_at_mut(HEADER.len());
    header.copy_from_slice(&HEADER);
    let mut number = 0;
    while let [first, rest @ ..] = payload {
        *first = number;
        number += 1;
        payload = rest;
    }
    file
};

/// The errors of a file that differs from the good one in this byte, or ends there.
struct Bad {
    index: usize,
    byte: Option<u8>,
    /// The message of `Records::parse`.
    typed: &'static str,
    /// The message of `Idx::parse` and `Idx::records`.
    untyped: &'static str,
}

const fn changed(index: usize, byte: u8, typed: &'static str, untyped: &'static str) -> Bad {
    Bad { index, byte: Some(byte), typed, untyped }
}

const fn ends(index: usize, message: &'static str) -> Bad {
    Bad { index, byte: None, typed: message, untyped: message }
}

const TRUNCATED: &str = "the payload is truncated";
const EXTRA: &str = "extra bytes after the payload";
const SHAPE: &str = "shape mismatch";

static BAD_FILES: [Bad; 18] = [
    ends(0, "the file is empty"),
    ends(3, "the header is truncated"),
    ends(4, "the header is truncated"),
    ends(19, "the header is truncated"),
    ends(20, TRUNCATED),
    ends(79, TRUNCATED),
    changed(0, 1, "this is not an IDX file", "this is not an IDX file"),
    changed(1, 1, "this is not an IDX file", "this is not an IDX file"),
    changed(2, 0x0A, "unknown element type", "unknown element type"),
    changed(2, 9, "element type mismatch", "element type mismatch"),
    changed(2, 0x0B, "element type mismatch", TRUNCATED),
    changed(3, 3, "rank mismatch", EXTRA),
    changed(7, 3, TRUNCATED, TRUNCATED),
    changed(7, 1, EXTRA, EXTRA),
    changed(11, 3, SHAPE, TRUNCATED),
    changed(15, 2, SHAPE, EXTRA),
    changed(19, 4, SHAPE, EXTRA),
    changed(
        79,
        60,
        "the record type does not allow a value",
        "the record type does not allow a value",
    ),
];

firmware::program!(run);

fn run() -> Outcome {
    good()?;
    for bad in &BAD_FILES {
        let mut file = black_box(GOOD);
        let mut len = file.len();
        match (bad.byte, file.get_mut(bad.index)) {
            (Some(byte), Some(target)) => *target = byte,
            _ => len = bad.index,
        }
        refused(file.get(..len).unwrap_or_default(), bad)?;
    }
    print!("{} bad files are refused\n", BAD_FILES.len());
    Ok(())
}

/// Checks that the last dimension is the fastest.
fn good() -> Outcome {
    let file = black_box(GOOD);
    let blocks = Records::<Block>::parse(&file).map_err(|error| error.message())?;
    let mut expected = 0;
    for Block(block) in blocks {
        for number in block.as_flattened().as_flattened() {
            ensure(*number == expected, "a number is not in its place")?;
            expected += 1;
        }
    }
    ensure(expected == 60, "numbers are missing")?;
    // Two records without bytes: without a check, any index would be accepted.
    let empty = Records::<[u8; 0]>::parse(black_box(&[0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 0]))
        .map_err(|error| error.message())?;
    ensure(empty.get(1).is_some() && empty.get(2).is_none(), "the bound is wrong")
}

fn refused(file: &[u8], bad: &Bad) -> Outcome {
    let typed = Records::<Block>::parse(file).err();
    ensure(
        typed.is_some_and(|error| error.message() == bad.typed),
        "a typed parse reports another error",
    )?;
    let untyped = Idx::parse(file).and_then(|idx| idx.records::<Block>()).err();
    ensure(
        untyped.is_some_and(|error| error.message() == bad.untyped),
        "an untyped parse reports another error",
    )?;
    ensure(streamed(file) == Some(bad.typed), "a stream reports another error")?;
    // Bytes after the file are padding in flash.
    let expected = (bad.typed != EXTRA).then_some(bad.typed);
    ensure(stored(file) == expected, "a storage reports another error")
}

fn streamed(file: &[u8]) -> Option<&'static str> {
    let mut decoder = RecordDecoder::<Block, { Block::SIZE }>::new();
    let mut rest = file;
    loop {
        match decoder.push_bytes(&mut rest) {
            Ok(Some(_)) => {}
            Ok(None) => return decoder.finish().err().map(|error| error.message()),
            Err(error) => return Some(error.message()),
        }
    }
}

fn stored(file: &[u8]) -> Option<&'static str> {
    let mut blocks = match Storage::<_, Block>::open(Flash(file), 0) {
        Ok(blocks) => blocks,
        Err(error) => return Some(error.message()),
    };
    let mut buffer = [0; Block::SIZE];
    (0..blocks.len()).find_map(|index| {
        let read = blocks.read_bytes(index, &mut buffer);
        read.err().map(|error| error.message())
    })
}

struct Flash<'a>(&'a [u8]);

impl ReadStorage for Flash<'_> {
    type Error = Infallible;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
        let source = self.0.get(offset as usize..).unwrap_or_default();
        for (byte, source) in bytes.iter_mut().zip(source) {
            *byte = *source;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}
