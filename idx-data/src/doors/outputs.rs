//! Writes several outputs that appear together, or none of them.

use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::{fmt, fs, io, mem};

use crate::chain::Source;
use crate::doors::create::To;
use crate::doors::older::Older;
use crate::doors::set::Set;
use crate::doors::sink::{Sink, StagedSink, Target, Written, expect_outside, format_of, name_all};
use crate::error::{At, Error, ErrorKind, Hint};
#[cfg(feature = "npz")]
use crate::formats::npz::NpzPart;
use crate::names;
use crate::names::format::Format;
use crate::record::options::CreateOptions;
use crate::record::{Facts, Record};
use idx_std::__private::{Staged, is_within};
use idx_std::AtomicFolder;

/// Files and folders that are written together: all of them appear, or none does.
///
/// ```
/// use idx_data::{CreateOptions, Outputs, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("a.idx"), &[10, 2], &[7_u8; 20])?;
///
/// let [training, test] = open(path("a.idx"))?.split([0.8, 0.2], 1)?;
/// let mut outputs = Outputs::new(&CreateOptions::new());
/// outputs.add(training, path("training.npy"))?.add(test, path("test.npy"))?.write()?;
/// assert_eq!(open(path("test.npy"))?.facts().count, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Outputs {
    options: CreateOptions,
    outputs: Vec<Output>,
    /// New folders, each with the files of a set or other outputs.
    folders: Vec<SetFolder>,
    /// The folders of sets.
    sets: Vec<PathBuf>,
}

/// Records with their destination.
struct Output {
    source: Source,
    sink: Sink,
    /// The index of the new folder that it is in.
    folder: Option<usize>,
}

impl fmt::Debug for Outputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outputs").field("paths", &self.paths()).finish_non_exhaustive()
    }
}

