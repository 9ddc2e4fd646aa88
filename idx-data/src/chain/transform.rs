//! Scales, normalizes, converts and transposes records.

use idx_std::ElementType;

use crate::ImageLayout;
use crate::error::{ErrorKind, Hint};
use crate::record::axes::{Axes, Permutation};
use crate::record::options::TransformOptions;
use crate::record::value::{DType, Value};
use crate::record::{Record, RecordLayout};

/// Changes records: their numbers, or the order of their axes.
#[derive(Clone, Debug)]
pub(super) struct Transform {
    from: DType,
    to: ElementType,
    /// The old positions of the elements, if they move.
    transpose: Option<Permutation>,
    /// The least and greatest number, before and after scaling.
    scale: Option<[[f64; 2]; 2]>,
    /// True if fractions are scaled from 0 to 1, because no range to scale from is given.
    from_one: bool,
    normalize: Option<[f64; 2]>,
    /// The layout of the results.
    pub(super) layout: RecordLayout,
    /// The results for all numbers of one byte, unless one is an error.
    results: Option<Vec<u8>>,
    buffer: Vec<u8>,
}

impl Transform {
    /// Prepares the changes in these options. Its errors are those of [`Source::changed`](crate::Source::changed).
    pub(super) fn new(
        layout: &RecordLayout,
        options: &TransformOptions,
    ) -> Result<Self, ErrorKind> {
        let mut layout = layout.clone();
        let from = layout.dtype;
        let makes_fractions = options.scale.is_some() || options.normalize.is_some();
        let to = match options.element_type {
            Some(element_type) => element_type,
            None if makes_fractions => ElementType::F32,
            None => layout.element_type()?,
        };
        if options.normalize.is_some() && !to.is_float() {
            let message = format!(
                "normalized values are fractions, and {to} has only whole numbers; choose another element type"
            );
            return Err(ErrorKind::unsupported(message).advising(Hint::ElementType));
        }
        expect_numbers(options)?;
        let from_range = match options.scale_from {
            Some(range) => range,
            // Programs use 4 and 8 bytes for any integers, even for pixels from 0 to 255.
            None if options.scale.is_some() && from.size() > 2 && !is_float(from) => {
                let message = format!(
                    "numbers of {from} seldom use its whole range; give the range to scale from"
                );
                return Err(ErrorKind::mismatch(message).advising(Hint::Scale));
            }
            None => range_of(from),
        };
        layout.dtype = to.into();
        let transpose = transpose(&mut layout, &options.transpose)?;
        let mut transform = Self {
            from,
            to,
            transpose,
            scale: options.scale.map(|scale| [from_range, scale]),
            from_one: options.scale.is_some() && options.scale_from.is_none() && is_float(from),
            normalize: options.normalize,
            layout,
            results: None,
            buffer: Vec::new(),
        };
        if from.size() == 1 {
            let numbers: Vec<u8> = (0..=u8::MAX).collect();
            let mut results = Vec::new();
            let changed = transform.change(&numbers, &mut results);
            transform.results = changed.ok().map(|()| results);
        }
        Ok(transform)
    }

    /// Returns whether it changes records at all.
    pub(super) fn changes_records(&self) -> bool {
        self.makes_numbers() || self.transpose.is_some()
    }

    /// Changes a record, or several at a time. After an error about a number that does not fit the element type,
    /// `record` has the index of the record with this number.
    pub(super) fn apply(&mut self, record: &mut Record) -> Result<(), ErrorKind> {
        if self.makes_numbers() {
            let mut buffer = std::mem::take(&mut self.buffer);
            match &self.results {
                Some(results) => look_up(&record.bytes, results, self.to.size(), &mut buffer),
                None => {
                    buffer.clear();
                    self.change(&record.bytes, &mut buffer).inspect_err(|_| {
                        let changed = (buffer.len() / self.to.size()) as u64;
                        let length = self.layout.record_length();
                        record.index += length.map_or(0, |length| changed / length.max(1));
                    })?;
                }
            }
            self.buffer = std::mem::replace(&mut record.bytes, buffer);
        }
        if let Some(permutation) = &self.transpose {
            self.buffer.clear();
            permutation.apply(&record.bytes, &mut self.buffer);
            std::mem::swap(&mut record.bytes, &mut self.buffer);
        }
        Ok(())
    }

    fn makes_numbers(&self) -> bool {
        self.changes_numbers() || self.from != self.to.into()
    }

