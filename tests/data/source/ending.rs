//! Sources that end, fail, or are the caller's own.

use std::fs;

use idx_data::{
    Chance, Error, Facts, Format, IdxRecord, OpenOptions, Record, RecordLayout, RecordSource,
    Source, TransformOptions,
};
use idx_std::ElementType;
use idx_tests::file;

use crate::common::{added, folder, labels, numbers, opened, read, sink};

#[test]
fn a_source_is_over_after_an_error() {
    let folder = folder(&[("a.csv", b"7\n300\n3\n4\n"), ("l", &file(8, &[4], &[1, 2, 3, 4]))]);
    let pairs = || opened(&folder, "a.csv").with_labels(opened(&folder, "l")).unwrap();
    let mut batches = pairs();
    assert_eq!(batches.next_batch::<u8, u8>(1).unwrap().unwrap().len(), 1);
    for code in ["out_of_range", "failed_earlier", "failed_earlier"] {
        assert_eq!(batches.next_batch::<u8, u8>(1).unwrap_err().kind().code(), code);
    }
    let mut skipping = pairs();
    assert_eq!(skipping.skip(3).unwrap_err().kind().code(), "out_of_range");
    let error = skipping.read(&mut Record::default()).unwrap_err();
    assert_eq!(error.kind().code(), "failed_earlier");
    assert_eq!(error.path(), Some(&*folder.path().join("a.csv")));
    assert_eq!(skipping.skip(1).unwrap_err().kind().code(), "failed_earlier");
    // An input that is joined to a failed one is not read either.
    fs::write(folder.path().join("b.csv"), b"1.5\n2\n").unwrap();
    let mut first = opened(&folder, "b.csv");
    assert!(first.read(&mut Record::default()).is_err());
    let mut joined = first.append(opened(&folder, "b.csv")).unwrap();
    assert_eq!(joined.skip(1).unwrap_err().kind().code(), "failed_earlier");
    // The records of a batch are lost if one of its labels is not of the type.
    let (_folder, source) = numbers();
    let mut renumbered = added(source, 254);
    for code in ["out_of_range", "failed_earlier"] {
        assert_eq!(renumbered.next_batch::<[[u8; 1]; 1], u8>(4).unwrap_err().kind().code(), code);
    }
}

/// A source that the caller defines.
struct Own(Facts, Vec<Record>);

impl Own {
    /// Returns a source of records of 1 x 2 with labels.
    fn source(records: &[(&[u8], Option<i128>)]) -> Source {
        let layout = RecordLayout::new(ElementType::U8, &[0, 1, 2]);
        let mut facts = Facts::new(layout, None);
        facts.has_labels = true;
        let record = |(bytes, label): &(&[u8], _)| Record::new(bytes.to_vec(), *label);
        Source::new("own", Self(facts, records.iter().rev().map(record).collect()))
    }
}

impl RecordSource for Own {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let next = self.1.pop();
        let is_read = next.is_some();
        *record = next.unwrap_or_default();
        Ok(is_read)
    }
}

#[test]
fn a_source_of_ones_own_is_checked() {
    let good = (&[1, 2][..], Some(7));
    assert_eq!(labels(Own::source(&[good, good])), [7, 7]);
    for (bad, found) in [
        ((&[1][..], Some(7)), "1 byte and a label"),
        ((&[1, 2, 3], Some(7)), "3 bytes and a label"),
        ((&[1, 2], None), "2 bytes and no label"),
    ] {
        let mut source = Own::source(&[good, bad]);
        let error = source.next_batch::<[[u8; 2]; 1], u8>(2).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        assert_eq!(
            error.to_string(),
            format!(
                "own: record 1 has {found}, but the facts of its source say 2 bytes and a label; correct the \
                 source"
            )
        );
        let transposed = Own::source(&[bad]).changed(&TransformOptions::new().transpose(true));
        assert!(transposed.unwrap().read(&mut Record::default()).is_err());
    }
}

