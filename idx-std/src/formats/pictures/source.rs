use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use idx_core::ElementType;

use super::adjust::adjust;
use super::decode::{decode, read_file};
use super::find::{Pictures, find};
use super::picture::Picture;
use crate::formats::error::{At, Error, ErrorKind, Setting};
use crate::formats::options::{Color, PictureOptions, SourceOptions};
use crate::formats::ordered::Ordered;
use crate::formats::record::{
    Record, RecordFacts, RecordLayout, RecordSource, Skipped, skip_by_reading,
};

/// The pictures of a folder, or of its folders, each of which is a class.
pub(in crate::formats) struct PicturesSource {
    path: PathBuf,
    facts: RecordFacts,
    labels: Vec<Option<i128>>,
    skipped: Vec<Skipped>,
    skip_damaged: bool,
    files: Vec<PathBuf>,
    options: Arc<PictureOptions>,
    threads: Option<NonZeroUsize>,
    /// Started with the first picture.
    decoder: Option<Ordered<PathBuf, Decoded>>,
    /// How many files were given to the decoder, and how many came back or were skipped.
    given: usize,
    next: usize,
}

type Decoded = (PathBuf, Result<Picture, Error>);

impl PicturesSource {
    pub(in crate::formats) fn open(
        path: &Path,
        source_options: &SourceOptions,
    ) -> Result<Self, Error> {
        let mut options = source_options.pictures.clone();
        options.check().at(path)?;
        let mut found = find(path, source_options.labels)?;
        let shape = first_shape(&mut found, &mut options)?;
        let Some(shape) = shape else {
            let message =
                "none of the pictures in this folder can be read; see why without skipping them";
            return Err(ErrorKind::malformed(message)).at(path);
        };
        let count = (!options.skip_damaged).then_some(found.files.len() as u64);
        let labels = found.files.iter().map(|file| file.label).collect();
        let files = found.files.into_iter().map(|file| file.path).collect();
        let layout = RecordLayout::of_records(ElementType::U8, count, &shape);
        Ok(Self {
            path: path.to_path_buf(),
            facts: RecordFacts {
                has_labels: found.has_labels,
                leaves_labels: found.leaves_labels,
                classes: found.classes,
                is_adjusted: true,
                ..RecordFacts::new(layout, count)
            },
            labels,
            skipped: found.skipped,
            skip_damaged: options.skip_damaged,
            files,
            options: Arc::new(options),
            threads: source_options.threads,
            decoder: None,
            given: 0,
            next: 0,
        })
    }

    /// The next picture, and what it is in the list; `None` after the last one.
    fn decoded(&mut self) -> io::Result<Option<Decoded>> {
        let options = &self.options;
        let record_size = self.facts.layout.record_size();
        let record_size = record_size.and_then(|size| usize::try_from(size).ok());
        let decoder = self.decoder.get_or_insert_with(|| {
            let options = Arc::clone(options);
            let decoder = Ordered::new(self.threads, move |path: PathBuf| {
                let picture = read(&path, &options);
                (path, picture)
            });
            decoder.for_items_of(record_size.unwrap_or(usize::MAX))
        });
        while let Some(path) = self.files.get(self.given) {
            self.given += 1;
            if let Some(decoded) = decoder.give(path.clone())? {
                return Ok(Some(decoded));
            }
        }
        decoder.take()
    }
}

/// Checks that a picture has the shape of the first, at this path.
pub(in crate::formats) fn expect_shape(
    picture: Picture,
    path: &Path,
    layout: &RecordLayout,
) -> Result<Picture, ErrorKind> {
    let shape = picture.shape();
    if shape == layout.record_shape() {
        return Ok(picture);
    }
    let found = RecordLayout::of_records(ElementType::U8, None, &shape);
    let setting = match shape.get(..2) == layout.record_shape().get(..2) {
        true => Setting::Color,
        false => Setting::PictureSize,
    };
    let message = format!(
        "the picture is {}, the first in {} is {}",
        found.shape_text(),
        path.display(),
        layout.shape_text(),
    );
    Err(ErrorKind::mismatch(message).advise(setting))
}

/// The shape of the first picture that can be read. Its colors decide how the others are read.
fn first_shape(
    found: &mut Pictures,
    options: &mut PictureOptions,
) -> Result<Option<Vec<u32>>, Error> {
    for file in &found.files {
        match read(&file.path, options) {
            Ok(picture) => {
                return Ok(Some(shape_of_all(&picture, options)));
            }
            Err(error) if options.skip_damaged && is_damage(error.kind()) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The shape of the first picture, which all must have, and whose colors all get.
pub(in crate::formats) fn shape_of_all(first: &Picture, options: &mut PictureOptions) -> Vec<u32> {
    if first.channels == 3 {
        options.color = Some(Color::Rgb);
    }
    first.shape()
}

fn read(path: &Path, options: &PictureOptions) -> Result<Picture, Error> {
    let file = read_file(path);
    file.and_then(|file| decode_file(file, options)).at(path)
}

/// Decodes and adjusts the picture in a file. A decoder that panics has only not decoded this picture.
pub(in crate::formats) fn decode_file(
    file: Vec<u8>,
    options: &PictureOptions,
) -> Result<Picture, ErrorKind> {
    let decode = || adjust(decode(file, options)?, options);
    let stopped = "the decoder stopped at this picture; remove it";
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(ErrorKind::malformed(stopped)))
}

/// Whether the error is in this picture, and not of the disk.
pub(in crate::formats) fn is_damage(error: &ErrorKind) -> bool {
    matches!(
        error,
        ErrorKind::Malformed { .. } | ErrorKind::Unsupported { .. } | ErrorKind::Mismatch { .. }
    )
}

impl RecordSource for PicturesSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.skipped.iter().collect()
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        if self.skip_damaged {
            return skip_by_reading(self, records);
        }
        let left = self.labels.len() - self.next;
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.next += skipped;
        // Some of them are decoded already, the others need not be.
        let ahead = skipped.min(self.given.saturating_sub(self.next - skipped));
        if let Some(decoder) = &mut self.decoder {
            for _ in 0..ahead {
                decoder.take().at(&self.path)?;
            }
        }
        self.given = self.given.max(self.next);
        Ok(skipped as u64)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        loop {
            let Some((path, picture)) = self.decoded().at(&self.path)? else {
                return Ok(false);
            };
            let label = self.labels.get(self.next).copied().flatten();
            self.next += 1;
            let picture = picture
                .and_then(|picture| expect_shape(picture, &self.path, self.layout()).at(&path));
            match picture {
                Ok(picture) => {
                    record.bytes = picture.pixels;
                    record.label = label;
                    return Ok(true);
                }
                Err(error) if self.skip_damaged && is_damage(error.kind()) => {
                    self.skipped.push(Skipped::new(path, error.kind().to_string()));
                }
                Err(error) => return Err(error),
            }
        }
    }
}
