use std::io::{self, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};

use idx_data::{
    Chance, ClassNames, CreateOptions, Format, LabeledSink, Labels, RecordLayout, RecordSink,
    RecordSource, Skipped, Source, expect_apart,
};
use idx_std::__private::commit;
use idx_std::ElementType;

use crate::args::{self, ConvertArguments, Job, ParquetArguments};
use crate::records::input::{CLASSES, labels_name, open_records};
use crate::term::console::{is_standard_output, refuse_own_output, refuse_terminal};
use crate::term::failure::{Failure, print_error};
use crate::term::progress::{Progress, is_quiet};
use crate::term::report::count_text;
use crate::term::signals;
use crate::term::text::printable;

/// The maximum number of class names to print.
const PRINTED_NAMES: usize = 20;

const LABELS_OF_BOTH: &str =
    "--rest-labels and --labels-out go together, so that no labels are lost";

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    let mut plan = Plan::new(arguments)?;
    let converted = convert(arguments, &mut plan);
    let mut files = plan.outputs().into_iter();
    match files.find(|path| !is_standard_output(path)) {
        // Who closed the pipe has enough of the records, but nobody has the file.
        Some(file) if converted.as_ref().is_err_and(Failure::is_closed_pipe) => {
            Err(Failure::file(file, "not written: standard output was closed before the end"))
        }
        _ => converted,
    }
}

fn convert(arguments: &ConvertArguments, plan: &mut Plan) -> Result<(), Failure> {
    signals::leave_nothing();
    if plan.outputs().into_iter().any(is_standard_output) {
        refuse_own_output(&arguments.inputs)?;
    }
    let mut input = open(arguments, plan)?;
    if !input.has_labels() {
        plan.drop_usual_labels();
    }
    expect_apart(&plan.outputs())?;
    plan.judge(arguments, &input)?;
    if let Some(records) = arguments.range.selection()? {
        input = input.select(records)?;
    }
    let choice = &arguments.choice;
    let own_labels = arguments.labels.files.is_empty() && !choice.classes.needs_labels();
    let marks_labels = input.has_labels() || input.facts().leaves_labels;
    let loses_labels = own_labels && marks_labels && !plan.writes_labels();
    let labeled = loses_labels.then(|| input.path().to_path_buf());
    let (names, known) = class_names(arguments, &input)?;
    let input = choice.classes.of_classes(input, known.as_ref())?;
    let chance = choice.chance();
    let inputs = match chance != Chance::default() {
        true => Vec::from(input.divide(&chance)?),
        false => vec![input],
    };
    let class_files = plan.class_paths();
    let mut staged_names = Vec::new();
    if let Some(names) = &names {
        let outputs = plan.outputs().into_iter();
        let class_paths = class_files.iter().map(PathBuf::as_path);
        expect_apart(&outputs.chain(class_paths).collect::<Vec<_>>())?;
        for path in &class_files {
            staged_names.extend(names.stage(path, !arguments.overwrite.force)?);
        }
    }
    let folder_names = names.clone().or(known.filter(|_| arguments.by_class));
    let mut outputs = Vec::new();
    let changes = arguments.reading.changes(arguments.transpose);
    for (input, pair) in inputs.into_iter().zip(plan.pairs()) {
        let input = input.changed(&changes)?;
        let output = pair.create(arguments, &input, folder_names.as_ref())?;
        outputs.push((&pair.records, input, output));
    }
    let (mut records, mut labels, mut skipped) = (Vec::new(), Vec::new(), None);
    let mut written = Vec::new();
    for (target, mut input, mut output) in outputs {
        // The records may go to the same terminal as the progress bar.
        let is_in_the_way = target.is_stream() && io::stdout().is_terminal();
        let mut progress = (!is_in_the_way).then(|| Progress::new(&target.path, input.size()));
        let mut count = 0;
        output.push_all(&mut input, |bytes| {
            count += 1;
            if let Some(progress) = &mut progress {
                progress.advance(bytes);
            }
        })?;
        drop(progress);
        written.push((target, count, input.layout().clone()));
        let (staged_records, staged_labels) = output.stage()?;
        records.extend(staged_records);
        labels.extend(staged_labels);
        skipped.get_or_insert_with(|| input.skipped().into_iter().cloned().collect::<Vec<_>>());
    }
    commit(records, labels.into_iter().chain(staged_names))?;
    print_written(&written);
    for (names, path) in names.iter().zip(&class_files) {
        print_names(names, path);
    }
    if let Some(path) = labeled {
        let note = "the labels are not written; add --labels-out FILE to keep them";
        print_error(format_args!("{}: {note}", path.display()));
    }
    let skipped = skipped.unwrap_or_default();
    for Skipped { path, reason, .. } in &skipped {
        print_error(format_args!("{}: skipped: {reason}", path.display()));
    }
    if !skipped.is_empty() {
        print_error(format_args!("files that were not read: {}", skipped.len()));
    }
    Ok(())
}

