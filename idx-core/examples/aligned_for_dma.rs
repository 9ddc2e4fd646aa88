//! Aligns a file in flash, so that a DMA controller can read the records in place.

use idx_core::{IdxRecord, Records};

/// Aligns its content to 4 bytes.
///
/// The bytes of `include_bytes!` can be at any address. The header has 4 + 4n bytes, so if the file starts at a
/// multiple of 4, its payload does, too.
#[repr(C, align(4))]
struct Aligned<T: ?Sized>(T);

/// A picture for a small display, one byte per pixel.
#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Frame([[u8; 4]; 3]);

// If the size of a record is a multiple of 4 as well, every record is aligned, not only the first.
const _: () = assert!(Frame::SIZE.is_multiple_of(4));

/// In firmware: `&Aligned(*include_bytes!("frames.idx"))`, without a length.
static FILE: &Aligned<[u8]> = &Aligned(
    *b"\0\0\x08\x03\0\0\0\x02\0\0\0\x03\0\0\0\x04\
    .##.#..#.##.\
    ######..####",
);

static FRAMES: Records<Frame> = Records::from_static(&FILE.0);

/// Stands in for the driver of a display whose DMA reads whole, aligned words.
fn start_dma(words: &'static [u8]) {
    assert_eq!(words.as_ptr().addr() % 4, 0);
    assert_eq!(words.len() % 4, 0);
    for row in words.chunks(4) {
        println!("{}", row.escape_ascii());
    }
}

fn main() {
    // Borrowed from flash: no copy, no buffer in RAM.
    let frames: &'static [Frame] = FRAMES.as_slice();
    for frame in frames {
        start_dma(frame.0.as_flattened());
    }
    assert_eq!(frames.len(), 2);
}
