use idx_data::{self, Format, Language, OpenOptions, expect_own_names, write_source_code};

use crate::args::{RustArguments, usage};
use crate::records::input::not_idx;
use crate::term::console::{Console, is_standard_input};
use crate::term::failure::Failure;

pub(crate) fn run(arguments: &RustArguments, console: &mut Console) -> Result<(), Failure> {
    let language = match arguments {
        RustArguments { c: true, .. } => Language::C,
        RustArguments { mem: true, .. } => Language::Verilog,
        _ => Language::Rust,
    };
    if language == Language::Verilog && arguments.files.len() > 1 {
        return Err(usage("rust", "--mem writes one memory; give one FILE"));
    }
    expect_own_names(&arguments.files, language)?;
    let mut separator = "";
    for path in &arguments.files {
        write!(console, "{separator}")?;
        let written = match is_standard_input(path) {
            true => Err(Failure::file(
                path,
                "the numbers get the name of the file; specify a file instead of `-`",
            )),
            false => write_source_code(path, language, console.stream()).map_err(|error| {
                // A pipe can be read only once.
                let detect = || OpenOptions::new().detect(path);
                match path.is_file().then(detect) {
                    None | Some(Err(_) | Ok(Format::Idx | Format::IdxGz)) => error.into(),
                    Some(Ok(format)) => not_idx(path, format),
                }
            }),
        };
        match written {
            Ok(()) => separator = "\n",
            Err(failure) => console.print_failure(failure)?,
        }
    }
    Ok(())
}
