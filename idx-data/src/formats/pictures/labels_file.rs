//! The labels of pictures in a table that names them.

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::formats::csv::parse_label;
use crate::names::class_names::{ClassNames, Texts, is_text, number_beside_texts};
use crate::names::columns::label_position;
use crate::names::folder::is_picture;
use crate::reading::header::names;
use crate::reading::roles::Known;
use crate::reading::text::split;
use crate::record::label::LabelRows;
use crate::record::options::Column;
use crate::record::options::OpenOptions;
use idx_std::ElementType;

/// The lines of a table.
pub(crate) struct Table {
    names: Option<Vec<String>>,
    rows: Vec<Vec<String>>,
}

/// The labels of pictures in their order.
pub(crate) struct Labels {
    pub(super) numbers: Vec<i128>,
    pub(super) classes: Option<ClassNames>,
    /// Whether the table has the names of the classes, not the numbers.
    pub(super) have_names: bool,
}

/// The text of a table, which is kept in memory.
pub(super) fn text_of(read: impl Read, options: &OpenOptions) -> Result<Vec<u8>, Error> {
    let (mut text, limit) = (Vec::new(), options.record_limit);
    read.take(limit.saturating_add(1)).read_to_end(&mut text)?;
    match text.len() as u64 > limit {
        true => Err(ErrorKind::over_limit(format!(
            "the labels of pictures take more memory than the limit of {limit} bytes"
        ))
        .into()),
        false => Ok(text),
    }
}

impl Table {
    pub(crate) fn read(
        read: Box<dyn Read + Send>,
        pictures: &NamedPictures<'_>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let text = String::from_utf8_lossy(&text_of(read, options)?).into_owned();
        let find = |cell: &str| pictures.find(cell);
        let count = Some(pictures.paths.len() as u64);
        let known = Known { header: *options.header, find: Some(&find), count, ..Known::default() };
        let (split, rows) = split(&text, true, &known).map_err(ErrorKind::from)?;
        let table = names(&split, rows, &known).map_err(ErrorKind::from)?;
        let rows = &table.rows;
        let rows = (0..rows.len()).map(|row| rows.row(row).map(str::to_string).collect());
        Ok(Self { names: table.names, rows: rows.collect() })
    }

    /// The label of each picture; `None` if no column names them. Labels that are not numbers are names of classes, which
    /// have the numbers of the list or, without one, those of their order.
    pub(crate) fn labels(
        &self,
        pictures: &NamedPictures<'_>,
        list: Option<ClassNames>,
        options: &OpenOptions,
    ) -> Result<Option<Labels>, Error> {
        let width = self.rows.iter().chain(&self.names).map(Vec::len).max().unwrap_or_default();
        let names = self.names.as_deref();
        let given = options.label_column.as_ref();
        let given = given
            .map(|column| match (column, names) {
                (Column::Index(index), _) => Ok(*index),
                (column, names) => column.position(names.unwrap_or_default()),
            })
            .transpose()?;
        let label = given.or_else(|| names.and_then(label_position));
        let Some(naming) = self.naming_column(pictures, width, label)? else {
            return Ok(None);
        };
        let other = (width == 2).then_some(1_usize.saturating_sub(naming));
        let Some(label) = label.or(other) else {
            let names = self.names_beside(naming)?;
            let have_names = names.is_some();
            let table = self.of_classes(naming, width)?;
            let labels = table.labels(pictures, names.or(list), options)?;
            return Ok(labels.map(|labels| Labels { have_names, ..labels }));
        };
        let mut labels: HashMap<usize, &str> = HashMap::new();
        for row in &self.rows {
            let (Some(name), Some(label)) =
                (row.get(naming), row.get(label).filter(|label| !label.is_empty()))
            else {
                let row = row.join(",");
                let message =
                    format!("`{row}` is not a name and a label; write lines like 0.png,7");
                return Err(ErrorKind::malformed(message).into());
            };
            let Some(picture) = pictures.find(name) else {
                return Err(ErrorKind::mismatch(format!(
                    "there is no {name} in the folder; remove the line, or add the picture"
                ))
                .into());
            };
            if labels.insert(picture, label).is_some() {
                return Err(ErrorKind::malformed(format!(
                    "two lines have a label for {name}; remove one of them"
                ))
                .into());
            }
        }
        let mut found = Vec::new();
        for (index, path) in pictures.paths.iter().enumerate() {
            let label = labels.get(&index).copied().ok_or_else(|| {
                let name = path.strip_prefix(pictures.folder).unwrap_or(path).display();
                ErrorKind::mismatch(format!(
                    "{name} has no label here; add a line, or remove the picture"
                ))
            })?;
            found.push(label);
        }
        numbered(&found, list).map(Some)
    }

