//! `idx repair`: recovers the records of an unfinished file, in place or in a new one.

use std::fmt;
use std::path::Path;

use idx_data::{CreateOptions, Facts, Format, HeaderBuf, RecordLayout, Sink};
use serde::Serialize;

use crate::args::{self, RepairArguments};
use crate::term::console::{Console, is_standard_input, is_standard_output};
use crate::term::failure::Failure;
use crate::term::report::Verdict;
use crate::term::signals;
use crate::term::text::{bytes_unless_text, printable};

pub(crate) fn run(arguments: &RepairArguments, console: &mut Console) -> Result<(), Failure> {
    signals::leave_nothing();
    if let Some(output) = &arguments.output {
        if arguments.files.len() > 1 {
            return Err(args::usage("repair", "-o is one new file; repair each file on its own"));
        }
        if is_standard_output(output) {
            return Err(args::usage("repair", "-o is a new file, not standard output; name one"));
        }
        if !may_be_idx(output) {
            let text = format!(
                "{output:?} is not a name for IDX, and a repair writes nothing else; end it in .idx or .gz, and \
                 convert that with `idx convert`"
            );
            return Err(args::usage("repair", &text));
        }
    }
    console.is_json = arguments.json;
    for path in &arguments.files {
        let repaired = repair(path, arguments).and_then(|repaired| repaired.print(console));
        repaired.or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

/// Returns whether a name says IDX, or no format at all.
fn may_be_idx(path: &Path) -> bool {
    match Format::from_path(path) {
        Some(format) => matches!(format, Format::Idx | Format::IdxGz),
        None => path.extension().is_none(),
    }
}

/// The report of `repair` on a file; its fields are the keys of `--json`.
#[derive(Serialize)]
struct Repaired {
    /// True if something was wrong with the file; the next field, if it still is.
    was_wrong: bool,
    is_wrong: bool,
    /// The new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_bytes: Option<Vec<u8>>,
    /// The number of whole records that are kept.
    records: u32,
    found: String,
}

impl fmt::Display for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.found)
    }
}

/// Repairs a file, and reports what was wrong.
fn repair(path: &Path, arguments: &RepairArguments) -> Result<Verdict<Repaired>, Failure> {
    if is_standard_input(path) {
        let text = "a stream cannot be repaired; specify a file instead of `-`";
        return Err(Failure::file(path, text));
    }
    let mut repair = idx_std::repair(path)?;
    if arguments.keep_all {
        repair = repair.keep_all();
    }
    let repaired = Repaired {
        was_wrong: repair.is_needed(),
        is_wrong: repair.is_needed() && (arguments.dry_run || arguments.output.is_some()),
        output: arguments.output.as_ref().map(|output| output.display().to_string()),
        output_bytes: arguments.output.as_deref().and_then(bytes_unless_text),
        records: repair.header().record_count(),
        found: repair.to_string(),
    };
    match &arguments.output {
        Some(output) => {
            expect_apart(output, repair.header())?;
            repair.write_to(output)?;
        }
        None if arguments.dry_run => repair.check()?,
        None => repair.write()?,
    }
    let done = match (&repaired.output, repaired.was_wrong, repaired.is_wrong) {
        (Some(output), ..) => format!("written to {}", printable(output)),
        (None, false, _) => return Ok(Verdict::ok(path, repaired)),
        (None, true, true) => "to be repaired".to_string(),
        (None, true, false) => "repaired".to_string(),
    };
    Ok(Verdict::done(path, done, repaired))
}

/// Checks the files next to the new one: none of them must be read together with it.
fn expect_apart(output: &Path, header: &HeaderBuf) -> Result<(), Failure> {
    let layout = RecordLayout::new(header.element_type(), header.dims());
    let facts = Facts::new(layout, Some(header.record_count().into()));
    let options = CreateOptions::new().format(Some(Format::Idx)).create_new(true);
    Ok(Sink::create(output, &facts, &options).map(drop)?)
}
