//! Recovers the whole records of a file whose writer was stopped, and removes none without being told to.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf, absolute};

use crate::atomic::sync_all;
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::io::to_usize;
use crate::read::RecordStream;
use crate::words::counted;
use crate::write::append::open_locked;
use crate::write::in_place::is_as_left;
use crate::write::log::{self, Log};
use crate::write::writer::{WriteOptions, Writer};

/// Finds the whole records in a file whose writer was stopped. This changes nothing: [`Repair::write`] corrects the
/// file, and [`Repair::write_to`] writes the records to a new one.
///
/// An unfinished file keeps all of them, and a truncated one those that are left: in gzip data, those that can be
/// decompressed. A header that counts 0 may come from a program that did not know the number yet, so the file keeps
/// all. A plain file may be the log of such a program (see `idx_core::header`), copied from flash: FF bytes at the end
/// that the header does not count were never written.
///
/// If there are more records than the header counts, only the counted ones were certainly written, by a
/// [`commit`](crate::Writer::commit) for example: after a power failure the rest may be zeros. Or a byte of the header
/// is wrong. Only you can know, so the file stays as it is until you [`keep_all`](Repair::keep_all) or
/// [`keep_counted`](Repair::keep_counted). So does a file whose header counts records although none is whole, and one
/// that ends in records of only FF bytes that the header may count, such as labels of 255 in a truncated file. If a
/// second whole file of such records follows, as after `cat`, it is no part of the first, and even `keep_all` does not
/// keep it.
///
/// Of a log of `idx_core::log`, copied from flash, exactly the whole records are kept, in a new file. The copy must be
/// the range of exactly one log.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log.idx");
/// // A header that counts 2 records of 3 bytes, then 3 records and a byte.
/// std::fs::write(&path, b"\0\0\x08\x02\0\0\0\x02\0\0\0\x03abcdefghij")?;
///
/// let repair = idx_std::repair(&path)?;
/// assert_eq!(
///     repair.to_string(),
///     "2 whole records; 1 more that the header does not count; 1 byte of an incomplete record"
/// );
/// assert_eq!(repair.write().unwrap_err().kind().code(), "would_lose");
///
/// idx_std::repair(&path)?.keep_all().write()?;
/// assert_eq!(idx_std::load::<u8>(&path)?[..], *b"abcdefghi");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// An error of the system ([`ErrorKind::Io`]); a pipe or device ([`not_a_regular_file`](ErrorKind::code)); the errors
/// of a header, and of gzip data that is corrupt; a file of rank 0 without its one element ([`ErrorKind::Format`] with
/// `Truncated`); a damaged log ([`log_damaged`](ErrorKind::code)), and one that begins within the file
/// ([`log_within`](ErrorKind::code)).
pub fn repair(path: impl AsRef<Path>) -> Result<Repair, Error> {
    let path = path.as_ref();
    Repair::find(path).map_err(|kind| Error::from(kind).with_path(path))
}

/// The findings of [`repair`]. Until this is dropped, no other writer can open the file, except on Windows.
#[derive(Debug)]
#[must_use = "the file changes only when `write` is called"]
pub struct Repair {
    path: PathBuf,
    /// The absolute path, because this process may change its folder.
    place: PathBuf,
    file: File,
    /// Why the system does not allow writing to the file, if it does not.
    denied: Option<io::Error>,
    /// The stored size when the file was read.
    size: u64,
    is_gzip: bool,
    /// The header of the records that are kept.
    header: HeaderBuf,
    /// The number of records in the current header; `None` if the file was not finished.
    stated: Option<u32>,
    /// The number of whole records after the header, and of those that are not erased flash.
    whole: u32,
    found: u32,
    /// The number of bytes after the header.
    payload: u64,
    /// The number of bytes after the header up to the last that is not erased flash.
    written: u64,
    /// True if whole records that the header does not count are removed.
    drops_uncounted: bool,
    /// The number of torn records, if the file is a log from flash.
    torn: Option<u64>,
    /// True if the gzip data is truncated.
    is_cut: bool,
    /// True if another file of such records follows the payload.
    is_followed: bool,
}

