//! Decides what an input means, once, before its first record is read. Each input is a table or a tree: one function
//! gives the columns of a table their roles, another gives the leaves of a tree their part, kind and class. Both look
//! only at names and cells, open no file, and return a reading or a question.
//!
//! These are the rules, in the order in which they are tried: the first that holds decides, and options come before
//! them.
//!
//! # Tables
//!
//! The separator, in `text`:
//! - Lines with `#` above the table are comments; the last one names the columns if it has a name for each.
//! - The separator gives all lines the same number of cells, except that line 1 may lack a cell or end with an empty
//!   one. Of several, it is the one that leaves the fewest columns with words. Spaces separate numbers, or pictures
//!   from their labels.
//! - Without a separator, each line is a cell. Asks about lines of several widths, also below a title; names of
//!   pictures, and numbers that count up, with more after them; commas and points that may be between thousands; and
//!   text after quotes.
//!
//! Line 1, in `header`:
//! - It lacks a cell, and names or numbers of rows are below: names, as R writes them; a question if the numbers do not
//!   count up.
//! - It has the name of a picture: a record.
//! - It has only numbers: a record. If they count up from 0 or 1, or are three or more that count up, the number of
//!   records decides, else a question. Asks about `5` and `5.1`: pandas makes such names from a record.
//! - It has words, and empty cells above columns with values: a question, because it may be a title.
//! - It has an empty cell and numbers, or numbers among words that do not count up: a record; a question if a word
//!   stands above numbers or is the name of a label.
//! - It has the name of a label, a file or a pixel, or a word above numbers, or its first cell is empty: names.
//! - One of its words occurs again below: a record.
//! - The number of records decides; else a question.
//!
//! The columns, in `roles`:
//! - `key`: each cell names a different picture. A column that names only some of them is an error, and so is one that
//!   names the records of a table in another order. For labels of records without names, numbers that do not rise are a
//!   question if their column is called `id` or the like, or has every number from 0 or 1 on; so are names of pictures
//!   that do not rise.
//! - `row_numbers`: a column without a name, or with a last word such as `id`, is left out if it counts up or names the
//!   rows; else it is a question. So is a named column that counts up in a list of pictures, if all pictures are named
//!   by other numbers.
//! - `label`: a column called `label`, `class` or `target`, or `y` without an `x`. Of several, equal ones are one, and
//!   a number with its word is a class with its name; others are a question, and so is a number written in two ways.
//! - `label`, in a list: the only column, a number with its name, one-hot columns, or the only column of words if they
//!   are at least two, occur again, and are not dates or parts; else a question. Also asks about labels in one line,
//!   captions, words for parts, and numbers that name the pictures as well; and in a `metadata.csv` above folders that
//!   may be classes, each column that is not named as a label.
//! - `label`, with records: one-hot columns such as `label_0` and `label_1`, or the only column of words if they occur
//!   again and are not dates or parts. Asks about names with a word such as `category`; the first and last column next
//!   to a square picture or the given shape; a first or last column if only it is whole; a first column that counts up
//!   or has ids; and one-hot last columns next to a square picture.
//! - `values`: words that match the labels one to one are the names of their classes. With a label, or without one by
//!   option, True and False are 1 and 0. Asks about other words, other labels and their numbers next to the label,
//!   missing values, a last row of sums, and numbers next to records of one cell.
//!
//! `label_words` asks about words in the place of labels that may not be labels, such as `total`.
//!
//! # Trees
//!
//! Folders of pictures, in `tree` and its `doubts`:
//! - The names of a level end in a word for a part and are otherwise equal: parts. Asks about parts next to other
//!   folders, and a path of two parts. Where other parts have classes, a part has no labels if its pictures are at its
//!   top, in a folder such as `images`, or in one such as `unknown` or of its own name that no other part has.
//! - A list has the labels of all pictures in its folder and below. If a list of classes names all folders of a level,
//!   they are the classes, whatever else their names may say.
//! - Of the levels that are not parts, the only one that varies has the classes, and everything below belongs to them.
//!   Asks about several such levels; folders such as `masks` and `cat (1)`; a class within another; one that has parts
//!   in it, or only several folders, where others have pictures; pictures such as `1_mask.png`; pairs of `1.jpg` and
//!   `1.png`; and classes that other parts or inputs have as numbers, in another spelling, or not at all.
//! - If no level varies, there is no label. Asks about a single folder that may be a class, and a table of any name
//!   that may have the labels. Words that the file names share are reported.
//! - A folder without pictures, next to folders with some, is a question if it may be a class or a part.
//!
//! Files of a folder and arrays of an archive, in `members`:
//! - A word names the part, words such as `y` and `labels` the labels, `x` and `images` the records; the other words
//!   are the name of the data set. Next to these, arrays of other names are left out, and files are asked about. Arrays
//!   `x` and `y` next to `x_test` are the training part.
//! - Several files of a part are shards if they are numbered `-00000-of-00002`, with the same name and total. Without
//!   such numbers, they are shards if they lie in a folder of the part or are Parquet, and their names differ only in
//!   numbers and codes. Asks about a copy such as `data (1)`, and an input named like labels next to others. By an
//!   option, one level of their paths names the classes, and the others the part.
//!
//! The names of classes, in `class_list` and `classes`:
//! - A list has the numbers of labels in a column, each once, or as the first or last word of each line; else line N
//!   names label N. Asks about several readings, source code, columns of other numbers, numbers in another order than
//!   the lines, and labels without a name.
//! - Texts are the names of a list, or numbers if all are whole; else they are numbered in byte order.
//! - Asks about parts and inputs if their content says that columns of different names have the labels.

