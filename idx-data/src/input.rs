use std::path::{Path, PathBuf};

use super::error::{Error, ErrorKind};
use super::format::Format;
use super::record::{RecordFacts, RecordSource, Skipped};

/// What is wrong with a file that is opened again and has other records.
pub(super) const CHANGED: &str = "the file changed while it was read; convert it again";

type Open = Box<dyn Fn() -> Result<Box<dyn RecordSource>, Error> + Send>;

/// A file or folder, which may be closed until its records are read: the number of open files is limited.
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) formats: Vec<Format>,
    source: Option<Box<dyn RecordSource>>,
    /// Opens it again.
    pub(super) open: Option<Open>,
    pub(super) facts: RecordFacts,
    /// What was skipped before it was closed.
    skipped: Vec<Skipped>,
}

impl Input {
    pub(super) fn new(
        path: &Path,
        formats: Vec<Format>,
        source: Box<dyn RecordSource>,
        open: Option<Open>,
    ) -> Self {
        let facts = source.facts().clone();
        let path = path.to_path_buf();
        Self { path, formats, source: Some(source), open, facts, skipped: Vec::new() }
    }

    pub(super) fn source(&mut self) -> Result<&mut dyn RecordSource, Error> {
        let source = match (self.source.take(), &self.open) {
            (Some(source), _) => source,
            (None, Some(open)) => {
                let source = open()?;
                if *source.facts() != self.facts {
                    return Err(Error::from(ErrorKind::mismatch(CHANGED)).with_path(&self.path));
                }
                source
            }
            // Only what can be opened again is closed.
            (None, None) => return Err(ErrorKind::mismatch("the input was closed").into()),
        };
        Ok(self.source.insert(source).as_mut())
    }

    pub(super) fn close(&mut self) {
        match (&self.open, &mut self.source) {
            (Some(_), Some(source)) => {
                self.skipped.extend(source.skipped().into_iter().cloned());
                self.source = None;
            }
            (None, Some(source)) => source.close(),
            (_, None) => {}
        }
    }

    pub(super) fn skipped(&self) -> impl Iterator<Item = &Skipped> {
        let source = self.source.iter().flat_map(|source| source.skipped());
        self.skipped.iter().chain(source)
    }
}
