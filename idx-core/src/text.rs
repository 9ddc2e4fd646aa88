/// A short text that can be put together in `const`, where `core::fmt` cannot.
///
/// What does not fit is left out. No error is that long: the test `sentences` in tests/core/views.rs
/// compares each whole, with the longest numbers it can have.
pub(crate) struct Text {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Text {
    const CAPACITY: usize = 240;

    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; Self::CAPACITY],
            len: 0,
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        match self.bytes.split_at_checked(self.len) {
            Some((text, _)) => match core::str::from_utf8(text) {
                Ok(text) => text,
                Err(_) => "",
            },
            None => "",
        }
    }

    pub(crate) const fn string(&mut self, string: &str) -> &mut Self {
        self.ascii(string.as_bytes())
    }

    /// "16 bytes are needed, 11 are there, 5 missing"
    pub(crate) const fn cut(&mut self, needed: u64, found: u64) -> &mut Self {
        self.number(needed)
            .string(" bytes are needed, ")
            .number(found)
            .string(" are there, ")
            .number(needed.saturating_sub(found))
            .string(" missing")
    }

    pub(crate) const fn number(&mut self, number: u64) -> &mut Self {
        if number >= 10 {
            self.number(number / 10);
        }
        self.ascii(&[b'0' + (number % 10) as u8])
    }

    pub(crate) const fn signed_number(&mut self, number: i64) -> &mut Self {
        if number < 0 {
            self.string("-");
        }
        self.number(number.unsigned_abs())
    }

    /// Bytes as pairs of upper-case digits with spaces between them.
    pub(crate) const fn hex(&mut self, mut bytes: &[u8]) -> &mut Self {
        while let [byte, rest @ ..] = bytes {
            self.hex_digit(*byte >> 4).hex_digit(*byte & 0xF);
            if !rest.is_empty() {
                self.string(" ");
            }
            bytes = rest;
        }
        self
    }

    const fn hex_digit(&mut self, digit: u8) -> &mut Self {
        match digit {
            0..=9 => self.ascii(&[b'0' + digit]),
            _ => self.ascii(&[b'A' + digit - 10]),
        }
    }

    const fn ascii(&mut self, mut ascii: &[u8]) -> &mut Self {
        while let [byte, rest @ ..] = ascii {
            if let Some((_, [next, ..])) = self.bytes.split_at_mut_checked(self.len) {
                *next = *byte;
                self.len += 1;
            }
            ascii = rest;
        }
        self
    }
}
