//! Reads lines of numbers as records, with labels from a column.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use idx_std::ElementType;

use crate::error::{Error, ErrorKind, Position};
use crate::formats::csv::header::{self, is_header};
use crate::formats::csv::lines::Lines;
use crate::formats::csv::number::{append_number, parse_label};
use crate::names::class_names::{ClassNames, Texts, is_text, number_beside_texts};
use crate::names::columns::{are_counted, are_numbers, column_names, label_position};
use crate::names::format::is_table;
use crate::record::options::{Column, OpenOptions};
use crate::record::value::Value;
use crate::record::{Facts, Record, RecordLayout, RecordSource};
use idx_std::__private::{byte_size, counted};

/// Lines of numbers, with commas, tabs, semicolons or spaces between them.
pub(crate) struct CsvSource {
    lines: Lines,
    facts: Facts,
    element_type: ElementType,
    /// What each column is.
    columns: Vec<Role>,
    /// How many numbers are in each cell of the only column of a record, if that is several.
    in_cell: Option<usize>,
    /// Whether the line that was split is still to be returned.
    is_pending: bool,
    next: u64,
    /// The number of the line before.
    number: Option<u64>,
    /// The labels of texts.
    labels: HashMap<String, i128>,
    /// Whether the first line names the columns.
    has_names: bool,
}

/// The sides of pictures that lines without names have, with one number more.
const SIDES: [u32; 5] = [8, 16, 28, 32, 64];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Element,
    Label,
    /// Numbers the lines of labels, which are in the order of the records if it rises.
    Number,
    /// Is not read.
    Ignored,
}

impl CsvSource {
    pub(crate) fn open(
        path: &Path,
        read: Box<dyn Read + Send>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let element_type = match options.are_labels() {
            true => ElementType::F64, // one-hot labels may be written as floats
            false => *options.element_type,
        };
        let mut csv = Self {
            lines: Lines::new(read, options.record_limit)?,
            facts: Facts::new(RecordLayout::of_records(element_type, None, &[]), None),
            element_type,
            columns: Vec::new(),
            in_cell: None,
            is_pending: false,
            next: 0,
            number: None,
            labels: HashMap::new(),
            has_names: false,
        };
        csv.open_columns(path, options)?;
        Ok(csv)
    }

    /// Reads the names of the columns, if they have any, and the first line of numbers.
    fn open_columns(&mut self, path: &Path, options: &OpenOptions) -> Result<(), Error> {
        self.is_pending = self.lines.next()?;
        let names = self.names(options)?;
        if names.is_some() {
            self.is_pending = self.lines.next()?;
        }
        self.has_names = names.is_some();
        let count = match &names {
            Some(names) if !self.is_pending => names.len(),
            _ => self.lines.fields().len(),
        };
        if let Some(names) = &names {
            self.check_names(path, names, count)?;
        }
        let label_column = label_column(names.as_deref(), count, options)?;
        let has_labels = label_column.is_some() && (options.are_labels() || *options.labels);
        if options.are_labels() && label_column.is_none() {
            self.expect_numbers()?;
        }
        self.columns = roles(names.as_deref(), count, label_column, options)?;
        if let Some(names) = &names {
            self.expect_clear_names(names, options)?;
        }
        let names = names.map(|names| {
            let named = names.into_iter().zip(&self.columns);
            let named = named.filter(|(_, role)| **role == Role::Element).map(|(name, _)| name);
            named.collect::<Vec<String>>()
        });
        self.in_cell = self.numbers_in_cell();
        let shape = self.shape(names.as_deref(), options)?;
        self.facts.columns = names.and_then(column_names).map(Arc::from);
        self.facts.layout.dims.extend(shape);
        self.facts.has_labels = has_labels;
        Ok(())
    }

    /// Checks that the first column has a name if it is used, and that a name is not a label.
    fn expect_clear_names(&self, names: &[String], options: &OpenOptions) -> Result<(), ErrorKind> {
        let is_used = match self.columns.first() {
            Some(Role::Element) => true,
            Some(Role::Label) => options.label_column.is_none(),
            _ => false,
        };
        if is_used && names.first().is_some_and(String::is_empty) {
            let message = "the first column has no name, as the row numbers that pandas and R write; write the table \
                           without them (`index=False`, `row.names=FALSE`)";
            return Err(ErrorKind::malformed(message));
        }
        let may_be_label = options.are_labels() && options.header.is_none() && names.len() == 1;
        if may_be_label && label_position(names).is_none() && self.has_texts() {
            let message = "the first line may be the name of the column or a label";
            return Err(ErrorKind::MaybeNames(message.to_string()));
        }
        Ok(())
    }

