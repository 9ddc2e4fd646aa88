//! `idx convert` with Parquet: round trips, and helpers that write and read its files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::sync::Arc;

use arrow_array::builder::{Int16Builder, ListBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray, StructArray, UInt8Array,
};
use idx_std::ElementType;
use idx_tests::{file, real_data};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::metadata::{
    ColumnChunkMetaData, ColumnChunkMetaDataBuilder, ParquetMetaDataReader, ParquetMetaDataWriter,
    RowGroupMetaData,
};
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use crate::common::{Folder, extremes};

mod batches;
mod damage;
mod labels;
mod pictures;
mod shards;
mod tables;

/// Bytes in which no two records of `shape` are alike.
pub(crate) fn images(shape: &[u32]) -> Vec<u8> {
    let count: u32 = shape.iter().product();
    let payload: Vec<u8> = (0..count).map(|byte| (byte % 251) as u8).collect();
    file(8, shape, &payload)
}

impl Folder {
    /// Writes a file as another program might.
    pub(crate) fn write_parquet(
        &self,
        name: &str,
        columns: &[(&str, ArrayRef)],
        compression: Compression,
    ) {
        let columns = columns.iter().cloned();
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = File::create(self.0.path().join(name)).unwrap();
        let properties = WriterProperties::builder().set_compression(compression);
        let mut writer =
            ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// Writes a file of these row groups.
    pub(crate) fn write_groups(&self, name: &str, groups: &[RecordBatch]) {
        let file = File::create(self.0.path().join(name)).unwrap();
        let mut writer = ArrowWriter::try_new(file, groups[0].schema(), None).unwrap();
        for group in groups {
            writer.write(group).unwrap();
            writer.flush().unwrap();
        }
        writer.close().unwrap();
    }

    /// Writes a file whose only column has this metadata.
    pub(crate) fn write_described(&self, name: &str, column: ArrayRef, metadata: &[(&str, &str)]) {
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

    /// The row groups, as the end of a file describes them.
    pub(crate) fn row_group_metadata(&self, name: &str) -> Vec<RowGroupMetaData> {
        let file = File::open(self.0.path().join(name)).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.metadata().row_groups().to_vec()
    }

    /// Writes a copy of a file that claims this many more records, and something else about its columns.
    pub(crate) fn claim(
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

    /// The number of records in each row group of a file.
    pub(crate) fn row_groups(&self, name: &str) -> Vec<i64> {
        let groups = self.row_group_metadata(name);
        groups.iter().map(RowGroupMetaData::num_rows).collect()
    }

    pub(crate) fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// Lists of 16-bit integers of any length, as Spark writes bytes.
pub(crate) fn lists(rows: &[Option<&[i16]>]) -> ArrayRef {
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

/// Numbers repeat, so a dictionary makes the file small; whole pictures do not. Statistics help to search for labels.
#[test]
fn numbers_have_a_dictionary_and_labels_have_statistics() {
    let folder = Folder::new(&[("a.idx", &images(&[10, 3])), ("l.idx", &images(&[10]))]);
    for (layout, has_dictionary) in [("list", true), ("binary", false)] {
        let labeled = ["a.idx", "--labels", "l.idx", "-o", "b.parquet"];
        folder.convert(&[&labeled[..], &["--layout", layout, "--force"]].concat());
        let groups = folder.row_group_metadata("b.parquet");
        let [record, label] = groups[0].columns() else { panic!("{groups:?}") };
        assert_eq!(record.dictionary_page_offset().is_some(), has_dictionary, "{layout}");
        assert_eq!([record, label].map(|column| column.statistics().is_some()), [false, true]);
        assert!(matches!(record.compression(), Compression::ZSTD(_)));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    if !idx_tests::has_strace("a full disk") {
        return;
    }
    // More than one write, however well it is compressed.
    let noise: Vec<u8> = (0..1_u64 << 20).map(|byte| byte.pow(3).to_be_bytes()[5]).collect();
    let folder = Folder::new(&[("a.idx", &file(8, &[1 << 20], &noise))]);
    for when in [1, 5] {
        let mut command = idx_tests::strace();
        command
            .args(["-e", &format!("inject=write:error=ENOSPC:when={when}")])
            .arg(env!("CARGO_BIN_EXE_idx"))
            .args(["convert", "a.idx", "-o", "b.parquet"]);
        let output = command.current_dir(folder.0.path()).output().unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "idx: b.parquet: No space left on device (os error 28); free some space and try again\n"
        );
    }
}

#[test]
fn the_limit_of_a_record_holds() {
    let folder = Folder::new(&[("a.idx", &images(&[6, 2, 2]))]);
    // Numbers in other columns are not part of a record.
    let others = |count| {
        let number: ArrayRef = Arc::new(UInt8Array::from(vec![1; count]));
        StructArray::try_from(vec![("a", number.clone()), ("b", number)]).unwrap()
    };
    let with_others = |rows: &[Option<&[i16]>]| -> [(_, ArrayRef); 2] {
        [("others", Arc::new(others(rows.len()))), ("record", lists(rows))]
    };
    folder.write_parquet("lists.parquet", &with_others(&[Some(&[1, 2])]), Compression::SNAPPY);
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
    // The limit holds before the first list of any length is read.
    let columns = with_others(&[Some(&[1]), Some(&[1, 2, 3, 4, 5, 6])]);
    folder.write_parquet("lists.parquet", &columns, Compression::SNAPPY);
    let message = folder.refused(&["lists.parquet", "--record-limit", "7", "-o", "c.idx"]);
    let has_numbers = message.contains(" 8 bytes") && message.contains("the limit of 7");
    assert!(has_numbers, "{message}");
}

/// Reports on a file, and on a folder of shards, equal those on the IDX file that they were made from.
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
    let reading =
        "  reading       label `label` (--column record --label-column label --skip none)\n";
    let [b, c] = ["b.parquet", "c"].map(facts);
    let expected = format!("{b}  file          {size} bytes\n{reading}{c}{reading}");
    assert_eq!(info.replace(',', ""), expected);

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

/// An engine may keep the metadata of a column after converting its bytes to numbers.
#[test]
fn lists_describe_themselves() {
    let folder = Folder::new(&[]);
    let idx = r#"{"element_type": "u8", "shape": [4]}"#;
    folder.write_described("a.parquet", lists(&[Some(&[1, 2])]), &[("idx", idx)]);
    folder.convert(&["a.parquet", "--shape", "2", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(0x0B, &[1, 2], &[0, 1, 0, 2]));
    let number = Arc::new(UInt8Array::from(vec![1]));
    folder.write_described(
        "b.parquet",
        number,
        &[("idx", r#"{"element_type": "u8", "shape": "4"}"#)],
    );
    assert_eq!(
        folder.refused(&["b.parquet", "-o", "b.idx"]),
        "b.parquet: the description of the records in the file is invalid; rewrite the file"
    );
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

/// A gray picture of these pixels, as PNG.
pub(crate) fn picture(width: u32, pixels: &[u8]) -> Vec<u8> {
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
pub(crate) fn pictures(pictures: &[[u8; 4]]) -> ArrayRef {
    let files: Vec<Vec<u8>> = pictures.iter().map(|pixels| picture(2, pixels)).collect();
    let files: ArrayRef = Arc::new(BinaryArray::from_iter_values(files));
    Arc::new(StructArray::try_from(vec![("bytes", files)]).unwrap())
}

impl Folder {
    /// Writes files of pictures as Hugging Face's `datasets` does, with labels and their class names.
    pub(crate) fn write_pictures(&self, name: &str, pictures: &[Option<&[u8]>], labels: &[i64]) {
        self.write_named_pictures(name, pictures, labels, ["ant", "bee", "cat"]);
    }

    /// Does the same with other names of classes.
    pub(crate) fn write_named_pictures(
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
        self.write_classes(name, &columns, &[("label", json!(classes))]);
    }

    /// Writes columns, and the names of the classes in some of them.
    pub(crate) fn write_classes(
        &self,
        name: &str,
        columns: &[(&str, ArrayRef)],
        classes: &[(&str, Value)],
    ) {
        let feature = |names: &Value| json!({"names": names, "_type": "ClassLabel"});
        let features = classes.iter().map(|(column, names)| (column.to_string(), feature(names)));
        let features: serde_json::Map<String, Value> = features.collect();
        let features = json!({"info": {"features": features}});
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
