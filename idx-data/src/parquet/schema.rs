//! What the columns of a file are: records, labels, pictures; and how a column says what its records are.

use std::collections::HashMap;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use idx_std::ElementType;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use super::arrays::{Encoding, data_type, dtype};
use super::file::damaged;
use crate::error::ErrorKind;
use crate::options::{Column, OpenOptions};
use crate::record::RecordLayout;
use crate::value::DType;

/// The names of the columns that this program writes.
pub(super) const RECORD: &str = "record";
pub(super) const LABEL: &str = "label";

/// The names of a column of labels, the most telling first.
const LABELS: [&str; 4] = [LABEL, "class", "target", "y"];

/// The field of a picture that has the bytes of its file.
pub(super) const FILE: &str = "bytes";

/// The column in which pandas stores an index.
const INDEX: &str = "__index_level_0__";

/// The keys under which Arrow stores the name of an extension type, and its metadata.
const EXTENSION_NAME: &str = "ARROW:extension:name";
const EXTENSION: &str = "ARROW:extension:metadata";
const TENSOR: &str = "arrow.fixed_shape_tensor";

/// The key under which a column that is not a tensor stores the layout of its records.
const IDX: &str = "idx";

/// Arrow's metadata of a tensor.
#[derive(Deserialize)]
struct Tensor {
    shape: Vec<u32>,
    permutation: Option<Vec<usize>>,
}

/// Our own metadata of another column.
#[derive(Deserialize)]
struct Described {
    #[serde(deserialize_with = "element_type")]
    element_type: ElementType,
    /// `None` for a file of rank 0.
    shape: Option<Vec<u32>>,
}

/// The columns to read.
pub(super) struct Columns {
    /// One that has whole records, or several that have a number of each.
    pub(super) records: Vec<usize>,
    pub(super) label: Option<usize>,
    /// Whether the records are files of pictures, as Hugging Face publishes them: structs whose field `bytes` is the
    /// file.
    pub(super) are_pictures: bool,
}

impl Columns {
    /// The records are the column of this name, the only column of pictures, the only column beside the labels, or all
    /// of them.
    pub(super) fn choose(schema: &Schema, options: &OpenOptions) -> Result<Self, ErrorKind> {
        let count = schema.fields().len();
        let mut labels = LABELS.into_iter().filter(|_| count > 1);
        let label = match &options.label_column {
            Some(column) => Some(index(schema, column)?),
            None => labels.find_map(|name| column_named(schema, name)),
        };
        let record = match &options.column {
            Some(column) => Some(index(schema, column)?),
            None => column_named(schema, RECORD).filter(|record| Some(*record) != label),
        };
        if record.is_some() && record == label {
            let message = "one column cannot have both the records and the labels; choose another";
            return Err(ErrorKind::mismatch(message));
        }
        let is_picture = |index: &usize| match schema.field(*index).data_type() {
            DataType::Struct(fields) => fields.iter().any(|field| field.name() == FILE),
            _ => false,
        };
        let others: Vec<usize> = (0..count).filter(|index| Some(*index) != label).collect();
        let pictures: Vec<usize> = others.iter().copied().filter(is_picture).collect();
        let records = match (record, pictures.len()) {
            (Some(record), _) => vec![record],
            (None, 0) => others,
            (None, 1) => pictures,
            (None, several) => {
                return Err(ErrorKind::unsupported(format!(
                    "{several} columns are pictures; leave one of them, or name one `{RECORD}`"
                )));
            }
        };
        let are_pictures = matches!(&records[..], [record] if is_picture(record));
        Ok(Self { records, label, are_pictures })
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<usize> {
        self.records.iter().copied().chain(self.label).collect()
    }

    /// The arrays of the records, and that of the labels.
    pub(super) fn split(
        &self,
        batch: &RecordBatch,
    ) -> Result<(Vec<ArrayRef>, Option<ArrayRef>), ErrorKind> {
        let mut records = batch.columns().to_vec();
        if records.len() != self.all().len() {
            return Err(damaged());
        }
        let before = |label: usize| self.records.iter().filter(|record| **record < label).count();
        let label = self.label.map(|label| records.remove(before(label)));
        Ok((records, label))
    }
}

/// The position of a column that the options name.
fn index(schema: &Schema, column: &Column) -> Result<usize, ErrorKind> {
    let fields = schema.fields();
    let index = match column {
        Column::Index(index) => Some(*index).filter(|index| *index < fields.len()),
        Column::Name(name) => fields.iter().position(|field| field.name() == name),
    };
    index.ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).take(20).collect();
        let message =
            format!("there is no {column}; the first are {}", names.join(", ").escape_debug());
        ErrorKind::mismatch(message)
    })
}

fn column_named(schema: &Schema, name: &str) -> Option<usize> {
    let mut fields = schema.fields().iter();
    fields.position(|field| field.name().eq_ignore_ascii_case(name))
}

/// What the schema says of the records.
pub(super) struct RecordType {
    pub(super) encoding: Encoding,
    pub(super) dtype: DType,
    /// The shape of the records, if it is stated.
    pub(super) shape: Option<Vec<u32>>,
    /// Whether they come from a file of rank 0.
    pub(super) has_rank_0: bool,
}

impl RecordType {
    pub(super) fn of(schema: &Schema, columns: &[usize]) -> Result<Self, ErrorKind> {
        match *columns {
            [column] => Self::of_column(schema.field(column)),
            _ => Self::of_table(schema, columns),
        }
    }

