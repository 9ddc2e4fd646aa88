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

/// Failed before: a file that is not there, without a word on how to write it.
#[test]
fn an_output_without_its_option() {
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 2], &[7; 4]))]);
    let message = folder.refused(&["a.idx", "out.npy"]);
    assert_eq!(message, "out.npy: no such file; to write it, add -o: `-o out.npy`");
    let message = folder.refused(&["missing.idx"]);
    assert_eq!(message, "missing.idx: no such file; check the path");
    let outcome = folder.run(&["convert", "a.idx", "-o", "out.png"]);
    assert_eq!(outcome.code, Some(2));
    let advice = "name a folder, such as out/, and for one of all use `idx show -o`";
    assert!(outcome.messages.contains(advice), "{}", outcome.messages);
}

#[test]
fn wrong_usage_is_that_of_its_command() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3, 2, 2], &[7; 12])),
        ("l.idx", &file(8, &[3], &[1, 2, 3])),
    ]);
    let options = "idx: a.idx: options need a command, such as `idx show FILE`";
    let unset = "idx: a name is empty; a variable of the shell may be unset";
    for (arguments, expected) in [
        (&["show", "a.idx", "--records", "5..2"][..], "5..2 ends before it starts"),
        (&["stats", "a.idx", "a.idx", "--labels", "l.idx"], "Usage: idx stats "),
        (&["convert", "a.idx", "-o", "o.csv.gz"], "from \"o.csv.gz\""),
        (&["info", ""], unset),
        (&["info", ""], "Usage: idx info "),
        (&["convert", "", "-o", "x.idx"], unset),
        (&["convert", "a.idx", "-o", ""], "Usage: idx convert "),
        (&["show", "a.idx", "--labels", ""], unset),
        // What is wrong is not that name.
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
        (&["a.idx", "-n", "2"], options),
        (&["missing", "a.idx"], "idx: missing: no such file, and no command has this name"),
        (&["shw", "a.idx"], "unrecognized subcommand 'shw'"),
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
