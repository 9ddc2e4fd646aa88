//! The kinds of errors, each with its numbers and its message.

use std::io;
use std::path::PathBuf;

use crate::signature::FileSignature;
use crate::words::counted;

/// The kind of an error, with its numbers.
///
/// It displays as a sentence that ends with what to do next; [`code`](Self::code) is a word for programs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system reported an error.
    #[error("{}", io_sentence(.0))]
    Io(io::Error),
    /// The content, decompressed if it is gzip, is not valid, or not what was expected.
    #[error("{0}")]
    Format(idx_core::ErrorKind),
    /// The file has another format: its first four bytes are not those of an IDX file.
    #[error("{}", not_idx_sentence(*signature, start, *error))]
    #[non_exhaustive]
    NotIdx {
        /// The format, if it is known.
        signature: Option<FileSignature>,
        /// The first 16 bytes, or all if there are fewer.
        start: Vec<u8>,
        /// The error of the parser.
        error: idx_core::ErrorKind,
    },
    /// The file was not finished: its writer was stopped, or is still running.
    #[error(
        "the file was not finished{}; write it again, or keep them by repairing it",
        unfinished_part(*records)
    )]
    #[non_exhaustive]
    Unfinished {
        /// The number of whole records after the header; `None` if they have no bytes, or if a stream has more than 1
        /// MiB of them.
        records: Option<u64>,
    },
    /// Bytes follow the payload.
    #[error("{}", trailing_sentence(*offset, *count, *at_least, *records, *times, error.as_deref()))]
    #[non_exhaustive]
    TrailingBytes {
        /// The end of the payload, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes after that.
        count: u64,
        /// True if there may be more, because reading stopped before their end.
        at_least: bool,
        /// The number of whole records that these bytes may be, if any; the header does not count them.
        records: Option<u64>,
        /// The actual payload size as a multiple of the stated one, if it is 2, 3 or 4 times as large, as for images
        /// whose header lacks the channels.
        times: Option<u64>,
        /// The error found after these bytes.
        error: Option<Box<ErrorKind>>,
    },
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
        /// The number of decompressed bytes before the end.
        decompressed: u64,
        /// The number of missing bytes, if the header was read; 0 if only the checksum is missing.
        missing: Option<u64>,
    },
    /// The gzip data does not decompress, or its checksum is wrong.
    #[error(
        "the gzip data is corrupt after {}: {error}; download or copy the file again",
        counted(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipDamaged {
        /// The number of decompressed bytes before the damage was found.
        decompressed: u64,
        /// The error of the decompressor.
        error: io::Error,
    },
    /// Bytes that are neither a gzip member nor zeros follow the last gzip member.
    #[error(
        "extra bytes follow the gzip data ({}), the first is {found:02X}; leave them out with `gunzip -c FILE > NEW`",
        counted(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipTrailing {
        /// The first of these bytes.
        found: u8,
        /// The number of decompressed bytes before them.
        decompressed: u64,
    },
    /// The file is larger than [`ReadOptions::limit`](crate::ReadOptions::limit) allows.
    #[error(
        "the file has {}, more than the limit of {limit}; stream the file, or raise the limit",
        counted(*needed, "byte")
    )]
    LimitExceeded {
        /// The maximum number of bytes.
        limit: u64,
        /// The number of bytes of the header and the payload.
        needed: u64,
    },
    /// The records are larger than [`Reader::record_limit`](crate::Reader::record_limit) allows.
    #[error(
        "a record has {}, more than the limit of {limit}; if you trust the file, raise the limit",
        counted(*needed, "byte")
    )]
    RecordLimitExceeded {
        /// The maximum number of bytes.
        limit: u64,
        /// The number of bytes of a record.
        needed: u64,
    },
    /// The index of a record, counted from 0, is not below the number of records.
    #[error(
        "record {record} is out of range; the file has {} (numbered from 0)",
        counted(*count, "record")
    )]
    IndexOutOfRange {
        /// The index.
        record: u64,
        /// The number of records.
        count: u64,
    },
    /// A range of records ends before it starts.
    #[error("the range {start}..{end} ends before it starts; swap its ends")]
    InvalidRange {
        /// The start of the range.
        start: u64,
        /// Its end.
        end: u64,
    },
    /// A slice, a shape or a record does not have the length that the file needs, or a file of rank 0 was finished
    /// without its one element.
    #[error("{of} has {}, but {found} were given; give exactly {expected}", counted(*expected, unit))]
    WrongLength {
        /// The thing with the expected length: the file, the shape or a record.
        of: &'static str,
        /// The unit: elements or bytes.
        unit: &'static str,
        /// The expected number.
        expected: u64,
        /// The number that was given.
        found: u64,
    },
    /// There are more than 255 dimensions, a size is more than 4294967295, or the sizes of an array without elements
    /// have a product of 2^63 or more.
    #[error("{}", shape_sentence(shape))]
    ShapeTooLarge {
        /// The sizes.
        shape: Vec<usize>,
    },
    /// The file is full: it can have at most 4294967295 records, or one if its rank is 0.
    #[error("too many records: the file can hold at most {max}; start another file")]
    TooManyRecords {
        /// The number of records that fit.
        max: u64,
    },
    /// A record other than the next was requested, but gzip data and streams can only be read in order.
    #[error(
        "record {record} cannot be read at its position: gzip data and streams can only be read in order, and \
         record {next} comes next; open the file again, or decompress it"
    )]
    CannotSeek {
        /// The record that was requested.
        record: u64,
        /// The record that comes next.
        next: u64,
    },
    /// Records cannot be appended to gzip data.
    #[error(
        "records cannot be appended to gzip data; decompress it with `gunzip`, or write another file"
    )]
    CannotAppend,
    /// Records can be committed only in a file that `append` opened.
    #[error(
        "the file appears when it is finished, so its records cannot be committed before; to commit records, open \
         the file with `append`"
    )]
    CannotCommit,
    /// An earlier error has ended the reader or writer.
    #[error(
        "an earlier error has ended this reader or writer; open the file again, or write it again"
    )]
    FailedEarlier,
    /// Another program changed, moved, removed or replaced the file after it was opened.
    #[error(
        "another program changed the file, so nothing was written; stop the program that changes it, and try again"
    )]
    ChangedMeanwhile,
    /// A repair in place would remove records that may be whole, or the copy of a log.
    #[error("{found}; {}", lost_part(*kept, *whole))]
    WouldLose {
        /// The findings of the repair, in words.
        found: String,
        /// The number of records that would be kept.
        kept: u32,
        /// The number of whole records after the header.
        whole: u32,
    },
    /// A log from flash begins inside the file, so the file was copied from more than the range of one log.
    #[error(
        "a log from flash begins at byte {offset}; copy the range of each log into a file, with \
         `tail -c +{} FILE | head -c SIZE`, and repair that",
        offset + 1
    )]
    LogWithin {
        /// The start of the log, in bytes from the start of the file.
        offset: u64,
    },
    /// The file is a log of `idx_core::log`, but its start is damaged, or it has no whole record.
    #[error("{}; copy the log from the flash again", damaged_part(*torn))]
    LogDamaged {
        /// The number of records, if all of them are torn.
        torn: u64,
    },
    /// The path is a pipe or a device, where only a regular file will do.
    #[error("this is a pipe or a device, not a regular file; use a regular file")]
    NotARegularFile,
    /// Two outputs would go to the same file or folder.
    #[error("two outputs cannot go to one file or folder; choose another name for one of them")]
    SameOutput,
    /// The folder cannot be replaced by a new one: it has files, or a disk is mounted there.
    #[error("{}; name a new folder in it", folder_part(.0))]
    FolderInUse(io::Error),
    /// Some of several outputs could not appear, and the others could not be undone; or all appeared, but old files
    /// could not be removed.
    #[error("{error}; {}: {}", left_part(*are_complete), quoted_names(files))]
    #[non_exhaustive]
    LeftOver {
        /// The first error.
        error: Box<ErrorKind>,
        /// True if all outputs appeared; then the files are old ones.
        are_complete: bool,
        /// The files that are left.
        files: Vec<PathBuf>,
    },
}

