//! The failure of a command: its message, the option that helps, the object of `--json`, and the exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use idx_data::{Answer, Error, ErrorKind, Hint, RecordSelection};
use idx_std::__private::counted;
use idx_std::ErrorKind as FileErrorKind;
use serde::Serialize;
use serde_json::{Value, json};

use crate::term::progress::is_quiet;
use crate::term::reading::{option_text, quoted};
use crate::term::text::{PathText, printable};

/// The reason for which a command stops: with one file, or altogether.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file cannot be read, converted or written.
    File(Error),
    /// An error that the command itself found in a file, with the next step.
    Message { path: PathBuf, text: String },
    /// Standard output cannot be written.
    Output(Error),
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Output(_) => Self::Output(error.with_path("standard output")),
            _ => Self::File(error),
        }
    }
}

impl From<idx_std::Error> for Failure {
    fn from(error: idx_std::Error) -> Self {
        Self::File(error.into())
    }
}

impl Failure {
    pub(crate) fn output(error: io::Error) -> Self {
        Self::Output(Error::from(FileErrorKind::from(error)).with_path("standard output"))
    }

    /// Returns an error of the system with a file.
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::File(Error::from(FileErrorKind::from(error)).with_path(path))
    }

    /// Returns whether the reader of standard output has closed it, as `head` does.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind().io_kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn file(path: &Path, text: impl Into<String>) -> Self {
        Self::Message { path: path.to_path_buf(), text: text.into() }
    }

    /// Returns whether the error is about one file, so that the next one can be read.
    pub(crate) fn is_about_a_file(&self) -> bool {
        !matches!(self, Self::Output(_) | Self::Usage(_))
    }

    /// Prints the error on the error stream.
    pub(crate) fn print(&self, options: &Options) {
        let message = format!("{}: {}", self.path().display(), self.sentence(options));
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let _ = writeln!(anstream::stderr(), "{red}idx:{red:#} {}", printable(&message));
    }

    /// Prints the error and returns its exit code: `code`, unless the usage was wrong.
    pub(crate) fn print_and_exit_code(&self, code: u8, options: &Options) -> ExitCode {
        let Self::Usage(error) = self else {
            self.print(options);
            return code.into();
        };
        if error.use_stderr() {
            let text = error.render().ansi().to_string();
            let _ = write!(anstream::stderr(), "{}", text.replacen("error:", "idx:", 1));
            return ExitCode::from(2);
        }
        match error.print() {
            // The help could not be written.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Self::output(error).print_and_exit_code(code, options)
            }
            _ => ExitCode::SUCCESS,
        }
    }

    fn path(&self) -> &Path {
        let path = match self {
            Self::File(error) | Self::Output(error) => error.path(),
            Self::Message { path, .. } => Some(path.as_path()),
            Self::Usage(_) => None,
        };
        path.unwrap_or(Path::new("-"))
    }

    /// Returns the message without the path.
    fn sentence(&self, options: &Options) -> String {
        match self {
            Self::File(error) | Self::Output(error) => message(error, options),
            Self::Message { text, .. } => text.clone(),
            Self::Usage(error) => error.to_string(),
        }
    }

    /// Returns the object of `--json`, if the error is about a file.
    pub(crate) fn to_json(&self, options: &Options) -> Option<impl Serialize + use<>> {
        let error = match self {
            Self::File(error) => Some(error),
            Self::Message { .. } => None,
            Self::Output(_) | Self::Usage(_) => return None,
        };
        Some(Object {
            path: self.path().into(),
            error: self.sentence(options),
            kind: error.map(|error| error.kind().code()),
            records: error.and_then(Error::records),
            numbers: error.map(|error| match error.kind() {
                ErrorKind::File(kind) => file_numbers(kind),
                ErrorKind::LabelCount { labels, images, .. } => {
                    json!({ "labels": labels, "images": images })
                }
                ErrorKind::LabelNotAllowed { record, label, .. } => {
                    json!({ "record": record, "label": label })
                }
                _ => json!({}),
            }),
        })
    }
}

