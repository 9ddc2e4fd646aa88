use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use idx_std::{Error, ErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

/// Why a command stops: with one file, or altogether.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The library's error; the path is used if the error has none.
    Data { path: PathBuf, error: Error },
    /// What the command itself found wrong with a file, and what to do next.
    Message { path: PathBuf, text: String },
    /// Standard output cannot be written.
    Output(io::Error),
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
}

impl Failure {
    pub(crate) fn data(path: &Path, error: impl Into<Error>) -> Self {
        Self::Data {
            path: path.to_path_buf(),
            error: error.into(),
        }
    }

    /// What the system refused to do with a file.
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::data(path, ErrorKind::from(error))
    }

    pub(crate) fn file(path: &Path, text: impl Into<String>) -> Self {
        Self::Message {
            path: path.to_path_buf(),
            text: text.into(),
        }
    }

    /// Whether it is about one file, so that the next one can be read.
    pub(crate) fn is_about_a_file(&self) -> bool {
        matches!(self, Self::Data { .. } | Self::Message { .. })
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(error) => {
                u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
            }
            _ => ExitCode::FAILURE,
        }
    }

    /// Prints it on the error stream.
    pub(crate) fn print(self) {
        match self {
            Self::Data { path, error } => {
                let path = error.path().unwrap_or(&path).display();
                print_error(format_args!("{path}: {}", error.message()));
            }
            Self::Message { path, text } => {
                print_error(format_args!("{}: {text}", path.display()));
            }
            Self::Output(error) => {
                print_error(format_args!("standard output: {}", ErrorKind::from(error)));
            }
            // If there is nobody to read it, the exit code is all that is left.
            Self::Usage(error) => drop(error.print()),
        }
    }

    /// The object of `--json`, if this is about a file.
    pub(crate) fn to_json(&self) -> Option<impl Serialize> {
        let (path, message, error) = match self {
            Self::Data { path, error } => {
                let path = error.path().unwrap_or(path);
                (path, error.message(), Some(error))
            }
            Self::Message { path, text } => (path.as_path(), text.clone(), None),
            Self::Output(_) | Self::Usage(_) => return None,
        };
        let (kind, numbers) = error.and_then(|error| describe(error.kind())).unzip();
        Some(Object {
            path: path.display().to_string(),
            error: message,
            kind,
            records: error.and_then(Error::records),
            numbers,
        })
    }
}

/// Prints a message on the error stream. If that takes none, there is nobody to read it.
pub(crate) fn print_error(message: impl Display) {
    let _ = writeln!(io::stderr(), "idx: {message}");
}

/// What `--json` prints of a file that is wrong.
#[derive(Serialize)]
struct Object {
    path: String,
    error: String,
    /// A word for programs, which stays the same when the sentence changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// Whole records that were read before.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    #[serde(flatten)]
    numbers: Option<Value>,
}

/// The word for what went wrong, and the numbers that the sentence has.
fn describe(kind: &ErrorKind) -> Option<(&'static str, Value)> {
    Some(match kind {
        ErrorKind::Io(error) => {
            let word = match error.kind() {
                io::ErrorKind::NotFound => "not_found",
                io::ErrorKind::PermissionDenied => "permission_denied",
                io::ErrorKind::StorageFull => "storage_full",
                _ => "io",
            };
            (word, json!({"os_error": error.raw_os_error()}))
        }
        ErrorKind::Folder => ("is_a_directory", json!({})),
        ErrorKind::Format(error) => return describe_format(error),
        ErrorKind::Foreign { .. } => ("other_format", json!({})),
        ErrorKind::Magic { start, error } => (describe_format(error)?.0, json!({"start": start})),
        ErrorKind::GzipInGzip => ("gzip_in_gzip", json!({})),
        ErrorKind::GzipTruncated {
            decompressed,
            missing,
        } => (
            "gzip_truncated",
            json!({"decompressed": decompressed, "missing": missing}),
        ),
        ErrorKind::GzipDamaged { decompressed, .. } => {
            ("gzip_damaged", json!({"decompressed": decompressed}))
        }
        ErrorKind::GzipTrailing {
            found,
            decompressed,
        } => (
            "gzip_trailing",
            json!({"found": found, "decompressed": decompressed}),
        ),
        ErrorKind::NoDataSet => ("no_data_set", json!({})),
        ErrorKind::MissingFile { .. } => ("missing_file", json!({})),
        ErrorKind::Misnamed { .. } => ("name_mismatch", json!({})),
        ErrorKind::LabelCount { labels, images, .. } => {
            ("label_count", json!({"labels": labels, "images": images}))
        }
        ErrorKind::LabelNotAllowed { record, label, .. } => (
            "label_not_allowed",
            json!({"record": record, "label": label}),
        ),
        ErrorKind::Mixed { .. } => ("mixed_data_sets", json!({})),
        _ => return None,
    })
}

fn describe_format(error: &idx_core::Error) -> Option<(&'static str, Value)> {
    use idx_core::Error as Format;

    Some(match *error {
        Format::Empty => ("empty", json!({})),
        Format::Gzip => ("gzip", json!({})),
        Format::NotIdx { start } => ("bad_magic", json!({"start": start})),
        Format::UnknownElementType { code } => ("unknown_element_type", json!({"code": code})),
        Format::HeaderTruncated { needed, found } => (
            "header_truncated",
            json!({"needed": needed, "found": found}),
        ),
        Format::TooLarge { dimension, size } => {
            ("too_large", json!({"dimension": dimension, "size": size}))
        }
        Format::Unaddressable { size } => ("unaddressable", json!({"size": size})),
        Format::Truncated { needed, found } => {
            ("truncated", json!({"needed": needed, "found": found}))
        }
        Format::TrailingBytes { offset, count } => {
            ("trailing_bytes", json!({"offset": offset, "count": count}))
        }
        _ => return None,
    })
}
