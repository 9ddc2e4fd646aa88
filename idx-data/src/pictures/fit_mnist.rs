//! Makes a digit as those of MNIST were made (<http://yann.lecun.com/exdb/mnist/>): it is scaled into a box
//! of 20 x 20 with its aspect ratio kept, which makes its edges grey, and placed with its center of mass in
//! the middle of 28 x 28. In addition, this finds the ink in a picture that is not black and white.

use std::slice::ChunksExact;

use image::imageops::{FilterType, crop_imm, resize};
use image::{GrayImage, Luma};

use super::picture::{inner_size, place};
use crate::error::ErrorKind;

const BOX: [u32; 2] = [20, 20];
/// The size of the result.
pub(super) const SIZE: [u32; 2] = [28, 28];

/// The difference of brightness below which a picture has no ink.
const MIN_CONTRAST: u8 = 16;

/// The minimum ink of a pixel in the box of a digit: the edge of a stroke has less.
const IN_THE_BOX: u8 = 64;

/// The digit in a grey picture, in the form of MNIST.
pub(super) fn fit_mnist(picture: &GrayImage) -> Result<GrayImage, ErrorKind> {
    let blank = || {
        let message = "the picture has no ink, all of it is about as bright as its edge; remove it";
        ErrorKind::unsupported(message)
    };
    let ink = ink(picture).ok_or_else(blank)?;
    let ([top, left], [height, width]) = bounds(&ink).ok_or_else(blank)?;
    let drawing = crop_imm(&ink, left, top, width, height);
    let [height, width] = inner_size([height, width], BOX);
    let digit = resize(&*drawing, width, height, FilterType::Triangle);
    Ok(place(&digit, corner(&digit), SIZE, Luma([0])))
}

/// The ink of the picture: 0 where it is like its edge, 255 where it differs most.
fn ink(picture: &GrayImage) -> Option<GrayImage> {
    let mut edge = edge(picture);
    edge.sort_unstable();
    let paper = quantile(&edge, 500)?;
    // Ink is darker or brighter than the paper, whichever differs more, except for a few pixels of dirt.
    let mut sorted = picture.to_vec();
    sorted.sort_unstable();
    let (darkest, brightest) = (quantile(&sorted, 1)?, quantile(&sorted, 999)?);
    let is_dark = paper.saturating_sub(darkest) > brightest.saturating_sub(paper);
    let amount = |pixel: u8| match is_dark {
        true => paper.saturating_sub(pixel),
        false => pixel.saturating_sub(paper),
    };
    // Paper is uneven: brightness that occurs at the edge is not ink.
    let mut amounts: Vec<u8> = edge.iter().map(|&pixel| amount(pixel)).collect();
    amounts.sort_unstable();
    let noise = quantile(&amounts, 950)?;
    let half = amount(if is_dark { darkest } else { brightest }) / 2;
    let mut strokes: Vec<u8> = picture.iter().map(|&pixel| amount(pixel)).collect();
    strokes.retain(|&amount| amount > half);
    strokes.sort_unstable();
    let full = quantile(&strokes, 750)?;
    let range = u32::from(full.checked_sub(noise).filter(|&range| range >= MIN_CONTRAST)?);
    let scaled = picture.iter().map(|&pixel| {
        let above = u32::from(amount(pixel).saturating_sub(noise));
        u8::try_from((above * 255 + range / 2) / range).unwrap_or(u8::MAX)
    });
    GrayImage::from_raw(picture.width(), picture.height(), scaled.collect())
}

/// The outermost pixels.
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

/// The number that this many of a thousand numbers do not exceed.
fn quantile(sorted: &[u8], thousandths: usize) -> Option<u8> {
    sorted.get(sorted.len().checked_sub(1)? * thousandths / 1000).copied()
}

/// The first row and column of the ink, and its height and width.
fn bounds(ink: &GrayImage) -> Option<([u32; 2], [u32; 2])> {
    let rows = || rows(ink);
    let has_ink = |pixel: &u8| *pixel >= IN_THE_BOX;
    let top = rows().position(|row| row.iter().any(has_ink))?;
    let bottom = rows().rposition(|row| row.iter().any(has_ink))?;
    let left = rows().filter_map(|row| row.iter().position(has_ink)).min()?;
    let right = rows().filter_map(|row| row.iter().rposition(has_ink)).max()?;
    let number = |size: usize| u32::try_from(size).ok();
    let start = [number(top)?, number(left)?];
    Some((start, [number(bottom - top + 1)?, number(right - left + 1)?]))
}

/// Where the digit starts if the mean of the positions of its ink is 14, as in MNIST, whose pixels are counted
/// from 0; or as near to it as there is room.
fn corner(digit: &GrayImage) -> [u32; 2] {
    let (mut mass, mut row_sum, mut column_sum) = (0u64, 0u64, 0u64);
    for (row, pixels) in (0..).zip(rows(digit)) {
        for (column, &ink) in (0..).zip(pixels) {
            mass += u64::from(ink);
            row_sum += u64::from(ink) * row;
            column_sum += u64::from(ink) * column;
        }
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
