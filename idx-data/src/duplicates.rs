use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io;

use sha2::{Digest, Sha256};

use super::error::{Error, ErrorKind};
use super::record::{Record, RecordSource};
use super::source::Source;

/// The records of several sources that are the same as earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicates {
    /// The first of them, in the order of the records.
    pub first: Vec<Duplicate>,
    /// The number of records of a source that are the same as an earlier record of another source or of their
    /// own, by the indices of these two sources. A record counts once, with the first that is the same.
    pub counts: BTreeMap<(usize, usize), u64>,
}

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

/// Finds records that have the same elements as others, in one source or between several, and describes the
/// first of them, at most `max`. Labels do not matter.
///
/// Records are compared by 128 bits of their SHA-256, so each that differs from all others takes 40 to 110
/// bytes of memory, and the others none.
///
/// ```
/// use idx_data::{OpenOptions, find_duplicates, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("train.idx"), &[2, 2], &[1_u8, 2, 3, 4])?;
/// # idx_std::save(path("test.idx"), &[2, 2], &[5_u8, 6, 3, 4])?;
///
/// let open = |name| open(path(name));
/// let duplicates = find_duplicates(&mut [open("train.idx")?, open("test.idx")?], 10, |_| {})?;
/// let found = duplicates.first[0];
/// assert_eq!((found.source, found.record, found.of_source, found.of_record), (1, 1, 0, 1));
/// assert_eq!(duplicates.counts[&(1, 0)], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of reading the records, each source to its end; [`ErrorKind::Unsupported`] for records without elements,
/// which are all the same and can be 2^64. `done` is called with the number of bytes read.
pub fn find_duplicates(
    sources: &mut [Source],
    max: usize,
    mut done: impl FnMut(u64),
) -> Result<Duplicates, Error> {
    let mut duplicates = Duplicates::default();
    let mut places: HashMap<u128, (usize, u64)> = HashMap::new();
    let mut found = Record::default();
    for (source, records) in sources.iter_mut().enumerate() {
        if records.layout().record_size() == Some(0) {
            let message = "records without elements are all the same; compare files that have some";
            return Err(records.error(ErrorKind::unsupported(message)));
        }
        for record in 0u64.. {
            if !records.read(&mut found)? {
                break;
            }
            done(found.bytes.len() as u64);
            let memory = places.try_reserve(1);
            memory.map_err(|_| {
                records.error(ErrorKind::from(io::Error::from(io::ErrorKind::OutOfMemory)))
            })?;
            let (of_source, of_record) = match places.entry(half_hash(&found.bytes)) {
                Entry::Occupied(place) => *place.get(),
                Entry::Vacant(place) => {
                    place.insert((source, record));
                    continue;
                }
            };
            *duplicates.counts.entry((source, of_source)).or_default() += 1;
            if duplicates.first.len() < max {
                duplicates.first.push(Duplicate { source, record, of_source, of_record });
            }
        }
    }
    Ok(duplicates)
}

/// The first half of the SHA-256.
fn half_hash(bytes: &[u8]) -> u128 {
    let hash = Sha256::digest(bytes);
    let half = hash.iter().take(16);
    half.fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}
