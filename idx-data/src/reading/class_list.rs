//! The text of a list of classes: the label that each name is for. If the labels in use leave one reading, it is
//! returned; if not, a question is.

use std::collections::{BTreeMap, BTreeSet};

use crate::gather::Gather;
use crate::reading::literal::literal;
use crate::reading::question::Question;
use crate::reading::spelling::shown;
use crate::reading::{Evidence, Statement, Subject};
use idx_std::__private::counted;
use idx_std::FileSignature;

/// Names by label.
pub(crate) type NamesByLabel = BTreeMap<i128, String>;

/// Titles above names, which are not names themselves.
const TITLES: [&str; 12] = [
    "name",
    "names",
    "label",
    "labels",
    "class",
    "classes",
    "class_name",
    "class_names",
    "category",
    "species",
    "target",
    "digit",
];

/// The names above columns of names, where there are several columns of words.
const NAME_COLUMNS: [&str; 4] = ["name", "class_name", "class", "label"];

/// Returns the names of classes in a list, by their labels, and the reading of the list. `used` are the labels in use,
/// or none if these are not known.
pub(crate) fn class_names(
    text: &str,
    used: &BTreeSet<i128>,
) -> Result<(NamesByLabel, Statement), Question> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let list = List { used, lines: lines(text) };
    let (names, sentence) = match literal(text) {
        Some(rows) => list.of_literal(&rows)?,
        None if is_json(text) => {
            let message = "this is JSON of another form than `{\"0\": \"cat\"}` or `[\"cat\"]`; write a line `0 name` for \
                           each class";
            return Err(Question::new(message));
        }
        None => list.of_lines()?,
    };
    Ok((names, Statement::new(Subject::Classes, Evidence::Content, sentence)))
}

/// Returns whether a text is JSON, which lines of names never are.
fn is_json(text: &str) -> bool {
    let is_json = |found: FileSignature| found.to_string() == "JSON";
    FileSignature::detect(text.as_bytes()).is_some_and(is_json)
}

/// Returns the lines of a list without comments, marks of lists, and quotes around them.
fn lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_comment = |line: &str| line == "#" || line.starts_with("# ") || line == "names:";
    let lines = lines.iter().copied().filter(|line| !is_comment(line));
    let mut named = lines.clone().filter(|line| !line.is_empty()).rev().skip(1).peekable();
    let have_commas = named.peek().is_some() && named.all(|line| line.ends_with(','));
    let clean = |line: &str| {
        let line = line.strip_prefix("- ").unwrap_or(line);
        let line = if have_commas { line.strip_suffix(',').unwrap_or(line) } else { line };
        unquoted(line.trim()).to_string()
    };
    let mut lines: Vec<String> = lines.map(clean).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    let inside = inside('"').or_else(|| inside('\''));
    inside.filter(|inside| !inside.contains(['"', '\''])).unwrap_or(text)
}

/// A list, and the labels in use.
struct List<'a> {
    used: &'a BTreeSet<i128>,
    lines: Vec<String>,
}

/// A list as columns: some of them are whole numbers, each once, and may be the labels.
struct Listing<'a> {
    rows: &'a [Vec<String>],
    /// The names above the columns, if there are any.
    names: Option<&'a [String]>,
    labels: Vec<usize>,
}

type Read = (NamesByLabel, String);

