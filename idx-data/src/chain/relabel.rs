//! Gives classes new labels, and merges classes.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use crate::chain::classes::{Class, does_not_occur};
use crate::chain::of_set::{OfSet, Seen};
use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step};
use crate::error::{At, Error, ErrorKind, Hint};
use crate::gather::Gather;
use crate::names::class_names::ClassNames;
use crate::record::Record;
use crate::record::value::with_number;

/// The error for text that is not a relabeling.
const WRONG: &str =
    "write each class, `=` and its new label or name, such as 10=0, 1..26=0..25 or cat=pet,dog=pet";

/// New labels or names for classes, as people write them: labels, ranges of labels that include both ends, and names.
///
/// ```
/// use idx_data::Relabeling;
///
/// let one: Relabeling = "10=0".parse()?;
/// assert_eq!(one, [("10", "0")].into());
/// let merged: Relabeling = "cat=animal,dog=animal".parse()?;
/// assert_eq!(merged, [("cat", "animal"), ("dog", "animal")].into());
/// assert!("1..26=0..26".parse::<Relabeling>().is_err()); // 26 labels cannot become 27
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relabeling {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    /// A class becomes another one.
    Class(Class, Class),
    /// The labels from the first to the second become one class.
    Range(i128, i128, Class),
    /// The labels from the first to the second become those from the third on.
    Ranges(i128, i128, i128),
}

impl<F: Into<Class>, T: Into<Class>, const N: usize> From<[(F, T); N]> for Relabeling {
    fn from(rules: [(F, T); N]) -> Self {
        let rules = rules.into_iter().map(|(from, to)| Rule::Class(from.into(), to.into()));
        Self { rules: rules.collect() }
    }
}

impl TryFrom<&str> for Relabeling {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl FromStr for Relabeling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let rules: Result<Vec<Rule>, ErrorKind> = text.split(',').map(Rule::parse).collect();
        Ok(Self { rules: rules? })
    }
}

impl Rule {
    fn parse(text: &str) -> Result<Self, ErrorKind> {
        let wrong = || ErrorKind::malformed(WRONG);
        let (from, to) = text.split_once('=').ok_or_else(wrong)?;
        let (from, to) = (from.trim(), to.trim());
        if from.is_empty() || to.is_empty() {
            return Err(wrong());
        }
        let class = |text: &str| Class::Name(text.to_string());
        let Some((first, last)) = range(from) else {
            return match range(to) {
                Some(_) => Err(wrong()),
                None => Ok(Self::Class(class(from), class(to))),
            };
        };
        let ends = range(to);
        for (text, ends) in [(from, Some((first, last))), (to, ends)] {
            if ends.is_some_and(|(first, last)| first > last) {
                let sentence = format!("{text} ends before it starts; swap its ends");
                return Err(ErrorKind::malformed(sentence));
            }
        }
        let Some((start, end)) = ends else {
            return Ok(Self::Range(first, last, class(to)));
        };
        let count = |first: i128, last: i128| last.checked_sub(first);
        match count(first, last).is_some() && count(first, last) == count(start, end) {
            true => Ok(Self::Ranges(first, last, start)),
            false => Err(ErrorKind::malformed(format!(
                "{from} and {to} have different lengths; both ends of a range belong to it, as in 1..26=0..25"
            ))),
        }
    }
}

/// Returns whether this is a label, not a class name.
fn is_number(text: &str) -> bool {
    text.parse::<i128>().is_ok()
}

