use std::io;
use std::path::PathBuf;

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
    /// The path is that of a pipe or a device, where only a regular file will do.
    #[error("this is a pipe or a device, not a regular file")]
    NotARegularFile,
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
    /// A record is out of range.
    #[error(
        "record {record} is out of range; the file has {} (numbered from 0)",
        counted(*count, "record")
    )]
    IndexOutOfRange {
        /// The index, counted from 0.
        record: u64,
        /// The number of records.
        count: u64,
    },
    /// A range of records ends before it starts.
    #[error("the range {start}..{end} ends before it starts")]
    InvalidRange {
        /// The first record.
        start: u64,
        /// The record after the last one.
        end: u64,
    },
    /// A record was requested that does not come next, but gzip data and streams can only be read in order.
    #[error(
        "record {record} cannot be read at its position: gzip data and streams can only be read in order, and \
         record {next} comes next"
    )]
    #[non_exhaustive]
    CannotSeek {
        /// The requested record, counted from 0.
        record: u64,
        /// The record that comes next.
        next: u64,
    },
    /// An earlier error has ended the reader or writer.
    #[error("an earlier error has ended this reader or writer")]
    FailedEarlier,
    /// A slice, a shape or a record has the wrong length, or a file of rank 0 was finished without its one element.
    #[error("{of} has {}, but {found} were given", counted(*expected, unit))]
    WrongLength {
        /// What has the length: "a record", "the shape" or "the file".
        of: &'static str,
        /// What is counted: "byte" or "element".
        unit: &'static str,
        /// The length that is needed; of a record, one of its multiples.
        expected: u64,
        /// The length that was given.
        found: u64,
    },
    /// The file is full: a header counts at most 4294967295 records, or one of rank 0.
    #[error("too many records: the file can hold at most {max}")]
    TooManyRecords {
        /// The maximum number of records.
        max: u64,
    },
    /// The shape is too large: more than 255 dimensions, a size of more than 4294967295, or, for an array without
    /// elements, other sizes with a product of 2^63 or more.
    #[error("{}", shape_error(shape).0)]
    #[non_exhaustive]
    ShapeTooLarge {
        /// The sizes of the dimensions.
        shape: Vec<usize>,
    },
    /// The file is gzip data, or [`Writer::append`](crate::Writer::append) did not open it, so that no records can be
    /// appended and [committed](crate::Writer::commit).
    #[error(
        "{}",
        match is_gzip {
            true => "records cannot be appended to gzip data",
            false => "the file appears when it is finished, so its records cannot be committed before",
        }
    )]
    #[non_exhaustive]
    CannotAppend {
        /// Whether the file is gzip data.
        is_gzip: bool,
    },
    /// Another program changed the file after it was opened, moved or removed it, or gave its name to another.
    #[error("another program changed the file, so nothing was written")]
    ChangedMeanwhile,
    /// Two outputs would go to the same file or folder.
    #[error("two outputs cannot go to one file or folder")]
    SameOutput,
    /// The folder cannot be replaced by a new one: it has files, or a disk is mounted there.
    #[error("{}", in_use_sentence(.0))]
    FolderInUse(io::Error),
    /// Files are left that nobody needs, because several outputs could not all appear, or old ones not be removed.
    #[error("{}", left_over_sentence(error, *is_complete, files))]
    #[non_exhaustive]
    LeftOver {
        /// What went wrong.
        error: Box<ErrorKind>,
        /// Whether all outputs appeared, and only the files that they replaced are left, under hidden names.
        /// Otherwise the error could not be undone.
        is_complete: bool,
        /// The new and the old files.
        files: Vec<PathBuf>,
    },
}

/// Extra bytes that make the payload at most this many times as large are reported as missing channels.
pub(crate) const MAX_MULTIPLE: u64 = 4;

/// A multiple of a smaller payload, of less than a picture of 8 x 8, may be chance.
const MIN_MULTIPLIED: u64 = 64;

