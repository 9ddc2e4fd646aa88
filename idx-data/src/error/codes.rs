//! The codes of errors, their `io::ErrorKind`, and the documentation of both, from one list.

use std::io;

use crate::error::kind::ErrorKind;

/// Writes the functions, and the table of their documentation, from one list of kinds, words and kinds of the standard
/// library.
macro_rules! codes {
    ($($kind:ident $code:literal $io_kind:ident,)*) => {
        impl ErrorKind {
            /// A stable word for programs: it stays the same when the message changes.
            ///
            /// That of [`File`](Self::File) is of [`idx_std::ErrorKind::code`].
            ///
            /// | code | kind | as [`io::ErrorKind`] |
            /// | --- | --- | --- |
            /// | `output` | [`Output`](Self::Output) | its own |
            /// | `temporary` | [`Temporary`](Self::Temporary) | its own |
            $(#[doc = concat!(
                "| `", $code, "` | [`", stringify!($kind), "`](Self::", stringify!($kind), ") | `", stringify!($io_kind), "` |"
            )])*
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    Self::File(kind) => kind.code(),
                    Self::Output(_) => "output",
                    Self::Temporary(_) => "temporary",
                    $(Self::$kind { .. } => $code,)*
                }
            }

            /// The corresponding kind of the standard library, as a converted [`io::Error`] has it.
            #[must_use]
            pub fn io_kind(&self) -> io::ErrorKind {
                match self {
                    Self::File(kind) | Self::Output(kind) => kind.io_kind(),
                    Self::Temporary(error) => error.kind(),
                    $(Self::$kind { .. } => io::ErrorKind::$io_kind,)*
                }
            }
        }
    };
}

codes! {
    Disabled "disabled" Unsupported,
    Question "question" InvalidInput,
    Malformed "malformed" InvalidData,
    UnknownShape "malformed" InvalidData,
    NoLabelColumn "malformed" InvalidData,
    OutOfRange "out_of_range" InvalidData,
    Fraction "out_of_range" InvalidData,
    Unrepresentable "out_of_range" InvalidData,
    TooLarge "out_of_range" InvalidData,
    LabelOutOfRange "out_of_range" InvalidData,
    Unsupported "unsupported" Unsupported,
    ElementType "unsupported" Unsupported,
    LabelType "unsupported" Unsupported,
    NotBytes "unsupported" Unsupported,
    NotImages "unsupported" Unsupported,
    TooManyPixels "unsupported" Unsupported,
    RecordLimitExceeded "record_limit_exceeded" InvalidData,
    Mismatch "mismatch" InvalidInput,
    SeveralParts "mismatch" InvalidInput,
    PictureSize "mismatch" InvalidInput,
    PictureColors "mismatch" InvalidInput,
    OtherColumns "mismatch" InvalidInput,
    SeveralLabelColumns "mismatch" InvalidInput,
    OtherClassNames "mismatch" InvalidInput,
    NoLabels "mismatch" InvalidInput,
    UnknownClassName "mismatch" InvalidInput,
    LabelCount "label_count" InvalidData,
    LabelNotAllowed "label_not_allowed" InvalidData,
    BeyondLastRecord "beyond_last_record" InvalidInput,
    NotEnoughRecords "not_enough_records" InvalidData,
    UnknownClass "unknown_class" InvalidData,
    InvalidFraction "invalid_fraction" InvalidData,
    NoFolder "no_folder" NotFound,
    NoDataSet "no_data_set" NotFound,
    SeveralDataSets "several_data_sets" InvalidData,
    MissingFile "missing_file" NotFound,
    SeveralFiles "several_files" InvalidData,
    Swapped "swapped" InvalidData,
    NameMismatch "name_mismatch" InvalidData,
    MixedDataSets "mixed_data_sets" InvalidData,
    OtherLabels "other_labels" InvalidData,
    FetchFailed "fetch_failed" InvalidData,
    FileConflict "file_conflict" InvalidData,
}
