//! The cost of untrusted files: memory and time in proportion to their bytes, up to limits that the help
//! states.

use std::fs;

use idx_tests::{file, gzip};

use crate::common::Folder;
#[cfg(unix)]
use crate::common::{Outcome, outcome};

/// Limits in seconds of processor time. On any machine, `STEPS` are enough for a few steps, and `TURNS` for 2^24 turns
/// of an unoptimized loop, but not for 2^32.
#[cfg(unix)]
const STEPS: u32 = 2;
#[cfg(unix)]
const TURNS: u32 = 30;

/// Runs the command with a limit in seconds of processor time, which other work of the machine does not use up. The
/// system kills a command that exceeds it.
#[cfg(unix)]
fn bounded(folder: &Folder, seconds: u32, arguments: &[&str], input: &[u8]) -> Outcome {
    let script = format!(r#"ulimit -t {seconds}; exec "$0" "$@""#);
    let mut shell = std::process::Command::new("sh");
    let limited = ["-c", &script, env!("CARGO_BIN_EXE_idx")];
    outcome(shell.args(limited).args(arguments).current_dir(folder.0.path()), input)
}

fn npy(header: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x02\0".to_vec();
    bytes.extend(u32::try_from(header.len()).unwrap().to_le_bytes());
    [&bytes, header.as_bytes(), payload].concat()
}

#[test]
#[cfg(unix)]
fn records_without_bytes() {
    let refused = "more than 65536 records have no elements; check the sizes";
    let many = file(8, &[u32::MAX, 0], &[]);
    let folder = Folder::new(&[("many.idx", &many), ("many.gz", &gzip(&many))]);
    // Each of these takes 2^16 turns of a loop.
    for (order, output) in [("False", "x.idx"), ("True", "x.npy")] {
        let header = format!(
            "{{'descr': '|u1', 'fortran_order': {order}, 'shape': (18446744073709551615, 0)}}"
        );
        folder.write("all.npy", &npy(&header, &[]));
        let (_, message) =
            bounded(&folder, TURNS, &["convert", "all.npy", "-o", output], &[]).failure();
        assert_eq!(message, format!("all.npy: {refused}"));
    }
    for (name, output) in [("many.idx", "x.idx"), ("many.gz", "-")] {
        let (_, message) = bounded(&folder, TURNS, &["convert", name, "-o", output], &[]).failure();
        assert_eq!(message, format!("{name}: {refused}"));
        let some = ["convert", name, "--records", "1..3,7,-2..", "-o", "y.idx", "--force"];
        bounded(&folder, STEPS, &some, &[]).success();
        assert_eq!(folder.read("y.idx"), file(8, &[5, 0], &[]));
    }
    folder.write("long.idx", &[&many[..], b"extra"].concat());
    let (_, message) =
        bounded(&folder, TURNS, &["convert", "long.idx", "-o", "z.idx"], &[]).failure();
    assert!(message.contains("no elements"), "{message}");
    assert_eq!(folder.names(), ["all.npy", "long.idx", "many.gz", "many.idx", "y.idx"]);
    bounded(&folder, STEPS, &["show", "-", "--records", "-2.."], &many).success();
}

#[test]
fn long_lines_of_csv() {
    let folder = Folder::new(&[]);
    let ones = ["1,".repeat(999), "1\n".to_string()].concat();
    for (csv, limit) in
        [(ones.as_str(), "4K"), (&",".repeat(5000), "4K"), (&"x".repeat(5000), "4K")]
    {
        folder.write("line.csv", csv.as_bytes());
        let message = folder.refused(&["line.csv", "-o", "x.idx", "--record-limit", limit]);
        let column = size_of::<usize>();
        let expected = format!(
            "line.csv: line 1 takes more memory than the limit of 4096 bytes (each column counts as {column}); if you trust \
             the file, raise the limit with `--record-limit`"
        );
        assert_eq!(message, expected);
    }
    folder.write("line.csv", ones.as_bytes());
    folder.convert(&["line.csv", "-o", "x.idx"]);
    assert_eq!(folder.read("x.idx"), file(8, &[1, 1000], &[1; 1000]));
    // The message quotes only the start of a field that is not a number.
    folder.write("field.csv", format!("9\n{}\n", "x".repeat(100_000)).as_bytes());
    let message = folder.refused(&["field.csv", "-o", "y.idx"]);
    let start = "x".repeat(40);
    assert!(
        message.contains(&format!("({start}.. in record 1)")) && message.len() < 300,
        "{message}"
    );
}

#[test]
#[cfg(unix)]
fn headers_of_npy() {
    let folder = Folder::new(&[]);
    let ones = |count: usize| {
        format!("{{'descr': '|u1', 'fortran_order': True, 'shape': (2,{})}}", "1,".repeat(count))
    };
    folder.write("deep.npy", &npy(&ones(20_000), &[1, 2]));
    let message = bounded(&folder, STEPS, &["convert", "deep.npy", "-o", "x.npy"], &[]).failure().1;
    assert_eq!(
        message,
        "deep.npy: the array has 20001 dimensions, and the maximum is 255; reshape it in NumPy"
    );
    folder.write("wide.npy", &npy(&ones(1_000_000), &[1, 2]));
    let message = bounded(&folder, STEPS, &["convert", "wide.npy", "-o", "x.npy"], &[]).failure().1;
    assert!(message.contains("and more than 1 MiB is not read"), "{message}");
    folder.write("ok.npy", &npy(&ones(254), &[1, 2]));
    bounded(&folder, STEPS, &["convert", "ok.npy", "-o", "x.idx"], &[]).success();
}

#[test]
fn large_records() {
    let record = file(8, &[1, 100, 100], &[0; 10_000]);
    let folder = Folder::new(&[("a.gz", &gzip(&record)), ("a.idx", &record)]);
    for arguments in [
        &["show", "a.gz", "--record-limit", "9999"][..],
        &["show", "a.gz", "--record-limit", "9K", "-o", "x.png"],
        &["convert", "a.gz", "--record-limit", "1K", "-o", "x.npy"],
        &["convert", "a.idx", "--record-limit", "1K", "-o", "x.npy"],
        &["convert", "a.idx", "--record-limit", "79999", "--as", "f64", "-o", "x.npy"],
        &["stats", "a.idx", "--record-limit", "39999", "--scale", "0..1"],
        &["show", "a.gz", "--record-limit", "19999", "--as", "i16", "-o", "x.png"],
    ] {
        let (_, message) = folder.run(arguments).failure();
        assert!(
            message.contains(": a record has ")
                && message.contains("0000 bytes, more than the limit of "),
            "{message}"
        );
        assert!(message.contains("`--record-limit`"), "{message}");
    }
    folder.run(&["show", "a.gz", "--record-limit", "10000"]).success();
    folder.convert(&["a.idx", "--record-limit", "80000", "--as", "f64", "-o", "x.npy"]);
    for wrong in ["x", "", "1T", "99999999999G", "-1"] {
        let outcome = folder.run(&["show", "a.gz", &format!("--record-limit={wrong}")]);
        assert_eq!(outcome.code, Some(2), "{wrong}");
    }
    let help = folder.run(&["convert", "--help"]).success();
    assert!(help.contains("[default: 64M]"), "{help}");
}

#[test]
fn what_is_shown_is_bounded() {
    let folder = Folder::new(&[
        ("flat", &file(8, &[2, 784], &[7; 2 * 784])),
        ("tall", &file(8, &[1, 4000, 20], &[200; 80_000])),
        ("wide", &file(8, &[1, 10, 4000], &[200; 40_000])),
        ("small", &file(8, &[1, 16, 60], &[200; 960])),
        ("masks", &file(8, &[1, 2, 2], &[0, 1, 1, 0])),
        ("blank", &file(8, &[1, 2, 2], &[0; 4])),
    ]);
    let flat = folder.run(&["show", "flat"]).success();
    assert_eq!(flat.lines().count(), 2);
    assert!(flat.lines().all(|line| line.ends_with(" 7 ... and 684 more")), "{flat}");
    for name in ["tall", "wide", "small"] {
        let output = folder.run(&["show", name]).success();
        assert!(output.lines().count() < 110, "{name}");
        assert!(output.lines().all(|line| line.len() <= 80), "{name}: {output}");
    }
    assert_eq!(folder.run(&["show", "masks"]).success(), "0\n  @@\n@@\n");
    assert_eq!(folder.run(&["show", "blank"]).success(), "0\n\n\n");
    folder.run(&["show", "tall", "-o", "tall.png"]).success();
}

#[test]
#[cfg(unix)]
fn more_inputs_than_files_may_be_open() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.0.path().join("in")).unwrap();
    for number in 0..100 {
        folder.write(&format!("in/{number:03}.idx"), &file(8, &[1], &[number]));
        folder.write(
            &format!("in/{number:03}.npy"),
            &npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}", &[number]),
        );
        folder.write(&format!("in/{number:03}.csv"), format!("value\n{number}\n").as_bytes());
    }
    let idx = env!("CARGO_BIN_EXE_idx");
    let script = format!("ulimit -n 40; exec '{idx}' convert in/* --records 1.. -o all.idx");
    let mut shell = std::process::Command::new("sh");
    outcome(shell.args(["-c", &script]).current_dir(folder.0.path()), &[]).success();
    let expected: Vec<u8> = (0..100).flat_map(|number| [number; 3]).skip(1).collect();
    assert_eq!(folder.read("all.idx"), file(8, &[299], &expected));
}

#[test]
#[cfg(target_os = "linux")]
fn devices_that_a_folder_names() {
    let folder = Folder::new(&[("a.idx", &file(8, &[3], b"abc"))]);
    std::os::unix::fs::symlink("/dev/zero", folder.0.path().join("Cargo.toml")).unwrap();
    bounded(&folder, STEPS, &["rust", "a.idx"], &[]).success();
}
