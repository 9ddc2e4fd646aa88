//! The Rust part of the module `idxfile`: files and sets to and from NumPy arrays. The rest is in Python.

mod wait;
mod answer;
mod error;
mod input;
mod file;
mod reading;
mod set;
mod known;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "as Python has it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::error::{Error, error};
    #[pymodule_export]
    use super::file::{NewFile, header, header_of, load};
    #[pymodule_export]
    use super::known::{expect_alone, known, signature};
    #[pymodule_export]
    use super::set::{Stream, open, shuffle, stream};
}
