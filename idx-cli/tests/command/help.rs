//! The help of the command and of each of its commands.

use crate::common::{Folder, outcome};

const COMMANDS: [&str; 10] =
    ["info", "show", "stats", "convert", "check", "diff", "repair", "rust", "fetch", "completions"];

#[test]
fn the_examples_are_understood() {
    // The name of the file in examples without a command.
    let folder = Folder::new(&[("images.gz", b"")]);
    for page in COMMANDS.into_iter().map(Some).chain([None]) {
        let arguments: Vec<&str> = page.into_iter().chain(["-h"]).collect();
        let help = folder.run(&arguments).success();
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
        // A command may continue on the next line, as in the shell.
        let examples = examples.replace("\\\n      ", "");
        let mut understood = 0;
        for line in examples.lines().take_while(|line| !line.is_empty()) {
            // Two spaces separate the command from its description.
            let (command_line, _) = line.trim().split_once("  ").unwrap_or((line, ""));
            let mut words = command_line.split_whitespace().skip_while(|word| *word != "idx");
            if words.next().is_none() {
                continue;
            }
            understood += 1;
            let words: Vec<&str> = words.take_while(|word| !["|", ">"].contains(word)).collect();
            if cfg!(feature = "fetch") && words.first() == Some(&"fetch") {
                continue; // it would go to the network
            }
            // The files are missing or empty, but the arguments are right.
            let messages = outcome(&mut folder.command(&words), &[]).messages;
            assert!(!messages.contains("\nUsage: "), "{line}: {messages}");
        }
        assert!(understood > 0, "no examples: {help}");
    }
}

#[test]
fn long_help_describes_what_a_command_does() {
    let folder = Folder::new(&[]);
    let list = folder.run(&["-h"]).success();
    for command in COMMANDS {
        let help = folder.run(&[command, "--help"]).success();
        let (first, rest) = help.split_once('\n').unwrap();
        let summary = first.trim_end_matches('.');
        assert!(list.contains(summary), "{command}: {summary}");
        let has_description = !rest.trim_start().starts_with("Usage:");
        assert!(has_description || command == "completions", "{help}");
    }
}

#[test]
fn each_option_and_command_has_one_line_of_80_columns() {
    let folder = Folder::new(&[]);
    for page in COMMANDS.into_iter().map(Some).chain([None]) {
        for option in ["-h", "--help"] {
            let arguments: Vec<&str> = page.into_iter().chain([option]).collect();
            let mut command = folder.command(&arguments);
            let help = outcome(command.env("COLUMNS", "80"), &[]).success();
            for line in help.lines() {
                assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
                // In the short help, a summary has no second line.
                let column = if page.is_some() { 20 } else { 15 };
                let is_more = option == "-h" && line.starts_with(&" ".repeat(column));
                assert!(!is_more, "{arguments:?}: {line}");
            }
            // Examples are wrapped by hand, and not again for the terminal.
            let wide = outcome(folder.command(&arguments).env("COLUMNS", "200"), &[]).success();
            let end = |help: &str| help.split_once("Examples:").map(|(_, end)| end.to_string());
            assert_eq!(end(&help), end(&wide), "{arguments:?}");
        }
    }
}

/// Failed before: the long help had 248, 129 and 89 lines, many of them the same.
#[test]
fn long_help_is_short_enough_to_read() {
    let folder = Folder::new(&[]);
    for (command, most) in [("convert", 230), ("show", 110), ("stats", 70)] {
        let mut command_line = folder.command(&[command, "--help"]);
        let help = outcome(command_line.env("COLUMNS", "80"), &[]).success();
        assert!(help.lines().count() <= most, "{command}: {}", help.lines().count());
        // An option and its explanation.
        for part in help.split("\n\n").filter(|part| part.trim_start().starts_with("--")) {
            assert!(part.lines().count() <= 4, "{command}: {part}");
        }
    }
}

/// The other options are only in the long help.
#[test]
fn the_short_help_of_convert_has_at_most_30_options() {
    let folder = Folder::new(&[]);
    let options = |option: &str| {
        let help = folder.run(&["convert", option]).success();
        let lines = help.lines().map(str::trim_start);
        lines.filter(|line| line.starts_with('-') && line.contains("--")).count()
    };
    let (short, long) = (options("-h"), options("--help"));
    assert!((20..=30).contains(&short), "{short}");
    assert!(long > 40, "{long}");
}

/// `idx help` works as in cargo and git.
#[test]
fn help_is_a_command_too() {
    let folder = Folder::new(&[]);
    assert_eq!(folder.run(&["help"]), folder.run(&["--help"]));
    assert_eq!(folder.run(&["help", "convert"]), folder.run(&["convert", "--help"]));
}

#[test]
fn long_help_has_more() {
    let folder = Folder::new(&[]);
    for (arguments, more) in [
        (&[][..], "Environment:"),
        (&["show"], "How a picture is drawn:"),
        (&["convert"], "The name of OUT chooses the format"),
        (&["info"], "Keys of --json:"),
        (&["stats"], "Keys of --json:"),
        (&["check"], "Keys of --json:"),
    ] {
        let help = |option| folder.run(&[arguments, &[option]].concat()).success();
        assert!(help("--help").contains(more), "{arguments:?}");
        assert!(!help("-h").contains(more), "{arguments:?}");
        assert!(help("--help").contains("Examples:"), "{arguments:?}");
    }
}

/// The long help names each key that a report has.
#[test]
fn the_keys_of_json_are_in_the_help() {
    let folder = Folder::new(&[
        ("a.idx", &idx_tests::file(8, &[1, 2, 2], &[1; 4])),
        ("l.idx", &idx_tests::file(8, &[1], &[1])),
    ]);
    for arguments in [
        &["info", "--json", "--identify", "a.idx"][..],
        &["info", "--json", "no"],
        &["check", "--json", "a.idx", "l.idx"],
        &["stats", "--json", "a.idx"],
    ] {
        let help = folder.run(&[arguments[0], "--help"]).success();
        let output = folder.run(arguments).output;
        for line in output.lines() {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            for key in object.as_object().unwrap().keys() {
                // The numbers of an error are in its sentence.
                assert!(key == "os_error" || help.contains(key), "{arguments:?}: {key}");
            }
        }
    }
}

#[test]
#[cfg(feature = "man")]
fn each_command_has_a_page() {
    let folder = Folder::new(&[]);
    folder.run(&["man", "pages"]).success();
    for command in COMMANDS {
        let page = folder.read(&format!("pages/idx-{command}.1"));
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains(&format!(".TH idx-{command} 1")), "{page}");
        // Examples keep their columns, and the help of an option directly follows its name.
        let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n.in 0\n  ").unwrap();
        assert!(examples.ends_with("\n.in\n.fi\n"), "{page}");
        assert!(!page.contains("\\fR\n\n"), "{page}");
    }
    assert!(folder.read("pages/idx.1").starts_with(b".ie"));
    assert!(!folder.0.path().join("pages/idx-man.1").exists());
    folder.write("others/idx-show.1", b"of somebody else");
    let (_, message) = folder.run(&["man", "others"]).failure();
    assert_eq!(message, "others: the folder is not empty; name a new folder in it");
    assert_eq!(folder.read("others/idx-show.1"), b"of somebody else");
}
