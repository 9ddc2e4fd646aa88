use std::fmt;
use std::path::Path;

use idx_std::Shape;
use serde::Serialize;

use crate::args::InfoArguments;
use crate::records::input::Input;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::report::{count_text, known_text, report};
use crate::term::text::PathText;

/// What `info` reports of a file; the names are those of `--json`.
#[derive(Serialize)]
pub(crate) struct Info {
    #[serde(flatten)]
    path: PathText,
    element_type: &'static str,
    shape: Vec<u32>,
    records: u32,
    /// Unknown for an empty file whose records could not exist.
    record_bytes: Option<u64>,
    payload_bytes: u64,
    flash_bytes: u64,
    /// Unknown for standard input, and for what is not a regular file.
    file_bytes: Option<u64>,
    compression: Option<&'static str>,
    /// If it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Option<String>>,
}

pub(crate) fn run(arguments: &InfoArguments, console: &mut Console) -> Result<(), Failure> {
    for path in &arguments.input.files {
        let json = arguments.input.json;
        match Info::read(path, arguments.identify) {
            Ok((info, Ok(()))) => report(Ok(info), json, console)?,
            // The header says what the file should be.
            Ok((info, Err(failure))) if !json => {
                report(Ok(info), json, console)?;
                console.print_failure(failure)?;
            }
            Ok((_, Err(failure))) | Err(failure) => report(Err::<Info, _>(failure), json, console)?,
        }
    }
    Ok(())
}

impl Info {
    /// What the header says, and what is wrong with the rest.
    pub(crate) fn read(
        path: &Path,
        identify: bool,
    ) -> Result<(Self, Result<(), Failure>), Failure> {
        let input = Input::open(path)?;
        let header = input.header();
        let mut info = Self {
            path: path.into(),
            element_type: header.element_type().name(),
            shape: header.dims().to_vec(),
            records: header.record_count(),
            record_bytes: header.record_size(),
            payload_bytes: header.payload_size(),
            flash_bytes: header.file_size(),
            file_bytes: input.file_size(),
            compression: input.is_gzip().then_some("gzip"),
            known: None,
        };
        let mut checked = input.check_length();
        if checked.is_ok() && identify {
            checked = input
                .identify()
                .map(|known| info.known = Some(known.map(|known| known.to_string())));
        }
        Ok((info, checked))
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |size| count_text(size, "byte");
        let record_bytes = match self.record_bytes {
            Some(size) => bytes(size),
            None => "more bytes than 64 bits count".to_string(),
        };
        let file = self.file_bytes.map_or("a stream".to_string(), bytes);
        let compression = self.compression.unwrap_or("not compressed");
        writeln!(f, "{}", self.path)?;
        writeln!(f, "  element type  {}", self.element_type)?;
        writeln!(f, "  shape         {}", Shape(&self.shape))?;
        writeln!(f, "  records       {} of {record_bytes}", self.records)?;
        writeln!(f, "  payload       {}", bytes(self.payload_bytes))?;
        writeln!(f, "  flash         {}", bytes(self.flash_bytes))?;
        writeln!(f, "  file          {file}, {compression}")?;
        match &self.known {
            Some(known) => writeln!(f, "  identity      {}", known_text(known.as_deref())),
            None => Ok(()),
        }
    }
}
