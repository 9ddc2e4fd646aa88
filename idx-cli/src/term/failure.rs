//! The failure of a command: its message, the option that helps, the object of `--json`, and the exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use idx_data::{Answer, Error, ErrorKind, FormatError, Hint, Reader, RecordSelection};
use idx_std::__private::counted;
use idx_std::ErrorKind as FileErrorKind;
use serde::Serialize;
use serde_json::{Value, json};

use crate::term::progress::is_quiet;
use crate::term::reading::option_text;
use crate::term::text::{PathText, bytes_unless_text, printable};

/// Why a command stops: with one file, or altogether.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file cannot be read, converted or written.
    File(Error),
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

    /// Converts an error of the system, and adds the path of the file.
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::File(Error::from(FileErrorKind::from(error)).with_path(path))
    }

    /// Returns whether the reader of standard output has closed it, as `head` does.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind().io_kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns an error that the command itself found in a file; the sentence says what is wrong, and the next step.
    pub(crate) fn file(path: &Path, text: impl Into<String>) -> Self {
        let kind = ErrorKind::Mismatch { sentence: text.into(), hint: None };
        Self::File(Error::from(kind).with_path(path))
    }

    /// Prints why the command ends, and returns the exit code: `code`, unless the usage was wrong.
    pub(crate) fn print_and_exit_code(&self, code: u8, options: &Options) -> ExitCode {
        let error = match self {
            Self::File(error) | Self::Output(error) => {
                print_error(error, options);
                return code.into();
            }
            Self::Usage(error) => error,
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
}

/// Prints an error on the error stream.
pub(crate) fn print_error(error: &Error, options: &Options) {
    let message = format!("{}: {}", path(error).display(), message(error, options));
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let _ = writeln!(anstream::stderr(), "{red}idx:{red:#} {}", printable(&message));
}

fn path(error: &Error) -> &Path {
    error.path().unwrap_or(Path::new("-"))
}

/// Returns the features of this program and one more, because a new installation replaces this one.
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
    use FormatError as Format;

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

/// The options of the running command.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// Without their dashes.
    names: Vec<String>,
    /// The words before an option in advice: for files without a command, the command that has the options.
    start: &'static str,
}

impl Options {
    pub(crate) fn of(command: &clap::Command, start: &'static str) -> Self {
        let names = command.get_arguments().filter_map(clap::Arg::get_long);
        Self { names: names.map(str::to_string).collect(), start }
    }

    /// Returns an option as advised; a command stays as it is.
    fn advice(&self, option: &str) -> String {
        let start = if option.starts_with("--") { self.start } else { "" };
        format!("{start}{option}")
    }

    /// Returns whether the command has all options in a text, so that the user can follow it.
    fn have(&self, text: &str) -> bool {
        let mut names = text.split([' ', '`', '=']).filter_map(|word| word.strip_prefix("--"));
        text.starts_with("idx ") || names.all(|name| self.names.iter().any(|own| own == name))
    }
}

/// Returns the message of the library, and the option or the command that follows its advice.
fn message(error: &Error, options: &Options) -> String {
    let kind = error.kind();
    let position = error.position().map(|position| format!("{position}: ")).unwrap_or_default();
    if let ErrorKind::Question { sentence, answers } = kind {
        let path = error.path().unwrap_or(Path::new("FILE"));
        return format!("{position}{}", question(sentence, answers, path, options));
    }
    let text = of_path(error, options).or_else(|| of_existing(error, options));
    let text = text.or_else(|| of_joined_files(error)).or_else(|| of_truncated(error, options));
    if let Some(text) = text.or_else(|| of_more_labels(error, options)) {
        return position + &or_without_labels(text, error, options);
    }
    let sentence = followable(kind, options);
    let remedy = remedy(error, options).map(|remedy| match kind.hint() {
        _ if matches!(kind, ErrorKind::Disabled { .. }) => format!("; install it with `{remedy}`"),
        _ if remedy.contains("` or `") => format!(": `{remedy}`"),
        Some(Hint::Fractions) => format!(": `{remedy}`"),
        Some(Hint::SkipBad) => format!(", or leave it out with `{remedy}`"),
        _ => format!(" with `{remedy}`"),
    });
    let after =
        error.records().map(|records| format!(" (after {})", counted(records, "whole record")));
    // The options that state how the input is read do not hold for what is next to it.
    let raw = match may_be_raw(kind).filter(|_| !error.is_beside()) {
        Some(true) if options.have("--raw") => {
            format!("numbers without a header are read with `{}`", options.advice("--raw"))
        }
        Some(false) if options.have("--header") => {
            let [with, without] = ["--header", "--no-header"].map(|option| options.advice(option));
            format!("a table is read with `{with}` or `{without}`")
        }
        _ => {
            let [remedy, after] = [remedy, after].map(Option::unwrap_or_default);
            return position + &or_without_labels(sentence + &remedy, error, options) + &after;
        }
    };
    format!("{position}{}; {raw}", without_end(&sentence))
}

