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
/// Draws the element type, whether there are names, labels and a shape, what stands between the numbers (a comma in the
/// input), and the pieces in which the rest arrives.
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
    let separator = if way & 8 != 0 { b';' } else { b',' };
    let way = Way { element_type, header, labels, shape };
    let lengths = input.list().to_vec();
    let text = input.rest();
    let binary = [&[0, 0][..], &[0x1F, 0x8B], b"PAR1"]; // IDX, gzip, Parquet
    if binary.into_iter().any(|start| text.starts_with(start))
        || FileSignature::detect(text).is_some()
        || !has_one_reading(text, &way)
    {
        return; // opened as what it is, or of several readings, which have tests of their own
    }
    let separated = |byte: &u8| if *byte == b',' { separator } else { *byte };
    let bytes = io::Cursor::new(text.iter().map(separated).collect());
    let mut records = vec![];
    let error = read(Slow { bytes, lengths, next: 0 }, &way, &mut records).err();
    let mut expected = vec![];
    let is_good = is_text(first_line(text)) && expect(text, &way, &mut expected).is_some();
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

/// Returns whether a text has one reading with its options: lines of numbers between commas, with or without names above
/// them.
fn has_one_reading(text: &[u8], way: &Way) -> bool {
    // Others stand between numbers, begin a comment, or are before a quote.
    if text.iter().any(|byte| b";\t |#\\".contains(byte)) {
        return false;
    }
    // Text behind the quotes of a cell is an error.
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|byte| b",\r\n".contains(byte));
    let is_within = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_edge(before) && !is_edge(text.get(at + 1))
    };
    if text.iter().enumerate().any(|(at, byte)| *byte == b'"' && is_within(at)) {
        return false;
    }
    let lines: Vec<_> = reader_of(text).into_byte_records().flatten().collect();
    let (names, below) = lines.split_at(lines.len().min(way.header.into()));
    let has_names = |line: &ByteRecord| {
        // Row names have no name above them, and one name above several columns is a title.
        let is_as_wide = below.iter().all(|below| below.len() == line.len());
        // Of labels; a mark within the text is not a part of a name, and neither is what stands for bytes of no text.
        let is_other = |name: &str| {
            ["label", "class", "target", "y"].iter().any(|label| name.eq_ignore_ascii_case(label))
                || name.contains(['\u{FEFF}', '\u{FFFD}'])
        };
        let are_plain =
            line.iter().all(|name| str::from_utf8(name).is_ok_and(|name| !is_other(name)));
        // Numbers that rise may be names, if those of no other line do.
        let numbers = line.iter().map(|name| String::from_utf8_lossy(name).parse::<f64>().ok());
        let rise = numbers.collect::<Option<Vec<f64>>>().is_some_and(|all| all.is_sorted());
        is_as_wide
            && are_plain
            && !(line.len() >= 8 && rise)
            && !line[0].is_empty()
            && !below.is_empty()
    };
    // Labels may be words, and with an exponent they are exact up to 2^53.
    let is_label = |cell: &[u8]| {
        let cell = String::from_utf8_lossy(cell).to_lowercase();
        let is_exact = |number: f64| !cell.contains('e') || number.abs() < 2f64.powi(53);
        cell.is_empty() || cell.parse().is_ok_and(is_exact)
    };
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    // With semicolons, a point may separate thousands.
    let has_thousands = |cell: &[u8]| cell.iter().rev().nth(3) == Some(&b'.');
    let are_numbers = |line: &ByteRecord| {
        line.iter().all(|cell| cell.iter().all(is_of_number) && !has_thousands(cell))
            && (!way.labels || is_label(&line[0]))
            // A last column without a name and values does not count.
            && (line.len() == 1 || !line[line.len() - 1].is_empty())
    };
    // A column of words may have the labels.
    let is_number = |line: &ByteRecord, column| {
        let cell = line.get(column).and_then(|cell| str::from_utf8(cell).ok());
        cell.is_some_and(|cell| cell.parse::<f64>().is_ok())
    };
    let has_number = |column| below.iter().any(|line| is_number(line, column));
    let columns = below.first().map_or(0, ByteRecord::len);
    names.iter().all(has_names)
        && below.iter().all(are_numbers)
        && (usize::from(way.labels)..columns).all(has_number)
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

