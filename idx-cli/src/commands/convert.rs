use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use idx_std::ElementType;
use idx_std::formats::{
    self, ClassNames, ErrorKind, Format, JoinedSource, Labels, ParquetOptions, Record,
    RecordLayout, RecordSink, RecordSource, SinkOptions, Skipped, SourceOptions, Transform,
};
use idx_std::io::{Staged, commit, is_same_path};
use idx_std::npy::Value;

use crate::args::{self, ConvertArguments, OverwriteArguments, ParquetArguments};
use crate::records::input::open_records;
use crate::term::console::{is_standard_output, refuse_terminal};
use crate::term::failure::{Failure, print_error};
use crate::term::progress::Progress;
use crate::term::signals;

/// How many names of classes are printed.
const PRINTED_NAMES: usize = 20;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    convert(arguments, &Plan::new(arguments)?)
}

fn convert(arguments: &ConvertArguments, plan: &Plan<'_>) -> Result<(), Failure> {
    plan.check(&arguments.overwrite)?;
    signals::leave_nothing();
    let mut input = open(arguments, plan)?;
    if let Some(records) = arguments.range.selection() {
        input.select_records(&records)?;
    }
    let choice = arguments.choice.choice();
    let own_labels = arguments.labels.file.is_none() && !choice.needs_labels();
    if own_labels && input.has_labels() && !plan.writes_labels() {
        print_error(format_args!(
            "{}: its labels are not written; add --labels-out FILE to keep them",
            input.path().display()
        ));
    }
    let (names, known) = class_names(arguments, &input)?;
    let mut input = input.choose(&choice, known.as_ref())?;
    let transform = arguments.reading.transform(&input, arguments.transpose)?;
    let class_file = names.as_ref().zip(plan.class_path());
    let classes = match &class_file {
        Some((names, path)) => names.stage(path, !arguments.overwrite.force)?,
        None => None,
    };
    let folder_names = names.clone().or(known.filter(|_| arguments.by_class));
    let mut output = Output::create(plan, arguments, &input, transform.layout(), folder_names)?;
    // The records may go to the terminal that the bar is drawn on.
    let is_in_the_way = plan.records.is_stream() && io::stdout().is_terminal();
    let progress =
        (!is_in_the_way).then(|| Progress::new(&arguments.output, input.remaining_size()));
    copy(&mut input, transform, progress, &mut output)?;
    output.finish(classes)?;
    if let Some((names, path)) = class_file {
        print_names(names, &path);
    }
    let skipped = input.skipped();
    for Skipped { path, reason, .. } in &skipped {
        print_error(format_args!("{}: skipped: {reason}", path.display()));
    }
    if !skipped.is_empty() {
        print_error(format_args!("files that were not read: {}", skipped.len()));
    }
    Ok(())
}

/// The names of the classes that are written, and those by which they may be called.
fn class_names(
    arguments: &ConvertArguments,
    input: &JoinedSource,
) -> Result<(Option<ClassNames>, Option<ClassNames>), Failure> {
    let names = match &arguments.classes {
        Some(path) => Some(ClassNames::open(path)?),
        None => input.classes().cloned(),
    };
    let are_called = arguments.by_class || arguments.choice.choice().needs_labels();
    let known = match (&names, &arguments.labels.file) {
        // Standard input can be read only once. What is wrong with a file, its reader says.
        (None, Some(labels)) if are_called && labels.is_file() => {
            ClassNames::identify(labels).ok().flatten()
        }
        _ => names.clone(),
    };
    Ok((names, known))
}

/// Prints the first names of classes, and the file that has all.
fn print_names(names: &ClassNames, path: &Path) {
    let mut names = names.iter().map(|(label, name)| format!("{label} {name}"));
    let printed: Vec<String> = names.by_ref().take(PRINTED_NAMES).collect();
    let more = names.next().map_or("", |_| ", ...");
    print_error(format_args!(
        "{}: {}{more}",
        path.display(),
        printed.join(", ")
    ));
}

