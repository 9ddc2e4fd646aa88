//! All that can go wrong, with the numbers, and the sentence for each.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::answer::Answer;
use idx_std::__private::counted;
use idx_std::{ElementType, ErrorKind as FileErrorKind, Shape};

/// What went wrong, with the numbers.
///
/// It displays as a sentence that ends with what to do next; [`code`](Self::code) is a word for programs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file or folder could not be read or written, or a file of IDX is damaged.
    #[error("{0}")]
    File(FileErrorKind),
    /// The stream that the caller gave could not be written.
    #[error("{0}")]
    Output(FileErrorKind),
    /// Records that take too much memory, or wait for an output that is written at once, could not be kept in the folder for
    /// temporary files.
    #[error(
        "temporary files cannot be kept here: {0}; free some space, or name another folder in TMPDIR"
    )]
    Temporary(io::Error),
    /// This crate was built without the feature for the format.
    #[error("this program was built without the feature `{feature}`")]
    Disabled {
        /// The feature.
        feature: &'static str,
    },

    /// The input has several readings, each of which an option chooses; or none, then the sentence says what to change.
    #[error("{sentence}{}", answers_part(answers))]
    Question {
        /// The question, with its reason.
        sentence: String,
        /// The options that answer it.
        answers: Vec<Answer>,
    },

    /// The content is not valid in its format.
    #[error("{0}")]
    Malformed(String),
    /// The input does not say which shape its records have.
    #[error("{0}; give the shape of a record")]
    UnknownShape(String),
    /// The column of the labels is beyond the last one.
    #[error(
        "there is no column {column}; the lines have {count}, counted from 0; choose the column of the labels"
    )]
    NoLabelColumn {
        /// The column, counted from 0.
        column: usize,
        /// The number of columns.
        count: usize,
    },

    /// Classes were chosen of records without labels.
    #[error("these records have no labels to choose by; give their labels")]
    NoLabels,
    /// A class was chosen that is no label, nor a name of one.
    #[error("{0}; choose another, or name the classes of the labels")]
    UnknownClassName(String),
    /// The element type does not have a number.
    #[error(
        "{number}{} does not fit {element_type}; choose another element type{}",
        becomes_part(becomes.as_deref()),
        if becomes.is_some() { ", or give the range to scale from" } else { "" }
    )]
    OutOfRange {
        /// The number.
        number: String,
        /// What it becomes by the change that was asked for.
        becomes: Option<String>,
        /// The type.
        element_type: ElementType,
    },
    /// A fraction was to become a whole number.
    #[error(
        "{number} is not a whole number, and {element_type} has no others; choose another element type, or give the range to scale from"
    )]
    Fraction {
        /// The number.
        number: String,
        /// The type.
        element_type: ElementType,
    },
    /// No type of IDX has a number.
    #[error("{number} does not fit {element_type}; IDX has no type for it, so round it first")]
    Unrepresentable {
        /// The number.
        number: String,
        /// The type that was asked for.
        element_type: ElementType,
    },
    /// The change that was asked for makes a number infinite.
    #[error(
        "{number:?} becomes too large for {element_type}; scale to a smaller range, or divide by a larger deviation"
    )]
    TooLarge {
        /// The number.
        number: f64,
        /// The type.
        element_type: ElementType,
    },
    /// The type of the labels does not have a label.
    #[error("{}", label_sentence(*label, *element_type))]
    LabelOutOfRange {
        /// The label.
        label: i128,
        /// The type.
        element_type: ElementType,
    },

    /// The content is valid, but IDX or the other format cannot represent it.
    #[error("{0}")]
    Unsupported(String),
    /// The records have an element type that IDX, the other format or a change does not have.
    #[error("{0}; choose another element type")]
    ElementType(String),
    /// Labels are integers.
    #[error("labels are integers, and {0} is for fractions; choose another label type")]
    LabelType(ElementType),
    /// One file of this format cannot hold a set of several parts.
    #[error(
        "one file of {format} holds one part, and this set has {}; write one of them, all to .npz, or all to a folder as {format}",
        parts.join(" and ")
    )]
    SeveralParts {
        /// The name of the file's format.
        format: &'static str,
        /// The names of the parts.
        parts: Vec<String>,
    },
    /// Records, or pictures, of other numbers than bytes cannot be changed or written as pictures.
    #[error("{0} cannot be changed or written as pictures, which are u8; convert them to u8 first")]
    NotBytes(String),
    /// Records that should be images have another shape.
    #[error("records of {} are not images; give the shape of a record", Shape(.0))]
    NotImages(Vec<u32>),
    /// A picture is larger than the limit.
    #[error(
        "the picture has {pixels} pixels, and the limit is {limit}; make it smaller, or raise the limit"
    )]
    TooManyPixels {
        /// The number of pixels.
        pixels: u64,
        /// The limit.
        limit: u64,
    },
    /// A record, a line of csv or an array in Fortran order needs more bytes than the limit.
    #[error("{0}; if you trust the file, raise the limit")]
    RecordLimitExceeded(String),

    /// Inputs, labels and options do not match.
    #[error("{0}")]
    Mismatch(String),
    /// A picture has another size than the first.
    #[error("{}; scale the pictures to one size", picture_part(found, expected, folder))]
    PictureSize {
        /// The shape of the picture.
        found: Vec<u32>,
        /// The shape of the first.
        expected: Vec<u32>,
        /// The folder of the first.
        folder: PathBuf,
    },
    /// A picture has colors and the first has none, or the other way around.
    #[error("{}; choose whether pictures have colors", picture_part(found, expected, folder))]
    PictureColors {
        /// The shape of the picture.
        found: Vec<u32>,
        /// The shape of the first.
        expected: Vec<u32>,
        /// The folder of the first.
        folder: PathBuf,
    },
    /// The inputs to join have other columns.
    #[error(
        "cannot join inputs: column {column} of these records is {found:?}, and was {expected:?} before; give all the \
         same columns in one order, or if the names mean the same, give the shape of a record"
    )]
    OtherColumns {
        /// The column, counted from 0.
        column: usize,
        /// Its name.
        found: String,
        /// Its name in the inputs before.
        expected: String,
    },
    /// The list of names that is there already has other names of classes.
    #[error(
        "this list has other names of classes; write to another folder, or if its names are right, give them"
    )]
    OtherClassNames,
    /// The labels have several columns, and a row of them is not one-hot.
    #[error(
        "the labels have {columns} columns, and this row is not a single 1 and otherwise 0; choose the column of the labels"
    )]
    SeveralLabelColumns {
        /// The number of columns.
        columns: usize,
    },
    /// The number of labels is not the number of images.
    #[error(
        "{} for the {}{}; use the matching files, download both again, or leave the labels out",
        counted(*labels, "label"),
        counted(*images, "image"),
        images_path.as_deref().map(|path| format!(" of {}", file_name(path))).unwrap_or_default()
    )]
    LabelCount {
        /// The number of labels.
        labels: u64,
        /// The number of images.
        images: u64,
        /// The file of the images, if it has a name.
        images_path: Option<PathBuf>,
    },
    /// A label is not one of those of its data set.
    #[error(
        "record {record} has the label {label}, but files of this name have the labels {} to {}; if it is \
         another data set, put a prefix before the names, as in my-train-images-idx3-ubyte, else correct the \
         file",
        allowed.start(),
        allowed.end()
    )]
    LabelNotAllowed {
        /// The record, counted from 0.
        record: u64,
        /// The label.
        label: f64,
        /// The labels of the data set.
        allowed: RangeInclusive<u8>,
    },

    /// Records were selected beyond the last one.
    #[error(
        "the range goes beyond the last record; {} {}, counted from 0",
        if *count == 1 { "there is" } else { "there are" },
        counted(*count, "record")
    )]
    BeyondLastRecord {
        /// The number of records.
        count: u64,
    },
    /// A set, or a class of it, has fewer records than were requested.
    #[error(
        "{} only {}, but {wanted} were requested; use fewer",
        class.map_or("the set has".to_string(), |class| format!("class {class} has")),
        counted(*found, "record")
    )]
    NotEnoughRecords {
        /// The class; `None` for the whole set.
        class: Option<i128>,
        /// The number of records that were requested.
        wanted: u64,
        /// The number of records that there are.
        found: u64,
    },
    /// A record is of a class that was not specified.
    #[error(
        "record {record} is of class {class}, but the classes are {} to {}; specify all classes, or leave this one \
         out",
        classes.start(),
        classes.end()
    )]
    UnknownClass {
        /// The record, counted from 0.
        record: usize,
        /// Its class.
        class: i32,
        /// The classes that were specified.
        classes: RangeInclusive<i32>,
    },
    /// A part of a set is not from 0 to 1, or ends before it starts.
    #[error("{0}")]
    InvalidFraction(String),

    /// The folder of a data set does not exist.
    #[error("no such folder; check the path")]
    NoFolder,
    /// A folder has no file of a data set.
    #[error(
        "this folder has no file with a name like train-images-idx3-ubyte; specify the folder that has them, or the \
         files"
    )]
    NoDataSet,
    /// A folder has several data sets.
    #[error("{0}")]
    SeveralDataSets(String),
    /// A file of a data set does not exist.
    #[error("{0}")]
    MissingFile(String),
    /// There are two files where a data set has one.
    #[error("{0}")]
    SeveralFiles(String),
    /// A file of images has labels, or the other way around.
    #[error("this has the shape of {0}; are images and labels swapped?")]
    Swapped(String),
    /// The content of a file is not what its name says.
    #[error("the name says {named}, but the content is {found}; correct the name")]
    NameMismatch {
        /// What the name says.
        named: String,
        /// What the content is.
        found: String,
    },
    /// The files belong to two data sets.
    #[error(
        "the files belong to two data sets: {0}, {1}; keep each data set in a folder of its own"
    )]
    MixedDataSets(String, String),
    /// The labels are not those of the images, which are well known.
    #[error("{0}")]
    OtherLabels(String),
    /// No mirror gave a file of a data set.
    #[error(
        "no mirror gave this file: {}; try again later, or specify another mirror",
        failures.join("; ")
    )]
    FetchFailed {
        /// The address of each mirror, and what went wrong.
        failures: Vec<String>,
    },
    /// A file of this name exists, and it is not the published one.
    #[error(
        "a file of this name exists, and it is not the published one; move it away, or overwrite it"
    )]
    FileConflict,
}

