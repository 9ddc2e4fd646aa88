//! Outputs that appear together: at every moment the old ones, the new ones, or no records are there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use idx_std::__private::{Staged, commit};
use idx_std::AtomicFolder;
use idx_std::{AtomicFile, Error, ErrorKind};
use idx_tests::names;

/// A file that is complete, but not under its name yet.
fn staged(path: &Path, content: &str, create_new: bool) -> Staged {
    stage(path, content, create_new).unwrap()
}

fn stage(path: &Path, content: &str, create_new: bool) -> Result<Staged, Error> {
    let mut file = AtomicFile::start(path, create_new)?;
    file.write_all(content.as_bytes()).unwrap();
    file.stage()
}

fn is_of(kind: io::ErrorKind, error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(error) if error.kind() == kind)
}

#[test]
fn nothing_at_all() {
    commit([], []).unwrap();
}

#[test]
fn two_outputs_do_not_have_one_place() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("inner")).unwrap();
    let mut names_of_one = vec!["one", "inner/../one", "One"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("one", at("link")).unwrap();
        std::os::unix::fs::symlink("../inner/../link", at("inner/link to the link")).unwrap();
        names_of_one.extend(["link", "inner/link to the link"]);
    }
    let before = names(folder.path());
    for name in names_of_one {
        let records = staged(&at("one"), "records", false);
        let error = commit([records], [staged(&at(name), "labels", false)]).unwrap_err();
        assert_eq!(error.kind().code(), "same_output", "{error}");
        assert_eq!(error.path(), Some(&*at(name)));
        assert_eq!(names(folder.path()), before);
    }
}

/// Any of the files may have appeared, whatever the others may replace.
#[test]
fn what_appeared_meanwhile_stays() {
    for taken in ["images", "labels", "classes"] {
        for force in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            if force {
                fs::write(at("other"), "old").unwrap();
            }
            let new = |name: &str| staged(&at(name), "new", true);
            let other = staged(&at("other"), "new", false);
            let (images, beside) = (new("images"), [new("labels"), new("classes")]);
            fs::write(at(taken), "of somebody else").unwrap();
            let before = names(folder.path());
            let error = commit([images, other], beside).unwrap_err();
            assert!(is_of(io::ErrorKind::AlreadyExists, &error), "{error}");
            assert_eq!(error.path(), Some(&*at(taken)));
            assert_eq!(fs::read(at(taken)).unwrap(), b"of somebody else");
            assert_eq!(names(folder.path()), before);
            assert_eq!(fs::read(at("other")).is_ok(), force);
        }
    }
}

/// A folder in the place of a file, which nothing may remove.
#[test]
fn a_folder_that_appeared_meanwhile_stays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("images"), "old").unwrap();
    let (images, labels) =
        (staged(&at("images"), "new", false), staged(&at("labels"), "new", false));
    fs::create_dir(at("labels")).unwrap();
    let error = commit([images], [labels]).unwrap_err();
    assert_eq!(error.path(), Some(&*at("labels")));
    assert_eq!(fs::read(at("images")).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["images", "labels"]);
}

#[test]
fn a_folder_is_new_or_empty() {
    let parent = tempfile::tempdir().unwrap();
    let at = |name: &str| parent.path().join(name);
    let write = |name: &str| {
        let letters = AtomicFolder::create(at(name))?;
        fs::write(letters.join("a"), "alpha").unwrap();
        letters.finish()
    };
    fs::create_dir(at("empty")).unwrap();
    for name in ["new", "empty"] {
        write(name).unwrap();
        assert_eq!(names(&at(name)), ["a"]);
        let error = write(name).unwrap_err();
        assert_eq!(error.kind().code(), "folder_in_use", "{error}");
        assert!(error.to_string().ends_with("; name a new folder in it"), "{error}");
    }
    fs::write(at("file"), "").unwrap();
    assert!(is_of(io::ErrorKind::NotADirectory, &write("file").unwrap_err()));

    // The empty folder gets a file before the new folder replaces it.
    fs::create_dir(at("later")).unwrap();
    let letters = AtomicFolder::create(at("later")).unwrap();
    fs::write(letters.join("a"), "alpha").unwrap();
    fs::write(at("later/mine"), "precious").unwrap();
    letters.finish().unwrap_err();
    assert_eq!(names(&at("later")), ["mine"]);
    assert_eq!(names(parent.path()), ["empty", "file", "later", "new"]);
}

