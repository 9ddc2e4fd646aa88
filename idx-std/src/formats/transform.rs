use idx_core::ElementType;

use super::error::{Error, ErrorKind, Setting};
use super::joined::JoinedSource;
use super::record::{Record, RecordLayout, RecordSource};
use crate::image_layout::ImageLayout;
use crate::npy::{DType, OutOfRange, Value};

/// Changes records between reading and writing: the element type, or the order of rows and columns.
///
/// ```
/// use idx_std::ElementType;
/// use idx_std::formats::{Record, RecordSource, SourceOptions, Transform, open};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = &folder.path().join("digits-images-idx3-ubyte");
/// # idx_std::save(path, &[200, 28, 28], &[7_u8; 200 * 784]).unwrap();
///
/// let mut images = open(path, &SourceOptions::default())?;
/// let mut to_f32 = Transform::new(&images, Some(ElementType::F32), false)?;
/// let mut image = Record::default();
/// while images.read(&mut image)? {
///     to_f32.apply(&mut image).map_err(|error| images.record_error(error))?;
///     assert_eq!(image.bytes.len(), 28 * 28 * 4);
/// }
/// # Ok::<(), idx_std::formats::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Transform {
    from: DType,
    to: ElementType,
    /// The layout of images to transpose.
    transpose: Option<ImageLayout>,
    scale: Option<f64>,
    layout: RecordLayout,
    buffer: Vec<u8>,
}

impl Transform {
    /// Converts to this element type, if one is given, and swaps rows and columns if `transpose`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] if IDX does not have the numbers of the source and no type is given, or
    /// if records to transpose are not images.
    pub fn new(
        source: &JoinedSource,
        element_type: Option<ElementType>,
        transpose: bool,
    ) -> Result<Self, Error> {
        let mut layout = source.layout().clone();
        let from = layout.dtype;
        let Some(to) = element_type.or(from.element_type()) else {
            let message = format!("IDX does not have {from}, the type of these numbers");
            let kind = ErrorKind::unsupported(message).advise(Setting::ElementType);
            return Err(source.error(kind));
        };
        layout.dtype = to.into();
        let transpose = if transpose {
            let shape = layout.record_shape();
            let Some(image) = ImageLayout::from_shape(shape) else {
                let shape = layout.shape_text();
                let message =
                    format!("records of {shape} are not images, so they cannot be transposed");
                return Err(source.error(ErrorKind::unsupported(message)));
            };
            let shape = image.transposed_shape(shape);
            layout = RecordLayout::of_records(to, source.count(), &shape);
            Some(image)
        } else {
            None
        };
        Ok(Self {
            from,
            to,
            transpose,
            scale: None,
            layout,
            buffer: Vec::new(),
        })
    }

    /// Also multiplies each number by this one, and rounds it to the nearest integer where the element type
    /// has no others: 255 makes bytes of numbers from 0 to 1.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.scale = Some(factor);
        self
    }

    /// The layout of the results.
    #[must_use]
    pub fn layout(&self) -> &RecordLayout {
        &self.layout
    }

    /// Changes a record.
    ///
    /// # Errors
    ///
    /// The first number that the element type cannot represent.
    pub fn apply(&mut self, record: &mut Record) -> Result<(), OutOfRange> {
        if let Some(factor) = self.scale {
            self.buffer.clear();
            let is_float = self.to.is_float();
            for bytes in record.bytes.chunks_exact(self.from.size()) {
                let scaled = self.from.value(bytes).map_or(f64::NAN, Value::nearest_f64) * factor;
                let scaled = match (is_float, self.to) {
                    // To the nearest f32: what was scaled is seldom one.
                    (true, ElementType::F32) => nearest_f32(scaled),
                    (true, _) => scaled,
                    (false, _) => scaled.round(),
                };
                Value::Float(scaled).append_to(&mut self.buffer, self.to)?;
            }
            std::mem::swap(&mut record.bytes, &mut self.buffer);
        } else if self.from != self.to.into() {
            self.buffer.clear();
            self.from
                .convert(&record.bytes, self.to, &mut self.buffer)?;
            std::mem::swap(&mut record.bytes, &mut self.buffer);
        }
        if let Some(image) = self.transpose {
            self.buffer.clear();
            image.transpose(&record.bytes, self.to.size(), &mut self.buffer);
            std::mem::swap(&mut record.bytes, &mut self.buffer);
        }
        Ok(())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn nearest_f32(value: f64) -> f64 {
    f64::from(value as f32)
}
