//! The roles of the columns of a table: label, name of the class, key, number of a record. The first rule that holds decides.

use std::collections::HashSet;

use crate::answer::Column;
use crate::answer::ReadingOption;
use crate::reading::cell::{
    Kind, Profile, are_distinct, counts_up, is_date, is_picture, is_word, one_to_one, profiles,
    whole_number,
};
use crate::reading::question::Question;
use crate::reading::spelling::{shown, words};
use crate::reading::table::Table;
use crate::reading::{Evidence, Statement, Subject};
use idx_std::__private::counted;

/// The names of the column of the labels. `OpenML` and scikit-learn call it `class` and `target`.
const LABELS: [&str; 3] = ["label", "class", "target"];

/// A label where no column has one of these names, and none is called `x`.
const Y: &str = "y";

/// Words in the names of columns that may be labels.
const NEAR: [&str; 9] =
    ["label", "labels", "class", "classes", "target", "targets", "category", "species", "digit"];

/// Last words in the names of columns that number the rows.
const ROW_NUMBERS: [&str; 7] = ["id", "index", "idx", "row", "rownames", "no", "nr"];

/// Last words in the names of columns that name pictures.
const KEYS: [&str; 5] = ["file", "filename", "image", "picture", "path"];

/// The smallest picture, in pixels, that records without names of columns may be beside their label.
const SMALLEST_PICTURE: usize = 64;

/// What a table is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Records,
    /// The labels of records that are elsewhere.
    Labels,
}

/// The columns, files and folders that the user leaves out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Skip<'a> {
    #[default]
    NotGiven,
    /// None is left out.
    None,
    Columns(&'a [Column]),
}

/// The picture that a cell names.
pub(crate) type Find<'a> = dyn Fn(&str) -> Option<usize> + 'a;

/// What is known beside the table: options, and the records to which labels belong.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    pub(crate) header: Option<bool>,
    pub(crate) label_column: Option<&'a Column>,
    /// The only column of the records.
    pub(crate) column: Option<&'a Column>,
    pub(crate) skip: Skip<'a>,
    pub(crate) no_labels: bool,
    pub(crate) find: Option<&'a Find<'a>>,
    /// The number of records that the labels are for.
    pub(crate) count: Option<u64>,
    /// The shape of a record.
    pub(crate) shape: Option<&'a [u32]>,
}

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Numbers of the records.
    Element,
    /// The label; one of several columns if they are one-hot.
    Label,
    /// The name of the class that the label numbers.
    ClassName,
    /// Names the picture of the label, or numbers the labels, whose numbers rise.
    Key,
    LeftOut,
}

/// The roles of all columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roles {
    pub(crate) columns: Vec<Role>,
    /// The column of the labels; none for one-hot columns.
    pub(crate) label: Option<usize>,
    /// Whether the columns of the label have a single 1 in each row, and otherwise 0.
    pub(crate) one_hot: bool,
    /// Whether the labels are words, as far as the sample says.
    pub(crate) words: bool,
    pub(crate) statements: Vec<Statement>,
    /// The options that state these roles.
    pub(crate) options: Vec<ReadingOption>,
}

impl Roles {
    /// The first column of a role.
    pub(crate) fn position(&self, role: Role) -> Option<usize> {
        self.columns.iter().position(|found| *found == role)
    }
}

/// Whether a column of this name is the label.
pub(crate) fn is_label(name: &str) -> bool {
    LABELS.iter().any(|label| name.eq_ignore_ascii_case(label))
}

/// Whether a column of this name is a number of a record, as this program and others write it: `1x1`, `x1`, `pixel0`, `value`.
pub(crate) fn is_element(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_pixel(name) || name == "value" || name.strip_prefix('x').is_some_and(digits)
}

/// Whether a column of this name is a pixel of a picture.
fn is_pixel(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("pixel").or_else(|| name.strip_prefix("px"));
    number.is_some_and(digits) || name.contains('x') && name.split('x').all(digits)
}

/// Gives each column its role.
pub(crate) fn roles(table: &Table, purpose: Purpose, known: &Known<'_>) -> Result<Roles, Question> {
    let mut columns = Columns::new(table, purpose, known)?;
    columns.skip()?;
    columns.find_key()?;
    columns.leave_row_numbers()?;
    columns.find_label()?;
    columns.name_classes()?;
    columns.check_values()?;
    Ok(columns.finish())
}

