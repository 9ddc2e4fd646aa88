//! The meaning of the name of a file or array.

use std::path::Path;

use crate::answer::ReadingOption;
use crate::names::path::{has_extension, has_extension_of, without_gz};
use crate::names::{Part, idx_stem};
use crate::reading::question::Question;
use crate::reading::skip::skip;
use crate::reading::spelling::{shown, words};
use crate::reading::words::{
    is_label_folder, is_label_word, is_record_folder, is_record_word, part_of_file, part_of_folder,
    set_of_file,
};

/// The things that are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamesOf {
    /// Files of records in one folder, with the folders above them.
    Files,
    /// Arrays of an archive, without those of rank 0.
    Arrays,
}

/// The meaning of the name of a file or array.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File<'a> {
    pub(super) index: usize,
    pub(super) name: &'a str,
    /// Its folder.
    pub(super) folder: &'a str,
    pub(super) set: String,
    pub(super) part: Part,
    /// The number of the shard, and the number of all shards.
    pub(super) shard: Option<(u64, u64)>,
    /// True if its folder has the name of the part, so that the file may be one of several.
    pub(super) is_in_part: bool,
    pub(super) is_parquet: bool,
    pub(super) is_records: bool,
    pub(super) is_labels: bool,
}

impl<'a> File<'a> {
    pub(super) fn parse(index: usize, name: &'a str, kind: NamesOf) -> Result<Self, Question> {
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", name));
        let stem = match kind {
            NamesOf::Files => stem_of(last),
            NamesOf::Arrays => last,
        };
        let (stem, shard) = split_shard(without_size(stem));
        let (mut part, mut above) = (part_of_file(stem)?, Vec::new());
        let mut is_labels = is_label_file(stem);
        let is_named = part.is_some();
        for folder in folder.split('/').filter(|folder| !folder.is_empty()) {
            match (part_of_folder(folder), part) {
                (Some(found), Some(part)) if found != part => {
                    let question = format!("the path {} names two parts", shown(name));
                    return Err(Question::new(question).or(skip([name]), "if it is left out"));
                }
                (Some(found), _) => part = Some(found),
                // Kaggle and others unpack a file into a folder with its name.
                (None, _) if is_record_folder(folder) || stem_of(folder) == stem_of(last) => {}
                (None, _) if is_label_folder(folder) => is_labels = true,
                (None, _) => above.push(folder.to_lowercase()),
            }
        }
        let is_parquet = has_extension(Path::new(last), "parquet");
        // The shards that a cluster writes into a folder have any names.
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
}

/// Returns whether the name of a file says that it has labels and no records. `image_labels` are the labels of images,
/// while `x_y` may be both.
pub(crate) fn is_label_file(stem: &str) -> bool {
    let words = words(without_size(stem));
    let has = |is_word: fn(&str) -> bool| words.iter().any(|word| is_word(word));
    let is_last = || words.last().is_some_and(|word| is_label_word(word) && word.len() > 1);
    has(is_label_word) && (!has(is_record_word) || is_last())
}

/// Asks about an input that is named like labels and has none itself, if another may have its records. Each input has
/// its name, and true if it has labels.
pub(crate) fn expect_records(inputs: &[(String, bool)]) -> Result<(), Question> {
    let (labels, records): (Vec<_>, Vec<_>) =
        inputs.iter().partition(|(name, has_labels)| !has_labels && is_label_input(name));
    let (Some((labels, _)), Some((records, _))) = (labels.first(), records.first()) else {
        return Ok(());
    };
    let [shown_labels, records] = [labels, records].map(|name| shown(name));
    let sentence = format!(
        "{shown_labels} may have the labels of {records}; if so, give only {records} as input"
    );
    Err(Question::new(sentence)
        .or(ReadingOption::LabelsFrom(labels.clone()), "")
        .or(ReadingOption::NoLabels, "if all inputs are records"))
}

/// Returns whether the name of an input, a file or an array of an archive such as `a.npz:y`, says that it has labels.
fn is_label_input(name: &str) -> bool {
    is_label_file(name.rsplit_once(".npz:").map_or_else(|| stem_of(name), |(_, array)| array))
}

/// Returns the name of a file without its extensions, except one that says that it has labels: `train.labels`.
pub(super) fn stem_of(name: &str) -> &str {
    if let Some(front) = idx_stem(name) {
        return front;
    }
    let is_gzip = has_extension(Path::new(name), "gz");
    let plain = name.get(..name.len().saturating_sub(3)).filter(|_| is_gzip).unwrap_or(name);
    let split = plain.rsplit_once('.').filter(|(_, end)| !is_label_word(&end.to_ascii_lowercase()));
    split.map_or(plain, |(stem, _)| stem)
}

/// Returns a name without the sizes of its table at the end: `Images 12x784`, `Images 60k x 784`.
fn without_size(stem: &str) -> &str {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let front = stem.trim_end_matches(|letter| is_digit(letter) || "xk ".contains(letter));
    let size = stem.get(front.len()..).unwrap_or_default().trim_start();
    let is_size = size.contains('x') && size.starts_with(is_digit) && size.ends_with(is_digit);
    if is_size { front } else { stem }
}

/// Splits off `-00000-of-00002`, as shards are named on the Hugging Face Hub; a hash may follow.
pub(super) fn split_shard(stem: &str) -> (&str, Option<(u64, u64)>) {
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

/// Returns whether a file is an array by its name.
pub(crate) fn is_array(name: &str) -> bool {
    idx_stem(name).is_some() || has_extension_of(without_gz(Path::new(name)), &["npy", "idx"])
}

/// Returns the name of a file without its folders.
pub(super) fn last_of(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}
