use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use idx_data::{
    Chance, ClassNames, CreateOptions, Format, Labels, Outputs, RecordLayout, Skipped, Source,
    Written, dataset,
};

use crate::args::{self, ConvertArguments, Job, LabelArguments, NEEDS_LABELS, judge};
use crate::records::input::{CLASSES, beside, labels_name, open_records};
use crate::term::console::{is_standard_output, refuse_own_output, refuse_terminal};
use crate::term::failure::{Failure, print_error};
use crate::term::progress::{Progress, is_quiet};
use crate::term::report::count_text;
use crate::term::signals;
use crate::term::text::printable;

/// The maximum number of class names to print.
const PRINTED_NAMES: usize = 20;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    // The chosen records, and those that chance leaves.
    let paths = [&arguments.output].into_iter().chain(&arguments.rest);
    let labels = [&arguments.labels_out, &arguments.rest_labels];
    let targets =
        paths.zip(labels).map(|(path, labels)| Target::new(arguments, path, labels.as_deref()));
    let mut targets = targets.collect::<Result<Vec<_>, Failure>>()?;
    let converted = convert(arguments, &mut targets);
    let files = targets.iter().map(|target| match target.is_stream() {
        true => target.labels.as_ref(),
        false => Some(&target.path),
    });
    match files.flatten().next() {
        // Who closed the pipe has enough of the records, but nobody has the file.
        Some(file) if converted.as_ref().is_err_and(Failure::is_closed_pipe) => {
            Err(Failure::file(file, "not written: standard output was closed before the end"))
        }
        _ => converted,
    }
}

fn convert(arguments: &ConvertArguments, targets: &mut [Target]) -> Result<(), Failure> {
    signals::leave_nothing();
    let ConvertArguments { choice, labels: given, .. } = arguments;
    judge_outputs(arguments, targets)?;
    if targets.iter().any(Target::is_stream) {
        refuse_own_output(&arguments.inputs)?;
    }
    let (file_names, lost_list) = file_names(arguments);
    let (mut input, labeled) = open(arguments, targets, &file_names)?;
    if !input.facts().has_labels {
        targets.iter_mut().for_each(|target| _ = target.labels.take_if(|_| target.are_usual));
    }
    judge_records(arguments, targets, &input)?;
    let names = given.names(&input)?;
    // The names of a known set are no list that somebody made.
    let has_list = names.is_some() && file_names.iter().flatten().all(|(_, is_listed)| *is_listed);
    let lost = lost_labels(arguments, targets, &input, &labeled);

    let chance = choice.chance();
    let by_chance = chance != Chance::default();
    let records = arguments.range.selection()?;
    let is_chosen = by_chance || records.is_some() || choice.classes.given().is_some();
    let all = input.facts().count.filter(|_| is_chosen);
    if let Some(records) = records {
        input = input.select(records)?;
    }
    input = choice.classes.of_classes(input, names.as_ref())?;
    let inputs = match by_chance {
        true => Vec::from(input.divide(&chance)?),
        false => vec![input],
    };
    let options = CreateOptions::new()
        .label_type(arguments.labels_as)
        .header(arguments.reading.header)
        .create_new(!arguments.overwrite.force)
        .threads(arguments.threads.map_or(0, NonZeroUsize::get));
    let shards = arguments.parquet.makes_shards().then_some(Format::Parquet);
    let stream = targets.iter().any(Target::is_stream).then_some(Format::Idx);
    let options = arguments.parquet.complete(options).format(arguments.to.or(shards).or(stream));
    let are_pictures = targets.iter().all(|target| target.format == Format::Png);
    let written_names = names.clone().filter(|_| has_list || are_pictures);
    let changes = arguments.reading.changes(arguments.transpose);
    let mut outputs = Outputs::new(&options);
    for (input, target) in inputs.into_iter().zip(&*targets) {
        let input = match &written_names {
            Some(names) => input.with_classes(names.clone()),
            None => input,
        };
        target.add_to(&mut outputs, input.changed(&changes)?)?;
    }
    let written = outputs.write_with(|path, input| {
        // The records may go to the same terminal as the progress bar.
        let is_in_the_way = is_standard_output(path) && io::stdout().is_terminal();
        let mut progress = (!is_in_the_way).then(|| Progress::of(path, input));
        move |bytes| progress.iter_mut().for_each(|progress| progress.advance(bytes))
    })?;
    let lists: Vec<&PathBuf> =
        written.iter().filter_map(|written| written.classes.as_ref()).collect();
    let written: Vec<(&Target, &Written)> = targets.iter().zip(&written).collect();
    print_written(&written, all);
    for text in written.iter().filter_map(|(target, written)| target.misnamed(&written.layout)) {
        print_error(text);
    }
    if let Some((names, path)) = names.as_ref().zip(lists.first()) {
        print_names(names, path);
    }
    if let Some(list) = lost_list.filter(|_| targets.iter().any(Target::holds_labels)) {
        print_error(format_args!(
            "{}: these names are not written, because they do not name the labels of all inputs; name the written \
             labels with --classes",
            list.display()
        ));
    }
    if lists.is_empty() {
        note_other_names(arguments, targets, names.as_ref());
    }
    lost.iter().for_each(print_error);
    let skipped = written.first().map(|(_, written)| &*written.skipped).unwrap_or_default();
    for Skipped { path, reason, .. } in skipped {
        print_error(format_args!("{}: skipped: {reason}", path.display()));
    }
    if !skipped.is_empty() {
        print_error(format_args!("files that were not read: {}", skipped.len()));
    }
    Ok(())
}

