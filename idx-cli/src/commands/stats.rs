//! `idx stats`: figures, a histogram and the records per label, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use idx_data::stats::{Histogram, Stats, Summary};
use idx_data::{ClassNames, ElementType, ImageLayout, RecordLayout, Shape, Source};
use serde::{Serialize, Serializer};
use serde_json::Number;

use crate::args::{StatsArguments, usage};
use crate::records::input::{parts, read_all};
use crate::term::console::{Console, Style};
use crate::term::failure::Failure;
use crate::term::reading::print_reading;
use crate::term::report::{grouped, report, value_text};
use crate::term::text::{PathText, columns, filled, printable};

/// The maximum number of bins that are drawn; `--json` has up to 256.
const DRAWN_BINS: usize = 20;

/// The maximum number of labels that have a bar each, rather than a bin of several.
const DRAWN_LABELS: usize = 64;

/// Columns of the longest bar, in a wide terminal.
const BAR: usize = 40;

/// The maximum number of different labels: counting more would take unbounded memory.
const MAX_LABELS: usize = 1 << 16;

/// The report of `stats` on a file; its fields are the keys of `--json`.
#[derive(Serialize)]
struct StatsReport {
    #[serde(flatten)]
    path: PathText,
    #[serde(serialize_with = "name")]
    element_type: ElementType,
    shape: Vec<u64>,
    count: u64,
    min: Option<Number>,
    max: Option<Number>,
    mean: Option<f64>,
    std: Option<f64>,
    nan: u64,
    infinite: u64,
    /// `None` without finite elements.
    histogram: Option<Bins>,
    labels: Option<BTreeMap<i128, u64>>,
    #[serde(skip)]
    names: Option<ClassNames>,
    #[serde(skip)]
    is_image_of_bytes: bool,
    #[serde(skip)]
    drawn: Histogram,
    #[serde(skip)]
    style: Style,
    /// The number of columns of the terminal.
    #[serde(skip)]
    width: usize,
}

#[derive(Serialize)]
struct Bins {
    /// The start of the first bin.
    start: Number,
    width: Number,
    counts: Vec<u64>,
}

pub(crate) fn run(arguments: &StatsArguments, console: &mut Console) -> Result<(), Failure> {
    console.is_json = arguments.input.json;
    let files = &arguments.input.files;
    if !arguments.labels.files().is_empty() && files.len() > 1 {
        return Err(usage("stats", "--labels needs exactly one FILE"));
    }
    let opening = arguments.reading.opening(&arguments.labels)?;
    let mut readings = Vec::new();
    for path in files {
        let set = opening.open(path, &arguments.labels, 0);
        match set.and_then(|set| opening.name_classes("stats", &arguments.labels, set)) {
            Ok(set) => {
                let understood = set.reading();
                print_reading(&understood);
                readings.push(understood);
                for (path, source) in parts(Some(path), set) {
                    let read = StatsReport::read(&path, source, arguments, console);
                    let read = read.and_then(|stats| report(&stats, console));
                    read.or_else(|failure| console.print_failure(failure))?;
                }
            }
            Err(failure) => console.print_failure(failure)?,
        }
    }
    // A file that could not be opened might have used the options.
    match readings.len() == files.len() {
        true => arguments.reading.expect_effect("stats", &opening, &readings, None),
        false => Ok(()),
    }
}

impl StatsReport {
    fn read(
        path: &Path,
        source: Source,
        arguments: &StatsArguments,
        console: &Console,
    ) -> Result<Self, Failure> {
        let (labels, reading) = (&arguments.labels, &arguments.reading);
        let names = source.facts().classes.clone();
        let mut source = source.changed(&reading.changes(false))?;
        let layout = source.facts().layout.clone();
        let mut counts = source.facts().has_labels.then(BTreeMap::new);
        let mut stats = Stats::new(element_type(&layout));
        let records = read_all(&mut source, |record| {
            stats.push_bytes(&record.bytes);
            if let (Some(counts), Some(label)) = (&mut counts, record.label) {
                *counts.entry(label).or_insert(0) += 1;
                if counts.len() > MAX_LABELS {
                    let labels = labels.files().first().map_or(path, PathBuf::as_path);
                    let text = format!(
                        "there are more than {MAX_LABELS} different labels; give a file of labels, or choose \
                         their column with --label-column"
                    );
                    return Err(Failure::file(labels, text));
                }
            }
            Ok(())
        })?;
        let report = Self::new(path, &layout, records, stats.summary(), console);
        Ok(Self { labels: counts, names, ..report })
    }