/// The names of the classes to write, and the names by which --only and --except may choose them.
fn class_names(
    arguments: &ConvertArguments,
    input: &Source,
) -> Result<(Option<ClassNames>, Option<ClassNames>), Failure> {
    let names = match (&arguments.labels.classes, &input.facts().classes) {
        (None, None) => None,
        _ => arguments.labels.names(input)?,
    };
    let are_called = arguments.by_class || arguments.choice.classes.needs_labels();
    let known = match are_called && names.is_none() {
        true => arguments.labels.names(input)?,
        false => names.clone(),
    };
    Ok((names, known))
}

/// Tells somebody at a terminal what was written.
fn print_written(written: &[(&Target, u64, RecordLayout)]) {
    if is_quiet() || !io::stderr().is_terminal() {
        return;
    }
    for (target, count, layout) in written.iter().filter(|(target, ..)| !target.is_stream()) {
        let (path, records) = (target.path.display(), count_text(*count, "record"));
        let record = match layout.record_shape() {
            [] => layout.dtype.to_string(),
            _ => layout.to_string(),
        };
        // If that fails, nobody reads it.
        let line = printable(&format!("{path}: {records} of {record}"));
        let _ = writeln!(io::stderr(), "{line}");
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

/// The joined inputs, with the labels that the arguments specify.
fn open(arguments: &ConvertArguments, plan: &Plan) -> Result<Source, Failure> {
    let needs_labels = arguments.labels_out.is_some() || arguments.choice.classes.needs_labels();
    let labels = match arguments.labels.files.is_empty() {
        true if needs_labels => Labels::Expected,
        true if plan.writes_labels() || arguments.labels.column.is_some() => Labels::Marked,
        _ => Labels::Ignored,
    };
    let options = arguments.reading.options(&arguments.labels);
    let pictures = arguments.pictures.options(is_gray(arguments));
    let options = options.labels(labels).pictures(pictures).threads(arguments.threads);
    // A file of labels for each input, or one for all.
    let are_own = arguments.labels.files.len() == arguments.inputs.len();
    let open = |(index, path): (usize, &PathBuf)| -> Result<Source, Failure> {
        let input = open_records(path, &options).map_err(|failure| {
            let is_last = index > 0 && index + 1 == arguments.inputs.len();
            match is_last && is_standard_output(&arguments.output) && !path.exists() {
                // As cp has it.
                true => {
                    let name = path.display();
                    let text = format!("no such file; to write it, add -o: `-o {name}`");
                    Failure::file(path, text)
                }
                false => failure,
            }
        })?;
        match are_own {
            true => arguments.labels.join(index, arguments.reading.header, input),
            false => Ok(input),
        }
    };
    let mut sources = arguments.inputs.iter().enumerate().map(open);
    let Some(first) = sources.next() else {
        return Err(usage("there is no input; specify a file"));
    };
    let mut input = first?;
    for source in sources {
        input = input.append(source?)?;
    }
    if !are_own {
        input = arguments.labels.join(0, arguments.reading.header, input)?;
    }
    match needs_labels && !input.has_labels() {
        true => Err(Failure::file(
            input.path(),
            "these records have no labels; give them with --labels",
        )),
        false => Ok(input),
    }
}

/// Whether the name of the output, such as *idx3-ubyte, requires gray pictures.
fn is_gray(arguments: &ConvertArguments) -> bool {
    let name = arguments.output.file_name().unwrap_or_default();
    name.to_string_lossy().contains("idx3") && arguments.inputs.iter().all(|input| input.is_dir())
}

/// The files to write, and their formats.
struct Plan {
    chosen: Pair,
    /// For the records that chance leaves.
    rest: Option<Pair>,
}

/// Where records and their labels go.
struct Pair {
    records: Target,
    labels: Option<Target>,
    /// Whether the name of the labels follows from that of the records.
    are_usual: bool,
}

struct Target {
    path: PathBuf,
    format: Format,
}

impl Plan {
    fn new(arguments: &ConvertArguments) -> Result<Self, Failure> {
        let labels = arguments.labels.files.len();
        let rest = arguments.rest.as_deref();
        let output = &arguments.output;
        rule(
            labels < 2 || labels == arguments.inputs.len(),
            "give one --labels for all inputs, or one for each",
        )?;
        rule(
            rest.is_none() || arguments.choice.leaves_rest(),
            "--rest needs --split or --sample, which leave records for it",
        )?;
        rule(
            rest.is_none_or(|rest| !is_standard_output(rest) && !is_standard_output(output)),
            "with --rest, both outputs are files or folders; give their names",
        )?;
        let has_labels =
            |labels: &Option<PathBuf>, path| labels.is_some() || labels_name(path).is_some();
        // What follows from the names alone is judged when it is known whether there are labels.
        let is_explicit = arguments.labels_out.is_some() || arguments.rest_labels.is_some();
        rule(
            !is_explicit
                || rest.is_none_or(|rest| {
                    has_labels(&arguments.rest_labels, rest)
                        == has_labels(&arguments.labels_out, output)
                }),
            LABELS_OF_BOTH,
        )?;
        let pair = |path, labels: &Option<PathBuf>| Pair::new(arguments, path, labels.as_deref());
        let rest = rest.map(|path| pair(path, &arguments.rest_labels)).transpose()?;
        Ok(Self { chosen: pair(output, &arguments.labels_out)?, rest })
    }

    /// For records without labels.
    fn drop_usual_labels(&mut self) {
        for pair in [&mut self.chosen].into_iter().chain(&mut self.rest) {
            pair.labels = pair.labels.take().filter(|_| !pair.are_usual);
        }
    }

    fn pairs(&self) -> impl Iterator<Item = &Pair> {
        [&self.chosen].into_iter().chain(&self.rest)
    }

    fn writes_labels(&self) -> bool {
        self.chosen.labels.is_some() || self.chosen.records.format.holds_labels()
    }

    /// Refuses options that no stage of this job can take.
    fn judge(&self, arguments: &ConvertArguments, input: &Source) -> Result<(), Failure> {
        rule(
            self.rest
                .as_ref()
                .is_none_or(|rest| rest.labels.is_some() == self.chosen.labels.is_some()),
            LABELS_OF_BOTH,
        )?;
        let targets = self.targets();
        let job = Job::new(input, targets.map(|target| target.format));
        let judged = arguments.reading.judge(&job, &arguments.labels);
        judged.and_then(|()| arguments.pictures.judge(&job)).map_err(|text| usage(&text))?;
        rule(
            arguments.labels_as.is_none() || input.has_labels(),
            "--labels-as needs labels; give them with --labels",
        )
    }

    /// The files of names beside those of the labels, if they are not in a folder of pictures.
    fn class_paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.pairs().filter_map(Pair::class_path).collect();
        paths.dedup();
        paths
    }

    fn targets(&self) -> impl Iterator<Item = &Target> {
        self.pairs().flat_map(|pair| iter::once(&pair.records).chain(&pair.labels))
    }

    fn outputs(&self) -> Vec<&Path> {
        self.targets().map(|target| target.path.as_path()).collect()
    }
}

impl Pair {
    fn new(
        arguments: &ConvertArguments,
        path: &Path,
        labels: Option<&Path>,
    ) -> Result<Self, Failure> {
        let shards = arguments.parquet.makes_shards().then_some(Format::Parquet);
        let by_name = || match is_standard_output(path) {
            true => Some(Format::Idx),
            false => Format::from_path(path),
        };
        rule(
            shards.is_none() || matches!(by_name(), None | Some(Format::Png | Format::Parquet)),
            "--shards and --shard-records write a folder of Parquet files; give the name of a folder",
        )?;
        let Some(format) = arguments.to.or(shards).or_else(by_name) else {
            let is_picture = path.extension().is_some_and(|end| {
                ["png", "jpg", "jpeg"].iter().any(|picture| end.eq_ignore_ascii_case(picture))
            });
            return Err(usage(&match is_picture {
                true => format!(
                    "{path:?} is one picture; for a picture of each record name a folder, such as out/, and for one of \
                     all use `idx show -o`"
                ),
                false => format!(
                    "cannot infer the output format from {path:?}; use a name that ends in .idx, .npy, .csv, \
                     .parquet or /, or pass --to; only IDX is written as .gz"
                ),
            }));
        };
        let usual = match format {
            Format::Idx | Format::IdxGz if labels.is_none() => labels_name(path),
            _ => None,
        };
        let are_usual = usual.is_some();
        let labels = labels.map(Path::to_path_buf).or(usual);
        let records = Target { path: path.to_path_buf(), format };
        let labels = labels.map(|path| {
            let format = Format::from_path(&path);
            let format = format.filter(|format| !matches!(format, Format::Png | Format::Parquet));
            format.map(|format| Target { path, format })
        });
        let are_labels_used =
            labels.is_some() || arguments.choice.classes.needs_labels() || format.holds_labels();
        rule(
            format == Format::Parquet || arguments.parquet == ParquetArguments::default(),
            "--layout, --row-group-records, --shards and --shard-records apply only to Parquet output",
        )?;
        let is_folder = format == Format::Png || shards.is_some();
        rule(
            !is_folder || !records.is_stream(),
            "pictures and shards go to a folder, not to standard output; give its name",
        )?;
        rule(
            format == Format::Png || !arguments.by_class,
            "--by-class applies only to a folder of pictures; give a name that ends in /",
        )?;
        rule(
            !matches!(labels, Some(None)),
            "--labels-out takes a name that ends in .idx, .npy or .csv, or is like *idx1-ubyte; only IDX is written as \
             .gz",
        )?;
        rule(
            are_labels_used || arguments.labels.files.is_empty(),
            "this format has no place for labels; add --labels-out FILE",
        )?;
        rule(
            labels.is_some() || format == Format::Parquet || arguments.labels_as.is_none(),
            "--labels-as needs --labels-out FILE, or Parquet output",
        )?;
        Ok(Self { records, labels: labels.flatten(), are_usual })
    }

    /// The file of names beside that of the labels.
    fn class_path(&self) -> Option<PathBuf> {
        let holds_labels = matches!(self.records.format, Format::Csv | Format::Parquet);
        let target = self.labels.as_ref().or(holds_labels.then_some(&self.records))?;
        (!target.is_stream()).then(|| target.path.with_file_name(CLASSES))
    }

    /// Starts the files for records of this layout.
    fn create(
        &self,
        arguments: &ConvertArguments,
        input: &Source,
        classes: Option<&ClassNames>,
    ) -> Result<LabeledSink, Failure> {
        let label_type = arguments.labels_as.or(input.facts().label_type);
        let label_type = label_type.unwrap_or(ElementType::U8);
        let create_new = !arguments.overwrite.force;
        let options = CreateOptions::new()
            .label_type(input.has_labels().then_some(label_type))
            .header(arguments.reading.header)
            .count(input.count())
            .create_new(create_new)
            .threads(arguments.threads)
            .by_class(arguments.by_class)
            .classes(classes.cloned());
        let options = arguments.parquet.complete(options);
        let records = self.records.create(input.layout(), &options)?;
        let layout = RecordLayout::new(label_type, &[0]);
        let label_options = CreateOptions::new().create_new(create_new);
        let labels = self.labels.as_ref().map(|target| target.create(&layout, &label_options));
        let labels = labels.transpose()?.map(|labels| (labels, label_type));
        Ok(LabeledSink::new(records, labels))
    }
}

/// Refuses arguments for which a rule does not hold.
fn rule(holds: bool, text: &str) -> Result<(), Failure> {
    holds.then_some(()).ok_or_else(|| usage(text))
}

fn usage(text: &str) -> Failure {
    args::usage("convert", text)
}

impl Target {
    /// Whether it is standard output.
    fn is_stream(&self) -> bool {
        is_standard_output(&self.path)
    }

    fn create(
        &self,
        layout: &RecordLayout,
        options: &CreateOptions,
    ) -> Result<Box<dyn RecordSink>, Failure> {
        if self.is_stream() && self.format != Format::Csv {
            refuse_terminal()?;
        }
        let sink = match self.is_stream() {
            true => {
                let stream = Box::new(io::stdout());
                idx_data::create_stream(&self.path, stream, self.format, layout, options)
            }
            false => idx_data::create(&self.path, self.format, layout, options),
        };
        Ok(sink?)
    }
}
