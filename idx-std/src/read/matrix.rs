use std::fmt;

use idx_core::{Element, ElementType, Idx};

use crate::error::ErrorKind;
use crate::io::alloc;
use crate::wide;

/// All elements of a file as `f64` in rows and columns, as Praat reads IDX files.
///
/// | file | matrix |
/// | --- | --- |
/// | rank 0 | 1 x 1 |
/// | n | 1 x n |
/// | n1 x n2 x n3 x .. | n1 x (n2 n3 ..) |
///
/// Every value of the six element types is exact in an `f64`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Matrix {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The elements, row by row.
    pub values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn from_idx(idx: &Idx<'_>) -> Result<Self, ErrorKind> {
        let dims = idx.header().dims();
        let (rows, columns) = if dims.len() < 2 {
            (1, dims.get(0).map_or(1, |_| idx.len()))
        } else {
            (idx.len(), columns(idx)?)
        };
        let values = match idx.header().element_type() {
            ElementType::U8 => values::<u8>(idx),
            ElementType::I8 => values::<i8>(idx),
            ElementType::I16 => values::<i16>(idx),
            ElementType::I32 => values::<i32>(idx),
            ElementType::F32 => values::<f32>(idx),
            ElementType::F64 => values::<f64>(idx),
        }?;
        Ok(Self { rows, columns, values })
    }
}

/// The sizes; the elements would be long.
impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matrix")
            .field("rows", &self.rows)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

/// The number of elements of a record, for which an empty file may claim any number.
fn columns(idx: &Idx<'_>) -> Result<usize, ErrorKind> {
    let header = idx.header();
    let (size, element) = (header.record_size(), header.element_type().size() as u64);
    let columns = size.and_then(|size| usize::try_from(size / element).ok());
    columns.ok_or_else(|| {
        let shape = header.dims().iter().map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        ErrorKind::ShapeTooLarge { shape: shape.collect() }
    })
}

fn values<E: Element>(idx: &Idx<'_>) -> Result<Vec<f64>, ErrorKind>
where
    f64: From<E>,
{
    let elements = idx.elements::<E>()?;
    let mut values = Vec::new();
    alloc::reserve(&mut values, elements.len())?;
    wide::append::<E, f64>(&mut values, idx.payload());
    Ok(values)
}
