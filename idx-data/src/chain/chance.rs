//! Splits, samples and shuffles by seed.

use std::ops::Range;

use crate::chain::dealt::BUDGET;
use crate::chain::label_numbers::Labels;
use crate::chain::random::SplitMix64;
use crate::chain::source::Source;
use crate::error::{At, Error, ErrorKind};

/// Options for random choices: a part of each class, a sample, a random order.
///
/// Random choices never change between versions. They use the generator `SplitMix64`, started with the seed, and the
/// Fisher-Yates shuffle, from the last position to the first. For the part, the records of each class are shuffled, one
/// class after the other in the order of the labels. Record i of n in a class then goes to position (i + 0.5) / n; at
/// equal positions, the lower label comes first. Parts are slices of this order. Then the part is shuffled for the
/// sample, and the sample and the remaining records are shuffled for the order.
///
/// The records are read once, in their order, and those to keep are dealt out to pieces of the new order. Up to 48 MiB
/// of them stay in memory, and an unnamed temporary file holds the rest. Each record also takes about 20 bytes of
/// memory. If the number of records or their labels are not known in advance, as from a pipe, the temporary file first
/// holds all records.
///
/// ```
/// use idx_data::{Chance, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.idx");
/// # idx_std::save(&path, &[10, 1], &[0_u8, 1, 2, 3, 4, 5, 6, 7, 8, 9])?;
///
/// let chance = Chance { sample: Some(3), seed: Some(7), ..Chance::default() };
/// let [sample, rest] = open(&path)?.divide(&chance)?;
/// assert_eq!((sample.facts().count, rest.facts().count), (Some(3), Some(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chance {
    /// A random part with its share of each class, from one fraction to another: `0.0..0.8` is the first 80 %. Adjacent
    /// parts, such as `0.0..0.8` and `0.8..1.0`, have no record in common, and together have all.
    pub part: Option<Range<f64>>,
    /// The number of records to take at random; all if there are fewer.
    pub sample: Option<u64>,
    /// Shuffles the records. Without a seed they keep their order, and the seed 0 chooses the part and the sample.
    pub seed: Option<u64>,
}

/// The maximum distance of the sum of shares from 1, because fractions are rounded.
const ROUNDING: f64 = 1e-9;

/// Returns a fraction of `count` records, rounded to the nearest record. Two adjacent parts are cut at the same record.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "numbers of records have 32 bits, and fractions are not negative"
)]
pub(crate) fn share_of(fraction: f64, count: usize) -> usize {
    (fraction * count as f64).round() as usize
}

/// Returns a part of `count` records.
fn part_of(part: &Range<f64>, count: usize) -> Range<usize> {
    let position = |fraction: f64| share_of(fraction, count).min(count);
    position(part.start)..position(part.end)
}

/// Returns the positions of `count` records in an order that spreads each class evenly, so that any part of it has its
/// share. Record i of n in a class goes to position (i + 0.5) / n; at equal positions, the lower class comes first.
/// `shuffle` orders the records of a class. `class` returns the number of a record's class.
pub(crate) fn stratified(
    count: usize,
    class: impl Fn(usize) -> usize,
    mut shuffle: impl FnMut(&mut [usize]),
) -> Vec<usize> {
    let mut by_class: Vec<usize> = (0..count).collect();
    by_class.sort_by_key(|record| class(*record));
    let mut order = Vec::with_capacity(count);
    for records in by_class.chunk_by_mut(|one, other| class(*one) == class(*other)) {
        shuffle(records);
        // There are fewer than 2^32 records in all, so different places differ in these 64 bits.
        let twice = 2 * records.len() as u128;
        let places = (0..).map(|index: u128| ((2 * index + 1) << 64) / twice);
        let places = places.map(|place| u64::try_from(place).unwrap_or(u64::MAX));
        order.extend(places.zip(records.iter().copied()));
    }
    drop(by_class);
    order.sort_by_key(|(place, _)| *place);
    order.into_iter().map(|(_, record)| record).collect()
}

/// Returns the records in a random order that spreads each class. There are labels for all records, or none.
fn shuffled_by_class(count: usize, labels: &Labels, generator: &mut SplitMix64) -> Vec<usize> {
    stratified(count, |record| labels.class(record), |class| generator.shuffle(class))
}

/// Returns these shares of `count` records. The last one ends with the records, however its fraction is rounded.
fn ranges<const N: usize>(shares: [f64; N], count: usize) -> [Range<usize>; N] {
    let mut sum = 0.0;
    shares.map(|share| {
        let start = sum;
        sum += share;
        if (sum - 1.0).abs() <= ROUNDING {
            sum = 1.0;
        }
        part_of(&(start..sum), count)
    })
}

