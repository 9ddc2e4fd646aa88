//! The random generator. Its numbers never change between versions.

/// The generator from "Fast splittable pseudorandom number generators" by Steele, Lea and Flood (2014).
///
/// This crate has its own generator so that orders never change: random number libraries guarantee their generators,
/// but not their shuffles.
pub(super) struct SplitMix64(pub(super) u64);

impl SplitMix64 {
    /// Shuffles a list, by the Fisher-Yates algorithm from the last position to the first.
    pub(super) fn shuffle(&mut self, list: &mut [usize]) {
        for position in (1..list.len()).rev() {
            list.swap(position, self.up_to(position));
        }
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Returns a number from 0 to `max`. Record counts have 32 bits, so the probabilities differ by at most one part in
    /// 2^32.
    #[expect(clippy::cast_possible_truncation, reason = "at most `max`")]
    pub(super) fn up_to(&mut self, max: usize) -> usize {
        ((u128::from(self.next()) * (max as u128 + 1)) >> 64) as usize
    }
}

/// Shuffles a list into the order of [`Labeled::shuffled`](crate::Labeled::shuffled) with this seed, which is the same
/// in every version. Allocates nothing.
///
/// ```
/// let mut order: Vec<usize> = (0..10).collect();
/// idx_data::shuffle(&mut order, 1);
/// assert_eq!(order, [9, 0, 1, 4, 8, 2, 3, 7, 6, 5]);
/// ```
pub fn shuffle(list: &mut [usize], seed: u64) {
    SplitMix64(seed).shuffle(list);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the authors' program, which many other implementations also test.
    #[test]
    fn the_generator_is_the_published_one() {
        for (seed, expected) in [
            (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
            (
                1_234_567,
                [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423],
            ),
        ] {
            let mut generator = SplitMix64(seed);
            assert_eq!(expected.map(|_| generator.next()), expected);
        }
    }
}
