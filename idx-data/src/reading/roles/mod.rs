//! The roles of the columns of a table: label, name of the class, key, number of a record. The first matching rule
//! decides.

pub(crate) mod names;
pub(crate) mod key;
pub(crate) mod row_numbers;
pub(crate) mod label;
mod values;
#[cfg(test)]
#[cfg(feature = "csv")]
mod tests;

use std::path::Path;
use std::sync::Arc;

use crate::answer::{Column, ReadingOption};
use crate::reading::cell::{Kind, Profile, are_distinct, profiles};
use crate::reading::question::Question;
use crate::reading::skip::{NONE, and_skip, keeps_others};
use crate::reading::spelling::shown;
use crate::reading::table::Table;
use crate::reading::words::listed;
use crate::reading::{Evidence, Said, Subject};
use idx_std::__private::counted;
use names::{is_label, is_near_label, is_y};

/// The purpose for which a table is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Records,
    /// The labels of records that are elsewhere.
    Labels,
}

/// Finds the picture that a cell names; the error is the number of pictures that it may name.
pub(crate) type Find<'a> = dyn Fn(&str) -> Result<usize, usize> + 'a;

/// Columns by which the rows of two tables are compared, with the first cells of each.
pub(crate) type Keys = Arc<[(String, Vec<String>)]>;

/// The facts that are known apart from the table: options, and the records to which labels belong.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    pub(crate) header: Option<bool>,
    pub(crate) label_column: Option<&'a Column>,
    /// The only column of the records.
    pub(crate) column: Option<&'a Column>,
    /// The columns that an option leaves out; an empty list leaves out nothing, not even row numbers.
    pub(crate) skip: Option<&'a [Column]>,
    pub(crate) no_labels: bool,
    pub(crate) find: Option<&'a Find<'a>>,
    /// The pictures that the labels are for, in their order.
    pub(crate) pictures: &'a [&'a Path],
    /// The name of a list of labels that was found in the folder of the pictures.
    pub(crate) list: Option<&'a str>,
    /// The number of records that the labels are for.
    pub(crate) count: Option<u64>,
    /// The columns that name the records of these labels: their names and first cells.
    pub(crate) keys: &'a [(String, Vec<String>)],
    /// The shape of a record.
    pub(crate) shape: Option<&'a [u32]>,
    /// True if options may name columns that only other tables have: for a part of a set, one of several inputs, or
    /// records with their labels in another file. The first part must have the label that an option names.
    pub(crate) may_lack: bool,
}

/// The role of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Numbers of the records.
    Element,
    /// The label; one of several columns if they are one-hot.
    Label,
    /// The name of the class that the label numbers.
    ClassName,
    /// The name of the picture that the label is for, or the number of the record, which must rise.
    Key,
    /// The same as the label, in each row.
    SameLabel,
    /// Numbers of the rows, which rise, and are left out.
    RowNumber,
    /// No values: no row has one.
    Empty,
    LeftOut,
}

/// The roles of all columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    pub(crate) columns: Vec<Role>,
    /// The column of the labels; none for one-hot columns.
    pub(crate) label: Option<usize>,
    /// True if the columns of the label are one-hot: a single 1 in each row, and zeros.
    pub(crate) one_hot: bool,
    /// True if the labels are words in the sample.
    pub(crate) words: bool,
    /// The columns of the records with the words True and False for 1 and 0.
    pub(crate) bits: Vec<usize>,
    pub(crate) said: Said,
}

