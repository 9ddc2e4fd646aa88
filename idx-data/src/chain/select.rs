//! The step that takes records by position.

use crate::chain::selection::{Ranges, RecordSelection};
use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step};
use crate::error::{At, Error, ErrorKind};
use crate::record::Record;

/// Records by their positions.
struct Select {
    ranges: Ranges,
    /// The number of records that were read or skipped.
    next: u64,
}

impl Select {
    /// Skips the records before the current range.
    fn go_to_range(&mut self, before: &mut Joined) -> Result<(), Error> {
        let start = self.ranges.start().unwrap_or(self.next);
        self.next += before.skip(start.saturating_sub(self.next))?;
        match self.next < start {
            true => Err(before.error(ErrorKind::BeyondLastRecord { count: self.next })),
            false => Ok(()),
        }
    }
}

impl Adapter for Select {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        while self.ranges.is_at_end(self.next) {
            if !self.ranges.advance() {
                return Ok(false);
            }
            self.go_to_range(before)?;
        }
        let is_read = before.read(record)?;
        self.next += u64::from(is_read);
        match is_read || self.next >= self.ranges.required {
            true => Ok(is_read),
            false => Err(before.error(ErrorKind::BeyondLastRecord { count: self.next })),
        }
    }
}

impl Source {
    /// Selects records by their positions among the remaining ones. Positions from the end need the number of records,
    /// which csv tells only at its end: then all are read at once, and the last ones kept, in a temporary file if they
    /// are many.
    ///
    /// # Errors
    ///
    /// A single record or the start of a range beyond the last record ([`beyond_last_record`](ErrorKind::code)); a
    /// range that ends before it starts ([`unsupported`](ErrorKind::code)); and the errors of reading records, if they
    /// are counted.
    ///
    /// ```
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[150, 1], &[7_u8; 150])?;
    ///
    /// assert_eq!(open(&path)?.select(0..10)?.select(3)?.facts().count, Some(1));
    /// assert_eq!(open(&path)?.select("5, 100..200, -3..")?.facts().count, Some(51)); // 5 and 100 to 149
    /// assert!(open(&path)?.select("150").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(
        self,
        records: impl TryInto<RecordSelection, Error: Into<Error>>,
    ) -> Result<Self, Error> {
        let records = records.try_into().map_err(Into::into).at(self.path())?;
        let (mut source, next) = match records.last() {
            Some(last) => self.counted_last(last)?,
            None => (self, 0),
        };
        let count = source.remaining().map(|count| next + count);
        let ranges = Ranges::new(&records, count).at(source.path())?;
        let facts = source.facts().of_count(ranges.count());
        let mut select = Select { ranges, next };
        // A range beyond the end is an error before anything is written.
        source.unless_failed(|source| select.go_to_range(&mut source.steps))?;
        Ok(source.then(facts, select))
    }
}
