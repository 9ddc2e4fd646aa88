//! A chain of inputs, labels, selections and classes, in any order: each step does what it does with a list, and each
//! record keeps its own label and index.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use idx_data::{Error, OpenOptions, Record, Source, open};
use idx_tests::{file, gzip};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Idx,
    Gzip,
    Npy,
    Fortran,
    Csv,
}

#[derive(Clone, Debug)]
enum Step {
    /// Labels from a file, this many more or fewer than the records.
    Labels(Vec<u8>, i8),
    /// The record to start at and the number of records, modulo what there is.
    Select(usize, usize),
    Only(u8),
    Except(u8),
    PerClass(u8),
    Add(i32),
    Append(Chain),
}

/// An input with these numbers as records, and what is done with it.
#[derive(Clone, Debug)]
struct Chain {
    kind: Kind,
    records: Vec<u8>,
    steps: Vec<Step>,
}

/// The result: a number, its index in its input, and its label.
type Pair = (u8, u64, Option<i128>);

#[derive(Clone, Debug)]
struct Model {
    pairs: Vec<Pair>,
    has_labels: bool,
    is_count_known: bool,
    /// True if an error comes after the records, which a selection may not reach.
    ends_with_error: bool,
}

/// The reason that a chain has no result: an error is expected, or the case is not specified.
#[derive(Debug, PartialEq)]
enum Stop {
    Refused,
    Skipped,
}

impl Model {
    fn of(chain: &Chain) -> Result<Self, Stop> {
        let mut model = Self {
            pairs: (0..)
                .zip(&chain.records)
                .map(|(index, number)| (*number, index, None))
                .collect(),
            has_labels: false,
            is_count_known: chain.kind != Kind::Csv,
            ends_with_error: false,
        };
        for step in &chain.steps {
            model.step(step)?;
        }
        Ok(model)
    }

    fn step(&mut self, step: &Step) -> Result<(), Stop> {
        let needs_labels = !matches!(step, Step::Labels(..) | Step::Select(..) | Step::Append(_));
        match step {
            _ if needs_labels && !self.has_labels => return Err(Stop::Refused),
            Step::Labels(_, more) if self.miscounts(*more) && self.is_count_known => {
                return Err(Stop::Refused);
            }
            Step::Labels(labels, more) => {
                self.ends_with_error |= self.miscounts(*more);
                for ((.., label), new) in self.pairs.iter_mut().zip(labels.iter().cycle()) {
                    *label = Some((*new).into());
                }
                self.has_labels = true;
            }
            Step::Select(..) if self.ends_with_error => return Err(Stop::Skipped),
            Step::Select(start, count) => {
                let (start, end) = bounds(*start, *count, self.pairs.len()).ok_or(Stop::Skipped)?;
                self.pairs = self.pairs[start..end].to_vec();
            }
            Step::Only(class) => self.choose(Some(*class), |is_class, _| is_class),
            Step::Except(class) => self.choose(Some(*class), |is_class, _| !is_class),
            Step::PerClass(max) => {
                let few = self.counts().into_values().any(|count| count < usize::from(*max));
                self.ends_with_error |= few;
                self.choose(None, |_, before| before < usize::from(*max));
            }
            Step::Add(number) => {
                for label in self.pairs.iter_mut().flat_map(|(.., label)| label) {
                    *label += i128::from(*number);
                }
            }
            Step::Append(other) => {
                let other = Self::of(other)?;
                if other.has_labels != self.has_labels {
                    return Err(Stop::Refused);
                }
                self.pairs.extend(other.pairs);
                self.is_count_known &= other.is_count_known;
                self.ends_with_error |= other.ends_with_error;
            }
        }
        Ok(())
    }

    /// Returns true if labels and records then differ in number: of no records, no label can be missing.
    fn miscounts(&self, more: i8) -> bool {
        self.pairs.len().saturating_add_signed(more.into()) != self.pairs.len()
    }