/// The options that the text is read with.
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
    let is_cut = ends_within_quotes(text, b',');
    let is_whole = |reader: &Reader<_>| !is_cut || reader.position().byte() < text.len() as u64;
    let mut line = ByteRecord::new();
    let mut columns = None;
    if options.header && reader.read_byte_record(&mut line).expect("memory") {
        is_whole(&reader).then_some(())?;
        are_names(&line).then_some(())?;
        columns = Some(line.len());
    }
    while reader.read_byte_record(&mut line).expect("memory") {
        is_whole(&reader).then_some(())?;
        let numbers = line.len() - usize::from(options.labels);
        if *columns.get_or_insert(line.len()) != line.len()
            || numbers == 0
            || options.shape.is_some() && numbers != 2
        {
            return None;
        }
        let mut record = Record::default();
        record.index = records.len() as u64;
        for (column, field) in line.iter().enumerate() {
            let field = String::from_utf8_lossy(field);
            if options.labels && column == 0 {
                record.label = Some(whole(&field)?);
            } else {
                append(&field, options.element_type, &mut record.bytes)?;
            }
        }
        records.push(record);
    }
    // A text without lines fits any shape, and has no numbers.
    (!records.is_empty() || columns.is_none() && options.shape.is_some()).then_some(())
}

fn reader_of(text: &[u8]) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text)
}

/// Returns whether some are not numbers, or all are those of the columns.
fn are_names(line: &ByteRecord) -> bool {
    let names: Vec<_> =
        line.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let counted = |first: usize| (first..first + names.len()).map(|number| number.to_string());
    let counts = |first| counted(first).eq(names.iter().cloned());
    let are_counted = counts(0) || names.len() > 1 && counts(1);
    are_counted || names.iter().any(|name| name.parse::<f64>().is_err())
}

/// Returns whether another line feed belongs to the last field.
pub(super) fn ends_within_quotes(text: &[u8], separator: u8) -> bool {
    let last = |text: &[u8]| {
        let mut reader = ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true);
        let reader = reader.delimiter(separator).from_reader(text);
        let lines = reader.into_byte_records();
        lines.last().map(|line| line.expect("memory"))
    };
    last(text) != last(&[text, b"\n"].concat())
}

/// Returns the first line with anything, and its end.
pub(super) fn first_line(text: &[u8]) -> &[u8] {
    let mut lines = text.split_inclusive(|byte| matches!(byte, b'\r' | b'\n'));
    lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default()
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
    let (wide, shortest): (f64, _) = match element_type {
        ElementType::F32 => {
            let number: f32 = field.parse().ok()?;
            elements.extend(number.to_be_bytes());
            (number.into(), format!("{number:?}"))
        }
        _ => {
            let number: f64 = field.parse().ok()?;
            elements.extend(number.to_be_bytes());
            (number, format!("{number:?}"))
        }
    };
    if !field.contains(|digit: char| digit.is_ascii_digit()) {
        return Some(()); // infinite, or not a number
    }
    let (digits, exponent) = decimal(field)?;
    if digits.is_empty() || wide == 0.0 || wide.is_infinite() {
        return (digits.is_empty() && wide == 0.0).then_some(());
    }
    // A fraction is rounded; all digits of a whole number are those of the float, or of the shortest text that means it.
    if exponent < 0 || decimal(&shortest) == decimal(field) {
        return Some(());
    }
    let mut stated = digits.len();
    if field.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-')) {
        stated += usize::try_from(exponent).expect("zeros at the end");
    }
    let zeros = "0".repeat(stated - digits.len());
    let of_float = || format!("{:.*e}", stated - 1, wide.abs()).replace('.', "");
    (of_float().split('e').next() == Some(&(digits + &zeros))).then_some(())
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
