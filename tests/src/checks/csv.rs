//! Checks of csv against the csv crate and the numbers of the standard library.

use std::io::{self, Read};

use csv::{ByteRecord, Reader, ReaderBuilder, Trim};
use idx_core::ElementType;
use idx_data::{
    CreateOptions, DType, Error, ErrorKind, Facts, OpenOptions, Record, RecordLayout, Sink,
};
use idx_std::FileSignature;

use super::input::Input;

/// Lines of numbers are the records that the csv crate and the standard library make of them, and the
/// records are written as the numbers that the standard library writes.
///
/// Draws the element type, whether there are names, labels and a shape, and the pieces in which the rest arrives.
///
/// # Panics
///
/// If they differ.
pub fn csv(input: &[u8]) {
    let mut input = Input::new(input);
    let element_type = ElementType::ALL[usize::from(input.byte() % 6)];
    let way = input.byte();
    let labels = way & 2 != 0;
    let shape = (way & 4 != 0).then(|| vec![2]);
    let header = way & 1 == 1;
    let way = Way { element_type, header, labels, shape };
    let lengths = input.list().to_vec();
    let text = input.rest();
    let binary = [&[0, 0][..], &[0x1F, 0x8B], b"PAR1"]; // IDX, gzip, Parquet
    if binary.into_iter().any(|start| text.starts_with(start))
        || FileSignature::detect(text).is_some()
    {
        return; // opened as what it is
    }
    if !is_plain(text, &way) {
        return; // the rules of reading have more readings, and tests of their own
    }
    let slow = Slow { bytes: io::Cursor::new(text.to_vec()), lengths, next: 0 };
    let mut records = vec![];
    let error = read(slow, &way, &mut records).err();
    let mut expected = vec![];
    let is_good =
        is_text(first_line(text)) && expect(&with_one_space(text), &way, &mut expected).is_some();
    assert_eq!(error.is_none(), is_good, "{error:?}");
    // What is asked about, or is wrong within the sample, is an error before the first record.
    match error.as_ref().map(Error::kind) {
        Some(ErrorKind::Question { .. }) => assert!(records.is_empty(), "{error:?}"),
        _ => assert_eq!(records, expected),
    }
    if let Some(first) = records.first() {
        let columns = first.bytes.len() / element_type.size();
        let columns = u32::try_from(columns).expect("a short line");
        write(&records, &RecordLayout::new(element_type, &[0, columns]));
    }
}

/// Returns whether a text is lines of numbers with one separator, so that with its options it has one reading. Line 1
/// may have any words as names of the columns, but for the first, which is empty above an index.
fn is_plain(text: &[u8], way: &Way) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE,;\t \"".contains(byte);
    let mut lines = text.split(is_end).filter(|line| !line.is_empty());
    let names = if way.header { lines.next().unwrap_or_default() } else { b"" };
    let first_name = names.split(|byte| separator(text) == *byte).next().unwrap_or_default();
    let is_index = way.header && first_name.trim_ascii().is_empty();
    // Labels may be words.
    let is_of_number = |byte: &u8| is_of_number(byte) && !(way.labels && *byte == b'"');
    let has = |byte: &u8| text.contains(byte);
    let separators = b",;\t ".iter().filter(|byte| has(byte)).count();
    // Row names have no name of their own above them.
    let mut widths = reader_of(text).into_byte_records().take(2).flatten().map(|line| line.len());
    let is_first_short = widths.next().map(|first| first + 1) == widths.next();
    let is_first_short = is_first_short && !text.is_empty();
    // Names above no lines may be one or several, and one name above several columns is no header.
    let is_separated = |line: &[u8]| line.iter().any(|byte| b",;\t ".contains(byte));
    let mut below = lines.clone().filter(|line| !line.trim_ascii().is_empty()).peekable();
    let are_alone =
        way.header && (below.peek().is_none() || !is_separated(names) && below.any(is_separated));
    // A last column without a name and values is none, in quotes as well.
    let mut last = text.iter().rev().filter(|byte| !is_end(byte) && **byte != b' ');
    let has_empty_end = match last.next() {
        Some(b'"') if last.next() == Some(&b'"') => last.next(),
        last => last,
    };
    let has_empty_end = has_empty_end.is_some_and(|byte| b",;\t".contains(byte));
    // Between spaces, there is no empty cell.
    let mut tabs = text.split(|byte| *byte == b'\t').skip(1);
    let is_space = |byte: &u8| *byte == b' ';
    let has_empty_cell =
        tabs.any(|cell| cell.iter().take_while(|byte| !is_end(byte)).all(is_space));
    // A label that is no number is a word.
    let cells = reader_of(text).into_byte_records().skip(usize::from(way.header)).flatten();
    let mut cells = cells.filter_map(|line| line.get(0).map(|cell| cell.to_vec()));
    let is_number = |cell: &Vec<u8>| {
        let cell = String::from_utf8_lossy(cell);
        cell.is_empty() || cell.parse::<f64>().is_ok()
    };
    let has_words = way.labels && !cells.all(|cell| is_number(&cell));
    separators <= 1
        && !has_words
        && !is_first_short
        && !is_index
        && !names.iter().any(|byte| b"#|".contains(byte))
        && str::from_utf8(names).is_ok()
        && !has_empty_end
        && !are_alone
        && !has_empty_cell
        && !(has(&b'"') && has(&b' '))
        && lines.all(|line| line.iter().all(is_of_number))
}

