use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use idx_std::ElementType;

use super::chain::Source;
use super::class_names::ClassNames;
use super::create::{create, expect_integers, start};
use super::error::{At, Error, ErrorKind};
use super::folder::CLASSES;
use super::format::Format;
use super::options::CreateOptions;
use super::record::{Facts, Record, RecordLayout, RecordSink, Skipped};
use crate::value::append_label;
use idx_std::__private::{Staged, commit, is_within};

/// Files and folders that are written together: all of them appear, or none does.
///
/// ```
/// use idx_data::{CreateOptions, Format, Outputs, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("a.idx"), &[10, 2], &[7_u8; 20])?;
///
/// let [training, test] = open(path("a.idx"))?.split(0.8, 1)?;
/// let mut outputs = Outputs::default();
/// for (source, name) in [(training, "training.npy"), (test, "test.npy")] {
///     outputs.add(source, path(name), Format::Npy, None, None, &CreateOptions::new())?;
/// }
/// outputs.write(|_, _| |_| {})?;
/// assert_eq!(open(path("test.npy"))?.facts().count, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Outputs {
    outputs: Vec<Output>,
    /// Files of the names of classes.
    lists: Vec<Staged>,
    /// All files and folders.
    paths: Vec<PathBuf>,
    /// Those with names of classes, which outputs may share.
    names: Vec<(PathBuf, ClassNames)>,
}

/// Records, and where they and their labels go.
struct Output {
    source: Source,
    path: PathBuf,
    records: Box<dyn RecordSink>,
    labels: Option<(Box<dyn RecordSink>, ElementType)>,
}

impl fmt::Debug for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs").field("paths", &self.paths).finish_non_exhaustive()
    }
}

impl Outputs {
    /// Starts a file or folder, or a stream with this name in messages. A stream gets csv line by line, and any other
    /// file once it is complete. The labels go to a file of their own if there is one, whose name says its format;
    /// otherwise an output that cannot hold them goes without.
    ///
    /// The source says how many records there are and whether they have labels, and the type of these if the options do
    /// not. If the options have names of classes, these go to a `classes.txt` beside the labels, or beside csv or Parquet
    /// with labels. The result is its path.
    ///
    /// # Errors
    ///
    /// Those of [`create`]; [`same_output`](idx_std::ErrorKind::code) if a file would replace another, or be in the folder
    /// of another; [`mismatch`](ErrorKind::code) if the name of the labels says no format, or if there is a `classes.txt`
    /// with other names and nothing may be replaced.
    pub fn add(
        &mut self,
        source: Source,
        path: impl AsRef<Path>,
        format: Format,
        stream: Option<Box<dyn Write + Send>>,
        labels: Option<&Path>,
        options: &CreateOptions,
    ) -> Result<Option<PathBuf>, Error> {
        let path = path.as_ref();
        for path in [path].into_iter().chain(labels) {
            self.expect_apart(path)?;
        }
        let Facts { layout, has_labels, label_type, .. } = source.facts();
        let holds_names = matches!(format, Format::Csv | Format::Parquet) && stream.is_none();
        let beside = labels.or((holds_names && *has_labels).then_some(path));
        let list = match options.classes.as_ref().zip(beside) {
            Some((names, beside)) => {
                Some(self.add_names(names, beside.with_file_name(CLASSES), options.create_new)?)
            }
            None => None,
        };
        let label_type = options.label_type.or(*label_type).unwrap_or(ElementType::U8);
        let label_options =
            CreateOptions::new().create_new(options.create_new).header(options.header);
        let options =
            CreateOptions { label_type: has_labels.then_some(label_type), ..options.clone() };
        expect_integers(options.label_type).at(labels.unwrap_or(path))?;
        let records = start(path, stream, format, (layout, source.remaining()), &options)?;
        let layout = RecordLayout::new(label_type, &[0]);
        let start = |path| create(path, format_of(path)?, &layout, &label_options);
        let labels = labels.map(start).transpose()?.map(|labels| (labels, label_type));
        self.outputs.push(Output { source, path: path.to_path_buf(), records, labels });
        Ok(list)
    }

    fn expect_apart(&mut self, path: &Path) -> Result<(), Error> {
        if self.paths.iter().any(|other| is_within(path, other) || is_within(other, path)) {
            return Err(idx_std::Error::from(idx_std::ErrorKind::SameOutput)).at(path);
        }
        self.paths.push(path.to_path_buf());
        Ok(())
    }

