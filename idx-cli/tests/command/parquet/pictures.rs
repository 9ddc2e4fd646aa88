//! Parquet with encoded pictures, as on Hugging Face.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Int16Array, StructArray};
use idx_tests::file;
use parquet::basic::Compression;

use crate::common::Folder;
use crate::parquet::{picture, pictures};

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
    // A folder of shards, some of the records, and another size.
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

/// Programs that do not use `datasets` write pictures like this.
#[test]
fn the_bytes_of_pictures_are_a_column() {
    let folder = Folder::new(&[]);
    let files = [[0, 1, 2, 3], [4, 5, 6, 255]].map(|pixels| picture(2, &pixels));
    let images = || Arc::new(BinaryArray::from_iter_values(&files)) as ArrayRef;
    let labels: ArrayRef = Arc::new(Int16Array::from(vec![300, 2]));
    let columns = [("image", images()), ("label", labels.clone())];
    folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
    folder.convert(&["a.parquet", "-o", "i.idx"]);
    assert_eq!(folder.read("i.idx"), file(8, &[2, 2, 2], &[0, 1, 2, 3, 4, 5, 6, 255]));
    assert_eq!(folder.read("i-labels.idx"), file(0x0B, &[2], &[1, 44, 0, 2]));
    // Other bytes are not a picture.
    let thumbnails = Arc::new(BinaryArray::from_iter_values([[7, 7], [8, 8]])) as ArrayRef;
    let columns = [("image", images()), ("hash", thumbnails), ("label", labels)];
    folder.write_parquet("b.parquet", &columns, Compression::UNCOMPRESSED);
    folder.convert(&["b.parquet", "-o", "j.idx"]);
    assert_eq!(folder.read("j.idx"), folder.read("i.idx"));
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

/// Failed before: the pictures were silently converted without labels.
#[test]
fn labels_under_another_name_are_asked_for() {
    let folder = Folder::new(&[]);
    let fine: ArrayRef = Arc::new(Int16Array::from(vec![9, 2]));
    let coarse: ArrayRef = Arc::new(Int16Array::from(vec![1, 0]));
    let images = pictures(&[[0, 1, 2, 3], [4, 5, 6, 255]]);
    let columns = [("img", images), ("fine_label", fine), ("coarse_label", coarse)];
    folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
    let sentence = "a.parquet: `fine_label` or `coarse_label` may be the label: `--label-column fine_label` if `fine_label` is \
                    the label, or `--label-column coarse_label` if `coarse_label` is the label, or `--no-labels` if there is \
                    none";
    assert_eq!(folder.refused(&["a.parquet", "-o", "i.idx"]), sentence);
    assert_eq!(folder.run(&["info", "a.parquet"]).failure().1, sentence);
    folder.convert(&["a.parquet", "--label-column", "fine_label", "-o", "i.idx"]);
    assert_eq!(folder.read("i-labels.idx"), file(0x0B, &[2], &[0, 9, 0, 2]));
    folder.convert(&["a.parquet", "--no-labels", "-o", "alone.idx"]);
    folder.convert(&["a.parquet", "--column", "img", "-o", "chosen.idx"]);
    assert_eq!(folder.read("alone.idx"), folder.read("chosen.idx"));
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

#[test]
fn files_of_pictures_that_cannot_be_read() {
    let (good, other) = (picture(3, &[0; 6]), picture(2, &[9; 4]));
    let none = "record 1: the record has no picture file; remove it, or write it again";
    for (second, message) in [
        (None, none),
        (
            Some(&b"<html>"[..]),
            "record 1: the content is a web page, not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; save it as one",
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
        let skip = match message == none || message.contains('`') {
            true => "",
            false => ", or leave it out with `--skip-bad`",
        };
        assert_eq!(folder.refused(&arguments), format!("a.parquet: {message}{skip}"));
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
    let html = "the content is a web page, not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; save it as one";
    folder.write_pictures("a.parquet", &[Some(b"<html>")], &[0]);
    assert_eq!(
        folder.refused(&["a.parquet", "-o", "i.idx"]),
        format!("a.parquet: record 0: {html}")
    );
    // A skipped picture's label in another file is skipped, too.
    let bytes: [&[u8]; 3] = [&good, b"<html>", &good];
    let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(bytes.to_vec()));
    let image = Arc::new(StructArray::try_from(vec![("bytes", bytes)]).unwrap());
    folder.write_parquet("c.parquet", &[("image", image)], Compression::UNCOMPRESSED);
    folder.write("l.idx", &file(8, &[3], &[7, 8, 9]));
    folder.run(&["convert", "c.parquet", "-l", "l.idx", "--skip-bad", "-o", "c.idx"]);
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[7, 9]));
    // Pictures of any sizes get the same size.
    folder.write_pictures("b.parquet", &[Some(&good), Some(&other)], &[0, 1]);
    folder.run(&["convert", "b.parquet", "-o", "i.idx", "--size", "1x1"]);
    assert_eq!(folder.read("i.idx"), file(8, &[2, 1, 1], &[0, 9]));
}
