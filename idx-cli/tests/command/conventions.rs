//! What all commands do alike: standard streams, closed pipes, exit codes, messages, what is replaced
//! and what is not, odd paths, and the progress bar.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

use crate::common::{Folder, outcome};
use idx_tests::{file, gzip};
use serde_json::Value;

/// Placeholders for the file that a command reads, and for the one that it writes.
const INPUT: &str = "INPUT";
const OUTPUT: &str = "OUTPUT";

/// Every command that reads a file.
const READING: [&[&str]; 8] = [
    &["info", INPUT],
    &["info", "--identify", INPUT],
    &["show", INPUT],
    &["show", INPUT, "-o", "-"],
    &["stats", INPUT],
    &["check", INPUT],
    &["convert", INPUT, "--to", "csv", "-o", "-"],
    &["convert", INPUT, "--to", "idx.gz", "-o", "-"],
];

/// Every command that writes a file.
const WRITING: [&[&str]; 5] = [
    &["show", INPUT, "--records", "..", "-o", OUTPUT],
    &["convert", INPUT, "--to", "idx", "-o", OUTPUT],
    &["convert", INPUT, "--to", "idx.gz", "-o", OUTPUT],
    &["convert", INPUT, "--to", "npy", "-o", OUTPUT],
    &["convert", INPUT, "--to", "csv", "-o", OUTPUT],
];

const WRITING_A_FOLDER: &[&str] = &["convert", INPUT, "--to", "png", "-o", OUTPUT];

const ALREADY_THERE: &str =
    "the file already exists; choose another name, or replace it with `--force`";

/// Images of 32 x 32.
fn images(count: u32) -> Vec<u8> {
    let pixels = (0..count * 32 * 32).map(|index| index.to_be_bytes()[3]);
    file(0x08, &[count, 32, 32], &pixels.collect::<Vec<u8>>())
}

/// The command with these paths as its INPUT and its OUTPUT.
fn command(
    folder: &Folder,
    arguments: &[&str],
    input: impl AsRef<OsStr>,
    output: impl AsRef<OsStr>,
) -> Command {
    let mut command = folder.command(&[]);
    command.args(arguments.iter().map(|argument| match *argument {
        INPUT => input.as_ref(),
        OUTPUT => output.as_ref(),
        other => OsStr::new(other),
    }));
    command
}

/// The output of a command that succeeds without a message.
#[track_caller]
fn written(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    output.stdout
}

/// The report on a file, without its name and its length, which a stream does not have.
fn lines_about(output: &[u8], name: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let lines = text.lines().filter(|line| !line.starts_with("  file  "));
    lines
        .map(|line| match line.split_once(": ok: ") {
            Some((path, rest)) if path == name => format!("INPUT: ok: {rest}"),
            _ if line == name => INPUT.to_string(),
            _ => line.to_string(),
        })
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new(&[("images", &images(3)), ("images.gz", &gzip(&images(3)))]);
    for arguments in READING {
        for name in ["images", "images.gz"] {
            let by_name = written(&mut command(&folder, arguments, name, ""));
            let input = fs::File::open(folder.0.path().join(name)).unwrap();
            let by_stream = written(command(&folder, arguments, "-", "").stdin(input));
            assert!(!by_name.is_empty());
            assert_eq!(lines_about(&by_stream, "-"), lines_about(&by_name, name), "{arguments:?}");
        }
    }
}

