//! Reads the .gz that each line of standard input names with `mnist_reader`, and answers with the nanoseconds.
//!
//! It calls only `read_gzip`: the crate's `load` prints, downloads, and reads all four files into `f32`.

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