impl Roles {
    /// Returns the columns of a role.
    pub(crate) fn all(&self, role: Role) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter(move |(_, found)| **found == role).map(|(column, _)| column)
    }

    /// Returns the first column of a role.
    pub(crate) fn position(&self, role: Role) -> Option<usize> {
        self.all(role).next()
    }

    /// Returns the columns that name the rows and are left out, by which other tables can be compared with this one.
    pub(crate) fn keys(&self, table: &Table) -> Keys {
        const MOST: usize = 3;
        let cells = |column: usize| table.rows.start_of_column(column);
        let key = |column: usize| {
            let name = table.names.as_ref()?.get(column)?.clone();
            are_distinct(cells(column)).then(|| (name, cells(column).map(str::to_string).collect()))
        };
        let columns = self.columns.iter().enumerate();
        let left = columns.filter(|(_, role)| matches!(role, Role::RowNumber | Role::LeftOut));
        left.filter_map(|(column, _)| key(column)).take(MOST).collect()
    }
}

/// Gives each column its role.
pub(crate) fn roles(table: &Table, purpose: Purpose, known: &Known<'_>) -> Result<Roles, Question> {
    let mut columns = Columns::new(table, purpose, known)?;
    columns.expect_order()?;
    columns.skip()?;
    columns.expect_lines()?;
    columns.find_key()?;
    columns.leave_row_numbers()?;
    columns.find_label()?;
    columns.name_classes()?;
    columns.expect_rising()?;
    columns.check_values()?;
    Ok(columns.finish())
}

/// Returns the column that an option names, of `count` columns; an error if there is none, or if several have its name.
pub(crate) fn position(
    column: &Column,
    names: Option<&[String]>,
    count: usize,
    option: fn(Column) -> ReadingOption,
) -> Result<usize, Question> {
    let sentence = match (column, names) {
        (Column::Index(index), _) if *index < count => return Ok(*index),
        (Column::Index(index), _) => {
            format!("there is no column {index}; the table has {count}, counted from 0")
        }
        (Column::Name(name), None) => format!(
            "there is no column `{}`, because the columns have no names; count them from 0",
            shown(name)
        ),
        (Column::Name(name), Some(names)) => {
            let found = names.iter().enumerate().filter(|(_, found)| *found == name);
            let found: Vec<usize> = found.map(|(index, _)| index).collect();
            let name = shown(name);
            if let [one] = found[..] {
                return Ok(one);
            }
            if let [_, ..] = found[..] {
                let columns = counted(found.len() as u64, "column");
                let sentence = format!("{columns} are called `{name}`; count them from 0");
                let answers = found.into_iter().map(|index| option(Column::Index(index)));
                return Err(answers.fold(Question::new(sentence), |asked, one| asked.or(one, "")));
            }
            let names = listed(names.iter().map(String::as_str), 8);
            format!("there is no column `{name}`; choose another: {names}")
        }
    };
    Err(Question::new(sentence))
}

/// The number of columns that a sentence lists.
const SHOWN: usize = 3;

/// The columns of a table while they get their roles.
struct Columns<'a> {
    table: &'a Table,
    purpose: Purpose,
    known: &'a Known<'a>,
    profiles: Vec<Profile>,
    roles: Vec<Option<Role>>,
    /// The only column of the records, if there is one.
    record: Option<usize>,
    /// The columns that are labels by option or by their names.
    named: Vec<usize>,
    label: Option<usize>,
    one_hot: bool,
    bits: Vec<usize>,
    said: Said,
    /// The columns that are left out, and that the option `skip` states.
    skipped: Vec<usize>,
}

impl<'a> Columns<'a> {
    fn new(table: &'a Table, purpose: Purpose, known: &'a Known<'a>) -> Result<Self, Question> {
        let names = table.names.as_ref().map_or(0, Vec::len);
        let mut profiles = profiles(&table.rows, 0);
        let width = names.max(profiles.len());
        profiles.resize(width, Profile { kind: Kind::Empty, missing: None });
        let mut columns = Self {
            table,
            purpose,
            known,
            roles: vec![None; width],
            profiles,
            record: None,
            named: Vec::new(),
            label: None,
            one_hot: false,
            bits: Vec::new(),
            said: table.said.clone(),
            skipped: Vec::new(),
        };
        columns.record = columns.record()?;
        columns.named = columns.named_labels()?;
        if columns.named.len() == 1 && columns.named.first() == columns.record.as_ref() {
            let message = "one column cannot have both the records and the labels; choose another";
            return Err(Question::new(message));
        }
        Ok(columns)
    }

