//! Writes records one by one, with files for their labels and class names.

use std::fmt;
use std::path::{Path, PathBuf};

use idx_std::{ElementType, ErrorKind as FileErrorKind};

use crate::doors::beside::{self, Beside, array};
use crate::doors::create::{To, expect_integers, start};
use crate::doors::folder::is_list_of_classes;
use crate::doors::older::{self, NewFile, Older};
use crate::doors::place::{spelled, with_places};
use crate::error::{At, Error, ErrorKind};
use crate::formats::RecordSink;
use crate::names::class_names::ClassNames;
use crate::names::format::Format;
use crate::names::{self, Name};
use crate::record::options::CreateOptions;
use crate::record::value::append_label;
use crate::record::{Facts, Record, RecordLayout, Skipped};
use idx_std::__private::{Staged, commit, is_within};

/// Writes records to a file or folder one by one, with their labels and class names.
///
/// All files appear together when [`finish`](Self::finish) succeeds. IDX and npy get a file of labels next to the
/// records, and formats that cannot hold class names get a list of them.
///
/// ```
/// use idx_data::{CreateOptions, Record, Sink, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("own-images-idx2-ubyte"), &[2, 2], &[1_u8, 2, 3, 4])?;
/// # idx_std::save(path("own-labels-idx1-ubyte"), &[2], &[7_u8, 3])?;
///
/// let mut source = open(path("own-images-idx2-ubyte"))?;
/// let mut sink = Sink::create(path("bright-images-idx2-ubyte"), source.facts(), &CreateOptions::new())?;
/// let mut record = Record::default();
/// while source.read(&mut record)? {
///     if record.bytes[0] > 2 {
///         sink.push(&record)?;
///     }
/// }
/// assert_eq!(sink.finish()?.records, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sink {
    /// The result so far.
    pub(crate) written: Written,
    records: Box<dyn RecordSink>,
    /// The file of labels, if they are written to their own file.
    labels: Option<Box<dyn RecordSink>>,
    /// The label of the next record, as a record of that file.
    label: Record,
    label_type: ElementType,
    /// True after an I/O error: records may be lost, so the files are not completed.
    has_failed: bool,
    /// The list of class names to write next to the records.
    pub(crate) list: Option<(PathBuf, ClassNames)>,
    /// True if its files may be read with others, because of their names.
    is_named: bool,
    beside: Beside,
    older: Older,
    create_new: bool,
    /// The names of the options without effect on it.
    pub(crate) unused: Vec<&'static str>,
}

/// An output whose content is complete, before it appears under its name.
pub(crate) struct StagedSink {
    pub(crate) records: Option<Staged>,
    labels: Option<Staged>,
    list: Option<(PathBuf, ClassNames)>,
    /// The files that must not exist when this one appears.
    absent: Vec<PathBuf>,
    create_new: bool,
    pub(crate) written: Written,
}

/// The result of writing: the files, and the number of records.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The file or folder of the records, or the name of the stream.
    pub path: PathBuf,
    /// The file of labels, if one is written.
    pub labels: Option<PathBuf>,
    /// The list of class names, if one is written.
    pub classes: Option<PathBuf>,
    /// The number of records.
    pub records: u64,
    /// The type, shape and number of the records.
    pub layout: RecordLayout,
    /// The files that were left out, such as damaged pictures.
    pub skipped: Vec<Skipped>,
    /// True if the records have labels that are not written: a stream of IDX or npy is a single array, and one of PNG a
    /// single picture.
    pub dropped_labels: bool,
    /// True if the classes have names that are not written: an npz archive has no place for them, and a stream has no
    /// list next to it.
    pub dropped_classes: bool,
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("written", &self.written).finish_non_exhaustive()
    }
}

