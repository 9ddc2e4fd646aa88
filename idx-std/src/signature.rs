//! Recognizes other formats by their first bytes, so that messages name them.

// Only from `core`, because idx-viewer compiles this file too.
use core::fmt;

use idx_core::ElementType;

/// The format of a file that is not IDX, detected by its first bytes.
///
/// It displays as "a web page", "a zip archive", and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileSignature {
    name: &'static str,
    advice: &'static str,
}

const fn format(name: &'static str, advice: &'static str) -> FileSignature {
    FileSignature { name, advice }
}

/// A web page saved under the name of the file, often from a mirror that no longer exists.
const HTML: FileSignature =
    format("a web page", "open it in a browser to see why, and download the file elsewhere");
/// An error message from a server: a line of text, JSON, or the XML of S3 and similar services.
const SERVER_MESSAGE: FileSignature =
    format("a server message", "read the message, and download the file elsewhere");
const GIT_ANNEX_LINK: FileSignature =
    format("a git-annex link", "fetch the file itself with `git annex get`");
const ZIP: FileSignature = format("a zip archive", "unpack it with `unzip` first");
const PICTURE: FileSignature =
    format("a picture", "look at it with `idx show`, or convert it with `idx convert`");
/// The NORB data set is distributed in this format.
const LUSH_MATRIX: FileSignature =
    format("a Lush matrix", "convert it to IDX with the program that reads it");
const MATLAB: FileSignature = format(
    "a MATLAB file",
    "load it with `scipy.io.loadmat`, and save its arrays with `numpy.save`",
);
const OCTAVE: FileSignature =
    format("an Octave file", "write its matrix as csv with `dlmwrite` of Octave");
/// Protocol buffers of TensorFlow.
const TF_RECORD: FileSignature = format(
    "a TFRecord file",
    "read it with `tf.data.TFRecordDataset`, and save its arrays with `numpy.save`",
);
/// Lists only the numbers other than 0, each after its column.
const LIBSVM: FileSignature = format(
    "text in libsvm format",
    "load it with `load_svmlight_file` of scikit-learn, and save its array with `numpy.save`",
);
const PICKLE: FileSignature =
    format("a Python pickle", "load it with `pickle.load`, and save its arrays with `numpy.save`");
/// A zip archive with a pickle in it, or, until version 1.5, pickles.
const TORCH: FileSignature =
    format("a PyTorch file", "load it with `torch.load`, and save its arrays with `numpy.save`");
/// A zip archive with a list of its types.
const OFFICE: FileSignature =
    format("an Office document", "save its sheet as csv, or export its pictures as PNG");
/// The binary formats of Netpbm.
const NETPBM: FileSignature =
    format("a PBM, PGM or PPM picture", "export it as PNG or JPEG, and convert that");
const SOUND: FileSignature = format(
    "a WAV sound",
    "read it with `scipy.io.wavfile.read`, and save its array with `numpy.save`",
);
/// Caffe keeps MNIST in it.
const LMDB: FileSignature = format(
    "an LMDB database",
    "read its records with the Python package `lmdb`, and save their arrays with `numpy.save`",
);
const R: FileSignature = format("an R file", "write its table as csv with `write.csv` of R");
const TAR: FileSignature =
    format("a tar archive", "unpack it with `tar -xf`, and convert the folder or the file in it");
const JSON: FileSignature =
    format("JSON", "save its numbers as csv, a line for each record, with pandas or `jq`");
const PHOTO: FileSignature =
    format("a HEIC or AVIF picture", "export it as PNG or JPEG, and convert that");
const DRAWING: FileSignature = format("an SVG drawing", "export it as PNG, and convert that");
const VIDEO: FileSignature = format("a video", "check the source of the file");
/// A symbolic link as git writes it on a system without links.
const LINK: FileSignature = format(
    "the text of a symbolic link",
    "copy the file that it names, or set `git config core.symlinks true` and check it out again",
);
const UTF_16: FileSignature =
    format("a file that was saved as UTF-16", "copy or download it again as it is");
/// As Windows PowerShell and Excel write it.
const UTF_16_TEXT: FileSignature = format("text in UTF-16", "save it as UTF-8");
const ARFF: FileSignature = format("an ARFF file", "save its lines below `@data` as csv");
const LITTLE_ENDIAN: FileSignature = format(
    "a file with a little-endian header",
    "fix the program that wrote it: IDX is big-endian",
);

