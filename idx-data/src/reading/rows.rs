//! The cells of some rows of a table, which decide the roles of its columns.

/// Rows of text cells, one after the other in one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The cells, each with a separating byte after it.
    text: String,
    /// The start of each row in `text`, and in `ends`.
    starts: Vec<(usize, usize)>,
    /// The end of each cell in its row, which has fewer than 2^32 bytes; there may be millions of columns.
    ends: Vec<u32>,
    /// The number of rows from the start of the table, if the others are from further below.
    from_start: Option<usize>,
}

impl Rows {
    pub(crate) fn push<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        let start = self.text.len();
        self.starts.push((start, self.ends.len()));
        for cell in cells {
            self.text.push_str(cell);
            self.ends.push(short(self.text.len() - start));
            self.text.push('\n');
        }
    }

    /// Appends the cells of a text, with one byte between them, as a row.
    #[cfg(feature = "csv")]
    pub(crate) fn push_text(&mut self, text: &str, ends: &[usize]) {
        self.starts.push((self.text.len(), self.ends.len()));
        self.text.push_str(text);
        self.text.push('\n');
        self.ends.extend(ends.iter().copied().map(short));
    }

    /// Marks that the rows appended from here on are from further below.
    #[cfg(feature = "csv")]
    pub(crate) fn jump(&mut self) {
        self.from_start = Some(self.len());
    }

    /// Returns whether a row is from the start of the table, so that its position is that of the record.
    pub(crate) fn is_from_start(&self, row: usize) -> bool {
        self.from_start.is_none_or(|count| row < count)
    }

    /// Returns the cells of a column in the rows from the start of the table.
    pub(crate) fn start_of_column(
        &self,
        column: usize,
    ) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.from_start.unwrap_or(self.len())).map(move |row| self.cell(row, column))
    }

    /// Returns the first row, and the ones below it.
    #[cfg(feature = "csv")]
    pub(crate) fn split_first(mut self) -> (Vec<String>, Self) {
        let first: Vec<String> = self.row(0).map(str::to_string).collect();
        self.starts.drain(..self.len().min(1));
        (first, self)
    }

    /// Returns the number of cells of the first row.
    pub(crate) fn width(&self) -> usize {
        self.row(0).len()
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
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

    /// Returns the cells of all rows from this one on.
    #[cfg(feature = "csv")]
    pub(crate) fn cells_from(&self, row: usize) -> impl Iterator<Item = &str> + Clone {
        (row..self.len()).flat_map(|row| self.row(row))
    }

    /// Returns the text from a row on, and the ends of its cells in it.
    fn text_and_ends(&self, row: usize) -> (&str, &[u32]) {
        let (text, first) = self.starts.get(row).copied().unwrap_or_default();
        let last = match row.checked_add(1).and_then(|next| self.starts.get(next)) {
            Some((_, next)) => *next,
            None if row < self.len() => self.ends.len(),
            None => first,
        };
        let ends = self.ends.get(first..last).unwrap_or_default();
        (self.text.get(text..).unwrap_or_default(), ends)
    }

    pub(crate) fn column(&self, column: usize) -> impl ExactSizeIterator<Item = &str> + Clone {
        (0..self.len()).map(move |row| self.cell(row, column))
    }
}

/// Returns the end of a cell in its row as it is stored: no row is longer.
fn short(end: usize) -> u32 {
    let end = u32::try_from(end);
    debug_assert!(end.is_ok(), "no row is as long");
    end.unwrap_or(u32::MAX)
}
