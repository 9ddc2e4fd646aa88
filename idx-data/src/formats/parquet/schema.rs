//! The meaning of the columns of a file: records, labels or pictures; and the layout of records that a column states.

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_schema::{DataType, Field, FieldRef, Schema};
use serde_json::{Value, from_value, json};

use crate::answer::{Column, ReadingOption};
use crate::error::{ErrorKind, Hint};
use crate::formats::parquet::arrays::{byte_strings, dtype, first_lengths, is_binary, texts_of};
use crate::formats::parquet::file::{ParquetFile, damaged};
#[cfg(feature = "pictures")]
use crate::formats::pictures::is_picture as is_picture_content;
use crate::gather::Gather;
use crate::reading::question::Question;
use crate::reading::roles::label::ask_other_label;
use crate::reading::roles::names::is_label;
use crate::reading::roles::{Keys, Role, Roles, position, roles};
use crate::reading::rows::Rows;
use crate::reading::skip::{NONE, and_skip};
use crate::reading::table::Table;
use crate::record::RecordLayout;
use crate::record::options::OpenOptions;
use crate::record::value::DType;
use idx_std::__private::byte_size;
use idx_std::{ElementType, ErrorKind as FileErrorKind};

/// The name of the column of records that this library writes.
const RECORD: &str = "record";

/// The name of the column of labels that this library writes.
pub(super) const LABEL: &str = "label";

/// The field of a picture that holds the bytes of its file.
pub(super) const FILE: &str = "bytes";

/// The keys under which Arrow stores the name of an extension type, and its metadata.
const EXTENSION_NAME: &str = "ARROW:extension:name";
const EXTENSION: &str = "ARROW:extension:metadata";
const TENSOR: &str = "arrow.fixed_shape_tensor";

/// The key under which a column that is not a tensor stores the layout of its records.
const IDX: &str = "idx";

/// The number of records in the sample by which the columns are understood.
const SAMPLE: usize = 1000;

/// The columns to read.
#[derive(Default)]
pub(super) struct ReadColumns {
    /// One column with whole records, or several with one number of each record; none in a file of labels.
    pub(super) records: Vec<usize>,
    /// The columns of the label: one, or several that are one-hot.
    pub(super) labels: Vec<usize>,
    /// True if the records are picture files: bytes, or structs with the file in a field `bytes`, as Hugging Face
    /// publishes them.
    pub(super) are_pictures: bool,
    pub(super) keys: Keys,
    pub(super) roles: Roles,
}

