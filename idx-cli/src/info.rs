use std::io::{self, Write};
use std::path::Path;

use idx_std::Compression;
use serde::Serialize;

use crate::arguments::InfoArguments;
use crate::console::{Console, Stop};
use crate::input::Input;

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
    /// Not known of standard input, and of what is no regular file.
    file_bytes: Option<u64>,
    compression: Option<&'static str>,
}

#[derive(Serialize)]
struct Failure {
    path: String,
    error: String,
}

pub(crate) fn run(arguments: &InfoArguments, console: &mut Console) -> io::Result<()> {
    for path in &arguments.files {
        let done = match Info::read(path) {
            Ok(info) if arguments.json => print_json(&info, console).map_err(Stop::from),
            Ok(info) => print_text(&info, console).map_err(Stop::from),
            Err(Stop::File { path, message }) if arguments.json => {
                let failure = Failure {
                    path: path.display().to_string(),
                    error: message.clone(),
                };
                print_json(&failure, console)?;
                Err(Stop::File { path, message })
            }
            Err(stop) => Err(stop),
        };
        console.report(done)?;
    }
    Ok(())
}

impl Info {
    fn read(path: &Path) -> Result<Self, Stop> {
        let input = Input::open(path)?;
        let header = input.header();
        Ok(Self {
            path: path.display().to_string(),
            element_type: header.element_type().name(),
            shape: header.dims().iter().collect(),
            records: header.record_count(),
            record_bytes: header.record_size(),
            payload_bytes: header.payload_size(),
            file_bytes: input.checked_size()?,
            compression: input.compression().map(|compression| match compression {
                Compression::Gzip => "gzip",
                _ => "unknown",
            }),
        })
    }
}

fn print_json(value: &impl Serialize, console: &mut Console) -> io::Result<()> {
    serde_json::to_writer(&mut console.output, value)?;
    writeln!(console.output)
}

fn print_text(info: &Info, console: &mut Console) -> io::Result<()> {
    let output = &mut console.output;
    let shape: Vec<String> = info.shape.iter().map(u32::to_string).collect();
    let shape = if shape.is_empty() {
        "a single element".to_string()
    } else {
        shape.join(" x ")
    };
    let record_bytes = info
        .record_bytes
        .map_or("more bytes than 64 bits count".to_string(), bytes);
    writeln!(output, "{}", info.path)?;
    writeln!(output, "  element type  {}", info.element_type)?;
    writeln!(output, "  shape         {shape}")?;
    writeln!(output, "  records       {} of {record_bytes}", info.records)?;
    writeln!(output, "  payload       {}", bytes(info.payload_bytes))?;
    let compression = info.compression.unwrap_or("not compressed");
    match info.file_bytes {
        Some(size) => writeln!(output, "  file          {}, {compression}", bytes(size)),
        None => writeln!(output, "  file          a stream, {compression}"),
    }
}

fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_string(),
        _ => format!("{count} bytes"),
    }
}
