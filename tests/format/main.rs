//! The conformance vectors: `vectors/` and `vectors.json` match `valid.rs` and `invalid.rs`, and each reader
//! of this project reads them as the specification demands.
//!
//! After changing the vectors, rewrite the files and review the difference:
//!
//! ```sh
//! VECTORS=overwrite cargo test -p idx-tests --test format the_files
//! ```

mod vector;
mod valid;
mod invalid;
mod readers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use idx_tests::names;

use readers::{Reader, found_by};
use vector::Vector;

/// If it is `overwrite`, the test rewrites the files.
const VARIABLE: &str = "VECTORS";

/// The version of the specification; a vector that changes its meaning raises it.
const SPECIFICATION: &str = "1.0";

fn vectors() -> Vec<Vector> {
    let mut vectors = valid::valid();
    vectors.extend(invalid::invalid());
    vectors
}

/// `vectors.json`: a line for each vector.
fn list(vectors: &[Vector]) -> String {
    let entry = |vector: &Vector| serde_json::to_string(&vector.entry()).unwrap();
    let entries: Vec<String> = vectors.iter().map(entry).collect();
    let entries = entries.join(",\n");
    format!("{{\"specification\": \"{SPECIFICATION}\", \"vectors\": [\n{entries}\n]}}\n")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("format")
}

#[test]
fn the_files_are_those_of_the_table() {
    let vectors = vectors();
    let list = list(&vectors);
    let files = folder().join("vectors");
    if env::var(VARIABLE).is_ok_and(|value| value == "overwrite") {
        let _ = fs::remove_dir_all(&files);
        fs::create_dir(&files).unwrap();
        for vector in &vectors {
            fs::write(files.join(vector.file_name()), &vector.bytes).unwrap();
        }
        fs::write(folder().join("vectors.json"), &list).unwrap();
    }
    let advice = format!("run this test with {VARIABLE}=overwrite and review the difference");
    let expected: BTreeSet<String> = vectors.iter().map(Vector::file_name).collect();
    assert_eq!(expected.len(), vectors.len(), "two vectors have one name");
    assert!(names(&files).into_iter().eq(expected), "{advice}");
    for vector in &vectors {
        let bytes = fs::read(files.join(vector.file_name())).unwrap();
        assert_eq!(bytes, vector.bytes, "{}: {advice}", vector.name);
    }
    let stored = fs::read_to_string(folder().join("vectors.json")).unwrap();
    assert!(stored == list, "vectors.json: {advice}");
}

#[test]
fn every_reader_finds_what_the_specification_demands() {
    for vector in vectors() {
        for reader in Reader::ALL {
            let path = folder().join("vectors").join(vector.file_name());
            if let Some(found) = found_by(reader, &path, &vector) {
                assert_eq!(found, vector.expected, "{reader:?}: {}", vector.name);
            }
        }
    }
}

#[test]
fn a_prefix_is_read_from_a_file_that_goes_on() {
    let mut with_prefix = 0;
    for vector in vectors().iter().filter(|vector| !vector.is_gzip) {
        let prefix = readers::prefix(&vector.bytes);
        match (&vector.expected, &vector.prefix) {
            (_, Some(array)) => {
                assert_eq!(prefix.as_ref(), Ok(array), "{}", vector.name);
                with_prefix += 1;
            }
            (expected, None) => assert_eq!(&prefix, expected, "{}", vector.name),
        }
    }
    assert_eq!(with_prefix, 9);
}

#[test]
fn the_numbers_on_the_page_are_those_of_the_bytes() {
    let page = include_str!("../../docs/what-is-this-file.md");
    let rows = page.lines().filter_map(|line| {
        let (number, rest) = line.strip_prefix("| ")?.split_once(" | `")?;
        let (bytes, _) = rest.split_once('`')?;
        Some((number.parse::<u32>().ok()?, bytes))
    });
    let mut checked = 0;
    for (number, bytes) in rows {
        assert_eq!(u32::from_str_radix(&bytes.replace(' ', ""), 16), Ok(number), "{bytes}");
        checked += 1;
    }
    assert_eq!(checked, 19);
}

#[test]
fn the_dump_on_the_page_is_the_header_of_the_test_images() {
    let page = include_str!("../../docs/what-is-this-file.md");
    let (_, dump) = page.split_once("00000000: ").unwrap();
    let (dump, _) = dump.split_once("  ").unwrap();
    let digits: String = dump.split_whitespace().collect();
    let bytes: Vec<u8> = (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect();
    let (header, rest) = idx_core::Header::parse(&bytes).unwrap();
    assert_eq!(header.element_type(), idx_core::ElementType::U8);
    assert_eq!(header.dims().to_string(), "10000 x 28 x 28");
    assert!(rest.is_empty());
}
