use std::collections::BTreeMap;
use std::io::Seek;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use idx_std::{ElementType, Reader, Writer};

use super::input::CHANGED;
use super::random::SplitMix64;
use super::source::Source;
use super::step::Step;
use crate::error::{At, Error, ErrorKind};
use crate::record::{Facts, Record, RecordLayout, Skipped};

/// Options for random choices: a part of each class, a sample, an order.
///
/// Random choices never change between versions: they use the generator `SplitMix64`, started with the seed,
/// and the shuffle of Fisher and Yates, from the last position to the first. It first shuffles the records of
/// each class for the part, in the order of the labels; then all of these for the sample; then the sample,
/// and the remaining records, for the order. To choose at random, all records are read first. They are written to a
/// temporary file, unless they are those of one file of plain IDX; each takes about 20 bytes of memory, or 50 with its
/// label.
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
    /// A random part of each class, from one fraction to another: `0.0..0.8` is the first 80 %. Parts that meet, such as
    /// `0.0..0.8` and `0.8..1.0`, have no record in common, and together they have all.
    pub part: Option<Range<f64>>,
    /// This many random records, or all if there are fewer.
    pub sample: Option<u64>,
    /// Shuffles the records. Without a seed they keep their order, and the part and the sample are those of the
    /// seed 0.
    pub seed: Option<u64>,
}

/// A part of so many records.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a fraction of the count; rounding moves both parts that meet alike"
)]
fn part_of(part: &Range<f64>, count: usize) -> Range<usize> {
    let position = |fraction: f64| ((fraction * count as f64).round() as usize).min(count);
    position(part.start)..position(part.end)
}

impl Chance {
    /// The positions of the chosen records in their new order, and those of the rest, of `count` records with
    /// these labels, or without any.
    pub(super) fn positions(&self, count: usize, labels: &[Option<i128>]) -> [Vec<usize>; 2] {
        let mut generator = SplitMix64(self.seed.unwrap_or_default());
        let mut positions: Vec<usize> = (0..count).collect();
        if let Some(part) = &self.part {
            let mut classes: BTreeMap<Option<i128>, Vec<usize>> = BTreeMap::new();
            for position in 0..count {
                let label = labels.get(position).copied().flatten();
                classes.entry(label).or_default().push(position);
            }
            positions.clear();
            for mut class in classes.into_values() {
                generator.shuffle(&mut class);
                positions.extend(class.get(part_of(part, class.len())).unwrap_or_default());
            }
            positions.sort_unstable();
        }
        if let Some(sample) = self.sample {
            generator.shuffle(&mut positions);
            positions.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
            positions.sort_unstable();
        }
        // Still in the order of the records.
        let mut is_chosen = vec![false; count];
        for position in &positions {
            if let Some(chosen) = is_chosen.get_mut(*position) {
                *chosen = true;
            }
        }
        let all = is_chosen.iter().enumerate();
        let mut rest: Vec<usize> =
            all.filter_map(|(position, chosen)| (!chosen).then_some(position)).collect();
        if self.seed.is_some() {
            generator.shuffle(&mut positions);
            generator.shuffle(&mut rest);
        }
        [positions, rest]
    }
}

impl Source {
    /// Divides the records at random into those that are chosen and the others.
    ///
    /// All are read now. Unless they are those of one file of plain IDX, they are written to a temporary file without a
    /// name, because the source may be a stream; their labels and positions are in memory. Both sources read by
    /// position, so they can go to two threads.
    ///
    /// # Errors
    ///
    /// Those of reading records, and of writing the temporary file; [`invalid_fraction`](ErrorKind::code) if the part is
    /// not one from 0 to 1.
    pub fn divide(self, chance: &Chance) -> Result<[Self; 2], Error> {
        if let Some(Range { start, end }) = chance.part {
            let is_valid = |fraction| (0.0..=1.0).contains(&fraction);
            let wrong = [start, end].into_iter().find(|fraction| !is_valid(*fraction));
            if let Some(fraction) = wrong {
                return Err(self.error(invalid_fraction(fraction)));
            }
            if start > end {
                let message =
                    format!("the part {start:?}..{end:?} ends before it starts; swap its ends");
                return Err(self.error(ErrorKind::InvalidFraction(message)));
            }
        }
        let formats = self.formats().to_vec();
        let all = Arc::new(AllRecords::new(self)?);
        let source = |positions: Vec<usize>| {
            let facts = all.facts.of_count(Some(positions.len() as u64));
            let step = Positioned { all: Arc::clone(&all), positions, next: 0 };
            Self::of_step(step, facts, formats.clone())
        };
        Ok(chance.positions(all.indices.len(), &all.labels).map(source))
    }

    /// Splits the records into a random part of each class, such as 0.8 for training, and the others.
    ///
    /// # Errors
    ///
    /// As [`divide`](Self::divide).
    pub fn split(self, fraction: f64, seed: u64) -> Result<[Self; 2], Error> {
        self.divide(&Chance { part: Some(0.0..fraction), seed: Some(seed), sample: None })
    }
}

/// The error for a fraction that is not from 0 to 1.
pub(crate) fn invalid_fraction(fraction: f64) -> ErrorKind {
    let message = format!("{fraction:?} is not a valid fraction; use a number from 0 to 1");
    ErrorKind::InvalidFraction(message)
}

