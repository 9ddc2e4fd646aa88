//! The shards of a part: several files with its records, in their order.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::gather::Gather;
use crate::names::Part;
use crate::reading::cell::are_distinct;
use crate::reading::members::file::{File, last_of, split_shard, stem_of};
use crate::reading::question::Question;
use crate::reading::skip::{skip, skip_files};
use crate::reading::spelling::shown;
use crate::reading::words::listed;

/// The maximum number of files, or of groups of files with similar names, that a question offers.
const MOST_OFFERED: usize = 2;

/// Checks that several files of one part are its shards, and sorts them.
pub(super) fn expect_shards(of: Part, files: &mut [&File<'_>]) -> Result<(), Question> {
    let mut families: BTreeMap<(&str, Option<u64>), Vec<&File<'_>>> = BTreeMap::new();
    for file in &*files {
        let (stem, shard) = split_shard(stem_of(file.name));
        families.entry((stem, shard.map(|(_, total)| total))).or_default().push(file);
    }
    let count = files.len() as u64;
    let is_one_of_all =
        |file: &&File<'_>| file.shard.is_some_and(|(number, total)| number.max(count) <= total);
    let is_counted = families.len() == 1
        && files.iter().all(is_one_of_all)
        && are_distinct(files.iter().map(|file| file.shard));
    let are_alike = || {
        let extension = files.iter().map(|file| Path::new(file.name).extension()).common();
        let is_shard = |file: &&File<'_>| {
            let is_named = file.is_in_part || file.is_parquet && of == Part::None;
            file.shard.is_none() && is_named
        };
        extension.is_some() && files.iter().all(is_shard)
    };
    let folder = files.iter().map(|file| file.folder).common();
    if folder.is_some() && (is_counted || are_alike()) {
        if is_counted {
            files.sort_unstable_by_key(|file| file.shard);
        }
        expect_no_copy(files)?;
        let words = || files.iter().map(|file| words_of_shard(file.name)).common();
        if is_counted || words().is_some() {
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
    Err(groups.iter().take(MOST_OFFERED).fold(question, |question, group| {
        let is_other = |file: &&&File<'_>| group.iter().all(|own| own.index != file.index);
        let others = files.iter().filter(is_other).map(|file| file.name);
        question.or_skip(
            skip_files(others),
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
    let stems = || files.iter().map(|file| (stem_of(last_of(file.name)), file.name));
    let known: HashMap<&str, &str> = stems().collect();
    for (stem, copy) in stems() {
        let mut words = stem.match_indices(' ').flat_map(|(space, _)| {
            let (front, back) = stem.split_at_checked(space).unwrap_or_default();
            [front, back.trim_start()]
        });
        if let Some(file) = words.find_map(|words| known.get(words)) {
            let [copy_shown, file] = [copy, file].map(|name| shown(name));
            let question =
                format!("{copy_shown} may be a copy of {file}; rename it if it has other records");
            return Err(Question::new(question).or(skip([copy]), "to leave it out"));
        }
    }
    Ok(())
}
