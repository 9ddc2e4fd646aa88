use std::io;

use super::refused::Refused;
use crate::signature::FileSignature;
use crate::words::counted;

/// What went wrong, with the numbers.
///
/// It displays as a sentence; [`advice`](Self::advice) says what to do next, and [`code`](Self::code) is a
/// word for programs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system reported an error.
    #[error("{}", io_sentence(.0))]
    Io(io::Error),
    /// The content is not a valid file, or not the expected one; for gzip, the decompressed content.
    #[error("{0:#}")]
    Format(idx_core::ErrorKind),
    /// The file has another format: its first four bytes are not those of an IDX file.
    #[error("{}", not_idx_sentence(*signature, start, *error))]
    #[non_exhaustive]
    NotIdx {
        /// The format, if it is known.
        signature: Option<FileSignature>,
        /// The first 16 bytes, or as many as there are.
        start: Vec<u8>,
        /// The error of the parser.
        error: idx_core::ErrorKind,
    },
    /// The file was not finished: its writer was stopped, or is still running.
    #[error("the file was not finished{}", unfinished_part(*records))]
    #[non_exhaustive]
    Unfinished {
        /// The number of whole records behind the header; `None` if they have no bytes, and for a stream
        /// with more than 1 MiB of them.
        records: Option<u64>,
    },
    /// Bytes follow the payload.
    #[error("{}", trailing_sentence(*offset, *count, *at_least, *times, error.as_deref()))]
    #[non_exhaustive]
    TrailingBytes {
        /// Where the payload ends, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes after that.
        count: u64,
        /// Whether there may be more of them, because their end was not reached.
        at_least: bool,
        /// The number of whole records that these bytes can be, if there are any: the header may not count them.
        records: Option<u64>,
        /// How many times the payload is as large as the header says, if that is 2, 3 or 4, as for images whose
        /// header lacks the channels.
        times: Option<u64>,
        /// The error that follows these bytes.
        error: Option<Box<ErrorKind>>,
    },
    /// The decompressed content is gzip data again.
    #[error("this is gzip within gzip")]
    GzipInGzip,
    /// The gzip data ends too early.
    #[error(
        "the gzip data is truncated after {}{}",
        counted(*decompressed, "decompressed byte"),
        missing_part(*missing)
    )]
    #[non_exhaustive]
    GzipTruncated {
        /// The decompressed bytes before the end.
        decompressed: u64,
        /// The number of missing bytes by the header, once it was read; 0 if only the checksum is
        /// missing.
        missing: Option<u64>,
    },
    /// The gzip data does not decompress, or its checksum is wrong.
    #[error(
        "the gzip data is corrupt after {}: {error}",
        counted(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipDamaged {
        /// The decompressed bytes before the damage was found.
        decompressed: u64,
        /// The error of the decompressor.
        error: io::Error,
    },
    /// Bytes that are neither a gzip member nor zeros follow the last gzip member.
    #[error(
        "extra bytes follow the gzip data ({}), the first is {found:02X}",
        counted(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipTrailing {
        /// The first of these bytes.
        found: u8,
        /// The decompressed bytes before them.
        decompressed: u64,
    },
    /// The file is larger than [`ReadOptions::limit`](crate::ReadOptions::limit) allows, or its records than
    /// [`Reader::record_limit`](crate::Reader::record_limit).
    #[error("{of} has {}, more than the limit of {limit}", counted(*needed, "byte"))]
    LimitExceeded {
        /// What is too large: "the file" or "a record".
        of: &'static str,
        /// The maximum number of bytes.
        limit: u64,
        /// The number of bytes: those of the header and the payload, or of a record.
        needed: u64,
    },
    /// What was asked for cannot be done; [`code`](Self::code) tells why.
    #[error("{0}")]
    Refused(Refused),
}

/// Extra bytes that make the payload at most this many times as large are reported as missing channels.
pub(crate) const MAX_MULTIPLE: u64 = 4;

/// A multiple of a smaller payload, of less than a picture of 8 x 8, may be chance.
const MIN_MULTIPLIED: u64 = 64;

impl ErrorKind {
    /// A stable word for programs: it stays the same when the message changes.
    ///
    /// Those of [`Refused`](Self::Refused) are:
    ///
    /// | code | what is wrong |
    /// | --- | --- |
    /// | `index_out_of_range`, `invalid_range` | Records are beyond the last one, or a range ends before it starts. |
    /// | `wrong_length` | A slice, a shape or a record has another length than the file needs. |
    /// | `shape_too_large`, `too_many_records` | IDX counts dimensions with 8 bits, and sizes with 32. |
    /// | `cannot_seek`, `cannot_append` | Gzip data and streams are read and written in order. |
    /// | `failed_earlier` | An earlier error has ended the reader or writer. |
    /// | `changed_meanwhile` | Another program changed, moved or removed the file. |
    /// | `not_a_regular_file` | The path is that of a pipe or a device. |
    /// | `same_output`, `folder_in_use`, `left_over` | Outputs cannot appear, or old files not be removed. |
    ///
    /// ```
    /// use idx_std::IdxBuf;
    ///
    /// let error = IdxBuf::from_bytes(b"\0\0\x08\x01\0\0\0\x03\x07".to_vec()).unwrap_err();
    /// assert_eq!(error.kind().code(), "truncated");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io(error) => match error.kind() {
                io::ErrorKind::IsADirectory => "is_a_directory",
                io::ErrorKind::NotFound => "not_found",
                io::ErrorKind::PermissionDenied => "permission_denied",
                io::ErrorKind::StorageFull => "storage_full",
                _ => "io",
            },
            Self::NotIdx { signature: Some(_), .. } => "other_format",
            Self::NotIdx { error, .. } | Self::Format(error) => format_code(error),
            Self::Unfinished { .. } => "unfinished",
            Self::TrailingBytes { .. } => "trailing_bytes",
            Self::GzipInGzip => "gzip_in_gzip",
            Self::GzipTruncated { .. } => "gzip_truncated",
            Self::GzipDamaged { .. } => "gzip_damaged",
            Self::GzipTrailing { .. } => "gzip_trailing",
            Self::LimitExceeded { of: "a record", .. } => "record_limit_exceeded",
            Self::LimitExceeded { .. } => "limit_exceeded",
            Self::Refused(refused) => refused.code,
        }
    }

    /// What to do next, for a program that uses this crate; one with options of its own may have better advice.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::Io(error) => return io_advice(error),
            Self::NotIdx { signature: Some(signature), .. } => signature.advice(),
            Self::NotIdx { error, .. } | Self::Format(error) => return error.advice(),
            Self::Unfinished { .. } => {
                "keep them with `idx repair` or `idx_std::repair`, or write the file again"
            }
            Self::TrailingBytes { error: Some(error), .. } => return error.advice(),
            Self::TrailingBytes { times: Some(_), .. } => {
                "channels or records may be missing in the header, correct it"
            }
            Self::TrailingBytes { records: Some(_), .. } => {
                "if they are records, keep them with `idx repair --keep-all` or `idx_std::repair`, else remove \
                 them, or parse a prefix if they belong there"
            }
            Self::TrailingBytes { .. } => "remove them, or parse a prefix if they belong there",
            Self::GzipInGzip => "decompress it once with `gunzip`",
            Self::GzipTruncated { .. } | Self::GzipDamaged { .. } => {
                "download or copy the file again"
            }
            Self::GzipTrailing { .. } => "remove them",
            Self::LimitExceeded { of: "a record", .. } => "raise the limit, or reject the file",
            Self::LimitExceeded { .. } => "raise the limit, or stream the file",
            Self::Refused(refused) => return refused.advice,
        })
    }

    /// The error for `count` bytes after a payload and records of these sizes.
    pub(crate) fn trailing_bytes(
        offset: u64,
        count: u64,
        payload_size: u64,
        record_size: Option<u64>,
    ) -> Self {
        let is_multiple = payload_size >= MIN_MULTIPLIED && count.is_multiple_of(payload_size);
        let times = count.checked_div(payload_size).map_or(0, |more| more + 1);
        let records = record_size.and_then(|size| count.checked_div(size));
        Self::TrailingBytes {
            offset,
            count,
            at_least: false,
            records: records.filter(|records| *records > 0),
            times: Some(times).filter(|times| is_multiple && (2..=MAX_MULTIPLE).contains(times)),
            error: None,
        }
    }

    /// The corresponding kind of the standard library.
    pub(crate) fn io_kind(&self) -> io::ErrorKind {
        use idx_core::ErrorKind as Format;

        match self {
            Self::Io(error) => error.kind(),
            Self::Refused(refused) => refused.io_kind,
            Self::Format(
                Format::Empty | Format::HeaderTruncated { .. } | Format::Truncated { .. },
            )
            | Self::GzipTruncated { .. } => io::ErrorKind::UnexpectedEof,
            Self::Format(_)
            | Self::NotIdx { .. }
            | Self::Unfinished { .. }
            | Self::TrailingBytes { .. }
            | Self::GzipInGzip
            | Self::GzipDamaged { .. }
            | Self::GzipTrailing { .. } => io::ErrorKind::InvalidData,
            Self::LimitExceeded { .. } => io::ErrorKind::Other,
        }
    }
}

