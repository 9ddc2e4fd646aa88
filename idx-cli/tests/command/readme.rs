//! The transcript in the README is what the command prints.

use std::path::Path;
use std::{env, fs};

use crate::common::Folder;

/// Set to `overwrite`, it has the README say what the command prints.
const VARIABLE: &str = "README";

#[test]
fn the_transcript_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("\n```console\n").unwrap();
    let (transcript, after) = rest.split_once("\n```\n").unwrap();
    assert!(!after.contains("```console"), "one transcript is checked");

    let folder = Folder::new(&[
        ("Cargo.toml", b"[package]\n"),
        (
            "digits-images-idx3-ubyte",
            include_bytes!("../../sample/digits-images-idx3-ubyte"),
        ),
        (
            "digits-labels-idx1-ubyte",
            include_bytes!("../../sample/digits-labels-idx1-ubyte"),
        ),
    ]);
    let run_anew = commands(transcript)
        .map(|command| {
            let arguments: Vec<&str> = command
                .split_whitespace()
                .filter(|word| *word != "\\")
                .collect();
            let arguments = arguments.strip_prefix(&["idx"]).unwrap();
            format!("$ {command}\n{}", folder.run(arguments).success())
        })
        .collect::<String>();
    let run_anew = run_anew.trim_end();

    if env::var(VARIABLE).is_ok_and(|value| value == "overwrite") {
        let readme = format!("{before}\n```console\n{run_anew}\n```\n{after}");
        fs::write(&path, readme).unwrap();
    } else {
        assert!(
            transcript == run_anew,
            "the command prints:\n{run_anew}\n\nrun this test with {VARIABLE}=overwrite and look at \
             the difference"
        );
    }
}

/// The commands of the cookbook, one after the other in one folder.
#[test]
fn the_cookbook_runs() {
    let cookbook = include_str!("../../../tests/cookbook/README.md");
    let (_, rest) = cookbook.split_once("\n```sh\n").unwrap();
    let (block, _) = rest.split_once("\n```\n").unwrap();
    let folder = Folder::new(&[
        (
            "digits-images-idx3-ubyte",
            include_bytes!("../../sample/digits-images-idx3-ubyte"),
        ),
        (
            "digits-labels-idx1-ubyte",
            include_bytes!("../../sample/digits-labels-idx1-ubyte"),
        ),
    ]);
    let commands = block.lines().filter(|line| line.starts_with("idx "));
    let mut count = 0;
    for command in commands {
        let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
        let outcome = folder.run(&arguments);
        assert_eq!(outcome.code, Some(0), "{command}: {outcome:?}");
        count += 1;
    }
    assert_eq!(count, 18);
}

/// What stands after `$ `, with the lines that go on after a `\`.
fn commands(transcript: &str) -> impl Iterator<Item = &str> {
    transcript.split("\n$ ").map(|command| {
        let command = command.trim_start_matches("$ ");
        let end = command
            .match_indices('\n')
            .find(|(end, _)| !command[..*end].ends_with('\\'));
        end.map_or(command, |(end, _)| &command[..end])
    })
}