impl ReadColumns {
    /// Finds the records: the chosen column, the only column of pictures or lists, or the numbers that are neither
    /// labels nor left out.
    pub(super) fn choose(file: &ParquetFile, options: &OpenOptions) -> Result<Self, ErrorKind> {
        let names: Vec<String> =
            file.schema.fields().iter().map(|field| field.name().clone()).collect();
        let given = |column: &Option<Column>, option| {
            let column = column.as_ref();
            column.map(|column| position(column, Some(&names), names.len(), option)).transpose()
        };
        let is_cell = |column: &usize| are_labels(file.data_type(*column));
        // Columns of numbers and texts have cells. Others, such as lists, may have whole records.
        let (cells, mut others): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(is_cell);
        let chosen = given(&options.column, ReadingOption::Column)?;
        if options.are_labels() && cells.is_empty() {
            // The option chooses a list or, if there is only one, one of the numbers in it.
            let list = match names.as_slice() {
                [only] => Some(0).filter(|_| !is_label(only)),
                _ => chosen,
            };
            if let Some(list) = list {
                return Ok(Self { records: vec![list], ..Self::default() });
            }
        }
        let is_named = |column: &usize| names.get(*column).is_some_and(|name| is_label(name));
        let label = match given(&options.label_column, ReadingOption::LabelColumn) {
            Err(question) if options.may_lack && question.answers.is_empty() => None,
            label => label?,
        };
        let label = label.or_else(|| others.iter().copied().find(is_named));
        // Lists are one-hot labels.
        let one_hot = label.filter(|label| others.contains(label));
        if options.are_labels() {
            match one_hot {
                Some(lists) => return Ok(Self { labels: vec![lists], ..Self::default() }),
                None if cells.is_empty() => return Ok(Self { records: others, ..Self::default() }),
                None => {}
            }
        }
        others.retain(|column| Some(*column) != one_hot);
        let is_whole = |column: &usize| {
            let data_type = file.data_type(*column);
            is_struct_of_file(file, *column) || item(data_type).is_some() || is_binary(data_type)
        };
        let (whole, unread): (Vec<usize>, Vec<usize>) = others.into_iter().partition(is_whole);
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(RECORD));
        let record = match chosen.or(named.filter(|named| Some(*named) != label)) {
            Some(record) => Some(record),
            None => whole_records(file, &names, &whole)?,
        };
        if record.is_none() && !options.are_labels() {
            expect_skipped(file, &names, &unread, label, options)?;
        }
        if record.is_some() && record == label {
            let message = "one column cannot have both the records and the labels; choose another";
            return Err(ErrorKind::mismatch(message));
        }
        Self::understand(file, options, names, &cells, record, one_hot)
    }

    /// Understands the columns of numbers and texts, which are `cells`, by their first cells. A column may have whole
    /// records, and another one-hot labels as lists.
    fn understand(
        file: &ParquetFile,
        options: &OpenOptions,
        names: Vec<String>,
        cells: &[usize],
        record: Option<usize>,
        one_hot: Option<usize>,
    ) -> Result<Self, ErrorKind> {
        let records = record.into_iter().collect();
        let (count, _) = file.counts(&(0..names.len()).collect::<Vec<_>>())?;
        let rows = sample(file, cells)?;
        let is_written = |(column, name): (usize, &String)| match Some(column) == record {
            true => name == RECORD,
            false => name == LABEL && cells.contains(&column),
        };
        let is_own = record.is_some() && names.iter().enumerate().all(is_written);
        let is_whole = rows.len() as u64 == count;
        let names = Some(names);
        let typed = Table { is_typed: true, list_of_labels: one_hot, ..Table::default() };
        let table = Table { names, rows, is_whole, records, ..typed };
        let mut roles = roles(&table, options.purpose(), &options.known())?;
        if is_own {
            // Its columns have the names that this library writes, which leave nothing open.
            roles.said.by_header();
        }
        if options.labels
            && let Some(label) = roles.position(Role::Label)
        {
            roles.all(Role::SameLabel).try_for_each(|column| {
                expect_same(file, table.names.as_deref().unwrap_or_default(), [label, column])
            })?;
        }
        let records = match record {
            Some(record) => vec![record],
            None => roles.all(Role::Element).collect(),
        };
        if record.is_none() && !options.are_labels() {
            expect_numbers(file, table.names.as_deref().unwrap_or_default(), &records, options)?;
        }
        let are_pictures = match records[..] {
            [record] => is_picture(file, record)?,
            _ => false,
        };
        Ok(Self {
            are_pictures,
            labels: match one_hot {
                Some(lists) => vec![lists],
                None => roles.all(Role::Label).collect(),
            },
            records,
            keys: roles.keys(&table),
            roles,
        })
    }
}

/// Returns whether a column has picture files. If nothing describes its bytes, the first ones decide.
fn is_picture(file: &ParquetFile, column: usize) -> Result<bool, ErrorKind> {
    let is_described = file.schema.field(column).metadata().contains_key(IDX);
    if is_described || !is_binary(file.data_type(column)) {
        return Ok(is_struct_of_file(file, column));
    }
    let first = file.batches(&[column], 1)?.next()?;
    let first = first.as_ref().and_then(|batch| byte_strings(batch.columns().first()?).next()?);
    #[cfg(not(feature = "pictures"))]
    let is_picture_content = |_: &[u8]| false;
    Ok(first.is_some_and(is_picture_content))
}

fn is_struct_of_file(file: &ParquetFile, column: usize) -> bool {
    match file.schema.field(column).data_type() {
        DataType::Struct(fields) => fields.iter().any(|field| field.name() == FILE),
        _ => false,
    }
}

