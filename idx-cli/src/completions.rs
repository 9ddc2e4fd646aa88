use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::console::Console;

/// What completes commands and options in a shell.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  idx completions bash > ~/.local/share/bash-completion/completions/idx
  idx completions fish > ~/.config/fish/completions/idx.fish")]
pub(crate) struct CompletionsArguments {
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments, console: &mut Console) -> io::Result<()> {
    // In memory first: `generate` panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "idx",
        &mut script,
    );
    console.output.write_all(&script)
}
