//! A vector, and its form in `vectors.json`.

use flate2::Crc;
use idx_tests::file;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A small file, and what every reader must find in it.
pub struct Vector {
    /// The name of its file, without `.idx`.
    pub name: &'static str,
    /// Its special feature, in a phrase.
    pub about: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// True if the content is an IDX file compressed by gzip, and not the IDX file itself.
    pub is_gzip: bool,
    /// The result that a reader of the whole file must return.
    pub expected: Result<Array, Fault>,
    /// The result of a reader that accepts bytes after the payload, if there are any.
    pub prefix: Option<Array>,
}

/// The elements of a valid file. The code of the type and the sizes are those of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub code: u8,
    pub sizes: Vec<u32>,
    /// The bits of each element in the lowest bytes.
    pub elements: Vec<u64>,
}

/// The fault of a file, in the order in which a reader checks.
///
/// The classes are those of the specification, with the same numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "class", rename_all = "kebab-case")]
pub enum Fault {
    Empty,
    NotIdx {
        start: String,
    },
    UnknownElementType {
        code: u8,
    },
    HeaderTruncated {
        needed: u64,
        found: u64,
    },
    TooLarge {
        dimension: u64,
        size: u32,
    },
    PayloadTruncated {
        needed: u64,
        found: u64,
    },
    TrailingBytes {
        offset: u64,
        count: u64,
    },
    /// The gzip data around the file is truncated, corrupt, or followed by other bytes.
    DamagedGzip,
}

/// The types of elements: code, name, and bytes of each.
const TYPES: [(u8, &str, usize); 6] = [
    (0x08, "u8", 1),
    (0x09, "i8", 1),
    (0x0B, "i16", 2),
    (0x0C, "i32", 4),
    (0x0D, "f32", 4),
    (0x0E, "f64", 8),
];

impl Array {
    /// Keeps only the bits of each element that its type has.
    pub fn new(code: u8, sizes: &[u32], elements: impl IntoIterator<Item = u64>) -> Self {
        let mut array = Self { code, sizes: sizes.to_vec(), elements: Vec::new() };
        let (.., size) = array.type_row();
        let elements = elements.into_iter();
        array.elements = elements.map(|bits| bits & u64::MAX >> (64 - 8 * size)).collect();
        array
    }

    pub fn type_name(&self) -> &'static str {
        self.type_row().1
    }

    /// The file of this array.
    pub fn file(&self) -> Vec<u8> {
        let (.., size) = self.type_row();
        let elements = self.elements.iter();
        let payload: Vec<u8> =
            elements.flat_map(|element| element.to_be_bytes()[8 - size..].to_vec()).collect();
        file(self.code, &self.sizes, &payload)
    }

    /// The SHA-256 of the elements in little-endian order.
    pub fn sha256(&self) -> String {
        let (.., size) = self.type_row();
        let elements = self.elements.iter();
        let bytes: Vec<u8> =
            elements.flat_map(|element| element.to_le_bytes()[..size].to_vec()).collect();
        sha256(&bytes)
    }

    fn type_row(&self) -> (u8, &'static str, usize) {
        let mut types = TYPES.into_iter();
        types.find(|(code, ..)| *code == self.code).expect("the code of an element type")
    }
}

impl Vector {
    /// A valid file.
    pub fn valid(name: &'static str, about: &'static str, array: Array) -> Self {
        Self { name, about, bytes: array.file(), is_gzip: false, expected: Ok(array), prefix: None }
    }

    /// A file that readers must reject.
    pub fn invalid(
        name: &'static str,
        about: &'static str,
        bytes: impl Into<Vec<u8>>,
        fault: Fault,
    ) -> Self {
        Self {
            name,
            about,
            bytes: bytes.into(),
            is_gzip: false,
            expected: Err(fault),
            prefix: None,
        }
    }

    /// The file of an array with more bytes after it.
    pub fn followed_by(
        name: &'static str,
        about: &'static str,
        array: Array,
        rest: impl AsRef<[u8]>,
    ) -> Self {
        let (file, rest) = (array.file(), rest.as_ref());
        let fault = Fault::TrailingBytes { offset: file.len() as u64, count: rest.len() as u64 };
        Self { prefix: Some(array), ..Self::invalid(name, about, [&file, rest].concat(), fault) }
    }

    /// A file in gzip.
    pub fn in_gzip(
        name: &'static str,
        about: &'static str,
        bytes: Vec<u8>,
        expected: Result<Array, Fault>,
    ) -> Self {
        Self { name, about, bytes, is_gzip: true, expected, prefix: None }
    }

    pub fn file_name(&self) -> String {
        format!("{}.idx", self.name)
    }

    /// Its entry in `vectors.json`.
    pub fn entry(&self) -> Entry {
        Entry {
            name: self.name,
            file: format!("vectors/{}", self.file_name()),
            about: self.about,
            transport: self.is_gzip.then_some("gzip"),
            valid: self.expected.is_ok(),
            array: self.expected.as_ref().ok().map(ArrayEntry::new),
            error: self.expected.as_ref().err().cloned(),
            prefix: self.prefix.as_ref().map(ArrayEntry::new),
            hex: hexadecimal(&self.bytes),
        }
    }
}

/// A vector in `vectors.json`.
#[derive(Serialize)]
pub struct Entry {
    name: &'static str,
    file: String,
    about: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    transport: Option<&'static str>,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<ArrayEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<ArrayEntry>,
    hex: String,
}

#[derive(Serialize)]
struct ArrayEntry {
    element_type: &'static str,
    sizes: Vec<u32>,
    elements_sha256: String,
}

impl ArrayEntry {
    fn new(array: &Array) -> Self {
        Self {
            element_type: array.type_name(),
            sizes: array.sizes.clone(),
            elements_sha256: array.sha256(),
        }
    }
}

/// A gzip member that holds these bytes without compressing them, so that no version of a compressor
/// changes the vectors.
pub fn gzip_member(flags: u8, name: &[u8], bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("a small file");
    let mut crc = Crc::new();
    crc.update(bytes);
    // Deflate, no time stamp, an unknown system.
    let mut member = vec![0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 0xFF];
    member.extend(name);
    // The last block, stored.
    member.push(1);
    member.extend(length.to_le_bytes());
    member.extend((!length).to_le_bytes());
    member.extend(bytes);
    member.extend(crc.sum().to_le_bytes());
    member.extend(u32::from(length).to_le_bytes());
    member
}

pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
