//! One use of idx-core at a time, for the size report: `size` sets `IDX_MEASURE` to its name, and compares the program
//! with that for "nothing".

#![no_std]
#![no_main]
#![deny(unsafe_code)]
#![allow(dead_code, unused_imports, reason = "each build has one use of what is here")]

use core::convert::Infallible;
use core::fmt;
use core::hint::black_box;

use embedded_io::Read;
use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};
use firmware::Outcome;
use idx_core::log::Log;
use idx_core::storage::{Aligned, Located, Storage, StorageError};
use idx_core::stream::RecordDecoder;
use idx_core::{Error, Header, IdxRecord, Records, be, header};

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct SmallDigit([[u8; 8]; 8]);

#[derive(IdxRecord)]
struct Acceleration {
    x: i16,
    y: i16,
    z: i16,
}

/// A label with a rule.
#[derive(IdxRecord)]
struct Label(#[idx(range = 0..=9)] u8);

type File = &'static [u8];

static DIGITS: File = include_bytes!(concat!(env!("OUT_DIR"), "/images"));
static DIGITS_VIEW: Records<Digit> = Records::from_static(DIGITS);

/// Two records of 64 bytes.
static SMALL_DIGITS: &[u8; 144] = &counting([0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0, 8]);
static SMALL_DIGITS_VIEW: Records<SmallDigit> = Records::from_static(SMALL_DIGITS);

/// Five records.
static ACCELERATIONS: File = &[
    0, 0, 0x0B, 2, 0, 0, 0, 5, 0, 0, 0, 3, //
    0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, //
    1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0,
];

/// 64 weights, as they are in the file and as the compiler decodes them.
static WEIGHTS: &[u8; 136] = &counting([0, 0, 0x0B, 1, 0, 0, 0, 64]);
static BORROWED_WEIGHTS: Records<be::I16> = Records::from_static(WEIGHTS);
static WEIGHTS_BY_VALUE: Records<i16> = Records::from_static(WEIGHTS);
static NATIVE_WEIGHTS: [i16; 64] = Records::from_static(WEIGHTS).to_array();

/// Returns a file with this header and a payload of many different values.
const fn counting<const HEADER: usize, const SIZE: usize>(header: [u8; HEADER]) -> [u8; SIZE] {
    let mut file = [0; SIZE];
    let mut index: u8 = 0;
    while let Some((_, [byte, ..])) = file.split_at_mut_checked(index as usize) {
        *byte = index.wrapping_mul(31);
        index += 1;
    }
    let (start, _) = file.split_at_mut(HEADER);
    start.copy_from_slice(&header);
    file
}

/// Flash with a minimal driver, whose code is included in the figures for `storage`.
struct Flash(File);

impl ReadStorage for Flash {
    type Error = ();

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), ()> {
        let source = self.0.get(offset as usize..).ok_or(())?;
        for (byte, source) in bytes.iter_mut().zip(source) {
            *byte = *source;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        ReadStorage::read(self, offset, bytes).map_err(|()| NorFlashErrorKind::OutOfBounds)
    }

    fn capacity(&self) -> usize {
        ReadStorage::capacity(self)
    }
}

/// A chip in RAM, whose code and memory are included in the figures for logs.
struct Chip([u8; 1024]);

impl ErrorType for Chip {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = 4;

    #[inline(never)]
    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        let source = self.0.get(offset as usize..).ok_or(NorFlashErrorKind::OutOfBounds)?;
        for (byte, source) in bytes.iter_mut().zip(source) {
            *byte = *source;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Chip {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 256;

    #[inline(never)]
    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        let there = self.0.get_mut(offset as usize..).ok_or(NorFlashErrorKind::OutOfBounds)?;
        for (there, byte) in there.iter_mut().zip(bytes) {
            *there = *byte;
        }
        Ok(())
    }

    #[inline(never)]
    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        let there =
            self.0.get_mut(from as usize..to as usize).ok_or(NorFlashErrorKind::OutOfBounds)?;
        there.fill(0xFF);
        Ok(())
    }
}

/// Logs three records of 12 bytes and reads the last one, as a program does.
fn logged(chip: &mut Chip, number: i32) -> Result<i32, StorageError<NorFlashErrorKind>> {
    let mut log = Log::<[i32; 3], _>::open(chip, 0..1024)?;
    for step in 0..3 {
        log.push(&[number, step, -1])?;
    }
    let [_, step, _] = log.read(log.len().wrapping_sub(1))?;
    Ok(step)
}

/// Does the same as [`logged`], with a second type.
fn logged_twice(chip: &mut Chip, number: i32) -> Result<i32, StorageError<NorFlashErrorKind>> {
    let mut log = Log::<[i16; 5], _>::open(&mut *chip, 512..1024)?;
    log.push(&[number as i16; 5])?;
    let [last, ..] = log.read(0)?;
    let mut log = Log::<[i32; 3], _>::open(chip, 0..512)?;
    for step in 0..3 {
        log.push(&[number, step, -1])?;
    }
    let [_, step, _] = log.read(log.len().wrapping_sub(1))?;
    Ok(step + i32::from(last))
}

/// Does the same as [`logged`], but without types, checksums, and care for torn words: a header of one word, then the
/// records, each after a mark of one word.
fn logged_by_hand(chip: &mut Chip, number: i32) -> Result<i32, NorFlashErrorKind> {
    let mut word = [0; 4];
    chip.read(0, &mut word)?;
    if word != [1; 4] {
        chip.erase(0, 1024)?;
        chip.write(0, &[1; 4])?;
    }
    let mut next = 4;
    while next < 1024 - 16 {
        chip.read(next, &mut word)?;
        if word == [0xFF; 4] {
            break;
        }
        next += 16;
    }
    for step in 0..3_i32 {
        if next > 1024 - 16 {
            return Err(NorFlashErrorKind::OutOfBounds);
        }
        let mut record = [0xFF; 12];
        let numbers = [number, step, -1];
        for (bytes, number) in record.as_chunks_mut().0.iter_mut().zip(numbers) {
            *bytes = number.to_be_bytes();
        }
        chip.write(next + 4, &record)?;
        chip.write(next, &[0x5A; 4])?;
        next += 16;
    }
    let mut step = [0; 4];
    chip.read(next - 8, &mut step)?;
    Ok(i32::from_be_bytes(step))
}

/// Opens a file as in a program that passes errors on with `?`.
#[inline(never)]
fn opened(file: File) -> Result<Records<'static, Digit>, Error> {
    Records::parse(file)
}

