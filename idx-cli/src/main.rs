//! The command `idx`: look at IDX files, the format of MNIST.
//!
//! A thin front end to `idx-data`. An error stays a [`Failure`] until it is printed; a command that takes several files
//! prints it and continues with the next file.

#![forbid(unsafe_code)]

mod term;
mod args;
mod records;
mod draw;
mod commands;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, ColorChoice, CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;

use args::{Arguments, Command, CompletionsArguments};
use commands::{check, diff, fetch, info, repair, rust, show, stats};
use records::input::found;
use term::console::Console;
use term::failure::{Failure, Options};
use term::progress::be_quiet;
use term::text::printable;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut all = args::with_short_help(Arguments::command());
    let matches = all.try_get_matches_from_mut(args::with_axes(std::env::args_os()));
    let command = matches.as_ref().ok().and_then(ArgMatches::subcommand_name);
    let command = command.and_then(|name| all.find_subcommand(name));
    let parsed = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    let color = parsed.as_ref().map(|arguments| arguments.color);
    let mut console = Console::new(color.unwrap_or(ColorChoice::Auto));
    let options = match command {
        Some(command) => Some(Options::of(command, "")),
        // Without a command, files are shown.
        None => all.find_subcommand("show").map(|show| Options::of(show, "idx show ")),
    };
    console.options = options.unwrap_or_default();
    let result = match parsed {
        Ok(arguments) => run(&arguments, &mut console),
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => {
            let is_mistyped = |word: &OsString| {
                let is_known = is_file(word) || own_command(&word.to_string_lossy()).is_some();
                !is_known && is_like_a_command(word, &error)
            };
            match words.first().filter(|first| *first != "help" && !is_mistyped(first)) {
                Some(first) => look_at(first, &words, &mut console),
                None => Err(mistyped(error)),
            }
        }
        Err(error) if is_empty_value(&error) && words.contains(&OsString::new()) => {
            Err(args::usage(
                &words.first().unwrap_or(&OsString::new()).to_string_lossy(),
                "a name is empty; a shell variable may be unset",
            ))
        }
        Err(error) => Err(mistyped(error)),
    };
    console.finish(result)
}

/// Shows files if the first word is one, or else says what the user may have meant.
fn look_at(first: &OsStr, words: &[OsString], console: &mut Console) -> Result<(), Failure> {
    let is_option = |word: &OsString| word != "-" && word.as_encoded_bytes().first() == Some(&b'-');
    let name = printable(&first.to_string_lossy());
    match (words.iter().any(is_option), is_file(first)) {
        (_, false) => {
            let advice = own_command(&name).map(|own| format!("; {own}")).unwrap_or_default();
            let text = format!("{name}: no such file, and no command has this name{advice}");
            Err(args::usage("", &text))
        }
        (true, true) => {
            let has_options = |command: &&str| {
                let line = ["idx", *command].into_iter().map(OsString::from);
                Arguments::try_parse_from(line.chain(words.iter().cloned())).is_ok()
            };
            let command = ["show", "info", "check", "convert"].into_iter().find(has_options);
            let command = command.unwrap_or("show");
            let words = words.iter().map(|word| printable(&word.to_string_lossy()));
            let line = words.collect::<Vec<_>>().join(" ");
            Err(args::usage("", &format!("options need a command: `idx {command} {line}`")))
        }
        (false, true) => show::overviews(words, console),
    }
}

/// Returns the advice for a command known from other programs.
fn own_command(other: &str) -> Option<&'static str> {
    Some(match other {
        "cat" | "head" | "open" | "plot" | "preview" | "print" | "tail" | "view" => {
            "`idx show FILE` shows records"
        }
        "cmp" | "compare" => "`idx diff FILE FILE` compares records",
        "count" | "describe" | "histogram" | "mean" | "summary" => {
            "`idx stats FILE` shows the mean, the histogram and the records of each class"
        }
        "dedup" | "duplicates" | "uniq" => "`idx check --duplicates FILE` finds equal records",
        "download" | "get" => "`idx fetch mnist mnist/` downloads a data set",
        "dump" | "header" | "hex" => "`idx info --hex FILE` explains a header",
        "export" | "extract" | "filter" | "resize" | "sample" | "shuffle" | "subset" => {
            "`idx convert FILE -o OUT` does this, with the options in `idx help convert`"
        }
        "fix" | "recover" => "`idx repair FILE` recovers the records of a file",
        "gunzip" | "unzip" => "`idx convert FILE.gz -o FILE.idx` decompresses a file",
        "append" | "concat" | "join" | "merge" => "`idx convert FILE FILE -o OUT` joins files",
        "dir" | "inspect" | "list" | "ls" | "shape" => "`idx info FILE` says what a file is",
        "split" => "`idx convert FILE --split 80% -o TRAINING --rest TEST` splits a file",
        "train" => {
            "`idx convert mnist/ -o mnist.npz` prepares a data set for a program that trains"
        }
        "validate" | "verify" => "`idx check FILE` verifies a file",
        _ => return None,
    })
}