/// Columns of which some have their roles.
struct Columns<'a> {
    table: &'a Table,
    purpose: Purpose,
    known: &'a Known<'a>,
    profiles: Vec<Profile>,
    roles: Vec<Option<Role>>,
    /// The only column of the records, if it is one.
    record: Option<usize>,
    /// The columns that are labels by option or by their names.
    named: Vec<usize>,
    label: Option<usize>,
    one_hot: bool,
    statements: Vec<Statement>,
    /// Those that are left out for a reason that an option states.
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
            statements: Vec::new(),
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

    /// Whether the numbers of a record are cells of its row.
    fn are_elements(&self) -> bool {
        self.is_for_records() && self.record.is_none()
    }

    /// The columns that have no role yet.
    fn left(&self) -> Vec<usize> {
        let left = self.roles.iter().enumerate().filter(|(_, role)| role.is_none());
        let left = left.map(|(column, _)| column);
        // There may be millions.
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

    /// A column as sentences call it.
    fn called(&self, column: usize) -> String {
        match self.name(column) {
            Some(name) if !name.is_empty() => format!("`{}`", shown(name)),
            _ => format!("column {column}"),
        }
    }

    /// A column as options call it: by its name if it has one of its own.
    fn option(&self, column: usize) -> Column {
        Column::of(self.table.names.as_deref().unwrap_or_default(), column)
    }

    fn options(&self, columns: &[usize]) -> Vec<Column> {
        columns.iter().map(|column| self.option(*column)).collect()
    }

    fn is_row_number(&self, column: usize) -> bool {
        let words = self.name(column).map(words).unwrap_or_default();
        words.last().is_some_and(|last| ROW_NUMBERS.contains(&last.as_str()))
            && !words.iter().any(|word| NEAR.contains(&word.as_str()))
    }

    /// Whether the name of a column says that it names files.
    fn is_key(&self, column: usize) -> bool {
        let words = self.name(column).map(words).unwrap_or_default();
        let is_file = words.last().is_some_and(|last| KEYS.contains(&last.as_str()));
        is_file || words.iter().eq(["file", "name"]) || self.is_row_number(column)
    }

    /// Whether a column has no name, as row numbers of pandas and R have none.
    fn is_nameless(&self, column: usize) -> bool {
        let Some(name) = self.name(column) else {
            return false;
        };
        let name = name.to_ascii_lowercase();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let rest = name.strip_prefix("unnamed:").map(str::trim_start);
        let rest = rest.or_else(|| name.strip_prefix("level_"));
        let rest = rest.or_else(|| name.strip_prefix("__index_level_")?.strip_suffix("__"));
        name.is_empty() || rest.is_some_and(is_number)
    }

    fn is_near(&self, column: usize) -> bool {
        let Some(name) = self.name(column) else {
            return false;
        };
        let is_y = || name.eq_ignore_ascii_case(Y) && !self.has_x();
        is_y() || words(name).iter().any(|word| NEAR.contains(&word.as_str()))
    }

    fn has_x(&self) -> bool {
        self.table.names.iter().flatten().any(|name| name.eq_ignore_ascii_case("x"))
    }

    fn give(&mut self, column: usize, role: Role) {
        if let Some(given) = self.roles.get_mut(column) {
            *given = Some(role);
        }
    }

    fn say(&mut self, subject: Subject, by: Evidence, text: String) {
        self.statements.push(Statement::new(subject, by, text));
    }

    /// Leaves a column out for a reason that an option states.
    fn leave(&mut self, column: usize, by: Evidence, why: &str) {
        self.give(column, Role::LeftOut);
        self.skipped.push(column);
        let called = self.called(column);
        let text = match (self.name(column), why) {
            (_, "") => format!("{called} left out"),
            (Some(""), _) => format!("{called} has no name, left out: {why}"),
            _ => format!("{called} left out: {why}"),
        };
        self.say(Subject::LeftOut, by, text);
    }

    /// The column that an option names; an error if there is none, or if several have its name.
    fn position(
        &self,
        column: &Column,
        option: fn(Column) -> ReadingOption,
    ) -> Result<usize, Question> {
        let count = self.roles.len();
        let name = match (column, &self.table.names) {
            (Column::Index(index), _) if *index < count => return Ok(*index),
            (Column::Index(index), _) => {
                return Err(Question::new(format!(
                    "there is no column {index}; there are {count}, counted from 0"
                )));
            }
            (Column::Name(name), Some(_)) => name,
            (Column::Name(name), None) => {
                return Err(Question::new(format!(
                    "there is no column `{}`, because the columns have no names; count them from 0",
                    shown(name)
                )));
            }
        };
        let found: Vec<usize> =
            (0..count).filter(|index| self.name(*index) == Some(name.as_str())).collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                let names = self.table.names.iter().flatten().take(20);
                let names: Vec<_> = names.map(|name| shown(name)).collect();
                Err(Question::new(format!(
                    "there is no column `{}`; the first are {}",
                    shown(name),
                    names.join(", ")
                )))
            }
            _ => {
                let sentence = format!(
                    "{} are called `{}`; count them from 0",
                    counted(found.len() as u64, "column"),
                    shown(name)
                );
                let question = Question::new(sentence);
                Err(found.iter().fold(question, |question, index| {
                    question.or(option(Column::Index(*index)), "")
                }))
            }
        }
    }

    /// The only column of the records, by option or by its type.
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
            found = columns.filter(|column| self.kind(*column) == Kind::Numbers).collect();
        }
        match found[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => {
                let called: Vec<String> =
                    found.iter().take(3).map(|column| self.called(*column)).collect();
                let sentence = format!("each of {} may have the records", called.join(" and "));
                Err(found.iter().take(3).fold(Question::new(sentence), |question, column| {
                    let option = ReadingOption::Column(self.option(*column));
                    question.or(option, format!("for {}", self.called(*column)))
                }))
            }
        }
    }

    /// The columns that are labels by option or by their names.
    fn named_labels(&self) -> Result<Vec<usize>, Question> {
        if let Some(column) = self.known.label_column {
            return Ok(vec![self.position(column, ReadingOption::LabelColumn)?]);
        }
        // The only column has the records.
        if self.roles.len() < 2 && self.is_for_records() {
            return Ok(Vec::new());
        }
        let of = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let columns = 0..self.roles.len();
            let is_free = |column: &usize| Some(*column) != self.record;
            columns.filter(is_free).filter(|column| self.name(*column).is_some_and(is)).collect()
        };
        let named = of(&is_label);
        let is_y = |name: &str| name.eq_ignore_ascii_case(Y) && !self.has_x();
        Ok(if named.is_empty() { of(&is_y) } else { named })
    }

    /// The columns that the user leaves out.
    fn skip(&mut self) -> Result<(), Question> {
        let Skip::Columns(columns) = self.known.skip else {
            return Ok(());
        };
        for column in columns {
            let column = self.position(column, |column| ReadingOption::Skip(vec![column]))?;
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

    /// The column that names the pictures: its cells differ, and each names one.
    fn find_key(&mut self) -> Result<(), Question> {
        let Some(find) = self.known.find else {
            return Ok(());
        };
        let is_alone = self.roles.len() == 1;
        let may_be_key = |column: &usize| {
            let is_picture = self.cells(*column).next().is_some_and(is_picture);
            if is_alone { is_picture } else { !self.named.contains(column) }
        };
        let left: Vec<usize> = self.left().into_iter().filter(may_be_key).collect();
        let mut keys: Vec<(usize, Vec<usize>)> = Vec::new();
        for column in &left {
            let found: Option<Vec<usize>> = self.cells(*column).map(find).collect();
            let is_key = |found: &Vec<usize>| {
                let pictures: HashSet<&usize> = found.iter().collect();
                !found.is_empty() && pictures.len() == found.len()
            };
            keys.extend(found.filter(is_key).map(|found| (*column, found)));
        }
        let is_key = |column: &usize| keys.iter().any(|(key, _)| key == column);
        let has_ending = |column: &&usize| self.cells(**column).any(is_picture);
        if let Some(column) = left.iter().filter(has_ending).find(|column| !is_key(column)) {
            return Err(self.lost(*column, find));
        }
        let Some((key, pictures)) = keys.first() else {
            let lost = self.lost_key(&left, find);
            return lost.map_or(Ok(()), |column| Err(self.lost(column, find)));
        };
        if let Some((other, _)) = keys.iter().find(|(_, others)| others != pictures) {
            let skip = |column: usize| ReadingOption::Skip(vec![self.option(column)]);
            let (one, two) = (self.called(*key), self.called(*other));
            let question =
                Question::new(format!("{one} and {two} both name the pictures, and differ"));
            return Err(question
                .or(skip(*other), format!("if {one} names them"))
                .or(skip(*key), format!("if {two} names them")));
        }
        let key = *key;
        let others: Vec<usize> = keys.iter().skip(1).map(|(column, _)| *column).collect();
        self.give(key, Role::Key);
        others.iter().for_each(|column| self.give(*column, Role::LeftOut));
        let text = format!("{} names the pictures", self.called(key));
        self.say(Subject::Labels, Evidence::Content, text);
        Ok(())
    }

    /// A column that should name each picture once, and does not: by its name, or because no others do.
    fn lost_key(&self, left: &[usize], find: &Find<'_>) -> Option<usize> {
        let finds_one = |column: usize| self.cells(column).any(|cell| find(cell).is_some());
        let finds_all = |column: usize| self.cells(column).all(|cell| find(cell).is_some());
        let is_key = |column: usize| {
            let is_name = self.is_key(column) || are_distinct(self.cells(column));
            is_name && finds_one(column) || self.kind(column).has_words() && finds_all(column)
        };
        let mut keys = left.iter().copied().filter(|column| is_key(*column));
        keys.next().or_else(|| {
            // Numbers may be labels as well.
            let mut all = left.iter().copied().filter(|column| finds_all(*column));
            let only = all.next().filter(|_| all.next().is_none() && left.len() > 1)?;
            let mut cells = self.cells(only);
            let first = cells.next();
            (self.table.names.is_none() && cells.any(|cell| Some(cell) != first)).then_some(only)
        })
    }

    /// The question of a column that does not name each picture once.
    fn lost(&self, column: usize, find: &Find<'_>) -> Question {
        let mut seen = HashSet::new();
        let lost = self.cells(column).find(|cell| find(cell).is_none());
        let twice = self.cells(column).find(|cell| !seen.insert(find(cell)));
        Question::new(match (lost, twice) {
            (Some(lost), _) => format!(
                "there is no {} in the folder; remove the line, or add the picture",
                shown(lost)
            ),
            (None, twice) => format!(
                "two lines have a label for {}; remove one of them",
                shown(twice.unwrap_or_default())
            ),
        })
    }

    /// Columns that number or name the rows.
    fn leave_row_numbers(&mut self) -> Result<(), Question> {
        if matches!(self.known.skip, Skip::None) && self.is_for_records() || self.roles.len() < 2 {
            return Ok(());
        }
        self.expect_no_other_names()?;
        for column in self.left() {
            let is_nameless = self.is_nameless(column);
            let is_numbered = is_nameless || self.is_row_number(column);
            let is_whole = matches!(self.kind(column), Kind::Whole | Kind::Empty);
            let is_read = self.named.contains(&column) || Some(column) == self.record;
            if is_read || !is_numbered || !is_nameless && !is_whole {
                continue;
            }
            let are_distinct = are_distinct(self.cells(column));
            let is_name = is_nameless && self.kind(column) == Kind::Word && are_distinct;
            let counts = counts_up(self.table.rows.start_of_column(column));
            match (self.purpose, counts || is_name) {
                // The lines of labels are in the order of the records if these numbers rise.
                (Purpose::Labels, _) if self.known.find.is_none() => {
                    let has_key = self.roles.contains(&Some(Role::Key));
                    self.give(column, if has_key { Role::LeftOut } else { Role::Key });
                }
                (Purpose::Labels, _) if self.roles.contains(&Some(Role::Key)) => {
                    self.give(column, Role::LeftOut);
                }
                (_, true) => {
                    let why = if is_name { "names of rows" } else { "row numbers" };
                    self.leave(column, Evidence::Name, why);
                }
                (Purpose::Records, _) if self.record.is_some() => {
                    self.leave(column, Evidence::Name, "no record");
                }
                (Purpose::Labels, _) => return Err(self.ask_names(column)),
                (Purpose::Records, _)
                    if is_nameless || are_distinct && self.cells(column).len() > 1 =>
                {
                    return Err(self.ask_number(column, "may be the number of a record or a value"));
                }
                (Purpose::Records, _) => {}
            }
        }
        Ok(())
    }

    /// Checks that no column beside the labels of pictures has words that differ, which may be other names of these.
    fn expect_no_other_names(&self) -> Result<(), Question> {
        if self.known.find.is_none() || self.roles.contains(&Some(Role::Key)) {
            return Ok(());
        }
        let is_name = |column: &usize| {
            let is_label = self.named.contains(column);
            !is_label && self.kind(*column) == Kind::Word && are_distinct(self.cells(*column))
        };
        self.left().into_iter().find(is_name).map_or(Ok(()), |column| Err(self.ask_names(column)))
    }

    fn ask_names(&self, column: usize) -> Question {
        let cell = self.cells(column).next().unwrap_or_default();
        let (called, cell) = (self.called(column), shown(cell));
        let sentence = format!(
            "{called} does not name the pictures ({cell}); write their names, such as 1.png"
        );
        let skip = ReadingOption::Skip(vec![self.option(column)]);
        Question::new(sentence).or(skip, "if the lines are in the order of the pictures")
    }

    fn ask_number(&self, column: usize, why: &str) -> Question {
        let called = self.called(column);
        let called = match self.name(column) {
            Some("") => format!("{called} has no name, and"),
            _ => called,
        };
        Question::new(format!("{called} {why}"))
            .or(ReadingOption::Skip(vec![self.option(column)]), "if it only numbers the rows")
            .or(ReadingOption::SkipNone, "if it is a value")
    }

    /// The label: by option or name, by the content, or asked about.
    fn find_label(&mut self) -> Result<(), Question> {
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

    /// Takes the named labels as one if they are equal, or the number and the name of one class.
    fn join_labels(&mut self, is_given: bool) -> Result<(), Question> {
        let named = self.named.clone();
        let Some((first, others)) = named.split_first() else {
            return Ok(());
        };
        let mut label = *first;
        let mut names = None;
        for other in others {
            if self.cells(label).eq(self.cells(*other)) {
                let why = format!("the same as {}", self.called(label));
                self.leave(*other, Evidence::Content, &why);
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
        // A number that is no label is a value, if labels are not read.
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
            let sentence =
                format!("{called} has decimals, and a label is a whole number or a name");
            let question = Question::new(sentence);
            return Err(match self.is_for_records() && self.known.label_column.is_none() {
                true => question.or(ReadingOption::NoLabels, "to keep it as a value"),
                false => question,
            });
        }
        let text = match self.name(label) {
            Some(name) if !name.is_empty() => format!("label {}", self.called(label)),
            _ if self.roles.len() == 1 => return Ok(()),
            _ => format!("label {}", self.called(label)),
        };
        if !self.known.no_labels {
            self.say(Subject::Labels, by, text);
        }
        Ok(())
    }

    /// The label of a list: its only column, a number with its name, one-hot columns, or words that occur again.
    fn find_label_of_list(&mut self) -> Result<(), Question> {
        let left = self.left();
        let texts: Vec<usize> =
            left.iter().copied().filter(|column| self.kind(*column).has_words()).collect();
        match (&left[..], &texts[..]) {
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

    /// The first row that has not a single 1 and otherwise 0.
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

    /// The question of which of these columns is the label.
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

    /// The label of records: the only words that occur again, or a column that is asked about.
    fn find_label_of_records(&mut self) -> Result<(), Question> {
        let left = self.left();
        // The only column has the records.
        if self.roles.len() == 1 {
            return Ok(());
        }
        let is_record = |column: &usize| Some(*column) != self.record;
        if self.record.is_some() {
            // Columns of other types than numbers and texts have no cells, and are no labels.
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
        {
            return self.take_label(text, Evidence::Content);
        }
        // Words are no numbers of records.
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
        match may_be.is_empty() {
            true => self.expect_no_row_number(&left),
            false => Err(self.ask_label(self.may_be_label(&may_be, &why), &may_be)),
        }
    }

    fn may_be_label(&self, columns: &[usize], why: &str) -> String {
        let called: Vec<String> =
            columns.iter().take(3).map(|column| self.called(*column)).collect();
        let more = if called.len() < columns.len() { ", .." } else { "" };
        format!("{}{more} may be the label{why}", called.join(" or "))
    }

    /// The first column and the last one.
    fn edges(&self, left: &[usize]) -> Vec<usize> {
        let mut edges: Vec<usize> =
            [left.first(), left.last()].into_iter().flatten().copied().collect();
        edges.dedup();
        edges
    }

    /// The columns beside those whose names are the pixels of a square picture.
    fn beside_pixels(&self, left: &[usize]) -> Option<Vec<usize>> {
        const MOST: usize = 3;
        let digits =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = |column: usize| self.name(column).is_some_and(digits);
        let is_pixel = |column: usize| self.name(column).is_some_and(is_pixel);
        self.table.names.as_ref()?;
        let of = |is: &dyn Fn(usize) -> bool| -> (usize, Vec<usize>) {
            let pixels = left.iter().filter(|column| is(**column)).count();
            let others = left.iter().copied().filter(|column| !is(*column));
            (pixels, others.take(MOST + 1).collect())
        };
        let (mut pixels, mut others) = of(&is_pixel);
        if pixels == 0 && left.len() > SMALLEST_PICTURE {
            (pixels, others) = of(&is_number);
        }
        let is_beside = is_square(pixels) && (1..=MOST).contains(&others.len());
        is_beside.then_some(others)
    }

    /// The columns of a table without names that may be the label: beside a square picture, or whole numbers beside decimals.
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

    /// Asks about a first column that counts up as row numbers do.
    fn expect_no_row_number(&self, left: &[usize]) -> Result<(), Question> {
        match self.may_be_row_number(left) {
            Some(column) => {
                let option = ReadingOption::LabelColumn(self.option(column));
                let question = self.ask_number(column, "counts up by one, as row numbers do");
                Err(question.or(option, "if it is the label"))
            }
            None => Ok(()),
        }
    }

    /// A first column that counts up from 0 or 1, of at least 3.
    fn may_be_row_number(&self, left: &[usize]) -> Option<usize> {
        let column = left.first().copied().filter(|column| *column == 0)?;
        let is_given = !matches!(self.known.skip, Skip::NotGiven);
        let is_element = self.name(column).is_some_and(is_element);
        let (rows, columns) = (self.table.rows.len(), self.roles.len());
        let first = self.cells(column).next().and_then(whole_number);
        let counts =
            || matches!(first, Some(0 | 1)) && counts_up(self.table.rows.start_of_column(column));
        (!is_given && !is_element && rows > 2 && columns > 2 && counts()).then_some(column)
    }

    /// Words beside the label are the names of the classes, or asked about.
    fn name_classes(&mut self) -> Result<(), Question> {
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

    /// Takes a column as the names of the classes if it stands for the label, one to one, and not each row for itself.
    fn name_class(&mut self, label: usize, text: usize) -> bool {
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
    fn check_values(&mut self) -> Result<(), Question> {
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
        // Among words, NaN is one that is missing.
        let is_nan = |cell: &str| cell.eq_ignore_ascii_case("nan");
        let words =
            || self.kind(column).has_words().then(|| self.cells(column).position(is_nan))?;
        self.profiles.get(column)?.missing.map(usize::from).or_else(words)
    }

    /// The roles, of which the columns that are left are numbers of the records, or not read.
    fn finish(mut self) -> Roles {
        self.say_labels();
        let rest = if self.are_elements() { Role::Element } else { Role::LeftOut };
        let unread: Vec<usize> =
            self.left().into_iter().filter(|_| rest == Role::LeftOut).collect();
        if !unread.is_empty() {
            self.say_unread(&unread);
        }
        if self.table.names.is_none() && self.are_elements() {
            let text = "no names of columns".to_string();
            self.say(Subject::Records, Evidence::Content, text);
        }
        let mut options = self.table.options.clone();
        if let Some(column) = self.record {
            options.push(ReadingOption::Column(self.option(column)));
        }
        match self.label {
            Some(label) if !self.known.no_labels => {
                options.push(ReadingOption::LabelColumn(self.option(label)));
            }
            None if !self.is_for_records() => {}
            _ => options.push(ReadingOption::NoLabels),
        }
        if self.is_for_records() {
            options.push(match self.skipped.is_empty() {
                true => ReadingOption::SkipNone,
                false => ReadingOption::Skip(self.options(&self.skipped)),
            });
        }
        let words = self.label.is_some_and(|label| self.kind(label).has_words());
        Roles {
            columns: self.roles.into_iter().map(|role| role.unwrap_or(rest)).collect(),
            label: self.label,
            one_hot: self.one_hot,
            words,
            statements: self.table.statements.iter().cloned().chain(self.statements).collect(),
            options,
        }
    }

    fn say_labels(&mut self) {
        let names = self.roles.iter().position(|role| *role == Some(Role::ClassName));
        match (self.label, names) {
            (Some(label), names) if self.known.no_labels => {
                for column in [Some(label), names].into_iter().flatten() {
                    self.give(column, Role::LeftOut);
                    let text = format!("{} left out: a label", self.called(column));
                    self.say(Subject::LeftOut, Evidence::Option, text);
                }
                self.label = None;
            }
            (Some(label), Some(names)) => {
                let text = format!("{} has the name of {}", self.called(names), self.called(label));
                self.say(Subject::Classes, Evidence::Content, text);
            }
            _ => {}
        }
        if self.label.is_none() && self.is_for_records() {
            let by = if self.known.no_labels { Evidence::Option } else { Evidence::Content };
            self.say(Subject::Labels, by, "no label".to_string());
        }
    }

    fn say_unread(&mut self, unread: &[usize]) {
        const SHOWN: usize = 4;
        let called: Vec<String> =
            unread.iter().take(SHOWN).map(|column| self.called(*column)).collect();
        let more = if unread.len() > SHOWN { ", .." } else { "" };
        let text = format!("{}{more} left out", called.join(", "));
        let by = if self.known.column.is_some() { Evidence::Option } else { Evidence::Content };
        self.say(Subject::LeftOut, by, text);
    }
}

fn is_square(number: usize) -> bool {
    number > 3 && number.isqrt().pow(2) == number
}

#[cfg(test)]
#[cfg(feature = "csv")]
mod tests {
    use super::*;
    use crate::reading::header::names;
    use crate::reading::text::split;

    fn understand(text: &str, purpose: Purpose, known: &Known<'_>) -> Result<Roles, Question> {
        let (split, rows) = split(text, true, known)?;
        roles(&names(&split, rows, known)?, purpose, known)
    }

    /// The same with one more option.
    fn with<T>(known: &Known<'_>, option: &ReadingOption, then: impl FnOnce(&Known<'_>) -> T) -> T {
        match option {
            ReadingOption::Header(header) => then(&Known { header: Some(*header), ..*known }),
            ReadingOption::LabelColumn(column) => {
                then(&Known { label_column: Some(column), ..*known })
            }
            ReadingOption::Column(column) => then(&Known { column: Some(column), ..*known }),
            ReadingOption::Skip(columns) => then(&Known { skip: Skip::Columns(columns), ..*known }),
            ReadingOption::SkipNone => then(&Known { skip: Skip::None, ..*known }),
            ReadingOption::NoLabels => then(&Known { no_labels: true, ..*known }),
            other => panic!("{other}"),
        }
    }

    /// The roles that these options state.
    fn pinned(
        text: &str,
        purpose: Purpose,
        known: &Known<'_>,
        options: &[ReadingOption],
    ) -> Vec<Role> {
        match options {
            [] => {
                understand(text, purpose, known)
                    .unwrap_or_else(|error| panic!("{text}{error:?}"))
                    .columns
            }
            [first, rest @ ..] => with(known, first, |known| pinned(text, purpose, known, rest)),
        }
    }

    /// The reading of a text: a letter for each column (`.` a number of the record, `L` label, `N` name of the class, `K` key,
    /// `-` left out), and what is said; or `?` and the question with its answers.
    fn read(text: &str, purpose: Purpose, known: &Known<'_>) -> String {
        let found = understand(text, purpose, known);
        // An answer is never followed by the same question.
        for answer in found.as_ref().err().iter().flat_map(|question| &question.answers) {
            let next = with(known, &answer.option, |known| understand(text, purpose, known));
            let same = next.err().filter(|next| Some(next) == found.as_ref().err());
            assert!(same.is_none(), "{text}{} does not answer", answer.option);
        }
        match found {
            Ok(found) => {
                let pinned = pinned(text, purpose, known, &found.options);
                assert_eq!(pinned, found.columns, "{text}{:?}", found.options);
                let letters = found.columns.iter().map(|role| match role {
                    Role::Element => '.',
                    Role::Label => 'L',
                    Role::ClassName => 'N',
                    Role::Key => 'K',
                    Role::LeftOut => '-',
                });
                let said = found.statements.iter().map(|said| said.text.as_str());
                let said: Vec<&str> = said.collect();
                format!("{} {}", letters.collect::<String>(), said.join("; ")).trim().to_string()
            }
            Err(question) => {
                let answers = question.answers.iter().map(|answer| answer.option.to_string());
                let answers: Vec<String> = answers.collect();
                format!("? {} | {}", question.sentence, answers.join(" ")).trim().to_string()
            }
        }
    }

    fn records(text: &str) -> String {
        read(text, Purpose::Records, &Known::default())
    }

    /// Checks all cases of a table; an expected text may end with `..`.
    #[track_caller]
    fn expect<'a>(cases: impl IntoIterator<Item = (&'a str, String, &'a str)>) {
        let is_other =
            |(_, found, expected): &(&str, String, &str)| match expected.strip_suffix("..") {
                Some(start) => !found.starts_with(start),
                None => found != expected,
            };
        let others = cases.into_iter().filter(is_other);
        let others =
            others.map(|(text, found, expected)| format!("{text}{found}\nnot {expected}\n"));
        let others: Vec<String> = others.collect();
        assert!(others.is_empty(), "{}", others.join("\n"));
    }

    #[test]
    fn tables_of_records() {
        let cases = [
            // As the command writes them.
            ("label,1x1,1x2\n7,1,2\n", "L.. label `label`"),
            ("label,x1,x2\n7,NaN,inf\n3,1,2\n", "L.. label `label`"),
            ("label,1x1,1x2\n0,0,5\n1,1,5\n2,2,5\n", "L.. label `label`"),
            ("1x1,1x2,1x3\n0,0,5\n1,1,5\n2,2,5\n", "... no label"),
            ("x1,x2,x3\n0,0,5\n1,1,5\n2,2,5\n", "... no label"),
            ("value\n7\n8\n", ". no label"),
            ("value\n", ". no label"),
            ("label,1x1,1x2\n", "L.. label `label`"),
            ("label\n7\n", ". no label"),
            ("9\n2\n", ". no label; no names of columns"),
            // Headers.
            ("p1,p2,Label\n10,20,7\n30,40,3\n", "..L label `Label`"),
            ("0,1,class\n5,2,0\n1,8,1\n", "..L label `class`"),
            ("label,0,1\n5,2,0\n1,8,1\n", "L.. label `label`"),
            ("\"label\",\"a\"\n\"7\",\"1\"\n", "L. label `label`"),
            ("7,2,3\n1,2,3\n", "... no label; no names of columns"),
            (
                "0,1,2\n1,2,3\n",
                "? line 1 (0, 1, 2) has only numbers that count up | header(true) header(false)",
            ),
            (
                "5,6,7\n1,2,3\n",
                "? line 1 (5, 6, 7) has only numbers that count up | header(true) header(false)",
            ),
            ("5,6\n1,2\n", ".. no label; no names of columns"),
            (
                "1,5,5.1\n1,2,3\n0,1,2\n",
                "? line 1 (1, 5, 5.1) may be a record that pandas took for names (5 and 5.1) | ..",
            ),
            (
                "7,oops\n1,2\n",
                "? line 1 (7, oops) has words where the lines below have numbers | ..",
            ),
            ("cat,5\ndog,2\ncat,3\n", "L. label column 0; no names of columns"),
            ("a,b\n1,2\n", ".. no label"),
            ("a,b\n", ".. no label"),
            (
                "a,b\nc,d\n",
                "? line 1 (a, b) may name the columns or be a record | header(true) header(false)",
            ),
            (
                "1,,3\n4,5,6\n",
                "? record 0 has no value in column 1; add it, or remove the record | skip(\"1\")",
            ),
            // Comments, separators, and what else is around the cells.
            ("# label,a,b\n7,1,2\n3,4,5\n", "L.. line 1 (#) names the columns; label `label`"),
            (
                "# by hand\n# in May\nlabel,a,b\n7,1,2\n",
                "L.. 2 lines of comments left out; label `label`",
            ),
            ("\u{FEFF}label,a\r\n7,1\r\n\r\n", "L. label `label`"),
            ("label\ta\n7\t1\n", "L. label `label`"),
            ("label|a\n7|1\n", "L. between bars; label `label`"),
            (
                "label;a;b\ncat;1,5;2,5\ndog;3,5;4,5\n",
                "L.. between semicolons; decimal commas; label `label`",
            ),
            ("  5.00   2.00\n  1.00   8.00\n", ".. between spaces; no label; no names of columns"),
            (
                " 0.5  0.25 3 \r\n   0 1\t4\r\n",
                "? column 2 may be the label, because only it has whole numbers | ..",
            ),
            ("9,\t2\n3,\t4\n", ".. no label; no names of columns"),
            ("label,a,b,\n7,1,2,\n3,1,2,\n", "L.. label `label`"),
            ("label,a,b\n7,1,2,\n3,1,2,\n", "L.. label `label`"),
            ("Label, a\n7, 1\n", "L. label `Label`"),
            (
                "My table\n7,1,2\n3,4,5\n",
                "? line 1 has 1 column, and those below have 3 (between commas)..",
            ),
            ("7,1,2\n3,4\n8,1,2\n", "? line 2 has 2 columns, and others have 3 (between commas).."),
            (
                "# one\n7,1,2\n3,4,5\n1,2,3,4\n",
                "? line 4 has 4 columns, and others have 3 (between commas)..",
            ),
            ("9,2\n3,4,5\n", "? line 1 has 2 columns, and those below have 3; correct it.."),
            ("9,2\n3\n", "? line 2 has 1 column, and others have 2 (between commas).."),
            (
                "1 1:5 2:2\n0 1:1 2:8\n",
                "? line 1 (1, 1:5, 2:2) may name the columns or be a record | header(true) header(false)",
            ),
            // Row numbers.
            (
                ",label,a\n0,7,1\n1,3,2\n",
                "-L. column 0 has no name, left out: row numbers; label `label`",
            ),
            (
                "label,a\n1,7,1\n2,3,2\n",
                "-L. column 0 has no name, left out: row numbers; label `label`",
            ),
            (
                "a,b\nMazda,7,1\nDatsun,3,2\n",
                "-.. column 0 has no name, left out: names of rows; no label",
            ),
            (
                ",label,a\n7,7,1\n3,3,2\n",
                "? column 0 has no name, and may be the number of a record or a value | ..",
            ),
            (
                "Unnamed: 0,label,a\n0,7,1\n1,3,2\n",
                "-L. `Unnamed: 0` left out: row numbers; label `label`",
            ),
            ("id,label,a\n7,7,1\n8,3,2\n", "-L. `id` left out: row numbers; label `label`"),
            (
                "No.,a,species\n1,7,cat\n2,3,dog\n3,1,cat\n",
                "-.L `No.` left out: row numbers; label `species`",
            ),
            (
                "id,label,a\n10,7,1\n17,3,2\n",
                "? `id` may be the number of a record or a value | skip(\"id\") skip(\"none\")",
            ),
            ("id,label,a\n7,7,1\n7,3,2\n", ".L. label `label`"),
            (
                "n,label,a\n0,7,1\n1,3,2\n2,1,1\n",
                "? `n` counts up by one, as row numbers do | skip(\"n\") skip(\"none\")",
            ),
            (
                "0,7,1\n1,3,2\n2,1,1\n",
                "? column 0 counts up by one, as row numbers do | skip(\"0\") skip(\"none\") label_column(\"0\")",
            ),
            // Labels.
            ("x,y,z\n1,2,3\n4,5,6\n", "... no label"),
            ("x1,x2,y\n5,2,0\n1,8,1\n", "..L label `y`"),
            ("a,y,b,Label\n1,2,3,4\n", "...L label `Label`"),
            (
                "label,a,class\n1,5,1\n0,3,0\n",
                "L.- `class` left out: the same as `label`; label `label`",
            ),
            (
                "label,class,a\n1,dog,5\n0,cat,3\n1,dog,2\n",
                "LN. label `label`; `class` has the name of `label`",
            ),
            (
                "label,target,a\n1,0,5\n0,5,3\n",
                "? `label` and `target` differ, and either may be the label | label_column(\"label\") label_column(\"target\")",
            ),
            ("length,width,species\n5.1,3.5,cat\n4.9,3,dog\n6,1,cat\n", "..L label `species`"),
            ("5.1,3.5,cat\n4.9,3,dog\n6,1,cat\n", "..L label column 2; no names of columns"),
            (
                "a,b\n30,1\n4e,2\n4e,3\n",
                "? `a` has words (4e in record 1) and numbers; correct the cell | ..",
            ),
            ("label,b\n30,1\n4e,2\n", "L. label `label`"),
            (
                "lat,lon,class_id\n1,2,3\n3,4,5\n",
                "? `class_id` may be the label | label_column(\"class_id\") labels(false)",
            ),
            ("digit,pixel0,pixel1,pixel2,pixel3\n7,0,1,2,3\n", "? `digit` may be the label | .."),
            (
                "mark,pixel0,pixel1,pixel2,pixel3\n7,0,1,2,3\n",
                "? `mark` may be the label, beside the pixels of a picture | ..",
            ),
            (
                "id,pixel0,pixel1,pixel2,pixel3\n7,0,1,2,3\n",
                "-.... `id` left out: row numbers; no label",
            ),
            ("pixel0,width,height\n0,1,2\n", "... no label"),
            (
                "5.1,3.5,0\n4.9,3.5,1\n",
                "? column 2 may be the label, because only it has whole numbers | label_column(\"2\") labels(false)",
            ),
            (
                "a,b,y\n5,2,0.5\n1,8,1.25\n",
                "? `y` has decimals, and a label is a whole number or a name | labels(false)",
            ),
            (
                "label,name,a\n0,cat,5\n1,dog,2\n0,cat,1\n",
                "LN. label `label`; `name` has the name of `label`",
            ),
            (
                "label,name,a\n0,cat,5\n1,dog,2\n",
                "? `name` has words (cat), and a record has numbers | skip(\"name\")",
            ),
            (
                "date,a\n2020-01-02,5\n2020-01-02,2\n",
                "? `date` has words (2020-01-02), and a record has numbers | label_column(\"date\") skip(\"date\")",
            ),
            ("cat\ndog\ncat\n", "? there are words, and no numbers for the records.."),
            (
                "label,a\n1,5\n0,oops\n",
                "? `a` has words (oops in record 1) and numbers; correct the cell | skip(\"a\")",
            ),
            (
                "label,a\n1,5\n0,?\n",
                "? record 1 has no value in `a`; add it, or remove the record | skip(\"a\")",
            ),
            (
                "label,a\n1,5\n,2\n",
                "? record 1 has no label in `label`; add it, or remove the record |",
            ),
            ("label,a\n\u{1b}[31m,5\nb,2\n\u{1b}[31m,5\n", "L. label `label`"),
            // Several numbers in one cell.
            (
                "emotion,pixels\n3,1 2 3 4\n0,5 6 7 8\n",
                "? `emotion` may be the label | label_column(\"emotion\") labels(false)",
            ),
            (
                "label,pixels,usage\n3,1 2 3 4,a\n0,5 6 7 8,b\n",
                "L.- label `label`; `usage` left out",
            ),
        ];
        expect(cases.map(|(text, expected)| (text, records(text), expected)));
        let pixels = |count: usize| vec!["7"; count].join(",") + "\n" + &vec!["8"; count].join(",");
        let plain = format!("{} no label; no names of columns", ".".repeat(64));
        assert_eq!(records(&pixels(64)), plain);
        let asked = "? column 0 or column 64 may be the label, because there is one number more than a picture of 8 x 8 has | \
                     label_column(\"0\") label_column(\"64\") labels(false)";
        assert_eq!(records(&pixels(65)), asked);
    }

    #[test]
    fn options_state_a_reading() {
        let twice = Column::from("a");
        let [zero, two, species, id] =
            [Column::from(0), Column::from(2), "species".into(), "id".into()];
        let none = Known::default();
        let label = |column| Known { label_column: Some(column), ..none };
        let header = |header| Known { header: Some(header), ..none };
        let no_labels = Known { no_labels: true, ..none };
        let skip = Known { skip: Skip::Columns(std::slice::from_ref(&id)), ..none };
        let no_skip = Known { skip: Skip::None, ..none };
        let iris = "id,length,species\n1,3,cat\n2,4,dog\n3,5,cat\n";
        let gaps = "id,a,b\n10,3,1\n20,4,1\n";
        let headless = "0,7,1\n1,3,2\n2,1,1\n";
        let cases = [
            ("0,1,2\n1,2,3\n", header(true), "... no label"),
            ("0,1,2\n1,2,3\n", header(false), "... no label; no names of columns"),
            ("a,b\nc,d\n", header(false), "? there are words.."),
            ("7\n8\n", header(true), "? line 1 has only numbers, as a record has; write.."),
            ("1,5,5.1\n1,2,3\n", header(true), "... no label"),
            (iris, none, "-.L `id` left out: row numbers; label `species`"),
            (iris, label(&species), "-.L `id` left out: row numbers; label `species`"),
            (iris, label(&two), "-.L `id` left out: row numbers; label `species`"),
            (
                iris,
                no_labels,
                "-.- `id` left out: row numbers; `species` left out: a label; no label",
            ),
            (iris, no_skip, "..L label `species`"),
            (iris, skip, "-.L `id` left out; label `species`"),
            (gaps, skip, "-.. `id` left out; no label"),
            (gaps, no_skip, "... no label"),
            (headless, label(&zero), "L.. label column 0; no names of columns"),
            (headless, no_labels, "... no label; no names of columns"),
            (headless, no_skip, "... no label; no names of columns"),
            ("label,a\n7,1\n", no_labels, "-. `label` left out: a label; no label"),
            ("a,y\n5,0.5\n1,1.5\n", no_labels, ".. no label"),
            ("lat,class_id\n1,3\n3,5\n", no_labels, ".. no label"),
            (
                "label,a\n7,1\n",
                label(&two),
                "? there is no column 2; there are 2, counted from 0 |",
            ),
            (
                "label,a\n7,1\n",
                label(&species),
                "? there is no column `species`; the first are label, a |",
            ),
            (
                "a,a\n7,1\n",
                label(&twice),
                "? 2 columns are called `a`; count them from 0 | label_column(\"0\") label_column(\"1\")",
            ),
            (
                "7,1\n3,2\n",
                label(&species),
                "? there is no column `species`, because the columns have no names..",
            ),
            (
                "label,pixels,usage\n3,1 2,a\n",
                Known { column: Some(&zero), ..none },
                ".-- no label; `pixels`, `usage` left out",
            ),
            (
                "9,1,2,3,4\n",
                Known { shape: Some(&[2, 2]), ..none },
                "? column 0 or column 4 may be the label, because there is one number more..",
            ),
            (
                "9,8,1,2,3,4\n",
                Known { shape: Some(&[2, 2]), ..none },
                "...... no label; no names of columns",
            ),
            (
                "5.1,3.5,0\n4.9,3.5,1\n",
                Known { shape: Some(&[3]), ..none },
                "... no label; no names of columns",
            ),
        ];
        expect(
            cases.map(|(text, known, expected)| {
                (text, read(text, Purpose::Records, &known), expected)
            }),
        );
    }

    #[test]
    fn lists_of_labels() {
        let find = |cell: &str| {
            let name = cell.rsplit(['/', '\\']).next()?;
            let number: usize = name.strip_suffix(".png").unwrap_or(name).parse().ok()?;
            (1..=3).contains(&number).then_some(number)
        };
        let pictures = Known { find: Some(&find), count: Some(3), ..Known::default() };
        let cases = [
            (
                "a2,7\n1,0\n3,0\n2,0\n",
                "? line 1 (a2, 7) has words where the lines below have numbers | header(true) header(false)",
            ),
            (
                "nobody,1\n1,0\n3x,0\n2,0\n",
                "? there is no nobody in the folder; remove the line, or add the picture |",
            ),
            ("1,1\n2,3\n3,3\n", "KL column 0 names the pictures; label column 1"),
            ("1.png,7\n3.png,5\n2.png,7\n", "KL column 0 names the pictures; label column 1"),
            (
                "1.png 7\n3.png 5\n2.png 7\n",
                "KL between spaces; column 0 names the pictures; label column 1",
            ),
            (
                "p/1.png cat\np/3.png dog\np/2.png cat\n",
                "KL between spaces; column 0 names the pictures; label column 1",
            ),
            (
                "file,label\nC:\\p\\1.png,7\nC:\\p\\3.png,5\nC:\\p\\2.png,7\n",
                "KL `file` names the pictures; label `label`",
            ),
            ("label,id\ncat,1\ndog,3\ncat,2\n", "LK `id` names the pictures; label `label`"),
            ("1,cat\n3,dog\n2,cat\n", "KL column 0 names the pictures; label column 1"),
            ("a,b\n1.png,11\n3.png,13\n2.png,12\n", "KL `a` names the pictures; label `b`"),
            (",id,label\n1,1,7\n2,2,7\n3,3,5\n", "K-L column 0 names the pictures; label `label`"),
            (",id,label\n2,1,7\n1,2,7\n0,3,5\n", "-KL `id` names the pictures; label `label`"),
            (
                ",id,label\n2,1,7\n3,2,7\n1,3,5\n",
                "? column 0 and `id` both name the pictures, and differ | skip(\"id\") skip(\"0\")",
            ),
            (
                "id,width,class\n1,5,cat\n2,5,dog\n3,5,cat\n",
                "K-L `id` names the pictures; label `class`; `width` left out",
            ),
            (
                "id,width,height\n1,5,6\n2,5,3\n3,5,6\n",
                "? `width` or `height` may be the label | label_column(\"width\") label_column(\"height\")",
            ),
            (
                "image,cat,dog\n1,1,0\n2,0,1\n3,1,1\n",
                "? record 2 has not a single 1 and otherwise 0, as one-hot labels have; correct it, or choose the label | \
                 label_column(\"cat\") label_column(\"dog\")",
            ),
            (
                "f,label\n1.png,cat\n2.png,nan\n3.png,cat\n",
                "? record 1 has no label in `label`; add it, or remove the record |",
            ),
            (
                "image,cat,dog\n1,1.0,0.0\n2,0.0,1.0\n3,1.0,0.0\n",
                "KLL `image` names the pictures; 2 columns are one-hot labels",
            ),
            (
                "f,label,name\n1.png,0,cat\n2.png,1,dog\n3.png,0,cat\n",
                "KLN `f` names the pictures; label `label`; `name` has the name of `label`",
            ),
            ("cat\ndog\ncat\n", "L"),
            ("label\ncat\ndog\ncat\n", "L label `label`"),
            ("cat\ndog\neel\n", "L"),
            ("name\ncat\ndog\neel\n", "L label `name`"),
            ("3\n2\n1\n", "L"),
            ("0\n1\n2\n3\n", "L label `0`"),
            ("0\n1\n2\n", "L"),
            (
                "1.png,7\n3.png,5\n7.png,7\n",
                "? there is no 7.png in the folder; remove the line, or add the picture |",
            ),
            ("file,label\n1,7\n3,5\n1,7\n", "? two lines have a label for 1; remove one of them |"),
            ("2,7\n3,7\n2,5\n", "? two lines have a label for 2; remove one of them |"),
            ("2,cat\n2,dog\n3,cat\n", "? two lines have a label for 2; remove one of them |"),
            ("1,7\n1.png,5\n3,7\n", "? two lines have a label for 1.png; remove one of them |"),
            ("1.jpg,7\n3.jpg,5\n2.jpg,7\n", "? there is no 1.jpg in the folder.."),
            (
                "1.png,7\n3.png,5\n1.png,7\n",
                "? two lines have a label for 1.png; remove one of them |",
            ),
            (
                "id,label\n001x,7\n002x,5\n003x,7\n",
                "? `id` does not name the pictures (001x); write their names, such as 1.png | skip(\"id\")",
            ),
            ("name,label\nant,7\nbee,5\ncow,7\n", "? `name` does not name the pictures (ant).."),
            (
                "id,label\n11,7\n13,5\n12,7\n",
                "? `id` does not name the pictures (11); write their names, such as 1.png | skip(\"id\")",
            ),
            (
                "id,label\n0,7\n1,5\n2,7\n",
                "? there is no 0 in the folder; remove the line, or add the picture |",
            ),
            ("id,label\n11,7\n12,5\n13,7\n", "-L `id` left out: row numbers; label `label`"),
            ("size,label\n5,7\n5,5\n5,7\n", "-L label `label`; `size` left out"),
            ("1.png\n2.png\n3.png\n", "? there is no column of labels beside the names.."),
            (
                "5,7\n5,5\n5,7\n",
                "? column 0 or column 1 may be the label | label_column(\"0\") label_column(\"1\")",
            ),
            (
                "1.png,7\n3.png,5\n2.png,\n",
                "? record 2 has no label in column 1; add it, or remove the record |",
            ),
        ];
        expect(
            cases.map(|(text, expected)| (text, read(text, Purpose::Labels, &pictures), expected)),
        );
        // Labels of records that have no names.
        let cases = [
            ("ImageId,Label\n0,7\n1,8\n", "KL label `Label`"),
            ("id,label\n3,7\n10,8\n", "KL label `label`"),
            ("cat,7\ndog,3\n", "? column 0 or column 1 may be the label.."),
            ("cat,7\ndog,3\ncat,7\n", "NL label column 1; column 0 has the name of column 1"),
            ("name,digit\na,7\nb,1\nc,2\n", "? `digit` may be the label | label_column(\"digit\")"),
            ("1,0,0\n0,1,0\n", "LLL 3 columns are one-hot labels"),
            ("7\n3.5\n", "? column 0 has decimals, and a label is a whole number or a name |"),
            (
                "dog\nant\n",
                "? line 1 (dog) may name the columns or be a record | header(true) header(false)",
            ),
        ];
        let none = Known::default();
        expect(cases.map(|(text, expected)| (text, read(text, Purpose::Labels, &none), expected)));
    }
}
