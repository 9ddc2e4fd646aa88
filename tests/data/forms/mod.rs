//! Forms in which people keep records with labels, filled with random data. What is read equals what was written. If a
//! form has another reading, a question has an answer that leads to the data, or each cell is read as a number, without
//! labels.

mod tables;
mod trees;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use fastrand::Rng;
use idx_data::{Error, ErrorKind, OpenOptions, ReadingOption, Record, Set};
use idx_std::ElementType;

/// The numbers of a record, and its label: the name of its class, or a number.
type Pair = (Vec<String>, Option<String>);

/// The records of each part; a set without parts has one without a name.
type Parts = BTreeMap<String, Vec<Pair>>;

/// Some records as a program or a person keeps them.
#[derive(Debug)]
struct Form {
    files: Vec<(String, Vec<u8>)>,
    inputs: Vec<&'static str>,
    /// The pattern of labels in names, and the list of labels.
    labels_in_names: Option<&'static str>,
    parts: Parts,
    /// The records if each cell is a number and nothing is a label; empty if this form has one reading.
    plain: Vec<Parts>,
    is_in_order: bool,
}

/// The reading of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Right,
    Answered,
    Asked,
    Plain,
    /// An error that no option answers, which few forms have.
    Refused,
}

/// A hundred forms of each kind, or as many as `PROPTEST_CASES` says. Most are read without a question.
#[test]
fn forms_are_read_right_or_asked_about() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    for (kind, make, least_right) in [
        ("tables", tables::table as fn(&mut Rng) -> Form, 70),
        ("lists of labels", tables::list_of_labels, 60),
        ("sets of tables", tables::set_of_tables, 85),
        ("archives", trees::archive, 90),
        ("folders", trees::folders, 85),
    ] {
        let mut verdicts = BTreeMap::new();
        let count = cases.unwrap_or(100);
        for seed in 0..count {
            let form = make(&mut Rng::with_seed(seed));
            let verdict = judge(&form).unwrap_or_else(|wrong| panic!("{kind}, {seed}: {wrong}"));
            *verdicts.entry(verdict).or_insert(0) += 1;
        }
        let right = verdicts.get(&Verdict::Right).copied().unwrap_or(0);
        assert!(right * 100 >= count * least_right, "{kind}: {verdicts:?}");
        let refused = verdicts.get(&Verdict::Refused).copied().unwrap_or(0);
        assert!(refused * 1000 <= count, "{kind}: {verdicts:?}");
        println!("{kind}: {verdicts:?}");
    }
}

/// Reads a form. Fails if other data come out, or if the options of its reading or the answers to its question lead
/// elsewhere.
fn judge(form: &Form) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in &form.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let inputs: Vec<PathBuf> = form.inputs.iter().map(|input| folder.path().join(input)).collect();
    let options = OpenOptions::new()
        .element_type(ElementType::F64)
        .labels_in_names(form.labels_in_names.map(str::to_string));
    let wrong = |what: &dyn std::fmt::Debug| Err(format!("{what:?}\n{}", form.text()));
    match open(&options, &inputs) {
        Ok(set) => {
            let reading = set.reading();
            let found = form.pairs(set).map_err(|error| format!("{error}\n{}", form.text()))?;
            let pinned = reading.inputs().iter().try_fold(options, |options, input| {
                input.options().iter().try_fold(options, |options, option| state(&options, option))
            });
            // An option holds for all inputs, so it can state the reading only of a single one.
            if let Some(pinned) = pinned.filter(|_| reading.inputs().len() == 1) {
                let again = open(&pinned, &inputs).and_then(|set| form.pairs(set));
                if again.as_ref().ok() != Some(&found) {
                    return wrong(&("the options of the reading", reading, again));
                }
            }
            if found == form.parts {
                Ok(Verdict::Right)
            } else if form.plain.contains(&found) {
                Ok(Verdict::Plain)
            } else {
                wrong(&(found, reading))
            }
        }
        Err(error) => match answers(&error).as_deref() {
            None => Ok(Verdict::Refused),
            Some([]) => Ok(Verdict::Asked),
            Some(_) if form.is_answered(&options, &inputs, &error, 3) => Ok(Verdict::Answered),
            Some(_) => wrong(&("no answer leads to the data", error)),
        },
    }
}

fn open(options: &OpenOptions, inputs: &[PathBuf]) -> Result<Set, Error> {
    match inputs {
        [one] => options.open_set(one),
        several => options.open_sets(several),
    }
}

/// Returns the options with one more; `None` if only the command has that one.
fn state(options: &OpenOptions, option: &ReadingOption) -> Option<OpenOptions> {
    let options = options.clone();
    Some(match option.clone() {
        ReadingOption::Header(header) => options.header(header),
        ReadingOption::LabelColumn(column) => options.label_column(column),
        ReadingOption::Column(column) => options.column(column),
        ReadingOption::Skip(columns) => options.skip(columns),
        ReadingOption::SkipNone => options.skip(Vec::new()),
        ReadingOption::NoLabels => options.labels(false),
        ReadingOption::Shape(sizes) => options.shape(sizes),
        _ => return None,
    })
}

/// The answers of a question.
fn answers(error: &Error) -> Option<Vec<ReadingOption>> {
    match error.kind() {
        ErrorKind::Question { answers, .. } => {
            Some(answers.iter().map(|answer| answer.option.clone()).collect())
        }
        _ => None,
    }
}

impl Form {
    /// The records of a set.
    fn pairs(&self, set: Set) -> Result<Parts, Error> {
        let mut parts = Parts::new();
        for (part, mut source) in set.into_parts() {
            let (mut record, mut pairs) = (Record::default(), Vec::new());
            while source.read(&mut record)? {
                let dtype = &source.facts().layout.dtype;
                let numbers = record.bytes.chunks_exact(dtype.size());
                let numbers = numbers.map(|bytes| number(&dtype.text(bytes).unwrap())).collect();
                let name = |label: i128| match &source.facts().classes {
                    Some(classes) => classes.name(label).unwrap().to_string(),
                    None => label.to_string(),
                };
                pairs.push((numbers, record.label.map(name)));
            }
            if !self.is_in_order {
                pairs.sort();
            }
            parts.insert(part, pairs);
        }
        Ok(parts)
    }

    /// Returns whether an answer, and those of the questions after it, lead to the data.
    fn is_answered(
        &self,
        options: &OpenOptions,
        inputs: &[PathBuf],
        error: &Error,
        questions: u8,
    ) -> bool {
        let options = answers(error).into_iter().flatten().map(|option| state(options, &option));
        options.flatten().any(|options| match open(&options, inputs) {
            Ok(set) => self
                .pairs(set)
                .is_ok_and(|found| found == self.parts || self.plain.contains(&found)),
            Err(next) => questions > 0 && self.is_answered(&options, inputs, &next, questions - 1),
        })
    }

    /// The files, for a message.
    fn text(&self) -> String {
        let text =
            |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(400).collect::<String>();
        let files = self.files.iter().map(|(name, bytes)| format!("{name}: {:?}", text(bytes)));
        format!("{}\nwanted {:?}", files.collect::<Vec<_>>().join("\n"), self.parts)
    }
}

/// Returns a number as all formats write it.
fn number(text: &str) -> String {
    text.parse::<f64>().unwrap().to_string()
}

/// Returns one of these values at random.
fn one<T: Clone>(random: &mut Rng, values: &[T]) -> T {
    random.choice(values).expect("there are some").clone()
}
