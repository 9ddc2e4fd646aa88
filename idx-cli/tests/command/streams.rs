//! Standard input and output, pipes and `/dev/full`, for every command.

use std::fs::{self, File};
use std::io::{self, Read, Write};
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::process::{Command, Stdio};
use std::thread;

#[cfg(unix)]
use idx_tests::named_pipe;
use idx_tests::{file, gzip, names};

use crate::common::{Folder, byte_records, outcome};
use crate::every_command::{
    INPUT, OUTPUT, READING, WRITING, command, images, lines_about, written, written_to,
};

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new(&[("images", &images(3)), ("images.gz", &gzip(&images(3)))]);
    for arguments in READING {
        for name in ["images", "images.gz"] {
            let by_name = written(&mut command(&folder, arguments, name, ""));
            let input = File::open(folder.0.path().join(name)).unwrap();
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
    // Labels from standard input do not have the class names of the file `-`.
    let labeled = folder.run_with(&["show", "images", "--labels", "-"], &file(0x08, &[1], &[1]));
    assert!(labeled.success().starts_with("0: label 1"));
}

#[test]
fn a_set_of_standard_input_has_its_parts() {
    let folder = Folder::new(&[]);
    for part in ["train", "t10k"] {
        folder.write(&format!("set/{part}-images-idx3-ubyte"), &images(2));
        folder.write(&format!("set/{part}-labels-idx1-ubyte"), &file(0x08, &[2], &[1, 0]));
    }
    folder.convert(&["set", "-o", "set.npz"]);
    let archive = folder.read("set.npz");
    for command in ["info", "show", "stats", "check"] {
        let by_name = folder.run(&[command, "set.npz"]);
        let by_stream = folder.run_with(&[command, "-"], &archive);
        let of_stream = |text: &str| text.replace("set.npz", "-");
        assert_eq!(by_stream.messages, of_stream(&by_name.messages));
        assert_eq!(by_stream.success(), of_stream(&by_name.success()));
    }
    folder.run_with(&["convert", "-", "-o", "again.npz"], &archive).success();
    assert_eq!(folder.read("again.npz"), archive);
    // `diff` needs one part, which can be named only for a file.
    let outcome = folder.run_with(&["diff", "-", "set.npz:train"], &archive);
    let advice = "save it in a file, and give one, such as set.npz:train or set.npz:test";
    assert_eq!(outcome.code, Some(2));
    assert_eq!(outcome.messages, format!("idx: -: this set has several parts; {advice}\n"));
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

/// Failed before: what was left of a pipe after its report was taken for another file.
#[test]
fn a_stream_is_shown_without_a_command() {
    let folder = Folder::new(&[("images", &images(3))]);
    folder.convert(&["images", "-o", "images.csv"]);
    for name in ["images", "images.csv"] {
        let bytes = folder.read(name);
        let [info, show] = ["info", "show"].map(|command| folder.run_with(&[command, "-"], &bytes));
        let both =
            format!("{}\n{}", info.output, show.output).replace("  file          a stream\n", "");
        assert_eq!(folder.run_with(&["-"], &bytes).success(), both);
        if cfg!(target_os = "linux") {
            let by_path = folder.run_with(&["/dev/stdin"], &bytes).success();
            assert_eq!(by_path, both.replacen("-\n", "/dev/stdin\n", 1));
        }
    }
    let (_, message) = folder.run_with(&["-", "-"], &images(1)).failure();
    assert_eq!(message, "-: standard input was read already; use `-` only once");
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
    let others: [&[&str]; 5] =
        [&[], &["-h"], &["rust", INPUT], &["completions", "zsh"], &["fetch", "-h"]];
    for arguments in READING.iter().chain(&others) {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = command(&folder, arguments, "images", "");
        assert_eq!(written_to(&mut command, writer), (Some(0), String::new()));
    }
    // The pipe is closed in the middle of an output that is larger than its buffer.
    let show: &[&str] = &["show", INPUT, "--records", ".."];
    for arguments in WRITING.iter().chain([&show]) {
        let (mut reader, writer) = io::pipe().unwrap();
        let reading = thread::spawn(move || reader.read_exact(&mut [0; 1000]));
        let mut command = command(&folder, arguments, "images", "-");
        assert_eq!(written_to(&mut command, writer), (Some(0), String::new()));
        reading.join().unwrap().unwrap();
    }
}

/// The exit code reports a failure even if nobody can read the message.
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
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = command(&folder, arguments, "images", "");
        let said = format!("idx: standard output: {message}\n");
        assert_eq!(written_to(&mut command, full), (Some(1), said));
    }
    // This output is in memory until the end.
    folder.write("few", &file(0x08, &[1], &[7]));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let said = format!("idx: standard output: {message}\n");
    assert_eq!(written_to(&mut folder.command(&["rust", "--c", "few"]), full), (Some(1), said));
    // The exit code 1 of `diff` means that the files differ.
    folder.write("other", &images(1));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let (code, _) = written_to(&mut folder.command(&["diff", "images", "other"]), full);
    assert_eq!(code, Some(2));
    for arguments in WRITING {
        let mut command = command(&folder, arguments, "images", "/dev/full");
        let (_, said) = outcome(&mut command, &[]).failure();
        assert_eq!(said, format!("/dev/full: {message}"));
    }
}