/// Returns the column of records among those of pictures, lists and bytes: the only one, or the only one with pictures.
fn whole_records(
    file: &ParquetFile,
    names: &[String],
    columns: &[usize],
) -> Result<Option<usize>, ErrorKind> {
    let mut pictures = Vec::new();
    for column in columns {
        if is_picture(file, *column)? {
            pictures.push(*column);
        }
    }
    match (&pictures[..], columns) {
        ([only], _) | ([], [only]) => Ok(Some(*only)),
        ([], []) => Ok(None),
        _ => {
            let sentence = format!("{} columns may have the records", columns.len());
            let choose = |question: Question, column: &usize| {
                question.or(ReadingOption::Column(Column::of(names, *column)), "")
            };
            Err(columns.iter().take(4).fold(Question::new(sentence), choose).into())
        }
    }
}

/// Returns the cells of the first records in these columns. The cells of other columns are empty.
fn sample(file: &ParquetFile, columns: &[usize]) -> Result<Rows, ErrorKind> {
    let width = file.schema.fields().len();
    let mut rows = Rows::default();
    if columns.is_empty() {
        return Ok(rows);
    }
    let Some(batch) = file.batches(columns, SAMPLE)?.next()? else {
        return Ok(rows);
    };
    let mut cells = vec![vec![String::new(); batch.num_rows()]; width];
    for (column, array) in columns.iter().zip(batch.columns()) {
        if let Some(place) = cells.get_mut(*column) {
            *place = texts_of(array)?;
        }
    }
    for row in 0..batch.num_rows() {
        rows.push(cells.iter().map(|column| column.get(row).map_or("", String::as_str)));
    }
    Ok(rows)
}

/// Checks that columns with neither numbers nor words, such as times, are left out.
fn expect_skipped(
    file: &ParquetFile,
    names: &[String],
    unread: &[usize],
    label: Option<usize>,
    options: &OpenOptions,
) -> Result<(), ErrorKind> {
    let skip = |column| ReadingOption::Skip(vec![column]);
    let skipped = options.skip.iter().flatten().filter(|column| **column != Column::from(NONE));
    let skipped = skipped.map(|column| position(column, Some(names), names.len(), skip));
    let skipped = skipped.filter(|found| found.is_ok() || !options.may_lack && options.labels);
    let skipped = skipped.collect::<Result<Vec<usize>, _>>()?;
    let left = unread.iter().copied();
    let left = left.filter(|column| Some(*column) != label && !skipped.contains(column));
    ask_other_types(file, names, &left.collect::<Vec<_>>(), options)
}

/// Checks that the numbers of a record are not texts or categories, whose cells look the same.
fn expect_numbers(
    file: &ParquetFile,
    names: &[String],
    columns: &[usize],
    options: &OpenOptions,
) -> Result<(), ErrorKind> {
    let is_other = |column: &usize| dtype(file.schema.field(*column).data_type()).is_none();
    let others: Vec<usize> = columns.iter().copied().filter(is_other).collect();
    match others.first() {
        Some(first) if others.len() == columns.len() => {
            let sentence = other_type(file, names, *first);
            Err(ErrorKind::unsupported(format!("{sentence}; write it as numbers")))
        }
        _ => ask_other_types(file, names, &others, options),
    }
}

/// Asks whether to leave out these columns, which have no numbers, if there are any.
fn ask_other_types(
    file: &ParquetFile,
    names: &[String],
    columns: &[usize],
    options: &OpenOptions,
) -> Result<(), ErrorKind> {
    let Some(first) = columns.first() else {
        return Ok(());
    };
    let all = columns.iter().map(|column| Column::of(names, *column));
    let skip = and_skip(options.skip.as_deref(), all);
    let question = Question::new(other_type(file, names, *first));
    Err(question.or(skip, "to leave it out").into())
}

fn other_type(file: &ParquetFile, names: &[String], column: usize) -> String {
    let data_type = file.schema.field(column).data_type();
    let column = Column::of(names, column);
    format!("{column} has the type {data_type}, but a record has numbers")
}

/// Checks that a column is the same as that of the labels in all records, not only in the sample.
fn expect_same(
    file: &ParquetFile,
    names: &[String],
    [label, other]: [usize; 2],
) -> Result<(), ErrorKind> {
    let (mut labels, mut others) =
        (file.batches(&[label], SAMPLE)?, file.batches(&[other], SAMPLE)?);
    while let (Some(one), Some(two)) = (labels.next()?, others.next()?) {
        let (one, two) = (one.column(0), two.column(0));
        // Cells hold only the start of a text.
        let are_same = match (one.as_string_view_opt(), two.as_string_view_opt()) {
            (Some(one), Some(two)) => one.iter().eq(two),
            _ => texts_of(one)? == texts_of(two)?,
        };
        if !are_same {
            let [label, other] = [label, other].map(|column| Column::of(names, column));
            return Err(ask_other_label(label, other).into());
        }
    }
    Ok(())
}

