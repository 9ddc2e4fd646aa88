//! What is wrong with a file, in the sentences of idx-core and idx-std, for the page.
//!
//! Only this border to JavaScript has `unsafe`.
#![no_std]

// The formats that a file can have instead.
#[path = "../../idx-std/src/signature.rs"]
mod signature;

use core::fmt::{self, Write};
use core::panic::PanicInfo;

use idx_core::ErrorKind::{NotIdx, TooLarge, Truncated, UnknownElementType};
use idx_core::Header;
use signature::FileSignature;

/// Room for the longest header and as much more as a signature needs, or for a sentence.
const SIZE: usize = 2048;

/// What this crate and the page pass to each other.
static mut SHARED: [u8; SIZE] = [0; SIZE];

/// Where that is.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn shared() -> *mut u8 {
    (&raw mut SHARED).cast()
}

/// Writes what is wrong with a file of `size` bytes that starts with the first `start` bytes of the shared ones, but for
/// bytes behind its end, and returns the length of that sentence. A NUL stands for the first bytes of the file.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn check(start: usize, size: f64) -> usize {
    // SAFETY: nothing else refers to the shared bytes during this call, as there is one thread.
    let shared = unsafe { &mut *(&raw mut SHARED) };
    let input = *shared;
    let mut sentence = Sentence { bytes: shared, length: 0 };
    // What has no room is cut.
    let _ = say(&mut sentence, input.get(..start).unwrap_or_default(), size as u64);
    sentence.length
}

fn say(sentence: &mut Sentence<'_>, start: &[u8], size: u64) -> fmt::Result {
    let error = match Header::parse(start) {
        Ok((header, _)) => {
            let (needed, found) = (header.payload_size(), size - header.header_size() as u64);
            let is_cut = found < needed;
            return if is_cut { write!(sentence, "{}", Truncated { needed, found }) } else { Ok(()) };
        }
        Err(error) => error.kind(),
    };
    match (error, FileSignature::detect(start)) {
        (NotIdx { .. } | UnknownElementType { .. } | TooLarge { .. }, Some(signature)) => {
            write!(sentence, "this is {signature}, not an IDX file; ")?;
            sentence.write_str(signature.advice())
        }
        (NotIdx { .. }, None) => {
            sentence.write_str(error.message())?;
            sentence.write_str(": it starts with \0, but IDX files start with 00 00; ")?;
            sentence.write_str(error.advice().unwrap_or_default())
        }
        (UnknownElementType { .. }, None) => write!(sentence, "{error}; the file starts with \0"),
        _ => write!(sentence, "{error}"),
    }
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
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
