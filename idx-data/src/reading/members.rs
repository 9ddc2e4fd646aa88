//! The parts, records and labels among the files of a folder, or the arrays of an archive, by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::answer::ReadingOption;
use crate::gather::Gather;
use crate::names::path::{has_extension, natural_key};
use crate::names::sets::choose as choose_set;
use crate::names::{Part, idx_stem};
use crate::reading::question::Question;
use crate::reading::skip::skip;
use crate::reading::spelling::{shown, words};
use crate::reading::words::{
    MOST_LISTED, is_label_folder, is_label_word, is_record_folder, is_record_word, listed,
    part_of_file, part_of_folder, set_of_file,
};
use crate::reading::{Evidence, Said, Subject};

/// The origin of the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamesOf {
    /// Files of records in one folder, with the folders above them.
    Files,
    /// Arrays of an archive, without those of rank 0.
    Arrays,
}

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

/// Finds the records and labels of each part. `wanted` is the text after `:` in the path of the folder. Without
/// `labels`, the place of the labels has no effect, and labels without records are left out.
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
    for file in &files {
        if kind == NamesOf::Files && files.len() > 1 && file.is_submission() {
            left_out.push(file.name);
            continue;
        }
        sets.entry(&file.set).or_default().entry(file.part).or_default().push(file);
    }
    let (set, part) = match kind {
        NamesOf::Files => choose(&sets, wanted)?,
        NamesOf::Arrays => (records_and_labels(&sets, labels)?, Part::None),
    };
    let unnamed = match sets.get(set).filter(|_| kind == NamesOf::Arrays) {
        Some(parts) => unnamed_part(parts)?,
        None => Part::None,
    };
    let mut found = Vec::new();
    for (of, files) in sets.get(set).into_iter().flatten() {
        let count = sets.get(set).map_or(0, BTreeMap::len);
        if count > 1
            && let Some(first) = files.first().filter(|_| files.iter().all(|file| file.is_labels))
        {
            if !labels {
                left_out.extend(files.iter().map(|file| file.name));
                continue;
            }
            let question = format!("{} are labels without their records", shown(first.name));
            let question = Question::new(question).or(skip([first.name]), "to leave them out");
            // Labels in a file are given for one part, and not for several.
            return Err(match count == 2 && kind == NamesOf::Files {
                true => question.or(
                    ReadingOption::LabelsFrom(first.name.to_string()),
                    "if they are those of the records",
                ),
                false => question,
            });
        }
        let of = if *of == Part::None { unnamed } else { *of };
        found.push(member(of, files, kind)?);
    }
    if kind == NamesOf::Arrays {
        let others = sets.iter().filter(|(other, _)| **other != set);
        left_out
            .extend(others.flat_map(|(_, parts)| parts.values().flatten().map(|file| file.name)));
    }
    let mut said = said(&found, &files, part);
    said.leave_out(left_out, Evidence::Name);
    Ok((Members { parts: found, wanted: part }, said))
}

/// Data sets by their names, and their files by part.
type Sets<'a> = BTreeMap<&'a str, BTreeMap<Part, Vec<&'a File<'a>>>>;

/// The meaning of the name of a file or array.
#[derive(Debug, PartialEq, Eq)]
struct File<'a> {
    index: usize,
    name: &'a str,
    /// Its folder.
    folder: &'a str,
    set: String,
    part: Part,
    /// The number of the shard, and the number of all shards.
    shard: Option<(u64, u64)>,
    /// True if its folder has the name of the part, so that the file may be one of several.
    is_in_part: bool,
    is_parquet: bool,
    is_records: bool,
    is_labels: bool,
}

