//! The options of all commands and their help, and how options become those of the library.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, Resettable, StyledStr, TypedValueParser};
use clap::{
    Arg, ArgAction, ArgGroup, Args, ColorChoice, CommandFactory, Parser, Subcommand, ValueEnum,
};
use clap_complete::Shell;
use idx_data::dataset::DataSet;
use idx_data::{
    Axes, ClassNames, Column, Error, Format, OpenOptions, RecordSelection, Relabeling, Set, Source,
    TransformOptions,
};
use idx_std::{AtomicFile, ElementType};

use crate::term::console::{is_standard_input, standard_input};
use crate::term::failure::Failure;
pub(crate) use choice::{ChoiceArguments, ClassArguments};
pub(crate) use pictures::PictureArguments;

mod choice;
mod effect;
mod pictures;

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
    /// This hides the progress bar and the lines about written files.
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

/// The options by which any command reads other formats; only `convert` explains them at length.
const READING: [&str; 14] = [
    "labels",
    "classes",
    "element_type",
    "scale",
    "normalize",
    "shape",
    "header",
    "no_header",
    "label_column",
    "no_labels",
    "skip",
    "record_column",
    "raw",
    "record_limit",
];

/// An option of `convert`, whose long help follows the short one without an empty line between them.
fn in_full(option: Arg) -> Arg {
    let option = match READING.contains(&option.get_id().as_str()) {
        true => option.help_heading("Reading"),
        false => option,
    };
    match option.get_long_help().map(ToString::to_string) {
        Some(help) => option.long_help(help.replacen("\n\n", ". ", 1)),
        None => option,
    }
}

/// The heading of these options of the other commands.
pub(crate) const IN_SHORT: &str = "Reading (`idx help convert` explains these)";

/// An option of another command.
fn in_short(option: Arg) -> Arg {
    match READING.contains(&option.get_id().as_str()) {
        true => option.help_heading(IN_SHORT).long_help(Resettable::Reset),
        false => in_full(option),
    }
}

/// Moves the options that the long help of a command does not explain to its end, a line for each.
pub(crate) fn with_short_help(mut all: clap::Command) -> clap::Command {
    // The options of a command are not there before.
    all.build();
    with_headings(all).mut_subcommands(|command| {
        let is_short = |option: &Arg| option.get_help_heading() == Some(IN_SHORT);
        let options = READING.into_iter().filter_map(|name| {
            command.get_arguments().find(|option| option.get_id() == name && is_short(option))
        });
        let rows = options.map(|option| {
            let short =
                option.get_short().map_or("    ".to_string(), |short| format!("-{short}, "));
            let long = option.get_long().unwrap_or_default();
            let value = option.get_action().takes_values().then(|| option.get_value_names());
            let value = value.flatten().and_then(<[_]>::first);
            let value = value.map(|value| format!(" <{value}>")).unwrap_or_default();
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            format!("  {:<30}{help}\n", format!("{short}--{long}{value}"))
        });
        let rows: String = rows.collect();
        let more = command.get_after_long_help().or(command.get_after_help());
        let more = more.map(|more| more.ansi().to_string()).unwrap_or_default();
        with_headings(match rows.is_empty() {
            true => command,
            false => command.after_long_help(format!("{IN_SHORT}:\n{rows}\n{more}")).mut_args(
                move |option| match is_short(&option) {
                    true => option.hide_long_help(true),
                    false => option,
                },
            ),
        })
    })
}

/// Gives the headings below the options the style of those above.
fn with_headings(command: clap::Command) -> clap::Command {
    let header = *command.get_styles().get_header();
    let line = |line: &str| {
        // A longer line is a sentence before a list.
        match !line.starts_with(' ') && line.ends_with(':') && line.len() < 50 {
            true => format!("{header}{line}{header:#}\n"),
            false => format!("{line}\n"),
        }
    };
    let styled = |text: &StyledStr| -> StyledStr {
        text.ansi().to_string().lines().map(line).collect::<String>().into()
    };
    let short = command.get_after_help().map(styled);
    let long = command.get_after_long_help().map(styled);
    let or_none = |text: Option<StyledStr>| text.map_or(Resettable::Reset, Resettable::Value);
    command.after_help(or_none(short)).after_long_help(or_none(long))
}