impl Outputs {
    /// Starts without outputs. These options hold for all that are added.
    #[must_use]
    pub fn new(options: &CreateOptions) -> Self {
        Self {
            options: options.clone(),
            outputs: Vec::new(),
            folders: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// Adds a file or folder of records. The options choose the format, or else its name. Labels and names of classes
    /// are written along, into files beside the records if the format cannot hold them: `own-labels-idx1-ubyte` and
    /// `own-classes.txt` for `own-images-idx3-ubyte`.
    ///
    /// # Errors
    ///
    /// The errors of [`Sink::create`], except that files beside the output are checked when all outputs are known; a
    /// file that would replace another output, or be in its folder ([`same_output`](idx_std::ErrorKind::code)); a place
    /// in the folder of an input, of which it would become a part ([`mismatch`](ErrorKind::code)).
    pub fn add(&mut self, source: Source, path: impl AsRef<Path>) -> Result<&mut Self, Error> {
        self.add_to(source, Target::path(path.as_ref()))
    }

    /// Adds a stream, with a name for messages. It gets csv line by line, and any other format when the file is
    /// complete. IDX and npy are single arrays, without labels.
    ///
    /// # Errors
    ///
    /// The errors of [`add`](Self::add).
    pub fn add_stream(
        &mut self,
        source: Source,
        name: impl AsRef<Path>,
        stream: Box<dyn Write + Send>,
    ) -> Result<&mut Self, Error> {
        let to = To::Stream(stream);
        self.add_to(source, Target { to, ..Target::path(name.as_ref()) })
    }

    /// Adds all parts of a set: to an archive of arrays of NumPy; to a folder, where each part has a folder of
    /// pictures, or files under MNIST's names or its own, such as `train.csv`; or to one file, if there is one part.
    ///
    /// The folder is new or empty, unless it has only files of the set, which are replaced together.
    ///
    /// # Errors
    ///
    /// The errors of [`add`](Self::add), and a file that cannot hold several parts ([`mismatch`](ErrorKind::code)).
    pub fn add_set(&mut self, set: Set, path: impl AsRef<Path>) -> Result<&mut Self, Error> {
        let path = path.as_ref();
        set.expect_outside(path)?;
        let format = self.options.format.map_or_else(|| format_of(path), Ok)?;
        let named = Format::from_path(path);
        let is_folder = format == Format::Png || self.is_sharded(format);
        // A part with a name has a file of this name.
        let is_file = |part: &str| match named {
            Some(format) => format != Format::Png,
            None => part.is_empty(),
        };
        match <[_; 1]>::try_from(set.into_parts()) {
            Ok([(part, source)]) if is_folder || is_file(&part) => self.add(source, path),
            Ok(parts) => self.add_folder(parts.into(), path, format),
            Err(parts) if matches!(named, None | Some(Format::Png)) => {
                self.add_folder(parts, path, format)
            }
            Err(parts) => self.add_parts(parts, path, format),
        }
    }

    /// Returns the names of the options that have no effect on these outputs. `create_new` and the number of threads are
    /// never among them.
    #[must_use]
    pub fn unused(&self) -> Vec<&'static str> {
        let mut outputs = self.outputs.iter().map(|output| &output.sink.unused);
        let first = outputs.next().cloned().unwrap_or_default();
        first
            .into_iter()
            .filter(|name| outputs.clone().all(|unused| unused.contains(name)))
            .collect()
    }

    /// Adds several parts to one file.
    fn add_parts(
        &mut self,
        parts: Vec<(String, Source)>,
        path: &Path,
        format: Format,
    ) -> Result<&mut Self, Error> {
        #[cfg(feature = "npz")]
        if format == Format::Npz {
            self.expect_free(path)?;
            let (place, folder) = self.place(path)?;
            let archive = NpzPart::create(&place, self.options.create_new)?;
            for (name, source) in parts {
                let to = To::Archive(archive.named(&name));
                let target = Target { to, ..Target::path(&place) };
                let output = self.output(source, target, format, folder)?;
                self.outputs.push(output);
            }
            return Ok(self);
        }
        let parts: Vec<String> = parts.into_iter().map(|(name, _)| name).collect();
        let message = format!(
            "one file of {format} holds one part, and this set has {}; write one of them, all to .npz, or all to a folder \
             as {format}",
            parts.join(" and ")
        );
        Err(ErrorKind::mismatch(message).advising(Hint::Format)).at(path)
    }

    /// Adds the files of the parts in a folder, which appear with it.
    fn add_folder(
        &mut self,
        parts: Vec<(String, Source)>,
        path: &Path,
        format: Format,
    ) -> Result<&mut Self, Error> {
        self.expect_free(path)?;
        let first = self.outputs.len();
        let is_used = path.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        let replaces = is_used && !self.options.create_new && format != Format::Png;
        let (place, folder) = match replaces {
            true => (path.to_path_buf(), None),
            false => {
                let (place, index) = self.new_folder(path)?;
                self.sets.push(path.to_path_buf());
                (place, Some(index))
            }
        };
        // Listed before the new files are among them, which have hidden names until they are complete.
        let there = match replaces {
            true => entries(path).at(path)?,
            false => Vec::new(),
        };
        for (part, source) in parts {
            let name = self.name_of_part(&part, format, source.facts()).at(path)?;
            let target = Target { is_part: true, ..Target::path(place.join(name)) };
            let output = self.output(source, target, format, folder)?;
            self.outputs.push(output);
        }
        let own = self.outputs.get(first..).unwrap_or_default();
        let own: Vec<PathBuf> = own.iter().flat_map(|output| output.sink.paths()).collect();
        match there.into_iter().find(|path| !own.contains(path)) {
            Some(other) => {
                let message = "this is not a file of the set, so its folder is not replaced; name a new folder";
                Err(ErrorKind::mismatch(message)).at(&other)
            }
            None => Ok(self),
        }
    }

    /// Returns the name of the records of a part in a folder.
    fn name_of_part(&self, part: &str, format: Format, facts: &Facts) -> Result<String, ErrorKind> {
        let Facts { layout, .. } = facts;
        let name = if part.is_empty() { "records" } else { part };
        Ok(match format {
            Format::Idx | Format::IdxGz => {
                let gzip = if format == Format::IdxGz { ".gz" } else { "" };
                let name = names::images_of_part(part, layout.element_type()?, layout.dims.len());
                format!("{name}{gzip}")
            }
            Format::Png => name.to_string(),
            format if self.is_sharded(format) => name.to_string(),
            _ => format!("{name}.{format}"),
        })
    }

    fn is_sharded(&self, format: Format) -> bool {
        format == Format::Parquet && self.options.shards.is_some()
    }

    fn add_to(&mut self, source: Source, target: Target) -> Result<&mut Self, Error> {
        let format = self.options.format.map_or_else(|| format_of(&target.path), Ok)?;
        self.expect_free(&target.path)?;
        let (path, folder) = match target.to {
            To::Path => {
                expect_outside(&target.path, source.facts())?;
                self.place(&target.path)?
            }
            _ => (target.path, None),
        };
        let output = self.output(source, Target { path, ..target }, format, folder)?;
        self.expect_apart(&output.sink)?;
        self.outputs.push(output);
        Ok(self)
    }

    fn output(
        &self,
        source: Source,
        target: Target,
        format: Format,
        folder: Option<usize>,
    ) -> Result<Output, Error> {
        // Each shard has its share of all records.
        let source = if self.is_sharded(format) { source.counted()? } else { source };
        let sink = Sink::start(target, format, &source.left(), &self.options);
        let sink =
            sink.map_err(|error| match folder.and_then(|index| self.folders.get(index)) {
                Some(folder) => folder.error(error),
                None => error,
            })?;
        Ok(Output { source, sink, folder })
    }

    /// Returns the place of the bytes of a file or folder until it appears, in a new folder if its folder does not
    /// exist.
    fn place(&mut self, path: &Path) -> Result<(PathBuf, Option<usize>), Error> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder.zip(path.file_name()).filter(|(folder, _)| !folder.exists()) {
            Some((folder, name)) => {
                let (place, index) = self.new_folder(folder)?;
                Ok((place.join(name), Some(index)))
            }
            None => Ok((path.to_path_buf(), None)),
        }
    }