/// All records of a source, in a file of IDX that is read by position.
struct AllRecords {
    facts: Facts,
    skipped: Vec<Skipped>,
    reader: Reader,
    /// Whether the file is that of the source, which has the records at their indices, and perhaps others.
    is_in_place: bool,
    /// The inputs, with the position of the first record of each.
    inputs: Vec<(usize, PathBuf)>,
    /// The indices of all records in their inputs.
    indices: Vec<u64>,
    /// Of all records, if they have labels.
    labels: Vec<Option<i128>>,
}

impl AllRecords {
    fn new(mut source: Source) -> Result<Self, Error> {
        let temporary = std::env::temp_dir();
        let mut copy = match source.file {
            Some(_) => None,
            None => Some(temporary_file(&source.facts().layout).at(&temporary)?),
        };
        let (mut inputs, mut indices, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        let mut record = Record::default();
        while source.read(&mut record)? {
            if let Some(copy) = &mut copy {
                copy.push_bytes(&record.bytes).at(&temporary)?;
            }
            if inputs.last().is_none_or(|(_, path)| path != source.path()) {
                inputs.push((indices.len(), source.path().to_path_buf()));
            }
            if source.facts().has_labels {
                labels.push(record.label);
            }
            indices.push(record.index);
        }
        // Errors after the last record are about the last input.
        inputs.push((indices.len(), source.path().to_path_buf()));
        let (is_in_place, reader) = (copy.is_none(), reader(&source, copy)?);
        let skipped = source.skipped().into_iter().cloned().collect();
        Ok(Self {
            facts: source.facts().clone(),
            skipped,
            reader,
            is_in_place,
            inputs,
            indices,
            labels,
        })
    }

    /// Reads the record at this position.
    fn read(&self, position: usize, record: &mut Record) -> Result<(), Error> {
        let index = self.indices.get(position).copied();
        debug_assert!(index.is_some(), "the position of a record");
        record.index = index.unwrap_or(u64::MAX);
        record.label = self.labels.get(position).copied().flatten();
        let index = if self.is_in_place { record.index } else { position as u64 };
        record.bytes = self.reader.read_at(index)?;
        Ok(())
    }

    /// The input of the record at this position.
    fn path(&self, position: usize) -> &Path {
        let later = self.inputs.partition_point(|(first, _)| *first <= position);
        let input = self.inputs.get(later.saturating_sub(1));
        input.map_or(Path::new(""), |(_, path)| path)
    }
}

/// Reads the copy of the records, or without one the file of the source.
fn reader(source: &Source, copy: Option<Writer>) -> Result<Reader, Error> {
    let temporary = std::env::temp_dir();
    if let Some(copy) = copy {
        let mut file = copy.finish().at(&temporary)?;
        file.rewind().at(&temporary)?;
        return Ok(Reader::seekable(file)?.with_path(temporary));
    }
    let reader = Reader::open(source.file.as_deref().unwrap_or(source.path()))?;
    let (found, layout) = (reader.header(), &source.facts().layout);
    let found = (found.element_type().into(), found.record_size());
    match found == (layout.dtype, layout.record_size()) {
        true => Ok(reader),
        false => source.mismatch(CHANGED),
    }
}

/// A file without a name for records of this layout. Numbers that IDX does not have are bytes.
fn temporary_file(layout: &RecordLayout) -> Result<Writer, Error> {
    let file = tempfile::tempfile()?;
    let mut dims = [&[0], layout.record_shape()].concat();
    let element_type = layout.dtype.element_type().unwrap_or_else(|| {
        dims.extend(u32::try_from(layout.dtype.size()));
        ElementType::U8
    });
    Ok(Writer::new(file, element_type, &dims)?)
}

/// Records in another order.
struct Positioned {
    all: Arc<AllRecords>,
    positions: Vec<usize>,
    next: usize,
}

impl Step for Positioned {
    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(&position) = self.positions.get(self.next) else {
            return Ok(false);
        };
        self.next += 1;
        self.all.read(position, record)?;
        Ok(true)
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let left = self.positions.len() - self.next;
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.next += skipped;
        Ok(skipped as u64)
    }

    fn path(&self) -> &Path {
        let last = self.next.saturating_sub(1);
        self.all.path(self.positions.get(last).copied().unwrap_or_default())
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.all.skipped.iter().collect()
    }

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Vec<Option<i128>> {
        (0..10).map(|number| Some(number % 2)).collect()
    }

    /// These orders must stay the same in every version. Another program computed them too, from the
    /// description of `Chance`.
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
    fn parts_are_stratified_and_together_everything() {
        let positions = |part| {
            let part = Some(part);
            let labels: Vec<_> = (0..1000).map(|number| Some(number % 7)).collect();
            let chance = Chance { part, ..Chance::default() };
            let [chosen, _] = chance.positions(labels.len(), &labels);
            chosen
        };
        let parts = [0.0..0.8, 0.8..0.9, 0.9..1.0].map(positions);
        for part in &parts {
            let of_class = |class| part.iter().filter(|&&position| position % 7 == class).count();
            let counts: Vec<usize> = (0..7).map(of_class).collect();
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
        let mut all = parts.concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<_>>());
    }
}