/// Opens two files like [`opened`].
#[inline(never)]
fn pairs(images: File, labels: File) -> Result<usize, Error> {
    let images = Records::<Digit>::parse(images)?;
    let labels = Records::<Label>::parse(labels)?;
    Ok(images.len().min(labels.len()))
}

/// Takes a digit by value, as a program would.
fn ink(digit: Digit) -> u32 {
    sum(digit.0.as_flattened())
}

/// Takes 64 bytes by value, like [`ink`].
fn small_ink(digit: SmallDigit) -> u32 {
    sum(digit.0.as_flattened())
}

fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().copied().map(u32::from).sum()
}

/// Sums the pixels of a digit from storage.
#[inline(always)]
fn stored<T: IdxRecord>(file: File, index: usize, ink: impl Fn(T) -> u32) -> u32 {
    let Ok(digits) = Located::<T>::open(&mut Flash(file), 0) else { return 0 };
    digits.read(&mut Flash(file), index as u32).map_or(0, ink)
}

/// Sums the pixels of all digits of a stream, with a decoder of `SIZE` bytes.
#[inline(always)]
fn streamed<T: IdxRecord, const SIZE: usize>(file: File, ink: impl Fn(T) -> u32) -> u32 {
    let mut decoder = RecordDecoder::<T, SIZE>::new();
    let mut piece = file;
    let mut sum = 0;
    while let Ok(Some(digit)) = decoder.push(&mut piece) {
        sum += ink(digit);
    }
    sum
}

