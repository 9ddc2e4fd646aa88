//! Borrowed records have at most 4 dimensions.

use idx_core::Records;

fn main() {
    let _ = Records::<[[[[[u8; 2]; 2]; 2]; 2]; 2]>::parse(&[]).unwrap().as_slice();
}
