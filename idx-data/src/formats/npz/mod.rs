//! Archives of arrays of NumPy.

#[cfg(feature = "npz")]
mod sink;

use std::path::Path;

#[cfg(feature = "npz")]
pub(crate) use sink::{NpzPart, NpzSink};

/// The last bytes of the names of the arrays in an archive.
const ENDING: &[u8] = b".npy";

/// Returns the archive and the array that a path like `mnist.npz:x_train` names, if there is no file of that name.
pub(crate) fn split_array(path: &Path) -> Option<(&Path, &str)> {
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let text = path.to_str()?;
    let mut splits = text.match_indices(':').filter_map(|(at, _)| {
        let (archive, array) = text.split_at_checked(at)?;
        Some((Path::new(archive), array.strip_prefix(':')?))
    });
    splits.find(|(archive, array)| archive.is_file() && !array.is_empty())
}

/// Returns whether these are the first bytes of a zip archive whose first file is an array of NumPy, by its name.
pub(crate) fn is_archive(start: &[u8]) -> bool {
    let Some(rest) = start.strip_prefix(b"PK\x03\x04") else {
        return false;
    };
    let Some(&[low, high]) = rest.get(22..24) else {
        return false;
    };
    let size = usize::from(u16::from_le_bytes([low, high]));
    let name = rest.get(26..26 + size);
    name.is_some_and(|name| name.ends_with(ENDING))
}

#[cfg(feature = "npz")]
pub(crate) use archive::{ArchiveFile, arrays, arrays_of, open_array};

/// An array in an archive.
pub(crate) struct Array {
    pub(crate) name: String,
    /// True if it is a single number or text, which is not a record.
    pub(crate) is_scalar: bool,
}

/// Returns the arrays of an archive, which cannot be read without the feature.
#[cfg(not(feature = "npz"))]
#[expect(clippy::unnecessary_wraps, reason = "as the function with the feature")]
pub(crate) fn arrays(_: &Path) -> Result<Vec<Array>, crate::Error> {
    Ok(Vec::new())
}

#[cfg(feature = "npz")]
mod archive {
    use std::fs::File;
    use std::io::{self, Read, Seek, SeekFrom};
    use std::path::Path;
    use std::sync::{Arc, Mutex, PoisonError};

    use idx_std::__private::Source as FileBytes;
    use idx_std::FileSignature;

    use flate2::CrcReader;
    use flate2::read::DeflateDecoder;
    use zip::result::ZipError;
    use zip::{CompressionMethod, ZipArchive};

    use super::{Array, ENDING, is_archive};
    use crate::error::{At, Error, ErrorKind};
    use crate::formats::npy::{NpySource, printable};
    use crate::record::options::OpenOptions;

