//! Reads damaged gzip files with one call of libdeflate and in pieces, RUNS times, and compares the results.
//!
//!     cargo run --release -p idx-tests --features libdeflate --example differential -- RUNS [FIRST]
//!
//! A run that fails prints its number, from which it can be started again.
//!
//! Most damage is found by the checksum, whatever an inflater reads before. So half of the files get the checksum
//! and the size of what libdeflate reads from them: only the inflaters can find that damage.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use std::{env, thread};

use fastrand::Rng;
use flate2::bufread::GzEncoder;
use flate2::{Compression, Crc};
use idx_tests::checks::one_call_of;
use libdeflater::Decompressor;

/// The number of bytes before and after the compressed data of a member.
const HEADER: usize = 10;
const TRAILER: usize = 8;

/// The maximum number of bytes that a damaged file is decompressed to, more than any of them has undamaged.
const ROOM: usize = 4096;

/// The number of runs that a thread starts at a time.
const TURN: u64 = 10_000;

fn main() {
    let argument = |index| env::args().nth(index).and_then(|number| number.parse().ok());
    let runs: u64 = argument(1).expect("the number of runs");
    let start: u64 = argument(2).unwrap_or(0);
    let end = start + runs;
    let files = files();
    let (next, resealed, accepted) = (AtomicU64::new(start), AtomicU64::new(0), AtomicU64::new(0));
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let folder = tempfile::tempdir().expect("there is a folder for temporary files");
                let path = folder.path().join("file");
                let mut decompressor = Decompressor::new();
                loop {
                    let first = next.fetch_add(TURN, Ordering::Relaxed);
                    for run in first..end.min(first + TURN) {
                        let _run = Run(run);
                        let mut random = Rng::with_seed(run);
                        let mut file = random.choice(&files).cloned().unwrap_or_default();
                        damage(&mut file, &mut random);
                        if random.bool() && reseal(&mut file, &mut decompressor) {
                            resealed.fetch_add(1, Ordering::Relaxed);
                        }
                        if one_call_of(&path, &file) {
                            accepted.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    if first >= end {
                        return;
                    }
                }
            });
        }
    });
    println!(
        "{runs} runs in {} s: {} files with the checksum of what is in them, {} accepted, no difference",
        started.elapsed().as_secs(),
        resealed.into_inner(),
        accepted.into_inner(),
    );
}

/// A repeatable run, with its own random numbers.
struct Run(u64);

impl Drop for Run {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("run {}", self.0);
        }
    }
}

/// Files of few bytes, of random, equal and repeated ones, at all levels of compression.
fn files() -> Vec<Vec<u8>> {
    let mut random = Rng::with_seed(0);
    let mut files = Vec::new();
    for level in 0..=9 {
        for size in [0, 1, 7, 30, 120, 500] {
            for values in [1, 2, 5, 255] {
                let mut file = vec![0, 0, 8, 1];
                file.extend((size as u32).to_be_bytes());
                file.extend((0..size).map(|_| random.u8(..values)));
                // A few of the bytes before, again.
                let start = file.len() - size.min(20);
                file.extend_from_within(start..);
                let size = file.len() - 8;
                file[4..8].copy_from_slice(&(size as u32).to_be_bytes());
                let mut encoder = GzEncoder::new(&file[..], Compression::new(level));
                let mut member = Vec::new();
                std::io::copy(&mut encoder, &mut member).expect("a vector takes all bytes");
                files.push(member);
            }
        }
    }
    files
}

/// Changes up to three bytes, most of them in the compressed data; sometimes cuts the end, or repeats it.
fn damage(file: &mut Vec<u8>, random: &mut Rng) {
    for _ in 0..random.usize(..4) {
        let position = match random.usize(..10) {
            0 => random.usize(..file.len()),
            _ => HEADER + random.usize(..file.len() - HEADER - TRAILER),
        };
        file[position] ^= match random.bool() {
            true => 1 << random.u8(..8),
            false => random.u8(..),
        };
    }
    match random.usize(..40) {
        0 => file.truncate(file.len() - 1 - random.usize(..file.len() / 2)),
        1 => file.extend_from_within(file.len() - TRAILER..),
        2 => file.extend_from_within(..),
        3 => file.push(0),
        _ => {}
    }
}

/// Gives a file the checksum and the size of what libdeflate reads from it; returns whether that is anything.
fn reseal(file: &mut [u8], decompressor: &mut Decompressor) -> bool {
    let mut content = [0; ROOM];
    let Some(compressed) = file.get(HEADER..file.len().saturating_sub(TRAILER)) else {
        return false;
    };
    let Ok(size) = decompressor.deflate_decompress(compressed, &mut content) else {
        return false;
    };
    let mut sum = Crc::new();
    sum.update(&content[..size]);
    let trailer = file.len() - TRAILER;
    file[trailer..trailer + 4].copy_from_slice(&sum.sum().to_le_bytes());
    file[trailer + 4..].copy_from_slice(&sum.amount().to_le_bytes());
    true
}
