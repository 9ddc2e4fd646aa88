use std::fmt;

use idx_core::ElementType;

use crate::NumberType;

/// What every npy file starts with.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy starts the elements at a multiple of this.
const ALIGNMENT: usize = 64;

/// NumPy leaves room for a first size of so many digits, so that it can be changed in place.
const MOST_DIGITS: usize = 21;

/// The header of an npy file, the format of NumPy's arrays: what its elements are, and in which order.
///
/// ```
/// use idx_std::{ElementType, NpyHeader};
///
/// let bytes = NpyHeader::new(ElementType::I16, vec![60000, 28, 28]).to_bytes();
/// assert_eq!(bytes.len() % 64, 0);
/// let header = NpyHeader::parse(&bytes)?;
/// assert_eq!((header.fortran_order, &header.shape[..]), (false, &[60000, 28, 28][..]));
/// # Ok::<(), idx_std::NpyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyHeader {
    /// The type of the elements.
    pub number_type: NumberType,
    /// Whether the elements are big-endian.
    pub big_endian: bool,
    /// Whether the first dimension is the fastest, and not the last.
    pub fortran_order: bool,
    /// The sizes of all dimensions.
    pub shape: Vec<u64>,
}

impl NpyHeader {
    /// A header as NumPy writes it on most machines: little-endian, the last dimension fastest.
    #[must_use]
    pub fn new(element_type: ElementType, shape: Vec<u64>) -> Self {
        Self {
            number_type: element_type.into(),
            big_endian: false,
            fortran_order: false,
            shape,
        }
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
        let element = self.number_type.size() as u64;
        shape
            .iter()
            .try_fold(element, |size, length| size.checked_mul(*length))
    }

    /// The size of the header in bytes, of which these are the first 12 or all.
    ///
    /// # Errors
    ///
    /// [`NpyError::NotNpy`], [`NpyError::Version`], and [`NpyError::Cut`] if there are fewer than 12.
    pub fn size(start: &[u8]) -> Result<usize, NpyError> {
        let Some(rest) = start.strip_prefix(MAGIC) else {
            return Err(match MAGIC.strip_prefix(start) {
                Some(_) => NpyError::Cut,
                None => NpyError::NotNpy,
            });
        };
        match *rest {
            [1, _, a, b, ..] => Ok(10 + usize::from(u16::from_le_bytes([a, b]))),
            [2 | 3, _, a, b, c, d, ..] => usize::try_from(u32::from_le_bytes([a, b, c, d]))
                .ok()
                .and_then(|size| size.checked_add(12))
                .ok_or(NpyError::TooLarge),
            [] | [1..=3, ..] => Err(NpyError::Cut),
            [major, ..] => Err(NpyError::Version { major }),
        }
    }

    /// Reads a header of version 1, 2 or 3, which is all of these bytes.
    ///
    /// # Errors
    ///
    /// See [`NpyError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, NpyError> {
        let size = Self::size(bytes)?;
        let start = if bytes.get(6) == Some(&1) { 10 } else { 12 };
        let text = bytes.get(start..size).ok_or(NpyError::Cut)?;
        let text = std::str::from_utf8(text).map_err(|_| NpyError::Header)?;
        Text(text).header()
    }

    /// The bytes of the header, the same that NumPy writes: padded, and with room for any first size,
    /// so that the length does not depend on it.
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
        text.extend(growing.map(|size| " ".repeat(MOST_DIGITS - size.len())));
        let pad = |text: &mut String, start: usize| {
            let unpadded = start + text.len() + 1;
            text.push_str(&" ".repeat(ALIGNMENT - unpadded % ALIGNMENT));
            text.push('\n');
        };
        let mut bytes = MAGIC.to_vec();
        // Version 2 is for what the 16 bits of version 1 cannot count.
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

    /// How NumPy names the type of the elements.
    fn descr(&self) -> String {
        let size = self.number_type.size();
        let order = match self.big_endian {
            _ if size == 1 => '|',
            true => '>',
            false => '<',
        };
        let kind = match self.number_type {
            NumberType::Element(ElementType::F32 | ElementType::F64) => 'f',
            NumberType::Element(ElementType::U8)
            | NumberType::U16
            | NumberType::U32
            | NumberType::U64 => 'u',
            NumberType::Element(_) | NumberType::I64 => 'i',
        };
        format!("{order}{kind}{size}")
    }
}

