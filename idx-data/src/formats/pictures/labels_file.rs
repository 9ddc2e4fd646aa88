//! The labels of pictures in a table, which names the pictures or has a line for each.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use crate::answer::ReadingOption;
use crate::error::{Error, ErrorKind};
use crate::formats::csv::{check_text, parse_label};
use crate::gather::Gather;
use crate::names::class_names::{ClassNames, Texts};
use crate::names::path::common_folder;
use crate::reading::cell::bit;
use crate::reading::header::names;
use crate::reading::question::Question;
use crate::reading::roles::{Known, Purpose, Role, Roles, roles};
use crate::reading::skip::skip;
use crate::reading::table::Table;
use crate::reading::text::split;
use crate::reading::{Evidence, Said, Subject};
use crate::record::options::OpenOptions;
use idx_std::__private::counted;

/// The labels of pictures, in the order of the pictures.
pub(crate) struct ListedLabels {
    pub(crate) numbers: Vec<i128>,
    pub(crate) classes: Option<ClassNames>,
    /// True if the table has class names, not numbers.
    pub(crate) have_names: bool,
    pub(crate) said: Said,
}

impl ListedLabels {
    /// Reads a table into memory. `name` is its name, if it was found in the folder. Words get their numbers in `list`
    /// or, without a list, in the order of their bytes.
    pub(crate) fn read(
        read: Box<dyn Read>,
        name: Option<&str>,
        pictures: &NamedPictures<'_>,
        list: Option<ClassNames>,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let text = text_of(read, pictures.paths.len(), options)?;
        let find = |cell: &str| pictures.find(cell);
        let count = Some(pictures.paths.len() as u64);
        let known = Known {
            column: None,
            find: Some(&find),
            pictures: &pictures.paths,
            list: name,
            count,
            ..options.known()
        };
        let (split, rows) = split(&text, true, &known)?;
        let table = names(&split, rows, &known)?;
        let roles = roles(&table, Purpose::Labels, &known)?;
        let rows = rows_of_pictures(&table, &roles, pictures, name)?;
        let (numbers, classes, have_names) = match roles.label {
            Some(label) => {
                let cells: Vec<&str> =
                    rows.iter().map(|row| table.rows.cell(*row, label)).collect();
                if roles.words && list.is_none() && options.label_column.is_none() {
                    roles.expect_labels(cells.iter().copied())?;
                }
                match roles.words {
                    true => number_words(&cells, list)?,
                    false => number(&table, &roles, &cells, &rows, list)?,
                }
            }
            None => one_hot(&table, &roles, &rows, list)?,
        };
        let Roles { mut said, columns, .. } = roles;
        if !columns.contains(&Role::Key) {
            let text = "a line for each picture, in the order 1, 2, 10";
            said.say(Subject::Labels, Evidence::Content, text);
        }
        Ok(Self { numbers, classes, have_names, said })
    }
}

/// The number of lines that a table may have besides one for each picture: names of columns, comments, and labels
/// beyond the last picture, of which one is enough for an error.
const MORE_LINES: usize = 1000;

