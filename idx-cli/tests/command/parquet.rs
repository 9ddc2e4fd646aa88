//! `idx convert` with Parquet: there and back, shards, files of other programs, and damage.

use std::collections::HashMap;
use std::fs::{self, File};
use std::sync::Arc;

use crate::common::{Folder, extremes};
use arrow_array::builder::{Int16Builder, LargeListBuilder, ListBuilder};
use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, DictionaryArray, Float32Array, Int16Array, Int64Array,
    RecordBatch, StringArray, StructArray, UInt8Array, UInt16Array,
};
use idx_data::{OpenOptions, Record, Source, open, open_pair};
use idx_std::ElementType;
use idx_tests::{file, real_data};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnChunkMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter,
    RowGroupMetaData,
};
use parquet::file::properties::WriterProperties;

/// Bytes of which no two records of `shape` are alike.
fn images(shape: &[u32]) -> Vec<u8> {
    let count: u32 = shape.iter().product();
    let payload: Vec<u8> = (0..count).map(|byte| (byte % 251) as u8).collect();
    file(8, shape, &payload)
}

impl Folder {
    /// Writes a file as another program might.
    fn write_parquet(&self, name: &str, columns: &[(&str, ArrayRef)], compression: Compression) {
        let columns = columns.iter().cloned();
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = File::create(self.0.path().join(name)).unwrap();
        let properties = WriterProperties::builder().set_compression(compression);
        let mut writer =
            ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// Writes a file whose only column has this metadata.
    fn write_described(&self, name: &str, column: ArrayRef, metadata: &[(&str, &str)]) {
        let batch = RecordBatch::try_from_iter([("record", column)]).unwrap();
        let mut schema = batch.schema().as_ref().clone();
        let metadata = metadata.iter().map(|(key, value)| (key.to_string(), value.to_string()));
        let field = schema.field(0).clone().with_metadata(metadata.collect::<HashMap<_, _>>());
        schema.fields = vec![field].into();
        let schema = Arc::new(schema);
        let batch = batch.with_schema(Arc::clone(&schema)).unwrap();
        let file = File::create(self.0.path().join(name)).unwrap();
        let mut writer = ArrowWriter::try_new(file, schema, None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// What the end of a file says of its row groups.
    fn row_group_metadata(&self, name: &str) -> Vec<RowGroupMetaData> {
        let file = File::open(self.0.path().join(name)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.metadata().row_groups().to_vec()
    }

    /// Writes a copy of a file that claims so many more records, and something else about its columns.
    fn claim(
        &self,
        [from, to]: [&str; 2],
        more: i64,
        claim: impl Fn(ColumnChunkMetaData) -> ColumnChunkMetaDataBuilder,
    ) {
        let file = File::open(self.0.path().join(from)).unwrap();
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).unwrap();
        let groups = metadata.row_groups().iter().map(|group| {
            let columns = group.columns().iter().cloned();
            let columns = columns.map(|column| claim(column).build().unwrap()).collect();
            let claimed = group.clone().into_builder().set_num_rows(group.num_rows() + more);
            claimed.set_column_metadata(columns).build().unwrap()
        });
        let groups = groups.collect();
        let metadata = metadata.clone().into_builder().set_row_groups(groups).build();
        let mut bytes = self.read(from);
        let length = bytes[bytes.len() - 8..].first_chunk().unwrap();
        bytes.truncate(bytes.len() - 8 - u32::from_le_bytes(*length) as usize);
        ParquetMetaDataWriter::new(&mut bytes, &metadata).finish().unwrap();
        self.write(to, &bytes);
    }

    /// How many records each row group of a file has.
    fn row_groups(&self, name: &str) -> Vec<i64> {
        let groups = self.row_group_metadata(name);
        groups.iter().map(RowGroupMetaData::num_rows).collect()
    }

    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// Lists of 16-bit integers of any length, as Spark writes bytes.
fn lists(rows: &[Option<&[i16]>]) -> ArrayRef {
    let mut builder = ListBuilder::new(Int16Builder::new());
    for row in rows {
        match row {
            Some(row) => builder.append_value(row.iter().map(|number| Some(*number))),
            None => builder.append_null(),
        }
    }
    Arc::new(builder.finish())
}

#[test]
fn all_types_and_ranks_there_and_back() {
    for element_type in ElementType::ALL {
        let payload = extremes(element_type);
        let code = element_type.code();
        for shape in [
            &[][..],
            &[12],
            &[2, 6],
            &[12, 1],
            &[2, 2, 3],
            &[1, 2, 3, 2],
            &[0],
            &[0, 3],
            &[0, 2, 3],
        ] {
            let count: u32 = shape.iter().product();
            let idx = file(code, shape, &payload[..count as usize * element_type.size()]);
            let folder = Folder::new(&[("a.idx", &idx)]);
            for layout in ["list", "binary"] {
                to_parquet(&folder, shape, layout);
                folder.convert(&["b.parquet", "-o", "c.idx", "--force"]);
                assert_eq!(folder.read("c.idx"), idx, "{element_type} {shape:?} {layout}");
            }
        }
    }
}

/// Single numbers have one layout.
fn to_parquet(folder: &Folder, shape: &[u32], layout: &str) {
    let layout: &[&str] = if shape.len() > 1 { &["--layout", layout] } else { &[] };
    folder.convert(&[&["a.idx", "-o", "b.parquet", "--force"], layout].concat());
}

#[test]
fn a_nan_keeps_its_bits() {
    let signalling = [0x7F, 0x80, 0, 1, 0xFF, 0xC0, 0, 7, 0x80, 0, 0, 0, 0, 0, 0, 0];
    for shape in [&[4][..], &[1, 4], &[2, 2]] {
        let idx = file(0x0D, shape, &signalling);
        let folder = Folder::new(&[("a.idx", &idx)]);
        for layout in ["list", "binary"] {
            to_parquet(&folder, shape, layout);
            folder.convert(&["b.parquet", "-o", "c.idx", "--force"]);
            assert_eq!(folder.read("c.idx"), idx, "{shape:?} {layout}");
        }
    }
}

#[test]
fn labels_lie_beside_the_records() {
    let (records, labels) =
        (images(&[3, 2, 2]), file(0x0C, &[3], &[0, 0, 0, 7, 0, 0, 1, 0, 255, 255, 255, 255]));
    let folder = Folder::new(&[
        ("a.idx", &records),
        ("l.idx", &labels),
        ("few.idx", &file(8, &[2], &[1, 2])),
    ]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "b.parquet"]);
    folder.convert(&["b.parquet", "-o", "c.idx"]);
    assert_eq!(folder.read("c.idx"), records);
    assert_eq!(folder.read("c-labels.idx"), labels);

    // Labels are optional, and other formats keep them too.
    folder.convert(&["b.parquet", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx"), records);
    folder.convert(&["b.parquet", "-o", "f.csv", "--records", "1"]);
    assert_eq!(folder.read("f.csv"), b"label,1x1,1x2,2x1,2x2\n256,4,5,6,7\n");
    folder.convert(&["f.csv", "-o", "g.parquet", "--labels-as", "i16"]);
    folder.convert(&["g.parquet", "-o", "h.idx"]);
    assert_eq!(folder.read("h-labels.idx"), file(0x0B, &[1], &[1, 0]));

    assert_eq!(
        folder.refused(&["a.idx", "--labels", "l.idx", "--labels-as", "u8", "-o", "x.parquet"]),
        "x.parquet: record 1: label 256 does not fit u8; choose another label type with `--labels-as`"
    );
    for label_type in ["f32", "f64"] {
        let labels = ["--labels", "l.idx", "--labels-as", label_type];
        assert_eq!(
            folder.refused(&[&["a.idx", "-o", "x.parquet"], &labels[..]].concat()),
            format!(
                "x.parquet: labels are integers, and {label_type} is for fractions; choose another label type with \
                 `--labels-as`"
            )
        );
    }
    assert_eq!(
        folder.refused(&["a.idx", "--labels", "few.idx", "-o", "x.parquet"]),
        "few.idx: 2 labels but 3 records; give the label file of these records"
    );
}

#[test]
fn shards() {
    let (records, labels) = (images(&[10, 3]), file(8, &[10], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    let folder = Folder::new(&[("a.idx", &records), ("l.idx", &labels)]);
    let table: [(&[&str], &[i64]); 3] = [
        (&["--shards", "1"], &[10]),
        (&["--shards", "4"], &[3, 3, 2, 2]),
        (&["--shards", "12"], &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]),
    ];
    for (split, records_of_each) in table {
        let out = split.join("").replace("--", "");
        let out = out.as_str();
        folder.convert(&[&["a.idx", "--labels", "l.idx", "-o", out], split].concat());
        let count = records_of_each.len();
        let names: Vec<String> =
            (0..count).map(|number| format!("part-{number:05}-of-{count:05}.parquet")).collect();
        assert_eq!(folder.names_in(out), names);
        for (name, records) in names.iter().zip(records_of_each) {
            let groups = folder.row_groups(&format!("{out}/{name}"));
            assert_eq!(groups.iter().sum::<i64>(), *records, "{split:?} {name}");
        }
        folder.convert(&[out, "-o", "c.idx", "--force"]);
        assert_eq!(folder.read("c.idx"), records, "{split:?}");
        assert_eq!(folder.read("c-labels.idx"), labels, "{split:?}");
    }

    // Other files of an engine, and unfinished ones, are not shards.
    fs::rename(folder.0.path().join("shards4"), folder.0.path().join("s")).unwrap();
    folder.write("s/_SUCCESS", b"");
    folder.write("s/.part-1.parquet", b"half");
    folder.write("s/_temporary.parquet", b"half");
    folder.convert(&["s", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx"), records);
    assert_eq!(
        folder.refused(&["a.idx", "-o", "s", "--shards", "2"]),
        "s: the folder is not empty; name a new folder in it"
    );
}

/// Row groups are encoded together, also those of several files.
#[test]
fn the_number_of_threads_changes_no_file() {
    let (records, labels) = (images(&[300, 3]), file(8, &[300], &[7; 300]));
    let folder = Folder::new(&[("a.idx", &records), ("l.idx", &labels)]);
    let convert = |threads: &str, rest: &[&str]| {
        let arguments = ["a.idx", "--labels", "l.idx", "--threads", threads];
        folder.convert(&[&arguments, rest].concat());
    };
    for threads in ["1", "2", "5"] {
        let (one, shards) = (format!("{threads}.parquet"), format!("{threads}/"));
        convert(threads, &["-o", &one]);
        assert!(folder.read(&one) == folder.read("1.parquet"), "{threads}");
        convert(threads, &["--shards", "4", "-o", &shards]);
        for name in folder.names_in("1") {
            let shard = folder.read(&format!("{shards}{name}"));
            assert!(shard == folder.read(&format!("1/{name}")), "{threads} {name}");
            assert_eq!(folder.row_groups(&format!("{shards}{name}")), [75]);
        }
        folder.convert(&[&shards, "-o", "b.idx", "--force"]);
        assert!(
            folder.read("b.idx") == records && folder.read("b-labels.idx") == labels,
            "{threads}"
        );
    }
}

/// Numbers occur again and again, so that a dictionary makes the file small; whole pictures do not.
#[test]
fn numbers_have_a_dictionary_and_bytes_have_none() {
    let folder = Folder::new(&[("a.idx", &images(&[10, 3]))]);
    for (layout, has_dictionary) in [("list", true), ("binary", false)] {
        folder.convert(&["a.idx", "-o", "b.parquet", "--layout", layout, "--force"]);
        let groups = folder.row_group_metadata("b.parquet");
        let offset = groups[0].column(0).dictionary_page_offset();
        assert_eq!(offset.is_some(), has_dictionary, "{layout}");
    }
}

/// As pandas writes the csv of Kaggle.
#[test]
fn a_table_has_a_column_for_each_number() {
    let folder = Folder::new(&[]);
    let column = |numbers: [u8; 3]| Arc::new(UInt8Array::from(numbers.to_vec())) as ArrayRef;
    let labels: ArrayRef = Arc::new(Int64Array::from(vec![3, 8, 1]));
    let [a, b, c, d] =
        [column([0, 4, 8]), column([1, 5, 9]), column([2, 6, 10]), column([3, 7, 255])];
    let pixels = [("p0", a), ("p1", b), ("class", labels), ("p2", c), ("p3", d)];
    folder.write_parquet("a.parquet", &pixels, Compression::SNAPPY);
    let options = ["--shape", "2x2", "-o", "a.idx"];
    folder.convert(&[&["a.parquet"], &options[..]].concat());
    let records = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255];
    assert_eq!(folder.read("a.idx"), file(8, &[3, 2, 2], &records));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &[3, 8, 1]));
}

#[test]
fn columns_of_tables_are_joined_by_their_names() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.0.path().join("shards")).unwrap();
    for (name, columns) in [("1", ["a", "b"]), ("2", ["b", "a"])] {
        let number = |number: u8| Arc::new(UInt8Array::from(vec![number])) as ArrayRef;
        let columns = columns.map(|column| (column, number(column.as_bytes()[0])));
        let name = format!("shards/{name}.parquet");
        folder.write_parquet(&name, &columns, Compression::SNAPPY);
    }
    for inputs in [&["shards"][..], &["shards/1.parquet", "shards/2.parquet"]] {
        let message = folder.refused(&[inputs, &["-o", "a.idx"]].concat());
        assert!(
            message.starts_with(
                "shards/2.parquet: cannot join inputs: column 0 of these records is \"b\""
            ),
            "{message}"
        );
    }
}

#[test]
fn lists_of_lists_have_several_sizes() {
    let folder = Folder::new(&[]);
    let nested = |lengths: [usize; 4]| -> ArrayRef {
        let mut builder = ListBuilder::new(ListBuilder::new(Int16Builder::new()));
        for (index, length) in lengths.into_iter().enumerate() {
            builder.values().append_value((0_i16..).take(length).map(Some));
            if index % 2 == 1 {
                builder.append(true);
            }
        }
        Arc::new(builder.finish())
    };
    folder.write_parquet("a.parquet", &[("image", nested([3; 4]))], Compression::UNCOMPRESSED);
    folder.convert(&["a.parquet", "--as", "u8", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[2, 2, 3], &[0, 1, 2].repeat(4)));
    folder.write_parquet(
        "b.parquet",
        &[("image", nested([3, 3, 3, 2]))],
        Compression::UNCOMPRESSED,
    );
    assert_eq!(
        folder.refused(&["b.parquet", "--as", "u8", "-o", "b.idx"]),
        "b.parquet: record 1: a list has 2 numbers, not 3; IDX has records of one shape"
    );
}

/// Text that is no number is a class, in the order of its bytes as folders are; other text is a label.
#[test]
fn labels_of_text_are_classes() {
    let folder = Folder::new(&[]);
    let numbers: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2, 3]));
    let out = ["-o", "a.idx", "--force"];
    for (texts, labels, classes) in [
        (["dog", "ant", "dog"], [1, 0, 1], Some("ant\ndog\n")),
        (["7", "10", "7"], [7, 10, 7], None),
        (["07", "10", "7"], [0, 1, 2], Some("07\n10\n7\n")),
    ] {
        let text: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let dictionary: DictionaryArray<Int8Type> = texts.into_iter().collect();
        for label in [text, Arc::new(dictionary)] {
            let columns = [("label", label), ("record", numbers.clone())];
            folder.write_parquet("a.parquet", &columns, Compression::GZIP(GzipLevel::default()));
            let list = folder.0.path().join("a-classes.txt");
            let _ = fs::remove_file(&list);
            folder.run(&[&["convert", "a.parquet"], &out[..]].concat());
            assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &labels));
            assert_eq!(fs::read_to_string(list).ok().as_deref(), classes);
        }
    }
    let label: ArrayRef = Arc::new(StringArray::from(vec!["dog", "ant", "dog"]));
    folder.write_parquet("l.parquet", &[("label", label)], Compression::UNCOMPRESSED);
    folder.write("classes.txt", b"eel\nfox\n");
    let dogs = ["convert", "a.idx", "--labels", "l.parquet", "--only", "dog", "--to", "csv"];
    assert_eq!(folder.run(&dogs).success(), "label,value\n1,1\n1,3\n");
    let label: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("")]));
    folder.write_parquet(
        "b.parquet",
        &[("label", label), ("record", numbers)],
        Compression::SNAPPY,
    );
    assert_eq!(
        folder.refused(&[&["b.parquet"], &out[..]].concat()),
        "b.parquet: record 1: the label is null; fill it or leave it out, IDX has only numbers"
    );
}

