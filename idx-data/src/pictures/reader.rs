use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use idx_std::ElementType;

use super::adjust::adjust;
use super::decode::Undecoded;
use super::picture::Picture;
use crate::error::{ErrorKind, Setting};
use crate::options::{Color, OpenOptions, PictureOptions};
use crate::record::RecordLayout;

/// How the files of an input become records, all of one shape.
pub(crate) struct PictureReader {
    pub(super) options: PictureOptions,
    pub(super) record_limit: u64,
}

impl PictureReader {
    pub(crate) fn new(options: &OpenOptions) -> Result<Self, ErrorKind> {
        options.pictures.check()?;
        Ok(Self { options: options.pictures.clone(), record_limit: options.record_limit })
    }

    /// Decodes and adjusts the picture in a file.
    pub(crate) fn read<'a>(&self, file: impl Into<Cow<'a, [u8]>>) -> Result<Picture, ErrorKind> {
        self.finish(self.start(file).0)
    }

    /// Reads what comes before the pixels, and tells how many bytes these take.
    pub(crate) fn start<'a>(
        &self,
        file: impl Into<Cow<'a, [u8]>>,
    ) -> (Result<Undecoded<'a>, ErrorKind>, u64) {
        let file = file.into();
        let undecoded = unless_it_panics(|| Undecoded::new(file, &self.options, self.record_limit));
        let bytes = undecoded.as_ref().map_or(0, Undecoded::bytes);
        (undecoded, bytes)
    }

    /// Decodes and adjusts the picture.
    pub(crate) fn finish(
        &self,
        undecoded: Result<Undecoded<'_>, ErrorKind>,
    ) -> Result<Picture, ErrorKind> {
        let undecoded = undecoded?;
        unless_it_panics(|| {
            let image = undecoded.decode(self.options.background.unwrap_or(u8::MAX))?;
            adjust(image, &self.options, self.record_limit)
        })
    }

    /// The layout of all records, whose shape and colors are those of the first.
    pub(crate) fn layout(&mut self, first: &Picture, count: Option<u64>) -> RecordLayout {
        if first.shape.len() == 3 {
            self.options.color = Some(Color::Rgb);
        }
        RecordLayout::of_records(ElementType::U8, count, &first.shape)
    }

    /// Whether a picture with this error is left out.
    pub(crate) fn skips(&self, error: &ErrorKind) -> bool {
        // The others are errors of the disk.
        let is_damage = matches!(error, ErrorKind::Invalid(_) | ErrorKind::Disabled { .. });
        is_damage && self.options.skip_damaged
    }
}

/// A decoder that panics has only not decoded this picture.
fn unless_it_panics<T>(decode: impl FnOnce() -> Result<T, ErrorKind>) -> Result<T, ErrorKind> {
    let stopped = "the decoder stopped at this picture; remove it";
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(ErrorKind::malformed(stopped)))
}

/// Checks that a picture has the shape of the first, at this path.
pub(crate) fn expect_shape(
    picture: Picture,
    path: &Path,
    layout: &RecordLayout,
) -> Result<Picture, ErrorKind> {
    let shape = &picture.shape;
    if shape == layout.record_shape() {
        return Ok(picture);
    }
    let found = RecordLayout::of_records(ElementType::U8, None, shape);
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
