//! Checks of npz archives, whole and damaged.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::data::{options, read_file};
use super::input::Input;

/// An array in an archive equals the array; and an archive with one byte changed and its end cut off is refused, or
/// has the same records.
///
/// Draws the compression, which byte is changed and how, and how much is cut off. Input that starts like an archive is
/// read as it is.
///
/// # Panics
///
/// If not.
pub fn npz(input: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        read_file(&path, &options())
    };
    if input.starts_with(b"PK") {
        read("a.npz", input);
        return;
    }
    let mut input = Input::new(input);
    let (method, position, change) = (input.byte(), input.number(), input.byte());
    let cut = usize::from(input.byte());
    let array = input.rest();
    let whole = archive(array, method & 1 == 1);
    // The array by itself may be compressed as well.
    let alone = read("a.npy", array).filter(|_| array.starts_with(b"\x93NUMPY"));
    let in_archive = read("a.npz", &whole);
    assert!(alone.is_none() || in_archive == alone, "{in_archive:?}, alone {alone:?}");
    let mut damaged = whole.clone();
    let position = usize::from(position) % whole.len();
    damaged[position] ^= change;
    damaged.truncate(whole.len().saturating_sub(cut));
    if let Some(found) = read("b.npz", &damaged) {
        let records = in_archive.map(|whole| whole.records).unwrap_or_default();
        assert!(records.starts_with(&found.records) || found.is_damaged);
        assert!(found.is_damaged || found.records == records);
    }
}

/// An archive with one array, stored or compressed.
pub(super) fn archive(array: &[u8], compressed: bool) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(array);
    let mut content = array.to_vec();
    if compressed {
        let mut encoder = DeflateEncoder::new(vec![], Compression::default());
        encoder.write_all(array).expect("a vector takes all bytes");
        content = encoder.finish().expect("a vector takes all bytes");
    }
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).expect("a short input").to_le_bytes();
    // The version, no flags, the method, no time, the checksum, the sizes, the length of the name.
    let facts = [
        &[20, 0, 0, 0, if compressed { 8 } else { 0 }, 0, 0, 0, 0x21, 0][..],
        &crc.sum().to_le_bytes(),
        &size(&content),
        &size(array),
        &[5, 0, 0, 0],
    ]
    .concat();
    let mut archive = [b"PK\x03\x04", &facts[..], b"x.npy", &content].concat();
    let list = [b"PK\x01\x02\x14\0", &facts[..], &[0; 14], b"x.npy"].concat();
    let end = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &size(&list), &size(&archive), &[0, 0]];
    archive.extend(list.iter().chain(&end.concat()));
    archive
}
