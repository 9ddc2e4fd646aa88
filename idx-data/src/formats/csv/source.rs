//! Reads lines of numbers as records, with labels from a column.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use idx_std::ElementType;

use crate::answer::{Column, ReadingOption};
use crate::error::{Error, ErrorKind, Position};
use crate::formats::csv::digits::{Digits, RecordsAhead};
use crate::formats::csv::number::{append_number, parse_label};
use crate::formats::csv::plan::Plan;
use crate::names::class_names::{ClassNames, Texts};
use crate::reading::Reading;
use crate::reading::cell::{bit, whole_number, with_point};
use crate::reading::lines::Lines;
use crate::reading::question::Question;
use crate::reading::roles::Role;
use crate::reading::roles::key::ask_order;
use crate::reading::roles::label::ask_other_label;
use crate::reading::roles::row_numbers::ask_row_number;
use crate::reading::spelling::shown;
use crate::record::label::{not_one_hot, place_of_one};
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource, column_names};
use idx_std::__private::counted;

/// Lines of numbers, with commas, tabs, semicolons, bars or spaces between them.
pub(crate) struct CsvSource {
    lines: Lines<'static>,
    facts: Facts,
    digits: Digits,
    /// The number of numbers in each cell, if a record is one column of cells with several numbers.
    in_cell: Option<usize>,
    /// True if numbers have a decimal comma.
    has_decimal_commas: bool,
    /// The columns that have the words True and False for 1 and 0.
    bits: Vec<usize>,
    /// True if labels are one-hot: one of their columns has a 1.
    are_one_hot: bool,
    next: u64,
    /// The number in the line before, if lines are numbered.
    number: Option<i128>,
    /// The column of these numbers.
    number_column: Option<Column>,
    /// The label of each class name.
    labels: HashMap<String, i128>,
    ahead: RecordsAhead,
}

impl CsvSource {
    /// Opens the records of a text, following the plan.
    pub(super) fn new(
        path: &Path,
        text: Box<dyn BufRead + Send>,
        plan: &Plan,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let mut lines =
            Lines::new(text, plan.split.separator, plan.split.above, options.record_limit)?;
        if plan.has_header_line {
            lines.next()?;
            plan.check_names(path)?;
        }
        if plan.has_no_records() {
            // A quote that is not closed is an error.
            lines.next()?;
        }
        let element_type = match options.are_labels() {
            true => ElementType::F64, // csv does not state the type of labels
            false => options.element_type,
        };
        let has_labels = options.are_labels() || options.labels;
        let has_labels = has_labels && plan.has_labels(options);
        let layout = RecordLayout::of_records(element_type, None, &plan.shape(options)?);
        let columns = plan.names_of(Role::Element).and_then(column_names);
        let reading = Reading::of(path, plan.said(&layout));
        let classes = plan.one_hot_names()?.filter(|_| has_labels);
        let have_names = classes.is_some();
        let facts = Facts::new(layout, plan.count);
        let keys = Arc::clone(&plan.keys);
        let facts = Facts { has_labels, columns, classes, have_names, reading, keys, ..facts };
        Ok(Self {
            lines,
            facts,
            digits: Digits {
                columns: plan.columns(has_labels),
                element_type,
                has_number_labels: !plan.roles.one_hot,
                separator: plan.split.separator,
            },
            in_cell: plan.in_cell,
            has_decimal_commas: plan.split.decimal_commas,
            bits: plan.roles.bits.clone(),
            are_one_hot: plan.roles.one_hot,
            next: 0,
            number: None,
            number_column: plan.number_column(),
            labels: HashMap::new(),
            ahead: RecordsAhead::new(options.threads),
        })
    }

    /// Returns the same table with these class names. If `are_words`, its labels are the names.
    pub(super) fn with_names(mut self, classes: ClassNames, are_words: bool) -> Self {
        if are_words {
            self.labels = classes.labels_by_name();
            self.digits.has_number_labels = self.labels.is_empty();
            self.facts.have_names = true;
        }
        self.facts.reading.count_names(classes.iter().count());
        self.facts.classes = Some(classes);
        self
    }