pub(crate) mod question;
pub(crate) mod spelling;
pub(crate) mod rows;
pub(crate) mod table;
pub(crate) mod cell;
#[cfg(feature = "csv")]
pub(crate) mod lines;
#[cfg(feature = "csv")]
pub(crate) mod text;
#[cfg(feature = "csv")]
pub(crate) mod header;
pub(crate) mod roles;
pub(crate) mod class_list;
mod literal;
#[cfg(any(feature = "csv", feature = "parquet"))]
pub(crate) mod label_words;
pub(crate) mod words;
pub(crate) mod pattern;
pub(crate) mod skip;
pub(crate) mod tree;
pub(crate) mod members;
pub(crate) mod classes;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::answer::{Column, ReadingOption};
use crate::reading::words::{MOST_LISTED, listed};

/// The reading of an input: its records, labels, classes and parts, what is left out, and the evidence for each. It is
/// made before the first record is read, and never changed later.
///
/// Each of its [inputs](Self::inputs) displays as a line. The [options](InputReading::options) state it: with them, the
/// same records come out of the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    inputs: Vec<InputReading>,
    /// The folders in which all files are read.
    folders: Vec<PathBuf>,
    /// The names of the options that had an effect on the inputs, whatever their values.
    used: BTreeSet<&'static str>,
}

/// The reading of one of the joined inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputReading {
    path: PathBuf,
    said: Said,
    alike: u64,
}

/// The statements about an input, and the options that state them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) statements: Vec<Statement>,
    pub(crate) options: Vec<ReadingOption>,
}

/// A statement about an input, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement {
    /// The subject of the statement.
    pub subject: Subject,
    /// A short sentence, such as "label `species`".
    pub text: String,
    /// The evidence.
    pub by: Evidence,
    /// The text without its number of records or names, if it has one: inputs that differ only in that number are
    /// alike.
    uncounted: Option<String>,
}

/// The subject of a [`Statement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The records: their number and what is in each.
    Records,
    /// The labels and their origin.
    Labels,
    /// The classes and their names.
    Classes,
    /// The parts of the set.
    Parts,
    /// Columns, files and folders that are not read.
    LeftOut,
}

/// The evidence for a [`Statement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The header of the input.
    Header,
    /// A name, by a convention: a column `label`, a folder `train`.
    Name,
    /// The content: it has no other reading, or this is the plain one.
    Content,
    /// An option.
    Option,
}

impl Subject {
    /// Returns a word for programs, as `--json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Labels => "labels",
            Self::Classes => "classes",
            Self::Parts => "parts",
            Self::LeftOut => "left_out",
        }
    }
}

impl Evidence {
    /// Returns a word for programs, as `--json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Name => "name",
            Self::Content => "content",
            Self::Option => "option",
        }
    }
}

impl Said {
    pub(crate) fn say(&mut self, subject: Subject, by: Evidence, text: impl Into<String>) {
        self.statements.push(Statement { subject, text: text.into(), by, uncounted: None });
    }

    /// Says a text with a number in which inputs may differ and still be alike. The second text lacks the number.
    #[cfg(feature = "csv")]
    pub(crate) fn say_counted(
        &mut self,
        subject: Subject,
        by: Evidence,
        [text, uncounted]: [String; 2],
    ) {
        self.statements.push(Statement { subject, text, by, uncounted: Some(uncounted) });
    }

    /// Says that these names are not read.
    pub(crate) fn leave_out<S: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = S>,
        by: Evidence,
    ) {
        let names: Vec<S> = names.into_iter().collect();
        if !names.is_empty() {
            let names = listed(names.iter().map(AsRef::as_ref), MOST_LISTED);
            self.say(Subject::LeftOut, by, format!("{names} left out"));
        }
    }

    /// Returns the column of the labels.
    pub(crate) fn label_column(&self) -> Option<&Column> {
        self.options.iter().find_map(|option| match option {
            ReadingOption::LabelColumn(column) => Some(column),
            _ => None,
        })
    }

    /// Says that the header states everything so far.
    pub(crate) fn by_header(&mut self) {
        self.statements.iter_mut().for_each(|statement| statement.by = Evidence::Header);
    }
}

impl Statement {
    fn is_like(&self, other: &Self) -> bool {
        let texts = [self, other].map(|one| one.uncounted.as_ref().unwrap_or(&one.text));
        (self.subject, self.by, texts[0]) == (other.subject, other.by, texts[1])
    }
}

