//! Digits from the file system of an SD card, with one of them in RAM at a time; and a log of measurements on the card.

use core::error;

use embedded_sdmmc::{BlockDevice, Error, File, Mode, TimeSource, VolumeIdx, VolumeManager};
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};
use idx_core::IdxRecord;
use idx_core::log::Log;
use idx_core::storage::StorageError;
use idx_core::stream::{ReadError, RecordDecoder};

use crate::{Digit, Measurement};

/// Calls `each` with the pixels of each digit in `DIGITS.IDX`, in the root folder of the first partition.
///
/// On a board, `card` is an `embedded_sdmmc::SdCard` over SPI.
pub fn for_each_digit<D: BlockDevice, T: TimeSource>(
    card: D,
    clock: T,
    mut each: impl FnMut(&[u8]),
) -> Result<(), ReadError<Error<D::Error>>> {
    let volumes = VolumeManager::new(card, clock);
    let volume = volumes.open_volume(VolumeIdx(0)).map_err(ReadError::Read)?;
    let folder = volume.open_root_dir().map_err(ReadError::Read)?;
    let mut file =
        folder.open_file_in_dir("DIGITS.IDX", Mode::ReadOnly).map_err(ReadError::Read)?;
    let mut decoder = RecordDecoder::<Digit, { Digit::SIZE }>::new();
    while let Some(pixels) = decoder.read_bytes(&mut file)? {
        each(pixels);
    }
    decoder.read_to_end(&mut file)
}

/// Logs each measurement to `LOG.IDX`, in the root folder of the first partition, and calls `is_safe` once it is on the
/// card.
///
/// An existing log is continued. After a power failure it has all measurements that were safe, and at most one more. On
/// a desktop, `idx repair LOG.IDX -o FILE` makes a file of it.
pub fn log<D: BlockDevice, T: TimeSource>(
    card: D,
    clock: T,
    measurements: impl IntoIterator<Item = Measurement>,
    mut is_safe: impl FnMut(),
) -> Result<(), StorageError<CardError<D::Error>>> {
    let driver = |error| StorageError::Storage(CardError(error));
    let volumes = VolumeManager::new(card, clock);
    let volume = volumes.open_volume(VolumeIdx(0)).map_err(driver)?;
    let folder = volume.open_root_dir().map_err(driver)?;
    let mode = Mode::ReadWriteCreateOrAppend;
    let mut file = AsFlash(folder.open_file_in_dir("LOG.IDX", mode).map_err(driver)?);
    let mut log = match Log::<Measurement, _>::open(&mut file, 0..LOG_SIZE) {
        // The power failed while its first bytes were written.
        Err(StorageError::Unfinished { .. }) => Log::clear(&mut file, 0..LOG_SIZE)?,
        _ => Log::open(&mut file, 0..LOG_SIZE)?,
    };
    for measurement in measurements {
        log.push(&measurement)?;
        is_safe();
    }
    Ok(())
}

/// The maximum size of the log in bytes.
const LOG_SIZE: u32 = 1 << 16;

/// A file that the log uses as flash: beyond its end it reads as erased.
struct AsFlash<'a, D: BlockDevice, T: TimeSource>(File<'a, D, T, 4, 4, 1>);

/// An error of the card, with the trait that embedded-storage requires.
#[derive(Debug)]
pub struct CardError<E: error::Error>(pub Error<E>);

impl<E: error::Error> NorFlashError for CardError<E> {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl<D: BlockDevice, T: TimeSource> AsFlash<'_, D, T> {
    fn erase_bytes(&mut self, from: u32, to: u32) -> Result<(), Error<D::Error>> {
        if from < to {
            self.0.seek_from_start(from)?;
        }
        for _ in from..to {
            self.0.write(&[0xFF])?;
        }
        Ok(())
    }
}

impl<D: BlockDevice, T: TimeSource> ErrorType for AsFlash<'_, D, T> {
    type Error = CardError<D::Error>;
}

impl<D: BlockDevice, T: TimeSource> ReadNorFlash for AsFlash<'_, D, T> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.fill(0xFF);
        if offset < self.0.length() {
            self.0.seek_from_start(offset).map_err(CardError)?;
            self.0.read(bytes).map_err(CardError)?;
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        LOG_SIZE as usize
    }
}

impl<D: BlockDevice, T: TimeSource> NorFlash for AsFlash<'_, D, T> {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = 1;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        self.erase_bytes(self.0.length(), offset).map_err(CardError)?;
        self.0.seek_from_start(offset).map_err(CardError)?;
        self.0.write(bytes).map_err(CardError)?;
        self.0.flush().map_err(CardError)
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        self.erase_bytes(from, to.min(self.0.length())).map_err(CardError)?;
        self.0.flush().map_err(CardError)
    }
}
