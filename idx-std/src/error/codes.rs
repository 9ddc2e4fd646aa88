//! The code and the `io::ErrorKind` of each error, and the documentation of both, from one list.

use std::io;

use crate::error::kind::ErrorKind;

/// Generates the functions and the table in their documentation from a list of kinds, each with its code and its
/// `io::ErrorKind`. The second part lists the kinds of idx-core.
macro_rules! codes {
    ($($kind:ident $code:literal $io_kind:ident,)* + $($format:ident $word:literal $io:ident,)*) => {
        impl ErrorKind {
            /// Returns a stable word for programs: it stays the same when the message changes.
            ///
            /// | code | kind | as [`io::ErrorKind`] |
            /// | --- | --- | --- |
            $(#[doc = concat!(
                "| `", $code, "` | [`", stringify!($kind), "`](Self::", stringify!($kind), ") | `", stringify!($io_kind), "` |"
            )])*
            $(#[doc = concat!(
                "| `", $word, "` | [`Format`](Self::Format), `", stringify!($format), "` | `", stringify!($io), "` |"
            )])*
            /// | `not_found`, `is_a_directory`, `permission_denied`, `storage_full`, `io` | [`Io`](Self::Io) | its own |
            ///
            /// ```
            /// use idx_std::IdxBuf;
            ///
            /// let error = IdxBuf::from_bytes(b"\0\0\x08\x01\0\0\0\x03\x07".to_vec()).unwrap_err();
            /// assert_eq!(error.kind().code(), "truncated");
            /// ```
            #[must_use]
            pub fn code(&self) -> &'static str {
                self.row().0
            }

            /// Returns the kind that this error has when converted to an [`io::Error`].
            #[must_use]
            pub fn io_kind(&self) -> io::ErrorKind {
                self.row().1
            }

            fn row(&self) -> (&'static str, io::ErrorKind) {
                match self {
                    Self::Io(error) => (io_code(error), error.kind()),
                    Self::Format(error) | Self::NotIdx { signature: None, error, .. } => match error {
                        $(idx_core::ErrorKind::$format { .. } => ($word, io::ErrorKind::$io),)*
                        _ => ("format", io::ErrorKind::InvalidData),
                    },
                    $(Self::$kind { .. } => ($code, io::ErrorKind::$io_kind),)*
                }
            }
        }
    };
}

codes! {
    NotIdx "other_format" InvalidData,
    Unfinished "unfinished" InvalidData,
    TrailingBytes "trailing_bytes" InvalidData,
    GzipInGzip "gzip_in_gzip" InvalidData,
    GzipTruncated "gzip_truncated" UnexpectedEof,
    GzipDamaged "gzip_damaged" InvalidData,
    GzipTrailing "gzip_trailing" InvalidData,
    LimitExceeded "limit_exceeded" Other,
    RecordLimitExceeded "record_limit_exceeded" Other,
    IndexOutOfRange "index_out_of_range" InvalidInput,
    InvalidRange "invalid_range" InvalidInput,
    WrongLength "wrong_length" InvalidInput,
    ShapeTooLarge "shape_too_large" InvalidInput,
    TooManyRecords "too_many_records" InvalidInput,
    CannotSeek "cannot_seek" InvalidInput,
    CannotAppend "cannot_append" InvalidInput,
    CannotCommit "cannot_commit" InvalidInput,
    FailedEarlier "failed_earlier" Other,
    ChangedMeanwhile "changed_meanwhile" Other,
    WouldLose "would_lose" InvalidData,
    LogWithin "log_within" InvalidData,
    LogDamaged "log_damaged" InvalidData,
    NotARegularFile "not_a_regular_file" InvalidInput,
    SameOutput "same_output" InvalidInput,
    FolderInUse "folder_in_use" DirectoryNotEmpty,
    LeftOver "left_over" Other,
    +
    Empty "empty" UnexpectedEof,
    Gzip "gzip" InvalidData,
    NotIdx "bad_magic" InvalidData,
    UnknownElementType "unknown_element_type" InvalidData,
    HeaderTruncated "header_truncated" UnexpectedEof,
    TooLarge "too_large" InvalidData,
    Unaddressable "unaddressable" InvalidData,
    Truncated "truncated" UnexpectedEof,
    TrailingBytes "trailing_bytes" InvalidData,
    ElementMismatch "element_mismatch" InvalidData,
    RankMismatch "rank_mismatch" InvalidData,
    ShapeMismatch "shape_mismatch" InvalidData,
    ValueNotAllowed "value_not_allowed" InvalidData,
}

fn io_code(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::IsADirectory => "is_a_directory",
        io::ErrorKind::NotFound => "not_found",
        io::ErrorKind::PermissionDenied => "permission_denied",
        io::ErrorKind::StorageFull => "storage_full",
        _ => "io",
    }
}
