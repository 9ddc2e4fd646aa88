//! Code that people write before they read the documentation must compile.

use std::fs;

use idx_data::{
    Chance, CreateOptions, Error, Facts, Labeled, OpenOptions, Outputs, Record, RecordLayout,
    RecordSource, Source, open,
};
use idx_std::ElementType;

use crate::common::{folder, labels, numbers, read};

/// Zeros.
struct Mine {
    facts: Facts,
    left: usize,
}

impl RecordSource for Mine {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        record.bytes = vec![0];
        let is_there = self.left > 0;
        self.left = self.left.saturating_sub(1);
        Ok(is_there)
    }
}

#[test]
fn values_as_people_write_them() {
    let folder = folder(&[("a.csv", b"label,a,b\n7,1,2\n3,4,5\n")]);
    let path = folder.path().join("a.csv");
    let options = OpenOptions::new().label_column("label").shape([2, 1]).header(true).threads(4);
    let source = options.open(&path).unwrap();
    assert_eq!(source.facts().layout.to_string(), "2 x 1 u8");
    let count: usize = 1;
    assert_eq!(labels(source.select(0..count).unwrap()), [7]);
    assert_eq!(labels(open(&path).unwrap().select(1).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().only([3, 7]).unwrap()), [7, 3]);
    assert_eq!(labels(open(&path).unwrap().only(["3"]).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().only(3).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().only(3_usize).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().only([3_usize]).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().only([7_u32, 3]).unwrap()), [7, 3]);
    assert_eq!(labels(open(&path).unwrap().only(3..4_u16).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().except("3").unwrap()), [7]);
    assert_eq!(labels(open(&path).unwrap().only(7..=7).unwrap()), [7]);
    assert_eq!(labels(open(&path).unwrap().select("1..").unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().select([1]).unwrap()), [3]);
    assert_eq!(labels(open(&path).unwrap().select(vec![1_usize, 0]).unwrap()), [7, 3]);
    assert!(labels(open(&path).unwrap().select(Vec::<u64>::new()).unwrap()).is_empty());
    let error = open(&path).unwrap().select([1, 0, 1]).unwrap_err();
    assert!(error.to_string().ends_with("name it once"), "{error}");
    let error = numbers().1.select([0, 12]).unwrap_err();
    assert_eq!(error.kind().code(), "beyond_last_record");
    let error = open(&path).unwrap().select("seven").unwrap_err();
    assert_eq!(error.kind().code(), "malformed");
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(read(&mut OpenOptions::new().column("a").open(&path).unwrap()), [1, 4]);
}

#[test]
fn one_word_means_the_same_everywhere() {
    let (folder, source) = numbers();
    let path = folder.path().join("b-images-idx3-ubyte");
    source.write(&path).unwrap();
    // `write` replaces, as `std::fs::write` does.
    numbers().1.write(&path).unwrap();
    assert!(numbers().1.write_with(&path, &CreateOptions::new().create_new(true)).is_err());
    let set: Labeled<[[u8; 1]; 1], u8> = numbers().1.collect().unwrap();
    // A source counts as it is read.
    let all = numbers().1.per_class(100_000).and_then(Source::collect::<[[u8; 1]; 1], u8>);
    assert!(all.is_err() && set.per_class(100_000).is_err());
    let chance = Chance { seed: Some(5), ..Chance::default() };
    let chosen = read(&mut numbers().1.choose(&chance).unwrap());
    assert_eq!(read(&mut numbers().1.shuffled(5).unwrap()), chosen);
    assert_eq!(chosen.len(), 12);
    assert_ne!(chosen, read(&mut numbers().1));
    let [mut most, mut rest] = numbers().1.split([0.5, 0.5], 1).unwrap();
    assert_eq!((read(&mut most).len(), read(&mut rest).len()), (6, 6));
    let [most, rest] = set.stratified().split([0.5, 0.5]).unwrap();
    assert_eq!((most.len(), rest.len()), (6, 6));
    let mut sum = 0;
    for ([[pixel]], label) in &set {
        sum += usize::from(pixel) + usize::from(label);
    }
    assert_eq!(sum, 66 + 12);
    let mut outputs = Outputs::new(&CreateOptions::new());
    outputs.add(numbers().1, folder.path().join("c.npy")).unwrap();
    outputs.write().unwrap();
    assert!(fs::exists(folder.path().join("c-labels.npy")).unwrap());
}

#[test]
fn a_source_of_ones_own() {
    let layout = RecordLayout::new(ElementType::U8, &[0]);
    let mine = Mine { facts: Facts::new(layout, None), left: 3 };
    assert_eq!(read(&mut Source::new("mine", mine)), [0, 0, 0]);
}