/// The folder already has its name when the name of the file in it turns out to be taken.
#[test]
fn an_empty_folder_is_put_back_after_an_error() {
    let parent = tempfile::tempdir().unwrap();
    let place = parent.path().join("letters");
    fs::create_dir(&place).unwrap();
    let letters = AtomicFolder::create(&place).unwrap();
    fs::write(letters.join("a"), "alpha").unwrap();
    let file = staged(&place.join("a"), "another", true);
    let error = commit([file, letters.stage().unwrap()], []).unwrap_err();
    assert!(is_of(io::ErrorKind::AlreadyExists, &error), "{error}");
    assert_eq!(names(parent.path()), ["letters"]);
    assert!(names(&place).is_empty());
}

/// A file in the place of a folder, which is found before old records are moved.
#[test]
fn a_file_that_appeared_in_the_place_of_a_folder_stays() {
    let parent = tempfile::tempdir().unwrap();
    let at = |name: &str| parent.path().join(name);
    fs::write(at("images"), "old").unwrap();
    let letters = AtomicFolder::create(at("letters")).unwrap();
    let images = staged(&at("images"), "new", false);
    fs::write(at("letters"), "of somebody else").unwrap();
    let error = commit([images], [letters.stage().unwrap()]).unwrap_err();
    assert!(is_of(io::ErrorKind::AlreadyExists, &error), "{error}");
    assert_eq!(error.path(), Some(&*at("letters")));
    assert_eq!(fs::read(at("images")).unwrap(), b"old");
    assert_eq!(fs::read(at("letters")).unwrap(), b"of somebody else");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;
    use std::thread;
    use std::time::{Duration, Instant};

    use idx_tests::{named_pipe, skip};

    use super::*;

    /// Programs that read the old records meanwhile must not find them gone.
    #[test]
    fn no_old_file_moves_if_a_name_is_taken() {
        for is_folder_taken in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::write(at("images"), "old").unwrap();
            fs::create_dir(at("labels")).unwrap();
            let images = staged(&at("images"), "new", false);
            let labels = staged(&at("labels/labels"), "new", true);
            let expected = if is_folder_taken {
                fs::remove_dir(at("labels")).unwrap();
                fs::write(at("labels"), "of somebody else").unwrap();
                io::ErrorKind::NotADirectory
            } else {
                fs::write(at("labels/labels"), "of somebody else").unwrap();
                io::ErrorKind::AlreadyExists
            };
            let moved = || {
                let images = fs::metadata(at("images")).unwrap();
                (images.ctime(), images.ctime_nsec())
            };
            let before = moved();
            // Longer than a tick of the clock for files.
            thread::sleep(Duration::from_millis(50));
            let error = commit([images], [labels]).unwrap_err();
            assert!(is_of(expected, &error), "{error}");
            assert_eq!(moved(), before);
        }
    }

    #[test]
    fn an_empty_folder_that_appeared_meanwhile_is_replaced() {
        let parent = tempfile::tempdir().unwrap();
        let place = parent.path().join("letters");
        let letters = AtomicFolder::create(&place).unwrap();
        fs::write(letters.join("a"), "alpha").unwrap();
        let list = staged(&parent.path().join("list"), "new", false);
        fs::create_dir(&place).unwrap();
        commit([letters.stage().unwrap()], [list]).unwrap();
        assert_eq!(names(&place), ["a"]);
        assert_eq!(names(parent.path()), ["letters", "list"]);
    }

    #[test]
    fn a_folder_has_the_mode_of_the_old_one_or_the_usual_one() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
        fs::create_dir(at("by the system")).unwrap();
        fs::create_dir(at("old")).unwrap();
        fs::set_permissions(at("old"), fs::Permissions::from_mode(0o2711)).unwrap();
        symlink("behind the link", at("link")).unwrap();
        for name in ["new", "old", "link", "link/"] {
            AtomicFolder::create(at(name)).unwrap().finish().unwrap();
        }
        assert_eq!(mode("new"), mode("by the system"));
        assert_eq!(mode("old"), 0o2711);
        assert!(at("link").is_symlink());
        assert_eq!(mode("behind the link"), mode("by the system"));
    }

    /// Covers the current folder of this process, those of the processes that started it, and a mount point.
    #[test]
    fn a_folder_that_cannot_be_replaced_is_refused_at_the_start() {
        let error = AtomicFolder::create(".").unwrap_err();
        assert_eq!(error.kind().code(), "folder_in_use", "{error}");

        let parent = tempfile::tempdir().unwrap();
        let disk = parent.path().join("disk");
        fs::create_dir(&disk).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "none"]).arg(&disk).output().unwrap();
        if !mounted.status.success() {
            skip(
                "a_folder_that_cannot_be_replaced_is_refused_at_the_start: no disk can be mounted here",
            );
            return;
        }
        let refused = AtomicFolder::create(&disk);
        assert!(Command::new("umount").arg(&disk).status().unwrap().success());
        let error = refused.unwrap_err();
        assert_eq!(error.kind().code(), "folder_in_use", "{error}");
        assert_eq!(names(parent.path()), ["disk"], "no litter");
    }

    /// Streams get all their bytes before a name appears.
    #[test]
    fn labels_of_records_that_nobody_reads_do_not_appear() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        named_pipe(&at("pipe"));
        for is_read in [false, true] {
            let (records, labels) = thread::scope(|scope| {
                let pipe = at("pipe");
                let reader = scope.spawn(move || {
                    let pipe = File::open(pipe).unwrap();
                    if is_read { io::read_to_string(pipe).unwrap().len() } else { 0 }
                });
                let records = staged(&at("pipe"), &"x".repeat(1 << 20), false);
                // A reader that does not read closes the pipe first.
                let reader = if is_read { Some(reader) } else { reader.join().ok().and(None) };
                let committed = commit([records], [staged(&at("labels"), "new", true)]);
                (committed, reader.map(|reader| reader.join().unwrap()))
            });
            assert_eq!(records.is_ok(), is_read);
            assert_eq!(labels, is_read.then_some(1 << 20));
            assert_eq!(at("labels").exists(), is_read);
        }
        assert!(!fs::metadata(at("pipe")).unwrap().is_file(), "still a pipe");
    }

    /// A command waits until another one has given its names. A single output appears in one step, and does not wait.
    #[test]
    fn a_command_waits_for_another_one() {
        use nix::fcntl::{Flock, FlockArg};

        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        let outputs = || (staged(&at("a"), "new", false), staged(&at("b"), "new", false));
        let folder = File::open(parent.path()).unwrap();
        let lock = Flock::lock(folder, FlockArg::LockExclusive).unwrap();
        let (a, b) = outputs();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| commit([a], [b]));
            thread::sleep(Duration::from_millis(200));
            let start = Instant::now();
            staged(&at("one"), "new", false).commit().unwrap();
            assert_eq!(names(parent.path()), ["one"]);
            drop(lock);
            waiting.join().unwrap().unwrap();
            assert!(start.elapsed() < Duration::from_secs(5));
        });
        assert_eq!(names(parent.path()), ["a", "b", "one"]);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::path::PathBuf;
    use std::process::Command;

    use idx_tests::{has_strace, strace};

    use super::*;

    /// The folder, in a process that a test starts to write there.
    const ROLE: &str = "IDX_TEST_TOGETHER";

    /// The outputs in the order of a command that splits a set: the chosen records and the rest, and their labels.
    const OUTPUTS: [&str; 4] = ["p/images", "q/rest", "q/labels", "p/rest-labels"];

    /// Returns a process that runs only this test, which then acts as the tested command.
    fn process(test: &str, folder: &Path, command: Option<Command>) -> Command {
        let test_program = std::env::current_exe().unwrap();
        let mut command = match command {
            Some(mut command) => {
                command.arg(test_program);
                command
            }
            None => Command::new(test_program),
        };
        let test = format!("together::linux::{test}");
        command.args(["--exact", "--nocapture", &test]).env(ROLE, folder);
        command
    }

    fn role() -> Option<PathBuf> {
        std::env::var_os(ROLE).map(PathBuf::from)
    }

    /// Creates two folders, with old outputs or none.
    fn prepared(are_there: bool) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["p", "q"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in OUTPUTS.iter().filter(|_| are_there) {
            fs::write(folder.path().join(name), "old").unwrap();
        }
        folder
    }

    fn commit_four(folder: &Path) -> Result<(), Error> {
        let stage = |name| stage(&folder.join(name), "new", false);
        let [images, rest, labels, rest_labels] = OUTPUTS.map(stage);
        commit([images?, rest?], [labels?, rest_labels?])
    }

    /// Acts as the tested command, in its own process, and prints its error.
    fn be_the_command(folder: &Path) {
        if let Err(error) = commit_four(folder) {
            println!("error: {error}");
        }
    }

    /// Returns the contents of the four files.
    fn contents(folder: &Path) -> [Option<String>; 4] {
        OUTPUTS.map(|name| fs::read_to_string(folder.join(name)).ok())
    }

    /// The hidden names, and what is under them.
    fn hidden(folder: &Path) -> Vec<(String, String)> {
        let in_folders = ["p", "q"].map(|inner| {
            let found = names(&folder.join(inner)).into_iter();
            let found = found.filter(|name| name.starts_with('.'));
            found.map(move |name| format!("{inner}/{name}")).collect::<Vec<_>>()
        });
        let content =
            |name: String| (name.clone(), fs::read_to_string(folder.join(&name)).unwrap());
        in_folders.concat().into_iter().map(content).collect()
    }

    fn all(content: &str) -> [Option<String>; 4] {
        [(); 4].map(|()| Some(content.to_string()))
    }

    const CALLS: [&str; 5] = ["renameat2", "linkat", "unlink", "fsync", "flock"];

    /// Checks the order of syncs and names: bytes before names, names before those that need them.
    #[test]
    fn the_calls_of_a_commit() {
        const TEST: &str = "the_calls_of_a_commit";
        if let Some(folder) = role() {
            return be_the_command(&folder);
        }
        if !has_strace(TEST) {
            return;
        }
        let bytes = ["fsync file"; 4];
        let aside = |name: &str| format!("renameat2 {name}");
        let new = |name: &str| format!("linkat {name}");
        let old = |name: &str| format!("unlink {name}");
        let [images, rest, labels, rest_labels] = OUTPUTS;
        for are_there in [false, true] {
            let folder = prepared(are_there);
            let report = folder.path().join("calls");
            let mut command = Command::new("strace");
            command.args(["-f", "-qq", "-y", "-o"]).arg(&report);
            command.args(["-e", &format!("trace={}", CALLS.join(","))]);
            assert!(process(TEST, folder.path(), Some(command)).status().unwrap().success());
            assert_eq!(contents(folder.path()), all("new"));

            let report = fs::read_to_string(&report).unwrap();
            // The name of the call, and the file or folder that it is about.
            let call = |line: &str| {
                let (call, arguments) = line.split_once(' ').unwrap().1.trim().split_once('(')?;
                let is_about = |name: &&str| match call {
                    "fsync" | "flock" => arguments.contains(&format!("/{name}>")),
                    _ => {
                        let (folder, file) = name.split_once('/').unwrap_or(("", "-"));
                        let (folder, hidden) = (format!("/{folder}/"), format!("/.{file}."));
                        arguments.contains(&folder)
                            && [format!("/{file}\""), hidden].iter().any(|x| arguments.contains(x))
                    }
                };
                let about = OUTPUTS.into_iter().chain(["p", "q"]).find(is_about);
                Some(format!("{call} {}", about.unwrap_or("file")))
            };
            let calls: Vec<String> = report.lines().filter_map(call).collect();
            let syncs = |calls: &mut Vec<String>| {
                calls.extend(["fsync p", "fsync q"].map(String::from));
            };
            let mut expected: Vec<String> = bytes.map(String::from).into();
            expected.extend(["flock p", "flock q"].map(String::from));
            if are_there {
                expected.extend([images, rest].map(aside));
                syncs(&mut expected);
                expected.extend([labels, rest_labels].map(aside));
                syncs(&mut expected);
            }
            expected.extend([rest_labels, labels].map(new));
            syncs(&mut expected);
            expected.extend([rest, images].map(new));
            syncs(&mut expected);
            if are_there {
                expected.extend([images, rest, labels, rest_labels].map(old));
            }
            // The order of the folders depends on their inode numbers.
            let sorted = |mut calls: Vec<String>| {
                for pair in calls.chunk_by_mut(|one, other| {
                    let is_of_folder = |call: &str| call.ends_with(" p") || call.ends_with(" q");
                    is_of_folder(one) && is_of_folder(other) && one[..4] == other[..4]
                }) {
                    pair.sort();
                }
                calls
            };
            assert_eq!(sorted(calls), sorted(expected));
        }
    }

    #[test]
    fn a_kill_at_every_call() {
        const TEST: &str = "a_kill_at_every_call";
        if let Some(folder) = role() {
            return be_the_command(&folder);
        }
        if !has_strace(TEST) {
            return;
        }
        let mut states = BTreeSet::new();
        for are_there in [false, true] {
            let old = if are_there { all("old") } else { [const { None }; 4] };
            for call in CALLS {
                for when in 1.. {
                    let folder = prepared(are_there);
                    let mut command = strace();
                    command.args(["-e", &format!("trace={call}")]);
                    command.args(["-e", &format!("inject={call}:signal=KILL:when={when}")]);
                    let output = process(TEST, folder.path(), Some(command)).output().unwrap();
                    let found = contents(folder.path());
                    let hidden = hidden(folder.path());
                    let context = format!("{call} {when}: {found:?}, {hidden:?}");
                    if output.status.success() {
                        assert_eq!(found, all("new"), "{context}");
                        assert!(hidden.is_empty(), "{context}");
                        break;
                    }
                    // At most one hidden file for each output, the old one.
                    let mut outputs: Vec<&str> = hidden
                        .iter()
                        .map(|(name, content)| {
                            assert_eq!(content, "old", "{context}");
                            name.rsplit_once('.').unwrap().0.rsplit_once('.').unwrap().0
                        })
                        .collect();
                    outputs.dedup();
                    assert_eq!(outputs.len(), hidden.len(), "{context}");
                    // Nothing old is lost before all new ones are there.
                    if found != all("new") && are_there {
                        let olds = found.iter().flatten().filter(|content| *content == "old");
                        assert_eq!(olds.count() + hidden.len(), 4, "{context}");
                    }
                    let [images, rest, labels, rest_labels] = &found;
                    match images.as_deref() {
                        None if !are_there && found == old => {}
                        None => {
                            // Without the chosen records, the rest is whole or lacks its records, too.
                            assert!(rest.is_none() || rest == rest_labels, "{context}");
                            assert!(
                                rest.as_deref() != Some("new") || labels.as_deref() == Some("new")
                            );
                        }
                        Some("old") => assert_eq!(found, old, "{context}"),
                        Some(_) => assert_eq!(found, all("new"), "{context}"),
                    }
                    states.insert((are_there, found));
                }
            }
        }
        // Before, without records, with only the rest, after; and, with old ones, the states in between.
        assert!(states.len() >= 10, "{states:?}");
    }

    /// After an error, everything is as it was, or complete.
    #[test]
    fn an_error_at_every_call() {
        const TEST: &str = "an_error_at_every_call";
        if let Some(folder) = role() {
            return be_the_command(&folder);
        }
        if !has_strace(TEST) {
            return;
        }
        let mut errors = 0;
        for are_there in [false, true] {
            for call in ["renameat2", "linkat", "fsync", "unlink"] {
                for when in 1.. {
                    let folder = prepared(are_there);
                    let mut command = strace();
                    command.args(["-e", &format!("trace={call}")]);
                    command.args(["-e", &format!("inject={call}:error=EIO:when={when}")]);
                    let output = process(TEST, folder.path(), Some(command)).output().unwrap();
                    assert!(output.status.success());
                    let printed = String::from_utf8(output.stdout).unwrap();
                    let found = contents(folder.path());
                    let hidden = hidden(folder.path());
                    let context = format!("{call} {when}: {found:?}, {hidden:?}: {printed}");
                    if !printed.contains("error: ") {
                        assert_eq!(found, all("new"), "{context}");
                        assert!(hidden.is_empty(), "{context}");
                        break;
                    }
                    errors += 1;
                    assert!(printed.contains("os error 5"), "{context}");
                    if call == "unlink" && are_there {
                        // Everything is done, except that an old file was not removed.
                        assert_eq!(found, all("new"), "{context}");
                        let [(name, content)] = &hidden[..] else { panic!("{context}") };
                        assert_eq!(content, "old");
                        assert!(printed.contains("the new files are complete"), "{context}");
                        assert!(printed.contains(name), "{context}");
                    } else {
                        let old = if are_there { all("old") } else { [const { None }; 4] };
                        assert_eq!(found, old, "{context}");
                        assert!(hidden.is_empty(), "{context}");
                    }
                }
            }
        }
        // Names and syncs of new files; with old files twice as many, and the removal of the old ones.
        assert_eq!(errors, (4 + 4 + 4) + (8 + 4 + 8 + 4));
    }

    /// The second error comes while the first one is undone: all that is old is kept, and every path is named.
    #[test]
    fn what_cannot_be_undone_is_kept() {
        const TEST: &str = "what_cannot_be_undone_is_kept";
        if let Some(folder) = role() {
            return be_the_command(&folder);
        }
        if !has_strace(TEST) {
            return;
        }
        for (second, old_labels) in [
            ("renameat2:error=EIO:when=5", true),
            ("renameat2:error=EIO:when=7", true),
            ("unlink:error=EIO", true),
            ("unlink:error=EIO:when=1", true),
            ("unlink:error=EIO", false),
        ] {
            let folder = prepared(true);
            for labels in OUTPUTS[2..].iter().filter(|_| !old_labels) {
                fs::remove_file(folder.path().join(labels)).unwrap();
            }
            let mut command = strace();
            command.args(["-e", "trace=renameat2,linkat,unlink"]);
            // The last name fails; without old labels, the one before it, so that no new records are where old ones
            // were.
            let first = if old_labels { 4 } else { 3 };
            command.args(["-e", &format!("inject=linkat:error=ENOSPC:when={first}")]);
            command.args(["-e", &format!("inject={second}")]);
            let output = process(TEST, folder.path(), Some(command)).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            let (found, hidden) = (contents(folder.path()), hidden(folder.path()));
            let context = format!("{second}: {found:?}, {hidden:?}: {printed}");
            assert!(
                printed.contains("os error 28") && printed.contains("could not be undone"),
                "{context}"
            );
            let is_old = |content: &&String| *content == "old";
            assert_eq!(
                found.iter().flatten().filter(is_old).count() + hidden.len(),
                if old_labels { 4 } else { 2 },
                "{context}"
            );
            // New records keep their labels, and old ones get none.
            let is_new = |content: &Option<String>| content.as_deref() == Some("new");
            let [records, labels] = [&found[..2], &found[2..]];
            assert!(!records.iter().any(is_new) || labels.iter().all(is_new), "{context}");
            let are_mixed = records.iter().flatten().any(|content| content == "old");
            assert!(!are_mixed || !labels.iter().any(is_new), "{context}");
            assert!(!hidden.is_empty() && found[0].is_none(), "{context}");
            for (name, content) in &hidden {
                assert_eq!(content, "old");
                assert!(printed.contains(&format!("{name}\"")), "{context}");
            }
            for (name, content) in OUTPUTS.iter().zip(&found) {
                let is_new = content.as_deref() == Some("new");
                assert_eq!(printed.contains(&format!("/{name}\"")), is_new, "{context}");
            }
        }
    }

    /// Runs without unnamed files, hard links, renames that replace nothing, and locks, as on a FAT disk.
    #[test]
    fn a_file_system_that_can_do_little() {
        const TEST: &str = "a_file_system_that_can_do_little";
        if let Some(folder) = role() {
            return be_the_command(&folder);
        }
        if !has_strace(TEST) {
            return;
        }
        for are_there in [false, true] {
            let folder = prepared(are_there);
            let mut command = strace();
            for name in OUTPUTS.into_iter().chain(["p", "q"]) {
                command.arg("-P").arg(folder.path().join(name));
            }
            command.args(["-e", "trace=?open,openat,renameat2,linkat,flock"]);
            command.args(["-e", "inject=?open,openat:error=EOPNOTSUPP"]);
            command.args(["-e", "inject=renameat2:error=EINVAL"]);
            command.args(["-e", "inject=linkat:error=EPERM"]);
            command.args(["-e", "inject=flock:error=ENOLCK"]);
            let output = process(TEST, folder.path(), Some(command)).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(!printed.contains("error"), "{printed}");
            assert_eq!(contents(folder.path()), all("new"));
            assert_eq!(hidden(folder.path()), []);
        }
    }

    /// A file that appeared meanwhile stays there, too.
    #[test]
    fn a_file_system_that_can_do_little_replaces_nothing() {
        const TEST: &str = "a_file_system_that_can_do_little_replaces_nothing";
        if let Some(folder) = role() {
            let [name, other] = ["p/images", "q/labels"].map(|name| folder.join(name));
            let new = staged(&name, "new", true);
            fs::rename(other, name).unwrap();
            let error = new.commit().unwrap_err();
            assert!(is_of(io::ErrorKind::AlreadyExists, &error), "{error}");
            return;
        }
        if !has_strace(TEST) {
            return;
        }
        let folder = prepared(true);
        fs::remove_file(folder.path().join("p/images")).unwrap();
        let mut command = strace();
        for name in ["p", "p/images"] {
            command.arg("-P").arg(folder.path().join(name));
        }
        command.args(["-e", "inject=?open,openat:error=EOPNOTSUPP"]);
        command.args(["-e", "inject=renameat2:error=EINVAL", "-e", "inject=linkat:error=EPERM"]);
        assert!(process(TEST, folder.path(), Some(command)).status().unwrap().success());
        assert_eq!(contents(folder.path())[0].as_deref(), Some("old"));
        assert_eq!(hidden(folder.path()), []);
    }

    #[test]
    fn two_commands_with_the_same_outputs_in_reverse() {
        const TEST: &str = "two_commands_with_the_same_outputs_in_reverse";
        const ROUNDS: usize = 100;
        let names = ["p/images", "q/rest"];
        if let Some(folder) = role() {
            let is_reverse = std::env::var_os("IDX_TEST_REVERSE").is_some();
            for _ in 0..ROUNDS {
                let content = std::process::id().to_string();
                let [one, other] = names.map(|name| staged(&folder.join(name), &content, false));
                let (one, other) = if is_reverse { (other, one) } else { (one, other) };
                commit([one], [other]).unwrap();
            }
            return;
        }
        let folder = prepared(false);
        let mut first = process(TEST, folder.path(), None).spawn().unwrap();
        let mut second = process(TEST, folder.path(), None);
        let mut second = second.env("IDX_TEST_REVERSE", "1").spawn().unwrap();
        assert!(first.wait().unwrap().success() && second.wait().unwrap().success());
        let [one, other] = names.map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
        assert_eq!(one, other);
        assert_eq!(hidden(folder.path()), []);
    }

    #[test]
    fn no_descriptor_is_left() {
        const TEST: &str = "no_descriptor_is_left";
        if let Some(folder) = role() {
            let outputs = OUTPUTS.map(|name| staged(&folder.join(name), "new", false));
            let letters = AtomicFolder::create(folder.join("letters")).unwrap();
            fs::create_dir(letters.join("a")).unwrap();
            fs::write(letters.join("a/alpha"), "alpha").unwrap();
            let opened = std::iter::from_fn(|| File::open("/dev/null").ok());
            let all: Vec<File> = opened.collect();
            let created = AtomicFolder::create(folder.join("digits")).map(drop);
            let committed = commit(outputs, []);
            for error in [created.unwrap_err(), committed.unwrap_err()] {
                assert!(error.to_string().contains("Too many open files"), "{error}");
            }
            drop(letters);
            drop(all);
            return;
        }
        for are_there in [false, true] {
            let folder = prepared(are_there);
            let mut shell = Command::new("sh");
            shell.args(["-c", "ulimit -n 64 && exec \"$@\"", "sh"]);
            assert!(process(TEST, folder.path(), Some(shell)).status().unwrap().success());
            let old = if are_there { all("old") } else { [const { None }; 4] };
            assert_eq!(contents(folder.path()), old);
            assert_eq!(hidden(folder.path()), []);
            assert_eq!(names(folder.path()), ["p", "q"]);
        }
    }
}
