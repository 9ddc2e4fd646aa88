//! Records kept in pieces of a new order, in memory and in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::answer::Column;
use crate::chain::source::Source;
use crate::chain::step::Step;
use crate::error::Error;
use crate::names::format::Format;
use crate::record::{Facts, Record, Skipped};

/// The bytes to keep in memory.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    /// The number of bytes to hold before they are written to the temporary file.
    pub(super) held: usize,
    /// The size of a piece in bytes. A piece is read from the temporary file as a whole.
    pub(super) piece: usize,
    /// The minimum number of pieces. Small pieces stay in the CPU's caches, but more pieces would be written in smaller
    /// parts.
    pub(super) pieces: usize,
}

/// 64 MiB in all: records from one temporary file may be dealt out to another.
pub(super) const BUDGET: Budget = Budget { held: 48 << 20, piece: 16 << 20, pieces: 256 };

/// The place of a record that is not kept.
pub(super) const NOWHERE: usize = usize::MAX;

/// The form of a kept record: the number of its input, its index there, its label if records have labels, and its
/// bytes.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) size: usize,
    has_labels: bool,
}

impl Entry {
    pub(super) fn of(facts: &Facts) -> Self {
        let label = if facts.has_labels { size_of::<i128>() } else { 0 };
        // There are no records of a size beyond 64 bits.
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

    /// Reads a record from its entry, and returns the number of its input.
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

/// A piece of the new order: its entries, in the order in which they came.
#[derive(Default)]
struct Piece {
    /// The number of bytes of its first entries, which are in the temporary file.
    written: usize,
    /// The entries after them.
    held: Vec<u8>,
}

/// Records kept in pieces of their new order. A slot is the number of an entry, counted through the pieces.
pub(super) struct Dealt {
    facts: Facts,
    formats: Vec<Format>,
    label_column: Option<Column>,
    record_limit: u64,
    entry: Entry,
    budget: Budget,
    /// The number of entries that a piece has room for.
    room: usize,
    /// The size of so many entries in bytes.
    room_size: usize,
    /// The number of bytes to reserve for a piece.
    share: usize,
    pieces: Vec<Piece>,
    /// The number of bytes held in all pieces.
    held: usize,
    /// The temporary file. It has room for each piece, one after the other.
    pub(super) file: Option<Mutex<File>>,
    inputs: Vec<PathBuf>,
    skipped: Vec<Skipped>,
}

impl Dealt {
    /// Makes room for `count` records of a source or, without a count, for all of them in their own order.
    pub(super) fn new(source: &Source, count: Option<usize>, budget: Budget) -> Self {
        let entry = Entry::of(source.facts());
        let all = count.map(|count| count.saturating_mul(entry.size));
        let piece = all.map_or(budget.piece, |all| budget.piece.min(all / budget.pieces));
        let room = (piece / entry.size).max(1);
        let room_size = room.saturating_mul(entry.size);
        // The pieces fill more or less evenly.
        let share = |count: usize| budget.held / count.div_ceil(room).max(1) / 8 * 9;
        let share = count.map_or(0, share).min(room_size);
        Self {
            facts: source.facts().clone(),
            formats: source.formats().to_vec(),
            label_column: source.label_column.clone(),
            record_limit: source.record_limit,
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

    /// Keeps a record in the piece for its place, and returns its slot.
    pub(super) fn push(
        &mut self,
        place: usize,
        path: &Path,
        record: &Record,
    ) -> Result<usize, Error> {
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
        debug_assert!(slot.is_some(), "the piece was just added");
        self.held += size;
        Ok(slot.unwrap_or(NOWHERE))
    }

    /// Forgets the record before this place, if records came in the order of their places. Drops its piece once no
    /// other record is in it.
    pub(super) fn forget_before(&mut self, place: usize) {
        let piece = (place / self.room).checked_sub(1).filter(|_| place.is_multiple_of(self.room));
        if let Some(piece) = piece.and_then(|number| self.pieces.get_mut(number)) {
            self.held -= piece.held.len();
            *piece = Piece::default();
        }
    }

    /// Returns the number of this input: that of the record before if it is the same, or else a new one.
    fn input(&mut self, path: &Path) -> u32 {
        if self.inputs.last().is_none_or(|last| last.as_os_str() != path.as_os_str()) {
            self.inputs.push(path.to_path_buf());
        }
        u32::try_from(self.inputs.len() - 1).unwrap_or(u32::MAX)
    }

    /// Writes the held bytes of each piece to its place in the temporary file.
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

    pub(super) fn finish(mut self, source: &Source) -> Result<Arc<Self>, Error> {
        if self.file.is_some() {
            self.write().map_err(Error::temporary)?;
            self.pieces.iter_mut().for_each(|piece| piece.held = Vec::new());
        }
        self.skipped = source.skipped().into_iter().cloned().collect();
        Ok(Arc::new(self))
    }

    /// Returns the entry in this slot.
    fn entry<'a>(&'a self, slot: usize, last: &'a mut LastPiece) -> Result<&'a [u8], Error> {
        let (number, entry) = (slot / self.room, slot % self.room);
        let piece = self.pieces.get(number);
        let entries = match &self.file {
            Some(file) if last.piece != Some(number) => {
                last.piece = None;
                last.entries.resize(piece.map_or(0, |piece| piece.written), 0);
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(number as u64 * self.room_size as u64))
                    .and_then(|_| file.read_exact(&mut last.entries))
                    .map_err(Error::temporary)?;
                last.piece = Some(number);
                &last.entries
            }
            Some(_) => &last.entries,
            None => piece.map_or(&last.entries, |piece| &piece.held),
        };
        let entry = entries.get(entry * self.entry.size..).unwrap_or_default();
        Ok(entry.get(..self.entry.size).unwrap_or_default())
    }
}

/// The piece last read from the temporary file.
#[derive(Default)]
struct LastPiece {
    piece: Option<usize>,
    entries: Vec<u8>,
}

/// Kept records, by their slots.
struct Slots<S> {
    dealt: Arc<Dealt>,
    slots: S,
    last_piece: LastPiece,
    /// The number of the input of the last record read, or of the first record.
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
pub(super) fn in_slots(
    dealt: &Arc<Dealt>,
    slots: impl ExactSizeIterator<Item = usize> + Send + 'static,
) -> Source {
    let count = slots.len() as u64;
    let facts = dealt.facts.of_count(Some(count));
    // These bytes exist.
    let size = count.saturating_mul(facts.layout.record_size().unwrap_or(0).max(1));
    let (label_column, record_limit) = (dealt.label_column.clone(), dealt.record_limit);
    let formats = dealt.formats.clone();
    let dealt = Arc::clone(dealt);
    let step = Slots { dealt, slots, last_piece: LastPiece::default(), input: 0 };
    Source { size, label_column, record_limit, ..Source::of_step(step, facts, formats) }
}