/// A note about labels that no output gets: those of the inputs that mark them, or those beside images of a random
/// choice, whose labels nobody could find again.
fn lost_labels(
    arguments: &ConvertArguments,
    targets: &[Target],
    input: &Source,
    labeled: &[&Path],
) -> Option<String> {
    let ConvertArguments { choice, labels: given, .. } = arguments;
    let is_own = given.files.is_empty() && choice.classes.given().is_none();
    let is_lost = is_own && !targets.iter().all(Target::holds_labels);
    let note = match labeled.first().filter(|_| is_lost) {
        Some(path) => {
            let advice = match labeled.len() == arguments.inputs.len() {
                true => "add --labels-out FILE to keep them",
                false => "to keep them, convert the inputs without labels separately",
            };
            return Some(format!("{}: the labels are not written; {advice}", path.display()));
        }
        None if choice.chance() != Chance::default() => {
            let found = beside(input, given)?;
            let labels = found.files.first()?.display();
            format!("the labels beside it are not written; add `--labels {labels}` to keep them")
        }
        None => return None,
    };
    Some(format!("{}: {note}", input.path().display()))
}

const LABELS_AS: &str = "--labels-out FILE, or Parquet as output";
const NEEDS_OUTPUT: &str = "an output with labels; add --labels-out FILE";
const REST_LABELS: &str = "--labels-out FILE and --rest-labels FILE, so that no labels are lost";

