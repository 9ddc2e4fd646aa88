//! Collects iterators into sets and maps without sorting, and finds the value that all items share.

/// Collects into a set, a map, or one value.
pub(crate) trait Gather: Iterator + Sized {
    /// Inserts the items one by one. `collect` would sort them first, which takes 5 KB of code for each type.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut gathered = C::default();
        gathered.extend(self);
        gathered
    }

    /// Returns the value that all items share; `None` if they differ or there are none.
    fn common(mut self) -> Option<Self::Item>
    where
        Self::Item: PartialEq,
    {
        let first = self.next()?;
        self.all(|other| other == first).then_some(first)
    }
}

impl<I: Iterator> Gather for I {}
