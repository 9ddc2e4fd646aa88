//! Patterns for the labels in the names of pictures.

use crate::error::ErrorKind;

/// A pattern such as `{}_*`: `{}` is the label, `*` is anything, and the rest stands for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    before: String,
    after: String,
}

/// The place of the label.
const LABEL: &str = "{}";

impl Pattern {
    pub(crate) fn parse(text: &str) -> Result<Self, ErrorKind> {
        match text.split(LABEL).collect::<Vec<_>>()[..] {
            [before, after] => Ok(Self { before: before.to_string(), after: after.to_string() }),
            _ => {
                let message = "a pattern of the names of pictures has one `{}`, which is the label; write one like \
                               `{}_*`";
                Err(ErrorKind::mismatch(message))
            }
        }
    }

    /// Returns the label in a name, never an empty one. As in regular expressions, the first of `*` and `{}` takes as
    /// much as it can: in `hot_dog_12`, the label of `{}_*` ends before the last `_`, and that of `*_{}` begins after
    /// it.
    pub(crate) fn label<'a>(&self, stem: &'a str) -> Option<&'a str> {
        let ends = || stem.char_indices().map(|(at, _)| at).chain([stem.len()]).rev();
        let mut starts = ends().filter(|start| is_match(&self.before, &stem[..*start]));
        starts.find_map(|start| {
            let mut ends = ends().filter(|end| *end > start);
            stem.get(start..ends.find(|end| is_match(&self.after, &stem[*end..]))?)
        })
    }
}

/// Returns whether all of a text matches a pattern in which `*` is anything.
pub(super) fn is_match(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty(); // without a star
    };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_names() {
        for (pattern, name, label) in [
            ("{}_*", "cat_0", Some("cat")),
            ("{}_*", "american_bulldog_12", Some("american_bulldog")),
            ("{}_*_*", "7_jackson_32", Some("7")),
            ("{}_*_*", "hot_dog_7_32", Some("hot_dog")),
            ("*_{}", "input_1_2_10", Some("10")),
            ("{}.*", "cat.0", Some("cat")),
            ("*-{}-*", "a-b-c", Some("b")),
            ("*-{}-*", "a-b-c-d", Some("c")),
            ("img{}", "img7", Some("7")),
            ("img{}", "pic7", None),
            ("{}_*", "cat", None),
            ("{}_*", "_0", None),
            ("{}", "猫", Some("猫")),
            ("*猫{}*", "a猫b", Some("b")),
            ("{}", "", None),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap().label(name), label, "{pattern} {name}");
        }
        for pattern in ["", "*_*", "{}{}", "{"] {
            assert!(Pattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
