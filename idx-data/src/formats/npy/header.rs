//! Parses the header of an npy file, a Python literal.

use std::io::Read;
use std::ops::Range;

use idx_std::__private::{Source, byte_size};

use crate::error::ErrorKind;
use crate::reading::spelling::shown;
use crate::record::RecordLayout;
use crate::record::value::DType;

/// The first bytes of every npy file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// The maximum size of a header in bytes. NumPy trusts 10,000, and a shape needs fewer.
const MAX_SIZE: u32 = 1 << 20;

/// The maximum number of dimensions; NumPy itself has at most 64.
const MAX_READ_DIMENSIONS: usize = 255;

/// The header of an npy file: the type, order and sizes of its elements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NpyHeader {
    pub(super) dtype: DType,
    pub(super) big_endian: bool,
    /// True if the first dimension is the fastest, not the last.
    pub(super) fortran_order: bool,
    /// The sizes of all dimensions.
    pub(super) shape: Vec<u64>,
}

impl NpyHeader {
    /// Reads a header of version 1, 2 or 3, and also returns its size in bytes.
    pub(super) fn read<R: Read>(source: &mut Source<R>) -> Result<(Self, u64), ErrorKind> {
        let mut bytes = Vec::new();
        source.append(&mut bytes, 12)?;
        let text = text_range(&bytes)?;
        let rest = text.end.saturating_sub(bytes.len());
        source.append(&mut bytes, rest as u64)?;
        let text = bytes.get(text).ok_or_else(truncated)?;
        let text = str::from_utf8(text).map_err(|_| invalid())?;
        let header = DictionaryText(text).header()?;
        let rank = header.shape.len();
        if rank > MAX_READ_DIMENSIONS {
            return Err(ErrorKind::unsupported(format!(
                "the array has {rank} dimensions, and the maximum is {MAX_READ_DIMENSIONS}; reshape it in NumPy"
            )));
        }
        Ok((header, bytes.len() as u64))
    }

    /// Returns the number of records: the size of dimension 0, and 1 for an array without dimensions.
    pub(super) fn record_count(&self) -> u64 {
        self.shape.first().copied().unwrap_or(1)
    }

    /// Returns the size of all elements in bytes; 0 if one of the sizes is 0.
    pub(super) fn payload_size(&self) -> Result<u64, ErrorKind> {
        byte_size(self.dtype.size(), self.shape.iter().copied()).ok_or_else(|| {
            ErrorKind::malformed(
                "the payload size in the header of the npy file overflows 64 bits; write the file again \
                 with `numpy.save`",
            )
        })
    }

    /// Returns the layout of the records, with the type in the file.
    pub(super) fn layout(&self) -> Result<RecordLayout, ErrorKind> {
        let mut sizes = self.shape.iter();
        let count = sizes.next();
        let sizes = sizes.map(|size| u32::try_from(*size));
        let shape: Vec<u32> = sizes.collect::<Result<_, _>>().map_err(|_| {
            let message = "a size of the records exceeds the 32 bits of IDX; split the array";
            ErrorKind::unsupported(message)
        })?;
        Ok(match count {
            Some(count) => RecordLayout::of_records(self.dtype, Some(*count), &shape),
            None => RecordLayout::new(self.dtype, &[]),
        })
    }
}

/// Returns where the text of a header is, from the first 12 bytes.
fn text_range(start: &[u8]) -> Result<Range<usize>, ErrorKind> {
    let Some(rest) = start.strip_prefix(MAGIC) else {
        return Err(match MAGIC.starts_with(start) {
            true => truncated(),
            false => ErrorKind::malformed("this is not an npy file; write it with `numpy.save`"),
        });
    };
    match *rest {
        [1, _, a, b, ..] => Ok(10..10 + usize::from(u16::from_le_bytes([a, b]))),
        [2 | 3, _, a, b, c, d, ..] => match u32::from_le_bytes([a, b, c, d]) {
            size if size > MAX_SIZE => Err(ErrorKind::malformed(format!(
                "the header of the npy file has {size} bytes, and more than 1 MiB is not read; write it again \
                 with `numpy.save`"
            ))),
            size => Ok(12..12 + usize::try_from(size).unwrap_or(0)),
        },
        [] | [1..=3, ..] => Err(truncated()),
        [major, ..] => Err(ErrorKind::unsupported(format!(
            "this npy file has version {major}, but only 1 to 3 are known; write it with an older NumPy"
        ))),
    }
}