impl Repair {
    fn find(path: &Path) -> Result<Self, ErrorKind> {
        let (file, denied) = open(path)?;
        let size = file.metadata()?.len();
        let log = Log::open(Source::seekable(&file)?)?.map(Log::count).transpose()?;
        let torn = log.as_ref().map(|(_, torn)| *torn);
        if let Some(kind) = torn.and_then(|_| log_within(&file)) {
            return Err(kind);
        }
        (&file).rewind()?;
        let mut source = Source::seekable(&file)?;
        let is_gzip = source.is_gzip();
        let (header, is_finished) = match log {
            Some((header, _)) => (header, false),
            None => source.read_any_header().map_err(|kind| log_within(&file).unwrap_or(kind))?,
        };
        let (payload, is_cut) = match torn {
            // Of the whole records.
            Some(_) => (header.payload_size(), false),
            None => payload_of(source, &header, size)?,
        };
        let is_short = payload < header.payload_size();
        // In a log from flash whose number of records was not written yet, it is FFFFFFFF.
        let is_erased = !is_gzip && is_short && header.record_count() == u32::MAX;
        let stated = (is_finished && !is_erased).then_some(header.record_count());
        let more = payload.saturating_sub(header.payload_size());
        let is_followed = is_finished && more > 0 && is_followed_by_file(&file, &header, more)?;
        let max = if header.dims().is_empty() { 1 } else { u32::MAX };
        let whole = match header.record_size() {
            _ if is_followed => header.record_count(),
            // Only the header knows the number of records without bytes.
            Some(0) => header.record_count(),
            Some(size) => u32::try_from(payload / size).map_or(max, |whole| whole.min(max)),
            None => 0,
        };
        let written = match is_finished && !is_gzip {
            true => written_size(&file, header.header_size() as u64, size)?,
            false => payload,
        };
        // The number of whole records that are not erased flash.
        let begun = match header.record_size() {
            Some(size @ 1..) => u32::try_from(written.div_ceil(size)).unwrap_or(whole).min(whole),
            _ => whole,
        };
        let (found, kept) = match stated {
            // A program that does not know the number yet may have written 0.
            None | Some(0) => (begun, begun),
            Some(stated) if is_short => (begun, begun.min(stated)),
            Some(stated) => (begun.max(stated), stated),
        };
        let header = header.with_record_count(kept);
        let needed = header.payload_size();
        if payload < needed {
            return Err(idx_core::ErrorKind::Truncated { needed, found: payload }.into());
        }
        Ok(Self {
            path: path.to_path_buf(),
            place: absolute(path)?,
            file,
            denied,
            size,
            is_gzip,
            header,
            stated,
            whole,
            found,
            payload,
            written,
            drops_uncounted: false,
            torn,
            is_cut,
            is_followed,
        })
    }

    /// Keeps all whole records, including those that the header does not count yet, and those of only FF bytes.
    pub fn keep_all(self) -> Self {
        let header = self.header.with_record_count(self.whole);
        Self { header, found: self.whole, ..self }
    }

    /// Keeps the records that the header counts, as far as they are there, and removes whole ones after them: after a
    /// power failure, records that were not committed may be zeros.
    pub fn keep_counted(self) -> Self {
        Self { drops_uncounted: true, ..self }
    }

    /// Returns the corrected header, which counts the records that are kept.
    #[must_use]
    pub fn header(&self) -> &HeaderBuf {
        &self.header
    }

    /// Returns the number of bytes after the records that are kept, which [`write`](Self::write) removes.
    fn left_over(&self) -> u64 {
        self.payload.saturating_sub(self.header.payload_size())
    }

