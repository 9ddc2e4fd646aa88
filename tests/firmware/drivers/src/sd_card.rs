//! Digits from the file system of an SD card, one of them in RAM at a time; and a log of measurements to it.

use embedded_sdmmc::{BlockDevice, Error, Mode, TimeSource, VolumeIdx, VolumeManager};
use idx_core::stream::{ReadError, RecordDecoder};
use idx_core::{IdxRecord, header};

use crate::{Digit, Measurement};

/// Calls `each` with the pixels of each digit in `DIGITS.IDX`, in the root folder of the first partition.
///
/// On a board `card` is an `embedded_sdmmc::SdCard` over SPI.
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

/// Writes each measurement to `LOG.IDX`, in the root folder of the first partition, and tells `is_safe` when it is
/// on the card.
///
/// The header has the number of measurements once there are all. If the power fails before, `idx repair` on a
/// desktop makes a file of those that are safe, and of the next one if it was written too.
pub fn log<D: BlockDevice, T: TimeSource>(
    card: D,
    clock: T,
    measurements: impl IntoIterator<Item = Measurement>,
    mut is_safe: impl FnMut(),
) -> Result<(), Error<D::Error>> {
    let volumes = VolumeManager::new(card, clock);
    let volume = volumes.open_volume(VolumeIdx(0))?;
    let folder = volume.open_root_dir()?;
    let file = folder.open_file_in_dir("LOG.IDX", Mode::ReadWriteCreateOrTruncate)?;
    file.write(&header::<Measurement, { Measurement::HEADER_SIZE }>(u32::MAX))?;
    let mut count = 0_u32;
    for measurement in measurements {
        let mut bytes = [0; Measurement::SIZE];
        // It has no value that its type does not allow.
        let _ = measurement.encode(&mut bytes);
        file.write(&bytes)?;
        file.flush()?;
        is_safe();
        count += 1;
    }
    file.seek_from_start(4)?;
    file.write(&count.to_be_bytes())?;
    file.close()
}
