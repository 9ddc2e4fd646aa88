use image::ImageFormat;

/// Whether the bytes are complete up to the end of the picture.
///
/// The decoders of PNG and JPEG stop at the last pixel, or fill missing pixels with grey without an error;
/// those of the other formats read to the end.
pub(super) fn is_whole(format: ImageFormat, file: &[u8]) -> bool {
    match format {
        ImageFormat::Png => has_last_chunk(file).is_some(),
        ImageFormat::Jpeg => has_end_marker(file).is_some(),
        _ => true,
    }
}

/// Walks the chunks of a PNG up to the one named IEND.
fn has_last_chunk(file: &[u8]) -> Option<()> {
    const SIGNATURE: usize = 8;
    const CHECKSUM: usize = 4;
    let mut rest = file.get(SIGNATURE..)?;
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        rest = after.get(length.checked_add(CHECKSUM)?..)?;
        if name == b"IEND" {
            return Some(());
        }
    }
}

/// Walks the segments of a JPEG up to its pixels, and through these to the end marker.
///
/// A preview within a segment has such a marker of its own. Within the pixels no other bytes look like it.
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
    rest.windows(2).any(|bytes| bytes == [MARKER, END]).then_some(())
}
