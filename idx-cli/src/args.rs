use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use idx_data::dataset::DataSet;
use idx_data::{
    Column, Format, Labels, Normalization, OpenOptions, ParquetOptions, ParseSelectionError,
    RECORD_LIMIT, RecordSelection, Scale, Shards, TransformOptions,
};
use idx_std::ElementType;

pub(crate) use self::choice::ChoiceArguments;
pub(crate) use self::judge::Job;
pub(crate) use self::pictures::PictureArguments;
use crate::term::console::{is_standard_input, standard_input};
use crate::term::failure::Failure;

mod choice;
mod pictures;
mod judge;

/// The examples of a command, and what only its long help has.
macro_rules! more {
    ($name:literal) => {
        concat!(
            include_str!(concat!("help/", $name, ".txt")),
            "\n",
            include_str!(concat!("help/more/", $name, ".txt"))
        )
    };
}

/// Look at IDX files, the format of MNIST, plain or gzip.
///
/// A file is plain or gzip by its content, not by its name; `-` is standard input. Several files are
/// processed in order, even if some of them are wrong.
///
/// Exit code: 0 success, 1 a file was wrong, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(
    name = "idx",
    bin_name = "idx",
    version,
    override_usage = "idx [COMMAND]\n       idx FILE...",
    after_help = include_str!("help/idx.txt"),
    after_long_help = more!("idx")
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Colors in the output: auto is a terminal that has them, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    pub(crate) color: ColorChoice,

    /// No progress bar, and no messages but warnings and errors
    #[arg(short, long, global = true, display_order = 101)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(InfoArguments),
    Show(ShowArguments),
    Stats(StatsArguments),
    Convert(Box<ConvertArguments>),
    Check(CheckArguments),
    Diff(DiffArguments),
    Repair(RepairArguments),
    Rust(RustArguments),
    Fetch(FetchArguments),
    Completions(CompletionsArguments),
    #[cfg(feature = "man")]
    Man(ManArguments),
}

// Documentation of a flattened struct would become that of the command.

#[derive(Args, Debug, Default)]
pub(crate) struct FilesArguments {
    /// Files or folders of any format; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Print one JSON object per file, one per line
    ///
    /// A path that is not UTF-8 has its bytes in `path_bytes`.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug, Default)]
pub(crate) struct RangeArguments {
    /// Which records, numbered from 0: A..B without B, A.., ..B, -A.. from the end, A,B,C, or @FILE of them
    ///
    /// They come in the order of the file, each once. `@-` reads the list from standard input.
    #[arg(short, long, value_name = "RECORDS", allow_hyphen_values = true, value_parser = records)]
    pub(crate) records: Option<Records>,

    /// The first N records
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "records")]
    first: Option<u64>,
}

/// Which records, or the file that says it; `-` is standard input.
#[derive(Clone, Debug)]
pub(crate) enum Records {
    These(RecordSelection),
    Listed(PathBuf),
}

fn records(text: &str) -> Result<Records, ParseSelectionError> {
    match text.strip_prefix('@') {
        Some(path) => Ok(Records::Listed(path.into())),
        None => text.parse().map(Records::These),
    }
}

impl RangeArguments {
    /// The selection, if there is one.
    pub(crate) fn selection(&self) -> Result<Option<RecordSelection>, Failure> {
        Ok(match &self.records {
            Some(Records::Listed(path)) if is_standard_input(path) => {
                let records = RecordSelection::from_reader(standard_input()?);
                Some(records.map_err(|error| error.with_path(path))?)
            }
            Some(Records::Listed(path)) => Some(RecordSelection::open(path)?),
            Some(Records::These(records)) => Some(records.clone()),
            None => self.first.map(RecordSelection::first),
        })
    }
}

#[derive(Args, Debug)]
pub(crate) struct LimitArguments {
    /// The maximum size of a record in bytes, such as 500M: a few records are in memory at a time
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size)]
    pub(crate) record_limit: u64,
}

impl Default for LimitArguments {
    fn default() -> Self {
        let record_limit = RECORD_LIMIT;
        Self { record_limit }
    }
}

/// The options that change records.
const CHANGES: [&str; 4] = ["element_type", "scale", "normalize", "shape"];

/// How a file or folder of any format is read.
#[derive(Args, Debug, Default)]
pub(crate) struct ReadingArguments {
    /// The element type: u8, i8, i16, i32, f32 or f64 [default: as it is, u8 from csv]
    #[arg(long = "as", value_name = "TYPE")]
    element_type: Option<ElementType>,

