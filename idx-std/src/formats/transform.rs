use idx_core::ElementType;

use super::error::{Error, ErrorKind, Setting};
use super::joined::JoinedSource;
use super::record::{Record, RecordLayout, RecordSource};
use crate::image_layout::ImageLayout;
use crate::npy::{DType, OutOfRange};

/// Changes records between reading and writing: another element type, or rows as columns.
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
            layout,
            buffer: Vec::new(),
        })
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
        if self.from != self.to.into() {
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
