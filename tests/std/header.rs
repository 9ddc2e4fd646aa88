//! `HeaderBuf`: the header of a file, made, written and shown.

use idx_std::{ElementType, ErrorKind, HeaderBuf, IdxBuf, Reader, Shape};
use idx_tests::{file, odd_files};

#[test]
fn what_a_header_knows() {
    let header = HeaderBuf::new(ElementType::I16, &[5, 3, 7]).unwrap();
    assert_eq!(header.element_type(), ElementType::I16);
    assert_eq!(header.dims(), [5, 3, 7]);
    assert_eq!((header.record_count(), header.record_shape()), (5, &[3, 7][..]));
    assert_eq!(header.record_size(), Some(42));
    assert_eq!((header.payload_size(), header.to_bytes().len()), (210, 16));
    assert_eq!(header.file_size(), 226);
}

#[test]
fn a_single_element_has_no_dimensions() {
    let header = HeaderBuf::new(ElementType::F64, &[]).unwrap();
    assert_eq!(header.dims(), [0; 0]);
    assert_eq!((header.record_count(), header.record_shape()), (1, &[][..]));
    assert_eq!((header.record_size(), header.payload_size()), (Some(8), 8));
    assert_eq!((header.to_bytes().len(), header.file_size()), (4, 12));
    assert_eq!(header.to_bytes(), [0, 0, 0x0E, 0]);
}

#[test]
fn headers_as_text() {
    for (dims, text) in [
        (&[][..], "u8, a single element"),
        (&[7], "u8, 7"),
        (&[60_000, 28, 28], "u8, 60000 x 28 x 28"),
        (&[0, u32::MAX], "u8, 0 x 4294967295"),
    ] {
        let header = HeaderBuf::new(ElementType::U8, dims).unwrap();
        assert_eq!(header.to_string(), text);
        assert_eq!(format!("u8, {}", Shape(dims)), text);
    }
}

#[test]
fn the_bytes_are_those_of_the_file() {
    for element_type in ElementType::ALL {
        for dims in [&[][..], &[0], &[5], &[3, 0, 2], &[u32::MAX, 1], &[1; 255]] {
            let header = HeaderBuf::new(element_type, dims).unwrap();
            let bytes = header.to_bytes();
            assert_eq!(bytes, file(element_type.code(), dims, &[]));
            let (parsed, rest) = idx_core::Header::parse(&bytes).unwrap();
            assert!(rest.is_empty());
            assert_eq!(HeaderBuf::from(parsed), header);
            assert_eq!(parsed.payload_size(), header.payload_size());
            assert_eq!(parsed.record_size(), header.record_size());
            let reader = Reader::new(&bytes[..]).unwrap();
            assert_eq!(reader.header(), &header);
        }
    }
    for odd in odd_files() {
        let buffer = IdxBuf::from_bytes(odd.bytes).unwrap();
        assert!(odd.plain.starts_with(&buffer.header().to_bytes()));
        assert_eq!(buffer.header().file_size(), odd.plain.len() as u64);
    }
}

#[test]
fn a_header_counts_up_to_255_dimensions() {
    let most = HeaderBuf::new(ElementType::U8, &[1; 255]).unwrap();
    assert_eq!((most.dims().len(), most.to_bytes().len()), (255, 1024));
    for found in [256, 1000] {
        let error = HeaderBuf::new(ElementType::U8, &vec![1; found]).unwrap_err();
        let text = format!(
            "the file would have {found} dimensions, but the maximum is 255; merge some of them"
        );
        assert_eq!(error.kind().to_string(), text);
    }
}

#[test]
fn sizes_that_64_bits_cannot_count() {
    let too_large = |element_type, dims: &[u32]| {
        let error = HeaderBuf::new(element_type, dims).unwrap_err();
        match error.kind() {
            ErrorKind::Format(idx_core::ErrorKind::TooLarge { dimension, size }) => {
                (*dimension, *size)
            }
            _ => panic!("{error}"),
        }
    };
    assert_eq!(too_large(ElementType::U8, &[u32::MAX; 3]), (2, u32::MAX));
    assert_eq!(too_large(ElementType::F64, &[1 << 31, 1 << 30]), (1, 1 << 30));
    assert!(HeaderBuf::new(ElementType::U8, &[u32::MAX; 2]).is_ok());

    // Without records it does not matter how large one would be.
    let empty = HeaderBuf::new(ElementType::F64, &[0, 1 << 31, 1 << 31]).unwrap();
    assert_eq!((empty.record_size(), empty.payload_size()), (None, 0));
    assert_eq!(empty.file_size(), 16);
    // The order of the sizes does not matter either.
    let empty = HeaderBuf::new(ElementType::F64, &[3, 1 << 31, 1 << 31, 0]).unwrap();
    assert_eq!((empty.record_size(), empty.payload_size()), (Some(0), 0));
}
