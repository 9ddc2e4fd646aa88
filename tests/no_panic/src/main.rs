//! The public functions of idx-core that decode, each under `no_panic`: that this program links is
//! the proof that none of them can panic, whatever the bytes. See `run` beside this folder's `src`.
//!
//! The attribute is not for `const fn` and not for another crate's functions, so they are called
//! from functions of this one. `black_box` is around all that these are given: where the compiler
//! sees that every caller gives a slice of 784 bytes, it proves that only for 784 bytes.

use std::hint::black_box;
use std::ops::Range;

use embedded_io::ErrorKind;
use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
use idx_core::storage::{Aligned, Located, Storage, StorageError};
use idx_core::stream::{ReadError, RecordDecoder};
use idx_core::{
    ElementType, Error, Header, Idx, IdxRecord, RecordIter, Records, ZeroCopy, be, header,
};
use no_panic::no_panic;

// The records: one of each kind that the derive knows.

#[derive(IdxRecord, Clone, Copy, PartialEq)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord, Clone, Copy, PartialEq)]
#[repr(C)]
struct Borrowed {
    x: be::I16,
    yz: [be::I16; 2],
}

#[derive(IdxRecord, PartialEq)]
struct Acceleration {
    x: i16,
    y: i16,
    #[idx(range = -3..=3)]
    z: i16,
}

#[derive(IdxRecord, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, PartialEq)]
#[repr(i32)]
enum Direction {
    Up = 1,
    Down = -1,
    Left = 1000,
}

/// Runs a macro for records of all element types, ranks and constraints.
macro_rules! for_each_record {
    ($macro:ident) => {
        $macro!(u8, 1);
        $macro!(i8, 1);
        $macro!(i16, 2);
        $macro!(i32, 4);
        $macro!(f32, 4);
        $macro!(f64, 8);
        $macro!(be::I32, 4);
        $macro!([i16; 3], 6);
        $macro!([[f32; 2]; 2], 16);
        $macro!([[be::F64; 0]; 2], 0);
        $macro!([[[[[[[[i8; 2]; 1]; 1]; 3]; 1]; 1]; 1]; 1], 6);
        $macro!([be::I16; 2], 4);
        $macro!([Label; 3], 3);
        $macro!([Direction; 2], 8);
        $macro!(Digit, 784);
        $macro!(Borrowed, 6);
        $macro!(Acceleration, 6);
        $macro!(Label, 1);
        $macro!(Direction, 4);
    };
}

// Untyped

#[no_panic]
#[inline(never)]
fn header_parse(bytes: &[u8]) -> Result<(Header<'_>, &[u8]), Error> {
    Header::parse(bytes)
}

#[no_panic]
#[inline(never)]
fn header_values(header: &Header<'_>, index: usize) {
    black_box((header.element_type(), header.rank(), header.header_size()));
    black_box((header.payload_size(), header.record_count()));
    black_box(header.record_size());
    for dims in [header.dims(), header.record_dims()] {
        black_box((dims.len(), dims.is_empty(), dims.get(index)));
        dims.iter().for_each(|size| _ = black_box(size));
        dims.iter().rev().for_each(|size| _ = black_box(size));
        black_box(dims.iter().len());
    }
}

#[no_panic]
#[inline(never)]
fn header_new(element_type: ElementType, sizes: &[[u8; 4]]) -> Option<Header<'_>> {
    Header::new(element_type, sizes)
}

#[no_panic]
#[inline(never)]
fn header_write<'a>(header: &Header<'_>, bytes: &'a mut [u8]) -> Option<&'a mut [u8]> {
    header.write(bytes)
}

#[no_panic]
#[inline(never)]
fn header_of<T: IdxRecord, const N: usize>(count: u32) -> [u8; N] {
    header::<T, N>(count)
}

#[no_panic]
#[inline(never)]
fn element_type(code: u8, bytes: &[u8]) -> Option<f64> {
    let element_type = ElementType::from_code(code)?;
    black_box((
        element_type.code(),
        element_type.size(),
        element_type.name(),
        element_type.is_float(),
    ));
    element_type.value(bytes)
}

#[no_panic]
#[inline(never)]
fn idx_parse(bytes: &[u8]) -> Result<Idx<'_>, Error> {
    Idx::parse(bytes)
}

