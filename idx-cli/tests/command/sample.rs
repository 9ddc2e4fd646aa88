//! The built-in sample, which the command shows without arguments.

use std::fs;
use std::path::Path;

use idx_tests::file;

use crate::common::Folder;

#[path = "../../sample/draw.rs"]
mod draw;

#[test]
fn the_sample_is_what_the_code_draws() {
    let (images, labels): (Vec<_>, Vec<_>) =
        draw::sample().into_iter().map(|sample| (sample.image, sample.label)).unzip();
    assert_eq!(images.len(), draw::COUNT);
    let count = u32::try_from(draw::COUNT).unwrap();
    let pixels = images.as_flattened().as_flattened();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    let committed = |name| fs::read(sample.join(name)).unwrap();
    let images = file(0x08, &[count, 28, 28], pixels);
    assert!(committed("digits-images-idx3-ubyte") == images, "run the example `sample`");
    assert_eq!(committed("digits-labels-idx1-ubyte"), file(0x08, &[count], &labels));
}

#[test]
fn alone_it_shows_the_sample() {
    let folder = Folder::new(&[]);
    let alone = folder.run(&[]).success();
    for digit in 0..10 {
        assert!(alone.contains(&format!("{digit}: label {digit}")));
    }
    assert!(alone.ends_with("This is the built-in sample; for the rest see `idx -h`.\n"));
    let shown = folder.run(&["show"]).success();
    assert!(alone.starts_with(&shown));
    assert!(shown.lines().all(|line| line.len() <= 80), "a pipe has 80 columns");
    let last = folder.run(&["show", "--records", "199"]).success();
    assert!(last.starts_with("199: label "));
}

/// Failed before: the options were ignored.
#[test]
fn the_sample_takes_the_options_of_a_file() {
    let folder = Folder::new(&[]);
    let flat = folder.run(&["show", "--shape", "784", "-n", "1"]).success();
    assert!(!flat.contains('@') && flat.contains(" 24 61 162 "), "{flat}");
    let (_, message) = folder.run(&["show", "--record-limit", "1"]).failure();
    assert!(message.contains("limit"), "{message}");
    let unlabeled = folder.run(&["show", "--no-labels", "-n", "1"]).success();
    assert!(!unlabeled.contains("label"), "{unlabeled}");
    let refused = folder.run(&["show", "--header"]);
    assert!(refused.messages.contains("--header has no effect"), "{}", refused.messages);
}