impl ErrorKind {
    /// The stream that the caller gave could not be written.
    pub(crate) fn output(error: io::Error) -> Self {
        Self::Output(error.into())
    }

    /// The error of a number that this type does not have, though another type of IDX has it.
    pub(crate) fn out_of_range(number: String, element_type: ElementType) -> Self {
        let is_fraction = |number: f64| number.is_finite() && number.fract() != 0.0;
        match number.parse().is_ok_and(is_fraction) && !element_type.is_float() {
            true => Self::Fraction { number, element_type },
            false => Self::OutOfRange { number, becomes: None, element_type },
        }
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::Malformed(message.into())
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::Unsupported(message.into())
    }

    pub(crate) fn over_limit(message: impl Into<String>) -> Self {
        Self::RecordLimitExceeded(message.into())
    }

    /// Two files are meant to be the same, and are not.
    pub(crate) fn several_files(first: &Path, second: &Path) -> Self {
        Self::SeveralFiles(format!(
            "{} and {} differ, and either could be meant; remove or rename one of them",
            file_name(first),
            file_name(second)
        ))
    }

    pub(crate) fn mismatch(message: impl Into<String>) -> Self {
        Self::Mismatch(message.into())
    }
}

impl From<FileErrorKind> for ErrorKind {
    fn from(kind: FileErrorKind) -> Self {
        Self::File(kind)
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        // Gzip data is decompressed by a reader, whose error has its own kind.
        let decompressed = error.downcast::<idx_std::Error>();
        Self::File(decompressed.map_or_else(FileErrorKind::from, idx_std::Error::into_kind))
    }
}

fn answers_part(answers: &[Answer]) -> String {
    let part = |answer: &Answer| format!("`{}` {}", answer.option, answer.when).trim().to_string();
    let parts: Vec<String> = answers.iter().map(part).collect();
    if parts.is_empty() { String::new() } else { format!("; choose {}", parts.join(", or ")) }
}

fn becomes_part(becomes: Option<&str>) -> String {
    becomes.map(|changed| format!(" becomes {changed}, which")).unwrap_or_default()
}

fn label_sentence(label: i128, element_type: ElementType) -> String {
    match i32::try_from(label) {
        Ok(_) => format!("label {label} does not fit {element_type}; choose another label type"),
        Err(_) => format!(
            "label {label} does not fit {element_type}, and no other type of IDX; write smaller labels"
        ),
    }
}

fn picture_part(found: &[u32], expected: &[u32], folder: &Path) -> String {
    format!(
        "the picture is {}, the first in {} is {}",
        Shape(found),
        folder.display(),
        Shape(expected)
    )
}

/// The name without its folder, which the message has already.
pub(crate) fn file_name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}
