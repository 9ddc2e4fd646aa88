//! Parquet columns: which of them become records, and of what shape.

use std::fs;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, FixedSizeBinaryBuilder, Int16Builder, LargeListBuilder, ListBuilder,
};
use arrow_array::types::Float16Type;
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, BooleanArray, Date32Array, DictionaryArray,
    DurationSecondArray, Float16Array, Float32Array, Int8Array, Int16Array, Int64Array,
    StringArray, StructArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use idx_tests::file;
use parquet::basic::{Compression, ZstdLevel};

use crate::common::Folder;
use crate::parquet::{lists, picture, pictures};

/// pandas writes Kaggle's csv like this.
#[test]
fn a_table_has_a_column_for_each_number() {
    let folder = Folder::new(&[]);
    let column = |numbers: [u8; 3]| Arc::new(UInt8Array::from(numbers.to_vec())) as ArrayRef;
    let labels: ArrayRef = Arc::new(Int64Array::from(vec![3, 8, 1]));
    let [a, b, c, d] =
        [column([0, 4, 8]), column([1, 5, 9]), column([2, 6, 10]), column([3, 7, 255])];
    let options = ["--shape", "2x2", "-o", "a.idx", "--force"];
    for label in ["class", "target", "Y"] {
        let [a, b, c, d] = [&a, &b, &c, &d].map(Arc::clone);
        let pixels = [("p0", a), ("p1", b), (label, labels.clone()), ("p2", c), ("p3", d)];
        folder.write_parquet("a.parquet", &pixels, Compression::SNAPPY);
        folder.convert(&[&["a.parquet"], &options[..]].concat());
        let records = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255];
        assert_eq!(folder.read("a.idx"), file(8, &[3, 2, 2], &records), "{label}");
        assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &[3, 8, 1]), "{label}");
    }
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
        folder.convert(&[inputs, &["-o", "a.idx", "-f"]].concat());
        assert_eq!(folder.read("a.idx"), file(8, &[2, 2], b"abab"));
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
    let with_null = |is_list: bool| -> ArrayRef {
        let mut builder = ListBuilder::new(ListBuilder::new(Int16Builder::new()));
        for index in 0..4 {
            match index == 3 && is_list {
                true => builder.values().append_null(),
                false => builder.values().append_value([Some(1), Some(2).filter(|_| index < 3)]),
            }
            if index % 2 == 1 {
                builder.append(true);
            }
        }
        Arc::new(builder.finish())
    };
    let null = "is null; fill it or leave it out, IDX has only numbers";
    for (image, message) in [
        (
            nested([3, 3, 3, 2]),
            "record 1: a list has 2 numbers, not 3; IDX has records of one shape".to_string(),
        ),
        (with_null(true), format!("record 1: a list {null}")),
        (with_null(false), format!("record 1: number 3 {null}")),
    ] {
        folder.write_parquet("b.parquet", &[("image", image)], Compression::UNCOMPRESSED);
        assert_eq!(
            folder.refused(&["b.parquet", "--as", "u8", "-o", "b.idx"]),
            format!("b.parquet: {message}")
        );
    }
    // Records without lists do not say how long these would be.
    let mut none = ListBuilder::new(ListBuilder::new(Int16Builder::new()));
    none.append(true);
    folder.write_parquet("c.parquet", &[("image", Arc::new(none.finish()))], Compression::SNAPPY);
    assert_eq!(
        folder.refused(&["c.parquet", "-o", "c.npy"]),
        "c.parquet: the file does not say how long its records are; give the shape of a record with `--shape`"
    );
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
        "spark.parquet: a record of 4 cannot have the shape 2 x 3, which has another number of elements; choose sizes with the same product"
    );

    // The only column may have any name, and other columns may be there if it is named.
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
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    let one_and_a_half = Half::from_bits(0x3E00);
    let numbers: [(ArrayRef, &str, &str); 4] = [
        (Arc::new(UInt16Array::from(vec![7, u16::MAX])), "i32", "65535"),
        (Arc::new(UInt32Array::from(vec![7, u32::MAX])), "f64", "4294967295.0"),
        (Arc::new(UInt64Array::from(vec![7, 1 << 63])), "f64", "9.223372036854776e18"),
        (Arc::new(Float16Array::from(vec![one_and_a_half; 2])), "f32", "1.5"),
    ];
    for (numbers, element_type, last) in numbers {
        folder.write_parquet("numbers.parquet", &[("n", numbers)], zstd);
        folder.convert(&["numbers.parquet", "--as", element_type, "-o", "e.csv", "--force"]);
        let table = String::from_utf8(folder.read("e.csv")).unwrap();
        assert_eq!(table.lines().last(), Some(last));
    }

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

