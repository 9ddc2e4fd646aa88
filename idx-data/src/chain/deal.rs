//! Records in a new order. The places in it are known, so records are read once, in their own order, and dealt out to pieces
//! of the new order that fit in memory.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::chain::label_numbers::{LabelNumbers, Labels};
use crate::chain::source::Source;
use crate::chain::step::Step;
use crate::error::Error;
use crate::gather::Gather;
use crate::names::format::Format;
use crate::record::{Facts, Record, Skipped};

/// The number of bytes to keep in memory.
#[derive(Clone, Copy)]
struct Budget {
    /// The bytes to hold before they are written to the temporary file.
    held: usize,
    /// The bytes of a piece, which is read from there as a whole.
    piece: usize,
    /// The number of pieces to make before they become as large: small ones stay in the caches of the processor, and
    /// many are written in small parts.
    pieces: usize,
}

/// 64 MiB together: records of one temporary file may be dealt out to another.
const BUDGET: Budget = Budget { held: 48 << 20, piece: 16 << 20, pieces: 256 };

/// The place of a record that is not kept.
const NOWHERE: usize = usize::MAX;

/// A kept record: the number of its input, its index there, its label if records have labels, and its bytes.
#[derive(Clone, Copy)]
struct Entry {
    size: usize,
    has_labels: bool,
}

impl Entry {
    fn of(facts: &Facts) -> Self {
        let label = if facts.has_labels { size_of::<i128>() } else { 0 };
        // Records whose size has more than 64 bits do not occur.
        let bytes = facts.layout.record_size().unwrap_or_default();
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let size = bytes.saturating_add(size_of::<u32>() + size_of::<u64>() + label);
        Self { size, has_labels: facts.has_labels }
    }

    fn append(self, entries: &mut Vec<u8>, input: u32, record: &Record) {
        let start = entries.len();
        entries.extend(input.to_le_bytes());
        entries.extend(record.index.to_le_bytes());
        if self.has_labels {
            entries.extend(record.label.unwrap_or_default().to_le_bytes());
        }
        entries.extend_from_slice(&record.bytes);
        debug_assert_eq!(entries.len() - start, self.size, "records have the size of their layout");
    }

    /// Takes a record from its entry, and returns the number of its input.
    fn read(self, mut entry: &[u8], record: &mut Record) -> u32 {
        let input = u32::from_le_bytes(first(&mut entry));
        record.index = u64::from_le_bytes(first(&mut entry));
        record.label = self.has_labels.then(|| i128::from_le_bytes(first(&mut entry)));
        record.set_bytes(entry);
        input
    }
}

fn first<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    debug_assert!(bytes.len() >= N, "an entry is whole");
    let (first, rest) = bytes.split_first_chunk().unwrap_or((&[0; N], &[]));
    *bytes = rest;
    *first
}

/// A piece of the new order: its entries, as they came.
#[derive(Default)]
struct Piece {
    /// The bytes of its first entries, which are in the temporary file.
    written: usize,
    /// The entries after them.
    held: Vec<u8>,
}

/// Records that are kept by pieces of their new order. A slot is the number of an entry, in the order of the pieces.
struct Dealt {
    facts: Facts,
    formats: Vec<Format>,
    entry: Entry,
    budget: Budget,
    /// The number of entries that a piece has room for.
    room: usize,
    /// The bytes of as many entries.
    room_size: usize,
    /// The bytes of a piece to make room for in memory.
    share: usize,
    pieces: Vec<Piece>,
    /// The bytes that are held in all pieces.
    held: usize,
    /// The temporary file, with room for each piece, one after the other.
    file: Option<Mutex<File>>,
    inputs: Vec<PathBuf>,
    skipped: Vec<Skipped>,
}

