use std::ops::Range;
use std::sync::Arc;

/// Records of a file in an order: a part of a list that several orders share.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// `None` is the order of the file, which takes no memory.
    list: Option<Arc<[usize]>>,
    range: Range<usize>,
}

impl Order {
    pub(super) fn of_file(len: usize) -> Self {
        Self {
            list: None,
            range: 0..len,
        }
    }

    pub(super) fn of_records(list: Vec<usize>) -> Self {
        Self {
            range: 0..list.len(),
            list: Some(list.into()),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<usize> {
        let position = self.range.clone().nth(index)?;
        Some(self.at(position))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        self.range.clone().map(|position| self.at(position))
    }

    fn at(&self, position: usize) -> usize {
        let Some(list) = &self.list else {
            return position;
        };
        let record = list.get(position);
        debug_assert!(record.is_some(), "the range lies within the list");
        record.copied().unwrap_or(position)
    }

    /// A part of the order.
    pub(super) fn stretch(&self, range: Range<usize>) -> Self {
        Self {
            list: self.list.clone(),
            range: self.range.start + range.start..self.range.start + range.end,
        }
    }

    /// A random order, by the algorithm of Fisher and Yates from the last position to the first.
    pub(super) fn shuffled(&self, seed: u64) -> Self {
        let mut generator = SplitMix64(seed);
        let mut list: Vec<usize> = self.iter().collect();
        for position in (1..list.len()).rev() {
            list.swap(position, generator.up_to(position));
        }
        Self::of_records(list)
    }
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
///
/// It is here, and not from a library, because its orders are guaranteed not to change: libraries of random
/// numbers guarantee their generators, but not how they shuffle.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number from 0 to `max`. Record counts have 32 bits, so the probabilities differ by at most one part
    /// in 2^32.
    #[expect(clippy::cast_possible_truncation, reason = "at most `max`")]
    fn up_to(&mut self, max: usize) -> usize {
        ((u128::from(self.next()) * (max as u128 + 1)) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the authors' program, which many other implementations test as well.
    #[test]
    fn the_generator_is_the_published_one() {
        for (seed, expected) in [
            (
                0,
                [
                    0xE220_A839_7B1D_CDAF,
                    0x6E78_9E6A_A1B9_65F4,
                    0x06C4_5D18_8009_454F,
                ],
            ),
            (
                1_234_567,
                [
                    6_457_827_717_110_365_317,
                    3_203_168_211_198_807_973,
                    9_817_491_932_198_370_423,
                ],
            ),
        ] {
            let mut generator = SplitMix64(seed);
            assert_eq!(expected.map(|_| generator.next()), expected);
        }
    }

    #[test]
    fn a_shuffled_stretch_keeps_its_records() {
        let order = Order::of_file(100).stretch(20..50);
        let mut records: Vec<usize> = order.shuffled(3).iter().collect();
        assert_ne!(records, order.iter().collect::<Vec<_>>());
        records.sort_unstable();
        assert_eq!(records, (20..50).collect::<Vec<_>>());
    }
}
