//! The parts, records and labels among the files of a folder, or the arrays of an archive, by their names.

mod file;
mod shards;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::answer::ReadingOption;
use crate::gather::Gather;
use crate::names::Part;
use crate::names::format::is_table;
use crate::names::path::natural_key;
use crate::names::sets::choose as choose_set;
pub(crate) use crate::reading::members::file::is_array;
use crate::reading::members::file::{File, stem_of};
use crate::reading::members::shards::expect_shards;
use crate::reading::question::Question;
use crate::reading::skip::{is_submission, skip, skip_files};
use crate::reading::spelling::{shown, words};
use crate::reading::words::{
    MOST_LISTED, is_label_word, is_record_word, listed, part_of_file, part_of_folder,
};
use crate::reading::{Evidence, Said, Subject};

pub(crate) use file::{NamesOf, expect_records, is_label_file};

/// The records of a part, and their labels, as positions among the names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) part: Part,
    /// One, or shards in their order.
    pub(crate) records: Vec<usize>,
    pub(crate) labels: Option<usize>,
}

/// A data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Members {
    /// All of its parts.
    pub(crate) parts: Vec<Member>,
    /// The part that is wanted, or none for all.
    pub(crate) wanted: Part,
}

/// Finds the records and labels of each part. `wanted` is the text after `:` in the path of the folder. If `labels` are
/// not wanted, it does not matter where they are, and those without records are left out.
pub(crate) fn understand(
    names: &[String],
    kind: NamesOf,
    wanted: Option<&str>,
    labels: bool,
) -> Result<(Members, Said), Question> {
    let mut files = Vec::new();
    for (index, name) in names.iter().enumerate() {
        files.push(File::parse(index, name, kind)?);
    }
    let mut left_out: Vec<&str> = Vec::new();
    let mut sets = Sets::new();
    let are_several = kind == NamesOf::Files && files.len() > 1;
    for file in &files {
        if are_several && file.part == Part::None && is_submission(file.name) {
            left_out.push(file.name);
            continue;
        }
        sets.entry(&file.set).or_default().entry(file.part).or_default().push(file);
    }
    let (set, wanted) = match kind {
        NamesOf::Files => choose(&sets, wanted)?,
        NamesOf::Arrays => (records_and_labels(&sets, labels)?, Part::None),
    };
    let parts = sets.get(set);
    let unnamed = match parts.filter(|_| kind == NamesOf::Arrays) {
        Some(parts) => unnamed_part(parts)?,
        None => Part::None,
    };
    let has_others = parts.is_some_and(|parts| parts.len() > 1);
    let (mut found, mut alone) = (Vec::new(), Vec::new());
    for (named, files) in parts.into_iter().flatten() {
        if has_others
            && let Some(first) = files.first().filter(|_| files.iter().all(|file| file.is_labels))
        {
            if !labels {
                alone.extend(files.iter().map(|file| file.name));
                continue;
            }
            let question = format!("{} are labels without their records", shown(first.name));
            return Err(Question::new(question).or(skip([first.name]), "to leave them out"));
        }
        let part = if *named == Part::None { unnamed } else { *named };
        found.push(member(part, files, kind, labels)?);
    }
    let is_wanted = |member: &Member| wanted == Part::None || member.part == wanted;
    if !labels && !found.iter().any(is_wanted) {
        return Err(only_labels(&alone, kind));
    }
    left_out.extend(alone);
    let others = sets.iter().filter(|(other, _)| kind == NamesOf::Arrays && **other != set);
    left_out.extend(others.flat_map(|(_, parts)| parts.values().flatten().map(|file| file.name)));
    let mut said = said(&found, &files, wanted);
    match &found[..] {
        // Labels that an option gives may be in one of the other arrays.
        [Member { part: Part::None, records, .. }]
            if kind == NamesOf::Arrays && !labels && files.len() > 1 =>
        {
            let names = records.iter().filter_map(|index| names.get(*index));
            let only = listed(names.map(String::as_str), MOST_LISTED);
            said.say(Subject::Parts, Evidence::Name, format!("only {only}"));
        }
        _ => said.leave_out(left_out, Evidence::Name),
    }
    Ok((Members { parts: found, wanted }, said))
}

