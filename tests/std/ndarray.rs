//! Arrays of ndarray: borrowed, owned and written.

use std::fs;
use std::ops::Range;

use idx_std::{Element, ErrorKind, IdxBuf, IdxRecord, be, load, open, write_ndarray};
use idx_tests::{file, odd_files, real_data};
use ndarray::{Array0, Array1, Array3, ArrayD, Axis, IxDyn, ShapeBuilder, array, s};

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

fn addresses<T>(slice: &[T]) -> Range<usize> {
    let range = slice.as_ptr_range();
    range.start.addr()..range.end.addr()
}

#[test]
fn bytes_are_borrowed() {
    let bytes = file(0x08, &[2, 1, 3], &[1, 2, 3, 0xFF, 5, 6]);
    let buffer = IdxBuf::from_bytes(bytes).unwrap();
    let view = buffer.ndarray_view::<u8>().unwrap();
    assert_eq!(view, array![[[1, 2, 3]], [[0xFF, 5, 6]]].into_dyn());
    let payload = buffer.as_idx().payload();
    assert_eq!(addresses(view.as_slice().unwrap()), addresses(payload));

    let bytes = file(0x09, &[2], &[1, 0xFF]);
    let buffer = IdxBuf::from_bytes(bytes).unwrap();
    let view = buffer.ndarray_view::<i8>().unwrap();
    assert_eq!(view, array![1, -1].into_dyn());
    let payload = buffer.as_idx().payload();
    assert_eq!(addresses(view.as_slice().unwrap()), addresses(payload));
    let error = buffer.ndarray_view::<u8>().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format(_)), "{error}");

    // Views of wider elements have them as they are in the file.
    let bytes = file(0x0B, &[2], &[1, 0, 0xFF, 0xFF]);
    let buffer = IdxBuf::from_bytes(bytes).unwrap();
    let view = buffer.ndarray_view::<be::I16>().unwrap();
    assert_eq!(view.mapv(be::I16::get), array![256, -1].into_dyn());
}

#[test]
fn loaded_numbers_are_borrowed_and_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers");
    fs::write(&path, file(0x0B, &[2, 1], &[1, 0, 0xFF, 0xFF])).unwrap();
    let numbers = load::<i16>(&path).unwrap();
    let place = addresses(&numbers);
    let owned = numbers.into_ndarray().unwrap();
    assert_eq!(owned, array![[256], [-1]].into_dyn());
    assert_eq!(addresses(owned.as_slice().unwrap()), place);
}

#[test]
fn odd_files_have_their_shape_or_are_too_large() {
    for odd in odd_files() {
        let buffer = IdxBuf::from_bytes(odd.bytes.clone()).unwrap();
        let header = buffer.as_idx().header();
        if header.element_type() != u8::ELEMENT {
            continue;
        }
        let sizes: Vec<usize> = header.dims().iter().map(|size| size as usize).collect();
        match (buffer.ndarray_view::<u8>(), buffer.to_ndarray::<u8>()) {
            (Ok(view), Ok(owned)) => {
                assert_eq!(view.shape(), sizes);
                assert_eq!(view, owned);
            }
            (Err(view), Err(owned)) => {
                assert_eq!(view.kind().code(), "shape_too_large");
                assert_eq!(owned.kind().code(), "shape_too_large");
                assert!(buffer.as_idx().payload().is_empty());
            }
            (view, owned) => panic!("{view:?} {owned:?}"),
        }
    }
    let huge = file(0x0E, &[0, 1 << 31, 1 << 31, 1 << 31], &[]);
    let error = IdxBuf::from_bytes(huge).unwrap().to_ndarray::<f64>();
    assert_eq!(
        error.unwrap_err().sentence(),
        "the file has no elements, and its sizes are too large for an array: [0, 2147483648, \
         2147483648, 2147483648]; use only its header"
    );
}