#[cfg(unix)]
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
        assert_eq!(lines_about(&by_fifo, "fifo"), lines_about(&by_name, "images"), "{arguments:?}");
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

#[cfg(unix)]
#[test]
fn standard_output_by_its_path() {
    let folder = Folder::new(&[("images", &images(3))]);
    for arguments in WRITING {
        let by_stream = written(&mut command(&folder, arguments, "images", "-"));
        for name in ["/dev/stdout", "/dev/fd/1"] {
            assert!(written(&mut command(&folder, arguments, "images", name)) == by_stream);
            let file = folder.0.path().join("out");
            let mut to_file = command(&folder, arguments, "images", name);
            let said = written_to(&mut to_file, File::create(&file).unwrap());
            assert_eq!(said, (Some(0), String::new()), "{arguments:?}");
            assert!(fs::read(&file).unwrap() == by_stream);
        }
        if cfg!(target_os = "linux") {
            // Bash gives such a path for >(...).
            let script =
                format!("'{}' {} 3>&1 | cat", env!("CARGO_BIN_EXE_idx"), arguments.join(" "));
            let script = script.replace(INPUT, "images").replace(OUTPUT, "/dev/fd/3");
            let mut shell = Command::new("sh");
            shell.args(["-c", &script]).current_dir(folder.0.path());
            assert!(written(&mut shell) == by_stream, "{arguments:?}");
        }
    }
}

/// An error stays an error if the pipe is closed, as by `head`. Failed before: errors after the output were hidden.
#[test]
fn a_closed_pipe_does_not_hide_a_failure() {
    let folder = Folder::new(&[("images", &images(1))]);
    for arguments in [
        &["info", "missing", "images"][..],
        &["info", "images", "missing"],
        &["check", "--json", "images", "missing"],
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let said = "idx: missing: no such file; check the path\n".to_string();
        let outcome = written_to(&mut folder.command(arguments), writer);
        assert_eq!(outcome, (Some(1), said), "{arguments:?}");
    }
}

/// Without `-o`, the output is a stream, as in jq and gzip.
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
#[cfg(unix)]
fn an_input_that_standard_output_is_appended_to() {
    let folder = Folder::new(&[("a.csv", b"1,2\n3,4\n"), ("a.idx", &file(8, &[2], &[1, 2]))]);
    let idx = env!("CARGO_BIN_EXE_idx");
    for (name, input) in [("a.csv", "a.csv"), ("a.idx", "a.idx"), ("a.csv", "- < a.csv")] {
        let before = folder.read(name);
        let script = format!("exec '{idx}' convert {input} --to csv >> {name}");
        let mut shell = Command::new("sh");
        let outcome = outcome(shell.args(["-c", &script]).current_dir(folder.0.path()), &[]);
        let (_, message) = outcome.failure();
        assert!(message.contains("this is the file that standard output goes to"), "{message}");
        assert_eq!(folder.read(name), before);
    }
}