    /// Map the range of the type, 0..1 of f32 and f64, to another: 0..1 makes f32, and --as u8 --scale 0..255 bytes
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    scale: Option<Scale>,

    /// Subtract MEAN and divide by STD, after --scale, such as 0.1307,0.3081
    #[arg(long, value_name = "MEAN,STD", allow_hyphen_values = true)]
    normalize: Option<Normalization>,

    /// The sizes of a record, such as 28x28
    #[arg(long, value_name = "SIZES", value_parser = shape)]
    pub(crate) shape: Option<Shape>,

    /// The first line of csv names the columns
    #[arg(long)]
    pub(crate) header: bool,

    /// The column of csv or Parquet that has the records: a number from 0, or a name [default: all of csv]
    #[arg(long = "column", value_name = "COLUMN")]
    pub(crate) record_column: Option<Column>,

    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

impl ReadingArguments {
    /// How the records are changed after they were read.
    pub(crate) fn changes(&self, transpose: bool) -> TransformOptions {
        TransformOptions::new()
            .element_type(self.element_type)
            .scale(self.scale)
            .normalization(self.normalize)
            .transpose(transpose)
    }

    /// Whether the records differ from those of the file.
    pub(crate) fn has_changes(&self) -> bool {
        self.changes(false) != TransformOptions::default() || self.shape.is_some()
    }

    /// The options, with the labels that the input has unless they are in a file.
    pub(crate) fn options(&self, labels: &LabelArguments) -> OpenOptions {
        let are_labels_marked = match labels.files.is_empty() {
            true => Labels::Marked,
            false => Labels::Ignored,
        };
        OpenOptions::new()
            .element_type(self.changes(false).csv_type())
            .shape(self.shape.clone())
            .header(self.header)
            .labels(are_labels_marked)
            .label_column(labels.column.clone())
            .column(self.record_column.clone())
            .record_limit(self.limit.record_limit)
    }
}

fn positive<N: std::str::FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "write a whole number above 0")
}

/// A number of bytes, with K, M or G for the powers of 1024.
fn size(text: &str) -> Result<u64, &'static str> {
    let number = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let power = match text.get(number.len()..).unwrap_or_default() {
        "" => Some(0),
        "k" | "K" => Some(10),
        "m" | "M" => Some(20),
        "g" | "G" => Some(30),
        _ => None,
    };
    let size = number.parse::<u64>().ok().zip(power);
    let size = size.and_then(|(number, power)| number.checked_mul(1 << power));
    size.ok_or("write a whole number of bytes, or one with K, M or G, such as 500M")
}

#[derive(Args, Debug, Default)]
pub(crate) struct LabelArguments {
    /// The labels of the records, a file of integers: one per record, or several columns
    #[arg(short = 'l', long = "labels", id = "labels", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The column of the labels, or of csv or Parquet without --labels: a number from 0, or a name
    #[arg(long = "label-column", value_name = "COLUMN")]
    pub(crate) column: Option<Column>,

    /// The names of the classes, one in each line [default: those of the input, or of a known set]
    #[arg(long, value_name = "FILE")]
    pub(crate) classes: Option<PathBuf>,
}

#[derive(Args, Debug, Default)]
pub(crate) struct OverwriteArguments {
    /// Replace files that exist; a folder has to be new or empty
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// Show the format, element type, sizes and compression, from the header alone.
///
/// The length of a plain file is checked too. Of gzip data only the header is decompressed. Whatever `idx
/// convert` reads has these; of csv, the first line is read, and of pictures the first one. With --as, --scale,
/// --normalize or --shape, what the records become.
#[derive(Args, Debug, Default)]
#[command(after_help = include_str!("help/info.txt"), after_long_help = more!("info"))]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    /// Read the whole file and report which well-known one it is, such as "MNIST training images"
    #[arg(long, conflicts_with_all = CHANGES)]
    pub(crate) identify: bool,

