use image::imageops::FilterType;
use image::{DynamicImage, Luma, Rgb};

use super::fit_mnist::fit_mnist;
use super::picture::{Picture, check_size, grey, inner_size, place};
use crate::error::ErrorKind;
use crate::options::{Color, Fit, PictureOptions};

/// Changes a picture according to the options.
pub(super) fn adjust(
    mut image: DynamicImage,
    options: &PictureOptions,
    record_limit: u64,
) -> Result<Picture, ErrorKind> {
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
        let pixel_size = image.color().bytes_per_pixel();
        check_size([height, width], pixel_size, options, record_limit)?;
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

/// The picture scaled to another size.
fn scale(image: DynamicImage, [height, width]: [u32; 2]) -> DynamicImage {
    match (image.height(), image.width()) == (height, width) {
        true => image,
        false => image.resize_exact(width, height, FilterType::Triangle),
    }
}