/// Bytes that arrive in pieces of the lengths in `lengths`, again and again.
struct Slow {
    bytes: io::Cursor<Vec<u8>>,
    lengths: Vec<u8>,
    next: usize,
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.lengths.iter().cycle().nth(self.next);
        self.next = (self.next + 1) % self.lengths.len().max(1);
        let most = length.map_or(usize::MAX, |length| usize::from(*length).max(1));
        let most = buffer.len().min(most);
        self.bytes.read(&mut buffer[..most])
    }
}

/// The options by which the text is read.
struct Way {
    element_type: ElementType,
    /// True if the first line has names.
    header: bool,
    /// True if the first column has them.
    labels: bool,
    shape: Option<Vec<u32>>,
}

fn read(text: Slow, way: &Way, records: &mut Vec<Record>) -> Result<(), Error> {
    let mut options =
        OpenOptions::new().element_type(way.element_type).header(way.header).labels(way.labels);
    if let Some(shape) = &way.shape {
        options = options.shape(shape.clone());
    }
    if way.labels {
        options = options.label_column(0);
    }
    // Nothing is left out.
    options = options.skip(Vec::new());
    let mut source = options.open_stream("lines.csv", Box::new(text))?;
    let mut record = Record::default();
    while source.read(&mut record)? {
        records.push(record.clone());
    }
    Ok(())
}

/// The records up to the first error; `None` if there is one.
fn expect(text: &[u8], options: &Way, records: &mut Vec<Record>) -> Option<()> {
    let mut reader = reader_of(text);
    let is_cut = ends_within_quotes(text);
    let is_whole = |reader: &Reader<_>| !is_cut || reader.position().byte() < text.len() as u64;
    let mut line = ByteRecord::new();
    let mut label_column = options.labels.then_some(0);
    let (mut columns, mut elements) = (0, 0);
    let (mut has_names, mut has_first_name) = (false, true);
    if options.header && reader.read_byte_record(&mut line).expect("memory") {
        is_whole(&reader).then_some(())?;
        let mut labels = ["label", "class", "target", "y"].into_iter();
        let named = labels.find_map(|label| {
            let mut names = line.iter();
            names.position(|name| name.eq_ignore_ascii_case(label.as_bytes()))
        });
        columns = line.len();
        label_column = label_column.or(named.filter(|_| columns > 1));
        are_names(&line).then_some(())?;
        has_names = true;
        has_first_name = options.labels || !line[0].is_empty();
    }
    while reader.read_byte_record(&mut line).expect("memory") {
        is_whole(&reader).then_some(())?;
        if records.is_empty() {
            if !has_first_name || has_names && columns != line.len() {
                return None;
            }
            columns = line.len();
            let has_no_label = label_column.is_some_and(|column| column >= columns);
            elements = columns - label_column.iter().len().min(columns);
            if elements == 1 {
                let cell =
                    line.iter().enumerate().find(|(column, _)| label_column != Some(*column));
                let cell = cell.map(|(_, cell)| String::from_utf8_lossy(cell).into_owned());
                let words = cell.map_or(0, |cell| cell.split_ascii_whitespace().count());
                elements = words.max(1);
            }
            if has_no_label || options.shape.is_some() && elements != 2 {
                return None;
            }
        }
        let mut record = Record::default();
        record.index = records.len() as u64;
        for (column, field) in line.iter().enumerate() {
            let field = String::from_utf8_lossy(field);
            if label_column == Some(column) {
                record.label = match options.labels {
                    false => None,
                    true => Some(whole(&field)?),
                };
            } else if elements > columns - label_column.iter().len() {
                field
                    .split_ascii_whitespace()
                    .try_for_each(|word| append(word, options.element_type, &mut record.bytes))?;
            } else {
                append(&field, options.element_type, &mut record.bytes)?;
            }
        }
        let found = record.bytes.len() / options.element_type.size();
        if line.len() != columns || found == 0 || found != elements {
            return None;
        }
        records.push(record);
    }
    if records.is_empty() {
        elements = columns.saturating_sub(label_column.iter().len());
    }
    has_first_name.then_some(())?;
    let is_good = match &options.shape {
        // A text without lines fits any shape.
        Some(_) => elements == 2 || records.is_empty() && columns == 0,
        None => elements > 0,
    };
    is_good.then_some(())
}