// Documentation of a flattened struct would become that of the command.

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
pub(crate) struct RangeArguments {
    /// Records from 0: 5, 0..10, 10.., 5,9,12, @FILE
    ///
    /// 0..10 excludes 10, -10.. is the last ten. @FILE lists numbers. The order is the file's.
    #[arg(short, long, value_name = "RECORDS", allow_hyphen_values = true, value_parser = records)]
    pub(crate) records: Option<Records>,

    /// At most N records, after the other choices
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) first: Option<u64>,
}

/// The chosen records, or the file that lists them; `-` is standard input.
#[derive(Clone, Debug)]
pub(crate) enum Records {
    These(RecordSelection),
    Listed(PathBuf),
}

fn records(text: &str) -> Result<Records, Error> {
    match text.strip_prefix('@') {
        Some(path) => Ok(Records::Listed(path.into())),
        None => text.parse().map(Records::These),
    }
}

impl RangeArguments {
    pub(crate) fn is_given(&self) -> bool {
        self.records.is_some() || self.first.is_some()
    }

    /// Reads the selection, if there is one.
    pub(crate) fn selection(&self) -> Result<Option<RecordSelection>, Failure> {
        Ok(match &self.records {
            Some(Records::Listed(path)) if is_standard_input(path) => {
                let records = RecordSelection::from_reader(standard_input()?);
                Some(records.map_err(|error| error.with_path(path))?)
            }
            Some(Records::Listed(path)) => Some(RecordSelection::open(path)?),
            Some(Records::These(records)) => Some(records.clone()),
            None => None,
        })
    }
}

#[derive(Args, Debug)]
pub(crate) struct LimitArguments {
    /// Reject records larger than this, such as 500M
    ///
    /// [default: 64M]
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size, hide_short_help = true)]
    #[arg(hide_default_value = true)]
    pub(crate) record_limit: u64,
}

impl Default for LimitArguments {
    fn default() -> Self {
        Self { record_limit: 64 << 20 }
    }
}

/// The options that change records.
const CHANGES: [&str; 4] = ["element_type", "scale", "normalize", "shape"];

/// The reading of a file or folder of any format.
#[derive(Args, Debug, Default)]
pub(crate) struct ReadingArguments {
    /// Convert to u8, i8, i16, i32, f32 or f64
    ///
    /// By default, csv becomes u8, and other formats keep their type.
    #[arg(long = "as", value_name = "TYPE", value_parser = type_parser())]
    #[arg(hide_possible_values = true)]
    element_type: Option<ElementType>,

    /// Scale linearly to A..B, such as 0..1
    ///
    /// From the range of the type (0..1 for f32, f64), or in -1..1,0..255 from the first. Gives f32, or the type of --as.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, value_parser = scale)]
    scale: Option<Scale>,

    /// Subtract MEAN, divide by STD, after --scale
    ///
    /// For MNIST, use --scale 0..1 --normalize 0.1307,0.3081.
    #[arg(long, value_name = "MEAN,STD", allow_hyphen_values = true, value_parser = normalization)]
    normalize: Option<[f64; 2]>,

    /// The shape of a record, such as 28x28
    #[arg(long, value_name = "SIZES", value_parser = shape)]
    pub(crate) shape: Option<Shape>,

    /// The first line of csv names the columns
    ///
    /// By default, a first line of text does. It may also have numbers that count up by one.
    #[arg(long, hide_short_help = true)]
    header: bool,

    /// The first line of csv is a record
    ///
    /// Written csv has no header either.
    #[arg(long, hide_short_help = true, conflicts_with = "header")]
    pub(crate) no_header: bool,

    /// Column of the label, from 0, or its name
    ///
    /// By default `label`, `class`, `target`, `y`, or the only one of words. In folders, the level of the classes, from 0.
    #[arg(long, value_name = "COLUMN", value_parser = column, hide_short_help = true)]
    #[arg(conflicts_with = "no_labels")]
    label_column: Option<Column>,