const H5PY: &str = "read it with `h5py`, and save its arrays with `numpy.save`";
const CONVERT: &str = "convert it with `idx convert`";
const OTHER_INDEX: &str = "the names of several formats end in .idx; check which file you meant";

/// The formats with a fixed signature.
const SIGNATURES: &[(&[u8], FileSignature)] = &[
    (
        b"version https://git-lfs",
        format("a git-LFS pointer", "download the file itself with `git lfs pull`"),
    ),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP), // empty
    (b"\xFD7zXZ\0", format("xz data", "decompress it with `xz -d` first")),
    (b"BZh", format("bzip2 data", "decompress it with `bunzip2` first")),
    (b"\x28\xB5\x2F\xFD", format("Zstandard data", "decompress it with `unzstd` first")),
    (b"7z\xBC\xAF\x27\x1C", format("a 7-Zip archive", "unpack it with `7z x` first")),
    (b"Rar!\x1A\x07", format("a RAR archive", "unpack it with `unrar x` first")),
    (
        b"\0\x05\x16\x07",
        format("a macOS metadata file", "use the file whose name does not start with `._`"),
    ),
    (b"\xFE\xFF\0\0", UTF_16),
    (b"\xFF\xFE\0\0", UTF_16),
    (b"\xFE\xFF", UTF_16_TEXT),
    (b"\xFF\xFE", UTF_16_TEXT),
    (
        &idx_core::__private::log::START,
        format("a log from flash", "make a file of its whole records with `idx repair -o`"),
    ),
    (&[0xFF; 16], format("erased flash", "look for a log in it with `idx repair --dry-run`")),
    (b"\x80\x02\x8A\nl\xFC\x9CF\xF9 j\xA8P\x19.", TORCH),
    (b"\x80\x02", PICKLE),
    (b"\x80\x03", PICKLE),
    (b"\x80\x04", PICKLE),
    (b"\x80\x05", PICKLE),
    (b"\x89HDF\r\n\x1A\n", format("an HDF5 file", H5PY)),
    // The oldest pickles are text.
    (b"(lp", PICKLE),
    (b"(dp", PICKLE),
    (b"cnumpy.core", PICKLE),
    (b"MATLAB 5.0", MATLAB),
    (b"MATLAB 7.3", format("a MATLAB file of version 7.3", H5PY)),
    (b"RDX2\n", R),
    (b"RDX3\n", R),
    (b"X\n\0\0\0", R), // of `saveRDS`
    (b"# Created by Octave", OCTAVE),
    (b"Octave-1-", OCTAVE),
    (b"ARROW1\0\0", format("an Arrow file", "save its table as Parquet")),
    (b"\x93NUMPY", format("a NumPy array", CONVERT)),
    (b"PAR1", format("a Parquet file", CONVERT)),
    (b"\x89PNG\r\n\x1A\n", PICTURE),
    (b"\xFF\xD8\xFF", PICTURE), // JPEG
    (b"GIF8", PICTURE),
    (b"%PDF-", format("a PDF document", "export its page as PNG, and convert that")),
    (b"II*\0", PICTURE), // TIFF, in both byte orders
    (b"MM\0*", PICTURE),
    (b".MAT ", LUSH_MATRIX),
    (b"# VobSub index file", format("the index of VobSub subtitles", OTHER_INDEX)),
    (b"\xFFtOc", format("the index of a git pack", OTHER_INDEX)),
    (b"TNTIDX\0\0", TOKEN_INDEX),
    (b"MMIDIDX\0\0", TOKEN_INDEX),
];
const TOKEN_INDEX: FileSignature =
    format("the index of a fairseq or Megatron-LM text", OTHER_INDEX);

/// The brands of still pictures in the container of a video.
const PHOTOS: [&[u8]; 7] = [b"heic", b"heix", b"heim", b"mif1", b"msf1", b"avif", b"avis"];

/// The starts of servers' one-line error messages, in lower case.
const REFUSALS: &[&str] = &[
    "http/",
    "error code:",
    "access denied",
    "bad gateway",
    "bad request",
    "entry not found",
    "file not found",
    "forbidden",
    "gateway timeout",
    "internal server error",
    "not found",
    "rate limit exceeded",
    "service unavailable",
    "too many requests",
    "unauthorized",
];

