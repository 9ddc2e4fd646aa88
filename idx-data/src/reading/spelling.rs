//! The words of a name, and texts as sentences show them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::gather::Gather;
use crate::names::Part;
use idx_std::__private::printable;

/// Returns the words of a name in lower case: `ImageId` and `image_id` are image and id, `Xtrain` is x and train.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut letters = name.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        if letter.is_alphabetic() {
            let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
            let starts = !before.is_alphabetic()
                || letter.is_uppercase() && (before.is_lowercase() || next_is_lower);
            if starts {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        before = letter;
    }
    let parts = |word: String| match word.strip_prefix(['x', 'y']) {
        Some(part) if Part::of(part).is_some() => vec![word.replace(part, ""), part.to_string()],
        _ => vec![word],
    };
    words.into_iter().flat_map(parts).collect()
}

/// Makes a text printable and short, for a sentence.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    const MAX: usize = 40;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{}..", printable(start)).into()
        }
        None => printable(text).into(),
    }
}

/// Returns whether a text has decomposed characters (accents, Korean syllables, voiced sounds of Japanese), as in the
/// file names of macOS, or invisible ones, as in texts of web pages.
fn has_marks(text: &str) -> bool {
    let is_mark = |letter| {
        is_accent(letter)
            || is_unseen(letter)
            || matches!(letter, '\u{1100}'..='\u{11FF}' | NO_BREAK)
    };
    text.contains(is_mark)
}

/// The space at which no line breaks.
const NO_BREAK: char = '\u{A0}';

/// Returns whether a character is invisible.
const fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE0F}' | '\u{FEFF}')
}

/// Returns whether a character combines with the letter before it.
const fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{1160}'..='\u{11FF}' | '\u{3099}'..='\u{309A}')
}

/// Returns whether two names differ only in case, in what separates their words, or in decomposed or invisible
/// characters.
pub(crate) fn are_spellings(one: &str, other: &str) -> bool {
    one != other
        && (lower(one) == lower(other)
            || has_marks(one) != has_marks(other) && without_accents(one) == without_accents(other))
}

/// Returns two of these names that look the same; the first one has decomposed or invisible characters.
pub(crate) fn look_alike<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<[&'a str; 2]> {
    let (marked, plain): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| has_marks(name));
    let plain = plain.into_iter().filter(|_| !marked.is_empty());
    let plain: HashMap<String, &str> = plain.map(|name| (without_accents(name), name)).gather();
    let mut marked = marked.into_iter();
    marked.find_map(|name| Some([name, *plain.get(&without_accents(name))?]))
}

/// Returns a name in lower case, with `-` between its words.
pub(crate) fn lower(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}

/// Returns a name with `?` for each letter that is not ASCII or has an accent, and without invisible characters.
fn without_accents(name: &str) -> String {
    let mut letters = String::new();
    for letter in name.chars().filter(|letter| !is_unseen(*letter)) {
        if is_accent(letter) {
            letters.pop();
        }
        letters.push(match letter {
            NO_BREAK => ' ',
            _ if letter.is_ascii() => letter,
            _ => '?',
        });
    }
    letters
}

/// Returns two names so that they can be told apart: with the codes of their characters if they look alike.
pub(crate) fn told_apart([one, other]: [&str; 2]) -> [String; 2] {
    let coded = |name: &str| -> String {
        name.chars()
            .map(|letter| match letter.is_ascii() {
                true => shown(letter.encode_utf8(&mut [0; 4])).into_owned(),
                false => letter.escape_unicode().to_string(),
            })
            .collect()
    };
    match has_marks(one) == has_marks(other) {
        true => [one, other].map(|name| shown(name).into_owned()),
        false => [one, other].map(coded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        for (name, expected) in [
            ("ImageId", &["image", "id"][..]),
            ("image_id", &["image", "id"]),
            ("ID", &["id"]),
            ("XMLFile", &["xml", "file"]),
            ("pixel0", &["pixel"]),
            ("No.", &["no"]),
            ("x_train", &["x", "train"]),
            ("Xtrain", &["x", "train"]),
            ("ytest", &["y", "test"]),
            ("xtrains", &["xtrains"]),
            ("t10k", &["t", "k"]),
            ("Größe", &["größe"]),
            ("", &[]),
            ("12", &[]),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn spellings_of_one_name() {
        for (one, other, expected) in [
            ("Cat", "cat", true),
            ("big_cat", "big cat", true),
            ("Big-Cat", "big_cat", true),
            ("caf\u{e9}", "cafe\u{301}", true),
            ("\u{304c}", "\u{304b}\u{3099}", true),
            ("\u{ac01}", "\u{1100}\u{1161}\u{11a8}", true),
            ("caf\u{e9}", "caff", false),
            ("\u{e9}", "\u{e8}", false),
            ("cat\u{200b}", "cat", true),
            ("\u{feff}cat", "cat", true),
            ("big\u{a0}cat", "big cat", true),
            ("cat", "cats", false),
            ("cat", "cat", false),
        ] {
            assert_eq!(are_spellings(one, other), expected, "{one} {other}");
        }
        assert_eq!(told_apart(["\u{e9}", "e\u{301}"]), ["\\u{e9}", "e\\u{301}"]);
        assert_eq!(told_apart(["\u{e9}", "\u{c9}"]), ["\u{e9}", "\u{c9}"]);
    }

    #[test]
    fn texts_of_sentences_are_short_and_printable() {
        assert_eq!(shown("cat"), "cat");
        assert_eq!(shown("\u{1b}[31m"), r"\u{1b}[31m");
        assert_eq!(shown(&"é".repeat(41)), "é".repeat(40) + "..");
    }
}