    /// Leave labels out
    ///
    /// Files beside the input are not opened.
    #[arg(long)]
    pub(crate) no_labels: bool,

    /// Leave out columns, files or folders by name
    ///
    /// A column may be its position from 0. `none` reads also columns that look like row numbers.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = column, hide_short_help = true)]
    skip: Vec<Column>,

    /// Column of the records, from 0, or its name
    ///
    /// By default, all of csv, and `record` or the only one of Parquet. 0 is QMNIST's label.
    #[arg(long = "column", value_name = "COLUMN", value_parser = column, hide_short_help = true)]
    pub(crate) record_column: Option<Column>,

    /// Read numbers without a header, of this type
    ///
    /// u8 to f64, little-endian. CIFAR-10: `--raw u8 --shape 3x32x32 --label-column 0`;
    /// CIFAR-100: the same with `--skip 0 --label-column 1`.
    #[arg(long, value_name = "TYPE", value_parser = type_parser(), hide_short_help = true)]
    #[arg(hide_possible_values = true)]
    raw: Option<ElementType>,

    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

/// The reading options of inputs and of their labels.
pub(crate) struct Opening {
    pub(crate) records: OpenOptions,
    /// For the files of `--labels`.
    pub(crate) labels: OpenOptions,
}

impl ReadingArguments {
    /// Returns the columns, files and folders to leave out, if given; none for `none`.
    fn skip(&self) -> Option<Vec<Column>> {
        let is_none = matches!(&self.skip[..], [Column::Name(name)] if name == "none");
        (!self.skip.is_empty()).then(|| if is_none { Vec::new() } else { self.skip.clone() })
    }

    /// Returns the changes of the records after they are read.
    pub(crate) fn changes(&self, transpose: impl Into<Axes>) -> TransformOptions {
        TransformOptions::new()
            .element_type(self.element_type)
            .scale(self.scale.map(|scale| scale.to))
            .scale_from(self.scale.and_then(|scale| scale.from))
            .normalize(self.normalize)
            .transpose(transpose)
    }

    /// Returns the element type to read csv as, which states none: that of the results, unless numbers are scaled or
    /// normalized. Then numbers that become integers, or whose range is given, are fractions; other numbers to scale
    /// are bytes.
    fn csv_type(&self) -> ElementType {
        let makes_integers = self.element_type.is_some_and(|to| !to.is_float());
        match (self.scale, self.normalize) {
            (Some(Scale { from: None, .. }), _) if !makes_integers => ElementType::U8,
            (None, None) => self.element_type.unwrap_or(ElementType::U8),
            _ => ElementType::F64,
        }
    }

    /// Changes the records; without changes, they may be of a type that IDX does not have.
    pub(crate) fn change(&self, source: Source) -> Result<Source, Failure> {
        Ok(match self.changes(false) {
            none if none == TransformOptions::default() => source,
            changes => source.changed(&changes)?,
        })
    }

    /// Returns the mean and the deviation if they apply to the numbers as they are in the file.
    pub(crate) fn normalizes_unscaled(&self) -> Option<[f64; 2]> {
        self.normalize.filter(|_| self.scale.is_none())
    }

    /// Returns whether the records differ from those of the file.
    pub(crate) fn has_changes(&self) -> bool {
        let has_other_records = self.shape.is_some() || self.record_column.is_some();
        has_other_records || self.changes(false) != TransformOptions::default()
    }

