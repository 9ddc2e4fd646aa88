mod format;
mod layout;
mod inputs;
mod source;
mod sink;
mod idx;
mod npy;
mod csv;
mod folder;
mod png;
mod parquet;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use idx_std::{ElementType, Number, NumberType};

use crate::arguments::RecordRange;
use crate::console::{Console, Stop, refuse_to_replace};
use crate::image::Image;
use crate::labels::Labels;
use crate::progress::Progress;
use format::Format;
use inputs::Inputs;
use layout::{Layout, Shape};
use parquet::ParquetArguments;
use sink::{Sink, WriteOptions};
use source::{ReadOptions, Record};

/// Between IDX, npy, csv, parquet and folders of png; whole, a range of records, or some of each class.
///
/// What an input is, its content tells; what the output is, its name: .idx, .gz, .npy, .csv, .parquet,
/// a name like *idx3-ubyte, or a folder for png. Several inputs of one type and shape are joined, and
/// so is a folder of parquet. Parquet takes a program with the feature `parquet`.
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

csv has one record a line. png holds u8, in grey or in three colours. A folder of png may have a
labels.csv (file,label), or a folder for each label. parquet has a column `record`, and `label`
beside it; of other programs, any column of numbers, of lists of them, or of bytes, which is then
named `record` or alone, in files without compression or with that of zstd or snappy.")]
pub(crate) struct ConvertArguments {
    /// Files of IDX, npy, csv or parquet, or folders of png or parquet; `-` is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// The file or folder to write; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// What to write, whatever the name
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// Which records, counted from 0 through all inputs: A..B without B, A.., ..B, or a single A
    #[arg(long, value_name = "A..B")]
    records: Option<RecordRange>,

    /// The first N records of each label
    #[arg(long, value_name = "N")]
    per_class: Option<u64>,

    /// The labels of the records, in IDX; csv gets them as first column, png as labels.csv, parquet as
    /// column `label`
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// The column of the labels, if they have several
    #[arg(long, value_name = "N", default_value_t = 0, requires = "labels")]
    label_column: usize,

    /// Where to write the labels; without --labels they are the first column of csv, or those of png
    /// or parquet
    #[arg(long, value_name = "FILE")]
    labels_out: Option<PathBuf>,

    /// The element type of the labels that are written [default: that of --labels, or u8]
    #[arg(long, value_name = "TYPE", value_parser = element_type)]
    labels_as: Option<ElementType>,

    /// The element type to write: u8, i8, i16, i32, f32 or f64 [default: as it is, u8 from csv]
    #[arg(long = "as", value_name = "TYPE", value_parser = element_type)]
    element_type: Option<ElementType>,

    /// The sizes of a record, such as 28x28
    #[arg(long, value_name = "SIZES")]
    shape: Option<Shape>,

    /// Swap the two dimensions of each image, as EMNIST needs it
    #[arg(long)]
    transpose: bool,

    /// The first line of csv names the columns
    #[arg(long)]
    header: bool,

    /// Replace files that are there
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    parquet: ParquetArguments,
}

fn element_type(name: &str) -> Result<ElementType, &'static str> {
    let mut all = ElementType::ALL.into_iter();
    all.find(|element_type| element_type.name() == name)
        .ok_or("the types are u8, i8, i16, i32, f32 and f64")
}

pub(crate) fn run(arguments: &ConvertArguments, console: &mut Console) -> io::Result<()> {
    let outputs = Outputs::new(arguments);
    console.report(convert(arguments, &outputs))
}