impl From<idx_core::Error> for ErrorKind {
    fn from(error: idx_core::Error) -> Self {
        error.kind().into()
    }
}

impl From<idx_core::ErrorKind> for ErrorKind {
    fn from(error: idx_core::ErrorKind) -> Self {
        match error {
            // The size of the payload is not known here.
            idx_core::ErrorKind::TrailingBytes { offset, count } => {
                Self::trailing_bytes(offset, count, 0, None)
            }
            _ => Self::Format(error),
        }
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The word for an error of idx-core.
fn format_code(error: &idx_core::ErrorKind) -> &'static str {
    use idx_core::ErrorKind as Format;

    match error {
        Format::Empty => "empty",
        Format::Gzip => "gzip",
        Format::NotIdx { .. } => "bad_magic",
        Format::UnknownElementType { .. } => "unknown_element_type",
        Format::HeaderTruncated { .. } => "header_truncated",
        Format::TooLarge { .. } => "too_large",
        Format::Unaddressable { .. } => "unaddressable",
        Format::Truncated { .. } => "truncated",
        Format::TrailingBytes { .. } => "trailing_bytes",
        Format::ElementMismatch { .. } => "element_mismatch",
        Format::RankMismatch { .. } => "rank_mismatch",
        Format::ShapeMismatch { .. } => "shape_mismatch",
        Format::ValueNotAllowed { .. } => "value_not_allowed",
        _ => "format",
    }
}

fn io_sentence(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_string(),
        io::ErrorKind::IsADirectory => "this is a folder".to_string(),
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a folder".to_string(),
        io::ErrorKind::AlreadyExists => "the file already exists".to_string(),
        _ => error.to_string(),
    }
}

