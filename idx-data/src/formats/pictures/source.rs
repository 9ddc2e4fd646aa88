//! Pictures in a folder, or in a column, as records.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::error::{At, Error, ErrorKind, Hint};
use crate::formats::pictures::picture::Picture;
use crate::formats::pictures::reader::{LabeledFile, finish, skippable, start};
use crate::formats::threads::Ahead;
use crate::names::class_names::ClassNames;
use crate::reading::Reading;
use crate::record::options::OpenOptions;
use crate::record::picture_options::Color;
use crate::record::{Facts, LeftOut, Record, RecordLayout, RecordSource, Skipped, skip_by_reading};
use idx_std::{ElementType, Shape};

/// Pictures in order, with their labels.
#[derive(Default)]
pub(crate) struct Pictures {
    pub(crate) files: Vec<LabeledFile>,
    pub(crate) has_labels: bool,
    pub(crate) classes: Option<ClassNames>,
    /// True if the input has class names, which the labels only number.
    pub(crate) have_names: bool,
    /// The files and folders next to them that were left out.
    pub(crate) skipped: Vec<Skipped>,
    /// The reading of a list of their labels.
    pub(crate) reading: Reading,
}

/// Returns some more files; none after the last one.
pub(crate) type More = Box<dyn FnMut() -> Result<Vec<LabeledFile>, Error> + Send>;

/// Pictures, all of the same shape, as records. They are decoded on several threads, and come in order.
pub(crate) struct PicturesSource {
    path: PathBuf,
    options: OpenOptions,
    facts: Facts,
    decoded: Ahead<Result<Picture, ErrorKind>>,
    /// The files known so far that are not read yet.
    files: VecDeque<LabeledFile>,
    /// Returns the files after these, if there may be more.
    more: Option<More>,
    /// The files left out next to the pictures, and damaged pictures if these are skipped.
    skipped: Vec<Skipped>,
}

impl PicturesSource {
    /// Opens these pictures, which are in or below this folder.
    pub(crate) fn open(path: &Path, found: Pictures, options: &OpenOptions) -> Result<Self, Error> {
        let unread = RecordLayout::new(ElementType::U8, &[]);
        let facts = Facts {
            has_labels: found.has_labels,
            classes: found.classes,
            have_names: found.have_names,
            reading: found.reading,
            pictures: Some(found.files.iter().map(|file| file.path.clone()).collect()),
            ..Facts::new(unread, Some(found.files.len() as u64))
        };
        let source = Self::new(path, found.files, None, facts, options)?;
        Ok(Self { skipped: found.skipped, ..source })
    }

    /// Opens these files, and then `more`. The first picture that can be read gives the facts its shape and colors.
    pub(crate) fn new(
        path: &Path,
        files: Vec<LabeledFile>,
        more: Option<More>,
        facts: Facts,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        options.pictures.check().at(path)?;
        let mut options = options.clone();
        if options.pictures.color.is_none() {
            options.pictures.color = options.pictures.color_of_files;
        }
        let Picture { shape, dtype, .. } = first_picture(path, &files, &options)?;
        if shape.len() == 3 {
            options.pictures.color = Some(Color::Rgb);
        }
        // The number of damaged pictures is known only at the end.
        let is_any_skipped = options.pictures.skip_bad;
        let count = facts.count.filter(|_| !is_any_skipped);
        let facts = Facts {
            layout: RecordLayout::of_records(dtype, count, &shape),
            count,
            are_pictures: true,
            left_out: if is_any_skipped { LeftOut::Told } else { LeftOut::None },
            ..facts
        };
        Ok(Self {
            path: path.to_path_buf(),
            decoded: Ahead::new(options.threads),
            options,
            facts,
            files: files.into(),
            more,
            skipped: Vec::new(),
        })
    }

    /// Returns the pixels of a picture. Checks that it has the shape of the first one.
    fn pixels(&self, picture: Picture) -> Result<Vec<u8>, ErrorKind> {
        let Facts { layout, .. } = &self.facts;
        if picture.dtype != layout.dtype {
            let folder = self.path.display();
            return Err(ErrorKind::unsupported(format!(
                "the picture is {}, the first in {folder} is {}; save all with the same bits for each pixel",
                picture.dtype, layout.dtype
            )));
        }
        let shape = layout.record_shape();
        if picture.shape == shape {
            return Ok(picture.pixels);
        }
        let is_same_size = picture.shape.get(..2) == shape.get(..2);
        let (advice, hint) = match is_same_size {
            true => ("choose whether pictures have colors", Hint::PictureColors),
            false => ("scale the pictures to one size", Hint::PictureSize),
        };
        let message = format!(
            "the picture is {}, the first in {} is {}; {advice}",
            Shape(&picture.shape),
            self.path.display(),
            Shape(shape)
        );
        Err(ErrorKind::mismatch(message).advising(hint))
    }
}

/// Returns the first picture of these files that can be read.
fn first_picture(
    path: &Path,
    files: &[LabeledFile],
    options: &OpenOptions,
) -> Result<Picture, Error> {
    for file in files {
        match finish(start(file, options).0, options) {
            Ok(picture) => return Ok(picture),
            Err(error) if skips(options, &error) => {}
            Err(error) if files.len() > 1 => return Err(file.error(skippable(error))),
            Err(error) => return Err(file.error(error)),
        }
    }
    let message = format!(
        "none of the first {} pictures can be read; to see why, do not skip damaged pictures",
        files.len()
    );
    Err(ErrorKind::malformed(message)).at(path)
}

/// Returns whether a picture with this error is left out. An I/O error says nothing about the picture.
fn skips(options: &OpenOptions, error: &ErrorKind) -> bool {
    options.pictures.skip_bad && !matches!(error, ErrorKind::File(_))
}

impl RecordSource for PicturesSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.skipped.iter().collect()
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        // The damaged pictures are not known yet.
        if self.facts.count.is_none() || self.more.is_some() {
            return skip_by_reading(records, |record| self.read(record));
        }
        let left = self.files.len();
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.decoded.skip(skipped);
        self.files.drain(..skipped);
        Ok(skipped as u64)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are being decoded need this memory.
        record.bytes = Vec::new();
        loop {
            if let (true, Some(more)) = (self.files.is_empty(), &mut self.more) {
                self.files = more()?.into();
            }
            let options = &self.options;
            let picture = self.decoded.next(
                self.files.make_contiguous(),
                |file| start(file, options),
                |started| finish(started, options),
            );
            let (Some(picture), Some(file)) = (picture, self.files.pop_front()) else {
                return Ok(false);
            };
            match picture.and_then(|picture| self.pixels(picture)) {
                Ok(pixels) => {
                    (record.bytes, record.label) = (pixels, file.label);
                    return Ok(true);
                }
                Err(error) if skips(&self.options, &error) => {
                    let reason = file.error(error).sentence();
                    self.skipped.push(Skipped::new(file.path, reason));
                    record.left_out += 1;
                }
                Err(error) => return Err(file.error(skippable(error))),
            }
        }
    }
}
