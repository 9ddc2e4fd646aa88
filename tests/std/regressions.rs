//! Runs the checks of the fuzzers on known inputs: the seeds of the fuzzers, and inputs that once failed.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use idx_tests::checks::{CHECKS, Check};
use idx_tests::skip;

/// The most bytes that `tests/fuzz/run` allows.
const MOST_BYTES: usize = 4096;

/// Runs a check, and says which input failed.
fn replay(check: Check, name: &str, bytes: &[u8]) {
    let result = catch_unwind(|| (check.run)(bytes));
    assert!(result.is_ok(), "the check {} fails of {name}", check.name);
}

#[test]
fn seeds_of_the_fuzzers() {
    for check in CHECKS {
        for seed in check.seeds() {
            replay(check, &seed.name, &seed.bytes);
        }
    }
}

/// A hundred inputs for each check, as its fuzzer would begin: seeds with some bytes changed, left out or repeated.
#[test]
fn seeds_that_changed() {
    const INPUTS: usize = 100;
    for (number, check) in CHECKS.into_iter().enumerate() {
        let mut random = fastrand::Rng::with_seed(number as u64);
        let seeds = check.seeds();
        for _ in 0..INPUTS {
            let seed = &seeds[below(&mut random, seeds.len())];
            let mut bytes = seed.bytes.clone();
            for _ in 0..random.u8(1..4) {
                change(&mut bytes, &mut random);
            }
            bytes.truncate(MOST_BYTES);
            replay(check, &format!("{} as {bytes:02X?}", seed.name), &bytes);
        }
    }
}

/// A random number, the same on machines of 32 and of 64 bits.
fn below(random: &mut fastrand::Rng, end: usize) -> usize {
    usize::try_from(random.u64(..end as u64)).expect("it is below a usize")
}

fn change(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    let start = below(random, bytes.len() + 1);
    let end = start + below(random, bytes.len().min(start + 8) - start + 1);
    match random.u8(..4) {
        0 => bytes.get_mut(start).into_iter().for_each(|byte| *byte = random.u8(..)),
        1 => bytes.get_mut(start).into_iter().for_each(|byte| *byte ^= 1 << random.u8(..8)),
        2 => drop(bytes.drain(start..end)),
        _ => bytes.extend_from_within(start..end),
    }
}

/// `tests/regressions` has a folder for each check that once failed, with an input for each reason.
#[test]
fn inputs_that_once_broke_something() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut inputs = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let check = Check::by_name(name).unwrap_or_else(|| panic!("there is no check {name}"));
        for input in fs::read_dir(&path).unwrap() {
            let input = input.unwrap().path();
            replay(check, &input.display().to_string(), &fs::read(&input).unwrap());
            inputs += 1;
        }
    }
    if inputs == 0 {
        skip("regressions: tests/regressions has no input, so far nothing broke");
    }
}