impl List<'_> {
    /// Reads a list or a dictionary of JSON or Python.
    fn of_literal(&self, rows: &[Vec<String>]) -> Result<Read, Question> {
        if rows.iter().all(|row| row.len() == 1) {
            let names: Vec<&str> = rows.iter().flatten().map(String::as_str).collect();
            let read = self.numbered(names.into_iter());
            return self.checked(read, "item N names label N");
        }
        match Listing::new(rows, None) {
            Some(columns) => self.of_columns(&columns),
            None => Err(self.ask()),
        }
    }

    fn of_lines(&self) -> Result<Read, Question> {
        let lines: Vec<&str> =
            self.lines.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        for separator in [',', ';', '\t'] {
            let rows: Vec<Vec<String>> = lines.iter().map(|line| cells(line, separator)).collect();
            if let Some(columns) = Listing::below_names(&rows) {
                return self.of_columns(&columns);
            }
        }
        let all = |split: fn(&str) -> Option<(i128, &str)>| -> Option<Vec<(i128, &str)>> {
            let named: Option<Vec<_>> = lines.iter().map(|line| split(line)).collect();
            named.filter(|named| !named.is_empty())
        };
        if let Some(named) = all(number_first) {
            return self.checked(with_characters(named), "each line has a label and its name");
        }
        // Boeing 737 is a name, unless 737 is a label; group 0 and group 1 are names, too, because their words are the
        // same.
        let is_label = |label: i128| match self.used.is_empty() {
            true => usize::try_from(label).is_ok_and(|label| label <= lines.len()),
            false => self.used.contains(&label),
        };
        let are_pairs = |named: &Vec<(i128, &str)>| {
            let names: BTreeSet<&str> = named.iter().map(|(_, name)| *name).gather();
            names.len() == named.len() && named.iter().any(|(label, _)| is_label(*label))
        };
        if let Some(named) = all(number_last).filter(are_pairs) {
            return self.checked(with_characters(named), "each line has a name and its label");
        }
        let numbered = |is: bool| {
            let mut all = self.lines.iter().enumerate().filter(|(_, line)| !line.is_empty());
            all.find(|(_, line)| number_first(line).is_some() == is).map(|(line, _)| line + 1)
        };
        if let (Some(with), Some(without)) = (numbered(true), numbered(false)) {
            return Err(Question::new(format!(
                "line {with} begins with the number of a class and line {without} does not; number all lines, or none"
            )));
        }
        self.of_order(&lines)
    }

    /// Names label N by line N: an empty line counts, as a label without a name, if all labels in use then have names.
    fn of_order(&self, lines: &[&str]) -> Result<Read, Question> {
        let title = lines.first().filter(|line| {
            lines.len() > 1 && TITLES.iter().any(|title| line.eq_ignore_ascii_case(title))
        });
        if title.is_some() {
            let below = self.numbered(lines.iter().copied().skip(1));
            if self.has_used(below.iter().map(|(label, _)| *label)) {
                return self.checked(below, "line N names label N, below a title");
            }
        }
        let all = self.numbered(self.lines.iter().map(String::as_str));
        let full = self.numbered(lines.iter().copied());
        match self.has_used(all.iter().map(|(label, _)| *label)) {
            true => self.checked(all, "line N names label N"),
            false => self.checked(full, "line N names label N"),
        }
    }

    /// Returns the names in their order, without empty ones.
    fn numbered<'b>(&self, names: impl Iterator<Item = &'b str>) -> Vec<(i128, String)> {
        let names = (0..).zip(names).filter(|(_, name)| !name.is_empty());
        names.map(|(label, name)| (label, name.to_string())).collect()
    }

    /// Returns whether the labels in use are among these.
    fn has_used(&self, labels: impl Iterator<Item = i128>) -> bool {
        let labels: BTreeSet<i128> = labels.gather();
        self.used.is_subset(&labels)
    }

    /// Reads the names in the columns.
    fn of_columns(&self, columns: &Listing<'_>) -> Result<Read, Question> {
        let mut readings: BTreeMap<NamesByLabel, String> = BTreeMap::new();
        let mut unread = None;
        for (labels, names) in columns.pairs() {
            let named = columns.named(labels, names);
            let is_read = self.has_used(named.iter().map(|(label, _)| *label));
            if !is_read {
                continue;
            }
            match self.checked(named, "") {
                Ok((read, _)) => {
                    let sentence = format!("column {labels} is the label, column {names} its name");
                    readings.entry(read).or_insert(sentence);
                }
                Err(question) => unread = unread.or(Some(question)),
            }
        }
        if readings.len() > 1 {
            let sentences: Vec<String> = readings.into_values().take(3).collect();
            return Err(Question::new(format!(
                "the list of classes has several readings ({}); write a line `0 name` for each",
                sentences.join("; ")
            )));
        }
        readings.pop_first().ok_or_else(|| unread.unwrap_or_else(|| self.ask()))
    }

    /// Checks that each name is of one label, and that the names cover all labels in use.
    fn checked(&self, named: Vec<(i128, String)>, sentence: &str) -> Result<Read, Question> {
        if named.is_empty() || !self.has_used(named.iter().map(|(label, _)| *label)) {
            return Err(self.ask());
        }
        let (mut names, mut seen) = (NamesByLabel::new(), BTreeSet::new());
        for (label, name) in named {
            if !seen.insert(name.clone()) {
                let message =
                    format!("two classes have the name `{}`; rename one of them", shown(&name));
                return Err(Question::new(message));
            }
            if names.insert(label, name).is_some() {
                let message = format!("two lines name class {label}; remove one of them");
                return Err(Question::new(message));
            }
        }
        Ok((names, sentence.to_string()))
    }

    /// Returns the question of a list that does not name the labels in use.
    fn ask(&self) -> Question {
        const SHOWN: usize = 5;
        let lines = self.lines.iter().filter(|line| !line.is_empty()).count();
        let labels: Vec<String> = self.used.iter().take(SHOWN).map(i128::to_string).collect();
        let more = if self.used.len() > SHOWN { ", .." } else { "" };
        Question::new(match self.used.first() {
            Some(first) => format!(
                "the {} of the list do not name all of the labels {}{more}; write a line `{first} name` for each",
                counted(lines as u64, "line"),
                labels.join(", ")
            ),
            None => "there are no class names; write one in each line".to_string(),
        })
    }
}