    /// Returns the place of the files of a new folder until it appears, with the folders above it that do not exist
    /// either; and the index of the first of these, which other outputs may be in, too.
    fn new_folder(&mut self, path: &Path) -> Result<(PathBuf, usize), Error> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let has_way_back = path.components().any(|part| part == Component::ParentDir);
        let missing = path.ancestors().take_while(is_missing).last();
        let first = missing.filter(|_| !has_way_back).unwrap_or(path);
        let is_known =
            |folder: &SetFolder| is_within(&folder.path, first) && is_within(first, &folder.path);
        let index = match self.folders.iter().position(is_known) {
            Some(index) => index,
            None => {
                let files = AtomicFolder::create(first)?;
                self.folders.push(SetFolder { path: first.to_path_buf(), files });
                self.folders.len() - 1
            }
        };
        let place = match (self.folders.get(index), path.strip_prefix(first)) {
            (Some(folder), Ok(inside)) => folder.files.join(inside),
            _ => path.to_path_buf(),
        };
        fs::create_dir_all(&place).at(path)?;
        Ok((place, index))
    }

    fn paths(&self) -> Vec<PathBuf> {
        let folders = self.folders.iter().map(|folder| folder.path.clone());
        self.outputs.iter().flat_map(|output| output.sink.paths()).chain(folders).collect()
    }

    /// Checks that no output is at this place, or in it.
    fn expect_free(&self, path: &Path) -> Result<(), Error> {
        let shown = |output: &Output| match output.folder.and_then(|index| self.folders.get(index))
        {
            Some(folder) => output.sink.paths().iter().map(|path| folder.path(path)).collect(),
            None => output.sink.paths(),
        };
        let mut taken = self.outputs.iter().flat_map(shown).chain(self.sets.iter().cloned());
        match taken.any(|other| is_within(path, &other) || is_within(&other, path)) {
            true => Err(Error::from(idx_std::ErrorKind::SameOutput).with_path(path)),
            false => Ok(()),
        }
    }

    /// Checks that no two files are at one place, except for equal lists of names of classes.
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
            let twins = names::neighbours(path).twins;
            if let Some(twin) = twins.iter().find(|twin| known.contains(twin)) {
                let twin = twin.display();
                let message = format!(
                    "this name and {twin}, which is written too, are read as one file; choose another name"
                );
                return Err(ErrorKind::mismatch(message)).at(path);
            }
        }
        Ok(())
    }

    /// Writes all remaining records, and returns the outputs in the order in which they were added.
    ///
    /// # Errors
    ///
    /// The errors of reading, changing and writing a record; a file beside an output that would be read with it and has
    /// other content than this job writes, or older records that would be read with an output and get other labels or
    /// names of classes ([`mismatch`](ErrorKind::code)).
    pub fn write(&mut self) -> Result<Vec<Written>, Error> {
        self.write_with(|_, _| |_| {})
    }

    /// Writes all remaining records, as [`write`](Self::write) does, and reports progress: for each output, `begin`
    /// gets its path and source, and returns a function that gets the size in bytes of each record, or of several small
    /// ones.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write).
    pub fn write_with<D: FnMut(u64)>(
        &mut self,
        mut begin: impl FnMut(&Path, &Source) -> D,
    ) -> Result<Vec<Written>, Error> {
        let job = self.paths();
        self.outputs.iter_mut().try_for_each(|output| output.sink.check(&job))?;
        let sinks: Vec<&Sink> = self.outputs.iter().map(|output| &output.sink).collect();
        let mut older = Older::check(&sinks)?;
        let folders = mem::take(&mut self.folders);
        let (mut complete, mut written) = (Vec::new(), Vec::new());
        for mut output in mem::take(&mut self.outputs) {
            let folder = output.folder.and_then(|folder| folders.get(folder));
            let mut shown = output.sink.written.clone();
            folder.iter().for_each(|folder| shown = folder.shown(&shown));
            let done = begin(&shown.path, &output.source);
            let index = output.folder;
            let whole = output.push_all(done).and_then(|()| output.complete());
            let whole = whole.map_err(|error| match folder {
                Some(folder) => folder.error(error),
                None => error,
            })?;
            written.push(match folder {
                Some(folder) => folder.shown(&whole.written),
                None => whole.written.clone(),
            });
            complete.push((whole, index));
        }
        let mut staged = Vec::new();
        for (index, folder) in folders.into_iter().enumerate() {
            let (own, others) = complete.into_iter().partition(|(_, of)| *of == Some(index));
            complete = others;
            staged.push(folder.stage(own)?);
        }
        older.check_again()?;
        name_all(complete.into_iter().map(|(whole, _)| whole).collect(), staged)?;
        Ok(written)
    }
}