/// Returns the first and last label of a range.
fn range(text: &str) -> Option<(i128, i128)> {
    let (first, last) = text.split_once("..")?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// A range of labels that get new ones.
struct Moved {
    first: i128,
    last: i128,
    to: i128,
    /// True if each label gets its own new one.
    is_range: bool,
}

impl Moved {
    fn of(&self, label: i128) -> i128 {
        // `label` is in the range, and the new range is as long.
        if self.is_range { self.to.saturating_add(label - self.first) } else { self.to }
    }
}

/// Returns the labels that get new ones, and the given names with their labels. An existing name has the label of its
/// class, and a new name the lowest label among its classes.
fn moves(
    rules: Vec<Rule>,
    names: Option<&ClassNames>,
) -> Result<(Vec<Moved>, BTreeMap<String, i128>), ErrorKind> {
    let label_of = |name: &str| names.and_then(|names| names.label(name));
    // A number is a label, unless a class has it as its name.
    let is_name = |to: &str| names.is_some() && !is_number(to) || label_of(to).is_some();
    let mut given: BTreeMap<String, i128> = BTreeMap::new();
    let (mut moved, mut named) = (Vec::new(), Vec::new());
    for rule in rules {
        let (first, last, to) = match rule {
            Rule::Ranges(first, last, to) => {
                moved.push(Moved { first, last, to, is_range: true });
                continue;
            }
            Rule::Range(first, last, to) => (first, last, to),
            Rule::Class(from, to) => {
                let label = from.label(names)?;
                (label, label, to)
            }
        };
        let name = match to {
            Class::Name(name) if is_name(&name) => name,
            to => {
                moved.push(Moved { first, last, to: to.label(names)?, is_range: false });
                continue;
            }
        };
        let known = label_of(&name);
        if is_number(&name) && known == Some(first) && first == last {
            return Err(ErrorKind::mismatch(format!(
                "`{name}` is already the name of the label {first}; for other labels, first name the classes"
            ))
            .advising(Hint::Classes));
        }
        let label = given.entry(name.clone()).or_insert(known.unwrap_or(first));
        if known.is_none() {
            *label = first.min(*label);
        }
        named.push((first, last, name));
    }
    moved.extend(named.into_iter().map(|(first, last, name)| {
        let to = given.get(&name).copied().unwrap_or(first);
        Moved { first, last, to, is_range: false }
    }));
    Ok((moved, given))
}

/// The new labels of all classes.
struct NewLabels {
    /// Sorted by label.
    moved: Vec<Moved>,
    /// The position of each new label in a list without gaps, if words are numbered.
    places: BTreeMap<i128, u64>,
    names: Option<ClassNames>,
}

impl NewLabels {
    fn new(
        relabeling: Relabeling,
        names: Option<&ClassNames>,
        are_words: bool,
    ) -> Result<Self, Error> {
        let is_named =
            |rule: &Rule| matches!(rule, Rule::Class(_, Class::Name(name)) if !is_number(name));
        let are_numbered = are_words && relabeling.rules.iter().all(is_named);
        let (mut moved, given) = moves(relabeling.rules, names)?;
        moved.sort_unstable_by_key(|moved| moved.first);
        if let Some([_, second]) =
            moved.windows(2).find(|two| matches!(two, [one, other] if one.last >= other.first))
        {
            let message = format!("the label {} gets two new labels; give one", second.first);
            return Err(ErrorKind::mismatch(message).into());
        }
        let mut table = Self { moved, places: BTreeMap::new(), names: None };
        let Some(old) = names else {
            return Ok(table);
        };
        let mut names = table.names_of(old, given)?;
        if are_numbered {
            let mut list: Vec<(i128, String)> = names.into_iter().collect();
            if old.iter().is_sorted_by_key(|(_, name)| name) {
                list.sort_by(|one, other| one.1.cmp(&other.1));
            }
            table.places = (0..).zip(&list).map(|(place, (label, _))| (*label, place)).gather();
            names = (0..).zip(list.into_iter().map(|(_, name)| name)).gather();
        }
        if let Some((..0, name)) = names.first_key_value() {
            let message =
                format!("the class `{name}` would get a label below 0; give another label");
            return Err(ErrorKind::mismatch(message).into());
        }
        table.names = Some(ClassNames::of(names)?);
        Ok(table)
    }

    fn rule(&self, label: i128) -> Option<&Moved> {
        let after = self.moved.partition_point(|moved| moved.first <= label);
        self.moved.get(after.checked_sub(1)?).filter(|moved| label <= moved.last)
    }

    /// Returns the new label of a class.
    fn of(&self, label: i128) -> i128 {
        let label = self.rule(label).map_or(label, |moved| moved.of(label));
        self.places.get(&label).map_or(label, |place| i128::from(*place))
    }

    /// Returns the names of the new labels: the given one, or else that of a class that keeps the label, or else that
    /// of the only class that gets it.
    fn names_of(
        &self,
        old: &ClassNames,
        given: BTreeMap<String, i128>,
    ) -> Result<BTreeMap<i128, String>, ErrorKind> {
        let mut names: BTreeMap<i128, String> = BTreeMap::new();
        for (name, label) in given {
            if let Some(other) = names.insert(label, name.clone()) {
                return Err(ErrorKind::mismatch(format!(
                    "the names `{other}` and `{name}` would both get the label {label}; relabel twice, one after the \
                     other"
                )));
            }
        }
        let (stay, come): (Vec<_>, Vec<_>) =
            old.iter().partition(|(label, _)| self.of(*label) == *label);
        for (label, name) in stay {
            names.entry(label).or_insert_with(|| name.to_string());
        }
        let mut new: BTreeMap<i128, String> = BTreeMap::new();
        for (label, name) in come {
            let to = self.of(label);
            if names.contains_key(&to) {
                continue;
            }
            if let Some(other) = new.insert(to, name.to_string()) {
                return Err(ErrorKind::mismatch(format!(
                    "the classes `{other}` and `{name}` both become {to}, and no class with a name keeps this label; give \
                     them a new name instead"
                )));
            }
        }
        names.extend(new);
        Ok(names)
    }
}

/// Gives records new labels.
struct Relabeled {
    table: NewLabels,
    /// The classes with known names. The others must occur.
    known: BTreeSet<i128>,
    seen: Seen,
    of_set: OfSet,
}

impl Adapter for Relabeled {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        if !before.read(record)? {
            return self.check().map(|()| false).map_err(|kind| before.error(kind));
        }
        if let Some(label) = &mut record.label {
            *self.seen.entry(*label).or_default() += 1;
            *label = self.table.of(*label);
        }
        Ok(true)
    }
}

