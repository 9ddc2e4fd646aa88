use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};

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
        let stdout = io::stdout().lock();
        let stream = AutoStream::auto(stdout);
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
    pub(crate) fn fail(&mut self, path: &Path, message: impl Display) -> io::Result<()> {
        self.output.flush()?;
        self.failed = true;
        eprintln!("idx: {}: {message}", path.display());
        Ok(())
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
