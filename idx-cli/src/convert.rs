use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::num::NonZeroU64;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use idx_std::formats::{
    self, ErrorKind, Format, JoinedSource, Labels, ParquetOptions, Record, RecordLayout,
    RecordSink, RecordSource, Shards, SinkOptions, SourceOptions, Transform,
};
use idx_std::{ElementType, Number};

use crate::arguments::RecordRange;
use crate::console::{Console, Stop, refuse_to_fill, refuse_to_replace};
use crate::input::{open_labels, open_records};
use crate::progress::Progress;

/// Convert between IDX, npy, csv, Parquet and folders of png; all records, a range, or N per class.
///
/// What an input is, its content tells; what the output is, its name: .idx, .gz, .npy, .csv, .parquet,
/// a name like *idx3-ubyte, or a folder for png. Several inputs of one type and shape are joined, and
/// so are the files of a folder of Parquet. Parquet takes a program with the feature `parquet`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  idx convert train-images-idx3-ubyte.gz -o images.npy
  idx convert images.gz --labels labels.gz -o digits.csv
  idx convert digits.csv --shape 28x28 -o images-idx3-ubyte --labels-out labels-idx1-ubyte
  idx convert t10k-images-idx3-ubyte.gz --labels t10k-labels-idx1-ubyte.gz -o digits/
  idx convert images.gz --labels labels.gz --per-class 10 -o few.idx --labels-out few-labels.idx
  idx convert images.gz --labels labels.gz -o shards/ --shards 16
  idx convert shards/ -o images.idx --labels-out labels.idx
  zcat images.gz | idx convert - --records ..100 --to npy -o - > first.npy

csv has one record per line. png holds u8, in grey or in RGB. A folder of png may have a labels.csv
(file,label), or a folder for each label. Parquet has a column `record`, and `label` beside it.
Parquet from other programs: the column named `record`, or the only one, of numbers, lists of
numbers or bytes; uncompressed, zstd or snappy.")]
pub(crate) struct ConvertArguments {
    /// Files of IDX, npy, csv or Parquet, or folders of png or Parquet; `-` is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// The file or folder to write; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Output format [default: from the name of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    to: Option<Format>,

    /// Which records, counted from 0 through all inputs: A..B without B, A.., ..B, or a single A
    #[arg(long, value_name = "A..B")]
    records: Option<RecordRange>,

    /// The first N records of each label
    #[arg(long, value_name = "N")]
    per_class: Option<u64>,

    /// The labels of the records; csv gets them as first column, png as labels.csv, Parquet as column
    /// `label`
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// The column of the labels, if they have several
    #[arg(long, value_name = "N", default_value_t = 0, requires = "labels")]
    label_column: usize,

    /// Where to write the labels; without --labels they are the first column of csv, or those of png
    /// or Parquet
    #[arg(long, value_name = "FILE")]
    labels_out: Option<PathBuf>,

    /// The element type of the labels that are written [default: that of --labels, or u8]
    #[arg(long, value_name = "TYPE", value_parser = element_type)]
    labels_as: Option<ElementType>,

    /// The element type to write: u8, i8, i16, i32, f32 or f64 [default: as it is, u8 from csv]
    #[arg(long = "as", value_name = "TYPE", value_parser = element_type)]
    element_type: Option<ElementType>,

    /// The sizes of a record, such as 28x28
    #[arg(long, value_name = "SIZES", value_parser = shape)]
    shape: Option<Shape>,

    /// Swap the two dimensions of each image, as EMNIST needs it
    #[arg(long)]
    transpose: bool,

    /// The first line of csv names the columns
    #[arg(long)]
    header: bool,

    /// Replace existing files
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    parquet: ParquetArguments,
}

/// How Parquet is written.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Parquet")]
struct ParquetArguments {
    /// How the column holds a record [default: list]
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<ColumnLayout>,

    /// Maximum records per row group (a group also ends at 64 MiB) [default: 16384]
    #[arg(long, value_name = "N")]
    row_group_records: Option<NonZeroU64>,

    /// Write a folder of N files, such as part-00000-of-00016.parquet
    #[arg(long, value_name = "N", conflicts_with = "shard_records")]
    shards: Option<NonZeroU64>,

    /// Write a folder of files with N records each
    #[arg(long, value_name = "N")]
    shard_records: Option<NonZeroU64>,
}

/// How a column holds a record that is not a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColumnLayout {
    /// Numbers, which Arrow knows as a tensor
    List,
    /// Bytes, each number little-endian
    Binary,
}

impl ParquetArguments {
    fn options(self) -> ParquetOptions {
        let files = self.shards.map(Shards::Files);
        ParquetOptions {
            binary: self.layout == Some(ColumnLayout::Binary),
            row_group_records: self.row_group_records,
            shards: files.or(self.shard_records.map(Shards::Records)),
        }
    }

