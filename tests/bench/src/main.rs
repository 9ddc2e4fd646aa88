//! Compares idx-std with the machine's limits and other readers, in one process.
//!
//!     cargo run --release --manifest-path tests/bench/Cargo.toml [--rounds N] [GROUP..]

mod rounds;
mod limits;
mod gzip;
mod plain;
mod memory;
mod writing;
mod training;
mod formats;
mod peers;

use std::process::ExitCode;

use idx_bench::data::{self, Data};
use idx_std::Error;

type Group = fn(&Data, usize) -> Result<(), Error>;

const GROUPS: &[(&str, Group)] = &[
    ("gzip-open", gzip::open),
    ("gzip-load", gzip::load),
    ("gzip-stream", gzip::stream),
    ("stats", gzip::stats),
    ("plain-load", plain::load),
    ("plain-stream", plain::stream),
    ("mapped", plain::mapped),
    ("plain-random", plain::random),
    ("swap", memory::swap),
    ("sum", memory::sum),
    ("record", memory::record),
    ("write", writing::plain),
    ("gzip-write", writing::gzip),
    ("batches", training::batches),
    ("transform", formats::transform),
    ("csv", formats::csv),
    ("png", formats::png),
    #[cfg(feature = "parquet")]
    ("parquet", formats::parquet),
    ("peers", peers::peers),
];

fn main() -> ExitCode {
    let mut rounds = 13; // so many that the quartiles and the median are measured values
    let mut groups = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let group = GROUPS.iter().find(|(name, _)| *name == argument);
        if let Some((_, group)) = group {
            groups.push(*group);
            continue;
        }
        match arguments.next().map(|number| number.parse()) {
            Some(Ok(number @ 1..)) if argument == "--rounds" => rounds = number,
            _ => {
                let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
                let names = names.join(" ");
                eprintln!("usage: idx-bench [--rounds N] [GROUP..]\ngroups: {names}");
                return ExitCode::from(2);
            }
        }
    }
    if groups.is_empty() {
        groups.extend(GROUPS.iter().map(|(_, group)| *group));
    }
    match measure(&groups, rounds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("idx-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(groups: &[Group], rounds: usize) -> Result<(), Error> {
    let data = Data::new()?;
    println!("Measured on {}; {rounds} rounds.", data::origin());
    for group in groups {
        group(&data, rounds)?;
    }
    Ok(())
}