/// Returns the positions of the records in each of these shares, in random order. The records have these labels, or
/// none.
fn shares<const N: usize>(
    shares: [f64; N],
    count: usize,
    labels: &Labels,
    seed: u64,
) -> [Vec<usize>; N] {
    let mut generator = SplitMix64(seed);
    let order = shuffled_by_class(count, labels, &mut generator);
    ranges(shares, count).map(|range| {
        let mut positions = order.get(range).unwrap_or_default().to_vec();
        positions.sort_unstable();
        generator.shuffle(&mut positions);
        positions
    })
}

impl Chance {
    /// Returns the positions of the chosen records, in their new order, and those of the rest. There are `count`
    /// records with these labels, or none.
    pub(super) fn positions(&self, count: usize, labels: &Labels) -> [Vec<usize>; 2] {
        let mut generator = SplitMix64(self.seed.unwrap_or_default());
        let mut positions: Vec<usize> = match &self.part {
            Some(part) => {
                let order = shuffled_by_class(count, labels, &mut generator);
                let mut part = order.get(part_of(part, count)).unwrap_or_default().to_vec();
                part.sort_unstable();
                part
            }
            None => (0..count).collect(),
        };
        if let Some(sample) = self.sample {
            generator.shuffle(&mut positions);
            positions.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
            positions.shrink_to_fit();
            positions.sort_unstable();
        }
        // Still in the order of the records.
        let mut chosen = positions.iter().peekable();
        let mut rest: Vec<usize> =
            (0..count).filter(|position| chosen.next_if_eq(&position).is_none()).collect();
        if self.seed.is_some() {
            generator.shuffle(&mut positions);
            generator.shuffle(&mut rest);
        }
        [positions, rest]
    }
}

impl Source {
    /// Divides the records at random into the chosen ones and the others. Each source can go to its own thread.
    ///
    /// All records are read now, and kept as described at [`Chance`]. If the others are not needed,
    /// [`choose`](Self::choose) keeps fewer.
    ///
    /// # Errors
    ///
    /// The errors of reading records and of writing the temporary file; a part that is not within 0 to 1
    /// ([`mismatch`](ErrorKind::code)).
    pub fn divide(self, chance: &Chance) -> Result<[Self; 2], Error> {
        self.by_chance(chance, true)
    }

    /// Chooses records at random: the first of the two sources that [`divide`](Self::divide) makes.
    ///
    /// # Errors
    ///
    /// The errors of [`divide`](Self::divide).
    #[doc(alias = "sample")]
    pub fn choose(self, chance: &Chance) -> Result<Self, Error> {
        let [chosen, _] = self.by_chance(chance, false)?;
        Ok(chosen)
    }

    /// Shuffles the records. A seed gives the same order on every machine and in every version.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[3, 1], &[0_u8, 1, 2])?;
    /// let shuffled = idx_data::open(&path)?.shuffled(7)?;
    /// assert_eq!(shuffled.facts().count, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`divide`](Self::divide).
    pub fn shuffled(self, seed: u64) -> Result<Self, Error> {
        self.choose(&Chance { seed: Some(seed), ..Chance::default() })
    }

    /// Divides the records. The second source is empty unless the rest is kept.
    fn by_chance(self, chance: &Chance, keeps_rest: bool) -> Result<[Self; 2], Error> {
        if let Some(Range { start, end }) = chance.part {
            [start, end].into_iter().try_for_each(expect_fraction).at(self.path())?;
            if start > end {
                return self.mismatch(format!(
                    "the part {start:?}..{end:?} ends before it starts; swap its ends"
                ));
            }
        }
        self.in_parts(BUDGET, chance.part.is_some(), |count, labels| {
            let [chosen, rest] = chance.positions(count, labels);
            [chosen, if keeps_rest { rest } else { Vec::new() }]
        })
    }

