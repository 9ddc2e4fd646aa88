use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use idx_core::ElementType;

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::access;
use crate::io::gunzip::{self, Gunzip};
use crate::signature::FileSignature;
use crate::words::counted;

/// The longest header, and the first bytes of the payload.
const SIZE: usize = 4 + 255 * 4 + PAYLOAD;

/// The maximum number of bytes of the payload to show.
const PAYLOAD: usize = 8;

/// The first bytes of a file with an explanation, to inspect a file that is rejected. It explains any bytes,
/// as far as they are a header.
///
/// ```
/// use idx_std::HeaderDump;
///
/// let file = [0, 0, 0x08, 2, 0, 0, 0, 2, 0, 0, 0, 3, 10, 20];
/// assert_eq!(
///     HeaderDump::read(&file[..])?.to_string(),
///     "00000000  00 00        magic number
/// 00000002  08           element type u8
/// 00000003  02           2 dimensions
/// 00000004  00 00 00 02  2 records
/// 00000008  00 00 00 03  3
/// 0000000c  0a 14        payload
/// "
/// );
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderDump {
    parts: Vec<(Vec<u8>, String)>,
}

impl HeaderDump {
    /// Opens a file, and reads its first bytes.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let dump = access::open(path).map_err(Error::from).and_then(Self::read);
        dump.map_err(|error| error.with_path(path))
    }

    /// Reads the first bytes; for gzip data the decompressed ones.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`], and the errors of gzip data of which nothing can be decompressed.
    pub fn read(mut read: impl Read) -> Result<Self, Error> {
        let mut start = Vec::new();
        let limit = gunzip::START.len() as u64;
        read.by_ref().take(limit).read_to_end(&mut start).map_err(ErrorKind::from)?;
        let is_gzip = start == gunzip::START;
        let all = io::Cursor::new(start).chain(read);
        let mut bytes = Vec::new();
        if is_gzip {
            bytes.resize(SIZE, 0);
            let (count, decompressed) = Gunzip::new(all).fill(&mut bytes);
            bytes.truncate(count);
            if count == 0 {
                decompressed?;
            }
        } else {
            all.take(SIZE as u64).read_to_end(&mut bytes).map_err(ErrorKind::from)?;
        }
        Ok(Self::of(&bytes, is_gzip))
    }

    fn of(bytes: &[u8], is_gzip: bool) -> Self {
        let mut dump = Self { parts: Vec::new() };
        let mut rest = bytes;
        let finished = HeaderBuf::finished_start(bytes);
        if finished.is_none() && !bytes.starts_with(&[0, 0]) {
            let text = match FileSignature::detect(bytes) {
                _ if bytes.is_empty() => "there is nothing".to_string(),
                Some(signature) => format!("not IDX, but {signature}"),
                None => "not IDX, which starts with two bytes 0".to_string(),
            };
            dump.take(&mut rest, bytes.len().min(PAYLOAD), |_| text.clone());
            return dump;
        }
        let byte = |index: usize| bytes.get(index).copied().unwrap_or_default();
        let code = finished.map_or(byte(2), |[_, _, code, _]| code);
        let rank = byte(3);
        let magic = match finished {
            Some(_) => "the mark of a file that was not finished",
            None => "magic number",
        };
        let decompressed = if is_gzip { ", decompressed" } else { "" };
        dump.take(&mut rest, 2, |_| format!("{magic}{decompressed}"));
        dump.take(&mut rest, 1, |_| match ElementType::from_code(code) {
            Some(element_type) => format!("element type {element_type}"),
            None => "no element type: 08, 09, 0b, 0c, 0d or 0e".to_string(),
        });
        dump.take(&mut rest, 1, |_| counted(rank.into(), "dimension"));
        for dimension in 0..rank {
            dump.take(&mut rest, 4, |size| {
                let size = size.iter().fold(0u64, |size, byte| size << 8 | u64::from(*byte));
                match (dimension, size) {
                    (0, _) if finished.is_some() => "records that were not counted".to_string(),
                    (0, _) => counted(size, "record"),
                    _ => size.to_string(),
                }
            });
        }
        let shown = rest.len().min(PAYLOAD);
        if shown > 0 {
            dump.take(&mut rest, shown, |_| "payload".to_string());
        }
        dump
    }

    /// Takes the next bytes, and explains them if all exist.
    fn take(&mut self, rest: &mut &[u8], count: usize, text: impl Fn(&[u8]) -> String) {
        let is_at_end = self.parts.last().is_some_and(|(_, text)| text.starts_with("truncated"));
        let (bytes, after) = rest.split_at(count.min(rest.len()));
        let missing = count - bytes.len();
        let text = match missing {
            _ if is_at_end => return,
            0 => text(bytes),
            _ => format!("truncated: {} of {count} missing", counted(missing as u64, "byte")),
        };
        self.parts.push((bytes.to_vec(), text));
        *rest = after;
    }
}

impl fmt::Display for HeaderDump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut offset = 0;
        for (bytes, text) in &self.parts {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(f, "{offset:08x}  {:11}  {text}", hex.join(" "))?;
            offset += bytes.len();
        }
        Ok(())
    }
}
