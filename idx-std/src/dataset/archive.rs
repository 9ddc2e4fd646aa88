//! Extracts the files of a data set from a zip archive.
//!
//! The SHA-256 of the archive was verified. Even so, its content does not decide where a file is written, and
//! no file may be larger than the archive, because its files are compressed already.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::read::ZipFile;

use super::error::{Error, ErrorKind};
use super::partial::PartialFile;
use crate::error::ErrorKind as FileErrorKind;
use crate::io::access::open_regular;
use crate::io::{CHUNK_SIZE, gunzip};

/// Extracts files of these names from a folder inside an archive, and returns their paths. A file that exists
/// with the same content stays.
pub(super) fn extract(
    archive: &Path,
    inside: &str,
    names: &[String],
    folder: &Path,
    overwrite: bool,
) -> Result<Vec<PathBuf>, Error> {
    let at_archive = |error: Error| error.with_path(archive);
    let file = open_regular(archive).map_err(|error| at_archive(error.into()))?;
    let mut members = Members::open(&file).map_err(|error| at_archive(error.into()))?;
    let paths = names.iter().map(|name| {
        let path = folder.join(name);
        match members.extract(&format!("{inside}{name}"), &path, overwrite) {
            Ok(()) => Ok(path),
            Err(kind @ ErrorKind::Archive { .. }) => Err(at_archive(kind.into())),
            Err(kind) => Err(Error::from(kind).with_path(&path)),
        }
    });
    paths.collect()
}

/// The files in an archive.
struct Members<'a> {
    zip: ZipArchive<&'a File>,
    /// The size of the archive, which none of its files may exceed.
    limit: u64,
}

impl<'a> Members<'a> {
    fn open(file: &'a File) -> Result<Self, ErrorKind> {
        let limit = file.metadata().map_err(written)?.len();
        let zip = ZipArchive::new(file);
        Ok(Self { zip: zip.map_err(|error| failed("the list of files", reason(&error)))?, limit })
    }

    fn extract(&mut self, member: &str, path: &Path, overwrite: bool) -> Result<(), ErrorKind> {
        match open_regular(path) {
            Ok(mut file) => match self.is_same(member, &mut file)? {
                true => return Ok(()),
                false if overwrite => {}
                false => return Err(ErrorKind::FileConflict),
            },
            Err(FileErrorKind::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(ErrorKind::File(error)),
        }
        let partial = PartialFile::open(path).map_err(ErrorKind::File)?;
        let mut partial = partial.ok_or(ErrorKind::DownloadUnderWay)?;
        partial.truncate(0).map_err(written)?;
        match self.read(member, |bytes| partial.file().write_all(bytes)) {
            Ok(()) => partial.finish(path).map_err(written),
            Err(error) => {
                // Best effort: the first error matters more than one in the cleanup.
                let _ = partial.truncate(0).and_then(|()| partial.keep());
                Err(error)
            }
        }
    }

    /// Whether a file has the same content as a member.
    fn is_same(&mut self, member: &str, file: &mut File) -> Result<bool, ErrorKind> {
        let mut chunk = vec![0; CHUNK_SIZE];
        let mut same = true;
        self.read(member, |bytes| {
            let found = chunk.get_mut(..bytes.len()).unwrap_or_default();
            same = same && read_exact(file, found)? && found == bytes;
            Ok(())
        })?;
        Ok(same && !read_exact(file, &mut [0]).map_err(written)?)
    }

    /// Passes the bytes of a gzip file in the archive to `on_bytes`, in several pieces.
    fn read(
        &mut self,
        name: &str,
        mut on_bytes: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), ErrorKind> {
        let limit = self.limit;
        let mut member = self.member(name)?;
        let mut chunk = vec![0; CHUNK_SIZE];
        let mut size = 0;
        loop {
            let count = match member.read(&mut chunk) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(name, format!("is damaged: {error}"))),
            };
            let bytes = chunk.get(..count).unwrap_or_default();
            if size == 0 && !bytes.starts_with(&gunzip::START) {
                return Err(failed(name, "is not gzip".to_string()));
            }
            if bytes.is_empty() {
                return Ok(());
            }
            size += count as u64;
            if size > limit {
                return Err(failed(name, too_large(limit)));
            }
            on_bytes(bytes).map_err(written)?;
        }
    }

    fn member(&mut self, name: &str) -> Result<ZipFile<'_, &'a File>, ErrorKind> {
        let limit = self.limit;
        let member = self.zip.by_name(name);
        let member = member.map_err(|error| failed(name, reason(&error)))?;
        match member.size() {
            _ if !member.is_file() => Err(failed(name, "is not a file".to_string())),
            size if size > limit => Err(failed(name, too_large(limit))),
            _ => Ok(member),
        }
    }
}

fn too_large(limit: u64) -> String {
    format!("has more bytes than the archive, which has {limit}")
}

fn reason(error: &zip::result::ZipError) -> String {
    match error {
        zip::result::ZipError::FileNotFound => "is missing".to_string(),
        error => format!("cannot be read: {error}"),
    }
}

fn failed(member: &str, reason: String) -> ErrorKind {
    ErrorKind::Archive { member: member.to_string(), reason }
}

fn written(error: io::Error) -> ErrorKind {
    ErrorKind::File(error.into())
}

