use std::io;

use super::npy::NpyError;
use crate::signature::FileSignature;
use crate::words::counted;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system reported an error.
    #[error("{}", io_sentence(.0))]
    Io(io::Error),
    /// The path is that of a folder.
    #[error("this is a folder; specify a file in it")]
    IsADirectory,
    /// The path is that of a pipe or a device, where only a regular file will do.
    #[error("this is a pipe or a device, not a regular file; put a regular file in its place")]
    NotARegularFile,
    /// The content is not a valid file, or not the expected one; of gzip, the decompressed content.
    #[error(transparent)]
    Format(idx_core::ErrorKind),
    /// The file has a known format other than IDX.
    #[error("this is {signature}, not an IDX file; {}", signature.hint())]
    #[non_exhaustive]
    OtherFormat {
        /// The format.
        signature: FileSignature,
        /// The error of the parser.
        error: idx_core::ErrorKind,
    },
    /// The first four bytes are not those of an IDX file, nor of another known format.
    #[error("{}", magic_sentence(start, *error))]
    #[non_exhaustive]
    BadMagic {
        /// The first 16 bytes, or as many as there are.
        start: Vec<u8>,
        /// The error of the parser.
        error: idx_core::ErrorKind,
    },
    /// The file was not finished: its writer was stopped, or is still running.
    #[error(
        "the file was not finished{}; keep them with `idx repair` or `idx_std::repair`, or write the file again",
        unfinished_part(*records)
    )]
    #[non_exhaustive]
    Unfinished {
        /// The number of whole records behind the header; `None` if they have no bytes, and for a stream
        /// with more than 1 MiB of them.
        records: Option<u64>,
    },
    /// The number of records in the header is wrong, so no records can be appended.
    #[error(
        "the header counts {expected} records, but {found} whole ones and {extra} more bytes follow it; \
         correct it with `idx repair` or `idx_std::repair`"
    )]
    #[non_exhaustive]
    CountMismatch {
        /// The number of records according to the header.
        expected: u32,
        /// The number of whole records.
        found: u64,
        /// The number of bytes behind them.
        extra: u64,
    },
    /// A file in the folder has the name of a new file, but may not be replaced.
    #[error(
        "the folder has a file of this name that this program did not write; move it, or choose another \
         folder"
    )]
    NotReplaced,
    /// A command was stopped while it renamed several files from their temporary names.
    #[error(
        "a program was stopped while it replaced this and others; complete it with \
         `idx repair` or `idx_std::formats::repair`"
    )]
    Interrupted,
    /// Records cannot be appended to a gzip file.
    #[error("gzip data cannot be appended to; decompress it with `gunzip`, or write another file")]
    GzipAppend,
    /// [`Writer::commit`](crate::Writer::commit) was called for a file that
    /// [`Writer::append`](crate::Writer::append) did not open.
    #[error("this file appears when it is finished; to commit records, open it with `append`")]
    NotAppending,
    /// The file changed after [`repair`](crate::repair) read it.
    #[error(
        "the file changed meanwhile, so nothing was written; stop its writer and repair it again"
    )]
    ChangedMeanwhile,
    /// The decompressed content is gzip data again.
    #[error("this is gzip within gzip; decompress it once with `gunzip`")]
    GzipInGzip,
    /// The gzip data ends too early.
    #[error(
        "the gzip data is truncated after {}{}; download or copy the file again",
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
        "the gzip data is corrupt after {}: {error}; download or copy the file again",
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
        "extra bytes follow the gzip data ({}), the first is {found:02X}; remove them",
        counted(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipTrailing {
        /// The first of these bytes.
        found: u8,
        /// The decompressed bytes before them.
        decompressed: u64,
    },
    /// Bytes follow the payload, at least as many as were counted; the end of the file was not reached.
    #[error(
        "extra bytes after the payload: at least {count} from offset {offset}; remove them, or parse a \
         prefix if they belong there"
    )]
    #[non_exhaustive]
    EndNotFound {
        /// Where the payload ends, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes that were counted after that.
        count: u64,
    },
    /// The payload is 2, 3 or 4 times as large as the header says, as for images whose header lacks the
    /// channels.
    #[error(
        "the file has {times} times the payload of the header: {count} extra bytes from offset {offset}; \
         {times} channels may be missing in the header, correct it"
    )]
    #[non_exhaustive]
    PayloadMultiple {
        /// Where the payload ends, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes after that.
        count: u64,
        /// How many payloads there are.
        times: u64,
    },
    /// Bytes follow the payload, and an error follows them.
    #[error("extra bytes after the payload: {count} from offset {offset}, and then {error}")]
    #[non_exhaustive]
    DamageAfterPayload {
        /// Where the payload ends, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes between the payload and the error.
        count: u64,
        /// The error.
        error: Box<ErrorKind>,
    },
    /// The records are larger than [`Reader::record_limit`](crate::Reader::record_limit) allows.
    #[error(
        "a record has {needed} bytes, more than the limit of {limit}; raise the limit, or reject the file"
    )]
    #[non_exhaustive]
    RecordLimitExceeded {
        /// The maximum number of bytes.
        limit: u64,
        /// The size of a record in bytes.
        needed: u64,
    },
    /// A record was requested by its index, but the bytes can only be read in order.
    #[error(
        "{} cannot be read at a position; {}",
        if *is_gzip { "gzip data" } else { "a stream" },
        if *is_gzip { "decompress the file, or read it in order" } else { "read it in order" }
    )]
    #[non_exhaustive]
    NoPosition {
        /// Whether that is because of gzip; otherwise the bytes are those of a stream.
        is_gzip: bool,
    },
    /// The file is larger than [`ReadOptions::limit`](crate::ReadOptions::limit) allows.
    #[error(
        "the file has {}, more than the limit of {limit}; raise the limit, or stream the file",
        counted(*needed, "byte")
    )]
    #[non_exhaustive]
    LimitExceeded {
        /// The maximum number of bytes.
        limit: u64,
        /// The size of the header and the payload in bytes.
        needed: u64,
    },
    /// The slice given to [`load_into`](crate::load_into) and the file differ in length.
    #[error(
        "the slice has {} but the file has {found}; use a slice of that length",
        counted(*expected as u64, "element")
    )]
    #[non_exhaustive]
    LengthMismatch {
        /// The number of elements in the slice.
        expected: usize,
        /// The number of elements in the file.
        found: u64,
    },
    /// A record index is out of range.
    #[error(
        "record {record} is out of range; the file has {} (numbered from 0)",
        counted(*count, "record")
    )]
    #[non_exhaustive]
    IndexOutOfRange {
        /// The index, counted from 0.
        record: u64,
        /// The number of records.
        count: u64,
    },
    /// A range of records ends before it starts.
    #[error("the range {start}..{end} ends before it starts; swap its ends")]
    #[non_exhaustive]
    InvalidRange {
        /// The first record.
        start: u64,
        /// The record after the last one.
        end: u64,
    },
    /// The record comes before the current one, and the bytes cannot be read again.
    #[error(
        "record {record} comes before record {next}, and {} cannot be read backwards; open the file again",
        if *is_gzip { "gzip data" } else { "a stream" }
    )]
    #[non_exhaustive]
    CannotGoBack {
        /// The requested record, counted from 0.
        record: u64,
        /// The record that comes next.
        next: u64,
        /// Whether that is because of gzip; otherwise the bytes are those of a stream.
        is_gzip: bool,
    },
    /// Records were requested from a stream that an earlier error had ended.
    #[error("an earlier error ended this stream; open the file again")]
    ReadFailedEarlier,
    /// The bytes given to [`Writer::push_bytes`](crate::Writer::push_bytes) are not one record.
    #[error(
        "a record has {}, not {found}; push one whole record at a time",
        counted(*expected as u64, "byte")
    )]
    #[non_exhaustive]
    RecordSize {
        /// The size of a record in bytes.
        expected: usize,
        /// The number of bytes given.
        found: usize,
    },
    /// The shape given to [`save`](crate::save) does not have as many elements as were given.
    #[error(
        "the shape {shape:?} has {}, but {found} were given; correct the shape",
        counted(*expected, "element")
    )]
    #[non_exhaustive]
    ElementCount {
        /// The sizes of the dimensions.
        shape: Vec<usize>,
        /// The number of elements of that shape.
        expected: u64,
        /// The number of elements given.
        found: usize,
    },
    /// The elements given to [`Writer::push_elements`](crate::Writer::push_elements) are not whole records.
    #[error(
        "a record has {}, and {found} are not whole records; push whole records",
        counted(*expected as u64, "element")
    )]
    #[non_exhaustive]
    PartialRecord {
        /// The number of elements of a record.
        expected: usize,
        /// The number of elements given.
        found: usize,
    },
    /// The file is full: a header counts at most 4294967295 records, or one of rank 0.
    #[error("too many records: the file can hold at most {max}; start another file")]
    #[non_exhaustive]
    TooManyRecords {
        /// The maximum number of records.
        max: u64,
    },
    /// A file of rank 0 was finished without its one element.
    #[error("a file of rank 0 has one element; push it before `finish`")]
    MissingElement,
    /// The file would have more than 255 dimensions.
    #[error("the file would have {found} dimensions, but the maximum is 255; merge some of them")]
    #[non_exhaustive]
    TooManyDimensions {
        /// The number of dimensions.
        found: usize,
    },
    /// ndarray does not support this shape: the product of the sizes other than 0 is 2^63 or more. This is
    /// possible only in a file without elements.
    #[cfg(feature = "ndarray-v0.17")]
    #[error(
        "the file has no elements, and its sizes are too large for an array: {shape:?}; use its header \
         alone"
    )]
    #[non_exhaustive]
    ArrayTooLarge {
        /// The sizes of the dimensions.
        shape: Vec<usize>,
    },
    /// A size of an array is more than the 4294967295 that a header can hold.
    #[error(
        "dimension {dimension} has the size {size}, but the maximum is 4294967295; write several files"
    )]
    #[non_exhaustive]
    DimensionTooLarge {
        /// The dimension, counted from 0.
        dimension: usize,
        /// Its size.
        size: usize,
    },
    /// The header of an npy file is not valid.
    #[error(transparent)]
    Npy(NpyError),
    /// `finish` was called after a write that failed.
    #[error("an earlier write failed, so the file is incomplete; write it again")]
    WriteFailedEarlier,
}

