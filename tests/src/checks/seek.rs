//! Checks that a record reached by its index is the one read in order.

use std::io::{Cursor, Read};

use idx_std::{FormatError, Reader};

use super::input::Input;
use super::readers::format_of;
use super::reference::File;

/// A record that is selected by its index is the same as when it is read in order.
///
/// Draws which records to go to: backwards, too, but not in gzip data.
///
/// # Panics
///
/// If they differ.
pub fn seek(input: &[u8]) {
    let mut input = Input::new(input);
    let mut indices = input.list().to_vec();
    let bytes = input.rest();
    let Ok(file) = File::parse(bytes) else {
        return;
    };
    if file.unaddressable_record().is_some() {
        return; // each of them is refused
    }
    let mut plain = Reader::seekable(Cursor::new(bytes)).expect("a good header");
    for index in &indices {
        // An error ends a reader; going elsewhere starts it again.
        let _ = go_to(&mut plain, u64::from(*index), &file);
    }

    indices.sort_unstable();
    indices.dedup();
    let mut zipped = Reader::seekable(Cursor::new(crate::gzip(bytes))).expect("a good header");
    for index in indices {
        if go_to(&mut zipped, u64::from(index), &file).is_err() {
            return; // it is at its end
        }
        if u64::from(index) >= file.record_count() {
            continue;
        }
        let back = zipped.select(0..).expect_err("gzip is not read backwards");
        assert_eq!(back.kind().code(), "cannot_seek");
    }
}

/// Goes to a record and reads it, or meets the error that must be there; of a file that is cut or
/// has bytes left over the error is given back.
fn go_to<R: Read>(reader: &mut Reader<R>, index: u64, file: &File<'_>) -> Result<(), FormatError> {
    let result = reader.select(index..);
    if index > file.record_count() {
        let error = result.expect_err("there is no such record");
        assert_eq!(error.kind().code(), "index_out_of_range");
        return Ok(());
    }
    let size = file.record_size().unwrap_or(0);
    let is_there = |records: u64| records * size <= file.rest.len() as u64;
    if !is_there(index) {
        let error = format_of(&result.expect_err("it is cut before"));
        assert_eq!(Some(error), file.cut());
        assert!(reader.next_record().is_none(), "an error is the end");
        return Err(error);
    }
    result.expect("it is there, or starts where the file ends");
    let next = reader.next_record().map(|next| next.map(<[u8]>::to_vec));
    if index == file.record_count() {
        let error = next.map(|next| format_of(&next.expect_err("no record is left")));
        assert_eq!(error, file.left_over());
        return error.map_or(Ok(()), Err);
    }
    let next = next.expect("a record or an error");
    if !is_there(index + 1) {
        let error = format_of(&next.expect_err("it is cut"));
        assert_eq!(Some(error), file.cut());
        return Err(error);
    }
    let start = usize::try_from(index * size).expect("the bytes are there");
    let size = usize::try_from(size).expect("the bytes are there");
    assert_eq!(next.expect("it is whole"), file.rest[start..][..size]);
    Ok(())
}