/// Refuses options that the names and formats of the outputs exclude.
fn judge_outputs(arguments: &ConvertArguments, targets: &[Target]) -> Result<(), Failure> {
    let ConvertArguments { choice, labels, parquet, .. } = arguments;
    let all = |is: fn(&Target) -> bool| targets.iter().all(is);
    let (has_rest, has_format) = (arguments.rest.is_some(), arguments.to.is_some());
    let are_explicit = arguments.labels_out.is_some() || arguments.rest_labels.is_some();
    let (count, numbers) = (labels.files.len(), arguments.add_to_labels.len());
    let has_place = choice.classes.given().is_some() || all(Target::holds_labels);
    let is_parquet = all(|target| target.format == Format::Parquet);
    let are_shards = is_parquet && all(Target::may_be_folder);
    let with_files = all(|target| target.labels.is_some());
    let have_names = all(|target| !target.is_stream());
    let are_named = are_shards || all(Target::is_named);
    let parquet_needs = "Parquet as output";
    let shards_need = "the name of a folder, because it writes a folder of Parquet files";
    judge(&[
        (has_rest && are_explicit, "--rest", with_files, REST_LABELS),
        (
            count > 1,
            "--labels",
            count == arguments.inputs.len(),
            "one file for all inputs, or for each",
        ),
        (
            numbers > 1,
            "--add-to-labels",
            numbers == arguments.inputs.len() && count != 1,
            "one number for all inputs, or for each with labels of its own",
        ),
        (count > 0, "--labels", has_place, if has_rest { REST_LABELS } else { NEEDS_OUTPUT }),
        (arguments.labels_as.is_some(), "--labels-as", with_files || is_parquet, LABELS_AS),
        (
            has_rest,
            "--rest",
            choice.leaves_rest(),
            "--split or --sample, which leave records for it",
        ),
        (has_rest, "--rest", have_names, "two names of files or folders, its own and that of -o"),
        (
            has_format,
            "--to",
            are_named,
            "the name of a folder for pictures, and of a file otherwise",
        ),
        (parquet.layout.is_some(), "--layout", is_parquet, parquet_needs),
        (parquet.row_group_records.is_some(), "--row-group-records", is_parquet, parquet_needs),
        (parquet.shards.is_some(), "--shards", are_shards, shards_need),
        (parquet.shard_records.is_some(), "--shard-records", are_shards, shards_need),
    ])
    .and_then(|()| arguments.pictures.judge_fit())
    .map_err(|text| usage(&text))
}

/// Refuses options that the records exclude.
fn judge_records(
    arguments: &ConvertArguments,
    targets: &[Target],
    input: &Source,
) -> Result<(), Failure> {
    let job = Job::new(input, targets.iter().flat_map(Target::formats));
    let with_labels = targets.iter().filter(|target| target.labels.is_some()).count();
    let are_arrays = !input.facts().layout.record_shape().is_empty();
    let has_labels = input.facts().has_labels;
    let has_layout = arguments.parquet.layout.is_some();
    let judged = judge(&[
        (with_labels > 0, "--rest", with_labels == targets.len(), REST_LABELS),
        (arguments.labels_as.is_some(), "--labels-as", has_labels, NEEDS_LABELS),
        (has_layout, "--layout", are_arrays, "records of several numbers"),
    ]);
    judged
        .and_then(|()| arguments.reading.judge(&job, &arguments.labels))
        .and_then(|()| arguments.pictures.judge(&job))
        .map_err(|text| usage(&text))?;
    // What the records lack is no matter of usage.
    let above = classes_above(&arguments.inputs).filter(|_| job.has_pictures);
    let needs = above.map(|above| {
        format!("labels; give the folder above, {}, whose folders are the classes", above.display())
    });
    let needs = needs.as_deref().unwrap_or(NEEDS_LABELS);
    judge(&[(arguments.labels_out.is_some(), "--labels-out", has_labels, needs)])
        .and_then(|()| arguments.choice.classes.judge(&job))
        .and_then(|()| job.judge_images(arguments.transpose, "--transpose"))
        .map_err(|text| Failure::file(input.path(), text))
}

/// The one folder that has these folders in it, as a shell expands `photos/*`.
fn classes_above(inputs: &[PathBuf]) -> Option<&Path> {
    let above = inputs.first()?.parent().filter(|above| !above.as_os_str().is_empty())?;
    let are_beside = inputs.iter().all(|input| input.is_dir() && input.parent() == Some(above));
    (inputs.len() > 1 && are_beside).then_some(above)
}