    /// Returns the reading options of inputs and of their labels.
    pub(crate) fn opening(&self, labels: &LabelArguments) -> Opening {
        let header = [(self.header, true), (self.no_header, false)];
        let header = header.into_iter().find_map(|(is_given, header)| is_given.then_some(header));
        let both = OpenOptions::new().header(header);
        let records = both.clone().element_type(self.csv_type()).raw(self.raw);
        let records = records.record_limit(self.limit.record_limit);
        let records = with(records, self.shape.clone(), OpenOptions::shape);
        let records = with(records, self.record_column.clone(), OpenOptions::column);
        let of_tables = |options| {
            let options = with(options, self.label_column.clone(), OpenOptions::label_column);
            with(options, self.skip(), OpenOptions::skip)
        };
        let (records, both) = match labels.files().is_empty() {
            true => (of_tables(records), both),
            false => (records, of_tables(both)),
        };
        let records = with(records, labels.pattern(), |records, pattern| {
            records.labels_in_names(pattern.to_string())
        });
        let records = records.labels(labels.files().is_empty() && !self.no_labels);
        Opening { records, labels: both.as_labels() }
    }
}

/// Adds an option if it was given.
pub(crate) fn with<O, T>(options: O, given: Option<T>, set: impl FnOnce(O, T) -> O) -> O {
    match given {
        Some(value) => set(options, value),
        None => options,
    }
}

/// Parses a column: a number is a position.
fn column(text: &str) -> Result<Column, Infallible> {
    text.parse()
}

/// The range to scale to, and the range to scale from.
#[derive(Clone, Copy, Debug)]
struct Scale {
    from: Option<[f64; 2]>,
    to: [f64; 2],
}

fn scale(text: &str) -> Result<Scale, &'static str> {
    let (from, to) = text.split_once(',').map_or((None, text), |(from, to)| (Some(from), to));
    let range = |text: &str| {
        two_numbers(text, "..")
            .ok_or("write a range of numbers, such as 0..1, or two, such as -1..1,0..255")
    };
    Ok(Scale { from: from.map(range).transpose()?, to: range(to)? })
}

fn normalization(text: &str) -> Result<[f64; 2], &'static str> {
    two_numbers(text, ",").ok_or("write the mean and the standard deviation, such as 0.1307,0.3081")
}

fn two_numbers(text: &str, separator: &str) -> Option<[f64; 2]> {
    let (first, second) = text.split_once(separator)?;
    Some([first.trim().parse().ok()?, second.trim().parse().ok()?])
}

fn positive<N: std::str::FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "write a whole number above 0")
}

/// Parses a number of bytes, with K, M or G for the powers of 1024.
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

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LabelArguments {
    /// File of labels, or where names have them: '{}_*'
    ///
    /// By default, those of the input or beside it. {}_* takes cat from `cat_7.png`.
    #[arg(
        short = 'l',
        long = "labels",
        id = "labels",
        value_name = "FILE",
        conflicts_with = "no_labels"
    )]
    given: Vec<PathBuf>,

    /// Names of the classes: a file, or a known set
    ///
    /// Line N, from 0, names label N, or has both, as `0 cat`. Folders get these labels.
    #[arg(long, value_name = "NAMES", hide_short_help = true, conflicts_with = "no_labels")]
    pub(crate) classes: Option<PathBuf>,
}

impl LabelArguments {
    /// Returns the pattern that finds labels in the names of pictures. A file of that name wins.
    fn pattern(&self) -> Option<&str> {
        let [given] = &self.given[..] else {
            return None;
        };
        given.to_str().filter(|text| text.contains("{}") && !given.exists())
    }

    /// Returns the files of labels.
    pub(crate) fn files(&self) -> &[PathBuf] {
        if self.pattern().is_some() { &[] } else { &self.given }
    }

    /// Gives a set the class names of the arguments.
    pub(crate) fn name(&self, command: &str, set: Set) -> Result<Set, Failure> {
        let Some(path) = &self.classes else {
            return Ok(set);
        };
        if set.parts().all(|(_, source)| !source.facts().has_labels) {
            let text = "--classes has no effect on these files, which have no labels";
            return Err(usage(command, text));
        }
        let known = DataSet::ALL.into_iter().find(|set| path.as_os_str() == set.id());
        let names = match known.filter(|_| !path.is_file()) {
            Some(data_set) => data_set.into(),
            None if !path.exists() => {
                let known: Vec<_> = DataSet::ALL.iter().map(|set| set.id()).collect();
                let known = known.join(", ");
                let text = format!("this is neither a file nor a known set; those are {known}");
                return Err(Failure::file(path, text));
            }
            None => ClassNames::open(path)?,
        };
        Ok(set.map(|source| Ok(source.with_classes(names.clone())))?)
    }
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
    /// Creates a file, which replaces another if that is allowed.
    pub(crate) fn create(&self, path: &Path) -> Result<AtomicFile, Failure> {
        Ok(match self.force {
            true => AtomicFile::create(path)?,
            false => AtomicFile::create_new(path)?,
        })
    }
}