#[test]
fn labels_alone_are_the_column_that_is_chosen() {
    let folder = Folder::new(&[("i.idx", &images(&[3, 2]))]);
    let path = |name: &str| folder.0.path().join(name);
    let column = |numbers: [i64; 3]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
    let (ids, labels) = (column([40, 50, 60]), column([7, 8, 9]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["dog", "ant", "dog"]));
    let [dots, list] =
        [pictures(&[[0; 4]; 3]), lists(&[Some(&[1, 2]), Some(&[3, 4]), Some(&[5, 6])])];
    let none = Compression::UNCOMPRESSED;
    folder.write_parquet("marked", &[("id", ids.clone()), ("label", labels.clone())], none);
    folder.write_parquet("table", &[("a", ids.clone()), ("b", labels.clone())], none);
    folder.write_parquet("text", &[("id", ids.clone()), ("label", names.clone())], none);
    folder.write_parquet("pictures", &[("image", dots), ("label", labels.clone())], none);
    folder.write_parquet("only", &[("digit", labels.clone())], none);
    folder.write_parquet("text_table", &[("id", ids.clone()), ("species", names.clone())], none);
    folder.write_parquet("only_text", &[("species", names)], none);
    folder.write_parquet("record", &[("id", ids), ("record", labels)], none);
    folder.write_parquet("list", &[("record", list.clone())], none);
    let floats = |numbers: [f32; 3]| Arc::new(Float32Array::from(numbers.to_vec())) as ArrayRef;
    let (whole, half) = (floats([7.0, 8.0, 9.0]), floats([7.0, 8.5, 9.0]));
    folder.write_parquet("floats", &[("image", list.clone()), ("label", whole)], none);
    folder.write_parquet("halves", &[("record", list), ("label", half)], none);
    let hot = lists(&[Some(&[0, 0, 1]), Some(&[1, 0, 0]), Some(&[0, 1, 0])]);
    folder.write_parquet("hot", &[("record", hot.clone())], none);
    folder.write_parquet("hot_label", &[("id", column([4, 5, 6])), ("label", hot)], none);
    let hot = [[0, 1, 0], [0, 0, 1], [1, 0, 0]].map(column);
    folder.write_parquet(
        "dummies",
        &["a", "b", "c"].into_iter().zip(hot).collect::<Vec<_>>(),
        none,
    );
    for (file, column, expected) in [
        ("marked", None, [7, 8, 9]),
        ("marked", Some("id"), [40, 50, 60]),
        ("marked", Some("0"), [40, 50, 60]),
        ("table", Some("0"), [40, 50, 60]),
        ("table", Some("1"), [7, 8, 9]),
        ("table", Some("b"), [7, 8, 9]),
        ("text", None, [1, 0, 1]),
        ("pictures", None, [7, 8, 9]),
        ("only", None, [7, 8, 9]),
        ("only", Some("digit"), [7, 8, 9]),
        ("only_text", None, [1, 0, 1]),
        ("record", None, [7, 8, 9]),
        ("list", Some("0"), [1, 3, 5]),
        ("list", Some("1"), [2, 4, 6]),
        ("floats", None, [7, 8, 9]),
        ("hot", None, [2, 0, 1]),
        ("hot_label", None, [2, 0, 1]),
        ("dummies", None, [2, 0, 1]),
    ] {
        let mut labels =
            "convert i.idx -o o.idx -f --labels-as u8 -l".split(' ').collect::<Vec<_>>();
        labels.push(file);
        labels.extend(column.into_iter().flat_map(|column| ["--label-column", column]));
        // Names of other labels would be read with the new ones.
        let _ = fs::remove_file(path("o-classes.txt"));
        assert_eq!(folder.run(&labels).code, Some(0), "{labels:?}");
        let labels = folder.read("o-labels.idx");
        assert_eq!(labels, idx_tests::file(8, &[3], &expected), "{file} {column:?}");
        // However the labels come, they are the same.
        let read = |mut source: Source| {
            let mut record = Record::default();
            std::iter::from_fn(|| source.read(&mut record).unwrap().then_some(record.label))
                .collect()
        };
        if column.is_none() && file != "only_text" && file != "dummies" {
            let pairs: Vec<Option<i128>> = read(open_pair(path("i.idx"), path(file)).unwrap());
            let labels = open(path(file)).unwrap();
            let images = open(path("i.idx")).unwrap();
            assert_eq!(pairs, read(images.with_labels(labels).unwrap()), "{file}");
        }
    }
    let alone = OpenOptions::new().as_labels().open(path("text")).unwrap();
    assert_eq!(alone.facts().layout.dims, [3, 0]);
    assert_eq!(alone.facts().classes.as_ref().and_then(|names| names.name(1)), Some("dog"));
    let no_labels =
        "the labels are neither numbers nor text; write them as such, or choose another column";
    let half = "record 1: 8.5 is not a label, a whole number; round it, or choose another column";
    for (file, column, message) in [
        ("marked", "2", "there is no column 2; the first are id, label"),
        ("pictures", "image", no_labels),
        ("halves", "label", half),
    ] {
        let labels = ["i.idx", "-l", file, "--label-column", column, "-o", "o.csv"];
        assert_eq!(folder.refused(&labels), format!("{file}: {message}"));
    }
    for (file, columns, record) in
        [("table", 2, "record 0: "), ("list", 2, "record 0: "), ("text_table", 2, "")]
    {
        assert_eq!(
            folder.refused(&["i.idx", "-l", file, "-o", "o.csv"]),
            format!(
                "{file}: {record}the labels have {columns} columns, and this row is not a single 1 and otherwise 0; \
                 choose the column of the labels with `--label-column`"
            )
        );
    }
}