    /// Whether something is asked for that only Parquet has.
    fn are_used(self) -> bool {
        let records = self
            .row_group_records
            .or(self.shards)
            .or(self.shard_records);
        self.layout.is_some() || records.is_some()
    }
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.map(|format| {
        let (help, alias) = match format {
            Format::Idx => ("Plain IDX", None),
            Format::IdxGz => ("IDX, compressed", Some("gz")),
            Format::Npy => ("An array of NumPy", None),
            Format::Csv => ("One record per line", None),
            Format::Png => ("A folder of pictures", None),
            _ => ("A file, or a folder of shards", None),
        };
        PossibleValue::new(format.name()).help(help).aliases(alias)
    });
    PossibleValuesParser::new(values)
        .try_map(|name| Format::from_name(&name).ok_or("not the name of a format"))
}

fn element_type(name: &str) -> Result<ElementType, &'static str> {
    let mut all = ElementType::ALL.into_iter();
    all.find(|element_type| element_type.name() == name)
        .ok_or("the types are u8, i8, i16, i32, f32 and f64")
}

/// The sizes of a record, as one value of an option.
type Shape = Vec<u32>;

fn shape(text: &str) -> Result<Shape, &'static str> {
    let sizes = text.split('x').map(|size| size.trim().parse());
    let sizes: Result<_, _> = sizes.collect();
    sizes.map_err(|_| "write the sizes as whole numbers with x between them, such as 28x28")
}

pub(crate) fn run(arguments: &ConvertArguments, console: &mut Console) -> io::Result<()> {
    let plan = Plan::new(arguments);
    console.report(convert(arguments, &plan))
}

fn convert(arguments: &ConvertArguments, plan: &Plan<'_>) -> Result<(), Stop> {
    if !arguments.force {
        plan.refuse_to_replace()?;
    }
    let mut input = open(arguments, plan)?;
    if let Some(RecordRange { start, end }) = arguments.records {
        let end = end.map_or(Bound::Unbounded, Bound::Excluded);
        input.select((Bound::Included(start), end))?;
    }
    let transform = Transform::new(&input, arguments.element_type, arguments.transpose)?;
    let mut output = Output::create(plan, arguments, &input, transform.layout())?;
    // The records may go to the terminal that the bar is drawn on.
    let is_in_the_way = plan.records.is_stream() && io::stdout().is_terminal();
    let progress =
        (!is_in_the_way).then(|| Progress::new(&arguments.output, input.remaining_size()));
    let classes = arguments.per_class.map(Classes::new);
    copy(input, transform, classes, progress, &mut output)?;
    output.finish()
}

/// Reads records, and writes those that are taken.
fn copy(
    mut input: JoinedSource,
    mut transform: Transform,
    mut classes: Option<Classes>,
    mut progress: Option<Progress>,
    output: &mut Output,
) -> Result<(), Stop> {
    let mut record = Record::default();
    while input.read(&mut record)? {
        if let Some(progress) = &mut progress {
            progress.advance(record.bytes.len() as u64);
        }
        let is_taken = |classes: &mut Classes| classes.take(record.label);
        if classes.as_mut().is_none_or(is_taken) {
            let transformed = transform.apply(&mut record);
            transformed.map_err(|error| input.record_error(error))?;
            output.push(&record, &input)?;
        }
    }
    let checked = classes.map_or(Ok(()), |classes| classes.check());
    checked.map_err(|message| Stop::file(input.path(), message))
}

/// The inputs as one, with the labels that are asked for.
fn open(arguments: &ConvertArguments, plan: &Plan<'_>) -> Result<JoinedSource, Stop> {
    let needs_labels = plan.labels.is_some() || arguments.per_class.is_some();
    let options = SourceOptions {
        element_type: arguments.element_type.unwrap_or(ElementType::U8),
        shape: arguments.shape.clone(),
        header: arguments.header,
        labels: match &arguments.labels {
            None if needs_labels => Labels::Expected,
            None if plan.records.format.holds_labels() => Labels::Marked,
            _ => Labels::Ignored,
        },
    };
    let Some((first, others)) = arguments.inputs.split_first() else {
        usage("there is no input; name a file");
    };
    let mut input = open_records(first, &options)?;
    for path in others {
        input.append(open_records(path, &options)?)?;
    }
    match &arguments.labels {
        Some(path) => Ok(input.with_labels(open_labels(path, arguments.label_column)?)?),
        None if needs_labels && !input.has_labels() => Err(Stop::file(
            input.path(),
            "these records have no labels; give them with --labels",
        )),
        None => Ok(input),
    }
}

/// The files to write, and what they are.
struct Plan<'a> {
    records: Target<'a>,
    labels: Option<Target<'a>>,
    parquet: ParquetOptions,
}

