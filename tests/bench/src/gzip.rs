//! Measures reading of gzip files.

use std::hint::black_box;
use std::path::Path;

use idx_bench::data::{Data, Digit};
use idx_data::dataset::identify;
use idx_data::stats::Stats;
use idx_std::{Element, ElementType, Error, Reader};
use sha2::{Digest, Sha256};

use crate::limits::{OneShot, PIECE, huge_pages, inflate_pieces, swap};
use crate::rounds::Group;

const ONE_SHOT: &str = "libdeflate in one call, huge pages";

pub(crate) fn open(data: &Data, rounds: usize) -> Result<(), Error> {
    let path = &data.images_gz();
    let size = idx_std::open(path)?.bytes().len();
    let (mut first, mut second, mut third) = (OneShot::new(), OneShot::new(), OneShot::new());
    let (mut warm, mut also_warm) = (vec![1; size], vec![1; size]);
    let mut scratch = vec![0; PIECE];

    Group::new("gzip-open: train-images .gz, 9.9 to 47 MB of u8")
        .case(ONE_SHOT, || {
            let mut memory = huge_pages(size);
            first.libdeflate(path, &mut memory);
            memory
        })
        .case("libdeflate in one call, warm memory", || second.libdeflate(path, &mut warm))
        .case("zlib-rs in one call, warm memory", || third.zlib_rs(path, &mut also_warm))
        .case("flate2 in pieces, nothing kept", || inflate_pieces(path, &mut scratch))
        .try_case("`open`", || idx_std::open(path))
        .try_case("`load::<u8>`", || idx_std::load::<u8>(path))
        .target("`open`", if cfg!(feature = "libdeflate") { 1.0 } else { 1.2 }, ONE_SHOT)
        .run(rounds);
    Ok(())
}

pub(crate) fn load(data: &Data, rounds: usize) -> Result<(), Error> {
    load_typed::<f32>(&data.typed::<f32>("f32")?, "f32", 1.15, rounds)?;
    load_typed::<i32>(&data.typed::<i32>("i32")?, "i32", 1.5, rounds)
}

fn load_typed<E: Element + Clone>(
    path: &Path,
    name: &str,
    at_most: f64,
    rounds: usize,
) -> Result<(), Error> {
    const LIMIT: &str = "libdeflate in one call and a swap, huge pages";
    let path = &path.with_extension(format!("{name}.gz"));
    let size = idx_std::open(path)?.bytes().len();
    let mut one_shot = OneShot::new();

    Group::new(format!("gzip-load: .gz to 47 MB of native {name}"))
        .case(LIMIT, || {
            let mut memory = huge_pages(size);
            one_shot.libdeflate(path, &mut memory);
            swap(&mut memory[16..]);
            memory
        })
        .try_case("`load`", || idx_std::load::<E>(path))
        .target("`load`", at_most, LIMIT)
        .run(rounds);
    Ok(())
}

pub(crate) fn stream(data: &Data, rounds: usize) -> Result<(), Error> {
    const LIMIT: &str = "flate2 in pieces of 256 KiB";
    let path = &data.images_gz();
    let mut scratch = vec![0; PIECE];
    Group::new("gzip-stream: train-images .gz, record by record, nothing kept")
        .case(LIMIT, || inflate_pieces(path, &mut scratch))
        .try_case("`Reader`, lent", || lent(path))
        .try_case("`RecordReader`, lent", || lent_typed(path))
        .try_case("`RecordReader`, by value", || by_value(path))
        .target("`Reader`, lent", 1.1, LIMIT)
        .target("`RecordReader`, lent", 1.1, LIMIT)
        .target("`RecordReader`, by value", 1.1, LIMIT)
        .run(rounds);
    Ok(())
}

pub(crate) fn stats(data: &Data, rounds: usize) -> Result<(), Error> {
    const ONE: &str = "`Reader` into `Stats`, one thread";
    const HASHED: &str = "`Reader` into SHA-256, one thread";
    const IDENTIFIED: &str = "`identify`, with its SHA-256";
    let path = &data.images_gz();
    let mut scratch = vec![0; PIECE];
    Group::new("stats: train-images .gz, summarized and identified")
        .try_case(ONE, || {
            let mut stats = Stats::new(ElementType::U8);
            for_all(path, |records| stats.push_bytes(records))?;
            Ok::<_, Error>(stats.summary())
        })
        .case("flate2 in pieces, nothing kept", || inflate_pieces(path, &mut scratch))
        .try_case(HASHED, || {
            let mut hash = Sha256::new();
            for_all(path, |records| hash.update(records))?;
            Ok::<_, Error>(hash.finalize())
        })
        .try_case(IDENTIFIED, || identify(path))
        .target(IDENTIFIED, 0.8, HASHED)
        .run(rounds);
    Ok(())
}

/// Passes all records on, many at a time.
fn for_all(path: &Path, mut work: impl FnMut(&[u8])) -> Result<(), Error> {
    let mut reader = Reader::open(path)?;
    while let Some(records) = reader.next_records().transpose()? {
        work(records);
    }
    Ok(())
}

/// All records as the bytes that the reader holds.
pub(crate) fn lent(path: &Path) -> Result<(), Error> {
    let mut reader = Reader::open(path)?;
    while let Some(record) = reader.next_record() {
        black_box(record?);
    }
    Ok(())
}

/// All records as they are in the reader.
pub(crate) fn lent_typed(path: &Path) -> Result<(), Error> {
    let mut reader = Reader::open(path)?.records::<Digit>()?;
    while let Some(record) = reader.next_ref() {
        black_box(record?);
    }
    Ok(())
}

/// All records, each copied.
pub(crate) fn by_value(path: &Path) -> Result<(), Error> {
    for record in Reader::open(path)?.records::<Digit>()? {
        black_box(&record?);
    }
    Ok(())
}