#[test]
fn each_column_has_its_own_classes() {
    let folder = Folder::new(&[]);
    let column = |numbers: [i64; 2]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
    let columns = [
        ("image", pictures(&[[0; 4], [9; 4]])),
        ("label", column([1, 0])),
        ("info/coarse", column([0, 1])),
    ];
    let classes = [("label", &["ant", "bee"][..]), ("info/coarse", &["insect", "bird"])];
    folder.write_classes("a.parquet", &columns, &classes);
    for (column, expected) in [("label", "bee"), ("info/coarse", "insect"), ("2", "insect")] {
        let shown = folder.run(&["show", "a.parquet", "-n", "1", "--label-column", column]);
        assert!(shown.success().contains(expected), "{column}");
    }
}

#[test]
fn the_limit_of_a_record_holds() {
    let folder = Folder::new(&[("a.idx", &images(&[6, 2, 2]))]);
    folder.write_parquet(
        "lists.parquet",
        &[("record", lists(&[Some(&[1, 2])]))],
        Compression::SNAPPY,
    );
    let pixels = picture(2, &[0; 4]);
    folder.write_pictures("pictures.parquet", &[Some(&pixels)], &[0]);
    for layout in ["list", "binary"] {
        folder.convert(&["a.idx", "-o", &format!("{layout}.parquet"), "--layout", layout]);
    }
    for name in ["list.parquet", "binary.parquet", "lists.parquet", "pictures.parquet"] {
        let read = |limit| [name, "--record-limit", limit, "-o", "b.idx"];
        let message = folder.refused(&read("3"));
        let has_numbers = message.contains(" 4 bytes") && message.contains("the limit of 3");
        assert!(has_numbers, "{message}");
        let outcome = folder.run(&[&["convert"], &read("4")[..], &["--force"]].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
}

#[test]
fn files_of_other_programs() {
    let folder = Folder::new(&[]);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let wide = lists(&[Some(&[0, 1, 2, 255]), Some(&[4, 5, 6, 7])]);
    let label: ArrayRef = Arc::new(Int64Array::from(vec![3, 8]));
    let name: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let expected = file(8, &[2, 2, 2], &[0, 1, 2, 255, 4, 5, 6, 7]);

    // Spark widens bytes, and forgets the shape.
    folder.write_parquet(
        "spark.parquet",
        &[("record", wide.clone()), ("label", label.clone())],
        Compression::SNAPPY,
    );
    folder.convert(&["spark.parquet", "--shape", "2x2", "--as", "u8", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), expected);
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[3, 8]));
    folder.convert(&["spark.parquet", "-o", "wide.idx"]);
    assert_eq!(
        folder.read("wide.idx"),
        file(0x0B, &[2, 4], &[0, 0, 0, 1, 0, 2, 0, 255, 0, 4, 0, 5, 0, 6, 0, 7])
    );
    assert_eq!(
        folder.refused(&["spark.parquet", "--as", "i8", "-o", "x.idx"]),
        "spark.parquet: record 0: 255 does not fit i8; choose another element type with `--as`"
    );
    assert_eq!(
        folder.refused(&["spark.parquet", "--shape", "2x3", "-o", "x.idx"]),
        "spark.parquet: a record of 4 cannot have the shape 2 x 3, whose sizes multiply to another number; choose sizes that multiply to the same"
    );

    // The column may have another name if it is alone, and others if it is named.
    folder.write_parquet(
        "named.parquet",
        &[("LABEL", label.clone()), ("pixels", wide.clone())],
        zstd,
    );
    folder.convert(&["named.parquet", "--shape", "2x2", "--as", "u8", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), expected);
    assert_eq!(folder.read("b-labels.idx"), file(8, &[2], &[3, 8]));
    folder.write_parquet(
        "three.parquet",
        &[("name", name.clone()), ("label", label.clone()), ("record", wide.clone())],
        zstd,
    );
    folder.convert(&["three.parquet", "--shape", "2x2", "--as", "u8", "-o", "c.idx"]);
    assert_eq!(folder.read("c.idx"), expected);
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[3, 8]));

    // Bytes without a shape.
    let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(vec![&[0, 1, 2, 255], &[4, 5, 6, 7]]));
    folder.write_parquet("binary.parquet", &[("image", bytes)], Compression::UNCOMPRESSED);
    folder.convert(&["binary.parquet", "--shape", "2x2", "-o", "d.idx"]);
    assert_eq!(folder.read("d.idx"), expected);
    assert_eq!(
        folder.refused(&["binary.parquet", "-o", "x.idx"]),
        "binary.parquet: the file does not say how long its records are; give the shape of a record with `--shape`"
    );
    assert_eq!(
        folder.refused(&["binary.parquet", "--shape", "2x3", "-o", "x.idx"]),
        "binary.parquet: record 0: the record has 4 bytes, not 2 x 3 u8; IDX has records of one shape"
    );

    // Single numbers of a type that IDX does not have.
    let numbers: ArrayRef = Arc::new(UInt16Array::from(vec![7, 256]));
    folder.write_parquet("numbers.parquet", &[("n", numbers)], zstd);
    folder.convert(&["numbers.parquet", "--as", "i16", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx"), file(0x0B, &[2], &[0, 7, 1, 0]));

    // Lists with offsets of 64 bits, as Polars has them.
    let mut builder = LargeListBuilder::new(Int16Builder::new());
    builder.append_value([Some(1), Some(2)]);
    folder.write_parquet("large.parquet", &[("record", Arc::new(builder.finish()))], zstd);
    folder.convert(&["large.parquet", "--as", "u8", "-o", "f.idx"]);
    assert_eq!(folder.read("f.idx"), file(8, &[1, 2], &[1, 2]));

    // No records.
    folder.write_parquet("empty.parquet", &[("record", lists(&[]))], zstd);
    folder.convert(&["empty.parquet", "--shape", "2x2", "-o", "g.idx"]);
    assert_eq!(folder.read("g.idx"), file(0x0B, &[0, 2, 2], &[]));
}

/// Reports on a file, and on a folder of shards, equal those on the IDX file that they were made of.
#[test]
fn files_and_shards_are_looked_at() {
    let labels = file(0x0C, &[3], &[0, 0, 0, 7, 0, 0, 1, 0, 255, 255, 255, 255]);
    let folder = Folder::new(&[("a.idx", &images(&[3, 2, 2])), ("l.idx", &labels)]);
    let labeled = ["a.idx", "--labels", "l.idx"];
    folder.convert(&[&labeled[..], &["-o", "b.parquet"]].concat());
    folder.convert(&[&labeled[..], &["-o", "c", "--shards", "2"]].concat());
    let facts = |name: &str| {
        format!(
            "{name}\n  format        parquet\n  element type  u8\n  shape         3 x 2 x 2\n  \
             records       3 of 4 bytes\n"
        )
    };
    let size = folder.read("b.parquet").len();
    let info = folder.run(&["info", "b.parquet", "c"]).success();
    let expected = format!("{}  file          {size} bytes\n{}", facts("b.parquet"), facts("c"));
    assert_eq!(info, expected);

    let told = |arguments: &[&str]| folder.run(arguments).success();
    let records = ["--records", "1.."];
    let shown = told(&[&["show"], &labeled[..], &records].concat());
    assert!(shown.starts_with("1: label 256  2: label -1\n"), "{shown}");
    let stats = told(&[&["stats"], &labeled[..]].concat());
    assert!(stats.contains("\n  labels\n     -1  1"), "{stats}");
    told(&[&["show"], &labeled[..], &["-o", "a.png"]].concat());
    for name in ["b.parquet", "c"] {
        assert_eq!(told(&[&["show", name][..], &records].concat()), shown);
        assert_eq!(told(&["stats", name]).replacen(name, "a.idx", 1), stats);
        assert_eq!(told(&["show", name, "-f", "-o", "b.png"]), "");
        assert_eq!(folder.read("b.png"), folder.read("a.png"));
    }

    folder.write("cut.parquet", &folder.read("b.parquet")[..size - 1]);
    for command in ["info", "show", "stats"] {
        let (output, message) = folder.run(&[command, "cut.parquet"]).failure();
        assert_eq!(output, "");
        assert!(message.starts_with("cut.parquet: "), "{message}");
    }
}

#[test]
fn a_folder_as_spark_leaves_it() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.0.path().join("spark")).unwrap();
    for (part, rows) in [
        ("part-00000-6d5e", [Some(&[0, 1][..]), Some(&[2, 3])]),
        ("part-00001-6d5e", [Some(&[4, 5]), Some(&[6, 255])]),
    ] {
        let name = format!("spark/{part}-c000.snappy.parquet");
        folder.write_parquet(&name, &[("record", lists(&rows))], Compression::SNAPPY);
        folder.write(&format!("spark/.{part}-c000.snappy.parquet.crc"), b"crc\0");
    }
    folder.write("spark/_SUCCESS", b"");
    folder.write("spark/._SUCCESS.crc", b"crc\0");
    // A partition without records, whose record length nothing states.
    folder.write_parquet(
        "spark/part-00002-6d5e-c000.snappy.parquet",
        &[("record", lists(&[]))],
        Compression::SNAPPY,
    );
    assert_eq!(
        folder.refused(&["spark", "--as", "u8", "-o", "a.idx"]),
        "spark/part-00002-6d5e-c000.snappy.parquet: the file does not say how long its records are; \
         give the shape of a record with `--shape`"
    );
    folder.convert(&["spark", "--shape", "1x2", "--as", "u8", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[4, 1, 2], &[0, 1, 2, 3, 4, 5, 6, 255]));
}

