use std::path::{Path, PathBuf};

use idx_std::ElementType;

use super::layout::{Layout, count};
use super::parquet;
use super::source::{self, ReadOptions, Record, Source};
use crate::labels::Labels;
use crate::records::input::Input;
use crate::records::range::{RecordRange, out_of_range};
use crate::term::failure::Failure as Stop;

/// Several inputs of one type and shape as one.
pub(crate) struct Inputs {
    sources: Vec<(PathBuf, Box<dyn Source>)>,
    pub(crate) layout: Layout,
    pub(crate) has_labels: bool,
    /// The element type of the labels, where that is known.
    pub(crate) label_type: Option<ElementType>,
    /// The records of all, where each input tells how many it has.
    count: Option<u64>,
    /// Which of the inputs is read, and how many of its records were.
    current: usize,
    read: u64,
}

impl Inputs {
    pub(crate) fn open(paths: &[PathBuf], options: &ReadOptions<'_>) -> Result<Self, Stop> {
        let mut inputs: Option<Self> = None;
        for path in &with_shards(paths)? {
            let source = source::open(path, options)?;
            let layout =
                reshaped(source.layout(), options).map_err(|message| Stop::file(path, message))?;
            match &mut inputs {
                None => {
                    inputs = Some(Self {
                        layout,
                        has_labels: source.has_labels(),
                        label_type: source.label_type(),
                        count: source.count(),
                        sources: vec![(path.clone(), source)],
                        current: 0,
                        read: 0,
                    });
                }
                Some(inputs) => inputs.join(path, source, &layout)?,
            }
        }
        // The arguments name one input at least.
        inputs.ok_or_else(|| Stop::file(Path::new("-"), "there is no input; name a file"))
    }

    fn join(&mut self, path: &Path, source: Box<dyn Source>, layout: &Layout) -> Result<(), Stop> {
        let expected = &self.layout;
        if layout != expected {
            return Err(Stop::file(
                path,
                format!(
                    "the records are {} of {}, those before are {} of {}; join what is alike",
                    layout.number_type,
                    layout.shape(),
                    expected.number_type,
                    expected.shape()
                ),
            ));
        }
        if source.has_labels() != self.has_labels {
            let message = "of the inputs some have labels and some have not; convert them apart";
            return Err(Stop::file(path, message));
        }
        self.count = self
            .count
            .zip(source.count())
            .map(|(sum, count)| sum.saturating_add(count));
        self.sources.push((path.to_path_buf(), source));
        Ok(())
    }

    /// The labels of all records.
    pub(crate) fn labels(&self, path: &Path, column: usize) -> Result<Labels, Stop> {
        let input = Input::open(path)?;
        let labels = input.header().record_count();
        match self.count.map(u32::try_from) {
            Some(Ok(count)) => Labels::new(input, column, count),
            // Then they are counted while they are read.
            _ => Labels::new(input, column, labels),
        }
    }

    /// The records asked for; those without an end are read to the end of the last input.
    pub(crate) fn range(&self, range: Option<RecordRange>) -> Result<RecordRange, Stop> {
        let all = RecordRange {
            start: 0,
            end: None,
        };
        let range = range.unwrap_or(all);
        match self.count {
            Some(count) if range.start > count || range.end.is_some_and(|end| end > count) => {
                Err(self.beyond(count))
            }
            // Whoever reads the last record is told if the file is not right after it.
            count if range.end == count => Ok(RecordRange { end: None, ..range }),
            _ => Ok(range),
        }
    }

    /// How many records are in the range, where that is known.
    pub(crate) fn count_in(&self, range: RecordRange) -> Option<u64> {
        range.end.or(self.count)?.checked_sub(range.start)
    }

    /// The bytes of the records from `start` to `end`, or to the last, where it is known how many
    /// there are.
    pub(crate) fn size(&self, start: u64, end: Option<u64>) -> Option<u64> {
        let records = end.or(self.count)?.checked_sub(start)?;
        records.checked_mul(self.layout.record_size()?)
    }

    /// That the range asks for more than these records.
    pub(crate) fn beyond(&self, count: u64) -> Stop {
        self.stop(out_of_range(count))
    }

    /// Goes forward to this record, or to one before it from which on records have to be read; gives
    /// which one.
    pub(crate) fn skip_to(&mut self, index: u64) -> Result<u64, Stop> {
        if let Some((_, source)) = self.sources.first_mut() {
            self.read = source.skip(index)?;
        }
        Ok(self.read)
    }

    pub(crate) fn read(&mut self, record: &mut Record) -> Result<bool, Stop> {
        while let Some((_, source)) = self.sources.get_mut(self.current) {
            record.label = None;
            if source.read(record)? {
                self.read += 1;
                return Ok(true);
            }
            if self.current + 1 == self.sources.len() {
                break;
            }
            self.current += 1;
            self.read = 0;
        }
        Ok(false)
    }

    /// That something is wrong with the input that is being read.
    pub(crate) fn stop(&self, message: impl Into<String>) -> Stop {
        let path = self
            .sources
            .get(self.current)
            .map(|(path, _)| path.as_path());
        Stop::file(path.unwrap_or(Path::new("-")), message)
    }

    /// That something is wrong with the record that was read last.
    pub(crate) fn wrong(&self, message: &str) -> Stop {
        self.stop(format!("record {}: {message}", self.read.saturating_sub(1)))
    }
}

/// The inputs, with the files in place of a folder of shards.
fn with_shards(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Stop> {
    let mut files = Vec::new();
    for path in paths {
        let shards = parquet::shards(path)?;
        match shards.is_empty() {
            true => files.push(path.clone()),
            false => files.extend(shards),
        }
    }
    Ok(files)
}

/// The layout with the sizes that were asked for.
fn reshaped(layout: &Layout, options: &ReadOptions<'_>) -> Result<Layout, String> {
    let Some(shape) = options.shape else {
        return Ok(layout.clone());
    };
    let reshaped = Layout {
        number_type: layout.number_type,
        record_shape: Some(shape.0.clone()),
    };
    let (found, expected) = (layout.numbers(), count(&shape.0));
    if found != expected || found.is_none() {
        return Err(format!(
            "a record of {} cannot have the shape {}; give sizes that multiply to the same",
            layout.shape(),
            reshaped.shape()
        ));
    }
    Ok(reshaped)
}