impl<'a> File<'a> {
    fn parse(index: usize, name: &'a str, kind: NamesOf) -> Result<Self, Question> {
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", name));
        let stem = match kind {
            NamesOf::Files => stem_of(last),
            NamesOf::Arrays => last,
        };
        let (stem, shard) = split_shard(stem);
        let (mut part, mut above) = (part_of_file(stem)?, Vec::new());
        let mut is_labels = is_label_file(stem);
        let is_named = part.is_some();
        for folder in folder.split('/').filter(|folder| !folder.is_empty()) {
            match (part_of_folder(folder), part) {
                (Some((found, _)), Some(part)) if found != part => {
                    let question = format!("the path {} names two parts", shown(name));
                    return Err(Question::new(question).or(skip([name]), "if it is left out"));
                }
                (Some((found, _)), _) => part = Some(found),
                // Kaggle unpacks a file into a folder of its name.
                (None, _) if is_record_folder(folder) || folder == last => {}
                (None, _) if is_label_folder(folder) => is_labels = true,
                (None, _) => above.push(folder.to_lowercase()),
            }
        }
        let is_parquet = has_extension(Path::new(last), "parquet");
        // The shards of a folder that a cluster wrote have any names.
        let set = if is_parquet && !is_named { String::new() } else { set_of_file(stem) };
        above.extend((!set.is_empty()).then_some(set));
        let is_records = words(stem).iter().any(|word| is_record_word(word));
        Ok(Self {
            index,
            name,
            folder,
            set: above.join("-"),
            part: part.unwrap_or(Part::None),
            shard,
            is_in_part: part.is_some() && !is_named,
            is_parquet,
            is_records,
            is_labels,
        })
    }

    /// Returns whether it is Kaggle's example of an answer, whose labels are made up.
    fn is_submission(&self) -> bool {
        self.part == Part::None && words(self.name).iter().any(|word| word == "submission")
    }
}

/// Returns whether the name of a file says that it has labels and no records. `image_labels` are the labels of images,
/// while `x_y` may be both.
pub(crate) fn is_label_file(stem: &str) -> bool {
    let words = words(stem);
    let has = |is_word: fn(&str) -> bool| words.iter().any(|word| is_word(word));
    let is_last = || words.last().is_some_and(|word| is_label_word(word) && word.len() > 1);
    has(is_label_word) && (!has(is_record_word) || is_last())
}

/// Asks about an input with the name of labels, and without labels itself, beside others, which may be their records. Each
/// has its name, and true if it has labels.
pub(crate) fn expect_records(inputs: &[(String, bool)]) -> Result<(), Question> {
    let (labels, records): (Vec<_>, Vec<_>) =
        inputs.iter().partition(|(name, has_labels)| !has_labels && is_label_input(name));
    let (Some((labels, _)), Some((records, _))) = (labels.first(), records.first()) else {
        return Ok(());
    };
    let [shown_labels, records] = [labels, records].map(|name| shown(name));
    let sentence =
        format!("{shown_labels} may have the labels of {records}; give {records} alone with it");
    Err(Question::new(sentence)
        .or(ReadingOption::LabelsFrom(labels.clone()), "")
        .or(ReadingOption::NoLabels, "if all inputs are records"))
}

/// Returns whether the name of an input, a file or an array of an archive such as `a.npz:y`, says that it has labels.
fn is_label_input(name: &str) -> bool {
    is_label_file(name.rsplit_once(".npz:").map_or_else(|| stem_of(name), |(_, array)| array))
}

/// Returns the name of a file without its endings, except one that says that it has labels: `train.labels`.
fn stem_of(name: &str) -> &str {
    if let Some(front) = idx_stem(name) {
        return front;
    }
    let is_gzip = has_extension(Path::new(name), "gz");
    let plain = name.get(..name.len().saturating_sub(3)).filter(|_| is_gzip).unwrap_or(name);
    let split = plain.rsplit_once('.').filter(|(_, end)| !is_label_word(&end.to_ascii_lowercase()));
    split.map_or(plain, |(stem, _)| stem)
}

/// Splits off `-00000-of-00002`, by which shards are named on the hub of Hugging Face; a hash may follow.
fn split_shard(stem: &str) -> (&str, Option<(u64, u64)>) {
    let split = || {
        let (front, back) = stem.split_once("-of-")?;
        let digits =
            back.len() - back.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (total, rest) = back.split_at_checked(digits)?;
        let stem = front.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let number = front.get(stem.len()..)?.parse().ok()?;
        let is_end = rest.is_empty() || rest.starts_with(['-', '.']);
        let stem = stem.strip_suffix(['-', '_', '.']).unwrap_or(stem);
        is_end.then_some((stem, (number, total.parse().ok()?)))
    };
    split().map_or((stem, None), |(stem, shard)| (stem, Some(shard)))
}

