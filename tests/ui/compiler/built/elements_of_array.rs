//! Elements are taken one by one.

use idx_core::Idx;

fn main() {
    let _ = Idx::parse(&[]).unwrap().elements::<[u8; 2]>();
}
