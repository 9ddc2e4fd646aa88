//! The number of cases that a property test tries, and the file that keeps one that fails.

use std::env;

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// Returns a configuration of few cases, because each goes through many readers, and of the same ones in each run: what
/// passes today passes tomorrow. With `PROPTEST_CASES`, there are as many as it says, and others in each run.
pub(crate) fn config() -> Config {
    let default = Config::default();
    let is_search = env::var_os("PROPTEST_CASES").is_some();
    Config {
        cases: if is_search { default.cases } else { 64 },
        rng_seed: if is_search { RngSeed::Random } else { RngSeed::Fixed(28 * 28) },
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "regressions/properties.txt",
        ))),
        ..default
    }
}
