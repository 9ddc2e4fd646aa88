//! The plan for reading a table, made from a sample before the first record is read.

use std::io::{BufReader, Seek};
use std::path::Path;

use crate::answer::Column;
use crate::error::{Error, ErrorKind, Hint};
use crate::formats::bytes::Bytes;
use crate::formats::csv::header;
use crate::formats::csv::sample::{Sample, TEXT_SIZE};
use crate::formats::csv::source::CsvSource;
use crate::names::class_names::ClassNames;
use crate::names::format::is_table;
use crate::reading::header::names;
use crate::reading::question::Question;
use crate::reading::roles::{Keys, Role, Roles, roles};
use crate::reading::rows::Rows;
use crate::reading::table::Table;
use crate::reading::text::{Split, split};
use crate::reading::{Evidence, Said, Subject};
use crate::record::RecordLayout;
use crate::record::options::OpenOptions;
use idx_std::__private::counted;
use idx_std::is_gzip;

/// Opens a table. Labels that are words, and class names next to labels, are read before the records; for this, a
/// stream is copied to a file.
pub(crate) fn open(
    path: &Path,
    bytes: Bytes,
    start: &[u8],
    options: &OpenOptions,
) -> Result<CsvSource, Error> {
    let mut file = bytes.same_file()?;
    let (sample, read) = Sample::read(bytes.into_decompressed(start)?, options.record_limit)?;
    let elsewhere = match &mut file {
        Some(file) if !is_gzip(start) => sample.elsewhere(file)?,
        _ => String::new(),
    };
    let plan = Plan::new(&sample, &elsewhere, options)?;
    drop((sample, elsewhere));
    let are_words = plan.roles.words;
    let has_names = are_words || plan.roles.columns.contains(&Role::ClassName);
    if !has_names || !(options.are_labels() || options.labels) {
        return CsvSource::new(path, read, &plan, options);
    }
    let Some(mut file) = file else {
        let spooled = Bytes::Stream(Box::new(read)).into_file()?;
        return open(path, Bytes::File(spooled), &[], options);
    };
    let names = CsvSource::new(path, read, &plan, options)?.into_names(are_words)?;
    if are_words && options.label_column.is_none() {
        plan.roles.expect_labels(names.iter().map(|(_, name)| name))?;
    }
    file.rewind()?;
    let read = Bytes::File(file).into_decompressed(start)?;
    let read = Box::new(BufReader::with_capacity(TEXT_SIZE, read));
    Ok(CsvSource::new(path, read, &plan, options)?.with_names(names, are_words))
}

pub(super) struct Plan {
    pub(super) split: Split,
    pub(super) has_header_line: bool,
    names: Option<Vec<String>>,
    pub(super) roles: Roles,
    /// The number of numbers in the first cell, if a record is one column of cells with several numbers.
    pub(super) in_cell: Option<usize>,
    /// The number of records, if all are in the sample.
    pub(super) count: Option<u64>,
    pub(super) keys: Keys,
}

impl Plan {
    fn new(sample: &Sample, elsewhere: &str, options: &OpenOptions) -> Result<Self, Question> {
        let known = options.known();
        let (split, rows) = split(&sample.text, sample.is_whole, &known)?;
        let mut table = names(&split, rows, &known)?;
        // Where a cell has several lines, a piece of the text may begin within one.
        let has_line_end = |cell: &str| cell.contains(['\n', '\r']);
        if !table.rows.cells_from(0).any(has_line_end) {
            split.append(&mut table.rows, elsewhere);
        }
        let is_blank = table.names.is_none() && table.rows.is_empty();
        let roles = match is_blank {
            // Without lines there are no columns, even if the options name some.
            true => Roles::default(),
            false => roles(&table, options.purpose(), &known)?,
        };
        let keys = roles.keys(&table);
        let Table { names, rows, is_whole, has_header_line, .. } = table;
        Ok(Self {
            keys,
            in_cell: numbers_in_cell(&rows, &roles),
            count: is_whole.then_some(rows.len() as u64),
            split,
            has_header_line,
            names,
            roles,
        })
    }

    /// Returns the roles of the columns of a line.
    pub(super) fn columns(&self, has_labels: bool) -> Vec<Role> {
        let is_left_out =
            |role: &Role| matches!(role, Role::Label | Role::SameLabel) && !has_labels;
        let roles = self.roles.columns.iter();
        let roles = roles.map(|role| if is_left_out(role) { Role::LeftOut } else { *role });
        roles.chain(self.split.has_empty_last.then_some(Role::Empty)).collect()
    }

    /// Returns whether records have labels: in a column, or by the options if there are no lines.
    pub(super) fn has_labels(&self, options: &OpenOptions) -> bool {
        let is_blank = self.roles.columns.is_empty();
        self.roles.columns.contains(&Role::Label) || is_blank && options.label_column.is_some()
    }

