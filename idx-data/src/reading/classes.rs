//! One list of classes: words are numbered once, over all parts and joined inputs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::gather::Gather;
use crate::names::class_names::{CLASSES, ClassNames};
use crate::reading::question::Question;
use crate::reading::skip::skip;
use crate::reading::spelling::{are_spellings, look_alike, lower, shown, told_apart};

/// The labels that texts stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dictionary {
    pub(crate) labels: BTreeMap<String, i128>,
    /// The names of the labels.
    pub(crate) classes: Option<ClassNames>,
    /// True if the texts are names, and not the labels themselves.
    pub(crate) have_names: bool,
}

/// Gives each text its label: by a list that names all of them; else they are the labels themselves if all are whole
/// numbers; else in byte order, as Python sorts. With `are_labels`, texts of one number, such as 7 and 07, are one
/// class.
pub(crate) fn number(
    texts: &BTreeSet<&str>,
    list: Option<&ClassNames>,
    are_labels: bool,
) -> Result<Dictionary, Question> {
    let whole: Option<Vec<i128>> = texts.iter().map(|text| text.parse().ok()).collect();
    let known = list.map(ClassNames::labels_with_folders);
    let named = |known: &HashMap<String, i128>| -> Option<Vec<i128>> {
        texts.iter().map(|text| known.get(*text).copied()).collect()
    };
    let (labels, classes, have_names) = match (known.as_ref().and_then(named), whole) {
        // Texts that are names in the list are names, even if they could be other labels.
        (Some(labels), whole) => {
            let have_names = whole.is_none_or(|numbers| labels != numbers);
            (labels, list.cloned(), have_names)
        }
        (None, Some(numbers)) => {
            if !are_labels {
                expect_distinct(texts, &numbers)?;
            }
            // The labels may count from 1 where the list counts from 0.
            let list_of_others = list.filter(|_| !numbers.contains(&0));
            let is_unknown = |number: &&i128| {
                **number >= 0 && list_of_others.is_some_and(|list| list.name(**number).is_none())
            };
            if let Some(unknown) = numbers.iter().find(is_unknown) {
                return Err(ask_name(CLASSES, *unknown)
                    .or(skip([CLASSES]), "if it has the names of other labels"));
            }
            (numbers, list.cloned(), false)
        }
        (None, None) => {
            let is_unknown =
                |text: &&&str| known.as_ref().is_some_and(|known| !known.contains_key(**text));
            if let Some(unknown) = texts.iter().find(is_unknown) {
                let [class, spelled] = missing_class(unknown, list);
                return Err(Question::new(format!(
                    "the class {class} is not in the list of classes{spelled}; add it"
                ))
                .or(skip([unknown]), "to leave it out")
                .or(skip([CLASSES]), "to number the classes by their order"));
            }
            let names = ClassNames((0..).zip(texts.iter().map(ToString::to_string)).gather());
            ((0..).take(texts.len()).collect(), Some(names), true)
        }
    };
    let labels = texts.iter().map(ToString::to_string).zip(labels).gather();
    Ok(Dictionary { labels, classes, have_names })
}

/// Returns the words for a class that is not in a list, and those for another spelling of it in the list, if there is
/// one.
pub(crate) fn missing_class(class: &str, list: Option<&ClassNames>) -> [String; 2] {
    let names = list.into_iter().flat_map(ClassNames::iter).map(|(_, name)| name);
    let mut alike = names.filter(|name| are_spellings(class, name));
    let Some(name) = alike.next() else {
        return [shown(class).into_owned(), String::new()];
    };
    let [class, name] = told_apart([class, name]);
    match alike.next() {
        None => [class, format!(", which spells it {name}")],
        Some(_) => [class, String::new()],
    }
}

/// Returns two names that may be spellings of one: no group has both, or they look the same.
pub(crate) fn two_spellings<'a>(groups: &[BTreeSet<&'a str>]) -> Option<[&'a str; 2]> {
    let all: BTreeSet<&str> = groups.iter().flatten().copied().gather();
    let are_apart = |[one, other]: &[&str; 2]| {
        !groups.iter().any(|group| group.contains(one) && group.contains(other))
    };
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    all.iter().for_each(|name| alike.entry(lower(name)).or_default().push(*name));
    let apart = alike.into_values().find_map(|names| {
        let mut pairs = names.iter().flat_map(|one| names.iter().map(|other| [*one, *other]));
        pairs.find(are_apart)
    });
    apart.or_else(|| look_alike(all))
}

