use idx_std::ElementType;

use super::error::NpyError;
use super::value::DType;

/// The first bytes of every npy file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy starts the elements at a multiple of this.
const ALIGNMENT: usize = 64;

/// NumPy leaves room for a first size of this many digits, so that it can be changed in place.
const MAX_DIGITS: usize = 21;

/// The maximum size of a header in bytes. NumPy trusts 10000, and a shape needs fewer.
const MAX_SIZE: u32 = 1 << 20;

/// The header of an npy file, the format of NumPy's arrays: the type, order and sizes of its elements.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::npy::{self, Header};
///
/// let bytes = Header::new(ElementType::I16, vec![60000, 28, 28]).to_bytes();
/// assert_eq!(bytes.len() % 64, 0);
/// let header = Header::parse(&bytes)?;
/// assert_eq!((header.fortran_order, &header.shape[..]), (false, &[60000, 28, 28][..]));
/// # Ok::<(), npy::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The type of the elements.
    pub dtype: DType,
    /// Whether the elements are big-endian.
    pub big_endian: bool,
    /// Whether the first dimension is the fastest, and not the last.
    pub fortran_order: bool,
    /// The sizes of all dimensions.
    pub shape: Vec<u64>,
}

impl Header {
    /// A header as NumPy writes it on most machines: little-endian, the last dimension fastest.
    #[must_use]
    pub fn new(element_type: ElementType, shape: Vec<u64>) -> Self {
        Self { dtype: element_type.into(), big_endian: false, fortran_order: false, shape }
    }

    /// The number of records: the size of dimension 0, and 1 for an array without dimensions.
    #[must_use]
    pub fn record_count(&self) -> u64 {
        self.shape.first().copied().unwrap_or(1)
    }

    /// The sizes of a record's dimensions: all but the first.
    #[must_use]
    pub fn record_shape(&self) -> &[u64] {
        self.shape.get(1..).unwrap_or_default()
    }

    /// The size of one record in bytes, if 64 bits can hold it.
    #[must_use]
    pub fn record_size(&self) -> Option<u64> {
        self.byte_size(self.record_shape())
    }

    /// The size of all elements in bytes, if 64 bits can hold it; 0 if one of the sizes is 0.
    #[must_use]
    pub fn payload_size(&self) -> Option<u64> {
        self.byte_size(&self.shape)
    }

    fn byte_size(&self, shape: &[u64]) -> Option<u64> {
        if shape.contains(&0) {
            return Some(0);
        }
        let element = self.dtype.size() as u64;
        shape.iter().try_fold(element, |size, length| size.checked_mul(*length))
    }

    /// The size of the header in bytes, from the start of the file: at least 12 bytes, or the whole file if
    /// it is shorter.
    ///
    /// # Errors
    ///
    /// [`NpyError::NotNpy`], [`NpyError::Version`], [`NpyError::HeaderTooLarge`], and [`NpyError::Truncated`] if there are fewer than 12.
    pub fn size(start: &[u8]) -> Result<usize, NpyError> {
        let Some(rest) = start.strip_prefix(MAGIC) else {
            return Err(match MAGIC.strip_prefix(start) {
                Some(_) => NpyError::Truncated,
                None => NpyError::NotNpy,
            });
        };
        match *rest {
            [1, _, a, b, ..] => Ok(10 + usize::from(u16::from_le_bytes([a, b]))),
            [2 | 3, _, a, b, c, d, ..] => match u32::from_le_bytes([a, b, c, d]) {
                size if size > MAX_SIZE => Err(NpyError::HeaderTooLarge { size }),
                size => Ok(12 + usize::try_from(size).unwrap_or(0)),
            },
            [] | [1..=3, ..] => Err(NpyError::Truncated),
            [major, ..] => Err(NpyError::Version { major }),
        }
    }

    /// Reads a header of version 1, 2 or 3 from exactly its bytes.
    ///
    /// # Errors
    ///
    /// See [`NpyError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, NpyError> {
        let size = Self::size(bytes)?;
        let start = if bytes.get(6) == Some(&1) { 10 } else { 12 };
        let text = bytes.get(start..size).ok_or(NpyError::Truncated)?;
        let text = std::str::from_utf8(text).map_err(|_| NpyError::Header)?;
        DictionaryText(text).header()
    }

    /// The bytes of the header, as NumPy writes them: padded, and with room for any first size, so that
    /// the length does not depend on it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let sizes: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        let shape = match sizes.as_slice() {
            [size] => format!("({size},)"),
            sizes => format!("({})", sizes.join(", ")),
        };
        let order = if self.fortran_order { "True" } else { "False" };
        let descr = self.descr();
        let mut text =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
        // The size that grows when an array is appended to.
        let growing = match self.fortran_order {
            true => sizes.last(),
            false => sizes.first(),
        };
        text.extend(growing.map(|size| " ".repeat(MAX_DIGITS - size.len())));
        let pad = |text: &mut String, start: usize| {
            let unpadded = start + text.len() + 1;
            text.push_str(&" ".repeat(ALIGNMENT - unpadded % ALIGNMENT));
            text.push('\n');
        };
        let mut bytes = MAGIC.to_vec();
        // Version 2 is for headers whose size exceeds the 16 bits of version 1.
        if text.len() + ALIGNMENT < usize::from(u16::MAX) {
            pad(&mut text, 10);
            bytes.extend([1, 0]);
            bytes.extend(text.len().to_le_bytes().into_iter().take(2));
        } else {
            pad(&mut text, 12);
            bytes.extend([2, 0]);
            bytes.extend(text.len().to_le_bytes().into_iter().take(4));
        }
        bytes.extend(text.into_bytes());
        bytes
    }

    /// NumPy's name of the type of the elements.
    fn descr(&self) -> String {
        let order = match self.big_endian {
            _ if self.dtype.size() == 1 => '|',
            true => '>',
            false => '<',
        };
        let mut names = DTYPES.iter();
        let name = names.find(|(_, dtype)| *dtype == self.dtype);
        debug_assert!(name.is_some(), "the table has all types");
        format!("{order}{}", name.map_or("", |(name, _)| name))
    }
}

