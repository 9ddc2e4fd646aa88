//! The kinds of errors, with their numbers and sentences.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::answer::Answer;
use crate::error::hint::Hint;
use idx_std::__private::counted;
use idx_std::{ElementType, ErrorKind as FileErrorKind, Shape};

/// A kind of error, with its numbers.
///
/// It displays as a sentence that ends with what to do next; [`code`](Self::code) is a word for programs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file or folder could not be read or written, or an IDX file is damaged.
    #[error("{0}")]
    File(FileErrorKind),
    /// The caller's stream could not be written.
    #[error("{0}")]
    Output(FileErrorKind),
    /// The folder for temporary files could not hold records that exceed the memory or wait for an output to be
    /// complete.
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

    /// The input has several readings, and an option chooses one; or it has none, and the sentence says what to change.
    #[error("{sentence}{}", answers_part(answers))]
    Question {
        /// The question, with its reason.
        sentence: String,
        /// The options that answer it.
        answers: Vec<Answer>,
    },

    /// The content is not valid in its format.
    #[error("{sentence}")]
    Malformed {
        /// The error, and what to do next.
        sentence: String,
        /// The advice in it, if a program may have an option for it.
        hint: Option<Hint>,
    },
    /// A number, a label or a class does not fit the type it should get.
    #[error("{sentence}")]
    OutOfRange {
        /// The error, and what to do next.
        sentence: String,
        /// The advice in it, if a program may have an option for it.
        hint: Option<Hint>,
    },
    /// The content is valid, but IDX or the other format cannot represent it.
    #[error("{sentence}")]
    Unsupported {
        /// The error, and what to do next.
        sentence: String,
        /// The advice in it, if a program may have an option for it.
        hint: Option<Hint>,
    },
    /// A record, a line of csv, an array in Fortran order or a picture is larger than the limit.
    #[error("{sentence}")]
    RecordLimitExceeded {
        /// The error, and what to do next.
        sentence: String,
    },
    /// Inputs, labels and options do not match.
    #[error("{sentence}")]
    Mismatch {
        /// The error, and what to do next.
        sentence: String,
        /// The advice in it, if a program may have an option for it.
        hint: Option<Hint>,
    },
    /// There are more or fewer labels than images.
    #[error(
        "{} for the {}{}; use the matching files, or leave the labels out",
        counted(*labels, "label"),
        counted(*images, "record"),
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
    /// A label is not one of the labels of its data set.
    #[error(
        "record {record} has the label {label}, but files with this name have {} to {}; correct it, or use a prefix \
         for another set, as in my-train-images-idx3-ubyte",
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
        "the range starts beyond the last record; {} {}, counted from 0",
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
        /// The number of records that exist.
        found: u64,
    },

    /// A folder has no file of a data set.
    #[error(
        "this folder has no file with a name like train-images-idx3-ubyte; specify the folder that has them, or the \
         files"
    )]
    NoDataSet,
    /// A file of a data set, or its folder, does not exist.
    #[error("{0}")]
    MissingFile(String),
    /// Several files exist where one is expected.
    #[error("{0}")]
    SeveralFiles(String),
    /// The files are not of the one data set that their names say: images and labels are swapped, or from different
    /// sets.
    #[error("{0}")]
    OtherDataSet(String),
    /// No mirror delivered a file of a data set.
    #[error(
        "no mirror gave this file: {}; try again later, or specify another mirror",
        failures.join("; ")
    )]
    FetchFailed {
        /// The address of each mirror, and the error there.
        failures: Vec<String>,
    },
    /// A file of this name exists, but it is not the published one.
    #[error(
        "a file with this name exists, but it is not the published one; move it away, or overwrite it"
    )]
    FileConflict,
}

impl ErrorKind {
    /// Returns the error for a failed write to the caller's stream.
    pub(crate) fn output(error: io::Error) -> Self {
        Self::Output(error.into())
    }

    /// Returns the error for a number that this type cannot hold, but another type of IDX can.
    pub(crate) fn out_of_range(number: &str, element_type: ElementType) -> Self {
        let is_fraction = |number: f64| number.is_finite() && number.fract() != 0.0;
        if !number.parse().is_ok_and(is_fraction) || element_type.is_float() {
            return Self::does_not_fit(number, element_type);
        }
        Self::beyond(format!(
            "{number} is not a whole number, as {element_type} needs; change the type, or give the range to scale from"
        ))
        .advising(Hint::Fractions)
    }