    fn new(
        path: &Path,
        layout: &RecordLayout,
        records: u64,
        summary: Summary,
        console: &Console,
    ) -> Self {
        let element_type = element_type(layout);
        let mut shape: Vec<u64> = layout.dims.iter().copied().map(u64::from).collect();
        if let Some(count) = shape.first_mut() {
            *count = records;
        }
        let is_image = ImageLayout::from_shape(layout.record_shape()).is_some();
        let histogram = summary.histogram;
        let number = |value: f64| number(element_type, value);
        let are_labels = layout.record_shape().is_empty() && !element_type.is_float();
        let have_bins = histogram.width() <= 1.0 && histogram.bins().count() <= DRAWN_LABELS;
        let drawn = if are_labels && have_bins { DRAWN_LABELS } else { DRAWN_BINS };
        let bins = histogram.bins().next().and_then(|(first, _)| {
            let counts = histogram.bins().map(|(_, count)| count).collect();
            Some(Bins { start: number(first.start)?, width: number(histogram.width())?, counts })
        });
        Self {
            path: path.into(),
            element_type,
            is_image_of_bytes: is_image && element_type == ElementType::U8,
            shape,
            count: summary.count,
            min: summary.min.and_then(number),
            max: summary.max.and_then(number),
            mean: summary.mean,
            std: summary.standard_deviation,
            nan: summary.nan,
            infinite: summary.infinite,
            histogram: bins,
            labels: None,
            names: None,
            drawn: histogram.coarser(drawn),
            style: console.style,
            width: console.width,
        }
    }
}

/// Returns the element type: changed records always have one that IDX has.
fn element_type(layout: &RecordLayout) -> ElementType {
    layout.dtype.element_type().unwrap_or(ElementType::U8)
}

/// Returns a number in the form of its element type: an integer without a fraction.
#[expect(clippy::cast_possible_truncation, reason = "integers have at most 33 bits")]
fn number(element_type: ElementType, value: f64) -> Option<Number> {
    match element_type.is_float() {
        true => Number::from_f64(value),
        false => Some((value as i64).into()),
    }
}

fn name<S: Serializer>(element_type: &ElementType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(element_type.name())
}