/// The type and the byte order that NumPy names so.
fn number_type(descr: &str) -> Result<(NumberType, bool), NpyError> {
    use NumberType::{Element, I64, U16, U32, U64};
    let other = || NpyError::ElementType {
        descr: descr.to_string(),
    };
    let (order, name) = descr.split_at_checked(1).ok_or_else(other)?;
    let number_type = match name {
        // Truth is a byte of 0 or 1.
        "u1" | "b1" => Element(ElementType::U8),
        "i1" => Element(ElementType::I8),
        "i2" => Element(ElementType::I16),
        "i4" => Element(ElementType::I32),
        "f4" => Element(ElementType::F32),
        "f8" => Element(ElementType::F64),
        "u2" => U16,
        "u4" => U32,
        "u8" => U64,
        "i8" => I64,
        _ => return Err(other()),
    };
    match order {
        ">" => Ok((number_type, true)),
        "<" => Ok((number_type, false)),
        "|" if number_type.size() == 1 => Ok((number_type, false)),
        _ => Err(other()),
    }
}

/// What is left of the text of a header, a dictionary as Python writes it.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    /// Reads the dictionary; its keys may come in any order.
    fn header(mut self) -> Result<NpyHeader, NpyError> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{").ok_or(NpyError::Header)?;
        while self.expect("}").is_none() {
            match self.key().ok_or(NpyError::Header)? {
                "descr" => descr = Some(self.descr()?),
                "fortran_order" => fortran_order = self.truth(),
                "shape" => shape = self.sizes(),
                _ => return Err(NpyError::Header),
            }
            // A comma after the last entry may be there or not.
            if self.expect(",").is_none() && !self.0.trim_start().starts_with('}') {
                return Err(NpyError::Header);
            }
        }
        let (Some((number_type, big_endian)), Some(fortran_order), Some(shape), "") =
            (descr, fortran_order, shape, self.0.trim())
        else {
            return Err(NpyError::Header);
        };
        Ok(NpyHeader {
            number_type,
            big_endian,
            fortran_order,
            shape,
        })
    }

    fn key(&mut self) -> Option<&'a str> {
        let key = self.string()?;
        self.expect(":").map(|()| key)
    }

    fn descr(&mut self) -> Result<(NumberType, bool), NpyError> {
        match self.string() {
            Some(descr) => number_type(descr),
            // A list, of the fields of each element.
            None => Err(NpyError::ElementType {
                descr: "structures".to_string(),
            }),
        }
    }

    /// Passes over this token, if it comes next.
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

/// What is wrong with the header of an npy file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NpyError {
    /// The first bytes are not those of an npy file.
    NotNpy,
    /// The file ends within its header.
    Cut,
    /// A version other than 1, 2 and 3.
    Version {
        /// The number before the point.
        major: u8,
    },
    /// The text of the header is no dictionary of `descr`, `fortran_order` and `shape`.
    Header,
    /// The elements are no numbers, or of a type that no element type can hold.
    ElementType {
        /// What NumPy calls it.
        descr: String,
    },
    /// The sizes multiply to more bytes than 64 bits can count.
    TooLarge,
}

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNpy => f.write_str("this is not an npy file; write it with `numpy.save`"),
            Self::Cut => {
                f.write_str("the header of the npy file is cut; copy or download the file again")
            }
            Self::Version { major } => write!(
                f,
                "this npy file has version {major}, known are 1 to 3; write it with an older NumPy"
            ),
            Self::Header => f.write_str(
                "the header of the npy file is damaged; write it again with `numpy.save`",
            ),
            Self::ElementType { descr } => write!(
                f,
                "the elements of this npy file are {descr}, which no element type holds; \
                 in NumPy, convert them with `astype`"
            ),
            Self::TooLarge => f.write_str(
                "the sizes in the header of the npy file multiply to more than 64 bits can count; \
                 write it again with `numpy.save`",
            ),
        }
    }
}