    fn counts(&self) -> BTreeMap<Option<i128>, usize> {
        let mut counts = BTreeMap::new();
        for (.., label) in &self.pairs {
            *counts.entry(*label).or_default() += 1;
        }
        counts
    }

    /// Keeps pairs for which `keep` is true, given if they are of this class and how many of their class come before.
    fn choose(&mut self, class: Option<u8>, keep: impl Fn(bool, usize) -> bool) {
        let class = class.map(i128::from);
        self.ends_with_error |= class.is_some() && !self.counts().contains_key(&class);
        self.is_count_known = false;
        let mut seen = BTreeMap::<_, usize>::new();
        self.pairs.retain(|(.., label)| {
            let before = seen.entry(*label).or_default();
            *before += 1;
            keep(*label == class, *before - 1)
        });
    }

    fn finish(self) -> Result<Vec<Pair>, Stop> {
        if self.ends_with_error { Err(Stop::Refused) } else { Ok(self.pairs) }
    }
}

/// Returns the range to select from this many records; `None` if there are none.
fn bounds(start: usize, count: usize, len: usize) -> Option<(usize, usize)> {
    let start = start.checked_rem(len)?;
    Some((start, start + 1 + count % (len - start)))
}

fn npy(records: &[u8], fortran: bool) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header =
        format!("{{'descr': '|u1', 'fortran_order': {order}, 'shape': ({}, 2), }}", records.len());
    let size = u16::try_from(header.len()).unwrap().to_le_bytes();
    let others: Vec<u8> = records.iter().map(|record| !record).collect();
    let elements = match fortran {
        true => [records, &others].concat(),
        false => records.iter().flat_map(|record| [*record, !record]).collect(),
    };
    [b"\x93NUMPY\x01\x00", &size[..], header.as_bytes(), &elements].concat()
}

fn source(folder: &Path, chain: &Chain, files: &mut usize) -> Result<Source, Error> {
    let mut path = || {
        *files += 1;
        folder.join(format!("{files}.csv"))
    };
    let count = u32::try_from(chain.records.len()).unwrap();
    let elements: Vec<u8> = chain.records.iter().flat_map(|record| [*record, !record]).collect();
    let idx = file(8, &[count, 2], &elements);
    let bytes = match chain.kind {
        Kind::Idx => idx,
        Kind::Gzip => gzip(&idx),
        Kind::Npy => npy(&chain.records, false),
        Kind::Fortran => npy(&chain.records, true),
        Kind::Csv => elements
            .chunks(2)
            .map(|pair| format!("{},{}\n", pair[0], pair[1]))
            .collect::<String>()
            .into(),
    };
    let input = path();
    fs::write(&input, bytes).unwrap();
    let mut source = OpenOptions::new().labels(false).open(input)?;
    let mut model = Model::of(&Chain { steps: Vec::new(), ..chain.clone() }).unwrap();
    for step in &chain.steps {
        let len = model.pairs.len();
        source = match step {
            Step::Labels(labels, more) => {
                let labels: Vec<u8> = labels
                    .iter()
                    .cycle()
                    .copied()
                    .take(len.saturating_add_signed(isize::from(*more)))
                    .collect();
                let path = {
                    *files += 1;
                    folder.join(format!("{files}.idx"))
                };
                let count = u32::try_from(labels.len()).unwrap();
                fs::write(&path, file(8, &[count], &labels)).unwrap();
                source.with_labels(open(path)?)?
            }
            Step::Select(start, count) => {
                let (start, end) = bounds(*start, *count, len).unwrap_or_default();
                source.select(start as u64..end as u64)?
            }
            Step::Only(class) => source.only([class.to_string()])?,
            Step::Except(class) => source.except([class.to_string()])?,
            Step::PerClass(count) => source.per_class((*count).into())?,
            Step::Add(number) => {
                let (first, last) = (i128::from(*number) - 100_000, i128::from(*number) + 100_000);
                source.relabel(&*format!("-100000..100000={first}..{last}"))?
            }
            Step::Append(other) => source.append(self::source(folder, other, files)?)?,
        };
        // The model has already refused the chains that are refused.
        let _ = model.step(step);
    }
    Ok(source)
}