#[test]
fn standard_input_is_no_file_of_that_name() {
    let folder =
        Folder::new(&[("-", &idx_tests::emnist_letters_test_labels()), ("images", &images(1))]);
    folder.convert(&["images", "-o", "images.npy"]);
    for name in ["images", "images.npy"] {
        for arguments in [&["info", "--json"][..], &["show"], &["stats"]] {
            let by_name = folder.run(&[arguments, &[name]].concat()).success();
            let by_stream = folder.run_with(&[arguments, &["-"]].concat(), &folder.read(name));
            let size = format!("\"file_bytes\":{}", folder.read(name).len());
            let by_name = by_name.replace(&size, "\"file_bytes\":null").replace(name, "-");
            assert_eq!(by_stream.success(), by_name, "{arguments:?} {name}");
        }
    }
    let folder_of_that_name = Folder::new(&[]);
    folder_of_that_name.write("-/text", b"");
    let checked = folder_of_that_name.run_with(&["check", "-"], &images(1));
    assert!(checked.success().starts_with("-: ok: "));
    let named = folder_of_that_name.run_with(&["info", "--", "-/"], &images(1));
    let (_, message) = named.failure();
    assert!(message.starts_with("-/: this folder has no"), "{message}");
    // Nor are its labels those of this file, which have names.
    let labeled = folder.run_with(&["show", "images", "--labels", "-"], &file(0x08, &[1], &[1]));
    assert!(labeled.success().starts_with("0: label 1"));
}

#[test]
fn standard_input_comes_once() {
    let folder = Folder::new(&[]);
    for arguments in [
        &["info", "-", "-"][..],
        &["show", "-", "--labels", "-"],
        &["stats", "-", "--labels", "-"],
        &["check", "-", "-"],
        &["convert", "-", "-", "-o", "a.idx"],
        &["convert", "-", "--labels", "-", "-o", "a.csv"],
    ] {
        let (_, message) = folder.run_with(arguments, &images(1)).failure();
        assert_eq!(message, "-: standard input was read already; use `-` only once");
    }
}

#[test]
fn standard_output_is_a_file() {
    let folder = Folder::new(&[("images", &images(3))]);
    for arguments in WRITING {
        let by_stream = written(&mut command(&folder, arguments, "images", "-"));
        assert_eq!(names(folder.0.path()), ["images"]);
        let said = written(&mut command(&folder, arguments, "images", OUTPUT));
        assert_eq!(said, b"");
        let path = folder.0.path().join(OUTPUT);
        assert!(fs::read(&path).unwrap() == by_stream, "{arguments:?}");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new(&[("images", &images(400))]);
    let others: [&[&str]; 5] = [
        &[],
        &["-h"],
        &["rust", INPUT],
        &["completions", "zsh"],
        // With the feature it would go to the network.
        if cfg!(feature = "fetch") { &["fetch", "-h"] } else { &["fetch", "mnist", "none"] },
    ];
    for arguments in READING.iter().chain(&others) {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = command(&folder, arguments, "images", "");
        assert_eq!(written_to(&mut command, writer), (Some(0), String::new()));
    }
    // In the middle of an output that is larger than a pipe's buffer.
    let show: &[&str] = &["show", INPUT, "--records", ".."];
    for arguments in WRITING.iter().chain([&show]) {
        let (mut reader, writer) = io::pipe().unwrap();
        let reading = thread::spawn(move || reader.read_exact(&mut [0; 1000]));
        let mut command = command(&folder, arguments, "images", "-");
        assert_eq!(written_to(&mut command, writer), (Some(0), String::new()));
        reading.join().unwrap().unwrap();
    }
}

/// The exit code and the messages of a command whose standard output is this.
fn written_to(command: &mut Command, output: impl Into<Stdio>) -> (Option<i32>, String) {
    let output = command.stdout(output).output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), messages)
}