/// Reads all records, and returns the error.
#[track_caller]
fn error_of(mut source: Source) -> Error {
    let mut record = Record::default();
    loop {
        match source.read(&mut record) {
            Ok(is_read) => assert!(is_read, "no error"),
            Err(error) => return error,
        }
    }
}

/// Only the header says how many there are, so their number is limited.
#[test]
fn records_without_elements_are_at_most_65536() {
    for (count, expected) in [(1 << 16, Ok(1 << 16)), ((1 << 16) + 1, Err("unsupported"))] {
        let folder = folder(&[("a", &file(8, &[count, 0], &[]))]);
        let mut source = opened(&folder, "a");
        let found: Result<u32, Error> = source.records().map(|record| record.map(|_| 1)).sum();
        assert_eq!(found.map_err(|error| error.kind().code()), expected);
    }
}

/// A pixel that has a limit, and one without.
#[derive(IdxRecord)]
struct Limited {
    #[idx(range = 0..=9)]
    first: u8,
    second: u8,
}

#[test]
fn a_value_that_the_type_refuses_is_that_of_its_record() {
    for (bytes, expected) in [
        ([1, 200, 3, 200, 5, 200], None),
        ([10, 200, 3, 200, 5, 200], Some("record 0: the record contains 10,")),
        ([1, 200, 3, 200, 50, 200], Some("record 2: the record contains 50,")),
    ] {
        let folder = folder(&[("a", &file(8, &[3, 2], &bytes)), ("l", &file(8, &[3], &[4, 5, 6]))]);
        let pairs = opened(&folder, "a").with_labels(opened(&folder, "l")).unwrap();
        match (pairs.collect::<Limited, u8>(), expected) {
            (Ok(set), None) => {
                assert_eq!(set.iter().map(|(pixels, _)| pixels.second).max(), Some(200))
            }
            (Err(error), Some(text)) => assert!(error.to_string().contains(text), "{error}"),
            (found, _) => panic!("{:?} {bytes:?}", found.map(|set| set.len())),
        }
    }
}

