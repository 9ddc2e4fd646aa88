//! Files without a name until they are complete: nothing is left of them, however the process ends.

#[cfg(target_os = "linux")]
pub(super) use linux::{create, link};
#[cfg(not(target_os = "linux"))]
pub(super) use others::{create, link};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// A file in this folder, with the mode of any new file; `None` if the system cannot create one. The
    /// reason does not matter: creating a file with a name will report it.
    pub(crate) fn create(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
        // Without /proc it could not get a name.
        descriptor(&file).exists().then_some(file)
    }

    /// Gives the file a name that is free.
    pub(crate) fn link(file: &File, path: &Path) -> io::Result<()> {
        let linked = linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW);
        Ok(linked?)
    }

    fn descriptor(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}

#[cfg(not(target_os = "linux"))]
mod others {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(crate) fn create(_: &Path) -> Option<File> {
        None
    }

    pub(crate) fn link(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