impl Sink {
    /// Starts a file or folder for records with these facts.
    ///
    /// The options choose the format, or else the name does. An existing file is replaced together with its labels and
    /// class names, unless [`create_new`](CreateOptions::create_new) is set.
    ///
    /// # Errors
    ///
    /// A type or a shape that the format does not support ([`unsupported`](ErrorKind::code)); a name that does not tell
    /// the format, a file next to it that would be read with the new one and has other content, older records that
    /// would be read with the new files, or a path in the folder of the input ([`mismatch`](ErrorKind::code)); a format
    /// whose feature is off ([`ErrorKind::Disabled`]); and an output that cannot be written ([`ErrorKind::File`]).
    pub fn create(
        path: impl AsRef<Path>,
        facts: &Facts,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        expect_outside(path, facts)?;
        let format = options.format_for(path)?;
        let mut sink = Self::start(path.to_path_buf(), To::Path, format, facts, options)?;
        sink.check(&with_places(sink.paths()))?;
        sink.older = Self::check_older(&[&sink])?;
        Ok(sink)
    }

    /// Starts a file, folder or stream without checking the files next to it.
    pub(crate) fn start(
        path: PathBuf,
        to: To,
        format: Format,
        facts: &Facts,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let is_stream = matches!(to, To::Stream(_)) || is_device(&path);
        // A picture in a stream has no folder to be named after its class.
        let holds_labels = format.holds_labels() && !(is_stream && format == Format::Png);
        let have_file = facts.has_labels && !holds_labels && !is_stream;
        let are_dropped = facts.has_labels && !holds_labels && is_stream;
        // Text and folder names hold any label.
        let is_text = matches!(format, Format::Csv | Format::Png);
        let has_type = facts.has_labels && !are_dropped && !is_text;
        let given_type = options.label_type.filter(|_| has_type);
        let label_type = given_type.unwrap_or_else(|| facts.written_label_type());
        if facts.has_labels {
            expect_integers(label_type).at(&path)?;
        }
        let beside = Beside::new(&path, format, facts, is_stream);
        let labels_path = match have_file {
            true => new_labels(&path, label_type, options.create_new)?,
            false => None,
        };
        let classes = facts.classes.as_ref().filter(|_| facts.has_labels);
        let is_part = matches!(to, To::Part);
        let list = classes.filter(|_| format.has_class_list() && !is_stream);
        let list =
            list.and_then(|names| Some((names::classes_name(&path, is_part)?, names.clone())));
        let has_names = list.is_some() || holds_labels && format.holds_classes();
        let own = Facts { label_type: facts.has_labels.then_some(label_type), ..facts.clone() };
        let records = start(&path, to, format, &own, options)?;
        let layout = RecordLayout::of_records(label_type, facts.count, &[]);
        let label_facts = Facts::new(layout, facts.count);
        let start_labels = |path: &PathBuf| start(path, To::Path, format, &label_facts, options);
        let labels = labels_path.as_ref().map(start_labels).transpose()?;
        Ok(Self {
            written: Written {
                path,
                labels: labels_path,
                classes: list.as_ref().map(|(path, _)| path.clone()),
                records: 0,
                layout: facts.layout.clone(),
                skipped: Vec::new(),
                dropped_labels: are_dropped,
                dropped_classes: classes.is_some() && !has_names,
            },
            records,
            labels,
            label: Record::default(),
            label_type,
            has_failed: false,
            list,
            // A folder is never read with records.
            is_named: !is_stream && format != Format::Png,
            beside,
            older: Older::default(),
            create_new: options.create_new,
            unused: options.unused(format, has_type),
        })
    }

    /// Checks the files next to it, except those that `job` replaces.
    pub(crate) fn check(&mut self, job: &[PathBuf]) -> Result<(), Error> {
        let names = self.list.as_ref().map(|(_, names)| names);
        if self.beside.check(job, names, !self.create_new)? {
            self.list = None;
            self.written.classes = None;
        }
        Ok(())
    }

    /// Checks the older records next to all files of a job, and the records of each output against the files of the
    /// others.
    pub(crate) fn check_older(sinks: &[&Self]) -> Result<Older, Error> {
        let files: Vec<Vec<NewFile>> = sinks.iter().map(|sink| sink.new_files()).collect();
        for (index, sink) in sinks.iter().enumerate() {
            let others = files.iter().enumerate().filter(|(other, _)| *other != index);
            let mut others = others.flat_map(|(_, files)| files);
            if let Some(file) = others.find(|file| sink.is_read_with(file)) {
                return Err(older::conflict(&file.path, &sink.written.path));
            }
        }
        let files = files.into_iter().flatten().collect();
        Older::check(files, sinks.iter().flat_map(|sink| sink.paths()).collect())
    }

