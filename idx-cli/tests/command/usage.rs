//! Wrong usage: exit code 2, and a message that names the command and the next step.

use idx_tests::{file, names};

use crate::common::{Folder, byte_records, outcome};
use crate::every_command::{INPUT, READING, command, images};

#[test]
fn wrong_usage_has_its_own_code() {
    let folder = Folder::new(&[("images", &images(1))]);
    let without_arguments = ["info", "stats", "convert", "check", "rust", "fetch", "completions"];
    let without_arguments = without_arguments.map(|command| vec![command]);
    let unknown_option = READING.map(|arguments| [arguments, &["--no"]].concat());
    let others = [
        &["look"][..],
        &["show", INPUT, "--records", "3..1"],
        &["show", INPUT, "--records", "x"],
        &["show", "--labels", INPUT],
        &["show", INPUT, "--force"],
        &["stats", INPUT, INPUT, "--labels", INPUT],
        &["convert", INPUT, "-o", "no.format"],
        &["fetch", "cifar", INPUT],
        &["completions", "ksh"],
    ];
    let others = others.map(<[&str]>::to_vec);
    for arguments in without_arguments.iter().chain(&unknown_option).chain(&others) {
        let outcome = outcome(&mut command(&folder, arguments, "images", ""), &[]);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.output, "");
        assert!(outcome.messages.contains("--help"), "{outcome:?}");
    }
    assert_eq!(names(folder.0.path()), ["images"]);
}

/// Failed before: the message was only that these files are missing, not what such a word may mean instead.
#[test]
fn words_that_are_no_files() {
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 2], &[7; 4]))]);
    for [part, rest] in [["0.8", "0.2"], ["80%", "20%"]] {
        let message = folder.refused(&["a.idx", "--split", part, rest, "-o", "b.idx"]);
        let advice =
            "no such file; `--split` takes one part, and `--rest OUT` gets the other records";
        assert_eq!(message, format!("{rest}: {advice}"));
    }
    for command in ["rust", "repair"] {
        let (_, message) = folder.run(&[command, "a.idx:test"]).failure();
        let advice = "no such file; this command takes files, not parts of sets";
        assert_eq!(message, format!("a.idx:test: {advice}"));
        let (_, message) = folder.run(&[command, "b.idx:test"]).failure();
        assert_eq!(message, "b.idx:test: no such file; check the path");
    }
    // Failed before: the message was that commands do not take parts.
    for command in ["info", "check", "rust"] {
        let (_, message) = folder.run(&[command, "a.idx:"]).failure();
        assert_eq!(message, "a.idx:: no such file; remove the colon: a.idx", "{command}");
    }
}

/// Failed before: the message was only that the file is missing, not how to write it.
#[test]
fn an_output_without_its_option() {
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 2], &[7; 4]))]);
    let message = folder.refused(&["a.idx", "out.npy"]);
    assert_eq!(message, "out.npy: no such file; to write it, add -o: `-o out.npy`");
    // Failed before: both files went to standard output, silently in a pipe.
    folder.write("out.npy", b"old");
    let message = folder.refused(&["a.idx", "out.npy"]);
    let advice = "several inputs need -o: to replace this file, `-o out.npy --force`; to join the inputs, `-o` with \
                  another name, or `-o -`";
    assert_eq!(message, format!("out.npy: {advice}"));
    let message = folder.refused(&["missing.idx"]);
    assert_eq!(message, "missing.idx: no such file; check the path");
    // Failed before: with --to, a folder was written under the name of a picture.
    for more in [&[][..], &["--to", "png"]] {
        let outcome = folder.run(&[&["convert", "a.idx", "-o", "out.png"], more].concat());
        assert_eq!(outcome.code, Some(2));
        let advice =
            "`idx show -o` draws all records in one, a folder such as out/ gets one for each";
        assert!(outcome.messages.contains(advice), "{}", outcome.messages);
    }
}