/// The largest multiple of the stated payload that is reported as missing channels.
pub(crate) const MAX_MULTIPLE: u64 = 4;

/// The smallest payload whose multiples are reported, a picture of 8 x 8: with a smaller one they may be chance.
const MIN_MULTIPLIED: u64 = 64;

impl ErrorKind {
    /// Returns the error for `count` bytes after a payload of this size, with records of this size.
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

    /// Returns the error for a record with more or fewer bytes than the header says:
    /// [`WrongLength`](Self::WrongLength).
    #[must_use]
    pub fn record_size(expected: u64, found: usize) -> Self {
        Self::WrongLength { of: "a record", unit: "byte", expected, found: found as u64 }
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

fn io_sentence(error: &io::Error) -> String {
    let (message, advice) = match error.kind() {
        io::ErrorKind::NotFound => ("no such file", "check the path"),
        io::ErrorKind::IsADirectory => ("this is a folder", "specify a file in it"),
        io::ErrorKind::NotADirectory => {
            ("a part of the path is a file, not a folder", "check the path")
        }
        io::ErrorKind::AlreadyExists => {
            ("the file already exists", "choose another name, or replace it")
        }
        io::ErrorKind::PermissionDenied => ("", "check the permissions of the file and its folder"),
        io::ErrorKind::ReadOnlyFilesystem => ("", "choose a place on another disk"),
        io::ErrorKind::StorageFull => ("", "free some space and try again"),
        _ => return error.to_string(),
    };
    match message {
        "" => format!("{error}; {advice}"),
        _ => format!("{message}; {advice}"),
    }
}

/// Names the format, or shows the first bytes: as text if they are text, else in hexadecimal, and the first four also
/// in decimal, which people search for.
fn not_idx_sentence(
    signature: Option<FileSignature>,
    start: &[u8],
    error: idx_core::ErrorKind,
) -> String {
    if let Some(signature) = signature {
        return format!("this is {signature}, not an IDX file; {}", signature.advice());
    }
    let bytes = text_of(start).map_or_else(|| bytes_sentence(start), |text| format!("{text:?}"));
    let message = match error {
        idx_core::ErrorKind::NotIdx { .. } => {
            format!("{}: it starts with {bytes}, but IDX files start with 00 00", error.message())
        }
        _ => format!("{error:#}; the file starts with {bytes}"),
    };
    match error.advice() {
        Some(advice) => format!("{message}; {advice}"),
        None => message,
    }
}

/// Returns these bytes as text, if they are text; the last character may be incomplete.
fn text_of(start: &[u8]) -> Option<&str> {
    let text = match str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return None,
        Err(error) => str::from_utf8(start.get(..error.valid_up_to())?).ok()?,
    };
    let is_text = |char: char| !char.is_control() || char.is_ascii_whitespace();
    (!text.is_empty() && text.chars().all(is_text)).then_some(text)
}

fn bytes_sentence(start: &[u8]) -> String {
    let bytes: Vec<String> = start.iter().take(8).map(|byte| format!("{byte:02X}")).collect();
    let mut bytes = bytes.join(" ");
    if let Some(magic) = start.first_chunk() {
        let decimal = u32::from_be_bytes(*magic);
        bytes += &format!(" (the first four: {decimal})");
    }
    bytes
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
    records: Option<u64>,
    times: Option<u64>,
    error: Option<&ErrorKind>,
) -> String {
    match (error, times) {
        (Some(error), _) => {
            format!("extra bytes after the payload: {count} from offset {offset}, and then {error}")
        }
        (None, Some(times)) => format!(
            "the file has {times} times the payload of the header: {count} extra bytes from offset {offset}; correct \
             the header if it lacks channels or records"
        ),
        (None, None) => {
            let count = match at_least {
                true => format!("at least {count}"),
                false => counted(count, "byte"),
            };
            let advice = match records {
                Some(_) => "remove them, or if they are records, keep them by repairing the file",
                None => "remove them, or correct the header if they belong to it",
            };
            format!("extra bytes after the payload: {count} from offset {offset}; {advice}")
        }
    }
}

fn lost_part(kept: u32, whole: u32) -> String {
    let lost = match whole.checked_sub(kept) {
        Some(more @ 1..) => {
            return format!(
                "a repair in place would remove {} that may be whole, so nothing was written; keep all, or write the \
                 others to a new file",
                counted(more.into(), "record")
            );
        }
        // There may be nothing but a header.
        _ if whole == 0 => "leave no record",
        _ => "remove the only copy of the rest",
    };
    format!(
        "a repair in place would {lost}, so nothing was written; write the whole records to a new file"
    )
}

fn damaged_part(torn: u64) -> String {
    match torn {
        0 => "the start of this log is damaged".to_string(),
        _ => format!("no record of this log is whole ({torn} torn), or its start is damaged"),
    }
}

fn missing_part(missing: Option<u64>) -> String {
    match missing {
        Some(missing @ 1..) => format!(", {missing} missing"),
        _ => String::new(),
    }
}

fn shape_sentence(shape: &[usize]) -> String {
    let is_too_large = |(_, size): &(usize, &usize)| u32::try_from(**size).is_err();
    match shape.iter().enumerate().find(is_too_large) {
        _ if shape.len() > usize::from(u8::MAX) => format!(
            "the file would have {} dimensions, but the maximum is 255; merge some of them",
            shape.len()
        ),
        Some((dimension, size)) => format!(
            "dimension {dimension} has the size {size}, but the maximum is {}; write several files",
            u32::MAX
        ),
        None => format!(
            "the file has no elements, and its sizes are too large for an array: {shape:?}; use only its header"
        ),
    }
}

fn folder_part(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
            "the folder is not empty".to_string()
        }
        _ => format!("this folder cannot be replaced: {error}"),
    }
}

fn left_part(are_complete: bool) -> &'static str {
    match are_complete {
        true => "the new files are complete, remove the old ones",
        false => "the changes could not be undone, so these files remain",
    }
}

/// Returns the names in quotes, because they can hold anything.
fn quoted_names(files: &[PathBuf]) -> String {
    let files: Vec<String> = files.iter().map(|file| format!("{file:?}")).collect();
    files.join(", ")
}
