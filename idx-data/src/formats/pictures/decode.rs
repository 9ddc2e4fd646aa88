//! Decodes one file, with limits for its pixels and its memory.

use std::borrow::Cow;
use std::io::Cursor;

use image::metadata::Orientation;
use image::{
    ColorType, DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits,
    guess_format,
};

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use idx_std::FileSignature;

use crate::error::ErrorKind;
use crate::formats::pictures::complete::{frame_of_webp, is_complete};
use crate::formats::pictures::picture::{check_size, opaque};
use crate::record::options::OpenOptions;

/// The formats that are read, with their usual names.
const FORMATS: [(ImageFormat, &str); 6] = [
    (ImageFormat::Png, "PNG"),
    (ImageFormat::Jpeg, "JPEG"),
    (ImageFormat::Gif, "GIF"),
    (ImageFormat::Bmp, "BMP"),
    (ImageFormat::Tiff, "TIFF"),
    (ImageFormat::WebP, "WebP"),
];

/// The memory that a decoder may take besides the pixels and the bytes of the file.
const OVERHEAD: u64 = 1 << 20;

/// Returns whether a file that starts with these bytes is a picture in a format that is read.
pub(crate) fn is_picture(start: &[u8]) -> bool {
    let format = guess_format(start).ok();
    FORMATS.iter().any(|(known, _)| Some(*known) == format)
}

/// The only picture of a file, with its header read and its pixels not yet decoded.
pub(super) struct Undecoded<'a> {
    /// The name of the format.
    name: &'static str,
    decoder: Box<dyn ImageDecoder + 'a>,
    /// The file, if it is a JPEG and only its brightness is needed.
    jpeg: Option<Cow<'a, [u8]>>,
    orientation: Orientation,
    /// The size of the pixels in bytes.
    pub(super) bytes: u64,
}

impl<'a> Undecoded<'a> {
    pub(super) fn new(file: Cow<'a, [u8]>, options: &OpenOptions) -> Result<Self, ErrorKind> {
        let format = guess_format(&file).ok();
        let known = FORMATS.into_iter().find(|(known, _)| Some(*known) == format);
        let (format, name) = known.ok_or_else(|| not_a_picture(&file))?;
        if format == ImageFormat::Tiff && cfg!(not(feature = "tiff")) {
            return Err(ErrorKind::Disabled { feature: "tiff" });
        }
        let wrong = |error| wrong(name, error);
        let is_complete = is_complete(format, &file);
        let truncated = || damaged(name, "the file ends before the picture does");
        // The decoder of TIFF has no limits until it has read the metadata.
        if format == ImageFormat::Tiff && !is_complete {
            return Err(truncated());
        }
        let has_more = has_more(format, &file);
        let frame = (format == ImageFormat::WebP).then(|| frame_of_webp(&file)).flatten();
        // In PNG, color profiles and texts may be compressed. The limit applies only to these and to a row.
        let width = file.get(16..).and_then(|size| size.first_chunk());
        let row = 8 * width.map_or(0, |width| u64::from(u32::from_be_bytes(*width)));
        let mut limits = Limits::default();
        limits.max_alloc = Some(2 * file.len() as u64 + row + OVERHEAD);
        let jpeg = format == ImageFormat::Jpeg && options.pictures.are_gray();
        let jpeg = jpeg.then(|| file.clone());
        let mut reader = ImageReader::with_format(Cursor::new(file), format);
        reader.limits(limits.clone());
        let mut decoder = reader.into_decoder().map_err(|error| match is_complete {
            true => wrong(error),
            false => truncated(),
        })?;
        let (width, height) = decoder.dimensions();
        options.pictures.check_pixels(u64::from(width) * u64::from(height))?;
        if !is_complete {
            return Err(truncated());
        }
        if has_more? {
            return Err(ErrorKind::unsupported(format!(
                "this {name} has more than one picture, as an animation or pages; save each to its own file"
            )));
        }
        let color = decoder.color_type();
        expect_bytes(color)?;
        let mut bytes = check_size([height, width], color.bytes_per_pixel(), options)?;
        if let Some(frame) = frame {
            bytes = bytes.max(check_size(frame, color.bytes_per_pixel(), options)?);
        }
        // Besides the pixels, a frame of a GIF or a strip of a TIFF, which takes more in CMYK than in RGB.
        limits.max_alloc = Some(3 * bytes + OVERHEAD);
        decoder.set_limits(limits).map_err(wrong)?;
        let orientation = decoder.orientation().map_err(wrong)?;
        Ok(Self { name, decoder: Box::new(decoder), jpeg, orientation, bytes })
    }

