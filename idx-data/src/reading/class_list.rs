//! Parses a list of classes: the label of each name, or a question if there are several readings.

use std::collections::{BTreeMap, BTreeSet};

use crate::reading::cell::{are_distinct, kind};
use crate::reading::literal::literal;
use crate::reading::question::Question;
use crate::reading::roles::names::{are_digits, is_title};
use crate::reading::spelling::shown;
use idx_std::FileSignature;

/// The names of classes, with their labels.
type Named = Vec<(i128, String)>;

/// The headers of the column of names, where several columns have words.
const NAME_COLUMNS: [&str; 4] = ["name", "class_name", "class", "label"];

/// Returns the names of classes in a list, with their labels; a label may occur twice, and a name may be empty.
pub(crate) fn class_names(text: &str) -> Result<Named, Question> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match literal(text) {
        Some(rows) if rows.iter().all(|row| row.len() == 1) => {
            return Ok(numbered(rows.iter().flatten().map(String::as_str)));
        }
        Some(rows) => {
            if let Some(listing) = Listing::new(&rows, None, false) {
                return listing.read();
            }
        }
        None if is_json(text) || is_yaml(text) => {}
        None => return of_lines(&lines(text)),
    }
    Err(Question::new(
        "this is JSON or YAML of another form than `{\"0\": \"cat\"}` or `[\"cat\"]`; write a line `0 name` for each class",
    ))
}

/// Returns whether a text is JSON, which lines of names never are.
fn is_json(text: &str) -> bool {
    let is_json = |found: FileSignature| found.to_string() == "JSON";
    FileSignature::detect(text.as_bytes()).is_some_and(is_json)
}

/// Returns whether a text is YAML with several keys, such as the `data.yaml` of YOLO.
fn is_yaml(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).enumerate();
    lines.any(|(index, line)| line.starts_with("names: ") || index > 0 && line == "names:")
}

/// Returns whether this character may be in the line below a header in Markdown, such as `| :-- | --- |`.
const fn is_of_rule(letter: char) -> bool {
    matches!(letter, '|' | ':' | '-' | ' ')
}

/// Returns the lines of a list without comments, list and table marks, and surrounding quotes.
fn lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_comment = |line: &str| line == "#" || line.starts_with("# ") || line == "names:";
    let is_rule =
        |line: &str| line.contains('|') && line.contains("--") && line.chars().all(is_of_rule);
    let lines = lines.iter().copied().filter(|line| !is_comment(line) && !is_rule(line));
    let mut named = lines.clone().filter(|line| !line.is_empty()).rev().skip(1).peekable();
    let have_commas = named.peek().is_some() && named.all(|line| line.ends_with(','));
    let clean = |line: &str| {
        // A table in Markdown has this frame.
        let inside = line.strip_prefix('|').and_then(|line| line.strip_suffix('|'));
        let line = inside.map_or(line, str::trim);
        let line = ["- ", "* ", "\u{2022} "]
            .into_iter()
            .find_map(|mark| line.strip_prefix(mark))
            .unwrap_or(line);
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

fn of_lines(all: &[String]) -> Result<Named, Question> {
    let lines: Vec<&str> = all.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    let rows_by = |split: &dyn Fn(&str) -> Option<Vec<String>>| -> Option<Vec<Vec<String>>> {
        lines.iter().map(|line| split(line)).collect()
    };
    let mut has_numbers = false;
    for separator in [',', ';', '\t', '|'] {
        let rows: Vec<Vec<String>> = lines.iter().map(|line| cells(line, separator)).collect();
        if let Some(listing) = Listing::below_names(&rows) {
            return listing.read();
        }
        has_numbers |= has_column_of_numbers(&rows);
    }
    // `Boeing 737` is a name unless 737 may be a label; so are `group 0` and `group 1`, because their words are equal.
    let are_pairs = |rows: &Vec<Vec<String>>| {
        let is_label = |label: i128| usize::try_from(label).is_ok_and(|label| label <= rows.len());
        are_distinct(rows.iter().map(|row| row.first()))
            && rows.iter().filter_map(|row| label(row.last()?)).any(is_label)
    };
    let first = rows_by(&number_first);
    let rows = first.or_else(|| rows_by(&number_last).filter(are_pairs)).unwrap_or_default();
    if let Some(listing) = Listing::new(&rows, None, true) {
        return listing.read();
    }
    let names = (1..).zip(all).filter(|(_, line)| !line.is_empty());
    let (with, without): (Vec<_>, Vec<_>) =
        names.partition(|(_, line)| number_first(line).is_some());
    if let (Some((with, _)), Some((without, _))) = (with.first(), without.first()) {
        return Err(Question::new(format!(
            "line {with} begins with the number of a class and line {without} does not; number all lines, or none"
        )));
    }
    if let [first, names @ ..] = &lines[..]
        && is_title(first)
        && !names.is_empty()
    {
        expect_lines(names)?;
        return Ok(numbered(names.iter().copied()));
    }
    expect_names(&lines)?;
    expect_lines(&lines)?;
    if has_numbers {
        return Err(Question::new(
            "the list has a column of numbers that are not those of the classes; write a line `0 name` for each class",
        ));
    }
    // An empty line is a label without a name.
    Ok(numbered(all.iter().map(String::as_str)))
}

/// Checks that all lines are names: they are not source code in brackets, nor below a line that is not a name.
fn expect_names(lines: &[&str]) -> Result<(), Question> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Ok(());
    };
    let opens = first.len() > 1 && first.ends_with(['{', '[', '(']);
    let is_code = opens && last.starts_with(['}', ']', ')'])
        || first.starts_with('<') && last.starts_with("</");
    let is_comment = |line: &str| line.starts_with('#') || line.starts_with("//");
    let is_heading = |line: &str| line.len() > 1 && line.ends_with(':');
    let others = lines.get(1..).unwrap_or_default();
    let is_only = |is: &dyn Fn(&str) -> bool| {
        is(first) && !others.is_empty() && !others.iter().any(|line| is(line))
    };
    match is_code || is_only(&is_comment) || is_only(&is_heading) {
        true => Err(Question::new(format!(
            "the first line ({}) may not be the name of a class; write names alone, without brackets and quotes, or a \
             line `0 name` for each class",
            shown(first)
        ))),
        false => Ok(()),
    }
}

