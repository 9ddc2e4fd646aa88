//! The class names of a source, and the common list of several sources.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::answer::{Column, ReadingOption};
use crate::chain::label_numbers::Labels;
use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step};
use crate::error::{Error, ErrorKind, file_name};
use crate::gather::Gather;
use crate::names::class_names::ClassNames;
use crate::reading::classes::{
    ClassesOfInput, Conflict, ask_name, ask_spelling, missing_class, two_spellings, unite,
};
use crate::reading::question::Question;
use crate::reading::spelling::{look_alike, shown};
use crate::reading::words::{MOST_LISTED, listed};
use crate::reading::{Evidence, InputReading, Statement, Subject};
use crate::record::Record;

/// Checks that the labels of records have names in a list.
struct Named {
    labels: BTreeSet<i128>,
    /// The name of the file, if the list was found next to the records.
    file: Option<String>,
    /// True if labels may lack a name: the list was found next to the records, and the labels do not count from 1,
    /// because a 0 came or may have been skipped.
    may_lack: bool,
}

impl Named {
    fn expect(&mut self, label: i128) -> Result<(), ErrorKind> {
        self.may_lack |= self.file.is_some() && label == 0;
        // A label below 0 has no name, and often means that the class is unknown.
        if self.may_lack || label < 0 || self.labels.contains(&label) {
            return Ok(());
        }
        let lacking = match &self.file {
            Some(file) => ask_name(file, label),
            None => Question::new(format!(
                "the list of classes has no name for the label {label}; give a list that names each, one per line"
            )),
        };
        Err(lacking.into())
    }
}

impl Adapter for Named {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        let is_read = before.read(record)?;
        let label = record.label.filter(|_| is_read);
        let found = label.map_or(Ok(()), |label| self.expect(label));
        found.map_err(|kind| before.error(kind).with_position(record.index))?;
        Ok(is_read)
    }

    fn read_many(
        &mut self,
        before: &mut Joined,
        records: &mut Record,
        labels: &mut Vec<i128>,
    ) -> Result<u64, Error> {
        let known = labels.len();
        let found = before.read_many(records, labels)?;
        for (index, label) in (records.index..).zip(labels.iter().skip(known)) {
            let at = |kind: ErrorKind| before.error(kind).with_position(index);
            self.expect(*label).map_err(at)?;
        }
        Ok(found)
    }

    fn skip(&mut self, before: &mut Joined, records: u64) -> Result<Option<u64>, Error> {
        self.may_lack |= self.file.is_some();
        before.skip(records).map(Some)
    }

    fn labels(&mut self, before: &mut Joined) -> Result<Option<Arc<Labels>>, Error> {
        before.labels()
    }
}