fn truncated() -> ErrorKind {
    ErrorKind::malformed("the header of the npy file is truncated; download or copy the file again")
}

fn invalid() -> ErrorKind {
    ErrorKind::malformed("the header of the npy file is invalid; write it again with `numpy.save`")
}

fn unknown_type(name: &str) -> ErrorKind {
    let is_text = name.trim_start_matches(['<', '>', '|', '=']).starts_with(['U', 'S']);
    let way = match is_text {
        true => "number the texts in NumPy with `unique` and its `return_inverse`",
        false => "convert them in NumPy with `astype`",
    };
    ErrorKind::unsupported(format!(
        "the elements of this npy file are {}, which IDX cannot hold; {way}",
        shown(name)
    ))
}

/// Returns NumPy's name of a type, without the byte order. It has the size of a number in bytes, where the names here
/// have it in bits.
pub(super) fn numpy_name(dtype: DType) -> String {
    format!("{dtype:.1}{}", dtype.size())
}

/// Returns the type for one of NumPy's names, and true if it is big-endian.
fn parse_descr(descr: &str) -> Result<(DType, bool), ErrorKind> {
    let other = || unknown_type(descr);
    let (order, name) = descr.split_at_checked(1).ok_or_else(other)?;
    let name = if name == "b1" { "u1" } else { name }; // false and true are 0 and 1
    let dtype =
        DType::ALL.into_iter().find(|dtype| numpy_name(*dtype) == name).ok_or_else(other)?;
    match order {
        ">" => Ok((dtype, true)),
        "<" => Ok((dtype, false)),
        "|" if dtype.size() == 1 => Ok((dtype, false)),
        _ => Err(other()),
    }
}

/// The rest of a header's text, a Python dictionary.
struct DictionaryText<'a>(&'a str);

impl<'a> DictionaryText<'a> {
    /// Reads the dictionary; its keys may come in any order.
    fn header(mut self) -> Result<NpyHeader, ErrorKind> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{").ok_or_else(invalid)?;
        while self.expect("}").is_none() {
            let key = self.string();
            self.expect(":").ok_or_else(invalid)?;
            match key {
                Some("descr") => {
                    // Structured elements have a list of fields instead of a string.
                    let name = self.string().ok_or_else(|| unknown_type("structures"))?;
                    descr = Some(parse_descr(name)?);
                }
                Some("fortran_order") => fortran_order = self.truth(),
                Some("shape") => shape = self.sizes(),
                _ => return Err(invalid()),
            }
            // The comma after the last entry is optional.
            if self.expect(",").is_none() && !self.0.trim_start().starts_with('}') {
                return Err(invalid());
            }
        }
        let (Some((dtype, big_endian)), Some(fortran_order), Some(shape), "") =
            (descr, fortran_order, shape, self.0.trim())
        else {
            return Err(invalid());
        };
        Ok(NpyHeader { dtype, big_endian, fortran_order, shape })
    }

    /// Skips this token, if it comes next.
    fn expect(&mut self, token: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(token)?;
        Some(())
    }

    /// Returns the text between two tokens, if the first comes next.
    fn between(&mut self, start: &str, end: &str) -> Option<&'a str> {
        self.expect(start)?;
        let (text, rest) = self.0.split_once(end)?;
        self.0 = rest;
        Some(text)
    }

    fn string(&mut self) -> Option<&'a str> {
        self.between("'", "'").or_else(|| self.between("\"", "\""))
    }

    fn truth(&mut self) -> Option<bool> {
        let is_true = self.expect("True").map(|()| true);
        is_true.or_else(|| self.expect("False").map(|()| false))
    }

    fn sizes(&mut self) -> Option<Vec<u64>> {
        let mut sizes: Vec<&str> = self.between("(", ")")?.split(',').map(str::trim).collect();
        // After a trailing comma, or between empty parentheses, there is no size.
        if sizes.last() == Some(&"") {
            sizes.pop();
        }
        // Python 2 wrote an L after long integers.
        let size = |text: &str| text.strip_suffix('L').unwrap_or(text).parse().ok();
        sizes.into_iter().map(size).collect()
    }
}

#[cfg(test)]
mod tests {
    use idx_std::ElementType;

    use super::*;
    use crate::formats::npy::tests::header_of;

