//! A whole file as native numbers with their shape.

use std::ops::Deref;
use std::{fmt, slice, vec};

/// The elements of a file in the byte order of this machine, and the sizes of its dimensions.
///
/// It dereferences to a slice of elements, the last dimension fastest.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Array<E> {
    shape: Vec<usize>,
    elements: Vec<E>,
}

impl<E> Array<E> {
    pub(super) fn new(shape: Vec<usize>, elements: Vec<E>) -> Self {
        Self { shape, elements }
    }

    /// Returns the sizes of the dimensions, as in the file; `[]` for rank 0.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the elements without their shape.
    #[must_use]
    pub fn into_vec(self) -> Vec<E> {
        self.elements
    }
}

/// Shows only the shape: the elements would be long.
impl<E> fmt::Debug for Array<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl<E> Deref for Array<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.elements
    }
}

impl<E> IntoIterator for Array<E> {
    type Item = E;
    type IntoIter = vec::IntoIter<E>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Array<E> {
    type Item = &'a E;
    type IntoIter = slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}