    fn is_for_records(&self) -> bool {
        self.purpose == Purpose::Records
    }

    /// Returns whether the numbers of a record are cells of its row.
    fn are_elements(&self) -> bool {
        self.is_for_records() && self.record.is_none()
    }

    fn has_labels(&self) -> bool {
        self.label.is_some() || self.one_hot
    }

    /// Returns the columns that have no role yet.
    fn left(&self) -> Vec<usize> {
        self.left_where(|_| true)
    }

    /// Returns the columns of words that have no role yet.
    fn texts(&self) -> Vec<usize> {
        self.left_where(|column| self.kind(column).has_words())
    }

    /// Returns the columns without a role whose names say that they may be labels.
    fn near(&self) -> Vec<usize> {
        self.left_where(|column| self.is_near(column))
    }

    /// Returns the columns without a role for which this is true. There may be millions, so the list takes no more
    /// memory than it needs.
    fn left_where(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let left = self.roles.iter().enumerate().filter(|(_, role)| role.is_none());
        let left = left.map(|(column, _)| column).filter(|column| is_wanted(*column));
        let mut columns = Vec::with_capacity(left.clone().count());
        columns.extend(left);
        columns
    }

    fn cells(&self, column: usize) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        self.table.rows.column(column)
    }

    fn kind(&self, column: usize) -> Kind {
        self.profiles.get(column).map_or(Kind::Empty, |profile| profile.kind)
    }

    fn name(&self, column: usize) -> Option<&'a str> {
        self.table.names.as_ref()?.get(column).map(String::as_str)
    }

    /// Returns how a sentence names a column.
    fn called(&self, column: usize) -> String {
        match self.name(column) {
            Some(name) if !name.is_empty() => format!("`{}`", shown(name)),
            _ => format!("column {column}"),
        }
    }

    /// Returns a column as the value of an option: its name, if no other column has it.
    fn option(&self, column: usize) -> Column {
        Column::of(self.table.names.as_deref().unwrap_or_default(), column)
    }

    /// Returns how a sentence names the record in a row: by its cells if it is from further below, where rows are not
    /// counted.
    fn record_in(&self, row: usize) -> String {
        let rows = &self.table.rows;
        match rows.is_from_start(row) {
            true => format!("record {row}"),
            false => format!("the record {}", shown(&rows.row(row).collect::<Vec<_>>().join(","))),
        }
    }

    fn as_label(&self, column: usize) -> ReadingOption {
        ReadingOption::LabelColumn(self.option(column))
    }

    /// Returns the option that leaves out these columns besides those that the user names.
    fn without(&self, columns: &[usize]) -> ReadingOption {
        and_skip(self.known.skip, columns.iter().map(|column| self.option(*column)))
    }

    /// Returns the option that leaves out nothing but the columns that the user names.
    fn without_others(&self) -> ReadingOption {
        match self.known.skip {
            Some(given @ [_, ..]) => ReadingOption::Skip([&[Column::from(NONE)], given].concat()),
            _ => ReadingOption::SkipNone,
        }
    }

    /// Returns how a sentence names the first of some columns.
    fn called_all(&self, columns: &[usize], between: &str) -> String {
        let shown = columns.iter().take(SHOWN).map(|column| self.called(*column));
        let more = if columns.len() > SHOWN { ", .." } else { "" };
        shown.collect::<Vec<_>>().join(between) + more
    }

    /// Returns whether a column has a name for which `what` is true.
    fn says(&self, column: usize, what: fn(&str) -> bool) -> bool {
        self.name(column).is_some_and(what)
    }

    fn is_near(&self, column: usize) -> bool {
        self.says(column, is_near_label) || self.says(column, is_y) && !self.has_x()
    }

    fn has_x(&self) -> bool {
        self.table.names.iter().flatten().any(|name| name.eq_ignore_ascii_case("x"))
    }

    fn give(&mut self, column: usize, role: Role) {
        if let Some(given) = self.roles.get_mut(column) {
            *given = Some(role);
        }
    }

    fn state(&mut self, option: ReadingOption) {
        self.said.options.push(option);
    }

    fn say(&mut self, subject: Subject, by: Evidence, text: String) {
        self.said.say(subject, by, text);
    }

    /// Leaves a column out, as the option `skip` then states.
    fn leave(&mut self, column: usize, by: Evidence, why: &str) {
        self.leave_as(Role::LeftOut, column, by, why);
    }

    /// Leaves a column out, and gives it a role that reading verifies.
    fn leave_as(&mut self, role: Role, column: usize, by: Evidence, why: &str) {
        self.give(column, role);
        self.skipped.push(column);
        let called = self.called(column);
        let text = match (self.name(column), why) {
            (_, "") => format!("{called} left out"),
            (Some(""), _) => format!("{called} has no name, left out: {why}"),
            _ => format!("{called} left out: {why}"),
        };
        self.say(Subject::LeftOut, by, text);
    }

    /// Returns the column that an option names.
    fn position(
        &self,
        column: &Column,
        option: fn(Column) -> ReadingOption,
    ) -> Result<usize, Question> {
        position(column, self.table.names.as_deref(), self.roles.len(), option)
    }

    /// Returns whether a column that an option names is missing here, and may be.
    fn may_lack(&self, question: &Question) -> bool {
        self.known.may_lack && question.answers.is_empty()
    }

    /// Returns the only column of the records, by option or by its type.
    fn record(&self) -> Result<Option<usize>, Question> {
        if !self.is_for_records() {
            return Ok(None);
        }
        if let Some(column) = self.known.column {
            return self.position(column, ReadingOption::Column).map(Some);
        }
        let mut found = self.table.records.clone();
        if found.is_empty() {
            let columns = 0..self.roles.len();
            let is_record = |column: &usize| {
                let is_label = self.roles.len() > 1 && self.says(*column, is_label);
                self.kind(*column) == Kind::Numbers && !is_label
            };
            found = columns.filter(is_record).collect();
        }
        if let [] | [_] = found[..] {
            return Ok(found.pop());
        }
        let sentence = format!("each of {} may have the records", self.called_all(&found, " and "));
        Err(found.iter().take(SHOWN).fold(Question::new(sentence), |question, column| {
            let option = ReadingOption::Column(self.option(*column));
            question.or(option, format!("for {}", self.called(*column)))
        }))
    }

    /// Returns the columns that are labels by option or by their names.
    fn named_labels(&self) -> Result<Vec<usize>, Question> {
        if let Some(column) = self.known.label_column {
            return match self.position(column, ReadingOption::LabelColumn) {
                Err(question) if self.may_lack(&question) => Ok(Vec::new()),
                found => Ok(vec![found?]),
            };
        }
        // If there is only one column, it has the records.
        if self.roles.len() < 2 && self.is_for_records() {
            return Ok(Vec::new());
        }
        let of = |is: fn(&str) -> bool| -> Vec<usize> {
            let columns = 0..self.roles.len();
            let is_free = |column: &usize| Some(*column) != self.record;
            columns.filter(is_free).filter(|column| self.says(*column, is)).collect()
        };
        let named = of(is_label);
        Ok(if named.is_empty() && !self.has_x() { of(is_y) } else { named })
    }

    /// Leaves out the columns that the user names.
    fn skip(&mut self) -> Result<(), Question> {
        let Some(columns @ [_, ..]) = self.known.skip else {
            return Ok(());
        };
        // For the labels of a table of records, positions count its columns, and names may be of its columns.
        let are_of_records = self.purpose == Purpose::Labels && self.known.find.is_none();
        // Labels that are not read here may be in another table.
        let may_lack = !self.is_for_records() || self.known.may_lack || self.known.no_labels;
        for given in columns.iter().filter(|given| **given != Column::from(NONE)) {
            let column = match self.position(given, |column| ReadingOption::Skip(vec![column])) {
                Ok(_) if are_of_records && matches!(given, Column::Index(_)) => continue,
                Err(question) if may_lack && question.answers.is_empty() => continue,
                column => column?,
            };
            if Some(column) == self.record
                || self.named.contains(&column) && self.known.label_column.is_some()
            {
                let called = self.called(column);
                let message = format!("{called} cannot be both read and left out; choose another");
                return Err(Question::new(message));
            }
            self.named.retain(|named| *named != column);
            if self.roles.get(column).is_some_and(Option::is_none) {
                self.leave(column, Evidence::Option, "");
            }
        }
        Ok(())
    }

    /// Returns the roles. Columns without one are numbers of the records, or not read.
    fn finish(mut self) -> Roles {
        self.say_labels();
        let rest = if self.are_elements() { Role::Element } else { Role::LeftOut };
        let unread = if self.are_elements() { Vec::new() } else { self.left() };
        if !unread.is_empty() {
            let text = format!("{} left out", self.called_all(&unread, ", "));
            let is_given = self.known.column.is_some();
            let by = if is_given { Evidence::Option } else { Evidence::Content };
            self.say(Subject::LeftOut, by, text);
        }
        if self.table.names.is_none() && self.are_elements() {
            let text = "no names of columns".to_string();
            self.say(Subject::Records, Evidence::Content, text);
        }
        if let Some(column) = self.record {
            self.state(ReadingOption::Column(self.option(column)));
        }
        match self.label {
            Some(label) => self.state(self.as_label(label)),
            None if self.is_for_records() && !self.has_labels() => {
                self.state(ReadingOption::NoLabels);
            }
            None => {}
        }
        let is_given = matches!(self.known.skip, Some([_, ..]));
        if !self.skipped.is_empty() && (self.is_for_records() || is_given) {
            let none = keeps_others(self.known.skip).then(|| Column::from(NONE));
            let skipped = self.skipped.iter().map(|column| self.option(*column));
            self.state(ReadingOption::Skip(none.into_iter().chain(skipped).collect()));
        } else if self.skipped.is_empty() && self.is_for_records() {
            self.state(ReadingOption::SkipNone);
        }
        let words = self.label.is_some_and(|label| self.kind(label).has_words());
        Roles {
            columns: self.roles.into_iter().map(|role| role.unwrap_or(rest)).collect(),
            label: self.label,
            one_hot: self.one_hot,
            words,
            bits: self.bits,
            said: self.said,
        }
    }

    fn say_labels(&mut self) {
        let is_label = |column: &usize| {
            matches!(self.roles.get(*column), Some(Some(Role::Label | Role::ClassName)))
        };
        let labels: Vec<usize> = (0..self.roles.len()).filter(is_label).collect();
        if self.known.no_labels && !labels.is_empty() {
            labels.iter().for_each(|column| self.give(*column, Role::LeftOut));
            (self.label, self.one_hot) = (None, false);
            let text = format!("{} left out: a label", self.called_all(&labels, ", "));
            self.say(Subject::LeftOut, Evidence::Option, text);
        }
        let names = self.roles.iter().position(|role| *role == Some(Role::ClassName));
        if let (Some(label), Some(names)) = (self.label, names) {
            let text = format!("{} has the name of {}", self.called(names), self.called(label));
            self.say(Subject::Classes, Evidence::Content, text);
        }
        if !self.has_labels() && self.is_for_records() {
            let by = if self.known.no_labels { Evidence::Option } else { Evidence::Content };
            self.say(Subject::Labels, by, "no label".to_string());
        }
    }
}
