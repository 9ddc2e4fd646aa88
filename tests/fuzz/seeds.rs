//! Writes the seeds of the fuzzers: a folder for each target, and a dictionary of what files hold.
//!
//!     cargo run -p idx-tests --example fuzz_seeds -- FOLDER

use std::path::PathBuf;
use std::{env, fs, io};

use idx_core::ElementType;
use idx_tests::checks::CHECKS;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).expect("the folder to write to");
    let folder = PathBuf::from(folder);
    for check in CHECKS {
        let folder = folder.join(check.name);
        fs::create_dir_all(&folder)?;
        for seed in check.seeds() {
            fs::write(folder.join(seed.name), seed.bytes)?;
        }
    }
    fs::write(folder.join("dictionary"), dictionary())
}

/// Bytes that mean something, in the form that libFuzzer reads.
fn dictionary() -> String {
    let mut words: Vec<Vec<u8>> = vec![vec![0x1F, 0x8B, 8, 0], vec![0; 8], vec![0xFF; 4]];
    for element_type in ElementType::ALL {
        for rank in 0..4 {
            words.push(vec![0, 0, element_type.code(), rank]);
        }
    }
    for size in [0, 1, 2, 3, 0x100, 0x1_0000, 0x8000_0000_u32] {
        words.push(size.to_be_bytes().to_vec());
    }
    let line = |word: Vec<u8>| {
        let bytes: String = word.iter().map(|byte| format!("\\x{byte:02X}")).collect();
        format!("\"{bytes}\"\n")
    };
    words.into_iter().map(line).collect()
}
