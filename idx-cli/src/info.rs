use std::path::Path;
use std::{fmt, io};

use idx_std::{Compression, Header};
use serde::Serialize;

use crate::arguments::InfoArguments;
use crate::console::{Console, Stop};
use crate::input::Input;
use crate::told::{known_or_not, shape_text, tell};

/// What `info` tells of a file; the names are those of `--json`.
#[derive(Serialize)]
struct Info {
    path: String,
    element_type: &'static str,
    shape: Vec<u32>,
    records: u32,
    /// Not known of an empty file whose records could not exist.
    record_bytes: Option<u64>,
    payload_bytes: u64,
    flash_bytes: u64,
    /// Not known of standard input, and of what is no regular file.
    file_bytes: Option<u64>,
    compression: Option<&'static str>,
    /// If it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Option<String>>,
}

pub(crate) fn run(arguments: &InfoArguments, console: &mut Console) -> io::Result<()> {
    for path in &arguments.files {
        tell(
            Info::read(path, arguments.identify),
            arguments.json,
            console,
        )?;
    }
    Ok(())
}

impl Info {
    fn read(path: &Path, identify: bool) -> Result<Self, Stop> {
        let input = Input::open(path)?;
        let header = input.header();
        Ok(Self {
            path: path.display().to_string(),
            element_type: header.element_type().name(),
            shape: header.dims().iter().collect(),
            records: header.record_count(),
            record_bytes: header.record_size(),
            payload_bytes: header.payload_size(),
            flash_bytes: flash_bytes(header),
            file_bytes: input.checked_size()?,
            compression: input.compression().map(|compression| match compression {
                Compression::Gzip => "gzip",
                _ => "unknown",
            }),
            known: identify.then(|| input.identify()).transpose()?,
        })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record_bytes = self
            .record_bytes
            .map_or("more bytes than 64 bits count".to_string(), bytes);
        writeln!(f, "{}", self.path)?;
        writeln!(f, "  element type  {}", self.element_type)?;
        writeln!(f, "  shape         {}", shape_text(&self.shape))?;
        writeln!(f, "  records       {} of {record_bytes}", self.records)?;
        writeln!(f, "  payload       {}", bytes(self.payload_bytes))?;
        writeln!(f, "  flash         {}", bytes(self.flash_bytes))?;
        let compression = self.compression.unwrap_or("not compressed");
        match self.file_bytes {
            Some(size) => writeln!(f, "  file          {}, {compression}", bytes(size))?,
            None => writeln!(f, "  file          a stream, {compression}")?,
        }
        match &self.known {
            Some(known) => writeln!(f, "  identity      {}", known_or_not(known.as_deref())),
            None => Ok(()),
        }
    }
}

/// What a file takes of the flash: its header and its payload, as it is without compression.
pub(crate) fn flash_bytes(header: Header<'_>) -> u64 {
    let header_bytes = header.header_size() as u64;
    header_bytes.saturating_add(header.payload_size())
}

pub(crate) fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_string(),
        _ => format!("{count} bytes"),
    }
}
