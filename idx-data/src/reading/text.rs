//! The separator of the columns of a text, and the comments above them.

use std::borrow::Cow;

use crate::reading::cell::{Kind, counts_up, is_number, is_picture, profiles, with_point};
use crate::reading::lines::{Lines, SPACE, after_quotes, text_after_quotes};
use crate::reading::question::Question;
use crate::reading::roles::Known;
use crate::reading::rows::Rows;
use crate::reading::spelling::shown;
use crate::reading::{Evidence, Said, Subject};
use idx_std::__private::counted;

/// The separators in the order in which they are taken, with their names.
const SEPARATORS: [(u8, &str); 5] =
    [(b'\t', "tabs"), (b';', "semicolons"), (b',', "commas"), (b'|', "bars"), (SPACE, "spaces")];

/// The split of a text into cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Split {
    /// The byte between two cells; a space stands for any number of spaces and tabs.
    pub(crate) separator: u8,
    /// The number of lines above the table, and how many of them are comments.
    pub(crate) above: u64,
    pub(crate) comments: usize,
    /// The names of the columns in the last comment.
    pub(crate) names: Option<Vec<String>>,
    pub(crate) width: usize,
    /// True if each line ends with a separator and nothing after it.
    pub(crate) has_empty_last: bool,
    /// True if numbers have a decimal comma in place of the point.
    pub(crate) decimal_commas: bool,
    /// True if the commas or points in numbers may be before decimals or between thousands.
    has_unclear_marks: bool,
    /// True if line 1 has one cell fewer than the others; it then gets an empty first one.
    pub(crate) is_first_short: bool,
    /// True if these are all the rows of the text: it has no more, and ends outside of quotes.
    pub(crate) is_whole: bool,
    pub(crate) said: Said,
}

/// Splits a sample of a text: all of it, or its first lines, of which the last may be cut. The rows include line 1.
pub(crate) fn split(
    text: &str,
    is_whole: bool,
    known: &Known<'_>,
) -> Result<(Split, Rows), Question> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let end = text.rfind('\n').filter(|_| !is_whole).map_or(text.len(), |end| end + 1);
    let sample = text.get(..end).unwrap_or_default();
    let (sep, text) = without_separator_line(sample);
    let (comments, text) = comments(text);
    let above = lines_in(sample.strip_suffix(text).unwrap_or_default());
    let fits = SEPARATORS.into_iter().filter_map(|(separator, _)| fit(text, separator));
    let is_spaced = |(split, rows): &(Split, Rows)| split.separator != SPACE || spaced(rows, known);
    let mut fits: Vec<(Split, Rows)> = fits.filter(is_spaced).collect();
    // The first of the best fits.
    let best = match fits.len() {
        1 => fits.pop(),
        _ => fits.into_iter().min_by_key(|(split, rows)| (split.is_first_short, strange(rows))),
    };
    let (mut split, rows) = match best {
        Some(fit) => fit,
        None => one_column(text, above, is_whole, known)?,
    };
    if split.has_unclear_marks {
        return Err(Question::new(
            "commas or points in numbers may be before decimals or between thousands; write a point before the \
             decimals of all numbers in a column, as in 7.000, and nothing between thousands",
        ));
    }
    expect_whole_quotes(text, above, split.separator)?;
    let names = comments.last().map(|last| all_lines(last, split.separator).0.split_first().0);
    split.names = names.filter(|names| names.len() == split.width && known.header.is_none());
    split.above = above;
    split.comments = sep + comments.len();
    split.is_whole &= is_whole;
    if !matches!(split.separator, b',' | b'\t') && split.width > 1 {
        let text = format!("between {}", name(split.separator));
        split.said.say(Subject::Records, Evidence::Content, text);
    }
    if split.decimal_commas {
        split.said.say(Subject::Records, Evidence::Content, "decimal commas");
    }
    Ok((split, rows))
}

impl Split {
    /// Appends the rows of lines from further below in the text, if they have the same number of cells.
    pub(crate) fn append(&self, rows: &mut Rows, text: &str) {
        rows.jump();
        let (lines, _) = all_lines(text, self.separator);
        let width = self.width + usize::from(self.has_empty_last);
        for line in (0..lines.len()).map(|row| lines.row(row)).filter(|line| line.len() == width) {
            self.push(rows, line);
        }
    }

