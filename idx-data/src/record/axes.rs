//! Reorders the dimensions of records.

/// The order of the dimensions of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Axes {
    /// The dimensions as they are.
    #[default]
    Kept,
    /// The rows and columns of images swapped; channels stay in place.
    Swapped,
    /// An order as NumPy's `transpose` takes it: the dimension that comes first, the one that comes second, and so on,
    /// each once.
    Order(Vec<usize>),
}

/// `true` swaps rows and columns, and `false` keeps their order.
impl From<bool> for Axes {
    fn from(are_swapped: bool) -> Self {
        if are_swapped { Self::Swapped } else { Self::Kept }
    }
}

impl From<Vec<usize>> for Axes {
    fn from(order: Vec<usize>) -> Self {
        Self::Order(order)
    }
}

impl<const N: usize> From<[usize; N]> for Axes {
    fn from(order: [usize; N]) -> Self {
        Self::Order(order.to_vec())
    }
}

/// The old positions of the elements of a record after its dimensions are reordered.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    /// For each new dimension, its size and its old stride in bytes.
    dimensions: Vec<(usize, usize)>,
    /// The number of bytes that move together.
    unit: usize,
    record_size: usize,
}

impl Permutation {
    /// Prepares an order; `None` if it does not name each dimension once, or if the record has more bytes than memory.
    pub(crate) fn new(shape: &[u32], order: &[usize], element_size: usize) -> Option<Self> {
        let mut named = order.to_vec();
        named.sort_unstable();
        if !named.into_iter().eq(0..shape.len()) {
            return None;
        }
        let mut size = element_size;
        let mut old = Vec::new();
        for count in shape.iter().rev() {
            let count = usize::try_from(*count).ok()?;
            old.push((count, size));
            size = size.checked_mul(count)?;
        }
        old.reverse();
        let mut dimensions: Vec<(usize, usize)> =
            order.iter().filter_map(|axis| old.get(*axis).copied()).collect();
        let mut unit = element_size;
        // The last dimensions move together if they stay in place.
        while let Some((count, _)) = dimensions.pop_if(|(_, stride)| *stride == unit) {
            unit *= count;
        }
        Some(Self { dimensions, unit, record_size: size })
    }

    /// Appends records with their elements in the new order.
    pub(crate) fn apply(&self, records: &[u8], target: &mut Vec<u8>) {
        for record in records.chunks_exact(self.record_size.max(1)) {
            gather(&self.dimensions, record, self.unit, target);
        }
    }
}

/// Appends the units of a record in the order of these dimensions, the last one fastest; each has a size and a stride
/// in bytes.
pub(crate) fn gather(
    dimensions: &[(usize, usize)],
    record: &[u8],
    unit: usize,
    target: &mut Vec<u8>,
) {
    match dimensions {
        [] => target.extend_from_slice(record.get(..unit).unwrap_or_default()),
        [(count, stride)] => {
            for place in 0..*count {
                let start = place * stride;
                target.extend_from_slice(record.get(start..start + unit).unwrap_or_default());
            }
        }
        [(count, stride), rest @ ..] => {
            for place in 0..*count {
                gather(rest, record.get(place * stride..).unwrap_or_default(), unit, target);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Permutation;
    use crate::ImageLayout;

    fn moved(shape: &[u32], order: &[usize], record: &[u8]) -> Vec<u8> {
        let mut target = Vec::new();
        Permutation::new(shape, order, 1).unwrap().apply(record, &mut target);
        target
    }

    #[test]
    fn rows_become_columns() {
        let swapped = |shape: [u32; 3], record: &[u8]| {
            moved(&shape, &ImageLayout::from_shape(&shape).unwrap().swapped(3), record)
        };
        assert_eq!(swapped([1, 2, 2], &[1, 2, 3, 4]), [1, 3, 2, 4]);
        // A pixel's channels stay together.
        let record = [1, 2, 3, 4, 5, 6];
        assert_eq!(swapped([2, 1, 3], &record), record);
        assert_eq!(swapped([3, 2, 1], &record), record);
        assert_eq!(
            swapped([2, 2, 3], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
            [1, 2, 3, 7, 8, 9, 4, 5, 6, 10, 11, 12]
        );
    }

    /// Compares with permuted indices, for all orders of shapes of up to four dimensions.
    #[test]
    fn each_order_is_that_of_indices() {
        let shapes: [&[u32]; 6] = [&[], &[3], &[2, 3], &[2, 3, 4], &[1, 3, 2, 2], &[2, 0, 3]];
        for shape in shapes {
            let size: usize = shape.iter().map(|size| *size as usize).product();
            let records: Vec<u8> = (0..=u8::MAX).take(2 * size).collect();
            for code in 0..256_usize {
                let order: Vec<usize> =
                    (0..shape.len()).map(|place| code >> (2 * place) & 3).collect();
                let Some(permutation) = Permutation::new(shape, &order, 1) else {
                    continue;
                };
                let mut found = Vec::new();
                permutation.apply(&records, &mut found);
                let new: Vec<usize> = order.iter().map(|axis| shape[*axis] as usize).collect();
                let mut expected = Vec::new();
                for record in 0..2 {
                    for mut place in 0..size {
                        let mut index = vec![0; shape.len()];
                        for (axis, size) in order.iter().zip(&new).rev() {
                            index[*axis] = place % size;
                            place /= size;
                        }
                        let from = index
                            .iter()
                            .zip(shape)
                            .fold(0, |from, (index, size)| from * *size as usize + index);
                        expected.push(records[record * size + from]);
                    }
                }
                assert_eq!(found, expected, "{shape:?} {order:?}");
            }
        }
        for order in [&[0, 0][..], &[0], &[0, 2], &[0, 1, 2]] {
            assert!(Permutation::new(&[2, 3], order, 1).is_none(), "{order:?}");
        }
    }
}
