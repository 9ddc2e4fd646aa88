//! The remaining columns: names of classes, and the numbers of records. No value may be missing.

use crate::answer::ReadingOption;
use crate::reading::cell::{Kind, are_distinct, bit, is_amount, is_missing, is_word, one_to_one};
use crate::reading::question::Question;
use crate::reading::roles::names::is_label;
use crate::reading::roles::{Columns, Role, SHOWN};
use crate::reading::skip::keeps_others;
use crate::reading::spelling::shown;
use crate::reading::{Evidence, Subject};

const NO_NUMBERS: &str =
    "there are no numbers for the records; give the records, and this table as their labels";

impl Columns<'_> {
    /// Takes words next to the label as the names of the classes, or asks about them.
    pub(super) fn name_classes(&mut self) -> Result<(), Question> {
        if self.are_elements() && self.has_labels() && !self.known.no_labels {
            self.expect_no_row_number()?;
        }
        if let Some(question) = self.other_label() {
            return Err(question);
        }
        let mut texts = self.texts();
        if let (Some(label), [text]) = (self.label, &texts[..])
            && self.name_class(label, *text)
        {
            return Ok(());
        }
        if !self.are_elements() {
            return Ok(());
        }
        if self.has_labels() || self.known.no_labels {
            self.take_bits(&mut texts);
        }
        self.ask_words(&texts).map_or(Ok(()), Err)
    }

    /// Takes columns of True and False out of these, as numbers.
    fn take_bits(&mut self, texts: &mut Vec<usize>) {
        self.bits = texts.extract_if(.., |text| self.are_bits(*text)).collect();
        if !self.bits.is_empty() {
            let text = format!("True is 1 in {}", self.called_all(&self.bits, ", "));
            self.say(Subject::Records, Evidence::Content, text);
        }
    }

    /// Returns whether all cells of a column are True and False, apart from missing ones.
    fn are_bits(&self, column: usize) -> bool {
        let is_bit = |cell: &str| is_missing(cell) || bit(cell).is_some();
        !self.table.is_typed && self.cells(column).all(is_bit)
    }

    /// Asks about columns of words among the numbers of the records.
    fn ask_words(&self, texts: &[usize]) -> Option<Question> {
        let is_mixed = |column: &&usize| self.kind(**column) == Kind::Mixed;
        let text = *texts.iter().find(is_mixed).or(texts.first())?;
        let (is_mixed, left) = (self.kind(text) == Kind::Mixed, self.left().len());
        let word = self.cells(text).find(|cell| is_word(cell)).unwrap_or_default();
        let way = match word {
            _ if is_amount(word) => "; write them with nothing but a point",
            _ if is_mixed => "; correct the cell, or remove the line",
            _ if word.starts_with('[') => {
                "; write their numbers with spaces between, and no brackets"
            }
            _ => "",
        };
        if !is_mixed && texts.len() == left && way.is_empty() {
            return Some(Question::new(NO_NUMBERS));
        }
        let row = self.cells(text).position(is_word).unwrap_or_default();
        let (called, word) = (self.called(text), shown(word));
        let record = self.record_in(row);
        let mut question = Question::new(format!(
            "{called} has words ({word} in {record}), and a record has numbers{way}"
        ));
        let is_above = row == 0 && self.name(text).is_none() && is_mixed;
        if is_above && self.known.header.is_none() {
            question = question.or(ReadingOption::Header(true), "if it names the columns");
        }
        // Otherwise, the same column would be asked about again, or no number would be left.
        if !self.has_labels() && !self.known.no_labels && left > 1 {
            let may_be = |text: &usize| self.only_words(&[*text]).is_some();
            let mut found = texts.iter().copied().filter(may_be);
            // The last column is the label as often as the first.
            let last = found.next_back();
            let mut labels: Vec<usize> = found.take(SHOWN - 1).chain(last).collect();
            if labels.is_empty() {
                labels.push(text);
            }
            question = self.or_one_of(question, &labels);
            if texts.iter().all(|text| self.are_bits(*text)) {
                question = question.or(ReadingOption::NoLabels, "if True is 1, and False 0");
            }
        }
        Some(match texts.len() < left {
            true => question.or(self.without(texts), "to leave out the words"),
            false => question,
        })
    }

    /// Asks about other labels: one-hot columns whose names say label, or whole numbers that have the name of a label
    /// or match the label one to one.
    fn other_label(&self) -> Option<Question> {
        const MANY: usize = 10;
        let is_asked = !keeps_others(self.known.skip) && !self.known.no_labels;
        let label = self.label.filter(|_| is_asked && self.are_elements())?;
        // Such a column is left if an option has chosen another.
        let is_named = |column: usize| self.says(column, is_label);
        let are_pairs = |column: usize| one_to_one(self.cells(label), self.cells(column));
        // Encoders of labels write such numbers; in a few rows, they may be chance.
        let are_few_words = self.kind(label).has_words()
            && self.cells(label).len() >= MANY
            && !are_distinct(self.cells(label));
        let is_other = |column: &usize| {
            let is_near = self.is_near(*column);
            self.kind(*column) == Kind::Whole
                && (is_named(*column) || are_pairs(*column) && (is_near || are_few_words))
        };
        let one = || Some(vec![self.left().into_iter().find(is_other)?]);
        let others = self.one_hot_columns().or_else(one)?;
        let (called, of) = (self.called_all(&others, ", "), self.called(label));
        let question = Question::new(format!("{called} may be a label, as {of} is"));
        let question = self.or_values(question, &others);
        Some(match (&others[..], self.known.label_column) {
            ([other], None) => question.or(self.as_label(*other), "for its numbers"),
            _ => question,
        })
    }

    /// Takes a column as the names of the classes if its words match the labels one to one, and may be labels.
    pub(super) fn name_class(&mut self, label: usize, text: usize) -> bool {
        let is_name = self.kind(label) == Kind::Whole
            && self.kind(text) == Kind::Word
            && one_to_one(self.cells(label), self.cells(text))
            && self.only_words(&[text]).is_some();
        if is_name {
            self.give(text, Role::ClassName);
        }
        is_name
    }

    /// Checks that no value is missing, and that records have numbers.
    pub(super) fn check_values(&mut self) -> Result<(), Question> {
        let left = self.left();
        let is_read = self.are_elements();
        if let Some(record) = self.record {
            self.give(record, Role::Element);
        }
        if is_read && left.is_empty() && !self.roles.is_empty() {
            return Err(Question::new(NO_NUMBERS));
        }
        let mut doubt = self.other_numbers(&left);
        if is_read {
            doubt = doubt.or_else(|| self.missing_value(&left)).or_else(|| self.sums(&left));
        }
        doubt.or_else(|| self.no_label()).map_or(Ok(()), Err)
    }

    /// Asks about a record that lacks a number.
    fn missing_value(&self, left: &[usize]) -> Option<Question> {
        let missing = |column: &usize| Some((*column, self.missing(*column)?));
        let (column, row) = left.iter().find_map(missing)?;
        let called = self.called(column);
        let record = self.record_in(row);
        let sentence = format!("{record} has no value in {called}; add it, or remove the record");
        let question = Question::new(sentence);
        Some(match left.len() > 1 {
            true => question.or(self.without(&[column]), "to leave out the column"),
            false => question,
        })
    }

    /// Asks about a record that lacks a label.
    pub(super) fn no_label(&self) -> Option<Question> {
        let is_list = |label: &usize| self.table.list_of_labels == Some(*label);
        let label = self.label.filter(|label| !self.known.no_labels && !is_list(label))?;
        let row = self.missing_label(label)?;
        let (called, cell) = (self.called(label), self.table.rows.cell(row, label));
        let record = self.record_in(row);
        let sentence = format!("{record} has no label in {called}; add it, or remove the record");
        let mut question = Question::new(sentence);
        if !cell.is_empty() && self.kind(label).has_words() {
            let when = format!("if {} is the name of a class", shown(cell));
            question = question.or(self.as_label(label), when);
        }
        // Only its words say that it is the label.
        let is_found = self.named.is_empty() && self.are_elements();
        Some(match is_found {
            true => question.or(self.without(&[label]), "to leave out the column"),
            false => question,
        })
    }

    /// Asks about a last row that has the sums of all others, and a word of its own.
    fn sums(&self, left: &[usize]) -> Option<Question> {
        // A third row may be the sum of two by chance.
        const FEWEST: usize = 3;
        let is_read = |label: &usize| self.kind(*label).has_words() && !self.known.no_labels;
        let label = self.label.filter(is_read)?;
        let is_asked = self.known.label_column.is_none() && self.table.is_whole && left.len() > 1;
        let last =
            self.table.rows.len().checked_sub(1).filter(|last| *last >= FEWEST && is_asked)?;
        let is_sum = |column: &usize| {
            let number = |cell: &str| cell.parse::<f64>().unwrap_or(f64::NAN);
            let sum = number(self.table.rows.cell(last, *column));
            let others: f64 = self.cells(*column).take(last).map(number).sum();
            (others - sum).abs() <= 1e-9 * sum.abs() && sum != 0.0
        };
        let word = self.table.rows.cell(last, label);
        let is_new = || !self.cells(label).take(last).any(|cell| cell == word);
        let word = shown(word);
        let sentence = format!("record {last} ({word}) has the sums of the others; remove it");
        let are_sums = left.iter().all(is_sum) && is_new();
        are_sums.then(|| Question::new(sentence).or(self.as_label(label), "if it is a record"))
    }

    /// Returns the first row without a label. If an option names a column of words, or a type says that it has texts, a
    /// word such as NA is a label.
    fn missing_label(&self, label: usize) -> Option<usize> {
        let is_word = self.table.is_typed || self.known.label_column.is_some();
        match is_word && self.kind(label).has_words() {
            true => self.cells(label).position(str::is_empty),
            false => self.missing(label),
        }
    }

    /// Asks about a column of numbers next to records in one cell, whose spaces may be between thousands.
    fn other_numbers(&self, left: &[usize]) -> Option<Question> {
        let is_found = self.known.column.is_none() && self.table.records.is_empty();
        let record = self.record.filter(|_| is_found)?;
        let is_other = |column: &&usize| **column != record && self.kind(**column).is_number();
        let other = self.called(*left.iter().find(is_other)?);
        let (called, cell) = (self.called(record), self.table.rows.cell(0, record));
        let sentence = format!(
            "{called} has several numbers in a cell ({}), and {other} has numbers as well; write numbers without spaces",
            shown(cell)
        );
        let option = ReadingOption::Column(self.option(record));
        Some(Question::new(sentence).or(option, "if each cell of it is a record"))
    }

    fn missing(&self, column: usize) -> Option<usize> {
        // Among words and labels, NaN is a missing value.
        let is_nan = |cell: &str| cell.eq_ignore_ascii_case("nan");
        let is_missing = self.kind(column).has_words() || self.label == Some(column);
        let nan = || is_missing.then(|| self.cells(column).position(is_nan))?;
        self.profiles.get(column)?.missing.map(usize::from).or_else(nan)
    }
}
