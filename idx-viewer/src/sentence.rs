//! What `idx check` says about a file: the sentences of idx-core, and for what only idx-std knows those of its errors.

use core::fmt::{self, Display, Formatter};

use idx_core::{ElementType, ErrorKind, Header};

use crate::signature::FileSignature;

/// What is wrong with gzip data, behind all that it decompresses to.
#[derive(Clone, Copy)]
pub enum Fault<'a> {
    Truncated,
    Damaged(&'a str),
    Trailing(u8),
}

/// A file, decompressed. It displays as what is wrong with it, or as nothing.
pub struct File<'a> {
    start: &'a [u8],
    size: u64,
    is_finished: bool,
    fault: Option<Fault<'a>>,
}

impl<'a> File<'a> {
    /// From its first bytes: the header, and those that say what else it may be.
    pub fn new(start: &'a mut [u8], size: u64, fault: Option<Fault<'a>>) -> Self {
        let is_finished = match start.first_chunk_mut() {
            // What idx-std writes until it knows the number of records.
            Some([0xFF, 0xFF, code, rank]) if ElementType::from_code(*code ^ 0x80).is_some() => {
                let finished = [0, 0, *code ^ 0x80, *rank];
                start[..4].copy_from_slice(&finished);
                if let Some(count) = start.get_mut(4..8) {
                    count.fill(0);
                }
                false
            }
            _ => true,
        };
        Self { start, size, is_finished, fault }
    }

    fn payload(&self, header: &Header<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        let needed = header.payload_size();
        let offset = header.header_size() as u64;
        let found = self.size - offset;
        let record = record_size(header);
        match (found.cmp(&needed), self.fault) {
            (Ordering::Less, None) => write!(f, "{}", ErrorKind::Truncated { needed, found })?,
            (Ordering::Less | Ordering::Equal, Some(fault)) => self.gzip(fault, Some(needed - found), f)?,
            (Ordering::Equal, None) => return Ok(()),
            (Ordering::Greater, _) => self.trailing(offset + needed, found - needed, f)?,
        }
        let records = found.min(needed).checked_div(record).unwrap_or(count(header));
        write!(f, " (after {})", Counted(records, "whole record"))
    }
}
