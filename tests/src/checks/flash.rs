//! Simulated flash chips that refuse requests outside their rules.

use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash, check_read};

/// A flash chip with these bytes, which is strict about requests.
#[derive(Clone, Copy)]
pub(super) struct Flash<'a, const READ_SIZE: usize>(pub(super) &'a [u8]);

impl<const READ_SIZE: usize> ErrorType for Flash<'_, READ_SIZE> {
    type Error = NorFlashErrorKind;
}

impl<const READ_SIZE: usize> ReadNorFlash for Flash<'_, READ_SIZE> {
    const READ_SIZE: usize = READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        assert!(!bytes.is_empty(), "a read of nothing");
        let address = bytes.as_ptr().addr();
        assert!(READ_SIZE == 1 || address.is_multiple_of(4), "memory that DMA cannot fill");
        let start = usize::try_from(offset).expect("an offset in the chip");
        bytes.copy_from_slice(&self.0[start..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

/// A chip that can read any bytes.
impl ReadStorage for Flash<'_, 1> {
    type Error = NorFlashErrorKind;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        ReadNorFlash::read(self, offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

/// A chip of any kind, so that the code is compiled once and not for each kind.
pub(super) struct AnyChip<'a>(pub(super) &'a mut dyn ReadStorage<Error = NorFlashErrorKind>);

impl ReadStorage for AnyChip<'_> {
    type Error = NorFlashErrorKind;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.0.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}
