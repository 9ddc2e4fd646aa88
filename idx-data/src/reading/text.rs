//! The separator of the columns of a text, and the comments above them.

use crate::reading::cell::{Kind, is_number, is_picture, profiles, with_point};
use crate::reading::line_cells::{Cells, TrimmedCells};
use crate::reading::question::Question;
use crate::reading::roles::Known;
use crate::reading::rows::Rows;
use crate::reading::spelling::shown;
use crate::reading::{Evidence, Statement, Subject};
use idx_std::__private::counted;

/// A separator that stands for any number of spaces and tabs.
pub(crate) const SPACE: u8 = b' ';

/// The separators in the order in which they are taken, with their names.
const SEPARATORS: [(u8, &str); 5] =
    [(b'\t', "tabs"), (b';', "semicolons"), (b',', "commas"), (b'|', "bars"), (SPACE, "spaces")];

/// The split of a text into cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Split {
    /// The byte between two cells; a space stands for any number of spaces and tabs.
    pub(crate) separator: u8,
    /// The number of lines of comments above the table.
    pub(crate) comments: usize,
    /// The names of the columns in the last comment.
    pub(crate) names: Option<Vec<String>>,
    pub(crate) width: usize,
    /// True if each line ends with a separator and nothing after it.
    pub(crate) has_empty_last: bool,
    /// True if numbers have a comma in place of the point.
    pub(crate) decimal_commas: bool,
    /// True if numbers have a point, where numbers may have commas.
    has_points: bool,
    /// True if line 1 has one cell fewer than the others; its first is then empty.
    pub(crate) is_first_short: bool,
    /// True if these are all the rows of the text: it has no more, and ends outside of quotes.
    pub(crate) is_whole: bool,
    pub(crate) statements: Vec<Statement>,
}

/// Splits a sample of a text, which is all of it, or its first lines with a last one that may be cut. The rows include
/// line 1.
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
    // The first one of the fits that explain it best.
    let best = match fits.len() {
        1 => fits.pop(),
        _ => fits.into_iter().min_by_key(|(split, rows)| (split.is_first_short, strange(rows))),
    };
    let (mut split, rows) = match best {
        Some(fit) => fit,
        None => one_column(text, above, is_whole, known)?,
    };
    if split.decimal_commas && split.has_points {
        let sentence = "some numbers have a comma and others a point; write all of them with a point before the decimals, \
                        and nothing between thousands";
        return Err(Question::new(sentence));
    }
    let names = comments.last().map(|last| names_of(last, split.separator));
    split.names = names.filter(|names| names.len() == split.width && known.header.is_none());
    split.comments = sep + comments.len();
    split.is_whole &= is_whole;
    let say = |text| Statement::new(Subject::Records, Evidence::Content, text);
    if !matches!(split.separator, b',' | b'\t') && split.width > 1 {
        split.statements.push(say(format!("between {}", name(split.separator))));
    }
    if split.decimal_commas {
        split.statements.push(say("decimal commas".to_string()));
    }
    Ok((split, rows))
}

/// Gives the cells of each line to `take`, until it returns `false`. Returns whether the text ends within quotes.
fn each_line(text: &str, separator: u8, mut take: impl FnMut(TrimmedCells<'_>) -> bool) -> bool {
    let joined = (separator == SPACE).then(|| join(text));
    let mut cells = Cells::new(joined.as_deref().unwrap_or(text), separator);
    let mut goes_on = true;
    while goes_on && cells.next(|line| goes_on = take(line)) {}
    cells.is_open
}

impl Split {
    /// Appends the rows of lines from further below in the text, if they have the same number of cells.
    pub(crate) fn append(&self, rows: &mut Rows, lines: &str) {
        let width = self.width + usize::from(self.has_empty_last);
        rows.jump();
        each_line(lines, self.separator, |cells| {
            match (self.decimal_commas, self.has_empty_last) {
                _ if cells.len() != width => {}
                (true, _) => {
                    let cells: Vec<String> = cells.take(self.width).map(with_points).collect();
                    rows.push(cells.iter().map(String::as_str));
                }
                (false, true) => rows.push(cells.take(self.width)),
                (false, false) => cells.append_to(rows),
            }
            true
        });
    }
}

fn lines_in(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

fn name(separator: u8) -> &'static str {
    let mut all = SEPARATORS.into_iter();
    all.find(|(known, _)| *known == separator).map_or("commas", |(_, name)| name)
}

/// Returns a text without the line on top by which Excel knows the separator, such as `sep=;`, and the number of such
/// lines.
fn without_separator_line(text: &str) -> (usize, &str) {
    let rest = text.strip_prefix("sep=").and_then(|rest| rest.strip_prefix([',', ';', '\t', '|']));
    let rest = rest.map(|rest| rest.strip_prefix('\r').unwrap_or(rest));
    rest.and_then(|rest| rest.strip_prefix('\n')).map_or((0, text), |rest| (1, rest))
}

/// Returns the lines of comments above a table, without their `#`, and the table.
fn comments(mut text: &str) -> (Vec<&str>, &str) {
    let mut comments = Vec::new();
    loop {
        let start = text.trim_start_matches(['\r', '\n']);
        let (line, rest) = start.split_once('\n').unwrap_or((start, ""));
        match line.strip_prefix('#') {
            Some(comment) if comment.is_empty() || comment.starts_with([' ', '\t', '\r']) => {
                comments.push(comment.trim());
                text = rest;
            }
            _ => return (comments, text),
        }
    }
}

/// Returns the cells of a comment.
fn names_of(comment: &str, separator: u8) -> Vec<String> {
    let mut names = Vec::new();
    each_line(comment, separator, |cells| {
        names = cells.map(str::to_string).collect();
        false
    });
    names
}

/// Returns the number of columns that are not all numbers below line 1, without one that has several numbers in each
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
    is_picture(cell) || known.find.is_some_and(|find| find(cell).is_some())
}

