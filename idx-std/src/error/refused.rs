//! The errors of requests, each with its sentence.

use std::path::PathBuf;
use std::{fmt, io};

use super::kind::ErrorKind;
use crate::words::counted;

/// A request that cannot be fulfilled; what is wrong with it, is its [code](ErrorKind::code).
#[derive(Debug)]
pub struct Refused {
    pub(super) code: &'static str,
    message: String,
    /// What to do next, if a sentence says it.
    pub(super) advice: Option<&'static str>,
    /// The corresponding kind of the standard library.
    pub(super) io_kind: io::ErrorKind,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

fn refused(code: &'static str, message: impl Into<String>, advice: &'static str) -> ErrorKind {
    of_kind(io::ErrorKind::InvalidInput, code, message, advice)
}

fn of_kind(
    io_kind: io::ErrorKind,
    code: &'static str,
    message: impl Into<String>,
    advice: &'static str,
) -> ErrorKind {
    ErrorKind::Refused(Refused { code, message: message.into(), advice: Some(advice), io_kind })
}

impl ErrorKind {
    /// The path is that of a pipe or a device, where only a regular file will do.
    pub(crate) fn not_a_regular_file() -> Self {
        let message = "this is a pipe or a device, not a regular file";
        refused("not_a_regular_file", message, "put a regular file in its place")
    }

    /// The index of a record, counted from 0, is not below the number of records.
    #[doc(hidden)]
    #[must_use]
    pub fn index_out_of_range(record: u64, count: u64) -> Self {
        let message = format!(
            "record {record} is out of range; the file has {} (numbered from 0)",
            counted(count, "record")
        );
        let (code, io_kind) = ("index_out_of_range", io::ErrorKind::InvalidInput);
        Self::Refused(Refused { code, message, advice: None, io_kind })
    }

    /// A range of records ends before it starts.
    pub(crate) fn invalid_range(start: u64, end: u64) -> Self {
        let message = format!("the range {start}..{end} ends before it starts");
        refused("invalid_range", message, "swap its ends")
    }

    /// A record was requested that does not come next, but gzip data and streams can only be read in order.
    pub(crate) fn cannot_seek(record: u64, next: u64) -> Self {
        let message = format!(
            "record {record} cannot be read at its position: gzip data and streams can only be read in order, and \
             record {next} comes next"
        );
        refused("cannot_seek", message, "open the file again, or decompress it")
    }

    /// An earlier error has ended the reader or writer.
    #[doc(hidden)]
    #[must_use]
    pub fn failed_earlier() -> Self {
        let message = "an earlier error has ended this reader or writer";
        let advice = "open the file again, or write it again";
        of_kind(io::ErrorKind::Other, "failed_earlier", message, advice)
    }

    /// A slice, a shape or a record has the wrong length, or a file of rank 0 was finished without its one element.
    pub(crate) fn wrong_length(of: &str, unit: &str, expected: u64, found: u64) -> Self {
        let message = format!("{of} has {}, but {found} were given", counted(expected, unit));
        let advice = match of {
            "a record" => "push whole records",
            _ => "give exactly as many",
        };
        refused("wrong_length", message, advice)
    }

    /// A record has more or fewer bytes than the header says.
    #[doc(hidden)]
    #[must_use]
    pub fn record_size(expected: u64, found: usize) -> Self {
        Self::wrong_length("a record", "byte", expected, found as u64)
    }

    /// The file is full: a header counts at most 4294967295 records, or one of rank 0.
    #[doc(hidden)]
    #[must_use]
    pub fn too_many_records(max: u64) -> Self {
        let message = format!("too many records: the file can hold at most {max}");
        refused("too_many_records", message, "start another file")
    }

    /// More than 255 dimensions, a size of more than 4294967295, or, for an array without elements, other sizes with a
    /// product of 2^63 or more.
    pub(crate) fn shape_too_large(shape: &[usize]) -> Self {
        let is_too_large = |(_, size): &(usize, &usize)| u32::try_from(**size).is_err();
        let (message, advice) = match shape.iter().enumerate().find(is_too_large) {
            _ if shape.len() > usize::from(u8::MAX) => (
                format!("the file would have {} dimensions, but the maximum is 255", shape.len()),
                "merge some of them",
            ),
            Some((dimension, size)) => (
                format!(
                    "dimension {dimension} has the size {size}, but the maximum is {}",
                    u32::MAX
                ),
                "write several files",
            ),
            None => (
                format!(
                    "the file has no elements, and its sizes are too large for an array: {shape:?}"
                ),
                "use its header alone",
            ),
        };
        refused("shape_too_large", message, advice)
    }

    /// No records can be appended to gzip data.
    pub(crate) fn cannot_append() -> Self {
        let message = "records cannot be appended to gzip data";
        let advice = "decompress it with `gunzip`, or write another file";
        refused("cannot_append", message, advice)
    }

    /// No records can be committed in a file that `append` did not open.
    pub(crate) fn cannot_commit() -> Self {
        let message =
            "the file appears when it is finished, so its records cannot be committed before";
        refused("cannot_append", message, "to commit records, open the file with `append`")
    }

    /// Another program changed the file after it was opened, moved or removed it, or gave its name to another.
    pub(crate) fn changed_meanwhile() -> Self {
        let message = "another program changed the file, so nothing was written";
        let advice = "stop the program that changes it, and try again";
        of_kind(io::ErrorKind::Other, "changed_meanwhile", message, advice)
    }

    /// Two outputs would go to the same file or folder.
    #[doc(hidden)]
    #[must_use]
    pub fn same_output() -> Self {
        let message = "two outputs cannot go to one file or folder";
        refused("same_output", message, "choose another name for one of them")
    }

    /// The folder cannot be replaced by a new one: it has files, or a disk is mounted there.
    pub(crate) fn folder_in_use(error: &io::Error) -> Self {
        let message = match error.kind() {
            io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
                "the folder is not empty".to_string()
            }
            _ => format!("this folder cannot be replaced: {error}"),
        };
        of_kind(error.kind(), "folder_in_use", message, "name a new folder in it")
    }

    /// Several outputs could not all appear, and that could not be undone; or all of them appeared, and old files could
    /// not be removed. These files are left.
    pub(crate) fn left_over(error: &Self, are_complete: bool, files: &[PathBuf]) -> Self {
        // Quoted, because names can hold anything.
        let files: Vec<String> = files.iter().map(|file| format!("{file:?}")).collect();
        let files = files.join(", ");
        let message = match are_complete {
            true => format!("{error}; the new files are complete, remove the old ones: {files}"),
            false => {
                format!("{error}; what was done could not be undone, so these files stay: {files}")
            }
        };
        let (code, io_kind) = ("left_over", error.io_kind());
        Self::Refused(Refused { code, message, advice: None, io_kind })
    }
}
