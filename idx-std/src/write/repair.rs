use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::append::open_to_change;
use super::writer::WriteOptions;
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::read::RecordStream;
use crate::words::counted;

/// Finds the whole records in a file whose writer was stopped. It changes nothing; [`Repair::write`] does.
///
/// A file that was not finished keeps all of them, and a truncated one those that are left; in truncated gzip data they
/// are the records that can be decompressed. If more bytes follow than the header counts, only what it counts was
/// certainly written, by a [`commit`](crate::Writer::commit) for example: after a power failure the rest may be zeros.
/// So the file keeps what the header counts, unless you [`keep_all`](Repair::keep_all). A header that counts 0 may be that
/// of a program that did not know the number yet, so it keeps all.
///
/// A plain file that states FFFFFFFF records and has fewer is the log of a program that did not know their number
/// yet (see `idx_core::header`), perhaps copied from flash: what holds only FF behind the last record was never
/// written.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log.idx");
/// // A header of 2 records of 3 bytes, 3 of them, and a byte.
/// std::fs::write(&path, b"\0\0\x08\x02\0\0\0\x02\0\0\0\x03abcdefghij")?;
///
/// let repair = idx_std::repair(&path)?;
/// assert_eq!(
///     repair.to_string(),
///     "2 whole records; 1 more that the header does not count; 1 byte of an incomplete record"
/// );
/// repair.write()?;
/// assert_eq!(idx_std::load::<u8>(&path)?[..], *b"abcdef");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ErrorKind::Io`] and [`not_a_regular_file`](ErrorKind::code); those of a header, and of gzip data that is corrupt;
/// [`ErrorKind::Format`] with `Truncated` for a file of rank 0 without its one element.
pub fn repair(path: impl AsRef<Path>) -> Result<Repair, Error> {
    let path = path.as_ref();
    Repair::find(path).map_err(|kind| Error::from(kind).with_path(path))
}

/// The findings of [`repair`]. Until this is dropped no other writer can open the file.
#[derive(Debug)]
#[must_use = "the file changes only when `write` is called"]
pub struct Repair {
    path: PathBuf,
    file: File,
    /// The stored size when the file was read.
    size: u64,
    is_gzip: bool,
    /// The header of the records that are kept.
    header: HeaderBuf,
    /// The number of records in the current header; `None` if the file was not finished.
    stated: Option<u32>,
    /// The number of whole records, and of all bytes, behind the header.
    found: u32,
    payload: u64,
    /// Whether the bytes behind these records are flash that was never written.
    is_erased: bool,
    /// Whether the gzip data is truncated.
    is_cut: bool,
}

impl Repair {
    fn find(path: &Path) -> Result<Self, ErrorKind> {
        let file = open_to_change(path)?;
        let size = file.metadata()?.len();
        let mut source = Source::seekable(&file)?;
        let is_gzip = source.is_gzip();
        let (header, is_finished) = source.read_any_header()?;
        let (payload, is_cut) = match is_gzip {
            true => match source.count_bytes(u64::MAX) {
                (count, Ok(())) => (count, false),
                (count, Err(ErrorKind::GzipTruncated { .. })) => (count, true),
                (_, Err(kind)) => return Err(kind),
            },
            false => (size.saturating_sub(header.header_size() as u64), false),
        };
        let is_open = header.record_count() == u32::MAX && payload < header.payload_size();
        let is_log = is_finished && !is_gzip && is_open;
        let stated = (is_finished && !is_log).then_some(header.record_count());
        let max = if header.dims().is_empty() { 1 } else { u32::MAX };
        let whole = match header.record_size() {
            // Only the header knows the number of records without bytes.
            Some(0) => header.record_count(),
            Some(size) => u32::try_from(payload / size).map_or(max, |whole| whole.min(max)),
            None => 0,
        };
        let written = match (is_log, header.record_size()) {
            (true, Some(record)) => {
                written_size(&file, header.header_size() as u64, size)?.div_ceil(record)
            }
            _ => u64::MAX,
        };
        let found = u32::try_from(written).map_or(whole, |written| written.min(whole));
        // A program that does not know the number yet may have written 0.
        let counted = stated.filter(|stated| *stated > 0);
        let header = header.with_record_count(counted.map_or(found, |counted| counted.min(found)));
        let needed = header.payload_size();
        if payload < needed {
            let found = payload;
            return Err(idx_core::ErrorKind::Truncated { needed, found }.into());
        }
        let path = path.to_path_buf();
        let is_erased = found < whole;
        Ok(Self { path, file, size, is_gzip, header, stated, found, payload, is_erased, is_cut })
    }

