//! Writes several outputs that appear together, or none of them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fmt, io, mem};

use crate::chain::Source;
use crate::doors::create::To;
use crate::doors::new_folders::NewFolders;
use crate::doors::place::with_places;
use crate::doors::set::Set;
use crate::doors::sink::{Sink, StagedSink, Written, expect_outside, name_all};
use crate::error::{At, Error, ErrorKind, Hint};
#[cfg(feature = "npz")]
use crate::formats::npz::NpzPart;
use crate::names;
use crate::names::format::Format;
use crate::record::options::CreateOptions;
use crate::record::{Facts, Record};
use idx_std::__private::is_within;

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
    folders: NewFolders,
    /// The folders of sets.
    sets: Vec<PathBuf>,
}

/// Records and their destination.
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
    /// Creates an empty list of outputs. The options apply to all that are added.
    #[must_use]
    pub fn new(options: &CreateOptions) -> Self {
        Self {
            options: options.clone(),
            outputs: Vec::new(),
            folders: NewFolders::default(),
            sets: Vec::new(),
        }
    }

    /// Adds a file or folder of records.
    ///
    /// The options choose the format, or else the name does. Labels and class names are written, too, to files next to
    /// the records if the format cannot hold them: `own-labels-idx1-ubyte` and `own-classes.txt` for
    /// `own-images-idx3-ubyte`.
    ///
    /// # Errors
    ///
    /// The errors of [`Sink::create`], except those about files next to the output, which [`write`](Self::write)
    /// reports; a file that would replace another output, or be in its folder
    /// ([`same_output`](idx_std::ErrorKind::code)); a path in the folder of an input, which would then include it
    /// ([`mismatch`](ErrorKind::code)).
    pub fn add(&mut self, source: Source, path: impl AsRef<Path>) -> Result<&mut Self, Error> {
        self.add_to(source, path.as_ref(), To::Path)
    }

    /// Adds a stream, with a name for messages. It gets csv line by line, and any other format when the file is
    /// complete. IDX and npy are single arrays, without labels, and PNG is the picture of one record. To write to a
    /// `Vec<u8>`, or to anything borrowed, use [`Source::write_to`].
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
        self.add_to(source, name.as_ref(), To::Stream(stream))
    }

    /// Adds all parts of a set: to an npz archive; to a folder, with a folder of pictures for each part, or files under
    /// MNIST's names or those of the parts, such as `train.csv`; or to one file, if there is one part.
    ///
    /// The folder must be new or empty, or have only files of the set, which are then replaced together.
    ///
    /// # Errors
    ///
    /// The errors of [`add`](Self::add), and a file that cannot hold several parts ([`mismatch`](ErrorKind::code)).
    pub fn add_set(&mut self, set: Set, path: impl AsRef<Path>) -> Result<&mut Self, Error> {
        let path = path.as_ref();
        set.expect_outside(path)?;
        let format = self.options.format_for(path)?;
        let named = Format::from_path(path);
        let is_folder = format == Format::Png || self.is_sharded(format);
        // A path without an extension is a folder if the part has a name, and otherwise a file.
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

    /// Returns the names of the options without effect on these outputs. `create_new` and `threads` are never among
    /// them.
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
            let place = self.folders.place(path)?;
            let archive = NpzPart::create(&place, self.options.create_new)?;
            let output = |(name, source): (String, Source)| {
                self.output(source, place.clone(), To::Archive(archive.named(&name)), format)
            };
            let outputs: Vec<Output> = parts.into_iter().map(output).collect::<Result<_, _>>()?;
            self.outputs.extend(outputs);
            return Ok(self);
        }
        let parts: Vec<String> = parts.into_iter().map(|(name, _)| name).collect();
        let message = format!(
            "{format} holds one part, and this set has {}; choose one, as in mnist/:train, or write .npz, or a folder \
             as {format}",
            parts.join(" and ")
        );
        Err(ErrorKind::mismatch(message).advising(Hint::Format)).at(path)
    }

    /// Adds a folder with the files of the parts, which appear with it.
    fn add_folder(
        &mut self,
        parts: Vec<(String, Source)>,
        path: &Path,
        format: Format,
    ) -> Result<&mut Self, Error> {
        self.expect_free(path)?;
        // Listed before the new files, under hidden names, are among them.
        let there = entries(path).unwrap_or_default();
        let replaces = !there.is_empty() && !self.options.create_new && format != Format::Png;
        let place = match replaces {
            true => path.to_path_buf(),
            false => self.folders.create(path)?,
        };
        let output = |(part, source): (String, Source)| {
            let name = self.name_of_part(&part, format, source.facts()).at(path)?;
            self.output(source, place.join(name), To::Part, format)
        };
        let outputs: Vec<Output> = parts.into_iter().map(output).collect::<Result<_, _>>()?;
        let own: Vec<PathBuf> = outputs.iter().flat_map(|output| output.sink.paths()).collect();
        if let Some(other) = there.iter().find(|path| replaces && !own.contains(path)) {
            let message =
                "this is not a file of the set, so its folder is not replaced; name a new folder";
            return Err(ErrorKind::mismatch(message)).at(other);
        }
        self.sets.extend((!replaces).then(|| path.to_path_buf()));
        self.outputs.extend(outputs);
        Ok(self)
    }

    /// Returns the name of a part's file or folder.
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

    fn add_to(&mut self, source: Source, path: &Path, to: To) -> Result<&mut Self, Error> {
        let format = self.options.format_for(path)?;
        self.expect_free(path)?;
        let place = match to {
            To::Path => {
                expect_outside(path, source.facts())?;
                self.folders.place(path)?
            }
            _ => path.to_path_buf(),
        };
        let output = self.output(source, place, to, format)?;
        self.expect_apart(&output.sink)?;
        self.outputs.push(output);
        Ok(self)
    }

    fn output(
        &self,
        source: Source,
        place: PathBuf,
        to: To,
        format: Format,
    ) -> Result<Output, Error> {
        // The size of a shard depends on the number of records.
        let source = if self.is_sharded(format) { source.counted()? } else { source };
        let sink = Sink::start(place, to, format, &source.left(), &self.options);
        let sink = sink.map_err(|error| self.folders.error(error))?;
        Ok(Output { source, sink })
    }

    fn paths(&self) -> Vec<PathBuf> {
        let files = self.outputs.iter().flat_map(|output| output.sink.paths());
        files.chain(self.folders.paths()).collect()
    }

    /// Checks that no output has this path, or one in or above it.
    fn expect_free(&self, path: &Path) -> Result<(), Error> {
        let shown = |output: &Output| {
            let paths = output.sink.paths().into_iter();
            paths.map(|path| self.folders.path(&path)).collect::<Vec<_>>()
        };
        let mut taken = self.outputs.iter().flat_map(shown).chain(self.sets.iter().cloned());
        match taken.any(|other| meet(path, &other)) {
            true => Err(idx_std::ErrorKind::SameOutput).at(path),
            false => Ok(()),
        }
    }

    /// Checks that no two files have the same path, except for equal lists of class names.
    fn expect_apart(&self, sink: &Sink) -> Result<(), Error> {
        let lists: Vec<_> =
            self.outputs.iter().filter_map(|output| output.sink.list.as_ref()).collect();
        let is_shared = |path: &PathBuf| {
            sink.list.as_ref().is_some_and(|list| list.0 == *path && lists.contains(&list))
        };
        let known = self.paths();
        for path in sink.paths().iter().filter(|path| !is_shared(path)) {
            if known.iter().any(|other| meet(path, other)) {
                return Err(idx_std::ErrorKind::SameOutput).at(path);
            }
            let twins = names::neighbours(path).twins;
            if let Some(twin) =
                twins.iter().find(|twin| known.iter().any(|other| meet(twin, other)))
            {
                let twin = twin.display();
                let message = format!(
                    "this name and {twin}, which is written too, are read as one file; choose another name"
                );
                return Err(ErrorKind::mismatch(message)).at(path);
            }
        }
        Ok(())
    }

    /// Writes all remaining records, and returns the outputs in the order in which they were added. Afterwards the list
    /// is empty, even after an error.
    ///
    /// # Errors
    ///
    /// An empty list ([`mismatch`](ErrorKind::code)); the errors of reading, changing and writing a record; a file next
    /// to an output that would be read with it and has other content than this job writes, or older records that would
    /// be read with an output and get other labels or class names ([`mismatch`](ErrorKind::code)).
    pub fn write(&mut self) -> Result<Vec<Written>, Error> {
        self.write_with(|_, _| |_| {})
    }

    /// Writes the only output.
    pub(super) fn write_one(&mut self) -> Result<Written, Error> {
        self.write()?.pop().ok_or_else(nothing)
    }

    /// Writes all remaining records, as [`write`](Self::write) does, and reports progress. `begin` is called with the
    /// path and source of each output, and returns a function that is called with the size in bytes of each record, or
    /// of several small ones.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write).
    pub fn write_with<D: FnMut(u64)>(
        &mut self,
        mut begin: impl FnMut(&Path, &Source) -> D,
    ) -> Result<Vec<Written>, Error> {
        let job = with_places(self.paths());
        // An error ends all outputs: a source cannot be read a second time.
        let empty = Self::new(&self.options);
        let Self { folders, mut outputs, .. } = mem::replace(self, empty);
        if outputs.is_empty() {
            return Err(nothing());
        }
        outputs.iter_mut().try_for_each(|output| output.sink.check(&job))?;
        let sinks: Vec<&Sink> = outputs.iter().map(|output| &output.sink).collect();
        let mut older = Sink::check_older(&sinks)?;
        let (mut complete, mut written) = (Vec::new(), Vec::new());
        for mut output in outputs {
            let done = begin(&folders.path(&output.sink.written.path), &output.source);
            let whole = output.push_all(done).and_then(|()| output.complete());
            let whole = whole.map_err(|error| folders.error(error))?;
            written.push(folders.shown(&whole.written));
            complete.push(whole);
        }
        let (complete, staged) = folders.stage(complete)?;
        older.check_again()?;
        name_all(complete, staged)?;
        Ok(written)
    }
}

/// Returns the error for an empty list, so that nobody takes it for written.
fn nothing() -> Error {
    ErrorKind::mismatch("there is no output to write; add one, or all again after an error").into()
}

/// Returns whether two paths are the same, or one is in the other.
fn meet(one: &Path, other: &Path) -> bool {
    is_within(one, other) || is_within(other, one)
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
            let encoded = self.sink.encode(&records);
            encoded.map_err(|kind| self.source.error(kind).with_position(records.index))?;
            self.sink.push_encoded(&records, count)?;
        }
        Ok(())
    }
}
