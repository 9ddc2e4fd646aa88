//! A model of a flash chip that keeps to the words of embedded-storage and to nothing more: a word is written once
//! between two erasures, and what was written or erased when the power failed has one of several natures.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

/// The content of a word after its writing or erasing was cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Nature {
    /// It stays what it was.
    Untouched,
    /// It is what it was to be, but the write did not return.
    Whole,
    Zero,
    /// Half of the bits are programmed that were to be.
    Half,
    Random(u64),
    /// Reads as what it was, until the next start, when the bits are programmed that were to be; also those of
    /// other content that was written meanwhile.
    Latent,
    /// Changes between two reads.
    Unstable,
    /// The driver returns an error, as for a wrong ECC.
    Unreadable,
    /// As `Unreadable`, for some of the reads.
    Doubtful,
}

/// The content of a word that is written twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Twice {
    Refused,
    /// A bit is 1 if it is in both.
    Anded,
    /// The driver returns `Ok`, and the word has other content.
    Other,
    /// As `Anded`, and the word goes on to change between reads, or to fail.
    Worn,
}

/// A chip with words of `W` bytes, which is read in multiples of `R` and erased in multiples of `E`.
#[derive(Clone)]
pub struct Chip<const W: usize, const R: usize, const E: usize> {
    pub bytes: Vec<u8>,
    /// True if each word was written since it was erased.
    is_written: Vec<bool>,
    /// The words that are neither erased nor whole, and what they were to be.
    torn: Vec<Option<(Nature, [u8; W])>>,
    /// The number of words that can be written before the power fails; erasing a sector counts as one.
    pub power: usize,
    /// After a power failure nothing works until the next start.
    pub is_off: bool,
    pub nature: Nature,
    pub twice: Twice,
    /// The calls of the driver, and those with memory that is not aligned to 4.
    pub reads: usize,
    pub writes: usize,
    pub erases: usize,
    pub misaligned: usize,
    /// The call at which the driver fails once, after it did its work or before.
    pub fails_at: Option<(usize, bool)>,
    /// A word that fails forever once it is written.
    pub weak: Option<usize>,
    random: u64,
}

impl<const W: usize, const R: usize, const E: usize> Chip<W, R, E> {
    pub fn new(size: usize, twice: Twice) -> Self {
        Self {
            bytes: vec![0xFF; size],
            is_written: vec![false; size / W],
            torn: vec![None; size / W],
            power: usize::MAX,
            is_off: false,
            nature: Nature::Untouched,
            twice,
            reads: 0,
            writes: 0,
            erases: 0,
            misaligned: 0,
            fails_at: None,
            weak: None,
            random: 0x9E37_79B9_7F4A_7C15,
        }
    }

    /// Starts once more: the content is what the power failure left behind.
    pub fn start(&mut self, power: usize, nature: Nature) {
        (self.power, self.nature, self.is_off) = (power, nature, false);
        for word in 0..self.torn.len() {
            if let Some((Nature::Latent, wanted)) =
                self.torn[word].take_if(|torn| torn.0 == Nature::Latent)
            {
                for (byte, wanted) in self.bytes[word * W..].iter_mut().zip(wanted) {
                    *byte &= wanted;
                }
            }
        }
    }

    /// Fills a range as something else than a log would.
    pub fn fill(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..][..bytes.len()].copy_from_slice(bytes);
        self.is_written[offset / W..(offset + bytes.len()).div_ceil(W)].fill(true);
    }

    /// Returns whether each word reads the same each time.
    pub fn is_stable(&self) -> bool {
        self.torn.iter().all(|torn| torn.is_none())
    }

    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn use_power(&mut self) -> bool {
        self.is_off |= self.power == 0;
        self.power = self.power.saturating_sub(1);
        !self.is_off
    }

    /// Tears a word that was to become `wanted`.
    fn tear(&mut self, word: usize, wanted: [u8; W]) {
        let nature = self.nature;
        for (position, byte) in wanted.into_iter().enumerate() {
            let at = word * W + position;
            match nature {
                Nature::Untouched | Nature::Latent => {}
                Nature::Unstable | Nature::Unreadable | Nature::Doubtful => self.bytes[at] &= byte,
                Nature::Whole => self.bytes[at] = byte,
                Nature::Zero => self.bytes[at] = 0,
                Nature::Half => self.bytes[at] = byte | 0x0F,
                Nature::Random(seed) => {
                    let mixed =
                        (at as u64 + 1).wrapping_mul(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                    self.bytes[at] = (mixed >> 32) as u8;
                }
            }
        }
        let is_hard = matches!(
            nature,
            Nature::Untouched | Nature::Whole | Nature::Zero | Nature::Half | Nature::Random(_)
        );
        self.torn[word] = (!is_hard).then_some((nature, wanted));
        self.is_written[word] = true;
    }

    /// Counts a call, and returns whether the driver fails at it before or after its work.
    fn fails(&mut self) -> Option<bool> {
        let calls = self.reads + self.writes + self.erases;
        self.fails_at.filter(|(call, _)| *call == calls).map(|(_, is_done)| is_done)
    }
}

