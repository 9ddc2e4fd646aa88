//! What `idx rust` calls the record type and the `static` of a file.

use crate::common::Folder;
use idx_tests::file;

#[test]
fn names_come_from_that_of_the_file() {
    let folder = Folder::new(&[]);
    for (name, table, record) in [
        ("train-images-idx3-ubyte", "TRAIN_IMAGES", "TrainImage"),
        ("t10k-labels.idx1-ubyte", "T10K_LABELS", "T10kLabel"),
        (
            "data/Temperature 2024.idx",
            "TEMPERATURE_2024",
            "Temperature2024",
        ),
        ("class", "CLASS", "Class"),
        ("self", "SELF", "SelfRecord"),
        ("x1", "X1", "X1Record"),
        ("7", "RECORDS_7", "Records7"),
        ("idx", "RECORDS", "Record"),
        ("\u{30C7}\u{30FC}\u{30BF}", "RECORDS", "Record"),
    ] {
        folder.write(name, &file(0x08, &[1, 1], &[7]));
        let source = folder.run(&["rust", name]).success();
        assert!(
            source.contains(&format!("pub struct {record}(")),
            "{source}"
        );
        let table = format!("pub static {table}: idx_core::Records<{record}> =");
        assert!(source.contains(&table), "{source}");
    }
}
