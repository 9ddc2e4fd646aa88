/// A short text that is built in `const`, where `core::fmt` is not available.
///
/// Text beyond the capacity is dropped. No error is that long: the test `sentences` in tests/core/views.rs
/// compares each sentence with the largest numbers in it.
pub(crate) struct ConstText {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl ConstText {
    const CAPACITY: usize = 240;

    pub(crate) const fn new() -> Self {
        Self { bytes: [0; Self::CAPACITY], len: 0 }
    }

    pub(crate) const fn as_str(&self) -> &str {
        if let Some((text, _)) = self.bytes.split_at_checked(self.len)
            && let Ok(text) = core::str::from_utf8(text)
        {
            text
        } else {
            debug_assert!(false, "whole strings of ASCII are there");
            ""
        }
    }

    pub(crate) const fn string(&mut self, string: &str) -> &mut Self {
        self.ascii(string.as_bytes())
    }

    /// ": expected 16 bytes, found 11 (5 missing)"
    pub(crate) const fn truncation(&mut self, needed: u64, found: u64) -> &mut Self {
        self.string(": expected ")
            .count(needed, "byte")
            .string(", found ")
            .number(found)
            .string(" (")
            .number(needed.saturating_sub(found))
            .string(" missing)")
    }

    /// "1 byte", "2 bytes"
    pub(crate) const fn count(&mut self, number: u64, noun: &str) -> &mut Self {
        self.number(number).string(" ").string(noun);
        if number == 1 { self } else { self.string("s") }
    }

    pub(crate) const fn number(&mut self, number: u64) -> &mut Self {
        if number >= 10 {
            self.number(number / 10);
        }
        self.ascii(&[b'0'.wrapping_add((number % 10) as u8)])
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
            0..=9 => self.ascii(&[b'0'.wrapping_add(digit)]),
            _ => self.ascii(&[(b'A' - 10).wrapping_add(digit)]),
        }
    }

    const fn ascii(&mut self, mut ascii: &[u8]) -> &mut Self {
        while let [byte, rest @ ..] = ascii {
            if let Some((_, [next, ..])) = self.bytes.split_at_mut_checked(self.len) {
                *next = *byte;
                self.len = self.len.wrapping_add(1);
            }
            ascii = rest;
        }
        self
    }
}
