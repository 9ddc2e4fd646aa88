//! The page's errors about files, in the sentences of idx-core and idx-std.
//!
//! Only these functions, which JavaScript calls, have `unsafe`.
#![no_std]

// The formats that a file can have instead.
#[path = "../../idx-std/src/signature.rs"]
mod signature;

use core::fmt::{self, Write};

use idx_core::ErrorKind::{NotIdx, TooLarge, Truncated, UnknownElementType};
use idx_core::Header;
use signature::FileSignature;

/// The size of the longest header and of a signature after it, or of a sentence.
const SIZE: usize = 2048;

/// The bytes that this crate and the page pass to each other.
static mut SHARED: [u8; SIZE] = [0; SIZE];

/// Returns the address of the shared bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn shared() -> *mut u8 {
    (&raw mut SHARED).cast()
}

/// Writes the sentence about a file of `size` bytes, whose first `start` bytes are shared: the error of its header, or
/// else that the payload is truncated, which only the page can tell. Returns the length of the sentence, in which NUL
/// stands for the file's first bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn check(start: usize, size: f64) -> usize {
    // SAFETY: nothing else refers to the bytes during this call, as there is one thread.
    let shared = unsafe { &mut *shared().cast::<[u8; SIZE]>() };
    let file = *shared;
    let start = file.get(..start).unwrap_or_default();
    let mut sentence = Sentence { bytes: shared, length: 0 };
    let error = match Header::parse(start) {
        Ok((header, rest)) => {
            let found = size as u64 - (start.len() - rest.len()) as u64;
            Truncated { needed: header.payload_size(), found }
        }
        Err(error) => error.kind(),
    };
    let advice = error.advice().unwrap_or_default();
    // A sentence that is too long is cut.
    let _ = match (error, FileSignature::detect(start)) {
        (NotIdx { .. } | UnknownElementType { .. } | TooLarge { .. }, Some(found)) => {
            write!(sentence, "this is {found}, not an IDX file; ")
                .and(sentence.write_str(found.advice()))
        }
        (NotIdx { .. }, _) => write!(
            sentence,
            "this is not an IDX file: it starts with \0, but IDX files start with 00 00; "
        )
        .and(sentence.write_str(advice)),
        (UnknownElementType { .. }, _) => write!(sentence, "{error}; the file starts with \0"),
        _ => write!(sentence, "{error}"),
    };
    sentence.length
}

struct Sentence<'a> {
    bytes: &'a mut [u8],
    length: usize,
}

impl Write for Sentence<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.length..self.length + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
