//! Pairs in memory: subsets and batches, their files, and the orders of seeds.

mod memory;
mod files;
mod orders;
