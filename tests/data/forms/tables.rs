//! Tables: records with labels, lists of the labels of pictures, and sets of both.

use fastrand::Rng;

use super::trees::{picture, sorted};
use super::{Form, Pair, Parts, number, one};

/// The names of columns that say that they are the label.
const LABELS: [&str; 5] = ["label", "Label", "class", "target", "LABEL"];

/// The labels of a table: all are numbers, or one is a word.
const CLASSES: [&[&str]; 5] = [
    &["0", "1", "5"],
    &["cat", "dog", "eel"],
    &["A", "7", "b"],
    &["n01440764", "n02110185"],
    &["Iris-setosa", "Iris-virginica"],
];

/// The style in which a table is written.
struct Style {
    separator: &'static str,
    end: &'static str,
    is_quoted: bool,
    has_mark: bool,
    has_comment: bool,
}

impl Style {
    fn of(random: &mut Rng) -> Self {
        Self {
            separator: one(random, &[",", ",", "\t", ";", " "]),
            end: one(random, &["\n", "\n", "\r\n"]),
            is_quoted: random.u8(..8) == 0,
            has_mark: random.u8(..16) == 0,
            has_comment: random.u8(..16) == 0,
        }
    }

    fn line(&self, cells: &[String]) -> String {
        let cells = cells.iter().map(|cell| match self.is_quoted {
            true => format!("\"{cell}\""),
            false => cell.clone(),
        });
        cells.collect::<Vec<_>>().join(self.separator) + self.end
    }

    fn text(&self, lines: &[Vec<String>]) -> Vec<u8> {
        let mark = if self.has_mark { "\u{FEFF}" } else { "" };
        let comment = if self.has_comment { "# made by hand\n" } else { "" };
        let lines: String = lines.iter().map(|cells| self.line(cells)).collect();
        format!("{mark}{comment}{lines}").into_bytes()
    }
}

/// The columns of a table.
struct Columns {
    /// The names of the numbers of a record; without names there is no header.
    names: Option<Vec<String>>,
    /// The labels, and the name of their column; they are first or last.
    label: Option<(&'static [&'static str], &'static str)>,
    is_label_first: bool,
    /// The name of the column of row numbers, and the first of them.
    row_numbers: Option<(&'static str, usize)>,
    width: usize,
}

impl Columns {
    fn of(random: &mut Rng) -> Self {
        let width = one(random, &[1, 2, 3, 4, 5, 9, 16]);
        let named = |start: &str| (1..=width).map(|index| format!("{start}{index}")).collect();
        let names = match random.u8(..7) {
            0 | 1 => None,
            2 => Some(named("V")),
            3 => Some((0..width).map(|index| format!("pixel{index}")).collect()),
            4 => Some(named("1x")),
            5 => Some((0..width).map(|index| index.to_string()).collect()),
            _ => Some(named("length ")),
        };
        let is_named = names.is_some();
        let label = (random.u8(..4) > 0).then(|| {
            let name = one(random, &LABELS);
            let name =
                if random.u8(..8) == 0 { one(random, &["species", "class_id"]) } else { name };
            (one(random, &CLASSES), name)
        });
        let row_numbers = (random.u8(..6) == 0).then(|| {
            one(random, &[("", 0), ("Unnamed: 0", 0), ("id", 1), ("index", 0), ("Id", 1)])
        });
        Self {
            names,
            label,
            is_label_first: random.bool(),
            row_numbers: row_numbers.filter(|_| is_named || random.u8(..4) == 0),
            width,
        }
    }

    fn header(&self) -> Option<Vec<String>> {
        let names = self.names.clone()?;
        let label = self.label.map(|(_, name)| name.to_string());
        Some(self.line(self.row_numbers.map(|(name, _)| name.to_string()), label, names))
    }

    fn line(
        &self,
        row_number: Option<String>,
        label: Option<String>,
        numbers: Vec<String>,
    ) -> Vec<String> {
        let (first, last) = if self.is_label_first { (label, None) } else { (None, label) };
        row_number.into_iter().chain(first).chain(numbers).chain(last).collect()
    }