/// Data sets by their names, and their files by part.
type Sets<'a> = BTreeMap<&'a str, BTreeMap<Part, Vec<&'a File<'a>>>>;

/// Returns the names of the folders in the path of an array, and its own without the extension.
fn levels_of(path: &str) -> Vec<&str> {
    let mut levels: Vec<&str> = path.split('/').collect();
    if let Some(own) = levels.last_mut() {
        *own = stem_of(own);
    }
    levels
}

/// Returns the levels, counted from 0, at which the paths of arrays and tables may name their classes: the names
/// differ, and say neither records nor labels nor a part. Those of tables differ in more than numbers, as pieces of one
/// table do not. The last level has their own names.
pub(crate) fn levels_of_classes(names: &[String]) -> Vec<usize> {
    let mut levels: Vec<BTreeSet<&str>> = Vec::new();
    for name in names {
        let own = levels_of(name);
        let are_like = levels.is_empty() || levels.len() == own.len();
        let is_read = is_array(name) || is_table(Path::new(name));
        if !are_like || !is_read || own.last().is_some_and(|stem| is_label_file(stem)) {
            return Vec::new();
        }
        levels.resize_with(own.len(), BTreeSet::new);
        levels.iter_mut().zip(own).for_each(|(level, name)| {
            level.insert(name);
        });
    }
    let may_be_class = |name: &&str| {
        let says = |word: &String| is_record_word(word) || is_label_word(word);
        matches!(part_of_file(name), Ok(None)) && !words(name).iter().any(says)
    };
    let are_arrays = names.iter().all(|name| is_array(name));
    let are_pieces = |names: &BTreeSet<&str>| {
        let different: BTreeSet<Vec<String>> = names.iter().map(|name| words(name)).gather();
        !are_arrays && different.len() < names.len()
    };
    let levels = levels.into_iter().enumerate();
    let levels = levels.filter(|(_, names)| {
        names.len() > 1 && names.iter().all(may_be_class) && !are_pieces(names)
    });
    levels.map(|(level, _)| level).collect()
}

/// Returns the part and the class of each file: the class is the name at this level of its path.
pub(crate) fn by_class(names: &[String], level: usize) -> Result<Vec<(Part, &str)>, Question> {
    let mut found = Vec::new();
    for name in names {
        let levels = levels_of(name);
        let Some(class) = levels.get(level) else {
            return Err(Question::new(format!(
                "there is no level {level} in the path {}, whose levels are counted from 0 at the top",
                shown(name)
            )));
        };
        let last = levels.len() - 1;
        let mut parts = levels.iter().enumerate().filter(|(other, _)| *other != level);
        let part = parts.find_map(|(other, name)| match other == last {
            true => part_of_file(name).ok().flatten(),
            false => part_of_folder(name),
        });
        found.push((part.unwrap_or(Part::None), *class));
    }
    let mut all = names.iter().zip(&found);
    match all.find(|(_, (part, _))| *part == Part::None) {
        Some((name, _)) if found.iter().any(|(part, _)| *part != Part::None) => {
            Err(of_no_part(name))
        }
        _ => Ok(found),
    }
}

/// Asks about a file that is of no part, although others are.
fn of_no_part(name: &str) -> Question {
    let question = Question::new(format!("the file {} is of no part", shown(name)));
    question.or(skip_files([name]), "if it does not belong to the set")
}

/// Returns the wanted data set and part, or the only set. Records outside of parts are a question if there are parts.
fn choose<'a>(sets: &Sets<'a>, wanted: Option<&str>) -> Result<(&'a str, Part), Question> {
    let parts_of = |parts: &BTreeMap<Part, Vec<&File<'_>>>| parts.keys().copied().gather();
    let all: BTreeMap<&str, BTreeSet<Part>> =
        sets.iter().map(|(set, parts)| (*set, parts_of(parts))).gather();
    let mut named = all.clone();
    named.retain(|_, parts| parts.iter().any(|part| *part != Part::None));
    let have_parts = !named.is_empty();
    if have_parts {
        expect_only_parts(sets, &named)?;
    }
    if !have_parts && wanted.is_none() && all.len() > 1 {
        return Err(none_of_parts(sets));
    }
    choose_set(if have_parts { &named } else { &all }, wanted).map_err(|question| {
        // Without the others, all parts of the set without a name are left.
        let is_left = wanted.is_none() && sets.get("").is_some_and(|parts| parts.len() > 1);
        match is_left {
            false => question,
            true => {
                let others = names_in(sets, |set| !set.is_empty());
                question.or_skip(skip_files(others), "for all parts of the set without a name")
            }
        }
    })
}

