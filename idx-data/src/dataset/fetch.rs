//! Downloads data sets from mirrors, and verifies their hashes.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::Agent;
use ureq::http::{StatusCode, header};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::{At, Error, ErrorKind};
use crate::known::data_set::{DataSet, RemoteFile};
use crate::known::file::{sha256, sha256_of, sha256_while};
use idx_std::__private::access::open_regular;
use idx_std::{AtomicFile, ErrorKind as FileErrorKind, FileSignature};

/// The minimum rate of a mirror in bytes per second: less than the modems of 1998.
const MIN_RATE: u64 = 4 << 10;

/// Downloads the files of a data set that are missing from a folder, and returns the paths of all its files.
///
/// Tries the mirrors in turn. A file appears under its name when it is complete and its SHA-256 is the published one.
/// An existing file is verified and not downloaded again. The files of EMNIST are extracted from their archive, which
/// stays in the folder for the other sets of EMNIST. If the classes have names, these are written to the list that
/// [`open_set`](crate::open_set) reads: `classes.txt`, or `emnist-letters-classes.txt`.
///
/// `listen` is called whenever bytes arrive or a mirror fails.
///
/// # Errors
///
/// A file that no mirror gave, with the reason for each mirror ([`fetch_failed`](ErrorKind::code)); an existing file
/// with the name of a published one, but other content ([`file_conflict`](ErrorKind::code)); a file that is not of the
/// data set but would be read with it, such as other images, unpacked, or a table that would get its class names
/// ([`mismatch`](ErrorKind::code)); a folder that cannot be written, or an archive that cannot be read
/// ([`ErrorKind::File`]).
///
/// ```no_run
/// use idx_data::dataset::{self, DataSet, FetchOptions, Mnist};
///
/// dataset::fetch(DataSet::Mnist, "data/mnist", &FetchOptions::new(), |_| ())?;
/// let mnist = Mnist::open("data/mnist")?;
/// # Ok::<(), idx_data::Error>(())
/// ```
pub fn fetch(
    data_set: DataSet,
    folder: impl AsRef<Path>,
    options: &FetchOptions,
    mut listen: impl FnMut(FetchEvent<'_>),
) -> Result<Vec<PathBuf>, Error> {
    let folder = folder.as_ref();
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let new: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
    let fetched = options.fetch_into(folder, data_set, &mut listen);
    if fetched.is_err() {
        // Removes a new folder that got no file, and no other.
        let _ = new.into_iter().try_for_each(fs::remove_dir);
    }
    fetched
}

options! {
    /// The mirrors to download from, the time to wait for them, and whether to overwrite files.
    pub struct FetchOptions {
        /// More mirrors, given as the addresses of the folders with the files. They are tried in this order, before the
        /// known ones.
        mirrors: Vec<String> as impl Into<Vec<String>> = Vec::new(),
        /// Also tries [`DataSet::addresses`]. The default is `true`.
        known_mirrors: bool as bool = true,
        /// The maximum time for a mirror to connect, to respond, and to send the next bytes. The default is 30 seconds.
        /// A whole file may take this time, and a second for each 4 KiB.
        timeout: Duration as Duration = Duration::from_secs(30),
        /// Overwrites an existing file with the name of a published one, but other content.
        overwrite: bool as bool = false,
    }
}

/// An event during a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchEvent<'a> {
    /// Some bytes have arrived.
    Received {
        /// The name of the file.
        name: &'static str,
        /// The number of bytes so far.
        bytes: u64,
        /// The size of the whole file in bytes.
        size: u64,
    },
    /// A mirror failed, and the next one is tried.
    MirrorFailed {
        /// The address of the file.
        address: &'a str,
        /// The reason, in words.
        reason: &'a str,
    },
}

/// Why a mirror did not give a file.
enum Failure {
    /// The mirror failed, for this reason; another one may succeed.
    Mirror(String),
    /// The file cannot be written.
    File(io::Error),
}

/// An error while reading from the mirror.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Mirror(format!("broke off: {error}"))
    }
}

