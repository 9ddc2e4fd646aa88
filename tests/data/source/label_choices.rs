//! The label of each record: a model chooses as people expect, and every format must agree with it or refuse.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use idx_data::{ClassNames, Error, ErrorKind, OpenOptions, Record, Source, open};
use idx_std::ElementType;
use idx_tests::{file, gzip, npy};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Rows of numbers that are the labels of records.
#[derive(Clone, Debug)]
struct Rows {
    element_type: ElementType,
    rows: Vec<Vec<f64>>,
    /// The column that the user gives, which may be beyond the last one.
    column: Option<usize>,
    place: Place,
}

/// The format that stores the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Idx,
    Gzip,
    Npy,
    Npz,
    Parquet,
    /// True if a line of names comes first, and the separator.
    Text(bool, char),
}

/// The refusal of a source: the code of the error, and the record that it is about.
type Refused = (&'static str, Option<u64>);

impl Rows {
    fn width(&self) -> usize {
        self.rows[0].len()
    }

    /// Returns the labels before the first row that has none, and the refusal of that row.
    fn model(&self) -> (Vec<i128>, Option<Refused>) {
        let width = self.width();
        if self.column.is_some_and(|column| column >= width) {
            let is_text = matches!(self.place, Place::Text(..));
            return (Vec::new(), Some((if is_text { "malformed" } else { "mismatch" }, None)));
        }
        let column = self.column.or((width == 1).then_some(0));
        // csv does not state an element type.
        let is_int =
            self.element_type == ElementType::I32 && !matches!(self.place, Place::Text(..));
        let mut labels = Vec::new();
        let mut are_one_hot = None;
        for (index, row) in (0..).zip(&self.rows) {
            let label = match column {
                Some(column) => whole(row[column]).ok_or("malformed"),
                None => {
                    let hot = one_hot(row);
                    let is_qmnist = is_int
                        && width == 8
                        && row.iter().any(|n| *n != 0.0 && *n != 1.0)
                        && row[7] == 0.0;
                    let label = hot.or_else(|| whole(row[0]).filter(|_| is_qmnist));
                    let is_like_first = *are_one_hot.get_or_insert(hot.is_some()) == hot.is_some();
                    label.filter(|_| is_like_first).ok_or("mismatch")
                }
            };
            match label {
                Ok(label) => labels.push(label),
                Err(code) => return (labels, Some((code, Some(index)))),
            }
        }
        (labels, None)
    }

    /// Writes the rows, and images with as many records. Returns `None` if this build does not have the format.
    fn write(&self, folder: &Path) -> Option<PathBuf> {
        let at = |name: &str| folder.join(name);
        let count = u32::try_from(self.rows.len()).unwrap();
        fs::write(at("images"), file(8, &[count, 1, 1], &vec![7; self.rows.len()])).unwrap();
        let width = u32::try_from(self.width()).unwrap();
        let sizes = if width == 1 { vec![count] } else { vec![count, width] };
        let numbers = self.rows.iter().flatten();
        let bytes: Vec<u8> = numbers.flat_map(|number| self.big_endian(*number)).collect();
        let idx = file(self.element_type.code(), &sizes, &bytes);
        let through = |name: &str| {
            fs::write(at("rows"), &idx).unwrap();
            match open(at("rows")).unwrap().write(at(name)) {
                Ok(_) => Some(at(name)),
                Err(error) if matches!(error.kind(), ErrorKind::Disabled { .. }) => None,
                Err(error) => panic!("{error}"),
            }
        };
        let (name, bytes) = match self.place {
            Place::Idx => ("rows", idx),
            Place::Gzip => ("rows.gz", gzip(&idx)),
            Place::Npy => {
                let sizes: Vec<u64> = sizes.iter().copied().map(u64::from).collect();
                ("rows.npy", npy(&self.descr(), false, &sizes, &bytes))
            }
            Place::Npz => return through("rows.npz"),
            Place::Parquet => return through("rows.parquet"),
            Place::Text(has_names, separator) => ("rows.csv", self.text(has_names, separator)),
        };
        fs::write(at(name), bytes).unwrap();
        Some(at(name))
    }

    #[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
    fn big_endian(&self, number: f64) -> Vec<u8> {
        let integer = number as i64;
        let bytes = integer.to_be_bytes();
        match self.element_type {
            ElementType::F32 => (number as f32).to_be_bytes().to_vec(),
            ElementType::F64 => number.to_be_bytes().to_vec(),
            integer => bytes[8 - integer.size()..].to_vec(),
        }
    }

    fn descr(&self) -> String {
        let word = match self.element_type {
            ElementType::U8 => 'u',
            ElementType::F32 | ElementType::F64 => 'f',
            _ => 'i',
        };
        let order = if self.element_type.size() == 1 { '|' } else { '>' };
        format!("{order}{word}{}", self.element_type.size())
    }

    /// Returns the rows as NumPy and pandas write them.
    fn text(&self, has_names: bool, separator: char) -> Vec<u8> {
        let mut text = String::new();
        if has_names {
            let names: Vec<String> = (0..self.width()).map(|column| format!("c{column}")).collect();
            writeln!(text, "{}", names.join(&separator.to_string())).unwrap();
        }
        for (index, row) in self.rows.iter().enumerate() {
            let number = |number: &f64| match (self.element_type, index % 2) {
                (ElementType::F32, _) => format!("{number:?}"),
                (ElementType::F64, 0) => format!("{number:.3e}"),
                _ => number.to_string(),
            };
            let row: Vec<String> = row.iter().map(number).collect();
            writeln!(text, "{}", row.join(&separator.to_string())).unwrap();
        }
        text.into_bytes()
    }

    fn labels(&self, path: &Path) -> Result<Source, Error> {
        let images = OpenOptions::new().labels(false).open(path.with_file_name("images"))?;
        let mut options = OpenOptions::new().as_labels_of(images.facts());
        if let Some(column) = self.column {
            options = options.label_column(column);
        }
        if let Place::Text(has_names, _) = self.place {
            options = options.header(has_names);
        }
        images.with_labels(options.open(path)?)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
fn whole(number: f64) -> Option<i128> {
    (number.fract() == 0.0).then_some(number as i128)
}

fn one_hot(row: &[f64]) -> Option<i128> {
    let mut others = (0..).zip(row).filter(|(_, number)| **number != 0.0);
    let (position, number) = others.next()?;
    (*number == 1.0 && others.next().is_none()).then_some(position)
}

/// The labels of a source up to its error.
fn read(source: Result<Source, Error>) -> (Vec<i128>, Option<Error>) {
    let (mut labels, mut record) = (Vec::new(), Record::default());
    let mut source = match source {
        Ok(source) => source,
        Err(error) => return (labels, Some(error)),
    };
    loop {
        match source.read(&mut record) {
            Ok(true) => labels.extend(record.label),
            Ok(false) => return (labels, None),
            Err(error) => return (labels, Some(error)),
        }
    }
}

/// Generates rows that are one-hot, QMNIST's, or any small numbers, some with one number that does not fit.
fn rows() -> impl Strategy<Value = Rows> {
    let types = select(ElementType::ALL.to_vec());
    let separators = select(vec![',', ' ', '\t', ';']);
    let place = prop_oneof![
        1 => Just(Place::Idx),
        1 => Just(Place::Gzip),
        1 => Just(Place::Npy),
        1 => Just(Place::Npz),
        1 => Just(Place::Parquet),
        2 => (any::<bool>(), separators).prop_map(|(names, separator)| {
            // Words with spaces between them are not names of columns.
            Place::Text(names && separator != ' ', separator)
        }),
    ];
    let kind = select(vec![0, 1, 2]);
    let widths = select(vec![1_usize, 2, 3, 8, 10]);
    let numbers = vec(0_u8..10, 6 * 10);
    let wrong = proptest::option::of((any::<Index>(), any::<Index>(), select(vec![0.5, 1.0, 2.0])));
    let column = prop_oneof![3 => Just(None), 1 => (0_usize..11).prop_map(Some)];
    (types, kind, widths, 1_usize..6, numbers, wrong, column, place).prop_map(
        |(element_type, kind, width, count, numbers, wrong, column, place)| {
            let mut numbers = numbers.into_iter().map(f64::from);
            let mut row = || {
                let mut row: Vec<f64> = numbers.by_ref().take(width).collect();
                if kind == 0 && width > 1 {
                    let hot = numbers_sum(&row) % width;
                    row.iter_mut()
                        .enumerate()
                        .for_each(|(at, number)| *number = f64::from(u8::from(at == hot)));
                }
                row
            };
            let mut rows: Vec<Vec<f64>> = (0..count).map(|_| row()).collect();
            if let Some((row, cell, mut number)) = wrong {
                if !element_type.is_float() {
                    number = f64::ceil(number);
                }
                rows[row.index(count)][cell.index(width)] = number;
            }
            Rows { element_type, rows, column, place }
        },
    )
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small"
)]
fn numbers_sum(row: &[f64]) -> usize {
    row.iter().sum::<f64>() as usize
}

/// Pictures, and a table with their labels in any order.
#[derive(Clone, Debug)]
struct Named {
    /// The names of the pictures without their extension, in their order, and their labels.
    pictures: Vec<(String, String)>,
    /// The order of the lines.
    order: Vec<Index>,
    has_ending: bool,
    has_folder: bool,
    has_names: bool,
    /// A line too many, one too few, or one that occurs twice.
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Missing,
    Unknown,
    Twice,
}

impl Named {
    /// The labels of the pictures in their order, with the class names.
    fn model(&self) -> Result<Vec<(i128, Option<String>)>, &'static str> {
        if let Some(fault) = self.fault {
            return Err(match fault {
                Fault::Missing => "has no label here",
                Fault::Unknown => "there is no ",
                Fault::Twice => "two lines have a label for",
            });
        }
        let labels: Vec<&str> = self.pictures.iter().map(|(_, label)| label.as_str()).collect();
        let numbers: Vec<Option<i128>> =
            labels.iter().map(|label| label.parse::<f64>().ok().and_then(whole)).collect();
        let is_word = |label: &&str| label.parse::<f64>().is_err();
        if labels.iter().any(is_word) {
            // Numbers next to words are words.
            let mut words = labels.clone();
            words.sort_unstable();
            words.dedup();
            if words.len() > 2 && words.iter().filter(|word| is_word(word)).count() == 1 {
                return Err("all others are numbers");
            }
            let number = |word: &str| (0..).zip(&words).find(|(_, known)| **known == word).unwrap();
            return Ok(labels
                .iter()
                .map(|word| (number(word).0, Some((*word).to_string())))
                .collect());
        }
        let numbers: Option<Vec<i128>> = numbers.into_iter().collect();
        let numbers = numbers.ok_or("a whole number")?;
        Ok(numbers.into_iter().map(|number| (number, None)).collect())
    }

    fn write(&self, folder: &Path) {
        let count = u32::try_from(self.pictures.len()).unwrap();
        let pixels: Vec<u8> = (0..).take(self.pictures.len()).collect();
        let images = folder.join("own-images-idx3-ubyte");
        fs::write(&images, file(8, &[count, 1, 1], &pixels)).unwrap();
        open(&images).unwrap().write(folder.join("p/")).unwrap();
        let mut written: Vec<PathBuf> =
            fs::read_dir(folder.join("p")).unwrap().map(|entry| entry.unwrap().path()).collect();
        written.sort();
        for ((name, _), path) in self.pictures.iter().zip(written) {
            fs::rename(path, folder.join(format!("p/{name}.png"))).unwrap();
        }
        let mut lines: Vec<String> =
            self.pictures.iter().map(|(name, label)| self.line(name, label)).collect();
        match self.fault {
            Some(Fault::Missing) => drop(lines.pop()),
            Some(Fault::Twice) => lines.push(lines[0].clone()),
            Some(Fault::Unknown) => lines.push(self.line("nobody", "1")),
            None => {}
        }
        for (at, to) in self.order.iter().enumerate() {
            let (at, to) = (at % lines.len(), to.index(lines.len()));
            lines.swap(at, to);
        }
        if self.has_names {
            lines.insert(0, "file,label".to_string());
        }
        fs::write(folder.join("p/labels.csv"), lines.join("\n")).unwrap();
    }

    fn line(&self, name: &str, label: &str) -> String {
        let folder = if self.has_folder { "some/p/" } else { "" };
        let ending = if self.has_ending { ".png" } else { "" };
        format!("{folder}{name}{ending},{label}")
    }
}

fn named() -> impl Strategy<Value = Named> {
    let fault = prop_oneof![
        6 => Just(None),
        1 => Just(Some(Fault::Missing)),
        1 => Just(Some(Fault::Unknown)),
        1 => Just(Some(Fault::Twice)),
    ];
    let numbers = select(vec!["0", "1", "7", "3.0", "5.000e+00"]);
    let words = select(vec!["cat", "dog", "an owl"]);
    let label = move |kind: u8| match kind {
        0 | 1 => numbers.clone().boxed(),
        2 | 3 => words.clone().boxed(),
        _ => prop_oneof![4 => numbers.clone(), 1 => words.clone(), 1 => Just("0.5")].boxed(),
    };
    // In the order of the pictures: 2 before 10.
    let names = proptest::sample::subsequence(vec!["2", "10", "a1", "a02", "a10", "b"], 2..6);
    let labels = (0_u8..6).prop_flat_map(move |kind| vec(label(kind), 6));
    (names, labels, vec(any::<Index>(), 6), any::<[bool; 3]>(), fault).prop_map(
        |(names, labels, order, [has_ending, has_folder, has_names], fault)| Named {
            pictures: names
                .into_iter()
                .zip(labels)
                .map(|(name, label)| (name.into(), label.into()))
                .collect(),
            order,
            has_ending,
            has_folder,
            has_names,
            fault,
        },
    )
}

/// A list of the class names.
#[derive(Clone, Debug)]
struct List {
    names: BTreeMap<u8, &'static str>,
    form: Form,
    ends: &'static str,
    /// A line without its number, or a name that occurs twice.
    fault: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// Names only, which are counted from 0.
    Plain,
    /// Names behind their numbers, with this separator.
    Numbered(&'static str),
    /// Code points, as EMNIST has them.
    CodePoints,
    /// A table whose first line names the columns.
    Table(char),
}

impl List {
    fn model(&self) -> Result<Vec<(i128, String)>, &'static str> {
        match self.fault {
            Some(true) => Err("two classes have the name"),
            Some(false) if self.form != Form::Plain && !matches!(self.form, Form::Table(_)) => {
                Err("number all lines, or none")
            }
            _ => {
                let names = self.names.values().map(|name| self.shown(name));
                Ok(match self.form {
                    Form::Plain => (0..).zip(names).collect(),
                    _ => self.names.keys().map(|key| i128::from(*key)).zip(names).collect(),
                })
            }
        }
    }

    /// Returns a name as it is read: a character where the list has only its code point.
    fn shown(&self, name: &str) -> String {
        match self.form {
            Form::CodePoints => name.chars().take(1).collect(),
            _ => name.to_string(),
        }
    }

    fn text(&self) -> String {
        let mut entries: Vec<(u8, &str)> =
            self.names.iter().map(|(key, name)| (*key, *name)).collect();
        if self.fault == Some(true) {
            entries.push((99, entries[0].1));
        }
        let line = |(key, name): &(u8, &str)| match self.form {
            Form::Plain => (*name).to_string(),
            Form::Numbered(between) => format!("{key}{between}{name}"),
            Form::CodePoints => format!("{key} {}", u32::from(name.chars().next().unwrap())),
            Form::Table(separator) => {
                let code = u32::from(name.chars().next().unwrap());
                format!("{key}{separator}U+{code:04X}{separator}{name}")
            }
        };
        let mut lines: Vec<String> = entries.iter().map(line).collect();
        if let Form::Table(separator) = self.form {
            lines.insert(0, ["index", "codepoint", "char"].join(&separator.to_string()));
        }
        if self.fault == Some(false) && self.model().is_err() {
            lines.push("lonely".to_string());
        }
        lines.join(self.ends) + self.ends
    }
}

fn list() -> impl Strategy<Value = List> {
    let words = vec!["cat", "dog", "hot dog", "é", "お", "zebra", "T-shirt/top"];
    let names = proptest::sample::subsequence(words, 1..7).prop_shuffle();
    let forms = vec![
        Form::Plain,
        Form::Numbered(" "),
        Form::Numbered(","),
        Form::Numbered("\t"),
        Form::Numbered(": "),
        Form::Numbered(". "),
        Form::CodePoints,
        Form::Table(','),
        Form::Table(';'),
        Form::Table('\t'),
    ];
    let fault = prop_oneof![4 => Just(None), 1 => any::<bool>().prop_map(Some)];
    (names, vec(0_u8..60, 7), select(forms), select(vec!["\n", "\r\n"]), fault).prop_map(
        |(names, keys, form, ends, fault)| List {
            names: keys.into_iter().zip(names).collect(),
            form,
            ends,
            fault,
        },
    )
}

proptest! {
    #![proptest_config(crate::cases::config())]

    #[test]
    fn rows_of_numbers_are_the_labels_that_a_model_chooses(rows in rows()) {
        let folder = tempfile::tempdir().unwrap();
        if let Some(path) = rows.write(folder.path()) {
            let (expected, refused) = rows.model();
            let (labels, error) = read(rows.labels(&path));
            // A question about rows that are not labels comes before the first is read.
            if let Some(ErrorKind::Question { .. }) = error.as_ref().map(Error::kind) {
                // Another column may seem to number the records in another order.
                let is_asked = error.as_ref().is_some_and(|error| error.to_string().contains("may be in another order"));
                prop_assert!(labels.is_empty() && (refused.is_some() || is_asked), "{error:?}");
                return Ok(());
            }
            let found = error.as_ref().map(|error| {
                (error.kind().code(), error.position().map(|position| position.record))
            });
            // Labels are decoded some at a time, so an error may hide a few labels before it.
            match rows.place == Place::Parquet && error.is_some() {
                true => prop_assert!(expected.starts_with(&labels), "{error:?}"),
                false => prop_assert_eq!(&labels, &expected, "{:?}", error),
            }
            prop_assert_eq!(found, refused, "{:?}", error);
            if let Some(error) = error {
                prop_assert_eq!(error.path(), Some(&*path), "{}", error);
            }
        }
    }

    #[test]
    fn a_picture_has_the_label_of_its_name(named in named()) {
        let folder = tempfile::tempdir().unwrap();
        named.write(folder.path());
        let path = folder.path().join("p");
        let source = OpenOptions::new().open(&path);
        let classes = source.as_ref().ok().and_then(|source| source.facts().classes.clone());
        let (labels, error) = read(source);
        match (named.model(), error) {
            (Ok(expected), None) => {
                let name = |label: i128| classes.as_ref()?.name(label).map(str::to_string);
                let found: Vec<_> = labels.into_iter().map(|label| (label, name(label))).collect();
                prop_assert_eq!(found, expected);
            }
            (Err(what), Some(error)) => {
                // If there are two faults, the error may name either.
                let has_fraction = named.pictures.iter().any(|(_, label)| label == "0.5");
                let text = error.to_string();
                // A line above the others that names no picture, or a word, may name the columns.
                let is_header = named.fault == Some(Fault::Unknown)
                    && (text.contains("line 1") || text.contains("does not name the pictures"));
                let is_said = text.contains(what)
                    || is_header
                    || has_fraction && text.contains("a whole number");
                prop_assert!(labels.is_empty() && is_said, "{error}");
                prop_assert!(error.path().is_some_and(|found| found.starts_with(&path)), "{error}");
            }
            (expected, error) => prop_assert!(false, "{expected:?}, but {labels:?}, {error:?}"),
        }
    }

    #[test]
    fn a_list_names_the_classes_that_its_numbers_say(list in list()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.txt");
        fs::write(&path, list.text()).unwrap();
        match (list.model(), ClassNames::open(&path)) {
            (Ok(expected), Ok(names)) => {
                let found: Vec<_> =
                    names.iter().map(|(label, name)| (label, name.to_string())).collect();
                prop_assert_eq!(found, expected);
            }
            (Err(what), Err(error)) => prop_assert!(error.to_string().contains(what), "{error}"),
            (expected, found) => prop_assert!(false, "{expected:?}, but {found:?}"),
        }
    }
}