/// The keys under which servers' JSON gives the reason, in lower case.
const REASONS: &[&str] = &["\"error", "\"message\"", "\"detail\"", "\"status"];

impl FileSignature {
    /// The number of bytes at the start of a file that `detect` looks at.
    pub const START: usize = 512;

    /// Detects a known format other than IDX from the first bytes of a file; 512 of them are enough.
    #[must_use]
    pub fn detect(start: &[u8]) -> Option<Self> {
        let start = start.get(..Self::START).unwrap_or(start);
        let known = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature));
        match known {
            Some((_, signature)) if *signature == ZIP => {
                return Some(match first_name(start) {
                    Some(name) if name.ends_with(b"/data.pkl") => TORCH,
                    Some(b"[Content_Types].xml" | b"docProps/app.xml") => OFFICE,
                    _ => ZIP,
                });
            }
            Some((_, signature)) => return Some(*signature),
            None if start.get(257..).is_some_and(|magic| magic.starts_with(b"ustar")) => {
                return Some(TAR);
            }
            None => {}
        }
        match *start {
            [0x51..=0x5B, 0x4C, 0x3D, 0x1E, ..] | [0x1E, 0x3D, 0x4C, 0x51..=0x5B, ..] => {
                Some(LUSH_MATRIX)
            }
            [_, _, _, _, b'f', b't', b'y', b'p', ref brand @ ..]
                if PHOTOS.iter().any(|photo| brand.starts_with(photo)) =>
            {
                Some(PHOTO)
            }
            [_, _, _, _, b'm', b'o', b'o', b'v', ..]
            | [_, _, _, _, b'm', b'd', b'a', b't', ..]
            | [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some(VIDEO),
            _ if is_matlab_4(start) => Some(MATLAB),
            _ if is_tf_record(start) => Some(TF_RECORD),
            _ if start.get(36..40) == Some(b"acsp") => {
                Some(format("a color profile", "check the source of the file"))
            }
            // BMP.
            [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some(PICTURE),
            [b'R', b'I', b'F', b'F', _, _, _, _, ref kind @ ..] if kind.starts_with(b"WEBP") => {
                Some(PICTURE)
            }
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some(SOUND),
            // Not text: a table may have a column `P5`.
            [b'P', b'4'..=b'6', b'\n' | b' ', b'#' | b'0'..=b'9', ..] if !is_text(start) => {
                Some(NETPBM)
            }
            [0, 0, 0, 0, 0, 0, 0, 0, ..] if start.get(16..20) == Some(b"\xDE\xC0\xEF\xBE") => {
                Some(LMDB)
            }
            [1..=u8::MAX, code, 0, 0, ..] if ElementType::from_code(code).is_some() => {
                Some(LITTLE_ENDIAN)
            }
            _ => Self::detect_text(start),
        }
    }

    /// Detects a known kind of text.
    fn detect_text(start: &[u8]) -> Option<Self> {
        if !is_text(start) {
            return None;
        }
        let mut text = [0; Self::START];
        let text = text.get_mut(..start.len())?;
        text.copy_from_slice(start);
        text.make_ascii_lowercase();
        // Some editors start text with a byte order mark.
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
        match text {
            _ if contains(text, "/annex/objects/") => Some(GIT_ANNEX_LINK),
            [b'%' | b'@', ..] => contains(text, "@relation").then_some(ARFF),
            // A path may be longer, but here its end has to be visible.
            [b'/', ..] | [b'.', b'/', ..] | [b'.', b'.', b'/', ..] => {
                let is_path = !text.iter().any(u8::is_ascii_whitespace);
                (is_path && start.len() < Self::START).then_some(LINK)
            }
            [b'<', ..] if contains(text, "<svg") && !contains(text, "<html") => Some(DRAWING),
            [b'<', b'!' | b'?' | b'a'..=b'z', ..] => Some(match contains(text, "<error>") {
                true => SERVER_MESSAGE,
                false => HTML,
            }),
            [b'{', ..] if REASONS.iter().any(|reason| contains(text, reason)) => {
                Some(SERVER_MESSAGE)
            }
            [bracket @ (b'{' | b'['), rest @ ..] => {
                starts_value(*bracket, rest.trim_ascii_start()).then_some(JSON)
            }
            // An HTTP status, such as 404, and its name.
            [b'4' | b'5', b'0'..=b'9', b'0'..=b'9', b' ' | b':', name @ ..] => {
                let first = name.trim_ascii_start().first();
                first.is_some_and(u8::is_ascii_alphabetic).then_some(SERVER_MESSAGE)
            }
            _ if is_libsvm(text) => Some(LIBSVM),
            _ => {
                let refuses = REFUSALS.iter().any(|refusal| text.starts_with(refusal.as_bytes()));
                refuses.then_some(SERVER_MESSAGE)
            }
        }
    }

    /// Returns what to do with such a file.
    pub(crate) const fn advice(self) -> &'static str {
        self.advice
    }
}

