//! Adjusts the color, size, inversion and threshold of pictures: decoded files, or records of another format.

use idx_std::ElementType;
use image::{DynamicImage, Luma, Rgb};

use crate::error::ErrorKind;
use crate::formats::pictures::fit_mnist::{SIZE, fit_mnist};
use crate::formats::pictures::picture::{
    Picture, check_size, gray, image, inner_size, of_record, place,
};
use crate::formats::pictures::resize::resize;
use crate::record::options::OpenOptions;
use crate::record::picture_options::{Color, Fit, PictureOptions};
use crate::record::value::DType;
use crate::record::{Change, Facts, Record, RecordLayout};

/// Changes a picture according to the options.
pub(super) fn adjust(mut image: DynamicImage, options: &OpenOptions) -> Result<Picture, ErrorKind> {
    let changes = &options.pictures;
    let is_gray_of_16_bits = matches!(image, DynamicImage::ImageLuma16(_));
    if is_gray_of_16_bits && changes.need_bytes() {
        return Err(ErrorKind::not_bytes(format_args!("pictures of {}", DType::U16)));
    }
    image = match changes.color {
        _ if is_gray_of_16_bits => image,
        _ if changes.are_gray() => gray(image).into(),
        Some(Color::Rgb) => image.into_rgb8().into(),
        None | Some(Color::Gray) => image,
    };
    if let Some(size) = changes.size {
        check_size(size, image.color().bytes_per_pixel(), options)?;
    }
    image = match (changes.fit, changes.size) {
        (Some(Fit::Mnist), _) => fit_mnist(&gray(image), changes.threshold)?.into(),
        (_, None) => image,
        (Some(Fit::Contain), Some(size)) => {
            let inner = inner_size(size_of(&image), size);
            pad(scale(image, inner), size, changes)
        }
        (Some(Fit::Cover), Some(size)) => {
            // The largest part of the picture with the aspect ratio of the size.
            let part = inner_size(size, size_of(&image));
            scale(crop(&image, part), size)
        }
        (Some(Fit::None), Some(size)) => {
            let image = crop(&image, size);
            pad(image, size, changes)
        }
        (Some(Fit::Fill) | None, Some(size)) => scale(image, size),
    };
    let mut picture = Picture::from(image);
    if changes.invert {
        picture.pixels.iter_mut().for_each(|pixel| *pixel = !*pixel);
    }
    if let Some(threshold) = changes.threshold {
        let to_two = |pixel: &mut u8| *pixel = if *pixel >= threshold { u8::MAX } else { 0 };
        picture.pixels.iter_mut().for_each(to_two);
    }
    Ok(picture)
}

/// Returns the picture with its colors in planes, as in records with the channels first.
fn in_planes(picture: Picture) -> Picture {
    let [height, width, 3] = picture.shape[..] else {
        return picture;
    };
    let plane = |channel| picture.pixels.iter().skip(channel).step_by(3).copied();
    let pixels = (0..3).flat_map(plane).collect();
    Picture { shape: vec![3, height, width], pixels, ..picture }
}

/// Returns the change that adjusts pictures of another format like those of a folder, and the facts about the results.
/// Channels that come first stay first.
pub(crate) fn adjusted(facts: &Facts, options: &OpenOptions) -> Result<(Facts, Change), ErrorKind> {
    let mut options = options.clone();
    options.pictures.check()?;
    if options.pictures.background.is_none() {
        options.pictures.background = Some(0);
    }
    let image = image(&facts.layout)?;
    let is_last = matches!(facts.layout.record_shape(), [_, _] | [_, _, 1 | 3]);
    let adjust = move |record: &[u8], options: &OpenOptions| {
        let picture = adjust(of_record(image, record), options)?;
        Ok::<_, ErrorKind>(if is_last { picture } else { in_planes(picture) })
    };
    options.pictures.check_pixels(image.height() as u64 * image.width() as u64)?;
    let shape = match options.pictures.fit {
        Some(Fit::Mnist) => SIZE.to_vec(),
        // The shape of any picture.
        _ => {
            let size = facts.layout.record_size().unwrap_or_default();
            let blank = vec![0; usize::try_from(size).unwrap_or_default()];
            adjust(&blank, &options)?.shape
        }
    };
    let layout = RecordLayout::of_records(ElementType::U8, facts.count, &shape);
    let change = move |record: &mut Record| {
        record.bytes = adjust(&record.bytes, &options)?.pixels;
        Ok(())
    };
    Ok((Facts { layout, columns: None, ..facts.clone() }, Box::new(change)))
}

fn size_of(image: &DynamicImage) -> [u32; 2] {
    [image.height(), image.width()]
}

/// Returns the middle of the picture, no larger than this size.
fn crop(image: &DynamicImage, [height, width]: [u32; 2]) -> DynamicImage {
    let [top, left] = margins(size_of(image), [height, width]);
    image.crop_imm(left, top, width.min(image.width()), height.min(image.height()))
}

/// Returns the picture in the middle of a background of this size, which is no smaller than the picture.
fn pad(image: DynamicImage, size: [u32; 2], options: &PictureOptions) -> DynamicImage {
    if size_of(&image) == size {
        return image;
    }
    let background = options.background.unwrap_or(u8::MAX);
    let start = margins(size, size_of(&image));
    match image {
        DynamicImage::ImageRgb8(image) => place(&image, start, size, Rgb([background; 3])).into(),
        DynamicImage::ImageLuma16(image) => {
            let background = u16::from_be_bytes([background; 2]);
            place(&image, start, size, Luma([background])).into()
        }
        image => place(&image.into_luma8(), start, size, Luma([background])).into(),
    }
}

/// Returns the rows above, and the columns to the left of, a size in the middle of another; 0 where it is not smaller.
fn margins(outer: [u32; 2], inner: [u32; 2]) -> [u32; 2] {
    [outer[0].saturating_sub(inner[0]) / 2, outer[1].saturating_sub(inner[1]) / 2]
}

/// Returns the picture scaled to another size.
fn scale(image: DynamicImage, size: [u32; 2]) -> DynamicImage {
    match image {
        image if size_of(&image) == size => image,
        DynamicImage::ImageRgb8(image) => resize(&image, size).into(),
        DynamicImage::ImageLuma16(image) => resize(&image, size).into(),
        image => resize(&image.into_luma8(), size).into(),
    }
}