/// Show type, shape and compression, without reading all records.
///
/// Each part of a data set is shown under its name. The length of the file is checked: of gzip, the length at its end,
/// and the whole file only if that disagrees. `idx check` reads everything. Every format that `idx convert` reads
/// works, csv by its first line, folders by their first picture. --as, --scale, --normalize and --shape show what a
/// conversion would give.
#[derive(Args, Debug, Default)]
#[command(after_help = include_str!("help/info.txt"), after_long_help = more!("info"),
    mut_args(in_short))]
pub(crate) struct InfoArguments {
    #[command(flatten)]
    pub(crate) input: FilesArguments,

    /// Read the file and say which known one it is
    ///
    /// It prints a name such as "MNIST training images".
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
/// a data set is shown under its name, with the labels and class names beside it unless --no-labels is given.
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
    /// EMNIST is stored transposed.
    #[arg(long)]
    pub(crate) transpose: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Show minimum, maximum, mean, histogram and records per label.
///
/// Each part of a data set is shown under its name, with the labels beside it unless --no-labels is given. The standard
/// deviation is that of a population. NaN and infinities are counted, but not included in the other figures. All bins
/// have the same width, a power of two; A..B means A <= value < B.
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

/// Convert between IDX, npy, npz, csv, Parquet and folders of pictures.
///
/// Input formats are detected from the content. The name of OUT chooses the output format: .idx, .gz, .npy, .npz, .csv,
/// .parquet, a name like *idx3-ubyte, or a folder for pictures. Labels and class names are written along, into files
/// beside OUT if the format cannot hold them. A folder with MNIST's files, or with the folders train and test, is a
/// data set of two parts; mnist/:test is one of them. Several inputs are joined, part by part.
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
    /// `-` is standard output, and the default for a single input.
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

    /// File for what --split or --sample leaves out
    ///
    /// This can be the test set, for example.
    #[arg(long, value_name = "OUT", requires = "chance", conflicts_with = "first")]
    pub(crate) rest: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) labels: LabelArguments,

    /// Write labels as u8, i8, i16 or i32 [default: their own type]
    #[arg(long, value_name = "TYPE", value_parser = type_parser(), hide_short_help = true)]
    #[arg(hide_possible_values = true, conflicts_with = "no_labels")]
    pub(crate) labels_as: Option<ElementType>,

    /// Give classes other labels or names, such as 10=0
    ///
    /// cat=animal,dog=animal merges two; 1..26=0..25 is for EMNIST's letters.
    #[arg(long, value_name = "FROM=TO,..", allow_hyphen_values = true, hide_short_help = true)]
    #[arg(conflicts_with = "no_labels", value_parser = str::parse::<Relabeling>)]
    pub(crate) relabel: Option<Relabeling>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,

    /// Swap rows and columns, or order all axes: 2,0,1
    ///
    /// Alone, it makes EMNIST's pictures upright. 2,0,1 brings channels to the front.
    #[arg(long, value_name = "AXES", num_args = 0..=1, require_equals = true, value_parser = axes)]
    #[arg(default_missing_value = "")]
    pub(crate) transpose: Option<Axes>,

    /// Use at most N threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, hide_short_help = true)]
    pub(crate) threads: Option<NonZeroUsize>,

    // Their headings would hold the options below them, too.
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
/// labels are among the files or beside the images (own-labels-idx1-ubyte for own-images-idx3-ubyte), each image must
/// have one. A folder of IDX files must hold a data set: four files under any of their usual names, one label for each
/// image, only labels of the set, and no file of another set. Of other formats, all records are read.
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
    /// The files may have any format, but their records must have one type and size. Labels are ignored, except in csv,
    /// where they are numbers like the others.
    #[arg(long)]
    pub(crate) duplicates: bool,

    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

