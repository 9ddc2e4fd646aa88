//! The text of a list of classes: a name in each line, after its number or not; or a table.

use crate::error::ErrorKind;
use idx_std::FileSignature;

/// The separators of the columns of a table, the most likely one first.
const SEPARATORS: [char; 3] = [',', '\t', ';'];

/// The labels with their names; an empty name is none.
pub(super) fn parse(text: &str) -> Result<Vec<(i128, String)>, ErrorKind> {
    // Some editors of Windows write a byte order mark.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if FileSignature::detect(text.as_bytes()).is_some_and(|found| found.to_string() == "JSON") {
        let message = "this is JSON; write one name in each line, in the order of the labels";
        return Err(ErrorKind::malformed(message));
    }
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if let Some(table) = table(&lines)? {
        return Ok(table);
    }
    let numbered: Vec<_> = lines.iter().map(|line| number_and_name(line)).collect();
    let position = |is_numbered| {
        let mut lines = lines.iter().zip(&numbered);
        lines.position(|(line, named)| !line.is_empty() && named.is_some() == is_numbered)
    };
    match (position(true), position(false)) {
        (None, _) => Ok((0..).zip(lines.into_iter().map(str::to_string)).collect()),
        (Some(_), None) => Ok(with_characters(numbered.into_iter().flatten().collect())),
        (Some(with), Some(without)) => Err(ErrorKind::malformed(format!(
            "line {} begins with the number of a class and line {} does not; number all lines, or none",
            with + 1,
            without + 1
        ))),
    }
}

/// A line such as `0 cat`, `0,cat`, `0: cat` or, in EMNIST's lists, `1 65 97`.
fn number_and_name(line: &str) -> Option<(i128, &str)> {
    let (number, name) = line.split_once([',', '\t', ';', ' '])?;
    let number = number.trim_end_matches([':', '.', ')']);
    Some((label(number)?, name.trim())).filter(|(_, name)| !name.is_empty())
}

/// A whole number, which may be written as `1.0`.
fn label(text: &str) -> Option<i128> {
    let number = text.strip_suffix(".0").unwrap_or(text);
    number.parse::<u32>().ok().map(i128::from)
}

/// The names, or if all are code points, their characters.
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

/// The character of a code point, such as `65` or `U+304A`.
fn character(text: &str) -> Option<char> {
    let code = match text.strip_prefix("U+").or_else(|| text.strip_prefix("u+")) {
        Some(code) => u32::from_str_radix(code, 16).ok()?,
        None => text.parse().ok()?,
    };
    char::from_u32(code).filter(|found| !found.is_control() && !found.is_whitespace())
}

/// The names in a table, whose first column of whole numbers is the labels, such as `index,codepoint,char`; `None` for
/// other text. Code points stand for their characters where there is no other column.
fn table(lines: &[&str]) -> Result<Option<Vec<(i128, String)>>, ErrorKind> {
    let lines = lines.iter().filter(|line| !line.is_empty());
    let first = lines.clone().next().copied().unwrap_or_default();
    let Some(separator) = SEPARATORS.into_iter().find(|separator| first.contains(*separator))
    else {
        return Ok(None);
    };
    let field = |text: &str| text.trim().trim_matches('"').to_string();
    let mut rows: Vec<Vec<String>> =
        lines.map(|line| line.split(separator).map(field).collect()).collect();
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Ok(None);
    }
    let is_column = |rows: &[Vec<String>], column: usize, is: fn(&str) -> bool| {
        rows.iter().all(|row| row.get(column).is_some_and(|field| is(field)))
    };
    let is_number = |field: &str| label(field).is_some();
    if !is_column(&rows, 0, is_number) {
        // The first line names the columns.
        rows.remove(0);
    }
    let labels = (0..width).find(|column| !rows.is_empty() && is_column(&rows, *column, is_number));
    let Some(labels) = labels else {
        return Ok(None);
    };
    let (codes, texts): (Vec<usize>, Vec<usize>) = (0..width)
        .filter(|column| *column != labels)
        .partition(|column| is_column(&rows, *column, |field| character(field).is_some()));
    let names = match (&texts[..], &codes[..]) {
        ([names], _) | ([], [names, ..]) => *names,
        _ => {
            return Err(ErrorKind::malformed(format!(
                "the table has {} columns that may be the names of the classes; leave one beside the numbers",
                texts.len()
            )));
        }
    };
    let mut named = Vec::new();
    for row in &rows {
        let field = |column: usize| row.get(column).map(String::as_str);
        named.extend(field(labels).and_then(label).zip(field(names)));
    }
    Ok(Some(with_characters(named)))
}
