//! Orders that a seed gives forever: a line each, compared with a file.
//!
//! A line has the case, the number of records, a hash of their indices (FNV-1a, 64 bits, each index as 4 bytes,
//! the lowest first), and the first 20 indices.

use std::fmt::Display;

use crate::file;

/// The number of indices in a line.
const FIRST: usize = 20;

/// The numbers of records that there are orders for.
pub const COUNTS: [u32; 6] = [0, 1, 2, 10, 100, 1000];

/// The seeds that there are orders for.
pub const SEEDS: [u64; 4] = [0, 1, 42, u64::MAX];

/// Returns the label of a record.
#[derive(Clone, Copy, Debug)]
pub enum Labels {
    /// All have the same.
    One,
    /// 0, 1, 2, 0, ...
    Even,
    /// Four runs, 7 before 5, 3 and 1.
    Blocks,
    /// Half of them 0, a quarter 1, an eighth 2, and so on, mixed.
    Skewed,
}

impl Labels {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::One, Self::Even, Self::Blocks, Self::Skewed];

    /// The label of a record of `count`.
    #[must_use]
    pub fn of(self, index: u32, count: u32) -> u8 {
        let label = match self {
            Self::One => 3,
            Self::Even => index % 3,
            Self::Blocks => 7 - 2 * (index * 4 / count.max(1)),
            Self::Skewed => (index + 1).trailing_zeros().min(9),
        };
        u8::try_from(label).unwrap_or(u8::MAX)
    }

    /// A file with the labels of this many records.
    #[must_use]
    pub fn file(self, count: u32) -> Vec<u8> {
        let labels: Vec<u8> = (0..count).map(|index| self.of(index, count)).collect();
        file(0x08, &[count], &labels)
    }
}

/// A file of this many records; each is its index.
#[must_use]
pub fn indices_file(count: u32) -> Vec<u8> {
    let payload: Vec<u8> = (0..count).flat_map(u32::to_be_bytes).collect();
    file(0x0C, &[count], &payload)
}

/// The orders that were found.
#[derive(Debug, Default)]
pub struct Orders(String);

impl Orders {
    /// Adds an order.
    pub fn push(&mut self, case: impl Display, indices: &[i32]) {
        let bytes = indices.iter().flat_map(|index| index.to_le_bytes());
        let hash = bytes.fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        let first = indices.iter().take(FIRST).map(|index| format!(" {index}"));
        let first: String = first.collect();
        self.0 += &format!("{case}: {} {hash:016x}{first}\n", indices.len());
    }

    /// Adds a case that is refused.
    pub fn push_refused(&mut self, case: impl Display) {
        self.0 += &format!("{case}: refused\n");
    }

    /// Compares them with those in the file, line by line.
    ///
    /// # Panics
    ///
    /// If one differs, after all that were found were printed.
    #[track_caller]
    pub fn expect(self, golden: &str) {
        if self.0 == golden {
            return;
        }
        println!("{}", self.0);
        let mut lines = self.0.lines().zip(golden.lines());
        let differs = lines.find(|(found, expected)| found != expected);
        let counts = (self.0.lines().count(), golden.lines().count());
        panic!(
            "who chose records by a seed does not get the same ones again: {differs:?}, lines: {counts:?}"
        );
    }
}

impl FromIterator<Orders> for Orders {
    fn from_iter<I: IntoIterator<Item = Self>>(orders: I) -> Self {
        Self(orders.into_iter().map(|orders| orders.0).collect())
    }
}
