//! Contents of a source of idx-data, from a file and from a stream, for several checks.

use std::io::Cursor;
use std::path::Path;

use idx_data::{Error, OpenOptions, PictureOptions, Record, RecordLayout, Source};

/// The maximum number of records of an input that are looked at: those without elements cost no bytes.
const MOST_RECORDS: usize = 4096;

/// The content of a source.
#[derive(Debug, PartialEq)]
pub(super) struct Contents {
    pub(super) layout: RecordLayout,
    pub(super) records: Vec<Record>,
    /// True if there is an error after them.
    pub(super) is_damaged: bool,
}

/// With these options, no input may take much memory.
pub(super) fn options() -> OpenOptions {
    let pictures = PictureOptions::new().max_pixels(1u64 << 16);
    OpenOptions::new().record_limit(1u64 << 20).threads(1).pictures(pictures)
}

/// Returns the content of a file, and the same from a stream; `None` if it cannot be opened.
///
/// # Panics
///
/// If the two differ, or if a record differs from what is known of it.
pub(super) fn read_file(path: &Path, options: &OpenOptions) -> Option<Contents> {
    let bytes = std::fs::read(path).expect("a file");
    let of_file = contents(options.open(path), 0);
    let of_stream = contents(options.open_stream(path, Box::new(Cursor::new(bytes))), 0);
    assert_eq!(of_file, of_stream);
    of_file
}

/// The records after some that are skipped.
pub(super) fn contents(opened: Result<Source, Error>, skipped: u64) -> Option<Contents> {
    let mut source = opened.inspect_err(expect_words).ok()?;
    let layout = source.facts().layout.clone();
    let count = source.facts().count;
    let mut contents = Contents { layout, records: vec![], is_damaged: false };
    let mut record = Record::default();
    let at = match source.skip(skipped) {
        Ok(at) => at,
        Err(error) => {
            expect_words(&error);
            contents.is_damaged = true;
            return Some(contents);
        }
    };
    while contents.records.len() < MOST_RECORDS {
        match source.read(&mut record) {
            Ok(true) => {}
            Ok(false) => {
                let read = at + contents.records.len() as u64;
                assert!(count.is_none_or(|count| count == read), "{count:?} records, read {read}");
                break;
            }
            Err(error) => {
                expect_words(&error);
                contents.is_damaged = true;
                break;
            }
        }
        assert_eq!(Some(record.bytes.len() as u64), contents.layout.record_size());
        assert_eq!(record.label.is_some(), source.facts().has_labels);
        contents.records.push(record.clone());
    }
    Some(contents)
}

/// The message of an error says something, in few words.
fn expect_words(error: &Error) {
    let words = error.to_string();
    assert!(!words.is_empty() && words.len() < 8192, "{words}");
}