/// Returns the question about a class with different names in two parts or inputs: a number and a word, or two
/// spellings.
pub(crate) fn other_names<K>(names: &BTreeMap<K, BTreeSet<&str>>) -> Option<Question> {
    let is_number = |name: &&str| name.parse::<i128>().is_ok();
    let first = |names: &BTreeSet<&str>| Some(shown(names.first()?).into_owned());
    let numbers = names.values().find(|names| names.iter().all(is_number)).and_then(first);
    let words = names.values().find(|names| !names.iter().any(is_number)).and_then(first);
    if let (Some(number), Some(word)) = (numbers, words) {
        return Some(Question::new(format!(
            "the classes of one input or part are numbers, such as {number}, and those of another are names, such as {word}"
        )));
    }
    two_spellings(&names.values().cloned().collect::<Vec<_>>()).map(ask_spelling)
}

/// Asks about two spellings of a class.
pub(crate) fn ask_spelling(two: [&str; 2]) -> Question {
    let [one, other] = told_apart(two);
    Question::new(format!("the classes {one} and {other} may be one class; rename one of them"))
}

/// Asks for the name of a label that a list lacks.
pub(crate) fn ask_name(list: &str, label: i128) -> Question {
    Question::new(format!(
        "{list} has no name for the label {label}; write a line `{label} name` for it, or one for each"
    ))
}

/// Checks that no two texts are the same number.
fn expect_distinct(texts: &BTreeSet<&str>, numbers: &[i128]) -> Result<(), Question> {
    let mut known: HashMap<i128, &str> = HashMap::new();
    for (text, number) in texts.iter().zip(numbers) {
        if let Some(other) = known.insert(*number, text) {
            let question =
                format!("the classes {} and {} are one number", shown(other), shown(text));
            return Err(Question::new(format!("{question}; rename one of them"))
                .or(skip([text]), format!("to read only {}", shown(other)))
                .or(skip([other]), format!("to read only {}", shown(text))));
        }
    }
    Ok(())
}

/// The classes of an input; `have_names` is true if its labels only number them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClassesOfInput<'a> {
    pub(crate) classes: Option<&'a ClassNames>,
    pub(crate) have_names: bool,
    /// True if it has no records, so that its labels may be anything.
    pub(crate) are_none: bool,
}

/// The reason why inputs have no common list of classes: the positions of the first two that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// One has words, and the other numbers.
    Words { words: usize, numbers: usize },
    /// Both have numbers, with different names.
    Names { first: usize, other: usize },
}

