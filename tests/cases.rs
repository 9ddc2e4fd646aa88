//! How many cases a property test tries, and where it keeps one that fails.

use std::env;

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// Few cases, because each goes through many readers, and the same each time: what passes today passes tomorrow. With
/// `PROPTEST_CASES`, as many as it says, different in each run.
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
