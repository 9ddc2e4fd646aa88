//! Writing with idx-std: which bytes it writes, and that a file appears complete or not at all.

use std::fs;
use std::io::{self, Cursor, Read, Seek, Write};
use std::path::Path;
use std::process::Command;

use idx_std::{
    ElementType, Error, ErrorKind, IdxBuf, IdxRecord, Reader, RecordWriter, WriteOptions, Writer,
};
#[cfg(unix)]
use idx_tests::named_pipe;
use idx_tests::{file, names};

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: i16,
    y: i16,
}

/// Writes labels 0, 1, 2, .. to a path.
fn write_labels(path: &Path, count: u32) -> Result<(), Error> {
    let mut writer = RecordWriter::<Label>::create(path)?;
    for index in 0..count {
        writer.push(&Label((index % 10) as u8))?;
    }
    writer.finish().map(|_| ())
}

/// A typed writer with options.
fn writer_of<T: IdxRecord, W: Write + Seek>(
    sink: W,
    options: WriteOptions,
) -> Result<RecordWriter<T, W>, Error> {
    let dims = [&[0], T::SHAPE].concat();
    options.write_to(sink, T::ELEMENT, &dims)?.records()
}

#[test]
fn the_bytes_of_a_file() {
    let mut writer = RecordWriter::<Point, _>::new(Cursor::new(vec![])).unwrap();
    writer.push(&Point { x: 1, y: -1 }).unwrap();
    writer.push(&Point { x: 256, y: 0 }).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(bytes, file(0x0B, &[2, 2], &[0, 1, 0xFF, 0xFF, 1, 0, 0, 0]));

    let writer = RecordWriter::<[[f64; 2]; 3], _>::new(Cursor::new(vec![])).unwrap();
    let empty = writer.finish().unwrap().into_inner();
    assert_eq!(empty, file(0x0E, &[0, 3, 2], &[]));

    // A record of one element makes rank 1, also if it was read from a file of rank 0.
    let mut writer = RecordWriter::<u8, _>::new(Cursor::new(vec![])).unwrap();
    writer.push(&7).unwrap();
    assert_eq!(writer.finish().unwrap().into_inner(), file(0x08, &[1], &[7]));
}

#[test]
fn all_element_types_there_and_back() {
    for element_type in ElementType::ALL {
        for shape in [&[][..], &[3], &[2, 1, 4], &[0], &[2, 0]] {
            let size = element_type.size() * shape.iter().product::<u32>() as usize;
            let records: Vec<Vec<u8>> = (0..5u8)
                .map(|record| {
                    (0..size).map(|byte| (byte as u8).wrapping_mul(37) ^ record).collect()
                })
                .collect();
            for gzip in [false, true] {
                let options = WriteOptions::new().gzip(gzip);
                let sink = Cursor::new(vec![]);
                let dims = [&[0], shape].concat();
                let mut writer = options.write_to(sink, element_type, &dims).unwrap();
                for record in &records {
                    writer.push_bytes(record).unwrap();
                }
                let bytes = writer.finish().unwrap().into_inner();
                assert_eq!(bytes.starts_with(&[0x1F, 0x8B]), gzip);

                let buffer = IdxBuf::from_bytes(bytes.clone()).unwrap();
                let sizes = [&[5], shape].concat();
                assert_eq!(buffer.bytes(), file(element_type.code(), &sizes, &records.concat()));
                let mut reader = Reader::new(&bytes[..]).unwrap();
                for record in &records {
                    assert_eq!(reader.next_record().unwrap().unwrap(), record);
                }
                assert!(reader.next_record().is_none());
            }
        }
    }
}

