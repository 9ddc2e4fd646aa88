use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use idx_data::dataset::{self, CheckedFile, DataSetFiles};
use idx_data::stats::{self, Summary};
use idx_data::{self, ClassNames, ErrorKind, Format, Labels, OpenOptions, Record, Source};
use idx_std::Reader;

use crate::args::{LabelArguments, with};
use crate::term::console::{is_standard_input, standard_input};
use crate::term::failure::{Failure, print_error};
use crate::term::progress::Progress;

/// Images and labels that are part of the program, drawn by `sample/draw.rs`.
const SAMPLE_IMAGES: &[u8] = include_bytes!("../../sample/digits-images-idx3-ubyte");
const SAMPLE_LABELS: &[u8] = include_bytes!("../../sample/digits-labels-idx1-ubyte");

/// The file of class names that `convert` writes beside labels.
pub(crate) const CLASSES: &str = "classes.txt";

/// A file or folder by its content.
pub(crate) enum Input {
    Idx(Box<IdxFile>),
    Other(Format, Box<Source>),
}

/// A file of IDX, and its name for messages.
pub(crate) struct IdxFile {
    path: PathBuf,
    pub(crate) reader: Reader<Box<dyn Read + Send>>,
}

impl Input {
    /// Opens a file or folder of any format, or standard input if the path is `-`. `as_records` opens IDX as any other
    /// format.
    pub(crate) fn open(
        path: &Path,
        options: &OpenOptions,
        as_records: bool,
    ) -> Result<Self, Failure> {
        let is_input = is_standard_input(path);
        // What does not exist may name an array of an archive.
        if !is_input && (path.is_dir() || !path.exists()) {
            let format = options.detect(path)?;
            return Ok(Self::Other(format, Box::new(open_records(path, options)?)));
        }
        let stream = match is_input {
            true => standard_input()?,
            false => Box::new(File::open(path).map_err(|error| Failure::io(path, error))?),
        };
        let (format, stream) = options.detect_stream(path, stream)?;
        if matches!(format, Format::Idx | Format::IdxGz) && !as_records {
            let reader = Reader::new(stream).map_err(|error| error.with_path(path))?;
            let (reader, path) = (reader.with_path(path), path.to_path_buf());
            return Ok(Self::Idx(Box::new(IdxFile { path, reader })));
        }
        // A stream can be read only once.
        let source = match path.is_file() && !is_input {
            true => options.open(path)?,
            false => options.open_stream(path, stream)?,
        };
        Ok(Self::Other(format, Box::new(source)))
    }
}

impl IdxFile {
    /// Rejects a file whose records have more bytes. An error of its length is reported first.
    pub(crate) fn limited(mut self, record_limit: u64) -> Result<Self, Failure> {
        self.check_length()?;
        let limited = self.reader.record_limit(record_limit);
        self.reader = limited.map_err(|error| error.with_path(&self.path))?;
        Ok(self)
    }

    fn is_regular(&self) -> bool {
        self.path.is_file() && !is_standard_input(&self.path)
    }

    /// Checks that a plain file has the size that its header says.
    fn check_length(&self) -> Result<(), Failure> {
        match self.is_regular() {
            true => Ok(Reader::open(&self.path)?.check_length()?),
            false => Ok(()),
        }
    }

    /// Checks that a file ends where its header says. The last four bytes of gzip data state the size; if they state
    /// another one, as where several members follow each other, everything is read.
    pub(crate) fn check_end(&mut self) -> Result<(), Failure> {
        self.check_length()?;
        if !self.reader.is_gzip() || !self.is_regular() {
            return Ok(());
        }
        let stated = stated_size(&self.path).map_err(|error| Failure::io(&self.path, error))?;
        if u64::from(stated) == self.reader.header().file_size() % (1 << 32) {
            return Ok(());
        }
        while let Some(records) = self.reader.next_records() {
            let _: &[u8] = records?;
        }
        Ok(())
    }

