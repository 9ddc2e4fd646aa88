//! Errors of files: their names, words and sentences.

use idx_std::__private::access::found;
use idx_std::{ErrorKind, FormatError, IdxBuf};

/// Programs can match the errors of idx-core without a dependency on it.
#[test]
fn this_crate_names_all_errors() {
    let error = IdxBuf::from_bytes([0, 0, 8, 1, 0, 0, 0, 3, 7]).unwrap_err();
    let truncated = FormatError::Truncated { needed: 3, found: 1 };
    assert!(matches!(error.kind(), ErrorKind::Format(kind) if *kind == truncated), "{error}");
}

/// Programs compare a code, people read a sentence, and `Debug` prints both.
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
             the file starts with 00 00 07 01 (the first four: 1793)",
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

/// A path through a file leads to nothing, as one through a missing folder does.
#[test]
fn nothing_is_found_below_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(found(&file).unwrap().is_some());
    for path in [file.join("below"), folder.path().join("none/below"), file.join("x".repeat(300))] {
        assert!(found(&path).unwrap().is_none(), "{path:?}");
    }
}