#[inline(always)]
fn first_sum(flash: impl ReadStorage, index: usize) -> i16 {
    let Ok(mut records) = Storage::<_, Acceleration>::open(flash, 0) else {
        return 0;
    };
    match records.read(index as u32) {
        Ok(record) => record.x ^ record.y ^ record.z,
        Err(_) => 0,
    }
}

/// A line with a minimal driver, whose code is included in the figures, too.
struct Uart(File);

impl embedded_io::ErrorType for Uart {
    type Error = Infallible;
}

impl Read for Uart {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        let mut count = 0;
        for byte in bytes {
            let [first, rest @ ..] = self.0 else { break };
            (*byte, self.0) = (*first, rest);
            count += 1;
        }
        Ok(count)
    }
}

/// Formats a value and discards the text.
fn printed(value: impl fmt::Display) -> bool {
    struct Nowhere;
    impl fmt::Write for Nowhere {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            black_box(text);
            Ok(())
        }
    }
    fmt::write(&mut Nowhere, format_args!("{value}")).is_ok()
}

/// Discards what defmt sends, so that the figure does not include a transport.
#[cfg(measure = "open, error sent over defmt")]
mod nowhere {
    #[defmt::global_logger]
    struct Nowhere;

    #[expect(unsafe_code, reason = "the trait asks for it")]
    // SAFETY: there is nothing that two callers could disturb.
    unsafe impl defmt::Logger for Nowhere {
        fn acquire() {}
        unsafe fn flush() {}
        unsafe fn release() {}
        unsafe fn write(bytes: &[u8]) {
            core::hint::black_box(bytes);
        }
    }
}

/// Makes each use a function of its own, which `size` follows from its first instruction to its return.
macro_rules! measured {
    ($($name:literal: |$file:pat_param, $index:pat_param| -> $answer:ty $use:block)+) => {$(
        #[cfg(measure = $name)]
        #[inline(never)]
        fn measured($file: File, $index: usize) -> $answer $use
    )+};
}

