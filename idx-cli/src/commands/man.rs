//! `idx man`: the manual, a page for each command, for packagers.

use std::path::Path;
use std::{fs, io};

use clap::{Arg, Command};
use clap_mangen::Man;
use idx_std::AtomicFolder;

use crate::args::{self, ManArguments};
use crate::term::failure::Failure;
use crate::term::signals;

pub(crate) fn run(all: Command, arguments: &ManArguments) -> Result<(), Failure> {
    signals::leave_nothing();
    let folder = AtomicFolder::create(&arguments.folder)?;
    let mut all = all.disable_help_subcommand(true);
    all.build();
    let pages = all.get_subcommands().filter(|command| !command.is_hide_set()).chain([&all]);
    for command in pages {
        write(command, &folder.join("")).map_err(|error| Failure::io(&arguments.folder, error))?;
    }
    Ok(folder.finish()?)
}

/// Writes the page of a command.
fn write(command: &Command, folder: &Path) -> io::Result<()> {
    let man = Man::new(command.clone().mut_args(explained));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8_lossy(&page);
    fs::write(folder.join(man.get_filename()), with_lines(&page))
}

/// Gives an option the help that it hides elsewhere, because `idx help convert` explains it.
fn explained(option: Arg) -> Arg {
    let option = match option.get_help_heading() == Some(args::help::IN_SHORT) {
        true => option.help_heading("Reading (see idx-convert)"),
        false => option,
    };
    match (option.get_long_help(), option.get_help().cloned()) {
        (None, Some(help)) => option.long_help(help),
        _ => option,
    }
}

/// Keeps the line breaks of the text below the options, because it has columns.
fn with_lines(page: &str) -> String {
    let Some((above, text)) = page.split_once(".SH EXTRA\nExamples:\n") else {
        return page.to_string();
    };
    let (text, below) = text.split_at(text.find("\n.SH ").map_or(text.len(), |end| end + 1));
    // From the first column, because the lines have up to 80 characters.
    format!("{above}.SH EXAMPLES\n.nf\n.in 0\n{}\n.in\n.fi\n{below}", text.trim_end())
}
