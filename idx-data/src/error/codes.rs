//! The codes of errors, their `io::ErrorKind`, and the documentation of both, from one list.

use std::io;

use crate::error::kind::ErrorKind;

/// Generates the functions, and the table in their documentation, from one list of error kinds, codes and kinds of the
/// standard library.
macro_rules! codes {
    ($($kind:ident $code:literal $io_kind:ident,)*) => {
        impl ErrorKind {
            /// Returns a stable word for programs: it stays the same when the message changes.
            ///
            /// For [`File`](Self::File), it is that of [`idx_std::ErrorKind::code`].
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

            /// Returns the kind that this error has when it is converted to an [`io::Error`].
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
    OutOfRange "out_of_range" InvalidData,
    Unsupported "unsupported" Unsupported,
    RecordLimitExceeded "record_limit_exceeded" InvalidData,
    Mismatch "mismatch" InvalidInput,
    LabelCount "label_count" InvalidData,
    LabelNotAllowed "label_not_allowed" InvalidData,
    BeyondLastRecord "beyond_last_record" InvalidInput,
    NotEnoughRecords "not_enough_records" InvalidData,
    NoDataSet "no_data_set" NotFound,
    MissingFile "missing_file" NotFound,
    SeveralFiles "several_files" InvalidData,
    OtherDataSet "other_data_set" InvalidData,
    FetchFailed "fetch_failed" InvalidData,
    FileConflict "file_conflict" InvalidData,
}