/// A label from 0 to 9.
#[derive(IdxRecord)]
struct Digit(#[idx(range = 0..=9)] u8);

#[test]
fn errors_name_the_record_of_the_input() {
    let numbers: Vec<u8> = (0..=129).collect();
    let mut labels = vec![0_u8; 130];
    labels[70] = 11;
    let folder = folder(&[("n", &file(8, &[130, 1], &numbers)), ("l", &file(8, &[130], &labels))]);
    let pairs = || opened(&folder, "n").with_labels(opened(&folder, "l")).unwrap();
    let shuffled = |source: Source| {
        let [shuffled, _] = source.divide(&Chance { seed: Some(3), ..Chance::default() }).unwrap();
        shuffled
    };
    let chains: [&dyn Fn() -> Source; 8] = [
        &pairs,
        &|| pairs().select(60..).unwrap(),
        &|| pairs().append(pairs()).unwrap().select(100..).unwrap(),
        &|| pairs().append(pairs()).unwrap().select(200..).unwrap(),
        &|| pairs().map_labels(|label| label),
        &|| shuffled(pairs()),
        &|| shuffled(pairs().append(pairs()).unwrap().map_labels(|label| label)),
        &|| {
            let [_, part] = pairs().split([0.2, 0.8], 1).unwrap();
            part
        },
    ];
    for (number, chain) in chains.into_iter().enumerate() {
        let narrow = TransformOptions::new().element_type(ElementType::I8);
        let error = error_of(chain().changed(&narrow).unwrap());
        assert_eq!(error.path(), Some(&*folder.path().join("n")));
        let record = error.position().unwrap().record;
        assert!(
            error.to_string().contains(&format!("record {record}: {record} does not fit i8")),
            "{error}"
        );
        let mut batches = chain();
        let error = loop {
            match batches.next_batch::<[u8; 1], Digit>(16) {
                Ok(batch) => assert!(batch.is_some(), "{number}"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.position().unwrap().record, 70, "{number}: {error}");
        assert!(
            error
                .to_string()
                .contains("record 70: the type of the labels does not allow the label 11"),
            "{error}"
        );
    }
}

/// The bytes and the labels of the records before the error or the end, and the error.
type Outcome = (Vec<u8>, Vec<i128>, Option<String>);

/// A source, its error, and the number of records before it.
type Case<'a> = (&'a dyn Fn() -> Source, Option<&'a str>, usize);

fn one_by_one(mut source: Source) -> Outcome {
    let (mut bytes, mut labels, mut record) = (Vec::new(), Vec::new(), Record::default());
    loop {
        match source.read(&mut record) {
            Ok(true) => {
                bytes.extend(&record.bytes);
                labels.extend(record.label);
            }
            Ok(false) => return (bytes, labels, None),
            Err(error) => return (bytes, labels, Some(error.to_string())),
        }
    }
}

fn several_at_once(source: Source) -> Outcome {
    onto(Vec::new(), source)
}

fn in_reserved(source: Source) -> Outcome {
    let mut bytes = Vec::new();
    source.reserve(&mut bytes, None).unwrap();
    onto(bytes, source)
}

fn onto(mut bytes: Vec<u8>, mut source: Source) -> Outcome {
    let mut labels = Vec::new();
    loop {
        match source.read_onto(&mut bytes, &mut labels) {
            Ok(1..) => {}
            Ok(0) => return (bytes, labels, None),
            Err(error) => {
                let again = source.read_onto(&mut bytes, &mut labels).unwrap_err();
                assert_eq!(again.kind().code(), "failed_earlier");
                return (bytes, labels, Some(error.to_string()));
            }
        }
    }
}

/// Collects the records in memory, and returns their elements and labels, or the error.
fn collected(source: Source) -> Result<(Vec<u8>, Vec<i128>), String> {
    let set = source.collect::<[u8; 2], u8>().map_err(|error| error.to_string())?;
    Ok((set.elements().unwrap(), set.labels().map(i128::from).collect()))
}

/// Labels whose number is not known before they are read.
struct Uncounted(Facts, u64);

impl RecordSource for Uncounted {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        record.bytes = vec![3];
        self.1 = self.1.saturating_sub(1);
        Ok(self.1 > 0)
    }
}

/// Labels without records would fill the memory.
#[test]
fn labels_beyond_the_records_are_not_read() {
    let folder = folder(&[("a", &file(8, &[2, 1], &[1, 2]))]);
    let facts = Facts::new(RecordLayout::new(ElementType::U8, &[0]), None);
    let many = Source::new("many", Uncounted(facts, 1000)).map(|record| {
        assert!(record.index <= 2, "one label more than records is enough");
        record
    });
    let pairs = opened(&folder, "a").with_labels(many).unwrap();
    let error = pairs.split([0.5, 0.5], 1).unwrap_err();
    assert!(error.to_string().contains("more labels than the 2 records"), "{error}");
}

/// If several records are read at once, an error comes after the same records as if they are read one by one.
#[test]
fn errors_of_many_records_are_those_of_one() {
    let numbers: Vec<u8> = (0..=255).cycle().take(130 * 2).collect();
    let images = file(8, &[130, 2], &numbers);
    let (count, mut fractions) = (130, [0, 0, 0, 0].repeat(130));
    fractions[70 * 4..71 * 4].copy_from_slice(&0.5_f32.to_be_bytes());
    let mut one_hot = [0, 1, 0].repeat(130);
    one_hot[70 * 3] = 1;
    let labels = file(8, &[count], &[3; 130]);
    let damaged = |bytes: &[u8]| bytes[..bytes.len() - 60].to_vec();
    let folder = folder(&[
        ("images", &images),
        ("cut", &damaged(&images)),
        ("cut.gz", &damaged(&idx_tests::gzip(&file(8, &[1000, 2], &numbers.repeat(8)[..2000])))),
        ("good", &labels),
        ("short", &damaged(&labels)),
        ("fractions", &file(0x0D, &[count], &fractions)),
        ("one-hot", &file(8, &[count, 3], &one_hot)),
        ("all", &file(8, &[1000], &[4; 1000])),
    ]);
    let uncounted = |found: u64| {
        let layout = RecordLayout::new(ElementType::U8, &[0]);
        Source::new("own", Uncounted(Facts::new(layout, None), found + 1))
    };
    let with = |images: &str, labels: Source| opened(&folder, images).with_labels(labels).unwrap();
    let cases: [Case<'_>; 11] = [
        (&|| with("images", opened(&folder, "good")), None, 130),
        (&|| with("images", opened(&folder, "fractions")), Some("record 70: 0.5 is not"), 70),
        (&|| with("images", opened(&folder, "one-hot")), Some("record 70: the labels have 3"), 70),
        (&|| with("images", opened(&folder, "short")), Some("short"), 70),
        (&|| with("cut", opened(&folder, "good")), Some("cut"), 100),
        (&|| with("cut.gz", opened(&folder, "all")), Some("cut.gz"), 0),
        (&|| with("images", uncounted(130)), None, 130),
        (&|| with("images", uncounted(99)), Some("fewer labels than records, only 99"), 99),
        (&|| with("images", uncounted(200)), Some("more labels than the 130 records"), 130),
        (
            &|| {
                let both = with("images", opened(&folder, "good"));
                both.append(with("images", opened(&folder, "fractions"))).unwrap()
            },
            Some("record 70: 0.5"),
            200,
        ),
        (
            &|| {
                let mut pairs = with("images", opened(&folder, "fractions"));
                assert_eq!(pairs.skip(3).unwrap(), 3);
                pairs
            },
            Some("record 70: 0.5"),
            67,
        ),
    ];
    for (source, message, read) in cases {
        let expected = one_by_one(source());
        assert!(several_at_once(source()) == expected, "{message:?}");
        let (bytes, labels, error) = expected;
        let whole = error.clone().map_or_else(|| Ok((bytes, labels.clone())), Err);
        assert_eq!(collected(source()), whole, "{message:?}");
        assert!(labels.len() >= read, "{message:?}: {}", labels.len());
        assert_eq!(error.is_some(), message.is_some(), "{error:?}");
        assert!(error.unwrap_or_default().contains(message.unwrap_or_default()), "{message:?}");
    }
    // A label that the type does not have is the error of its own record.
    let mut large = [0, 3].repeat(130);
    large[2 * 70] = 1;
    fs::write(folder.path().join("large"), file(0x0B, &[count], &large)).unwrap();
    let error = collected(with("images", opened(&folder, "large"))).unwrap_err();
    assert!(error.contains("images: record 70: label 259 does not fit u8"), "{error}");
    // The records that were read together with the error are not skipped in its place.
    let mut pairs = with("images", opened(&folder, "fractions"));
    let (mut bytes, mut labels) = (Vec::new(), Vec::new());
    assert_eq!(pairs.read_onto(&mut bytes, &mut labels).unwrap(), 70);
    let error = pairs.skip(1).unwrap_err();
    assert!(error.to_string().contains("record 70: 0.5"), "{error}");
}

/// Memory is reserved at once for all records in the file, but not for those that only its header claims.
#[test]
fn bytes_get_memory_for_what_exists() {
    let all = |claimed| file(8, &[claimed, 2], &[7; 600_000]);
    let files = [("a", all(300_000)), ("claim", all(u32::MAX))];
    let folder = folder(&files.each_ref().map(|(name, bytes)| (*name, &bytes[..])));
    let capacity = |mut source: Source| {
        let mut bytes = Vec::new();
        source.reserve(&mut bytes, Some(1_200_000)).unwrap();
        assert!(source.read_onto(&mut bytes, &mut Vec::new()).unwrap() > 0);
        assert!(bytes.len() < 300_000, "there are more");
        bytes.capacity()
    };
    assert_eq!(capacity(opened(&folder, "a")), 600_000);
    assert!(capacity(opened(&folder, "claim")) < 600_000);
    let mut rest = opened(&folder, "a");
    rest.skip(100).unwrap();
    assert_eq!(capacity(rest), 599_800);
    let joined = opened(&folder, "a").append(opened(&folder, "a")).unwrap();
    assert_eq!(capacity(joined), 1_200_000);
    let joined = opened(&folder, "a").append(opened(&folder, "claim")).unwrap();
    assert!(capacity(joined) < 1_200_000);
    let mut bytes = Vec::new();
    opened(&folder, "a").reserve(&mut bytes, Some(599_999)).unwrap();
    assert_eq!(bytes.capacity(), 0);
}

/// A large plain file is read on several threads into memory that is reserved: the same bytes and errors as in order.
#[test]
fn reserved_memory_is_filled_at_once() {
    let count = 33_000;
    let numbers: Vec<u8> = (0..251).cycle().take(300 * count as usize).collect();
    let images = file(8, &[count, 300], &numbers);
    let longer = [&images[..], &[0]].concat();
    let labels: Vec<u8> = (0..10).cycle().take(count as usize).collect();
    let mut fractions: Vec<u8> = [0, 0, 0, 0].repeat(count as usize);
    fractions[70 * 4..71 * 4].copy_from_slice(&0.5_f32.to_be_bytes());
    let folder = folder(&[
        ("images", &images),
        ("cut", &images[..images.len() - 1]),
        ("longer", &longer),
        ("labels", &file(8, &[count], &labels)),
        ("fractions", &file(0x0D, &[count], &fractions)),
    ]);
    let alone = |name| opened(&folder, name);
    let with = |name, labels| alone(name).with_labels(alone(labels)).unwrap();
    let skipped = |mut source: Source| {
        assert_eq!(source.skip(5).unwrap(), 5);
        source
    };
    let cases: [&dyn Fn() -> Source; 8] = [
        &|| alone("images"),
        &|| alone("cut"),
        &|| alone("longer"),
        &|| with("images", "labels"),
        &|| with("images", "fractions"),
        &|| skipped(with("images", "labels")),
        &|| alone("images").append(alone("images")).unwrap(),
        &|| alone("images").select(7..32_000).unwrap(),
    ];
    for (case, source) in cases.into_iter().enumerate() {
        assert!(in_reserved(source()) == one_by_one(source()), "case {case}");
    }
    let (mut bytes, mut all) = (Vec::new(), alone("images"));
    all.reserve(&mut bytes, None).unwrap();
    let at_once = if has_one_core() { 1..=u64::from(count) } else { count.into()..=count.into() };
    assert!(at_once.contains(&all.read_onto(&mut bytes, &mut Vec::new()).unwrap()));
    let (mut bytes, mut both) = (Vec::new(), alone("images").append(alone("images")).unwrap());
    both.reserve(&mut bytes, None).unwrap();
    assert!(both.read_onto(&mut bytes, &mut Vec::new()).unwrap() > 0);
    assert!(bytes.capacity() >= 2 * numbers.len(), "the others would be copied");
}

fn has_one_core() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() == 1)
}