/// Writes the array and reads it again.
#[track_caller]
fn round_trip<E, D>(array: &ndarray::ArrayRef<E, D>)
where
    E: Element + Clone + PartialEq + std::fmt::Debug,
    D: ndarray::Dimension,
{
    let folder = tempfile::tempdir().unwrap();
    for name in ["array", "array.gz"] {
        let path = folder.path().join(name);
        write_ndarray(&path, array).unwrap();
        let again = open(&path).unwrap().to_ndarray::<E>().unwrap();
        assert_eq!(again.shape(), array.shape());
        assert!(again.iter().eq(array.iter()));
    }
}

#[test]
fn arrays_of_any_memory_order_are_written_as_indexed() {
    let rows = Array3::from_shape_fn((3, 4, 5), |(i, j, k)| (100 * i + 10 * j + k) as i16);
    let columns = Array3::from_shape_fn((3, 4, 5).f(), |(i, j, k)| (100 * i + 10 * j + k) as i16);
    assert_eq!(rows, columns);
    assert!(columns.as_slice().is_none());
    round_trip(&rows);
    round_trip(&columns);
    round_trip(&rows.t());
    round_trip(&rows.view().permuted_axes([1, 2, 0]));
    round_trip(&rows.slice(s![..;-1, 1..3, ..;2]));
    round_trip(&rows.index_axis(Axis(2), 4));
    round_trip(&array![1u8, 2, 3].broadcast((2, 3)).unwrap());
    round_trip(&array![1i8, -1]);
    round_trip(&array![[i32::MIN, i32::MAX]]);
    round_trip(&array![f32::MIN, -0.0, f32::INFINITY]);
    round_trip(&array![[[f64::EPSILON]]]);
    round_trip(&array![Label(0), Label(9)]);
    round_trip(&Array0::from_elem((), 7u8));
    round_trip(&Array1::<u8>::zeros(0));
    round_trip(&Array3::<f64>::zeros((3, 0, 2)));
    round_trip(&ArrayD::<u8>::ones(IxDyn(&[1; 255])));
}

/// One by one, these records would take minutes.
#[test]
#[cfg(target_pointer_width = "64")]
fn records_without_elements_are_written_at_once() {
    round_trip(&Array1::<u8>::zeros(0).broadcast((4_000_000_000, 0)).unwrap());
}

#[test]
fn what_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels");
    fs::write(&path, "what was there").unwrap();
    let error = write_ndarray(&path, &array![[Label(1)], [Label(10)]]).unwrap_err();
    assert_eq!(
        error.sentence(),
        "the record type does not allow a value: record 1 contains 10; correct the file, or allow the \
         value (after 1 whole record)"
    );
    let error = write_ndarray(&path, &ArrayD::<u8>::ones(IxDyn(&[1; 256]))).unwrap_err();
    assert_eq!(error.kind().code(), "shape_too_large");
    #[cfg(target_pointer_width = "64")]
    {
        let error = write_ndarray(&path, &Array1::<u8>::zeros(0).broadcast((1 << 32, 0)).unwrap());
        assert_eq!(
            error.unwrap_err().sentence(),
            "dimension 0 has the size 4294967296, but the maximum is 4294967295; write several files"
        );
    }
    assert_eq!(fs::read(&path).unwrap(), b"what was there");
}

#[test]
fn real_images_by_rows_and_by_columns() {
    let test = "real_images_by_rows_and_by_columns";
    let Some(path) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let buffer = open(&path).unwrap();
    let view = buffer.ndarray_view::<u8>().unwrap();
    assert_eq!(view.shape(), [10_000, 28, 28]);
    assert_eq!(load::<u8>(&path).unwrap().into_ndarray().unwrap(), view);
    // Through arrays of another order in memory, the file comes out as it was.
    let mut by_columns = Array3::<u8>::zeros((10_000, 28, 28).f());
    by_columns.assign(&view);
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("images");
    write_ndarray(&written, &by_columns).unwrap();
    assert!(fs::read(&written).unwrap() == buffer.bytes());
}