    fn changes_numbers(&self) -> bool {
        self.scale.is_some() || self.normalize.is_some()
    }

    /// Appends the results of these numbers.
    fn change(&self, numbers: &[u8], target: &mut Vec<u8>) -> Result<(), ErrorKind> {
        for number in
            numbers.chunks_exact(self.from.size()).map_while(|bytes| self.from.value(bytes))
        {
            if !self.changes_numbers() {
                let appended = number.append_to(target, self.to);
                appended.ok_or_else(|| number.out_of_range(self.to))?;
                continue;
            }
            let number = number.nearest_f64();
            // For instance pixels from 0 to 255, which would stay out of range.
            if self.from_one && number.is_finite() && !(0.0..=1.0).contains(&number) {
                return Err(ErrorKind::beyond(format!(
                    "{number:?} is not between 0 and 1, the default range of {}; give the range to scale from",
                    self.from
                ))
                .advising(Hint::Scale));
            }
            let changed = self.scale_and_normalize(number);
            // To the nearest number of the type.
            let rounded = match self.to {
                ElementType::F32 => nearest_f32(changed),
                ElementType::F64 => changed,
                _ => changed.round(),
            };
            let is_kept = rounded.is_finite() || !number.is_finite();
            let kept = is_kept.then_some(Value::Float(rounded));
            let appended = kept.and_then(|number| number.append_to(target, self.to));
            appended.ok_or_else(|| self.out_of_range(number, changed))?;
        }
        Ok(())
    }

    /// Returns the error for a changed number that is out of range.
    fn out_of_range(&self, number: f64, changed: f64) -> ErrorKind {
        let to = self.to;
        if number.is_finite() && !changed.is_finite() {
            return ErrorKind::beyond(format!(
                "{number:?} becomes too large for {to}; scale to a smaller range, or divide by a larger deviation"
            ));
        }
        if !number.is_finite() || Value::Float(changed) == Value::Float(number) {
            return ErrorKind::does_not_fit(&format!("{changed:?}"), to);
        }
        ErrorKind::beyond(format!(
            "{number:?} becomes {changed:?}, which does not fit {to}; scale from another range, or choose another \
             element type"
        ))
        .advising(Hint::ElementType)
    }

    fn scale_and_normalize(&self, number: f64) -> f64 {
        let scaled = match self.scale {
            Some([[from_low, from_high], [low, high]]) => {
                let part = (number - from_low) / (from_high - from_low);
                low + part * (high - low)
            }
            None => number,
        };
        match self.normalize {
            Some([mean, deviation]) => (scaled - mean) / deviation,
            None => scaled,
        }
    }
}

/// Checks the numbers to scale and normalize by.
fn expect_numbers(options: &TransformOptions) -> Result<(), ErrorKind> {
    let TransformOptions { scale, scale_from, normalize, .. } = options;
    let mut numbers = [scale, scale_from, normalize].into_iter().flatten().flatten();
    let message = match (numbers.find(|number| !number.is_finite()), scale, scale_from, normalize) {
        (Some(number), ..) => {
            format!("{number} is not finite; scale and normalize by finite numbers")
        }
        (_, None, Some(_), _) => {
            "there is a range to scale from, but none to scale to; give both".to_string()
        }
        (_, _, Some([least, greatest]), _) if greatest - least == 0.0 => {
            "a range of one number cannot be scaled; give its least and its greatest number"
                .to_string()
        }
        (_, _, _, Some([_, deviation @ ..=0.0])) => {
            format!("numbers cannot be divided by a deviation of {deviation}; use one above 0")
        }
        _ => return Ok(()),
    };
    Err(ErrorKind::mismatch(message))
}