    /// Each column has a number of each record.
    fn of_table(schema: &Schema, columns: &[usize]) -> Result<Self, ErrorKind> {
        let fields = || columns.iter().map(|column| schema.field(*column));
        if fields().any(|field| field.name() == INDEX) {
            let message = format!(
                "the column `{INDEX}` is an index of pandas; write the file with `index=False`"
            );
            return Err(ErrorKind::unsupported(message));
        }
        let mut dtypes = fields().map(|field| dtype(field.data_type()));
        let Some(Some(first)) = dtypes.next() else {
            return Err(none_is_named(schema));
        };
        for dtype in dtypes {
            let dtype = dtype.ok_or_else(|| none_is_named(schema))?;
            if dtype != first {
                let message =
                    format!("some columns are {first} and some {dtype}; write all as one type");
                return Err(ErrorKind::unsupported(message));
            }
        }
        let width = u32::try_from(columns.len()).map_err(|_| damaged())?;
        let encoding = Encoding::Numbers;
        Ok(Self { encoding, dtype: first, shape: Some(vec![width]), has_rank_0: false })
    }

    fn of_column(field: &Field) -> Result<Self, ErrorKind> {
        let size = |size: i32| u32::try_from(size).map_err(|_| damaged());
        let (mut sizes, mut numbers) = (Vec::new(), field.data_type());
        loop {
            (sizes, numbers) = match numbers {
                DataType::List(child) | DataType::LargeList(child) => {
                    ([sizes, vec![None]].concat(), child.data_type())
                }
                DataType::FixedSizeList(child, length) => {
                    ([sizes, vec![Some(size(*length)?)]].concat(), child.data_type())
                }
                _ => break,
            }
        }
        let (encoding, numbers, shape) = match numbers {
            _ if !sizes.is_empty() => {
                let shape = tensor_shape(field)?.filter(|_| sizes.len() == 1);
                let shape = shape.or_else(|| sizes.iter().copied().collect());
                (Encoding::Lists(sizes.len()), numbers, shape)
            }
            DataType::FixedSizeBinary(length) => {
                (Encoding::Binary, &DataType::UInt8, Some(vec![size(*length)?]))
            }
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
                (Encoding::Binary, &DataType::UInt8, None)
            }
            other => (Encoding::Numbers, other, Some(Vec::new())),
        };
        let dtype = dtype(numbers).ok_or_else(|| {
            ErrorKind::unsupported(
                "the records are neither numbers, nor lists of numbers, nor bytes; write them as one of these",
            )
        })?;
        let column = Self { encoding, dtype, shape, has_rank_0: false };
        Ok(match described(field)? {
            Some(described) if !matches!(encoding, Encoding::Lists(_)) => Self {
                dtype: described.element_type.into(),
                has_rank_0: described.shape.is_none(),
                shape: Some(described.shape.unwrap_or_default()),
                ..column
            },
            _ => column,
        })
    }
}

fn none_is_named(schema: &Schema) -> ErrorKind {
    let count = schema.fields().len();
    ErrorKind::unsupported(format!(
        "none of the {count} columns is named `{RECORD}`; leave one beside `{LABEL}`, or rename one"
    ))
}

/// The shape of a tensor; `None` if the column is not one.
fn tensor_shape(field: &Field) -> Result<Option<Vec<u32>>, ErrorKind> {
    let metadata = field.metadata();
    if metadata.get(EXTENSION_NAME).map(String::as_str) != Some(TENSOR) {
        return Ok(None);
    }
    let tensor = metadata.get(EXTENSION).map(String::as_str);
    let tensor: Tensor = serde_json::from_str(tensor.unwrap_or_default()).map_err(|_| {
        ErrorKind::malformed("the shape of the tensors is invalid; rewrite the file")
    })?;
    let is_permuted = |permutation: Vec<usize>| !permutation.into_iter().eq(0..tensor.shape.len());
    if tensor.permutation.is_some_and(is_permuted) {
        let message = "the tensors are permuted; write them in the order of their memory";
        return Err(ErrorKind::unsupported(message));
    }
    Ok(Some(tensor.shape))
}

fn element_type<'a, D: Deserializer<'a>>(deserializer: D) -> Result<ElementType, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(Error::custom)
}

/// The metadata of a column that is not a tensor.
fn described(field: &Field) -> Result<Option<Described>, ErrorKind> {
    let described = field.metadata().get(IDX).map(|text| serde_json::from_str(text));
    described.transpose().map_err(|_| {
        ErrorKind::malformed(
            "the description of the records in the file is invalid; rewrite the file",
        )
    })
}

/// The column for records that are lists of numbers. Its items are nullable, because otherwise pyarrow does
/// not recognize a tensor.
pub(super) fn list_field(element_type: ElementType, layout: &RecordLayout, length: i32) -> Field {
    let element = Field::new("element", data_type(element_type.into()), true);
    let tensor = json!({ "shape": layout.record_shape() });
    let metadata = [(EXTENSION_NAME, TENSOR.to_string()), (EXTENSION, tensor.to_string())];
    let metadata = metadata.map(|(key, value)| (key.to_string(), value));
    Field::new(RECORD, DataType::FixedSizeList(element.into(), length), false)
        .with_metadata(HashMap::from(metadata))
}

/// A column of another type, with the layout of its records.
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