/// A source that states and skips what the test tells it.
struct Lying(Facts, u64);

impl RecordSource for Lying {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        Ok(records.saturating_add(self.1))
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if self.1 == 3 {
            return Err(std::io::Error::other("disk on fire").into());
        }
        record.bytes = vec![7];
        self.1 += 1;
        Ok(self.1 <= 2)
    }
}

#[test]
fn a_source_of_ones_own_that_lies_is_found_out() {
    let source = |count, lie| {
        let layout = RecordLayout::new(ElementType::U8, &[0]);
        Source::new("own", Lying(Facts::new(layout, count), lie))
    };
    assert_eq!(read(&mut source(Some(2), 0)), [7, 7]);
    assert_eq!(error_of(source(None, 3)).to_string(), "own: disk on fire");
    for (count, message) in [
        (1_000_000, "own: the source has 2 records, but its facts say 1000000; correct the source"),
        (1, "own: the source has 2 records, but its facts say 1; correct the source"),
    ] {
        assert_eq!(error_of(source(Some(count), 0)).to_string(), message);
    }
    for lie in [1, u64::MAX] {
        let error = source(None, lie).select(1..).unwrap_err();
        assert!(
            error.to_string().contains("but was asked to skip 1; correct the source"),
            "{error}"
        );
    }
}