/// Returns whether a line has the name of a picture and more.
fn has_pictures(text: &str, separator: u8, known: &Known<'_>) -> bool {
    let mut found = false;
    each_line(text, separator, |mut cells| {
        let first = cells.next().filter(|_| cells.len() > 0);
        found = first.is_some_and(|first| names_picture(first, known) || cells.any(is_picture));
        !found
    });
    found
}

/// Returns the rows of a text, if all have one width above 1, except that line 1 may have one cell fewer.
fn fit(text: &str, separator: u8) -> Option<(Split, Rows)> {
    let occurs = |byte: u8| text.as_bytes().contains(&byte);
    if !occurs(separator) && (separator != SPACE || !occurs(b'\t')) {
        return None;
    }
    let may_have_commas = separator != b',' && occurs(b',');
    let (mut has_commas, mut has_points) = (false, false);
    let (mut first, mut rows) = (Rows::default(), Rows::default());
    let (mut is_last_empty, mut fits) = (true, true);
    let is_open = each_line(text, separator, |cells| {
        if first.width() == 0 {
            first = Rows::new(cells.len());
            cells.append_to(&mut first);
            return true;
        }
        if rows.width() == 0 {
            rows = Rows::new(cells.len());
        }
        fits = rows.width() == cells.len();
        if !fits {
            return false;
        }
        is_last_empty &= cells.is_last_empty();
        let has_point = |cell: &str| cell.contains('.') && is_number(cell);
        has_points |= may_have_commas && cells.clone().any(has_point);
        if may_have_commas && cells.clone().any(|cell| with_point(cell).is_some()) {
            has_commas = true;
            let cells: Vec<String> = cells.map(with_points).collect();
            rows.push(cells.iter().map(String::as_str));
        } else {
            cells.append_to(&mut rows);
        }
        true
    });
    if rows.is_empty() {
        rows = Rows::new(first.width());
        is_last_empty = first.row(0).last().is_some_and(str::is_empty);
    }
    // A line of names may end with a separator that the others do not have.
    let is_first_ended =
        first.width() == rows.width() + 1 && first.row(0).last().is_some_and(str::is_empty);
    if !fits || rows.width() < 2 || first.width() > rows.width() && !is_first_ended {
        return None;
    }
    let is_full = first.width() == rows.width();
    let is_last_named = is_full && first.row(0).last().is_some_and(|last| !last.is_empty());
    let has_empty_last = is_last_empty && !is_last_named;
    if has_empty_last {
        rows = rows.without_last();
    }
    let width = rows.width();
    let is_first_short = first.width() + 1 == width;
    if width < 2 || first.width() + 1 < width {
        return None;
    }
    has_commas |= may_have_commas && first.row(0).any(|cell| with_point(cell).is_some());
    if has_commas || first.width() != width {
        let cells = first.row(0).take(width);
        let cells: Vec<String> = match has_commas {
            true => cells.map(with_points).collect(),
            false => cells.map(str::to_string).collect(),
        };
        first = Rows::new(width);
        first
            .push(is_first_short.then_some("").into_iter().chain(cells.iter().map(String::as_str)));
    }
    first.append(&rows);
    let split = Split { separator, width, has_empty_last, is_first_short, ..Split::default() };
    let is_whole = !is_open;
    Some((Split { decimal_commas: has_commas, has_points, is_whole, ..split }, first))
}

fn with_points(cell: &str) -> String {
    with_point(cell).unwrap_or_else(|| cell.to_string())
}