impl Dealt {
    /// Makes room for `count` records of a source; without a count for all, at their own places.
    fn new(source: &Source, count: Option<usize>, budget: Budget) -> Self {
        let entry = Entry::of(source.facts());
        let all = count.map(|count| count.saturating_mul(entry.size));
        let piece = all.map_or(budget.piece, |all| budget.piece.min(all / budget.pieces));
        let room = (piece / entry.size).max(1);
        let room_size = room.saturating_mul(entry.size);
        // The pieces fill alike, more or less.
        let share = |count: usize| budget.held / count.div_ceil(room).max(1) / 8 * 9;
        let share = count.map_or(0, share).min(room_size);
        Self {
            facts: source.facts().clone(),
            formats: source.formats().to_vec(),
            entry,
            budget,
            room,
            room_size,
            share,
            pieces: Vec::new(),
            held: 0,
            file: None,
            inputs: vec![source.path().to_path_buf()],
            skipped: Vec::new(),
        }
    }

    /// Keeps a record in the piece of its place. Returns its slot.
    fn push(&mut self, place: usize, path: &Path, record: &Record) -> Result<usize, Error> {
        let size = self.entry.size;
        if self.held > 0 && self.held.saturating_add(size) > self.budget.held {
            self.write().map_err(Error::temporary)?;
        }
        let input = self.input(path);
        let number = place / self.room;
        if self.pieces.len() <= number {
            self.pieces.resize_with(number + 1, Piece::default);
        }
        let slot = self.pieces.get_mut(number).map(|piece| {
            let before = (piece.written + piece.held.len()) / size;
            if piece.held.capacity() == 0 {
                piece.held.reserve_exact(self.share);
            }
            self.entry.append(&mut piece.held, input, record);
            number * self.room + before
        });
        debug_assert!(slot.is_some(), "there are as many pieces");
        self.held += size;
        Ok(slot.unwrap_or(NOWHERE))
    }

    /// Returns the number of this input: the number of the record before, or a new one.
    fn input(&mut self, path: &Path) -> u32 {
        if self.inputs.last().is_none_or(|last| last.as_os_str() != path.as_os_str()) {
            self.inputs.push(path.to_path_buf());
        }
        u32::try_from(self.inputs.len() - 1).unwrap_or(u32::MAX)
    }

