//! Puts records in a new order. Their places in it are known, so records are read once, in their own order, and dealt
//! out to pieces of the new order that fit in memory.

use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use crate::chain::dealt::{BUDGET, Budget, Dealt, Entry, NOWHERE, in_slots};
use crate::chain::label_numbers::Labels;
use crate::chain::source::Source;
use crate::chain::step::Step;
use crate::error::Error;
use crate::gather::Gather;
use crate::record::Record;

/// The minimum size of a piece if only the last records are kept, because many pieces take memory themselves.
const LEAST_PIECE: u64 = 64 << 10;

/// Keeps the last records of a source, or all if there are fewer, in their own order. Also returns their places, and
/// the labels if they are needed.
fn keep(
    mut source: Source,
    last: u64,
    by_label: bool,
    budget: Budget,
) -> Result<(Arc<Dealt>, Range<usize>, Labels), Error> {
    let size = last.saturating_mul(Entry::of(source.facts()).size as u64).max(LEAST_PIECE);
    let piece = usize::try_from(size).map_or(budget.piece, |size| budget.piece.min(size));
    let mut dealt = Dealt::new(&source, None, Budget { piece, ..budget });
    let (mut places, mut labels) = (0..0, Vec::new());
    let mut record = Record::default();
    while source.read(&mut record)? {
        dealt.push(places.end, source.path(), &record)?;
        places.end += 1;
        if places.len() as u64 > last {
            places.start += 1;
            dealt.forget_before(places.start);
        }
        labels.extend(record.label.filter(|_| by_label));
    }
    Ok((dealt.finish(&source)?, places, Labels::of(labels)))
}

/// Deals out the records of a source to parts, each given as the positions of its records.
fn deal_out<const N: usize>(
    mut source: Source,
    count: usize,
    mut parts: [Vec<usize>; N],
    budget: Budget,
) -> Result<[Source; N], Error> {
    let mut places = vec![NOWHERE; count];
    for (place, position) in parts.iter().flatten().enumerate() {
        if let Some(found) = places.get_mut(*position) {
            *found = place;
        }
    }
    let kept = parts.iter().map(Vec::len).sum();
    let mut dealt = Dealt::new(&source, Some(kept), budget);
    let mut record = Record::default();
    let mut unread = 0;
    for place in &mut places {
        if *place == NOWHERE {
            unread += 1;
            continue;
        }
        if unread > 0 {
            source.skip(take(&mut unread))?;
        }
        if !source.read(&mut record)? {
            break;
        }
        *place = dealt.push(*place, source.path(), &record)?;
    }
    // This also checks the end.
    source.skip(u64::MAX)?;
    for position in parts.iter_mut().flatten() {
        *position = places.get(*position).copied().unwrap_or(NOWHERE);
    }
    let dealt = dealt.finish(&source)?;
    Ok(parts.map(|slots| in_slots(&dealt, slots.into_iter())))
}

impl Source {
    /// Makes sources of the records at the positions that `choose` returns. `choose` gets the number of records, and
    /// their labels if `by_label`. All records are read now.
    pub(super) fn in_parts<const N: usize>(
        mut self,
        budget: Budget,
        by_label: bool,
        choose: impl FnOnce(usize, &Labels) -> [Vec<usize>; N],
    ) -> Result<[Self; N], Error> {
        let mut in_memory = None;
        let (source, count, labels) = match self.known(by_label && self.facts().has_labels)? {
            Some((count, labels)) => (self, count, labels),
            None => {
                let (all, places, labels) = keep(self, u64::MAX, by_label, budget)?;
                let (source, count) = (in_slots(&all, places.clone()), places.len());
                in_memory = Some(all).filter(|all| all.file.is_none());
                (source, count, Arc::new(labels))
            }
        };
        let parts = choose(count, &labels);
        let absent = parts.each_ref().map(|positions| labels.absent_from(positions).gather());
        drop(labels);
        let mut sources = match in_memory {
            Some(all) => parts.map(|slots| in_slots(&all, slots.into_iter())),
            None => deal_out(source, count, parts, budget)?,
        };
        for (source, absent) in sources.iter_mut().zip(absent) {
            source.facts.absent_classes = absent;
        }
        Ok(sources)
    }