    /// A table of names and classes in place of one whose other columns are one-hot.
    fn of_classes(&self, naming: usize, width: usize) -> Result<Self, Error> {
        let mut classes = LabelRows::default();
        let row_of = |(record, row): (u64, &Vec<String>)| {
            let name = row.get(naming).filter(|_| row.len() == width).cloned();
            let others = row.iter().enumerate().filter(|(column, _)| *column != naming);
            // What is not a number is not one-hot.
            let numbers = others.map(|(_, cell)| cell.parse().unwrap_or(f64::NAN));
            let row: Vec<u8> = numbers.flat_map(f64::to_be_bytes).collect();
            let class = classes.next(&row, ElementType::F64.into());
            let kind = ErrorKind::SeveralLabelColumns { columns: width - 1 };
            let found = name.zip(class.ok()).ok_or_else(|| kind.at_position(record));
            found.map(|(name, class)| vec![name, class.to_string()])
        };
        let rows = (0..).zip(&self.rows).map(row_of).collect::<Result<_, _>>()?;
        Ok(Self { names: None, rows })
    }

    /// The names of the other columns than that of the names of pictures, as those of classes.
    fn names_beside(&self, naming: usize) -> Result<Option<ClassNames>, Error> {
        let others = |names: &Vec<String>| {
            let names = names.iter().enumerate().filter(|(column, _)| *column != naming);
            ClassNames::new(names.map(|(_, name)| name))
        };
        self.names.as_ref().map(others).transpose()
    }

    /// The column that names pictures: with the ending of one, or by different names without. A column of other names with
    /// such an ending is one, too: the lines would else stand for pictures in another order.
    fn naming_column(
        &self,
        pictures: &NamedPictures<'_>,
        width: usize,
        label: Option<usize>,
    ) -> Result<Option<usize>, ErrorKind> {
        // A single column is labels.
        let columns = (0..width).filter(|column| width > 1 && Some(*column) != label);
        let cells = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let finds_one = |column: &usize| cells(*column).any(|cell| pictures.find(cell).is_some());
        let has_ending = |column: &usize| cells(*column).any(|cell| is_picture(Path::new(cell)));
        let are_different = |column: &usize| {
            let mut seen = HashSet::new();
            cells(*column).all(|cell| seen.insert(cell))
        };
        let (mut found, others): (Vec<usize>, Vec<usize>) =
            columns.clone().filter(finds_one).partition(has_ending);
        if found.is_empty() {
            found = others.into_iter().filter(are_different).collect();
        }
        // Row numbers may name pictures, too.
        let named = |column: usize| -> Option<Vec<usize>> {
            cells(column).map(|cell| pictures.find(cell)).collect()
        };
        let mut all_named = found.iter().filter_map(|column| Some((*column, named(*column)?)));
        let Some((first, order)) = all_named.next() else {
            return Ok(found.first().copied().or_else(|| columns.clone().find(has_ending)));
        };
        match all_named.find(|(_, other)| *other != order) {
            Some((second, _)) => Err(ErrorKind::mismatch(format!(
                "columns {first} and {second}, counted from 0, both name the pictures, and differ; remove one of them"
            ))),
            None => Ok(Some(first)),
        }
    }
}

/// Pictures by their names.
pub(crate) struct NamedPictures<'a> {
    folder: &'a Path,
    paths: Vec<&'a Path>,
    /// Those of each name, with its ending and without.
    named: HashMap<String, Vec<usize>>,
}

