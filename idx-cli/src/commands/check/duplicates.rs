//! `idx check --duplicates`: equal records, within files and between them.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::{fmt, io};

use idx_data::{Record, Source};
use idx_std::__private::counted;
use serde::Serialize;

use crate::args::CheckArguments;
use crate::records::hash::half_hash;
use crate::records::input::open_records;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::progress::{Progress, size};
use crate::term::report::report;
use crate::term::text::{PathText, bytes_unless_text, printable};

/// The number of duplicates that are printed one by one.
const PRINTED: usize = 10;

/// Prints the first records that repeat the elements of an earlier one, in the same file or in another, and their
/// number; in JSON, all of them. Labels do not matter.
///
/// Records are compared by 128 bits of their SHA-256, so a new record takes 40 to 110 bytes of memory, and a repeated
/// one 16.
pub(super) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<(), Failure> {
    let paths = &arguments.input.files;
    let mut sources = open(arguments)?;
    let size = sources.iter().map(size).sum();
    let mut progress = Progress::new(paths.first().map_or(Path::new(""), PathBuf::as_path), size);
    let path = |source: usize| paths.get(source).map_or(Path::new(""), |path| path);
    let name = |source: usize| PathText::from(path(source));
    // The first place of each record, and the records that a file shares with another.
    let mut places: HashMap<u128, (usize, u64)> = HashMap::new();
    let mut repeats: BTreeMap<(usize, usize), Vec<(u64, u64)>> = BTreeMap::new();
    let mut lines = Vec::new();
    let mut record = Record::default();
    for (source, records) in sources.iter_mut().enumerate() {
        for index in 0u64.. {
            if !records.read(&mut record)? {
                break;
            }
            progress.advance(record.bytes.len() as u64);
            let no_memory = |_| Failure::io(records.path(), io::ErrorKind::OutOfMemory.into());
            places.try_reserve(1).map_err(no_memory)?;
            let (first_source, first) = match places.entry(half_hash(&record.bytes, None)) {
                Entry::Occupied(place) => *place.get(),
                Entry::Vacant(place) => {
                    place.insert((source, index));
                    continue;
                }
            };
            let pairs = repeats.entry((source, first_source)).or_default();
            pairs.try_reserve(1).map_err(no_memory)?;
            pairs.push((index, first));
            match lines.len() {
                0..PRINTED => {
                    let (path, of) = (name(source), name(first_source));
                    lines.push(format!("{path}: record {index} equals record {first} of {of}"));
                }
                PRINTED => lines.push("...".to_string()),
                _ => {}
            }
        }
    }
    drop(progress);
    console.code = u8::from(!repeats.is_empty());
    if !console.is_json {
        for line in lines {
            writeln!(console, "{line}")?;
        }
        if repeats.is_empty() {
            return writeln!(console, "all records are different");
        }
    }
    for ((source, first_source), records) in repeats {
        let of = (source != first_source).then(|| path(first_source));
        let duplicates = Duplicates {
            path: name(source),
            of: of.map(|of| of.display().to_string()),
            of_bytes: of.and_then(bytes_unless_text),
            duplicates: records.len(),
            records,
        };
        report(&duplicates, console)?;
    }
    Ok(())
}

/// Opens the files, and checks that their records have the same type and size.
fn open(arguments: &CheckArguments) -> Result<Vec<Source>, Failure> {
    let options = arguments.opening().labels(false);
    let open = |path: &PathBuf| {
        let mut source = open_records(path, &options)?;
        // There may be more files than a program can open at once.
        source.close();
        Ok(source)
    };
    let sources = arguments.input.files.iter().map(open).collect::<Result<Vec<_>, Failure>>()?;
    let readings: Vec<_> = sources.iter().map(|source| source.reading().clone()).collect();
    arguments.expect_effect(&readings)?;
    let mut layouts = sources.iter().map(|source| (source.path(), &source.facts().layout));
    if let Some((first, expected)) = layouts.next()
        && let size = (expected.dtype, expected.record_size())
        && let Some((path, found)) =
            layouts.find(|(_, layout)| (layout.dtype, layout.record_size()) != size)
    {
        let text = format!(
            "the records are {found}, and those of {} are {expected}; compare records of one type and size",
            first.display()
        );
        return Err(Failure::file(path, text));
    }
    let is_empty = |source: &&Source| source.facts().layout.record_size() == Some(0);
    match sources.iter().find(is_empty) {
        Some(source) => {
            let text = "records without elements are all the same; compare files that have some";
            Err(Failure::file(source.path(), text))
        }
        None => Ok(sources),
    }
}

/// The report on the records that a file repeats from another; its fields are the keys of `--json`.
#[derive(Serialize)]
struct Duplicates {
    #[serde(flatten)]
    path: PathText,
    /// The other file; `None` if they are repeated in this one.
    of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_bytes: Option<Vec<u8>>,
    duplicates: usize,
    /// Each with the record that it repeats.
    records: Vec<(u64, u64)>,
}

impl fmt::Display for Duplicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = counted(self.duplicates as u64, "record");
        match &self.of {
            Some(of) => writeln!(f, "{}: {records} also in {}", self.path, printable(of)),
            None => writeln!(f, "{}: {records} repeated in it", self.path),
        }
    }
}
