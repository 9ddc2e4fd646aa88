//! Explains the first bytes of a file as a header, even if the file is rejected.

use std::io::Read;

use idx_std::__private::{Source, counted};
use idx_std::{ElementType, ErrorKind, FileSignature, HeaderBuf};

/// The longest header, and the first bytes of the payload.
const SIZE: usize = 4 + 255 * 4 + SHOWN;

/// The maximum number of bytes of the payload to show.
const SHOWN: usize = 8;

/// Returns a line for each part of the header, decompressed if it is gzip.
pub(crate) fn explain(mut source: Source<impl Read>) -> Result<String, ErrorKind> {
    let mut bytes = Vec::new();
    let result = source.append(&mut bytes, SIZE as u64);
    // Bytes before the damage are shown.
    if bytes.is_empty() || !source.is_gzip() {
        result?;
    }
    let mut parts = Parts { text: String::new(), bytes: &bytes, offset: 0, is_truncated: false };
    let finished = HeaderBuf::finished_start(&bytes);
    if finished.is_none() && !bytes.starts_with(&[0, 0]) {
        parts.take(bytes.len().min(SHOWN), |_| match FileSignature::detect(&bytes) {
            _ if bytes.is_empty() => "the file is empty".to_string(),
            Some(signature) => format!("not IDX, but {signature}"),
            None => "not IDX, which starts with two zero bytes".to_string(),
        });
        return Ok(parts.text);
    }
    let magic = match finished {
        Some(_) => "the mark of a file that was not finished",
        None => "magic number",
    };
    let decompressed = if source.is_gzip() { " (after gunzip)" } else { "" };
    parts.take(2, |_| format!("{magic}{decompressed}"));
    parts.take(1, |code| {
        let code = finished.map_or(code, |[_, _, code, _]| code.into());
        match u8::try_from(code).ok().and_then(ElementType::from_code) {
            Some(element_type) => format!("element type {element_type}"),
            None => "no element type: 08, 09, 0b, 0c, 0d or 0e".to_string(),
        }
    });
    let rank = bytes.get(3).copied().unwrap_or(0);
    parts.take(1, |rank| counted(rank, "dimension"));
    for dimension in 0..rank {
        parts.take(4, |size| match dimension {
            0 if finished.is_some() => "records that were not counted".to_string(),
            0 => counted(size, "record"),
            _ => size.to_string(),
        });
    }
    let shown = bytes.len().saturating_sub(parts.offset).min(SHOWN);
    if shown > 0 {
        parts.take(shown, |_| "payload".to_string());
    }
    Ok(parts.text)
}

/// The bytes; those before the offset are in the text.
struct Parts<'a> {
    text: String,
    bytes: &'a [u8],
    offset: usize,
    is_truncated: bool,
}

impl Parts<'_> {
    /// Takes the next bytes, and explains them as a number if all exist.
    fn take(&mut self, count: usize, explanation: impl Fn(u64) -> String) {
        if self.is_truncated {
            return;
        }
        let bytes = self.bytes.iter().skip(self.offset).take(count);
        let missing = count - bytes.len();
        self.is_truncated = missing > 0;
        let explanation = match missing {
            0 => explanation(bytes.clone().fold(0, |number, byte| number << 8 | u64::from(*byte))),
            _ => format!("truncated: {} of {count} missing", counted(missing as u64, "byte")),
        };
        let hex: Vec<String> = bytes.map(|byte| format!("{byte:02x}")).collect();
        self.text += &format!("{:08x}  {:11}  {explanation}\n", self.offset, hex.join(" "));
        self.offset += hex.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the explanation of these bytes, in lines.
    fn lines(bytes: &[u8]) -> Vec<String> {
        let text = explain(Source::new(bytes).unwrap()).unwrap();
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn each_part_of_a_header_has_a_line() {
        let whole = b"\0\0\x0C\x02\0\0\0\x01\0\0\0\x02\x07\0\0\0\x08\0\0\0\x09";
        assert_eq!(
            lines(whole),
            [
                "00000000  00 00        magic number",
                "00000002  0c           element type i32",
                "00000003  02           2 dimensions",
                "00000004  00 00 00 01  1 record",
                "00000008  00 00 00 02  2",
                "0000000c  07 00 00 00 08 00 00 00  payload",
            ],
            "at most eight bytes of the payload"
        );
        assert_eq!(
            lines(b"\0\0\x08\0\x05"),
            [
                "00000000  00 00        magic number",
                "00000002  08           element type u8",
                "00000003  00           0 dimensions",
                "00000004  05           payload",
            ]
        );
        let longest = [&b"\0\0\x08\xFF"[..], &b"\0\0\0\x01".repeat(255), b"\x09"].concat();
        let lines = lines(&longest);
        assert_eq!(lines.len(), 3 + 255 + 1);
        assert_eq!(lines.last().unwrap(), "00000400  09           payload");
    }

    #[test]
    fn a_header_may_be_longer_than_its_file() {
        for (length, last) in [
            (2, "00000002               truncated: 1 byte of 1 missing"),
            (3, "00000003               truncated: 1 byte of 1 missing"),
            (4, "00000004               truncated: 4 bytes of 4 missing"),
            (6, "00000004  00 00        truncated: 2 bytes of 4 missing"),
            (8, "00000008               truncated: 4 bytes of 4 missing"),
        ] {
            let lines = lines(&b"\0\0\x08\x02\0\0\0\x01\0\0\0\x02\x07\x08"[..length]);
            assert_eq!(lines.last().unwrap(), last);
            assert_eq!(
                lines.iter().filter(|line| line.contains("truncated")).count(),
                1,
                "{lines:?}"
            );
        }
    }

    #[test]
    fn what_is_not_idx() {
        assert_eq!(lines(b""), ["00000000               the file is empty"]);
        assert_eq!(
            lines(b"\0"),
            ["00000000  00           not IDX, which starts with two zero bytes"]
        );
        assert_eq!(
            lines(b"hello, world"),
            ["00000000  68 65 6c 6c 6f 2c 20 77  not IDX, which starts with two zero bytes"]
        );
        assert_eq!(lines(b"PK\x03\x04"), ["00000000  50 4b 03 04  not IDX, but a zip archive"]);
        assert_eq!(
            lines(&[0, 0, 7, 0])[1],
            "00000002  07           no element type: 08, 09, 0b, 0c, 0d or 0e"
        );
    }

    #[test]
    fn a_file_that_was_not_finished() {
        assert_eq!(
            lines(b"\xFF\xFF\x8B\x02\xFF\xFF\xFF\xFF\0\0\0\x03\x05\x06"),
            [
                "00000000  ff ff        the mark of a file that was not finished",
                "00000002  8b           element type i16",
                "00000003  02           2 dimensions",
                "00000004  ff ff ff ff  records that were not counted",
                "00000008  00 00 00 03  3",
                "0000000c  05 06        payload",
            ]
        );
    }

    #[test]
    fn gzip_data_that_ends_before_its_content() {
        let start = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF";
        assert!(explain(Source::new(&start[..]).unwrap()).is_err());
        // A stored block of 3 of 5 bytes.
        let cut = [&start[..], b"\0\x05\0\xFA\xFF\0\0\x08"].concat();
        assert_eq!(lines(&cut)[0], "00000000  00 00        magic number (after gunzip)");
        assert_eq!(lines(&cut)[2], "00000003               truncated: 1 byte of 1 missing");
    }
}
