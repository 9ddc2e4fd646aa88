//! Folders, pipes, names that are not text, and files without permission, where a file is expected.

use std::ffi::OsStr;
use std::fs;
#[cfg(unix)]
use std::fs::{File, Permissions};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use idx_tests::{named_pipe, skip};
use serde_json::Value;

use crate::common::{Folder, outcome};
use crate::every_command::{
    ALREADY_THERE, INPUT, READING, WRITING, WRITING_A_FOLDER, command, images, lines_about, written,
};

#[test]
fn folders_are_no_files() {
    let folder = Folder::new(&[("images", &images(1))]);
    fs::create_dir(folder.0.path().join("folder")).unwrap();
    fs::write(folder.0.path().join("folder/notes.txt"), b"mine").unwrap();
    let is_folder = "folder: this is a folder; specify a file in it";
    let no_pictures = "folder: this folder has no pictures (.png, .jpg ..), tables (.csv, .parquet) or arrays (.npy, \
         -idx3-ubyte); choose another, or give a file, such as notes.txt";
    let rust: &[&str] = &["rust", INPUT];
    for arguments in READING.iter().chain([&rust]) {
        let expected = if arguments[0] == "rust" { is_folder } else { no_pictures };
        let mut command = command(&folder, arguments, "folder", "");
        let refused = outcome(&mut command, &[]).failure();
        assert_eq!(refused, (String::new(), expected.to_string()));
    }
    for arguments in WRITING {
        for force in [&[][..], &["--force"]] {
            let mut command = command(&folder, arguments, "images", "folder");
            let (_, message) = outcome(command.args(force), &[]).failure();
            let is_refused = message.contains("name a new folder") || message == is_folder;
            assert!(is_refused, "{arguments:?}: {message}");
        }
    }
}

/// The files of a folder are untrusted: no command waits for the other end of a pipe.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_is_not_opened() {
    for name in ["part.parquet", "picture.png"] {
        let folder = Folder::new(&[]);
        fs::create_dir(folder.0.path().join("shards")).unwrap();
        named_pipe(&folder.0.path().join("shards").join(name));
        let start = Instant::now();
        let sentence = folder.refused(&["shards", "-o", "out.idx"]);
        assert!(start.elapsed() < Duration::from_secs(20), "{sentence}");
        let expected = match name {
            "part.parquet" => "shards/part.parquet: this is a pipe or a device, not a regular file",
            _ => "shards: this folder has no pictures",
        };
        assert!(sentence.starts_with(expected), "{sentence}");
    }
}

#[cfg(unix)]
#[cfg(target_os = "linux")] // others refuse such names
#[test]
fn names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new(&[("images", &images(3))]);
    let name = OsStr::from_bytes(b"\xFFname");
    let path = folder.0.path().join(name);
    fs::copy(folder.0.path().join("images"), &path).unwrap();
    for arguments in READING {
        let by_name = written(&mut command(&folder, arguments, "images", ""));
        let output = written(&mut command(&folder, arguments, name, ""));
        assert_eq!(lines_about(&output, "\u{FFFD}name"), lines_about(&by_name, "images"));
    }
    for command_with_json in ["info", "stats", "check"] {
        let json = written(folder.command(&[command_with_json, "--json"]).arg(name));
        let json: Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["path"], "\u{FFFD}name");
        assert_eq!(json["path_bytes"], serde_json::json!(b"\xFFname"));
        // A file with an error has the bytes, too; a name in UTF-8 does not need them.
        for (name, bytes) in [(&b"\xFEmissing"[..], true), (b"missing", false)] {
            let mut missing = folder.command(&[command_with_json, "--json"]);
            let (json, _) = outcome(missing.arg(OsStr::from_bytes(name)), &[]).failure();
            let json: Value = serde_json::from_str(&json).unwrap();
            let expected = bytes.then(|| serde_json::json!(name));
            assert_eq!(json.get("path_bytes"), expected.as_ref());
        }
    }
    // Failed before: only `path` had its bytes.
    let mut check = folder.command(&["check", "--json", "--duplicates"]);
    let output = outcome(check.arg(name).arg("images"), &[]).output;
    let last: Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["path"], &last["of_bytes"]),
        (&"images".into(), &serde_json::json!(b"\xFFname"))
    );
    let mut repair = folder.command(&["repair", "--json", "images", "-o"]);
    let new = OsStr::from_bytes(b"\xFFnew");
    let repaired: Value = serde_json::from_slice(&written(repair.arg(new))).unwrap();
    assert_eq!(repaired["output_bytes"], serde_json::json!(b"\xFFnew"));
    for arguments in WRITING {
        let by_stream = written(&mut command(&folder, arguments, "images", "-"));
        let mut command = command(&folder, arguments, "images", name);
        let (_, message) = outcome(&mut command, &[]).failure();
        assert_eq!(message, format!("\u{FFFD}name: {ALREADY_THERE}"));
        fs::remove_file(&path).unwrap();
        written(&mut command);
        assert!(fs::read(&path).unwrap() == by_stream);
    }
}

/// Failed before: nothing said that the labels were lost.
#[cfg(target_os = "linux")] // others refuse such names
#[test]
fn labels_beside_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new(&[]);
    fs::write(folder.0.path().join(OsStr::from_bytes(b"b\xFF.idx")), images(3)).unwrap();
    let mut convert = folder.command(&["convert", "-o", "o.npy"]);
    let output = convert.arg(OsStr::from_bytes(b"b\xFF.idx")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no labels are read with it, because its name is not UTF-8"), "{said}");
}

/// Failed before: the output was a folder of pictures.
#[cfg(target_os = "linux")] // others refuse such names
#[test]
fn idx_under_a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new(&[("images", &images(3))]);
    let name = OsStr::from_bytes(b"x\xFF-images-idx3-ubyte");
    written(folder.command(&["convert", "images", "-o"]).arg(name));
    assert_eq!(fs::read(folder.0.path().join(name)).unwrap(), images(3));
}

#[cfg(unix)]
#[test]
fn files_and_folders_without_permission() {
    let folder = Folder::new(&[("closed", &images(1)), ("images", &images(1))]);
    let close = |name: &str, mode| {
        let path = folder.0.path().join(name);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    close("closed", 0o000);
    if File::open(folder.0.path().join("closed")).is_ok() {
        skip("files_and_folders_without_permission: this user may read what is closed to all");
        return;
    }
    let message = "Permission denied (os error 13); check the permissions of the file and its \
        folder";
    for arguments in READING {
        let mut command = command(&folder, arguments, "closed", "");
        let refused = outcome(&mut command, &[]).failure();
        assert_eq!(refused, (String::new(), format!("closed: {message}")));
    }
    fs::create_dir(folder.0.path().join("folder")).unwrap();
    close("folder", 0o500);
    for arguments in WRITING.iter().chain([&WRITING_A_FOLDER]) {
        let mut command = command(&folder, arguments, "images", "folder/new");
        let (_, said) = outcome(&mut command, &[]).failure();
        // The message has no name of a temporary file.
        assert_eq!(said, format!("folder/new: {message}"));
    }
}
