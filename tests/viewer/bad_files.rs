//! Writes the bad files, each under its name, for compare.py.
//!
//!     cargo run -p idx-tests --example bad_files -- FOLDER

use std::path::PathBuf;
use std::{env, fs, io};

use idx_tests::bad_files;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder to write to"));
    fs::create_dir_all(&folder)?;
    bad_files().into_iter().try_for_each(|file| fs::write(folder.join(file.name), file.bytes))
}