#[test]
fn what_no_idx_can_be_made_of() {
    let folder = Folder::new(&[]);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let none_named =
        "none of the 3 columns is named `record`; leave one beside `label`, or rename one";
    let no_numbers = "the records are neither numbers, nor lists of numbers, nor bytes; write them as one of these";
    let numbers: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2]));
    let floats: ArrayRef = Arc::new(Float32Array::from(vec![1.0, 2.5]));
    let labels_with_null: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None]));
    let null_inside: ArrayRef = {
        let mut builder = ListBuilder::new(Int16Builder::new());
        builder.append_value([Some(1), Some(2)]);
        builder.append_value([Some(1), None]);
        Arc::new(builder.finish())
    };
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let large: ArrayRef = Arc::new(Int16Array::from(vec![1, 2]));
    let with_null: ArrayRef = Arc::new(UInt8Array::from(vec![Some(1), None]));
    let table: [(&[(&str, ArrayRef)], &str); 13] = [
        (&[("a", numbers.clone()), ("b", numbers.clone()), ("c", texts)], none_named),
        (
            &[("a", numbers.clone()), ("b", large)],
            "some columns are u8 and some i16; write all as one type",
        ),
        (
            &[("a", numbers.clone()), ("b", with_null)],
            "record 1: number 1 is null; fill it or leave it out, IDX has only numbers",
        ),
        (
            &[("a", numbers.clone()), ("__index_level_0__", numbers.clone())],
            "the column `__index_level_0__` is an index of pandas; write the file with `index=False`",
        ),
        (&[("record", Arc::new(StringArray::from(vec!["\x1B[1m"])))], no_numbers),
        (&[("record", Arc::new(BooleanArray::from(vec![true])))], no_numbers),
        (
            &[("record", Arc::new(Int16Array::from(vec![Some(1), None])))],
            "record 1: the record is null; fill it or leave it out, IDX has only numbers",
        ),
        (
            &[("record", null_inside)],
            "record 1: number 1 is null; fill it or leave it out, IDX has only numbers",
        ),
        (
            &[("record", lists(&[Some(&[1, 2]), Some(&[3])]))],
            "record 1: the record has 1 number, not 2 i16; IDX has records of one shape",
        ),
        (
            &[("record", lists(&[Some(&[1]), None]))],
            "record 1: the record is null; fill it or leave it out, IDX has only numbers",
        ),
        (
            &[("record", lists(&[Some(&[1]), Some(&[2, 3, 4])]))],
            "record 1: the record has 3 numbers, not 1 i16; IDX has records of one shape",
        ),
        (
            &[("record", numbers.clone()), ("label", floats)],
            "record 1: 2.5 is not a label, a whole number; round it, or choose another column",
        ),
        (
            &[("record", numbers.clone()), ("label", labels_with_null)],
            "record 1: the label is null; fill it or leave it out, IDX has only numbers",
        ),
    ];
    for (columns, message) in table {
        folder.write_parquet("a.parquet", columns, zstd);
        assert_eq!(folder.refused(&["a.parquet", "-o", "x.idx"]), format!("a.parquet: {message}"));
    }

    for (name, records) in [("none", file(8, &[2, 0], &[])), ("none", file(8, &[2, 3, 0], &[]))] {
        folder.write(name, &records);
        let message = folder.refused(&[name, "-o", "x.parquet"]);
        assert!(
            message.ends_with("have no numbers, which Parquet cannot hold; write npy"),
            "{message}"
        );
    }
}

