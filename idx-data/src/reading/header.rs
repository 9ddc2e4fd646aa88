//! Line 1 of a table: names of the columns, or a record.

use crate::answer::ReadingOption;
use std::collections::HashSet;

use crate::reading::cell::{
    are_distinct, counts_up, is_number, is_picture, is_word, kind, whole_number,
};
use crate::reading::question::Question;
use crate::reading::roles::Known;
use crate::reading::roles::names::{are_digits, is_element, is_label, is_title};
use crate::reading::rows::Rows;
use crate::reading::table::Table;
use crate::reading::text::Split;
use crate::reading::words::listed;
use crate::reading::{Evidence, Subject};
use idx_std::__private::counted;

/// The names of columns that are never values of a record, besides those of labels.
const NAMES: [&str; 7] = ["y", "name", "names", "filename", "file_name", "file", "id"];

/// The maximum number of columns whose names are compared with each other.
const MOST_MANGLED: usize = 1 << 16;

/// Decides whether line 1 names the columns.
pub(crate) fn names(split: &Split, rows: Rows, known: &Known<'_>) -> Result<Table, Question> {
    let lines = split.is_whole.then_some(rows.len() as u64);
    let line = LineOne { rows: &rows, is_short: split.is_first_short, known, lines };
    let is_header = if rows.is_empty() { Ok(false) } else { line.is_header() };
    // A comment may have as many words as there are columns by chance.
    let is_named =
        |names: &Vec<String>| is_header == Ok(false) || names.iter().any(|name| is_label(name));
    let names = split.names.clone().filter(is_named);
    let mut said = split.said.clone();
    let (subject, by) = (Subject::Records, Evidence::Content);
    let others = split.comments - usize::from(names.is_some());
    if others > 0 {
        let of = " of comments left out";
        let texts = [counted(others as u64, "line") + of, format!("lines{of}")];
        said.say_counted(subject, by, texts);
    }
    if names.is_some() {
        said.say(subject, by, format!("line {} (#) names the columns", split.above));
    }
    let has_header_line = names.is_none() && is_header?;
    if names.is_none() && !rows.is_empty() {
        said.options.push(ReadingOption::Header(has_header_line));
    }
    let (names, rows) = match has_header_line {
        true => {
            let (first, rows) = rows.split_first();
            (Some(first), rows)
        }
        false => (names, rows),
    };
    let is_whole = split.is_whole;
    Ok(Table { names, rows, is_whole, has_header_line, said, ..Table::default() })
}

/// Line 1 above the others.
struct LineOne<'a> {
    rows: &'a Rows,
    is_short: bool,
    known: &'a Known<'a>,
    /// The number of lines, if it is known.
    lines: Option<u64>,
}

impl<'a> LineOne<'a> {
    /// Returns its cells. There may be millions.
    fn cells(&self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        self.rows.row(0)
    }