impl ErrorKind {
    /// A stable word for programs: it stays the same when the message changes.
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
            Self::NotARegularFile => "not_a_regular_file",
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
            Self::IndexOutOfRange { .. } => "index_out_of_range",
            Self::InvalidRange { .. } => "invalid_range",
            Self::CannotSeek { .. } => "cannot_seek",
            Self::FailedEarlier => "failed_earlier",
            Self::WrongLength { .. } => "wrong_length",
            Self::TooManyRecords { .. } => "too_many_records",
            Self::ShapeTooLarge { .. } => "shape_too_large",
            Self::CannotAppend { .. } => "cannot_append",
            Self::ChangedMeanwhile => "changed_meanwhile",
            Self::SameOutput => "same_output",
            Self::FolderInUse(_) => "folder_in_use",
            Self::LeftOver { .. } => "left_over",
        }
    }

    /// What to do next, for a program that uses this crate; one with options of its own may have better advice.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::Io(error) => return io_advice(error),
            Self::NotARegularFile => "put a regular file in its place",
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
            Self::IndexOutOfRange { .. } | Self::LeftOver { .. } => return None,
            Self::InvalidRange { .. } => "swap its ends",
            Self::CannotSeek { .. } => "open the file again, or decompress it",
            Self::FailedEarlier => "open the file again, or write it again",
            Self::WrongLength { of: "a record", .. } => "push whole records",
            Self::WrongLength { .. } => "give exactly as many",
            Self::TooManyRecords { .. } => "start another file",
            Self::ShapeTooLarge { shape } => shape_error(shape).1,
            Self::CannotAppend { is_gzip: true } => {
                "decompress it with `gunzip`, or write another file"
            }
            Self::CannotAppend { .. } => "to commit records, open the file with `append`",
            Self::ChangedMeanwhile => "stop the program that changes it, and try again",
            Self::SameOutput => "choose another name for one of them",
            Self::FolderInUse(_) => "name a new folder in it",
        })
    }

    /// The error for the bytes of one record, of another number than a record has.
    #[doc(hidden)]
    #[must_use]
    pub fn record_size(expected: u64, found: usize) -> Self {
        let found = found as u64;
        Self::WrongLength { of: "a record", unit: "byte", expected, found }
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
            Self::Io(error) | Self::FolderInUse(error) => error.kind(),
            Self::LeftOver { error, .. } => error.io_kind(),
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
            Self::LimitExceeded { .. } | Self::FailedEarlier | Self::ChangedMeanwhile => {
                io::ErrorKind::Other
            }
            _ => io::ErrorKind::InvalidInput,
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

fn in_use_sentence(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
            "the folder is not empty".to_string()
        }
        _ => format!("this folder cannot be replaced: {error}"),
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

fn left_over_sentence(error: &ErrorKind, is_complete: bool, files: &[PathBuf]) -> String {
    // Quoted, because names can hold anything.
    let files: Vec<String> = files.iter().map(|file| format!("{file:?}")).collect();
    let files = files.join(", ");
    match is_complete {
        true => format!("{error}; the new files are complete, remove the old ones: {files}"),
        false => {
            format!("{error}; what was done could not be undone, so these files stay: {files}")
        }
    }
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

/// Why a shape is too large, and what to do.
fn shape_error(shape: &[usize]) -> (String, &'static str) {
    let is_too_large = |(_, size): &(usize, &usize)| u32::try_from(**size).is_err();
    match shape.iter().enumerate().find(is_too_large) {
        _ if shape.len() > usize::from(u8::MAX) => (
            format!("the file would have {} dimensions, but the maximum is 255", shape.len()),
            "merge some of them",
        ),
        Some((dimension, size)) => (
            format!("dimension {dimension} has the size {size}, but the maximum is {}", u32::MAX),
            "write several files",
        ),
        None => (
            format!(
                "the file has no elements, and its sizes are too large for an array: {shape:?}"
            ),
            "use its header alone",
        ),
    }
}
