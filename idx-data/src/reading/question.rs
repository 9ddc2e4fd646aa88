//! The question about an input that has several readings, or none.

use crate::answer::{Answer, ReadingOption};
use crate::error::{Error, ErrorKind};

/// The maximum number of names of files and folders that an answer leaves out.
const MOST_SKIPPED: usize = 8;

/// A question about an input that has several readings, and an option for each; or none, and the sentence says what to
/// change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) sentence: String,
    pub(crate) answers: Vec<Answer>,
}

impl Question {
    /// Creates a question that only a change of the data answers; the sentence says which.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), answers: Vec::new() }
    }

    /// Adds an option that answers the question.
    pub(crate) fn or(mut self, option: ReadingOption, when: impl Into<String>) -> Self {
        self.answers.push(Answer { option, when: when.into() });
        self
    }

    /// Adds an option that leaves out names, unless they are too many.
    pub(crate) fn or_skip(self, option: ReadingOption, when: impl Into<String>) -> Self {
        match &option {
            ReadingOption::Skip(names) if names.len() > MOST_SKIPPED => self,
            _ => self.or(option, when),
        }
    }
}

impl From<Question> for ErrorKind {
    fn from(question: Question) -> Self {
        Self::Question { sentence: question.sentence, answers: question.answers }
    }
}

impl From<Question> for Error {
    fn from(question: Question) -> Self {
        ErrorKind::from(question).into()
    }
}