/// Checks that each name has a line, and that numbers in the names do not contradict the order of the lines.
fn expect_lines(lines: &[&str]) -> Result<(), Question> {
    let is_split = |line: &str| [',', ';', '\t', '|'].iter().any(|by| cells(line, *by).len() > 1);
    let advice = "write a line `0 name` for each class";
    if let [line] = lines
        && is_split(line)
    {
        return Err(Question::new(format!("the list has one line, {}; {advice}", shown(line))));
    }
    // Codes such as n01 are not the numbers of classes.
    let number = |line: &&str| {
        let texts = line.split(|letter: char| !letter.is_ascii_digit());
        let mut texts = texts.filter(|text| !text.is_empty());
        let only = texts.next().filter(|only| texts.next().is_none() && only != line);
        let only = only.filter(|only| *only == "0" || !only.starts_with('0'));
        only.and_then(|only| only.parse::<usize>().ok())
    };
    let numbers: Vec<usize> = lines.iter().filter_map(number).collect();
    let is_of_class = |number: &usize| *number <= lines.len();
    let have_all = numbers.len() == lines.len() && numbers.iter().all(is_of_class);
    let are_counted = have_all && are_distinct(&numbers);
    // Names are often in byte order: class1, class10, class2.
    match lines.first() {
        Some(first) if are_counted && !numbers.is_sorted() && !lines.is_sorted() => {
            Err(Question::new(format!(
                "the lines, such as {}, are not in the order of their numbers; {advice}",
                shown(first)
            )))
        }
        _ => Ok(()),
    }
}

/// Returns whether a table has a column of numbers, such as counts; line 1 may name the columns.
fn has_column_of_numbers(rows: &[Vec<String>]) -> bool {
    let width = rows.first().map_or(0, Vec::len);
    let below = |column: usize| rows.iter().skip(1).filter_map(move |row| row.get(column));
    width > 1
        && rows.iter().all(|row| row.len() == width)
        && (0..width).any(|column| kind(below(column).map(String::as_str)).is_number())
}

/// Numbers names by their order.
fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> Named {
    (0..).zip(names.map(str::to_string)).collect()
}

/// A list in columns. Those of distinct whole numbers may be the labels.
struct Listing<'a> {
    rows: &'a [Vec<String>],
    width: usize,
    /// The names above the columns, if there are any.
    names: Option<&'a [String]>,
    labels: Vec<usize>,
}

