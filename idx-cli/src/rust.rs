use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use idx_std::{ElementType, Stats};

use crate::console::{Console, Stop};
use crate::info::{bytes, flash_bytes};
use crate::input::Input;

/// Elements of one dimension with at most so many different values are labels.
const MOST_LABELS: usize = 100;

/// The compiler checks labels one by one, and asks whether it is to go on with more than so many.
const LONG_CHECK: u64 = 1_000_000;

/// A record may have so many dimensions, and so many if it is borrowed from the flash.
const MOST_DIMENSIONS: usize = 8;
const MOST_BORROWED: usize = 4;

/// The longest type of a 32-bit machine.
const LONGEST_RECORD: u64 = i32::MAX as u64;

/// The record type and the `static` to paste into firmware.
///
/// A file has to be plain, as its bytes go into the program as they are. Where it lies in a package,
/// its path is written from there.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  idx rust digits-images-idx3-ubyte
  idx rust data/*.idx > src/data.rs          then `mod data;` in src/main.rs
  cargo add idx-core                         what it is written for")]
pub(crate) struct RustArguments {
    /// Plain files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &RustArguments, console: &mut Console) -> io::Result<()> {
    let mut separator = "";
    for path in &arguments.files {
        match source(path) {
            Ok(source) => {
                write!(console.output, "{separator}{source}")?;
                separator = "\n";
            }
            Err(stop) => console.report(Err(stop))?,
        }
    }
    Ok(())
}

/// The Rust of a file.
fn source(path: &Path) -> Result<String, Stop> {
    if path.as_os_str() == "-" {
        return Err(Stop::file(
            path,
            "the program includes a file by its path; name a file",
        ));
    }
    let input = Input::open(path)?;
    if input.compression().is_some() {
        return Err(input.stop(
            "this is gzip, and firmware needs the plain bytes; decompress it, or cut what you need of it, \
             with `idx convert` first",
        ));
    }
    input.checked_size()?;
    let included = included(path).ok_or_else(|| {
        input.stop("its path is not UTF-8, so no program can include it; give it another name")
    })?;
    let header = input.header();
    let (element_type, record_dims) = (header.element_type(), header.record_dims());
    let sizes: Vec<u32> = record_dims.iter().collect();
    if sizes.len() > MOST_DIMENSIONS {
        return Err(input.stop(format!(
            "its records have {} dimensions, and a record type at most {MOST_DIMENSIONS}; join some \
             with `idx convert --shape` first",
            sizes.len()
        )));
    }
    let record_size = header.record_size().unwrap_or(u64::MAX);
    if record_size > LONGEST_RECORD {
        return Err(input.stop(format!(
            "a record of {record_dims} {element_type} is longer than {LONGEST_RECORD} bytes, which no \
             type for firmware is; cut shorter ones"
        )));
    }
    let records = match header.record_count() {
        1 => "1 record".to_string(),
        count => format!("{count} records"),
    };
    let shape = match sizes.as_slice() {
        [] => element_type.to_string(),
        _ => format!("{record_dims} {element_type}"),
    };
    let flash = bytes(flash_bytes(header));
    let is_long = header.payload_size() > LONG_CHECK;
    let is_borrowed = sizes.len() <= MOST_BORROWED && !sizes.contains(&0);
    let element = match element_type {
        ElementType::U8 | ElementType::I8 => element_type.name().to_string(),
        _ if is_borrowed => format!("idx_core::be::{}", element_type.name().to_uppercase()),
        _ => element_type.name().to_string(),
    };
    let field = sizes
        .iter()
        .rev()
        .fold(element, |field, size| format!("[{field}; {size}]"));
    let attributes = match is_borrowed {
        true => "#[derive(idx_core::IdxRecord, Clone, Copy)]\n#[repr(transparent)]",
        false => "#[derive(idx_core::IdxRecord)]",
    };
    let labels = match header.rank() {
        1 => labels(input)?,
        _ => None,
    };
    let (rule, allow) = match labels {
        Some((min, max)) if is_long => (
            format!("#[idx(range = {min}..={max})] "),
            "#[allow(long_running_const_eval)]\n",
        ),
        Some((min, max)) => (format!("#[idx(range = {min}..={max})] "), ""),
        None => (String::new(), ""),
    };
    let Names { record, table } = Names::of(path);
    Ok(format!(
        "/// {shape}.\n{attributes}\npub struct {record}({rule}pub {field});\n\n\
         /// {records}: {flash} of flash.\n{allow}pub static {table}: idx_core::Records<{record}> =\n    \
         idx_core::Records::from_static(include_bytes!({included}));\n"
    ))
}

/// The least and the greatest value, if the elements are labels.
fn labels(mut input: Input) -> Result<Option<(f64, f64)>, Stop> {
    let element_type = input.header().element_type();
    if matches!(element_type, ElementType::F32 | ElementType::F64) {
        return Ok(None);
    }
    let mut stats = Stats::new(element_type);
    while let Some(records) = input.next_records() {
        stats.push_bytes(records?);
    }
    let summary = stats.summary();
    let different = summary
        .histogram
        .counts()
        .iter()
        .filter(|count| **count > 0)
        .count();
    let are_labels = summary.histogram.width() <= 1.0 && different <= MOST_LABELS;
    Ok(summary.min.zip(summary.max).filter(|_| are_labels))
}

/// What `include_bytes!` takes: the path from the folder of the package that the file lies in, so that
/// it holds wherever the package is, or else the absolute one. `None` if it is not UTF-8.
fn included(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let package = path.ancestors().skip(1).find(|folder| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"));
        manifest.is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == "[package]"))
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
        // A word of the language, and a name that the static has.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (file, table, record) in [
            ("train-images-idx3-ubyte", "TRAIN_IMAGES", "TrainImage"),
            ("t10k-labels.idx1-ubyte", "T10K_LABELS", "T10kLabel"),
            (
                "data/Temperature 2024.idx",
                "TEMPERATURE_2024",
                "Temperature2024",
            ),
            ("class", "CLASS", "Class"),
            ("self", "SELF", "SelfRecord"),
            ("x1", "X1", "X1Record"),
            ("7", "RECORDS_7", "Records7"),
            ("idx", "RECORDS", "Record"),
            ("\u{30C7}\u{30FC}\u{30BF}", "RECORDS", "Record"),
        ] {
            let names = Names::of(Path::new(file));
            assert_eq!((&*names.table, &*names.record), (table, record));
        }
    }
}
