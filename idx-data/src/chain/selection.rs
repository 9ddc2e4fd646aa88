//! Positions of records as people write them: numbers, ranges and lists.

use std::io::{self, Read};
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};
use std::path::Path;
use std::str::FromStr;

use crate::error::{At, Error, ErrorKind};
use idx_std::__private::access;

/// The message for text that does not select records.
const WRONG: &str =
    "write numbers or ranges with commas between, such as 7, 0..10, 10.., -10.. or 5,9,12";

/// The maximum size of a list of records in bytes.
const MAX_LIST: u64 = 64 << 20;

/// A selection of records, as people write it: numbers from 0 and ranges, separated by commas.
///
/// Ranges work as in NumPy: they exclude their end, which may be beyond the last record, and negative numbers count
/// from the end. Records come in the order of the file, each once. Ranges may overlap, but a number given twice is an
/// error. In code, a number, a range, or a list of numbers is a selection, too.
///
/// ```
/// use idx_data::RecordSelection;
///
/// let records: RecordSelection = "5, 100..200, -3..".parse()?;
/// assert_eq!(records.ranges(Some(150))?, [5..6, 100..150]);
/// assert_eq!(RecordSelection::try_from([9, 5])?, "5,9".parse()?);
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSelection {
    spans: Vec<Span>,
}

/// Numbers below 0 count from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Span {
    One(i64),
    Range(i64, Option<i64>),
}

impl RecordSelection {
    /// Returns the ranges of the selected records, in the order of the file and with gaps between them. The end of the
    /// last one may be [`u64::MAX`] if the number of records is not known.
    ///
    /// # Errors
    ///
    /// A single record or the start of a range beyond the last record ([`beyond_last_record`](ErrorKind::code)); a
    /// record from the end if the number of records is not known, or a range that ends before it starts
    /// ([`unsupported`](ErrorKind::code)).
    pub fn ranges(&self, count: Option<u64>) -> Result<Vec<Range<u64>>, Error> {
        let mut ranges = Vec::new();
        for span in &self.spans {
            ranges.push(span.range(count)?);
        }
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        Ok(joined)
    }

    /// Returns whether a range goes beyond this number of records, and so selects fewer than it says.
    ///
    /// ```
    /// # use idx_data::RecordSelection;
    /// let records: RecordSelection = "100..200".parse()?;
    /// assert!(records.exceeds(150) && !records.exceeds(200));
    /// assert!(RecordSelection::from(-10..).exceeds(9));
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    #[must_use]
    pub fn exceeds(&self, count: u64) -> bool {
        let count = i128::from(count);
        self.spans.iter().any(|span| match *span {
            // A single record must exist.
            Span::One(_) => false,
            Span::Range(start, end) => {
                i128::from(start) < -count || end.is_some_and(|end| i128::from(end) > count)
            }
        })
    }

    /// Reads a selection from a file: numbers and ranges, separated by commas or line breaks.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("list.txt");
    /// use idx_data::RecordSelection;
    ///
    /// std::fs::write(&path, "5\n12\n100..200\n")?;
    /// assert_eq!(RecordSelection::open(&path)?, "5,12,100..200".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file that cannot be read ([`ErrorKind::File`]); other text, or more than 64 MiB
    /// ([`malformed`](ErrorKind::code)).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = access::open(path).at(path)?;
        Self::from_reader(file).at(path)
    }

    /// Reads a selection as [`open`](Self::open) does, from a stream such as standard input.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open).
    pub fn from_reader(reader: impl Read) -> Result<Self, Error> {
        let mut text = String::new();
        match reader.take(MAX_LIST + 1).read_to_string(&mut text) {
            Ok(size) if size as u64 > MAX_LIST => {
                let message = "a list of records has at most 64 MiB; choose a shorter one";
                return Err(ErrorKind::malformed(message).into());
            }
            // Not UTF-8, and so not a number.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
            read => drop(read.map_err(ErrorKind::from)?),
        }
        let texts = text.split(['\n', '\r', ',']).map(str::trim);
        Ok(Self::of(texts.filter(|text| !text.is_empty()))?)
    }

    /// Parses spans, which may be in any order.
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Self, ErrorKind> {
        let mut spans: Vec<Span> = Vec::new();
        for text in texts {
            if spans.len() == spans.capacity() {
                // A list with repetitions is refused before it takes much memory.
                expect_once(&mut spans)?;
                spans.reserve(spans.len());
            }
            spans.push(Span::parse(text.trim())?);
        }
        expect_once(&mut spans)?;
        match spans.is_empty() {
            true => Err(ErrorKind::malformed(WRONG)),
            false => Ok(Self { spans }),
        }
    }

    /// Returns how many of the last records this selects from, if a number counts from the end.
    pub(super) fn last(&self) -> Option<u64> {
        let is_from_end = self.spans.iter().any(|span| match *span {
            Span::One(record) => record < 0,
            Span::Range(start, end) => start < 0 || end.is_some_and(|end| end < 0),
        });
        let needed = self.spans.iter().map(|span| match *span {
            Span::One(start) | Span::Range(start, _) if start < 0 => start.unsigned_abs(),
            _ => u64::MAX,
        });
        needed.max().filter(|_| is_from_end)
    }

    /// Returns the number of records that a source must have.
    pub(super) fn required(&self) -> u64 {
        let required = self.spans.iter().map(|span| match *span {
            Span::One(record) => record.saturating_add(1),
            Span::Range(start, _) => start,
        });
        u64::try_from(required.max().unwrap_or(0)).unwrap_or(0)
    }
}