impl Source {
    /// Names the classes. [`only`](Self::only) and [`except`](Self::except) choose by these names.
    ///
    /// Labels that are words, from folders or a table, are numbered by these names: `dog` gets the label of the name
    /// `dog`, and `n01440764` that of `n01440764 tench`. If none of the words is among the names, the names replace the
    /// words. Labels that are numbers stay, even if a file has other names for them.
    ///
    /// Reading a record is an error if its word is not among the names, or if its label is 0 or more and has no name.
    ///
    /// ```
    /// use idx_data::{ClassNames, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 1], &[7_u8, 8, 9])?;
    /// # idx_std::save(path("a-labels.idx"), &[3], &[1_u8, 0, 1])?;
    ///
    /// let pets = open(path("a.idx"))?.with_classes(ClassNames::new(["cat", "dog"])?);
    /// assert_eq!(pets.only("dog")?.records().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_classes(self, names: ClassNames) -> Self {
        let are_numbers = self.facts.has_labels && !self.facts.have_names;
        let others = self.facts.classes.clone().filter(|others| are_numbers && *others != names);
        let source = self.with_names_of(names, None);
        match others {
            Some(others) => {
                let others = listed(others.iter().map(|(_, name)| name), MOST_LISTED);
                let text = format!("class names as given, not {others}");
                source.with_statement(Subject::Classes, Evidence::Option, &text)
            }
            None => source,
        }
    }

    /// Gives the classes the names in a list. `file` is its name, if it was found next to the records. All labels that
    /// are numbers must have names. In a list found next to the records, some may be missing if 0 is among the labels.
    pub(crate) fn with_names_of(self, names: ClassNames, file: Option<&str>) -> Self {
        let are_numbers = self.facts.has_labels && !self.facts.have_names;
        let labels: BTreeSet<i128> = names.iter().map(|(label, _)| label).gather();
        let source = self.with_listed(names);
        if !are_numbers {
            return source;
        }
        let facts = source.left();
        let named = Named { labels, file: file.map(str::to_string), may_lack: false };
        source.then(facts, Box::new(named))
    }

    /// Gives labeled records this list, if any.
    pub(crate) fn in_list(self, list: Option<&ClassNames>) -> Self {
        match list {
            Some(list) if self.facts.has_labels => self.with_listed(list.clone()),
            _ => self,
        }
    }

    /// Gives the classes the names in a list that may lack some.
    fn with_listed(mut self, names: ClassNames) -> Self {
        let known = self.facts.classes.replace(names);
        let (Some(known), Some(names), true) = (known, &self.facts.classes, self.facts.have_names)
        else {
            return self;
        };
        // In the order of the labels.
        let moved = labels_in_list(&known, names);
        if moved.iter().all(|(label, moved)| *moved == Some(*label)) {
            return self;
        }
        if moved.iter().all(|(_, moved)| moved.is_none())
            && let Some(renamed) = renamed(&known, names)
        {
            self.facts.classes = Some(renamed);
            return self;
        }
        let (facts, list) = (self.left().relabeled(), self.facts.classes.clone());
        self.mapped(facts, move |record| {
            let label = record.label.unwrap_or_default();
            let place = moved.binary_search_by_key(&label, |(label, _)| *label).ok();
            let found = place.and_then(|place| moved.get(place)?.1);
            record.label = Some(found.ok_or_else(|| {
                let name = known.name(label).map_or(label.to_string(), str::to_string);
                let [class, spelled] = missing_class(&name, list.as_ref());
                let message = format!(
                    "the class `{class}` is not in the list of names{spelled}; add it, or correct it"
                );
                ErrorKind::mismatch(message)
            })?);
            Ok(())
        })
    }
}

/// Returns each label of the known names, with the label of its name in a list that has it.
fn labels_in_list(known: &ClassNames, list: &ClassNames) -> Vec<(i128, Option<i128>)> {
    let labels = list.labels_of_any_case();
    // `cat` and `Cat` stay two classes, whichever of them the list has.
    let spellings = known.labels_of_any_case();
    let of = |label: i128, name: &str| {
        let lower = name.to_lowercase();
        let is_only = spellings.get(&lower) == Some(&label);
        labels.get(name).or_else(|| labels.get(&lower).filter(|_| is_only)).copied()
    };
    known.iter().map(|(label, name)| (label, of(label, name))).collect()
}

/// Returns the names of a list for the known ones, none of which it has: those that start with them, or those of the
/// same labels. Returns `None` if a name may be another spelling.
fn renamed(known: &ClassNames, list: &ClassNames) -> Option<ClassNames> {
    if look_alike(known.iter().chain(list.iter()).map(|(_, name)| name)).is_some() {
        return None;
    }
    let are_same = || list.0.keys().eq(known.0.keys());
    list.names_after(known).or_else(|| are_same().then(|| list.clone()))
}

/// Asks about a class that these sources may spell differently, unless an option says what the labels are.
fn other_spelling<'a>(sources: &[&'a Source]) -> Option<(&'a Source, Question)> {
    let inputs = || sources.iter().flat_map(|source| source.reading().inputs());
    let mut statements = inputs().flat_map(InputReading::statements);
    let is_option = |statement: &Statement| {
        let Statement { subject, by, .. } = statement;
        matches!(subject, Subject::Labels | Subject::Classes) && *by == Evidence::Option
    };
    let names = |source: &&'a Source| {
        source.facts().classes.iter().flat_map(ClassNames::iter).map(|(_, name)| name).gather()
    };
    let groups: Vec<BTreeSet<&str>> = sources.iter().map(names).collect();
    let two = two_spellings(&groups).filter(|_| !statements.any(is_option))?;
    let mut with_names = sources.iter().zip(&groups).filter(|(_, names)| names.contains(two[1]));
    let question = ask_spelling(two);
    let question = match inputs().filter_map(InputReading::label_column).common() {
        Some(column) => {
            let option = ReadingOption::LabelColumn(column.clone());
            question.or(option, "if they are different classes")
        }
        None => question,
    };
    Some((with_names.next()?.0, question))
}

