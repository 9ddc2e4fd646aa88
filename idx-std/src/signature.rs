use std::fmt;

use idx_core::ElementType;

/// The format of a file that is not IDX, detected by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileSignature {
    /// A web page, often of a mirror that no longer exists, saved under the name of the file.
    Html,
    /// An error message of a server: a line of text, JSON, or the XML of S3 and similar services.
    ServerMessage,
    /// The pointer of git-LFS to a file that was not downloaded.
    GitLfsPointer,
    /// The place of a file of git-annex whose content was not fetched.
    GitAnnexLink,
    /// A zip archive.
    Zip,
    /// Data compressed by xz.
    Xz,
    /// Data compressed by bzip2.
    Bzip2,
    /// Data compressed by Zstandard.
    Zstandard,
    /// An array file of NumPy.
    Npy,
    /// A file of Parquet.
    Parquet,
    /// A picture: PNG, JPEG, GIF, BMP, TIFF or WebP.
    Picture,
    /// A matrix of Lush, in which the NORB data set is distributed.
    LushMatrix,
    /// IDX with a little-endian header.
    LittleEndianIdx,
    /// The `.idx` of subtitles in the `VobSub` format.
    VobSubIndex,
    /// The `.idx` of a pack of git objects.
    GitPackIndex,
    /// The `.idx` of tokenized texts, as fairseq and Megatron-LM write it.
    TokenIndex,
}

/// The formats with a fixed signature.
const SIGNATURES: &[(&[u8], FileSignature)] = &[
    (b"version https://git-lfs", FileSignature::GitLfsPointer),
    (b"PK\x03\x04", FileSignature::Zip),
    (b"PK\x05\x06", FileSignature::Zip), // without files
    (b"\xFD7zXZ\0", FileSignature::Xz),
    (b"BZh", FileSignature::Bzip2),
    (b"\x28\xB5\x2F\xFD", FileSignature::Zstandard),
    (b"\x93NUMPY", FileSignature::Npy),
    (b"PAR1", FileSignature::Parquet),
    (b"\x89PNG\r\n\x1A\n", FileSignature::Picture),
    (b"\xFF\xD8\xFF", FileSignature::Picture), // JPEG
    (b"GIF8", FileSignature::Picture),
    (b"II*\0", FileSignature::Picture), // TIFF, in both byte orders
    (b"MM\0*", FileSignature::Picture),
    (b".MAT ", FileSignature::LushMatrix),
    (b"# VobSub index file", FileSignature::VobSubIndex),
    (b"\xFFtOc", FileSignature::GitPackIndex),
    (b"TNTIDX\0\0", FileSignature::TokenIndex),
    (b"MMIDIDX\0\0", FileSignature::TokenIndex),
];

/// How a server's one-line error message starts, in lower case.
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

/// The keys of the reason in servers' JSON, in lower case.
const REASONS: &[&str] = &["\"error", "\"message\"", "\"detail\"", "\"status"];

impl FileSignature {
    /// The number of first bytes that `detect` looks at.
    pub(crate) const START: usize = 256;

    /// Detects a known format other than IDX from the first bytes of a file; 256 of them are enough.
    #[must_use]
    pub fn detect(start: &[u8]) -> Option<Self> {
        let start = start.get(..Self::START).unwrap_or(start);
        let known = SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature));
        if let Some((_, signature)) = known {
            return Some(*signature);
        }
        match *start {
            [0x51..=0x5B, 0x4C, 0x3D, 0x1E, ..] | [0x1E, 0x3D, 0x4C, 0x51..=0x5B, ..] => {
                Some(Self::LushMatrix)
            }
            // BMP.
            [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some(Self::Picture),
            [b'R', b'I', b'F', b'F', _, _, _, _, ref kind @ ..] if kind.starts_with(b"WEBP") => {
                Some(Self::Picture)
            }
            [1..=u8::MAX, code, 0, 0, ..] if ElementType::from_code(code).is_some() => {
                Some(Self::LittleEndianIdx)
            }
            _ => Self::detect_text(start),
        }
    }

    /// Detects a known kind of text.
    fn detect_text(start: &[u8]) -> Option<Self> {
        let is_text = |byte: &u8| *byte >= b' ' || byte.is_ascii_whitespace();
        if !start.iter().all(is_text) {
            return None;
        }
        let text = String::from_utf8_lossy(start).to_ascii_lowercase();
        // Some editors start text with a byte order mark.
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        match text.as_bytes() {
            _ if text.contains("/annex/objects/") => Some(Self::GitAnnexLink),
            [b'<', b'!' | b'?' | b'a'..=b'z', ..] => Some(match text.contains("<error>") {
                true => Self::ServerMessage,
                false => Self::Html,
            }),
            [b'{', ..] => {
                let is_reason = REASONS.iter().any(|reason| text.contains(reason));
                is_reason.then_some(Self::ServerMessage)
            }
            // An HTTP status, such as 404, and its name.
            [b'4' | b'5', b'0'..=b'9', b'0'..=b'9', b' ' | b':', ..] => {
                let name = text.get(4..).unwrap_or_default().trim_start();
                let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
                is_name.then_some(Self::ServerMessage)
            }
            _ => {
                let refuses = REFUSALS.iter().any(|refusal| text.starts_with(refusal));
                refuses.then_some(Self::ServerMessage)
            }
        }
    }

    /// Advice for the user of such a file.
    pub(crate) const fn hint(self) -> &'static str {
        match self {
            Self::Html => "open it in a browser to see why, and download the file elsewhere",
            Self::ServerMessage => "read the message, and download the file elsewhere",
            Self::GitLfsPointer => "download the file itself with `git lfs pull`",
            Self::GitAnnexLink => "fetch the file itself with `git annex get`",
            Self::Zip => "unpack it with `unzip` first",
            Self::Xz => "decompress it with `xz -d` first",
            Self::Bzip2 => "decompress it with `bunzip2` first",
            Self::Zstandard => "decompress it with `unzstd` first",
            Self::Npy | Self::Parquet => "convert it with `idx convert`",
            Self::Picture => "convert the folder that it is in with `idx convert`",
            Self::LushMatrix => "convert it to IDX with the program that reads it",
            Self::LittleEndianIdx => "fix the program that wrote it: IDX is big-endian",
            Self::VobSubIndex | Self::GitPackIndex | Self::TokenIndex => {
                "the names of several formats end in .idx; check which file you meant"
            }
        }
    }
}

impl fmt::Display for FileSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Html => "a web page",
            Self::ServerMessage => "a server message",
            Self::GitLfsPointer => "a git-LFS pointer",
            Self::GitAnnexLink => "a link of git-annex",
            Self::Zip => "a zip archive",
            Self::Xz => "xz data",
            Self::Bzip2 => "bzip2 data",
            Self::Zstandard => "Zstandard data",
            Self::Npy => "a NumPy array",
            Self::Parquet => "a Parquet file",
            Self::Picture => "a picture",
            Self::LushMatrix => "a Lush matrix",
            Self::LittleEndianIdx => "a file with a little-endian header",
            Self::VobSubIndex => "the index of VobSub subtitles",
            Self::GitPackIndex => "the index of a git pack",
            Self::TokenIndex => "the index of a fairseq or Megatron-LM text",
        })
    }
}
