use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::formats::csv::Lines;
use crate::names::class_names::ClassNames;
use crate::record::options::RECORD_LIMIT;
use idx_std::__private::access;

/// The file of a picture, and its label.
pub(super) struct LabeledFile {
    pub(super) path: PathBuf,
    pub(super) label: Option<i128>,
}

/// Assigns to each picture of a folder its label from the file of labels, and gives the names of the classes. Labels that
/// are not numbers are such names, which have the numbers of the list or, without one, those of their order.
pub(super) fn read_labels(
    folder: &Path,
    path: &Path,
    pictures: &mut [LabeledFile],
    list: Option<ClassNames>,
) -> Result<Option<ClassNames>, Error> {
    let file = access::open_regular(path)?;
    let mut lines = Lines::new(Box::new(file), RECORD_LIMIT)?;
    let mut labels: HashMap<PathBuf, String> = HashMap::new();
    lines.next()?;
    let first = lines.fields().next().map(|name| folder.join(&*String::from_utf8_lossy(name)));
    if pictures.iter().any(|picture| Some(&picture.path) == first.as_ref()) {
        let message = "the first line is that of a picture, and must name the columns; put `file,label` above it";
        return Err(ErrorKind::malformed(message).into());
    }
    while lines.next()? {
        let row: Vec<_> = lines.fields().map(String::from_utf8_lossy).collect();
        let (file, label) = match &row[..] {
            [file, label] if !label.is_empty() => (&**file, label.to_string()),
            _ => {
                return Err(ErrorKind::malformed(format!(
                    "`{}` is not a name and a label; write lines like 0.png,7",
                    row.join(",")
                ))
                .into());
            }
        };
        if labels.insert(folder.join(file), label).is_some() {
            return Err(ErrorKind::malformed(format!(
                "two lines have a label for {file}; remove one of them"
            ))
            .into());
        }
    }
    let classes = class_names(&labels, list)?;
    for picture in &mut *pictures {
        let Some(label) = labels.remove(&picture.path) else {
            return Err(ErrorKind::mismatch(format!(
                "{} has no label here; add a line, or remove the picture",
                within(folder, &picture.path).display()
            ))
            .into());
        };
        let number = label.parse().ok();
        picture.label = number.or_else(|| classes.as_ref()?.label(&label));
        debug_assert!(picture.label.is_some(), "a number, or one of the names");
    }
    match labels.keys().min() {
        None => Ok(classes),
        Some(path) => Err(ErrorKind::mismatch(format!(
            "there is no {} in the folder; remove the line, or add the picture",
            within(folder, path).display()
        ))
        .into()),
    }
}

fn within<'a>(folder: &Path, path: &'a Path) -> &'a Path {
    path.strip_prefix(folder).unwrap_or(path)
}

/// The names of the classes: those of the list, which has to name each label that is no number; without a list, such labels
/// in their order. `None` for numbers that the list does not name: it is that of others.
fn class_names(
    labels: &HashMap<PathBuf, String>,
    list: Option<ClassNames>,
) -> Result<Option<ClassNames>, Error> {
    let mut numbers = labels.values().filter_map(|label| label.parse().ok());
    let words = labels.values().filter(|label| label.parse::<i128>().is_err());
    let words: BTreeSet<&String> = words.collect();
    let Some(word) = words.first() else {
        return Ok(list.filter(|list| numbers.all(|number| list.name(number).is_some())));
    };
    if numbers.next().is_some() {
        return Err(ErrorKind::malformed(format!(
            "the label `{word}` is not a number, and others are; write all as numbers, or all as names"
        )).into());
    }
    let Some(list) = list else {
        return Ok(Some(ClassNames::new(words)?));
    };
    match words.iter().find(|word| list.label(word).is_none()) {
        Some(word) => Err(ErrorKind::mismatch(format!(
            "the class `{word}` is not in classes.txt; add a line, or correct the label"
        ))
        .into()),
        None => Ok(Some(list)),
    }
}
