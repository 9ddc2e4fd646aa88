//! Errors in programs: as a chain, and as an error of the standard library.

use std::error::Error as StdError;
use std::io::{self, Cursor};

use idx_data as formats;
use idx_data::dataset::DataSetFiles;
use idx_std::{Error, ErrorKind, IdxBuf, Reader, Writer, open};

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
        Box::new(formats::Error::from(formats::ErrorKind::Output(ErrorKind::from(
            io::Error::other("the pipe is closed"),
        )))),
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
        // No message repeats another one, nor says a second time that a file is missing.
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
fn errors_are_small_and_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<formats::Error>();
    assert!(size_of::<formats::Error>() == size_of::<usize>(), "a result of a record stays small");
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

    // A function of a program passes the error on with `?`.
    fn write(record: &[u8]) -> io::Result<()> {
        let mut writer = Writer::new(Cursor::new(Vec::new()), idx_std::ElementType::U8, &[0, 2])?;
        Ok(writer.push_bytes(record)?)
    }
    assert_eq!(write(&[1]).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    write(&[1, 2]).unwrap();
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

/// Text from a file, a caller or a name is escaped: an error is one line, and does not control the terminal.
#[test]
#[cfg(unix)] // other systems refuse such names
fn an_error_is_one_line_whatever_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x\n\u{1b}[31m-images-idx3-ubyte");
    std::fs::write(&path, idx_tests::file(8, &[1, 1, 1], &[7])).unwrap();
    let labels = folder.path().join("labels.csv");
    std::fs::write(&labels, "label\n0\n").unwrap();
    let source = || formats::open(&path).unwrap();
    let labeled = || source().with_labels(formats::open(&labels).unwrap()).unwrap();
    let classes = formats::ClassNames::new(["a\u{1b}[1m"]).unwrap();
    for error in [
        source().only(["b\n\u{1b}[1m"]).unwrap_err(),
        labeled().only(["b\n\u{1b}[1m"]).unwrap_err(),
        labeled().with_classes(classes).only(["b\u{1b}[1m"]).unwrap_err(),
    ] {
        assert!(!error.to_string().contains(char::is_control), "{error:?}");
        assert!(!format!("{error:?}").contains(char::is_control), "{error}");
    }
}

/// A program that returns an error from `main` prints it like this.
#[test]
fn an_error_says_its_sentence_once() {
    let question = formats::OpenOptions::new().open_bytes("a.csv", *b"1.5,2\n2.5,3\n").unwrap_err();
    let mismatch = formats::ErrorKind::Mismatch { sentence: "a \"b\"".to_string(), hint: None };
    for (error, sentence, end) in [
        (mismatch.into(), "a \"b\"", " [mismatch]"),
        (question, "column 1 may be the label", " [question]"),
        (
            formats::ErrorKind::Disabled { feature: "csv" }.into(),
            "csv",
            " [disabled: Disabled { feature: \"csv\" }]",
        ),
    ] {
        let error: formats::Error = error;
        let text = format!("{error:?}");
        assert!(text.ends_with(end) && text.starts_with(&error.to_string()), "{text}");
        assert!(end.contains("csv") || text.matches(sentence).count() == 1, "{text}");
    }
}