#[test]
fn what_no_idx_can_be_made_of() {
    let folder = Folder::new(&[]);
    let zstd = Compression::ZSTD(ZstdLevel::default());
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
    let mut bytes = ListBuilder::new(BinaryBuilder::new());
    bytes.append_value([Some(b"ab")]);
    let mut fixed = ListBuilder::new(FixedSizeBinaryBuilder::new(2));
    fixed.values().append_value(b"ab").unwrap();
    fixed.append(true);
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let with_null: ArrayRef = Arc::new(UInt8Array::from(vec![Some(1), None]));
    let table: [(&[(&str, ArrayRef)], &str); 12] = [
        (
            &[("a", numbers.clone()), ("b", numbers.clone()), ("c", texts)],
            "`c` has words (a in record 0), and a record has numbers: `--label-column c` if `c` is the label, or `--skip c` \
             to leave out the words",
        ),
        (
            &[("a", numbers.clone()), ("b", with_null)],
            "record 1 has no value in `b`; add it, or remove the record: `--skip b` to leave out the column",
        ),
        (&[("record", Arc::new(StringArray::from(vec!["\x1B[1m"])))], no_numbers),
        (&[("record", Arc::new(bytes.finish()))], no_numbers),
        (&[("record", Arc::new(fixed.finish()))], no_numbers),
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
            "`label` has decimals, and a label is a whole number or a name: `--no-labels` if there is none",
        ),
        (
            &[("record", numbers.clone()), ("label", labels_with_null)],
            "record 1 has no label in `label`; add it, or remove the record",
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
    folder.write("large", &file(8, &[0, 1 << 16, 1 << 16], &[]));
    assert_eq!(
        folder.refused(&["large", "-o", "x.parquet", "--record-limit", "4294967296"]),
        "x.parquet: records of 65536 x 65536 exceed the 31 bits of a length in Arrow; write npy"
    );
}

/// Read in another order, the numbers would be a turned picture.
#[test]
fn tensors_in_another_order_are_refused() {
    let folder = Folder::new(&[]);
    let records = lists(&[Some(&[1, 2, 3, 4, 5, 6])]);
    let permuted = "the tensors are permuted; write them in the order of their memory";
    let invalid = "the shape of the tensors is invalid; rewrite the file";
    for (permutation, message) in [
        ("", None),
        (r#", "permutation": [0, 1]"#, None),
        (r#", "permutation": [1, 0]"#, Some(permuted)),
        (r#", "permutation": "01""#, Some(invalid)),
    ] {
        let shape = format!(r#"{{"shape": [2, 3]{permutation}}}"#);
        let tensor = [
            ("ARROW:extension:name", "arrow.fixed_shape_tensor"),
            ("ARROW:extension:metadata", &shape),
        ];
        folder.write_described("a.parquet", records.clone(), &tensor);
        let to = ["a.parquet", "--as", "u8", "-o", "a.idx", "--force"];
        match message {
            Some(message) => assert_eq!(folder.refused(&to), format!("a.parquet: {message}")),
            None => {
                folder.convert(&to);
                assert_eq!(folder.read("a.idx"), file(8, &[1, 2, 3], &[1, 2, 3, 4, 5, 6]));
            }
        }
    }
    // Metadata of other extensions is ignored.
    let other =
        [("ARROW:extension:name", "other"), ("ARROW:extension:metadata", r#"{"shape": [2, 3]}"#)];
    folder.write_described("a.parquet", records, &other);
    folder.convert(&["a.parquet", "--as", "u8", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[1, 6], &[1, 2, 3, 4, 5, 6]));
}

/// A column `record` has the records, whatever else is there; of several columns of pictures, none is chosen.
#[test]
fn one_column_is_the_records() {
    let folder = Folder::new(&[]);
    let pictures = |pixel: u8| pictures(&[[pixel; 4]]);
    let write = |name: &str, columns: &[(&str, ArrayRef)]| {
        folder.write_parquet(name, columns, Compression::UNCOMPRESSED);
    };
    let number: ArrayRef = Arc::new(UInt8Array::from(vec![7]));
    write("a.parquet", &[("image", pictures(1)), ("record", number.clone())]);
    folder.convert(&["a.parquet", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[1], &[7]));
    write("b.parquet", &[("image", pictures(1)), ("record", pictures(2))]);
    folder.convert(&["b.parquet", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[1, 2, 2], &[2; 4]));
    folder.convert(&["b.parquet", "--column", "image", "-o", "b.idx", "--force"]);
    assert_eq!(folder.read("b.idx"), file(8, &[1, 2, 2], &[1; 4]));
    // Unless it has the labels, or the only column has their name.
    write("e.parquet", &[("image", pictures(1)), ("record", number.clone())]);
    folder.convert(&["e.parquet", "--label-column", "record", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx"), file(8, &[1, 2, 2], &[1; 4]));
    assert_eq!(folder.read("e-labels.idx"), file(8, &[1], &[7]));
    assert_eq!(
        folder.refused(&["e.parquet", "--column", "0", "--label-column", "0", "-o", "f.idx"]),
        "e.parquet: one column cannot have both the records and the labels; choose another"
    );
    write("g.parquet", &[("label", number)]);
    folder.convert(&["g.parquet", "-o", "g.idx"]);
    assert_eq!(folder.read("g.idx"), file(8, &[1], &[7]));
    write("c.parquet", &[("image", pictures(1)), ("mask", pictures(2))]);
    assert_eq!(
        folder.refused(&["c.parquet", "-o", "c.idx"]),
        "c.parquet: 2 columns may have the records: `--column image`, or `--column mask`"
    );
    // The field with the bytes may be anywhere.
    let files: ArrayRef = Arc::new(BinaryArray::from_iter_values([picture(2, &[5; 4])]));
    let path: ArrayRef = Arc::new(StringArray::from(vec!["a.png"]));
    let image = StructArray::try_from(vec![("path", path), ("bytes", files)]).unwrap();
    write("h.parquet", &[("image", Arc::new(image))]);
    folder.convert(&["h.parquet", "-o", "h.idx"]);
    assert_eq!(folder.read("h.idx"), file(8, &[1, 2, 2], &[5; 4]));
    // `--column` is for the input that has columns.
    folder.write("set/0.png", &picture(2, &[3; 4]));
    folder.convert(&["c.parquet", "set", "--column", "mask", "-o", "d.idx"]);
    assert_eq!(folder.read("d.idx"), file(8, &[2, 2, 2], &[[2; 4], [3; 4]].concat()));
}

#[test]
fn columns_that_are_no_numbers_and_labels_that_differ_late_are_asked_about() {
    let folder = Folder::new(&[]);
    let numbers = |of: fn(i64) -> i64| Arc::new(Int64Array::from_iter_values((0..3000).map(of)));
    let label: ArrayRef = numbers(|row| row % 3);
    let target: ArrayRef = numbers(|row| (row + row / 2999) % 3);
    let a: ArrayRef = Arc::new(UInt8Array::from(vec![1; 3000]));
    let columns = [("label", label), ("target", target), ("a", a)];
    folder.write_parquet("late.parquet", &columns, Compression::SNAPPY);
    let message = folder.refused(&["late.parquet", "-o", "a.idx"]);
    assert!(message.contains("and is not here; choose one: `--label-column label`"), "{message}");
    let days: ArrayRef = Arc::new(Date32Array::from(vec![7, 9]));
    let a: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2]));
    folder.write_parquet("days.parquet", &[("day", days), ("a", a)], Compression::SNAPPY);
    let message = folder.refused(&["days.parquet", "-o", "a.idx"]);
    assert!(message.ends_with("a record has numbers: `--skip day` to leave it out"), "{message}");
    folder.convert(&["days.parquet", "--skip", "day", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[2], &[1, 2]));
}

/// Failed before: a duration was taken for row numbers, and an error about `record` named no column.
#[test]
fn columns_that_only_look_like_numbers_are_left_out_by_name() {
    let folder = Folder::new(&[]);
    let number = |numbers: [u8; 3]| Arc::new(UInt8Array::from(numbers.to_vec())) as ArrayRef;
    let durations: ArrayRef = Arc::new(DurationSecondArray::from(vec![0, 1, 2]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["4", "5", "7"]));
    let keys = Int8Array::from(vec![1, 0, 1]);
    let categories = DictionaryArray::new(keys, Arc::new(Int64Array::from(vec![40, 50])));
    let categories: ArrayRef = Arc::new(categories);
    let label = || ("label", number([0, 1, 0]));
    for (column, data_type) in
        [(durations, "Duration(s)"), (texts, "Utf8"), (categories, "Dictionary(Int8, Int64)")]
    {
        let columns = [("a", column.clone()), ("b", number([8, 7, 9])), label()];
        folder.write_parquet("a.parquet", &columns, Compression::SNAPPY);
        let question =
            format!("a.parquet: column \"a\" has the type {data_type}, but a record has numbers");
        assert_eq!(
            folder.refused(&["a.parquet", "-o", "x.idx"]),
            format!("{question}: `--skip a` to leave it out")
        );
        assert_eq!(
            folder.refused(&["a.parquet", "--skip", "none", "-o", "x.idx"]),
            format!("{question}: `--skip none,a` to leave it out")
        );
        folder.convert(&["a.parquet", "--skip", "a", "-f", "-o", "a.idx"]);
        assert_eq!(folder.read("a.idx"), file(8, &[3], &[8, 7, 9]));
        // There are no other columns.
        folder.write_parquet("b.parquet", &[("a", column), label()], Compression::SNAPPY);
        let message = folder.refused(&["b.parquet", "-o", "x.idx"]);
        let expected =
            format!("b.parquet: column \"a\" has the type {data_type}, but a record has numbers");
        assert!(message.starts_with(&expected), "{message}");
    }
}

/// `true` is 1, as in NumPy.
#[test]
fn truth_values_are_numbers() {
    let folder = Folder::new(&[]);
    let values = |values: [bool; 3]| Arc::new(BooleanArray::from(values.to_vec())) as ArrayRef;
    let columns = [
        ("is_spam", values([true, false, true])),
        ("a", Arc::new(UInt8Array::from(vec![7, 5, 9])) as ArrayRef),
        ("b", values([false, false, true])),
    ];
    folder.write_parquet("a.parquet", &columns, Compression::SNAPPY);
    folder.convert(&["a.parquet", "--label-column", "is_spam", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[3, 2], &[7, 0, 5, 0, 9, 1]));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &[1, 0, 1]));
}

/// Tables of pandas have columns of several types.
#[test]
fn numbers_of_several_types_are_read_as_f64() {
    let folder = Folder::new(&[]);
    let large = |first: i64| Arc::new(Int64Array::from(vec![first, -3])) as ArrayRef;
    let halves: ArrayRef = Arc::new(Float32Array::from(vec![0.5, 1.25]));
    let columns = [("a", large(1 << 40)), ("b", halves.clone())];
    folder.write_parquet("a.parquet", &columns, Compression::SNAPPY);
    folder.convert(&["a.parquet", "-o", "a.idx"]);
    let numbers = [(1_u64 << 40) as f64, 0.5, -3.0, 1.25].map(f64::to_be_bytes);
    assert_eq!(folder.read("a.idx"), file(14, &[2, 2], numbers.as_flattened()));
    let columns = [("a", large((1 << 53) + 1)), ("b", halves)];
    folder.write_parquet("b.parquet", &columns, Compression::SNAPPY);
    let message = folder.refused(&["b.parquet", "-o", "a.idx", "--force"]);
    assert!(
        message.starts_with("b.parquet: record 0: 9007199254740993 does not fit f64"),
        "{message}"
    );
}
