//! Records that are not images: their numbers in aligned columns.

use idx_data::Record;
use idx_std::ElementType;

use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::report::value_text;
use crate::term::text::{columns, filled};

/// The maximum number of numbers aligned with each other, so that memory does not grow with the file.
const BLOCK: usize = 1 << 12;

/// The maximum number of a record's numbers to show.
const MAX_NUMBERS: usize = 100;

/// Records that are not images: a line for each with its number, its label if it has one, and its numbers.
#[derive(Default)]
pub(crate) struct Table {
    lines: Vec<Vec<String>>,
    cells: usize,
    has_labels: bool,
}

impl Table {
    pub(crate) fn push(
        &mut self,
        record: &Record,
        label: Option<String>,
        element_type: ElementType,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let elements = record.bytes.chunks_exact(element_type.size());
        let more = elements.len().saturating_sub(MAX_NUMBERS);
        let values = elements.take(MAX_NUMBERS).filter_map(|bytes| element_type.value(bytes));
        let numbers = values.map(|value| value_text(element_type, value));
        let more = (more > 0).then(|| format!("... and {more} more"));
        self.has_labels = label.is_some();
        let index = Some(format!("{}:", record.index));
        let line: Vec<String> = index.into_iter().chain(label).chain(numbers).chain(more).collect();
        self.cells += line.len();
        self.lines.push(line);
        if self.cells >= BLOCK {
            self.print(console)?;
        }
        Ok(())
    }

    pub(crate) fn print(&mut self, console: &mut Console) -> Result<(), Failure> {
        let count = self.lines.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| columns(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..count).map(width).collect();
        for line in self.lines.drain(..) {
            let cells = line.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, width))| match column {
                1 if self.has_labels => filled(cell, *width),
                _ => format!("{cell:>width$}"),
            });
            writeln!(console, "{}", cells.collect::<Vec<_>>().join(" ").trim_end())?;
        }
        self.cells = 0;
        Ok(())
    }
}