impl<const W: usize, const R: usize, const E: usize> ErrorType for Chip<W, R, E> {
    type Error = NorFlashErrorKind;
}

impl<const W: usize, const R: usize, const E: usize> ReadNorFlash for Chip<W, R, E> {
    const READ_SIZE: usize = R;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        self.reads += 1;
        self.misaligned += usize::from(!bytes.as_ptr().addr().is_multiple_of(4));
        if self.is_off || self.fails().is_some() {
            bytes.fill(0xA5);
            return Err(NorFlashErrorKind::Other);
        }
        let range = offset as usize..offset as usize + bytes.len();
        bytes.copy_from_slice(&self.bytes[range.clone()]);
        for word in range.start / W..range.end.div_ceil(W) {
            match self.torn[word].map(|(nature, _)| nature) {
                Some(Nature::Unreadable) => return Err(NorFlashErrorKind::Other),
                Some(Nature::Doubtful) if self.random().is_multiple_of(2) => {
                    return Err(NorFlashErrorKind::Other);
                }
                Some(Nature::Unstable) => {
                    let random = self.random();
                    for at in (word * W..(word + 1) * W).filter(|at| range.contains(at)) {
                        bytes[at - range.start] |= match random % 3 {
                            0 => 0xFF,
                            1 => 0,
                            _ => (random >> 8) as u8,
                        };
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl<const W: usize, const R: usize, const E: usize> NorFlash for Chip<W, R, E> {
    const WRITE_SIZE: usize = W;
    const ERASE_SIZE: usize = E;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        self.writes += 1;
        self.misaligned += usize::from(!bytes.as_ptr().addr().is_multiple_of(4));
        let failure = self.fails();
        if self.is_off || failure == Some(false) {
            return Err(NorFlashErrorKind::Other);
        }
        let first = offset as usize / W;
        let (words, _) = bytes.as_chunks::<W>();
        for (done, word) in words.iter().enumerate() {
            if !self.use_power() {
                // Of this write no word is certain, also of those that came before.
                for (before, wanted) in words[..=done].iter().enumerate() {
                    if before == done || self.random().is_multiple_of(2) {
                        if before < done {
                            self.bytes[(first + before) * W..][..W].fill(0xFF);
                        }
                        self.tear(first + before, *wanted);
                    }
                }
                return Err(NorFlashErrorKind::Other);
            }
            if self.weak == Some(first + done) {
                self.torn[first + done] = Some((Nature::Unreadable, *word));
                return Err(NorFlashErrorKind::Other);
            }
            let is_again = std::mem::replace(&mut self.is_written[first + done], true);
            if is_again && self.twice == Twice::Refused {
                return Err(NorFlashErrorKind::NotAligned);
            }
            if let Some((_, wanted)) = self.torn[first + done]
                .take_if(|torn| self.twice != Twice::Worn && torn.0 != Nature::Latent)
            {
                for (byte, wanted) in self.bytes[(first + done) * W..].iter_mut().zip(wanted) {
                    *byte &= wanted;
                }
            }
            for (byte, written) in self.bytes[(first + done) * W..].iter_mut().zip(word) {
                *byte &=
                    if is_again && self.twice == Twice::Other { written & 0xEE } else { *written };
            }
        }
        if failure.is_some() { Err(NorFlashErrorKind::Other) } else { Ok(()) }
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        self.erases += 1;
        let failure = self.fails();
        if self.is_off || failure == Some(false) {
            return Err(NorFlashErrorKind::Other);
        }
        for sector in (from as usize..to as usize).step_by(E) {
            let words = sector / W..(sector + E) / W;
            if !self.use_power() {
                for word in words {
                    let mut was = [0; W];
                    was.copy_from_slice(&self.bytes[word * W..][..W]);
                    self.tear(word, was);
                }
                return Err(NorFlashErrorKind::Other);
            }
            self.bytes[sector..sector + E].fill(0xFF);
            self.is_written[words.clone()].fill(false);
            self.torn[words].fill(None);
        }
        if failure.is_some() { Err(NorFlashErrorKind::Other) } else { Ok(()) }
    }
}

/// A driver with futures that are ready at once.
pub struct Async<'a, const W: usize, const R: usize, const E: usize>(pub &'a mut Chip<W, R, E>);

impl<const W: usize, const R: usize, const E: usize> ErrorType for Async<'_, W, R, E> {
    type Error = NorFlashErrorKind;
}

impl<const W: usize, const R: usize, const E: usize> embedded_storage_async::nor_flash::ReadNorFlash
    for Async<'_, W, R, E>
{
    const READ_SIZE: usize = R;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.0.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl<const W: usize, const R: usize, const E: usize> embedded_storage_async::nor_flash::NorFlash
    for Async<'_, W, R, E>
{
    const WRITE_SIZE: usize = W;
    const ERASE_SIZE: usize = E;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        self.0.erase(from, to)
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        self.0.write(offset, bytes)
    }
}
