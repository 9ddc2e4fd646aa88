//! Makes a digit in the way MNIST's were made (<http://yann.lecun.com/exdb/mnist/>): it is scaled to fit a box of 20 x
//! 20 with its aspect ratio kept, which makes its edges gray, and placed with its center of mass in the middle of 28 x
//! 28. In addition, this finds the digit in a picture that is not black and white.

use std::slice::ChunksExact;

use image::imageops::crop_imm;
use image::{GrayImage, Luma};

use crate::error::ErrorKind;
use crate::formats::pictures::picture::{inner_size, place};
use crate::formats::pictures::resize::resize;
use crate::formats::pictures::strokes::{Poor, only_digit};

const BOX: [u32; 2] = [20, 20];
/// The size of the result.
pub(super) const SIZE: [u32; 2] = [28, 28];

/// The difference of brightness below which a picture has no digit.
const MIN_CONTRAST: u8 = 16;

/// The minimum brightness of the brightest pixel of a digit, unless there is a threshold.
const CLEAR: u8 = 128;

/// Returns the digit in a gray picture, in the form of MNIST. Pixels from this threshold on will become 255.
pub(super) fn fit_mnist(
    picture: &GrayImage,
    threshold: Option<u8>,
) -> Result<GrayImage, ErrorKind> {
    let contrast = contrast(picture)?;
    let bounds = only_digit(&contrast)?;
    let [height, width] = bounds.size();
    let part = crop_imm(&contrast, bounds.left, bounds.top, width, height).to_image();
    let digit = resize(&part, inner_size([height, width], BOX));
    let peak = digit.iter().copied().max().unwrap_or_default();
    let wanted = threshold.unwrap_or(CLEAR);
    if peak < wanted {
        return Err(Poor::Thin { peak, wanted }.into());
    }
    Ok(place(&digit, corner(&digit), SIZE, Luma([0])))
}

/// Returns how much each pixel differs from the edge of the picture, scaled to the range from 0 to 255.
fn contrast(picture: &GrayImage) -> Result<GrayImage, Poor> {
    let edge = edge(picture);
    let [background] = quantiles(edge.clone(), [500])?;
    // Strokes are darker or brighter than the background, whichever differs more, except for a few pixels of dirt.
    let [darkest, brightest] = quantiles(picture.to_vec(), [1, 999])?;
    let is_dark = background.saturating_sub(darkest) > brightest.saturating_sub(background);
    let amount = |pixel: u8| match is_dark {
        true => background.saturating_sub(pixel),
        false => pixel.saturating_sub(background),
    };
    // The background is uneven: differences that occur at the edge are not strokes.
    let [noise] = quantiles(edge.into_iter().map(amount).collect(), [950])?;
    let most = amount(if is_dark { darkest } else { brightest });
    let amounts = picture.iter().map(|&pixel| amount(pixel));
    let [full] = quantiles(amounts.filter(|&amount| amount > most / 2).collect(), [750])?;
    let range = full.checked_sub(noise).filter(|&range| range >= MIN_CONTRAST);
    let range = range.ok_or(if most < MIN_CONTRAST { Poor::Blank } else { Poor::Edge })?;
    let range = u32::from(range);
    let scaled = picture.iter().map(|&pixel| {
        let above = u32::from(amount(pixel).saturating_sub(noise));
        u8::try_from((above * 255 + range / 2) / range).unwrap_or(u8::MAX)
    });
    GrayImage::from_raw(picture.width(), picture.height(), scaled.collect()).ok_or(Poor::Blank)
}

/// Returns the outermost pixels.
fn edge(picture: &GrayImage) -> Vec<u8> {
    let mut rows = rows(picture);
    let mut edge: Vec<u8> = rows.next().unwrap_or_default().to_vec();
    edge.extend(rows.next_back().unwrap_or_default());
    edge.extend(rows.flat_map(|row| row.first().into_iter().chain(row.last())));
    edge
}

fn rows(picture: &GrayImage) -> ChunksExact<'_, u8> {
    picture.chunks_exact(picture.width().max(1) as usize)
}

/// Returns the quantiles of numbers, for shares in thousandths.
fn quantiles<const N: usize>(
    mut numbers: Vec<u8>,
    thousandths: [usize; N],
) -> Result<[u8; N], Poor> {
    numbers.sort_unstable();
    let last = numbers.len().checked_sub(1).ok_or(Poor::Blank)?;
    Ok(thousandths.map(|part| numbers.get(last * part / 1000).copied().unwrap_or_default()))
}

/// Returns where to put the digit so that the mean of its positions, counted from 0, is 14, as in MNIST; or the nearest
/// place with enough room.
fn corner(digit: &GrayImage) -> [u32; 2] {
    let (mut mass, mut row_sum, mut column_sum) = (0u64, 0u64, 0u64);
    for (column, row, pixel) in digit.enumerate_pixels() {
        let pixel = u64::from(pixel.0[0]);
        mass += pixel;
        row_sum += pixel * u64::from(row);
        column_sum += pixel * u64::from(column);
    }
    let start = |sum: u64, middle: u32, room: u32| {
        let twice = (2 * u64::from(middle) + 1) * mass;
        let start = twice.saturating_sub(2 * sum) / (2 * mass).max(1);
        u32::try_from(start).map_or(room, |start| start.min(room))
    };
    [
        start(row_sum, SIZE[0] / 2, SIZE[0] - digit.height()),
        start(column_sum, SIZE[1] / 2, SIZE[1] - digit.width()),
    ]
}