/// Failed before: the input grew while it was read, forever if it was long.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_whose_file_standard_output_is_appended_to() {
    let folder = Folder::new(&[("images", &images(2)), ("labels.csv", b"7\n8\n")]);
    folder.convert(&["images", "-o", "pictures/"]);
    folder.write("tables/train.csv", b"1,2\n3,4\n");
    folder.write("pictures/there", b"");
    let idx = env!("CARGO_BIN_EXE_idx");
    for (arguments, name, message) in [
        ("convert tables --no-header --to csv", "tables/train.csv", "a part of the input"),
        ("convert tables/:train --no-header --to csv", "tables/train.csv", "a part of the input"),
        ("convert pictures --to csv", "pictures/there", "a part of the input"),
        ("show pictures -o -", "pictures/there", "a part of the input"),
        ("convert images -l labels.csv --to csv", "labels.csv", "standard output goes to"),
    ] {
        let before = folder.read(name);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec '{idx}' {arguments} >> {name}")]);
        let found = outcome(shell.current_dir(folder.0.path()), &[]);
        assert_eq!(found.code, Some(1), "{arguments}: {found:?}");
        assert!(found.messages.contains(message), "{arguments}: {found:?}");
        assert_eq!(folder.read(name), before);
    }
}

#[cfg(unix)]
#[test]
fn a_missing_temporary_folder_is_not_blamed_on_standard_output() {
    let folder = Folder::new(&[("images", &file(0x08, &[1, 2, 2], &[0; 4]))]);
    let convert = |output: &str| {
        let mut command = folder.command(&["convert", "images", "--to", "npy", "-o", output]);
        let (output, message) = outcome(command.env("TMPDIR", "/nope"), &[]).failure();
        assert_eq!(output, "");
        message
    };
    assert_eq!(
        convert("-"),
        "/nope: temporary files cannot be kept here: No such file or directory (os error 2); free some space, or name \
         another folder in TMPDIR"
    );
    // Failed before: a device seemed to be missing.
    assert_eq!(
        convert("/dev/null"),
        "/dev/null: temporary files cannot be kept in /nope: No such file or directory (os error 2); free some space, \
         or name another folder in TMPDIR"
    );
}

/// Failed before: the pipe was read again, for a note on the pictures, and that waited for another writer.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_read_after_it_was_written() {
    let folder = Folder::new(&[("images", &file(0x08, &[1, 2, 2], &[9; 4]))]);
    folder.convert(&["images", "-o", "pictures/"]);
    let path = folder.0.path().join("x-images-idx3-ubyte");
    named_pipe(&path);
    let reader = thread::spawn(move || fs::read(path).unwrap());
    let arguments = ["convert", "pictures", "-o", "x-images-idx3-ubyte"];
    assert_eq!(folder.run(&arguments).code, Some(0));
    assert_eq!(reader.join().unwrap(), folder.read("images"));
    // A name without an extension is a new folder of pictures, but not if it is a pipe or a device.
    let outcome = folder.run(&["convert", "images", "-o", "/dev/null"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.messages.contains("\"/dev/null\" says no format"), "{outcome:?}");
}

#[test]
fn standard_streams() {
    let idx = byte_records();
    let folder = Folder::new(&[("a.idx", &idx)]);
    let run = |arguments: &[&str], input: &[u8]| {
        let path = folder.0.path().join("input");
        fs::write(&path, input).unwrap();
        let mut command = folder.command(arguments);
        let output = command.stdin(File::open(path).unwrap()).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        output.stdout
    };
    for format in ["idx", "idx.gz", "npy", "csv"] {
        let written = run(&["convert", "-", "--to", format, "-o", "-"], &idx);
        let options: &[&str] = if format == "csv" { &["--shape", "2x3"] } else { &[] };
        let back = [&["convert", "-", "--to", "idx", "-o", "-"], options].concat();
        assert_eq!(run(&back, &written), idx, "{format}");
    }
    // ESC and other bytes that control a terminal.
    let escapes = file(8, &[4], b"\x1B[1m");
    assert_eq!(run(&["convert", "-", "--to", "idx", "-o", "-"], &escapes), escapes);
    let outcome = folder.run_with(&["convert", "-", "--to", "idx", "-o", "-"], b"<html>");
    assert!(outcome.failure().1.starts_with("-: this is a web page"));
}
