use std::ops::Range;

use idx_std::ElementType;

use crate::records::input::Input;
use crate::term::failure::Failure;

/// One integer for each record of another file.
pub(crate) struct Labels {
    input: Input,
    element_type: ElementType,
    /// The bytes of the label within its record.
    column: Range<usize>,
}

impl Labels {
    /// The labels of `count` records, in this column if there are several.
    pub(crate) fn new(input: Input, column: usize, count: u32) -> Result<Self, Failure> {
        let header = input.header();
        let element_type = header.element_type();
        if matches!(element_type, ElementType::F32 | ElementType::F64) {
            return Err(input.fail(format!(
                "labels are integers, and these are {element_type}; convert them first"
            )));
        }
        let columns = match (header.rank(), header.record_dims().get(0)) {
            (1, _) => 1,
            (2, Some(columns)) => columns,
            (rank, _) => {
                return Err(input.fail(format!(
                    "labels have 1 or 2 dimensions, and these have {rank}; name a file of labels"
                )));
            }
        };
        if u32::try_from(column).is_ok_and(|column| column >= columns) {
            return Err(input.fail(format!(
                "there is no column {column}; the labels have {columns}, counted from 0"
            )));
        }
        if header.record_count() != count {
            return Err(input.fail(format!(
                "there are {} labels for {count} records; name the labels of these records",
                header.record_count()
            )));
        }
        let size = element_type.size();
        Ok(Self {
            input,
            element_type,
            column: column * size..(column + 1) * size,
        })
    }

    /// The type of the labels in their file.
    pub(crate) fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// Goes forward to the label of a record.
    pub(crate) fn skip_to(&mut self, index: u64) -> Result<(), Failure> {
        self.input.skip_to(index)
    }

    /// The next label.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an integer of at most 32 bits"
    )]
    pub(crate) fn next_label(&mut self) -> Result<Option<i64>, Failure> {
        let Some(record) = self.input.next_record() else {
            return Ok(None);
        };
        let label = record?.get(self.column.clone());
        let label = label.and_then(|bytes| self.element_type.value(bytes));
        Ok(label.map(|label| label as i64))
    }

    /// That something is wrong with the file of labels.
    pub(crate) fn fail(&self, message: impl Into<String>) -> Failure {
        self.input.fail(message)
    }

    /// Reads the labels of these records and no others.
    pub(crate) fn select(&mut self, range: Range<u64>) -> Result<(), Failure> {
        self.input.select(range)
    }
}
