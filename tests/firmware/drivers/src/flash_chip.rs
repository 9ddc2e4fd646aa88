//! Digits from an external flash chip, a W25Q32 on an SPI bus.

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use idx_core::storage::{Aligned, Storage, StorageError};
use w25q32jv::{Error, W25q32jv};

use crate::Digit;

/// The offset of the file in the chip; a multiple of 4.
pub const OFFSET: u32 = 0x1_0000;

type Failure<S, P> = StorageError<Error<S, P>>;

/// Reads the digit with this index; `hold` and `protect` are the HOLD and WP pins of the chip.
pub fn digit<S, P>(
    spi: S,
    hold: P,
    protect: P,
    index: u32,
) -> Result<Digit, Failure<S::Error, P::Error>>
where
    S: SpiDevice,
    P: OutputPin,
{
    let chip = W25q32jv::new(spi, hold, protect).map_err(StorageError::Storage)?;
    Storage::<_, Digit>::open(Aligned::new(chip), OFFSET)?.read(index)
}
