//! Labels that are texts: the classes, which get their numbers before the records are read.

use std::io::Read;
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::formats::Again;
use crate::formats::csv::source::CsvSource;
use crate::record::options::OpenOptions;

/// Opens a table, which is read twice if its labels are texts.
pub(crate) fn open(
    path: &Path,
    read: Box<dyn Read + Send>,
    again: Option<Again>,
    options: &OpenOptions,
) -> Result<CsvSource, Error> {
    let table = CsvSource::open(path, read, options)?;
    if !table.has_texts() {
        return Ok(table);
    }
    let message = "labels that are texts are read twice, and a pipe is not; save the table, and give the name of the file";
    let again = again.ok_or_else(|| ErrorKind::unsupported(message))?;
    let classes = table.into_classes()?;
    Ok(CsvSource::open(path, again()?, options)?.numbered(classes))
}
