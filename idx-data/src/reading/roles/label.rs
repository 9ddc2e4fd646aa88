//! The column of the labels: by option or name, by the content, or asked about.

use std::collections::HashMap;

use crate::answer::{Column, ReadingOption};
use crate::reading::cell::{Cell, Kind, are_distinct, cell, is_date, one_to_one, whole_number};
use crate::reading::question::Question;
use crate::reading::roles::names::{are_digits, is_pixel};
use crate::reading::roles::{Columns, Purpose, Role};
use crate::reading::spelling::shown;
use crate::reading::words::is_part;
use crate::reading::{Evidence, Subject};
use idx_std::__private::counted;

/// The smallest picture, in pixels, that records without names of columns may be beside their label.
const SMALLEST_PICTURE: usize = 64;

impl Columns<'_> {
    /// Finds the label: by option or name, by the content, or asked about.
    pub(super) fn find_label(&mut self) -> Result<(), Question> {
        let is_given = self.known.label_column.is_some();
        self.join_labels(is_given)?;
        if let Some(label) = self.label {
            let by = if is_given { Evidence::Option } else { Evidence::Name };
            return self.take_label(label, by);
        }
        match self.purpose {
            Purpose::Labels => self.find_label_of_list(),
            Purpose::Records if self.known.column.is_some() => Ok(()),
            Purpose::Records => self.find_label_of_records(),
        }
    }

    /// Takes the named labels as one if they are equal, or if they are the number and the name of one class.
    fn join_labels(&mut self, is_given: bool) -> Result<(), Question> {
        let mut named = self.named.clone();
        if !is_given && self.are_elements() && self.table.is_whole && !self.table.rows.is_empty() {
            // A test part may have the column of the others.
            let empty = named.extract_if(.., |column| self.cells(*column).all(str::is_empty));
            for column in empty.collect::<Vec<_>>() {
                self.leave(column, Evidence::Content, "no values");
            }
        }
        let Some((first, others)) = named.split_first() else {
            return Ok(());
        };
        let mut label = *first;
        let mut names = None;
        for other in others {
            if self.cells(label).eq(self.cells(*other)) {
                let why = format!("the same as {}", self.called(label));
                self.leave(*other, Evidence::Content, &why);
                self.give(*other, Role::SameLabel);
                continue;
            }
            let kinds = (self.kind(label), self.kind(*other));
            let is_pair = names.is_none() && one_to_one(self.cells(label), self.cells(*other));
            match kinds {
                (Kind::Whole, Kind::Word) if is_pair => names = Some(*other),
                (Kind::Word, Kind::Whole) if is_pair => (label, names) = (*other, Some(label)),
                _ => {
                    let called = format!("{} and {}", self.called(label), self.called(*other));
                    let question =
                        Question::new(format!("{called} differ, and either may be the label"));
                    return Err([label, *other].into_iter().fold(question, |question, column| {
                        let option = ReadingOption::LabelColumn(self.option(column));
                        question.or(option, format!("for {}", self.called(column)))
                    }));
                }
            }
        }
        // A number that is not a label is a value, if labels are not read.
        let is_value = self.known.no_labels && !is_given && self.kind(label) == Kind::Decimal;
        self.label = Some(label).filter(|_| !is_value);
        if let Some(names) = names {
            self.give(names, Role::ClassName);
        }
        Ok(())
    }

    fn take_label(&mut self, label: usize, by: Evidence) -> Result<(), Question> {
        self.label = Some(label);
        self.give(label, Role::Label);
        if self.kind(label) == Kind::Decimal {
            let called = self.called(label);
            let is_decimal = |text: &&str| cell(text) == Cell::Decimal;
            let decimal = self.cells(label).find(is_decimal).unwrap_or_default();
            if decimal.eq_ignore_ascii_case("nan") {
                let sentence = format!(
                    "{called} has a missing label ({decimal}); add it, or remove the record"
                );
                return Err(Question::new(sentence));
            }
            let sentence =
                format!("{called} has decimals, and a label is a whole number or a name");
            let question = Question::new(sentence);
            return Err(match self.is_for_records() && self.known.label_column.is_none() {
                true => question.or(ReadingOption::NoLabels, "to keep it as a value"),
                false => question,
            });
        }
        if by != Evidence::Option && !self.known.no_labels {
            self.expect_one_spelling(label)?;
        }
        let is_only = self.roles.len() == 1 && self.name(label).is_none_or(str::is_empty);
        if !is_only && !self.known.no_labels {
            self.say(Subject::Labels, by, format!("label {}", self.called(label)));
        }
        Ok(())
    }

    /// Checks that no label is written with zeros before it and without them. A type may say that labels are texts.
    fn expect_one_spelling(&self, label: usize) -> Result<(), Question> {
        if self.kind(label) != Kind::Whole || self.table.is_typed {
            return Ok(());
        }
        let mut spellings: HashMap<i128, &str> = HashMap::new();
        let twice = self.cells(label).find_map(|cell| {
            let first = *spellings.entry(whole_number(cell)?).or_insert(cell);
            let is_padded = first.len() != cell.len() && are_digits(first) && are_digits(cell);
            is_padded.then_some((first, cell))
        });
        twice.map_or(Ok(()), |(one, other)| {
            let called = self.called(label);
            let (one, other) = (shown(one), shown(other));
            let sentence = format!("{called} has {one} and {other}; write them in one way");
            let option = ReadingOption::LabelColumn(self.option(label));
            Err(Question::new(sentence).or(option, "if both are the same number"))
        })
    }

    /// Finds the label of a list: its only column, a number with its name, one-hot columns, or words that occur
    /// again.
    fn find_label_of_list(&mut self) -> Result<(), Question> {
        let left = self.left();
        let texts: Vec<usize> =
            left.iter().copied().filter(|column| self.kind(*column).has_words()).collect();
        match (&left[..], &texts[..]) {
            ([one], _) if self.may_be_row_number(&left) == Some(*one) => {
                let why = "counts up by one before the names, and there is no other column for the labels";
                let question = Question::new(format!("{} {why}", self.called(*one)));
                let option = ReadingOption::LabelColumn(self.option(*one));
                return Err(question.or(option, "if it is the label"));
            }
            ([one], _) => return self.take_label(*one, Evidence::Content),
            ([one, two], [text]) => {
                let number = if one == text { *two } else { *one };
                if self.name_class(number, *text) {
                    return self.take_label(number, Evidence::Content);
                }
            }
            _ => {}
        }
        let other = self.not_one_hot(&left);
        if left.len() > 1 && other.is_none() && !self.table.rows.is_empty() {
            self.one_hot = true;
            left.iter().for_each(|column| self.give(*column, Role::Label));
            let text = format!("{} are one-hot labels", counted(left.len() as u64, "column"));
            self.say(Subject::Labels, Evidence::Content, text);
            return Ok(());
        }
        if let [text] = texts[..]
            && !are_distinct(self.cells(text))
        {
            return self.take_label(text, Evidence::Content);
        }
        let mut may_be: Vec<usize> =
            left.iter().copied().filter(|column| self.is_near(*column)).collect();
        if may_be.is_empty() {
            may_be = left;
        }
        if may_be.is_empty() {
            let message = "there is no column of labels beside the names; write lines like 0.png,7";
            return Err(Question::new(message));
        }
        let sentence = match other {
            Some(row @ 1..) if may_be.len() > 1 => format!(
                "record {row} has not a single 1 and otherwise 0, as one-hot labels have; correct it, or choose the label"
            ),
            _ => self.may_be_label(&may_be, ""),
        };
        Err(self.ask_label(sentence, &may_be))
    }

    /// Returns the first row that is not a single 1 and otherwise 0.
    fn not_one_hot(&self, columns: &[usize]) -> Option<usize> {
        let rows = &self.table.rows;
        (0..rows.len()).find(|row| {
            let mut ones = 0;
            let are_bits =
                columns.iter().all(|column| match whole_number(rows.cell(*row, *column)) {
                    Some(bit @ (0 | 1)) => {
                        ones += bit;
                        true
                    }
                    _ => false,
                });
            !are_bits || ones != 1
        })
    }

    /// Returns the question of which of these columns is the label.
    fn ask_label(&self, sentence: String, columns: &[usize]) -> Question {
        const SHOWN: usize = 3;
        let question =
            columns.iter().take(SHOWN).fold(Question::new(sentence), |question, column| {
                let option = ReadingOption::LabelColumn(self.option(*column));
                question.or(option, format!("if {} is the label", self.called(*column)))
            });
        match self.is_for_records() {
            true => question.or(ReadingOption::NoLabels, "if there is none"),
            false => question,
        }
    }

    /// Finds the label of records: the only words that occur again, or a column that is asked about.
    fn find_label_of_records(&mut self) -> Result<(), Question> {
        let left = self.left();
        // The only column is the records.
        if self.roles.len() == 1 {
            return Ok(());
        }
        let is_record = |column: &usize| Some(*column) != self.record;
        if self.record.is_some() {
            // Columns of other types than numbers and texts have no cells, and are not labels.
            let may_be = |column: &usize| is_record(column) && self.kind(*column) != Kind::Empty;
            let others: Vec<usize> = left.iter().copied().filter(may_be).collect();
            if others.is_empty() || self.known.no_labels {
                return Ok(());
            }
            return Err(self.ask_label(self.may_be_label(&others, ""), &others));
        }
        let is_text = |column: &usize| self.kind(*column).has_words();
        let texts: Vec<usize> = left.iter().copied().filter(is_text).collect();
        let near: Vec<usize> =
            left.iter().copied().filter(|column| self.is_near(*column)).collect();
        if let [text] = texts[..]
            && left.len() > 1
            && self.kind(text) == Kind::Word
            && near.iter().all(|column| *column == text)
            && !are_distinct(self.cells(text))
            && !self.cells(text).all(is_date)
            // Words that say the part of each record.
            && !self.cells(text).all(is_part)
        {
            return self.take_label(text, Evidence::Content);
        }
        // Words are not numbers of records.
        if self.known.no_labels || !texts.is_empty() && near.is_empty() {
            return Ok(());
        }
        let length = |shape: &[u32]| {
            shape
                .iter()
                .try_fold(1_usize, |length, size| length.checked_mul(usize::try_from(*size).ok()?))
        };
        let length = self.known.shape.and_then(length);
        if length == Some(left.len()) {
            return Ok(());
        }
        let (may_be, why) = match &near[..] {
            [] if length.is_some_and(|length| length + 1 == left.len()) => (
                self.edges(&left),
                ", because there is one number more than the shape has".to_string(),
            ),
            [] => match self.beside_pixels(&left) {
                Some(beside) => (beside, ", beside the pixels of a picture".to_string()),
                None => self.edges_without_names(&left),
            },
            _ => (near, String::new()),
        };
        // Numbers that count up are asked about first, whatever else they may be.
        if !why.is_empty() || may_be.is_empty() {
            self.expect_no_row_number(&left)?;
        }
        match may_be.is_empty() {
            true => Ok(()),
            false => Err(self.ask_label(self.may_be_label(&may_be, &why), &may_be)),
        }
    }

    fn may_be_label(&self, columns: &[usize], why: &str) -> String {
        let called: Vec<String> =
            columns.iter().take(3).map(|column| self.called(*column)).collect();
        let more = if called.len() < columns.len() { ", .." } else { "" };
        format!("{}{more} may be the label{why}", called.join(" or "))
    }

    /// Returns the first column and the last one.
    fn edges(&self, left: &[usize]) -> Vec<usize> {
        let mut edges: Vec<usize> =
            [left.first(), left.last()].into_iter().flatten().copied().collect();
        edges.dedup();
        edges
    }

    /// Returns the columns beside pixels of a square picture, which are known by their names.
    fn beside_pixels(&self, left: &[usize]) -> Option<Vec<usize>> {
        const MOST: usize = 3;
        self.table.names.as_ref()?;
        let of = |is: fn(&str) -> bool| -> (usize, Vec<usize>) {
            let pixels = left.iter().filter(|column| self.says(**column, is)).count();
            let others = left.iter().copied().filter(|column| !self.says(*column, is));
            (pixels, others.take(MOST + 1).collect())
        };
        let (mut pixels, mut others) = of(is_pixel);
        if pixels == 0 && left.len() > SMALLEST_PICTURE {
            (pixels, others) = of(are_digits);
        }
        let is_beside = is_square(pixels) && (1..=MOST).contains(&others.len());
        is_beside.then_some(others)
    }

    /// Returns the columns of a table without names that may be the label: beside a square picture, or whole numbers
    /// beside decimals.
    fn edges_without_names(&self, left: &[usize]) -> (Vec<usize>, String) {
        if self.table.names.is_some() || left.len() < 2 {
            return (Vec::new(), String::new());
        }
        let edges = self.edges(left);
        let pixels = left.len() - 1;
        if pixels >= SMALLEST_PICTURE && is_square(pixels) {
            let side = pixels.isqrt();
            let why =
                format!(", because there is one number more than a picture of {side} x {side} has");
            return (edges, why);
        }
        let is_whole = |column: &usize| self.kind(*column) == Kind::Whole;
        let others_are_decimals = |edge: &usize| {
            left.iter().all(|column| column == edge || self.kind(*column) == Kind::Decimal)
        };
        let mut whole =
            edges.into_iter().filter(|edge| is_whole(edge) && others_are_decimals(edge));
        match whole.next().filter(|_| self.table.rows.len() > 1) {
            Some(whole) => (vec![whole], ", because only it has whole numbers".to_string()),
            None => (Vec::new(), String::new()),
        }
    }
}

/// Asks about a column that was the same as the label in all rows so far.
pub(crate) fn ask_other_label(label: Column, other: Column) -> Question {
    let sentence =
        format!("{other} was the same as the label in {label}, and is not here; choose one");
    Question::new(sentence)
        .or(ReadingOption::LabelColumn(label), "for the first")
        .or(ReadingOption::LabelColumn(other), "for this one")
}

fn is_square(number: usize) -> bool {
    number > 3 && number.isqrt().pow(2) == number
}
