use image::imageops::{FilterType, replace};
use image::{DynamicImage, ImageBuffer, Luma, Pixel, Rgb};

use super::fit_mnist::fit_mnist;
use super::picture::{Picture, grey};
use super::reader::PictureReader;
use crate::error::ErrorKind;
use crate::options::{Color, Fit};

/// Changes a picture according to the options.
pub(super) fn adjust(
    mut image: DynamicImage,
    reader: &PictureReader,
) -> Result<Picture, ErrorKind> {
    let options = &reader.options;
    let background = options.background.unwrap_or(u8::MAX);
    image = match options.color {
        _ if options.fit == Fit::Mnist => grey(image).into(),
        Some(Color::Gray) => grey(image).into(),
        Some(Color::Rgb) => image.into_rgb8().into(),
        None => image,
    };
    if let Some(size) = options.crop {
        image = crop(&image, size)?;
    }
    for [height, width] in [options.pad, options.size].into_iter().flatten() {
        reader.check_size(width, height, image.color().bytes_per_pixel())?;
    }
    if let Some(size) = options.pad {
        image = pad(image, size, background)?;
    }
    image = match (options.fit, options.size) {
        (Fit::Mnist, _) => fit_mnist(&grey(image))?.into(),
        (_, None) => image,
        (Fit::Fill, Some(size)) => scale(image, size),
        (Fit::Contain, Some(size)) => {
            let inner = inner_size([image.height(), image.width()], size);
            pad(scale(image, inner), size, background)?
        }
        (Fit::Cover, Some(size)) => {
            // The part of the picture with the aspect ratio of the size.
            let part = inner_size(size, [image.height(), image.width()]);
            scale(crop(&image, part)?, size)
        }
    };
    let mut picture = Picture::from(image);
    if options.invert {
        picture.pixels.iter_mut().for_each(|pixel| *pixel = !*pixel);
    }
    if let Some(threshold) = options.threshold {
        let to_two = |pixel: &mut u8| *pixel = if *pixel >= threshold { u8::MAX } else { 0 };
        picture.pixels.iter_mut().for_each(to_two);
    }
    Ok(picture)
}

/// The largest size of this aspect ratio that fits into the other one.
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

/// The part of the middle that has this size.
fn crop(image: &DynamicImage, [height, width]: [u32; 2]) -> Result<DynamicImage, ErrorKind> {
    match (image.height().checked_sub(height), image.width().checked_sub(width)) {
        (Some(rows), Some(columns)) => Ok(image.crop_imm(columns / 2, rows / 2, width, height)),
        _ => Err(ErrorKind::mismatch(format!(
            "the picture is {} x {} and cannot be cropped to {height} x {width}; pad or scale it",
            image.height(),
            image.width()
        ))),
    }
}

/// The picture in the middle of a background of this size.
fn pad(image: DynamicImage, size: [u32; 2], background: u8) -> Result<DynamicImage, ErrorKind> {
    let [height, width] = size;
    let (Some(rows), Some(columns)) =
        (height.checked_sub(image.height()), width.checked_sub(image.width()))
    else {
        return Err(ErrorKind::mismatch(format!(
            "the picture is {} x {} and cannot be padded to {height} x {width}; crop or scale it",
            image.height(),
            image.width()
        )));
    };
    let start = [rows / 2, columns / 2];
    Ok(match image {
        DynamicImage::ImageRgb8(image) => place(&image, start, size, Rgb([background; 3])).into(),
        image => place(&image.into_luma8(), start, size, Luma([background])).into(),
    })
}

/// The picture at this row and column of a background of this size.
pub(super) fn place<P: Pixel<Subpixel = u8>>(
    image: &ImageBuffer<P, Vec<u8>>,
    [top, left]: [u32; 2],
    [height, width]: [u32; 2],
    background: P,
) -> ImageBuffer<P, Vec<u8>> {
    let mut placed = ImageBuffer::from_pixel(width, height, background);
    replace(&mut placed, image, left.into(), top.into());
    placed
}

/// The picture scaled to another size.
fn scale(image: DynamicImage, [height, width]: [u32; 2]) -> DynamicImage {
    match (image.height(), image.width()) == (height, width) {
        true => image,
        false => image.resize_exact(width, height, FilterType::Triangle),
    }
}