/// Extra bytes that make the payload at most this many times as large are reported as missing channels.
pub(crate) const MAX_MULTIPLE: u64 = 4;

/// A multiple of a smaller payload, of less than a picture of 8 x 8, may be chance.
const MIN_MULTIPLIED: u64 = 64;

impl ErrorKind {
    /// The error for `count` bytes after a payload of this size, which ends at `offset`.
    pub(crate) fn trailing_bytes(offset: u64, count: u64, payload_size: u64) -> Self {
        let is_multiple = payload_size >= MIN_MULTIPLIED && count.is_multiple_of(payload_size);
        match count.checked_div(payload_size).map_or(0, |more| more + 1) {
            times @ 2..=MAX_MULTIPLE if is_multiple => {
                Self::PayloadMultiple { offset, count, times }
            }
            _ => idx_core::ErrorKind::TrailingBytes { offset, count }.into(),
        }
    }
}

impl From<idx_core::Error> for ErrorKind {
    fn from(error: idx_core::Error) -> Self {
        Self::Format(error.kind())
    }
}

impl From<idx_core::ErrorKind> for ErrorKind {
    fn from(error: idx_core::ErrorKind) -> Self {
        Self::Format(error)
    }
}

impl From<NpyError> for ErrorKind {
    fn from(error: NpyError) -> Self {
        Self::Npy(error)
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::IsADirectory => Self::IsADirectory,
            _ => Self::Io(error),
        }
    }
}

