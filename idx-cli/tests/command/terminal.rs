//! What a terminal of 80 x 24 shows, and terminals of other sizes.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use idx_tests::file;
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::common::Folder;

/// The lines that a command leaves on a terminal of this size, without colors.
fn seen(folder: &Folder, arguments: &[&str], size: [u16; 2], dumb: bool) -> Vec<String> {
    let mut command = folder.command(arguments);
    command.env("TERM", if dumb { "dumb" } else { "xterm" }).stdin(Stdio::null());
    let (seen, end) = terminal(size);
    command.stdout(end.try_clone().unwrap()).stderr(end);
    let mut child = command.spawn().unwrap();
    drop(command); // and with it this program's end of the terminal
    let lines = lines(seen);
    assert!(child.wait().unwrap().success());
    lines
}

/// Opens both ends of a terminal of this size: the first reads what is written to the second.
fn terminal([rows, columns]: [u16; 2]) -> (OwnedFd, OwnedFd) {
    let seen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&seen).unwrap();
    unlockpt(&seen).unwrap();
    let name = ptsname(&seen, Vec::new()).unwrap();
    let end = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&end, size).unwrap();
    (seen, end)
}

/// The lines of a terminal, without colors.
fn lines(seen: OwnedFd) -> Vec<String> {
    let mut bytes = Vec::new();
    // At the end, reading is an error on some systems.
    let _ = File::from(seen).read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let mut parts = text.split('\x1B');
    let first = parts.next().unwrap_or_default().to_string();
    let rest = parts.map(|part| part.split_once('m').expect("a color").1);
    let plain = rest.fold(first, |text, part| text + part);
    plain.split("\r\n").map(str::to_string).collect()
}

/// Ten pictures of 28 x 28 with their labels next to them.
fn folder() -> Folder {
    let labels: Vec<u8> = (0..10).collect();
    Folder::new(&[
        ("t10k-images-idx3-ubyte", &file(8, &[10, 28, 28], &[0; 7840])),
        ("t10k-labels-idx1-ubyte", &file(8, &[10], &labels)),
        ("large", &file(8, &[1, 300, 300], &[7; 90_000])),
    ])
}

#[test]
fn ten_pictures_fit_a_terminal() {
    let folder = folder();
    for dumb in [false, true] {
        for arguments in
            [&[][..], &["show"], &["t10k-images-idx3-ubyte"], &["show", "t10k-images-idx3-ubyte"]]
        {
            for size in [[24, 80], [24, 120], [50, 80], [24, 200]] {
                let lines = seen(&folder, arguments, size, dumb);
                // The last line is for the prompt.
                assert!(lines.len() <= usize::from(size[0]), "{arguments:?} {size:?}: {lines:#?}");
                let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
                assert!(widest <= usize::from(size[1]), "{arguments:?} {size:?}: {lines:#?}");
                let text = lines.join("\n");
                let captions = (0..10).map(|digit| format!("{digit}: label {digit}"));
                assert!(captions.into_iter().all(|caption| text.contains(&caption)), "{text}");
            }
        }
    }
    let lines = seen(&folder, &["show", "large"], [24, 80], false);
    assert!((12..=24).contains(&lines.len()), "{lines:#?}");
}

/// Failed before: pictures that did not fit were drawn as large as a line is wide, 159 lines for twenty.
#[test]
fn pictures_that_do_not_fit_are_small() {
    let folder = folder();
    folder.write("train-images-idx3-ubyte", &file(8, &[200, 28, 28], &[0; 200 * 784]));
    folder.write("train-labels-idx1-ubyte", &file(8, &[200], &[9; 200]));
    for (columns, most) in [(80, 40), (40, 60)] {
        for records in [&["-r", "100..120"][..], &["-n", "20"], &["--only", "9", "-n", "20"]] {
            let show = [&["show", "train-images-idx3-ubyte"], records].concat();
            let lines = seen(&folder, &show, [24, columns], false);
            assert!(lines.len() <= most, "{columns}: {lines:#?}");
            let blocks = "\u{2580}".repeat(10);
            assert!(lines[1].starts_with(&format!("{blocks}  ")), "recognizable: {lines:#?}");
        }
    }
    // There is no room for the word `label`.
    folder.write("long-images-idx3-ubyte", &file(8, &[100_000, 1, 1], &[0; 100_000]));
    folder.write("long-labels-idx1-ubyte", &file(8, &[100_000], &[9; 100_000]));
    let show = ["show", "long-images-idx3-ubyte", "-r", "99999.."];
    assert_eq!(seen(&folder, &show, [24, 40], false)[0], "99999: 9");
}

/// Failed before: captions of different lengths moved the pictures of the next row.
#[test]
fn pictures_of_all_rows_stand_below_each_other() {
    let folder = folder();
    folder.write("a-images-idx3-ubyte", &file(8, &[20, 8, 8], &[255; 20 * 64]));
    folder.write("a-labels-idx1-ubyte", &file(8, &[20], &[7; 20]));
    let lines = seen(&folder, &["show", "a-images-idx3-ubyte", "-n", "20"], [24, 80], false);
    let captions: Vec<&String> = lines.iter().filter(|line| line.contains(": label 7")).collect();
    let expected = [0, 5, 10, 15].map(|first| {
        let captions =
            (first..first + 5).map(|index| format!("{:12}", format!("{index}: label 7")));
        captions.collect::<Vec<_>>().join("  ").trim_end().to_string()
    });
    assert!(captions.into_iter().eq(&expected), "{lines:#?}");
}