    /// Splits the records at random into parts with these shares, which add up to 1, such as `[0.8, 0.2]`. Each record
    /// is in one part. With labels, each part has its share of each class. A seed gives the same parts in every
    /// version.
    ///
    /// ```
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[10, 1], &[0_u8, 1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    ///
    /// let [training, validation, test] = open(&path)?.split([0.8, 0.1, 0.1], 1)?;
    /// let counts = [training, validation, test].map(|part| part.facts().count);
    /// assert_eq!(counts, [Some(8), Some(1), Some(1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`divide`](Self::divide); shares that do not add up to 1 ([`mismatch`](ErrorKind::code)).
    #[doc(alias = "train_test_split")]
    pub fn split<const N: usize>(self, shares: [f64; N], seed: u64) -> Result<[Self; N], Error> {
        shares.into_iter().try_for_each(expect_fraction).at(self.path())?;
        let sum: f64 = shares.iter().sum();
        if (sum - 1.0).abs() > ROUNDING {
            return self.mismatch(format!(
                "the shares add up to {sum:?}; give all, so that they add up to 1"
            ));
        }
        self.in_parts(BUDGET, true, |count, labels| self::shares(shares, count, labels, seed))
    }
}

/// Checks that a fraction is in the range from 0 to 1.
pub(crate) fn expect_fraction(fraction: f64) -> Result<(), ErrorKind> {
    match (0.0..=1.0).contains(&fraction) {
        true => Ok(()),
        false => Err(ErrorKind::mismatch(format!(
            "{fraction:?} is not a valid fraction; use a number from 0 to 1"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Labels {
        Labels::of((0..10).map(|number| number % 2))
    }

    /// These orders must stay the same in every version. Another program, written from the description of `Chance`,
    /// computed the same.
    #[test]
    fn the_same_seed_chooses_the_same_records() {
        let mut chance = Chance { seed: Some(7), ..Chance::default() };
        let positions = |chance: &Chance| {
            let [chosen, _] = chance.positions(10, &labels());
            chosen
        };
        assert_eq!(positions(&chance), [9, 5, 8, 6, 1, 2, 4, 7, 0, 3]);
        chance.sample = Some(4);
        assert_eq!(positions(&chance), [8, 9, 5, 6]);
        chance.seed = None;
        assert_eq!(positions(&chance), [2, 4, 5, 9]);
        chance.sample = None;
        chance.part = Some(0.0..0.4);
        assert_eq!(chance.positions(10, &labels()), [vec![4, 5, 6, 7], vec![0, 1, 2, 3, 8, 9]]);
    }

    #[test]
    fn parts_are_slices_of_one_order() {
        let labels = |sizes: &[usize]| {
            let sizes = (0..).zip(sizes);
            Labels::of(sizes.flat_map(|(label, size)| std::iter::repeat_n(label, *size)))
        };
        let mut generator = SplitMix64(7);
        for round in 0..10_000 {
            let classes = 1 + generator.up_to(9);
            let sizes: Vec<usize> = (0..classes).map(|_| generator.up_to(20)).collect();
            let (count, labels) = (sizes.iter().sum(), labels(&sizes));
            let parts = shares([0.1; 10], count, &labels, round);
            let mut all = parts.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count), "{sizes:?}");
            let chance = |start, end| {
                let chance = Chance { part: Some(start..end), ..Chance::default() };
                let [part, rest] = chance.positions(count, &labels);
                assert_eq!(part.len() + rest.len(), count);
                part
            };
            for (number, cut) in (1..10).map(|number| (number, f64::from(number) / 10.0)) {
                let (front, back) = (chance(0.0, cut), chance(cut, 1.0));
                assert!(front.iter().all(|position| !back.contains(position)));
                // Of all records, the nearest whole number. Of a class, about that, because all classes are cut
                // together.
                assert_eq!(front.len(), part_of(&(0.0..cut), count).len(), "{sizes:?}");
                for (class, &size) in (0..).zip(&sizes) {
                    let is_of_class = |position: &&usize| labels.get(**position) == Some(class);
                    let count = front.iter().filter(is_of_class).count();
                    let bound = 1.0 + 0.5 * (size * sizes.len()) as f64 / count.max(1) as f64;
                    let difference = (count as f64 - cut * size as f64).abs();
                    assert!(difference <= bound, "{number}0 % of class {class} of {sizes:?}");
                }
            }
        }
        let labels = labels(&[2; 10]);
        let [large, small] = shares([0.8, 0.2], 20, &labels, 1);
        assert_eq!((large.len(), small.len()), (16, 4));
    }

    #[test]
    fn at_equal_positions_the_lower_label_comes_first() {
        let order = |classes: &[usize]| stratified(classes.len(), |record| classes[record], |_| ());
        assert_eq!(order(&[0, 1, 1, 1]), [1, 0, 2, 3]);
        assert_eq!(order(&[1, 0, 0, 0]), [1, 2, 0, 3]);
    }

    #[test]
    fn a_cut_is_at_the_nearest_record() {
        // As floats, 0.29 x 100 is below 29.
        assert_eq!(part_of(&(0.0..0.29), 100), 0..29);
        assert_eq!(part_of(&(0.5..1.0), 3), 2..3);
    }

    /// `divide` and `split` choose the same records.
    #[test]
    fn shares_are_parts() {
        let labels = labels();
        let chance = Chance { part: Some(0.0..0.3), seed: Some(5), sample: None };
        assert_eq!(shares([0.3, 0.7], 10, &labels, 5), chance.positions(10, &labels));
    }

    #[test]
    fn the_last_share_ends_with_the_records() {
        // As many records as 32 bits can count, and a multiple of 4.
        let all = 1 << 31;
        assert_eq!(ranges([0.25, 0.75 - 9e-10], all), [0..all / 4, all / 4..all]);
    }
}
