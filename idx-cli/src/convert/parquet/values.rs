//! Between the arrays of Arrow and the bytes of IDX.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray};
use arrow_schema::DataType;
use idx_std::ElementType;

use super::columns::Held;
use crate::convert::layout::Layout;

/// The array of these big-endian numbers.
pub(super) fn array(element_type: ElementType, bytes: &[u8]) -> ArrayRef {
    fn of<T: ArrowPrimitiveType, const N: usize>(
        bytes: &[u8],
        number: fn([u8; N]) -> T::Native,
    ) -> ArrayRef {
        let (numbers, _) = bytes.as_chunks();
        let numbers = numbers.iter().map(|bytes| number(*bytes));
        Arc::new(PrimitiveArray::<T>::from_iter_values(numbers))
    }
    match element_type {
        ElementType::U8 => of::<UInt8Type, 1>(bytes, u8::from_be_bytes),
        ElementType::I8 => of::<Int8Type, 1>(bytes, i8::from_be_bytes),
        ElementType::I16 => of::<Int16Type, 2>(bytes, i16::from_be_bytes),
        ElementType::I32 => of::<Int32Type, 4>(bytes, i32::from_be_bytes),
        ElementType::F32 => of::<Float32Type, 4>(bytes, f32::from_be_bytes),
        ElementType::F64 => of::<Float64Type, 8>(bytes, f64::from_be_bytes),
    }
}

/// Appends the numbers of an array, big-endian; `at` says where one is, for messages.
pub(super) fn append_numbers(
    array: &dyn Array,
    target: &mut Vec<u8>,
    at: impl Fn(usize) -> String,
) -> Result<(), String> {
    fn of<T: ArrowPrimitiveType, const N: usize>(
        array: &dyn Array,
        target: &mut Vec<u8>,
        bytes: fn(T::Native) -> [u8; N],
    ) {
        let numbers = array.as_primitive_opt::<T>().map(PrimitiveArray::values);
        for number in numbers.into_iter().flatten() {
            target.extend_from_slice(&bytes(*number));
        }
    }
    if array.null_count() > 0 {
        let place = (0..array.len()).find(|place| array.is_null(*place));
        return Err(null(&at(place.unwrap_or_default())));
    }
    match array.data_type() {
        DataType::UInt8 => of::<UInt8Type, 1>(array, target, u8::to_be_bytes),
        DataType::Int8 => of::<Int8Type, 1>(array, target, i8::to_be_bytes),
        DataType::Int16 => of::<Int16Type, 2>(array, target, i16::to_be_bytes),
        DataType::Int32 => of::<Int32Type, 4>(array, target, i32::to_be_bytes),
        DataType::Float32 => of::<Float32Type, 4>(array, target, f32::to_be_bytes),
        DataType::Float64 => of::<Float64Type, 8>(array, target, f64::to_be_bytes),
        DataType::UInt16 => of::<UInt16Type, 2>(array, target, u16::to_be_bytes),
        DataType::UInt32 => of::<UInt32Type, 4>(array, target, u32::to_be_bytes),
        DataType::UInt64 => of::<UInt64Type, 8>(array, target, u64::to_be_bytes),
        DataType::Int64 => of::<Int64Type, 8>(array, target, i64::to_be_bytes),
        // The schema was checked.
        _ => {}
    }
    Ok(())
}

fn null(at: &str) -> String {
    format!("{at} is null; fill it or leave it out, IDX has numbers alone")
}

/// Appends the numbers of records, big-endian, if they are those of the layout; `at` says which record
/// it is, for messages.
pub(super) fn append_records(
    array: &dyn Array,
    held: Held,
    layout: &Layout,
    target: &mut Vec<u8>,
    at: impl Fn(usize) -> String,
) -> Result<(), String> {
    match held {
        Held::Numbers => append_numbers(array, target, at)?,
        Held::Lists => {
            for (place, list) in lists(array).enumerate() {
                let list = list.ok_or_else(|| null(&at(place)))?;
                if Some(list.len() as u64) != layout.numbers() {
                    return Err(other_length(&at(place), list.len(), "numbers", layout));
                }
                append_numbers(&list, target, |number| {
                    format!("{}, number {number}", at(place))
                })?;
            }
        }
        Held::Bytes => {
            let start = target.len();
            for (place, bytes) in byte_strings(array).enumerate() {
                let bytes = bytes.ok_or_else(|| null(&at(place)))?;
                if Some(bytes.len() as u64) != layout.record_size() {
                    return Err(other_length(&at(place), bytes.len(), "bytes", layout));
                }
                target.extend_from_slice(bytes);
            }
            let numbers = target.get_mut(start..).unwrap_or_default();
            reverse_each(numbers, layout.number_type.size());
        }
    }
    Ok(())
}

/// Turns numbers of so many bytes from big-endian to little-endian order, or back.
pub(super) fn reverse_each(numbers: &mut [u8], size: usize) {
    if size > 1 {
        for number in numbers.chunks_exact_mut(size) {
            number.reverse();
        }
    }
}

fn other_length(at: &str, length: usize, of: &str, layout: &Layout) -> String {
    format!(
        "{at} has {length} {of}, which are no {} {}; IDX has records of one shape",
        layout.shape(),
        layout.number_type
    )
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
fn byte_strings(array: &dyn Array) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
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
