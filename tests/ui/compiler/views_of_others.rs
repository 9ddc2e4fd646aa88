//! Views, decoders and logs of types that are not records.

use idx_core::Records;
use idx_core::stream::RecordDecoder;

fn parse(bytes: &[u8]) -> bool {
    Records::<u32>::parse(bytes).is_ok() && Records::<(u8, u8)>::parse(bytes).is_ok()
}

static DECODER: RecordDecoder<u16, 2> = RecordDecoder::new();

fn main() {}
