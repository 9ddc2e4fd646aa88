//! Conversions between Arrow arrays and the bytes of IDX.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, make_array, new_empty_array};
use arrow_schema::{ArrowError, DataType};
use idx_std::ElementType;

use crate::error::{Error, ErrorKind};
use crate::formats::parquet::file::damaged;
use crate::record::RecordLayout;
use crate::record::label::label_of;
use crate::record::value::DType;
use idx_std::__private::{counted, wide};

/// The types of numbers.
const DTYPES: [(DataType, DType); 11] = [
    (DataType::UInt8, DType::Element(ElementType::U8)),
    (DataType::Int8, DType::Element(ElementType::I8)),
    (DataType::Int16, DType::Element(ElementType::I16)),
    (DataType::Int32, DType::Element(ElementType::I32)),
    (DataType::Float32, DType::Element(ElementType::F32)),
    (DataType::Float64, DType::Element(ElementType::F64)),
    (DataType::Float16, DType::F16),
    (DataType::UInt16, DType::U16),
    (DataType::UInt32, DType::U32),
    (DataType::UInt64, DType::U64),
    (DataType::Int64, DType::I64),
];

/// Returns Arrow's type for an element type.
pub(super) fn data_type(element_type: ElementType) -> DataType {
    let found = DTYPES.into_iter().find(|(_, dtype)| *dtype == element_type.into());
    found.map_or(DataType::Null, |(data_type, _)| data_type)
}

/// Returns the type of numbers for a type of Arrow.
pub(super) fn dtype(data_type: &DataType) -> Option<DType> {
    DTYPES.into_iter().find(|(known, _)| known == data_type).map(|(_, dtype)| dtype)
}

/// Converts big-endian numbers to the byte order of this machine, as Arrow has them in memory, or back.
pub(super) fn swap(numbers: &mut [u8], size: usize) {
    if cfg!(target_endian = "little") {
        wide::reverse_each(numbers, size);
    }
}

/// Makes an array of `count` numbers, byte strings or lists from the bytes in memory. All have the same length.
pub(super) fn array(
    data_type: &DataType,
    count: usize,
    bytes: Vec<u8>,
) -> Result<ArrayRef, ArrowError> {
    let data = new_empty_array(data_type).into_data().into_builder().len(count);
    let data = match data_type {
        DataType::FixedSizeList(item, length) => {
            let numbers = count * usize::try_from(*length).unwrap_or(0);
            data.child_data(vec![array(item.data_type(), numbers, bytes)?.into_data()])
        }
        DataType::List(item) => {
            let numbers = bytes.len() / dtype(item.data_type()).map_or(1, DType::size);
            let length = numbers.checked_div(count).unwrap_or(0);
            // A row group has fewer numbers than 31 bits can count.
            let offset = |record: usize| i32::try_from(record * length).unwrap_or(i32::MAX);
            let offsets: Vec<u8> =
                (0..=count).flat_map(|record| offset(record).to_ne_bytes()).collect();
            data.buffers(vec![offsets.into()])
                .child_data(vec![array(item.data_type(), numbers, bytes)?.into_data()])
        }
        _ => data.buffers(vec![bytes.into()]),
    };
    Ok(make_array(data.align_buffers(true).build()?))
}

/// Returns `count` records of a column made by [`array`], from `start` on. A plain slice of lists would still hold the
/// numbers of all, and the encoder would convert these again for each slice.
pub(super) fn slice(column: &ArrayRef, start: usize, count: usize) -> Result<ArrayRef, ArrowError> {
    let Some(lists) = column.as_list_opt::<i32>() else {
        return Ok(column.slice(start, count));
    };
    let length = lists.values().len().checked_div(lists.len()).unwrap_or(0);
    // All lists have the same length, so the first offsets fit any slice.
    let (item, offsets, numbers, nulls) = lists.slice(0, count).into_parts();
    let numbers = numbers.slice(start * length, count * length);
    Ok(Arc::new(ListArray::try_new(item, offsets, numbers, nulls)?))
}

/// Returns the numbers of an array, big-endian.
fn numbers(array: &dyn Array) -> Result<Vec<u8>, ErrorKind> {
    let data = array.to_data();
    let size = dtype(array.data_type()).ok_or_else(damaged)?.size();
    let bytes = data.buffers().first().and_then(|bytes| bytes.get(..array.len() * size));
    let mut numbers = bytes.ok_or_else(damaged)?.to_vec();
    swap(&mut numbers, size);
    Ok(numbers)
}

