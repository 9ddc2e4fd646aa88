//! Checks of headers against the reference decoder.

use idx_core::{ElementType, Header, Idx};

use super::records::both;
use super::reference::{File, whole};

/// The header and the untyped view agree with the reference.
///
/// # Panics
///
/// If they differ.
pub fn header(bytes: &[u8]) {
    if let Some(((header, rest), file)) = both(Header::parse(bytes), &File::parse(bytes)) {
        assert_same_header(&header, file);
        assert_eq!(rest, file.rest);
    }
    let parsed = Idx::parse(bytes);
    if let Err(error) = parsed {
        assert!(error.to_string().starts_with(error.message()));
    }
    if let Some((idx, file)) = both(parsed, &whole(bytes)) {
        assert_same_header(&idx.header(), file);
        assert_eq!(idx.payload(), file.payload());
        assert_eq!(idx.len() as u64, file.record_count());
        assert_eq!(idx.is_empty(), file.record_count() == 0);
        assert_eq!(idx.record_bytes(idx.len()), None);
        assert_eq!(idx.record_bytes(usize::MAX), None);
        if !file.is_endless() {
            let records = (0..idx.len()).map(|index| idx.record_bytes(index));
            assert!(records.eq(file.records().map(Some)));
        }
        match idx.elements::<u8>() {
            Ok(elements) => assert_eq!(elements.as_slice(), file.payload()),
            Err(error) => assert_ne!(file.element_type, ElementType::U8, "{error}"),
        }
    }
}

pub(super) fn assert_same_header(header: &Header<'_>, file: &File<'_>) {
    assert_eq!(header.element_type(), file.element_type);
    assert_eq!(usize::from(header.rank()), file.sizes.len());
    assert_eq!(header.header_size() as u64, file.header_size());
    assert_eq!(header.payload_size(), file.payload_size());
    assert_eq!(u64::from(header.record_count()), file.record_count());
    assert_eq!(header.record_size(), file.record_size());
    for (dims, sizes) in
        [(header.dims(), &file.sizes[..]), (header.record_dims(), file.record_sizes())]
    {
        assert!(dims.iter().eq(sizes.iter().copied()));
        assert!(dims.iter().rev().eq(sizes.iter().rev().copied()));
        assert_eq!((dims.len(), dims.is_empty()), (sizes.len(), sizes.is_empty()));
        assert!((0..=sizes.len()).all(|index| dims.get(index) == sizes.get(index).copied()));
        let text: Vec<String> = sizes.iter().map(u32::to_string).collect();
        assert_eq!(dims.to_string(), text.join(" x "));
    }
}
