//! How many cases a property test tries, and where it keeps one that fails.

use std::env;

use proptest::test_runner::{Config, FileFailurePersistence};

pub(crate) fn config() -> Config {
    let default = Config::default();
    Config {
        // Few, as each case goes through many readers.
        cases: if env::var_os("PROPTEST_CASES").is_some() { default.cases } else { 64 },
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "regressions/properties.txt",
        ))),
        ..default
    }
}
