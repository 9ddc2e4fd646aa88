//! Prints the report of a file, as text or as a line of JSON.

use std::fmt::Display;
use std::path::Path;

use idx_std::ElementType;
use indicatif::HumanCount;
use serde::Serialize;

use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::progress::is_quiet;
use crate::term::text::PathText;

/// Prints the report of a file: as text, or as a line of JSON. The text keeps its line breaks, so untrusted text in it
/// must be made printable first.
pub(crate) fn report(
    report: &(impl Serialize + Display),
    console: &mut Console,
) -> Result<(), Failure> {
    if console.is_json {
        return console.print_json(report);
    }
    for line in report.to_string().lines() {
        let line = console.styled(line);
        writeln!(console, "{line}")?;
    }
    Ok(())
}

/// The report of a file in one line.
#[derive(Serialize)]
pub(crate) struct Verdict<R> {
    #[serde(flatten)]
    path: PathText,
    /// The change to the file, made or due; `None` without errors.
    #[serde(skip)]
    done: Option<String>,
    #[serde(flatten)]
    report: R,
}

impl<R: Serialize + Display> Verdict<R> {
    /// Creates the verdict on a file without errors.
    pub(crate) fn ok(path: &Path, report: R) -> Self {
        Self { path: path.into(), done: None, report }
    }

    /// Creates the verdict on a file to which something was done, or has to be done.
    pub(crate) fn done(path: &Path, done: String, report: R) -> Self {
        Self { path: path.into(), done: Some(done), report }
    }

    /// Prints the line.
    pub(crate) fn print(self, console: &mut Console) -> Result<(), Failure> {
        let Self { path, done, report } = &self;
        match done {
            _ if console.is_json => console.print_json(&self),
            None if is_quiet() => Ok(()),
            None => {
                let line = console.ok_line(&path.to_string(), &report.to_string());
                writeln!(console, "{line}")
            }
            Some(done) => writeln!(console, "{path}: {done}: {report}"),
        }
    }
}

/// Returns the name of a well-known file.
pub(crate) fn known_text(known: Option<&str>) -> &str {
    known.unwrap_or("not a well-known file")
}

/// Returns the shortest text that reads back as the same value.
pub(crate) fn value_text(element_type: ElementType, value: f64) -> String {
    let is_plain = matches!(value.abs(), 0.0 | 1e-4..1e15);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an f64 would show digits that the f32 does not have"
    )]
    match (element_type, is_plain) {
        (ElementType::F32, true) => (value as f32).to_string(),
        (ElementType::F32, false) => format!("{:e}", value as f32),
        (_, true) => value.to_string(),
        (_, false) => format!("{value:e}"),
    }
}

/// Returns a number of things, for people: "1 record", or "60,000 records". The sizes of a shape have no commas.
pub(crate) fn grouped_count(count: u64, unit: &str) -> String {
    format!("{} {unit}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// Returns a number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}
