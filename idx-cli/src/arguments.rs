use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use crate::check::CheckArguments;
use crate::completions::CompletionsArguments;
use crate::convert::ConvertArguments;
use crate::fetch::FetchArguments;
use crate::rust::RustArguments;
use crate::stats::StatsArguments;

/// Look at IDX files, the format of MNIST, plain or gzip.
///
/// A file is plain or gzip by its content, not by its name; `-` is standard input. Several files are
/// treated in order, whatever is wrong with some of them.
///
/// Exit code: 0 done, 1 a file was wrong, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(
    name = "idx",
    version,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  idx                                         the built-in sample
  idx fetch mnist mnist/                      a data set, or where it can be had
  idx check mnist/                            all its files are whole, and of one set
  idx info *.gz                               element type and sizes of each file
  idx show images.gz --labels labels.gz       the first 10 images with their labels
  idx stats images.gz                         extremes, mean, deviation, histogram
  idx convert images.gz --labels labels.gz --per-class 10 \\
      -o digits.idx --labels-out labels.idx   10 images of each label
  idx rust *.idx > src/data.rs                the module that has them in firmware"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Element type, sizes and compression, from the header alone
    Info(InfoArguments),
    /// Records as pictures, or as numbers where they are no images
    Show(ShowArguments),
    /// Extremes, mean, deviation, histogram, and records per label
    Stats(StatsArguments),
    /// Between IDX, npy, csv, parquet and folders of png; whole, a range, or some of each class
    Convert(ConvertArguments),
    /// Read all of a file or of a data set's folder, and tell what is wrong
    Check(CheckArguments),
    /// The record type and the `static` to paste into firmware
    Rust(RustArguments),
    /// A data set from its mirrors, verified by hash
    Fetch(FetchArguments),
    /// What completes commands and options in a shell
    Completions(CompletionsArguments),
}

/// Element type, sizes and compression, from the header alone.
///
/// Of a plain file the length is checked too. Of gzip data no more than the header is decompressed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  idx info train-images-idx3-ubyte.gz
  idx info --json *.gz | jq .shape")]
pub(crate) struct InfoArguments {
    /// Files, plain or gzip; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Read all of it, and tell which well-known file it is, such as "MNIST training images"
    #[arg(long)]
    pub(crate) identify: bool,

    /// One JSON object per file, one per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Records as pictures, or as numbers where they are no images.
///
/// A record of two dimensions is a picture, one of three with 3 or 1 channels first or last too.
/// Bytes are ink on paper, 0 is paper; other types are scaled from the least to the greatest value
/// of the record.
#[derive(Args, Debug, Default)]
#[command(after_help = "\
Examples:
  idx show train-images-idx3-ubyte.gz --labels train-labels-idx1-ubyte.gz
  idx show train-images-idx3-ubyte.gz --records 59990..
  idx show train-images-idx3-ubyte.gz --records ..1000 -o sheet.png")]
pub(crate) struct ShowArguments {
    /// A file, plain or gzip; `-` is standard input [default: the built-in sample]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Which records, counted from 0: A..B without B, A.., ..B, or a single A [default: the first
    /// 10, on a sheet 100]
    #[arg(long, value_name = "A..B")]
    pub(crate) records: Option<RecordRange>,

    /// The labels of the records: integers, one per record, or in columns
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) labels: Option<PathBuf>,

    /// The column of the labels, if they have several
    #[arg(long, value_name = "N", default_value_t = 0, requires = "labels")]
    pub(crate) label_column: usize,

    /// Write a contact sheet, a PNG file, instead of printing; `-` is standard output
    #[arg(short, long, value_name = "SHEET")]
    pub(crate) output: Option<PathBuf>,

    /// Write over a sheet that exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// Records from `start` to before `end`, or to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordRange {
    pub(crate) start: u64,
    pub(crate) end: Option<u64>,
}

impl FromStr for RecordRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| {
            text.parse()
                .map_err(|_| "write A..B with whole numbers, such as 0..10, 10.., ..10 or 7")
        };
        let range = match text.split_once("..") {
            Some(("", "")) => Self {
                start: 0,
                end: None,
            },
            Some(("", end)) => Self {
                start: 0,
                end: Some(number(end)?),
            },
            Some((start, "")) => Self {
                start: number(start)?,
                end: None,
            },
            Some((start, end)) => Self {
                start: number(start)?,
                end: Some(number(end)?),
            },
            None => {
                let start: u64 = number(text)?;
                Self {
                    start,
                    end: Some(start.saturating_add(1)),
                }
            }
        };
        match range.end {
            Some(end) if end < range.start => Err("the first record comes before the last"),
            _ => Ok(range),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_examples_are_understood() {
        let mut command = Arguments::command();
        let mut pages: Vec<_> = command.get_subcommands().cloned().collect();
        pages.push(command.clone());
        for page in &mut pages {
            let help = page.render_help().to_string();
            let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
            // A command that goes on in the next line, as the shell has it.
            let examples = examples.replace("\\\n      ", "");
            let mut understood = 0;
            for line in examples.lines().take_while(|line| !line.is_empty()) {
                // Two spaces are before what is said about it.
                let (command_line, _) = line.trim().split_once("  ").unwrap_or((line, ""));
                let words = command_line.split_whitespace();
                let words: Vec<&str> = words
                    .skip_while(|word| *word != "idx")
                    .take_while(|word| !["|", ">"].contains(word))
                    .collect();
                let parsed = command.try_get_matches_from_mut(&words);
                assert!(parsed.is_ok(), "{line}: {parsed:?}");
                understood += words.len().min(1);
            }
            assert!(understood > 0, "no examples: {help}");
        }
    }

    #[test]
    fn ranges() {
        let range = |start, end| Ok(RecordRange { start, end });
        assert_eq!("3..7".parse(), range(3, Some(7)));
        assert_eq!("3..".parse(), range(3, None));
        assert_eq!("..7".parse(), range(0, Some(7)));
        assert_eq!("..".parse(), range(0, None));
        assert_eq!("7".parse(), range(7, Some(8)));
        assert_eq!("7..7".parse(), range(7, Some(7)));
        for wrong in [
            "",
            "a",
            "7..3",
            "-1..3",
            "1...3",
            "1..x",
            "18446744073709551616",
        ] {
            assert!(wrong.parse::<RecordRange>().is_err(), "{wrong}");
        }
    }
}
