//! The options of all commands.

use std::ffi::{OsStr, OsString};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::{ArgAction, ArgGroup, Args, ColorChoice, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use idx_data::dataset::DataSet;
use idx_data::{Axes, ColumnLayout, Format, OpenOptions, Reading, Relabeling};
use idx_std::{AtomicFile, ElementType};

use crate::term::failure::Failure;
pub(crate) use choice::{ChoiceArguments, ClassArguments};
pub(crate) use help::with_short_help;
use help::{in_full, in_short};
pub(crate) use pictures::PictureArguments;
use reading::CHANGES;
pub(crate) use reading::{
    LabelArguments, LimitArguments, Opening, RangeArguments, ReadingArguments,
};

use values::{
    axes, data_set_parser, format_parser, label_type_parser, layout_parser, positive, type_parser,
};

mod choice;
mod effect;
pub(crate) mod help;
mod pictures;
mod reading;
mod values;

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

/// Inspect, check and convert IDX files (the format of MNIST).
///
/// Compression is detected from the content of a file, never from its name; `-` is standard input. Several files are
/// processed in order, even if one of them has an error.
///
/// Exit code: 0 success, 1 an error in a file, 2 a usage error.
#[derive(Debug, Parser)]
#[command(
    name = "idx",
    bin_name = "idx",
    version,
    override_usage = "idx [COMMAND]\n       idx FILE...",
    after_help = include_str!("help/idx.txt"),
    after_long_help = more!("idx"),
    mut_args(in_full)
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Use color: auto, always or never
    ///
    /// auto: on a terminal that has colors, unless `NO_COLOR` is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) color: ColorChoice,

    /// Print only warnings and errors
    ///
    /// It hides progress, notes and readings.
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

// No documentation: that of a flattened struct would replace that of its command.

#[derive(Args, Debug, Default)]
pub(crate) struct FilesArguments {
    /// Files or folders of any format; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Print a line of JSON for each file
    ///
    /// A path that is not UTF-8 has its bytes in `path_bytes`.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug, Default)]
pub(crate) struct OverwriteArguments {
    /// Overwrite existing files
    ///
    /// A folder must be new or empty.
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl OverwriteArguments {
    /// Creates a file; it replaces an existing one if that is allowed.
    pub(crate) fn create(&self, path: &Path) -> Result<AtomicFile, Failure> {
        Ok(AtomicFile::start(path, !self.force)?)
    }
}

/// Show type, shape and compression, without reading all records.
///
/// Each part of a data set is shown under its name. The length of the file is checked; a gzip file is read whole only
/// if the length at its end disagrees with the header. `idx check` reads everything. Every format that `idx convert`
/// reads works: csv by its first line, folders by their first picture. --as, --scale, --normalize and --shape show the
/// facts after a conversion.
#[derive(Args, Debug, Default)]
#[command(after_help = include_str!("help/info.txt"), after_long_help = more!("info"),
    mut_args(in_short))]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    /// Name the file if it is well known
    ///
    /// It prints a name such as "MNIST training images", and reads the whole file.
    #[arg(long, conflicts_with_all = CHANGES)]
    pub(crate) identify: bool,

    /// Print an annotated hex dump of the header
    ///
    /// It works for broken files too.
    #[arg(long, conflicts_with_all = CHANGES, conflicts_with_all = ["identify", "json"])]
    pub(crate) hex: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Show records as pictures, or as numbers if they are not images.
///
/// Records of HEIGHT x WIDTH, with 1 or 3 channels before or after, are drawn as pictures: 0 is black and 255 is white.
/// --invert draws ink on paper. By default, the first 10 records are shown, and the first 100 on a sheet. Each part of
/// a data set is shown under its name, with the labels and class names next to it unless --no-labels is given.
#[derive(Args, Debug, Default)]
#[command(
    mut_arg("labels", |labels| labels.requires("files").action(ArgAction::Set)),
    mut_arg("label_column", |column| column.requires("files")),
    mut_arg("force", |force| force.requires("output").help("Overwrite an existing file").long_help(None)),
    after_help = include_str!("help/show.txt"), after_long_help = more!("show"),
    mut_args(in_short)
)]
pub(crate) struct ShowArguments {
    /// Files or folders of any format [default: a sample]
    ///
    /// `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) range: RangeArguments,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    /// Write a contact sheet in PNG
    ///
    /// `-` is standard output.
    #[arg(short, long, value_name = "SHEET")]
    pub(crate) output: Option<PathBuf>,

