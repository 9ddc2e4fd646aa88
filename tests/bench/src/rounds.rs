//! Measures the cases of a group in turn, round by round, and prints a table.
//!
//! criterion and divan measure one case to its end and then the next, while the speed of a machine drifts by more than
//! the differences that matter here. Only times of the same round are compared: a ratio is the median of the ratios of
//! the rounds.

use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::hint::black_box;
use std::time::Instant;

/// Cases that do the same work. The first is the reference of the others.
pub(crate) struct Group<'a> {
    title: String,
    repeat: u32,
    cases: Vec<Case<'a>>,
    targets: Vec<Target>,
}

struct Case<'a> {
    name: &'static str,
    /// Does the work once, or as often as the group asks for, and returns the milliseconds of one time.
    work: Box<dyn FnMut() -> f64 + 'a>,
}

struct Target {
    case: &'static str,
    reference: Option<&'static str>,
    /// A ratio to the reference, or milliseconds if there is none.
    at_most: f64,
}

impl<'a> Group<'a> {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), repeat: 1, cases: Vec::new(), targets: Vec::new() }
    }

    /// Does the work of the next cases this many times in a row, if once is too short to measure.
    pub(crate) fn repeat(mut self, repeat: u32) -> Self {
        self.repeat = repeat;
        self
    }

    /// Adds a case. The time of `work` counts; the time to drop its result does not, unless it is repeated.
    pub(crate) fn case<T>(mut self, name: &'static str, mut work: impl FnMut() -> T + 'a) -> Self {
        let repeat = self.repeat;
        self.cases.push(Case {
            name,
            work: Box::new(move || {
                let start = Instant::now();
                for _ in 1..repeat {
                    black_box(work());
                }
                let last = black_box(work());
                let milliseconds = start.elapsed().as_secs_f64() * 1e3 / f64::from(repeat);
                drop(last);
                milliseconds
            }),
        });
        self
    }

    /// Adds a case that can fail. A failure ends the program.
    pub(crate) fn try_case<T, E: fmt::Debug>(
        self,
        name: &'static str,
        mut work: impl FnMut() -> Result<T, E> + 'a,
    ) -> Self {
        self.case(name, move || work().expect(name))
    }

    /// Sets the maximum time of a case, as a ratio to another one.
    pub(crate) fn target(
        mut self,
        case: &'static str,
        at_most: f64,
        reference: &'static str,
    ) -> Self {
        self.targets.push(Target { case, reference: Some(reference), at_most });
        self
    }

    /// Sets the maximum time of a case, in milliseconds.
    pub(crate) fn target_milliseconds(mut self, case: &'static str, at_most: f64) -> Self {
        self.targets.push(Target { case, reference: None, at_most });
        self
    }

    /// Measures and prints. Before the first round there is one that does not count.
    pub(crate) fn run(mut self, rounds: usize) {
        // The reference is measured a second time, which shows how much of a ratio is noise.
        let count = self.cases.len();
        let shuffle = BuildHasherDefault::<DefaultHasher>::new();
        let mut times = vec![Vec::with_capacity(rounds); count + 1];
        for round in 0..=rounds {
            // Shuffled, so that no case always follows the same one.
            let mut slots: Vec<usize> = (0..=count).collect();
            slots.sort_by_cached_key(|slot| shuffle.hash_one((round, slot)));
            for slot in slots {
                let milliseconds = (self.cases[slot % count].work)();
                if round > 0 {
                    times[slot].push(milliseconds);
                }
            }
        }
        println!("\n### {}\n", self.title);
        println!("| | ms | quartiles | ratio | quartiles |");
        println!("| --- | ---: | ---: | ---: | ---: |");
        row(self.cases[0].name, &times[0], None);
        row("the reference once more", &times[count], Some(&times[0]));
        for (case, case_times) in self.cases.iter().zip(&times).skip(1) {
            row(case.name, case_times, Some(&times[0]));
        }
        let named = |name| {
            let slot = self.cases.iter().position(|case| case.name == name);
            &times[slot.expect("a target names a case")]
        };
        for (index, target) in self.targets.iter().enumerate() {
            let measured = match target.reference {
                None => Spread::of(named(target.case).clone()),
                Some(reference) => Spread::of(ratios(named(target.case), named(reference))),
            };
            let of = match target.reference {
                None => "ms".to_string(),
                Some(reference) => format!("of {reference}"),
            };
            let verdict = match measured.median / target.at_most {
                ratio if ratio <= 1.0 => "met",
                ratio if ratio <= 1.05 => "met within noise",
                _ => "missed",
            };
            let blank = if index == 0 { "\n" } else { "" };
            println!(
                "{blank}- {}: at most {} {of}; it is {} ({} to {}), {verdict}.",
                target.case,
                target.at_most,
                short(measured.median),
                short(measured.low),
                short(measured.high)
            );
        }
    }
}

fn row(name: &str, times: &[f64], reference: Option<&[f64]>) {
    let time = Spread::of(times.to_vec());
    print!("| {name} | {} | ", short(time.median));
    print!("{} to {} | ", short(time.low), short(time.high));
    match reference.map(|reference| Spread::of(ratios(times, reference))) {
        None => println!("1 | |"),
        Some(ratio) => println!("{:.2} | {:.2} to {:.2} |", ratio.median, ratio.low, ratio.high),
    }
}

fn ratios(times: &[f64], reference: &[f64]) -> Vec<f64> {
    let pairs = times.iter().zip(reference);
    pairs.map(|(time, reference)| time / reference).collect()
}

/// The median, and the quartiles below and above it.
struct Spread {
    low: f64,
    median: f64,
    high: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let last = values.len() - 1;
        Self {
            low: values[last / 4],
            median: (values[last / 2] + values[last.div_ceil(2)]) / 2.0,
            high: values[last - last / 4],
        }
    }
}

/// A number of three digits.
fn short(value: f64) -> String {
    let decimals = (2.0 - value.log10().floor()).clamp(0.0, 6.0);
    format!("{value:.*}", decimals as usize)
}
