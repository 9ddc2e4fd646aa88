//! Files that are not valid, each with the message that users read.

use crate::{file, gzip};

/// An invalid file, and its error message.
#[derive(Clone, Debug)]
pub struct BadFile {
    /// The error, as a file name.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The message for the user, after the path.
    pub message: &'static str,
}

/// Files with one error each.
#[must_use]
pub fn bad_files() -> Vec<BadFile> {
    let good = file(0x08, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let cut = &good[..good.len() - 1];
    let longer = [&good[..], &[7]].concat();
    let zipped = gzip(&good);
    let changed = |bytes: &[u8], offset: usize, byte: u8| {
        let mut bytes = bytes.to_vec();
        bytes[offset] = byte;
        bytes
    };
    let mut table: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", vec![], "the file is empty; download or copy it again"),
        (
            "three-bytes",
            vec![0, 0, 8],
            "the header is truncated: expected 4 bytes, found 3 (1 missing); download or copy the file again",
        ),
        (
            "cut-in-sizes",
            good[..9].to_vec(),
            "the header is truncated: expected 12 bytes, found 9 (3 missing); download or copy the file again",
        ),
        (
            "cut-by-one-byte",
            cut.to_vec(),
            "the payload is truncated: expected 6 bytes, found 5 (1 missing); download or copy the file again (after 1 whole record)",
        ),
        (
            "header-alone",
            good[..12].to_vec(),
            "the payload is truncated: expected 6 bytes, found 0 (6 missing); download or copy the file again (after 0 whole records)",
        ),
        (
            "rank-0-without-its-element",
            file(0x08, &[], &[]),
            "the payload is truncated: expected 1 byte, found 0 (1 missing); download or copy the file again (after 0 whole records)",
        ),
        (
            "images-one-record-short",
            file(0x08, &[10, 28, 28], &[7; 9 * 784]),
            "the payload is truncated: expected 7840 bytes, found 7056 (784 missing); download or copy the file again (after 9 whole records)",
        ),
        (
            "images-1000-records-short",
            file(0x08, &[6000, 2, 2], &[7; 5000 * 4]),
            "the payload is truncated: expected 24000 bytes, found 20000 (4000 missing); download or copy the file again (after 5000 whole records)",
        ),
        (
            "rows-times-columns-is-0-in-32-bits",
            file(0x08, &[0xFFFF, 1 << 16, 1], &[0; 5]),
            "the payload is truncated: expected 4294901760 bytes, found 5 (4294901755 missing); download or copy the file again (after 0 whole records)",
        ),
        (
            "4294967295-elements-and-none-there",
            file(0x08, &[u32::MAX], &[]),
            "the payload is truncated: expected 4294967295 bytes, found 0 (4294967295 missing); download or copy the file again (after 0 whole records)",
        ),
        (
            "cut-by-one-byte-inside-gzip",
            gzip(cut),
            "the payload is truncated: expected 6 bytes, found 5 (1 missing); download or copy the file again (after 1 whole record)",
        ),
        (
            "one-byte-too-many",
            longer.clone(),
            "extra bytes after the payload: 1 byte from offset 18; remove them, or correct the header if they belong to it (after 2 whole records)",
        ),
        (
            "first-byte-not-zero",
            changed(&good, 0, 1),
            "this is not an IDX file: it starts with 01 00 08 02 00 00 00 02 (the first four: 16779266), but IDX files start with 00 00; check the source of the file",
        ),
        (
            "second-byte-not-zero",
            changed(&good, 1, 0xFF),
            "this is not an IDX file: it starts with 00 FF 08 02 00 00 00 02 (the first four: 16713730), but IDX files start with 00 00; check the source of the file",
        ),
        (
            "element-type-0A",
            changed(&good, 2, 0x0A),
            "unknown element type 0A (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; the file starts with 00 00 0A 02 00 00 00 02 (the first four: 2562)",
        ),
        (
            "element-type-00",
            changed(&good, 2, 0x00),
            "unknown element type 00 (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; the file starts with 00 00 00 02 00 00 00 02 (the first four: 2)",
        ),
        (
            "element-type-07",
            changed(&good, 2, 0x07),
            "unknown element type 07 (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; the file starts with 00 00 07 02 00 00 00 02 (the first four: 1794)",
        ),
        (
            "element-type-80",
            changed(&good, 2, 0x80),
            "unknown element type 80 (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; the file starts with 00 00 80 02 00 00 00 02 (the first four: 32770)",
        ),
        (
            "rank-255-in-20-bytes",
            [&[0, 0, 8, 255][..], &[0; 16]].concat(),
            "the header is truncated: expected 1024 bytes, found 20 (1004 missing); download or copy the file again",
        ),
        (
            "sizes-of-32-ones",
            file(0x08, &[u32::MAX; 3], &[1, 2, 3, 4]),
            "the payload size overflows 64 bits at dimension 2 of size 4294967295; the header is corrupt, download or copy the file again",
        ),
        (
            "size-of-2-to-64",
            file(0x08, &[1 << 16; 4], &[]),
            "the payload size overflows 64 bits at dimension 3 of size 65536; the header is corrupt, download or copy the file again",
        ),
        (
            "size-of-2-to-64-in-f64",
            file(0x0E, &[1 << 31, 1 << 30], &[0; 8]),
            "the payload size overflows 64 bits at dimension 1 of size 1073741824; the header is corrupt, download or copy the file again",
        ),
        (
            "four-gigabytes-promised",
            file(0x08, &[u32::MAX, 1], &[0; 8]),
            "the payload is truncated: expected 4294967295 bytes, found 8 (4294967287 missing); download or copy the file again (after 8 whole records)",
        ),
        (
            "gzip-with-wrong-checksum",
            changed(&zipped, zipped.len() - 8, !zipped[zipped.len() - 8]),
            "the gzip data is corrupt after 18 decompressed bytes: incorrect data check; download or copy the file again (after 2 whole records)",
        ),
        (
            "gzip-with-wrong-length",
            changed(&zipped, zipped.len() - 4, 0),
            "the gzip data is corrupt after 18 decompressed bytes: incorrect length check; download or copy the file again (after 2 whole records)",
        ),
        (
            "gzip-with-damaged-data",
            changed(&zipped, 10, 0xFF),
            "the gzip data is corrupt after 0 decompressed bytes: invalid block type; download or copy the file again",
        ),
        (
            "gzip-cut-in-its-trailer",
            zipped[..zipped.len() - 1].to_vec(),
            "the gzip data is truncated after 18 decompressed bytes; download or copy the file again (after 2 whole records)",
        ),
        (
            "gzip-cut-in-its-data",
            zipped[..zipped.len() - 12].to_vec(),
            "the gzip data is truncated after 15 decompressed bytes, 3 missing; download or copy the file again (after 1 whole record)",
        ),
        (
            "gzip-cut-in-its-header",
            zipped[..9].to_vec(),
            "the gzip data is truncated after 0 decompressed bytes; download or copy the file again",
        ),
        (
            "gzip-content-goes-on",
            gzip(&longer),
            "extra bytes after the payload: 1 byte from offset 18; remove them, or correct the header if they belong to it (after 2 whole records)",
        ),
        (
            "gzip-next-member-goes-on",
            [zipped.clone(), gzip(&[7])].concat(),
            "extra bytes after the payload: 1 byte from offset 18; remove them, or correct the header if they belong to it (after 2 whole records)",
        ),
        (
            "gzip-with-bytes-after-it",
            [&zipped[..], b"garbage"].concat(),
            "extra bytes follow the gzip data (18 decompressed bytes), the first is 67; leave them out with `gunzip -c FILE > NEW` (after 2 whole records)",
        ),
        (
            "gzip-with-half-a-magic-after-it",
            [&zipped[..], &[0x1F, 7]].concat(),
            "extra bytes follow the gzip data (18 decompressed bytes), the first is 1F; leave them out with `gunzip -c FILE > NEW` (after 2 whole records)",
        ),
        (
            "gzip-with-bytes-after-padding",
            [&zipped[..], &[0, 0, 0x1F, 0x8B]].concat(),
            "extra bytes follow the gzip data (18 decompressed bytes), the first is 1F; leave them out with `gunzip -c FILE > NEW` (after 2 whole records)",
        ),
        (
            "gzip-with-a-member-after-padding",
            [&zipped[..], &[0], &gzip(&[])].concat(),
            "extra bytes follow the gzip data (18 decompressed bytes), the first is 1F; leave them out with `gunzip -c FILE > NEW` (after 2 whole records)",
        ),
        (
            "gzip-in-gzip",
            gzip(&zipped),
            "this is gzip within gzip; decompress it once with `gunzip`",
        ),
        ("gzip-of-nothing", gzip(&[]), "the file is empty; download or copy it again"),
        (
            "web-page",
            b"\n<!DOCTYPE html>\n<html><body>403 Forbidden</body></html>".to_vec(),
            "this is a web page, not an IDX file; open it in a browser to see why, and download the file elsewhere",
        ),
        (
            "web-page-inside-gzip",
            gzip(b"<html><head><title>404</title></head></html>"),
            "this is a web page, not an IDX file; open it in a browser to see why, and download the file elsewhere",
        ),
        (
            "web-page-with-a-byte-order-mark",
            b"\xEF\xBB\xBF<html lang=\"en\">".to_vec(),
            "this is a web page, not an IDX file; open it in a browser to see why, and download the file elsewhere",
        ),
        (
            "web-page-in-part",
            b"<h1>503 Service Unavailable</h1>".to_vec(),
            "this is a web page, not an IDX file; open it in a browser to see why, and download the file elsewhere",
        ),
        (
            "web-page-as-xml",
            b"<?xml version=\"1.0\"?><!DOCTYPE html>".to_vec(),
            "this is a web page, not an IDX file; open it in a browser to see why, and download the file elsewhere",
        ),
        (
            "server-says-404",
            b"404: Not Found".to_vec(),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "server-says-403",
            b"403 Forbidden\n".to_vec(),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "server-denies-access",
            b"Access Denied".to_vec(),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "server-answers-with-its-headers",
            b"HTTP/1.1 502 Bad Gateway\r\nServer: nginx\r\n\r\n".to_vec(),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "server-error-of-s3",
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>AccessDenied</Code></Error>"
                .to_vec(),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "server-error-as-json",
            b"{\n  \"message\": \"Not Found\",\n  \"status\": \"404\"\n}".to_vec(),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "server-error-as-json-inside-gzip",
            gzip(b"{\"error\":{\"code\":404}}"),
            "this is a server message, not an IDX file; read the message, and download the file elsewhere",
        ),
        (
            "git-lfs-pointer",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".to_vec(),
            "this is a git-LFS pointer, not an IDX file; download the file itself with `git lfs pull`",
        ),
        (
            "little-endian",
            vec![3, 8, 0, 0, 2, 0, 0, 0],
            "this is a file with a little-endian header, not an IDX file; fix the program that wrote it: IDX is big-endian",
        ),
        (
            "xz",
            b"\xFD7zXZ\0\0\x04".to_vec(),
            "this is xz data, not an IDX file; decompress it with `xz -d` first",
        ),
        (
            "bzip2",
            b"BZh91AY&SY".to_vec(),
            "this is bzip2 data, not an IDX file; decompress it with `bunzip2` first",
        ),
        (
            "zstandard",
            b"\x28\xB5\x2F\xFD\x04\x58".to_vec(),
            "this is Zstandard data, not an IDX file; decompress it with `unzstd` first",
        ),
        (
            "zip",
            b"PK\x03\x04\x14\0".to_vec(),
            "this is a zip archive, not an IDX file; unpack it with `unzip` first",
        ),
        (
            "pytorch",
            [&b"PK\x03\x04"[..], &[0; 22], &[12, 0, 0, 0], b"own/data.pkl"].concat(),
            "this is a PyTorch file, not an IDX file; load it with `torch.load`, and save its arrays with `numpy.save`",
        ),
        (
            "pytorch-before-1.6",
            b"\x80\x02\x8A\nl\xFC\x9CF\xF9 j\xA8P\x19.\x80\x02M\xE9\x03.".to_vec(),
            "this is a PyTorch file, not an IDX file; load it with `torch.load`, and save its arrays with `numpy.save`",
        ),
        (
            "workbook",
            [&b"PK\x03\x04"[..], &[0; 22], &[19, 0, 0, 0], b"[Content_Types].xml"].concat(),
            "this is an Office document, not an IDX file; save its sheet as csv, or export its pictures as PNG",
        ),
        (
            "gray-map",
            [&b"P5\n28 28\n255\n"[..], &[0; 784]].concat(),
            "this is a PBM, PGM or PPM picture, not an IDX file; export it as PNG or JPEG, and convert that",
        ),
        (
            "sound",
            b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0\x01\0".to_vec(),
            "this is a WAV sound, not an IDX file; read it with `scipy.io.wavfile.read`, and save its array with `numpy.save`",
        ),
        (
            "lmdb",
            [&[0; 10][..], &[8, 0, 0, 0, 0, 0, 0xDE, 0xC0, 0xEF, 0xBE, 1, 0, 0, 0], &[0; 100]].concat(),
            "this is an LMDB database, not an IDX file; read its records with the Python package `lmdb`, and save their arrays with `numpy.save`",
        ),
        (
            "r-data",
            gzip(b"RDX3\nX\n\0\0\0\x03\0\x04\x03\x01"),
            "this is an R file, not an IDX file; write its table as csv with `write.csv` of R",
        ),
        (
            "r-value",
            gzip(b"X\n\0\0\0\x03\0\x04\x03\x01"),
            "this is an R file, not an IDX file; write its table as csv with `write.csv` of R",
        ),
        (
            "tar",
            [&b"digits/0.png"[..], &[0; 245], b"ustar\x0000", &[0; 247]].concat(),
            "this is a tar archive, not an IDX file; unpack it with `tar -xf`, and convert the folder or the file in it",
        ),
        (
            "matlab-7.3",
            [&b"MATLAB 7.3 MAT-file, Platform: GLNXA64"[..], &[0; 90]].concat(),
            "this is a MATLAB file of version 7.3, not an IDX file; read it with `h5py`, and save its arrays with `numpy.save`",
        ),
        (
            "json-of-numbers",
            b"[[0, 255],\n [7, 8]]".to_vec(),
            "this is JSON, not an IDX file; save its numbers as csv, a line for each record, with pandas or `jq`",
        ),
        (
            "text-with-a-bracket",
            b"[a] [b]".to_vec(),
            "this is not an IDX file: it starts with \"[a] [b]\", but IDX files start with 00 00; check the source of the file",
        ),
        (
            "numpy",
            b"\x93NUMPY\x01\0v\0{'descr'".to_vec(),
            "this is a NumPy array, not an IDX file; convert it with `idx convert`",
        ),
        (
            "lush-matrix",
            vec![0x55, 0x4C, 0x3D, 0x1E, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 8],
            "this is a Lush matrix, not an IDX file; convert it to IDX with the program that reads it",
        ),
        (
            "lush-matrix-as-text",
            b".MAT 1 2\n1 2\n".to_vec(),
            "this is a Lush matrix, not an IDX file; convert it to IDX with the program that reads it",
        ),
        (
            "lush-matrix-of-a-big-endian-machine",
            vec![0x1E, 0x3D, 0x4C, 0x54, 0, 0, 0, 0],
            "this is a Lush matrix, not an IDX file; convert it to IDX with the program that reads it",
        ),
        (
            "subtitles-named-idx",
            b"# VobSub index file, v7".to_vec(),
            "this is the index of VobSub subtitles, not an IDX file; the names of several formats end in .idx; check which file you meant",
        ),
        (
            "git-pack-index",
            vec![0xFF, b't', b'O', b'c', 0, 0, 0, 2],
            "this is the index of a git pack, not an IDX file; the names of several formats end in .idx; check which file you meant",
        ),
        (
            "tokens-of-fairseq",
            b"TNTIDX\0\0\x01\0\0\0\0\0\0\0".to_vec(),
            "this is the index of a fairseq or Megatron-LM text, not an IDX file; the names of several formats end in .idx; check which file you meant",
        ),
        (
            "tokens-of-megatron",
            b"MMIDIDX\0\0\x01\0\0\0\0\0\0\0".to_vec(),
            "this is the index of a fairseq or Megatron-LM text, not an IDX file; the names of several formats end in .idx; check which file you meant",
        ),
        (
            "seven-zip",
            b"7z\xBC\xAF\x27\x1C\0\x04".to_vec(),
            "this is a 7-Zip archive, not an IDX file; unpack it with `7z x` first",
        ),
        (
            "rar",
            b"Rar!\x1A\x07\x01\0".to_vec(),
            "this is a RAR archive, not an IDX file; unpack it with `unrar x` first",
        ),
        (
            "beside-a-file-of-macos",
            b"\0\x05\x16\x07\0\x02\0\0Mac OS X        ".to_vec(),
            "this is a macOS metadata file, not an IDX file; use the file whose name does not start with `._`",
        ),
        (
            "idx-as-utf-16",
            b"\xFE\xFF\0\0\0\0\0\x08\0\x01".to_vec(),
            "this is a file that was saved as UTF-16, not an IDX file; copy or download it again as it is",
        ),
        (
            "text-in-utf-16",
            b"\xFF\xFE7\0,\x001\0\n\0".to_vec(),
            "this is text in UTF-16, not an IDX file; save it as UTF-8",
        ),
        (
            "text-in-utf-16-big-endian",
            b"\xFE\xFF\x007\0\n".to_vec(),
            "this is text in UTF-16, not an IDX file; save it as UTF-8",
        ),
        (
            "pickle-inside-gzip",
            gzip(b"\x80\x03ctheano"),
            "this is a Python pickle, not an IDX file; load it with `pickle.load`, and save its arrays with `numpy.save`",
        ),
        (
            "hdf5",
            b"\x89HDF\r\n\x1A\n\0".to_vec(),
            "this is an HDF5 file, not an IDX file; read it with `h5py`, and save its arrays with `numpy.save`",
        ),
        (
            "matlab",
            b"MATLAB 5.0 MAT-file, Platform: GLNXA64".to_vec(),
            "this is a MATLAB file, not an IDX file; load it with `scipy.io.loadmat`, and save its arrays with `numpy.save`",
        ),
        (
            "matlab-4",
            [&[0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0][..], b"x1\0", &[0; 48]].concat(),
            "this is a MATLAB file, not an IDX file; load it with `scipy.io.loadmat`, and save its arrays with `numpy.save`",
        ),
        (
            "octave",
            b"# Created by Octave 8.4.0, Wed Nov 25 10:00:00 2026 UTC <me@host>\n# name: x\n# type: matrix\n".to_vec(),
            "this is an Octave file, not an IDX file; write its matrix as csv with `dlmwrite` of Octave",
        ),
        (
            "tf-record",
            vec![140, 0, 0, 0, 0, 0, 0, 0, 0xF7, 0xA0, 0x36, 0xE7, 0x0A, 0x05],
            "this is a TFRecord file, not an IDX file; read it with `tf.data.TFRecordDataset`, and save its arrays with `numpy.save`",
        ),
        (
            "libsvm",
            b"5 153:3 154:18 155:18\n0 128:51\n".to_vec(),
            "this is text in libsvm format, not an IDX file; load it with `load_svmlight_file` of scikit-learn, and save its array with `numpy.save`",
        ),
        (
            "pickle-as-text",
            b"(lp0\nI1\na.".to_vec(),
            "this is a Python pickle, not an IDX file; load it with `pickle.load`, and save its arrays with `numpy.save`",
        ),
        (
            "arrow",
            b"ARROW1\0\0\xFF\xFF\xFF\xFF".to_vec(),
            "this is an Arrow file, not an IDX file; save its table as Parquet",
        ),
        (
            "arff",
            b"% Digits\n@RELATION mnist\n@DATA\n0,7\n".to_vec(),
            "this is an ARFF file, not an IDX file; save its lines below `@data` as csv",
        ),
        (
            "link-as-text",
            b"../../datasets/train-images-idx3-ubyte".to_vec(),
            "this is the text of a symbolic link, not an IDX file; copy the file that it names, or set `git config core.symlinks true` and check it out again",
        ),
        (
            "photo",
            b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(),
            "this is a HEIC or AVIF picture, not an IDX file; export it as PNG or JPEG, and convert that",
        ),
        (
            "drawing",
            b"<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n".to_vec(),
            "this is an SVG drawing, not an IDX file; export it as PNG, and convert that",
        ),
        (
            "document",
            b"%PDF-1.7\n".to_vec(),
            "this is a PDF document, not an IDX file; export its page as PNG, and convert that",
        ),
        (
            "film",
            b"\0\0\0\x20ftypisom\0\0\x02\0".to_vec(),
            "this is a video, not an IDX file; check the source of the file",
        ),
        (
            "color-profile",
            [&b"\0\0\x0C\x48lcms"[..], &[1; 28], b"acsp", &[1; 300]].concat(),
            "this is a color profile, not an IDX file; check the source of the file",
        ),
        (
            "zip-without-files",
            b"PK\x05\x06\0\0\0\0".to_vec(),
            "this is a zip archive, not an IDX file; unpack it with `unzip` first",
        ),
        (
            "text-that-is-no-server-message",
            b"404,0,0,0,\n".to_vec(),
            "this is not an IDX file: it starts with \"404,0,0,0,\\n\", but IDX files start with 00 00; check the source of the file",
        ),
        (
            "json-that-is-no-server-message",
            b"{}".to_vec(),
            "this is JSON, not an IDX file; save its numbers as csv, a line for each record, with pandas or `jq`",
        ),
        (
            "binary-that-starts-as-a-page",
            b"<html\0\0\x01".to_vec(),
            "this is not an IDX file: it starts with 3C 68 74 6D 6C 00 00 01 (the first four: 1013478509), but IDX files start with 00 00; check the source of the file",
        ),
        (
            "xz-inside-gzip",
            gzip(b"\xFD7zXZ\0\0\x04"),
            "this is xz data, not an IDX file; decompress it with `xz -d` first",
        ),
        (
            "one-byte",
            b"a".to_vec(),
            "this is not an IDX file: it starts with \"a\", but IDX files start with 00 00; check the source of the file",
        ),
    ];
    // A 32-bit machine reports that these are too large for it.
    if cfg!(target_pointer_width = "64") {
        table.extend([
        (
            "size-that-is-negative-in-32-bits",
            file(0x08, &[1 << 31, 28, 28], &[0; 784]),
            "the payload is truncated: expected 1683627180032 bytes, found 784 (1683627179248 missing); download or copy the file again (after 1 whole record)",
        ),
        (
            "almost-2-to-64-bytes-promised",
            file(0x08, &[u32::MAX, u32::MAX], &[0; 8]),
            "the payload is truncated: expected 18446744065119617025 bytes, found 8 (18446744065119617017 missing); download or copy the file again (after 0 whole records)",
        ),
    ]);
    }
    table.into_iter().map(|(name, bytes, message)| BadFile { name, bytes, message }).collect()
}
