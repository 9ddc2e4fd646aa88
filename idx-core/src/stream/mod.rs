//! Records from bytes that arrive in pieces: from a UART, from the blocks of an SD card, from a decompressor.
//!
//! [`RecordDecoder`] buffers at most one record. Push bytes to it as they arrive ([`push`](RecordDecoder::push)), or
//! let it read from an `embedded_io::Read` (feature `embedded-io-v0.7`) or its async counterpart (feature
//! `embedded-io-async-v0.7`).
//!
//! If all bytes are in memory, [`Records`](crate::Records) is smaller and faster.

mod decoder;
#[cfg(any(feature = "embedded-io-v0.7", feature = "embedded-io-async-v0.7"))]
mod io;

pub use decoder::RecordDecoder;
#[cfg(any(feature = "embedded-io-v0.7", feature = "embedded-io-async-v0.7"))]
pub use io::ReadError;
