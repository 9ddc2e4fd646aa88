//! Measures conversions and the formats of other programs.

use std::cell::Cell;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use idx_bench::data::Data;
use idx_data::{CreateOptions, Format, OpenOptions, Record, Sink, TransformOptions, open};
use idx_std::Error;

use crate::rounds::Group;

const CREATE: &str = "`Sink`";
const OPEN: &str = "`idx_data::open`";

/// MNIST's training images, each changed while it is in the cache.
pub(crate) fn transform(data: &Data, rounds: usize) -> Result<(), Error> {
    const BARE: &str = "a bare loop that divides by 255, to big-endian bytes";
    let file = idx_std::open(data.images())?;
    let payload = file.as_idx().payload();
    let mut bytes = Vec::new();
    Group::new("transform: 47 MB of u8 to f32 from 0 to 1, record by record, nothing kept")
        .case(BARE, || {
            for image in payload.chunks_exact(784) {
                bytes.clear();
                for pixel in image {
                    bytes.extend((f32::from(*pixel) / 255.0).to_be_bytes());
                }
                black_box(&bytes);
            }
        })
        .try_case("`idx_data::open` and nothing else", || change(&data.images(), None))
        .try_case("`idx_data::open` and `TransformOptions`", || {
            change(&data.images(), Some([0.0, 1.0]))
        })
        .target("`idx_data::open` and `TransformOptions`", 1.15, BARE)
        .run(rounds);
    Ok(())
}

/// MNIST's training images with their labels, as lines of numbers: 110 MB.
pub(crate) fn csv(data: &Data, rounds: usize) -> Result<(), Error> {
    const WRITE: &str = "one `write_all` of the text";
    let text = &data.file("images.csv");
    let written = &data.file("written.csv");
    let [images, ..] = &data.files();
    write(images, text, Format::Csv, 0).expect("files of MNIST");
    let bytes = fs::read(text).expect("it was written");
    Group::new("csv: 47 MB of u8 with labels to 110 MB of text, both files on the disk")
        .try_case(WRITE, || {
            let mut file = File::create(written)?;
            file.write_all(&bytes).and_then(|()| file.sync_all())
        })
        .try_case(CREATE, || write(images, written, Format::Csv, 0))
        .target_milliseconds(CREATE, 1300.0)
        .run(rounds);
    Group::new("csv: 110 MB of text to records with labels")
        .try_case("the csv crate and `str::parse`", || parse(text))
        .try_case(OPEN, || read(text, 0))
        .target_milliseconds(OPEN, 1600.0)
        .run(rounds);
    Ok(())
}

/// MNIST's test images, a file each. Each folder stays until the end: for a minute after files were deleted, ext4
/// looks for other places for new ones, which takes four times as long as the pictures.
pub(crate) fn png(data: &Data, rounds: usize) -> Result<(), Error> {
    const ONE: &str = "`Sink`, one thread";
    const ALL: &str = "`Sink`, a thread for each core";
    const READ_ONE: &str = "`idx_data::open`, one thread";
    const READ_ALL: &str = "`idx_data::open`, a thread for each core";
    let [.., images, _] = &data.files();
    let folders = Cell::new(0);
    let write = |threads| {
        folders.set(folders.get() + 1);
        let folder = data.file(&format!("pictures-{}", folders.get()));
        write(images, &folder, Format::Png, threads).map(|()| folder)
    };
    Group::new("png: 10,000 images of 784 bytes with their labels to a folder")
        .try_case(ONE, || write(1))
        .try_case(ALL, || write(0))
        .target(ALL, 0.59, ONE)
        .run(rounds);
    let folder = &write(0).expect("files of MNIST");
    Group::new("png: 10,000 pictures of a folder with their labels to records")
        .try_case(READ_ONE, || read(folder, 1))
        .try_case(READ_ALL, || read(folder, 0))
        .target(READ_ALL, 0.59, READ_ONE)
        .run(rounds);
    Ok(())
}

/// MNIST's training images with their labels, in four row groups.
#[cfg(feature = "parquet")]
pub(crate) fn parquet(data: &Data, rounds: usize) -> Result<(), Error> {
    let [images, ..] = &data.files();
    let written = &data.file("written.parquet");
    Group::new("parquet: 47 MB of u8 with labels, as lists, to a file")
        .try_case(CREATE, || write(images, written, Format::Parquet, 0))
        .run(rounds);
    Group::new("parquet: 47 MB of u8 with labels, as lists, to records")
        .try_case(OPEN, || read(written, 0))
        .run(rounds);
    Ok(())
}

fn write(images: &Path, to: &Path, format: Format, threads: usize) -> Result<(), idx_data::Error> {
    let mut source = open(images)?;
    let options = CreateOptions::new().format(format).threads(threads);
    let mut sink = Sink::create(to, source.facts(), &options)?;
    let mut record = Record::default();
    while source.read(&mut record)? {
        sink.push(&record)?;
    }
    sink.finish().map(drop)
}

fn read(path: &Path, threads: usize) -> Result<(), idx_data::Error> {
    let options = OpenOptions::new().threads(threads);
    let mut source = options.open(path)?;
    let mut record = Record::default();
    while source.read(&mut record)? {
        black_box(&record);
    }
    Ok(())
}

fn change(path: &Path, scale: Option<[f64; 2]>) -> Result<(), idx_data::Error> {
    let mut source = open(path)?.changed(&TransformOptions::new().scale(scale))?;
    let mut record = Record::default();
    while source.read(&mut record)? {
        black_box(&record);
    }
    Ok(())
}

fn parse(text: &Path) -> csv::Result<()> {
    let mut reader = csv::Reader::from_path(text)?;
    let (mut line, mut record) = (csv::StringRecord::new(), Vec::new());
    while reader.read_record(&mut line)? {
        record.clear();
        record.extend(line.iter().map(|field| field.parse::<u8>().expect("a byte")));
        black_box(&record);
    }
    Ok(())
}