/// Returns the wanted data set and its part; or the only one. Beside sets with parts there are no other records.
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
    choose_set(if have_parts { &named } else { &all }, wanted).map_err(|unclear| {
        let question = match wanted.filter(|_| unclear.is_lacking) {
            Some(wanted) => format!("there is no {} in this folder", shown(wanted)),
            None if have_parts => "this folder has several data sets".to_string(),
            None => return of_no_part(sets),
        };
        // All parts of the set without a name are what is left without the others.
        let is_left = sets.get("").is_some_and(|parts| parts.len() > 1) && !unclear.is_lacking;
        let others = names_in(sets, |set| is_left && !set.is_empty());
        let names = unclear.names.into_iter().map(ReadingOption::Part);
        let question = names.fold(Question::new(question), |asked, name| asked.or(name, ""));
        match others.is_empty() || others.len() > 2 * MOST_LISTED {
            true => question,
            false => {
                let option = skip_only(others, &names_in(sets, |_| true));
                question.or(option, "for all parts of the set without a name")
            }
        }
    })
}

/// Returns the names of the files or arrays in some of these data sets.
fn names_in<'a>(sets: &Sets<'a>, is_wanted: impl Fn(&str) -> bool) -> BTreeSet<&'a str> {
    let sets = sets.iter().filter(|(set, _)| is_wanted(set));
    sets.flat_map(|(_, parts)| parts.values().flatten()).map(|file| file.name).gather()
}

/// Returns the option that leaves out these of all files, and no others: a mere name is also that of files in folders.
fn skip_only<'a>(names: impl IntoIterator<Item = &'a str>, all: &BTreeSet<&str>) -> ReadingOption {
    let is_below = |name: &str, other: &&str| {
        other.strip_suffix(name).is_some_and(|front| front.ends_with('/'))
    };
    skip(names.into_iter().map(|name| match all.iter().any(|other| is_below(name, other)) {
        true => format!("./{name}"),
        false => name.to_string(),
    }))
}

/// The maximum number of sets that are offered.
const MOST_SETS: usize = 2;

/// Asks about files none of which has the name of a part.
fn of_no_part(sets: &Sets<'_>) -> Question {
    let files = sets.values().flat_map(BTreeMap::values).flatten().map(|file| file.name);
    // As programs for large tables name folders.
    let mut folders = files.clone().filter_map(|name| Some(name.rsplit_once('/')?.0));
    let column = folders.find(|folder| folder.contains('='));
    let column = column.map(|folder| format!("; they lack the column of {}", shown(folder)));
    let question = Question::new(format!(
        "the files {} are of no part; give them as inputs to join them, or one of them alone{}",
        listed(files, MOST_LISTED),
        column.unwrap_or_default()
    ));
    complete(sets, true).take(MOST_SETS).fold(question, |question, set| {
        let names = names_in(sets, |own| own == set);
        let others = names_in(sets, |other| other != set);
        let option = skip_only(others, &names_in(sets, |_| true));
        question.or(option, format!("for {}", listed(names, MOST_LISTED)))
    })
}

/// Checks that beside the parts of these data sets there are no other records.
fn expect_only_parts(
    sets: &Sets<'_>,
    named: &BTreeMap<&str, BTreeSet<Part>>,
) -> Result<(), Question> {
    let other = sets.iter().find_map(|(set, parts)| match named.contains_key(set) {
        true => parts.get(&Part::None)?.first(),
        false => parts.values().flatten().next(),
    });
    match other {
        Some(other) => {
            let question = format!("the file {} is of no part", shown(other.name));
            let option = skip_only([other.name], &names_in(sets, |_| true));
            Err(Question::new(question).or(option, "if it does not belong to the set"))
        }
        None => Ok(()),
    }
}

/// Returns the arrays that are the records and labels, if there are others.
fn records_and_labels<'a>(sets: &Sets<'a>, labels: bool) -> Result<&'a str, Question> {
    if let (1, Some((set, _))) = (sets.len(), sets.first_key_value()) {
        return Ok(set);
    }
    let mut complete = complete(sets, labels);
    complete.next().filter(|_| complete.next().is_none()).ok_or_else(|| {
        several_arrays(sets.values().flat_map(BTreeMap::values).flatten().copied().collect())
    })
}

/// Returns the data sets whose parts have records and, with `labels`, labels.
fn complete<'a>(sets: &Sets<'a>, labels: bool) -> impl Iterator<Item = &'a str> {
    let is_complete = move |files: &Vec<&File<'_>>| {
        let has = |is: fn(&File<'_>) -> bool| files.iter().any(|file| is(file));
        has(|file| file.is_records) && (!labels || has(|file| file.is_labels))
    };
    let complete = sets.iter().filter(move |(_, parts)| parts.values().all(is_complete));
    complete.map(|(set, _)| *set)
}

