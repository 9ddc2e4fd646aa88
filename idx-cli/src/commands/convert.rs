use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::Path;

use idx_std::{ElementType, Number, NumberType};

use crate::args::{self, ConvertArguments};
use crate::convert::folder;
use crate::convert::format::Format;
use crate::convert::inputs::Inputs;
use crate::convert::layout::Layout;
use crate::convert::sink::{self, Sink, WriteOptions};
use crate::convert::source::{ReadOptions, Record};
use crate::image::Image;
use crate::labels::Labels;
use crate::term::failure::Failure;
use crate::term::progress::Progress;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    let outputs = Outputs::new(arguments)?;
    convert(arguments, &outputs)
}

/// The files to write, and what they are.
struct Outputs<'a> {
    records: (&'a Path, Format),
    labels: Option<(&'a Path, Format)>,
}

impl<'a> Outputs<'a> {
    fn new(arguments: &'a ConvertArguments) -> Result<Self, Failure> {
        let path = &arguments.output;
        let is_split = arguments.parquet.are_split();
        let shards = is_split.then_some(Format::Parquet);
        let Some(format) = arguments.to.or(shards).or_else(|| Format::of(path)) else {
            return Err(usage(&format!(
                "cannot infer the output format from {path:?}; use a name ending in .idx, .gz, .npy, .csv, \
                 .parquet or /, or pass --to"
            )));
        };
        if format != Format::Parquet && arguments.parquet.are_used() {
            return Err(usage(
                "--layout, --row-group-records, --shards and --shard-records apply only to Parquet \
                 output",
            ));
        }
        if path.as_os_str() == "-" && (is_split || format == Format::Png) {
            let files = if is_split { "shards go" } else { "png goes" };
            return Err(usage(&format!(
                "{files} to a folder, not to standard output; give a folder"
            )));
        }
        let labels = arguments.labels_out.as_deref().map(|path| {
            let format = Format::of(path);
            let format = format.filter(|format| !matches!(format, Format::Png | Format::Parquet));
            format.map(|format| (path, format)).ok_or_else(|| {
                usage("--labels-out takes a name that ends in .idx, .gz, .npy or .csv, or is like *idx1-ubyte")
            })
        });
        let labels = labels.transpose()?;
        let used = labels.is_some() || arguments.per_class.is_some() || format.holds_labels();
        if arguments.labels.file.is_some() && !used {
            return Err(usage(
                "IDX and npy files have no place for --labels; add --labels-out FILE",
            ));
        }
        if arguments.labels_as.is_some() && labels.is_none() && format != Format::Parquet {
            return Err(usage("--labels-as needs --labels-out FILE"));
        }
        Ok(Self {
            records: (path, format),
            labels,
        })
    }
}

fn usage(text: &str) -> Failure {
    args::usage("convert", text)
}

fn convert(arguments: &ConvertArguments, outputs: &Outputs<'_>) -> Result<(), Failure> {
    let (output, format) = outputs.records;
    if !arguments.overwrite.force {
        arguments.overwrite.check(output)?;
        if format == Format::Png || arguments.parquet.are_split() {
            folder::refuse_to_replace(output)?;
        }
        outputs
            .labels
            .map_or(Ok(()), |(path, _)| arguments.overwrite.check(path))?;
    }
    let needs_labels = outputs.labels.is_some() || arguments.per_class.is_some();
    let own_labels = arguments.labels.file.is_none();
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
    let mut labels = match &arguments.labels.file {
        Some(path) => Some(inputs.labels(path, arguments.labels.column)?),
        None if needs_labels && !inputs.has_labels => {
            return Err(inputs.stop("these records have no labels; add --labels FILE"));
        }
        None => None,
    };
    let range = inputs.range(arguments.range.records)?;
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
fn mismatch(arguments: &ConvertArguments, message: &str) -> Failure {
    let labels = arguments.labels.file.as_deref().unwrap_or(Path::new("-"));
    Failure::file(
        labels,
        format!("{message}; give the label file of these records"),
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
    fn new(inputs: &Inputs, arguments: &ConvertArguments) -> Result<Self, Failure> {
        let mut layout = inputs.layout.clone();
        let from = layout.number_type;
        let Some(to) = arguments.element_type.or(from.element_type()) else {
            return Err(inputs.stop(format!(
                "IDX has no {from}; choose an element type, such as `--as i32`"
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
                    "records of {} are not images and cannot be transposed; leave out --transpose",
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

/// How many records of each label were taken, and how many there are to be.
struct Classes {
    wanted: u64,
    taken: BTreeMap<i128, u64>,
}

impl Classes {
    fn new(wanted: u64) -> Self {
        let taken = BTreeMap::new();
        Self { wanted, taken }
    }

    fn take(&mut self, label: Option<i128>) -> bool {
        let Some(label) = label else {
            return false;
        };
        let taken = self.taken.entry(label).or_default();
        let room = *taken < self.wanted;
        *taken += u64::from(room);
        room
    }

    fn check(&self) -> Result<(), String> {
        match self.taken.iter().find(|(_, taken)| **taken < self.wanted) {
            None => Ok(()),
            Some((label, taken)) => Err(format!(
                "label {label} has only {taken} records; use `--per-class {taken}` or less"
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
    fn open(path: &Path, format: Format, element_type: ElementType) -> Result<Self, Failure> {
        let layout = Layout {
            number_type: element_type.into(),
            record_shape: Some(Vec::new()),
        };
        let sink = sink::open(path, format, &layout, WriteOptions::default())?;
        Ok(Self { sink, element_type })
    }

    fn push(&mut self, label: i128, inputs: &Inputs) -> Result<(), Failure> {
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

    fn finish(self) -> Result<(), Failure> {
        self.sink.finish()
    }
}