/// Returns the names of the files or arrays in some of these data sets.
fn names_in<'a>(sets: &Sets<'a>, is_wanted: impl Fn(&str) -> bool) -> BTreeSet<&'a str> {
    let sets = sets.iter().filter(|(set, _)| is_wanted(set));
    sets.flat_map(|(_, parts)| parts.values().flatten()).map(|file| file.name).gather()
}

/// The maximum number of sets that a question offers.
const MOST_SETS: usize = 2;

/// Asks about files of which none is named after a part.
fn none_of_parts(sets: &Sets<'_>) -> Question {
    let files = sets.values().flat_map(BTreeMap::values).flatten().map(|file| file.name);
    // Programs for large tables name folders `column=value`.
    let mut folders = files.clone().filter_map(|name| Some(name.rsplit_once('/')?.0));
    let column = folders.find(|folder| folder.contains('='));
    let column = column.map(|folder| format!("; they lack the column of {}", shown(folder)));
    let question = Question::new(format!(
        "the files {} are of no part; give them as inputs to join them, or only one of them{}",
        listed(files, MOST_LISTED),
        column.unwrap_or_default()
    ));
    complete(sets, true).take(MOST_SETS).fold(question, |question, set| {
        let names = names_in(sets, |own| own == set);
        let others = names_in(sets, |other| other != set);
        question.or_skip(skip_files(others), format!("for {}", listed(names, MOST_LISTED)))
    })
}

/// Checks that there are no records outside the parts of these data sets.
fn expect_only_parts(
    sets: &Sets<'_>,
    named: &BTreeMap<&str, BTreeSet<Part>>,
) -> Result<(), Question> {
    let other = sets.iter().find_map(|(set, parts)| match named.contains_key(set) {
        true => parts.get(&Part::None)?.first(),
        false => parts.values().flatten().next(),
    });
    other.map_or(Ok(()), |other| Err(of_no_part(other.name)))
}

/// Returns the data set of the arrays that are the records and labels, even among others.
fn records_and_labels<'a>(sets: &Sets<'a>, labels: bool) -> Result<&'a str, Question> {
    if let (1, Some((set, _))) = (sets.len(), sets.first_key_value()) {
        return Ok(set);
    }
    let mut complete = complete(sets, labels);
    complete.next().filter(|_| complete.next().is_none()).ok_or_else(|| {
        several_arrays(sets.values().flat_map(BTreeMap::values).flatten().copied().collect())
    })
}

/// Returns the data sets that have records, and labels if these are wanted, in each part.
fn complete<'a>(sets: &Sets<'a>, labels: bool) -> impl Iterator<Item = &'a str> {
    let is_complete = move |files: &Vec<&File<'_>>| {
        let has = |is: fn(&File<'_>) -> bool| files.iter().any(|file| is(file));
        has(|file| file.is_records) && (!labels || has(|file| file.is_labels))
    };
    let complete = sets.iter().filter(move |(_, parts)| parts.values().all(is_complete));
    complete.map(|(set, _)| *set)
}

/// Returns the part of the arrays whose names say none: next to `x_test`, `x` and `y` are the training part.
fn unnamed_part(parts: &BTreeMap<Part, Vec<&File<'_>>>) -> Result<Part, Question> {
    match parts.get(&Part::None) {
        Some(files)
            if parts.contains_key(&Part::Train) && !files.iter().all(|file| file.is_labels) =>
        {
            let names = || files.iter().map(|file| file.name);
            let question = format!("the names of {} say no part", listed(names(), MOST_LISTED));
            Err(Question::new(question).or(skip(names()), "if only the others are meant"))
        }
        Some(_) if parts.len() > 1 => Ok(Part::Train),
        _ => Ok(Part::None),
    }
}

