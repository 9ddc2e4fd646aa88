//! The numbers of a file as source code in C and Verilog.

use std::path::Path;

use idx_std::__private::counted;
use idx_std::{ElementType, HeaderBuf, Reader, Shape};

use crate::commands::rust::Destination;
use crate::term::failure::Failure;

/// The count of numbers in a line, if each record is one number.
const IN_A_LINE: u64 = 16;

/// Keeps an array in flash. AVR (Arduino Uno) copies all other arrays to memory when it starts.
const FLASH: &str = "
#ifndef IDX_FLASH
#ifdef __AVR__
#include <avr/pgmspace.h>
#define IDX_FLASH PROGMEM
#else
#define IDX_FLASH
#endif
#endif
";

/// Returns the name of the array in C. Its prefix keeps it apart from keywords and from the standard library.
pub(super) fn c_name(path: &Path) -> String {
    format!("idx_{}", name(path))
}

/// Derives a name from that of the file: `train_images` from `train-images-idx3-ubyte`.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).take_while(|word| !word.starts_with("idx"));
    let name = words.collect::<Vec<_>>().join("_");
    match name.chars().next() {
        Some('a'..='z') => name,
        Some(_) => format!("records_{name}"),
        None => "records".to_string(),
    }
}

fn open(path: &Path) -> Result<Reader, Failure> {
    let reader = Reader::open(path)?;
    if reader.header().payload_size() == 0 {
        let message =
            "the file has no numbers, so the array would be empty; choose one that has some";
        return Err(Failure::file(path, message));
    }
    reader.check_length()?;
    Ok(reader)
}

/// Returns a record and the number of records in words: "28 x 28 u8" and "10 records".
fn descriptions(header: &HeaderBuf) -> (String, String) {
    let element_type = header.element_type();
    let record = match header.dims() {
        [] | [_] => element_type.to_string(),
        _ => format!("{} {element_type}", Shape(header.record_shape())),
    };
    (record, counted(header.record_count().into(), "record"))
}

/// Writes a C header with the numbers as an array.
pub(super) fn write_c(path: &Path, output: &mut Destination<'_>) -> Result<(), Failure> {
    let mut reader = open(path)?;
    let header = reader.header().clone();
    let array = c_name(path);
    let table = array.to_uppercase();
    let (record, records) = descriptions(&header);
    let element_type = header.element_type();
    let (element, include, read) = match element_type {
        ElementType::U8 => ("uint8_t", "stdint", "byte"),
        ElementType::I8 => ("int8_t", "stdint", "byte"),
        ElementType::I16 => ("int16_t", "stdint", "word"),
        ElementType::I32 => ("int32_t", "stdint", "dword"),
        ElementType::F32 => ("float", "math", "float"),
        ElementType::F64 => ("double", "math", "float"),
    };
    let rounded = match element_type {
        ElementType::F64 => "a double has 4 bytes by default, and ",
        _ => "",
    };
    let (count, bytes) = (header.record_count(), counted(header.payload_size(), "byte"));
    write!(
        output,
        "#ifndef {table}_H\n#define {table}_H\n\n#include <{include}.h>\n{FLASH}\n\
         /* {record}. {records}: {bytes}. On AVR, {rounded}pgm_read_{read} reads a number at its address. */\n\
         #define {table}_COUNT {count}\nstatic const {element} {array}"
    )?;
    // A file of rank 0 has one number.
    let single: &[u32] = if header.dims().is_empty() { &[1] } else { &[] };
    for size in header.dims().iter().chain(single) {
        write!(output, "[{size}]")?;
    }
    writeln!(output, " IDX_FLASH = {{")?;
    for_each(&mut reader, |number, place| {
        write!(output, "{}", "{".repeat(place.starts))?;
        write_constant(output, element_type, number)?;
        let separator = if place.is_last { "" } else { ", " };
        write!(output, "{separator}{}", "}".repeat(place.ends))?;
        match place.is_last {
            true => writeln!(output, ","),
            false => Ok(()),
        }
    })?;
    writeln!(output, "}};\n\n#endif")
}

/// Writes a C constant with exactly this value.
fn write_constant(
    output: &mut Destination<'_>,
    element_type: ElementType,
    number: &[u8],
) -> Result<(), Failure> {
    let number = element_type.value(number).unwrap_or_default();
    match element_type {
        // In C, the minus applies to a positive number, which does not fit here.
        ElementType::I32 if number <= i32::MIN.into() => write!(output, "-2147483647 - 1"),
        ElementType::F32 | ElementType::F64 if number.is_nan() => write!(output, "NAN"),
        ElementType::F32 | ElementType::F64 if number.is_infinite() => {
            let sign = if number < 0.0 { "-" } else { "" };
            write!(output, "{sign}INFINITY")
        }
        #[expect(clippy::cast_possible_truncation, reason = "it was an f32")]
        ElementType::F32 => write!(output, "{:e}f", number as f32),
        ElementType::F64 => write!(output, "{number:e}"),
        _ => write!(output, "{number}"),
    }
}

/// Writes the numbers as the words of a memory in Verilog.
pub(super) fn write_verilog(path: &Path, output: &mut Destination<'_>) -> Result<(), Failure> {
    let mut reader = open(path)?;
    let header = reader.header();
    let (record, records) = descriptions(header);
    let size = header.element_type().size() as u64;
    let (bit, word) = (size * 8 - 1, header.payload_size() / size - 1);
    let table = name(path);
    writeln!(output, "// {records} of {record}: reg [{bit}:0] {table} [0:{word}];")?;
    for_each(&mut reader, |number, place| {
        for byte in number {
            write!(output, "{byte:02x}")?;
        }
        write!(output, "{}", if place.is_last { "\n" } else { " " })
    })
}

/// The position of a number.
struct Place {
    /// The number of the record's dimensions that start before the number, and that end after it.
    starts: usize,
    ends: usize,
    /// True for the last number of a row or of a line.
    is_last: bool,
}

/// Passes each number of a file to `take`, with its position.
fn for_each(
    reader: &mut Reader,
    mut take: impl FnMut(&[u8], Place) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let header = reader.header();
    let element_size = header.element_type().size();
    let (parts, count) = (parts(header), header.payload_size() / element_size as u64);
    let row = parts.first().copied().unwrap_or(IN_A_LINE);
    let mut next: u64 = 0;
    while let Some(records) = reader.next_records() {
        for number in records?.chunks_exact(element_size) {
            let borders = |position: u64| {
                let parts = parts.iter().filter(|part| position.is_multiple_of(**part));
                parts.count()
            };
            let (starts, ends) = (borders(next), borders(next + 1));
            next += 1;
            let is_last = next.is_multiple_of(row) || next == count;
            take(number, Place { starts, ends, is_last })?;
        }
    }
    Ok(())
}

/// Returns the sizes of the parts of a record in numbers: a row, and so on up to the whole record.
fn parts(header: &HeaderBuf) -> Vec<u64> {
    let sizes = header.record_shape().iter().rev();
    let parts = sizes.scan(1, |numbers, size| {
        *numbers *= u64::from(*size);
        Some(*numbers)
    });
    parts.collect()
}
