//! Archives of NumPy arrays.

#[cfg(feature = "npz")]
mod archive;
#[cfg(feature = "npz")]
mod sink;

use std::path::Path;

#[cfg(feature = "npz")]
pub(crate) use archive::{ArchiveFile, arrays, arrays_of, open_array};
#[cfg(feature = "npz")]
pub(crate) use sink::{NpzPart, NpzSink};

/// The extension of the names of arrays in an archive.
const SUFFIX: &[u8] = b".npy";

/// Returns the archive and the array in a path like `mnist.npz:x_train`, if no file has this path.
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

/// Returns whether these are the first bytes of a zip archive whose first file is named like a NumPy array.
pub(crate) fn is_archive(start: &[u8]) -> bool {
    let header = start.strip_prefix(b"PK\x03\x04").unwrap_or_default();
    let size = header.get(22..).and_then(<[u8]>::first_chunk).copied().map(u16::from_le_bytes);
    let name = size.and_then(|size| header.get(26..26 + usize::from(size)));
    name.is_some_and(|name| name.ends_with(SUFFIX))
}

/// An array in an archive.
pub(crate) struct Array {
    pub(crate) name: String,
    /// True if it is a single number or text, which is not a record.
    pub(crate) is_scalar: bool,
}

/// Returns no arrays, because archives cannot be read without the feature.
#[cfg(not(feature = "npz"))]
#[expect(clippy::unnecessary_wraps, reason = "as the function with the feature")]
pub(crate) fn arrays(_: &Path) -> Result<Vec<Array>, crate::Error> {
    Ok(Vec::new())
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
            // With 64-bit sizes, as numpy.savez_compressed writes them.
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

    /// Returns an npy file with an array of bytes.
    fn array(shape: &[u64], elements: &[u8]) -> Vec<u8> {
        file("|u1", false, shape, elements)
    }

    /// Writes an archive, and reads this array in it.
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
        assert_eq!(options.open(&named).unwrap().formats(), [Format::Npz]);
        fs::write(&named, array(&[1], &[5])).unwrap();
        assert_eq!(all(options.open(&named).unwrap()).unwrap(), [[5]]);

        let other = folder.path().join("arrays.npy");
        fs::write(&other, &labels).unwrap();
        let error = options.open(folder.path().join("arrays.npy:y")).unwrap_err();
        assert!(error.to_string().contains("only a NumPy archive"), "{error}");
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
        // In the directory, the compressed size comes first.
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
        // Only in the directory, as if a byte were damaged.
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
            (&twins, ":x", "two files in the archive have the same name; write"),
            (&twins, "", "two files in the archive have the same name; write"),
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
                "0, 1, 2, 3, 4, 5, 6, 7, .. may all be the records; choose `part(\"0\")`",
            ),
            (&stored(&[(&first, &good), (&second, &good)]), "", ": a\\u{1b}]0;x\\u{7}"),
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
