//! Errors in programs: as a chain, as an error of the standard library, and by their names alone.

use std::error::Error as StdError;
use std::io::{self, Cursor};

use idx_data as formats;
use idx_data::dataset::DataSetFiles;
use idx_std::{Error, ErrorKind, FormatError, IdxBuf, Reader, Writer, open};

/// Errors of every kind of cause: the system, the parser, the decompressor, and another format.
fn errors() -> Vec<Box<dyn StdError>> {
    let truncated = [0, 0, 8, 1, 0, 0, 0, 3, 7];
    let damaged = [&idx_tests::gzip(&truncated)[..20], &[0xFF; 20]].concat();
    let npy = Box::new(&b"\x93NUMPY, cut"[..]);
    let npy = formats::OpenOptions::new().open_stream("a.npy", npy).map(drop);
    vec![
        Box::new(open("no/such/file").unwrap_err()),
        Box::new(open(std::env::temp_dir()).unwrap_err()),
        Box::new(IdxBuf::from_bytes(truncated).unwrap_err()),
        Box::new(IdxBuf::from_bytes(b"<html>".to_vec()).unwrap_err()),
        Box::new(IdxBuf::from_bytes([1, 2, 3, 4, 5]).unwrap_err()),
        Box::new(IdxBuf::from_bytes([0, 0, 7, 1]).unwrap_err()),
        Box::new(IdxBuf::from_bytes(damaged).unwrap_err()),
        Box::new(npy.unwrap_err()),
        Box::new(Reader::new(Broken).unwrap_err()),
        Box::new(formats::Error::from(open("no/such/file").unwrap_err())),
        Box::new(formats::Error::from(formats::ErrorKind::Output(
            ErrorKind::from(io::Error::other("the pipe is closed")).into(),
        ))),
    ]
}

#[derive(Debug)]
struct Broken;

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the cable is cut"))
    }
}

#[test]
fn a_chain_says_nothing_twice() {
    for error in errors() {
        let mut links = vec![error.to_string()];
        let mut next = error.source();
        while let Some(error) = next {
            links.push(error.to_string());
            next = error.source();
        }
        // A missing file is recognised by its kind, whatever the message.
        let links: Vec<_> = links.iter().map(|link| link.to_lowercase()).collect();
        for (index, link) in links.iter().enumerate() {
            for other in links.iter().skip(index + 1) {
                assert!(!link.contains(other.as_str()), "{links:?}");
                assert!(
                    !(link.contains("no such file") && other.contains("no such file")),
                    "{links:?}"
                );
            }
        }
    }
}

#[test]
fn an_error_of_the_standard_library_keeps_kind_and_sentence() {
    let missing = open("no/such/file").unwrap_err();
    let sentence = missing.to_string();
    let error = io::Error::from(missing);
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert_eq!(error.to_string(), sentence);
    let inner = error.get_ref().unwrap().downcast_ref::<Error>().unwrap();
    assert!(matches!(inner.kind(), ErrorKind::Io(_)));

    for (bytes, expected) in [
        (&[0, 0, 8, 1, 0, 0, 0, 3, 7][..], io::ErrorKind::UnexpectedEof),
        (&[0, 0], io::ErrorKind::UnexpectedEof),
        (&[], io::ErrorKind::UnexpectedEof),
        (&idx_tests::gzip(&[0, 0, 8, 1])[..15], io::ErrorKind::UnexpectedEof),
        (&[0, 0, 8, 1, 0, 0, 0, 1, 7, 7], io::ErrorKind::InvalidData),
        (&[1, 2, 3, 4, 5], io::ErrorKind::InvalidData),
        (b"<html>", io::ErrorKind::InvalidData),
    ] {
        let error = IdxBuf::from_bytes(bytes).unwrap_err();
        assert_eq!(io::Error::from(error).kind(), expected, "{bytes:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let error = DataSetFiles::find(folder.path()).unwrap_err();
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
    let error = formats::Error::from(open(folder.path()).unwrap_err());
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::IsADirectory);

    // As a function of a program passes it on.
    fn write(record: &[u8]) -> io::Result<()> {
        let mut writer = Writer::new(Cursor::new(Vec::new()), idx_std::ElementType::U8, &[0, 2])?;
        Ok(writer.push_bytes(record)?)
    }
    assert_eq!(write(&[1]).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    write(&[1, 2]).unwrap();
}

/// The errors of the core included, without a dependency on it.
#[test]
fn this_crate_names_all_errors() {
    let error = IdxBuf::from_bytes([0, 0, 8, 1, 0, 0, 0, 3, 7]).unwrap_err();
    let truncated = FormatError::Truncated { needed: 3, found: 1 };
    assert!(matches!(error.kind(), ErrorKind::Format(kind) if *kind == truncated), "{error}");
}

/// Words for programs, sentences for people, and both where an error is printed for programmers.
#[test]
fn a_code_and_a_sentence_that_ends_with_advice() {
    for (bytes, code, sentence, after) in [
        (
            &[0, 0, 8, 1, 0, 0, 0, 3, 7][..],
            "truncated",
            "the payload is truncated: expected 3 bytes, found 1 (2 missing); download or copy the file again",
            " (after 1 whole record)",
        ),
        (
            b"<html>",
            "other_format",
            "this is a web page, not an IDX file; open it in a browser to see why, and download the file elsewhere",
            "",
        ),
        (
            &[0, 0, 7, 1],
            "unknown_element_type",
            "unknown element type 07 (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64; \
             the file starts with 00 00 07 01 (the first four are 1793 in decimal)",
            "",
        ),
    ] {
        let error = IdxBuf::from_bytes(bytes).unwrap_err().with_path("a\n.idx");
        assert_eq!(error.kind().code(), code);
        assert_eq!(error.kind().to_string(), sentence);
        assert_eq!(error.sentence(), format!("{sentence}{after}"));
        assert_eq!(error.to_string(), format!("a\\u{{a}}.idx: {sentence}{after}"));
        assert_eq!(format!("{error:?}"), format!("{error} [{code}: {:?}]", error.kind()));
    }
}

#[test]
fn an_error_comes_back_from_the_standard_library() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idx");
    std::fs::write(&path, [0, 0, 8, 1, 0, 0, 0, 3, 7]).unwrap();
    let back = Error::from(io::Error::from(open(&path).unwrap_err()));
    assert_eq!((back.kind().code(), back.path()), ("truncated", Some(&*path)));
    std::fs::write(&path, b"PAR1, cut").unwrap();
    let error = formats::open(&path).unwrap_err();
    let (code, text) = (error.kind().code(), error.to_string());
    let back = formats::Error::from(io::Error::from(error));
    assert_eq!((back.kind().code(), back.to_string()), (code, text));
    assert_eq!(back.path(), Some(&*path));
    let other = formats::Error::from(io::Error::from(open(&path).unwrap_err()));
    assert_eq!((other.kind().code(), other.path()), ("other_format", Some(&*path)));
}