    /// The file of an archive, which several readers read, each from a position of its own.
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
            // From where this reader is, not the one that read last.
            file.seek(SeekFrom::Start(self.position))?;
            self.position = file.seek(position)?;
            Ok(self.position)
        }
    }

    /// The maximum number of arrays that an error lists.
    const MAX_LISTED: usize = 10;

    /// Opens the array of this name, or the only one, of an archive.
    pub(crate) fn open_array(
        archive: ArchiveFile,
        array: Option<&str>,
        options: &OpenOptions,
    ) -> Result<NpySource<Box<dyn Read + Send>>, Error> {
        let member: Box<dyn Read + Send> = Box::new(ArchivedFile::open(archive, array)?);
        Ok(NpySource::new(FileBytes::new(member)?, options)?)
    }

    /// Returns the arrays of an archive, as far as their names are UTF-8; none of any other file.
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

    /// Returns the arrays of this archive, as far as their names are UTF-8.
    pub(crate) fn arrays_of(file: ArchiveFile) -> Result<Vec<Array>, ErrorKind> {
        let mut archive = archive(file)?;
        let name = |name: &[u8]| String::from_utf8(name.strip_suffix(ENDING)?.to_vec()).ok();
        let names: Vec<Option<String>> = archive.file_names_raw().map(name).collect();
        let mut arrays = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            let Some(name) = name else {
                continue;
            };
            let mut header = Vec::new();
            // An error in it is reported when it is read.
            let _ = archive
                .by_index(index)
                .map(|member| member.take(HEADER).read_to_end(&mut header).is_ok());
            let is_scalar = header.windows(SCALAR.len()).any(|part| part == SCALAR);
            arrays.push(Array { name, is_scalar });
        }
        Ok(arrays)
    }

    /// The number of bytes in which the shape of an array is looked for.
    const HEADER: u64 = 1024;

    /// The shape of a single number, as NumPy writes it.
    const SCALAR: &[u8] = b"'shape': ()";

    /// Returns the directory of an archive of nothing but arrays, if the two descriptions of each of them are the same.
    fn archive(file: ArchiveFile) -> Result<ZipArchive<ArchiveFile>, ErrorKind> {
        let mut archive = ZipArchive::new(file).map_err(unreadable)?;
        if archive.has_duplicate_names() {
            let message = "two files of the archive have one name; write it again with numpy.savez";
            return Err(ErrorKind::malformed(message));
        }
        archive.validate_header_consistency().map_err(unreadable)?;
        // Damage in a name would hide an array, and labels with it.
        let mut names = archive.file_names_raw();
        if let Some(name) = names.find(|name| !name.ends_with(ENDING) && !name.ends_with(b"/")) {
            let name = printable(&String::from_utf8_lossy(name));
            let message = format!(
                "{name} in the archive is not an array, so it is damaged or of another kind; copy it again, or write it \
                 with numpy.savez"
            );
            return Err(ErrorKind::malformed(message));
        }
        drop(names);
        Ok(archive)
    }

    /// Returns the index of the array of this name, or of the only one.
    fn find(archive: &ZipArchive<ArchiveFile>, array: Option<&str>) -> Result<usize, ErrorKind> {
        let names = archive.file_names_raw().enumerate();
        let arrays: Vec<(usize, &[u8])> =
            names.filter_map(|(index, name)| Some((index, name.strip_suffix(ENDING)?))).collect();
        let chosen = arrays.iter().find(|(_, name)| array.map(str::as_bytes) == Some(name));
        let text = |(_, name): &(usize, &[u8])| printable(&String::from_utf8_lossy(name));
        let mut listed: Vec<String> = arrays.iter().take(MAX_LISTED).map(text).collect();
        if arrays.len() > MAX_LISTED {
            listed.push("...".to_string());
        }
        let count = arrays.len();
        match (&arrays[..], chosen, array) {
            ([], ..) => {
                let message = "the archive lists no arrays; write it again with numpy.savez";
                Err(ErrorKind::malformed(message))
            }
            (_, Some((index, _)), _) | ([(index, _)], _, None) => Ok(*index),
            (_, _, Some(array)) => Err(ErrorKind::mismatch(format!(
                "the archive has no array {}; choose one of {}",
                printable(array),
                listed.join(", ")
            ))),
            ([first, ..], _, None) => Err(ErrorKind::mismatch(format!(
                "the archive has {count} arrays: {}; choose one after the name of the file, as in `FILE:{}`",
                listed.join(", "),
                text(first)
            ))),
        }
    }

    /// Returns the error without the text of the library for damage, which may quote the file.
    fn unreadable(error: ZipError) -> ErrorKind {
        match error {
            ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.into(),
            _ => ErrorKind::malformed(
                "the archive is truncated, damaged or of an unknown kind; copy it or write it again",
            ),
        }
    }

    /// The bytes of a file in an archive, compared with their size and checksum at their end. The reader of `zip`
    /// cannot be kept: it borrows the archive.
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
}