    /// Appends as many cells of a line as the table is wide, with a point in place of decimal commas.
    fn push<'a>(&self, rows: &mut Rows, line: impl Iterator<Item = &'a str>) {
        let line = line.take(self.width);
        if !self.decimal_commas {
            return rows.push(line);
        }
        let cells: Vec<Cow<'_, str>> =
            line.map(|cell| with_point(cell).map_or(Cow::Borrowed(cell), Cow::Owned)).collect();
        rows.push(cells.iter().map(Cow::as_ref));
    }
}

fn lines_in(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

fn name(separator: u8) -> &'static str {
    let mut all = SEPARATORS.into_iter();
    all.find(|(known, _)| *known == separator).map_or("commas", |(_, name)| name)
}

/// Returns a text without the line on top that tells Excel the separator, such as `sep=;`, and the number of such
/// lines.
fn without_separator_line(text: &str) -> (usize, &str) {
    let rest = text.strip_prefix("sep=").and_then(|rest| rest.strip_prefix([',', ';', '\t', '|']));
    let rest = rest.map(|rest| rest.strip_prefix('\r').unwrap_or(rest));
    rest.and_then(|rest| rest.strip_prefix('\n')).map_or((0, text), |rest| (1, rest))
}

/// Checks that no text stands after quotes. Spaces do not separate cells in quotes.
fn expect_whole_quotes(text: &str, above: u64, separator: u8) -> Result<(), Question> {
    let at = text_after_quotes(text.as_bytes(), separator, false);
    at.filter(|_| separator != SPACE).map_or(Ok(()), |at| {
        let line = above + 1 + lines_in(text.get(..at).unwrap_or_default());
        Err(Question::new(after_quotes(line)))
    })
}

/// Returns the lines of comments above a table, without their `#`, and the table.
fn comments(mut text: &str) -> (Vec<&str>, &str) {
    let mut comments = Vec::new();
    loop {
        let start = text.trim_start_matches(['\r', '\n']);
        let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
        // If lines end in CR only, the first one cannot be told from those below.
        match line.strip_prefix('#').filter(|comment| !comment.trim_end().contains('\r')) {
            Some(comment) if comment.is_empty() || comment.starts_with([' ', '\t', '\r']) => {
                comments.push(comment.trim());
                text = rest;
            }
            _ => return (comments, text),
        }
    }
}

/// Returns the number of columns that are not all numbers below line 1, not counting one with several numbers in each
/// cell.
fn strange(rows: &Rows) -> usize {
    let columns = profiles(rows, usize::from(rows.len() > 1));
    let lists = columns.iter().filter(|column| column.kind == Kind::Numbers).count();
    let strange = columns.iter().filter(|column| !column.kind.is_number()).count();
    strange - usize::from(lists == 1)
}

/// Returns whether spaces separate numbers, or the names of pictures and their labels, and not the words of a text.
fn spaced(rows: &Rows, known: &Known<'_>) -> bool {
    let mut columns = (0..rows.width()).map(|column| rows.column(column));
    strange(rows) < rows.width()
        || columns.any(|mut cells| cells.any(|cell| names_picture(cell, known)))
}

fn names_picture(cell: &str, known: &Known<'_>) -> bool {
    is_picture(cell) || known.find.is_some_and(|find| find(cell).is_ok())
}

/// Returns whether a separator occurs in a text.
fn occurs(separator: u8, text: &str) -> bool {
    let text = text.as_bytes();
    text.contains(&separator) || separator == SPACE && text.contains(&b'\t')
}

/// Returns the cells of lines, as long as `goes_on` is true, and the line that leaves its quotes open, if there is one.
fn lines(text: &str, separator: u8, goes_on: impl Fn(&Rows) -> bool) -> (Rows, Option<u64>) {
    let mut rows = Rows::default();
    let Ok(mut lines) = Lines::new(Box::new(text.as_bytes()), separator, 0, u64::MAX) else {
        return (rows, None);
    };
    while goes_on(&rows) {
        match lines.next() {
            Ok(true) => lines.append_to(&mut rows),
            Ok(false) => break,
            Err(_) => return (rows, Some(lines.line())),
        }
    }
    (rows, None)
}

fn all_lines(text: &str, separator: u8) -> (Rows, Option<u64>) {
    lines(text, separator, |_| true)
}

/// Returns whether the lines below line 1 have one width. It is called for each line, so it compares only the last.
fn are_even(rows: &Rows) -> bool {
    rows.len() < 3 || rows.row(rows.len() - 1).len() == rows.row(1).len()
}

