use idx_core::ElementType;

use super::error::{Error, ErrorKind};
use super::record::{Record, RecordLayout, RecordSource};

type Open = Box<dyn Fn() -> Result<Box<dyn RecordSource>, Error>>;

/// A file that is closed until its records are wanted: a process may have only so many files open.
pub(super) struct ReopenedSource {
    source: Option<Box<dyn RecordSource>>,
    open: Open,
    layout: RecordLayout,
    count: Option<u64>,
    has_labels: bool,
    label_type: Option<ElementType>,
}

impl ReopenedSource {
    pub(super) fn new(open: Open) -> Result<Self, Error> {
        let source = open()?;
        Ok(Self {
            layout: source.layout().clone(),
            count: source.count(),
            has_labels: source.has_labels(),
            label_type: source.label_type(),
            source: Some(source),
            open,
        })
    }

    fn source(&mut self) -> Result<&mut dyn RecordSource, Error> {
        let source = match self.source.take() {
            Some(source) => source,
            None => (self.open)()?,
        };
        if *source.layout() != self.layout || source.count() != self.count {
            let message = "the file changed meanwhile; convert it again";
            return Err(ErrorKind::mismatch(message).into());
        }
        Ok(self.source.insert(source).as_mut())
    }
}

impl RecordSource for ReopenedSource {
    fn layout(&self) -> &RecordLayout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        self.count
    }

    fn has_labels(&self) -> bool {
        self.has_labels
    }

    fn label_type(&self) -> Option<ElementType> {
        self.label_type
    }

    fn close(&mut self) {
        self.source = None;
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.source()?.skip(records)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        self.source()?.read(record)
    }
}
