use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use idx_std::{ElementType, Shape};

use crate::args::RustArguments;
use crate::records::input::Input;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::report::count_text;

/// Elements of one dimension with at most so many different values are labels.
const MAX_LABELS: usize = 100;

/// The compiler checks labels one by one, and stops with a lint after about so many.
const LONG_CHECK: u64 = 1_000_000;

/// How many dimensions a record type can have.
const MAX_DIMENSIONS: usize = 8;

/// The size of the largest type on a 32-bit machine.
const MAX_RECORD_SIZE: u64 = i32::MAX as u64;

pub(crate) fn run(arguments: &RustArguments, console: &mut Console) -> Result<(), Failure> {
    let mut separator = "";
    for path in &arguments.files {
        match source(path) {
            Ok(source) => {
                write!(console, "{separator}{source}")?;
                separator = "\n";
            }
            Err(failure) => console.print_failure(failure)?,
        }
    }
    Ok(())
}

/// The Rust of a file.
fn source(path: &Path) -> Result<String, Failure> {
    if path.as_os_str() == "-" {
        let text = "a program includes a file by its path; give a file";
        return Err(Failure::file(path, text));
    }
    let input = Input::open(path)?;
    check(&input)?;
    input.check_length()?;
    let included = included(path).ok_or_else(|| {
        input.fail("its path is not UTF-8, so no program can include it; rename it")
    })?;
    let header = input.header();
    let (element_type, sizes) = (header.element_type(), header.record_shape());
    let shape = match header.rank() {
        0 | 1 => element_type.to_string(),
        _ => format!("{} {element_type}", Shape(sizes)),
    };
    let is_borrowed = !sizes.contains(&0);
    let element = match element_type {
        ElementType::U8 | ElementType::I8 => element_type.name().to_string(),
        _ if is_borrowed => format!("idx_core::be::{}", element_type.name().to_uppercase()),
        _ => element_type.name().to_string(),
    };
    let array = |field, size: &u32| format!("[{field}; {size}]");
    let field = sizes.iter().rev().fold(element, array);
    let attributes = match is_borrowed {
        true => "#[derive(idx_core::IdxRecord, Clone, Copy)]\n#[repr(transparent)]",
        false => "#[derive(idx_core::IdxRecord)]",
    };
    let records = count_text(header.record_count().into(), "record");
    let flash = count_text(header.file_size(), "byte");
    let is_long = header.payload_size() > LONG_CHECK;
    let labels = match header.rank() {
        1 => labels(input)?,
        _ => None,
    };
    let allow = match labels.is_some() && is_long {
        true => "#[allow(long_running_const_eval)]\n",
        false => "",
    };
    let constraint = labels.map(|(min, max)| format!("#[idx(range = {min}..={max})] "));
    let constraint = constraint.unwrap_or_default();
    let Names { record, table } = Names::of(path);
    Ok(format!(
        "/// {shape}.\n{attributes}\npub struct {record}({constraint}pub {field});\n\n\
         /// {records}: {flash} of flash.\n{allow}pub static {table}: idx_core::Records<{record}> =\n    \
         idx_core::Records::from_static(include_bytes!({included}));\n"
    ))
}

/// Whether firmware can have the records of this file.
fn check(input: &Input) -> Result<(), Failure> {
    if input.is_gzip() {
        return Err(input.fail(
            "this is gzip, and firmware needs the plain bytes; decompress it, or the records that you \
             need, with `idx convert` first",
        ));
    }
    let header = input.header();
    let dimensions = header.record_shape().len();
    if dimensions > MAX_DIMENSIONS {
        return Err(input.fail(format!(
            "its records have {dimensions} dimensions, and a record type has at most {MAX_DIMENSIONS}; \
             merge some with `idx convert --shape` first"
        )));
    }
    if header
        .record_size()
        .is_none_or(|size| size > MAX_RECORD_SIZE)
    {
        let (shape, element_type) = (Shape(header.record_shape()), header.element_type());
        return Err(input.fail(format!(
            "a record of {shape} {element_type} exceeds {MAX_RECORD_SIZE} bytes, the limit for \
             firmware types; use smaller records"
        )));
    }
    Ok(())
}

/// The minimum and the maximum, if the elements are labels.
fn labels(input: Input) -> Result<Option<(f64, f64)>, Failure> {
    let element_type = input.header().element_type();
    if matches!(element_type, ElementType::F32 | ElementType::F64) {
        return Ok(None);
    }
    let summary = input.summary()?;
    let different = summary
        .histogram
        .counts()
        .iter()
        .filter(|count| **count > 0)
        .count();
    let are_labels = summary.histogram.width() <= 1.0 && different <= MAX_LABELS;
    Ok(summary.min.zip(summary.max).filter(|_| are_labels))
}

/// A longer Cargo.toml is not one, in bytes.
const MAX_MANIFEST: u64 = 1 << 20;

/// What `include_bytes!` takes: the path from the folder of the package that the file lies in, so that
/// it holds wherever the package is, or else the absolute one. `None` if it is not UTF-8.
fn included(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let package = path.ancestors().skip(1).find(|folder| {
        let manifest = folder.join("Cargo.toml");
        // A link of a stranger may lead to a device without end, or to a pipe.
        let is_short =
            |metadata: fs::Metadata| metadata.is_file() && metadata.len() <= MAX_MANIFEST;
        let manifest = fs::metadata(&manifest)
            .is_ok_and(is_short)
            .then(|| fs::read_to_string(manifest));
        let manifest = manifest.and_then(Result::ok).unwrap_or_default();
        manifest.lines().any(|line| line.trim() == "[package]")
    });
    let inside = package.and_then(|package| path.strip_prefix(package).ok());
    Some(match inside {
        Some(inside) => {
            // Of a path of several parts, which every system takes with slashes.
            let parts: Option<Vec<&str>> = inside.iter().map(OsStr::to_str).collect();
            let inside = format!("/{}", parts?.join("/"));
            format!("concat!(\n        env!(\"CARGO_MANIFEST_DIR\"),\n        {inside:?}\n    )")
        }
        None => format!("{:?}", path.to_str()?),
    })
}

/// What the record type and the `static` are called.
struct Names {
    record: String,
    table: String,
}

impl Names {
    /// From the file's name: `train-images-idx3-ubyte` has `TRAIN_IMAGES` of `TrainImage`.
    fn of(path: &Path) -> Self {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let words: Vec<&str> = name
            .split(|character: char| !character.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .take_while(|word| !word.starts_with("idx"))
            .collect();
        let mut table = words.join("_").to_uppercase();
        let mut record: String = words.iter().map(|word| capitalised(word)).collect();
        if !table.starts_with(|first: char| first.is_ascii_alphabetic()) {
            table.insert_str(0, "RECORDS_");
            record.insert_str(0, "Records");
        }
        let table = table.trim_end_matches('_').to_string();
        let mut record = match record.strip_suffix('s') {
            Some(one) if !one.ends_with('s') => one.to_string(),
            _ => record,
        };
        // A keyword, or the name of the static.
        if record == "Self" || record == table {
            record.push_str("Record");
        }
        Self { record, table }
    }
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or_default();
    first.to_uppercase() + rest
}
