//! The command `idx`. It is a library, which is compiled beside `idx-data`: a program would wait for all of that first.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    idx_cli::main()
}