/// Show which records of two files or folders differ.
///
/// The formats may differ, but not the type and shape of the records; --as, --scale and --normalize apply to both
/// files. Labels are compared if both files have them, in the file or beside it.
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

/// Recover the records of a file whose writer crashed, in place or in a new file.
///
/// The header gets the number of complete records, and at most the bytes of an incomplete one and erased flash after
/// them are removed. A gzip file is rewritten. Where more would be lost, the file stays as it is: --keep-all also keeps the
/// records that the header does not count, and -o writes what is kept to a new file. A log from flash always needs -o.
///
/// A download that was cut short keeps its labels with `idx convert FILE --records ..N -o NEW` instead.
#[derive(Args, Debug)]
#[command(after_help = include_str!("help/repair.txt"))]
pub(crate) struct RepairArguments {
    /// Files of IDX
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The new file; FILE stays as it is
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
    /// Files of IDX; for Rust, not compressed
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

fn data_set_parser() -> impl TypedValueParser<Value = DataSet> {
    PossibleValuesParser::new(DataSet::ALL.map(DataSet::id)).try_map(|name| {
        let mut data_sets = DataSet::ALL.into_iter();
        let named = data_sets.find(|data_set| data_set.id().eq_ignore_ascii_case(&name));
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
    /// The new folder for the pages
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// Returns the error for arguments that exclude each other, found after parsing.
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
    /// A list of numbers (default), a tensor of Arrow, or little-endian bytes.
    #[arg(long, value_name = "LAYOUT", hide_short_help = true, hide_possible_values = true)]
    pub(crate) layout: Option<ColumnLayout>,

    /// Write a folder of N files
    ///
    /// Their names are like part-00000-of-00016.parquet.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    pub(crate) shards: Option<NonZeroU64>,
}

/// The form of a record in a column, if it is not a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColumnLayout {
    /// A list of numbers
    List,
    /// A tensor of Arrow
    Tensor,
    /// Little-endian bytes
    Binary,
}

impl From<ColumnLayout> for idx_data::ColumnLayout {
    fn from(layout: ColumnLayout) -> Self {
        match layout {
            ColumnLayout::List => Self::List,
            ColumnLayout::Tensor => Self::Tensor,
            ColumnLayout::Binary => Self::Binary,
        }
    }
}

fn type_parser() -> impl TypedValueParser<Value = ElementType> {
    let names = ["u8", "i8", "i16", "i32", "f32", "f64"];
    PossibleValuesParser::new(names).try_map(|name| name.parse::<ElementType>())
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.map(|format| {
        PossibleValue::new(format.name()).help(match format {
            Format::Idx => "Plain IDX",
            Format::IdxGz => "IDX, compressed",
            Format::Npy => "An array of NumPy",
            Format::Npz => "Arrays of NumPy: the records, and their labels",
            Format::Csv => "One record per line",
            Format::Png => "A folder of pictures",
            _ => "A file, or a folder of shards",
        })
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Format>())
}

/// Parses the axes of `--transpose`; none swap rows and columns.
fn axes(text: &str) -> Result<Axes, &'static str> {
    if text.is_empty() {
        return Ok(Axes::Swapped);
    }
    let order: Result<Vec<usize>, _> = text.split(',').map(|axis| axis.trim().parse()).collect();
    order.map(Axes::from).map_err(|_| "write the axes from 0 with commas between, such as 2,0,1")
}

/// Joins `--transpose` and its axes in one word: alone it takes none, so the word after it may be a file.
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

/// The sizes of a record, as one value of an option.
pub(crate) type Shape = Vec<u32>;

fn shape(text: &str) -> Result<Shape, &'static str> {
    let sizes = text.split('x').map(|size| size.trim().parse());
    let sizes: Result<_, _> = sizes.collect();
    sizes.map_err(|_| "write the sizes as whole numbers with x between them, such as 28x28")
}