/// Where nobody can read a message, the exit code still reports the failure.
#[test]
fn a_closed_error_stream_is_no_crash() {
    let folder = Folder::new(&[]);
    for arguments in READING {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = command(&folder, arguments, "missing", "");
        let status = command.stdout(Stdio::null()).stderr(writer).status();
        assert_eq!(status.unwrap().code(), Some(1), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new(&[("images", &images(400))]);
    let message = "No space left on device (os error 28); free some space and try again";
    let others: [&[&str]; 5] =
        [&[], &["rust", INPUT], &["completions", "bash"], &["--help"], &["info", "-h"]];
    for arguments in READING.iter().chain(&others) {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = command(&folder, arguments, "images", "");
        let said = format!("idx: standard output: {message}\n");
        assert_eq!(written_to(&mut command, full), (Some(1), said));
    }
    // All of it is in memory until the end.
    folder.write("few", &file(0x08, &[1], &[7]));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let said = format!("idx: standard output: {message}\n");
    assert_eq!(written_to(&mut folder.command(&["rust", "--c", "few"]), full), (Some(1), said));
    // Of `diff`, 1 means that the files differ.
    folder.write("other", &images(1));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let (code, _) = written_to(&mut folder.command(&["diff", "images", "other"]), full);
    assert_eq!(code, Some(2));
    for arguments in WRITING {
        let mut command = command(&folder, arguments, "images", "/dev/full");
        let (_, said) = outcome(&mut command, &[]).failure();
        assert_eq!(said, format!("/dev/full: {message}"));
    }
}

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

#[test]
fn each_file_is_treated_in_order() {
    let folder =
        Folder::new(&[("first", &images(1)), ("page", b"<!DOCTYPE html>"), ("last", &images(2))]);
    let files = ["first", "missing", "page", "last"];
    let wrong = [
        ("missing", "no such file; check the path"),
        (
            "page",
            "this is a web page, not an IDX file; open it in a browser to see why, and download the \
             file elsewhere",
        ),
    ];
    let messages = wrong.map(|(path, message)| format!("idx: {path}: {message}\n")).concat();
    for arguments in [&["info"][..], &["info", "--identify"], &["stats"], &["check"]] {
        let outcome = folder.run(&[arguments, &files].concat());
        assert_eq!((outcome.code, &outcome.messages), (Some(1), &messages));
        let alone = ["first", "last"].map(|name| folder.run(&[arguments, &[name]].concat()));
        assert_eq!(outcome.output, alone.map(|alone| alone.success()).concat());

        let json = folder.run(&[arguments, &["--json"], &files].concat());
        assert_eq!((json.code, &json.messages), (Some(1), &messages));
        let objects = json.output.lines().map(|line| serde_json::from_str(line).unwrap());
        let objects: Vec<Value> = objects.collect();
        assert!(objects.iter().map(|object| object["path"].as_str().unwrap()).eq(files));
        let errors = objects.iter().map(|object| object.get("error").and_then(Value::as_str));
        assert!(errors.eq([None, Some(wrong[0].1), Some(wrong[1].1), None]));
    }
    // No input of a join can be left out.
    let join = folder.run(&["convert", "first", "missing", "last", "-o", "joined.idx"]);
    let (path, message) = wrong[0];
    assert_eq!(join.failure().1, format!("{path}: {message}"));
    assert_eq!(names(folder.0.path()), ["first", "last", "page"]);
}

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

/// Ends each command that writes in the middle of its work: the output has to be as it was, there or
/// not, and beside it only what `may_stay`.
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
            // More than a pipe holds: when all of it is written, most of it was read.
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

#[test]
fn colours_where_they_are_wanted() {
    let folder = Folder::new(&[("images", &file(0x08, &[1, 1, 2], &[128, 0]))]);
    let coloured = |command: &str, variables: &[(&str, &str)]| {
        let mut command = folder.command(&[command, "images"]);
        outcome(command.envs(variables.iter().copied()), &[]).success()
    };
    let force = ("CLICOLOR_FORCE", "1");
    let exact = coloured("show", &[force, ("COLORTERM", "truecolor")]);
    assert!(exact.contains("\x1B[38;2;128;128;128m"), "{exact:?}");
    let of_256 = coloured("show", &[force]);
    assert!(of_256.contains("\x1B[38;5;"), "{of_256:?}");
    assert!(coloured("stats", &[force]).contains('█'));
    for command in ["show", "stats", "info", "check"] {
        for variables in [&[][..], &[("NO_COLOR", "1")], &[("NO_COLOR", "1"), force]] {
            let plain = coloured(command, variables);
            assert!(plain.is_ascii() && !plain.contains('\x1B'), "{plain:?}");
        }
    }
}

#[test]
fn folders_are_no_files() {
    let folder = Folder::new(&[("images", &images(1))]);
    fs::create_dir(folder.0.path().join("folder")).unwrap();
    fs::write(folder.0.path().join("folder/notes.txt"), b"mine").unwrap();
    let is_folder = "folder: this is a folder; specify a file in it";
    let no_data_set = "folder: this folder has no file with a name like \
        train-images-idx3-ubyte; specify the folder that has them, or the files";
    let no_pictures = "folder: this folder has no pictures (PNG, JPEG, GIF, BMP, TIFF, WebP) and no .parquet files; choose one \
         with pictures or shards, or specify a file in it";
    let rust: &[&str] = &["rust", INPUT];
    for arguments in READING.iter().chain([&rust]) {
        let expected = match arguments[0] {
            "check" => no_data_set,
            "rust" => is_folder,
            _ => no_pictures,
        };
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

#[cfg(unix)]
mod unix {
    use super::*;
    use std::fs::{File, Permissions};
    use std::os::fd::OwnedFd;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::time::{Duration, Instant};

    use idx_tests::{named_pipe, skip};
    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    /// The files of a folder are untrusted: no command waits for the other end of a pipe.
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
                "part.parquet" => {
                    "shards/part.parquet: this is a pipe or a device, not a regular file"
                }
                _ => "shards: this folder has no pictures",
            };
            assert!(sentence.starts_with(expected), "{sentence}");
        }
    }

    #[test]
    fn a_pipe_with_a_name_is_a_file() {
        let bytes = images(400);
        let folder = Folder::new(&[("images", &bytes)]);
        let path = folder.0.path().join("fifo");
        for arguments in READING {
            let by_name = written(&mut command(&folder, arguments, "images", ""));
            // A new one each time: a process that another test is just starting can hold the old one
            // open, and then it keeps what this command did not read.
            let _ = fs::remove_file(&path);
            named_pipe(&path);
            let by_fifo = thread::scope(|scope| {
                scope.spawn(|| {
                    let mut fifo = File::options().write(true).open(&path).unwrap();
                    // Some commands need only the start of it.
                    let _ = fifo.write_all(&bytes);
                });
                written(&mut command(&folder, arguments, "fifo", ""))
            });
            assert_eq!(
                lines_about(&by_fifo, "fifo"),
                lines_about(&by_name, "images"),
                "{arguments:?}"
            );
        }
        for arguments in WRITING {
            let by_stream = written(&mut command(&folder, arguments, "images", "-"));
            let reading = thread::spawn({
                let path = path.clone();
                move || fs::read(path).unwrap()
            });
            written(&mut command(&folder, arguments, "images", "fifo"));
            assert!(reading.join().unwrap() == by_stream, "{arguments:?}");
            assert!(path.metadata().unwrap().file_type().is_fifo());
            written(&mut command(&folder, arguments, "images", "/dev/null"));
        }
    }

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
            // Also of a file with an error; a name that is text needs no bytes.
            for (name, bytes) in [(&b"\xFEmissing"[..], true), (b"missing", false)] {
                let mut missing = folder.command(&[command_with_json, "--json"]);
                let (json, _) = outcome(missing.arg(OsStr::from_bytes(name)), &[]).failure();
                let json: Value = serde_json::from_str(&json).unwrap();
                let expected = bytes.then(|| serde_json::json!(name));
                assert_eq!(json.get("path_bytes"), expected.as_ref());
            }
        }
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
            // The temporary file is not mentioned.
            let said = said.replace("permission denied;", "Permission denied (os error 13);");
            assert_eq!(said, format!("folder/new: {message}"));
        }
    }

    /// A terminal: the end that the user sees, and the end that the program has.
    fn terminal() -> (File, OwnedFd) {
        let seen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&seen).unwrap();
        unlockpt(&seen).unwrap();
        let name = ptsname(&seen, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let end = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        (seen.into(), end)
    }

    /// All that a program wrote, once it has ended; then reading is an error on some systems.
    fn seen(mut terminal: File) -> String {
        let mut bytes = Vec::new();
        let _ = terminal.read_to_end(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    /// What a command writes on a terminal, to both streams.
    fn on_a_terminal(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
        let (terminal, end) = terminal();
        let mut command = folder.command(arguments);
        command
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .stdout(end.try_clone().unwrap())
            .stderr(end);
        let mut child = command.spawn().unwrap();
        drop(command); // and with it this program's end of the terminal
        let seen = seen(terminal);
        (child.wait().unwrap().code(), seen)
    }

    #[test]
    fn standard_output_by_its_path() {
        let folder = Folder::new(&[("images", &images(3))]);
        for arguments in WRITING {
            let by_stream = written(&mut command(&folder, arguments, "images", "-"));
            assert!(
                written(&mut command(&folder, arguments, "images", "/dev/stdout")) == by_stream
            );
            let file = folder.0.path().join("out");
            let mut to_file = command(&folder, arguments, "images", "/dev/stdout");
            let said = written_to(&mut to_file, File::create(&file).unwrap());
            assert_eq!(said, (Some(0), String::new()), "{arguments:?}");
            assert!(fs::read(&file).unwrap() == by_stream);
            if cfg!(target_os = "linux") {
                // As bash has it for >(...).
                let script =
                    format!("{} {} 3>&1 | cat", env!("CARGO_BIN_EXE_idx"), arguments.join(" "));
                let script = script.replace(INPUT, "images").replace(OUTPUT, "/dev/fd/3");
                let mut shell = Command::new("sh");
                shell.args(["-c", &script]).current_dir(folder.0.path());
                assert!(written(&mut shell) == by_stream, "{arguments:?}");
            }
        }
    }

    #[test]
    fn bytes_are_not_for_a_terminal() {
        let hostile = file(8, &[1, 1, 8], b"\x1B]0;hi\x07\x1B");
        let folder = Folder::new(&[("images", &hostile)]);
        for arguments in [
            &["convert", "images", "--to", "idx", "-o", "-"][..],
            &["convert", "images", "--to", "idx.gz", "-o", "-"],
            &["convert", "images", "--to", "npy", "-o", "-"],
            &["show", "images", "-o", "-"],
        ] {
            let message = "idx: standard output: will not write binary data to a terminal; use a pipe or -o FILE\r\n";
            assert_eq!(on_a_terminal(&folder, arguments), (Some(1), message.to_string()));
        }
        let csv = on_a_terminal(&folder, &["convert", "images", "--to", "csv", "-o", "-"]);
        assert_eq!(
            csv,
            (
                Some(0),
                "1x1,1x2,1x3,1x4,1x5,1x6,1x7,1x8\r\n27,93,48,59,104,105,7,27\r\n".to_string()
            )
        );
    }

    /// Whatever the names and the contents are, a terminal sees only the colours of the pictures.
    #[test]
    fn a_terminal_sees_nothing_of_strangers() {
        let images = file(8, &[2, 2, 2], b"\x1B\x07\x9B[2J\r\x08");
        let folder = Folder::new(&[
            (HOSTILE, &images),
            ("cell.csv", format!("1,2\n3,\"{HOSTILE}\"\n").as_bytes()),
        ]);
        for arguments in [
            &["info", HOSTILE][..],
            &["info", "--json", HOSTILE],
            &["stats", HOSTILE],
            &["check", HOSTILE, "."],
            &["show", HOSTILE],
            &["show", HOSTILE, "--records", "7.."],
            &["rust", HOSTILE],
            &["repair", HOSTILE],
            &["convert", HOSTILE, "-o", HOSTILE],
            &["convert", "cell.csv", "-o", "x.idx"],
            &["convert", HOSTILE, "--to", "csv", "-o", "-"],
        ] {
            let (_, text) = on_a_terminal(&folder, arguments);
            // The escapes that choose colours are the command's own.
            let mut parts = text.split("\x1B[");
            let first = parts.next().unwrap_or_default().to_string();
            let rest = parts.map(|part| {
                let (colour, rest) = part.split_once('m').expect("a colour");
                let is_own = |byte: u8| byte.is_ascii_digit() || byte == b';';
                assert!(colour.bytes().all(is_own), "{arguments:?}: {text:?}");
                rest
            });
            let text = first + &rest.collect::<String>();
            let is_raw = |character: char| {
                !matches!(character, '\r' | '\n')
                    && (character.is_control() || character == '\u{202E}')
            };
            assert!(!text.contains(is_raw), "{arguments:?}: {text:?}");
        }
    }

    /// Images whose reading shows a bar: half of them are larger than a pipe's buffer.
    const COUNT: u32 = 192;

    const LONG_WORK: [&[&str]; 8] = [
        &["info", "--identify", INPUT],
        &["stats", INPUT],
        &["check", INPUT],
        WRITING[0],
        WRITING[1],
        WRITING[2],
        WRITING[4],
        WRITING_A_FOLDER,
    ];

    /// What a slow command prints on a terminal, or on another error stream, while its input
    /// pauses in the middle.
    fn with_pause(arguments: &[&str], bytes: &[u8], pause: Duration, is_terminal: bool) -> String {
        let folder = Folder::new(&[]);
        let name = "images";
        let path = folder.0.path().join(name);
        named_pipe(&path);
        let mut command = command(&folder, arguments, name, OUTPUT);
        command.env("TERM", "xterm").stdout(Stdio::null());
        let (terminal, end) = terminal();
        if is_terminal {
            command.stderr(end);
        } else {
            command.stderr(Stdio::piped());
        }
        let child = command.spawn().unwrap();
        drop(command); // and with it this program's end of the terminal
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut fifo = File::options().write(true).open(&path).unwrap();
                // When all of the first half is written, some of it was read.
                let (start, rest) = bytes.split_at(bytes.len() / 2);
                fifo.write_all(start).unwrap();
                thread::sleep(pause);
                fifo.write_all(rest).unwrap();
            });
            let seen = is_terminal.then(|| seen(terminal));
            let output = child.wait_with_output().unwrap();
            seen.unwrap_or(String::from_utf8(output.stderr).unwrap())
        })
    }

    /// What is seen without the line that tells what was written.
    fn without_result(seen: &str) -> &str {
        seen.strip_suffix("OUTPUT: 192 records of 32 x 32 u8\r\n").unwrap_or(seen)
    }

    #[test]
    fn long_work_shows_a_bar_on_a_terminal() {
        const LONG: Duration = Duration::from_millis(1100);
        let bytes = &images(COUNT);
        let csv = &"2,1,3,4,5,6,7,8\n".repeat(24 * 1024).into_bytes();
        let cut = &bytes[..bytes.len() - 1];
        thread::scope(|scope| {
            for arguments in LONG_WORK {
                scope.spawn(move || {
                    let seen = with_pause(arguments, bytes, LONG, true);
                    for part in [" %, ", "iB/s, ", "s left  "] {
                        assert!(seen.contains(part), "{arguments:?}: {seen:?}");
                    }
                    assert!(!seen.contains("idx: "), "{arguments:?}: {seen:?}");
                });
                scope.spawn(move || {
                    let seen = with_pause(arguments, cut, LONG, true);
                    let (bar, message) = seen.split_once("idx: ").unwrap();
                    assert!(bar.ends_with("\r\x1B[2K"), "{arguments:?}: {seen:?}");
                    assert!(message.contains(": the payload is truncated: "), "{seen:?}");
                });
                scope.spawn(move || {
                    assert_eq!(with_pause(arguments, bytes, LONG, false), "");
                });
            }
            scope.spawn(|| {
                let seen = with_pause(WRITING[1], csv, LONG, true);
                assert!(seen.contains("iB, ") && !seen.contains("left"), "{seen:?}");
            });
        });
    }

    #[test]
    fn short_work_shows_none() {
        for arguments in LONG_WORK {
            // On a busy machine the same work can take long.
            let shown = (0..10).find_map(|_| {
                let start = Instant::now();
                let seen = with_pause(arguments, &images(COUNT), Duration::ZERO, true);
                (start.elapsed() < Duration::from_secs(1)).then_some(seen)
            });
            match shown {
                Some(seen) => assert_eq!(without_result(&seen), "", "{arguments:?}"),
                None => skip("short work: none of ten times was it shorter than a second"),
            }
        }
    }
}

