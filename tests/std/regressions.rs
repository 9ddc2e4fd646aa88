//! The checks that are fuzzed, of inputs that are known: the seeds of the fuzzers, and what once
//! broke something.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use idx_tests::checks::{CHECKS, Check};
use idx_tests::skip;

/// Runs a check, and says of which input if it fails.
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

/// `tests/regressions` has a folder for each check that once failed, and an input in it for each
/// reason.
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
