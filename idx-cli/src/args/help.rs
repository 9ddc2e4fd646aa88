//! The help of all commands: the options that read inputs are explained once, under `convert`.

use clap::Arg;
use clap::builder::{Resettable, StyledStr};

/// The options for reading other formats, in any command; only `convert` explains them at length.
const READING: [&str; 14] = [
    "labels",
    "classes",
    "element_type",
    "scale",
    "normalize",
    "shape",
    "header",
    "no_header",
    "label_column",
    "no_labels",
    "skip",
    "record_column",
    "raw",
    "record_limit",
];

/// Lets the long help of an option follow the short one without an empty line, as `convert` has it.
pub(super) fn in_full(option: Arg) -> Arg {
    let option = match READING.contains(&option.get_id().as_str()) {
        true => option.help_heading("Reading"),
        false => option,
    };
    match option.get_long_help().map(ToString::to_string) {
        Some(help) => option.long_help(help.replacen("\n\n", ". ", 1)),
        None => option,
    }
}

/// The heading of these options in the other commands.
pub(crate) const IN_SHORT: &str = "Reading (`idx help convert` explains these)";

/// Leaves the long help of reading options to `convert`, for an option of another command.
pub(super) fn in_short(option: Arg) -> Arg {
    match READING.contains(&option.get_id().as_str()) {
        true => option.help_heading(IN_SHORT).long_help(Resettable::Reset),
        false => in_full(option),
    }
}

/// Moves the options that the long help of a command does not explain to its end, one line each.
pub(crate) fn with_short_help(mut all: clap::Command) -> clap::Command {
    // Before this, a command does not have all its options.
    all.build();
    with_headings(all).mut_subcommands(|command| {
        let is_short = |option: &Arg| option.get_help_heading() == Some(IN_SHORT);
        let options = READING.into_iter().filter_map(|name| {
            command.get_arguments().find(|option| option.get_id() == name && is_short(option))
        });
        let rows = options.map(|option| {
            let short =
                option.get_short().map_or("    ".to_string(), |short| format!("-{short}, "));
            let long = option.get_long().unwrap_or_default();
            let value = option.get_action().takes_values().then(|| option.get_value_names());
            let value = value.flatten().and_then(<[_]>::first);
            let value = value.map(|value| format!(" <{value}>")).unwrap_or_default();
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            format!("  {:<30}{help}\n", format!("{short}--{long}{value}"))
        });
        let rows: String = rows.collect();
        let more = command.get_after_long_help().or(command.get_after_help());
        let more = more.map(|more| more.ansi().to_string()).unwrap_or_default();
        with_headings(match rows.is_empty() {
            true => command,
            false => command.after_long_help(format!("{IN_SHORT}:\n{rows}\n{more}")).mut_args(
                move |option| match is_short(&option) {
                    true => option.hide_long_help(true),
                    false => option,
                },
            ),
        })
    })
}

/// Gives the headings below the options the style of those above.
fn with_headings(command: clap::Command) -> clap::Command {
    let header = *command.get_styles().get_header();
    let line = |line: &str| {
        // A longer line is a sentence before a list.
        match !line.starts_with(' ') && line.ends_with(':') && line.len() < 50 {
            true => format!("{header}{line}{header:#}\n"),
            false => format!("{line}\n"),
        }
    };
    let styled = |text: &StyledStr| -> StyledStr {
        text.ansi().to_string().lines().map(line).collect::<String>().into()
    };
    let short = command.get_after_help().map(styled);
    let long = command.get_after_long_help().map(styled);
    let or_none = |text: Option<StyledStr>| text.map_or(Resettable::Reset, Resettable::Value);
    command.after_help(or_none(short)).after_long_help(or_none(long))
}
