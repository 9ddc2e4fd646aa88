//! The column names of a record's numbers, and the shape that they state.

use crate::reading::roles::label::side_of_square;
use idx_std::__private::byte_size;

/// The name of the only column of records that are single numbers.
const VALUE: &str = "value";

/// Returns the name of each number of a record. [`shape`] finds the shape by these names.
pub(super) fn names(shape: &[u32]) -> impl Iterator<Item = String> {
    let count = byte_size(1, shape.iter().copied().map(u64::from)).unwrap_or(u64::MAX);
    let name = move |number: u64| {
        let mut rest = number;
        let mut indices: Vec<String> = Vec::new();
        for size in shape.iter().rev().copied().map(u64::from) {
            indices.insert(0, (rest % size + 1).to_string());
            rest /= size;
        }
        match &indices[..] {
            [] => VALUE.to_string(),
            [index] => format!("x{index}"),
            _ => indices.join("x"),
        }
    };
    (0..count).map(name)
}

/// Returns the shape that the names of a record's numbers state: `1x1` to `28x28`, or square pictures of `pixel0` and
/// so on. All names must be those of the shape, in its order; other names describe separate columns.
pub(super) fn shape(names: &[impl AsRef<str>]) -> Option<Vec<u32>> {
    let last = names.last()?.as_ref();
    let sizes = last.strip_prefix('x').unwrap_or(last).split('x');
    let sizes: Option<Vec<u32>> = sizes.map(|size| size.parse().ok()).collect();
    let is_of = |sizes: &Vec<u32>| {
        let length = byte_size(1, sizes.iter().copied().map(u64::from));
        let found = names.iter().map(AsRef::as_ref);
        length == Some(names.len() as u64) && self::names(sizes).eq(found)
    };
    sizes.filter(is_of).or_else(|| square(names))
}

/// Returns the shape of a square picture whose pixels are numbered from 0 or 1.
fn square(names: &[impl AsRef<str>]) -> Option<Vec<u32>> {
    let number = |name: &str| {
        let (word, number) = name.split_at_checked("pixel".len())?;
        word.eq_ignore_ascii_case("pixel").then_some(number)?.parse::<usize>().ok()
    };
    let first = number(names.first()?.as_ref()).filter(|first| *first <= 1)?;
    let mut counted = names.iter().zip(first..);
    let are_pixels = counted.all(|(name, index)| number(name.as_ref()) == Some(index));
    let side = side_of_square(names.len()).filter(|_| are_pixels)?;
    Some(vec![u32::try_from(side).ok()?; 2])
}

/// The sides of square pictures expected in lines with a label and without names.
const SIDES: [u32; 5] = [8, 16, 28, 32, 64];

/// Returns the side of a square picture of `pixels` pixels, if it is an expected one.
pub(super) fn side_of_picture(pixels: u32) -> Option<u32> {
    SIDES.into_iter().find(|side| side * side == pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_state_the_shape_they_were_made_from() {
        for sizes in [&[][..], &[1], &[3], &[1, 1], &[2, 3], &[28, 28], &[4, 2, 3], &[1, 1, 1]] {
            let names: Vec<String> = names(sizes).collect();
            let expected = Some(sizes.to_vec()).filter(|sizes| !sizes.is_empty());
            assert_eq!(shape(&names), expected, "{names:?}");
        }
        assert_eq!(names(&[2, 2]).collect::<Vec<_>>(), ["1x1", "1x2", "2x1", "2x2"]);
        for (names, expected) in [
            (&["pixel0", "pixel1", "pixel2", "pixel3"][..], Some(vec![2, 2])),
            (&["pixel1", "pixel2", "pixel3", "pixel4"], Some(vec![2, 2])),
            (&["Pixel1", "Pixel2", "Pixel3", "Pixel4"], Some(vec![2, 2])),
            (&["pixel2", "pixel3", "pixel4", "pixel5"], None),
            (&["pixel0", "pixel1", "pixel2"], None),
            (&["a0", "a1", "a2", "a3"], None),
            (&["a", "b", "2x2"], None),
            (&["a", "b", "c", "2x2"], None),
            (&["1x1", "2x1", "1x2", "2x2"], None),
            (&["1x1", "Age", "Weight", "2x2"], None),
            (&["1x1", "1x1", "2x1", "2x2"], None),
            (&["1x1", "2x1", "1x2", "2x2", "1x3", "2x3"], None),
            (&["x1", "x3", "x2", "x4"], None),
            (&["x1", "x1", "x3"], None),
            (&["a", "b", "c", "2x99999999999999999999"], None),
            (&["a", "b", "c", "65536x65536x65536x65536x65536"], None),
            (&["größe", "é"], None),
        ] {
            assert_eq!(shape(names), expected, "{names:?}");
        }
    }
}