impl std::error::Error for NpyError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, text: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([version, 0]);
        let length = if version == 1 { 2 } else { 4 };
        bytes.extend(text.len().to_le_bytes().into_iter().take(length));
        bytes.extend(text.as_bytes());
        bytes
    }

    fn parse(text: &str) -> Result<NpyHeader, NpyError> {
        NpyHeader::parse(&file(1, text))
    }

    #[test]
    fn headers_as_pythons_write_them() {
        let expected = NpyHeader {
            number_type: NumberType::Element(ElementType::I16),
            big_endian: true,
            fortran_order: true,
            shape: vec![3, 4],
        };
        for text in [
            "{'descr': '>i2', 'fortran_order': True, 'shape': (3, 4), }\n",
            "{'descr': '>i2', 'fortran_order': True, 'shape': (3L, 4L)}",
            "{\"shape\":(3,4),\"descr\":\">i2\",\"fortran_order\":True}     \n",
        ] {
            for version in 1..=3 {
                assert_eq!(
                    NpyHeader::parse(&file(version, text)).as_ref(),
                    Ok(&expected)
                );
            }
        }
        let shape = |text: &str| {
            parse(&format!(
                "{{'descr': '|u1', 'fortran_order': False, 'shape': {text}}}"
            ))
            .map(|header| header.shape)
        };
        assert_eq!(shape("()"), Ok(vec![]));
        assert_eq!(shape("(7,)"), Ok(vec![7]));
        assert_eq!(shape("(18446744073709551615, 0)"), Ok(vec![u64::MAX, 0]));
        for wrong in [
            "(18446744073709551616,)",
            "(-1,)",
            "(1,,2)",
            "(1",
            "7",
            "(a,)",
        ] {
            assert_eq!(shape(wrong), Err(NpyError::Header), "{wrong}");
        }
    }

    #[test]
    fn headers_that_are_wrong() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr'}",
            "{'descr': '<f8'",
            "{'descr': '<f8', 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
            "{'descr': '<f8' 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        ] {
            assert_eq!(parse(text), Err(NpyError::Header), "{text}");
        }
        for descr in [
            "<f2", "<c8", "|S5", "<U3", "|O", "<M8[ns]", "", "é", "=i4", "|i4",
        ] {
            let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ()}}");
            let descr = descr.to_string();
            assert_eq!(parse(&text), Err(NpyError::ElementType { descr }));
        }
        let structures = "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': ()}";
        assert_eq!(
            parse(structures).unwrap_err().to_string(),
            "the elements of this npy file are structures, which no element type holds; in NumPy, \
             convert them with `astype`"
        );
    }

    #[test]
    fn cut_anywhere_and_other_files() {
        let bytes = NpyHeader::new(ElementType::U8, vec![2]).to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(NpyHeader::parse(&bytes[..length]), Err(NpyError::Cut));
        }
        assert_eq!(NpyHeader::parse(b"\x93NUMPX\x01\0"), Err(NpyError::NotNpy));
        let later = NpyHeader::parse(b"\x93NUMPY\x04\0\0\0\0\0");
        assert_eq!(later, Err(NpyError::Version { major: 4 }));
    }

    #[test]
    fn the_length_does_not_depend_on_the_number_of_records() {
        for element_type in ElementType::ALL {
            let empty = NpyHeader::new(element_type, vec![0, 28, 28]).to_bytes();
            let full = NpyHeader::new(element_type, vec![u64::MAX, 28, 28]);
            assert_eq!(empty.len(), full.to_bytes().len());
            assert_eq!(NpyHeader::parse(&full.to_bytes()), Ok(full));
        }
    }

    #[test]
    fn what_16_bits_cannot_count_has_version_2() {
        for dimensions in [0, 1, 255, 21_000, 30_000] {
            let header = NpyHeader::new(ElementType::F32, vec![1; dimensions]);
            let bytes = header.to_bytes();
            assert_eq!(bytes.len() % ALIGNMENT, 0);
            assert_eq!(bytes[6], if dimensions < 30_000 { 1 } else { 2 });
            assert_eq!(NpyHeader::parse(&bytes), Ok(header));
        }
    }
}
