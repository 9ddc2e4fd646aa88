//! Classes that get other labels.

use std::fs;

use idx_data::{ClassNames, ElementType, OpenOptions, Relabeling, Source, TransformOptions, open};

use crate::common::{folder, labels, numbers, opened};

fn named(names: &[&str]) -> Source {
    numbers().1.with_classes(ClassNames::new(names.iter().copied()).unwrap())
}

fn names_of(source: &Source) -> Vec<(i128, String)> {
    let names = source.facts().classes.as_ref().unwrap();
    names.iter().map(|(label, name)| (label, name.to_string())).collect()
}

#[test]
fn labels_become_others_all_at_once() {
    for (text, expected) in [
        ("1=0", [0, 0, 2]),
        ("0=1,1=0", [1, 0, 2]),
        ("0..2=5..7", [5, 6, 7]),
        ("0..1=9", [9, 9, 2]),
        (" 0 = 4 , 2=-1", [4, 1, -1]),
        // Of a range, not every label has to occur.
        ("1..26=0..25", [0, 0, 1]),
        ("2=1000", [0, 1, 1000]),
    ] {
        let relabeled = numbers().1.relabel(text).unwrap();
        assert_eq!(relabeled.facts().count, Some(12), "{text}");
        assert_eq!(labels(relabeled)[..3], expected, "{text}");
    }
    assert_eq!(labels(numbers().1.relabel([(2, 0), (0, 1)]).unwrap())[..3], [1, 1, 0]);
    // What is chosen before decides what is there.
    assert_eq!(labels(numbers().1.only(2).unwrap().relabel("2=0").unwrap()), [0; 4]);
    assert_eq!(labels(numbers().1.relabel("2=0").unwrap().only(0).unwrap()), [0; 8]);
    let widened = |text| numbers().1.relabel(text).unwrap().facts().label_type;
    assert_eq!(widened("2=255"), Some(ElementType::U8));
    assert_eq!(widened("2=256"), Some(ElementType::I16));
    assert_eq!(widened("0..2=-1..1"), Some(ElementType::I16));
    assert_eq!(widened("0..2=32766..32768"), Some(ElementType::I32));
}

#[test]
fn names_move_along_and_merge() {
    let merged = named(&["cat", "dog", "owl"]).relabel("cat=animal,dog=animal").unwrap();
    assert_eq!(names_of(&merged), [(0, "animal".into()), (2, "owl".into())]);
    assert_eq!(labels(merged)[..3], [0, 0, 2]);
    let other = named(&["cat", "dog", "owl"]).relabel([("dog", "cat")]).unwrap();
    assert_eq!(names_of(&other), [(0, "cat".into()), (2, "owl".into())]);
    assert_eq!(labels(other)[..3], [0, 0, 2]);
    let moved = named(&["cat", "dog", "owl"]).relabel("0..2=1..3").unwrap();
    assert_eq!(names_of(&moved), [(1, "cat".into()), (2, "dog".into()), (3, "owl".into())]);
    // A class that stays keeps its name.
    let into = named(&["cat", "dog", "owl"]).relabel("2=0").unwrap();
    assert_eq!(names_of(&into), [(0, "cat".into()), (1, "dog".into())]);
    let renamed = named(&["cat", "dog", "owl"]).relabel("owl=bird").unwrap();
    assert_eq!(names_of(&renamed)[2], (2, "bird".into()));
    // A name of the list need not occur: it may occur in another part.
    assert!(
        named(&["cat", "dog", "owl", "cow"])
            .relabel("cow=ox")
            .unwrap()
            .records()
            .all(|r| r.is_ok())
    );
}

/// Words are numbered again, in the order of their bytes.
#[test]
fn words_have_no_gaps_between_their_numbers() {
    let csv = b"label,a,b\ncat,1,1\ndog,2,2\nowl,3,3\n";
    let folder = folder(&[("a.csv", csv)]);
    let animals = |text| opened(&folder, "a.csv").relabel(text).unwrap();
    let merged = animals("cat=mammal,dog=mammal");
    assert_eq!(names_of(&merged), [(0, "mammal".into()), (1, "owl".into())]);
    assert_eq!(labels(merged), [0, 0, 1]);
    let last = animals("cat=zebra");
    assert_eq!(names_of(&last), [(0, "dog".into()), (1, "owl".into()), (2, "zebra".into())]);
    assert_eq!(labels(last), [2, 0, 1]);
    // Numbers are those that were asked for.
    assert_eq!(labels(animals("cat=7")), [7, 1, 2]);
    let path = folder.path().join("b.csv");
    animals("cat=zebra").write(&path).unwrap();
    assert_eq!(labels(open(&path).unwrap()), [2, 0, 1], "{}", fs::read_to_string(&path).unwrap());
}

