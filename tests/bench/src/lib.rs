//! Shared by the programs of this package: the data that they run on.

#![allow(missing_docs, reason = "nobody else uses it")]

pub mod data;
