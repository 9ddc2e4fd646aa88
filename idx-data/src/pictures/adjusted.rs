use std::path::{Path, PathBuf};

use idx_std::ElementType;

use super::adjust::adjust;
use super::fit_mnist;
use super::picture::of_record;
use crate::ImageLayout;
use crate::error::{At, Error, ErrorKind, Setting};
use crate::options::{Fit, OpenOptions};
use crate::record::{Record, RecordFacts, RecordLayout, RecordSource};
use crate::value::DType;

/// Records of another format that are pictures, changed like those of a folder.
pub(crate) struct AdjustedSource {
    path: PathBuf,
    source: Box<dyn RecordSource>,
    image: ImageLayout,
    options: OpenOptions,
    facts: RecordFacts,
    next: u64,
}

impl AdjustedSource {
    pub(crate) fn new(
        path: &Path,
        source: Box<dyn RecordSource>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let mut options = options.clone();
        options.pictures.check().at(path)?;
        options.pictures.background.get_or_insert(0);
        let layout = source.layout();
        let image = ImageLayout::from_shape(layout.record_shape());
        let image = image.filter(|_| layout.dtype == DType::Element(ElementType::U8));
        let Some(image) = image else {
            let message =
                format!("records of {layout} cannot be changed as pictures, which are u8");
            return Err(ErrorKind::unsupported(message).advise(Setting::Shape)).at(path);
        };
        options.pictures.check_pixels(image.height() as u64 * image.width() as u64).at(path)?;
        let shape = match options.pictures.fit {
            Fit::Mnist => fit_mnist::SIZE.to_vec(),
            // That of any picture.
            _ => {
                let size = layout.record_size().unwrap_or_default();
                let blank = vec![0; usize::try_from(size).unwrap_or_default()];
                adjust(of_record(image, &blank), &options).at(path)?.shape
            }
        };
        let layout = RecordLayout::of_records(ElementType::U8, source.count(), &shape);
        let facts = RecordFacts { layout, ..source.facts().clone() };
        Ok(Self { path: path.to_path_buf(), source, image, options, facts, next: 0 })
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
        let adjusted = adjust(of_record(self.image, &record.bytes), &self.options)
            .map_err(|error| error.at_position(self.next.into()));
        record.bytes = adjusted.at(&self.path)?.pixels;
        self.next += 1;
        Ok(true)
    }
}