/// Puts the dimensions of the layout in the new order.
fn transpose(layout: &mut RecordLayout, axes: &Axes) -> Result<Option<Permutation>, ErrorKind> {
    let shape = layout.record_shape().to_vec();
    let order = match axes {
        Axes::Kept => return Ok(None),
        Axes::Swapped => ImageLayout::from_shape(&shape).map(|image| image.swapped(shape.len())),
        Axes::Order(order) => Some(order.clone()),
    };
    let permutation = order.as_deref().and_then(|order| {
        let permutation = Permutation::new(&shape, order, layout.dtype.size());
        permutation.map(|permutation| (permutation, order))
    });
    let Some((permutation, order)) = permutation else {
        let shape_text = layout.shape_text();
        let message = match axes {
            Axes::Order(_) => {
                let all: Vec<String> = (0..shape.len()).map(|axis| axis.to_string()).collect();
                format!(
                    "the axes are not those of records of {shape_text}; give each of {} once",
                    all.join(",")
                )
            }
            _ if shape.len() < 2 => return Err(ErrorKind::not_images(&shape)),
            _ => format!(
                "records of {shape_text} are not images, so they cannot be transposed; give the order of the axes"
            ),
        };
        return Err(ErrorKind::unsupported(message));
    };
    layout.dims.truncate(1);
    layout.dims.extend(order.iter().filter_map(|axis| shape.get(*axis)));
    Ok(Some(permutation))
}

/// Fills `target` with the results for numbers of one byte. Each result has `size` bytes.
fn look_up(numbers: &[u8], results: &[u8], size: usize, target: &mut Vec<u8>) {
    fn look_up<const SIZE: usize>(numbers: &[u8], results: &[u8], target: &mut [u8]) {
        // The number of results is known here, so the compiler removes the bounds checks.
        let results = results.as_chunks::<SIZE>().0.first_chunk::<256>();
        debug_assert!(results.is_some(), "a result for each number of one byte");
        let Some(results) = results else { return };
        for (target, number) in target.as_chunks_mut().0.iter_mut().zip(numbers) {
            *target = results.get(usize::from(*number)).copied().unwrap_or([0; SIZE]);
        }
    }
    target.resize(numbers.len() * size, 0);
    match size {
        1 => look_up::<1>(numbers, results, target),
        2 => look_up::<2>(numbers, results, target),
        4 => look_up::<4>(numbers, results, target),
        _ => look_up::<8>(numbers, results, target),
    }
}

fn is_float(dtype: DType) -> bool {
    dtype.element_type().is_some_and(ElementType::is_float)
}

/// Returns the least and greatest number of an integer type, or 0 and 1 for a float type.
fn range_of(dtype: DType) -> [f64; 2] {
    let power = (0..dtype.size()).fold(1.0, |power, _| power * 256.0);
    match dtype {
        _ if is_float(dtype) => [0.0, 1.0],
        DType::Element(ElementType::U8) | DType::U16 => [0.0, power - 1.0],
        _ => [-power / 2.0, power / 2.0 - 1.0],
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
fn nearest_f32(value: f64) -> f64 {
    f64::from(value as f32)
}

#[cfg(test)]
mod tests {
    use idx_std::ElementType;

    use super::{Axes, Transform};
    use crate::{Record, TransformOptions, open};

    /// Numbers of one byte have the same results, or the same error, from the table as one by one.
    #[test]
    fn results_are_looked_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.idx");
        let numbers: Vec<u8> = (0..=u8::MAX).collect();
        let signed: Vec<i8> = numbers.iter().map(|number| number.cast_signed()).collect();
        let mut tables = 0;
        for is_signed in [false, true] {
            match is_signed {
                false => idx_std::save(&path, &[256, 1], &numbers).unwrap(),
                true => idx_std::save(&path, &[256, 1], &signed).unwrap(),
            }
            for element_type in ElementType::ALL {
                for (scale, normalize) in [
                    (None, None),
                    (Some([0.0, 1.0]), None),
                    (Some([-7.0, 70.0]), None),
                    (Some([1.0, -1e39]), None),
                    (Some([0.0, 1.0]), Some([0.1307, 0.3081])),
                    (None, Some([128.0, 1e-40])),
                ] {
                    let mut source = open(&path).unwrap();
                    let options = TransformOptions {
                        element_type: Some(element_type),
                        scale,
                        scale_from: None,
                        normalize,
                        transpose: Axes::Kept,
                    };
                    let Ok(mut transform) = Transform::new(&source.facts().layout, &options) else {
                        continue;
                    };
                    tables += usize::from(transform.results.is_some());
                    let mut one_by_one = transform.clone();
                    one_by_one.results = None;
                    let mut record = Record::default();
                    while source.read(&mut record).unwrap() {
                        let mut other = record.clone();
                        let results = (transform.apply(&mut record), one_by_one.apply(&mut other));
                        assert_eq!(format!("{:?}", results.0), format!("{:?}", results.1));
                        assert_eq!(record, other, "{options:?}");
                    }
                }
            }
        }
        assert!(tables > 30, "{tables}");
    }
}
