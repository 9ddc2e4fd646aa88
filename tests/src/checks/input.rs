//! The input of a check: choices in its first bytes, and a file in the rest.

/// An input: its first bytes decide what a check does with the file in the rest.
pub(super) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// One byte, or 0 at the end.
    pub(super) fn byte(&mut self) -> u8 {
        self.bytes(1).first().copied().unwrap_or(0)
    }

    /// Two bytes as a number.
    pub(super) fn number(&mut self) -> u16 {
        u16::from_be_bytes([self.byte(), self.byte()])
    }

    /// As many bytes as the first byte says.
    pub(super) fn list(&mut self) -> &'a [u8] {
        let len = self.byte();
        self.bytes(usize::from(len))
    }

    /// The rest of the input.
    pub(super) fn rest(self) -> &'a [u8] {
        self.0
    }

    /// This many bytes, or as many as there are.
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        bytes
    }
}

/// Bytes cut into pieces of the lengths in `lengths`, again and again.
///
/// A length of 0 is an empty piece; if all are 0 there is one piece.
#[derive(Clone)]
pub(super) struct Pieces<'a> {
    rest: &'a [u8],
    lengths: &'a [u8],
    next: usize,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(bytes: &'a [u8], lengths: &'a [u8]) -> Self {
        Self { rest: bytes, lengths, next: 0 }
    }

    /// The next piece, of at most `most` bytes.
    fn take(&mut self, most: usize) -> &'a [u8] {
        let length = if self.lengths.iter().all(|length| *length == 0) {
            self.rest.len()
        } else {
            let length = self.lengths[self.next % self.lengths.len()];
            self.next += 1;
            usize::from(length)
        };
        let (piece, rest) = self.rest.split_at(length.min(most).min(self.rest.len()));
        self.rest = rest;
        piece
    }

    /// As a reader, for which an empty piece would be the end: it skips empty pieces.
    fn read_into(&mut self, buffer: &mut [u8]) -> usize {
        loop {
            let piece = self.take(buffer.len());
            if !piece.is_empty() || self.rest.is_empty() || buffer.is_empty() {
                buffer[..piece.len()].copy_from_slice(piece);
                return piece.len();
            }
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        (!self.rest.is_empty()).then(|| self.take(usize::MAX))
    }
}

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        Ok(self.read_into(buffer))
    }
}

impl embedded_io::ErrorType for Pieces<'_> {
    type Error = std::convert::Infallible;
}

impl embedded_io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        Ok(self.read_into(buffer))
    }
}