impl FetchOptions {
    fn fetch_into(
        &self,
        folder: &Path,
        data_set: DataSet,
        listen: &mut dyn FnMut(FetchEvent<'_>),
    ) -> Result<Vec<PathBuf>, Error> {
        fs::create_dir_all(folder)
            .map_err(|error| match error.kind() {
                // There is a file, which is never replaced by a folder.
                io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
                _ => error,
            })
            .at(folder)?;
        let mut mirrors = self.mirrors.clone();
        if self.known_mirrors {
            mirrors.extend(data_set.addresses().iter().map(ToString::to_string));
        }
        data_set.expect_alone(folder)?;
        let mut paths = Vec::new();
        for wanted in data_set.remote_files() {
            let path = folder.join(wanted.name);
            self.fetch_file(&mirrors, wanted, &path, listen).at(&path)?;
            paths.push(path);
        }
        if let (Some(_), Some(archive)) = (data_set.facts().archive, paths.first()) {
            paths = self.extract(archive, data_set, folder)?;
        }
        paths.extend(self.write_class_names(data_set, folder)?);
        Ok(paths)
    }

    fn fetch_file(
        &self,
        mirrors: &[String],
        wanted: RemoteFile,
        path: &Path,
        listen: &mut dyn FnMut(FetchEvent<'_>),
    ) -> Result<(), Error> {
        if self.is_there(path, wanted.sha256)? {
            return Ok(());
        }
        let mut failures = Vec::new();
        for mirror in mirrors {
            let Some(mut file) = self.start(path, wanted.sha256)? else {
                return Ok(());
            };
            let slash = if mirror.ends_with('/') { "" } else { "/" };
            let address = format!("{mirror}{slash}{}", wanted.name);
            match self.download(&address, wanted, &mut file, listen) {
                Ok(()) => return self.finish(file, path, wanted.sha256),
                Err(Failure::File(error)) => return Err(error.into()),
                Err(Failure::Mirror(reason)) => {
                    listen(FetchEvent::MirrorFailed { address: &address, reason: &reason });
                    failures.push(format!("{address} {reason}"));
                }
            }
        }
        if failures.is_empty() {
            let message = "there is no mirror to download this file from; specify one";
            return Err(ErrorKind::mismatch(message).into());
        }
        Err(ErrorKind::FetchFailed { failures }.into())
    }

    fn download(
        &self,
        address: &str,
        wanted: RemoteFile,
        file: &mut AtomicFile,
        listen: &mut dyn FnMut(FetchEvent<'_>),
    ) -> Result<(), Failure> {
        let RemoteFile { name, size, .. } = wanted;
        let agent = Agent::from(
            Agent::config_builder()
                .http_status_as_error(false)
                .user_agent(concat!("idx/", env!("CARGO_PKG_VERSION")))
                .timeout_connect(Some(self.timeout))
                .timeout_recv_response(Some(self.timeout))
                .timeout_per_read(Some(self.timeout))
                .timeout_recv_body(Some(self.timeout + Duration::from_secs(size / MIN_RATE)))
                .build(),
        );
        // Without this header, a server may compress the file again.
        let request = agent.get(address).header(header::ACCEPT_ENCODING, "identity");
        let response =
            request.call().map_err(|error| Failure::Mirror(format!("did not answer: {error}")))?;
        if response.status() != StatusCode::OK {
            return Err(Failure::Mirror(format!("answered {}", response.status())));
        }
        let mut bytes = 0;
        // A byte too many shows that it is another file.
        let body = response.into_body().into_reader().take(size + 1);
        let hash = sha256_while(body, |chunk| {
            if bytes == 0
                && let Some(signature) = FileSignature::detect(chunk).map(|found| found.to_string())
                && !matches!(&*signature, "a zip archive" | "xz data")
            {
                return Err(Failure::Mirror(format!("gave {signature} instead of the file")));
            }
            file.write_all(chunk).map_err(Failure::File)?;
            bytes += chunk.len() as u64;
            listen(FetchEvent::Received { name, bytes: bytes.min(size), size });
            Ok(())
        });
        let reason = match hash {
            Ok(hash) if hash == wanted.sha256 => return Ok(()),
            Ok(_) => "gave another file, whose SHA-256 is not the published one".to_string(),
            Err(Failure::Mirror(reason)) => reason,
            Err(error) => return Err(error),
        };
        Err(Failure::Mirror(format!("{reason} (after {bytes} of {size} bytes)")))
    }

    /// Extracts the files of a data set from an archive with a verified SHA-256.
    fn extract(
        &self,
        archive: &Path,
        data_set: DataSet,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, Error> {
        let cannot_read = |error: ZipError| Error::from(io::Error::from(error)).with_path(archive);
        let mut zip = ZipArchive::new(open_regular(archive).at(archive)?).map_err(cannot_read)?;
        let mut paths = Vec::new();
        for published in data_set.published() {
            let path = folder.join(published.name);
            let member = format!("gzip/{}", published.name);
            let hash = sha256(zip.by_name(&member).map_err(cannot_read)?).at(archive)?;
            let member = zip.by_name(&member).map_err(cannot_read)?;
            self.copy(member, &path, &hash).at(&path)?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Writes the class names, if they are more than the labels.
    fn write_class_names(
        &self,
        data_set: DataSet,
        folder: &Path,
    ) -> Result<Option<PathBuf>, Error> {
        let Some((name, text)) = data_set.class_list() else {
            return Ok(None);
        };
        let path = folder.join(name);
        self.copy(text.as_bytes(), &path, &sha256_of(text.as_bytes())).at(&path)?;
        Ok(Some(path))
    }

    /// Returns whether the file with this SHA-256 is there. Any other file is an error, unless it is to be overwritten.
    fn is_there(&self, path: &Path, hash: &str) -> Result<bool, Error> {
        match open_regular(path) {
            Ok(file) if sha256(&file)? == hash => Ok(true),
            Ok(_) if self.overwrite => Ok(false),
            Ok(_) => Err(ErrorKind::FileConflict.into()),
            Err(FileErrorKind::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the file with this SHA-256, unless it is there.
    fn copy(&self, mut from: impl Read, path: &Path, hash: &str) -> Result<(), Error> {
        if let Some(mut file) = self.start(path, hash)? {
            io::copy(&mut from, &mut file)?;
            self.finish(file, path, hash)?;
        }
        Ok(())
    }

    /// Starts the file with this SHA-256; `None` if it is there.
    fn start(&self, path: &Path, hash: &str) -> Result<Option<AtomicFile>, Error> {
        if self.is_there(path, hash)? {
            return Ok(None);
        }
        self.unless_there(AtomicFile::start(path, !self.overwrite), path, hash)
    }

    /// Gives a complete file its name, unless another file has it by now.
    fn finish(&self, file: AtomicFile, path: &Path, hash: &str) -> Result<(), Error> {
        self.unless_there(file.finish(), path, hash).map(|_| ())
    }

    /// Returns the result of a step that fails if the name is taken; `None` if another program has written the same
    /// file meanwhile.
    fn unless_there<T>(
        &self,
        result: Result<T, idx_std::Error>,
        path: &Path,
        hash: &str,
    ) -> Result<Option<T>, Error> {
        match result {
            Err(error)
                if error.kind().io_kind() == io::ErrorKind::AlreadyExists
                    && self.is_there(path, hash)? =>
            {
                Ok(None)
            }
            result => Ok(Some(result?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Returns an archive with the files of EMNIST's letters and digits, except for the file with this name. The
    /// content of each file is its name.
    fn archive(without: &str) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for data_set in [DataSet::EmnistLetters, DataSet::EmnistDigits] {
            let files = data_set.published().map(|published| published.name);
            for name in files.filter(|name| *name != without) {
                zip.start_file(format!("gzip/{name}"), SimpleFileOptions::default()).unwrap();
                zip.write_all(name.as_bytes()).unwrap();
            }
        }
        zip.start_file("../outside", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn the_files_of_one_set_are_extracted_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let path = folder.join("gzip.zip");
        fs::write(&path, archive("")).unwrap();
        let extract =
            |options: FetchOptions| options.extract(&path, DataSet::EmnistLetters, &folder);
        // The second time nothing is written.
        for _ in 0..2 {
            let paths = extract(FetchOptions::new()).unwrap();
            assert_eq!(paths.len(), 4);
            for path in paths {
                assert_eq!(
                    fs::read_to_string(&path).unwrap(),
                    path.file_name().unwrap().to_str().unwrap()
                );
            }
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
            assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
        }

        let other = folder.join("emnist-letters-test-labels-idx1-ubyte.gz");
        fs::write(&other, "mine").unwrap();
        let error = extract(FetchOptions::new()).unwrap_err();
        assert_eq!(error.kind().code(), "file_conflict", "{error}");
        assert_eq!(error.path(), Some(&*other));
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
        extract(FetchOptions::new().overwrite(true)).unwrap();
        assert_ne!(fs::read_to_string(&other).unwrap(), "mine");

        fs::write(&path, archive("emnist-letters-test-labels-idx1-ubyte.gz")).unwrap();
        let error = extract(FetchOptions::new()).unwrap_err();
        assert_eq!(error.path(), Some(&*path));
    }
}
