//! Outputs of a command: all appear together, replace nothing unasked, and leave no litter.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use idx_tests::{file, names, skip};

use crate::common::{Folder, Outcome, outcome, outcome_of};

const EXISTS: &str = "the file already exists; choose another name, or replace it with `--force`";

/// Two images of 2 x 2 and their labels; and two others.
fn folder() -> Folder {
    Folder::new(&[
        ("images", &file(8, &[2, 2, 2], b"abcdefgh")),
        ("labels", &file(8, &[2], &[1, 2])),
        ("other", &file(8, &[3, 2, 2], b"ABCDEFGHIJKL")),
        ("other-labels", &file(8, &[3], &[7, 8, 9])),
    ])
}

/// Failed before: one output replaced the folder that contained another one, which was lost with exit code 0.
#[test]
fn outputs_are_not_in_the_folders_of_others() {
    let folder = folder();
    fs::create_dir(folder.0.path().join("d")).unwrap();
    for outputs in [
        &["-o", "d/", "--sample", "1", "--rest", "d/rest/"][..],
        &["-o", "d/rest/", "--sample", "1", "--rest", "d/", "--force"],
    ] {
        let message = folder.refused(&[&["images", "--labels", "labels"], outputs].concat());
        assert!(message.contains(": two outputs cannot go to one file or folder"), "{message}");
    }
}

/// If it were replaced, the shell would lose its current folder.
#[test]
fn the_current_folder_is_not_replaced() {
    let folder = folder();
    let empty = folder.0.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let mut command = folder.command(&["convert", "../images", "--no-labels", "-o", "."]);
    let (_, message) = outcome(command.current_dir(empty), &[]).failure();
    assert!(message.contains("it is the current folder"), "{message}");
}

/// Labels of a well-known set have names, but nobody asked for them here.
#[test]
fn names_of_known_labels_are_not_written() {
    let folder = Folder::new(&[
        ("images", &file(8, &[20_800, 1], &[7; 20_800])),
        ("letters", &idx_tests::emnist_letters_test_labels()),
    ]);
    folder.convert(&["images", "--labels", "letters", "-o", "x.csv"]);
    assert_eq!(folder.names(), ["images", "letters", "x.csv"]);
}

/// Starts a conversion with an input that pauses in the middle, calls `event`, and continues.
fn meanwhile(folder: &Folder, arguments: &[&str], event: impl FnOnce(&Path)) -> Outcome {
    let bytes = file(8, &[200, 32, 32], &[7; 200 * 1024]);
    let mut command = folder.command(&[&["convert", "-"], arguments].concat());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // More than a pipe holds: once it is written, the command has started.
    let (start, rest) = bytes.split_at(bytes.len() / 2);
    input.write_all(start).unwrap();
    event(folder.0.path());
    input.write_all(rest).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let messages = String::from_utf8(output.stderr).unwrap();
    outcome_of(output.status.code(), output.stdout, &messages)
}

#[test]
fn what_appeared_meanwhile_stays() {
    for output in ["new.idx", "new.idx.gz", "new.npy", "new.csv"] {
        let folder = Folder::new(&[]);
        let appear = |path: &Path| fs::write(path.join(output), "precious").unwrap();
        let (_, message) = meanwhile(&folder, &["-o", output], appear).failure();
        assert_eq!(message, format!("{output}: {EXISTS}"));
        assert_eq!(folder.read(output), b"precious");
        assert_eq!(folder.names(), [output]);
        // With --force it may be replaced.
        meanwhile(&folder, &["-o", output, "--force"], appear).success();
        assert_ne!(folder.read(output), b"precious");
    }
    let folder = Folder::new(&[]);
    let appear = |path: &Path| {
        fs::create_dir(path.join("new")).unwrap();
        fs::write(path.join("new/photo.png"), "precious").unwrap();
    };
    for force in [&[][..], &["--force"]] {
        let (_, message) = meanwhile(&folder, &[&["-o", "new/"], force].concat(), appear).failure();
        assert!(message.starts_with("new/: Directory not empty"), "{message}");
        assert_eq!(names(&folder.0.path().join("new")), ["photo.png"]);
        fs::remove_dir_all(folder.0.path().join("new")).unwrap();
    }
}