/// Asks about labels in columns with different names, if one of the columns was found by its content.
fn other_column<'a>(sources: &[&'a Source]) -> Option<(&'a Source, Question)> {
    let about = |input: &'a InputReading, subject| {
        input.statements().iter().find(|statement| statement.subject == subject)
    };
    // The reading of a file of labels follows that of its records, and its only column may have any name.
    let label = |source: &&'a Source| {
        let mut inputs = source.reading().inputs().iter();
        let input = inputs.find(|input| about(input, Subject::Parts).is_none())?;
        let by = about(input, Subject::Labels)?.by;
        match input.label_column()? {
            Column::Name(name) => Some((*source, name, by == Evidence::Content)),
            Column::Index(_) => None,
        }
    };
    let mut labels = sources.iter().filter_map(label);
    let (first, name, by_content) = labels.next()?;
    let is_other = |(_, other, by_other_content): &(&Source, &String, bool)| {
        !name.eq_ignore_ascii_case(other) && (by_content || *by_other_content)
    };
    let (other, other_name, _) = labels.find(is_other)?;
    let question = Question::new(format!(
        "the labels are in `{}`, and those of {} in `{}`, which may be different ones; name both columns `label` if they are \
         the same",
        shown(other_name),
        name_of(first),
        shown(name)
    ));
    Some((other, question.or(ReadingOption::NoLabels, "without labels")))
}

/// Returns the name of a source's file, for messages.
fn name_of(source: &Source) -> String {
    match source.reading().inputs() {
        // A shard of a folder.
        [.., last] => file_name(last.path()).to_string(),
        [] => file_name(source.path()).to_string(),
    }
}

/// Returns one list of classes for all these sources, in which each word has one number. Returns `None` if each source
/// keeps its own. `of_one_set` means that a number is the same class in all of them.
pub(crate) fn one_list<'a>(
    sources: impl IntoIterator<Item = &'a Source>,
    of_one_set: bool,
) -> Result<Option<ClassNames>, Error> {
    let sources: Vec<&Source> = sources.into_iter().collect();
    if let Some((source, question)) = other_column(&sources) {
        return Err(source.error(question));
    }
    let labeled = sources.iter().map(|source| source.facts()).filter(|facts| facts.has_labels);
    let mut classes = labeled.map(|facts| (&facts.classes, facts.have_names));
    let first = classes.next();
    if classes.all(|other| Some(other) == first) {
        return Ok(None);
    }
    let inputs: Vec<ClassesOfInput<'_>> = sources
        .iter()
        .map(|source| {
            let facts = source.facts();
            let classes = facts.classes.as_ref();
            // A table without rows has an empty column of labels.
            let is_empty = facts.count == Some(0) && classes.is_none();
            let are_none = !facts.has_labels || is_empty;
            ClassesOfInput { classes, have_names: facts.have_names, are_none }
        })
        .collect();
    if let Some((source, question)) = other_spelling(&sources) {
        return Err(source.error(question));
    }
    unite(&inputs, of_one_set).map_err(|conflict| error_of(&sources, conflict))
}

/// Returns the error for sources whose classes cannot be one list.
fn error_of(sources: &[&Source], conflict: Conflict) -> Error {
    let source = |index: usize| sources.get(index).copied();
    let name = |index: usize| source(index).map(name_of).unwrap_or_default();
    let (kind, index) = match conflict {
        Conflict::Words { words, numbers } => {
            let is_word = |(_, name): &(i128, &str)| name.parse::<i128>().is_err();
            let word = source(words)
                .and_then(|source| source.facts().classes.as_ref()?.iter().find(is_word));
            let question = Question::new(format!(
                "the labels of {} are names, such as {}, and those of {} are numbers",
                name(words),
                shown(word.map_or("", |(_, name)| name)),
                name(numbers)
            ));
            let question = question
                .or(ReadingOption::Classes(None), "with a file that names all numbers")
                .or(ReadingOption::NoLabels, "without labels");
            (ErrorKind::from(question), words.max(numbers))
        }
        Conflict::Names { first, other } => {
            let message = format!(
                "the classes differ from those of {}; if their numbers mean the same, give one list of names with \
                 `--classes`; otherwise give them the same numbers first, with `--relabel`",
                name(first)
            );
            (ErrorKind::mismatch(message), other)
        }
    };
    match source(index) {
        Some(source) => source.error(kind),
        None => kind.into(),
    }
}
