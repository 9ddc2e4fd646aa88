//! npz archives that come as a stream.

use std::fs::File;
use std::path::Path;

use crate::chain::Input;
use crate::doors::open::finish;
use crate::doors::open_set::path_of_array;
use crate::doors::set::Set;
use crate::error::{At, Error};
use crate::formats::npz::{self, ArchiveFile};
use crate::names::Part;
use crate::names::format::Format;
use crate::record::options::OpenOptions;

impl OpenOptions {
    /// Opens an npz archive with its labels, or only the part or array at the end of the name.
    pub(super) fn open_npz_stream(&self, name: &Path, archive: File) -> Result<Set, Error> {
        let archive = ArchiveFile::from(archive);
        let arrays = npz::arrays_of(archive.clone()).at(name)?;
        let is_array = |name: &str| arrays.iter().any(|array| array.name == name);
        let is_name = |name: &str| Part::of(name).is_some() || is_array(name);
        let split = name.to_str().and_then(|text| text.rsplit_once(':'));
        let split = split.filter(|(file, chosen)| file.ends_with(".npz") || is_name(chosen));
        let (file, chosen) =
            split.map_or((name, None), |(file, chosen)| (Path::new(file), Some(chosen)));
        let read = |options: &Self, path: &Path, array: Option<&str>| {
            let source = npz::open_array(archive.clone(), array, options).at(path)?;
            finish(Format::Npz, Input::new(path, Box::new(source), None), 0, options)
        };
        let open =
            |options: &Self, array: &str| read(options, &path_of_array(file, array), Some(array));
        match self.open_archive(file, arrays, chosen, &open)? {
            Some(set) => Ok(set),
            None => Ok(read(self, name, chosen)?.into()),
        }
    }
}
