use idx_data::{TransformOptions, compare};

use crate::args::{DiffArguments, Job, LabelArguments};
use crate::records::input::open_records;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::report::count_text;
use crate::term::text::printable;

/// The maximum number of different records to print.
const PRINTED: usize = 10;

/// Prints how two files differ; the exit codes are those of diff(1).
pub(crate) fn run(arguments: &DiffArguments, console: &mut Console) -> Result<(), Failure> {
    console.failure_code = 2;
    let options = arguments.reading.options(&LabelArguments::default());
    let changes = arguments.reading.changes(false);
    let open = |path| -> Result<_, Failure> {
        let source = open_records(path, &options)?;
        // Without changes, records of any type are compared, also of one that IDX does not have.
        Ok(match changes == TransformOptions::default() {
            true => source,
            false => source.changed(&changes)?,
        })
    };
    let (mut one, mut other) = (open(&arguments.one)?, open(&arguments.other)?);
    // An option is taken if one of the two takes it.
    let job = Job::new(&one, other.formats());
    arguments.reading.judge_file(&arguments.one, &job, &LabelArguments::default())?;
    let differences = compare(&mut one, &mut other, PRINTED)?;
    if differences.is_empty() {
        return Ok(());
    }
    console.code = 1;
    if let Some((one, other)) = &differences.layouts {
        return writeln!(console, "records: {one} and {other}");
    }
    if let Some(class) = &differences.class {
        writeln!(console, "{}", printable(&class.to_string()))?;
    }
    for record in &differences.first {
        writeln!(console, "{record}")?;
    }
    if differences.records > PRINTED as u64 {
        writeln!(console, "...")?;
    }
    if let Some((one, other)) = differences.counts {
        writeln!(console, "number of records: {one} and {other}")?;
    }
    let (records, compared) = (differences.records, differences.compared);
    let elements = count_text(differences.elements, "element");
    writeln!(console, "{records} of {compared} records differ, in {elements}")
}