#[cfg(feature = "npz")]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Cursor, Write};
    use std::path::PathBuf;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use crate::formats::npy::file;
    use crate::{Format, OpenOptions, Record, Source, open};

    type Files<'a> = &'a [(&'a str, &'a [u8])];

    fn archive(method: CompressionMethod, files: Files<'_>) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            // With sizes of 64 bits, as numpy.savez_compressed writes them.
            let is_large = method == CompressionMethod::Deflated;
            let options = SimpleFileOptions::default().large_file(is_large);
            zip.start_file(*name, options.compression_method(method)).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn stored(files: Files<'_>) -> Vec<u8> {
        archive(CompressionMethod::Stored, files)
    }

    /// An array of bytes.
    fn array(shape: &[u64], elements: &[u8]) -> Vec<u8> {
        file("|u1", false, shape, elements)
    }

    /// Writes an archive, and opens this array of it.
    fn read_from(zip: &[u8], array: &str) -> Result<Vec<Vec<u8>>, crate::Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arrays.npz");
        fs::write(&path, zip).unwrap();
        let path = PathBuf::from(format!("{}{array}", path.display()));
        all(open(path)?)
    }

    fn all(mut source: Source) -> Result<Vec<Vec<u8>>, crate::Error> {
        let mut record = Record::default();
        let mut records = Vec::new();
        while source.read(&mut record)? {
            records.push(record.bytes.clone());
        }
        Ok(records)
    }

    #[test]
    fn each_array_is_read_by_its_name_and_the_only_one_without() {
        let images = array(&[2, 2], &[1, 2, 3, 4]);
        let labels = array(&[2], &[7, 3]);
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let files: Files<'_> = &[("x.npy", &images), ("a/y.npy", &labels), ("a/", b"")];
            let zip = archive(method, files);
            assert_eq!(read_from(&zip, ":x").unwrap(), [[1, 2], [3, 4]]);
            assert_eq!(read_from(&zip, ":a/y").unwrap(), [[7], [3]]);
            let only = archive(method, &[("a:b.npy", &images)]);
            assert_eq!(read_from(&only, "").unwrap(), [[1, 2], [3, 4]]);
            assert_eq!(read_from(&only, ":a:b").unwrap(), [[1, 2], [3, 4]]);
            let stream = Box::new(Cursor::new(only));
            let source = OpenOptions::new().open_stream("-", stream).unwrap();
            assert_eq!(all(source).unwrap(), [[1, 2], [3, 4]]);
        }
    }

    #[test]
    fn labels_are_an_array_and_a_file_of_that_name_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arrays.npz");
        let labels = array(&[2], &[7, 3]);
        fs::write(&path, stored(&[("x.npy", &labels), ("y.npy", &labels)])).unwrap();
        let named = folder.path().join("arrays.npz:y");
        let mut column = OpenOptions::new().as_labels().open(&named).unwrap();
        let mut label = Record::default();
        assert!(column.read(&mut label).unwrap());
        assert_eq!(label.label, Some(7));
        let options = OpenOptions::default();
        assert_eq!(options.open(&named).unwrap().formats(), [Format::Npy]);
        fs::write(&named, array(&[1], &[5])).unwrap();
        assert_eq!(all(options.open(&named).unwrap()).unwrap(), [[5]]);

        let other = folder.path().join("arrays.npy");
        fs::write(&other, &labels).unwrap();
        let error = options.open(folder.path().join("arrays.npy:y")).unwrap_err();
        assert!(error.to_string().contains("only an archive"), "{error}");
    }

    #[test]
    fn a_member_in_fortran_order_is_limited_as_a_stream() {
        let zip = stored(&[("x.npy", &file("|u1", true, &[1 << 20, 1 << 20], b""))]);
        let error = read_from(&zip, ":x").unwrap_err();
        assert!(error.to_string().contains("limit"), "{error}");
    }

    #[test]
    fn a_bad_archive_is_refused_for_its_reason() {
        let good = array(&[4], b"what");
        let whole = stored(&[("x.npy", &good)]);
        let replaced = |zip: &[u8], old: &[u8], new: &[u8]| {
            let mut zip = zip.to_vec();
            let mut count = 0;
            while let Some(at) = zip.windows(old.len()).position(|bytes| bytes == old) {
                zip[at..at + new.len()].copy_from_slice(new);
                count += 1;
            }
            assert!(count > 0);
            zip
        };
        let changed = replaced(&whole, b"what", b"That");
        let length = u32::try_from(good.len()).unwrap().to_le_bytes();
        // In the list of files, the compressed size comes first.
        let smaller =
            replaced(&whole, &[length, length].concat(), &[length, [1, 0, 0, 0]].concat());
        let larger = replaced(&whole, &[length, length].concat(), &[length, [0xFF; 4]].concat());
        let mut encrypted = whole.clone();
        let list = whole.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        encrypted[6] |= 1;
        encrypted[list + 8] |= 1;
        let mut lzma = whole.clone();
        lzma[8] = 14;
        lzma[list + 10] = 14;
        let empty =
            [b"PK\x05\x06", &[0; 12][..], &u32::try_from(list).unwrap().to_le_bytes(), &[0; 2]]
                .concat();
        let unlisted = [&whole[..list], &empty].concat();
        // In the directory alone, as a damaged byte has it.
        let pair = stored(&[("x.npy", &good), ("y.npy", &good)]);
        let last = pair.windows(5).rposition(|bytes| bytes == b"y.npy").unwrap();
        let mut renamed = pair.clone();
        renamed[last] = b'z';
        // The directory ends before the second array, and counts one.
        let entry = last - 46;
        let mut unlisted_last = [&pair[..entry], &pair[last + 5..]].concat();
        for (place, number) in [(entry + 8, 1), (entry + 10, 1), (entry + 12, 51)] {
            unlisted_last[place] = number;
        }
        let mut deflated = archive(CompressionMethod::Deflated, &[("x.npy", &good)]);
        let start = 30 + "x.npy".len() + 20;
        deflated[start..start + 20].fill(0xFF);
        let claims = array(&[1 << 40], b"what");
        let huge = array(&[1 << 40, 1 << 20], b"");
        let names: Vec<_> = (0..=10_000).map(|name| format!("{name}.npy")).collect();
        let many: Vec<_> = names.iter().map(|name| (&**name, &b""[..])).collect();
        let long = "\u{1B}]0;x\u{7}".repeat(20);
        let [first, second] = [format!("a{long}.npy"), "b\n\u{202E}.npy".to_string()];
        let twins = replaced(&stored(&[("x.npy", &good), ("y.npy", &good)]), b"y.npy", b"x.npy");
        for (zip, name, expected) in [
            (&whole[..whole.len() - 30], "", "the archive is truncated"),
            (&whole[..60], "", "the archive is truncated"),
            (&changed, "", "damaged in the archive"),
            (&smaller, "", "damaged"),
            (&larger, "", "damaged"),
            (&deflated, "", "damaged in the archive"),
            (&encrypted, "", "the array is encrypted; unpack"),
            (&lzma, "", "another method than deflate; unpack"),
            (&whole, ":y", "the archive has no array y; choose one of x"),
            (&unlisted, ":x", "the archive is truncated, damaged"),
            (&twins, ":x", "two files of the archive have one name; write"),
            (&twins, "", "two files of the archive have one name; write"),
            (&stored(&[("x.npy", &whole)]), "", "not an npy file"),
            (&stored(&[("x.npy", b"")]), "", "npy"),
            (&stored(&[("x.npy", &claims)]), "", "truncated"),
            (&stored(&[("x.npy", &huge)]), "", "truncated"),
            (&stored(&[("notes", b"?"), ("x.npy", &good)]), "", "a zip archive"),
            (
                &stored(&[("x.npy", &good), ("y.Npy", &good)]),
                ":x",
                "y.Npy in the archive is not an array",
            ),
            (&renamed, ":x", "the archive is truncated, damaged"),
            (&unlisted_last, ":x", "the archive is truncated, damaged"),
            (&renamed, "", "the archive is truncated, damaged"),
            (&stored(&many), ":other", "the archive has no array other; choose one of 0, 1, 2"),
            (
                &stored(&many[..9_000]),
                "",
                "the archive has 9000 arrays: 0, 1, 2, 3, 4, 5, 6, 7, ..; choose",
            ),
            (&stored(&[(&first, &good), (&second, &good)]), "", "2 arrays: a\\u{1b}]0;x\\u{7}"),
        ] {
            let error = read_from(zip, name).unwrap_err();
            let text = error.to_string();
            assert!(text.contains(expected), "{expected}: {text}");
            assert!(text.len() < 500 && !text.contains(char::is_control), "{text}");
        }
    }

    #[test]
    fn no_cut_and_no_changed_byte_makes_reading_panic() {
        let good = array(&[4], b"what");
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let whole = archive(method, &[("x.npy", &good), ("y.npy", &good)]);
            for at in 0..whole.len() {
                assert!(read_from(&whole[..at], ":x").is_err(), "{at}");
                let mut changed = whole.clone();
                changed[at] ^= 0xFF;
                if let Ok(records) = read_from(&changed, ":x") {
                    assert_eq!(records.concat(), b"what", "{at}");
                }
            }
        }
    }
}