    /// Returns whether the file has to be corrected.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.stated != Some(self.header.record_count()) || self.left_over() > 0 || self.is_cut
    }

    /// Checks that [`write`](Self::write) would remove at most an incomplete record and erased flash, but no record
    /// that may be whole.
    ///
    /// # Errors
    ///
    /// Records that may be whole and would be removed, or a log from flash, whose copy is all that is left of it
    /// ([`would_lose`](ErrorKind::code)).
    pub fn check(&self) -> Result<(), Error> {
        let kept = self.header.record_count();
        let stated = self.stated.unwrap_or(0);
        // The bytes after the kept records that are not erased flash.
        let removed = self.written.saturating_sub(self.header.payload_size());
        let is_log = self.torn.is_some();
        let record_size = self.header.record_size().unwrap_or(u64::MAX);
        let loses_uncounted = removed >= record_size.max(1) && !self.drops_uncounted;
        // If only the header of a log was written, erased flash follows it.
        let is_erased = self.payload > 0 && removed == 0;
        let keeps_none = stated > 0 && kept == 0 && !is_erased;
        // Records of only FF bytes that the header counts. If the power failed while their number was written over
        // FFFFFFFF, it has all bits of the right one: then these bytes are erased flash.
        let is_torn = kept > 0 && stated & kept == kept;
        let loses_counted = stated > kept && self.whole > kept && !is_torn;
        if is_log || loses_uncounted || keeps_none || loses_counted {
            let kind = ErrorKind::WouldLose { found: self.to_string(), kept, whole: self.whole };
            return Err(Error::from(kind).with_path(&self.path));
        }
        Ok(())
    }

    /// Corrects the file, so that it has the kept records and nothing else, and syncs it to the disk.
    ///
    /// A plain file is corrected in place: if this is interrupted, it can be repaired again. A gzip file is
    /// written anew, and replaced when the new one is complete.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`]); the errors of [`check`](Self::check), and a file that was changed,
    /// moved, removed or replaced ([`changed_meanwhile`](ErrorKind::code)), which leave all files as they were.
    pub fn write(mut self) -> Result<(), Error> {
        self.check()?;
        let corrected = match self.denied.take() {
            Some(denied) if self.is_needed() => Err(denied.into()),
            _ => self.correct(),
        };
        corrected.map_err(|error| error.with_path(&self.path))
    }

    fn correct(&self) -> Result<(), Error> {
        if !is_as_left(&self.file, &self.place, self.size)? {
            return Err(ErrorKind::ChangedMeanwhile.into());
        }
        match self.is_needed() {
            false => Ok(()),
            true if self.is_gzip => self.push_to(WriteOptions::new().gzip(true), &self.place),
            true => Ok(self.write_in_place()?),
        }
    }

    /// Writes the kept records to a new file, gzip if its name ends in `.gz`. The damaged file stays as it is.
    ///
    /// # Errors
    ///
    /// An error of the system, such as an existing file of that name ([`ErrorKind::Io`]); a damaged file that has
    /// changed ([`changed_meanwhile`](ErrorKind::code)).
    pub fn write_to(self, path: impl AsRef<Path>) -> Result<(), Error> {
        let written = self
            .expect_unchanged()
            .and_then(|()| self.push_to(WriteOptions::new().create_new(true), path.as_ref()));
        written.map_err(|error| match error.path() {
            Some(_) => error,
            None => error.with_path(&self.path),
        })
    }

    fn expect_unchanged(&self) -> Result<(), Error> {
        match self.file.metadata()?.len() == self.size {
            true => Ok(()),
            false => Err(ErrorKind::ChangedMeanwhile.into()),
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
            sync_all(file)?;
        }
        Ok(())
    }

    fn push_to(&self, options: WriteOptions, path: &Path) -> Result<(), Error> {
        let (header, mut file) = (&self.header, &self.file);
        let mut writer = options.create(path, header.element_type(), header.dims())?;
        file.rewind()?;
        let source = Source::seekable(file)?;
        match self.torn {
            Some(_) => push_log(source, &mut writer)?,
            None => push_records(source, header, &mut writer)?,
        }
        writer.finish().map(drop)
    }
}

/// Opens a file for reading and writing. If the system does not allow writing, opens it for reading, and returns the
/// reason: that is enough to look at it, and to write a new one.
fn open(path: &Path) -> Result<(File, Option<io::Error>), ErrorKind> {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match open_locked(path, File::options().read(true).write(true)) {
        Err(ErrorKind::Io(denied))
            if matches!(denied.kind(), PermissionDenied | ReadOnlyFilesystem) =>
        {
            Ok((open_locked(path, File::options().read(true))?, Some(denied)))
        }
        opened => Ok((opened?, None)),
    }
}

