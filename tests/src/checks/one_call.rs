//! Checks of gzip inflated in one call against gzip inflated in pieces.

use std::fs;
use std::path::Path;

use idx_std::{Error, ErrorKind, IdxBuf, load, open};

use super::gzip::is_gzip;
use super::gzip_damage::{compress, damage};
use super::input::Input;

/// A gzip file on a disk, which one call may inflate, has the content and the error of the same bytes in
/// memory, which are inflated in pieces.
///
/// Draws whether the rest is a file to compress, with damage or with more behind it, or gzip data as it is.
///
/// # Panics
///
/// If not.
pub fn one_call(input: &[u8]) {
    let mut input = Input::new(input);
    let zipped = match input.byte() {
        0 => damage(input).1,
        way @ (1 | 2) => {
            let level = u32::from(input.byte() % 10);
            let member = compress(input.rest(), level);
            let end = match way {
                1 => &member[member.len() - 8..],
                _ => &member[..],
            };
            [&member[..], end].concat()
        }
        _ => input.rest().to_vec(),
    };
    if is_gzip(&zipped) {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        one_call_of(&folder.path().join("file"), &zipped);
    }
}

/// The same of this gzip data, which is written to a file at this path. Returns whether it is accepted.
///
/// # Panics
///
/// If not.
pub fn one_call_of(path: &Path, zipped: &[u8]) -> bool {
    fs::write(path, zipped).expect("there is room");
    let in_pieces = IdxBuf::from_bytes(zipped);
    let at_once = open(path);
    match (&at_once, &in_pieces) {
        (Ok(at_once), Ok(in_pieces)) => {
            assert_eq!(at_once.bytes(), in_pieces.bytes());
            if let (Ok(bytes), Ok(vector)) = (load::<u8>(path), in_pieces.to_vec::<u8>()) {
                assert_eq!(bytes.into_vec(), vector);
            }
        }
        (Err(at_once), Err(in_pieces)) => {
            assert_eq!(format!("{:?}", at_once.kind()), format!("{:?}", in_pieces.kind()));
            assert_eq!(at_once.records(), in_pieces.records());
        }
        (Ok(_), Err(error)) => assert!(is_of_the_codes(error), "accepted, but {error}"),
        (Err(error), Ok(_)) => panic!("refused: {error}"),
    }
    at_once.is_ok()
}

/// Returns whether the content is all there, and only the codes that it is written in are not as they should be: what
/// zlib refuses and libdeflate reads.
fn is_of_the_codes(error: &Error) -> bool {
    const REFUSED: [&str; 5] = [
        "invalid code lengths set",
        "too many length or distance symbols",
        "invalid distance code",
        "invalid literal/length code",
        "repeated call with bad state", // one of the last two, met in the fast loop of zlib-rs
    ];
    match error.kind() {
        ErrorKind::GzipDamaged { error, .. } => {
            let error = error.to_string();
            REFUSED.iter().any(|refused| error.starts_with(refused))
        }
        _ => false,
    }
}
