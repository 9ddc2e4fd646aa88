//! Converts files to arrays of ndarray. Only this file and `write/ndarray.rs` have ndarray in public signatures.

use idx_core::{Element, ZeroCopy};
use ndarray::{ArrayD, ArrayViewD};

use crate::error::{Error, ErrorKind};
use crate::read::{Array, IdxBuf};

impl IdxBuf {
    /// Returns all elements as an array of the file's shape, of any rank, borrowed without a copy.
    ///
    /// `E` is `u8`, `i8`, or a big-endian element as in the file, such as [`be::F32`](idx_core::be::F32).
    /// [`to_ndarray`](Self::to_ndarray) converts elements to the byte order of this machine.
    ///
    /// ```
    /// use idx_std::IdxBuf;
    /// use ndarray::Axis;
    ///
    /// let file = IdxBuf::from_bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6])?;
    /// let array = file.ndarray_view::<u8>()?;
    /// assert_eq!(array.shape(), [2, 3]);
    /// assert_eq!(array.sum_axis(Axis(0)).into_raw_vec_and_offset().0, [5, 7, 9]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file of another element type than `E` ([`ErrorKind::Format`]); sizes too large for an array
    /// ([`shape_too_large`](ErrorKind::code)).
    pub fn ndarray_view<E: Element + ZeroCopy>(&self) -> Result<ArrayViewD<'_, E>, Error> {
        let idx = self.as_idx();
        let elements = idx.elements::<E>().map_err(|error| self.error(error))?;
        let array = self.header().shape();
        let array = array.and_then(|shape| {
            ArrayViewD::from_shape(&*shape, elements.as_slice()).map_err(|_| too_large(&shape))
        });
        array.map_err(|kind| self.error(kind))
    }

    /// Copies all elements to an array of the file's shape, of any rank, in the byte order of this machine.
    ///
    /// # Errors
    ///
    /// The errors of [`to_vec`](Self::to_vec), and sizes too large for an array ([`shape_too_large`](ErrorKind::code)).
    pub fn to_ndarray<E: Element>(&self) -> Result<ArrayD<E>, Error> {
        let elements = self.to_vec()?;
        let array = self.header().shape();
        let array = array.and_then(|shape| owned(&shape, elements));
        array.map_err(|kind| self.error(kind))
    }
}

impl<E> Array<E> {
    /// Converts this to an array of ndarray, without copying the elements.
    ///
    /// ```no_run
    /// use ndarray::Axis;
    ///
    /// let images = idx_std::load::<u8>("train-images-idx3-ubyte.gz")?.into_ndarray()?;
    /// let mean_image = images.mapv(f32::from).mean_axis(Axis(0));
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Sizes too large for an array ([`shape_too_large`](ErrorKind::code)).
    pub fn into_ndarray(self) -> Result<ArrayD<E>, Error> {
        let shape = self.shape().to_vec();
        Ok(owned(&shape, self.into_vec())?)
    }
}

fn owned<E>(shape: &[usize], elements: Vec<E>) -> Result<ArrayD<E>, ErrorKind> {
    ArrayD::from_shape_vec(shape, elements).map_err(|_| too_large(shape))
}

/// Returns the only error that ndarray can find here: the number of elements always matches the shape.
fn too_large(shape: &[usize]) -> ErrorKind {
    ErrorKind::ShapeTooLarge { shape: shape.to_vec() }
}
