//! Opens an archive of NumPy that came as a stream.

use std::fs::File;
use std::path::Path;

use crate::chain::Source;
use crate::error::{At, Error, ErrorKind};
use crate::formats::npz;
use crate::reading::words::listed;
use crate::record::options::OpenOptions;

impl OpenOptions {
    /// Opens the records of an archive that came as a stream, with their labels.
    pub(super) fn open_unnamed_archive(&self, path: &Path, file: &File) -> Result<Source, Error> {
        let arrays = npz::arrays_in(file).at(path)?;
        let only = arrays.first().filter(|_| arrays.len() == 1).map(|array| array.name.clone());
        let open = |options: &Self, name: &str| {
            let array = npz::copied(file, name).at(path)?;
            options.open_stream(path, Box::new(array))
        };
        if let Some(only) = only {
            return open(self, &only);
        }
        let mut parts = self.open_archive(path, arrays, open)?.into_parts();
        match (parts.pop(), parts.is_empty()) {
            (Some((_, source)), true) => Ok(source),
            (last, _) => {
                let names = parts.iter().chain(&last).map(|(name, _)| name.as_str());
                let message = format!(
                    "the archive has the parts {}, and a stream is read as one; save it as a file, and give one part of it",
                    listed(names, 3)
                );
                Err(ErrorKind::mismatch(message)).at(path)
            }
        }
    }
}