/// Nothing of a pair appears if one of the two cannot.
#[test]
fn a_pair_appears_together() {
    let folder = folder();
    let labels = file(8, &[200], &[1; 200]);
    folder.write("many-labels", &labels);
    for (appearing, message) in [("x.idx", "x.idx: "), ("x-labels.idx", "x-labels.idx: ")] {
        let arguments = ["--labels", "many-labels", "-o", "x.idx"];
        let before = folder.names();
        let appear = |path: &Path| fs::write(path.join(appearing), "precious").unwrap();
        let (_, told) = meanwhile(&folder, &arguments, appear).failure();
        assert_eq!(told, format!("{message}{EXISTS}"));
        assert_eq!(folder.read(appearing), b"precious");
        fs::remove_file(folder.0.path().join(appearing)).unwrap();
        assert_eq!(folder.names(), before);
    }
}

#[test]
fn a_folder_that_is_a_file_leaves_nothing() {
    let folder = folder();
    folder.refused(&["images", "--to", "png", "-o", "labels", "--force"]);
}

#[cfg(unix)]
mod unix {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Starts a command and leaves it in the middle of its work, with its input still open.
    fn in_the_middle(command: &mut Command) -> Child {
        let bytes = file(8, &[400, 32, 32], &[7; 400 * 1024]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.as_mut().unwrap();
        input.write_all(&bytes[..bytes.len() / 2]).unwrap();
        child
    }

    const OUTPUTS: [&[&str]; 7] = [
        &["convert", "-", "-o", "x.idx", "--force"],
        &["convert", "-", "-o", "x.idx.gz", "--force"],
        &["convert", "-", "-o", "x.npy", "--force"],
        &["convert", "-", "-o", "x.csv", "--force"],
        &["convert", "-", "-o", "x/", "--force"],
        &["convert", "-", "--to", "npy", "-o", "-"],
        &["show", "-", "--records", "..", "-o", "x.png", "--force"],
    ];

    /// Returns `true` if this process ignores a signal, as after `&` in a script. The command inherits that, and the
    /// signal does not end it.
    fn is_ignored(number: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mut lines = status.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        mask >> (number - 1) & 1 == 1
    }

    #[test]
    fn signals_leave_nothing_and_are_the_exit_status() {
        let mut signals = vec![("INT", 2), ("TERM", 15), ("HUP", 1)];
        signals.retain(|(signal, number)| {
            let is_ignored = is_ignored(*number);
            if is_ignored {
                skip(&format!("SIG{signal}: it is ignored, as in the background of a script"));
            }
            !is_ignored
        });
        for arguments in OUTPUTS {
            for &(signal, number) in &signals {
                for is_there in [false, true] {
                    let folder = Folder::new(&[]);
                    let temporary = tempfile::tempdir().unwrap();
                    if is_there {
                        fs::create_dir(folder.0.path().join("x")).unwrap();
                    }
                    let before = folder.names();
                    let mut command = folder.command(arguments);
                    let mut child = in_the_middle(command.env("TMPDIR", temporary.path()));
                    let kill = Command::new("kill")
                        .args([&format!("-{signal}"), &child.id().to_string()])
                        .status();
                    assert!(kill.unwrap().success());
                    let mut told = String::new();
                    let mut messages = child.stderr.take().unwrap();
                    messages.read_to_string(&mut told).unwrap();
                    let status = child.wait().unwrap();
                    assert_eq!(status.signal(), Some(number), "{arguments:?} {signal}");
                    assert_eq!(told, "", "{arguments:?} {signal}");
                    assert_eq!(folder.names(), before, "{arguments:?} {signal}");
                    let left: Vec<String> =
                        before.iter().flat_map(|x| names(&folder.0.path().join(x))).collect();
                    assert!(left.is_empty(), "{arguments:?} {signal}: {left:?}");
                    assert_eq!(names(temporary.path()), [""; 0], "{arguments:?} {signal}");
                }
            }
        }
    }

    /// nohup(1) starts a command like this.
    #[test]
    #[cfg(target_os = "linux")]
    fn an_ignored_signal_stays_ignored() {
        for signal in ["HUP", "INT", "TERM"] {
            let folder = Folder::new(&[]);
            let idx = env!("CARGO_BIN_EXE_idx");
            let mut shell = Command::new("sh");
            let script = format!("trap '' {signal}; exec '{idx}' convert - -o x.idx");
            let mut child = in_the_middle(shell.args(["-c", &script]).current_dir(folder.0.path()));
            let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
            assert!(kill.unwrap().success());
            thread::sleep(Duration::from_millis(100));
            let rest = [7; 200 * 1024 + 8];
            child.stdin.take().unwrap().write_all(&rest).unwrap();
            assert!(child.wait().unwrap().success(), "{signal}");
            assert_eq!(folder.names(), ["x.idx"]);
        }
    }

    #[test]
    fn a_limit_of_the_file_size_is_an_error() {
        let folder = Folder::new(&[("images", &file(8, &[400, 32, 32], &[7; 400 * 1024]))]);
        let idx = env!("CARGO_BIN_EXE_idx");
        for output in ["x.idx", "x.npy", "x.csv"] {
            let mut shell = Command::new("sh");
            let script = format!("ulimit -f 8; exec '{idx}' convert images -o {output}");
            shell.args(["-c", &script]).current_dir(folder.0.path());
            let (_, message) = outcome(&mut shell, &[]).failure();
            assert!(message.starts_with(&format!("{output}: ")), "{message}");
            assert!(message.contains("File too large"), "{message}");
            assert_eq!(folder.names(), ["images"]);
        }
    }

    #[test]
    fn a_picture_that_is_cut_by_a_full_disk_is_an_error() {
        let noise = |i: u32| (i * i).wrapping_mul(2_654_435_761).to_be_bytes()[0];
        let noise: Vec<u8> = (0..70 * 80).map(noise).collect();
        let folder = Folder::new(&[("image", &file(8, &[1, 70, 80], &noise))]);
        let mut shell = Command::new("sh");
        let idx = env!("CARGO_BIN_EXE_idx");
        // Less than the picture needs, and more than half of it.
        shell.args(["-c", &format!("ulimit -f 8; exec '{idx}' convert image -o out/")]);
        let (_, message) = outcome(shell.current_dir(folder.0.path()), &[]).failure();
        assert!(message.contains("File too large"), "{message}");
        assert_eq!(folder.names(), ["image"]);
    }
}

#[cfg(target_os = "linux")]
mod kills {
    use super::*;
    use crate::common::bytes_of;