    /// Writes the held bytes, each piece to its room in the temporary file.
    fn write(&mut self) -> io::Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file.into_inner().unwrap_or_else(PoisonError::into_inner),
            None => tempfile::tempfile()?,
        };
        for (number, piece) in self.pieces.iter_mut().enumerate() {
            if piece.held.is_empty() {
                continue;
            }
            file.seek(SeekFrom::Start(
                number as u64 * self.room_size as u64 + piece.written as u64,
            ))?;
            file.write_all(&piece.held)?;
            piece.written += piece.held.len();
            piece.held.clear();
            if piece.written == self.room_size {
                piece.held = Vec::new();
            }
        }
        self.held = 0;
        self.file = Some(Mutex::new(file));
        Ok(())
    }

    fn finish(mut self, source: &Source) -> Result<Arc<Self>, Error> {
        if self.file.is_some() {
            self.write().map_err(Error::temporary)?;
            self.pieces.iter_mut().for_each(|piece| piece.held = Vec::new());
        }
        self.skipped = source.skipped().into_iter().cloned().collect();
        Ok(Arc::new(self))
    }

    /// Keeps all records of a source at their own places. Also returns their number, and their labels if these are
    /// needed.
    fn all(
        mut source: Source,
        by_label: bool,
        budget: Budget,
    ) -> Result<(Arc<Self>, usize, Labels), Error> {
        let mut dealt = Self::new(&source, None, budget);
        let (mut count, mut labels) = (0, LabelNumbers::default());
        let mut record = Record::default();
        while source.read(&mut record)? {
            dealt.push(count, source.path(), &record)?;
            count += 1;
            record.label.filter(|_| by_label).into_iter().for_each(|label| labels.push(label));
        }
        Ok((dealt.finish(&source)?, count, labels.finish()))
    }

    /// Keeps the last `count` records of a source, or all if there are fewer. Returns the number of those before them.
    fn last(mut source: Source, count: usize) -> Result<(Source, u64), Error> {
        let mut dealt = Self::new(&source, None, BUDGET);
        let size = dealt.entry.size;
        let mut entries = Vec::new();
        let mut before = 0;
        let mut record = Record::default();
        let mut keep = |entries: &mut Vec<u8>, kept: usize| {
            let forgotten = (entries.len() / size).saturating_sub(kept);
            entries.drain(..forgotten * size);
            before += forgotten as u64;
        };
        while source.read(&mut record)? {
            // Twice as many, so that they are moved seldom.
            if entries.len() / size >= 2 * count {
                keep(&mut entries, count);
            }
            let input = dealt.input(source.path());
            dealt.entry.append(&mut entries, input, &record);
        }
        keep(&mut entries, count);
        let kept = entries.len() / size;
        dealt.room = count;
        dealt.pieces = vec![Piece { written: 0, held: entries }];
        Ok((in_slots(&dealt.finish(&source)?, 0..kept), before))
    }

    /// Deals out the records of a source to parts, which have the positions of their records and lack these classes.
    fn parts<const N: usize>(
        mut source: Source,
        count: usize,
        mut parts: [Vec<usize>; N],
        absent: [BTreeSet<i128>; N],
        budget: Budget,
    ) -> Result<[Source; N], Error> {
        let mut places = vec![NOWHERE; count];
        for (place, position) in parts.iter().flatten().enumerate() {
            if let Some(found) = places.get_mut(*position) {
                *found = place;
            }
        }
        let kept = parts.iter().map(Vec::len).sum();
        let mut dealt = Self::new(&source, Some(kept), budget);
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
        // The end is checked.
        source.skip(u64::MAX)?;
        for position in parts.iter_mut().flatten() {
            *position = places.get(*position).copied().unwrap_or(NOWHERE);
        }
        Ok(dealt.finish(&source)?.into_sources(parts, absent))
    }

    /// Returns the records in the slots of each part.
    fn into_sources<const N: usize>(
        self: Arc<Self>,
        parts: [Vec<usize>; N],
        absent: [BTreeSet<i128>; N],
    ) -> [Source; N] {
        let mut absent = absent.into_iter();
        parts.map(|slots| {
            let mut source = in_slots(&self, slots.into_iter());
            source.facts.absent_classes = absent.next().unwrap_or_default();
            source
        })
    }

    /// Returns the entry in this slot.
    fn entry<'a>(&'a self, slot: usize, last_piece: &'a mut LastPiece) -> Result<&'a [u8], Error> {
        let (number, entry) = (slot / self.room, slot % self.room);
        let piece = self.pieces.get(number);
        let entries = match (piece, &self.file) {
            (Some(piece), Some(file)) => {
                if last_piece.piece != Some(number) {
                    *last_piece = LastPiece { piece: None, entries: take(&mut last_piece.entries) };
                    self.load(number, piece.written, file, &mut last_piece.entries)
                        .map_err(Error::temporary)?;
                    last_piece.piece = Some(number);
                }
                &last_piece.entries
            }
            (Some(piece), None) => &piece.held,
            (None, _) => &last_piece.entries,
        };
        let entry = entries.get(entry * self.entry.size..).unwrap_or_default();
        Ok(entry.get(..self.entry.size).unwrap_or_default())
    }

    fn load(
        &self,
        number: usize,
        size: usize,
        file: &Mutex<File>,
        entries: &mut Vec<u8>,
    ) -> io::Result<()> {
        entries.resize(size, 0);
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(number as u64 * self.room_size as u64))?;
        file.read_exact(entries)
    }
}

/// The piece that was read last from a temporary file.
#[derive(Default)]
struct LastPiece {
    piece: Option<usize>,
    entries: Vec<u8>,
}

/// Records that are kept, by their slots.
struct Slots<S> {
    dealt: Arc<Dealt>,
    slots: S,
    last_piece: LastPiece,
    /// The number of the input of the record that was read last, or of the first one.
    input: u32,
}

impl<S: ExactSizeIterator<Item = usize> + Send> Step for Slots<S> {
    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(slot) = self.slots.next() else {
            self.last_piece = LastPiece::default();
            return Ok(false);
        };
        let entry = self.dealt.entry(slot, &mut self.last_piece)?;
        self.input = self.dealt.entry.read(entry, record);
        Ok(true)
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let left = self.slots.len();
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        if let Some(last) = skipped.checked_sub(1) {
            self.slots.nth(last);
        }
        Ok(skipped as u64)
    }

    fn path(&self) -> &Path {
        self.dealt.inputs.get(self.input as usize).map_or(Path::new(""), |path| path)
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.dealt.skipped.iter().collect()
    }

    fn close(&mut self) {}
}