impl Relabeled {
    /// Checks that each class that gets a new label has occurred.
    fn check(&mut self) -> Result<(), ErrorKind> {
        let Some(seen) = self.of_set.end(&self.seen) else {
            return Ok(());
        };
        let is_there = |moved: &&Moved| {
            let labels = moved.first..=moved.last;
            let mut seen = seen.range(labels.clone());
            seen.next().is_some() || self.known.range(labels).next().is_some()
        };
        match self.table.moved.iter().find(|moved| !is_there(moved)) {
            Some(moved) if !seen.is_empty() => Err(does_not_occur(moved.first, &seen)),
            _ => Ok(()),
        }
    }
}

impl Source {
    /// Gives classes new labels, all at once: `10=0`, `[("cat", "animal"), ("dog", "animal")]`, or `1..26=0..25` for
    /// the letters of EMNIST. Classes that get the same label are one class from here on. All other labels stay.
    ///
    /// Names move with their labels. A new label has the name given for it (`dog=cat`), or else that of the class that
    /// keeps it, or else that of the only named class that gets it. If several named classes get it, a name must be
    /// given. A new name gets the lowest label of its classes. If the labels number words, the remaining words are
    /// numbered again. The label type widens if a new label does not fit.
    ///
    /// ```
    /// use idx_data::{ClassNames, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 1], &[7_u8, 8, 9])?;
    /// # idx_std::save(path("a-labels.idx"), &[3], &[10_u8, 1, 2])?;
    ///
    /// let first = open(path("a.idx"))?.relabel("10=0,1..2=5..6")?.records().next();
    /// assert_eq!(first.transpose()?.and_then(|record| record.label), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Records without labels, an unknown class name, a label that gets two new ones, a number that already is the name
    /// of the label, or, at the end, a label that did not occur ([`mismatch`](ErrorKind::code)); text of another form
    /// ([`malformed`](ErrorKind::code)).
    #[doc(alias = "merge")]
    pub fn relabel(
        mut self,
        relabeling: impl TryInto<Relabeling, Error: Into<Error>>,
    ) -> Result<Self, Error> {
        let relabeling = relabeling.try_into().map_err(Into::into).at(self.path())?;
        if !self.facts().has_labels {
            return Err(self.error(ErrorKind::no_labels()));
        }
        let facts = self.left();
        let mut old = facts.classes.clone().unwrap_or_default();
        old.0.retain(|label, _| !facts.excluded_classes.contains(label));
        let old = Some(old).filter(|names| !names.0.is_empty());
        let mut facts = facts.relabeled();
        let table = NewLabels::new(relabeling, old.as_ref(), facts.have_names).at(self.path())?;
        let new = table.moved.iter().flat_map(|moved| [moved.to, moved.of(moved.last)]);
        facts.label_type = facts.label_type.map(|label_type| new.fold(label_type, with_number));
        facts.classes.clone_from(&table.names);
        let known = old.iter().flat_map(ClassNames::iter).map(|(label, _)| label).gather();
        let of_set = self.of_set.next_step();
        let relabeled = Relabeled { table, known, seen: Seen::new(), of_set };
        Ok(self.then(facts, Box::new(relabeled)))
    }
}
