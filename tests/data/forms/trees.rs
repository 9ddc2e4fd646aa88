//! Trees: folders of pictures, and archives of NumPy.

use std::io::Cursor;

use fastrand::Rng;
use idx_tests::npy;
use image::{GrayImage, ImageFormat};

use super::{Form, Pair, Parts, one};
use crate::sets::opened::npz;

const CLASSES: [&[&str]; 4] =
    [&["cat", "dog", "eel"], &["0", "1", "10"], &["A", "7", "b"], &["sea", "Land"]];

/// The names of the parts on the disk, and their names when they are read.
const PARTS: [&[(&str, &str)]; 6] = [
    &[("", "")],
    &[("", "")],
    &[("train", "train"), ("test", "test")],
    &[("train", "train"), ("val", "val"), ("test", "test")],
    &[("Training", "train"), ("Testing", "test")],
    &[("train", "train"), ("valid", "val")],
];

/// A picture of one row.
pub(super) fn picture(pixels: &[String]) -> Vec<u8> {
    let pixels: Vec<u8> = pixels.iter().map(|pixel| pixel.parse().unwrap()).collect();
    let picture = GrayImage::from_vec(pixels.len() as u32, 1, pixels).unwrap();
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

/// Sorts pairs, as [`Form`] compares those without an order.
pub(super) fn sorted(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort();
    pairs
}

/// Pictures in the folders of their classes, with and without parts, and what lies next to them.
pub(super) fn folders(random: &mut Rng) -> Form {
    let (classes, names) = (one(random, &CLASSES), one(random, &PARTS));
    let has_parts = names.len() > 1;
    let layout = random.u8(..6);
    let place = |part: &str, class: &str, index: usize| match (has_parts, layout) {
        (true, 0) => format!("s/seg_{part}/seg_{part}/{class}/{index}.png"),
        (true, 1) => format!("s/{class}/{part}/{index}.png"),
        (true, 2) => format!("s/archive/{part}/{class}/{index}.png"),
        (true, _) => format!("s/{part}/{class}/{index}.png"),
        (false, 0) => format!("s/archive/{class}/{index}.png"),
        (false, 1) => format!("s/{class}/images/{index}.png"),
        (false, 2) => format!("s/{class}_{index}.png"),
        (false, _) => format!("s/{class}/{index}.png"),
    };
    let is_flat = !has_parts && layout == 2;
    let (mut files, mut parts) = (Vec::new(), Parts::new());
    for (folder, part) in names {
        let lacking = random.usize(..4);
        let mut pairs = Vec::new();
        for (number, class) in classes.iter().enumerate() {
            let may_lack = has_parts && *part != "train" && layout != 1;
            let count = if may_lack && number == lacking { 0 } else { random.usize(1..4) };
            for index in 0..count {
                let pixels = vec![random.u8(..).to_string(), random.u8(..).to_string()];
                files.push((place(folder, class, index), picture(&pixels)));
                pairs.push((pixels, Some((*class).to_string())));
            }
        }
        parts.insert((*part).to_string(), sorted(pairs));
    }
    for beside in ["s/README.md", "s/.DS_Store", "s/__MACOSX/._1.png", "s/LICENSE"] {
        if random.u8(..8) == 0 {
            files.push((beside.to_string(), b"no record".to_vec()));
        }
    }
    // Labels in the names of files are an option; numbers in them may be anything.
    let labels_in_names = is_flat.then_some("{}_*").filter(|_| random.bool());
    let unlabeled = |pairs: &Vec<Pair>| {
        sorted(pairs.iter().map(|(pixels, _)| (pixels.clone(), None)).collect())
    };
    let plain = match is_flat && labels_in_names.is_none() {
        true => {
            vec![parts.iter().map(|(part, pairs)| (part.clone(), unlabeled(pairs))).collect()]
        }
        false => Vec::new(),
    };
    Form { files, inputs: vec!["s"], labels_in_names, parts, plain, is_in_order: false }
}

/// Arrays of records and labels, by the names that programs give them.
pub(super) fn archive(random: &mut Rng) -> Form {
    let names: &[[&str; 3]] = one(
        random,
        &[
            &[["", "x", "y"]][..],
            &[["", "X", "y"]],
            &[["", "images", "labels"]],
            &[["", "data", "target"]],
            &[["train", "x_train", "y_train"], ["test", "x_test", "y_test"]],
            &[
                ["train", "X_train", "y_train"],
                ["test", "X_test", "y_test"],
                ["val", "X_val", "y_val"],
            ],
            &[["train", "train_images", "train_labels"], ["test", "test_images", "test_labels"]],
        ],
    );
    let (mut arrays, mut parts) = (Vec::new(), Parts::new());
    for [part, records, labels] in names {
        let count = random.u8(1..9);
        let pairs: Vec<(Vec<u8>, u8)> =
            (0..count).map(|_| (vec![random.u8(..), random.u8(..)], random.u8(..10))).collect();
        let pixels: Vec<u8> = pairs.iter().flat_map(|(pixels, _)| pixels.clone()).collect();
        arrays.push((*records, npy("|u1", false, &[count.into(), 2], &pixels)));
        let numbers: Vec<u8> = pairs.iter().map(|(_, label)| *label).collect();
        let shape = if random.bool() { vec![count.into()] } else { vec![count.into(), 1] };
        arrays.push((*labels, npy("|u1", false, &shape, &numbers)));
        let text = |(pixels, label): &(Vec<u8>, u8)| {
            (pixels.iter().map(u8::to_string).collect(), Some(label.to_string()))
        };
        parts.insert((*part).to_string(), pairs.iter().map(text).collect());
    }
    random.shuffle(&mut arrays);
    Form {
        files: vec![("s.npz".to_string(), npz(&arrays))],
        inputs: vec!["s.npz"],
        labels_in_names: None,
        parts,
        plain: Vec::new(),
        is_in_order: true,
    }
}
