//! The options for reading inputs, and their conversion to those of the library.

use std::path::PathBuf;

use clap::Args;
use idx_data::dataset::DataSet;
use idx_data::{
    Axes, ClassNames, Column, DType, Error, OpenOptions, RecordSelection, Source, TransformOptions,
};
use idx_std::ElementType;

use crate::args::values::{Shape, raw_type_parser, shape, type_parser, whole};
use crate::term::console::{is_standard_input, standard_input};
use crate::term::failure::Failure;

#[derive(Args, Debug, Default)]
pub(crate) struct RangeArguments {
    /// Records from 0: 5, 0..10, 10.., 5,9,12, @FILE
    ///
    /// 0..10 excludes 10, -10.. is the last ten. @FILE lists numbers. The order is the file's.
    #[arg(short, long, value_name = "RECORDS", allow_hyphen_values = true, value_parser = records)]
    pub(crate) records: Option<Records>,

    /// At most N records, after the other choices
    #[arg(short = 'n', long, value_name = "N", value_parser = whole)]
    pub(crate) first: Option<u64>,
}

/// The chosen records, or a file that lists them; `-` is standard input.
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
pub(super) const CHANGES: [&str; 4] = ["element_type", "scale", "normalize", "shape"];

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
    /// From the range of u8, i8, i16 (0..1 for floats), or FROM,TO: -1..1,0..255. Gives f32 without --as.
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
    /// By default, a first line of words does; numbers in it must count up by one.
    #[arg(long, hide_short_help = true)]
    header: bool,

    /// The first line of csv is a record
    ///
    /// csv output has no header either.
    #[arg(long, hide_short_help = true, conflicts_with = "header")]
    pub(crate) no_header: bool,

    /// Column of the label, from 0, or its name
    ///
    /// By default `label`, `class`, `target`, `y`, or the only column of words. In folders, the level
    /// of the classes, from 0.
    #[arg(long, value_name = "COLUMN", value_parser = str::parse::<Column>, hide_short_help = true)]
    #[arg(conflicts_with = "no_labels", allow_negative_numbers = true)]
    label_column: Option<Column>,

    /// Leave labels out
    ///
    /// Files next to the input are not opened.
    #[arg(long)]
    pub(crate) no_labels: bool,

    /// Leave out columns, files or folders by name
    ///
    /// A column may be a position from 0; ./*.png: only at the top. `none` keeps row numbers.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_short_help = true)]
    #[arg(value_parser = str::parse::<Column>)]
    skip: Vec<Column>,

    /// Column of the records, from 0, or its name
    ///
    /// By default, all of csv; in Parquet `record`, else the only column of lists or bytes, else all numbers. In
    /// QMNIST's labels, 0 is the class.
    #[arg(long = "column", value_name = "COLUMN", value_parser = str::parse::<Column>, hide_short_help = true)]
    pub(crate) record_column: Option<Column>,

    /// Read numbers without a header, of this type
    ///
    /// u8 to f64, also u16 and f16, little-endian. CIFAR-10: `--raw u8 --shape 3x32x32 --label-column 0`;
    /// CIFAR-100: the same with `--skip 0 --label-column 1`.
    #[arg(long, value_name = "TYPE", value_parser = raw_type_parser(), hide_short_help = true)]
    #[arg(hide_possible_values = true)]
    raw: Option<DType>,

    #[command(flatten)]
    pub(crate) limit: LimitArguments,
}

/// The reading options of inputs and of their labels.
pub(crate) struct Opening {
    pub(crate) records: OpenOptions,
    /// For the files of `--labels`.
    pub(crate) labels: OpenOptions,
    /// The names of the classes.
    pub(crate) names: Option<ClassNames>,
}

impl ReadingArguments {
    /// Returns the columns, files and folders to leave out, if given; an empty list for `none`.
    fn skip(&self) -> Option<Vec<Column>> {
        let is_none = matches!(&self.skip[..], [Column::Name(name)] if name == "none");
        (!self.skip.is_empty()).then(|| if is_none { Vec::new() } else { self.skip.clone() })
    }