    /// Adds a file of names of classes. One with the same names stays as it is.
    fn add_names(
        &mut self,
        names: &ClassNames,
        path: PathBuf,
        create_new: bool,
    ) -> Result<PathBuf, Error> {
        let mut known = self.names.iter();
        if let Some((path, _)) =
            known.find(|(other, same)| same == names && is_within(&path, other))
        {
            return Ok(path.clone());
        }
        self.expect_apart(&path)?;
        self.lists.extend(names.stage(&path, create_new)?);
        self.names.push((path.clone(), names.clone()));
        Ok(path)
    }

    /// Writes all remaining records; returns the sources, and the number of records from each.
    ///
    /// For each output, `begin` gets its path and source, and returns what gets the size of each record in bytes.
    ///
    /// # Errors
    ///
    /// Those of reading, changing and writing a record.
    pub fn write<D: FnMut(u64)>(
        self,
        mut begin: impl FnMut(&Path, &Source) -> D,
    ) -> Result<Vec<(Source, u64)>, Error> {
        let (mut records, mut labels, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for mut output in self.outputs {
            let done = begin(&output.path, &output.source);
            let count = output.push_all(done)?;
            // A stream receives the records here, so everything else that can fail comes before.
            labels.extend(output.labels.map(|(sink, _)| sink.stage()).transpose()?.flatten());
            records.extend(output.records.stage()?);
            written.push((output.source, count));
        }
        commit(records, labels.into_iter().chain(self.lists))?;
        Ok(written)
    }
}

impl Output {
    fn push_all(&mut self, mut done: impl FnMut(u64)) -> Result<u64, Error> {
        let (mut record, mut number, mut count) = (Record::default(), Record::default(), 0);
        while self.source.read(&mut record)? {
            done(record.bytes.len() as u64);
            self.records.push(&record)?;
            if let (Some((sink, label_type)), Some(label)) = (&mut self.labels, record.label) {
                number.bytes.clear();
                let appended = append_label(label, *label_type, &mut number.bytes);
                appended.map_err(|error| self.source.record_error(&record, error))?;
                sink.push(&number)?;
            }
            count += 1;
        }
        Ok(count)
    }
}

/// The format that a name says.
fn format_of(path: &Path) -> Result<Format, Error> {
    let message = "this name says no format; use .idx, .gz, .npy, .csv, .parquet or a folder";
    Format::from_path(path).ok_or(ErrorKind::mismatch(message)).at(path)
}

impl Source {
    /// Writes all records with their labels; the name decides the format. Returns the files that were left out, such as
    /// damaged pictures.
    ///
    /// The names of classes go to a `classes.txt` beside csv and Parquet, or in the folder of pictures. csv with labels
    /// starts with a line of names.
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
    /// Those of reading and of writing, also if a file of this name exists; [`mismatch`](ErrorKind::code) for a name of no
    /// format, and for a format that would lose the labels.
    pub fn write(self, path: impl AsRef<Path>) -> Result<Vec<Skipped>, Error> {
        self.write_to(path.as_ref(), None)
    }

    /// Writes all records to one file and their labels to another; the names decide the formats. Returns the files that
    /// were left out, such as damaged pictures.
    ///
    /// The names of classes go to a `classes.txt` beside the labels. All files appear together, or none does.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write); [`mismatch`](ErrorKind::code) if the records have no labels.
    pub fn write_pair(
        self,
        records: impl AsRef<Path>,
        labels: impl AsRef<Path>,
    ) -> Result<Vec<Skipped>, Error> {
        self.write_to(records.as_ref(), Some(labels.as_ref()))
    }

    fn write_to(self, records: &Path, labels: Option<&Path>) -> Result<Vec<Skipped>, Error> {
        let format = format_of(records)?;
        let has_labels = self.facts().has_labels;
        let refused = match labels {
            Some(_) if !has_labels => Some("these records have no labels; write the records alone"),
            None if has_labels && !format.holds_labels() => {
                Some("this format holds no labels; write them to a file of their own")
            }
            _ => None,
        };
        if let Some(message) = refused {
            return Err(ErrorKind::mismatch(message)).at(records);
        }
        let names = self.facts().classes.clone();
        // Without a line of names, a reader would take the labels for numbers of the records.
        let header = has_labels && format == Format::Csv;
        let options = CreateOptions::new().classes(names).header(header).create_new(true);
        let mut outputs = Outputs::default();
        outputs.add(self, records, format, None, labels, &options)?;
        let written = outputs.write(|_, _| |_| {})?;
        Ok(written.iter().flat_map(|(source, _)| source.skipped()).cloned().collect())
    }
}