    /// Number the pictures of the sheet
    #[arg(long, requires = "output")]
    pub(crate) numbers: bool,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,

    #[command(flatten)]
    pub(crate) classes: ClassArguments,

    /// Show white as black, and black as white
    #[arg(long)]
    pub(crate) invert: bool,

    /// Swap rows and columns, for EMNIST
    ///
    /// Its pictures are stored transposed.
    #[arg(long)]
    pub(crate) transpose: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Show minimum, maximum, mean, histogram and records per label.
///
/// Each part of a data set is shown under its name, with the labels next to it unless --no-labels is given. The
/// standard deviation is that of a population. NaN and infinities are counted, but not included in the other figures.
/// All bins have the same width, a power of two; A..B means A <= value < B. A bar that ends in > is longer than drawn.
#[derive(Args, Debug)]
#[command(
    mut_arg("labels", |labels| labels.action(ArgAction::Set)),
    after_help = include_str!("help/stats.txt"), after_long_help = more!("stats"),
    mut_args(in_short)
)]
pub(crate) struct StatsArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Convert IDX, npy, npz, csv, Parquet and folders of pictures.
///
/// Input formats are detected from the content. The name of OUT chooses the output format: .idx, .gz, .npy, .npz, .csv,
/// .parquet, a name like *idx3-ubyte, or a folder for pictures. Labels and class names are written too, into files next
/// to OUT if the format cannot hold them. A folder with MNIST's files, or with the folders train and test, is a data
/// set of two parts; mnist/:test is one of them. Several inputs are joined, part by part.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("chance").args(["split", "sample"]).multiple(true),
    after_help = include_str!("help/convert.txt"), after_long_help = more!("convert"),
    mut_args(in_full)
)]
pub(crate) struct ConvertArguments {
    /// Files or folders of any format; mnist/:test is a part
    ///
    /// `-` is standard input.
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,

    /// The file or folder to write
    ///
    /// `-` is standard output, the default for a single input.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Output format [default: by the name of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    #[arg(hide_possible_values = true)]
    pub(crate) to: Option<Format>,

    #[command(flatten)]
    pub(crate) range: RangeArguments,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,

    /// File for the other records of --split or --sample
    ///
    /// This can be the test set, for example.
    #[arg(long, value_name = "OUT", requires = "chance", conflicts_with = "first")]
    pub(crate) rest: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    /// Write labels as u8, i8, i16 or i32 [default: their own type]
    #[arg(long, value_name = "TYPE", value_parser = label_type_parser(), hide_short_help = true)]
    #[arg(hide_possible_values = true, conflicts_with = "no_labels")]
    pub(crate) labels_as: Option<ElementType>,

    /// Give classes other labels or names, such as 10=0
    ///
    /// cat=animal,dog=animal merges two; 1..26=0..25 is for EMNIST. --classes, --only and --except are applied before.
    #[arg(long, value_name = "FROM=TO,..", allow_hyphen_values = true, hide_short_help = true)]
    #[arg(conflicts_with = "no_labels", value_parser = str::parse::<Relabeling>)]
    pub(crate) relabel: Option<Relabeling>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// Swap rows and columns, or order all axes: 2,0,1
    ///
    /// By itself, it turns EMNIST's pictures upright. 2,0,1 brings channels to the front.
    #[arg(long, value_name = "AXES", num_args = 0..=1, require_equals = true, value_parser = axes)]
    #[arg(default_missing_value = "")]
    pub(crate) transpose: Option<Axes>,

    /// Use at most N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, hide_short_help = true)]
    pub(crate) threads: Option<NonZeroUsize>,

