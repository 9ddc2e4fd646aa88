//! Steps that select records by class.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use crate::chain::of_set::{OfSet, Seen};
use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step};
use crate::error::{Error, ErrorKind, Hint};
use crate::gather::Gather;
use crate::names::class_names::ClassNames;
use crate::record::Record;
use idx_std::__private::counted;

/// The records to take, by their labels.
pub(crate) enum Choice {
    Only(BTreeSet<i128>),
    Except(BTreeSet<i128>),
    /// The first records of each class.
    PerClass(u64),
}

impl Choice {
    /// Returns the positions of the records to take among records with these labels.
    pub(crate) fn positions(
        self,
        labels: impl Iterator<Item = i128>,
    ) -> Result<Vec<usize>, ErrorKind> {
        let (named, seen, of_set) = Default::default();
        let mut classes = Classes { choice: self, named, seen, of_set };
        let taken = labels.enumerate().filter(|(_, label)| classes.take(*label));
        let positions = taken.map(|(position, _)| position).collect();
        classes.check().map(|()| positions)
    }

    /// Returns whether all records with this label are left out.
    fn excludes(&self, label: i128) -> bool {
        match self {
            Self::Only(labels) => !labels.contains(&label),
            Self::Except(labels) => labels.contains(&label),
            Self::PerClass(_) => false,
        }
    }
}

/// Chooses records by their labels, one after the other.
struct Classes {
    choice: Choice,
    /// The classes with names. Their records may be in another part of the set.
    named: BTreeSet<i128>,
    /// The number of records of each class so far, taken or not.
    seen: Seen,
    of_set: OfSet,
}

impl Classes {
    /// Returns whether to take the next record, which has this label.
    fn take(&mut self, label: i128) -> bool {
        let seen = self.seen.entry(label).or_default();
        *seen += 1;
        match &self.choice {
            Choice::PerClass(count) => *seen <= *count,
            choice => !choice.excludes(label),
        }
    }

    /// Checks that the requested records exist.
    fn check(&mut self) -> Result<(), ErrorKind> {
        match &self.choice {
            Choice::Only(labels) | Choice::Except(labels) => {
                let Some(seen) = self.of_set.end(&self.seen) else {
                    return Ok(());
                };
                let is_known =
                    |label: &&i128| seen.contains_key(*label) || self.named.contains(*label);
                let absent = labels.iter().find(|label| !is_known(label));
                absent.map_or(Ok(()), |label| Err(does_not_occur(*label, &seen)))
            }
            Choice::PerClass(wanted) => match self.seen.iter().min_by_key(|(_, seen)| **seen) {
                Some((&class, &found)) if found < *wanted => {
                    let (class, wanted) = (Some(class), *wanted);
                    Err(ErrorKind::NotEnoughRecords { class, wanted, found })
                }
                _ => Ok(()),
            },
        }
    }
}

impl Adapter for Classes {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        while before.read(record)? {
            if record.label.is_some_and(|label| self.take(label)) {
                return Ok(true);
            }
        }
        self.check().map(|()| false).map_err(|kind| before.error(kind))
    }
}

/// A class, by its label or its name. A text that is not the name of a class is read as a label.
///
/// ```
/// use idx_data::open;
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("a.idx"), &[3, 1], &[7_u8, 8, 9])?;
/// # idx_std::save(path("a-labels.idx"), &[3], &[1_u8, 2, 3])?;
///
/// let labeled = || open(path("a.idx"))?.with_labels(open(path("a-labels.idx"))?);
/// assert!(labeled()?.only([1, 3])?.except("3").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// Its label.
    Label(i128),
    /// Its name, or its label as a text.
    Name(String),
}

impl Class {
    pub(super) fn label(self, names: Option<&ClassNames>) -> Result<i128, ErrorKind> {
        let class = match self {
            Self::Label(label) => return Ok(label),
            Self::Name(name) => name,
        };
        let named = names.and_then(|names| names.label(&class));
        named.or_else(|| class.parse().ok()).ok_or_else(|| {
            let known = names.map(|names| {
                let mut names: Vec<&str> = names.iter().map(|(_, name)| name).collect();
                names.sort_by_key(|name| Reverse(common_start(name, &class)));
                names.truncate(MAX_NAMED);
                format!("; some are {}", names.join(", "))
            });
            ErrorKind::mismatch(format!(
                "`{class}` is not the label or name of a class{}; choose another, or name the classes of the labels",
                known.unwrap_or_default()
            ))
            .advising(Hint::Classes)
        })
    }
}

/// The maximum number of classes that an error lists.
const MAX_NAMED: usize = 20;

/// Returns the length of the common start of two names, in characters, ignoring case.
fn common_start(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(one, other)| one.to_lowercase().eq(other.to_lowercase())).count()
}

/// Labels of these types are classes.
macro_rules! labels {
    ($($label:ty)*) => {
        $(
            impl From<$label> for Class {
                fn from(label: $label) -> Self {
                    Self::Label(label.into())
                }
            }
        )*
    };
}