/// Returns several records at a time, in the pieces that a test gives it.
struct Pieces(Facts, Vec<Vec<u8>>);

impl RecordSource for Pieces {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn read(&mut self, _: &mut Record) -> Result<bool, Error> {
        unreachable!("only several records are asked for")
    }

    fn read_many(&mut self, records: &mut Record) -> Result<bool, Error> {
        let next = self.1.pop();
        let is_read = next.is_some();
        records.bytes = next.unwrap_or_default();
        Ok(is_read)
    }
}

#[test]
fn pieces_of_ones_own_have_whole_records() {
    let source = |pieces: &[&[u8]]| {
        let facts = Facts::new(RecordLayout::new(ElementType::U8, &[4, 2]), Some(4));
        let pieces = pieces.iter().rev().map(|piece| piece.to_vec()).collect();
        Source::new("own", Pieces(facts, pieces))
    };
    let mut records = Record::default();
    let mut good = source(&[&[1, 2, 3, 4, 5, 6], &[7, 8]]);
    assert_eq!((good.read_many(&mut records).unwrap(), records.index), (3, 0));
    // A step counts the records that are left.
    let mut good = good.changed(&TransformOptions::new().scale([0.0, 1.0])).unwrap();
    assert_eq!(good.facts().count, Some(1));
    assert_eq!((good.read_many(&mut records).unwrap(), records.index), (1, 3));
    assert_eq!(good.read_many(&mut records).unwrap(), 0);
    for (pieces, message) in [
        (&[&[][..]], "own: record 0 has 0 bytes and no label, but the facts of its source say 2"),
        (
            &[&[1, 2, 3]],
            "own: record 0 has 3 bytes and no label, but the facts of its source say 2",
        ),
        (&[&[0; 10]], "own: the source has 5 records, but its facts say 4"),
        (&[&[0; 6]], "own: the source has 3 records, but its facts say 4"),
    ] {
        let mut source = source(pieces);
        let mut read = || source.read_many(&mut records);
        let error = read().and_then(|_| read()).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
    }
}

