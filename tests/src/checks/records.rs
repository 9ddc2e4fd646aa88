//! Checks of typed records against the reference decoder.

use idx_core::{Error, ErrorKind, Idx, Records};

use super::reference::{File, compared, whole_of};
use super::sample::Sample;

/// Records of all sample types agree with the reference, by each way to read them.
///
/// # Panics
///
/// If they differ.
pub fn records(bytes: &[u8]) {
    for_each_sample!(records_of(bytes));
}

fn records_of<T: Sample, const SIZE: usize>(bytes: &[u8]) {
    let in_two_steps = Idx::parse(bytes).and_then(|idx| idx.records::<T>());
    for (parsed, expected) in [
        (Records::<T>::parse(bytes), compared(&T::KIND, bytes)),
        (in_two_steps, whole_of(&T::KIND, bytes)),
    ] {
        if let Some((records, file)) = both(parsed, &expected) {
            assert_same_records(&records, file);
        }
    }
}

/// The parsed and the expected result; `None`, after a comparison, if both are errors.
pub(super) fn both<P, F>(
    parsed: Result<P, Error>,
    expected: &Result<F, ErrorKind>,
) -> Option<(P, &F)> {
    let error = parsed.as_ref().map_err(Error::kind).err();
    assert_eq!(error.as_ref(), expected.as_ref().err());
    parsed.ok().zip(expected.as_ref().ok())
}

/// The records of the view are those of the file, by each way to read them.
pub(super) fn assert_same_records<T: Sample>(records: &Records<'_, T>, file: &File<'_>) {
    let len = records.len();
    assert_eq!(len as u64, file.record_count());
    assert_eq!(records.is_empty(), file.record_count() == 0);
    assert!(records.get(len).is_none());
    assert_eq!(records.record_bytes(usize::MAX), None);
    assert_eq!(records.iter().count(), len);
    if file.is_endless() {
        return;
    }
    let expected = file.payload();
    let by_index = (0..len).filter_map(|index| records.get(index));
    assert_eq!(elements(by_index), expected);
    assert_eq!(elements(records), expected);
    let bytes = (0..len).filter_map(|index| records.record_bytes(index));
    assert!(bytes.eq(file.records()));
    let mut from_back = records.iter().rev();
    let mut from_front = records.iter();
    for index in 0..len {
        let record = from_back.next().map(|record| record.elements());
        let same = from_front.clone().nth(len - 1 - index);
        assert_eq!(record, same.map(|record| record.elements()));
    }
    assert!(from_back.next().is_none() && from_front.nth(len).is_none());
    if let Some(borrowed) = T::borrowed(records) {
        let mut bytes = vec![];
        for record in borrowed {
            record.append_elements(&mut bytes);
        }
        assert_eq!(bytes, expected);
    }
}

/// The bytes of all elements of these records, from their values.
pub(super) fn elements<T: Sample>(records: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut bytes = vec![];
    for record in records {
        record.append_elements(&mut bytes);
    }
    bytes
}