    fn below(&self, column: usize) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        let rows = self.rows;
        (1..rows.len()).map(move |row| rows.cell(row, column))
    }

    /// Returns whether `is` is true of any cell and its column.
    fn has(&self, is: impl Fn(&str, usize) -> bool) -> bool {
        self.cells().enumerate().any(|(column, cell)| is(cell, column))
    }

    /// Returns the cells that are numbers.
    fn numbers(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.cells().filter(|cell| is_number(cell))
    }

    /// Returns whether its numbers count up, and are written as programs write the numbers of columns.
    fn counts_up(&self) -> bool {
        let is_plain = |cell: &str| whole_number(cell).is_some_and(|one| one.to_string() == *cell);
        counts_up(self.numbers()) && self.numbers().all(is_plain)
    }

    fn is_header(&self) -> Result<bool, Question> {
        let are_numbers = self.cells().all(is_number);
        if let Some(is_header) = self.known.header {
            let are_names =
                self.numbers_columns() || self.is_mangled() || self.is_short || self.rises_alone();
            return match is_header && are_numbers && !are_names {
                true => Err(Question::new(
                    "line 1 has only numbers, as a record has; write names above it, or read it as a record",
                )
                .or(ReadingOption::Header(false), "to read it as a record")),
                false => Ok(is_header),
            };
        }
        if self.is_short {
            return self.is_short_header();
        }
        // A single column may have labels that are names of pictures as well.
        let find = self.known.find.filter(|_| self.cells().len() > 1);
        let is_found = |cell: &str| find.is_some_and(|find| find(cell).is_ok());
        if self.cells().any(|cell| is_picture(cell) || is_found(cell)) {
            return Ok(false);
        }
        match are_numbers {
            true => self.is_header_of_numbers(),
            false => self.is_header_of_words(is_found),
        }
    }

    /// Returns whether a line with words names the columns.
    fn is_header_of_words(&self, is_found: impl Fn(&str) -> bool) -> Result<bool, Question> {
        let number_count = self.numbers().count();
        // In a list, a number next to a word may be the label of a picture that is missing.
        let is_first = self.known.find.is_none() && matches!(first_of(self.numbers()), Some(0 | 1));
        let are_names = self.counts_up() && (number_count > 1 || is_first);
        // An empty column needs no name.
        let has_empty = self.has(|cell, column| {
            column > 0 && cell.is_empty() && !self.below(column).all(str::is_empty)
        });
        if has_empty && number_count == 0 {
            return Err(self.ask("has no names for some columns, so it may be a title"));
        }
        let stands_out =
            || self.has(|cell, column| is_word(cell) && kind(self.below(column)).is_number());
        if has_empty || number_count > 0 && !are_names {
            // Numbers, such as wavelengths, may be names next to that of the labels.
            let is_new_title = |cell: &str, column| {
                is_title(cell) && !self.below(column).any(|below| below == cell)
            };
            return match stands_out() || self.has(is_new_title) {
                true => Err(self.ask("may name the columns or be a record")),
                false => Ok(false),
            };
        }
        let are_words = number_count == 0 && self.cells().len() > 1;
        let is_alone = self.rows.len() == 1 && are_words;
        if self.has_name() || self.rows.cell(0, 0).is_empty() || is_alone || stands_out() {
            return Ok(true);
        }
        let occurs_again = |cell: &str, column: usize| {
            is_word(cell) && self.below(column).any(|below| below == cell)
        };
        // Above the names of pictures, it would be the record of a missing one.
        let is_record = self.is_count(0) && !self.rows.cells_from(1).any(is_found);
        if self.has(occurs_again) || is_record {
            return Ok(false);
        }
        match self.is_count(1) || are_words && self.rows.cells_from(1).any(is_picture) {
            true => Ok(true),
            false => Err(self.ask("may name the columns or be a record")),
        }
    }

    /// Returns whether a line that lacks a cell names all columns but that of the row names, as R writes it.
    fn is_short_header(&self) -> Result<bool, Question> {
        let are_words = self.numbers().next().is_none();
        let is_comment = self.rows.cell(0, 1).starts_with('#');
        let are_names = are_words && !is_comment && are_distinct(self.below(0));
        if are_names && (counts_up(self.below(0)) || self.below(0).all(is_word)) {
            return Ok(true);
        }
        let width = self.cells().len();
        let question = Question::new(format!(
            "line 1 has {}, and those below have {width}; correct it, or remove it if it is not a record",
            counted(width as u64 - 1, "column")
        ));
        // This is how R writes the numbers of shuffled rows.
        Err(match are_names {
            true => question.or(ReadingOption::Header(true), "if column 0 has no name"),
            false => question,
        })
    }

    /// Returns whether a line of only numbers names the columns.
    fn is_header_of_numbers(&self) -> Result<bool, Question> {
        if self.is_mangled() {
            return Err(self.ask("may be a record that pandas took for names (5 and 5.1)"));
        }
        let may_be_names = self.numbers_columns() || self.rises_alone();
        if !may_be_names || self.is_count(0) {
            return Ok(false);
        }
        match self.is_count(1) {
            true => Ok(true),
            false => Err(self.ask("has only numbers that rise, so they may name the columns")),
        }
    }

    /// Returns whether the numbers rise from cell to cell, as wavelengths and times do, in this line and no other.
    fn rises_alone(&self) -> bool {
        // Fewer may rise by chance.
        const FEWEST: usize = 8;
        let rises = |row: usize| {
            let numbers = self.rows.row(row).map(|cell| cell.parse().unwrap_or(f64::NAN));
            numbers.clone().zip(numbers.skip(1)).all(|(one, next)| one < next)
        };
        let others = || (1..self.rows.len()).any(rises);
        self.cells().len() >= FEWEST && self.rows.len() > 1 && rises(0) && !others()
    }

    /// Returns whether a line of only numbers may have those of the columns: they count up, and are at least three, or
    /// from 0 or 1 on.
    fn numbers_columns(&self) -> bool {
        let is_from_start = match self.cells().len() {
            0 => false,
            1 => self.rows.cell(0, 0) == "0",
            2 => matches!(first_of(self.cells()), Some(0 | 1)),
            _ => true,
        };
        is_from_start && self.counts_up()
    }

    /// Returns whether the numbers are a record that pandas took for names: it counts equal ones, as in `5` and `5.1`,
    /// and the lines below have whole numbers.
    fn is_mangled(&self) -> bool {
        let counted = |cell: &'a str| {
            let (name, count) = cell.rsplit_once('.')?;
            are_digits(count).then_some(name)
        };
        if self.cells().len() > MOST_MANGLED || self.cells().filter_map(counted).next().is_none() {
            return false;
        }
        let known: HashSet<&str> = self.cells().collect();
        self.cells().filter_map(counted).any(|name| known.contains(name))
            && are_distinct(self.cells())
            && self.rows.cells_from(1).all(|cell| !cell.contains('.'))
    }

    /// Returns whether a cell is a known name that does not occur again in its column.
    fn has_name(&self) -> bool {
        self.has(|cell, column| {
            let is_name = || NAMES.iter().any(|name| cell.eq_ignore_ascii_case(name));
            (is_label(cell) || is_element(cell) || is_name())
                && !self.below(column).any(|below| below.eq_ignore_ascii_case(cell))
        })
    }

    /// Returns whether the lines, apart from this many with names, are as many as the records to which the table
    /// belongs.
    fn is_count(&self, names: u64) -> bool {
        self.known.count.is_some_and(|count| count.checked_add(names) == self.lines)
    }

    fn ask(&self, why: &str) -> Question {
        Question::new(format!("line 1 ({}) {why}", listed(self.cells(), 4)))
            .or(ReadingOption::Header(true), "if it names the columns")
            .or(ReadingOption::Header(false), "if it is a record")
    }
}

/// Returns the first number, if it is whole.
fn first_of<'a>(mut numbers: impl Iterator<Item = &'a str>) -> Option<i128> {
    numbers.next().and_then(whole_number)
}