    /// Reads the whole file and identifies it.
    pub(crate) fn checked(self) -> Result<CheckedFile, Failure> {
        let mut progress = self.progress();
        let advance = |records: &[u8]| progress.advance(records.len() as u64);
        Ok(CheckedFile::read(&self.path, self.reader, advance)?)
    }

    /// Reads the whole file, and summarizes its elements.
    pub(crate) fn summary(self) -> Result<Summary, Failure> {
        let mut progress = self.progress();
        let summary = stats::summarize_reader(self.reader, |records| {
            progress.advance(records.len() as u64);
        });
        Ok(summary?)
    }

    /// Shows how far the file is read, if that takes long.
    fn progress(&self) -> Progress {
        Progress::new(&self.path, Some(self.reader.header().payload_size()))
    }
}

/// The last four bytes of a gzip file: the size of the last member, modulo 2^32.
fn stated_size(path: &Path) -> io::Result<u32> {
    let mut file = File::open(path)?;
    let mut size = [0; 4];
    file.seek(SeekFrom::End(-4))?;
    file.read_exact(&mut size)?;
    Ok(u32::from_le_bytes(size))
}

/// The error of a command that reads only IDX.
pub(crate) fn not_idx(path: &Path, format: Format) -> Failure {
    let text = format!("the format is {format}, not IDX; convert it with `idx convert` first");
    Failure::file(path, text)
}

/// The images of the built-in sample with their labels.
pub(crate) fn sample() -> Result<Source, Failure> {
    let open = |bytes| {
        let stream = Box::new(Cursor::new(bytes));
        OpenOptions::new().open_stream("sample", stream)
    };
    Ok(open(SAMPLE_IMAGES)?.with_labels(open(SAMPLE_LABELS)?)?)
}

impl LabelArguments {
    /// Opens the column of the labels, if a file of labels was given.
    pub(crate) fn open(&self, input: usize, header: bool) -> Result<Option<Source>, Failure> {
        let Some(path) = self.files.get(input) else {
            return Ok(None);
        };
        let column = self.column.clone();
        let options = OpenOptions::new().labels(Labels::Alone).header(header.then_some(true));
        let options = with(options, column, OpenOptions::label_column);
        open_records(path, &options).map(Some)
    }

    /// The names of the classes: those that are given, or those of the records.
    pub(crate) fn names(&self, source: &Source) -> Result<Option<ClassNames>, Failure> {
        Ok(match &self.classes {
            Some(path) => Some(ClassNames::open(path)?),
            None => source.facts().classes.clone(),
        })
    }

    /// The names of the classes of a file of labels, unless others are given, and whether somebody made a list of them:
    /// those in the file itself, in the `classes.txt` beside it, which `convert` wrote, or of a well-known set.
    pub(crate) fn file_names(&self, input: usize, header: bool) -> Option<(ClassNames, bool)> {
        // Standard input can be read only once.
        let is_file = |path: &&PathBuf| path.is_file() && !is_standard_input(path);
        let labels = self.files.get(input).filter(is_file).filter(|_| self.classes.is_none())?;
        // What is wrong with the file, its reader says.
        let mut source = self.open(input, header).ok()??;
        if let Some(names) = source.facts().classes.clone() {
            return Some((names, true));
        }
        let known = dataset::identify(labels).ok().flatten();
        let known = known.map(|known| (known.data_set, ClassNames::from(known.data_set)));
        let list = labels.with_file_name(CLASSES);
        let listed = ClassNames::find(labels.parent().unwrap_or(Path::new("")));
        if let Err(error) = &listed {
            print_error(format_args!("{}: not used: {}", list.display(), error.kind()));
        }
        match (listed.ok().flatten().filter(|names| names_all(names, &mut source)), known) {
            (Some(names), known) => {
                if let Some((data_set, _)) = known.filter(|(_, known)| *known != names) {
                    let list = list.display();
                    print_error(format_args!(
                        "{list}: these names are used for the labels of {data_set}"
                    ));
                }
                Some((names, true))
            }
            (None, known) => {
                let (_, names) = known?;
                let says_more = names.iter().any(|(label, name)| name != label.to_string());
                says_more.then_some((names, false))
            }
        }
    }

