//! The remaining columns: names of classes, and the numbers of records, of which none is missing.

use crate::answer::ReadingOption;
use crate::reading::cell::{Kind, are_distinct, is_word, one_to_one};
use crate::reading::question::Question;
use crate::reading::roles::{Columns, Role};
use crate::reading::spelling::shown;

impl Columns<'_> {
    /// Takes words beside the label as the names of the classes, or asks about them.
    pub(super) fn name_classes(&mut self) -> Result<(), Question> {
        if self.are_elements() && self.label.is_some() && !self.known.no_labels {
            let left = self.left();
            if let Some(column) = self.may_be_row_number(&left) {
                return Err(self.ask_number(column, "counts up by one, as row numbers do"));
            }
        }
        let is_text = |column: &usize| self.kind(*column).has_words();
        let texts: Vec<usize> = self.left().into_iter().filter(is_text).collect();
        if let (Some(label), [text]) = (self.label, &texts[..])
            && self.name_class(label, *text)
        {
            return Ok(());
        }
        let Some(text) = texts.first().copied().filter(|_| self.are_elements()) else {
            return Ok(());
        };
        let are_words = texts.iter().all(|text| self.kind(*text) == Kind::Word);
        if are_words && texts.len() == self.left().len() {
            let message = "there are words, and no numbers for the records; give the records, and this table as their \
                           labels";
            return Err(Question::new(message));
        }
        let word = self.cells(text).find(|cell| is_word(cell)).unwrap_or_default();
        let row = self.cells(text).position(is_word).unwrap_or_default();
        let (called, word) = (self.called(text), shown(word));
        let question = match self.kind(text) {
            Kind::Mixed => Question::new(format!(
                "{called} has words ({word} in record {row}) and numbers; correct the cell"
            )),
            _ => Question::new(format!("{called} has words ({word}), and a record has numbers")),
        };
        let skip = ReadingOption::Skip(self.options(&texts));
        let skip_when =
            if texts.len() > 1 { "to leave out all columns of words" } else { "to leave it out" };
        let label = ReadingOption::LabelColumn(self.option(text));
        Err(match self.label.is_none() && !self.known.no_labels {
            true => question.or(label, "if it is the label").or(skip, skip_when),
            false => question.or(skip, skip_when),
        })
    }

    /// Takes a column as the names of the classes if its words stand for the labels, one to one, and some occur again.
    pub(super) fn name_class(&mut self, label: usize, text: usize) -> bool {
        let is_name = self.kind(label) == Kind::Whole
            && self.kind(text) == Kind::Word
            && one_to_one(self.cells(label), self.cells(text))
            && !are_distinct(self.cells(text));
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
            let message = "there are labels, and no numbers for the records; give the records, and this table as their \
                           labels";
            return Err(Question::new(message));
        }
        for column in left.iter().copied().filter(|_| is_read) {
            if let Some(row) = self.missing(column) {
                let called = self.called(column);
                let skip = ReadingOption::Skip(vec![self.option(column)]);
                let question = Question::new(format!(
                    "record {row} has no value in {called}; add it, or remove the record"
                ));
                return Err(question.or(skip, "to leave out the column"));
            }
        }
        if let Some((label, row)) = self.label.and_then(|label| Some((label, self.missing(label)?)))
            && !self.known.no_labels
        {
            let called = self.called(label);
            let sentence =
                format!("record {row} has no label in {called}; add it, or remove the record");
            return Err(Question::new(sentence));
        }
        Ok(())
    }

    fn missing(&self, column: usize) -> Option<usize> {
        // Among words, NaN is a missing value.
        let is_nan = |cell: &str| cell.eq_ignore_ascii_case("nan");
        let words =
            || self.kind(column).has_words().then(|| self.cells(column).position(is_nan))?;
        self.profiles.get(column)?.missing.map(usize::from).or_else(words)
    }
}
