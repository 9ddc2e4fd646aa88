//! Opens the inputs of the commands once: files, folders, standard input, and the built-in sample.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use idx_data::dataset::CheckedFile;
use idx_data::{Format, OpenOptions, Record, Set, Source};
use idx_std::__private::access;
use idx_std::Reader;

use crate::args::{LabelArguments, Opening, ShowArguments};
use crate::term::console::{is_standard_input, standard_input};
use crate::term::failure::Failure;
use crate::term::progress::Progress;

/// The built-in images and labels, drawn by `sample/draw.rs`.
const SAMPLE_IMAGES: &[u8] = include_bytes!("../../sample/digits-images-idx3-ubyte");
const SAMPLE_LABELS: &[u8] = include_bytes!("../../sample/digits-labels-idx1-ubyte");

/// A file or folder, told apart by its content.
pub(crate) enum Input {
    Idx(Box<IdxFile>),
    /// Any other format, with its parts.
    Other(Set),
}

/// An IDX file, and its name for messages.
pub(crate) struct IdxFile {
    path: PathBuf,
    /// The number of bytes of a regular file.
    pub(crate) size: Option<u64>,
    pub(crate) reader: Reader<Box<dyn Read + Send>>,
}

impl Input {
    /// Opens a file or folder of any format, or standard input if the path is `-`. With `as_records`, IDX is opened
    /// like any other format.
    pub(crate) fn open(
        path: &Path,
        options: &OpenOptions,
        as_records: bool,
    ) -> Result<Self, Failure> {
        let (is_input, found) = (is_standard_input(path), found(path)?);
        if as_records || !is_input && found.as_ref().is_none_or(Metadata::is_dir) {
            return open(path, options).map(Self::Other);
        }
        let size = found.filter(Metadata::is_file).map(|file| file.len());
        let stream = match is_input {
            true => standard_input()?,
            false => opened(path).map_err(|error| Failure::io(path, error))?,
        };
        let (format, stream) = options.detect_stream(path, stream)?;
        if matches!(format, Format::Idx | Format::IdxGz) {
            let reader = Reader::new(stream).map_err(|error| error.with_path(path))?;
            let (reader, path) = (reader.with_path(path), path.to_path_buf());
            return Ok(Self::Idx(Box::new(IdxFile { path, size, reader })));
        }
        // A stream can be read only once.
        Ok(Self::Other(match size {
            Some(_) => options.open_set(path)?,
            None => options.open_set_stream(path, stream)?,
        }))
    }
}

/// Opens a file as a stream of the bytes that it has now: its header does not count what a writer appends later.
fn opened(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    // Some system files have bytes but no size.
    Ok(match found.is_file() && found.len() > 0 {
        true => Box::new(file.take(found.len())),
        false => Box::new(file),
    })
}

/// Looks up a path. The result is `None` for standard input, and for a path that does not exist: it may name a part.
pub(crate) fn found(path: &Path) -> Result<Option<Metadata>, Failure> {
    match is_standard_input(path) {
        true => Ok(None),
        false => access::found(path).map_err(|error| Failure::io(path, error)),
    }
}

impl IdxFile {
    /// Rejects a file whose records are larger than the limit. An error in its length is reported first.
    pub(crate) fn limited(mut self, record_limit: u64) -> Result<Self, Failure> {
        self.check_length()?;
        let limited = self.reader.record_limit(record_limit);
        self.reader = limited.map_err(|error| error.with_path(&self.path))?;
        Ok(self)
    }

    /// Checks that a plain file has the size that its header says.
    fn check_length(&self) -> Result<(), Failure> {
        match self.size {
            Some(size) if !self.reader.is_gzip() && size != self.reader.header().file_size() => {
                // This returns the error.
                Ok(Reader::open(&self.path)?.check_length()?)
            }
            _ => Ok(()),
        }
    }

    /// Checks that a file ends where its header says. The last four bytes of gzip data state the size; if they state
    /// another size, as with several members, everything is read.
    pub(crate) fn check_end(&mut self) -> Result<(), Failure> {
        if !self.reader.is_gzip() || self.size.is_none() {
            return self.check_length();
        }
        let stated = stated_size(&self.path).map_err(|error| Failure::io(&self.path, error))?;
        if u64::from(stated) == self.reader.header().file_size() % (1 << 32) {
            return Ok(());
        }
        while self.reader.next_records().transpose()?.is_some() {}
        Ok(())
    }

    /// Reads the whole file and identifies it.
    pub(crate) fn checked(self) -> Result<CheckedFile, Failure> {
        let mut progress = Progress::new(&self.path, Some(self.reader.header().payload_size()));
        let advance = |records: &[u8]| progress.advance(records.len() as u64);
        Ok(CheckedFile::read(&self.path, self.reader, advance)?)
    }
}