/// Returns the part of the arrays whose names say none: beside those of others, `x` and `y` are the training part.
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

/// Asks which of some arrays has the records.
fn several_arrays(mut arrays: Vec<&File<'_>>) -> Question {
    const SHOWN: usize = 3;
    // Longer names are not written as an answer.
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

/// Returns the records of one part, and their labels.
fn member(part_of: Part, files: &[&File<'_>], kind: NamesOf) -> Result<Member, Question> {
    let has_records = files.iter().any(|file| !file.is_labels);
    let (labels, mut records): (Vec<&File<'_>>, Vec<&File<'_>>) =
        files.iter().copied().partition(|file| file.is_labels && has_records);
    if let [first, second, ..] = labels[..] {
        let [one, other] = [first, second].map(|file| shown(file.name));
        let all = labels.iter().map(|file| file.name).gather();
        return Err(Question::new(format!("{one} and {other} may both be the labels"))
            .or(skip_only([second.name], &all), format!("for {one}"))
            .or(skip_only([first.name], &all), format!("for {other}")));
    }
    records.sort_by_cached_key(|file| {
        (natural_key(OsStr::new(stem_of(file.name))), file.name.as_bytes().to_vec())
    });
    if records.len() > 1 {
        expect_shards(part_of, &mut records, kind)?;
    }
    Ok(Member {
        part: part_of,
        records: records.iter().map(|file| file.index).collect(),
        labels: labels.first().map(|file| file.index),
    })
}

/// Checks that several files of one part are its shards, and sorts them.
fn expect_shards(of: Part, files: &mut [&File<'_>], kind: NamesOf) -> Result<(), Question> {
    if kind == NamesOf::Arrays {
        return Err(several_arrays(files.to_vec()));
    }
    let folders: BTreeSet<&str> = files.iter().map(|file| file.folder).gather();
    let mut families: BTreeMap<(&str, Option<u64>), Vec<&File<'_>>> = BTreeMap::new();
    for file in &*files {
        let (stem, shard) = split_shard(stem_of(file.name));
        families.entry((stem, shard.map(|(_, total)| total))).or_default().push(file);
    }
    let numbers: BTreeSet<u64> = files.iter().filter_map(|file| Some(file.shard?.0)).gather();
    let count = files.len() as u64;
    let is_counted = families.len() == 1
        && numbers.len() == files.len()
        && files
            .iter()
            .all(|file| file.shard.is_some_and(|(number, total)| number.max(count) <= total));
    let are_alike = || {
        let endings: BTreeSet<_> =
            files.iter().map(|file| Path::new(file.name).extension()).gather();
        let is_shard = |file: &&File<'_>| file.is_in_part || file.is_parquet && of == Part::None;
        numbers.is_empty() && endings.len() == 1 && files.iter().all(is_shard)
    };
    if folders.len() == 1 && (is_counted || are_alike()) {
        if is_counted {
            files.sort_unstable_by_key(|file| file.shard);
        }
        expect_no_copy(files)?;
        let names: BTreeSet<_> = files.iter().map(|file| words_of_shard(file.name)).gather();
        if is_counted || names.len() == 1 {
            return Ok(());
        }
    }
    let of = if of == Part::None { String::new() } else { format!(" of {}", of.name()) };
    let names = listed(files.iter().map(|file| file.name), 2);
    let question = Question::new(format!(
        "{names} may all be the records{of}; give them as inputs to join them"
    ));
    let groups: Vec<Vec<&File<'_>>> = match families.len() {
        1 => files.iter().map(|file| vec![*file]).collect(),
        _ => families.into_values().collect(),
    };
    let most = if groups.len() == 2 { 2 } else { 1 };
    // Longer lists are not written as an answer.
    let is_short = |group: &&Vec<&File<'_>>| files.len() - group.len() <= 2 * MOST_LISTED;
    let all = files.iter().map(|file| file.name).gather();
    Err(groups.iter().take(most).filter(is_short).fold(question, |question, group| {
        let is_other = |file: &&&File<'_>| group.iter().all(|own| own.index != file.index);
        let others = files.iter().filter(is_other).map(|file| file.name);
        question.or(
            skip_only(others, &all),
            format!("for {}", listed(group.iter().map(|file| file.name), 2)),
        )
    }))
}

/// Returns the words in the name of a shard, without its numbers and codes: `part` of `part-0-a0b1.parquet`.
fn words_of_shard(name: &str) -> Vec<&str> {
    let is_code = |token: &str| {
        let is_hexadecimal = token.chars().all(|letter| letter.is_ascii_hexdigit());
        token.len() < 2 || token.len() > 3 && is_hexadecimal || token.contains(char::is_numeric)
    };
    let tokens = stem_of(last_of(name)).split(|letter: char| !letter.is_alphanumeric());
    tokens.filter(|token| !is_code(token)).collect()
}

/// Asks about a file with the name of another one and more words, such as `data (1)`, `data - Copy` and `Copy of data`.
fn expect_no_copy(files: &[&File<'_>]) -> Result<(), Question> {
    let stems: BTreeMap<&str, &str> =
        files.iter().map(|file| (stem_of(last_of(file.name)), file.name)).gather();
    for (stem, copy) in &stems {
        let mut words = stem.match_indices(' ').flat_map(|(space, _)| {
            let (front, back) = stem.split_at_checked(space).unwrap_or_default();
            [front, back.trim_start()]
        });
        if let Some(file) = words.find_map(|words| stems.get(words)) {
            let [copy_shown, file] = [copy, file].map(|name| shown(name));
            let question =
                format!("{copy_shown} may be a copy of {file}; rename it if it has other records");
            return Err(Question::new(question).or(skip([copy]), "to leave it out"));
        }
    }
    Ok(())
}

/// Returns the name of a file without its folders.
fn last_of(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
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
    // A file alone, or all shards, need no statement.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the statements, or the question with its answers.
    fn read(names: &str, kind: NamesOf, wanted: Option<&str>, labels: bool) -> String {
        let names: Vec<String> = names.split(' ').map(|name| name.replace('\'', " ")).collect();
        match understand(&names, kind, wanted, labels) {
            Ok((_, said)) => {
                let texts = said.statements.iter().map(|one| one.text.as_str());
                texts.collect::<Vec<_>>().join("; ")
            }
            Err(question) => {
                let answers = question.answers.iter().map(|one| one.option.to_string());
                format!("? {}: {}", question.sentence, answers.collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn files_are_parts_records_labels_or_shards() {
        for (names, said) in [
            ("train.csv test.csv", "train = train.csv; test = test.csv"),
            (
                "digits-test.csv digits-train.csv",
                "train = digits-train.csv; test = digits-test.csv",
            ),
            ("train.csv test.csv dev.csv", "train = train.csv; test = test.csv; val = dev.csv"),
            (
                "images/train.idx images/test.idx labels/train.idx labels/test.idx",
                "train = images/train.idx with labels/train.idx; test = images/test.idx with labels/test.idx",
            ),
            ("data/train.csv data/eval.csv", "train = data/train.csv; test = data/eval.csv"),
            (
                "FashionTrain.csv FashionTest.csv",
                "train = FashionTrain.csv; test = FashionTest.csv",
            ),
            // Shards.
            (
                "train-00001-of-00002.parquet train-00000-of-00002.parquet test-00000-of-00001.parquet",
                "train = train-00000-of-00002, train-00001-of-00002; test = test-00000-of-00001.parquet",
            ),
            (
                "train-00000-of-00002-a0b1.csv train-00001-of-00002-c2d3.csv",
                "train = train-00000-of-00002-a0b1, train-00001-of-00002-c2d3",
            ),
            (
                "train-00000-of-00003.csv train-00002-of-00003.csv",
                "train = train-00000-of-00003, train-00002-of-00003 (2 of 3 shards)",
            ),
            ("train-00001-of-00003.csv", "train = train-00001-of-00003.csv (1 of 3 shards)"),
            (
                "data/train/10.csv data/train/9.csv data/test/0001.csv",
                "train = data/train/9, data/train/10; test = data/test/0001.csv",
            ),
            (
                "train/a.parquet train/b.parquet test/x.parquet",
                "train = train/a, train/b; test = test/x.parquet",
            ),
            ("part-0-u1.parquet part-1-u2.parquet", ""),
            (
                "part-00000-550e8400-e29b-41d4-abef-446655440000.snappy.parquet part-00001-550e8400-e29b-41d4-bade-446655440000.snappy.parquet",
                "",
            ),
            ("1-of-2.parquet 2-of-2.parquet", ""),
            // Records with their labels.
            (
                "x_train.csv y_train.csv x_test.csv y_test.csv",
                "train = x_train.csv with y_train.csv; test = x_test.csv with y_test.csv",
            ),
            ("X.npy y.npy", "X.npy with y.npy"),
            ("train_images.npy train_labels.npy", "train = train_images.npy with train_labels.npy"),
            ("records.npy records-labels.npy", "records.npy with records-labels.npy"),
            ("data.npy data_targets.npy", "data.npy with data_targets.npy"),
            (
                "train_values.csv train_labels.csv test_values.csv",
                "train = train_values.csv with train_labels.csv; test = test_values.csv",
            ),
            ("train/images.npy train/labels.npy", "train = train/images.npy with train/labels.npy"),
            (
                "train.csv train_labels.csv test.csv",
                "train = train.csv with train_labels.csv; test = test.csv",
            ),
            (
                "train/images-idx3-ubyte test/images.idx3-ubyte.gz",
                "train = train/images-idx3-ubyte; test = test/images.idx3-ubyte.gz",
            ),
            // Kaggle unpacks a file into a folder of its name.
            (
                "train-images-idx3-ubyte/train-images-idx3-ubyte train-labels-idx1-ubyte/train-labels-idx1-ubyte",
                "train = train-images-idx3-ubyte/train-images-idx.. with train-labels-idx1-ubyte/train-labels-idx..",
            ),
            (
                "train.csv/train.csv test.csv/test.csv",
                "train = train.csv/train.csv; test = test.csv/test.csv",
            ),
            ("iris.csv", ""),
            ("labels.csv", ""),
            (
                "m_train.data m_train.labels m_valid.data m_valid.labels",
                "train = m_train.data with m_train.labels; val = m_valid.data with m_valid.labels",
            ),
            (
                "train.csv test.csv sample_submission.csv",
                "train = train.csv; test = test.csv; sample_submission.csv left out",
            ),
        ] {
            assert_eq!(read(names, NamesOf::Files, None, true), said, "{names}");
        }
    }

    #[test]
    fn arrays_are_parts_records_or_labels() {
        for (names, said) in [
            ("x y", "x with y"),
            ("arr_0", ""),
            ("X y", "X with y"),
            ("images labels", "images with labels"),
            ("features targets", "features with targets"),
            (
                "x_train y_train x_test y_test",
                "train = x_train with y_train; test = x_test with y_test",
            ),
            (
                "X_train X_test y_train y_test",
                "train = X_train with y_train; test = X_test with y_test",
            ),
            ("train_data train_labels", "train = train_data with train_labels"),
            (
                "val_images val_labels train_images train_labels",
                "train = train_images with train_labels; val = val_images with val_labels",
            ),
            ("x y weights", "x with y; weights left out"),
            ("x y x_test y_test", "train = x with y; test = x_test with y_test"),
            ("x y x_train y_train", "? the names of x, y say no part: skip(\"x,y\")"),
            ("a/x a/y", "a/x with a/y"),
            // Questions.
            (
                "arr_0 arr_1",
                "? arr_0, arr_1 may all be the records: part(\"arr_0\") part(\"arr_1\")",
            ),
            ("a b", "? a, b may all be the records: part(\"a\") part(\"b\")"),
            ("weights x", "? x, weights may all be the records: part(\"x\") part(\"weights\")"),
            ("x images y", "? images, x may all be the records: part(\"images\") part(\"x\")"),
            ("y x xs x_grid", "x with y; x_grid, xs left out"),
            ("x_val y_test", "? y_test are labels without their records: skip(\"y_test\")"),
            (
                "x_val arr_0",
                "? x_val, arr_0 may all be the records: part(\"x_val\") part(\"arr_0\")",
            ),
            ("x y labels", "? y and labels may both be the labels: skip(\"labels\") skip(\"y\")"),
        ] {
            assert_eq!(read(names, NamesOf::Arrays, None, true), said, "{names}");
        }
        assert_eq!(read("weights x", NamesOf::Arrays, None, false), "weights left out");
    }

    #[test]
    fn files_that_may_be_meant_otherwise_are_asked_about() {
        for (names, question) in [
            (
                "train.csv test.csv extra.csv",
                "the file extra.csv is of no part: skip(\"extra.csv\")",
            ),
            (
                "digits.csv digits-train.csv",
                "the file digits.csv is of no part: skip(\"digits.csv\")",
            ),
            (
                "train.csv train'(1).csv",
                "train.csv, train (1).csv may all be the records of train; give them as inputs to join them: skip(\"train (1).csv\") skip(\"train.csv\")",
            ),
            // The same name in a folder.
            (
                "train.csv train.csv/train.csv test.csv",
                "train.csv, train.csv/train.csv may all be the records of train; give them as inputs to join them: \
                 skip(\"train.csv/train.csv\") skip(\"./train.csv\")",
            ),
            (
                "labels.csv images.csv old/labels.csv old/images.csv",
                "the files labels.csv, images.csv, old/labels.csv, old/images.csv are of no part; give them as inputs to \
                 join them, or one of them alone: skip(\"old/images.csv,old/labels.csv\") \
                 skip(\"./images.csv,./labels.csv\")",
            ),
            ("x.csv a/x.csv train.csv test.csv", "the file x.csv is of no part: skip(\"./x.csv\")"),
            (
                "train.csv train2.csv test.csv",
                "train.csv, train2.csv may all be the records of train; give them as inputs to join them: skip(\"train2.csv\") skip(\"train.csv\")",
            ),
            (
                "a.csv b.csv",
                "the files a.csv, b.csv are of no part; give them as inputs to join them, or one of them alone: ",
            ),
            (
                "X.npy y.npy groups.npy ids.npy",
                "the files X.npy, y.npy, groups.npy, ids.npy are of no part; give them as inputs to join them, or one of them \
                 alone: skip(\"groups.npy,ids.npy\")",
            ),
            (
                "0001.csv 0002.csv",
                "0001.csv, 0002.csv may all be the records; give them as inputs to join them: skip(\"0002.csv\") skip(\"0001.csv\")",
            ),
            (
                "a-train.csv b-train.csv",
                "this folder has several data sets: part(\"a\") part(\"b\")",
            ),
            (
                "train.csv test.csv train_small.csv",
                "this folder has several data sets: part(\"train\") part(\"test\") part(\"small\") skip(\"train_small.csv\")",
            ),
            ("train/test.csv", "the path train/test.csv names two parts: skip(\"train/test.csv\")"),
            (
                "x_val.npy y_test.npy",
                "y_test.npy are labels without their records: skip(\"y_test.npy\") labels(\"y_test.npy\")",
            ),
            (
                "x_train.npy x_val.npy y_test.npy",
                "y_test.npy are labels without their records: skip(\"y_test.npy\")",
            ),
            (
                "train_test.csv",
                "the name train_test says train and test; rename it to one of train, test and val: ",
            ),
            (
                "train-00000-of-00002.csv train-00000-of-00003.csv",
                "train-00000-of-00002.csv, train-00000-of-00003.csv may all be the records of train; give them as inputs to join them: \
                 skip(\"train-00000-of-00003.csv\") skip(\"train-00000-of-00002.csv\")",
            ),
            // Shards of two sets, and other files beside shards.
            (
                "0-of-1.parquet 0-of-2.parquet 1-of-2.parquet",
                "0-of-1.parquet, 0-of-2.parquet, .. may all be the records; give them as inputs to join them: \
                 skip(\"0-of-2.parquet,1-of-2.parquet\") skip(\"0-of-1.parquet\")",
            ),
            (
                "a-0-of-2.parquet b-1-of-2.parquet",
                "a-0-of-2.parquet, b-1-of-2.parquet may all be the records; give them as inputs to join them: \
                 skip(\"b-1-of-2.parquet\") skip(\"a-0-of-2.parquet\")",
            ),
            (
                "0-of-2.parquet 1-of-2.parquet other.parquet",
                "0-of-2.parquet, 1-of-2.parquet, .. may all be the records; give them as inputs to join them: \
                 skip(\"other.parquet\") skip(\"0-of-2.parquet,1-of-2.parquet\")",
            ),
            (
                "0-of-2-ab.parquet 0-of-2-cd.parquet",
                "0-of-2-ab.parquet, 0-of-2-cd.parquet may all be the records; give them as inputs to join them: \
                 skip(\"0-of-2-cd.parquet\") skip(\"0-of-2-ab.parquet\")",
            ),
            (
                "0-of-1.parquet 1-of-1.parquet",
                "0-of-1.parquet, 1-of-1.parquet may all be the records; give them as inputs to join them: \
                 skip(\"1-of-1.parquet\") skip(\"0-of-1.parquet\")",
            ),
            // Other names than those of shards.
            (
                "cat.parquet dog.parquet",
                "cat.parquet, dog.parquet may all be the records; give them as inputs to join them: \
                 skip(\"dog.parquet\") skip(\"cat.parquet\")",
            ),
            (
                "train/en.parquet train/fr.parquet",
                "train/en.parquet, train/fr.parquet may all be the records of train; give them as inputs to join them: \
                 skip(\"train/fr.parquet\") skip(\"train/en.parquet\")",
            ),
            // Copies.
            (
                "data.parquet data'(1).parquet",
                "data (1).parquet may be a copy of data.parquet; rename it if it has other records: \
                 skip(\"data (1).parquet\")",
            ),
            (
                "train/1.parquet train/2.parquet train/Copy'of'2.parquet",
                "train/Copy of 2.parquet may be a copy of train/2.parquet; rename it if it has other records: \
                 skip(\"train/Copy of 2.parquet\")",
            ),
        ] {
            assert_eq!(read(names, NamesOf::Files, None, true), format!("? {question}"), "{names}");
        }
        let names = "x_val.npy y_test.npy";
        assert_eq!(
            read(names, NamesOf::Files, None, false),
            "val = x_val.npy; y_test.npy left out"
        );
    }

    #[test]
    fn inputs_with_the_names_of_labels_beside_others() {
        for (names, expected) in [
            ("x.npy y.npy", "y.npy may have the labels of x.npy; give x.npy alone with it"),
            ("labels.csv images.csv", "labels.csv may have the labels of images.csv; ..."),
            ("a.npz:x a.npz:y", "a.npz:y may have the labels of a.npz:x; ..."),
            ("a.npz:x_train a.npz:x_test", ""),
            ("y.npz:x y.npz:z", ""),
            ("train-labels.idx test-labels.idx", ""),
            ("a.csv b.csv", ""),
            ("y.npy", ""),
            ("x.csv! y.csv", "y.csv may have the labels of x.csv; ..."),
            ("x.csv! y.csv!", ""),
        ] {
            // Those with a mark have labels.
            let input = |name: &str| match name.strip_suffix('!') {
                Some(name) => (name.to_string(), true),
                None => (name.to_string(), false),
            };
            let inputs: Vec<(String, bool)> = names.split(' ').map(input).collect();
            let found = expect_records(&inputs).map_or_else(|asked| asked.sentence, |()| "".into());
            match expected.strip_suffix("...") {
                Some(start) => assert!(found.starts_with(start), "{found}"),
                None => assert_eq!(found, expected),
            }
        }
    }

    #[test]
    fn a_set_or_part_that_is_wanted() {
        let names = "train.csv test.csv subject_train.csv subject_test.csv";
        assert_eq!(read(names, NamesOf::Files, Some("train"), true), "train.csv");
        let names = "digits-train.csv my-digits-train.csv";
        assert_eq!(read(names, NamesOf::Files, Some("digits-train"), true), "digits-train.csv");
        let names = "a-letters-train.csv a-letters-test.csv a-digits-train.csv";
        for (wanted, said) in [
            ("letters", "train = a-letters-train.csv; test = a-letters-test.csv"),
            ("letters-train", "a-letters-train.csv"),
            (
                "digits-t10k",
                "? there is no digits-t10k in this folder: part(\"a-digits\") part(\"a-letters\")",
            ),
            (
                "train",
                "? this folder has several data sets: part(\"a-digits\") part(\"a-letters\")",
            ),
            ("other", "? there is no other in this folder: part(\"a-digits\") part(\"a-letters\")"),
        ] {
            assert_eq!(read(names, NamesOf::Files, Some(wanted), true), said, "{wanted}");
        }
        assert_eq!(read("train.csv test.csv", NamesOf::Files, Some("t10k"), true), "test.csv");
        let lacking = "? there is no val in this folder: part(\"train\") part(\"test\")";
        assert_eq!(read("train.csv test.csv", NamesOf::Files, Some("val"), true), lacking);
    }
}