#[test]
fn records_of_a_slice_are_those_one_by_one() {
    let records: Vec<Point> =
        (0..300_000u32).map(|index| Point { x: index as i16, y: (index >> 3) as i16 }).collect();
    for gzip in [false, true] {
        let options = WriteOptions::new().gzip(gzip).level(1);
        let new = || writer_of::<Point, _>(Cursor::new(vec![]), options).unwrap();
        let (mut one_by_one, mut at_once) = (new(), new());
        for record in &records {
            one_by_one.push(record).unwrap();
        }
        at_once.push_all(&records[..1]).unwrap();
        at_once.push_all(&[]).unwrap();
        at_once.push_all(&records[1..100_000]).unwrap();
        at_once.push(&records[100_000]).unwrap();
        at_once.push_all(&records[100_001..]).unwrap();
        assert!(one_by_one.finish().unwrap() == at_once.finish().unwrap());
    }

    let mut labels = RecordWriter::<Label, _>::new(Cursor::new(vec![])).unwrap();
    let refused = labels.push_all(&[Label(1), Label(2), Label(30), Label(4)]).unwrap_err();
    assert!(matches!(
        refused.kind(),
        ErrorKind::Format(idx_core::ErrorKind::ValueNotAllowed { record: 2, value: 30 })
    ));
    assert_eq!(refused.records(), Some(2));
    assert_eq!(labels.finish().unwrap().into_inner(), file(0x08, &[2], &[1, 2]));

    let mut nothing = RecordWriter::<[u8; 0], _>::new(Cursor::new(vec![])).unwrap();
    nothing.push_all(&[[]; 70_000]).unwrap();
    assert_eq!(nothing.finish().unwrap().into_inner(), file(0x08, &[70_000, 0], &[]));
}

#[test]
fn a_scalar_keeps_its_rank() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["scalar", "scalar.gz"] {
        let path = folder.path().join(name);
        let mut writer = Writer::create(&path, ElementType::I16, &[]).unwrap();
        writer.push_bytes(&[0, 7]).unwrap();
        let full = writer.push_bytes(&[0, 8]).unwrap_err();
        assert!(full.to_string().contains("the file can hold at most 1;"), "{full}");
        writer.finish().unwrap();
        assert_eq!(idx_std::open(&path).unwrap().bytes(), file(0x0B, &[], &[0, 7]));
    }
    let writer = Writer::create(folder.path().join("none"), ElementType::U8, &[]).unwrap();
    let text = "the file has 1 element, but 0 were given; give exactly 1";
    assert_eq!(writer.finish().unwrap_err().kind().to_string(), text);
    assert_eq!(names(folder.path()), ["scalar", "scalar.gz"]);
}

/// Writes 100,000 points.
fn write_points(path: &Path, level: u32) {
    let options = WriteOptions::new().level(level);
    let writer = options.create(path, ElementType::I16, &[0, 2]).unwrap();
    let mut writer = writer.records::<Point>().unwrap();
    for x in 0..100_000u32 {
        let (x, y) = ((x / 3) as i16, (x % 7) as i16);
        writer.push(&Point { x, y }).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn gzip_files_are_ordinary_ones() {
    let folder = tempfile::tempdir().unwrap();
    for level in 0..=9 {
        let path = folder.path().join(format!("points-{level}.gz"));
        let again = folder.path().join(format!("again-{level}.gz"));
        write_points(&path, level);
        write_points(&again, level);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes, fs::read(&again).unwrap(), "no chance");
        assert!(bytes.starts_with(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0]), "no name, no time");
        // One member: a decoder of a single one reads to the end of the file.
        let mut member = flate2::bufread::GzDecoder::new(&bytes[..]);
        let mut plain = Vec::new();
        member.read_to_end(&mut plain).unwrap();
        assert!(member.into_inner().is_empty());
        assert_eq!(IdxBuf::from_bytes(plain).unwrap().as_idx().len(), 100_000);
        assert_eq!(
            Reader::open(&path).unwrap().records::<Point>().unwrap().map(Result::unwrap).count(),
            100_000
        );
    }
}

/// Skips programs that are not installed.
#[test]
fn gzip_files_are_read_by_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    for level in 0..=9 {
        let path = folder.path().join(format!("points-{level}.gz"));
        write_points(&path, level);
        if let Ok(status) = Command::new("gzip").arg("-t").arg(&path).status() {
            assert!(status.success(), "gzip -t at level {level}");
        }
    }
    let python = "import gzip, sys; bytes = gzip.open(sys.argv[1]).read(); \
                  assert len(bytes) == 400012 and bytes[:8].hex() == '00000b02000186a0'";
    if cfg!(unix)
        && let Ok(status) = Command::new("python3")
            .args(["-c", python])
            .arg(folder.path().join("points-6.gz"))
            .status()
    {
        assert!(status.success(), "gzip of Python");
    }
}

