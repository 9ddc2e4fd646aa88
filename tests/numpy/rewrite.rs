//! The Rust side of `compare.py`: reads each file of one folder with every reader, and writes the result into another
//! folder with every writer. The readers must agree.
//!
//! For the input `NAME`, `Writer` writes `NAME.untyped` and `NAME.untyped.gz`; `RecordWriter` writes `NAME.typed` and
//! `NAME.typed.gz`, if this program has a record type for the shape. `NAME.elements` has the result of `load`, and
//! `NAME.matrix` that of `to_matrix`, in the byte order of this machine.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{env, io};

use idx_core::ElementType::{F32, F64, I8, I16, I32, U8};
use idx_core::IdxRecord;
use idx_std::{IdxBuf, MappedFile, Reader, RecordWriter, Writer};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [input, output] = &arguments[..] else {
        return Err("usage: rewrite INPUT OUTPUT, two folders".into());
    };
    for entry in fs::read_dir(input)? {
        let entry = entry?;
        let rewrite = Rewrite { input: entry.path(), output: output.join(entry.file_name()) };
        rewrite.run().map_err(|error| format!("{}: {error}", entry.path().display()))?;
    }
    Ok(())
}

/// An element in native byte order.
trait Element: idx_core::Element {
    fn append_to(&self, bytes: &mut Vec<u8>);
}

macro_rules! element {
    ($($element:ty)*) => {$(
        impl Element for $element {
            fn append_to(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_ne_bytes());
            }
        }
    )*};
}

element!(u8 i8 i16 i32 f32 f64);

fn native_bytes<E: Element>(elements: &[E]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in elements {
        element.append_to(&mut bytes);
    }
    bytes
}

struct Rewrite {
    input: PathBuf,
    output: PathBuf,
}

impl Rewrite {
    fn run(&self) -> Result<()> {
        let buffer = idx_std::open(&self.input)?;
        self.same_by_all_readers(&buffer)?;
        for suffix in ["untyped", "untyped.gz"] {
            write_untyped(&buffer, &self.output(suffix))?;
        }
        fs::write(self.output("matrix"), native_bytes(&buffer.to_matrix()?))?;
        match buffer.as_idx().header().element_type() {
            U8 => self.typed::<u8>(&buffer),
            I8 => self.typed::<i8>(&buffer),
            I16 => self.typed::<i16>(&buffer),
            I32 => self.typed::<i32>(&buffer),
            F32 => self.typed::<f32>(&buffer),
            F64 => self.typed::<f64>(&buffer),
        }
    }

    fn output(&self, suffix: &str) -> PathBuf {
        let mut path = self.output.clone().into_os_string();
        path.push(".");
        path.push(suffix);
        path.into()
    }

    fn same_by_all_readers(&self, buffer: &IdxBuf) -> Result<()> {
        let read = IdxBuf::from_reader(File::open(&self.input)?)?;
        same(read.bytes(), buffer.bytes(), "from_reader")?;
        let bytes = fs::read(&self.input)?;
        if bytes.starts_with(&[0x1F, 0x8B]) {
            return same_record_by_record(Reader::open(&self.input)?, buffer);
        }
        // SAFETY: nobody else knows this folder.
        let mapped = unsafe { MappedFile::open(&self.input) }.and_then(IdxBuf::from_mapped)?;
        same(mapped.bytes(), buffer.bytes(), "map")?;
        same(&bytes, buffer.bytes(), "open")?;
        same_record_by_record(Reader::new(&bytes[..])?, buffer)
    }

    fn typed<E: Element>(&self, buffer: &IdxBuf) -> Result<()> {
        let array = idx_std::load::<E>(&self.input)?;
        let elements = native_bytes(&array);
        same(&elements, &native_bytes(&buffer.to_vec::<E>()?), "to_vec")?;
        fs::write(self.output("elements"), elements)?;
        match array.shape() {
            [_] => self.records::<E>(),
            [_, 3] => self.records::<[E; 3]>(),
            [_, 2, 3] => self.records::<[[E; 3]; 2]>(),
            [_, 2, 0, 3] => self.records::<[[[E; 3]; 0]; 2]>(),
            _ => Ok(()),
        }
    }

    fn records<T: IdxRecord>(&self) -> Result<()> {
        for suffix in ["typed", "typed.gz"] {
            let mut writer = RecordWriter::<T>::create(self.output(suffix))?;
            for record in Reader::open(&self.input)?.records::<T>()? {
                writer.push(&record?)?;
            }
            writer.finish()?;
        }
        Ok(())
    }
}

fn same(found: &[u8], expected: &[u8], reader: &str) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(format!("`{reader}` reads other bytes").into())
}

fn same_record_by_record<R: io::Read>(mut reader: Reader<R>, buffer: &IdxBuf) -> Result<()> {
    let idx = buffer.as_idx();
    if reader.header() != buffer.header() {
        return Err("`Reader` reads another header".into());
    }
    for index in 0..idx.len() {
        let record = reader.next_record().ok_or("`Reader` ends early")??;
        let expected = idx.record_bytes(index).ok_or("`Idx` ends early")?;
        same(record, expected, "Reader")?;
    }
    match reader.next_record() {
        None => Ok(()),
        Some(_) => Err("`Reader` does not end".into()),
    }
}

fn write_untyped(buffer: &IdxBuf, path: &Path) -> Result<()> {
    let idx = buffer.as_idx();
    let header = buffer.header();
    let mut writer = Writer::create(path, header.element_type(), header.dims())?;
    for index in 0..idx.len() {
        writer.push_bytes(idx.record_bytes(index).ok_or("`Idx` ends early")?)?;
    }
    writer.finish()?;
    Ok(())
}