impl<'a> Listing<'a> {
    /// Takes rows of one width with a column of labels.
    fn new(rows: &'a [Vec<String>], names: Option<&'a [String]>) -> Option<Self> {
        let width = rows.first().map(Vec::len).filter(|width| *width > 1)?;
        let mut columns = Self { rows, names, labels: Vec::new() };
        let is_label = |column: &usize| {
            let labels: Option<Vec<i128>> = columns.cells(*column).map(label).collect();
            labels.is_some_and(|labels| {
                labels.iter().gather::<BTreeSet<&i128>>().len() == labels.len()
            })
        };
        let labels: Vec<usize> = (0..width).filter(is_label).collect();
        let are_wide = rows.iter().all(|row| row.len() == width);
        columns.labels = labels;
        (are_wide && !columns.labels.is_empty()).then_some(columns)
    }

    /// Takes rows of which the first may name the columns.
    fn below_names(rows: &'a [Vec<String>]) -> Option<Self> {
        let (first, below) = rows.split_first()?;
        let is_wide = below.first().is_some_and(|row| row.len() == first.len());
        let named = || is_wide.then(|| Self::new(below, Some(first)))?;
        Self::new(rows, None).or_else(named)
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let rows: &'a [Vec<String>] = self.rows;
        rows.iter().map(move |row| row.get(column).map_or("", String::as_str))
    }

    /// Returns the columns of labels, each with each column that may have their names.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let width = self.rows.first().map_or(0, Vec::len);
        let texts: Vec<usize> = (0..width)
            .filter(|column| !self.cells(*column).all(|cell| label(cell).is_some()))
            .collect();
        let is_titled = |column: &usize| {
            let name = self.names.and_then(|names| names.get(*column));
            name.is_some_and(|name| {
                NAME_COLUMNS.iter().any(|known| name.eq_ignore_ascii_case(known))
            })
        };
        let is_character = |column: &usize| {
            self.cells(*column).all(|cell| cell.starts_with("U+") && character(cell).is_some())
        };
        let titled: Vec<usize> = texts.iter().copied().filter(is_titled).collect();
        let (codes, plain): (Vec<usize>, Vec<usize>) = texts.into_iter().partition(is_character);
        let names = [titled, plain, codes].into_iter().find(|columns| !columns.is_empty());
        let pairs = |labels: &[usize], names: &[usize]| -> Vec<(usize, usize)> {
            let pair = |label: &usize| names.iter().map(|name| (*label, *name)).collect::<Vec<_>>();
            labels.iter().flat_map(pair).filter(|(label, name)| label != name).collect()
        };
        match (names, self.labels.first()) {
            (Some(names), _) => pairs(&self.labels, &names),
            // If all columns are numbers, the first are the labels.
            (None, Some(first)) => {
                let others: Vec<usize> = (0..width).filter(|column| column != first).collect();
                pairs(&[*first], &others)
            }
            (None, None) => Vec::new(),
        }
    }

    fn named(&self, labels: usize, names: usize) -> Vec<(i128, String)> {
        let labels = self.cells(labels).filter_map(label);
        with_characters(labels.zip(self.cells(names)).collect())
    }
}

/// Reads a whole number, which may be written as `1.0`.
fn label(text: &str) -> Option<i128> {
    let number = text.strip_suffix(".0").unwrap_or(text);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u32>().ok().filter(|_| is_number).map(i128::from)
}

/// Splits a line such as `0 cat`, `0: cat`, `0) cat` or, in EMNIST's lists, `1 65 97`.
fn number_first(line: &str) -> Option<(i128, &str)> {
    let end = line.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, rest) = line.split_at_checked(end)?;
    let rest = rest
        .strip_prefix(".0")
        .filter(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        .unwrap_or(rest);
    let name = match rest.trim_start().chars().next()? {
        mark @ (':' | '=' | ',' | ';') => rest.trim_start().strip_prefix(mark)?,
        mark @ ('.' | ')' | '-') => {
            let name = rest.trim_start().strip_prefix(mark)?;
            name.starts_with(char::is_whitespace).then_some(name)?
        }
        _ => rest.starts_with(char::is_whitespace).then_some(rest)?,
    };
    Some((label(number)?, name.trim())).filter(|(_, name)| !name.is_empty())
}