/// Returns the features of this program and one more: an installation replaces the other.
fn features(more: &str) -> String {
    let built = [
        ("fetch", cfg!(feature = "fetch")),
        ("man", cfg!(feature = "man")),
        ("parquet", cfg!(feature = "parquet")),
        ("tiff", cfg!(feature = "tiff")),
    ];
    let wanted = built.iter().filter(|(name, is_built)| *is_built || *name == more);
    wanted.map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

/// Returns the numbers of an error, by name.
fn file_numbers(kind: &FileErrorKind) -> Value {
    use idx_data::FormatError as Format;

    match kind {
        FileErrorKind::Io(error) => json!({ "os_error": error.raw_os_error() }),
        FileErrorKind::NotIdx { signature: None, start, .. } => json!({ "start": start }),
        FileErrorKind::Unfinished { records, .. } => json!({ "whole_records": records }),
        FileErrorKind::RecordLimitExceeded { limit, needed } => {
            json!({ "limit": limit, "needed": needed })
        }
        FileErrorKind::GzipTruncated { decompressed, missing, .. } => {
            json!({ "decompressed": decompressed, "missing": missing })
        }
        FileErrorKind::GzipDamaged { decompressed, .. } => json!({ "decompressed": decompressed }),
        FileErrorKind::GzipTrailing { found, decompressed, .. } => {
            json!({ "found": found, "decompressed": decompressed })
        }
        FileErrorKind::TrailingBytes { offset, count, at_least, times, .. } => {
            match (at_least, times) {
                (true, _) => json!({ "offset": offset, "at_least": count }),
                (false, Some(times)) => json!({ "offset": offset, "count": count, "times": times }),
                (false, None) => json!({ "offset": offset, "count": count }),
            }
        }
        FileErrorKind::Format(error) => match error {
            Format::NotIdx { start } => json!({ "start": start }),
            Format::UnknownElementType { code } => json!({ "code": code }),
            Format::TooLarge { dimension, size } => json!({ "dimension": dimension, "size": size }),
            Format::Unaddressable { size } => json!({ "size": size }),
            Format::HeaderTruncated { needed, found } => {
                json!({ "needed": needed, "found": found })
            }
            Format::Truncated { needed, found } => json!({ "needed": needed, "found": found }),
            _ => json!({}),
        },
        _ => json!({}),
    }
}

/// The names of the running command's options, without their dashes.
#[derive(Debug, Default)]
pub(crate) struct Options(Vec<String>);

impl Options {
    pub(crate) fn of(command: &clap::Command) -> Self {
        let names = command.get_arguments().filter_map(clap::Arg::get_long);
        Self(names.map(str::to_string).collect())
    }

    /// Returns whether the command has all options in a text, and so can follow it.
    fn have(&self, text: &str) -> bool {
        let mut names = text.split([' ', '`', '=']).filter_map(|word| word.strip_prefix("--"));
        text.starts_with("idx ") || names.all(|name| self.0.iter().any(|own| own == name))
    }
}

/// Returns the message of the library, and the option or the command that follows its advice.
fn message(error: &Error, options: &Options) -> String {
    let kind = error.kind();
    if let ErrorKind::Disabled { feature } = kind {
        return format!(
            "{kind}; install it with `cargo install --locked --path idx-cli --features {}`",
            features(feature)
        );
    }
    let folder = error.path().and_then(Path::parent);
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    if let (ErrorKind::File(FileErrorKind::Io(_)), io::ErrorKind::NotFound, Some(folder)) =
        (kind, kind.io_kind(), folder)
    {
        let folder = folder.display();
        return format!("there is no folder {folder}; create it, or check the path");
    }
    if let Some(range) = mistaken_range(error).filter(|_| options.have("--records")) {
        return format!("no such file; a record is chosen with `--records {range}`");
    }
    let position = error.position().map(|position| format!("{position}: "));
    if let ErrorKind::Question { sentence, answers } = kind {
        let path = error.path().unwrap_or(Path::new("FILE"));
        return format!(
            "{}{}",
            position.unwrap_or_default(),
            question(sentence, answers, path, options)
        );
    }
    let remedy = remedy(error).filter(|remedy| options.have(remedy)).or_else(|| elsewhere(kind));
    let remedy = remedy.map(|remedy| match kind.hint() {
        _ if remedy.contains("` or `") => format!(": `{remedy}`"),
        Some(Hint::SkipBad) => format!(", or leave it out with `{remedy}`"),
        _ => format!(" with `{remedy}`"),
    });
    let is_truncated = matches!(kind.code(), "truncated" | "gzip_truncated");
    let after = error.records().map(|records| {
        let whole = counted(records, "whole record");
        let command = if options.have("--records --rest") { "" } else { "idx convert " };
        match records > 0 && is_truncated {
            true => format!(" (`{command}-r ..{records}` keeps {whole})"),
            false => format!(" (after {whole})"),
        }
    });
    if let (ErrorKind::LabelCount { labels, images, .. }, Some(path)) = (kind, error.path())
        && labels > images
        && options.have("--labels")
    {
        let (sentence, path) = (kind.to_string(), quoted(&path.to_string_lossy()));
        let what = sentence.rsplit_once("; ").map_or(&*sentence, |(what, _)| what);
        return format!(
            "{what}; use the matching files, `--no-labels`, or `--labels first.idx` after `idx convert {path} -r \
             ..{images} -o first.idx` if only the first were kept"
        );
    }
    let [position, remedy, after] = [position, remedy, after].map(Option::unwrap_or_default);
    let raw = match may_be_raw(kind) {
        Some(true) if options.have("--raw") => "; numbers without a header are read with `--raw`",
        Some(false) if options.have("--header") => {
            "; a table is read with `--header` or `--no-header`"
        }
        _ => "",
    };
    format!("{position}{kind}{remedy}{after}{raw}")
}

/// Returns the path of a missing file if it is the number or the range of records.
fn mistaken_range(error: &Error) -> Option<&str> {
    let is_missing = error.kind().io_kind() == io::ErrorKind::NotFound;
    let path = error.path().filter(|_| is_missing)?.to_str()?;
    RecordSelection::try_from(path).is_ok().then_some(path)
}

/// Returns a question with this command's options that answer it, or else those of `idx convert`.
fn question(sentence: &str, answers: &[Answer], path: &Path, options: &Options) -> String {
    let text = |answer: &Answer| {
        let option = option_text(&answer.option, path);
        let option = match options.have(&option) || !option.starts_with("--") {
            true => option,
            false => format!("idx convert {option}"),
        };
        format!("`{option}` {}", answer.when).trim_end().to_string()
    };
    match answers.is_empty() {
        true => sentence.to_string(),
        false => {
            format!("{sentence}: {}", answers.iter().map(text).collect::<Vec<_>>().join(", or "))
        }
    }
}

/// Returns whether the error is about a file of an unknown format that is not text.
fn may_be_raw(kind: &ErrorKind) -> Option<bool> {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    match kind {
        ErrorKind::File(FileErrorKind::NotIdx { signature: None, start, .. }) => {
            Some(!start.iter().all(is_text))
        }
        _ => None,
    }
}

/// Returns the option or the command that follows the advice of an error. This is the only table of them.
fn remedy(error: &Error) -> Option<&'static str> {
    let kind = error.kind();
    if let ErrorKind::File(kind) = kind {
        return file_remedy(kind, error.records());
    }
    if matches!(kind, ErrorKind::FileConflict) {
        return Some("--force");
    }
    Some(match kind.hint()? {
        Hint::ElementType => "--as",
        Hint::Scale => "--as` or `--scale MIN..MAX,A..B",
        Hint::Fractions => "--as f32` or `--as u8 --scale MIN..MAX,0..255",
        Hint::Bytes => "idx convert --as u8` or `idx convert --as u8 --scale MIN..MAX,0..255",
        Hint::LabelType => "--labels-as i32",
        Hint::Shape => "--shape",
        Hint::LabelColumn => "--label-column",
        Hint::Labels => "--labels",
        Hint::NoLabels => "--no-labels",
        Hint::Classes => "--classes",
        Hint::RecordLimit => "--record-limit",
        Hint::PictureSize => "--size",
        Hint::PictureColors => "--channels",
        Hint::SkipBad => "--skip-bad",
        Hint::Threshold => "--threshold",
        Hint::Format => "--to",
        _ => return None,
    })
}

