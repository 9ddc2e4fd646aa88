//! Every public function of idx-core that decodes, with bytes that the compiler does not know.
//!
//! That it links is the proof: no path leads to a panic. That it ends is worth something too, so it
//! is run on a file cut at each length and with each byte changed.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::fmt::{self, Write};
use core::hint::black_box;

use firmware::{Outcome, ensure};
use idx_core::{ElementType, Error, Header, Idx, IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Tile([[u8; 2]; 2]);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Acceleration {
    x: i16,
    y: i16,
    z: i16,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(i32)]
enum Direction {
    Up = 1,
    Down = -1,
    Left = 1000,
}

static TILES: [u8; 24] = [
    0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8,
];

firmware::program!(run);

fn run() -> Outcome {
    if cfg!(feature = "reachable-panic") {
        black_box(TILES[black_box(4)]);
    }
    for size in 0..=TILES.len() {
        every_path(TILES.get(..size).unwrap_or_default());
    }
    for changed in 0..TILES.len() {
        let mut bytes = TILES;
        if let Some(byte) = bytes.get_mut(changed) {
            *byte = byte.wrapping_add(1);
        }
        every_path(&bytes);
    }
    let tiles = Records::<Tile>::parse(black_box(&TILES));
    ensure(tiles.is_ok_and(|tiles| tiles.len() == 2), "the tiles are not read")
}

#[inline(never)]
fn every_path(bytes: &[u8]) {
    let bytes = black_box(bytes);
    match Header::parse(bytes) {
        Ok((parsed, rest)) => {
            black_box(rest);
            header(parsed);
        }
        Err(error) => described(error),
    }
    match Idx::parse_prefix(bytes) {
        Ok((parsed, rest)) => {
            black_box(rest);
            idx(parsed);
        }
        Err(error) => described(error),
    }
    if let Ok(parsed) = Idx::parse(bytes) {
        idx(parsed);
    }

    typed::<u8>(bytes);
    typed::<[i8; 2]>(bytes);
    typed::<i16>(bytes);
    typed::<i32>(bytes);
    typed::<[f32; 3]>(bytes);
    typed::<f64>(bytes);
    typed::<[[be::F64; 0]; 2]>(bytes);
    typed::<Tile>(bytes);
    typed::<Label>(bytes);
    typed::<Acceleration>(bytes);
    typed::<Direction>(bytes);

    macro_rules! borrowed {
        ($($record:ty),+) => {$(
            if let Ok(records) = Records::<$record>::parse(bytes) {
                black_box(records.as_slice());
            }
        )+};
    }
    // Not of `f32` and `f64`: the `Debug` of these, which is part of `core`, can panic.
    macro_rules! debugged {
        ($($record:ty),+) => {$(
            if let Ok(records) = Records::<$record>::parse(bytes) {
                printed(format_args!("{records:?} {:?}", records.iter()));
            }
        )+};
    }
    debugged!(u8, i8, [be::I16; 3], be::I32, Tile, Label, Acceleration, Direction);
    borrowed!(u8, i8, [be::I16; 3], be::I32, [[be::F32; 2]; 2], be::F64, Tile);
}

fn header(header: Header<'_>) {
    let dims = header.dims();
    black_box((dims.len(), dims.is_empty(), dims.get(black_box(1))));
    black_box((dims.iter().sum::<u32>(), dims.iter().next_back()));
    black_box((header.element_type(), header.rank(), header.record_dims()));
    black_box((header.header_size(), header.payload_size()));
    black_box((header.record_count(), header.record_size()));
    printed(dims);
}

fn idx(idx: Idx<'_>) {
    header(idx.header());
    black_box((idx.payload(), idx.len(), idx.is_empty()));
    black_box(idx.record_bytes(black_box(1)));
    black_box(idx.records::<Tile>().is_ok());
    black_box(idx.elements::<Label>().is_ok());
    black_box(idx.elements::<f32>().is_ok());
    if let Some(element) = ElementType::from_code(black_box(0x0B)) {
        black_box((element.code(), element.size(), element.value(idx.payload())));
        printed(element);
    }
}

fn typed<T: IdxRecord + PartialEq>(bytes: &[u8]) {
    match Records::<T>::parse_prefix(bytes) {
        Ok((parsed, rest)) => {
            black_box(rest);
            records(parsed);
        }
        Err(error) => described(error),
    }
    match Records::<T>::parse(bytes) {
        Ok(parsed) => records(parsed),
        Err(error) => described(error),
    }
    black_box(T::decode(bytes));
}

fn records<T: IdxRecord + PartialEq>(records: Records<'_, T>) {
    let index = black_box(1);
    black_box((records.len(), records.is_empty()));
    black_box((records.get(index), records.record_bytes(index)));
    for record in records {
        let mut bytes = [0; 16];
        black_box(record.encode(&mut bytes));
        black_box(bytes);
    }
    for record in records.iter().rev() {
        black_box(record);
    }
    black_box((records.iter().nth(index), records.iter().nth_back(index)));
    black_box((records.iter().size_hint(), records.iter().count()));
    black_box((records.iter().last(), records == records));
}

fn described(error: Error) {
    black_box(error.message());
    printed(error);
    printed(format_args!("{error:?}"));
}

fn printed(value: impl fmt::Display) {
    struct Nowhere;
    impl Write for Nowhere {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            black_box(text);
            Ok(())
        }
    }
    black_box(write!(Nowhere, "{value}").is_ok());
}