/// Returns the rows of a text if all have the same width above 1; line 1 may also have one cell fewer, or an empty last
/// one.
fn fit(text: &str, separator: u8) -> Option<(Split, Rows)> {
    if !occurs(separator, text) {
        return None;
    }
    let (lines, open) = lines(text, separator, are_even);
    if !are_even(&lines) {
        return None;
    }
    let below = usize::from(lines.len() > 1);
    let (first, mut width) = (lines.width(), lines.row(below).len());
    let is_last_empty = |row: usize| lines.row(row).last().is_some_and(str::is_empty);
    let ends = lines.cell(0, first.checked_sub(1)?).is_empty();
    let has_empty_last =
        (first != width || ends) && (below..lines.len()).all(is_last_empty) && width > 0;
    if first > width + usize::from(ends) {
        return None;
    }
    width -= usize::from(has_empty_last);
    if width < 2 || first + 1 < width {
        return None;
    }
    let has_comma = |cell: &&str| with_point(cell).is_some();
    let decimal_commas =
        separator != b',' && text.contains(',') && lines.cells_from(0).any(|cell| has_comma(&cell));
    let has_point = |cell: &str| cell.contains('.') && is_number(cell);
    let has_unclear_marks = match decimal_commas {
        true if lines.cells_from(below).any(has_point) => true,
        // Commas are before decimals if semicolons separate the cells, or if not all numbers have three digits after
        // one.
        true => {
            let mut commas = lines.cells_from(0).filter(has_comma);
            separator != b';' && commas.all(|cell| has_thousands(cell, ','))
        }
        false => {
            let may_be = matches!(separator, b';' | b'\t') && text.contains('.');
            may_be && have_points(&lines, below, width)
        }
    };
    let split = Split {
        separator,
        width,
        has_empty_last,
        decimal_commas,
        has_unclear_marks,
        is_first_short: first + 1 == width,
        is_whole: open.is_none(),
        ..Split::default()
    };
    if !decimal_commas && !has_empty_last && first == width {
        return Some((split, lines));
    }
    let mut rows = Rows::default();
    split.push(&mut rows, split.is_first_short.then_some("").into_iter().chain(lines.row(0)));
    (1..lines.len()).for_each(|row| split.push(&mut rows, lines.row(row)));
    Some((split, rows))
}

/// Returns whether a column has points that may be between thousands, as in `1.234`, and smaller numbers without
/// points.
fn have_points(lines: &Rows, below: usize, width: usize) -> bool {
    (0..width).any(|column| {
        let cells = (below..lines.len()).map(|row| lines.cell(row, column));
        let mut numbers = cells.filter(|cell| is_number(cell));
        let (mut points, mut plain) = (false, false);
        let fits = numbers.all(|number| {
            let has_point = number.contains('.');
            points |= has_point;
            plain |= !has_point;
            if has_point { has_thousands(number, '.') } else { number.len() <= 3 }
        });
        fits && points && plain
    })
}

/// Returns whether the mark in a number may be between thousands, as in `1,234`.
fn has_thousands(number: &str, mark: char) -> bool {
    let number = number.strip_prefix(['-', '+']).unwrap_or(number);
    let is_group =
        |group: &str| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
    number.split_once(mark).is_some_and(|(front, group)| {
        (1..=3).contains(&front.len()) && !front.starts_with('0') && is_group(group)
    })
}

