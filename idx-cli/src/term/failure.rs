use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use idx_std::dataset;
use idx_std::formats::{self, ErrorKind as FormatsErrorKind, Setting};
use idx_std::{Detail, Error, ErrorKind};
use serde::Serialize;
use serde_json::{Value, json};

use crate::term::text::{PathText, printable};

/// Why a command stops: with one file, or altogether.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file cannot be read or written.
    File(Error),
    /// Something is wrong with a data set.
    DataSet(dataset::Error),
    /// Records cannot be read, converted or written.
    Formats(formats::Error),
    /// An error that the command itself found in a file, and what to do next.
    Message { path: PathBuf, text: String },
    /// Standard output cannot be written.
    Output(Error),
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

impl From<dataset::Error> for Failure {
    fn from(error: dataset::Error) -> Self {
        Self::DataSet(error)
    }
}

impl From<formats::Error> for Failure {
    fn from(error: formats::Error) -> Self {
        match matches!(error.kind(), FormatsErrorKind::Output(_)) {
            true => match error.into_kind() {
                FormatsErrorKind::Output(error) => Self::output(error),
                kind => Self::Formats(kind.into()),
            },
            false => Self::Formats(error),
        }
    }
}

impl Failure {
    pub(crate) fn output(error: io::Error) -> Self {
        Self::Output(Error::from(ErrorKind::from(error)).with_path("standard output"))
    }

    /// An error of the system with a file.
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::File(Error::from(ErrorKind::from(error)).with_path(path))
    }

    /// Whether the reader of standard output has closed it, as `head` does.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        match self {
            Self::Output(error) => {
                matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
            }
            _ => false,
        }
    }

    pub(crate) fn file(path: &Path, text: impl Into<String>) -> Self {
        Self::Message { path: path.to_path_buf(), text: text.into() }
    }

    /// Whether it is about one file, so that the next one can be read.
    pub(crate) fn is_about_a_file(&self) -> bool {
        !matches!(self, Self::Output(_) | Self::Usage(_))
    }

    /// Prints it on the error stream.
    pub(crate) fn print(&self) {
        print_error(format_args!("{}: {}", self.path().display(), self.sentence()));
    }

    /// Prints why the command ended, and gives its exit code: this one unless the usage was wrong.
    pub(crate) fn print_and_exit_code(&self, code: u8) -> ExitCode {
        let Self::Usage(error) = self else {
            self.print();
            return code.into();
        };
        if error.use_stderr() {
            let text = error.render().to_string();
            let _ = write!(io::stderr(), "{}", text.replacen("error: ", "idx: ", 1));
            return ExitCode::from(2);
        }
        match error.print() {
            // The help could not be written.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Self::output(error).print_and_exit_code(code)
            }
            _ => ExitCode::SUCCESS,
        }
    }

    fn path(&self) -> &Path {
        let path = match self {
            Self::File(error) | Self::Output(error) => error.path(),
            Self::DataSet(error) => error.path(),
            Self::Formats(error) => error.path(),
            Self::Message { path, .. } => Some(path.as_path()),
            Self::Usage(_) => None,
        };
        path.unwrap_or(Path::new("-"))
    }

    /// The message without the path.
    fn sentence(&self) -> String {
        match self {
            Self::File(error) | Self::Output(error) => file_sentence(error),
            Self::DataSet(error) => error.message(),
            Self::Formats(error) => match (error.kind(), error.kind().setting().and_then(option)) {
                (FormatsErrorKind::Disabled { feature, .. }, _) => format!(
                    "this program was built without the feature `{feature}`; install it with `cargo \
                     install --path idx-cli --features {feature}`"
                ),
                (FormatsErrorKind::File(error), _) => file_sentence(error),
                (FormatsErrorKind::OutOfRange { error: number, .. }, Some(option))
                    if number.can_be_scaled() =>
                {
                    let message = error.message();
                    format!("{message} with `{option}`, or scale to its range with `--scale`")
                }
                (_, Some(option)) => format!("{} with `{option}`", error.message()),
                _ => error.message(),
            },
            Self::Message { text, .. } => text.clone(),
            Self::Usage(error) => error.to_string(),
        }
    }

    /// The object of `--json`, if this is about a file.
    pub(crate) fn to_json(&self) -> Option<impl Serialize> {
        let (description, records) = match self {
            Self::File(error) => (error.kind().description(), error.records()),
            Self::DataSet(error) => (error.kind().description(), error.records()),
            Self::Formats(error) => match error.kind() {
                FormatsErrorKind::File(error) => (error.kind().description(), error.records()),
                _ => (None, None),
            },
            Self::Message { .. } => (None, None),
            Self::Output(_) | Self::Usage(_) => return None,
        };
        let number = |(name, detail)| match detail {
            Detail::Number(number) => (name, json!(number)),
            Detail::OsError(number) => (name, json!(number)),
            Detail::Label(label) => (name, json!(label)),
            Detail::Bytes(bytes) => (name, json!(bytes)),
            _ => (name, Value::Null),
        };
        Some(Object {
            path: self.path().into(),
            error: self.sentence(),
            kind: description.as_ref().map(|description| description.code),
            records,
            numbers: description.map(|description| {
                let numbers = description.details.into_iter().map(number);
                numbers.collect()
            }),
        })
    }
}

/// The message of the library, with the command's options in place of the library's settings.
fn file_sentence(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            "the file already exists; choose another name or pass --force".to_string()
        }
        ErrorKind::RecordLimitExceeded { limit, needed, .. } => format!(
            "a record has {needed} bytes, more than the limit of {limit}; raise it with `--record-limit` if you \
             trust the file"
        ),
        ErrorKind::Io(io_error) if io_error.kind() == io::ErrorKind::NotFound => {
            let folder = error
                .path()
                .and_then(Path::parent)
                .filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
            folder.map_or(error.message(), |folder| {
                let folder = folder.display();
                format!("there is no folder {folder}; create it, or check the path")
            })
        }
        _ => error
            .message()
            .replace(PREFIX_ADVICE, "correct the header if they belong to it, else remove them"),
    }
}

/// What a program may do with bytes after the payload.
const PREFIX_ADVICE: &str = "remove them, or parse a prefix if they belong there";

/// The option of the command for a setting of the library.
fn option(setting: Setting) -> Option<&'static str> {
    Some(match setting {
        Setting::ElementType => "--as",
        Setting::LabelType => "--labels-as",
        Setting::Shape => "--shape",
        Setting::Header => "--header",
        Setting::ShardRecords => "--shard-records",
        Setting::MaxPixels => "--max-pixels",
        Setting::PictureSize => "--size",
        Setting::Color => "--channels",
        Setting::RecordLimit => "--record-limit",
        Setting::LabelColumn => "--label-column",
        Setting::Classes => "--classes",
        _ => return None,
    })
}

/// Prints a message on the error stream. If that fails, nobody can read it.
pub(crate) fn print_error(message: impl Display) {
    let message = printable(&message.to_string());
    let _ = writeln!(io::stderr(), "idx: {message}");
}

/// The object that `--json` prints for a file with an error.
#[derive(Serialize)]
struct Object {
    #[serde(flatten)]
    path: PathText,
    error: String,
    /// A word for programs, which stays the same if the message changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The number of whole records that were read before.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    #[serde(flatten)]
    numbers: Option<BTreeMap<&'static str, Value>>,
}