    /// The names of the columns, if the first line has them.
    fn names(&self, options: &OpenOptions) -> Result<Option<Vec<String>>, ErrorKind> {
        let fields = self.lines.fields().map(String::from_utf8_lossy);
        let are_names = match *options.header {
            _ if !self.is_pending => false,
            Some(are_names) => are_names,
            None => is_header(fields.clone())?,
        };
        Ok(are_names.then(|| fields.map(Cow::into_owned).collect()))
    }

    /// Checks that the columns of labels, if none is chosen, have numbers: they may be one-hot.
    fn expect_numbers(&self) -> Result<(), ErrorKind> {
        let mut fields = self.lines.fields().map(String::from_utf8_lossy);
        match !self.is_pending || fields.all(|field| field.parse::<f64>().is_ok()) {
            true => Ok(()),
            false => Err(ErrorKind::SeveralLabelColumns { columns: self.lines.fields().len() }),
        }
    }

    /// Checks that there is a name for each column of the first record, and that these are not a record, too.
    fn check_names(&self, path: &Path, names: &[String], columns: usize) -> Result<(), Error> {
        if names.len() != columns {
            let message = format!(
                "the line has {}, the header has {}; correct the header, or write the table without names of its rows",
                counted(columns as u64, "column"),
                counted(names.len() as u64, "name"),
            );
            return Err(ErrorKind::malformed(message).at_position(self.position(None)));
        }
        if names.iter().all(|name| name.parse::<f64>().is_ok()) && !are_counted(&names.iter()) {
            return Err(ErrorKind::NumbersAsNames.into());
        }
        if !self.is_pending && !is_table(path) {
            let message = "there is only a line of names, and no record; this may not be csv";
            return Err(ErrorKind::malformed(message).into());
        }
        Ok(())
    }

    /// The number of numbers in the first cell of the only column of a record, if that is several.
    fn numbers_in_cell(&self) -> Option<usize> {
        let cells = self.lines.fields().zip(&self.columns);
        let mut cells = cells.filter(|(_, role)| **role == Role::Element);
        let (cell, _) = cells.next().filter(|_| self.is_pending)?;
        let count = words(&String::from_utf8_lossy(cell)).count();
        (cells.next().is_none() && count > 1).then_some(count)
    }

    /// The shape of a record, by the first line and the names of its numbers.
    fn shape(
        &self,
        names: Option<&[String]>,
        options: &OpenOptions,
    ) -> Result<Vec<u32>, ErrorKind> {
        let elements = self.columns.iter().filter(|column| **column == Role::Element).count();
        let elements = self.in_cell.unwrap_or(elements);
        if options.are_labels() {
            return Ok(vec![u32::try_from(elements).map_err(|_| too_many_columns())?]);
        }
        let named = names.and_then(header::shape);
        match (u32::try_from(elements), &*options.shape, named) {
            // A file without lines fits any shape.
            (Ok(0), Some(shape), _) if !self.is_pending => Ok(shape.clone()),
            (Ok(0), None, _) if !self.is_pending => {
                Err(ErrorKind::UnknownShape("there are no numbers".to_string()))
            }
            (Ok(0), ..) => {
                let message =
                    "the file has labels but no values; give one with numbers beside the labels";
                Err(ErrorKind::malformed(message))
            }
            (_, None, Some(named)) => Ok(named),
            (Ok(1), ..) => Ok(Vec::new()),
            (Ok(elements), Some(shape), _) if self.has_one_more(elements, shape) => {
                Err(ErrorKind::UnknownLabelColumn(shape.clone()))
            }
            (Ok(elements), None, _) => match names {
                None => self.square(elements, options),
                Some(names) => header::beside_picture(names).map_or(Ok(vec![elements]), Err),
            },
            (Ok(elements), ..) => Ok(vec![elements]),
            (Err(_), ..) => Err(too_many_columns()),
        }
    }

    /// The shape of records of numbers without names, which may be those of a square picture beside a label.
    fn square(&self, elements: u32, options: &OpenOptions) -> Result<Vec<u32>, ErrorKind> {
        let is_square = |pixels| SIDES.into_iter().find(|side| side * side == pixels);
        let has_label = self.columns.contains(&Role::Label);
        match (is_square(elements), is_square(elements - 1)) {
            (Some(side), _) if has_label => Ok(vec![side; 2]),
            (_, Some(side)) if !has_label && *options.labels => {
                Err(ErrorKind::MaybeLabel { numbers: elements, side })
            }
            _ => Ok(vec![elements]),
        }
    }

