//! Options that know what was asked of them.

use std::path::PathBuf;

use idx_data::{
    Color, Column, ColumnLayout, CreateOptions, Fit, OpenOptions, Outputs, PictureOptions, open,
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
        .skip_damaged(true)
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
fn options_that_nothing_took_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = idx(&folder, &[3, 4]);
    assert_eq!(OpenOptions::new().unread(), [""; 0]);

    let options = OpenOptions::new().shape([2, 2]).header(true).threads(2).record_limit(100);
    options.open(&path).unwrap();
    assert_eq!(options.unread(), ["header"]);

    // Options within options, too; and one of them has no effect without another.
    let pictures = PictureOptions::new().invert(true).skip_damaged(true).background(3);
    let options = OpenOptions::new().shape([2, 2]).pictures(pictures);
    options.open(&path).unwrap();
    assert_eq!(options.unread(), ["background"]);
}

#[test]
fn an_option_has_its_effect_if_one_of_several_inputs_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.csv");
    std::fs::write(&table, "a,b\n1,2\n").unwrap();

    let options = OpenOptions::new().header(true);
    let copy = options.clone();
    copy.open(idx(&folder, &[1, 2])).unwrap();
    assert_eq!(options.unread(), ["header"]);
    copy.open(&table).unwrap();
    assert_eq!(options.unread(), [""; 0]);
    // Another value is another option.
    assert_eq!(options.header(false).unread(), ["header"]);
}

#[test]
fn comparing_copying_and_printing_read_nothing() {
    let options = all();
    let given = options.unread();
    assert_eq!(
        given,
        [
            "element_type",
            "header",
            "labels",
            "shape",
            "label_column",
            "column",
            "skip_damaged",
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
    assert_eq!(options.clone().unread(), given);
    assert_eq!(options.unread(), given);
}

#[test]
fn a_column_of_labels_has_no_effect_where_there_are_no_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = idx(&folder, &[3, 2]);
    let options = OpenOptions::new().label_column(1);
    let records = options.open(&path).unwrap();
    assert_eq!(options.unread(), ["label_column"]);
    // As labels of others, these records have columns.
    open(&path).unwrap().with_labels(records).unwrap();
    assert_eq!(options.unread(), [""; 0]);
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
    Outputs::new(&options).add(records, folder.path().join("b.npy")).unwrap();
    assert_eq!(options.unread(), ["label_type", "layout"]);
}
