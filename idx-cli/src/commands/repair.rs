use std::path::Path;

use crate::args::RepairArguments;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::signals;
use crate::term::text::PathText;

pub(crate) fn run(arguments: &RepairArguments, console: &mut Console) -> Result<(), Failure> {
    signals::leave_nothing();
    for path in &arguments.files {
        match repair(path, arguments) {
            Ok(text) => writeln!(console, "{}: {text}", PathText::from(path))?,
            Err(failure) => console.print_failure(failure)?,
        }
    }
    Ok(())
}

/// Repairs a file, and reports what was wrong.
fn repair(path: &Path, arguments: &RepairArguments) -> Result<String, Failure> {
    let mut repair = idx_std::repair(path)?;
    if arguments.keep_all {
        repair = repair.keep_all();
    }
    let found = repair.to_string();
    let done = match (repair.is_needed(), arguments.dry_run) {
        (false, _) => "ok",
        (true, true) => "to be repaired",
        (true, false) => "repaired",
    };
    if !arguments.dry_run {
        repair.write()?;
    }
    Ok(format!("{done}: {found}"))
}
