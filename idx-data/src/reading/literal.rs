//! Lists and dictionaries of JSON and Python, in which programs write class names.

use std::mem::take;

/// Returns the rows of a list of texts and numbers, or of a dictionary of them; a row of a dictionary begins with its
/// key, and a row may be a list or a tuple. `None` for anything else.
pub(crate) fn literal(text: &str) -> Option<Vec<Vec<String>>> {
    let mut tokens = Tokens { rest: text.trim() };
    let (mut rows, mut row) = (Vec::new(), Vec::new());
    let is_dictionary = text.trim().starts_with('{');
    // The brackets still to be closed, and whether the last token ended a value.
    let mut closings = Vec::new();
    let mut is_after = false;
    loop {
        let token = tokens.next()?;
        let is_row = closings.len() == 1;
        let is_whole = !row.is_empty() && (row.len() > 1 || !is_dictionary);
        match &token {
            Token::Text(text) if !is_after && !closings.is_empty() => row.push(text.clone()),
            Token::Mark('{') if closings.is_empty() => closings.push('}'),
            Token::Mark('[') if !is_after && closings.len() < 2 => closings.push(']'),
            Token::Mark('(') if !is_after && is_row => closings.push(')'),
            Token::Mark(':') if is_after && is_row && is_dictionary && row.len() == 1 => {}
            Token::Mark(',') if is_after && is_row && is_whole => rows.push(take(&mut row)),
            Token::Mark(',') if is_after && closings.len() == 2 => {}
            Token::Mark(mark) if closings.pop() == Some(*mark) => {
                if is_row && is_whole {
                    rows.push(take(&mut row));
                }
                if is_row {
                    let is_end = tokens.rest.is_empty() && row.is_empty() && !rows.is_empty();
                    return is_end.then_some(rows);
                }
            }
            _ => return None,
        }
        is_after = matches!(token, Token::Text(_) | Token::Mark(']' | ')'));
    }
}

enum Token {
    Mark(char),
    Text(String),
}

/// The brackets, commas, colons and values of a text.
struct Tokens<'a> {
    rest: &'a str,
}

impl Tokens<'_> {
    fn next(&mut self) -> Option<Token> {
        const MARKS: [char; 8] = ['[', ']', '{', '}', '(', ')', ':', ','];
        let first = self.rest.chars().next()?;
        let token = match first {
            '"' | '\'' => Token::Text(self.quoted(first)?),
            _ if MARKS.contains(&first) => {
                self.rest = self.rest.strip_prefix(first)?;
                Token::Mark(first)
            }
            _ => {
                let is_end = |letter: char| letter.is_whitespace() || MARKS.contains(&letter);
                let end = self.rest.find(is_end).unwrap_or(self.rest.len());
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                // Other words are not values.
                text.parse::<f64>().ok()?;
                Token::Text(text.to_string())
            }
        };
        self.rest = self.rest.trim_start();
        Some(token)
    }

    /// Reads a text in quotes, with the escapes that JSON and Python have in common.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut letters = self.rest.strip_prefix(quote)?.chars();
        loop {
            match letters.next()? {
                '\\' => text.push(match letters.next()? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'u' => {
                        let code = letters.as_str().get(..4)?;
                        letters = letters.as_str().get(4..)?.chars();
                        char::from_u32(u32::from_str_radix(code, 16).ok()?)?
                    }
                    escaped @ ('"' | '\'' | '\\' | '/') => escaped,
                    _ => return None,
                }),
                letter if letter == quote => {
                    self.rest = letters.as_str();
                    return Some(text);
                }
                letter => text.push(letter),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_dictionaries_of_json_and_python() {
        for (text, expected) in [
            (r#"["cat", "hot dog"]"#, Some(&[&["cat"][..], &["hot dog"]][..])),
            ("['cat',\n 'it\\'s',]\n", Some(&[&["cat"], &["it's"]])),
            (r#"{"0": "cat", "1": "d\u00e9j\u00e0"}"#, Some(&[&["0", "cat"], &["1", "déjà"]])),
            ("{0: 'cat', 1: \"dog\"}", Some(&[&["0", "cat"], &["1", "dog"]])),
            (r#"{"cat": 0}"#, Some(&[&["cat", "0"]])),
            (r#"{"0": ["n01", "cat"]}"#, Some(&[&["0", "n01", "cat"]])),
            ("[(0, 'cat')]", Some(&[&["0", "cat"]])),
            ("[]", None),
            ("{", None),
            ("[\"cat\"", None),
            ("[\"cat\" \"dog\"]", None),
            ("[PAD]\ncat", None),
            ("[\"cat\"] dog", None),
            ("[\"\\", None),
            ("[\"\\u00", None),
            (r#"{"a": {"0": "cat"}}"#, None),
            ("cat", None),
            ("", None),
        ] {
            let found = literal(text);
            let expected: Option<Vec<Vec<String>>> = expected.map(|rows| {
                rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}
