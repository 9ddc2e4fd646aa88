//! Files and folders that appear under their names complete or not at all.

mod place;
mod disk;
mod unnamed;
mod hidden;
mod early_sync;
mod staged;
mod commit;
mod file;
mod folder;

pub use commit::commit;
pub(crate) use disk::{identity, is_locked_by_another, sync_all, sync_data};
pub use file::AtomicFile;
pub use folder::AtomicFolder;
pub use hidden::remove_temporaries;
pub use place::is_within;
pub use staged::Staged;
