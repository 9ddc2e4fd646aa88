use std::io::Read;
use std::path::{Path, PathBuf};

use super::find::find;
use super::labels_file::PictureFile;
use super::picture::Picture;
use super::reader::{PictureReader, expect_shape};
use crate::error::{At, Error, ErrorKind};
use crate::options::OpenOptions;
use crate::record::{Record, RecordFacts, RecordSource, Skipped, skip_by_reading};
use crate::threads::Ahead;
use idx_std::__private::access;

/// The number of bytes to read at first: all of a small file.
const FIRST_READ: usize = 4096;

/// The maximum size of a file in bytes, ten times that of a camera's files.
const MAX_FILE_SIZE: u64 = 1 << 29;

/// The pictures of a folder, or of its folders, each of which is a class.
pub(crate) struct PicturesSource {
    path: PathBuf,
    facts: RecordFacts,
    reader: PictureReader,
    files: Vec<PictureFile>,
    skipped: Vec<Skipped>,
    pictures: Ahead<Result<Picture, ErrorKind>>,
    /// How many files were read or skipped.
    next: usize,
}

impl PicturesSource {
    pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Self, Error> {
        let mut reader = PictureReader::new(options).at(path)?;
        let found = find(path, options.labels)?;
        let first = first(&found.files, &reader)?.ok_or_else(|| {
            let message =
                "none of the pictures in this folder can be read; see why without skipping them";
            Error::from(ErrorKind::malformed(message)).with_path(path)
        })?;
        let count = (!reader.options.skip_damaged).then_some(found.files.len() as u64);
        let layout = reader.layout(&first, count);
        Ok(Self {
            path: path.to_path_buf(),
            facts: RecordFacts {
                has_labels: found.has_labels,
                leaves_labels: found.leaves_labels,
                classes: found.classes,
                are_pictures: true,
                ..RecordFacts::new(layout, count)
            },
            reader,
            files: found.files,
            skipped: found.skipped,
            pictures: Ahead::new(options.threads),
            next: 0,
        })
    }
}

/// The first picture that can be read.
fn first(files: &[PictureFile], reader: &PictureReader) -> Result<Option<Picture>, Error> {
    for file in files {
        match read_file(&file.path).and_then(|file| reader.read(file)) {
            Err(error) if reader.skips(&error) => {}
            picture => return picture.at(&file.path).map(Some),
        }
    }
    Ok(None)
}

/// Reads the file of a picture.
fn read_file(path: &Path) -> Result<Vec<u8>, ErrorKind> {
    let mut file = Vec::with_capacity(FIRST_READ);
    let opened = access::open_regular(path).map_err(idx_std::Error::from)?;
    opened.take(MAX_FILE_SIZE + 1).read_to_end(&mut file)?;
    if file.len() as u64 > MAX_FILE_SIZE {
        let message = "the file has more than 512 MiB, the limit for a picture; save it smaller";
        return Err(ErrorKind::unsupported(message));
    }
    Ok(file)
}

impl RecordSource for PicturesSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.skipped.iter().collect()
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        if self.reader.options.skip_damaged {
            return skip_by_reading(self, records);
        }
        let left = self.files.len() - self.next;
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.pictures.skip(skipped);
        self.next += skipped;
        Ok(skipped as u64)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        while let Some(file) = self.files.get(self.next) {
            let files = self.files.get(self.next..).unwrap_or_default();
            let start = |file: &PictureFile| match read_file(&file.path) {
                Ok(bytes) => self.reader.start(bytes),
                Err(error) => (Err(error), 0),
            };
            let picture = self.pictures.next(files, start, |started| self.reader.finish(started));
            let Some(picture) = picture else {
                break;
            };
            self.next += 1;
            match picture.and_then(|picture| expect_shape(picture, &self.path, &self.facts.layout))
            {
                Ok(picture) => {
                    record.bytes = picture.pixels;
                    record.label = file.label;
                    return Ok(true);
                }
                Err(error) if self.reader.skips(&error) => {
                    self.skipped.push(Skipped::new(file.path.clone(), error.to_string()));
                }
                Err(error) => return Err(error).at(&file.path),
            }
        }
        Ok(false)
    }
}
