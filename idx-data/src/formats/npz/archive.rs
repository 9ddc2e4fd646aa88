//! Reads the arrays of an npz archive, which is a zip file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use flate2::CrcReader;
use flate2::read::DeflateDecoder;
use idx_std::FileSignature;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::error::{At, Error, ErrorKind};
use crate::formats::bytes::Bytes;
use crate::formats::npy::NpySource;
use crate::formats::npz::{Array, SUFFIX, is_archive};
use crate::reading::spelling::shown;
use crate::reading::words::listed;
use crate::record::options::OpenOptions;

/// The file of an archive, shared by several readers, each at its own position.
#[derive(Clone)]
pub(crate) struct ArchiveFile {
    file: Arc<Mutex<File>>,
    position: u64,
}

impl From<File> for ArchiveFile {
    fn from(file: File) -> Self {
        Self { file: Arc::new(Mutex::new(file)), position: 0 }
    }
}

impl Read for ArchiveFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.position))?;
        let count = file.read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for ArchiveFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // Relative to this reader, not to the one that read last.
        file.seek(SeekFrom::Start(self.position))?;
        self.position = file.seek(position)?;
        Ok(self.position)
    }
}

/// The maximum number of arrays that an error lists.
const MAX_LISTED: usize = 10;

/// Opens the array with this name, or the only one, in an archive.
pub(crate) fn open_array(
    archive: ArchiveFile,
    array: Option<&str>,
    options: &OpenOptions,
) -> Result<NpySource, ErrorKind> {
    let member = Box::new(ArchivedFile::open(archive, array)?);
    NpySource::new(Bytes::Stream(member), options)
}

/// Returns the arrays of an archive whose names are UTF-8, and none for any other file.
pub(crate) fn arrays(path: &Path) -> Result<Vec<Array>, Error> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let mut file = File::open(path).at(path)?;
    let mut start = Vec::new();
    file.by_ref().take(FileSignature::START as u64).read_to_end(&mut start).at(path)?;
    if !is_archive(&start) {
        return Ok(Vec::new());
    }
    arrays_of(file.into()).at(path)
}

/// Returns the arrays of this archive whose names are UTF-8.
pub(crate) fn arrays_of(file: ArchiveFile) -> Result<Vec<Array>, ErrorKind> {
    let mut archive = archive(file)?;
    let name = |name: &[u8]| String::from_utf8(name.strip_suffix(SUFFIX)?.to_vec()).ok();
    let names: Vec<Option<String>> = archive.file_names_raw().map(name).collect();
    let mut arrays = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let Some(name) = name else {
            continue;
        };
        let mut header = Vec::new();
        // An error is reported when the array is read.
        if let Ok(member) = archive.by_index(index) {
            member.take(HEADER).read_to_end(&mut header).ok();
        }
        let is_scalar = header.windows(SCALAR.len()).any(|part| part == SCALAR);
        arrays.push(Array { name, is_scalar });
    }
    Ok(arrays)
}

/// The number of bytes in which to look for the shape of an array.
const HEADER: u64 = 1024;

/// The shape of a single number, as NumPy writes it.
const SCALAR: &[u8] = b"'shape': ()";

/// Returns the directory of an archive. Checks that it has only arrays, and that the two headers of each agree.
fn archive(file: ArchiveFile) -> Result<ZipArchive<ArchiveFile>, ErrorKind> {
    let mut archive = ZipArchive::new(file).map_err(unreadable)?;
    if archive.has_duplicate_names() {
        let message =
            "two files in the archive have the same name; write it again with numpy.savez";
        return Err(ErrorKind::malformed(message));
    }
    archive.validate_header_consistency().map_err(unreadable)?;
    // Damage in a name would hide an array, and labels with it.
    let mut names = archive.file_names_raw();
    if let Some(name) = names.find(|name| !name.ends_with(SUFFIX) && !name.ends_with(b"/")) {
        let name = String::from_utf8_lossy(name);
        let message = format!(
            "{} in the archive is not an array, so it is damaged or of another kind; copy it again, or write it \
             with numpy.savez",
            shown(&name)
        );
        return Err(ErrorKind::malformed(message));
    }
    drop(names);
    Ok(archive)
}

