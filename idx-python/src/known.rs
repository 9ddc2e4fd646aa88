//! The table of the known data sets.

use std::path::PathBuf;

use idx_data::FileSignature;
use idx_data::dataset::DataSet;
use pyo3::prelude::*;

use crate::error::{coded, exception};

/// The name of a data set; the names, sizes and hashes of its files; the addresses of folders with them; and the name
/// and the content of its class list, if the classes have names.
type Known = (
    &'static str,
    Vec<(&'static str, u64, &'static str)>,
    Vec<&'static str>,
    Option<(PathBuf, String)>,
);

#[pyfunction]
pub(crate) fn known(py: Python<'_>, name: &str) -> PyResult<Known> {
    // Ignores case and separators.
    let letters = |name: &str| name.replace(['-', '_', ' '], "").to_lowercase();
    let is_named = |data_set: &DataSet| letters(data_set.id()) == letters(name);
    let Some(data_set) = DataSet::ALL.into_iter().find(is_named) else {
        let names = DataSet::ALL.map(DataSet::id).join(", ");
        let message = format!("{name} is not one of the known sets: {names}");
        return Err(coded(py, "no_data_set", &message));
    };
    let files = data_set.remote_files().into_iter();
    let files = files.map(|file| (file.name, file.size, file.sha256)).collect();
    Ok((data_set.id(), files, data_set.addresses().to_vec(), data_set.class_list()))
}

/// Checks that no other file in the folder would be read with those of the data set of this id.
#[pyfunction]
pub(crate) fn expect_alone(py: Python<'_>, id: &str, folder: PathBuf) -> PyResult<()> {
    let mut sets = DataSet::ALL.into_iter();
    let data_set = sets.find(|data_set| data_set.id() == id);
    let alone = py.detach(|| data_set.map_or(Ok(()), |data_set| data_set.expect_alone(folder)));
    alone.map_err(|error| exception(py, error))
}

/// Recognizes a file by its first bytes, if its format is known and not IDX.
#[pyfunction]
pub(crate) fn signature(start: &[u8]) -> Option<String> {
    FileSignature::detect(start).map(|signature| signature.to_string())
}
