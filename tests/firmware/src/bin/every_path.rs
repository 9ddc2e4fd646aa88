//! Every public function of idx-core that decodes, called with bytes that the compiler does not know.
//!
//! That it links proves that no path leads to a panic. It has to end, too, so it runs on a file truncated to each
//! length and with each byte changed.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::convert::Infallible;
use core::fmt::{self, Write};
use core::hint::black_box;

use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};
use firmware::{Outcome, ensure};
use idx_core::log::Log;
use idx_core::storage::{Aligned, Located, Storage};
use idx_core::stream::RecordDecoder;
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

static TILES: [u8; 24] = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8];

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

    black_box(idx_core::header::<Tile, { Tile::HEADER_SIZE }>(black_box(2)));
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

    streamed::<Tile, 4>(bytes);
    streamed::<Label, 1>(bytes);
    streamed::<Acceleration, 64>(bytes);
    stored::<Tile>(bytes);
    stored::<Label>(bytes);
    stored::<[i16; 3]>(bytes);
    logged::<Tile>(bytes);
    logged::<Label>(bytes);
    logged::<[i16; 3]>(bytes);

    macro_rules! borrowed {
        ($($record:ty),+) => {$(
            if let Ok(records) = Records::<$record>::parse(bytes) {
                black_box(records.as_slice());
            }
        )+};
    }
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
    black_box((dims.iter().fold(0, u32::wrapping_add), dims.iter().next_back()));
    black_box(dims.iter().len());
    let mut memory = [0; 24];
    black_box(header.write(black_box(&mut memory)).is_some());
    let sizes = [black_box([0, 0, 0, 7]); 3];
    black_box(Header::new(header.element_type(), &sizes));
    black_box((header.element_type(), header.rank(), header.record_dims()));
    black_box((header.header_size(), header.payload_size()));
    black_box((header.record_count(), header.record_size()));
    printed(format_args!("{dims} {header:?}"));
}

fn idx(idx: Idx<'_>) {
    header(idx.header());
    printed(format_args!("{idx:?}"));
    black_box((idx.payload(), idx.len(), idx.is_empty()));
    black_box(idx.record_bytes(black_box(1)));
    black_box(idx.records::<Tile>().is_ok());
    black_box(idx.elements::<Label>().is_ok());
    black_box(idx.elements::<f32>().is_ok());
    if let Some(element) = ElementType::from_code(black_box(0x0B)) {
        black_box((element.code(), element.size(), element.value(idx.payload())));
        printed(element);
    }
    match core::str::from_utf8(idx.payload()) {
        Ok(name) => match name.parse::<ElementType>() {
            Ok(element) => printed(element),
            Err(error) => printed(error),
        },
        Err(_) => _ = black_box("no text"),
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

fn streamed<T: IdxRecord, const N: usize>(bytes: &[u8]) {
    let mut decoder = RecordDecoder::<T, N>::new();
    let mut rest = bytes;
    while let Ok(Some(record)) = decoder.push(&mut rest) {
        black_box(record);
    }
    if let Err(error) = decoder.finish() {
        described(error);
    }
    printed(format_args!("{decoder:?}"));
    black_box((decoder.is_complete(), decoder.record_count(), decoder.records_read()));
    decoder.reset();
    black_box(decoder.push(&mut { bytes }).is_ok());

    let mut reader = Uart(bytes);
    let mut decoder = RecordDecoder::<T, N>::new_prefix();
    while let Ok(Some(record)) = decoder.read_bytes(&mut reader) {
        black_box(record);
    }
    if let Err(error) = decoder.read_to_end(&mut reader) {
        printed(error);
    }
}

/// Reads from a slice; embedded-io's own reader for slices can panic.
struct Uart<'a>(&'a [u8]);

impl embedded_io::ErrorType for Uart<'_> {
    type Error = Infallible;
}

impl embedded_io::Read for Uart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let count = buffer.len().min(self.0.len());
        for (byte, given) in buffer.iter_mut().zip(self.0) {
            *byte = *given;
        }
        self.0 = self.0.get(count..).unwrap_or_default();
        Ok(count)
    }
}

fn stored<T: IdxRecord>(bytes: &[u8]) {
    let mut memory = [0; 16];
    let mut flash = Aligned::<_, 8>::with_buffer(Flash(bytes));
    match Located::<T>::open_within(&mut flash, black_box(0..20)) {
        Ok(records) => _ = black_box(records.read(&mut flash, black_box(1)).is_ok()),
        Err(error) => printed(error),
    }
    let mut records =
        match Storage::<_, T>::open(Aligned::<_, 8>::with_buffer(Flash(bytes)), black_box(0)) {
            Ok(records) => records,
            Err(error) => return printed(error),
        };
    black_box((records.len(), records.is_empty()));
    printed(format_args!("{records:?}"));
    for index in 0..=records.len().min(3) {
        match records.read_bytes(index, &mut memory) {
            Ok(bytes) => _ = black_box(T::decode(bytes)),
            Err(error) => printed(error),
        }
        match records.read(index) {
            Ok(record) => _ = black_box(record),
            Err(error) => printed(error.message()),
        }
    }
    #[cfg(not(feature = "without-batches"))]
    {
        let mut batch = heapless::Vec::<T, 2>::new();
        if let Err(error) = records.read_many(black_box(0), &mut batch) {
            printed(error);
        }
        black_box(batch.len());
    }
}

fn logged<T: IdxRecord>(bytes: &[u8]) {
    let range = black_box(0)..black_box(u32::MAX);
    let mut log = match Log::<T, _>::open(Flash(bytes), range.clone()) {
        Ok(log) => log,
        Err(error) => {
            printed(error);
            match Log::clear(Flash(bytes), range) {
                Ok(log) => log,
                Err(error) => return printed(error),
            }
        }
    };
    black_box((log.len(), log.is_empty(), log.is_full(), log.capacity()));
    if let Some(record) = T::decode(bytes) {
        black_box(log.push(&record).is_ok());
    }
    for record in log.iter() {
        black_box(record.is_ok());
    }
    black_box(log.read_bytes(black_box(1), &mut [0; 8]).is_ok());
    printed(format_args!("{log:?}"));
    black_box(log.into_inner());
}

/// Flash that is read two bytes at a time.
struct Flash<'a>(&'a [u8]);

impl ErrorType for Flash<'_> {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash<'_> {
    const READ_SIZE: usize = 2;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let source = self.0.get(start..).ok_or(NorFlashErrorKind::OutOfBounds)?;
        for (byte, source) in bytes.iter_mut().zip(source) {
            *byte = *source;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

/// Writes and erases nothing, which the log reports.
impl NorFlash for Flash<'_> {
    const WRITE_SIZE: usize = 2;
    const ERASE_SIZE: usize = 8;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        black_box((from, to));
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        black_box((offset, bytes));
        Ok(())
    }
}

fn records<T: IdxRecord + PartialEq>(records: Records<'_, T>) {
    let index = black_box(1);
    black_box((records.len(), records.is_empty()));
    black_box((records.get(index), records.record_bytes(index), records.payload()));
    black_box(records.slice(index..black_box(2)).is_some());
    if let Some(record) = records.get(index) {
        black_box(records.copy_to(black_box(&mut [record])));
    }
    black_box(records.iter().len());
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
    black_box((records.iter().last(), black_box(records) == records));
}

fn described(error: Error) {
    black_box((error.message(), error.number()));
    printed(format_args!("{error} {error:#} {error:?} {error:#?}"));
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