    /// Returns whether the names say what each column is.
    fn are_clear(&self) -> bool {
        let is_label_clear = self.label.is_none_or(|(_, name)| LABELS.contains(&name));
        let are_counted = self.names.as_ref().is_some_and(|names| names[0] == "0");
        self.names.is_some() && is_label_clear && (!are_counted || self.label.is_some())
    }
}

/// Random records: numbers, and labels, each of which occurs.
fn draw(random: &mut Rng, width: usize, classes: Option<&[&str]>) -> Vec<Pair> {
    let count = if random.u8(..64) == 0 { random.usize(900..2500) } else { random.usize(1..10) };
    let kind = random.u8(..3);
    let mut pairs: Vec<Pair> = (0..count)
        .map(|_| {
            let numbers = (0..width).map(|_| match kind {
                0 => random.u8(..10).to_string(),
                1 => random.u8(..).to_string(),
                _ => number(&format!("{}.{}", random.u8(..8), random.u8(..100))),
            });
            (numbers.collect(), classes.map(|classes| one(random, classes).to_string()))
        })
        .collect();
    // Many tables are sorted by class, so that their first rows have one label.
    if random.bool() {
        pairs.sort_by(|(_, one), (_, other)| one.cmp(other));
    }
    pairs
}

fn lines(columns: &Columns, pairs: &[Pair]) -> Vec<Vec<String>> {
    let header = columns.header().into_iter();
    let rows = pairs.iter().enumerate().map(|(index, (numbers, label))| {
        let row_number = columns.row_numbers.map(|(_, first)| (first + index).to_string());
        columns.line(row_number, label.clone(), numbers.clone())
    });
    header.chain(rows).collect()
}

/// Returns the records if each cell is read as a number, with the row numbers and without.
fn plain(columns: &Columns, pairs: &[Pair]) -> Vec<Parts> {
    let rows = pairs.iter().enumerate().map(|(index, (numbers, label))| {
        let row_number = columns.row_numbers.map(|(_, first)| (first + index).to_string());
        columns.line(row_number, label.clone(), numbers.clone())
    });
    let skip = usize::from(columns.row_numbers.is_some());
    let unlabeled = |row: &[String]| {
        let are_numbers = row.iter().all(|cell| cell.parse::<f64>().is_ok());
        are_numbers.then(|| (row.iter().map(|cell| number(cell)).collect(), None))
    };
    let all: Option<Vec<Pair>> = rows.clone().map(|row| unlabeled(&row)).collect();
    let others: Option<Vec<Pair>> = rows.map(|row| unlabeled(&row[skip..])).collect();
    [all, others].into_iter().flatten().map(one_part).collect()
}

fn one_part(pairs: Vec<Pair>) -> Parts {
    Parts::from([(String::new(), pairs)])
}

/// A table of records.
pub(super) fn table(random: &mut Rng) -> Form {
    let (mut style, mut columns) = (Style::of(random), Columns::of(random));
    let has_spaces = |name: &String| name.contains(' ') || name.is_empty();
    if columns.header().iter().flatten().any(has_spaces) && style.separator == " " {
        style.separator = ",";
    }
    let pairs = draw(random, columns.width, columns.label.map(|(classes, _)| classes));
    // Two rows, or a single column, do not show that unnamed numbers count the rows.
    if columns.names.is_none() && (pairs.len() < 3 || columns.width < 2) {
        columns.row_numbers = None;
    }
    let name = if style.separator == "\t" { "t.tsv" } else { "t.csv" };
    Form {
        files: vec![(name.to_string(), style.text(&lines(&columns, &pairs)))],
        inputs: vec![name],
        labels_in_names: None,
        plain: if columns.are_clear() { Vec::new() } else { plain(&columns, &pairs) },
        parts: one_part(pairs),
        is_in_order: true,
    }
}

/// Pictures in a folder, and a list of their labels in it.
pub(super) fn list_of_labels(random: &mut Rng) -> Form {
    let style = Style::of(random);
    let classes = one(random, &CLASSES);
    let count = random.u8(3..12);
    let mut keys: Vec<u8> = (1..=count).collect();
    let pairs: Vec<Pair> = keys
        .iter()
        .map(|key| {
            (
                vec![key.to_string(), random.u8(..).to_string()],
                Some(one(random, classes).to_string()),
            )
        })
        .collect();
    let mut files: Vec<(String, Vec<u8>)> =
        pairs.iter().map(|(pixels, _)| (format!("p/{}.png", pixels[0]), picture(pixels))).collect();
    random.shuffle(&mut keys);
    let (ending, names) = one(
        random,
        &[
            (".png", Some(["file", "label"])),
            (".png", Some(["image", "class"])),
            (".png", None),
            ("", Some(["id", "label"])),
            ("", None),
        ],
    );
    let is_label_first = random.u8(..4) == 0;
    let ordered =
        |one: String, two: String| if is_label_first { vec![two, one] } else { vec![one, two] };
    let header = names.map(|[key, label]| ordered(key.to_string(), label.to_string()));
    let lines = keys.iter().map(|key| {
        let (_, label) = &pairs[usize::from(*key) - 1];
        ordered(format!("{key}{ending}"), label.clone().unwrap())
    });
    let mut lines: Vec<Vec<String>> = header.into_iter().chain(lines).collect();
    // A number of lines, as CelebA has it, is asked about.
    if random.u8(..16) == 0 {
        lines.insert(0, vec![count.to_string()]);
    }
    files.push(("p/labels.csv".to_string(), style.text(&lines)));
    Form {
        files,
        inputs: vec!["p"],
        labels_in_names: None,
        parts: one_part(sorted(pairs)),
        plain: Vec::new(),
        is_in_order: false,
    }
}

/// Tables of some parts, or several inputs, with one list of classes; a table may lack some of them.
pub(super) fn set_of_tables(random: &mut Rng) -> Form {
    let style = Style { separator: ",", ..Style::of(random) };
    let classes = one(random, &CLASSES);
    let columns = Columns {
        names: Some(vec!["V1".to_string(), "V2".to_string()]),
        label: Some((classes, one(random, &LABELS))),
        is_label_first: random.bool(),
        row_numbers: None,
        width: 2,
    };
    let names: &[(&str, &str)] = one(
        random,
        &[
            &[("train", "train"), ("test", "test")][..],
            &[("digits_train", "train"), ("digits_test", "test")],
            &[("train", "train"), ("val", "val"), ("test", "test")],
            &[("Training", "train"), ("Testing", "test")],
        ],
    );
    let (mut files, mut parts) = (Vec::new(), Parts::new());
    for (name, part) in names {
        // All numbers or all words, in each part by itself.
        let is_mixed = classes.contains(&"7");
        let first = if is_mixed { 0 } else { random.usize(..classes.len() - 1) };
        let mut pairs = draw(random, 2, Some(&classes[first..]));
        if is_mixed {
            pairs.push((vec!["1".to_string(), "2".to_string()], Some("b".to_string())));
        }
        files.push((format!("s/{name}.csv"), style.text(&lines(&columns, &pairs))));
        parts.insert(part.to_string(), pairs);
    }
    Form {
        files,
        inputs: vec!["s"],
        labels_in_names: None,
        parts,
        plain: Vec::new(),
        is_in_order: true,
    }
}
