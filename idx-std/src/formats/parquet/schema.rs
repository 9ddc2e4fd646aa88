//! Conversions between the schema of a file and the layout of its records.

use std::collections::HashMap;

use arrow_schema::{DataType, Field, Schema};
use idx_core::ElementType;
use serde::{Deserialize, Serialize};

use super::arrays::{Encoding, data_type, dtype};
use crate::formats::error::ErrorKind;
use crate::formats::record::RecordLayout;
use crate::npy::DType;

/// The names of the columns.
pub(super) const RECORD: &str = "record";
pub(super) const LABEL: &str = "label";

/// The field of a picture that has the bytes of its file.
pub(super) const FILE: &str = "bytes";

/// The keys under which Arrow stores the name of an extension type, and its metadata.
const EXTENSION_NAME: &str = "ARROW:extension:name";
const EXTENSION: &str = "ARROW:extension:metadata";
const TENSOR: &str = "arrow.fixed_shape_tensor";

/// The key under which a column that is not a tensor stores the layout of its records.
const IDX: &str = "idx";

/// Arrow's metadata of a tensor.
#[derive(Serialize, Deserialize)]
struct Tensor {
    shape: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permutation: Option<Vec<usize>>,
}

#[derive(Serialize, Deserialize)]
struct Described {
    element_type: String,
    /// `None` for a file of rank 0.
    shape: Option<Vec<u32>>,
}

/// A column of records in a file.
pub(super) struct RecordColumn {
    pub(super) encoding: Encoding,
    pub(super) dtype: DType,
    /// The shape of its records, if the schema states it.
    pub(super) shape: Option<Vec<u32>>,
    /// Whether it comes from a file of rank 0.
    pub(super) has_rank_0: bool,
}

impl RecordColumn {
    /// Reads the schema of a column.
    pub(super) fn from_field(field: &Field) -> Result<Self, ErrorKind> {
        let size = |size: i32| u32::try_from(size).ok().map(|size| vec![size]);
        let (encoding, numbers, shape) = match field.data_type() {
            DataType::List(child) | DataType::LargeList(child) => {
                (Encoding::List, child.data_type(), tensor_shape(field)?)
            }
            DataType::FixedSizeList(child, length) => {
                let shape = tensor_shape(field)?.or(size(*length));
                (Encoding::List, child.data_type(), shape)
            }
            DataType::FixedSizeBinary(length) => {
                (Encoding::Binary, &DataType::UInt8, size(*length))
            }
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
                (Encoding::Binary, &DataType::UInt8, None)
            }
            other => (Encoding::Scalar, other, Some(Vec::new())),
        };
        let dtype = dtype(numbers).ok_or_else(|| {
            ErrorKind::unsupported(match numbers {
                DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) => {
                    "the records are lists of lists; write each as one list, as `flatten` of SQL does"
                }
                _ => {
                    "the records are neither numbers, nor lists of numbers, nor bytes; write them as \
                     one of these"
                }
            })
        })?;
        let column = Self { encoding, dtype, shape, has_rank_0: false };
        Ok(match described(field)? {
            Some((element_type, shape)) if encoding != Encoding::List => Self {
                dtype: element_type.into(),
                has_rank_0: shape.is_none(),
                shape: Some(shape.unwrap_or_default()),
                ..column
            },
            _ => column,
        })
    }
}

/// The column of this name, in any case.
pub(super) fn column_named(schema: &Schema, name: &str) -> Option<usize> {
    let mut fields = schema.fields().iter();
    fields.position(|field| field.name().eq_ignore_ascii_case(name))
}

/// The column of files of pictures, as Hugging Face publishes them: structs whose field `bytes` is the file.
/// `None` if the records are something else.
pub(super) fn pictures_column(schema: &Schema) -> Result<Option<usize>, ErrorKind> {
    let has_files = |index: &usize| match schema.field(*index).data_type() {
        DataType::Struct(fields) => fields.iter().any(|field| field.name() == FILE),
        _ => false,
    };
    if let Some(record) = column_named(schema, RECORD) {
        return Ok(Some(record).filter(has_files));
    }
    let columns: Vec<usize> = (0..schema.fields().len()).filter(has_files).collect();
    match columns[..] {
        [] => Ok(None),
        [column] => Ok(Some(column)),
        _ => Err(ErrorKind::unsupported(format!(
            "{} columns are pictures; leave one of them, or name one `{RECORD}`",
            columns.len()
        ))),
    }
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

/// The metadata of a column that is not a tensor: element type and shape of its records.
#[expect(clippy::type_complexity, reason = "both, each of which may be absent")]
fn described(field: &Field) -> Result<Option<(ElementType, Option<Vec<u32>>)>, ErrorKind> {
    let Some(text) = field.metadata().get(IDX) else {
        return Ok(None);
    };
    let described: Option<Described> = serde_json::from_str(text).ok();
    let described = described.and_then(|described| {
        let mut types = ElementType::ALL.into_iter();
        let element_type =
            types.find(|element_type| element_type.name() == described.element_type)?;
        Some((element_type, described.shape))
    });
    match described {
        Some(described) => Ok(Some(described)),
        None => Err(ErrorKind::malformed(
            "the description of the records in the file is invalid; rewrite the file",
        )),
    }
}

/// The column for records that are lists of numbers. Its items are nullable, because otherwise pyarrow does
/// not recognise a tensor.
pub(super) fn list_field(element_type: ElementType, layout: &RecordLayout, length: i32) -> Field {
    let element = Field::new("element", data_type(element_type.into()), true);
    let tensor = Tensor { shape: layout.record_shape().to_vec(), permutation: None };
    let metadata = HashMap::from([
        (EXTENSION_NAME.to_string(), TENSOR.to_string()),
        (EXTENSION.to_string(), json(&tensor)),
    ]);
    Field::new(RECORD, DataType::FixedSizeList(element.into(), length), false)
        .with_metadata(metadata)
}

/// A column of another type, with the layout of its records.
pub(super) fn described_field(
    data_type: DataType,
    element_type: ElementType,
    layout: &RecordLayout,
) -> Field {
    let described = Described {
        element_type: element_type.name().to_string(),
        shape: layout.dims.get(1..).map(<[u32]>::to_vec),
    };
    let metadata = HashMap::from([(IDX.to_string(), json(&described))]);
    Field::new(RECORD, data_type, false).with_metadata(metadata)
}

fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value);
    debug_assert!(text.is_ok(), "names and numbers are JSON");
    text.unwrap_or_default()
}
