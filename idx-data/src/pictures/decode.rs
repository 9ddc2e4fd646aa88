use std::borrow::Cow;
use std::io::Cursor;

use image::codecs::{bmp, gif, jpeg, png, webp};
use image::metadata::Orientation;
use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, Limits};

use super::ending::is_whole;
use super::picture::{check_size, opaque};
use crate::error::ErrorKind;
use crate::options::PictureOptions;

/// What a decoder may take beside the pixels and the bytes of the file.
const OVERHEAD: u64 = 1 << 20;

/// The first and only picture of a file, whose header was read.
pub(crate) struct Undecoded<'a> {
    format: ImageFormat,
    decoder: Box<dyn ImageDecoder + 'a>,
    orientation: Orientation,
    bytes: u64,
}

impl<'a> Undecoded<'a> {
    pub(super) fn new(
        file: Cow<'a, [u8]>,
        options: &PictureOptions,
        record_limit: u64,
    ) -> Result<Self, ErrorKind> {
        let format = image::guess_format(&file).map_err(|_| not_a_picture(&file))?;
        let is_whole = is_whole(format, &file);
        let truncated = || damaged(format, "the file ends before the picture does");
        let mut decoder = decoder(format, file).map_err(|error| match is_whole {
            true => error,
            false => truncated(),
        })?;
        let (width, height) = decoder.dimensions();
        options.check_pixels(u64::from(width) * u64::from(height))?;
        if !is_whole {
            return Err(truncated());
        }
        let color = decoder.color_type();
        if !matches!(color, ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8) {
            let bits = 8 * u16::from(color.bytes_per_pixel()) / u16::from(color.channel_count());
            return Err(ErrorKind::unsupported(format!(
                "the picture has {bits} bits for each color, and a record has 8; convert it to 8 bits first, \
                 so that you see what becomes of dark and bright"
            )));
        }
        let bytes = check_size([height, width], color.bytes_per_pixel(), options, record_limit)?;
        let mut limits = Limits::default();
        // A frame of a GIF or a strip of a TIFF beside the pixels: of CMYK, these take more than those of RGB.
        limits.max_alloc = Some(3 * bytes + OVERHEAD);
        let wrong = |error| wrong(format, error);
        decoder.set_limits(limits).map_err(wrong)?;
        let orientation = decoder.orientation().map_err(wrong)?;
        Ok(Self { format, decoder, orientation, bytes })
    }

    /// How many bytes the pixels take.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The picture upright, and without transparency.
    pub(super) fn decode(self, background: u8) -> Result<DynamicImage, ErrorKind> {
        let decoded = DynamicImage::from_decoder(self.decoder);
        let decoded = decoded.map_err(|error| wrong(self.format, error))?;
        let mut image = opaque(decoded, background);
        image.apply_orientation(self.orientation);
        Ok(image)
    }
}

/// The decoder of a picture whose header was read.
fn decoder(
    format: ImageFormat,
    file: Cow<'_, [u8]>,
) -> Result<Box<dyn ImageDecoder + '_>, ErrorKind> {
    let started = |error| wrong(format, error);
    let mut has_more = false;
    let decoder: Box<dyn ImageDecoder + '_> = match format {
        ImageFormat::Png => {
            // Color profiles and texts may be compressed; they and a row are all that is limited.
            let width = file.get(16..).and_then(|size| size.first_chunk());
            let row = 8 * width.map_or(0, |width| u64::from(u32::from_be_bytes(*width)));
            let mut limits = Limits::default();
            limits.max_alloc = Some(2 * file.len() as u64 + row + OVERHEAD);
            let decoder = png::PngDecoder::with_limits(Cursor::new(file), limits);
            let decoder = decoder.map_err(started)?;
            has_more = decoder.is_apng().map_err(started)?;
            Box::new(decoder)
        }
        ImageFormat::Jpeg => Box::new(jpeg::JpegDecoder::new(Cursor::new(file)).map_err(started)?),
        ImageFormat::Bmp => Box::new(bmp::BmpDecoder::new(Cursor::new(file)).map_err(started)?),
        ImageFormat::Gif => {
            has_more = has_two_frames(&file)?;
            Box::new(gif::GifDecoder::new(Cursor::new(file)).map_err(started)?)
        }
        #[cfg(feature = "tiff")]
        ImageFormat::Tiff => {
            let pages = tiff::decoder::Decoder::new(Cursor::new(&file));
            has_more = pages.is_ok_and(|pages| pages.more_images());
            let decoder = image::codecs::tiff::TiffDecoder::new(Cursor::new(file));
            Box::new(decoder.map_err(started)?)
        }
        #[cfg(not(feature = "tiff"))]
        ImageFormat::Tiff => return Err(ErrorKind::Disabled { feature: "tiff" }),
        ImageFormat::WebP => {
            let decoder = webp::WebPDecoder::new(Cursor::new(file)).map_err(started)?;
            has_more = decoder.has_animation();
            Box::new(decoder)
        }
        _ => return Err(not_a_picture(&file)),
    };
    match has_more {
        false => Ok(decoder),
        true => Err(ErrorKind::unsupported(format!(
            "this {} has more than one picture, as an animation or pages; save each as a file of its own",
            name(format)
        ))),
    }
}

/// Whether a GIF is an animation. Its frames are only counted: `image` would decode them.
fn has_two_frames(file: &[u8]) -> Result<bool, ErrorKind> {
    let mut options = ::gif::DecodeOptions::new();
    options.skip_frame_decoding(true);
    let broken = |error: ::gif::DecodingError| damaged(ImageFormat::Gif, &error.to_string());
    let mut frames = options.read_info(file).map_err(broken)?;
    frames.next_frame_info().map_err(broken)?;
    Ok(frames.next_frame_info().map_err(broken)?.is_some())
}

fn not_a_picture(file: &[u8]) -> ErrorKind {
    ErrorKind::malformed(match file.is_empty() {
        true => "the file is empty; copy it again, or remove it",
        false => {
            "the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; remove it, or save it as one"
        }
    })
}

fn wrong(format: ImageFormat, error: ImageError) -> ErrorKind {
    let name = name(format);
    match error {
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            damaged(format, "the file ends before the picture does")
        }
        ImageError::Unsupported(error) => ErrorKind::unsupported(format!(
            "{error}; save the picture as a common {name} of 8 bits"
        )),
        ImageError::Limits(_) => ErrorKind::unsupported(format!(
            "decoding this {name} takes more memory than three times its pixels; save it again"
        )),
        error => damaged(format, &error.to_string()),
    }
}

fn damaged(format: ImageFormat, reason: &str) -> ErrorKind {
    let name = name(format);
    // Some decoders end their sentences with a line break.
    let reason = reason.trim();
    ErrorKind::malformed(format!("{reason}; not a valid {name} file, or truncated; copy it again"))
}

/// The usual name of the format.
fn name(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::Gif => "GIF",
        ImageFormat::Bmp => "BMP",
        ImageFormat::Tiff => "TIFF",
        ImageFormat::WebP => "WebP",
        _ => "picture",
    }
}
