//! Does nothing: the memory of the other programs is compared with that of this one.

fn main() {}
