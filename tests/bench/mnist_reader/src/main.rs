//! Reads a .gz with `mnist_reader`, once for each line of standard input, which is its path; answers
//! with the nanoseconds that it took.
//!
//! `read_gzip` alone: the crate's `load` prints, downloads, and reads all four files into `f32`.

use std::hint::black_box;
use std::io;
use std::time::Instant;

fn main() -> io::Result<()> {
    for line in io::stdin().lines() {
        let line = line?;
        let start = Instant::now();
        let bytes = black_box(mnist_reader::read_gzip(&line)?);
        println!("{}", start.elapsed().as_nanos());
        drop(bytes);
    }
    Ok(())
}