/// The files to write, and what they are.
struct Outputs<'a> {
    records: (&'a Path, Format),
    labels: Option<(&'a Path, Format)>,
}

impl<'a> Outputs<'a> {
    /// Ends the program if the arguments do not say what to write.
    fn new(arguments: &'a ConvertArguments) -> Self {
        let path = &arguments.output;
        let is_split = arguments.parquet.are_split();
        let shards = is_split.then_some(Format::Parquet);
        let Some(format) = arguments.to.or(shards).or_else(|| Format::of(path)) else {
            usage(
                "what to write is not told by this name; end it in .idx, .gz, .npy, .csv, .parquet \
                 or /, or say it with --to",
            );
        };
        if format != Format::Parquet && arguments.parquet.are_used() {
            usage(
                "--layout, --row-group-records, --shards and --shard-records are of parquet alone",
            );
        }
        if is_split && path.as_os_str() == "-" {
            usage("shards go to a folder, not to standard output; name one");
        }
        if format == Format::Png && path.as_os_str() == "-" {
            usage("png goes to a folder, not to standard output; name one");
        }
        let labels = arguments.labels_out.as_deref().map(|path| {
            match Format::of(path) {
                Some(format) if !matches!(format, Format::Png | Format::Parquet) => (path, format),
                _ => usage("--labels-out takes a name that ends in .idx, .gz, .npy or .csv, or is like *idx1-ubyte"),
            }
        });
        let used = labels.is_some() || arguments.per_class.is_some() || format.holds_labels();
        if arguments.labels.is_some() && !used {
            usage("--labels are not used; say with --labels-out where they go");
        }
        if arguments.labels_as.is_some() && labels.is_none() && format != Format::Parquet {
            usage("--labels-as is not used; say with --labels-out where the labels go");
        }
        Self {
            records: (path, format),
            labels,
        }
    }
}

fn usage(message: &str) -> ! {
    let kind = clap::error::ErrorKind::ValueValidation;
    let mut command = ConvertArguments::augment_args(clap::Command::new("idx convert"));
    command.error(kind, message).exit()
}

fn convert(arguments: &ConvertArguments, outputs: &Outputs<'_>) -> Result<(), Stop> {
    let (output, format) = outputs.records;
    if !arguments.force {
        refuse_to_replace(output)?;
        if format == Format::Png || arguments.parquet.are_split() {
            folder::refuse_to_replace(output)?;
        }
        outputs
            .labels
            .map_or(Ok(()), |(path, _)| refuse_to_replace(path))?;
    }
    let needs_labels = outputs.labels.is_some() || arguments.per_class.is_some();
    let own_labels = arguments.labels.is_none();
    let mut inputs = Inputs::open(
        &arguments.inputs,
        &ReadOptions {
            element_type: arguments.element_type.unwrap_or(ElementType::U8),
            shape: arguments.shape.as_ref(),
            header: arguments.header,
            labels: own_labels && (needs_labels || format.holds_labels()),
            first_column: own_labels && needs_labels,
        },
    )?;
    let mut labels = match &arguments.labels {
        Some(path) => Some(inputs.labels(path, arguments.label_column)?),
        None if needs_labels && !inputs.has_labels => {
            return Err(inputs.stop("these records have no labels; name them with --labels"));
        }
        None => None,
    };
    let range = inputs.range(arguments.records)?;
    let mut shaping = Shaping::new(&inputs, arguments)?;
    let label_type = arguments
        .labels_as
        .or(labels.as_ref().map(Labels::element_type))
        .or(inputs.label_type)
        .unwrap_or(ElementType::U8);
    let has_labels = labels.is_some() || inputs.has_labels;
    let is_whole = arguments.per_class.is_none();
    let mut sink = sink::open(
        output,
        format,
        &shaping.layout,
        WriteOptions {
            labels: has_labels.then_some(label_type),
            header: arguments.header,
            count: is_whole.then(|| inputs.count_in(range)).flatten(),
            parquet: arguments.parquet,
        },
    )?;
    let label_sink = outputs
        .labels
        .map(|(path, format)| LabelSink::open(path, format, label_type));
    let mut label_sink = label_sink.transpose()?;
    let mut classes = arguments.per_class.map(Classes::new);

    let mut index = inputs.skip_to(range.start)?;
    if let Some(labels) = &mut labels {
        labels.skip_to(index)?;
    }

    // The records may go to the terminal that the bar is drawn on.
    let is_in_the_way = output.as_os_str() == "-" && io::stdout().is_terminal();
    let mut progress =
        (!is_in_the_way).then(|| Progress::new(output, inputs.size(index, range.end)));
    let mut record = Record::default();
    while range.end != Some(index) && inputs.read(&mut record)? {
        if let Some(progress) = &mut progress {
            progress.advance(record.bytes.len() as u64);
        }
        if let Some(labels) = &mut labels {
            record.label = labels.next_label()?.map(i128::from);
            if record.label.is_none() {
                let message = format!("there are fewer labels than records, only {index}");
                return Err(mismatch(arguments, &message));
            }
        }
        let in_range = index >= range.start;
        if in_range
            && classes
                .as_mut()
                .is_none_or(|classes| classes.take(record.label))
        {
            shaping
                .apply(&mut record)
                .map_err(|message| inputs.wrong(&message))?;
            sink.push(&record)?;
            if let (Some(sink), Some(label)) = (&mut label_sink, record.label) {
                sink.push(label, &inputs)?;
            }
        }
        index += 1;
    }
    if range.end.unwrap_or(range.start) > index {
        return Err(inputs.beyond(index));
    }
    if let (Some(labels), None) = (&mut labels, range.end)
        && labels.next_label()?.is_some()
    {
        let message = format!("there are more labels than the {index} records");
        return Err(mismatch(arguments, &message));
    }
    classes
        .map_or(Ok(()), |classes| classes.check())
        .map_err(|message| inputs.stop(message))?;
    sink.finish()?;
    label_sink.map_or(Ok(()), LabelSink::finish)
}

/// That the labels are not those of the records, which is seen at the end where the records are not
/// counted before.
fn mismatch(arguments: &ConvertArguments, message: &str) -> Stop {
    let labels = arguments.labels.as_deref().unwrap_or(Path::new("-"));
    Stop::file(
        labels,
        format!("{message}; name the labels of these records"),
    )
}

/// What happens to each record between reading and writing.
struct Shaping {
    from: NumberType,
    to: ElementType,
    /// The images whose two dimensions are swapped.
    transpose: Option<Image>,
    /// What comes out.
    layout: Layout,
    buffer: Vec<u8>,
}

impl Shaping {
    fn new(inputs: &Inputs, arguments: &ConvertArguments) -> Result<Self, Stop> {
        let mut layout = inputs.layout.clone();
        let from = layout.number_type;
        let Some(to) = arguments.element_type.or(from.element_type()) else {
            return Err(inputs.stop(format!(
                "the numbers are {from}, which IDX has not; choose a type that holds them, such as \
                 `--as i32`"
            )));
        };
        layout.number_type = to.into();
        let transpose = match (
            arguments.transpose,
            Image::of(layout.sizes().iter().copied()),
        ) {
            (true, Some(image)) => {
                layout.record_shape = Some(image.transposed(layout.sizes()));
                Some(image)
            }
            (true, None) => {
                return Err(inputs.stop(format!(
                    "records of {} are no images, so they cannot be transposed; leave --transpose out",
                    layout.shape()
                )));
            }
            (false, _) => None,
        };
        Ok(Self {
            from,
            to,
            transpose,
            layout,
            buffer: Vec::new(),
        })
    }

    fn apply(&mut self, record: &mut Record) -> Result<(), String> {
        if self.from != self.to.into() {
            self.buffer.clear();
            self.from
                .convert(&record.bytes, self.to, &mut self.buffer)
                .map_err(|error| format!("{error}; choose another type with `--as`"))?;
            std::mem::swap(&mut record.bytes, &mut self.buffer);
        }
        if let Some(image) = self.transpose {
            self.buffer.clear();
            image.transpose(&record.bytes, self.to.size(), &mut self.buffer);
            std::mem::swap(&mut record.bytes, &mut self.buffer);
        }
        Ok(())
    }
}

/// How many records of each label were taken, and the most that are.
struct Classes {
    most: u64,
    taken: BTreeMap<i128, u64>,
}

impl Classes {
    fn new(most: u64) -> Self {
        let taken = BTreeMap::new();
        Self { most, taken }
    }

    fn take(&mut self, label: Option<i128>) -> bool {
        let Some(label) = label else {
            return false;
        };
        let taken = self.taken.entry(label).or_default();
        let room = *taken < self.most;
        *taken += u64::from(room);
        room
    }

    fn check(&self) -> Result<(), String> {
        match self.taken.iter().find(|(_, taken)| **taken < self.most) {
            None => Ok(()),
            Some((label, taken)) => Err(format!(
                "label {label} has only {taken} records; take `--per-class {taken}` or less"
            )),
        }
    }
}

/// The labels that are written into a file of their own.
struct LabelSink {
    sink: Box<dyn Sink>,
    element_type: ElementType,
}

impl LabelSink {
    fn open(path: &Path, format: Format, element_type: ElementType) -> Result<Self, Stop> {
        let layout = Layout {
            number_type: element_type.into(),
            record_shape: Some(Vec::new()),
        };
        let sink = sink::open(path, format, &layout, WriteOptions::default())?;
        Ok(Self { sink, element_type })
    }

    fn push(&mut self, label: i128, inputs: &Inputs) -> Result<(), Stop> {
        let mut record = Record::default();
        Number::Integer(label)
            .append_to(&mut record.bytes, self.element_type)
            .map_err(|error| {
                inputs.wrong(&format!(
                    "label {error}; choose another type with `--labels-as`"
                ))
            })?;
        self.sink.push(&record)
    }

    fn finish(self) -> Result<(), Stop> {
        self.sink.finish()
    }
}