fn reader_of(text: &[u8]) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator(text))
        .trim(Trim::All)
        .from_reader(text)
}

/// Returns whether some are no numbers, or all are those of the columns.
fn are_names(line: &ByteRecord) -> bool {
    let names: Vec<_> =
        line.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let counted = |first: usize| (first..first + names.len()).map(|number| number.to_string());
    let counts = |first| counted(first).eq(names.iter().cloned());
    let are_counted = counts(0) || names.len() > 1 && counts(1);
    are_counted || names.iter().any(|name| name.parse::<f64>().is_err())
}

/// Returns whether another line feed belongs to the last field.
pub(super) fn ends_within_quotes(text: &[u8]) -> bool {
    let last = |text: &[u8]| {
        let mut reader = ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true);
        let reader = reader.delimiter(separator(text)).from_reader(text);
        let lines = reader.into_byte_records();
        lines.last().map(|line| line.expect("memory"))
    };
    last(text) != last(&[text, b"\n"].concat())
}

/// The text with one space between two numbers if there are spaces and tabs between those of the first line.
fn with_one_space(text: &[u8]) -> Vec<u8> {
    let line = first_line(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
    let line = String::from_utf8_lossy(line);
    let line = line.split('\r').next().unwrap_or_default();
    let are_numbers = line.split_ascii_whitespace().all(|word| word.parse::<f64>().is_ok());
    if !are_numbers || !line.split('\t').any(|cell| cell.trim().contains(' ')) {
        return text.to_vec();
    }
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let mut joined = Vec::new();
    for line in text.split_inclusive(is_end) {
        let (line, end) = line.split_at(line.len() - usize::from(line.last().is_some_and(is_end)));
        let words: Vec<&[u8]> = line.split(is_space).filter(|word| !word.is_empty()).collect();
        joined.extend(words.join(&b' '));
        joined.extend(end);
    }
    joined
}

/// A comma if the first line has one, or else a tab, or else a semicolon, with something behind it.
pub(super) fn separator(text: &[u8]) -> u8 {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let empty = text.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let text = &text[empty..];
    let line = first_line(text).trim_ascii_end();
    let separators = [b',', b'\t', b';'];
    let mut found = separators.into_iter().filter(|found| line.contains(found));
    let line = String::from_utf8_lossy(line);
    let are_numbers = line.split(' ').all(|word| word.parse::<f64>().is_ok());
    let other = if are_numbers && line.contains(' ') { b' ' } else { b',' };
    found.next().unwrap_or(other)
}

/// With the line feed.
pub(super) fn first_line(text: &[u8]) -> &[u8] {
    text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// Returns whether there are no bytes but those of a text, such as those of UTF-16.
pub(super) fn is_text(line: &[u8]) -> bool {
    let controls = line.iter().any(|byte| matches!(byte, 0..=8 | 11 | 14..=31 | 127));
    !controls && !line.starts_with(b"\xFF\xFE") && !line.starts_with(b"\xFE\xFF")
}

fn append(field: &str, element_type: ElementType, elements: &mut Vec<u8>) -> Option<()> {
    if !element_type.is_float() {
        let number = whole(field)?;
        match element_type {
            ElementType::U8 => elements.extend(u8::try_from(number).ok()?.to_be_bytes()),
            ElementType::I8 => elements.extend(i8::try_from(number).ok()?.to_be_bytes()),
            ElementType::I16 => elements.extend(i16::try_from(number).ok()?.to_be_bytes()),
            _ => elements.extend(i32::try_from(number).ok()?.to_be_bytes()),
        }
        return Some(());
    }
    let wide: f64 = match element_type {
        ElementType::F32 => {
            let number: f32 = field.parse().ok()?;
            elements.extend(number.to_be_bytes());
            number.into()
        }
        _ => {
            let number: f64 = field.parse().ok()?;
            elements.extend(number.to_be_bytes());
            number
        }
    };
    if !field.contains(|digit: char| digit.is_ascii_digit()) {
        return Some(()); // infinite, or not a number
    }
    let (digits, exponent) = decimal(field)?;
    if digits.is_empty() || wide == 0.0 || wide.is_infinite() {
        return (digits.is_empty() && wide == 0.0).then_some(());
    }
    // A fraction is rounded; all digits of a whole number are those of the float.
    let mut stated = digits.len();
    if field.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-')) {
        stated += usize::try_from(exponent).expect("zeros at the end");
    }
    let zeros = "0".repeat(stated - digits.len());
    let of_float = || format!("{:.*e}", stated - 1, wide.abs()).replace('.', "");
    (exponent < 0 || of_float().split('e').next() == Some(&(digits + &zeros))).then_some(())
}

/// The integer that a field is, in any notation.
pub(super) fn whole(field: &str) -> Option<i128> {
    let number: f64 = field.parse().ok()?;
    if !number.is_finite() && !field.contains(|digit: char| digit.is_ascii_digit()) {
        return None;
    }
    let (digits, exponent) = decimal(field)?;
    if digits.is_empty() {
        return Some(0);
    }
    let power = 10i128.checked_pow(u32::try_from(exponent).ok()?)?;
    let sign = if field.starts_with('-') { "-" } else { "" };
    (sign.to_string() + &digits).parse::<i128>().ok()?.checked_mul(power)
}

/// The digits of a number without zeros at both ends, and the power of ten of the last one.
fn decimal(field: &str) -> Option<(String, i64)> {
    let field = field.trim_start_matches(['+', '-']).to_ascii_lowercase();
    let (mantissa, exponent) = field.split_once('e').unwrap_or((&field, "0"));
    let places = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let all = mantissa.replace('.', "");
    let digits = all.trim_end_matches('0');
    let zeros = all.len() - digits.len();
    let digits = digits.trim_start_matches('0').to_string();
    if digits.is_empty() {
        return Some((digits, 0));
    }
    let exponent: i32 = exponent.parse().ok()?;
    Some((digits, i64::from(exponent) - places as i64 + zeros as i64))
}

fn write(records: &[Record], layout: &RecordLayout) {
    let element_type = layout.dtype.element_type().expect("one of IDX");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("written.csv");
    let mut facts = Facts::new(layout.clone(), None);
    facts.has_labels = records.iter().all(|record| record.label.is_some());
    let mut sink =
        Sink::create(&path, &facts, &CreateOptions::new().header(false)).expect("a file");
    let mut expected = String::new();
    for record in records {
        sink.push(record).expect("a record");
        let label = record.label.map(|label| label.to_string());
        let elements = record.bytes.chunks_exact(element_type.size());
        let numbers = elements.map(|bytes| text(element_type, bytes));
        let fields: Vec<String> = label.into_iter().chain(numbers).collect();
        expected += &(fields.join(",") + "\n");
    }
    sink.finish().expect("a finished file");
    assert_eq!(std::fs::read_to_string(path).expect("a text"), expected);
}

fn text(element_type: ElementType, bytes: &[u8]) -> String {
    match (element_type, bytes) {
        (ElementType::F32, &[a, b, c, d]) => format!("{:?}", f32::from_be_bytes([a, b, c, d])),
        _ => DType::from(element_type).text(bytes).expect("an element"),
    }
}
