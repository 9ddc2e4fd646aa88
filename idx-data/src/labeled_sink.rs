use std::fmt;
use std::path::Path;

use idx_std::ElementType;

use super::create::{create, expect_apart};
use super::error::{At, Error, ErrorKind};
use super::format::Format;
use super::options::CreateOptions;
use super::record::{Record, RecordLayout, RecordSink, RecordSource};
use super::source::Source;
use crate::value::append_label;
use idx_std::__private::{Staged, commit};

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
    /// use idx_data::{
    ///     Format, LabeledSink, RecordSource, CreateOptions, OpenOptions, create, open,
    /// };
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 2], &[1_u8, 2, 3, 4, 5, 6])?;
    ///
    /// let mut source = open(path("a.idx"))?;
    /// let sink = create(path("a.npy"), Format::Npy, source.layout(), &CreateOptions::default())?;
    /// let mut sink = LabeledSink::new(sink, None);
    /// sink.push_all(&mut source, |_| {})?;
    /// let (records, labels) = sink.stage()?;
    /// idx_std::__private::commit(records, labels)?;
    /// assert_eq!(open(path("a.npy"))?.count(), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of reading, changing and writing a record.
    pub fn push_all(
        &mut self,
        source: &mut Source,
        mut done: impl FnMut(u64),
    ) -> Result<(), Error> {
        let mut record = Record::default();
        while source.read(&mut record)? {
            done(record.bytes.len() as u64);
            self.push(&record, source)?;
        }
        Ok(())
    }

    fn push(&mut self, record: &Record, source: &Source) -> Result<(), Error> {
        self.records.push(record)?;
        if let (Some((sink, label_type)), Some(label)) = (&mut self.labels, record.label) {
            self.label.bytes.clear();
            let appended = append_label(label, *label_type, &mut self.label.bytes);
            appended.map_err(|error| source.record_error(error))?;
            sink.push(&self.label)?;
        }
        Ok(())
    }

    /// Completes the files of the records and the labels, which appear when they are
    /// [committed](idx_std::__private::commit).
    ///
    /// # Errors
    ///
    /// As [`RecordSink::stage`].
    pub fn stage(self) -> Result<(Option<Staged>, Option<Staged>), Error> {
        // A stream receives the records here, so everything else that can fail comes before.
        let labels = self.labels.map(|(labels, _)| labels.stage()).transpose()?;
        let records = self.records.stage()?;
        Ok((records, labels.flatten()))
    }
}

impl Source {
    /// Writes all records and the labels that the format holds; the name decides the format.
    ///
    /// ```
    /// use idx_data::{OpenOptions, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 2], &[1_u8, 2, 3, 4, 5, 6])?;
    ///
    /// open(path("a.idx"))?.select(1..)?.write(path("b.npy"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of reading and of writing; [`mismatch`](ErrorKind::code) for a name of no format, and for a format that would
    /// lose the labels.
    pub fn write(self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.write_to(path.as_ref(), None)
    }

    /// Writes all records to one file and their labels to another; the names decide the formats.
    ///
    /// Both files appear together, or none does.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write); [`mismatch`](ErrorKind::code) if the records have no labels.
    pub fn write_pair(
        self,
        records: impl AsRef<Path>,
        labels: impl AsRef<Path>,
    ) -> Result<(), Error> {
        self.write_to(records.as_ref(), Some(labels.as_ref()))
    }

    fn write_to(mut self, records: &Path, labels: Option<&Path>) -> Result<(), Error> {
        let format_of = |path: &Path| {
            let message =
                "this name says no format; use .idx, .gz, .npy, .csv, .parquet or a folder";
            Format::from_path(path).ok_or(ErrorKind::mismatch(message)).at(path)
        };
        let format = format_of(records)?;
        let are_kept = match labels {
            Some(_) => self.has_labels(),
            None => !self.has_labels() || format.holds_labels(),
        };
        if !are_kept {
            let message = match labels {
                Some(_) => "these records have no labels; write the records alone",
                None => "this format holds no labels; write them to a file of their own",
            };
            return Err(ErrorKind::mismatch(message)).at(records);
        }
        let label_type = self.facts().label_type.unwrap_or(ElementType::U8);
        let options = CreateOptions {
            label_type: self.has_labels().then_some(label_type),
            count: self.count(),
            classes: self.facts().classes.clone(),
            create_new: true,
            ..CreateOptions::default()
        };
        expect_apart(&[records].into_iter().chain(labels).collect::<Vec<_>>())?;
        let sink = create(records, format, self.layout(), &options)?;
        let labels = labels.map(|path| {
            let layout = RecordLayout::new(label_type, &[0]);
            let options = CreateOptions { create_new: true, ..CreateOptions::default() };
            Ok::<_, Error>((create(path, format_of(path)?, &layout, &options)?, label_type))
        });
        let mut sink = LabeledSink::new(sink, labels.transpose()?);
        sink.push_all(&mut self, |_| {})?;
        let (records, labels) = sink.stage()?;
        Ok(commit(records, labels)?)
    }
}
