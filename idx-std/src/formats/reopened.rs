use super::error::{Error, ErrorKind};
use super::record::{Record, RecordFacts, RecordSource, Skipped};

type Open = Box<dyn Fn() -> Result<Box<dyn RecordSource>, Error>>;

/// A file that is closed until its records are read, because the number of open files is limited.
pub(super) struct ReopenedSource {
    source: Option<Box<dyn RecordSource>>,
    open: Open,
    facts: RecordFacts,
    /// What was skipped before the file was closed.
    skipped: Vec<Skipped>,
}

impl ReopenedSource {
    pub(super) fn new(open: Open) -> Result<Self, Error> {
        let source = open()?;
        Ok(Self { facts: source.facts().clone(), source: Some(source), open, skipped: Vec::new() })
    }

    fn source(&mut self) -> Result<&mut dyn RecordSource, Error> {
        let source = match self.source.take() {
            Some(source) => source,
            None => {
                let source = (self.open)()?;
                if *source.facts() != self.facts {
                    let message = "the file changed meanwhile; convert it again";
                    return Err(ErrorKind::mismatch(message).into());
                }
                source
            }
        };
        Ok(self.source.insert(source).as_mut())
    }
}

impl RecordSource for ReopenedSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        let source = self.source.iter().flat_map(|source| source.skipped());
        self.skipped.iter().chain(source).collect()
    }

    fn close(&mut self) {
        if let Some(source) = self.source.take() {
            self.skipped.extend(source.skipped().into_iter().cloned());
        }
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.source()?.skip(records)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        self.source()?.read(record)
    }
}