/// Fills a buffer; `false` if the file ends before.
fn read_exact(file: &mut File, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use sha2::{Digest, Sha256};
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::super::fetch::{FetchOptions, fetch_from};
    use super::super::file_name::usual_compressed_names;
    use super::super::known::hexadecimal;
    use super::super::mirrors::{Mirrors, RemoteFile};
    use super::super::table::DataSet;
    use super::*;

    const NAME: &str = "emnist-letters-test-labels-idx1-ubyte.gz";
    const GZIP: &[u8] = b"\x1F\x8B what follows is up to those who open it";

    /// An archive with files as EMNIST's has them.
    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for (name, content) in files {
            zip.start_file(*name, stored).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn in_place() -> Vec<u8> {
        archive(&[(&format!("gzip/{NAME}"), GZIP), ("../outside", b"x")])
    }

    /// Extracts `NAME`, and gives the names of all files that are in the folder then.
    fn extract_from(zip: &[u8], folder: &Path) -> (Result<Vec<PathBuf>, Error>, Vec<String>) {
        let path = folder.join("gzip.zip");
        fs::write(&path, zip).unwrap();
        let extracted = extract(&path, "gzip/", &[NAME.to_string()], folder, false);
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        (extracted, names)
    }

    #[test]
    fn a_file_appears_once_and_nothing_else_does() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let path = folder.join(NAME);
        for _ in 0..2 {
            let (extracted, names) = extract_from(&in_place(), &folder);
            assert_eq!(extracted.unwrap(), std::slice::from_ref(&path));
            assert_eq!(names, [NAME, "gzip.zip"]);
            assert_eq!(fs::read(&path).unwrap(), GZIP);
        }
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);

        for other in [&GZIP[..10], &[GZIP, b"!"].concat(), b"mine"] {
            fs::write(&path, other).unwrap();
            let error = extract_from(&in_place(), &folder).0.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::FileConflict), "{error}");
            assert_eq!(error.path(), Some(&*path));
            assert_eq!(fs::read(&path).unwrap(), other);
        }
        let names = [NAME.to_string()];
        extract(&folder.join("gzip.zip"), "gzip/", &names, &folder, true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), GZIP);
    }

    #[test]
    fn an_archive_in_the_folder_is_verified_and_not_downloaded() {
        let names = usual_compressed_names("emnist-letters-");
        let members = names.iter().map(|name| format!("gzip/{name}"));
        let members: Vec<_> = members.collect();
        let files: Vec<_> = members.iter().map(|name| (&**name, GZIP)).collect();
        let zip = archive(&files);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gzip.zip");
        fs::write(&path, &zip).unwrap();
        let sha256 = hexadecimal(&Sha256::digest(&zip)).leak();
        let size = zip.len() as u64;
        let published = [RemoteFile { size, sha256, ..DataSet::EmnistLetters.mirrors().files[0] }];
        let known =
            Mirrors { files: Vec::leak(published.into()), ..DataSet::EmnistLetters.mirrors() };
        let options = FetchOptions::new().known_mirrors(false);
        let fetch = || fetch_from(known, "emnist-letters-", folder.path(), &options, &mut |_| ());
        let paths: Vec<_> = names.iter().map(|name| folder.path().join(name)).collect();
        assert_eq!(fetch().unwrap(), paths);
        assert_eq!(fs::read(&paths[3]).unwrap(), GZIP);

        fs::write(&path, [&zip[..], b"!"].concat()).unwrap();
        let error = fetch().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::FileConflict), "{error}");
    }

    /// The archive with this flag set for its first file, in both places that have it.
    fn with_flag(mut zip: Vec<u8>, flag: u8) -> Vec<u8> {
        let starts = [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)];
        for (signature, offset) in starts {
            let mut windows = zip.windows(4);
            let at = windows.position(|bytes| bytes == signature).unwrap();
            zip[at + offset] |= flag;
        }
        zip
    }

    #[test]
    fn a_bad_archive_is_refused_for_its_reason() {
        let member = format!("gzip/{NAME}");
        let mut changed = in_place();
        let content = changed.windows(4).position(|bytes| bytes == b"what");
        changed[content.unwrap()] ^= 1;
        let mut bomb = ZipWriter::new(io::Cursor::new(Vec::new()));
        bomb.start_file(&member, SimpleFileOptions::default()).unwrap();
        bomb.write_all(&[GZIP, &[0; 1 << 20]].concat()).unwrap();
        let bomb = bomb.finish().unwrap().into_inner();
        // The same, with a size that claims to be small.
        let mut hidden = bomb.clone();
        let len = u32::try_from(GZIP.len()).unwrap();
        let size = ((1 << 20) + len).to_le_bytes();
        while let Some(at) = hidden.windows(4).position(|bytes| bytes == size) {
            hidden[at..at + 4].copy_from_slice(&len.to_le_bytes());
        }
        assert!(hidden != bomb);
        let mut link = ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default();
        link.add_symlink(&*member, "/etc/passwd", options).unwrap();
        let link = link.finish().unwrap().into_inner();
        let whole = in_place();
        for (zip, expected) in [
            (&b"not an archive"[..], "the list of files in this archive cannot be read: "),
            (&whole[..whole.len() - 30], "the list of files in this archive cannot be read: "),
            (&archive(&[("gzip/other", GZIP)]), " is missing; delete the archive"),
            (&archive(&[(NAME, GZIP)]), " is missing; delete the archive"),
            (&archive(&[(&member, &whole)]), " is not gzip; delete"),
            (&archive(&[(&member, b"")]), " is not gzip; delete"),
            (&changed, " is damaged: Invalid checksum; delete"),
            (
                &with_flag(in_place(), 1),
                " cannot be read: unsupported Zip archive: Password required",
            ),
            (&bomb, " has more bytes than the archive, which has "),
            (&hidden, " is damaged: File is larger than"),
            (&link, " is not a file; delete"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (extracted, names) = extract_from(zip, folder.path());
            let error = extracted.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Archive { .. }), "{error}");
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(error.path(), Some(&*folder.path().join("gzip.zip")));
            assert_eq!(names, ["gzip.zip"], "no litter: {error}");
        }
    }
}
