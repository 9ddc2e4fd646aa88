//! The work of a command grows only in proportion to the number of its files.

use std::fs;
use std::process::Command;

use idx_tests::{file, skip};

use crate::common::Folder;

const FILES: usize = 300;

/// Enough to open, examine and read a file, and to look for what may be next to it.
const CALLS_PER_FILE: usize = 200;

/// Returns the number of system calls of a command, or `None` without `strace`.
fn calls(folder: &Folder, arguments: &[&str]) -> Option<usize> {
    let command = folder.command(arguments);
    let mut traced = Command::new("strace");
    traced.args(["-f", "-c", "-o", "calls"]).arg(command.get_program());
    let output = traced.args(command.get_args()).current_dir(folder.0.path()).output().ok()?;
    // The table is missing if tracing is forbidden.
    let table = fs::read_to_string(folder.0.path().join("calls")).ok()?;
    assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {output:?}");
    // Columns: share of time, seconds, time per call, calls. Each mode of the processor has its own table.
    let totals = table.lines().filter_map(|line| line.strip_suffix(" total"));
    totals.map(|total| total.split_whitespace().nth(3)?.parse::<usize>().ok()).sum()
}

#[test]
fn the_calls_grow_with_the_number_of_files() {
    let folder = Folder::new(&[]);
    let mut names = Vec::new();
    for number in 0..FILES / 2 {
        for (what, dims) in [("images-idx3-ubyte", &[1, 1, 1][..]), ("labels-idx1-ubyte", &[1])] {
            let name = format!("a{number}-{what}");
            let bytes = file(0x08, dims, &[u8::try_from(number % 10).unwrap()]);
            fs::write(folder.0.path().join(&name), bytes).unwrap();
            names.push(name);
        }
    }
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let images: Vec<&str> = files.iter().copied().step_by(2).collect();
    for (command, files, options) in [
        (&["info"][..], &files, &[][..]),
        (&["info", "--identify"], &files, &[]),
        (&["show"], &files, &[]),
        (&["stats"], &files, &[]),
        (&["check"], &files, &[]),
        (&["check", "--duplicates"], &images, &[]),
        (&["rust"], &files, &[]),
        (&["convert"], &images, &["-o", "all.npz", "--force"]),
    ] {
        let arguments = [command, files, options].concat();
        let Some(calls) = calls(&folder, &arguments) else {
            return skip("the_calls_grow_with_the_number_of_files: strace does not work here");
        };
        assert!(calls >= files.len(), "{command:?} made {calls} calls for {} files", files.len());
        let most = CALLS_PER_FILE * files.len();
        assert!(calls < most, "{command:?} made {calls} calls for {} files", files.len());
    }
}
