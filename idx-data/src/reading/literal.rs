//! Lists and dictionaries of JSON and Python, as programs write the names of classes.

/// Returns the rows of a list of texts and numbers, or of a dictionary of them; a row of a dictionary begins with its
/// key. `None` for anything else.
pub(crate) fn literal(text: &str) -> Option<Vec<Vec<String>>> {
    let mut parser = Parser { rest: text.trim() };
    let rows = match parser.next()? {
        Token::Mark('[') => parser.items(']', Parser::row)?,
        Token::Mark('{') => parser.items('}', Parser::entry)?,
        _ => return None,
    };
    (parser.rest.is_empty() && !rows.is_empty()).then_some(rows)
}

struct Parser<'a> {
    rest: &'a str,
}

enum Token {
    Mark(char),
    Text(String),
}

impl Parser<'_> {
    fn next(&mut self) -> Option<Token> {
        const MARKS: [char; 8] = ['[', ']', '{', '}', '(', ')', ':', ','];
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let token = match first {
            '"' | '\'' => Token::Text(self.quoted(first)?),
            _ if MARKS.contains(&first) => {
                self.rest = self.rest.strip_prefix(first)?;
                Token::Mark(first)
            }
            _ => {
                let is_end = |letter: char| letter.is_whitespace() || MARKS.contains(&letter);
                let (text, rest) =
                    self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
                self.rest = rest;
                // Other words are not values.
                Token::Text(text.parse::<f64>().ok().map(|_| text.to_string())?)
            }
        };
        self.rest = self.rest.trim_start();
        Some(token)
    }

    /// Returns the items up to a closing bracket; a comma may follow the last one.
    fn items<T>(&mut self, close: char, item: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        loop {
            if let Some(rest) = self.rest.strip_prefix(close) {
                self.rest = rest.trim_start();
                return Some(items);
            }
            items.push(item(self)?);
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest.trim_start(),
                None if self.rest.starts_with(close) => {}
                None => return None,
            }
        }
    }

    /// Reads a text, or a list of texts.
    fn row(&mut self) -> Option<Vec<String>> {
        match self.next()? {
            Token::Text(text) => Some(vec![text]),
            Token::Mark('[') => self.items(']', Self::text),
            Token::Mark('(') => self.items(')', Self::text),
            Token::Mark(_) => None,
        }
    }

    fn entry(&mut self) -> Option<Vec<String>> {
        let mut row = vec![self.text()?];
        match self.next()? {
            Token::Mark(':') => row.extend(self.row()?),
            _ => return None,
        }
        Some(row)
    }

    fn text(&mut self) -> Option<String> {
        match self.next()? {
            Token::Text(text) => Some(text),
            Token::Mark(_) => None,
        }
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