/// Tells somebody at a terminal what was written, and of how many records it was chosen.
fn print_written(written: &[(&Target, &Written)], all: Option<u64>) {
    if is_quiet() || !io::stderr().is_terminal() {
        return;
    }
    for (target, Written { layout, records: count, .. }) in written {
        let record = match layout.record_shape() {
            [] => layout.dtype.to_string(),
            _ => layout.to_string(),
        };
        let records = match all {
            Some(all) => format!("{count} of {}", count_text(all, "record")),
            None => count_text(*count, "record"),
        };
        let records =
            (!target.is_stream()).then(|| (&target.path, format!("{records} of {record}")));
        let labels = target.labels.as_ref().map(|path| (path, count_text(*count, "label")));
        for (path, text) in records.into_iter().chain(labels) {
            // If that fails, nobody reads it.
            let line = printable(&format!("{}: {text}", path.display()));
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// Prints the first names of classes, and the file with all of them.
fn print_names(names: &ClassNames, path: &Path) {
    if is_quiet() {
        return;
    }
    let mut names = names.iter().map(|(label, name)| format!("{label} {name}"));
    let printed: Vec<String> = names.by_ref().take(PRINTED_NAMES).collect();
    let (printed, more) = (printed.join(", "), names.next().map_or("", |_| ", ..."));
    print_error(format_args!("{}: {printed}{more}", path.display()));
}

/// Names of classes, and whether they are those of a list beside the labels.
type FileNames = Option<(ClassNames, bool)>;

/// The names of the classes of each file of labels; or none, and the list that names some of the written labels and not
/// all. Lists that differ are an error where they are joined.
fn file_names(arguments: &ConvertArguments) -> (Vec<FileNames>, Option<PathBuf>) {
    let ConvertArguments { labels: given, add_to_labels, reading, .. } = arguments;
    let names = (0..given.files.len()).map(|input| given.file_names(input, reading.header));
    let names: Vec<FileNames> = names.collect();
    let mut named = given.files.iter().zip(&names);
    let listed = named.find(|(_, names)| matches!(names, Some((_, true))));
    let list = listed.map(|(labels, _)| labels.with_file_name(CLASSES));
    let are_same = names.iter().all(|one| Some(one) == names.first());
    let are_lists = list.is_some() && names.iter().all(Option::is_some);
    // A class keeps its name when it gets another number, but two numbers make two classes of it.
    let is_one_number = add_to_labels.iter().all(|number| Some(number) == add_to_labels.first());
    match is_one_number && (are_same || are_lists) {
        true => (names, None),
        false => (Vec::new(), list),
    }
}

/// Says that the written labels get other names than theirs when they are read, from a list in their folder.
fn note_other_names(arguments: &ConvertArguments, targets: &[Target], names: Option<&ClassNames>) {
    let has_list = |labels: &&PathBuf| labels.with_file_name(CLASSES).is_file();
    for labels in targets.iter().filter_map(|target| target.labels.as_ref()).filter(has_list) {
        let written = LabelArguments { files: vec![labels.clone()], ..Default::default() };
        if let Some((found, true)) = written.file_names(0, arguments.reading.header)
            && names != Some(&found)
        {
            print_error(format_args!(
                "{}: these become the names of the labels in {}; write the labels to another folder, or remove the list",
                labels.with_file_name(CLASSES).display(),
                labels.display()
            ));
        }
    }
}

/// The joined inputs, with the labels that the arguments specify; and the inputs that mark labels of their own.
fn open<'a>(
    arguments: &'a ConvertArguments,
    targets: &[Target],
    names: &[FileNames],
) -> Result<(Source, Vec<&'a Path>), Failure> {
    let ConvertArguments { inputs, labels: given, reading, .. } = arguments;
    let needs_labels = arguments.labels_out.is_some()
        || arguments.choice.classes.given().is_some()
        || !arguments.add_to_labels.is_empty();
    let labels = match given.files.is_empty() {
        // Of several inputs, only some may have that column.
        true if given.column.is_some() => Labels::Marked,
        true if needs_labels => Labels::Expected,
        true if targets.iter().any(Target::holds_labels) => Labels::Marked,
        _ => Labels::Ignored,
    };
    let pictures = arguments.pictures.options(is_gray(arguments));
    let options = reading.options(given);
    let options = options
        .labels(labels)
        .pictures(pictures)
        .threads(arguments.threads.map_or(0, NonZeroUsize::get));
    let names = |input: usize| names.get(input).cloned().flatten().map(|(names, _)| names);
    // A file of labels for each input, or one for all.
    let are_own = given.files.len() == inputs.len();
    let (mut joined, mut labeled): (Option<Source>, Vec<&Path>) = (None, Vec::new());
    for (index, path) in inputs.iter().enumerate() {
        let is_output = index > 0 && index + 1 == inputs.len() && !path.exists();
        let mut source = open_records(path, &options).map_err(|failure| {
            match is_output && is_standard_output(&arguments.output) {
                // As cp has it.
                true => {
                    let name = path.display();
                    let text = format!("no such file; to write it, add -o: `-o {name}`");
                    Failure::file(path, text)
                }
                false => failure,
            }
        })?;
        if source.facts().has_labels || source.facts().leaves_labels {
            labeled.push(path);
        }
        if are_own {
            source = given.join(index, reading.header, source, names(index))?;
        }
        if are_own || given.files.is_empty() {
            source = renumbered(source, index, arguments)?;
        }
        joined = Some(match joined {
            Some(joined) => joined.append(source)?,
            None => source,
        });
    }
    let joined = joined.ok_or_else(|| usage("there is no input; specify a file"))?;
    if are_own && arguments.add_to_labels.is_empty() {
        note_other_classes(&given.files);
    }
    let joined = match are_own || given.files.is_empty() {
        true => joined,
        false => renumbered(given.join(0, reading.header, joined, names(0))?, 0, arguments)?,
    };
    Ok((joined, labeled))
}

/// The records of an input with a number added to their labels, if one is given for all or for this input.
fn renumbered(
    source: Source,
    input: usize,
    arguments: &ConvertArguments,
) -> Result<Source, Failure> {
    let numbers = &arguments.add_to_labels;
    judge(&[(!numbers.is_empty(), "--add-to-labels", source.facts().has_labels, NEEDS_LABELS)])
        .map_err(|text| Failure::file(source.path(), text))?;
    match numbers.get(input).or(numbers.first()) {
        Some(number) => Ok(source.add_to_labels(*number)?),
        None => Ok(source),
    }
}

/// Says that the same labels mean other classes in two of these files, as far as they are well known.
fn note_other_classes(labels: &[PathBuf]) {
    let regular = labels.iter().filter(|path| path.is_file());
    let known = regular.filter_map(|path| Some((path, dataset::identify(path).ok()??.data_set)));
    let mut known = known.map(|(path, set)| (path, set, ClassNames::from(set)));
    let Some((first, set, names)) = known.next() else {
        return;
    };
    if let Some((path, other, _)) = known.find(|(.., other)| *other != names) {
        print_error(format_args!(
            "{}: the labels of {other} mean other classes than the same labels of {set} in {}; renumber one of them \
             with --add-to-labels",
            path.display(),
            first.display()
        ));
    }
}

/// Whether the name of the output, such as *idx3-ubyte, requires gray pictures.
fn is_gray(arguments: &ConvertArguments) -> bool {
    let name = arguments.output.file_name().unwrap_or_default();
    name.to_string_lossy().contains("idx3") && arguments.inputs.iter().all(|input| input.is_dir())
}

/// Where records and their labels go.
struct Target {
    path: PathBuf,
    format: Format,
    labels: Option<PathBuf>,
    /// Whether the name of the labels follows from that of the records.
    are_usual: bool,
}

impl Target {
    fn new(
        arguments: &ConvertArguments,
        path: &Path,
        labels: Option<&Path>,
    ) -> Result<Self, Failure> {
        let by_name = match is_standard_output(path) {
            true => Some(Format::Idx),
            false => Format::from_path(path),
        };
        let shards = arguments.parquet.makes_shards().then_some(Format::Parquet);
        let format = arguments.to.or(shards).or(by_name).ok_or_else(|| unknown_format(path))?;
        let usual = match format {
            Format::Idx | Format::IdxGz if labels.is_none() => labels_name(path),
            _ => None,
        };
        let are_usual = usual.is_some();
        let labels = labels.map(Path::to_path_buf).or(usual);
        if let Some(path) = &labels
            && matches!(Format::from_path(path), None | Some(Format::Png | Format::Parquet))
        {
            return Err(usage(
                "--labels-out takes a name that ends in .idx, .npy or .csv, or is like *idx1-ubyte; only IDX is \
                 written as .gz",
            ));
        }
        Ok(Self { path: path.to_path_buf(), format, labels, are_usual })
    }

    fn formats(&self) -> impl Iterator<Item = Format> {
        let labels = self.labels.as_deref().and_then(Format::from_path);
        [self.format].into_iter().chain(labels)
    }

    fn holds_labels(&self) -> bool {
        self.labels.is_some() || self.format.holds_labels()
    }

    fn add_to(&self, outputs: &mut Outputs, input: Source) -> Result<(), Failure> {
        if !self.is_stream() {
            outputs.add_pair(input, &self.path, self.labels.as_deref())?;
            return Ok(());
        }
        if self.format != Format::Csv {
            refuse_terminal()?;
        }
        outputs.add_stream(input, &self.path, Box::new(io::stdout()))?;
        Ok(())
    }

    /// Whether it is standard output.
    fn is_stream(&self) -> bool {
        is_standard_output(&self.path)
    }

    /// Whether its name can be that of a folder.
    fn may_be_folder(&self) -> bool {
        let by_name = Format::from_path(&self.path);
        !self.is_stream() && matches!(by_name, None | Some(Format::Png | Format::Parquet))
    }

    /// Whether its name can be that of a folder if it is one, and of a new file otherwise.
    fn is_named(&self) -> bool {
        match self.format {
            Format::Png => !self.is_stream(),
            _ => self.path.is_dir() || Format::from_path(&self.path) != Some(Format::Png),
        }
    }

    /// What the name says and the file is not.
    fn misnamed(&self, layout: &RecordLayout) -> Option<String> {
        let (path, format, rank) = (self.path.display(), self.format, layout.dims.len());
        let named = Format::from_path(&self.path).filter(|named| *named != Format::Png)?;
        let digit = self.path.to_str()?.rsplit_once("idx").and_then(|(_, end)| end.chars().next());
        let named_rank = digit.and_then(|digit| digit.to_digit(10));
        if named != format {
            return Some(format!("{path}: the format is {format}, although the name says {named}"));
        }
        let is_wrong = named_rank.is_some_and(|named| named as usize != rank);
        let text = format!(
            "{path}: the file has {}, although the name says",
            count_text(rank as u64, "dimension")
        );
        is_wrong.then(|| format!("{text} {}", named_rank.unwrap_or_default()))
    }
}

/// The error of an output whose format nothing says.
fn unknown_format(path: &Path) -> Failure {
    let is_picture = path.extension().is_some_and(|end| {
        ["png", "jpg", "jpeg"].iter().any(|picture| end.eq_ignore_ascii_case(picture))
    });
    usage(&match is_picture {
        true => format!(
            "{path:?} is one picture; for a picture of each record name a folder, such as out/, and for one of all \
             use `idx show -o`"
        ),
        false => format!(
            "cannot infer the output format from {path:?}; use a name that ends in .idx, .npy, .csv, .parquet or /, \
             or pass --to; only IDX is written as .gz"
        ),
    })
}

fn usage(text: &str) -> Failure {
    args::usage("convert", text)
}
