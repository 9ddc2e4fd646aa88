//! Standard input and output, and the abilities of the terminal.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, Read, StdoutLock, Write};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use crate::term::failure::{ErrorReport, Failure, Options, print_error};
use crate::term::text::{columns, printable_json};

/// The style of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Plain characters, for pipes and for terminals without color.
    Characters,
    /// Half blocks in one of 256 colors.
    Blocks,
    /// Half blocks in any color.
    ExactBlocks,
}

/// Returns standard input, which can be read only once.
pub(crate) fn standard_input() -> Result<Box<dyn Read + Send>, Failure> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        let text = "standard input was read already; use `-` only once";
        return Err(Failure::file(Path::new("-"), text));
    }
    Ok(Box::new(io::stdin()))
}

/// Returns whether a path is standard input, even if a file has that name.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-" // as paths, `-/` is the same
}

/// Returns whether a path is standard output, which may be a file that the shell just created.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    let is_named = |name: &&str| path == Path::new(name);
    path.as_os_str() == "-" || ["/dev/stdout", "/dev/fd/1"].iter().any(is_named)
}

/// Rejects a terminal as standard output for bytes that are not text, because they could contain control
/// sequences.
pub(crate) fn refuse_terminal() -> Result<(), Failure> {
    match io::stdout().is_terminal() {
        true => Err(Failure::file(
            Path::new("standard output"),
            "will not write binary data to a terminal; use a pipe or -o FILE",
        )),
        false => Ok(()),
    }
}

/// Rejects an input that is the file to which standard output goes, as cat(1) does: csv would never end, and other
/// formats would be broken.
pub(crate) fn refuse_own_output(inputs: &[PathBuf]) -> Result<(), Failure> {
    #[cfg(unix)]
    let file = |path: &Path| {
        let found = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some((found.dev(), found.ino()))
    };
    #[cfg(not(unix))]
    let file = |_: &Path| None::<()>;
    let output = file(Path::new("/dev/stdout"));
    let is_output = |path: &&PathBuf| match is_standard_input(path) {
        true => output.is_some() && file(Path::new("/dev/stdin")) == output,
        false => output.is_some() && file(path) == output,
    };
    inputs.iter().find(is_output).map_or(Ok(()), |path| {
        Err(Failure::file(path, "this is the file that standard output goes to; write to another"))
    })
}

/// Returns the path of an output. For standard output, that is the file to which it goes, or `None` for a pipe.
pub(crate) fn place_of_output(output: &Path) -> Option<PathBuf> {
    match is_standard_output(output) {
        true => Path::new("/dev/stdout").canonicalize().ok(),
        false => Some(output.to_path_buf()),
    }
}

/// The destination of output and messages, and the end of the command.
pub(crate) struct Console {
    output: BufWriter<AutoStream<StdoutLock<'static>>>,
    pub(crate) style: Style,
    /// The number of characters in a line.
    pub(crate) width: usize,
    /// The number of lines, if this is a terminal.
    height: Option<usize>,
    /// The width of the widest path so far, in a terminal: `ok` comes after it in each line.
    ok_column: usize,
    /// The exit code, and its value after something was wrong with a file.
    pub(crate) code: u8,
    pub(crate) failure_code: u8,
    /// The options of the running command, for advice in messages.
    pub(crate) options: Options,
    /// True if reports and also errors are printed as lines of JSON.
    pub(crate) is_json: bool,
}

impl Console {
    pub(crate) fn new(color: clap::ColorChoice) -> Self {
        let choice = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        // This also applies to messages.
        choice.write_global();
        let stream = AutoStream::new(io::stdout().lock(), choice);
        let are_exact = std::env::var("COLORTERM").is_ok_and(|colors| {
            let colors = colors.to_ascii_lowercase();
            colors == "truecolor" || colors == "24bit"
        });
        let style = match stream.current_choice() {
            ColorChoice::Never => Style::Characters,
            _ if are_exact => Style::ExactBlocks,
            _ => Style::Blocks,
        };
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        let height = terminal_size::terminal_size_of(io::stdout());
        let height = height.map(|(_, height)| usize::from(height.0));
        let output = BufWriter::new(stream);
        Self {
            output,
            style,
            width,
            height,
            ok_column: 0,
            code: 0,
            failure_code: 1,
            options: Options::default(),
            is_json: false,
        }
    }

    /// For `write!`.
    pub(crate) fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        self.output.write_fmt(text).map_err(Failure::output)
    }

    /// Returns the number of lines that remain below `lines` lines and the prompt; `None` if this is not a terminal.
    pub(crate) fn lines_below(&self, lines: usize) -> Option<usize> {
        self.height.map(|height| height.saturating_sub(lines + 1))
    }

    /// Returns the line for a file without errors. In a terminal, all `ok` are in one column, if the line has room;
    /// with colors, they are green.
    pub(crate) fn ok_line(&mut self, path: &str, rest: &str) -> String {
        let length = columns(path);
        if self.height.is_some() && length <= self.width / 2 {
            self.ok_column = self.ok_column.max(length);
        }
        let gap = self.ok_column.saturating_sub(length);
        let is_full = length + gap + ": ok: ".len() + columns(rest) > self.width;
        let gap = " ".repeat(if is_full { 0 } else { gap });
        match self.style {
            Style::Characters => format!("{path}: {gap}ok: {rest}"),
            Style::Blocks | Style::ExactBlocks => {
                let green = anstyle::AnsiColor::Green.on_default().bold();
                format!("{path}: {gap}{green}ok{green:#}: {rest}")
            }
        }
    }

    /// Returns the line with its less important part dimmed: the key of a report, or the number of a record before its
    /// label.
    pub(crate) fn styled(&self, line: &str) -> String {
        let key = match line.strip_prefix("  ").filter(|text| !text.starts_with(' ')) {
            Some(text) => text.find("  ").map(|end| end + 2),
            None => {
                line.find(": ").filter(|end| line.bytes().take(*end).all(|b| b.is_ascii_digit()))
            }
        };
        match key.and_then(|end| line.split_at_checked(end)) {
            Some((key, value)) if self.style != Style::Characters => {
                let dim = anstyle::Style::new().dimmed();
                format!("{dim}{key}{dim:#}{value}")
            }
            _ => line.to_string(),
        }
    }

    /// Prints a value as a line of JSON.
    pub(crate) fn print_json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(value).map_err(|error| Failure::output(error.into()))?;
        writeln!(self, "{}", printable_json(&line))
    }

    /// Prints the error of a file, after the output so far, so that the next file can follow; returns an
    /// error that is not about one file.
    pub(crate) fn print_failure(&mut self, failure: Failure) -> Result<(), Failure> {
        let Failure::File(error) = failure else {
            return Err(failure);
        };
        let reported = match self.is_json {
            true => self.print_json(&ErrorReport::new(&error, &self.options)),
            false => Ok(()),
        };
        let flushed = reported.and_then(|()| self.output.flush().map_err(Failure::output));
        // Even if nobody reads the output.
        self.code = self.failure_code;
        print_error(&error, &self.options);
        flushed
    }

    /// Writes the remaining output, and prints why the command failed, if it did.
    pub(crate) fn finish(mut self, result: Result<(), Failure>) -> ExitCode {
        let result = result.or_else(|failure| self.print_failure(failure));
        let flushed = self.output.flush().map_err(Failure::output);
        match result.and(flushed) {
            Err(failure) if !failure.is_closed_pipe() => {
                failure.print_and_exit_code(self.failure_code, &self.options)
            }
            // A closed pipe is not an error, but a file may have been wrong.
            _ => self.code.into(),
        }
    }
}