/// A name that would colour the terminal, change its title, clear it, and turn text around.
const HOSTILE: &str = "\u{1B}[31mred\u{1B}]0;title\u{7}\r\u{9B}2J\u{202E}txt";

/// Names and contents that would colour the terminal, move its cursor, or turn text around.
#[test]
#[cfg(unix)]
fn nothing_of_strangers_reaches_the_terminal_raw() {
    let images = file(8, &[2, 1, 1], &[0, 255]);
    let npy = format!(
        "\u{93}NUMPY\u{1}\0v\0{{'descr': '{HOSTILE}', 'fortran_order': False, 'shape': ()}}"
    );
    let npy: Vec<u8> = npy.chars().map(|character| character as u8).collect();
    let folder = Folder::new(&[
        (HOSTILE, &images),
        ("cell.csv", format!("1,2\n3,\"{HOSTILE}\"\n").as_bytes()),
        ("header.npy", &npy),
        ("train-images-idx3-ubyte", &images),
        ("long.csv", format!("1\n{}\n", "x".repeat(100_000)).as_bytes()),
    ]);
    for arguments in [
        &["info", HOSTILE][..],
        &["info", "--json", HOSTILE],
        &["stats", HOSTILE],
        &["check", HOSTILE],
        &["check", "."],
        &["show", HOSTILE],
        &["show", HOSTILE, "--records", "7.."],
        &["rust", HOSTILE],
        &["convert", HOSTILE, "-o", HOSTILE],
        &["convert", "cell.csv", "-o", "x.idx"],
        &["convert", "header.npy", "-o", "x.idx"],
        &["convert", "long.csv", "-o", "x.idx"],
        &["info", HOSTILE, "\u{1B}[1mmissing"],
    ] {
        let outcome = folder.run(arguments);
        let text = outcome.output + &outcome.messages;
        let is_raw = |character: char| {
            character != '\n' && (character.is_control() || character == '\u{202E}')
        };
        assert!(!text.contains(is_raw), "{arguments:?}: {text:?}");
        assert!(text.len() < 10_000, "{arguments:?}: {} bytes", text.len());
    }
}

