//! Line 1 of a table: names of the columns, or a record.

use crate::answer::ReadingOption;
use std::collections::HashSet;

use crate::reading::cell::{
    are_distinct, counts_up, is_number, is_picture, is_word, kind, whole_number,
};
use crate::reading::question::Question;
use crate::reading::roles::Known;
use crate::reading::roles::names::{is_element, is_label};
use crate::reading::rows::Rows;
use crate::reading::spelling::shown;
use crate::reading::table::Table;
use crate::reading::text::Split;
use crate::reading::{Evidence, Statement, Subject};
use idx_std::__private::counted;

/// The names of columns that are never values of a record, beside the names of labels.
const NAMES: [&str; 7] = ["y", "name", "names", "filename", "file_name", "file", "id"];

/// The maximum number of columns whose names are compared with each other.
const MOST_MANGLED: usize = 1 << 16;

/// Decides whether line 1 names the columns.
pub(crate) fn names(split: &Split, rows: Rows, known: &Known<'_>) -> Result<Table, Question> {
    let line = LineOne::new(&rows, split, known);
    let is_header = if rows.is_empty() { Ok(false) } else { line.is_header() };
    // A list may have as many words as columns by chance.
    let is_named =
        |names: &&Vec<String>| is_header == Ok(false) || names.iter().any(|name| is_label(name));
    let names = split.names.as_ref().filter(is_named);
    let mut statements = split.statements.clone();
    let mut say = |text| statements.push(Statement::new(Subject::Records, Evidence::Content, text));
    let others = split.comments - usize::from(names.is_some());
    if others > 0 {
        say(format!("{} of comments left out", counted(others as u64, "line")));
    }
    if names.is_some() {
        say(format!("line {} (#) names the columns", split.comments));
    }
    let table = Table { is_whole: split.is_whole, statements, ..Table::default() };
    if let Some(names) = names {
        return Ok(Table { names: Some(names.clone()), rows, ..table });
    }
    if known.header.is_none() {
        line.expect_once()?;
    }
    let is_header = is_header?;
    if rows.is_empty() {
        return Ok(Table { rows, ..table });
    }
    let options = vec![ReadingOption::Header(is_header)];
    Ok(match is_header {
        true => {
            let (names, rows) = rows.split_first();
            Table { names: Some(names), rows, has_header_line: true, options, ..table }
        }
        false => Table { rows, options, ..table },
    })
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
    fn new(rows: &'a Rows, split: &Split, known: &'a Known<'_>) -> Self {
        let lines = split.is_whole.then_some(rows.len() as u64);
        Self { rows, is_short: split.is_first_short, known, lines }
    }

    /// Returns its cells, of which there may be millions.
    fn cells(&self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        self.rows.row(0)
    }

    fn is_header(&self) -> Result<bool, Question> {
        let numbers = || self.cells().filter(|cell| is_number(cell));
        let number_count = numbers().count();
        let are_numbers = number_count == self.cells().len();
        // Written as programs write the numbers of columns.
        let is_plain =
            |cell: &&str| whole_number(cell).is_some_and(|number| number.to_string() == **cell);
        let counts = counts_up(numbers()) && numbers().all(|cell| is_plain(&cell));
        if let Some(is_header) = self.known.header {
            let are_names = counts && self.is_from_start() || self.is_mangled() || self.is_short;
            return match is_header && are_numbers && !are_names {
                true => Err(Question::new(
                    "line 1 has only numbers, as a record has; write names above it, or read it as a record",
                )
                .or(ReadingOption::Header(false), "to read it as a record")),
                false => Ok(is_header),
            };
        }
        if self.is_short {
            return self.is_short_header(number_count == 0);
        }
        // The only column may have labels that are names of pictures as well.
        let find = self.known.find.filter(|_| self.cells().len() > 1);
        let names_picture =
            |cell: &&str| is_picture(cell) || find.is_some_and(|find| find(cell).is_some());
        if self.cells().any(|cell| names_picture(&cell)) {
            return Ok(false);
        }
        if are_numbers {
            return self.are_counted(counts);
        }
        let from = numbers().next().and_then(whole_number);
        // In a list, a number beside a word may be the label of a picture that is missing.
        let is_first = self.known.find.is_none() && matches!(from, Some(0 | 1));
        let are_counted = counts && (number_count > 1 || is_first);
        // An empty column has no name either.
        let is_empty = |column| self.rows.column(column).all(str::is_empty);
        let has_empty = self
            .cells()
            .enumerate()
            .skip(1)
            .any(|(column, cell)| cell.is_empty() && !is_empty(column));
        let mut cells = self.cells();
        if has_empty && cells.next().is_some_and(is_word) && cells.all(str::is_empty) {
            let title = shown(self.cells().next().unwrap_or_default());
            return Err(Question::new(format!(
                "line 1 has {title}, and no other cell; remove it if it is a title, or add the cells"
            )));
        }
        if has_empty || number_count > 0 && !are_counted {
            let has_missing = self.cells().any(|cell| !is_number(cell) && !is_word(cell));
            return match !has_missing && self.stands_out() {
                true => Err(self.ask("has words where the lines below have numbers")),
                false => Ok(false),
            };
        }
        let is_first_empty = self.cells().next().is_some_and(str::is_empty);
        let has_body = self.rows.len() > 1;
        let is_alone = !has_body && self.cells().len() > 1 && number_count == 0;
        if self.has_name() || is_first_empty || is_alone || self.stands_out() {
            return Ok(true);
        }
        let mut below = (1..self.rows.len()).flat_map(|row| self.rows.row(row));
        // It would be the record of a missing picture.
        let are_named = find.is_some_and(|find| below.clone().any(|cell| find(cell).is_some()));
        if self.occurs_again() || self.is_count(0) && !are_named {
            return Ok(false);
        }
        let mut has_pictures =
            || number_count == 0 && self.cells().len() > 1 && below.any(is_picture);
        match self.is_count(1) || has_pictures() {
            true => Ok(true),
            false => Err(self.ask("may name the columns or be a record")),
        }
    }

    /// Returns whether a line that lacks a cell names the columns beside the names of the rows, as R writes it.
    fn is_short_header(&self, are_words: bool) -> Result<bool, Question> {
        let below = || self.rows.column(0).skip(1);
        let are_names = || below().all(is_word) && are_distinct(below());
        match are_words && (counts_up(below()) || are_names()) {
            true => Ok(true),
            false => {
                let width = self.cells().len();
                Err(Question::new(format!(
                    "line 1 has {}, and those below have {width}; correct it, or remove it if it is no record",
                    counted(width as u64 - 1, "column")
                )))
            }
        }
    }

    /// Returns whether a line of numbers alone names the columns.
    fn are_counted(&self, counts: bool) -> Result<bool, Question> {
        if self.is_mangled() {
            return Err(self.ask("may be a record that pandas took for names (5 and 5.1)"));
        }
        if !counts || !self.is_from_start() || self.is_count(0) {
            return Ok(false);
        }
        match self.is_count(1) {
            true => Ok(true),
            false => Err(self.ask("has only numbers that count up")),
        }
    }

    /// Returns whether numbers that count up may be those of columns: three, or from 0 or 1 on.
    fn is_from_start(&self) -> bool {
        let first = self.cells().next();
        match self.cells().len() {
            0 => false,
            1 => first == Some("0"),
            2 => matches!(first.and_then(whole_number), Some(0 | 1)),
            _ => true,
        }
    }

    /// Returns whether the numbers are those of a record that pandas took for names: it counts equal ones, as in `5`
    /// and `5.1`, and the lines below have whole numbers.
    fn is_mangled(&self) -> bool {
        let counted = |cell: &'a str| {
            let (name, count) = cell.rsplit_once('.')?;
            let is_counted = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
            is_counted.then_some(name)
        };
        if self.cells().len() > MOST_MANGLED || self.cells().filter_map(counted).next().is_none() {
            return false;
        }
        let known: HashSet<&str> = self.cells().collect();
        self.cells().filter_map(counted).any(|name| known.contains(name))
            && are_distinct(self.cells())
            && (1..self.rows.len())
                .flat_map(|row| self.rows.row(row))
                .all(|cell| !cell.contains('.'))
    }

    /// Returns whether a cell is a name that its column does not have.
    fn has_name(&self) -> bool {
        self.cells().enumerate().any(|(column, cell)| {
            let is_name = || NAMES.iter().any(|name| cell.eq_ignore_ascii_case(name));
            (is_label(cell) || is_element(cell) || is_name())
                && !self.rows.column(column).skip(1).any(|below| below.eq_ignore_ascii_case(cell))
        })
    }

    /// Checks that the names do not stand again below, above numbers, as in tables that were put together.
    fn expect_once(&self) -> Result<(), Question> {
        let is_same = |row: &usize| self.rows.row(*row).eq(self.cells());
        let rows = || 1..self.rows.len();
        if self.cells().len() < 2 || !self.cells().all(is_word) {
            return Ok(());
        }
        let Some(again) = rows().find(is_same) else {
            return Ok(());
        };
        let others =
            |column| rows().filter(|row| !is_same(row)).map(move |row| self.rows.cell(row, column));
        match (0..self.rows.width()).any(|column| kind(others(column)).is_number()) {
            true => Err(Question::new(format!(
                "line 1 has the names of the columns, and record {} has them again; remove that line",
                again - 1
            ))),
            false => Ok(()),
        }
    }

    /// Returns whether a word stands above numbers.
    fn stands_out(&self) -> bool {
        self.cells().enumerate().any(|(column, cell)| {
            is_word(cell) && kind(self.rows.column(column).skip(1)).is_number()
        })
    }

    /// Returns whether a word occurs again below.
    fn occurs_again(&self) -> bool {
        self.cells().enumerate().any(|(column, cell)| {
            is_word(cell) && self.rows.column(column).skip(1).any(|below| below == cell)
        })
    }

    /// Returns whether the lines, except for these, are as many as the records to which the table belongs.
    fn is_count(&self, names: u64) -> bool {
        self.known.count.is_some_and(|count| count.checked_add(names) == self.lines)
    }

    fn ask(&self, why: &str) -> Question {
        const SHOWN: usize = 4;
        let cells: Vec<_> = self.cells().take(SHOWN).map(|cell| shown(cell)).collect();
        let more = if self.cells().len() > SHOWN { ", .." } else { "" };
        Question::new(format!("line 1 ({}{more}) {why}", cells.join(", ")))
            .or(ReadingOption::Header(true), "if it names the columns")
            .or(ReadingOption::Header(false), "if it is a record")
    }
}
