//! Source code that contains the records of a file, for programs without a file system.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use super::error::{At, Error, ErrorKind};
use idx_std::Reader;
use idx_std::Shape;

mod names;
mod words;
mod output;
mod rust;
mod numbers;

use names::Names;
use output::Output;

/// The maximum number of dimensions of an array.
const MAX_DIMENSIONS: usize = 8;

/// The size of the largest type on a 32-bit machine.
const MAX_RECORD_SIZE: u64 = i32::MAX as u64;

/// The language of the source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// The record type and a `static` of [`idx_std::Records`], which includes a plain file by its path.
    Rust,
    /// A header of C and C++ with the numbers as an array.
    C,
    /// A file for Verilog's `$readmemh`: a number in each word, as hexadecimal digits of its bits.
    Verilog,
}

/// Writes source code that contains the records of an IDX file, so that a build script can do what `idx rust`
/// does.
///
/// Its names are those of the file. In C and Verilog it has the numbers of plain or gzip files, in constant
/// memory; a NaN becomes the `NAN` of `math.h` in C.
///
/// ```
/// use idx_data::{Language, write_source_code};
/// # let folder = tempfile::tempdir()?;
/// # let path = &folder.path().join("tiles-idx2-ubyte");
/// idx_std::save(path, &[2, 3], &[1_u8, 2, 3, 4, 5, 255])?;
///
/// let mut memory = Vec::new();
/// write_source_code(path, Language::Verilog, &mut memory)?;
/// assert!(memory.ends_with(b"01 02 03\n04 05 ff\n"));
///
/// let mut header = Vec::new();
/// write_source_code(path, Language::C, &mut header)?;
/// let header = String::from_utf8(header)?;
/// assert!(header.contains("static const uint8_t idx_tiles[2][3] = {\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ErrorKind::File`]; [`ErrorKind::Unsupported`] for records that the language cannot express;
/// [`ErrorKind::Output`]. If a gzip file is damaged, the records before the damage were written.
pub fn write_source_code(
    path: impl AsRef<Path>,
    language: Language,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let path = path.as_ref();
    let reader = Reader::open(path)?;
    check(&reader, language).at(path)?;
    reader.check_length()?;
    let names = Names::of(path);
    let mut output = Output::new(output, path);
    match language {
        Language::Rust => {
            let source = rust::source(path, reader, &names)?;
            write!(output, "{source}")?;
        }
        Language::C => numbers::write_c(reader, &names, &mut output)?,
        Language::Verilog => numbers::write_verilog(reader, &names, &mut output)?,
    }
    output.finish()
}

/// Checks that no two files get one name, so that a program can contain the records of all of them.
///
/// ```
/// use idx_data::{Language, expect_own_names};
///
/// assert!(expect_own_names(&["train.idx", "test.idx"], Language::C).is_ok());
/// let error = expect_own_names(&["a/test.idx", "b/test.idx"], Language::C).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "b/test.idx: it gets the name idx_test, which a/test.idx has; rename one of them"
/// );
/// ```
///
/// # Errors
///
/// [`ErrorKind::Mismatch`].
pub fn expect_own_names(paths: &[impl AsRef<Path>], language: Language) -> Result<(), Error> {
    let mut names: BTreeMap<String, &Path> = BTreeMap::new();
    for path in paths {
        let path = path.as_ref();
        let own = Names::of(path);
        let own = match language {
            Language::Rust => vec![own.record, own.table],
            Language::C => vec![own.array()],
            Language::Verilog => vec![own.table.to_lowercase()],
        };
        for name in own {
            if let Some(other) = names.get(&name) {
                let other = other.display();
                let message =
                    format!("it gets the name {name}, which {other} has; rename one of them");
                return Err(ErrorKind::mismatch(message)).at(path);
            }
            names.insert(name, path);
        }
    }
    Ok(())
}

/// Checks that a program can contain the records of this file.
fn check(reader: &Reader, language: Language) -> Result<(), ErrorKind> {
    let header = reader.header();
    if language == Language::Rust && reader.is_gzip() {
        return Err(ErrorKind::unsupported(
            "this is gzip, and firmware needs the plain bytes; decompress it, or the records that you need, \
             first",
        ));
    }
    if language != Language::Rust && header.payload_size() == 0 {
        let message =
            "there are no numbers in it, so the array would be empty; choose a file with some";
        return Err(ErrorKind::unsupported(message));
    }
    if language == Language::Verilog {
        return Ok(());
    }
    let shape = Shape(header.record_shape());
    let dimensions = header.record_shape().len();
    if dimensions > MAX_DIMENSIONS {
        return Err(ErrorKind::unsupported(format!(
            "its records have {dimensions} dimensions, and a record type has at most {MAX_DIMENSIONS}; merge \
             some first"
        )));
    }
    let is_small = |size| size <= MAX_RECORD_SIZE;
    if !header.record_size().is_some_and(is_small) {
        return Err(ErrorKind::unsupported(format!(
            "a record of {shape} {} exceeds {MAX_RECORD_SIZE} bytes, the limit for firmware types; use smaller \
             records",
            header.element_type()
        )));
    }
    Ok(())
}