#[test]
#[cfg(unix)]
fn a_name_forges_no_line() {
    const NAME: &str =
        "x\nforged: ok: u8, 60000 x 28 x 28, MNIST training images\nx-images-idx3-ubyte";
    const LABELS: &str =
        "x\nforged: ok: u8, 60000 x 28 x 28, MNIST training images\nx-labels-idx1-ubyte";
    let images = file(8, &[2, 1, 1], &[7, 7]);
    let labels = file(8, &[2], &[1, 0]);
    let folder = Folder::new(&[(NAME, &images), (LABELS, &labels), ("cut", &images[..4])]);
    let set = &format!("{NAME}/");
    for (kind, bytes) in [("images-idx3", &images), ("labels-idx1", &labels)] {
        for split in ["train", "t10k"] {
            // The start of the names in a data set, too.
            folder.write(&format!("set/x\nforged-{split}-{kind}-ubyte"), bytes);
        }
    }
    for arguments in [
        &["info", NAME][..],
        &["info", "--json", NAME],
        &["info", "--hex", NAME, LABELS],
        &["stats", NAME],
        &["show", NAME, LABELS],
        &["check", NAME],
        &["check", NAME, LABELS],
        &["check", LABELS, NAME],
        &["check", "set"],
        &["check", "--duplicates", NAME],
        &["check", "--duplicates", NAME, NAME],
        &["diff", NAME, "x\nforged"],
        &["repair", NAME],
        &["repair", "--dry-run", set],
        &["rust", NAME],
        &["rust", "--c", LABELS],
        &["convert", NAME, "-o", NAME],
        &["convert", NAME, "-o", "x\nforged/x.idx"],
        &[NAME],
        &["x\nforged", "-n", "2"],
        &["info", "--x\nforged"],
        &["info", NAME, "--as=x\nforged"],
        &["convert", NAME, "-o", "x\nforged.tsv"],
    ] {
        let outcome = folder.run(arguments);
        let text = outcome.output + &outcome.messages;
        assert!(text.contains("forged"), "{arguments:?}: {text}");
        let is_forged = |line: &str| line.trim_start().starts_with("forged");
        assert!(!text.lines().any(is_forged), "{arguments:?}: {text}");
    }
}

