//! A chain of inputs, labels, selections and classes, in any order: each record keeps its own label, as in a plain model,
//! or the chain is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use idx_data::{Error, Labels, OpenOptions, Record, RecordSource, Source, open};
use idx_tests::{file, gzip};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// How an input is stored.
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
    Append(Chain),
}

/// An input whose records are these numbers, and what is done with it.
#[derive(Clone, Debug)]
struct Chain {
    kind: Kind,
    records: Vec<u8>,
    steps: Vec<Step>,
}

/// What comes out: a number and its label.
type Pair = (u8, Option<i128>);

#[derive(Clone, Debug, Default)]
struct Model {
    pairs: Vec<Pair>,
    has_labels: bool,
    /// Whether records were selected or classes chosen.
    has_stage: bool,
    is_count_known: bool,
    only: Option<u8>,
    except: Option<u8>,
    per_class: Option<u8>,
    /// Whether the end of an input is an error, which a selection may not reach.
    ends_with_error: bool,
}

/// The case is not specified, or an error is expected.
#[derive(Debug, PartialEq)]
enum Stop {
    Refused,
    Skipped,
}

impl Model {
    fn of(chain: &Chain) -> Result<Self, Stop> {
        let mut model = Self {
            pairs: chain.records.iter().map(|record| (*record, None)).collect(),
            is_count_known: chain.kind != Kind::Csv,
            ..Self::default()
        };
        for step in &chain.steps {
            model.step(step)?;
        }
        Ok(model)
    }

    fn step(&mut self, step: &Step) -> Result<(), Stop> {
        let is_class = matches!(step, Step::Only(_) | Step::Except(_) | Step::PerClass(_));
        if is_class && !self.has_labels {
            return Err(Stop::Refused);
        }
        match step {
            Step::Labels(..) | Step::Select(..) if self.has_stage => return Err(Stop::Refused),
            Step::Labels(..) | Step::Select(..) if self.ends_with_error => {
                return Err(Stop::Skipped);
            }
            Step::Labels(_, 1 | -1) if self.is_count_known => return Err(Stop::Refused),
            Step::Labels(_, 1 | -1) => return Err(Stop::Skipped),
            Step::Labels(labels, _) => {
                for ((_, label), new) in self.pairs.iter_mut().zip(labels.iter().cycle()) {
                    *label = Some(i128::from(*new));
                }
                self.has_labels = true;
            }
            Step::Select(start, count) => {
                let (start, end) = bounds(*start, *count, self.pairs.len()).ok_or(Stop::Skipped)?;
                self.pairs = self.pairs[start..end].to_vec();
            }
            Step::Only(class) => self.only = Some(*class),
            Step::Except(class) => self.except = Some(*class),
            Step::PerClass(count) => self.per_class = Some(*count),
            Step::Append(other) => {
                let other = Self::of(other)?;
                if other.has_labels != self.has_labels {
                    return Err(Stop::Refused);
                }
                let is_count_known = self.is_count_known && other.is_count_known;
                let has_labels = self.has_labels;
                let joined = [self.finish(), other.finish()];
                let ends_with_error = joined.iter().any(Result::is_err);
                let pairs = joined.into_iter().flatten().flatten().collect();
                let joined = Self { pairs, has_labels, is_count_known, ..Self::default() };
                *self = Self { ends_with_error, ..joined };
            }
        }
        self.has_stage |= is_class || matches!(step, Step::Select(..));
        self.is_count_known &= !is_class;
        Ok(())
    }

    /// The pairs of the chosen classes.
    fn finish(&self) -> Result<Vec<Pair>, Stop> {
        let mut seen: BTreeMap<i128, u8> = BTreeMap::new();
        let is = |class: Option<u8>, label| class.map(i128::from) == Some(label);
        let is_wanted =
            |label| (self.only.is_none() || is(self.only, label)) && !is(self.except, label);
        let mut chosen = Vec::new();
        for (record, label) in &self.pairs {
            let Some(label) = label.filter(|_| self.has_labels) else {
                chosen.push((*record, None));
                continue;
            };
            let count = seen.entry(label).or_default();
            *count += 1;
            if is_wanted(label) && self.per_class.is_none_or(|max| *count <= max) {
                chosen.push((*record, Some(label)));
            }
        }
        let asked = [self.only, self.except].into_iter().flatten().map(i128::from);
        let is_missing = asked.into_iter().any(|class| !seen.contains_key(&class));
        let is_few = seen.iter().any(|(label, count)| {
            is_wanted(*label) && self.per_class.is_some_and(|max| *count < max)
        });
        if is_missing || is_few || self.ends_with_error { Err(Stop::Refused) } else { Ok(chosen) }
    }
}

/// The records to select of this many; `None` if there are none.
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
    let mut source = OpenOptions::new().labels(Labels::Ignored).open(input)?;
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
            Step::Append(other) => source.append(self::source(folder, other, files)?)?,
        };
        // What the chain refuses, the model has refused before.
        let _ = model.step(step);
    }
    Ok(source)
}

fn read(source: &mut Source) -> Result<Vec<Pair>, Error> {
    let (mut pairs, mut record) = (Vec::new(), Record::default());
    while source.read(&mut record)? {
        assert_eq!(record.bytes[1], !record.bytes[0], "two records in one");
        pairs.push((record.bytes[0], record.label));
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
    ]
}

proptest! {
    // One chain of a hundred is one that the model does not know.
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..crate::properties::config() })]

    #[test]
    fn each_record_keeps_its_label(
        chain in chain(prop_oneof![3 => step(), 1 => chain(step()).prop_map(Step::Append)]),
        halves in any::<Option<u64>>(),
    ) {
        let expected = Model::of(&chain).and_then(|model| model.finish());
        prop_assume!(expected != Err(Stop::Skipped));
        let folder = tempfile::tempdir().unwrap();
        let source = source(folder.path(), &chain, &mut 0);
        let found = source.and_then(|mut source| {
            let Some(seed) = halves else {
                return read(&mut source);
            };
            // Read at the same time, and put together again.
            let [mut one, mut other] = source.split(0.5, seed)?;
            let other = std::thread::spawn(move || read(&mut other));
            let mut pairs = read(&mut one)?;
            pairs.extend(other.join().unwrap()?);
            Ok(pairs)
        });
        match (expected, found) {
            (Ok(mut expected), Ok(mut found)) => {
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
