//! A whole file as a matrix of native numbers.

use idx_core::{Element, ElementType};

use crate::error::{Error, ErrorKind};
use crate::io::alloc;
use crate::read::array::Array;
use crate::read::buffer::IdxBuf;
use crate::wide;

impl IdxBuf {
    /// Returns all elements as `f64`, exactly, in rows and columns, as Praat reads IDX files.
    ///
    /// | file | shape of the array |
    /// | --- | --- |
    /// | rank 0 | 1 x 1 |
    /// | n | 1 x n |
    /// | n1 x n2 x n3 x .. | n1 x (n2 n3 ..) |
    ///
    /// # Errors
    ///
    /// An empty file, if the product of its sizes overflows `usize` ([`shape_too_large`](ErrorKind::code)).
    pub fn to_matrix(&self) -> Result<Array<f64>, Error> {
        self.matrix().map_err(|kind| self.error(kind))
    }

    fn matrix(&self) -> Result<Array<f64>, ErrorKind> {
        let (header, shape) = (self.header(), self.header().shape()?);
        let shape = match *shape {
            [] => vec![1, 1],
            [columns] => vec![1, columns],
            [rows, ..] => {
                let size = header.record_size();
                let columns = size.map(|size| size / header.element_type().size() as u64);
                match columns.map(usize::try_from) {
                    Some(Ok(columns)) => vec![rows, columns],
                    _ => return Err(ErrorKind::ShapeTooLarge { shape: shape.to_vec() }),
                }
            }
        };
        let elements = match header.element_type() {
            ElementType::U8 => self.numbers::<u8>(),
            ElementType::I8 => self.numbers::<i8>(),
            ElementType::I16 => self.numbers::<i16>(),
            ElementType::I32 => self.numbers::<i32>(),
            ElementType::F32 => self.numbers::<f32>(),
            ElementType::F64 => self.numbers::<f64>(),
        }?;
        Ok(Array::new(shape, elements))
    }

    /// Converts all elements, which have type `E`, to `f64`.
    fn numbers<E: Element>(&self) -> Result<Vec<f64>, ErrorKind>
    where
        f64: From<E>,
    {
        let payload = self.as_idx().payload();
        let mut numbers = Vec::new();
        alloc::reserve(&mut numbers, payload.len() / E::SIZE)?;
        wide::append::<E, f64>(&mut numbers, payload);
        Ok(numbers)
    }
}
