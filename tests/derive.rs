//! What the derive takes and what it refuses, as the compiler says it.

use std::env;
use std::process::Command;

use trybuild::TestCases;

/// The compiler whose words stand in `ui/compiler`; others word, order and point differently.
const RUSTC: &str = "rustc 1.95.0 ";

/// Refusals in the derive's own words, and those of the compiler, at the place that is at fault.
#[test]
fn refused() {
    let cases = TestCases::new();
    cases.compile_fail("ui/refused/*.rs");
    if has_the_words("ui/compiler") {
        cases.compile_fail("ui/compiler/*.rs");
    }
}

/// Programs that must compile and run.
///
/// Beside them what `cargo check` lets pass: assertions in generic code, which stop a build.
#[test]
fn accepted() {
    let cases = TestCases::new();
    cases.pass("ui/pass/*.rs");
    if has_the_words("ui/compiler/built") {
        cases.compile_fail("ui/compiler/built/*.rs");
    }
}

/// Whether this compiler is the one that the messages in `folder` are from; if not, says so.
fn has_the_words(folder: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("--version").output();
    let version = answer.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.unwrap_or_else(|error| error.to_string());
    if version.starts_with(RUSTC) {
        return true;
    }
    println!("skipped {folder}: its messages are those of {RUSTC}, this is {version}");
    false
}
