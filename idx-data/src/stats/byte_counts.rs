//! Counts the values of bytes.

/// The number of occurrences of each byte, in several tables. In a single table, equal bytes in a row would wait for
/// each other.
#[derive(Clone)]
pub(super) struct ByteCounts([[u64; 256]; 4]);

/// The number of equal bytes, such as those of a background, to count at once.
const EQUAL: usize = 16;

impl ByteCounts {
    pub(super) fn new() -> Self {
        Self([[0; 256]; 4])
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let [a, b, c, d] = &mut self.0;
        let count = |table: &mut [u64; 256], byte: u8, times: u64| {
            if let Some(count) = table.get_mut(usize::from(byte)) {
                *count += times;
            }
        };
        let (pieces, rest) = bytes.as_chunks::<EQUAL>();
        for piece in pieces {
            let byte = piece[0];
            if *piece == [byte; EQUAL] {
                count(a, byte, EQUAL as u64);
                continue;
            }
            for [first, second, third, fourth] in piece.as_chunks().0 {
                count(a, *first, 1);
                count(b, *second, 1);
                count(c, *third, 1);
                count(d, *fourth, 1);
            }
        }
        for byte in rest {
            count(a, *byte, 1);
        }
    }

    /// Returns the number of occurrences of each of the 256 bytes.
    pub(super) fn totals(&self) -> impl Iterator<Item = u64> {
        let [a, b, c, d] = &self.0;
        a.iter().zip(b).zip(c.iter().zip(d)).map(|((a, b), (c, d))| a + b + c + d)
    }
}
