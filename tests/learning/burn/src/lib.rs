//! Shared by the programs of this package: MNIST in the form of burn, and a network.

#![forbid(unsafe_code)]

pub mod data;
pub mod network;
