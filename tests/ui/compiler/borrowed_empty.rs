//! Records without elements cannot be borrowed.

use idx_core::Records;

static NOTHING: Records<[u8; 0]> = Records::from_static(&[0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 0]);
const BORROWED: &[[u8; 0]] = NOTHING.as_slice();

fn main() {}