    // Last, because their headings would also apply to the options below them.
    #[command(flatten)]
    pub(crate) choice: ChoiceArguments,

    #[command(flatten)]
    pub(crate) pictures: PictureArguments,

    #[command(flatten)]
    pub(crate) parquet: ParquetArguments,
}

/// Verify files and data sets.
///
/// Each file is read to its end. This checks its length and the gzip checksum, and identifies well-known files. If
/// labels are among the files or next to the records (own-labels-idx1-ubyte for own-images-idx3-ubyte), each record
/// must have one. A folder of IDX files must hold a data set under any of the usual names: one label for each image,
/// only labels of the set, no file of another set, and for a well-known set, all four files. In other formats, all
/// records are read.
#[derive(Args, Debug)]
#[command(
    mut_arg("files", |files| files.help("Files, folders of data sets, and parts such as mnist/:train")),
    after_help = include_str!("help/check.txt"), after_long_help = more!("check"),
    mut_args(in_short)
)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    /// Find equal records, within files or between them
    ///
    /// The files may have any format, but their records must have one type and size. Labels are ignored; in csv, these
    /// are in a column `label`, `class`, `target` or `y`.
    #[arg(long)]
    pub(crate) duplicates: bool,

    /// Read csv as u8, i8, i16, i32, f32 or f64
    ///
    /// By default, csv is read as u8. Other formats have a type of their own.
    #[arg(long = "as", value_name = "TYPE", value_parser = type_parser())]
    #[arg(hide_possible_values = true)]
    pub(crate) element_type: Option<ElementType>,

    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

impl CheckArguments {
    /// Returns the options for reading the inputs.
    pub(crate) fn opening(&self) -> OpenOptions {
        let element_type = self.element_type.unwrap_or(ElementType::U8);
        OpenOptions::new().record_limit(self.limit.record_limit).element_type(element_type)
    }

    /// Refuses a type for csv if no input is csv, according to these readings.
    pub(crate) fn expect_effect(&self, readings: &[Reading]) -> Result<(), Failure> {
        let opening = self.opening();
        let is_unused = |reading| opening.unused(reading).contains(&"element_type");
        // The default counts as not given.
        let is_given = self.element_type.is_some_and(|given| given != ElementType::U8);
        match is_given && readings.iter().all(is_unused) {
            true => Err(usage("check", "--as has no effect on these files; leave it out")),
            false => Ok(()),
        }
    }
}

/// Show which records of two files or folders differ.
///
/// The formats may differ, but not the type and shape of the records; --as, --scale and --normalize apply to both
/// files. Labels and names of classes are compared if both files have them, in the file or next to it. The same records
/// in another order are recognized.
///
/// Exit code: 0 the same, 1 different, 2 an error in a file, or a usage error.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/diff.txt"), mut_args(in_short))]
pub(crate) struct DiffArguments {
    /// First file or folder, of any format
    ///
    /// `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) one: PathBuf,

    /// Second file or folder
    #[arg(value_name = "OTHER")]
    pub(crate) other: PathBuf,

    /// Print a line of JSON
    ///
    /// Its keys are path, other, same, and differences (the sentences of the text output).
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Recover the records of a file whose writer crashed.
///
/// The header gets the number of complete records. Only an incomplete record and erased flash after them are removed.
/// If more would be lost, the file stays as it is: --keep-all also keeps the records that the header does not count,
/// and -o writes what is kept to a new file. A gzip file is rewritten. A log from flash always needs -o.
///
/// A download that was cut short keeps its labels with `idx convert FILE --records ..N -o NEW` instead.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/repair.txt"), after_long_help = more!("repair"))]
pub(crate) struct RepairArguments {
    /// IDX files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The new IDX file; FILE stays as it is
    #[arg(short, long, value_name = "NEW")]
    pub(crate) output: Option<PathBuf>,

    /// Report what is wrong, and change nothing
    #[arg(long, conflicts_with = "output")]
    pub(crate) dry_run: bool,

    /// Print a line of JSON for each file
    #[arg(long)]
    pub(crate) json: bool,

