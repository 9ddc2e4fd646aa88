use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::data_set::{DataSet, FileKind, Split};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{At, Error};
use idx_std::__private::CHUNK_SIZE;
use idx_std::__private::access::open_regular;
use idx_std::Reader;

/// Identifies a well-known file by the SHA-256 of its decompressed bytes, or as the compressed file that is
/// published; `None` for any other.
///
/// The name does not matter. This reads the whole file, in constant memory.
///
/// # Errors
///
/// Those of reading the file record by record; see [`ErrorKind`].
///
/// ```no_run
/// use idx_data::dataset::{self, DataSet, FileKind};
///
/// let known = dataset::identify("train-images-idx3-ubyte.gz")?.expect("a well-known file");
/// assert_eq!(known.to_string(), "MNIST training images");
/// assert_eq!((known.data_set, known.kind), (DataSet::Mnist, FileKind::Images));
/// # Ok::<(), idx_data::Error>(())
/// ```
pub fn identify(path: impl AsRef<Path>) -> Result<Option<KnownFile>, Error> {
    let path = path.as_ref();
    match identify_reader(Reader::open(path)?, |_| ())? {
        Some(known) => Ok(Some(known)),
        None => KnownFile::published(path),
    }
}

/// Identifies a well-known file by the SHA-256 of the decompressed bytes that a reader gives. It also passes the records
/// to `on_records`, several at a time as [`Reader::next_records`] returns them.
///
/// ```
/// use idx_data::{Reader, dataset};
///
/// let file = [0, 0, 0x08, 1, 0, 0, 0, 2, 7, 3];
/// let mut sum = 0;
/// let known = dataset::identify_reader(Reader::new(&file[..])?, |records| {
///     sum += records.iter().map(|label| u64::from(*label)).sum::<u64>();
/// })?;
/// assert_eq!((known, sum), (None, 10));
/// # Ok::<(), idx_data::Error>(())
/// ```
///
/// # Errors
///
/// As [`identify`], and [`ErrorKind::File`] if records were read before and the reader cannot go back to the
/// first.
pub fn identify_reader<R: Read>(
    mut reader: Reader<R>,
    on_records: impl FnMut(&[u8]),
) -> Result<Option<KnownFile>, Error> {
    reader.select(..)?;
    let mut hash = Sha256::new_with_prefix(reader.header().to_bytes());
    reader.read_beside(&mut |records| hash.update(records), on_records)?;
    Ok(KnownFile::from_sha256(&hexadecimal(&hash.finalize())))
}

/// A well-known file.
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
        let hash = sha256_of(bytes.get(..64 << 10)?);
        DataSet::ALL.into_iter().find_map(|data_set| {
            let mut starts = data_set.facts().image_starts.iter();
            let (split, _) = *starts.find(|(_, known)| *known == hash)?;
            Some(Self { data_set, split, kind: FileKind::Images })
        })
    }

    /// The file whose decompressed bytes have this SHA-256.
    pub(super) fn from_sha256(hash: &str) -> Option<Self> {
        DataSet::ALL.into_iter().find_map(|data_set| {
            let mut contents = data_set.facts().contents.iter();
            let (split, kind, _) = *contents.find(|(.., known)| *known == hash)?;
            Some(Self { data_set, split, kind })
        })
    }

    /// The well-known file that is published with exactly these compressed bytes. It finds files whose decompressed hash
    /// is not known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::File`].
    pub fn published(path: impl AsRef<Path>) -> Result<Option<Self>, Error> {
        let path = path.as_ref();
        let metadata = path.metadata().at(path)?;
        let size = metadata.len();
        let all = DataSet::ALL.into_iter();
        let files = all
            .flat_map(|data_set| data_set.facts().files.iter().map(move |file| (data_set, file)));
        let mut candidates = files.filter(|(_, published)| published.file.size == size).peekable();
        if !metadata.is_file() || candidates.peek().is_none() {
            return Ok(None);
        }
        let hash = sha256(open_regular(path).at(path)?, |_| Ok::<_, io::Error>(())).at(path)?;
        let published = candidates.find(|(_, published)| published.file.sha256 == hash);
        Ok(published.map(|(data_set, published)| Self {
            data_set,
            split: published.split,
            kind: published.kind,
        }))
    }

    /// Whether the hash of the labels of these images is known, so that others are not theirs.
    pub(super) fn has_known_labels(self) -> bool {
        let mut contents = self.data_set.facts().contents.iter();
        contents.any(|(split, kind, _)| (*split, *kind) == (self.split, FileKind::Labels))
    }

    /// Whether both are of the same records; QMNIST's training digits are those of MNIST, with more columns of
    /// labels.
    pub(super) fn is_same_part(self, other: Self) -> bool {
        let is_mnist = |file: Self| matches!(file.data_set, DataSet::Mnist | DataSet::Qmnist);
        let is_same_set = self.data_set == other.data_set;
        let are_same_digits = self.split == Split::Training && is_mnist(self) && is_mnist(other);
        self.split == other.split && (is_same_set || are_same_digits)
    }
}

/// The SHA-256 of these bytes, in hexadecimal.
pub(super) fn sha256_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The SHA-256 of all bytes of a reader, which are passed on as they are read.
pub(super) fn sha256<E: From<io::Error>>(
    mut from: impl Read,
    mut on_bytes: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<String, E> {
    let mut hash = Sha256::new();
    let mut chunk = vec![0; CHUNK_SIZE];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => return Ok(hexadecimal(&hash.finalize())),
            Ok(count) => {
                let bytes = chunk.get(..count).unwrap_or_default();
                hash.update(bytes);
                on_bytes(bytes)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn hexadecimal(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for KnownFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.data_set, self.split, self.kind)
    }
}