/// Long names are cut, and do not make pictures smaller.
#[test]
fn names_end_where_their_pictures_end() {
    let folder = folder();
    folder.write(
        "classes.txt",
        b"ant\na name that is longer than any picture\nc\nd\ne\nf\ng\nh\ni\nj\n",
    );
    let lines = seen(&folder, &["show", "t10k-images-idx3-ubyte"], [24, 80], false);
    assert!(lines[0].contains("  1: 1 a name t\u{2026}  "), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with(&"\u{2580}".repeat(14))), "{lines:#?}");
}

#[test]
fn a_conversion_tells_what_was_written() {
    let folder = folder();
    let images = "t10k-images-idx3-ubyte";
    let convert = ["convert", images, "--labels", "t10k-labels-idx1-ubyte", "--only", "0,1,2"];
    let size = [24, 80];
    let written = seen(&folder, &[&convert[..], &["-o", "three.csv"]].concat(), size, false);
    assert_eq!(written, ["three.csv: 3 records (of 10), u8 28 x 28", ""]);
    let quiet = seen(&folder, &[&convert[..], &["-q", "-o", "quiet.csv"]].concat(), size, false);
    assert_eq!(quiet, [""]);
    let split = ["--split", "50%", "-o", "a.csv", "--rest", "b.csv"];
    let split = [&["convert", "t10k-labels-idx1-ubyte"], &split[..]].concat();
    let expected = ["a.csv: 5 records (of 10), u8", "b.csv: 5 records (of 10), u8", ""];
    assert_eq!(seen(&folder, &split, size, false), expected);
    // Failed before: both lines said `set.npz`, and `of 20`.
    for name in ["images-idx3-ubyte", "labels-idx1-ubyte"] {
        let content = folder.read(&format!("t10k-{name}"));
        folder.write(&format!("set/t10k-{name}"), &content);
        folder.write(&format!("set/train-{name}"), &content);
    }
    let set = ["convert", "set/", "--only", "0,1", "-o", "set.npz"];
    let part = |name| format!("set.npz:{name}: 2 records (of 10), u8 28 x 28");
    assert_eq!(seen(&folder, &set, size, false), [part("train"), part("test"), String::new()]);
}

#[test]
fn a_conversion_tells_what_there_was() {
    let folder = folder();
    let [images, labels] = ["t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"];
    let convert =
        ["convert", images, "--labels", labels, "-r", "8..100", "-o", "x-images-idx3-ubyte"];
    let expected = [
        "x-images-idx3-ubyte: 2 records (of 10), u8 28 x 28",
        "x-labels-idx1-ubyte: 2 labels",
        "idx: x-images-idx3-ubyte: note: the range goes beyond the last record, so it has only 2 records",
        "",
    ];
    assert_eq!(seen(&folder, &convert, [24, 80], false), expected);
}

#[test]
fn a_stopped_conversion_says_that_nothing_stays() {
    let folder = folder();
    let mut command = folder.command(&["convert", "-", "-o", "x.idx"]);
    let (seen, end) = terminal([24, 80]);
    let mut child = command.stdin(Stdio::piped()).stderr(end).spawn().unwrap();
    drop(command);
    let half = file(8, &[400, 32, 32], &[7; 200 * 1024]);
    child.stdin.as_mut().unwrap().write_all(&half).unwrap();
    thread::sleep(Duration::from_millis(100));
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(lines(seen), ["idx: stopped; incomplete output is removed", ""]);
    assert!(!child.wait().unwrap().success());
    assert!(!folder.names().contains(&"x.idx".to_string()));
}

#[test]
fn what_is_right_is_said_in_one_column() {
    let folder = folder();
    let pair = ["check", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"];
    folder.convert(&["t10k-images-idx3-ubyte", "--no-labels", "-o", "a.npy"]);
    let lines = seen(&folder, &[&pair[..], &["a.npy"]].concat(), [24, 80], false);
    assert_eq!(lines[0], "t10k-images-idx3-ubyte: ok: u8, 10 x 28 x 28, not a well-known file");
    assert_eq!(lines[2], "a.npy:                  ok: 10 records of 28 x 28 u8");
    // Failed before: the padding broke the line in two.
    let lines = seen(&folder, &[&pair[..], &["a.npy"]].concat(), [24, 48], false);
    assert_eq!(lines[2], "a.npy: ok: 10 records of 28 x 28 u8");
    // Lines in a pipe are not padded.
    let output = folder.run(&[&pair[..], &["a.npy"]].concat()).success();
    assert!(output.ends_with("\na.npy: ok: 10 records of 28 x 28 u8\n"), "{output}");
}

#[test]
fn bars_follow_the_width() {
    let folder = Folder::new(&[("a.idx", &file(8, &[1000], &[0; 1000]))]);
    for columns in [30, 40, 60, 80, 200] {
        let lines = seen(&folder, &["stats", "a.idx"], [24, columns], false);
        let bar = lines.iter().find(|line| line.contains('\u{2587}')).unwrap();
        let width = bar.chars().count();
        assert!(width <= usize::from(columns) && width > 15, "{columns}: {bar}");
    }
}

#[test]
fn help_is_wrapped_between_words() {
    let folder = folder();
    for columns in [50, 80] {
        for command in ["info", "show", "stats", "check", "diff", "repair", "rust", "fetch"] {
            let lines = seen(&folder, &[command, "-h"], [24, columns], false);
            let lines = lines.iter().take_while(|line| *line != "Examples:");
            for line in lines {
                assert!(line.chars().count() <= usize::from(columns), "{command}: {line}");
            }
        }
    }
}
