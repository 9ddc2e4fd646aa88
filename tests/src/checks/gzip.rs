//! Checks of gzip against flate2.

use std::io::Read;

use flate2::bufread::{GzDecoder, MultiGzDecoder};
use idx_std::{Error, IdxBuf, Reader};

use super::readers::{drain, expect_unfinished, format, is_endless};
use super::reference::{File, finished};

/// The header of a member (RFC 1952): deflate, no flags, no time stamp.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];

/// Gzip data is accepted if and only if it decompresses to a file; its content is then that of flate2.
///
/// Input that does not start like gzip is used as compressed data without its header.
///
/// # Panics
///
/// If not.
pub fn gzip(input: &[u8]) {
    if is_gzip(input) {
        read(input);
    } else {
        read(&[&HEADER, input].concat());
    }
}

/// Reads gzip data in all ways.
pub(super) fn read(bytes: &[u8]) {
    let content = gunzip(bytes);
    if let Some(finished) = content.as_deref().and_then(finished) {
        return expect_unfinished(bytes, &finished);
    }
    let expected = match &content {
        Some(content) => File::parse(content)
            .and_then(|file| file.check_end())
            .map(|()| &content[..])
            .map_err(Some),
        None => Err(None),
    };

    let buffers = [IdxBuf::from_bytes(bytes), IdxBuf::from_reader(bytes)];
    for buffer in buffers {
        match (&buffer, expected) {
            (Ok(buffer), Ok(content)) => assert_eq!(buffer.bytes(), content),
            (Err(error), Err(expected)) => assert_same_error(error, expected),
            (Ok(_), Err(expected)) => panic!("accepted, expected {expected:?}"),
            (Err(error), Ok(_)) => panic!("{error:?}"),
        }
    }

    let (records, error) = match Reader::new(bytes) {
        Ok(reader) if is_endless(reader.header()) => return,
        Ok(reader) => drain(reader),
        Err(error) => (vec![], Some(error)),
    };
    match (error, expected) {
        (None, Ok(content)) => {
            let file = File::parse(content).expect("it is what is expected");
            assert!(records.iter().eq(file.records()));
        }
        (Some(error), Err(expected)) => assert_same_error(&error, expected),
        (None, Err(expected)) => panic!("accepted, expected {expected:?}"),
        (Some(error), Ok(_)) => panic!("{error:?}"),
    }
}

/// The error is that of the content. If the gzip data is damaged, any error is right, because the content may
/// be wrong before the damage. A 32-bit machine refuses what it cannot address before it misses the rest.
fn assert_same_error(error: &Error, expected: Option<idx_core::ErrorKind>) {
    use idx_core::ErrorKind::{Truncated, Unaddressable};
    match (format(error), expected) {
        (_, None) => {}
        (Some(Unaddressable { size }), Some(Truncated { needed, .. })) => {
            assert!(size > usize::MAX as u64 && needed >= size, "{error:?}, expected {expected:?}");
        }
        (kind, expected) => assert_eq!(kind, expected),
    }
}

/// The content of all members, followed by nothing but zeros; `None` if anything is wrong.
fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let (content, rest) = members(bytes);
    if rest.is_empty() {
        let mut again = vec![];
        let read = MultiGzDecoder::new(bytes).read_to_end(&mut again);
        assert!(read.is_ok() && again == content, "flate2 differs from itself");
    }
    rest.iter().all(|byte| *byte == 0).then_some(content)
}

/// The content of the members that can be decompressed, and the bytes after them.
pub(super) fn members(bytes: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut contents = vec![];
    let mut rest = bytes;
    while is_gzip(rest) {
        let mut content = vec![];
        let mut member = GzDecoder::new(rest);
        if member.read_to_end(&mut content).is_err() {
            break;
        }
        contents.extend(content);
        rest = member.into_inner();
    }
    (contents, rest)
}

pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&HEADER[..2])
}
