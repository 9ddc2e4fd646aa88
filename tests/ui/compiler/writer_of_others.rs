//! A writer takes records, whose size is fixed.

use idx_std::RecordWriter;

struct Line(Vec<u8>);

fn main() {
    let _ = RecordWriter::<Line>::create("lines");
}
