use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Mutex;

use image::codecs::{bmp, gif, jpeg, png, tiff, webp};
use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat};

use super::ending::is_whole;
use super::picture::Picture;
use crate::error::Error as FileError;
use crate::formats::error::ErrorKind;
use crate::formats::options::PictureOptions;
use crate::io::access;

/// The number of bytes to read at first: all of a small file.
const FIRST_READ: usize = 4096;

/// The maximum size of a file in bytes, ten times that of a camera's files.
const MAX_FILE_SIZE: u64 = 1 << 29;

/// Pictures of more pixels are decoded one at a time, so that the threads together do not take a multiple
/// of the memory that the limit allows to one picture.
const LARGE: u64 = 1 << 24;

/// Reads the file of a picture.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, ErrorKind> {
    let mut file = Vec::with_capacity(FIRST_READ);
    access::open_regular(path)
        .map_err(FileError::from)?
        .take(MAX_FILE_SIZE + 1)
        .read_to_end(&mut file)?;
    if file.len() as u64 > MAX_FILE_SIZE {
        let message = "the file has more than 512 MiB, the limit for a picture; save it smaller";
        return Err(ErrorKind::unsupported(message));
    }
    Ok(file)
}

/// Decodes the first and only picture of a file, upright, without transparency.
pub(super) fn decode(file: Vec<u8>, options: &PictureOptions) -> Result<Picture, ErrorKind> {
    let format = image::guess_format(&file).map_err(|_| not_a_picture(&file))?;
    let truncated = || damaged(format, "the file ends before the picture does");
    let mut decoder = decoder(format, &file).map_err(|error| match is_whole(format, &file) {
        true => error,
        false => truncated(),
    })?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    options.check_pixels(pixels)?;
    if !is_whole(format, &file) {
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
    let orientation = decoder.orientation().map_err(|error| wrong(format, error))?;
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let large = (pixels > LARGE).then(|| ONE_AT_A_TIME.lock());
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| wrong(format, error))?;
    drop(file);
    image.apply_orientation(orientation);
    let (width, height) = (image.width(), image.height());
    let picture = Picture::new(height, width, color.channel_count().into(), image.into_bytes());
    let picture = picture.opaque(options.background.unwrap_or(u8::MAX));
    drop(large);
    Ok(picture)
}

/// The decoder of a picture whose header was read.
fn decoder(format: ImageFormat, file: &[u8]) -> Result<Box<dyn ImageDecoder + '_>, ErrorKind> {
    let bytes = Cursor::new(file);
    let started = |error| wrong(format, error);
    let mut has_more = false;
    let decoder: Box<dyn ImageDecoder + '_> = match format {
        ImageFormat::Png => {
            let decoder = png::PngDecoder::new(bytes).map_err(started)?;
            has_more = decoder.is_apng().map_err(started)?;
            Box::new(decoder)
        }
        ImageFormat::Jpeg => Box::new(jpeg::JpegDecoder::new(bytes).map_err(started)?),
        ImageFormat::Bmp => Box::new(bmp::BmpDecoder::new(bytes).map_err(started)?),
        ImageFormat::Gif => {
            has_more = has_two_frames(file)?;
            Box::new(gif::GifDecoder::new(bytes).map_err(started)?)
        }
        ImageFormat::Tiff => {
            let pages = ::tiff::decoder::Decoder::new(bytes.clone());
            has_more = pages.is_ok_and(|pages| pages.more_images());
            Box::new(tiff::TiffDecoder::new(bytes).map_err(started)?)
        }
        ImageFormat::WebP => {
            let decoder = webp::WebPDecoder::new(bytes).map_err(started)?;
            has_more = decoder.has_animation();
            Box::new(decoder)
        }
        _ => return Err(not_a_picture(file)),
    };
    match has_more {
        false => Ok(decoder),
        true => Err(ErrorKind::unsupported(format!(
            "this {} has more than one picture, as an animation or pages; save each as a file of its own",
            name(format)
        ))),
    }
}

/// Whether a GIF is an animation; its frames are only counted, not decompressed.
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
    match error {
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            damaged(format, "the file ends before the picture does")
        }
        ImageError::Unsupported(error) => ErrorKind::unsupported(format!(
            "{error}; save the picture as a common {} of 8 bits",
            name(format)
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