/// Reads records, and writes them.
fn copy(
    input: &mut JoinedSource,
    mut transform: Transform,
    mut progress: Option<Progress>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut record = Record::default();
    if input.layout().record_size() == Some(0) && !input.has_labels() {
        // There can be 2^64 of them.
        output.records.push_empty(input.skip_remaining()?)?;
    }
    while input.read(&mut record)? {
        if let Some(progress) = &mut progress {
            progress.advance(record.bytes.len() as u64);
        }
        let transformed = transform.apply(&mut record);
        transformed.map_err(|error| input.record_error(error))?;
        output.push(&record, input)?;
    }
    Ok(())
}

/// The inputs as one, with the labels that are asked for.
fn open(arguments: &ConvertArguments, plan: &Plan<'_>) -> Result<JoinedSource, Failure> {
    let needs_labels = plan.labels.is_some() || arguments.choice.choice().needs_labels();
    let options = SourceOptions {
        labels: match &arguments.labels.file {
            None if needs_labels => Labels::Expected,
            None if plan.records.format.holds_labels() => Labels::Marked,
            _ => Labels::Ignored,
        },
        pictures: arguments.pictures.options(is_grey(arguments)),
        ..arguments.reading.options(&arguments.labels)
    };
    let Some((first, others)) = arguments.inputs.split_first() else {
        return Err(usage("there is no input; specify a file"));
    };
    let mut input = open_records(first, &options)?;
    for path in others {
        input.append(open_records(path, &options)?)?;
    }
    let input = arguments.labels.join(input)?;
    match needs_labels && !input.has_labels() {
        true => Err(Failure::file(
            input.path(),
            "these records have no labels; give them with --labels",
        )),
        false => Ok(input),
    }
}

/// Whether the name of the output says that folders of pictures become records of two dimensions.
fn is_grey(arguments: &ConvertArguments) -> bool {
    let name = arguments.output.file_name().unwrap_or_default();
    name.to_string_lossy().contains("idx3") && arguments.inputs.iter().all(|input| input.is_dir())
}

/// The files to write, and what they are.
struct Plan<'a> {
    records: Target<'a>,
    labels: Option<Target<'a>>,
    parquet: ParquetOptions,
}

#[derive(Clone, Copy, PartialEq)]
struct Target<'a> {
    path: &'a Path,
    format: Format,
}

impl<'a> Plan<'a> {
    fn new(arguments: &'a ConvertArguments) -> Result<Self, Failure> {
        let path = &arguments.output;
        let parquet = arguments.parquet.options();
        let shards = parquet.shards.map(|_| Format::Parquet);
        let Some(format) = arguments.to.or(shards).or_else(|| Format::from_path(path)) else {
            return Err(usage(&format!(
                "cannot infer the output format from {path:?}; use a name that ends in .idx, .gz, .npy, \
                 .csv, .parquet or /, or pass --to"
            )));
        };
        let records = Target { path, format };
        let labels = arguments.labels_out.as_deref().map(|path| {
            let format = Format::from_path(path);
            let format = format.filter(|format| !matches!(format, Format::Png | Format::Parquet));
            format.map(|format| Target { path, format })
        });
        let are_labels_used =
            labels.is_some() || arguments.choice.choice().needs_labels() || format.holds_labels();
        let rules = [
            (
                format == Format::Parquet || arguments.parquet == ParquetArguments::default(),
                "--layout, --row-group-records, --shards and --shard-records apply only to Parquet output",
            ),
            (
                format != Format::Png || !records.is_stream(),
                "png goes to a folder, not to standard output; give its name",
            ),
            (
                parquet.shards.is_none() || !records.is_stream(),
                "shards go to a folder, not to standard output; give its name",
            ),
            (
                format == Format::Png || !arguments.by_class,
                "--by-class applies only to a folder of pictures; give a name that ends in /",
            ),
            (
                labels != Some(None),
                "--labels-out takes a name that ends in .idx, .gz, .npy or .csv, or is like *idx1-ubyte",
            ),
            (
                are_labels_used || arguments.labels.file.is_none(),
                "this output holds no labels; add --labels-out FILE for those of --labels",
            ),
            (
                labels.is_some() || format == Format::Parquet || arguments.labels_as.is_none(),
                "--labels-as needs --labels-out FILE, or Parquet output",
            ),
        ];
        if let Some((_, text)) = rules.iter().find(|(holds, _)| !holds) {
            return Err(usage(text));
        }
        let labels = labels.flatten();
        Ok(Self {
            records,
            labels,
            parquet,
        })
    }

