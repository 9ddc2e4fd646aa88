//! Checks of several files in one blob.

use idx_core::stream::RecordDecoder;
use idx_core::{Idx, Records};

use super::header::assert_same_header;
use super::records::{assert_same_records, both};
use super::reference::{self, File, compared_prefix, first};
use super::sample::Sample;

/// Files in a row are parsed one after the other, and the bytes after a file are returned unchanged.
///
/// # Panics
///
/// If that fails.
pub fn prefix(bytes: &[u8]) {
    for_each_sample!(prefix_of(bytes));

    let mut rest = bytes;
    while let Some(((idx, after), file)) = both(Idx::parse_prefix(rest), &reference::prefix(rest)) {
        assert_same_header(&idx.header(), file);
        assert_eq!(idx.payload(), file.payload());
        assert_eq!(after, after_payload(file));
        rest = after;
    }
}

fn prefix_of<T: Sample, const SIZE: usize>(bytes: &[u8]) {
    let expected = compared_prefix(&T::KIND, bytes)
        .and_then(|file| first([file.refused(&T::KIND)]).map(|()| file));
    if let Some(((records, rest), file)) = both(Records::<T>::parse_prefix(bytes), &expected) {
        assert_same_records(&records, file);
        assert_eq!(rest, after_payload(file));
    }

    if let Ok(file) = &expected
        && !file.is_endless()
    {
        let mut decoder = RecordDecoder::<T, SIZE>::new_prefix();
        let mut rest = bytes;
        for record in file.records() {
            let bytes = decoder.push_bytes(&mut rest).expect("a good file");
            assert_eq!(bytes, Some(record));
        }
        assert!(matches!(decoder.push(&mut rest), Ok(None)));
        assert_eq!(decoder.finish(), Ok(()));
        assert_eq!(rest, after_payload(file));
    }
}

fn after_payload<'a>(file: &File<'a>) -> &'a [u8] {
    &file.rest[file.payload().len()..]
}
