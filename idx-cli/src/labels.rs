use std::path::Path;

use idx_std::{ElementType, Error};

use crate::input::Input;

/// One integer for each record of another file.
pub(crate) struct Labels {
    input: Input,
    element_type: ElementType,
    /// The bytes of the label within its record.
    column: std::ops::Range<usize>,
}

impl Labels {
    /// Opens the labels of `count` records, and goes to the first one that is wanted.
    pub(crate) fn open(path: &Path, column: usize, count: u32, first: u64) -> Result<Self, String> {
        let input = Input::open(path).map_err(|error| error.message())?;
        Self::new(input, column, count, first)
    }

    pub(crate) fn new(
        mut input: Input,
        column: usize,
        count: u32,
        first: u64,
    ) -> Result<Self, String> {
        let header = input.header();
        let element_type = header.element_type();
        if matches!(element_type, ElementType::F32 | ElementType::F64) {
            return Err(format!(
                "labels are integers, and these are {element_type}; convert them first"
            ));
        }
        let columns = match (header.rank(), header.record_dims().get(0)) {
            (1, _) => 1,
            (2, Some(columns)) => columns,
            (rank, _) => {
                return Err(format!(
                    "labels have 1 or 2 dimensions, and these have {rank}; name a file of labels"
                ));
            }
        };
        if u32::try_from(column).is_ok_and(|column| column >= columns) {
            return Err(format!(
                "there is no column {column}; the labels have {columns}, counted from 0"
            ));
        }
        if header.record_count() != count {
            return Err(format!(
                "there are {} labels for {count} records; name the labels of these records",
                header.record_count()
            ));
        }
        let size = element_type.size();
        input.skip_to(first).map_err(|error| error.message())?;
        Ok(Self {
            input,
            element_type,
            column: column * size..(column + 1) * size,
        })
    }

    /// The next label; an exact integer.
    pub(crate) fn next(&mut self) -> Option<Result<f64, Error>> {
        match self.input.next_record()? {
            Ok(record) => {
                let bytes = record.get(self.column.clone())?;
                self.element_type.value(bytes).map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }
}
