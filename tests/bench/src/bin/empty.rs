//! A program that does nothing, with whose memory that of the others is compared.

fn main() {}
