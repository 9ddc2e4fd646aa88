//! The command `idx`: look at IDX files, the format of MNIST.
//!
//! A thin front over `idx-std`. A command is a module, and in it a function from arguments to
//! output; what went wrong with a file goes to the error stream, and the command goes on with the
//! next file.

#![forbid(unsafe_code)]

mod arguments;
mod console;
mod progress;
mod input;
mod told;
mod info;
mod show;
mod table;
mod picture;
mod sheet;
mod stats;
mod convert;
mod check;
mod rust;
mod fetch;
mod completions;

use std::io;
use std::process::ExitCode;

use clap::Parser;
use idx_std::ErrorKind;

use arguments::{Arguments, Command};
use console::{Console, say};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut console = Console::standard();
    let done = match &arguments.command {
        Some(Command::Info(arguments)) => info::run(arguments, &mut console),
        Some(Command::Show(arguments)) => show::run(arguments, &mut console),
        Some(Command::Stats(arguments)) => stats::run(arguments, &mut console),
        Some(Command::Convert(arguments)) => convert::run(arguments, &mut console),
        Some(Command::Check(arguments)) => check::run(arguments, &mut console),
        Some(Command::Rust(arguments)) => rust::run(arguments, &mut console),
        Some(Command::Fetch(arguments)) => fetch::run(arguments, &mut console),
        Some(Command::Completions(arguments)) => completions::run(arguments, &mut console),
        None => show::sample(&mut console),
    };
    match done.and_then(|()| console.finish()) {
        Ok(code) => code,
        // Whoever reads has seen enough, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            say(format_args!("standard output: {}", ErrorKind::from(error)));
            ExitCode::FAILURE
        }
    }
}