    /// Returns the files that it writes.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let Written { path, labels, classes, .. } = &self.written;
        [Some(path), labels.as_ref(), classes.as_ref()].into_iter().flatten().cloned().collect()
    }

    /// Returns the files that it writes and that records may be read with, each with the existing files of the same
    /// content.
    fn new_files(&self) -> Vec<NewFile> {
        if !self.is_named {
            return Vec::new();
        }
        let Written { path, labels, .. } = &self.written;
        let file =
            |path: &PathBuf, are_labels| NewFile::new(path, &self.beside.same(are_labels), None);
        let list = self.list.iter();
        let labels = labels.iter().map(|labels| file(labels, true));
        let list = list.map(|(path, names)| NewFile::new(path, &[], Some(names.clone())));
        let places = &self.beside.places;
        let are_labels = places.iter().any(|place| Name::is_of_labels(place));
        // Records are never class names.
        let is_list = places.iter().any(|place| is_list_of_classes(place));
        let no_names = || NewFile::new(path, &[], Some(ClassNames::default()));
        let own = are_labels.then(|| file(path, false)).into_iter().chain(is_list.then(no_names));
        labels.chain(own).chain(list).collect()
    }

    /// Returns whether its records would be read with this file of another output, and so get other labels or class
    /// names.
    fn is_read_with(&self, file: &NewFile) -> bool {
        let is_read = match &file.names {
            None => self.beside.reads_labels,
            Some(names) => {
                self.beside.reads_names && self.beside.facts.classes.as_ref() != Some(names)
            }
        };
        is_read && self.beside.places.iter().any(|place| file.is_named_for(&spelled(place)))
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// A record with a label if the facts have none, or the reverse, or an existing file next to it with other records
    /// or labels ([`mismatch`](ErrorKind::code)); a label out of range of the label type
    /// ([`out_of_range`](ErrorKind::code)); a file that cannot be written ([`ErrorKind::File`]), after which the sink
    /// cannot be finished.
    #[doc(alias = "write")]
    pub fn push(&mut self, record: &Record) -> Result<(), Error> {
        let encoded = self.encode(record).map_err(|kind| kind.at_position(record.index));
        encoded.at(&self.written.path)?;
        self.push_encoded(record, 1)
    }

    /// Encodes the label of the next record. A label out of range of the type is an error.
    pub(crate) fn encode(&mut self, record: &Record) -> Result<(), ErrorKind> {
        record.expect_label(self.beside.facts.has_labels)?;
        if let (Some(_), Some(label)) = (&self.labels, record.label) {
            self.label.bytes.clear();
            append_label(label, self.label_type, &mut self.label.bytes)?;
        }
        Ok(())
    }

    /// Appends a record whose label is encoded, or several records without labels.
    pub(crate) fn push_encoded(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        self.expect_whole()?;
        self.expect_size(records, count)?;
        self.beside.compare(records, count)?;
        let pushed = self.records.push(records, count).at(&self.written.path);
        let pushed = pushed.and_then(|()| match &mut self.labels {
            Some(labels) => labels.push(&self.label, 1),
            None => Ok(()),
        });
        // Other errors refuse the record before anything of it is written.
        self.has_failed = matches!(
            pushed.as_ref().map_err(Error::kind),
            Err(ErrorKind::File(FileErrorKind::Io(_)))
        );
        pushed?;
        self.written.records += count;
        Ok(())
    }

    /// Checks that no write has failed.
    fn expect_whole(&self) -> Result<(), Error> {
        match self.has_failed {
            true => Err(FileErrorKind::FailedEarlier).at(&self.written.path),
            false => Ok(()),
        }
    }

    /// Checks that each record has the size of its layout, so that the formats need not.
    fn expect_size(&self, given: &Record, count: u64) -> Result<(), Error> {
        let Written { layout, records, path, .. } = &self.written;
        let (expected, found) = (layout.record_size().unwrap_or(u64::MAX), given.bytes.len());
        if expected.checked_mul(count) == Some(found as u64) {
            return Ok(());
        }
        let kind = FileErrorKind::record_size(expected, found);
        Err(idx_std::Error::from(kind).with_records(*records)).at(path)
    }

    /// Completes all files, which then appear under their names.
    ///
    /// # Errors
    ///
    /// A file that cannot be written, now or by an earlier [`push`](Self::push). Existing files are then untouched.
    pub fn finish(mut self) -> Result<Written, Error> {
        let mut older = std::mem::take(&mut self.older);
        let complete = self.complete(Vec::new())?;
        let written = complete.written.clone();
        older.check_again()?;
        name_all(vec![complete], Vec::new())?;
        Ok(written)
    }

    /// Completes the content of all files. A stream gets it here, after everything else that can fail.
    pub(crate) fn complete(mut self, skipped: Vec<Skipped>) -> Result<StagedSink, Error> {
        self.expect_whole()?;
        let absent = self.beside.end()?;
        let labels = self.labels.map(RecordSink::stage).transpose()?.flatten();
        let records = self.records.stage().at(&self.written.path)?;
        if let Some(count) = self.written.layout.dims.first_mut() {
            *count = u32::try_from(self.written.records).unwrap_or_default();
        }
        self.written.skipped = skipped;
        let Self { list, create_new, written, .. } = self;
        Ok(StagedSink { records, labels, list, absent, create_new, written })
    }
}

