use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use idx_std::dataset;
use idx_std::formats::ClassNames;
use idx_std::io::{AtomicFile, Staged};

use crate::args::OverwriteArguments;
use crate::term::failure::{Failure, print_error};

/// How many names are printed.
const PRINTED: usize = 20;

/// The names in a file, or those of the well-known data set that the labels are from.
pub(crate) fn class_names(
    file: Option<&Path>,
    labels: Option<&Path>,
) -> Result<Option<ClassNames>, Failure> {
    if let Some(file) = file {
        return Ok(Some(ClassNames::open(file)?));
    }
    // Standard input can be read only once. What is wrong with a file, its reader says.
    let labels = labels.filter(|path| path.is_file());
    let known = labels.and_then(|path| dataset::identify(path).ok().flatten());
    let names = known.map(|known| ClassNames::from(known.data_set));
    // Digits are their own names.
    let says_more =
        |names: &ClassNames| names.iter().any(|(label, name)| name != label.to_string());
    Ok(names.filter(says_more))
}

/// The file of names beside a file of labels, to appear with it.
pub(crate) struct ClassFile<'a> {
    classes: &'a ClassNames,
    path: PathBuf,
    /// `None` if the same names are there already.
    file: Option<AtomicFile>,
}

impl<'a> ClassFile<'a> {
    pub(crate) fn create(
        labels: &Path,
        classes: &'a ClassNames,
        overwrite: &OverwriteArguments,
    ) -> Result<Self, Failure> {
        let path = labels.with_file_name("classes.txt");
        let text = classes.to_text();
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            let file = None;
            return Ok(Self {
                classes,
                path,
                file,
            });
        }
        let mut file = match overwrite.force {
            true => AtomicFile::create(&path)?,
            false => AtomicFile::create_new(&path)?,
        };
        let written = file.write_all(text.as_bytes());
        written.map_err(|error| Failure::io(&path, error))?;
        let file = Some(file);
        Ok(Self {
            classes,
            path,
            file,
        })
    }

    pub(crate) fn stage(&mut self) -> Option<Staged> {
        self.file.take().map(AtomicFile::stage)
    }

    /// Prints the names.
    pub(crate) fn print(self) {
        let mut names = self
            .classes
            .iter()
            .map(|(label, name)| format!("{label} {name}"));
        let printed: Vec<String> = names.by_ref().take(PRINTED).collect();
        let more = names.next().map_or("", |_| ", ...");
        print_error(format_args!(
            "{}: {}{more}",
            self.path.display(),
            printed.join(", ")
        ));
    }
}
