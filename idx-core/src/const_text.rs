//! Messages with numbers, built at compile time for errors in a `static`.

use crate::element_type::ElementType;

/// The bytes of a text with numbers in it, which both the compiler and `core::fmt` can print.
///
/// In the text, these stand for the next number: `#` in decimal, `$` as a byte in hexadecimal, `&` as four such bytes
/// with spaces between them, `@` as the name of the element type with this code. `%` is an "s" unless the number before
/// it is 1.
///
/// Firmware pays for one copy of this, instead of the code that `format_args!` generates for each message, and needs no
/// 64-bit division.
pub(crate) struct Template {
    rest: &'static [u8],
    numbers: [u64; 3],
    /// The index of the next number.
    next: usize,
    /// The remaining digits of the current number, in reverse; 20 are enough for any `u64`.
    digits: ConstText<20>,
}

impl Template {
    pub(crate) const fn new(text: &'static str, numbers: [u64; 3]) -> Self {
        Self { rest: text.as_bytes(), numbers, next: 0, digits: ConstText::new() }
    }

    pub(crate) const fn next(&mut self) -> Option<u8> {
        loop {
            if let Some(digit) = self.digits.pop() {
                return Some(digit);
            }
            let [byte, rest @ ..] = self.rest else {
                return None;
            };
            self.rest = rest;
            let number = self.number(self.next);
            match byte {
                b'%' if self.number(self.next.wrapping_sub(1)) == 1 => continue,
                b'%' => return Some(b's'),
                b'#' => self.digits.push_decimal(number),
                b'$' => self.digits.push_hexadecimal(number, 1),
                b'&' => self.digits.push_hexadecimal(number, 4),
                b'@' => self.digits.push_element_type(number),
                _ => return Some(*byte),
            }
            self.next = self.next.wrapping_add(1);
        }
    }

    const fn number(&self, index: usize) -> u64 {
        match self.numbers.split_at_checked(index) {
            Some((_, [number, ..])) => *number,
            _ => 0,
        }
    }
}

/// A short ASCII text built in `const`, where `core::fmt` is not available.
///
/// Text beyond `N` bytes is dropped. No error is longer than 240 bytes: the test `sentences` in tests/core/views.rs
/// checks each one with the largest numbers.
pub(crate) struct ConstText<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> ConstText<N> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
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

    /// Appends a text with numbers in it.
    pub(crate) const fn fill(&mut self, mut template: Template) -> &mut Self {
        while let Some(byte) = template.next() {
            self.push(byte);
        }
        self
    }

    pub(crate) const fn string(&mut self, string: &str) -> &mut Self {
        let mut ascii = string.as_bytes();
        while let [byte, rest @ ..] = ascii {
            self.push(*byte);
            ascii = rest;
        }
        self
    }

    /// Appends a number in decimal, last digit first.
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a number, and its digits")]
    const fn push_decimal(&mut self, number: u64) {
        let (mut high, mut low) = ((number >> 32) as u32, number as u32);
        loop {
            // In halves of 16 bits: 32-bit machines have no 64-bit division.
            let upper = (high % 10) << 16 | (low >> 16);
            let lower = (upper % 10) << 16 | (low & 0xFFFF);
            (high, low) = (high / 10, (upper / 10) << 16 | (lower / 10));
            self.push(b'0'.wrapping_add((lower % 10) as u8));
            if high == 0 && low == 0 {
                return;
            }
        }
    }

    /// Appends the last bytes of a number in hexadecimal, last digit first.
    const fn push_hexadecimal(&mut self, number: u64, bytes: u32) {
        let mut place = 0;
        while place < bytes.wrapping_mul(2) {
            if place > 0 && place % 2 == 0 {
                self.push(b' ');
            }
            let digit = (number.wrapping_shr(place.wrapping_mul(4)) & 0xF) as u8;
            let zero = if digit < 10 { b'0' } else { b'A' - 10 };
            self.push(zero.wrapping_add(digit));
            place = place.wrapping_add(1);
        }
    }

    /// Appends the name of the element type with this code, last letter first.
    #[expect(clippy::cast_possible_truncation, reason = "a code is a byte")]
    const fn push_element_type(&mut self, code: u64) {
        if let Some(element_type) = ElementType::from_code(code as u8) {
            let mut name = element_type.name().as_bytes();
            while let [before @ .., last] = name {
                self.push(*last);
                name = before;
            }
        }
    }

    const fn push(&mut self, byte: u8) {
        if let Some((_, [next, ..])) = self.bytes.split_at_mut_checked(self.len) {
            *next = byte;
            self.len = self.len.wrapping_add(1);
        }
    }

    /// Removes the last byte.
    pub(crate) const fn pop(&mut self) -> Option<u8> {
        self.len = match self.len.checked_sub(1) {
            Some(len) => len,
            None => return None,
        };
        match self.bytes.split_at_checked(self.len) {
            Some((_, [last, ..])) => Some(*last),
            _ => None,
        }
    }
}
