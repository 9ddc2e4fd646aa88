use image::imageops::{FilterType, resize};
use image::{ImageBuffer, Pixel};

use super::fit_mnist::fit_mnist;
use super::picture::Picture;
use crate::formats::error::ErrorKind;
use crate::formats::options::{Color, Fit, PictureOptions};

/// Changes a picture according to the options.
pub(super) fn adjust(mut picture: Picture, options: &PictureOptions) -> Result<Picture, ErrorKind> {
    let background = options.background.unwrap_or(u8::MAX);
    picture = match options.color {
        _ if options.fit == Fit::Mnist => picture.grey(),
        Some(Color::Grey) => picture.grey(),
        Some(Color::Rgb) => picture.rgb(),
        None => picture,
    };
    if let Some(size) = options.crop {
        picture = crop(&picture, size)?;
    }
    if let Some(size) = options.pad {
        picture = pad(&picture, size, background)?;
    }
    picture = match (options.fit, options.size) {
        (Fit::Mnist, _) => fit_mnist(&picture)?,
        (_, None) => picture,
        (Fit::Fill, Some(size)) => scale(picture, size),
        (Fit::Contain, Some(size)) => {
            let inner = inner_size([picture.height, picture.width], size);
            pad(&scale(picture, inner), size, background)?
        }
        (Fit::Cover, Some(size)) => {
            // The part of the picture with the aspect ratio of the size.
            let part = inner_size(size, [picture.height, picture.width]);
            scale(crop(&picture, part)?, size)
        }
    };
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
fn crop(picture: &Picture, [height, width]: [u32; 2]) -> Result<Picture, ErrorKind> {
    if height > picture.height || width > picture.width {
        return Err(ErrorKind::mismatch(format!(
            "the picture is {} x {} and cannot be cropped to {height} x {width}; pad or scale it",
            picture.height, picture.width
        )));
    }
    let top = (picture.height - height) / 2;
    let left = (picture.width - width) / 2;
    Ok(part(picture, [top, left], [height, width]))
}

/// The part of this size that starts at this row and column.
pub(super) fn part(picture: &Picture, start: [u32; 2], size: [u32; 2]) -> Picture {
    let [top, left] = start.map(|start| start as usize);
    let [height, width] = size;
    let rows = picture.pixels.chunks_exact(picture.row_size());
    let columns = left * picture.channels..(left + width as usize) * picture.channels;
    let mut pixels = Vec::with_capacity(height as usize * columns.len());
    for row in rows.skip(top).take(height as usize) {
        pixels.extend_from_slice(row.get(columns.clone()).unwrap_or_default());
    }
    Picture::new(height, width, picture.channels, pixels)
}

/// The picture in the middle of a background of this size.
fn pad(picture: &Picture, [height, width]: [u32; 2], background: u8) -> Result<Picture, ErrorKind> {
    if height < picture.height || width < picture.width {
        return Err(ErrorKind::mismatch(format!(
            "the picture is {} x {} and cannot be padded to {height} x {width}; crop or scale it",
            picture.height, picture.width
        )));
    }
    let top = (height - picture.height) / 2;
    let left = (width - picture.width) / 2;
    Ok(place(picture, [top, left], [height, width], background))
}

/// The picture at this row and column of a background of this size.
pub(super) fn place(picture: &Picture, start: [u32; 2], size: [u32; 2], background: u8) -> Picture {
    let [top, left] = start.map(|start| start as usize);
    let [height, width] = size;
    let row_size = width as usize * picture.channels;
    let mut pixels = vec![background; row_size * height as usize];
    let rows = pixels.chunks_exact_mut(row_size).skip(top);
    for (target, row) in rows.zip(picture.pixels.chunks_exact(picture.row_size())) {
        let start = left * picture.channels;
        if let Some(target) = target.get_mut(start..start + row.len()) {
            target.copy_from_slice(row);
        }
    }
    Picture::new(height, width, picture.channels, pixels)
}

/// The picture scaled to another size.
pub(super) fn scale(picture: Picture, size: [u32; 2]) -> Picture {
    if [picture.height, picture.width] == size {
        return picture;
    }
    match picture.channels {
        1 => scale_as::<image::Luma<u8>>(picture, size),
        _ => scale_as::<image::Rgb<u8>>(picture, size),
    }
}

fn scale_as<P: Pixel<Subpixel = u8> + 'static>(
    picture: Picture,
    [height, width]: [u32; 2],
) -> Picture {
    let channels = picture.channels;
    let image = ImageBuffer::<P, _>::from_raw(picture.width, picture.height, picture.pixels);
    debug_assert!(image.is_some(), "as many bytes as its sizes say");
    let scaled = image.map(|image| resize(&image, width, height, FilterType::Triangle));
    let pixels = scaled.map(ImageBuffer::into_raw).unwrap_or_default();
    Picture::new(height, width, channels, pixels)
}
