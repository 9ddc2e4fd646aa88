//! Digits from the file system of an SD card: one of them is in RAM at a time.

use embedded_sdmmc::{BlockDevice, Error, Mode, TimeSource, VolumeIdx, VolumeManager};
use idx_core::IdxRecord;
use idx_core::stream::{ReadError, RecordDecoder};

use crate::Digit;

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