    fn writes_labels(&self) -> bool {
        self.labels.is_some() || self.records.format.holds_labels()
    }

    /// The file of names beside that of the labels, if they are not in a folder of pictures.
    fn class_path(&self) -> Option<PathBuf> {
        let holds_labels = matches!(self.records.format, Format::Csv | Format::Parquet);
        let target = self.labels.or(holds_labels.then_some(self.records))?;
        (!target.is_stream()).then(|| target.path.with_file_name("classes.txt"))
    }

    /// Whether everything may be written.
    fn check(&self, overwrite: &OverwriteArguments) -> Result<(), Failure> {
        if let Some(labels) = self.labels
            && is_same_path(labels.path, self.records.path)
        {
            return Err(Failure::file(
                labels.path,
                "the records and the labels cannot go to one file; choose another name for one of them",
            ));
        }
        match self.records.format == Format::Png || self.parquet.shards.is_some() {
            true => overwrite.check_folder(self.records.path),
            false => Ok(()),
        }
    }
}

fn usage(text: &str) -> Failure {
    args::usage("convert", text)
}

impl Target<'_> {
    /// Whether it is standard output.
    fn is_stream(self) -> bool {
        is_standard_output(self.path)
    }

    fn create(
        self,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Box<dyn RecordSink>, Failure> {
        if self.is_stream() && self.format != Format::Csv {
            refuse_terminal()?;
        }
        let sink = match self.is_stream() {
            true => {
                let stream = Box::new(io::stdout());
                formats::create_stream(self.path, stream, self.format, layout, options)
            }
            false => formats::create(self.path, self.format, layout, options),
        };
        Ok(sink?)
    }
}

/// Where the records go, and where the labels go if they have a file of their own.
struct Output {
    records: Box<dyn RecordSink>,
    labels: Option<Box<dyn RecordSink>>,
    label_type: ElementType,
    /// A label as a record.
    label: Record,
}

impl Output {
    fn create(
        plan: &Plan<'_>,
        arguments: &ConvertArguments,
        input: &JoinedSource,
        layout: &RecordLayout,
        classes: Option<ClassNames>,
    ) -> Result<Self, Failure> {
        let label_type = arguments.labels_as.or(input.label_type());
        let label_type = label_type.unwrap_or(ElementType::U8);
        let options = SinkOptions {
            label_type: input.has_labels().then_some(label_type),
            header: arguments.reading.header,
            count: input.remaining(),
            create_new: !arguments.overwrite.force,
            threads: arguments.threads,
            by_class: arguments.by_class,
            classes,
            parquet: plan.parquet,
        };
        let records = plan.records.create(layout, &options)?;
        let layout = RecordLayout::new(label_type, &[0]);
        let label_options = SinkOptions {
            create_new: options.create_new,
            ..SinkOptions::default()
        };
        let labels = plan
            .labels
            .map(|target| target.create(&layout, &label_options));
        Ok(Self {
            records,
            labels: labels.transpose()?,
            label_type,
            label: Record::default(),
        })
    }

    fn push(&mut self, record: &Record, input: &JoinedSource) -> Result<(), Failure> {
        self.records.push(record)?;
        if let (Some(sink), Some(label)) = (&mut self.labels, record.label) {
            self.label.bytes.clear();
            let appended = Value::Integer(label).append_to(&mut self.label.bytes, self.label_type);
            appended.map_err(|error| {
                input.record_error(ErrorKind::OutOfRange {
                    position: None,
                    is_label: true,
                    error,
                })
            })?;
            sink.push(&self.label)?;
        }
        Ok(())
    }

    fn finish(self, classes: Option<Staged>) -> Result<(), Failure> {
        // A stream gets the records now, so all that can fail comes before.
        let labels = self.labels.map(RecordSink::stage).transpose()?.flatten();
        let records = self.records.stage()?;
        Ok(commit(records.into_iter().chain(labels).chain(classes))?)
    }
}
