//! Folders with MNIST-like data sets that tests make.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::{file, gzip};

/// The files of a folder: their names, and what is in them.
pub type Files = Vec<(String, Vec<u8>)>;

/// A folder with these files and the folders they are in, which is gone when it is dropped.
///
/// # Panics
///
/// If the system refuses to write them.
#[must_use]
pub fn folder(files: &[(impl AsRef<Path>, Vec<u8>)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(path, bytes)).expect("room for the files of a test");
    }
    folder
}

/// A file of these labels.
#[must_use]
pub fn labels(labels: &[u8]) -> Vec<u8> {
    let count = u32::try_from(labels.len()).unwrap_or(u32::MAX);
    file(0x08, &[count], labels)
}

/// A valid data set: three records for training, two for the test; `prefix` and `test` are parts of the file
/// names. `images` makes a file of this many images.
#[must_use]
pub fn data_set(prefix: &str, test: &str, images: impl Fn(u8) -> Vec<u8>) -> Files {
    [
        ("train", "images-idx3", images(3)),
        ("train", "labels-idx1", labels(&[1, 9, 5])),
        (test, "images-idx3", images(2)),
        (test, "labels-idx1", labels(&[3, 7])),
    ]
    .map(|(split, content, bytes)| (format!("{prefix}{split}-{content}-ubyte"), bytes))
    .into()
}

/// The same files in each spelling of their names: with a hyphen and with a dot, plain and gzip.
#[must_use]
pub fn spellings(files: &[(String, Vec<u8>)]) -> [Files; 4] {
    [(false, false), (false, true), (true, false), (true, true)].map(|(with_dot, zipped)| {
        let spelled = files.iter().map(|(name, bytes)| {
            let name = match with_dot {
                true => name.replace("-idx", ".idx"),
                false => name.clone(),
            };
            match zipped {
                true => (format!("{name}.gz"), gzip(bytes)),
                false => (name, bytes.clone()),
            }
        });
        spelled.collect()
    })
}
