//! Records without elements cannot be borrowed.

use idx_core::Records;

fn main() {
    let _ = Records::<[u8; 0]>::parse(&[]).unwrap().as_slice();
}
