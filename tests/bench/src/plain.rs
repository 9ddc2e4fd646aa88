//! Measures reading of plain files.

use std::fs::{self, File};
use std::hint::black_box;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use idx_bench::data::Data;
use idx_std::{Element, Error, IdxBuf, MappedFile, ReadOptions, Reader};

use crate::gzip::{by_value, lent, lent_typed};
use crate::limits::{PIECE, huge_pages, read_pieces, read_swapped, read_whole};
use crate::rounds::Group;

const PIECES: &str = "read(2) in pieces of 256 KiB, nothing kept";

pub(crate) fn load(data: &Data, rounds: usize) -> Result<(), Error> {
    let bytes = &data.images();
    let floats = &data.typed::<f32>("f32")?;
    load_typed::<u8>(bytes, "u8", rounds)?;
    load_typed::<f32>(floats, "f32", rounds)?;

    const LIMIT: &str = "read(2) in pieces and a swap, huge pages";
    let size = idx_std::open(floats)?.bytes().len();
    let mut scratch = vec![0; PIECE];
    Group::new("plain-load: 47 MB of f32, big-endian to native")
        .case(LIMIT, || {
            let mut memory = huge_pages(size);
            read_swapped(floats, &mut scratch, &mut memory);
            memory
        })
        .try_case("`load`", || idx_std::load::<f32>(floats))
        .run(rounds);
    Ok(())
}

fn load_typed<E: Element + Clone>(path: &Path, name: &str, rounds: usize) -> Result<(), Error> {
    const FS_READ: &str = "`std::fs::read`";
    let size = idx_std::open(path)?.bytes().len();
    let mut warm_bytes = vec![1; size];
    let mut scratch = vec![0; PIECE];
    let one_thread = ReadOptions::new().threads(NonZero::<usize>::MIN);

    Group::new(format!("plain-load: 47 MB of {name} from the page cache"))
        .try_case(FS_READ, || fs::read(path))
        .case(PIECES, || read_pieces(path, &mut scratch))
        .case("read(2), warm memory", || read_whole(path, &mut warm_bytes))
        .case("read(2), huge pages", || {
            let mut memory = huge_pages(size);
            read_whole(path, &mut memory);
            memory
        })
        .try_case("`open`", || idx_std::open(path))
        .try_case("`open`, one thread", || one_thread.open(path))
        .try_case("`load`", || idx_std::load::<E>(path))
        .try_case("`load`, one thread", || one_thread.load::<E>(path))
        .target("`load`", 0.35, FS_READ)
        .target("`load`", 0.7, "`load`, one thread")
        .run(rounds);
    Ok(())
}

pub(crate) fn stream(data: &Data, rounds: usize) -> Result<(), Error> {
    let path = &data.images();
    let mut scratch = vec![0; PIECE];
    Group::new("plain-stream: 47 MB of u8 from the page cache, record by record, nothing kept")
        .case(PIECES, || read_pieces(path, &mut scratch))
        .try_case("`Reader`, lent", || lent(path))
        .try_case("`RecordReader`, lent", || lent_typed(path))
        .try_case("`RecordReader`, by value", || by_value(path))
        .target("`Reader`, lent", 1.3, PIECES)
        .target("`RecordReader`, lent", 1.3, PIECES)
        .target("`RecordReader`, by value", 1.3, PIECES)
        .run(rounds);
    Ok(())
}

pub(crate) fn mapped(data: &Data, rounds: usize) -> Result<(), Error> {
    let small = &sparse(data, 5 << 10);
    let images = &data.images();
    let large = &sparse(data, 5 << 30);
    Group::new("mapped: a view of a plain file, made and given back")
        .repeat(100)
        .case("`IdxBuf::from_mapped`, 5 KiB", || map(small))
        .case("`IdxBuf::from_mapped`, 47 MB", || map(images))
        .case("`IdxBuf::from_mapped`, 5 GiB, sparse", || map(large))
        .target_milliseconds("`IdxBuf::from_mapped`, 5 KiB", 0.1)
        .target_milliseconds("`IdxBuf::from_mapped`, 47 MB", 0.1)
        .target_milliseconds("`IdxBuf::from_mapped`, 5 GiB, sparse", 0.1)
        .run(rounds);
    Group::new("mapped: `Reader::open`, `select` the last record, and read it")
        .repeat(100)
        .try_case("5 KiB", || last_record(small))
        .try_case("47 MB", || last_record(images))
        .try_case("5 GiB, sparse", || last_record(large))
        .run(rounds);
    Ok(())
}

