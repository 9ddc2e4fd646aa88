//! Columns that number or name the rows.

#[cfg(feature = "csv")]
use crate::answer::{Column, ReadingOption};
use crate::reading::Evidence;
use crate::reading::cell::{Kind, are_distinct, counts_up, whole_number};
use crate::reading::question::Question;
use crate::reading::roles::names::{is_element, is_group, is_nameless, is_row_number, says_part};
use crate::reading::roles::{Columns, Purpose, Role};
use crate::reading::skip::keeps_others;
#[cfg(feature = "csv")]
use crate::reading::spelling::shown;

impl Columns<'_> {
    /// Leaves out columns that number or name the rows.
    pub(super) fn leave_row_numbers(&mut self) -> Result<(), Question> {
        if keeps_others(self.known.skip) && self.is_for_records() || self.roles.len() < 2 {
            return Ok(());
        }
        for column in self.left() {
            let is_nameless = self.says(column, is_nameless);
            let is_numbered = is_nameless || self.says(column, is_row_number);
            if is_nameless && self.cells(column).all(str::is_empty) {
                self.leave_as(Role::Empty, column, Evidence::Content, "no values");
                continue;
            }
            let is_whole = matches!(self.kind(column), Kind::Whole | Kind::Empty);
            let is_read = self.named.contains(&column) || Some(column) == self.record;
            // An option says which columns are not values.
            let may_be_group = self.known.skip.is_none() && self.are_elements() && is_whole;
            let is_group = may_be_group && self.groups_rows(column);
            if is_read || !is_numbered && !is_group || !is_nameless && !is_whole {
                continue;
            }
            let has_key = self.roles.contains(&Some(Role::Key));
            if self.purpose == Purpose::Labels && (has_key || self.known.find.is_none()) {
                // If these numbers rise, the lines of labels are in the order of the records.
                let is_known = has_key || self.has_shuffled_key(column);
                self.give(column, if is_known { Role::LeftOut } else { Role::Key });
                continue;
            }
            let are_distinct = are_distinct(self.cells(column));
            // A single cell that does not count up is a missing value.
            let are_ids = is_numbered && are_distinct && self.cells(column).len() > 1;
            let is_name = is_nameless && self.kind(column) == Kind::Word && are_distinct;
            let may_count = is_numbered && counts_up(self.table.rows.start_of_column(column));
            if is_name {
                self.leave(column, Evidence::Name, "names of rows");
            } else if may_count && rise(self.cells(column)) {
                // Reading verifies one such column.
                let is_verified = self.is_for_records() && !self.has_row_number();
                let role = if is_verified { Role::RowNumber } else { Role::LeftOut };
                self.leave_as(role, column, Evidence::Name, "row numbers");
            } else if self.record.is_some() {
                self.leave(column, Evidence::Name, "no record");
            } else if is_group || is_nameless || are_ids || may_count {
                return Err(match self.is_for_records() {
                    true => self.ask_number(column),
                    false => self.or_label(self.ask_key(column), column),
                });
            }
        }
        Ok(())
    }

    fn has_row_number(&self) -> bool {
        self.roles.contains(&Some(Role::RowNumber))
    }

    /// Returns whether the name of a column of whole numbers says that it tells people or parts apart, and has no
    /// values.
    fn groups_rows(&self, column: usize) -> bool {
        let is_bit = |cell: &str| matches!(whole_number(cell), Some(0 | 1));
        self.says(column, is_group)
            || self.says(column, says_part) && self.cells(column).all(is_bit)
    }

    fn ask_number(&self, column: usize) -> Question {
        let called = self.called(column);
        let called = match self.name(column) {
            Some("") => format!("{called} has no name, and"),
            _ => called,
        };
        let sentence = format!("{called} may number or group the records, or be a value");
        self.or_label(self.or_values(Question::new(sentence), &[column]), column)
    }

    /// Adds the answers that columns are not values of the records, or are.
    pub(super) fn or_values(&self, question: Question, columns: &[usize]) -> Question {
        let question = question.or(self.without(columns), "if it is not a value");
        question.or(self.without_others(), "if it is a value")
    }

    /// Adds the answer that a column is the label, if no other is.
    fn or_label(&self, question: Question, column: usize) -> Question {
        match self.named.is_empty() && !self.has_labels() && !self.known.no_labels {
            true => question.or(self.as_label(column), "if it is the label"),
            false => question,
        }
    }

    /// Asks about a first column that counts up as row numbers do, or has a different number in each row.
    pub(super) fn expect_no_row_number(&self) -> Result<(), Question> {
        match self.may_begin_with_row_number() || self.tells_rows_apart() {
            true => Err(self.ask_number(0)),
            false => Ok(()),
        }
    }

    /// Returns whether the first column counts up, in at least 3 rows and columns, or before the names of pictures, as
    /// in CUB's `1 crow/1.png`.
    pub(super) fn may_begin_with_row_number(&self) -> bool {
        self.may_number_rows() && counts_up(self.table.rows.start_of_column(0))
    }

    /// Returns whether the first column has a different number in each row: in several rows if they rise, as times do,
    /// and in many rows if they are whole, as ids are. Without names of columns, a few ids are enough if they are
    /// larger than all values.
    fn tells_rows_apart(&self) -> bool {
        const SEVERAL: usize = 10;
        const MANY: usize = 100;
        let cells = || self.table.rows.start_of_column(0);
        let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
        let mut pairs = cells().map(number).zip(cells().skip(1).map(number));
        let mut rise = || pairs.all(|(one, next)| one < next);
        let count = cells().len();
        let are_ids = || {
            let may_be_ids = self.kind(0) == Kind::Whole && are_distinct(cells());
            may_be_ids && (count >= MANY || self.table.names.is_none() && self.are_largest())
        };
        self.may_number_rows() && (count >= SEVERAL && rise() || are_ids())
    }

    /// Returns whether each number of the first column is large, and larger than all others of the table.
    fn are_largest(&self) -> bool {
        const LARGE: f64 = 1000.0;
        let numbers =
            |column: usize| self.cells(column).filter_map(|cell| cell.parse::<f64>().ok());
        let least = numbers(0).fold(f64::INFINITY, f64::min);
        let others = (1..self.roles.len()).flat_map(numbers);
        least >= LARGE && others.fold(0.0, f64::max) < least
    }

    /// Returns whether the first column may number the rows, and no option says whether it does.
    fn may_number_rows(&self) -> bool {
        let is_left = self.roles.first() == Some(&None) && !self.says(0, is_element);
        let is_wide = self.roles.len() > 2 || self.roles.contains(&Some(Role::Key));
        self.known.skip.is_none() && is_left && self.table.rows.len() > 2 && is_wide
    }
}

/// Returns whether these are whole numbers, each larger than the one before.
fn rise<'a>(mut cells: impl Iterator<Item = &'a str>) -> bool {
    let mut before = None;
    cells.all(|cell| {
        let number = whole_number(cell);
        number.is_some() && before.replace(number).is_none_or(|before| before < number)
    })
}

/// Asks about a cell that is not a number above the one before, in a column of row numbers.
#[cfg(feature = "csv")]
pub(crate) fn ask_row_number(column: Column, cell: &str) -> Question {
    let called = match &column {
        Column::Index(_) => column.to_string(),
        Column::Name(name) => format!("`{}`", shown(name)),
    };
    let found = if cell.is_empty() { "nothing".into() } else { shown(cell) };
    let sentence =
        format!("{called} numbers the records before, and has {found} here; correct the line");
    Question::new(sentence)
        .or(ReadingOption::Skip(vec![column]), "if it is not a value")
        .or(ReadingOption::SkipNone, "if it is a value")
}
