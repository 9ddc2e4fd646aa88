use std::fmt;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::table::{DataSet, FileKind, Split};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::read::Reader;

/// Identifies a well-known file by the SHA-256 of its decompressed bytes; `None` for any other.
///
/// Neither the name nor the compression matters. This reads the whole file, in constant memory.
///
/// # Errors
///
/// Those of reading the file record by record; see [`ErrorKind`].
///
/// ```no_run
/// use idx_std::dataset::{self, DataSet, FileKind};
///
/// let known = dataset::identify("train-images-idx3-ubyte.gz")?.expect("a well-known file");
/// assert_eq!(known.to_string(), "MNIST training images");
/// assert_eq!((known.data_set, known.kind), (DataSet::Mnist, FileKind::Images));
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn identify(path: impl AsRef<Path>) -> Result<Option<KnownFile>, Error> {
    identify_reader(Reader::open(path)?, |_| ())
}

/// As [`identify`], for any reader; also passes the records to `on_records`, several at a time as
/// [`Reader::next_records`] returns them.
///
/// ```
/// use idx_std::{Reader, dataset};
///
/// let file = [0, 0, 0x08, 1, 0, 0, 0, 2, 7, 3];
/// let mut sum = 0;
/// let known = dataset::identify_reader(Reader::new(&file[..])?, |records| {
///     sum += records.iter().map(|label| u64::from(*label)).sum::<u64>();
/// })?;
/// assert_eq!((known, sum), (None, 10));
/// # Ok::<(), idx_std::Error>(())
/// ```
///
/// # Errors
///
/// As [`identify`], and [`ErrorKind::CannotGoBack`] if records were read before and the reader cannot go
/// back to the first.
pub fn identify_reader<R: Read>(
    mut reader: Reader<R>,
    on_records: impl FnMut(&[u8]),
) -> Result<Option<KnownFile>, Error> {
    reader.select(..)?;
    let mut hash = Sha256::new_with_prefix(reader.header().to_bytes());
    reader.read_beside(&mut |records| hash.update(records), on_records)?;
    Ok(KnownFile::from_sha256(&hash.finalize()))
}

/// A well-known file, of which every copy has the same decompressed bytes.
///
/// It displays as "MNIST training images".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KnownFile {
    /// Its data set.
    pub data_set: DataSet,
    /// For training or for testing.
    pub split: Split,
    /// Images or their labels.
    pub kind: FileKind,
}

impl KnownFile {
    /// The file of images that starts with these decompressed bytes.
    pub(super) fn from_image_start(bytes: &[u8]) -> Option<Self> {
        let hash = hexadecimal(&Sha256::digest(bytes.get(..64 << 10)?));
        DataSet::ALL.into_iter().find_map(|data_set| {
            let mut starts = data_set.facts().image_starts.iter();
            let (split, _) = *starts.find(|(_, known)| *known == hash)?;
            Some(Self { data_set, split, kind: FileKind::Images })
        })
    }

    /// The file whose decompressed bytes have this SHA-256.
    pub(super) fn from_sha256(hash: &[u8]) -> Option<Self> {
        let hash = hexadecimal(hash);
        DataSet::ALL.into_iter().find_map(|data_set| {
            let mut files = data_set.facts().files.iter();
            let (split, kind, _) = *files.find(|(.., known)| *known == hash)?;
            Some(Self { data_set, split, kind })
        })
    }
}

/// A hash in hexadecimal.
pub(super) fn hexadecimal(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for KnownFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.data_set, self.split, self.kind)
    }
}