    /// Returns whether the text has no line below the names.
    pub(super) fn has_no_records(&self) -> bool {
        self.count == Some(0)
    }

    /// Returns the names of the columns with this role.
    pub(super) fn names_of(&self, role: Role) -> Option<Vec<String>> {
        let names = self.names.as_ref()?;
        Some(self.roles.all(role).filter_map(|column| names.get(column).cloned()).collect())
    }

    /// Returns the column with the numbers of the lines.
    pub(super) fn number_column(&self) -> Option<Column> {
        let column = self.roles.position(Role::Key).or(self.roles.position(Role::RowNumber))?;
        Some(Column::of(self.names.as_deref().unwrap_or_default(), column))
    }

    /// Returns the class names of one-hot labels: those of their columns.
    pub(super) fn one_hot_names(&self) -> Result<Option<ClassNames>, Error> {
        let names = self.names_of(Role::Label).filter(|_| self.roles.one_hot);
        names.map(ClassNames::new).transpose()
    }

    /// Checks that the line above the records can have names.
    pub(super) fn check_names(&self, path: &Path) -> Result<(), ErrorKind> {
        let names = self.names.as_deref().unwrap_or_default();
        if let Some(name) = names.iter().find(|name| name.contains(char::REPLACEMENT_CHARACTER)) {
            let message =
                format!("the name `{name}` in line 1 is not UTF-8; save the file as UTF-8");
            return Err(ErrorKind::malformed(message));
        }
        if self.has_no_records() && !is_table(path) {
            let message = "there is only a line of names, and no record; this may not be csv";
            return Err(ErrorKind::malformed(message));
        }
        Ok(())
    }

    /// Returns the shape of a record, by the first line and the names of the columns.
    pub(super) fn shape(&self, options: &OpenOptions) -> Result<Vec<u32>, ErrorKind> {
        if options.are_labels() {
            return Ok(vec![0]);
        }
        let elements = self.in_cell.unwrap_or_else(|| self.roles.all(Role::Element).count());
        let too_many = |_| ErrorKind::unsupported("there are too many columns");
        let elements = u32::try_from(elements).map_err(too_many)?;
        let named = self.names_of(Role::Element).and_then(|names| header::shape(&names));
        match (elements, &options.shape, named) {
            // A file without lines fits any shape.
            (0, Some(shape), _) => Ok(shape.clone()),
            (0, None, _) => {
                let message = "there are no numbers; give the shape of a record";
                Err(ErrorKind::malformed(message).advising(Hint::Shape))
            }
            (_, None, Some(named)) => Ok(named),
            (1, ..) => Ok(Vec::new()),
            (elements, None, _)
                if self.names.is_none() && self.roles.columns.contains(&Role::Label) =>
            {
                Ok(header::side_of_picture(elements)
                    .map_or_else(|| vec![elements], |side| vec![side; 2]))
            }
            (elements, ..) => Ok(vec![elements]),
        }
    }

    /// Returns whether the names of the columns are those that this library writes, which leave nothing open.
    fn is_own(&self, layout: &RecordLayout) -> bool {
        let names = self.names.iter().flatten().map(String::as_str);
        let named = self.names_of(Role::Element).and_then(|names| header::shape(&names));
        let own = header::names(named.as_deref().unwrap_or(layout.record_shape()));
        let label = self.roles.columns.first().is_some_and(|role| *role == Role::Label);
        let own = label.then(|| "label".to_string()).into_iter().chain(own);
        self.names.is_some() && own.eq(names)
    }

    /// Returns the statements about the table.
    pub(super) fn said(&self, layout: &RecordLayout) -> Said {
        let record = match layout.record_shape() {
            [] => "1 number".to_string(),
            [size] => counted((*size).into(), "number"),
            _ => layout.shape_text(),
        };
        let (noun, of) = match layout.record_shape() {
            // A list of labels.
            [0] => ("label", String::new()),
            _ => ("record", format!(" of {record}")),
        };
        let (subject, by, uncounted) =
            (Subject::Records, Evidence::Content, format!("{noun}s{of}"));
        let mut said = Said::default();
        match self.count {
            Some(count) => said.say_counted(subject, by, [counted(count, noun) + &of, uncounted]),
            None => said.say(subject, by, uncounted),
        }
        said.statements.extend(self.roles.said.statements.iter().cloned());
        said.options.clone_from(&self.roles.said.options);
        if self.is_own(layout) {
            said.by_header();
        }
        said
    }
}

/// Returns the number of numbers in the first cell, if a record is one column of cells with several numbers.
fn numbers_in_cell(rows: &Rows, roles: &Roles) -> Option<usize> {
    let mut elements = roles.all(Role::Element);
    let (Some(only), None) = (elements.next(), elements.next()) else {
        return None;
    };
    let count = rows.cell(0, only).split_ascii_whitespace().count();
    (count > 1).then_some(count)
}
