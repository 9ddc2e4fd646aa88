//! Files.
pub use idx_core::*;
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecordStd as IdxRecord;
