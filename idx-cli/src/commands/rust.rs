//! `idx rust`: source code with the data of files, in Rust, C or Verilog.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use idx_data::{AtomicFile, Format, OpenOptions, rust_source};

use crate::args::{OverwriteArguments, RustArguments, usage};
use crate::records::input::not_idx;
use crate::term::console::{Console, is_standard_input, is_standard_output};
use crate::term::failure::Failure;
use crate::term::reading::quoted;
use crate::term::signals;

mod numbers;

pub(crate) fn run(arguments: &RustArguments, console: &mut Console) -> Result<(), Failure> {
    let files = &arguments.files;
    let language = Language::of(arguments)?;
    if language == Language::Verilog && files.len() > 1 {
        return Err(usage("rust", "--mem writes one memory; give one FILE"));
    }
    // Printed Rust is for the package of the current folder.
    let output = arguments.output.as_deref().filter(|path| !is_standard_output(path));
    let folder = output.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let rust = |path: &PathBuf| (language == Language::Rust).then(|| rust_source(path, folder));
    let sources: Vec<_> = files.iter().map(rust).collect();
    let names = sources.iter().zip(files).flat_map(|(source, path)| {
        let names = match source {
            Some(Ok(source)) => vec![source.record_name.clone(), source.records_name.clone()],
            None if language == Language::C => vec![numbers::c_name(path)],
            _ => Vec::new(),
        };
        names.into_iter().map(move |name| (name, path.as_path()))
    });
    expect_own(names)?;
    let mut sources = sources.into_iter();
    let write = |path: &Path, output: &mut Destination<'_>| {
        let written = match (sources.next().flatten(), language) {
            _ if is_standard_input(path) => {
                let text = "the numbers get the name of the file; specify a file instead of `-`";
                Err(Failure::file(path, text))
            }
            (Some(source), _) => {
                source.map_err(Failure::from).and_then(|source| write!(output, "{source}"))
            }
            (None, Language::C) => numbers::write_c(path, output),
            (None, _) => numbers::write_verilog(path, output),
        };
        written.map_err(|failure| explained(path, language, failure))
    };
    match output {
        Some(output) => write_file(files, output, &arguments.overwrite, write),
        None => print(files, console, write),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    Rust,
    C,
    Verilog,
}

impl Language {
    /// Returns the language chosen by an option, or by the extension of the output.
    fn of(arguments: &RustArguments) -> Result<Self, Failure> {
        let output = arguments.output.as_deref();
        let extension = output.and_then(Path::extension).unwrap_or_default().to_str();
        // An output named like records or labels chooses no language.
        let extension =
            extension.filter(|_| output.and_then(Format::from_path) != Some(Format::Idx));
        Ok(match extension {
            _ if arguments.c => Self::C,
            _ if arguments.mem => Self::Verilog,
            Some("" | "rs") => Self::Rust,
            Some("h") => Self::C,
            Some("mem" | "hex") => Self::Verilog,
            _ => {
                let text =
                    "the extension of OUT chooses the language: .rs, .h for C, or .mem for Verilog";
                return Err(usage("rust", text));
            }
        })
    }
}

/// Prints the source of each file; one that fails does not stop the others.
fn print(
    files: &[PathBuf],
    console: &mut Console,
    mut write: impl FnMut(&Path, &mut Destination<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut separator = "";
    for path in files {
        write!(console, "{separator}")?;
        match write(path, &mut Destination::Console(console)) {
            Ok(()) => separator = "\n",
            Err(failure) => console.print_failure(failure)?,
        }
    }
    Ok(())
}

/// Writes the source of all files to one, which appears when it is complete.
fn write_file(
    files: &[PathBuf],
    path: &Path,
    overwrite: &OverwriteArguments,
    mut write: impl FnMut(&Path, &mut Destination<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let old = path.canonicalize().ok();
    if old.is_some() && files.iter().any(|file| file.canonicalize().ok() == old) {
        let text = "the source would replace the file that it is made from; choose another name";
        return Err(Failure::file(path, text));
    }
    signals::leave_nothing();
    let mut source = BufWriter::new(overwrite.create(path)?);
    for (index, file) in files.iter().enumerate() {
        let output = &mut Destination::File(&mut source, path);
        write!(output, "{}", if index > 0 { "\n" } else { "" })?;
        write(file, output)?;
    }
    let file = source.into_inner().map_err(|error| Failure::io(path, error.into_error()))?;
    Ok(file.finish()?)
}

/// The destination of the source code.
enum Destination<'a> {
    Console(&'a mut Console),
    File(&'a mut BufWriter<AtomicFile>, &'a Path),
}

impl Destination<'_> {
    /// For `write!`.
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<(), Failure> {
        match self {
            Self::Console(console) => console.write_fmt(text),
            Self::File(file, path) => {
                file.write_fmt(text).map_err(|error| Failure::io(path, error))
            }
        }
    }
}

/// Explains the error of a file that has another format.
fn explained(path: &Path, language: Language, failure: Failure) -> Failure {
    // A pipe can be read only once.
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let detected = file.map(|file| OpenOptions::new().detect_stream(path, Box::new(file)));
    match detected.and_then(Result::ok) {
        Some((Format::IdxGz, _)) if language == Language::Rust => {
            let named = path.with_extension("");
            let is_idx = Format::from_path(&named) == Some(Format::Idx);
            let plain = if is_idx { named } else { path.with_extension("idx") };
            // The name of gzip data may lack `.gz`.
            let plain = if plain == path { path.with_extension("plain.idx") } else { plain };
            let [from, to] = [path, &plain].map(|path| quoted(&path.to_string_lossy()));
            let text = format!(
                "firmware cannot read gzip; decompress it with `idx convert {from} -o {to}`"
            );
            Failure::file(path, text)
        }
        None | Some((Format::Idx | Format::IdxGz, _)) => failure,
        Some((format, _)) => not_idx(path, format),
    }
}

/// Checks that no two files get the same name, so that a program can contain the records of all of them.
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