/// The shape of records, as far as it is known.
enum RecordShape {
    /// That of records from a file of rank 0.
    OfRank0,
    Stated(Vec<u32>),
    /// That of the first list, which may stand for all.
    OfFirst,
    Unknown,
}

/// The type and shape of the records, as the file states them.
type RecordType = (DType, RecordShape);

/// Returns the type of records with one number in each column. Numbers of several types are read as `f64`.
fn of_table(schema: &Schema, columns: &[usize]) -> Result<RecordType, ErrorKind> {
    let fields = || columns.iter().map(|column| schema.field(*column));
    let dtypes: Option<Vec<DType>> = fields().map(|field| dtype(field.data_type())).collect();
    let Some(dtypes) = dtypes.filter(|dtypes| !dtypes.is_empty()) else {
        let count = schema.fields().len();
        return Err(ErrorKind::unsupported(format!(
            "none of the {count} columns is named `{RECORD}`; keep only one next to `{LABEL}`, or rename one"
        )));
    };
    let dtype = dtypes.into_iter().common().unwrap_or(ElementType::F64.into());
    let width = u32::try_from(columns.len()).map_err(|_| damaged())?;
    Ok((dtype, RecordShape::Stated(vec![width])))
}

fn of_column(field: &Field, (count, numbers): (u64, u64)) -> Result<RecordType, ErrorKind> {
    let mut sizes = Vec::new();
    let mut data_type = field.data_type();
    while let Some((item, size)) = item(data_type) {
        sizes.push(size);
        data_type = item;
    }
    let (data_type, shape) = match data_type {
        DataType::FixedSizeBinary(size) if sizes.is_empty() => {
            (&DataType::UInt8, u32::try_from(*size).ok().map(|size| vec![size]))
        }
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView if sizes.is_empty() => {
            (&DataType::UInt8, None)
        }
        other => (other, sizes.iter().copied().collect()),
    };
    let message = "the records are neither numbers, nor lists of numbers, nor bytes; write them as one of these";
    let dtype = dtype(data_type).ok_or_else(|| ErrorKind::unsupported(message))?;
    let described = match sizes.len() {
        0 => described(field)?,
        1 => match tensor_shape(field)? {
            Some(shape) => Some((dtype, RecordShape::Stated(shape))),
            // A query engine may keep the metadata of a column although it has changed the numbers.
            None => described(field)?.map(|(_, shape)| (dtype, shape)).filter(|(_, shape)| {
                let RecordShape::Stated(shape) = shape else { return false };
                let sizes = shape.iter().copied().map(u64::from);
                byte_size(1, sizes.chain([count])) == Some(numbers)
            }),
        },
        _ => None,
    };
    Ok(described.unwrap_or_else(|| {
        let unknown = if sizes.is_empty() { RecordShape::Unknown } else { RecordShape::OfFirst };
        (dtype, shape.map_or(unknown, RecordShape::Stated))
    }))
}

/// Returns whether a column of this type can have labels.
pub(super) fn are_labels(data_type: &DataType) -> bool {
    dtype(data_type).is_some() || *data_type == DataType::Utf8View
}

/// Returns the layout of the records, as the file states it or the first record shows it.
pub(super) fn layout(
    file: &ParquetFile,
    columns: &[usize],
    options: &OpenOptions,
) -> Result<RecordLayout, ErrorKind> {
    let (count, numbers) = file.counts(columns)?;
    if columns.is_empty() && options.are_labels() {
        return Ok(RecordLayout::of_records(ElementType::U8, Some(count), &[0]));
    }
    let (dtype, shape) = match *columns {
        [column] => of_column(file.schema.field(column), (count, numbers))?,
        _ => of_table(&file.schema, columns)?,
    };
    let shape = match shape {
        RecordShape::OfRank0 => return Ok(RecordLayout::new(dtype, &[])),
        RecordShape::Stated(shape) => Some(shape),
        RecordShape::OfFirst if count > 0 => {
            // At least one record has this number of values.
            let needed = numbers.div_ceil(count).saturating_mul(dtype.size() as u64);
            let limit = options.record_limit;
            if needed > limit {
                return Err(FileErrorKind::RecordLimitExceeded { limit, needed }.into());
            }
            let first = file.batches(columns, 1)?.next()?.ok_or_else(damaged)?;
            first_lengths(first.columns().first().ok_or_else(damaged)?)
        }
        RecordShape::OfFirst | RecordShape::Unknown => options.shape.clone(),
    };
    let shape = shape.ok_or_else(|| {
        let message = "the file does not say how long its records are; give the shape of a record";
        ErrorKind::malformed(message).advising(Hint::Shape)
    })?;
    Ok(RecordLayout::of_records(dtype, Some(count), &shape))
}

