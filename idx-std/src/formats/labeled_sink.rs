use std::fmt;

use idx_core::ElementType;

use super::error::{Error, ErrorKind};
use super::joined::JoinedSource;
use super::record::{Record, RecordSink, RecordSource};
use super::transform::Transform;
use crate::io::Staged;
use crate::npy::Value;

/// Writes records, and their labels to a separate file.
pub struct LabeledSink {
    records: Box<dyn RecordSink>,
    labels: Option<(Box<dyn RecordSink>, ElementType)>,
    /// A label as a record.
    label: Record,
}

impl fmt::Debug for LabeledSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LabeledSink").finish_non_exhaustive()
    }
}

impl LabeledSink {
    /// Writes to these sinks; that of the labels takes single numbers of this type. Without it, labels are
    /// written only with the records.
    #[must_use]
    pub fn new(
        records: Box<dyn RecordSink>,
        labels: Option<(Box<dyn RecordSink>, ElementType)>,
    ) -> Self {
        Self { records, labels, label: Record::default() }
    }

    /// Writes all remaining records, and reports the number of bytes of each.
    ///
    /// ```
    /// use idx_std::ElementType;
    /// use idx_std::formats::{
    ///     Format, LabeledSink, RecordSource, SinkOptions, SourceOptions, Transform, TransformOptions, create, open,
    /// };
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 2], &[1_u8, 2, 3, 4, 5, 6])?;
    ///
    /// let mut source = open(path("a.idx"), &SourceOptions::default())?;
    /// let transform = Transform::new(&source, &TransformOptions::default())?;
    /// let options = SinkOptions::default();
    /// let sink = create(path("a.npy"), Format::Npy, transform.layout(), &options)?;
    /// let mut sink = LabeledSink::new(sink, None);
    /// sink.push_all(&mut source, transform, |_| {})?;
    /// idx_std::io::commit(sink.stage()?)?;
    /// assert_eq!(open(path("a.npy"), &SourceOptions::default())?.count(), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of reading, transforming and writing a record.
    pub fn push_all(
        &mut self,
        source: &mut JoinedSource,
        mut transform: Transform,
        mut done: impl FnMut(u64),
    ) -> Result<(), Error> {
        let mut record = Record::default();
        if source.layout().record_size() == Some(0) && !source.has_labels() {
            // There can be 2^64 of them.
            self.records.push_empty(source.skip_remaining()?)?;
        }
        while source.read(&mut record)? {
            done(record.bytes.len() as u64);
            let transformed = transform.apply(&mut record);
            transformed.map_err(|error| source.record_error(error))?;
            self.push(&record, source)?;
        }
        Ok(())
    }

    fn push(&mut self, record: &Record, source: &JoinedSource) -> Result<(), Error> {
        self.records.push(record)?;
        if let (Some((sink, label_type)), Some(label)) = (&mut self.labels, record.label) {
            self.label.bytes.clear();
            let appended = Value::Integer(label).append_to(&mut self.label.bytes, *label_type);
            appended.map_err(|error| {
                source.record_error(ErrorKind::OutOfRange { position: None, is_label: true, error })
            })?;
            sink.push(&self.label)?;
        }
        Ok(())
    }

    /// Completes the files, which appear when they are [committed](crate::io::commit).
    ///
    /// # Errors
    ///
    /// As [`RecordSink::stage`].
    pub fn stage(self) -> Result<Vec<Staged>, Error> {
        // A stream receives the records here, so everything else that can fail comes before.
        let labels = self.labels.map(|(labels, _)| labels.stage()).transpose()?;
        let records = self.records.stage()?;
        Ok(records.into_iter().chain(labels.flatten()).collect())
    }
}
