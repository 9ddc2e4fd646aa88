//! Checks of tables with the labels of pictures.

use std::collections::HashMap;
use std::path::Path;

use csv::{ReaderBuilder, Trim};
use idx_data::{ErrorKind, Record};

use super::csv::{ends_within_quotes, first_line, is_text, whole};
use super::data::options;

/// The pictures that are labeled.
pub(super) const NAMES: [&str; 3] = ["0.png", "1.png", "a b.png"];

/// A table of names and labels is accepted if and only if it has one label for each picture and no other, as the csv crate
/// reads it. A line names a picture by the end of its path: `0.png` or `train/0.png` for `set/train/0.png`, but
/// not `test/0.png` or `/0.png`, which are other files.
///
/// # Panics
///
/// If not.
pub fn labels_csv(input: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    for name in NAMES {
        std::fs::write(folder.path().join(name), DOT).expect("a picture");
    }
    std::fs::write(folder.path().join("labels.csv"), input).expect("a file");
    let source = match options().open(folder.path()) {
        Ok(source) => Some(source),
        Err(error) if matches!(error.kind(), ErrorKind::Disabled { .. }) => return,
        Err(_) => None,
    };
    let readings = source.iter().flat_map(|source| source.reading().inputs());
    let are_in_order = readings
        .map(ToString::to_string)
        .any(|reading| reading.contains("a line for each picture"));
    let labels = source.map(|mut source| {
        let mut record = Record::default();
        let mut labels = vec![];
        while source.read(&mut record).expect("a good picture") {
            labels.push(record.label.expect("a label"));
        }
        let name = |label: &i128| {
            source
                .facts()
                .classes
                .as_ref()
                .map(|classes| classes.name(*label).expect("a class").to_string())
        };
        labels
            .iter()
            .map(|label| name(label).unwrap_or_else(|| label.to_string()))
            .collect::<Vec<String>>()
    });
    match (labels, expect(input)) {
        (Some(labels), None) => expect_in_lines(&labels, are_in_order, input),
        (labels, expected) => assert_eq!(labels, expected),
    }
}

/// Lists of other forms are read as well, with more columns or without names of the columns: each picture has a label of a
/// line that names it, unless each line is the label of a picture.
fn expect_in_lines(labels: &[String], are_in_order: bool, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let is_separator = |letter: char| ",;|\t\r\n \"".contains(letter);
    for (name, label) in NAMES.iter().zip(labels) {
        let stem = name.trim_end_matches(".png");
        let number = |cell: &str| whole(cell).map(|number| number.to_string());
        let has_label = |line: &str| {
            let mut cells = line.split(is_separator).map(str::trim);
            line.contains(label.as_str()) || cells.any(|cell| number(cell).as_ref() == Some(label))
        };
        // A cell in quotes may have several lines, and its label none of them.
        let is_named = label.contains(['\n', '\r', '"'])
            || are_in_order && text.contains('"')
            || text.lines().any(|line| (are_in_order || line.contains(stem)) && has_label(line));
        assert!(is_named, "{name} has the label {label} of no line");
    }
}

/// The label of each picture.
fn expect(text: &[u8]) -> Option<Vec<String>> {
    let is_utf8 = str::from_utf8(text).is_ok();
    let separator = separator(text);
    if !is_utf8 || !is_text(first_line(text)) || ends_within_quotes(text, separator) {
        return None;
    }
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .trim(Trim::All)
        .from_reader(text);
    let (mut labels, mut label_name) = (HashMap::new(), String::new());
    for (number, line) in reader.byte_records().enumerate() {
        let line = line.expect("memory");
        let fields: Vec<_> = line.iter().map(String::from_utf8_lossy).collect();
        // Of the same file, such as `./0.png`.
        let path = |name: &str| Path::new("folder").join(name);
        if number == 0 {
            // The names of the columns: words. Others may be a picture that is missing, or its label.
            let is_word = |name: &str| {
                let has_extension = Path::new(name).extension().is_some();
                !name.is_empty() && !has_extension && name.parse::<f64>().is_err()
            };
            let [name, label] = &fields[..] else { return None };
            if ![name, label].into_iter().all(|name| is_word(name)) {
                return None;
            }
            label_name = label.to_string();
            continue;
        }
        let [name, label] = &fields[..] else {
            return None;
        };
        // The first line has a label, too.
        if label.is_empty()
            || **label == label_name
            || labels.insert(path(name), label.to_string()).is_some()
        {
            return None;
        }
    }
    let is_number = |label: &&String| label.parse::<f64>().is_ok();
    let numbers = labels.values().filter(is_number).count();
    let are_whole = labels.values().filter(is_number).all(|label| whole(label).is_some());
    let is_one_kind = are_whole && (numbers == 0 || numbers == labels.len());
    // A label may be several others, and a mark may stand for none.
    let is_plain = |label: &String| {
        !label.contains(['|', ';', ',', ' ']) && label.contains(char::is_alphanumeric)
    };
    let are_plain = labels.values().all(is_plain);
    let of = |name| labels.remove(&Path::new("folder").join(name));
    let found: Option<Vec<String>> = NAMES.iter().map(of).collect();
    if !labels.is_empty() {
        return None; // labels of no picture
    }
    // A number is a label in any notation.
    let label = |label: String| whole(&label).map_or(label, |number| number.to_string());
    let labels = found?.into_iter().map(label).collect();
    (is_one_kind && are_plain).then_some(labels)
}

/// Returns the comma if the first line with anything has one, or else the tab, or else the semicolon, with something
/// behind it.
fn separator(text: &[u8]) -> u8 {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let empty = text.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let line = first_line(&text[empty..]).trim_ascii_end();
    [b',', b'\t', b';'].into_iter().find(|found| line.contains(found)).unwrap_or(b',')
}

/// A picture of one pixel.
const DOT: &[u8] = include_bytes!("../../fuzz/pictures/gray.png");