/// Reads a text of one column, if it may be one: no line has a separator, or all lines are words, line 1 has none, and
/// no line names a picture before one. `above` is the number of lines above it.
fn one_column(
    text: &str,
    above: usize,
    is_whole: bool,
    known: &Known<'_>,
) -> Result<(Split, Rows), Question> {
    let mut found: Option<(u8, Vec<usize>)> = None;
    let mut has_names = false;
    for (separator, name) in SEPARATORS {
        let (widths, is_open) = widths(text, separator);
        if is_open && is_whole && separator != SPACE && text.as_bytes().contains(&separator) {
            let line = above + Cells::new(text, separator).line_of(widths.len());
            let sentence = format!("the quotes that line {line} opens are not closed; close them");
            return Err(Question::new(sentence));
        }
        let (Some(first), Some(second)) = (widths.first(), widths.get(1)) else {
            continue;
        };
        let are_equal = widths.iter().skip(1).all(|width| width == second);
        let has_numbers = || {
            let (mut line, mut has_numbers) = (0, false);
            each_line(text, separator, |mut cells| {
                line += 1;
                has_numbers = line == 2 && cells.any(is_number);
                line < 2
            });
            has_numbers
        };
        let names_pictures = has_pictures(text, separator, known);
        let is_table = separator != SPACE || has_numbers() || names_pictures;
        if widths.len() > 2 && are_equal && *second > 1 && first != second && is_table {
            return Err(Question::new(format!(
                "line {line} has {}, and those below have {} (between {name}); remove it if it is a title, or put names \
                 with {name} in quotes",
                counted(*first as u64, "column"),
                second,
                line = above + 1,
            )));
        }
        let is_torn = widths.iter().any(|width| width != first);
        // Line 1 decides the separator.
        let is_better =
            found.as_ref().is_none_or(|(_, found)| found.first() == Some(&1) && *first > 1);
        if is_torn && is_table && is_better {
            has_names |= names_pictures;
            found = Some((separator, widths));
        }
    }
    // With a separator that no line has, each line is one cell.
    let occurs = |separator: &u8| text.as_bytes().contains(separator);
    let unused = [b',', b'\t', b';', b'|'].into_iter().find(|separator| !occurs(separator));
    let mut rows = Rows::new(1);
    let is_open = unused.is_some_and(|separator| {
        each_line(text, separator, |mut cells| {
            rows.push(cells.next());
            true
        })
    });
    let are_words = rows.column(0).all(|cell| !is_number(cell) && with_point(cell).is_none());
    let (separator, torn) = match (unused, found) {
        (Some(separator), None) => (separator, None),
        (Some(separator), Some((_, widths)))
            if are_words && widths.first() == Some(&1) && !has_names =>
        {
            (separator, None)
        }
        (_, torn) => (b',', torn),
    };
    if let Some((separator, widths)) = torn {
        return Err(torn_line(text, separator, &widths, above));
    }
    let begins_with_picture = |cell: &&str| {
        let picture = cell.split_once(|letter: char| letter == ':' || letter.is_whitespace());
        picture.is_some_and(|(name, rest)| is_picture(name) && !rest.trim().is_empty())
    };
    if let Some(cell) = rows.column(0).find(begins_with_picture) {
        let cell = shown(cell);
        let sentence = format!(
            "a line ({cell}) begins with the name of a picture; put a comma between it and the label"
        );
        return Err(Question::new(sentence));
    }
    // A text without lines has no column.
    let rows = if rows.is_empty() { Rows::default() } else { rows };
    let split = Split { separator, width: rows.width(), ..Split::default() };
    Ok((Split { is_whole: !is_open, ..split }, rows))
}

/// Returns the question about a line that has another number of columns than most.
fn torn_line(text: &str, separator: u8, widths: &[usize], above: usize) -> Question {
    let count = |width: &usize| widths.iter().filter(|other| *other == width).count();
    // The first one of the widths that occur most.
    let most = widths.iter().rev().max_by_key(|width| count(width)).copied().unwrap_or_default();
    let record = widths.iter().position(|width| *width != most).unwrap_or_default();
    let found = widths.get(record).copied().unwrap_or_default();
    let line = above + Cells::new(text, separator).line_of(record);
    Question::new(format!(
        "line {line} has {}, and others have {most} (between {}); correct it, or remove it if it is no record",
        counted(found as u64, "column"),
        name(separator),
    ))
}

/// Returns the numbers of cells of all lines, and whether the text ends within quotes.
fn widths(text: &str, separator: u8) -> (Vec<usize>, bool) {
    let mut widths = Vec::new();
    let is_open = each_line(text, separator, |cells| {
        widths.push(cells.len());
        true
    });
    (widths, is_open)
}

/// Returns the text with one space in place of those between two cells, and none around them.
fn join(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for line in text.split_inclusive('\n').flat_map(lines_of) {
        let mut cells = line.split([' ', '\t']).filter(|cell| !cell.is_empty());
        joined.extend(cells.next());
        for cell in cells {
            joined.push(' ');
            joined += cell;
        }
        joined.push('\n');
    }
    joined
}

/// Returns the lines in one that ends in a line feed: a carriage return ends a line as well.
fn lines_of(line: &str) -> impl Iterator<Item = &str> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line).split('\r')
}
