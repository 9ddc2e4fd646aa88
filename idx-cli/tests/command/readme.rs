//! The commands on the pages run, and the command prints the transcript on its page.

use std::path::Path;
use std::{env, fs};

use crate::common::Folder;
use idx_tests::file;

/// The environment variable that makes the test replace the transcript, if its value is `overwrite`.
const VARIABLE: &str = "TRANSCRIPT";

const IMAGES: &[u8] = include_bytes!("../../sample/digits-images-idx3-ubyte");
const LABELS: &[u8] = include_bytes!("../../sample/digits-labels-idx1-ubyte");

#[test]
fn the_transcript_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/command.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("\n```console\n").unwrap();
    let (transcript, after) = rest.split_once("\n```\n").unwrap();
    assert!(!after.contains("```console"), "one transcript is checked");

    let folder = Folder::new(&[
        ("Cargo.toml", b"[package]\n"),
        ("digits-images-idx3-ubyte", IMAGES),
        ("digits-labels-idx1-ubyte", LABELS),
    ]);
    let run_anew = commands(transcript)
        .map(|command| {
            let arguments: Vec<&str> =
                command.split_whitespace().filter(|word| *word != "\\").collect();
            let arguments = arguments.strip_prefix(&["idx"]).unwrap();
            format!("$ {command}\n{}", folder.run(arguments).success())
        })
        .collect::<String>();
    let run_anew = run_anew.trim_end();

    if env::var(VARIABLE).is_ok_and(|value| value == "overwrite") {
        let page = format!("{before}\n```console\n{run_anew}\n```\n{after}");
        fs::write(&path, page).unwrap();
    } else {
        assert!(
            transcript == run_anew,
            "the command prints:\n{run_anew}\n\nrun this test with {VARIABLE}=overwrite and look at \
             the difference"
        );
    }
}

/// Runs the commands in a page's `sh` blocks one after the other in this folder, and returns their number.
fn run_commands_of(page: &str, folder: &Folder) -> usize {
    let blocks = page.split("\n```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("\n```").next().unwrap_or_default().lines());
    let mut count = 0;
    for line in lines {
        let (command, _) = line.split_once(" #").unwrap_or((line, ""));
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some(arguments) = words.strip_prefix(&["idx"]) else {
            continue;
        };
        // It needs a network.
        if arguments.first() == Some(&"fetch") {
            continue;
        }
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(0), "{command}: {outcome:?}");
        count += 1;
    }
    count
}

/// A folder with the sample under the names of MNIST, as `idx fetch` leaves them.
fn mnist() -> Folder {
    let [images, labels] = [IMAGES, LABELS].map(idx_tests::gzip);
    let folder = Folder::new(&[]);
    for part in ["train", "t10k"] {
        for (kind, bytes) in [("images-idx3", &images), ("labels-idx1", &labels)] {
            folder.write(&format!("mnist/{part}-{kind}-ubyte.gz"), bytes);
        }
    }
    folder
}

#[test]
fn the_commands_of_the_readme_run() {
    let folder = mnist();
    folder.convert(&["mnist/:test", "-o", "photos/"]);
    let readme = include_str!("../../../README.md");
    assert_eq!(run_commands_of(readme, &folder), 6);
}

#[test]
fn the_commands_of_the_other_pages_run() {
    let folder = mnist();
    folder.write("digits-images-idx3-ubyte", IMAGES);
    folder.write("digits-labels-idx1-ubyte", LABELS);
    assert_eq!(run_commands_of(include_str!("../../../docs/command.md"), &folder), 20);
    assert_eq!(run_commands_of(include_str!("../../../docs/scripts.md"), &folder), 3);
    let folder = mnist();
    folder.write("Cargo.toml", b"[package]\n");
    folder.write("src/main.rs", b"mod data;\n");
    assert_eq!(run_commands_of(include_str!("../../../docs/firmware.md"), &folder), 4);
}

#[test]
fn the_page_of_the_command_has_all_commands() {
    let page = include_str!("../../../docs/command.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `idx "));
    let on_page: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let help = Folder::new(&[]).run(&["-h"]).success();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert_eq!(on_page, commands);
}

/// The commands after `$ `, each with the lines that continue it after a `\`.
fn commands(transcript: &str) -> impl Iterator<Item = &str> {
    transcript.split("\n$ ").map(|command| {
        let command = command.trim_start_matches("$ ");
        let end = command.match_indices('\n').find(|(end, _)| !command[..*end].ends_with('\\'));
        end.map_or(command, |(end, _)| &command[..end])
    })
}

#[test]
fn the_labels_of_qmnist_become_those_of_mnist() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/what-is-this-file.md");
    let page = fs::read_to_string(path).unwrap();
    let (_, row) = page.split_once("\n| 3074 | ").unwrap();
    let (_, command) = row.split_once("`idx convert ").unwrap();
    let (arguments, _) = command.split_once('`').unwrap();
    let images = file(0x08, &[2, 1, 1], &[0, 255]);
    let rows = [[7, 4, 2578, 0, 37, 0, 0, 0], [2, 4, 2359, 1, 32, 9, 0, 0]];
    let columns = rows.map(|row| row.map(i32::to_be_bytes));
    let columns = columns.as_flattened().as_flattened();
    let folder = Folder::new(&[("IMAGES", &images), ("LABELS", &file(0x0C, &[2, 8], columns))]);
    folder.convert(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!(folder.read("own-images-idx3-ubyte"), images);
    assert_eq!(folder.read("own-labels-idx1-ubyte"), file(0x08, &[2], &[7, 2]));
}

/// Failed before: a page named an option that the library does not have.
#[test]
fn the_items_that_pages_name_are_public() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let public = ["core", "std", "data"].map(|name| read(&format!("tests/public/idx-{name}")));
    let items: Vec<Vec<&str>> = public
        .iter()
        .flat_map(|items| items.lines())
        .map(|line| line.split(|char| !is_word(char)).collect())
        .collect();
    let docs = fs::read_dir(root.join("docs")).unwrap();
    let docs = docs.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    let crates = ["core", "std", "data", "derive"].map(|name| format!("idx-{name}/README.md"));
    let pages = docs.filter(|path| path.ends_with(".md")).chain(crates);
    let pages = pages.chain(["README.md", "SECURITY.md"].map(str::to_string));
    let mut count = 0;
    for page in pages {
        for code in read(&page).split('`').skip(1).step_by(2) {
            let name = code.split('(').next().unwrap_or_default();
            let Some((owner, item)) = name.split_once("::") else { continue };
            if owner.starts_with(char::is_uppercase)
                && [owner, item].iter().all(|name| name.chars().all(is_word))
            {
                let is_public =
                    items.iter().any(|words| words.contains(&owner) && words.contains(&item));
                assert!(is_public, "{page} names {name}");
                count += 1;
            }
        }
    }
    assert!(count > 9, "{count} names of items");
}
