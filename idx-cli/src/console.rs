use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use idx_std::Error;
use idx_std::formats::{self, Setting};

/// Why a command does not go on with a file.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something is wrong with the file; a sentence says what, and what to do.
    File { path: PathBuf, message: String },
    /// The output cannot be written, so there is no point in going on at all.
    Output(io::Error),
}

impl Stop {
    pub(crate) fn file(path: &Path, message: impl Into<String>) -> Self {
        Self::File {
            path: path.to_path_buf(),
            message: message.into(),
        }
    }

    /// As the error says, which may name a file in the folder that was asked for.
    pub(crate) fn error(path: &Path, error: &Error) -> Self {
        Self::file(error.path().unwrap_or(path), error.message())
    }
}

impl From<formats::Error> for Stop {
    /// As the error says, with the option for what it advises to set.
    fn from(error: formats::Error) -> Self {
        let path = error.path().to_path_buf();
        let message = match error.into_kind() {
            formats::ErrorKind::Output(error) => return Self::Output(error),
            formats::ErrorKind::Disabled { feature } => format!(
                "this program was built without the feature `{feature}`; install it with `cargo \
                 install --path idx-cli --features {feature}`"
            ),
            kind => match kind.setting().and_then(option) {
                Some(option) => format!("{kind} with `{option}`"),
                None => kind.to_string(),
            },
        };
        Self::File { path, message }
    }
}

/// The option of `idx convert` for a setting.
fn option(setting: Setting) -> Option<&'static str> {
    Some(match setting {
        Setting::ElementType => "--as",
        Setting::LabelType => "--labels-as",
        Setting::Shape => "--shape",
        Setting::Header => "--header",
        Setting::ShardRecords => "--shard-records",
        _ => return None,
    })
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Prints a message on the error stream. If that takes none, there is nobody to tell.
pub(crate) fn say(message: impl Display) {
    let _ = writeln!(io::stderr(), "idx: {message}");
}

/// Refuses to write over a file.
pub(crate) fn refuse_to_replace(path: &Path) -> Result<(), Stop> {
    match path.is_file() {
        true => Err(Stop::file(
            path,
            "the file already exists; choose another name or pass --force",
        )),
        false => Ok(()),
    }
}

/// Refuses to write into a folder with files.
pub(crate) fn refuse_to_fill(path: &Path) -> Result<(), Stop> {
    let mut entries = fs::read_dir(path).into_iter().flatten();
    match entries.next() {
        Some(_) => Err(Stop::file(
            path,
            "the folder is not empty; choose another name or pass --force",
        )),
        None => Ok(()),
    }
}

/// How pictures are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Plain characters, for pipes and for terminals without colour.
    Characters,
    /// Half blocks in one of 256 colours.
    Blocks,
    /// Half blocks in any colour.
    ExactBlocks,
}

/// Where output and messages go, and whether a file was wrong.
pub(crate) struct Console {
    pub(crate) output: BufWriter<AutoStream<StdoutLock<'static>>>,
    pub(crate) style: Style,
    /// Characters in a line.
    pub(crate) width: usize,
    failed: bool,
}

impl Console {
    pub(crate) fn standard() -> Self {
        let stream = AutoStream::auto(io::stdout().lock());
        let exact = std::env::var("COLORTERM").is_ok_and(|colours| {
            let colours = colours.to_ascii_lowercase();
            colours == "truecolor" || colours == "24bit"
        });
        let style = match stream.current_choice() {
            ColorChoice::Never => Style::Characters,
            _ if exact => Style::ExactBlocks,
            _ => Style::Blocks,
        };
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        Self {
            output: BufWriter::new(stream),
            style,
            width,
            failed: false,
        }
    }

    /// Says what is wrong with a file, after all that was said before.
    pub(crate) fn report(&mut self, done: Result<(), Stop>) -> io::Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(Stop::Output(error)) => Err(error),
            Err(Stop::File { path, message }) => {
                self.output.flush()?;
                self.failed = true;
                say(format_args!("{}: {message}", path.display()));
                Ok(())
            }
        }
    }

    /// Writes what is left, and tells whether all files were right.
    pub(crate) fn finish(mut self) -> io::Result<ExitCode> {
        self.output.flush()?;
        Ok(if self.failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}
