use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use clap::error::ErrorKind;
use clap::{Args, CommandFactory};
use idx_std::formats::LabelColumn;
use idx_std::{ElementType, Histogram, Stats, Summary};
use serde::{Serialize, Serializer};
use serde_json::Number;

use crate::arguments::Arguments;
use crate::console::{Console, Stop, Style};
use crate::input::{Input, open_labels};
use crate::told::{shape_text, tell, value_text};

/// Bins of the histogram that is drawn; that of `--json` has up to 256.
const DRAWN_BINS: usize = 20;

/// Columns of the longest bar.
const BAR: u64 = 40;

/// More than this many different labels are none, and would take memory without end.
const MOST_LABELS: usize = 1 << 16;

/// Extremes, mean, deviation, histogram, and how many records each label has.
///
/// The standard deviation is that of a population. NaN and infinities are counted and left out of
/// the rest. The bins of the histogram are equally wide, by a power of two, and start at multiples of
/// their width; A..B are the values from A to before B.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  idx stats train-images-idx3-ubyte.gz
  idx stats train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz
  idx stats --json *.gz | jq '[.path, .mean, .std]'

Keys of --json:
  path, element_type, shape, count; min, max, mean, std (null without finite elements);
  nan, infinite: how many elements are not finite
  histogram: {start, width, counts}: bin I has the values from start + I x width to before the next
  labels: {\"LABEL\": records, ...}, null without --labels
  error: what is wrong with the file, with path alone")]
pub(crate) struct StatsArguments {
    /// Files, plain or gzip; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The labels of the records: integers, one per record, or in columns
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// The column of the labels, if they have several
    #[arg(long, value_name = "N", default_value_t = 0, requires = "labels")]
    label_column: usize,

    /// One JSON object per file, one per line
    #[arg(long)]
    json: bool,
}

/// What `stats` tells of a file; the names are those of `--json`.
#[derive(Serialize)]
struct Told {
    path: String,
    #[serde(serialize_with = "name")]
    element_type: ElementType,
    shape: Vec<u32>,
    count: u64,
    min: Option<Number>,
    max: Option<Number>,
    mean: Option<f64>,
    std: Option<f64>,
    nan: u64,
    infinite: u64,
    histogram: Bins,
    labels: Option<BTreeMap<i128, u64>>,
    #[serde(skip)]
    is_image_of_bytes: bool,
    #[serde(skip)]
    drawn: Histogram,
    #[serde(skip)]
    style: Style,
}

#[derive(Serialize)]
struct Bins {
    /// Of the first bin; not known without bins.
    start: Option<Number>,
    width: Option<Number>,
    counts: Vec<u64>,
}

pub(crate) fn run(arguments: &StatsArguments, console: &mut Console) -> io::Result<()> {
    if arguments.labels.is_some() && arguments.files.len() > 1 {
        let message = "--labels are those of one FILE; name one file";
        Arguments::command()
            .error(ErrorKind::ArgumentConflict, message)
            .exit();
    }
    for path in &arguments.files {
        let told = Told::read(path, arguments, console.style);
        tell(told, arguments.json, console)?;
    }
    Ok(())
}

impl Told {
    fn read(path: &Path, arguments: &StatsArguments, style: Style) -> Result<Self, Stop> {
        let mut input = Input::open(path)?.with_progress();
        let header = input.header();
        let (element_type, count) = (header.element_type(), header.record_count());
        let shape = header.dims().iter().collect();
        let is_image = input.image_layout().is_some();
        let is_image_of_bytes = is_image && element_type == ElementType::U8;
        let labels = arguments.labels.as_deref().map(|labels| {
            let labels = open_labels(labels, arguments.label_column)?;
            labels.expect_count(count.into())?;
            count_labels(labels)
        });
        let labels = labels.transpose()?;
        let mut stats = Stats::new(element_type);
        while let Some(records) = input.next_records() {
            stats.push_bytes(records?);
        }
        let Summary {
            count,
            nan,
            infinite,
            min,
            max,
            mean,
            standard_deviation,
            histogram,
            ..
        } = stats.summary();
        let number = |value: f64| number(element_type, value);
        let first = histogram.bins().next();
        let start = first.and_then(|(bin, _)| number(bin.start));
        Ok(Self {
            path: path.display().to_string(),
            element_type,
            shape,
            count,
            min: min.and_then(number),
            max: max.and_then(number),
            mean,
            std: standard_deviation,
            nan,
            infinite,
            histogram: Bins {
                start,
                width: number(histogram.width()),
                counts: histogram.counts().to_vec(),
            },
            labels,
            is_image_of_bytes,
            drawn: histogram.coarser(DRAWN_BINS),
            style,
        })
    }
}

fn count_labels(mut labels: LabelColumn) -> Result<BTreeMap<i128, u64>, Stop> {
    let mut counts = BTreeMap::new();
    while let Some(label) = labels.next_label()? {
        *counts.entry(label).or_insert(0) += 1;
        if counts.len() > MOST_LABELS {
            let message = format!(
                "there are more than {MOST_LABELS} different labels; give a file of labels, or \
                 their column"
            );
            return Err(Stop::file(labels.path(), message));
        }
    }
    Ok(counts)
}

/// A number as its element type writes it: an integer without a fraction.
#[expect(
    clippy::cast_possible_truncation,
    reason = "integers have at most 33 bits"
)]
fn number(element_type: ElementType, value: f64) -> Option<Number> {
    match element_type {
        ElementType::F32 | ElementType::F64 => Number::from_f64(value),
        _ => Some((value as i64).into()),
    }
}