    /// Whether one of `elements` numbers could be a label that nobody asked for, beside a record of this shape.
    fn has_one_more(&self, elements: u32, shape: &[u32]) -> bool {
        let wanted = byte_size(1, shape.iter().copied().map(u64::from));
        !self.columns.contains(&Role::Label) && wanted == elements.checked_sub(1).map(u64::from)
    }

    fn position(&self, column: Option<usize>) -> Position {
        Position { record: self.next, line: Some(self.lines.line()), column }
    }

    fn append_cell(
        &self,
        text: &str,
        not_number: fn(String) -> ErrorKind,
        elements: &mut Vec<u8>,
    ) -> Result<(), ErrorKind> {
        let Some(expected) = self.in_cell else {
            return append_number(text, self.element_type, not_number, elements);
        };
        words(text)
            .try_for_each(|word| append_number(word, self.element_type, not_number, elements))?;
        let found = elements.len() / self.element_type.size();
        if found != expected {
            let found = counted(found as u64, "number");
            let message = format!(
                "the cell has {found}, that of the first record {expected}; correct the line"
            );
            return Err(ErrorKind::malformed(message));
        }
        Ok(())
    }

    /// Reads a line of digits and separators, as most are; `None` for any other.
    fn take_digits(&mut self, record: &mut Record) -> Option<()> {
        if self.in_cell.is_some() {
            return None;
        }
        let element_type = self.element_type;
        let mut columns = self.columns.iter();
        let mut line_number = self.number;
        record.bytes.clear();
        self.lines.take_digits(|number| {
            match (columns.next()?, element_type) {
                // Through a `Value`, reading takes half as long again.
                (Role::Element, ElementType::U8) => record.bytes.push(u8::try_from(number).ok()?),
                (Role::Element, _) => {
                    Value::Integer(number.into()).append_to(&mut record.bytes, element_type)?;
                }
                (Role::Label, _) if self.labels.is_empty() => record.label = Some(number.into()),
                (Role::Label, _) => return None,
                (Role::Number, _) => expect_rising(&mut line_number, number).ok()?,
                (Role::Ignored, _) => {}
            }
            Some(())
        })?;
        self.number = line_number;
        Some(())
    }

    /// Whether the labels are texts, as the first one is.
    pub(super) fn has_texts(&self) -> bool {
        let mut cells = self.lines.fields().zip(&self.columns);
        let label = cells.find(|(_, role)| **role == Role::Label).filter(|_| self.is_pending);
        label.is_some_and(|(text, _)| is_text(&String::from_utf8_lossy(text)))
    }

    /// Reads all labels, which are texts.
    pub(super) fn into_classes(mut self) -> Result<ClassNames, Error> {
        let label = self.columns.iter().position(|role| *role == Role::Label).unwrap_or_default();
        let mut found = Texts::default();
        while take(&mut self.is_pending) || self.lines.next()? {
            let text = self.lines.fields().nth(label).unwrap_or_default();
            let text = String::from_utf8_lossy(text);
            let inserted = match is_text(&text) {
                true => found.insert(&text),
                // A line that has none is an error when it is read.
                false if text.is_empty() => Ok(()),
                false if self.next == 1 && !self.has_names => Err(ErrorKind::NoNames(format!(
                    "the label {text} is a number, and the one before is a text"
                ))),
                false => Err(number_beside_texts(&text)),
            };
            inserted.map_err(|error| error.at_position(self.position(Some(label))))?;
            self.next += 1;
        }
        ClassNames::new(found.texts)
    }

    /// The same table, whose texts are the names of these classes.
    pub(super) fn numbered(mut self, classes: ClassNames) -> Self {
        self.labels = classes.iter().map(|(label, name)| (name.to_string(), label)).collect();
        self.facts.have_names = self.facts.has_labels;
        self.facts.classes = Some(classes).filter(|_| self.facts.has_labels);
        self
    }

    fn label(&self, text: &str, not_number: fn(String) -> ErrorKind) -> Result<i128, ErrorKind> {
        match self.labels.get(text) {
            Some(label) => Ok(*label),
            None => parse_label(text, not_number),
        }
    }

