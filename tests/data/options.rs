//! Options, and which of them have no effect.

use std::path::PathBuf;

use idx_data::{
    Color, Column, ColumnLayout, CreateOptions, ErrorKind, Fit, OpenOptions, Outputs,
    PictureOptions, Reading, ReadingOption, open,
};
use idx_std::ElementType;
use tempfile::TempDir;

fn idx(folder: &TempDir, shape: &[usize]) -> PathBuf {
    let path = folder.path().join("a.idx");
    let size = shape.iter().product();
    idx_std::save(&path, shape, &vec![1_u8; size]).unwrap();
    path
}

/// Every option but limits and threads, with another value than the default.
fn all() -> OpenOptions {
    let pictures = PictureOptions::new()
        .skip_bad(true)
        .background(3)
        .color(Color::Gray)
        .size([4, 4])
        .fit(Fit::Fill)
        .invert(true)
        .threshold(9);
    OpenOptions::new()
        .element_type(ElementType::F32)
        .header(true)
        .labels(false)
        .label_column("label")
        .shape([2, 2])
        .column("x")
        .pictures(pictures)
        .record_limit(1 << 20)
        .threads(4)
}

#[test]
fn options_without_effect_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = idx(&folder, &[3, 4]);
    let plain = open(&path).unwrap();
    assert_eq!(OpenOptions::new().unused(plain.reading()), [""; 0]);

    let options = OpenOptions::new().shape([2, 2]).header(true).threads(2).record_limit(100);
    let source = options.open(&path).unwrap();
    assert_eq!(options.unused(source.reading()), ["header"]);

    // Options within options are reported, too; one of these has no effect without another.
    let pictures = PictureOptions::new().invert(true).skip_bad(true).background(3);
    let options = OpenOptions::new().shape([2, 2]).pictures(pictures.clone());
    let source = options.open(&path).unwrap();
    assert_eq!(options.unused(source.reading()), ["background"]);
    let options = options.pictures(pictures.fit(Fit::Contain).size([3, 2]));
    let source = options.open(&path).unwrap();
    assert_eq!(options.unused(source.reading()), [""; 0]);
}

/// Covers, for each format, the options that it takes.
#[test]
fn options_with_effect_are_not_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    idx(&folder, &[3, 4]);
    std::fs::write(at("raw"), [1; 12]).unwrap();
    std::fs::write(at("a.csv"), "a,b,c\n1,2,3\n4,5,6\n").unwrap();
    let new = OpenOptions::new;
    let csv = new().header(true).element_type(ElementType::F32);
    for (name, options) in [
        ("a.idx", new().column(1)),
        ("a.idx", new().shape([2, 2])),
        ("raw", new().raw(ElementType::U8).shape([2, 2])),
        ("a.csv", csv.clone().label_column("a").shape([2, 1])),
        ("a.csv", csv.column("b")),
        ("a.parquet", new().label_column("label")),
        ("a.parquet", new().as_labels().label_column("label")),
        ("a.parquet", new().column(1)),
    ] {
        if name == "a.parquet" {
            let table = new().label_column("a").open(at("a.csv")).unwrap();
            if let Err(error) = table.write(at(name)) {
                assert_eq!(error.kind().code(), "disabled", "{error}");
                continue;
            }
        }
        let source = options.open(at(name)).unwrap();
        assert_eq!(options.unused(source.reading()), [""; 0], "{name} {options:?}");
    }
}

