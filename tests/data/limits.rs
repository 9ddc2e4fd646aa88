//! Limits of a record, whatever its format.

use std::fs;
use std::io;

use idx_data::{CreateOptions, Facts, OpenOptions, Record, RecordLayout, Sink};
use idx_std::ElementType;
use idx_tests::{file, npy};

use crate::common::{folder, labels, opened};

/// In Fortran order the records are scattered, so the whole array is in memory.
#[test]
fn a_reader_of_npy_has_the_same_limit() {
    for (fortran_order, needed) in [(false, 1000), (true, 5000)] {
        let bytes = npy("|u1", fortran_order, &[5, 1000], &[0; 5000]);
        let open = |limit: u64| {
            let options = OpenOptions::new().record_limit(limit);
            options.open_stream("a.npy", Box::new(io::Cursor::new(bytes.clone())))
        };
        let mut record = Record::default();
        assert!(open(needed).unwrap().read(&mut record).unwrap());
        assert_eq!(record.bytes.len(), 1000);
        let error = open(needed - 1).unwrap_err();
        let expected = match fortran_order {
            true => {
                "in Fortran order all 5000 bytes must be in memory, and the limit is 4999; use `numpy.ascontiguousarray`; if you trust the file, raise the limit"
            }
            false => {
                "a record has 1000 bytes, more than the limit of 999; if you trust the file, raise the limit"
            }
        };
        assert_eq!(error.kind().to_string(), expected);
    }
}

#[test]
fn records_above_the_limit_have_one_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let layout = RecordLayout::new(ElementType::U8, &[0, 4, 4]);
    let facts = Facts::new(layout, None);
    let mut pictures = Sink::create(path("set/"), &facts, &CreateOptions::new()).unwrap();
    pictures.push(&Record::new(vec![7; 16], None)).unwrap();
    pictures.finish().unwrap();
    fs::write(path("a.idx"), file(8, &[1, 16], &[7; 16])).unwrap();
    fs::write(path("a.npy"), npy("|u1", true, &[4, 4], &[7; 16])).unwrap();
    fs::write(path("a.csv"), "7,".repeat(15) + "7\n").unwrap();
    for name in ["set", "a.idx", "a.npy", "a.csv"] {
        let options = OpenOptions::new().record_limit(15u64);
        let opened = match name {
            // A plain file of this size is there.
            "a.npy" => options.open_stream(name, Box::new(fs::File::open(path(name)).unwrap())),
            _ => options.open(path(name)),
        };
        let error = opened.unwrap_err();
        assert_eq!(error.kind().code(), "record_limit_exceeded", "{error}");
    }
}

/// Their number is not limited if each has a label.
#[test]
fn labels_of_records_without_elements_are_read() {
    let count = 70_000;
    let zeros = vec![0; count as usize];
    let folder = folder(&[("a", &file(8, &[count, 0], &[])), ("l", &file(8, &[count], &zeros))]);
    let source = opened(&folder, "a").with_labels(opened(&folder, "l")).unwrap();
    assert_eq!(labels(source).len(), count as usize);
}