impl<'a> Listing<'a> {
    /// Takes rows of equal width with a column that may be the labels. In pairs, labels may repeat, which is an error
    /// later.
    fn new(rows: &'a [Vec<String>], names: Option<&'a [String]>, are_pairs: bool) -> Option<Self> {
        let width = rows.first()?.len();
        let mut listing = Self { rows, width, names, labels: Vec::new() };
        let is_label = |column: &usize| {
            let labels: Option<Vec<i128>> = listing.cells(*column).map(label).collect();
            labels.is_some_and(|labels| are_pairs || are_distinct(labels))
        };
        listing.labels = (0..width).filter(is_label).collect();
        let is_table = width > 1 && rows.iter().all(|row| row.len() == width);
        (is_table && !listing.labels.is_empty()).then_some(listing)
    }

    /// Takes rows; the first may name the columns, if none of its cells may be a label.
    fn below_names(rows: &'a [Vec<String>]) -> Option<Self> {
        let (first, below) = rows.split_first()?;
        let is_wide = below.first().is_some_and(|row| row.len() == first.len());
        let are_names = is_wide && first.iter().all(|cell| label(cell).is_none());
        let named = || are_names.then(|| Self::new(below, Some(first), false))?;
        Self::new(rows, None, false).or_else(named)
    }

    fn cells(&self, column: usize) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let rows: &'a [Vec<String>] = self.rows;
        rows.iter().map(move |row| row.get(column).map_or("", String::as_str))
    }

    /// Returns each column of labels with each column that may have their names: columns with such a header, else of
    /// words, else of character codes. If all columns are numbers, the first has the labels.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let is_text = |column: &usize| !self.cells(*column).all(|cell| label(cell).is_some());
        let is_titled = |column: &usize| {
            let name = self.names.and_then(|names| names.get(*column));
            let is = |name: &String| NAME_COLUMNS.iter().any(|one| name.eq_ignore_ascii_case(one));
            is_text(column) && name.is_some_and(is)
        };
        let is_code = |cell: &str| cell.starts_with("U+") && character(cell).is_some();
        let is_plain = |column: &usize| is_text(column) && !self.cells(*column).all(is_code);
        let of =
            |is: &dyn Fn(&usize) -> bool| -> Vec<usize> { (0..self.width).filter(is).collect() };
        let texts = [of(&is_titled), of(&is_plain), of(&is_text)].into_iter();
        let texts = texts.into_iter().find(|columns| !columns.is_empty());
        let labels = if texts.is_some() {
            &self.labels[..]
        } else {
            self.labels.get(..1).unwrap_or_default()
        };
        let names = texts.unwrap_or_else(|| (0..self.width).collect());
        let pair = |label: &usize| names.iter().map(|name| (*label, *name)).collect::<Vec<_>>();
        labels.iter().flat_map(pair).filter(|(label, name)| label != name).collect()
    }

    /// Reads the names, or asks which of several columns has them.
    fn read(&self) -> Result<Named, Question> {
        let pairs = self.pairs();
        let are_names = |(_, names): &&(usize, usize)| are_distinct(self.cells(*names));
        let mut readings: BTreeMap<BTreeSet<(i128, String)>, (usize, usize)> = BTreeMap::new();
        for pair in pairs.iter().filter(are_names) {
            readings.entry(self.named(*pair).into_iter().collect()).or_insert(*pair);
        }
        if readings.len() > 1 {
            let sentence =
                |(labels, names)| format!("column {labels} is the label, column {names} its name");
            let sentences: Vec<String> = readings.into_values().take(3).map(sentence).collect();
            return Err(Question::new(format!(
                "the list of classes has several readings ({}); write a line `0 name` for each",
                sentences.join("; ")
            )));
        }
        // If two classes share a name in each reading, the first one leads to the error.
        let only = readings.into_values().next().or(pairs.first().copied());
        Ok(only.map(|pair| self.named(pair)).unwrap_or_default())
    }

    fn named(&self, (labels, names): (usize, usize)) -> Named {
        let labels = self.cells(labels).filter_map(label);
        let characters = |name: &str| name.split_whitespace().map(character).collect();
        let characters: Option<Vec<String>> = self.cells(names).map(characters).collect();
        let names = || self.cells(names).map(str::to_string).collect();
        labels.zip(characters.unwrap_or_else(names)).collect()
    }
}

/// Parses a whole number, which may be written as `1.0`.
fn label(text: &str) -> Option<i128> {
    let number = text.strip_suffix(".0").unwrap_or(text);
    number.parse::<u32>().ok().filter(|_| are_digits(number)).map(i128::from)
}

