//! Recognizes published files by their hashes.

use std::fmt;
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{At, Error};
use crate::known::data_set::{DataSet, RemoteFile};
use crate::names::{FileKind, Part};
use idx_std::__private::Source as FileBytes;
use idx_std::__private::access::{found, open_regular};
use idx_std::{Header, Reader};

/// The number of bytes that are hashed to recognize images quickly; labels need fewer.
pub(crate) const START_SIZE: usize = 64 << 10;

/// The number of bytes to read at a time.
pub(crate) const CHUNK_SIZE: usize = 256 << 10;

/// The number of labels that are hashed to recognize labels quickly.
const START_LABELS: usize = 1000;

/// Identifies a well-known file by the SHA-256 of its decompressed bytes, or of the compressed file as published;
/// `None` for any other file.
///
/// The name does not matter. This reads the whole file, in constant memory.
///
/// # Errors
///
/// A file that cannot be read, or is not valid IDX; see [`ErrorKind`].
///
/// ```no_run
/// use idx_data::dataset::{self, DataSet};
///
/// let known = dataset::identify("train-images-idx3-ubyte.gz")?.expect("a well-known file");
/// assert_eq!(known.to_string(), "MNIST training images");
/// assert_eq!(known.data_set, DataSet::Mnist);
/// # Ok::<(), idx_data::Error>(())
/// ```
pub fn identify(path: impl AsRef<Path>) -> Result<Option<KnownFile>, Error> {
    let path = path.as_ref();
    Ok(identify_reader(path, Reader::open(path)?, false, &mut |_| ())?.0)
}

/// Returns the first 64 KiB of the decompressed content of a file.
pub(crate) fn start(path: &Path) -> Result<Vec<u8>, Error> {
    let mut content = Vec::new();
    let mut source = FileBytes::open_regular(path).at(path)?;
    source.append(&mut content, START_SIZE as u64).at(path)?;
    Ok(content)
}

/// Reads all records, passes them on several at a time, and identifies the file as [`identify`] does. Also returns the
/// hash of the decompressed bytes, but only if `is_compared` or if a known file has this size: hashing takes longer
/// than reading.
pub(crate) fn identify_reader<R: Read>(
    path: &Path,
    mut reader: Reader<R>,
    is_compared: bool,
    on_records: &mut dyn FnMut(&[u8]),
) -> Result<(Option<KnownFile>, Option<String>), Error> {
    reader.select(..)?;
    let mut content = None;
    if is_compared || has_known_size(Hashed::Content, reader.header().file_size()) {
        let mut hash = Sha256::new_with_prefix(reader.header().to_bytes());
        reader.read_beside(&mut |records| hash.update(records), on_records)?;
        content = Some(hexadecimal(&hash.finalize()));
    } else {
        while let Some(records) = reader.next_records().transpose()? {
            on_records(records);
        }
    }
    let known = content.as_deref().and_then(|content| KnownFile::of(Hashed::Content, content));
    match known {
        Some(known) => Ok((Some(known), content)),
        None => Ok((KnownFile::published(path)?, content)),
    }
}

/// A well-known file.
///
/// It displays as "MNIST training images".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KnownFile {
    /// Its data set.
    pub data_set: DataSet,
    /// For training or for testing.
    pub(crate) part: Part,
    /// Images or their labels.
    pub(crate) kind: FileKind,
}

/// The part of a known file that is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hashed {
    /// The file as it is published.
    Published,
    /// The decompressed content.
    Content,
    /// The first 64 KiB of the content, or the first thousand labels.
    Start,
}

/// A line of the table of known files.
pub(crate) struct KnownHash {
    pub(crate) file: KnownFile,
    pub(crate) hashed: Hashed,
    /// The name of the published file, and the size of that file or of its content.
    pub(crate) published: RemoteFile,
}

/// Returns the table of known files.
pub(crate) fn known_files() -> impl Iterator<Item = KnownHash> {
    let lines = include_str!("known_files.txt").lines();
    lines.filter_map(KnownHash::parse)
}

/// Returns whether a known file has this size, as published or decompressed.
fn has_known_size(hashed: Hashed, size: u64) -> bool {
    known_files().any(|known| (known.hashed, known.published.size) == (hashed, size))
}

impl KnownHash {
    fn parse(line: &'static str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().unwrap_or_default();
        let (id, part, kind, hashed, sha256) = (word(), word(), word(), word(), word());
        let (size, name) = (word().parse().unwrap_or_default(), word());
        let file = KnownFile {
            data_set: DataSet::ALL.into_iter().find(|data_set| data_set.id() == id)?,
            part: if part == "test" { Part::Test } else { Part::Train },
            kind: if kind == "labels" { FileKind::Labels } else { FileKind::Images },
        };
        let hashed = match hashed {
            "content" => Hashed::Content,
            "start" => Hashed::Start,
            _ => Hashed::Published,
        };
        Some(Self { file, hashed, published: RemoteFile { name, size, sha256 } })
    }
}

