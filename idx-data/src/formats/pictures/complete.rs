//! Checks that a picture is complete, where the decoders do not notice.

use image::ImageFormat;

/// Returns whether a file has all bytes up to the end of its picture.
///
/// The decoders of PNG and JPEG stop at the last pixel, or fill missing pixels with gray and return no error. Those of
/// WebP and TIFF allocate what the metadata claims. The decoders of the other formats read to the end.
pub(super) fn is_complete(format: ImageFormat, file: &[u8]) -> bool {
    match format {
        ImageFormat::Png => file.windows(LAST_CHUNK.len()).rev().any(|bytes| bytes == LAST_CHUNK),
        ImageFormat::Jpeg => has_end_marker(file).is_some(),
        ImageFormat::WebP => chunks(file).is_some(),
        ImageFormat::Tiff => has_all_values(file).is_some(),
        _ => true,
    }
}

/// The last chunk of a PNG; other bytes may follow.
const LAST_CHUNK: &[u8] = b"\0\0\0\0IEND\xAE\x42\x60\x82";

/// Returns the chunks of a WebP file up to the end that its header states, if all of them are there.
fn chunks(file: &[u8]) -> Option<Vec<&[u8]>> {
    const HEADER: usize = 8;
    let size = |chunk: &[u8]| {
        let (size, _) = chunk.get(4..)?.split_first_chunk()?;
        usize::try_from(u32::from_le_bytes(*size)).ok()?.checked_add(HEADER)
    };
    let mut chunks = Vec::new();
    let mut rest = file.get(12..size(file)?)?;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at_checked(size(rest)?)?;
        chunks.push(chunk);
        // An odd chunk is padded, which some programs forget at the end.
        rest = after.get(chunk.len() % 2..).unwrap_or_default();
    }
    Some(chunks)
}

/// Returns the height and width of the frame in a lossy WebP. The decoder allocates the frame before it finds that the
/// canvas has another size.
pub(super) fn frame_of_webp(file: &[u8]) -> Option<[u32; 2]> {
    let frame = chunks(file)?.into_iter().find_map(|chunk| chunk.strip_prefix(b"VP8 "))?;
    let side = |start| {
        let (side, _) = frame.get(start..)?.split_first_chunk()?;
        Some(u32::from(u16::from_le_bytes(*side) & 0x3FFF))
    };
    Some([side(12)?, side(10)?])
}

/// Walks the segments of a JPEG up to its pixels, and finds the end marker after these.
///
/// A preview in a segment has its own end marker. Among the pixels no other bytes look like one.
fn has_end_marker(file: &[u8]) -> Option<()> {
    const START: usize = 2;
    const MARKER: u8 = 0xFF;
    const SCAN: u8 = 0xDA;
    const END: u8 = 0xD9;
    let mut rest = file.get(START..)?;
    loop {
        let (&byte, after) = rest.split_first()?;
        let kind = *after.first()?;
        match (byte, kind) {
            (MARKER, SCAN) => break,
            // Fill bytes, and markers without content.
            (MARKER, MARKER | 0x01 | 0xD0..=0xD8) => rest = after,
            (MARKER, _) => {
                let (length, _) = after.get(1..)?.split_first_chunk::<2>()?;
                rest = after.get(1 + usize::from(u16::from_be_bytes(*length))..)?;
            }
            _ => rest = after,
        }
    }
    // It is nearly always at the end.
    rest.windows(2).rev().any(|bytes| bytes == [MARKER, END]).then_some(())
}

/// Checks that the values in the first directory of a TIFF are within the file.
fn has_all_values(file: &[u8]) -> Option<()> {
    const ENTRY: usize = 12;
    /// The size of a number of each type, if there is such a type.
    const SIZES: [u64; 14] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
    let is_little = file.starts_with(b"II");
    let number = |bytes: &[u8]| {
        let append = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match is_little {
            true => bytes.iter().rev().fold(0, append),
            false => bytes.iter().fold(0, append),
        }
    };
    let directory = file.get(usize::try_from(number(file.get(4..8)?)).ok()?..)?;
    let (count, entries) = directory.split_first_chunk::<2>()?;
    let entries = entries.get(..ENTRY * usize::try_from(number(count)).ok()?)?;
    entries
        .chunks_exact(ENTRY)
        .all(|entry| {
            let field = |range| entry.get(range).map_or(0, number);
            let kind = usize::try_from(field(2..4)).ok();
            let size = kind.and_then(|kind| SIZES.get(kind)).unwrap_or(&0) * field(4..8);
            // A value of up to 4 bytes is in the entry itself.
            size <= 4 || field(8..12) + size <= file.len() as u64
        })
        .then_some(())
}