fn io_advice(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "check the path",
        io::ErrorKind::IsADirectory => "specify a file in it",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
        io::ErrorKind::ReadOnlyFilesystem => "choose a place on another disk",
        io::ErrorKind::AlreadyExists => "choose another name",
        io::ErrorKind::StorageFull => "free some space and try again",
        _ => return None,
    })
}

/// Names the format, or shows the first bytes, the first four also as the number that people search for.
fn not_idx_sentence(
    signature: Option<FileSignature>,
    start: &[u8],
    error: idx_core::ErrorKind,
) -> String {
    if let Some(signature) = signature {
        return format!("this is {signature}, not an IDX file");
    }
    let bytes: Vec<String> = start.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut bytes = bytes.join(" ");
    if let Some(magic) = start.first_chunk() {
        let decimal = u32::from_be_bytes(*magic);
        bytes += &format!(" (the first four are {decimal} in decimal)");
    }
    match error {
        idx_core::ErrorKind::NotIdx { .. } => {
            format!("{}: it starts with {bytes}, but IDX files start with 00 00", error.message())
        }
        _ => format!("{error:#}; the file starts with {bytes}"),
    }
}

fn unfinished_part(records: Option<u64>) -> String {
    match records {
        Some(1) => ", 1 whole record follows the header".to_string(),
        Some(records) => format!(", {records} whole records follow the header"),
        None => ", an unknown number of records follows the header".to_string(),
    }
}

fn trailing_sentence(
    offset: u64,
    count: u64,
    at_least: bool,
    times: Option<u64>,
    error: Option<&ErrorKind>,
) -> String {
    match (error, times) {
        (Some(error), _) => {
            format!("extra bytes after the payload: {count} from offset {offset}, and then {error}")
        }
        (None, Some(times)) => format!(
            "the file has {times} times the payload of the header: {count} extra bytes from offset {offset}"
        ),
        (None, None) if at_least => {
            format!("extra bytes after the payload: at least {count} from offset {offset}")
        }
        (None, None) => format!(
            "extra bytes after the payload: {} from offset {offset}",
            counted(count, "byte")
        ),
    }
}

fn missing_part(missing: Option<u64>) -> String {
    match missing {
        Some(missing @ 1..) => format!(", {missing} missing"),
        _ => String::new(),
    }
}