    /// Reads the class names in all lines: labels that are words, numbered in the order of their bytes, or the names
    /// next to labels that are numbers.
    pub(super) fn into_names(mut self, are_words: bool) -> Result<ClassNames, Error> {
        let place = |role| self.digits.columns.iter().position(|own| *own == role);
        let (label, name) = (place(Role::Label), place(Role::ClassName));
        let mut words = Texts::default();
        let mut names = ClassNames::default();
        while self.lines.next()? {
            let cell = |column: Option<usize>| {
                let text = column.and_then(|column| self.lines.fields().nth(column));
                String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
            };
            let (text, name) = (cell(label), cell(name));
            // A line without a label is an error when it is read.
            let inserted = match are_words {
                _ if text.is_empty() => Ok(()),
                true => words.insert(&text),
                false => self
                    .number_label(&text, ErrorKind::malformed)
                    .and_then(|label| names.insert(label, &name)),
            };
            inserted.map_err(|error| error.at_position(self.position(label)))?;
            self.next += 1;
        }
        if are_words { ClassNames::new(words.texts) } else { names.checked() }
    }

    fn position(&self, column: Option<usize>) -> Position {
        Position { record: self.next, line: Some(self.lines.line()), column }
    }

    fn label(&self, text: &str) -> Result<i128, ErrorKind> {
        match self.labels.get(text) {
            Some(label) => Ok(*label),
            None if text.is_empty() => {
                Err(ErrorKind::malformed("there is no label; add it, or remove the line"))
            }
            None => self.number_label(text, |sentence| {
                ErrorKind::malformed(format!(
                    "{sentence}, as the labels before are; correct the line, or move it to the top if labels are words"
                ))
            }),
        }
    }

    /// Parses a label that is a number.
    fn number_label(
        &self,
        text: &str,
        not_number: impl Fn(String) -> ErrorKind,
    ) -> Result<i128, ErrorKind> {
        let with_point = if self.has_decimal_commas { with_point(text) } else { None };
        parse_label(with_point.as_deref().unwrap_or(text), not_number)
    }

    /// Checks that a column that was left out as equal to the label is equal in this line, too.
    fn expect_label(&self, text: &str, column: usize) -> Result<(), ErrorKind> {
        let label = self.digits.columns.iter().position(|role| *role == Role::Label);
        let field = label.and_then(|label| self.lines.fields().nth(label));
        if field == Some(text.as_bytes()) {
            return Ok(());
        }
        let label = Column::Index(label.unwrap_or_default());
        Err(ask_other_label(label, Column::Index(column)).into())
    }

    /// Checks that the number in a line of labels is above that in the line before.
    fn expect_above(&self, before: Option<i128>, number: i128) -> Result<(), ErrorKind> {
        match (before.filter(|before| *before >= number), &self.number_column) {
            (Some(before), Some(column)) => {
                Err(ask_order(column.clone(), &before.to_string(), &number.to_string()).into())
            }
            _ => Ok(()),
        }
    }

    /// Checks that the row number in a line is above that in the line before, and returns it.
    fn row_number(&self, text: &str, column: usize) -> Result<i128, ErrorKind> {
        let rises = |number: &i128| self.number.is_none_or(|before| before < *number);
        whole_number(text).filter(rises).ok_or_else(|| {
            let column = self.number_column.clone().unwrap_or(Column::Index(column));
            ask_row_number(column, text).into()
        })
    }

