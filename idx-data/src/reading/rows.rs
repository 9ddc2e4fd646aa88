//! The cells of some rows of a table, by which their roles are decided.

/// Rows of text cells, all of one width, one after the other in one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// Each cell has a byte behind it.
    text: String,
    /// The start of each row in the text.
    starts: Vec<usize>,
    /// The end of each cell in its row, which has fewer than 2^32 bytes; there may be millions of columns.
    ends: Vec<u32>,
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
        let start = self.text.len();
        self.starts.push(start);
        self.ends.reserve(self.width);
        for cell in cells {
            self.text.push_str(cell);
            self.push_end(self.text.len() - start);
            self.text.push('\n');
        }
        debug_assert!(self.ends.len().is_multiple_of(self.width), "all rows have one width");
    }

    /// Appends a row with the same number of cells, which this byte separates.
    #[cfg(feature = "csv")]
    pub(crate) fn push_line(&mut self, line: &str, separator: u8) {
        self.starts.push(self.text.len());
        self.text.reserve(line.len() + 1);
        self.text.push_str(line);
        self.text.push('\n');
        self.ends.reserve(self.width);
        for (at, byte) in line.bytes().enumerate() {
            if byte == separator {
                self.push_end(at);
            }
        }
        self.push_end(line.len());
        debug_assert!(self.ends.len().is_multiple_of(self.width), "all rows have one width");
    }

    fn push_end(&mut self, end: usize) {
        let end = u32::try_from(end);
        debug_assert!(end.is_ok(), "no row is as long");
        self.ends.push(end.unwrap_or(u32::MAX));
    }

    /// Marks that the rows that are appended from here on are from further below.
    #[cfg(feature = "csv")]
    pub(crate) fn jump(&mut self) {
        self.start = Some(self.len());
    }

    /// Returns the cells of a column in the rows that follow each other.
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
        self.starts.extend(rows.starts.iter().map(|row| start + row));
        self.ends.extend_from_slice(&rows.ends);
    }

    /// Returns the first row, and the ones below it.
    #[cfg(feature = "csv")]
    pub(crate) fn split_first(mut self) -> (Vec<String>, Self) {
        let first: Vec<String> = self.row(0).map(str::to_string).collect();
        let start = self.starts.get(1).copied().unwrap_or(self.text.len());
        self.text.drain(..start);
        self.starts.drain(..self.starts.len().min(1));
        self.starts.iter_mut().for_each(|row| *row -= start);
        self.ends.drain(..self.width.min(self.ends.len()));
        (first, self)
    }

    /// Removes the last cells of the rows.
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

    /// Returns the cell of a row and a column; an empty one beyond the last.
    pub(crate) fn cell(&self, row: usize, column: usize) -> &str {
        let (text, ends) = self.text_and_ends(row);
        let start = column.checked_sub(1).and_then(|before| ends.get(before));
        let start = start.map_or(0, |end| *end as usize + 1);
        let end = ends.get(column).map_or(start, |end| *end as usize);
        text.get(start..end).unwrap_or_default()
    }

    pub(crate) fn row(&self, row: usize) -> impl ExactSizeIterator<Item = &str> + Clone {
        let (text, ends) = self.text_and_ends(row);
        let mut start = 0;
        ends.iter().map(move |end| {
            let cell = text.get(start..*end as usize);
            start = *end as usize + 1;
            cell.unwrap_or_default()
        })
    }

    /// Returns the text from a row on, and the ends of its cells in it.
    fn text_and_ends(&self, row: usize) -> (&str, &[u32]) {
        let start = self.starts.get(row).copied().unwrap_or(self.text.len());
        let first = row.saturating_mul(self.width);
        let ends = self.ends.get(first..first.saturating_add(self.width));
        (self.text.get(start..).unwrap_or_default(), ends.unwrap_or_default())
    }

    pub(crate) fn column(&self, column: usize) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(move |row| self.cell(row, column))
    }
}