    fn parse_line(&mut self, record: &mut Record) -> Result<(), Error> {
        let fields = self.lines.fields();
        let (found, expected) = (fields.len(), self.columns.len());
        if found != expected {
            let found = counted(found as u64, "column");
            let message =
                format!("the line has {found}, the first has {expected}; correct the line");
            return Err(ErrorKind::malformed(message).at_position(self.position(None)));
        }
        let mut line_number = self.number;
        record.bytes.clear();
        for (index, (field, column)) in fields.zip(&self.columns).enumerate() {
            let text = String::from_utf8_lossy(field);
            // The names of columns are not numbers, and not empty.
            let may_be_name = self.next == 0 && !self.has_names && !text.is_empty();
            let not_number = if may_be_name { ErrorKind::NoNames } else { ErrorKind::Malformed };
            let parsed = match column {
                Role::Element => self.append_cell(&text, not_number, &mut record.bytes),
                Role::Label => {
                    self.label(&text, not_number).map(|label| record.label = Some(label))
                }
                Role::Number => {
                    text.parse().map_or(Ok(()), |number| expect_rising(&mut line_number, number))
                }
                Role::Ignored => Ok(()),
            };
            parsed.map_err(|error| error.at_position(self.position(Some(index))))?;
        }
        self.number = line_number;
        Ok(())
    }
}

/// Checks that the number of a line is above that of the line before.
fn expect_rising(before: &mut Option<u64>, number: u64) -> Result<(), ErrorKind> {
    match before.replace(number).filter(|before| *before >= number) {
        Some(before) => Err(ErrorKind::mismatch(format!(
            "the number {number} follows {before}, so the lines may be in another order than the records; sort the lines \
             by it, or remove its column"
        ))),
        None => Ok(()),
    }
}

/// The numbers of a cell that has several.
fn words(cell: &str) -> impl Iterator<Item = &str> {
    cell.split_ascii_whitespace()
}

/// The column of the labels, if there is one.
fn label_column(
    names: Option<&[String]>,
    count: usize,
    options: &OpenOptions,
) -> Result<Option<usize>, ErrorKind> {
    let given = options.label_column.as_ref();
    let given = given.map(|column| column_index(column, names)).transpose()?;
    // As in Parquet, the only column has records.
    let marked = || label_position(names.filter(|names| names.len() > 1)?);
    let only = (options.are_labels() && count < 2).then_some(0);
    Ok(given.or_else(marked).or(only))
}

/// What each of `count` columns is.
fn roles(
    names: Option<&[String]>,
    count: usize,
    label_column: Option<usize>,
    options: &OpenOptions,
) -> Result<Vec<Role>, ErrorKind> {
    // Labels of several columns are rows of numbers.
    let is_alone = options.are_labels() && label_column.is_some();
    let are_elements = !is_alone && options.column.is_none();
    let mut roles = vec![if are_elements { Role::Element } else { Role::Ignored }; count];
    if let Some(column) = &*options.column {
        let index = column_index(column, names)?;
        *roles.get_mut(index).ok_or_else(|| {
            ErrorKind::malformed(format!(
                "there is no column {index}; the lines have {count}, counted from 0"
            ))
        })? = Role::Element;
    }
    if let Some(column) = label_column.filter(|_| count > 0) {
        let role = roles.get_mut(column).ok_or(ErrorKind::NoLabelColumn { column, count })?;
        let is_read = options.are_labels() || *options.labels;
        *role = if is_read { Role::Label } else { Role::Ignored };
    }
    let mut named = roles.iter_mut().zip(names.unwrap_or_default());
    let numbers = named.find(|(_, name)| is_alone && are_numbers(name));
    if let Some((role @ Role::Ignored, _)) = numbers {
        *role = Role::Number;
    }
    Ok(roles)
}

fn too_many_columns() -> ErrorKind {
    ErrorKind::unsupported("there are too many columns")
}

/// The position of a column, which may be beyond the last one.
pub(crate) fn column_index(column: &Column, names: Option<&[String]>) -> Result<usize, ErrorKind> {
    match (column, names) {
        (Column::Index(index), _) => Ok(*index),
        (Column::Name(_), Some(names)) => column.position(names),
        (Column::Name(_), None) => Err(ErrorKind::UnnamedColumns),
    }
}

impl RecordSource for CsvSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if take(&mut self.is_pending) {
            self.parse_line(record)?;
        } else if !self.lines.start()? {
            return Ok(false);
        } else if self.take_digits(record).is_none() {
            self.lines.split()?;
            self.parse_line(record)?;
        }
        self.next += 1;
        Ok(true)
    }
}