    /// Print the bytes of the header, and what each of them says, even if the file is broken
    #[arg(long, conflicts_with_all = CHANGES, conflicts_with_all = ["identify", "json"])]
    pub(crate) hex: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Show records as pictures, or as numbers if they are not images.
///
/// A record of two dimensions is a picture, and so is one of three with 3 or 1 channels first or last.
/// Bytes are ink on paper, 0 is paper; other types are scaled from the minimum to the maximum of the
/// record. Without --records, the first 10 are shown, and a sheet has the first 100.
#[derive(Args, Debug, Default)]
#[command(
    mut_arg("labels", |labels| labels.requires("files").action(ArgAction::Set)),
    mut_arg("column", |column| column.requires("files")),
    mut_arg("force", |force| force.requires("output")),
    after_help = include_str!("help/show.txt"), after_long_help = more!("show")
)]
pub(crate) struct ShowArguments {
    /// Files or folders of any format; `-` is standard input [default: the built-in sample]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) range: RangeArguments,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    /// Write a contact sheet, a PNG file, instead of printing; `-` is standard output
    #[arg(short, long, value_name = "SHEET")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Show extremes, mean, deviation, histogram, and records per label.
///
/// The standard deviation is that of a population. NaN and infinities are counted and otherwise left
/// out. The bins of the histogram are equally wide, by a power of two, and start at multiples of their
/// width; A..B are the values from A to before B.
#[derive(Args, Debug)]
#[command(
    mut_arg("labels", |labels| labels.action(ArgAction::Set)),
    after_help = include_str!("help/stats.txt"), after_long_help = more!("stats")
)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Convert between IDX, npy, csv, Parquet and folders of pictures; all records, a range, or N per class.
///
/// The format of an input is known by its content, that of the output by its name: .idx, .gz, .npy,
/// .csv, .parquet, a name like *idx3-ubyte, or a folder for pictures. Several inputs of one type and shape
/// are joined, as are the files of a folder of Parquet, and --records counts through all of them.
/// Parquet needs the feature `parquet`.
#[derive(Args, Debug)]
#[command(
    mut_arg("labels", |labels| {
        labels.help("The labels of all records, a file of integers, or such a file for each input")
    }),
    after_help = include_str!("help/convert.txt"), after_long_help = more!("convert")
)]
pub(crate) struct ConvertArguments {
    /// Files of IDX, npy, csv or Parquet, or folders of pictures or Parquet; `-` is standard input
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,

    /// The file or folder to write; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,

    /// Output format [default: from the name of OUT, idx to standard output]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) to: Option<Format>,

    #[command(flatten)]
    pub(crate) range: RangeArguments,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    /// Where to write the labels: those of --labels, of pictures or Parquet, or a column of csv
    #[arg(long, value_name = "FILE")]
    pub(crate) labels_out: Option<PathBuf>,

    /// Where the records go that --split or --sample leaves, for testing
    #[arg(long, value_name = "OUT")]
    pub(crate) rest: Option<PathBuf>,

    /// Where to write the labels of the rest
    #[arg(long, value_name = "FILE", requires = "rest")]
    pub(crate) rest_labels: Option<PathBuf>,

    /// The element type of the labels that are written [default: that of --labels, or u8]
    #[arg(long, value_name = "TYPE")]
    pub(crate) labels_as: Option<ElementType>,

    /// Write pictures into a folder for each class, as torchvision and Keras read them
    #[arg(long)]
    pub(crate) by_class: bool,

    /// Swap the two dimensions of each image, as EMNIST needs it
    #[arg(long)]
    pub(crate) transpose: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,

    #[command(flatten)]
    pub(crate) choice: ChoiceArguments,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,

    /// The maximum number of threads that read or write pictures, csv and Parquet [default: one for each core]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) parquet: ParquetArguments,
}

/// Verify files, or the folder of a data set.
///
/// Each file is read to its end. This checks its length and the checksum of gzip, and identifies well-known files.
/// Images need as many labels: those of the other file if there are two, or those beside them, which are found by
/// usual names such as train-images-idx3-ubyte and checked as well. A folder must hold a data set: four files under
/// any of their usual names, as many labels as images, only labels of the set, and no file of another set.
#[derive(Args, Debug)]
#[command(
    mut_arg("files", |files| files.help("Files of IDX, plain or gzip, and folders; `-` is standard input")),
    after_help = include_str!("help/check.txt"), after_long_help = more!("check")
)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    /// Find records that are the same, within files of any format or between them
    #[arg(long, conflicts_with = "json")]
    pub(crate) duplicates: bool,

    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

/// Show which records of two files or folders differ.
///
/// Their formats may differ, but not the type and the shape of their records; --as, --scale and --normalize change
/// both. The labels of pictures, of Parquet, and of csv with a column `label` are compared too.
///
/// Exit code: 0 the same, 1 different, 2 a file was wrong, or wrong usage.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/diff.txt"))]
pub(crate) struct DiffArguments {
    /// A file or folder of any format; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) one: PathBuf,

