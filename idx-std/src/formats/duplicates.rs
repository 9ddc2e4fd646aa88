use sha2::{Digest, Sha256};

use super::error::Error;
use super::joined::JoinedSource;
use super::record::{Record, RecordSource};

/// A record that is the same as an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// The index of its source, and that of the record within it.
    pub source: usize,
    /// See [`source`](Self::source).
    pub record: u64,
    /// The first record that is the same: the index of its source, and that of the record within it.
    pub of_source: usize,
    /// See [`of_source`](Self::of_source).
    pub of_record: u64,
}

/// Finds records that have the same elements as others, in one source or between several, in the order of the
/// records. Labels do not matter.
///
/// Records are compared by 128 bits of their SHA-256, so each takes only 32 bytes of memory.
///
/// ```
/// use idx_std::formats::{SourceOptions, find_duplicates, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("train.idx"), &[2, 2], &[1_u8, 2, 3, 4])?;
/// # idx_std::save(path("test.idx"), &[2, 2], &[5_u8, 6, 3, 4])?;
///
/// let open = |name| open(path(name), &SourceOptions::default());
/// let duplicates = find_duplicates(&mut [open("train.idx")?, open("test.idx")?], |_| {})?;
/// let [found] = duplicates.as_slice() else { panic!("there is one") };
/// assert_eq!((found.source, found.record, found.of_source, found.of_record), (1, 1, 0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of reading the records. `done` is called with the number of bytes read.
pub fn find_duplicates(
    sources: &mut [JoinedSource],
    mut done: impl FnMut(u64),
) -> Result<Vec<Duplicate>, Error> {
    let mut seen: Vec<(u128, usize, u64)> = Vec::new();
    let mut record = Record::default();
    for (index, source) in sources.iter_mut().enumerate() {
        let mut next = 0;
        while source.read(&mut record)? {
            done(record.bytes.len() as u64);
            let hash = Sha256::digest(&record.bytes);
            let half = hash.iter().take(16);
            let half = half.fold(0, |bits, byte| bits << 8 | u128::from(*byte));
            seen.push((half, index, next));
            next += 1;
        }
    }
    seen.sort_unstable();
    let mut duplicates = Vec::new();
    for same in seen.chunk_by(|(one, ..), (other, ..)| one == other) {
        let [(_, of_source, of_record), others @ ..] = same else {
            continue;
        };
        duplicates.extend(others.iter().map(|(_, source, record)| Duplicate {
            source: *source,
            record: *record,
            of_source: *of_source,
            of_record: *of_record,
        }));
    }
    duplicates.sort_by_key(|duplicate| (duplicate.source, duplicate.record));
    Ok(duplicates)
}