/// Merges the classes of these inputs into one list. Only words may get other numbers. With `of_one_set`, numbers
/// without names are those of another input's list.
pub(crate) fn unite(
    inputs: &[ClassesOfInput<'_>],
    of_one_set: bool,
) -> Result<Option<ClassNames>, Conflict> {
    let inputs = || inputs.iter().enumerate().filter(|(_, labels)| !labels.are_none);
    let is_words = |labels: &ClassesOfInput<'_>| labels.have_names && labels.classes.is_some();
    let words = || inputs().filter(|(_, labels)| is_words(labels));
    let bare = inputs().find(|(_, labels)| labels.classes.is_none());
    if let (Some((words, _)), Some((numbers, _))) = (words().next(), bare) {
        return Err(Conflict::Words { words, numbers });
    }
    // A list that is not numbered in the order of its names was given: it comes first.
    let (made, given): (Vec<_>, Vec<_>) = inputs()
        .partition(|(_, labels)| is_words(labels) && labels.classes.is_some_and(is_in_order));
    let mut list: BTreeMap<i128, String> = BTreeMap::new();
    let mut first = None;
    for (index, labels) in &given {
        let Some(classes) = labels.classes else {
            let mut named = given.iter().filter(|(_, other)| other.classes.is_some());
            match named.next().filter(|_| !of_one_set) {
                Some((other, _)) => {
                    let (first, other) = (*other.min(index), *other.max(index));
                    return Err(Conflict::Names { first, other });
                }
                None => continue,
            }
        };
        let first = *first.get_or_insert(*index);
        let known: HashMap<&str, i128> =
            list.iter().map(|(label, name)| (name.as_str(), *label)).gather();
        let agrees = |label: i128, name: &str| {
            list.get(&label).is_none_or(|known| known == name)
                && known.get(name).is_none_or(|known| *known == label)
        };
        let all_agree = classes.iter().all(|(label, name)| agrees(label, name));
        // Numbers of several sets stand for the same classes only if the lists are equal.
        let may_have_others = labels.have_names || of_one_set || first == *index;
        if all_agree && (may_have_others || classes.iter().count() == list.len()) {
            list.extend(classes.iter().map(|(label, name)| (label, name.to_string())));
        } else if !labels.have_names {
            // Words get other numbers below; numbers cannot.
            return Err(Conflict::Names { first, other: *index });
        }
    }
    let known: BTreeSet<String> = list.values().cloned().gather();
    let names = made.iter().chain(&given).filter(|(_, labels)| labels.have_names);
    let names = names.flat_map(|(_, labels)| labels.classes.into_iter().flat_map(ClassNames::iter));
    let names: BTreeSet<&str> = names.map(|(_, name)| name).gather();
    let next = list.last_key_value().map_or(0, |(label, _)| label.saturating_add(1));
    let new = names.into_iter().filter(|name| !known.contains(*name)).map(str::to_string);
    list.extend((next..).zip(new));
    Ok(Some(ClassNames(list)).filter(|list| !list.0.is_empty()))
}

/// Returns whether the numbers of these classes follow the order of their names.
fn is_in_order(classes: &ClassNames) -> bool {
    let names = || classes.iter().map(|(_, name)| name);
    (0..).zip(classes.iter()).all(|(expected, (label, _))| label == expected)
        && names().zip(names().skip(1)).all(|(one, next)| one < next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses `2 cat, 3 dog`, or names without numbers in their order.
    fn list(text: &str) -> Option<ClassNames> {
        let names = text.split(", ").enumerate().map(|(index, line)| match line.split_once(' ') {
            Some((label, name)) => (label.parse().unwrap(), name.to_string()),
            None => (index as i128, line.to_string()),
        });
        (!text.is_empty()).then(|| ClassNames(names.collect()))
    }

    fn text(classes: &ClassNames) -> String {
        let lines: Vec<_> = classes.iter().map(|(label, name)| format!("{label} {name}")).collect();
        lines.join(", ")
    }

    #[test]
    fn texts_are_numbers_names_or_those_of_a_list() {
        for (texts, given, expected) in [
            ("0 1 10", "", "0=0 1=1 10=10"),
            ("00 1", "", "00=0 1=1"),
            ("-1 1", "", "-1=-1 1=1"),
            ("dog cat eel", "", "cat=0 dog=1 eel=2: 0 cat, 1 dog, 2 eel"),
            ("7 A b", "", "7=0 A=1 b=2: 0 7, 1 A, 2 b"),
            ("30 4e", "", "30=0 4e=1: 0 30, 1 4e"),
            ("cat Cat", "", "Cat=0 cat=1: 0 Cat, 1 cat"),
            ("01 1", "", "? skip(\"1\") skip(\"01\")"),
            ("cat dog", "2 dog, 5 cat, 6 eel", "cat=5 dog=2: 2 dog, 5 cat, 6 eel"),
            ("0 1", "0 cat, 1 dog", "0=0 1=1: 0 cat, 1 dog"),
            ("7 A", "0 7, 1 A", "7=0 A=1: 0 7, 1 A"),
            ("0 1", "0 1, 1 0", "0=1 1=0: 0 1, 1 0"),
            ("1 2", "0 1, 1 2, 2 A", "1=0 2=1: 0 1, 1 2, 2 A"),
            ("0 1 2", "0 1, 1 2, 2 A", "0=0 1=1 2=2: 0 1, 1 2, 2 A"),
            ("1 2", "0 cat, 1 dog", "? skip(\"classes.txt\")"),
            ("0 1 2", "0 cat, 1 dog", "0=0 1=1 2=2: 0 cat, 1 dog"),
            ("0 1", "0 0, 1 1", "0=0 1=1: 0 0, 1 1"),
            ("cat fox", "0 cat, 1 dog", "? skip(\"fox\") skip(\"classes.txt\")"),
        ] {
            let texts: BTreeSet<&str> = texts.split(' ').gather();
            let found = match number(&texts, list(given).as_ref(), false) {
                Ok(found) => {
                    let labels: Vec<String> =
                        found.labels.iter().map(|(a, b)| format!("{a}={b}")).collect();
                    let classes = found.classes.map(|classes| format!(": {}", text(&classes)));
                    format!("{}{}", labels.join(" "), classes.unwrap_or_default())
                }
                Err(question) => {
                    let answers = question.answers.iter().map(|one| one.option.to_string());
                    format!("? {}", answers.collect::<Vec<_>>().join(" "))
                }
            };
            assert_eq!(found, expected, "{texts:?} {given}");
        }
    }

    #[test]
    fn two_texts_of_a_number_are_one_class_by_an_option() {
        let found = number(&BTreeSet::from(["01", "1", "2"]), None, true).unwrap();
        assert_eq!(found.labels.into_values().collect::<Vec<_>>(), [1, 1, 2]);
    }

    #[test]
    fn lists_of_parts_and_inputs_become_one() {
        let words = |text: &str| (list(text), true, false);
        let numbers = |text: &str| (list(text), false, false);
        let none = (None, false, true);
        let conflict = |first, other| Err(Conflict::Names { first, other });
        for (inputs, of_one_set, expected) in [
            (vec![words("cat, fox"), words("fox")], true, Ok("0 cat, 1 fox")),
            (
                vec![words("fox"), words("cat"), words("cow, dog")],
                false,
                Ok("0 cat, 1 cow, 2 dog, 3 fox"),
            ),
            (vec![words("cat"), none.clone()], false, Ok("0 cat")),
            // A list that is given comes first.
            (vec![words("bat"), words("0 dog, 1 cat")], false, Ok("0 dog, 1 cat, 2 bat")),
            (vec![words("5 dog"), words("cat, dog")], false, Ok("5 dog, 6 cat")),
            (vec![words("0 dog, 1 cat"), words("0 fox, 1 cat")], false, Ok("0 dog, 1 cat, 2 fox")),
            (vec![numbers("0 cat, 1 dog"), words("ant, dog")], false, Ok("0 cat, 1 dog, 2 ant")),
            // Numbers stay as they are.
            (vec![numbers(""), numbers("")], false, Ok("")),
            (vec![numbers("cat, dog"), numbers("cat, dog")], false, Ok("0 cat, 1 dog")),
            (vec![numbers("cat, dog"), numbers("")], true, Ok("0 cat, 1 dog")),
            (vec![numbers("cat, dog"), numbers("cat")], true, Ok("0 cat, 1 dog")),
            (vec![numbers("cat, dog"), numbers("")], false, conflict(0, 1)),
            (vec![numbers("cat, dog"), numbers("cat")], false, conflict(0, 1)),
            (vec![numbers("cat, dog"), numbers("ant, dog")], true, conflict(0, 1)),
            (vec![words("cat"), numbers("")], true, Err(Conflict::Words { words: 0, numbers: 1 })),
            (vec![numbers(""), words("cat")], false, Err(Conflict::Words { words: 1, numbers: 0 })),
        ] {
            let labels: Vec<ClassesOfInput<'_>> = inputs
                .iter()
                .map(|(classes, have_names, are_none)| ClassesOfInput {
                    classes: classes.as_ref(),
                    have_names: *have_names,
                    are_none: *are_none,
                })
                .collect();
            let found = unite(&labels, of_one_set);
            let found = found.map(|list| list.as_ref().map(text).unwrap_or_default());
            assert_eq!(found, expected.map(str::to_string), "{inputs:?}");
        }
    }
}
