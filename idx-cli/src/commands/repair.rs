//! `idx repair`: recovers the records of an unfinished file.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::args::RepairArguments;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::report::report;
use crate::term::signals;
use crate::term::text::PathText;

pub(crate) fn run(arguments: &RepairArguments, console: &mut Console) -> Result<(), Failure> {
    signals::leave_nothing();
    for path in &arguments.files {
        report(repair(path, arguments), arguments.json, console)?;
    }
    Ok(())
}

/// The report of `repair` on a file; the names are those of `--json`.
#[derive(Serialize)]
struct Repaired {
    #[serde(flatten)]
    path: PathText,
    /// Whether something is wrong with the file, and whether it still is.
    was_wrong: bool,
    is_wrong: bool,
    /// The whole records that are kept.
    records: u32,
    found: String,
}

impl fmt::Display for Repaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = match (self.was_wrong, self.is_wrong) {
            (false, _) => "ok",
            (true, true) => "to be repaired",
            (true, false) => "repaired",
        };
        writeln!(f, "{}: {done}: {}", self.path, self.found)
    }
}

/// Repairs a file, and reports what was wrong.
fn repair(path: &Path, arguments: &RepairArguments) -> Result<Repaired, Failure> {
    let mut repair = idx_std::repair(path)?;
    if arguments.keep_all {
        repair = repair.keep_all();
    }
    let repaired = Repaired {
        path: path.into(),
        was_wrong: repair.is_needed(),
        is_wrong: repair.is_needed() && arguments.dry_run,
        records: repair.header().record_count(),
        found: repair.to_string(),
    };
    if !arguments.dry_run {
        repair.write()?;
    }
    Ok(repaired)
}
