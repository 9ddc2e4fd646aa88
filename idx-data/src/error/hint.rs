//! The advice of an error, which a program follows by an option of its own.

/// The advice at the end of a sentence. A program says how to follow it there: the command names its option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Another element type of the records.
    ElementType,
    /// The range to scale from.
    Scale,
    /// A type with fractions, or a range to scale from.
    Fractions,
    /// Records of u8.
    Bytes,
    /// Another element type of the labels.
    LabelType,
    /// The shape of a record.
    Shape,
    /// The column of the labels.
    LabelColumn,
    /// The labels of the records.
    Labels,
    /// No labels.
    NoLabels,
    /// The names of the classes.
    Classes,
    /// A higher limit of a record.
    RecordLimit,
    /// One size of all pictures.
    PictureSize,
    /// Colors in all pictures, or in none.
    PictureColors,
    /// The other pictures, without the damaged ones.
    SkipBad,
    /// A lower brightness from which pixels are white.
    Threshold,
    /// A format that holds several parts.
    Format,
}