impl Reading {
    /// Returns the reading of one input.
    pub(crate) fn of(path: impl Into<PathBuf>, said: Said) -> Self {
        let input = InputReading { path: path.into(), said, alike: 0 };
        Self { inputs: vec![input], ..Self::default() }
    }

    /// Adds the inputs of another reading that are not among these. An input that is like the last one is only counted.
    pub(crate) fn append(&mut self, other: &Self) {
        other.folders.iter().for_each(|folder| self.add_folder(folder));
        self.used.extend(&other.used);
        for input in &other.inputs {
            let is_known = self.inputs.contains(input);
            match self.inputs.last_mut() {
                _ if is_known => {}
                Some(last) if last.is_like(input) => last.count(input),
                _ => self.inputs.push(input.clone()),
            }
        }
    }

    /// Adds the reading of labels from elsewhere. Options about records that it used had no effect on these records.
    pub(crate) fn append_labels(&mut self, labels: &Self) {
        let mut labels = labels.clone();
        labels.used.retain(|name| matches!(*name, "header" | "label_column"));
        self.append(&labels);
    }

    /// Adds a folder, by its absolute path, whose files are all read.
    pub(crate) fn add_folder(&mut self, folder: &Path) {
        if !self.folders.iter().any(|known| known == folder) {
            self.folders.push(folder.to_path_buf());
        }
    }

    /// Adds the names of options that have an effect on the inputs.
    pub(crate) fn uses(&mut self, options: impl IntoIterator<Item = &'static str>) {
        self.used.extend(options);
    }

    /// Returns the names of the options that have an effect on the inputs.
    pub(crate) fn used(&self) -> impl Iterator<Item = &'static str> {
        self.used.iter().copied()
    }

    /// Returns the folders in which all files are read, even those that do not exist yet.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Adds a statement made after the inputs were opened. A statement about records is not added to inputs with parts,
    /// such as a common folder, unless all have parts.
    pub(crate) fn say(&mut self, subject: Subject, by: Evidence, text: &str) {
        let has_parts = |input: &InputReading| {
            input.said.statements.iter().any(|known| known.subject == Subject::Parts)
        };
        let is_for_all = subject != Subject::Records || self.inputs.iter().all(has_parts);
        let inputs = self.inputs.iter_mut().filter(|input| is_for_all || !has_parts(input));
        for said in inputs.map(|input| &mut input.said) {
            if !said.statements.iter().any(|known| known.text == text) {
                said.say(subject, by, text);
            }
        }
    }

    pub(crate) fn says_nothing(&self) -> bool {
        self.inputs.iter().all(|input| input.said.statements.is_empty())
    }

    /// Removes the statements about labels, because the labels come from elsewhere.
    pub(crate) fn forget_labels(&mut self) {
        for input in &mut self.inputs {
            input.said.statements.retain(|statement| statement.subject != Subject::Labels);
            input.said.options.retain(|option| *option != ReadingOption::NoLabels);
        }
        self.inputs.retain(|input| !input.said.statements.is_empty());
    }

    /// Adds the number of class names to the statement about labels.
    #[cfg(feature = "csv")]
    pub(crate) fn count_names(&mut self, count: usize) {
        let is_label = |statement: &&mut Statement| statement.subject == Subject::Labels;
        for input in &mut self.inputs {
            if let Some(label) = input.said.statements.iter_mut().rfind(is_label) {
                label.uncounted = Some(label.text.clone());
                label.text += &format!(" ({})", idx_std::__private::counted(count as u64, "name"));
            }
        }
    }

    /// Returns the inputs, in the order in which they were joined.
    #[must_use]
    pub fn inputs(&self) -> &[InputReading] {
        &self.inputs
    }

    /// Returns whether all statements come from the headers of the inputs.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let mut all = self.inputs.iter().flat_map(InputReading::statements);
        all.all(|statement| statement.by == Evidence::Header)
    }
}

impl InputReading {
    /// Returns the file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of joined inputs after this one that have the same reading.
    #[must_use]
    pub const fn alike(&self) -> u64 {
        self.alike
    }

    /// Returns the column of the labels.
    pub(crate) fn label_column(&self) -> Option<&Column> {
        self.said.label_column()
    }

    /// Returns whether another input has the same reading, except for the number of its records and names.
    fn is_like(&self, other: &Self) -> bool {
        let mut statements = self.statements().iter().zip(other.statements());
        self.options() == other.options()
            && self.statements().len() == other.statements().len()
            && statements.all(|(one, other)| one.is_like(other))
    }

    /// Counts another input that has the same reading.
    fn count(&mut self, other: &Self) {
        self.alike += 1 + other.alike;
        for (one, other) in self.said.statements.iter_mut().zip(other.statements()) {
            if let Some(uncounted) = one.uncounted.take_if(|_| one.text != other.text) {
                one.text = uncounted;
            }
        }
    }

    /// Returns the statements, those about records first.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.said.statements
    }

    /// Returns the options that state this reading.
    #[must_use]
    pub fn options(&self) -> &[ReadingOption] {
        &self.said.options
    }
}

impl fmt::Display for InputReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.statements().iter().map(|one| one.text.as_str()).collect();
        f.write_str(&texts.join("; "))
    }
}