    /// Returns the changes to the records after reading.
    pub(crate) fn changes(&self, transpose: impl Into<Axes>) -> TransformOptions {
        TransformOptions::new()
            .element_type(self.element_type)
            .scale(self.scale.map(|scale| scale.to))
            .scale_from(self.scale.and_then(|scale| scale.from))
            .normalize(self.normalize)
            .transpose(transpose)
    }

    /// Returns the element type to read csv as, because csv states none. It is the type of the results; but if numbers
    /// are scaled or normalized, it is bytes if they are scaled to fractions from an unstated range, else `f64`.
    fn csv_type(&self) -> ElementType {
        let makes_integers = self.element_type.is_some_and(|to| !to.is_float());
        match (self.scale, self.normalize) {
            (Some(Scale { from: None, .. }), _) if !makes_integers => ElementType::U8,
            (None, None) => self.element_type.unwrap_or(ElementType::U8),
            _ => ElementType::F64,
        }
    }

    /// Changes the records. Without changes, they may have a type that IDX lacks.
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

    /// Returns the options for reading the inputs and their labels.
    pub(crate) fn opening(&self, labels: &LabelArguments) -> Result<Opening, Failure> {
        let is_given = self.header || self.no_header;
        let names = labels.names()?;
        let both = OpenOptions::new().header(is_given.then_some(self.header));
        let both = with(both, self.raw, OpenOptions::raw);
        let both = both.classes(names.clone()).skip(self.skip());
        let records = both.clone().element_type(self.csv_type());
        let records = records.record_limit(self.limit.record_limit);
        let records = with(records, self.shape.clone(), OpenOptions::shape);
        let records = with(records, self.record_column.clone(), OpenOptions::column);
        let of_tables =
            |options| with(options, self.label_column.clone(), OpenOptions::label_column);
        let have_own_labels = labels.files().is_empty();
        let (records, both) = match have_own_labels {
            true => (of_tables(records), both),
            false => (records, of_tables(both)),
        };
        let records = records.labels_in_names(labels.pattern().map(str::to_string));
        let records = records.labels(have_own_labels && !self.no_labels);
        Ok(Opening { records, labels: both.as_labels(), names })
    }
}

/// Adds an option if it was given.
fn with<O, T>(options: O, given: Option<T>, set: impl FnOnce(O, T) -> O) -> O {
    match given {
        Some(value) => set(options, value),
        None => options,
    }
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
    /// File of labels, or their place in names: '{}_*'
    ///
    /// By default, the labels in the input or next to it. `{}_*` takes `hot_dog` from `hot_dog_7.png`, and `{}_*_*`
    /// takes `hot`.
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
    /// Line N, from 0, names label N, or has both: `0 cat`. Folders get these labels.
    #[arg(long, value_name = "NAMES", hide_short_help = true, conflicts_with = "no_labels")]
    pub(crate) classes: Option<PathBuf>,
}

impl LabelArguments {
    /// Returns the pattern that finds labels in the names of pictures. A file of that name takes precedence.
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

    /// Returns the names of the classes, if they are given.
    pub(crate) fn names(&self) -> Result<Option<ClassNames>, Failure> {
        let Some(path) = &self.classes else {
            return Ok(None);
        };
        let known = DataSet::ALL.into_iter().find(|set| path.as_os_str() == set.id());
        Ok(Some(match known.filter(|_| !path.is_file()) {
            Some(data_set) => data_set.into(),
            None if !path.exists() => {
                let advice = match path.as_os_str().as_encoded_bytes().contains(&b',') {
                    true => "write the names into a file, one per line",
                    false => "`idx help fetch` lists the sets",
                };
                let text = format!("this is neither a file nor a known set; {advice}");
                return Err(Failure::file(path, text));
            }
            None => ClassNames::open(path)?,
        }))
    }
}