    /// Returns the number of remaining records, and their labels if the choice is by label; `None` if this takes
    /// reading all records.
    fn known(&mut self, is_by_label: bool) -> Result<Option<(usize, Arc<Labels>)>, Error> {
        let count = self.remaining().and_then(|count| usize::try_from(count).ok());
        let Some(count) = count.filter(|count| *count as u64 <= self.size) else {
            return Ok(None);
        };
        let labels = match is_by_label {
            true => self.unless_failed(|source| source.steps.labels())?,
            false => Some(Arc::default()),
        };
        Ok(labels.map(|labels| (count, labels)))
    }

    /// Returns the same records if their number is known. Otherwise reads all now, and returns the `last` ones. Also
    /// returns the number of records before these.
    pub(super) fn counted_last(self, last: u64) -> Result<(Self, u64), Error> {
        if self.remaining().is_some() {
            return Ok((self, 0));
        }
        let (kept, places, _) = keep(self, last, false, BUDGET)?;
        let before = places.start as u64;
        Ok((in_slots(&kept, places), before))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::Chance;
    use crate::chain::random::SplitMix64;
    use crate::record::options::OpenOptions;

    /// A number, its index in its input, the input, and its label.
    type Found = (u8, u64, String, Option<i128>);

    fn read(source: &mut Source) -> Vec<Found> {
        let (mut found, mut record) = (Vec::new(), Record::default());
        while source.read(&mut record).unwrap() {
            let path = source.path().file_name().unwrap().to_string_lossy().into_owned();
            found.push((record.bytes[0], record.index, path, record.label));
        }
        found
    }

    fn idx(numbers: &[u8]) -> Vec<u8> {
        let count = u32::try_from(numbers.len()).unwrap();
        [&[0, 0, 8, 1][..], &count.to_be_bytes()[..], numbers].concat()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn only_the_last_records_are_kept() {
        for count in 0..40_u8 {
            let numbers: Vec<u8> = (0..count).collect();
            for last in 1..45_u8 {
                let source =
                    OpenOptions::new().open_stream("a.idx", Box::new(Cursor::new(idx(&numbers))));
                let uncounted = source.unwrap().filter(|_| true);
                let (mut source, before) = uncounted.counted_last(last.into()).unwrap();
                assert_eq!(before, u64::from(count.saturating_sub(last)));
                assert_eq!(source.remaining(), Some(u64::from(count.min(last))));
                let found: Vec<u64> = read(&mut source).iter().map(|found| found.1).collect();
                assert!(found.into_iter().eq(before..count.into()), "{last} of {count}");
            }
        }
    }

    /// Few records of many do not fill the memory: without small pieces, this would need a temporary file.
    #[test]
    fn few_records_are_kept_in_small_pieces() {
        let numbers = Box::new(Cursor::new(idx(&[7; 30_000])));
        let source = OpenOptions::new().open_stream("a.idx", numbers).unwrap();
        let budget = Budget { held: 192 << 10, ..BUDGET };
        let (kept, places, _) = keep(source, 1, false, budget).unwrap();
        assert_eq!(places, 29_999..30_000);
        assert!(kept.file.is_none());
    }

    /// Records are divided by their positions, from any kind of input and in pieces of any size.
    #[test]
    fn records_are_dealt_out_in_pieces_of_any_size() {
        let folder = tempfile::tempdir().unwrap();
        let mut generator = SplitMix64(11);
        for round in 0..100 {
            let size = generator.up_to(40);
            let mut bytes = |max| -> Vec<u8> {
                (0..size).map(|_| u8::try_from(generator.up_to(max)).unwrap()).collect()
            };
            let (numbers, labels) = (bytes(255), bytes(3));
            for (name, bytes) in [("a", &numbers), ("labels", &labels)] {
                fs::write(folder.path().join(name), idx(bytes)).unwrap();
                fs::write(folder.path().join(format!("{name}.gz")), gzip(&idx(bytes))).unwrap();
            }
            let open =
                |name: &str| OpenOptions::new().open_alone(&folder.path().join(name)).unwrap();
            let pipe = |bytes: &[u8]| {
                let stream = Box::new(Cursor::new(idx(bytes)));
                OpenOptions::new().open_stream("a", stream).unwrap()
            };
            let make = |kind: usize| {
                let source = match kind {
                    0 => open("a"),
                    1 => open("a.gz"),
                    _ => pipe(&numbers),
                };
                match round % 3 {
                    0 => source,
                    1 => source.with_labels(open("labels")).unwrap(),
                    _ => {
                        let both = source.append(open("a")).unwrap();
                        both.with_labels(open("labels").append(open("labels.gz")).unwrap()).unwrap()
                    }
                }
            };
            let start = generator.up_to(10) as f64 / 10.0;
            let chance = Chance {
                part: (generator.up_to(1) == 0).then_some(start..1.0),
                sample: (generator.up_to(1) == 0).then(|| generator.up_to(size + 5) as u64),
                seed: (generator.up_to(3) > 0).then_some(round),
            };
            for kind in 0..3 {
                let all = read(&mut make(kind));
                let labels = Labels::of(all.iter().filter_map(|(.., label)| *label));
                let expected = chance.positions(all.len(), &labels);
                for (held, piece, pieces) in
                    [(1, 1, 1), (100, 64, 1), (60, 200, 1), (300, 90, 7), (1 << 20, 1 << 20, 256)]
                {
                    let budget = Budget { held, piece, pieces };
                    let by_label = chance.part.is_some();
                    let both = |count, labels: &Labels| chance.positions(count, labels);
                    let one = |count, labels: &Labels| {
                        let [chosen, _] = chance.positions(count, labels);
                        [chosen]
                    };
                    let both = make(kind).in_parts(budget, by_label, both).unwrap();
                    let one = make(kind).in_parts(budget, by_label, one).unwrap();
                    let parts =
                        both.into_iter().zip(&expected).chain(one.into_iter().zip(&expected));
                    for (mut part, positions) in parts {
                        assert_eq!(part.facts().count, Some(positions.len() as u64));
                        let expected: Vec<_> =
                            positions.iter().map(|position| all[*position].clone()).collect();
                        assert_eq!(read(&mut part), expected, "{kind} {held} {piece} {chance:?}");
                    }
                }
            }
        }
    }

    /// The counts of joined inputs are believed if there are enough bytes for all of them, or else none is.
    #[test]
    fn what_one_input_claims_is_not_believed_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let claim = |name: &str, count: u8| {
            let path = folder.path().join(name);
            fs::write(&path, [0, 0, 8, 2, 0, 0, 0, count, 0, 0, 0, 0]).unwrap();
            OpenOptions::new().open_alone(&path).unwrap()
        };
        for (counts, is_known) in [([5, 5], true), ([5, 200], false), ([200, 5], false)] {
            let [one, other] =
                [("one", counts[0]), ("other", counts[1])].map(|(name, count)| claim(name, count));
            let known = one.append(other).unwrap().known(false).unwrap();
            assert_eq!(known.is_some(), is_known, "{counts:?}");
        }
    }

    /// An input that has ended has no labels left to read.
    #[test]
    fn labels_are_known_with_an_input_that_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let labeled = |labels: &[u8]| {
            let [records, labels] =
                [("records", &[7, 8][..]), ("labels", labels)].map(|(name, numbers)| {
                    let path = folder.path().join(format!("{name}{labels:?}"));
                    fs::write(&path, idx(numbers)).unwrap();
                    OpenOptions::new().open_alone(&path).unwrap()
                });
            records.with_labels(labels).unwrap()
        };
        let mut ended = labeled(&[1, 2]);
        assert_eq!(read(&mut ended).len(), 2);
        let known = labeled(&[3, 4]).append(ended).unwrap().known(true).unwrap();
        let labels = known.map(|(count, labels)| (count, labels.get(0), labels.get(1)));
        assert_eq!(labels, Some((2, Some(3), Some(4))));
    }
}