impl ErrorKind {
    /// The corresponding kind of the standard library.
    pub(crate) fn io_kind(&self) -> io::ErrorKind {
        use idx_core::ErrorKind as Format;

        match self {
            Self::Io(error) => error.kind(),
            Self::IsADirectory => io::ErrorKind::IsADirectory,
            Self::Format(
                Format::Empty | Format::HeaderTruncated { .. } | Format::Truncated { .. },
            )
            | Self::GzipTruncated { .. } => io::ErrorKind::UnexpectedEof,
            Self::Format(_)
            | Self::OtherFormat { .. }
            | Self::BadMagic { .. }
            | Self::GzipInGzip
            | Self::GzipDamaged { .. }
            | Self::GzipTrailing { .. }
            | Self::Unfinished { .. }
            | Self::CountMismatch { .. }
            | Self::EndNotFound { .. }
            | Self::PayloadMultiple { .. }
            | Self::DamageAfterPayload { .. }
            | Self::Npy(_) => io::ErrorKind::InvalidData,
            Self::LengthMismatch { .. }
            | Self::IndexOutOfRange { .. }
            | Self::InvalidRange { .. }
            | Self::RecordSize { .. }
            | Self::ElementCount { .. }
            | Self::PartialRecord { .. }
            | Self::NotARegularFile
            | Self::TooManyDimensions { .. } => io::ErrorKind::InvalidInput,
            Self::GzipAppend | Self::NoPosition { .. } | Self::CannotGoBack { .. } => {
                io::ErrorKind::Unsupported
            }
            _ => io::ErrorKind::Other,
        }
    }
}

fn io_sentence(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".to_string(),
        io::ErrorKind::PermissionDenied => {
            format!("{error}; check the permissions of the file and its folder")
        }
        io::ErrorKind::NotADirectory => {
            "a part of the path is a file, not a folder; check the path".to_string()
        }
        io::ErrorKind::ReadOnlyFilesystem => format!("{error}; choose a place on another disk"),
        io::ErrorKind::AlreadyExists => "it already exists; choose another name".to_string(),
        io::ErrorKind::StorageFull => format!("{error}; free some space and try again"),
        _ => error.to_string(),
    }
}

/// Shows the first bytes, the first four also as the number that people search for.
fn magic_sentence(start: &[u8], error: idx_core::ErrorKind) -> String {
    let bytes: Vec<String> = start.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut bytes = bytes.join(" ");
    if let Some(magic) = start.first_chunk() {
        let decimal = u32::from_be_bytes(*magic);
        bytes += &format!(" (the first four are {decimal} in decimal)");
    }
    match error {
        idx_core::ErrorKind::NotIdx { .. } => format!(
            "{}: it starts with {bytes}, but IDX files start with 00 00; check the source of the file",
            error.message()
        ),
        _ => format!("{error}; the file starts with {bytes}"),
    }
}

fn unfinished_part(records: Option<u64>) -> String {
    match records {
        Some(1) => ", 1 whole record follows the header".to_string(),
        Some(records) => format!(", {records} whole records follow the header"),
        None => ", an unknown number of records follows the header".to_string(),
    }
}

fn missing_part(missing: Option<u64>) -> String {
    match missing {
        Some(missing @ 1..) => format!(", {missing} missing"),
        _ => String::new(),
    }
}
