/// Where a data set can be downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mirrors {
    /// The files, compressed by gzip.
    pub files: &'static [RemoteFile],
    /// Addresses of folders with these files, the best first; they end in `/`.
    pub addresses: &'static [&'static str],
    /// Who made the data set, and on which terms it may be used.
    pub terms: &'static str,
}

/// A file of a data set as its mirrors have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteFile {
    /// The name.
    pub name: &'static str,
    /// The number of bytes, compressed as they are.
    pub size: u64,
    /// The SHA-256 of these bytes, in hexadecimal.
    pub sha256: &'static str,
}
