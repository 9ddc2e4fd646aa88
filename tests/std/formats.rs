//! The formats that `idx_std::formats` knows, by the names of files.

use std::path::Path;

use idx_std::formats::Format;

#[test]
fn names_tell_the_format() {
    let table = [
        ("a.idx", Some(Format::Idx)),
        ("a.IDX", Some(Format::Idx)),
        ("train-images-idx3-ubyte", Some(Format::Idx)),
        ("train-images.idx3-ubyte", Some(Format::Idx)),
        ("labels-idx1-int", Some(Format::Idx)),
        ("train-images-idx3-ubyte.gz", Some(Format::IdxGz)),
        ("a.gz", Some(Format::IdxGz)),
        ("a.npy", Some(Format::Npy)),
        ("folder/a.csv", Some(Format::Csv)),
        ("a.parquet", Some(Format::Parquet)),
        ("a.csv/", Some(Format::Png)),
        (".", Some(Format::Png)),
        ("a.npy.gz", None),
        ("a.csv.gz", None),
        ("a.parquet.gz", None),
        ("idx-idx", None),
        ("idx3", None),
        ("a", None),
        ("-", None),
    ];
    for (name, format) in table {
        assert_eq!(Format::from_path(Path::new(name)), format, "{name}");
    }
    for format in Format::ALL {
        assert_eq!(Format::from_name(&format.to_string()), Some(format));
    }
}