/// Splits a line such as `cat 0` or `cat: 0`.
fn number_last(line: &str) -> Option<(i128, &str)> {
    let start = line.rfind(|letter: char| !letter.is_ascii_digit())?;
    let start = start + line.get(start..)?.chars().next()?.len_utf8();
    let (name, number) = line.split_at_checked(start)?;
    let short = name.trim_end().trim_end_matches([':', '=']).trim_end();
    let short = short.strip_suffix(" -").unwrap_or(short).trim_end();
    (short.len() < name.len() && !short.is_empty()).then_some((label(number)?, short))
}

/// Returns the cells of a line, which may be in quotes.
fn cells(line: &str, separator: char) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(cell) = cells.last_mut() else {
            break;
        };
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted || cell.trim().is_empty() => is_quoted = !is_quoted,
            _ if letter == separator && !is_quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_string()).collect()
}

/// Returns the names, or their characters if all are code points.
fn with_characters(names: Vec<(i128, &str)>) -> Vec<(i128, String)> {
    let characters = |(label, name): &(i128, &str)| {
        let characters: Option<String> = name.split_whitespace().map(character).collect();
        Some((*label, characters?))
    };
    let all: Option<Vec<_>> = names.iter().map(characters).collect();
    all.unwrap_or_else(|| {
        names.into_iter().map(|(label, name)| (label, name.to_string())).collect()
    })
}

