/// The addresses and files to download a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mirrors {
    /// The files on the mirrors: those of the data set, or the archive that has them.
    pub files: &'static [RemoteFile],
    /// The folder of the data set's files in a zip archive; `None` if the mirrors have the files themselves.
    pub archive_folder: Option<&'static str>,
    /// Addresses of folders with these files, the best first; each ends in `/`.
    pub addresses: &'static [&'static str],
    /// The authors of the data set, and the terms of its use.
    pub terms: &'static str,
}

/// A file of a data set on its mirrors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteFile {
    /// The name.
    pub name: &'static str,
    /// The compressed size in bytes.
    pub size: u64,
    /// The SHA-256 of the compressed bytes, in hexadecimal.
    pub sha256: &'static str,
}

/// Why a mirror did not deliver a file.
#[cfg(feature = "fetch")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MirrorFailure {
    /// The address of the file.
    pub address: String,
    /// What went wrong, in words.
    pub reason: String,
}