/// Returns the command to use if the running one has no option for it.
const fn elsewhere(kind: &ErrorKind) -> Option<&'static str> {
    match kind.hint() {
        Some(Hint::PictureSize) => Some("idx convert --size"),
        Some(Hint::PictureColors) => Some("idx convert --channels"),
        _ => None,
    }
}

fn file_remedy(kind: &FileErrorKind, records: Option<u64>) -> Option<&'static str> {
    use FileErrorKind as Kind;

    Some(match kind {
        Kind::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => "--force",
        Kind::RecordLimitExceeded { .. } => "--record-limit",
        Kind::WouldLose { .. } => "-o NEW",
        Kind::Unfinished { .. } => "idx repair",
        Kind::TrailingBytes { times: None, records: Some(_), error: None, .. } => match records {
            Some(0) => "idx repair",
            _ => "idx repair --keep-all",
        },
        _ => return None,
    })
}

/// Prints a line on the error stream that `-q` hides.
pub(crate) fn print_note(message: impl Display) {
    if !is_quiet() {
        print_warning(message);
    }
}

/// Prints a line that is not an error on the error stream. If that fails, nobody can read it.
pub(crate) fn print_warning(message: impl Display) {
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
    /// The number of whole records that were read before the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    #[serde(flatten)]
    numbers: Option<Value>,
}
