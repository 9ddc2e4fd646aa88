//! The column of the labels: by option or name, by the content, or asked about.

use std::collections::{HashMap, HashSet};

use crate::answer::{Column, ReadingOption};
use crate::reading::cell::{
    Kind, are_distinct, bit, is_amount, is_date, is_number, is_picture, one_to_one, whole_number,
};
use crate::reading::question::Question;
use crate::reading::roles::names::{are_digits, is_group, is_pixel, is_row_number};
use crate::reading::roles::{Columns, Purpose, Role, SHOWN};
use crate::reading::skip::skip;
use crate::reading::spelling::{shown, words};
use crate::reading::words::is_part;
use crate::reading::{Evidence, Subject};
use idx_std::__private::{byte_size, counted};

/// The fewest pixels of a picture that is recognized next to its label, without names of columns.
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
            // A later part may lack the label that an option names.
            Purpose::Records if self.known.column.is_some() || is_given => Ok(()),
            Purpose::Records => self.find_label_of_records(),
        }
    }

    /// Joins the named labels if they are equal, or if they are the number and the name of one class.
    fn join_labels(&mut self, is_given: bool) -> Result<(), Question> {
        let mut named = self.named.clone();
        let may_be_empty = self.are_elements() && (!is_given || self.known.may_lack);
        if may_be_empty && self.table.is_whole && !self.table.rows.is_empty() {
            // A test part may have the column of the other parts, without values.
            let empty = named.extract_if(.., |column| {
                Some(*column) != self.table.list_of_labels && self.cells(*column).all(str::is_empty)
            });
            for column in empty.collect::<Vec<_>>() {
                self.leave(column, Evidence::Content, "no values");
            }
        }
        // Numbers come first: the words may be their names.
        named.sort_by_key(|column| self.kind(*column) != Kind::Whole);
        let Some((label, others)) = named.split_first() else {
            return Ok(());
        };
        let label = *label;
        let mut names = None;
        for other in others {
            if self.cells(label).eq(self.cells(*other)) {
                let why = format!("the same as {}", self.called(label));
                self.leave(*other, Evidence::Content, &why);
                self.give(*other, Role::SameLabel);
                continue;
            }
            let is_pair = (self.kind(label), self.kind(*other)) == (Kind::Whole, Kind::Word)
                && one_to_one(self.cells(label), self.cells(*other));
            if is_pair && names.is_none() {
                names = Some(*other);
            } else if self.known.no_labels {
                self.leave(*other, Evidence::Option, "a label");
            } else {
                return Err(self.ask_label(&[label, *other], ", and they differ"));
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
        let is_checked = by != Evidence::Option && !self.known.no_labels;
        let why = match self.kind(label) {
            Kind::Decimal => "has decimals, and a label is a whole number or a name",
            Kind::Numbers if is_checked => {
                "has several labels in a cell; write one for each record"
            }
            _ => "",
        };
        if !why.is_empty() {
            let question = Question::new(format!("{} {why}", self.called(label)));
            let question = match self.known.label_column {
                None => self.or_no_labels(question),
                Some(_) => question,
            };
            return Err(self.no_label().unwrap_or(question));
        }
        if is_checked && let Some(question) = self.other_spelling(label) {
            return Err(question);
        }
        let is_only = self.roles.len() == 1 && self.name(label).is_none_or(str::is_empty);
        if !is_only && !self.known.no_labels {
            self.say(Subject::Labels, by, format!("label {}", self.called(label)));
        }
        Ok(())
    }

    /// Asks about a number that is written in two ways, such as `1` and `01`, or `10` and `1e1`, unless a type says
    /// that the labels are texts.
    fn other_spelling(&self, label: usize) -> Option<Question> {
        let mut spellings: HashMap<i128, &str> = HashMap::new();
        let mut twice = |cell| {
            let first = *spellings.entry(whole_number(cell)?).or_insert(cell);
            // `1.0` and `1` are one number.
            let is_code = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
            (first != cell && is_code(first) && is_code(cell)).then_some((first, cell))
        };
        let are_numbers = self.kind(label) == Kind::Whole && !self.table.is_typed;
        let (one, other) = self.cells(label).filter(|_| are_numbers).find_map(&mut twice)?;
        let (called, one, other) = (self.called(label), shown(one), shown(other));
        let sentence = format!("{called} has {one} and {other}; write them in one way");
        Some(Question::new(sentence).or(self.as_label(label), "if both are the same number"))
    }

    /// Finds the label of a list: its only column, a number with its name, one-hot columns, or words that occur again.
    fn find_label_of_list(&mut self) -> Result<(), Question> {
        let (left, texts) = (self.left(), self.texts());
        let has_key = self.roles.contains(&Some(Role::Key));
        match (&left[..], &texts[..]) {
            ([one], _) => {
                let Some(why) = self.why_no_label(*one).filter(|_| has_key) else {
                    return self.take_label(*one, Evidence::Content);
                };
                return Err(self.ask_label(&[*one], &format!(", but {why}")));
            }
            ([one, two], [text]) => {
                let number = if one == text { *two } else { *one };
                if self.name_class(number, *text) {
                    return self.take_label(number, Evidence::Content);
                }
            }
            _ => {}
        }
        let hot = if self.are_one_hot(&left) { Some(left.clone()) } else { self.one_hot_columns() };
        if let Some(labels) = hot {
            self.take_one_hot(&labels);
            return Ok(());
        }
        if let Some(text) = self.only_words(&texts).filter(|text| self.are_several(*text)) {
            return self.take_label(text, Evidence::Content);
        }
        let mut may_be = self.near();
        if may_be.is_empty() {
            may_be = left;
        }
        if may_be.is_empty() {
            // Such as numbers that name the pictures as well.
            let is_unread = |column: &usize| {
                let is_left_out = self.roles.get(*column) == Some(&Some(Role::LeftOut));
                is_left_out && !self.skipped.contains(column)
            };
            let unread: Vec<usize> = (0..self.roles.len()).filter(is_unread).collect();
            let message =
                "there is no column of labels next to the names; write lines like 0.png,7";
            return Err(match unread.is_empty() {
                true => self.or_without_list(Question::new(message)),
                false => self.ask_label(&unread, ", because there is no other besides the names"),
            });
        }
        let first = may_be.first().copied();
        if let Some(first) = first.filter(|_| !may_be.iter().any(|may| self.may_be_label(*may))) {
            // Its error says why.
            return self.take_label(first, Evidence::Content);
        }
        let why = match self.not_one_hot(&self.left()) {
            Some(row @ 1..) if may_be.len() > 1 => {
                format!(", because {} is not one-hot, a single 1 and zeros", self.record_in(row))
            }
            _ => String::new(),
        };
        Err(self.ask_label(&may_be, &why))
    }

    /// Checks that the labels of a list are not all in one line, as programs write a row, or as the objects in a
    /// picture are.
    pub(super) fn expect_lines(&self) -> Result<(), Question> {
        let lines = self.table.rows.len() + usize::from(self.table.names.is_some());
        let width = self.roles.len();
        let is_row = self.purpose == Purpose::Labels
            && self.known.count != Some(1)
            && lines == 1
            && width > SHOWN
            && self.named.is_empty()
            && !self.table.rows.row(0).any(is_picture)
            && !self.are_one_hot(&self.left());
        match is_row {
            true => Err(self.or_without_list(Question::new(format!(
                "there is one line, of {width} cells; write one label in each line"
            )))),
            false => Ok(()),
        }
    }

    fn take_one_hot(&mut self, columns: &[usize]) {
        self.one_hot = true;
        columns.iter().for_each(|column| self.give(*column, Role::Label));
        if !self.known.no_labels {
            let text = format!("{} are one-hot labels", counted(columns.len() as u64, "column"));
            self.say(Subject::Labels, Evidence::Content, text);
        }
    }

    /// Returns the columns whose names say that they may be labels, such as `label_0` and `label_1`, if their first
    /// word is the same and they are one-hot.
    pub(super) fn one_hot_columns(&self) -> Option<Vec<usize>> {
        let near = self.near();
        let word = |column: &usize| words(self.name(*column)?).into_iter().next();
        let are_alike = || near.iter().map(word).all(|found| found == near.first().and_then(word));
        (near.len() > 1 && are_alike() && self.are_one_hot(&near)).then_some(near)
    }

    /// Returns the only column of words, if some occur again and they are neither ids, dates, amounts nor parts.
    pub(super) fn only_words(&self, texts: &[usize]) -> Option<usize> {
        let [text] = *texts else {
            return None;
        };
        let cells = || self.cells(text);
        let is_value = |cell: &str| is_date(cell) || is_amount(cell);
        let is_id = self.says(text, is_row_number) || self.says(text, is_group);
        let is_other =
            is_id || are_distinct(cells()) || cells().all(is_value) || cells().all(is_part);
        (!is_other).then_some(text)
    }

    /// Returns whether a column has several values: a single word next to numbers may be anything.
    pub(super) fn are_several(&self, column: usize) -> bool {
        let first = self.cells(column).next();
        self.cells(column).any(|cell| Some(cell) != first)
    }

    /// Returns why the only column next to the names of pictures may not be the label.
    fn why_no_label(&self, column: usize) -> Option<&'static str> {
        if self.cells(column).all(is_part) {
            Some("it names parts of a data set")
        } else if self.may_begin_with_row_number() {
            Some("it counts up by one before the names")
        } else if self.are_different_texts(column) {
            Some("it has another text for each picture, as captions and ids have")
        } else {
            None
        }
    }

    /// Returns whether a column has a different text in each of many rows, or in most rows if most texts have several
    /// words.
    fn are_different_texts(&self, column: usize) -> bool {
        const MANY: usize = 20;
        let (texts, rows): (HashSet<&str>, _) =
            (self.cells(column).collect(), self.table.rows.len());
        let is_long = |text: &&&str| text.split_whitespace().nth(2).is_some();
        let are_long = || 2 * texts.iter().filter(is_long).count() > texts.len();
        texts.len() == rows && rows >= MANY
            || texts.len() > 2 && 2 * texts.len() > rows && are_long()
    }

    /// Returns whether there are rows, and each has a single 1 and zeros in these columns.
    fn are_one_hot(&self, columns: &[usize]) -> bool {
        !self.table.rows.is_empty() && self.not_one_hot(columns).is_none()
    }

    /// Returns the first row that does not have a single 1 and zeros.
    fn not_one_hot(&self, columns: &[usize]) -> Option<usize> {
        let rows = &self.table.rows;
        (0..rows.len()).find(|row| {
            let bits = columns.iter().map(|column| bit(rows.cell(*row, *column)));
            let mut others = bits.filter(|bit| *bit != Some(false));
            (others.next(), others.next()) != (Some(Some(true)), None)
        })
    }

    /// Returns whether the cells of a column may be labels.
    fn may_be_label(&self, column: usize) -> bool {
        !matches!(self.kind(column), Kind::Decimal | Kind::Numbers)
    }

    /// Returns the question whether one of these columns is the label, with the reason.
    fn ask_label(&self, columns: &[usize], why: &str) -> Question {
        let may_be_label = |column: &usize| self.may_be_label(*column);
        let mut labels: Vec<usize> = columns.iter().copied().filter(may_be_label).collect();
        if labels.is_empty() {
            labels.extend(columns);
        }
        let called = self.called_all(&labels, " or ");
        let question = Question::new(format!("{called} may be the label{why}"));
        self.or_no_labels(self.or_one_of(question, &labels))
    }

    /// Adds the answers that one of these columns is the label.
    pub(super) fn or_one_of(&self, question: Question, columns: &[usize]) -> Question {
        columns.iter().take(SHOWN).fold(question, |question, column| {
            question.or(self.as_label(*column), format!("if {} is the label", self.called(*column)))
        })
    }

    /// Adds the answer that there is no label: among records, or in a list in a folder of pictures.
    fn or_no_labels(&self, question: Question) -> Question {
        match self.is_for_records() {
            true => question.or(ReadingOption::NoLabels, "if there is none"),
            false => self.or_without_list(question),
        }
    }

    /// Adds the answer that leaves out the list in a folder of pictures.
    pub(super) fn or_without_list(&self, question: Question) -> Question {
        match self.known.list {
            Some(list) => question.or(skip([list]), "if the list has no labels"),
            None => question,
        }
    }

    /// Finds the label of records: the only words that occur again, or a column that is asked about.
    fn find_label_of_records(&mut self) -> Result<(), Question> {
        // If there is only one column, it has the records.
        if self.roles.len() == 1 {
            return Ok(());
        }
        if let Some(labels) = self.one_hot_columns() {
            self.take_one_hot(&labels);
            return Ok(());
        }
        if let Some(record) = self.record {
            return self.expect_no_label_next_to(record);
        }
        let (left, texts, near) = (self.left(), self.texts(), self.near());
        if let Some(text) = self.only_words(&texts)
            && left.len() > 1
            && self.kind(text) == Kind::Word
            && near.iter().all(|column| *column == text)
            && (self.are_several(text) || !near.is_empty())
        {
            return self.take_label(text, Evidence::Content);
        }
        // Words are not numbers of records, and are asked about later.
        if self.known.no_labels || !texts.is_empty() && near.is_empty() {
            return Ok(());
        }
        match self.more_than_shape(&left) {
            Some(0) => Ok(()),
            _ if !near.is_empty() => Err(self.ask_label(&near, "")),
            _ => self.find_label_among_numbers(&left),
        }
    }

    /// Checks that no column next to that of the records may be the label.
    fn expect_no_label_next_to(&self, record: usize) -> Result<(), Question> {
        // Columns of types other than numbers and texts have no cells, and are not labels.
        let others = self.left_where(|column| {
            column != record && self.kind(column) != Kind::Empty && self.may_be_label(column)
        });
        match others.is_empty() || self.known.no_labels {
            true => Ok(()),
            false => Err(self.ask_label(&others, "")),
        }
    }

    /// Returns how many more columns there are than the given shape has.
    fn more_than_shape(&self, left: &[usize]) -> Option<usize> {
        let shape = self.known.shape?.iter().copied().map(u64::from);
        left.len().checked_sub(usize::try_from(byte_size(1, shape)?).ok()?)
    }

    /// Finds the label among numbers: one-hot last columns, or a column that is asked about.
    fn find_label_among_numbers(&mut self, left: &[usize]) -> Result<(), Question> {
        let more = self.more_than_shape(left);
        if let Some(labels) = more.and_then(|more| self.last_one_hot(left, more)) {
            self.take_one_hot(labels);
            let shape = self.known.shape.unwrap_or_default();
            self.state(ReadingOption::Shape(shape.to_vec()));
            return Ok(());
        }
        // Numbers that count up are asked about first, whatever else they may be.
        self.expect_no_row_number()?;
        let found = match more {
            Some(1) => {
                let why = ", because there is one number more than the shape has";
                Some((self.edges(left), why.to_string()))
            }
            _ => self.beside_pixels(left).or_else(|| self.edges_without_names(left)),
        };
        let question = match found {
            Some((may_be, why)) if !may_be.is_empty() => Some(self.ask_label(&may_be, &why)),
            _ if more.is_none() => self.ask_one_hot(left),
            _ => None,
        };
        question.map_or(Ok(()), Err)
    }

    /// Returns the last `count` columns, if they are several and one-hot.
    fn last_one_hot<'a>(&self, left: &'a [usize], count: usize) -> Option<&'a [usize]> {
        let hot = left.get(left.len().checked_sub(count)?..)?;
        let are_several = count > 1 && self.table.rows.len() > 1;
        (are_several && self.are_one_hot(hot)).then_some(hot)
    }

    /// Asks about the last columns of a table without names, if they are one-hot and the others form a square picture.
    fn ask_one_hot(&self, left: &[usize]) -> Option<Question> {
        if self.table.names.iter().flatten().any(|name| !is_number(name)) {
            return None;
        }
        let most = left.len().checked_sub(SMALLEST_PICTURE)?;
        let (side, count) = (2..=most).find_map(|count| {
            let side = side_of_square(left.len() - count)?;
            self.last_one_hot(left, count).map(|_| (side, count))
        })?;
        let side = u32::try_from(side).ok()?;
        let sentence = format!(
            "the last {count} columns are one-hot, as labels are, next to a picture of {side} x {side}"
        );
        Some(
            Question::new(sentence)
                .or(ReadingOption::Shape(vec![side, side]), "if they are the labels")
                .or(ReadingOption::NoLabels, "if there are none"),
        )
    }

    /// Returns the columns that are not pixels, by their names, if the others form a square picture.
    fn beside_pixels(&self, left: &[usize]) -> Option<(Vec<usize>, String)> {
        const MOST: usize = 3;
        self.table.names.as_ref()?;
        let is_pixel = |column: &usize| self.says(*column, is_pixel);
        let has_pixels = left.iter().any(is_pixel);
        let is_beside = |column: &usize| match has_pixels {
            true => !is_pixel(column),
            false => !self.says(*column, are_digits),
        };
        let others: Vec<usize> = left.iter().copied().filter(is_beside).collect();
        let pixels = left.len() - others.len();
        let is_picture = has_pixels || pixels >= SMALLEST_PICTURE;
        let is_square = is_picture && side_of_square(pixels).is_some();
        let is_found = is_square && (1..=MOST).contains(&others.len());
        is_found.then(|| (others, ", next to the pixels of a picture".to_string()))
    }

    /// Returns the columns that may be the label in a table without names, or with numbers as names: next to a square
    /// picture, or whole numbers among decimals.
    fn edges_without_names(&self, left: &[usize]) -> Option<(Vec<usize>, String)> {
        let pixels = left.len().checked_sub(1).filter(|pixels| *pixels > 0)?;
        if self.table.names.iter().flatten().any(|name| !is_number(name)) {
            return None;
        }
        if let Some(side) = side_of_square(pixels).filter(|_| pixels >= SMALLEST_PICTURE) {
            let why =
                format!(", because there is one number more than a picture of {side} x {side} has");
            return Some((self.edges(left), why));
        }
        let others_are_decimals = |edge: &usize| {
            left.iter().all(|column| column == edge || self.kind(*column) == Kind::Decimal)
        };
        let is_label = |edge: &usize| self.kind(*edge) == Kind::Whole && others_are_decimals(edge);
        let label = self.edges(left).into_iter().find(is_label);
        let label = label.filter(|_| self.table.rows.len() > 1)?;
        Some((vec![label], ", because only it has whole numbers".to_string()))
    }

    /// Returns the first and the last of some columns, without decimals, which are not labels.
    fn edges(&self, columns: &[usize]) -> Vec<usize> {
        let edges = match columns {
            [first, .., last] => vec![*first, *last],
            _ => columns.to_vec(),
        };
        edges.into_iter().filter(|edge| self.kind(*edge) != Kind::Decimal).collect()
    }
}

/// Asks about a column that was the same as the label in all rows before this one.
pub(crate) fn ask_other_label(label: Column, other: Column) -> Question {
    let sentence =
        format!("{other} was the same as the label in {label}, and is not here; choose one");
    Question::new(sentence)
        .or(ReadingOption::LabelColumn(label), "for the first")
        .or(ReadingOption::LabelColumn(other), "for this one")
}

/// Returns the side of a square of this many pixels, at least 4.
pub(crate) fn side_of_square(pixels: usize) -> Option<usize> {
    let side = pixels.isqrt();
    (side > 1 && side * side == pixels).then_some(side)
}
