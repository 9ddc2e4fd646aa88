//! Elements are taken one by one.

use idx_core::{Error, Idx, Records};

const ELEMENTS: Result<Records<[u8; 2]>, Error> = match Idx::parse(&[0, 0, 8, 0, 7]) {
    Ok(idx) => idx.elements::<[u8; 2]>(),
    Err(error) => Err(error),
};

fn main() {}