    const CALLS: [&str; 10] = [
        "rename",
        "renameat2",
        "link",
        "linkat",
        "unlink",
        "rmdir",
        "fsync",
        "syncfs",
        "mkdir",
        "write",
    ];

    /// The content of a path: the bytes of a file, or the names and bytes of the files in a folder.
    fn content(path: &Path) -> Vec<(String, Vec<u8>)> {
        if path.is_dir() {
            let within = |name: String| {
                let inner = content(&path.join(&name)).into_iter();
                inner.map(move |(end, bytes)| (format!("{name}/{end}"), bytes))
            };
            return names(path).into_iter().flat_map(within).collect();
        }
        fs::read(path).map_or(Vec::new(), |bytes| vec![(String::new(), bytes)])
    }

    /// Ends a conversion at each system call that changes names or files, and checks that there are the old outputs or
    /// the new ones; after a kill, the first ones may be missing.
    #[track_caller]
    fn at_every_call(prepare: &[&[&str]], arguments: &[&str], outputs: &[&str]) {
        if !idx_tests::has_strace("kills") {
            return;
        }
        let state = |folder: &Folder| {
            let contents = outputs.iter().map(|output| content(&folder.0.path().join(output)));
            contents.collect::<Vec<_>>()
        };
        let original = folder();
        prepare.iter().for_each(|arguments| original.convert(arguments));
        let contents = content(original.0.path());
        let prepared = || {
            let folder = Folder::new(&[]);
            for (name, bytes) in &contents {
                let path = folder.0.path().join(name.trim_end_matches('/'));
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            folder
        };
        let old = state(&prepared());
        let all = prepared();
        let outcome = all.run(&[&["convert"], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let new = state(&all);
        assert_ne!(old, new);
        for (signal, call) in CALLS.iter().flat_map(|call| [("KILL", call), ("TERM", call)]) {
            for when in 1.. {
                let folder = prepared();
                let mut command = idx_tests::strace();
                command
                    .args(["-e", &format!("trace={call}")])
                    .args(["-e", &format!("inject={call}:signal={signal}:when={when}")])
                    .arg(env!("CARGO_BIN_EXE_idx"))
                    .arg("convert")
                    .args(arguments)
                    .current_dir(folder.0.path());
                let is_finished = command.output().unwrap().status.success();
                let found = state(&folder);
                let context = format!("{signal} at {call} {when}");
                if signal == "TERM" || is_finished {
                    assert!(found == new || found == old && !is_finished, "{context}");
                    let names = folder.names();
                    assert!(
                        !names.iter().any(|name| name.starts_with('.')),
                        "{context}: {names:?}"
                    );
                } else {
                    assert!(found == new || found == old || found[0].is_empty(), "{context}");
                }
                if is_finished {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_file() {
        at_every_call(&[], &["images", "-o", "x.idx"], &["x.idx"]);
        let old: &[&str] = &["other", "-o", "x.idx"];
        at_every_call(&[old], &["images", "-o", "x.idx", "-f"], &["x.idx"]);
    }

    /// The class names belong to the pair.
    #[test]
    fn a_pair_with_names() {
        let pictures: &[&str] = &["images", "-o", "set/", "--labels", "labels"];
        let old: &[&str] = &["other", "--labels", "other-labels", "-o", "x.idx"];
        let arguments = ["set", "-o", "x.idx", "-f"];
        let outputs = ["x.idx", "x-labels.idx", "x-classes.txt"];
        at_every_call(&[pictures], &arguments, &outputs);
        at_every_call(&[pictures, old], &arguments, &outputs);
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn shards() {
        at_every_call(&[], &["images", "-o", "d/", "--shards", "2"], &["d"]);
    }

    #[test]
    fn a_folder_of_pictures() {
        at_every_call(&[], &["images", "--labels", "labels", "-o", "d/"], &["d"]);
    }

    /// Failed before: a signal left behind the pictures that an error had not removed yet.
    #[test]
    fn a_signal_waits_until_an_error_has_removed_its_files() {
        if !idx_tests::has_strace("kills") {
            return;
        }
        let folder = Folder::new(&[]);
        let mut command = idx_tests::strace();
        command
            .args(["-e", "trace=unlinkat"])
            .args(["-e", "inject=unlinkat:signal=TERM:delay_exit=300000:when=1"])
            .arg(env!("CARGO_BIN_EXE_idx"))
            .args(["convert", "-", "-o", "d/"])
            .current_dir(folder.0.path());
        let whole = file(8, &[1000, 28, 28], &[7; 1000 * 784]);
        let (code, _, messages) = bytes_of(&mut command, &whole[..whole.len() - 1]);
        // Ended by the signal, or by the error if it came first.
        assert!(code.is_none_or(|code| code == 1), "{code:?}: {messages}");
        assert_eq!(folder.names(), [""; 0]);
    }
}

/// A large file is synced while it is written, and the system reports a disk error only once.
#[cfg(target_os = "linux")]
#[test]
fn an_error_of_the_disk_in_the_middle_of_a_file() {
    if !idx_tests::has_strace("errors of the disk") {
        return;
    }
    const RECORDS: u32 = 24;
    let zeros = vec![0; RECORDS as usize * 1024 * 1024];
    let folder = Folder::new(&[("zeros", &file(8, &[RECORDS, 1024, 1024], &zeros))]);
    for output in ["o.idx", "o.npy", "o.csv"] {
        folder.write(output, b"old");
        let mut command = idx_tests::strace();
        command
            .args(["-e", "trace=fdatasync"])
            .args(["-e", "inject=fdatasync:error=EIO:when=1"])
            .arg(env!("CARGO_BIN_EXE_idx"))
            .args(["convert", "zeros", "-o", output, "--force"])
            .current_dir(folder.0.path());
        let failed = command.output().unwrap();
        let messages = String::from_utf8_lossy(&failed.stderr);
        assert_eq!(failed.status.code(), Some(1), "{output}: {messages}");
        assert!(messages.contains("os error 5"), "{messages}");
        assert_eq!(fs::read(folder.0.path().join(output)).unwrap(), b"old");
    }
}

/// The user did not name these pipes, and reading from them might never end.
#[cfg(unix)]
#[test]
fn pipes_of_strangers_are_not_read() {
    use idx_tests::named_pipe;

    let folder = folder();
    let path = |name: &str| folder.0.path().join(name);
    folder.convert(&["images", "-o", "pictures/"]);
    fs::create_dir_all(path("photos/cat")).unwrap();
    fs::copy(path("pictures/00000.png"), path("photos/cat/0.png")).unwrap();
    // A pipe next to records, as their labels and as the names of their classes.
    fs::copy(path("images"), path("p-images-idx3-ubyte")).unwrap();
    named_pipe(&path("p-labels-idx1-ubyte"));
    let message = folder.refused(&["p-images-idx3-ubyte", "-o", "p.csv"]);
    assert!(message.starts_with("p-labels-idx1-ubyte: "), "{message}");
    fs::remove_file(path("p-labels-idx1-ubyte")).unwrap();
    fs::copy(path("labels"), path("p-labels-idx1-ubyte")).unwrap();
    named_pipe(&path("p-classes.txt"));
    let message = folder.refused(&["p-images-idx3-ubyte", "-o", "p.csv"]);
    assert!(message.starts_with("p-classes.txt: "), "{message}");
    // A pipe among pictures, whose folders are their labels.
    for name in ["photos/classes.txt", "photos/labels.csv"] {
        named_pipe(&path(name));
        let outcome =
            folder.run(&["convert", "photos", "--label-column", "0", "-f", "-o", "r.csv"]);
        let (_, message) = outcome.failure();
        assert!(message.contains("this is a pipe or a device"), "{message}");
        fs::remove_file(path(name)).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn labels_that_are_cut_by_a_full_disk_are_an_error() {
    use std::process::Command;

    let images = file(8, &[2000, 1, 1], &[7; 2000]);
    let folder = Folder::new(&[("images", &images), ("labels", &file(8, &[2000], &[7; 2000]))]);
    let mut shell = Command::new("sh");
    let convert = "convert images --labels labels --labels-as i32 -o out-images-idx3-ubyte";
    let script = format!("ulimit -f 8; exec '{}' {convert}", env!("CARGO_BIN_EXE_idx"));
    shell.args(["-c", &script]).current_dir(folder.0.path());
    let (_, message) = outcome(&mut shell, &[]).failure();
    assert!(message.contains("File too large"), "{message}");
    assert_eq!(folder.names(), ["images", "labels"]);
}

/// New folders appear together with their files, or not at all.
#[test]
fn missing_folders_are_made_with_their_files() {
    let folder = folder();
    folder.write("bad.csv", b"1,2\n3,x\n");
    for name in ["x-images-idx3-ubyte", "x.idx", "x.npz", "pictures/"] {
        let output = format!("new/deep/{name}");
        let arguments = ["images", "-l", "labels", "-o", &output];
        let outcome = folder.run(&[&["convert"], &arguments[..]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let made = folder.0.path().join(&output);
        assert!(made.exists());
        fs::remove_dir_all(folder.0.path().join("new")).unwrap();
    }
    let split = ["images", "-l", "labels", "--sample", "1"];
    folder.convert(&[&split[..], &["-o", "two/a/x.csv", "--rest", "./two/b/c/x.csv"]].concat());
    assert_eq!(folder.run(&["check", "two/a/x.csv", "two/b/c/x.csv"]).code, Some(0));
    for (outputs, message) in [
        (["none/x.csv", "none/x.csv"], "two outputs cannot go to one file or folder"),
        (["none/x.csv", "none/"], "two outputs cannot go to one file or folder"),
        (["none/x/", "none/x/y.csv"], "two outputs cannot go to one file or folder"),
        (["none/../x.csv", "y.csv"], "there is no folder none"),
    ] {
        let outputs = ["-o", outputs[0], "--rest", outputs[1]];
        let refused = folder.refused(&[&split[..], &outputs].concat());
        assert!(refused.contains(message), "{refused}");
    }
    assert!(folder.refused(&["bad.csv", "-o", "none/deep/x.idx"]).starts_with("bad.csv: "));
}

/// A set goes to a new folder in a new folder.
#[test]
fn sets_go_to_folders_in_new_folders() {
    let folder = Folder::new(&[]);
    for part in ["train", "t10k"] {
        folder.write(&format!("set/{part}-images-idx3-ubyte"), &file(8, &[2, 2, 2], b"abcdefgh"));
        folder.write(&format!("set/{part}-labels-idx1-ubyte"), &file(8, &[2], &[1, 2]));
    }
    folder.convert(&["set", "-o", "new/deep/all.npz"]);
    folder.convert(&["set", "-o", "more/deep", "--to", "csv"]);
    let split = ["--split", "50%", "-o", "both/a", "--rest", "both/b", "--to", "idx"];
    assert_eq!(folder.run(&[&["convert", "set"], &split[..]].concat()).code, Some(0));
    assert_eq!(names(&folder.0.path().join("more/deep")), ["test.csv", "train.csv"]);
    assert_eq!(names(&folder.0.path().join("both")), ["a", "b"]);
    assert_eq!(
        folder.refused(&["set", "-o", "x.csv"]),
        "x.csv: csv holds one part, and this set has train and test; choose one, as in mnist/:train, or write .npz, \
         or a folder as csv with `--to`"
    );
}

/// Programs that look for one of these names may read the file with the other.
#[test]
fn outputs_are_no_two_names_of_one_file() {
    let folder = folder();
    for twin in ["t-images-idx3-ubyte.gz", "t-images.idx3-ubyte"] {
        let outputs = ["--sample", "1", "-o", "t-images-idx3-ubyte", "--rest", twin];
        let refused = folder.refused(&[&["images", "-l", "labels"], &outputs[..]].concat());
        assert_eq!(
            refused,
            format!(
                "{twin}: this name and t-images-idx3-ubyte, which is written too, are read as one file; choose another \
                 name"
            )
        );
    }
}

/// Names of IDX files may be in upper case.
#[test]
fn capitals_are_names_of_idx() {
    let folder = folder();
    folder.convert(&["images", "-l", "labels", "-o", "T-IMAGES-IDX3-UBYTE"]);
    assert_eq!(folder.read("T-LABELS-IDX1-UBYTE"), folder.read("labels"));
    folder.convert(&["T-IMAGES-IDX3-UBYTE", "-o", "t.csv"]);
    assert!(folder.read("t.csv").starts_with(b"label,"));
}

/// The next conversion would take the output for a class, or for a part of the set.
#[test]
fn an_output_in_the_folder_of_an_input_is_refused() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2, 2, 2], b"abcdefgh")),
        ("l.idx", &file(8, &[2], &[1, 0])),
    ]);
    folder.convert(&["a.idx", "-l", "l.idx", "-o", "p/"]);
    for (input, output) in
        [("p", "p/small/"), ("p/", "p/0/b.npy"), (".", "x.csv"), ("p", "p/../p/y.npz")]
    {
        let (_, message) = folder.run(&["convert", input, "-o", output, "--force"]).failure();
        assert!(message.contains("this would become a part of the input"), "{message}");
        let rest = ["convert", input, "-o", "q.csv", "--split", "50%", "--rest", output];
        let (_, message) = folder.run(&rest).failure();
        assert!(
            message.contains("this would become a part of the input") || message.contains("--rest"),
            "{message}"
        );
    }
    for output in ["p/sheet.png", "p/0/sheet.png"] {
        let (_, message) = folder.run(&["show", "p", "-o", output]).failure();
        assert!(message.contains("this would become a part of the input"), "{message}");
    }
    let (_, message) = folder.run(&["convert", "p", "-o", "p/", "--force"]).failure();
    assert_eq!(message, "p/: this is the folder of the input; name a new one outside it");
    folder.convert(&["p", "-o", "p-small/"]);
    folder.convert(&["p/0", "-o", "p.npy"]);
}

/// The letters idx3 in a name do not make pictures gray: only a file of IDX has no channels.
#[test]
fn colors_stay_unless_the_file_has_no_channels() {
    let pixels: Vec<u8> = (0..2 * 2 * 2 * 3).collect();
    let folder = Folder::new(&[("a.idx", &file(8, &[2, 2, 2, 3], &pixels))]);
    folder.convert(&["a.idx", "-o", "p/"]);
    for output in ["midx32.npy", "photos_idx30.npy", "photos_idx3.idx", "idx3.csv"] {
        folder.convert(&["p", "-o", output]);
        let shape = folder.run(&["info", "--json", output]).success();
        assert!(shape.contains("12") || shape.contains("[2,2,2,3]"), "{output}: {shape}");
        folder
            .run(&["convert", output, "--shape", "2x2x3", "-o", &format!("{output}.npz")])
            .success();
    }
    folder.convert(&["p", "-o", "q_idx3-ubyte/"]);
    folder.convert(&["q_idx3-ubyte/", "-o", "back.idx"]);
    assert_eq!(folder.read("back.idx"), file(8, &[2, 2, 2, 3], &pixels));
    folder.convert(&["p", "-o", "q-images-idx3-ubyte"]);
    assert_eq!(folder.read("q-images-idx3-ubyte")[..16], file(8, &[2, 2, 2], &[])[..]);
}