/// Returns labels that are numbers. The first one belongs to the record `first`.
pub(super) fn integers(array: &dyn Array, dtype: DType, first: u64) -> Result<Vec<i128>, Error> {
    if let Some(index) = null_index(array) {
        return Err(null("the label", first + index));
    }
    let numbers = numbers(array)?;
    let numbers = (first..).zip(numbers.chunks_exact(dtype.size()));
    let label = |(record, bytes)| label_of(bytes, dtype).map_err(|kind| kind.at_position(record));
    numbers.map(label).collect()
}

/// The maximum number of characters of a text in the sample of a column: a few bytes of a file may become many texts.
const MAX_CELL: usize = 256;

/// Returns the cells of a column as in a table of text: numbers, or texts. A null is an empty cell.
pub(super) fn texts_of(array: &dyn Array) -> Result<Vec<String>, ErrorKind> {
    let is_null = |index| array.nulls().is_some_and(|nulls| nulls.is_null(index));
    if let Some(texts) = array.as_string_view_opt() {
        let start = |text: &str| match text.char_indices().nth(MAX_CELL) {
            Some((end, _)) => text.get(..end).unwrap_or_default().to_string(),
            None => text.to_string(),
        };
        return Ok(texts.iter().map(|text| start(text.unwrap_or_default())).collect());
    }
    let dtype = dtype(array.data_type()).ok_or_else(damaged)?;
    let numbers = numbers(array)?;
    let cells = numbers.chunks_exact(dtype.size()).enumerate().map(|(index, bytes)| {
        let number = dtype.value(bytes).filter(|_| !is_null(index));
        number.map(|number| number.to_string()).unwrap_or_default()
    });
    Ok(cells.collect())
}

fn null_index(array: &dyn Array) -> Option<u64> {
    let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0)?;
    (0..array.len()).find(|index| nulls.is_null(*index)).map(|index| index as u64)
}

pub(super) fn null(what: &str, record: u64) -> Error {
    ErrorKind::malformed(format!("{what} is null; fill it or leave it out, IDX has only numbers"))
        .at_position(record)
}

/// Returns the numbers of records, big-endian, if they match the layout: a single column has whole records, and each of
/// several has one number of each record. The first record is `first`.
pub(super) fn records(
    columns: &[ArrayRef],
    layout: &RecordLayout,
    first: u64,
) -> Result<Vec<u8>, Error> {
    if let [column] = columns {
        return match is_binary(column.data_type()) {
            true => of_bytes(column, layout, first),
            false => of_lists(column, layout, first),
        };
    }
    let size = layout.dtype.size();
    let mut records = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        if let Some(row) = null_index(column) {
            return Err(null(&format!("number {index}"), first + row));
        }
        let numbers = numbers_as(layout.dtype, column, first)?;
        records.resize(columns.len() * numbers.len(), 0);
        let places = records.chunks_exact_mut(size).skip(index).step_by(columns.len());
        for (place, number) in places.zip(numbers.chunks_exact(size)) {
            place.copy_from_slice(number);
        }
    }
    Ok(records)
}

/// Returns the numbers of a column in this type, which is that of the column or `f64`. The first record is `first`.
fn numbers_as(dtype: DType, column: &ArrayRef, first: u64) -> Result<Vec<u8>, Error> {
    let numbers = numbers(column)?;
    let own = self::dtype(column.data_type()).ok_or_else(damaged)?;
    if own == dtype {
        return Ok(numbers);
    }
    let mut converted = Vec::with_capacity(column.len() * ElementType::F64.size());
    for (record, bytes) in (first..).zip(numbers.chunks_exact(own.size())) {
        let value = own.value(bytes).ok_or_else(damaged)?;
        let appended = value.append_to(&mut converted, ElementType::F64);
        let out_of_range = || value.out_of_range(ElementType::F64).at_position(record);
        appended.ok_or_else(out_of_range)?;
    }
    Ok(converted)
}

