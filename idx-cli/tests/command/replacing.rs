//! Replacing files, or refusing to; an interrupted command leaves the output as it was.

use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};

use idx_tests::{file, gzip, names, npy};

use crate::common::{Folder, byte_records, outcome};
use crate::every_command::{ALREADY_THERE, OUTPUT, WRITING, WRITING_A_FOLDER, command, images};

#[test]
fn nothing_is_replaced_without_force() {
    let labels = file(0x08, &[3], &[0, 1, 2]);
    for (arguments, old) in WRITING.map(|arguments| (arguments, "old")) {
        let files = [("images", &*images(3)), ("labels", &labels), (old, b"mine")];
        let folder = Folder::new(&files);
        let mut command = command(&folder, arguments, "images", old);
        let (output, message) = outcome(&mut command, &[]).failure();
        assert_eq!(output, "");
        assert_eq!(message, format!("{old}: {ALREADY_THERE}"));
        assert_eq!(folder.read(old), b"mine");
        assert_eq!(names(folder.0.path()), ["images", "labels", old]);
        outcome(command.arg("--force"), &[]).success();
        assert_ne!(folder.read(old), b"mine");
    }
}

#[test]
fn an_input_that_ends_leaves_the_output_as_it_was() {
    in_the_middle(|child| drop(child.stdin.take()), &|_| false);
}

#[test]
fn a_kill_leaves_the_output_as_it_was() {
    let is_litter = |name: &str| name.starts_with(".OUTPUT.") && name.ends_with(".tmp");
    in_the_middle(|child| child.kill().unwrap(), &is_litter);
}

/// Ends each command that writes in the middle of its work. The output must be as before, and next to it there may only
/// be what `may_stay` accepts.
fn in_the_middle(end: impl Fn(&mut Child), may_stay: &dyn Fn(&str) -> bool) {
    let bytes = images(600);
    for arguments in WRITING.iter().chain([&WRITING_A_FOLDER]) {
        for is_there in [false, true] {
            let folder = Folder::new(&[]);
            let output = folder.0.path().join(OUTPUT);
            let is_folder = *arguments == WRITING_A_FOLDER;
            match is_folder {
                _ if !is_there => {}
                true => fs::create_dir(&output).unwrap(),
                false => fs::write(&output, b"mine").unwrap(),
            }
            let mut command = command(&folder, arguments, "-", OUTPUT);
            command.arg("--force").stdin(Stdio::piped()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            // More than a pipe holds: once all of it is written, most of it was read.
            let half = &bytes[..bytes.len() / 2];
            child.stdin.as_mut().unwrap().write_all(half).unwrap();
            end(&mut child);
            assert!(!child.wait().unwrap().success(), "{arguments:?}");

            assert_eq!(output.exists(), is_there, "{arguments:?}");
            let mut left = names(folder.0.path());
            match is_folder {
                _ if !is_there => {}
                true => left.extend(names(&output)),
                false => assert_eq!(fs::read(&output).unwrap(), b"mine", "{arguments:?}"),
            }
            left.retain(|name| name != OUTPUT && !may_stay(name));
            assert!(left.is_empty(), "{arguments:?}: {left:?}");
        }
    }
}

fn names_in(folder: &Folder, name: &str) -> Vec<String> {
    names(&folder.0.path().join(name))
}

#[test]
fn a_folder_with_files_is_not_replaced() {
    let folder = Folder::new(&[("a.idx", &byte_records())]);
    folder.write("full/notes.txt", b"other");
    folder.convert(&["a.idx", "-o", "pictures/"]);
    for name in ["full", "pictures"] {
        let before = names_in(&folder, name);
        for force in [&[][..], &["--force"]] {
            let message = folder.refused(&[&["a.idx", "-o", name], force].concat());
            assert_eq!(
                message,
                format!("{name}: the folder is not empty; name a new folder in it")
            );
            assert_eq!(names_in(&folder, name), before);
        }
    }
    fs::create_dir(folder.0.path().join("empty")).unwrap();
    folder.convert(&["a.idx", "-o", "empty"]);
    assert_eq!(names_in(&folder, "empty"), names_in(&folder, "pictures"));
}

#[test]
fn a_file_is_converted_in_its_place() {
    let folder = Folder::new(&[("a.idx", &byte_records())]);
    // The input is read to its end before the file is replaced.
    folder.convert(&["a.idx", "--records", "1", "--force", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[1, 2, 3], &byte_records()[22..]));
}

#[test]
fn what_is_wrong_with_an_input_leaves_no_output() {
    let npy = npy("|u1", false, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let idx = byte_records();
    let folder = Folder::new(&[
        ("cut.idx", &idx[..idx.len() - 1]),
        ("cut.gz", &gzip(&idx)[..30]),
        ("cut.npy", &npy[..npy.len() - 1]),
        ("long.npy", &[&npy[..], &[7]].concat()),
        ("header.npy", &npy[..20]),
        ("page", b"<!DOCTYPE html>"),
        ("empty", b""),
        ("good.idx", &idx),
    ]);
    let again = "download or copy the file again";
    for (input, message) in [
        (
            "cut.idx",
            "truncated: 11 of 12 payload bytes; download it again, or `-r ..1` keeps 1 record"
                .to_string(),
        ),
        (
            "cut.npy",
            "truncated: 5 of 6 payload bytes; download it again, or `-r ..1` keeps 1 record"
                .to_string(),
        ),
        ("header.npy", format!("the header of the npy file is truncated; {again}")),
        ("absent", "no such file; check the path".to_string()),
    ] {
        for output in ["x.idx", "x.gz", "x.npy", "x.csv"] {
            assert_eq!(folder.refused(&[input, "-o", output]), format!("{input}: {message}"));
        }
    }
    for input in ["cut.gz", "long.npy", "page", "empty"] {
        let message = folder.refused(&[input, "-o", "x.idx"]);
        assert!(message.starts_with(&format!("{input}: ")), "{message}");
    }
    // A later input that is wrong, and an output below a file instead of a folder.
    let message = folder.refused(&["good.idx", "cut.idx", "-o", "x/"]);
    assert!(message.starts_with("cut.idx: truncated: "), "{message}");
    for output in ["good.idx/x.idx", "good.idx/x.npy", "good.idx/x.csv", "good.idx/x/"] {
        let message = folder.refused(&["good.idx", "-o", output]);
        assert!(message.starts_with(&format!("{output}: ")), "{message}");
    }
}