#[no_panic]
#[inline(never)]
fn idx_parse_prefix(bytes: &[u8]) -> Result<(Idx<'_>, &[u8]), Error> {
    Idx::parse_prefix(bytes)
}

#[no_panic]
#[inline(never)]
fn idx_values<'a>(idx: &Idx<'a>, index: usize) -> Option<&'a [u8]> {
    black_box((idx.header(), idx.payload(), idx.len(), idx.is_empty()));
    idx.record_bytes(index)
}

#[no_panic]
#[inline(never)]
fn idx_elements(idx: &Idx<'_>) {
    black_box(idx.elements::<u8>().err());
    black_box(idx.elements::<f64>().err());
    black_box(idx.elements::<Label>().err());
    black_box(idx.elements::<Direction>().err());
}

fn untyped(bytes: &[u8], index: usize) {
    black_box(header_new(black_box(ElementType::I16), bytes.as_chunks().0));
    black_box(header_of::<[[f32; 2]; 2], 16>(black_box(7)));
    if let Ok((header, rest)) = header_parse(bytes) {
        black_box(header_write(&header, black_box(&mut [0; 40][..])));
        header_values(&header, index);
        black_box(element_type(header.element_type().code(), rest));
    }
    black_box(idx_parse_prefix(bytes)).ok();
    if let Ok(idx) = idx_parse(bytes) {
        black_box(idx_values(&idx, index));
        idx_elements(&idx);
    }
}

// Typed

#[no_panic]
#[inline(never)]
fn idx_records<'a, T: IdxRecord>(idx: &Idx<'a>) -> Result<Records<'a, T>, Error> {
    idx.records()
}

#[no_panic]
#[inline(never)]
fn records_parse<T: IdxRecord>(bytes: &[u8]) -> Result<Records<'_, T>, Error> {
    Records::parse(bytes)
}

#[no_panic]
#[inline(never)]
fn records_parse_prefix<T: IdxRecord>(bytes: &[u8]) -> Result<(Records<'_, T>, &[u8]), Error> {
    Records::parse_prefix(bytes)
}

#[no_panic]
#[inline(never)]
fn records_get<T: IdxRecord>(records: &Records<'_, T>, index: usize) -> Option<T> {
    black_box((records.len(), records.is_empty()));
    records.get(index)
}

#[no_panic]
#[inline(never)]
fn records_record_bytes<'a, T: IdxRecord>(
    records: &Records<'a, T>,
    index: usize,
) -> Option<&'a [u8]> {
    records.record_bytes(index)
}

#[no_panic]
#[inline(never)]
fn records_slice<'a, T: IdxRecord>(
    records: &Records<'a, T>,
    range: Range<usize>,
) -> Option<Records<'a, T>> {
    black_box(records.payload());
    records.slice(range)
}

#[no_panic]
#[inline(never)]
fn records_copy_to<T: IdxRecord>(records: &Records<'_, T>, memory: &mut [T]) -> Option<()> {
    records.copy_to(memory)
}

#[no_panic]
#[inline(never)]
fn records_iter<T: IdxRecord>(records: &Records<'_, T>) -> usize {
    let mut count = 0;
    for record in records {
        black_box(record);
        count = usize::wrapping_add(count, 1);
    }
    count
}

#[no_panic]
#[inline(never)]
fn records_iter_back<T: IdxRecord>(records: &Records<'_, T>) -> usize {
    let mut count = 0;
    for record in records.iter().rev() {
        black_box(record);
        count = usize::wrapping_add(count, 1);
    }
    count
}

#[no_panic]
#[inline(never)]
fn iter_next<T: IdxRecord>(iter: &mut RecordIter<'_, T>) -> Option<T> {
    iter.next()
}

#[no_panic]
#[inline(never)]
fn iter_next_back<T: IdxRecord>(iter: &mut RecordIter<'_, T>) -> Option<T> {
    iter.next_back()
}

#[no_panic]
#[inline(never)]
fn iter_nth<T: IdxRecord>(iter: &mut RecordIter<'_, T>, index: usize) -> Option<T> {
    iter.nth(index)
}

#[no_panic]
#[inline(never)]
fn iter_nth_back<T: IdxRecord>(iter: &mut RecordIter<'_, T>, index: usize) -> Option<T> {
    iter.nth_back(index)
}

