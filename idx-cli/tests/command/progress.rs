//! The progress bar.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use idx_tests::{named_pipe, skip};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::common::Folder;
use crate::every_command::{INPUT, OUTPUT, WRITING, WRITING_A_FOLDER, command, images};

/// A terminal: the user's end, and the program's end.
pub(crate) fn terminal() -> (File, OwnedFd) {
    let seen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&seen).unwrap();
    unlockpt(&seen).unwrap();
    let name = ptsname(&seen, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let end = rustix::fs::open(name, flags, Mode::empty()).unwrap();
    (seen.into(), end)
}

/// Returns all that a program wrote before it ended; reading on after that is an error on some systems.
pub(crate) fn seen(mut terminal: File) -> String {
    let mut bytes = Vec::new();
    let _ = terminal.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
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

/// The text that a slow command prints on a terminal, or on another error stream, while its input
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
            // Once all of the first half is written, some of it was read.
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

/// The lines on the screen, without the one that tells what was written.
fn without_result(seen: &str) -> &str {
    seen.strip_suffix("OUTPUT: 192 records, u8 32 x 32\r\n").unwrap_or(seen)
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
                assert!(!seen.contains("idx:"), "{arguments:?}: {seen:?}");
            });
            scope.spawn(move || {
                let seen = with_pause(arguments, cut, LONG, true);
                let (bar, message) = seen.split_once("\x1B[1m\x1B[31midx:").unwrap();
                assert!(bar.ends_with("\r\x1B[2K"), "{arguments:?}: {seen:?}");
                assert!(message.contains(": truncated: "), "{seen:?}");
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
