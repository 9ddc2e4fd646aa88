use std::fs::{self, File};
use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use idx_bench::data::Data;
use idx_std::formats::{
    Format, Labels, Record, RecordSource, SinkOptions, SourceOptions, create, open, open_labels,
};
use idx_std::{ElementType, Error};

use crate::rounds::Group;

/// MNIST's training images with their labels, as lines of numbers: 110 MB.
pub(crate) fn csv(data: &Data, rounds: usize) -> Result<(), Error> {
    const WRITE: &str = "one `write_all` of the text";
    const READ: &str = "`std::fs::read` of the text";
    let text = &data.file("images.csv");
    let written = &data.file("written.csv");
    let [images, labels, ..] = &data.files();
    write(images, labels, text).expect("files of MNIST");
    let bytes = fs::read(text).expect("it was written");
    Group::new("csv: 47 MB of u8 with labels to 110 MB of text, both files on the disk")
        .try_case(WRITE, || {
            let mut file = File::create(written)?;
            file.write_all(&bytes).and_then(|()| file.sync_all())
        })
        .try_case("`formats::create`", || write(images, labels, written))
        // 500 MB/s.
        .target_milliseconds("`formats::create`", 220.0)
        .run(rounds);
    Group::new("csv: 110 MB of text to records with labels")
        .try_case(READ, || fs::read(text))
        .try_case("the csv crate and `str::parse`", || parse(text))
        .try_case("`formats::open`", || read(text))
        // 400 MB/s.
        .target_milliseconds("`formats::open`", 275.0)
        .target("`formats::open`", 0.2, "the csv crate and `str::parse`")
        .run(rounds);
    Ok(())
}

fn write(images: &Path, labels: &Path, to: &Path) -> Result<(), idx_std::formats::Error> {
    let source = open(images, &SourceOptions::default())?;
    let mut source = source.with_labels(open_labels(labels, 0)?)?;
    let options = SinkOptions {
        label_type: Some(ElementType::U8),
        ..SinkOptions::default()
    };
    let mut sink = create(to, Format::Csv, source.layout(), &options)?;
    let mut record = Record::default();
    while source.read(&mut record)? {
        sink.push(&record)?;
    }
    sink.finish()
}

fn read(text: &Path) -> Result<(), idx_std::formats::Error> {
    let options = SourceOptions {
        labels: Labels::Expected,
        ..SourceOptions::default()
    };
    let mut source = open(text, &options)?;
    let mut record = Record::default();
    while source.read(&mut record)? {
        black_box(&record);
    }
    Ok(())
}

fn parse(text: &Path) -> csv::Result<()> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_path(text)?;
    let (mut line, mut record) = (csv::StringRecord::new(), Vec::new());
    while reader.read_record(&mut line)? {
        record.clear();
        record.extend(
            line.iter()
                .map(|field| field.parse::<u8>().expect("a byte")),
        );
        black_box(&record);
    }
    Ok(())
}
