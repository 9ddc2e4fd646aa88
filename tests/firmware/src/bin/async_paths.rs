//! Every async function of idx-core. The state machine that the compiler makes of one panics if a caller polls it after
//! its end, so these cannot be linked with `panic-never`: `levels` checks instead that no other panic is linked.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::hint::black_box;
use core::panic::PanicInfo;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use embedded_io::ErrorKind;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};
use idx_core::IdxRecord;
use idx_core::log::Log;
use idx_core::storage::{Aligned, Storage};
use idx_core::stream::RecordDecoder;
use semihosting::process;

#[cfg(target_arch = "arm")]
use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
use riscv_rt::entry;

#[derive(IdxRecord, Clone, Copy, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

/// Three labels.
static LABELS: [u8; 11] = [0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9];

#[entry]
fn main() -> ! {
    if cfg!(feature = "reachable-panic") {
        black_box(LABELS[black_box(8)]);
    }
    let bytes = black_box(&LABELS[..]);
    let sum = finish(sum_of_stream(bytes)).flatten();
    let stored = finish(sum_of_storage(bytes)).flatten();
    finish(every_record::<[i16; 3], 6>(bytes));
    finish(every_record::<[[u8; 0]; 2], 0>(bytes));
    process::exit(i32::from(sum != Some(24) || stored != Some(24)))
}

/// Uses the message, so that no two panics are merged.
#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    black_box(info);
    process::exit(101)
}

/// Returns the output of a future, which is ready at once here.
fn finish<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

async fn sum_of_stream(bytes: &[u8]) -> Option<u32> {
    let mut uart = Uart(bytes);
    let mut decoder = RecordDecoder::<Label, 1>::new();
    let mut sum = 0_u32;
    while let Some(label) = decoder.read_async(&mut uart).await.ok()? {
        sum = sum.wrapping_add(label.0.into());
    }
    decoder.read_to_end_async(&mut uart).await.ok()?;
    Some(sum)
}

async fn sum_of_storage(bytes: &[u8]) -> Option<u32> {
    let mut labels = Storage::<_, Label>::open_async(Aligned::new(Flash(bytes)), 0).await.ok()?;
    let mut batch = heapless::Vec::<Label, 2>::new();
    labels.read_many_async(0, &mut batch).await.ok()?;
    let last = labels.read_async(2).await.ok()?;
    Some(batch.iter().fold(last.0.into(), |sum, label| u32::wrapping_add(sum, label.0.into())))
}

async fn every_record<T: IdxRecord, const N: usize>(bytes: &[u8]) {
    let mut uart = Uart(bytes);
    let mut decoder = RecordDecoder::<T, N>::new_prefix();
    while let Ok(Some(record)) = decoder.read_bytes_async(&mut uart).await {
        black_box(record);
    }
    black_box(decoder.read_to_end_async(&mut uart).await.err());
    let flash = Aligned::<_, 8>::with_buffer(Flash(bytes));
    if let Ok(mut records) = Storage::<_, T>::open_async(flash, black_box(0)).await {
        let mut memory = [0; 8];
        black_box(records.read_bytes_async(1, &mut memory).await.err());
        let mut batch = heapless::Vec::<T, 3>::new();
        black_box(records.read_many_async(1, &mut batch).await.err());
        black_box(batch.len());
    }
    let range = black_box(0)..black_box(u32::MAX);
    let mut log = match Log::<T, _>::open_async(Flash(bytes), range.clone()).await {
        Ok(log) => log,
        Err(_) => match Log::clear_async(Flash(bytes), range).await {
            Ok(log) => log,
            Err(_) => return,
        },
    };
    if let Some(record) = T::decode(bytes) {
        black_box(log.push_async(&record).await.is_ok());
    }
    black_box(log.read_async(black_box(1)).await.is_ok());
    black_box(log.read_bytes_async(black_box(1), &mut [0; 8]).await.is_ok());
}

/// Reads from a slice; embedded-io's own reader for slices can panic.
struct Uart<'a>(&'a [u8]);

impl embedded_io::ErrorType for Uart<'_> {
    type Error = ErrorKind;
}

impl embedded_io_async::Read for Uart<'_> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        let count = buffer.len().min(self.0.len());
        for (byte, given) in buffer.iter_mut().zip(self.0) {
            *byte = *given;
        }
        self.0 = self.0.get(count..).unwrap_or_default();
        Ok(count)
    }
}

struct Flash<'a>(&'a [u8]);

impl ErrorType for Flash<'_> {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash<'_> {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
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
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 16;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        black_box((from, to));
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        black_box((offset, bytes));
        Ok(())
    }
}
