//! What an input means, understood once before its first record is read. Each input is a table or a tree; one function
//! gives the columns of a table their roles, one gives the leaves of a tree their part, kind and class. Both work on names
//! and cells alone, open no file, and answer with a reading or a question.

pub(crate) mod option;
pub(crate) mod question;
pub(crate) mod rows;

use std::fmt;
use std::path::{Path, PathBuf};

pub use option::ReadingOption;
pub use question::Answer;

/// How an input was understood: what its records, labels, classes and parts are, what was left out, and by what each was
/// decided. It is made before the first record is read, and nothing later overrules it.
///
/// It displays as a line for each input, which ends with the [options](InputReading::options) that state it: with them,
/// the same records come out of the same bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    inputs: Vec<InputReading>,
}

/// How one of the joined inputs was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputReading {
    path: PathBuf,
    statements: Vec<Statement>,
    options: Vec<ReadingOption>,
}

/// A thing that was understood, and by what it was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement {
    /// The thing that it is about.
    pub subject: Subject,
    /// A short sentence, such as "label `species`".
    pub text: String,
    /// The evidence.
    pub by: Evidence,
}

/// The subject of a [`Statement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The records: their number and what is in each.
    Records,
    /// The labels: where they come from.
    Labels,
    /// The classes and their names.
    Classes,
    /// The parts of the set.
    Parts,
    /// Columns, files and folders that are not read.
    LeftOut,
}

/// The evidence by which a [`Statement`] was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The header of the input says it.
    Header,
    /// A name says it, by a convention: a column `label`, a folder `train`.
    Name,
    /// The content leaves no other reading, or it is the plain one.
    Content,
    /// An option says it.
    Option,
}

impl Subject {
    /// A word for programs, as `--json` prints it.
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
    /// A word for programs, as `--json` prints it.
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

impl Statement {
    pub(crate) fn new(subject: Subject, by: Evidence, text: impl Into<String>) -> Self {
        Self { subject, text: text.into(), by }
    }
}

impl Reading {
    /// The inputs, in the order in which they were joined.
    #[must_use]
    pub fn inputs(&self) -> &[InputReading] {
        &self.inputs
    }

    /// Returns whether the headers of the inputs say all of it.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let mut all = self.inputs.iter().flat_map(InputReading::statements);
        all.all(|statement| statement.by == Evidence::Header)
    }
}

impl InputReading {
    /// The file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The things that were understood, records first.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The options that state this reading.
    #[must_use]
    pub fn options(&self) -> &[ReadingOption] {
        &self.options
    }
}

impl fmt::Display for InputReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> = self.statements.iter().map(|one| one.text.as_str()).collect();
        f.write_str(&texts.join("; "))
    }
}
