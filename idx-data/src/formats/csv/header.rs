//! The first line of csv: whether it names the columns, and the shape that the names say.

use crate::error::ErrorKind;
use crate::names::columns::are_counted;
use idx_std::__private::byte_size;

/// The name of the only column of records that are single numbers.
const VALUE: &str = "value";

/// Whether the first line of a table names its columns: it has text, and its numbers count up by one.
pub(crate) fn is_header(
    fields: impl Iterator<Item: AsRef<str>> + Clone,
) -> Result<bool, ErrorKind> {
    if are_counted(&fields) {
        let message = "the first line has only numbers that count up, which may be names of columns or a record";
        return Err(ErrorKind::MaybeNames(message.to_string()));
    }
    let is_number = |field: &str| field.parse::<f64>().is_ok();
    let has_texts = fields.clone().any(|field| !is_number(field.as_ref()));
    // A record may lack values, and of names only that of the row numbers of pandas is empty.
    let are_whole = fields.clone().skip(1).all(|field| !field.as_ref().is_empty());
    Ok(has_texts && are_whole && count_up(fields.filter(|field| is_number(field.as_ref()))))
}

/// Whether these are numbers of columns.
fn count_up(numbers: impl Iterator<Item: AsRef<str>> + Clone) -> bool {
    let Some(first) = numbers.clone().next() else {
        return true;
    };
    let first: Option<u64> = first.as_ref().parse().ok();
    let first = first.filter(|first| *first <= 1 || numbers.clone().nth(1).is_some());
    first.is_some_and(|first| {
        let mut counted = numbers.zip(u128::from(first)..);
        counted.all(|(text, number)| text.as_ref() == number.to_string())
    })
}

/// The name of each number of a record, by which [`shape`] knows its shape.
pub(super) fn names(shape: &[u32]) -> impl Iterator<Item = String> {
    let mut next = Some(vec![1; shape.len()]);
    std::iter::from_fn(move || {
        let indices = next.take()?;
        let name = match &indices[..] {
            [] => VALUE.to_string(),
            [index] => format!("x{index}"),
            _ => indices.iter().map(u32::to_string).collect::<Vec<_>>().join("x"),
        };
        next = after(indices, shape);
        Some(name)
    })
}

/// The indices after these, the last dimension fastest.
fn after(mut indices: Vec<u32>, shape: &[u32]) -> Option<Vec<u32>> {
    for (index, size) in indices.iter_mut().zip(shape).rev() {
        if *index < *size {
            *index += 1;
            return Some(indices);
        }
        *index = 1;
    }
    None
}

/// The shape that the names of the numbers of a record say: `1x1` to `28x28`, or square pictures of `pixel0` and so on.
pub(super) fn shape(names: &[impl AsRef<str>]) -> Option<Vec<u32>> {
    let (first, last) = (names.first()?.as_ref(), names.last()?.as_ref());
    let sizes = last.strip_prefix('x').unwrap_or(last).split('x');
    let sizes: Option<Vec<u32>> = sizes.map(|size| size.parse().ok()).collect();
    let is_of = |sizes: &Vec<u32>| {
        let length = byte_size(1, sizes.iter().copied().map(u64::from));
        length == Some(names.len() as u64) && self::names(sizes).next().as_deref() == Some(first)
    };
    sizes.filter(is_of).or_else(|| square(names))
}

/// The error of a column that stands before or behind those of a picture, and may be its label.
pub(super) fn beside_picture(names: &[impl AsRef<str>]) -> Option<ErrorKind> {
    // An id and row numbers may be there as well.
    (1..names.len().min(4)).find_map(|others| {
        let before = names.split_at(others);
        let behind = names.split_at(names.len() - others);
        let [shape_behind, shape_before] = [before.1, behind.0].map(picture);
        let (name, shape) = match (shape_behind, shape_before) {
            (Some(shape), _) => (before.0.last()?, shape),
            (None, Some(shape)) => (behind.1.first()?, shape),
            (None, None) => return None,
        };
        Some(ErrorKind::MaybeLabelName { name: name.as_ref().to_string(), shape })
    })
}

/// The shape of a picture that the names say.
fn picture(names: &[impl AsRef<str>]) -> Option<Vec<u32>> {
    shape(names).filter(|sizes| sizes.len() > 1)
}

/// The shape of a picture whose pixels are counted from 0 or 1.
fn square(names: &[impl AsRef<str>]) -> Option<Vec<u32>> {
    let number = |name: &str| {
        let (word, number) = name.split_at_checked("pixel".len())?;
        word.eq_ignore_ascii_case("pixel").then_some(number)?.parse::<usize>().ok()
    };
    let first = number(names.first()?.as_ref()).filter(|first| *first <= 1)?;
    let mut counted = names.iter().zip(first..);
    let are_pixels = counted.all(|(name, index)| number(name.as_ref()) == Some(index));
    side(names.len()).filter(|_| are_pixels).map(|side| vec![side; 2])
}

/// The side of a square of `pixels` pixels, if it is at least 4.
pub(super) fn side(pixels: usize) -> Option<u32> {
    let side = pixels.isqrt();
    (side > 1 && side * side == pixels).then(|| u32::try_from(side).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_text_and_no_numbers_but_those_of_columns() {
        let line = |text: &str| -> Vec<String> { text.split(',').map(str::to_string).collect() };
        for (text, expected) in [
            ("label,pixel0", Some(true)),
            ("label", Some(true)),
            ("label,0,1,2", Some(true)),
            ("0,1,2,class", Some(true)),
            ("label,5,6,7", Some(true)),
            (",0,1,2", Some(true)),
            ("label,1x1,1x2", Some(true)),
            ("0,1,2", None),
            ("1,2", None),
            ("0", None),
            ("7,0,0", Some(false)),
            ("0,0", Some(false)),
            ("2,3", Some(false)),
            ("label,01,2", Some(false)),
            ("label,18446744073709551615,0", Some(false)),
            ("7,cat", Some(false)),
            ("5.1,3.5,setosa", Some(false)),
            ("cat,0.5", Some(false)),
            ("1,,2", Some(false)),
            ("0,,", Some(false)),
            (",5", Some(false)),
            ("nan,inf", Some(false)),
        ] {
            assert_eq!(is_header(line(text).iter()).ok(), expected, "{text}");
        }
    }

    #[test]
    fn names_say_the_shape_of_which_they_were_made() {
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
            (&["a", "b", "c", "2x99999999999999999999"], None),
            (&["a", "b", "c", "65536x65536x65536x65536x65536"], None),
            (&["größe", "é"], None),
        ] {
            assert_eq!(shape(names), expected, "{names:?}");
        }
    }

    #[test]
    fn a_column_beside_those_of_a_picture_may_be_its_label() {
        for (names, expected) in [
            (&["digit", "pixel0", "pixel1", "pixel2", "pixel3"][..], Some("digit")),
            (&["id", "digit", "1x1", "1x2", "2x1", "2x2"], Some("digit")),
            (&["1x1", "1x2", "2x1", "2x2", "digit"], Some("digit")),
            (&["pixel0", "pixel1", "pixel2", "pixel3"], None),
            (&["t", "x1", "x2", "x3", "x4"], None),
            (&["a"], None),
        ] {
            let found = match beside_picture(names) {
                Some(ErrorKind::MaybeLabelName { name, .. }) => Some(name),
                _ => None,
            };
            assert_eq!(found.as_deref(), expected, "{names:?}");
        }
    }
}