#[no_panic]
#[inline(never)]
fn iter_ends<T: IdxRecord>(iter: RecordIter<'_, T>) -> Option<T> {
    black_box((iter.size_hint(), iter.len(), iter.clone().count()));
    iter.last()
}

#[no_panic]
#[inline(never)]
fn records_equal<T: IdxRecord + PartialEq>(records: &Records<'_, T>) -> bool {
    *records == black_box(*records)
}

#[no_panic]
#[inline(never)]
fn decode<T: IdxRecord>(bytes: &[u8]) -> Option<T> {
    T::decode(bytes)
}

#[no_panic]
#[inline(never)]
fn encode<T: IdxRecord>(record: &T, bytes: &mut [u8]) -> Option<()> {
    record.encode(bytes)
}

fn typed<T: IdxRecord + PartialEq>(bytes: &[u8], index: usize) {
    if let Ok(idx) = idx_parse(bytes) {
        black_box(idx_records::<T>(&idx).err());
    }
    black_box(records_parse_prefix::<T>(bytes).err());
    if let Some(record) = decode::<T>(bytes) {
        black_box(encode(&record, black_box(&mut [0; 784][..])));
    }
    if let Ok(records) = records_parse::<T>(bytes) {
        black_box(records_get(&records, index));
        black_box(records_record_bytes(&records, index));
        black_box(records_slice(&records, index..black_box(2)));
        if let Some(record) = records_get(&records, index) {
            black_box(records_copy_to(&records, black_box(&mut [record][..])));
        }
        assert_eq!(records_iter(&records), records.len());
        assert_eq!(records_iter_back(&records), records.len());
        let mut iter = records.iter();
        black_box((iter_next(&mut iter), iter_next_back(&mut iter)));
        black_box((iter_nth(&mut iter, index), iter_nth_back(&mut iter, index)));
        black_box(iter_ends(iter));
        black_box(records_equal(&records));
    }
}

#[no_panic]
#[inline(never)]
fn records_as_slice<'a, T: ZeroCopy>(records: &Records<'a, T>) -> &'a [T] {
    records.as_slice()
}

#[no_panic]
#[inline(never)]
fn records_get_ref<'a, T: ZeroCopy>(records: &Records<'a, T>, index: usize) -> Option<&'a T> {
    records.get_ref(index)
}

fn borrowed<T: ZeroCopy>(bytes: &[u8], index: usize) {
    if let Ok(records) = Records::<T>::parse(bytes) {
        assert_eq!(records_as_slice(&records).len(), records.len());
        black_box(records_get_ref(&records, index));
    }
}

// Errors

#[no_panic]
#[inline(never)]
fn message(error: &Error) -> &'static str {
    black_box(error.number());
    error.message()
}

/// `Display` is run here and not proven: it ends in a call through the `dyn Write` of `core::fmt`,
/// of which the compiler has to assume that it can panic. `panic-never` looks at what is linked and
/// not at calls; that proof is in `tests/firmware`.
fn described(error: &Error) {
    assert!(error.to_string().starts_with(message(error)));
}

// Streams

#[no_panic]
#[inline(never)]
fn decoder_new<T: IdxRecord, const N: usize>(is_prefix: bool) -> RecordDecoder<T, N> {
    if is_prefix { RecordDecoder::new_prefix() } else { RecordDecoder::new() }
}

#[no_panic]
#[inline(never)]
fn decoder_push<T: IdxRecord, const N: usize>(
    decoder: &mut RecordDecoder<T, N>,
    bytes: &mut &[u8],
) -> Result<Option<T>, Error> {
    decoder.push(bytes)
}

#[no_panic]
#[inline(never)]
fn decoder_push_bytes<'a, T: IdxRecord, const N: usize>(
    decoder: &'a mut RecordDecoder<T, N>,
    bytes: &mut &[u8],
) -> Result<Option<&'a [u8]>, Error> {
    decoder.push_bytes(bytes)
}

#[no_panic]
#[inline(never)]
fn decoder_finish<T: IdxRecord, const N: usize>(
    decoder: &RecordDecoder<T, N>,
) -> Result<(), Error> {
    black_box((decoder.is_complete(), decoder.record_count()));
    black_box(decoder.records_read());
    decoder.finish()
}

#[no_panic]
#[inline(never)]
fn decoder_reset<T: IdxRecord, const N: usize>(decoder: &mut RecordDecoder<T, N>) {
    decoder.reset();
}

