//! Messages with numbers that the compiler can build, for errors in a `static`.

use crate::element_type::ElementType;

/// A text with numbers in it, in pieces, so that the compiler can print it as well as `core::fmt`.
///
/// In its template these stand for the next number: `#` in decimal, `$` a byte in hexadecimal, `&` four bytes with
/// spaces between, `@` the element type of this code. `%` is an "s" unless the number before it is 1.
///
/// Firmware pays for one copy of this instead of the code that `format_args!` makes of each sentence, and for no
/// division of 64 bits.
pub(crate) struct Template {
    rest: &'static str,
    numbers: [u64; 3],
    /// The index of the next number.
    next: usize,
}

/// A part of a text.
pub(crate) enum Piece {
    Text(&'static str),
    /// From the last to the first; there is room for the greatest number.
    Digits(ConstText<20>),
}

impl Template {
    pub(crate) const fn new(text: &'static str, numbers: [u64; 3]) -> Self {
        Self { rest: text, numbers, next: 0 }
    }

    pub(crate) const fn next(&mut self) -> Option<Piece> {
        let mut len = 0;
        let mut bytes = self.rest.as_bytes();
        while let [byte, after @ ..] = bytes
            && !matches!(byte, b'#' | b'$' | b'&' | b'@' | b'%')
        {
            len = usize::wrapping_add(len, 1);
            bytes = after;
        }
        let at = if len == 0 { 1 } else { len };
        let Some((piece, rest)) = self.rest.split_at_checked(at) else {
            return None; // the end
        };
        self.rest = rest;
        let marker = match piece.as_bytes() {
            [marker] if len == 0 => *marker,
            _ => return Some(Piece::Text(piece)),
        };
        if marker == b'%' {
            let is_one = self.number(self.next.wrapping_sub(1)) == 1;
            return Some(Piece::Text(if is_one { "" } else { "s" }));
        }
        let number = self.number(self.next);
        self.next = self.next.wrapping_add(1);
        #[expect(clippy::cast_possible_truncation, reason = "a code is a byte")]
        Some(match marker {
            b'#' => Piece::Digits(decimal(number)),
            b'$' => Piece::Digits(hexadecimal(number, 1)),
            b'&' => Piece::Digits(hexadecimal(number, 4)),
            _ => Piece::Text(match ElementType::from_code(number as u8) {
                Some(element_type) => element_type.name(),
                None => "?",
            }),
        })
    }

    const fn number(&self, index: usize) -> u64 {
        match self.numbers.split_at_checked(index) {
            Some((_, [number, ..])) => *number,
            _ => 0,
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the halves of a number, and its digits")]
const fn decimal(number: u64) -> ConstText<20> {
    let mut digits = ConstText::new();
    let (mut high, mut low) = ((number >> 32) as u32, number as u32);
    loop {
        // In halves of 16 bits, as no machine of 32 bits divides 64.
        let upper = (high % 10) << 16 | (low >> 16);
        let lower = (upper % 10) << 16 | (low & 0xFFFF);
        (high, low) = (high / 10, (upper / 10) << 16 | (lower / 10));
        digits.push(b'0'.wrapping_add((lower % 10) as u8));
        if high == 0 && low == 0 {
            return digits;
        }
    }
}

/// Returns the last bytes of a number, at most four.
const fn hexadecimal(number: u64, bytes: usize) -> ConstText<20> {
    let mut digits = ConstText::new();
    let mut rest = number;
    let mut bytes = bytes;
    while bytes > 0 {
        digits.push_hexadecimal(rest);
        digits.push_hexadecimal(rest >> 4);
        rest >>= 8;
        bytes -= 1;
        if bytes > 0 {
            digits.push(b' ');
        }
    }
    digits
}

/// A short text of ASCII that is built in `const`, where `core::fmt` is not available.
///
/// Text beyond its `N` bytes is dropped. No error is longer than 240: the test `sentences` in tests/core/views.rs looks
/// at each with the largest numbers in it.
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
        while let Some(piece) = template.next() {
            match piece {
                Piece::Text(text) => _ = self.string(text),
                Piece::Digits(mut digits) => {
                    while let Some(digit) = digits.pop() {
                        self.push(digit);
                    }
                }
            }
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

    const fn push_hexadecimal(&mut self, number: u64) {
        let digit = (number & 0xF) as u8;
        let zero = if digit < 10 { b'0' } else { b'A' - 10 };
        self.push(zero.wrapping_add(digit));
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