/// Returns numbers, or the numbers of nested lists.
fn of_lists(array: &ArrayRef, layout: &RecordLayout, first: u64) -> Result<Vec<u8>, Error> {
    let mut array = Arc::clone(array);
    let mut what = "the record";
    // The number of lists, and then of numbers, in a record.
    let mut each = 1;
    for level in 0.. {
        if let Some(index) = null_index(&array) {
            let record = first + index.checked_div(each).unwrap_or(0);
            let number = format!("number {}", index.checked_rem(each).unwrap_or(0));
            let is_number = level > 0 && array.as_list_opt::<i32>().is_none();
            return Err(null(if is_number { &number } else { what }, record));
        }
        let Some(lists) = array.as_list_opt::<i32>() else {
            break;
        };
        let items = items(lists);
        let (length, unit) = match (level, items.as_list_opt::<i32>()) {
            (0, None) => (layout.record_length(), "number"),
            (_, found) => {
                let size = layout.record_shape().get(level).copied().map(u64::from);
                (size, if found.is_some() { "list" } else { "number" })
            }
        };
        let length = length.ok_or_else(damaged)?;
        for (index, found) in (0..).zip(lists.offsets().lengths()) {
            if found as u64 != length {
                let record = first + index / each;
                let expected = if level == 0 { layout.to_string() } else { length.to_string() };
                return Err(other_length((what, found, unit), &expected, record));
            }
        }
        array = items;
        what = "a list";
        each *= length;
    }
    Ok(numbers(&array)?)
}

fn of_bytes(array: &ArrayRef, layout: &RecordLayout, first: u64) -> Result<Vec<u8>, Error> {
    let mut records = Vec::new();
    for (record, bytes) in (first..).zip(byte_strings(array)) {
        let bytes = bytes.ok_or_else(|| null("the record", record))?;
        if Some(bytes.len() as u64) != layout.record_size() {
            let found = ("the record", bytes.len(), "byte");
            return Err(other_length(found, &layout.to_string(), record));
        }
        records.extend_from_slice(bytes);
    }
    wide::reverse_each(&mut records, layout.dtype.size());
    Ok(records)
}

fn other_length((what, length, unit): (&str, usize, &str), expected: &str, record: u64) -> Error {
    let length = counted(length as u64, unit);
    let message = format!("{what} has {length}, not {expected}; IDX has records of one shape");
    ErrorKind::malformed(message).at_position(record)
}

/// Returns the lengths of the first lists at each level of nesting; `None` if there is no record.
pub(super) fn first_lengths(array: &ArrayRef) -> Option<Vec<u32>> {
    let mut array = Arc::clone(array);
    let mut sizes = Vec::new();
    while let Some(lists) = array.as_list_opt::<i32>() {
        sizes.push(u32::try_from(lists.offsets().lengths().next()?).ok()?);
        array = items(lists);
    }
    Some(sizes)
}

/// Returns the items of all lists in one array.
fn items(lists: &ListArray) -> ArrayRef {
    let offsets = lists.offsets();
    let start = usize::try_from(offsets.first()).unwrap_or(0);
    lists.values().slice(start, offsets.lengths().sum())
}

/// Returns whether an array has byte strings, for [`byte_strings`].
pub(super) fn is_binary(data_type: &DataType) -> bool {
    matches!(data_type, DataType::BinaryView | DataType::FixedSizeBinary(_))
}

/// Returns the byte strings of an array, of fixed or variable length.
pub(super) fn byte_strings(array: &dyn Array) -> impl Iterator<Item = Option<&[u8]>> {
    let fixed = array.as_fixed_size_binary_opt().into_iter().flatten();
    fixed.chain(array.as_binary_view_opt().into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_schema::Field;

    /// Failed before: a slice of lists had the numbers of all lists, which were converted again for each slice.
    #[test]
    fn a_slice_has_only_the_numbers_of_its_records() {
        let item = Arc::new(Field::new("element", DataType::UInt8, true));
        let types = [DataType::List(Arc::clone(&item)), DataType::FixedSizeList(item, 2)];
        for data_type in types {
            let lists = array(&data_type, 4, (0..8).collect()).unwrap();
            for (start, count, expected) in [(0, 4, 0..8), (1, 2, 2..6), (3, 1, 6..8), (2, 0, 4..4)]
            {
                let some = slice(&lists, start, count).unwrap();
                assert_eq!((some.len(), some.data_type()), (count, &data_type));
                let numbers = match some.as_list_opt::<i32>() {
                    Some(lists) => numbers(lists.values()).unwrap(),
                    None => numbers(some.as_fixed_size_list().values()).unwrap(),
                };
                assert_eq!(numbers, Vec::from_iter(expected));
            }
        }
    }
}