/// NumPy's names of the types, after the character of the byte order.
const DTYPES: [(&str, DType); 12] = [
    ("u1", DType::Element(ElementType::U8)),
    ("b1", DType::Element(ElementType::U8)), // false and true are 0 and 1
    ("i1", DType::Element(ElementType::I8)),
    ("i2", DType::Element(ElementType::I16)),
    ("i4", DType::Element(ElementType::I32)),
    ("f4", DType::Element(ElementType::F32)),
    ("f8", DType::Element(ElementType::F64)),
    ("f2", DType::F16),
    ("u2", DType::U16),
    ("u4", DType::U32),
    ("u8", DType::U64),
    ("i8", DType::I64),
];

/// The type and the byte order of one of NumPy's names.
fn parse_descr(descr: &str) -> Result<(DType, bool), NpyError> {
    let other = || NpyError::ElementType { descr: descr.to_string() };
    let (order, name) = descr.split_at_checked(1).ok_or_else(other)?;
    let mut dtypes = DTYPES.iter();
    let (_, dtype) = *dtypes.find(|(known, _)| *known == name).ok_or_else(other)?;
    match order {
        ">" => Ok((dtype, true)),
        "<" => Ok((dtype, false)),
        "|" if dtype.size() == 1 => Ok((dtype, false)),
        _ => Err(other()),
    }
}

/// The rest of the text of a header, a dictionary as Python writes it.
struct DictionaryText<'a>(&'a str);

impl<'a> DictionaryText<'a> {
    /// Reads the dictionary; its keys may come in any order.
    fn header(mut self) -> Result<Header, NpyError> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{").ok_or(NpyError::Header)?;
        while self.expect("}").is_none() {
            match self.key().ok_or(NpyError::Header)? {
                "descr" => descr = Some(self.descr()?),
                "fortran_order" => fortran_order = self.truth(),
                "shape" => shape = self.sizes(),
                _ => return Err(NpyError::Header),
            }
            // The comma after the last entry is optional.
            if self.expect(",").is_none() && !self.0.trim_start().starts_with('}') {
                return Err(NpyError::Header);
            }
        }
        let (Some((dtype, big_endian)), Some(fortran_order), Some(shape), "") =
            (descr, fortran_order, shape, self.0.trim())
        else {
            return Err(NpyError::Header);
        };
        Ok(Header { dtype, big_endian, fortran_order, shape })
    }

    fn key(&mut self) -> Option<&'a str> {
        let key = self.string()?;
        self.expect(":").map(|()| key)
    }

    fn descr(&mut self) -> Result<(DType, bool), NpyError> {
        match self.string() {
            Some(descr) => parse_descr(descr),
            // A list, of the fields of each element.
            None => Err(NpyError::ElementType { descr: "structures".to_string() }),
        }
    }

    /// Skips this token, if it comes next.
    fn expect(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(token)?;
        Some(())
    }

    fn string(&mut self) -> Option<&'a str> {
        let quote = if self.expect("'").is_some() {
            '\''
        } else {
            self.expect("\"")?;
            '"'
        };
        let (string, rest) = self.0.split_once(quote)?;
        self.0 = rest;
        Some(string)
    }

    fn truth(&mut self) -> Option<bool> {
        if self.expect("True").is_some() {
            return Some(true);
        }
        self.expect("False").map(|()| false)
    }

    fn sizes(&mut self) -> Option<Vec<u64>> {
        self.expect("(")?;
        let (sizes, rest) = self.0.split_once(')')?;
        self.0 = rest;
        let mut sizes: Vec<&str> = sizes.split(',').map(str::trim).collect();
        // Nothing follows the last comma, and nothing is in an empty pair of brackets.
        if sizes.last() == Some(&"") {
            sizes.pop();
        }
        // Python 2 wrote an L after long integers.
        let size = |text: &str| text.strip_suffix('L').unwrap_or(text).parse().ok();
        sizes.into_iter().map(size).collect()
    }
}
