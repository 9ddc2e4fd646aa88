use std::fmt;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::error::{At, Error, ErrorKind};

/// The destination of the source code.
pub(super) struct Output<'a> {
    stream: BufWriter<&'a mut dyn Write>,
    path: &'a Path,
}

impl<'a> Output<'a> {
    pub(super) fn new(stream: &'a mut dyn Write, path: &'a Path) -> Self {
        let stream = BufWriter::new(stream);
        Self { stream, path }
    }

    /// For `write!`.
    pub(super) fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Error> {
        let written = self.stream.write_fmt(text);
        written.map_err(ErrorKind::Output).at(self.path)
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.stream.flush().map_err(ErrorKind::Output).at(self.path)
    }
}
