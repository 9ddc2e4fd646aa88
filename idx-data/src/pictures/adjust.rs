use image::imageops::FilterType;
use image::{DynamicImage, Luma, Rgb};

use super::fit_mnist::fit_mnist;
use super::picture::{Picture, check_size, gray, inner_size, place};
use crate::error::ErrorKind;
use crate::options::{Color, Fit, OpenOptions, PictureOptions};

/// Changes a picture according to the options.
pub(super) fn adjust(mut image: DynamicImage, options: &OpenOptions) -> Result<Picture, ErrorKind> {
    let changes = &options.pictures;
    image = match *changes.color {
        _ if *changes.fit == Some(Fit::Mnist) => gray(image).into(),
        Some(Color::Gray) => gray(image).into(),
        Some(Color::Rgb) => image.into_rgb8().into(),
        None => image,
    };
    if let Some(size) = *changes.crop {
        image = crop(&image, size)?;
    }
    for size in [*changes.pad, *changes.size].into_iter().flatten() {
        check_size(size, image.color().bytes_per_pixel(), options)?;
    }
    if let Some(size) = *changes.pad {
        image = pad(image, size, changes)?;
    }
    image = match (*changes.fit, *changes.size) {
        (Some(Fit::Mnist), _) => fit_mnist(&gray(image))?.into(),
        (_, None) => image,
        (Some(Fit::Contain), Some(size)) => {
            let inner = inner_size(size_of(&image), size);
            pad(scale(image, inner), size, changes)?
        }
        (Some(Fit::Cover), Some(size)) => {
            // The part of the picture with the aspect ratio of the size.
            let part = inner_size(size, size_of(&image));
            scale(crop(&image, part)?, size)
        }
        (Some(Fit::Fill) | None, Some(size)) => scale(image, size),
    };
    let mut picture = Picture::from(image);
    if *changes.invert {
        picture.pixels.iter_mut().for_each(|pixel| *pixel = !*pixel);
    }
    if let Some(threshold) = *changes.threshold {
        let to_two = |pixel: &mut u8| *pixel = if *pixel >= threshold { u8::MAX } else { 0 };
        picture.pixels.iter_mut().for_each(to_two);
    }
    Ok(picture)
}

fn size_of(image: &DynamicImage) -> [u32; 2] {
    [image.height(), image.width()]
}

/// The part of the middle that has this size.
fn crop(image: &DynamicImage, size: [u32; 2]) -> Result<DynamicImage, ErrorKind> {
    let [top, left] = margins(size_of(image), size)
        .ok_or_else(|| mismatch(image, size, "cropped", "pad or scale"))?;
    Ok(image.crop_imm(left, top, size[1], size[0]))
}

/// The picture in the middle of a background of this size.
fn pad(
    image: DynamicImage,
    size: [u32; 2],
    options: &PictureOptions,
) -> Result<DynamicImage, ErrorKind> {
    let background = options.background.unwrap_or(u8::MAX);
    let start = margins(size, size_of(&image))
        .ok_or_else(|| mismatch(&image, size, "padded", "crop or scale"))?;
    Ok(match image {
        DynamicImage::ImageRgb8(image) => place(&image, start, size, Rgb([background; 3])).into(),
        image => place(&image.into_luma8(), start, size, Luma([background])).into(),
    })
}

/// The rows above and the columns left of a size in the middle of another one; `None` if it is larger.
fn margins(outer: [u32; 2], inner: [u32; 2]) -> Option<[u32; 2]> {
    Some([outer[0].checked_sub(inner[0])? / 2, outer[1].checked_sub(inner[1])? / 2])
}

fn mismatch(image: &DynamicImage, to: [u32; 2], changed: &str, instead: &str) -> ErrorKind {
    let [height, width] = size_of(image);
    let [to_height, to_width] = to;
    ErrorKind::mismatch(format!(
        "the picture is {height} x {width} and cannot be {changed} to {to_height} x {to_width}; {instead} it"
    ))
}

/// The picture scaled to another size.
fn scale(image: DynamicImage, [height, width]: [u32; 2]) -> DynamicImage {
    match size_of(&image) == [height, width] {
        true => image,
        false => image.resize_exact(width, height, FilterType::Triangle),
    }
}