/// Returns the type of the items of lists, and the length of the lists if it is fixed; `None` for any other type.
pub(super) fn item(lists: &DataType) -> Option<(&DataType, Option<u32>)> {
    match lists {
        DataType::List(item) | DataType::LargeList(item) => Some((item.data_type(), None)),
        DataType::FixedSizeList(item, length) => {
            Some((item.data_type(), u32::try_from(*length).ok()))
        }
        _ => None,
    }
}

/// Returns the shape of a tensor; `None` if the column is not one.
fn tensor_shape(field: &Field) -> Result<Option<Vec<u32>>, ErrorKind> {
    let metadata = field.metadata();
    if metadata.get(EXTENSION_NAME).is_none_or(|name| name != TENSOR) {
        return Ok(None);
    }
    let tensor = metadata.get(EXTENSION).and_then(|text| serde_json::from_str(text).ok());
    let tensor = tensor.and_then(|tensor: Value| {
        let shape: Vec<u32> = from_value(tensor.get("shape")?.clone()).ok()?;
        let permutation = tensor.get("permutation").cloned().unwrap_or_default();
        let permutation: Option<Vec<usize>> = from_value(permutation).ok()?;
        Some((shape, permutation))
    });
    let (shape, permutation) = tensor.ok_or_else(|| {
        ErrorKind::malformed("the shape of the tensors is invalid; rewrite the file")
    })?;
    if permutation.is_some_and(|permutation| !permutation.into_iter().eq(0..shape.len())) {
        let message = "the tensors are permuted; write them in the order of their memory";
        return Err(ErrorKind::unsupported(message));
    }
    Ok(Some(shape))
}

/// Returns the description of records in the metadata of a column that is not a tensor.
fn described(field: &Field) -> Result<Option<RecordType>, ErrorKind> {
    let Some(text) = field.metadata().get(IDX) else {
        return Ok(None);
    };
    let described = || {
        let described: Value = serde_json::from_str(text).ok()?;
        let element_type: ElementType = described.get("element_type")?.as_str()?.parse().ok()?;
        let shape = described.get("shape").cloned().unwrap_or_default();
        let shape: Option<Vec<u32>> = from_value(shape).ok()?;
        Some((element_type.into(), shape.map_or(RecordShape::OfRank0, RecordShape::Stated)))
    };
    described().map(Some).ok_or_else(|| {
        ErrorKind::malformed(
            "the description of the records in the file is invalid; rewrite the file",
        )
    })
}

/// Describes a column of tensors. Their items are nullable; otherwise pyarrow does not recognize a tensor.
pub(super) fn tensor_field(element: FieldRef, layout: &RecordLayout, length: i32) -> Field {
    let tensor = json!({ "shape": layout.record_shape() });
    let metadata = [(EXTENSION_NAME, TENSOR.to_string()), (EXTENSION, tensor.to_string())];
    let metadata = metadata.map(|(key, value)| (key.to_string(), value));
    Field::new(RECORD, DataType::FixedSizeList(element, length), false)
        .with_metadata(HashMap::from(metadata))
}

/// Describes a column of another type, with the layout of its records.
pub(super) fn described_field(
    data_type: DataType,
    element_type: ElementType,
    layout: &RecordLayout,
) -> Field {
    let shape = layout.dims.get(1..);
    let described = json!({ "element_type": element_type.name(), "shape": shape });
    let metadata = HashMap::from([(IDX.to_string(), described.to_string())]);
    Field::new(RECORD, data_type, false).with_metadata(metadata)
}