/// A new folder with files, which appears with all of them.
struct SetFolder {
    path: PathBuf,
    files: AtomicFolder,
}

impl SetFolder {
    /// Returns the final path of a path in it.
    fn path(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.files.join(""))
            .map_or(path.to_path_buf(), |name| self.path.join(name))
    }

    fn shown(&self, written: &Written) -> Written {
        let path = |path: &PathBuf| self.path(path);
        Written {
            path: path(&written.path),
            labels: written.labels.as_ref().map(path),
            classes: written.classes.as_ref().map(path),
            ..written.clone()
        }
    }

    fn error(&self, error: Error) -> Error {
        let path = error.path().map(|path| self.path(path));
        error.at(path.as_deref())
    }

    fn stage(self, files: Vec<(StagedSink, Option<usize>)>) -> Result<Staged, Error> {
        let files = files.into_iter().map(|(whole, _)| whole).collect();
        name_all(files, Vec::new()).map_err(|error| self.error(error))?;
        Ok(self.files.stage()?)
    }
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    folder.read_dir()?.map(|entry| Ok(entry?.path())).collect()
}

impl Output {
    fn complete(self) -> Result<StagedSink, Error> {
        let skipped = self.source.skipped().into_iter().cloned().collect();
        self.sink.complete(skipped)
    }

