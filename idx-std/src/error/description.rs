use std::io;

use super::kind::ErrorKind;

/// An error for programs in other languages, such as those that read JSON.
///
/// ```
/// use idx_std::{Detail, IdxBuf};
///
/// let error = IdxBuf::from_bytes(b"\0\0\x08\x01\0\0\0\x03\x07".to_vec()).unwrap_err();
/// let description = error.kind().description().unwrap();
/// assert_eq!(description.code, "truncated");
/// assert_eq!(description.details, [("needed", Detail::Number(3)), ("found", Detail::Number(1))]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Description {
    /// A word, which stays the same when the sentence changes.
    pub code: &'static str,
    /// The numbers of the sentence, and what they are.
    pub details: Vec<(&'static str, Detail)>,
}

/// A number of an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Detail {
    /// A size, a count or an index.
    Number(u64),
    /// The number of an error of the operating system.
    OsError(i32),
    /// A label.
    Label(f64),
    /// Bytes of the file.
    Bytes(Vec<u8>),
    /// It is not known.
    Unknown,
}

impl From<u64> for Detail {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<u32> for Detail {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u8> for Detail {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<usize> for Detail {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<&[u8]> for Detail {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl<D: Into<Self>> From<Option<D>> for Detail {
    fn from(detail: Option<D>) -> Self {
        detail.map_or(Self::Unknown, Into::into)
    }
}

impl Description {
    pub(crate) fn new<const N: usize>(
        code: &'static str,
        details: [(&'static str, Detail); N],
    ) -> Self {
        let details = Vec::from(details);
        Self { code, details }
    }
}

impl ErrorKind {
    /// The error for other programs; `None` for those that only a caller in Rust can cause.
    #[must_use]
    pub fn description(&self) -> Option<Description> {
        Some(match self {
            Self::Io(error) => {
                let code = match error.kind() {
                    io::ErrorKind::NotFound => "not_found",
                    io::ErrorKind::PermissionDenied => "permission_denied",
                    io::ErrorKind::StorageFull => "storage_full",
                    _ => "io",
                };
                let number = error.raw_os_error();
                let detail = number.map_or(Detail::Unknown, Detail::OsError);
                Description::new(code, [("os_error", detail)])
            }
            Self::IsADirectory => Description::new("is_a_directory", []),
            Self::NotARegularFile => Description::new("not_a_regular_file", []),
            Self::Format(error) => return format(error),
            Self::OtherFormat { .. } => Description::new("other_format", []),
            Self::BadMagic { start, error, .. } => {
                let start = start.as_slice().into();
                Description::new(format(error)?.code, [("start", start)])
            }
            Self::Unfinished { records } => {
                Description::new("unfinished", [("whole_records", (*records).into())])
            }
            Self::RecordLimitExceeded { limit, needed } => Description::new(
                "record_limit_exceeded",
                [("limit", (*limit).into()), ("needed", (*needed).into())],
            ),
            Self::GzipInGzip => Description::new("gzip_in_gzip", []),
            Self::GzipTruncated { decompressed, missing } => Description::new(
                "gzip_truncated",
                [("decompressed", (*decompressed).into()), ("missing", (*missing).into())],
            ),
            Self::GzipDamaged { decompressed, .. } => {
                Description::new("gzip_damaged", [("decompressed", (*decompressed).into())])
            }
            Self::EndNotFound { offset, count }
            | Self::DamageAfterPayload { offset, count, .. } => Description::new(
                "trailing_bytes",
                [("offset", (*offset).into()), ("at_least", (*count).into())],
            ),
            Self::PayloadMultiple { offset, count, times } => Description::new(
                "trailing_bytes",
                [
                    ("offset", (*offset).into()),
                    ("count", (*count).into()),
                    ("times", (*times).into()),
                ],
            ),
            Self::GzipTrailing { found, decompressed } => Description::new(
                "gzip_trailing",
                [("found", (*found).into()), ("decompressed", (*decompressed).into())],
            ),
            _ => return None,
        })
    }
}

fn format(error: &idx_core::ErrorKind) -> Option<Description> {
    use idx_core::ErrorKind as Format;

    Some(match *error {
        Format::Empty => Description::new("empty", []),
        Format::Gzip => Description::new("gzip", []),
        Format::NotIdx { start } => {
            Description::new("bad_magic", [("start", start.as_slice().into())])
        }
        Format::UnknownElementType { code } => {
            Description::new("unknown_element_type", [("code", code.into())])
        }
        Format::HeaderTruncated { needed, found } => Description::new(
            "header_truncated",
            [("needed", needed.into()), ("found", found.into())],
        ),
        Format::TooLarge { dimension, size } => {
            Description::new("too_large", [("dimension", dimension.into()), ("size", size.into())])
        }
        Format::Unaddressable { size } => {
            Description::new("unaddressable", [("size", size.into())])
        }
        Format::Truncated { needed, found } => {
            Description::new("truncated", [("needed", needed.into()), ("found", found.into())])
        }
        Format::TrailingBytes { offset, count } => {
            Description::new("trailing_bytes", [("offset", offset.into()), ("count", count.into())])
        }
        _ => return None,
    })
}