#[test]
fn a_shape_that_scrambles_pictures_is_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let open = |pictures: &[usize], shape: &[u32]| {
        let path = idx(&folder, &[&[1], pictures].concat());
        OpenOptions::new().shape(shape).open(path)
    };
    for (pictures, shape, axes) in [
        (&[2, 2, 3][..], &[3, 2, 2][..], [2, 0, 1]),
        // A size of 1 may be anywhere.
        (&[2, 3, 1], &[3, 2], [1, 0, 2]),
    ] {
        let error = open(pictures, shape).map(drop).unwrap_err();
        let ErrorKind::Question { answers, .. } = error.kind() else { panic!("{error}") };
        let axes = ReadingOption::Transpose(axes.to_vec());
        assert_eq!(answers.first().map(|answer| &answer.option), Some(&axes));
    }
    // Sizes that are equal already, and sizes that no transposition makes equal.
    for (pictures, shape) in [
        (&[2, 2, 3][..], &[2, 2, 3][..]),
        (&[2, 2, 3], &[12, 1, 1]),
        (&[2, 2, 3], &[4, 3]),
        (&[2, 2, 3], &[3, 4, 1]),
        (&[4, 6], &[3, 8]),
    ] {
        open(pictures, shape).unwrap();
    }
}

/// A service keeps one value for all of its jobs.
#[test]
fn an_options_value_knows_nothing_of_its_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();

    let options = OpenOptions::new().header(true);
    let of_table = options.open(&table).unwrap();
    let of_file = options.open(idx(&folder, &[1, 2])).unwrap();
    assert_eq!(options.unused(of_table.reading()), [""; 0]);
    assert_eq!(options.unused(of_file.reading()), ["header"]);
    // An option has an effect if one of several inputs takes it.
    assert_eq!(options.unused(of_file.append(of_table).unwrap().reading()), [""; 0]);
    assert_eq!(options, OpenOptions::new().header(true));
}

#[test]
fn every_option_can_be_told() {
    let options = all();
    assert_eq!(
        options.unused(&Reading::default()),
        [
            "element_type",
            "header",
            "shape",
            "label_column",
            "column",
            "skip_bad",
            "background",
            "color",
            "size",
            "fit",
            "invert",
            "threshold"
        ]
    );
    assert_eq!(options, all());
    assert_ne!(options, OpenOptions::new());
    assert!(format!("{options:?}").contains("shape: Some([2, 2])"));
}

#[test]
fn a_column_of_labels_has_no_effect_where_there_are_no_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = idx(&folder, &[3, 2]);
    let options = OpenOptions::new().label_column(1);
    let records = options.open(&path).unwrap();
    assert_eq!(options.unused(records.reading()), ["label_column"]);
    // If they are the labels of others, these records have columns.
    let labeled = open(&path).unwrap().with_labels(records).unwrap();
    assert_eq!(options.unused(labeled.reading()), [""; 0]);
}

#[test]
fn an_option_about_records_has_no_effect_by_their_labels() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("labels.csv");
    std::fs::write(&table, "label\n1\n2\n0\n").unwrap();
    let labels = OpenOptions::new().as_labels().header(true).open(&table).unwrap();

    let options = OpenOptions::new().header(true).element_type(ElementType::F32);
    let records = options.open(idx(&folder, &[3, 2])).unwrap();
    let labeled = records.with_labels(labels).unwrap();
    assert_eq!(options.unused(labeled.reading()), ["element_type"]);
}

#[test]
fn columns_are_what_people_write() {
    assert_eq!(OpenOptions::new().column("x"), OpenOptions::new().column(Column::Name("x".into())));
    assert_eq!(OpenOptions::new().column(0), OpenOptions::new().column(Column::Index(0)));
    let name = String::from("x");
    assert_eq!(OpenOptions::new().column(name), OpenOptions::new().column("x"));
    let sizes = [2, 2];
    assert_eq!(OpenOptions::new().shape(sizes), OpenOptions::new().shape(sizes.to_vec()));
}

#[test]
fn options_of_outputs_are_told_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let records = open(idx(&folder, &[3, 2])).unwrap();
    let options = CreateOptions::new()
        .label_type(ElementType::I32)
        .layout(ColumnLayout::Binary)
        .create_new(true);
    let mut outputs = Outputs::new(&options);
    outputs.add(records, folder.path().join("b.npy")).unwrap();
    assert_eq!(outputs.unused(), ["label_type", "layout"]);
}
