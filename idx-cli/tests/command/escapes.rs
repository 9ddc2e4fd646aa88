//! No untrusted text reaches the terminal unescaped, and no name can forge a line.

#[cfg(unix)]
use std::process::Stdio;

use idx_tests::file;

use crate::common::Folder;
#[cfg(unix)]
use crate::progress::{seen, terminal};

/// The bytes that a command writes on a terminal, to both streams.
#[cfg(unix)]
fn on_a_terminal(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let (terminal, end) = terminal();
    let mut command = folder.command(arguments);
    command.env("TERM", "xterm").stdin(Stdio::null()).stdout(end.try_clone().unwrap()).stderr(end);
    let mut child = command.spawn().unwrap();
    drop(command); // and with it this program's end of the terminal
    let seen = seen(terminal);
    (child.wait().unwrap().code(), seen)
}

#[cfg(unix)]
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
        let message = "\x1B[1m\x1B[31midx:\x1B[0m standard output: will not write binary data to a terminal; use a pipe or -o FILE\r\n";
        assert_eq!(on_a_terminal(&folder, arguments), (Some(1), message.to_string()));
    }
    let csv = on_a_terminal(&folder, &["convert", "images", "--to", "csv", "-o", "-"]);
    assert_eq!(
        csv,
        (Some(0), "1x1,1x2,1x3,1x4,1x5,1x6,1x7,1x8\r\n27,93,48,59,104,105,7,27\r\n".to_string())
    );
}

/// A terminal gets no escapes but the colors of the pictures, whatever names and contents are.
#[cfg(unix)]
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
        // The escapes that choose colors are the command's own.
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
            !matches!(character, '\r' | '\n') && (character.is_control() || character == '\u{202E}')
        };
        assert!(!text.contains(is_raw), "{arguments:?}: {text:?}");
    }
}

/// A name that would color the terminal, change its title, clear it, and reverse text.
const HOSTILE: &str = "\u{1B}[31mred\u{1B}]0;title\u{7}\r\u{9B}2J\u{202E}txt";

/// Names and contents that would color the terminal, move its cursor, or reverse text.
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
            // The prefix of the names in a data set is text of strangers, too.
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
        &["convert", NAME, "-o", "cut/x\nforged.idx"],
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

#[test]
fn wrong_usage_is_escaped() {
    let folder = Folder::new(&[]);
    let outcome = folder.run(&["info", "--\x1B]0;title\x07"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.messages.starts_with("idx: unexpected argument"), "{outcome:?}");
    assert!(!outcome.messages.contains('\x1B'), "{outcome:?}");
}

/// Tags and other characters beyond 16 bits, in names of files and of classes; JSON has each as two escapes.
#[test]
fn formatting_characters_of_all_planes() {
    const STRANGE: &str = "cat\u{E0041}\u{180E}\u{1D173}\u{110CD}\u{202E}";
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2, 2, 2], b"abcdefgh")),
        ("l.idx", &file(8, &[2], &[1, 0])),
        ("names.txt", format!("{STRANGE}\ndog\n").as_bytes()),
        (STRANGE, &file(8, &[1], b"a")),
    ]);
    folder
        .run(&["convert", "a.idx", "-l", "l.idx", "--classes", "names.txt", "-o", "p/"])
        .success();
    let json = folder.run(&["info", "--json", STRANGE]).success();
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["path"], STRANGE);
    for arguments in [
        &["info", "--json", STRANGE][..],
        &["info", STRANGE, "none"],
        &["show", "p"],
        &["stats", "p"],
        &["check", "p", STRANGE],
        &["convert", "p", "-o", "x.idx"],
        &["convert", "p", "--only", STRANGE, "-o", "y.idx"],
        &["convert", "p", "--only", "\u{E0041}", "-o", "z.idx"],
        &["diff", STRANGE, "l.idx"],
    ] {
        let outcome = folder.run(arguments);
        let text = outcome.output + &outcome.messages;
        let is_raw = |character| STRANGE.contains(character) && !"cat".contains(character);
        assert!(!text.contains(is_raw), "{arguments:?}: {text:?}");
    }
}