/// Together they have as many numbers as lists of one length.
#[test]
fn row_groups_of_other_lengths() {
    let folder = Folder::new(&[]);
    let group = |row: &[i16]| RecordBatch::try_from_iter([("record", lists(&[Some(row)]))]);
    let groups = [group(&[1, 2, 3]).unwrap(), group(&[4]).unwrap()];
    let file = File::create(folder.0.path().join("a.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, groups[0].schema(), None).unwrap();
    for group in &groups {
        writer.write(group).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
    assert_eq!(
        folder.refused(&["a.parquet", "-o", "a.idx"]),
        "a.parquet: record 1: the record has 1 number, not 3 i16; IDX has records of one shape"
    );
}

#[test]
fn damage_is_one_message() {
    let records = images(&[6, 2, 2]);
    let folder =
        Folder::new(&[("a.idx", &records), ("l.idx", &file(8, &[6], &[1, 2, 3, 1, 2, 3]))]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "a.parquet"]);
    let whole = folder.read("a.parquet");
    let read = ["b.parquet", "-o", "b.csv", "--force"];
    for length in (4..whole.len()).step_by(23) {
        folder.write("b.parquet", &whole[..length]);
        assert!(
            folder
                .run(&[&["convert"][..], &read].concat())
                .failure()
                .1
                .contains("corrupt, truncated"),
            "{length}"
        );
    }
    for place in (4..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0xFF;
        folder.write("b.parquet", &damaged);
        let outcome = folder.run(&[&["convert"][..], &read].concat());
        // A changed number is still a number.
        if outcome.code != Some(0) {
            let (output, message) = outcome.failure();
            assert_eq!(output, "", "{place}");
            assert!(message.starts_with("b.parquet: "), "{place}: {message}");
        }
    }
}

const DAMAGED: &str =
    "the file is corrupt, truncated, or uses an unsupported feature; copy or rewrite it";

/// What the end of a file claims is neither believed nor a crash.
#[test]
fn claims_that_are_not_true() {
    let folder = Folder::new(&[("a.idx", &images(&[6]))]);
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    let pictures: Vec<Vec<u8>> = (0..3).map(|pixel| picture(3, &[pixel; 6])).collect();
    let pictures: Vec<Option<&[u8]>> = pictures.iter().map(|file| Some(file.as_slice())).collect();
    folder.write_pictures("p.parquet", &pictures, &[0, 1, 2]);
    for (name, message) in [
        ("a.parquet", "the file claims 7 records but has 6; copy it again"),
        ("p.parquet", "the file claims 4 records but has 3; copy it again"),
    ] {
        let copy = [name, "b.parquet"];
        folder.claim(copy, 1, |column| {
            let count = column.num_values() + 1;
            column.into_builder().set_num_values(count)
        });
        let message = format!("b.parquet: {message}");
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
        folder.claim(copy, 0, |column| column.into_builder().set_total_compressed_size(1 << 40));
        let message = format!("b.parquet: {DAMAGED}");
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
        // The library panics.
        folder.claim(copy, 0, |column| column.into_builder().set_dictionary_page_offset(Some(-1)));
        assert_eq!(folder.refused(&["b.parquet", "-o", "x.csv"]), message);
    }
}

/// That of the library may quote the file.
#[test]
fn damage_has_a_message_of_our_own() {
    let folder = Folder::new(&[("a.idx", &images(&[6, 2, 2]))]);
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    let mut bytes = folder.read("a.parquet");
    let zstd = [0x28, 0xB5, 0x2F, 0xFD];
    let start = bytes.windows(4).position(|bytes| bytes == zstd).unwrap();
    bytes[start] = 0;
    folder.write("b.parquet", &bytes);
    assert_eq!(folder.refused(&["b.parquet", "-o", "x.idx"]), format!("b.parquet: {DAMAGED}"));
}

/// In each call that reads the file, also if the next one succeeds.
#[cfg(target_os = "linux")]
#[test]
fn an_error_of_the_disk_is_not_damage() {
    if !idx_tests::has_strace("errors of the disk") {
        return;
    }
    let folder = Folder::new(&[("a.idx", &images(&[6, 2, 2]))]);
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    let path = folder.0.path().join("a.parquet");
    for call in ["read", "lseek"] {
        let mut failed = 0;
        for when in 1.. {
            let mut command = idx_tests::strace();
            command
                .arg("-P")
                .arg(&path)
                .args(["-e", &format!("inject={call}:error=EIO:when={when}")])
                .arg(env!("CARGO_BIN_EXE_idx"))
                .args(["convert", "a.parquet", "-o", "x.idx", "--force"]);
            let output = command.current_dir(folder.0.path()).output().unwrap();
            if output.status.success() {
                break;
            }
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                message, "idx: a.parquet: Input/output error (os error 5)\n",
                "{call} {when}"
            );
            failed += 1;
        }
        // For the format, the metadata, and the records.
        assert!(failed >= 4, "{call}: {failed}");
    }
}

/// Numbers in another order would be a picture that is turned.
#[test]
fn tensors_in_another_order_are_refused() {
    let folder = Folder::new(&[]);
    let records = lists(&[Some(&[1, 2, 3, 4, 5, 6])]);
    for (permutation, is_read) in
        [("", true), (r#", "permutation": [0, 1]"#, true), (r#", "permutation": [1, 0]"#, false)]
    {
        let shape = format!(r#"{{"shape": [2, 3]{permutation}}}"#);
        let tensor = [
            ("ARROW:extension:name", "arrow.fixed_shape_tensor"),
            ("ARROW:extension:metadata", &shape),
        ];
        folder.write_described("a.parquet", records.clone(), &tensor);
        let to = ["a.parquet", "--as", "u8", "-o", "a.idx", "--force"];
        if is_read {
            folder.convert(&to);
            assert_eq!(folder.read("a.idx"), file(8, &[1, 2, 3], &[1, 2, 3, 4, 5, 6]));
        } else {
            assert_eq!(
                folder.refused(&to),
                "a.parquet: the tensors are permuted; write them in the order of their memory"
            );
        }
    }
}

/// An engine may keep the metadata of a column whose bytes it has made to numbers.
#[test]
fn lists_describe_themselves() {
    let folder = Folder::new(&[]);
    let idx = r#"{"element_type": "u8", "shape": [4]}"#;
    folder.write_described("a.parquet", lists(&[Some(&[1, 2])]), &[("idx", idx)]);
    folder.convert(&["a.parquet", "--shape", "2", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(0x0B, &[1, 2], &[0, 1, 0, 2]));
}

#[test]
fn standard_streams() {
    let folder = Folder::new(&[("a.idx", &images(&[3, 2, 2]))]);
    let written =
        folder.command(&["convert", "a.idx", "--to", "parquet", "-o", "-"]).output().unwrap();
    assert!(written.status.success());
    assert!(written.stdout.starts_with(b"PAR1"));
    let outcome = folder.run_with(&["convert", "-", "--to", "csv", "-o", "-"], &written.stdout);
    assert_eq!(outcome.success(), "1x1,1x2,2x1,2x2\n0,1,2,3\n4,5,6,7\n8,9,10,11\n");
}

#[test]
fn nothing_is_replaced_without_force() {
    let folder = Folder::new(&[("a.idx", &images(&[3])), ("a.parquet", b"")]);
    assert_eq!(
        folder.refused(&["a.idx", "-o", "a.parquet"]),
        "a.parquet: the file already exists; choose another name, or replace it with `--force`"
    );
    folder.convert(&["a.idx", "-o", "a.parquet", "--force"]);
    // An error on the way leaves the file as it was.
    let before = folder.read("a.parquet");
    folder.write("cut.idx", &images(&[3])[..9]);
    folder.refused(&["cut.idx", "-o", "a.parquet", "--force"]);
    folder.refused(&["cut.idx", "-o", "new", "--shards", "2"]);
    assert_eq!(folder.read("a.parquet"), before);
}

#[test]
fn mnist_there_and_back() {
    let Some(images) = real_data("mnist_there_and_back", "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let labels = images.with_file_name("t10k-labels-idx1-ubyte.gz");
    let (images, labels) = (images.to_str().unwrap(), labels.to_str().unwrap());
    let folder = Folder::new(&[]);
    folder.convert(&[
        images,
        "--labels",
        labels,
        "--records",
        "..2000",
        "-o",
        "shards",
        "--shards",
        "3",
    ]);
    folder.convert(&["shards", "-o", "back.idx"]);
    folder.convert(&[images, "--records", "..2000", "-o", "first.idx"]);
    assert!(folder.read("back.idx") == folder.read("first.idx"));
    assert_eq!(folder.read("back-labels.idx"), folder.read("first-labels.idx"));
}

/// A grey picture of these pixels, as PNG.
fn picture(width: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let height = u32::try_from(pixels.len()).unwrap() / width;
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A column of files of pictures of 2 x 2 pixels.
fn pictures(pictures: &[[u8; 4]]) -> ArrayRef {
    let files: Vec<Vec<u8>> = pictures.iter().map(|pixels| picture(2, pixels)).collect();
    let files: ArrayRef = Arc::new(BinaryArray::from_iter_values(files));
    Arc::new(StructArray::try_from(vec![("bytes", files)]).unwrap())
}

impl Folder {
    /// Writes files of pictures as Hugging Face's `datasets` does, with labels and the names of their classes.
    fn write_pictures(&self, name: &str, pictures: &[Option<&[u8]>], labels: &[i64]) {
        self.write_named_pictures(name, pictures, labels, ["ant", "bee", "cat"]);
    }

    /// The same with other names.
    fn write_named_pictures(
        &self,
        name: &str,
        pictures: &[Option<&[u8]>],
        labels: &[i64],
        classes: [&str; 3],
    ) {
        let paths: Vec<Option<&str>> = pictures.iter().map(|_| Some("a.png")).collect();
        let files: ArrayRef = Arc::new(BinaryArray::from(pictures.to_vec()));
        let paths: ArrayRef = Arc::new(StringArray::from(paths));
        let pictures = StructArray::try_from(vec![("bytes", files), ("path", paths)]).unwrap();
        let columns: [(_, ArrayRef); 2] =
            [("image", Arc::new(pictures)), ("label", Arc::new(Int64Array::from(labels.to_vec())))];
        self.write_classes(name, &columns, &[("label", &classes)]);
    }

    /// Writes columns, and the names of the classes in some of them.
    fn write_classes(&self, name: &str, columns: &[(&str, ArrayRef)], classes: &[(&str, &[&str])]) {
        let feature = |names: &[&str]| serde_json::json!({"names": names, "_type": "ClassLabel"});
        let features = classes.iter().map(|(column, names)| (column.to_string(), feature(names)));
        let features: serde_json::Map<String, serde_json::Value> = features.collect();
        let features = serde_json::json!({"info": {"features": features}});
        let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
        let metadata = [("huggingface".to_string(), features.to_string())];
        let schema = batch.schema().as_ref().clone();
        let schema = Arc::new(schema.with_metadata(HashMap::from(metadata)));
        let batch = batch.with_schema(Arc::clone(&schema)).unwrap();
        let file = File::create(self.0.path().join(name)).unwrap();
        let mut writer = ArrowWriter::try_new(file, schema, None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
}

#[test]
fn other_classes_are_not_joined() {
    let folder = Folder::new(&[]);
    let pixels = picture(3, &[1, 2, 3, 4, 5, 6]);
    for (name, last) in [("a.parquet", "cat"), ("b.parquet", "dog")] {
        folder.write_named_pictures(name, &[Some(&pixels)], &[0], ["ant", "bee", last]);
    }
    let outputs = ["-o", "i.idx"];
    let message = folder.refused(&[&["a.parquet", "b.parquet"][..], &outputs].concat());
    assert_eq!(
        message,
        "b.parquet: the classes differ from those of the previous inputs; give all the same list of names, a classes.txt in \
         each folder or beside the labels, or convert them separately"
    );
}

#[test]
fn a_class_forges_no_line() {
    let folder = Folder::new(&[]);
    let pixels = picture(3, &[1, 2, 3, 4, 5, 6]);
    let classes = ["ant\n  forged", "bee", "cat"];
    folder.write_named_pictures("a.parquet", &[Some(&pixels)], &[0], classes);
    for command in ["stats", "show"] {
        let output = folder.run(&[command, "a.parquet"]).success();
        assert!(output.contains("0 ant\\u{a}  forged"), "{output}");
    }
    // In a list it would be the names of two classes.
    folder.write_named_pictures("b.parquet", &[Some(&pixels)], &[0], [" cat", "cat", "dog"]);
    let message = folder.refused(&["b.parquet", "-o", "i.idx"]);
    assert!(message.contains("the name of class 0 has white space at its ends"), "{message}");
    for output in [&["-o", "i.idx"][..], &["-o", "d/"]] {
        let message = folder.refused(&[&["a.parquet"], output].concat());
        assert!(
            message.contains(
                "the name of class 0 contains a line break, which classes.txt cannot hold"
            ),
            "{message}"
        );
    }
}

#[test]
fn files_of_pictures_with_their_labels_and_classes() {
    let folder = Folder::new(&[]);
    let pixels: Vec<[u8; 6]> = (0..150).map(|number| [number, 1, 2, 3, 4, 255]).collect();
    let pictures: Vec<Vec<u8>> = pixels.iter().map(|pixels| picture(3, pixels)).collect();
    let pictures: Vec<Option<&[u8]>> = pictures.iter().map(|file| Some(file.as_slice())).collect();
    let labels: Vec<i64> = (0..150).map(|number| number % 3).collect();
    folder.write_pictures("train.parquet", &pictures, &labels);
    let pair = ["-o", "i.idx"];
    let outcome = folder.run(&[&["convert", "train.parquet"][..], &pair].concat());
    assert_eq!(
        (outcome.code, &*outcome.messages),
        (Some(0), "idx: i-classes.txt: 0 ant, 1 bee, 2 cat\n")
    );
    assert_eq!(folder.read("i.idx"), file(8, &[150, 2, 3], &pixels.concat()));
    let bytes: Vec<u8> = (0..150).map(|number| number % 3).collect();
    assert_eq!(folder.read("i-labels.idx"), file(8, &[150], &bytes));
    assert_eq!(folder.read("i-classes.txt"), b"ant\nbee\ncat\n");
    let shown = folder.run(&["show", "train.parquet", "-r", "2"]).success();
    assert!(shown.contains("cat"), "{shown}");
    let stats = folder.run(&["stats", "train.parquet"]).success();
    assert!(stats.contains("150 x 2 x 3") && stats.contains("ant"), "{stats}");
    // A folder of them, some records, and another size.
    fs::create_dir(folder.0.path().join("shards")).unwrap();
    for (name, part) in [("1", 0..70), ("2", 70..150)] {
        let name = format!("shards/{name}.parquet");
        folder.write_pictures(&name, &pictures[part.clone()], &labels[part]);
    }
    folder.run(&["convert", "shards", "-o", "all.idx"]);
    assert_eq!(folder.read("all.idx"), folder.read("i.idx"));
    let part = ["--records", "69..71", "--size", "2x2", "--fit", "none"];
    folder.run(&[&["convert", "shards", "-o", "some.idx"][..], &part].concat());
    let middle = [69, 1, 3, 4, 70, 1, 3, 4];
    assert_eq!(folder.read("some.idx")[..16], file(8, &[2, 2, 2], &middle)[..16]);
}

#[test]
fn labels_may_come_before_the_pictures() {
    let folder = Folder::new(&[]);
    let labels: ArrayRef = Arc::new(Int16Array::from(vec![300, 2]));
    let columns = [("label", labels), ("image", pictures(&[[0, 1, 2, 3], [4, 5, 6, 255]]))];
    folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
    let pair = ["-o", "i.idx"];
    folder.convert(&[&["a.parquet", "--invert"][..], &pair].concat());
    let inverted = [255, 254, 253, 252, 251, 250, 249, 0];
    assert_eq!(folder.read("i.idx"), file(8, &[2, 2, 2], &inverted));
    assert_eq!(folder.read("i-labels.idx"), file(0x0B, &[2], &[1, 44, 0, 2]));
}

/// The shards that were read before are closed, and what was skipped in them is still named.
#[test]
fn pictures_skipped_in_any_shard_are_named() {
    let folder = Folder::new(&[]);
    fs::create_dir(folder.0.path().join("shards")).unwrap();
    let good = picture(3, &[0; 6]);
    for name in ["1", "2"] {
        let name = format!("shards/{name}.parquet");
        folder.write_pictures(&name, &[Some(&good), Some(b"<html>")], &[0, 1]);
    }
    let arguments = ["convert", "shards", "-o", "i.idx", "--skip-bad"];
    let outcome = folder.run(&arguments);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for shard in ["1", "2"] {
        let skipped = format!("shards/{shard}.parquet: skipped: record 1: ");
        assert!(outcome.messages.contains(&skipped), "{outcome:?}");
    }
    assert_eq!(folder.read("i.idx"), file(8, &[2, 2, 3], &[0; 12]));

    folder.write_pictures("none.parquet", &[Some(&b"<html>"[..]); 2], &[0, 1]);
    assert_eq!(
        folder.refused(&["none.parquet", "-o", "j.idx", "--skip-bad"]),
        "none.parquet: none of the first 2 pictures can be read; to see why, do not skip damaged pictures"
    );
}

/// A column `record` is the records, whatever else is there; of several columns of pictures, none is chosen.
#[test]
fn one_column_is_the_records() {
    let folder = Folder::new(&[]);
    let pictures = |pixel: u8| pictures(&[[pixel; 4]]);
    let write = |name: &str, columns: &[(&str, ArrayRef)]| {
        folder.write_parquet(name, columns, Compression::UNCOMPRESSED);
    };
    let number: ArrayRef = Arc::new(UInt8Array::from(vec![7]));
    write("a.parquet", &[("image", pictures(1)), ("record", number)]);
    folder.convert(&["a.parquet", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[1], &[7]));
    write("b.parquet", &[("image", pictures(1)), ("record", pictures(2))]);
    folder.convert(&["b.parquet", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[1, 2, 2], &[2; 4]));
    write("c.parquet", &[("image", pictures(1)), ("mask", pictures(2))]);
    assert_eq!(
        folder.refused(&["c.parquet", "-o", "c.idx"]),
        "c.parquet: 2 columns are pictures; leave one of them, or name one `record`"
    );
    // The column is that of the input that has columns.
    folder.write("set/0.png", &picture(2, &[3; 4]));
    folder.convert(&["c.parquet", "set", "--column", "mask", "-o", "d.idx"]);
    assert_eq!(folder.read("d.idx"), file(8, &[2, 2, 2], &[[2; 4], [3; 4]].concat()));
}

#[test]
fn files_of_pictures_that_cannot_be_read() {
    let (good, other) = (picture(3, &[0; 6]), picture(2, &[9; 4]));
    let none = "record 1: the record has no file of a picture; remove it, or write it again";
    for (second, message) in [
        (None, none),
        (
            Some(&b"<html>"[..]),
            "record 1: the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; remove it, or save it as \
             one",
        ),
        (
            Some(&good[..good.len() - 1]),
            "record 1: the file ends before the picture does; not a valid PNG file, or truncated; copy it again",
        ),
        (
            Some(&other),
            "record 1: the picture is 2 x 2, the first in a.parquet is 2 x 3; scale the pictures to one \
             size with `--size`",
        ),
    ] {
        let folder = Folder::new(&[]);
        folder.write_pictures("a.parquet", &[Some(&good), second, Some(&good)], &[0, 1, 2]);
        let arguments = ["a.parquet", "-o", "i.idx"];
        assert_eq!(folder.refused(&arguments), format!("a.parquet: {message}"));
        if message == none {
            continue;
        }
        let skipping = [&["convert"], &arguments[..], &["--skip-bad"]].concat();
        let outcome = folder.run(&skipping);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(outcome.messages.contains("a.parquet: skipped: record 1: "), "{outcome:?}");
        assert_eq!(folder.read("i.idx"), file(8, &[2, 2, 3], &[0; 12]));
        assert_eq!(folder.read("i-labels.idx"), file(8, &[2], &[0, 2]));
    }
    let folder = Folder::new(&[]);
    folder.write_pictures("a.parquet", &[], &[]);
    assert_eq!(
        folder.refused(&["a.parquet", "-o", "i.idx"]),
        "a.parquet: there are no pictures in this file; choose one that has some"
    );
    let html = "the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; remove it, or save it as one";
    folder.write_pictures("a.parquet", &[Some(b"<html>")], &[0]);
    assert_eq!(
        folder.refused(&["a.parquet", "-o", "i.idx"]),
        format!("a.parquet: record 0: {html}")
    );
    // Any sizes become one.
    folder.write_pictures("b.parquet", &[Some(&good), Some(&other)], &[0, 1]);
    folder.run(&["convert", "b.parquet", "-o", "i.idx", "--size", "1x1"]);
    assert_eq!(folder.read("i.idx"), file(8, &[2, 1, 1], &[0, 9]));
}

/// Shares of a number that only the end of the input tells cannot be cut.
#[test]
fn shards_of_what_is_not_counted_before() {
    let folder = Folder::new(&[("a.csv", b"p,q\n1,2\n3,4\n5,6\n")]);
    let message = folder.refused(&["a.csv", "-o", "s/", "--to", "parquet", "--shards", "2"]);
    assert!(message.contains("the number of records is unknown"), "{message}");
}