measured! {
    "nothing": |file, _| -> File { file }
    "view of a static": |_, _| -> &'static [Digit] { DIGITS_VIEW.as_slice() }
    "open, is_ok": |file, _| -> bool { Records::<Digit>::parse(file).is_ok() }
    "open, error handed on": |file, _| -> Result<Records<'static, Digit>, Error> {
        Records::parse(file)
    }
    "open, error as its code": |file, _| -> u8 {
        Records::<Digit>::parse(file).err().map_or(0, |error| error.number())
    }
    "open, error as its message": |file, _| -> &'static str {
        Records::<Digit>::parse(file).err().map_or("", |error| error.message())
    }
    "open, error through `?`, as its code": |file, _| -> u8 {
        opened(file).err().map_or(0, |error| error.number())
    }
    "open, error through `?`, as its message": |file, _| -> &'static str {
        opened(file).err().map_or("", |error| error.message())
    }
    "images and labels with `?`, error as its message": |file, _| -> &'static str {
        pairs(file, file).err().map_or("", |error| error.message())
    }
    "label with a rule, is_ok": |file, _| -> bool { Records::<Label>::parse(file).is_ok() }
    "label with a rule, encoded": |_, index| -> u8 {
        let mut bytes = [0];
        match Label(index as u8).encode(&mut bytes) {
            Some(()) => bytes[0],
            None => 0,
        }
    }
    "header and encode of 3 x i16": |_, index| -> ([u8; 12], [u8; 6]) {
        let mut bytes = [0; 6];
        let value = index as i16;
        let _ = Acceleration { x: value, y: 1, z: 2 }.encode(&mut bytes);
        (header::<Acceleration, 12>(index as u32), bytes)
    }
    "64 bytes by value, summed": |_, index| -> u32 {
        SMALL_DIGITS_VIEW.get(index).map_or(0, small_ink)
    }
    "64 bytes by value, iterated": |_, _| -> u32 { black_box(SMALL_DIGITS_VIEW).iter().map(small_ink).sum() }
    "64 bytes from a stream, pushed": |file, _| -> u32 { streamed::<_, { SmallDigit::SIZE }>(file, small_ink) }
    "64 bytes from storage, read by value": |file, index| -> u32 { stored(file, index, small_ink) }
    "784 bytes by value, summed": |_, index| -> u32 { DIGITS_VIEW.get(index).map_or(0, ink) }
    "784 bytes by value, iterated": |_, _| -> u32 { DIGITS_VIEW.iter().map(ink).sum() }
    "784 bytes in place, summed": |_, index| -> u32 {
        DIGITS_VIEW.get_ref(index).map_or(0, |digit| sum(digit.0.as_flattened()))
    }
    "784 bytes from a stream, pushed": |file, _| -> u32 { streamed::<_, { Digit::SIZE }>(file, ink) }
    "784 bytes from storage, read by value": |file, index| -> u32 { stored(file, index, ink) }
    "784 bytes from storage, read_bytes": |file, index| -> u32 {
        let Ok(digits) = Located::<Digit>::open(&mut Flash(file), 0) else { return 0 };
        let mut buffer = [0; 784];
        let bytes = digits.read_bytes(&mut Flash(file), index as u32, &mut buffer);
        bytes.map_or(0, |bytes| bytes.iter().copied().map(u32::from).sum())
    }
    "open, error printed": |file, _| -> bool {
        match Records::<Digit>::parse(file) {
            Ok(records) => printed(records.len() as u32),
            Err(error) => printed(error),
        }
    }
    "a number printed": |_, index| -> bool { printed(index as u32) }
    "open, error sent over defmt": |file, _| -> bool {
        let records = Records::<Digit>::parse(file);
        if let Err(error) = &records {
            defmt::error!("{}", error);
        }
        records.is_ok()
    }
    "open two record types, is_ok": |file, _| -> bool {
        Records::<Digit>::parse(file).is_ok() | Records::<Acceleration>::parse(file).is_ok()
    }
    "open two record types, errors handed on": |file, _| -> (Option<Error>, Option<Error>) {
        (Records::<Digit>::parse(file).err(), Records::<Acceleration>::parse(file).err())
    }
    "header of any file": |file, _| -> Option<u64> {
        let (header, _) = Header::parse(file).ok()?;
        Some(header.payload_size())
    }
    "get from a static": |_, index| -> Option<File> { DIGITS_VIEW.record_bytes(index) }
    "open and get": |file, index| -> Option<File> {
        Records::<Digit>::parse(file).ok()?.record_bytes(index)
    }
    "open and iterate 5 of 3 x i16": |file, _| -> i16 {
        let Ok(records) = Records::<Acceleration>::parse(file) else {
            return 0;
        };
        records.iter().fold(0, |sum, record| sum ^ record.x ^ record.y ^ record.z)
    }
    "dot product of 64 x be::I16 in flash": |file, _| -> i32 {
        let pairs = BORROWED_WEIGHTS.as_slice().iter().zip(file);
        pairs.map(|(weight, input)| i32::from(weight.get()) * i32::from(*input)).sum()
    }
    "dot product of 64 x i16 by value": |file, _| -> i32 {
        let pairs = WEIGHTS_BY_VALUE.iter().zip(file);
        pairs.map(|(weight, input)| i32::from(weight) * i32::from(*input)).sum()
    }
    "dot product of 64 x i16, decoded by the compiler": |file, _| -> i32 {
        let pairs = NATIVE_WEIGHTS.iter().zip(file);
        pairs.map(|(weight, input)| i32::from(*weight) * i32::from(*input)).sum()
    }
    "dot product of 64 x i16, in a crate at opt-level 3": |file, _| -> i32 { kernel::dot(&NATIVE_WEIGHTS, file) }
    "stream of 3 x i16, pushed": |file, _| -> i16 {
        let mut decoder = RecordDecoder::<Acceleration, { Acceleration::SIZE }>::new();
        let mut piece = file;
        let mut sum = 0;
        while let Ok(Some(record)) = decoder.push(&mut piece) {
            sum ^= record.x ^ record.y ^ record.z;
        }
        sum
    }
    "stream of 3 x i16 from a reader": |file, _| -> i16 {
        let mut decoder = RecordDecoder::<Acceleration, { Acceleration::SIZE }>::new();
        let mut reader = Uart(file);
        let mut sum = 0;
        while let Ok(Some(record)) = decoder.read(&mut reader) {
            sum ^= record.x ^ record.y ^ record.z;
        }
        sum
    }
    "stream of 3 x i16 from a reader, to its end": |file, _| -> i16 {
        let mut decoder = RecordDecoder::<Acceleration, { Acceleration::SIZE }>::new();
        let mut reader = Uart(file);
        let mut sum = 0;
        while let Ok(Some(record)) = decoder.read(&mut reader) {
            sum ^= record.x ^ record.y ^ record.z;
        }
        if decoder.read_to_end(&mut reader).is_ok() { sum } else { 0 }
    }
    "a chip in RAM, as the next rows have it": |_, index| -> i32 {
        let mut chip = Chip([0xFF; 1024]);
        let mut bytes = [index as u8; 4];
        let done = chip.erase(0, 1024).and(chip.write(0, &bytes)).and(chip.read(0, &mut bytes));
        done.map_or(0, |()| i32::from_be_bytes(bytes))
    }
    "log of 12 bytes by hand, open, 3 pushed, 1 read": |_, index| -> i32 {
        logged_by_hand(&mut Chip([0xFF; 1024]), index as i32).unwrap_or(0)
    }
    "log of 12 bytes, open, 3 pushed, 1 read": |_, index| -> i32 {
        logged(&mut Chip([0xFF; 1024]), index as i32).unwrap_or(0)
    }
    "log of 12 bytes, the same, error as its message": |_, index| -> &'static str {
        logged(&mut Chip([0xFF; 1024]), index as i32).err().map_or("", |error| error.message())
    }
    "logs of two types, the same": |_, index| -> i32 {
        logged_twice(&mut Chip([0xFF; 1024]), index as i32).unwrap_or(0)
    }
    "log of 12 bytes, the same and cleared": |_, index| -> i32 {
        let mut chip = Chip([0xFF; 1024]);
        let step = logged(&mut chip, index as i32).unwrap_or(0);
        Log::<[i32; 3], _>::clear(&mut chip, 0..1024).map_or(step, |log| log.len() as i32)
    }
    "storage of 3 x i16, open and read": |file, index| -> i16 { first_sum(Flash(file), index) }
    "storage of 3 x i16 over Aligned, open and read": |file, index| -> i16 {
        first_sum(Aligned::new(Flash(file)), index)
    }
}

firmware::program!(run);

fn run() -> Outcome {
    // All programs hold the same files, whether they use them or not.
    let (digits, accelerations) = (black_box(DIGITS), black_box(ACCELERATIONS));
    black_box((&WEIGHTS, &NATIVE_WEIGHTS, &SMALL_DIGITS));
    let file = if cfg!(any(
        measure = "open and iterate 5 of 3 x i16",
        measure = "stream of 3 x i16, pushed",
        measure = "stream of 3 x i16 from a reader",
        measure = "stream of 3 x i16 from a reader, to its end",
        measure = "storage of 3 x i16, open and read",
        measure = "storage of 3 x i16 over Aligned, open and read",
    )) {
        accelerations
    } else if cfg!(any(
        measure = "64 bytes from a stream, pushed",
        measure = "64 bytes from storage, read by value",
    )) {
        SMALL_DIGITS
    } else {
        digits
    };
    // The compiler knows neither what is called, nor the file, nor the index.
    let measured: fn(File, usize) -> _ = black_box(measured);
    let _ = black_box(measured(file, black_box(1)));
    Ok(())
}