/// Returns the number of bytes after the header, which was just read, and whether they are truncated gzip data. `size`
/// is that of the file.
fn payload_of(
    mut source: Source<&File>,
    header: &HeaderBuf,
    size: u64,
) -> Result<(u64, bool), ErrorKind> {
    if !source.is_gzip() {
        return Ok((size.saturating_sub(header.header_size() as u64), false));
    }
    match source.count_bytes(u64::MAX) {
        (count, Ok(_)) => Ok((count, false)),
        (count, Err(ErrorKind::GzipTruncated { .. })) => Ok((count, true)),
        (_, Err(kind)) => Err(kind),
    }
}

/// Returns whether the `more` bytes after the payload begin with a whole file of such records, as in files joined by
/// `cat`: its header is not part of a record.
fn is_followed_by_file(mut file: &File, header: &HeaderBuf, more: u64) -> Result<bool, ErrorKind> {
    file.rewind()?;
    let mut source = Source::seekable(file)?;
    if source.seek(header.file_size())?.is_none() {
        io::copy(&mut (&mut source).take(header.file_size()), &mut io::sink())?;
    }
    let next = source.read_header().ok().filter(|next| next.file_size() <= more);
    Ok(next.is_some_and(|next| next.with_record_count(header.record_count()) == *header))
}

/// Returns the error for a log that begins inside the file, if there is one. Its end is unknown, so the bytes after it
/// could be taken for its records.
fn log_within(mut file: &File) -> Option<ErrorKind> {
    file.rewind().ok()?;
    let offset = log::find_within(Source::seekable(file).ok()?).ok()??;
    Some(ErrorKind::LogWithin { offset })
}

fn push_log(source: Source<&File>, writer: &mut Writer) -> Result<(), Error> {
    let Some(mut log) = Log::open(source)? else {
        return Err(ErrorKind::ChangedMeanwhile.into());
    };
    while let Some(record) = log.next_record()? {
        writer.push_bytes(record)?;
    }
    Ok(())
}

fn push_records(
    mut source: Source<&File>,
    header: &HeaderBuf,
    writer: &mut Writer,
) -> Result<(), Error> {
    if header.payload_size() == 0 {
        // Records without bytes still count.
        writer.file.push_with(to_usize(header.record_count().into())?, |_| Some(()))?;
        return Ok(());
    }
    source.read_any_header()?;
    let mut stream = RecordStream::after(header, source);
    let mut left = header.payload_size();
    // Not to the end of the file, where more than these records may be.
    while left > 0
        && let Some(records) = stream.next_records()
    {
        let records = records?;
        left = left.saturating_sub(records.len() as u64);
        writer.push_records(records)?;
    }
    Ok(())
}

/// Returns the number of bytes between two positions of a file, without FF bytes at the end.
fn written_size(mut file: &File, start: u64, end: u64) -> Result<u64, ErrorKind> {
    let (mut chunk, mut end) = (Vec::new(), end);
    while end > start {
        let from = end.saturating_sub(1 << 16).max(start);
        chunk.resize(to_usize(end - from)?, 0);
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(&mut chunk)?;
        if let Some(last) = chunk.iter().rposition(|&byte| byte != 0xFF) {
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
            None if self.torn.is_some() => f.write_str(" of a log from flash")?,
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
        let is_erased = self.found < self.whole;
        let what = match size {
            _ if self.is_followed => "of another IDX file",
            _ if is_erased => "of erased flash (FF)",
            0 => "after them",
            _ => "of an incomplete record",
        };
        match self.left_over() - u64::from(more) * size {
            0 => {}
            bytes => write!(f, "; {} {what}", counted(bytes, "byte"))?,
        }
        if self.is_followed {
            write!(f, " from byte {}", self.header.file_size())?;
        }
        match self.torn {
            _ if is_erased && kept > 0 && self.stated != Some(kept) => {
                f.write_str("; the last record may be torn")
            }
            Some(torn @ 1..) => write!(f, "; {torn} torn"),
            _ => Ok(()),
        }
    }
}