/// Returns the index of the array with this name, or of the only one.
fn find(archive: &ZipArchive<ArchiveFile>, array: Option<&str>) -> Result<usize, ErrorKind> {
    let names = archive.file_names_raw().enumerate();
    let arrays: Vec<(usize, &[u8])> =
        names.filter_map(|(index, name)| Some((index, name.strip_suffix(SUFFIX)?))).collect();
    let chosen = arrays.iter().find(|(_, name)| array.map(str::as_bytes) == Some(name));
    let texts: Vec<_> = arrays.iter().map(|(_, name)| String::from_utf8_lossy(name)).collect();
    let listed = listed(texts.iter().map(AsRef::as_ref), MAX_LISTED);
    match (&arrays[..], chosen, array) {
        ([], ..) => {
            let message = "the archive lists no arrays; write it again with numpy.savez";
            Err(ErrorKind::malformed(message))
        }
        (_, Some((index, _)), _) | ([(index, _)], _, None) => Ok(*index),
        (_, _, Some(array)) => Err(ErrorKind::mismatch(format!(
            "the archive has no array {}; choose one of {listed}",
            shown(array)
        ))),
        (_, _, None) => Err(ErrorKind::mismatch(format!(
            "the archive has {} arrays: {listed}; choose one after the name of the file, as in `FILE:{}`",
            arrays.len(),
            texts.first().map(|first| shown(first)).unwrap_or_default()
        ))),
    }
}

/// Returns an error of the library, without its text if the archive is damaged: the text may quote the file.
fn unreadable(error: ZipError) -> ErrorKind {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.into(),
        _ => ErrorKind::malformed(
            "the archive is truncated, damaged or of an unknown kind; copy it or write it again",
        ),
    }
}

/// The bytes of a file in an archive. At their end, their size and checksum are compared. The reader of `zip` cannot be
/// kept, because it borrows the archive.
struct ArchivedFile {
    bytes: CrcReader<Box<dyn Read + Send>>,
    left: u64,
    checksum: u32,
}

impl ArchivedFile {
    fn open(mut file: ArchiveFile, array: Option<&str>) -> Result<Self, ErrorKind> {
        let mut archive = archive(file.clone())?;
        let index = find(&archive, array)?;
        let member = archive.by_index_raw(index).map_err(unreadable)?;
        if member.encrypted() {
            let message = "the array is encrypted; unpack the archive with `unzip`";
            return Err(ErrorKind::unsupported(message));
        }
        let (left, checksum) = (member.size(), member.crc32());
        let (method, compressed_size) = (member.compression(), member.compressed_size());
        let start = member.data_start().ok_or_else(|| unreadable(ZipError::FileNotFound))?;
        drop(member);
        file.seek(SeekFrom::Start(start))?;
        let bytes = file.take(compressed_size);
        let bytes: Box<dyn Read + Send> = match method {
            CompressionMethod::Stored => Box::new(bytes),
            CompressionMethod::Deflated => Box::new(DeflateDecoder::new(bytes)),
            _ => {
                let message = "the array is compressed by another method than deflate; unpack the \
                               archive, or write it again with numpy.savez";
                return Err(ErrorKind::unsupported(message));
            }
        };
        Ok(Self { bytes: CrcReader::new(bytes), left, checksum })
    }
}

impl Read for ArchivedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => damaged(),
            _ => error,
        })?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(damaged)?;
        let is_end = count == 0 && !buffer.is_empty();
        if is_end && (self.left > 0 || self.bytes.crc().sum() != self.checksum) {
            return Err(damaged());
        }
        Ok(count)
    }
}

fn damaged() -> io::Error {
    let message = "the array is damaged in the archive; copy the archive again";
    io::Error::new(io::ErrorKind::InvalidData, message)
}