/// Reads the last four bytes of a gzip file: the size of the last member, modulo 2^32.
fn stated_size(path: &Path) -> io::Result<u32> {
    let mut file = File::open(path)?;
    let mut size = [0; 4];
    file.seek(SeekFrom::End(-4))?;
    file.read_exact(&mut size)?;
    Ok(u32::from_le_bytes(size))
}

/// Returns the parts of the set at this path, each with the path that opens it, such as `mnist:train`; a set without
/// parts has its own path.
pub(crate) fn parts(path: Option<&Path>, set: Set) -> Vec<(PathBuf, Source)> {
    let part = |(part, source): (String, Source)| {
        let mut path = path.map(Path::as_os_str).unwrap_or_default().to_os_string();
        if !part.is_empty() {
            path.push(":");
            path.push(part);
        }
        (path.into(), source)
    };
    set.into_parts().into_iter().map(part).collect()
}

/// Returns the error of a command that reads only IDX.
pub(crate) fn not_idx(path: &Path, format: Format) -> Failure {
    let text = format!("the format is {format}, not IDX; convert it with `idx convert` first");
    Failure::file(path, text)
}

impl Opening {
    /// Opens an input of any format, with the files next to it or the given labels. `-` is standard input.
    pub(crate) fn open(
        &self,
        path: &Path,
        given: &LabelArguments,
        index: usize,
    ) -> Result<Set, Failure> {
        let set = open(path, &self.records)?;
        match given.files().get(index) {
            // A stream is read once.
            Some(path) if is_standard_input(path) => {
                let records = set.only_part()?;
                let options = self.labels.clone().as_labels_of(records.facts());
                Ok(records.with_labels(open_records(path, &options)?)?.into())
            }
            Some(path) => Ok(self.labels.label(set.only_part()?, path)?.into()),
            None => Ok(set),
        }
    }

    /// Opens the images of the built-in sample with their labels, or with the labels of a file if one is given.
    pub(crate) fn sample(&self, arguments: &ShowArguments) -> Result<Set, Failure> {
        let open = |options: &OpenOptions, bytes| options.open_bytes("sample", bytes);
        let images = open(&self.records, SAMPLE_IMAGES)?;
        let labels = match arguments.labels.files().first() {
            Some(path) => open_records(path, &self.labels)?,
            None if arguments.reading.no_labels => return Ok(images.into()),
            None => open(&self.labels, SAMPLE_LABELS)?,
        };
        Ok(images.with_labels(labels)?.into())
    }

    /// Opens several inputs as one, with a file of labels for each if such files are given.
    pub(crate) fn open_all(
        &self,
        inputs: &[PathBuf],
        given: &LabelArguments,
    ) -> Result<Set, Failure> {
        let one_by_one =
            !given.files().is_empty() || inputs.iter().any(|path| is_standard_input(path));
        match inputs {
            [first, others @ ..] if one_by_one => {
                let set = self.open(first, given, 0)?;
                let mut others =
                    (1..).zip(others).map(|(index, path)| self.open(path, given, index));
                others.try_fold(set, |all, set| Ok(all.append(set?)?))
            }
            _ => Ok(self.records.open_sets(inputs)?),
        }
    }
}

/// Opens an input of any format, with the files next to it; `-` is standard input.
pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Set, Failure> {
    match is_standard_input(path) {
        true => Ok(options.open_set_stream(path, standard_input()?)?),
        false => Ok(options.open_set(path)?),
    }
}

/// Opens the only part of an input, without the files next to it.
pub(crate) fn open_records(path: &Path, options: &OpenOptions) -> Result<Source, Failure> {
    Ok(open(path, options)?.only_part()?)
}

/// Passes the remaining records to `take`, as many at a time as [`Source::read_many`] returns, and shows the progress.
/// Returns their number.
pub(crate) fn read_all(
    source: &mut Source,
    mut take: impl FnMut(&Record) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut progress = Progress::of(source.path(), source);
    let mut records = Record::default();
    // Records without elements have nothing to read, and there can be very many.
    let facts = source.facts();
    let are_empty = facts.layout.record_size() == Some(0) && !facts.has_labels;
    let mut count = if are_empty { source.skip(u64::MAX)? } else { 0 };
    while let more @ 1.. = source.read_many(&mut records)? {
        count += more;
        progress.advance_record(records.bytes.len() as u64);
        take(&records)?;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    #[test]
    fn what_is_appended_to_an_open_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "before").unwrap();
        let mut stream = opened(&path).unwrap();
        File::options().append(true).open(&path).unwrap().write_all(b" and after").unwrap();
        let mut read = String::new();
        stream.read_to_string(&mut read).unwrap();
        assert_eq!(read, "before");
    }
}