/// Returns whether a word is a mistyped command: people get the first letter right.
fn is_like_a_command(word: &OsStr, error: &clap::Error) -> bool {
    let suggested = match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::Strings(names)) => names.as_slice(),
        Some(ContextValue::String(name)) => std::slice::from_ref(name),
        _ => &[],
    };
    let start = word.as_encoded_bytes().first();
    suggested.iter().any(|name| name.as_bytes().first() == start)
}

/// Returns whether a word names a file: it exists, or looks like no command; `-` is standard input.
fn is_file(word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    word == "-"
        || !matches!(found(word.as_ref()), Ok(None))
        || text.contains(['.', '/', '\\'])
        || text.contains("-idx")
}

/// Options of other programs, for which similar names would be wrong advice, and the options of `idx` that do the same.
const OTHER_NAMES: [(&str, &str); 23] = [
    ("--by-class", "-o FOLDER/"),
    ("--class", "--only"),
    ("--dtype", "--as"),
    ("--exclude", "--except"),
    ("--filter", "--only"),
    ("--format", "--to"),
    ("--gray", "--channels gray"),
    ("--grayscale", "--channels gray"),
    ("--index", "--records"),
    ("--jobs", "--threads"),
    ("--limit", "-n"),
    ("--negate", "--invert"),
    ("--output-format", "--to"),
    ("--overwrite", "--force"),
    ("--random", "--shuffle"),
    ("--random-state", "--shuffle"),
    ("--reshape", "--shape"),
    ("--resize", "--size"),
    ("--seed", "--shuffle"),
    ("--test", "--rest"),
    ("--test-size", "--split"),
    ("--train-size", "--split"),
    ("--type", "--as"),
];

/// Options that choose records.
const CHOICES: [&str; 10] = [
    "-n",
    "--first",
    "-r",
    "--records",
    "--only",
    "--except",
    "--per-class",
    "--split",
    "--sample",
    "--shuffle",
];

/// Commands that read records, but lack some or all of these options.
const OF_RECORDS: [&str; 6] = ["check", "diff", "info", "rust", "show", "stats"];

/// Improves the advice of a usage error, and makes what was typed printable.
fn mistyped(error: clap::Error) -> Failure {
    let typed = std::env::args_os().map(|word| printable(&word.to_string_lossy()));
    let escaped = error.use_stderr().then(|| Arguments::try_parse_from(typed).err()).flatten();
    let mut error = escaped.unwrap_or(error);
    if error.kind() == ErrorKind::UnknownArgument {
        correct_unknown_option(&mut error);
    }
    if is_start_of_a_value(&error) {
        // A shorter value is more similar, as `mnist` is for `emnist`.
        error.remove(ContextKind::SuggestedValue);
    }
    let normalizes = matches!(error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(option)) if option.starts_with("--normalize"));
    if normalizes && is_empty_value(&error) {
        let tip = "`idx stats FILE` prints both, such as 0.1307,0.3081 after division by 255";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    Failure::Usage(error)
}

