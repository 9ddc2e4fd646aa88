//! Reads an array in C or Fortran order as records.

use std::mem::take;
use std::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::formats::bytes::Bytes;
use crate::formats::npy::header::NpyHeader;
use crate::record::axes::gather;
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource};
use idx_std::__private::{RecordStream, Source as FileBytes, wide};

/// A NumPy array, plain or gzip.
///
/// An array in C order is read in constant memory. One in Fortran order is read whole, because its records are
/// scattered over the file. A truncated file yields its complete records, then one error.
pub(crate) struct NpySource {
    header: NpyHeader,
    facts: Facts,
    /// The records or, in Fortran order, the whole array as one record.
    stream: RecordStream<Bytes>,
    /// For an array in Fortran order: the index of the next record, and where the array is once it has been read.
    scattered: Option<(u64, Option<Range<usize>>)>,
}

/// A function that returns the next bytes of a stream.
type Next = fn(&mut RecordStream<Bytes>) -> Option<Result<&[u8], idx_std::Error>>;

impl NpySource {
    /// Reads the header of a file or stream.
    pub(crate) fn new(bytes: Bytes, options: &OpenOptions) -> Result<Self, ErrorKind> {
        let mut source = FileBytes::seekable(bytes)?;
        let (header, start) = NpyHeader::read(&mut source)?;
        let count = header.record_count();
        let payload_size = header.payload_size()?;
        let stored = header.layout()?;
        // Only an empty array can have records too large for 64 bits.
        let record_size = stored.record_size().unwrap_or(0);
        let is_scattered = header.fortran_order && header.shape.len() > 1 && payload_size > 0;
        let limit = options.record_limit;
        let stream = match is_scattered {
            false => RecordStream::new(source, start, record_size, count, payload_size),
            // A plain file has the bytes that it claims, so only the size of its records is limited.
            true if payload_size > limit && !source.can_seek() => {
                let message = format!(
                    "in Fortran order all {payload_size} bytes must be in memory, and the limit is {limit}; use `numpy.ascontiguousarray`"
                );
                return Err(ErrorKind::over_limit(message));
            }
            true => RecordStream::new(source, start, payload_size, 1, payload_size),
        };
        let layout = RecordLayout { dtype: stored.dtype.read_as(), ..stored };
        Ok(Self {
            facts: Facts::new(layout, Some(count)),
            header,
            stream,
            scattered: is_scattered.then_some((0, None)),
        })
    }

    /// Reads what `next` returns from an array in C order, or one record of an array in Fortran order.
    fn read_with(&mut self, record: &mut Record, next: Next) -> Result<bool, Error> {
        record.bytes.clear();
        let is_read = self.append_next(&mut record.bytes, next)?;
        let dtype = self.header.dtype;
        if !self.header.big_endian {
            wide::reverse_each(&mut record.bytes, dtype.size());
        }
        record.bytes = dtype.read(take(&mut record.bytes));
        Ok(is_read)
    }

    /// Appends numbers in C order, in the byte order of the file.
    fn append_next(&mut self, numbers: &mut Vec<u8>, next: Next) -> Result<bool, idx_std::Error> {
        // After an error, too, the stream has ended.
        let Some((index, array)) = self.scattered.take() else {
            let bytes = next(&mut self.stream).transpose()?;
            numbers.extend_from_slice(bytes.unwrap_or_default());
            return Ok(bytes.is_some());
        };
        let array = match array {
            Some(array) => array,
            None => {
                let range = self.stream.next_range().transpose();
                range.map_err(|error| error.with_records(0))?.unwrap_or_default()
            }
        };
        if index == self.header.record_count() {
            let end = self.stream.next_range().transpose();
            end.map_err(|error| error.with_records(index))?;
            return Ok(false);
        }
        let size = self.header.dtype.size();
        // The size of each dimension, and its stride in bytes.
        let dimensions = self.header.shape.iter().scan(size, |stride, length| {
            let length = usize::try_from(*length).ok()?;
            let dimension = (length, *stride);
            *stride *= length;
            Some(dimension)
        });
        let dimensions: Vec<_> = dimensions.skip(1).collect();
        let start = usize::try_from(index).map_or(0, |index| index * size);
        let first = self.stream.bytes(array.clone()).get(start..).unwrap_or_default();
        gather(&dimensions, first, size, numbers);
        self.scattered = Some((index + 1, Some(array)));
        Ok(true)
    }
}

impl RecordSource for NpySource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let count = self.header.record_count();
        if let Some((next, _)) = &mut self.scattered {
            let skipped = records.min(count - *next);
            *next += skipped;
            return Ok(skipped);
        }
        Ok(self.stream.skip(records)?)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        self.read_with(record, RecordStream::next_record)
    }

    fn read_many(&mut self, records: &mut Record) -> Result<bool, Error> {
        self.read_with(records, RecordStream::next_records)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;

    use idx_std::ElementType;

    use super::*;
    use crate::Source;
    use crate::formats::npy::file;
    use crate::record::value::DType;

    fn records(mut source: Source) -> Vec<u8> {
        let (mut record, mut records) = (Record::default(), Vec::new());
        while source.read(&mut record).unwrap() {
            records.extend(&record.bytes);
        }
        records
    }

    #[test]
    fn f16_reads_as_f32() {
        let table: [(u16, f32); 11] = [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03FF, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3C00, 1.0),
            (0xC001, -2.001_953_1),
            (0x7BFF, 65504.0),
            (0x7C00, f32::INFINITY),
            (0xFC00, f32::NEG_INFINITY),
            (0x3555, 0.333_251_95),
        ];
        let halves: Vec<u8> = table.iter().flat_map(|(half, _)| half.to_le_bytes()).collect();
        let file = file("<f2", false, &[11], &halves);
        let source = OpenOptions::new().open_stream("-", Box::new(Cursor::new(file)));
        let source = source.unwrap();
        assert_eq!(source.facts().layout.dtype, DType::from(ElementType::F32));
        let expected: Vec<u8> = table.iter().flat_map(|(_, number)| number.to_be_bytes()).collect();
        assert_eq!(records(source), expected);
    }

    /// Selects scattered records.
    #[test]
    fn records_of_fortran_order_are_selected() {
        let file = file("|u1", true, &[4, 2], &[0, 2, 4, 6, 1, 3, 5, 7]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        fs::write(&path, &file).unwrap();
        let options = OpenOptions::new().record_limit(7u64);
        for (range, expected) in
            [(0..4, &[0, 1, 2, 3, 4, 5, 6, 7][..]), (2..4, &[4, 5, 6, 7]), (1..2, &[2, 3])]
        {
            let source = options.open(&path).unwrap();
            let source = source.select(range).unwrap();
            assert_eq!(records(source), expected);
        }
        // In a stream all bytes count, and the message says why.
        let error = options.open_stream("-", Box::new(Cursor::new(file))).unwrap_err();
        let message = "in Fortran order all 8 bytes must be in memory, and the limit is 7";
        assert!(error.to_string().contains(message), "{error}");
    }
}