/// Refuses labels without any records, although labels are not wanted.
fn only_labels(names: &[&str], kind: NamesOf) -> Question {
    let listed = listed(names.iter().copied(), MOST_LISTED);
    let sentence = format!("there are only labels ({listed})");
    match (kind, names) {
        (NamesOf::Arrays, [first, ..]) => {
            let option = ReadingOption::Part((*first).to_string());
            Question::new(sentence).or(option, "to read one of them as records")
        }
        _ => Question::new(format!("{sentence}; give one of these files to read it as records")),
    }
}

/// Asks which of several arrays has the records.
fn several_arrays(mut arrays: Vec<&File<'_>>) -> Question {
    const SHOWN: usize = 3;
    // Longer names are not offered as answers.
    const LONGEST: usize = 60;
    let names = listed(arrays.iter().map(|array| array.name), 2 * MOST_LISTED);
    let question = Question::new(format!("{names} may all be the records"));
    arrays.sort_unstable_by_key(|array| (!array.is_records, array.is_labels, array.name));
    let first = arrays.iter().filter(|array| array.name.len() <= LONGEST).take(SHOWN);
    first.fold(question, |asked, array| {
        let option = ReadingOption::Part(array.name.to_string());
        asked.or(option, "with the labels that you give")
    })
}

/// Returns the records of one part, and their labels if these are wanted.
fn member(
    part_of: Part,
    files: &[&File<'_>],
    kind: NamesOf,
    are_wanted: bool,
) -> Result<Member, Question> {
    let has_records = files.iter().any(|file| !file.is_labels);
    let (mut labels, mut records): (Vec<&File<'_>>, Vec<&File<'_>>) =
        files.iter().copied().partition(|file| file.is_labels && has_records);
    if !are_wanted {
        labels.clear();
    }
    if let [first, second, ..] = labels[..] {
        let [one, other] = [first, second].map(|file| shown(file.name));
        return Err(Question::new(format!("{one} and {other} may both be the labels"))
            .or(skip_files([second.name]), format!("for {one}"))
            .or(skip_files([first.name]), format!("for {other}")));
    }
    records.sort_by_cached_key(|file| {
        (natural_key(OsStr::new(stem_of(file.name))), file.name.as_bytes().to_vec())
    });
    match kind {
        _ if records.len() < 2 => {}
        NamesOf::Arrays => return Err(several_arrays(records)),
        NamesOf::Files => expect_shards(part_of, &mut records)?,
    }
    Ok(Member {
        part: part_of,
        records: records.iter().map(|file| file.index).collect(),
        labels: labels.first().map(|file| file.index),
    })
}

/// Says the files of each part: `train = x_train with y_train`.
fn said(found: &[Member], files: &[File<'_>], wanted: Part) -> Said {
    let file = |index: usize| files.get(index);
    let name = |index: usize| file(index).map_or("", |file| file.name);
    let records = |member: &Member| {
        let first = member.records.first().copied().unwrap_or_default();
        let total = file(first).and_then(|file| file.shard).map(|(_, total)| total);
        let count = member.records.len() as u64;
        let names = match count {
            0 | 1 => shown(name(first)).into_owned(),
            _ => listed(member.records.iter().map(|index| stem_of(name(*index))), 2),
        };
        match total.filter(|total| *total != count) {
            Some(total) => format!("{names} ({count} of {total} shards)"),
            None => names,
        }
    };
    let labels = |member: &Member| {
        member.labels.map(|labels| format!(" with {}", shown(name(labels)))).unwrap_or_default()
    };
    let part = |member: &Member| match member.part {
        part if part == wanted => String::new(),
        part => format!("{} = ", part.name()),
    };
    let shown = found.iter().filter(|one| wanted == Part::None || one.part == wanted);
    let texts = shown.map(|one| format!("{}{}{}", part(one), records(one), labels(one)));
    let text = texts.collect::<Vec<_>>().join("; ");
    // A single file, or all shards, need no statement.
    let is_plain = |one: &Member| {
        let shards = one.records.iter().filter_map(|index| file(*index)?.shard);
        let is_whole =
            shards.map(|(_, total)| total).all(|total| total == one.records.len() as u64);
        one.part == Part::None && one.labels.is_none() && is_whole
    };
    let mut said = Said::default();
    if !found.iter().all(is_plain) {
        said.say(Subject::Parts, Evidence::Name, text);
    }
    said
}