/// Returns the sentence of an error, without the advice to leave out labels if the command cannot.
fn followable(kind: &ErrorKind, options: &Options) -> String {
    let sentence = kind.to_string();
    let may_leave_out = kind.hint() != Some(Hint::NoLabels) || options.have("--no-labels");
    let rest = sentence.strip_suffix(", or leave the labels out").filter(|_| !may_leave_out);
    match rest.map(|rest| (rest, rest.rsplit_once("; "))) {
        Some((_, Some((what, advice)))) => format!("{what}; {}", advice.replacen(", ", ", or ", 1)),
        Some((rest, None)) => rest.to_string(),
        None => sentence,
    }
}

/// Adds the option that leaves out what was found next to the input, if the error is about it.
fn or_without_labels(text: String, error: &Error, options: &Options) -> String {
    let is_told = error.kind().hint() == Some(Hint::NoLabels);
    if !error.is_beside() || is_told || !options.have("--no-labels") {
        return text;
    }
    let and = if text.contains("; ") { ", or" } else { ";" };
    format!("{text}{and} leave the labels out with `{}`", options.advice("--no-labels"))
}

/// Returns a sentence without the advice at its end, because there is better advice.
fn without_end(sentence: &str) -> &str {
    sentence.rsplit_once("; ").map_or(sentence, |(what, _)| what)
}

/// Returns the message for a truncated file that starts with whole records. It fits in two lines of a terminal.
fn of_truncated(error: &Error, options: &Options) -> Option<String> {
    let kind = error.kind();
    let records = error.records().filter(|records| *records > 0)?;
    let what = match kind {
        ErrorKind::File(FileErrorKind::Format(FormatError::Truncated { needed, found })) => {
            format!("truncated: {found} of {needed} payload bytes")
        }
        ErrorKind::File(FileErrorKind::GzipTruncated { decompressed, missing, .. }) => {
            match missing.filter(|missing| *missing > 0) {
                Some(missing) => {
                    let all = decompressed.saturating_add(missing);
                    format!("truncated: {decompressed} of {all} decompressed bytes")
                }
                None => without_end(&kind.to_string()).to_string(),
            }
        }
        _ => return None,
    };
    let command = match kind {
        // Reading all records would fail at the same end. Only IDX files can be repaired.
        ErrorKind::File(FileErrorKind::GzipTruncated { missing: Some(0), .. }) => {
            let is_idx = Reader::open_regular(path(error)).is_ok();
            if is_idx { "idx repair" } else { "gunzip -c FILE > NEW" }.to_string()
        }
        _ if options.have("--records --rest") => format!("-r ..{records}"),
        _ => format!("idx convert FILE -r ..{records} -o NEW"),
    };
    let records = counted(records, "record");
    Some(format!("{what}; download it again, or `{command}` keeps {records}"))
}

/// Returns the message for a path whose folder is missing, or that looks like the value of an option or a part of a
/// set.
fn of_path(error: &Error, options: &Options) -> Option<String> {
    let is_missing = error.kind().io_kind() == io::ErrorKind::NotFound;
    let path = error.path().filter(|_| is_missing)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    if let (ErrorKind::File(FileErrorKind::Io(_)), Some(folder)) = (error.kind(), folder) {
        let folder = folder.display();
        return Some(format!("there is no folder {folder}; create it, or check the path"));
    }
    let name = path.to_str()?;
    let advice = if RecordSelection::try_from(name).is_ok() && options.have("--records") {
        format!("choose records with `--records {name}`, and write a list without spaces: 3,7")
    } else if name.trim_end_matches('%').parse::<f64>().is_ok() && options.have("--rest") {
        "`--split` takes one part, and `--rest OUT` gets the other records".to_string()
    } else if let Some(set) = name.strip_suffix(':').filter(|set| Path::new(set).exists()) {
        format!("remove the colon: {set}")
    } else if name.rsplit_once(':').is_some_and(|(set, _)| Path::new(set).exists()) {
        "this command takes files, not parts of sets".to_string()
    } else {
        return None;
    };
    Some(format!("no such file; {advice}"))
}

/// Returns the message for an output that exists, if the command never replaces a file.
fn of_existing(error: &Error, options: &Options) -> Option<String> {
    let exists = error.kind().io_kind() == io::ErrorKind::AlreadyExists;
    let is_system = matches!(error.kind(), ErrorKind::File(FileErrorKind::Io(_)));
    let text = || "the file already exists; choose another name, or remove the file".to_string();
    (exists && is_system && !options.have("--force")).then(text)
}

