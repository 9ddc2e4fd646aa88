//! The hash for comparing records at different positions.

use sha2::{Digest, Sha256};

/// Returns the first half of the SHA-256 of a record with its label, if that matters.
pub(crate) fn half_hash(bytes: &[u8], label: Option<i128>) -> u128 {
    let mut hash = Sha256::new_with_prefix(bytes);
    hash.update(label.map(i128::to_be_bytes).as_ref().map_or(&[][..], |label| label));
    let half = hash.finalize().into_iter().take(16);
    half.fold(0, |bits, byte| bits << 8 | u128::from(byte))
}
