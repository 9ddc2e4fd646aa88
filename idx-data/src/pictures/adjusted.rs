use std::path::{Path, PathBuf};

use idx_std::ElementType;
use image::{DynamicImage, GrayImage, RgbImage};

use super::adjust::adjust;
use super::fit_mnist;
use super::picture::Picture;
use super::reader::PictureReader;
use crate::ImageLayout;
use crate::error::{At, Error, ErrorKind, Setting};
use crate::npy::DType;
use crate::options::{Fit, OpenOptions};
use crate::record::{Record, RecordFacts, RecordLayout, RecordSource};

/// Records of another format that are pictures, changed like those of a folder.
pub(crate) struct AdjustedSource {
    path: PathBuf,
    source: Box<dyn RecordSource>,
    image: ImageLayout,
    reader: PictureReader,
    facts: RecordFacts,
    next: u64,
}

impl AdjustedSource {
    pub(crate) fn new(
        path: &Path,
        source: Box<dyn RecordSource>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let mut reader = PictureReader::new(options).at(path)?;
        reader.options.background.get_or_insert(0);
        let layout = source.layout();
        let image = ImageLayout::from_shape(layout.record_shape());
        let image = image.filter(|_| layout.dtype == DType::Element(ElementType::U8));
        let Some(image) = image else {
            let message =
                format!("records of {layout} cannot be changed as pictures, which are u8");
            return Err(ErrorKind::unsupported(message).advise(Setting::Shape)).at(path);
        };
        let pixels = image.height() as u64 * image.width() as u64;
        reader.options.check_pixels(pixels).at(path)?;
        let mut adjusted = Self {
            path: path.to_path_buf(),
            facts: source.facts().clone(),
            source,
            image,
            reader,
            next: 0,
        };
        let shape = match adjusted.reader.options.fit {
            Fit::Mnist => fit_mnist::SIZE.to_vec(),
            // The background of any picture.
            _ => {
                let size = adjusted.layout().record_size().unwrap_or_default();
                let blank = vec![0; usize::try_from(size).unwrap_or_default()];
                adjusted.adjust(&blank).at(path)?.shape
            }
        };
        adjusted.facts.layout = RecordLayout::of_records(ElementType::U8, adjusted.count(), &shape);
        Ok(adjusted)
    }

    fn adjust(&self, record: &[u8]) -> Result<Picture, ErrorKind> {
        let side = |pixels| u32::try_from(pixels).unwrap_or(u32::MAX);
        let (height, width) = (side(self.image.height()), side(self.image.width()));
        let pixels = self.image.interleaved(record).into_owned();
        let image = match self.image.is_color() {
            true => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
            false => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        };
        adjust(image.unwrap_or_default(), &self.reader.options, self.reader.record_limit)
    }
}

impl RecordSource for AdjustedSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn close(&mut self) {
        self.source.close();
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let skipped = self.source.skip(records)?;
        self.next += skipped;
        Ok(skipped)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if !self.source.read(record)? {
            return Ok(false);
        }
        let here = self.next.into();
        let adjusted = self.adjust(&record.bytes).map_err(|error| error.at_position(here));
        record.bytes = adjusted.at(&self.path)?.pixels;
        self.next += 1;
        Ok(true)
    }
}
