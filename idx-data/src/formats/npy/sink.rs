//! Writes an npy file, and fills in the record count at the end.

use std::fs::File;
use std::path::Path;

use crate::error::{At, Error, ErrorKind};
use crate::formats::RecordSink;
use crate::formats::npy::header::{MAGIC, numpy_name};
use crate::record::{Record, RecordLayout};
use idx_std::__private::{FileLayout, RecordFile, Staged, wide};
use idx_std::{AtomicFile, ElementType};

/// The maximum number of dimensions that NumPy reads.
const NUMPY_DIMENSIONS: usize = 64;

/// NumPy starts the elements at a multiple of this.
const ALIGNMENT: usize = 64;

/// The number of digits that NumPy leaves room for, so that the first size can be changed in place.
const MAX_DIGITS: usize = 21;

/// Writes an array in C order, with the bytes of `numpy.save`, which are little-endian.
pub(crate) struct NpySink {
    pub(crate) element_type: ElementType,
    /// The sizes of all dimensions. The first is replaced by the record count.
    dims: Vec<u32>,
    file: RecordFile<File>,
}

impl NpySink {
    pub(crate) fn create(
        path: &Path,
        layout: &RecordLayout,
        create_new: bool,
    ) -> Result<Self, Error> {
        let element_type = layout.element_type().at(path)?;
        let file_layout = file_layout(element_type, layout).at(path)?;
        let target = AtomicFile::start(path, create_new).at(path)?;
        let file = RecordFile::create(target, &file_layout, None).at(path)?;
        Ok(Self { element_type, dims: layout.dims.clone(), file })
    }

    /// Starts an array in a file without a name, to be copied from there.
    pub(crate) fn in_file(file: File, layout: &RecordLayout) -> Result<Self, Error> {
        let element_type = layout.element_type()?;
        let file = RecordFile::start(file, &file_layout(element_type, layout)?, None)?;
        Ok(Self { element_type, dims: layout.dims.clone(), file })
    }

    /// Appends the numbers of whole records, at least one.
    pub(crate) fn push_bytes(&mut self, records: &[u8]) -> Result<(), Error> {
        let size = self.element_type.size();
        Ok(self.file.push_bytes(records, |bytes| wide::reverse_each(bytes, size))?)
    }

    /// Completes the array. A file without a name is then at its start.
    pub(crate) fn complete(self) -> Result<(File, Option<Staged>), Error> {
        let header = header(self.element_type, &self.dims, self.file.record_count());
        Ok(self.file.stage(&header)?)
    }
}

impl RecordSink for NpySink {
    fn push(&mut self, records: &Record, _: u64) -> Result<(), Error> {
        self.push_bytes(&records.bytes)
    }

    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error> {
        Ok(self.complete()?.1)
    }
}

fn file_layout(element_type: ElementType, layout: &RecordLayout) -> Result<FileLayout, ErrorKind> {
    let rank = layout.dims.len();
    if rank > NUMPY_DIMENSIONS {
        return Err(ErrorKind::unsupported(format!(
            "NumPy has at most {NUMPY_DIMENSIONS} dimensions, and this array has {rank}; write IDX, or merge some of them"
        )));
    }
    let too_large = || {
        let message = "a record has more bytes than 64 bits can count; give smaller sizes";
        ErrorKind::unsupported(message)
    };
    // Until it is finished, no reader must accept the file: NumPy would ignore bytes after the array.
    let mut header = header(element_type, &layout.dims, 0);
    if let Some(first) = header.first_mut() {
        *first = 0xFF;
    }
    Ok(FileLayout {
        header,
        record_size: layout.record_size().ok_or_else(too_large)?,
        max_records: if rank == 0 { 1 } else { u64::MAX },
    })
}

/// Returns the header as NumPy writes it: padded, and with room for any number of records, so that its length does not
/// depend on the number.
fn header(element_type: ElementType, dims: &[u32], record_count: u64) -> Vec<u8> {
    let order = if element_type.size() == 1 { '|' } else { '<' };
    let name = numpy_name(element_type.into());
    let count = record_count.to_string();
    let mut sizes: Vec<String> = dims.iter().map(u32::to_string).collect();
    let mut room = 0;
    if let Some(first) = sizes.first_mut() {
        room = MAX_DIGITS - count.len();
        *first = count;
    }
    let shape = match &sizes[..] {
        [size] => format!("({size},)"),
        sizes => format!("({})", sizes.join(", ")),
    };
    let text = format!(
        "{{'descr': '{order}{name}', 'fortran_order': False, 'shape': {shape}, }}{:room$}",
        ""
    );
    // Version 1, because its 16 bits for the length are enough for 64 dimensions.
    let start = MAGIC.len() + 4;
    // NumPy adds a whole block of spaces when no padding is needed.
    let length = ((start + text.len() + 1) / ALIGNMENT + 1) * ALIGNMENT - start;
    let mut header = [MAGIC, &[1, 0]].concat();
    header.extend(length.to_le_bytes().into_iter().take(2));
    header.extend(format!("{text:0$}\n", length - 1).into_bytes());
    header
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::OpenOptions;

    #[test]
    fn the_bytes_are_those_of_numpy() {
        for (element_type, dims, text) in [
            (ElementType::U8, &[][..], "{'descr': '|u1', 'fortran_order': False, 'shape': (), }"),
            (ElementType::I8, &[5], "{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }"),
            (
                ElementType::F32,
                &[5, 4],
                "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 4), }",
            ),
        ] {
            let start = b"\x93NUMPY\x01\0\x76\0";
            let padded = format!("{text:117}\n");
            assert_eq!(header(element_type, dims, 5), [start, padded.as_bytes()].concat());
        }
        // A header that would end at a multiple of 64 without padding.
        let dims = [&[5][..], &[1; 35]].concat();
        assert_eq!(header(ElementType::U8, &dims, 5).len(), 256);
    }

    #[test]
    fn an_unfinished_file_is_refused_and_has_the_length_of_a_finished_one() {
        for element_type in ElementType::ALL {
            for dimensions in 1..=NUMPY_DIMENSIONS {
                let mut dims = vec![u32::MAX; dimensions];
                let length = |dims: &[u32], count| header(element_type, dims, count).len();
                assert_eq!(length(&dims, 0) % ALIGNMENT, 0);
                assert_eq!(length(&dims, 0), length(&dims, u64::MAX));
                dims[1..].fill(1);
                let layout = RecordLayout::new(element_type, &dims);
                let unfinished = file_layout(element_type, &layout).unwrap().header;
                assert_eq!(unfinished.len(), length(&dims, u64::MAX));
                // NumPy refuses it too, although it ignores bytes after an array.
                assert!(!unfinished.starts_with(MAGIC));
                let stream = Box::new(Cursor::new(unfinished));
                OpenOptions::new().open_stream("a.npy", stream).map(drop).unwrap_err();
            }
        }
    }
}
