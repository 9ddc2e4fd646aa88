//! Every command that reads or writes a file, with placeholders for its input and output.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use idx_tests::file;

use crate::common::Folder;

/// Placeholders for the file that a command reads, and for the one that it writes.
pub(crate) const INPUT: &str = "INPUT";

pub(crate) const OUTPUT: &str = "OUTPUT";

/// Every command that reads a file.
pub(crate) const READING: [&[&str]; 8] = [
    &["info", INPUT],
    &["info", "--identify", INPUT],
    &["show", INPUT],
    &["show", INPUT, "-o", "-"],
    &["stats", INPUT],
    &["check", INPUT],
    &["convert", INPUT, "--to", "csv", "-o", "-"],
    &["convert", INPUT, "--to", "idx.gz", "-o", "-"],
];

/// Every command that writes a file.
pub(crate) const WRITING: [&[&str]; 5] = [
    &["show", INPUT, "--records", "..", "-o", OUTPUT],
    &["convert", INPUT, "--to", "idx", "-o", OUTPUT],
    &["convert", INPUT, "--to", "idx.gz", "-o", OUTPUT],
    &["convert", INPUT, "--to", "npy", "-o", OUTPUT],
    &["convert", INPUT, "--to", "csv", "-o", OUTPUT],
];

pub(crate) const WRITING_A_FOLDER: &[&str] = &["convert", INPUT, "--to", "png", "-o", OUTPUT];

pub(crate) const ALREADY_THERE: &str =
    "the file already exists; choose another name, or replace it with `--force`";

/// Images of 32 x 32.
pub(crate) fn images(count: u32) -> Vec<u8> {
    let pixels = (0..count * 32 * 32).map(|index| index.to_be_bytes()[3]);
    file(0x08, &[count, 32, 32], &pixels.collect::<Vec<u8>>())
}

/// The command with these paths as its INPUT and its OUTPUT.
pub(crate) fn command(
    folder: &Folder,
    arguments: &[&str],
    input: impl AsRef<OsStr>,
    output: impl AsRef<OsStr>,
) -> Command {
    let mut command = folder.command(&[]);
    command.args(arguments.iter().map(|argument| match *argument {
        INPUT => input.as_ref(),
        OUTPUT => output.as_ref(),
        other => OsStr::new(other),
    }));
    command
}

/// The output of a command that succeeds without a message.
#[track_caller]
pub(crate) fn written(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    output.stdout
}

/// The report on a file, without its name and its length, which a stream lacks.
pub(crate) fn lines_about(output: &[u8], name: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let lines = text.lines().filter(|line| !line.starts_with("  file  "));
    lines
        .map(|line| match line.split_once(": ok: ") {
            Some((path, rest)) if path == name => format!("INPUT: ok: {rest}"),
            _ if line == name => INPUT.to_string(),
            _ => line.to_string(),
        })
        .collect()
}

/// The exit code and messages of a command with this as standard output.
pub(crate) fn written_to(command: &mut Command, output: impl Into<Stdio>) -> (Option<i32>, String) {
    let output = command.stdout(output).output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), messages)
}