#[test]
fn a_sink_is_written_from_where_it_stands() {
    for gzip in [false, true] {
        let mut sink = Cursor::new(vec![]);
        let mut written = Vec::new();
        for records in [3u8, 0, 2] {
            let start = written.len();
            let options = WriteOptions::new().gzip(gzip);
            let mut writer = writer_of::<u8, _>(&mut sink, options).unwrap();
            for record in 0..records {
                writer.push(&record).unwrap();
            }
            writer.finish().unwrap();
            written = sink.get_ref().clone();
            let file = IdxBuf::from_bytes(written[start..].to_vec()).unwrap();
            assert_eq!(file.as_idx().len(), usize::from(records));
        }
    }
}

/// A sink in memory that records the position after each write.
#[derive(Default)]
struct Positions {
    sink: Cursor<Vec<u8>>,
    after_writes: Vec<u64>,
}

impl Write for Positions {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.after_writes.push(self.sink.position());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Positions {
    fn seek(&mut self, position: io::SeekFrom) -> io::Result<u64> {
        self.sink.seek(position)
    }
}

#[test]
fn writes_end_at_multiples_of_256_kib() {
    const PAYLOAD: u32 = 3_000_000;
    for record_size in [1, 3, 784, 262_144, 300_000, 1_000_000] {
        for at_a_time in [1, 1000] {
            let case = format!("records of {record_size} bytes, {at_a_time} at a time");
            let sizes = [0, record_size];
            let record: Vec<u8> = (0..=250).cycle().take(record_size as usize).collect();
            let count = PAYLOAD / record_size;
            let sink = Positions::default();
            let options = WriteOptions::new().gzip(false);
            let mut writer = options.write_to(sink, ElementType::U8, &sizes).unwrap();
            let mut left = count as usize;
            while left > 0 {
                let records = at_a_time.min(left);
                writer.push_elements(&record.repeat(records)).unwrap();
                left -= records;
            }
            let sink = writer.finish().unwrap();

            let expected = file(0x08, &[count, record_size], &record.repeat(count as usize));
            assert!(sink.sink.into_inner() == expected, "{case}");
            // The first write is the header; the last two are the rest and the header again.
            let [_, chunks @ .., _, _] = sink.after_writes.as_slice() else {
                panic!("{case}: {:?}", sink.after_writes);
            };
            assert!((2..=11).contains(&chunks.len()), "{case}: {chunks:?}");
            assert!(chunks.iter().all(|end| end % (256 * 1024) == 0), "{case}: {chunks:?}");
        }
    }
}

#[test]
fn records_that_are_refused_leave_the_file_as_it_was() {
    let mut writer = RecordWriter::<Label, _>::new(Cursor::new(vec![])).unwrap();
    writer.push(&Label(9)).unwrap();
    let refused = writer.push(&Label(10)).unwrap_err();
    assert!(matches!(
        refused.kind(),
        ErrorKind::Format(idx_core::ErrorKind::ValueNotAllowed { record: 1, value: 10 })
    ));
    writer.push(&Label(0)).unwrap();
    assert_eq!(writer.finish().unwrap().into_inner(), file(0x08, &[2], &[9, 0]));

    let mut writer = Writer::new(Cursor::new(vec![]), ElementType::I16, &[0, 2]).unwrap();
    let wrong = writer.push_bytes(&[1, 2, 3]).unwrap_err();
    let text = "a record has 4 bytes, but 3 were given; give exactly 4";
    assert_eq!(wrong.kind().to_string(), text);
    assert_eq!(writer.finish().unwrap().into_inner(), file(0x0B, &[0, 2], &[]));

    // Several records where there should be one, and a part of a record after several.
    let mut writer = Writer::new(Cursor::new(vec![]), ElementType::U8, &[0, 2]).unwrap();
    assert_eq!(writer.push_bytes(&[1, 2, 3, 4]).unwrap_err().kind().code(), "wrong_length");
    writer.push_records(&[1, 2, 3, 4]).unwrap();
    assert_eq!(writer.push_records(&[5, 6, 7]).unwrap_err().kind().code(), "wrong_length");
    writer.push_records(&[]).unwrap();
    assert_eq!(writer.finish().unwrap().into_inner(), file(0x08, &[2, 2], &[1, 2, 3, 4]));

    let too_many = Writer::new(Cursor::new(vec![]), ElementType::U8, &[1; 256]).unwrap_err();
    assert_eq!(too_many.kind().code(), "shape_too_large");
    assert!(Writer::new(Cursor::new(vec![]), ElementType::U8, &[1; 255]).is_ok());
    let too_large = Writer::new(Cursor::new(vec![]), ElementType::F64, &[u32::MAX; 4]).unwrap_err();
    assert!(matches!(too_large.kind(), ErrorKind::Format(idx_core::ErrorKind::TooLarge { .. })));
}

/// The number that the program gives does not matter.
#[test]
fn the_number_of_records_is_filled_in() {
    for count in [0, 1, 7, u32::MAX] {
        let sink = Cursor::new(vec![]);
        let mut writer = Writer::new(sink, ElementType::I16, &[count, 2]).unwrap();
        assert_eq!(writer.header().dims(), [0, 2]);
        writer.push_bytes(&[1, 2, 3, 4]).unwrap();
        assert_eq!(writer.header().dims(), [1, 2]);
        let bytes = writer.finish().unwrap().into_inner();
        assert_eq!(bytes, file(0x0B, &[1, 2], &[1, 2, 3, 4]));
    }
}

/// A writer becomes a typed one only if its file has the type of the records.
#[test]
fn a_typed_writer_has_the_type_of_its_file() {
    let new = |element_type, dims: &[u32]| {
        let writer = Writer::new(Cursor::new(vec![]), element_type, dims).unwrap();
        writer.records::<Point>()
    };
    let mut writer = new(ElementType::I16, &[9, 2]).unwrap();
    writer.push(&Point { x: 1, y: -1 }).unwrap();
    assert_eq!(writer.finish().unwrap().into_inner(), file(0x0B, &[1, 2], &[0, 1, 0xFF, 0xFF]));
    for (element_type, dims, expected) in [
        (
            ElementType::I32,
            &[0, 2][..],
            idx_core::ErrorKind::ElementMismatch {
                expected: ElementType::I16,
                found: ElementType::I32,
            },
        ),
        (ElementType::I16, &[], idx_core::ErrorKind::RankMismatch { expected: 2, found: 0 }),
        (
            ElementType::I16,
            &[0, 3],
            idx_core::ErrorKind::ShapeMismatch { dimension: 1, expected: 2, found: 3 },
        ),
    ] {
        let error = new(element_type, dims).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Format(error) if *error == expected), "{error}");
    }
    // Records that were written before stay.
    let mut writer = Writer::new(Cursor::new(vec![]), ElementType::U8, &[0]).unwrap();
    writer.push_bytes(&[4]).unwrap();
    let mut labels = writer.records::<Label>().unwrap();
    labels.push(&Label(2)).unwrap();
    assert_eq!(labels.finish().unwrap().into_inner(), file(0x08, &[2], &[4, 2]));
}

