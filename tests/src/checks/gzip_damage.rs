use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::gzip::{is_gzip, read};
use super::input::Input;

/// As [`gzip`](super::gzip()), of good gzip data, and of the same with one byte changed and its end cut off.
///
/// Draws the level of compression, which byte is changed and how, and how much is cut off.
///
/// # Panics
///
/// As there.
pub fn gzip_damage(input: &[u8]) {
    let mut input = Input::new(input);
    let (level, position, change, cut) = (input.byte(), input.number(), input.byte(), input.byte());
    let mut zipped = compress(input.rest(), u32::from(level % 10));
    read(&zipped);
    let position = usize::from(position) % zipped.len();
    zipped[position] ^= change;
    zipped.truncate(zipped.len().saturating_sub(usize::from(cut)));
    if is_gzip(&zipped) {
        read(&zipped);
    }
}

fn compress(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::new(level));
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("a vector takes all bytes")
}