    fn push_all(&mut self, mut done: impl FnMut(u64)) -> Result<(), Error> {
        let mut records = Record::default();
        while let count @ 1.. = self.source.read_many(&mut records)? {
            done(records.bytes.len() as u64);
            self.sink.encode(&records).map_err(|kind| self.source.record_error(&records, kind))?;
            self.sink.push_encoded(&records, count)?;
        }
        Ok(())
    }
}

impl Source {
    /// Writes all records with their labels and the names of their classes. The name chooses the format. An existing
    /// file is replaced when the new one is complete.
    ///
    /// Labels and names of classes that the format cannot hold go to files beside the records: `own-labels-idx1-ubyte`
    /// and `own-classes.txt` for `own-images-idx3-ubyte`. All of them appear, or none does.
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
    /// The errors of reading, of [`Outputs::add`] and of [`Outputs::write`].
    pub fn write(self, path: impl AsRef<Path>) -> Result<Written, Error> {
        self.write_with(path, &CreateOptions::new())
    }

    /// Writes all records, as [`write`](Self::write) does, with options.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write).
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

impl Set {
    /// Checks that a new file or folder is not in the folder of an input, of which it would become a part. All
    /// functions that write the set check it.
    ///
    /// # Errors
    ///
    /// A new file or folder that is ([`mismatch`](ErrorKind::code)).
    pub fn expect_outside(&self, output: impl AsRef<Path>) -> Result<(), Error> {
        let output = output.as_ref();
        self.parts().try_for_each(|(_, source)| expect_outside(output, source.facts()))
    }

    /// Writes all parts, and returns the outputs in the order of the parts. The name chooses the format.
    ///
    /// | path | files |
    /// | --- | --- |
    /// | `mnist.npz` | the arrays `x_train`, `y_train`, `x_test` and `y_test`, as Keras has them |
    /// | `out/` | a folder of pictures for each part, in which each class has one |
    /// | `out/` and the format IDX | MNIST's four files |
    /// | `out/` and another format | `out/train.csv`, `out/test.csv` |
    /// | any other | one file, for a set of one part |
    ///
    /// ```
    /// use idx_data::open_set;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// # std::fs::create_dir(path("mnist"))?;
    /// # for part in ["train", "t10k"] {
    /// #     idx_std::save(path(&format!("mnist/{part}-images-idx3-ubyte")), &[2, 2, 2], &[7_u8; 8])?;
    /// #     idx_std::save(path(&format!("mnist/{part}-labels-idx1-ubyte")), &[2], &[5_u8, 0])?;
    /// # }
    ///
    /// # #[cfg(feature = "npz")] {
    /// open_set(path("mnist"))?.write(path("mnist.npz"))?;
    /// assert_eq!(open_set(path("mnist.npz"))?.part("test")?.facts().count, Some(2));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Outputs::add_set`] and [`Outputs::write`].
    pub fn write(self, path: impl AsRef<Path>) -> Result<Vec<Written>, Error> {
        self.write_with(path, &CreateOptions::new())
    }

    /// Writes all parts, as [`write`](Self::write) does, with options.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write).
    pub fn write_with(
        self,
        path: impl AsRef<Path>,
        options: &CreateOptions,
    ) -> Result<Vec<Written>, Error> {
        Outputs::new(options).add_set(self, path)?.write()
    }
}
