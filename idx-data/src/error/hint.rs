//! The advice of an error, for which a program can name its own option.

/// The advice at the end of an error's sentence. A program can add how to follow it: the command names its option.
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
    /// A higher limit for a record.
    RecordLimit,
    /// One size for all pictures.
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
