/// The addresses and files to download a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mirrors {
    /// The files, compressed by gzip.
    pub files: &'static [RemoteFile],
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
