//! Pixels in memory, from records and for records.

use idx_std::__private::counted;
use image::imageops::replace;
use image::{DynamicImage, GrayImage, ImageBuffer, Pixel, RgbImage};

use crate::ImageLayout;
use crate::error::ErrorKind;
use crate::record::RecordLayout;
use crate::record::options::OpenOptions;
use crate::record::value::DType;
use idx_std::ElementType;

/// The number of pixels to convert at a time: few enough for the L1 cache.
const PIECE: usize = 1024;

/// The pixels of a record, row by row.
pub(super) struct Picture {
    /// The sizes h x w, or h x w x 3.
    pub(super) shape: Vec<u32>,
    pub(super) dtype: DType,
    pub(super) pixels: Vec<u8>,
}

impl From<DynamicImage> for Picture {
    fn from(image: DynamicImage) -> Self {
        let channels = image.color().has_color().then_some(3);
        let shape = [image.height(), image.width()].into_iter().chain(channels).collect();
        let (dtype, pixels) = match image {
            DynamicImage::ImageLuma16(image) => {
                let pixels: Vec<_> = image.iter().map(|pixel| pixel.to_be_bytes()).collect();
                (DType::U16, pixels.into_flattened())
            }
            image => (DType::Element(ElementType::U8), image.into_bytes()),
        };
        Self { shape, dtype, pixels }
    }
}

/// Returns the layout of the pixels in a record. Checks that records are pictures of bytes.
pub(super) fn image(layout: &RecordLayout) -> Result<ImageLayout, ErrorKind> {
    let shape = layout.record_shape();
    let image = ImageLayout::from_shape(shape).ok_or_else(|| ErrorKind::not_images(shape))?;
    match layout.dtype {
        DType::Element(ElementType::U8) => Ok(image),
        _ => Err(ErrorKind::not_bytes(format_args!("records of {layout}"))),
    }
}

/// Returns the picture in a record.
pub(super) fn of_record(layout: ImageLayout, record: &[u8]) -> DynamicImage {
    let side = |pixels| u32::try_from(pixels).unwrap_or(u32::MAX);
    let (height, width) = (side(layout.height()), side(layout.width()));
    let pixels = layout.interleaved(record);
    let image = match layout.is_color() {
        true => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        false => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
    };
    debug_assert!(image.is_some(), "a record of this layout");
    image.unwrap_or_default()
}

/// Checks that a picture may have this height and width, and returns its size in bytes.
pub(super) fn check_size(
    [height, width]: [u32; 2],
    pixel_size: u8,
    options: &OpenOptions,
) -> Result<u64, ErrorKind> {
    let pixels = u64::from(width) * u64::from(height);
    options.pictures.check_pixels(pixels)?;
    let bytes = pixels.saturating_mul(pixel_size.into());
    if bytes <= options.record_limit {
        return Ok(bytes);
    }
    let message = format!(
        "the picture of {height} x {width} takes {}, {pixel_size} for each pixel, more than the limit of {}",
        counted(bytes, "byte"),
        options.record_limit
    );
    Err(ErrorKind::over_limit(message))
}

/// Returns the largest size with this aspect ratio that fits into `outer`.
pub(super) fn inner_size(ratio: [u32; 2], outer: [u32; 2]) -> [u32; 2] {
    let [height, width] = ratio.map(u64::from);
    let [outer_height, outer_width] = outer.map(u64::from);
    let rounded = |size: u64, by: u64, of: u64, max: u64| {
        let scaled = (size * by + of / 2) / of.max(1);
        u32::try_from(scaled.clamp(1, max.max(1))).unwrap_or(u32::MAX)
    };
    match height * outer_width > width * outer_height {
        true => [outer[0], rounded(width, outer_height, height, outer_width)],
        false => [rounded(height, outer_width, width, outer_height), outer[1]],
    }
}

/// Returns the picture on a background of this size, at this row and column.
pub(super) fn place<P: Pixel>(
    image: &ImageBuffer<P, Vec<P::Subpixel>>,
    [top, left]: [u32; 2],
    [height, width]: [u32; 2],
    background: P,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let mut placed = ImageBuffer::from_pixel(width, height, background);
    replace(&mut placed, image, left.into(), top.into());
    placed
}

/// Puts a picture with transparency in front of a background.
pub(super) fn opaque(image: DynamicImage, background: u8) -> DynamicImage {
    let mix = |color: u8, alpha: u8| {
        let (front, behind) = (u16::from(alpha), u16::from(255 - alpha));
        let parts = front * u16::from(color) + behind * u16::from(background);
        // At most 255.
        u8::try_from((parts + 127) / 255).unwrap_or(u8::MAX)
    };
    match image {
        DynamicImage::ImageRgba8(image) => {
            let mix_colors = |[red, green, blue, alpha]: [u8; 4]| {
                [red, green, blue].map(|color| mix(color, alpha))
            };
            DynamicImage::ImageRgb8(shortened(image, mix_colors))
        }
        DynamicImage::ImageLumaA8(image) => {
            DynamicImage::ImageLuma8(shortened(image, |[gray, alpha]| [mix(gray, alpha)]))
        }
        opaque => opaque,
    }
}

/// Returns the brightness of each pixel, with the weights of ITU-R BT.601, as Pillow computes it.
pub(super) fn gray(image: DynamicImage) -> GrayImage {
    // In fixed point with 16 bits, rounded. The weights add up to 1.
    let brightness = |[red, green, blue]: [u8; 3]| {
        let sum = 19595 * u32::from(red) + 38470 * u32::from(green) + 7471 * u32::from(blue);
        [u8::try_from((sum + 0x8000) >> 16).unwrap_or(u8::MAX)]
    };
    match image {
        DynamicImage::ImageRgb8(image) => shortened(image, brightness),
        gray => gray.into_luma8(),
    }
}

/// Makes each pixel shorter in place, so that a large picture is not in memory twice. Pieces go through another buffer,
/// because the compiler vectorizes only code that does not read and write the same memory.
fn shortened<P, Q, const FROM: usize, const TO: usize>(
    image: ImageBuffer<P, Vec<u8>>,
    change: impl Fn([u8; FROM]) -> [u8; TO],
) -> ImageBuffer<Q, Vec<u8>>
where
    P: Pixel<Subpixel = u8>,
    Q: Pixel<Subpixel = u8>,
{
    let (width, height) = image.dimensions();
    let mut pixels = image.into_raw();
    let count = pixels.len() / FROM;
    let mut piece = Vec::with_capacity(PIECE);
    for start in (0..count).step_by(PIECE) {
        let long = pixels.get(FROM * start..).unwrap_or_default().as_chunks().0;
        piece.clear();
        piece.extend(long.iter().take(PIECE).map(|pixel| change(*pixel)));
        let changed = piece.as_flattened();
        if let Some(short) = pixels.get_mut(TO * start..TO * start + changed.len()) {
            short.copy_from_slice(changed);
        }
    }
    pixels.truncate(TO * count);
    ImageBuffer::from_raw(width, height, pixels).unwrap_or_default()
}