/// Returns the records in these slots.
fn in_slots(
    dealt: &Arc<Dealt>,
    slots: impl ExactSizeIterator<Item = usize> + Send + 'static,
) -> Source {
    let count = slots.len() as u64;
    let facts = dealt.facts.of_count(Some(count));
    let dealt = Arc::clone(dealt);
    let formats = dealt.formats.clone();
    let step = Slots { dealt, slots, last_piece: LastPiece::default(), input: 0 };
    let mut source = Source::of_step(step, facts, formats);
    // They are there.
    let record_size = source.facts.layout.record_size().unwrap_or(0);
    source.size = count.saturating_mul(record_size.max(1));
    source
}

/// Returns for each part the classes that only other records have.
fn absent_classes<const N: usize>(parts: &[Vec<usize>; N], labels: &Labels) -> [BTreeSet<i128>; N] {
    parts.each_ref().map(|positions| labels.absent_from(positions).gather())
}

impl Source {
    /// Makes sources of the records at the positions that `choose` returns for the number of records and, if it needs
    /// them, their labels. All records are read at once.
    pub(super) fn in_parts<const N: usize>(
        self,
        by_label: bool,
        choose: impl FnOnce(usize, &Labels) -> [Vec<usize>; N],
    ) -> Result<[Self; N], Error> {
        self.in_parts_within(BUDGET, by_label, choose)
    }

    fn in_parts_within<const N: usize>(
        mut self,
        budget: Budget,
        by_label: bool,
        choose: impl FnOnce(usize, &Labels) -> [Vec<usize>; N],
    ) -> Result<[Self; N], Error> {
        let is_by_label = by_label && self.facts().has_labels;
        if let Some((count, labels)) = self.known(is_by_label)? {
            let parts = choose(count, &labels);
            let absent = absent_classes(&parts, &labels);
            drop(labels);
            return Dealt::parts(self, count, parts, absent, budget);
        }
        let (all, count, labels) = Dealt::all(self, by_label, budget)?;
        let parts = choose(count, &labels);
        let absent = absent_classes(&parts, &labels);
        drop(labels);
        if all.file.is_some() {
            let all = in_slots(&all, 0..count);
            return Dealt::parts(all, count, parts, absent, budget);
        }
        Ok(all.into_sources(parts, absent))
    }

    /// Returns the number of the remaining records, and their labels if the choice is by label; `None` if all have to
    /// be read for them.
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

    /// Reads all records at once and keeps at least the `last` ones. Also returns the number of those before them.
    pub(super) fn kept(self, last: u64) -> Result<(Self, u64), Error> {
        let room = BUDGET.piece / Entry::of(self.facts()).size;
        if let Some(last) = usize::try_from(last).ok().filter(|last| (1..=room).contains(last)) {
            return Dealt::last(self, last);
        }
        let (all, count, _) = Dealt::all(self, false, BUDGET)?;
        Ok((in_slots(&all, 0..count), 0))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;

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
    fn of_the_last_records_no_others_are_kept() {
        for count in 0..40_u8 {
            let numbers: Vec<u8> = (0..count).collect();
            for last in 1..45_u8 {
                let source =
                    OpenOptions::new().open_stream("a.idx", Box::new(Cursor::new(idx(&numbers))));
                let (mut source, before) = source.unwrap().kept(last.into()).unwrap();
                assert_eq!(before, u64::from(count.saturating_sub(last)));
                assert_eq!(source.remaining(), Some(u64::from(count.min(last))));
                let found: Vec<u64> = read(&mut source).iter().map(|found| found.1).collect();
                assert!(found.into_iter().eq(before..count.into()), "{last} of {count}");
            }
        }
    }

    /// A list of records is divided as its positions say, from any kind of input and in pieces of any size.
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
                    let both = make(kind).in_parts_within(budget, by_label, both).unwrap();
                    let one = make(kind).in_parts_within(budget, by_label, one).unwrap();
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

    /// If inputs are joined, bytes stand behind the counts of all or of none.
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

    /// An input that has ended has no labels to read.
    #[test]
    fn labels_are_known_beside_an_input_that_ended() {
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