/// Returns the text of a table for this number of pictures. Further lines are not read.
fn text_of(read: Box<dyn Read>, pictures: usize, options: &OpenOptions) -> Result<String, Error> {
    let (mut text, limit) = (Vec::new(), options.record_limit);
    let mut read = BufReader::new(read.take(limit.saturating_add(1)));
    for _ in 0..pictures.saturating_add(MORE_LINES) {
        if read.read_until(b'\n', &mut text)? == 0 {
            break;
        }
    }
    if text.len() as u64 > limit {
        let message =
            format!("the labels of pictures take more memory than the limit of {limit} bytes");
        return Err(ErrorKind::over_limit(message).into());
    }
    check_text(text.split(|byte| *byte == b'\n').next().unwrap_or_default())?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the row of each picture. `name` is the name of the table, if it was found in the folder.
fn rows_of_pictures(
    table: &Table,
    roles: &Roles,
    pictures: &NamedPictures<'_>,
    name: Option<&str>,
) -> Result<Vec<usize>, ErrorKind> {
    let count = table.rows.len();
    let Some(key) = roles.position(Role::Key) else {
        if count == pictures.paths.len() && !pictures.are_parts {
            return Ok((0..count).collect());
        }
        let message = format!(
            "{} for {}; write lines like 0.png,7, with the names of the pictures",
            counted(count as u64, "label"),
            counted(pictures.paths.len() as u64, "picture")
        );
        return Err(match name {
            Some(name) => {
                Question::new(message).or(skip([name]), "if the list has no labels").into()
            }
            None => ErrorKind::mismatch(message),
        });
    };
    let mut rows = vec![None; pictures.paths.len()];
    for (row, cell) in table.rows.column(key).enumerate() {
        if let Some(found) = pictures.find(cell).ok().and_then(|index| rows.get_mut(index)) {
            *found = Some(row);
        }
    }
    let all: Option<Vec<usize>> = rows.iter().copied().collect();
    all.ok_or_else(|| pictures.ask(&rows))
}

type Numbered = (Vec<i128>, Option<ClassNames>, bool);

/// Numbers labels that are words: by the list, which must have all of them, or by their order.
fn number_words(cells: &[&str], list: Option<ClassNames>) -> Result<Numbered, Error> {
    let mut words = Texts::default();
    cells.iter().try_for_each(|word| words.insert(word))?;
    let list = match list {
        Some(list) => list,
        None => ClassNames::new(words.texts)?,
    };
    let labels = list.labels_by_name();
    let label = |word: &&str| {
        labels.get(*word).copied().ok_or_else(|| {
            ErrorKind::mismatch(format!(
                "the class `{word}` is not in classes.txt; add a line, or correct the label"
            ))
        })
    };
    let numbers: Result<Vec<i128>, ErrorKind> = cells.iter().map(label).collect();
    Ok((numbers?, Some(list), true))
}

/// Reads labels that are numbers, with the names next to them, or those in a list that names them all. A list that does
/// not belongs to other labels.
fn number(
    table: &Table,
    roles: &Roles,
    cells: &[&str],
    rows: &[usize],
    list: Option<ClassNames>,
) -> Result<Numbered, Error> {
    let numbers = cells.iter().map(|cell| parse_label(cell, ErrorKind::malformed));
    let numbers = numbers.collect::<Result<Vec<i128>, _>>()?;
    let beside = roles.position(Role::ClassName);
    let classes = match beside {
        Some(column) => {
            let mut classes = ClassNames::default();
            for (number, row) in numbers.iter().zip(rows) {
                classes.insert(*number, table.rows.cell(*row, column))?;
            }
            Some(classes.checked()?)
        }
        None => list.filter(|list| numbers.iter().all(|number| list.name(*number).is_some())),
    };
    Ok((numbers, classes, beside.is_some()))
}

/// Reads one-hot labels: the position of the 1 among several columns, which are named after the classes.
fn one_hot(
    table: &Table,
    roles: &Roles,
    rows: &[usize],
    list: Option<ClassNames>,
) -> Result<Numbered, Error> {
    let columns: Vec<usize> = roles.all(Role::Label).collect();
    let label = |row: &usize| {
        let is_hot = |column: &usize| bit(table.rows.cell(*row, *column)) == Some(true);
        (0..).zip(&columns).find(|(_, column)| is_hot(column)).map_or(0, |(label, _)| label)
    };
    let numbers = rows.iter().map(label).collect();
    let names = table.names.as_ref().map(|names| {
        ClassNames::new(columns.iter().filter_map(|column| names.get(*column).cloned()))
    });
    let names = names.transpose()?;
    let have_names = names.is_some();
    Ok((numbers, names.or(list), have_names))
}

/// Pictures by their names.
pub(crate) struct NamedPictures<'a> {
    /// The folder that all of them are in or below, and true if none is below.
    folder: PathBuf,
    is_flat: bool,
    /// True if the pictures are of several parts, which have no order among them.
    are_parts: bool,
    paths: Vec<&'a Path>,
    /// The positions of the pictures with each name, with and without its extension.
    named: HashMap<String, Vec<usize>>,
}

impl<'a> NamedPictures<'a> {
    pub(crate) fn new(paths: Vec<&'a Path>, are_parts: bool) -> Self {
        let mut named: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in paths.iter().enumerate() {
            for name in [path.file_name(), path.file_stem()].into_iter().flatten() {
                named.entry(name.to_string_lossy().into_owned()).or_default().push(index);
            }
        }
        let folders = paths.iter().map(|path| path.parent().unwrap_or(Path::new("")));
        let folders: Vec<&Path> = folders.collect();
        let folder = common_folder(&folders);
        let is_flat = folders.iter().all(|own| *own == folder);
        Self { folder, is_flat, are_parts, paths, named }
    }

    /// Finds the picture that a cell names. The path of the cell must end with that of the picture below the common
    /// folder, or be the end of the picture's path. The picture with most in common with the cell wins. The error is
    /// the number of such pictures, if it is not 1.
    pub(crate) fn find(&self, cell: &str) -> Result<usize, usize> {
        let cell = cell.replace('\\', "/");
        let mut names = cell.split('/').filter(|name| !matches!(*name, "" | "."));
        let name = names.next_back().unwrap_or_default();
        let indices = self.named.get(name).cloned();
        let indices = indices.or_else(|| self.with_extension_of_any_case(name)).unwrap_or_default();
        let folders: Vec<&str> = names.collect();
        let fit = |index: &usize| {
            let folder = self.paths.get(*index)?.parent().unwrap_or(Path::new(""));
            let names = |path: &Path| -> Vec<String> {
                path.iter().map(|name| name.to_string_lossy().into_owned()).collect()
            };
            let below = names(folder.strip_prefix(&self.folder).unwrap_or(folder));
            let whole = names(folder);
            let is_end_of_cell = is_end(&below, &folders)
                && (self.is_flat
                    || !below.is_empty()
                    || folders.is_empty()
                    || is_end(&whole, &folders));
            let common = if is_end_of_cell { below.len() } else { folders.len() };
            let is_found = is_end_of_cell || is_end(&folders, &whole);
            is_found.then_some(((common, is_end_of_cell), *index))
        };
        let fits: Vec<((usize, bool), usize)> = indices.iter().filter_map(fit).collect();
        let best = fits.iter().map(|(fit, _)| *fit).max();
        let found = fits.iter().filter(|(fit, _)| Some(*fit) == best);
        let found: Vec<usize> = found.map(|(_, index)| *index).collect();
        if let [one] = found[..] { Ok(one) } else { Err(found.len()) }
    }
}

