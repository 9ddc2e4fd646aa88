//! The cells of some rows of a table, by which their roles are decided.

/// Rows of text cells, all of one width, one after the other in one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    text: String,
    /// The end of each cell.
    ends: Vec<usize>,
    width: usize,
    /// The number of rows that follow each other; those after them are from further below.
    start: Option<usize>,
}

impl Rows {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Appends a row of as many cells as the width.
    pub(crate) fn push<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        for cell in cells {
            self.text.push_str(cell);
            self.ends.push(self.text.len());
        }
        debug_assert!(self.ends.len().is_multiple_of(self.width), "all rows have one width");
    }

    /// The rows that are appended from here on are from further below.
    #[cfg(feature = "csv")]
    pub(crate) fn jump(&mut self) {
        self.start = Some(self.len());
    }

    /// The cells of a column in the rows that follow each other.
    pub(crate) fn start_of_column(
        &self,
        column: usize,
    ) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.start.unwrap_or(self.len())).map(move |row| self.cell(row, column))
    }

    /// Appends rows of the same width.
    pub(crate) fn append(&mut self, rows: &Self) {
        let start = self.text.len();
        self.text += &rows.text;
        self.ends.extend(rows.ends.iter().map(|end| start + end));
    }

    /// The first row, and the ones below it.
    #[cfg(feature = "csv")]
    pub(crate) fn split_first(mut self) -> (Vec<String>, Self) {
        let first: Vec<String> = self.row(0).map(str::to_string).collect();
        let cells = self.width.min(self.ends.len());
        let start: usize = first.iter().map(String::len).sum();
        self.text.drain(..start);
        self.ends.drain(..cells);
        self.ends.iter_mut().for_each(|end| *end -= start);
        (first, self)
    }

    /// The same rows without their last cells, which are empty.
    #[cfg(feature = "csv")]
    pub(crate) fn without_last(mut self) -> Self {
        let (width, mut index) = (self.width, 0);
        self.ends.retain(|_| {
            index += 1;
            index % width != 0
        });
        self.width -= 1;
        self
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len().checked_div(self.width).unwrap_or_default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The cell of a row and a column; an empty one beyond the last.
    pub(crate) fn cell(&self, row: usize, column: usize) -> &str {
        let index = row * self.width + column;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let end = self.ends.get(index).copied().unwrap_or_default();
        self.text.get(start.unwrap_or_default()..end).unwrap_or_default()
    }

    pub(crate) fn row(
        &self,
        row: usize,
    ) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        (0..self.width).map(move |column| self.cell(row, column))
    }

    pub(crate) fn column(&self, column: usize) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(move |row| self.cell(row, column))
    }
}
