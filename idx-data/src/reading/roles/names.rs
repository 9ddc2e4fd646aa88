//! The names of columns: the role that each suggests by itself.

use crate::reading::spelling::words;
use crate::reading::words::part_in_folder;

/// The names of the column of the labels. `OpenML` and scikit-learn call it `class` and `target`.
const LABELS: [&str; 3] = ["label", "class", "target"];

/// Words in the names of columns that may be labels.
const NEAR: [&str; 9] =
    ["label", "labels", "class", "classes", "target", "targets", "category", "species", "digit"];

/// The same words in tables of other languages.
const NEAR_TRANSLATED: [&str; 8] =
    ["klasse", "classe", "clase", "etiqueta", "класс", "метка", "标签", "ラベル"];

/// Last words in the names of columns that number the rows.
const ROW_NUMBERS: [&str; 8] = ["id", "index", "idx", "row", "rownames", "no", "nr", "number"];

/// Last words in the names of columns that group the rows: by person, or for training and tests.
const GROUPS: [&str; 7] = ["id", "subject", "patient", "user", "fold", "kfold", "split"];

/// Last words in the names of columns that name pictures.
const KEYS: [&str; 5] = ["file", "filename", "image", "picture", "path"];

/// Returns whether a column of this name is the label.
pub(crate) fn is_label(name: &str) -> bool {
    LABELS.iter().any(|label| name.eq_ignore_ascii_case(label))
}

/// Returns whether a column of this name is the label if no column has a name of labels or is called `x`.
pub(crate) fn is_y(name: &str) -> bool {
    name.eq_ignore_ascii_case("y")
}

/// Returns whether a column of this name may be the label.
pub(super) fn is_near_label(name: &str) -> bool {
    let is_near = |word: &str| NEAR.contains(&word) || NEAR_TRANSLATED.contains(&word);
    words(name).iter().any(|word| is_near(word))
}

/// Returns whether a line is a title above names of classes, such as `Class Names:`, and not a name itself.
pub(crate) fn is_title(line: &str) -> bool {
    let mut titles = NEAR.iter().chain(&["name", "names", "class name", "class names"]);
    let line = line.trim_start_matches(['#', ' ']).trim_end_matches(':').replace('_', " ");
    titles.any(|title| line.eq_ignore_ascii_case(title))
}

/// Returns whether a column of this name numbers the rows.
pub(super) fn is_row_number(name: &str) -> bool {
    ends_with(name, &ROW_NUMBERS) && !is_near_label(name)
}

/// Returns whether a column of this name groups the rows.
pub(super) fn is_group(name: &str) -> bool {
    ends_with(name, &GROUPS) && !is_near_label(name)
}

/// Returns whether a column of this name says which rows belong to a part, such as `is_train` and `test`.
pub(super) fn says_part(name: &str) -> bool {
    part_in_folder(name).is_some_and(|(_, others)| others.iter().all(|word| word == "is"))
}

/// Returns whether a column of this name names files.
pub(super) fn names_files(name: &str) -> bool {
    ends_with(name, &KEYS) || words(name).iter().eq(["file", "name"]) || is_row_number(name)
}

fn ends_with(name: &str, endings: &[&str]) -> bool {
    words(name).last().is_some_and(|last| endings.contains(&last.as_str()))
}

/// Returns whether a column is nameless, like the row numbers of pandas and R.
pub(super) fn is_nameless(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let rest = name.strip_prefix("unnamed:").map(str::trim_start);
    let rest = rest.or_else(|| name.strip_prefix("level_"));
    let rest = rest.or_else(|| name.strip_prefix("__index_level_")?.strip_suffix("__"));
    name.is_empty() || rest.is_some_and(is_number)
}

/// Returns whether a column of this name is a number of a record, as this program and others write it: `1x1`, `x1`,
/// `pixel0`, `value`.
pub(crate) fn is_element(name: &str) -> bool {
    is_pixel(name) || name == "value" || name.strip_prefix('x').is_some_and(are_digits)
}

/// Returns whether a column of this name is a pixel of a picture.
pub(super) fn is_pixel(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("pixel").or_else(|| name.strip_prefix("px"));
    let number = number.map(|number| number.trim_start_matches(['_', ' ']));
    number.is_some_and(are_digits) || name.contains('x') && name.split('x').all(are_digits)
}

pub(crate) fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
