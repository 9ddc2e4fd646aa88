use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{At, Error, ErrorKind};
use crate::npy::{Reader, Writer};
use crate::options::OpenOptions;
use crate::record::{Record, RecordFacts, RecordLayout, RecordSink, RecordSource};
use idx_std::__private::Staged;

/// An array of NumPy.
pub(crate) struct NpySource<R: Read> {
    reader: Reader<R>,
    path: PathBuf,
    facts: RecordFacts,
}

impl NpySource<File> {
    pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Self, Error> {
        Self::new(path, Reader::open(path)?, options)
    }
}

impl NpySource<Box<dyn Read + Send>> {
    /// The same for a stream; the path is for messages.
    pub(crate) fn of_stream(
        path: &Path,
        read: Box<dyn Read + Send>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        Self::new(path, Reader::new(read).at(path)?, options)
    }
}

impl<R: Read> NpySource<R> {
    fn new(path: &Path, reader: Reader<R>, options: &OpenOptions) -> Result<Self, Error> {
        let reader = reader.record_limit(options.record_limit).at(path)?;
        let header = reader.header();
        let sizes = header.record_shape().iter().copied().map(u32::try_from);
        let shape: Vec<u32> = sizes.collect::<Result<_, _>>().map_err(|_| {
            let message = "a size of the records exceeds the 32 bits of IDX; split the array";
            Error::from(ErrorKind::unsupported(message)).with_path(path)
        })?;
        let dtype = header.dtype.read_as();
        let layout = match header.shape.first() {
            Some(count) => RecordLayout::of_records(dtype, Some(*count), &shape),
            None => RecordLayout::new(dtype, &[]),
        };
        Ok(Self {
            facts: RecordFacts::new(layout, Some(header.record_count())),
            path: path.to_path_buf(),
            reader,
        })
    }
}

impl<R: Read + Send> RecordSource for NpySource<R> {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.reader.skip(records).at(&self.path)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let from = self.reader.header().dtype;
        let Some(bytes) = self.reader.next_record().transpose().at(&self.path)? else {
            return Ok(false);
        };
        match self.facts.layout.dtype.element_type().filter(|to| from != (*to).into()) {
            None => record.set_bytes(bytes),
            Some(to) => {
                record.bytes.clear();
                from.convert(bytes, to, &mut record.bytes).at(&self.path)?;
            }
        }
        Ok(true)
    }
}

impl RecordSink for Writer {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.push_bytes(&record.bytes)
    }

    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error> {
        Self::stage(*self)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Cursor;

    use idx_std::ElementType;

    use super::*;
    use crate::Source;
    use crate::npy::{DType, Header};

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
        let mut header = Header::new(ElementType::U8, vec![11]);
        header.dtype = DType::F16;
        let mut file = header.to_bytes();
        file.extend(table.iter().flat_map(|(half, _)| half.to_le_bytes()));
        let source = OpenOptions::new().open_stream("-", Box::new(Cursor::new(file)));
        let source = source.unwrap();
        assert_eq!(source.layout().dtype, DType::from(ElementType::F32));
        let expected: Vec<u8> = table.iter().flat_map(|(_, number)| number.to_be_bytes()).collect();
        assert_eq!(records(source), expected);
    }

    /// No test skipped records of an array in Fortran order.
    #[test]
    fn records_of_fortran_order_are_selected() {
        let mut header = Header::new(ElementType::U8, vec![4, 2]);
        header.fortran_order = true;
        let mut file = header.to_bytes();
        file.extend([0, 2, 4, 6, 1, 3, 5, 7]);
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
        // Of a stream all bytes count, and the message says why.
        let error = options.open_stream("-", Box::new(Cursor::new(file))).unwrap_err();
        let message = "the array is in Fortran order, so that all of its 8 bytes are needed at a time, and the limit is 7";
        assert!(error.to_string().contains(message), "{error}");
    }
}