impl KnownFile {
    /// Returns the known file with this SHA-256 of this part.
    pub(crate) fn of(hashed: Hashed, sha256: &str) -> Option<Self> {
        let is_it = |known: &KnownHash| (known.hashed, known.published.sha256) == (hashed, sha256);
        known_files().find(is_it).map(|known| known.file)
    }

    /// Returns the known file of images that starts with these decompressed bytes.
    pub(crate) fn from_image_start(bytes: &[u8]) -> Option<Self> {
        Self::of(Hashed::Start, &sha256_of(bytes.get(..START_SIZE)?))
    }

    /// Returns the known file that starts with these decompressed bytes: 64 KiB, or the whole file.
    pub(crate) fn from_start(bytes: &[u8]) -> Option<Self> {
        let (header, records) = Header::parse(bytes).ok()?;
        let labels = header.record_size().and_then(|size| usize::try_from(size).ok());
        match header.rank() {
            3 => Self::from_image_start(bytes),
            1 | 2 => {
                let labels = records.get(..labels?.checked_mul(START_LABELS)?)?;
                let size = bytes.len() - records.len() + labels.len();
                Self::of(Hashed::Start, &sha256_of(bytes.get(..size)?))
            }
            _ => None,
        }
    }

    /// Returns the known file with this decompressed content.
    pub(crate) fn from_content(bytes: &[u8]) -> Option<Self> {
        let may_be_known = has_known_size(Hashed::Content, bytes.len() as u64);
        if may_be_known { Self::of(Hashed::Content, &sha256_of(bytes)) } else { None }
    }

    /// Returns the known file that is published with exactly the bytes of this compressed file. This also finds files
    /// without a known hash of their content.
    pub(crate) fn published(path: &Path) -> Result<Option<Self>, Error> {
        let file = found(path).at(path)?.filter(Metadata::is_file);
        if !file.is_some_and(|file| has_known_size(Hashed::Published, file.len())) {
            return Ok(None);
        }
        let hash = sha256(open_regular(path).at(path)?).at(path)?;
        Ok(Self::of(Hashed::Published, &hash))
    }

    /// Returns whether the hash of the labels of these images is known, so that labels with another hash are not
    /// theirs.
    pub(crate) fn has_known_labels(self) -> bool {
        let labels = Self { kind: FileKind::Labels, ..self };
        known_files().any(|known| known.hashed == Hashed::Content && known.file == labels)
    }

    /// Returns whether both files belong to the same records. QMNIST's training digits are MNIST's, with more columns
    /// of labels.
    pub(crate) fn is_same_part(self, other: Self) -> bool {
        self.part == other.part && self.is_same_set(other)
    }

    /// Returns whether both files can be of one data set.
    pub(crate) fn is_same_set(self, other: Self) -> bool {
        let may_be_qmnist = |file: Self| match file.data_set {
            DataSet::Mnist => file.part == Part::Train,
            data_set => data_set == DataSet::Qmnist,
        };
        self.data_set == other.data_set || may_be_qmnist(self) && may_be_qmnist(other)
    }
}

/// Returns the SHA-256 of these bytes, in hexadecimal.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of all bytes of a reader.
pub(crate) fn sha256(from: impl Read) -> io::Result<String> {
    sha256_while(from, |_| Ok(()))
}

/// Returns the SHA-256 of all bytes of a reader, and passes the bytes on as it reads them.
pub(crate) fn sha256_while<E: From<io::Error>>(
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
        write!(f, "{} {} {}", self.data_set, self.part, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_known_file_with_a_hash_of_its_own() {
        let lines = include_str!("known_files.txt").lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert_eq!(known_files().count(), lines);
        let mut hashes = HashSet::new();
        for KnownHash { file, hashed, published } in known_files() {
            let RemoteFile { name, size, sha256 } = published;
            let is_digit = |digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
            assert!(sha256.len() == 64 && sha256.bytes().all(is_digit), "{file} {hashed:?}");
            assert!(hashes.insert(sha256), "{file} {hashed:?}");
            assert_eq!(size == 0, hashed == Hashed::Start, "{file} {hashed:?}");
            let is_published = hashed == Hashed::Published;
            assert_eq!(name.contains(&file.kind.to_string()), is_published, "{file} {hashed:?}");
        }
    }

    /// The images of KMNIST, QMNIST and EMNIST are known only by their compressed form.
    #[test]
    fn a_published_file_is_known_by_its_compressed_bytes() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(KnownFile::published(folder.path()).unwrap(), None);
        assert_eq!(KnownFile::published(&folder.path().join("none")).unwrap(), None);
        let Some(data) = std::env::var_os("IDX_DATA") else {
            return;
        };
        let path = Path::new(&data).join("fashion-mnist/t10k-images-idx3-ubyte.gz");
        let known = KnownFile::published(&path).unwrap().unwrap();
        assert_eq!(known.to_string(), "Fashion-MNIST test images");
        // A file of the same size, but with another byte, is not known.
        let mut changed = std::fs::read(&path).unwrap();
        *changed.last_mut().unwrap() ^= 1;
        let path = folder.path().join("changed.gz");
        std::fs::write(&path, changed).unwrap();
        assert_eq!(KnownFile::published(&path).unwrap(), None);
    }
}