impl<'a> NamedPictures<'a> {
    pub(crate) fn new(folder: &'a Path, paths: impl Iterator<Item = &'a Path>) -> Self {
        let paths: Vec<&Path> = paths.collect();
        let mut named: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in paths.iter().enumerate() {
            for name in [path.file_name(), path.file_stem()].into_iter().flatten() {
                named.entry(name.to_string_lossy().into_owned()).or_default().push(index);
            }
        }
        Self { folder, paths, named }
    }

    /// The picture that a cell names: the only one of its name, or the only one in the folders that stand before it.
    fn find(&self, cell: &str) -> Option<usize> {
        let cell = cell.replace('\\', "/");
        let name = cell.rsplit('/').next()?;
        let folders = Path::new(&cell).parent().unwrap_or(Path::new(""));
        match &self.named.get(name)?[..] {
            [one] => Some(*one),
            several => {
                let is_meant = |index: &&usize| {
                    let folder = self.paths.get(**index).and_then(|path| path.parent());
                    folder.is_some_and(|folder| match folders.as_os_str().is_empty() {
                        true => folder == self.folder,
                        false => folder.ends_with(folders),
                    })
                };
                let mut meant = several.iter().filter(is_meant);
                meant.next().filter(|_| meant.next().is_none()).copied()
            }
        }
    }
}

/// The file of a picture, and its label.
pub(crate) struct LabeledFile {
    pub(crate) path: PathBuf,
    pub(crate) label: Option<i128>,
}

/// Assigns to each picture of a folder its label from the table in it, and gives the names of the classes, and whether the
/// table has them.
pub(crate) fn read_labels(
    folder: &Path,
    table: Box<dyn Read + Send>,
    pictures: &mut [LabeledFile],
    list: Option<ClassNames>,
) -> Result<(Option<ClassNames>, bool), Error> {
    let options = OpenOptions::default();
    let named = NamedPictures::new(folder, pictures.iter().map(|picture| &*picture.path));
    let text = Box::new(Cursor::new(text_of(table, &options)?));
    let table = Table::read(text, &named, &options)?;
    let labels = table.labels(&named, list, &options)?;
    let labels = labels.ok_or_else(|| {
        ErrorKind::mismatch("no column has the names of the pictures; write lines like 0.png,7")
    })?;
    for (picture, label) in pictures.iter_mut().zip(labels.numbers) {
        picture.label = Some(label);
    }
    Ok((labels.classes, labels.have_names))
}

/// The numbers of labels, and the names of the classes: those of the list, which has to name each label that is no number;
/// without a list, such labels in their order. `None` for numbers that the list does not name: it is that of others.
fn numbered(labels: &[&str], list: Option<ClassNames>) -> Result<Labels, Error> {
    let (texts, numbers): (Vec<&str>, Vec<&str>) = labels.iter().partition(|label| is_text(label));
    let numbers = numbers.into_iter().map(|label| parse_label(label, ErrorKind::Malformed));
    let numbers = numbers.collect::<Result<Vec<i128>, _>>()?;
    if texts.is_empty() {
        let list = list.filter(|list| numbers.iter().all(|number| list.name(*number).is_some()));
        return Ok(Labels { numbers, classes: list, have_names: false });
    }
    if let Some(number) = numbers.first() {
        return Err(number_beside_texts(&number.to_string()).into());
    }
    let mut words = Texts::default();
    texts.iter().try_for_each(|text| words.insert(text))?;
    let list = match list {
        Some(list) => list,
        None => ClassNames::new(words.texts)?,
    };
    let label = |word: &&str| {
        list.label(word).ok_or_else(|| {
            ErrorKind::mismatch(format!(
                "the class `{word}` is not in classes.txt; add a line, or correct the label"
            ))
        })
    };
    let numbers: Result<Vec<i128>, ErrorKind> = labels.iter().map(label).collect();
    Ok(Labels { numbers: numbers?, classes: Some(list), have_names: true })
}