    /// The other one
    #[arg(value_name = "OTHER")]
    pub(crate) other: PathBuf,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Keep the whole records of a file that a crash left unfinished.
///
/// The header gets the number of whole records, and bytes after them are removed. A gzip file is rewritten.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/repair.txt"))]
pub(crate) struct RepairArguments {
    /// Files, plain or gzip
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Change nothing, only report what is wrong
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Write the record type and the `static` to paste into firmware.
///
/// For Rust a file must be plain, as its bytes go into the program as they are. If it is inside a package,
/// its path is relative to that. For C and Verilog the numbers are written out.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/rust.txt"))]
pub(crate) struct RustArguments {
    /// Files, plain for Rust
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write a header of C with the numbers as an array
    #[arg(long, conflicts_with = "mem")]
    pub(crate) c: bool,

    /// Write the numbers of one file in hexadecimal, as Verilog's $readmemh reads them
    #[arg(long)]
    pub(crate) mem: bool,
}

/// Download a data set and verify its hashes.
///
/// A file appears when it is whole; an interrupted download starts again. Without the feature `fetch`, the
/// addresses and hashes of the files are printed instead.
#[derive(Args, Debug)]
#[command(
    mut_arg("force", |force| force.help("Replace files that differ from the published ones")),
    after_help = include_str!("help/fetch.txt")
)]
pub(crate) struct FetchArguments {
    /// The data set
    #[arg(value_name = "NAME", value_parser = data_set_parser())]
    pub(crate) name: DataSet,

    /// The folder for the files, created if it does not exist
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Try this base URL first
    #[arg(long, value_name = "URL")]
    pub(crate) mirror: Vec<String>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,
}

fn data_set_parser() -> impl TypedValueParser<Value = DataSet> {
    PossibleValuesParser::new(DataSet::ALL.map(DataSet::id)).try_map(|name| {
        let mut data_sets = DataSet::ALL.into_iter();
        let named = data_sets.find(|data_set| data_set.id() == name);
        named.ok_or("not the name of a data set")
    })
}

/// Print a completion script for a shell.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/completions.txt"))]
pub(crate) struct CompletionsArguments {
    pub(crate) shell: Shell,
}

/// Write the manual, a page for each command, into a folder.
#[cfg(feature = "man")]
#[derive(Args, Debug)]
#[command(hide = true)]
pub(crate) struct ManArguments {
    /// The folder for the pages, which replace nothing
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// The error for arguments that exclude each other, found after they were parsed.
pub(crate) fn usage(command: &str, text: &str) -> Failure {
    let mut arguments = Arguments::command();
    arguments.build();
    let kind = clap::error::ErrorKind::ValueValidation;
    Failure::Usage(match arguments.find_subcommand_mut(command) {
        Some(command) => command.error(kind, text),
        None => arguments.error(kind, text),
    })
}

/// How Parquet is written.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "Parquet")]
pub(crate) struct ParquetArguments {
    /// How the column holds a record [default: list]
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<ColumnLayout>,

    /// Maximum records per row group (a group also ends at 64 MiB) [default: 16384]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    row_group_records: Option<NonZeroU64>,

    /// Write a folder of N files, such as part-00000-of-00016.parquet
    #[arg(long, value_name = "N", conflicts_with = "shard_records", value_parser = positive::<NonZeroU64>)]
    shards: Option<NonZeroU64>,

    /// Write a folder of files with N records each
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    shard_records: Option<NonZeroU64>,
}

/// How a column holds a record that is not a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColumnLayout {
    /// Numbers, which Arrow knows as a tensor
    List,
    /// Bytes, each number little-endian
    Binary,
}

impl ParquetArguments {
    /// Whether the output is a folder of several files.
    pub(crate) fn makes_shards(self) -> bool {
        self.shards.is_some() || self.shard_records.is_some()
    }

    pub(crate) fn options(self) -> ParquetOptions {
        let files = self.shards.map(Shards::Files);
        ParquetOptions::new()
            .binary(self.layout == Some(ColumnLayout::Binary))
            .row_group_records(self.row_group_records)
            .shards(files.or(self.shard_records.map(Shards::Records)))
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

/// The sizes of a record, as one value of an option.
pub(crate) type Shape = Vec<u32>;

fn shape(text: &str) -> Result<Shape, &'static str> {
    let sizes = text.split('x').map(|size| size.trim().parse());
    let sizes: Result<_, _> = sizes.collect();
    sizes.map_err(|_| "write the sizes as whole numbers with x between them, such as 28x28")
}