    /// Returns the error for a number that this type cannot hold, but another type may.
    pub(crate) fn does_not_fit(number: &str, element_type: ElementType) -> Self {
        let sentence = format!("{number} does not fit {element_type}; choose another element type");
        Self::beyond(sentence).advising(Hint::ElementType)
    }

    /// Returns the error for a number, label or class that is out of range.
    pub(crate) fn beyond(sentence: impl Into<String>) -> Self {
        Self::OutOfRange { sentence: sentence.into(), hint: None }
    }

    pub(crate) fn malformed(sentence: impl Into<String>) -> Self {
        Self::Malformed { sentence: sentence.into(), hint: None }
    }

    pub(crate) fn unsupported(sentence: impl Into<String>) -> Self {
        Self::Unsupported { sentence: sentence.into(), hint: None }
    }

    pub(crate) fn mismatch(sentence: impl Into<String>) -> Self {
        Self::Mismatch { sentence: sentence.into(), hint: None }
    }

    pub(crate) fn over_limit(what: impl Display) -> Self {
        Self::RecordLimitExceeded {
            sentence: format!("{what}; if you trust the file, raise the limit"),
        }
    }

    /// Returns the error for records without the labels that a step or a batch needs.
    pub(crate) fn no_labels() -> Self {
        Self::mismatch("these records have no labels; give their labels").advising(Hint::Labels)
    }

    /// Returns the error for pictures or records that are not bytes.
    pub(crate) fn not_bytes(what: impl Display) -> Self {
        let sentence =
            format!("{what} cannot be changed or written as pictures of u8; convert them first");
        Self::unsupported(sentence).advising(Hint::Bytes)
    }

    /// Returns the error for records that should be images but have another shape.
    pub(crate) fn not_images(shape: &[u32]) -> Self {
        let shape = Shape(shape);
        Self::unsupported(format!("records of {shape} are not images; give the shape of a record"))
            .advising(Hint::Shape)
    }

    /// Attaches the hint for the advice at the end of the sentence, for which a program may have an option.
    pub(crate) fn advising(mut self, advice: Hint) -> Self {
        match &mut self {
            Self::Malformed { hint, .. }
            | Self::OutOfRange { hint, .. }
            | Self::Unsupported { hint, .. }
            | Self::Mismatch { hint, .. } => *hint = Some(advice),
            _ => debug_assert!(false, "the kind implies its advice"),
        }
        self
    }

    /// Returns the advice at the end of the sentence, if a program may have an option for it.
    #[must_use]
    pub const fn hint(&self) -> Option<Hint> {
        match self {
            Self::Malformed { hint, .. }
            | Self::OutOfRange { hint, .. }
            | Self::Unsupported { hint, .. }
            | Self::Mismatch { hint, .. } => *hint,
            Self::RecordLimitExceeded { .. } => Some(Hint::RecordLimit),
            Self::LabelCount { .. } => Some(Hint::NoLabels),
            _ => None,
        }
    }

    /// Returns the error for two files that should be equal but differ.
    pub(crate) fn several_files(first: &Path, second: &Path) -> Self {
        Self::SeveralFiles(format!(
            "{} and {} differ, and either could be meant; remove or rename one of them",
            file_name(first),
            file_name(second)
        ))
    }
}

impl From<FileErrorKind> for ErrorKind {
    fn from(kind: FileErrorKind) -> Self {
        Self::File(kind)
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        // The reader that decompresses gzip data wraps an error of its own, with its own kind.
        let decompressed = error.downcast::<idx_std::Error>();
        Self::File(decompressed.map_or_else(FileErrorKind::from, idx_std::Error::into_kind))
    }
}

fn answers_part(answers: &[Answer]) -> String {
    let part = |answer: &Answer| format!("`{}` {}", answer.option, answer.when).trim().to_string();
    let parts: Vec<String> = answers.iter().map(part).collect();
    if parts.is_empty() { String::new() } else { format!("; choose {}", parts.join(", or ")) }
}

/// Returns the name of a file without its folder, which the message already has.
pub(crate) fn file_name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}
