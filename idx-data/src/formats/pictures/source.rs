//! A folder of pictures as records.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::formats::pictures::reader::{PictureFile, PictureReader};
use crate::names::class_names::ClassNames;
use crate::reading::Reading;
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource, Skipped, skip_by_reading};
use idx_std::__private::access;
use idx_std::ElementType;

/// The number of bytes to read at first: all of a small file.
const FIRST_READ: usize = 4096;

/// The maximum size of a file in bytes, ten times that of a camera's files.
const MAX_FILE_SIZE: u64 = 1 << 29;

/// The file of a picture, and its label.
pub(crate) struct LabeledFile {
    pub(crate) path: PathBuf,
    pub(crate) label: Option<i128>,
    /// Its bytes, if they are in memory.
    pub(crate) content: Option<Vec<u8>>,
}

impl LabeledFile {
    pub(crate) fn new(path: PathBuf, label: Option<i128>) -> Self {
        Self { path, label, content: None }
    }
}

/// Pictures in their order, with their labels.
#[derive(Default)]
pub(crate) struct Pictures {
    pub(crate) files: Vec<LabeledFile>,
    pub(crate) has_labels: bool,
    pub(crate) classes: Option<ClassNames>,
    /// True if the classes have these names where the pictures are, and the labels only number them.
    pub(crate) have_names: bool,
    /// The files and folders that were left out beside them.
    pub(crate) skipped: Vec<Skipped>,
    /// The reading of a list of their labels.
    pub(crate) reading: Reading,
}

/// Pictures as records.
pub(crate) struct PicturesSource {
    facts: Facts,
    reader: PictureReader,
    files: Vec<LabeledFile>,
    /// The number of files that were read or skipped.
    next: usize,
}

/// Returns the bytes of a picture.
pub(crate) fn read_picture(read: impl Read) -> Result<Vec<u8>, ErrorKind> {
    let mut bytes = Vec::with_capacity(FIRST_READ);
    read.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_FILE_SIZE {
        true => Err(ErrorKind::unsupported(
            "the file has more than 512 MiB, the limit for a picture; save it smaller",
        )),
        false => Ok(bytes),
    }
}

impl PictureFile for LabeledFile {
    fn bytes(&self) -> Result<Cow<'_, [u8]>, ErrorKind> {
        match &self.content {
            Some(bytes) => Ok(bytes.into()),
            None => Ok(read_picture(access::open_regular(&self.path)?)?.into()),
        }
    }

    fn error(&self, error: ErrorKind, _: &Path) -> Error {
        Error::from(error).with_path(&self.path)
    }
}

impl PicturesSource {
    /// Opens these pictures, which are in this folder or below it.
    pub(crate) fn open(path: &Path, found: Pictures, options: &OpenOptions) -> Result<Self, Error> {
        let mut reader = PictureReader::new(path, &found.files, options)?;
        reader.skipped = found.skipped;
        let unread = RecordLayout::new(ElementType::U8, &[]);
        let facts = reader.facts(Facts {
            has_labels: found.has_labels,
            classes: found.classes,
            have_names: found.have_names,
            reading: found.reading,
            pictures: Some(found.files.iter().map(|file| file.path.clone()).collect()),
            ..Facts::new(unread, Some(found.files.len() as u64))
        });
        Ok(Self { facts, reader, files: found.files, next: 0 })
    }
}

impl RecordSource for PicturesSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.reader.skipped.iter().collect()
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        // The damaged ones are not known yet.
        if self.facts.count.is_none() {
            return skip_by_reading(records, |record| self.read(record));
        }
        let left = self.files.len() - self.next;
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.reader.skip(skipped);
        self.next += skipped;
        Ok(skipped as u64)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        while let Some(files @ [file, ..]) = self.files.get(self.next..) {
            self.next += 1;
            if let Some(pixels) = self.reader.next(files)? {
                record.bytes = pixels;
                record.label = file.label;
                return Ok(true);
            }
            record.left_out += 1;
        }
        Ok(false)
    }
}