    /// The records of an input with the labels of the file, if there is one, and the names of their classes. A header
    /// is that of csv.
    pub(crate) fn join(
        &self,
        input: usize,
        header: bool,
        source: Source,
        names: Option<ClassNames>,
    ) -> Result<Source, Failure> {
        let Some(labels) = self.open(input, header)? else {
            return Ok(source);
        };
        // Other labels than the known ones may be somebody's experiment; those of another set are a mistake.
        if let Err(error) = dataset::expect_labels(source.path(), labels.path())
            && matches!(error.kind(), ErrorKind::MixedDataSets(..))
        {
            return Err(error.into());
        }
        let labeled = source.with_labels(labels)?;
        // Those of the file itself stay.
        Ok(match names.filter(|_| labeled.facts().classes.is_none()) {
            Some(names) => labeled.with_classes(names),
            None => labeled,
        })
    }
}

/// Whether each label has a name. A list that lacks one is that of other labels in the same folder.
fn names_all(names: &ClassNames, labels: &mut Source) -> bool {
    let mut record = Record::default();
    while let Ok(true) = labels.read(&mut record) {
        if record.label.is_some_and(|label| names.name(label).is_none()) {
            return false;
        }
    }
    true
}

/// The labels that lie beside images of a usual name, if they are as many and none are given.
pub(crate) fn beside(images: &Source, given: &LabelArguments) -> Option<LabelArguments> {
    if !given.files.is_empty() || images.facts().has_labels || is_standard_input(images.path()) {
        return None;
    }
    let path = labels_name(images.path())?;
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    // QMNIST has eight columns of labels. Only one of two files may be compressed.
    let names = [name.to_string(), name.replace("idx1-ubyte", "idx2-int")];
    let names = names.iter().flat_map(|name| [name.clone(), format!("{name}.gz")]);
    let file = names.map(|name| path.with_file_name(name)).find(|path| path.is_file())?;
    let found = LabelArguments { files: vec![file], ..given.clone() };
    let labels = found.open(0, false).ok()??;
    images.facts().count.is_some_and(|count| labels.facts().count == Some(count)).then_some(found)
}

/// The usual name of the labels of images: `train-labels-idx1-ubyte` for `train-images-idx3-ubyte`.
pub(crate) fn labels_name(images: &Path) -> Option<PathBuf> {
    let name = images.file_name()?.to_str()?;
    let (front, end) = name.rsplit_once("images")?;
    let rank = end.strip_prefix(['-', '.'])?.strip_prefix("idx")?;
    let suffix = rank.strip_prefix(|digit: char| digit.is_ascii_digit())?;
    let is_usual = matches!(suffix, "-ubyte" | "-ubyte.gz");
    let separator = end.chars().next().filter(|_| is_usual)?;
    Some(images.with_file_name(format!("{front}labels{separator}idx1{suffix}")))
}

/// Opens a file or folder of any format, or standard input if the path is `-`.
pub(crate) fn open_records(path: &Path, options: &OpenOptions) -> Result<Source, Failure> {
    match is_standard_input(path) {
        true => Ok(options.open_stream(path, standard_input()?)?),
        false => options.open(path).map_err(|error| unopened(path, error)),
    }
}

/// The error of a path that could not be opened; a folder of IDX files has no records.
fn unopened(path: &Path, error: idx_data::Error) -> Failure {
    match path.is_dir() && DataSetFiles::find(path).is_ok() {
        true => {
            let name = path.display();
            let text = format!(
                "this folder has the files of a data set; name one of them, or check them with `idx check {name}`"
            );
            Failure::file(path, text)
        }
        false => error.into(),
    }
}