labels!(u8 i8 u16 i16 u32 i32 u64 i64 i128);

impl From<usize> for Class {
    fn from(label: usize) -> Self {
        Self::from(label as u64)
    }
}

impl From<&str> for Class {
    fn from(name: &str) -> Self {
        Self::Name(name.to_string())
    }
}

impl From<String> for Class {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

/// An item of a borrowed list.
impl<C: Clone + Into<Class>> From<&C> for Class {
    fn from(class: &C) -> Self {
        class.clone().into()
    }
}

/// Classes as people write them: one, or several in any list.
///
/// ```
/// use idx_data::ClassSelection;
///
/// let one: ClassSelection = 3.into();
/// assert_eq!(one, [3].into());
/// let named: ClassSelection = vec!["cat", "dog"].into_iter().filter(|name| *name != "dog").collect();
/// assert_eq!(named, "cat".into());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassSelection(Vec<Class>);

impl ClassSelection {
    /// Returns the labels of the classes.
    pub(crate) fn labels(self, names: Option<&ClassNames>) -> Result<BTreeSet<i128>, ErrorKind> {
        let labels: Result<Vec<i128>, _> =
            self.0.into_iter().map(|class| class.label(names)).collect();
        Ok(labels?.into_iter().gather())
    }
}

impl<C: Into<Class>> FromIterator<C> for ClassSelection {
    fn from_iter<T: IntoIterator<Item = C>>(classes: T) -> Self {
        Self(classes.into_iter().map(Into::into).collect())
    }
}

impl<C: Into<Class>> From<C> for ClassSelection {
    fn from(class: C) -> Self {
        Self(vec![class.into()])
    }
}

/// Each of these lists is a selection of its classes.
macro_rules! lists {
    ($(($($parameter:tt)*) $list:ty,)*) => {
        $(
            impl<$($parameter)*> From<$list> for ClassSelection
            where
                $list: IntoIterator<Item: Into<Class>>,
            {
                fn from(classes: $list) -> Self {
                    classes.into_iter().collect()
                }
            }
        )*
    };
}

lists! {
    (C, const N: usize) [C; N],
    ('a, C, const N: usize) &'a [C; N],
    ('a, C) &'a [C],
    (C) Vec<C>,
    ('a, C) &'a Vec<C>,
    (C) BTreeSet<C>,
    ('a, C) &'a BTreeSet<C>,
    (C) Range<C>,
    (C) RangeInclusive<C>,
}

/// Returns the error about a class that does not occur in these records.
pub(super) fn does_not_occur(label: i128, seen: &Seen) -> ErrorKind {
    let records = counted(seen.values().sum(), "record");
    let labels: Vec<String> = seen.keys().take(MAX_NAMED).map(i128::to_string).collect();
    let labels = labels.join(", ");
    let message = format!(
        "the label {label} does not occur in the {records}; choose one of {labels}, or name all classes"
    );
    ErrorKind::mismatch(message).advising(Hint::Classes)
}

impl Source {
    /// Keeps the records of these classes, given by label or name: `only(3)`, `only([3, 7])`, `only("cat")`. An empty
    /// list keeps none.
    ///
    /// # Errors
    ///
    /// An unknown class name, or records without labels ([`mismatch`](ErrorKind::code)). A label that has no name, and
    /// that no record has, is an error at the end.
    pub fn only(self, classes: impl Into<ClassSelection>) -> Result<Self, Error> {
        let labels = classes.into().labels(self.facts().classes.as_ref());
        self.chosen(labels.map(Choice::Only))
    }

    /// Removes the records of these classes, given by label or name.
    ///
    /// # Errors
    ///
    /// The errors of [`only`](Self::only).
    pub fn except(self, classes: impl Into<ClassSelection>) -> Result<Self, Error> {
        let labels = classes.into().labels(self.facts().classes.as_ref());
        self.chosen(labels.map(Choice::Except))
    }

    /// Keeps the first `count` records of each class. A class with fewer is an error at the end:
    /// [`not_enough_records`](ErrorKind::code).
    ///
    /// # Errors
    ///
    /// Records without labels ([`mismatch`](ErrorKind::code)).
    #[doc(alias = "balance")]
    pub fn per_class(self, count: u64) -> Result<Self, Error> {
        self.chosen(Ok(Choice::PerClass(count)))
    }

    fn chosen(mut self, choice: Result<Choice, ErrorKind>) -> Result<Self, Error> {
        if !self.facts().has_labels {
            return Err(self.error(ErrorKind::no_labels()));
        }
        let choice = choice.map_err(|kind| self.error(kind))?;
        let mut facts = self.facts().of_count(None);
        let names = facts.classes.iter().flat_map(ClassNames::iter);
        let named: BTreeSet<i128> = names.map(|(label, _)| label).gather();
        let excluded = named.iter().copied().filter(|label| choice.excludes(*label));
        facts.excluded_classes.extend(excluded);
        let of_set = self.of_set.next_step();
        let classes = Classes { choice, named, seen: Seen::new(), of_set };
        Ok(self.then(facts, Box::new(classes)))
    }
}
