use std::collections::BTreeMap;
use std::path::Path;

use idx_data::{Format, OpenOptions, RustSource, rust_source};

use crate::args::{RustArguments, usage};
use crate::records::input::not_idx;
use crate::term::console::{Console, is_standard_input};
use crate::term::failure::Failure;

mod numbers;

pub(crate) fn run(arguments: &RustArguments, console: &mut Console) -> Result<(), Failure> {
    let files = &arguments.files;
    if arguments.mem && files.len() > 1 {
        return Err(usage("rust", "--mem writes one memory; give one FILE"));
    }
    let is_rust = !arguments.c && !arguments.mem;
    let sources: Vec<_> = match is_rust {
        false => Vec::new(),
        true => files.iter().map(|path| source(path)).collect(),
    };
    let rust =
        sources.iter().zip(files).filter_map(|(source, path)| Some((source.as_ref().ok()?, path)));
    let rust = rust.flat_map(|(source, path)| {
        [&source.record_name, &source.records_name].map(|name| (name.clone(), path.as_path()))
    });
    let c =
        files.iter().filter(|_| arguments.c).map(|path| (numbers::c_name(path), path.as_path()));
    expect_own(rust.chain(c))?;
    let mut sources = sources.into_iter();
    let mut separator = "";
    for path in files {
        write!(console, "{separator}")?;
        let written = match (sources.next(), is_standard_input(path)) {
            (Some(source), _) => source.and_then(|source| write!(console, "{source}")),
            (None, true) => Err(unnamed(path)),
            (None, false) if arguments.c => numbers::write_c(path, console),
            (None, false) => numbers::write_verilog(path, console),
        };
        match written.map_err(|failure| explained(path, is_rust, failure)) {
            Ok(()) => separator = "\n",
            Err(failure) => console.print_failure(failure)?,
        }
    }
    Ok(())
}

fn source(path: &Path) -> Result<RustSource, Failure> {
    match is_standard_input(path) {
        true => Err(unnamed(path)),
        false => Ok(rust_source(path)?),
    }
}

fn unnamed(path: &Path) -> Failure {
    Failure::file(path, "the numbers get the name of the file; specify a file instead of `-`")
}

/// The error of a file that has another format.
fn explained(path: &Path, rust: bool, failure: Failure) -> Failure {
    // A pipe can be read only once.
    let detect = || OpenOptions::new().detect(path);
    match path.is_file().then(detect) {
        Some(Ok(Format::IdxGz)) if rust => {
            let named = path.with_extension("");
            let is_idx = Format::from_path(&named) == Some(Format::Idx);
            let plain = if is_idx { named } else { path.with_extension("idx") };
            let text = format!(
                "firmware cannot read gzip; decompress it with `idx convert {} -o {}`",
                path.display(),
                plain.display()
            );
            Failure::file(path, text)
        }
        None | Some(Err(_) | Ok(Format::Idx | Format::IdxGz)) => failure,
        Some(Ok(format)) => not_idx(path, format),
    }
}

/// Checks that no two files get one name, so that a program can contain the records of all of them.
fn expect_own<'a>(names: impl Iterator<Item = (String, &'a Path)>) -> Result<(), Failure> {
    let mut paths: BTreeMap<String, &Path> = BTreeMap::new();
    for (name, path) in names {
        if let Some(other) = paths.get(&name) {
            let other = other.display();
            let message =
                format!("this file and {other} would both be named {name}; rename one of them");
            return Err(Failure::file(path, message));
        }
        paths.insert(name, path);
    }
    Ok(())
}
