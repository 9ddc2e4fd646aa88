//! The readings of inputs, with the options of the command that state them.

use std::fmt;
use std::path::Path;

use idx_data::{Column, InputReading, Reading, ReadingOption, Subject};
use idx_std::__private::counted;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::term::failure::print_note;
use crate::term::text::{PathText, printable};

/// Prints the readings of the inputs on the error stream, unless their own headers say everything.
pub(crate) fn print_reading(reading: &Reading) {
    if reading.is_plain() {
        return;
    }
    for input in reading.inputs() {
        let more = match input.alike() {
            0 => String::new(),
            alike => format!(" and {} like it", counted(alike, "input")),
        };
        print_note(format_args!("{}{more}: {}", input.path().display(), text(input)));
    }
}

/// Returns the statements about an input, and the options that state the same.
fn text(input: &InputReading) -> String {
    let options: Vec<String> =
        input.options().iter().map(|option| option_text(option, input.path())).collect();
    match options.is_empty() {
        true => input.to_string(),
        false => format!("{input} ({})", options.join(" ")),
    }
}

/// Returns an option as written in a shell.
pub(crate) fn option_text(option: &ReadingOption, path: &Path) -> String {
    let name = option.name().replace('_', "-");
    match (option, option.value()) {
        (ReadingOption::Header(true), _) => "--header".to_string(),
        (ReadingOption::Header(false), _) => "--no-header".to_string(),
        (ReadingOption::NoLabels, _) => "--no-labels".to_string(),
        (ReadingOption::Part(part), _) => format!("{}:{part}", path.display()),
        // Otherwise it would be read as an option.
        (_, Some(value)) if value.starts_with('-') => format!("--{name}={}", quoted(&value)),
        (_, Some(value)) => format!("--{name} {}", quoted(&value)),
        (_, None) => format!("--{name}"),
    }
}

/// Quotes a word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:=+@%,".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The reading of an input in `--json`: its statements by subject, and its options by name.
#[derive(Serialize)]
pub(crate) struct ReadingReport {
    #[serde(flatten)]
    path: PathText,
    statements: Vec<Value>,
    options: Map<String, Value>,
    #[serde(skip)]
    text: String,
}

impl ReadingReport {
    /// Returns the reading without the statement about the records, because their report has it.
    pub(crate) fn without_records(input: &InputReading) -> Self {
        let statements = input.statements().iter();
        let others = statements.filter(|statement| statement.subject != Subject::Records);
        let texts: Vec<&str> = others.map(|statement| statement.text.as_str()).collect();
        Self { text: texts.join("; "), ..Self::from(input) }
    }
}

impl fmt::Display for ReadingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.text))
    }
}

impl From<&InputReading> for ReadingReport {
    fn from(input: &InputReading) -> Self {
        let statements = input.statements().iter().map(|statement| {
            json!({
                "subject": statement.subject.name(),
                "text": statement.text,
                "by": statement.by.name(),
            })
        });
        let option = |option: &ReadingOption| {
            let column = |column: &Column| match column {
                Column::Index(index) => json!(index),
                Column::Name(name) => json!(name),
                _ => Value::Null,
            };
            let value = match option {
                ReadingOption::Header(is_header) => json!(is_header),
                ReadingOption::NoLabels => json!(false),
                ReadingOption::LabelColumn(one) | ReadingOption::Column(one) => column(one),
                ReadingOption::Skip(columns) => columns.iter().map(column).collect(),
                ReadingOption::Shape(sizes) => json!(sizes),
                _ => json!(option.value()),
            };
            (option.name().to_string(), value)
        };
        Self {
            path: input.path().into(),
            statements: statements.collect(),
            options: input.options().iter().map(option).collect(),
            text: text(input),
        }
    }
}
