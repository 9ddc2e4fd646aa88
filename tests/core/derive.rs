//! What the derive takes and what it refuses, as the compiler says it.

use std::env;
use std::process::Command;

use trybuild::TestCases;

/// The compiler whose words stand in `ui/compiler`; others word, order and point differently.
const COMPILER: &str = "rustc 1.95";

/// Programs that must compile and run.
#[test]
fn accepted() {
    TestCases::new().pass("ui/pass/*.rs");
}

/// Refusals in the derive's own words, then those in which the compiler has a word.
#[test]
fn refused() {
    let cases = TestCases::new();
    cases.compile_fail("ui/refused/*.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("--version").output();
    let answer = answer.expect("the compiler that builds the cases runs");
    let compiler = String::from_utf8_lossy(&answer.stdout);
    if compiler.starts_with(COMPILER) {
        cases.compile_fail("ui/compiler/*.rs");
    } else {
        idx_tests::skip(&format!(
            "ui/compiler: its words are those of {COMPILER}, this is {compiler}"
        ));
    }
}