#[test]
fn a_source_at_its_end_stays_there() {
    let folder = tempfile::tempdir().unwrap();
    for format in Format::ALL {
        for (records, threads) in [(0, 1), (300, 1), (0, 2), (300, 2)] {
            let path = folder.path().join(format!("{format}-{records}-{threads}"));
            let layout = RecordLayout::new(ElementType::U8, &[records, 2]);
            let Ok(mut sink) = sink(&path, format, &layout) else {
                continue; // its feature is off
            };
            for _ in 0..records {
                let bytes = vec![1, 2];
                sink.push(&Record::new(bytes, None)).unwrap();
            }
            sink.finish().unwrap();
            let options = OpenOptions::new().threads(threads);
            let Ok(mut source) = options.open(&path) else {
                assert_eq!(records, 0, "{format}: records that were just written");
                continue;
            };
            let mut record = Record::default();
            for _ in 0..records {
                assert!(source.read(&mut record).unwrap(), "{format}");
            }
            for _ in 0..3 {
                assert!(!source.read(&mut record).unwrap(), "{format}");
            }
        }
    }
}

/// An error ends the iteration, which would otherwise go on forever.
#[test]
fn an_error_is_the_last_record() {
    let folder = folder(&[("cut", &file(8, &[3, 1], &[1, 2]))]);
    let records: Vec<_> = opened(&folder, "cut").into_iter().collect();
    assert!(matches!(&records[..], [Ok(_), Ok(_), Err(_)]), "{records:?}");
    let mut source = opened(&folder, "cut");
    assert_eq!(source.records().take(2).filter(Result::is_ok).count(), 2);
    assert_eq!(source.records().count(), 1);
    // A source that failed has only its error.
    assert!(matches!(&source.records().collect::<Vec<_>>()[..], [Err(_)]));
    let mut sum = 0;
    for record in numbers().1 {
        sum += record.unwrap().bytes[0];
    }
    assert_eq!(sum, 66);
}
