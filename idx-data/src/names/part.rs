//! The parts of a data set, and the words for them in names and paths.

use std::fmt;
use std::path::Path;

/// A part of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// All of a set without parts.
    None,
    Train,
    Test,
    Val,
}

impl Part {
    const ALL: [Self; 3] = [Self::Train, Self::Test, Self::Val];

    /// Returns the words for it in names. Written files get the first.
    pub(super) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::None => &[],
            Self::Train => &["train", "training"],
            Self::Test => &["t10k", "test", "testing", "eval", "evaluation", "holdout"],
            Self::Val => &["val", "valid", "validation", "dev"],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Train => "train",
            Self::Test => "test",
            Self::Val => "val",
        }
    }

    /// Returns the part that this name of a folder or an array stands for, in any case: `test`, and `Test`.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let is_named = |part: &Self| part.words().iter().any(|own| own.eq_ignore_ascii_case(word));
        Self::ALL.into_iter().find(is_named)
    }
}

/// As in "training images".
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "",
            Self::Train => "training",
            Self::Test => "test",
            Self::Val => "validation",
        })
    }
}

/// The characters that may stand between the words of a name.
pub(crate) const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// Splits off the word for a part at the end of a name: returns the text before it, and the part.
pub(crate) fn split_part_word(text: &str) -> (&str, Part) {
    let split = |part: Part| {
        let mut prefixes = part.words().iter().filter_map(|word| strip_suffix(text, word));
        let is_word = |prefix: &&str| prefix.is_empty() || prefix.ends_with(SEPARATORS);
        Some((prefixes.find(is_word)?, part))
    };
    Part::ALL.into_iter().find_map(split).unwrap_or((text, Part::None))
}

/// Returns whether a name ends in these whole words, as `emnist-letters` ends in `letters`.
pub(crate) fn ends_with_words(name: &str, words: &str) -> bool {
    let front = name.strip_suffix(words);
    words.is_empty() || front.is_some_and(|front| front.is_empty() || front.ends_with(SEPARATORS))
}

/// Splits a path like `mnist/:train` at its last `:`. Text with a path separator, as in `C:\x`, is not the name of a
/// part.
pub(crate) fn split_part(path: &Path) -> Option<(&Path, &str)> {
    let (set, part) = path.to_str()?.rsplit_once(':')?;
    let is_name = !part.is_empty() && !part.contains(['/', '\\']) && !set.is_empty();
    is_name.then_some((Path::new(set), part))
}

/// Removes a suffix in any case.
pub(super) fn strip_suffix<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    let (front, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(front)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_follows_the_last_colon() {
        for (path, expected) in [
            ("mnist/:train", Some(("mnist/", "train"))),
            ("mnist.npz:test", Some(("mnist.npz", "test"))),
            ("C:/mnist/:t10k", Some(("C:/mnist/", "t10k"))),
            ("a:b/:letters-train", Some(("a:b/", "letters-train"))),
            (r"C:\x", None),
            ("C:/x", None),
            ("mnist:", None),
            (":train", None),
            ("mnist", None),
        ] {
            let expected = expected.map(|(set, part)| (Path::new(set), part));
            assert_eq!(split_part(path.as_ref()), expected, "{path}");
        }
        assert_eq!((Part::of("t10k"), Part::of("Test")), (Some(Part::Test), Some(Part::Test)));
        assert_eq!((Part::of("validation"), Part::of("x")), (Some(Part::Val), None));
        assert!(ends_with_words("emnist-letters", "letters") && ends_with_words("a", ""));
        assert!(!ends_with_words("emnist-letters", "ters"));
    }
}