/// Reads a text of one column, if it may be one: no line has a separator; or all lines are words, line 1 has no
/// separator, and no line has one after the name of a picture. `above` is the number of lines above the text.
fn one_column(
    text: &str,
    above: u64,
    is_whole: bool,
    known: &Known<'_>,
) -> Result<(Split, Rows), Question> {
    let mut torn: Option<(u8, Rows)> = None;
    let separators = SEPARATORS.into_iter().map(|(separator, _)| separator);
    for separator in separators.filter(|separator| occurs(*separator, text)) {
        let (lines, open) = all_lines(text, separator);
        if let Some(line) = open.filter(|_| is_whole && separator != SPACE) {
            let line = above + line;
            expect_whole_quotes(text, above, separator)?;
            let sentence = format!("the quotes that line {line} opens are not closed; close them");
            return Err(Question::new(sentence));
        }
        // Line 1 decides the separator, unless it may be a title.
        let is_decided = torn.as_ref().is_some_and(|(by, torn)| {
            torn.width() > 1 || lines.width() == 1 || may_have_titles(torn, *by)
        });
        if !is_decided && is_torn(&lines, separator, known) {
            torn = Some((separator, lines));
        }
    }
    // With a separator that no line has, each line is one cell.
    let unused = [b',', b'\t', b';', b'|'].into_iter().find(|separator| !occurs(*separator, text));
    let (rows, open) = unused.map(|unused| all_lines(text, unused)).unwrap_or_default();
    let is_word = |cell: &str| !is_number(cell) && with_point(cell).is_none();
    if let Some((separator, lines)) = torn {
        let are_words = unused.is_some()
            && lines.width() < 2
            && !has_picture(&lines, known)
            && !may_have_titles(&lines, separator)
            && rows.column(0).all(is_word);
        if !are_words {
            expect_whole_quotes(text, above, separator)?;
            return Err(torn_line(text, separator, &lines, above));
        }
    }
    let begin = |cell| {
        let is_mark = |letter: char| ":=".contains(letter) || letter.is_whitespace();
        let parts = str::split_once(cell, is_mark).filter(|(_, rest)| !rest.trim().is_empty());
        parts.map_or("", |(begin, _)| begin)
    };
    let are_numbered = rows.len() > 2 && counts_up(rows.column(0).map(begin));
    if let Some(cell) = rows.column(0).find(|cell| are_numbered || is_picture(begin(cell))) {
        return Err(Question::new(format!(
            "a line ({}) begins with the name of a picture or with its number; put a comma after it",
            shown(cell)
        )));
    }
    let separator = unused.unwrap_or(b',');
    let split = Split { separator, width: rows.width(), ..Split::default() };
    Ok((Split { is_whole: open.is_none(), ..split }, rows))
}

/// Returns whether these are lines of a table, and some have another number of cells than line 1.
fn is_torn(lines: &Rows, separator: u8, known: &Known<'_>) -> bool {
    let is_table =
        || separator != SPACE || lines.row(1).any(is_number) || has_picture(lines, known);
    !have_width(lines, lines.width()) && is_table()
}

/// Returns whether all lines below line 1 have this number of cells.
fn have_width(lines: &Rows, width: usize) -> bool {
    (1..lines.len()).all(|row| lines.row(row).len() == width)
}

/// Returns whether titles may be above the table: one above lines of equal width, or several above a last line that has
/// numbers.
fn may_have_titles(lines: &Rows, separator: u8) -> bool {
    let second = lines.row(1).len();
    let is_amount = |cell: &str| is_number(cell) || with_point(cell).is_some();
    let has_numbers = |row: usize| lines.row(row).len() > 1 && lines.row(row).any(is_amount);
    let is_one = second > 1 && have_width(lines, second);
    lines.len() > 2 && (is_one || separator != SPACE && has_numbers(lines.len() - 1))
}

/// Returns whether a line has the name of a picture and other cells.
fn has_picture(lines: &Rows, known: &Known<'_>) -> bool {
    (0..lines.len()).any(|row| {
        let mut line = lines.row(row);
        let first = line.next().filter(|_| line.len() > 0);
        first.is_some_and(|first| names_picture(first, known) || line.any(is_picture))
    })
}

/// Returns the question about a line that has more or fewer columns than most.
fn torn_line(text: &str, separator: u8, lines: &Rows, above: u64) -> Question {
    let widths: Vec<usize> = (0..lines.len()).map(|row| lines.row(row).len()).collect();
    let count = |width: &usize| widths.iter().filter(|other| *other == width).count();
    // The first of the most frequent widths.
    let most = widths.iter().rev().max_by_key(|width| count(width)).copied().unwrap_or_default();
    let record = widths.iter().position(|width| *width != most).unwrap_or_default();
    let found = widths.get(record).copied().unwrap_or_default();
    let line = above + line_of(text, separator, record);
    Question::new(format!(
        "line {line} has {}, and others have {most} (between {}); correct it, or remove it if it is not a record",
        counted(found as u64, "column"),
        name(separator),
    ))
}

/// Returns the number of the line, counted from 1, on which a record starts.
fn line_of(text: &str, separator: u8, record: usize) -> u64 {
    let lines = Lines::new(Box::new(text.as_bytes()), separator, 0, u64::MAX);
    lines.map_or(0, |mut lines| {
        (0..=record).for_each(|_| drop(lines.next()));
        lines.line()
    })
}
