use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::chain::Source;
use super::create::To;
use super::error::{Error, ErrorKind};
use super::options::CreateOptions;
use super::record::Record;
use super::sink::{Sink, Target, Written, name_all};
use idx_std::__private::is_within;

/// Files and folders that are written together: all of them appear, or none does.
///
/// ```
/// use idx_data::{CreateOptions, Outputs, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("a.idx"), &[10, 2], &[7_u8; 20])?;
///
/// let [training, test] = open(path("a.idx"))?.split(0.8, 1)?;
/// let mut outputs = Outputs::new(&CreateOptions::new());
/// outputs.add(training, path("training.npy"))?.add(test, path("test.npy"))?.write()?;
/// assert_eq!(open(path("test.npy"))?.facts().count, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outputs {
    options: CreateOptions,
    outputs: Vec<Output>,
}

/// Records, and where they go.
struct Output {
    source: Source,
    sink: Sink,
}

impl fmt::Debug for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs").field("paths", &self.paths()).finish_non_exhaustive()
    }
}

impl Outputs {
    /// No outputs yet. All that are added are written with these options.
    #[must_use]
    pub fn new(options: &CreateOptions) -> Self {
        Self { options: options.clone(), outputs: Vec::new() }
    }

    /// Adds a file or folder of records, whose name says the format if the options do not. Labels and names of classes go
    /// along, into files beside the records where the format does not hold them: `own-labels-idx1-ubyte` and
    /// `own-classes.txt` for `own-images-idx3-ubyte`.
    ///
    /// # Errors
    ///
    /// Those of [`Sink::create`], but for files beside it, which are looked at when all outputs are known;
    /// [`same_output`](idx_std::ErrorKind::code) if a file would replace another, or be in the folder of another.
    pub fn add(&mut self, source: Source, path: impl AsRef<Path>) -> Result<&mut Self, Error> {
        self.add_to(source, Target::path(path.as_ref()))
    }

    /// Adds a stream with this name in messages. It gets csv line by line, and any other file once it is complete. IDX and
    /// npy are one array, which has no labels.
    ///
    /// # Errors
    ///
    /// Those of [`add`](Self::add).
    pub fn add_stream(
        &mut self,
        source: Source,
        name: impl AsRef<Path>,
        stream: Box<dyn Write + Send>,
    ) -> Result<&mut Self, Error> {
        let to = To::Stream(stream);
        self.add_to(source, Target { to, ..Target::path(name.as_ref()) })
    }

    /// As [`add`](Self::add), with another file of labels than that of the rule, or none.
    #[doc(hidden)]
    pub fn add_pair(
        &mut self,
        source: Source,
        path: &Path,
        labels: Option<&Path>,
    ) -> Result<&mut Self, Error> {
        let labels = Some(labels.map(Path::to_path_buf));
        self.add_to(source, Target { labels, ..Target::path(path) })
    }

    fn add_to(&mut self, source: Source, target: Target) -> Result<&mut Self, Error> {
        let facts = source.facts().of_count(source.remaining());
        let sink = Sink::start(target, &facts, &self.options)?;
        self.expect_apart(&sink)?;
        self.outputs.push(Output { source, sink });
        Ok(self)
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.outputs.iter().flat_map(|output| output.sink.paths()).collect()
    }

    /// Checks that no two files are at one place, but for equal lists of names of classes.
    fn expect_apart(&self, sink: &Sink) -> Result<(), Error> {
        let lists: Vec<_> = self.outputs.iter().filter_map(|output| output.sink.list()).collect();
        let is_shared = |path: &PathBuf| {
            sink.list().is_some_and(|list| list.0 == *path && lists.contains(&list))
        };
        let known = self.paths();
        for path in sink.paths().iter().filter(|path| !is_shared(path)) {
            if known.iter().any(|other| is_within(path, other) || is_within(other, path)) {
                let kind = idx_std::ErrorKind::SameOutput;
                return Err(Error::from(kind).with_path(path));
            }
        }
        Ok(())
    }

    /// Writes all remaining records. What was written is in the order in which the outputs were added.
    ///
    /// # Errors
    ///
    /// Those of reading, changing and writing a record; [`mismatch`](ErrorKind::code) if a file beside an output would be
    /// read with it, and does not have the content that this job writes.
    pub fn write(&mut self) -> Result<Vec<Written>, Error> {
        self.write_with(|_, _| |_| {})
    }

    /// Writes all remaining records, as [`write`](Self::write) does, and says how far it is: for each output, `begin` gets
    /// its path and source, and returns what gets the size of each record in bytes.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write).
    pub fn write_with<D: FnMut(u64)>(
        &mut self,
        mut begin: impl FnMut(&Path, &Source) -> D,
    ) -> Result<Vec<Written>, Error> {
        let job = self.paths();
        self.outputs.iter_mut().try_for_each(|output| output.sink.check(&job))?;
        let mut complete = Vec::new();
        for mut output in std::mem::take(&mut self.outputs) {
            let done = begin(&output.sink.written.path, &output.source);
            output.push_all(done)?;
            let skipped = output.source.skipped().into_iter().cloned().collect();
            complete.push(output.sink.complete(skipped)?);
        }
        let written = complete.iter().map(|output| output.written.clone()).collect();
        name_all(complete, Vec::new())?;
        Ok(written)
    }
}

impl Output {
    fn push_all(&mut self, mut done: impl FnMut(u64)) -> Result<(), Error> {
        let mut record = Record::default();
        while self.source.read(&mut record)? {
            done(record.bytes.len() as u64);
            self.sink.encode(&record).map_err(|kind| self.source.record_error(&record, kind))?;
            self.sink.push_encoded(&record)?;
        }
        Ok(())
    }
}

impl Source {
    /// Writes all records with their labels and the names of their classes; the name decides the format. An old file is
    /// replaced, when the new one is complete.
    ///
    /// Labels that the format does not hold go to a file beside the records, as do names of classes:
    /// `own-labels-idx1-ubyte` and `own-classes.txt` for `own-images-idx3-ubyte`. All of them appear, or none does.
    ///
    /// ```
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 2], &[1_u8, 2, 3, 4, 5, 6])?;
    ///
    /// let written = open(path("a.idx"))?.select(1..)?.write(path("b.npy"))?;
    /// assert_eq!(written.records, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of reading, and of [`Outputs::add`] and [`Outputs::write`].
    pub fn write(self, path: impl AsRef<Path>) -> Result<Written, Error> {
        self.write_with(path, &CreateOptions::new())
    }

    /// Writes all records, as [`write`](Self::write) does, with options.
    ///
    /// # Errors
    ///
    /// Those of [`write`](Self::write).
    pub fn write_with(
        self,
        path: impl AsRef<Path>,
        options: &CreateOptions,
    ) -> Result<Written, Error> {
        let path = path.as_ref();
        let written = Outputs::new(options).add(self, path)?.write()?;
        let failed = || Error::from(ErrorKind::mismatch("nothing was written")).with_path(path);
        written.into_iter().next().ok_or_else(failed)
    }
}