    /// Also keep complete records that the header does not count
    #[arg(long)]
    pub(crate) keep_all: bool,
}

/// Print Rust, C or Verilog source with the data, for firmware.
///
/// The Rust source includes the file with `include_bytes!`, so the file must not be compressed. Its path is relative if
/// the file and OUT (or the current folder) are in one package, and absolute otherwise. C and Verilog sources contain
/// the numbers.
#[derive(Args, Debug)]
#[command(
    mut_arg("force", |force| force.requires("output").help("Overwrite an existing file").long_help(None)),
    after_help = include_str!("help/rust.txt")
)]
pub(crate) struct RustArguments {
    /// IDX files; for Rust, not compressed
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The file to write: .rs, .h for C, or .mem for Verilog
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Write a C header with the numbers as an array
    #[arg(long, conflicts_with = "mem")]
    pub(crate) c: bool,

    /// Write hexadecimal words for Verilog's $readmemh
    #[arg(long)]
    pub(crate) mem: bool,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,
}

/// Download a data set and verify its hashes.
///
/// A file appears when it is complete; an interrupted download starts again. Without the feature `fetch`, the
/// addresses and hashes of the files are printed instead.
#[derive(Args, Debug)]
#[command(
    arg_required_else_help = true,
    mut_arg("force", |force| force.help("Replace files that differ from published ones").long_help(None)),
    after_help = include_str!("help/fetch.txt")
)]
pub(crate) struct FetchArguments {
    /// The data set
    #[arg(value_name = "NAME", value_parser = data_set_parser(), ignore_case = true)]
    pub(crate) name: DataSet,

    /// The folder for the files, which may be new [default: the name of the data set]
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    /// Try this base URL first
    #[arg(long, value_name = "URL")]
    pub(crate) mirror: Vec<String>,

    #[command(flatten)]
    pub(crate) overwrite: OverwriteArguments,
}

impl FetchArguments {
    pub(crate) fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new(self.name.id()))
    }
}

/// Print a completion script for a shell.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true, after_help = include_str!("help/completions.txt"))]
pub(crate) struct CompletionsArguments {
    pub(crate) shell: Shell,
}

/// Write the manual, a page for each command, into a folder.
#[cfg(feature = "man")]
#[derive(Args, Debug)]
#[command(hide = true)]
pub(crate) struct ManArguments {
    /// The new folder for the pages
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// Returns a usage error found after parsing, such as arguments that exclude each other.
pub(crate) fn usage(command: &str, text: &str) -> Failure {
    let mut arguments = Arguments::command();
    arguments.build();
    let kind = clap::error::ErrorKind::ValueValidation;
    Failure::Usage(match arguments.find_subcommand_mut(command) {
        Some(command) => command.error(kind, text),
        None => arguments.error(kind, text),
    })
}

/// The options of writing Parquet.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(next_help_heading = "Parquet")]
pub(crate) struct ParquetArguments {
    /// Store a record as list, tensor or binary
    ///
    /// A list of numbers (default), an Arrow tensor, or little-endian bytes.
    #[arg(long, value_name = "LAYOUT", value_parser = layout_parser(), hide_short_help = true)]
    #[arg(hide_possible_values = true)]
    pub(crate) layout: Option<ColumnLayout>,

    /// Write a folder of N files
    ///
    /// Their names are like part-00000-of-00016.parquet.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    pub(crate) shards: Option<NonZeroU64>,
}

/// Joins `--transpose` and its axes into one word: without axes it is complete, so the next word would be taken for a
/// file.
pub(crate) fn with_axes(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let are_axes = |word: &OsStr| {
        let is_one =
            |axis: &str| !axis.is_empty() && axis.bytes().all(|digit| digit.is_ascii_digit());
        word.to_str().is_some_and(|text| text.contains(',') && text.split(',').all(is_one))
    };
    let mut all: Vec<OsString> = Vec::new();
    for word in words {
        match all.last_mut().filter(|last| *last == "--transpose" && are_axes(&word)) {
            Some(last) => {
                last.push("=");
                last.push(word);
            }
            None => all.push(word),
        }
    }
    all
}
