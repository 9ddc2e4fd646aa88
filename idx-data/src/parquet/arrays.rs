//! Conversions between the arrays of Arrow and the bytes of IDX.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait, PrimitiveArray};
use arrow_schema::DataType;
use idx_std::ElementType;

use super::file::damaged;
use crate::error::ErrorKind;
use crate::record::RecordLayout;
use crate::value::DType;
use idx_std::__private::{counted, wide};

/// The representation of records in the columns of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// As lists of numbers, so many within each other.
    Lists(usize),
    /// As bytes: the numbers in little-endian order.
    Binary,
    /// As one number in each column.
    Numbers,
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
    [F16] => Float16, Float16Type, <Float16Type as ArrowPrimitiveType>::Native;
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

/// Labels that are numbers; the first one belongs to record `first`.
pub(super) fn integers(
    array: &dyn Array,
    dtype: DType,
    first: u64,
) -> Result<Vec<i128>, ErrorKind> {
    let mut bytes = Vec::new();
    append_numbers(array, &mut bytes).map_err(|index| null_label(first + index as u64))?;
    let integers = bytes.chunks_exact(dtype.size());
    integers
        .map(|bytes| dtype.value(bytes)?.to_integer())
        .collect::<Option<_>>()
        .ok_or_else(damaged)
}

pub(super) fn null_label(record: u64) -> ErrorKind {
    null("the label", record)
}

/// The numbers of records, big-endian, if they match the layout; `first` is the index of the first record.
pub(super) fn records(
    columns: &[ArrayRef],
    encoding: Encoding,
    layout: &RecordLayout,
    first: u64,
) -> Result<Vec<u8>, ErrorKind> {
    match (encoding, columns) {
        (Encoding::Numbers, _) => of_numbers(columns, layout.dtype.size(), first),
        (Encoding::Lists(depth), [array]) => of_lists(array, depth, layout, first),
        (Encoding::Binary, [array]) => of_bytes(array, layout, first),
        _ => Err(damaged()),
    }
}

/// Each column has a number of each record.
fn of_numbers(columns: &[ArrayRef], size: usize, first: u64) -> Result<Vec<u8>, ErrorKind> {
    let mut records = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let mut numbers = Vec::new();
        append_numbers(column, &mut numbers).map_err(|row| match columns.len() {
            1 => null("the record", first + row as u64),
            _ => null(&format!("number {index}"), first + row as u64),
        })?;
        if columns.len() == 1 {
            return Ok(numbers);
        }
        records.resize(columns.len() * numbers.len(), 0);
        let places = records.chunks_exact_mut(size).skip(index).step_by(columns.len());
        for (place, number) in places.zip(numbers.chunks_exact(size)) {
            place.copy_from_slice(number);
        }
    }
    Ok(records)
}

fn of_lists(
    array: &ArrayRef,
    depth: usize,
    layout: &RecordLayout,
    first: u64,
) -> Result<Vec<u8>, ErrorKind> {
    let mut array = Arc::clone(array);
    // The number of lists, and then of numbers, that a record has.
    let mut each = 1;
    let record = |index: usize, each: usize| first + index.checked_div(each).unwrap_or(0) as u64;
    for level in 0..depth {
        let expected = match depth {
            1 => layout.record_length(),
            _ => layout.record_shape().get(level).copied().map(u64::from),
        };
        let (items, lengths) = lists(&array).ok_or_else(damaged)?;
        let what = if level == 0 { "the record" } else { "a list" };
        for (index, length) in lengths.into_iter().enumerate() {
            if array.is_null(index) {
                return Err(null(what, record(index, each)));
            }
            if Some(length as u64) != expected {
                let unit = if level + 1 == depth { "number" } else { "list" };
                return Err(other_length((what, length, unit), layout, record(index, each)));
            }
        }
        array = items;
        each *= expected.and_then(|expected| usize::try_from(expected).ok()).ok_or_else(damaged)?;
    }
    let mut records = Vec::new();
    append_numbers(&array, &mut records).map_err(|index| {
        let number = index.checked_rem(each).unwrap_or(0);
        null(&format!("number {number}"), record(index, each))
    })?;
    Ok(records)
}

fn of_bytes(array: &ArrayRef, layout: &RecordLayout, first: u64) -> Result<Vec<u8>, ErrorKind> {
    let mut records = Vec::new();
    for (record, bytes) in (first..).zip(byte_strings(array)) {
        let bytes = bytes.ok_or_else(|| null("the record", record))?;
        if Some(bytes.len() as u64) != layout.record_size() {
            return Err(other_length(("the record", bytes.len(), "byte"), layout, record));
        }
        records.extend_from_slice(bytes);
    }
    wide::reverse_each(&mut records, layout.dtype.size());
    Ok(records)
}

fn other_length(
    (what, length, unit): (&str, usize, &str),
    layout: &RecordLayout,
    record: u64,
) -> ErrorKind {
    let length = counted(length as u64, unit);
    let message = format!("{what} has {length}, not {layout}; IDX has records of one shape");
    ErrorKind::malformed(message).at_position(record.into())
}

/// The lengths of the first lists within each other; empty if there is no record.
pub(super) fn first_lengths(array: &ArrayRef) -> Option<Vec<u32>> {
    let mut array = Arc::clone(array);
    let mut sizes = Vec::new();
    while let Some((items, lengths)) = lists(&array) {
        sizes.push(u32::try_from(*lengths.first()?).ok()?);
        array = items;
    }
    Some(sizes)
}

/// The items of the lists of an array, one after another, and the length of each list; `None` if it is of no lists.
fn lists(array: &ArrayRef) -> Option<(ArrayRef, Vec<usize>)> {
    if let Some(lists) = array.as_fixed_size_list_opt() {
        let length = usize::try_from(lists.value_length()).ok()?;
        return Some((Arc::clone(lists.values()), vec![length; lists.len()]));
    }
    match (array.as_list_opt::<i32>(), array.as_list_opt::<i64>()) {
        (Some(lists), _) => Some(items(lists)),
        (_, Some(lists)) => Some(items(lists)),
        _ => None,
    }
}

fn items<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> (ArrayRef, Vec<usize>) {
    let offsets = lists.offsets();
    let (start, end) = (offsets.first().as_usize(), offsets.last().as_usize());
    (lists.values().slice(start, end - start), offsets.lengths().collect())
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

/// Whether [`texts`] reads arrays of this type.
pub(super) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_text(values),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        _ => false,
    }
}

/// The strings of any kind of array of text, also of one with a dictionary, as pandas writes categories.
pub(super) fn texts(array: &dyn Array) -> Vec<Option<&str>> {
    if let Some(array) = array.as_any_dictionary_opt() {
        let values = texts(array.values());
        if values.is_empty() {
            return vec![None; array.len()];
        }
        let keys = array.normalized_keys().into_iter().enumerate();
        let text = |(row, key): (usize, usize)| {
            values.get(key).copied().flatten().filter(|_| array.is_valid(row))
        };
        keys.map(text).collect()
    } else if let Some(texts) = array.as_string_opt::<i32>() {
        texts.iter().collect()
    } else if let Some(texts) = array.as_string_opt::<i64>() {
        texts.iter().collect()
    } else {
        array.as_string_view_opt().into_iter().flatten().collect()
    }
}