/// Returns the message for bytes after the payload that no repair in place keeps: another file, as after cat(1).
fn of_joined_files(error: &Error) -> Option<String> {
    let ErrorKind::File(FileErrorKind::TrailingBytes { records: Some(_), .. }) = error.kind()
    else {
        return None;
    };
    let found = idx_std::repair(error.path()?).ok()?.keep_all();
    let text =
        || format!("{found}; `idx repair -o NEW` keeps the first, and `idx convert` joins files");
    // A file of one number has no room for more records, whatever the extra bytes are.
    let is_array = !found.header().dims().is_empty();
    (is_array && found.check().is_err()).then(text)
}

/// Returns the message for more labels than images: the first labels may be those of the images.
fn of_more_labels(error: &Error, options: &Options) -> Option<String> {
    let ErrorKind::LabelCount { labels, images, .. } = error.kind() else {
        return None;
    };
    let sentence = error.kind().to_string();
    let what = without_end(&sentence);
    let none = options.advice("--no-labels");
    let text = || {
        format!(
            "{what}; use the matching files, `{none}`, or `idx convert LABELS -r ..{images} -o NEW`"
        )
    };
    (labels > images && options.have("--labels")).then(text)
}

/// Returns a question with this command's options that answer it, or else those of `idx convert`.
fn question(sentence: &str, answers: &[Answer], path: &Path, options: &Options) -> String {
    let text = |answer: &Answer| {
        let option = option_text(&answer.option, path);
        let option = match options.have(&option) || !option.starts_with("--") {
            true => options.advice(&option),
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

/// Returns whether a file of an unknown format may be raw numbers, because it is not text; `None` for other errors.
fn may_be_raw(kind: &ErrorKind) -> Option<bool> {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    match kind {
        ErrorKind::File(FileErrorKind::NotIdx { signature: None, start, .. }) => {
            Some(!start.iter().all(is_text))
        }
        _ => None,
    }
}

/// Returns the option that follows the advice of an error if the running command has it, or else a command.
fn remedy(error: &Error, options: &Options) -> Option<String> {
    let kind = error.kind();
    if let ErrorKind::Disabled { feature } = kind {
        let features = features(feature);
        return Some(format!("cargo install --locked --path idx-cli --features {features}"));
    }
    let remedy = remedy_of(kind, error.records())?;
    match kind.hint() {
        _ if options.have(remedy) => {
            let each = remedy.split("` or `").map(|option| options.advice(option));
            Some(each.collect::<Vec<_>>().join("` or `"))
        }
        // The command does not scale.
        Some(Hint::Fractions) if options.have("--as") => Some(options.advice("--as f32")),
        Some(Hint::PictureSize | Hint::PictureColors) => Some(format!("idx convert {remedy}")),
        _ => None,
    }
}

/// The only table of options and commands that follow advice.
fn remedy_of(kind: &ErrorKind, records: Option<u64>) -> Option<&'static str> {
    match kind {
        ErrorKind::File(kind) => return file_remedy(kind, records),
        ErrorKind::FileConflict => return Some("--force"),
        _ => {}
    }
    Some(match kind.hint()? {
        Hint::ElementType => "--as",
        Hint::Scale => "--scale MIN..MAX,A..B",
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

/// Returns the line of a note on a file: a result that may surprise, though nothing went wrong.
pub(crate) fn note(path: &Path, text: impl Display) -> String {
    format!("{}: note: {text}", path.display())
}

/// Prints a line on the error stream, unless `-q` hides it.
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
pub(crate) struct ErrorReport {
    #[serde(flatten)]
    path: PathText,
    error: String,
    /// A word for programs, which stays the same if the message changes.
    kind: &'static str,
    /// The number of whole records that were read before the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    #[serde(flatten)]
    numbers: Value,
}

impl ErrorReport {
    pub(crate) fn new(error: &Error, options: &Options) -> Self {
        Self {
            path: path(error).into(),
            error: message(error, options),
            kind: error.kind().code(),
            records: error.records(),
            numbers: match error.kind() {
                ErrorKind::File(kind) => file_numbers(kind),
                ErrorKind::LabelCount { labels, images, images_path } => {
                    let of = images_path.as_ref().map(|path| path.display().to_string());
                    match images_path.as_deref().and_then(bytes_unless_text) {
                        Some(bytes) => {
                            json!({ "labels": labels, "images": images, "of": of, "of_bytes": bytes })
                        }
                        None => json!({ "labels": labels, "images": images, "of": of }),
                    }
                }
                ErrorKind::LabelNotAllowed { record, label, .. } => {
                    json!({ "record": record, "label": label })
                }
                _ => json!({}),
            },
        }
    }
}