/// Makes all outputs of a job and other staged files appear under their names, or none of them.
pub(crate) fn name_all(outputs: Vec<StagedSink>, more: Vec<Staged>) -> Result<(), Error> {
    let (mut records, mut beside) = (Vec::new(), Vec::new());
    let mut lists: Vec<(PathBuf, ClassNames, bool)> = Vec::new();
    for StagedSink { records: own, labels, list, absent, create_new, .. } in outputs {
        // A folder is never read with records.
        let is_read = |path: &&PathBuf| path.metadata().is_ok_and(|found| !found.is_dir());
        if let Some(path) = absent.iter().find(is_read) {
            return Err(beside::conflict(path));
        }
        records.extend(own);
        beside.extend(labels);
        // Several outputs may share a list.
        if let Some((path, names)) = list
            && !lists.iter().any(|(known, ..)| *known == path)
        {
            lists.push((path, names, create_new));
        }
    }
    for (path, names, create_new) in lists {
        beside.extend(names.stage(&path, create_new)?);
    }
    records.extend(more);
    Ok(commit(records, beside)?)
}

/// Checks that an output is not in the folder of an input, which would include it the next time it is read. The folder
/// itself may be replaced by one with the same files.
pub(crate) fn expect_outside(path: &Path, facts: &Facts) -> Result<(), Error> {
    let mut folders = facts.reading.folders().iter();
    match folders.find(|folder| is_within(path, folder) && !is_within(folder, path)) {
        None => Ok(()),
        Some(folder) => {
            let message = format!(
                "this would become a part of the input {}; name a place outside it",
                folder.display()
            );
            Err(ErrorKind::mismatch(message)).at(path)
        }
    }
}

impl CreateOptions {
    /// Returns the format in the options, or else that of the name.
    pub(super) fn format_for(&self, path: &Path) -> Result<Format, Error> {
        let message = "this name does not tell the format; end it in .idx, .gz, .npy, .npz, .csv or .parquet, or in / for a folder";
        let format = self.format.or_else(|| Format::from_path(path));
        format.ok_or_else(|| ErrorKind::mismatch(message)).at(path)
    }
}

/// Returns the path of the labels to write with these records. Returns `None` if an existing file stays, because it
/// must have the same labels.
fn new_labels(
    records: &Path,
    label_type: ElementType,
    create_new: bool,
) -> Result<Option<PathBuf>, Error> {
    let message = "no name of labels goes with this name, so the labels would be lost; use a name like \
                   own-images-idx3-ubyte or own.npy, or leave the labels out";
    let labels = names::labels_name(records, label_type);
    let labels = labels.ok_or(ErrorKind::mismatch(message)).at(records)?;
    if is_device(&labels) {
        // Opening a pipe would wait for a reader forever.
        return Err(beside::conflict(&labels));
    }
    // A file that cannot be read as labels is replaced by labels only if its records are replaced, too.
    let is_replaced = || !create_new && (records.exists() || array(&labels, true).is_some());
    Ok((!labels.is_file() || is_replaced()).then_some(labels))
}

/// Returns whether this is a pipe or a device. Nothing is read or written next to it.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}