fn name<S: Serializer>(element_type: &ElementType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(element_type.name())
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.path)?;
        writeln!(f, "  element type        {}", self.element_type)?;
        writeln!(f, "  shape               {}", shape_text(&self.shape))?;
        writeln!(f, "  elements            {}", self.count)?;
        if self.nan + self.infinite > 0 {
            writeln!(f, "  not a number        {}", self.nan)?;
            writeln!(f, "  infinite            {}", self.infinite)?;
        }
        if let (Some(min), Some(max)) = (&self.min, &self.max) {
            let text = |number: &Number| {
                let value = number.as_f64().unwrap_or(f64::NAN);
                value_text(self.element_type, value)
            };
            writeln!(f, "  minimum             {}", text(min))?;
            writeln!(f, "  maximum             {}", text(max))?;
        }
        if let (Some(mean), Some(std)) = (self.mean, self.std) {
            // What models are fed with.
            let divided = |value: f64| match self.is_image_of_bytes {
                true => format!("  ({:.4} after division by 255)", value / 255.0),
                false => String::new(),
            };
            writeln!(
                f,
                "  mean                {}{}",
                rounded(mean, 6),
                divided(mean)
            )?;
            writeln!(
                f,
                "  standard deviation  {}{}",
                rounded(std, 6),
                divided(std)
            )?;
        }
        let bins: Vec<(String, u64)> = self.bins();
        chart(f, "histogram", &bins, self.style)?;
        if let Some(labels) = &self.labels {
            let labels = labels
                .iter()
                .map(|(label, count)| (label.to_string(), *count));
            chart(f, "labels", &labels.collect::<Vec<_>>(), self.style)?;
        }
        Ok(())
    }
}

impl Told {
    /// The bins to draw, by their values.
    fn bins(&self) -> Vec<(String, u64)> {
        let is_integer = !matches!(self.element_type, ElementType::F32 | ElementType::F64);
        if is_integer && self.drawn.width() <= 1.0 {
            let bins = self.drawn.bins();
            return bins
                .map(|(bin, count)| (bin.start.to_string(), count))
                .collect();
        }
        let digits = (6..17).find(|digits| {
            let mut bins = self.drawn.bins();
            bins.all(|(bin, _)| rounded(bin.start, *digits) != rounded(bin.end, *digits))
        });
        let digits = digits.unwrap_or(17);
        let text = |value| rounded(value, digits);
        let bins = self.drawn.bins();
        bins.map(|(bin, count)| (format!("{}..{}", text(bin.start), text(bin.end)), count))
            .collect()
    }
}

/// A number with so many significant digits at most.
fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    value_text(ElementType::F64, text.parse().unwrap_or(value))
}

/// A line for each name: its count, its part of all, and a bar.
fn chart(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    counts: &[(String, u64)],
    style: Style,
) -> fmt::Result {
    writeln!(f, "  {title}")?;
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let name_width = counts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let count_width = most.to_string().len();
    for (name, count) in counts {
        #[expect(clippy::cast_precision_loss, reason = "one digit of it is printed")]
        let percent = 100.0 * *count as f64 / sum as f64;
        let line = format!(
            "    {name:>name_width$}  {count:>count_width$}  {percent:5.1} %  {}",
            bar(*count, most, style)
        );
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A bar in proportion to the most, by eighths of a column where the terminal can draw them. What is
/// there at all is to be seen.
fn bar(count: u64, most: u64, style: Style) -> String {
    let (full, parts): (_, &[&str]) = match style {
        Style::Characters => ("#", &[]),
        Style::Blocks | Style::ExactBlocks => ("█", &["▏", "▎", "▍", "▌", "▋", "▊", "▉"]),
    };
    let steps = parts.len() as u64 + 1;
    let wanted = u128::from(count) * u128::from(BAR * steps);
    let length = wanted.checked_div(most.into()).unwrap_or(0);
    let length = usize::try_from(length)
        .unwrap_or(0)
        .max(usize::from(count > 0));
    let part = (length % (parts.len() + 1))
        .checked_sub(1)
        .and_then(|part| parts.get(part));
    full.repeat(length / (parts.len() + 1)) + part.copied().unwrap_or_default()
}
