use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use idx_std::{ElementType, ErrorKind};

use super::layout::{Layout, Shape};
use super::{csv, idx, npy, parquet, png};
use crate::records::input::standard_input;
use crate::term::failure::Failure as Stop;

/// Where records come from, one by one.
pub(crate) trait Source {
    fn layout(&self) -> &Layout;

    /// How many records there are, where that is known before they are read.
    fn count(&self) -> Option<u64>;

    /// Whether the records bring their labels with them.
    fn has_labels(&self) -> bool {
        false
    }

    /// The element type of these labels, where that is known.
    fn label_type(&self) -> Option<ElementType> {
        None
    }

    /// Goes forward over records that need not be read, `most` of them, and gives their number. What
    /// has to be read to get past it is left to `read`.
    fn skip(&mut self, _most: u64) -> Result<u64, Stop> {
        Ok(0)
    }

    /// Reads the next record; `false` once all were read and the end was checked.
    fn read(&mut self, record: &mut Record) -> Result<bool, Stop>;
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Big-endian, as in IDX.
    pub(crate) bytes: Vec<u8>,
    pub(crate) label: Option<i128>,
}

/// What is to be known of inputs that do not say it themselves.
pub(crate) struct ReadOptions<'a> {
    /// Of csv.
    pub(crate) element_type: ElementType,
    pub(crate) shape: Option<&'a Shape>,
    /// Whether the first line of csv names the columns.
    pub(crate) header: bool,
    /// Whether labels that lie beside the records are read.
    pub(crate) labels: bool,
    /// Whether the first column of csv is labels, whatever its name.
    pub(crate) first_column: bool,
}

/// Opens an input, which its content tells; the name tells a csv file, too.
pub(crate) fn open(path: &Path, options: &ReadOptions<'_>) -> Result<Box<dyn Source>, Stop> {
    if path.is_dir() {
        return Ok(Box::new(png::Folder::open(path, options.labels)?));
    }
    let read: Box<dyn Read> = if path.as_os_str() == "-" {
        standard_input()?
    } else {
        Box::new(File::open(path).map_err(|error| stop(path, error))?)
    };
    let (start, read) = peek(read).map_err(|error| stop(path, error))?;
    let is_csv = match *start {
        // A number, which no other format starts with.
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => true,
        // The name of a column, and not a web page.
        [b'!'..=b'~', ..] if options.header => !start.starts_with(b"<"),
        _ => {
            let extension = path.extension().unwrap_or_default();
            extension.eq_ignore_ascii_case("csv")
        }
    };
    Ok(if start.starts_with(b"\x93NUMPY") {
        Box::new(npy::Npy::open(path, read)?)
    } else if start.starts_with(parquet::MAGIC) {
        parquet::Parquet::open(path, read, options)?
    } else if is_csv {
        Box::new(csv::Csv::open(path, read, options)?)
    } else {
        Box::new(idx::Idx::open(path, read)?)
    })
}

/// The first bytes, and with them all.
fn peek(mut read: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut start = Vec::new();
    read.by_ref().take(6).read_to_end(&mut start)?;
    let all = Cursor::new(start.clone()).chain(read);
    Ok((start, Box::new(all)))
}

/// What the system refused.
pub(crate) fn stop(path: &Path, error: io::Error) -> Stop {
    Stop::file(path, ErrorKind::from(error).to_string())
}
