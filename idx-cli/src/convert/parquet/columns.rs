//! What the schema of a file says about its records, in both directions.

use std::collections::HashMap;

use arrow_schema::{DataType, Field};
use idx_std::{ElementType, NumberType};
use serde::{Deserialize, Serialize};

use crate::convert::layout::Layout;

/// The names of the columns.
pub(super) const RECORD: &str = "record";
pub(super) const LABEL: &str = "label";

/// Where Arrow has the name of an extension type, and what there is to say about it.
const EXTENSION_NAME: &str = "ARROW:extension:name";
const EXTENSION: &str = "ARROW:extension:metadata";
const TENSOR: &str = "arrow.fixed_shape_tensor";

/// Where a column that is no tensor has what its records are.
const IDX: &str = "idx";

/// What Arrow says about a tensor.
#[derive(Serialize, Deserialize)]
struct Tensor {
    shape: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permutation: Option<Vec<usize>>,
}

#[derive(Serialize, Deserialize)]
struct Described {
    element_type: String,
    /// `None` is a file of rank 0.
    shape: Option<Vec<u32>>,
}

/// The type of Arrow with the numbers of an element type.
pub(super) fn data_type(element_type: ElementType) -> DataType {
    match element_type {
        ElementType::U8 => DataType::UInt8,
        ElementType::I8 => DataType::Int8,
        ElementType::I16 => DataType::Int16,
        ElementType::I32 => DataType::Int32,
        ElementType::F32 => DataType::Float32,
        ElementType::F64 => DataType::Float64,
    }
}

/// The type of the numbers that Arrow has so.
pub(super) fn number_type(data_type: &DataType) -> Option<NumberType> {
    Some(match data_type {
        DataType::UInt8 => ElementType::U8.into(),
        DataType::Int8 => ElementType::I8.into(),
        DataType::Int16 => ElementType::I16.into(),
        DataType::Int32 => ElementType::I32.into(),
        DataType::Float32 => ElementType::F32.into(),
        DataType::Float64 => ElementType::F64.into(),
        DataType::UInt16 => NumberType::U16,
        DataType::UInt32 => NumberType::U32,
        DataType::UInt64 => NumberType::U64,
        DataType::Int64 => NumberType::I64,
        _ => return None,
    })
}

/// How a column holds its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// As lists of numbers.
    Lists,
    /// As bytes, of numbers in little-endian order.
    Bytes,
    /// As one number each.
    Numbers,
}

/// A column of records, as a file has it.
pub(super) struct RecordColumn {
    pub(super) held: Held,
    pub(super) number_type: NumberType,
    /// The shape of its records, if the schema tells it.
    pub(super) shape: Option<Vec<u32>>,
    /// Whether it is of a file without records, of a single element.
    pub(super) is_scalar: bool,
}

impl RecordColumn {
    /// Reads the schema of a column; an error is a sentence.
    pub(super) fn of(field: &Field) -> Result<Self, &'static str> {
        let size = |size: i32| u32::try_from(size).ok().map(|size| vec![size]);
        let (held, numbers, shape) = match field.data_type() {
            DataType::List(child) | DataType::LargeList(child) => {
                (Held::Lists, child.data_type(), tensor_shape(field)?)
            }
            DataType::FixedSizeList(child, length) => {
                let shape = tensor_shape(field)?.or(size(*length));
                (Held::Lists, child.data_type(), shape)
            }
            DataType::FixedSizeBinary(length) => (Held::Bytes, &DataType::UInt8, size(*length)),
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
                (Held::Bytes, &DataType::UInt8, None)
            }
            other => (Held::Numbers, other, Some(Vec::new())),
        };
        let number_type = number_type(numbers).ok_or(match numbers {
            DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) => {
                "the records are lists of lists; write each as one list, as `flatten` of SQL makes it"
            }
            _ => {
                "the records are neither numbers, nor lists of numbers, nor bytes; write them as one \
                 of these"
            }
        })?;
        let column = Self {
            held,
            number_type,
            shape,
            is_scalar: false,
        };
        Ok(match described(field)? {
            Some(layout) if held != Held::Lists => Self {
                number_type: layout.number_type,
                is_scalar: layout.record_shape.is_none(),
                shape: Some(layout.record_shape.unwrap_or_default()),
                ..column
            },
            _ => column,
        })
    }
}

/// The shape of a tensor; `None` if the column is none.
fn tensor_shape(field: &Field) -> Result<Option<Vec<u32>>, &'static str> {
    let metadata = field.metadata();
    if metadata.get(EXTENSION_NAME).map(String::as_str) != Some(TENSOR) {
        return Ok(None);
    }
    let tensor = metadata.get(EXTENSION).map(String::as_str);
    let tensor: Tensor = serde_json::from_str(tensor.unwrap_or_default())
        .map_err(|_| "the shape of the tensors is not readable; write the file anew")?;
    let is_permuted = |permutation: Vec<usize>| !permutation.into_iter().eq(0..tensor.shape.len());
    if tensor.permutation.is_some_and(is_permuted) {
        return Err("the tensors are permuted; write them in the order of their memory");
    }
    Ok(Some(tensor.shape))
}

/// What a column that is no tensor says about its records.
fn described(field: &Field) -> Result<Option<Layout>, &'static str> {
    let unreadable = "what the file says about its records is not readable; write it anew";
    let Some(text) = field.metadata().get(IDX) else {
        return Ok(None);
    };
    let described: Described = serde_json::from_str(text).map_err(|_| unreadable)?;
    let mut types = ElementType::ALL.into_iter();
    let element_type = types
        .find(|element_type| element_type.name() == described.element_type)
        .ok_or(unreadable)?;
    Ok(Some(Layout {
        number_type: element_type.into(),
        record_shape: described.shape,
    }))
}

/// The column for records that are lists of numbers, which is nullable inside, or pyarrow does not see
/// a tensor.
pub(super) fn list_field(element_type: ElementType, layout: &Layout, length: i32) -> Field {
    let element = Field::new("element", data_type(element_type), true);
    let tensor = Tensor {
        shape: layout.sizes().to_vec(),
        permutation: None,
    };
    let metadata = HashMap::from([
        (EXTENSION_NAME.to_string(), TENSOR.to_string()),
        (EXTENSION.to_string(), json(&tensor)),
    ]);
    Field::new(
        RECORD,
        DataType::FixedSizeList(element.into(), length),
        false,
    )
    .with_metadata(metadata)
}

/// A column of another type, with what its records are.
pub(super) fn described_field(
    data_type: DataType,
    element_type: ElementType,
    layout: &Layout,
) -> Field {
    let described = Described {
        element_type: element_type.name().to_string(),
        shape: layout.record_shape.clone(),
    };
    let metadata = HashMap::from([(IDX.to_string(), json(&described))]);
    Field::new(RECORD, data_type, false).with_metadata(metadata)
}

fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value);
    debug_assert!(text.is_ok(), "names and numbers are JSON");
    text.unwrap_or_default()
}
