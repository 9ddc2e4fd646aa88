//! The internals of this crate for idx-data, idx-cli and idx-python, and those of idx-core for the derive. `.ci/hidden`
//! counts them along with all other hidden items.
//!
//! Not public: any version may change it, so the workspace pins the versions of its crates.

pub use idx_core::__private::*;

#[cfg(feature = "write")]
pub use crate::atomic::{Staged, commit, is_within};
pub use crate::header::byte_size;
pub use crate::io::source::Source;
pub use crate::read::RecordStream;
pub use crate::words::{counted, escaped, printable};
#[cfg(feature = "write")]
pub use crate::write::{FileLayout, RecordFile};

/// Access to files by their paths.
pub mod access {
    pub use crate::io::access::{found, open, open_regular};
}

/// Allocations that can fail.
pub mod alloc {
    pub use crate::io::alloc::{grow, reserve};
}

/// Work on several threads.
pub mod threads {
    pub use crate::threads::for_each;
}

/// Loops over many numbers.
pub mod wide {
    pub use crate::wide::{fold, map, reverse_each};
}
