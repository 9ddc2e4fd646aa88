//! The column that names the pictures to which labels belong.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::answer::{Column, ReadingOption};
use crate::names::path::natural_key;
use crate::reading::cell::{Kind, are_distinct, counts_up, is_picture, whole_number};
use crate::reading::question::Question;
use crate::reading::roles::names::{is_nameless, names_files};
use crate::reading::roles::{Columns, Find, Role};
use crate::reading::spelling::shown;
use crate::reading::{Evidence, Subject};

impl Columns<'_> {
    /// Finds the column that names the pictures: its cells differ, and each names one.
    pub(super) fn find_key(&mut self) -> Result<(), Question> {
        let Some(find) = self.known.find else {
            return Ok(());
        };
        let is_alone = self.roles.len() == 1;
        let may_be_key = |column: &usize| {
            let is_picture = self.cells(*column).next().is_some_and(is_picture);
            if is_alone { is_picture } else { !self.named.contains(column) }
        };
        let left: Vec<usize> = self.left().into_iter().filter(may_be_key).collect();
        let pictures = |column: &usize| Some((*column, self.named_pictures(*column, find)?));
        let mut keys: Vec<(usize, Vec<usize>)> = left.iter().filter_map(pictures).collect();
        let is_key = |column: usize| keys.iter().any(|(key, _)| *key == column);
        let has_extension = |column: usize| self.cells(column).any(is_picture);
        let is_wrong = |column: &&usize| has_extension(**column) && !is_key(**column);
        if let Some(column) = left.iter().find(is_wrong) {
            let question = self.ask_key(*column);
            // It may have masks, next to a column of the pictures.
            return Err(match keys.first() {
                Some((key, _)) => {
                    let when = format!("if {} names the pictures", self.called(*key));
                    question.or(self.without(&[*column]), when)
                }
                None => question,
            });
        }
        // Numbers that name pictures without their extensions may be labels as well.
        if let Some((_, named)) = keys.iter().find(|(column, _)| has_extension(*column)).cloned() {
            keys.retain(|(column, pictures)| has_extension(*column) || *pictures == named);
        }
        let Some((key, pictures)) = keys.first() else {
            let wrong = self.wrong_key(&left, find);
            return wrong.map_or(Ok(()), |column| Err(self.ask_key(column)));
        };
        if let Some((other, _)) = keys.iter().find(|(_, others)| others != pictures) {
            // One of two is the label.
            let is_pair = left.len() == 2 && self.named.is_empty();
            let not_key = |column: usize| match is_pair {
                true => self.as_label(column),
                false => self.without(&[column]),
            };
            let (one, two) = (self.called(*key), self.called(*other));
            let question =
                Question::new(format!("{one} and {two} both name the pictures, and differ"));
            return Err(question
                .or(not_key(*other), format!("if {one} names them"))
                .or(not_key(*key), format!("if {two} names them")));
        }
        let key = *key;
        let others: Vec<usize> = keys.iter().skip(1).map(|(column, _)| *column).collect();
        self.give(key, Role::Key);
        others.iter().for_each(|column| self.give(*column, Role::LeftOut));
        let text = format!("{} names the pictures", self.called(key));
        self.say(Subject::Labels, Evidence::Content, text);
        Ok(())
    }

    /// Returns the pictures that a column names, if each of its cells names another one.
    fn named_pictures(&self, column: usize, find: &Find<'_>) -> Option<Vec<usize>> {
        let found: Vec<usize> =
            self.cells(column).map(|cell| find(cell).ok()).collect::<Option<_>>()?;
        (!found.is_empty() && are_distinct(&found)).then_some(found)
    }

    /// Returns a column that should name each picture once but does not: its cells find pictures, and its name says so
    /// or no other column does; else one that seems to have other names.
    fn wrong_key(&self, left: &[usize], find: &Find<'_>) -> Option<usize> {
        let finds_one = |column: usize| self.cells(column).any(|cell| find(cell).is_ok());
        let finds_all = |column: usize| self.cells(column).all(|cell| find(cell).is_ok());
        let is_key = |column: &usize| {
            let is_name = self.says(*column, names_files) || are_distinct(self.cells(*column));
            is_name && finds_one(*column) || self.kind(*column).has_words() && finds_all(*column)
        };
        // Numbers may be labels as well.
        let only = || {
            let mut all = left.iter().filter(|column| finds_all(**column));
            let only = all.next().filter(|_| all.next().is_none() && left.len() > 1)?;
            (self.table.names.is_none() && self.are_several(*only)).then_some(only)
        };
        let key = left.iter().find(|column| is_key(column)).or_else(only);
        key.or_else(|| left.iter().find(|column| self.has_other_names(**column))).copied()
    }

    /// Returns the question about a column that does not name each picture once.
    pub(super) fn ask_key(&self, column: usize) -> Question {
        let find = |cell: &str| self.known.find.map_or(Err(0), |find| find(cell));
        let mut seen = BTreeSet::new();
        let lost = self.cells(column).find_map(|cell| Some((cell, find(cell).err()?)));
        let twice =
            self.cells(column).find(|cell| find(cell).is_ok_and(|found| !seen.insert(found)));
        let question = Question::new(match (lost, twice) {
            (Some((lost, 2..)), _) => {
                format!(
                    "several pictures are called {}; write their paths with the extensions, such as train/1.png",
                    shown(lost)
                )
            }
            (Some((lost, _)), _) if is_picture(lost) => format!(
                "there is no {} among the pictures; remove the line, or add the picture",
                shown(lost)
            ),
            (Some((lost, _)), _) => {
                let picture = self.known.pictures.first().and_then(|path| path.file_name());
                format!(
                    "{} does not name the pictures ({}); write their names, such as {}",
                    self.called(column),
                    shown(lost),
                    shown(&picture.unwrap_or_default().to_string_lossy())
                )
            }
            (None, twice) => format!(
                "two lines have a label for {}; remove one of them",
                shown(twice.unwrap_or_default())
            ),
        });
        // Numbers may be classes.
        match self.cells(column).any(is_picture) {
            true => question,
            false => self.or_in_order(question, column),
        }
    }

    /// Checks that no column names the records in another order than their own table does.
    pub(super) fn expect_order(&self) -> Result<(), Question> {
        for (name, records) in self.known.keys {
            let columns = (0..self.roles.len()).filter(|column| self.name(*column) == Some(name));
            for column in columns {
                let cells = || self.table.rows.start_of_column(column);
                let known: HashSet<&str> = records.iter().map(String::as_str).collect();
                // Row numbers may begin with another one.
                let are_numbers =
                    counts_up(cells()) && counts_up(records.iter().map(String::as_str));
                let mut pairs = records.iter().zip(cells()).enumerate();
                let other =
                    pairs.find(|(_, (record, cell))| record != cell && known.contains(cell));
                if let Some((row, (record, cell))) = other.filter(|_| !are_numbers) {
                    let (called, record, cell) = (self.called(column), shown(record), shown(cell));
                    return Err(Question::new(format!(
                        "the labels are in another order than the records: in {called}, line {row} is {cell}, and \
                         record {row} is {record}; sort both tables by it"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns whether a column has the numbers of the records in the same order, which do not rise: pandas writes this
    /// in both tables of shuffled rows.
    pub(super) fn has_shuffled_key(&self, column: usize) -> bool {
        let cells = || self.table.rows.start_of_column(column);
        let rise = || cells().map(|cell| cell.parse::<u64>().ok()).is_sorted();
        let is_same = |(name, records): &(String, Vec<String>)| {
            let mut pairs = records.iter().zip(cells());
            self.name(column) == Some(name) && pairs.all(|(record, cell)| record == cell)
        };
        self.known.keys.iter().any(is_same) && !rise()
    }

    /// Checks that columns rise if they number records without names, or name their pictures, so that the labels are in
    /// the order of the records.
    pub(super) fn expect_rising(&self) -> Result<(), Question> {
        let are_of_records = !self.is_for_records() && self.known.find.is_none();
        let names_records = |column: &usize| match self.roles.get(*column) {
            Some(None) => {
                self.cells(*column).all(is_picture)
                    || self.has_all_numbers(*column) && !self.has_shuffled_key(*column)
            }
            role => role == Some(&Some(Role::Key)),
        };
        let is_name = |cell: &&str| cell.parse::<u64>().is_ok() || is_picture(cell);
        let key = |name: &str| natural_key(OsStr::new(name));
        let falls = |(before, name): &(&str, &str)| {
            key(name) < key(before) || name == before && !is_picture(name)
        };
        for column in (0..self.roles.len()).filter(|_| are_of_records).filter(names_records) {
            let names = self.table.rows.start_of_column(column).filter(is_name);
            let mut pairs = names.clone().zip(names.skip(1));
            if let Some((before, name)) = pairs.find(falls) {
                return Err(ask_order(self.option(column), &shown(before), &shown(name)));
            }
        }
        Ok(())
    }

    /// Returns whether a column of any name has each number from 0 or 1 on; in a long table, whether its numbers
    /// differ.
    fn has_all_numbers(&self, column: usize) -> bool {
        let cells = self.table.rows.start_of_column(column);
        let count = u64::try_from(cells.len()).ok().filter(|_| self.table.is_whole);
        let number = |cell| u64::try_from(whole_number(cell)?).ok();
        let numbers: Option<Vec<u64>> = cells.map(number).collect();
        numbers.is_some_and(|numbers| {
            let is_below = |number: &u64| count.is_none_or(|count| *number <= count);
            numbers.len() > 2 && numbers.iter().all(is_below) && are_distinct(numbers)
        })
    }

    /// Returns whether a column may have other names of the pictures: distinct words, or numbers in another order.
    fn has_other_names(&self, column: usize) -> bool {
        let cells = || self.cells(column);
        match self.kind(column) {
            Kind::Word => are_distinct(cells()),
            Kind::Whole => {
                let is_named = self.says(column, names_files) || self.says(column, is_nameless);
                let are_numbers = || match self.table.names.is_some() {
                    true => counts_up(cells()),
                    false => are_distinct(cells()),
                };
                (is_named || cells().len() > 2 && are_numbers()) && !self.numbers_rows(column)
            }
            _ => false,
        }
    }

    /// Returns whether a column counts up as row numbers do. If all pictures are named by numbers, other numbers may be
    /// those of other pictures.
    fn numbers_rows(&self, column: usize) -> bool {
        let number = |picture: &&Path| whole_number(picture.file_stem()?.to_str()?);
        let pictures = self.known.pictures;
        let are_numbered = pictures.iter().all(|picture| number(picture).is_some());
        let mut pairs = pictures.iter().zip(self.cells(column));
        counts_up(self.cells(column))
            && (!are_numbered
                || self.says(column, is_nameless)
                || pairs.all(|(picture, cell)| number(picture) == whole_number(cell)))
    }

    /// Adds the answers for a column that does not name the pictures.
    fn or_in_order(&self, question: Question, column: usize) -> Question {
        // A list of classes would have fewer lines, and another column must have the labels.
        let has_all = self.known.count.is_none_or(|count| count == self.cells(column).len() as u64);
        self.or_without_list(match has_all && self.left().len() > 1 {
            true => question
                .or(self.without(&[column]), "if the lines are in the order of the pictures"),
            false => question,
        })
    }
}

/// Asks about a line of labels if its number or name does not follow that of the line before.
pub(crate) fn ask_order(column: Column, before: &str, next: &str) -> Question {
    let called = match &column {
        Column::Index(_) => column.to_string(),
        Column::Name(name) => format!("`{}`", shown(name)),
    };
    let sentence = format!(
        "in {called}, {next} follows {before}, so the lines may be in another order than the records; sort them by it"
    );
    match column {
        // A position would be that of a column of the records.
        Column::Index(_) => {
            Question::new(sentence + ", or remove the column if they are in the same order")
        }
        Column::Name(_) => Question::new(sentence)
            .or(ReadingOption::Skip(vec![column]), "if they are in the same order"),
    }
}