/// As `head` closes it: what was wrong before stays wrong.
#[test]
fn a_closed_pipe_does_not_hide_a_failure() {
    let folder = Folder::new(&[("images", &images(1))]);
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = folder.command(&["info", "missing", "images"]);
    let status = command.stdout(writer).stderr(Stdio::null()).status();
    assert_eq!(status.unwrap().code(), Some(1));
}

#[test]
fn colours_on_request() {
    let folder = Folder::new(&[("images", &file(0x08, &[1, 1, 2], &[128, 0]))]);
    let shown = |options: &[&str], variable: Option<&str>| {
        let mut command = folder.command(&[&["show", "images"], options].concat());
        outcome(command.envs(variable.map(|name| (name, "1"))), &[]).success()
    };
    let plain = shown(&[], None);
    assert!(!plain.contains('\x1B'));
    assert!(shown(&["--color", "always"], Some("NO_COLOR")).contains('\x1B'));
    assert_eq!(shown(&["--color=never"], Some("CLICOLOR_FORCE")), plain);
    assert_eq!(shown(&["--color", "auto"], None), plain);
    let before = folder.run(&["--color", "always", "show", "images"]);
    assert!(before.success().contains('\x1B'));
}

/// What `-q` leaves out, and what it keeps.
#[test]
fn quiet_is_not_silent() {
    let folder = Folder::new(&[]);
    folder.write("set/cat/1.idx", b"");
    fs::remove_file(folder.0.path().join("set/cat/1.idx")).unwrap();
    folder.write("a.idx", &images(1));
    folder.write("l.idx", &file(8, &[1], &[0]));
    folder.convert(&["a.idx", "-o", "set/cat/"]);
    let convert = ["convert", "set", "-o", "x.idx", "-f"];
    let names = folder.run(&convert);
    assert_eq!((names.code, &*names.messages), (Some(0), "idx: x-classes.txt: 0 cat\n"));
    folder.run(&[&convert[..], &["-q"]].concat()).success();
    let (_, message) = folder.run(&["-q", "info", "none"]).failure();
    assert_eq!(message, "none: no such file; check the path");
}

/// As jq and gzip have it.
#[test]
fn without_a_name_the_output_is_a_stream() {
    let folder = Folder::new(&[("images", &images(2))]);
    let written = written(&mut command(&folder, &["convert", INPUT], "images", ""));
    assert_eq!(written, images(2));
    let csv = folder.run(&["convert", "images", "--to", "csv"]).success();
    assert_eq!(csv.lines().count(), 3);
    assert_eq!(names(folder.0.path()), ["images"]);
}

#[test]
fn wrong_usage_is_escaped() {
    let folder = Folder::new(&[]);
    let outcome = folder.run(&["info", "--\x1B]0;title\x07"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.messages.starts_with("idx: unexpected argument"), "{outcome:?}");
    assert!(!outcome.messages.contains('\x1B'), "{outcome:?}");
}
