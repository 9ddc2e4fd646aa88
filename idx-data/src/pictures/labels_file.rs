use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::class_names::ClassNames;
use crate::csv::Lines;
use crate::error::ErrorKind;
use crate::options::RECORD_LIMIT;
use idx_std::__private::access;

/// The file of a picture, and its label.
pub(super) struct LabeledFile {
    pub(super) path: PathBuf,
    pub(super) label: Option<i128>,
}

/// Assigns to each picture of a folder its label from the file of labels. Labels that are not numbers are the
/// names of classes, which are numbered in their order.
pub(super) fn read_labels(
    folder: &Path,
    path: &Path,
    pictures: &mut [LabeledFile],
) -> Result<Option<ClassNames>, ErrorKind> {
    let file = access::open_regular(path)?;
    let mut lines = Lines::new(Box::new(file), RECORD_LIMIT)?;
    let mut labels: HashMap<PathBuf, String> = HashMap::new();
    lines.next()?;
    let first = lines.fields().next().map(|name| folder.join(&*String::from_utf8_lossy(name)));
    if pictures.iter().any(|picture| Some(&picture.path) == first.as_ref()) {
        let message = "the first line is that of a picture, and must name the columns; put `file,label` above it";
        return Err(ErrorKind::malformed(message));
    }
    while lines.next()? {
        let row: Vec<_> = lines.fields().map(String::from_utf8_lossy).collect();
        let (file, label) = match &row[..] {
            [file, label] if !label.is_empty() => (&**file, label.to_string()),
            _ => {
                return Err(ErrorKind::malformed(format!(
                    "`{}` is not a name and a label; write lines like 0.png,7",
                    row.join(",")
                )));
            }
        };
        if labels.insert(folder.join(file), label).is_some() {
            return Err(ErrorKind::malformed(format!(
                "two lines have a label for {file}; remove one of them"
            )));
        }
    }
    let classes = class_names(&labels)?;
    for picture in &mut *pictures {
        let Some(label) = labels.remove(&picture.path) else {
            return Err(ErrorKind::mismatch(format!(
                "{} has no label here; add a line, or remove the picture",
                within(folder, &picture.path).display()
            )));
        };
        picture.label = match &classes {
            Some(classes) => classes.label(&label),
            None => label.parse().ok(),
        };
        debug_assert!(picture.label.is_some(), "a number, or one of the names");
    }
    match labels.keys().min() {
        None => Ok(classes),
        Some(path) => Err(ErrorKind::mismatch(format!(
            "there is no {} in the folder; remove the line, or add the picture",
            within(folder, path).display()
        ))),
    }
}

fn within<'a>(folder: &Path, path: &'a Path) -> &'a Path {
    path.strip_prefix(folder).unwrap_or(path)
}

/// The names of the classes in their order, if the labels are names; `None` if all are numbers.
fn class_names(labels: &HashMap<PathBuf, String>) -> Result<Option<ClassNames>, ErrorKind> {
    let words = || labels.values().filter(|label| label.parse::<i128>().is_err());
    let Some(word) = words().min() else {
        return Ok(None);
    };
    if words().count() < labels.len() {
        return Err(ErrorKind::malformed(format!(
            "the label `{word}` is not a number, and others are; write all as numbers, or all as names"
        )));
    }
    let mut names: Vec<String> = words().cloned().collect();
    names.sort();
    names.dedup();
    ClassNames::new(names).map(Some)
}