    fn read(bytes: &[u8]) -> Result<(NpyHeader, u64), ErrorKind> {
        NpyHeader::read(&mut Source::new(bytes)?)
    }

    fn parse(text: &str) -> Result<NpyHeader, ErrorKind> {
        read(&header_of(1, text)).map(|(header, _)| header)
    }

    #[track_caller]
    fn expect<T: std::fmt::Debug>(result: Result<T, ErrorKind>, code: &str, message: &str) {
        let error = result.unwrap_err();
        assert_eq!((error.code(), &*error.to_string()), (code, message));
    }

    const TRUNCATED: &str =
        "the header of the npy file is truncated; download or copy the file again";
    const INVALID: &str = "the header of the npy file is invalid; write it again with `numpy.save`";

    #[test]
    fn headers_as_each_python_writes_them() {
        let expected = || NpyHeader {
            dtype: ElementType::I16.into(),
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
                let bytes = header_of(version, text);
                let size = bytes.len() as u64;
                assert_eq!(read(&[&bytes, &[7; 20][..]].concat()).unwrap(), (expected(), size));
            }
        }
        let shape = |text: &str| {
            parse(&format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {text}}}"))
                .map(|header| header.shape)
        };
        assert_eq!(shape("()").unwrap(), [0; 0]);
        assert_eq!(shape("(7,)").unwrap(), [7]);
        assert_eq!(shape("(18446744073709551615, 0)").unwrap(), [u64::MAX, 0]);
        for wrong in ["(18446744073709551616,)", "(-1,)", "(1,,2)", "(1", "7", "(a,)"] {
            expect(shape(wrong), "malformed", INVALID);
        }
        assert_eq!(shape(&format!("({})", "1,".repeat(255))).unwrap().len(), 255);
        expect(
            shape(&format!("({})", "1,".repeat(256))),
            "unsupported",
            "the array has 256 dimensions, and the maximum is 255; reshape it in NumPy",
        );
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
            expect(parse(text), "malformed", INVALID);
        }
        let of_type = |descr: &str| {
            parse(&format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ()}}"))
        };
        let message = |name: &str| {
            format!(
                "the elements of this npy file are {name}, which IDX cannot hold; convert them in NumPy with \
                 `astype`"
            )
        };
        for descr in ["|S5", "<U3"] {
            let message = format!(
                "the elements of this npy file are {descr}, which IDX cannot hold; number the texts in NumPy with \
                 `unique` and its `return_inverse`"
            );
            expect(of_type(&format!("'{descr}'")), "unsupported", &message);
        }
        for descr in ["<f16", "<c8", "|O", "<M8[ns]", "", "é", "=i4", "|i4"] {
            expect(of_type(&format!("'{descr}'")), "unsupported", &message(descr));
        }
        expect(of_type("[('a', '<i4')]"), "unsupported", &message("structures"));
        let truths = of_type("'|b1'").unwrap();
        assert_eq!(truths.dtype, DType::from(ElementType::U8));
    }

    #[test]
    fn the_name_of_a_type_is_escaped_and_bounded() {
        let name = "\u{1B}]0;x\u{7}".repeat(2000);
        let text = format!("{{'descr': '{name}', 'fortran_order': False, 'shape': ()}}");
        let message = parse(&text).unwrap_err().to_string();
        assert!(message.len() < 200 && !message.contains(char::is_control), "{message}");
        assert!(message.contains("are \\u{1b}]0;x\\u{7}"), "{message}");
    }

    #[test]
    fn truncated_headers_and_other_files() {
        for version in 1..=3 {
            let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}";
            let bytes = header_of(version, text);
            for length in 0..bytes.len() {
                expect(read(&bytes[..length]), "malformed", TRUNCATED);
            }
        }
        let not_npy = "this is not an npy file; write it with `numpy.save`";
        expect(read(b"\x93NUMPX\x01\0"), "malformed", not_npy);
        let later =
            "this npy file has version 4, but only 1 to 3 are known; write it with an older NumPy";
        expect(read(b"\x93NUMPY\x04\0\0\0\0\0"), "unsupported", later);
        let large = "the header of the npy file has 1048577 bytes, and more than 1 MiB is not read; write it again \
                     with `numpy.save`";
        expect(read(b"\x93NUMPY\x02\0\x01\0\x10\0"), "malformed", large);
        expect(read(b"\x93NUMPY\x02\0\0\0\x10\0"), "malformed", TRUNCATED);
    }
}