#[test]
fn an_abandoned_writer_leaves_nothing_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["labels", "labels.gz"] {
        let path = folder.path().join(name);
        drop(RecordWriter::<Label>::create(&path).unwrap());
        assert_eq!(names(folder.path()), [""; 0]);

        fs::write(&path, "as it was").unwrap();
        let mut writer = RecordWriter::<Label>::create(&path).unwrap();
        for _ in 0..1_000_000 {
            writer.push(&Label(1)).unwrap();
        }
        // On systems without unnamed files, the new one has a hidden name.
        for other in names(folder.path()) {
            let is_hidden = other.starts_with(&format!(".{name}.")) && other.ends_with(".tmp");
            assert!(other == name || is_hidden, "{other}");
        }
        drop(writer);
        assert_eq!(names(folder.path()), [name]);
        assert_eq!(fs::read(&path).unwrap(), b"as it was");

        write_labels(&path, 3).unwrap();
        assert_eq!(idx_std::load::<u8>(&path).unwrap()[..], [0, 1, 2]);
        assert_eq!(names(folder.path()), [name]);
        fs::remove_file(&path).unwrap();
    }
    let missing = write_labels(&folder.path().join("no/such/folder"), 1).unwrap_err();
    assert!(matches!(missing.kind(), ErrorKind::Io(_)));
    let is_folder = write_labels(folder.path(), 1).unwrap_err();
    assert!(
        matches!(is_folder.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::IsADirectory),
        "{is_folder}"
    );
}