impl<'a> NamedPictures<'a> {
    /// Asks whether to leave out the pictures without a row. A folder with no other pictures is left out as a whole.
    fn ask(&self, rows: &[Option<usize>]) -> ErrorKind {
        let below = |path: &'a Path| path.strip_prefix(&self.folder).unwrap_or(path);
        let top = |path: &Path| Some(path.iter().next()?.to_string_lossy().into_owned());
        let (labeled, lacking): (Vec<_>, Vec<_>) =
            self.paths.iter().map(|path| below(path)).zip(rows).partition(|(_, row)| row.is_some());
        let tops: BTreeSet<String> = labeled.iter().filter_map(|(path, _)| top(path)).gather();
        let lacking: Vec<&Path> = lacking.into_iter().map(|(path, _)| path).collect();
        let name = |path: &&Path| {
            let top = top(path).filter(|top| !tops.contains(top));
            top.unwrap_or_else(|| path.to_string_lossy().replace(MAIN_SEPARATOR, "/"))
        };
        let names: BTreeSet<String> = lacking.iter().map(name).gather();
        let first = lacking.first().map_or(Path::new(""), |first| first).display();
        match lacking.len() {
            1 => Question::new(format!("{first} has no label here; add a line"))
                .or(skip(names), "to leave it out"),
            many => Question::new(format!(
                "{many} pictures, such as {first}, have no label here; add lines, or move them to another folder"
            ))
            .or_skip(skip(names), "to leave them out")
            .or(ReadingOption::NoLabels, "for all pictures without labels"),
        }
        .into()
    }

    /// Returns the pictures with this name, ignoring the case of the extension.
    fn with_extension_of_any_case(&self, name: &str) -> Option<Vec<usize>> {
        let (stem, extension) = name.rsplit_once('.')?;
        let is_like = |index: &&usize| {
            let own = self.paths.get(**index).and_then(|path| path.extension());
            own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
        };
        Some(self.named.get(stem)?.iter().filter(is_like).copied().collect())
    }
}

fn is_end(end: &[impl AsRef<str>], names: &[impl AsRef<str>]) -> bool {
    let mut pairs = end.iter().rev().zip(names.iter().rev());
    end.len() <= names.len() && pairs.all(|(one, other)| one.as_ref() == other.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_found_by_the_end_of_its_path() {
        let find = |paths: &[&str], cell: &str| {
            let paths = paths.iter().map(Path::new);
            NamedPictures::new(paths.collect(), false).find(cell)
        };
        let flat = &["/d/p/1.png", "/d/p/2.png"][..];
        let nested = &["p/1.png", "p/a/1.png", "p/b/1.png", "p/b/c/2.png"][..];
        let classes = &["p/a/x/1.png", "p/b/x/1.png"][..];
        for (paths, cell, expected) in [
            (flat, "1.png", Ok(0)),
            (flat, "1", Ok(0)),
            (flat, "p/1.png", Ok(0)),
            (flat, "images/1.png", Ok(0)),
            (flat, "/home/me/p/2.png", Ok(1)),
            (flat, "C:\\me\\2.png", Ok(1)),
            (flat, "./2", Ok(1)),
            (flat, "3.png", Err(0)),
            (flat, "", Err(0)),
            (flat, "/", Err(0)),
            (nested, "1.png", Ok(0)),
            (nested, "a/1.png", Ok(1)),
            (nested, "p/1.png", Ok(0)),
            (nested, "p/b/1.png", Ok(2)),
            (nested, "/home/p/b/1", Ok(2)),
            (nested, "2.png", Ok(3)),
            (nested, "c/2.png", Ok(3)),
            (nested, "a/2.png", Err(0)),
            (nested, "q/1.png", Err(0)),
            (nested, "/home/p/1.png", Ok(0)),
            (classes, "x/1.png", Err(2)),
            (classes, "1.png", Err(2)),
            (classes, "b/x/1.png", Ok(1)),
            (classes, "q/b/x/1.png", Ok(1)),
            (classes, "b/y/1.png", Err(0)),
        ] {
            assert_eq!(find(paths, cell), expected, "{paths:?} {cell}");
        }
    }
}