/// Reads all records, by turns one and several. Without positions, several come with labels, and positions are 0.
fn read(source: &mut Source, with_positions: bool) -> Result<Vec<Pair>, Error> {
    let (mut pairs, mut records) = (Vec::new(), Record::default());
    for way in [0, if with_positions { 1 } else { 2 }].into_iter().cycle() {
        let (mut bytes, mut labels) = (Vec::new(), Vec::new());
        let count = match way {
            0 => source.read(&mut records).map(u64::from)?,
            1 => source.read_many(&mut records)?,
            _ => source.read_onto(&mut bytes, &mut labels)?,
        };
        if count == 0 {
            break;
        }
        if way < 2 {
            bytes.extend(&records.bytes);
            labels.extend(records.label);
        }
        assert_eq!(bytes.len() as u64, 2 * count, "of two bytes each");
        assert!(labels.is_empty() || labels.len() as u64 == count, "a label each, or none");
        for (place, bytes) in bytes.chunks(2).enumerate() {
            assert_eq!(bytes[1], !bytes[0], "two records in one");
            let position = if with_positions { records.index + place as u64 } else { 0 };
            pairs.push((bytes[0], position, labels.get(place).copied()));
        }
    }
    Ok(pairs)
}

fn chain(
    step: impl Strategy<Value = Step> + Clone + 'static,
) -> impl Strategy<Value = Chain> + Clone {
    let kinds = select(vec![Kind::Idx, Kind::Gzip, Kind::Npy, Kind::Fortran, Kind::Csv]);
    (kinds, vec(any::<u8>(), 1..7), vec(step, 0..4)).prop_map(|(kind, records, steps)| Chain {
        kind,
        records,
        steps,
    })
}

fn step() -> impl Strategy<Value = Step> + Clone {
    prop_oneof![
        4 => (vec(0u8..3, 1..7), prop_oneof![9 => Just(0i8), 1 => Just(1), 1 => Just(-1)])
            .prop_map(|(labels, more)| Step::Labels(labels, more)),
        3 => (0usize..7, 0usize..7).prop_map(|(start, count)| Step::Select(start, count)),
        1 => (0u8..3).prop_map(Step::Only),
        1 => (0u8..3).prop_map(Step::Except),
        1 => (1u8..3).prop_map(Step::PerClass),
        1 => (-1..2).prop_map(Step::Add),
    ]
}

proptest! {
    // The model cannot predict one chain in a hundred.
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..crate::cases::config() })]

    #[test]
    fn each_record_keeps_its_label(
        chain in chain(prop_oneof![3 => step(), 1 => chain(step()).prop_map(Step::Append)]),
        halves in any::<Option<u64>>(),
        with_positions in any::<bool>(),
    ) {
        let expected = Model::of(&chain).and_then(Model::finish);
        prop_assume!(expected != Err(Stop::Skipped));
        let folder = tempfile::tempdir().unwrap();
        let source = source(folder.path(), &chain, &mut 0);
        let found = source.and_then(|mut source| {
            let Some(seed) = halves else {
                return read(&mut source, with_positions);
            };
            // The halves are read at the same time, and joined.
            let [mut one, mut other] = source.split([0.5, 0.5], seed)?;
            let other = std::thread::spawn(move || read(&mut other, with_positions));
            let mut pairs = read(&mut one, with_positions)?;
            pairs.extend(other.join().unwrap()?);
            Ok(pairs)
        });
        match (expected, found) {
            (Ok(mut expected), Ok(mut found)) => {
                if !with_positions {
                    expected.iter_mut().for_each(|(_, position, _)| *position = 0);
                }
                if halves.is_some() {
                    expected.sort_unstable();
                    found.sort_unstable();
                }
                prop_assert_eq!(expected, found);
            }
            (Err(_), Err(_)) => {}
            (expected, found) => prop_assert!(false, "{:?}, but {:?}", expected, found),
        }
    }
}
