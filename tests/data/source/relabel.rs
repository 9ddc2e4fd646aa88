//! Classes that are given other labels.

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
        // Not every label of a range has to occur.
        ("1..26=0..25", [0, 0, 1]),
        ("2=1000", [0, 1, 1000]),
    ] {
        let relabeled = numbers().1.relabel(text).unwrap();
        assert_eq!(relabeled.facts().count, Some(12), "{text}");
        assert_eq!(labels(relabeled)[..3], expected, "{text}");
    }
    assert_eq!(labels(numbers().1.relabel([(2, 0), (0, 1)]).unwrap())[..3], [1, 1, 0]);
    // An earlier choice decides which labels there are.
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

/// A label has the name that is given for it, that of its own class if it stays, or that of the only class that gets
/// it.
#[test]
fn each_label_has_the_name_of_its_class() {
    const NAMES: [&str; 3] = ["ape", "bee", "cat"];
    // A class stays (""), or gets a number or a name.
    let targets = ["", "0", "1", "2", "3", "ape", "bee", "cat", "new"];
    let model = |to: [&str; 3]| {
        let least = (0..).zip(to).find(|(_, to)| *to == "new").map_or(0, |(label, _)| label);
        let known = |to: &str| (0..).zip(NAMES).find(|(_, name)| *name == to);
        let label = |(old, to): (i128, &str)| match (to, known(to)) {
            ("", _) => old,
            ("new", _) => least,
            (to, None) => to.parse().unwrap(),
            (_, Some((label, _))) => label,
        };
        let labels: Vec<i128> = (0..).zip(to).map(label).collect();
        let mut names = Vec::new();
        for new in (0..4).filter(|new| labels.contains(new)) {
            let classes = || (0..).zip(NAMES).zip(&labels).filter(|(_, label)| **label == new);
            let mut given: Vec<&str> = (to.iter().zip(&labels))
                .filter(|(to, label)| **label == new && to.parse::<u8>().is_err() && !to.is_empty())
                .map(|(to, _)| *to)
                .collect();
            given.dedup();
            let stays = classes().find(|((old, _), _)| *old == new);
            let only = classes().next().filter(|_| classes().count() == 1);
            let name = match given[..] {
                [name] => name,
                [] => stays.or(only)?.0.1,
                _ => return None,
            };
            names.push((new, name.to_string()));
        }
        let mut distinct: Vec<&String> = names.iter().map(|(_, name)| name).collect();
        distinct.sort();
        distinct.dedup();
        (distinct.len() == names.len()).then_some((labels, names))
    };
    let (folder, _) = numbers();
    let labeled = || opened(&folder, "a").with_labels(opened(&folder, "l")).unwrap();
    let both = targets.iter().flat_map(|one| targets.iter().map(move |two| (*one, *two)));
    for (one, two, three) in both.flat_map(|(one, two)| targets.map(|three| (one, two, three))) {
        let to = [one, two, three];
        let rules = NAMES.iter().zip(to).filter(|(_, to)| !to.is_empty());
        let rules: Vec<String> = rules.map(|(from, to)| format!("{from}={to}")).collect();
        let text = rules.join(",");
        if text.is_empty() {
            continue;
        }
        let found = labeled().with_classes(ClassNames::new(NAMES).unwrap()).relabel(&*text);
        let found = found.map(|source| {
            let names = names_of(&source);
            (labels(source)[..3].to_vec(), names)
        });
        assert_eq!(found.as_ref().ok(), model(to).as_ref(), "{text}: {found:?}");
    }
}

#[test]
fn numbers_do_not_leave_names_behind() {
    let animals = || named(&["zebra", "ape", "cat", "bee"]);
    let names = |source: Source| {
        names_of(&source).into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ")
    };
    for (text, expected) in [
        ("1=0,2=1,3=2", Some("zebra cat bee")),
        ("0=3,1=0,2=1,3=2", Some("ape cat bee zebra")),
        ("0=3,3=0", Some("bee ape cat zebra")),
        ("0=1,1=2,2=0", Some("cat zebra ape bee")),
        ("1=0", Some("zebra cat bee")),
        ("0=0,1=0", Some("zebra cat bee")),
        ("0..3=0", Some("zebra")),
        ("0=9,1=9", None),
        ("0=1,1=9,2=1", None),
        ("ape=zebra,zebra=ape", Some("zebra ape cat bee")),
        ("ape=zebra,zebra=horse", None),
    ] {
        let found = animals().relabel(text);
        assert_eq!(found.map(names).ok().as_deref(), expected, "{text}");
    }
    let others = animals().except("zebra").unwrap().relabel("1=0,2=1,3=2").unwrap();
    assert_eq!(names(others), "ape cat bee");
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
    // A number is used as it is given.
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
        "the label 7 does not occur in the 12 records; choose one of 0, 1, 2, or name all \
         classes"
    );
    assert!(refused(numbers().1, "7..9=0..2").contains("the label 7 does not occur"));
    assert!(refused(numbers().1, "1=0,1=2").contains("the label 1 gets two new labels"));
    assert!(refused(numbers().1, "0..2=4,1=2").contains("the label 1 gets two new labels"));
    assert!(refused(numbers().1, "cat=0").contains("`cat` is not the label or name of a class"));
    assert!(refused(numbers().1, "0=cat").contains("`cat` is not the label or name of a class"));
    let animals = || named(&["cat", "dog", "owl"]);
    assert!(refused(animals(), "cow=cat").contains("`cow` is not the label or name of a class"));
    assert!(refused(animals(), "0..1=9").contains("the classes `cat` and `dog` both become 9"));
    // Failed before: the class kept its label, and nothing said so.
    for digits in ["1=7", "7=7"] {
        let found = refused(named(&["3", "7", "x"]), digits);
        assert!(found.starts_with("`7` is already the name of the label 1; "), "{found}");
    }
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
    // Steps in between do not matter, unless they change the labels.
    let some = || animals().except(0).unwrap();
    assert_eq!(first(some().select(1..).unwrap()).as_deref(), Some("dog"));
    assert_eq!(first(some().shuffled(1).unwrap()).as_deref(), Some("dog"));
    let changes = TransformOptions::new().element_type(ElementType::I16);
    assert_eq!(first(some().changed(&changes).unwrap()).as_deref(), Some("dog"));
    assert_eq!(first(some().map_labels(|label| label)).as_deref(), Some("cat"));
    let joined = animals().except(0).unwrap().append(animals()).unwrap();
    assert_eq!(first(joined).as_deref(), Some("cat"));
}

/// If the labels that are left have no names, they are changed as numbers are.
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