type FromPort<T> = Result<T, ReadError<ErrorKind>>;

#[no_panic]
#[inline(never)]
fn decoder_read<T: IdxRecord, const N: usize>(
    decoder: &mut RecordDecoder<T, N>,
    port: &mut Port<'_>,
) -> FromPort<Option<T>> {
    decoder.read(port)
}

#[no_panic]
#[inline(never)]
fn decoder_read_bytes<'a, T: IdxRecord, const N: usize>(
    decoder: &'a mut RecordDecoder<T, N>,
    port: &mut Port<'_>,
) -> FromPort<Option<&'a [u8]>> {
    decoder.read_bytes(port)
}

#[no_panic]
#[inline(never)]
fn decoder_read_to_end<T: IdxRecord, const N: usize>(
    decoder: &mut RecordDecoder<T, N>,
    port: &mut Port<'_>,
) -> FromPort<()> {
    decoder.read_to_end(port)
}

fn streamed<T: IdxRecord, const N: usize>(bytes: &[u8]) {
    for is_prefix in [false, true] {
        let mut decoder = decoder_new::<T, N>(black_box(is_prefix));
        let mut rest = bytes;
        while let Ok(Some(record)) = decoder_push(&mut decoder, &mut rest) {
            black_box(record);
        }
        black_box(decoder_finish(&decoder)).ok();
        decoder_reset(&mut decoder);
        black_box(decoder_push(&mut decoder, &mut { bytes })).ok();
        let mut decoder = decoder_new::<T, N>(black_box(is_prefix));
        let mut rest = bytes;
        while let Ok(Some(record)) = decoder_push_bytes(&mut decoder, &mut rest) {
            black_box(record);
        }
    }
    let mut port = Port(bytes);
    let mut decoder = RecordDecoder::<T, N>::new();
    black_box(decoder_read(&mut decoder, &mut port)).ok();
    black_box(decoder_read_bytes(&mut decoder, &mut port)).ok();
    black_box(decoder_read_to_end(&mut decoder, &mut port)).ok();
}

/// A reader that cannot panic itself, gives a few bytes, and fails now and then.
struct Port<'a>(&'a [u8]);

impl embedded_io::ErrorType for Port<'_> {
    type Error = ErrorKind;
}

impl embedded_io::Read for Port<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, ErrorKind> {
        if black_box(false) {
            return Err(ErrorKind::Other);
        }
        let mut count = 0;
        for (byte, (sent, rest)) in
            bytes.iter_mut().zip(std::iter::from_fn(|| self.0.split_first()))
        {
            *byte = *sent;
            self.0 = rest;
            count += 1;
        }
        Ok(count)
    }
}

// External flash

type FromFlash<T> = Result<T, StorageError<NorFlashErrorKind>>;

#[no_panic]
#[inline(never)]
fn storage_open<S: Driver, T: IdxRecord>(driver: S, offset: u32) -> FromFlash<Storage<S, T>> {
    Storage::open(driver, offset)
}

#[no_panic]
#[inline(never)]
fn storage_read<S: Driver, T: IdxRecord>(storage: &mut Storage<S, T>, index: u32) -> FromFlash<T> {
    black_box((storage.len(), storage.is_empty()));
    storage.read(index)
}

#[no_panic]
#[inline(never)]
fn storage_read_bytes<'a, S: Driver, T: IdxRecord>(
    storage: &mut Storage<S, T>,
    index: u32,
    buffer: &'a mut [u8],
) -> FromFlash<&'a [u8]> {
    storage.read_bytes(index, buffer)
}

#[no_panic]
#[inline(never)]
fn storage_read_many<S: Driver, T: IdxRecord>(
    storage: &mut Storage<S, T>,
    first: u32,
    records: &mut heapless::VecView<T>,
) -> FromFlash<()> {
    storage.read_many(first, records)
}

#[no_panic]
#[inline(never)]
fn located_open_within<S: Driver, T: IdxRecord>(
    driver: &mut S,
    range: Range<u32>,
) -> FromFlash<Located<T>> {
    Located::open_within(driver, range)
}

#[no_panic]
#[inline(never)]
fn located_read<S: Driver, T: IdxRecord>(
    located: Located<T>,
    driver: &mut S,
    index: u32,
) -> FromFlash<T> {
    located.read(driver, index)
}

