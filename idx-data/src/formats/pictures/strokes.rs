//! Finds the digit among the strokes in a picture, and why it would come out poor.

use std::collections::VecDeque;

use image::GrayImage;

use crate::error::{ErrorKind, Hint};
use crate::formats::pictures::fit_mnist::SIZE;

/// The minimum contrast of a pixel in the box of a digit: the edge of a stroke has less.
const IN_THE_BOX: u8 = 64;

/// The contrast that a digit has up to its ends. Ruled lines, and what shines through the paper, are paler than ink.
const STRONG: u8 = 128;

/// A spot has at most 1/`SPOT` of the ink. The dot of an i has more.
const SPOT: u64 = 25;

/// The maximum number of strokes, to bound memory: a picture with more shows only dust.
const MAX_STROKES: usize = 100_000;

/// The height and width up to which the ends of strokes are pale, and no paper is seen.
const SMALL: u32 = 2 * SIZE[0];

/// The reason why a digit would come out poor.
#[derive(Debug, PartialEq)]
pub(super) enum Poor {
    /// No stroke has enough contrast.
    Blank,
    /// Something other than a digit touches the edge of the picture.
    Edge,
    /// The box has more in it than a digit.
    Surrounded,
    /// The strokes are much thinner than those of MNIST.
    Thin { peak: u8, wanted: u8 },
}

impl From<Poor> for ErrorKind {
    fn from(poor: Poor) -> Self {
        match poor {
            Poor::Blank => Self::unsupported(
                "nothing in this picture differs in brightness from its edge; remove it",
            ),
            Poor::Edge => Self::unsupported(
                "lines or a dark border touch the edge; crop it to blank paper around the digit",
            ),
            Poor::Surrounded => Self::unsupported(
                "there are spots or pale lines around the digit; crop it closer, or remove them",
            ),
            Poor::Thin { peak, wanted } => Self::unsupported(format!(
                "the strokes are so thin that the brightest pixel has {peak}, less than {wanted}; give a lower threshold"
            ))
            .advising(Hint::Threshold),
        }
    }
}

/// The rows and columns that some pixels span.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) top: u32,
    pub(super) left: u32,
    bottom: u32,
    right: u32,
}

impl Bounds {
    fn of(column: u32, row: u32) -> Self {
        Self { top: row, left: column, bottom: row, right: column }
    }

    fn and(self, other: Self) -> Self {
        Self {
            top: self.top.min(other.top),
            left: self.left.min(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.max(other.right),
        }
    }

    /// Returns the height and the width.
    pub(super) fn size(self) -> [u32; 2] {
        [self.bottom - self.top + 1, self.right - self.left + 1]
    }

    /// Returns whether a digit with these bounds is much smaller than the bounds around it.
    fn leaves_much_of(self, all: Self) -> bool {
        let ([height, width], [all_height, all_width]) = (self.size(), all.size());
        5 * (all_height - height).max(all_width - width) > all_height.max(all_width)
    }
}

/// Connected pixels.
struct Stroke {
    bounds: Bounds,
    pixels: u64,
    /// The bounds of the pixels as dark as ink.
    strong: Option<Bounds>,
    is_at_edge: bool,
}

/// Returns the bounds of the digit, if there is nothing else in the picture. What touches the edge may be part of the
/// digit.
pub(super) fn only_digit(contrast: &GrayImage) -> Result<Bounds, Poor> {
    let strokes = strokes(contrast)?;
    let all = bounds(&strokes, |_| true).ok_or(Poor::Blank)?;
    let ink = pixels(&strokes, |_| true);
    let [height, width] = all.size();

    let is_inside = |stroke: &Stroke| !stroke.is_at_edge;
    let is_digit_inside = 8 * pixels(&strokes, is_inside) > ink;
    let is_foreign = match bounds(&strokes, is_inside).filter(|_| is_digit_inside) {
        Some(inside) => inside.leaves_much_of(all),
        None => {
            let at_edge = strokes.iter().filter(|stroke| stroke.is_at_edge).count();
            let is_across =
                width == contrast.width() && (width >= height || height == contrast.height());
            at_edge > 1 || at_edge == 1 && is_across
        }
    };
    // This is the paper itself, on something dark: digits of MNIST that are not narrow fill at most 78 % of their box.
    let is_narrow = 2 * width.min(height) <= width.max(height);
    let is_large = 2 * height > contrast.height() && 2 * width > contrast.width();
    let amounts = contrast.iter().filter(|&&amount| amount >= IN_THE_BOX);
    let filled: u64 = amounts.map(|&amount| u64::from(amount)).sum();
    let is_full = 5 * filled > 4 * 255 * u64::from(height) * u64::from(width);
    if is_foreign || is_full && is_large && !is_narrow {
        return Err(Poor::Edge);
    }
    let large = strokes.iter().filter(|stroke| SPOT * stroke.pixels > ink);
    let digit = large.filter_map(|stroke| stroke.strong).reduce(Bounds::and);
    let digit = digit.ok_or(Poor::Surrounded)?;
    let is_small = contrast.width().max(contrast.height()) <= SMALL;
    if digit.leaves_much_of(all) && !is_small { Err(Poor::Surrounded) } else { Ok(all) }
}

/// Returns the bounds of some strokes, if there are any.
fn bounds(strokes: &[Stroke], is_counted: impl Fn(&Stroke) -> bool) -> Option<Bounds> {
    let counted = strokes.iter().filter(|stroke| is_counted(stroke));
    counted.map(|stroke| stroke.bounds).reduce(Bounds::and)
}

/// Returns the number of pixels of some strokes.
fn pixels(strokes: &[Stroke], is_counted: impl Fn(&Stroke) -> bool) -> u64 {
    strokes.iter().filter(|stroke| is_counted(stroke)).map(|stroke| stroke.pixels).sum()
}

/// Returns the strokes of a picture: connected pixels with enough contrast.
fn strokes(contrast: &GrayImage) -> Result<Vec<Stroke>, Poor> {
    let (right, bottom) = (contrast.width() - 1, contrast.height() - 1);
    let mut left = contrast.clone();
    // Takes a pixel of a stroke out, so that it is found only once.
    let mut take = move |column, row| {
        let pixel = left.get_pixel_mut(column, row);
        let amount = std::mem::take(&mut pixel.0[0]);
        (amount >= IN_THE_BOX).then_some((column, row, amount))
    };
    // Breadth-first, because few pixels are then waiting.
    let (mut strokes, mut next) = (Vec::new(), VecDeque::new());
    for row in 0..=bottom {
        for column in 0..=right {
            next.extend(take(column, row));
            let bounds = Bounds::of(column, row);
            let mut stroke = Stroke { bounds, pixels: 0, strong: None, is_at_edge: false };
            while let Some((column, row, amount)) = next.pop_front() {
                let place = Bounds::of(column, row);
                stroke.bounds = stroke.bounds.and(place);
                stroke.pixels += 1;
                if amount >= STRONG {
                    stroke.strong = Some(stroke.strong.map_or(place, |strong| strong.and(place)));
                }
                stroke.is_at_edge |= [0, right].contains(&column) || [0, bottom].contains(&row);
                for row in row.saturating_sub(1)..=(row + 1).min(bottom) {
                    for column in column.saturating_sub(1)..=(column + 1).min(right) {
                        next.extend(take(column, row));
                    }
                }
            }
            if stroke.pixels > 0 {
                strokes.push(stroke);
            }
            if strokes.len() > MAX_STROKES {
                return Err(Poor::Surrounded);
            }
        }
    }
    Ok(strokes)
}