#[cfg(unix)]
#[test]
fn mode_symlinks_and_files_that_are_none() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;

    fs::File::create(at("by-the-system")).unwrap();
    write_labels(&at("new"), 1).unwrap();
    assert_eq!(mode("new"), mode("by-the-system"));
    fs::set_permissions(at("new"), fs::Permissions::from_mode(0o640)).unwrap();
    write_labels(&at("new"), 2).unwrap();
    assert_eq!(mode("new"), 0o640);

    // Links, also to a file that is not there yet, stay links.
    symlink("new", at("link")).unwrap();
    fs::create_dir(at("inner")).unwrap();
    symlink("../inner/not-yet.gz", at("inner/link")).unwrap();
    write_labels(&at("link"), 3).unwrap();
    write_labels(&at("inner/link"), 4).unwrap();
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert_eq!(idx_std::open(at("new")).unwrap().as_idx().len(), 3);
    assert_eq!(idx_std::open(at("inner/not-yet.gz")).unwrap().as_idx().len(), 4);
    symlink("circle", at("circle")).unwrap();
    let error = write_labels(&at("circle"), 1).unwrap_err();
    assert!(error.to_string().contains("symbolic links"), "{error}");

    // A pipe gets the finished bytes; a device that is full says so; neither is replaced.
    let pipe = at("pipe");
    named_pipe(&pipe);
    let reading = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write_labels(&pipe, 5).unwrap();
    assert_eq!(reading.join().unwrap(), file(0x08, &[5], &[0, 1, 2, 3, 4]));
    assert!(!fs::metadata(&pipe).unwrap().is_file());
    if Path::new("/dev/full").exists() {
        let full = write_labels(Path::new("/dev/full"), 5).unwrap_err();
        assert!(
            matches!(full.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::StorageFull)
        );
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
    }
}

/// Levels go from 0, which does not compress, to 9; larger numbers mean 9.
#[test]
fn levels_of_compression() {
    let numbers: Vec<u8> =
        (0..200_000u32).map(|number| (number.wrapping_mul(number) / 977) as u8 & 31).collect();
    let size = |options: WriteOptions| {
        let mut sink = Cursor::new(Vec::new());
        let mut writer = options.write_to(&mut sink, ElementType::U8, &[0]).unwrap();
        for number in &numbers {
            writer.push_bytes(&[*number]).unwrap();
        }
        writer.finish().unwrap();
        sink.into_inner().len()
    };
    let compressed = WriteOptions::new().gzip(true);
    let [none, fast, best, larger] = [0, 1, 9, 10].map(|level| size(compressed.level(level)));
    assert!(none > numbers.len());
    assert!(best < fast && fast < numbers.len(), "{best} {fast}");
    assert_eq!(larger, best);
}

#[test]
fn a_file_in_append_mode_is_not_finished() {
    for gzip in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let sink = fs::OpenOptions::new().create(true).append(true).open(&path).unwrap();
        let options = WriteOptions::new().gzip(gzip);
        let mut writer = options.write_to(sink, ElementType::I16, &[0, 2]).unwrap();
        writer.push_bytes(&[0, 1, 2, 3]).unwrap();
        let error = writer.finish().unwrap_err();
        assert_eq!(io::Error::from(error).kind(), io::ErrorKind::Unsupported);
    }
}
