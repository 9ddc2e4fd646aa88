use std::path::Path;

use idx_std::formats::{Language, SourceOptions, write_source_code};

use crate::args::RustArguments;
use crate::records::input::IdxFile;
use crate::term::console::Console;
use crate::term::failure::Failure;

pub(crate) fn run(arguments: &RustArguments, console: &mut Console) -> Result<(), Failure> {
    let language = match arguments {
        RustArguments { c: true, .. } => Language::C,
        RustArguments { mem: true, .. } => Language::Verilog,
        _ => Language::Rust,
    };
    let mut separator = "";
    for path in &arguments.files {
        write!(console, "{separator}")?;
        let written = match path == Path::new("-") {
            true => Err(Failure::file(
                path,
                "the program includes the file by its path; specify a file instead of `-`",
            )),
            // Which says what other formats are.
            false => IdxFile::open(path, &SourceOptions::default()).and_then(|_| {
                write_source_code(path, language, console.stream()).map_err(Failure::from)
            }),
        };
        match written {
            Ok(()) => separator = "\n",
            Err(failure) => console.print_failure(failure)?,
        }
    }
    Ok(())
}