impl fmt::Display for StatsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.path)?;
        writeln!(f, "  element type        {}", self.element_type)?;
        writeln!(f, "  shape               {}", Shape(&self.shape))?;
        writeln!(f, "  elements            {}", grouped(self.count))?;
        if self.nan + self.infinite > 0 {
            writeln!(f, "  not a number        {}", grouped(self.nan))?;
            writeln!(f, "  infinite            {}", grouped(self.infinite))?;
        }
        for (name, number) in [("minimum", &self.min), ("maximum", &self.max)] {
            if let Some(value) = number.as_ref().and_then(Number::as_f64) {
                writeln!(f, "  {name:<18}  {}", value_text(self.element_type, value))?;
            }
        }
        for (name, value) in [("mean", self.mean), ("standard deviation", self.std)] {
            let Some(value) = value else { continue };
            write!(f, "  {name:<18}  {}", rounded(value, 6))?;
            match self.is_image_of_bytes {
                // The scale that models expect.
                true => writeln!(f, "  ({:.4} after division by 255)", value / 255.0)?,
                false => writeln!(f)?,
            }
        }
        self.chart(f, "histogram", &self.bins())?;
        if let Some(labels) = &self.labels {
            let line = |(label, count): (&i128, &u64)| Line {
                value: label.to_string(),
                name: self.class(*label),
                count: *count,
            };
            self.chart(f, "labels", &labels.iter().map(line).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// A line of a chart.
struct Line {
    /// The bin or the label.
    value: String,
    /// The name of the label's class, after a space; empty without one.
    name: String,
    count: u64,
}

impl StatsReport {
    /// Writes the lines, each with its count, its share, and a bar.
    fn chart(&self, f: &mut fmt::Formatter<'_>, title: &str, lines: &[Line]) -> fmt::Result {
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(f, "  {title}")?;
        let widest = |text: fn(&Line) -> &str| {
            lines.iter().map(|line| columns(text(line))).max().unwrap_or(0)
        };
        let (value_width, name_width) = (widest(|line| &line.value), widest(|line| &line.name));
        let sum: u64 = lines.iter().map(|line| line.count).sum();
        let numbers: Vec<String> = lines.iter().map(|line| grouped(line.count)).collect();
        let count_width = numbers.iter().map(String::len).max().unwrap_or(0);
        // The rest of the line is for the value, the name, the count, the share, an arrow, and gaps.
        let left = self.width.saturating_sub(value_width + name_width + count_width + 19);
        let left = left.clamp(1, BAR) as u64;
        let longest = longest(lines);
        for (Line { value, name, count }, number) in lines.iter().zip(numbers) {
            #[expect(clippy::cast_precision_loss, reason = "one digit of it is printed")]
            let percent = 100.0 * *count as f64 / sum as f64;
            let name = filled(name, name_width);
            let line = format!(
                "    {value:>value_width$}{name}  {number:>count_width$}  {percent:5.1} %  {}",
                bar(*count, longest, left, self.style)
            );
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Returns the name of a class after a space, if it has one.
    fn class(&self, label: i128) -> String {
        let name = self.names.as_ref().and_then(|names| names.name(label));
        name.map_or(String::new(), |name| format!(" {}", printable(name)))
    }

    /// Returns the bins to draw, in the order of their values.
    fn bins(&self) -> Vec<Line> {
        let digits = (6..17).find(|digits| {
            let mut bins = self.drawn.bins();
            bins.all(|(bin, _)| rounded(bin.start, *digits) != rounded(bin.end, *digits))
        });
        let digits = digits.unwrap_or(17);
        let value = |Range { start, end }: Range<f64>| match self.element_type.is_float() {
            true => format!("{}..{}", rounded(start, digits), rounded(end, digits)),
            false if self.drawn.width() <= 1.0 => start.to_string(),
            false => format!("{start}..{end}"),
        };
        let line = |(bin, count)| Line { value: value(bin), name: String::new(), count };
        self.drawn.bins().map(line).collect()
    }
}

/// Returns the count with the longest bar: the largest, or the next if the largest would flatten all others, as zeros
/// in pictures do.
fn longest(lines: &[Line]) -> u64 {
    const MOST: u64 = 4;
    let mut largest: Vec<u64> = lines.iter().map(|line| line.count).collect();
    largest.sort_unstable_by(|one, other| other.cmp(one));
    match largest[..] {
        [first, second, _, ..] if second > 0 && first / second >= MOST => second,
        [first, ..] => first,
        [] => 0,
    }
}

/// Returns a number, rounded to significant digits; with an exponent where a plain number would need more of them.
fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits.saturating_sub(1));
    let value: f64 = text.parse().unwrap_or(value);
    match value.abs().log10() >= digits as f64 {
        true => format!("{value:e}"),
        false => value_text(ElementType::F64, value),
    }
}

/// Returns a bar in proportion to the longest. A count above 0 is always visible, and one larger than the longest ends
/// with an arrow.
fn bar(count: u64, longest: u64, columns: u64, style: Style) -> String {
    // Blocks lower than the line keep the bars apart.
    let part = match style {
        Style::Characters => "#",
        Style::Blocks | Style::ExactBlocks => "▇",
    };
    let length = u128::from(count.min(longest)) * u128::from(columns);
    let length = length.checked_div(longest.into()).unwrap_or(0);
    let length = usize::try_from(length).unwrap_or(0).max(usize::from(count > 0));
    part.repeat(length) + if count > longest { " >" } else { "" }
}
