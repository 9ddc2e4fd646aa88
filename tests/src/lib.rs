//! Shared parts of the tests: the path to real data, functions that make files, bad files with their
//! messages, and odd files that are valid.

mod bad_files;
mod odd_files;
mod data_sets;
#[cfg(feature = "data")]
pub mod checks;
pub mod mirror;
pub mod orders;

use std::fs::{self, DirEntry};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use idx_core::IdxRecord;

/// The examples of the README, which are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[derive(Debug)]
pub struct Readme;

/// The example of the page of idx-core.
#[cfg(doctest)]
#[doc = include_str!("../../idx-core/README.md")]
#[derive(Debug)]
pub struct CoreReadme;

/// The example of the page of idx-std.
#[cfg(doctest)]
#[doc = include_str!("../../idx-std/README.md")]
#[derive(Debug)]
pub struct StdReadme;

/// The example of the page of idx-data.
#[cfg(doctest)]
#[doc = include_str!("../../idx-data/README.md")]
#[derive(Debug)]
pub struct DataReadme;

/// The example of the page of idx-derive.
#[cfg(doctest)]
#[doc = include_str!("../../idx-derive/README.md")]
#[derive(Debug)]
pub struct DeriveReadme;

/// The programs in Rust.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
#[derive(Debug)]
pub struct Programs;

/// The example of the page about firmware.
#[cfg(doctest)]
#[doc = include_str!("../../docs/firmware.md")]
#[derive(Debug)]
pub struct Firmware;

pub use bad_files::{BadFile, bad_files};
pub use data_sets::{Files, data_set, folder, labels, spellings};
pub use odd_files::{OddFile, odd_files, rank_255};

/// A file of the real data, such as `mnist/t10k-labels-idx1-ubyte.gz`.
///
/// The environment variable `IDX_DATA` names their folder. Without it the test must pass, and this prints
/// what is skipped.
///
/// # Panics
///
/// If the variable is set and the file is not there.
#[must_use]
pub fn real_data(test: &str, name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("IDX_DATA") else {
        skip(&format!("{test}: IDX_DATA does not name a folder with {name}"));
        return None;
    };
    let path = PathBuf::from(folder).join(name);
    assert!(path.is_file(), "IDX_DATA is set, but {} is not there", path.display());
    Some(path)
}

/// Says on one line what is not tested and why.
pub fn skip(what: &str) {
    // Not by a macro: its output is shown only for failed tests.
    let line = format!("skipped {}\n", what.trim_end());
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Returns whether strace is here, which makes system calls fail. Without it the test must pass, and this prints
/// what is skipped.
#[must_use]
pub fn has_strace(what: &str) -> bool {
    let has_strace = Command::new("strace").arg("-V").output().is_ok();
    if !has_strace {
        skip(&format!("{what}: no strace here"));
    }
    has_strace
}

/// strace over all threads of a program, without a report; its own arguments and the program follow.
#[must_use]
pub fn strace() -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null"]);
    command
}

/// Returns the kind of the error, if it is about an IDX file.
#[cfg(feature = "data")]
pub fn file_kind(error: &idx_data::Error) -> Option<&idx_std::ErrorKind> {
    match error.kind() {
        idx_data::ErrorKind::File(error) => Some(error),
        _ => None,
    }
}

/// An IDX file: the code of its element type, its sizes, and its payload.
#[must_use]
pub fn file(code: u8, sizes: &[u32], payload: &[u8]) -> Vec<u8> {
    let rank = u8::try_from(sizes.len()).unwrap_or(u8::MAX);
    let mut file = vec![0, 0, code, rank];
    file.extend(sizes.iter().flat_map(|size| size.to_be_bytes()));
    file.extend(payload);
    file
}

/// An npy file as NumPy writes it: its name of the element type, whether the first dimension is the fastest, the sizes
/// and the elements.
#[must_use]
pub fn npy(descr: &str, fortran_order: bool, shape: &[u64], elements: &[u8]) -> Vec<u8> {
    let order = if fortran_order { "True" } else { "False" };
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    let growing = if fortran_order { sizes.last() } else { sizes.first() };
    let room = growing.map_or(0, |size| 21 - size.len());
    let sizes = sizes.join(", ") + if shape.len() == 1 { "," } else { "" };
    let dictionary =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sizes}), }}");
    let mut text = dictionary + &" ".repeat(room);
    text += &" ".repeat(64 - (11 + text.len()) % 64);
    let length = u16::try_from(text.len() + 1).expect("few dimensions").to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], text.as_bytes(), b"\n", elements].concat()
}

/// The file of these records, with the element type and the shape that `T` has.
///
/// # Panics
///
/// If there are more records than a file can have.
#[must_use]
pub fn file_of<T: IdxRecord>(payload: &[u8]) -> Vec<u8> {
    let count = u32::try_from(payload.len() / T::SIZE).expect("few records");
    file(T::ELEMENT.code(), &[&[count], T::SHAPE].concat(), payload)
}

/// The test labels of EMNIST letters, a well-known file that needs no download: 800 times each of the
/// 26 letters, in their order.
#[must_use]
pub fn emnist_letters_test_labels() -> Vec<u8> {
    let labels: Vec<u8> = (1..=26).flat_map(|letter| [letter; 800]).collect();
    file(0x08, &[26 * 800], &labels)
}

/// The names in a folder, hidden ones too.
///
/// # Panics
///
/// If the folder cannot be read.
#[must_use]
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder that is there");
    let name = |entry: io::Result<DirEntry>| {
        let name = entry.expect("an entry of the folder").file_name();
        name.into_string().expect("names of tests are Unicode")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// Makes a named pipe without starting another program: an emulator may wait forever for one.
///
/// # Panics
///
/// If something already has the name.
#[cfg(unix)]
pub fn named_pipe(path: &Path) {
    let mode = nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR;
    nix::unistd::mkfifo(path, mode).expect("a new name");
}

/// One gzip member with these bytes in it.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}