/// One record after the other, in random order.
pub(crate) fn random(data: &Data, rounds: usize) -> Result<(), Error> {
    use std::os::unix::fs::FileExt;

    const PREAD: &str = "pread(2) of each record";
    const SIZE: usize = 28 * 28;
    let path = &data.images();
    let file = File::open(path).expect("the file is there");
    let shared = Reader::open(path)?;
    let mut jumping = Reader::open(path)?;
    let mut open_ended = Reader::open(path)?;
    let count = u64::from(shared.header().record_count());
    let order = || (0..10_000u64).map(move |step| step * 7_919 % count);
    let mut record = [0; SIZE];
    Group::new("plain-random: 10,000 of 60,000 records of 784 bytes, in random order")
        .case(PREAD, || {
            for index in order() {
                let offset = 16 + index * SIZE as u64;
                file.read_exact_at(&mut record, offset).expect("a record");
                black_box(&record);
            }
        })
        .try_case("`Reader::read_at`", || {
            order()
                .try_for_each(|index| shared.read_at(index).map(|record| drop(black_box(record))))
        })
        .try_case("`select(i..=i)`", || {
            order().try_for_each(|index| {
                jumping.select(index..=index)?;
                black_box(jumping.next_record().transpose()?);
                Ok::<_, Error>(())
            })
        })
        .try_case("`select(i..)`", || {
            order().try_for_each(|index| {
                open_ended.select(index..)?;
                black_box(open_ended.next_record().transpose()?);
                Ok::<_, Error>(())
            })
        })
        .target("`Reader::read_at`", 2.0, PREAD)
        .target("`select(i..=i)`", 2.0, PREAD)
        .target("`select(i..)`", 2.0, PREAD)
        .run(rounds);

    const READ: &str = "all records, one by one";
    Group::new("plain-random: forward through 47 MB")
        .try_case(READ, || lent(path))
        .try_case("`select` of each second", || skipping(path, 2))
        .try_case("`select` of each tenth", || skipping(path, 10))
        .try_case("`select` of each hundredth", || skipping(path, 100))
        .target("`select` of each second", 1.0, READ)
        .target("`select` of each tenth", 1.0, READ)
        .target("`select` of each hundredth", 1.0, READ)
        .run(rounds);
    Ok(())
}

fn skipping(path: &Path, step: u64) -> Result<u64, Error> {
    let mut reader = Reader::open(path)?;
    let count = u64::from(reader.header().record_count());
    let mut sum = 0;
    for index in (0..count).step_by(step as usize) {
        reader.select(index..)?;
        if let Some(record) = reader.next_record().transpose()? {
            sum += u64::from(black_box(record)[0]);
        }
    }
    Ok(sum)
}

fn map(path: &Path) -> IdxBuf {
    // SAFETY: the file is in a temporary folder of this process, which does not change it.
    unsafe { MappedFile::open(path) }
        .and_then(IdxBuf::from_mapped)
        .expect("a valid file that can be mapped")
}

fn last_record(path: &Path) -> Result<usize, Error> {
    let mut reader = Reader::open(path)?;
    let count = reader.header().record_count();
    reader.select((u64::from(count) - 1)..)?;
    reader.next_record().map_or(Ok(0), |record| Ok(record?.len()))
}

/// A file of `u8`, of records of 1 KiB, whose payload takes no space on the disk.
fn sparse(data: &Data, payload_size: u64) -> PathBuf {
    let path = data.file(&format!("sparse-{payload_size}"));
    let records = u32::try_from(payload_size >> 10).expect("a header has 32 bits for it");
    let mut header = vec![0, 0, 8, 2];
    header.extend(records.to_be_bytes());
    header.extend(1024u32.to_be_bytes());
    let written = fs::write(&path, &header)
        .and_then(|()| File::options().write(true).open(&path))
        .and_then(|file| file.set_len(header.len() as u64 + payload_size));
    written.expect("there can be sparse files");
    path
}
