//! Reads a file with one reader, and prints its element type, its sizes and the SHA-256 of its elements in
//! little-endian order, as `vectors.json` has them.
//!
//! Usage: `other-readers READER FILE`; the readers are in `main`.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use idx_decoder::{IDXDecoder, types};
use idx_lib::IdxData;
use nalgebra::{U1, U3};
use sha2::{Digest, Sha256};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Element type, sizes, and elements in little-endian order.
type Array = (&'static str, Vec<u32>, Vec<u8>);

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [reader, path] = &arguments[..] else {
        return Err("usage: other-readers READER FILE".into());
    };
    let (element_type, sizes, elements) = match reader.as_str() {
        "idx-std" => idx_std(path)?,
        "idx-lib" => idx_lib(path)?,
        "idx-decoder" => idx_decoder(path)?,
        _ => return Err("the readers are idx-std, idx-lib and idx-decoder".into()),
    };
    let hash: String = Sha256::digest(elements).iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{element_type} {sizes:?} {hash}");
    Ok(())
}

fn idx_std(path: &str) -> Result<Array> {
    let file = idx_std::open(path)?;
    let header = file.header();
    let size = header.element_type().size();
    let mut elements = file.as_idx().payload().to_vec();
    elements.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    Ok((header.element_type().name(), header.dims().to_vec(), elements))
}

fn idx_lib(path: &str) -> Result<Array> {
    let array = idx_lib::read_idx(&mut BufReader::new(File::open(path)?))?;
    let sizes = array
        .shape()
        .iter()
        .map(|size| u32::try_from(*size))
        .collect::<std::result::Result<_, _>>()?;
    // Without elements it does not say which type they have.
    let mut element_type = "";
    let mut bytes = Vec::new();
    for element in &array {
        element_type = match element {
            IdxData::None => return Err("an element that was not read".into()),
            IdxData::UnsignedByte(value) => append(&mut bytes, value.to_le_bytes(), "u8"),
            IdxData::SignedByte(value) => append(&mut bytes, value.to_le_bytes(), "i8"),
            IdxData::Short(value) => append(&mut bytes, value.to_le_bytes(), "i16"),
            IdxData::Int(value) => append(&mut bytes, value.to_le_bytes(), "i32"),
            IdxData::Float(value) => append(&mut bytes, value.to_le_bytes(), "f32"),
            IdxData::Double(value) => append(&mut bytes, value.to_le_bytes(), "f64"),
        };
    }
    Ok((element_type, sizes, bytes))
}

fn append<const N: usize>(
    bytes: &mut Vec<u8>,
    element: [u8; N],
    name: &'static str,
) -> &'static str {
    bytes.extend(element);
    name
}

/// The type and the rank are part of this reader's type; it has iterators for ranks 1 and 3.
fn idx_decoder(path: &str) -> Result<Array> {
    let mut found = Err("no type or rank fits".into());
    macro_rules! as_type {
        ($($code:ident $name:literal)*) => {$(
            if let Ok(decoder) = IDXDecoder::<_, types::$code, U1>::new(BufReader::new(File::open(path)?)) {
                let sizes = decoder.dimensions().iter().copied().collect();
                found = Ok(($name, sizes, decoder.flat_map(|value| value.to_le_bytes()).collect()));
            }
            if let Ok(decoder) = IDXDecoder::<_, types::$code, U3>::new(BufReader::new(File::open(path)?)) {
                let sizes = decoder.dimensions().iter().copied().collect();
                found = Ok(($name, sizes, decoder.flatten().flat_map(|value| value.to_le_bytes()).collect()));
            }
        )*};
    }
    as_type!(U8 "u8" I8 "i8" I16 "i16" I32 "i32" F32 "f32" F64 "f64");
    found
}