    /// Appends the numbers of a cell.
    fn append_cell(
        &self,
        text: &str,
        column: usize,
        elements: &mut Vec<u8>,
    ) -> Result<(), ErrorKind> {
        let with_point = if self.has_decimal_commas { with_point(text) } else { None };
        if self.has_decimal_commas && with_point.is_none() && text.contains('.') {
            let message = format!(
                "{text} has a point, but other numbers have a comma; write all with a point"
            );
            return Err(ErrorKind::malformed(message));
        }
        let not_number = |sentence| {
            let is_element = |role: &&Role| **role == Role::Element;
            if self.digits.columns.iter().filter(is_element).nth(1).is_none() {
                let message = format!("{sentence}; correct the line, or choose another column");
                return ErrorKind::malformed(message);
            }
            let question =
                Question::new(format!("{sentence}; correct the line, or leave the column out"));
            question.or(ReadingOption::Skip(vec![Column::Index(column)]), "").into()
        };
        let text = match bit(text) {
            _ if !self.bits.contains(&column) => with_point.as_deref().unwrap_or(text),
            Some(true) => "1",
            Some(false) => "0",
            // Other cells of the column are words.
            None => return Err(not_number(format!("{} is not True or False", shown(text)))),
        };
        let Some(expected) = self.in_cell else {
            return append_number(text, self.digits.element_type, not_number, elements);
        };
        text.split_ascii_whitespace().try_for_each(|word| {
            append_number(word, self.digits.element_type, not_number, elements)
        })?;
        let found = elements.len() / self.digits.element_type.size();
        if found != expected {
            let found = counted(found as u64, "number");
            let message = format!(
                "the cell has {found}, but that of the first record has {expected}; correct the line"
            );
            return Err(ErrorKind::malformed(message));
        }
        Ok(())
    }

    fn parse_line(&mut self, record: &mut Record) -> Result<(), Error> {
        let quotes = self.lines.expect_whole_quotes();
        quotes.map_err(|error| error.at_position(self.position(None)))?;
        let fields = self.lines.fields();
        let (found, expected) = (fields.len(), self.digits.columns.len());
        if found != expected {
            let found = counted(found as u64, "column");
            let message =
                format!("the line has {found}, the first has {expected}; correct the line");
            return Err(ErrorKind::malformed(message).at_position(self.position(None)));
        }
        let mut line_number = self.number;
        let mut bits = Vec::new();
        record.bytes.clear();
        for (column, (field, role)) in fields.zip(&self.digits.columns).enumerate() {
            let text = String::from_utf8_lossy(field);
            let parsed = match role {
                Role::Element => self.append_cell(&text, column, &mut record.bytes),
                Role::Label if self.are_one_hot => {
                    bits.push(bit(&text).map(i128::from));
                    Ok(())
                }
                Role::Label => self.label(&text).map(|label| record.label = Some(label)),
                Role::Key => text.parse().map_or(Ok(()), |number| {
                    self.expect_above(line_number.replace(number), number)
                }),
                Role::SameLabel => self.expect_label(&text, column),
                Role::RowNumber => {
                    self.row_number(&text, column).map(|number| line_number = Some(number))
                }
                Role::Empty => expect_empty(&text),
                Role::ClassName | Role::LeftOut => Ok(()),
            };
            parsed.map_err(|error| error.at_position(self.position(Some(column))))?;
        }
        if !bits.is_empty() {
            let label = place_of_one(bits.iter().copied());
            let label = label.ok_or_else(|| not_one_hot(bits.len() as u64));
            record.label = Some(label.map_err(|error| error.at_position(self.position(None)))?);
        }
        self.number = line_number;
        Ok(())
    }
}

/// Checks that a cell of a column without values has none either.
fn expect_empty(text: &str) -> Result<(), ErrorKind> {
    if text.is_empty() {
        return Ok(());
    }
    let message =
        format!("{} is where the lines before have no value; correct the line", shown(text));
    Err(ErrorKind::malformed(message))
}

impl RecordSource for CsvSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Bits are words.
        let may_be_digits = self.in_cell.is_none() && self.bits.is_empty();
        let ahead = &mut self.ahead;
        let is_taken =
            may_be_digits && ahead.next(&mut self.lines, &self.digits, &mut self.number, record)?;
        if !is_taken {
            if !self.lines.next()? {
                return Ok(false);
            }
            self.parse_line(record)?;
        }
        self.next += 1;
        Ok(true)
    }
}
