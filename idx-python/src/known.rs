//! The table of the known data sets.

use idx_data::FileSignature;
use idx_data::dataset::DataSet;
use pyo3::prelude::*;

use crate::error::coded;

/// Names, sizes and hashes of the files of a data set, the addresses of folders with them, and whether the one file is an
/// archive.
#[pyfunction]
pub(crate) fn known(
    py: Python<'_>,
    name: &str,
) -> PyResult<(Vec<(&'static str, u64, &'static str)>, Vec<&'static str>, bool)> {
    let Some(data_set) = DataSet::ALL.into_iter().find(|data_set| data_set.id() == name) else {
        let names = DataSet::ALL.map(DataSet::id).join(", ");
        return Err(coded(
            py,
            "no_data_set",
            &format!("{name} is none of the known sets: {names}"),
        ));
    };
    let files = data_set.remote_files();
    let is_archive = files.iter().any(|file| file.name.ends_with(".zip"));
    let files = files.into_iter().map(|file| (file.name, file.size, file.sha256)).collect();
    Ok((files, data_set.addresses().to_vec(), is_archive))
}

/// What a file is, by its first bytes, if that is known and not IDX.
#[pyfunction]
pub(crate) fn signature(start: &[u8]) -> Option<String> {
    FileSignature::detect(start).map(|signature| signature.to_string())
}