#[test]
fn what_cannot_be_relabeled() {
    for text in
        ["", "1", "1=", "=1", "1..3", "1..26=0..26", "3..1=0", "3..1=2..0", "1=2..3", "1=0,"]
    {
        assert_eq!(text.parse::<Relabeling>().unwrap_err().kind().code(), "malformed", "{text}");
    }
    let refused = |source: Source, text: &str| {
        let error = source
            .relabel(text)
            .and_then(|source| source.into_iter().find_map(Result::err).map_or(Ok(()), Err));
        let error = error.unwrap_err();
        assert_eq!(error.kind().code(), "mismatch", "{error}");
        error.sentence()
    };
    let found = refused(numbers().1, "7=0");
    assert_eq!(
        found,
        "the label 7 does not occur in the 12 records; labels that occur are 0, 1, 2"
    );
    assert!(refused(numbers().1, "7..9=0..2").contains("the label 7 does not occur"));
    assert!(refused(numbers().1, "1=0,1=2").contains("the label 1 gets two new labels"));
    assert!(refused(numbers().1, "0..2=4,1=2").contains("the label 1 gets two new labels"));
    assert!(refused(numbers().1, "cat=0").contains("`cat` is not the label or name of a class"));
    assert!(refused(numbers().1, "0=cat").contains("`cat` is not the label or name of a class"));
    let animals = || named(&["cat", "dog", "owl"]);
    assert!(refused(animals(), "cow=cat").contains("`cow` is not the label or name of a class"));
    assert!(refused(animals(), "0..1=9").contains("the classes `cat` and `dog` become 9"));
    let (folder, _) = numbers();
    assert!(refused(opened(&folder, "a"), "1=0").contains("these records have no labels"));
}

/// A class that was left out does not give its name to another one that gets its label.
#[test]
fn names_of_classes_that_were_left_out_do_not_stay() {
    let animals = || named(&["cat", "dog", "owl"]);
    let first = |source: Source| {
        let source = source.relabel("1..2=0..1").unwrap();
        source.facts().classes.as_ref().and_then(|names| names.name(0)).map(str::to_string)
    };
    assert_eq!(first(animals()).as_deref(), Some("cat"));
    assert_eq!(first(animals().except(0).unwrap()).as_deref(), Some("dog"));
    assert_eq!(first(animals().only(["dog", "owl"]).unwrap()).as_deref(), Some("dog"));
    // Steps between change nothing about it, unless they change the labels.
    let some = || animals().except(0).unwrap();
    assert_eq!(first(some().select(1..).unwrap()).as_deref(), Some("dog"));
    assert_eq!(first(some().shuffled(1).unwrap()).as_deref(), Some("dog"));
    let changes = TransformOptions::new().element_type(ElementType::I16);
    assert_eq!(first(some().changed(&changes).unwrap()).as_deref(), Some("dog"));
    assert_eq!(first(some().map_labels(|label| label)).as_deref(), Some("cat"));
    let joined = animals().except(0).unwrap().append(animals()).unwrap();
    assert_eq!(first(joined).as_deref(), Some("cat"));
}

/// If the labels that are left have no names, they get other labels as numbers do.
#[test]
fn all_classes_with_names_may_be_left_out() {
    let (folder, source) = numbers();
    drop(source);
    fs::write(folder.path().join("l-classes.txt"), "cat\n").unwrap();
    fs::rename(folder.path().join("l"), folder.path().join("l-labels-idx1-ubyte")).unwrap();
    let records = opened(&folder, "a");
    let labels_of = OpenOptions::new();
    let animals = labels_of.label(records, folder.path().join("l-labels-idx1-ubyte")).unwrap();
    let others = animals.except("cat").unwrap().relabel("1=0").unwrap();
    assert_eq!(others.facts().classes, None);
    assert_eq!(labels(others)[..3], [0, 2, 0]);
}