/// Sorts the spans, and refuses a record given twice: a caller who wants it twice would get it once.
fn expect_once(spans: &mut Vec<Span>) -> Result<(), ErrorKind> {
    spans.sort_unstable();
    let twice = spans.windows(2).find_map(|two| match two {
        [Span::One(record), other] if *other == Span::One(*record) => Some(record),
        _ => None,
    });
    if let Some(record) = twice {
        return Err(ErrorKind::malformed(format!(
            "record {record} is named twice, but records come once, in the order of the file; name it once"
        )));
    }
    spans.dedup();
    Ok(())
}

impl Span {
    fn parse(text: &str) -> Result<Self, ErrorKind> {
        // No file has so many records that this exceeds 63 bits.
        let number = |text: &str| text.parse().map_err(|_| ErrorKind::malformed(WRONG));
        let Some((start, end)) = text.split_once("..") else {
            return number(text).map(Self::One);
        };
        let optional = |text: &str| match text {
            "" => Ok(None),
            _ => number(text).map(Some),
        };
        let (start, end) = (optional(start)?.unwrap_or(0), optional(end)?);
        match end {
            Some(end) if end < start && (end < 0) == (start < 0) => {
                Err(ErrorKind::malformed(format!("{text} ends before it starts; swap its ends")))
            }
            _ => Ok(Self::Range(start, end)),
        }
    }

    fn range(self, count: Option<u64>) -> Result<Range<u64>, ErrorKind> {
        let last = count.map_or(u64::MAX.into(), i128::from);
        let position = |number: i64| match number {
            0.. => Ok(i128::from(number)),
            _ if count.is_some() => Ok(last + i128::from(number)),
            _ => Err(ErrorKind::unsupported(
                "the number of records is not known in advance, so none can be counted from the end; number \
                 them from the start",
            )),
        };
        let (start, end, is_there) = match self {
            Self::One(record) => {
                let record = position(record)?;
                (record, record + 1, (0..last).contains(&record))
            }
            Self::Range(start, end) => {
                let end = end.map_or(Ok(last), position)?;
                let start = position(start)?;
                (start, end, start <= last)
            }
        };
        if !is_there {
            return Err(ErrorKind::BeyondLastRecord { count: count.unwrap_or(u64::MAX) });
        }
        if end < start {
            return Err(ErrorKind::unsupported(format!(
                "the range ends before it starts: from record {start} to before {end}; give a later end"
            )));
        }
        let within = |position: i128| u64::try_from(position.clamp(0, last)).unwrap_or(u64::MAX);
        let start = within(start);
        Ok(start..within(end).max(start))
    }
}

impl<T: TryInto<i64>> From<Range<T>> for RecordSelection {
    fn from(range: Range<T>) -> Self {
        Self { spans: vec![Span::Range(position(range.start), Some(position(range.end)))] }
    }
}

impl<T: TryInto<i64>> From<RangeFrom<T>> for RecordSelection {
    fn from(range: RangeFrom<T>) -> Self {
        Self { spans: vec![Span::Range(position(range.start), None)] }
    }
}

impl<T: TryInto<i64>> From<RangeTo<T>> for RecordSelection {
    fn from(range: RangeTo<T>) -> Self {
        Self { spans: vec![Span::Range(0, Some(position(range.end)))] }
    }
}

impl<T: TryInto<i64>> From<RangeInclusive<T>> for RecordSelection {
    fn from(range: RangeInclusive<T>) -> Self {
        let (start, end) = range.into_inner();
        let spans = match (position(start), position(end)) {
            (start, -1) => Span::Range(start, None),
            (start, end) => Span::Range(start, Some(end.saturating_add(1))),
        };
        Self { spans: vec![spans] }
    }
}

/// The record at this position; one below 0 counts from the end.
macro_rules! positions {
    ($($position:ty)*) => {
        $(
            impl From<$position> for RecordSelection {
                fn from(record: $position) -> Self {
                    Self { spans: vec![Span::One(position(record))] }
                }
            }
        )*
    };
}

positions!(i32 u32 i64 u64 usize);

/// The records at these positions, each once; an empty list selects none.
impl<T: TryInto<i64>> TryFrom<Vec<T>> for RecordSelection {
    type Error = Error;

    fn try_from(records: Vec<T>) -> Result<Self, Error> {
        let mut spans = records.into_iter().map(|record| Span::One(position(record))).collect();
        expect_once(&mut spans)?;
        Ok(Self { spans })
    }
}

impl<T: TryInto<i64>, const N: usize> TryFrom<[T; N]> for RecordSelection {
    type Error = Error;

    fn try_from(records: [T; N]) -> Result<Self, Error> {
        Vec::from(records).try_into()
    }
}

/// Converts a position to 63 bits. No file has more records.
fn position(record: impl TryInto<i64>) -> i64 {
    record.try_into().unwrap_or(i64::MAX)
}

impl TryFrom<&str> for RecordSelection {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl FromStr for RecordSelection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::of(text.split(','))?)
    }
}
