//! The program whose memory that of the others is compared with.

fn main() {}