/// The arrows between labels and their names.
const ARROWS: [&str; 2] = ["->", "=>"];

/// Splits a line such as `0 cat`, `0: cat`, `0) cat` or, in EMNIST's lists, `1 65 97`.
fn number_first(line: &str) -> Option<Vec<String>> {
    let end = line.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, rest) = line.split_at_checked(end)?;
    label(number)?;
    let is_digit = |next: char| next.is_ascii_digit();
    let rest = rest.strip_prefix(".0").filter(|rest| !rest.starts_with(is_digit)).unwrap_or(rest);
    let arrow = ARROWS.into_iter().find_map(|arrow| rest.trim_start().strip_prefix(arrow));
    let name = match arrow.or_else(|| rest.trim_start().strip_prefix([':', '=', ',', ';', '|'])) {
        Some(name) => name,
        None => {
            let name = rest.trim_start().strip_prefix(['.', ')', '-']).unwrap_or(rest);
            name.starts_with(char::is_whitespace).then_some(name)?
        }
    };
    let name = unquoted(name.trim());
    (!name.is_empty()).then(|| vec![number.to_string(), name.to_string()])
}

/// Splits a line such as `cat 0` or `cat: 0`.
fn number_last(line: &str) -> Option<Vec<String>> {
    let name = line.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = line.strip_prefix(name)?;
    label(number)?;
    let short = name.trim_end();
    let arrow = ARROWS.into_iter().find_map(|arrow| short.strip_suffix(arrow));
    let short = arrow.unwrap_or_else(|| short.trim_end_matches([':', '='])).trim_end();
    let short = short.strip_suffix(" -").unwrap_or(short).trim_end();
    let is_name = short.len() < name.len() && !short.is_empty();
    is_name.then(|| vec![unquoted(short).to_string(), number.to_string()])
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
    use crate::names::class_names::ClassNames;

    fn read(text: &str) -> Result<ClassNames, String> {
        let named = class_names(text).map_err(|question| question.sentence)?;
        ClassNames::of(named).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_name_labels() {
        let names = |labels: [i128; 3], names: [&str; 3]| {
            ClassNames::of(labels.into_iter().zip(names.map(str::to_string))).unwrap()
        };
        let animals = ["cat", "dog", "eel"];
        for (text, labels, expected) in [
            ("cat\ndog\neel\n", [0, 1, 2], animals),
            // Without their numbers, all classes would have the name `group`.
            ("group 0\ngroup 1\ngroup 2\n", [0, 1, 2], ["group 0", "group 1", "group 2"]),
            ("\u{FEFF}cat\r\ndog\r\neel\r\n\r\n", [0, 1, 2], animals),
            ("name\ncat\ndog\neel\n", [0, 1, 2], animals),
            // Labels from 1: label 0 has no name.
            ("\ncat\ndog\neel\n", [1, 2, 3], animals),
            ("- cat\n- dog\n- eel\n", [0, 1, 2], animals),
            ("* cat\n* dog\n* eel\n", [0, 1, 2], animals),
            ("Class Names\ncat\ndog\neel\n", [0, 1, 2], animals),
            ("Classes:\ncat\ndog\neel\n", [0, 1, 2], animals),
            ("(\n[\n{\n", [0, 1, 2], ["(", "[", "{"]),
            ("#a\n#b\n#c\n", [0, 1, 2], ["#a", "#b", "#c"]),
            ("names:\n- cat\n- dog\n- eel\n", [0, 1, 2], animals),
            ("# by me\nnames:\n- cat\n- dog\n- eel\n", [0, 1, 2], animals),
            ("# by me\n'cat',\n'dog',\n'eel'\n", [0, 1, 2], animals),
            ("2 cat\n0 dog\n5 eel\n", [0, 2, 5], ["dog", "cat", "eel"]),
            ("0.0 cat\n1.0 dog\n5.0 eel\n", [0, 1, 5], animals),
            ("0: cat\n1: dog\n5: eel\n", [0, 1, 5], animals),
            ("0 \"cat\"\n1 'dog'\n5 eel\n", [0, 1, 5], animals),
            ("\"cat\": 0\n\"dog\": 1\n\"eel\": 5\n", [0, 1, 5], animals),
            ("0. cat\n1. dog\n5. eel\n", [0, 1, 5], animals),
            ("0) cat\n1) dog\n5) eel\n", [0, 1, 5], animals),
            ("0 - cat\n1 - dog\n5 - eel\n", [0, 1, 5], animals),
            ("0=cat\n1=dog\n5=eel\n", [0, 1, 5], animals),
            ("0 -> cat\n1 -> dog\n5 -> eel\n", [0, 1, 5], animals),
            ("cat => 0\ndog => 1\neel => 5\n", [0, 1, 5], animals),
            ("0\tcat\n1\tdog\n5\teel\n", [0, 1, 5], animals),
            ("00 cat\n01 dog\n05 eel\n", [0, 1, 5], animals),
            ("0,cat\n1,\"dog, big\"\n5,eel\n", [0, 1, 5], ["cat", "dog, big", "eel"]),
            ("0,cat\n1,dog, big\n5,eel\n", [0, 1, 5], ["cat", "dog, big", "eel"]),
            ("cat,0\ndog,1\neel,5\n", [0, 1, 5], animals),
            ("cat 0\ndog 1\neel 2\n", [0, 1, 2], animals),
            ("cat 7\ndog 8\neel 9\n", [0, 1, 2], ["cat 7", "dog 8", "eel 9"]),
            ("eel 9\ndog 7\ncat 8\n", [0, 1, 2], ["eel 9", "dog 7", "cat 8"]),
            ("eel 2\ndog\ncat 1\n", [0, 1, 2], ["eel 2", "dog", "cat 1"]),
            ("cat\n--\neel\n", [0, 1, 2], ["cat", "--", "eel"]),
            ("n02 a\nn01 b\nn03 c\n", [0, 1, 2], ["n02 a", "n01 b", "n03 c"]),
            ("2\n0\n1\n", [0, 1, 2], ["2", "0", "1"]),
            ("1-2\n3-4\n0\n", [0, 1, 2], ["1-2", "3-4", "0"]),
            ("label,name\n0,cat\n1,dog\n5,eel\n", [0, 1, 5], animals),
            ("label,code,name\n0,n7,cat\n1,n8,dog\n5,n9,eel\n", [0, 1, 5], animals),
            ("n,code,word\n0,U+0061,cat\n1,U+0062,dog\n5,U+304A,eel\n", [0, 1, 5], animals),
            ("| 0 | cat |\n| 1 | dog |\n| 5 | eel |\n", [0, 1, 5], animals),
            ("|id|Name|\n|--:|:---|\n|0|cat|\n|1|dog|\n|5|eel|\n", [0, 1, 5], animals),
            ("id | name\n--- | ---\n0 | cat\n1 | dog\n5 | eel\n", [0, 1, 5], animals),
            ("0 | cat\n1 | dog, big\n5 | eel--A\n", [0, 1, 5], ["cat", "dog, big", "eel--A"]),
            ("| class |\n| --- |\n| cat |\n| dog |\n| eel |\n", [0, 1, 2], animals),
            ("n,code\n0,U+0061\n1,U+0062\n2,U+304A\n", [0, 1, 2], ["a", "b", "お"]),
            ("0 48\n1 65\n2 97\n", [0, 1, 2], ["0", "A", "a"]),
            ("0 48\n1 65 97\n2 66 98\n", [0, 1, 2], ["0", "Aa", "Bb"]),
            ("0 5\n1 6\n2 7\n", [0, 1, 2], ["5", "6", "7"]),
            ("['cat', 'dog', 'eel']", [0, 1, 2], animals),
            ("{0: 'cat', 1: 'dog', 5: 'eel'}", [0, 1, 5], animals),
            ("{\"cat\": 0, \"dog\": 1, \"eel\": 5}", [0, 1, 5], animals),
            ("n01 cat\nn02 dog\nn03 eel\n", [0, 1, 2], ["n01 cat", "n02 dog", "n03 eel"]),
            ("cat0\ndog1\neel2\n", [0, 1, 2], ["cat0", "dog1", "eel2"]),
            ("7\n5\n6\n", [0, 1, 2], ["7", "5", "6"]),
            // Marks that are not around a list, or not above it.
            ("cat\ndog\n)eel\n", [0, 1, 2], ["cat", "dog", ")eel"]),
            ("cat (\ndog\neel\n", [0, 1, 2], ["cat (", "dog", "eel"]),
            ("(\ndog\n)\n", [0, 1, 2], ["(", "dog", ")"]),
            ("<cat\ndog\neel\n", [0, 1, 2], ["<cat", "dog", "eel"]),
            (":\ndog\neel\n", [0, 1, 2], [":", "dog", "eel"]),
            (
                "label,code,name\n0,n7,\"cat, big\"\n1,n8,\"dog \"\"D\"\"\"\n5,n9,e\"el\n",
                [0, 1, 5],
                ["cat, big", "dog \"D\"", "e\"el"],
            ),
            (
                "tench, Tinca\ncarp, big\neel, A\n",
                [0, 1, 2],
                ["tench, Tinca", "carp, big", "eel, A"],
            ),
        ] {
            assert_eq!(read(text), Ok(names(labels, expected)), "{text}");
        }
        // A title with no names below is a name.
        assert_eq!(read("name\n"), Ok(ClassNames::new(["name"]).unwrap()));
    }

    #[test]
    fn names_in_the_order_of_their_bytes() {
        let mut lines: Vec<String> = (0..=10).map(|number| format!("class{number}")).collect();
        lines.sort();
        assert_eq!(read(&lines.join("\n")).unwrap().name(2), Some("class10"));
        lines.swap(0, 1);
        read(&lines.join("\n")).unwrap_err();
    }

    #[test]
    fn lists_that_are_asked_about() {
        for (text, expected) in [
            ("0,1,cat\n1,0,dog\n", "the list of classes has several readings (column"),
            (
                "label,code,word\n0,n7,cat\n1,n8,dog\n",
                "the list of classes has several readings (column",
            ),
            ("cat\ndog\ncat\n", "two classes have the name `cat`; rename one of them"),
            ("0 cat\n1 cat\n", "two classes have the name `cat`; rename one of them"),
            ("0 cat\n0 dog\n", "two lines name class 0; remove one of them"),
            ("0,cat\n0,dog\n1,eel\n", "two lines name class 0; remove one of them"),
            (
                "0 cat\ndog\n",
                "line 1 begins with the number of a class and line 2 does not; number all",
            ),
            ("", "there are no class names; give at least one"),
            (
                "char* NAMES[] = {\n\"cat\",\n\"dog\"\n};\n",
                "the first line (char* NAMES[] = {) may not be the name of a class",
            ),
            (
                "CLASSES = [\n'cat',\n'dog',\n]\n",
                "the first line (CLASSES = [) may not be the name of a class",
            ),
            ("// mine\ncat\ndog\n", "the first line (// mine) may not be the name of a class"),
            ("#mine\ncat\ndog\n", "the first line (#mine) may not be the name of a class"),
            (
                "My animals:\ncat\ndog\n",
                "the first line (My animals:) may not be the name of a class",
            ),
            ("{\"a\": {\"0\": \"cat\"}}", "this is JSON or YAML of another form"),
            ("{\"names\": [\"cat\", \"dog\"]}", "this is JSON or YAML of another form"),
            (
                "<names>\n<name>cat</name>\n</names>\n",
                "the first line (<names>) may not be the name of a class",
            ),
            (
                "name,r,g,b\ncat,0,0,0\ndog,128,0,0\neel,0,0,128\n",
                "the list has a column of numbers that are not those of the classes; write a line `0 name`",
            ),
            ("cat;30\ndog;30\n", "the list has a column of numbers"),
            ("cat,30,x;30\ndog,30,y;30\n", "the list has a column of numbers"),
            (
                "n,tag,word\n0,U+x,cat\n1,U+y,dog\n",
                "the list of classes has several readings (column",
            ),
            ("cat,\n", "the list has one line, cat,; write a line `0 name`"),
            ("cat,dog,emu", "the list has one line, cat,dog,emu; write a line `0 name`"),
            ("name\ncat; dog\n", "the list has one line, cat; dog; write a line `0 name`"),
            (
                "class2=eel\nclass0=cat\nclass1=dog\n",
                "the lines, such as class2=eel, are not in the order of their numbers; write a line `0 name`",
            ),
            ("Classes\ndog (2)\ncat (1)\n", "the lines, such as dog (2), are not in the order"),
            (
                "Table 1\n| 0 | cat |\n| 1 | dog |\n",
                "line 2 begins with the number of a class and line 1 does not",
            ),
            ("nc: 2\nnames:\n- cat\n- dog\n", "this is JSON or YAML of another form"),
            ("# by me\nnc: 2\nnames: ['cat', 'dog']\n", "this is JSON or YAML of another form"),
        ] {
            let question = read(text).unwrap_err();
            assert!(question.starts_with(expected), "{text}: {question}");
        }
    }
}