/// Replaces advice that is wrong for an unknown option.
fn correct_unknown_option(error: &mut clap::Error) {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return };
    let command = std::env::args_os().nth(1).unwrap_or_default();
    let other = OTHER_NAMES.into_iter().find(|(name, _)| unknown == name);
    let other = other.filter(|(_, own)| command == "convert" || has_option(&command, own));
    let is_misleading = other.is_some() || !is_like_an_option(unknown, error);
    let tip = tip(&command, unknown);
    // This would suggest a value after `--`, which no option has.
    error.remove(ContextKind::Suggested);
    if is_misleading {
        // The usage also names the suggested option.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    if let Some((_, own)) = other {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(own.to_string()));
    }
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Returns what to do instead of giving this option to a command that lacks it.
fn tip(command: &OsStr, option: &str) -> Option<String> {
    if CHOICES.contains(&option) && OF_RECORDS.iter().any(|name| command == *name) {
        return Some(format!("choose records first: `idx convert FILE {option} .. -o NEW`"));
    }
    (command == "check" && ["-l", "--labels"].contains(&option))
        .then(|| "give both files: `idx check IMAGES LABELS`".to_string())
}

/// Returns whether a command has the option with this long name.
fn has_option(command: &OsStr, option: &str) -> bool {
    let all = Arguments::command();
    let command = command.to_str().and_then(|name| all.find_subcommand(name));
    let mut names = command.into_iter().flat_map(clap::Command::get_arguments);
    option.strip_prefix("--").is_some_and(|long| names.any(|own| own.get_long() == Some(long)))
}

/// Returns whether an unknown option is a mistyped one, or resembles none: people get the first letter right.
fn is_like_an_option(unknown: &str, error: &clap::Error) -> bool {
    let first = |name: &str| name.trim_start_matches('-').chars().next();
    match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(similar)) => first(similar) == first(unknown),
        _ => true,
    }
}

/// Returns whether a possible value starts with the one that was typed.
fn is_start_of_a_value(error: &clap::Error) -> bool {
    match (error.get(ContextKind::InvalidValue), error.get(ContextKind::ValidValue)) {
        (Some(ContextValue::String(typed)), Some(ContextValue::Strings(possible))) => {
            !typed.is_empty() && possible.iter().any(|value| value.starts_with(typed))
        }
        _ => false,
    }
}

/// Returns whether an argument is empty where a name has to be.
fn is_empty_value(error: &clap::Error) -> bool {
    let value = error.get(ContextKind::InvalidValue);
    let is_empty = matches!(value, Some(ContextValue::String(value)) if value.is_empty());
    error.kind() == ErrorKind::InvalidValue && is_empty
}

fn run(arguments: &Arguments, console: &mut Console) -> Result<(), Failure> {
    if arguments.quiet {
        be_quiet();
    }
    match &arguments.command {
        Some(Command::Info(arguments)) => info::run(arguments, console),
        Some(Command::Show(arguments)) => show::run(arguments, console),
        Some(Command::Stats(arguments)) => stats::run(arguments, console),
        Some(Command::Convert(arguments)) => commands::convert::run(arguments),
        Some(Command::Check(arguments)) => check::run(arguments, console),
        Some(Command::Diff(arguments)) => diff::run(arguments, console),
        Some(Command::Repair(arguments)) => repair::run(arguments, console),
        Some(Command::Rust(arguments)) => rust::run(arguments, console),
        Some(Command::Fetch(arguments)) => fetch::run(arguments, console),
        Some(Command::Completions(arguments)) => complete(arguments, console),
        #[cfg(feature = "man")]
        Some(Command::Man(arguments)) => commands::man::run(Arguments::command(), arguments),
        None => show::sample(console),
    }
}

fn complete(arguments: &CompletionsArguments, console: &mut Console) -> Result<(), Failure> {
    // In memory first, because `generate` panics if it cannot write.
    let mut script = Vec::new();
    let command = &mut Arguments::command();
    clap_complete::generate(arguments.shell, command, "idx", &mut script);
    write!(console, "{}", String::from_utf8_lossy(&script))?;
    if arguments.shell == Shell::Fish {
        write!(console, "{}", values_for_fish(command))?;
    }
    Ok(())
}

/// Returns the values of positional arguments, which the script for fish leaves out.
fn values_for_fish(command: &clap::Command) -> String {
    let line = |command: &clap::Command| {
        let values = command.get_positionals().flat_map(clap::Arg::get_possible_values);
        let values: Vec<String> = values.map(|value| value.get_name().to_string()).collect();
        let (name, values) = (command.get_name(), values.join(" "));
        let line = format!(
            "complete -c idx -n \"__fish_idx_using_subcommand {name}\" -f -a \"{values}\"\n"
        );
        (!values.is_empty()).then_some(line)
    };
    command.get_subcommands().filter_map(line).collect()
}
