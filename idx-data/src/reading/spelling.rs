//! The words of a name, and texts as sentences show them.

use std::borrow::Cow;

use idx_std::__private::printable;

/// Returns the words of a name in lower case: `ImageId` and `image_id` are image and id.
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
    words
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
            ("t10k", &["t", "k"]),
            ("Größe", &["größe"]),
            ("", &[]),
            ("12", &[]),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }

    #[test]
    fn texts_of_sentences_are_short_and_printable() {
        assert_eq!(shown("cat"), "cat");
        assert_eq!(shown("\u{1b}[31m"), r"\u{1b}[31m");
        assert_eq!(shown(&"é".repeat(41)), "é".repeat(40) + "..");
    }
}