/// Returns whether there are no control characters except white space.
fn is_text(start: &[u8]) -> bool {
    start.iter().all(|byte| *byte >= b' ' || byte.is_ascii_whitespace())
}

/// Returns the name of the first file of a zip archive.
fn first_name(archive: &[u8]) -> Option<&[u8]> {
    let &[low, high] = archive.get(26..28)? else {
        return None;
    };
    archive.get(30..)?.get(..usize::from(u16::from_le_bytes([low, high])))
}

/// Returns whether this is the header of a matrix of MATLAB 4: five numbers, and then a name. The last number is the
/// length of the name, including its NUL.
fn is_matlab_4(start: &[u8]) -> bool {
    let Some((&[kind, 0, 0, 0, _, _, _, _, _, _, _, _, 0 | 1, 0, 0, 0, size, 0, 0, 0], rest)) =
        start.split_first_chunk()
    else {
        return false;
    };
    let is_name = |name: &[u8]| {
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(is_letter)
    };
    // The tens digit is the type of the numbers, the ones digit the type of the matrix.
    let name = rest.get(..usize::from(size)).and_then(|name| name.strip_suffix(&[0]));
    kind < 60 && kind % 10 < 3 && name.is_some_and(is_name)
}

/// Returns whether the size of the first record is followed by the CRC-32C of these bytes.
fn is_tf_record(start: &[u8]) -> bool {
    let Some((size, rest)) = start.split_first_chunk::<8>() else {
        return false;
    };
    let checksum = !size.iter().fold(u32::MAX, |checksum, byte| {
        (0..8).fold(checksum ^ u32::from(*byte), |checksum, _| {
            (checksum >> 1) ^ (checksum & 1).wrapping_neg() & 0x82F6_3B78
        })
    });
    let masked = checksum.rotate_right(15).wrapping_add(0xA282_EAD8);
    rest.starts_with(&masked.to_le_bytes())
}

/// Returns whether the first line is a label followed by pairs of a column and a number, such as `5 153:3 154:18`.
fn is_libsvm(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else {
        return false;
    };
    // Looks only at the characters: the tables of a float parser would be a quarter of idx-viewer.
    let is_number = |text: &str| {
        text.contains(|letter: char| letter.is_ascii_digit())
            && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e'))
    };
    let mut words = text.lines().next().unwrap_or_default().split_ascii_whitespace();
    let starts_with_label = words.next().is_some_and(is_number);
    let is_pair = |word: &str| {
        let (column, number) = word.split_once(':')?;
        Some(column.parse::<u32>().is_ok() && is_number(number))
    };
    // The last pair may be cut off.
    let last = words.clone().count().saturating_sub(usize::from(!text.contains('\n')));
    let mut pairs = words.take(last).map(|word| is_pair(word).unwrap_or_default()).peekable();
    starts_with_label && pairs.peek().is_some() && pairs.all(|is_pair| is_pair)
}

/// Returns whether these bytes can follow this bracket in JSON: a column name may start with a bracket too.
fn starts_value(bracket: u8, rest: &[u8]) -> bool {
    match rest.first() {
        None | Some(b'"') => true,
        Some(first) if bracket == b'[' => matches!(first, b'0'..=b'9' | b'-' | b'[' | b'{' | b']'),
        Some(first) => *first == b'}',
    }
}

fn contains(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|part| part == word.as_bytes())
}

impl fmt::Display for FileSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
