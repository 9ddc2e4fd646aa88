//! Checks of gzip with a changed byte or a missing end.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::gzip::{is_gzip, read};
use super::input::Input;

/// Like [`gzip`](super::gzip()), for good gzip data, and for the same with one byte changed and its end cut off.
///
/// Draws the level of compression, which byte is changed and how, and how much is cut off.
///
/// # Panics
///
/// As there.
pub fn gzip_damage(input: &[u8]) {
    let (whole, damaged) = damage(Input::new(input));
    read(&whole);
    if is_gzip(&damaged) {
        read(&damaged);
    }
}

/// Returns the rest, compressed, and the same with the damage that is drawn.
pub(super) fn damage(mut input: Input<'_>) -> (Vec<u8>, Vec<u8>) {
    let (level, position, change, cut) = (input.byte(), input.number(), input.byte(), input.byte());
    let whole = compress(input.rest(), u32::from(level % 10));
    let mut damaged = whole.clone();
    let position = usize::from(position) % whole.len();
    damaged[position] ^= change;
    damaged.truncate(whole.len().saturating_sub(usize::from(cut)));
    (whole, damaged)
}

pub(super) fn compress(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::new(level));
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a vector takes all bytes")
}