#[derive(Clone, Copy)]
struct Target<'a> {
    path: &'a Path,
    format: Format,
}

impl<'a> Plan<'a> {
    /// Ends the program if the arguments do not say what to write.
    fn new(arguments: &'a ConvertArguments) -> Self {
        let path = &arguments.output;
        let parquet = arguments.parquet.options();
        let shards = parquet.shards.map(|_| Format::Parquet);
        let Some(format) = arguments.to.or(shards).or_else(|| Format::from_path(path)) else {
            usage(
                "cannot infer the output format from this name; end it in .idx, .gz, .npy, .csv, \
                 .parquet or /, or pass --to",
            );
        };
        if format != Format::Parquet && arguments.parquet.are_used() {
            usage(
                "--layout, --row-group-records, --shards and --shard-records apply only to Parquet \
                 output",
            );
        }
        let records = Target { path, format };
        if records.is_stream() && (format == Format::Png || parquet.shards.is_some()) {
            usage("png and shards go to a folder, not to standard output; give its name");
        }
        let labels = arguments
            .labels_out
            .as_deref()
            .map(|path| match Format::from_path(path) {
                Some(format) if !matches!(format, Format::Png | Format::Parquet) => {
                    Target { path, format }
                }
                _ => usage(
                    "--labels-out takes a name that ends in .idx, .gz, .npy or .csv, or is like \
                     *idx1-ubyte",
                ),
            });
        let used = labels.is_some() || arguments.per_class.is_some() || format.holds_labels();
        if arguments.labels.is_some() && !used {
            usage("this output holds no labels; add --labels-out FILE for those of --labels");
        }
        if arguments.labels_as.is_some() && labels.is_none() && format != Format::Parquet {
            usage("--labels-as is not used; add --labels-out FILE for the labels");
        }
        Self {
            records,
            labels,
            parquet,
        }
    }

    fn refuse_to_replace(&self) -> Result<(), Stop> {
        for target in [Some(self.records), self.labels].into_iter().flatten() {
            refuse_to_replace(target.path)?;
        }
        match self.records.format == Format::Png || self.parquet.shards.is_some() {
            true => refuse_to_fill(self.records.path),
            false => Ok(()),
        }
    }
}

fn usage(message: &str) -> ! {
    let kind = clap::error::ErrorKind::ValueValidation;
    let mut command = ConvertArguments::augment_args(clap::Command::new("idx convert"));
    command.error(kind, message).exit()
}

impl Target<'_> {
    /// Whether it is standard output.
    fn is_stream(self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn create(
        self,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Box<dyn RecordSink>, Stop> {
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
    ) -> Result<Self, Stop> {
        let label_type = arguments.labels_as.or(input.label_type());
        let label_type = label_type.unwrap_or(ElementType::U8);
        let is_whole = arguments.per_class.is_none();
        let options = SinkOptions {
            label_type: input.has_labels().then_some(label_type),
            header: arguments.header,
            count: is_whole.then(|| input.remaining()).flatten(),
            parquet: plan.parquet,
        };
        let records = plan.records.create(layout, &options)?;
        let layout = RecordLayout::new(label_type, &[0]);
        let labels = plan
            .labels
            .map(|target| target.create(&layout, &SinkOptions::default()));
        Ok(Self {
            records,
            labels: labels.transpose()?,
            label_type,
            label: Record::default(),
        })
    }

    fn push(&mut self, record: &Record, input: &JoinedSource) -> Result<(), Stop> {
        self.records.push(record)?;
        if let (Some(sink), Some(label)) = (&mut self.labels, record.label) {
            self.label.bytes.clear();
            let appended = Number::Integer(label).append_to(&mut self.label.bytes, self.label_type);
            appended.map_err(|error| {
                input.record_error(ErrorKind::OutOfRange {
                    place: None,
                    is_label: true,
                    error,
                })
            })?;
            sink.push(&self.label)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Stop> {
        self.records.finish()?;
        self.labels.map_or(Ok(()), |labels| Ok(labels.finish()?))
    }
}

/// How many records of each label were taken, and how many may be.
struct Classes {
    max: u64,
    taken: BTreeMap<i128, u64>,
}

impl Classes {
    fn new(max: u64) -> Self {
        let taken = BTreeMap::new();
        Self { max, taken }
    }

    fn take(&mut self, label: Option<i128>) -> bool {
        let Some(label) = label else {
            return false;
        };
        let taken = self.taken.entry(label).or_default();
        let room = *taken < self.max;
        *taken += u64::from(room);
        room
    }

    fn check(&self) -> Result<(), String> {
        match self.taken.iter().find(|(_, taken)| **taken < self.max) {
            None => Ok(()),
            Some((label, taken)) => Err(format!(
                "label {label} has only {taken} records; use `--per-class {taken}` or less"
            )),
        }
    }
}