/// Returns the character of a code point, such as `65` or `U+304A`.
fn character(text: &str) -> Option<char> {
    let code = match text.strip_prefix("U+").or_else(|| text.strip_prefix("u+")) {
        Some(code) => u32::from_str_radix(code, 16).ok()?,
        None => text.parse().ok()?,
    };
    char::from_u32(code).filter(|found| !found.is_control() && !found.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, used: &[i128]) -> Result<Vec<(i128, String)>, String> {
        let found = class_names(text, &used.iter().copied().collect());
        found.map(|(names, _)| names.into_iter().collect()).map_err(|question| question.sentence)
    }

    #[test]
    fn lists_name_the_labels_in_use() {
        let names = |labels: [i128; 3], names: [&str; 3]| -> Vec<(i128, String)> {
            labels.into_iter().zip(names.map(str::to_string)).collect()
        };
        let animals = ["cat", "dog", "eel"];
        for (text, used, labels, expected) in [
            ("cat\ndog\neel\n", &[0, 1, 2][..], [0, 1, 2], animals),
            ("cat\ndog\neel\n", &[], [0, 1, 2], animals),
            // Without their numbers, all classes would have the name `group`.
            ("group 0\ngroup 1\ngroup 2\n", &[0, 1], [0, 1, 2], ["group 0", "group 1", "group 2"]),
            ("\u{FEFF}cat\r\ndog\r\neel\r\n\r\n", &[0, 2], [0, 1, 2], animals),
            ("name\ncat\ndog\neel\n", &[0, 1, 2], [0, 1, 2], animals),
            ("name\ncat\ndog\neel\n", &[], [0, 1, 2], animals),
            ("target\ndog\neel\n", &[0, 1, 2], [0, 1, 2], ["target", "dog", "eel"]),
            // Labels from 1: label 0 has no name.
            ("\ncat\ndog\neel\n", &[1, 2, 3], [1, 2, 3], animals),
            ("\ncat\ndog\neel\n", &[], [1, 2, 3], animals),
            ("\ncat\ndog\neel\n", &[0, 1, 2], [0, 1, 2], animals),
            ("cat\n\ndog\n\n\neel\n", &[0, 5], [0, 2, 5], animals),
            ("- cat\n- dog\n- eel\n", &[0], [0, 1, 2], animals),
            ("names:\n- cat\n- dog\n- eel\n", &[0], [0, 1, 2], animals),
            ("# by me\n'cat',\n'dog',\n'eel'\n", &[0], [0, 1, 2], animals),
            ("2 cat\n0 dog\n5 eel\n", &[0, 2, 5], [0, 2, 5], ["dog", "cat", "eel"]),
            ("0.0 cat\n1.0 dog\n5.0 eel\n", &[0], [0, 1, 5], animals),
            ("0: cat\n1: dog\n5: eel\n", &[0], [0, 1, 5], animals),
            ("0. cat\n1. dog\n5. eel\n", &[0], [0, 1, 5], animals),
            ("0) cat\n1) dog\n5) eel\n", &[], [0, 1, 5], animals),
            ("0 - cat\n1 - dog\n5 - eel\n", &[], [0, 1, 5], animals),
            ("0=cat\n1=dog\n5=eel\n", &[], [0, 1, 5], animals),
            ("0\tcat\n1\tdog\n5\teel\n", &[], [0, 1, 5], animals),
            ("00 cat\n01 dog\n05 eel\n", &[0, 1, 5], [0, 1, 5], animals),
            ("0,cat\n1,\"dog, big\"\n5,eel\n", &[], [0, 1, 5], ["cat", "dog, big", "eel"]),
            ("0,cat\n1,dog, big\n5,eel\n", &[], [0, 1, 5], ["cat", "dog, big", "eel"]),
            ("cat,0\ndog,1\neel,5\n", &[0], [0, 1, 5], animals),
            ("cat 0\ndog 1\neel 2\n", &[], [0, 1, 2], animals),
            ("cat: 7\ndog: 8\neel: 9\n", &[7], [7, 8, 9], animals),
            ("cat 7\ndog 8\neel 9\n", &[], [0, 1, 2], ["cat 7", "dog 8", "eel 9"]),
            ("cat 7\ndog 8\neel 9\n", &[0], [0, 1, 2], ["cat 7", "dog 8", "eel 9"]),
            ("label,name\n0,cat\n1,dog\n5,eel\n", &[0, 1, 5], [0, 1, 5], animals),
            ("label,code,name\n0,n7,cat\n1,n8,dog\n5,n9,eel\n", &[0], [0, 1, 5], animals),
            (
                "n,code,char\n0,U+0061,a\n1,U+0062,b\n2,U+304A,お\n",
                &[],
                [0, 1, 2],
                ["a", "b", "お"],
            ),
            ("n,code\n0,U+0061\n1,U+0062\n2,U+304A\n", &[], [0, 1, 2], ["a", "b", "お"]),
            ("0 48\n1 65\n2 97\n", &[0, 1, 2], [0, 1, 2], ["0", "A", "a"]),
            ("0 48\n1 65 97\n2 66 98\n", &[], [0, 1, 2], ["0", "Aa", "Bb"]),
            ("0 5\n1 6\n2 7\n", &[], [0, 1, 2], ["5", "6", "7"]),
            ("['cat', 'dog', 'eel']", &[0, 1, 2], [0, 1, 2], animals),
            ("{0: 'cat', 1: 'dog', 5: 'eel'}", &[0, 1, 5], [0, 1, 5], animals),
            ("{\"cat\": 0, \"dog\": 1, \"eel\": 5}", &[0, 1, 5], [0, 1, 5], animals),
            (
                "n01 cat\nn02 dog\nn03 eel\n",
                &[0, 1, 2],
                [0, 1, 2],
                ["n01 cat", "n02 dog", "n03 eel"],
            ),
        ] {
            assert_eq!(read(text, used), Ok(names(labels, expected)), "{text} {used:?}");
        }
    }

    #[test]
    fn lists_that_are_asked_about() {
        for (text, used, expected) in [
            (
                "cat\ndog\n",
                &[0, 1, 2][..],
                "the 2 lines of the list do not name all of the labels 0, 1, 2; write",
            ),
            (
                "0 cat\n1 dog\n",
                &[0, 5],
                "the 2 lines of the list do not name all of the labels 0, 5; write",
            ),
            (
                "20 km/h\n30 km/h\n",
                &[0, 1],
                "the 2 lines of the list do not name all of the labels 0, 1; write",
            ),
            (
                "0 cat\n1 dog\n5 eel\n",
                &[2],
                "the 3 lines of the list do not name all of the labels 2; write",
            ),
            (
                "cat 0\ndog 1\n",
                &[0, 2],
                "the 2 lines of the list do not name all of the labels 0, 2; write",
            ),
            ("0,1,cat\n1,0,dog\n", &[0, 1], "the list of classes has several readings (column"),
            (
                "label,code,word\n0,n7,cat\n1,n8,dog\n",
                &[0],
                "the list of classes has several readings (column",
            ),
            ("cat\ndog\ncat\n", &[], "two classes have the name `cat`; rename one of them"),
            ("0 cat\n1 cat\n", &[], "two classes have the name `cat`; rename one of them"),
            ("0 cat\n0 dog\n", &[], "two lines name class 0; remove one of them"),
            (
                "0 cat\ndog\n",
                &[],
                "line 1 begins with the number of a class and line 2 does not; number all",
            ),
            ("", &[], "there are no class names; write one in each line"),
            ("{\"a\": {\"0\": \"cat\"}}", &[], "this is JSON of another form"),
        ] {
            let question = read(text, used).unwrap_err();
            assert!(question.starts_with(expected), "{text}: {question}");
        }
    }
}
