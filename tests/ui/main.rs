//! What the derive accepts and rejects, with the messages of the compiler.

use std::env;
use std::process::Command;

use trybuild::TestCases;

mod accepted;

/// The compiler version whose messages are in `compiler`; other versions differ in wording, order and
/// spans.
const COMPILER: &str = "rustc 1.95";

/// Errors of the derive itself, then those to which the compiler adds text.
#[test]
fn refused() {
    let cases = TestCases::new();
    cases.compile_fail("refused/*.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let answer = Command::new(rustc).arg("--version").output();
    let answer = answer.expect("the compiler that builds the cases runs");
    let compiler = String::from_utf8_lossy(&answer.stdout);
    if compiler.starts_with(COMPILER) {
        cases.compile_fail("compiler/*.rs");
    } else {
        eprintln!("skipped compiler/: its words are those of {COMPILER}, this is {compiler}");
    }
}
