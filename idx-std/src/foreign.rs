use std::fmt;

/// What a file is that is not IDX, told by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Foreign {
    /// A web page, often that of a mirror that is gone, saved under the name of the file.
    Html,
    /// The few lines that git-LFS keeps in place of a file that was not fetched.
    GitLfsPointer,
    /// A zip archive.
    Zip,
    /// Data compressed by xz.
    Xz,
    /// Data compressed by bzip2.
    Bzip2,
    /// Data compressed by Zstandard.
    Zstandard,
    /// An array file of NumPy.
    Npy,
    /// A matrix of Lush, in which the NORB data set is distributed.
    LushMatrix,
    /// Like IDX, but with a header in little-endian order.
    LittleEndianIdx,
}

impl Foreign {
    /// The number of bytes that are enough to tell.
    pub(crate) const START: usize = 64;

    /// What these first bytes of a file are, if they are known and not IDX.
    #[must_use]
    pub fn recognise(start: &[u8]) -> Option<Self> {
        let text = start.trim_ascii_start();
        let is = |prefix: &[u8]| start.starts_with(prefix);
        let is_tag = |tag: &[u8]| {
            text.get(..tag.len())
                .is_some_and(|text| text.eq_ignore_ascii_case(tag))
        };
        if is_tag(b"<!doctype") || is_tag(b"<html") || is_tag(b"<?xml") || is_tag(b"<!--") {
            Some(Self::Html)
        } else if is(b"version https://git-lfs") {
            Some(Self::GitLfsPointer)
        } else if is(b"PK\x03\x04") {
            Some(Self::Zip)
        } else if is(b"\xFD7zXZ\0") {
            Some(Self::Xz)
        } else if is(b"BZh") {
            Some(Self::Bzip2)
        } else if is(b"\x28\xB5\x2F\xFD") {
            Some(Self::Zstandard)
        } else if is(b"\x93NUMPY") {
            Some(Self::Npy)
        } else if is(b".MAT ")
            || matches!(
                *start,
                [0x51..=0x5B, 0x4C, 0x3D, 0x1E, ..] | [0x1E, 0x3D, 0x4C, 0x51..=0x5B, ..]
            )
        {
            Some(Self::LushMatrix)
        } else if let [rank, code, 0, 0, ..] = *start
            && rank != 0
            && idx_core::ElementType::from_code(code).is_some()
        {
            Some(Self::LittleEndianIdx)
        } else {
            None
        }
    }

    /// What to do with such a file.
    #[must_use]
    pub const fn next_step(self) -> &'static str {
        match self {
            Self::Html => "open it in a browser to see why, and download the file elsewhere",
            Self::GitLfsPointer => "fetch the file itself with `git lfs pull`",
            Self::Zip => "unpack it with `unzip` first",
            Self::Xz => "decompress it with `xz -d` first",
            Self::Bzip2 => "decompress it with `bunzip2` first",
            Self::Zstandard => "decompress it with `unzstd` first",
            Self::Npy => "write it as IDX from Python, for example with idx2numpy",
            Self::LushMatrix => "write it as IDX with the program that reads it",
            Self::LittleEndianIdx => "correct the program that wrote it: IDX is big-endian",
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Html => "a web page",
            Self::GitLfsPointer => "a git-LFS pointer",
            Self::Zip => "a zip archive",
            Self::Xz => "xz data",
            Self::Bzip2 => "bzip2 data",
            Self::Zstandard => "Zstandard data",
            Self::Npy => "a NumPy array",
            Self::LushMatrix => "a matrix of Lush",
            Self::LittleEndianIdx => "a file with a little-endian header",
        })
    }
}