    /// Keeps all whole records, also those that the header does not count yet.
    pub fn keep_all(self) -> Self {
        Self { header: self.header.with_record_count(self.found), ..self }
    }

    /// The corrected header, which counts the records that are kept.
    #[must_use]
    pub fn header(&self) -> &HeaderBuf {
        &self.header
    }

    /// The number of bytes after the records that are kept, which [`write`](Self::write) removes.
    fn left_over(&self) -> u64 {
        self.payload.saturating_sub(self.header.payload_size())
    }

    /// Whether anything is wrong.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.stated != Some(self.header.record_count()) || self.left_over() > 0 || self.is_cut
    }

    /// Corrects the file, so that it has the records that are kept and nothing else, and syncs it to the disk.
    ///
    /// A plain file is corrected in place: if this is interrupted, it can be repaired again. A gzip file is
    /// written anew, and replaced when the new one is complete.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]; [`changed_meanwhile`](ErrorKind::code), which leaves the file as it was.
    pub fn write(self) -> Result<(), Error> {
        self.correct().map_err(|error| error.with_path(&self.path))
    }

    fn correct(&self) -> Result<(), Error> {
        if self.file.metadata()?.len() != self.size {
            return Err(ErrorKind::ChangedMeanwhile.into());
        }
        match (self.is_needed(), self.is_gzip) {
            (false, _) => Ok(()),
            (true, true) => self.write_anew(),
            (true, false) => Ok(self.write_in_place()?),
        }
    }

    fn write_in_place(&self) -> io::Result<()> {
        let mut file = &self.file;
        if self.left_over() > 0 {
            file.set_len(self.header.file_size())?;
        }
        let header = self.header.to_bytes();
        let (start, sizes) = header.split_at_checked(4).unwrap_or_default();
        // The first bytes turn an unfinished file into a complete one, so they are written last.
        for (position, bytes) in [(4, sizes), (0, start)] {
            file.seek(SeekFrom::Start(position))?;
            file.write_all(bytes)?;
            file.sync_all()?;
        }
        Ok(())
    }

    fn write_anew(&self) -> Result<(), Error> {
        let (header, mut file) = (&self.header, &self.file);
        let options = WriteOptions::new().gzip(true);
        let mut writer = options.create(&self.path, header.element_type(), header.dims())?;
        file.rewind()?;
        let mut source = Source::seekable(file)?;
        source.read_any_header()?;
        let mut records = RecordStream::after(header, source);
        // Not to the end, which is not that of the last record.
        for _ in 0..header.record_count() {
            let Some(record) = records.next_record() else { break };
            writer.push_bytes(record?)?;
        }
        writer.finish().map(drop)
    }
}

/// The number of bytes between two positions of a file, without the FF at their end.
fn written_size(mut file: &File, start: u64, end: u64) -> io::Result<u64> {
    const CHUNK: usize = 1 << 16;
    let mut chunk = vec![0; CHUNK];
    let mut end = end;
    while end > start {
        let size = usize::try_from(end - start).map_or(CHUNK, |size| size.min(CHUNK));
        let from = end - size as u64;
        let bytes = chunk.get_mut(..size).unwrap_or_default();
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(bytes)?;
        if let Some(last) = bytes.iter().rposition(|&byte| byte != 0xFF) {
            return Ok(from - start + last as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.header.record_count();
        f.write_str(&counted(kept.into(), "whole record"))?;
        match self.stated {
            None => f.write_str("; the file was not finished")?,
            Some(stated) if stated != kept => write!(f, "; the header counts {stated}")?,
            Some(_) => {}
        }
        if self.is_cut {
            f.write_str("; the gzip data is truncated")?;
        }
        let (more, size) = (self.found - kept, self.header.record_size().unwrap_or(0));
        if more > 0 {
            write!(f, "; {more} more that the header does not count")?;
        }
        let what = match size {
            _ if self.is_erased => "of erased flash (FF)",
            0 => "after them",
            _ => "of an incomplete record",
        };
        match self.left_over() - u64::from(more) * size {
            0 => Ok(()),
            bytes => write!(f, "; {} {what}", counted(bytes, "byte")),
        }
    }
}