    /// Returns the picture upright, and without transparency.
    pub(super) fn decode(self, background: Option<u8>) -> Result<DynamicImage, ErrorKind> {
        let decoded = match self.jpeg.as_deref().and_then(luma) {
            Some(gray) => gray.into(),
            None => {
                DynamicImage::from_decoder(self.decoder).map_err(|error| wrong(self.name, error))?
            }
        };
        let mut image = opaque(decoded, background.unwrap_or(u8::MAX));
        image.apply_orientation(self.orientation);
        Ok(image)
    }
}

/// Returns the brightness that a JPEG stores: computing it from the colors takes a quarter longer, and a third more
/// memory. Returns `None` if the file has none, or is damaged; `image` then returns the error.
fn luma(file: &[u8]) -> Option<GrayImage> {
    // The options of `image`, except for the color.
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
        .jpeg_set_out_colorspace(ColorSpace::Luma);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().ok()?;
    if decoder.input_colorspace() != Some(ColorSpace::YCbCr) {
        return None;
    }
    let (width, height) = decoder.dimensions()?;
    let mut pixels = vec![0; decoder.output_buffer_size()?];
    decoder.decode_into(&mut pixels).ok()?;
    GrayImage::from_raw(width.try_into().ok()?, height.try_into().ok()?, pixels)
}

/// Returns whether a file has several pictures, as an animation or pages.
fn has_more(format: ImageFormat, file: &[u8]) -> Result<bool, ErrorKind> {
    Ok(match format {
        // The chunk that controls the animation comes before the pixels.
        ImageFormat::Png => {
            let mut chunks = file.windows(4).take_while(|name| *name != b"IDAT".as_slice());
            chunks.any(|name| name == b"acTL")
        }
        ImageFormat::WebP => {
            const ANIMATION: u8 = 2;
            let flags = file.get(12..).and_then(|chunk| chunk.strip_prefix(b"VP8X")?.get(4));
            flags.is_some_and(|flags| flags & ANIMATION != 0)
        }
        // The frames are only counted: `image` would decode them.
        ImageFormat::Gif => {
            let mut options = gif::DecodeOptions::new();
            options.skip_frame_decoding(true);
            let frames = options.read_info(file).and_then(|mut frames| {
                frames.next_frame_info()?;
                frames.next_frame_info().map(|frame| frame.is_some())
            });
            frames.map_err(|error| damaged("GIF", &error.to_string()))?
        }
        #[cfg(feature = "tiff")]
        ImageFormat::Tiff => {
            let pages = tiff::decoder::Decoder::new(Cursor::new(file));
            pages.is_ok_and(|pages| pages.more_images())
        }
        _ => false,
    })
}

/// Checks that each color of a pixel has 8 bits, or 8 or 16 if it is gray.
fn expect_bytes(color: ColorType) -> Result<(), ErrorKind> {
    if matches!(
        color,
        ColorType::L8 | ColorType::L16 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8
    ) {
        return Ok(());
    }
    let bits = 8 * u16::from(color.bytes_per_pixel()) / u16::from(color.channel_count());
    Err(ErrorKind::unsupported(format!(
        "the picture has {bits} bits for each color, and a record has 8, or 16 if it is gray; convert it to 8 bits \
         first"
    )))
}

fn not_a_picture(file: &[u8]) -> ErrorKind {
    if file.is_empty() {
        return ErrorKind::malformed("the file is empty; copy it again");
    }
    let found = FileSignature::detect(file).map(|found| format!("{found}, ")).unwrap_or_default();
    ErrorKind::malformed(format!(
        "the content is {found}not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; save it as one"
    ))
}

fn wrong(name: &str, error: ImageError) -> ErrorKind {
    match error {
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            damaged(name, "the file ends before the picture does")
        }
        ImageError::Unsupported(error) => ErrorKind::unsupported(format!(
            "{error}; save the picture as a common {name} of 8 bits"
        )),
        ImageError::Limits(_) => ErrorKind::unsupported(format!(
            "decoding this {name} takes more memory than three times its pixels; save it again"
        )),
        error => damaged(name, &error.to_string()),
    }
}

fn damaged(name: &str, reason: &str) -> ErrorKind {
    // Some decoders end their sentences with a line break.
    let reason = reason.trim();
    ErrorKind::malformed(format!("{reason}; not a valid {name} file, or truncated; copy it again"))
}