fn stored<S: Driver, T: IdxRecord>(mut driver: S, index: u32) {
    if let Ok(located) = located_open_within::<S, T>(&mut driver, black_box(0..800)) {
        black_box(located_read(located, &mut driver, index)).ok();
    }
    if let Ok(mut storage) = storage_open::<S, T>(driver, black_box(0)) {
        black_box(storage_read(&mut storage, index)).ok();
        let mut buffer = [0; 784];
        let bytes = black_box(&mut buffer[..]);
        black_box(storage_read_bytes(&mut storage, index, bytes)).ok();
        let mut records = heapless::Vec::<T, 3>::new();
        let view = black_box(records.as_mut_view());
        black_box(storage_read_many(&mut storage, index, view)).ok();
        black_box(records.len());
        black_box(storage.into_inner().capacity());
    }
}

trait Driver: ReadStorage<Error = NorFlashErrorKind> {}
impl<S: ReadStorage<Error = NorFlashErrorKind>> Driver for S {}

/// A flash that cannot panic itself, and fails now and then.
#[derive(Clone, Copy)]
struct Flash<'a>(&'a [u8]);

impl Flash<'_> {
    fn copy(self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        let offset = usize::try_from(offset).map_err(|_| NorFlashErrorKind::OutOfBounds)?;
        let (_, there) = self.0.split_at_checked(offset).ok_or(NorFlashErrorKind::OutOfBounds)?;
        for (byte, there) in bytes.iter_mut().zip(there) {
            *byte = *there;
        }
        Ok(())
    }
}

impl ReadStorage for Flash<'_> {
    type Error = NorFlashErrorKind;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.copy(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl ErrorType for Flash<'_> {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash<'_> {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.copy(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

/// The control: a program that does panic.
#[cfg(feature = "reachable-panic")]
#[no_panic]
#[inline(never)]
fn control(records: &Records<'_, Digit>, index: usize) -> u8 {
    records.as_slice()[index].0[0][0]
}

fn every_path(bytes: &[u8]) {
    let bytes = black_box(bytes);
    let index = black_box(1);
    untyped(bytes, index);
    borrowed::<u8>(bytes, index);
    borrowed::<[i8; 3]>(bytes, index);
    borrowed::<[[be::I16; 2]; 2]>(bytes, index);
    borrowed::<be::I32>(bytes, index);
    borrowed::<[[[[be::F32; 2]; 1]; 1]; 1]>(bytes, index);
    borrowed::<be::F64>(bytes, index);
    borrowed::<Digit>(bytes, index);
    borrowed::<Borrowed>(bytes, index);
    if let Err(error) = header_parse(bytes) {
        described(&error);
    }
    macro_rules! every_path_of {
        ($record:ty, $size:literal) => {
            typed::<$record>(bytes, index);
            if let Err(error) = records_parse::<$record>(bytes) {
                described(&error);
            }
            streamed::<$record, $size>(bytes);
            stored::<_, $record>(Flash(bytes), black_box(1));
            stored::<_, $record>(Aligned::<_, 32>::new(Flash(bytes)), black_box(1));
        };
    }
    for_each_record!(every_path_of);
    #[cfg(feature = "reachable-panic")]
    if let Ok(records) = Records::parse(bytes) {
        black_box(control(&records, index));
    }
}

/// Files of all element types and several ranks: complete, truncated, and with a changed byte.
fn main() {
    let mut files = 0;
    for code in 0x08..=0x0E {
        for sizes in [&[3][..], &[2, 3], &[2, 2, 2], &[2, 0, 2], &[1, 28, 28], &[]] {
            let mut bytes = vec![0, 0, code, sizes.len() as u8];
            let mut elements = 1;
            for size in sizes {
                bytes.extend(u32::to_be_bytes(*size));
                elements *= *size as usize;
            }
            let size = ElementType::from_code(code).map_or(1, ElementType::size);
            bytes.extend((0..elements * size).map(|element| (element % 2) as u8));
            for len in (0..bytes.len().min(24)).chain([bytes.len()]) {
                every_path(&bytes[..len]);
                files += 1;
            }
            for changed in 0..bytes.len().min(24) {
                let mut bytes = bytes.clone();
                bytes[changed] = bytes[changed].wrapping_add(1);
                every_path(&bytes);
                files += 1;
            }
        }
    }
    println!("every path was taken with {files} files");
}
