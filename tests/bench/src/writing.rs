//! Measures writing, plain and gzip.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use idx_bench::data::{Data, Digit};
use idx_std::{Error, IdxRecord, RecordWriter, WriteOptions};

use crate::limits::{PIECE, write_swapped};
use crate::rounds::Group;

/// The result of a case: a file that is removed, so that each time a new one is written.
struct Written(PathBuf);

impl Drop for Written {
    fn drop(&mut self) {
        fs::remove_file(&self.0).expect("it was written");
    }
}

const RAW: &str = "one `write_all` of the raw bytes";
const SWAPPED: &str = "the bare loop: a swap and a write in pieces of 256 KiB";
const RECORDS: &str = "`RecordWriter::new`, a record of 28 x 28 each";
const ELEMENTS: &str = "`RecordWriter::new`, an element each";
const SLICE: &str = "`RecordWriter::new`, all elements as a slice";

pub(crate) fn plain(data: &Data, rounds: usize) -> Result<(), Error> {
    const SYNCED: &str = "one `write_all`, sync, rename";
    let buffer = idx_std::open(data.typed::<f32>("f32")?)?;
    let bytes = buffer.bytes();
    let images: Vec<Digit<f32>> = buffer.records()?.iter().collect();
    let elements = images.as_flattened().as_flattened();
    let mut scratch = vec![0; PIECE];
    let path = &data.file("written");
    let temporary = &data.file("written.tmp");

    Group::new("write: 47 MB of f32 to a new file, into the page cache")
        .try_case(RAW, || write_raw(path, bytes).map(|()| Written(path.clone())))
        .try_case(SWAPPED, || {
            write_swapped(path, &mut scratch, elements).map(|()| Written(path.clone()))
        })
        .try_case(RECORDS, || write(path, &images, None).map(|()| Written(path.clone())))
        .try_case(ELEMENTS, || write(path, elements, None).map(|()| Written(path.clone())))
        .try_case(SLICE, || write_slice(path, elements).map(|()| Written(path.clone())))
        .target(SLICE, 1.15, RAW)
        .run(rounds);
    let [raw, by_record, by_element, by_slice] =
        &["raw", "by-record", "by-element", "by-slice"].map(|name| data.file(name));
    Group::new("write: 47 MB of f32 over an old file of that size, into the page cache")
        .try_case(RAW, || write_raw(raw, bytes))
        .try_case(RECORDS, || write(by_record, &images, None))
        .try_case(ELEMENTS, || write(by_element, elements, None))
        .try_case(SLICE, || write_slice(by_slice, elements))
        .target(SLICE, 1.15, RAW)
        .run(rounds);
    Group::new("write: 47 MB of f32, onto the disk before the file has its name")
        .try_case(SYNCED, || {
            let mut file = File::create(temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(temporary, path)?;
            io::Result::Ok(Written(path.clone()))
        })
        .try_case("`RecordWriter::create`, a record of 28 x 28 each", || {
            let mut writer = RecordWriter::create(path)?;
            for image in &images {
                writer.push(image)?;
            }
            writer.finish()?;
            Ok::<_, Error>(Written(path.clone()))
        })
        .run(rounds);
    Ok(())
}

pub(crate) fn gzip(data: &Data, rounds: usize) -> Result<(), Error> {
    const FLATE2: &str = "flate2, level 6";
    let buffer = idx_std::open(data.images())?;
    let bytes = buffer.bytes();
    let digits = buffer.records::<Digit>()?.as_slice();
    let path = &data.file("written");

    Group::new("gzip-write: 47 MB of u8, level 6, to a new file, into the page cache")
        .try_case(FLATE2, || {
            let mut encoder = GzEncoder::new(File::create(path)?, Compression::new(6));
            for piece in bytes.chunks(PIECE) {
                encoder.write_all(piece)?;
            }
            encoder.finish()?;
            io::Result::Ok(Written(path.clone()))
        })
        .try_case(RECORDS, || write(path, digits, Some(6)).map(|()| Written(path.clone())))
        .target(RECORDS, 1.0, FLATE2)
        .run(rounds);
    Ok(())
}

fn write_raw(path: &Path, bytes: &[u8]) -> io::Result<()> {
    File::create(path)?.write_all(bytes)
}

/// Writes by `RecordWriter::new`, which like the raw `write_all` does not wait for the disk.
fn write<T: IdxRecord>(path: &Path, records: &[T], level: Option<u32>) -> Result<(), Error> {
    let options = match level {
        None => WriteOptions::new().gzip(false),
        Some(level) => WriteOptions::new().gzip(true).level(level),
    };
    let file = File::create(path).expect("the folder is there");
    let dims = [&[0], T::SHAPE].concat();
    let mut writer = options.write_to(file, T::ELEMENT, &dims)?.records::<T>()?;
    for record in records {
        writer.push(record)?;
    }
    writer.finish()?;
    Ok(())
}

fn write_slice<T: IdxRecord>(path: &Path, records: &[T]) -> Result<(), Error> {
    let file = File::create(path).expect("the folder is there");
    let mut writer = RecordWriter::<T, _>::new(file)?;
    writer.push_all(records)?;
    writer.finish()?;
    Ok(())
}
