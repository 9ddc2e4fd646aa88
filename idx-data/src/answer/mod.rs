//! The options that state how an input is read. Each answers a question about it.

mod column;
mod option;

pub use column::Column;
pub use option::ReadingOption;

/// An option that answers a question, and when to choose it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The option that states the reading.
    pub option: ReadingOption,
    /// The condition for choosing it, such as "if it is a record"; may be empty.
    pub when: String,
}
