//! Conversions between the arrays of Arrow and the bytes of IDX.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray};
use arrow_schema::DataType;
use idx_core::ElementType;

use crate::formats::error::ErrorKind;
use crate::formats::record::RecordLayout;
use crate::npy::DType;
use crate::words::counted;

/// The representation of records in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// As lists of numbers.
    List,
    /// As bytes: the numbers in little-endian order.
    Binary,
    /// As one number each.
    Scalar,
}

/// The number types of Arrow and of Rust, in the only place that lists them.
macro_rules! dtypes {
    ($([$($dtype:tt)+] => $data_type:ident, $arrow_type:ident, $native:ty;)+) => {
        /// Arrow's type for the numbers of this type.
        pub(super) fn data_type(dtype: DType) -> DataType {
            match dtype {
                $(DType::$($dtype)+ => DataType::$data_type,)+
            }
        }

        /// The type of numbers for this type of Arrow.
        pub(super) fn dtype(data_type: &DataType) -> Option<DType> {
            match data_type {
                $(DataType::$data_type => Some(DType::$($dtype)+),)+
                _ => None,
            }
        }

        /// The array of these big-endian numbers.
        pub(super) fn array(dtype: DType, bytes: &[u8]) -> ArrayRef {
            match dtype {
                $(DType::$($dtype)+ => {
                    let (numbers, _) = bytes.as_chunks();
                    let numbers = numbers.iter().map(|bytes| <$native>::from_be_bytes(*bytes));
                    Arc::new(PrimitiveArray::<$arrow_type>::from_iter_values(numbers))
                })+
            }
        }

        /// Appends the numbers of an array without nulls, big-endian; nothing if it has no numbers.
        fn append(array: &dyn Array, target: &mut Vec<u8>) {
            match array.data_type() {
                $(DataType::$data_type => {
                    let array = array.as_primitive_opt::<$arrow_type>();
                    let numbers: &[$native] = array.map_or(&[], |array| array.values());
                    // Not one by one: the compiler makes wide instructions of this.
                    let start = target.len();
                    target.resize(start + size_of_val(numbers), 0);
                    let (places, _) = target.get_mut(start..).unwrap_or_default().as_chunks_mut();
                    for (place, number) in places.iter_mut().zip(numbers) {
                        *place = number.to_be_bytes();
                    }
                })+
                _ => debug_assert!(false, "the schema was checked"),
            }
        }
    };
}

dtypes! {
    [Element(ElementType::U8)] => UInt8, UInt8Type, u8;
    [Element(ElementType::I8)] => Int8, Int8Type, i8;
    [Element(ElementType::I16)] => Int16, Int16Type, i16;
    [Element(ElementType::I32)] => Int32, Int32Type, i32;
    [Element(ElementType::F32)] => Float32, Float32Type, f32;
    [Element(ElementType::F64)] => Float64, Float64Type, f64;
    [U16] => UInt16, UInt16Type, u16;
    [U32] => UInt32, UInt32Type, u32;
    [U64] => UInt64, UInt64Type, u64;
    [I64] => Int64, Int64Type, i64;
}

/// Appends the numbers of an array, big-endian; the error is the index of a number that is null.
fn append_numbers(array: &dyn Array, target: &mut Vec<u8>) -> Result<(), usize> {
    if array.null_count() > 0 {
        let index = (0..array.len()).find(|index| array.is_null(*index));
        return Err(index.unwrap_or_default());
    }
    append(array, target);
    Ok(())
}

fn null(what: &str, record: u64) -> ErrorKind {
    ErrorKind::malformed(format!("{what} is null; fill it or leave it out, IDX has only numbers"))
        .at_position(record.into())
}

/// Appends labels, big-endian; the first one belongs to record `first`.
pub(super) fn append_labels(
    array: &dyn Array,
    first: u64,
    target: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    append_numbers(array, target).map_err(|index| null("the label", first + index as u64))
}

/// Appends the numbers of records, big-endian, if they match the layout; `first` is the index of the first
/// record.
pub(super) fn append_records(
    array: &dyn Array,
    encoding: Encoding,
    layout: &RecordLayout,
    first: u64,
    target: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    match encoding {
        Encoding::Scalar => append_numbers(array, target)
            .map_err(|index| null("the record", first + index as u64))?,
        Encoding::List => {
            for (record, list) in (first..).zip(lists(array)) {
                let list = list.ok_or_else(|| null("the record", record))?;
                if Some(list.len() as u64) != layout.record_length() {
                    return Err(other_length(list.len(), "number", layout, record));
                }
                append_numbers(&list, target)
                    .map_err(|number| null(&format!("number {number}"), record))?;
            }
        }
        Encoding::Binary => {
            let start = target.len();
            for (record, bytes) in (first..).zip(byte_strings(array)) {
                let bytes = bytes.ok_or_else(|| null("the record", record))?;
                if Some(bytes.len() as u64) != layout.record_size() {
                    return Err(other_length(bytes.len(), "byte", layout, record));
                }
                target.extend_from_slice(bytes);
            }
            let numbers = target.get_mut(start..);
            debug_assert!(numbers.is_some(), "the target only grew");
            let numbers = numbers.unwrap_or_default();
            reverse_each(numbers, layout.dtype.size());
        }
    }
    Ok(())
}

/// Converts numbers of `size` bytes from big-endian to little-endian order, or back.
pub(super) fn reverse_each(numbers: &mut [u8], size: usize) {
    if size > 1 {
        numbers.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}

fn other_length(length: usize, unit: &str, layout: &RecordLayout, record: u64) -> ErrorKind {
    let length = counted(length as u64, unit);
    let message = format!("the record has {length}, not {layout}; IDX has records of one shape");
    ErrorKind::malformed(message).at_position(record.into())
}

/// The lists of any kind of list array.
fn lists(array: &dyn Array) -> Box<dyn Iterator<Item = Option<ArrayRef>> + '_> {
    if let Some(lists) = array.as_fixed_size_list_opt() {
        Box::new(lists.iter())
    } else if let Some(lists) = array.as_list_opt::<i32>() {
        Box::new(lists.iter())
    } else {
        Box::new(array.as_list_opt::<i64>().into_iter().flatten())
    }
}

/// The bytes of any kind of binary array.
pub(super) fn byte_strings(array: &dyn Array) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
    if let Some(bytes) = array.as_fixed_size_binary_opt() {
        Box::new(bytes.iter())
    } else if let Some(bytes) = array.as_binary_opt::<i32>() {
        Box::new(bytes.iter())
    } else if let Some(bytes) = array.as_binary_opt::<i64>() {
        Box::new(bytes.iter())
    } else {
        Box::new(array.as_binary_view_opt().into_iter().flatten())
    }
}