#[test]
fn wrong_usage_is_that_of_its_command() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3, 2, 2], &[7; 12])),
        ("l.idx", &file(8, &[3], &[1, 2, 3])),
    ]);
    let options = "idx: options need a command: `idx show a.idx -n 2`";
    let unset = "idx: a name is empty; a shell variable may be unset";
    for (arguments, expected) in [
        (&["show", "a.idx", "--records", "5..2"][..], "5..2 ends before it starts; swap its ends"),
        (&["stats", "a.idx", "a.idx", "--labels", "l.idx"], "Usage: idx stats "),
        (&["convert", "a.idx", "-o", "o.csv.gz"], "\"o.csv.gz\": only IDX is written as .gz"),
        // Failed before: for pictures, this became a hidden folder.
        (&["convert", "a.idx", "-o", ".npy"], "\".npy\" is an extension without a name"),
        // Failed before: a hidden file was written.
        (&["convert", "a.idx", "-o", ".idx.gz"], "\".idx.gz\" is an extension without a name"),
        (&["info", ""], unset),
        (&["info", ""], "Usage: idx info "),
        (&["convert", "", "-o", "x.idx"], unset),
        (&["convert", "a.idx", "-o", ""], "Usage: idx convert "),
        (&["show", "a.idx", "--labels", ""], unset),
        // The empty name is not the error here.
        (&["convert", "", "--bogus"], "unexpected argument '--bogus'"),
        (&["convert", "--to", "bmp", ""], "invalid value 'bmp'"),
        (&["convert", "a.idx", "--to"], "a value is required for '--to <FORMAT>'"),
        (&["convert"], "Usage: idx convert "),
        (
            &["convert", "a.idx", "--threads", "0"],
            "invalid value '0' for '--threads <N>': write a whole number above 0",
        ),
        (
            &["convert", "a.idx", "--shards", "0"],
            "invalid value '0' for '--shards <N>': write a whole number above 0",
        ),
        // Failed before: "invalid digit found in string".
        (&["convert", "a.idx", "-n", "abc"], "write a whole number, such as 10"),
        (&["convert", "a.idx", "--per-class", "x"], "write a whole number, such as 10"),
        (&["convert", "a.idx", "--shuffle", "x"], "write a whole number, such as 10"),
        (
            &["convert", "a.idx", "--threshold", "50%"],
            "invalid value '50%' for '--threshold <N>': write a brightness from 0, black, to 255, white",
        ),
        (&["a.idx", "-n", "2"], options),
        (&["missing", "a.idx"], "idx: missing: no such file, and no command has this name"),
        (&["shw", "a.idx"], "unrecognized subcommand 'shw'"),
        (&["missing", "-n", "2"], "idx: missing: no such file, and no command has this name"),
        // Failed before: "a similar subcommand exists: 'repair'".
        (
            &["train", "a.idx"],
            "idx: train: no such file, and no command has this name; `idx convert mnist/ -o mnist.npz` prepares a \
             data set for a program that trains",
        ),
        (&["view", "a.idx"], "no command has this name; `idx show FILE` shows records"),
        // Failed before: "a similar subcommand exists: 'help'".
        (&["hex", "a.idx"], "no command has this name; `idx info --hex FILE` explains a header"),
        // Failed before: for digits.gz, the output digits was a folder of pictures.
        (
            &["gunzip", "a.gz"],
            "no command has this name; `idx convert FILE.gz -o FILE.idx` decompresses a file",
        ),
        // Failed before: "a similar subcommand exists: 'convert'" and 'completions'.
        (&["count", "a.idx"], "no command has this name; `idx stats FILE` shows the mean"),
        (&["compare", "a.idx"], "no command has this name; `idx diff FILE FILE` compares records"),
        (&["filter", "a.idx"], "no command has this name; `idx convert FILE -o OUT` does this"),
        // Failed before: "help: no such file".
        (&["help", "reading"], "unrecognized subcommand 'reading'"),
        // Failed before: a folder of Parquet with this name.
        (
            &["convert", "a.idx", "--shards", "2", "-o", "b.npy"],
            "\"b.npy\" is the name of npy; name a folder",
        ),
    ] {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.messages.contains(expected), "{}", outcome.messages);
    }
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(&[("a.idx", &byte_records())]);
    for arguments in [
        &["-o", "b.idx"][..],
        &["a.idx", "-o", "b.tsv"],
        &["a.idx", "-o", "b.npy.gz"],
        &["a.idx", "--to", "bmp", "-o", "b"],
        &["a.idx", "--as", "u16", "-o", "b.idx"],
        &["a.idx", "--shape", "2*3", "-o", "b.idx"],
        &["a.idx", "--labels", "a.idx"],
        &["a.idx", "--no-labels", "--only", "1", "-o", "b.idx"],
        &["a.idx", "-o", "b.idx", "--labels-as", "u8"],
        &["a.idx", "-o", "b.idx", "--layout", "binary"],
        &["a.idx", "-o", "b.npy", "--column", "1", "--no-labels", "--labels", "a.idx"],
        &["a.idx", "-o", "b/", "--shards", "0"],
        &["a.idx", "-o", "b/", "--shards", "2", "--to", "png"],
    ] {
        let outcome = folder.run(&[&["convert"], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.messages.contains("--help"), "{outcome:?}");
    }
    assert_eq!(folder.names(), ["a.idx"]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_says_how_to_have_parquet() {
    let folder = Folder::new(&[("a.idx", &byte_records()), ("b", b"PAR1")]);
    for (arguments, path) in
        [(&["a.idx", "-o", "c.parquet"], "c.parquet"), (&["b", "-o", "c.idx"], "b")]
    {
        let message = folder.refused(arguments);
        let advice = "install it with `cargo install --locked --path idx-cli --features ";
        let start =
            format!("{path}: this program was built without the feature `parquet`; {advice}");
        assert!(message.starts_with(&start) && message.contains("parquet"), "{message}");
    }
}

/// Failed before: the advice was options that mean something else, and a value after `--` that no option takes.
#[test]
fn guesses_are_answered_with_what_does_the_work() {
    let folder = Folder::new(&[("a.idx", &byte_records())]);
    let message = |arguments: &[&str]| {
        let outcome = folder.run(&[&["convert", "a.idx", "-o", "o.idx"], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        outcome.messages
    };
    for (guess, own) in [
        ("--dtype", "--as"),
        ("--resize", "--size"),
        ("--by-class", "-o FOLDER/"),
        ("--seed", "--shuffle"),
        ("--overwrite", "--force"),
        ("--format", "--to"),
        ("--output-format", "--to"),
        ("--train-size", "--split"),
        // Failed before: the advice was `--classes`, `--invert`, `--raw`, `--no-header`.
        ("--class", "--only"),
        ("--index", "--records"),
        ("--gray", "--channels gray"),
        ("--negate", "--invert"),
    ] {
        let advice = format!("a similar argument exists: '{own}'");
        assert!(message(&[guess, "28x28"]).contains(&advice), "{guess}");
    }
    let outcome = folder.run(&["show", "a.idx", "--index", "1"]);
    assert!(outcome.messages.contains("a similar argument exists: '--records'"), "{outcome:?}");
    // Failed before: "a similar argument exists: '--relabel'", and the same in the usage.
    for unlike in ["--level", "--yes", "--where"] {
        let message = message(&[unlike, "1"]);
        assert!(!message.contains("tip:") && !message.contains("Usage:"), "{message}");
    }
    let mistyped = message(&["--reocrds", "1"]);
    assert!(mistyped.contains("a similar argument exists: '--records'"), "{mistyped}");
    // `stats` cannot shuffle.
    let outcome = folder.run(&["stats", "a.idx", "--seed", "1"]);
    assert!(outcome.code == Some(2) && !outcome.messages.contains("tip:"), "{outcome:?}");
    for option in ["--shuffle", "--split"] {
        let message = message(&[option, "-1"]);
        assert!(message.starts_with("idx: unexpected argument '-1' found\n"), "{message}");
        assert!(!message.contains("tip:"), "{message}");
    }
    // Failed before: nothing said that another command chooses records.
    for command in ["rust", "stats", "diff", "info", "check"] {
        for option in ["-n", "--records", "--only", "--except"] {
            let outcome = folder.run(&[command, option, "1", "a.idx"]);
            let tip = format!("tip: choose records first: `idx convert FILE {option} .. -o NEW`");
            assert!(outcome.code == Some(2) && outcome.messages.contains(&tip), "{outcome:?}");
        }
    }
    for option in ["-l", "--labels"] {
        let outcome = folder.run(&["check", "a.idx", option, "l.idx"]);
        let tip = "tip: give both files: `idx check IMAGES LABELS`";
        assert!(outcome.code == Some(2) && outcome.messages.contains(tip), "{outcome:?}");
    }
    let outcome = folder.run(&["show", "--sample", "1", "a.idx"]);
    assert!(outcome.messages.contains("choose records first: `idx convert FILE --sample"));
    // Failed before: the command was always `show`, which lacks these options.
    for (option, command) in [("--json", "info"), ("--duplicates", "check"), ("-n1", "show")] {
        let outcome = folder.run(&["a.idx", option]);
        let advice = format!("options need a command: `idx {command} a.idx {option}`");
        assert!(outcome.code == Some(2) && outcome.messages.contains(&advice), "{outcome:?}");
    }
    let normalized = message(&["--normalize"]);
    assert!(normalized.contains("tip: `idx stats FILE` prints both"), "{normalized}");
    // Failed before: the note did not say how rows of numbers become pictures.
    folder.write("flat.csv", b"0,0,0,0\n9,9,9,9\n");
    let flat = &["convert", "flat.csv", "--no-labels", "--no-header", "--skip", "none"];
    let outcome = folder.run(&[&flat[..], &["-o", "x-images-idx3-ubyte"]].concat());
    let note = "the file has 2 dimensions, although the name says 3; if they are pictures, use `--shape 2x2`\n";
    assert!(outcome.messages.ends_with(note), "{outcome:?}");
    let outcome = folder.run(&["convert", "a.idx", "-o", "data.rs"]);
    assert!(outcome.messages.contains("is source code, which `idx rust` writes"), "{outcome:?}");
    // Failed before: the advice was to end the name in .npz.
    for part in [&["-o", "a.npz:train"][..], &["-o", "tv/:train", "--to", "idx"]] {
        let outcome = folder.run(&[&["convert", "a.idx"][..], part].concat());
        let expected = "is one part, and a set is written whole";
        assert_eq!(
            (outcome.code, outcome.messages.contains(expected)),
            (Some(2), true),
            "{outcome:?}"
        );
    }
}

/// Failed before: the message did not say which shells there are.
#[test]
fn completions_alone_lists_the_shells() {
    let outcome = Folder::new(&[]).run(&["completions"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.messages.contains("bash") && outcome.messages.contains("zsh"), "{outcome:?}");
}

/// Failed before: fish completed the names of files.
#[test]
fn fish_completes_the_names_of_data_sets_and_shells() {
    let script = Folder::new(&[]).run(&["completions", "fish"]).success();
    for (command, value) in [("fetch", "fashion-mnist"), ("completions", "zsh")] {
        let start = format!("complete -c idx -n \"__fish_idx_using_subcommand {command}\" -f -a ");
        let line = script.lines().find(|line| line.starts_with(&start)).unwrap();
        assert!(line.contains(value), "{line}");
    }
}
