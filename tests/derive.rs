//! What the derive takes and what it refuses, as the compiler says it.

use std::env;
use std::process::Command;

use trybuild::TestCases;

/// The compiler whose words stand in `ui/compiler`; others word, order and point differently.
const COMPILER: &str = "rustc 1.95.0 ";

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
    let compiler = compiler();
    if compiler.starts_with(COMPILER) {
        cases.compile_fail("ui/compiler/*.rs");
    } else {
        println!("skipped ui/compiler: the words are those of {COMPILER}, this is {compiler}");
    }
}

/// What the compiler that builds the cases calls itself.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let output = output.expect("the compiler that built this test runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
